"""A mail server of our own on loopback: IMAP by pymap, SMTP by aiosmtpd, in this process.

For the demo, for `judge serve --embedded` and for tests. Login is the whole address with any
password; a mailbox appears for whoever writes, is written to, or logs in. The only module that
imports pymap and aiosmtpd.
"""

import asyncio
import logging
import os
import time
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as SmtpSession
from proxyprotocol.result import ProxyResultLocal
from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import Config, Identity, Login
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials.flag import Recent
from pymap.user import UserMetadata

log = logging.getLogger(__name__)
LOOPBACK = "127.0.0.1"
LARGEST_LETTER = 40_000_000  # bytes; more than any judge reads, so that refusing is the judge's


class _AnyLogin(Login):
    """Lets everybody in: the server listens on loopback only."""

    async def authenticate(self, credentials: Any) -> Identity:
        return await self.identity(str(credentials.authcid).lower())

    async def identity(self, address: str) -> Identity:
        identity = Identity(address, self, None, set())
        if address not in self.users_dict:
            await identity.set(UserMetadata(self.config, address))
        return identity


class _LenientSmtp(SMTP):
    """Takes the over-long lines that large servers take too."""

    line_length_limit = 1_000_000


@dataclass(frozen=True, slots=True)
class _Journaled:
    """A letter on disk: the name holds when it came and a number, the first line its recipients."""

    received_at: datetime
    recipients: tuple[str, ...]
    raw: bytes


class EmbeddedServer:
    """IMAP and SMTP on free loopback ports.

    Attributes:
        journal: a folder in which every letter is kept before SMTP says 250, and from which the
            mailboxes are filled again at start, so that nothing handed over is lost.
    """

    def __init__(self, journal: Path | None = None) -> None:
        self._journal = journal
        self._servers: list[asyncio.Server] = []
        self._login: _AnyLogin | None = None
        self._connections: set[asyncio.Task[Any]] = set()
        self._count = 0
        self.imap_port = 0
        self.smtp_port = 0

    async def start(self) -> None:
        """Listen on both ports.

        Raises:
            OSError: loopback cannot be bound, or the journal cannot be read.
        """
        self._login = await _make_login()
        await self._refill()
        imap = await asyncio.start_server(self._serve_imap, LOOPBACK, 0)
        loop = asyncio.get_running_loop()
        smtp = await loop.create_server(self._smtp_session, LOOPBACK, 0)
        self._servers = [imap, smtp]
        self.imap_port = imap.sockets[0].getsockname()[1]
        self.smtp_port = smtp.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close both ports and every connection."""
        for server in self._servers:
            server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        self._servers = []

    async def deliver(
        self, recipient: str, raw: bytes, received_at: datetime | None = None
    ) -> None:
        """Put a letter into a mailbox; plus-addresses go to the plain one."""
        assert self._login is not None, "not started"
        local, _, domain = recipient.lower().rpartition("@")
        address = f"{local.partition('+')[0]}@{domain}"
        identity = await self._login.identity(address)
        async with identity.new_session() as session:
            when = received_at or datetime.now(UTC)
            letter = AppendMessage(raw, when, frozenset({Recent}))
            await session.append_messages("INBOX", [letter])

    # --- inside -------------------------------------------------------------------------------

    async def _serve_imap(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert self._login is not None
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            info = SocketInfo.get(writer, ProxyResultLocal())
            await IMAPServer(self._login, self._login.config)(reader, writer, info)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the client went away, or we are stopping
        finally:
            self._connections.discard(task)
            writer.close()

    def _smtp_session(self) -> SMTP:
        return _LenientSmtp(
            _Handler(self),
            hostname="localhost",
            enable_SMTPUTF8=True,
            data_size_limit=LARGEST_LETTER,
            ident="judge",
        )

    async def take(self, recipients: list[str], raw: bytes) -> None:
        """A letter that SMTP took: journaled first, then delivered."""
        received_at = datetime.now(UTC)
        if self._journal is not None:
            self._write_journal(received_at, recipients, raw)
        for recipient in recipients:
            await self.deliver(recipient, raw, received_at)

    def _write_journal(self, received_at: datetime, recipients: list[str], raw: bytes) -> None:
        assert self._journal is not None
        self._count += 1
        stamp = f"{time.time_ns():020d}-{self._count:06d}"
        written = self._journal / f"{stamp}.new"
        head = f"{received_at.isoformat()} {' '.join(recipients)}\n".encode()
        with written.open("wb") as file:
            file.write(head + raw)
            file.flush()
            os.fsync(file.fileno())
        written.rename(self._journal / f"{stamp}.letter")
        _sync_folder(self._journal)

    async def _refill(self) -> None:
        if self._journal is None:
            return
        self._journal.mkdir(parents=True, exist_ok=True)
        for letter in _read_journal(self._journal):
            for recipient in letter.recipients:
                await self.deliver(recipient, letter.raw, letter.received_at)


class _Handler:
    """aiosmtpd's hook: everybody may write to everybody."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._server = server

    async def handle_DATA(self, _server: SMTP, _session: SmtpSession, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        try:
            await self._server.take([str(one) for one in envelope.rcpt_tos], envelope.content)
        except OSError as error:
            log.warning("letter not taken reason=%s", error)
            return "451 no room for the letter now"
        return "250 OK"


def _sync_folder(folder: Path) -> None:
    """The new name is on the disk only when its folder is."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _read_journal(journal: Path) -> Iterator[_Journaled]:
    for path in sorted(journal.glob("*.letter")):
        head, _, raw = path.read_bytes().partition(b"\n")
        received, *recipients = head.decode().split()
        yield _Journaled(datetime.fromisoformat(received), tuple(recipients), raw)


async def _make_login() -> _AnyLogin:
    """A login on pymap's in-memory backend, without its demo user and its slow password hash."""
    namespace = Namespace(
        debug=False,
        host=LOOPBACK,
        port="0",
        cert=None,
        key=None,
        tls=False,
        proxy_protocol=None,
        passlib_cfg=None,
        inherited_sockets=None,
        demo_data=False,
        demo_user="",
        demo_password="",
    )
    overrides: dict[str, Any] = {
        "max_append_len": LARGEST_LETTER,
        "secure_auth": False,  # logging in without TLS is the point
        "reject_dnsbl": False,
        "bad_command_limit": None,
    }
    config = Config.from_args(namespace, **overrides)
    return _AnyLogin(config)
