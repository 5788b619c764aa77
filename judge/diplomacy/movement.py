"""The movement phase: orders in, what became of each and why, and where everybody stands then.

What each unit is told to do is read here; who gets where is the adjudicator's to say.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from judge.diplomacy.adjudicator import Contest, Decide, decide, explain
from judge.diplomacy.legality import Legality, choose_order
from judge.diplomacy.orders import (
    Hold,
    Location,
    Move,
    Order,
    Passage,
    PowerId,
    ProvinceId,
    Ride,
    Unit,
    WrittenConvoy,
    WrittenMove,
    WrittenOrder,
    WrittenPassage,
)
from judge.diplomacy.outcomes import Result, SetAside, Void, VoidReason
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.retreats import with_retreats
from judge.diplomacy.rules import CivilDisorderSupport, IllegalOrders, Rules
from judge.diplomacy.variants.variant import Variant

Written = Mapping[PowerId, Sequence[WrittenOrder]]
Illegal = dict[ProvinceId, tuple[WrittenOrder, Void]]


class Movement(msgspec.Struct, frozen=True):
    """A movement phase, resolved.

    Attributes:
        results: one for each unit, in the order of the position.
        set_aside: lines that stand for no unit's order.
        units: all units after it, dislodged ones left out.
        dislodged: units driven out, with where they may go; in the order of the position.
        contested: provinces left empty by a standoff, in order.
    """

    results: tuple[Result, ...]
    set_aside: tuple[SetAside, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    contested: tuple[ProvinceId, ...]


def resolve_movement(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId] = frozenset(),
) -> Movement:
    """Resolve a movement phase. Units without an order, and those of `missing` powers, hold.

    Rule: rulebook 2000, rules 1 - 22 (docs/rules.md); civil disorder: units hold, do not support
    each other, and are disbanded when dislodged.
    """
    aside: list[SetAside] = []
    contest, illegal = _contest(variant, rules, position, written, missing, aside)

    go_on: Decide = partial(decide, variant.board, rules)
    for hook in variant.hooks:
        go_on = partial(hook.decide, go_on=go_on)
    decisions = go_on(contest)

    stay: list[Unit] = []
    for unit in position.units:
        at = unit.location.province
        if at in decisions.moves and decisions.decide(at):
            stay.append(Unit(unit.power, unit.kind, decisions.moves[at].target))
        elif at not in decisions.dislodgers:
            stay.append(unit)
    units = sort_units(stay, variant.power_ids)
    occupied = frozenset([unit.location.province for unit in units])
    contested = decisions.contested(occupied)

    dislodged: list[Dislodged] = []
    for at, origin in decisions.dislodgers.items():
        one = Dislodged(contest.orders[at].unit, origin, decisions.goes_by_convoy(origin))
        if one.unit.power not in missing:
            one = with_retreats(variant.board, rules, one, occupied.union(contested))
        dislodged.append(one)

    results = explain(decisions, illegal, missing, variant.unplayed)
    for hook in variant.hooks:
        results = hook.results(contest, decisions, results)
    return Movement(results, tuple(aside), units, tuple(dislodged), contested)


def _contest(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
    aside: list[SetAside],
) -> tuple[Contest, Illegal]:
    """What each unit is told to do, and what was written instead where that broke the rules; lines
    that stand for no unit's order go into `aside`."""
    legality = Legality(variant, rules, position)
    legal: dict[ProvinceId, list[tuple[WrittenOrder, Order | Ride]]] = {}
    illegal: Illegal = {}
    permissions: list[Passage] = []
    for power in variant.power_ids:
        for line in () if power in missing else written.get(power, ()):
            order = legality.movement_order(line, power)
            if isinstance(order, Passage):
                if order not in permissions:
                    permissions.append(order)
            elif not isinstance(order, Void):
                legal.setdefault(order.unit.location.province, []).append((line, order))
            else:
                at = _ordered_province(line)
                unit = None if at is None else legality.units.get(at)
                if at is None or unit is None or unit.power != power or at in illegal:
                    aside.append(SetAside(power, line, order))
                else:
                    illegal[at] = (line, order)
    permissions.sort(key=lambda one: (variant.power_ids.index(one.power), str(one.unit)))

    orders: dict[ProvinceId, Order] = {}
    rides: dict[ProvinceId, Ride] = {}
    for at, unit in legality.units.items():
        lines = legal.get(at, [])
        if len(lines) == 1 and at not in illegal:
            picked: Order | Ride | None = lines[0][1]
        else:
            picked = choose_order(rules, unit, _proper_ones(legality, unit, lines, aside), aside)
            if picked is not None and at in illegal:
                aside.append(SetAside(unit.power, *illegal.pop(at)))
            elif picked is None and at in illegal:
                picked = _order_of_illegal(rules, unit, illegal[at][0])
        if isinstance(picked, Ride):
            rides[at] = picked
            picked = Move(unit, picked.target)
        orders[at] = picked or Hold(unit)

    may_support = rules.civil_disorder_support is CivilDisorderSupport.MAY
    shows_intent = rules.illegal_orders is IllegalOrders.SHOWS_INTENT
    contest = Contest(
        orders=orders,
        impossible=frozenset([at for at in illegal if isinstance(orders[at], Move)]),
        intent=frozenset(
            (legality.units[at].power, line.convoyed.location.province)
            for at, (line, _) in illegal.items()
            if shows_intent and isinstance(line, WrittenConvoy)
        ),
        helpless=frozenset() if may_support else missing - variant.unplayed,
        rides=rides,
        permissions=tuple(permissions),
    )
    return contest, illegal


def _proper_ones(
    legality: Legality,
    unit: Unit,
    lines: list[tuple[WrittenOrder, Order | Ride]],
    aside: list[SetAside],
) -> list[tuple[WrittenOrder, Order | Ride]]:
    """Orders that name their units properly, if there are any; else all (DATC 4.C, choice c)."""
    if len(lines) <= 1:
        return lines
    proper = [line for line in lines if not legality.is_named_loosely(*line)]
    if not proper or len(proper) == len(lines):
        return lines
    void = Void(VoidReason.TWO_ORDERS, illegal=True, unit=unit)
    aside += [SetAside(unit.power, line[0], void) for line in lines if line not in proper]
    return proper


def _ordered_province(written: WrittenOrder) -> ProvinceId | None:
    """Where the unit stands that an order is for; a canal's permission names another's."""
    if isinstance(written, WrittenPassage):
        return None
    unit = getattr(written, "unit", None)
    return unit.location.province if unit is not None else None


def _order_of_illegal(rules: Rules, unit: Unit, written: WrittenOrder) -> Order | None:
    """DATC 4.E.1: under one reading an impossible move stays a move, which cannot arrive."""
    if rules.illegal_orders is not IllegalOrders.STILL_A_MOVE:
        return None
    if not isinstance(written, WrittenMove):
        return None
    return Move(unit, Location(written.target.province), via_convoy=True)
