"""The two ways that letters travel, as the rest of the house sees them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from judge.errors import JudgeError


class Rejected(JudgeError):
    """The server will never take this letter for this recipient; its words are the text."""


@dataclass(frozen=True, slots=True)
class MailboxStatus:
    """The selected mailbox: its numbering, and the number that the next letter will get."""

    uid_validity: int
    uid_next: int


@dataclass(frozen=True, slots=True)
class MessageSummary:
    """A letter in the mailbox. `received_at` is the server's INTERNALDATE, whole seconds, UTC."""

    uid: int
    received_at: datetime
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A letter as it came; of one larger than the limit only the beginning (`size_bytes` tells)."""

    uid: int
    received_at: datetime
    raw: bytes
    size_bytes: int


class Inbox(Protocol):
    """A mailbox of letters to the judge.

    Every method raises Unavailable on any trouble; the connection is gone then, and `open` makes a
    new one.
    """

    async def open(self) -> MailboxStatus:
        """Connect if need be, and look at the mailbox. Calling it again is safe."""
        ...

    async def new_letters(self, after_uid: int) -> tuple[MessageSummary, ...]:
        """All letters with a higher number, by number; empty if there are none."""
        ...

    async def fetch(self, uids: Sequence[int]) -> tuple[Fetched, ...]:
        """The letters of these numbers; one that is gone meanwhile is left out."""
        ...

    async def archive(self, uids: Sequence[int]) -> None:
        """Move letters to the processed folder; numbers that are gone are no trouble."""
        ...

    async def wait(self, seconds: float, wake: asyncio.Event) -> None:
        """Return when something came, `wake` is set, or the time has passed."""
        ...

    async def close(self) -> None:
        """Drop the connection; never raises, and calling it twice is safe."""
        ...


class Delivery(Protocol):
    """The way out."""

    async def send(self, raw: bytes, sender: str, recipient: str) -> None:
        """Hand one letter over.

        Raises:
            Unavailable: try again later; the server may or may not have it already.
            Rejected: it will never be taken.
        """
        ...
