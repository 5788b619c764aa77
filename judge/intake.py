"""Letters in: which of the mailbox are new, and one transaction for each of them.

Runs in the writer thread; no network here.
"""

import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256

from msgspec.structs import replace

from judge import __version__, mail
from judge.errors import last_line_of, may_pass
from judge.host import Disposition, get_ready, take_letter
from judge.hosting import INSTALLED, TOLD_UNREACHABLE, Hosting
from judge.rulebook import Values
from judge.store import LetterIn, LetterState, StoredLetter, Transaction, UidCheckpoint

MOST_ANSWERED = 5  # letters of ours in which the lines of a reply are looked for
log = logging.getLogger(__name__)

STATES = {
    Disposition.ANSWERED: LetterState.ANSWERED,
    Disposition.ASIDE: LetterState.ASIDE,
    Disposition.SILENT: LetterState.ASIDE,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a reading of the mailbox begins.

    Attributes:
        after_uid: letters up to this UID were taken.
        installed_at: letters received before the installation are left alone; None where the
            UIDs tell which these are.
        taken: UIDs above `after_uid` that were taken already.
    """

    after_uid: int
    installed_at: datetime | None
    taken: frozenset[int] = frozenset()

    def new_in_order(self, listed: Sequence[mail.MessageSummary]) -> Sequence[mail.MessageSummary]:
        """The new ones of the listed letters, as they were received."""
        new = [one for one in listed if one.uid not in self.taken]
        if self.installed_at is not None:
            installed_at = self.installed_at.replace(microsecond=0)
            new = [one for one in new if one.received_at >= installed_at]
        return sorted(new, key=lambda one: (one.received_at, one.uid))


class Intake:
    def __init__(self, hosting: Hosting) -> None:
        self._hosting = hosting
        self._done = ""  # what the log says of the newest letter, once it is committed

    def begin_reading(self, uid_validity: int, uid_next: int) -> Reading:
        """Where to begin: at the first start, after what lies in the mailbox already.

        When the server numbered the mailbox anew, or has restored it from a copy, it is read from
        its start, and letters that were seen are known by their contents.
        """
        with self._hosting.database.read() as tx:
            checkpoint, installed_at = tx.mailbox.checkpoint(), tx.timestamps.get(INSTALLED)
        if checkpoint is None or installed_at is None:
            checkpoint = checkpoint or UidCheckpoint(uid_validity, uid_next - 1)
            installed_at = installed_at or self._hosting.clock.now()
            with self._hosting.database.transaction() as tx:
                tx.mailbox.set_checkpoint(checkpoint)
                tx.timestamps.set(INSTALLED, installed_at)
        is_same = checkpoint.uid_validity == uid_validity
        if is_same and uid_next <= checkpoint.last_uid:
            is_same = False
            log.info("mailbox restored uid_next=%d last_uid=%d", uid_next, checkpoint.last_uid)
            with self._hosting.database.transaction() as tx:
                tx.letters.forget_uids(uid_validity)
        after_uid = checkpoint.last_uid if is_same else 0
        with self._hosting.database.read() as tx:
            taken = tx.letters.uids_after(uid_validity, after_uid)
        return Reading(after_uid, None if is_same else installed_at, taken)

    def is_other(self, newest: mail.Fetched, uid_validity: int) -> bool:
        """Whether the letter with the UID that was taken last is another one: the mailbox was
        restored, and gives its UIDs again. Nearly always that letter was filed away."""
        with self._hosting.database.read() as tx:
            taken = tx.letters.by_uid(uid_validity, newest.uid)
        # One that was left there at the installation is not known; one that was given up is empty.
        if taken is None or not taken.raw:
            return False
        return taken.sha256 != sha256(newest.raw).hexdigest()

    def give_up_fetching(self, listed: mail.MessageSummary, uid_validity: int) -> None:
        """A letter that the server does not hand over: noted, and keepers are told."""
        name = f"{uid_validity}:{listed.uid}"
        log.error("letter left in the mailbox uid=%d", listed.uid)
        with self._hosting.database.transaction() as tx:
            letter_id = tx.letters.take(
                LetterIn(
                    uid_validity=uid_validity,
                    uid=listed.uid,
                    sha256=sha256(name.encode()).hexdigest(),
                    message_id=None,
                    sender="",
                    received_at=listed.received_at,
                    raw=b"",
                    taken_at=self._hosting.clock.now(),
                )
            )
            if letter_id is not None:
                tx.letters.shunt(letter_id, f"the mail server does not hand over UID {listed.uid}")
                cause = f"not fetched {name}"
                self._hosting.notify_keepers(tx, cause, "letter_not_fetched", id=letter_id)

    def end_reading(self, uid_validity: int, last_uid: int, begun_at: datetime) -> None:
        """The mailbox was read to its end, up to this UID, in a fetch that began then."""
        with self._hosting.database.transaction() as tx:
            tx.mailbox.set_checkpoint(UidCheckpoint(uid_validity, last_uid, begun_at))

    def take(self, fetched: mail.Fetched, uid_validity: int) -> None:
        """One letter, one transaction. A letter that trips a bug is kept whole and shown.

        Raises:
            Unavailable: the database cannot be used now; the letter is as good as not fetched.
        """
        letter, cost = self._read(fetched.raw, fetched.received_at, fetched.size_bytes)
        words = " ".join(letter.whole_body.split())
        letter_in = LetterIn(
            uid_validity=uid_validity,
            uid=fetched.uid,
            sha256=letter.sha256,
            message_id=letter.message_id,
            sender=letter.sender,
            received_at=fetched.received_at,
            raw=fetched.raw,
            taken_at=self._hosting.clock.now(),
            text_sha256=sha256(words.encode("utf-8", "replace")).hexdigest(),
        )
        try:
            with self._hosting.database.transaction() as tx:
                letter_id = tx.letters.take(letter_in)
                if letter_id is None:
                    self._done = "disposition=known"
                else:
                    # Its answer's token is its own: once it can be read, it is answered again.
                    cause = f"unread letter {letter.sha256}" if cost else ""
                    self._handle(tx, letter, letter_id, cause)
                    if cost:
                        self._shunt(tx, letter_id, cost)
            log.info(
                "letter taken uid=%d from=%s %s", fetched.uid, letter.sender or "-", self._done
            )
        except Exception as error:
            if may_pass(error):
                raise
            log.exception("letter shunted uid=%d", fetched.uid)
            with self._hosting.database.transaction() as tx:
                letter_id = tx.letters.take(letter_in)
                if letter_id is not None:
                    self._shunt(tx, letter_id, last_line_of(error))

    def _shunt(self, tx: Transaction, letter_id: int, error: str) -> None:
        """Keep a letter that cannot be handled, and show it to the keepers."""
        tx.letters.shunt(letter_id, error)
        cause, command = f"shunted {letter_id}", f"judge letters retry {letter_id}"
        self._hosting.notify_keepers(
            tx, cause, "letter_shunted", id=letter_id, error=error, command=command
        )

    def begin(self) -> None:
        """After a start: a new version may handle the letters that tripped an older one."""
        mail.guarded_reader().begin()
        get_ready(self._hosting.config, self._hosting.clock.now())
        version = f"version {__version__}"
        with self._hosting.database.read() as tx:
            is_new, shunted = tx.timestamps.get(version) is None, tx.letters.shunted()
        if is_new:
            for stored in shunted:
                # Of one that cost too much (it failed, with a note why) its sender was told.
                if stored.letter.raw and not (stored.tries and stored.note):
                    self.retry(stored)
            with self._hosting.database.transaction() as tx:
                tx.timestamps.set(version, self._hosting.clock.now())

    def retry(self, stored: StoredLetter) -> bool:
        """Handle a letter again that tripped a bug, unless another process has done so meanwhile;
        whether it went well.

        Raises:
            Unavailable: the database cannot be used now.
        """
        letter_in = stored.letter
        try:
            letter, what = self._read(letter_in.raw, letter_in.received_at, None)
            if not what:
                with self._hosting.database.transaction() as tx:
                    found = tx.letters.get(stored.id)
                    if found is None or found.state is not LetterState.SHUNTED:
                        return True
                    self._handle(tx, letter, stored.id)
                log.info("letter taken again %s", self._done)
        except Exception as error:
            if may_pass(error):
                raise
            log.exception("letter failed again id=%d", stored.id)
            what = last_line_of(error)
        if what:
            with self._hosting.database.transaction() as tx:
                tx.letters.shunt(stored.id, what)
        return not what

    def _read(
        self, raw: bytes, received_at: datetime, size_bytes: int | None
    ) -> tuple[mail.Letter, str]:
        """A letter; where reading it costs too much its headers alone, and what was too much.

        Raises:
            Unavailable: the system or the database cannot be used now.
        """
        settings = self._hosting.settings
        read = partial(
            mail.guarded_reader().read,
            received_at=received_at,
            own_addresses=frozenset({settings.judge.address.lower()}),
            own_name=settings.judge.name,
            trusted_authserv=settings.security.trusted_authserv,
        )

        def sent(tokens: tuple[str, ...]) -> list[bytes]:
            """The letters of ours that it answers, the newest first, as they were sent."""
            with self._hosting.database.read() as tx:
                return tx.outbox.bytes_of(tokens[:MOST_ANSWERED])

        try:
            return read(raw, size_bytes=size_bytes, sent=sent), ""
        except mail.TooCostly as error:
            cost = str(error)
        log.error("letter not read bytes=%d reason=%s", len(raw), cost)
        try:
            letter = read(mail.header_block(raw))
        except mail.TooCostly:
            letter = read(b"")
        if letter.disposition in (
            mail.LetterKind.ANSWER,
            mail.LetterKind.EMPTY,
            mail.LetterKind.TOO_LARGE,
        ):
            letter = replace(letter, disposition=mail.LetterKind.TOO_COSTLY, reason=cost)
        return replace(letter, sha256=sha256(raw).hexdigest()), cost

    def _handle(
        self, tx: Transaction, letter: mail.Letter, letter_id: int, cause: str = ""
    ) -> None:
        with self._hosting.unit_of_work(tx, cause or f"letter {letter.sha256}") as work:
            disposition, player = take_letter(work, letter)
            games = ",".join(game.name for game in work.games.values()) or "-"
        if work.passwords and (stored := tx.letters.get(letter_id)) is not None:
            head = mail.header_block(stored.letter.raw).decode("utf-8", "surrogateescape")
            kept = work.without_passwords(head).encode("utf-8", "surrogateescape")
            kept += work.without_passwords(letter.whole_body).encode("utf-8", "replace")
            tx.letters.replace_raw(letter_id, kept)

        why, now, notify = letter.reason, self._hosting.clock.now(), self._hosting.notify_once
        if disposition is Disposition.SILENT:  # of the first such letter of a day keepers are told
            why = "nothing proves it, and its like were answered often enough"
            facts: Values = {"recipient": letter.sender}
            notify(tx, f"many {now:%Y-%m-%d}", "too_many_letters", facts, facts)
        elif letter.disposition is mail.LetterKind.UNANSWERABLE:
            facts = {"id": letter_id, "command": f"judge letters show {letter_id}"}
            notify(tx, f"unanswerable {now:%Y-%m-%d}", "no_address", facts, facts)
        tx.letters.set_state(letter_id, STATES[disposition], why, player)

        # A letter to a seat came back: its master and the keepers are told, once a month for each
        # address. Only who has that letter of ours can know its token.
        token = (letter.bounced_message_id or "").partition("@")[0].lower()
        sent = tx.outbox.by_token(token) if token else None
        if sent is not None and sent.game is not None and sent.player is not None:
            log.warning("letter bounced game=%s to=%s", sent.game, sent.recipient)
            facts = {"game": sent.game, "recipient": sent.recipient}
            cause = f"bounced {sent.recipient} {now:%Y-%m}"
            notify(tx, cause, "letter_bounced", facts, facts, sent.game, sent.player)

        sys.audit("judge.step", "taken")
        why = f" reason={why}" if why else ""
        self._done = f"id={letter_id} disposition={disposition} games={games}{why}"

    def mailbox_is_back(self) -> None:
        """The mailbox can be read again: said to keepers who were told that it could not."""
        with self._hosting.database.read() as tx:
            told_at = tx.timestamps.get(TOLD_UNREACHABLE)
        if told_at is not None:
            with self._hosting.database.transaction() as tx:
                cause = f"mailbox back {int(told_at.timestamp())}"
                self._hosting.notify_keepers(tx, cause, "mailbox_back")
                tx.timestamps.set(TOLD_UNREACHABLE, None)
