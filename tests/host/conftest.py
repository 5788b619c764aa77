"""A judge with a database, a mailbox and a way out in memory, and people who write to it.

Letters come in as raw bytes and take the way that the service gives them, up to the bytes of the
letters that go out. Whatever fails on that way fails the test.
"""

import email
import email.policy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import TypeVar

import pytest

from judge.config import load_settings
from judge.due_games import DueGames
from judge.host import Message, messages_from_json
from judge.hosting import HEARTBEAT, SETTLE, Hosting
from judge.intake import Intake
from judge.keeper_commands import PAUSED
from judge.mail import Fetched, reply_address
from judge.outgoing import Outgoing
from judge.picture_pool import PicturePool
from judge.store import Database, GameRecord, LetterState, OutboxRow, Status
from tests.store.values import letter_at

START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
JUDGE = "judge@judge.test"
RECEIVER = "mx.judge.test"  # the server whose word on senders is believed
UID_VALIDITY = 1
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
OPENINGS = {
    "AUSTRIA": "A BUD - SER\nA VIE - GAL\nF TRI - ALB",
    "ENGLAND": "A LVP - YOR\nF EDI - NTH\nF LON - ENG",
    "FRANCE": "A MAR - SPA\nA PAR - BUR\nF BRE - MAO",
    "GERMANY": "A BER - KIE\nA MUN - RUH\nF KIE - DEN",
    "ITALY": "A ROM - APU\nA VEN H\nF NAP - ION",
    "RUSSIA": "A MOS - UKR\nA WAR - GAL\nF SEV - BLA\nF STP/SC - BOT",
    "TURKEY": "A CON - BUL\nA SMY - CON\nF ANK - BLA",
}

B = TypeVar("B")


def address_of(power: str) -> str:
    return f"{power.lower()}@example.test"


@dataclass(frozen=True)
class Started:
    """A game that has just begun: the database, the letters out, and how many came in."""

    database: bytes
    out: tuple[OutboxRow, ...]
    letters: int


STARTED: dict[tuple[str, tuple[str, ...]], Started] = {}  # by the lines of CREATE and the powers


