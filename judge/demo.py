"""`judge demo`: a whole game by real IMAP and SMTP, played by seven scripted players.

Puts an embedded mail server, the daemon and the players together, shows how the game goes, and
leaves every letter behind. Needs the extra `judge[demo]`.
"""

import asyncio
import logging
import shutil
import time
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from errno import EEXIST
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

from judge.clock import SystemClock
from judge.config import Settings
from judge.data_folder import LOCK
from judge.mail import ImapAccount, ImapInbox, SmtpAccount, SmtpDelivery
from judge.mail.embedded import EmbeddedServer
from judge.rulebook import RandomStream, SeatId, load_game
from judge.scripted import STYLES, Style
from judge.service import embedded_settings, make_daemon
from judge.store import Database, GameRecord, Status

GAME = "balkan"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
# Those whose mail programs are not set up in English, so that letters of all languages are left.
LANGUAGES = {"Chloe": "ko", "Elena": "ja", "Fyodor": "zh-TW"}
NAMES = ("Anna", "Ben", "Chloe", "Dirk", "Elena", "Fyodor", "Gül")
MISSING = "TURKEY"  # sends nothing after its first orders, so that civil disorder is seen
MADE_BY_DEMO = "made-by-judge-demo"  # a file that says so: the next demo may delete its things
LIMIT_SECONDS = 100.0  # a game that takes longer has gone wrong
QUICK_CLOCK = {"JUDGE_CLOCK__POLL_SECONDS": "5", "JUDGE_CLOCK__RETRY_FIRST_SECONDS": "1"}
QUICK_GAME = "movement: 6s\nretreat: 4s\nadjustment: 3s\ngrace: 2s\nreminder: 2s\nall in delay: 0s"


@dataclass(slots=True)
class Demo:
    """The game, its mail server, and what has been seen of both."""

    out: Path
    years: int
    console: Console
    server: EmbeddedServer
    database: Database
    settings: Settings
    over: asyncio.Event = field(default_factory=asyncio.Event)
    to_judge: int = 0
    from_judge: int = 0
    centers: dict[str, int] = field(default_factory=dict)  # how many each power owns
    # Of the last letter that each power's player has read.
    subjects: dict[str, str] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)  # lines for the summary, in order

    def game(self) -> GameRecord | None:
        with self.database.read() as tx:
            return tx.games.get(GAME)

    def keep(self, raw: bytes, name: str) -> None:
        """Leave a letter behind, numbered as it was seen."""
        number = self.to_judge + self.from_judge
        (self.out / "letters" / f"{number:04d}-{name}.eml").write_bytes(raw)

    def tell(self, event: str) -> None:
        self.events.append(event)
        self.console.print(event, highlight=False, soft_wrap=True)

    def letter_counts(self) -> str:
        return f"{self.to_judge} letters to the judge, {self.from_judge} from it"


