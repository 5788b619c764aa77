"""Letters out: the rows of the outbox rendered, claimed for sending, and what became of them.

Runs in the writer thread; no network here.
"""

import base64
import hashlib
import logging
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from judge import mail, render
from judge.config import Settings
from judge.errors import last_line_of, may_pass
from judge.host import has_own_thread, messages_from_json, yes_no_answers_to
from judge.hosting import OWNER, SENDING_FAILS, Hosting
from judge.picture_pool import PicturePool
from judge.store import REFUSED_ONCE, Format, OutboxRow, Token, Transaction

log = logging.getLogger(__name__)

LETTERS_AT_ONCE = 20  # rendered, and claimed, in a transaction
TELL_AFTER = timedelta(minutes=10)
ASK_AGAIN = timedelta(hours=4)  # after the first word that an address is at fault
PATIENCE = timedelta(seconds=20)  # that a letter waits for its pictures
THREAD_INDEX = b"\x01" + bytes(5)  # a first letter's, at no certain time
POLL_SECONDS = 5.0  # the `judge` command may have put a letter there


class Held(msgspec.Struct, frozen=True):
    """A letter that waits for pictures, named by their digests, and until when."""

    pictures: frozenset[str]
    until: datetime


class Rendered(msgspec.Struct, frozen=True):
    """A letter to store: its bytes, in which digests stand for these pictures."""

    subject: str
    raw: bytes
    pictures: tuple[str, ...]


Made = Rendered | Exception | None  # why there is no letter; None while it waits for a picture


