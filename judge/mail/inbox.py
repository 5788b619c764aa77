"""The judge's mailbox: what it promises, and how IMAP keeps it (RFC 3501, with IDLE and MOVE)."""

import asyncio
import base64
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from judge.errors import Unavailable

COMMAND_SECONDS = 30.0  # no command may take longer; a silent server is a dead one
FETCH_TIMES = 4  # so many times longer may a batch of large letters take over a slow line
LIST_AT_ONCE = 50  # letters a FETCH of dates and sizes
FETCH_AT_ONCE = 20  # whole letters a FETCH
LONGEST_IDLE = 290.0  # seconds; home routers and providers drop a silent line soon after
LONGEST_LINE = 16_777_216  # bytes; SEARCH names every letter on one line
LITERAL = re.compile(rb"\{(\d{1,10})\}\r\n\Z")
EXISTS = re.compile(rb"\* \d+ EXISTS", re.IGNORECASE)
UID = re.compile(rb"\bUID (\d+)")
SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)")
DATE = re.compile(rb'\bINTERNALDATE "([^"]+)"')
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
        self._connection: _Connection | None = None
        self._status: MailboxStatus | None = None
        self._one_at_a_time = asyncio.Lock()

    async def open(self) -> MailboxStatus:
        async with self._guarded():
            if self._status is None:
                self._status = await self._connect()
            return self._status

    async def new_letters(self, after_uid: int) -> tuple[MessageSummary, ...]:
        async with self._guarded():
            connection = self._connected()
            # New mail is not in "n:*" until the server has announced it.
            await connection.command("NOOP")
            connection.has_news = False
            uids: set[int] = set()
            for answer in await connection.command(f"UID SEARCH UID {after_uid + 1}:*"):
                words = answer.line.upper().split()
                if words[:2] == [b"*", b"SEARCH"]:
                    uids.update(int(word) for word in words[2:] if word.isdigit())
            wanted = sorted(uid for uid in uids if uid > after_uid)
            listed: dict[int, MessageSummary] = {}
            for start in range(0, len(wanted), LIST_AT_ONCE):
                numbers = _uid_set(wanted[start : start + LIST_AT_ONCE])
                command = f"UID FETCH {numbers} (UID INTERNALDATE RFC822.SIZE)"
                for answer in await connection.command(command, times=FETCH_TIMES):
                    if one := _summary(answer.line):
                        listed[one.uid] = one
            return tuple(listed[uid] for uid in wanted if uid in listed)

    async def fetch(self, uids: Sequence[int]) -> tuple[Fetched, ...]:
        if not uids:
            return ()
        async with self._guarded():
            connection = self._connected()
            parts = f"(UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.{self._account.max_bytes}>)"
            fetched: list[Fetched] = []
            for start in range(0, len(uids), FETCH_AT_ONCE):
                command = f"UID FETCH {_uid_set(uids[start : start + FETCH_AT_ONCE])} {parts}"
                for answer in await connection.command(command, times=FETCH_TIMES):
                    one = _summary(answer.line)
                    if one is not None and answer.literal is not None:
                        values = (one.uid, one.received_at, answer.literal, one.size_bytes)
                        fetched.append(Fetched(*values))
            return tuple(sorted(fetched, key=lambda one: one.uid))

    async def archive(self, uids: Sequence[int]) -> None:
        if not uids:
            return
        async with self._guarded():
            connection, numbers = self._connected(), _uid_set(uids)
            folder = _mailbox(self._account.processed_folder)
            if "MOVE" in connection.capabilities:
                await connection.command(f"UID MOVE {numbers} {folder}")
                return
            await connection.command(f"UID COPY {numbers} {folder}")
            await connection.command(f"UID STORE {numbers} +FLAGS (\\Deleted)")
            has_uids = "UIDPLUS" in connection.capabilities
            await connection.command(f"UID EXPUNGE {numbers}" if has_uids else "EXPUNGE")

    async def wait(self, seconds: float, wake: asyncio.Event) -> None:
        async with self._guarded():
            connection = self._connected()
            if connection.has_news:
                return
            if "IDLE" not in connection.capabilities:
                with suppress(TimeoutError):
                    await asyncio.wait_for(wake.wait(), seconds)
                return
            # Some servers announce in IDLE only what comes after its beginning.
            await connection.command("NOOP")
            if not connection.has_news:
                await connection.idle(min(seconds, LONGEST_IDLE), wake)

    async def close(self) -> None:
        connection, self._connection, self._status = self._connection, None, None
        if connection is not None:
            connection.abort()

    @asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        """One command at a time. After a failed or cancelled one nobody knows what the server says
        next: drop the connection."""
        try:
            async with self._one_at_a_time:
                yield
        except (Unavailable, asyncio.CancelledError):
            await self.close()
            raise
        except (OSError, EOFError, TimeoutError, ValueError, IndexError) as error:
            await self.close()
            raise Unavailable(f"IMAP {type(error).__name__}: {error}") from error

    def _connected(self) -> "_Connection":
        if self._connection is None:
            raise Unavailable("IMAP: not connected")
        return self._connection

    async def _connect(self) -> MailboxStatus:
        account = self._account
        ca_file = str(account.ca_file) if account.ca_file else None
        context = ssl.create_default_context(cafile=ca_file) if account.tls else None
        async with asyncio.timeout(account.command_seconds):
            reader, writer = await asyncio.open_connection(
                account.host, account.port, ssl=context, limit=LONGEST_LINE
            )
            connection = self._connection = _Connection(reader, writer, account.command_seconds)
            greeting = (await connection.read_answer()).line
        if not greeting.upper().startswith((b"* OK", b"* PREAUTH")):
            raise Unavailable(f"IMAP: no greeting but {greeting[:200]!r}")
        if account.token is not None:
            async with asyncio.timeout(account.command_seconds):
                token = await account.token()
            said = f"user={account.user}\1auth=Bearer {token}\1\1"
            coded = base64.b64encode(said.encode()).decode("ascii")
            await connection.command(f"AUTHENTICATE XOAUTH2 {coded}")
        else:
            names = f"{_string(account.user)} {_string(account.password)}"
            await connection.command(f"LOGIN {names}")
        for answer in await connection.command("CAPABILITY"):
            words = answer.line.decode("ascii", "replace").upper().split()
            if words[:2] == ["*", "CAPABILITY"]:
                connection.capabilities = frozenset(words[2:])
        with suppress(_Refused):  # it exists
            await connection.command(f"CREATE {_mailbox(account.processed_folder)}")
        selected = await connection.command(f"SELECT {_mailbox(account.folder)}")
        connection.has_news = False  # SELECT counts what is there, it announces nothing
        text = b"\n".join(answer.line for answer in selected)
        validity, uid_next = UID_VALIDITY.search(text), UID_NEXT.search(text)
        if validity is None:
            raise Unavailable("IMAP SELECT: no UIDVALIDITY")
        return MailboxStatus(int(validity[1]), int(uid_next[1]) if uid_next else 1)


