"""Makes `release_0_1.sqlite3.xz`: a database of release 0.1 with games in every stage.

Runs with release 0.1 and with no other: check out its commit, make its environment, and start this
file there: `python make_release_0_1.py OUT.sqlite3.xz`. Letters come in as raw bytes and take the
way that the service of that release gives them; the clock is in this file's hand. Nothing is
written into the tables by hand, but for what only a bug or a dying server brings about: the
shunted letter, the halted game, the letters that are stuck, being sent and tried once.
"""

import lzma
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from judge.work import Work

from judge.config import load_settings
from judge.diplomacy.records import View
from judge.mail import Fetched
from judge.rulebook import SeatId, load_game
from judge.scripted import choose_steps, write_canonical
from judge.store import Database, GameRecord, LetterIn, OutboxRow, Status

JUDGE = "judge@judge.test"
KEEPER = "keeper@example.test"
MASTER = "gm@example.test"
START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
UID_VALIDITY = 7
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
COLONIAL = ("BRITAIN", "CHINA", "FRANCE", "HOLLAND", "JAPAN", "RUSSIA", "TURKEY")
FOUR = ("ENGLAND", "AUSTRIA_FRANCE", "GERMANY_TURKEY", "ITALY_RUSSIA")
LANGUAGES = ("en", "ko", "zh_Hant", "ja")
SLOW = "movement: 20d\nretreat: 18d\nadjustment: 17d\nall in delay: 0s\n"
RULEBOOK = load_game("diplomacy")


class HandClock:
    def __init__(self) -> None:
        self.instant = START

    def now(self) -> datetime:
        return self.instant


class Office:
    """Release 0.1 at work on a database, with everybody who writes to it."""

    def __init__(self, path: Path) -> None:
        environ = {
            "JUDGE_JUDGE__ADDRESS": JUDGE,
            "JUDGE_JUDGE__KEEPERS": KEEPER,
            "JUDGE_LIMITS__STRANGER_LETTERS_A_DAY": "3",
            "JUDGE_LIMITS__LETTERS_AN_HOUR": "1000",
            "JUDGE_LIMITS__GAMES_A_PLAYER": "50",
        }
        self.clock = HandClock()
        self.database = Database(path)
        settings = load_settings(None, environ, for_mail=False)
        self.work = Work(settings, self.database, self.clock, b"0" * 64)  # type: ignore[arg-type]
        self.work.begin()
        self.work.last_uid(UID_VALIDITY, 1)
        self.work.in_order([])
        self.uid = 0
        self.sent: list[OutboxRow] = []
        self.chance = random.Random("release 0.1")

    # --- letters ------------------------------------------------------------------------------

    def post(
        self, sender: str, body: str, reply_to: OutboxRow | None = None, **headers: str
    ) -> None:
        """A letter is taken; what it causes stays unrendered."""
        self.work.take(self.fetched(sender, body, reply_to, **headers), UID_VALIDITY)

    def fetched(
        self, sender: str, body: str, reply_to: OutboxRow | None = None, **headers: str
    ) -> Fetched:
        self.uid += 1
        self.clock.instant += timedelta(seconds=1)
        letter = EmailMessage()
        letter["From"] = f"{sender.partition('@')[0].title()} <{sender}>"
        letter["To"] = JUDGE
        letter["Subject"] = "to the judge"
        letter["Date"] = format_datetime(self.clock.now())
        letter["Message-ID"] = f"<{self.uid}@example.test>"
        if reply_to is not None:
            letter.replace_header("To", f"judge+{reply_to.token}@judge.test")
            letter.replace_header("Subject", f"Re: {reply_to.subject}")
        for name, value in headers.items():
            letter[name.replace("_", "-")] = value
        letter.set_content(body)
        raw = letter.as_bytes()
        return Fetched(self.uid, self.clock.now(), raw, len(raw))

    def deliver(self) -> None:
        """All waiting letters are rendered and taken by a mail server."""
        while self.work.render_some():
            pass
        while rows := self.work.claim_to_send():
            for row in rows:
                self.work.was_sent(row.token)
                self.sent.append(row)

    def last(self, address: str, game: str | None = None) -> OutboxRow:
        """The newest sent letter to an address, of a game or at all."""
        found = (
            row
            for row in reversed(self.sent)
            if row.recipient == address and (game is None or row.game == game)
        )
        return next(found)

    def say(self, sender: str, body: str, game: str | None = None) -> None:
        """A letter, a reply if it is about a game, and its answer is sent."""
        self.post(sender, body, self.last(sender, game) if game else None)
        self.deliver()

    # --- games --------------------------------------------------------------------------------

    def game(self, name: str) -> GameRecord:
        with self.database.transaction() as store:
            game = store.game(name)
        assert game is not None, name
        return game

    def label(self, name: str) -> str:
        phase = self.game(name).phase
        return phase.label if phase else str(self.game(name).status)

    def create(self, name: str, lines: str) -> None:
        self.say(MASTER, f"CREATE {name}\n{lines}")
        if not any(game_name == name for game_name in self._names()):
            self.post(MASTER, "yes", self.last(MASTER))
            self.deliver()

    def _names(self) -> Sequence[str]:
        with self.database.transaction() as store:
            return store.game_names()

    def join(self, name: str, seats: Sequence[str], prefix: str = "") -> None:
        for number, seat in enumerate(seats):
            address = address_of(seat, prefix)
            self.say(address, f"JOIN {name} {seat}")
            self.post(address, "yes", self.last(address))
            self.deliver()
            language = LANGUAGES[number % len(LANGUAGES)]
            self.post(address, f"SET LANGUAGE {language}", self.last(address))
            self.deliver()

    def tick(self, seconds: int = 2) -> None:
        """The clock runs, the inbox was read, and what is due is done."""
        self.clock.instant += timedelta(seconds=seconds)
        self.work.inbox_was_read(UID_VALIDITY, self.uid, self.clock.now())
        self.work.clock_tick(None)
        self.deliver()

    def orders(self, name: str, seat: SeatId) -> str:
        """What a scripted player sends for all powers of a seat."""
        state = self.game(name).state
        assert state is not None
        view = View.from_json(RULEBOOK.view(state, seat))
        steps = [
            step for power in view.own or (seat,) for step in choose_steps(view, power, self.chance)
        ]
        return "\n".join(write_canonical(step) for step in steps)

    def awaited(self, name: str) -> Sequence[SeatId]:
        return [each.seat for each in RULEBOOK.awaited(self.game(name).state or {})]

    def play(self, name: str, prefix: str, is_end: Callable[[str], bool]) -> None:
        """Everybody orders and is ready, until the phase is one that is wanted."""
        while not is_end(self.label(name)):
            before = self.label(name)
            for seat in self.awaited(name):
                body = f"{self.orders(name, seat)}\nREADY"
                self.post(address_of(seat, prefix), body, self.last(address_of(seat, prefix), name))
                self.deliver()
            self.tick()
            assert self.label(name) != before, (name, before)


