"""Headers of letters that anybody may have written: read without crashing, in bounded time.

The standard library's structured headers raise IndexError and RecursionError on what spammers and
some large servers send (CPython 86650, 105802, 117849), so the raw text is read here.
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime

LONGEST_HEADER = 4000  # characters that are looked at
MOST_ADDRESSES = 50
MOST_REFERENCES = 50
ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-]{1,64}@[^\s@<>,;:\"()\[\]]{1,255}"
)
BRACKETED = re.compile(r"<([^<>\s]{1,900})>")


def header(message: Message, name: str) -> str:
    """A header's first value, decoded, on one line; empty if there is none."""
    values = headers(message, name)
    return values[0] if values else ""


def headers(message: Message, name: str) -> list[str]:
    """All values of a header, decoded, each on one line."""
    wanted = name.lower()
    raw = [value for key, value in message.raw_items() if key.lower() == wanted]
    return [decode(str(value)) for value in raw]


def decode(raw: str) -> str:
    """A raw header value in words: RFC 2047, any charset, surrogates of raw 8-bit mended."""
    text = " ".join(raw[:LONGEST_HEADER].split())
    if any("\udc80" <= letter <= "\udcff" for letter in text):
        text = _from_bytes(text.encode("utf-8", "surrogateescape"))
    if "=?" not in text:
        return text
    try:
        pieces = decode_header(text)
    except (ValueError, LookupError, IndexError):
        return text
    return "".join(_piece(piece, charset) for piece, charset in pieces)


def _piece(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    from judge.mail.mime import decode_bytes  # the table of charsets lives there

    return " ".join(decode_bytes(piece, charset or "utf-8").splitlines())


def _from_bytes(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def address(value: str) -> tuple[str, str]:
    """The name and the address, lower case, of a From header; both empty if there is none."""
    bracketed = re.search(r"<\s*([^<>\s]+@[^<>\s]+)\s*>", value)
    if bracketed and ADDRESS.fullmatch(bracketed[1]):
        return value[: bracketed.start()].strip().strip('"').strip(), bracketed[1].lower()
    found = ADDRESS.search(value)
    if not found:
        return "", ""
    comment = re.search(r"\(([^()]{1,200})\)", value)
    return (comment[1].strip() if comment else ""), found[0].lower()


def addresses(values: Sequence[str]) -> tuple[str, ...]:
    """All addresses in headers, lower case, each once, at most `MOST_ADDRESSES`."""
    found = [one.lower() for value in values for one in ADDRESS.findall(value)]
    return tuple(dict.fromkeys(found))[:MOST_ADDRESSES]


def message_ids(value: str) -> tuple[str, ...]:
    """The ids in angle brackets of an In-Reply-To or References header."""
    return tuple(BRACKETED.findall(value))


def references(message: Message) -> tuple[str, ...]:
    """In-Reply-To first, then References from the newest: the ids that a letter answers."""
    answered = message_ids(header(message, "In-Reply-To"))
    thread = message_ids(header(message, "References"))
    return tuple(dict.fromkeys((*answered, *reversed(thread))))[:MOST_REFERENCES]


def utc_offset_minutes(message: Message) -> int | None:
    """The offset of the Date header; None if it says none (`-0000` is none: RFC 5322 3.3)."""
    written = header(message, "Date")
    try:
        offset = parsedate_to_datetime(written).utcoffset()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return int(offset / timedelta(minutes=1)) if offset is not None else None
