"""Orders that can never be carried out and that the rules of a game give a meaning all the same.

Rule: DATC 4.E.1, chosen by `rules.illegal_orders`. An order that may be meant otherwise (a coast
left out, a unit named wrongly) is none of them: its player is asked.
"""

from msgspec.structs import replace

from judge.diplomacy.language.naming import name_in_full
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.language.remarks import Noted
from judge.diplomacy.orders import (
    AnyOrder,
    Convoy,
    Location,
    Move,
    WrittenConvoy,
    WrittenMove,
    WrittenOrder,
)
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.records import NoteKind, NoteValues
from judge.diplomacy.rules import IllegalOrders

_NEVER_THERE = (
    VoidReason.NOT_ADJACENT,
    VoidReason.NO_CONVOY_POSSIBLE,
    VoidReason.CANNOT_STAND,
    VoidReason.CLOSED,
)
_NEVER_CARRIES = (VoidReason.NOT_AT_SEA, VoidReason.NO_CONVOY_POSSIBLE, VoidReason.NOT_ON_ROUTE)


def stand_impossible(
    context: OrderContext, written: WrittenOrder, void: Void
) -> tuple[AnyOrder, tuple[Noted, ...]] | None:
    """The order that the refused one stands for, with what to tell of it; None if it is refused.

    It is stored like any other, refused again when the phase runs, and given its meaning there.
    """
    choice = context.rules.illegal_orders
    if choice is IllegalOrders.STILL_A_MOVE and isinstance(written, WrittenMove):
        return _as_move(context, written, void)
    if choice is IllegalOrders.SHOWS_INTENT and isinstance(written, WrittenConvoy):
        return _as_intent(context, written, void)
    return None


def _as_move(
    context: OrderContext, written: WrittenMove, void: Void
) -> tuple[AnyOrder, tuple[Noted, ...]] | None:
    unit, target = context.own_unit(written), Location(written.target.province)
    if unit is None or void.reason not in _NEVER_THERE:
        return None
    order = Move(unit, target, via_convoy=written.via_convoy)
    if not _is_refused(context, replace(written, target=target, path=())):
        return None
    return order, ((NoteKind.STANDS_IMPOSSIBLE, NoteValues(order=order)),)


def _as_intent(
    context: OrderContext, written: WrittenConvoy, void: Void
) -> tuple[AnyOrder, tuple[Noted, ...]] | None:
    fleet, target = context.own_unit(written), Location(written.target.province)
    army = context.position.unit_at(written.convoyed.location.province)
    if fleet is None or army is None or void.reason not in _NEVER_CARRIES:
        return None
    order = Convoy(fleet, army, target)
    if not _is_refused(context, replace(written, target=target)):
        return None
    return order, ((NoteKind.SHOWS_INTENT, NoteValues(unit=army, order=order)),)


def _is_refused(context: OrderContext, written: WrittenOrder) -> bool:
    """Whether the order stays void as it will be stored, or would become a possible one."""
    return isinstance(context.fit(name_in_full(context, written)), Void)
