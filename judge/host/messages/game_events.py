"""What happens in a running game: start, results, reminders, seats, the end."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from judge.host.messages.order_answers import AdvanceOpened
from judge.host.messages.shared import (
    Due,
    GameRef,
    Message,
    Motion,
    RatingMove,
    RosterEntry,
    TenureEntry,
    Written,
)
from judge.rulebook import NO_JSON, Note, OrderSet, SeatId
from judge.store import GameSettings


class Started(Message, frozen=True):
    """A game's first letter to a seat (or to its master: `game.seat` None)."""

    game: GameRef
    view: msgspec.Raw
    settings: GameSettings
    roster: tuple[RosterEntry, ...]
    seed_hash: str
    due: Due
    # until, suggested: of a practice game, the label of its last phase, and orders to copy.
    until: str = ""
    suggested: OrderSet = ()


class Results(Message, frozen=True):
    """What happened in a phase, to one seat, and what it has to send next."""

    game: GameRef
    # report, own: the rulebook's report, public part and the seat's.
    report: msgspec.Raw
    own: msgspec.Raw
    # What the seat may see of the phase that opened; its `task` is rendered from it.
    next_view: msgspec.Raw
    next: GameRef | None  # the phase that opened; None when the game is over
    is_awaited: bool  # the seat has something to send in it
    due: Due | None
    # Seats that sent nothing and are in civil disorder for this phase.
    missing: tuple[SeatId, ...] = ()
    vacated: tuple[SeatId, ...] = ()  # of `missing` those whose seat is vacant now
    awaited: tuple[SeatId, ...] = ()  # seats that have something to send in the next phase
    grace: timedelta = timedelta(0)
    skipped: tuple[msgspec.Raw, ...] = ()  # further reports of phases in which nobody had a choice
    skipped_own: tuple[msgspec.Raw, ...] = ()
    held: tuple[SeatId, ...] = ()  # of `missing` those whose seat is still its player's
    is_absence: bool = True  # sending nothing in the phase that ran was an absence
    # Of `missing` those whom the computer gave orders that only defend.
    defended: tuple[SeatId, ...] = ()
    # Of `missing` those for whose seats a standby is asked for orders.
    standbys: tuple[SeatId, ...] = ()
    # Of `missing` those whose standby's orders ran, and who plays the seat now.
    taken: tuple[SeatId, ...] = ()
    at_risk: bool = True  # the reader's seat is lost by another absence
    # What became of lines that the seat had stored for later phases; None if of none.
    advance: AdvanceOpened | None = None
    # remarks, suggested: the rulebook's, on the orders of somebody who practices; and orders for
    # the next phase that they may copy.
    remarks: tuple[Note, ...] = ()
    suggested: OrderSet = ()
    lapsed: tuple[Motion, ...] = ()  # what was voted on, as far as the reader may know
    # Of `report` and `skipped`, in their place where the message is stored.
    report_digests: tuple[str, ...] = ()
    serial: int = 0  # of the phase that ran, in the game
    is_classic: bool = False  # the reader wants the form that the hobby's tools read


class Reminder(Message, frozen=True):
    """Before the deadline, to a seat that owes orders; or after it, when `due.in_grace`."""

    game: GameRef
    view: msgspec.Raw
    order_set: OrderSet
    orders_due: int
    due: Due
    is_last_chance: bool = False  # the seat is lost if nothing comes
    misses: int = 0  # phases without orders before this one
    has_standby: bool = False  # a standby may have sent orders, which count then


class GameWaits(Message, frozen=True):
    """The deadline passed, and the phase does not run without orders; all are told."""

    game: GameRef
    view: msgspec.Raw
    missing: tuple[SeatId, ...]  # whose orders, as far as the reader may see it
    is_awaited: bool
    orders_due: int
    order_set: OrderSet
    is_first: bool = True  # the first movement phase, in which nobody goes into civil disorder
    by_master: bool = False  # the phase runs at the master's word alone


class LateNotice(Message, frozen=True):
    """The deadline passed without the orders of some seats, which have grace; told to the others,
    who have nothing to do."""

    game: GameRef
    late: tuple[SeatId, ...]
    due: Due
    may_change: bool = False  # the reader may still change their orders
    times: tuple[int, ...] = ()  # in how many phases each has been late, where that is told


class ReadyToRun(Message, frozen=True):
    """To the master who runs phases: all orders are in, or it is time; a YES runs the phase."""

    game: GameRef
    missing: tuple[SeatId, ...]  # from which nothing came
    due: Due


class MoveReason(StrEnum):
    """Why a deadline moved."""

    JUDGE_AWAY = "judge_away"
    MASTER = "master"
    AGREED = "agreed"  # players have agreed on it
    PAUSE = "pause"  # they have agreed that the game pauses
    ABSENCE = "absence"  # a player has announced to be away
    TAKEOVER = "takeover"  # whoever takes a seat has time to write orders
    EXCUSED = "excused"  # orders are missing, of players who are excused once more
    RESUMED = "resumed"  # the game was on hold
    MAILBOX = "mailbox"  # due, but the mailbox cannot be read: it waits


class DeadlineMoved(Message, frozen=True):
    """The deadline is another now (or, MAILBOX, the phase waits until the mailbox was read)."""

    game: GameRef
    due: Due
    before: datetime
    reason: MoveReason


