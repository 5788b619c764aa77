"""Whose letter, which game, until when: what many blocks point at."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.rulebook import SeatId


@dataclass(frozen=True, slots=True)
class GameRef:
    """Which game and phase a block speaks of, and to which seat (None: master, stranger)."""

    name: str
    game: str
    variant: str
    label: str | None = None
    seat: SeatId | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """Until when, as it stood at `now`.

    Attributes:
        at: the deadline, or the end of grace when `in_grace`.
        grace: what follows the deadline for those who owe orders; zero if none.
        early: the phase runs this long after the last change once all are complete; None if it
            never runs early (first movement phase, or somebody waits).
        waits: no clock runs: the game waits for all first orders.
    """

    at: datetime
    now: datetime
    grace: timedelta = timedelta(0)
    early: timedelta | None = None
    in_grace: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A seat as listings show it; `player` is a name, empty while the seat is vacant."""

    seat: SeatId
    player: str
    score: int
    in_play: bool = True
