"""Whether a written order may be done in a position, whatever the others order.

Turns written orders into orders of units on the board, or says which rule they break. Rule:
DATC chapter 3 and 4.B, 4.C, 4.E.1; rulebook 2000 on writing orders.
"""

from typing import TYPE_CHECKING, cast

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator.convoys import can_be_convoyed, fleets_on_routes, ways_on
from judge.diplomacy.orders import (
    ARMY,
    FLEET,
    AnyOrder,
    Location,
    Order,
    PowerId,
    ProvinceId,
    Unit,
    WrittenOrder,
    WrittenUnit,
)
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.rules import (
    IllegalOrders,
    LandOrConvoy,
    Leniency,
    MissingCoast,
    OnlyCoast,
    Rules,
    Strictness,
    SupportCoast,
    UnreachableCoast,
)

if TYPE_CHECKING:
    from judge.diplomacy.position import Position
    from judge.diplomacy.variants.variant import Variant

OF_MOVEMENT = (
    o.WrittenHold,
    o.WrittenMove,
    o.WrittenSupportHold,
    o.WrittenSupportMove,
    o.WrittenConvoy,
)
# Where an order by convoy is never carried out by land (4.A.3).
VIA_BINDS = (LandOrConvoy.INTENT_2000, LandOrConvoy.DPTG)


def illegal(
    reason: VoidReason, *, unit: Unit | None = None, places: tuple[Location, ...] = ()
) -> Void:
    return Void(reason, illegal=True, unit=unit, places=places)


