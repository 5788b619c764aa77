"""Orders ahead in words: the ways out of a unit, and what becomes of lines that wait."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.diplomacy.notation import format_unit
from judge.diplomacy.orders import Location, UnitKind, WrittenUnit
from judge.render.catalogue import N_, SOURCE_LANGUAGE, say
from judge.render.diplomacy.orders import line_row
from judge.render.diplomacy.words import Names
from judge.render.part import comma_names
from judge.rulebook import Line, Row, Translator

_PLACE = r"[A-Z]{3}(?:/[NSEW]C)?"
_FALLBACK = re.compile(
    rf"IF DISLODGED (?:([AF]) )?({_PLACE}) (?:R )?((?:{_PLACE}, )*(?:{_PLACE}|DISBAND))"
)


@dataclass(frozen=True, slots=True)
class _Fallback:
    """A unit and where it goes if it is dislodged, the first wish first; None: disbanded."""

    unit: WrittenUnit
    choices: tuple[Location | None, ...]


def line_rows(lines: Sequence[Line], names: Names) -> tuple[Row, ...]:
    """Stored lines of any phase, with their words beside them."""
    return tuple(msgspec.structs.replace(_row(line.text, names), kept=line.kept) for line in lines)


def _row(text: str, names: Names) -> Row:
    fallback = _read(text)
    if fallback is None:
        return line_row(text, names)
    if names.words.language == SOURCE_LANGUAGE:
        return Row(text, _meaning(fallback, names))
    return Row(_notation(fallback, names), text)


def _read(text: str) -> _Fallback | None:
    found = _FALLBACK.fullmatch(text)
    if found is None:
        return None
    kind = UnitKind(found[1]) if found[1] else None
    choices = [None if each == "DISBAND" else parse_location(each) for each in found[3].split(", ")]
    return _Fallback(WrittenUnit(parse_location(found[2]), kind), tuple(choices))


def _meaning(fallback: _Fallback, names: Names) -> str:
    """`If dislodged: to the first open of Gascony, Picardy; else disbanded.`"""
    words, may_disband = names.words, None in fallback.choices
    places = [names.place(choice) for choice in fallback.choices if choice]
    if not places:
        return say(words, "If dislodged: disbanded.")
    if len(places) == 1:
        message = N_("If dislodged: to {place}, else disbanded.")
        return say(
            words, message if may_disband else N_("If dislodged: to {place}."), place=places[0]
        )
    message = N_("If dislodged: to the first open of {places}.")
    if may_disband:
        message = N_("If dislodged: to the first open of {places}; else disbanded.")
    return say(words, message, places=comma_names(places, words))


def _notation(fallback: _Fallback, names: Names) -> str:
    """The line in the reader's language, as the judge reads it back."""
    words = names.words
    unit = format_unit(fallback.unit, names)
    named = [
        names.location(choice) if choice else say(words, "DISBAND") for choice in fallback.choices
    ]
    listed = comma_names(named, words)
    if fallback.choices[0] is None:
        return say(words, "IF DISLODGED {unit} DISBAND", unit=unit)
    return say(words, "IF DISLODGED {unit} R {places}", unit=unit, places=listed)


def about_advance(label: str, words: Translator) -> str:
    """What becomes of lines that wait for a phase, beside being carried out; empty if nothing."""
    if parse_phase(label).kind is not PhaseKind.ADJUSTMENT:
        return ""
    return say(words, "As many of these wishes are taken as are due, the upper ones first.")
