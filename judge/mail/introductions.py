"""Finds what mail programs write above the letter that is answered, in any language.

Introductions (`On 3 Dec 2026 Judge <judge@judge.example> wrote:`), copied headers (`From: ...` and
so on) and dividers (`-----Original Message-----`) are told by the words that `grammar/*/mail.toml`
knows, or without any word by what they must hold: an address and a date. Only short lines, without
their runs of spaces, are compared: hostile text takes linear time too.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

import msgspec

from judge.mail.words import phrases

LONGEST_LINE = 300  # characters; a longer line introduces nothing
LONGEST_END = 140  # characters from the verb to the colon
MOST_LINES = 4  # over which a program breaks an introduction at 78 columns
MOST_HEADERS = 12  # lines of a copied header block
HEADERS_OF_BLOCK = 3
QUOTE_MARKS = (">", "＞", "|")
DIRECTION = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]")
ADDRESS = re.compile(r"@(?<=[\w.+'=-]@)[\w-]{1,80}(?:\.[\w-]{1,80})+")  # from its @ on
HOUR = re.compile(r"(?<![\d./-])\d{1,2}\s?[:.hH時时点點시]\s?\d{2}(?![./-]?\d)")
# A whole date of our time, not the year of a game: 2026-12-03, 2026. 12. 3., 2026年12月3日;
# 3.12.2026, 12/3/26; or a year and a day of the month somewhere in the line.
YEAR = r"(?<!\d)(?:20\d\d|25[4-9]\d|[٠-٩۰-۹]{4})(?!\d)"
DAY = r"(?<![\d:.])(?:0?[1-9]|[12]\d|3[01]|[٠-٩۰-۹]{1,2})(?![\d:])"
DATE = re.compile(
    rf"^(?=.*{YEAR})(?=.*{DAY})|(?<!\d)(?:\d{{4}}\s?[-./年년]\s?\d{{1,2}}(?!\d)"
    r"|\d{1,2}\s?[-./]\s?\d{1,2}\s?[-./]\s?(?:\d{4}|\d\d)(?!\d))"
)
LABEL = re.compile(
    r"[*_]{0,2}\s?(?P<name>[^\W\d_](?:[^:：@<>*]{0,28}[^\s:：@<>*])?)\s?[*_]{0,2}\s?[:：](?!//)"
)
RULED = "-_=*—─"  # what dividers begin with
RULE = re.compile(rf"[{RULED}]{{3,}}$")
DIVIDER = re.compile(
    r"[*_]?[-=_*—─]{2,}(?:\s|&nbsp;|\[)*(?P<words>[^-=_*—─\s].{0,160}?)(?:\s|&nbsp;|\])*"
    r"[-=_*—─]{2,}\*?\s?[:：]?$"
)
ARROWS = re.compile(r">>>\s.{4,200}\s>>>$")  # GroupWise


class Line(msgspec.Struct):
    """A line squeezed: its runs of spaces made one, cut where no pattern looks any more."""

    text: str
    is_quoted: bool  # it begins with a mark of quotation, or stands in a letter that is answered
    is_label: bool  # it begins with `label:`
    is_known: bool  # it begins with a label that mail programs write


class Judge(msgspec.Struct, frozen=True):
    """How the judge is named in an introduction of its letters."""

    addresses: re.Pattern[str]
    name: re.Pattern[str]


@lru_cache(8)
def judge_patterns(addresses: frozenset[str], name: str) -> Judge:
    """Args: the judge's addresses, without tokens, and its name; either may be missing."""
    parts = (address.lower().rpartition("@") for address in addresses)
    known = [
        rf"{re.escape(local)}(?:\+[a-z0-9]*)?@{re.escape(domain)}" for local, _, domain in parts
    ]
    return Judge(
        re.compile("|".join(known) or r"(?!)", re.IGNORECASE),
        re.compile(rf"(?<!\w){re.escape(name)}(?!\w)" if name else r"(?!)", re.IGNORECASE),
    )


