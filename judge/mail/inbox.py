"""The judge's mailbox over IMAP. Only this and `imap_protocol.py` import aioimaplib."""

import asyncio
import base64
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aioimaplib

from judge.errors import Unavailable
from judge.mail.imap_protocol import SturdyClient
from judge.mail.transport import Fetched, MailboxStatus, MessageSummary

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
UID = re.compile(rb"\bUID (\d+)")
SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)")
DATE = re.compile(rb'\bINTERNALDATE "([^"]+)"')
UID_VALIDITY = re.compile(rb"UIDVALIDITY (\d+)")
UID_NEXT = re.compile(rb"UIDNEXT (\d+)")
NOT_ASCII = re.compile(r"[^\x20-\x7e]+")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class ImapAccount:
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

    async def open(self) -> MailboxStatus:
        async with self._guarded():
            if self._client is None:
                self._client = await self._connect()
                await self._make_processed_folder(self._client)
                self._status = await self._select(self._client)
            assert self._status is not None
            return self._status

    async def new_letters(self, after_uid: int) -> tuple[MessageSummary, ...]:
        async with self._guarded():
            client = self._connected()
            # New mail is not in "n:*" until the server has announced it.
            await self._do(client.noop(), "NOOP")
            client.protocol.has_news = False
            found = await self._do(
                client.uid_search(f"UID {after_uid + 1}:*", charset=None), "UID SEARCH"
            )
            uids = sorted({uid for uid in _numbers(found.lines[:-1]) if uid > after_uid})
            listed: list[MessageSummary] = []
            for start in range(0, len(uids), LIST_AT_ONCE):
                listed += await self._list(client, uids[start : start + LIST_AT_ONCE])
            return tuple(sorted(listed, key=lambda one: one.uid))

    async def fetch(self, uids: Sequence[int]) -> tuple[Fetched, ...]:
        if not uids:
            return ()
        async with self._guarded():
            fetched: list[Fetched] = []
            for start in range(0, len(uids), FETCH_AT_ONCE):
                fetched += await self._fetch(uids[start : start + FETCH_AT_ONCE])
            return tuple(sorted(fetched, key=lambda one: one.uid))

    async def archive(self, uids: Sequence[int]) -> None:
        if not uids:
            return
        async with self._guarded():
            client, numbers = self._connected(), _uid_set(uids)
            folder = _mailbox(self._account.processed_folder)
            if client.has_capability("MOVE"):
                await self._do(client.uid("MOVE", numbers, folder), "UID MOVE")
                return
            await self._do(client.uid("COPY", numbers, folder), "UID COPY")
            await self._do(client.uid("STORE", numbers, "+FLAGS (\\Deleted)"), "UID STORE")
            if client.has_capability("UIDPLUS"):
                await self._do(client.uid("EXPUNGE", numbers), "UID EXPUNGE")
            else:
                await self._do(client.expunge(), "EXPUNGE")

    async def wait(self, seconds: float, wake: asyncio.Event) -> None:
        async with self._guarded():
            client = self._connected()
            if client.protocol.has_news:
                return
            if client.has_capability("IDLE"):
                await self._idle(client, min(seconds, LONGEST_IDLE), wake)
            else:
                await _first_of(seconds, asyncio.ensure_future(wake.wait()))

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
            raise Unavailable(f"IMAP {type(error).__name__}: {error}") from error
        except asyncio.CancelledError:
            await self.close()
            raise

    def _connected(self) -> SturdyClient:
        if self._client is None:
            raise Unavailable("IMAP: not connected")
        return self._client

    async def _do(self, command: Awaitable[Any], name: str, times: int = 1) -> Any:
        answer = await self._in_time(command, times)
        if answer.result != "OK":
            said = b" ".join(bytes(line) for line in answer.lines[-1:]).decode(errors="replace")
            raise Unavailable(f"IMAP {name}: {answer.result} {said}"[:300])
        return answer

    async def _in_time(self, command: Awaitable[Any], times: int = 1) -> Any:
        return await asyncio.wait_for(command, self._account.command_seconds * times)

    async def _connect(self) -> SturdyClient:
        account = self._account
        context = _tls_context(account.ca_file) if account.tls else None
        client = SturdyClient(
            account.host, account.port, timeout=account.command_seconds, ssl_context=context
        )
        self._client = client  # so that a failed login is dropped too
        await client.wait_hello_from_server()
        if account.token is not None:
            token = await self._in_time(account.token())
            await self._do(client.xoauth2(account.user, token), "AUTHENTICATE")
        else:
            await self._do(client.login(_string(account.user), account.password), "LOGIN")
        # After LOGIN the library's list ends in "IDLE]": ask again.
        await self._in_time(client.protocol.capability())
        client.protocol.capabilities = {one.upper() for one in client.protocol.capabilities}
        return client

    async def _make_processed_folder(self, client: SturdyClient) -> None:
        folder = _mailbox(self._account.processed_folder)
        await self._in_time(client.create(folder))  # NO: it exists

    async def _select(self, client: SturdyClient) -> MailboxStatus:
        answer = await self._do(client.select(_mailbox(self._account.folder)), "SELECT")
        client.protocol.has_news = False  # SELECT counts what is there, it announces nothing
        text = b"\n".join(bytes(line) for line in answer.lines)
        validity, uid_next = UID_VALIDITY.search(text), UID_NEXT.search(text)
        if validity is None:
            raise Unavailable("IMAP SELECT: no UIDVALIDITY")
        return MailboxStatus(int(validity[1]), int(uid_next[1]) if uid_next else 1)

    async def _fetch(self, uids: Sequence[int]) -> list[Fetched]:
        parts = f"(UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.{self._account.max_bytes}>)"
        command = self._connected().uid("FETCH", _uid_set(uids), parts)
        answer = await self._do(command, "UID FETCH", FETCH_TIMES)
        return [one for one in map(_fetched, _groups(answer.lines)) if one is not None]

    async def _list(self, client: SturdyClient, uids: Sequence[int]) -> list[MessageSummary]:
        command = client.uid("FETCH", _uid_set(uids), "(UID INTERNALDATE RFC822.SIZE)")
        answer = await self._do(command, "UID FETCH", FETCH_TIMES)
        wanted = set(uids)
        listed = [one for one in map(_listed, answer.lines[:-1]) if one is not None]
        return [one for one in listed if one.uid in wanted]

    async def _idle(self, client: SturdyClient, seconds: float, wake: asyncio.Event) -> None:
        # Some servers announce in IDLE only what comes after it began: ask for what came before.
        answer = await self._do(client.noop(), "NOOP")
        if any(b"EXISTS" in bytes(line) for line in answer.lines):
            return
        queue: asyncio.Queue[Any] = client.protocol.idle_queue
        while not queue.empty():
            queue.get_nowait()
        idle = await self._in_time(client.idle_start(timeout=seconds + 60))
        push = asyncio.ensure_future(queue.get())
        await _first_of(seconds, push, asyncio.ensure_future(wake.wait()), idle, keep=idle)
        if not idle.done():
            client.idle_done()
        await self._do(idle, "IDLE")


