"""The calendar of a DPjudge map: its FLOW of seasons and phases, and the phase it begins with.

Our calendars are cycles of turns with adjustments after the last; what is not of that form is
named, and the game has the usual year.
"""

import re
from typing import NamedTuple

from judge.importing.draft import CalendarDraft, Opening
from judge.importing.findings import Findings, Place

SEASONS = {"SPRING": "S", "FALL": "F", "AUTUMN": "F", "WINTER": "W"}
KINDS = {"MOVEMENT": "M", "ADJUSTMENTS": "A", "ADJUSTMENT": "A", "RETREATS": "R", "RETREAT": "R"}
YEAR_DIGITS = 4

_NEW_YEAR = re.compile(r"NEWYEAR(?::([0-9]{1,3}))?")


class _Unlike(Exception):
    """This part of a flow has no counterpart in our calendars."""


class _Flow(NamedTuple):
    turns: list[tuple[str, int]]
    adjustments: list[tuple[str, int]]
    years: int


def read_flow(flow: list[tuple[str, Place]], findings: Findings) -> CalendarDraft:
    """The calendar that a flow describes; the usual one if none, or none of ours."""
    if not flow:
        return CalendarDraft()
    try:
        return _calendar(_read([word for word, _ in flow]))
    except _Unlike as error:
        text = f"FLOW: {error}; the year is spring, fall and winter"
        findings.leave_out(text, flow[0][1])
        return CalendarDraft()


def _read(words: list[str]) -> _Flow:
    found = _Flow([], [], 0)
    for word in words:
        if new_year := _NEW_YEAR.fullmatch(word):
            found = found._replace(years=found.years + int(new_year[1] or 1))
            continue
        season, _, phases = word.partition(":")
        if season not in SEASONS:
            raise _Unlike(f"{word} is no season of ours")
        for phase in phases.split(","):
            kind = KINDS.get(phase)
            if kind == "M":
                found.turns.append((SEASONS[season], found.years))
            elif kind == "A":
                found.adjustments.append((SEASONS[season], found.years))
            elif kind is None:
                raise _Unlike(f"{phase} is no phase of ours")
    return found


def _calendar(flow: _Flow) -> CalendarDraft:
    if not flow.turns or len(flow.adjustments) != 1:
        raise _Unlike("it has no movement, or not one phase of adjustments in a cycle")
    letter, at = flow.adjustments[0]
    if at != flow.turns[-1][1]:
        raise _Unlike("adjustments stand in another year than the last movement")
    first = flow.turns[0][1]
    turns = tuple((season, years - first) for season, years in flow.turns)
    return CalendarDraft(turns, letter, max(flow.years, 1))


def read_begin(begin: tuple[str, Place] | None, findings: Findings) -> Opening | None:
    """The phase of `SPRING 1901 MOVEMENT`."""
    if begin is None:
        return None
    text, place = begin
    words = text.split()
    if len(words) != 3 or words[0] not in SEASONS or KINDS.get(words[2], "R") == "R":
        findings.fault(f'BEGIN: "{text}" is no phase; write SPRING 1901 MOVEMENT', place)
        return None
    if not (words[1].isascii() and words[1].isdecimal() and len(words[1]) <= YEAR_DIGITS):
        findings.fault(f"BEGIN: {words[1]} is no year from 1 to 9999", place)
        return None
    return Opening(SEASONS[words[0]], int(words[1]), KINDS[words[2]], place)
