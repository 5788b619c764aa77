"""The way out: what it promises, and how SMTP keeps it. Only this module imports aiosmtplib."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import aiosmtplib
import msgspec

from judge.errors import JudgeError, Unavailable

TIMEOUT_SECONDS = 60.0
TEMPORARY = range(400, 500)  # RFC 5321 4.2.1: try again later


class Rejected(JudgeError):
    """The server will never take this letter for this recipient; its words are the text."""


class Delivery(Protocol):
    """The way out."""

    async def send(self, raw: bytes, sender: str, recipient: str) -> None:
        """Hand one letter over.

        Raises:
            Unavailable: try again later; the server may or may not have it already.
            Rejected: it will never be taken.
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
            await client.sendmail(sender, [recipient], raw)

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
        except aiosmtplib.SMTPRecipientsRefused as error:
            first = error.recipients[0]
            raise _refusal(first.code, first.message) from error
        except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPRecipientRefused) as error:
            raise _refusal(error.code, error.message) from error
        except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
            raise Unavailable(f"SMTP {type(error).__name__}: {error}") from error


def _refusal(code: int, message: str) -> Unavailable | Rejected:
    text = f"{code} {message}"
    return Unavailable(text) if code in TEMPORARY else Rejected(text)
