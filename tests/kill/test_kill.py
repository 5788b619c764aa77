"""The judge is killed after every letter of a game, and nobody notices: nothing is lost, nothing
is said otherwise, nothing is sent twice."""

import asyncio
import email
import email.policy
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Protocol

import pytest

from judge.mail import ImapAccount, ImapInbox
from judge.mail.embedded import EmbeddedServer

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
# How long after a letter was delivered the judge is killed: before it is read, while it is taken,
# while its answer is rendered or sent, and after all that.
MOMENTS = (0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.4)

MakePost = Callable[[], Awaitable["Post"]]
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


@dataclass
class World:
    """The mail servers, the people who write, and the judge's process."""

    folder: Path
    post: Post
    now: datetime = START
    count: int = 0
    kills: int = 0
    process: subprocess.Popen[bytes] | None = None
    boxes: dict[str, ImapInbox] = field(default_factory=dict)
    copies: list[tuple[str, str, str]] = field(default_factory=list)

    # --- the judge -----------------------------------------------------------------------------

    def start(self) -> None:
        here = Path(__file__).parent
        config, clock = self.folder / "judge.toml", self.folder / "clock"
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(here / "serve.py"), str(config), str(clock)],
                stderr=log,
                env={**os.environ, "PYTHONPATH": str(here.parent.parent)},
            )

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1

    def set_clock(self, now: datetime) -> None:
        self.now = now
        written = self.folder / "clock.new"
        written.write_text(now.isoformat(), encoding="ascii")
        written.replace(self.folder / "clock")

    # --- letters -------------------------------------------------------------------------------

    async def read(self, address: str) -> list[EmailMessage]:
        """Everything in somebody's mailbox, in the order in which it came."""
        box = self.boxes.get(address)
        if box is None:
            box = ImapInbox(self.post.account(address))
            self.boxes[address] = box
        await box.open()
        listed = await box.new_letters(0)
        fetched = await box.fetch([one.uid for one in listed])
        letters = []
        for one in fetched:
            letter = email.message_from_bytes(one.raw, policy=email.policy.default)
            assert isinstance(letter, EmailMessage)
            letters.append(letter)
        return letters

    async def write(self, sender: str, body: str, *, reply: bool) -> str:
        """Deliver a letter to the judge, as of the clock's instant; returns its Message-ID."""
        self.count += 1
        message_id = f"<{self.count}@example.test>"
        letter = EmailMessage()
        letter["From"] = f"{sender.partition('@')[0].title()} <{sender}>"
        letter["To"] = JUDGE
        if reply:
            answered = (await self.read(sender))[-1]
            letter.replace_header("To", str(answered["Reply-To"]))
            letter["In-Reply-To"] = str(answered["Message-ID"])
        letter["Message-ID"] = message_id
        letter["Subject"] = "to the judge"
        letter.set_content(body)
        await self.post.deliver(letter.as_bytes(), self.now)
        return message_id

    async def wait_for(self, address: str, is_it: Callable[[EmailMessage], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not any(is_it(letter) for letter in await self.read(address)):
            assert time.monotonic() < end, (self.folder / "log").read_text(encoding="utf-8")[-3000:]
            await asyncio.sleep(0.02)


@asynccontextmanager
async def world(folder: Path, make_post: MakePost) -> AsyncIterator[World]:
    post = await make_post()
    _write_settings(folder, post)
    made = World(folder, post)
    made.set_clock(START)
    made.start()
    try:
        # The mailbox is marked as read up to here, so that the first letter is not an old one.
        await asyncio.to_thread(_wait_for_database, folder)
        yield made
    finally:
        made.kill()
        for box in made.boxes.values():
            await box.close()
        await post.stop()


def _write_settings(folder: Path, post: Post) -> None:
    folder.mkdir()
    (folder / "secret").write_text("0" * 64 + "\n", encoding="ascii")
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
""",
        encoding="utf-8",
    )


def _wait_for_database(folder: Path) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            with sqlite3.connect(f"file:{folder}/judge.sqlite3?mode=ro", uri=True) as database:
                if database.execute("select count(*) from uid_checkpoint").fetchone()[0]:
                    return
        except sqlite3.OperationalError:
            pass
        time.sleep(0.05)
    raise AssertionError("the judge never read its mailbox")


async def play(folder: Path, make_post: MakePost, *, kill: bool) -> tuple[Sent, int, int]:
    """A game from CREATE into Fall 1901; everything that was sent, kills, and identical copies."""
    async with world(folder, make_post) as at:

        async def say(sender: str, body: str, *, reply: bool = True) -> None:
            message_id = await at.write(sender, body, reply=reply)
            if kill:
                await asyncio.sleep(MOMENTS[at.count % len(MOMENTS)])
                at.kill()
                at.start()
            await at.wait_for(sender, lambda letter: letter["In-Reply-To"] == message_id)

        await say(MASTER, "CREATE balkan\nall in delay: 0s", reply=False)
        await say(MASTER, "yes")
        for power in OPENINGS:
            await say(f"{power.lower()}@example.test", f"JOIN balkan {power}", reply=False)
            await say(f"{power.lower()}@example.test", "yes")
        for power, orders in OPENINGS.items():
            address = f"{power.lower()}@example.test"
            await at.wait_for(address, lambda letter: letter["X-Judge-Phase"] == "S1901M")
            await say(address, f"{orders}\nREADY")
        await say("france@example.test", "PRESS TO ENGLAND\nLeave the Channel.\nENDPRESS")
        at.set_clock(at.now + timedelta(minutes=5))
        for power in OPENINGS:
            address = f"{power.lower()}@example.test"
            await at.wait_for(address, lambda letter: letter["X-Judge-Phase"] == "F1901M")
        await say("france@example.test", "F MAO H")
        await at.wait_for(MASTER, lambda letter: letter["X-Judge-Phase"] == "F1901M")
        return await collect(at)


async def collect(at: World) -> tuple[Sent, int, int]:
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
    return sent, at.kills, copies


def check_killing_changes_nothing(folder: Path, first: MakePost, second: MakePost) -> None:
    """The same game twice, once with a kill after every letter, compared letter by letter."""
    undisturbed, _, none = asyncio.run(play(folder / "undisturbed", first, kill=False))
    disturbed, kills, copies = asyncio.run(play(folder / "disturbed", second, kill=True))
    assert none == 0
    assert kills > 20
    assert sorted(disturbed) == sorted(undisturbed)
    for message_id, (recipient, letter) in undisturbed.items():
        assert disturbed[message_id] == (recipient, letter)
    # A kill between the mail server's 250 and our note of it sends the same bytes once more.
    assert copies <= kills


@pytest.mark.timeout(240)
def test_killing_the_judge_after_each_letter_changes_nothing_that_is_sent(tmp_path: Path) -> None:
    check_killing_changes_nothing(tmp_path, embedded_post, embedded_post)
