"""The service at work on one database, step by step, with no loop and no mail server.

What `bench/trace.py` and `bench/letter_cost.py` measure. Knows the service layer and nothing below
it; the release before this one had another, which is served too, so that the two can be compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from pathlib import Path

import judge
from judge.config import Settings, load_settings
from judge.mail import Fetched, read_letter
from judge.store import Database, OutboxRow

try:
    import judge.intake
    from judge.due_games import DueGames
    from judge.hosting import HEARTBEAT, Hosting
    from judge.intake import Intake
    from judge.outgoing import Outgoing

    IS_OLD = False
except ImportError:  # release 0.1
    from judge.work import Work

    IS_OLD = True

JUDGE = "judge@judge.test"
MASTER = "gm@example.test"
START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
UID_VALIDITY = 1
SECRET = b"0" * 64
OPENINGS = {
    "AUSTRIA": "A BUD - SER\nA VIE - GAL\nF TRI - ALB",
    "ENGLAND": "A LVP - YOR\nF EDI - NTH\nF LON - ENG",
    "FRANCE": "A MAR - SPA\nA PAR - BUR\nF BRE - MAO",
    "GERMANY": "A BER - KIE\nA MUN - RUH\nF KIE - DEN",
    "ITALY": "A ROM - APU\nA VEN H\nF NAP - ION",
    "RUSSIA": "A MOS - UKR\nA WAR - GAL\nF SEV - BLA\nF STP/SC - BOT",
    "TURKEY": "A CON - BUL\nA SMY - CON\nF ANK - BLA",
}


class ReaderHere:
    """Reads letters in this process, so that what it costs is seen."""

    read = staticmethod(read_letter)

    def begin(self) -> None:
        """Nothing to begin."""


if not IS_OLD:
    assert judge.intake.mail.guarded_reader  # where the intake looks for its reader
    judge.intake.mail.guarded_reader = ReaderHere  # type: ignore[assignment]


@dataclass
class HandClock:
    """The time as the benchmark says."""

    instant: datetime = START

    def now(self) -> datetime:
        return self.instant


class Parts:
    """The parts of the service, begun."""

    def __init__(self, settings: Settings, database: Database, clock: HandClock) -> None:
        self.database = database
        hosting = Hosting(settings, database, clock, SECRET)  # type: ignore[arg-type]
        self.intake, self.due_games = Intake(hosting), DueGames(hosting)
        self.outgoing = Outgoing(hosting)
        self.due_games.resume_after_start()
        self.intake.begin_reading(UID_VALIDITY, 1)
        self.claimed: list[OutboxRow] = []

    def take(self, fetched: Fetched) -> None:
        self.intake.take(fetched, UID_VALIDITY)

    def run_due(self, now: datetime) -> None:
        for _ in self.due_games.run(now):
            pass

    def render(self) -> None:
        while isinstance(found := self.outgoing.prepare(), list):
            self.claimed += found

    def claim(self) -> list[OutboxRow]:
        rows, self.claimed = self.claimed, []
        return rows

    def was_sent(self, row: OutboxRow) -> None:
        self.outgoing.delivered.append(row.token)
        self.outgoing.note_delivered()

    def deadline(self, name: str) -> datetime:
        """A game's deadline, until which the judge has been at work."""
        with self.database.transaction() as tx:
            game = tx.games.get(name)
            assert game is not None
            assert game.timing is not None
            tx.timestamps.set(HEARTBEAT, game.timing.deadline_at)
        return game.timing.deadline_at


class OldParts:
    """The same of release 0.1."""

    def __init__(self, settings: Settings, database: Database, clock: HandClock) -> None:
        self.database = database
        self.work = Work(settings, database, clock, SECRET)
        self.work.begin()
        self.work.last_uid(UID_VALIDITY, 1)
        self.work.in_order([])

    def take(self, fetched: Fetched) -> None:
        self.work.take(fetched, UID_VALIDITY)

    def run_due(self, now: datetime) -> None:
        self.work.run_due_games(now - timedelta(seconds=1))

    def render(self) -> None:
        while self.work.render_some():
            pass

    def claim(self) -> list[OutboxRow]:
        return list(self.work.claim_to_send())

    def was_sent(self, row: OutboxRow) -> None:
        self.work.was_sent(row.token)

    def deadline(self, name: str) -> datetime:
        with self.database.transaction() as store:
            return store.game(name).timing.deadline_at  # type: ignore[attr-defined, no-any-return]


@dataclass(frozen=True)
class Sent:
    """A letter of the judge, as its recipient has it."""

    recipient: str
    raw: bytes


