"""What a unit does if it is dislodged: `IF DISLODGED A BUR R PAR, GAS, DISBAND`.

Read in any language, free of any position; the first choice that is possible is taken when the
retreat phase opens. The words of the condition are `[dislodged]` of
`grammar/<language>/orders.toml`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct

from judge.data import language_data
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, Lexicon, key_of, listed
from judge.diplomacy.language.lines.segments import split_orders
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.tokens import Token, span, tokenize
from judge.diplomacy.orders import Location, PowerId, UnitKind, WrittenUnit
from judge.diplomacy.records import Expected, ReadingKind

LINE_LONGEST = 400  # letters of a line; a longer one is no such order
_STRAY_WORDS = 2  # more unknown words than these, and it is a sentence
_CHOICES_MOST = 20


class Choice(Struct, frozen=True):
    """One wish: a place, with what it may mean if its name has several meanings; or (none) to be
    disbanded. Columns count in the line as written."""

    places: tuple[Location, ...]
    start: int
    end: int


class RetreatPreferences(Struct, frozen=True):
    """A unit, and where it goes if it is dislodged, the first wish first."""

    start: int
    end: int
    unit: WrittenUnit
    choices: tuple[Choice, ...]


def read_preferences(written: str, words: Lexicon) -> tuple[RetreatPreferences | Fault, ...]:
    """The units of a line with their preferences, with or without the condition; empty if the line
    is prose."""
    if len(written) > LINE_LONGEST:
        return ()
    condition, text = condition_spans(written), written
    for start, end in condition:
        text = text[:start] + " " * (end - start) + text[end:]
    groups = [
        group
        for part in re.finditer("[^;；]+", text)
        if part[0].strip()
        for group in _tokens_by_unit(" " * part.start() + part[0], words)
    ]
    stray = sum(token.word == UNKNOWN for group in groups for token in group)
    if not any(token.is_place for group in groups for token in group) or stray > _STRAY_WORDS:
        return ()
    # A condition around one unit is not for others: `If Mun is dislodged, A Par - Bur`.
    is_for_first = len(condition) > 1
    return tuple(
        _read_unit(group, words)
        if at == 0 or not is_for_first
        else Fault(ReadingKind.NOT_EXPECTED, *span(group), group[0].text, (Expected.END,))
        for at, group in enumerate(groups)
    )


# --- the condition --------------------------------------------------------------------------------


def condition_spans(written: str) -> list[tuple[int, int]]:
    """Where a line speaks of a unit that is dislodged, in columns: in one piece, or in two with the
    unit between them; empty if it does not, or is too long."""
    if len(written) > LINE_LONGEST:
        return []
    line = normalize(written)
    for pattern in _conditions():
        if found := pattern.search(line.text):
            spans = [found.span(group) for group in range(1, pattern.groups + 1)]
            return [(line.column(start), line.column(end)) for start, end in spans]
    return []


@cache
def _conditions() -> tuple[re.Pattern[str], ...]:
    """A condition in one piece, in any language; and around a unit, one for each language."""
    tables = [language["dislodged"] for language in language_data("orders.toml").values()]
    patterns = [f"({_any_of(listed('dislodged', 'whole'))})"]
    patterns += [
        f"({_any_of(each['opens'])})[^;]{{1,60}}?({_any_of(each['closes'])})" for each in tables
    ]
    return tuple(map(re.compile, patterns))


def _any_of(phrases: Iterable[str]) -> str:
    """Any of the phrases, longest first; spaces inside one may be any number."""
    spaced = (
        (phrase, r"\s+".join(map(re.escape, phrase.split())))
        for phrase in sorted(phrases, key=len, reverse=True)
    )
    return "|".join(rf"\b{each}\b" if phrase.isascii() else each for phrase, each in spaced)


# --- units and places -----------------------------------------------------------------------------


def _tokens_by_unit(text: str, words: Lexicon) -> list[list[Token]]:
    """The words of each unit: `A BUR R PAR, A MAR R GAS` holds two."""
    groups: list[list[Token]] = []
    between_places = set(map(key_of, listed("dislodged", "between")))  # without a meaning there
    for token in (token for segment in split_orders(tokenize(text, words)) for token in segment):
        if token.word in ("R", "-"):
            continue
        if token.word in (UNKNOWN, "WAIVE") and key_of(token.text) in between_places:
            continue
        begins = token.word in KINDS or token.word[0] == "@"
        if not groups or (begins and sum(t.is_place or t.word == "D" for t in groups[-1]) > 1):
            groups.append([])
        groups[-1].append(token)
    return groups


def _read_unit(group: Sequence[Token], words: Lexicon) -> RetreatPreferences | Fault:
    """One unit and its preferences."""
    kind = power = None
    at = next((at for at, token in enumerate(group) if token.is_place), len(group))
    for token in group[:at]:
        if token.word in KINDS:
            kind = UnitKind(token.word)
        elif token.word[0] == "@":
            power = PowerId(token.word[1:])
        else:
            return _fault(token, Expected.PLACE if kind else Expected.UNIT, words)
    if at == len(group):
        return _unfinished_fault(group[-1], Expected.PLACE)
    choices: list[Choice] = []
    for token in group[at + 1 :][:_CHOICES_MOST]:
        if token.word != "D" and not token.is_place:
            return _fault(token, Expected.PLACE, words)
        places = token.locations if token.is_place else ()
        choices.append(Choice(places, token.start, token.end))
        if not places:
            break
    if not choices:
        return _unfinished_fault(group[-1], Expected.PLACE, Expected.DISBAND)
    unit = WrittenUnit(group[at].locations[0], kind, power)
    return RetreatPreferences(*span(group), unit, tuple(choices))


def _fault(token: Token, expected: Expected, words: Lexicon) -> Fault:
    is_unknown = token.word == UNKNOWN and expected is Expected.PLACE
    is_name = is_unknown and key_of(token.text) not in words.against
    kind = ReadingKind.NO_PROVINCE if is_name else ReadingKind.NOT_EXPECTED
    return Fault(kind, token.start, token.end, token.text, (expected,))


def _unfinished_fault(last: Token, *expected: Expected) -> Fault:
    return Fault(ReadingKind.UNFINISHED, last.end, last.end, "", expected)
