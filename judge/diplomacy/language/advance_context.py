"""Where orders are read of which nobody knows yet what will stand where.

What a unit may do is tried on a board that holds it and the unit it speaks of, and nothing else.
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from judge.diplomacy.building import adjustment_order
from judge.diplomacy.calendar import Phase
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.legality import OF_MOVEMENT, Legality, illegal
from judge.diplomacy.orders import (
    AnyOrder,
    PowerId,
    ProvinceId,
    Unit,
    UnitKind,
    WrittenBuild,
    WrittenConvoy,
    WrittenDisband,
    WrittenOrder,
    WrittenPassage,
    WrittenRide,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.position import Position
from judge.diplomacy.records import Adjustment
from judge.diplomacy.rules import IllegalOrders, Leniency, Rules
from judge.diplomacy.variants.variant import Variant, has_named_powers


@dataclass(frozen=True)
class AdvanceContext(OrderContext):
    """Where orders are read of which nobody knows yet what will stand where.

    Attributes:
        names_powers: the rules want the powers of foreign units named (DATC 4.C.5).
        loose: orders that are stored as they were written: they fit with more than one kind of
            unit, or on more than one coast, and the position will tell; or they name a power that
            the order alone would not tell.
    """

    names_powers: bool = False
    loose: dict[AnyOrder, WrittenOrder] = field(default_factory=dict, compare=False)

    def own_unit(self, written: WrittenOrder) -> Unit | None:
        del written
        return None

    def key_for(self, written: WrittenOrder) -> str | None:
        match written:
            case WrittenWaive():
                return None
            case WrittenBuild(unit):
                return f"B {unit.location.province}"
            case WrittenPassage(unit):
                return f"SC {unit.location.province}"
            case _:
                return written.unit.location.province

    def dues(self, power: PowerId) -> Adjustment:
        most = len(self.variant.board.centers)
        return Adjustment(power, builds=most, disbands=most)

    def fit(self, written: WrittenOrder) -> AnyOrder | Void:
        """An order that could be given if its units stood there, or why none ever could."""
        found = self._fitting(written)
        if isinstance(found, Void):
            return found
        is_named = isinstance(written, WrittenWaive) and bool(self.partners and written.power)
        other = getattr(written, "supported", None) or getattr(written, "convoyed", None)
        names_other = isinstance(other, WrittenUnit) and other.power is not None
        if len(found) > 1 or is_named or (self.names_powers and names_other):
            self.loose[found[0]] = written
        return found[0]

    def _fitting(self, written: WrittenOrder) -> list[AnyOrder] | Void:
        """All that it could be, of whichever kind and on whichever coast its units stand."""
        of_phase = (*OF_MOVEMENT, WrittenRide, WrittenPassage)
        if self.is_adjustment and not isinstance(written, WrittenDisband):
            # As if all centers to build in were owned and open.
            legality = Legality(self.variant, self.rules, self.position)
            order = adjustment_order(legality, written, self.power_for(written))
            return order if isinstance(order, Void) else [order]
        if not self.is_adjustment and not isinstance(written, of_phase):
            return illegal(VoidReason.WRONG_PHASE)
        assert not isinstance(written, WrittenWaive)
        named = written.unit.power or self.power
        if named not in self.powers and not isinstance(written, WrittenPassage):
            return illegal(VoidReason.WRONG_POWER)
        void, fitted = illegal(VoidReason.CANNOT_STAND), list[AnyOrder]()
        for own in candidates(self.variant, written.unit, named):
            for other in self._others(written, own):
                found = self._fit_units(written, own, other)
                if isinstance(found, Void):
                    void = found
                elif found not in fitted:
                    fitted.append(found)
        return fitted or void

    def _others(self, written: WrittenOrder, own: Unit) -> Iterator[Unit]:
        """The units that are supported or convoyed, of any power: whose they will be nobody knows;
        the own one where there is none."""
        match written:
            case WrittenSupportHold(supported=named) | WrittenSupportMove(supported=named):
                pass
            case WrittenConvoy(convoyed=named):
                pass
            case _:
                named = WrittenUnit(own.location)
        if named.location.province == own.location.province:
            yield own
            return
        foreign = next(power for power in self.variant.power_ids if power not in self.powers)
        yield from candidates(self.variant, named, named.power or foreign)

    def _fit_units(self, written: WrittenOrder, own: Unit, other: Unit) -> AnyOrder | Void:
        units = [own] if other == own else [own, other]
        if self.variant.hooks and not self.is_adjustment:
            # Where a variant's own rules ask for units, as the canal for that of its power: armies
            # all over the board.
            taken = {unit.location.province for unit in units}
            units += [
                Unit(self.power, UnitKind.ARMY, place)
                for province in self.variant.board.provinces
                if province not in taken
                for place in self.variant.board.stands(UnitKind.ARMY, province)
            ]
        position = replace(self.position, units=tuple(units), owners={})
        legality = Legality(self.variant, self.rules, position)
        if self.is_adjustment:
            return adjustment_order(legality, written, own.power)
        power = self.power if isinstance(written, WrittenPassage) else own.power
        return legality.movement_order(written, power)


def candidates(variant: Variant, written: WrittenUnit, power: PowerId) -> Iterator[Unit]:
    """The units that may be meant: of either kind, on any coast, as far as it was not said."""
    for kind in (written.kind,) if written.kind else tuple(UnitKind):
        for place in variant.board.stands(kind, written.location.province):
            if written.location.coast in (None, place.coast):
                yield Unit(power, kind, place)


def advance_context(
    variant: Variant,
    rules: Rules,
    phase: Phase,
    power: PowerId,
    partners: tuple[PowerId, ...] = (),
) -> AdvanceContext:
    """The context of a later phase: nothing stands anywhere, and every center can be built in that
    the variant ever lets its power build in."""
    owners: dict[ProvinceId, PowerId] = {}
    for each in map(variant.power, (power, *partners)):
        for center in sorted({*each.home_centers, *each.sites}):
            owners.setdefault(center, each.id)
    free = dataclasses.replace(
        rules, illegal_orders=IllegalOrders.NEVER_POSSIBLE, missing_power=Leniency.VALID
    )
    names_powers = rules.missing_power is Leniency.INVALID and has_named_powers(variant)
    position = Position(phase, (), owners)
    return AdvanceContext(
        variant, free, position, power, partners=partners, names_powers=names_powers
    )
