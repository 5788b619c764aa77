"""The program's front door, as a keeper uses it from a shell."""

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge import __version__
from judge.cli import main
from judge.clock import SystemClock
from judge.config import load_settings
from judge.data_folder import open_database
from judge.errors import StoreUnavailable
from judge.hosting import Hosting
from judge.intake import Intake
from judge.mail import Fetched
from judge.store import Changes, Database, Transaction
from tests.test_daemon import KEEPER, OPENINGS, address_of, judge

START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUDGE_JUDGE__ADDRESS", "judge@judge.test")
    monkeypatch.setenv("JUDGE_JUDGE__DATA", str(tmp_path))
    return tmp_path


def create(*settings: str) -> int:
    return main(["create", "balkan", "--master", "gm@example.test", *settings])


def test_a_game_is_created_shown_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert create("movement=2d", "press=grey") == 0
    assert "2 days" in capsys.readouterr().out
    assert main(["games"]) == 0
    assert "open: 0 of 7 players have joined" in capsys.readouterr().out
    assert main(["show", "balkan"]) == 0
    assert "2 days" in capsys.readouterr().out


def test_a_game_is_created_with_several_masters(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert create("masters=nobody known") == 2
    assert "nobody known" in capsys.readouterr().err
    assert create("masters=ben@example.test", "movement=2d") == 0
    database = Database(data / "judge.sqlite3")
    with database.read() as tx:
        game = tx.games.get("balkan")
    database.close()
    assert game is not None
    assert [one.who for one in game.asked_masters] == ["ben@example.test"]


def test_what_is_refused_says_why_and_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert create() == 0
    assert create() == 1
    assert "balkan" in capsys.readouterr().err
    assert main(["show", "nix"]) == 1
    assert 'Nothing is called "nix"' in capsys.readouterr().err
    assert main(["process", "balkan"]) == 1


def test_the_shell_names_its_own_commands_and_none_of_letters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["create", "1x", "--master", "gm@example.test"]) == 1
    assert create() == 0
    assert capsys.readouterr().out.startswith("The master gets this letter:\n")
    assert create() == 1
    assert main(["show", "nix"]) == 1
    assert main(["process", "balkan"]) == 1
    assert main(["games"]) == 0
    said = "".join(capsys.readouterr())
    assert "`judge games` lists the games" in said
    assert "`judge show balkan` says how it stands" in said
    assert not any(word in said for word in ("CREATE", "LIST", "STATUS", "JOIN"))


def test_variants_take_the_settings_before_and_behind_their_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "judge.toml"
    config.write_text(f'[judge]\nvariants = "{tmp_path}/none"\n', encoding="utf-8")
    for line in (["--config", str(config), "list"], ["list", "--config", str(config)]):
        assert main(["variants", *line]) == 2
        assert "Name a folder that exists" in capsys.readouterr().err
    assert main(["variants", "list"]) == 0


def test_wrong_usage_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert create("movement") == 2
    assert main([]) == 2
    with pytest.raises(SystemExit) as stopped:
        main(["games", "--nonsense"])
    assert stopped.value.code == 2
    assert "--nonsense" in capsys.readouterr().err


def test_faulty_settings_exit_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "judge.toml"
    config.write_text('[imap]\nprot = 5\ntls = "maybe"\n', encoding="utf-8")
    assert main(["check", "--config", str(config)]) == 2
    said = capsys.readouterr().err
    assert "Did you mean `port`?" in said
    assert "'maybe' cannot be used. Write true or false" in said


def test_the_settings_file_may_be_named_by_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUDGE_CONFIG", str(tmp_path / "other.toml"))
    assert main(["games"]) == 2
    assert str(tmp_path / "other.toml") in capsys.readouterr().err
    (tmp_path / "own.toml").write_text("", encoding="utf-8")
    assert create() == 2
    assert create("--config", str(tmp_path / "own.toml")) == 0
    assert main(["games", "--config", str(tmp_path / "own.toml")]) == 0


