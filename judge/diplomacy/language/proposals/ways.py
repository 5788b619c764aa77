"""Moves of which another clause says by what way: `馬賽去西班牙，但不走陸路，要搭里昂灣的船`.

The order alone would send the army on foot, so it is asked about, by convoy first, with each fleet
that the clause names. Free of what is stored.
"""

import re
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.grammar import Faulty, Parsed
from judge.diplomacy.language.lexicon import any_name, listed
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.language.order_context import OrderContext, Untaken, order_key
from judge.diplomacy.language.proposals.suggestions import legal_orders_among
from judge.diplomacy.language.tokens import tokenize
from judge.diplomacy.orders import Location, UnitKind, WrittenOrder, WrittenUnit
from judge.diplomacy.records import ReadingKind

_SENTENCE = re.compile(r"[^.;!?。；！？]+")
_CLAUSE = re.compile(r"[^,，]+")


class ByWay(NamedTuple):
    """Questions about such moves, the line with blanks for what they take from it, and what is said
    of a way but could not be understood."""

    asked: list[Untaken]
    rest: str
    unread: str = ""


def ask_by_way(context: OrderContext, number: int, line: str) -> ByWay:
    """Questions for the sentences of a line that say that an army goes by sea, or not on foot."""
    done = ByWay([], line)
    for found in _SENTENCE.finditer(line) if _way_words().search(line) else ():
        sentence = found[0]
        asked = _questions_for_sentence(context, number, sentence)
        denied = _denials().search(sentence)
        if asked:
            blank = " " * len(sentence)
            rest = done.rest[: found.start()] + blank + done.rest[found.end() :]
            done = done._replace(asked=[*done.asked, *asked], rest=rest)
        elif denied:
            done = done._replace(unread=denied[0])
    return done


def _questions_for_sentence(context: OrderContext, number: int, sentence: str) -> list[Untaken]:
    walked = _denials("by_sea").sub("", sentence)
    rest = _denials().sub("", walked)
    is_denied = rest != walked
    is_on_foot = walked != sentence or _way_words(("by_land",)).search(rest) is not None
    kept: list[str] = []
    fleets: list[Location] = []
    own = {unit.location.province for unit in context.units}
    is_by_sea = is_denied
    for clause in _CLAUSE.findall(rest):
        words = tokenize(clause, context.lexicon)
        places = [token.locations[0] for token in words if token.is_place]
        is_told = any(token.word == "VIA" for token in words)
        is_told = is_told or _way_words().search(clause) is not None
        is_carried = any(token.word == "C" for token in words)
        is_at_sea = all(
            at.province in own and context.variant.board.is_sea(at.province) for at in places
        )
        if is_at_sea and (is_told or (places and is_carried)):
            is_by_sea = is_by_sea or (is_told and not is_on_foot)
            fleets += places
        elif words:
            kept.append(_instead_words().sub("", clause))
    if is_denied == is_on_foot and (is_denied or not is_by_sea):
        return []
    parsed = next(filter(None, (_only_order_in(context, stop.join(kept)) for stop in "， ")), None)
    if isinstance(parsed, o.WrittenMove) and not parsed.path:
        army, target = parsed.unit, parsed.target
    elif isinstance(parsed, o.WrittenConvoy) and is_denied:
        army, target = parsed.convoyed, parsed.target
        fleets.append(parsed.unit.location)
    else:
        return []
    if not context.variant.board.is_adjacent(UnitKind.ARMY, army.location, target.province):
        return []  # it can only sail
    move = o.WrittenMove(army, target, via_convoy=True)
    ways = legal_orders_among(context, [move, replace(move, via_convoy=False)])
    if len(ways) < 2 or (is_on_foot and fleets):
        return []
    convoys: list[WrittenOrder] = [
        o.WrittenConvoy(WrittenUnit(sea), army, target) for sea in dict.fromkeys(fleets)
    ]
    proposals = [ways, *((convoy,) for convoy in legal_orders_among(context, convoys))]
    if is_on_foot:
        proposals = [ways[1:]]
    text = sentence.strip()
    return [
        context.make_untaken(number, text, ReadingKind.OPEN, each, order_key(each[0]))
        for each in proposals
    ]


def _only_order_in(context: OrderContext, text: str) -> WrittenOrder | None:
    """The one order that a text is."""
    items = read_line(text, context.lexicon) if text.strip() else ()
    parsed = [item.readings[0] for item in items if isinstance(item, Parsed)]
    is_whole = len(parsed) == 1 and not any(isinstance(item, Faulty) for item in items)
    return parsed[0] if is_whole else None


@cache
def _way_words(ways: tuple[str, ...] = ("by_sea", "by_land")) -> re.Pattern[str]:
    return re.compile(any_name(name for way in ways for name in listed("ways", way)))


@cache
def _denials(way: str = "by_land") -> re.Pattern[str]:
    """What says by what way an army does not go: `但不走陸路`, `不是用走的`."""
    ahead, denied, ways, behind = (
        any_name(listed("ways", key)) for key in ("ahead", "denied", way, "behind")
    )
    return re.compile(f"(?:{ahead})*(?:{denied})+(?:{ways})(?:{behind})*")


@cache
def _instead_words() -> re.Pattern[str]:
    """What begins a clause behind such a denial: `改由`, `而是`."""
    return re.compile(f"^(?:{any_name(listed('ways', 'instead'))})+")