class Legality:
    """The rules of writing orders, applied to one position."""

    def __init__(self, variant: "Variant", rules: Rules, position: "Position") -> None:
        self.variant, self.rules, self.position = variant, rules, position
        self._board, self._ways = variant.board, ways_on(variant.board)
        self.units = {unit.location.province: unit for unit in position.units}
        # Seas from which a fleet could convoy, as they stand or (4.E.1) as they ever could.
        self._convoy_seas = self._ways.seas
        if rules.illegal_orders is not IllegalOrders.NEVER_POSSIBLE:
            self._convoy_seas = self._convoy_seas.intersection(self.units)
        self._is_power_needed = rules.missing_power is Leniency.INVALID and variant.has_named_powers
        self._is_strict = Leniency.INVALID in (
            rules.missing_kind,
            rules.wrong_kind,
            rules.wrong_power,
        )

    # --- units (4.B.5, 4.B.6, 4.C) -------------------------------------------------------------

    def own_unit(self, written: WrittenUnit, power: PowerId) -> Unit | Void:
        """The unit of the power that an order is for, or what is wrong with its name."""
        coast = written.location.coast
        unit = self.units.get(written.location.province)
        if unit is None:
            return illegal(VoidReason.NO_UNIT)
        if unit.power != power:
            return illegal(VoidReason.FOREIGN_UNIT, unit=unit)
        misnamed = self._misnamed(written, unit) if self._is_strict else None
        if misnamed is None and coast is not None and coast != unit.location.coast:
            has_coast = unit.location.coast is not None
            rules = self.rules
            strictness = rules.wrong_coast_of_fleet if has_coast else rules.pointless_coast
            if strictness is Strictness.FAILS:
                misnamed = illegal(VoidReason.WRONG_COAST, places=(unit.location,))
        return misnamed or unit

    def _other_unit(self, own: Unit, written: WrittenUnit, missing: VoidReason) -> Unit | Void:
        """The unit to be supported or convoyed."""
        unit = self.units.get(written.location.province)
        if unit is None:
            return illegal(missing)
        if self._is_power_needed and written.power is None and unit.power != own.power:
            return illegal(VoidReason.WRONG_POWER, unit=unit)
        return (self._misnamed(written, unit) if self._is_strict else None) or unit

    def _misnamed(self, written: WrittenUnit, unit: Unit) -> Void | None:
        """Kind and nationality, left out or wrong (4.C.1, 4.C.2, 4.C.5, 4.C.6)."""
        rules = self.rules
        if rules.missing_kind is Leniency.INVALID and written.kind is None:
            return illegal(VoidReason.KIND_NEEDED, unit=unit)
        if rules.wrong_kind is Leniency.INVALID and written.kind not in (None, unit.kind):
            return illegal(VoidReason.WRONG_KIND, unit=unit)
        if rules.wrong_power is Leniency.INVALID and written.power not in (None, unit.power):
            return illegal(VoidReason.WRONG_POWER, unit=unit)
        return None

    def is_named_loosely(self, written: WrittenOrder, order: AnyOrder) -> bool:
        """Whether a legal order names a unit in a way that counts only while no other order to the
        same unit does better (4.C.1, 4.C.2, 4.C.5, 4.C.6, choice c)."""
        rules, loose = self.rules, Leniency.VALID_UNLESS_PROPER
        if isinstance(written, o.WrittenWaive) or isinstance(order, o.Waive):
            return False
        named: list[tuple[Unit | WrittenUnit, Unit | WrittenUnit]] = [(written.unit, order.unit)]
        name, other = o.other_unit(written), o.other_unit(order)
        if name is not None and other is not None:
            named.append((name, other))
        return any(
            (rules.missing_kind is loose and name.kind is None)
            or (rules.wrong_kind is loose and name.kind not in (None, unit.kind))
            or (
                rules.missing_power is loose
                and name.power is None
                and unit.power != order.unit.power
            )
            or (rules.wrong_power is loose and name.power not in (None, unit.power))
            for name, unit in named
        )

    # --- movement ------------------------------------------------------------------------------

    def movement_order(
        self, written: WrittenOrder, power: PowerId
    ) -> Order | o.Ride | o.Passage | Void:
        """The order of a unit on the board, or of a power; or why there is none."""
        # Types are compared because `isinstance` takes five times as long to say no.
        kind = type(written)
        if kind not in OF_MOVEMENT:
            for hook in self.variant.hooks:
                order = hook.order(self.units, written, power)
                if order is not None:
                    return order
            if kind is o.WrittenRide:
                return illegal(VoidReason.NO_RAILWAY)
            is_passage = kind is o.WrittenPassage
            return illegal(VoidReason.NO_CANAL if is_passage else VoidReason.WRONG_PHASE)
        unit = self.own_unit(cast(o.WrittenHold, written).unit, power)
        if not isinstance(unit, Unit):
            return unit
        if kind is o.WrittenMove:
            return self._move(unit, cast(o.WrittenMove, written))
        if kind is o.WrittenSupportMove or kind is o.WrittenSupportHold:
            return self._support(unit, cast(o.WrittenSupportHold | o.WrittenSupportMove, written))
        if kind is o.WrittenConvoy:
            return self._convoy(unit, cast(o.WrittenConvoy, written))
        return o.Hold(unit)

    def _way_of_variant(
        self, unit: Unit, target: ProvinceId, *, is_supported: bool = False
    ) -> Location | Void | None:
        """Where a move gets by the variant's own rules alone, or what they miss for it."""
        for hook in self.variant.hooks:
            way = hook.way(self.units, unit, target, is_supported=is_supported)
            if way is not None:
                return way
        return None

    def _move(self, unit: Unit, written: o.WrittenMove) -> Order | Void:
        target, board = written.target.province, self._board
        by_convoy = written.via_convoy or bool(written.path)
        reached = self._ways.reachable_locations(unit, target)
        is_convoyed = by_convoy and unit.kind is ARMY
        must_sail = is_convoyed and self.rules.land_or_convoy in VIA_BINDS
        if must_sail and reached and self._unconvoyable(unit.location.province, target) is not None:
            return illegal(VoidReason.VIA_IMPOSSIBLE)  # it could walk, but is not told to (4.E.1)
        if len(reached) == 1 and reached[0].coast == written.target.coast:
            return o.Move(unit, reached[0], is_convoyed)
        if target == unit.location.province:
            return illegal(VoidReason.SAME_PROVINCE)
        if not board.possible_locations(unit.kind, target):
            return illegal(VoidReason.CANNOT_STAND)
        if target in self.variant.closed:
            return illegal(VoidReason.CLOSED)
        if unit.kind is FLEET:
            place = self._fleet_target(unit, written.target, reached)
            return place if isinstance(place, Void) else o.Move(unit, place)
        if self.has_pointless_coast(written.target):
            return illegal(VoidReason.NO_SUCH_COAST)
        if not reached:
            void = self._unconvoyable(unit.location.province, target)
            if void is not None:
                return void
        return o.Move(unit, Location(target), via_convoy=by_convoy)

    def has_pointless_coast(self, place: Location) -> bool:
        """Whether a coast that means nothing there is named, and the rules do not ignore it."""
        return place.coast is not None and self.rules.pointless_coast is Strictness.FAILS

    def _unconvoyable(self, origin: ProvinceId, target: ProvinceId) -> Void | None:
        coasts = self._ways.coasts
        if origin not in coasts or target not in coasts:
            return illegal(VoidReason.NOT_ADJACENT)
        if not can_be_convoyed(self._board, origin, target, self._convoy_seas):
            return illegal(VoidReason.NO_CONVOY_POSSIBLE)
        return None

    def _fleet_target(
        self, unit: Unit, target: Location, reached: tuple[Location, ...]
    ) -> Location | Void:
        """4.B.1 - 4.B.3: the coast that a fleet goes to."""
        board, rules = self._board, self.rules
        if not reached:
            way = self._way_of_variant(unit, target.province)
            return way if way is not None else illegal(VoidReason.NOT_ADJACENT)
        if target in reached:
            return target
        if target.coast in board.provinces[target.province].coasts:
            if rules.unreachable_coast is UnreachableCoast.POSSIBLE_COAST and len(reached) == 1:
                return reached[0]
            return illegal(VoidReason.COAST_NOT_REACHED, places=reached)
        if self.has_pointless_coast(target):
            return illegal(VoidReason.NO_SUCH_COAST, places=reached)
        if len(reached) > 1:
            if rules.missing_coast is MissingCoast.DEFAULT_COAST:
                return reached[0]
            return illegal(VoidReason.COAST_NEEDED, places=reached)
        if reached[0].coast is not None and rules.only_coast is OnlyCoast.FAILS:
            return illegal(VoidReason.COAST_NEEDED, places=reached)
        return reached[0]

    def _support(
        self, unit: Unit, written: o.WrittenSupportHold | o.WrittenSupportMove
    ) -> Order | Void:
        supported = self._other_unit(unit, written.supported, VoidReason.NOTHING_TO_SUPPORT)
        if not isinstance(supported, Unit):
            return supported
        goal = written.target if type(written) is o.WrittenSupportMove else supported.location
        target = goal.province
        if supported is unit or target == unit.location.province:
            return illegal(VoidReason.SUPPORTS_ITSELF)
        if target in self.variant.closed:
            return illegal(VoidReason.CLOSED, unit=supported)
        if not self._ways.reachable_locations(unit, target):
            return illegal(VoidReason.CANNOT_SUPPORT_THERE, unit=supported)
        if type(written) is o.WrittenSupportHold:
            return o.SupportHold(unit, supported)
        place = self._supported_target(unit, supported, goal)
        if place is None:
            is_convoyed = supported.kind is ARMY and can_be_convoyed(
                self._board, supported.location.province, target, self._convoy_seas
            )
            needs_it = VoidReason.SUPPORTED_NEEDS_THIS_FLEET
            reason = needs_it if is_convoyed else VoidReason.SUPPORTED_CANNOT
            return illegal(reason, unit=supported)
        return o.SupportMove(unit, supported, place) if isinstance(place, Location) else place

    def _supported_target(
        self, unit: Unit, supported: Unit, target: Location
    ) -> Location | Void | None:
        """Where the supported unit goes, as far as the support must say it (4.B.4); None if it can
        never get there."""
        board, origin = self._board, supported.location.province
        if target.province == origin:
            return None
        reached = self._ways.reachable_locations(supported, target.province)
        if not reached and not board.possible_locations(supported.kind, target.province):
            return None
        if supported.kind is ARMY:
            if self.has_pointless_coast(target):
                return illegal(VoidReason.NO_SUCH_COAST)
            if reached:
                return Location(target.province)
            # A fleet cannot convoy the army whose move it supports (DATC 6.D.31).
            fleets = self._convoy_seas - {unit.location.province}
            if can_be_convoyed(board, origin, target.province, fleets):
                return Location(target.province)
        if not reached:
            return self._way_of_variant(supported, target.province, is_supported=True)
        choice, coasts = self.rules.support_coast, board.provinces[target.province].coasts
        if target.coast is None or choice is SupportCoast.IGNORED:
            is_required = choice is SupportCoast.REQUIRED or (
                choice is SupportCoast.REQUIRED_FOR_FOREIGN and supported.power != unit.power
            )
            if coasts and is_required:
                return illegal(VoidReason.SUPPORT_COAST_NEEDED, places=reached)
            return Location(target.province)
        if target in reached:
            return target
        if target.coast in coasts:
            return None
        if self.rules.pointless_coast is Strictness.FAILS:
            return illegal(VoidReason.NO_SUCH_COAST, places=reached)
        return Location(target.province)

    def _convoy(self, unit: Unit, written: o.WrittenConvoy) -> Order | Void:
        coasts = self._ways.coasts
        if unit.kind is not FLEET:
            return illegal(VoidReason.NOT_A_FLEET)
        if unit.location.province not in self._ways.seas:
            return illegal(VoidReason.NOT_AT_SEA)
        army = self._other_unit(unit, written.convoyed, VoidReason.NOTHING_TO_CONVOY)
        if not isinstance(army, Unit):
            return army
        if army.kind is not ARMY:
            return illegal(VoidReason.NOT_AN_ARMY, unit=army)
        origin, target = army.location.province, written.target.province
        if origin == target:
            return illegal(VoidReason.SAME_PROVINCE, unit=army)
        if target in self.variant.closed:
            return illegal(VoidReason.CLOSED, unit=army)
        is_by_water = origin in coasts and target in coasts
        on_routes = fleets_on_routes(self._board, origin, target, self._convoy_seas)
        if not is_by_water or unit.location.province not in on_routes:
            void = self._unconvoyable(origin, target)
            return void or illegal(VoidReason.NOT_ON_ROUTE, unit=army)
        return o.Convoy(unit, army, Location(target))

    def retreat_order(self, written: WrittenOrder, power: PowerId) -> o.Retreat | o.Disband | Void:
        """A retreat or disband of a dislodged unit; a move is read as a retreat."""
        if not isinstance(written, o.WrittenRetreat | o.WrittenMove | o.WrittenDisband):
            return illegal(VoidReason.WRONG_PHASE)
        province = written.unit.location.province
        here = [one for one in self.position.dislodged if one.unit.location.province == province]
        if not here:
            return illegal(VoidReason.NO_UNIT)
        unit, retreats = here[0].unit, here[0].retreats
        if unit.power != power:
            return illegal(VoidReason.FOREIGN_UNIT, unit=unit)
        void = self._misnamed(written.unit, unit)
        if void is not None:
            return void
        if isinstance(written, o.WrittenDisband):
            return o.Disband(unit)
        target = written.target
        if target.province in self.variant.closed:
            return illegal(VoidReason.CLOSED)
        there = tuple(place for place in retreats if place.province == target.province)
        if target in there:
            return o.Retreat(unit, target)
        if there and unit.kind is ARMY and not self.has_pointless_coast(target):
            return o.Retreat(unit, there[0])
        if there and unit.kind is FLEET and target.coast is None:
            if len(there) == 1 and self.rules.only_coast is OnlyCoast.ONLY_COAST:
                return o.Retreat(unit, there[0])
            return illegal(VoidReason.COAST_NEEDED, places=there)
        # Why it may not go there (docs/rules.md, retreats).
        goal, reason = target.province, VoidReason.NOT_A_RETREAT
        if not self._board.is_adjacent(unit.kind, unit.location, goal):
            reason = VoidReason.RETREAT_TOO_FAR
        elif goal in self.units:
            reason = VoidReason.RETREAT_OCCUPIED
        elif goal in self.position.contested:
            reason = VoidReason.RETREAT_CONTESTED
        elif goal == here[0].attacker_from:
            reason = VoidReason.RETREAT_TO_ATTACKER
        return illegal(reason, places=retreats)
