"""Answers to letters of orders."""

from datetime import datetime

import msgspec

from judge.host.messages.shared import Due, GameRef, Message
from judge.rulebook import AdvanceOrders, Line, OrderSet, Problem, SeatId, Understood


class OrdersAnswer(Message, frozen=True):
    """The answer to a letter with orders: the whole sheet, what was not stored, until when.

    Attributes:
        view: what the seat may see, for the renderer.
        order_set: every stored line, those of earlier letters marked kept.
        orders_due: lines that make the sheet complete.
        understood: the lines of this letter, with their notes.
        received_at: when the mail server took the letter.
        receipt: `7KQ2-MX`.
        cleared: CLEAR stood in the letter.
        ready, wait: the seat's flags as they stand now.
        lost_ready: READY of an earlier letter fell, because the orders changed.
        removed: stored orders that CLEAR or UNDO took back, or that had to make room for the
            letter's own, as one build too many.
        is_enough: orders count as complete though some are left out, as the game has it.
    """

    game: GameRef
    view: msgspec.Raw
    order_set: OrderSet
    orders_due: int
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    due: Due
    set_number: int
    received_at: datetime
    receipt: str
    cleared: bool = False
    ready: bool = False
    wait: bool = False
    lost_ready: bool = False
    removed: OrderSet = ()
    is_enough: bool = False


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


class AdvanceAnswer(Message, frozen=True):
    """What is stored for later phases, after a letter with orders; said to its writer alone.

    Attributes:
        view: what the seat may see now, for the renderer.
        order_sets: all that is stored, in the order of the phases.
        understood: the lines of this letter for later phases, with their notes and labels.
        problems: its lines for later phases that could not be stored.
        cleared: phases whose lines it has cleared.
        changed: the letter held lines for later phases, or cleared some; else this only reminds.
        set_number: None where the answer to the letter's other orders says it.
    """

    game: GameRef
    view: msgspec.Raw
    order_sets: tuple[AdvanceOrders, ...]
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    cleared: tuple[str, ...]
    changed: bool
    set_number: int | None
    received_at: datetime
    receipt: str


class AdvanceOpened(msgspec.Struct, frozen=True):
    """What became of a seat's lines for later phases when a phase opened; part of its results.

    Attributes:
        order_set: those that are its sheet of that phase now.
        orders_due: lines that would make the sheet complete.
        problems: those that do not fit the position.
        lapsed: those of phases that were skipped, or in which the seat has nothing to send.
    """

    order_set: OrderSet
    orders_due: int
    problems: tuple[Problem, ...] = ()
    lapsed: tuple[AdvanceOrders, ...] = ()


class StaleOrders(Message, frozen=True):
    """A reply to a letter of a phase that is over: nothing was stored; YES uses `lines` now.

    `problems` are lines that mean nothing in the phase that is due now; `order_set` is what is
    stored for it.
    """

    game: GameRef
    view: msgspec.Raw
    label_then: str
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]
    due: Due
    order_set: OrderSet = ()


class LateOrders(Message, frozen=True):
    """Orders that came after the phase had to run, or in grace from a seat that owed nothing."""

    game: GameRef
    lines: tuple[str, ...]
    in_grace: bool


class NotRead(Message, frozen=True):
    """Lines that were read neither as orders nor as commands, and shown to nobody.

    Attributes:
        numbers: in place of the lines, to an address that may be forged: which of the letter's they
            are, counted from 1 without blank ones.
    """

    lines: tuple[str, ...]
    numbers: tuple[int, ...] = ()


class PartsNotRead(Message, frozen=True):
    """Parts of a letter that were not read at all: why, as `judge.mail.UnreadKind`, and the text
    or the name of each."""

    parts: tuple[tuple[str, str], ...]
