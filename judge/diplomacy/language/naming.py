"""How orders name their units, for rules that want it said in full.

Rules may refuse an order that leaves out a unit's kind or the power of a foreign unit (DATC 4.C).
What the judge itself proposes and stores is written so that no rules refuse it when it comes back.
"""

from msgspec.structs import replace

from judge.diplomacy.language.notation import format_order
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.orders import (
    AnyOrder,
    Convoy,
    PowerId,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    WrittenConvoy,
    WrittenDisband,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenPassage,
    WrittenRetreat,
    WrittenRide,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.rules import Leniency
from judge.diplomacy.variants.variant import has_named_powers


def name_in_full(context: OrderContext, order: WrittenOrder) -> WrittenOrder:
    """The order with its units named by kind, coast and (foreign ones) power, as they stand."""
    match order:
        case WrittenSupportHold() | WrittenSupportMove():
            named = replace(order, supported=_named_other(context, order, order.supported))
            return replace(named, unit=_named_own(context, order))
        case WrittenConvoy():
            named_convoy = replace(order, convoyed=_named_other(context, order, order.convoyed))
            return replace(named_convoy, unit=_named_own(context, order))
        case WrittenPassage(unit):
            return replace(order, unit=_named_other(context, order, unit))
        case WrittenHold() | WrittenMove() | WrittenRide() | WrittenRetreat() | WrittenDisband():
            return replace(order, unit=_named_own(context, order))
        case _:
            return order


def _named_own(
    context: OrderContext,
    order: WrittenHold
    | WrittenMove
    | WrittenRide
    | WrittenSupportHold
    | WrittenSupportMove
    | WrittenConvoy
    | WrittenRetreat
    | WrittenDisband,
) -> WrittenUnit:
    unit = context.own_unit(order)
    return WrittenUnit(unit.location, unit.kind) if unit else order.unit


def _named_other(context: OrderContext, order: WrittenOrder, written: WrittenUnit) -> WrittenUnit:
    unit = context.position.unit_at(written.location.province)
    return _in_full(unit, context.power_for(order)) if unit else written


def _in_full(unit: Unit, power: PowerId) -> WrittenUnit:
    """The unit in an order of that power."""
    return WrittenUnit(unit.location, unit.kind, unit.power if unit.power != power else None)


def stored_text(context: OrderContext, order: AnyOrder) -> str:
    """The order in canonical notation, as it is stored and shown; where the rules want foreign
    units named by their power (DATC 4.C.5), `A MAR S GERMANY A MUN - BUR`. A build of one of
    several powers of a seat is waived as `FRANCE WAIVE`."""
    if isinstance(order, Waive) and context.partners:
        return format_order(WrittenWaive(1, order.power))
    if context.rules.missing_power is not Leniency.INVALID or not has_named_powers(context.variant):
        return format_order(order)
    match order:
        case SupportHold(unit, other):
            return format_order(WrittenSupportHold(_bare(unit), _in_full(other, unit.power)))
        case SupportMove(unit, other, target):
            return format_order(
                WrittenSupportMove(_bare(unit), _in_full(other, unit.power), target)
            )
        case Convoy(unit, other, target):
            return format_order(WrittenConvoy(_bare(unit), _in_full(other, unit.power), target))
        case _:
            return format_order(order)


def _bare(unit: Unit) -> WrittenUnit:
    return WrittenUnit(unit.location, unit.kind)
