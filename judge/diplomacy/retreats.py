"""The retreat phase: where dislodged units may go, and what becomes of their orders.

Rule: rulebook 2000 on retreats (docs/rules.md 1.5); DATC 4.A.5.
"""

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator import Legality, check_lines, choose_order
from judge.diplomacy.board import Board
from judge.diplomacy.orders import AnyOrder, OrdersByPower, PowerId, ProvinceId, Unit, WrittenOrder
from judge.diplomacy.outcomes import (
    Disbanded,
    DisbandReason,
    Outcome,
    Resolved,
    Result,
    RetreatClash,
    SetAside,
)
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.rules import DislodgedUnits, RetreatToConvoyedAttacker, Rules
from judge.diplomacy.variants.variant import Variant


def dislodged_with_retreats(
    board: Board, rules: Rules, dislodged: Dislodged, closed: frozenset[ProvinceId]
) -> Dislodged:
    """A dislodged unit with where it may go: one step, to no occupied or contested province (those
    are `closed`), and not to where its attacker came from (4.A.5: unless that came by convoy, under
    some rules)."""
    may = rules.retreat_to_convoyed_attacker is RetreatToConvoyedAttacker.MAY_IF_CONVOYED
    is_open = dislodged.by_convoy and may
    unit, origin = dislodged.unit, dislodged.attacker_from
    places = [
        place
        for place in board.adjacent_locations(unit.kind, unit.location)
        if place.province not in closed and (is_open or place.province != origin)
    ]
    return Dislodged(unit, origin, dislodged.by_convoy, tuple(places))


def resolve_retreats(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: OrdersByPower,
    missing: frozenset[PowerId] = frozenset(),
) -> Resolved:
    """Resolve a retreat phase: units without a legal order are disbanded, and so are all that
    retreat to the same province."""
    if not position.dislodged and not written:
        return Resolved((), (), position.units)
    legality = Legality(variant, rules, position)
    lost = {one.unit.location.province: one.unit for one in position.dislodged}
    powers = [power for power in variant.power_ids if power not in missing]
    lines = check_lines(legality, lost, written, powers)
    aside = lines.aside
    illegal = {at: line for at, line in lines.illegal.items() if at not in lines.legal}
    orders: dict[ProvinceId, AnyOrder | None] = {}
    for at, legal in lines.legal.items():
        orders[at] = choose_order(rules, lost[at], legal, aside)
        if at in lines.illegal:
            aside.append(SetAside(lost[at].power, *lines.illegal[at]))
    retreats = [own for at in lost if isinstance(own := orders.get(at), o.Retreat)]

    results: list[Result] = []
    stay = list(position.units)
    for one in position.dislodged:
        unit, at = one.unit, one.unit.location.province
        order: AnyOrder | WrittenOrder | None = orders.get(at)
        outcomes: tuple[Outcome, ...] = ()
        if isinstance(order, o.Retreat):
            goal = order.target.province
            others = [one for one in retreats if one is not order and one.target.province == goal]
            if others:
                outcomes = (RetreatClash(tuple(others)), Disbanded(DisbandReason.CLASH))
            else:
                stay.append(Unit(unit.power, unit.kind, order.target))
        elif order is None:
            reason = DisbandReason.NOT_ORDERED if one.retreats else DisbandReason.NO_RETREAT
            if variant.customs.dislodged is DislodgedUnits.DISBAND:
                reason = DisbandReason.AT_ONCE
            elif unit.power in missing:
                is_out = unit.power in variant.unplayed
                reason = DisbandReason.NOT_PLAYED if is_out else DisbandReason.CIVIL_DISORDER
            order, outcomes = o.Disband(unit), (Disbanded(reason),)
            if at in illegal:
                order, void = illegal[at]
                outcomes = (void, Disbanded(reason))
        results.append(Result(unit.power, order, outcomes, unit))
    units = position.units
    if len(stay) > len(units):
        units = sort_units(stay, variant.power_ids)
    return Resolved(tuple(results), tuple(aside), units)
