"""Whether a written build, removal or waive may be done in a position.

How many are due is looked at where all orders of a power are seen; here only whether any is.
Rule: rulebook 2000 on gaining and losing units; DATC 4.B.7, 4.C.3, 4.C.4, 4.D.7; a variant's own
rule on where powers build (building_rule.py).
"""

from collections.abc import Mapping
from typing import assert_never

from judge.diplomacy.building_rule import Builds
from judge.diplomacy.legality import Legality, illegal
from judge.diplomacy.orders import (
    AdjustmentOrder,
    Build,
    Disband,
    Location,
    PowerId,
    ProvinceId,
    Unit,
    UnitKind,
    Waive,
    WrittenBuild,
    WrittenDisband,
    WrittenOrder,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.rules import BuildCoast, BuildKind, FleetInland, Waiving
from judge.diplomacy.variants.variant import Power


def adjustment_orders(
    legality: Legality, written: WrittenOrder, power: PowerId
) -> tuple[AdjustmentOrder | Void, ...]:
    """The orders of one line: several for `WAIVE 2`."""
    order = adjustment_order(legality, written, power)
    count = written.count if isinstance(written, WrittenWaive) else 1
    return (order,) * min(count, len(legality.variant.board.centers))


def adjustment_order(
    legality: Legality, written: WrittenOrder, power: PowerId
) -> AdjustmentOrder | Void:
    """A build, a removal or a waive; how many are due is not looked at here, only whether any
    of the kind is."""
    match written:
        case WrittenBuild():
            return _build(legality, written.unit, power)
        case WrittenDisband():
            unit = legality.own_unit(written.unit, power)
            if isinstance(unit, Void):
                return unit
            if _surplus(legality, power) >= 0:
                return illegal(VoidReason.NO_DISBAND_DUE, unit=unit)
            return Disband(unit)
        case WrittenWaive():
            if _surplus(legality, power) <= 0:
                return illegal(VoidReason.NO_BUILD_DUE)
            if legality.rules.waiving is Waiving.MAY_NOT:
                return illegal(VoidReason.MAY_NOT_WAIVE)
            return Waive(power)
        case _:
            return illegal(VoidReason.WRONG_PHASE)


def _surplus(legality: Legality, power: PowerId) -> int:
    """Centers less units: builds if positive, removals if negative."""
    count = legality.variant.power(power).count(legality.position.owners)
    return count - len(legality.position.units_of(power))


def _build(legality: Legality, written: WrittenUnit, power: PowerId) -> Build | Void:
    province = written.location.province
    closed = closed_site(legality.variant.power(power), legality.position.owners, province)
    if closed is not None:
        return illegal(closed)
    there = legality.units.get(province)
    if there is not None:
        return illegal(VoidReason.OCCUPIED, unit=there)
    if _surplus(legality, power) <= 0:
        return illegal(VoidReason.NO_BUILD_DUE)
    kind = _built_kind(legality, written)
    if kind is None:
        return illegal(VoidReason.KIND_NEEDED)
    return _built_unit(legality, power, kind, written.location)


def closed_site(
    power: Power, owners: Mapping[ProvinceId, PowerId], province: ProvinceId
) -> VoidReason | None:
    """Why a power may not build in a province, whether or not somebody stands there."""
    if province not in power.sites:
        match power.builds:
            case Builds.HOME:
                return VoidReason.NOT_A_HOME_CENTER
            case Builds.ANY_HOME:
                return VoidReason.NOBODYS_HOME_CENTER
            case Builds.ONE_HOME | Builds.ANY:
                return VoidReason.NOT_A_CENTER
            case _:
                assert_never(power.builds)
    if owners.get(province) != power.id:
        return VoidReason.NOT_OWNED
    return None if power.may_build(owners) else VoidReason.NO_HOME_CENTER_OWNED


def _built_kind(legality: Legality, written: WrittenUnit) -> UnitKind | None:
    """DATC 4.C.3, 4.C.4."""
    province, rules = written.location.province, legality.rules
    has_water = bool(legality.variant.board.stands(UnitKind.FLEET, province))
    if written.kind is UnitKind.FLEET and not has_water:
        is_army = rules.fleet_inland is FleetInland.ARMY_BUILT
        return UnitKind.ARMY if is_army else UnitKind.FLEET
    if written.kind is not None or rules.build_kind is BuildKind.FAILS:
        return written.kind
    if not has_water:
        return UnitKind.ARMY
    with_coast = rules.build_kind is BuildKind.ARMY_INLAND_FLEET_WITH_COAST
    return UnitKind.FLEET if with_coast and written.location.coast else None


def _built_unit(
    legality: Legality, power: PowerId, kind: UnitKind, place: Location
) -> Build | Void:
    stands = legality.variant.board.stands(kind, place.province)
    if not stands:
        return illegal(VoidReason.CANNOT_STAND)
    if place in stands:
        return Build(Unit(power, kind, place))
    if kind is UnitKind.ARMY or len(stands) == 1:
        if legality.is_pointless(place):
            return illegal(VoidReason.NO_SUCH_COAST)
        return Build(Unit(power, kind, stands[0]))
    if place.coast is None and legality.rules.build_coast is BuildCoast.DEFAULT_COAST:
        return Build(Unit(power, kind, stands[0]))
    reason = VoidReason.NO_SUCH_COAST if place.coast else VoidReason.COAST_NEEDED
    return illegal(reason, places=stands)
