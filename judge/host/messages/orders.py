"""Answers to letters of orders."""

from dataclasses import dataclass
from datetime import datetime

from judge.host.messages.references import Due, GameRef
from judge.rulebook import AdvanceOrders, JsonObject, Line, OrderSet, Problem, Understood


@dataclass(frozen=True, slots=True)
class OrdersAnswer:
    """The answer to a letter with orders: the whole sheet, what was not stored, until when.

    Attributes:
        view: what the seat may see, for the renderer.
        order_set: every stored line, those of earlier letters marked kept.
        orders_due: lines that make the sheet complete.
        understood: the lines of this letter, with their notes.
        received_at: when the mail server took the letter.
        receipt: `7KQ2-MX`.
        cleared: CLEAR stood in the letter.
    """

    game: GameRef
    view: JsonObject
    order_set: OrderSet
    orders_due: int
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    due: Due
    set_number: int
    received_at: datetime
    receipt: str
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class AdvanceAnswer:
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
    view: JsonObject
    order_sets: tuple[AdvanceOrders, ...]
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    cleared: tuple[str, ...]
    changed: bool
    set_number: int | None
    received_at: datetime
    receipt: str


@dataclass(frozen=True, slots=True)
class AdvanceOpened:
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


@dataclass(frozen=True, slots=True)
class StaleOrders:
    """A reply to a letter of a phase that is over: nothing was stored; YES uses `lines` now.

    `problems` are lines that mean nothing in the phase that is due now.
    """

    game: GameRef
    view: JsonObject
    label_then: str
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]
    due: Due


@dataclass(frozen=True, slots=True)
class LateOrders:
    """Orders that came after the phase had to run, or in grace from a seat that owed nothing."""

    game: GameRef
    lines: tuple[str, ...]
    in_grace: bool


@dataclass(frozen=True, slots=True)
class NotRead:
    """Lines that were read neither as orders nor as commands, and shown to nobody."""

    lines: tuple[str, ...]