@dataclass
class Hall:
    """The judge at work: letters in, letters out, and the time in the test's hand.

    `path` is the database's file; without one it is in memory. `environ` holds settings.
    """

    path: Path | None = None
    instant: datetime = START
    out: list[OutboxRow] = field(default_factory=list)
    environ: Mapping[str, str] = field(default_factory=dict)
    pool: PicturePool | None = None
    sent: dict[str, bytes] = field(default_factory=dict)  # letters as they left, by their tokens
    _count: int = 0

    def __post_init__(self) -> None:
        environ = {
            "JUDGE_JUDGE__ADDRESS": JUDGE,
            "JUDGE_LIMITS__STRANGER_LETTERS_A_DAY": "50",
            "JUDGE_LIMITS__LETTERS_AN_HOUR": "1000",
            "JUDGE_SECURITY__TRUSTED_AUTHSERV": RECEIVER,
            **self.environ,
        }
        self.settings = load_settings(None, environ, for_mail=False)
        self.open()

    def open(self) -> None:
        """Serve the database, as after a start."""
        self.database = Database(self.path)
        hosting = Hosting(self.settings, self.database, self, b"secret of the tests")  # type: ignore[arg-type]
        self.config = hosting.config
        self._intake, self._due_games = Intake(hosting), DueGames(hosting)
        self._outgoing = Outgoing(hosting, self.pool)

    def now(self) -> datetime:
        """The time, for the judge too."""
        return self.instant

    # --- letters in -------------------------------------------------------------------------------

    def post(
        self,
        sender: str,
        body: str,
        *,
        reply_to: OutboxRow | None = None,
        name: str = "",
        language: str | None = "en",
        offset: int = 60,
        headers: Mapping[str, str] | None = None,
    ) -> LetterState:
        """A letter arrives and is taken; what became of it."""
        zone = timezone(timedelta(minutes=offset))
        fields = {
            "From": f"{name} <{sender}>",
            "To": reply_address(reply_to.token, JUDGE) if reply_to else JUDGE,
            "Date": format_datetime(self.instant.astimezone(zone)),
            "Message-ID": f"<{self._count + 1}@example.test>",
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Transfer-Encoding": "8bit",
            **({"Accept-Language": language.replace("_", "-")} if language else {}),
            **(headers or {}),
        }
        head = "".join(f"{field}: {value}\r\n" for field, value in fields.items())
        raw = f"{head}\r\n{body}\r\n".encode()
        return self.take(raw)

    def take(self, raw: bytes) -> LetterState:
        """A letter arrives, byte by byte as it is here; what became of it."""
        self._count += 1
        self._intake.take(Fetched(self._count, self.instant, raw, len(raw)), UID_VALIDITY)
        self._collect()
        with self.database.transaction() as tx:
            number = letter_at(tx, UID_VALIDITY, self._count)
            assert number is not None
            stored = tx.letters.get(number)
        assert stored is not None
        return stored.state

    def _collect(self) -> None:
        """Render and send what the judge has written; nothing has failed."""
        with self.database.transaction() as tx:
            known = {row.token for row in self.out}
            self.out += [row for row in tx.outbox.unrendered(1000) if row.token not in known]
        while isinstance(rows := self._outgoing.prepare(), list):
            for row in rows:
                assert row.raw is not None
                self.sent[row.token] = row.raw
                self._outgoing.delivered.append(row.token)
                self._outgoing.note_delivered()
        with self.database.transaction() as tx:
            assert [one.note for one in tx.letters.shunted()] == []
            assert [one.last_error for one in tx.outbox.stuck()] == []
            assert {why for _, why in tx.games.halted()} <= {PAUSED}

    # --- the clock --------------------------------------------------------------------------------

    def pass_time(self, until: datetime | timedelta) -> None:
        """The clock runs to an instant, stopping wherever a game is due; the inbox is empty."""
        end = self.instant + until if isinstance(until, timedelta) else until
        while (due_at := self._next_due_at()) is not None and due_at <= end:
            self.instant = max(due_at, self.instant)
            if not self.tick():
                break
        self.instant = end

    def _next_due_at(self) -> datetime | None:
        with self.database.transaction() as tx:
            instants = (tx.games.next_due_at(), tx.players.next_digest_at())
        return min((at for at in instants if at is not None), default=None)

    def run_phase(self, name: str = "balkan") -> None:
        """The clock runs until the phase of a game has run, or ended the game."""
        game = before = self.game(name)
        while game.phase == before.phase and game.status is Status.ACTIVE:
            assert game.due_at is not None
            self.instant = max(game.due_at, self.instant)
            assert self.tick(), f"{before.phase} does not run"
            game = self.game(name)

    def tick(self, read_until: datetime | None = None) -> bool:
        """One look at every due game, the inbox read up to an instant; whether one changed."""
        with self.database.transaction() as tx:
            names = tx.games.due(self.instant)
            digests = tx.players.due_digests(self.instant, limit=100)
        before = [self.game(name) for name in names]
        for _ in self._due_games.run((read_until or self.instant) + SETTLE, due_until=self.instant):
            pass
        self._collect()
        return bool(digests) or before != [self.game(name) for name in names]

    def away(self, since: datetime) -> None:
        """The clock goes on though the mailbox cannot be read since then."""
        with self.database.transaction() as tx:
            tx.timestamps.set(HEARTBEAT, self.instant)
        self._due_games.tick(since)
        self._collect()

    def excuse(self, away_since: datetime) -> None:
        """The judge starts again after it was away."""
        with self.database.transaction() as tx:
            tx.timestamps.set(HEARTBEAT, away_since)
        self._due_games.resume_after_start()
        self._collect()

    # --- letters out ------------------------------------------------------------------------------

    def last(self, address: str) -> OutboxRow:
        """The newest letter to an address."""
        return [row for row in self.out if row.recipient == address][-1]

    def text(self, row: OutboxRow) -> str:
        """A letter as its reader sees it: subject, a blank line, and the plain text."""
        with self.database.transaction() as tx:
            stored = tx.outbox.get(row.token)
        assert stored is not None
        assert stored.raw is not None
        letter = email.message_from_bytes(stored.raw, policy=email.policy.default)
        body = letter.get_body(("plain",))
        assert body is not None
        return f"{letter['subject']}\n\n{body.get_content()}"

    def last_answer(self, address: str) -> OutboxRow:
        return [row for row in self.out if row.recipient == address and row.kind == "answer"][-1]

    def messages(self, row: OutboxRow) -> tuple[Message, ...]:
        return messages_from_json(row.messages, row.documents)

    def said(self, address: str, kind: type[B]) -> B:
        """The newest message of a kind that somebody was told; fails if there is none."""
        for row in reversed([row for row in self.out if row.recipient == address]):
            for message in self.messages(row):
                if isinstance(message, kind):
                    return message
        raise AssertionError(f"{address} was never told a {kind.__name__}")

    def was_told(self, address: str, kind: type[B]) -> list[B]:
        rows = [row for row in self.out if row.recipient == address]
        return [
            message for row in rows for message in self.messages(row) if isinstance(message, kind)
        ]

    # --- shortcuts --------------------------------------------------------------------------------

    def game(self, name: str = "balkan") -> GameRecord:
        with self.database.transaction() as tx:
            game = tx.games.get(name)
        assert game is not None
        return game

    def register(self, address: str, name: str) -> None:
        self.post(address, "REGISTER", name=name)
        self.post(address, "yes", reply_to=self.last(address), name=name)

    def create(
        self, lines: str = "", name: str = "balkan", master: str = "gm@example.test"
    ) -> None:
        self.post(master, f"CREATE {name}\n{lines}", name="Grace Master")
        self.post(master, "yes", reply_to=self.last(master))

    def join(self, power: str, name: str = "balkan") -> None:
        address = address_of(power)
        self.post(address, f"JOIN {name} {power}", name=power.title())
        self.post(address, "yes", reply_to=self.last(address))

    def start(self, lines: str = "", powers: Iterable[str] = POWERS) -> GameRecord:
        """A full game, each player at the power that their address names.

        The first one with these lines is created and joined letter by letter; others are copies.
        """
        is_first = self._count == 0 and self.path is None
        tables = self.database._tables.conn
        if is_first and (found := STARTED.get((lines, tuple(powers)))):
            tables.deserialize(found.database)
            self.out, self._count = [*found.out], found.letters
            return self.game()
        self.create(lines)
        for power in powers:
            self.join(power)
        if is_first:
            started = Started(tables.serialize(), tuple(self.out), self._count)
            STARTED[lines, tuple(powers)] = started
        return self.game()

    def order(self, power: str, body: str) -> None:
        """Orders by reply to the newest letter."""
        address = address_of(power)
        self.post(address, body, reply_to=self.last(address))

    def to_winter(self, fall: Mapping[str, str]) -> None:
        """Start a game whose first builds are due: these orders came for the fall, no others."""
        self.start("grace: 0")
        self.open_game()
        self.run_phase()
        for power in POWERS:
            self.order(power, fall.get(power, "READY"))
        self.run_phase()

    def open_game(self, *silent: str) -> None:
        """Everybody's opening orders, without those of some."""
        for power in POWERS:
            if power not in silent:
                self.order(power, OPENINGS[power])


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    yield made
    made.database.close()
