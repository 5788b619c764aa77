"""A letter's bytes become a `Letter`: pure, and never raises, whatever somebody sent."""

import hashlib
import re
from datetime import datetime
from email import message_from_bytes, policy
from email.message import Message
from email.parser import BytesHeaderParser

from judge.mail.authentication import is_authenticated
from judge.mail.headers import (
    addresses,
    header,
    headers,
    message_id,
    message_ids,
    references,
    utc_offset_minutes,
    writer,
)
from judge.mail.letter import Disposition, Letter
from judge.mail.mime import charset_of, text_of
from judge.mail.quoting import cut_quotes

LONGEST_HEADERS = 32_768  # bytes; RFC 5322 sets none, real letters have 2-10 kB
MOST_BOUNDARIES = 40  # the parser's time grows with lines times boundaries; letters have 1-6
TROUBLE = (ValueError, LookupError, RecursionError, AttributeError, TypeError, AssertionError)
HEAD_END = re.compile(rb"\r?\n\r?\n")
DAEMONS = ("mailer-daemon", "postmaster", "mail-daemon", "mail_daemon")
NO_REPLIERS = ("noreply", "no-reply", "donotreply", "do-not-reply", "bounce", "bounces")
VACATION = re.compile(
    r"auto[- ]?repl|out of (?:the )?office|vacation|부재중|不在|自動返信|자동 ?응답", re.I
)
LANGUAGES = {"ko": "ko", "ja": "ja", "zh": "zh_Hant", "en": "en"}
CHARSET_LANGUAGES = {
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "cp949", "iso-2022-kr"), "ko"),
    **dict.fromkeys(("iso-2022-jp", "shift_jis", "euc-jp", "cp932"), "ja"),
    **dict.fromkeys(("big5", "big5-hkscs", "gb2312", "gbk", "gb18030"), "zh_Hant"),
}
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
    name, sender = writer(message)
    whole_body = _body(message)
    body = cut_quotes(whole_body)
    disposition, reason = _disposition(message, sender, body, own_addresses)
    is_whole = size_bytes is None or size_bytes <= len(raw)
    if disposition in (Disposition.ANSWER, Disposition.EMPTY) and not is_whole:
        disposition, reason = Disposition.TOO_LARGE, f"{size_bytes} bytes"
    bounced_id, bounced_to = (None, None)
    if disposition is Disposition.BOUNCE:
        bounced_id, bounced_to = _bounced(raw, own_addresses)
    return Letter(
        sha256=hashlib.sha256(raw).hexdigest(),
        received_at=received_at,
        message_id=message_id(message),
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
    """The message, with a bounded header block and bounded nesting; at worst its headers alone."""
    end = HEAD_END.search(raw)
    head, body = (raw[: end.start()], raw[end.end() :]) if end else (raw, b"")
    if len(head) > LONGEST_HEADERS:
        head = head[:LONGEST_HEADERS].rpartition(b"\n")[0]
    if raw.lower().count(b"boundary=") > MOST_BOUNDARIES:
        body = b""
    try:
        return message_from_bytes(head + b"\r\n\r\n" + body, policy=policy.compat32)
    except TROUBLE:
        return _headers_alone(head)


def _headers_alone(head: bytes) -> Message:
    try:
        return BytesHeaderParser(policy=policy.compat32).parsebytes(head)
    except TROUBLE:
        return Message()


def _body(message: Message) -> str:
    try:
        return text_of(message)
    except TROUBLE:
        return ""


def _recipients(message: Message) -> tuple[str, ...]:
    names = ("To", "Cc", "Delivered-To", "X-Original-To")
    return addresses([value for name in names for value in headers(message, name)])


def _disposition(
    message: Message, sender: str, body: str, own_addresses: frozenset[str]
) -> tuple[Disposition, str]:
    local = sender.partition("@")[0]
    aside = _report(message)
    if aside is not None:
        return aside
    if local in DAEMONS:
        return Disposition.BOUNCE, "from a mail system"
    if _plain_address(sender) in own_addresses:
        return Disposition.LOOP, "from the judge's own address"
    if header(message, "X-Judge-Game"):
        return Disposition.LOOP, "a judge's letter"
    aside = _automatic(message)
    if aside is not None:
        return aside
    if header(message, "Return-Path") == "<>":
        return Disposition.BOUNCE, "from a mail system"
    if not sender:
        return Disposition.UNREADABLE, "no address in From"
    if local in NO_REPLIERS:
        return Disposition.AUTO_REPLY, "from an address that takes no letters"
    return (Disposition.ANSWER, "") if body.strip() else (Disposition.EMPTY, "no text")


def _report(message: Message) -> tuple[Disposition, str] | None:
    """Reports of RFC 3462; one that only confirms or delays is no bounce."""
    if message.get_content_type() != "multipart/report":
        return None
    kind = header(message, "Content-Type").lower()
    if "disposition-notification" in kind:
        return Disposition.AUTO_REPLY, "a receipt"
    actions = [
        str(part).lower()
        for part in message.walk()
        if part.get_content_type() == "message/delivery-status"
    ]
    said = " ".join(actions)
    if "action: " in said and "action: failed" not in said:
        return Disposition.AUTO_REPLY, "a delivery report that is no failure"
    return Disposition.BOUNCE, "a delivery report"


def _automatic(message: Message) -> tuple[Disposition, str] | None:
    """Letters that a machine wrote by itself, or wrote to many."""
    submitted = header(message, "Auto-Submitted").lower()
    if submitted and not submitted.startswith("no"):
        is_reply = submitted.startswith("auto-replied") or _is_vacation(message)
        kind = Disposition.AUTO_REPLY if is_reply else Disposition.LOOP
        return kind, f"Auto-Submitted: {submitted}"[:80]
    for name in ("X-Autoreply", "X-Autorespond"):
        if header(message, name):
            return Disposition.AUTO_REPLY, name
    precedence = header(message, "Precedence").lower()
    if precedence == "auto_reply":
        return Disposition.AUTO_REPLY, "Precedence: auto_reply"
    if precedence in ("bulk", "junk", "list"):
        kind = Disposition.AUTO_REPLY if _is_vacation(message) else Disposition.LIST
        return kind, f"Precedence: {precedence}"
    if header(message, "List-Id") or header(message, "List-Unsubscribe"):
        return Disposition.LIST, "a mailing list"
    return None


def _is_vacation(message: Message) -> bool:
    return VACATION.search(header(message, "Subject")) is not None


def _plain_address(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _bounced(raw: bytes, own_addresses: frozenset[str]) -> tuple[str | None, str | None]:
    """Our letter's Message-ID and who refused it, out of the report's text and headers."""
    text = raw.decode("latin-1")
    domains = {one.rpartition("@")[2] for one in own_addresses}
    fields = re.findall(r"(?im)^(?:Message-ID|In-Reply-To|References):([^\r\n]{3,4000})", text)
    ids = [one for value in fields for one in message_ids(value)]
    ours = [one for one in ids if one.rpartition("@")[2].lower() in domains]
    refused = re.search(
        r"(?im)^(?:(?:Final|Original)-Recipient:\s*rfc822;|X-Failed-Recipients:)"
        r"\s*<?([^\s<>,;]{3,320})",
        text,
    )
    return (ours[-1] if ours else None), (refused[1].lower() if refused else None)


def _language(message: Message, text: str) -> str | None:
    """The script decides, then what the letter's headers say of it, then its charset."""
    sample = f"{header(message, 'Subject')} {text[:4000]}"
    charset = charset_of(message)
    if HANGUL.search(sample):
        return "ko"
    if KANA.search(sample):
        return "ja"
    if HAN.search(sample):  # without kana it is Chinese, unless it comes in a Japanese charset
        return "ja" if CHARSET_LANGUAGES.get(charset) == "ja" else "zh_Hant"
    for name in ("Content-Language", "Accept-Language"):
        language = LANGUAGES.get(header(message, name)[:2].lower())
        if language:
            return language
    by_charset = CHARSET_LANGUAGES.get(charset)
    return by_charset or ("en" if re.search(r"[A-Za-z]{2}", sample) else None)