class Mailbox:
    """Somebody with an address: writes letters and reads what comes, as a mail program does."""

    def __init__(self, demo: Demo, name: str, language: str = "en") -> None:
        self.demo, self.name, self.language = demo, name, language
        self.address = f"{name.lower().replace('ü', 'u')}@example.test"
        imap = ImapAccount("127.0.0.1", demo.server.imap_port, self.address, "any", tls=False)
        self._inbox = ImapInbox(imap)
        self._delivery = SmtpDelivery(SmtpAccount("127.0.0.1", demo.server.smtp_port, "none"))
        self._last_uid = 0

    async def write(
        self, body: str, *, subject: str = "", answered: EmailMessage | None = None
    ) -> None:
        """A letter to the judge. A reply quotes below what it answers, as most mail programs do."""
        letter = EmailMessage(policy=policy.SMTP)
        letter["From"] = f"{self.name} <{self.address}>"
        letter["Date"] = format_datetime(SystemClock().now())
        letter["Message-ID"] = f"<{time.time_ns()}.{self.address}>"
        to = self.demo.settings.judge.address
        if answered is not None:
            to, subject = str(answered["Reply-To"]), f"Re: {answered['Subject']}"
            letter["In-Reply-To"] = str(answered["Message-ID"])
            letter["References"] = f"{answered['References']} {answered['Message-ID']}"
            part = answered.get_body(("plain",))
            lines = part.get_content().splitlines() if part is not None else []
            quoted = "\n".join(f"> {line}" for line in lines)
            body = f"{body}\n\nOn {answered['Date']}, Judge wrote:\n{quoted}"
        letter["To"], letter["Subject"] = to, subject
        letter["Accept-Language"] = self.language
        letter.set_content(body)
        raw = letter.as_bytes()
        self.demo.to_judge += 1
        self.demo.keep(raw, f"{self.name.lower()}-to-judge")
        await self._delivery.send(raw, self.address, to)

    async def read(self) -> list[EmailMessage]:
        """The letters that have come; waits a few seconds for the first."""
        await self._inbox.open()
        listed = await self._inbox.new_letters(self._last_uid)
        if not listed:
            await self._inbox.wait(5.0, self.demo.over)
            listed = await self._inbox.new_letters(self._last_uid)
        fetched = await self._inbox.fetch([one.uid for one in listed])
        self._last_uid = max((one.uid for one in listed), default=self._last_uid)
        for one in fetched:
            self.demo.from_judge += 1
            self.demo.keep(one.raw, f"judge-to-{self.name.lower()}")
        return [message_from_bytes(one.raw, policy=policy.default) for one in fetched]

    async def ask_and_confirm(self, subject: str, body: str) -> None:
        """Write something that the judge asks back about, and say yes."""
        await self.write(body, subject=subject)
        while not (letters := await self.read()):
            pass
        await self.write("Yes please.", answered=letters[0])

    async def read_and_answer(self) -> None:
        """Read and answer what comes until the game is over."""
        while not self.demo.over.is_set():
            for letter in await self.read():
                await self.answer(letter)
        await self._inbox.close()

    async def answer(self, letter: EmailMessage) -> None:
        """The master only reads."""


class Player(Mailbox):
    """One of the seven."""

    def __init__(self, demo: Demo, power: str, name: str, style: Style, seed: int) -> None:
        super().__init__(demo, name, LANGUAGES.get(name, "en"))
        self.power, self.style = SeatId(power), style
        self._seed = f"{seed} {power}".encode()
        self._answered = 0  # the serial of the last phase

    async def answer(self, letter: EmailMessage) -> None:
        """Send orders for the phase of a letter, once; after the last year, a vote for a draw."""
        self.demo.subjects[self.power] = str(letter["Subject"])
        game = self.demo.game()
        if game is None or game.status is not Status.ACTIVE or game.phase is None:
            return
        label, serial = game.phase.label, game.phase.serial
        if letter["X-Judge-Phase"] != label or serial <= self._answered:
            return
        if self.power == MISSING and serial > 1:
            return
        self._answered = serial
        if int(label[1:5]) >= 1901 + self.demo.years:
            await self.write("DRAW", answered=letter)
            return
        assert game.state is not None
        chance, opened = RandomStream(self._seed, serial), load_game(game.game).open(game.state)
        if lines := opened.computer_orders([self.power], chance)[self.power]:
            ready = "READY\n" if serial == 1 else ""
            orders = self.style.body([line.text for line in lines])
            await self.write(ready + orders, answered=letter)


def run_demo(out: Path, seed: int, years: int) -> int:
    """Play one game; returns the exit code: 0 when it came to its end."""
    logging.getLogger().setLevel(logging.WARNING)
    console = Console(stderr=True)
    try:
        make_room(out)
    except OSError as error:
        console.print(f"{out} cannot be used: {error.strerror or error}", style="red")
        return 1
    began = time.monotonic()
    try:
        demo = asyncio.run(asyncio.wait_for(_run(out, seed, years, console), LIMIT_SECONDS))
    except TimeoutError:
        console.print(f"The game did not end within {LIMIT_SECONDS:.0f} s.", style="red")
        return 1
    centers = ", ".join(f"{power.title()} {demo.centers.get(power, 0)}" for power in POWERS)
    seconds = time.monotonic() - began
    last = [f"{demo.letter_counts()}, in {seconds:.0f} s.", f"Supply centers: {centers}."]
    (out / "summary.txt").write_text("\n".join([*demo.events, *last, ""]), encoding="utf-8")
    for line in (*last, f"Letters and summary: {out}"):
        console.print(line, highlight=False, soft_wrap=True)
    return 0


