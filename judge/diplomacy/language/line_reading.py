"""Stage 4: a line cut into what it says: its orders, what was meant as one, and prose.

`A Par-Bur, thanks` is an order and prose. Prose is shown to the player as not read and stops
nothing; an order that went wrong is asked about. Free of any position.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from msgspec.structs import astuple, replace

from judge.data import language_data
from judge.diplomacy import orders as o
from judge.diplomacy.language.clauses import LONGEST, Clause, helped, parse_clear, read_clauses
from judge.diplomacy.language.doubts import (
    SENTENCE_ENDS,
    corrections_in,
    doubts_beside,
    is_apology,
    with_doubts,
)
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed, Prose, parse_segment
from judge.diplomacy.language.lexicon import (
    JOIN,
    KINDS,
    UNKNOWN,
    VERBS,
    Lexicon,
    key_of,
    listed,
    particles_of,
    scripts,
)
from judge.diplomacy.language.open_orders import with_open_orders
from judge.diplomacy.language.prose import is_prose, is_turned
from judge.diplomacy.language.roles import Arranged, arrange, is_passive_around
from judge.diplomacy.language.segments import split_orders
from judge.diplomacy.language.sentences import Sentence, read_sentences
from judge.diplomacy.language.tokens import (
    STOPS,
    Segment,
    Token,
    is_plain,
    span,
    tokenize,
    word_at,
)
from judge.diplomacy.records import Expected, ReadingKind

LINE_LONGEST = 2000  # letters: forty orders on one line; a longer one is a paragraph of prose
_MEMO_LINES = 1 << 14  # lines kept; texts repeat from letter to letter
_MEMO_LONGEST = 200  # letters of a line that is kept
_SLASHED_LONGEST = 5  # words
_BRACKETS = re.compile(r"[(\[（［]([^()\[\]（）［］]+)[)\]）］]")


def read_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """What a line says, in its order: orders, what was meant as such, and prose.

    Linear in the line's length; a line longer than `LINE_LONGEST` is read as prose, or as one fault
    if it begins with orders. Lines of usual length are remembered.
    """
    read = _read_short_line if len(written) <= _MEMO_LONGEST else read_new_line
    return read(written, words)


def read_new_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """`read_line` for a line never met before."""
    written = _without_columns(written)
    tokens = _with_objects_joined(tokenize(written[:LINE_LONGEST], words))
    if is_plain(tokens) and len(written) <= LINE_LONGEST:
        plain = parse_segment(tuple(token for token in tokens if token.word not in STOPS))
        if isinstance(plain, Parsed) and not _is_of_mover(plain, sorted(tokens, key=_end_of)):
            return tuple(with_doubts([plain], written, tokens))
    if len(tokens) < _SLASHED_LONGEST and (slashed := _by_slash(tokens)):
        return (slashed,)
    if read := _corrected(written, words) or _helped_in_brackets(written, words):
        return read
    if read := _held_in_brackets(written, words):
        return read
    segments = split_orders(tokens)
    if len(written) > LINE_LONGEST:
        begins = [item for segment in segments[:3] for item in _read_segment(segment, words)]
        if not any(isinstance(item, Parsed) for item in begins):
            return (Prose(0, len(written)),)
        fault = Fault(ReadingKind.TOO_LONG, LINE_LONGEST, len(written))
        return (Faulty(0, len(written), fault, ()),)
    items = [item for segment in segments for item in _read_segment(segment, words)]
    if len(tokens) <= LONGEST:
        items = _by_clauses(tokens, items, written, words)
    items = _with_told_asked(items, tokens, written)
    if any(isinstance(item, Parsed | Faulty) for item in items):
        kept = [token for segment in segments for token in segment]
        known = [token for token in kept if token.word != UNKNOWN or token.text in words.told]
        items = with_doubts(items, written, known)
    items = with_open_orders(items, tokens, written, words)
    if not items and any(sign.isalnum() for sign in written):
        return (Prose(0, len(written)),)
    return tuple(_joined_prose(items, written))


_read_short_line = lru_cache(maxsize=_MEMO_LINES)(read_new_line)


def _corrected(written: str, words: Lexicon) -> tuple[Item, ...]:
    """A line in which a place or an order is taken back for another: `Par - Bur, no, Pic`. Both are
    open, the later one first; where nothing takes its place, the order is in doubt. None if it is
    no such line.

    The line is read once more with blanks for what was taken back, so that the columns stay: the
    last place before the correction (`Par -          Pic`), all behind the unit, or all of it.
    """
    for start, end in corrections_in(written[:_MEMO_LONGEST]):
        places = [token for token in tokenize(written[:start], words) if token.is_place]
        behind = tokenize(written[end:], words)
        after, is_named = behind[:2], any(token.is_place for token in behind)
        is_next = any(
            token.is_place or token.word == "H" or (is_named and token.word in KINDS)
            for token in after
        )
        is_sorry = not after and is_apology(written[start:end])  # that it is late
        if not places or (after and not is_next) or is_sorry:
            continue
        left = [*read_line(written[:start], words)]
        while left and not isinstance(left[-1], Parsed):
            left.pop()
        last = left.pop() if left and left[-1].end >= places[-1].end else None
        taken_back = last.readings if isinstance(last, Parsed) else ()
        begin = last.start if last else places[0].start
        for since in (0, places[-1].start, places[0].end) if after else ():
            items = read_line(written[:since] + " " * (end - since) + written[end:], words)
            at = next((n for n, item in enumerate(items) if item.end > end), 0)
            match items[at]:
                case Parsed(readings=meant) | Faulty(proposed=(_, *_) as meant) if (
                    since or written.isascii() or isinstance(items[at], Parsed)
                ):
                    both = tuple(dict.fromkeys((*meant, *taken_back)))
                    fault = Fault(ReadingKind.OPEN, start, end)
                    item = Faulty(begin, items[at].end, fault, (), both, both)
                    return (*(items[:at] if since else left), item, *items[at + 1 :])
        if last:
            fault = Fault(ReadingKind.DOUBTED, start, end)
            return (*left, Faulty(begin, len(written), fault, (), taken_back))
    return ()


def _by_slash(tokens: Sequence[Token]) -> Item | None:
    """A unit and a place with a slash between them, which may be a move: `F Mao/Por`."""
    if [token.word[0] for token in tokens if token.word not in KINDS] != ["#", "/", "#"]:
        return None
    if any(token.word in KINDS for token in tokens[1:]):
        return None
    move = parse_segment(tuple(replace(t, word="-") if t.word == "/" else t for t in tokens))
    if not isinstance(move, Parsed):
        return None
    fault = Fault(ReadingKind.OPEN, *span(tokens))
    return Faulty(*span(tokens), fault, tuple(tokens), move.readings, move.readings)


def _without_columns(written: str) -> str:
    """A line with blanks for the names of columns before its values: `Unit: A Par, Order: hold`."""
    found = [*_columns().finditer(written)] if ":" in written or "：" in written else []
    for each in found if len(found) > 1 else ():
        blank = " " * (each.end() - each.start())
        written = written[: each.start()] + blank + written[each.end() :]
    return written


@cache
def _columns() -> re.Pattern[str]:
    names = "|".join(sorted(listed("writing", "columns"), key=len, reverse=True))
    stop = "(?:[,;|，、；] ?)?"
    return re.compile(rf"{stop}(?<![^\W\d_])(?:{names}) ?[:：]", re.IGNORECASE)


def _helped_in_brackets(written: str, words: Lexicon) -> tuple[Item, ...]:
    """A line with a move and who helps it in brackets behind it: `Par - Bur (S Mar, Gas)`."""
    for found in _BRACKETS.finditer(written[:_MEMO_LONGEST]):
        inside = [token for token in tokenize(found[1], words) if token.word not in (":", ",", ".")]
        units = [token for token in inside if token.is_place]
        verbs = {token.word for token in inside if not token.is_place and token.word not in KINDS}
        verb = next((each for each in ("S", "C") if verbs == {each}), "")
        if not units or not verb or any(token.readings or token.role == "goal" for token in units):
            continue
        blank = " " * (found.end() - found.start())
        items = [*read_line(written[: found.start()] + blank + written[found.end() :], words)]
        leader = next((each for each in items[::-1] if each.start < found.start()), None)
        if isinstance(leader, Parsed) and isinstance(leader.readings[0], o.WrittenMove):
            for unit in units:
                at = found.start(1) + unit.start
                order = helped(o.WrittenUnit(unit.locations[0]), verb, leader.readings[0])
                items += [Parsed(at, found.end(), (order,))] if order else []
            return tuple(_apart(items))
    return ()


def _held_in_brackets(written: str, words: Lexicon) -> tuple[Item, ...]:
    """A line with a list of the units that hold in brackets: `All fleets (Nth, Nwg) hold`. It is
    open where more is said of them."""
    for found in _BRACKETS.finditer(written[:_MEMO_LONGEST]):
        inside = tokenize(found[1], words)
        is_list = all(token.is_place or token.word in (*KINDS, *STOPS, JOIN) for token in inside)
        if not is_list or sum(token.is_place for token in inside) < 2:
            continue
        before, after = written[: found.start()], written[found.end() :]
        around = [*tokenize(before, words), *tokenize(after, words)]
        if {token.word for token in around if token.is_place or token.word in VERBS} != {"H"}:
            continue
        rest = listed("everyone", "rest")
        known = [token for token in around if token.word != UNKNOWN]
        is_open = any(doubts_beside(before + after, known)) or any(
            word in before or after.lstrip().startswith(word) for word in rest
        )
        if not is_open and any(token.word == "H" for token in tokenize(after, words)):
            blank = " " * (found.start() + 1)
            return read_line(f"{blank}{found[1]} {after}", words)
        fault = Fault(ReadingKind.OPEN, found.start(), found.end())
        return (Faulty(0, len(written), fault, tuple(inside)),)
    return ()


# --- what a segment says -------------------------------------------------------------------------


def _read_segment(segment: Segment, words: Lexicon) -> Iterator[Item]:
    """What a segment says; several orders where nothing stands between them."""
    while True:
        arranged = Arranged((segment,)) if is_plain(segment) else arrange(segment)
        if not arranged.ways or (
            arranged.is_open and not any(t.word == UNKNOWN and t.role for t in segment)
        ):  # but a misspelled name is told as such
            yield _open(segment, arranged)
            return
        ordered = arranged.ways[0]
        parsed = parse_segment(ordered)
        at = _next_unit(ordered, parsed) if isinstance(parsed, Fault) else len(segment)
        first = parsed if isinstance(parsed, Parsed) else parse_clear(segment[:at])
        if first is None:
            assert isinstance(parsed, Fault)
            yield _unparsed(ordered, parsed, words)
            return
        yield first
        segment = segment[at:]
        if not segment:
            return


def _open(segment: Segment, arranged: Arranged) -> Faulty:
    """An order whose words do not say who does what."""
    start, end = span(segment)
    parsed = [parse_segment(way) for way in arranged.ways]
    meant = tuple(each for one in parsed if isinstance(one, Parsed) for each in one.readings)
    return Faulty(start, end, Fault(ReadingKind.OPEN, start, end), segment, meant, meant)


def _next_unit(segment: Segment, fault: Fault) -> int:
    """Where in `A Par-Bur A Mar-Spa` the second order begins, at which reading stopped; 0 if
    nowhere."""
    at = next((at for at, token in enumerate(segment) if token.start == fault.start and at), 0)
    if not at or fault.kind is not ReadingKind.NOT_EXPECTED:
        return 0
    if segment[at - 1].text in listed("sentences", "guards"):
        return 0  # Mao guards Gascony's move to Spain
    has_verb = any(token.word in VERBS for token in segment[:at])  # `F Nth con A Lon` has none
    is_whole = has_verb and (segment[at - 1].is_place or segment[at - 1].word in ("H", "D", "B"))
    after = word_at(segment, at + 1)
    begins = segment[at].word in KINDS or (segment[at].is_place and after in VERBS)
    return at if is_whole and begins else 0


def _unparsed(segment: Segment, fault: Fault, words: Lexicon) -> Item:
    start, end = span(segment)
    is_move = [token.word for token in segment] == [UNKNOWN, "-", UNKNOWN] and segment[1].is_sign
    if is_move and all(words.nearest(token.text) for token in segment[::2]):
        return Faulty(start, end, fault, segment)  # marsielles - spian
    if len(segment) == 1 and segment[0].is_place:
        return Prose(start, end, segment[0].locations, segment)
    if len(segment) == 1 and segment[0].word == "D" and len(segment[0].text) > 1:
        return Prose(start, end, (), segment)
    if is_prose(segment):
        return Prose(start, end, None, segment)
    if fault.kind is ReadingKind.NO_PROVINCE and key_of(fault.word) in words.against:
        fault = replace(fault, kind=ReadingKind.NOT_EXPECTED)  # no word like `if` is a name
    return Faulty(start, end, fault, segment)


# --- clauses --------------------------------------------------------------------------------------


def _by_clauses(
    tokens: Sequence[Token], items: list[Item], written: str, words: Lexicon
) -> list[Item]:
    """The items, or what the clauses of the line say if something in them was left over."""
    choices = tuple(
        word for use in ("alternatives", "either", "rather") for word in listed("around", use)
    )
    is_choice = any(token.text in choices for token in tokens)
    is_left_over = any(
        (isinstance(item, Faulty) and not (item.proposed and (is_choice or written.isascii())))
        or (isinstance(item, Prose) and any(token.is_place for token in item.segment))
        for item in items
    )
    is_helped = any(  # Par attacks Bur with support from Mar; with Eng convoying, Wal hits Bre
        help.word in ("S", "C")
        and (move.role == "by" or move.word == JOIN or move.start < help.start)
        for item in items
        for help in tokens
        if item.start <= help.start < item.end
        for move in tokens
        if item.start <= move.start < item.end and (move.role or move.word in ("-", "H", JOIN))
    )
    if (not is_left_over and not is_helped) or is_passive_around(tokens):
        return items
    if any(token.text in listed("around", "rather") for token in tokens):
        choices += listed("around", "against")
    if any(token.text.startswith(listed("roles", "passives")) for token in tokens):
        choices += listed("around", "not_between_places")  # 在馬賽的支援下
    if not any(token.is_letters for token in tokens):
        passed = (*listed("sentences", "dismissed"), *listed("sentences", "harmless"))
        sentences: Sequence[Sentence] = ()
        if not _is_turning(tokens, written, words, (*choices, *passed)):
            sentences = read_sentences(tokens)
        elif not any(token.text in passed for token in tokens):
            return items
        found = [item.readings[0] for item in items if isinstance(item, Parsed)]
        is_whole = {each.order for each in sentences}.issuperset(found)
        if sentences and is_left_over:
            proposed = _with_proposal(sentences, items)
            return proposed or _items_of(sentences, tokens, is_whole=is_whole)
        if is_whole and len(sentences) > len(items):
            return _items_of(sentences, tokens)
    elif not is_left_over and any(token.word == JOIN for token in tokens):
        return items
    if not is_left_over and any(token.role == "by" for token in tokens):
        items = [_with_help_asked(item, tokens) for item in items]
    if _is_turning(tokens, written, words, choices):
        return items
    clauses = read_clauses(tokens, written)
    is_open = is_choice and any(clause.is_choice for clause in clauses)
    if not is_left_over and sum(len(clause.orders) for clause in clauses) <= len(items):
        return items
    if not clauses or (written.isascii() and not is_open and not _is_more(clauses, tokens)):
        return items
    done: list[Item] = []
    for clause in clauses:
        start, end = clause.start, clause.end
        if clause.is_choice:
            fault = Fault(ReadingKind.OPEN, *clause.mark)
            done.append(Faulty(start, end, fault, (), clause.orders, clause.orders))
        elif not clause.orders:
            inside = tuple(token for token in tokens if start <= token.start < end)
            done.append(Prose(start, end, None, inside))
        each_order = zip(clause.orders, clause.spans, strict=True)
        for order, (start, end) in () if clause.is_choice else each_order:
            if clause.is_sure:
                done.append(Parsed(start, end, (order,)))
            else:
                start, end = clause.start, clause.end
                fault = Fault(ReadingKind.NOT_EXPECTED, *clause.mark, "", (Expected.END,))
                segment = tuple(token for token in tokens if start <= token.start < end)
                done.append(Faulty(start, end, fault, segment, (), (order,)))
    done += [
        item
        for item in items
        if isinstance(item, Prose)
        and not any(item.start < clause.end and clause.start < item.end for clause in clauses)
    ]
    return _apart(done)


def _apart(items: Sequence[Item]) -> list[Item]:
    """The items as they follow one another; an order ends where the next begins."""
    done = sorted(items, key=lambda item: item.start)
    starts = [item.start for item in done]
    for at, item in enumerate(done):
        after = next((start for start in starts[at:] if start > item.start), item.end)
        if isinstance(item, Parsed) and after < item.end:
            done[at] = replace(item, end=after)
    return done


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


def _with_objects_joined(tokens: list[Token]) -> list[Token]:
    """The words without a comma behind a move that is the object of the help after it:
    `ブルガリアのルーマニア攻撃を、黒海の艦隊が支援する`."""
    done: list[Token] = []
    last_help = max((token.start for token in tokens if token.word in ("S", "C")), default=0)
    for token in tokens:
        if token.word == JOIN and token.start < last_help and done and not token.is_letters:
            before = max(done[-3:], key=_end_of)  # its target may stand behind it
            if _is_named(before) and _marks_of(before) == "object":
                continue
        done.append(token)
    return done


def _is_named(verb: Token) -> bool:
    """Whether a move is named and not told: the 이동은 of `파리의 버건디 이동은 ...`."""
    marked = _marks_of(verb)
    nouns = (verb.text, verb.text[:-1])
    return marked != "" and any(noun in listed("orders", "move") for noun in nouns)


def _marks_of(verb: Token) -> str:
    """Whether a verb is marked as what is spoken of, or as what something is done to: the を of
    攻撃を; "" if it is neither."""
    if verb.word != "-" or not verb.is_letters:
        return ""
    ends = ((role, particles_of(role)) for role in ("topic", "object"))
    said = next((role for role, particles in ends if verb.text[1:].endswith(particles)), "")
    return said or (verb.role if verb.role in ("topic", "object") else "")


def _with_told_asked(items: list[Item], tokens: Sequence[Token], written: str) -> list[Item]:
    """The items; open where a move is only named, as what the next order helps (`The move of Paris
    to Burgundy is supported by Gascony`), and a support before whose order the line breaks off
    (`布雷斯特艦隊在中大西洋艦隊的支援下`)."""
    done = [*items]
    orders = [at for at, item in enumerate(items) if isinstance(item, Parsed)]
    for at, after in pairwise(orders):
        one, other = items[at], items[after]
        assert isinstance(one, Parsed)
        assert isinstance(other, Parsed)
        move, help = one.readings[0], other.readings[0]
        is_helped = isinstance(move, o.WrittenMove) and help in (
            helped(help.unit, verb, move) for verb in "SC" if not isinstance(help, o.WrittenWaive)
        )
        if is_helped and (_only_names(one, tokens, written) or _is_object(one, other, written)):
            fault = Fault(ReadingKind.OPEN, one.start, one.end)
            done[at] = Faulty(one.start, one.end, fault, (), one.readings, one.readings)
    tokens = sorted(tokens, key=_start_of)
    starts = [token.start for token in tokens]
    for at in orders:
        one = items[at]
        assert isinstance(one, Parsed)
        begin, end = bisect_left(starts, one.start), bisect_left(starts, one.end)
        inside = sorted(tokens[begin:end], key=_end_of)
        if not inside:
            continue
        if _is_topic(one, inside, tokens, written):
            fault = Fault(ReadingKind.OPEN, one.start, one.end)
            done[at] = Faulty(one.start, one.end, fault, (), one.readings, one.readings)
        if _is_underway(one, inside) or _is_of_mover(one, inside) or _is_doubled(inside):
            fault = Fault(ReadingKind.OPEN, one.start, one.end)
            done[at] = Faulty(one.start, one.end, fault, (), (), one.readings)
    last = max((token for token in tokens if token.word not in STOPS), key=_end_of, default=None)
    for at in orders[-1:] if last and last.word == UNKNOWN else ():
        one = items[at]
        assert isinstance(one, Parsed)
        is_underway = last is not None and last.text in listed("roles", "underway")
        if isinstance(one.readings[0], o.WrittenSupportHold) and is_underway:
            fault = Fault(ReadingKind.UNFINISHED, one.end, one.end)
            done[at] = Faulty(one.start, one.end, fault, (), (), one.readings)
    return done


def _is_underway(item: Parsed, inside: Sequence[Token]) -> bool:
    """Whether the word of help is followed by one that makes it a circumstance of something else,
    and stands behind another than the supporter: `在中大西洋艦隊的支援下橫掃英吉利海峽`."""
    support = item.readings[0]
    if not isinstance(support, o.WrittenSupportMove):
        return False
    for at, (help, after) in enumerate(pairwise(inside)):
        if help.word == "S" and after.word == UNKNOWN and after.text.startswith(_underway()):
            named = [place for token in inside[:at] if token.is_place for place in token.locations]
            return bool(named) and named[-1].province != support.unit.location.province
    return False


def _is_topic(item: Parsed, inside: Sequence[Token], tokens: Sequence[Token], written: str) -> bool:
    """Whether a move is what a sentence says of help for it: `エーゲ海艦隊によるギリシャ攻撃は、
    ブルガリア軍の支援を受ける`."""
    verb = inside[-1]
    if verb.word != "-" or verb.role != "topic":
        return False
    end = SENTENCE_ENDS.search(written, item.end)
    last = end.start() if end else len(written)
    return any(token.word == "S" and item.end <= token.start < last for token in tokens)


def _is_doubled(inside: Sequence[Token]) -> bool:
    """Whether one build was read of words for two: `艦隊増設：セバストポリ　陸軍増設：`."""
    said = [token.word for token in inside]
    return sum(word in ("B", "D") for word in said) > 1 and ":" in said


def _is_of_mover(item: Parsed, inside: Sequence[Token]) -> bool:
    """Whether a support was read of a unit behind which its own move stands:
    `布雷斯特進英吉利海峽中大西洋支援它`."""
    support = item.readings[0]
    if not isinstance(support, o.WrittenSupportMove):
        return False
    words = [token for token in inside if token.word not in KINDS][:3]
    is_move = [token.is_place for token in words] == [True, False, True] and words[1].word == "-"
    is_told = is_move and not words[1].text.isascii()
    return is_told and words[0].locations[0] == support.unit.location


def _is_object(move: Parsed, help: Parsed, written: str) -> bool:
    """Whether a move stands before the order that helps it as what is helped, by its particle:
    `スペインへ入るガスコーニュ軍を、マルセイユの陸軍が支援`."""
    behind = re.split("[,、，]", written[move.end : help.start])[0]
    return (written[move.start : move.end] + behind).rstrip().endswith(_objects())


@cache
def _objects() -> tuple[str, ...]:
    tables = (table["roles"].get("after", {}) for table in language_data("orders.toml").values())
    return tuple(end for table in tables for end in table.get("object", ()) if not end.isascii())


def _underway() -> tuple[str, ...]:
    _, unspaced = scripts()
    words = listed("roles", "underway")
    return tuple(word for word in words if re.match(f"[{unspaced}]", word))


def _end_of(token: Token) -> int:
    return token.end


def _start_of(token: Token) -> int:
    return token.start


def _only_names(one: Parsed, tokens: Sequence[Token], written: str) -> bool:
    """Whether the words of a move are a name for it: `the attack of Paris on Burgundy`."""
    inside = [token for token in tokens if one.start <= token.start < one.end]
    verb = max(inside, key=_end_of)
    if _is_named(verb):
        return True
    unit = next((token for token in inside if token.is_place), verb)
    ahead = [token for token in tokens if token.word == "-" and token.end <= unit.start]
    between = written[ahead[-1].end : unit.start].lower().split() if ahead else []
    return between[:1] != [] and between[0] in listed("sentences", "of_names")


def _is_turning(
    tokens: Sequence[Token], written: str, words: Lexicon, choices: Sequence[str]
) -> bool:
    """Whether another word than these puts an order in doubt, or says not or if."""
    told = [token for token in tokens if token.text not in (*choices, *words.told)]
    known = [token for token in tokens if token.word != UNKNOWN or token not in told]
    doubts = doubts_beside(written, known)
    is_doubted = any(written[each.start : each.end] not in choices for each in doubts)
    return is_doubted or is_turned(told, words)


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


def _items_of(
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
    return _apart(done)


def _is_more(clauses: Sequence[Clause], tokens: Sequence[Token]) -> bool:
    """Whether there are several orders; the first stage tells better what is wrong with one. Units
    are not sent to one place unless the words say so: `A Mar and Par - Pic`."""
    orders = [order for clause in clauses for order in clause.orders]
    goals = [order.target for order in orders if isinstance(order, o.WrittenMove)]
    is_said = any(token.text in listed("around", "each") for token in tokens)
    is_several = len(orders) > 1 and not all(clause.is_choice for clause in clauses)
    return is_several and (is_said or len(set(goals)) == len(goals))


def _joined_prose(items: Sequence[Item], written: str) -> list[Item]:
    """Neighboring pieces of prose as one, up to where the next order begins."""
    done: list[Item] = []
    for at, item in enumerate(items):
        if not isinstance(item, Prose) or (item.answer is not None and len(items) == 1):
            done.append(item)
            continue
        start = item.start if at else 0
        end = items[at + 1].start if at + 1 < len(items) else len(written)
        words = item.segment
        if done and isinstance(before := done[-1], Prose):
            start, words = before.start, (*before.segment, *words)
            done.pop()
        done.append(Prose(start, end, None, words))
    return done
