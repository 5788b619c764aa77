"""The way out: what it promises, and how SMTP keeps it. Only this module imports aiosmtplib."""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import aiosmtplib
import msgspec

from judge.errors import JudgeError, Unavailable
from judge.mail.letter import wire_address

CONNECTIONS = 3
IDLE_SECONDS = 10.0
QUIT_SECONDS = 2.0
TIMEOUT_SECONDS = 60.0
DATA_SECONDS = 600.0  # for the answer after the final dot (RFC 5321 4.5.3.2.6)
CLOSING = 421
OF_ADDRESS = (550, 551, 553)  # where no enhanced code says more
OF_SENDER = ("5.1.7", "5.1.8")  # RFC 3463: the sender's address, which is ours
# First in the answer (RFC 2034), or where some servers put it: `#5.1.1`, `(#5.7.1)`.
ENHANCED = re.compile(r"(?<![\d.])5\.(\d{1,3})\.\d{1,3}(?![\d.]*\d)")
# What servers without such codes say of us, not of the address: Exim, Sendmail, qmail, filters.
OF_US = re.compile(
    r"\b(?:relay|auth|prohibit|polic|spam|block|blacklist|listed|rcpthosts|spf\b|dkim|dmarc|sender"
    r"|submission|(?:daily|hourly|rate|sending) (?:limit|quota))",
    re.IGNORECASE,
)
TEMPORARY = range(400, 500)  # RFC 5321 4.2.1: try again later
FAILURES = (aiosmtplib.SMTPException, OSError, ValueError)  # of the server, the network, an address


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

    async def close(self) -> None:
        """Close what is open; `send` opens it again."""


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
    """A client that knows how far it came with a letter, and leaves no socket open."""

    has_begun_data = False

    async def send_data(self, raw: bytes) -> None:
        """Send a letter's bytes. Those of `compose` have their line ends already, and need no look
        at every line, which takes aiosmtplib half a millisecond."""
        self.has_begun_data = True
        ends = {raw.count(end) for end in (b"\r", b"\n", b"\r\n")}
        if len(ends) == 1 and raw.endswith(b"\r\n") and self.transport is not None:
            await self._execute_expecting(b"DATA", aiosmtplib.SMTPStatus.start_input)
            stuffed = raw.replace(b"\r\n.", b"\r\n..")  # RFC 5321 4.5.2
            assert isinstance(self.transport, asyncio.WriteTransport)
            self.transport.write(b"." + stuffed if raw.startswith(b".") else stuffed)
            await self._execute_expecting(b".", aiosmtplib.SMTPStatus.completed)
        else:
            await self.data(raw, timeout=DATA_SECONDS)
        self.has_begun_data = False

    async def _execute_expecting(self, command: bytes, status: int) -> None:
        answer = await self.execute_command(command, timeout=DATA_SECONDS)
        if answer.code != status:
            raise aiosmtplib.SMTPDataError(answer.code, answer.message)

    async def leave(self) -> None:
        """QUIT and close; the server's answer no longer matters."""
        with suppress(aiosmtplib.SMTPException, OSError):
            await self.quit(timeout=QUIT_SECONDS)
        self.close()

    def close(self) -> None:
        """TLS would wait half a minute for the server to close its side, though nothing is said
        after QUIT."""
        transport = self.transport
        super().close()
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()


