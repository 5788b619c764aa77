"""Letters and deadlines through mail servers: `make bench-letters`, as root on Debian.

The judge runs as a process of its own on a database of a thousand running games and nine thousand
that wait for players, made beforehand; Dovecot holds its mailbox, and Postfix (TLS) or Postfix's
`smtp-sink` (no TLS) takes what it sends. CPU is the judge's user
and system time, that of the process in which it reads letters included.

- letters    replies with orders, as `bench/letter_cost.py` writes them, put into the mailbox at
             once; from there to the last answer taken
- strangers  letters of unknown people, one after another
- storm      a thousand games due at the same instant, seven orders' letters behind each; from the
             deadline to the first and to the last letter taken
- raw        the same letters by the plainest clients, in the same run: fetched and moved by
             imaplib, sent by smtplib over connections that are kept
"""

import argparse
import asyncio
import contextlib
import imaplib
import logging
import os
import random
import shutil
import smtplib
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.letter_cost import GAMES, letters, orders_of
from bench.service import JUDGE, OPENINGS, HandClock, Service, address_of
from judge.clock import SystemClock
from judge.config import load_settings
from judge.mail import CONNECTIONS
from judge.service import DATABASE, serve
from tests.servers.harness import MAIL_USER, PASSWORD, ServerPair, running_servers

BATCH = 20  # letters a fetch, as the judge does
PATIENCE_SECONDS = 600.0
SENT = "SELECT count(*) FROM outbox WHERE state = 'sent'"
STRANGERS = ("Hello, what is this?", "LIST", "JOIN nosuchgame FRANCE", "SIGNON Fnosuchgame secret")
GOALS = {
    "letters a second, TLS": "at least 80",
    "CPU of a letter, TLS": "at most 9 ms",
    "CPU of a stranger's letter": "under 15 ms",
    "storm, first letter": "at most 3 s",
    "storm, last letter": "under 45 s",
}


# --- the judge --------------------------------------------------------------------------------


class ShiftedClock(SystemClock):
    """The machine's clock, so many seconds ahead."""

    def __init__(self, seconds: float) -> None:
        self._ahead = timedelta(seconds=seconds)

    def now(self) -> datetime:
        return super().now() + self._ahead


@dataclass(frozen=True)
class Judge:
    """The judge's process and its database."""

    process: subprocess.Popen[bytes]
    database: sqlite3.Connection

    def cpu_seconds(self) -> float:
        """User and system time of the process and of the one in which it reads letters."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        children = [pid for task in tasks for pid in task.read_text("ascii").split()]
        ticks = 0
        for pid in (self.process.pid, *children):
            fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2]
            ticks += sum(map(int, fields.split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def sent(self) -> int:
        return int(self.database.execute(SENT).fetchone()[0])

    def wait_until(self, is_so: Callable[[], bool]) -> float:
        """The instant at which it was seen to be so."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_so():
            if time.monotonic() > end or self.process.poll() is not None:
                raise SystemExit("the judge does not come to its end; its log stands above")
            time.sleep(0.02)
        return time.monotonic()


@contextlib.contextmanager
def judging(
    made: Path, servers: ServerPair, *, tls: bool, sink: int = 0, ahead: float = 0
) -> Iterator[Judge]:
    """The judge at work on a copy of the database, with its mailbox read once."""
    with tempfile.TemporaryDirectory(dir=made.parent) as name:
        folder = Path(name)
        shutil.copy(made, folder / DATABASE)
        (folder / "secret").write_text("0" * 64 + "\n", encoding="ascii")
        ports = servers.ports
        ways = {
            "imap": f'port = {ports.imaps}\nca_file = "{servers.ca_file}"'
            if tls
            else f"port = {ports.imap}\ntls = false",
            "smtp": f'port = {ports.smtps}\nca_file = "{servers.ca_file}"'
            if tls
            else f'port = {sink}\ntls = "none"',
        }
        (folder / "judge.toml").write_text(
            f"""
[judge]
address = "{JUDGE}"
data = "{folder}"
[imap]
host = "{servers.host}"
user = "{JUDGE}"
password = "{PASSWORD}"
{ways["imap"]}
[smtp]
host = "{servers.host}"
{ways["smtp"]}
[limits]
stranger_letters_a_day = 1000
strangers_a_day = 100000
letters_an_hour = 100000
""",
            encoding="utf-8",
        )
        empty_mailbox(servers)
        ready = folder / "ready"
        command = [sys.executable, "-m", "bench.letters", "--serve", str(folder), str(ahead)]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        database = sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True)
        judge = Judge(process, database)
        try:
            judge.wait_until(ready.exists)
            yield judge
        except SystemExit:
            print((folder / "log").read_text(encoding="utf-8")[-3000:], file=sys.stderr)
            raise
        finally:
            process.terminate()
            process.wait()
            database.close()


