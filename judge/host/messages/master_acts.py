"""What a master's hand did, as everybody is told whom it touches."""

from datetime import datetime
from enum import StrEnum

import msgspec

from judge.host.messages.shared import Due, GameRef, Holdup, Message
from judge.rulebook import NO_JSON, OrderSet, Problem, SeatId
from judge.store import Act, Status


class MasterActed(Message, frozen=True):
    """An act of the master's, in the answer to its letter and in a letter to all others."""

    game: GameRef
    act: Act
    reason: str = ""  # in the master's own words
    seats: tuple[SeatId, ...] = ()  # whom it concerns
    who: str = ""  # the name of a player whom it is about
    due: Due | None = None  # the deadline as it is now
    since: datetime | None = None  # of a hold that its master is reminded of
    is_own: bool = False  # the reader is the player whom it is about
    lines: tuple[str, ...] = ()  # what was changed, as it was written
    view: msgspec.Raw = NO_JSON  # the position as it is now; null where it is as before
    # order_set, orders_due: what the reader's seat has stored where the position was changed, and
    # how many orders are due from it.
    order_set: OrderSet = ()
    orders_due: int = 0


class RolledBack(Message, frozen=True):
    """The game is in an earlier phase again, or where it stood before a rollback."""

    game: GameRef
    act: Act
    view: msgspec.Raw  # the position
    # Labels of the phases that count no more; of a rollforward, those played since.
    taken_back: tuple[str, ...]
    reason: str = ""
    due: Due | None = None  # None where the game is over again
    # order_set, orders_due: the reader's own.
    order_set: OrderSet = ()
    orders_due: int = 0
    keeps_orders: bool = True  # what was ordered for the phase then counts again
    was_over: bool = False  # the game had ended
    may_run_early: bool = True  # as the game is set, if all say READY


class Preview(Message, frozen=True):
    """To a master alone: what the phase would come to if it ran now."""

    game: GameRef
    report: msgspec.Raw  # the rulebook's
    owing: tuple[SeatId, ...]  # whose orders are not complete
    missing: tuple[SeatId, ...]  # from whom nothing has come
    due: Due


class OrdersGiven(Message, frozen=True):
    """A master has written in place of a player. To the player (`game.seat`): all that is stored
    now. To the master: what this letter stored, and `problems`, what of it could not be."""

    game: GameRef
    seat: SeatId
    view: msgspec.Raw
    order_set: OrderSet
    due: Due
    problems: tuple[Problem, ...] = ()
    ready: bool = False
    wait: bool = False
    is_done: bool = True  # something has changed, and the player is told


class DigestGroup(StrEnum):
    """Where a game stands in its master's digest."""

    WAITS = "waits"  # for something that the master alone does
    SOON = "soon"  # its deadline is in the next two days
    OTHER = "other"
    OVER = "over"  # it has ended since the last digest


class DigestRow(msgspec.Struct, frozen=True):
    """A game in its master's digest."""

    game: GameRef
    group: DigestGroup
    status: Status
    due: Due | None = None
    began: bool = False  # since the last digest
    holdups: tuple[Holdup, ...] = ()  # what holds it up
    ran: str = ""  # the phase that has run since the last digest


class Digest(Message, frozen=True):
    """The games of a master, once a day."""

    rows: tuple[DigestRow, ...]
    hour: str


class MasterWrote(Message, frozen=True):
    """What another master of the game has done, in the lines of their letter; `who`: their name."""

    game: GameRef
    who: str
    lines: tuple[str, ...]


class MastershipEvent(StrEnum):
    """What becomes of the question whether somebody runs a game."""

    ASKED = "asked"  # to them
    SENT = "sent"  # to who asks
    DECLINED = "declined"  # to who has asked
    WITHDRAWN = "withdrawn"  # to the master who takes it back


class Mastership(Message, frozen=True):
    """`who`: of the one who asks, or of whom they ask; `takes_over`: in place of who asks."""

    game: GameRef
    event: MastershipEvent
    who: str
    takes_over: bool = False
