"""A small IMAP server that misbehaves as asked: it drops, says BYE, falls silent, floods."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto

from judge.mail import ImapAccount


class Fault(Enum):
    """What happens instead of an answer."""

    CLOSE = auto()
    SILENCE = auto()


Answer = bytes | Fault | tuple[bytes | Fault, ...]
OK = b"{tag} OK done\r\n"
LETTER = b"From: anna@example.test\r\n\r\nA PAR - BUR\r\n"
DATE = b'INTERNALDATE " 5-Dec-2026 21:00:01 +0100"'
LISTED = b"* 1 FETCH (UID 7 " + DATE + b" RFC822.SIZE %d)\r\n" % len(LETTER)
FETCHED = b"* 1 FETCH (UID 7 %s RFC822.SIZE %d BODY[]<0> {%d}\r\n%s)\r\n" % (
    DATE,
    len(LETTER),
    len(LETTER),
    LETTER,
)


def usual_answers(capabilities: str) -> dict[str, Answer]:
    """What a server in good health says; a fault replaces one of them."""
    return {
        "GREETING": b"* OK ready\r\n",
        "CAPABILITY": b"* CAPABILITY IMAP4rev1 " + capabilities.encode() + b"\r\n" + OK,
        "LOGIN": OK,
        "AUTHENTICATE": OK,
        "CREATE": b"{tag} NO it exists\r\n",
        "SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 5] x\r\n* OK [UIDNEXT 8] x\r\n" + OK,
        "NOOP": OK,
        "APPEND": OK,
        "UID SEARCH": b"* SEARCH 7\r\n" + OK,
        "UID FETCH": LISTED + OK,
        "UID MOVE": OK,
        "UID COPY": OK,
        "UID STORE": OK,
        "UID EXPUNGE": OK,
        "EXPUNGE": OK,
        "IDLE": b"+ idling\r\n",
        "DONE": OK,
    }


@dataclass(slots=True)
class FaultyImap:
    """The server's side: what it answers, and what it was told.

    Attributes:
        said: every line that clients sent, without its tag.
        most_at_once: the largest number of commands in work at the same time.
    """

    answers: dict[str, Answer]
    port: int = 0
    said: list[str] = field(default_factory=list)
    connections: int = 0
    idling: asyncio.Event = field(default_factory=asyncio.Event)
    writer: asyncio.StreamWriter | None = None

    def account(self, **values: object) -> ImapAccount:
        made: dict[str, object] = {"host": "127.0.0.1", "port": self.port, "user": "judge"}
        made |= {"password": "secret", "tls": False, "command_seconds": 20.0, **values}
        return ImapAccount(**made)  # type: ignore[arg-type]

    def push(self, line: bytes) -> None:
        """Say something unasked on the newest connection."""
        assert self.writer is not None
        self.writer.write(line)

    def told(self, command: str) -> list[str]:
        return [line for line in self.said if line.startswith(command)]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writer = writer
        try:
            await self._converse(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the client dropped us, as it should when we misbehave, or the test is over
        finally:
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not await self._answer(writer, "GREETING", ""):
            return
        tag = ""
        while line := (await reader.readline()).decode().rstrip("\r\n"):
            if line == "DONE":
                said = line
            else:
                tag, _, said = line.partition(" ")
            self.said.append(said)
            if said.endswith("}"):  # a literal follows
                writer.write(b"+ go on\r\n")
                await reader.readexactly(int(said.rpartition("{")[2][:-1]))
                await reader.readline()
            words = said.upper().split()
            command = " ".join(words[:2]) if words and words[0] == "UID" else "".join(words[:1])
            if " ".join(words[:3]) in self.answers:  # as to some UIDs alone
                command = " ".join(words[:3])
            if not await self._answer(writer, command, tag):
                return
            if command == "IDLE":
                self.idling.set()

    async def _answer(self, writer: asyncio.StreamWriter, command: str, tag: str) -> bool:
        """Whether the connection goes on."""
        answer = self.answers.get(command, b"{tag} BAD unknown\r\n")
        for part in answer if isinstance(answer, tuple) else (answer,):
            if part is Fault.CLOSE:
                return False
            if isinstance(part, bytes):
                writer.write(part.replace(b"{tag}", tag.encode()))
                await writer.drain()
        return True


@asynccontextmanager
async def faulty_imap(
    faults: Mapping[str, Answer] | None = None, capabilities: str = "IDLE MOVE UIDPLUS"
) -> AsyncIterator[FaultyImap]:
    """A server that answers as usual but for the faults, on a free port."""
    imap = FaultyImap({**usual_answers(capabilities), **(faults or {})})
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        await imap.serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    imap.port = server.sockets[0].getsockname()[1]
    try:
        yield imap
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
