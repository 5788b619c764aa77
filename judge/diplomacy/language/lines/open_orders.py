"""Orders that were read, and are asked about for what stands beside them on their line.

A hold that has an object, a second target, what an order is for, words before it that tell of
something else. Free of any position.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed, Prose
from judge.diplomacy.language.lexicon import JOIN, KINDS, UNKNOWN, VERBS, Lexicon, listed
from judge.diplomacy.language.lines.clauses import parse_if_clear
from judge.diplomacy.language.lines.doubts import SENTENCE_ENDS
from judge.diplomacy.language.lines.prose import may_begin_tale
from judge.diplomacy.language.lines.roles import is_embedded
from judge.diplomacy.language.tokens import (
    BETWEEN_ORDERS,
    STOPS,
    Token,
    in_line_order,
    span,
    tokenize,
)
from judge.diplomacy.records import ReadingKind

_ENDS = BETWEEN_ORDERS | {JOIN, ":"}  # of what may say what an order is for


def with_open_orders_asked(
    items: Sequence[Item], tokens: Sequence[Token], written: str, words: Lexicon
) -> list[Item]:
    """The items of a line, those orders as faults that are asked about."""
    done = _without_supported_holds(_with_supports_of_movers_asked(items), tokens, written)
    done = _with_holding_helpers_asked(done, tokens)
    done = _with_purposes_asked(_with_doubtful_orders_asked(done, tokens, written), tokens)
    return _with_tales_asked(_with_second_targets_asked(done, written), written, words)


def _with_supports_of_movers_asked(items: Sequence[Item]) -> list[Item]:
    """The items; a support of a unit that the same line moves is open: `A Wal - Lon, A Yor S Wal`
    may support the move, or forget of it."""
    moves = {
        order.unit.location.province: order
        for item in items
        if isinstance(item, Parsed) and isinstance(order := item.readings[0], o.WrittenMove)
    }
    done = [*items]
    for at, item in enumerate(items):
        if (
            isinstance(item, Parsed)
            and isinstance(held := item.readings[0], o.WrittenSupportHold)
            and (move := moves.get(held.supported.location.province))
        ):
            support = o.WrittenSupportMove(held.unit, held.supported, move.target)
            done[at] = item.asked((support, held))
    return done


def _without_supported_holds(
    items: Sequence[Item], tokens: Sequence[Token], written: str
) -> list[Item]:
    """The items; a hold that only names what is supported is part of the support, or open beside
    one that was not read: `マルセイユの守りを、リヨン湾が支える`. So is one that tells of what is
    supported: `Paris supports Brest, which holds`."""
    done = [*items]
    supports = [token for token in tokens if token.word == "S"]
    words = in_line_order(tokens) if supports else []
    for item in items if supports else ():
        if not isinstance(item, Parsed) or not isinstance(hold := item.readings[0], o.WrittenHold):
            continue
        inside = [token for token in words if item.start <= token.start < item.end]
        if all(token.word != "H" for token in inside):  # the hold of Marseilles is supported
            inside = [*[token for token in words if token.start < item.start][-1:], *inside]
        is_told = _is_told_of_helped(inside, words, written)
        if not is_told and not _is_hold_noun(inside, written):
            continue
        place = hold.unit.location.province
        of_it = [
            each
            for each in done
            if isinstance(each, Parsed | Faulty)
            and any(
                isinstance(one, o.WrittenSupportHold) and one.supported.location.province == place
                for one in (each.readings if isinstance(each, Parsed) else each.doubted)
            )
        ]
        ends = SENTENCE_ENDS.search(written, item.end)
        end = ends.start() if ends else len(written)
        if of_it and not is_told:
            done.remove(item)
        elif (is_told and not any(isinstance(each, Parsed) for each in of_it)) or any(
            item.end <= token.start < end for token in supports
        ):
            fault = Fault(ReadingKind.OPEN, item.start, item.end)
            done[done.index(item)] = Faulty(item.start, item.end, fault, (), item.readings)
    return done


def _is_told_of_helped(inside: Sequence[Token], words: Sequence[Token], written: str) -> bool:
    """Whether a hold tells of the unit that the words before it support: `S Brest, which holds`."""
    first = written[inside[0].start : inside[0].end].lower()
    if first not in listed("around", "relatives"):
        return False
    before = [token for token in words if token.start < inside[0].start]
    verbs = [t.word for t in before if t.word in VERBS or (t.word in STOPS and t.word != ",")]
    return verbs[-1:] == ["S"]


def _is_hold_noun(inside: Sequence[Token], written: str) -> bool:
    """Whether the words of a hold are a noun, or what another verb is about: `the hold of Mar`."""
    unit = next((token for token in inside if token.is_place), None)
    verb = next((token for token in inside if token.word == "H"), None)
    if unit is None or verb is None:
        return False
    named = [token for token in inside if token.is_place or token.word in KINDS]
    ahead = [token.role for token in named if token.end <= verb.start]
    if is_embedded(verb) or ahead[-1:] in (["of"], ["object"]):
        return True
    between = written[min(unit.end, verb.end) : max(unit.start, verb.start)].lower().split()
    if verb.start < unit.start:
        before = written[: verb.start].lower().split()
        return bool(between and before) and before[-1] in listed("telling", "determiners")
    return bool(between) and between[0] in listed("writing", "owned")


def _with_holding_helpers_asked(items: Sequence[Item], tokens: Sequence[Token]) -> list[Item]:
    """The items; a unit that stays and supports is asked about: `馬賽不動，支援巴黎`."""
    done: list[Item] = []
    for item in items:
        before = done[-1] if done else None
        held = before.readings[0] if isinstance(before, Parsed) else None
        verbs = {token.word for token in getattr(item, "segment", ()) if token.word in VERBS}
        if isinstance(item, Faulty) and isinstance(held, o.WrittenHold) and "S" in verbs:
            places = [t for t in tokens if t.is_place and held.unit.location in t.locations]
            unit = [replace(token, role="agent") for token in places if token.start < item.start]
            words = in_line_order((*unit[-1:], *item.segment))
            first = next(each.word for each in item.segment if each.is_place or each.word == "S")
            match parse_if_clear(tuple(words)):
                case Parsed(readings=(o.WrittenSupportHold() | o.WrittenSupportMove() as order,)):
                    if before and order.unit.location == held.unit.location:
                        fault = Fault(ReadingKind.OPEN, before.start, item.end)
                        both = (order, held)
                        done[-1] = Faulty(before.start, item.end, fault, (), (held,), both)
                        continue
                case None if before and unit and first == "S":  # 不走，專心支援威尼斯
                    fault = Fault(ReadingKind.OPEN, before.start, before.end)
                    done[-1] = Faulty(before.start, before.end, fault, (), (held,), (held,))
        done.append(item)
    return done


def _with_doubtful_orders_asked(
    items: Sequence[Item], tokens: Sequence[Token], written: str
) -> list[Item]:
    """The items; open are a hold that has an object (`Paris holds a place in my heart`), a build
    that is not wanted (`Do not build in Moscow`), and what stands in brackets beside a fault."""
    done: list[Item] = []
    is_faulty = any(isinstance(item, Faulty) for item in items)
    for item, after in zip_longest(items, items[1:]):
        if isinstance(item, Parsed):
            before = written[: item.start] if is_faulty else ""
            is_open = before.count("(") > before.count(")")  # S (Wal and Nth hold)
            if isinstance(item.readings[0], o.WrittenHold):
                is_open |= written.isascii() and any(  # keep out of Paris
                    token.role == "source" and item.start <= token.start < item.end
                    for token in tokens
                )
            if after and not isinstance(after, Parsed) and after.segment:
                is_open = is_open or _ends_in_unknown_words(item, after.segment[0], tokens, written)
            elif isinstance(item.readings[0], o.WrittenWaive):
                inside = [token for token in tokens if token.start >= item.start]
                is_denied = any(t.text in listed("sentences", "denied") for t in inside)
                is_open = is_open or (is_denied and any(t.is_place for t in inside))
            if is_open:
                item = item.asked()
        done.append(item)
    return done


def _ends_in_unknown_words(
    item: Parsed, first: Token, tokens: Sequence[Token], written: str
) -> bool:
    """Whether an order in words goes on with words that nobody knows, so that it may say something
    else: `Paris stays with me`, `Paris hits Burgundy with sanctions`, `Paris builds a wall`."""
    inside = [token for token in tokens if item.start <= token.start < item.end]
    verbs = [token for token in inside if token.word in VERBS]
    is_worded = bool(verbs) and all(
        len(token.text) > 1 and not token.is_notation_verb for token in verbs
    )
    between = written[item.end : first.start].strip()
    if not is_worded or not written.isascii() or re.search("[^a-z ]", between.lower()):
        return False
    if isinstance(item.readings[0], o.WrittenHold | o.WrittenBuild):
        articles = listed("writing", "articles")
        return first.is_place or first.word == UNKNOWN or first.text in articles
    return between == "with" and first.word == UNKNOWN


def _with_purposes_asked(items: Sequence[Item], tokens: Sequence[Token]) -> list[Item]:
    """The items; asked about is what may only say what the order before it is for: `F Tys - Tus (to
    guard Rome)`. Not in a list whose first member begins so: `To move Ven to Tri, to hold Rome`."""
    done = [*items]
    before: list[Token] = []  # since the last stop
    stops = [at for at, token in enumerate(tokens) if _is_clause_end(token)]
    for at, token in enumerate(tokens):
        if not _is_clause_end(token):
            before.append(token)
            continue
        places = sum(each.is_place for each in before)
        is_order = places > 1 or any(each.word in VERBS for each in before)
        if is_order and not _begins_infinitive(before) and _begins_infinitive(tokens[at + 1 :]):
            closing = ")]" if token.word in ("(", "[") else ""
            ends = (tokens[n] for n in stops if n > at and tokens[n].word in (closing or _ENDS))
            end = next((each.start for each in ends), tokens[-1].end)
            start, verb_end = span(tokens[at + 1 : at + 3])
            for n, item in enumerate(done):
                if isinstance(item, Parsed) and start <= item.start < end:
                    fault = Fault(ReadingKind.DOUBTED, start, verb_end)
                    done[n] = Faulty(start, item.end, fault, (), item.readings, item.readings)
        before = []
    return done


def _is_clause_end(token: Token) -> bool:
    return token.word in _ENDS and token.text not in listed("around", "join")


def _begins_infinitive(tokens: Sequence[Token]) -> bool:
    """`to guard ...`: two words, or known as one."""
    first = listed("sentences", "infinitives")
    if len(tokens) < 2 or not tokens[0].text.startswith(first):
        return False
    verb = tokens[1] if tokens[0].text in first else tokens[0]
    return verb.word in VERBS and (verb is tokens[1] or " " in verb.text)


def _with_second_targets_asked(items: Sequence[Item], written: str) -> list[Item]:
    """The items; an order that names two targets is open: `A Par - Pic/Gas`."""
    done: list[Item] = []
    for item in items:
        before = done[-1] if done else None
        if (
            isinstance(before, Parsed)
            and isinstance(item, Prose)
            and item.answer
            and hasattr(before.readings[0], "target")
            and not SENTENCE_ENDS.search(
                written[before.end : item.start].replace("/", "").replace("／", "")
            )
        ):
            orders = [*before.readings]
            orders += [replace(each, target=to) for each in before.readings for to in item.answer]
            fault = Fault(ReadingKind.OPEN, item.start, item.end)
            done[-1] = Faulty(before.start, item.end, fault, (), before.readings, tuple(orders))
        else:
            done.append(item)
    return done


def _with_tales_asked(items: Sequence[Item], written: str, words: Lexicon) -> list[Item]:
    """The items; an order is asked about behind words of its sentence that speak of something else:
    `In our other game Gas hits Bur and Paris holds`, `Nice move, Paris to Burgundy!`."""
    done: list[Item] = []
    since = -1  # where such words end
    before = 0
    for item in items:
        if isinstance(item, Parsed):
            if since < 0 or SENTENCE_ENDS.search(written[since : item.start]):
                return [*done, *items[len(done) :]]
            item = item.asked()
        elif since < 0 and item.segment:
            told = tokenize(written[before : item.end], words)
            since = item.end if may_begin_tale(told, words) else since
        before = item.end
        done.append(item)
    return done
