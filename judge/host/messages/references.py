"""Whose letter, which game, until when: what many blocks point at."""

from datetime import datetime, timedelta

import msgspec

from judge.rulebook import SeatId


class GameRef(msgspec.Struct, frozen=True, tag=True):
    """Which game and phase a block speaks of, and to which seat (None: master, stranger)."""

    name: str
    game: str
    variant: str
    label: str | None = None
    seat: SeatId | None = None


class Due(msgspec.Struct, frozen=True, tag=True):
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


class RosterEntry(msgspec.Struct, frozen=True, tag=True):
    """A seat as listings show it; `player` is a name, empty while the seat is vacant."""

    seat: SeatId
    player: str
    score: int
    in_play: bool = True
