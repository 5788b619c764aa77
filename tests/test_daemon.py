"""The running service on a mailbox and a way out in memory, and a clock in the test's hand."""

import asyncio
import email
import email.policy
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest

from judge.config import load_settings
from judge.daemon import Daemon
from judge.due_games import DueGames
from judge.mail import CONNECTIONS
from judge.outgoing import LETTERS_AT_ONCE, Outgoing
from judge.picture_pool import PicturePool
from judge.store import Database, GameRecord, Transaction
from tests.host.test_result_maps import HandPool
from tests.mail.memory import MemoryDelivery, MemoryInbox

START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
JUDGE = "judge@judge.test"
KEEPER = "keeper@example.test"
MASTER = "gm@example.test"
OPENINGS = {
    "AUSTRIA": "A BUD - SER\nA VIE - GAL\nF TRI - ALB",
    "ENGLAND": "A LVP - YOR\nF EDI - NTH\nF LON - ENG",
    "FRANCE": "A MAR - SPA\nA PAR - BUR\nF BRE - MAO",
    "GERMANY": "A BER - KIE\nA MUN - RUH\nF KIE - DEN",
    "ITALY": "A ROM - APU\nA VEN H\nF NAP - ION",
    "RUSSIA": "A MOS - UKR\nA WAR - GAL\nF SEV - BLA\nF STP/SC - BOT",
    "TURKEY": "A CON - BUL\nA SMY - CON\nF ANK - BLA",
}
FALL = "A SER H\nA VIE H\nF ALB H"
PATIENCE_SECONDS = 120.0


@dataclass
class HandClock:
    """The time as the test says; waits a moment of real time and no more."""

    instant: datetime = START

    def now(self) -> datetime:
        return self.instant

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(wake.wait(), min(seconds, 0.01))


@dataclass
class Bench:
    """A judge at work, and everybody who writes to it."""

    clock: HandClock
    inbox: MemoryInbox
    delivery: MemoryDelivery
    database: Database
    count: int = 0
    fast: timedelta = timedelta(0)  # the judge's clock, of the mail server's
    raws: dict[str, bytes] = field(default_factory=dict)

    def letters(self, address: str) -> list[EmailMessage]:
        return [parsed(one.raw) for one in self.delivery.sent if one.recipient == address]

    def text(self, letter: EmailMessage) -> str:
        part = letter.get_body(("plain",))
        assert part is not None
        return str(part.get_content())

    def compose(self, sender: str, body: str, *, reply: bool) -> bytes:
        self.count += 1
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = sender, JUDGE, "x"
        letter["Message-ID"] = f"<{self.count}@example.test>"
        if reply:
            answered = self.letters(sender)[-1]
            letter.replace_header("To", str(answered["Reply-To"]))
        letter.set_content(body)
        return letter.as_bytes()

    async def say(self, sender: str, body: str, *, reply: bool = True) -> EmailMessage:
        """A letter is taken, and its answer comes."""
        raw = self.compose(sender, body, reply=reply)
        self.inbox.deliver(raw, self.clock.now() - self.fast)
        wanted = f"<{self.count}@example.test>"
        await until(lambda: any(one["In-Reply-To"] == wanted for one in self.letters(sender)))
        return next(one for one in self.letters(sender) if one["In-Reply-To"] == wanted)

    def game(self) -> GameRecord:
        with self.database.transaction() as tx:
            game = tx.games.get("balkan")
        assert game is not None
        return game

    def label(self) -> str:
        phase = self.game().phase
        assert phase is not None
        return phase.label

    async def start_game(self, lines: str = "") -> None:
        await self.say(MASTER, f"CREATE balkan\n{lines}", reply=False)
        await self.say(MASTER, "yes")
        for power in OPENINGS:
            await self.say(address_of(power), f"JOIN balkan {power}", reply=False)
            await self.say(address_of(power), "yes")
        for power in OPENINGS:
            await until(lambda power=power: self.has_phase(power, "S1901M"))  # type: ignore[misc]

    def has_phase(self, power: str, label: str) -> bool:
        return any(one["X-Judge-Phase"] == label for one in self.letters(address_of(power)))

    async def order_openings(self, *silent: str) -> None:
        for power, orders in OPENINGS.items():
            if power not in silent:
                await self.say(address_of(power), f"{orders}\nREADY")


