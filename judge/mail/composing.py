"""Letters of ours as bytes: the same values always give the same bytes."""

import hashlib
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage, Message
from email.utils import format_datetime

from judge.mail.letter import OutgoingLetter

LINE_OCTETS = 998  # RFC 5322 2.1.1
POLICY = policy.SMTP.clone(max_line_length=78, utf8=False)


def compose(letter: OutgoingLetter) -> bytes:
    """The letter in a multipart/alternative frame, plain text first.

    Raises:
        ValueError: a value would break the headers (a bug: addresses and subjects are checked).
    """
    message = EmailMessage(policy=POLICY)
    message["From"] = Address(letter.from_name, addr_spec=letter.from_address)
    message["To"] = Address(addr_spec=letter.recipient)
    message["Reply-To"] = Address(letter.from_name, addr_spec=letter.reply_to)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(letter.date)
    message["Message-ID"] = f"<{letter.message_id}>"
    if letter.in_reply_to:
        message["In-Reply-To"] = f"<{letter.in_reply_to}>"
    if letter.references:
        message["References"] = " ".join(f"<{one}>" for one in letter.references)
    for name, value in letter.headers:
        message[name] = value
    message["MIME-Version"] = "1.0"
    part = EmailMessage(policy=POLICY)
    part.set_content(letter.text, cte="quoted-printable")
    del part["MIME-Version"]
    parts = [part]
    if letter.html is not None:
        html = EmailMessage(policy=POLICY)
        html.set_content(letter.html, subtype="html", cte="quoted-printable")
        del html["MIME-Version"]
        parts.append(html)
    message["Content-Type"] = f'multipart/alternative; boundary="{_boundary(letter)}"'
    message.set_payload(list[Message | str](parts))
    return message.as_bytes()


def _boundary(letter: OutgoingLetter) -> str:
    """Derived from the Message-ID; quoted-printable text cannot hold `=_`."""
    return "=_" + hashlib.sha256(letter.message_id.encode()).hexdigest()[:32]
