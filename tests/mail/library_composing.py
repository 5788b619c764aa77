"""A letter of ours as the standard library alone would write it, to compare `compose` with."""

import base64
import hashlib
from email import policy
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage, Message
from email.utils import format_datetime
from typing import Any, cast

from judge.mail import OutgoingLetter
from judge.mail.composing import LONGEST_SUBJECT, MESSAGE_ID, WORD_OCTETS, one_line


class Ids(UnstructuredHeader):
    def fold(self: Any, *, policy: Any) -> str:
        return f"{self.name}: " + f"{policy.linesep} ".join(str(self).split()) + policy.linesep


class Subject(UnstructuredHeader):
    def fold(self: Any, *, policy: Any) -> str:
        text = str(self)
        if text.isascii() and len(text) < LONGEST_SUBJECT:
            return f"{self.name}: {text}{policy.linesep}"
        pieces = [b""]
        for letter in text:
            if len(pieces[-1]) + len(letter.encode()) > WORD_OCTETS:
                pieces.append(b"")
            pieces[-1] += letter.encode()
        words = (f"=?utf-8?b?{base64.b64encode(piece).decode()}?=" for piece in pieces)
        return f"{self.name}: " + f"{policy.linesep} ".join(words) + policy.linesep


CLASSES = HeaderRegistry(base_class=BaseHeader)
CLASSES.map_to_type("subject", cast(type[BaseHeader], Subject))
for field in ("message-id", "in-reply-to", "references"):
    CLASSES.map_to_type(field, cast(type[BaseHeader], Ids))
POLICY = policy.SMTP.clone(max_line_length=78, header_factory=CLASSES)


def compose_by_library(letter: OutgoingLetter) -> bytes:
    is_ascii = letter.recipient.isascii() and letter.from_address.isascii()
    message = EmailMessage(policy=POLICY if is_ascii else POLICY.clone(utf8=True))
    message["From"] = mailbox(letter.from_name, letter.from_address)
    message["To"] = letter.recipient
    message["Reply-To"] = mailbox(letter.from_name, letter.reply_to)
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(letter.date)
    message["Message-ID"] = f"<{letter.message_id}>"
    if letter.in_reply_to and MESSAGE_ID.match(letter.in_reply_to):
        message["In-Reply-To"] = f"<{letter.in_reply_to}>"
    ids = [f"<{one}>" for one in letter.references[-20:] if MESSAGE_ID.match(one)]
    if ids:
        message["References"] = " ".join(ids)
    for name, value in letter.headers:
        message[name] = one_line(value)
    message["MIME-Version"] = "1.0"
    boundary = "=_" + hashlib.sha256(letter.message_id.encode()).hexdigest()[:32]
    message["Content-Type"] = f'multipart/alternative; boundary="{boundary}"'
    parts = [part(letter.text, "plain")]
    if letter.html is not None:
        parts.append(part(letter.html, "html"))
    message.set_payload(list[Message | str](parts))
    return message.as_bytes()


def part(text: str, subtype: str) -> EmailMessage:
    made = EmailMessage(policy=POLICY)
    made.set_content(text, subtype=subtype, cte="quoted-printable")
    del made["MIME-Version"]
    return made


def mailbox(name: str, address: str) -> str:
    shown = one_line(name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}" <{address}>' if shown else address
