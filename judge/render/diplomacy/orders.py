"""Orders in notation and in words.

Stored lines come in canonical notation, which is read back here by its fixed shapes; free notation
is read by the game alone.
"""

import re
from typing import assert_never

from msgspec.structs import replace

from judge.diplomacy.board import parse_location
from judge.diplomacy.orders import (
    AnyOrder,
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Passage,
    PowerId,
    Retreat,
    Ride,
    SupportHold,
    SupportMove,
    UnitKind,
    Waive,
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
from judge.render.catalogue import SOURCE_LANGUAGE, count, say
from judge.render.diplomacy.words import Names
from judge.rulebook import Row

# The kind of unit is left out in orders ahead, where nobody knows yet what will stand there.
_UNIT = r"(?:([AF]) )?([A-Z]{3}(?:/[NSEW]C)?)"
_OTHER = rf"(?:([A-Z]{{3,}}) )?{_UNIT}"  # its power where the rules want it named
_PLACE = r"([A-Z]{3}(?:/[NSEW]C)?)"
_HOLD = re.compile(rf"{_UNIT} H")
_MOVE = re.compile(rf"{_UNIT} - {_PLACE}( VIA)?")
_RIDE = re.compile(rf"{_UNIT} - TSR - {_PLACE}")
_PASSAGE = re.compile(rf"SC (?:([A-Z]+) )?{_UNIT} - {_PLACE}")
_SUPPORT_MOVE = re.compile(rf"{_UNIT} S {_OTHER} - {_PLACE}")
_SUPPORT_HOLD = re.compile(rf"{_UNIT} S {_OTHER}")
_CONVOY = re.compile(rf"{_UNIT} C {_OTHER} - {_PLACE}")
_RETREAT = re.compile(rf"{_UNIT} R {_PLACE}")
_DISBAND = re.compile(rf"{_UNIT} D")
_BUILD = re.compile(rf"{_UNIT} B")
_WAIVE = re.compile(r"(?:([A-Z][A-Z_]*) )?WAIVE(?: (\d+))?")


def read_line(text: str) -> WrittenOrder | None:
    """The order of a line in canonical notation; None if it has another form."""
    if found := _HOLD.fullmatch(text):
        return WrittenHold(_unit(found, 1))
    if found := _MOVE.fullmatch(text):
        return WrittenMove(_unit(found, 1), parse_location(found[3]), via_convoy=bool(found[4]))
    if found := _RIDE.fullmatch(text):
        return WrittenRide(_unit(found, 1), parse_location(found[3]))
    if found := _PASSAGE.fullmatch(text):
        return WrittenPassage(_other(found, 1), parse_location(found[4]))
    if found := _SUPPORT_MOVE.fullmatch(text):
        return WrittenSupportMove(_unit(found, 1), _other(found, 3), parse_location(found[6]))
    if found := _SUPPORT_HOLD.fullmatch(text):
        return WrittenSupportHold(_unit(found, 1), _other(found, 3))
    if found := _CONVOY.fullmatch(text):
        return WrittenConvoy(_unit(found, 1), _other(found, 3), parse_location(found[6]))
    if found := _RETREAT.fullmatch(text):
        return WrittenRetreat(_unit(found, 1), parse_location(found[3]))
    if found := _DISBAND.fullmatch(text):
        return WrittenDisband(_unit(found, 1))
    if found := _BUILD.fullmatch(text):
        return WrittenBuild(_unit(found, 1))
    if found := _WAIVE.fullmatch(text):
        return WrittenWaive(int(found[2] or 1), PowerId(found[1]) if found[1] else None)
    return None


def _unit(found: re.Match[str], group: int) -> WrittenUnit:
    kind = UnitKind(found[group]) if found[group] else None
    return WrittenUnit(parse_location(found[group + 1]), kind)


def _other(found: re.Match[str], group: int) -> WrittenUnit:
    power = PowerId(found[group]) if found[group] else None
    return replace(_unit(found, group + 1), power=power)


def as_written(order: AnyOrder | WrittenOrder) -> WrittenOrder:
    """An order without what only a position knows."""
    match order:
        case Hold(unit):
            return WrittenHold(_written(unit.kind, unit.location))
        case Move(unit, target, via):
            return WrittenMove(_written(unit.kind, unit.location), target, via)
        case SupportHold(unit, other):
            return WrittenSupportHold(
                _written(unit.kind, unit.location), _written(other.kind, other.location)
            )
        case SupportMove(unit, other, target):
            return WrittenSupportMove(
                _written(unit.kind, unit.location), _written(other.kind, other.location), target
            )
        case Convoy(unit, other, target):
            return WrittenConvoy(
                _written(unit.kind, unit.location), _written(other.kind, other.location), target
            )
        case Ride(unit, target):
            return WrittenRide(_written(unit.kind, unit.location), target)
        case Passage(_, unit, target):
            return WrittenPassage(WrittenUnit(unit.location, unit.kind, unit.power), target)
        case Retreat(unit, target):
            return WrittenRetreat(_written(unit.kind, unit.location), target)
        case Disband(unit):
            return WrittenDisband(_written(unit.kind, unit.location))
        case Build(unit):
            return WrittenBuild(_written(unit.kind, unit.location))
        case Waive():
            return WrittenWaive()
        case _:
            return order


def _written(kind: UnitKind, location: Location) -> WrittenUnit:
    return WrittenUnit(location, kind)


def order_text(order: AnyOrder | WrittenOrder) -> str:
    """An order in canonical notation; pair of `read_line`."""
    written = as_written(order)
    match written:
        case WrittenHold(unit):
            return f"{_unit_text(unit)} H"
        case WrittenMove(unit, target, via):
            return f"{_unit_text(unit)} - {target}{' VIA' if via else ''}"
        case WrittenSupportHold(unit, other):
            return f"{_unit_text(unit)} S {_other_text(other)}"
        case WrittenSupportMove(unit, other, target):
            return f"{_unit_text(unit)} S {_other_text(other)} - {target}"
        case WrittenConvoy(unit, other, target):
            return f"{_unit_text(unit)} C {_other_text(other)} - {target}"
        case WrittenRide(unit, target):
            return f"{_unit_text(unit)} - TSR - {target}"
        case WrittenPassage(unit, target):
            return f"SC {_other_text(unit)} - {target}"
        case WrittenRetreat(unit, target):
            return f"{_unit_text(unit)} R {target}"
        case WrittenDisband(unit):
            return f"{_unit_text(unit)} D"
        case WrittenBuild(unit):
            return f"{_unit_text(unit)} B"
        case WrittenWaive(number, power):
            waive = "WAIVE" if number == 1 else f"WAIVE {number}"
            return f"{power} {waive}" if power else waive
        case _:
            assert_never(written)


def _unit_text(unit: WrittenUnit) -> str:
    return f"{unit.kind} {unit.location}" if unit.kind else str(unit.location)


def _other_text(unit: WrittenUnit) -> str:
    return f"{unit.power} {_unit_text(unit)}" if unit.power else _unit_text(unit)


def order_meaning(order: AnyOrder | WrittenOrder, names: Names) -> str:
    """An order as a sentence: `Army Paris moves to Burgundy.`"""
    written, words = as_written(order), names.words
    match written:
        case WrittenHold(unit):
            return say(words, "{unit} holds.", unit=_name(unit, names))
        case WrittenMove():
            return _move_meaning(written, names)
        case WrittenSupportHold(unit, other):
            return say(
                words,
                "{unit} supports {other} to hold.",
                unit=_name(unit, names),
                other=names.place(other.location),
            )
        case WrittenSupportMove(unit, other, target):
            return say(
                words,
                "{unit} supports {other} to {target}.",
                unit=_name(unit, names),
                other=names.place(other.location),
                target=names.place(target),
            )
        case WrittenConvoy(unit, other, target):
            return say(
                words,
                "{unit} convoys {other} to {target}.",
                unit=_name(unit, names),
                other=names.place(other.location),
                target=names.place(target),
            )
        case WrittenRide(unit, target):
            return say(
                words,
                "{unit} rides the railway to {target}.",
                unit=_name(unit, names),
                target=names.place(target),
            )
        case WrittenPassage(unit, target):
            return say(
                words,
                "The canal is open to {unit}, bound for {target}.",
                unit=_name(unit, names),
                target=names.place(target),
            )
        case WrittenRetreat(unit, target):
            return say(
                words,
                "{unit} retreats to {target}.",
                unit=_name(unit, names),
                target=names.place(target),
            )
        case WrittenDisband(unit):
            return say(words, "{unit} is disbanded.", unit=_name(unit, names))
        case WrittenBuild(unit):
            return say(words, "{unit} is built.", unit=_name(unit, names))
        case WrittenWaive(number, None):
            return count(words, "{n} build is waived.", "{n} builds are waived.", number)
        case WrittenWaive(number, power):
            assert power is not None
            return count(
                words,
                "{power} waives {n} build.",
                "{power} waives {n} builds.",
                number,
                power=names.power(power),
            )
        case _:
            assert_never(written)


def _name(unit: WrittenUnit, names: Names) -> str:
    return names.unit(unit.kind, unit.location)


def _move_meaning(move: WrittenMove, names: Names) -> str:
    unit, target = _name(move.unit, names), names.place(move.target)
    if move.via_convoy:
        return say(names.words, "{unit} moves to {target} by convoy.", unit=unit, target=target)
    return say(names.words, "{unit} moves to {target}.", unit=unit, target=target)


def notation(order: AnyOrder | WrittenOrder, names: Names) -> str:
    """An order as the rulebook of the reader's language writes it; the judge reads it back.

    The messages are the English notation; each language puts its own in their place.
    """
    words, written = names.words, as_written(order)
    if isinstance(written, WrittenWaive):
        waive = say(words, "WAIVE")
        if written.count > 1:
            waive = say(words, "WAIVE {n}", n=written.count)
        if written.power is None:
            return waive
        return say(words, "{power} {unit}", power=names.power(written.power), unit=waive)
    unit = unit_notation(written.unit, names)
    match written:
        case WrittenHold():
            return say(words, "{unit} H", unit=unit)
        case WrittenMove(_, place, via):
            target = names.location(place)
            if via:
                return say(words, "{unit} - {target} VIA", unit=unit, target=target)
            return say(words, "{unit} - {target}", unit=unit, target=target)
        case WrittenSupportHold(_, supported):
            other = _other_notation(supported, names)
            return say(words, "{unit} S {other}", unit=unit, other=other)
        case WrittenSupportMove(_, supported, place):
            other, target = _other_notation(supported, names), names.location(place)
            return say(words, "{unit} S {other} - {target}", unit=unit, other=other, target=target)
        case WrittenConvoy(_, convoyed, place):
            other, target = _other_notation(convoyed, names), names.location(place)
            return say(words, "{unit} C {other} - {target}", unit=unit, other=other, target=target)
        case WrittenRide(_, place):
            return say(words, "{unit} - TSR - {target}", unit=unit, target=names.location(place))
        case WrittenPassage(_, place):
            target = names.location(place)
            if written.unit.power is None:
                return say(words, "SC {unit} - {target}", unit=unit, target=target)
            power = names.power(written.unit.power)
            return say(words, "SC {power} {unit} - {target}", power=power, unit=unit, target=target)
        case WrittenRetreat(_, place):
            return say(words, "{unit} R {target}", unit=unit, target=names.location(place))
        case WrittenDisband():
            return say(words, "{unit} D", unit=unit)
        case WrittenBuild():
            return say(words, "{unit} B", unit=unit)
        case _:
            assert_never(written)


def _other_notation(unit: WrittenUnit, names: Names) -> str:
    named = unit_notation(unit, names)
    if unit.power is None:
        return named
    return say(names.words, "{power} {unit}", power=names.power(unit.power), unit=named)


def unit_notation(unit: WrittenUnit, names: Names) -> str:
    place = names.location(unit.location)
    match unit.kind:
        case UnitKind.ARMY:
            return say(names.words, "A {place}", place=place)
        case UnitKind.FLEET:
            return say(names.words, "F {place}", place=place)
        case None:
            return place


def order_shown(order: AnyOrder | WrittenOrder, names: Names) -> str:
    """An order to copy: in English the short form, else the notation of the reader's rulebook."""
    is_source = names.words.language == SOURCE_LANGUAGE
    return order_text(order) if is_source else notation(order, names)


def order_row(order: AnyOrder | WrittenOrder, meaning: str, names: Names) -> Row:
    """An order to copy and what it says; the reader's own notation has the short form beside it."""
    text, shown = order_text(order), order_shown(order, names)
    return Row(text, meaning) if shown == text else Row(shown, text)


def line_row(text: str, names: Names) -> Row:
    """A stored line with its words beside it; only the line if it is no order."""
    order = read_line(text)
    return order_row(order, order_meaning(order, names), names) if order else Row(text, "")
