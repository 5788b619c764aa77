"""Stage 8: the orders of a letter beside one another, and beside the orders stored before.

Replaced ones, too many (DATC 4.D.4, 4.D.6), and those that cannot do what they say; besides, what
was filled in. `A MAR S A PAR - BUR` beside `A PAR - PIC` is noted. A warning speaks only of orders
of one seat; what other powers order nobody knows. Looks at no words.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator import can_be_convoyed
from judge.diplomacy.adjustments import taken_range
from judge.diplomacy.canal import Canal
from judge.diplomacy.language.order_context import (
    Noted,
    OrderContext,
    Read,
    Taken,
    Untaken,
    order_key,
    power_of,
)
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder, Location, PowerId, Unit, WrittenOrder, WrittenUnit
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.records import NoteKind, NoteValues, ProblemValues


def without_replaced(found: Sequence[Read]) -> list[Read]:
    """Later orders in place of earlier ones for the same unit, with a note where they differ."""
    kept: list[Read] = []
    later: dict[str, int] = {}  # where the order of a key stands in `kept`
    for read in reversed(found):
        if isinstance(read, Taken) and not isinstance(read.order, o.Waive):
            at = later.setdefault(order_key(read.order), len(kept))
            if at < len(kept):
                winner = kept[at]
                assert isinstance(winner, Taken)
                is_noted = any(kind is NoteKind.REPLACED for kind, _ in winner.notes)
                if winner.order != read.order and not is_noted:
                    note = (NoteKind.REPLACED, NoteValues(order=read.order, text=read.written))
                    kept[at] = replace(winner, notes=(*winner.notes, note))
                continue
        kept.append(read)
    return kept[::-1]


# --- too many -------------------------------------------------------------------------------------


def without_excess(context: OrderContext, found: Sequence[Read]) -> list[Read]:
    """Builds, waives and removals beyond what is due as problems (DATC 4.D.4, 4.D.6)."""
    if not context.is_adjustment:
        return list(found)
    totals = Counter(power_of(read.order) for read in found if isinstance(read, Taken))
    counted: Counter[PowerId] = Counter()
    kept: list[Read] = []
    for read in found:
        if isinstance(read, Taken):
            power = power_of(read.order)
            due = context.dues(power)
            if counted[power] not in taken_range(context.rules, due, totals[power]):
                is_removal = isinstance(read.order, o.Disband)
                values = ProblemValues(
                    word=read.written,
                    order=format_order(read.order),
                    label=context.label,
                    count=due.disbands or due.builds,
                )
                reason = VoidReason.NO_DISBAND_DUE if is_removal else VoidReason.NO_BUILD_DUE
                read = Untaken(read.number, read.written, 0, len(read.written), reason, values)
            counted[power] += 1
        if not kept or read != kept[-1]:  # `waive 3` is one problem, not two
            kept.append(read)
    return kept


# --- what was filled in ---------------------------------------------------------------------------


def corrections(context: OrderContext, written: WrittenOrder, order: AnyOrder) -> Iterator[Noted]:
    """What an order says that its text did not (of a build: DATC 4.B.7, 4.C.4)."""
    if isinstance(written, o.WrittenWaive) or isinstance(order, o.Waive):
        return
    if isinstance(order, o.Build):
        named, unit = written.unit, order.unit
        if named.power is not None and named.power != unit.power:
            yield NoteKind.POWER_CORRECTED, NoteValues(unit=unit)
        if named.kind is o.UnitKind.FLEET and unit.kind is o.UnitKind.ARMY:
            yield NoteKind.ARMY_BUILT, NoteValues(unit=unit)
        elif named.location.coast is None and unit.location.coast is not None:
            yield NoteKind.COAST_BY_RULE, NoteValues(place=unit.location)
        return
    yield from _unit_corrections(written.unit, order.unit)
    if written.unit.location.coast not in (None, order.unit.location.coast):
        place = order.unit.location
        yield _coast_note(context, order.unit, written.unit.location, place)
    match written, order:
        case (o.WrittenSupportHold() | o.WrittenSupportMove(), o.SupportHold() | o.SupportMove()):
            yield from _unit_corrections(written.supported, order.supported)
        case (o.WrittenMove() | o.WrittenRetreat(), o.Move() | o.Retreat()):
            if written.target.coast is not order.target.coast:
                yield _coast_note(context, order.unit, written.target, order.target)


def _unit_corrections(written: WrittenUnit, unit: Unit) -> Iterator[Noted]:
    if written.kind is not None and written.kind is not unit.kind:
        yield NoteKind.KIND_CORRECTED, NoteValues(unit=unit)
    if written.power is not None and written.power != unit.power:
        yield NoteKind.POWER_CORRECTED, NoteValues(unit=unit)


def _coast_note(context: OrderContext, unit: Unit, written: Location, place: Location) -> Noted:
    ways = context.variant.board.reachable_locations(unit.kind, unit.location, written.province)
    if place.coast is None:
        return NoteKind.COAST_DROPPED, NoteValues(place=written)
    if written.coast is not None:
        return NoteKind.COAST_CORRECTED, NoteValues(place=place)
    is_chosen = len(ways) > 1 and not context.dislodged
    kind = NoteKind.COAST_BY_RULE if is_chosen else NoteKind.COAST_FILLED
    return kind, NoteValues(place=place)


# --- what cannot be -------------------------------------------------------------------------------


def with_warnings(context: OrderContext, found: Sequence[Read]) -> Iterator[Read]:
    """What was read, each order with the warnings that the whole order set makes.

    A stored order that the letter has robbed of its sense is spoken of at the letter's order for
    the unit that it counts on, else at the last one.
    """
    taken = {order_key(read.order): read for read in found if isinstance(read, Taken)}
    kept = [order for order in context.stored if order_key(order) not in taken]
    orders = [*kept, *(read.order for read in taken.values())]
    shaken: dict[str, list[Noted]] = {key: [] for key in taken}
    own = {key: tuple(warnings(context, read.order, orders)) for key, read in taken.items()}
    said = {noted for of_order in own.values() for noted in of_order}
    for order in kept if taken else ():
        known = said.union(warnings(context, order, context.stored))
        for noted in warnings(context, order, orders):
            unit = noted[1].unit
            key = unit.location.province if unit else ""
            if noted not in known:
                shaken[key if key in taken else next(reversed(taken))].append(noted)
    for read in found:
        if isinstance(read, Taken):
            key = order_key(read.order)
            notes = (*read.notes, *own[key], *shaken.pop(key, ()))
            read = replace(read, notes=tuple(dict.fromkeys(notes)))
        yield read


def warnings(context: OrderContext, order: AnyOrder, orders: Sequence[AnyOrder]) -> Iterator[Noted]:
    """What keeps an order from doing what it says, by the seat's other orders.

    An own unit without an order holds: its move cannot be supported, nor its convoy carried out.
    """

    def order_of(unit: Unit | None) -> AnyOrder | None:
        of_units = (each for each in orders if not isinstance(each, o.Waive | o.Passage))
        return next((each for each in of_units if each.unit == unit), None)

    match order:
        case o.SupportHold(supported=unit):
            other = order_of(unit)
            if isinstance(other, o.Move):
                yield NoteKind.SUPPORTED_ELSEWHERE, NoteValues(unit=unit, order=other)
        case o.SupportMove(supported=unit, target=target) | o.Convoy(convoyed=unit, target=target):
            other = order_of(unit)
            is_going = isinstance(other, o.Move) and other.target.province == target.province
            if unit.power in context.powers and not is_going:
                is_convoy = isinstance(order, o.Convoy)
                kind = NoteKind.ARMY_ELSEWHERE if is_convoy else NoteKind.SUPPORTED_ELSEWHERE
                yield kind, NoteValues(unit=unit, order=other)
        case o.Move(unit=unit, target=target):
            by_land = context.variant.board.army_ways.get(unit.location.province, ())
            is_by_sea = order.via_convoy or target.province not in by_land
            if unit.kind is o.ARMY and is_by_sea and _lacks_fleets(context, order, orders):
                written = WrittenUnit(unit.location, unit.kind)
                move = o.WrittenMove(written, order.target, order.via_convoy)
                if isinstance(context.order_on_board(move), Void):
                    return  # said already: the rules let it stand all the same
                yield NoteKind.NO_FLEETS, NoteValues(unit=unit)
            for hook in context.variant.hooks:
                if isinstance(hook, Canal) and hook.needs_permission(context.legality.units, order):
                    canal_unit = context.legality.units[hook.province]
                    yield NoteKind.NEEDS_PERMISSION, NoteValues(unit=canal_unit)
            there = context.legality.units.get(target.province)
            other = order_of(there) if there and there.power == unit.power else None
            if not isinstance(other, o.Move | None):
                yield NoteKind.DISLODGES_OWN, NoteValues(unit=there, order=order)
        case o.Ride(unit=unit, target=target):
            rides = {
                each
                for each in orders
                if isinstance(each, o.Ride) and each.unit.power == unit.power
            }
            if len(rides) > 1:
                text = ", ".join(sorted(map(format_order, rides)))
                yield NoteKind.SECOND_RIDE, NoteValues(text=text)
            there = context.legality.units.get(target.province)
            if there is not None and not isinstance(order_of(there), o.Move | o.Ride):
                yield NoteKind.GOAL_OCCUPIED, NoteValues(unit=there)


def _lacks_fleets(context: OrderContext, order: o.Move, orders: Sequence[AnyOrder]) -> bool:
    """Whether no own fleets convoy an army all the way, with those of others where they stand."""
    board, unit, target = context.variant.board, order.unit, order.target.province
    ours = {
        each.unit.location.province
        for each in orders
        if isinstance(each, o.Convoy) and each.convoyed == unit and each.target.province == target
    }
    theirs = {
        each.location.province
        for each in context.position.units
        if each.kind is o.UnitKind.FLEET and each.power not in context.powers
    }
    return not (ours and can_be_convoyed(board, unit.location.province, target, ours | theirs))
