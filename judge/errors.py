"""The errors that cross rooms; the bottom of the house, importable by every room.

Refusals of a player's wish are no errors of the program: they are values that the answer shows.
"""

from collections.abc import Iterable
from dataclasses import dataclass


class JudgeError(Exception):
    """The root: whatever the program itself raises."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with the settings: where it stands, what it is, and how to mend it.

    Attributes:
        key: `imap.port`, a section such as `imap`, or empty for a line that cannot be read.
        origin: the file or the environment variable that gave it; empty if nothing gave it.
        line: counted from 1; None if it does not stand in a file.
    """

    key: str
    origin: str
    line: int | None
    what: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.origin}, line {self.line}" if self.line else self.origin
        return ": ".join(part for part in (where, self.key, f"{self.what}. {self.remedy}") if part)


class SettingsError(JudgeError):
    """The keeper's doing: all faults of the settings at once; the program ends with code 2."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class Unavailable(JudgeError, OSError):
    """The world's doing: mail server, network, disk; to be tried again with growing pauses."""


class StoreError(JudgeError):
    """Our own data broke a promise: that game stops, the letter is kept, the keeper is told."""
