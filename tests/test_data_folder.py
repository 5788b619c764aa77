"""The data folder at the start: what is there, what is missing, what may not be touched."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.cli import main
from judge.config import Settings, load_settings
from judge.data_folder import DATABASE, load_secret, open_database
from judge.errors import JudgeError, SettingsError, StoreError
from judge.service import serve
from judge.store import Database, NoDatabase
from tests.mail.faulty_imap import faulty_imap
from tests.test_daemon import HandClock, until


def settings_of(folder: Path, **variables: str) -> Settings:
    environ = {
        "JUDGE_JUDGE__ADDRESS": "judge@judge.test",
        "JUDGE_JUDGE__DATA": str(folder),
        "JUDGE_IMAP__HOST": "127.0.0.1",
        "JUDGE_IMAP__TLS": "false",
        "JUDGE_IMAP__USER": "judge",
        "JUDGE_IMAP__PASSWORD": "secret",
        "JUDGE_SMTP__HOST": "127.0.0.1",
        "JUDGE_SMTP__TLS": "none",
        **variables,
    }
    return load_settings(None, environ)


def known_judge(folder: Path) -> Settings:
    """A judge that has run in that folder."""
    settings = settings_of(folder)
    open_database(settings, may_make=True).close()
    load_secret(settings.secret_path)
    return settings


def vanish(database: Path) -> None:
    database.unlink()


def empty(database: Path) -> None:
    database.write_bytes(b"")


def hollow(database: Path) -> None:
    """Tables of nobody's, as a wrong path may hold."""
    database.unlink()
    with sqlite3.connect(database) as made:
        made.execute("CREATE TABLE others (at INTEGER)")


@pytest.mark.parametrize("ruin", [vanish, empty, hollow])
def test_a_judge_whose_database_is_gone_does_not_begin_anew(
    tmp_path: Path, ruin: Callable[[Path], None]
) -> None:
    settings = known_judge(tmp_path)
    for beside in tmp_path.glob(f"{DATABASE}-*"):
        beside.unlink()
    ruin(tmp_path / DATABASE)
    before = (tmp_path / DATABASE).exists() and (tmp_path / DATABASE).read_bytes()
    with pytest.raises(StoreError, match="Restore the database"):
        asyncio.run(serve(settings, HandClock()))
    for may_make in (True, False):
        with pytest.raises(StoreError, match="secret"):
            open_database(settings, may_make=may_make)
    assert ((tmp_path / DATABASE).exists() and (tmp_path / DATABASE).read_bytes()) == before


def test_serve_ends_with_65_where_no_restart_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = known_judge(tmp_path)
    for name, value in (("ADDRESS", "judge@judge.test"), ("DATA", str(tmp_path))):
        monkeypatch.setenv(f"JUDGE_JUDGE__{name}", value)
    for server in ("IMAP", "SMTP"):
        monkeypatch.setenv(f"JUDGE_{server}__HOST", "127.0.0.1")
        monkeypatch.setenv(f"JUDGE_{server}__USER", "judge")
        monkeypatch.setenv(f"JUDGE_{server}__PASSWORD", "x")
    for secret in (b"", b"\xff\xfe" * 40, "ü".encode() * 40, b"short\n"):
        settings.secret_path.write_bytes(secret)
        assert main(["serve"]) == 65
        assert "holds no secret" in capsys.readouterr().err
    settings.secret_path.write_bytes(b"x" * 64)
    with sqlite3.connect(tmp_path / DATABASE) as newer:
        newer.execute("UPDATE _sqlite_migrations SET name = 'm999' WHERE name LIKE 'm001%'")
    newer.close()
    assert main(["serve"]) == 65
    assert "newer judge" in capsys.readouterr().err


def test_a_damaged_database_is_found_at_the_start(tmp_path: Path) -> None:
    settings = known_judge(tmp_path)
    whole = bytearray((tmp_path / DATABASE).read_bytes())
    middle = len(whole) // 2
    whole[middle : middle + 8192] = b"\x5a" * 8192
    (tmp_path / DATABASE).write_bytes(whole)
    with pytest.raises(StoreError, match=r"damaged|malformed"):
        asyncio.run(serve(settings, HandClock()))


