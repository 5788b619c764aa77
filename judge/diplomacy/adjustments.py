"""The adjustment phase: builds and removals due, which orders may be done, what becomes of them.

Rule: rulebook 2000 on gaining and losing units (docs/rules.md 1.6); DATC 4.B.7, 4.C.3, 4.C.4,
4.D.4 - 4.D.8; a variant's own rule on where powers build (`Builds`).
"""

from collections.abc import Callable, Collection, Hashable, Iterable
from functools import partial
from typing import TypeVar

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator import Legality, illegal
from judge.diplomacy.orders import OrdersByPower, PowerId, ProvinceId, Unit, UnitKind, WrittenOrder
from judge.diplomacy.outcomes import (
    Disbanded,
    DisbandReason,
    Resolved,
    Result,
    SetAside,
    Void,
    VoidReason,
)
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.records import Adjustment
from judge.diplomacy.rules import (
    BuildCoast,
    BuildKind,
    Builds,
    CivilDisorderRemoval,
    DoubleBuild,
    ExcessBuilds,
    ExcessDisbands,
    FleetInland,
    Rules,
    Waiving,
)
from judge.diplomacy.variants.variant import Power, Variant

NOT_OURS = (VoidReason.NO_UNIT, VoidReason.FOREIGN_UNIT)
NO_SITE = {
    Builds.HOME: VoidReason.NOT_A_HOME_CENTER,
    Builds.ANY_HOME: VoidReason.NOBODYS_HOME_CENTER,
    Builds.ONE_HOME: VoidReason.NOT_A_CENTER,
    Builds.ANY: VoidReason.NOT_A_CENTER,
}
Line = tuple[WrittenOrder, o.AdjustmentOrder | Void]


# --- what is due ----------------------------------------------------------------------------------


def open_sites(position: Position, power: Power) -> tuple[ProvinceId, ...]:
    """Centers where the power may build and nobody stands, in order."""
    return tuple(
        province
        for province in sorted(power.sites if power.may_build_at_all(position.owners) else ())
        if position.owners.get(province) == power.id and position.unit_at(province) is None
    )


def adjustment_due(position: Position, power: Power) -> Adjustment:
    """What a power owes: builds (never more than it has room for) or removals; nothing where nobody
    plays it (rulebook 2000 on fewer players: its units stay until they are driven out)."""
    if not power.is_played:
        return Adjustment(power.id)
    surplus = _surplus_centers(position, power)
    room = open_sites(position, power)
    if surplus > 0:
        return Adjustment(power.id, builds=min(surplus, len(room)), open=room)
    return Adjustment(power.id, disbands=-surplus, open=room if surplus == 0 else ())


def _surplus_centers(position: Position, power: Power) -> int:
    """Centers less units: builds if positive, removals if negative."""
    return power.center_count(position.owners) - len(position.units_of(power.id))


# --- what may be done -----------------------------------------------------------------------------


def adjustment_order(
    legality: Legality, written: WrittenOrder, power: PowerId
) -> o.AdjustmentOrder | Void:
    """A build, a removal or a waive, or why there is none. Checks only whether any of its kind is
    due; `resolve_adjustments` counts them."""
    surplus = _surplus_centers(legality.position, legality.variant.power(power))
    match written:
        case o.WrittenBuild():
            return _build(legality, written.unit, power, surplus)
        case o.WrittenDisband():
            unit = legality.own_unit(written.unit, power)
            if isinstance(unit, Void):
                return unit
            return o.Disband(unit) if surplus < 0 else illegal(VoidReason.NO_DISBAND_DUE, unit=unit)
        case o.WrittenWaive():
            if surplus <= 0:
                return illegal(VoidReason.NO_BUILD_DUE)
            if legality.rules.waiving is Waiving.MAY_NOT:
                return illegal(VoidReason.MAY_NOT_WAIVE)
            return o.Waive(power)
        case _:
            return illegal(VoidReason.WRONG_PHASE)