def test_a_faulty_line_of_adjudicate_exits_with_1_and_the_others_are_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text('nonsense\n{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}}\n')
    assert main(["adjudicate", str(lines)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert '"error"' in first
    assert '"A PAR H"' in second


GOOD = '{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "id": %d}\n'


def test_several_processes_answer_as_one_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "lines.jsonl"
    written = [GOOD % number for number in range(300)]
    written[100:100] = ["nonsense\n", "\n", '{"id": "\\ud800", "phase": "S1901M", "units": {}}\n']
    lines.write_text("".join(written), encoding="utf-8")
    assert main(["adjudicate", str(lines)]) == 1
    alone = capsys.readouterr().out
    assert main(["adjudicate", str(lines), "--jobs", "2"]) == 1
    assert capsys.readouterr().out == alone
    assert len(alone.splitlines()) == 302
    assert '"error"' in alone.splitlines()[100]
    with pytest.raises(SystemExit) as stopped:
        main(["adjudicate", str(lines), "--jobs", "0"])
    assert stopped.value.code == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_adjudicate_that_is_interrupted_ends_without_a_trace(jobs: str) -> None:
    command = [sys.executable, "-m", "judge", "adjudicate", "--jobs", jobs]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, start_new_session=True, stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((GOOD % 1).encode() * 900)
        process.stdin.flush()  # and more might come
        process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does, its workers too
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, b"")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


class Bug(Exception):
    """What a letter trips over in these tests."""


def shunt_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter trips over a bug of the judge's, which is there only now."""
    raw = b"From: ann@example.test\r\nMessage-ID: <1@example.test>\r\n\r\nHELP\x1b[2J\r\n"
    hosting = hosting_on(folder)
    with monkeypatch.context() as patched:
        patched.setattr("judge.intake.take_letter", fails)
        Intake(hosting).take(Fetched(1, START, raw, len(raw)), 1)
    hosting.database.close()


def fails(*_: object) -> None:
    raise Bug("dividing by zero")


def runs_out_of_files(*_: object) -> None:
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), "words.toml")


def hosting_on(folder: Path) -> Hosting:
    environ = {
        "JUDGE_JUDGE__ADDRESS": "judge@judge.test",
        "JUDGE_JUDGE__KEEPERS": "keeper@example.test",
        "JUDGE_JUDGE__DATA": str(folder),
    }
    settings = load_settings(None, environ, for_mail=False)
    return Hosting(settings, open_database(settings, may_make=True), SystemClock(), b"0" * 64)


def test_a_letter_that_was_shunted_is_listed_shown_and_handled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shunt_one(tmp_path, monkeypatch)
    assert main(["letters"]) == 0
    assert "1  from ann@example.test" in (said := capsys.readouterr().out)
    assert "dividing by zero" in said
    assert main(["letters", "show", "1"]) == 0
    assert "HELP?[2J" in capsys.readouterr().out, "no escape sequences to the terminal"
    with monkeypatch.context() as patched:
        patched.setattr("judge.intake.take_letter", fails)
        assert main(["letters", "retry", "1"]) == 1
        assert "failed again" in capsys.readouterr().err
        patched.setattr("judge.intake.take_letter", runs_out_of_files)
        assert main(["letters", "retry", "1"]) == 1
    assert "Too many open files: 'words.toml'. Nothing was changed" in capsys.readouterr().err
    assert main(["letters", "retry", "1"]) == 0
    hosting = hosting_on(tmp_path)
    with hosting.database.read() as tx:
        to_keeper, to_ann = tx.outbox.unrendered(10)
    assert b"judge letters retry 1" in to_keeper.messages
    assert to_ann.recipient == "ann@example.test"
    hosting.database.close()
    assert main(["letters", "retry", "1"]) == 1
    assert main(["letters", "drop", "7"]) == 1
    assert main(["letters", "show"]) == 2