def serve_here(folder: Path, ahead: float) -> None:
    """What the judge's process does."""
    logging.basicConfig(level=logging.INFO)
    settings = load_settings(folder / "judge.toml", {})
    asyncio.run(serve(settings, ShiftedClock(ahead), (folder / "ready").touch))


# --- the mailbox ------------------------------------------------------------------------------


def empty_mailbox(servers: ServerPair) -> None:
    with servers.imap(JUDGE) as client:
        for folder in ("INBOX", "Processed"):
            if client.select(folder)[0] == "OK" and client.search(None, "ALL")[1][0]:
                client.store("1:*", "+FLAGS", "\\Deleted")
                client.expunge()


def deliver(servers: ServerPair, raws: Sequence[bytes]) -> None:
    """Put letters into the judge's mailbox as Dovecot keeps it, all at the same time."""
    box = servers.directory / "home" / JUDGE / "Maildir"
    written = []
    for number, raw in enumerate(raws):
        name = f"{time.time_ns()}.M{number}.bench"
        path = box / "tmp" / name
        path.write_bytes(raw.replace(b"\r\n", b"\n"))
        shutil.chown(path, MAIL_USER)
        written.append((path, box / "new" / name))
    for path, new in written:
        path.rename(new)


# --- what is measured -------------------------------------------------------------------------


def measure_letters(judge: Judge, servers: ServerPair, raws: Sequence[bytes]) -> dict[str, float]:
    """Letters a second from the mailbox to the last answer taken, and CPU in ms a letter."""
    wanted, cpu, began = judge.sent() + len(raws), judge.cpu_seconds(), time.monotonic()
    deliver(servers, raws)
    ended = judge.wait_until(lambda: judge.sent() >= wanted)
    return {
        "a second": len(raws) / (ended - began),
        "CPU": 1000 * (judge.cpu_seconds() - cpu) / len(raws),
    }


def measure_strangers(judge: Judge, servers: ServerPair, service: Service) -> float:
    """CPU in ms of a letter; each is answered before the next comes."""
    cpu, count = judge.cpu_seconds(), 0
    for _ in range(20):
        for body in STRANGERS:
            wanted = judge.sent() + 1
            deliver(servers, [service.letter(f"stranger{count}@example.test", body)])
            judge.wait_until(lambda wanted=wanted: judge.sent() >= wanted)  # type: ignore[misc]
            count += 1
    return 1000 * (judge.cpu_seconds() - cpu) / count


def measure_storm(judge: Judge, due: float, games: int) -> dict[str, float]:
    """Seconds from the deadline to the first and to the last letter, and how many there were.

    `due` is the deadline by the monotonic clock.
    """
    judge.wait_until(lambda: time.monotonic() >= due)
    began = judge.sent()
    first = judge.wait_until(lambda: judge.sent() > began)
    waiting = "SELECT count(*) FROM outbox WHERE state IN ('queued', 'sending')"
    played = "SELECT count(*) FROM phases"

    def is_over() -> bool:
        are_played = judge.database.execute(played).fetchone()[0] >= games
        return are_played and not judge.database.execute(waiting).fetchone()[0]

    last = judge.wait_until(is_over)
    return {"first": first - due, "last": last - due, "letters": judge.sent() - began}


def raw_imap(servers: ServerPair, raws: Sequence[bytes], *, tls: bool) -> float:
    """Letters a second fetched and moved by imaplib, twenty at a time."""
    empty_mailbox(servers)
    deliver(servers, raws)
    kind = imaplib.IMAP4_SSL if tls else imaplib.IMAP4
    port, more = (servers.ports.imaps, {"ssl_context": servers.tls()}) if tls else (0, {})
    with kind(servers.host, port or servers.ports.imap, **more) as client:  # type: ignore[arg-type]
        client.login(JUDGE, PASSWORD)
        client.create("Processed")
        client.select("INBOX")
        began = time.monotonic()
        uids = client.uid("SEARCH", "ALL")[1][0].split()
        for start in range(0, len(uids), BATCH):
            batch = b",".join(uids[start : start + BATCH]).decode()
            client.uid("FETCH", batch, "(UID INTERNALDATE BODY.PEEK[])")
            client.uid("MOVE", batch, "Processed")
        return len(uids) / (time.monotonic() - began)


def raw_smtp(servers: ServerPair, raws: Sequence[bytes], port: int, *, tls: bool) -> float:
    """Letters a second taken over as many kept connections as the judge has."""
    shares = [raws[number::CONNECTIONS] for number in range(CONNECTIONS)]

    def send(share: Sequence[bytes]) -> None:
        client = (
            smtplib.SMTP_SSL(servers.host, port, context=servers.tls())
            if tls
            else smtplib.SMTP(servers.host, port)
        )
        with client:
            for raw in share:
                client.sendmail(JUDGE, ["someone@example.test"], raw)

    threads = [threading.Thread(target=send, args=(share,)) for share in shares]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(raws) / (time.monotonic() - began)