def _build(
    legality: Legality, written: o.WrittenUnit, power: PowerId, surplus: int
) -> o.Build | Void:
    place, province = written.location, written.location.province
    builder, owners = legality.variant.power(power), legality.position.owners
    if province not in builder.sites:
        return illegal(NO_SITE[builder.builds])
    if owners.get(province) != power:
        return illegal(VoidReason.NOT_OWNED)
    if not builder.may_build_at_all(owners):
        return illegal(VoidReason.NO_HOME_CENTER_OWNED)
    there = legality.units.get(province)
    if there is not None:
        return illegal(VoidReason.OCCUPIED, unit=there)
    if surplus <= 0:
        return illegal(VoidReason.NO_BUILD_DUE)
    kind, rules, board = written.kind, legality.rules, legality.variant.board
    if not board.possible_locations(UnitKind.FLEET, province):
        if kind is UnitKind.FLEET and rules.fleet_inland is FleetInland.ARMY_BUILT:
            kind = UnitKind.ARMY
        if kind is None and rules.build_kind is not BuildKind.FAILS:
            kind = UnitKind.ARMY
    elif place.coast and rules.build_kind is BuildKind.ARMY_INLAND_FLEET_WITH_COAST:
        kind = kind or UnitKind.FLEET
    if kind is None:
        return illegal(VoidReason.KIND_NEEDED)
    stands = board.possible_locations(kind, province)
    if not stands:
        return illegal(VoidReason.CANNOT_STAND)
    if place in stands:
        return o.Build(Unit(power, kind, place))
    if kind is UnitKind.ARMY or len(stands) == 1:
        if legality.has_pointless_coast(place):
            return illegal(VoidReason.NO_SUCH_COAST)
        return o.Build(Unit(power, kind, stands[0]))
    if place.coast is None and rules.build_coast is BuildCoast.DEFAULT_COAST:
        return o.Build(Unit(power, kind, stands[0]))
    reason = VoidReason.NO_SUCH_COAST if place.coast else VoidReason.COAST_NEEDED
    return illegal(reason, places=stands)


# --- the phase ------------------------------------------------------------------------------------


def resolve_adjustments(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: OrdersByPower,
    missing: frozenset[PowerId] = frozenset(),
) -> Resolved:
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
            order = adjustment_order(legality, line, power.id)
            if isinstance(order, Void) and order.reason in NOT_OURS:
                aside.append(SetAside(power.id, line, order))
                continue
            times = line.count if isinstance(line, o.WrittenWaive) else 1
            lines += [(line, order)] * min(times, len(variant.board.centers))

        due = adjustment_due(position, power)
        own = _results(rules, due, lines)
        removed = {one.unit for one in own if one.unit and isinstance(one.order, o.Disband)}
        short = max(due.disbands - len(removed), 0)
        by_rule = choose_removals(variant, rules, position, power, short, kept_out=removed)
        is_missing = power.id in missing
        reason = DisbandReason.CIVIL_DISORDER if is_missing else DisbandReason.CHOSEN_BY_RULE
        own += [Result(power.id, o.Disband(unit), (Disbanded(reason),), unit) for unit in by_rule]
        gone.update(removed, by_rule)
        built += [one.order.unit for one in own if isinstance(one.order, o.Build)]
        results += sorted(own, key=_result_rank)
    units = [unit for unit in position.units if unit not in gone] + built
    return Resolved(tuple(results), tuple(aside), sort_units(units, variant.power_ids))


def taken_range(rules: Rules, due: Adjustment, count: int) -> range:
    """Which of `count` builds or removals of a power are taken (DATC 4.D.4, 4.D.6)."""
    most = due.disbands or due.builds
    if count <= most:
        return range(count)
    if due.disbands:
        is_none = rules.excess_disbands is ExcessDisbands.CIVIL_DISORDER
        is_last = rules.excess_disbands is ExcessDisbands.LAST_LEGAL
    else:
        is_none = rules.excess_builds is ExcessBuilds.ALL_INVALID
        is_last = rules.excess_builds is ExcessBuilds.LAST_LEGAL
    if is_none:
        return range(0)
    return range(count - most, count) if is_last else range(most)


