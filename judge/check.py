"""`judge check`: tries IMAP, SMTP, the database and the clock, and says how to mend faults."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from judge.config import Settings
from judge.errors import JudgeError, Unavailable
from judge.own_variants import take_own_variants
from judge.service import VariantsGone, make_delivery, make_inbox, open_database

SKEW = timedelta(minutes=2)  # a clock that is further off than this miscounts deadlines
NEWEST_LOOKED_AT = 50  # letters whose dates are compared with our clock


def check(settings: Settings) -> int:
    """Try everything, print a line for each, return the exit code: 0 if all is well, else 1."""
    steps: list[tuple[str, Callable[[], Awaitable[str]]]] = [
        ("database", lambda: _check_database(settings)),
        ("IMAP", lambda: _check_imap(settings)),
        ("SMTP", lambda: _check_smtp(settings)),
    ]
    if settings.judge.variants is not None:
        steps.append(("variants", lambda: _check_variants(settings)))
    return asyncio.run(_run(steps))


async def _run(steps: list[tuple[str, Callable[[], Awaitable[str]]]]) -> int:
    failed = 0
    for name, step in steps:
        try:
            print(f"ok    {name}: {await step()}")
        except (JudgeError, OSError) as error:
            failed += 1
            print(f"FAIL  {name}: {error}")
            if not isinstance(error, VariantsGone):  # which says it itself
                print(f"      {_remedy(name, error)}")
    if failed:
        print(f"{failed} of {len(steps)} checks failed.", file=sys.stderr)
    return 1 if failed else 0


def _remedy(name: str, error: Exception) -> str:
    if name == "database":
        return "See that [judge] data is a folder this user may write to, on a disk with room."
    if name == "variants":
        return "Mend these files; until then such a variant is left out, and all others are played."
    section = name.lower()
    if "AUTH" in str(error).upper() or "LOGIN" in str(error).upper():
        return f"See [{section}] user, and password, password_file or token_command."
    return f"See [{section}] host, port and tls, and that the server can be reached from here."


async def _check_database(settings: Settings) -> str:
    database = open_database(settings)
    try:
        with database.transaction() as store:
            names, stuck = store.game_names(), store.stuck()
            shunted, halted = store.shunted(), store.halted_games()
            last = store.last_heartbeat()
    finally:
        database.close()
    now = datetime.now(UTC)
    if last is not None and last - now > SKEW:
        raise Unavailable(f"the clock is behind: the judge last ran at {last:%Y-%m-%d %H:%M} UTC")
    told = [f"{len(names)} games", f"clock {now:%Y-%m-%d %H:%M} UTC"]
    told += [f"{len(stuck)} letters are stuck"] if stuck else []
    told += [f"{len(shunted)} letters could not be read"] if shunted else []
    told += [f"halted: {', '.join(game for game, _ in halted)}"] if halted else []
    return ", ".join(told)


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
    advance = max((one.received_at for one in listed[-NEWEST_LOOKED_AT:]), default=None)
    if advance is not None and advance - datetime.now(UTC) > SKEW:
        raise Unavailable(f"its clock is ahead of ours: a letter is dated {advance:%H:%M} UTC")
    mark = _mark(settings)
    if mark is None:
        return f"{len(listed)} older letters are in {settings.imap.folder} and are left alone"
    waiting = sum(1 for one in listed if one.uid > mark[1] or status.uid_validity != mark[0])
    return f"{len(listed)} letters in {settings.imap.folder}, {waiting} of them not yet read"


def _mark(settings: Settings) -> tuple[int, int] | None:
    database = open_database(settings)
    try:
        with database.transaction() as store:
            mark = store.mailbox_mark()
    finally:
        database.close()
    return (mark.uid_validity, mark.last_uid) if mark else None


async def _check_smtp(settings: Settings) -> str:
    await make_delivery(settings.smtp).try_login(settings.judge.address)
    return f"{settings.smtp.host}:{settings.smtp.port} takes letters"
