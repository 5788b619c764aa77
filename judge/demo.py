"""`judge demo`: a whole game by real IMAP and SMTP, played by seven scripted players.

Puts an embedded mail server, the daemon and the players together, shows how the game goes, and
leaves every letter behind.
"""

import asyncio
import logging
import random
import shutil
import time
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from email.utils import format_datetime
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

from judge.clock import SystemClock
from judge.config import Settings, embedded_settings
from judge.daemon import Daemon
from judge.diplomacy.orders import PowerId
from judge.diplomacy.records import View
from judge.mail import EmbeddedServer, ImapAccount, ImapInbox, SmtpAccount, SmtpDelivery
from judge.rulebook import load_game
from judge.scripted import STYLES, Style, choose_steps
from judge.service import make_delivery, make_inbox
from judge.store import Database, GameRecord, Status
from judge.work import load_secret

log = logging.getLogger(__name__)

GAME = "balkan"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
NAMES = ("Anna", "Ben", "Chloe", "Dirk", "Elena", "Fyodor", "Gül")
MISSING = "TURKEY"  # falls silent after its first orders: civil disorder is seen
MASTER = "master@example.test"
LIMIT_SECONDS = 100.0  # then something is wrong, and the demo says so
SETTINGS_LINES = (
    "movement: 6s\nretreat: 4s\nadjustment: 3s\ngrace: 2s\nreminder: 2s\nall in delay: 0s"
)


@dataclass(slots=True)
class Sight:
    """What the display shows; the players and the game fill it."""

    phase: str = "forming"
    deadline: str = ""
    letters_to_judge: int = 0
    letters_from_judge: int = 0
    centers: dict[str, int] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)


@dataclass(slots=True)
class DemoTable:
    """What all players at the demo's table share."""

    server: EmbeddedServer
    database: Database
    settings: Settings
    sight: Sight
    out: Path
    years: int
    over: asyncio.Event = field(default_factory=asyncio.Event)
    count: int = 0

    def game(self) -> GameRecord | None:
        with self.database.transaction() as store:
            return store.game(GAME)

    def keep(self, raw: bytes, name: str) -> None:
        """Leave a letter behind, numbered in the order in which it was seen."""
        self.count += 1
        (self.out / "letters" / f"{self.count:04d}-{name}.eml").write_bytes(raw)


class Mailbox:
    """Somebody with an address: writes letters, and reads what comes, as a mail program does."""

    def __init__(self, table: DemoTable, address: str, name: str) -> None:
        self.table, self.address, self.name = table, address, name
        server = table.server
        self._inbox = ImapInbox(
            ImapAccount("127.0.0.1", server.imap_port, address, "any", tls=False)
        )
        self._delivery = SmtpDelivery(SmtpAccount("127.0.0.1", server.smtp_port, "none"))
        self._last_uid = 0

    async def write(self, subject: str, body: str, answers: Message | None = None) -> None:
        """A letter to the judge; a reply quotes what it answers below, as most programs do."""
        letter = EmailMessage(policy=policy.SMTP)
        judge = self.table.settings.judge.address
        letter["From"] = f"{self.name} <{self.address}>"
        letter["To"] = str(answers["Reply-To"]) if answers else judge
        letter["Subject"] = subject
        letter["Date"] = format_datetime(SystemClock().now())
        letter["Message-ID"] = f"<{time.time_ns()}.{self.address}>"
        if answers is not None:
            letter["In-Reply-To"] = str(answers["Message-ID"])
            letter["References"] = f"{answers['References']} {answers['Message-ID']}"
            body = f"{body}\n\nOn {answers['Date']}, Judge wrote:\n{_quoted(answers)}"
        letter.set_content(body)
        raw = letter.as_bytes()
        self.table.keep(raw, f"{self.name.lower()}-to-judge")
        self.table.sight.letters_to_judge += 1
        await self._delivery.send(raw, self.address, letter["To"])

    async def read(self, seconds: float) -> list[Message]:
        """What has come; waits for it up to that long."""
        await self._inbox.open()
        listed = await self._inbox.new_letters(self._last_uid)
        if not listed:
            await self._inbox.wait(seconds, self.table.over)
            listed = await self._inbox.new_letters(self._last_uid)
        fetched = await self._inbox.fetch([one.uid for one in listed])
        self._last_uid = max((one.uid for one in listed), default=self._last_uid)
        for one in fetched:
            self.table.keep(one.raw, f"judge-to-{self.name.lower()}")
            self.table.sight.letters_from_judge += 1
        return [message_from_bytes(one.raw, policy=policy.default) for one in fetched]

    async def close(self) -> None:
        await self._inbox.close()


