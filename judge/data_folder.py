"""The judge's data folder: its database, its secret, and the lock of the one daemon on it.

No network here, and nothing of what the database holds but its variants.
"""

import contextlib
import errno
import fcntl
import os
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

from judge.config import Settings
from judge.data import variant_folders
from judge.errors import (
    Fault,
    JudgeError,
    SettingsError,
    StoreError,
    StoreUnavailable,
    may_pass,
)
from judge.store import Database, NoDatabase

DATABASE = "judge.sqlite3"
LOCK = "judge.lock"
SECRET_BYTES = 32


def open_database(settings: Settings, *, may_make: bool, may_migrate: bool = False) -> Database:
    """The judge's database.

    One that vanished is not made anew beside its secret: the judge would know no player any more.

    Arguments:
        may_make: a judge that has neither database nor secret gets a new one.
        may_migrate: one of an older release is brought up to date; else a running daemon of that
            release would find its tables changed.

    Raises:
        SettingsError: the folder or the file may not be used.
        JudgeError: it cannot be opened, or holds games of variants that are not here, which could
            be neither played nor listed; says what to do.
    """
    folder, secret = settings.judge.data, settings.secret_path
    path = folder / DATABASE
    try:
        is_known = secret.exists()
        if may_make and not is_known:
            folder.mkdir(parents=True, exist_ok=True)
        for one in (folder, path):
            if one.exists() and not os.access(one, os.R_OK | os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(one))
        for one in (secret, *(folder / f"{DATABASE}{end}" for end in ("", "-wal", "-shm"))):
            if one.exists() and not one.is_file():
                what, remedy = f"{one} is no file", "Move it away, or restore the file"
                raise SettingsError([Fault("judge.data", what, remedy)])
    except OSError as error:
        raise _unusable(error, folder) from error
    try:
        database = Database(path, may_make=may_make and not is_known, may_migrate=may_migrate)
    except NoDatabase as error:
        if is_known:
            raise StoreError(
                f"{error}, but the secret {secret} of a judge that has run is there. Restore the "
                "database from a copy, or mount its disk. To begin a new judge, which knows none "
                "of the games and players before, move the secret away first."
            ) from error
        raise NoDatabase(
            f"{error}. `judge serve` makes it at its first start; --config names the settings."
        ) from error
    try:
        with database.read() as tx:
            in_use = tx.games.variants()
    except BaseException:
        database.close()
        raise
    gone = {name: games for name, games in in_use.items() if name not in variant_folders()}
    if gone:
        database.close()
        raise JudgeError(
            "; ".join(f"{', '.join(games)}: no variant {name}" for name, games in gone.items())
            + ". Put each back into the folder of [judge] variants; `judge variants check` tells "
            "what is wrong with it."
        )
    return database


def load_secret(path: Path) -> bytes:
    """The judge's secret, made at the first start for its owner's eyes only.

    Raises:
        SettingsError: the file may not be read or made.
        StoreUnavailable: it cannot be now.
        StoreError: the file holds none; with an empty secret tokens could be guessed.
    """
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            written = path.with_name(f"{path.name}.new")
            written.unlink(missing_ok=True)
            written.touch(mode=0o600)
            with written.open("w", encoding="ascii") as file:
                file.write(secrets.token_hex(SECRET_BYTES) + "\n")
                file.flush()
                os.fsync(file.fileno())
            written.rename(path)
        secret = path.read_bytes().strip()
    except OSError as error:
        raise _unusable(error, path) from error
    if not secret.isascii() or len(secret) < SECRET_BYTES:
        raise StoreError(
            f"{path} holds no secret, which is a line of {SECRET_BYTES} or more ASCII characters: "
            "restore it from a backup, or delete it"
        )
    return secret


@contextlib.contextmanager
def sole_daemon(data: Path) -> Iterator[None]:
    """The only daemon on a data folder, which is made: the lock ends with the process, however
    it ends.

    Raises:
        SettingsError: another daemon holds it, and which process; or the folder may not be used.
        StoreUnavailable: the folder cannot be used now.
    """
    with contextlib.ExitStack() as opened:
        try:
            data.mkdir(parents=True, exist_ok=True)
            file = opened.enter_context((data / LOCK).open("a+", encoding="utf-8"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            what = f"another judge serves {data} already: {holder}"
            remedy = "Stop it, or give this one its own folder"
            raise SettingsError([Fault("judge.data", what, remedy)]) from error
        except OSError as error:
            raise _unusable(error, data) from error
        with contextlib.suppress(OSError):  # on a full disk it holds just as well
            file.truncate(0)
            file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
            file.flush()
        yield


def _unusable(error: OSError, path: Path) -> JudgeError:
    """A full or failing disk passes; rights and wrong paths are the keeper's to correct."""
    what = f"{error.filename or path}: {error.strerror or error}"
    if may_pass(error):
        return StoreUnavailable(what)
    remedy = f"Write a folder that the user of the judge may write to; this is user {os.getuid()}"
    return SettingsError([Fault("judge.data", what, remedy)])
