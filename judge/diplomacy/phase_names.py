"""Finds the phase that a line names, in any language: `F1901M`, `Fall 1901`, `1901년 가을 이동`.

The words are data (`grammar/<language>/phases.toml`). Knows nothing of orders or positions.
"""

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from msgspec import Struct

from judge.data import language_data
from judge.diplomacy.calendar import Calendar, Phase, PhaseKind
from judge.diplomacy.language.lexicon import scripts
from judge.diplomacy.language.normalize import normalize

LONGEST = 60  # letters; a longer line is a sentence
_NEAREST_MOST = 3
_LIKENESS = 0.6  # of a written name to a label
_WORD_LIKENESS = 0.7  # of a misspelled word to a season or a kind
_STRAY_WORDS = 2  # more unknown words than these, and it is a sentence
_SEASON_SHORTEST = 4  # letters of a season without a year: `F` and `Win!` are none


class Unnamed(Struct, frozen=True):
    """A text that is meant as the name of a phase, and names none."""


def parse_phase_name(
    written: str,
    calendar: Calendar,
    running: Phase,
    *,
    is_sought: bool,
    beside: Collection[str] = (),
) -> Phase | Unnamed | None:
    """The phase that the whole of a text names; None if it is none and none was looked for.

    A name without its kind is the movement phase, or the running phase of that turn; one without
    its year is the next of that name, or the running one; `next turn` is the next movement phase.
    Names that stand `beside` it mean nothing (`France, Fall 1901`).
    """
    text, none = normalize(written).text, Unnamed() if is_sought else None
    coming = coming_phases(calendar, running, 2 * len(calendar.turns) + 2)
    if _only_letters_and_digits(text) in _next_turn_names():
        return next(phase for phase in coming[1:] if phase.kind is PhaseKind.MOVEMENT)
    said = _read_words(text, running) if len(text) <= LONGEST else None
    if said is None:
        return none
    stray = [word for word in said.stray if word not in beside]
    season = said.seasons[0] if said.seasons else ""
    kind = said.kinds[0] if said.kinds else None
    is_clear = not stray and max(len(said.seasons), len(said.kinds)) <= 1
    if not said.years:
        if not is_clear or not season:
            return none
        is_build = kind is PhaseKind.ADJUSTMENT  # `Fall builds` are those of the winter
        named = (
            phase
            for phase in coming
            if kind in (None, phase.kind) and (is_build or phase.letter == season)
        )
        return next(named, none)
    if is_clear and len(said.years) == 1 and (is_sought or season or kind):
        phase = _phase(said.years[0], season, kind, calendar, running)
        return phase if phase is not None and calendar.has(phase) else Unnamed()
    # A year beside words that are near to those of a phase: `Fal 1901 movment`.
    known = [word for word in _word_meanings() if len(word) > 3]
    is_near = len(said.years) == 1 and 0 < len(stray) <= _STRAY_WORDS
    if is_near and all(difflib.get_close_matches(word, known, 1, _WORD_LIKENESS) for word in stray):
        return Unnamed()
    return none


def _phase(
    year: int, season: str, kind: PhaseKind | None, calendar: Calendar, running: Phase
) -> Phase | None:
    """The phase of a year, if season and kind fit the calendar."""
    if kind is PhaseKind.ADJUSTMENT or season == calendar.adjustment_letter != "":
        if kind not in (None, PhaseKind.ADJUSTMENT):
            return None
        return Phase(calendar.adjustment_letter, year, PhaseKind.ADJUSTMENT)
    if season not in {turn.letter for turn in calendar.turns}:
        return None
    if kind is None:
        is_running_turn = (running.letter, running.year) == (season, year)
        kind = running.kind if is_running_turn else PhaseKind.MOVEMENT
    return Phase(season, year, kind)


