"""`judge check`: tries settings, data, IMAP, SMTP and variants, and says how to correct faults."""

import asyncio
import os
import sys
import tomllib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from secrets import token_hex

from judge.config import Settings
from judge.data import read_text
from judge.data_folder import load_secret, open_database
from judge.errors import JudgeError, Unavailable
from judge.hosting import HEARTBEAT, host_config
from judge.own_variants import take_own_variants
from judge.service import make_delivery, make_inbox
from judge.store import NoDatabase, UidCheckpoint

DATA_REMEDY = "[judge] data must be a folder that this user may write to, on a disk with room."
SKEW = timedelta(minutes=2)  # a clock that is wrong by more than this miscounts deadlines

# What to look at, by a word of the fault; the first that fits.
REMEDIES = [
    (one["words"], one["text"]) for one in tomllib.loads(read_text("remedies.toml"))["remedies"]
]


def check(settings: Settings) -> int:
    """Try everything, print a line for each, return the exit code: 0 if all is well, else 1. Raises
    SettingsError: `judge serve` would refuse them."""
    host_config(settings)
    return asyncio.run(_check_all(settings))


async def _check_all(settings: Settings) -> int:
    failed: list[str] = []

    def fail(name: str, why: object, *remedies: str) -> None:
        failed.append(name)
        print(f"FAIL  {name}: {why}")
        for line in remedies:
            print(f"      {line}")

    read: UidCheckpoint | None = None
    try:
        said, read = _check_data(settings)
        print(f"ok    database: {said}")
    except (JudgeError, OSError) as error:
        says_more = not isinstance(error, Unavailable) or "locked" in str(error)
        fail("database", error, *(() if says_more else (DATA_REMEDY,)))
    for name, try_it in (("IMAP", _check_imap), ("SMTP", _check_smtp)):
        try:
            said = await try_it(settings, read)
            print(f"{'warn' if said.startswith('letters stay') else 'ok':<5} {name}: {said}")
        except (JudgeError, OSError) as error:
            fault = f" {error}".upper()
            remedy = next(text for words, text in REMEDIES if any(one in fault for one in words))
            fail(name, error, remedy.format(section=name.lower()))
    if settings.judge.variants is not None:
        found = take_own_variants(settings)
        if faulty := [each for each in found if each.faults]:
            faults = [f"{each.name}: {fault}" for each in faulty for fault in each.faults]
            faults.append("Correct these files. Until then the judge plays all other variants.")
            fail("variants", f"{len(faulty)} of {len(found)} are faulty", *faults)
        else:
            names = ", ".join(each.name for each in found) or "none"
            print(f"ok    variants: {names} in {settings.judge.variants}")
    if failed:
        print(f"Checks that failed: {len(failed)}.", file=sys.stderr)
    return 1 if failed else 0


def _check_data(settings: Settings) -> tuple[str, UidCheckpoint | None]:
    """What the data folder holds, and how far the mailbox was read. Makes nothing there."""
    now = datetime.now(UTC)
    try:
        database = open_database(settings, may_make=False)
    except NoDatabase:
        folder = next(
            one for one in (settings.judge.data, *settings.judge.data.parents) if one.exists()
        )
        if not (folder.is_dir() and os.access(folder, os.W_OK)):
            raise Unavailable(f"{folder} may not be written to by this user") from None
        return f"no database yet; `judge serve` makes it in {settings.judge.data}", None
    try:
        database.check()
        load_secret(settings.secret_path)
        with database.read() as tx:
            games, last = tx.games.count(), tx.timestamps.get(HEARTBEAT)
            stuck, waiting, shunted = tx.outbox.stuck(), tx.outbox.deferred(), tx.letters.shunted()
            halted, read = tx.games.halted(), tx.mailbox.checkpoint()
    finally:
        database.close()
    if last is not None and last - now > SKEW:
        raise Unavailable(f"the clock is behind: the judge last ran at {last:%Y-%m-%d %H:%M} UTC")
    found = [f"{games} games", f"clock {now:%Y-%m-%d %H:%M} UTC"]
    found += [f"{len(stuck)} letters are stuck"] if stuck else []
    found += [f"{len(waiting)} letters wait for another try"] if waiting else []
    found += [f"{len(shunted)} letters could not be read"] if shunted else []
    found += [f"halted: {', '.join(game for game, _ in halted)}"] if halted else []
    return ", ".join(found), read


async def _check_imap(settings: Settings, read: UidCheckpoint | None) -> str:
    """The mailbox is read, and a letter of our own is put into it and filed away."""
    inbox, address = make_inbox(settings), settings.judge.address
    message_id = f"<check.{token_hex(16)}@{address.rpartition('@')[2]}>"
    now = datetime.now(UTC)
    letter = (
        f"From: {address}\r\nTo: {address}\r\nSubject: judge check\r\n"
        f"Date: {format_datetime(now)}\r\nMessage-ID: {message_id}\r\n"
        "Auto-Submitted: auto-generated\r\n\r\n"
        "judge check has put this letter here to see whether it can be filed away.\r\n"
    )
    try:
        status = await inbox.open()
        listed = await inbox.new_letters(0)
        received_at, refusal = await inbox.check_filing(letter.encode(), message_id)
    finally:
        await inbox.close()
    now = datetime.now(UTC)
    if received_at is not None and abs(now - received_at) > SKEW:
        seconds = int(abs(now - received_at).total_seconds())
        side = "ahead of" if now > received_at else "behind"
        raise Unavailable(f"this machine's clock is {seconds} s {side} the mail server's")
    folder = settings.imap.folder
    if refusal:
        return (
            f"letters stay in {folder}: none could be filed into "
            f"{settings.imap.processed_folder!r}, nor inside {folder}: {refusal}. The judge knows "
            "by their numbers which it has read; have the folder made, or the quota raised"
        )
    if read is None:
        return f"{len(listed)} older letters are in {folder}; the judge leaves them alone"
    is_same = status.uid_validity == read.uid_validity
    waiting = sum(1 for one in listed if not is_same or one.uid > read.last_uid)
    return f"{len(listed)} letters in {folder}, {waiting} of them not yet read"


async def _check_smtp(settings: Settings, _: UidCheckpoint | None) -> str:
    await make_delivery(settings).check_sending(settings.judge.address)
    return f"{settings.smtp.host}:{settings.smtp.port} takes letters of {settings.judge.address}"
