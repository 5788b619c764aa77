"""Words that turn an order into something else: they take it back, date it, quote it, offer it as
one of several, or make it depend on something. Such an order is asked about and never taken.

The words are data: `doubts` in `grammar/<language>/orders.toml`. Free of any position.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from judge.diplomacy.language.lexicon import any_name, listed
from judge.diplomacy.language.normalize import normalize

_HEADING_LONGEST = 60  # letters; a longer line is a sentence
_STOPS = r"\s.,;:!?'\"()\[\]-"


class Doubt(Struct, frozen=True):
    """A word that puts orders in doubt, by its columns in the line as written.

    `is_before`: only those that follow it in its sentence.
    `is_heading`: all that follow it, on the line and in the lines below.
    `is_back`: those of the sentence before.
    """

    start: int
    end: int
    is_before: bool = False
    is_heading: bool = False
    is_back: bool = False


def doubts_in(written: str) -> Iterator[Doubt]:
    """What stands in a line and puts orders in doubt."""
    plain = normalize(written)
    for found in _pattern(":" in plain.text).finditer(plain.text):
        group = found.lastgroup if found.lastgroup == "heading" else _words()[found[0]]
        if group != "harmless":
            start, end = plain.column(found.start()), plain.column(found.end())
            yield Doubt(start, end, group == "before", group == "heading", group == "back")


def heading_of(written: str) -> str:
    """What a heading says that puts the lines below it in doubt: `Last turn:`; "" if it is none."""
    line = written.strip()
    if len(line) > _HEADING_LONGEST or line[-1:] not in (":", "："):
        return ""
    first = next((each for each in doubts_in(line) if each.is_heading), None)
    return "" if first is None else line[first.start : first.end]


def takes_back(written: str) -> bool:
    """Whether a line takes back what stands above it: `Forget it.`"""
    return _is_only(written, "back")


def is_sign_off(written: str) -> bool:
    """Whether a line ends a letter, so that names of people follow: `Best regards,`"""
    return _is_only(written, "sign_offs")


def _is_only(written: str, key: str) -> bool:
    if len(written) > _HEADING_LONGEST:
        return False
    return _alone(key).fullmatch(normalize(written).text) is not None


@cache
def _words() -> Mapping[str, str]:
    """What each word does to an order; where it could do two things, the first of these."""
    uses = ("before", "anywhere", "back", "harmless")
    words = {word: use for use in uses for word in listed("doubts", use)}
    conditions = dict.fromkeys(listed("around", "conditions"), "anywhere")
    firsts = {word: use for use in uses[2:] for word in listed("doubts", use)}
    return words | conditions | firsts


@cache
def _pattern(is_headed: bool) -> re.Pattern[str]:
    """Any of the words; headings only for a line that has a colon."""
    words = _any_of(_words())
    if not is_headed:
        return re.compile(words)
    headings = _any_of(listed("doubts", "headings"))
    return re.compile(
        rf"(?P<heading>(?:{headings})(?: ?#?[0-9a-z一二三四五六七八九十])?(?=\s*:)"
        rf"|^[^a-z:]*(?:{headings})(?: [a-z0-9]+){{1,3}}(?=\s*:))"  # Last turn I wrote:
        rf"|{words}"
    )


@cache
def _alone(key: str) -> re.Pattern[str]:
    return re.compile(f"[{_STOPS}]*(?:{_any_of(listed('doubts', key))})[{_STOPS}]*")


def _any_of(words: Iterable[str]) -> str:
    """The longest first; a word in Latin letters only as a whole."""
    latin = any_name(word for word in words if word[0].isascii())
    others = any_name(word for word in words if not word[0].isascii())
    return rf"(?<![a-z0-9'])(?:{latin})(?![a-z0-9])|{others}"
