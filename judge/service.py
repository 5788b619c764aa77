"""Puts the running service together: settings, database, mail servers, daemon."""

import asyncio
import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from judge.clock import Clock, SystemClock
from judge.config import ImapSettings, Secret, Settings, SmtpSettings, SmtpTls, load_settings
from judge.daemon import Daemon
from judge.data import variant_folders
from judge.errors import Fault, JudgeError, SettingsError, Unavailable
from judge.hosting import load_secret
from judge.mail import ImapAccount, ImapInbox, SmtpAccount, SmtpDelivery
from judge.store import Database

DATABASE = "judge.sqlite3"
LOCK = "judge.lock"
TOKEN_SECONDS = 30.0
EMBEDDED_ADDRESS = "judge@judge.test"


async def printed_token(command: str) -> str:
    """What the keeper's `token_command` prints: an access token.

    Raises:
        Unavailable: it failed, or took too long.
    """
    child = await asyncio.create_subprocess_shell(
        command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        out, _ = await asyncio.wait_for(child.communicate(), TOKEN_SECONDS)
    except TimeoutError as error:
        child.kill()
        raise Unavailable("token_command took too long") from error
    if child.returncode:
        raise Unavailable(f"token_command ended with {child.returncode}")
    return out.decode(errors="replace").strip()


def make_inbox(imap: ImapSettings, max_bytes: int) -> ImapInbox:
    """The inbox of the settings; connects when it is opened."""
    command = imap.token_command
    return ImapInbox(
        ImapAccount(
            host=imap.host,
            port=imap.port,
            tls=imap.tls,
            user=imap.user,
            password=imap.password.get_secret_value() if imap.password else "",
            token=(lambda: printed_token(command)) if command else None,
            folder=imap.folder,
            processed_folder=imap.processed_folder,
            max_bytes=max_bytes,
            ca_file=imap.ca_file,
        )
    )


def make_delivery(smtp: SmtpSettings) -> SmtpDelivery:
    """The way out of the settings."""
    command = smtp.token_command
    return SmtpDelivery(
        SmtpAccount(
            host=smtp.host,
            port=smtp.port,
            tls=smtp.tls.value,
            user=smtp.user,
            password=smtp.password.get_secret_value() if smtp.password else "",
            token=(lambda: printed_token(command)) if command else None,
            ca_file=smtp.ca_file,
        )
    )


class VariantsGone(JudgeError):
    """Games are of variants that are not here; says which, and what to do."""


def open_database(settings: Settings) -> Database:
    """The judge's database, made at the first start.

    Raises:
        JudgeError: it cannot be opened.
        VariantsGone: it holds games that could be neither played nor listed.
    """
    settings.judge.data.mkdir(parents=True, exist_ok=True)
    database = Database(settings.judge.data / DATABASE)
    with database.read() as tx:
        in_use = tx.games.variants()
    gone = {name: games for name, games in in_use.items() if name not in variant_folders()}
    if gone:
        database.close()
        raise VariantsGone(
            "; ".join(f"{', '.join(games)}: no variant {name}" for name, games in gone.items())
            + ". Put each back into the folder of [judge] variants; `judge variants check` tells "
            "what is wrong with it."
        )
    return database


@contextlib.contextmanager
def sole_daemon(data: Path) -> Iterator[None]:
    """The only daemon on a data folder: the lock ends with the process, however it ends.

    Raises:
        SettingsError: another daemon holds it; says which process.
    """
    data.mkdir(parents=True, exist_ok=True)
    with (data / LOCK).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            what = f"another judge serves {data} already: {holder}"
            fault = Fault("judge.data", "", None, what, "Stop it, or give this one its own folder")
            raise SettingsError([fault]) from error
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield


async def serve(
    settings: Settings, clock: Clock | None = None, when_ready: Callable[[], None] | None = None
) -> None:
    """Run the daemon until SIGTERM or SIGINT. `when_ready` is called after the first reading."""
    with sole_daemon(settings.judge.data):
        await _serve(settings, clock or SystemClock(), when_ready or (lambda: None))


async def _serve(settings: Settings, clock: Clock, when_ready: Callable[[], None]) -> None:
    database = open_database(settings)
    daemon = Daemon(
        settings,
        database,
        make_inbox(settings.imap, settings.limits.letter_bytes),
        make_delivery(settings.smtp),
        clock,
        load_secret(settings.secret_path),
    )
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # no signals on this system's loop
            loop.add_signal_handler(number, daemon.stop)
    telling = asyncio.create_task(_tell_ready(daemon, when_ready))
    try:
        await daemon.run()
    finally:
        telling.cancel()
        database.close()


async def _tell_ready(daemon: Daemon, when_ready: Callable[[], None]) -> None:
    await daemon.ready.wait()
    when_ready()


def embedded_settings(
    directory: Path, imap_port: int, smtp_port: int, environ: Mapping[str, str]
) -> Settings:
    """The settings of a judge that brings its own mail server on loopback.

    The environment may change all but the mail servers, the data folder and how often strangers
    are answered: on loopback nobody has to be kept from it.

    Raises:
        SettingsError: the environment holds a faulty value.
    """
    servers = ("JUDGE_IMAP__", "JUDGE_SMTP__")
    given = {name: environ[name] for name in environ if not name.startswith(servers)}
    settings = load_settings(None, given, for_mail=False)
    host, address, password = "127.0.0.1", EMBEDDED_ADDRESS, Secret("any")
    changes = {"address": address, "data": directory.absolute()}
    return settings.model_copy(
        update={
            "judge": settings.judge.model_copy(update=changes),
            "imap": ImapSettings(
                host=host, port=imap_port, tls=False, user=address, password=password
            ),
            "smtp": SmtpSettings(host=host, port=smtp_port, tls=SmtpTls.NONE),
            "limits": settings.limits.model_copy(update={"stranger_letters_a_day": 1000}),
        }
    )


async def serve_embedded(directory: Path, environ: dict[str, str]) -> None:
    """Run the daemon with a mail server of its own; `ports.json` says where it listens.

    Raises:
        ModuleNotFoundError: the extra `judge[demo]`, which brings the mail server, is missing.
    """
    from judge.mail.embedded import EmbeddedServer

    server = EmbeddedServer(journal=directory / "letters")
    await server.start()
    try:
        settings = embedded_settings(directory, server.imap_port, server.smtp_port, environ)
        address = settings.judge.address
        print(
            f"IMAP 127.0.0.1:{server.imap_port}, SMTP 127.0.0.1:{server.smtp_port}, "
            f"letters to {address}",
            file=sys.stderr,
        )
        ports = {"imap": server.imap_port, "smtp": server.smtp_port, "judge": address}

        def write_ports() -> None:  # whole or not at all: somebody may wait for the file
            written = directory / "ports.json.new"
            written.write_text(json.dumps(ports) + "\n", encoding="utf-8")
            written.replace(directory / "ports.json")

        await serve(settings, when_ready=write_ports)
    finally:
        await server.stop()
