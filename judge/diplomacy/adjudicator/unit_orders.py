"""Which order each unit carries out, of those written for it.

Asks `legality.py` what each line is; who gets where is decided later.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator.contest import Contest
from judge.diplomacy.adjudicator.convoys import ways_on
from judge.diplomacy.adjudicator.legality import Legality
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.orders import AnyOrder, Order, PowerId, ProvinceId, Unit, WrittenOrder
from judge.diplomacy.outcomes import SetAside, Void, VoidReason
from judge.diplomacy.rules import CivilDisorderSupport, Disorder, DoubleOrders, IllegalOrders, Rules

AnyOrderT = TypeVar("AnyOrderT", bound=AnyOrder)


class CheckedLines:
    """Lines, each an order or none.

    Attributes:
        legal: all legal lines of each unit, with their orders.
        illegal: the first line of each unit that broke the rules, with the rule.
        aside: lines that stand for no unit's order.
        permissions: what powers ordered beside their units' orders.
    """

    def __init__(self) -> None:
        self.legal: dict[ProvinceId, list[tuple[WrittenOrder, AnyOrder]]] = {}
        self.illegal: dict[ProvinceId, tuple[WrittenOrder, Void]] = {}
        self.aside: list[SetAside] = []
        self.permissions: list[o.Passage] = []


def check_lines(
    legality: Legality,
    units: Mapping[ProvinceId, Unit],
    written: o.OrdersByPower,
    powers: list[PowerId],
) -> CheckedLines:
    """The lines of some powers in a movement or retreat phase; `units` are those ordered in it."""
    lines, is_retreat = CheckedLines(), legality.position.phase.kind is PhaseKind.RETREAT
    for power in powers:
        for line in written.get(power, ()):
            order: AnyOrder | Void
            if is_retreat:
                order = legality.retreat_order(line, power)
            else:
                order = legality.movement_order(line, power)
            kind = type(order)
            if kind is o.Passage:
                if order not in lines.permissions:
                    lines.permissions.append(cast(o.Passage, order))
            elif kind is not Void:
                legal = cast(Order, order)
                lines.legal.setdefault(legal.unit.location.province, []).append((line, legal))
            else:
                at = None  # a canal's permission names the unit of another
                if not isinstance(line, (o.WrittenPassage, o.WrittenWaive)):
                    at = line.unit.location.province
                unit = None if at is None else units.get(at)
                if at is None or unit is None or unit.power != power or at in lines.illegal:
                    lines.aside.append(SetAside(power, line, cast(Void, order)))
                else:
                    lines.illegal[at] = (line, cast(Void, order))
    return lines


def choose_order(
    rules: Rules, unit: Unit, lines: Sequence[tuple[WrittenOrder, AnyOrderT]], aside: list[SetAside]
) -> AnyOrderT | None:
    """The one of several legal orders that a unit carries out; the others go into `aside`.

    None if there is none, or if they differ and the rules take none of them (DATC 4.D.3).
    """
    if not lines:
        return None
    first, last = lines[0][1], lines[-1][1]
    if len(lines) == 1 or all(order == first for _, order in lines):
        return first
    taken = {DoubleOrders.FIRST: first, DoubleOrders.LAST: last}.get(rules.double_orders)
    void = Void(VoidReason.TWO_ORDERS, illegal=True, unit=unit)
    aside += [SetAside(unit.power, line, void) for line, order in lines if order != taken]
    return taken


def make_contest(
    legality: Legality, written: o.OrdersByPower, missing: frozenset[PowerId]
) -> tuple[Contest, CheckedLines]:
    """What each unit is told to do in a movement phase, and the lines as they were checked.

    Units without an order, and those of `missing` powers, hold.
    """
    variant, rules = legality.variant, legality.rules
    powers = [power for power in variant.power_ids if power not in missing]
    lines = check_lines(legality, legality.units, written, powers)
    illegal, aside = lines.illegal, lines.aside

    orders: dict[ProvinceId, Order] = {}
    rides: dict[ProvinceId, o.Ride] = {}
    for at, unit in legality.units.items():
        legal = lines.legal.get(at)
        if legal is not None and len(legal) == 1 and at not in illegal:
            picked: AnyOrder | None = legal[0][1]
        else:
            picked = choose_order(
                rules, unit, _properly_named(legality, unit, legal or [], aside), aside
            )
            if picked is not None and at in illegal:
                aside.append(SetAside(unit.power, *illegal.pop(at)))
            elif at in illegal and rules.illegal_orders is IllegalOrders.STILL_A_MOVE:
                line = illegal[at][0]
                if isinstance(line, o.WrittenMove):
                    target = o.Location(line.target.province)
                    picked = o.Move(unit, target, via_convoy=line.via_convoy)
        if type(picked) is o.Ride:
            rides[at] = picked
            picked = o.Move(unit, picked.target)
        orders[at] = cast(Order, picked) if picked is not None else o.Hold(unit)

    is_supportive = variant.customs.disorder is Disorder.SUPPORT
    if is_supportive:
        orders.update(_civil_disorder_supports(legality, missing))
    may_support = is_supportive or rules.civil_disorder_support is CivilDisorderSupport.MAY
    shows_intent = rules.illegal_orders is IllegalOrders.SHOWS_INTENT
    contest = Contest(
        orders=orders,
        impossible=frozenset([at for at in illegal if type(orders[at]) is o.Move]),
        intent=frozenset(
            [
                (legality.units[at].power, line.convoyed.location.province)
                for at, (line, _) in illegal.items()
                if shows_intent and isinstance(line, o.WrittenConvoy)
            ]
        ),
        helpless=frozenset() if may_support else missing - variant.unplayed,
        rides=rides,
        permissions=tuple(
            sorted(lines.permissions, key=lambda one: (powers.index(one.power), str(one.unit)))
        ),
    )
    return contest, lines


def _civil_disorder_supports(
    legality: Legality, missing: frozenset[PowerId]
) -> dict[ProvinceId, Order]:
    """What units in civil disorder do that support each other: each that reaches another one of its
    power supports it to hold, the one that most foreign units reach, then one in a supply center,
    then the first by province."""
    found: dict[ProvinceId, Order] = {}
    ways, provinces = ways_on(legality.variant.board), legality.variant.board.provinces
    units = legality.units
    for at, unit in units.items():
        if unit.power not in missing:
            continue
        ranked: list[tuple[int, bool, ProvinceId]] = []
        for near, own in units.items():
            if near != at and own.power == unit.power and ways.reachable_locations(unit, near):
                foreign = [each for each in units.values() if each.power != unit.power]
                threats = sum([bool(ways.reachable_locations(each, near)) for each in foreign])
                ranked.append((-threats, not provinces[near].is_center, near))
        if ranked:
            found[at] = o.SupportHold(unit, units[min(ranked)[2]])
    return found


def _properly_named(
    legality: Legality,
    unit: Unit,
    lines: list[tuple[WrittenOrder, AnyOrder]],
    aside: list[SetAside],
) -> list[tuple[WrittenOrder, AnyOrder]]:
    """Orders that name their units properly, if there are any; else all (DATC 4.C, choice c)."""
    if len(lines) <= 1:
        return lines
    proper = [line for line in lines if not legality.is_named_loosely(*line)]
    if not proper or len(proper) == len(lines):
        return lines
    void = Void(VoidReason.TWO_ORDERS, illegal=True, unit=unit)
    aside += [SetAside(unit.power, line[0], void) for line in lines if line not in proper]
    return proper
