"""A mail server of our own on loopback: IMAP by pymap, SMTP by aiosmtpd, in this process.

For the demo, for `judge serve --embedded` and for tests. Login is the whole address with any
password; a mailbox appears for whoever writes, is written to, or logs in. The only module that
imports pymap and aiosmtpd.
"""

import asyncio
import hashlib
import logging
import os
import time
from argparse import Namespace
from collections.abc import Container, Mapping
from datetime import UTC, datetime
from functools import partial
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


class EmbeddedServer:
    """IMAP and SMTP on free loopback ports.

    Args:
        journal: a folder in which every letter is kept before SMTP says 250, and from which the
            mailboxes are filled again at start, so that nothing handed over is lost. A file's name
            holds when it came and a number, its first line when it came and its recipients. Only
            its owner can read it.
        taken: letters by address that were read from that mailbox, by their SHA-256: they are not
            put there again.
    """

    def __init__(
        self, journal: Path | None = None, taken: Mapping[str, Container[str]] | None = None
    ) -> None:
        self._journal = journal
        self._taken = taken or {}
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
        self._login = _make_login()
        if self._journal is not None:
            self._journal.mkdir(parents=True, exist_ok=True, mode=0o700)
            for path in sorted(self._journal.glob("*.letter")):
                head, _, raw = path.read_bytes().partition(b"\n")
                try:
                    received, *recipients = head.decode().split()
                    received_at = datetime.fromisoformat(received)
                except ValueError:  # a disk that was full or failed
                    log.warning("letter in the journal is damaged file=%s", path)
                    continue
                digest = hashlib.sha256(raw).hexdigest()
                for recipient in recipients:
                    if digest in self._taken.get(mailbox_of(recipient), ()):
                        continue
                    await self.deliver(recipient, raw, received_at)
        imap = await asyncio.start_server(self._serve_imap, LOOPBACK, 0)
        loop = asyncio.get_running_loop()
        session = partial(
            _LenientSmtp,
            self,
            hostname="localhost",
            enable_SMTPUTF8=True,
            data_size_limit=LARGEST_LETTER,
            ident="judge",
        )
        smtp = await loop.create_server(session, LOOPBACK, 0)
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
        identity = await self._login.identity(mailbox_of(recipient))
        async with identity.new_session() as session:
            when = received_at or datetime.now(UTC)
            letter = AppendMessage(raw, when, frozenset({Recent}))
            await session.append_messages("INBOX", [letter])

    async def handle_DATA(self, _server: SMTP, _session: SmtpSession, envelope: Envelope) -> str:
        """A letter that SMTP took (aiosmtpd's hook): journaled first, then delivered."""
        assert isinstance(envelope.content, bytes)
        received_at = datetime.now(UTC)
        recipients = [str(one) for one in envelope.rcpt_tos]
        try:
            if self._journal is not None:
                self._count += 1
                stamp = f"{time.time_ns():020d}-{self._count:06d}"
                written = self._journal / f"{stamp}.new"
                with os.fdopen(os.open(written, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                    head = f"{received_at.isoformat()} {' '.join(recipients)}\n"
                    file.write(head.encode() + envelope.content)
                    file.flush()
                    os.fsync(file.fileno())
                written.rename(self._journal / f"{stamp}.letter")
                # The new name is on the disk only when its folder is.
                folder = os.open(self._journal, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
        except OSError as error:
            log.warning("letter not taken reason=%s", error)
            return "451 no room for the letter now"
        for recipient in recipients:
            await self.deliver(recipient, envelope.content, received_at)
        return "250 OK"

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


def mailbox_of(recipient: str) -> str:
    """The plain address of a plus-address, lower case."""
    local, _, domain = recipient.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _make_login() -> _AnyLogin:
    """A login on pymap's in-memory backend, without its demo user and its slow password hash."""
    unset = ("cert", "key", "proxy_protocol", "passlib_cfg", "inherited_sockets")
    namespace = Namespace(
        debug=False,
        host=LOOPBACK,
        port="0",
        tls=False,
        demo_data=False,
        demo_user="",
        demo_password="",
        **dict.fromkeys(unset),
    )
    config = Config.from_args(
        namespace,
        max_append_len=LARGEST_LETTER,
        secure_auth=False,  # logging in without TLS is the point
        reject_dnsbl=False,
        bad_command_limit=None,
    )
    return _AnyLogin(config)
