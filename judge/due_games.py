"""The clock: games that are due, deadlines that the judge slept over, the heartbeat.

Runs in the writer thread; no network here.
"""

import logging
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.errors import last_line_of, may_pass
from judge.host import look_at_game, notify_mailbox_unreachable, send_digest
from judge.hosting import HEARTBEAT, OWNER, SENDING_FAILS, SETTLE, TOLD_UNREACHABLE, Hosting
from judge.store import GameRecord

log = logging.getLogger(__name__)

GAMES_AT_ONCE = 5  # that are resolved before their letters leave
DIGESTS_AT_ONCE = 20
LOOK_AGAIN = timedelta(minutes=1)  # at games that are due and wait for the inbox
GAMES_TOLD_AT_ONCE = 20  # that the mailbox cannot be read
MOST_STEPS = 8  # a deadline, its grace and an early run can fall together; more is a bug
SET_BACK = timedelta(minutes=2)  # of a clock that was set back so far keepers are told
BEAT = timedelta(seconds=15)  # a heartbeat is no older than that
DOCUMENTS_KEPT = timedelta(days=30)  # that no letter needs any more
PICTURES_KEPT = timedelta(days=7)  # a tenth of a megabyte each, and soon drawn again
TELL_UNREACHABLE_AFTER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the clock waits for. `fetch`: a game is due, and the inbox must be read first."""

    next_due_at: datetime | None
    fetch: bool


class DueGames:
    def __init__(self, hosting: Hosting) -> None:
        self._hosting = hosting
        self._looked_until: datetime | None = None  # at all games that were due before
        self._looked_from: datetime | None = None  # this look at every one of them
        self._told = 0  # of the games that are due, those looked at while the mailbox is away

    def resume_after_start(self) -> None:
        """After a start: what we had claimed is given back, deadlines we slept over move. If no
        server took letters before, what is due waits until one does."""
        now = self._hosting.clock.now()
        with self._hosting.database.transaction() as tx:
            tx.outbox.release(OWNER)
            tx.games.release_claims(OWNER)
            if tx.outbox.next_try_at() is None:  # no letter would tell that one does
                tx.timestamps.set(SENDING_FAILS, None)
            self._hosting.sending_fails_since = tx.timestamps.get(SENDING_FAILS)
        self._excuse_absence(now)
        self._beat(now)

    def _excuse_absence(self, now: datetime) -> None:
        """Deadlines passed while the judge did not run, or its machine was suspended, move."""
        with self._hosting.database.read() as tx:
            away_since = tx.timestamps.get(HEARTBEAT)
        if away_since is not None and self._hosting.excuse_outage(away_since, now, "away"):
            self._beat(now)

    def tick(self, unreachable_since: datetime | None, ahead: timedelta = timedelta(0)) -> Waiting:
        """Note that the judge lives; what the clock waits for next.

        Arguments:
            unreachable_since: the inbox could not be read since then; None if it can.
            ahead: how far our clock is ahead of the mail server's.
        """
        now = self._hosting.clock.now()
        self._excuse_absence(now)
        self._beat(now)
        if unreachable_since is not None and now - unreachable_since >= TELL_UNREACHABLE_AFTER:
            stamp = int(unreachable_since.timestamp())
            with self._hosting.database.transaction() as tx:
                if tx.timestamps.get(TOLD_UNREACHABLE) is None:
                    self._hosting.notify_keepers(tx, f"unreachable {stamp}", "mailbox_unreachable")
                    tx.timestamps.set(TOLD_UNREACHABLE, unreachable_since)
                # Those that wait are many and wait for hours: some at a time, and round again.
                skip = self._told
                names = tx.games.due(now, limit=GAMES_TOLD_AT_ONCE, skip=skip)
                self._told = skip + len(names) if len(names) == GAMES_TOLD_AT_ONCE else 0
                for name in names:
                    with self._hosting.unit_of_work(tx, f"unreachable {name} {stamp}") as work:
                        notify_mailbox_unreachable(work, name)
        next_due_at = self.next_due_at()
        # A reading that begins now settles what was due until then.
        is_due = next_due_at is not None and next_due_at + SETTLE + ahead <= now
        return Waiting(next_due_at, fetch=is_due)

    def next_due_at(self) -> datetime | None:
        """When the next game or digest is due."""
        with self._hosting.database.read() as tx:
            instants = (tx.games.next_due_at(), tx.players.next_digest_at())
        return min((at for at in instants if at is not None), default=None)

    def may_run(self, read_until: datetime, next_due_at: datetime | None) -> bool:
        """Whether what is due next is due, and a reading which began then has settled it."""
        if self._hosting.sending_fails_since is not None:
            return False  # what players were not told they cannot answer
        until = min(read_until - SETTLE, self._hosting.clock.now())
        return next_due_at is not None and next_due_at <= until

    def run(
        self, read_until: datetime, *, due_until: datetime | None = None
    ) -> Generator[None, None, None]:
        """Do what is due in every game, as far as the inbox was read in a fetch begun then.

        Yields after some games, so that their letters can leave before the rest is resolved.

        Arguments:
            read_until: by the mail server's clock.
            due_until: games due until then are looked at, as for reminders; without it, those that
                the reading settled.

        Raises:
            Unavailable: the database cannot be used now.
        """
        now = self._hosting.clock.now()
        if self._hosting.sending_fails_since is not None:
            return  # what players were not told they cannot answer
        settled = min(read_until - SETTLE, now)  # some servers date letters in the future
        until = min(due_until or settled, now)
        next_due_at = self.next_due_at()
        if next_due_at is None or next_due_at > until:
            return
        self._excuse_absence(now)
        # A game that waits for the inbox stays due; nothing happens in it for a while.
        since, looked = self._looked_from, self._looked_until
        is_fresh = since is not None and timedelta(0) <= now - since < LOOK_AGAIN
        waiting = (settled, looked) if looked is not None and is_fresh else None
        done: list[str] = []
        try:
            names: Sequence[str] = ()
            while not done or len(names) == GAMES_AT_ONCE:
                with self._hosting.database.transaction() as tx:
                    if not done:  # what we could not give back when the database failed
                        tx.games.release_claims(OWNER)
                    names = tx.games.claim_due(now, GAMES_AT_ONCE, OWNER, until, waiting=waiting)
                if not names:
                    break
                for name in names:
                    self._run_game(name, settled)
                    done.append(name)
                yield
            self._looked_until = until
            self._looked_from = since if waiting else now
        finally:
            with self._hosting.database.transaction() as tx:
                tx.games.release_claims(OWNER, *done)
        yield from self._send_digests(until)

    def _send_digests(self, until: datetime) -> Generator[None, None, None]:
        """The digests that are due, when their games have been looked at: a transaction each."""
        while True:
            with self._hosting.database.read() as tx:
                masters = tx.players.due_digests(until, limit=DIGESTS_AT_ONCE)
            for master in masters:
                cause = f"digest {master} {until.timestamp()}"
                try:
                    with (
                        self._hosting.database.transaction() as tx,
                        self._hosting.unit_of_work(tx, cause) as work,
                    ):
                        send_digest(work, master)
                except Exception as error:
                    if may_pass(error):
                        raise
                    log.exception("digest left out player=%s", master)
                    with self._hosting.database.transaction() as tx:
                        tx.players.stop_digest(master)
            yield
            if not masters:
                return

    def _run_game(self, name: str, settled: datetime) -> None:
        """Look at a game, a transaction each time, until nothing more is due in it. A bug in it
        halts this game alone."""
        try:
            for _ in range(MOST_STEPS):
                with self._hosting.database.transaction() as tx:
                    game = tx.games.get(name)
                    assert game is not None, name
                    # Whatever writes letters changes the phase or one of its instants.
                    serial = game.phase.serial if game.phase else 0
                    cause = f"clock {name} {serial} {_timing_stamp(game)}"
                    with self._hosting.unit_of_work(tx, cause) as work:
                        look_at_game(work, name, settled)
                        sys.audit("judge.step", "resolved")
                        changed = work.changes()
                for ran in changed.phases:
                    missing = ",".join(ran.missing) or "-"
                    label = ran.phase.label
                    log.info("phase run game=%s phase=%s missing=%s", name, label, missing)
                for after in changed.games:
                    label = after.phase.label if after.phase else "-"
                    due = after.due_at.isoformat() if after.due_at else "-"
                    told = (name, after.status, label, due)
                    log.info("game changed game=%s status=%s phase=%s due=%s", *told)
                if not any(one.due_at and one.due_at <= work.now for one in changed.games):
                    return
        except Exception as error:
            if may_pass(error):
                raise
            log.exception("game halted game=%s", name)
            what = last_line_of(error)
            with self._hosting.database.transaction() as tx:
                self._hosting.halt(tx, name, what)
                cause = f"halted {name} {self._hosting.clock.now().timestamp()}"
                facts = {"game": name, "error": what, "command": f"judge games release {name}"}
                self._hosting.notify_keepers(tx, cause, "game_halted", **facts)

    def _beat(self, now: datetime) -> None:
        with self._hosting.database.read() as tx:
            last = tx.timestamps.get(HEARTBEAT)
        if last is not None and last - now >= SET_BACK:
            self._hosting.notify_wrong_clock("clock_behind", last - now)
        if last is None or not timedelta(0) <= now - last < BEAT:
            with self._hosting.database.transaction() as tx:
                tx.timestamps.set(HEARTBEAT, now)
                if last is None or last.date() != now.date():
                    tx.outbox.forget_documents(now - DOCUMENTS_KEPT)
                    tx.pictures.forget(now - PICTURES_KEPT)


def _timing_stamp(game: GameRecord) -> str:
    """What of a game's timing changes whenever the clock writes letters; tokens derive from it."""
    timing = game.timing
    if timing is None:
        return f"{game.due_at.timestamp()}" if game.due_at else ""
    others = (timing.held.remind_at if timing.held else None, timing.previewed_at)
    instants = (timing.opened_at, timing.deadline_at, timing.changed_at, timing.grace_until)
    flags = (
        timing.reminded,
        timing.waits,
        timing.unreachable,
        timing.ready_told,
        timing.reminded_last,
    )
    seconds = [int(each.timestamp()) if each else 0 for each in (*instants, *others)]
    return f"{seconds} {[int(flag) for flag in flags]} {' '.join(timing.late)}"
