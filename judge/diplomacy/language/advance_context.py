"""Where orders are read of which nobody knows yet what will stand where.

What a unit may do is tried on a board that holds it and the unit it speaks of, and nothing else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from msgspec import structs

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
        void, fitted = self._fit(written)
        if not fitted:
            return void
        is_named = isinstance(written, WrittenWaive) and bool(self.partners and written.power)
        if len(fitted) > 1 or is_named or (self.names_powers and _names_other(written)):
            self.loose[fitted[0]] = written
        return fitted[0]

    def _fit(self, written: WrittenOrder) -> tuple[Void, list[AnyOrder]]:
        void = illegal(VoidReason.WRONG_PHASE)
        if isinstance(written, WrittenWaive | WrittenBuild) or not _fits_phase(self, written):
            found = self._fit_adjustment(written) if self.is_adjustment else void
            return (found, []) if isinstance(found, Void) else (void, [found])
        fitted: list[AnyOrder] = []
        named = written.unit.power or self.power
        if named not in self.powers and not isinstance(written, WrittenPassage):
            return illegal(VoidReason.WRONG_POWER), []
        void = illegal(VoidReason.CANNOT_STAND)
        for own in candidates(self.variant, written.unit, named):
            for other in _others(self, written, own):
                found = self._fit_units(written, own, other)
                if isinstance(found, Void):
                    void = found
                elif found not in fitted:
                    fitted.append(found)
        return void, fitted

    def _fit_units(self, written: WrittenOrder, own: Unit, other: Unit | None) -> AnyOrder | Void:
        units = (own,) if other is None or other == own else (own, other)
        position = structs.replace(
            self.position, units=(*units, *self._bystanders(units)), owners={}
        )
        legality = Legality(self.variant, self.rules, position)
        if self.is_adjustment:
            return adjustment_order(legality, written, own.power)
        power = self.power if isinstance(written, WrittenPassage) else own.power
        return legality.movement_order(written, power)

    def _bystanders(self, units: Sequence[Unit]) -> Iterator[Unit]:
        """Where a variant's own rules ask for units, as the canal for its keeper: armies all over
        the board."""
        taken = {unit.location.province for unit in units}
        if self.variant.hooks and not self.is_adjustment:
            for province in self.variant.board.provinces:
                for place in self.variant.board.stands(UnitKind.ARMY, province):
                    if province not in taken:
                        yield Unit(self.power, UnitKind.ARMY, place)

    def _fit_adjustment(self, written: WrittenOrder) -> AnyOrder | Void:
        """Builds and waives, as if all centers to build in were owned and open."""
        legality = Legality(self.variant, self.rules, self.position)
        return adjustment_order(legality, written, self.power_for(written))


def _names_other(written: WrittenOrder) -> bool:
    """Whether it says whose unit is supported or convoyed."""
    other = getattr(written, "supported", None) or getattr(written, "convoyed", None)
    return isinstance(other, WrittenUnit) and other.power is not None


def _fits_phase(context: OrderContext, written: WrittenOrder) -> bool:
    if context.is_adjustment:
        return isinstance(written, WrittenDisband)
    return isinstance(written, (*OF_MOVEMENT, WrittenRide, WrittenPassage))


def candidates(variant: Variant, written: WrittenUnit, power: PowerId) -> Iterator[Unit]:
    """The units that may be meant: of either kind, on any coast, as far as it was not said."""
    kinds = (written.kind,) if written.kind else tuple(UnitKind)
    for kind in kinds:
        for place in variant.board.stands(kind, written.location.province):
            if written.location.coast in (None, place.coast):
                yield Unit(power, kind, place)


def _others(context: OrderContext, written: WrittenOrder, own: Unit) -> Iterator[Unit | None]:
    """The units that are supported or convoyed, of any power: whose they will be nobody knows."""
    match written:
        case WrittenSupportHold() | WrittenSupportMove():
            named = written.supported
        case WrittenConvoy():
            named = written.convoyed
        case _:
            yield None
            return
    if named.location.province == own.location.province:
        yield own
        return
    foreign = next(power for power in context.variant.power_ids if power not in context.powers)
    yield from candidates(context.variant, named, named.power or foreign)


def advance_context(
    variant: Variant,
    rules: Rules,
    phase: Phase,
    power: PowerId,
    partners: tuple[PowerId, ...] = (),
) -> AdvanceContext:
    """The desk of a later phase: nothing stands anywhere, and every center can be built in that the
    variant ever lets its power build in."""
    owners: dict[ProvinceId, PowerId] = {}
    for each in map(variant.power, (power, *partners)):
        for center in sorted({*each.home_centers, *each.sites}):
            owners.setdefault(center, each.id)
    free = replace(rules, illegal_orders=IllegalOrders.NEVER_POSSIBLE, missing_power=Leniency.VALID)
    names_powers = rules.missing_power is Leniency.INVALID and has_named_powers(variant)
    return AdvanceContext(
        variant,
        free,
        Position(phase, (), owners),
        power,
        partners=partners,
        names_powers=names_powers,
    )
