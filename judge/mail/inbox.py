"""The judge's mailbox: what it promises, how IMAP keeps it, and what its server's clock says.

Only this module and `imap_protocol.py` import aioimaplib.
"""

import asyncio
import base64
import logging
import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import aioimaplib
import msgspec

from judge.errors import Unavailable
from judge.mail.delivery import tls_context
from judge.mail.imap_protocol import SturdyClient

COMMAND_SECONDS = 30.0  # no command may take longer; a silent server is a dead one
FETCH_TIMES = 4  # so many times longer may a batch of large letters take over a slow line
LIST_AT_ONCE = 50  # letters a FETCH of dates and sizes; aioimaplib is quadratic in it
FETCH_AT_ONCE = 20  # whole letters a FETCH
LONGEST_IDLE = 290.0  # seconds; home routers and providers drop a silent line soon after
TROUBLE = (
    aioimaplib.AioImapException,
    OSError,
    TimeoutError,
    asyncio.InvalidStateError,
    ValueError,
    IndexError,
    KeyError,
    UnicodeError,
)
EARLIEST_YEAR = 2000  # what is dated before was dated by a clock that was not set
log = logging.getLogger(__name__)
FETCHED = re.compile(rb"\d+ FETCH \(", re.IGNORECASE)
UID = re.compile(rb"\bUID (\d+)", re.IGNORECASE)
SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)", re.IGNORECASE)
DATE = re.compile(rb'\bINTERNALDATE "([^"]*)"', re.IGNORECASE)
SEPARATOR = re.compile(rb'\([^)]*\) "([./\\])" ')
UID_VALIDITY = re.compile(rb"UIDVALIDITY (\d+)")
UID_NEXT = re.compile(rb"UIDNEXT (\d+)")
NOT_ASCII = re.compile(r"[^\x20-\x7e]+")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class MailboxStatus(msgspec.Struct, frozen=True):
    """The selected mailbox: its numbering, and the number that the next letter will get."""

    uid_validity: int
    uid_next: int


class MessageSummary(msgspec.Struct, frozen=True):
    """A letter in the mailbox. `received_at` is the server's INTERNALDATE, whole seconds, UTC."""

    uid: int
    received_at: datetime
    size_bytes: int


class Fetched(msgspec.Struct, frozen=True):
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

    async def new_letters(self, after_uid: int) -> tuple[MessageSummary, ...]:
        """All letters with a higher number, by number; empty if there are none."""

    async def fetch(self, uids: Sequence[int]) -> tuple[Fetched, ...]:
        """The letters of these numbers; one that is gone meanwhile is left out."""

    async def archive(self, uids: Sequence[int]) -> None:
        """Move letters to the processed folder; numbers that are gone are no trouble."""

    async def wait(self, seconds: float, wake: asyncio.Event) -> None:
        """Return when something came, `wake` is set, or the time has passed."""

    async def close(self) -> None:
        """Drop the connection; never raises, and calling it twice is safe."""


class ImapAccount(msgspec.Struct, frozen=True):
    """Where the letters are. `token` gives an OAuth access token, and is asked at each login."""

    host: str
    port: int
    user: str
    password: str = ""
    tls: bool = True
    token: Callable[[], Awaitable[str]] | None = None
    folder: str = "INBOX"
    processed_folder: str = "Processed"
    max_bytes: int = 262_144
    ca_file: Path | None = None
    command_seconds: float = COMMAND_SECONDS


