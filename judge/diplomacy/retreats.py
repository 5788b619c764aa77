"""The retreat phase: where dislodged units may go, and what becomes of their orders.

Rule: rulebook 2000 on retreats (docs/rules.md 1.5); DATC 4.A.5.
"""

from collections.abc import Mapping, Sequence

import msgspec

from judge.diplomacy.board import Board
from judge.diplomacy.legality import Legality, choose_order
from judge.diplomacy.orders import (
    Disband,
    PowerId,
    ProvinceId,
    Retreat,
    Unit,
    WrittenOrder,
    WrittenWaive,
)
from judge.diplomacy.outcomes import (
    Disbanded,
    DisbandReason,
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


class Retreats(msgspec.Struct, frozen=True):
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
    lost = {one.unit.location.province: one.unit for one in position.dislodged}
    legal: dict[Unit, list[tuple[WrittenOrder, Retreat | Disband]]] = {}
    illegal: dict[Unit, tuple[WrittenOrder, Void]] = {}
    aside: list[SetAside] = []
    for power in variant.power_ids:
        for line in () if power in missing else written.get(power, ()):
            order = legality.retreat_order(line, power)
            if not isinstance(order, Void):
                legal.setdefault(order.unit, []).append((line, order))
                continue
            named = None if isinstance(line, WrittenWaive) else line.unit.location.province
            unit = lost.get(named) if named is not None else None
            if unit is None or unit.power != power or unit in illegal:
                aside.append(SetAside(power, line, order))
            else:
                illegal[unit] = (line, order)

    orders: dict[Unit, Retreat | Disband] = {}
    for unit, lines in legal.items():
        chosen = choose_order(rules, unit, lines, aside)
        if chosen is not None:
            orders[unit] = chosen
        if unit in illegal:
            aside.append(SetAside(unit.power, *illegal.pop(unit)))
    retreats = [own for unit in lost.values() if isinstance(own := orders.get(unit), Retreat)]

    results: list[Result] = []
    stay = list(position.units)
    for one in position.dislodged:
        unit, own = one.unit, orders.get(one.unit)
        if isinstance(own, Retreat):
            goal = own.target.province
            others = tuple(
                each for each in retreats if each is not own and each.target.province == goal
            )
            clash = (RetreatClash(others), Disbanded(DisbandReason.CLASH)) if others else ()
            results.append(Result(unit.power, own, clash, unit))
            if not others:
                stay.append(Unit(unit.power, unit.kind, own.target))
        elif own is not None:
            results.append(Result(unit.power, own, (), unit))
        else:
            reason = DisbandReason.NOT_ORDERED if one.retreats else DisbandReason.NO_RETREAT
            if unit.power in missing:
                is_out = unit.power in variant.unplayed
                reason = DisbandReason.NOT_PLAYED if is_out else DisbandReason.CIVIL_DISORDER
            if unit in illegal:
                line, void = illegal[unit]
                results.append(Result(unit.power, line, (void, Disbanded(reason)), unit))
            else:
                results.append(Result(unit.power, Disband(unit), (Disbanded(reason),), unit))
    return Retreats(tuple(results), tuple(aside), sort_units(stay, variant.power_ids))
