"""Whole transactions or nothing, by one process or two, in a file or in memory."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlite_utils import Database as Tables

from judge.errors import StoreError, Unavailable
from judge.store import Changes, Database
from judge.store.migrations import MIGRATIONS
from tests.store.values import PLAYERS, letter_at, make_active, make_in, make_out, save

TABLES = {
    "placings",
    "ratings",
    "blocks",
    "standbys",
    "conduct",
    "addresses",
    "documents",
    "game_leases",
    "participants",
    "uid_checkpoint",
    "games",
    "letters_in",
    "letters_out",
    "mailbox_uids",
    "timestamps",
    "notes",
    "outbox",
    "phases",
    "pictures",
    "players",
    "press",
    "acts",
    "rendered",
    "results",
    "dispositions",
    "states",
    "threads",
}

# Takes letters one by one, each in its own transaction that reads before it writes.
WRITER = """
import sys
from pathlib import Path
from judge.store import Database
from tests.store.values import letter_at, make_in

database = Database(Path(sys.argv[1]))
first, count = int(sys.argv[2]), int(sys.argv[3])
for uid in range(first, first + count):
    with database.transaction() as tx:
        assert letter_at(tx, 7, uid) is None
        assert tx.letters.take(make_in(uid)) is not None
database.close()
"""

# Changes much, says so, and waits inside the transaction to be killed.
VICTIM = """
import sys
from pathlib import Path
from judge.store import Changes, Database
from tests.store.values import make_active, make_in, make_out

database = Database(Path(sys.argv[1]))
with database.transaction() as tx:
    tx.letters.take(make_in(1))
with database.transaction() as tx:
    tx.letters.take(make_in(2))
    tx.save(Changes(games=(make_active(),), letters=(make_out(),)), cause="letter 2")
    print("written", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "judge.sqlite"


def run_script(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *(str(argument) for argument in arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )


# --- opening --------------------------------------------------------------------------------------


def test_a_new_file_gets_all_tables_strict_with_wal_and_foreign_keys(path: Path) -> None:
    database = Database(path)
    rows = database._tables.execute("PRAGMA table_list").fetchall()
    strict = {row[1] for row in rows if row[5]}
    assert strict == TABLES
    pragmas = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}
    for name, value in pragmas.items():
        assert database._tables.execute(f"PRAGMA {name}").fetchone() == (value,)
    database.close()
    database.close()


def test_a_database_is_migrated_once_and_keeps_what_it_holds(path: Path) -> None:
    first = Database(path)
    save(first, Changes(players=PLAYERS, games=(make_active(),)))
    first.close()
    second = Database(path)
    with second.transaction() as tx:
        assert tx.games.get("balkan") == replace(make_active(), version=1)
    applied = [migration.name for migration in MIGRATIONS.applied(second._tables)]
    assert applied == [
        "m001_first_tables",
        "m002_single_rules",
        "m003_orders_ahead",
        "m004_variant_options",
        "m005_agreed_ends",
        "m006_game_records",
        "m007_shared_and_leased",
        "m008_proofs",
        "m009_hidden_passwords",
        "m010_people",
        "m011_standbys",
        "m012_full_games",
        "m013_results",
        "m014_acts",
        "m015_ratings",
        "m016_proposals",
        "m017_press_kinds",
        "m018_notes",
        "m019_reports",
        "m020_digests",
        "m021_counted_answers",
        "m022_masters",
        "m023_formats",
        "m024_pictures",
        "m025_vacations",
        "m026_letters_to",
        "m027_unrendered",
    ]
    assert MIGRATIONS.pending(second._tables) == []
    second.close()


def test_a_database_of_a_newer_judge_is_refused(path: Path) -> None:
    Database(path).close()
    tables = Tables(path)
    MIGRATIONS._record_applied(tables, "m999_from_the_future")
    tables.close()
    with pytest.raises(StoreError, match="m999_from_the_future"):
        Database(path)


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"Dear judge, " * 400)
    with pytest.raises(StoreError):
        Database(path)
    assert path.read_bytes() == b"Dear judge, " * 400


def test_a_folder_that_is_missing_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="nowhere"):
        Database(tmp_path / "nowhere" / "judge.sqlite")


def test_the_files_are_readable_by_their_owner_alone(path: Path) -> None:
    database = Database(path)
    save(database, Changes(players=PLAYERS))
    files = list(path.parent.iterdir())
    assert len(files) == 3  # the database, its log and its index of the log
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    database.close()


# --- transactions ---------------------------------------------------------------------------------