@cache
def parsed(raw: bytes) -> EmailMessage:
    """A letter that was sent: whoever waits for one looks at all again and again."""
    letter = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(letter, EmailMessage)
    return letter


def address_of(power: str) -> str:
    return f"{power.lower()}@example.test"


async def until(is_true: Callable[[], bool]) -> None:
    """Wait for what the judge does meanwhile; fails when it never does it."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE_SECONDS
    while not is_true():
        assert loop.time() < end, "the judge never did it"
        await asyncio.sleep(0.005)


@asynccontextmanager
async def judge(
    folder: Path, start: datetime = START, pictures: PicturePool | None = None, **variables: str
) -> AsyncIterator[Bench]:
    """A judge at work on the database of a folder, which is made if there is none."""
    environ = {
        "JUDGE_JUDGE__ADDRESS": JUDGE,
        "JUDGE_JUDGE__KEEPERS": KEEPER,
        "JUDGE_LIMITS__STRANGER_LETTERS_A_DAY": "100",
        "JUDGE_CLOCK__POLL_SECONDS": "1",
        **variables,
    }
    settings = load_settings(None, environ, for_mail=False)
    database = Database(folder / "judge.sqlite3")
    bench = Bench(HandClock(start), MemoryInbox(), MemoryDelivery(), database)
    daemon = Daemon(
        settings, database, bench.inbox, bench.delivery, bench.clock, b"0" * 64, pictures
    )
    running = asyncio.create_task(daemon.run())
    try:
        await daemon.ready.wait()
        yield bench
    finally:
        daemon.stop()
        await running
        database.close()


def time_passes(bench: Bench) -> bool:
    bench.clock.instant += timedelta(seconds=10)
    return True


def test_results_wait_for_their_map_which_is_drawn_meanwhile(tmp_path: Path) -> None:
    pool = HandPool()

    def has_map(bench: Bench) -> bool:
        last = bench.letters(address_of("FRANCE"))[-1]
        return any(part.get_content_type() == "image/png" for part in last.walk())

    async def go() -> None:
        async with judge(tmp_path, pictures=pool) as bench:
            pool.is_quick = True  # what the letters before it show is drawn at once
            await bench.start_game("grace: 0\nall in delay: 0s")
            await bench.order_openings()
            await until(lambda: not pool.waiting)
            pool.is_quick = False
            before = len(bench.letters(address_of("FRANCE")))
            bench.clock.instant += timedelta(seconds=2)
            await until(lambda: bench.label() == "F1901M" and bool(pool.waiting))
            assert len(bench.letters(address_of("FRANCE"))) == before
            pool.draw()
            await until(lambda: len(bench.letters(address_of("FRANCE"))) > before)
            assert has_map(bench)

    asyncio.run(go())


def test_orders_that_came_before_the_deadline_count_though_imap_was_down(tmp_path: Path) -> None:
    async def go() -> None:
        # The test's clock jumps, and the judge is not to take that for an absence of its own.
        async with judge(tmp_path, JUDGE_CLOCK__AWAY_MINUTES="10080") as bench:
            await bench.start_game("grace: 0\nall in delay: 0s")
            await bench.order_openings()
            bench.clock.instant += timedelta(minutes=1)
            await until(lambda: bench.label() == "F1901M")
            await until(lambda: bench.has_phase("AUSTRIA", "F1901M"))

            deadline = bench.game().timing.deadline_at  # type: ignore[union-attr]
            bench.inbox.is_reachable = False
            raw = bench.compose(address_of("AUSTRIA"), FALL, reply=True)
            bench.inbox.deliver(raw, deadline - timedelta(seconds=5))
            bench.clock.instant = deadline + timedelta(hours=2)
            await until(lambda: time_passes(bench) and bool(bench.letters(KEEPER)))
            await until(lambda: any("wait" in bench.text(one) for one in bench.letters(MASTER)))
            told = [one for one in bench.letters(MASTER) if "wait" in bench.text(one)]
            assert told, "the master was told that the phase waits"
            assert bench.label() == "F1901M"

            bench.inbox.is_reachable = True
            await until(lambda: bench.label() != "F1901M")
            with bench.database.transaction() as tx:
                (ran,) = [one for one in tx.phases.of("balkan") if one.phase.label == "F1901M"]
            assert "AUSTRIA" not in ran.missing
            order_set = {str(seat): lines for seat, lines in ran.order_sets.items()}["AUSTRIA"]
            assert [line.text for line in order_set] == FALL.split("\n")
            assert set(ran.missing) == set(OPENINGS) - {"AUSTRIA"}

    asyncio.run(go())


def test_orders_of_our_own_letter_sent_back_without_marks_are_not_taken(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game()
            france = address_of("FRANCE")
            confirmed = await bench.say(france, OPENINGS["FRANCE"])
            ours = bench.text(confirmed)
            assert "A PAR - BUR" in ours
            await bench.say(france, f"A PAR - GAS\n\nSchrijven van vroeger\n\n{ours}")
            (orders,) = [
                lines for seat, lines in bench.game().order_sets.items() if seat == "FRANCE"
            ]
            assert {"A PAR - GAS", "F BRE - MAO"} <= {line.text for line in orders}

    asyncio.run(go())


def test_letters_go_out_once_when_smtp_comes_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.delivery.failures = 3
            bench.inbox.deliver(bench.compose("ann@example.test", "HELP", reply=False), START)
            await until(lambda: bench.delivery.failures < 3)
            while bench.delivery.failures:
                bench.clock.instant += timedelta(minutes=1)
                await asyncio.sleep(0.05)
            bench.clock.instant += timedelta(minutes=10)
            await until(lambda: len(bench.letters("ann@example.test")) == 1)
            await bench.say("bob@example.test", "LIST", reply=False)
            assert len(bench.letters("ann@example.test")) == 1

    asyncio.run(go())
    changes = [one.getMessage() for one in caplog.records if "sending" in one.getMessage()]
    assert len([text for text in changes if "fails recipient=ann@example.test" in text]) == 1
    assert len([text for text in changes if "works again" in text]) == 1


def test_letters_go_out_some_at_once_and_in_order_to_each(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.delivery.seconds = 0.002
            await bench.start_game()
            everybody = (MASTER, *map(address_of, OPENINGS))
            await until(lambda: all(len(bench.letters(each)) > 2 for each in everybody))
            assert bench.delivery.most_in_hand == CONNECTIONS
            with closing(sqlite3.connect(tmp_path / "judge.sqlite3")) as database:
                rows = database.execute("SELECT token FROM letters_out ORDER BY id").fetchall()
            written = [f"<{token}@judge.test>" for (token,) in rows]
            for address in everybody:
                sent = [str(one["Message-ID"]) for one in bench.letters(address)]
                assert sent == [one for one in written if one in sent]
        assert bench.delivery.closes == 1

    asyncio.run(go())


def test_the_same_letter_twice_is_answered_once(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            raw = bench.compose("ann@example.test", "HELP", reply=False)
            for _ in range(3):
                bench.inbox.deliver(raw, START)
            await bench.say("bob@example.test", "LIST", reply=False)
            assert len(bench.letters("ann@example.test")) == 1
            await until(lambda: len(bench.inbox.processed) == 4)

    asyncio.run(go())


HOSTILE = {
    "empty": b"From: x1@example.test\r\n\r\n",
    "no headers": b"A PAR - BUR",
    "large": b"From: x2@example.test\r\n\r\n" + b"A PAR - BUR\r\n" * 800_000,
    "html": b"From: x3@example.test\r\nContent-Type: text/html\r\n\r\n<p>HELP</p>",
    "charset": b"From: x4@example.test\r\nContent-Type: text/plain; charset=klingon\r\n\r\n"
    b"HELP \xff",
    "headers": b"From: x5@example.test\r\nMessage-ID: <[abc\r\nCc: a,,,\r\n\r\nHELP",
    "nested": b"From: x6@example.test\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n"
    + b"--a\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n" * 2000,
    "bounce": b"From: MAILER-DAEMON@x.test\r\nContent-Type: multipart/report\r\n\r\nno",
}


def test_hostile_letters_cost_none_of_their_neighbours(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            for number, raw in enumerate(HOSTILE.values()):
                bench.inbox.deliver(raw, START)
                await bench.say(f"good{number}@example.test", "HELP", reply=False)
            await until(lambda: len(bench.inbox.processed) == 2 * len(HOSTILE))
            answered = {one.recipient for one in bench.delivery.sent}
            assert {"x3@example.test", "x4@example.test", "x5@example.test"} <= answered
            with bench.database.transaction() as tx:
                assert tx.letters.shunted() == ()

    asyncio.run(go())


def test_a_letter_takes_few_steps_of_the_writer_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each costs half a millisecond, as much as a command to the mail server."""
    steps: list[str] = []

    async def counted(self: Daemon, work: Callable[..., object], *arguments: object) -> object:
        if not self._stop.is_set():
            steps.append(getattr(work, "func", work).__name__)
        return await asyncio.get_running_loop().run_in_executor(self._writer, work, *arguments)

    async def woken(self: HandClock, wake: asyncio.Event, seconds: float) -> None:
        await wake.wait()

    async def go() -> None:
        async with judge(tmp_path, JUDGE_CLOCK__POLL_SECONDS="3600") as bench:
            await until(lambda: {"tick", "prepare"} <= {*steps})
            steps.clear()
            await bench.say("stranger@example.test", "Hello, what is this?", reply=False)
            # The second `prepare` notes the answer as sent.
            await until(lambda: steps.count("prepare") == 2 and "end_reading" in steps)

    monkeypatch.setattr(Daemon, "_in_writer_thread", counted)
    monkeypatch.setattr(HandClock, "wait", woken)
    asyncio.run(go())
    assert len(steps) <= 4, steps


