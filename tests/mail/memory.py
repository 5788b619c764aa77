"""A mailbox and a way out in memory; they keep what the real ones promise."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from judge.errors import Unavailable
from judge.mail import Fetched, MailboxStatus, MessageSummary, Rejected


@dataclass(slots=True)
class MemoryInbox:
    """A mailbox that a test fills with `deliver`, and may make unreachable."""

    uid_validity: int = 1
    max_bytes: int = 262_144
    is_reachable: bool = True
    letters: dict[int, Fetched] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)  # a SEARCH leaves these out
    omitted: set[int] = field(default_factory=set)  # a FETCH leaves these out
    poisoned: set[int] = field(default_factory=set)  # a FETCH of these loses the connection
    may_archive: bool = True
    processed: list[Fetched] = field(default_factory=list)
    _uid_next: int = 1
    _is_open: bool = False
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    def deliver(self, raw: bytes, received_at: datetime | None = None) -> int:
        """Put a letter in; returns its number."""
        when = (received_at or datetime.now(UTC)).replace(microsecond=0)
        uid, self._uid_next = self._uid_next, self._uid_next + 1
        self.letters[uid] = Fetched(uid, when, raw, len(raw))
        self._came.set()
        return uid

    async def open(self) -> MailboxStatus:
        self._is_open = self.is_reachable
        self._reach()
        return MailboxStatus(self.uid_validity, self._uid_next)

    async def new_letters(self, after_uid: int) -> tuple[MessageSummary, ...]:
        self._reach()
        self._came.clear()
        return tuple(
            MessageSummary(uid, letter.received_at, letter.size_bytes)
            for uid, letter in sorted(self.letters.items())
            if uid > after_uid and uid not in self.hidden
        )

    async def fetch(self, uids: Sequence[int]) -> tuple[Fetched, ...]:
        self._reach()
        if self.poisoned.intersection(uids):
            self._is_open = False
            raise Unavailable("the connection was lost (as the test asked)")
        here = self.letters.keys() - self.omitted
        found = (self.letters[uid] for uid in sorted(uids) if uid in here)
        return tuple(
            Fetched(one.uid, one.received_at, one.raw[: self.max_bytes], one.size_bytes)
            for one in found
        )

    async def archive(self, uids: Sequence[int]) -> None:
        self._reach()
        if not self.may_archive:
            raise Unavailable("no such folder (as the test asked)")
        for uid in uids:
            letter = self.letters.pop(uid, None)
            if letter is not None:
                self.processed.append(letter)

    async def wait(self, seconds: float, wake: asyncio.Event) -> None:
        self._reach()
        waits = [asyncio.ensure_future(event.wait()) for event in (self._came, wake)]
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    async def close(self) -> None:
        self._is_open = False

    def _reach(self) -> None:
        self._is_open = self._is_open and self.is_reachable
        if not self._is_open:
            raise Unavailable("the mailbox is unreachable, or not open")


@dataclass(frozen=True, slots=True)
class SentRaw:
    """What `MemoryDelivery` was given."""

    raw: bytes
    sender: str
    recipient: str


@dataclass(slots=True)
class MemoryDelivery:
    """A way out that keeps what it is given; fails as often as a test asks."""

    sent: list[SentRaw] = field(default_factory=list)
    failures: int = 0
    rejected: frozenset[str] = frozenset()
    refusals: dict[str, Exception] = field(default_factory=dict)  # of these recipients
    closes: int = 0
    seconds: float = 0.0  # that a letter takes
    in_hand: list[str] = field(default_factory=list)  # recipients
    most_in_hand: int = 0

    async def send(self, raw: bytes, sender: str, recipient: str) -> None:
        if self.failures:
            self.failures -= 1
            raise Unavailable("the server is away (as the test asked)")
        if recipient in self.refusals:
            raise self.refusals[recipient]
        if recipient in self.rejected:
            raise Rejected("550 no such mailbox (as the test asked)")
        assert recipient not in self.in_hand, "letters to one recipient go one after another"
        self.in_hand.append(recipient)
        self.most_in_hand = max(self.most_in_hand, len(self.in_hand))
        if self.seconds:
            await asyncio.sleep(self.seconds)
        self.in_hand.remove(recipient)
        self.sent.append(SentRaw(raw, sender, recipient))

    async def close(self) -> None:
        self.closes += 1