@contextlib.contextmanager
def smtp_sink() -> Iterator[int]:
    """The port of a server that takes everything and keeps nothing."""
    program = shutil.which("smtp-sink", path="/usr/sbin:/usr/lib/postfix/sbin:/usr/bin")
    if program is None:
        raise SystemExit("smtp-sink is not here: it comes with Postfix")
    port = 20_000 + os.getpid() % 20_000
    process = subprocess.Popen([program, "-u", "nobody", f"127.0.0.1:{port}", "1000"])
    try:
        for _ in range(250):
            with contextlib.suppress(OSError), smtplib.SMTP("127.0.0.1", port):
                break
            time.sleep(0.02)
        yield port
    finally:
        process.terminate()
        process.wait()


# --- the database -----------------------------------------------------------------------------


def make_database(folder: Path, running: int, forming: int) -> Service:
    """Running games with all orders in and one common deadline, and games that wait for players."""
    service = Service(folder / "made.sqlite3", HandClock(datetime.now(UTC)), step=timedelta())
    chance = random.Random("letters through servers")
    for number in range(running):
        prefix = f"g{number}."
        service.start_game(f"balkan{number}" if number else "balkan", prefix)
        for power in OPENINGS:
            service.say(address_of(power, prefix), "\n".join(orders_of(power, chance)))
        if number < GAMES:
            kept = len(service.sent)
        del service.sent[kept:]  # nobody replies to the letters of the others
    for number in range(forming):
        service.say(f"gm{number}@example.test", f"CREATE open{number}", reply=False)
        service.say(f"gm{number}@example.test", "yes")
    return service


def main() -> None:
    asked = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    asked.add_argument("--serve", nargs=2, metavar=("FOLDER", "AHEAD"), help=argparse.SUPPRESS)
    asked.add_argument("--running", type=int, default=1000, help="games that run, for the storm")
    asked.add_argument("--forming", type=int, default=9000, help="games that wait for players")
    asked.add_argument("--rounds", type=int, default=4, help="of 210 letters; one more is warm-up")
    told = asked.parse_args()
    if told.serve:
        serve_here(Path(told.serve[0]), float(told.serve[1]))
        return
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = stack.enter_context(running_servers(transport="discard:"))
        sink = stack.enter_context(smtp_sink())
        began = time.monotonic()
        service = make_database(folder, told.running, told.forming)
        chance = random.Random("replies")
        warm, *rounds = (letters(service, chance) for _ in range(1 + told.rounds))
        raws = [raw for one in rounds for raw in one]
        made = service.path
        assert made is not None
        due = service.parts.deadline("balkan")
        service.close()
        games = told.running + told.forming
        print(f"database of {games:,} games made in {time.monotonic() - began:.0f} s", flush=True)
        rows: list[tuple[str, str]] = []
        for tls in (True, False):
            kind = "TLS" if tls else "no TLS"
            with judging(made, servers, tls=tls, sink=sink) as judge:
                measure_letters(judge, servers, warm)
                found = measure_letters(judge, servers, raws)
                rows.append((f"letters a second, {kind}", f"{found['a second']:.0f}"))
                rows.append((f"CPU of a letter, {kind}", f"{found['CPU']:.1f} ms"))
                if tls:
                    cpu = measure_strangers(judge, servers, service)
                    rows.append(("CPU of a stranger's letter", f"{cpu:.1f} ms"))
            fetched = raw_imap(servers, raws, tls=tls)
            rows.append((f"raw: fetched and moved a second, {kind}", f"{fetched:.0f}"))
            port = servers.ports.smtps if tls else sink
            taken = raw_smtp(servers, raws, port, tls=tls)
            rows.append((f"raw: sent a second, {kind}", f"{taken:.0f}"))
        # Time enough for the judge to begin, and to look at every game for its reminder.
        ahead = (due - datetime.now(UTC)).total_seconds() - 40
        with judging(made, servers, tls=False, sink=sink, ahead=ahead) as judge:
            clock = ShiftedClock(ahead)
            due_at = time.monotonic() + (due - clock.now()).total_seconds()
            storm = measure_storm(judge, due_at, told.running)
        rows.append(("storm, first letter", f"{storm['first']:.1f} s"))
        rows.append(("storm, last letter", f"{storm['last']:.1f} s"))
        rows.append(("storm, letters", f"{storm['letters']:.0f}"))
        rows.append(("raw: as many letters sent", f"{storm['letters'] / taken:.1f} s"))
    for name, value in rows:
        goal = GOALS.get(name)
        print(f"{name:<42}{value:>10}" + (f"   {goal}" if goal else ""))


if __name__ == "__main__":
    main()
