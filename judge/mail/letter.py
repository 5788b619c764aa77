"""Letters as values: what came in, read, and what goes out."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class LetterKind(StrEnum):
    """What kind of letter it is; only `ANSWER`, `EMPTY` and `TOO_LARGE` are answered."""

    ANSWER = "answer"
    LOOP = "loop"  # from ourselves, or from another machine that answers by itself
    BOUNCE = "bounce"
    AUTO_REPLY = "auto_reply"  # somebody's holiday
    LIST = "list"  # a mailing list or bulk mail
    UNREADABLE = "unreadable"  # no address to answer
    EMPTY = "empty"
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that came in.

    Attributes:
        sha256: of the raw bytes, hex.
        received_at: when the mail server took it (INTERNALDATE), UTC.
        message_id: without angle brackets; None if it has none.
        sender: the address in From, lower case; empty if it cannot be told.
        recipients: addresses of To, Cc, Delivered-To and X-Original-To, lower case.
        references: In-Reply-To first, then References, newest first; without brackets.
        utc_offset_minutes: of the Date header, for a guess at the writer's zone.
        language: `en`, `ko`, `zh_Hant` or `ja` if it can be guessed.
        body: plain text; quotes and signature cut.
        whole_body: plain text before anything was cut.
        reason: why it has this disposition, for the log and the keeper.
        bounced_message_id, bounced_recipient: of a bounce, the letter of ours and who refused it.
        authenticated: the receiving server's own check says that From is no forgery.
    """

    sha256: str
    received_at: datetime
    message_id: str | None
    sender: str
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    references: tuple[str, ...]
    utc_offset_minutes: int | None
    language: str | None
    body: str
    whole_body: str
    disposition: LetterKind
    reason: str
    bounced_message_id: str | None
    bounced_recipient: str | None
    authenticated: bool


@dataclass(frozen=True, slots=True)
class OutgoingLetter:
    """A letter to go out; `message_id`, `in_reply_to` and `references` without brackets."""

    message_id: str
    from_name: str
    from_address: str
    recipient: str
    reply_to: str
    subject: str
    text: str
    html: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    date: datetime
    headers: tuple[tuple[str, str], ...] = ()
