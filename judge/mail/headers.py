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
BRACKETED = re.compile(r"<([!-;=?-~]{1,900})>")


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
    text = _mended(raw)
    if "=?" not in text:
        return text
    try:
        pieces = decode_header(text)
    except (ValueError, LookupError, IndexError):
        return text
    return "".join(_piece(piece, charset) for piece, charset in pieces)


def _mended(raw: str) -> str:
    """A header on one line, of bounded length, with the bytes that were no ASCII made letters."""
    text = " ".join(raw[:LONGEST_HEADER].split())
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        text = _from_bytes(text.encode("utf-8", "surrogateescape"))
    return text


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


def writer(message: Message) -> tuple[str, str]:
    """The name and the address, lower case, of the From header; both empty if there is none."""
    return address(_raw(message, "From"))


def address(value: str) -> tuple[str, str]:
    """The name and the address, lower case, in a raw header; both empty if there is none.

    Words in quotation marks, comments and encoded words cannot pass for the address.
    """
    text = _mended(value)
    bare = re.sub(r"\([^()]*\)", " ", re.sub(r'"(?:[^"\\]|\\.)*"', " ", text))
    bracketed = re.search(r"<\s*([^<>\s]{3,320})\s*>", bare)
    found = ADDRESS.fullmatch(bracketed[1]) if bracketed else ADDRESS.search(bare)
    if not found:
        return "", ""
    comment = re.search(r"\(([^()]{1,200})\)", text)
    name = text.rpartition("<")[0] if bracketed else comment[1] if comment else ""
    return decode(name.strip()).strip('"').replace('\\"', '"').strip(), found[0].lower()


def _raw(message: Message, name: str) -> str:
    """A header's first value as it came; compat32's own access may make objects of it."""
    wanted = name.lower()
    return next((str(raw) for key, raw in message.raw_items() if key.lower() == wanted), "")


def addresses(values: Sequence[str]) -> tuple[str, ...]:
    """All addresses in headers, lower case, each once, at most `MOST_ADDRESSES`."""
    found = [one.lower() for value in values for one in ADDRESS.findall(value)]
    return tuple(dict.fromkeys(found))[:MOST_ADDRESSES]


def message_ids(value: str) -> tuple[str, ...]:
    """The ids in angle brackets of an In-Reply-To or References header."""
    return tuple(BRACKETED.findall(value))


def message_id(message: Message) -> str | None:
    """The letter's own id without brackets; None if it has none that can be read."""
    ids = message_ids(_raw(message, "Message-ID")[:LONGEST_HEADER])
    return ids[0] if ids else None


def references(message: Message) -> tuple[str, ...]:
    """In-Reply-To first, then References from the newest: the ids that a letter answers."""
    answered = message_ids(_raw(message, "In-Reply-To")[:LONGEST_HEADER])
    # Of a long thread the end holds what was answered last.
    thread = message_ids(_raw(message, "References")[-2 * LONGEST_HEADER :])
    return tuple(dict.fromkeys((*answered, *reversed(thread))))[:MOST_REFERENCES]


def utc_offset_minutes(message: Message) -> int | None:
    """The offset of the Date header; None if it says none (`-0000` is none: RFC 5322 3.3)."""
    written = header(message, "Date")
    try:
        offset = parsedate_to_datetime(written).utcoffset()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return int(offset / timedelta(minutes=1)) if offset is not None else None
