"""What a unit does if it is dislodged: `IF DISLODGED A BUR R PAR, GAS, DISBAND`.

Read in any language, free of any position; the first choice that is possible is taken when the
retreat phase opens. The words of the condition are data (`grammar/<language>/phases.toml`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from judge.diplomacy.language import scanner
from judge.diplomacy.language.names import Lexicon, key_of
from judge.diplomacy.language.notation import Fault, locations
from judge.diplomacy.language.phase_names import languages
from judge.diplomacy.language.text import plain
from judge.diplomacy.language.tokens import KINDS, UNKNOWN, Token
from judge.diplomacy.orders import Location, PowerId, UnitKind, WrittenUnit
from judge.diplomacy.records import Expected, ReadingKind

CONDITION = "IF DISLODGED"
DISBANDED = "DISBAND"
LONGEST = 400  # letters of a line; a longer one is no such order
_STRAY_WORDS = 2  # more unknown words than these, and it is a sentence
_CHOICES_MOST = 20


@dataclass(frozen=True, slots=True)
class Choice:
    """One way out: a place, with what it may mean if its name has several meanings; or (none) to
    be disbanded. Columns count in the line as written."""

    places: tuple[Location, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fallback:
    """A unit, and its ways out in the order in which they are wished."""

    start: int
    end: int
    unit: WrittenUnit
    choices: tuple[Choice, ...]


Found = Fallback | Fault


def has_condition(written: str) -> bool:
    """Whether a line speaks of a unit that is dislodged."""
    return len(written) <= LONGEST and _blanked(written) is not None


def read_fallbacks(written: str, words: Lexicon) -> tuple[Found, ...]:
    """The units of a line with their ways out, whether the condition stands there or not; empty if
    the line is talk."""
    if len(written) > LONGEST:
        return ()
    blanked = _blanked(written)
    text = blanked or written
    groups = [
        group
        for start, end in _parts(text)
        for group in _groups(_tokens(" " * start + text[start:end], words))
    ]
    stray = sum(token.word == UNKNOWN for group in groups for token in group)
    if not any(token.is_place for group in groups for token in group) or stray > _STRAY_WORDS:
        return ()
    if blanked and not _whole().search(plain(written).text):
        return (_read_group(groups[0], words), *(_of_another(group) for group in groups[1:]))
    return tuple(_read_group(group, words) for group in groups)


def format_fallback(unit: str, choices: Iterable[Location | None]) -> str:
    """The canonical line: `IF DISLODGED A BUR R PAR, GAS, DISBAND`."""
    named = [str(choice) if choice else DISBANDED for choice in choices]
    verb = "" if named[0] == DISBANDED else "R "
    return f"{CONDITION} {unit} {verb}{', '.join(named)}"


# --- the condition --------------------------------------------------------------------------------


def _blanked(written: str) -> str | None:
    """The line with spaces in place of its condition; None if it has none."""
    line = plain(written)
    found = _whole().search(line.text)
    if found:
        return _without(written, [(line.column(found.start()), line.column(found.end()))])
    for pattern in _around_unit():
        found = pattern.search(line.text)
        if found:
            spans = [found.span(1), found.span(2)]
            return _without(
                written, [(line.column(start), line.column(end)) for start, end in spans]
            )
    return None


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


@cache
def _whole() -> re.Pattern[str]:
    """A condition in one piece."""
    return re.compile(
        _any_of(phrase for each in languages() for phrase in each["dislodged"]["whole"])
    )


@cache
def _around_unit() -> tuple[re.Pattern[str], ...]:
    """A condition with the unit between its words, one for each language."""
    return tuple(
        re.compile(
            f"({_any_of(each['dislodged']['opens'])})[^;]+?({_any_of(each['dislodged']['closes'])})"
        )
        for each in languages()
    )


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(_phrase(phrase) for phrase in sorted(phrases, key=len, reverse=True))


def _phrase(phrase: str) -> str:
    spaced = r"\s+".join(re.escape(part) for part in phrase.split())
    return rf"\b{spaced}\b" if phrase.isascii() else spaced


@cache
def _between() -> frozenset[str]:
    """Words that stand between the places of a list without a meaning."""
    return frozenset(key_of(word) for each in languages() for word in each["dislodged"]["between"])


# --- units and places -----------------------------------------------------------------------------


def _parts(text: str) -> list[tuple[int, int]]:
    """Where the parts of a line begin and end that semicolons divide."""
    ends = [at for at, sign in enumerate(text) if sign in ";；"] + [len(text)]
    starts = [0, *(at + 1 for at in ends[:-1])]
    return [
        (start, end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()
    ]


def _tokens(text: str, words: Lexicon) -> list[Token]:
    """The words of a part, without those that mean nothing in a list of places."""
    return [
        token
        for segment in scanner.scan(text, words)
        for token in segment
        if token.word != "R" and token.word != "-" and not _means_nothing(token)
    ]


def _means_nothing(token: Token) -> bool:
    return token.word in (UNKNOWN, "WAIVE") and key_of(token.text) in _between()


def _groups(tokens: Sequence[Token]) -> list[list[Token]]:
    """The words of each unit: `A BUR R PAR, A MAR R GAS` holds two."""
    groups: list[list[Token]] = []
    for token in tokens:
        begins = token.word in KINDS or token.word[0] == "@"
        if not groups or (begins and _is_whole(groups[-1])):
            groups.append([])
        groups[-1].append(token)
    return groups


def _is_whole(group: Sequence[Token]) -> bool:
    """Whether a unit has a way out already."""
    return sum(token.is_place or token.word == "D" for token in group) > 1


def _of_another(group: Sequence[Token]) -> Fault:
    """`If Mun is dislodged, A Par - Bur`: the condition is not for this unit."""
    start, end = min(each.start for each in group), max(each.end for each in group)
    return Fault(ReadingKind.NOT_EXPECTED, start, end, group[0].text, (Expected.END,))


def _read_group(group: Sequence[Token], words: Lexicon) -> Found:
    """One unit and its ways out."""
    tokens = list(group)
    kind = power = None
    while tokens and not tokens[0].is_place:
        token = tokens.pop(0)
        if token.word in KINDS:
            kind = UnitKind(token.word)
        elif token.word[0] == "@":
            power = PowerId(token.word[1:])
        else:
            return _fault(token, Expected.PLACE if kind else Expected.UNIT, words)
    if not tokens:
        return _unfinished(group[-1], Expected.PLACE)
    unit = WrittenUnit(locations(tokens[0])[0], kind, power)
    choices: list[Choice] = []
    for token in tokens[1:][:_CHOICES_MOST]:
        if token.word == "D":
            choices.append(Choice((), token.start, token.end))
            break
        if not token.is_place:
            return _fault(token, Expected.PLACE, words)
        choices.append(Choice(locations(token), token.start, token.end))
    if not choices:
        return _unfinished(group[-1], Expected.PLACE, Expected.DISBAND)
    start, end = min(each.start for each in group), max(each.end for each in group)
    return Fallback(start, end, unit, tuple(choices))


def _fault(token: Token, expected: Expected, words: Lexicon) -> Fault:
    is_name = token.word == UNKNOWN and expected is Expected.PLACE
    is_name = is_name and key_of(token.text) not in words.against
    kind = ReadingKind.NO_PROVINCE if is_name else ReadingKind.NOT_EXPECTED
    return Fault(kind, token.start, token.end, token.text, (expected,))


def _unfinished(last: Token, *expected: Expected) -> Fault:
    return Fault(ReadingKind.UNFINISHED, last.end, last.end, "", expected)
