"""The way out over SMTP. The only module that imports aiosmtplib."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiosmtplib

from judge.errors import Unavailable
from judge.mail.transport import Rejected

TIMEOUT_SECONDS = 60.0
TEMPORARY = range(400, 500)  # RFC 5321 4.2.1: try again later


@dataclass(frozen=True, slots=True)
class SmtpAccount:
    """Who takes our letters. `tls` is `implicit`, `starttls` or `none`."""

    host: str
    port: int
    tls: str = "implicit"
    user: str = ""
    password: str = ""
    token: Callable[[], Awaitable[str]] | None = None
    ca_file: Path | None = None


class _Client(aiosmtplib.SMTP):
    """A client that leaves no socket open: TLS would wait for the server's own farewell, half a
    minute long, though nothing is said after QUIT."""

    def close(self) -> None:
        transport = self.transport
        super().close()
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()


class SmtpDelivery:
    """A connection a letter: simplest, and hundreds a second."""

    def __init__(self, account: SmtpAccount) -> None:
        self._account = account

    async def send(self, raw: bytes, sender: str, recipient: str) -> None:
        try:
            async with self._client(sender) as client:
                refused, _ = await client.sendmail(sender, [recipient], raw)
        except aiosmtplib.SMTPRecipientsRefused as error:
            first = error.recipients[0]
            raise _trouble(first.code, first.message) from error
        except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPRecipientRefused) as error:
            raise _trouble(error.code, error.message) from error
        except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
            raise Unavailable(f"SMTP {type(error).__name__}: {error}") from error
        for answer in refused.values():
            raise _trouble(answer.code, answer.message)

    async def try_login(self, sender: str) -> None:
        """Connect and log in, for `judge check`. Raises Unavailable."""
        try:
            async with self._client(sender) as client:
                await client.noop()
        except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
            raise Unavailable(f"SMTP {type(error).__name__}: {error}") from error

    def _client(self, sender: str) -> _Client:
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
        return _Client(
            hostname=account.host,
            port=account.port,
            local_hostname=sender.rpartition("@")[2] or "localhost",
            timeout=TIMEOUT_SECONDS,
            use_tls=account.tls == "implicit",
            start_tls=account.tls == "starttls",
            **options,
        )


def _trouble(code: int, message: str) -> Unavailable | Rejected:
    text = f"{code} {message}"
    return Unavailable(text) if code in TEMPORARY else Rejected(text)