async def _first_of(
    seconds: float, *waits: "asyncio.Future[Any]", keep: "asyncio.Future[Any] | None" = None
) -> None:
    """Wait for the first of several, or the time; the others are dropped, but not `keep`."""
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            if wait is not keep and not wait.done():
                wait.cancel()


def _tls_context(ca_file: Path | None) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(ca_file) if ca_file else None)


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _mailbox(name: str) -> str:
    """A quoted string of RFC 3501; the library sends names as they are.

    Letters outside ASCII are in the modified UTF-7 of its section 5.1.3.
    """
    name = NOT_ASCII.sub(_modified_utf_7, name.replace("&", "&-"))
    return _string(name)


def _modified_utf_7(letters: re.Match[str]) -> str:
    coded = base64.b64encode(letters[0].encode("utf-16-be")).decode("ascii")
    return "&" + coded.rstrip("=").replace("/", ",") + "-"


def _uid_set(uids: Sequence[int]) -> str:
    return ",".join(str(uid) for uid in sorted(uids))


def _numbers(lines: Sequence[bytes]) -> list[int]:
    """The numbers of SEARCH answers; unsolicited lines between them hold words as well."""
    numbers: list[int] = []
    for line in lines:
        words = bytes(line).split()
        if words and all(word.isdigit() for word in words):
            numbers += [int(word) for word in words]
    return numbers


def _groups(lines: Sequence[Any]) -> list[tuple[bytes, bytes]]:
    """Each FETCH answer as its words and its literal; those without a literal are left out.

    The literal is told from the words by its type, not by its place: unsolicited FLAGS may stand
    anywhere between.
    """
    groups: list[tuple[bytes, bytes]] = []
    words, literal = b"", None
    for line in lines:
        if isinstance(line, bytearray):
            literal = bytes(line)
        elif re.match(rb"\d+ FETCH \(", line):
            if literal is not None:
                groups.append((words, literal))
            words, literal = line, None
        else:
            words += b" " + line
    if literal is not None:
        groups.append((words, literal))
    return groups


def _listed(line: bytes) -> MessageSummary | None:
    uid, size, date = UID.search(line), SIZE.search(line), DATE.search(line)
    if uid is None or size is None or date is None:
        return None
    return MessageSummary(int(uid[1]), _instant(date[1]), int(size[1]))


def _fetched(group: tuple[bytes, bytes]) -> Fetched | None:
    words, raw = group
    listed = _listed(words)
    return Fetched(listed.uid, listed.received_at, raw, listed.size_bytes) if listed else None


def _instant(written: bytes) -> datetime:
    """` 5-Dec-2026 20:00:01 +0100` of RFC 3501, whose months are English in every locale."""
    day, month, year = written.decode("ascii").strip().split(" ")[0].split("-")
    clock, zone = written.decode("ascii").strip().split(" ")[1:]
    text = f"{year}-{MONTHS.index(month) + 1:02d}-{int(day):02d}T{clock}{zone[:3]}:{zone[3:]}"
    return datetime.fromisoformat(text).astimezone(UTC)