class Outgoing:
    """Letters on their way out. Without a pool, pictures that somebody asked for are drawn here,
    and letters of results come without."""

    def __init__(self, hosting: Hosting, pool: PicturePool | None = None) -> None:
        self._hosting = hosting
        self._pool = pool
        self._held: dict[Token, Held] = {}
        self._drawn: dict[str, bytes] = {}  # pictures that are not stored yet, by their digests
        # A server has them, and the database does not say so. Any thread may add to them.
        self.delivered = deque[Token]()
        self._must_give_back = False
        self._is_ahead = False  # what `prepare` returns next is rendered
        self._refused: set[str] = set()  # recipients since a letter was sent; "" is the server
        self._alone: set[str] = set()  # recipients who were refused while others were not
        self._failures = 0  # of the server, in a row

    def prepare(self) -> list[OutboxRow] | float:
        """The letters to send next, which nobody else sends. What is new is rendered before, some
        at a time, unless that was done ahead.

        If there is nothing to do now, the seconds until there may be. A letter that cannot be
        rendered is stuck and shown to the keeper, never lost; one that waits for a picture lets the
        others pass.
        """
        if self._must_give_back:
            self.give_back()
        if self._failures:
            self.note_delivered()  # then the others need not wait
        now = self._hosting.clock.now()
        is_ahead, self._is_ahead = self._is_ahead, False
        with self._hosting.database.read() as tx:
            new = [] if is_ahead else self._render_new(tx, now)
            next_try_at = tx.outbox.next_try_at()
        if not new and (next_try_at is None or next_try_at > now):
            self.note_delivered()
            instants = (next_try_at, *(held.until for held in self._held.values()))
            earliest = min((one for one in instants if one is not None), default=None)
            seconds = (earliest - now).total_seconds() if earliest else POLL_SECONDS
            return min(max(seconds, 0.05), POLL_SECONDS)
        self._must_give_back = True
        with self._transaction_noting_delivered() as tx:
            self._save_rendered(tx, new, now)
            claimed = tx.outbox.claim_to_send(now, LETTERS_AT_ONCE, OWNER)
            shown = tx.pictures.get({digest for row in claimed for digest in row.pictures})
        self._drawn.clear()
        self._must_give_back = False
        return [_with_pictures(row, shown) for row in claimed]

    def render_ahead(self) -> None:
        """Render what `prepare` returns next, while the letters before are being sent."""
        now = self._hosting.clock.now()
        with self._hosting.database.read() as tx:
            new = self._render_new(tx, now)
        if any(made is not None for _, made in new):
            with self._transaction_noting_delivered() as tx:
                self._save_rendered(tx, new, now)
            self._drawn.clear()
            self._is_ahead = True

    def _render_new(self, tx: Transaction, now: datetime) -> list[tuple[OutboxRow, Made]]:
        """What is new, some at a time."""
        if self._pool is not None:
            self._drawn.update(self._pool.take_made())
        held = [  # by pictures that are being drawn still
            token
            for token, held in self._held.items()
            if now < held.until and self._pool and self._pool.is_drawing(held.pictures)
        ]
        new = tx.outbox.unrendered(LETTERS_AT_ONCE, held)
        rendered = [(row, self._rendered(tx, row)) for row in new]
        if new:
            sys.audit("judge.step", "rendered")
        return rendered

    def _save_rendered(
        self, tx: Transaction, new: Iterable[tuple[OutboxRow, Made]], now: datetime
    ) -> None:
        """Keep rendered letters, and the pictures that were drawn for them."""
        for digest, picture in self._drawn.items():
            tx.pictures.save(digest, picture, now)
        for row, made in new:
            if isinstance(made, Rendered):
                tx.outbox.save_rendered(row.token, made.subject, made.raw, made.pictures)
                if made.pictures:
                    tx.pictures.note_use(made.pictures, now)
            elif made is not None:
                error = last_line_of(made)
                tx.outbox.mark_stuck(row.token, error)
                if row.kind != "keeper":
                    cause = f"stuck {row.token} {now.timestamp()}"
                    command = f"judge outbox retry {row.token}"
                    facts = {"recipient": row.recipient, "error": error, "command": command}
                    self._hosting.notify_keepers(tx, cause, "letter_stuck", **facts)

    def _rendered(self, tx: Transaction, row: OutboxRow) -> Made:
        """A letter's bytes, or why there are none; None while it waits for a picture."""
        now, judge = self._hosting.clock.now(), self._hosting.settings.judge
        until = self._held.pop(row.token, Held(frozenset(), now + PATIENCE)).until
        missing: set[str] = set()

        def shown(request: render.PictureRequest) -> render.Shown:
            """Whether the letter shows this picture, which is drawn now if it is not there yet."""
            if request.sha256 in self._drawn or tx.pictures.has(request.sha256):
                return render.Shown.YES
            if self._pool is None:
                if row.kind == "results" and request.shows is render.Shows.PHASE:
                    return render.Shown.NO
                self._drawn[request.sha256] = render.png_of(request)
                return render.Shown.YES
            if not self._pool.ask(request) or self._hosting.clock.now() >= until:
                return render.Shown.LEFT_OUT
            missing.add(request.sha256)
            return render.Shown.LATER

        try:
            letter = render.render_letter(
                messages_from_json(row.messages, row.documents),
                language=row.language,
                zone=row.zone,
                judge_name=judge.name,
                kind=row.kind,
                attachments=() if row.format is Format.PLAIN else row.attachments,
                shown=shown,
                reply=render.Reply(
                    mail.reply_address(row.token, judge.address), yes_no_answers_to(row.purpose)
                ),
                is_plain=row.format is Format.PLAIN,
            )
            if letter.waits:
                self._held[row.token] = Held(frozenset(missing), until)
                return None
            raw = letter_bytes(row, letter, self._hosting.settings)
        except Exception as error:
            if may_pass(error):
                raise
            log.exception("letter stuck kind=%s recipient=%s", row.kind, row.recipient)
            return error
        return Rendered(letter.subject, raw, tuple(one.sha256 for _, one, _ in letter.pictures))

    # --- what became of them ----------------------------------------------------------------------

    def note_delivered(self) -> None:
        """Note what mail servers have taken, in one transaction. Where the database cannot be used
        now, it stays for the next time."""
        if self.delivered:
            with self._transaction_noting_delivered():
                pass

    @contextmanager
    def _transaction_noting_delivered(self) -> Iterator[Transaction]:
        """A transaction in which is noted, too, what mail servers have taken until it begins."""
        delivered = [*self.delivered]
        with self._hosting.database.transaction() as tx:
            for token in delivered:
                tx.outbox.mark_sent(token, self._hosting.clock.now())
            yield tx
        for _ in delivered:
            self.delivered.popleft()
            sys.audit("judge.step", "sent")
        if delivered:
            self._server_works()

    def _server_works(self) -> None:
        """A server took a letter, or refused one for the recipient's sake."""
        self._alone |= self._refused
        self._refused.clear()
        if self._failures:
            self._failures = 0
            with self._hosting.database.transaction() as tx:
                tx.outbox.hasten(self._hosting.clock.now(), without=self._alone)
        if (since := self._hosting.sending_fails_since) is not None:
            log.warning("sending works again")
            # Whoever had no letters cannot have ordered.
            self._hosting.excuse_outage(since, self._hosting.clock.now(), "unable to send")
            with self._hosting.database.transaction() as tx:
                tx.timestamps.set(SENDING_FAILS, None)
            self._hosting.sending_fails_since = None

    def server_failed(self, row: OutboxRow, error: str, *, is_gone: bool) -> None:
        """The mail server's trouble, not this letter's: it uses up no try.

        Arguments:
            is_gone: no server takes any letter; else one refused this letter. Where two were
                refused, one to the keepers shows whether it takes any: phases do not wait for
                recipients who alone are refused.
        """
        self.note_delivered()  # they came before
        now = self._hosting.clock.now()
        self._failures += 1
        self._refused.add("" if is_gone else row.recipient)
        cause = f"sending {' '.join(error.split()[:2])}"  # codes; behind them are ids of a session
        is_failing = is_gone or len(self._refused - self._alone) > 1
        if self._hosting.sending_fails_since is None and is_failing:
            self._hosting.sending_fails_since = now
            log.warning("sending fails recipient=%s reason=%s", row.recipient, error)
            cause += "" if is_gone else f" {now.timestamp()}"
        clock = self._hosting.settings.clock
        seconds = clock.retry_pause_seconds(self._failures) + 1
        if row.recipient in self._alone:  # it takes others' letters, and knows this one
            seconds = clock.retry_most_seconds
        pause = timedelta(seconds=seconds)
        with self._hosting.database.transaction() as tx:
            tx.outbox.mark_deferred(row.token, error, now + pause, was_tried=False)
            since = self._hosting.sending_fails_since
            tx.timestamps.set(SENDING_FAILS, since)
            if not is_gone or (since is not None and now - since >= TELL_AFTER):
                facts = {"recipient": row.recipient, "error": error}
                keepers = facts if row.kind != "keeper" else None
                self._hosting.notify_once(
                    tx, f"{cause} {now:%Y-%m}", "sending_fails", facts, keepers
                )

    def recipient_refused(self, row: OutboxRow, error: str) -> None:
        """Nobody is reached there: asked once more hours later, then stuck; people are told."""
        self._server_works()
        if not row.last_error.startswith(REFUSED_ONCE):
            log.warning("letter refused recipient=%s reason=%s", row.recipient, error)
            later = self._hosting.clock.now() + ASK_AGAIN
            with self._hosting.database.transaction() as tx:
                tx.outbox.mark_deferred(row.token, REFUSED_ONCE + error, later)
            return
        self._stuck(row, error, "recipient_refused", f"refused {row.recipient}")

    def _stuck(self, row: OutboxRow, error: str, what: str, cause: str) -> None:
        """Not tried again: keepers are told, and the game's master; once a month for each cause."""
        log.error("letter stuck recipient=%s reason=%s", row.recipient, error)
        cause += f" {self._hosting.clock.now():%Y-%m}"
        facts = {"recipient": row.recipient, "error": error}
        keepers = {**facts, "command": f"judge outbox retry {row.token}"}
        with self._hosting.database.transaction() as tx:
            tx.outbox.mark_stuck(row.token, error)
            self._hosting.notify_once(
                tx,
                cause,
                what,
                facts,
                keepers if row.kind != "keeper" else None,
                row.game,
                row.player,
            )

    def sending_failed(self, row: OutboxRow, error: str) -> None:
        """Try again later, until the tries run out: then the letter is stuck."""
        self._server_works()
        clock = self._hosting.settings.clock
        if row.tries + 1 >= clock.send_tries:
            self._stuck(row, error, "letter_stuck", f"deferred {row.recipient}")
            return
        log.info("letter deferred recipient=%s reason=%s", row.recipient, error)
        pause = timedelta(seconds=clock.retry_pause_seconds(row.tries + 1, row.token))
        with self._hosting.database.transaction() as tx:
            tx.outbox.mark_deferred(row.token, error, self._hosting.clock.now() + pause)

    def give_back(self) -> None:
        """Letters that were claimed and not tried may be sent by others, or later."""
        self._must_give_back = True
        self.note_delivered()
        with self._hosting.database.transaction() as tx:
            tx.outbox.release(OWNER)
        self._must_give_back = False


