"""What all messages are, and parts of many: which game and phase, until when."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from judge.rulebook import SeatId


class Message(msgspec.Struct, frozen=True, tag=True):
    """One thing that a letter says: values, which `render/letters.py` puts into words."""


class GameRef(msgspec.Struct, frozen=True):
    """Which game and phase a message speaks of, and to which seat (None: master, stranger)."""

    name: str
    game: str
    variant: str
    label: str | None = None
    seat: SeatId | None = None
    times: int = 1  # how often the phase was opened; more than once after a rollback
    # The reader runs a blind game and does not play in it, so nothing of it is hidden from them.
    sees_all: bool = False


class IfSilent(StrEnum):
    """What follows where nothing more comes from a seat."""

    RULES = ""  # what is stored runs, and the rules say the rest
    WAITS = "waits"  # the phase does not run
    ENDS = "ends"  # the practice game is over
    DEFENDED = "defended"  # the computer orders for it


class Due(msgspec.Struct, frozen=True):
    """Until when, as it stood at `now`."""

    at: datetime  # the deadline, or the end of grace when `in_grace`
    now: datetime
    # What follows the deadline for those who owe orders; zero if none.
    grace: timedelta = timedelta(0)
    # The phase runs this long after the last change once all are complete; None if it never runs
    # early (a phase that waits for everybody, or somebody waits).
    early: timedelta | None = None
    in_grace: bool = False
    waits: bool = False  # no clock runs: the game waits for all first orders
    # The phase before ran early, and the deadline is the one that was announced for it.
    kept: bool = False
    held: bool = False  # the game is on hold: no clock runs until it goes on
    by_master: bool = False  # the phase runs at the master's word alone
    by_ready: bool = False  # no clock runs, and the phase runs when all have said READY
    may_wait: bool = True  # the reader may ask it not to run before the deadline
    if_silent: IfSilent = IfSilent.RULES


class Motion(msgspec.Struct, frozen=True):
    """A proposal as one reader may see it."""

    number: int
    kind: str
    is_end: bool  # `kind` is an end of the rulebook's
    # needed, voters: how many must say yes, of how many who vote on it; 0 where that is not told.
    needed: int
    voters: int
    seats: tuple[SeatId, ...] = ()
    at: datetime | None = None
    length: timedelta = timedelta(0)
    setting: str = ""
    value: str = ""
    by: SeatId | None = None  # who proposed it; None: that is not told
    own: bool | None = None  # the reader's vote
    # yes, no: how many have voted so; None where that is not told.
    yes: int | None = None
    no: int | None = None
    votes: Mapping[SeatId, bool] | None = None  # who has voted how; None: not told
    stands: bool = False  # until it is taken back; else until the phase has run
    may_decide: bool = False  # the reader decides alone, as the master
    is_majority: bool = False  # more than half of the voters decide
    has_standby: bool = True  # a standby is asked for where a seat becomes vacant by it


class HoldupKind(StrEnum):
    """What holds a game up; each has its sentence, and most a line that changes it. In brackets the
    values."""

    HALTED = "halted"  # by the keeper
    ASKING = "asking"  # who: wants to join
    DRAFT = "draft"
    FAULTS = "faults"  # in the settings of a draft
    PLACES = "places"  # count: of players that are still needed
    SHORT = "short"  # likewise, where it may begin without them
    CONFIRMING = "confirming"  # count, at: a full game whose players say YES once more
    TO_START = "to_start"  # full, and begun by its master
    SCHEDULED = "scheduled"  # at: full, and not to begin before
    HELD = "held"  # at, reason
    READY = "ready"  # the phase is the master's to run, and can run
    MANUAL = "manual"  # the phase is the master's to run, later
    MAILBOX = "mailbox"  # which could not be read past the deadline
    WAITS = "waits"  # seats: without which the phase never runs
    GRACE = "grace"  # seats, at
    OWING = "owing"  # seats
    UNREADY = "unready"  # seats: all must say READY
    FAULTY = "faulty"  # seats: told of a problem that is still open
    WAIT = "wait"  # seats or count
    PAUSED = "paused"  # at: by agreement
    VOTE = "vote"  # motion: that the master may decide
    END_VOTE = "end_vote"  # motion: that players alone decide
    NO_EARLY = "no_early"  # all is in, and the game waits for its deadline
    VACANT = "vacant"  # seats: one
    LEAVING = "leaving"  # seats: one whose player looks for a successor
    MISSED = "missed"  # seats: one; count: of phases in a row
    STANDBY = "standby"  # seats


class Holdup(msgspec.Struct, frozen=True):
    """Something that holds a game up, or soon may, as its master may know it."""

    kind: HoldupKind
    seats: tuple[SeatId, ...] = ()
    who: str = ""
    count: int = 0
    at: datetime | None = None
    reason: str = ""
    motion: Motion | None = None


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


class Person(msgspec.Struct, frozen=True):
    """Somebody by name."""

    who: str


class RatingMove(msgspec.Struct, frozen=True):
    """How a finished game changed a player's rating; `games`: how many it is made of now."""

    variant: str
    before: int
    after: int
    games: int
