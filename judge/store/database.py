"""The database file: opened, brought up to date, and changed in whole transactions only."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from sqlite_utils import Database as Tables

from judge.errors import StoreError, Unavailable
from judge.store.migrations import MIGRATIONS
from judge.store.transaction import Store

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


class Database:
    """The judge's database. One thread at a time is in a transaction; others wait.

    A second process may use the same file at the same time.
    """

    def __init__(self, path: Path | None) -> None:
        """Open the file (None: a database in memory, gone when it is closed) and migrate it.

        Raises:
            Unavailable: the file cannot be opened or is locked.
            StoreError: it is no database of ours, or one of a newer judge.
        """
        self._lock = threading.RLock()
        with _errors_translated():
            self._tables = Tables(_connect(path), execute_plugins=False)
            try:
                _set_up(self._tables)
                _migrate(self._tables)
            except BaseException:
                self._tables.close()
                raise

    @contextmanager
    def transaction(self) -> Iterator[Store]:
        """All of it is written at the end, or, if an exception leaves it, nothing.

        Begins as a writer at once, so that it never finds the database changed under it.

        Raises:
            Unavailable: another process holds the database, or the disk fails.
            StoreError: what should be written breaks a promise of the tables.
        """
        with self._lock, _errors_translated():
            # A transaction in a transaction of the same thread is a bug.
            assert not self._tables.conn.in_transaction
            self._tables.execute("BEGIN IMMEDIATE")
            store = Store(self._tables)
            try:
                yield store
                self._tables.execute("COMMIT")
            finally:
                store.end()
                # Some errors, as a full disk, have rolled back already.
                if self._tables.conn.in_transaction:
                    self._tables.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        with self._lock:
            self._tables.close()


def _connect(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        # The files beside it (-wal, -shm) take over its rights.
        try:
            path.touch(PRIVATE)
        except OSError as error:
            raise Unavailable(f"the database {path} cannot be opened: {error.strerror}") from error
    # No isolation level: nothing begins a transaction but we. Any thread: the service opens it in
    # one and writes in another.
    return sqlite3.connect(
        ":memory:" if path is None else path,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _set_up(tables: Tables) -> None:
    tables.execute("PRAGMA foreign_keys = ON")
    _write_ahead(tables)
    # A commit is on the disk before anything is answered: after a power cut, nothing is missing.
    tables.execute("PRAGMA synchronous = FULL")


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


def _migrate(tables: Tables) -> None:
    ours = {migration.name for migration in MIGRATIONS.pending(tables)}
    applied = {migration.name for migration in MIGRATIONS.applied(tables)}
    unknown = applied - _known_names()
    if unknown:
        raise StoreError(f"the database is of a newer judge: {', '.join(sorted(unknown))}")
    if not ours:
        return
    tables.execute("BEGIN IMMEDIATE")
    try:
        # Asks again what is pending: another process may have been first.
        MIGRATIONS.apply(tables)
        tables.execute("COMMIT")
    finally:
        if tables.conn.in_transaction:
            tables.execute("ROLLBACK")


def _known_names() -> set[str]:
    blank = Tables(memory=True, execute_plugins=False)
    try:
        return {migration.name for migration in MIGRATIONS.pending(blank)}
    finally:
        blank.close()


@contextmanager
def _errors_translated() -> Iterator[None]:
    """Errors of SQLite become ours; a mistake in our SQL stays what it is: a bug."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        primary = None if code is None else code & PRIMARY_CODE
        if primary in UNAVAILABLE:
            raise Unavailable(f"the database cannot be used: {error}") from error
        if primary in BROKEN:
            raise StoreError(f"the database refuses: {error}") from error
        raise