class _Refused(Unavailable):
    """The server said NO or BAD; the connection is as good as before."""


class _Answer(NamedTuple):
    """One answer of the server, and the literal that stood in it, if one did."""

    line: bytes
    literal: bytes | None


class _Connection:
    """Sends a command and reads to its tagged answer; what comes unasked may stand anywhere.

    Attributes:
        has_news: letters were announced, which IDLE will not repeat.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._seconds = seconds
        self._count = 0
        self.capabilities: frozenset[str] = frozenset()
        self.has_news = False

    async def command(self, text: str, *, times: int = 1) -> list[_Answer]:
        """The untagged answers.

        Raises:
            _Refused: the server will not.
            OSError, EOFError, TimeoutError: the connection is lost, or silent.
        """
        tag = self._send(text)
        async with asyncio.timeout(self._seconds * times):
            return await self._read_to(tag, text)

    async def idle(self, seconds: float, wake: asyncio.Event) -> None:
        """Wait for whatever the server says, for `wake` or for the time."""
        tag = self._send("IDLE")
        async with asyncio.timeout(self._seconds):
            while not (first := await self.read_answer()).line.startswith(b"+"):
                self._check(first, tag, "IDLE")
        said = asyncio.create_task(self.read_answer())
        woken = asyncio.create_task(wake.wait())
        try:
            waits = {said, woken}
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            self._writer.write(b"DONE\r\n")
            async with asyncio.timeout(self._seconds):
                if not self._check(await said, tag, "IDLE"):
                    await self._read_to(tag, "IDLE")
        finally:
            said.cancel()
            woken.cancel()

    async def read_answer(self) -> _Answer:
        """The next answer; its literal is bytes of any kind, line ends included."""
        line = await self._reader.readuntil(b"\r\n")
        content = None
        while literal := LITERAL.search(line):
            content = await self._reader.readexactly(int(literal[1]))
            line = line[: literal.start()] + await self._reader.readuntil(b"\r\n")
        return _Answer(line.rstrip(b"\r\n"), content)

    def abort(self) -> None:
        """Drop the connection at once."""
        self._writer.transport.abort()

    def _send(self, text: str) -> bytes:
        self._count += 1
        self._writer.write(f"J{self._count} {text}\r\n".encode())
        return b"J%d " % self._count

    async def _read_to(self, tag: bytes, text: str) -> list[_Answer]:
        answers: list[_Answer] = []
        while not self._check(answer := await self.read_answer(), tag, text):
            answers.append(answer)
            if answer.line.startswith(b"+"):
                # A refused XOAUTH2 comes as a challenge; without an empty answer there is no NO.
                self._writer.write(b"\r\n")
        return answers

    def _check(self, answer: _Answer, tag: bytes, text: str) -> bool:
        """Whether this is the command's last answer."""
        line = answer.line
        if line.startswith(tag):
            if not line[len(tag) :].upper().startswith(b"OK"):
                name = " ".join(text.split()[: 1 + text.startswith("UID")])
                said = line[len(tag) :].decode("utf-8", "replace")
                raise _Refused(f"IMAP {name}: {said}"[:300])
            return True
        if not line.startswith((b"*", b"+")) or line.upper().startswith(b"* BYE"):
            raise Unavailable(f"IMAP: {line[:200].decode('utf-8', 'replace')}")
        self.has_news = self.has_news or bool(EXISTS.match(line))
        return False


