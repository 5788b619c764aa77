"""Orders of a blind game: read by what their power sees, never by what stands out of its sight.

A support or convoy of a unit out of sight is taken if any unit could be ordered so there, whether
one stands there or not; and fleets may stand on all seas. What came of it the results tell.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from msgspec.structs import replace as replace_fields

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator import Legality
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.orders import AnyOrder, PowerId, ProvinceId, Unit, WrittenOrder, other_unit
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.rules import IllegalOrders, Leniency

NOBODY = PowerId("")  # whose a unit out of sight is, nobody asks


@dataclass(frozen=True)
class BlindContext(OrderContext):
    """Where orders are read in a position of which the seat sees a part. Units may be named
    loosely: the judge names them when the phase runs.

    Attributes:
        seen: the provinces that it sees; `position` holds nothing of others.
    """

    seen: frozenset[ProvinceId] = frozenset()

    def fit(self, written: WrittenOrder) -> AnyOrder | Void:
        """As `OrderContext.fit`; of units out of sight nothing is known but where they could
        stand."""
        other = other_unit(written)
        is_seen = other is None or other.location.province in self.seen
        if self.position.phase.kind is not PhaseKind.MOVEMENT or (is_seen and not self._is_hooked):
            return super().fit(written)
        power = self.power_for(written)
        if isinstance(written, o.WrittenWaive) or other is None or is_seen:
            found = super().fit(written)
            return self._fit_with(written, power, ()) if isinstance(found, Void) else found
        own = self.legality.own_unit(written.unit, power)
        if isinstance(own, Void):
            return own
        void: Void | None = None
        for unit in self.candidates(other, other.power or NOBODY):
            found = self._fit_with(written, power, (unit,))
            if not isinstance(found, Void):
                self.loose[found] = written
                return found
            void = replace_fields(found, unit=None)
        return void or Void(VoidReason.CANNOT_STAND, illegal=True)

    @cached_property
    def legality(self) -> Legality:
        free = replace(
            self.rules,
            illegal_orders=IllegalOrders.NEVER_POSSIBLE,
            missing_kind=Leniency.VALID,
            wrong_kind=Leniency.VALID,
            missing_power=Leniency.VALID,
            wrong_power=Leniency.VALID,
        )
        return Legality(self.variant, free, self.position)

    @property
    def _is_hooked(self) -> bool:
        """Whether the variant has rules of its own that ask for units, as at a canal."""
        return bool(self.variant.hooks)

    def _fit_with(
        self, written: WrittenOrder, power: PowerId, others: Iterable[Unit]
    ) -> AnyOrder | Void:
        """The order as if these units stood where nothing is seen; where the variant's own rules
        ask for units, armies of its power stand all over the rest of it."""
        if not isinstance(written, o.WrittenWaive | o.WrittenPassage):
            own = self.legality.own_unit(written.unit, power)
            if isinstance(own, Void):
                return own
        units = [*self.position.units, *others]
        if self._is_hooked:
            taken = {*self.seen, *(unit.location.province for unit in others)}
            units += [
                Unit(power, o.ARMY, place)
                for province in self.variant.board.provinces
                if province not in taken
                for place in self.variant.board.stands(o.ARMY, province)
            ]
        position = replace_fields(self.position, units=tuple(units))
        free = self.legality.rules
        return Legality(self.variant, free, position).movement_order(written, power)
