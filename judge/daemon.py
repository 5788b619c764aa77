"""The running service: reads the inbox, lets the clock run, renders and sends the outbox.

Decides nothing of a game itself. All work on the database goes through one writer thread. Each step
of a letter's way raises the audit event `judge.step` with its name, where tests kill the process.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from judge import __version__, mail
from judge.clock import Clock
from judge.config import Settings
from judge.due_games import DueGames
from judge.errors import StoreUnavailable, Unavailable, may_pass
from judge.hosting import SETTLE, Hosting
from judge.intake import Intake, Reading
from judge.outgoing import LETTERS_AT_ONCE, Outgoing
from judge.picture_pool import PicturePool
from judge.store import Database, OutboxRow

log = logging.getLogger(__name__)

T = TypeVar("T")
NextRows = list[OutboxRow] | float | None  # of `Outgoing.prepare`; None: it was not asked

BATCH = 20  # letters a fetch: what IMAP servers and aioimaplib take best
LONGEST_NAP = 20.0  # seconds: the heartbeat, and what another process has put into the outbox
SOON = 1.0
MOST_GAPS = 200  # UIDs below the newest that are asked for though no SEARCH names them
SET_ASIDE_AFTER = timedelta(minutes=10)  # that a letter could not be fetched
WRONG_CLOCK = timedelta(minutes=1)  # of such a change the log speaks
MOST_AHEAD = timedelta(hours=12)  # that deadlines wait for the mail server's clock
IS_OVER = object()
STOP_SECONDS = 5.0  # that the letter in hand has after `stop`


class Daemon:
    """One judge at work, until `stop` is set."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        inbox: mail.Inbox,
        delivery: mail.Delivery,
        clock: Clock,
        secret: bytes,
        pictures: PicturePool | None = None,
    ) -> None:
        self._settings = settings
        self._inbox = inbox
        self._delivery = delivery
        self._clock = clock
        hosting = self._hosting = Hosting(settings, database, clock, secret)
        self._intake, self._due_games = Intake(hosting), DueGames(hosting)
        self._pictures = pictures
        self._outgoing = Outgoing(hosting, pictures)
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._stop = asyncio.Event()
        self._wake_reader = asyncio.Event()
        self._wake_clock = asyncio.Event()
        self._wake_sender = asyncio.Event()
        self.ready = asyncio.Event()  # the inbox was read once: no letter is missed from now on
        self._read_until: datetime | None = None  # begin of the newest reading to the inbox's end
        self._unreachable_since: datetime | None = None
        self._open_since: dict[int, datetime] = {}  # UIDs that the server does not hand over
        self._gaps: dict[int, datetime] = {}  # UIDs that are not listed, and since when
        self._reading: tuple[int, Reading] | None = None  # the next one's, and its UIDVALIDITY
        self._clock_waits_for: datetime | None = None
        self._server_clock = mail.ServerClock()
        self._ahead = timedelta(0)  # our clock, of the mail server's
        self._running_due = asyncio.Lock()
        self._noting = asyncio.Lock()  # of those who send, one notes what was taken

    def stop(self) -> None:
        """Finish what is in hand, and return from `run`."""
        self._stop.set()
        for event in (self._wake_reader, self._wake_clock, self._wake_sender):
            event.set()

    async def run(self) -> None:
        """Serve until `stop`. A bug in one loop is logged and the loop goes on after a pause.

        Raises:
            Unavailable: the database cannot be used, before anything was begun.
        """
        loops = (self._read_step, self._clock_step, self._send_step)
        loop = asyncio.get_running_loop()
        if self._pictures is not None:
            wake = partial(loop.call_soon_threadsafe, self._wake_sender.set)
            self._pictures.begin(when_made=wake)
        try:
            await self._in_writer_thread(self._due_games.resume_after_start)
            await self._in_writer_thread(self._intake.begin)
            address = self._settings.judge.address
            log.info("judge begins version=%s address=%s", __version__, address)
            await asyncio.gather(*(self._forever(step) for step in loops))
        finally:
            if self._pictures is not None:
                self._pictures.end()
            await self._inbox.close()
            await self._delivery.close()
            self._writer.shutdown()
        log.info("judge ends")

    async def _in_writer_thread(self, work: Callable[..., T], *arguments: object) -> T:
        """Work on the database, in the writer thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, work, *arguments)

    async def _forever(self, step: Callable[[], object]) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                await step()  # type: ignore[misc]  # a step is a coroutine function
                failures = 0
            except Exception as error:
                if may_pass(error):
                    log.warning("step must wait step=%s reason=%s", step.__name__, error)
                else:
                    log.exception("step failed step=%s", step.__name__)
                failures += 1
            if failures:
                await self._pause(self._settings.clock.retry_pause_seconds(failures))

    async def _pause(self, seconds: float) -> None:
        await self._clock.wait(self._stop, seconds)

    # --- letters in ---------------------------------------------------------------------------

    async def _read_step(self) -> None:
        """Read the inbox to its end, then wait for more; any trouble means a new connection."""
        failures = 0
        while not self._stop.is_set():
            try:
                self._wake_reader.clear()
                await self._read_inbox()
                if self._unreachable_since is not None:
                    log.warning("inbox reachable again")
                if self._unreachable_since is not None or not self.ready.is_set():
                    self._unreachable_since = None
                    await self._in_writer_thread(self._intake.mailbox_is_back)
                self.ready.set()
                failures = 0
                # What was announced meanwhile ends the wait at once.
                if not self._wake_reader.is_set():
                    # Some servers have IDLE and say nothing in it: ask every `poll_seconds` too.
                    clock = self._settings.clock
                    longest = min(clock.idle_seconds, clock.poll_seconds)
                    await self._inbox.wait(longest, self._wake_reader)
            except StoreUnavailable:
                raise  # the database's doing: the inbox can be reached
            except Unavailable as error:
                await self._inbox.close()
                self._reading = None  # the mailbox may have been restored from a copy meanwhile
                failures += 1
                if self._unreachable_since is None:
                    self._unreachable_since = self._clock.now()
                    log.warning("inbox unreachable reason=%s", error)
                await self._pause(self._settings.clock.retry_pause_seconds(failures))

    async def _read_inbox(self) -> None:
        """Take all new letters."""
        status = await self._inbox.open()
        begun_at = self._clock.now()
        validity = status.uid_validity
        watched_since = self._read_until if self._unreachable_since is None else None
        known, self._reading = self._reading, None
        if known is not None and known[0] == validity and known[1].after_uid < status.uid_next:
            reading = known[1]
        else:
            begin, is_other = self._intake.begin_reading, self._intake.is_other
            reading = await self._in_writer_thread(begin, validity, status.uid_next)
            newest = await self._fetch_one(reading.after_uid) if reading.after_uid else None
            if newest is not None and await self._in_writer_thread(is_other, newest, validity):
                reading = await self._in_writer_thread(begin, validity, 0)
        listed = await self._inbox.new_letters(reading.after_uid)
        listed = (*listed, *await self._missed_by_search(reading, listed))
        new = reading.new_in_order(listed)
        still_open: list[mail.MessageSummary] = []
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            still_open += await self._take_batch(batch, validity, watched_since)
            if self._stop.is_set():
                return
        # The mark never passes a letter that was not taken.
        not_taken = [letter.uid for letter in still_open]
        not_taken += [uid for uid in self._gaps if begun_at - self._gaps[uid] < SET_ASIDE_AFTER]
        seen = {reading.after_uid, *reading.taken, *(letter.uid for letter in listed)}
        last = min([max(seen), *(uid - 1 for uid in not_taken)])
        is_same = last == reading.after_uid and not listed and reading.installed_at is None

        def end_reading() -> datetime | None:
            if not is_same or not self.ready.is_set():  # else nothing has changed but the time
                self._intake.end_reading(validity, last, begun_at)
            return self._due_games.next_due_at()

        next_due_at = await self._in_writer_thread(end_reading)
        if still_open:
            uids = [letter.uid for letter in still_open]
            raise Unavailable(f"IMAP: the server does not hand over UIDs {uids}")
        self._read_until = begun_at
        taken = frozenset(uid for uid in seen if uid > last)
        self._reading = (validity, Reading(last, None, taken))
        are_due = self._due_games.may_run(begun_at - self._ahead, next_due_at)
        ran = are_due and await self._run_due(begun_at - self._ahead)
        if ran or next_due_at != self._clock_waits_for:
            self._wake_clock.set()

    async def _missed_by_search(
        self, reading: Reading, listed: Sequence[mail.MessageSummary]
    ) -> list[mail.MessageSummary]:
        """Letters below the newest that a SEARCH left out. Most such UIDs are of letters that
        somebody deleted, so each is asked for a while, and then no more."""
        seen = reading.taken.union(letter.uid for letter in listed)
        newest = max(seen, default=reading.after_uid)
        first = max(reading.after_uid + 1, newest - MOST_GAPS)
        now = self._clock.now()
        gaps = [uid for uid in range(first, newest) if uid not in seen]
        self._gaps = {uid: self._gaps.get(uid, now) for uid in gaps}
        asked = [uid for uid in gaps if now - self._gaps[uid] < SET_ASIDE_AFTER]
        found: dict[int, mail.Fetched] = {}
        try:
            found = {one.uid: one for one in await self._inbox.fetch(asked) if one.uid in asked}
        except Unavailable:
            await self._inbox.open()
        for uid in found:
            log.warning("letter was left out of the list uid=%d", uid)
            del self._gaps[uid]
        letters = found.values()
        return [mail.MessageSummary(one.uid, one.received_at, one.size_bytes) for one in letters]

    async def _compare_clocks(self, came: Iterable[mail.Fetched], watched_since: datetime) -> None:
        """Deadlines go by the mail server's time: what it received in time is in time."""
        for letter in came:
            if letter.uid not in self._open_since:
                self._server_clock.observe(letter.received_at, watched_since, self._clock.now())
        ahead, behind = self._server_clock.our_clock_ahead(), self._server_clock.our_clock_behind()
        # Of a server that is days behind the dates tell nothing: deadlines go by our clock.
        before, self._ahead = self._ahead, ahead if ahead < MOST_AHEAD else timedelta(0)
        if abs(self._ahead - before) >= WRONG_CLOCK:
            seconds = self._ahead.total_seconds()
            log.warning("clock is ahead of the mail server's seconds=%d; correct it", seconds)
        for what, by in (("clock_ahead", ahead), ("clock_behind", behind)):
            if by >= WRONG_CLOCK:
                await self._in_writer_thread(self._hosting.notify_wrong_clock, what, by)

    async def _take_batch(
        self,
        batch: Sequence[mail.MessageSummary],
        uid_validity: int,
        watched_since: datetime | None,
    ) -> list[mail.MessageSummary]:
        """Take these letters; returns those that the server has and does not hand over now.

        `watched_since`: what came later than that came while the mailbox was watched."""
        uids = [one.uid for one in batch]
        fetched: dict[int, mail.Fetched] = {}
        with contextlib.suppress(Unavailable):  # then each by itself: one of them may be the cause
            fetched = {one.uid: one for one in await self._inbox.fetch(uids)}
        sys.audit("judge.step", "fetched")
        if watched_since is not None:
            await self._compare_clocks(fetched.values(), watched_since)

        def take(letter: mail.Fetched) -> bool:
            """Take a letter, if nothing was due before it came, and all earlier ones are settled;
            both in one step, as each of the writer thread costs half a millisecond."""
            next_due_at = None if self._open_since else self._due_games.next_due_at()
            if self._due_games.may_run(letter.received_at, next_due_at):
                return False
            self._intake.take(letter, uid_validity)
            return True

        still_open: list[mail.MessageSummary] = []
        for listed in batch:
            letter = fetched.get(listed.uid) or await self._fetch_one(listed.uid)
            if letter is not None:
                if self._running_due.locked() or not await self._in_writer_thread(take, letter):
                    if not self._open_since:
                        await self._run_due(letter.received_at)
                    await self._in_writer_thread(self._intake.take, letter, uid_validity)
                fetched[listed.uid] = letter
                self._open_since.pop(listed.uid, None)
                sys.audit("judge.step", "committed")
                self._wake_sender.set()
                continue
            await self._inbox.open()
            there = await self._inbox.new_letters(listed.uid - 1)
            if any(one.uid == listed.uid for one in there):
                since = self._open_since.setdefault(listed.uid, self._clock.now())
                if self._clock.now() - since < SET_ASIDE_AFTER:
                    still_open.append(listed)
                    continue
                await self._in_writer_thread(self._intake.give_up_fetching, listed, uid_validity)
            self._open_since.pop(listed.uid, None)  # or another client has deleted it meanwhile
        try:
            await self._inbox.archive([uid for uid in uids if uid in fetched])
        except Unavailable as error:  # filing away is a kindness: the UIDs say what was taken
            log.warning("letters stay in the inbox reason=%s", error)
            await self._inbox.open()
        sys.audit("judge.step", "archived")
        return still_open

    async def _fetch_one(self, uid: int) -> mail.Fetched | None:
        """A letter that did not come with its batch; None if it does not come now either.

        Raises:
            Unavailable: the mailbox itself cannot be reached.
        """
        await self._inbox.open()
        try:
            return next((one for one in await self._inbox.fetch([uid]) if one.uid == uid), None)
        except Unavailable as error:
            log.warning("letter not fetched uid=%d reason=%s", uid, error)
            await self._inbox.open()
            return None

    # --- the clock ----------------------------------------------------------------------------

    async def _clock_step(self) -> None:
        """Do what is due by the clock alone, and have the inbox read again if need be."""
        self._wake_clock.clear()
        tick = partial(self._due_games.tick, self._unreachable_since, self._ahead)
        waiting, now = await self._in_writer_thread(tick), self._clock.now()
        if waiting.next_due_at is not None and waiting.next_due_at <= now and self._read_until:
            await self._run_due(self._read_until - self._ahead, now)
            waiting = await self._in_writer_thread(tick)
        self._clock_waits_for = waiting.next_due_at
        if waiting.fetch:
            self._wake_reader.set()
            await self._pause(SOON)  # the reading itself runs what is due, and wakes us
            return
        nap = LONGEST_NAP
        if waiting.next_due_at is not None:
            settled_at = waiting.next_due_at + SETTLE + self._ahead
            nap = min(nap, max((settled_at - self._clock.now()).total_seconds(), SOON / 10))
        await self._clock.wait(self._wake_clock, nap)

    async def _run_due(self, read_until: datetime, due_until: datetime | None = None) -> bool:
        """Run the games that are due, and let letters leave between some and the next.

        Returns whether there were any.
        """
        async with self._running_due:
            steps = self._due_games.run(read_until, due_until=due_until)
            is_over = had_any = False
            try:
                while not self._stop.is_set():
                    is_over = await self._in_writer_thread(next, steps, IS_OVER) is IS_OVER
                    if is_over:
                        break
                    had_any = True
                    self._wake_sender.set()
                    await asyncio.sleep(0)  # its work comes before that on the next games
            finally:
                if not is_over:
                    await self._in_writer_thread(steps.close)
            return had_any

    # --- letters out --------------------------------------------------------------------------

    async def _send_step(self) -> None:
        """Render what is new and send what is due, some at a time; then wait for either."""
        self._wake_sender.clear()
        rows: NextRows = None
        while isinstance(rows, list) or not self._stop.is_set():
            if rows is None:
                rows = await self._in_writer_thread(self._outgoing.prepare)
            if isinstance(rows, float):
                await self._clock.wait(self._wake_sender, rows)
                return
            sys.audit("judge.step", "claimed")
            rows = await self._send(rows)

    async def _send(self, rows: Sequence[OutboxRow]) -> NextRows:
        """Some at once; letters to one recipient go one after another. If there may be more, the
        next are rendered meanwhile. Returns what is next, once all were tried: the last are noted
        as sent in the same step."""
        untried = list(rows)
        by_recipient: dict[str, list[OutboxRow]] = {}
        for row in rows:
            by_recipient.setdefault(row.recipient, []).append(row)
        waiting = list(by_recipient.values())

        async def send_waiting() -> None:
            try:
                while waiting:
                    for row in waiting.pop(0):
                        if self._stop.is_set():
                            return
                        await self._send_one(row)
                        if not self._stop.is_set():
                            untried.remove(row)
                        if untried and not self._noting.locked():
                            await self._note_delivered()
            except BaseException:
                waiting.clear()  # the others finish what they have begun
                raise

        work = [send_waiting() for _ in range(mail.CONNECTIONS)]
        if len(rows) >= LETTERS_AT_ONCE:
            work.append(self._in_writer_thread(self._outgoing.render_ahead))
        try:
            ended = await asyncio.gather(*work, return_exceptions=True)
            for error in ended:
                if error is not None:
                    raise error
            return await self._in_writer_thread(self._outgoing.prepare) if not untried else None
        finally:
            if untried:
                await self._in_writer_thread(self._outgoing.give_back)

    async def _note_delivered(self) -> None:
        """Note what servers have taken, until there is no more: who waits for the writer thread
        does it for those who go on sending meanwhile."""
        async with self._noting:
            while self._outgoing.delivered:
                await self._in_writer_thread(self._outgoing.note_delivered)

    async def _send_one(self, row: OutboxRow) -> None:
        assert row.raw is not None, row.token
        sending = asyncio.ensure_future(
            self._delivery.send(row.raw, self._settings.judge.address, row.recipient)
        )
        stop = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait((sending, stop), return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():  # after `stop` a slow server has a few seconds
                await asyncio.wait((sending,), timeout=STOP_SECONDS)
            sending.cancel()
            await sending
            sys.audit("judge.step", "delivered")
        except asyncio.CancelledError:
            if not self._stop.is_set():
                raise
        except mail.Rejected as error:
            await self._in_writer_thread(self._outgoing.recipient_refused, row, str(error))
        except mail.Deferred as error:
            await self._in_writer_thread(self._outgoing.sending_failed, row, str(error))
        except Unavailable as error:
            is_gone = not isinstance(error, mail.ServerRefuses)
            await self._in_writer_thread(
                partial(self._outgoing.server_failed, row, str(error), is_gone=is_gone)
            )
            if is_gone:
                raise
        else:
            log.info("letter sent kind=%s game=%s to=%s", row.kind, row.game or "-", row.recipient)
            self._outgoing.delivered.append(row.token)
        finally:
            stop.cancel()
            sending.cancel()