def test_a_new_version_handles_again_what_an_older_one_could_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shunt_one(tmp_path, monkeypatch)
    hosting = hosting_on(tmp_path)
    with hosting.database.transaction() as tx:
        tx.timestamps.set(f"version {__version__}", START)
    Intake(hosting).begin()
    with hosting.database.read() as tx:
        assert len(tx.letters.shunted()) == 1, "the same version would fail again"
    monkeypatch.setattr("judge.intake.__version__", "99.0")
    Intake(hosting).begin()
    with hosting.database.read() as tx:
        assert tx.letters.shunted() == ()
    hosting.database.close()


def test_a_stuck_letter_is_listed_queued_again_or_dropped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert create() == 0
    hosting = hosting_on(tmp_path)
    with hosting.database.transaction() as tx:
        (row,) = tx.outbox.unrendered(5)
        tx.outbox.mark_stuck(row.token, "550 no such mailbox")
    capsys.readouterr()
    assert main(["outbox"]) == 0
    assert f"{row.token}  to gm@example.test" in (said := capsys.readouterr().out)
    assert "550 no such mailbox" in said
    assert main(["outbox", "retry", row.token]) == 0
    assert main(["outbox", "drop", row.token]) == 1, "only a stuck one"
    with hosting.database.transaction() as tx:
        assert [one.token for one in tx.outbox.unrendered(5)] == [row.token]
        tx.outbox.mark_stuck(row.token, "550 no such mailbox")
    assert main(["outbox", "drop", row.token]) == 0
    with hosting.database.read() as tx:
        assert tx.outbox.get(row.token) is None
        assert tx.outbox.by_token(row.token) is not None, "a reply to it is understood"
    hosting.database.close()


def test_letters_that_wait_for_another_try_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert create() == 0
    hosting = hosting_on(tmp_path)
    with hosting.database.transaction() as tx:
        (row,) = tx.outbox.unrendered(1)
        tx.outbox.save_rendered(row.token, "x", b"x")
    capsys.readouterr()
    assert main(["outbox"]) == 0
    assert row.recipient not in capsys.readouterr().out, "it was not tried yet"
    with hosting.database.transaction() as tx:
        why = "550 5.7.1 daily quota\x1b[2J"
        tx.outbox.mark_deferred(row.token, why, START, was_tried=False)
    hosting.database.close()
    assert main(["outbox"]) == 0
    said = capsys.readouterr().out
    assert f"{row.token}  to gm@example.test, answer" in said
    assert "waits, again 2026-12-01 12:00 UTC: 550 5.7.1 daily quota?[2J" in said


def test_a_halted_game_says_so_and_is_released(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert create() == 0
    hosting = hosting_on(tmp_path)
    with hosting.database.transaction() as tx:
        tx.games.halt("balkan", "a fleet in Bohemia")
    for command in (["games"], ["show", "balkan"]):
        capsys.readouterr()
        assert main(command) == 0
        assert "balkan is halted: a fleet in Bohemia" in (said := capsys.readouterr().out)
        assert "judge games release balkan" in said
    assert main(["games", "release", "Balkan"]) == 0
    assert main(["games", "release", "balkan"]) == 1
    assert main(["games", "release"]) == 2
    with hosting.database.read() as tx:
        assert tx.games.halted() == ()
    hosting.database.close()


def test_a_halted_game_is_not_processed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(tmp_path)
    assert main(["games", "pause", "balkan"]) == 0
    capsys.readouterr()
    for command in (["process", "balkan"], ["process", "balkan", "S1901M"]):
        assert main(command) == 1
        assert "balkan" in capsys.readouterr().err
    assert json_of(capsys, "show", "balkan")["phase"] == "S1901M"
    assert main(["games", "release", "balkan"]) == 0
    assert main(["process", "balkan", "S1901M"]) == 0
    assert json_of(capsys, "show", "balkan")["phase"] == "F1901M"


def play(folder: Path) -> None:
    """The game balkan, begun by letters."""

    async def go() -> None:
        async with judge(folder, SystemClock().now()) as bench:
            await bench.start_game()

    asyncio.run(go())


def json_of(capsys: pytest.CaptureFixture[str], *command: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*command, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_games_are_listed_and_shown_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path)
    listed = json_of(capsys, "games")
    assert listed["name"] == "balkan"
    assert listed["status"] == "active"
    assert listed["seats"] == 7
    assert listed["vacant"] == []
    assert listed["halted"] is None
    assert datetime.fromisoformat(listed["deadline"]) > SystemClock().now()
    shown = json_of(capsys, "show", "BALKAN")
    assert [seat["seat"] for seat in shown["seats"]] == sorted(OPENINGS)
    assert shown["seats"][0]["address"] == "austria@example.test"
    assert shown["seats"][0]["has_orders"] is False
    assert main(["show", "nix", "--json"]) == 1
    assert "nix" in capsys.readouterr().err


def test_the_charts_of_a_game_are_drawn_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["map", "balkan", "--chart"]) == 1
    assert "no finished year" in capsys.readouterr().err
    for _ in range(2):
        assert main(["process", "balkan"]) == 0
    assert main(["map", "balkan", "--chart"]) == 0
    assert (tmp_path / "balkan-centers.png").read_bytes().startswith(b"\x89PNG")
    assert main(["map", "balkan", "--chart", "-o", "here.svg", "--language", "ja"]) == 0
    assert "オーストリア" in (tmp_path / "here.svg").read_text(encoding="utf-8")


