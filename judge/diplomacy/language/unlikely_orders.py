"""Orders that were read from a sentence that hardly means them become questions.

Where something else is likelier for a unit (`likeliest.py`), where its line is asked about with
another order for it, or where the writer turns round behind it (`no wait, ...`) and names no other
place, the player is asked. Lines in notation are left as they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.doubts import corrections_in, is_apology
from judge.diplomacy.language.lexicon import UNKNOWN
from judge.diplomacy.language.order_context import OrderContext, Read, Taken, Untaken, order_key
from judge.diplomacy.language.prose import is_written_as_notation
from judge.diplomacy.language.tokens import Token, tokenize
from judge.diplomacy.language.weighed_line import Line, elsewhere
from judge.diplomacy.language.weighing import Before, Scale, best_ways, orders_of_way, slots_of
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder
from judge.diplomacy.records import ProblemValues, ReadingKind

_LINES_MOST = 20  # of a letter
_LINE_LONGEST = 600  # letters
_WORDS_LEAST = 3  # of a sentence
_SAID_LEAST = 2  # words that nobody knows, behind what takes an order back
_STOPS = " .,;:!?…-"


def ask_about_unlikely(context: OrderContext, found: list[Read], lines: Mapping[int, str]) -> None:
    """Ask about the orders of sentences that more likely mean something else; `lines` by number."""
    if not context.position.units:
        return  # a later phase
    numbers = dict.fromkeys(read.number for read in found if isinstance(read, Taken))
    for number in [*numbers][:_LINES_MOST]:
        text = lines.get(number, "")
        if not text or len(text) > _LINE_LONGEST:
            continue
        tokens = tokenize(text, context.words)
        unknown = sum(token.word == UNKNOWN for token in tokens)
        is_bare = is_written_as_notation(tokens) and unknown < _SAID_LEAST
        if len(tokens) < _WORDS_LEAST or is_bare:
            continue
        beside = [read for read in found if read.number == number]
        taken = [read for read in beside if isinstance(read, Taken)]
        is_whole = not any(isinstance(read, Untaken) for read in beside)
        likelier: Mapping[str, AnyOrder] = {}
        orders = [read.order for read in taken]
        if not is_whole or not _uses_all(tokens, taken):
            line = Line(context, text, elsewhere(found, number))
            likelier = _likelier(line, orders, is_whole=is_whole)
        for read in taken:
            asked = [*_asked_for(beside, read)]
            others = [each.proposals[0] for each in asked]
            if (order := likelier.get(order_key(read.order))) is not None:
                others.append(order)
            start = text.find(read.written)
            is_turned = _is_turned(text, tokens, start + len(read.written), is_whole=is_whole)
            if others or is_turned or _is_attack(tokens, read, start):
                found[found.index(read)] = _question(text, read, [*others, read.order])
                found[:] = [each for each in found if each not in asked]


def _uses_all(tokens: Sequence[Token], taken: Sequence[Taken]) -> bool:
    """Whether the orders of a line name each of its places."""
    named = {word for read in taken for word in re.split(r"[ /]", format_order(read.order))}
    return all(
        any(place.province in named for place in token.locations)
        for token in tokens
        if token.is_place
    )


def _likelier(line: Line, taken: Sequence[AnyOrder], *, is_whole: bool) -> Mapping[str, AnyOrder]:
    """What units are likelier to be ordered than what was read, by their keys."""
    found: dict[str, AnyOrder] = {}
    for before in (Before({}, tuple(taken)), Before({}, (), is_shown=False)):
        slots, scale = slots_of(line, before), Scale(line, before)
        best, chosen = best_ways(scale, slots)[0] if slots else (0.0, ())
        orders = orders_of_way(chosen)
        for order in taken:
            key = order_key(order)
            options = slots.get(key, ())
            same = [option for option in options if option.order == order]
            same = same or [each for each in options if _plain(each.order) == _plain(order)]
            is_best = orders.get(key) in {option.order for option in same}
            if not same or is_best or (is_whole and not before.is_shown):
                continue
            with_it = best_ways(scale, {**slots, key: same}, must=key)
            if with_it and best - with_it[0][0] > 0:
                found.setdefault(key, orders.get(key) or order)
    return found


def _plain(order: AnyOrder | None) -> AnyOrder | None:
    """A move without the way that it takes."""
    return replace(order, via_convoy=False) if isinstance(order, o.Move) else order


def _asked_for(beside: Sequence[Read], read: Taken) -> Iterator[Untaken]:
    """The questions of the same line that propose another order for the unit."""
    for each in beside:
        if isinstance(each, Untaken) and each.proposals and each.key == order_key(read.order):
            yield each


def _is_attack(tokens: Sequence[Token], read: Taken, start: int) -> bool:
    """Whether support to hold was read from the words of an attack: `Nth supports the attack on
    Hol`."""
    end = start + len(read.written)
    inside = [token for token in tokens if start <= token.start < end]
    return isinstance(read.order, o.SupportHold) and any(token.word == "-" for token in inside)


def _is_turned(text: str, tokens: Sequence[Token], end: int, *, is_whole: bool) -> bool:
    """Whether the writer takes back what stands before a column, and names no place behind it that
    was read."""
    if not text[end:].strip(_STOPS):
        return False
    ends = [
        last
        for first, last in corrections_in(text)
        if first >= end and not is_apology(text[first:last])
    ]
    behind = [token for token in tokens if ends and token.start >= ends[-1]]
    said = [token for token in behind if token.word == UNKNOWN]
    is_read = not is_whole and any(token.is_place for token in behind)
    return len(said) >= _SAID_LEAST and not is_read


def _question(text: str, read: Taken, orders: Sequence[AnyOrder]) -> Untaken:
    """The question whether the line means one of the orders."""
    values = ProblemValues(word=text.strip())
    proposals = tuple(dict.fromkeys(orders))
    kind, key = ReadingKind.DOUBTED, order_key(read.order)
    return Untaken(read.number, text.strip(), 0, len(text.strip()), kind, values, proposals, key)
