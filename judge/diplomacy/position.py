"""A position: what stands where and who owns what when a phase begins.

Knows nothing of orders or of how a phase is resolved.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from judge.diplomacy.calendar import Phase
from judge.diplomacy.orders import Location, PowerId, ProvinceId, Unit, UnitKind, Value

if TYPE_CHECKING:
    from judge.diplomacy.variants.variant import Variant


class Dislodged(Value, frozen=True):
    """A unit that was driven out and must retreat or disband."""

    unit: Unit  # the unit, with the location it was driven from
    # Where its attacker came from, closed to it unless by convoy (DATC 4.A.5).
    attacker_from: ProvinceId
    by_convoy: bool = False  # whether the attacker came by convoy
    retreats: tuple[Location, ...] = ()  # where it may go, in order; empty if nowhere


class Position(Value, frozen=True):
    """The state of the board before a phase."""

    phase: Phase  # the phase that is to be played
    # All units but dislodged ones; by power, then armies before fleets, then location.
    units: tuple[Unit, ...]
    owners: Mapping[ProvinceId, PowerId]  # the owner of each owned supply center
    # Units that must retreat, only in a retreat phase; in the order of `units`.
    dislodged: tuple[Dislodged, ...] = ()
    # Provinces left empty by a standoff, closed to retreats; in order of their ids.
    contested: tuple[ProvinceId, ...] = ()

    def units_of(self, power: PowerId) -> tuple[Unit, ...]:
        """A power's units, without dislodged ones."""
        return tuple(unit for unit in self.units if unit.power == power)

    def centers_of(self, power: PowerId) -> tuple[ProvinceId, ...]:
        """A power's supply centers, in the order of their ids."""
        return tuple(sorted(center for center, owner in self.owners.items() if owner == power))

    def unit_at(self, province: ProvinceId) -> Unit | None:
        """The unit that stands in a province; dislodged units do not count."""
        for unit in self.units:
            if unit.location.province == province:
                return unit
        return None


def sort_units(units: Iterable[Unit], powers: tuple[PowerId, ...]) -> tuple[Unit, ...]:
    """Units in the order of everything listed: power, armies before fleets, location."""
    ranks = {power: rank for rank, power in enumerate(powers)}

    def place(unit: Unit) -> tuple[int, UnitKind, ProvinceId, str]:
        location = unit.location
        return ranks[unit.power], unit.kind, location.province, location.coast or ""

    return tuple(sorted(units, key=place))


def start_position(variant: "Variant") -> Position:
    """The position a game begins with: powers own their home centers, where a variant gives them
    no others.

    Rule: rulebook 2000 (seed 000), supply centers at the start of the game.
    """
    units = [unit for power in variant.powers for unit in power.start_units]
    return Position(
        phase=variant.calendar.first(),
        units=sort_units(units, variant.power_ids),
        owners={center: power.id for power in variant.powers for center in power.start_centers},
    )
