"""A database of release 0.1 with games in every stage is opened, and all of them go on.

`make_release_0_1.py` made it and says what is in it. The games: `balkan` (S1903M), `sarajevo` (in
retreats), `winter` (in adjustments), `suez` (Colonial), `duel` (Germany against Italy), `four` (for
four players), `grace` (in grace, one seat vacant), `done` (finished), `forming`, `sketch` (a draft
with faults) and `halted`.
"""

import asyncio
import email
import email.policy
import lzma
import sqlite3
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.store import Database, GameRecord, Master, OutboxState, PlayerId, Status
from tests.test_daemon import Bench, judge, until

PACKED = Path(__file__).with_name("release_0_1.sqlite3.xz")
STOPPED_AT = datetime(2026, 12, 3, 12, 7, 33, tzinfo=UTC)  # its last heartbeat
FRANCE = "france@example.test"
RUNNING = {
    "balkan": "S1903M",
    "sarajevo": "S1902R",
    "winter": "W1902A",
    "suez": "1874M",
    "duel": "F1902M",
    "four": "W1901A",
    "grace": "F1901M",
}
WAITING = 31  # letters that are queued, four of them rendered, or were just being sent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "judge.sqlite3").write_bytes(lzma.decompress(PACKED.read_bytes()))
    return tmp_path


def written_before(folder: Path, recipient: str, game: str) -> EmailMessage:
    """The newest letter that release 0.1 sent somebody about a game, read by that release's SQL."""
    sql = """
        SELECT raw FROM rendered JOIN letters_out ON letters_out.id = rendered.letter
        WHERE recipient = ? AND game = ? ORDER BY id DESC LIMIT 1
    """
    with sqlite3.connect(folder / "judge.sqlite3") as database:
        (raw,) = database.execute(sql, [recipient, game]).fetchone()
    letter = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(letter, EmailMessage)
    return letter


def test_the_master_of_each_game_stays_its_master(folder: Path) -> None:
    path = folder / "judge.sqlite3"
    with sqlite3.connect(path) as database:
        before = database.execute("SELECT name, master, master_hash FROM games").fetchall()
    with Database(path).transaction() as tx:
        after = {name: game.masters for name, _, _ in before if (game := tx.games.get(name))}
    assert after == {name: (Master(PlayerId(one), hashed),) for name, one, hashed in before}


class Reopened:
    """The judge of today on that database."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        bench.count = 10_000  # no Message-ID of a letter that is in it

    async def reply(self, letter: EmailMessage, body: str) -> str:
        """The text of the answer to a reply."""
        raw = self.bench.compose(str(letter["To"]), body, reply=False)
        reply = email.message_from_bytes(raw, policy=email.policy.default)
        reply.replace_header("To", str(letter["Reply-To"]))
        self.bench.inbox.deliver(reply.as_bytes(), self.bench.clock.now())
        return await self._answer(str(letter["To"]))

    async def write(self, sender: str, body: str) -> str:
        return self.bench.text(await self.bench.say(sender, body, reply=False))

    async def _answer(self, sender: str) -> str:
        wanted = f"<{self.bench.count}@example.test>"

        def found() -> list[EmailMessage]:
            letters = self.bench.letters(sender)
            return [one for one in letters if one["In-Reply-To"] == wanted]

        await until(lambda: bool(found()))
        return self.bench.text(found()[0])

    def games(self) -> dict[str, GameRecord]:
        with self.bench.database.transaction() as tx:
            names = tx.games.names(limit=99)
            return {game.name: game for game in map(tx.games.get, names) if game}

    def labels(self) -> dict[str, str]:
        return {
            name: game.phase.label
            for name, game in self.games().items()
            if game.phase is not None and game.status is Status.ACTIVE and not game.halted
        }

    async def run_next_deadline(self) -> None:
        """The clock jumps to the next instant at which a game is due, and what is due is done."""

        def due_at() -> datetime | None:
            with self.bench.database.transaction() as tx:
                return tx.games.next_due_at()

        due = due_at()
        assert due is not None
        self.bench.clock.instant = max(due, self.bench.clock.instant) + timedelta(seconds=2)
        await until(lambda: (now := due_at()) is None or now > self.bench.clock.instant)

    async def until_all_is_sent(self) -> None:
        def waiting() -> bool:
            with self.bench.database.transaction() as tx:
                return bool(tx.outbox.unrendered(1)) or tx.outbox.next_try_at() is not None

        self.bench.clock.instant += timedelta(hours=1)  # what was tried once is tried again
        await until(lambda: not waiting())
        # Letters are sent in the order in which they were written: this one is the last.
        await self.write("stranger@example.test", "HELP")

    def troubles(self) -> tuple[list[str], list[str], int]:
        """Stuck letters' addresses, halted games, and how many letters were shunted."""
        with self.bench.database.transaction() as tx:
            stuck = [row.recipient for row in tx.outbox.stuck()]
            assert all(row.state is OutboxState.STUCK for row in tx.outbox.stuck())
            return stuck, [name for name, _ in tx.games.halted()], len(tx.letters.shunted())