def _quoted(letter: Message) -> str:
    assert isinstance(letter, EmailMessage)
    part = letter.get_body(("plain",))
    text = part.get_content() if part is not None else ""
    return "\n".join(f"> {line}" for line in str(text).splitlines())


class ScriptedPlayer:
    """One of the seven."""

    def __init__(self, table: DemoTable, power: str, name: str, style: Style, seed: int) -> None:
        self.power, self.style = power, style
        self.box = Mailbox(table, f"{name.lower().replace('ü', 'u')}@example.test", name)
        self._chance = random.Random(f"{seed} {power}")  # noqa: S311  # plausible, not secret
        self._done = 0

    async def join(self) -> None:
        """A stranger is seated after two letters: JOIN, and any reply to the question."""
        await self.box.write("join", f"JOIN {GAME} {self.power}")
        question = await self._first_letter()
        await self.box.write(f"Re: {question['Subject']}", "Yes please.", question)

    async def _first_letter(self) -> Message:
        while True:
            letters = await self.box.read(5.0)
            if letters:
                return letters[0]

    async def play(self) -> None:
        """Answer what comes until the game is over."""
        table = self.box.table
        while not table.over.is_set():
            for letter in await self.box.read(5.0):
                table.sight.last[self.power] = str(letter["Subject"])
                await self._answer(letter)
        await self.box.close()

    async def _answer(self, letter: Message) -> None:
        game = self.box.table.game()
        if game is None or game.status is not Status.ACTIVE or game.phase is None:
            return
        if letter["X-Judge-Phase"] != game.phase.label or game.phase.serial <= self._done:
            return
        if self.power == MISSING and game.phase.serial > 1:
            return
        year = int(game.phase.label[1:5])
        if year >= 1901 + self.box.table.years:
            self._done = game.phase.serial
            await self.box.write(f"Re: {letter['Subject']}", "DRAW", letter)
            return
        await self._order(game, letter)

    async def _order(self, game: GameRecord, letter: Message) -> None:
        assert game.state is not None
        assert game.phase is not None
        self._done = game.phase.serial
        view = View.from_bytes(load_game(game.game).open(game.state).view(None))
        steps = choose_steps(view, PowerId(self.power), self._chance)
        if not steps:
            return
        body = self.style.body(steps)
        if game.phase.serial == 1:
            body = f"READY\n{body}" if not self.style.greeting else f"{body}\nREADY"
        await self.box.write(f"Re: {letter['Subject']}", body, letter)


def run_demo(out: Path, seed: int, years: int) -> int:
    """Play one game; returns the exit code: 0 when it came to its end."""
    logging.getLogger().setLevel(logging.WARNING)
    if (out / "letters").exists():
        shutil.rmtree(out / "letters")
    (out / "letters").mkdir(parents=True)
    for stale in out.glob("judge.sqlite3*"):
        stale.unlink()
    console = Console(stderr=True)
    began = time.monotonic()
    try:
        sight = asyncio.run(asyncio.wait_for(_play(out, seed, years, console), LIMIT_SECONDS))
    except TimeoutError:
        console.print(f"The game did not end within {LIMIT_SECONDS:.0f} s.", style="red")
        return 1
    seconds = time.monotonic() - began
    summary = _summary(sight, seconds)
    (out / "summary.txt").write_text(summary, encoding="utf-8")
    console.print(summary, highlight=False)
    console.print(f"Letters and summary: {out}", highlight=False)
    return 0


