"""What the store keeps of letters in and out, as values. No SQL here, and no MIME."""

from datetime import datetime
from enum import StrEnum

import msgspec

from judge.store.records import OutLetter


class LetterIn(msgspec.Struct, frozen=True):
    """A letter as the mailbox holds it.

    Attributes:
        uid_validity, uid: the mailbox's name for it (RFC 3501 2.3.1.1).
        sha256: of `raw`, hexadecimal.
        message_id: as written; None or empty if it has none.
        sender: the address in From.
        received_at: when the mail server took it.
        raw: the letter as it came.
        taken_at: when the judge fetched it.
        text_sha256: of its words, hexadecimal; they stay the same on another way here.
    """

    uid_validity: int
    uid: int
    sha256: str
    message_id: str | None
    sender: str
    received_at: datetime
    raw: bytes
    taken_at: datetime
    text_sha256: str = ""


class LetterState(StrEnum):
    """What became of a letter that came in."""

    TAKEN = "taken"  # stored; nothing more is settled yet
    ANSWERED = "answered"
    ASIDE = "aside"  # loops, bounces, auto-replies: no answer
    SHUNTED = "shunted"  # reading it failed; tried again, then shown to the keeper
    KEPT = "kept"  # waits for somebody's word


class StoredLetter(msgspec.Struct, frozen=True):
    """A letter that came in, with what became of it.

    Attributes:
        note: why it is in that state, for the keeper.
        tries: how often reading it failed.
        last_error: of the newest failure; empty if none.
    """

    id: int
    letter: LetterIn
    state: LetterState
    note: str
    tries: int
    last_error: str


class UidCheckpoint(msgspec.Struct, frozen=True):
    """How far the mailbox was read.

    Attributes:
        uid_validity: as the server said; when it changes, the UIDs before it mean nothing.
        last_uid: the highest UID that was taken, or left alone at the installation.
        read_through_at: begin of the newest fetch that read to the end and found letters, or was
            the first after a start; None before.
    """

    uid_validity: int
    last_uid: int
    read_through_at: datetime | None = None


class OutboxState(StrEnum):
    """Where a letter of ours is on its way: queued, sending, sent; queued again after a failure."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    STUCK = "stuck"  # could not be rendered, or its tries ran out; the keeper is shown it


# Inherits because it is that letter: whatever renders or addresses an OutLetter takes a row too.
class OutboxRow(OutLetter, frozen=True):
    """A letter of ours and how far it got.

    Attributes:
        tries: how often it was given to a mail server.
        next_try_at: not before this instant; when it was written, for a first try.
        last_error: of the newest failure; empty if none.
        subject, raw: what is sent, the same bytes at every try; None until it was rendered.
        sent_at: when a server took it.
        pictures: those that stand in `raw` only as digests, which `with_pictures` replaces.
    """

    state: OutboxState = OutboxState.QUEUED
    tries: int = 0
    next_try_at: datetime | None = None
    last_error: str = ""
    subject: str | None = None
    raw: bytes | None = None
    sent_at: datetime | None = None
    pictures: tuple[str, ...] = ()
