"""`judge check`: tries database, IMAP, SMTP and variants, and says how to correct faults."""

import asyncio
import sys
from datetime import UTC, datetime, timedelta

from judge.config import Settings
from judge.errors import JudgeError, Unavailable
from judge.hosting import HEARTBEAT
from judge.own_variants import take_own_variants
from judge.service import VariantsGone, make_delivery, make_inbox, open_database

SKEW = timedelta(minutes=2)  # a clock that is wrong by more than this miscounts deadlines
NEWEST_LOOKED_AT = 50  # letters whose dates are compared with our clock

REMEDIES = {
    "database": "[judge] data must be a folder that this user may write to, on a disk with room.",
    "variants": "Correct these files. Until then the judge plays all other variants.",
    "login": "See [{section}] user, and password, password_file or token_command.",
    "server": "See [{section}] host, port and tls. This machine must be able to reach the server.",
}


def check(settings: Settings) -> int:
    """Try everything, print a line for each, return the exit code: 0 if all is well, else 1."""
    return asyncio.run(_check_all(settings))


async def _check_all(settings: Settings) -> int:
    checks = {"database": _check_database, "IMAP": _check_imap, "SMTP": _check_smtp}
    if settings.judge.variants is not None:
        checks["variants"] = _check_variants
    failed = 0
    for name, try_it in checks.items():
        try:
            print(f"ok    {name}: {await try_it(settings)}")
        except (JudgeError, OSError) as error:
            failed += 1
            print(f"FAIL  {name}: {error}")
            is_login = any(word in str(error).upper() for word in ("AUTH", "LOGIN"))
            remedy = REMEDIES.get(name) or REMEDIES["login" if is_login else "server"]
            if not isinstance(error, VariantsGone):  # which says its own remedy
                print(f"      {remedy.format(section=name.lower())}")
    if failed:
        print(f"{failed} of {len(checks)} checks failed.", file=sys.stderr)
    return 1 if failed else 0


async def _check_database(settings: Settings) -> str:
    database = open_database(settings)
    try:
        with database.read() as tx:
            games, last = tx.games.count(), tx.timestamps.get(HEARTBEAT)
            stuck, shunted = tx.outbox.stuck(), tx.letters.shunted()
            halted = tx.games.halted()
    finally:
        database.close()
    now = datetime.now(UTC)
    if last is not None and last - now > SKEW:
        raise Unavailable(f"the clock is behind: the judge last ran at {last:%Y-%m-%d %H:%M} UTC")
    found = [f"{games} games", f"clock {now:%Y-%m-%d %H:%M} UTC"]
    found += [f"{len(stuck)} letters are stuck"] if stuck else []
    found += [f"{len(shunted)} letters could not be read"] if shunted else []
    found += [f"halted: {', '.join(game for game, _ in halted)}"] if halted else []
    return ", ".join(found)


async def _check_variants(settings: Settings) -> str:
    found = take_own_variants(settings)
    faulty = [each for each in found if each.faults]
    if faulty:
        faults = [f"{each.name}: {fault}" for each in faulty for fault in each.faults]
        raise Unavailable("\n      ".join([f"{len(faulty)} of {len(found)} are faulty", *faults]))
    return f"{', '.join(each.name for each in found) or 'none'} in {settings.judge.variants}"


async def _check_imap(settings: Settings) -> str:
    inbox = make_inbox(settings.imap, settings.limits.letter_bytes)
    try:
        status = await inbox.open()
        listed = await inbox.new_letters(0)
    finally:
        await inbox.close()
    newest = max((one.received_at for one in listed[-NEWEST_LOOKED_AT:]), default=None)
    if newest is not None and newest - datetime.now(UTC) > SKEW:
        raise Unavailable(f"its clock is ahead of ours: a letter is dated {newest:%H:%M} UTC")
    database = open_database(settings)
    try:
        with database.read() as tx:
            read = tx.mailbox.checkpoint()
    finally:
        database.close()
    folder = settings.imap.folder
    if read is None:
        return f"{len(listed)} older letters are in {folder}; the judge leaves them alone"
    is_same = status.uid_validity == read.uid_validity
    waiting = sum(1 for one in listed if not is_same or one.uid > read.last_uid)
    return f"{len(listed)} letters in {folder}, {waiting} of them not yet read"


async def _check_smtp(settings: Settings) -> str:
    await make_delivery(settings.smtp).try_login(settings.judge.address)
    return f"{settings.smtp.host}:{settings.smtp.port} takes letters"
