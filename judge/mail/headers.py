"""Headers of letters that anybody may have written: who, to whom, in answer to what, when.

Read without crashing and in linear time; the standard library's structured headers raise IndexError
and RecursionError on what spammers and some large servers send (CPython 86650, 105802, 117849).
"""

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parsedate_to_datetime

from judge.mail.charsets import clean, decode_bytes
from judge.mail.parts import Part

LONGEST_VALUE = 4_000  # characters that are looked at, of headers that have words in them
LONGEST_SUBJECT = 500
LONGEST_DATE = 100
MOST_ADDRESSES = 50
MOST_REFERENCES = 50
LOCAL = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\u00a1-\ud7ff\ue000-\ufffd-]{1,64}"
DOMAIN = r"[A-Za-z0-9\u00a1-\ud7ff\ue000-\ufffd.-]{1,255}"
ADDRESS = re.compile(f"{LOCAL}@{DOMAIN}")
# Some mail systems allow "a..b"@docomo.test and quote it as RFC 5322 asks.
QUOTED_LOCAL = re.compile(rf'"({LOCAL})"@')
IN_BRACKETS = re.compile(rf"<\s*({LOCAL}@{DOMAIN})\s*>")
BRACKETED_ID = re.compile(r"<([!-;=?-~]{1,900})>")
BARE_ID = re.compile(r"[!-;=?-~]{1,600}@[!-;=?-~]{1,255}\Z")
ENCODED_WORD = re.compile(r"=\?([^?\s]{1,40})\?([bq])\?([^?]{0,2000})\?=", re.IGNORECASE)
BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?)")


@dataclass(frozen=True, slots=True)
class Author:
    """Who a letter says it is from.

    Attributes:
        address: lower case; empty if none can be told.
        is_certain: one From header with one well-formed address; a trick with several is not.
    """

    name: str
    address: str
    is_certain: bool


def text_of_header(part: Part, name: str) -> str:
    """A header's topmost value in words; empty if there is none."""
    return decode_words(_mended(part, name, LONGEST_VALUE))


def subject(part: Part) -> str:
    return text_of_header(part, "subject")[:LONGEST_SUBJECT]


def decode_words(value: str) -> str:
    """The encoded words of a header (RFC 2047) in any charset, the rest as it stands.

    Words of one charset are joined as bytes first: many programs break a letter of two bytes
    between two of them.
    """
    if "=?" not in value:
        return value
    pieces: list[str] = []
    raw, charset, at = b"", "", 0
    value = BETWEEN_WORDS.sub(r"\1", value)
    for word in ENCODED_WORD.finditer(value):
        named = word[1].partition("*")[0].lower()  # RFC 2231 5 puts a language behind it
        if word.start() > at or named != charset:
            pieces += [_one_line(raw, charset), value[at : word.start()]]
            raw, charset = b"", named
        raw += _word_bytes(word[2], word[3])
        at = word.end()
    return "".join([*pieces, _one_line(raw, charset), value[at:]])


def _word_bytes(encoding: str, written: str) -> bytes:
    ascii_only = written.encode("ascii", "replace")
    if encoding in "qQ":
        return binascii.a2b_qp(ascii_only, header=True)
    try:
        letters = ascii_only.rstrip(b"=")
        return base64.b64decode(letters + b"=" * (-len(letters) % 4))
    except ValueError:
        return ascii_only


def _one_line(raw: bytes, charset: str) -> str:
    return " ".join(decode_bytes(raw, charset).splitlines()) if raw else ""


def _mended(part: Part, name: str, longest: int) -> str:
    """A header's topmost value; bytes that stand in it unencoded are read as the letter is."""
    return _from_raw(part, part.value(name)[:longest])


def _from_raw(part: Part, value: str) -> str:
    if value.isascii():
        return clean(value)
    raw = value.encode("ascii", "surrogateescape")
    try:
        return clean(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return _one_line(raw, part.parameter("charset"))


def sender(part: Part) -> Author:
    """The author. Addresses in a display name or a comment are words, whoever they name."""
    values = part.values("from")
    value = _mended(part, "from", LONGEST_VALUE)
    value = QUOTED_LOCAL.sub(r"\1@", value)
    plain = blank_quoted(value)
    found = list(IN_BRACKETS.finditer(plain)) or list(ADDRESS.finditer(plain))
    if not found:  # a quote or a comment that nobody closed
        broken = ADDRESS.search(value)
        return Author("", broken[0].lower() if broken else "", is_certain=False)
    first = found[0]
    address = first[1] if first.lastindex else first[0]
    name = _display_name(value, first.start()) or _comment(value)
    return Author(name, address.lower(), is_certain=len(values) == 1 and len(found) == 1)


def _display_name(value: str, end: int) -> str:
    name = value[:end].strip()
    if name.startswith('"') and name.endswith('"'):
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    return decode_words(name).strip().strip("\"'").strip()


def _comment(value: str) -> str:
    found = re.search(r"\(([^()]{1,200})\)", value)
    return decode_words(found[1]).strip() if found else ""


def blank_quoted(value: str) -> str:
    """A header's value with quoted strings and comments (they nest) blank; positions stay."""
    kept: list[str] = []
    depth, is_quoted, is_escaped = 0, False, False
    for letter in value:
        was_inside = is_quoted or depth > 0
        if is_escaped:
            is_escaped = False
        elif letter == "\\" and was_inside:
            is_escaped = True
        elif is_quoted:
            is_quoted = letter != '"'
        elif letter == '"' and not depth:
            is_quoted = True
        elif letter == "(":
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
        kept.append(" " if was_inside or is_quoted or depth else letter)
    return "".join(kept)


def addresses(part: Part, names: Iterable[str]) -> tuple[str, ...]:
    """All addresses in the headers with these names, lower case, each once."""
    values = [_from_raw(part, value) for name in names for value in part.values(name)]
    found = [one.lower() for value in values for one in ADDRESS.findall(value)]
    return tuple(dict.fromkeys(found))[:MOST_ADDRESSES]


def message_ids(value: str) -> tuple[str, ...]:
    """The ids of a header without their brackets, in its order; some programs leave these off."""
    found = tuple(BRACKETED_ID.findall(value))
    if found or not BARE_ID.match(value.strip()):
        return found
    return (value.strip(),)


def references(part: Part) -> tuple[str, ...]:
    """The ids that a letter answers: In-Reply-To first, then References from the newest."""
    answered = message_ids(part.value("in-reply-to"))
    thread = message_ids(part.value("references"))
    return tuple(dict.fromkeys((*answered, *reversed(thread))))[:MOST_REFERENCES]


def utc_offset_minutes(part: Part) -> int | None:
    """The offset of the Date header; None if it says none (`-0000` says none: RFC 5322 3.3)."""
    try:
        offset = parsedate_to_datetime(part.value("date")[:LONGEST_DATE]).utcoffset()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return int(offset / timedelta(minutes=1)) if offset is not None else None
