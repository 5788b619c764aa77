"""The judge is killed at a step of every letter's way, and nobody notices: nothing is lost, nothing
is said otherwise, nothing is sent twice but what a mail server had just taken."""

import asyncio
import atexit
import email
import email.policy
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Protocol, TypeVar

import pytest

from judge.mail import ImapAccount, ImapInbox
from judge.mail.embedded import EmbeddedServer
from judge.store import Database

# In the past: Dovecot takes no dates of the future.
START = datetime(2025, 12, 1, 12, 0, tzinfo=UTC)
JUDGE = "judge@judge.test"
MASTER = "gm@example.test"
OPENINGS = {
    "AUSTRIA": "A BUD - SER\nA VIE - GAL\nF TRI - ALB",
    "ENGLAND": "A LVP - YOR\nF EDI - NTH\nF LON - ENG",
    "FRANCE": "A MAR - SPA\nA PAR - BUR\nF BRE - MAO",
    "GERMANY": "A BER - KIE\nA MUN - BUR\nF KIE - DEN",
    "ITALY": "A ROM - APU\nA VEN H\nF NAP - ION",
    "RUSSIA": "A MOS - UKR\nA WAR - GAL\nF SEV - BLA\nF STP/SC - BOT",
    "TURKEY": "A CON - BUL\nA SMY - CON\nF ANK - BLA",
}
PATIENCE_SECONDS = 30.0
TRACE = ("Received", "Return-Path", "Delivered-To", "X-Original-To")  # what mail servers add
# The steps of a letter's way and of its answer's, at each of which the judge is killed in turn: the
# letter was fetched; its transaction is whole, and then committed; it was moved to the processed
# folder; its answer was rendered, and then claimed for sending; a mail server has taken it, and
# then that was noted.
STEPS = ("fetched", "taken", "committed", "archived", "rendered", "claimed", "delivered", "sent")
RESOLVED = "resolved"  # a due game's transaction is whole, and not committed

MakePost = Callable[[], Awaitable["Post"]]
T = TypeVar("T")
Sent = dict[str, tuple[str, str]]  # Message-ID: (recipient, the whole letter)


class Post(Protocol):
    """The mail servers between the judge and its players."""

    settings: str  # the [imap] and [smtp] sections of the judge

    async def deliver(self, raw: bytes, received_at: datetime) -> None:
        """Put a letter into the judge's mailbox, as if it had come then."""
        ...

    def account(self, address: str) -> ImapAccount: ...

    async def stop(self) -> None: ...


class EmbeddedPost:
    """Our own servers, in the test's process, so that they live on when the judge dies."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._server = server
        self.settings = f"""
[imap]
host = "127.0.0.1"
port = {server.imap_port}
tls = false
user = "{JUDGE}"
password = "any"
[smtp]
host = "127.0.0.1"
port = {server.smtp_port}
tls = "none"
"""

    async def deliver(self, raw: bytes, received_at: datetime) -> None:
        await self._server.deliver(JUDGE, raw, received_at)

    def account(self, address: str) -> ImapAccount:
        return ImapAccount("127.0.0.1", self._server.imap_port, address, tls=False)

    async def stop(self) -> None:
        await self._server.stop()


async def embedded_post() -> Post:
    server = EmbeddedServer()
    await server.start()
    return EmbeddedPost(server)


@cache
def forks() -> subprocess.Popen[str]:
    """The process that daemons are forks of; loads everything once for all tests."""
    here = Path(__file__).parent
    made = subprocess.Popen(
        [sys.executable, str(here / "serve.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(here.parent.parent)},
    )
    atexit.register(made.communicate)
    return made


@dataclass
class Mailbox:
    """Somebody's mailbox, and what was read of it."""

    inbox: ImapInbox
    letters: list[EmailMessage] = field(default_factory=list)
    last_uid: int = 0


