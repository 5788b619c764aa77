"""CPU of a letter of orders, from the inbox to its answer.

    .venv/bin/python -m bench.letter_cost --before ../before/.venv/bin/python

Mailbox and way out are in memory, so no mail server's work is counted; the database is a file
(`--dir`). Seventy players in ten standard games reply three times each with orders for their units,
no two alike, above a quote of the judge's newest letter. The letters have about 3.5 kB; half of
them are spelled freely, with a second part in HTML. Reported is user and system time of the process
in milliseconds a letter: the median of the runs, and the least and the most.

- read    a letter's bytes to its text: MIME, quotes, who wrote
- take    the rest of its way to the commit: commands, orders, the transaction
- render  its answer from the outbox to the stored bytes, headers included
- send    claimed, given to the way out, noted as sent
- daemon  all of it by the daemon with its loop and its writer thread, the inbox emptied at once

`read` is measured on the same letters by itself, and taken off the time to the commit.
"""

import argparse
import asyncio
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from time import process_time

from bench.same_bytes import Variant
from bench.service import JUDGE, OPENINGS, START, Service, address_of
from judge.daemon import Daemon
from judge.mail import read_letter
from judge.store import Database

try:
    from tests.mail.memory import MemoryDelivery, MemoryInbox
except ImportError:  # release 0.1 had them in its package
    from judge.mail import MemoryDelivery, MemoryInbox

GAMES = 10
LETTERS_A_PLAYER = 3
RUNS = 5
GOAL_MS = 9.0
STANDARD = Variant("standard")
STEPS = ("read", "take", "render", "send")
WORDS = {"A": "Army", "F": "Fleet", "H": "holds", "S": "supports"}
BETWEEN = ("-", ">", "to", "→", "->")
# What providers put before a letter, and the judge does not read.
TRACE_HEADERS = (
    "Received: from mail.example.test (mail.example.test [192.0.2.7])\n"
    "\tby mx.judge.test (Postfix) with ESMTPS id 4Z0xkC1q7Tz9sSL\n"
    "\tfor <judge@judge.test>; Tue, 1 Dec 2026 12:00:00 +0000 (UTC)\n"
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.test; s=20230601;\n"
    "\tt=1796126400; x=1796731200; h=to:subject:message-id:date:from:mime-version;\n"
    f"\tbh={'Zm9vYmFy' * 6}=; b={'YWJjZGVm' * 42}==\n"
    "X-Mailer: Postbox 7.0 (Linux)\n"
).encode("ascii")


def orders_of(power: str, chance: random.Random) -> list[str]:
    """Orders for a power's first units, of all kinds, as a careful player writes them."""
    orders = []
    for unit in STANDARD.units[power]:
        helped = chance.choice(STANDARD.units[power])
        move = f"{unit} - {chance.choice(STANDARD.ways_of(unit))}"
        support = f"{unit} S {helped}" if helped != unit else move
        orders.append(chance.choices((move, f"{unit} H", support), (8, 1, 1))[0])
    return orders


def spelled(orders: Sequence[str], chance: random.Random) -> str:
    """The same as people write it: names in full, arrows, small letters, a greeting."""
    words = WORDS | STANDARD.names | {"-": chance.choice(BETWEEN)}
    text = "\n".join(" ".join(words.get(word, word) for word in order.split()) for order in orders)
    text = text if chance.random() < 0.5 else text.lower()
    return f"Hello judge,\n\n{text}\n\nBest wishes\n-- \nSent from my phone"


def with_games(path: Path) -> Service:
    """A database with games that wait for their first orders."""
    service = Service(path)
    for number in range(GAMES):
        service.start_game(f"balkan{number}" if number else "balkan", f"g{number}.")
    return service


def letters(service: Service, chance: random.Random) -> list[bytes]:
    """Every player's letters, player by player; every other one is spelled freely."""
    found = []
    is_free = cycle((False, True))
    for _ in range(LETTERS_A_PLAYER):
        for number in range(GAMES):
            for power in OPENINGS:
                free = next(is_free)
                orders = orders_of(power, chance)
                body = spelled(orders, chance) if free else "\n".join(orders)
                sender = address_of(power, f"g{number}.")
                # Those who write freely have a program that adds the letter in HTML.
                raw = service.reply(sender, body, with_html=free)
                found.append(TRACE_HEADERS + raw)
    return found