def _with_pictures(row: OutboxRow, pictures: Mapping[str, bytes]) -> OutboxRow:
    if row.raw is None or not row.pictures:
        return row
    shown = {one: pictures[one] for one in row.pictures if one in pictures}
    return replace(row, raw=mail.with_pictures(row.raw, shown))


def letter_bytes(row: OutboxRow, rendered: render.RenderedLetter, settings: Settings) -> bytes:
    """The bytes of a letter, in which digests stand for its pictures."""
    judge, is_plain = settings.judge, row.format is Format.PLAIN
    is_html = row.format is Format.HTML and rendered.html is not None
    calendars = []
    for event in row.calendar:
        file = render.calendar_file(
            event,
            row.game or "",
            made_at=row.created_at,
            address=judge.address,
            language=row.language,
        )
        calendars.append((f"{event.uid}.ics", file))
    root = mail.message_id_for(row.thread, judge.address)
    headers = [("Auto-Submitted", "auto-replied" if row.answers else "auto-generated")]
    if row.game is not None:
        domain = judge.address.rpartition("@")[2]
        headers.append(("X-Judge-Game", row.game))
        headers.append(("List-Id", f"<{row.game}.{domain}>"))
        # By which Outlook parts conversations, whatever the subjects (MS-OXOMSG 2.2.1.3).
        is_apart = row.answers is None and has_own_thread(row.kind, row.purpose)
        topic = rendered.subject if is_apart else f"{row.game} {row.label or ''}"
        index = THREAD_INDEX + hashlib.sha256(row.thread.encode()).digest()[:16]
        headers.append(("Thread-Topic", topic))
        headers.append(("Thread-Index", base64.b64encode(index).decode()))
    if row.label is not None:
        headers.append(("X-Judge-Phase", row.label))
    outgoing = mail.OutgoingLetter(
        message_id=mail.message_id_for(row.token, judge.address),
        from_name=judge.name,
        from_address=judge.address,
        recipient=mail.wire_address(row.recipient),
        reply_to=mail.reply_address(row.token, judge.address),
        subject=rendered.subject,
        text=None if is_html else rendered.text,
        html=None if is_plain else rendered.html,
        in_reply_to=row.answers or root,
        references=(root,) if row.answers is None else (root, row.answers),
        date=row.created_at,
        headers=tuple(headers),
        pictures=tuple(
            mail.Picture(name, bytes.fromhex(request.sha256), cid)
            for name, request, cid in rendered.pictures
        ),
        calendars=tuple(calendars),
        is_alternative=row.format is Format.BOTH,
    )
    return mail.compose(outgoing)
