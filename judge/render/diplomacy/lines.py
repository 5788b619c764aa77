"""Stored lines in words, and beside them in the notation of the reader's language."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from judge.blocks import Row
from judge.diplomacy import orders as o
from judge.diplomacy.board import parse_location
from judge.diplomacy.notation import format_order, format_unit, parse_canonical, to_written_order
from judge.diplomacy.orders import AnyOrder, WrittenOrder
from judge.render.catalogue import SOURCE_LANGUAGE, comma_names, sentence_tables
from judge.render.diplomacy.names import Names
from judge.rulebook import Line, Message


class _Tables(msgspec.Struct, frozen=True):
    meanings: dict[str, Message]
    preferences: dict[str, str]


SENTENCES = sentence_tables("lines.toml", _Tables)
IF_DISLODGED = "IF DISLODGED "  # begins a stored line of what a unit does then


def order_meaning(order: AnyOrder | WrittenOrder, names: Names) -> str:
    """An order as a sentence: `Army Paris moves to Burgundy.`"""
    written = to_written_order(order)
    key = type(written).__name__.removeprefix("Written")
    if isinstance(written, o.WrittenWaive):
        power = names.power(written.power) if written.power else ""
        message = SENTENCES.meanings[f"{key}OfPower" if power else key]
        return names.tell(message, written.count, power=power)
    key += "ByConvoy" * getattr(written, "via_convoy", False)
    unit, other = written.unit, o.other_unit(written)
    target = getattr(written, "target", None)
    subject = names.unit(unit.kind, unit.location)
    if unit.kind is None:
        subject = names.say("The unit in {place}", place=names.location_in_sentence(unit.location))
    return names.tell(
        SENTENCES.meanings[key],
        1,
        unit=subject,
        other=names.location_in_sentence(other.location) if other else "",
        target=names.location_in_sentence(target) if target else "",
    )


@lru_cache(maxsize=1 << 14)
def short_order(order: AnyOrder | WrittenOrder) -> str:
    """An order in the short form; kept, since most are in the letters of all players."""
    return format_order(order)


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
    rows = []
    for line in lines:
        row = Row(line.text, "")  # of what is no order
        if order := parse_canonical(line.text):
            row = order_row(order, order_meaning(order, names), names)
        elif line.text.startswith(IF_DISLODGED):
            row = _retreat_preferences_row(line.text, names)
        rows.append(Row(row.text, row.meaning, line.kept))
    return tuple(rows)


def _retreat_preferences_row(text: str, names: Names) -> Row:
    """What a unit does if it is dislodged: `IF DISLODGED A BUR R PAR, GAS, DISBAND`."""
    first, *others = text.removeprefix(IF_DISLODGED).split(", ")
    order = parse_canonical(first.replace(" DISBAND", " D"))
    if not isinstance(order, o.WrittenRetreat | o.WrittenDisband):
        return Row(text, "")
    wanted = [getattr(order, "target", None)]
    wanted += [None if one == "DISBAND" else parse_location(one) for one in others]
    if names.language == SOURCE_LANGUAGE:
        # `If dislodged: to the first open of Gascony, Picardy; else disbanded.`
        goals = [names.location_in_sentence(place) for place in wanted if place]
        key = ("disbanded", "to_one", "to_first")[min(len(goals), 2)]
        if goals and None in wanted:
            key += "_else_disbanded"
        listed = "".join(goals[:1])
        for goal in goals[1:]:
            listed = names.say(
                "{places}, or if that is closed to {place}", places=listed, place=goal
            )
        return Row(text, names.tell(SENTENCES.preferences[key], place=listed, places=listed))
    unit = format_unit(order.unit, names)
    if wanted[0] is None:
        return Row(names.say("IF DISLODGED {unit} DISBAND", unit=unit), text)
    places = comma_names(
        [names.location(place) if place else names.say("DISBAND") for place in wanted], names
    )
    return Row(names.say("IF DISLODGED {unit} R {places}", unit=unit, places=places), text)