def test_all_letters_that_waited_are_rendered_and_sent_once(folder: Path) -> None:
    async def go() -> None:
        async with judge(folder, STOPPED_AT) as bench:
            at = Reopened(bench)
            await at.until_all_is_sent()
            # One more is the answer to the letter that release 0.1 had shunted: it is taken again.
            assert len(bench.delivery.sent) == WAITING + 2
            assert len(bench.letters("s.italy@example.test")) == 2
            subjects = {str(one["Subject"]) for one in bench.letters("s.france@example.test")}
            assert [subject.startswith("[Judge] sarajevo S1902R") for subject in subjects] == [True]
            (results,) = [
                bench.text(one)
                for one in bench.letters("f.italy_russia@example.test")
                if one["X-Judge-Phase"] == "W1901A"
            ]
            assert "1901年冬" in results
            assert at.troubles() == (["f.germany_turkey@example.test"], ["halted"], 0)

    asyncio.run(go())


def test_a_reply_to_a_letter_of_that_release_stores_orders(folder: Path) -> None:
    letter = written_before(folder, FRANCE, "balkan")

    async def go() -> None:
        async with judge(folder, STOPPED_AT) as bench:
            at = Reopened(bench)
            answer = await at.reply(letter, "SET LANGUAGE en\nF LYO H\nSTATUS")
            # One order is new, one stood in the database, and so did those for later phases.
            for order in ("F LYO H", "A MAR - SPA", "F MAR B", "A PAR B"):
                assert order in answer, order
            assert "IF DISLODGED A MAR R GAS, PIE, DISBAND" in answer
            assert "F LYO - TUS" not in answer
            assert "YES" not in answer

    asyncio.run(go())


def test_orders_flags_and_votes_are_those_that_were_stored(folder: Path) -> None:
    async def go() -> None:
        async with judge(folder, STOPPED_AT) as bench:
            games = Reopened(bench).games()
            balkan = games["balkan"]
            seats = {str(seat.id): seat for seat in balkan.seats}
            assert (seats["FRANCE"].wait, seats["GERMANY"].ready) == (True, True)
            votes = {(one.kind, one.seats): dict(one.votes) for one in balkan.proposals}
            assert votes == {
                ("draw", ()): {"GERMANY": True},
                ("concession", ("GERMANY",)): {"ENGLAND": True},
            }
            assert (balkan.settings.rules, balkan.settings.choices) == (
                "2023",
                (("4.A.2", "all_hold"),),
            )
            assert games["grace"].timing is not None
            assert games["grace"].timing.late == ("TURKEY",)
            assert [str(seat.id) for seat in games["grace"].seats if seat.player is None] == [
                "AUSTRIA"
            ]
            assert len(games["forming"].applicants) == 3
            assert games["sketch"].faults == (("variant", "atlantis"), ("movement", "soon"))
            assert games["done"].status is Status.FINISHED
            assert len(games["done"].winners) == 7

    asyncio.run(go())


def test_list_and_status_show_every_public_game(folder: Path) -> None:
    async def go() -> None:
        async with judge(folder, STOPPED_AT) as bench:
            at = Reopened(bench)
            listed = await at.write("stranger@example.test", "LIST")
            for name in ("forming", "grace"):  # those that have a place to take
                assert name in listed
            assert "sketch" not in listed
            for name in (*RUNNING, "halted", "done"):
                shown = await at.write("stranger@example.test", f"LIST {name}")
                assert f"game {name}" in shown, shown
            letter = written_before(folder, "w.england@example.test", "winter")
            status = await at.reply(letter, "SET LANGUAGE en\nSTATUS")
            assert "Winter 1902" in status, status

    asyncio.run(go())


def test_every_running_game_goes_on_at_its_deadline(folder: Path) -> None:
    async def go() -> None:
        async with judge(folder, STOPPED_AT) as bench:
            at = Reopened(bench)
            before = at.labels()
            assert before == RUNNING
            while any(at.labels().get(name) == label for name, label in before.items()):
                await at.run_next_deadline()
            await at.until_all_is_sent()
            assert at.troubles() == (["f.germany_turkey@example.test"], ["halted"], 0)
            told = {one["X-Judge-Game"] for one in bench.letters("gm@example.test")}
            assert told >= set(RUNNING)
            # The phase is named in each player's language.
            germany = bench.letters("germany@example.test")
            assert any("1903年春" in bench.text(one) for one in germany)

    asyncio.run(go())


def test_votes_that_waited_to_be_told_are_told(folder: Path) -> None:
    written = "blocks LIKE '%\"DrawVoted\"%' OR blocks LIKE '%\"Conceded\"%'"
    with sqlite3.connect(folder / "judge.sqlite3") as database:
        changed = f"letter IN (SELECT id FROM letters_out WHERE {written})"
        last = "next_try_at = (SELECT max(next_try_at) FROM outbox)"
        sql = f"UPDATE outbox SET state = 'queued', is_rendered = 0, {last} WHERE {changed}"
        votes = database.execute(sql).rowcount
        # One that was taken back.
        database.execute(
            'UPDATE letters_out SET blocks = replace(blocks, \'"to":"GERMANY"\', \'"to":null\')'
        )
        database.execute(f"DELETE FROM rendered WHERE {changed}")

    async def go() -> None:
        async with judge(folder, STOPPED_AT) as bench:
            at = Reopened(bench)
            await at.until_all_is_sent()
            assert at.troubles() == (["f.germany_turkey@example.test"], ["halted"], 0)
            assert len(bench.delivery.sent) == WAITING + 2 + votes
            told = [bench.text(one) for one in bench.letters("c.japan@example.test")]
            assert any("You vote yes: a draw" in text for text in told), told

    asyncio.run(go())