@dataclass
class World:
    """The mail servers, the people who write, and the judge's process."""

    folder: Path
    post: Post
    now: datetime = START
    count: int = 0
    kills: list[str] = field(default_factory=list)
    forks: subprocess.Popen[str] = field(default_factory=forks)
    judge: int = 0
    boxes: dict[str, Mailbox] = field(default_factory=dict)

    # --- the judge -----------------------------------------------------------------------------

    def start(self) -> None:
        """A daemon that lives until `die_at`."""
        assert self.forks.stdin is not None
        files = (str(self.folder / name) for name in ("judge.toml", "clock", "step", "log"))
        self.forks.stdin.write(" ".join(files) + "\n")
        self.forks.stdin.flush()
        self.judge = int(self._next_line())

    def _next_line(self) -> str:
        assert self.forks.stdout is not None
        return self.forks.stdout.readline().strip()

    async def hear(self, word: str) -> None:
        """Wait until this is said of the judge: `ready` or `dead`."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (heard := await asyncio.to_thread(self._next_line)) != word:
                assert heard == "ready", (self.folder / "log").read_text(encoding="utf-8")[-3000:]

    def set_step(self, step: str) -> None:
        """Where the judge will kill itself; nowhere if empty."""
        self._write("step", step)

    async def restart(self) -> None:
        """Wait until the judge has killed itself, and start it again."""
        await self.hear("dead")
        self.kills.append((self.folder / "step").read_text(encoding="ascii"))
        self.set_step("")
        self.start()

    async def end(self) -> None:
        os.kill(self.judge, signal.SIGKILL)
        await self.hear("dead")

    def set_clock(self, now: datetime) -> None:
        self.now = now
        self._write("clock", now.isoformat())

    def _write(self, name: str, text: str) -> None:
        """Write a file whole or not at all: the judge reads it at any time."""
        written = self.folder / f"{name}.new"
        written.write_text(text, encoding="ascii")
        written.replace(self.folder / name)

    async def pass_time(self, time: timedelta) -> None:
        self.set_clock(self.now + time)

    # --- letters -------------------------------------------------------------------------------

    async def read(self, address: str) -> list[EmailMessage]:
        """Everything in somebody's mailbox, in the order in which it came."""
        box = self.boxes.setdefault(address, Mailbox(ImapInbox(self.post.account(address))))
        await box.inbox.open()
        listed = await box.inbox.new_letters(box.last_uid)
        for one in await box.inbox.fetch([one.uid for one in listed]):
            letter = email.message_from_bytes(one.raw, policy=email.policy.default)
            assert isinstance(letter, EmailMessage)
            box.letters.append(letter)
            box.last_uid = one.uid
        return box.letters

    async def write(self, sender: str, body: str, answered: EmailMessage | None) -> str:
        """Deliver a letter to the judge, as of the clock's instant; returns its Message-ID."""
        self.count += 1
        message_id = f"<{self.count}@example.test>"
        letter = EmailMessage()
        letter["From"] = f"{sender.partition('@')[0].title()} <{sender}>"
        letter["To"] = JUDGE
        if answered is not None:
            letter.replace_header("To", str(answered["Reply-To"]))
            letter["In-Reply-To"] = str(answered["Message-ID"])
        letter["Message-ID"] = message_id
        letter["Subject"] = "to the judge"
        letter.set_content(body)
        await self.post.deliver(letter.as_bytes(), self.now)
        return message_id

    async def wait_for(self, address: str, is_it: Callable[[EmailMessage], bool]) -> EmailMessage:
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            for letter in await self.read(address):
                if is_it(letter):
                    return letter
            assert time.monotonic() < end, (self.folder / "log").read_text(encoding="utf-8")[-3000:]
            await self.boxes[address].inbox.wait(PATIENCE_SECONDS, asyncio.Event())

    async def wait_for_subject(self, address: str, words: str) -> EmailMessage:
        return await self.wait_for(address, lambda letter: words in str(letter["Subject"]))


@asynccontextmanager
async def world(folder: Path, make_post: MakePost) -> AsyncIterator[World]:
    post = await make_post()
    _write_settings(folder, post)
    made = World(folder, post)
    made.set_clock(START)
    made.set_step("")
    made.start()
    try:
        # The mailbox is marked as read up to here, so that the first letter is not an old one.
        await made.hear("ready")
        yield made
    finally:
        await made.end()
        for box in made.boxes.values():
            await box.inbox.close()
        await post.stop()


