"""Whose letter it is: sender, addresses, what it answers, tokens, and what vouches for it.

Headers are read without crashing and in linear time, whoever wrote them; the standard library's
structured headers raise IndexError and RecursionError on what spammers and some large servers send
(CPython 86650, 105802, 117849).
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum

import msgspec

from judge.mail.mime import Part, decode_words, unescape_bytes

LONGEST_VALUE = 4_000  # characters that are looked at, of headers that have words in them
LONGEST_RESULTS = 8_000
LONGEST_DATE = 100
MOST_ADDRESSES = 50
MOST_REFERENCES = 50
LOCAL = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\u00a1-\ud7ff\ue000-\ufffd-]{1,64}"
DOMAIN = r"[A-Za-z0-9\u00a1-\ud7ff\ue000-\ufffd.-]{1,255}"
ADDRESS = re.compile(f"{LOCAL}@{DOMAIN}")
# Some mail systems allow "a..b"@docomo.test and quote it as RFC 5322 asks.
QUOTED_LOCAL = re.compile(rf'(?<!\\)"({LOCAL})"@')
IN_BRACKETS = re.compile(rf"<\s*({LOCAL}@{DOMAIN})\s*>")
COMMENT = re.compile(r"\(([^()]{1,200})\)")
BRACKETED_ID = re.compile(r"<([!-;=?-~]{1,900})>")
BARE_ID = re.compile(r"[!-;=?-~]{1,600}@[!-;=?-~]{1,255}\Z")
TOKEN = re.compile(r"[a-z2-7]{16,64}\Z")
# For each method of RFC 8601: the property that must name the very domain of From.
METHODS = (
    (re.compile(r"dmarc\s*=\s*pass\b", re.I), re.compile(r"header\.from\s*=\s*(\S+)", re.I)),
    (re.compile(r"dkim\s*=\s*pass\b", re.I), re.compile(r"header\.d\s*=\s*(\S+)", re.I)),
    (re.compile(r"dkim\s*=\s*pass\b", re.I), re.compile(r"header\.i\s*=\s*(\S*@\S+)", re.I)),
    (re.compile(r"spf\s*=\s*pass\b", re.I), re.compile(r"smtp\.mailfrom\s*=\s*(\S+)", re.I)),
)
FAILED = re.compile(r"(dmarc|dkim|spf)\s*=\s*fail\b", re.I)
DMARC = re.compile(r"dmarc\s*=\s*(?!none\b)", re.I)


class Author(msgspec.Struct, frozen=True):
    """Who a letter says it is from.

    Attributes:
        address: lower case; empty if none can be told.
        is_certain: one From header with one well-formed address; a trick with several is not.
        is_single: nobody else is named as author, in this From header or another one.
    """

    name: str
    address: str
    is_certain: bool
    is_single: bool = True


def author_of(letter: Part) -> Author:
    """The author. Addresses in a display name or a comment are words, whoever they name."""
    value = unescape_bytes(letter, letter.value("from")[:LONGEST_VALUE])
    value = QUOTED_LOCAL.sub(r"\1@", value)
    plain = blank_quoted(value)
    found = list(IN_BRACKETS.finditer(plain)) or list(ADDRESS.finditer(plain))
    if not found:  # a quote or a comment that nobody closed, or around the address too
        # Beside an address that cannot be written to, those in its quotes are only words.
        broken = None if "@" in plain else ADDRESS.search(value)
        return Author("", plain_address(broken[0]) if broken else "", is_certain=False)
    first = found[0]
    address = first[1] if first.lastindex else first[0]
    name = value[: first.start()].strip()
    if name.startswith('"') and name.endswith('"'):
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    name = decode_words(name).strip().strip("\"'").strip()
    if not name and (comment := COMMENT.search(value)):
        name = decode_words(comment[1]).strip()
    named = [plain_address(one) for one in ADDRESS.findall(plain)]
    is_alone = len(letter.headers["from"]) == 1
    is_single = is_alone and len(set(named)) == 1
    return Author(name, plain_address(address), is_alone and len(named) == 1, is_single)


def blank_quoted(value: str) -> str:
    """A header's value with quoted strings and comments (they nest) blank; positions stay."""
    if '"' not in value and "(" not in value:
        return value
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


def addresses_of(letter: Part, names: Iterable[str]) -> tuple[str, ...]:
    """All addresses in the headers with these names, lower case, each once."""
    values = (value for name in names for value in letter.headers.get(name, ()))
    read = (unescape_bytes(letter, value) for value in values)
    found = (plain_address(one) for value in read for one in ADDRESS.findall(value))
    return tuple(dict.fromkeys(found))[:MOST_ADDRESSES]


def is_address(written: str) -> bool:
    """Whether it is an address and nothing else: no name, no brackets, no line break."""
    return ADDRESS.fullmatch(written) is not None


