"""Puts the running service together: settings, database, mail servers, daemon."""

import asyncio
import contextlib
import json
import logging
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

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


async def printed_token(command: str) -> str:
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


def picture_pool(settings: Settings) -> PicturePool | None:
    """What draws the pictures of letters, unless the settings want none."""
    processes = settings.limits.picture_processes
    return PicturePool(processes) if processes else None


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
            with sole_daemon(settings.judge.data):
                await _serve(settings, clock, stopped, when_ready or (lambda: None))
            break
        except StoreUnavailable as error:
            failures += 1
            log.warning("judge cannot begin yet reason=%s", error)
            await clock.wait(stopped, settings.clock.pause_seconds(failures))


async def _serve(
    settings: Settings, clock: Clock, stopped: asyncio.Event, when_ready: Callable[[], None]
) -> None:
    with contextlib.closing(
        await asyncio.to_thread(open_database, settings, may_make=True, may_migrate=True)
    ) as database:
        await asyncio.to_thread(database.check)
        daemon = Daemon(
            settings,
            database,
            make_inbox(settings.imap, settings.limits.letter_bytes),
            make_delivery(settings.smtp),
            clock,
            load_secret(settings.secret_path),
            picture_pool(settings),
        )
        beside = [
            asyncio.create_task(_when(stopped, daemon.stop)),
            asyncio.create_task(_when(daemon.ready, when_ready)),
        ]
        try:
            await daemon.run()
        finally:
            for task in beside:
                task.cancel()


async def _when(event: asyncio.Event, do: Callable[[], None]) -> None:
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


async def serve_embedded(
    directory: Path, environ: dict[str, str], file: Path | None = None
) -> None:
    """Run the daemon with a mail server of its own; `ports.json` says where it listens.

    Raises:
        ModuleNotFoundError: the extra `judge[demo]`, which brings the mail server, is missing.
    """
    from judge.mail.embedded import EmbeddedServer

    taken: frozenset[str] = frozenset()
    with contextlib.suppress(JudgeError):  # `serve` says what is wrong with it
        database = Database(directory / DATABASE, may_make=False, may_migrate=False)
        with contextlib.closing(database), database.read() as tx:
            taken = tx.letters.digests()
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
