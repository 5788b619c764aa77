"""Sentences beside the orders that only tell of them: `I retreat to Marseilles:` above the order.

Such a sentence is talk. One that is written like an order, that says not or if, or that names what
no order of the letter names, may be an order that went wrong and is asked about.
"""

from collections.abc import Sequence

from judge.diplomacy.language.lines import Faulty, is_turned
from judge.diplomacy.language.notation import locations
from judge.diplomacy.language.order_context import OrderContext, order_key
from judge.diplomacy.language.talk import is_sign
from judge.diplomacy.language.tokens import KINDS, Segment, Token
from judge.diplomacy.orders import AnyOrder, Build, Disband, ProvinceId, Waive
from judge.diplomacy.records import ReadingKind

_UNREAD = (ReadingKind.NOT_EXPECTED, ReadingKind.UNFINISHED)


class Letter:
    """What the orders of a letter tell, so that sentences can be held against it."""

    def __init__(self, orders: Sequence[AnyOrder], context: OrderContext) -> None:
        self._words = context.words
        self._told = {province for order in orders for province in _provinces(order)}
        self._own = {unit.location.province for unit in context.units}
        self._is_complete = bool(orders) and _is_complete(orders, context)

    def has_told(self, item: Faulty) -> bool:
        """Whether a text that is no order tells of the letter's orders alone."""
        if item.fault.kind not in _UNREAD or item.doubted or not self._told:
            return False
        if _is_notation(item.segment) or is_turned(item.segment, self._words):
            return False
        named = {
            place.province for token in item.segment if token.is_place for place in locations(token)
        }
        if named <= self._told:
            return bool(named)
        return len(named) == 1 and not named & self._own and self._is_complete


def _is_notation(segment: Segment) -> bool:
    """Whether it has signs and letters that nobody writes in a sentence."""
    return any(
        (token.word in KINDS and len(token.text) == 1) or (is_sign(token) and not _is_hangul(token))
        for token in segment
    )


def _is_hangul(token: Token) -> bool:
    return "가" <= token.text[0] <= "힣"  # 로 is a sign to the grammar, and a particle to people


def _provinces(order: AnyOrder) -> set[ProvinceId]:
    if isinstance(order, Waive):
        return set()
    found = {order.unit.location.province}
    for name in ("target", "supported", "convoyed"):
        part = getattr(order, name, None)
        if part is not None:
            found.add(getattr(part, "location", part).province)
    return found


def _is_complete(orders: Sequence[AnyOrder], context: OrderContext) -> bool:
    """Whether nothing that is due is missing in the letter."""
    if context.is_adjustment:
        adjusting = sum(isinstance(order, Build | Disband | Waive) for order in orders)
        dues = [context.dues(power) for power in context.powers]
        return adjusting >= sum(max(due.builds, due.disbands) for due in dues)
    units = [one.unit for one in context.dislodged] or list(context.units)
    keys = {order_key(order) for order in orders}
    return all(unit.location.province in keys for unit in units)
