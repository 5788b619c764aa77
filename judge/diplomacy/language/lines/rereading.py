"""A line in which the first reading left words over, read again: by sentences, or by clauses.

`Mar, which borders Bur, supports Par there` is no order from left to right. What reads better this
way is taken, or asked about; all else stays as it was. Free of any position.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec.structs import astuple, replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed, Prose
from judge.diplomacy.language.lexicon import JOIN, UNKNOWN, Lexicon, listed
from judge.diplomacy.language.lines.clauses import Clause, read_clauses
from judge.diplomacy.language.lines.doubts import doubts_beside
from judge.diplomacy.language.lines.prose import is_negated_or_conditional
from judge.diplomacy.language.lines.roles import has_support_inside_passive
from judge.diplomacy.language.lines.sentences import Sentence, read_sentences
from judge.diplomacy.language.tokens import Token
from judge.diplomacy.records import Expected, ReadingKind


def read_again(
    tokens: Sequence[Token], items: list[Item], written: str, words: Lexicon
) -> list[Item]:
    """The items, or what the sentences or clauses of the line say if words were left over."""
    is_choice = any(token.text in _choice_words() for token in tokens)
    is_left_over = any(
        (isinstance(item, Faulty) and not (item.proposed and (is_choice or written.isascii())))
        or (isinstance(item, Prose) and any(token.is_place for token in item.segment))
        for item in items
    )
    if not (is_left_over or _has_help_and_move(tokens, items)) or has_support_inside_passive(
        tokens
    ):
        return items
    harmless = _choice_words()  # words that put nothing in doubt where clauses are read
    if any(token.text in listed("around", "rather") for token in tokens):
        harmless += listed("around", "against")
    if any(token.text.startswith(listed("roles", "passives")) for token in tokens):
        harmless += listed("around", "not_between_places")  # 在馬賽的支援下
    if not any(token.is_non_latin for token in tokens):
        passed = (*listed("sentences", "dismissed"), *listed("sentences", "harmless"))
        if not _has_other_doubts(tokens, written, words, (*harmless, *passed)):
            sentences = read_sentences(tokens)
            found = [item.readings[0] for item in items if isinstance(item, Parsed)]
            is_whole = {each.order for each in sentences}.issuperset(found)
            if sentences and is_left_over:
                proposed = _with_proposal(sentences, items)
                return proposed or _items_of_sentences(sentences, tokens, is_whole=is_whole)
            if is_whole and len(sentences) > len(items):
                return _items_of_sentences(sentences, tokens)
        elif not any(token.text in passed for token in tokens):
            return items
    elif not is_left_over and any(token.word == JOIN for token in tokens):
        return items
    if not is_left_over and any(token.role == "by" for token in tokens):
        items = [_with_help_asked(item, tokens) for item in items]
    if _has_other_doubts(tokens, written, words, harmless):
        return items
    clauses = read_clauses(tokens, written)
    is_open = is_choice and any(clause.is_choice for clause in clauses)
    if not is_left_over and sum(len(clause.orders) for clause in clauses) <= len(items):
        return items
    if not clauses or (
        written.isascii() and not is_open and not _has_several_orders(clauses, tokens)
    ):
        return items
    prose = [item for item in items if isinstance(item, Prose)]
    apart = [
        item
        for item in prose
        if not any(item.start < clause.end and clause.start < item.end for clause in clauses)
    ]
    return without_overlaps(
        [*(item for each in clauses for item in _items_of_clause(each, tokens)), *apart]
    )


@cache
def _choice_words() -> tuple[str, ...]:
    uses = ("alternatives", "either", "rather")
    return tuple(word for use in uses for word in listed("around", use))


def _has_help_and_move(tokens: Sequence[Token], items: Sequence[Item]) -> bool:
    """Whether an item has a word of help and one of a move, which help may be of: `Par attacks Bur
    with support from Mar`; `With Eng convoying, Wal hits Bre`."""
    return any(
        help.word in ("S", "C")
        and (move.role == "by" or move.word == JOIN or move.start < help.start)
        for item in items
        for help in tokens
        if item.start <= help.start < item.end
        for move in tokens
        if item.start <= move.start < item.end and (move.role or move.word in ("-", "H", JOIN))
    )


def _items_of_clause(clause: Clause, tokens: Sequence[Token]) -> Iterator[Item]:
    """A clause's orders; those of a choice, or that passed over words, are asked about."""
    start, end = clause.start, clause.end
    inside = tuple(token for token in tokens if start <= token.start < end)
    if clause.is_choice:
        fault = Fault(ReadingKind.OPEN, *clause.mark)
        yield Faulty(start, end, fault, (), clause.orders, clause.orders)
    elif not clause.orders:
        yield Prose(start, end, None, inside)
    else:
        for order, columns in zip(clause.orders, clause.spans, strict=True):
            if clause.is_sure:
                yield Parsed(*columns, (order,))
            else:
                fault = Fault(ReadingKind.NOT_EXPECTED, *clause.mark, "", (Expected.END,))
                yield Faulty(start, end, fault, inside, (), (order,))


