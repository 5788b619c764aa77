"""Reads letters in a process of its own, which ends when one of them costs too much.

Nothing in Python stops a regular expression half-way; the system stops a process. So the judge
never stands still for a letter, whoever wrote it. The process reads one letter after another, which
costs each two short trips through a pipe; when it was ended, another takes its place.

    judge -> Request, child -> Letter
    judge -> Request, child -> Wanted (letters of ours), judge -> tuple[bytes, ...], child -> Letter
"""

import atexit
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import IO

import msgspec
from msgspec.structs import asdict, replace

from judge.errors import Unavailable
from judge.mail.letter import MOST_BYTES, Letter, read_letter

CPU_SECONDS = 1.0  # for one letter; a usual one takes a thousandth of it
MEMORY_BYTES = 200 * 2**20  # of the whole process, which begins with about 30 MB
OUT_OF_MEMORY = 3  # exit code
PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from judge.mail.reading import run_child; run_child()"
)
LENGTH_BYTES = 4

Sent = Callable[[tuple[str, ...]], Iterable[bytes]]


class TooCostly(Exception):
    """Reading a letter takes too much time or memory, or trips a bug; says which."""


class Request(msgspec.Struct, frozen=True, tag="request"):
    """A letter to read: the arguments of `read_letter`."""

    raw: bytes
    received_at: datetime
    own_addresses: frozenset[str]
    own_name: str
    trusted_authserv: str
    size_bytes: int


class Wanted(msgspec.Struct, frozen=True, tag="wanted"):
    """The child needs the letters of ours with these tokens."""

    tokens: tuple[str, ...]


class Read(msgspec.Struct, frozen=True, tag="read"):
    letter: Letter


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A bug: what was raised."""

    error: str


ENCODER = msgspec.msgpack.Encoder()
REQUEST = msgspec.msgpack.Decoder(Request)
LETTERS = msgspec.msgpack.Decoder(tuple[bytes, ...])
ANSWER = msgspec.msgpack.Decoder(Wanted | Read | Failed)


class GuardedReader:
    """Reads letters as `read_letter` does, in a child process; any thread may call it."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def read(
        self,
        raw: bytes,
        received_at: datetime,
        *,
        own_addresses: frozenset[str],
        own_name: str = "",
        trusted_authserv: str = "",
        size_bytes: int | None = None,
        sent: Sent = lambda _: (),
    ) -> Letter:
        """A letter; the arguments are those of `read_letter`.

        Raises:
            TooCostly: reading it takes too much.
            Unavailable: the system lets no process begin now.
        """
        size = max(size_bytes or 0, len(raw))
        request = Request(
            raw[:MOST_BYTES], received_at, own_addresses, own_name, trusted_authserv, size
        )
        with self._lock:
            try:
                letter = self._read_in_child(request, sent)
            except BaseException:
                self.end()  # it may still be at work on this letter
                raise
        is_whole = size == len(request.raw)
        return letter if is_whole else replace(letter, sha256=sha256(raw).hexdigest())

    def _read_in_child(self, request: Request, sent: Sent) -> Letter:
        child = self._running()
        assert child.stdin is not None
        assert child.stdout is not None
        send(child.stdin, request)
        while (frame := receive(child.stdout)) is not None:
            answer = ANSWER.decode(frame)
            if isinstance(answer, Read):
                return answer.letter
            if isinstance(answer, Failed):
                raise TooCostly(answer.error)
            send(child.stdin, tuple(sent(answer.tokens)))
        code = child.wait()
        if code == -signal.SIGPROF:
            raise TooCostly(f"reading it takes more than {CPU_SECONDS:.0f} s")
        if code == OUT_OF_MEMORY:
            raise TooCostly(f"reading it takes more than {MEMORY_BYTES >> 20} MB")
        raise TooCostly(f"the process that read it ended with {code}")

    def begin(self) -> None:
        """Let the child begin, so that the first letter need not wait for it."""
        with self._lock:
            self._running()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self.end()
            program = PROGRAM.format(path=sys.path)
            try:
                self._child = subprocess.Popen(
                    [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            except OSError as error:
                raise Unavailable(f"no process to read letters: {error.strerror}") from error
        return self._child

    def end(self) -> None:
        """End the child; the next letter begins another. Safe to call twice."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.communicate()


@cache
def guarded_reader() -> GuardedReader:
    """The one of this process."""
    reader = GuardedReader()
    atexit.register(reader.end)
    return reader


# --- the child ------------------------------------------------------------------------------------


def run_child() -> None:
    """Read letters until the input ends, which it does with the judge."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # meant for the judge, which finishes its letter
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    source, target = sys.stdin.buffer, sys.stdout.buffer

    def sent(tokens: tuple[str, ...]) -> tuple[bytes, ...]:
        send(target, Wanted(tokens))
        frame = receive(source)
        return LETTERS.decode(frame) if frame is not None else ()

    while (frame := receive(source)) is not None:
        request = REQUEST.decode(frame)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)  # ends the process, whatever it does
        answer: Read | Failed
        try:
            answer = Read(read_letter(**asdict(request), sent=sent))
        except MemoryError:
            sys.exit(OUT_OF_MEMORY)
        except Exception as error:
            answer = Failed(f"{type(error).__name__}: {error}")
        signal.setitimer(signal.ITIMER_PROF, 0)
        send(target, answer)


# --- frames ---------------------------------------------------------------------------------------


def send(pipe: IO[bytes], message: object) -> None:
    """Write a message with its length before it. A reader that is gone shows when it is read."""
    frame = ENCODER.encode(message)
    with suppress(BrokenPipeError):
        pipe.write(len(frame).to_bytes(LENGTH_BYTES, "big") + frame)
        pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """The next message, or None if the other side is gone."""
    length = pipe.read(LENGTH_BYTES)
    if len(length) < LENGTH_BYTES:
        return None
    frame = pipe.read(int.from_bytes(length, "big"))
    return frame if len(frame) == int.from_bytes(length, "big") else None
