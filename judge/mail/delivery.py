"""The way out: what it promises, and how SMTP keeps it. Only this module imports aiosmtplib."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import aiosmtplib
import msgspec

from judge.errors import JudgeError, Unavailable

TIMEOUT_SECONDS = 60.0
DATA_SECONDS = 600.0  # for the answer after the final dot (RFC 5321 4.5.3.2.6)
CLOSING = 421
OF_ADDRESS = (550, 551, 553)  # where no enhanced code says more
OF_SENDER = ("5.1.7", "5.1.8")  # RFC 3463: the sender's address, which is ours
ENHANCED = re.compile(r"5\.(\d{1,3})\.\d{1,3}")
TEMPORARY = range(400, 500)  # RFC 5321 4.2.1: try again later


class Rejected(JudgeError):
    """Nobody can be reached at this address; the server's words are the text."""


class Deferred(Unavailable):
    """The server does not take a letter for this recipient now (RFC 5321 4.2.1: 4yz)."""


class ServerRefuses(Unavailable):
    """The server refuses a letter for a reason that lies in itself, or in how we log in to it."""


class Delivery(Protocol):
    """The way out."""

    async def send(self, raw: bytes, sender: str, recipient: str) -> None:
        """Hand one letter over.

        Raises:
            Unavailable: no server can be talked to: no letter goes out now. Try again later; the
                server may or may not have this one already.
            Deferred, ServerRefuses: this letter is not taken now; others may be.
            Rejected: the address is at fault.
        """
        ...


class SmtpAccount(msgspec.Struct, frozen=True):
    """Who takes our letters. `tls` is `implicit`, `starttls` or `none`."""

    host: str
    port: int
    tls: str = "implicit"
    user: str = ""
    password: str = ""
    token: Callable[[], Awaitable[str]] | None = None
    ca_file: Path | None = None


class _Client(aiosmtplib.SMTP):
    """A client that leaves no socket open: TLS would wait half a minute for the server to close
    its side, though nothing is said after QUIT."""

    def close(self) -> None:
        transport = self.transport
        super().close()
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()


class SmtpDelivery:
    """A connection a letter."""

    def __init__(self, account: SmtpAccount) -> None:
        self._account = account

    async def send(self, raw: bytes, sender: str, recipient: str) -> None:
        async with self._connected(sender) as client:
            await client.mail(sender)
            await client.rcpt(recipient)
            await client.data(raw, timeout=DATA_SECONDS)

    async def try_login(self, sender: str) -> None:
        """Connect and log in, for `judge check`. Raises Unavailable."""
        async with self._connected(sender) as client:
            await client.noop()

    @asynccontextmanager
    async def _connected(self, sender: str) -> AsyncIterator[_Client]:
        """A client that is logged in; its errors become ours."""
        account = self._account
        options: dict[str, Any] = {}
        if account.user:
            options["username"] = account.user
            if account.token is not None:
                options["oauth_token_generator"] = account.token
            else:
                options["password"] = account.password
        if account.ca_file is not None:
            options["cert_bundle"] = str(account.ca_file)
        client = _Client(
            hostname=account.host,
            port=account.port,
            local_hostname=sender.rpartition("@")[2] or "localhost",
            timeout=TIMEOUT_SECONDS,
            use_tls=account.tls == "implicit",
            start_tls=account.tls == "starttls",
            **options,
        )
        try:
            async with client:
                yield client
        except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPRecipientRefused) as error:
            raise _refusal(error.code, error.message) from error
        except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
            raise Unavailable(f"SMTP {type(error).__name__}: {error}") from error


def _refusal(code: int, message: str) -> Unavailable | Rejected:
    """Whose fault a refusal is: by the enhanced code (RFC 3463), else by the code of RFC 5321."""
    text = f"{code} {message}"
    if code == CLOSING:
        return Unavailable(f"SMTP {text}")
    if code in TEMPORARY:
        return Deferred(text)
    enhanced = ENHANCED.match(message)
    if enhanced is None:
        return Rejected(text) if code in OF_ADDRESS else ServerRefuses(text)
    is_of_address = enhanced[1] in ("1", "2") and enhanced[0] not in OF_SENDER
    return Rejected(text) if is_of_address else ServerRefuses(text)
