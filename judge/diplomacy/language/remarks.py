"""Notes on orders that were taken: what was filled in, and what cannot do what it says.

A warning speaks only of orders of one power, stored before or in the letter; what other powers
order nobody knows.
"""

from collections.abc import Iterator, Sequence

from judge.diplomacy.convoys import can_be_convoyed
from judge.diplomacy.language.notation import format_order
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.orders import (
    AnyOrder,
    Build,
    Convoy,
    Location,
    Move,
    Passage,
    Retreat,
    Ride,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
    WrittenMove,
    WrittenOrder,
    WrittenRetreat,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.outcomes import Void
from judge.diplomacy.records import NoteKind, NoteValues

Noted = tuple[NoteKind, NoteValues]


def corrections(context: OrderContext, written: WrittenOrder, order: AnyOrder) -> Iterator[Noted]:
    """What an order says that its text did not."""
    if isinstance(written, WrittenWaive) or isinstance(order, Waive):
        return
    if isinstance(order, Build):
        yield from _build_corrections(written.unit, order.unit)
        return
    yield from _unit_corrections(written.unit, order.unit)
    if written.unit.location.coast is not None:
        yield from _coast_corrections(
            context, order.unit, written.unit.location, order.unit.location
        )
    if isinstance(written, WrittenSupportHold | WrittenSupportMove) and isinstance(
        order, SupportHold | SupportMove
    ):
        yield from _unit_corrections(written.supported, order.supported)
    if isinstance(written, WrittenMove | WrittenRetreat) and isinstance(order, Move | Retreat):
        yield from _coast_corrections(context, order.unit, written.target, order.target)


def _unit_corrections(written: WrittenUnit, unit: Unit) -> Iterator[Noted]:
    if written.kind is not None and written.kind is not unit.kind:
        yield NoteKind.KIND_CORRECTED, NoteValues(unit=unit)
    if written.power is not None and written.power != unit.power:
        yield NoteKind.POWER_CORRECTED, NoteValues(unit=unit)


def _build_corrections(written: WrittenUnit, unit: Unit) -> Iterator[Noted]:
    """DATC 4.B.7, 4.C.4: what the rules make of a build that is not said in full."""
    if written.power is not None and written.power != unit.power:
        yield NoteKind.POWER_CORRECTED, NoteValues(unit=unit)
    if written.kind is UnitKind.FLEET and unit.kind is UnitKind.ARMY:
        yield NoteKind.ARMY_BUILT, NoteValues(unit=unit)
    elif written.location.coast is None and unit.location.coast is not None:
        yield NoteKind.COAST_BY_RULE, NoteValues(place=unit.location)


def _coast_corrections(
    context: OrderContext, unit: Unit, written: Location, place: Location
) -> Iterator[Noted]:
    if written.coast is place.coast:
        return
    ways = context.variant.board.reached(unit.kind, unit.location, written.province)
    if written.coast is None and len(ways) > 1 and not context.dislodged:
        yield NoteKind.COAST_BY_RULE, NoteValues(place=place)
    elif written.coast is None:
        yield NoteKind.COAST_FILLED, NoteValues(place=place)
    elif place.coast is None:
        yield NoteKind.COAST_DROPPED, NoteValues(place=written)
    else:
        yield NoteKind.COAST_CORRECTED, NoteValues(place=place)


def warnings(context: OrderContext, order: AnyOrder, orders: Sequence[AnyOrder]) -> Iterator[Noted]:
    """What keeps an order from doing what it says, by the power's other orders.

    An own unit without an order holds: its move cannot be supported, nor its convoy carried out.
    """
    match order:
        case SupportHold(supported=unit):
            other = _order_of(unit, orders)
            if isinstance(other, Move):
                yield NoteKind.SUPPORTED_ELSEWHERE, NoteValues(unit=unit, order=other)
        case SupportMove(supported=unit, target=target):
            other = _order_of(unit, orders)
            if unit.power in context.powers and not _goes_to(other, target):
                yield NoteKind.SUPPORTED_ELSEWHERE, NoteValues(unit=unit, order=other)
        case Convoy(convoyed=unit, target=target):
            other = _order_of(unit, orders)
            if unit.power in context.powers and not _goes_to(other, target):
                yield NoteKind.ARMY_ELSEWHERE, NoteValues(unit=unit, order=other)
        case Move():
            yield from _move_warnings(context, order, orders)
        case Ride():
            yield from _ride_warnings(context, order, orders)
        case _:
            return


def _order_of(unit: Unit, orders: Sequence[AnyOrder]) -> AnyOrder | None:
    for order in orders:
        if not isinstance(order, Waive | Passage) and order.unit == unit:
            return order
    return None


def _goes_to(order: AnyOrder | None, target: Location) -> bool:
    return isinstance(order, Move) and order.target.province == target.province


def _move_warnings(
    context: OrderContext, order: Move, orders: Sequence[AnyOrder]
) -> Iterator[Noted]:
    if _needs_fleets(context, order) and not _has_fleets(context, order, orders):
        if _is_impossible(context, order):
            return  # said already: the rules let it stand all the same
        yield NoteKind.NO_FLEETS, NoteValues(unit=order.unit)
    there = context.position.unit_at(order.target.province)
    if there is None or there.power != order.unit.power:
        return
    other = _order_of(there, orders)
    if other is not None and not isinstance(other, Move):
        yield NoteKind.DISLODGES_OWN, NoteValues(unit=there, order=other)


def _ride_warnings(
    context: OrderContext, order: Ride, orders: Sequence[AnyOrder]
) -> Iterator[Noted]:
    power = order.unit.power
    rides = {each for each in orders if isinstance(each, Ride) and each.unit.power == power}
    if len(rides) > 1:
        yield NoteKind.SECOND_RIDE, NoteValues(text=", ".join(sorted(map(format_order, rides))))
    there = context.position.unit_at(order.target.province)
    if there is not None and not isinstance(_order_of(there, orders), Move | Ride):
        yield NoteKind.GOAL_OCCUPIED, NoteValues(unit=there)


def _is_impossible(context: OrderContext, order: Move) -> bool:
    unit = WrittenUnit(order.unit.location, order.unit.kind)
    return isinstance(context.fit(WrittenMove(unit, order.target, order.via_convoy)), Void)


def _has_fleets(context: OrderContext, order: Move, orders: Sequence[AnyOrder]) -> bool:
    """Whether own fleets convoy the army, all the way with those of others where they stand."""
    ours = {
        each.unit.location.province
        for each in orders
        if isinstance(each, Convoy)
        and each.convoyed == order.unit
        and each.target.province == order.target.province
    }
    theirs = {
        unit.location.province
        for unit in context.position.units
        if unit.kind is UnitKind.FLEET and unit.power not in context.powers
    }
    board, origin = context.variant.board, order.unit.location.province
    target = order.target.province
    return bool(ours) and can_be_convoyed(board, origin, target, ours | theirs)


def _needs_fleets(context: OrderContext, order: Move) -> bool:
    unit, target = order.unit, order.target.province
    if unit.kind is not UnitKind.ARMY:
        return False
    return order.via_convoy or not context.variant.board.is_adjacent(
        unit.kind, unit.location, target
    )
