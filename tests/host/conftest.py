"""A judge's host on an in-memory store, and people who write to it; no mail, no rendering."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from judge.config import load_settings
from judge.host import (
    Disposition,
    Message,
    Tokens,
    UnitOfWork,
    excuse_absence_of_judge,
    look_at_game,
    messages_from_json,
    next_due,
    take_letter,
)
from judge.hosting import host_config
from judge.mail import Letter, LetterKind, Unread, message_id_for, reply_address
from judge.store import Database, GameRecord, OutboxRow

START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
JUDGE = "judge@judge.test"
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


@dataclass
class Hall:
    """The host at work: letters in, letters out, and the time in the test's hand."""

    now: datetime = START
    database: Database = field(default_factory=lambda: Database(None))
    out: list[OutboxRow] = field(default_factory=list)
    languages: tuple[str, ...] = ("en",)
    _count: int = 0

    def __post_init__(self) -> None:
        settings = load_settings(
            None,
            {"JUDGE_JUDGE__ADDRESS": JUDGE, "JUDGE_LIMITS__STRANGER_LETTERS_A_DAY": "50"},
            for_mail=False,
        )
        self.config = host_config(settings)

    # --- letters in -------------------------------------------------------------------------------

    def post(
        self,
        sender: str,
        body: str,
        *,
        reply_to: OutboxRow | None = None,
        name: str = "",
        received_at: datetime | None = None,
        authenticated: bool = False,
        language: str | None = "en",
        disposition: LetterKind = LetterKind.ANSWER,
        offset: int | None = 60,
        unread: tuple[Unread, ...] = (),
    ) -> Disposition:
        """A letter arrives and is taken, in its own transaction."""
        self._count += 1
        recipient = reply_address(reply_to.token, JUDGE) if reply_to else JUDGE
        references = (message_id_for(reply_to.token, JUDGE),) if reply_to else ()
        letter = Letter(
            sha256=hashlib.sha256(f"{self._count} {sender} {body}".encode()).hexdigest(),
            received_at=received_at or self.now,
            message_id=f"{self._count}@example.test",
            sender=sender,
            sender_name=name,
            recipients=(recipient,),
            subject="",
            references=references,
            utc_offset_minutes=offset,
            language=language,
            body=body,
            whole_body=body,
            disposition=disposition,
            reason="",
            bounced_message_id=None,
            bounced_recipient=None,
            authenticated=authenticated,
            unread=unread,
        )
        with self.database.transaction() as tx:
            work = self._session(tx, f"letter {letter.sha256}")
            disposition = take_letter(work, letter)
            tx.save(work.changes(), cause="letter")
        self._collect()
        return disposition

    def _session(self, tx: object, cause: str) -> UnitOfWork:
        tokens = Tokens(b"secret of the tests", cause)
        return UnitOfWork(tx, self.config, tokens, self.now, next_due)  # type: ignore[arg-type]

    def _collect(self) -> None:
        with self.database.transaction() as tx:
            for row in tx.outbox.unrendered(1000):
                tx.outbox.save_rendered(row.token, "-", b"-")
                self.out.append(row)

    # --- the clock --------------------------------------------------------------------------------

    def pass_time(self, until: datetime | timedelta) -> None:
        """The clock runs to an instant, stopping wherever a game is due; the inbox is empty."""
        end = self.now + until if isinstance(until, timedelta) else until
        while True:
            with self.database.transaction() as tx:
                due_at = tx.games.next_due_at()
            if due_at is None or due_at > end:
                break
            self.now = max(due_at, self.now)
            if not self.tick():
                break
        self.now = end

    def tick(self, read_until: datetime | None = None) -> bool:
        """One look at every due game; whether anything changed."""
        changed = False
        with self.database.transaction() as tx:
            names = tx.games.due(self.now)
        for name in names:
            with self.database.transaction() as tx:
                game = tx.games.get(name)
                assert game is not None
                work = self._session(tx, f"clock {name} {game.phase} {game.timing}")
                look_at_game(work, name, read_until or self.now)
                changes = work.changes()
                tx.save(changes, cause="clock")
                changed |= bool(changes.games)
        self._collect()
        return changed

    def excuse(self, name: str, away_since: datetime) -> None:
        with self.database.transaction() as tx:
            work = self._session(tx, f"away {away_since}")
            excuse_absence_of_judge(work, name, away_since)
            tx.save(work.changes(), cause="away")
        self._collect()

    # --- letters out ------------------------------------------------------------------------------

    def last(self, address: str) -> OutboxRow:
        """The newest letter to an address."""
        return [row for row in self.out if row.recipient == address][-1]

    def last_answer(self, address: str) -> OutboxRow:
        return [row for row in self.out if row.recipient == address and row.kind == "answer"][-1]

    def messages(self, row: OutboxRow) -> tuple[Message, ...]:
        return messages_from_json(row.messages, row.documents)

    def said(self, address: str, kind: type[B]) -> B:
        """The newest block of a kind that somebody was told; fails if there is none."""
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
        self.post(address, "", reply_to=self.last(address))

    def start(self, lines: str = "", powers: Iterable[str] = POWERS) -> GameRecord:
        """A full game, each player at the power that his address names."""
        self.create(lines)
        for power in powers:
            self.join(power)
        return self.game()

    def order(self, power: str, body: str) -> None:
        """Orders by reply to the newest letter."""
        address = address_of(power)
        self.post(address, body, reply_to=self.last(address))

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
