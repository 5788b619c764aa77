"""Trouble that passes: with the database, with the way out, with the mailbox."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from judge.cli import main
from judge.errors import StoreUnavailable
from judge.service import sole_daemon
from judge.store import Transaction
from judge.store.games import Games
from judge.store.letters import Letters
from judge.store.outbox import Outbox
from tests.test_daemon import KEEPER, judge, until

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
                failing(monkeypatch, Games, "release_due", 1) as releases,
            ):
                bench.clock.instant += timedelta(minutes=1)
                await until(lambda: bench.label() == "F1901M")
                assert saves == releases == [0]
            with bench.database.read() as tx:
                assert tx.games.halted() == ()
                assert len(tx.phases.of("balkan")) == 1

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
        "import sys, pathlib; from judge.service import sole_daemon\n"
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