def test_a_map_is_drawn_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["map", "BALKAN"]) == 0
    assert (tmp_path / "balkan-S1901M.png").read_bytes().startswith(b"\x89PNG")
    assert main(["map", "balkan", "s1901m", "-o", "here.svg", "--language", "ko"]) == 0
    assert "오스트리아" in (tmp_path / "here.svg").read_text(encoding="utf-8")
    assert capsys.readouterr().out.split() == ["balkan-S1901M.png", "here.svg"]
    assert main(["map", "nix"]) == 1
    assert main(["map", "balkan", "F1901M"]) == 1
    assert main(["map", "balkan", "-o", "here.gif"]) == 1
    assert main(["map", "balkan", "-o", "nowhere/here.png"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert ["nix" in told[0], "no F1901M" in told[1], ".gif" in told[2]] == [True, True, True]
    assert "No such file" in told[3]


def test_a_game_gets_another_master(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert create() == 0
    assert main(["master", "balkan", "new.gm"]) == 1
    assert "no mail address" in capsys.readouterr().err
    assert main(["master", "balkan", "new@example.test"]) == 0
    assert "SIGNON Mbalkan" in capsys.readouterr().out
    assert json_of(capsys, "show", "balkan")["master"] == "new@example.test"
    assert main(["master", "nowhere", "new@example.test"]) == 1
    assert tmp_path


@pytest.mark.parametrize("why", ["paused by the keeper", "a bug in its reminder"])
def test_a_halted_game_goes_on_with_the_time_to_order_that_was_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], why: str
) -> None:
    play(tmp_path)
    if why.startswith("paused"):
        assert main(["games", "pause", "balkan"]) == 0
        assert main(["games", "pause", "balkan"]) == 1
    else:
        halt(tmp_path, why)
    assert json_of(capsys, "games")["halted"] == why
    now = SystemClock().now()
    time_passed(tmp_path, halted_at=now - timedelta(days=5), deadline_at=now - timedelta(days=2))
    assert main(["games", "release", "balkan"]) == 0
    shown = json_of(capsys, "show", "balkan")
    assert shown["halted"] is None
    left = datetime.fromisoformat(shown["deadline"]) - SystemClock().now()
    assert timedelta(days=2, hours=23) < left < timedelta(days=3, hours=1)


def test_a_game_that_was_halted_at_its_deadline_runs_when_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path)
    halt(tmp_path, "a bug in its results")
    passed = (SystemClock().now() - timedelta(days=2)).replace(microsecond=0)
    time_passed(tmp_path, halted_at=passed + timedelta(seconds=2), deadline_at=passed)
    assert main(["games", "release", "balkan"]) == 0
    assert datetime.fromisoformat(json_of(capsys, "show", "balkan")["deadline"]) == passed