def test_an_exception_undoes_all_of_a_transaction(database: Database) -> None:
    def fail_in_the_middle() -> None:
        with database.transaction() as tx:
            tx.letters.take(make_in(1))
            tx.save(Changes(games=(make_active(),), letters=(make_out(),)), cause="letter 1")
            raise LookupError("a bug")

    with pytest.raises(LookupError):
        fail_in_the_middle()
    with database.transaction() as tx:
        assert letter_at(tx, 7, 1) is None
        assert tx.games.count() == 0
        assert tx.outbox.unrendered(9) == ()


def test_a_promise_broken_late_undoes_what_was_written_before(database: Database) -> None:
    stranger = replace(make_out(), game="nowhere")
    with pytest.raises(StoreError):
        save(database, Changes(games=(make_active(),), letters=(stranger,)))
    with database.transaction() as tx:
        assert tx.games.count() == 0


def test_a_transaction_is_of_no_use_after_its_end(database: Database) -> None:
    with database.transaction() as tx:
        assert tx.games.count() == 0
    with pytest.raises(StoreError, match="outside"):
        tx.games.count()


def test_a_mistake_in_our_sql_stays_a_bug(database: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"), database.transaction():
        database._tables.execute("SELECT * FROM nowhere")


def test_a_full_disk_is_unavailable_and_loses_nothing(path: Path) -> None:
    database = Database(path)
    save(database, Changes(players=PLAYERS))
    (pages,) = database._tables.execute("PRAGMA page_count").fetchone()
    database._tables.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(Unavailable, match="full"), database.transaction() as tx:
        tx.letters.take(make_in(1, raw=bytes(100_000)))
    database._tables.execute("PRAGMA max_page_count = 100000")
    with database.transaction() as tx:
        assert letter_at(tx, 7, 1) is None
        assert tx.letters.take(make_in(1, raw=bytes(100_000))) is not None
    database.close()


def test_another_thread_may_write(database: Database) -> None:
    def write(first: int) -> None:
        for uid in range(first, first + 20):
            with database.transaction() as tx:
                tx.letters.take(make_in(uid))

    threads = [threading.Thread(target=write, args=(first,)) for first in (1, 101)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.transaction() as tx:
        uids = [*range(1, 21), *range(101, 121)]
        assert all(letter_at(tx, 7, uid) is not None for uid in uids)


def test_reading_waits_for_no_writer_and_sees_what_is_committed(path: Path) -> None:
    database = Database(path)
    save(database, Changes(players=PLAYERS))
    with database.transaction() as tx:
        tx.letters.take(make_in(1))
        with database.read() as reader:
            assert letter_at(reader, 7, 1) is None
    with database.read() as reader:
        assert letter_at(reader, 7, 1) is not None
    with pytest.raises(Unavailable, match="readonly"), database.read() as reader:
        reader.letters.take(make_in(2))
    database.close()


# --- two processes --------------------------------------------------------------------------------


def test_two_processes_open_and_write_a_new_file_at_once(path: Path) -> None:
    writers = [run_script(WRITER, path, first, 60) for first in (1, 1001)]
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert (writer.returncode, errors) == (0, "")
    database = Database(path)
    with database.transaction() as tx:
        ids = {letter_at(tx, 7, uid) for uid in (*range(1, 61), *range(1001, 1061))}
    assert ids == set(range(1, 121))
    database.close()


def test_a_new_file_that_another_writes_just_now_is_waited_for(path: Path) -> None:
    """Changing to write-ahead needs the file alone, and there SQLite gives up at once."""
    writer = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    writer.execute("BEGIN IMMEDIATE")
    ends = threading.Timer(0.2, writer.close)
    ends.start()
    database = Database(path)
    ends.join()
    assert database._tables.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()


def test_a_new_file_that_another_goes_on_writing_is_unavailable(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.store.database.BUSY_SECONDS", 0.1)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="locked"):
        Database(path)
    writer.close()


def test_a_process_killed_in_a_transaction_keeps_the_last_and_nothing_of_this(path: Path) -> None:
    database = Database(path)
    save(database, Changes(players=PLAYERS))
    victim = run_script(VICTIM, path)
    assert victim.stdout is not None
    assert victim.stdout.readline() == "written\n"
    victim.send_signal(signal.SIGKILL)
    victim.communicate(timeout=60)
    with database.transaction() as tx:
        assert letter_at(tx, 7, 1) is not None
        assert letter_at(tx, 7, 2) is None
        assert tx.games.count() == 0
        assert tx.outbox.unrendered(9) == ()
        assert tx.letters.take(make_in(2)) is not None
    assert database._tables.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_a_database_that_another_process_holds_is_unavailable(path: Path) -> None:
    database = Database(path)
    database._tables.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="locked"), database.transaction():
        pass
    other.close()
    with database.transaction() as tx:
        assert tx.games.count() == 0
    database.close()
