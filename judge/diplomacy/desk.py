"""What a power's letter is read against: the board, the rules, the position, what is due.

Knows nothing of lines or words beyond the variant's lexicon.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from judge.diplomacy.adjustments import adjustment_due
from judge.diplomacy.building import adjustment_order
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.legality import Legality, illegal
from judge.diplomacy.names import Lexicon, lexicon
from judge.diplomacy.orders import (
    AnyOrder,
    Build,
    Location,
    PowerId,
    ProvinceId,
    Unit,
    Waive,
    WrittenBuild,
    WrittenDisband,
    WrittenMove,
    WrittenOrder,
    WrittenWaive,
)
from judge.diplomacy.outcome import Void, VoidReason
from judge.diplomacy.position import Dislodged, Position
from judge.diplomacy.records import Adjustment
from judge.diplomacy.rules import Rules
from judge.diplomacy.variant import Variant

_BUILDS_ELSEWHERE = (
    VoidReason.NOT_A_HOME_CENTER,
    VoidReason.NOBODYS_HOME_CENTER,
    VoidReason.NOT_A_CENTER,
    VoidReason.NOT_OWNED,
    VoidReason.OCCUPIED,
)
WAIVE_KEY = "WAIVE"


@dataclass(frozen=True)
class Desk:
    """Where one power's orders are read in one position.

    Attributes:
        stored: the orders that its sheet already holds; a letter's orders replace single ones.
    """

    variant: Variant
    rules: Rules
    position: Position
    power: PowerId
    stored: tuple[AnyOrder, ...] = ()

    @property
    def label(self) -> str:
        return str(self.position.phase)

    @property
    def words(self) -> Lexicon:
        return lexicon(self.variant)

    @property
    def is_adjustment(self) -> bool:
        return self.position.phase.kind is PhaseKind.ADJUSTMENT

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The own units that may be ordered in this phase: those dislodged, in retreats."""
        if self.position.phase.kind is PhaseKind.RETREAT:
            return tuple(each.unit for each in self.dislodged)
        return self.position.units_of(self.power)

    @cached_property
    def dislodged(self) -> tuple[Dislodged, ...]:
        """The own units that must retreat."""
        return tuple(each for each in self.position.dislodged if each.unit.power == self.power)

    def own_unit(self, written: WrittenOrder) -> Unit | None:
        """The own unit that the order is for, if there is one where it says."""
        if isinstance(written, WrittenWaive):
            return None
        province = written.unit.location.province
        return next((each for each in self.units if each.location.province == province), None)

    def fit(self, written: WrittenOrder) -> AnyOrder | Void:
        """The order on the board that the written one is, or why there is none."""
        if isinstance(written, WrittenMove) and not all(map(self._is_sea, written.path)):
            return illegal(VoidReason.NO_CONVOY_POSSIBLE)
        legality = self._legality
        match self.position.phase.kind:
            case PhaseKind.MOVEMENT:
                return legality.movement_order(written, self.power)
            case PhaseKind.RETREAT:
                return legality.retreat_order(written, self.power)
            case PhaseKind.ADJUSTMENT:
                return adjustment_order(legality, written, self.power)
            case _:
                assert_never(self.position.phase.kind)

    def _is_sea(self, province: ProvinceId) -> bool:
        return province in self.variant.board.provinces and self.variant.board.is_sea(province)

    def key_for(self, written: WrittenOrder) -> str | None:
        """The key of the order if it could be taken; None if it is for no unit of one's own."""
        match written:
            case WrittenWaive():
                return None
            case WrittenBuild(unit):
                return f"B {unit.location.province}" if self.is_adjustment else None
            case _:
                unit_there = self.own_unit(written)
                return unit_there.location.province if unit_there else None

    @cached_property
    def adjustment(self) -> Adjustment:
        """What is due in adjustments."""
        return adjustment_due(self.position, self.variant.power(self.power))

    @property
    def builds_due(self) -> int:
        return self.adjustment.builds

    @property
    def disbands_due(self) -> int:
        return self.adjustment.disbands

    def places_for(self, reason: VoidReason) -> tuple[Location, ...]:
        """Where it could be done instead: the open centers, for a build elsewhere."""
        if reason not in _BUILDS_ELSEWHERE:
            return ()
        return tuple(Location(center) for center in self.adjustment.open)

    def count_due(self, written: WrittenOrder) -> int:
        """How many orders of that kind are due; 0 outside of adjustments."""
        if not self.is_adjustment:
            return 0
        return self.disbands_due if isinstance(written, WrittenDisband) else self.builds_due

    @cached_property
    def _legality(self) -> Legality:
        return Legality(self.variant, self.rules, self.position)


def order_key(order: AnyOrder) -> str:
    """What a stored order is for: a later one of the same key replaces it.

    The unit's province; `B PAR` for a build. Waives are told apart by their number, which is not
    known here.
    """
    match order:
        case Waive():
            return WAIVE_KEY
        case Build(unit):
            return f"B {unit.location.province}"
        case _:
            return order.unit.location.province
