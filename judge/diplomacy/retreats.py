"""The retreat phase: where dislodged units may go, and what becomes of their orders.

Rule: rulebook 2000 on retreats (docs/rules.md 1.5); DATC 4.A.5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.diplomacy.board import Board
from judge.diplomacy.legality import Legality, choose_order
from judge.diplomacy.orders import (
    Disband,
    PowerId,
    ProvinceId,
    Retreat,
    Unit,
    WrittenOrder,
)
from judge.diplomacy.outcomes import (
    Disbanded,
    DisbandReason,
    Outcome,
    Result,
    RetreatClash,
    SetAside,
    Void,
)
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.rules import RetreatToConvoyedAttacker, Rules
from judge.diplomacy.variants.variant import Variant


def with_retreats(
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
        for place in board.ways(unit.kind, unit.location)
        if place.province not in closed and (is_open or place.province != origin)
    ]
    return Dislodged(unit, origin, dislodged.by_convoy, tuple(places))


@dataclass(frozen=True, slots=True)
class Retreats:
    """A retreat phase, resolved: one result for each dislodged unit, and all units after it."""

    results: tuple[Result, ...]
    set_aside: tuple[SetAside, ...]
    units: tuple[Unit, ...]


def resolve_retreats(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Mapping[PowerId, Sequence[WrittenOrder]],
    missing: frozenset[PowerId] = frozenset(),
) -> Retreats:
    """Resolve a retreat phase: units without a legal order are disbanded, and so are all that
    retreat to the same province."""
    legality = Legality(variant, rules, position)
    legal: dict[Unit, list[tuple[WrittenOrder, Retreat | Disband]]] = {}
    illegal: dict[Unit, tuple[WrittenOrder, Void]] = {}
    aside: list[SetAside] = []
    for power in variant.power_ids:
        for line in () if power in missing else written.get(power, ()):
            order = legality.retreat_order(line, power)
            unit = _unit_of(line, power, position)
            if isinstance(order, Retreat | Disband):
                legal.setdefault(order.unit, []).append((line, order))
            elif isinstance(order, Void) and unit is not None and unit not in illegal:
                illegal[unit] = (line, order)
            elif isinstance(order, Void):
                aside.append(SetAside(power, line, order))
    orders: dict[Unit, Retreat | Disband] = {}
    for unit, lines in legal.items():
        chosen = choose_order(rules, unit, lines, aside)
        if chosen is not None:
            orders[unit] = chosen
        if unit in illegal:
            aside.append(SetAside(unit.power, *illegal.pop(unit)))
    results = tuple(
        _result(one, orders, illegal, missing, variant.unplayed, position)
        for one in position.dislodged
    )
    stay = list(position.units)
    stay += [
        Unit(result.power, result.unit.kind, result.order.target)
        for result in results
        if isinstance(result.order, Retreat) and result.succeeded and result.unit is not None
    ]
    return Retreats(results, tuple(aside), sort_units(stay, variant.power_ids))


def _unit_of(written: WrittenOrder, power: PowerId, position: Position) -> Unit | None:
    named = getattr(written, "unit", None)
    if named is None:
        return None
    for one in position.dislodged:
        if one.unit.power == power and one.unit.location.province == named.location.province:
            return one.unit
    return None


def _result(
    one: Dislodged,
    orders: Mapping[Unit, Retreat | Disband],
    illegal: Mapping[Unit, tuple[WrittenOrder, Void]],
    missing: frozenset[PowerId],
    unplayed: frozenset[PowerId],
    position: Position,
) -> Result:
    unit = one.unit
    order = orders.get(unit)
    if isinstance(order, Disband):
        return Result(unit.power, order, (), unit)
    if isinstance(order, Retreat):
        return Result(unit.power, order, _clash(order, orders, position), unit)
    reason = DisbandReason.NOT_ORDERED
    if not one.retreats:
        reason = DisbandReason.NO_RETREAT
    if unit.power in missing:
        is_out = unit.power in unplayed
        reason = DisbandReason.NOT_PLAYED if is_out else DisbandReason.CIVIL_DISORDER
    if unit in illegal:
        written, void = illegal[unit]
        return Result(unit.power, written, (void, Disbanded(reason)), unit)
    return Result(unit.power, Disband(unit), (Disbanded(reason),), unit)


def _clash(
    order: Retreat, orders: Mapping[Unit, Retreat | Disband], position: Position
) -> tuple[Outcome, ...]:
    """All units that retreat to the same province are disbanded."""
    others = tuple(
        other
        for one in position.dislodged
        for other in (orders.get(one.unit),)
        if isinstance(other, Retreat)
        and other.unit != order.unit
        and other.target.province == order.target.province
    )
    if not others:
        return ()
    return (RetreatClash(others), Disbanded(DisbandReason.CLASH))