@dataclass
class Service:
    """One judge. `path` is its database's file; None keeps it in memory.

    Letters are `step` apart.
    """

    path: Path | None
    clock: HandClock = field(default_factory=HandClock)
    step: timedelta = timedelta(seconds=2)
    sent: list[Sent] = field(default_factory=list)
    count: int = 0

    def __post_init__(self) -> None:
        environ = {
            "JUDGE_JUDGE__ADDRESS": JUDGE,
            "JUDGE_LIMITS__STRANGER_LETTERS_A_DAY": "1000",
            "JUDGE_LIMITS__LETTERS_AN_HOUR": "100000",
            "JUDGE_LIMITS__GAMES_A_PLAYER": "100" if IS_OLD else "1000",
        }
        if not IS_OLD:
            environ["JUDGE_LIMITS__STRANGERS_A_DAY"] = "100000"
        self.settings = load_settings(None, environ, for_mail=False)
        self.database = Database(self.path)
        kind = OldParts if IS_OLD else Parts
        self.parts = kind(self.settings, self.database, self.clock)

    def close(self) -> None:
        self.database.close()

    # --- the steps that are measured ----------------------------------------------------------

    def take(self, raw: bytes) -> None:
        """A letter from its bytes to the commit: its orders are stored, its answer is queued."""
        self.parts.take(Fetched(self.count, self.clock.now(), raw, len(raw)))

    def run_due(self) -> None:
        """What is due by the clock is resolved, and its letters are queued."""
        self.parts.run_due(self.clock.now())

    def render(self) -> None:
        """All queued letters become bytes."""
        self.parts.render()

    def send(self) -> int:
        """A mail server takes all that is rendered; returns how many letters."""
        before = len(self.sent)
        while rows := self.parts.claim():
            for row in rows:
                assert row.raw is not None
                self.sent.append(Sent(row.recipient, row.raw))
                self.parts.was_sent(row)
        return len(self.sent) - before

    # --- letters ------------------------------------------------------------------------------

    def letter(self, sender: str, body: str, to: str = JUDGE, *, with_html: bool = False) -> bytes:
        """A new letter to an address of the judge."""
        self.count += 1
        self.clock.instant += self.step
        letter = EmailMessage()
        letter["From"] = f"{sender.partition('@')[0].title()} <{sender}>"
        letter["To"] = to
        letter["Subject"] = "to the judge"
        letter["Date"] = format_datetime(self.clock.now())
        letter["Message-ID"] = f"<{self.count}@example.test>"
        letter.set_content(body)
        if with_html:
            lines = "<br>\n".join(escape(line) for line in body.splitlines())
            letter.add_alternative(f"<html><body><div>{lines}</div></body></html>", subtype="html")
        return letter.as_bytes()

    def reply(self, sender: str, body: str, *, with_html: bool = False) -> bytes:
        """A reply to the newest letter to somebody, which is quoted below."""
        raw = next(one.raw for one in reversed(self.sent) if one.recipient == sender)
        answered = message_from_bytes(raw, policy=policy.default)
        assert isinstance(answered, EmailMessage)
        text = answered.get_body(("plain",))
        assert text is not None
        quote = "\n".join(f"> {line}" for line in str(text.get_content()).splitlines())
        body = f"{body}\n\nOn {answered['Date']}, Judge wrote:\n{quote}\n"
        return self.letter(sender, body, str(answered["Reply-To"]), with_html=with_html)

    def say(self, sender: str, body: str, *, reply: bool = True) -> None:
        """A letter is taken, and everything that follows is sent."""
        self.take(self.reply(sender, body) if reply else self.letter(sender, body))
        self.render()
        self.send()

    # --- games --------------------------------------------------------------------------------

    def start_game(self, name: str = "balkan", prefix: str = "") -> None:
        """A standard game of seven in its first phase."""
        self.say(MASTER, f"CREATE {name}", reply=False)
        self.say(MASTER, "yes")
        for power in OPENINGS:
            self.say(address_of(power, prefix), f"JOIN {name} {power}", reply=False)
            self.say(address_of(power, prefix), "yes")

    def order(self, orders: Mapping[str, str], prefix: str = "") -> None:
        """Everybody's orders, each by reply to the newest letter."""
        for power, lines in orders.items():
            self.say(address_of(power, prefix), lines)

    def pass_deadline(self) -> None:
        """The clock stands behind the next deadline."""
        self.clock.instant = self.parts.deadline("balkan") + timedelta(seconds=5)


def address_of(power: str, prefix: str = "") -> str:
    return f"{prefix}{power.lower()}@example.test"