def _with_help_asked(item: Item, tokens: Sequence[Token]) -> Item:
    """The item; a support by a unit that is named behind a move is open, for the move would be lost
    beside it: `Par - Bur gladly supported by Mar`."""
    inside = [token for token in tokens if item.start <= token.start < item.end]
    is_by = any(token.role == "by" for token in inside) and inside[0].word != "S"
    moves = [at for at, token in enumerate(inside) if token.word == "-"]
    helps = [at for at, token in enumerate(inside) if token.word in ("S", "C")]
    if not isinstance(item, Parsed) or not (is_by and moves and helps and moves[0] < helps[0]):
        return item
    fault = Fault(ReadingKind.OPEN, item.start, item.end)
    return Faulty(item.start, item.end, fault, tuple(inside), (), item.readings)


def _has_other_doubts(
    tokens: Sequence[Token], written: str, words: Lexicon, choices: Sequence[str]
) -> bool:
    """Whether another word than these puts an order in doubt, or says not or if."""
    told = [token for token in tokens if token.text not in (*choices, *words.told)]
    known = [token for token in tokens if token.word != UNKNOWN or token not in told]
    doubts = doubts_beside(written, known)
    is_doubted = any(written[each.start : each.end] not in choices for each in doubts)
    return is_doubted or is_negated_or_conditional(told, words)


def _with_proposal(sentences: Sequence[Sentence], items: Sequence[Item]) -> list[Item]:
    """The items with the one order that was passed over words for; none if there are several, or if
    it is sure. Reading from left to right tells better what is wrong with one."""
    order = sentences[0].order
    if len(sentences) > 1 or (order and sentences[0].is_sure):
        return []
    if not any(isinstance(item, Faulty) for item in items):
        return []
    proposed = (order,) if order else ()
    return [
        replace(item, proposed=proposed) if isinstance(item, Faulty) else item for item in items
    ]


def _items_of_sentences(
    sentences: Sequence[Sentence], tokens: Sequence[Token], *, is_whole: bool = True
) -> list[Item]:
    """The orders of sentences; they are asked about if something was passed over, or if reading
    from left to right has found another one (not `is_whole`)."""
    orders = [each.order for each in sentences]
    units = [each.unit for each in orders if each and not isinstance(each, o.WrittenWaive)]
    is_clear = is_whole and len({unit.location for unit in units}) == len(units)
    done: list[Item] = []
    for start, end, is_sure, order, segment in map(astuple, sentences):
        if order and is_sure and is_clear:
            done.append(Parsed(start, end, (order,)))
        elif order:
            fault = Fault(ReadingKind.NOT_EXPECTED, start, end, "", (Expected.END,))
            segment = tuple(token for token in tokens if start <= token.start < end)
            done.append(Faulty(start, end, fault, segment, (), (order,)))
        else:
            done.append(Faulty(start, end, Fault(ReadingKind.UNFINISHED, end, end), segment))
    return without_overlaps(done)


def _has_several_orders(clauses: Sequence[Clause], tokens: Sequence[Token]) -> bool:
    """Whether there are several orders; the first stage tells better what is wrong with one. Units
    are not sent to one place unless the words say so: `A Mar and Par - Pic`."""
    orders = [order for clause in clauses for order in clause.orders]
    goals = [order.target for order in orders if isinstance(order, o.WrittenMove)]
    is_said = any(token.text in listed("around", "each") for token in tokens)
    is_several = len(orders) > 1 and not all(clause.is_choice for clause in clauses)
    return is_several and (is_said or len(set(goals)) == len(goals))


def without_overlaps(items: Sequence[Item]) -> list[Item]:
    """The items as they follow one another; an order ends where the next begins."""
    done = sorted(items, key=lambda item: item.start)
    starts = [item.start for item in done]
    for at, item in enumerate(done):
        after = next((start for start in starts[at:] if start > item.start), item.end)
        if isinstance(item, Parsed) and after < item.end:
            done[at] = replace(item, end=after)
    return done
