"""A whole game through real Dovecot and Postfix: the program, seven players, their master."""

import email
import email.policy
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import pytest

from judge.store import Database, GameRecord
from tests.servers.harness import PASSWORD, ServerPair, address

ROOT = Path(__file__).resolve().parent.parent.parent
JUDGE, MASTER = address("judge"), address("master")
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
SPRING = {
    "AUSTRIA": "A VIE - TYR\nA BUD - SER\nF TRI H",
    "ENGLAND": "army liverpool holds; F EDI H; F LON H",
    "FRANCE": "Hi judge, here we go!\n\na mar h / a par h / f bre h",
    "GERMANY": "1. A BER H\n2. A MUN H\n3. F KIE H",
    "ITALY": "A Rom → Apu\nA VEN H\nF NAP H",
    "RUSSIA": "A MOS H\nA WAR H\nF SEV H\nF STP/SC H",
    "TURKEY": "A CON H\nA SMY H\nF ANK H",
}
FALL = {
    **SPRING,
    "AUSTRIA": "A TYR - VEN\nF TRI S A TYR - VEN\nA SER H",
    "ITALY": "A APU H\nA VEN H\nF NAP H",
}
SECRET_TALK = "Let us keep the Channel empty, you and I."
PATIENCE_SECONDS = 40.0


@dataclass
class Game:
    """The servers, the judge's data, and what was written so far."""

    servers: ServerPair
    data: Path
    count: int = 0
    seen: dict[str, tuple[int, list[EmailMessage]]] = field(default_factory=dict)

    def letters(self, who: str) -> list[EmailMessage]:
        raw = self.servers.letters(who)
        parsed = [email.message_from_bytes(one, policy=email.policy.default) for one in raw]
        return [one for one in parsed if isinstance(one, EmailMessage)]

    def write(self, who: str, body: str, *, to: EmailMessage | None = None) -> EmailMessage:
        """A letter to the judge, and the judge's answer; a reply quotes what it answers."""
        self.count += 1
        letter = EmailMessage()
        letter["From"] = f"{who.partition('@')[0].title()} <{who}>"
        letter["To"] = str(to["Reply-To"]) if to else JUDGE
        letter["Subject"] = f"Re: {to['Subject']}" if to else "to the judge"
        letter["Message-ID"] = message_id = f"<{self.count}.{who}>"
        if to is not None:
            letter["In-Reply-To"] = str(to["Message-ID"])
            letter["References"] = f"{to['References']} {to['Message-ID']}"
            quoted = "\n".join(f"> {line}" for line in text_of(to).splitlines())
            body = f"{body}\n\nOn Sat, 5 Dec 2026 at 20:00, Judge <{JUDGE}> wrote:\n{quoted}"
        letter.set_content(body)
        self.servers.send(letter.as_bytes(), who, parseaddr(str(letter["To"]))[1])
        return self.await_letter(who, lambda one: one["In-Reply-To"] == message_id)

    def await_letter(self, who: str, is_it) -> EmailMessage:  # type: ignore[no-untyped-def]
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            found = [one for one in self.letters(who) if is_it(one)]
            if found:
                return found[-1]
            assert time.monotonic() < end, (self.data / "log").read_text(encoding="utf-8")[-3000:]
            time.sleep(0.1)

    def about(self, power: str, label: str, *words: str) -> EmailMessage:
        """The newest letter to a power's player about a phase whose subject holds these words."""
        return self.await_letter(
            player(power),
            lambda one: (
                one["X-Judge-Phase"] == label and all(word in one["Subject"] for word in words)
            ),
        )

    def record(self) -> GameRecord:
        database = Database(self.data / "judge.sqlite3")
        with database.transaction() as tx:
            game = tx.games.get("balkan")
        database.close()
        assert game is not None
        return game


def player(power: str) -> str:
    return address(power.lower())


def text_of(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


@pytest.fixture
def game(servers: ServerPair, tmp_path: Path) -> Iterator[Game]:
    """The judge as a keeper runs it, ended by its own process id."""
    ports = servers.ports
    config = tmp_path / "judge.toml"
    config.write_text(
        f"""
[judge]
address = "{JUDGE}"
data = "{tmp_path}"
[imap]
host = "{servers.host}"
port = {ports.imaps}
user = "{JUDGE}"
password = "{PASSWORD}"
ca_file = "{servers.ca_file}"
[smtp]
host = "{servers.host}"
port = {ports.smtps}
ca_file = "{servers.ca_file}"
[clock]
poll_seconds = 1
[limits]
stranger_letters_a_day = 50
""",
        encoding="utf-8",
    )
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "judge", "serve", "--config", str(config)],
            stderr=log,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    try:
        made = Game(servers, tmp_path)
        _await_first_reading(made)
        yield made
    finally:
        process.terminate()
        assert process.wait(20) == 0


