"""What the service does to the database: each function is one letter's or one game's transaction.

Runs in the writer thread; no network here. `daemon.py` calls it.
"""

import logging
import os
import secrets
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from judge.clock import Clock
from judge.config import GameDefaults, Settings
from judge.errors import Fault, SettingsError, StoreError
from judge.host import (
    Disposition,
    HostConfig,
    Tokens,
    UnitOfWork,
    choose_settings,
    excuse_absence_of_judge,
    look_at_game,
    messages_from_json,
    next_due,
    notify_mailbox_unreachable,
    take_letter,
)
from judge.mail import (
    Fetched,
    Letter,
    MessageSummary,
    OutgoingLetter,
    compose,
    message_id_for,
    read_letter,
    reply_address,
)
from judge.render import render_letter
from judge.retries import next_try_at
from judge.rulebook import DEFAULT_GAME, Value, load_game
from judge.store import (
    Database,
    GameSettings,
    LetterIn,
    LetterState,
    MailboxMark,
    OutboxRow,
    Press,
    Store,
    Timing,
    Token,
)

log = logging.getLogger(__name__)

SECRET_BYTES = 32
RENDER_AT_ONCE = 20  # letters a transaction
SEND_AT_ONCE = 10
POLL_OUTBOX_SECONDS = 5.0  # the `judge` command may have put a letter there
MOST_STEPS = 8  # a deadline, its grace and an early run can fall together; more is a bug
TELL_UNREACHABLE_AFTER = timedelta(minutes=10)
SETTLE = timedelta(seconds=1)  # INTERNALDATE has whole seconds: a fetch settles the second before


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the clock waits for. `fetch`: a game is due, and the inbox must be read first."""

    next_due_at: datetime | None
    fetch: bool


def host_config(settings: Settings) -> HostConfig:
    """What the host must know of the settings.

    Raises:
        SettingsError: new games would have a board or rules that are not there.
    """
    return HostConfig(
        address=settings.judge.address,
        languages=settings.judge.languages,
        zone=settings.judge.timezone,
        keepers=settings.judge.keepers,
        defaults=_defaults_of(settings.defaults),
        order_lines=settings.limits.order_lines,
        stranger_letters_a_day=settings.limits.stranger_letters_a_day,
        games_a_player=settings.limits.games_a_player,
        confirm_for=timedelta(hours=settings.security.confirm_hours),
    )


def _defaults_of(defaults: GameDefaults) -> GameSettings:
    """What a new game has, its board and rules read as those in a letter of CREATE."""
    rulebook = load_game(DEFAULT_GAME)
    kinds = [kind.name for kind in rulebook.phase_kinds]
    unknown = [kind for kind in defaults.lengths if kind not in kinds]
    if unknown:
        raise SettingsError(
            Fault(
                f"defaults.lengths.{kind}",
                "",
                None,
                f'there is no kind of phase "{kind}"',
                f"Write one of {', '.join(kinds)}",
            )
            for kind in unknown
        )
    plain = GameSettings(
        variant="standard",
        rules="2000",
        lengths={
            kind.name: defaults.lengths.get(kind.name, kind.length) for kind in rulebook.phase_kinds
        },
        grace=defaults.grace,
        reminder=defaults.reminder,
        all_in_delay=defaults.all_in_delay,
        press=Press(defaults.press.value),
        votes=tuple(vote.name for vote in rulebook.votes),
    )
    wanted = {"variant": defaults.variant, "rules": defaults.rules}
    chosen = choose_settings(plain, wanted)
    if chosen.faults:
        raise SettingsError(
            Fault(
                f"defaults.{fault.name if fault.name in wanted else 'rules'}",
                "",
                None,
                f'there is no "{fault.written}" for {fault.name}',
                f"Write one of {', '.join(fault.known)}",
            )
            for fault in chosen.faults
        )
    return chosen.settings


def load_secret(path: Path) -> bytes:
    """The judge's secret, made at the first start for its owner's eyes only.

    Raises:
        StoreError: the file is there and holds none; with an empty secret tokens could be guessed.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.with_name(f"{path.name}.new")
        written.unlink(missing_ok=True)
        written.touch(mode=0o600)
        with written.open("w", encoding="ascii") as file:
            file.write(secrets.token_hex(SECRET_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        written.rename(path)
    secret = path.read_text(encoding="ascii").strip().encode()
    if len(secret) < SECRET_BYTES:
        raise StoreError(f"{path} holds no secret: restore it from a backup, or delete it")
    return secret


class Work:
    """All that touches the database, for one judge."""

    def __init__(self, settings: Settings, database: Database, clock: Clock, secret: bytes) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self._secret = secret
        self._house = host_config(settings)
        self._read_until: datetime | None = None
        self._told_unreachable: datetime | None = None

    def unit_of_work(self, store: Store, cause: str) -> UnitOfWork:
        """A unit of work on an open transaction; `cause` makes its tokens the same on a retry."""
        tokens = Tokens(self._secret, cause)
        return UnitOfWork(store, self._house, tokens, self._clock.now(), next_due)

    # --- begin --------------------------------------------------------------------------------

    def begin(self) -> None:
        """After a start: letters half sent are queued again, deadlines we slept over move."""
        now = self._clock.now()
        with self._database.transaction() as store:
            store.rescue_sending()
            last = store.last_heartbeat()
            due = store.due_games(now)
        if last is not None and now - last >= self._away_after():
            for name in due:
                self._excuse(name, last)
        self.heartbeat()

    def _away_after(self) -> timedelta:
        return timedelta(minutes=self._settings.clock.away_minutes)

    def _excuse(self, name: str, away_since: datetime) -> None:
        with self._database.transaction() as store:
            cause = f"away {name} {int(away_since.timestamp())}"
            unit_of_work = self.unit_of_work(store, cause)
            excuse_absence_of_judge(unit_of_work, name, away_since)
            store.save(unit_of_work.changes(), cause=cause)

    def heartbeat(self) -> None:
        with self._database.transaction() as store:
            store.heartbeat(self._clock.now())

    # --- letters in ---------------------------------------------------------------------------

    def last_uid(self, uid_validity: int, uid_next: int) -> int:
        """Where reading begins: at first start only letters newer than the installation are taken.

        When the server numbered the mailbox anew, it is read from its start, and letters that
        were seen are known by their contents.
        """
        with self._database.transaction() as store:
            mark = store.mailbox_mark()
            if mark is None:
                store.set_mailbox_mark(MailboxMark(uid_validity, uid_next - 1, None))
                return uid_next - 1
        return mark.last_uid if mark.uid_validity == uid_validity else 0

    def in_order(self, listed: Sequence[MessageSummary]) -> Sequence[MessageSummary]:
        """New letters as they were received; those older than the installation are left alone."""
        with self._database.transaction() as store:
            installed_at = store.install(self._clock.now())
        new = [one for one in listed if one.received_at >= installed_at.replace(microsecond=0)]
        return sorted(new, key=lambda one: (one.received_at, one.uid))

    def inbox_was_read(self, uid_validity: int, last_uid: int, begun_at: datetime) -> None:
        """The inbox was read to its end in a fetch that began then."""
        self._read_until = begun_at
        with self._database.transaction() as store:
            store.set_mailbox_mark(MailboxMark(uid_validity, last_uid, begun_at))

    def take(self, fetched: Fetched, uid_validity: int) -> None:
        """One letter, one transaction. A letter that trips a bug is kept whole and shown."""
        letter = read_letter(
            fetched.raw,
            fetched.received_at,
            own_addresses=frozenset({self._settings.judge.address.lower()}),
            trusted_authserv=self._settings.security.trusted_authserv,
            size_bytes=fetched.size_bytes,
        )
        letter_in = LetterIn(
            uid_validity=uid_validity,
            uid=fetched.uid,
            sha256=letter.sha256,
            message_id=letter.message_id,
            sender=letter.sender,
            received_at=fetched.received_at,
            raw=fetched.raw,
            taken_at=self._clock.now(),
        )
        try:
            with self._database.transaction() as store:
                self._take(store, letter, letter_in)
        except Exception as error:
            log.exception("letter shunted uid=%d", fetched.uid)
            self._shunt(letter_in, error)

    def _take(self, store: Store, letter: Letter, letter_in: LetterIn) -> None:
        letter_id = store.take_letter(letter_in)
        if letter_id is None:
            return
        if self._floods(store, letter):
            store.settle_letter(letter_id, LetterState.ASIDE, "too many letters an hour")
            return
        cause = f"letter {letter.sha256}"
        unit_of_work = self.unit_of_work(store, cause)
        disposition = take_letter(unit_of_work, letter)
        store.save(unit_of_work.changes(), cause=cause)
        store.settle_letter(letter_id, STATES[disposition], letter.reason)
        log.info("letter taken id=%d uid=%d fate=%s", letter_id, letter_in.uid, disposition)

    def _floods(self, store: Store, letter: Letter) -> bool:
        since = self._clock.now() - timedelta(hours=1)
        taken = store.letters_since(letter.sender, since)
        return taken > self._settings.limits.letters_an_hour

    def _shunt(self, letter_in: LetterIn, error: Exception) -> None:
        with self._database.transaction() as store:
            letter_id = store.take_letter(letter_in)
            if letter_id is None:
                return
            what = "".join(traceback.format_exception_only(error)).strip()
            store.settle_letter(letter_id, LetterState.SHUNTED, what)
            self._notify_keepers(store, f"shunted {letter_id}", "letter_shunted", id=letter_id)

    def _notify_keepers(self, store: Store, cause: str, what: str, **values: Value) -> None:
        unit_of_work = self.unit_of_work(store, cause)
        unit_of_work.notify_keepers(what, values)
        store.save(unit_of_work.changes(), cause=cause)

    def mailbox_is_back(self) -> None:
        """The mailbox can be read again: said to keepers who were told that it could not."""
        with self._database.transaction() as store:
            if self._told_unreachable is not None:
                cause = f"mailbox back {int(self._told_unreachable.timestamp())}"
                self._notify_keepers(store, cause, "mailbox_back")
        self._told_unreachable = None

    # --- the clock ----------------------------------------------------------------------------

    def run_due_games(self, read_until: datetime) -> None:
        """Do what is due in every game, as far as the inbox was read."""
        for _ in range(MOST_STEPS):
            with self._database.transaction() as store:
                names = store.due_games(self._clock.now())
            changed = [self._look_at(name, read_until) for name in names]
            if not any(changed):
                return

    def _look_at(self, name: str, read_until: datetime) -> bool:
        """One look at one game; whether it changed. A bug in it halts this game alone."""
        try:
            with self._database.transaction() as store:
                game = store.game(name)
                assert game is not None, name
                # Whatever writes letters changes the phase or one of its instants.
                serial = game.phase.serial if game.phase else 0
                cause = f"clock {name} {serial} {_instants(game.timing)}"
                unit_of_work = self.unit_of_work(store, cause)
                look_at_game(unit_of_work, name, read_until)
                changes = unit_of_work.changes()
                store.save(changes, cause=cause)
                return bool(changes.games)
        except Exception as error:
            log.exception("game halted game=%s", name)
            what = "".join(traceback.format_exception_only(error)).strip()
            with self._database.transaction() as store:
                store.halt_game(name, what)
                self._notify_keepers(store, f"halted {name}", "game_halted", game=name, error=what)
            return False

    def clock_tick(self, unreachable_since: datetime | None) -> Waiting:
        """Reminders and what was settled by the last reading; what the clock waits for next."""
        self.heartbeat()
        now = self._clock.now()
        if self._read_until is not None:
            self.run_due_games(self._read_until - SETTLE)
        with self._database.transaction() as store:
            due = store.due_games(now)
            next_due_at = store.next_due_at()
        if unreachable_since is not None and now - unreachable_since >= TELL_UNREACHABLE_AFTER:
            self._notify_unreachable(due, unreachable_since)
        return Waiting(next_due_at, fetch=bool(due))

    def _notify_unreachable(self, due: Sequence[str], since: datetime) -> None:
        stamp = int(since.timestamp())
        with self._database.transaction() as store:
            if self._told_unreachable is None:
                self._notify_keepers(store, f"unreachable {stamp}", "mailbox_unreachable")
                self._told_unreachable = since
            for name in due:
                unit_of_work = self.unit_of_work(store, f"unreachable {name} {stamp}")
                notify_mailbox_unreachable(unit_of_work, name)
                store.save(unit_of_work.changes(), cause="clock")

    # --- letters out --------------------------------------------------------------------------

    def render_some(self) -> bool:
        """Put some letters of the outbox into words; whether there were any."""
        with self._database.transaction() as store:
            rows = store.claim_unrendered(RENDER_AT_ONCE)
        for row in rows:
            self._render(row)
        return bool(rows)

    def _render(self, row: OutboxRow) -> None:
        """A letter that cannot be rendered is stuck and shown to the keeper, never lost."""
        try:
            subject, raw = self._letter_bytes(row)
        except Exception as error:
            log.exception("letter stuck token=%s kind=%s", row.token[:6], row.kind)
            what = "".join(traceback.format_exception_only(error)).strip()
            with self._database.transaction() as store:
                store.mark_stuck(row.token, what)
                if row.kind != "keeper":
                    self._notify_keepers(store, f"stuck {row.token}", "letter_stuck", error=what)
            return
        with self._database.transaction() as store:
            store.store_rendered(row.token, subject, raw)

    def _letter_bytes(self, row: OutboxRow) -> tuple[str, bytes]:
        judge = self._settings.judge
        rendered = render_letter(
            messages_from_json(row.messages),
            language=row.language,
            zone=row.zone,
            judge_name=judge.name,
            kind=row.kind,
        )
        root = message_id_for(row.thread, judge.address)
        references = (root,) if row.answers is None else (root, row.answers)
        headers = [("Auto-Submitted", "auto-replied" if row.answers else "auto-generated")]
        if row.game is not None:
            domain = judge.address.rpartition("@")[2]
            headers.append(("X-Judge-Game", row.game))
            headers.append(("List-Id", f"<{row.game}.{domain}>"))
        if row.label is not None:
            headers.append(("X-Judge-Phase", row.label))
        outgoing = OutgoingLetter(
            message_id=message_id_for(row.token, judge.address),
            from_name=judge.name,
            from_address=judge.address,
            recipient=row.recipient,
            reply_to=reply_address(row.token, judge.address),
            subject=rendered.subject,
            text=rendered.text,
            html=None,
            in_reply_to=row.answers or root,
            references=references,
            date=row.created_at,
            headers=tuple(headers),
        )
        return rendered.subject, compose(outgoing)

    def claim_to_send(self) -> Sequence[OutboxRow]:
        with self._database.transaction() as store:
            return store.claim_to_send(self._clock.now(), SEND_AT_ONCE)

    def was_sent(self, token: Token) -> None:
        with self._database.transaction() as store:
            store.mark_sent(token, self._clock.now())

    def sending_failed(self, token: Token, tries: int, error: str) -> None:
        """Try again later, until the tries run out: then the letter is stuck."""
        clock = self._settings.clock
        with self._database.transaction() as store:
            if tries + 1 >= clock.send_tries:
                self._set_stuck(store, token, error)
            else:
                at = next_try_at(self._clock.now(), tries + 1, clock, token)
                store.mark_failed(token, error, at)

    def sending_was_refused(self, token: Token, error: str) -> None:
        """The server will never take it."""
        with self._database.transaction() as store:
            self._set_stuck(store, token, error)

    def _set_stuck(self, store: Store, token: Token, error: str) -> None:
        log.error("letter stuck token=%s reason=%s", token[:6], error)
        store.mark_stuck(token, error)

    def seconds_to_next_try(self) -> float:
        with self._database.transaction() as store:
            at = store.next_try_at()
        if at is None:
            return POLL_OUTBOX_SECONDS
        return min(max((at - self._clock.now()).total_seconds(), 0.05), POLL_OUTBOX_SECONDS)


STATES = {
    Disposition.ANSWERED: LetterState.ANSWERED,
    Disposition.ASIDE: LetterState.ASIDE,
    Disposition.SILENT: LetterState.ASIDE,
}


def _instants(timing: Timing | None) -> str:
    """What of a phase's timing changes whenever the clock writes letters; tokens derive from it."""
    if timing is None:
        return ""
    instants = (timing.opened_at, timing.deadline_at, timing.changed_at, timing.grace_until)
    flags = (timing.reminded, timing.waits, timing.unreachable)
    seconds = [int(each.timestamp()) if each else 0 for each in instants]
    return f"{seconds} {[int(flag) for flag in flags]} {' '.join(timing.late)}"
