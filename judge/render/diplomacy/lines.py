"""Stored lines in words, and beside them in the notation of the reader's language."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from judge.diplomacy.board import parse_location
from judge.diplomacy.notation import as_written, format_order, format_unit, parse_canonical
from judge.diplomacy.orders import (
    AnyOrder,
    Location,
    UnitKind,
    WrittenBuild,
    WrittenConvoy,
    WrittenDisband,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenPassage,
    WrittenRetreat,
    WrittenRide,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.render.catalogue import N_, SOURCE_LANGUAGE, comma_names
from judge.render.diplomacy.names import Names
from judge.render.layout import unbroken
from judge.rulebook import Line, Row

# Each kind of order as a sentence, which may name: unit, other, target.
MEANINGS: Mapping[type[WrittenOrder], str] = {
    WrittenHold: N_("{unit} holds."),
    WrittenMove: N_("{unit} moves to {target}."),
    WrittenSupportHold: N_("{unit} supports {other} to hold."),
    WrittenSupportMove: N_("{unit} supports {other} to {target}."),
    WrittenConvoy: N_("{unit} convoys {other} to {target}."),
    WrittenRide: N_("{unit} rides the railway to {target}."),
    WrittenPassage: N_("The canal is open to {unit}, bound for {target}."),
    WrittenRetreat: N_("{unit} retreats to {target}."),
    WrittenDisband: N_("{unit} is disbanded."),
    WrittenBuild: N_("{unit} is built."),
}
BY_CONVOY = N_("{unit} moves to {target} by convoy.")


def order_meaning(order: AnyOrder | WrittenOrder, names: Names) -> str:
    """An order as a sentence: `Army Paris moves to Burgundy.`"""
    written = as_written(order)
    if isinstance(written, WrittenWaive):
        if written.power is None:
            return names.count("{n} build is waived.", "{n} builds are waived.", written.count)
        return names.count(
            "{power} waives {n} build.",
            "{power} waives {n} builds.",
            written.count,
            power=names.power(written.power),
        )
    message = MEANINGS[type(written)]
    if isinstance(written, WrittenMove) and written.via_convoy:
        message = BY_CONVOY
    other = getattr(written, "supported", None) or getattr(written, "convoyed", None)
    target = getattr(written, "target", None)
    return names.say(
        message,
        unit=names.unit(written.unit.kind, written.unit.location),
        other=names.place(other.location) if other else "",
        target=names.place(target) if target else "",
    )


@lru_cache(maxsize=1 << 14)
def short_order(order: AnyOrder | WrittenOrder) -> str:
    """An order in the short form, kept on one line: most stand in the letters of all players."""
    return unbroken(format_order(order))


def order_shown(order: AnyOrder | WrittenOrder, names: Names) -> str:
    """An order to copy: in English the short form, else the notation of the reader's rulebook."""
    is_source = names.language == SOURCE_LANGUAGE
    return format_order(order) if is_source else format_order(order, names)


def order_row(order: AnyOrder | WrittenOrder, meaning: str, names: Names) -> Row:
    """An order to copy and what it says; the reader's own notation has the short form beside it."""
    text, shown = format_order(order), order_shown(order, names)
    return Row(text, meaning) if shown == text else Row(shown, text)


def line_rows(lines: Sequence[Line], names: Names) -> tuple[Row, ...]:
    """Stored lines of any phase, with their words beside them."""
    return tuple(_line_row(line, names) for line in lines)


def _line_row(line: Line, names: Names) -> Row:
    """A stored line with its words beside it; only the line if it is no order."""
    row = Row(line.text, "")
    if order := parse_canonical(line.text):
        row = order_row(order, order_meaning(order, names), names)
    elif found := _PREFERENCES.fullmatch(line.text):
        kind = UnitKind(found[1]) if found[1] else None
        unit = WrittenUnit(parse_location(found[2]), kind)
        wanted = [None if one == "DISBAND" else parse_location(one) for one in found[3].split(", ")]
        if names.language == SOURCE_LANGUAGE:
            row = Row(line.text, _preferences_meaning(wanted, names))
        else:
            row = Row(_preferences_shown(unit, wanted, names), line.text)
    return Row(row.text, row.meaning, line.kept)


# --- what a unit does if it is dislodged ----------------------------------------------------------

_PLACE = r"[A-Z]{3}(?:/[NSEW]C)?"
_PREFERENCES = re.compile(
    rf"IF DISLODGED (?:([AF]) )?({_PLACE}) (?:R )?((?:{_PLACE}, )*(?:{_PLACE}|DISBAND))"
)


def _preferences_meaning(wanted: Sequence[Location | None], names: Names) -> str:
    """`If dislodged: to the first open of Gascony, Picardy; else disbanded.`"""
    places = [names.place(place) for place in wanted if place]
    if not places:
        return names.say("If dislodged: disbanded.")
    if len(places) == 1:
        message = N_("If dislodged: to {place}.")
        if None in wanted:
            message = N_("If dislodged: to {place}, else disbanded.")
        return names.say(message, place=places[0])
    message = N_("If dislodged: to the first open of {places}.")
    if None in wanted:
        message = N_("If dislodged: to the first open of {places}; else disbanded.")
    return names.say(message, places=comma_names(places, names))


def _preferences_shown(
    written: WrittenUnit, wanted: Sequence[Location | None], names: Names
) -> str:
    """The line in the reader's language, as the judge reads it back."""
    unit = format_unit(written, names)
    if wanted[0] is None:
        return names.say("IF DISLODGED {unit} DISBAND", unit=unit)
    places = [names.location(place) if place else names.say("DISBAND") for place in wanted]
    return names.say("IF DISLODGED {unit} R {places}", unit=unit, places=comma_names(places, names))
