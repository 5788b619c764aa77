"""A letter's bytes become a `Letter`: pure, and never raises, whatever somebody sent."""

import hashlib
import re
from datetime import datetime
from email import message_from_bytes, policy
from email.message import Message

from judge.mail.authentication import is_authenticated
from judge.mail.headers import address, addresses, header, headers, references, utc_offset_minutes
from judge.mail.letter import Disposition, Letter
from judge.mail.mime import text_of
from judge.mail.quoting import cut_quotes

LONGEST_HEADERS = 32_768  # bytes; RFC 5322 sets none, real letters have 2-10 kB
MOST_OPENING = 200  # nested multiparts beyond this are nobody's letter
DAEMONS = ("mailer-daemon", "postmaster", "mail-daemon", "noreply", "no-reply")
VACATION = re.compile(
    r"auto[- ]?repl|out of (?:the )?office|vacation|부재중|不在|自動返信|자동 ?응답", re.I
)
HANGUL = re.compile(r"[\uac00-\ud7a3]")
KANA = re.compile(r"[\u3040-\u30ff]")
HAN = re.compile(r"[\u4e00-\u9fff]")


def read_letter(
    raw: bytes,
    received_at: datetime,
    *,
    own_addresses: frozenset[str],
    trusted_authserv: str = "",
    size_bytes: int | None = None,
) -> Letter:
    """Everything the house needs to know of a letter.

    `size_bytes` is the letter's true size, where only its beginning was fetched.
    """
    message = _parse(raw)
    name, sender = address(header(message, "From"))
    whole_body = _body(message)
    body = cut_quotes(whole_body)
    disposition, reason = _disposition(message, sender, body, own_addresses)
    if disposition is Disposition.ANSWER and size_bytes is not None and size_bytes > len(raw):
        disposition, reason = Disposition.TOO_LARGE, f"{size_bytes} bytes"
    ids = re.findall(r"<([^<>\s]{1,900})>", header(message, "Message-ID"))
    bounced_id, bounced_to = (None, None)
    if disposition is Disposition.BOUNCE:
        bounced_id, bounced_to = _bounced(raw)
    return Letter(
        sha256=hashlib.sha256(raw).hexdigest(),
        received_at=received_at,
        message_id=ids[0] if ids else None,
        sender=sender,
        sender_name=name,
        recipients=_recipients(message),
        subject=header(message, "Subject"),
        references=references(message),
        utc_offset_minutes=utc_offset_minutes(message),
        language=_language(message, body or whole_body),
        body=body,
        whole_body=whole_body,
        disposition=disposition,
        reason=reason,
        bounced_message_id=bounced_id,
        bounced_recipient=bounced_to,
        authenticated=is_authenticated(message, sender, trusted_authserv),
    )


def _parse(raw: bytes) -> Message:
    """The message, with a bounded header block and bounded nesting."""
    head, separator, body = raw.partition(b"\r\n\r\n" if b"\r\n\r\n" in raw else b"\n\n")
    if len(head) > LONGEST_HEADERS:
        head = head[:LONGEST_HEADERS].rpartition(b"\n")[0]
    if raw.count(b"boundary=") > MOST_OPENING:
        body = b""
    try:
        return message_from_bytes(head + separator + body, policy=policy.compat32)
    except (ValueError, LookupError, IndexError, RecursionError, AttributeError, TypeError):
        return Message()


def _body(message: Message) -> str:
    try:
        return text_of(message)
    except (ValueError, LookupError, IndexError, RecursionError, AttributeError, TypeError):
        return ""


def _recipients(message: Message) -> tuple[str, ...]:
    names = ("To", "Cc", "Delivered-To", "X-Original-To")
    return addresses([value for name in names for value in headers(message, name)])


def _disposition(
    message: Message, sender: str, body: str, own_addresses: frozenset[str]
) -> tuple[Disposition, str]:
    if message.get_content_type() == "multipart/report":
        return Disposition.BOUNCE, "a delivery report"
    if header(message, "Return-Path") == "<>" or sender.partition("@")[0] in DAEMONS:
        return Disposition.BOUNCE, "from a mail system"
    if not sender:
        return Disposition.UNREADABLE, "no address in From"
    if _plain_address(sender) in own_addresses:
        return Disposition.LOOP, "from the judge's own address"
    automatic = header(message, "Auto-Submitted").lower()
    if automatic and not automatic.startswith("no"):
        return _automatic(message, automatic)
    if header(message, "X-Autoreply") or header(message, "X-Autorespond"):
        return Disposition.AUTO_REPLY, "X-Autoreply"
    precedence = header(message, "Precedence").lower()
    if precedence in ("bulk", "junk", "list", "auto_reply"):
        return Disposition.LIST, f"Precedence: {precedence}"
    if header(message, "List-Id") or header(message, "List-Unsubscribe"):
        return Disposition.LIST, "a mailing list"
    if not body.strip():
        return Disposition.EMPTY, "no text"
    return Disposition.ANSWER, ""


def _automatic(message: Message, automatic: str) -> tuple[Disposition, str]:
    if header(message, "X-Judge-Game"):
        return Disposition.LOOP, "a judge's letter"
    if automatic.startswith("auto-replied") or VACATION.search(header(message, "Subject")):
        return Disposition.AUTO_REPLY, f"Auto-Submitted: {automatic}"[:80]
    return Disposition.LOOP, f"Auto-Submitted: {automatic}"[:80]


def _plain_address(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _bounced(raw: bytes) -> tuple[str | None, str | None]:
    """Our letter's Message-ID and who refused it, out of the report's text."""
    text = raw.decode("latin-1")
    ids = re.findall(r"(?im)^Message-ID:\s*<([^<>\s]{1,900})>", text)
    final = re.search(r"(?im)^(?:Final|Original)-Recipient:\s*rfc822;\s*<?([^\s<>]{3,320})", text)
    # The last Message-ID is the returned letter's, the first the report's own.
    return (ids[-1] if len(ids) > 1 else None), (final[1].lower() if final else None)


def _language(message: Message, text: str) -> str | None:
    """The script decides; Han alone is Chinese, with kana it is Japanese."""
    sample = f"{header(message, 'Subject')} {text[:4000]}"
    if HANGUL.search(sample):
        return "ko"
    if KANA.search(sample):
        return "ja"
    if HAN.search(sample):
        return "zh_Hant"
    for name in ("Content-Language", "Accept-Language"):
        written = header(message, name).lower()
        for prefix, language in (("ko", "ko"), ("ja", "ja"), ("zh", "zh_Hant"), ("en", "en")):
            if written.startswith(prefix):
                return language
    return "en" if re.search(r"[A-Za-z]{2}", sample) else None
