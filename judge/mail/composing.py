"""Letters of ours as bytes: the same values always give the same bytes."""

import base64
import hashlib
import re
from email import policy
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage, Message
from email.utils import format_datetime
from typing import Any, cast

from judge.mail.letter import OutgoingLetter

LONGEST_SUBJECT = 900  # characters; RFC 5322 2.1.1 allows lines of 998
WORD_OCTETS = 45  # 60 letters of base64, with the frame 72
MOST_REFERENCES = 20  # RFC 5322 sets none; programs thread by the newest
MESSAGE_ID = re.compile(r"[!-;=?-~]{1,900}\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]+")


class _Ids(UnstructuredHeader):
    """References, an id a line: the library would encode an id longer than a line, which breaks
    the thread."""

    def fold(self: Any, *, policy: Any) -> str:
        newline = str(policy.linesep)
        return f"{self.name}: " + f"{newline} ".join(str(self).split()) + newline


class _Subject(UnstructuredHeader):
    """A subject on one line where it can be: folded behind its name, some programs show a space.

    In other scripts it is encoded whole: the library loses spaces between encoded words.
    """

    def fold(self: Any, *, policy: Any) -> str:
        text = str(self)
        if text.isascii() and len(text) < LONGEST_SUBJECT:
            return f"{self.name}: {text}{policy.linesep}"
        newline = str(policy.linesep)
        return f"{self.name}: " + f"{newline} ".join(_encoded_words(text)) + newline


def _encoded_words(text: str) -> list[str]:
    """The text as encoded words of at most 75 characters, no letter cut in two (RFC 2047 2)."""
    pieces = [b""]
    for letter in text:
        if len(pieces[-1]) + len(letter.encode()) > WORD_OCTETS:
            pieces.append(b"")
        pieces[-1] += letter.encode()
    return [f"=?utf-8?b?{base64.b64encode(piece).decode()}?=" for piece in pieces]


def _header_classes() -> HeaderRegistry:
    classes = HeaderRegistry(base_class=BaseHeader)
    classes.map_to_type("subject", cast(type[BaseHeader], _Subject))
    for name in ("message-id", "in-reply-to", "references"):
        # Header classes are mixed into BaseHeader by the registry, they do not inherit from it.
        classes.map_to_type(name, cast(type[BaseHeader], _Ids))
    return classes


POLICY = policy.SMTP.clone(max_line_length=78, header_factory=_header_classes())


def compose(letter: OutgoingLetter) -> bytes:
    """The letter in a multipart/alternative frame, plain text first, lines of 998 bytes at most.

    Raises:
        ValueError: an address or an id breaks RFC 5322 (a bug: addresses are checked on entry).
    """
    # An address outside ASCII can only travel as UTF-8 (RFC 6531).
    is_ascii = all(one.isascii() for one in (letter.recipient, letter.from_address))
    rules = POLICY if is_ascii else POLICY.clone(utf8=True)
    message = EmailMessage(policy=rules)
    message["From"] = _mailbox(letter.from_name, letter.from_address)
    message["To"] = _mailbox("", letter.recipient)
    message["Reply-To"] = _mailbox(letter.from_name, letter.reply_to)
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(letter.date)
    if not MESSAGE_ID.match(letter.message_id):
        raise ValueError(f"no Message-ID: {letter.message_id!r}")
    message["Message-ID"] = f"<{letter.message_id}>"
    answered = _ids((letter.in_reply_to or "",))
    if answered:
        message["In-Reply-To"] = answered
    thread = _ids(letter.references[-MOST_REFERENCES:])
    if thread:
        message["References"] = thread
    for name, value in letter.headers:
        message[name] = one_line(value)
    message["MIME-Version"] = "1.0"
    parts = [_part(letter.text, "plain")]
    if letter.html is not None:
        parts.append(_part(letter.html, "html"))
    message["Content-Type"] = f'multipart/alternative; boundary="{_boundary(letter)}"'
    message.set_payload(list[Message | str](parts))
    return message.as_bytes()


def one_line(text: str) -> str:
    """Header text without line breaks and control characters: nobody adds headers of his own."""
    return " ".join(CONTROL.sub(" ", text).split())


def _part(text: str, subtype: str) -> EmailMessage:
    part = EmailMessage(policy=POLICY)
    part.set_content(text, subtype=subtype, cte="quoted-printable")
    del part["MIME-Version"]
    return part


def _mailbox(name: str, address: str) -> str:
    """A mailbox for the library to parse and fold; it will not build one outside ASCII itself."""
    if CONTROL.search(address) or re.search(r"[\s<>,;()]", address) or "@" not in address:
        raise ValueError(f"no address: {address!r}")
    shown = one_line(name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}" <{address}>' if shown else address


def _ids(ids: tuple[str, ...]) -> str:
    """Ids in brackets; what strangers sent as one and no program could refer to is left out."""
    return " ".join(f"<{one}>" for one in ids if MESSAGE_ID.match(one))


def _boundary(letter: OutgoingLetter) -> str:
    """Derived from the Message-ID; quoted-printable text cannot hold `=_`."""
    return "=_" + hashlib.sha256(letter.message_id.encode()).hexdigest()[:32]