def speaks_of_phase(written: str) -> bool:
    """Whether a text may name a phase that nobody asked for; a quick check that few texts pass."""
    return (
        len(written) <= LONGEST and _mention_pattern().search(normalize(written).text) is not None
    )


def coming_phases(calendar: Calendar, running: Phase, count: int) -> tuple[Phase, ...]:
    """The running phase and those after it, skipped or not."""
    phases = [running]
    while len(phases) < count:
        phases.append(calendar.after(phases[-1]))
    return tuple(phases)


def nearest_labels(written: str, labels: Sequence[str]) -> tuple[str, ...]:
    """Labels that a text may have meant; the first ones if none is near."""
    text = re.sub(r"[^0-9a-z]", "", normalize(written).text).upper()
    near = difflib.get_close_matches(text, labels, n=_NEAREST_MOST, cutoff=_LIKENESS)
    return tuple(near or labels[:_NEAREST_MOST])


# --- words ----------------------------------------------------------------------------------------


class _Said(Struct):
    """What the words of a line say of a phase."""

    years: list[int] = []
    seasons: list[str] = []
    kinds: list[PhaseKind] = []
    stray: list[str] = []


def _read_words(text: str, running: Phase) -> _Said | None:
    """What the words say; None where neither a year nor the whole word of a season is there."""
    said, is_whole = _Said(), False
    for found in _pieces().finditer(text):
        word = found[0]
        use, meaning = _word_meanings().get(word, ("stray", word))
        if len(word) == 4 and word.isdigit():
            said.years.append(int(word))
        elif len(word) == 2 and word.isdigit() and re.search("[a-z']$", text[: found.start()]):
            said.years.append(running.year // 100 * 100 + int(word))  # F01: the running century
        elif use == "seasons":
            said.seasons.append(meaning)
            is_whole |= _is_spelled_out(word)
        elif use == "kinds" and PhaseKind(meaning) not in said.kinds:
            said.kinds.append(PhaseKind(meaning))
        elif use == "stray" and not word.isdigit():
            said.stray.append(word)
    return said if said.years or is_whole else None


@cache
def _pieces() -> re.Pattern[str]:
    """A word of Latin letters, a number, or what stands in other scripts: the longest known word,
    else all letters of a script."""
    known = sorted((word for word in _word_meanings() if not word.isascii()), key=len, reverse=True)
    return re.compile(
        "|".join(
            ["[a-z]+", "[0-9]+", *map(re.escape, known), *(f"[{each}]+" for each in scripts())]
        )
    )


def _is_spelled_out(word: str) -> bool:
    """Whether a word for a season says one without a year."""
    return len(word) >= _SEASON_SHORTEST or not word.isascii()


def _only_letters_and_digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


@cache
def _next_turn_names() -> Mapping[str, str]:
    """The names of the next movement phase, by their letters."""
    tables = language_data("phases.toml").values()
    return {
        _only_letters_and_digits(name): name
        for table in tables
        for name in table["around"]["next_turn"]
    }


@cache
def _word_meanings() -> Mapping[str, tuple[str, str]]:
    """What each word is (`seasons`, `kinds` or `around`), and the letter of the season or kind."""
    words: dict[str, tuple[str, str]] = {}
    for language in language_data("phases.toml").values():
        meanings = [("around", "", language["around"]["words"])]
        for use in ("kinds", "seasons"):
            meanings += [(use, letter, names) for letter, names in language[use].items()]
        for use, letter, names in meanings:
            words |= {name.replace(" ", ""): (use, letter) for name in names}
    return words


@cache
def _mention_pattern() -> re.Pattern[str]:
    """A digit, the whole word of a season, or how a name of the next turn begins."""
    seasons = [
        word
        for word, (use, _) in _word_meanings().items()
        if use == "seasons" and _is_spelled_out(word)
    ]
    begins = [words.split()[0] for words in _next_turn_names().values()]
    return re.compile("|".join(["[0-9]", *map(re.escape, [*seasons, *begins])]))