def spent(work: Callable[[], object]) -> float:
    """Milliseconds of CPU."""
    began = process_time()
    work()
    return 1000 * (process_time() - began)


def step_by_step(service: Service, raws: Sequence[bytes]) -> dict[str, float]:
    """Milliseconds a letter of each step; the letters are answered one by one."""
    total = dict.fromkeys(STEPS, 0.0)
    own = frozenset({JUDGE})
    for raw in raws:
        now = service.clock.now()
        read = spent(lambda raw=raw, now=now: read_letter(raw, now, own_addresses=own))  # type: ignore[misc]
        total["read"] += read
        service.count += 1
        total["take"] += spent(lambda raw=raw: service.take(raw)) - read  # type: ignore[misc]
        total["render"] += spent(service.render)
        total["send"] += spent(service.send)
    return {name: value / len(raws) for name, value in total.items()}


class DaemonClock:
    """Stands still, and waits for what it is woken by."""

    def now(self):  # type: ignore[no-untyped-def]
        return START

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        try:
            await asyncio.wait_for(wake.wait(), min(seconds, 0.05))
        except TimeoutError:
            return


def by_daemon(path: Path, settings: object, raws: Sequence[bytes]) -> float:
    """Milliseconds a letter when the daemon finds all letters in its inbox."""

    async def go() -> float:
        database, delivery = Database(path), MemoryDelivery()
        inbox = MemoryInbox(uid_validity=2)  # its numbers are none of the letters before
        daemon = Daemon(settings, database, inbox, delivery, DaemonClock(), b"0" * 64)  # type: ignore[arg-type]
        running = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        began = process_time()
        for raw in raws:
            inbox.deliver(raw, START)
        while len(delivery.sent) < len(raws):  # noqa: ASYNC110  # a loop that costs nothing
            await asyncio.sleep(0.02)
        took = 1000 * (process_time() - began)
        daemon.stop()
        await running
        database.close()
        return took / len(raws)

    return asyncio.run(go())


def measure(folder: Path) -> dict[str, list[float]]:
    """Milliseconds a letter of each run, by step; `bytes` is the letters' average size."""
    service = with_games(folder / "made.sqlite3")
    chance = random.Random("letters")
    written = [[letters(service, chance) for _ in ("steps", "daemon")] for _ in range(RUNS + 1)]
    service.close()
    sizes = [len(raw) for both in written for raws in both for raw in raws]
    found: dict[str, list[float]] = {"bytes": [statistics.mean(sizes)]}
    for run, (raws, others) in enumerate(written):
        path = folder / "run.sqlite3"
        shutil.copy(folder / "made.sqlite3", path)
        fresh = replace(service, path=path, sent=[])
        steps = step_by_step(fresh, raws)
        fresh.close()
        shutil.copy(folder / "made.sqlite3", path)
        steps["all"] = sum(steps.values())
        steps["daemon"] = by_daemon(path, fresh.settings, others)
        path.unlink()
        if run:  # the first loads grammars and fills memories
            for name, value in steps.items():
                found.setdefault(name, []).append(value)
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    asked.add_argument("--before", help="the Python in which another release stands")
    asked.add_argument("--dir", type=Path, help="where the database lies; a temporary folder")
    asked.add_argument("--json", action="store_true", help="print one JSON object")
    told = asked.parse_args()
    with tempfile.TemporaryDirectory(dir=told.dir) as folder:
        now = measure(Path(folder))
    if told.json:
        print(json.dumps(now))
        return
    found = {"now": now}
    if told.before:
        here = str(Path(__file__).resolve().parent.parent)
        # -P and the path: that release's package, but this folder's benchmark.
        script = (
            f"import sys; sys.path.append({here!r}); from bench.letter_cost import main; main()"
        )
        arguments = [told.before, "-P", "-c", script, "--json"]
        if told.dir:
            arguments += ["--dir", str(told.dir)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
        found = {"before": json.loads(done.stdout), **found}
    print(f"letters of {now['bytes'][0]:.0f} bytes, {RUNS} runs; goal {GOAL_MS} ms")
    for name in (*STEPS, "all", "daemon"):
        cells = []
        for when, one in found.items():
            least, most = min(one[name]), max(one[name])
            cells.append(f"{when} {statistics.median(one[name]):6.2f} ({least:.2f} - {most:.2f})")
        print(f"{name:<7} ms  " + "   ".join(cells))


if __name__ == "__main__":
    sys.exit(main())