def _write_settings(folder: Path, post: Post) -> None:
    folder.mkdir()
    (folder / "secret").write_text("0" * 64 + "\n", encoding="ascii")
    # Else the judge that has this secret would have lost its database.
    Database(folder / "judge.sqlite3").close()
    (folder / "judge.toml").write_text(
        f"""
[judge]
address = "{JUDGE}"
data = "{folder}"
{post.settings}
[limits]
stranger_letters_a_day = 100
[clock]
poll_seconds = 1
retry_first_seconds = 1
away_minutes = 10080  # the test's clock jumps
""",
        encoding="utf-8",
    )


async def play(folder: Path, make_post: MakePost, *, kill: bool) -> tuple[Sent, int, list[str]]:
    """A game from CREATE into Fall 1901; all that was sent, identical copies, steps of kills."""
    async with world(folder, make_post) as at:
        steps = cycle(STEPS)

        async def killed_at(step: str, doing: Awaitable[T]) -> T:
            if kill:
                at.set_step(step)
            done = await doing
            if kill:
                await at.restart()
            return done

        async def say(sender: str, body: str, answered: EmailMessage | None = None) -> EmailMessage:
            """Write to the judge, and wait for its answer."""
            message_id = await killed_at(next(steps), at.write(sender, body, answered))
            return await at.wait_for(sender, lambda letter: letter["In-Reply-To"] == message_id)

        # Two letters that leave together may come in either order: each reply answers a named one.
        await say(MASTER, "yes", await say(MASTER, "CREATE balkan\nall in delay: 0s"))
        for power in OPENINGS:
            address = f"{power.lower()}@example.test"
            await say(address, "yes", await say(address, f"JOIN balkan {power}"))
        answers = {}
        for power, orders in OPENINGS.items():
            address = f"{power.lower()}@example.test"
            start = await at.wait_for_subject(address, "the game begins")
            answers[power] = await say(address, f"{orders}\nREADY", start)
        press = "PRESS TO ENGLAND\nLeave the Channel.\nENDPRESS"
        await say("france@example.test", press, answers["FRANCE"])
        await at.wait_for_subject("england@example.test", "press")
        # All are ready: the phase runs, and then its results go out.
        await killed_at(RESOLVED, at.pass_time(timedelta(minutes=5)))
        await killed_at("delivered", at.pass_time(timedelta()))
        for address in [MASTER, *(f"{power.lower()}@example.test" for power in OPENINGS)]:
            await at.wait_for_subject(address, "results")
        results = await at.wait_for_subject("france@example.test", "results")
        await say("france@example.test", "F MAO H", results)
        return *await collect(at), at.kills


async def collect(at: World) -> tuple[Sent, int]:
    sent: Sent = {}
    copies = 0
    for address in [MASTER, *(f"{power.lower()}@example.test" for power in OPENINGS)]:
        for letter in await at.read(address):
            for trace in TRACE:
                del letter[trace]
            entry = (address, letter.as_string())
            known = sent.setdefault(str(letter["Message-ID"]), entry)
            copies += known is not entry
            assert known == entry, "a letter was sent again with other bytes"
    return sent, copies


def check_killing_changes_nothing(folder: Path, first: MakePost, second: MakePost) -> None:
    """The same game twice, once with a kill for every letter, compared letter by letter."""
    undisturbed, none, _ = asyncio.run(play(folder / "undisturbed", first, kill=False))
    disturbed, copies, kills = asyncio.run(play(folder / "disturbed", second, kill=True))
    assert none == 0
    assert all(kills.count(step) >= 3 for step in STEPS)
    assert kills.count(RESOLVED) == 1
    assert sorted(disturbed) == sorted(undisturbed)
    for message_id, (recipient, letter) in undisturbed.items():
        assert disturbed[message_id] == (recipient, letter)
    # A kill between the mail server's 250 and our note of it sends the same bytes once more. Those
    # at another step may find the answer before in that state, for reading does not wait for it.
    assert kills.count("delivered") <= copies <= len(kills)


@pytest.mark.timeout(240)
def test_killing_the_judge_after_each_letter_changes_nothing_that_is_sent(tmp_path: Path) -> None:
    check_killing_changes_nothing(tmp_path, embedded_post, embedded_post)
