"""Letters in and out: mailbox, delivery, MIME, quoting, whose letter it is."""

from judge.mail.composing import OutgoingLetter, Picture, compose, with_pictures
from judge.mail.delivery import (
    CONNECTIONS,
    Deferred,
    Delivery,
    Rejected,
    ServerRefuses,
    SmtpAccount,
    SmtpDelivery,
)
from judge.mail.inbox import (
    Fetched,
    ImapAccount,
    ImapInbox,
    Inbox,
    MailboxStatus,
    MessageSummary,
    ServerClock,
)
from judge.mail.letter import (
    Letter,
    LetterKind,
    Verdict,
    canonical_address,
    is_address,
    message_id_for,
    plus_tokens,
    read_letter,
    reply_address,
    wire_address,
)
from judge.mail.mime import Unread, UnreadKind, header_block
from judge.mail.reading import TooCostly, guarded_reader

__all__ = [
    "CONNECTIONS",
    "Deferred",
    "Delivery",
    "Fetched",
    "ImapAccount",
    "ImapInbox",
    "Inbox",
    "Letter",
    "LetterKind",
    "MailboxStatus",
    "MessageSummary",
    "OutgoingLetter",
    "Picture",
    "Rejected",
    "ServerClock",
    "ServerRefuses",
    "SmtpAccount",
    "SmtpDelivery",
    "TooCostly",
    "Unread",
    "UnreadKind",
    "Verdict",
    "canonical_address",
    "compose",
    "guarded_reader",
    "header_block",
    "is_address",
    "message_id_for",
    "plus_tokens",
    "read_letter",
    "reply_address",
    "wire_address",
    "with_pictures",
]
