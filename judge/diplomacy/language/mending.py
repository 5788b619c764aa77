"""What to write instead of an order that was read and may not be given, and what was wrong in it.

Proposals only: nothing here is ever taken without asking.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from msgspec.structs import replace

from judge.diplomacy.language import scanner
from judge.diplomacy.language.lines import nearest_places
from judge.diplomacy.language.naming import name_in_full
from judge.diplomacy.language.notation import locations
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.orders import (
    AnyOrder,
    Location,
    UnitKind,
    WrittenBuild,
    WrittenConvoy,
    WrittenMove,
    WrittenOrder,
    WrittenPassage,
    WrittenRetreat,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.outcomes import Void, VoidReason


class Part(Enum):
    """A part of an order as written."""

    UNIT = auto()
    OTHER = auto()  # the supported or convoyed unit
    TARGET = auto()
    WHOLE = auto()


_AT_UNIT = (
    VoidReason.NO_UNIT,
    VoidReason.FOREIGN_UNIT,
    VoidReason.WRONG_KIND,
    VoidReason.WRONG_COAST,
    VoidReason.NOT_A_FLEET,
    VoidReason.NOT_AT_SEA,
    VoidReason.NOT_A_HOME_CENTER,
    VoidReason.NOBODYS_HOME_CENTER,
    VoidReason.NOT_A_CENTER,
    VoidReason.NO_HOME_CENTER_OWNED,
    VoidReason.NOT_OWNED,
    VoidReason.OCCUPIED,
    VoidReason.KIND_NEEDED,
    VoidReason.OTHERS_FLEET,
)
_AT_OTHER = (
    VoidReason.NOTHING_TO_SUPPORT,
    VoidReason.SUPPORTS_ITSELF,
    VoidReason.NOTHING_TO_CONVOY,
    VoidReason.NOT_AN_ARMY,
    VoidReason.WRONG_POWER,
)
_AT_TARGET = (
    VoidReason.CLOSED,
    VoidReason.SAME_PROVINCE,
    VoidReason.CANNOT_STAND,
    VoidReason.NOT_ADJACENT,
    VoidReason.NO_CONVOY_POSSIBLE,
    VoidReason.COAST_NEEDED,
    VoidReason.COAST_NOT_REACHED,
    VoidReason.NO_SUCH_COAST,
    VoidReason.CANNOT_SUPPORT_THERE,
    VoidReason.SUPPORTED_CANNOT,
    VoidReason.SUPPORT_COAST_NEEDED,
    VoidReason.NOT_ON_ROUTE,
    VoidReason.NOT_A_RETREAT,
)
# Reasons that may come from a name taken for another's; others say enough by themselves.
_MAY_BE_MISSPELLED = (
    VoidReason.NO_UNIT,
    VoidReason.SAME_PROVINCE,
    VoidReason.CANNOT_STAND,
    VoidReason.NOT_ADJACENT,
    VoidReason.NO_CONVOY_POSSIBLE,
    VoidReason.NOTHING_TO_SUPPORT,
    VoidReason.CANNOT_SUPPORT_THERE,
    VoidReason.SUPPORTED_CANNOT,
    VoidReason.NOTHING_TO_CONVOY,
    VoidReason.NOT_A_HOME_CENTER,
    VoidReason.NOBODYS_HOME_CENTER,
    VoidReason.NOT_A_CENTER,
)
# What is wrong is how the order names a unit.
_MISNAMED = (
    VoidReason.WRONG_KIND,
    VoidReason.WRONG_POWER,
    VoidReason.WRONG_COAST,
    VoidReason.KIND_NEEDED,
    VoidReason.OTHERS_FLEET,
)
PART_OF = {
    **dict.fromkeys(_AT_UNIT, Part.UNIT),
    **dict.fromkeys(_AT_OTHER, Part.OTHER),
    **dict.fromkeys(_AT_TARGET, Part.TARGET),
}


@dataclass(frozen=True, slots=True)
class WrongPart:
    """The smallest wrong part of a text, as columns; `part` says which of the order it is."""

    part: Part
    start: int
    end: int


def wrong_part(context: OrderContext, written: str, void: Void) -> WrongPart:
    """Which words of a readable text the rules refuse."""
    part = PART_OF.get(void.reason, Part.WHOLE)
    places = [
        token
        for segment in scanner.scan(written, context.words)
        for token in segment
        if token.word[0] == "#"
    ]
    if part is Part.WHOLE or not places:
        return WrongPart(part, 0, len(written))
    at = {Part.UNIT: 0, Part.OTHER: 1, Part.TARGET: len(places) - 1}[part]
    if void.reason in _MISNAMED and void.unit is not None:  # the ordered unit or the other one
        at = int(locations(places[0])[0].province != void.unit.location.province)
    token = places[min(at, len(places) - 1)]
    return WrongPart(part, token.start, token.end)


def mends(
    context: OrderContext, order: WrittenOrder, void: Void, written: str
) -> Iterator[AnyOrder]:
    """Orders that may be given and may have been meant; `written` is the wrong part's text."""
    part = PART_OF.get(void.reason, Part.WHOLE)
    for candidate in _candidates(context, order, void, part, written):
        fitted = context.fit(name_in_full(context, candidate))
        if not isinstance(fitted, Void):
            yield fitted