def parse_line(written: str) -> Line:
    plain = written[: 4 * LONGEST_LINE]
    plain = plain if plain.isascii() else DIRECTION.sub("", plain)
    text = " ".join(plain.split())[: LONGEST_LINE + 1]
    label = LABEL.match(text)
    is_known = label is not None and "".join(label["name"].split()).casefold() in phrases().labels
    return Line(text, text.startswith(QUOTE_MARKS), label is not None, is_known)


def find_introductions(lines: Sequence[Line], judge: Judge) -> dict[int, int]:
    """For each line at which the letter that is answered is introduced, the line after the last
    that only introduces it: dividers, copied headers and a sentence may follow each other."""
    sentences: dict[int, int] = {}
    for at in range(len(lines)):
        start = _sentence_start(lines, at, judge)
        if start is not None:
            sentences.setdefault(start, at + 1)
    found: dict[int, int] = {}
    start = 0
    while start < len(lines):
        at, is_divided = start, False
        while at < len(lines) and (lines[at].text or start in found):
            if not lines[at].text:
                at += 1
                continue
            after = sentences.get(at)
            if after is None and lines[at].text[0] in RULED:
                after = _divider_end(lines, at, sentences, judge)
                is_divided |= after is not None
            if after is None and (is_divided or lines[at].is_label):
                after = _headers_end(lines, at, is_divided=is_divided)
            if after is None:
                break
            at = found[start] = after
        start = found.get(start, start + 1)
    return found


# --- sentences ------------------------------------------------------------------------------------


def _sentence_start(lines: Sequence[Line], at: int, judge: Judge) -> int | None:
    """The line where a sentence begins that introduces a letter and ends here; None if none does.

    Programs break it over lines. It begins as late as it makes sense, or above that where an
    address or a date was broken off.
    """
    known = phrases()
    last = lines[at].text
    has_colon = last.endswith((":", "："))
    if not has_colon and "@" not in last:
        return None  # as nearly all lines
    if ARROWS.match(last):
        return at if DATE.search(last) and ADDRESS.search(last) else None
    is_broken = lines[at].is_quoted and known.verb.match(last.lstrip("> "))  # Polymail's
    if lines[at].is_quoted and not is_broken:
        return None
    if not has_colon and not known.verb.search(last[-LONGEST_END:]):
        return None
    if has_colon and known.forwarded.match(last):
        return at
    below = next((line for line in lines[at + 1 : at + 4] if line.text), None)
    is_above_quote = below is not None and below.is_quoted
    if is_above_quote:
        # Apple marks the headers of a letter that is passed on as quoted.
        quoted = [parse_line(line.text.lstrip("> ")) for line in lines[at + 1 : at + 10]]
        first = next((number for number, line in enumerate(quoted) if line.text), 0)
        has_label = quoted[first].is_label
        if has_label and _headers_end(quoted, first, is_divided=False) is not None:
            return at
    joined, found = "", None
    for start in range(at, max(at - (7 if is_broken else MOST_LINES), -1), -1):
        line = lines[start]
        if not line.text and is_broken:
            continue
        if not line.text or (line.is_quoted and start != at):
            break
        is_part = (
            found is None
            or joined.startswith("<")
            or (is_broken and not DATE.search(joined))
            or (not DATE.search(joined) and (DATE.search(line.text) or HOUR.search(line.text)))
        )
        joined = f"{line.text} {joined}".strip()
        if not is_part or len(joined) > LONGEST_LINE:
            break
        if found is not None or _introduces(joined, judge, is_above_quote=is_above_quote):
            found = start
    return found