class ImapInbox:
    """One connection at a time; any trouble ends it, and `open` begins a new one."""

    def __init__(self, account: ImapAccount) -> None:
        self._account = account
        self._client: SturdyClient | None = None
        self._status: MailboxStatus | None = None
        self._one_at_a_time = asyncio.Lock()
        self._folder = _encode_mailbox(account.processed_folder)
        self._has_idle = True  # no IDLE was refused on this connection
        self._was_made = False  # the folder was made, or could not be, since letters were filed
        self._list_at_once = LIST_AT_ONCE
        self._unlisted: set[int] = set()  # UIDs whose listing fails
        self._was_said = False  # that letters cannot be filed away

    async def open(self) -> MailboxStatus:
        async with self._guarded():
            if self._status is not None:
                return self._status
            account = self._account
            context = tls_context(account.ca_file) if account.tls else None
            client = SturdyClient(
                account.host, account.port, timeout=account.command_seconds, ssl_context=context
            )
            self._client = client  # so that a failed login is dropped too
            self._has_idle = True
            await client.wait_hello_from_server()
            if account.token is not None:
                token = await self._in_time(account.token())
                await self._do(client.xoauth2(account.user, token), "AUTHENTICATE")
            else:
                await self._do(client.login(_string(account.user), account.password), "LOGIN")
            # After LOGIN the library's list ends in "IDLE]": ask again.
            await self._in_time(client.protocol.capability())
            client.protocol.capabilities = {one.upper() for one in client.protocol.capabilities}

            answer = await self._do(client.select(_encode_mailbox(account.folder)), "SELECT")
            client.protocol.has_news = False  # SELECT counts what is there, it announces nothing
            text = b"\n".join(bytes(line) for line in answer.lines)
            validity, uid_next = UID_VALIDITY.search(text), UID_NEXT.search(text)
            if validity is None:
                raise Unavailable("IMAP SELECT: no UIDVALIDITY")
            if uid_next is not None:
                following = int(uid_next[1])
            else:
                following = max(await self._search(client, "ALL"), default=0) + 1
            self._status = MailboxStatus(int(validity[1]), following)
            return self._status

    async def new_letters(self, after_uid: int) -> tuple[MessageSummary, ...]:
        async with self._guarded():
            client = self._connected()
            # New mail is not in "n:*" until the server has announced it.
            await self._do(client.noop(), "NOOP")
            client.protocol.has_news = False
            found = await self._search(client, f"UID {after_uid + 1}:*")
            uids = sorted({uid for uid in found if uid > after_uid})
            if uids and self._status and uids[-1] >= self._status.uid_next:
                self._status = MailboxStatus(self._status.uid_validity, uids[-1] + 1)
            listed: dict[int, MessageSummary] = {}
            is_alone = len(uids) == 1 and after_uid > 0  # nothing to sort it by
            told = [] if is_alone else [uid for uid in uids if uid not in self._unlisted]
            for start in range(0, len(told), self._list_at_once):
                numbers = told[start : start + self._list_at_once]
                items = "(UID INTERNALDATE RFC822.SIZE)"
                command = client.uid("FETCH", _uid_set(numbers), items)
                try:
                    answer = await self._do(command, "UID FETCH", FETCH_TIMES)
                except TROUBLE:  # one may be the cause: next time each is asked for by itself
                    self._unlisted.update(numbers if len(numbers) == 1 else ())
                    self._list_at_once = 1
                    raise
                listed |= {one.uid: one for one in map(_summary, answer.lines[:-1]) if one}
            self._list_at_once = LIST_AT_ONCE
            # What has no date here shows it when it is fetched.
            now = datetime.now(UTC).replace(microsecond=0)
            return tuple(listed.get(uid, MessageSummary(uid, now, 0)) for uid in uids)

    async def fetch(self, uids: Sequence[int]) -> tuple[Fetched, ...]:
        if not uids:
            return ()
        async with self._guarded():
            # One byte more than the limit: only what came tells whether a letter is too large.
            most = self._account.max_bytes
            parts = f"(UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.{most + 1}>)"
            fetched: list[Fetched] = []
            for start in range(0, len(uids), FETCH_AT_ONCE):
                numbers = _uid_set(uids[start : start + FETCH_AT_ONCE])
                command = self._connected().uid("FETCH", numbers, parts)
                answer = await self._do(command, "UID FETCH", FETCH_TIMES)
                for words, raw in _words_and_literals(answer.lines):
                    if one := _summary(words):
                        size = len(raw) if len(raw) <= most else max(one.size_bytes, len(raw))
                        fetched.append(Fetched(one.uid, one.received_at, raw[:most], size))
            return tuple(sorted(fetched, key=lambda one: one.uid))

    async def archive(self, uids: Sequence[int]) -> None:
        if not uids:
            return
        async with self._guarded():
            refusal = await self._move(self._connected(), _uid_set(uids))
            if refusal and not self._was_said:
                log.warning("letters stay in the inbox: no folder takes them: %s", refusal)
            self._was_said = self._was_said or bool(refusal)

    async def _move(self, client: SturdyClient, numbers: str) -> str:
        """Move letters to the processed folder; the server's words if no folder takes them.

        The folder is made when it is missed, and that is tried once: some servers drop the
        connection. Where folders must stand inside INBOX, as on Courier and Cyrus, it is made
        there; the separator of names is asked for by LIST (RFC 3501 6.3.8).
        """
        command = "MOVE" if client.has_capability("MOVE") else "COPY"
        answer = await self._in_time(client.uid(command, numbers, self._folder), FETCH_TIMES)
        if answer.result != "OK" and not self._was_made:
            self._was_made = True
            if (await self._in_time(client.create(self._folder))).result != "OK":
                listed = await self._in_time(client.list('""', '""'))
                found = SEPARATOR.search(b"\n".join(bytes(line) for line in listed.lines))
                if found is None:
                    return _response_text(answer)
                separator, name = found[1].decode("ascii"), self._account.processed_folder
                self._folder = _encode_mailbox(f"INBOX{separator}{name}")
                await self._in_time(client.create(self._folder))  # NO: it exists
            command_again = client.uid(command, numbers, self._folder)
            answer = await self._in_time(command_again, FETCH_TIMES)
        if answer.result != "OK":
            return _response_text(answer)
        self._was_made = False
        if command == "COPY":
            await self._delete(client, numbers)
        return ""

    async def _delete(self, client: SturdyClient, numbers: str) -> None:
        await self._do(client.uid("STORE", numbers, "+FLAGS (\\Deleted)"), "UID STORE")
        if client.has_capability("UIDPLUS"):
            await self._do(client.uid("EXPUNGE", numbers), "UID EXPUNGE")
        else:
            await self._do(client.expunge(), "EXPUNGE")

    async def check_filing(self, letter: bytes, message_id: str) -> tuple[datetime | None, str]:
        """Put a letter of our own into the mailbox, file it away, and delete it: for `judge check`.

        Returns when the server says it received the letter (None: it does not say), and its words
        if it did not take or move it.
        """
        await self.open()
        async with self._guarded():
            client = self._connected()
            inbox = _encode_mailbox(self._account.folder)
            answer = await self._in_time(client.append(letter, inbox, "\\Seen"))
            if answer.result != "OK":
                return None, _response_text(answer)
            await self._do(client.noop(), "NOOP")
            numbers = await self._find(client, message_id)
            if not numbers:  # a running judge was faster
                return None, ""
            answer = await self._do(client.uid("FETCH", numbers, "(UID INTERNALDATE)"), "UID FETCH")
            dates = [one.received_at for one in map(_summary, answer.lines[:-1]) if one]
            refusal = await self._move(client, numbers)
            if not refusal:
                await self._do(client.select(self._folder), "SELECT")
                numbers = await self._find(client, message_id)
            if numbers:
                await self._delete(client, numbers)
        await self.close()  # another folder may be selected now
        return next(iter(dates), None), refusal

    async def _find(self, client: SturdyClient, message_id: str) -> str:
        found = await self._search(client, f"HEADER Message-ID {_string(message_id)}")
        return _uid_set(found[-1:])

    async def wait(self, seconds: float, wake: asyncio.Event) -> None:
        async with self._guarded():
            client = self._connected()
            if client.protocol.has_news:
                return
            if self._has_idle and client.has_capability("IDLE"):
                ends_at = monotonic() + seconds
                await self._idle(client, min(seconds, LONGEST_IDLE), wake)
                if self._has_idle:
                    return
                seconds = ends_at - monotonic()
            await _wait_for_first(seconds, asyncio.ensure_future(wake.wait()))

    async def close(self) -> None:
        client, self._client, self._status = self._client, None, None
        if client is not None:
            client.abort()

    # --- inside -------------------------------------------------------------------------------

    @asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        """One command at a time. After a failed or cancelled one nobody knows what the server says
        next: drop the connection."""
        try:
            async with self._one_at_a_time:
                yield
        except Unavailable:
            await self.close()
            raise
        except TROUBLE as error:
            await self.close()
            what = str(error) or "no answer in time"
            raise Unavailable(f"IMAP {type(error).__name__}: {what}") from error
        except asyncio.CancelledError:
            await self.close()
            raise

    def _connected(self) -> SturdyClient:
        if self._client is None:
            raise Unavailable("IMAP: not connected")
        return self._client

    async def _search(self, client: SturdyClient, criteria: str) -> list[int]:
        """The numbers of letters; unsolicited lines between those of the answer hold words too."""
        answer = await self._do(client.uid_search(criteria, charset=None), "UID SEARCH")
        numbers: list[int] = []
        for line in answer.lines[:-1]:
            words = bytes(line).partition(b"(")[0].split()  # behind it MODSEQ (RFC 7162 3.1.5)
            if all(word.isdigit() for word in words):
                numbers += map(int, words)
        return numbers

    async def _do(self, command: Awaitable[Any], name: str, times: int = 1) -> Any:
        answer = await self._in_time(command, times)
        if answer.result != "OK":
            raise Unavailable(f"IMAP {name}: {_response_text(answer)}"[:300])
        return answer

    async def _in_time(self, command: Awaitable[Any], times: int = 1) -> Any:
        async with asyncio.timeout(self._account.command_seconds * times):
            return await command

    async def _idle(self, client: SturdyClient, seconds: float, wake: asyncio.Event) -> None:
        # Some servers announce in IDLE only what comes after it began: ask for what came before.
        answer = await self._do(client.noop(), "NOOP")
        if any(b"EXISTS" in bytes(line) for line in answer.lines):
            return
        queue: asyncio.Queue[Any] = client.protocol.idle_queue
        while not queue.empty():
            queue.get_nowait()
        try:
            idle = await self._in_time(client.idle_start(timeout=seconds + 60))
        except aioimaplib.Abort:
            if client.protocol.transport.is_closing() or client.protocol.lost.is_set():
                raise
            self._refuse_idle("it was refused")
            return
        push = asyncio.ensure_future(queue.get())
        await _wait_for_first(seconds, push, asyncio.ensure_future(wake.wait()), idle, keep=idle)
        if idle.done() and idle.result().result in ("OK", "NO", "BAD"):
            self._refuse_idle("the server ended it by itself")
            return
        if not idle.done():
            client.idle_done()
        await self._do(idle, "IDLE")

    def _refuse_idle(self, why: str) -> None:
        """The server says that it has IDLE, and has none: it is asked now and then instead."""
        self._has_idle = False
        log.info("no IDLE on this connection reason=%s", why)


