"""Answers to letters of orders."""

from datetime import datetime

import msgspec

from judge.host.messages.shared import Due, GameRef, IfSilent, Message
from judge.rulebook import AdvanceOrders, Line, OrderSet, Problem, SeatId, Understood


class OrdersAnswer(Message, frozen=True):
    """The answer to a letter with orders: the whole sheet, what was not stored, until when."""

    game: GameRef
    view: msgspec.Raw  # what the seat may see, for the renderer
    order_set: OrderSet  # every stored line, those of earlier letters marked kept
    orders_due: int  # lines that make the sheet complete
    understood: tuple[Understood, ...]  # the lines of this letter, with their notes
    problems: tuple[Problem, ...]
    due: Due
    set_number: int
    received_at: datetime  # when the mail server took the letter
    receipt: str  # `7KQ2-MX`
    cleared: bool = False  # CLEAR stood in the letter
    # ready, wait: the seat's flags as they stand now.
    ready: bool = False
    wait: bool = False
    lost_ready: bool = False  # READY of an earlier letter fell, because the orders changed
    # Stored orders that CLEAR or UNDO took back, or that had to make room for the letter's own, as
    # one build too many.
    removed: OrderSet = ()
    is_enough: bool = False  # orders count as complete though some are left out, as the game has it
    by_standby: bool = False  # they run only if nothing comes from the player


class OrdersShown(Message, frozen=True):
    """To everybody else in a game with open orders: what is stored for a seat now."""

    game: GameRef
    seat: SeatId
    order_set: OrderSet


class Standing(Message, frozen=True):
    """How a seat's orders stand, at the end of an answer that is about something else."""

    game: GameRef
    view: msgspec.Raw
    order_set: OrderSet
    orders_due: int
    ready: bool
    wait: bool
    is_undated: bool = False  # the phase has no deadline
    if_silent: IfSilent = IfSilent.RULES


class AdvanceAnswer(Message, frozen=True):
    """What is stored for later phases, after a letter with orders; said to its writer alone."""

    game: GameRef
    view: msgspec.Raw  # what the seat may see now, for the renderer
    order_sets: tuple[AdvanceOrders, ...]  # all that is stored, in the order of the phases
    # The lines of this letter for later phases, with their notes and labels.
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]  # its lines for later phases that could not be stored
    cleared: tuple[str, ...]  # phases whose lines it has cleared
    changed: bool  # the letter held lines for later phases, or cleared some; else this only reminds
    set_number: int | None  # None where the answer to the letter's other orders says it
    received_at: datetime
    receipt: str


class AdvanceOpened(msgspec.Struct, frozen=True):
    """What became of a seat's lines for later phases when a phase opened; part of its results."""

    order_set: OrderSet  # those that are its sheet of that phase now
    orders_due: int  # lines that would make the sheet complete
    problems: tuple[Problem, ...] = ()  # those that do not fit the position
    # Those of phases that were skipped, or in which the seat has nothing to send.
    lapsed: tuple[AdvanceOrders, ...] = ()


class StaleOrders(Message, frozen=True):
    """A reply to a letter of a phase that is over: nothing was stored; YES uses `lines` now."""

    game: GameRef
    view: msgspec.Raw
    label_then: str
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]  # lines that mean nothing in the phase that is due now
    due: Due
    # What is stored for that phase; None for a master who writes in the seat's place.
    order_set: OrderSet | None = ()


class LateOrders(Message, frozen=True):
    """Orders that came in grace from a seat that owed nothing."""

    game: GameRef
    lines: tuple[str, ...]


class NotRead(Message, frozen=True):
    """Lines that were read neither as orders nor as commands, and shown to nobody."""

    lines: tuple[str, ...]
    # In place of the lines, to an address that may be forged: which of the letter's they are,
    # counted from 1 without blank ones.
    numbers: tuple[int, ...] = ()


class PartsNotRead(Message, frozen=True):
    """Parts of a letter that were not read at all: why, as `judge.mail.UnreadKind`, and the text
    or the name of each."""

    parts: tuple[tuple[str, str], ...]
