"""The decorator of the small values that a phase makes by the hundred."""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(kind: type[T]) -> type[T]:
    """A dataclass with slots, equal by its fields and hashable, that nobody changes.

    The type checker holds everybody to that. At run time nothing does: a frozen dataclass takes
    four times as long to make, and making orders and outcomes was a third of a phase.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)
