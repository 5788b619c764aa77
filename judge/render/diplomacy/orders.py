"""Orders in words, and beside them in the notation of the reader's language."""

from typing import assert_never

from judge.diplomacy.notation import as_written, format_order, parse_canonical
from judge.diplomacy.orders import (
    AnyOrder,
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


def order_shown(order: AnyOrder | WrittenOrder, names: Names) -> str:
    """An order to copy: in English the short form, else the notation of the reader's rulebook."""
    is_source = names.words.language == SOURCE_LANGUAGE
    return format_order(order) if is_source else format_order(order, names)


def order_row(order: AnyOrder | WrittenOrder, meaning: str, names: Names) -> Row:
    """An order to copy and what it says; the reader's own notation has the short form beside it."""
    text, shown = format_order(order), order_shown(order, names)
    return Row(text, meaning) if shown == text else Row(shown, text)


def line_row(text: str, names: Names) -> Row:
    """A stored line with its words beside it; only the line if it is no order."""
    order = parse_canonical(text)
    return order_row(order, order_meaning(order, names), names) if order else Row(text, "")