class SmtpDelivery:
    """Sends over at most `CONNECTIONS` connections, which stay open for the next letter.

    A connection is used again only after a letter that went well, and closed when it was idle for
    `IDLE_SECONDS`, by `close`, or at the latest when the event loop ends.
    """

    def __init__(self, account: SmtpAccount) -> None:
        self._account = account
        self._context: ssl.SSLContext | None = None
        self._room = asyncio.Semaphore(CONNECTIONS)
        self._kept: dict[_Client, asyncio.Task[None]] = {}  # idle, each with what will close it

    async def send(self, raw: bytes, sender: str, recipient: str) -> None:
        async with self._room:
            # The connection that was used last, if the server has not closed it meanwhile.
            kept: _Client | None = None
            while self._kept and (kept is None or not kept.is_connected):
                kept, closing = self._kept.popitem()
                closing.cancel()
            if kept is not None and kept.is_connected:
                try:
                    await self._send_over(kept, raw, sender, recipient)
                except Unavailable:  # it may have been dropped, or have carried enough letters
                    if kept.has_begun_data:
                        raise  # the server may have the letter
                else:
                    return
            await self._send_over(await self._connect(sender), raw, sender, recipient)

    async def check_sending(self, address: str) -> None:
        """All of a letter but its text, from an address to itself, for `judge check`.

        Raises:
            Unavailable, Rejected: as `send`.
        """
        client = await self._connect(address)
        try:
            await _send_envelope(client, address, address)
            await client.rset()
        except FAILURES as error:
            raise _failure(error) from error
        finally:
            await client.leave()

    async def close(self) -> None:
        """Say goodbye on all idle connections."""
        kept, self._kept = self._kept, {}
        for closing in kept.values():
            closing.cancel()
        await asyncio.gather(*(client.leave() for client in kept))

    async def _close_when_idle(self, client: _Client) -> None:
        try:
            await asyncio.sleep(IDLE_SECONDS)
        finally:
            if self._kept.pop(client, None) is not None:
                await client.leave()

    async def _send_over(self, client: _Client, raw: bytes, sender: str, recipient: str) -> None:
        try:
            await _send_envelope(client, sender, recipient)
            await client.send_data(raw)
        except FAILURES as error:
            await client.leave()
            raise _failure(error) from error
        except Rejected:
            await client.leave()
            raise
        except BaseException:
            client.close()
            raise
        self._kept[client] = asyncio.create_task(self._close_when_idle(client))

    async def _connect(self, sender: str) -> _Client:
        """A client that is logged in. Raises Unavailable."""
        account = self._account
        login: dict[str, Any] = {}
        if account.user:
            login["username"] = account.user
            if account.token is not None:
                login["oauth_token_generator"] = account.token
            else:
                login["password"] = account.password
        try:
            if self._context is None and account.tls != "none":
                self._context = await asyncio.to_thread(tls_context, account.ca_file)
            client = _Client(
                hostname=account.host,
                port=account.port,
                local_hostname=sender.rpartition("@")[2] or "localhost",
                timeout=TIMEOUT_SECONDS,
                use_tls=account.tls == "implicit",
                start_tls=account.tls == "starttls",
                tls_context=self._context,
                **login,
            )
            await client.connect()
        except FAILURES as error:
            self._context = None  # authorities may have been renewed on the disk
            raise _failure(error) from error
        return client


async def _send_envelope(client: _Client, sender: str, recipient: str) -> None:
    """Say from whom and to whom; outside ASCII by SMTPUTF8 (RFC 6531).

    Raises:
        Rejected: the server has no SMTPUTF8, so that nobody can be reached there through it.
    """
    sender, recipient = wire_address(sender), wire_address(recipient)
    if sender.isascii() and recipient.isascii():
        await client.mail(sender)
        await client.rcpt(recipient)
        return
    if client.is_ehlo_or_helo_needed:
        await client.ehlo()
    if not client.supports_extension("smtputf8"):
        raise Rejected("our mail server cannot send to an address outside ASCII (no SMTPUTF8)")
    await client.mail(sender, options=["SMTPUTF8"], encoding="utf-8")
    await client.rcpt(recipient, encoding="utf-8")


def tls_context(ca_file: Path | None) -> ssl.SSLContext:
    """Trusts the system's authorities, and those of the file. Takes some 30 ms."""
    context = ssl.create_default_context()
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context


def _failure(error: Exception) -> Unavailable | Rejected:
    """What an error of aiosmtplib or of the network means to us."""
    if not isinstance(error, aiosmtplib.SMTPDataError | aiosmtplib.SMTPRecipientRefused):
        return Unavailable(f"SMTP {type(error).__name__}: {error or 'no answer in time'}")
    # Whose fault a refusal is: by the enhanced code (RFC 3463), else by the code of RFC 5321.
    code, message = error.code, error.message
    text = f"{code} {message}"
    if code == CLOSING:
        return Unavailable(f"SMTP {text}")
    if code in TEMPORARY:
        return Deferred(text)
    enhanced = ENHANCED.search(message)
    if enhanced is None:
        is_of_address = code in OF_ADDRESS and not OF_US.search(message)
    else:
        is_of_address = enhanced[1] in ("1", "2") and enhanced[0] not in OF_SENDER
    return Rejected(text) if is_of_address else ServerRefuses(text)
