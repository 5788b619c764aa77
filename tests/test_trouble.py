"""Trouble that passes: with the database, with the way out, with the mailbox."""

import asyncio
import errno
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge import daemon
from judge.cli import main
from judge.config import load_settings
from judge.data_folder import sole_daemon
from judge.errors import StoreUnavailable
from judge.host.commands import COMMAND_PARSER
from judge.hosting import Hosting
from judge.intake import Intake
from judge.mail import Deferred, Fetched, Rejected, ServerRefuses, guarded_reader, reading
from judge.store import Database, Transaction
from judge.store.games import Games
from judge.store.letters import Letters
from judge.store.outbox import Outbox
from tests.mail.memory import MemoryDelivery, MemoryInbox
from tests.test_daemon import JUDGE, KEEPER, MASTER, OPENINGS, Bench, address_of, judge, until

ANN = "ann@example.test"


@contextmanager
def failing(
    monkeypatch: pytest.MonkeyPatch, table: type, method: str, times: int
) -> Iterator[list[int]]:
    """The method fails that often as a full disk does; yields how often it has still to fail."""
    left = [times]
    healthy = getattr(table, method)

    def fails(self: object, *arguments: object, **named: object) -> object:
        if left[0]:
            left[0] -= 1
            raise StoreUnavailable("database or disk is full")
        return healthy(self, *arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr(table, method, fails)
        yield left


def test_a_full_disk_shunts_no_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            with failing(monkeypatch, Letters, "set_state", 3) as left:
                answer = await bench.say(ANN, "HELP", reply=False)
            assert left == [0]
            assert answer
            assert len(bench.letters(ANN)) == 1
            assert bench.letters(KEEPER) == []
            with bench.database.read() as tx:
                assert tx.letters.shunted() == ()

    asyncio.run(go())


def test_a_full_disk_halts_no_game_and_the_phase_runs_once_it_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game("grace: 0\nall in delay: 0s")
            await bench.order_openings()
            with (
                failing(monkeypatch, Transaction, "save", 1) as saves,
                failing(monkeypatch, Games, "release_claims", 1) as releases,
            ):
                bench.clock.instant += timedelta(minutes=1)
                await until(lambda: bench.label() == "F1901M")
                assert saves == releases == [0]
            with bench.database.read() as tx:
                assert tx.games.halted() == ()
                assert len(tx.phases.of("balkan")) == 1

    asyncio.run(go())


@pytest.mark.parametrize("code", [errno.EMFILE, errno.ENOSPC, errno.EAGAIN])
@pytest.mark.parametrize(
    "step",
    ["judge.intake.take_letter", "judge.due_games.look_at_game", "judge.render.render_letter"],
)
def test_what_the_system_refuses_for_a_moment_is_no_fault_of_a_letter_or_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int
) -> None:
    module, _, name = step.rpartition(".")
    healthy = getattr(sys.modules[module], name)
    left = [3]

    def fails(*arguments: object, **named: object) -> object:
        if left[0]:
            left[0] -= 1
            raise OSError(code, os.strerror(code), "words.toml")
        return healthy(*arguments, **named)

    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game("grace: 0\nall in delay: 0s")
            with monkeypatch.context() as patched:
                patched.setattr(step, fails)
                await bench.order_openings()
                bench.clock.instant += timedelta(minutes=1)
                await until(lambda: bench.has_phase("TURKEY", "F1901M"))
            assert left == [0]
            assert bench.letters(KEEPER) == []
            with bench.database.read() as tx:
                assert (tx.letters.shunted(), tx.outbox.stuck(), tx.games.halted()) == ((), (), ())

    asyncio.run(go())


def test_a_letter_that_was_sent_and_could_not_be_marked_is_sent_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            with failing(monkeypatch, Outbox, "mark_sent", 2) as left:
                for number in range(5):
                    raw = bench.compose(f"ann{number}@example.test", "HELP", reply=False)
                    bench.inbox.deliver(raw, bench.clock.now())
                await until(lambda: len(bench.delivery.sent) >= 5)
                assert left == [0]
            await bench.say("last@example.test", "LIST", reply=False)
            sent = [one.recipient for one in bench.delivery.sent]
            assert sorted(sent) == sorted(set(sent))

    asyncio.run(go())