async def _play(out: Path, seed: int, years: int, console: Console) -> Sight:
    server = EmbeddedServer()
    await server.start()
    quick = {"JUDGE_CLOCK__POLL_SECONDS": "5", "JUDGE_CLOCK__RETRY_FIRST_SECONDS": "1"}
    settings = embedded_settings(out, server.imap_port, server.smtp_port, quick)
    database, sight = Database(out / "judge.sqlite3"), Sight()
    daemon = Daemon(
        settings,
        database,
        make_inbox(settings.imap, settings.limits.letter_bytes),
        make_delivery(settings.smtp),
        SystemClock(),
        load_secret(settings.secret_path),
    )
    serving = asyncio.create_task(daemon.run())
    table = DemoTable(server, Database(out / "judge.sqlite3"), settings, sight, out, years)
    try:
        await daemon.ready.wait()
        with Live(_show(sight), console=console, refresh_per_second=4, transient=True) as live:
            watching = asyncio.create_task(_watch(table, live))
            await _play_game(table, seed)
            await watching
    finally:
        table.over.set()
        daemon.stop()
        await serving
        await server.stop()
        table.database.close()
        database.close()
    return sight


async def _play_game(table: DemoTable, seed: int) -> None:
    master = Mailbox(table, MASTER, "Master")
    await master.write("a new game", f"CREATE {GAME}\n{SETTINGS_LINES}")
    question = (await master.read(10.0))[0]
    await master.write(f"Re: {question['Subject']}", "Yes.", question)
    await master.read(10.0)
    players = [
        ScriptedPlayer(table, power, name, style, seed)
        for power, name, style in zip(POWERS, NAMES, STYLES, strict=True)
    ]
    for player in players:
        await player.join()
    await asyncio.gather(*(player.play() for player in players), _collect(table, master))


async def _collect(table: DemoTable, master: Mailbox) -> None:
    while not table.over.is_set():
        await master.read(5.0)
    await master.close()


async def _watch(table: DemoTable, live: Live) -> None:
    """Show how the game goes; it is over when its last letters have left the outbox."""
    seen = 0
    while not table.over.is_set():
        game = table.game()
        if game is not None:
            seen = _look(table, game, seen)
        live.update(_show(table.sight))
        if game is not None and game.status is Status.FINISHED and _all_sent(table):
            await asyncio.sleep(0.5)  # the players read their last letters
            table.over.set()
        await asyncio.sleep(0.25)


def _all_sent(table: DemoTable) -> bool:
    with table.database.transaction() as store:
        return store.next_try_at() is None and not store.claim_unrendered(1)


def _look(table: DemoTable, game: GameRecord, seen: int) -> int:
    sight = table.sight
    sight.phase = game.phase.label if game.phase else game.status
    if game.timing is not None:
        at = game.timing.grace_until or game.timing.deadline_at
        left = (at - SystemClock().now()) / timedelta(seconds=1)
        sight.deadline = f"{'grace' if game.timing.grace_until else 'deadline'} in {left:.0f} s"
    if game.state is not None:
        scores = load_game(game.game).open(game.state).result.scores
        sight.centers = {str(seat): score for seat, score in scores.items()}
    with table.database.transaction() as store:
        phases = store.phases(GAME)
    for phase in phases[seen:]:
        missing = f", without orders: {', '.join(phase.missing)}" if phase.missing else ""
        sight.events.append(f"{phase.phase.label} ran{missing}")
    if game.ending is not None and len(phases) >= seen and sight.deadline:
        shared = ", ".join(game.winners)
        sight.events.append(f"The game is over: {game.ending} of {shared}")
        sight.deadline = ""
    return len(phases)


def _show(sight: Sight) -> Table:
    table = Table(title=f"{GAME}: {sight.phase}  {sight.deadline}", title_justify="left")
    table.add_column("Power")
    table.add_column("Centers", justify="right")
    table.add_column("Last letter from the judge", no_wrap=True, overflow="ellipsis")
    for power in POWERS:
        table.add_row(power.title(), str(sight.centers.get(power, "")), sight.last.get(power, ""))
    table.caption = (
        f"{sight.letters_to_judge} letters to the judge, {sight.letters_from_judge} from it"
    )
    return table


def _summary(sight: Sight, seconds: float) -> str:
    centers = ", ".join(f"{power.title()} {sight.centers.get(power, 0)}" for power in POWERS)
    lines = [
        f"Game {GAME}: {sight.letters_to_judge} letters to the judge, "
        f"{sight.letters_from_judge} from it, in {seconds:.0f} s.",
        *sight.events,
        f"Supply centers: {centers}.",
    ]
    return "\n".join(lines) + "\n"