def _introduces(sentence: str, judge: Judge, *, is_above_quote: bool) -> bool:
    """Whether a sentence that ends in a colon or in `wrote` tells whose letter stands below.

    `Write to me at ann@mail.example before 21:00:` and `As I wrote at 17:01:` do not.
    """
    has_address = bool(ADDRESS.search(sentence))
    has_date = bool(DATE.search(sentence))
    is_named = bool(judge.name.search(sentence))
    if not (has_address or has_date or is_named or is_above_quote):
        return False
    has_verb = bool(phrases().verb.search(sentence[-LONGEST_END:]))
    has_hour = bool(HOUR.search(sentence))
    if not sentence.endswith((":", "：")):
        return has_verb and has_address and has_date
    is_judge = bool(judge.addresses.search(sentence))
    return (
        (is_above_quote and (has_verb or has_address or has_date))
        or (is_judge and (has_date or has_hour or has_verb))
        or (has_address and (has_date or has_verb))
        or (has_verb and has_date and (has_hour or is_named))
        or (has_verb and is_named and len(sentence.split()) <= 6)
        or (is_named and has_date and has_hour)
    )


# --- dividers and headers -------------------------------------------------------------------------


def _divider_end(
    lines: Sequence[Line], at: int, sentences: dict[int, int], judge: Judge
) -> int | None:
    """The line after a divider. Words that nobody knows divide only above what shows it."""
    line = lines[at].text
    if RULE.match(line):
        below = next((n for n in range(at + 1, min(at + 3, len(lines))) if lines[n].text), None)
        if below is None:
            return None
        is_divider = below in sentences or _headers_end(lines, below, is_divided=False) is not None
        return at + 1 if is_divider else None
    found = DIVIDER.match(line)
    if not found:
        return None
    words = found["words"]
    is_known = bool(phrases().divider.match(words))
    is_told = bool(
        (ADDRESS.search(words) or judge.name.search(words))
        and (DATE.search(words) or phrases().verb.search(words))
    )
    following = next((n for n in range(at + 1, len(lines)) if lines[n].text), None)
    is_shown = following is not None and (
        lines[following].is_quoted
        or following in sentences
        or _headers_end(lines, following, is_divided=True) is not None
    )
    return at + 1 if is_known or is_told or is_shown else None


def _headers_end(lines: Sequence[Line], at: int, *, is_divided: bool) -> int | None:
    """The line after a copy of a letter's headers that begins here; None if none does.

    Three lines with labels that hold an address and a date, the first of them either; or three
    whose labels are known. Below a divider less will do, and eM Client leaves the colons out.
    """
    labels: list[bool] = []  # whether known
    end = at
    for number in range(at, min(at + MOST_HEADERS, len(lines))):
        line = lines[number]
        if line.is_quoted:
            break
        if not line.text:
            # Each in a paragraph of its own.
            if number + 1 < len(lines) and lines[number + 1].is_known:
                continue
            break
        if line.is_label:
            labels.append(line.is_known)
        elif not labels or not ADDRESS.search(line.text):
            break
        end = number + 1
    if len(labels) < HEADERS_OF_BLOCK and not is_divided:
        return None
    text = " ".join(line.text for line in lines[at:end])
    has_address, has_date = ADDRESS.search(text), DATE.search(text)
    first = lines[at].text
    if len(labels) >= HEADERS_OF_BLOCK:
        is_first_telling = ADDRESS.search(first) or DATE.search(first)
        is_known = labels[0] and sum(labels) >= HEADERS_OF_BLOCK
        has_letter_above = any(line.text for line in lines[max(at - MOST_HEADERS, 0) : at])
        if has_address and has_date and is_first_telling:
            return end
        if is_known and (has_address or has_date or has_letter_above):
            return end
    if not is_divided:
        return None
    if len(labels) > 1 and (has_address or has_date):
        return end
    below = takewhile(lambda line: line.text and not line.is_quoted, lines[at : at + MOST_HEADERS])
    paragraph = [line.text for line in below]
    text = " ".join(paragraph)
    if len(paragraph) >= HEADERS_OF_BLOCK and ADDRESS.search(paragraph[0]) and DATE.search(text):
        return at + len(paragraph)
    return None
