"""The adjustment phase: builds and removals due, and what becomes of their orders.

Rule: rulebook 2000 on gaining and losing units (docs/rules.md 1.6); DATC 4.D.4 - 4.D.8.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.diplomacy.building import adjustment_orders
from judge.diplomacy.civil_disorder import choose_removals
from judge.diplomacy.legality import Legality
from judge.diplomacy.orders import (
    AdjustmentOrder,
    Build,
    Disband,
    PowerId,
    ProvinceId,
    Unit,
    Waive,
    WrittenOrder,
)
from judge.diplomacy.outcomes import (
    Disbanded,
    DisbandReason,
    Result,
    SetAside,
    Void,
    VoidReason,
)
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.records import Adjustment
from judge.diplomacy.rules import DoubleBuild, ExcessBuilds, ExcessDisbands, Rules
from judge.diplomacy.variants.variant import Power, Variant

NOT_OURS = (VoidReason.NO_UNIT, VoidReason.FOREIGN_UNIT)
Line = tuple[WrittenOrder, AdjustmentOrder | Void]


def open_sites(position: Position, power: Power) -> tuple[ProvinceId, ...]:
    """Centers where the power may build and nobody stands, in order."""
    if not power.may_build(position.owners):
        return ()
    return tuple(
        province
        for province in sorted(power.sites)
        if position.owners.get(province) == power.id and position.unit_at(province) is None
    )


def adjustment_due(position: Position, power: Power) -> Adjustment:
    """What a power owes: builds (never more than it has room for) or removals; nothing where nobody
    plays it (rulebook 2000 on fewer players: its units stay until they are driven out)."""
    if not power.is_played:
        return Adjustment(power.id)
    surplus = power.count(position.owners) - len(position.units_of(power.id))
    room = open_sites(position, power)
    if surplus > 0:
        return Adjustment(power.id, builds=min(surplus, len(room)), open=room)
    return Adjustment(power.id, disbands=-surplus, open=room if surplus == 0 else ())


@dataclass(frozen=True, slots=True)
class Adjustments:
    """An adjustment phase, resolved: orders and removals by rule, and all units after it."""

    results: tuple[Result, ...]
    set_aside: tuple[SetAside, ...]
    units: tuple[Unit, ...]


def resolve_adjustments(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Mapping[PowerId, Sequence[WrittenOrder]],
    missing: frozenset[PowerId] = frozenset(),
) -> Adjustments:
    """Resolve an adjustment phase. A power that orders too few removals loses units by the rule
    of civil disorder; builds that are not ordered are waived."""
    legality = Legality(variant, rules, position)
    results: list[Result] = []
    aside: list[SetAside] = []
    gone: set[Unit] = set()
    built: list[Unit] = []
    for power in variant.powers:
        lines: list[Line] = []
        for line in () if power.id in missing else written.get(power.id, ()):
            for order in adjustment_orders(legality, line, power.id):
                if isinstance(order, Void) and order.reason in NOT_OURS:
                    aside.append(SetAside(power.id, line, order))
                else:
                    lines.append((line, order))
        due = adjustment_due(position, power)
        own = _resolve_power(rules, due, lines)
        removed = {one.unit for one in own if one.unit and isinstance(one.order, Disband)}
        short = due.disbands - len(removed)
        for unit in choose_removals(
            variant, rules, position, power, max(short, 0), kept_out=removed
        ):
            own.append(_removal_by_rule(unit, power.id in missing))
        gone |= {one.unit for one in own if one.unit and isinstance(one.order, Disband)}
        built += [one.order.unit for one in own if isinstance(one.order, Build) and one.succeeded]
        results += sorted(own, key=_place_in_results)
    units = [unit for unit in position.units if unit not in gone] + built
    return Adjustments(tuple(results), tuple(aside), sort_units(units, variant.power_ids))


def _removal_by_rule(unit: Unit, is_missing: bool) -> Result:
    reason = DisbandReason.CIVIL_DISORDER if is_missing else DisbandReason.CHOSEN_BY_RULE
    return Result(unit.power, Disband(unit), (Disbanded(reason),), unit)


def _place_in_results(result: Result) -> tuple[int, str, str]:
    """Builds and removals by kind and location, then waives, then what broke the rules."""
    order = result.order
    if isinstance(order, Build | Disband) and not _is_void(result):
        return (0, order.unit.kind, str(order.unit.location))
    return (2, "", "") if _is_void(result) else (1, "", "")


def _is_void(result: Result) -> bool:
    return any(isinstance(outcome, Void) for outcome in result.outcomes)


def _resolve_power(rules: Rules, due: Adjustment, lines: Sequence[Line]) -> list[Result]:
    """One power's orders, in the order of its lines."""
    if due.disbands:
        return _resolve_removals(rules, due, lines)
    return _resolve_builds(rules, due, lines)


