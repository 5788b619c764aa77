"""What a letter's lines turn out to be: an order that is taken, one that is not, or talk."""

from dataclasses import dataclass

from judge.diplomacy.language.remarks import Noted
from judge.diplomacy.orders import (
    AnyOrder,
)
from judge.diplomacy.records import (
    ProblemKind,
    ProblemValues,
)


@dataclass(frozen=True, slots=True)
class Taken:
    """An order that was read and may be given. `number` counts the lines, `start` its columns."""

    number: int
    start: int
    written: str
    order: AnyOrder
    notes: tuple[Noted, ...] = ()


@dataclass(frozen=True, slots=True)
class Untaken:
    """A line, or one order of it, that was meant as an order and cannot be taken.

    Attributes:
        start, end: columns of the wrong part in `written`.
        proposals: orders that could be given instead.
        key: whose order it was to be, as `order_key`; None if that cannot be told.
    """

    number: int
    written: str
    start: int
    end: int
    kind: ProblemKind
    values: ProblemValues
    proposals: tuple[AnyOrder, ...] = ()
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """Talk between the orders."""

    number: int
    text: str


Read = Taken | Untaken | Said
