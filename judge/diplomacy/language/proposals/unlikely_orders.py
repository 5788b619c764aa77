"""Orders that were read from a sentence that hardly means them become questions.

Where something else is likelier for a unit (`likeliest.py`), where its line is asked about with
another order for it, or where the writer turns round behind it (`no wait, ...`) and names no other
place, the player is asked. Lines in notation are left as they are.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, listed
from judge.diplomacy.language.lines.doubts import SENTENCE_ENDS, corrections_in, is_apology
from judge.diplomacy.language.lines.prose import is_written_as_notation
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import OrderContext, Read, Taken, Untaken, order_key
from judge.diplomacy.language.proposals.suggestions import legal_orders_among
from judge.diplomacy.language.proposals.weighed_line import Line, said_elsewhere
from judge.diplomacy.language.proposals.weighing import (
    Before,
    Scale,
    best_ways,
    options_with_proposals,
    orders_of_way,
)
from judge.diplomacy.language.tokens import Token, in_line_order, tokenize
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder
from judge.diplomacy.records import ProblemValues, ReadingKind

_LINES_MOST = 20  # of a letter, that are weighed
_LINE_LONGEST = 600  # letters
_WORDS_LEAST = 3  # of a sentence
_SAID_LEAST = 2  # words that nobody knows, behind what takes an order back
_STOPS = " .,;:!?…-"
_HEADING_ENDS = re.compile(r"[:：「『“]|(?<!\w)\"")
_CLAUSE_ENDS = re.compile(r"[,.;:!?]")
_AHEAD_LONGEST = 40  # letters before the name of a power
_HEADING_LONGEST = 60  # letters
_ASKED_LONGEST = 24  # letters


def ask_about_unlikely(context: OrderContext, found: list[Read], lines: Mapping[int, str]) -> None:
    """Ask about the orders of sentences that more likely mean something else; `lines` by number."""
    if not context.position.units:
        return  # a later phase
    numbers = dict.fromkeys(read.number for read in found if isinstance(read, Taken))
    below = _lines_under_other_powers(context, lines)
    for at, number in enumerate(numbers):
        text = lines.get(number, "")
        if not text or len(text) > _LINE_LONGEST:
            continue
        tokens = tokenize(text, context.lexicon)
        unknown = sum(token.word == UNKNOWN for token in tokens)
        is_bare = is_written_as_notation(tokens) and unknown < _SAID_LEAST
        beside = [read for read in found if read.number == number]
        if number in below or _is_attributed_to_other_power(context, text, tokens):
            for read in beside:
                if isinstance(read, Taken):
                    found[found.index(read)] = _question(text, read, [read.order])
            continue
        if len(tokens) < _WORDS_LEAST or is_bare or at >= _LINES_MOST:
            continue
        taken = [read for read in beside if isinstance(read, Taken)]
        is_whole = not any(isinstance(read, Untaken) for read in beside)
        likelier: Mapping[str, AnyOrder] = {}
        orders = [read.order for read in taken]
        if not is_whole or not _is_every_place_in_orders(tokens, taken):
            line = Line(context, text, said_elsewhere(found, number))
            likelier = _likelier(line, orders, is_whole=is_whole)
        for read in taken:
            key = order_key(read.order)
            asked = [r for r in beside if isinstance(r, Untaken) and r.proposals and r.key == key]
            others = [each.proposals[0] for each in asked]
            if (order := likelier.get(key)) is not None:
                others.append(order)
            others += _by_sea(context, beside, read)
            start = text.find(read.written)
            end = start + len(read.written)
            is_turned = _is_taken_back(text, tokens, end, is_whole=is_whole)
            verbs = [token.word for token in tokens if start <= token.start < end]
            # Nth supports the attack on Hol
            is_attack = isinstance(read.order, o.SupportHold) and "-" in verbs
            if others or is_turned or is_attack or _is_target_named_as_unit(tokens, read):
                found[found.index(read)] = _question(text, read, [*others, read.order])
                found[:] = [each for each in found if each not in asked]


def _is_attributed_to_other_power(
    context: OrderContext, text: str, tokens: Sequence[Token]
) -> bool:
    """Whether a line says first that another power orders, asks or writes what follows: `Italy:
    ...`, `What Italy wrote me: "..."`, `Italy orders Paris to Burgundy`."""
    tokens = in_line_order(tokens)
    power = next((token for token in tokens if token.word[0] == "@"), None)
    if power is None or power.start > _AHEAD_LONGEST or power.word[1:] in context.powers:
        return False
    end = next((each.start() for each in _HEADING_ENDS.finditer(text)), 0)
    if power.end <= end <= _HEADING_LONGEST:
        said = [token for token in tokens if token.start < end]
        before = normalize(text[: power.start]).text.strip()
        is_own = any(token.word[1:] in context.powers for token in said)
        is_facing = before in listed("doubts", "facing")
        if not is_own and not is_facing and not any(token.is_place for token in said):
            return True
    unit = next((t for t in tokens if t.start >= power.end and t.is_place), None)
    between = normalize(text[power.end : unit.start]).text.strip() if unit else ""
    if _CLAUSE_ENDS.search(between):
        return False
    asks = listed("doubts", "commanding")
    if between.startswith(asks) and len(between) <= _ASKED_LONGEST:
        return True
    sentence = SENTENCE_ENDS.split(text[power.end :])[0]
    is_subject = power.role in ("agent", "topic", "of", "source")
    return is_subject and any(word in sentence for word in listed("doubts", "commanded"))


def _lines_under_other_powers(context: OrderContext, lines: Mapping[int, str]) -> set[int]:
    """The lines below the name of another power alone, up to a blank line or the next heading."""
    below: set[int] = set()
    is_below = False
    before = -1
    for number, text in sorted(lines.items()):
        if text.rstrip().endswith((":", "：")):
            powers = {token.word for token in tokenize(text, context.lexicon)} - {":"}
            is_power = all(word[0] == "@" and word[1:] not in context.powers for word in powers)
            is_below = is_power and bool(powers)
        elif number - 1 != before and before in below:
            is_below = False
        elif is_below:
            below.add(number)
        before = number
    return below


def _is_every_place_in_orders(tokens: Sequence[Token], taken: Sequence[Taken]) -> bool:
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
        slots, scale = options_with_proposals(line, before), Scale(line, before)
        best, chosen = best_ways(scale, slots)[0] if slots else (0.0, ())
        orders = orders_of_way(chosen)
        for order in taken:
            key = order_key(order)
            options = slots.get(key, ())
            same = [option for option in options if option.order == order]
            same = same or [
                each
                for each in options
                if _without_via_convoy(each.order) == _without_via_convoy(order)
            ]
            is_best = orders.get(key) in {option.order for option in same}
            if not same or is_best or (is_whole and not before.is_shown):
                continue
            with_it = best_ways(scale, {**slots, key: same}, must=key)
            if with_it and best - with_it[0][0] > 0:
                found.setdefault(key, orders.get(key) or order)
    return found


def _without_via_convoy(order: AnyOrder | None) -> AnyOrder | None:
    """A move without the way that it takes."""
    return replace(order, via_convoy=False) if isinstance(order, o.Move) else order


def _by_sea(context: OrderContext, beside: Sequence[Read], read: Taken) -> list[AnyOrder]:
    """The move by convoy of an army for which the same line asks about a convoy."""
    move = read.order
    if not isinstance(move, o.Move) or move.via_convoy:
        return []
    carried = any(
        isinstance(convoy, o.Convoy) and convoy.convoyed == move.unit
        for each in beside
        if isinstance(each, Untaken)
        for convoy in each.proposals[:1]
    )
    unit = o.WrittenUnit(move.unit.location, move.unit.kind)
    written = o.WrittenMove(unit, move.target, via_convoy=True)
    return [*legal_orders_among(context, [written])] if carried else []


def _is_target_named_as_unit(tokens: Sequence[Token], read: Taken) -> bool:
    """Whether a support was read into a place that is named with the kind of its unit, of a unit
    that is not: 피카르디를 치러 가는 벨기에 육군."""
    if not isinstance(read.order, o.SupportMove):
        return False
    named = {
        place.province
        for kind, token in pairwise(tokens)
        if kind.word in KINDS and token.is_place
        for place in token.locations
    }
    target, helped = read.order.target.province, read.order.supported.location.province
    return target in named and helped not in named


def _is_taken_back(text: str, tokens: Sequence[Token], end: int, *, is_whole: bool) -> bool:
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