def plain_address(written: str) -> str:
    """One spelling of an address: lower case, no dot at its end (RFC 1034 3.1), domain in ASCII."""
    return wire_address(written.lower().rstrip("."))


def wire_address(address: str) -> str:
    """An address as mail servers know it: its domain in ASCII (RFC 5890 2.3.2.1), if it can be."""
    local, at, domain = address.rpartition("@")
    if not domain.isascii():
        with suppress(UnicodeError):
            domain = domain.encode("idna").decode("ascii")
    return f"{local}{at}{domain}"


def message_ids(value: str) -> tuple[str, ...]:
    """The ids of a header without their brackets, in its order; some programs leave these off."""
    found = tuple(BRACKETED_ID.findall(value))
    if found or not BARE_ID.match(value.strip()):
        return found
    return (value.strip(),)


def references_of(letter: Part) -> tuple[str, ...]:
    """The ids that a letter answers: In-Reply-To first, then References from the newest."""
    answered = message_ids(letter.value("in-reply-to"))
    thread = message_ids(letter.value("references"))
    return tuple(dict.fromkeys((*answered, *reversed(thread))))[:MOST_REFERENCES]


def utc_offset_minutes(letter: Part) -> int | None:
    """The offset of the Date header; None if it has none (`-0000` is none: RFC 5322 3.3)."""
    try:
        offset = parsedate_to_datetime(letter.value("date")[:LONGEST_DATE]).utcoffset()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return int(offset / timedelta(minutes=1)) if offset is not None else None


class Verdict(StrEnum):
    """What is known of whether a letter comes from the address in From."""

    PASSED = "passed"  # the receiving server found so
    FAILED = "failed"  # it found that it does not, or there are several authors
    UNKNOWN = "unknown"


def authenticate(letter: Part, author: Author, trusted_authserv: str) -> Verdict:
    """Whether DMARC, DKIM or SPF passed for the very domain of From, or failed.

    Only the topmost Authentication-Results counts, and only if the configured server wrote it:
    anybody can put such a header into a letter, and that server must remove those that name it
    (RFC 8601 5). A letter with several authors or From headers is never believed: servers check
    one of them, and mail programs show another.
    """
    if not author.is_single:
        return Verdict.FAILED
    results = letter.value("authentication-results")
    if not trusted_authserv or len(results) > LONGEST_RESULTS:
        return Verdict.UNKNOWN
    # Quoted strings and comments hold what the sender chose, semicolons included.
    server, _, told = blank_quoted(results).partition(";")
    if server.lower().split()[:1] != [trusted_authserv.lower()]:
        return Verdict.UNKNOWN
    domain = author.address.rpartition("@")[2]
    findings = [finding.strip() for finding in told.split(";")]
    for finding in findings:
        for method, named_by in METHODS:
            named = named_by.search(finding) if method.match(finding) else None
            # A parent domain is not taken: to tell one from a registry needs the public suffixes.
            if named and named[1].rpartition("@")[2].lower().rstrip(".") == domain:
                return Verdict.PASSED if author.is_certain else Verdict.UNKNOWN
    # DMARC weighs the others; without it each of them speaks for itself.
    failed = {found[1].lower() for one in findings if (found := FAILED.match(one))}
    has_dmarc = any(DMARC.match(one) for one in findings)
    is_failed = "dmarc" in failed if has_dmarc else bool(failed)
    return Verdict.FAILED if is_failed else Verdict.UNKNOWN


# --- tokens ---------------------------------------------------------------------------------------


def message_id_for(token: str, judge_address: str) -> str:
    """The Message-ID, without brackets, of the letter with that token."""
    return f"{token}@{judge_address.rpartition('@')[2].lower()}"


def reply_address(token: str, judge_address: str) -> str:
    """Where replies go: some relays rewrite Message-IDs, none rewrites a recipient."""
    local, _, domain = judge_address.rpartition("@")
    return f"{local}+{token}@{domain}"


def plus_tokens(
    recipients: Sequence[str], references: Sequence[str], judge_address: str
) -> tuple[str, ...]:
    """Tokens of ours that a letter carries, best first: recipients, then what it refers to."""
    local, _, domain = judge_address.lower().rpartition("@")
    found = [
        address[len(local) + 1 :].removesuffix(f"@{domain}")
        for address in recipients
        if address.startswith(f"{local}+") and address.endswith(f"@{domain}")
    ]
    # Some programs write an id in capitals, none of ours has any.
    lowered = (one.lower() for one in references)
    found += [one.removesuffix(f"@{domain}") for one in lowered if one.endswith(f"@{domain}")]
    return tuple(dict.fromkeys(token for token in found if TOKEN.match(token)))