def _resolve_removals(rules: Rules, due: Adjustment, lines: Sequence[Line]) -> list[Result]:
    seen: set[Unit] = set()
    fates: list[tuple[WrittenOrder, AdjustmentOrder | Void]] = []
    for line, order in lines:
        if isinstance(order, Disband):
            if order.unit in seen:
                order = _refused(VoidReason.ALREADY_REMOVED)
            else:
                seen.add(order.unit)
        fates.append((line, order))
    legal = [at for at, (_, order) in enumerate(fates) if isinstance(order, Disband)]
    chosen = set(legal[: due.disbands])
    if rules.excess_disbands is ExcessDisbands.LAST_LEGAL:
        chosen = set(legal[-due.disbands :])
    elif rules.excess_disbands is ExcessDisbands.CIVIL_DISORDER and len(legal) > due.disbands:
        chosen = set()
    return [
        _result(due.power, line, order, taken=at in chosen, excess=VoidReason.NO_DISBAND_DUE)
        for at, (line, order) in enumerate(fates)
    ]


def _resolve_builds(rules: Rules, due: Adjustment, lines: Sequence[Line]) -> list[Result]:
    fates = _without_double_builds(rules, lines)
    legal = [at for at, (_, order) in enumerate(fates) if isinstance(order, Build | Waive)]
    chosen = set(legal[: due.builds])
    if rules.excess_builds is ExcessBuilds.LAST_LEGAL:
        chosen = set(legal[-due.builds :]) if due.builds else set()
    elif rules.excess_builds is ExcessBuilds.ALL_INVALID and len(legal) > due.builds:
        chosen = set()
    return [
        _result(due.power, line, order, taken=at in chosen, excess=VoidReason.NO_BUILD_DUE)
        for at, (line, order) in enumerate(fates)
    ]


def _without_double_builds(rules: Rules, lines: Sequence[Line]) -> list[Line]:
    """DATC 4.D.5: two builds in one province."""
    by_place: dict[ProvinceId, list[int]] = {}
    for at, (_, order) in enumerate(lines):
        if isinstance(order, Build):
            by_place.setdefault(order.unit.location.province, []).append(at)
    fates = list(lines)
    for places in by_place.values():
        if len(places) < 2:
            continue
        kept = {DoubleBuild.FIRST: places[0], DoubleBuild.LAST: places[-1]}.get(rules.double_build)
        for at in places:
            if at != kept:
                fates[at] = (lines[at][0], _refused(VoidReason.BUILT_TWICE))
    return fates


def _refused(reason: VoidReason) -> Void:
    return Void(reason, illegal=True)


def _result(
    power: PowerId,
    line: WrittenOrder,
    order: AdjustmentOrder | Void,
    *,
    taken: bool,
    excess: VoidReason,
) -> Result:
    if isinstance(order, Void):
        return Result(power, line, (order,))
    if not taken:
        return Result(power, line, (_refused(excess),))
    return Result(power, order, (), None if isinstance(order, Waive) else order.unit)