def make_room(out: Path) -> None:
    """An empty folder, or one whose former demo is deleted. FileExistsError if it is another's, or
    `judge serve` has worked there since."""
    is_demos = (out / MADE_BY_DEMO).is_file() and not (out / LOCK).exists()
    if out.exists() and not is_demos and any(out.iterdir()):
        raise FileExistsError(
            EEXIST,
            "it holds files that no demo has made; name another with --dir, or take them away",
        )
    out.mkdir(parents=True, exist_ok=True)
    (out / MADE_BY_DEMO).touch()
    if (out / "letters").exists():
        shutil.rmtree(out / "letters")
    (out / "letters").mkdir()
    for stale in out.glob("judge.sqlite3*"):
        stale.unlink()


async def _run(out: Path, seed: int, years: int, console: Console) -> Demo:
    server = EmbeddedServer()
    await server.start()
    settings = embedded_settings(out, server.imap_port, server.smtp_port, QUICK_CLOCK)
    own, database = Database(out / "judge.sqlite3"), Database(out / "judge.sqlite3")
    daemon = make_daemon(settings, own, SystemClock())
    serving = asyncio.create_task(daemon.run())
    demo = Demo(out, years, console, server, database, settings)
    try:
        await daemon.ready.wait()
        # Without a terminal the table is not shown; the events are lines in any case.
        with Live(_progress_table(demo, None), console=console, transient=True) as live:
            await asyncio.gather(_watch(demo, live), _play(demo, seed))
    finally:
        demo.over.set()
        daemon.stop()
        await serving
        await server.stop()
        database.close()
        own.close()
    return demo


async def _play(demo: Demo, seed: int) -> None:
    """The letters of all people: the master makes the game, the players join and play."""
    master = Mailbox(demo, "Master")
    await master.ask_and_confirm("a new game", f"CREATE {GAME}\n{QUICK_GAME}")
    await master.read()
    demo.tell(f"{GAME}: the master has made the game.")
    each = zip(POWERS, NAMES, STYLES, strict=True)
    players = [Player(demo, power, name, style, seed) for power, name, style in each]
    for player in players:
        await player.ask_and_confirm("join", f"JOIN {GAME} {player.power}")
        demo.tell(f"{player.name} joins as {player.power.title()}.")
    await asyncio.gather(*(mailbox.read_and_answer() for mailbox in (master, *players)))


async def _watch(demo: Demo, live: Live) -> None:
    """Tell each phase that has run. The game is over when its last letters have been sent."""
    told = 0
    while not demo.over.is_set():
        await asyncio.sleep(0.25)
        game = demo.game()
        if game is None:
            continue
        with demo.database.read() as tx:
            phases = tx.phases.of(GAME)
            is_sent = tx.outbox.next_try_at() is None and not tx.outbox.unrendered(1)
        if game.state is not None:
            scores = load_game(game.game).open(game.state).result.scores
            demo.centers = {str(seat): score for seat, score in scores.items()}
        for phase in phases[told:]:
            missing = f", without orders: {', '.join(phase.missing)}" if phase.missing else ""
            demo.tell(f"{phase.phase.label} has run{missing}.")
        told = len(phases)
        live.update(_progress_table(demo, game))
        if game.status is Status.FINISHED and is_sent:
            await asyncio.sleep(0.5)  # the players read their last letters
            demo.tell(f"The game is over: {game.ending} of {', '.join(game.winners)}.")
            demo.over.set()


def _progress_table(demo: Demo, game: GameRecord | None) -> Table:
    title = f"{GAME}: {game.phase.label if game and game.phase else 'forming'}"
    if game is not None and game.timing is not None:
        at = game.timing.ends_at
        left = (at - SystemClock().now()) / timedelta(seconds=1)
        title += f"  {'grace' if game.timing.grace_until else 'deadline'} in {left:.0f} s"
    table = Table(title=title, title_justify="left", caption=demo.letter_counts())
    table.add_column("Power")
    table.add_column("Centers", justify="right")
    table.add_column("Last letter from the judge", no_wrap=True, overflow="ellipsis")
    for power in POWERS:
        centers = str(demo.centers.get(power, ""))
        table.add_row(power.title(), centers, demo.subjects.get(power, ""))
    return table