async def _wait_for_first(
    seconds: float, *waits: "asyncio.Future[Any]", keep: "asyncio.Future[Any] | None" = None
) -> None:
    """Wait for the first of several, or the time; the others are dropped, but not `keep`."""
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            if wait is not keep and not wait.done():
                wait.cancel()


def _string(text: str) -> str:
    """A quoted string of RFC 3501; the library sends what it is given."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _encode_mailbox(name: str) -> str:
    """A name of a mailbox; letters outside ASCII in modified UTF-7 (RFC 3501 5.1.3)."""

    def coded(letters: re.Match[str]) -> str:
        base = base64.b64encode(letters[0].encode("utf-16-be")).decode("ascii")
        return "&" + base.rstrip("=").replace("/", ",") + "-"

    return _string(NOT_ASCII.sub(coded, name.replace("&", "&-")))


def _response_text(answer: Any) -> str:
    """What the server said last, with its result."""
    said = b" ".join(bytes(line) for line in answer.lines[-1:]).decode(errors="replace")
    return f"{answer.result} {said}".strip()[:300]


def _uid_set(uids: Sequence[int]) -> str:
    return ",".join(str(uid) for uid in sorted(uids))


def _words_and_literals(lines: Sequence[Any]) -> list[tuple[bytes, bytes]]:
    """Each FETCH answer as its words and its literal; those without one are left out (no letter is
    empty, RFC 5322 3.6).

    The literal is told from the words by its type, not by its place: unsolicited FLAGS may stand
    anywhere between.
    """
    groups: list[tuple[bytes, bytes]] = [(b"", b"")]
    for line in lines:
        words, literal = groups[-1]
        if isinstance(line, bytearray):
            groups[-1] = words, bytes(line)
        elif FETCHED.match(line):
            groups.append((line, b""))
        else:
            groups[-1] = words + b" " + line, literal
    return [group for group in groups if group[1]]


def _summary(words: bytes) -> MessageSummary | None:
    """What a FETCH answer says of a letter; None for any other line.

    Its date is ` 5-Dec-2026 20:00:01 +0100` of RFC 3501, whose months are English in every locale.
    A letter without one that can be, as one of 1970, was received now.
    """
    uid, size, date = UID.search(words), SIZE.search(words), DATE.search(words)
    if uid is None or not FETCHED.match(words):
        return None
    now = datetime.now(UTC).replace(microsecond=0)
    received_at = now
    with suppress(ValueError, IndexError, OverflowError):
        day, clock, zone = (date[1] if date else b"").decode("ascii").split()
        number, month, year = day.split("-")
        written = f"{year}-{MONTHS.index(month) + 1:02d}-{int(number):02d}T{clock}{zone}"
        received_at = datetime.fromisoformat(written).astimezone(UTC)
    if received_at.year < EARLIEST_YEAR:
        received_at = now
    return MessageSummary(int(uid[1]), received_at, int(size[1]) if size else 0)


# --- the server's clock ---------------------------------------------------------------------------


LETTERS = 20  # the newest that are looked at
LEAST_LETTERS = 3  # one alone may be an old letter that somebody moved into the mailbox
LEAST = timedelta(seconds=5)  # less is the server's own time to deliver a letter


class ServerClock:
    """The mail server's time, as the dates that it gives to letters show it."""

    def __init__(self) -> None:
        self._bounds: deque[tuple[timedelta, timedelta]] = deque(maxlen=LETTERS)

    def observe(self, received_at: datetime, not_before: datetime, not_after: datetime) -> None:
        """A letter came that was not there at `not_before` and was at `not_after`, by our clock;
        the server says that it received it at `received_at`."""
        self._bounds.append((not_before - received_at, not_after - received_at))

    def our_clock_ahead(self) -> timedelta:
        """How far our clock is ahead at most; 0 unless some letters prove that it is ahead."""
        if sum(least > LEAST for least, _ in self._bounds) < LEAST_LETTERS:
            return timedelta(0)
        most = min(most for _, most in self._bounds)
        return most if most > LEAST else timedelta(0)

    def our_clock_behind(self) -> timedelta:
        """How far our clock is behind at least; 0 unless some letters came from its future."""
        behind = sorted(-most for _, most in self._bounds if most < -LEAST)
        return behind[0] if len(behind) >= LEAST_LETTERS else timedelta(0)