def address_of(seat: str, prefix: str) -> str:
    return f"{prefix}{seat.lower()}@example.test"


def make(path: Path) -> None:
    office = Office(path)
    say = office.say

    # A standard game in its third year: press, votes, flags, advance orders.
    office.create("balkan", SLOW + "rules: 2023\n4.A.2: all_hold\npress: grey")
    office.join("balkan", POWERS)
    office.play("balkan", "", lambda label: label == "S1903M")
    france = office.orders("balkan", SeatId("FRANCE")).splitlines()
    first, second = (" ".join(order.split()[:2]) for order in france[:2])
    assert first == "A MAR"
    ahead = f"IF DISLODGED {first} R GAS, PIE, DISBAND\nPHASE F1903M\n{second} H\nIF DISLODGED "
    ahead += f"{second} R TYS\nPHASE W1903A\nF MAR B\nA PAR B"
    say("france@example.test", "\n".join(france[:2]) + f"\n{ahead}\nWAIT", "balkan")
    say("germany@example.test", "DRAW\nREADY", "balkan")
    say("england@example.test", "CONCEDE TO GERMANY\n" + france[0], "balkan")
    say(
        "turkey@example.test",
        "PRESS TO RUSSIA, FRANCE\nLet us meet in Galicia.\nENDPRESS",
        "balkan",
    )
    say("italy@example.test", "GREY BROADCAST\nNobody trusts anybody.\nENDBROADCAST", "balkan")

    # One in retreats, one in adjustments, one that somebody has left.
    office.create("sarajevo", SLOW)
    office.join("sarajevo", POWERS, "s.")
    office.play("sarajevo", "s.", lambda label: label.endswith("R") and label > "F1901")
    office.create("winter", SLOW + "grace: 0")
    office.join("winter", POWERS, "w.")
    office.play("winter", "w.", lambda label: label == "W1902A")
    builder = office.awaited("winter")[0]
    office.post(
        address_of(builder, "w."),
        office.orders("winter", builder),
        office.last(address_of(builder, "w."), "winter"),
    )
    office.deliver()

    office.create("suez", SLOW + "variant: colonial\nland bridges: moulmein")
    office.join("suez", COLONIAL, "c.")
    office.play("suez", "c.", lambda label: label == "1874M")
    say("c.russia@example.test", "A MOS - TSR - IRK", "suez")
    say("c.japan@example.test", "DRAW", "suez")

    office.create("duel", SLOW + "variant: germany_italy")
    office.join("duel", ("GERMANY", "ITALY"), "d.")
    office.play("duel", "d.", lambda label: label == "F1902M")

    office.create("four", SLOW + "players: 4\nvictory: 12")
    office.join("four", FOUR, "f.")
    office.play("four", "f.", lambda label: label == "F1901M")
    say("f.italy_russia@example.test", "A SEV H\nPHASE W1901A\nA WAR B\nF SEV B", "four")

    # Over by agreement; with no press.
    office.create("done", SLOW + "press: none")
    office.join("done", POWERS, "o.")
    office.play("done", "o.", lambda label: label == "F1901M")
    for power in POWERS:
        say(address_of(power, "o."), "DRAW", "done")
    assert office.game("done").status is Status.FINISHED

    # Forming, with applicants; a draft with faults; one that a fault of ours has halted.
    office.create("forming", SLOW)
    for power in POWERS[:3]:
        say(address_of(power, ""), f"JOIN forming {power}")
        office.post(address_of(power, ""), "yes", office.last(address_of(power, "")))
        office.deliver()
    assert len(office.game("forming").applicants) == 3
    say("new@example.test", "JOIN forming")  # asked back, and not answered yet
    office.create("sketch", "variant: atlantis\nmovement: soon\nlast year: 1910")
    office.create("halted", SLOW)
    office.join("halted", POWERS, "h.")
    office.play("halted", "h.", lambda label: label == "F1901M")

    # The last: in grace, one power without orders; a seat vacant.
    office.create(
        "grace", "movement: 2d\nretreat: 30m\nadjustment: 30m\ngrace: 3d\nall in delay: 0s"
    )
    office.join("grace", POWERS, "g.")
    office.play("grace", "g.", lambda label: label == "F1901M")
    for power in POWERS[:-1]:
        say(address_of(power, "g."), office.orders("grace", SeatId(power)), "grace")
    say("g.austria@example.test", "RESIGN", "grace")
    say("g.austria@example.test", "YES", "grace")
    office.tick(2 * 24 * 3600)
    timing = office.game("grace").timing
    assert timing is not None
    assert timing.grace_until is not None
    assert timing.late == ("TURKEY",), timing.late

    # Letters that are not answered: an automatic reply, one of a stranger too many.
    office.post("g.italy@example.test", "I am away.", Auto_Submitted="auto-replied")
    for _ in range(5):
        say("spam@example.test", "Buy now")

    # Letters on their way: tried once, stuck, being sent, rendered, unrendered.
    def queue(sender: str, body: str, game: str) -> None:
        office.post(sender, body, office.last(sender, game))

    queue("f.england@example.test", "STATUS", "four")
    queue("f.germany_turkey@example.test", "STATUS", "four")
    queue("d.italy@example.test", "STATUS\nHELP", "duel")
    while office.work.render_some():
        pass
    for number, row in enumerate(office.work.claim_to_send()):
        if number == 0:
            office.work.sending_failed(row.token, 0, "451 try again")
        elif number == 1:
            office.work.sending_was_refused(row.token, "550 no such mailbox")
    queue("w.russia@example.test", "LIST", "winter")
    queue("w.england@example.test", "STATUS", "winter")
    while office.work.render_some():
        pass
    halted = RuntimeError("a bug of release 0.1")
    with office.database.transaction() as store:
        store.halt_game("halted", repr(halted))
        office.work._tell_keepers(
            store, "halted halted", "game_halted", game="halted", error=repr(halted)
        )
    strange = office.fetched("s.italy@example.test", "A VEN H", office.last("s.italy@example.test"))
    office.work._shunt(
        LetterIn(
            uid_validity=UID_VALIDITY,
            uid=strange.uid,
            sha256="5" * 64,
            message_id=f"{strange.uid}@example.test",
            sender="s.italy@example.test",
            received_at=strange.received_at,
            raw=strange.raw,
            taken_at=office.clock.now(),
        ),
        halted,
    )
    for power in POWERS:  # unrendered: answers with orders, in four languages, and their press
        seat = SeatId(power)
        queue(
            f"s.{power.lower()}@example.test",
            f"{office.orders('sarajevo', seat)}\nA XYZ H",
            "sarajevo",
        )
    for power in FOUR:  # and results
        queue(address_of(power, "f."), f"{office.orders('four', SeatId(power))}\nREADY", "four")
    office.work.inbox_was_read(UID_VALIDITY, office.uid, office.clock.now())
    office.clock.instant += timedelta(seconds=2)
    office.work.inbox_was_read(UID_VALIDITY, office.uid, office.clock.now())
    office.work.clock_tick(None)
    assert office.label("four") != "F1901M"
    queue(
        "austria@example.test", "SET LANGUAGE ja\nSTATUS\nPRESS TO ALL\n今夜。\nENDPRESS", "balkan"
    )
    queue("c.britain@example.test", "HELP\nLIST suez", "suez")
    office.work.inbox_was_read(UID_VALIDITY, office.uid, office.clock.now())
    office.work.heartbeat()
    office.database.close()


def pack(path: Path, out: Path) -> None:
    """The whole database in one file, compressed."""
    with sqlite3.connect(path) as database:
        database.execute("VACUUM INTO ?", [str(path.with_suffix(".packed"))])
    out.write_bytes(lzma.compress(path.with_suffix(".packed").read_bytes(), preset=9))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "judge.sqlite3"
        make(made)
        pack(made, Path(sys.argv[1]))
