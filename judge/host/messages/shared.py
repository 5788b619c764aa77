"""Parts of many messages: whose letter it is, which game and phase, until when."""

from datetime import datetime, timedelta

import msgspec

from judge.rulebook import SeatId


class GameRef(msgspec.Struct, frozen=True):
    """Which game and phase a message speaks of, and to which seat (None: master, stranger).

    `times`: how often the phase was opened; more than once after a rollback.
    """

    name: str
    game: str
    variant: str
    label: str | None = None
    seat: SeatId | None = None
    times: int = 1


class Due(msgspec.Struct, frozen=True):
    """Until when, as it stood at `now`.

    Attributes:
        at: the deadline, or the end of grace when `in_grace`.
        grace: what follows the deadline for those who owe orders; zero if none.
        early: the phase runs this long after the last change once all are complete; None if it
            never runs early (a phase that waits for everybody, or somebody waits).
        waits: no clock runs: the game waits for all first orders.
        kept: the phase before ran early, and the deadline is the one that was announced for it.
        held: the game is on hold: no clock runs until it goes on.
    """

    at: datetime
    now: datetime
    grace: timedelta = timedelta(0)
    early: timedelta | None = None
    in_grace: bool = False
    waits: bool = False
    kept: bool = False
    held: bool = False


class RosterEntry(msgspec.Struct, frozen=True):
    """A seat as listings show it; `player` is a name, empty while the seat is vacant."""

    seat: SeatId
    player: str
    score: int
    in_play: bool = True
    is_computer: bool = False
    is_hidden: bool = False  # somebody has it, who is not named
    is_dummy: bool = False  # nobody is to play it


class RatingMove(msgspec.Struct, frozen=True):
    """How a finished game changed a player's rating; `games`: how many it is made of now."""

    variant: str
    before: int
    after: int
    games: int
