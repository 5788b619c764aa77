"""Phases and their order: which turn follows which, and when adjustments are made.

Knows nothing of what happens in a phase, nor which phases are skipped.
"""

import re
from enum import StrEnum
from functools import lru_cache

import msgspec


class PhaseKind(StrEnum):
    """The three kinds of phase."""

    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"


class Phase(msgspec.Struct, frozen=True):
    """One phase as printed: `S1901M`. `letter` is empty in a calendar without seasons."""

    letter: str
    year: int
    kind: PhaseKind

    def __str__(self) -> str:
        return f"{self.letter}{self.year}{self.kind}"


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One movement phase and its retreats; `years_after` counts from its cycle's first year."""

    letter: str
    years_after: int


class Cycle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cycle of turns, with adjustments after the last of them."""

    first_year: int
    cycle_years: int
    adjustment_letter: str
    turns: tuple[Turn, ...]


class Calendar(Cycle, frozen=True):
    """A cycle that repeats."""

    # The phase a game begins with if it is not the first movement: a later one, or the adjustments
    # before it.
    opening: Phase | None = None

    def first(self) -> Phase:
        """The phase a game begins with."""
        first = Phase(self.turns[0].letter, self._year(self.turns[0]), PhaseKind.MOVEMENT)
        return self.opening or first

    def before_first(self) -> Phase:
        """The adjustments that would stand before the first movement."""
        year = self._year(self.turns[-1]) - self.cycle_years
        return Phase(self.adjustment_letter, year, PhaseKind.ADJUSTMENT)

    def _year(self, turn: Turn) -> int:
        """The year of a turn in the first cycle."""
        return self.first_year + turn.years_after

    def has(self, phase: Phase) -> bool:
        """Whether this calendar ever comes to such a phase."""
        if phase.kind is PhaseKind.ADJUSTMENT and phase.letter != self.adjustment_letter:
            return False
        return self._turn(phase) is not None

    def after(self, phase: Phase) -> Phase:
        """The phase that follows, skipped or not.

        Raises:
            ValueError: this calendar has no such phase.
        """
        turn = self._turn(phase)
        if turn is None:
            raise ValueError(f"no phase {phase} in this calendar")
        if phase.kind is PhaseKind.MOVEMENT:
            return Phase(phase.letter, phase.year, PhaseKind.RETREAT)
        place = self.turns.index(turn)
        cycle_year = phase.year - turn.years_after
        if phase.kind is PhaseKind.RETREAT and turn == self.turns[-1]:
            return Phase(self.adjustment_letter, phase.year, PhaseKind.ADJUSTMENT)
        if phase.kind is PhaseKind.ADJUSTMENT:
            place, cycle_year = -1, cycle_year + self.cycle_years
        coming = self.turns[place + 1]
        return Phase(coming.letter, cycle_year + coming.years_after, PhaseKind.MOVEMENT)

    def is_before_adjustment(self, phase: Phase) -> bool:
        """Whether centers change hands when this phase and its retreats are over."""
        return phase.kind is not PhaseKind.ADJUSTMENT and self._turn(phase) == self.turns[-1]

    def _turn(self, phase: Phase) -> Turn | None:
        """The turn of the cycle a phase belongs to; adjustments belong to the last."""
        into_cycle = (phase.year - self.first_year) % self.cycle_years
        if phase.year < self.first_year and phase != self.opening:
            return None
        if phase.kind is PhaseKind.ADJUSTMENT:
            last = self.turns[-1]
            return last if last.years_after == into_cycle else None
        for turn in self.turns:
            if turn.letter == phase.letter and turn.years_after == into_cycle:
                return turn
        return None


MEMO_LABELS = 256  # parsed labels that are kept; all games of a judge are in fewer phases
_LABEL = re.compile(r"([A-Z]?)([0-9]{1,5})([MRA])")


@lru_cache(maxsize=MEMO_LABELS)
def parse_phase(text: str) -> Phase:
    """The phase of a label such as `S1901M`; pair of `str(phase)`. Raises ValueError: it has
    another form."""
    found = _LABEL.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no phase; one looks like S1901M")
    return Phase(found[1], int(found[2]), PhaseKind(found[3]))
