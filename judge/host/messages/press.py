"""Press: what goes out, what its writer is told, the archive, reports, announcements."""

from datetime import datetime
from enum import StrEnum

from judge.host.messages.shared import GameRef, Message
from judge.rulebook import OrderSet


class ReplyTo(StrEnum):
    """Who gets a reply to press."""

    WRITER = "writer"  # as the press names them, and of grey press whoever it was
    NOBODY = "nobody"  # the game has no such press of its reader
    JUDGE = "judge"  # fake press names its own reader as the writer


class PressReceived(Message, frozen=True):
    """Press as its readers see it. `sender` is a seat id, `MASTER`, `OBSERVERS`, or "" for grey
    press."""

    game: GameRef
    sender: str
    to: tuple[str, ...]
    broadcast: bool
    text: str
    orders: OrderSet = ()  # the lines of its text that read as orders of somebody
    # The number of a phrase and what stands in it; then there is no text.
    phrase: tuple[str, ...] = ()
    is_postal: bool = False  # it was held for the results of this phase
    at: datetime | None = None  # when it was written, where it is shown again
    reply_to: ReplyTo = ReplyTo.WRITER  # who gets a reply to this letter
    is_copy: bool = False  # it is not for its reader, who reads all press of the game


class PressSent(Message, frozen=True):
    """To the sender: who got it (empty: whoever wrote the grey press that it answers), the text as
    it went out (empty: QUIET), and whom it did not reach."""

    game: GameRef
    to: tuple[str, ...]
    broadcast: bool
    grey: bool
    text: str
    # vacant, out, late: readers whom nobody plays, who are out of the game, or who are late.
    vacant: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    # shown_as, shown_to: whom fake press names; empty: nobody else.
    shown_as: str = ""
    shown_to: tuple[str, ...] = ()
    is_held: bool = False  # it is published with the results
    phrase: tuple[str, ...] = ()


class PressUnclear(Message, frozen=True):
    """A reply to press in which orders for one's own units stand: nothing was sent or stored."""

    game: GameRef
    to: str  # who would get it; "" for whoever wrote grey press
    text: str
    orders: tuple[str, ...]  # its lines that are orders


class PressHistory(Message, frozen=True):
    """The press of a phase (that of `game`) that the reader may see, as it was shown."""

    game: GameRef
    press: tuple[PressReceived, ...]


class PressReported(Message, frozen=True):
    """To the master: press as it is stored, and who has reported it. Names as in `PressRecord`."""

    game: GameRef
    by: str
    sender: str
    to: tuple[str, ...]
    shown_as: str
    shown_to: tuple[str, ...]
    text: str
    at: datetime
    phrase: tuple[str, ...] = ()


class Announcement(Message, frozen=True):
    """The master's own letter to everybody, with a subject of its own; `is_own`: to the master."""

    game: GameRef
    subject: str
    text: str
    is_own: bool = False