def _candidates(
    context: OrderContext, order: WrittenOrder, void: Void, part: Part, written: str
) -> Iterator[WrittenOrder]:
    if void.reason in _MISNAMED:
        yield order  # its units are named in full before it is proposed
    if isinstance(order, WrittenBuild):
        yield from _other_builds(order, void)
    if isinstance(order, WrittenPassage):
        yield from _other_leaves(context, order)
    if void.reason is VoidReason.NO_SUCH_COAST:
        yield from _without_coast(order)
    if part is Part.TARGET:
        for place in void.places:
            yield from _with_target(order, place)
    if void.reason not in _MAY_BE_MISSPELLED:
        return
    for province in nearest_places("".join(written.lower().split()), context.words):
        yield from _with_part(context, order, part, Location(province))


def _other_builds(order: WrittenBuild, void: Void) -> Iterator[WrittenOrder]:
    """A build with its kind or its coast said, or as the other kind."""
    if void.reason in (VoidReason.KIND_NEEDED, VoidReason.CANNOT_STAND):
        for kind in UnitKind:
            yield replace(order, unit=replace(order.unit, kind=kind))
    for place in void.places:
        yield replace(order, unit=replace(order.unit, location=place))


def _other_leaves(context: OrderContext, order: WrittenPassage) -> Iterator[WrittenOrder]:
    """Every leave that names a foreign fleet of that power; hardly any of them fits."""
    seas = [
        Location(sea)
        for sea in context.variant.board.provinces
        if context.variant.board.is_sea(sea)
    ]
    for unit in context.position.units:
        is_named = order.unit.power in (None, unit.power)
        if unit.kind is UnitKind.FLEET and unit.power not in context.powers and is_named:
            fleet = WrittenUnit(unit.location, unit.kind, unit.power)
            yield from (WrittenPassage(fleet, sea) for sea in seas)


def _without_coast(order: WrittenOrder) -> Iterator[WrittenOrder]:
    if isinstance(order, WrittenBuild):
        place = Location(order.unit.location.province)
        yield replace(order, unit=replace(order.unit, location=place))
    elif isinstance(order, WrittenMove | WrittenSupportMove | WrittenRetreat):
        yield from _with_target(order, Location(order.target.province))


def _with_part(
    context: OrderContext, order: WrittenOrder, part: Part, place: Location
) -> Iterator[WrittenOrder]:
    """The order with another province in its wrong part."""
    if part is Part.TARGET:
        yield from _with_target(order, place)
    if part is Part.UNIT and not isinstance(order, WrittenWaive):
        own = {unit.location.province for unit in context.units}
        if place.province in own or isinstance(order, WrittenBuild):
            yield replace(order, unit=replace(order.unit, location=place))
    if part is Part.OTHER:
        other = WrittenUnit(place)
        match order:
            case WrittenSupportHold() | WrittenSupportMove():
                yield replace(order, supported=other)
            case WrittenConvoy():
                yield replace(order, convoyed=other)
            case _:
                return


def _with_target(order: WrittenOrder, place: Location) -> Iterator[WrittenOrder]:
    match order:
        case WrittenMove() | WrittenRetreat() | WrittenSupportMove() | WrittenConvoy():
            yield replace(order, target=place)
        case _:
            return