class SettingsChanged(Message, frozen=True):
    """The master has changed settings of a game."""

    game: GameRef
    before: GameSettings
    settings: GameSettings
    due: Due | None = None  # the deadline as it is from now on; None before the start
    was: datetime | None = None  # the deadline as it was announced, where it moves by the change
    at: datetime | None = None  # the deadline as it would be, or is, where it moves
    is_asked: bool = False  # nothing is changed yet, a reply of YES does it: to the master
    # Before the start the first deadlines of moves, as in `Created`.
    coming: tuple[datetime, ...] = ()
    may_leave: bool = False  # the reader waits for the start
    is_own: bool = False  # the reader is the master who changes them
    is_agreed: bool = False  # the players have agreed on it
    lost_wait: bool = False  # the reader's WAIT does not count any more


class FillingEvent(StrEnum):
    """How a game stands that has not begun; each has its sentences."""

    ASKED = "asked"  # it is full: is the reader still there?
    REMINDED = "reminded"
    FULL = "full"  # others are asked
    KEPT = "kept"  # the reader has said YES
    LOST = "lost"  # the reader has not
    REOPENED = "reopened"  # others have not: it is not full any more
    PROMOTED = "promoted"  # from the waiting list
    QUEUED = "queued"  # the reader is on it
    SCHEDULED = "scheduled"  # it waits for the instant before which it does not begin
    COMPLETE = "complete"  # it waits for its master to begin it
    TO_START = "to_start"  # the same, said to the master
    BEGUN = "begun"  # without the reader, who is not on it any more


class Filling(Message, frozen=True):
    """Told while a game waits for its players."""

    game: GameRef
    event: FillingEvent
    players: tuple[str, ...] = ()  # their names, where they may be told
    missing_players: int = 0
    unsure: int = 0  # how many must say YES once more, until `due`
    place: int = 0  # the reader's on the waiting list, from 1; 0 if they are not on it
    due: Due | None = None
    is_new: bool = False  # the reader comes from the waiting list
    not_before: datetime | None = None  # the game does not begin before; None if it may by now


class SeatEvent(StrEnum):
    """What became of a seat."""

    RESIGNED = "resigned"
    LEAVING = "leaving"  # plays on until somebody else takes it
    TAKEN = "taken"
    RETAKEN = "retaken"
    REPLACED = "replaced"  # said to the player who held it before
    DUMMY = "dummy"  # nobody is to play it
    REVIVED = "revived"  # a dummy is open to players
    VOTED_OUT = "voted_out"  # the others have agreed that somebody else should play it


class SeatChanged(Message, frozen=True):
    """Told to everybody in the game. `who` is the player's name."""

    game: GameRef
    seat: SeatId
    event: SeatEvent
    who: str
    in_disorder: bool = True  # a seat that is vacant is so in the running phase


class Proposed(Message, frozen=True):
    """Something is proposed; the reader's YES or NO votes on it. To the master (`game.seat` None)
    only a YES means something, and only where `motion.may_decide`."""

    game: GameRef
    motion: Motion
    due: Due


class StandbyEvent(StrEnum):
    """What a standby is told; each has its sentences."""

    ASKED = "asked"  # for orders, in the phase that has opened
    AWAY = "away"  # likewise, for a seat whose player is away as announced
    VACANT = "vacant"  # likewise, for a seat that nobody holds
    STORED = "stored"  # what the orders are good for
    STORED_VACANT = "stored_vacant"  # of a seat that nobody plays
    THANKED = "thanked"  # the player has sent orders
    DISMISSED = "dismissed"  # nothing came from the standby
    ENDED = "ended"  # by the master, or with the game


class StandbyNotice(Message, frozen=True):
    """To a standby of a seat; with `view` and `due` where orders are asked for."""

    game: GameRef
    seat: SeatId
    event: StandbyEvent
    view: msgspec.Raw = NO_JSON
    due: Due | None = None
    # What became of orders that were sent for the phase before it opened.
    advance: AdvanceOpened | None = None


class GameOver(Message, frozen=True):
    """How a game ended; `seed` is the secret whose hash the first letter printed."""

    game: GameRef
    view: msgspec.Raw
    ending: str
    winners: tuple[SeatId, ...]
    roster: tuple[RosterEntry, ...]
    seed: str
    rating: RatingMove | None = None  # the reader's
    tenures: tuple[TenureEntry, ...] = ()  # of seats that have changed hands
    # The scores of the seats, by the phases that opened with them.
    history: tuple[tuple[str, Mapping[SeatId, int]], ...] = ()
    archive_number: str = ""
    reason: str = ""  # of a master who ended it
    scoring: str = ""
    # Of the seats, by the `scoring` of the game.
    points: Mapping[SeatId, float] = msgspec.field(default_factory=dict)
    # When the statements of its players are published; None: not at all.
    statements_until: datetime | None = None
    next_game: str = ""  # one with the same settings, which takes players from now on
    next_needs_word: bool = False  # it is joined with a word
    next_by_invitation: bool = False  # only those join it whom its master invites


class Revealed(Message, frozen=True):
    """Who played which seat in a game that has kept that to itself until after its end."""

    game: GameRef
    roster: tuple[RosterEntry, ...]
    tenures: tuple[TenureEntry, ...] = ()


class Papers(Message, frozen=True):
    """What the players of a finished game say about it, and their diaries; published once."""

    game: GameRef
    statements: tuple[Written, ...]
    diaries: tuple[Written, ...]


class Cancelled(Message, frozen=True):
    """A game that had not begun is no more."""

    name: str
    reason: str = ""
    is_own: bool = False  # the reader is its master
