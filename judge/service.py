"""Puts the running service together: settings, database, mail servers, daemon."""

import asyncio
import contextlib
import json
import logging
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from judge.clock import Clock, SystemClock
from judge.config import ImapSettings, Secret, Settings, SmtpSettings, SmtpTls, load_settings
from judge.daemon import Daemon
from judge.data_folder import DATABASE, load_secret, open_database, sole_daemon
from judge.errors import JudgeError, StoreUnavailable, Unavailable
from judge.mail import ImapAccount, ImapInbox, SmtpAccount, SmtpDelivery
from judge.picture_pool import PicturePool
from judge.store import Database

log = logging.getLogger(__name__)

TOKEN_SECONDS = 30.0
EMBEDDED_ADDRESS = "judge@judge.test"


async def token_from_command(command: str) -> str:
    """What the keeper's `token_command` prints: an access token.

    Raises:
        Unavailable: it failed, or took too long.
    """
    child = await asyncio.create_subprocess_shell(
        command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, said = await asyncio.wait_for(child.communicate(), TOKEN_SECONDS)
    except TimeoutError as error:
        child.kill()
        raise Unavailable("token_command took too long") from error
    if child.returncode:
        lines = said.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
        raise Unavailable(f"token_command ended with {child.returncode}: {last[:200]}")
    token = out.decode(errors="replace").strip()
    if not token:
        raise Unavailable("token_command printed no token")
    return token


def _account(server: ImapSettings | SmtpSettings) -> dict[str, Any]:
    """What `ImapAccount` and `SmtpAccount` have in common."""
    return {
        "host": server.host,
        "port": server.port,
        "user": server.user,
        "password": server.password.get_secret_value() if server.password else "",
        "token": partial(token_from_command, server.token_command)
        if server.token_command
        else None,
        "ca_file": server.ca_file,
    }


def make_inbox(settings: Settings) -> ImapInbox:
    """The inbox of the settings; connects when it is opened."""
    imap = settings.imap
    return ImapInbox(
        ImapAccount(
            **_account(imap),
            tls=imap.tls,
            folder=imap.folder,
            processed_folder=imap.processed_folder,
            max_bytes=settings.limits.letter_bytes,
        )
    )


def make_delivery(settings: Settings) -> SmtpDelivery:
    """The way out of the settings."""
    return SmtpDelivery(SmtpAccount(**_account(settings.smtp), tls=settings.smtp.tls.value))


def make_daemon(settings: Settings, database: Database, clock: Clock) -> Daemon:
    """A daemon with the mail servers of the settings. Raises what `load_secret` does."""
    processes = settings.limits.picture_processes
    return Daemon(
        settings,
        database,
        make_inbox(settings),
        make_delivery(settings),
        clock,
        load_secret(settings.secret_path),
        PicturePool(processes) if processes else None,
    )


async def serve(
    settings: Settings, clock: Clock | None = None, when_ready: Callable[[], None] | None = None
) -> None:
    """Run the daemon until SIGTERM or SIGINT. `when_ready` is called after the first reading.

    While the disk is full, or another process holds the database, the start is tried again.
    """
    clock, stopped = clock or SystemClock(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # no signals on this system's loop
            loop.add_signal_handler(number, stopped.set)
    failures = 0
    while not stopped.is_set():
        try:
            with contextlib.ExitStack() as opened:
                opened.enter_context(sole_daemon(settings.judge.data))
                database = await asyncio.to_thread(
                    open_database, settings, may_make=True, may_migrate=True
                )
                opened.callback(database.close)
                await asyncio.to_thread(database.check)
                daemon = make_daemon(settings, database, clock)
                for event, do in ((stopped, daemon.stop), (daemon.ready, when_ready)):
                    if do is not None:
                        opened.callback(asyncio.create_task(_call_when_set(event, do)).cancel)
                await daemon.run()
            break
        except StoreUnavailable as error:
            failures += 1
            log.warning("judge cannot begin yet reason=%s", error)
            await clock.wait(stopped, settings.clock.retry_pause_seconds(failures))


async def _call_when_set(event: asyncio.Event, do: Callable[[], None]) -> None:
    await event.wait()
    do()


def embedded_settings(
    directory: Path,
    imap_port: int,
    smtp_port: int,
    environ: Mapping[str, str],
    file: Path | None = None,
) -> Settings:
    """The settings of a judge that brings its own mail server on loopback.

    The file and the environment may change all but the mail servers, the data folder and how often
    strangers are answered: on loopback nobody has to be kept from it.

    Raises:
        SettingsError: the file or the environment holds a faulty value.
    """
    servers = ("JUDGE_IMAP__", "JUDGE_SMTP__")
    given = {name: environ[name] for name in environ if not name.startswith(servers)}
    settings = load_settings(file, given, for_mail=False)
    host, address, password = "127.0.0.1", EMBEDDED_ADDRESS, Secret("any")
    changes = {"address": address, "data": directory.absolute()}
    return settings.model_copy(
        update={
            "judge": settings.judge.model_copy(update=changes),
            "imap": ImapSettings(
                host=host, port=imap_port, tls=False, user=address, password=password
            ),
            "smtp": SmtpSettings(host=host, port=smtp_port, tls=SmtpTls.NONE),
            "limits": settings.limits.model_copy(
                update={"stranger_letters_a_day": 1000, "strangers_a_day": 100_000}
            ),
        }
    )


async def serve_embedded(directory: Path, environ: dict[str, str], file: Path | None) -> None:
    """Run the daemon with a mail server of its own; `ports.json` says where it listens.

    Raises:
        ModuleNotFoundError: the extra `judge[demo]`, which brings the mail server, is missing.
    """
    from judge.mail.embedded import EmbeddedServer

    taken: frozenset[str] = frozenset()
    with contextlib.suppress(JudgeError):  # `serve` says what is wrong with it
        database = Database(directory / DATABASE, may_make=False, may_migrate=False)
        with contextlib.closing(database), database.read() as tx:
            taken = tx.letters.settled_digests()
    server = EmbeddedServer(directory / "letters", {EMBEDDED_ADDRESS: taken})
    await server.start()
    try:
        ports = (server.imap_port, server.smtp_port)
        settings = embedded_settings(directory, *ports, environ, file)
        address = settings.judge.address
        print(
            f"IMAP 127.0.0.1:{server.imap_port}, SMTP 127.0.0.1:{server.smtp_port}, "
            f"letters to {address}",
            file=sys.stderr,
        )
        about = {"imap": server.imap_port, "smtp": server.smtp_port, "judge": address}

        def write_ports() -> None:  # whole or not at all: somebody may wait for the file
            written = directory / "ports.json.new"
            written.write_text(json.dumps(about) + "\n", encoding="utf-8")
            written.replace(directory / "ports.json")

        await serve(settings, when_ready=write_ports)
    finally:
        await server.stop()