def test_letters_that_were_taken_while_the_writer_thread_was_busy_are_noted_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a storm each letter had a transaction of its own, which waits for the disk."""
    noted: list[int] = []
    healthy = Outgoing._transaction_noting_delivered

    async def busy(self: Daemon, work: Callable[..., object], *arguments: object) -> object:
        if work == self._outgoing.note_delivered:  # the others go on sending meanwhile
            sent = self._delivery.sent  # type: ignore[attr-defined]
            await until(lambda: len(sent) >= LETTERS_AT_ONCE)
        return await asyncio.get_running_loop().run_in_executor(self._writer, work, *arguments)

    @contextmanager
    def noting(self: Outgoing) -> Iterator[Transaction]:
        with healthy(self) as tx:
            count = len(self.delivered)  # one more perhaps, which was taken just now
            yield tx
        noted.append(count)

    async def go() -> None:
        async with judge(tmp_path) as bench:
            for number in range(LETTERS_AT_ONCE):
                address = f"ann{number}@example.test"
                bench.inbox.deliver(bench.compose(address, "HELP", reply=False), bench.clock.now())
            bench.delivery.failures = LETTERS_AT_ONCE
            await until(lambda: not bench.delivery.failures)  # each was tried once
            monkeypatch.setattr(Daemon, "_in_writer_thread", busy)
            monkeypatch.setattr(Outgoing, "_transaction_noting_delivered", noting)
            bench.clock.instant += timedelta(hours=1)
            await until(lambda: LETTERS_AT_ONCE <= len(bench.delivery.sent) <= sum(noted))

    asyncio.run(go())
    assert max(noted) >= CONNECTIONS, noted


def test_the_next_letters_are_rendered_while_those_before_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a storm the writer thread stood still while letters were sent, and they while it
    rendered."""
    sent: list[int] = []  # letters, before and after some were rendered ahead
    healthy = Outgoing.render_ahead

    async def go() -> None:
        async with judge(tmp_path) as bench:

            def render_ahead(self: Outgoing) -> None:
                before = len(bench.delivery.sent)
                healthy(self)
                sent.extend((before, len(bench.delivery.sent)))

            monkeypatch.setattr(Outgoing, "render_ahead", render_ahead)
            bench.delivery.seconds = 0.5
            addresses = {f"ann{number}@example.test" for number in range(3 * LETTERS_AT_ONCE)}
            for address in addresses:
                bench.inbox.deliver(bench.compose(address, "HELP", reply=False), bench.clock.now())
            await until(lambda: len(bench.delivery.sent) == len(addresses))
            assert {one.recipient for one in bench.delivery.sent} == addresses

    asyncio.run(go())
    assert sent
    assert sent[1] - sent[0] < CONNECTIONS


