"""The words of a line on their way from the scanner to the grammar.

Knows neither where they came from nor what they make together.
"""

from collections.abc import Iterable
from typing import NamedTuple

UNKNOWN = "??"
VERBS = frozenset({"-", "H", "S", "C", "R", "D", "B", "WAIVE"})
KINDS = frozenset({"A", "F"})


class Token(NamedTuple):
    """One canonical word and the columns it was read from.

    `readings` holds all meanings of a short name that has several; `word` is its first.
    `text` is the plain text it was read from.
    """

    word: str
    start: int
    end: int
    text: str
    readings: tuple[str, ...] = ()

    @property
    def is_place(self) -> bool:
        return self.word[0] == "#"

    @property
    def is_letters(self) -> bool:
        """Whether it was written in letters of another script than Latin."""
        return not self.text.isascii() and self.text[:1].isalpha()


Segment = tuple[Token, ...]


def span(segment: Iterable[Token]) -> tuple[int, int]:
    """The columns that the words take up; they need not stand in the order of the line."""
    tokens = tuple(segment)
    return min(token.start for token in tokens), max(token.end for token in tokens)