def test_a_server_that_is_away_for_days_makes_no_letter_stuck(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.delivery.failures = 60
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await until(lambda: time_passes(bench, hours=1) and bool(bench.letters(ANN)))
            assert len(bench.letters(ANN)) == 1
            with bench.database.read() as tx:
                assert tx.outbox.stuck() == ()
            await until(lambda: bool(bench.letters(KEEPER)))
            assert len(bench.letters(KEEPER)) == 1
            assert "takes no letters" in bench.text(bench.letters(KEEPER)[0])

    asyncio.run(go())


def time_passes(bench: Bench, **step: float) -> bool:
    bench.clock.instant += timedelta(**step)
    return True


def test_a_phase_that_is_due_waits_while_no_letter_goes_out(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game("grace: 0")
            bench.delivery.failures = 10_000
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await until(lambda: bench.delivery.failures < 10_000)
            await asyncio.sleep(0.05)
            timing = bench.game().timing
            assert timing is not None
            bench.clock.instant = timing.deadline_at + timedelta(hours=2)
            tried = bench.delivery.failures
            await until(
                lambda: time_passes(bench, minutes=1) and bench.delivery.failures < tried - 2
            )
            assert bench.label() == "S1901M"
            bench.delivery.failures = 0
            await until(lambda: time_passes(bench, minutes=1) and bool(bench.letters(ANN)))
            await asyncio.sleep(0.1)
            assert bench.label() == "S1901M", "nobody is missing who could not be written to"
            moved = bench.game().timing
            assert moved is not None
            assert moved.deadline_at > bench.clock.now()

    asyncio.run(go())


def test_a_restart_while_no_letter_goes_out_costs_nobody_the_phase(tmp_path: Path) -> None:
    fall = "F1901M"

    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game("grace: 0")
            await bench.order_openings()
            await until(lambda: time_passes(bench, minutes=1) and bench.has_phase("ITALY", fall))
            for power in OPENINGS.keys() - {"FRANCE"}:
                await bench.say(address_of(power), "READY")
            bench.clock.instant = deadline_of(bench) - timedelta(minutes=1)
            await asyncio.sleep(0.1)
            bench.delivery.failures = 10_000
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await until(lambda: bench.delivery.failures < 10_000)
            await asyncio.sleep(0.1)
            end = bench.clock.instant + timedelta(hours=1)
            await until(lambda: time_passes(bench, minutes=1) and bench.clock.now() > end)
            await asyncio.sleep(0.1)
            assert bench.label() == fall
            now = bench.clock.instant
        async with judge(tmp_path, now) as bench:  # the keeper has mended the settings
            await until(lambda: time_passes(bench, seconds=10) and bool(bench.letters(ANN)))
            await until(lambda: time_passes(bench, seconds=10) and is_moved(bench))
            assert bench.label() == fall, "nobody is missing who could not be written to"

    def is_moved(bench: Bench) -> bool:
        return bench.label() != fall or deadline_of(bench) > bench.clock.now()

    asyncio.run(go())


def test_an_address_at_fault_is_tried_again_hours_later_and_people_are_told_once(
    tmp_path: Path,
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game()
            gone = address_of("ITALY")
            bench.delivery.refusals[gone] = Rejected("550 5.1.1 no such mailbox")
            for _ in range(2):
                raw = bench.compose(gone, "HELP", reply=True)
                bench.inbox.deliver(raw, bench.clock.now())
            await bench.say(ANN, "HELP", reply=False)
            with bench.database.read() as tx:
                assert tx.outbox.stuck() == ()
            bench.clock.instant += timedelta(hours=5)
            await until(lambda: bool(bench.letters(KEEPER)))
            await bench.say(ANN, "LIST", reply=False)
            told = [one for one in bench.letters(MASTER) if "come back" in bench.text(one)]
            assert len(told) == 1
            assert gone in bench.text(told[0])
            assert len(bench.letters(KEEPER)) == 1
            with bench.database.read() as tx:
                assert {row.recipient for row in tx.outbox.stuck()} == {gone}

    asyncio.run(go())


def test_a_server_that_wants_a_login_makes_no_letter_stuck_and_keepers_hear(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.delivery.refusals[ANN] = ServerRefuses("550 5.7.0 authentication required")
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await until(lambda: bool(bench.letters(KEEPER)))
            del bench.delivery.refusals[ANN]
            await until(lambda: time_passes(bench, hours=1) and bool(bench.letters(ANN)))

    asyncio.run(go())


def test_phases_run_though_the_provider_of_two_players_refuses_our_letters(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path, JUDGE_CLOCK__AWAY_MINUTES="10080") as bench:
            await bench.start_game("grace: 0\nreminder: none")
            refusal = ServerRefuses("550 5.7.26 this mail is not authenticated")
            for power in ("FRANCE", "ITALY"):
                bench.delivery.refusals[address_of(power)] = refusal
                raw = bench.compose(address_of(power), OPENINGS[power], reply=True)
                bench.inbox.deliver(raw, bench.clock.now())
            for power in OPENINGS.keys() - {"FRANCE", "ITALY"}:
                await bench.say(address_of(power), f"{OPENINGS[power]}\nREADY")
            deadline = deadline_of(bench)
            while bench.clock.instant < deadline + timedelta(hours=2):  # nobody writes any more
                time_passes(bench, hours=1)
                await asyncio.sleep(0.01)
            await until(lambda: time_passes(bench, hours=1) and bench.label() == "F1901M")
            with bench.database.read() as tx:
                assert tx.outbox.stuck() == ()
            assert 1 <= len(bench.letters(KEEPER)) <= 2

    asyncio.run(go())


def test_keepers_hear_once_of_a_refusal_whose_words_change_and_again_next_month(
    tmp_path: Path,
) -> None:
    class Refusals(dict[str, Exception]):
        tries = 0

        def __getitem__(self, recipient: str) -> Exception:
            self.tries += 1
            return ServerRefuses(f"550 5.7.1 [AM{self.tries}EUR{self.tries}] Service unavailable")

    async def go() -> None:
        async with judge(tmp_path) as bench:
            refusals = Refusals.fromkeys([ANN], Exception())
            bench.delivery.refusals = refusals
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await until(lambda: time_passes(bench, hours=1) and refusals.tries > 10)
            await until(lambda: bool(bench.letters(KEEPER)))
            assert len(bench.letters(KEEPER)) == 1
            time_passes(bench, days=31)
            await until(lambda: time_passes(bench, hours=1) and len(bench.letters(KEEPER)) == 2)

    asyncio.run(go())


def test_a_letter_refused_alone_is_not_tried_again_with_each_of_the_others(tmp_path: Path) -> None:
    class Refusals(dict[str, Exception]):
        tries = 0

        def __getitem__(self, recipient: str) -> Exception:
            self.tries += 1
            return super().__getitem__(recipient)

    async def go() -> None:
        async with judge(tmp_path) as bench:
            refusals = Refusals({ANN: ServerRefuses("550 5.7.1 blocked")})
            bench.delivery.refusals = refusals
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await until(lambda: refusals.tries > 0)
            for _ in range(10):
                await bench.say("bob@example.test", "HELP", reply=False)
            assert refusals.tries <= 2
            del bench.delivery.refusals[ANN]
            await until(lambda: time_passes(bench, minutes=5) and bool(bench.letters(ANN)))

    asyncio.run(go())


def test_a_letter_that_was_deferred_is_not_overtaken_by_a_later_one(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.delivery.refusals[ANN] = Deferred("450 4.2.0 greylisted")

            def deferred() -> int:
                with bench.database.read() as tx:
                    sql = "SELECT count(*) FROM outbox WHERE last_error LIKE '450%' AND state = ?"
                    return int(tx.outbox.run(sql, ["queued"]).fetchone()[0])

            for number in (1, 2):
                raw = bench.compose(ANN, "HELP", reply=False)
                bench.inbox.deliver(raw, bench.clock.now())
                await until(lambda number=number: deferred() == number)  # type: ignore[misc]
            del bench.delivery.refusals[ANN]
            await bench.say(ANN, "LIST", reply=False)
            answered = [str(one["In-Reply-To"]) for one in bench.letters(ANN)]
            assert answered == ["<1@example.test>", "<2@example.test>", "<3@example.test>"]

    asyncio.run(go())


def test_a_letter_that_waits_and_names_who_is_forgotten_is_sent_without_the_name(
    tmp_path: Path,
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game()
            italy, france = address_of("ITALY"), address_of("FRANCE")
            await bench.say(france, "SET NAME Zorglub")
            bench.delivery.refusals[italy] = Deferred("450 4.2.0 greylisted")
            bench.inbox.deliver(bench.compose(italy, "WHO", reply=True), bench.clock.now())
            wanted = f"<{bench.count}@example.test>"
            await bench.say(france, "FORGET ME")
            await bench.say(france, "yes")
            del bench.delivery.refusals[italy]
            await bench.say(ANN, "HELP", reply=False)

            def answers() -> list[EmailMessage]:
                return [one for one in bench.letters(italy) if one["In-Reply-To"] == wanted]

            await until(lambda: time_passes(bench, minutes=1) and bool(answers()))
            assert "Zorglub" not in bench.text(answers()[0])

    asyncio.run(go())


def test_a_stop_does_not_wait_for_a_slow_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert daemon.STOP_SECONDS < 10
    monkeypatch.setattr(daemon, "STOP_SECONDS", 0.1)

    async def go() -> None:
        loop = asyncio.get_running_loop()
        begun = asyncio.Event()

        async def slow(raw: bytes, sender: str, recipient: str) -> None:
            begun.set()
            await asyncio.sleep(100)

        async with judge(tmp_path) as bench:
            monkeypatch.setattr(MemoryDelivery, "send", lambda _, *letter: slow(*letter))
            for number in range(3):
                raw = bench.compose(f"ann{number}@example.test", "HELP", reply=False)
                bench.inbox.deliver(raw, bench.clock.now())
            await begun.wait()
            stopped_at = loop.time()
        assert loop.time() - stopped_at < 10

    asyncio.run(go())
    database = Database(tmp_path / "judge.sqlite3")
    with database.read() as tx:
        states = tx.outbox.run("SELECT DISTINCT state FROM outbox").fetchall()
    database.close()
    assert list(map(tuple, states)) == [("queued",)]


@pytest.mark.parametrize(("idle", "poll", "longest"), [("10", "60", 10), ("300", "20", 20)])
def test_the_mailbox_is_asked_after_the_shorter_of_idle_and_poll(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle: str, poll: str, longest: int
) -> None:
    waits: list[float] = []
    whole = MemoryInbox.wait

    async def wait(inbox: MemoryInbox, seconds: float, wake: asyncio.Event) -> None:
        waits.append(seconds)
        await whole(inbox, seconds, wake)

    monkeypatch.setattr(MemoryInbox, "wait", wait)

    async def go() -> None:
        clock = {"JUDGE_CLOCK__IDLE_SECONDS": idle, "JUDGE_CLOCK__POLL_SECONDS": poll}
        async with judge(tmp_path, **clock) as bench:
            await bench.say(ANN, "HELP", reply=False)
            await until(lambda: bool(waits))

    asyncio.run(go())
    assert set(waits) == {longest}


def test_a_letter_that_a_fetch_leaves_out_is_asked_for_again(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            uid = bench.inbox._uid_next
            bench.inbox.omitted.add(uid)
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await bench.say("bob@example.test", "HELP", reply=False)
            assert bench.letters(ANN) == []
            bench.inbox.omitted.clear()
            await until(lambda: bool(bench.letters(ANN)))
            await bench.say("bob@example.test", "LIST", reply=False)
            assert len(bench.letters(ANN)) == 1

    asyncio.run(go())


def test_a_letter_that_breaks_every_fetch_costs_no_other_and_is_set_aside(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.inbox.poisoned.add(bench.inbox._uid_next)
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await bench.say("bob@example.test", "HELP", reply=False)
            assert bench.letters(KEEPER) == []

            def is_set_aside() -> bool:
                with bench.database.read() as tx:
                    return time_passes(bench, minutes=1) and len(tx.letters.shunted()) == 1

            await until(is_set_aside)
            told = "cannot be fetched"
            await until(lambda: any(told in bench.text(one) for one in bench.letters(KEEPER)))
            await bench.say("bob@example.test", "LIST", reply=False)
            assert len([one for one in bench.letters(KEEPER) if told in bench.text(one)]) == 1

    asyncio.run(go())


def test_phases_run_where_letters_cannot_be_filed_away(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.inbox.may_archive = False
            await bench.start_game("grace: 0\nall in delay: 0s")
            await bench.order_openings()
            bench.clock.instant += timedelta(minutes=1)
            await until(lambda: bench.label() == "F1901M")
            assert bench.inbox.processed == []
            assert len({one.raw for one in bench.delivery.sent}) == len(bench.delivery.sent)

    asyncio.run(go())


def test_a_second_judge_on_the_same_data_exits_with_2_and_names_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUDGE_JUDGE__DATA", str(tmp_path))
    monkeypatch.setenv("JUDGE_JUDGE__ADDRESS", "judge@judge.test")
    for server in ("IMAP", "SMTP"):
        monkeypatch.setenv(f"JUDGE_{server}__HOST", "127.0.0.1")
        monkeypatch.setenv(f"JUDGE_{server}__USER", "judge")
        monkeypatch.setenv(f"JUDGE_{server}__PASSWORD", "secret")
    with sole_daemon(tmp_path):
        assert main(["serve"]) == 2
        assert f"process {os.getpid()} on " in capsys.readouterr().err


def test_the_lock_of_a_killed_judge_is_free(tmp_path: Path) -> None:
    held = (
        "import sys, pathlib; from judge.data_folder import sole_daemon\n"
        "with sole_daemon(pathlib.Path(sys.argv[1])): print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", held, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        with pytest.raises(Exception, match=f"process {child.pid}"), sole_daemon(tmp_path):
            pass
        child.kill()
        child.wait()
        with sole_daemon(tmp_path):
            pass


def test_a_reply_with_a_token_is_read_however_many_letters_were_forged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game()
            france = address_of("FRANCE")
            monkeypatch.setattr(Letters, "count_unproven_between", lambda *_: 10_000)
            for _ in range(2):
                forged = bench.compose(france, "A PAR H", reply=False)
                bench.inbox.deliver(forged, bench.clock.now())
            answer = await bench.say(france, OPENINGS["FRANCE"])
            assert "A PAR - BUR" in bench.text(answer)
            told = "more letters than the limit"
            await until(lambda: any(told in bench.text(one) for one in bench.letters(KEEPER)))
            assert len(bench.letters(KEEPER)) == 1

    asyncio.run(go())


@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("SIGNON Fbalkan guess{n}", 3),
        ("CREATE game{n}x", 30),
        ("HELP {n}", 10),
        ("PRESS TO FRANCE\nhello {n}\nENDPRESS", 5),
    ],
)
def test_one_letter_carries_out_so_many_commands(tmp_path: Path, line: str, most: int) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game()
            before = len(bench.letters(address_of("FRANCE")))
            body = "\n".join(line.format(n=number) for number in range(most + 20))
            answer = await bench.say(address_of("ITALY"), body)
            assert "more commands than one letter may" in bench.text(answer)
            pressed = before + most * ("PRESS" in line) + ("SIGNON" in line)  # a warning
            await until(lambda: len(bench.letters(address_of("FRANCE"))) >= pressed)
            assert len(bench.letters(address_of("FRANCE"))) == pressed
            with bench.database.read() as tx:
                assert tx.games.get(f"game{most}x") is None

    asyncio.run(go())


def test_a_list_that_is_asked_for_often_is_shown_once(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            once = bench.text(await bench.say(ANN, "HELP", reply=False))
            often = bench.text(await bench.say("bob@example.test", "HELP\n" * 500, reply=False))
            assert len(often) == len(once)

    asyncio.run(go())


@pytest.mark.timeout(60)  # quadratic patterns took five minutes for each of these
def test_fields_with_many_blanks_are_read_in_linear_time() -> None:
    for blank in (" ", "\t"):
        COMMAND_PARSER.read("CREATE balkan\nname: a" + blank * 120_000 + "b")
        COMMAND_PARSER.read("REGISTER\nname a" + blank * 120_000 + "b")


def test_a_letter_that_a_search_leaves_out_is_read(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.inbox.hidden = {1}
            for number in (1, 2):
                raw = bench.compose(f"ann{number}@example.test", "HELP", reply=False)
                bench.inbox.deliver(raw, bench.clock.now())
            await until(lambda: bool(bench.letters("ann1@example.test")))
            await until(lambda: bool(bench.letters("ann2@example.test")))

    asyncio.run(go())


def test_a_letter_that_is_nowhere_for_a_while_is_read_when_it_shows(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.inbox.hidden = bench.inbox.omitted = {1}
            raw = bench.compose("ann1@example.test", "HELP", reply=False)
            bench.inbox.deliver(raw, bench.clock.now())
            for number in (2, 3):
                await bench.say(f"ann{number}@example.test", "HELP", reply=False)
            time_passes(bench, minutes=5)
            bench.inbox.hidden = bench.inbox.omitted = set()
            await until(lambda: bool(bench.letters("ann1@example.test")))
            # A UID that stays away is of a letter that somebody deleted: the judge goes on.
            bench.inbox.hidden = bench.inbox.omitted = {4}
            raw = bench.compose("ann4@example.test", "HELP", reply=False)
            bench.inbox.deliver(raw, bench.clock.now())
            await bench.say("ann5@example.test", "HELP", reply=False)
            time_passes(bench, minutes=11)
            await bench.say("ann6@example.test", "HELP", reply=False)
            await until(lambda: checkpoint(bench) == 6)

    asyncio.run(go())


def test_a_server_that_answers_with_another_letter_than_the_one_left_out_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            gone = bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            bench.inbox.letters[gone + 1] = bench.inbox.letters.pop(gone)
            bench.inbox._uid_next += 1
            whole = bench.inbox.fetch
            other = bench.inbox.letters[gone + 1]

            async def fetch(uids: Sequence[int]) -> tuple[Fetched, ...]:
                return (*await whole(uids), other, other)

            monkeypatch.setattr(MemoryInbox, "fetch", lambda _, uids: fetch(uids))
            await until(lambda: bool(bench.letters(ANN)))
            await bench.say("bob@example.test", "HELP", reply=False)
            assert len(bench.letters(ANN)) == 1

    asyncio.run(go())


def test_a_mailbox_that_was_restored_from_a_copy_is_read_from_its_start(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            for number in range(5):
                await bench.say(f"ann{number}@example.test", "HELP", reply=False)
            came = bench.inbox.processed[1]
            bench.inbox.letters, bench.inbox._uid_next = {came.uid: came}, came.uid + 1
            answered = len(bench.delivery.sent)
            await bench.say("bob@example.test", "HELP", reply=False)
            await bench.say("cleo@example.test", "LIST", reply=False)
            assert len(bench.delivery.sent) == answered + 2, "what was seen is not answered again"
            with bench.database.read() as tx:
                checkpoint = tx.mailbox.checkpoint()
            assert checkpoint is not None
            assert checkpoint.last_uid < 6

    asyncio.run(go())


def test_a_mailbox_that_was_restored_empty_is_noted_though_no_letter_comes(tmp_path: Path) -> None:
    """After a stop during which more letters came than were seen before, the first were lost."""

    async def go() -> None:
        async with judge(tmp_path) as bench:
            for number in range(2):
                await bench.say(f"ann{number}@example.test", "HELP", reply=False)
            await until(lambda: checkpoint(bench) == 2)
            bench.inbox._uid_next = 1
            await until(lambda: checkpoint(bench) == 0)

    asyncio.run(go())


def test_a_mailbox_restored_while_nobody_looked_costs_no_letter(tmp_path: Path) -> None:
    """It has given its next letters the UIDs of those that were seen."""

    async def go() -> None:
        async with judge(tmp_path) as bench:
            for number in range(3):
                await bench.say(f"ann{number}@example.test", "HELP", reply=False)
            await until(lambda: checkpoint(bench) == 3)
            bench.inbox.is_reachable, bench.inbox._uid_next = False, 1
            later = [f"bob{number}@example.test" for number in range(4)]
            for address in later:
                raw = bench.compose(address, "HELP", reply=False)
                bench.inbox.deliver(raw, bench.clock.now())
            await asyncio.sleep(0.05)
            bench.inbox.is_reachable = True
            await until(lambda: bool(bench.letters(later[-1])))
            await until(lambda: checkpoint(bench) == 4)
            await bench.say("cleo@example.test", "HELP", reply=False)
            assert all(len(bench.letters(address)) == 1 for address in later)

    asyncio.run(go())


def test_the_mark_passes_a_letter_that_is_gone_though_no_other_comes(tmp_path: Path) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            bench.inbox.hidden = bench.inbox.omitted = {1}
            bench.inbox.deliver(bench.compose(ANN, "HELP", reply=False), bench.clock.now())
            await bench.say("bob@example.test", "HELP", reply=False)
            await until(lambda: checkpoint(bench) == 0)
            time_passes(bench, minutes=11)
            await until(lambda: checkpoint(bench) == 2)

    asyncio.run(go())


def checkpoint(bench: Bench) -> int:
    with bench.database.read() as tx:
        reached = tx.mailbox.checkpoint()
    assert reached is not None
    return reached.last_uid


def test_deadlines_that_a_suspended_machine_slept_over_move(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game("grace: 0\nall in delay: 0s")
            await bench.order_openings()
            time_passes(bench, minutes=1)
            await until(lambda: bench.label() == "F1901M")
            deadline = deadline_of(bench)
            bench.clock.instant += timedelta(days=5)
            await until(lambda: deadline_of(bench) != deadline)
            assert deadline_of(bench) > bench.clock.now()
            assert bench.label() == "F1901M", "nobody is missing while the judge sleeps"
            await bench.say(address_of("FRANCE"), "A SPA H")
            assert bench.label() == "F1901M"
            assert "judge was away" in caplog.text

    asyncio.run(go())


def test_a_judge_whose_clock_is_fast_waits_for_the_mail_servers_deadline(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fast = timedelta(minutes=5)

    async def go() -> None:
        async with judge(tmp_path, JUDGE_CLOCK__AWAY_MINUTES="10080") as bench:
            bench.fast = fast
            await bench.start_game("grace: 0\nall in delay: 0s")
            assert "clock is ahead of the mail server's seconds=300" in caplog.text
            told = "clock of this machine is ahead"
            await until(lambda: any(told in bench.text(one) for one in bench.letters(KEEPER)))
            await bench.order_openings()
            time_passes(bench, minutes=6)
            await until(lambda: bench.label() == "F1901M")
            await until(lambda: bench.has_phase("AUSTRIA", "F1901M"))
            deadline = deadline_of(bench)
            bench.clock.instant = deadline + fast / 2
            answer = await bench.say(address_of("AUSTRIA"), "A SER H\nA VIE H\nF ALB H")
            assert "too late" not in bench.text(answer)
            await bench.say(address_of("ENGLAND"), "STATUS")  # by then the first reading is over
            assert bench.label() == "F1901M"
            bench.clock.instant = deadline + fast + timedelta(seconds=3)
            await until(lambda: bench.label() != "F1901M")
            assert len([one for one in bench.letters(KEEPER) if told in bench.text(one)]) == 1

    asyncio.run(go())


@pytest.mark.parametrize("days", [8000, 2, -2, -3650])
def test_deadlines_go_by_our_clock_where_the_mail_servers_is_days_off(
    tmp_path: Path, days: int
) -> None:
    async def go() -> None:
        async with judge(tmp_path, JUDGE_CLOCK__AWAY_MINUTES="10080") as bench:
            bench.fast = timedelta(days=days)
            await bench.start_game("grace: 0\nall in delay: 4h")
            side = "is ahead of" if days > 0 else "is behind"
            await until(lambda: any(side in bench.text(one) for one in bench.letters(KEEPER)))
            bench.clock.instant = deadline_of(bench) - timedelta(minutes=1)
            for power, orders in OPENINGS.items():
                answer = await bench.say(address_of(power), orders)
                assert "too late" not in bench.text(answer)
            assert bench.label() == "S1901M"
            bench.clock.instant += timedelta(minutes=2)
            await until(lambda: bench.label() == "F1901M")

    asyncio.run(go())


def test_keepers_hear_once_of_letters_from_the_future_and_of_a_clock_that_was_set_back(
    tmp_path: Path,
) -> None:
    def told(bench: Bench) -> int:
        letters = map(bench.text, bench.letters(KEEPER))
        return sum("is behind, or was set back" in text for text in letters)

    async def slow() -> None:
        async with judge(tmp_path) as bench:
            bench.fast = timedelta(minutes=-5)
            for number in range(4):
                await bench.say(f"ann{number}@example.test", "HELP", reply=False)
            await until(lambda: told(bench) == 1)

    async def set_back() -> None:
        async with judge(tmp_path / "other") as bench:
            time_passes(bench, minutes=1)
            await bench.say(ANN, "HELP", reply=False)
            time_passes(bench, minutes=-10)
            await until(lambda: told(bench) == 1)
            time_passes(bench, minutes=-10)
            await bench.say(ANN, "LIST", reply=False)
            assert told(bench) == 1

    (tmp_path / "other").mkdir()
    asyncio.run(slow())
    asyncio.run(set_back())


def deadline_of(bench: Bench) -> datetime:
    timing = bench.game().timing
    assert timing is not None
    return timing.deadline_at


def test_a_letter_that_costs_too_much_is_kept_answered_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        "import sys; sys.path[:] = {path!r}; from judge.mail import reading\n"
        "def read(raw, *arguments, **named):\n"
        "    while b'BUG' in raw:\n        pass\n"
        "    return whole(raw, *arguments, **named)\n"
        "whole, reading.read_letter = reading.read_letter, read\n"
        "reading.run_child()"
    )

    async def go() -> None:
        async with judge(tmp_path) as bench:
            guarded_reader().end()
            monkeypatch.setattr(reading, "PROGRAM", program)
            answer = await bench.say(ANN, "JOIN balkan\nBUG", reply=False)
            assert "could not be read" in bench.text(answer)
            await until(lambda: bool(bench.letters(KEEPER)))
            assert "judge letters retry" in bench.text(bench.letters(KEEPER)[0])
            with bench.database.read() as tx:
                (kept,) = tx.letters.shunted()
            assert b"BUG" in kept.letter.raw
            assert "more than 1 s" in kept.last_error
            await bench.say(ANN, "HELP", reply=False)

            # A later version reads it.
            guarded_reader().end()
            monkeypatch.undo()
            assert hosted(bench).retry(kept)
            assert hosted(bench).retry(kept), "another process has handled it"
            with bench.database.read() as tx:
                assert tx.letters.shunted() == ()
            await until(lambda: len(bench.letters(ANN)) == 3)
            assert "no such game" in bench.text(bench.letters(ANN)[2])

    try:
        asyncio.run(go())
    finally:
        guarded_reader().end()


def hosted(bench: Bench) -> Intake:
    """The intake of another process on the same database."""
    settings = load_settings(None, {"JUDGE_JUDGE__ADDRESS": JUDGE}, for_mail=False)
    return Intake(Hosting(settings, bench.database, bench.clock, b"0" * 64))


@pytest.mark.parametrize("body", ["\xa4" * 250_000, "LIST balkan\n" * 20_000, "육군 " * 30_000])
def test_an_answer_has_its_limit(tmp_path: Path, body: str) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game()
            answer = await bench.say(address_of("FRANCE"), body)
            assert len(bench.text(answer)) < 61_000

    asyncio.run(go())


def test_the_master_and_the_keepers_hear_once_of_a_seat_whose_mail_comes_back(
    tmp_path: Path,
) -> None:
    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game()
            france = address_of("FRANCE")
            first, last = bench.letters(france)[0], bench.letters(france)[-1]
            for number, returned in enumerate(
                (last["Message-ID"], last["Message-ID"], "<x@y.test>")
            ):
                bench.inbox.deliver(delivery_report(number, returned, france), bench.clock.now())
            await bench.say(ANN, "HELP", reply=False)
            for address in (MASTER, KEEPER):
                await until(lambda address=address: bool(told_of_return(bench, address)))  # type: ignore[misc]
                (told,) = told_of_return(bench, address)
                assert france in told
                assert "balkan" in told
            report = delivery_report(9, first["Message-ID"], france)
            bench.inbox.deliver(report, bench.clock.now())
            await bench.say(ANN, "LIST", reply=False)
            assert len(told_of_return(bench, MASTER)) == 1
            assert len(told_of_return(bench, france)) == 0

    asyncio.run(go())


def told_of_return(bench: Bench, address: str) -> list[str]:
    texts = [bench.text(one) for one in bench.letters(address)]
    return [text for text in texts if "came back" in text]


def delivery_report(number: int, message_id: str, recipient: str) -> bytes:
    """A letter of ours comes back (RFC 3464)."""
    return f"""From: MAILER-DAEMON@mx.test
To: judge@judge.test
Subject: Undelivered
Message-ID: <{number}@mx.test>
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.test

Final-Recipient: rfc822; {recipient}
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: {message_id}
--b--
""".replace("\n", "\r\n").encode()