def test_letters_of_some_games_leave_before_the_daemon_resolves_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first letter of a storm left when the last was rendered, after 152 seconds."""
    left: list[int] = []  # letters that had left when the next games were resolved

    async def go() -> None:
        async with judge(tmp_path) as bench:

            def run(self: DueGames, *_: object, **__: object) -> Iterator[None]:
                for number in range(20):
                    left.append(len(bench.delivery.sent))
                    with self._hosting.database.transaction() as tx:
                        self._hosting.notify_keepers(tx, f"games {number}", "mailbox_back")
                    yield

            monkeypatch.setattr(DueGames, "may_run", lambda *_: not left)
            monkeypatch.setattr(DueGames, "run", run)
            bench.inbox.deliver(bench.compose(KEEPER, "HELP", reply=False), bench.clock.now())
            await until(lambda: len(bench.letters(KEEPER)) == 21)

    asyncio.run(go())
    assert len(left) == 20
    assert left[-1] > 0


def test_within_a_deadlines_second_the_mailbox_is_asked_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The phase waits for a reading that begins after its second; IDLE, NOOP and SEARCH were asked
    85 times until then."""
    listed: list[int] = []
    healthy = MemoryInbox.new_letters

    async def new_letters(self: MemoryInbox, after_uid: int) -> object:
        listed.append(after_uid)
        return await healthy(self, after_uid)

    async def go() -> None:
        async with judge(tmp_path, JUDGE_CLOCK__AWAY_MINUTES="10080") as bench:
            await bench.start_game("grace: 0\nall in delay: 0s")
            await bench.order_openings()
            bench.clock.instant += timedelta(seconds=2)
            await until(lambda: bench.label() == "F1901M")
            await until(lambda: bench.has_phase("FRANCE", "F1901M"))
            monkeypatch.setattr(MemoryInbox, "new_letters", new_letters)
            bench.clock.instant = bench.game().timing.deadline_at  # type: ignore[union-attr]
            await asyncio.sleep(0.5)
            assert bench.label() == "F1901M"
            assert len(listed) < 20
            bench.clock.instant += timedelta(seconds=2)
            await until(lambda: bench.label() != "F1901M")

    asyncio.run(go())


