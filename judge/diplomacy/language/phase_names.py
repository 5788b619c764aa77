"""Finds the phase that a line names, in any language: `F1901M`, `Fall 1901`, `1901년 가을 이동`.

The words are data (`grammar/<language>/phases.toml`). Knows nothing of orders or positions.
"""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.data import language_data
from judge.diplomacy.calendar import Calendar, Phase, PhaseKind
from judge.diplomacy.language.lexicon import writing
from judge.diplomacy.language.normalize import normalize

LONGEST = 60  # letters; a longer line is a sentence
_NEAREST_MOST = 3
_LIKENESS = 0.6  # of a written name to a label
_WORD_LIKENESS = 0.7  # of a misspelled word to a season or a kind
_STRAY_WORDS = 2  # more unknown words than these, and it is a sentence
_SEASON_SHORTEST = 4  # letters of a season without a year: `F` and `Win!` are none


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A text that is meant as the name of a phase, and is none."""


@dataclass(slots=True)
class _Heard:
    """What the words of a line say of a phase."""

    years: list[int]
    seasons: list[str]
    kinds: list[PhaseKind]
    stray: list[str]

    @property
    def is_clear(self) -> bool:
        """Whether it says one year, and no second season or kind."""
        return len(self.years) == 1 and max(len(self.seasons), len(self.kinds)) <= 1

    @property
    def is_season(self) -> bool:
        """Whether it says a season and no year, as `Fall retreats` does."""
        return not self.years and len(self.seasons) == 1 and len(self.kinds) <= 1


def name_phase(
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
    text = normalize(written).text
    if _letters(text) in _next_turn():
        coming = coming_phases(calendar, running, 2 * len(calendar.turns) + 2)
        return next(phase for phase in coming[1:] if phase.kind is PhaseKind.MOVEMENT)
    heard = _hear(text, running) if len(text) <= LONGEST else None
    if heard is None:
        return Unnamed() if is_sought else None
    heard.stray = [word for word in heard.stray if word not in beside]
    if not heard.years:
        phase = _next(heard, calendar, running) if heard.is_season and not heard.stray else None
        return phase or (Unnamed() if is_sought else None)
    if not heard.stray and heard.is_clear and (is_sought or heard.seasons or heard.kinds):
        phase = _phase(heard, calendar, running)
        if phase is not None and calendar.has(phase):
            return phase
        return Unnamed()
    return Unnamed() if is_sought or _is_near(heard) else None


def speaks_of_phase(written: str) -> bool:
    """Whether a text may name a phase that nobody asked for: told at once, and of few texts."""
    return len(written) <= LONGEST and _mention().search(normalize(written).text) is not None


@cache
def _mention() -> re.Pattern[str]:
    """A digit, the whole word of a season, or how a name of the next turn begins."""
    seasons = [word for word, meaning in _words().items() if meaning.endswith("*")]
    whole = [*filter(_is_whole, seasons), *(words.split()[0] for words in _next_turn().values())]
    return re.compile("|".join(["[0-9]", *map(re.escape, whole)]))


def _is_whole(word: str) -> bool:
    """Whether a word for a season says one without a year."""
    return len(word) >= _SEASON_SHORTEST or not word.isascii()


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


def _hear(text: str, running: Phase) -> _Heard | None:
    """What the words say; None where neither a year nor the whole word of a season is there."""
    heard = _Heard([], [], [], [])
    is_whole = False
    for found in writing().phase_piece.finditer(text):
        piece = found[0]
        if piece.isdigit():
            is_glued = re.search(r"[a-z']$", text[: found.start()]) is not None
            heard.years += _years(piece, running, is_glued=is_glued)
            continue
        for word in _parted(piece):
            meaning = _words().get(word)
            if meaning is None:
                heard.stray.append(word)
            elif meaning.endswith("*"):
                heard.seasons.append(meaning[:-1])
                is_whole |= _is_whole(word)
            elif meaning:
                heard.kinds.append(PhaseKind(meaning))
    heard.kinds = list(dict.fromkeys(heard.kinds))
    return heard if heard.years or is_whole else None


def _years(digits: str, running: Phase, *, is_glued: bool) -> list[int]:
    """`1901`; or `01` behind a letter, of the running century. Other numbers are no years."""
    if len(digits) == 4:
        return [int(digits)]
    if len(digits) == 2 and is_glued:
        return [running.year // 100 * 100 + int(digits)]
    return []


def _parted(piece: str) -> Iterator[str]:
    """The words of a piece; those of scripts without spaces by the longest known first."""
    while piece and not piece.isascii():
        known = next((word for word in _longest_first() if piece.startswith(word)), piece)
        yield known
        piece = piece[len(known) :]
    if piece:
        yield piece


def _is_near(heard: _Heard) -> bool:
    """`Fal 1901 movment`: a year beside words that are near to those of a phase."""
    if len(heard.stray) > _STRAY_WORDS or len(heard.years) != 1:
        return False
    known = [word for word in _words() if len(word) > 3]
    near = [
        word for word in heard.stray if difflib.get_close_matches(word, known, 1, _WORD_LIKENESS)
    ]
    return bool(heard.stray) and len(near) == len(heard.stray)


def _phase(heard: _Heard, calendar: Calendar, running: Phase) -> Phase | None:
    """The phase of the words, if they fit the calendar."""
    year, kind = heard.years[0], heard.kinds[0] if heard.kinds else None
    season = heard.seasons[0] if heard.seasons else ""
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


def _next(heard: _Heard, calendar: Calendar, running: Phase) -> Phase | None:
    """The running phase or the next one of a season, and of a kind if that is said; None where the
    calendar has no such season."""
    season, kind = heard.seasons[0], heard.kinds[0] if heard.kinds else None
    for phase in coming_phases(calendar, running, 2 * len(calendar.turns) + 2):
        if kind is PhaseKind.ADJUSTMENT and phase.kind is kind:
            return phase  # `Fall builds` are those of the winter
        if phase.letter == season and kind in (None, phase.kind):
            return phase  # without a kind the running one, or the first of its turn
    return None


def languages() -> tuple[Mapping[str, Any], ...]:
    """The words of every language (`grammar/<language>/phases.toml`)."""
    return tuple(language_data("phases.toml").values())


@cache
def _next_turn() -> Mapping[str, str]:
    """What names the next movement phase, by its letters."""
    names = [name for language in languages() for name in language["around"]["next_turn"]]
    return {_letters(name): name for name in names}


def _letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


@cache
def _words() -> dict[str, str]:
    """A season's letter with a star, a kind's letter, or nothing, by word."""
    words: dict[str, str] = {}
    for language in languages():
        for word in language["around"]["words"]:
            words[word.replace(" ", "")] = ""
        for letter, names in language["kinds"].items():
            words |= {name.replace(" ", ""): letter for name in names}
        for letter, names in language["seasons"].items():
            words |= {name.replace(" ", ""): f"{letter}*" for name in names}
    return words


@cache
def _longest_first() -> tuple[str, ...]:
    return tuple(sorted((word for word in _words() if not word.isascii()), key=len, reverse=True))