def _string(text: str) -> str:
    """A quoted string of RFC 3501; the library sends what it is given."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _mailbox(name: str) -> str:
    """A name of a mailbox; letters outside ASCII in modified UTF-7 (RFC 3501 5.1.3)."""

    def coded(letters: re.Match[str]) -> str:
        base = base64.b64encode(letters[0].encode("utf-16-be")).decode("ascii")
        return "&" + base.rstrip("=").replace("/", ",") + "-"

    return _string(NOT_ASCII.sub(coded, name.replace("&", "&-")))


def _uid_set(uids: Sequence[int]) -> str:
    return ",".join(str(uid) for uid in sorted(uids))


def _summary(words: bytes) -> MessageSummary | None:
    """What a FETCH answer says of a letter; None for any other line.

    Its date is ` 5-Dec-2026 20:00:01 +0100` of RFC 3501, whose months are English in every locale.
    """
    uid, size, date = UID.search(words), SIZE.search(words), DATE.search(words)
    if uid is None or size is None or date is None:
        return None
    day, clock, zone = date[1].decode("ascii").split()
    number, month, year = day.split("-")
    written = f"{year}-{MONTHS.index(month) + 1:02d}-{int(number):02d}T{clock}{zone}"
    received_at = datetime.fromisoformat(written).astimezone(UTC)
    return MessageSummary(int(uid[1]), received_at, int(size[1]))