def halt(folder: Path, why: str) -> None:
    hosting = hosting_on(folder)
    with hosting.database.transaction() as tx:
        hosting.halt(tx, "balkan", why)
    hosting.database.close()


def time_passed(folder: Path, *, halted_at: datetime, deadline_at: datetime) -> None:
    """The game was halted then, and is due since then."""
    hosting = hosting_on(folder)
    with hosting.database.transaction() as tx:
        game = tx.games.get("balkan")
        assert game is not None
        assert game.timing is not None
        timing = msgspec.structs.replace(game.timing, deadline_at=deadline_at)
        tx.save(Changes(games=(msgspec.structs.replace(game, timing=timing),)), cause="test")
        tx.timestamps.set("halted balkan", halted_at)
    hosting.database.close()


def test_a_command_that_fails_says_not_that_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path)
    assert main(["create", "queued", "--master", "gm@example.test"]) == 0
    hosting = hosting_on(tmp_path)
    with hosting.database.transaction() as tx:
        token = tx.outbox.unrendered(1)[0].token
        tx.outbox.mark_stuck(token, "550 no such mailbox")
    whole = Database.transaction

    @contextmanager
    def full(self: Database) -> Iterator[Transaction]:
        with whole(self) as tx:
            yield tx
            raise StoreUnavailable("database or disk is full")

    monkeypatch.setattr(Database, "transaction", full)
    for command in (
        ["games", "pause", "balkan"],
        ["outbox", "drop", token],
        ["outbox", "retry", token],
        ["process", "balkan"],
        ["create", "other", "--master", "gm@example.test"],
    ):
        capsys.readouterr()
        assert main(command) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert "disk is full. Nothing was changed; try again" in said.err
    assert main(["outbox"]) == 0, "reading needs no room"
    assert token in capsys.readouterr().out
    hosting.database.close()


@pytest.mark.parametrize(
    "command",
    ["letters show {} 7", "outbox retry {} 7", "games release {} 7", "process 7 {} S1901M"],
)
def test_options_stand_between_the_arguments_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert create() == 0
    file = tmp_path / "judge.toml"
    file.write_text('[judge]\naddress = "judge@judge.test"\n', encoding="utf-8")
    early, late = map(str.split, command.split("{}"))
    capsys.readouterr()
    assert main([*early, "--config", str(file), *late]) == 1
    assert "7" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*early, "-v", *late, "more"])


def test_a_game_is_deleted_only_when_it_does_not_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def go() -> None:
        async with judge(tmp_path, SystemClock().now()) as bench:
            await bench.start_game()
            assert main(["games", "delete", "balkan"]) == 1
            assert "judge games pause balkan" in capsys.readouterr().err
            assert main(["games", "pause", "balkan"]) == 0
            assert main(["games", "delete", "Balkan"]) == 0
            await bench.say(address_of("FRANCE"), "A PAR - BUR")
            assert bench.letters(KEEPER) == [], "a letter about it is answered as any other"

    asyncio.run(go())
    assert main(["show", "balkan"]) == 1
    assert main(["games", "delete", "balkan"]) == 1
    assert main(["games", "delete"]) == 2
    assert create() == 0, "its name is free again"


@pytest.mark.parametrize(
    "master",
    [
        "notanaddress",
        "Ann <ann@example.test>",
        "a@example.test\r\nBcc: b@example.test",
        "a@@b.test",
    ],
)
def test_a_master_is_an_address_and_nothing_else(
    capsys: pytest.CaptureFixture[str], master: str
) -> None:
    assert main(["create", "balkan", "--master", master]) == 2
    assert "is no mail address" in capsys.readouterr().err
    assert create() == 0, "nothing was made"


def test_a_setting_that_cannot_be_taken_makes_no_draft(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert create("movment=2d", "press=loud") == 2
    said = capsys.readouterr().err
    assert "movment" in said
    assert "loud" in said
    assert create("movement=") == 2
    assert "write it as NAME=VALUE" in capsys.readouterr().err
    assert create("movement=2d") == 0
