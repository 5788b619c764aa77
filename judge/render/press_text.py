"""Somebody's own text as others read it: every script as it was written, and nothing that could
pass for the judge's words.

Control characters and overrides of the writing direction are dropped, and what turns the direction
is closed on its own line. A text with a line that looks like one of the judge's has a bar before
each of its lines. How lines look is compared without case, accents, signs and spaces, and without
regard to letters of other scripts that look like Latin ones.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from judge.blocks import Written
from judge.data import read_text, shipped
from judge.render.catalogue import SOURCE_LANGUAGE, catalogue, languages

LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Not tabs and line feeds; overrides; marks of annotations; format characters that nobody uses.
DROPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202d\u202e\u206a-\u206f\ufff9-\ufffb\ufeff]")
OPENING = {
    **dict.fromkeys("\u202a\u202b", "\u202c"),
    **dict.fromkeys("\u2066\u2067\u2068", "\u2069"),
}
CLOSING = frozenset(OPENING.values())
# What is not seen, or looks like a space: format characters, fillers, variation selectors.
UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
LONGEST_FRAME = 300  # characters of a line that may be one of ours
SHORTEST_FRAME = 8  # letters of a sentence of ours
INDEXED = 4  # first letters by which sentences are looked up
PLACE = re.compile(r"\{\w+\}(?:[가-힣]?\([가-힣]\)[가-힣]?)?")  # with a choice of particles
LOOKS = str.maketrans(
    {
        letter: latin
        for latin, letters in tomllib.loads(read_text("config", "looks.toml")).items()
        for letter in letters
    }
)
OTHER_SCRIPTS = {letter: latin for letter, latin in LOOKS.items() if letter > ord("\x7f")}
# Lines of old judges and of mail programs: whose they are is told by their form.
FOREIGN = re.compile(
    r"\s*(?:::|-{3,}|_{5,}|={5,}"
    r"|(?:(?:broadcast|grey|white)\s+)?(?:message|press|broadcast|letter)\s+(?:from|to|by)\b"
    r"|end\s+of\s+(?:message|press|broadcast|letter)\b"
    r"|(?:from|to|cc|subject|date|sent|reply-to|signed)\s*[:：])",
    re.IGNORECASE,
)


def press_text(text: str, powers: Sequence[str] = ()) -> Written:
    """A text to show; with a bar before each line if one of them looks like the judge's, or like
    the heading of what a power wrote. `powers`: the names of these, as the reader knows them."""
    plain = without_control_characters(text).strip("\n")
    return Written(plain, is_imitation(plain, tuple(powers)))


def without_control_characters(text: str) -> str:
    """A text without what would change how the lines around it are shown: a turn of direction ends
    in its own line, and an end of none is left out."""
    lines = []
    for line in DROPPED.sub("", LINE_ENDS.sub("\n", text)).split("\n"):
        kept, open_turns = list[str](), list[str]()
        for sign in line:
            if sign in OPENING:
                open_turns.append(OPENING[sign])
            elif sign in CLOSING and open_turns[-1:] != [sign]:
                continue
            elif sign in CLOSING:
                open_turns.pop()
            kept.append(sign)
        lines.append("".join((*kept, *reversed(open_turns))))
    return "\n".join(lines)


@lru_cache(maxsize=256)
def is_imitation(text: str, powers: tuple[str, ...] = ()) -> bool:
    """Whether a line of a text looks like one of the judge's, or names a power as its writer."""
    headings = {looks(power) for power in powers} | _sentence_labels()
    for line in text.split("\n"):
        line = UNSEEN.sub("", line).strip()[:LONGEST_FRAME]
        if FOREIGN.match(unicodedata.normalize("NFKC", line).casefold().translate(OTHER_SCRIPTS)):
            return True
        name, colon, _ = line.replace("：", ":").partition(":")
        if colon and looks(name) in headings:
            return True
        power, comma, rest = re.sub("[，、]", ",", line).partition(",")
        if comma and looks(power) in headings:
            # Whether it goes on as the line that says where we are.
            shown = looks(rest)
            if any(all(part in shown for part in parts) for parts in _context_frames()):
                return True
        shown = looks(line)
        if len(shown) >= SHORTEST_FRAME:
            indexed, others = _frames()
            if any(_has_frame(shown, one) for one in (*indexed.get(shown[:INDEXED], ()), *others)):
                return True
    return False


def looks(text: str) -> str:
    """The letters and digits of a text by their looks, which is what is compared."""
    found = unicodedata.normalize("NFKD", text).casefold().translate(LOOKS)
    return "".join([sign for sign in found if sign.isalnum()])


@cache
def _context_frames() -> frozenset[tuple[str, ...]]:
    """What stands between the named places of that line, in every language."""
    table = tomllib.loads(read_text("locale", SOURCE_LANGUAGE, "letters.toml"))
    sentence = table["context"]["power"]
    lines = (catalogue(one).say(sentence) for one in languages())
    return frozenset(tuple(filter(None, map(looks, PLACE.split(line)))) for line in lines)


def _has_frame(shown: str, parts: tuple[str, ...]) -> bool:
    """Whether a line is a sentence of ours, with anything in its named places; or begins so."""
    if not shown.startswith(parts[0]):
        return False
    at = len(parts[0])
    for part in parts[1:]:
        at = shown.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


@cache
def _sentence_labels() -> frozenset[str]:
    """What stands before the colon of such sentences, as `Due: {when}.`"""
    heads = (PLACE.split(one)[0].replace("：", ":").partition(":") for one in _sentences())
    return frozenset(looks(head) for head, colon, rest in heads if colon and not rest.strip())


@cache
def _frames() -> tuple[dict[str, list[tuple[str, ...]]], list[tuple[str, ...]]]:
    """Our sentences in every language, split at their named places: those indexed by their first
    letters, and those that begin with a named place."""
    indexed, others = dict[str, list[tuple[str, ...]]](), list[tuple[str, ...]]()
    for sentence in _sentences():
        parts = tuple(looks(part) for part in PLACE.split(sentence))
        if sum(map(len, parts)) < SHORTEST_FRAME:
            continue
        if len(parts[0]) >= INDEXED:
            indexed.setdefault(parts[0][:INDEXED], []).append(parts)
        elif max(map(len, parts)) >= SHORTEST_FRAME:
            others.append(parts)
    return indexed, others


def _sentences() -> Iterator[str]:
    """First lines, headings and what stands below them, in every language."""
    told = list[str]()
    for file in shipped("locale", SOURCE_LANGUAGE).iterdir():
        if file.name.endswith(".toml"):
            told += _verdict_sentences(tomllib.loads(file.read_text(encoding="utf-8")))
    told += _table_sentences(tomllib.loads(read_text("locale", SOURCE_LANGUAGE, "press.toml")))
    letters = tomllib.loads(read_text("locale", SOURCE_LANGUAGE, "letters.toml"))
    told += _table_sentences(letters["due"])
    for language in languages():
        yield from map(catalogue(language).say, told)


def _verdict_sentences(table: dict[str, Any]) -> Iterator[str]:
    """The first lines in a table and those below it."""
    if "verdict" in table:
        yield from _table_sentences({"verdict": table["verdict"]})
    for value in table.values():
        if isinstance(value, dict):
            yield from _verdict_sentences(value)


def _table_sentences(table: dict[str, Any]) -> Iterator[str]:
    """The sentences of a table; of those that depend on a number the singular."""
    for value in table.values():
        if isinstance(value, dict):
            yield from _table_sentences(value)
        elif isinstance(value, str | list):
            yield value if isinstance(value, str) else value[0]
