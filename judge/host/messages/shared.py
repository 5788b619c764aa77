"""What all messages are, and parts of many: which game and phase, until when."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from judge.rulebook import SeatId


class Message(msgspec.Struct, frozen=True, tag=True):
    """One thing that a letter says: values, which `render/letters.py` puts into words."""


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
        by_master: the phase runs at the master's word alone.
    """

    at: datetime
    now: datetime
    grace: timedelta = timedelta(0)
    early: timedelta | None = None
    in_grace: bool = False
    waits: bool = False
    kept: bool = False
    held: bool = False
    by_master: bool = False


class Motion(msgspec.Struct, frozen=True):
    """A proposal as one reader may see it.

    Attributes:
        is_end: `kind` is an end of the rulebook's.
        by: who proposed it; None: that is not told.
        needed, voters: how many must say yes, of how many who vote on it.
        own: the reader's vote.
        yes, no: how many have voted so; None where that is not told.
        votes: who has voted how; None likewise.
        stands: until it is taken back; else until the phase has run.
        may_decide: the reader decides alone, as the master.
    """

    number: int
    kind: str
    is_end: bool
    needed: int
    voters: int
    seats: tuple[SeatId, ...] = ()
    at: datetime | None = None
    length: timedelta = timedelta(0)
    setting: str = ""
    value: str = ""
    by: SeatId | None = None
    own: bool | None = None
    yes: int | None = None
    no: int | None = None
    votes: Mapping[SeatId, bool] | None = None
    stands: bool = False
    may_decide: bool = False


class TenureEntry(msgspec.Struct, frozen=True):
    """Who held a seat from a phase to another; empty: not known since when, or to the end."""

    seat: SeatId
    player: str
    since: str
    until: str
    is_hidden: bool = False  # who it was is not told


class Written(msgspec.Struct, frozen=True):
    """A note or statement of a player's: its number (0 for a statement), the phase it is from."""

    seat: SeatId | None  # None: the master
    number: int
    label: str
    text: str


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