def test_on_first_start_only_newer_letters_are_taken(tmp_path: Path) -> None:
    async def go() -> None:
        inbox = MemoryInbox()
        await inbox.open()
        inbox.deliver(b"From: old@example.test\r\n\r\nHELP", START - timedelta(days=30))
        settings = load_settings(None, {"JUDGE_JUDGE__ADDRESS": JUDGE}, for_mail=False)
        database = Database(tmp_path / "judge.sqlite3")
        delivery = MemoryDelivery()
        daemon = Daemon(settings, database, inbox, delivery, HandClock(), b"0" * 64)
        running = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        inbox.deliver(b"From: new@example.test\r\n\r\nHELP", START)
        await until(lambda: bool(delivery.sent))
        daemon.stop()
        await running
        database.close()
        assert [one.recipient for one in delivery.sent] == ["new@example.test"]
        assert len(inbox.letters) == 1

    asyncio.run(go())


def test_a_database_that_another_process_holds_costs_no_letter(tmp_path: Path) -> None:
    """A lock that lasts is the world's doing: the letter is taken later, and not shunted."""

    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.database._tables.execute("PRAGMA busy_timeout = 1")
            other = sqlite3.connect(tmp_path / "judge.sqlite3", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            raw = bench.compose("ann@example.test", "HELP", reply=False)
            bench.inbox.deliver(raw, bench.clock.now())
            await asyncio.sleep(0.2)
            assert not bench.letters("ann@example.test")
            other.close()
            await until(lambda: bool(bench.letters("ann@example.test")))
            with bench.database.read() as tx:
                assert tx.letters.shunted() == ()
            assert bench.letters(KEEPER) == []

    asyncio.run(go())
