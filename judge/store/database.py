"""The database file: opened, brought up to date, read, and changed in whole transactions only."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partialmethod
from pathlib import Path
from time import monotonic, sleep
from typing import NoReturn

from sqlite_utils import Database as Tables

from judge.errors import StoreError, StoreUnavailable, may_pass
from judge.store.games import Games
from judge.store.history import Acts, Notes, Phases, PressSent
from judge.store.letters import Letters, Mailbox, Timestamps
from judge.store.migrations import MIGRATIONS
from judge.store.outbox import Outbox, Pictures
from judge.store.players import Players, Ratings
from judge.store.records import Changes
from judge.store.rows import Table

BUSY_SECONDS = 30  # how long to wait for another process that writes
BUSY_PAUSE = 0.02  # seconds between two attempts where SQLite itself does not wait
PRIVATE = 0o600  # letters and password hashes are nobody else's

# The world's doing: another process, the disk, its rights. Anything else is ours or the data's.
UNAVAILABLE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
    }
)
BROKEN = frozenset(
    {
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_TOOBIG,
    }
)
PRIMARY_CODE = 0xFF  # the low byte of an extended result code


class NoDatabase(StoreError):
    """There is no database, or an empty one, where one must be."""


class Transaction:
    """The judge's memory for the length of one transaction; of no use after it.

    Whatever reads a row raises StoreError if it cannot be read.
    """

    def __init__(self, db: Tables) -> None:
        self.players = Players(db)
        self.games = Games(db)
        self.ratings = Ratings(db)
        self.phases = Phases(db)
        self.press = PressSent(db)
        self.acts = Acts(db)
        self.notes = Notes(db)
        self.letters = Letters(db)
        self.mailbox = Mailbox(db)
        self.timestamps = Timestamps(db)
        self.outbox = Outbox(db)
        self.pictures = Pictures(db)

    def save(self, changes: Changes, *, cause: str) -> None:
        """Write everything. `cause` is kept beside it, for whoever looks: `letter 12`, `clock`.

        Raises:
            StoreError: the changes break a promise, as a token or a phase that is kept already, or
                a game that was changed since it was read.
        """
        if changes.players:
            self.players.save(changes.players)
        for game in changes.games:
            self.games.save(game, cause)
        if changes.placings or changes.ratings:
            self.ratings.save(changes.placings, changes.ratings)
        for phase in changes.phases:
            self.phases.save(phase, cause)
        for press in changes.press:
            self.press.save(press, cause)
        for act in changes.acts:
            self.acts.save(act, cause)
        for note in changes.notes:
            self.notes.save(note)
        for name in changes.purged:
            self.games.delete(name)
        for letter in changes.letters:
            self.outbox.save(letter, cause)
        for token in changes.closed:
            self.outbox.close_question(token)
        if changes.conduct:
            self.players.note_conduct(changes.conduct)
        if changes.standbys:
            self.players.save_standbys(changes.standbys)
        for player in changes.forgotten:
            self.players.forget(player)


class Database:
    """The judge's database. One thread at a time writes, and one reads; others wait.

    A second process may use the same file at the same time.
    """

    def __init__(
        self, path: Path | None, *, may_make: bool = True, may_migrate: bool = True
    ) -> None:
        """Open the file (None: a database in memory, gone when it is closed) and migrate it.

        Raises:
            Unavailable: the file cannot be opened or is locked.
            NoDatabase: there is none, or an empty one, and it may not be made.
            StoreError: the path leads to no file, or it is no database of ours, one of a newer
                judge, or one of an older judge that may not be migrated.
        """
        self._lock = self._read_lock = threading.RLock()
        if path is not None and not may_make and not path.exists():
            raise NoDatabase(f"there is no database {path}")
        try:
            self._tables = self._reader = _connect(path)
            if path is None:
                self._tables.conn.deserialize(_blank())
            try:
                pending = _has_pending_migrations(self._tables, path, may_make, may_migrate)
                _write_ahead(self._tables)
                # A commit is on the disk before anything is answered: after a power cut, nothing
                # is missing.
                self._tables.execute("PRAGMA synchronous = FULL")
                if pending:
                    _migrate(self._tables)
                if path is not None:
                    self._reader, self._read_lock = _connect(path), threading.RLock()
                    self._reader.execute("PRAGMA query_only = ON")
            except BaseException:
                self.close()
                raise
        except sqlite3.Error as error:
            _raise_as_ours(error)

    @contextmanager
    def transaction(self, *, is_read_only: bool = False) -> Iterator[Transaction]:
        """All of it is written at the end, or, if an exception leaves it, nothing.

        Begins as a writer at once, so that it never finds the database changed under it; or as
        `read` says.

        Raises:
            Unavailable: another process holds the database, or the disk fails.
            StoreError: what should be written breaks a promise of the tables.
        """
        lock = self._read_lock if is_read_only else self._lock
        tables = self._reader if is_read_only else self._tables
        with lock:
            # A transaction in a transaction of the same thread is a bug.
            assert not tables.conn.in_transaction
            opened = Transaction(tables)
            try:
                try:
                    tables.execute("BEGIN DEFERRED" if is_read_only else "BEGIN IMMEDIATE")
                    yield opened
                    tables.execute("COMMIT")
                finally:
                    # It is of no use any more.
                    parts: list[Table] = list(vars(opened).values())
                    for table in parts:
                        table.db = _ENDED  # type: ignore[assignment]  # a stand-in that refuses
                    # Some errors, as a full disk, have rolled back already.
                    if tables.conn.in_transaction:
                        tables.execute("ROLLBACK")
            except sqlite3.Error as error:
                _raise_as_ours(error)

    # Everything as it was committed when the first row was read; writing is a bug. Waits for no
    # writer, unless the database is in memory.
    read = partialmethod(transaction, is_read_only=True)

    def check(self) -> None:
        """Look whether every page is whole. StoreError says what is broken."""
        with self._read_lock:
            try:
                (found,) = self._reader.execute("PRAGMA quick_check(1)").fetchone()
            except sqlite3.Error as error:
                _raise_as_ours(error)
        if found != "ok":
            raise StoreError(f"the database is damaged: {found}")

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        with self._read_lock:
            self._reader.close()
        with self._lock:
            self._tables.close()


class _Ended:
    """In place of the database of a transaction that is over."""

    def __getattr__(self, name: str) -> object:
        raise StoreError("the store was used outside its transaction")


_ENDED = _Ended()


def _connect(path: Path | None) -> Tables:
    if path is not None:
        # The files beside it (-wal, -shm) take over its rights.
        try:
            path.touch(PRIVATE)
        except OSError as error:
            # What is not there may be on a disk that is mounted later.
            passes = may_pass(error) or isinstance(error, FileNotFoundError)
            kind = StoreUnavailable if passes else StoreError
            raise kind(f"the database {path} cannot be opened: {error.strerror}") from error
    # No isolation level: nothing begins a transaction but we. Any thread: the service opens it in
    # one and writes in another.
    connection = sqlite3.connect(
        ":memory:" if path is None else path,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    tables = Tables(connection, execute_plugins=False)
    tables.execute("PRAGMA foreign_keys = ON")
    tables.execute("PRAGMA secure_delete = ON")  # what is hidden is nowhere in the file
    return tables


def _write_ahead(tables: Tables) -> None:
    """Change the file to WAL, where it is not set yet: that needs the file for itself.

    SQLite does not wait for others here, whatever its timeout is, so we do.
    """
    patience = monotonic() + BUSY_SECONDS
    while tables.execute("PRAGMA journal_mode").fetchone() not in (("wal",), ("memory",)):
        try:
            tables.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > patience:
                raise
            sleep(BUSY_PAUSE)


def _has_pending_migrations(
    tables: Tables, path: Path | None, may_make: bool, may_migrate: bool
) -> bool:
    """Whether migrations are to be applied. Raises what `Database` says of them."""
    applied = {migration.name for migration in MIGRATIONS.applied(tables)}
    if not applied and not may_make:
        raise NoDatabase(f"the database {path} is empty")
    blank = Tables(memory=True, execute_plugins=False)
    known = {migration.name for migration in MIGRATIONS.pending(blank)}
    blank.close()
    if applied - known:
        raise StoreError(f"the database is of a newer judge: {', '.join(sorted(applied - known))}")
    if applied and known - applied and not may_migrate:
        raise StoreError(
            f"the database {path} is of an older judge. The service brings it up to date when it "
            "starts: restart it, then try again"
        )
    return bool(known - applied)


@cache
def _blank() -> bytes:
    """A database in memory with all tables and no rows: each further one is a copy of it."""
    tables = _connect(None)
    _migrate(tables)
    blank = tables.conn.serialize()
    tables.close()
    return blank


def _migrate(tables: Tables) -> None:
    # A table that others refer to can only be replaced without these checks; they follow at the
    # end. SQLite lets nobody change this in a transaction.
    tables.execute("PRAGMA foreign_keys = OFF")
    tables.execute("BEGIN IMMEDIATE")
    try:
        # Asks again what is pending: another process may have been first.
        MIGRATIONS.apply(tables)
        if tables.execute("PRAGMA foreign_key_check").fetchone():
            raise StoreError("the database refers to rows that are not there")
        tables.execute("COMMIT")
    finally:
        if tables.conn.in_transaction:
            tables.execute("ROLLBACK")
        tables.execute("PRAGMA foreign_keys = ON")


def _raise_as_ours(error: sqlite3.Error) -> NoReturn:
    """Raise an error of SQLite as ours; a mistake in our SQL stays what it is: a bug."""
    primary = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE
    if primary in UNAVAILABLE:
        raise StoreUnavailable(f"the database cannot be used: {error}") from error
    if primary in BROKEN:
        raise StoreError(f"the database refuses: {error}") from error
    raise error
