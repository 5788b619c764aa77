"""Letters in and out: mailbox, delivery, MIME, quoting, whose letter it is."""

from judge.mail.composing import compose
from judge.mail.delivery import SmtpAccount, SmtpDelivery
from judge.mail.embedded import EmbeddedServer
from judge.mail.identity import message_id_for, plus_tokens, reply_address
from judge.mail.inbox import ImapAccount, ImapInbox
from judge.mail.letter import Letter, LetterKind, OutgoingLetter
from judge.mail.memory import MemoryDelivery, MemoryInbox
from judge.mail.reading import read_letter
from judge.mail.transport import Delivery, Fetched, Inbox, MailboxStatus, MessageSummary, Rejected

__all__ = [
    "Delivery",
    "EmbeddedServer",
    "Fetched",
    "ImapAccount",
    "ImapInbox",
    "Inbox",
    "Letter",
    "LetterKind",
    "MailboxStatus",
    "MemoryDelivery",
    "MemoryInbox",
    "MessageSummary",
    "OutgoingLetter",
    "Rejected",
    "SmtpAccount",
    "SmtpDelivery",
    "compose",
    "message_id_for",
    "plus_tokens",
    "read_letter",
    "reply_address",
]