def _await_first_reading(game: Game) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if (game.data / "judge.sqlite3").exists():
            database = Database(game.data / "judge.sqlite3")
            with database.transaction() as tx:
                mark = tx.mailbox.checkpoint()
            database.close()
            if mark is not None and mark.read_through_at is not None:
                return
        time.sleep(0.1)
    raise AssertionError((game.data / "log").read_text(encoding="utf-8"))


@pytest.mark.timeout(240)
def test_a_whole_game(game: Game) -> None:
    take_seats(game)
    play_spring(game)
    miss_a_deadline(game)
    retreat_and_build(game)
    talk_in_secret(game)
    agree_on_a_draw(game)


def take_seats(game: Game) -> None:
    settings = "movement: 12s\nretreat: 60s\nadjustment: 60s\ngrace: 3s\nreminder: 4s"
    asked = game.write(MASTER, f"CREATE balkan\n{settings}\nall in delay: 0s")
    created = game.write(MASTER, "Yes, that is me.", to=asked)
    assert text_of(created).startswith("Your game is made and open to players.")
    for power in POWERS:
        question = game.write(player(power), f"JOIN balkan {power}")
        assert question["Subject"] == "[Judge] balkan reply YES to join"
        joined = game.write(player(power), "Yes, gladly!", to=question)
        will = "will " * (power != POWERS[-1])  # with the last one the game begins
        assert text_of(joined).startswith(f"You {will}play {power.title()}.")


def play_spring(game: Game) -> None:
    for power in POWERS:
        start = game.about(power, "S1901M", "the game begins")
        assert f"You are {power.title()}. The game begins." in text_of(start)
        answer = game.write(player(power), f"{SPRING[power]}\nREADY", to=start)
        due = 4 if power == "RUSSIA" else 3
        assert f"Orders complete: {due} of {due}." in text_of(answer)
        assert answer["References"].split()[0] == start["References"].split()[0]  # one thread
    results = game.about("AUSTRIA", "F1901M", "results")
    assert "All 3 of your orders succeeded." in text_of(results)


def miss_a_deadline(game: Game) -> None:
    """Six players order; Turkey is reminded, gets its grace, and is in civil disorder."""
    for power in POWERS[:-1]:
        game.write(player(power), FALL[power], to=game.about(power, "F1901M", "results"))
    game.about("TURKEY", "F1901M", "reminder")
    assert "The deadline has passed without your orders." in text_of(
        game.about("TURKEY", "F1901M", "in grace")
    )
    assert not [one for one in game.letters(player("FRANCE")) if "reminder" in one["Subject"]]
    missed = text_of(
        game.await_letter(player("TURKEY"), lambda one: "No orders came" in text_of(one))
    )
    assert "your power was in civil disorder for this phase" in missed
    assert game.record().seat("TURKEY").player is not None  # type: ignore[arg-type]


def retreat_and_build(game: Game) -> None:
    driven_out = game.about("ITALY", "F1901R", "A VEN dislodged")
    assert "A VEN R TUS   retreat to Tuscany" in text_of(driven_out)
    answer = game.write(player("ITALY"), "A VEN R TUS", to=driven_out)
    assert "Orders complete: 1 of 1." in text_of(answer)
    austria = game.about("AUSTRIA", "W1901A", "results")
    assert "You can build 2 units." in text_of(austria)
    game.write(player("AUSTRIA"), "Build army Vienna\nA BUD B", to=austria)
    italy = game.about("ITALY", "W1901A", "results")
    game.write(player("ITALY"), "Remove F Nap", to=italy)
    built = text_of(game.about("AUSTRIA", "S1902M", "results"))
    assert "You have built 2 units." in built
    assert "Italy: A APU, A TUS" in built


def talk_in_secret(game: Game) -> None:
    letter = game.about("FRANCE", "S1902M", "results")
    body = f"PRESS TO ENGLAND\n{SECRET_TALK}\nENDPRESS"
    assert SECRET_TALK in text_of(game.write(player("FRANCE"), body, to=letter))
    heard = game.await_letter(player("ENGLAND"), lambda one: SECRET_TALK in text_of(one))
    assert "France" in text_of(heard)
    for who in (MASTER, *(player(power) for power in set(POWERS) - {"ENGLAND", "FRANCE"})):
        assert not [one for one in game.letters(who) if SECRET_TALK in text_of(one)]


def agree_on_a_draw(game: Game) -> None:
    for power in POWERS:
        letters = game.letters(player(power))
        game.write(player(power), "DRAW", to=letters[-1])
    for power in POWERS:
        over = game.await_letter(
            player(power), lambda one: text_of(one).startswith("The game is over: a draw")
        )
        assert game.record().seed.hex() in text_of(over)
    assert (game.record().ending, game.record().winners) == ("draw", POWERS)
