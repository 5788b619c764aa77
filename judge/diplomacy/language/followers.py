"""What a text may order that counts on the order beside it: `A Mar: support`, `Par fills the gap`.

Suggestions only: each is one more question, never an order that is taken.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.clauses import helped
from judge.diplomacy.language.grammar import Faulty, Item, Parsed, Prose
from judge.diplomacy.language.lexicon import any_name, listed
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.suggestions import fitting_orders
from judge.diplomacy.orders import AnyOrder, ProvinceId, WrittenOrder, WrittenUnit
from judge.diplomacy.records import ProblemValues, ReadingKind


def ask_about_followers(
    context: OrderContext, found: list[Read], items: Mapping[int, Item]
) -> None:
    """Propose what texts mean by the orders of the letter before them, or else behind them."""
    orders = [_first_order(read) for read in found]
    moves = {
        order.unit.location.province: order
        for order in (*context.stored, *filter(None, orders))
        if isinstance(order, o.Move)
    }
    given = {order_key(read.order) for read in found if isinstance(read, Taken)}
    for at, item in items.items():
        read = found[at]
        if orders[at] is not None:
            continue
        leaders = [order for order in (*orders[:at][::-1], *orders[at + 1 :]) if order]
        if isinstance(read, Taken):
            continue
        proposals = fitting_orders(context, _meant(context, read, item, leaders, moves))
        keys = {order_key(order) for order in proposals}
        if not proposals or not keys.isdisjoint(given):
            continue
        key = keys.pop() if len(keys) == 1 else None
        match read:
            case Untaken():
                found[at] = replace(read, proposals=proposals, key=key)
            case Said(number=number, text=text):
                values = ProblemValues(word=text, label=context.label)
                span = (0, len(text))
                found[at] = Untaken(number, text, *span, ReadingKind.OPEN, values, proposals, key)


def _first_order(read: Read) -> AnyOrder | None:
    """The order that was read, or the first that is proposed."""
    match read:
        case Taken(order=order) | Untaken(proposals=(order, *_)):
            return order
    return None


def _meant(
    context: OrderContext,
    read: Untaken | Said,
    item: Item,
    leaders: Sequence[AnyOrder],
    moves: Mapping[ProvinceId, o.Move],
) -> list[WrittenOrder]:
    """The orders that a text may mean by the nearest of the orders beside it."""
    if isinstance(item, Parsed):
        held = item.readings[0]
        if not isinstance(held, o.WrittenSupportHold):
            return []
        move = moves.get(held.supported.location.province)  # A Mar S Par, and Par - Bur beside it
        return [o.WrittenSupportMove(held.unit, held.supported, move.target)] if move else []
    if not isinstance(item, Faulty | Prose) or not leaders:
        return []
    if isinstance(item, Faulty) and item.is_turned:
        return []
    own = {unit.location.province: unit for unit in context.units}
    places = [place for t in item.segment if t.is_place for place in t.locations[:1]]
    units = [place for place in places if place.province in own]
    leader, verbs = leaders[0], {token.word for token in item.segment}
    text = read.written if isinstance(read, Untaken) else read.text
    follower = WrittenUnit(units[0]) if units else None
    if follower is None or len(places) > 2 or not isinstance(leader, o.Move | o.Hold):
        return []
    written = WrittenUnit(leader.unit.location, leader.unit.kind)
    led: WrittenOrder = o.WrittenHold(written)
    if isinstance(leader, o.Move):
        led = o.WrittenMove(written, leader.target)
    if len(places) == 1 and follower.location != leader.unit.location:
        for verb in ("S", "C"):
            if verb in verbs:
                order = helped(follower, verb, led)
                return [order] if order else []
    is_gap = len(places) == 1 or places[1] == leader.unit.location
    if is_gap and isinstance(leader, o.Move) and _follows().search(normalize(text).text):
        return [o.WrittenMove(follower, replace(leader.unit.location, coast=None))]
    return []


@cache
def _follows() -> re.Pattern[str]:
    return re.compile(any_name(listed("around", "follows")))