def test_a_start_waits_for_whoever_holds_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    known_judge(tmp_path)
    monkeypatch.setattr("judge.store.database.BUSY_SECONDS", 0)
    holder = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")

    async def go() -> None:
        async with faulty_imap() as imap:
            settings = settings_of(tmp_path, JUDGE_IMAP__PORT=str(imap.port))
            ready = asyncio.Event()
            serving = asyncio.create_task(serve(settings, HandClock(), ready.set))
            await until(lambda: "cannot begin yet" in caplog.text)
            holder.execute("ROLLBACK")
            await asyncio.wait_for(ready.wait(), 120)
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.wait_for(serving, 120)

    asyncio.run(go())
    holder.close()


def test_commands_make_nothing_and_migrate_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "nowhere"
    monkeypatch.setenv("JUDGE_JUDGE__DATA", str(folder))
    commands = (["games"], ["show", "x"], ["letters"], ["outbox"], ["process", "x"])
    for command in commands:
        assert main(command) == 1
        assert "judge serve" in capsys.readouterr().err
        assert not folder.exists()
    folder.mkdir()
    older = Database(folder / DATABASE)
    older.close()
    with sqlite3.connect(folder / DATABASE) as made:
        made.execute("DELETE FROM _sqlite_migrations WHERE name = 'm001_first_tables'")
    made.close()
    for command in commands:
        assert main(command) == 1
        assert "older judge" in capsys.readouterr().err


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("beside", ["", "-wal", "-shm"])
@pytest.mark.parametrize("make", [folder, os.mkfifo])
def test_what_stands_where_a_file_must_be_ends_the_start_by_its_name(
    tmp_path: Path, make: Callable[[Path], None], beside: str
) -> None:
    path = tmp_path / f"{DATABASE}{beside}"
    make(path)
    for may_make in (True, False):
        with pytest.raises(SettingsError, match=f"{path} is no file"):
            open_database(settings_of(tmp_path), may_make=may_make)
    with pytest.raises(SettingsError, match=f"{path} is no file"):
        asyncio.run(asyncio.wait_for(serve(settings_of(tmp_path), HandClock()), 120))


@pytest.mark.parametrize("make", [folder, os.mkfifo])
def test_a_secret_that_is_no_file_ends_the_start_by_its_name(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    settings = settings_of(tmp_path)
    make(settings.secret_path)
    with pytest.raises(SettingsError, match=f"{settings.secret_path} is no file"):
        asyncio.run(asyncio.wait_for(serve(settings, HandClock()), 120))


def test_a_database_that_is_a_link_to_itself_ends_the_start_by_its_name(tmp_path: Path) -> None:
    (tmp_path / DATABASE).symlink_to(tmp_path / DATABASE)
    with pytest.raises(StoreError, match=str(tmp_path / DATABASE)):
        asyncio.run(asyncio.wait_for(serve(settings_of(tmp_path), HandClock()), 120))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_folder_of_somebody_else_is_said_without_a_traceback(tmp_path: Path) -> None:
    known_judge(tmp_path)
    for path in (tmp_path, *tmp_path.iterdir()):
        path.chmod(0o700 if path.is_dir() else 0o600)
    program = (
        "import os, sys; from judge.cli import main; os.setgid(65534); os.setuid(65534); "
        "sys.exit(main(sys.argv[1:]))"
    )
    environ = {**os.environ, "JUDGE_JUDGE__DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, "games"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2, done.stderr
    assert "Permission denied" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_path_that_is_no_folder_is_the_keepers_to_correct(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for may_make in (True, False):
        with pytest.raises(JudgeError):
            open_database(settings_of(tmp_path / "file"), may_make=may_make)
    with pytest.raises(JudgeError, match=r"judge\.data"):
        asyncio.run(serve(settings_of(tmp_path / "file"), HandClock()))
    with pytest.raises(NoDatabase, match="judge serve"):
        open_database(settings_of(tmp_path / "none"), may_make=False)