def _results(rules: Rules, due: Adjustment, lines: list[Line]) -> list[Result]:
    """One power's orders, in the order of its lines: those that are taken, and why not the rest."""
    taken_kinds: tuple[type, ...] = (o.Build, o.Waive)
    if due.disbands:
        taken_kinds = (o.Disband,)
        for at, (line, order) in enumerate(lines):
            if isinstance(order, o.Disband) and order in [each for _, each in lines[:at]]:
                lines[at] = (line, illegal(VoidReason.ALREADY_REMOVED))
    else:  # DATC 4.D.5: two builds in one province
        by_place: dict[ProvinceId, list[int]] = {}
        for at, (_, order) in enumerate(lines):
            if isinstance(order, o.Build):
                by_place.setdefault(order.unit.location.province, []).append(at)
        for places in by_place.values():
            kept = {DoubleBuild.FIRST: places[:1], DoubleBuild.LAST: places[-1:]}
            for at in places if len(places) > 1 else ():
                if at not in kept.get(rules.double_build, ()):
                    lines[at] = (lines[at][0], illegal(VoidReason.BUILT_TWICE))

    excess = VoidReason.NO_DISBAND_DUE if due.disbands else VoidReason.NO_BUILD_DUE
    legal = [at for at, (_, order) in enumerate(lines) if isinstance(order, taken_kinds)]
    taken = [legal[at] for at in taken_range(rules, due, len(legal))]
    results: list[Result] = []
    for at, (line, order) in enumerate(lines):
        if isinstance(order, Void):
            results.append(Result(due.power, line, (order,)))
        elif at not in taken:
            results.append(Result(due.power, line, (illegal(excess),)))
        else:
            unit = None if isinstance(order, o.Waive) else order.unit
            results.append(Result(due.power, order, (), unit))
    return results


def _result_rank(result: Result) -> tuple[int, str, str]:
    """Builds and removals by kind and location, then waives, then what broke the rules."""
    order = result.order
    if any(isinstance(outcome, Void) for outcome in result.outcomes):
        return (2, "", "")
    if isinstance(order, o.Build | o.Disband):
        return (0, order.unit.kind, str(order.unit.location))
    return (1, "", "")


# --- civil disorder -------------------------------------------------------------------------------


FARTHEST = 1000  # steps: no way there at all

Node = TypeVar("Node", bound=Hashable)


def choose_removals(
    variant: Variant,
    rules: Rules,
    position: Position,
    power: Power,
    count: int,
    *,
    kept_out: Collection[Unit] = (),
) -> tuple[Unit, ...]:
    """The units that go, in the order in which they go; `kept_out` are ordered to go already."""
    board = variant.board
    has_home = power.builds is not Builds.ANY  # else any center is as good as its home
    is_by_kind = rules.civil_disorder_removal is CivilDisorderRemoval.HOME_CENTERS and has_home
    goals = frozenset(power.home_centers if is_by_kind else position.centers_of(power.id))

    def distance(unit: Unit) -> int:
        """Steps over land and water alike; if counted from home, fleets go by water and coasts."""
        if is_by_kind and unit.kind is UnitKind.FLEET:
            ports = {at for goal in goals for at in board.possible_locations(UnitKind.FLEET, goal)}
            return _steps(unit.location, partial(board.adjacent_locations, UnitKind.FLEET), ports)
        return _steps(unit.location.province, board.touching.__getitem__, goals)

    def rank(unit: Unit) -> tuple[int, bool, str]:
        name = board.provinces[unit.location.province].name
        return (-distance(unit), unit.kind is UnitKind.ARMY, name)

    units = [unit for unit in position.units_of(power.id) if unit not in kept_out]
    return tuple(sorted(units, key=rank)[:count])


def _steps(origin: Node, ways: Callable[[Node], Iterable[Node]], goals: Collection[Node]) -> int:
    """Steps from origin to the nearest goal, breadth first; `FARTHEST` if there is no way."""
    seen, edge = {origin}, [origin]
    for steps in range(FARTHEST):
        if any(node in goals for node in edge):
            return steps
        edge = list(dict.fromkeys(way for node in edge for way in ways(node) if way not in seen))
        if not edge:
            break
        seen.update(edge)
    return FARTHEST
