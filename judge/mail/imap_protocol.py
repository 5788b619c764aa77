"""aioimaplib's protocol with its traps mended; what each mends is said at the method."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import aioimaplib
from aioimaplib import IMAP4ClientProtocol

LITERAL = re.compile(rb".*\{(\d+)\}\Z", re.DOTALL)
NAME = re.compile(rb"\* (\d+ )?[A-Za-z]+")  # of an untagged answer
EXISTS = re.compile(rb"\* \d+ EXISTS", re.IGNORECASE)
CRLF = b"\r\n"


class SturdyProtocol(IMAP4ClientProtocol):  # type: ignore[misc]  # aioimaplib has no types
    """Wakes everybody when the connection is lost, and reads any number of lines at once."""

    def __init__(self, loop: asyncio.AbstractEventLoop, conn_lost_cb: Any = None) -> None:
        super().__init__(loop, conn_lost_cb)
        self.lost = asyncio.Event()
        self.has_news = False  # letters announced outside IDLE, which IDLE will not repeat

    async def welcome(self, command: bytes) -> None:
        """The library runs it as a task that nobody awaits, so its errors end the connection."""
        try:
            await super().welcome(command)
        except aioimaplib.AioImapException:
            self.transport.abort()

    async def execute(self, command: Any, scrub: str | None = None) -> Any:
        """On a connection that is gone the library would wait for the answer for ever."""
        if self.transport is None or self.transport.is_closing():
            raise aioimaplib.Abort("the connection is closed")
        return await super().execute(command, scrub)

    def connection_lost(self, exc: Exception | None) -> None:
        """Ours wakes all waiters; the library's leaves them to their own timeouts."""
        super().connection_lost(exc)
        pending: list[Any] = list(self.pending_async_commands.values())
        pending.append(getattr(self, "pending_sync_command", None))
        for command in filter(None, pending):
            command._exception = aioimaplib.Abort(
                f"connection lost: {exc or 'closed by the server'}"
            )
            command.close(b"", "KO")
        self.pending_async_commands.clear()
        self.pending_sync_command = None
        self.lost.set()
        self._idle_event.set()
        self.idle_queue.put_nowait([b"BYE connection lost"])

    def _untagged_response(self, line: bytes) -> Any:
        """The library takes a BYE for any other line, and the servers' word of new letters too. It
        knows names in capitals alone (RFC 3501 9: they may be written in any case)."""
        line = NAME.sub(lambda name: name[0].upper(), line, count=1)
        if line.startswith(b"* BYE"):
            self.transport.abort()
        if EXISTS.match(line):
            self.has_news = True
        return super()._untagged_response(line)

    def _handle_responses(
        self, data: bytes, line_handler: Callable[[bytes, Any], Any], current_cmd: Any = None
    ) -> None:
        """A loop; the library's recursion dies of some 700 lines in one piece (its issue 118)."""
        while data:
            if current_cmd is not None and current_cmd.wait_literal_data():
                data = current_cmd.append_literal_data(data)
                if current_cmd.wait_literal_data():
                    raise aioimaplib.IncompleteRead(current_cmd)
            line, separator, tail = data.partition(CRLF)
            if not separator:
                raise aioimaplib.IncompleteRead(current_cmd, data)
            command = line_handler(line, current_cmd)
            literal = LITERAL.match(line)
            if literal:
                command = command or aioimaplib.Command("NIL", "unused")
                command.begin_literal_data(int(literal[1]))
                current_cmd = command
            else:
                current_cmd = command if command is not None and command.wait_data() else None
            data = tail
        if self.pending_sync_command is not None:
            self.pending_sync_command.flush()
        if current_cmd is not None and current_cmd.wait_data():
            raise aioimaplib.IncompleteRead(current_cmd)

    def _continuation(self, line: bytes) -> None:
        """A refused XOAUTH2 comes as a challenge; without an empty answer there is no NO."""
        pending: Any = self.pending_sync_command
        if pending is not None and pending.name == "AUTHENTICATE":
            self.transport.write(CRLF)
            return
        super()._continuation(line)


class SturdyClient(aioimaplib.IMAP4):  # type: ignore[misc]
    """A client on the sturdy protocol, with or without TLS."""

    def create_client(
        self,
        host: str,
        port: int,
        loop: asyncio.AbstractEventLoop | None,
        conn_lost_cb: Any = None,
        ssl_context: Any = None,
    ) -> None:
        running = loop or asyncio.get_running_loop()
        self.protocol = SturdyProtocol(running, conn_lost_cb)
        self._client_task = running.create_task(
            running.create_connection(lambda: self.protocol, host, port, ssl=ssl_context)
        )

    async def _wait_connection_and_hello(self) -> None:
        """The library would wait for a greeting on a connection that is gone already."""
        await self._client_task
        hello = asyncio.ensure_future(self.protocol.wait("AUTH|NONAUTH"))
        lost = asyncio.ensure_future(self.protocol.lost.wait())
        try:
            await asyncio.wait({hello, lost}, return_when=asyncio.FIRST_COMPLETED)
            if not hello.done():
                raise aioimaplib.Abort("the server closed the connection instead of a greeting")
        finally:
            for task in (hello, lost):
                task.cancel()

    async def idle(self) -> Any:
        """Runs as a task that nobody may await; a lost connection is its answer, not its error."""
        try:
            return await super().idle()
        except aioimaplib.AioImapException as error:
            return aioimaplib.Response("KO", [str(error).encode()])

    def abort(self) -> None:
        """Drop the connection at once; aioimaplib has no such thing."""
        if not self._client_task.done():
            self._client_task.cancel()
        elif not self._client_task.cancelled():
            self._client_task.exception()  # look at it, so that nobody warns of it
        transport = self.protocol.transport
        if transport is not None:
            transport.abort()
