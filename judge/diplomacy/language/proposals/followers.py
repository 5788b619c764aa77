"""What a text may order that counts on the order beside it: `A Mar: support`, `Par fills the gap`.

Suggestions only: each is one more question, never an order that is taken.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.grammar import Faulty, Item, Parsed, Prose
from judge.diplomacy.language.lexicon import KINDS, VERBS, any_name, listed
from judge.diplomacy.language.lines.clauses import support_or_convoy
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.proposals.suggestions import legal_orders_among
from judge.diplomacy.language.tokens import Token, is_in_notation, tokenize
from judge.diplomacy.orders import AnyOrder, Location, ProvinceId, WrittenOrder, WrittenUnit
from judge.diplomacy.outcomes import Void
from judge.diplomacy.records import ReadingKind


def ask_by_neighboring_orders(
    context: OrderContext, found: list[Read], items: Mapping[int, Item]
) -> None:
    """Propose what texts mean by the orders of the letter before them, or else behind them."""
    orders = [_taken_or_proposed_order(read) for read in found]
    moves = {
        order.unit.location.province: order
        for order in (*context.stored, *filter(None, orders))
        if isinstance(order, o.Move)
    }
    keys = {order_key(order) for order in context.stored}
    keys |= {order_key(order) for order in orders if order}
    keys |= {read.key for read in found if isinstance(read, Untaken) and read.key}
    for at, item in items.items():
        read = found[at]
        if isinstance(read, Taken) and (support := _support_of_move(context, read, moves)):
            both, key = (support, read.order), order_key(support)
            found[at] = context.make_untaken(read.number, read.written, ReadingKind.OPEN, both, key)
            continue
        if isinstance(read, Taken) and _is_support_against_own_unit(context, read, moves):
            found[at] = context.make_untaken(read.number, read.written, key=order_key(read.order))
            continue
        if isinstance(read, Taken):
            meant = _counterpart_orders(context, read, item)
        elif orders[at] is None:
            leaders = [order for order in (*orders[:at][::-1], *orders[at + 1 :]) if order]
            behind = found[at + 1] if at + 1 < len(found) else None
            meant = _meant(context, read, behind, item, leaders, moves)
        else:
            continue
        own = read.key if isinstance(read, Untaken) else None
        proposals = [
            order
            for order in legal_orders_among(context, meant)
            if order_key(order) == own or order_key(order) not in keys
        ]
        if not proposals:
            continue
        key = order_key(proposals[0])
        text = read.text if isinstance(read, Said) else read.written
        if isinstance(read, Untaken):
            found[at] = replace(read, proposals=tuple(proposals), key=key)
            continue
        asked = context.make_untaken(read.number, text, ReadingKind.OPEN, tuple(proposals), key)
        if isinstance(read, Said):
            found[at] = asked
        else:
            found.append(asked)
        keys.add(key)


def _support_of_move(
    context: OrderContext, read: Taken, moves: Mapping[ProvinceId, o.Move]
) -> o.SupportMove | None:
    """The support of a move of the letter that a support in words may mean, though it says none:
    `Gascony: support Paris` below `Paris: move to Burgundy`. In notation it is what it says."""
    order = read.order
    if not isinstance(order, o.SupportHold):
        return None
    move = moves.get(order.supported.location.province)
    if move is None:
        return None
    tokens = tokenize(read.written, context.lexicon)
    is_hold = any(token.word == "H" for token in tokens)
    is_worded = any(t.word == "S" and (t.is_non_latin or len(t.text) > 3) for t in tokens)
    units = WrittenUnit(order.unit.location), WrittenUnit(order.supported.location)
    on_board = context.order_on_board(o.WrittenSupportMove(*units, move.target))
    if is_hold or not is_worded or isinstance(on_board, Void):
        return None
    return o.SupportMove(order.unit, order.supported, move.target)


def _is_support_against_own_unit(
    context: OrderContext, read: Taken, moves: Mapping[ProvinceId, o.Move]
) -> bool:
    """Whether a support in words helps another power into where an own unit stands and stays, so
    that it may be read the wrong way: `Trieste - Venice goes there, Tyrolia supports`."""
    order = read.order
    if not isinstance(order, o.SupportMove) or not read.written.isascii():
        return False
    tokens = tokenize(read.written, context.lexicon)
    verb = next((token.start for token in tokens if token.word == "S"), 0)
    if is_in_notation(tokens) or verb < max(t.start for t in tokens if t.is_place):
        return False
    own = {unit.location.province for unit in context.units}
    place = order.target.province
    return order.supported.location.province not in own and place in own and place not in moves


def _taken_or_proposed_order(read: Read) -> AnyOrder | None:
    """The order that was read, or the first that is proposed."""
    match read:
        case Taken(order=order) | Untaken(proposals=(order, *_)):
            return order
    return None


def _meant(
    context: OrderContext,
    read: Untaken | Said,
    behind: Read | None,
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
    if follower and len(places) == 1 and verbs & set(VERBS) <= {"-"} and "-" in verbs:
        for each in leaders:  # 保加利亞照打 beside a support that says where to
            match each:
                case o.SupportMove(supported=unit, target=to) | o.Convoy(convoyed=unit, target=to):
                    if unit.location == follower.location:
                        return [o.WrittenMove(follower, to)]
    if follower is None or len(places) > 2 or not isinstance(leader, o.Move | o.Hold):
        return []
    written = WrittenUnit(leader.unit.location, leader.unit.kind)
    led: WrittenOrder = o.WrittenHold(written)
    if isinstance(leader, o.Move):
        led = o.WrittenMove(written, leader.target)
    if len(places) == 1 and follower.location != leader.unit.location:
        for verb in ("S", "C"):
            if verb in verbs:
                order = support_or_convoy(follower, verb, led)
                return [order] if order else []
    is_unit = all(token.is_place or token.word in KINDS for token in item.segment)
    if is_unit and isinstance(behind, Taken) and behind.number == read.number:
        shared = behind.order  # A Par, A Mar - Bur
        return [o.WrittenMove(follower, shared.target)] if isinstance(shared, o.Move) else []
    is_gap = len(places) == 1 or places[1] == leader.unit.location
    if is_gap and isinstance(leader, o.Move) and _follow_words().search(normalize(text).text):
        return [o.WrittenMove(follower, replace(leader.unit.location, coast=None))]
    is_helper = len(places) == 1 and follower.location != leader.unit.location
    if is_helper and isinstance(read, Untaken) and not verbs & {"H", "R", "D", "B", "-"}:
        order = support_or_convoy(follower, "S", led)  # Gascony chips in
        return [order] if order else []
    return []


def _counterpart_orders(context: OrderContext, read: Taken, item: Item) -> list[WrittenOrder]:
    """The other half of what one sentence tells of: the move that is helped (`約克郡陸軍由北海
    艦隊運到丹麥`), the fleet's order (`Yor lands in Den with a convoy by F Nth`)."""
    written = item.readings[0] if isinstance(item, Parsed) else None
    if not isinstance(written, o.WrittenMove | o.WrittenConvoy | o.WrittenSupportMove):
        return []
    tokens = tokenize(read.written, context.lexicon)
    places = {t.locations[0].province: at for at, t in enumerate(tokens) if t.is_place}
    match read.order, written:
        case o.Convoy(unit=fleet, convoyed=army, target=target), _:
            carried = _role(tokens, places.get(army.location.province, 0))
            is_by = _role(tokens, places.get(fleet.location.province, 0)) in ("by", "either")
            verb = next((t for t in tokens if t.word == "C" and t.is_non_latin), None)
            has_kind = any(token.word in KINDS for token in tokens)  # 北海運輸陸軍 is notation
            is_worded = verb is not None and (
                len(verb.text) == 1
                or not has_kind
                or verb.text.startswith(listed("around", "lifts"))
            )
            if is_worded or (is_by and carried in ("", "of", "topic", "agent", "object")):
                unit = WrittenUnit(army.location, army.kind)
                return [o.WrittenMove(unit, target, via_convoy=True)]
        case o.SupportMove(unit=helper, supported=other, target=target), _:
            means = tokens[places.get(helper.location.province, 0)]
            subject = tokens[places.get(other.location.province, 0)]
            verb = next((token for token in tokens if token.word == "S"), means)
            is_apart = means.start < verb.start < subject.start and verb.is_non_latin
            is_subject = subject.role in ("topic", "agent")  # マルセイユは支援、パリは ...
            if means.role in ("by", "either") or (is_apart and is_subject):
                return [o.WrittenMove(WrittenUnit(other.location, other.kind), target)]
        case o.Move(unit=army, target=target), o.WrittenMove(path=path):
            unit = WrittenUnit(army.location, army.kind)
            fleets = [sea for sea in path if _is_carrier(read.written, tokens, places.get(sea, 0))]
            return [o.WrittenConvoy(WrittenUnit(Location(sea)), unit, target) for sea in fleets]
    return []


def _role(tokens: Sequence[Token], at: int) -> str:
    """What particles say of a place, or of the unit that stands there: `北海の艦隊で`."""
    role, unit = tokens[at].role, tokens[at - 1]
    return unit.role if role == "of" and unit.word in KINDS else role


def _is_carrier(written: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a sea is named as a fleet that carries, not only as the way: `by convoy of Nth`."""
    before = written[: tokens[at].start].rstrip().lower().removesuffix(" the")
    is_fleet = tokens[at - 1].word == "F" and len(tokens[at - 1].text) > 1
    is_boarded = tokens[at - 1].text in listed("around", "aboard")  # 搭第勒尼安海的船
    is_boarded = is_boarded or any(token.word == "C" and token.is_non_latin for token in tokens)
    is_boarded = is_boarded or written[tokens[at].end :].startswith(listed("around", "ships"))
    return is_fleet or is_boarded or before.endswith((" of", " by", "by convoy ("))


@cache
def _follow_words() -> re.Pattern[str]:
    return re.compile(any_name(listed("around", "follows")))
