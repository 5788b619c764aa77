"""The errors that one package raises and another handles. Imports nothing of ours.

What a player may not do is no error of the program: it is a value that the answer shows.
"""

import errno
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

# A full or failing disk, no more files or processes: errors of the system that pass.
PASSING = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EIO,
    errno.EAGAIN,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
)


class JudgeError(Exception):
    """The base of all errors that the program itself raises."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with the settings: where it stands, what it is, and how to correct it.

    Attributes:
        key: `imap.port`, a section such as `imap`, or empty for a line that cannot be read.
        origin: the file or the environment variable that gave it; empty if nothing gave it.
        line: counted from 1; None if it does not stand in a file.
    """

    key: str
    what: str
    remedy: str
    origin: str = ""
    line: int | None = None

    def __str__(self) -> str:
        where = f"{self.origin}, line {self.line}" if self.line else self.origin
        return ": ".join(part for part in (where, self.key, f"{self.what}. {self.remedy}") if part)


class SettingsError(JudgeError):
    """The keeper must correct the settings: all faults at once. The program ends with code 2."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class Unavailable(JudgeError, OSError):
    """A mail server, the network or the disk fails; try again with growing pauses."""


class StoreUnavailable(Unavailable):
    """The database is locked by another process, or its disk is full or fails."""


class StoreError(JudgeError):
    """Our own data is wrong: that game stops, the letter is kept, the keeper is told."""


def last_line_of(error: Exception) -> str:
    """`ValueError: no such thing`, as the traceback of an error ends."""
    return "".join(traceback.format_exception_only(error)).strip()


def may_pass(error: Exception) -> bool:
    """Whether it is the world's doing: never the fault of the letter or game that met it."""
    return isinstance(error, Unavailable) or (isinstance(error, OSError) and error.errno in PASSING)
