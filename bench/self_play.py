"""The computer powers of `judge/diplomacy/practice.py` at play, with what people get wrong."""

from collections.abc import Mapping, Sequence

from judge.diplomacy.board import province_of
from judge.diplomacy.orders import PowerId, Unit, UnitKind
from judge.diplomacy.position import Position
from judge.diplomacy.practice import (
    Atlas,
    Dice,
    OrderSets,
    Style,
    make_atlas,
    movement_plan,
    pick,
    roll,
)
from judge.diplomacy.variants.variant import Variant

ODDITY = 3  # percent of orders


def movement_orders(
    variant: Variant,
    position: Position,
    style: Style,
    friends: Mapping[PowerId, PowerId],
    dice: Dice,
) -> OrderSets:
    """Orders of all powers that write; some of them become odd or illegal ones."""
    atlas = make_atlas(variant.board)
    units = {str(unit.location.province): unit for unit in position.units}
    order_sets: OrderSets = {}
    for at, text in movement_plan(variant, position, style, friends, dice).items():
        unit = units[at]
        if roll(dice, 100) < ODDITY:
            text = _odd(atlas, list(units.values()), unit, text, dice)
        if text:
            order_sets.setdefault(unit.power, []).append(text)
    return order_sets


def _odd(atlas: Atlas, others: Sequence[Unit], unit: Unit, text: str, dice: Dice) -> str:
    """No order, or one that is illegal, matches nothing, or leaves something out."""
    places = sorted({*atlas.ways["A"], *atlas.seas})
    match roll(dice, 9):
        case 0:
            return ""
        case 1:
            return f"{unit} - {pick(dice, places)}"
        case 2:
            return f"{unit} S {pick(dice, others)} - {pick(dice, places)}"
        case 3:
            return f"{unit} S {pick(dice, others)}"
        case 4:
            return f"{pick(dice, [one for one in others if one.power != unit.power])} H"
        case 5:
            way = pick(dice, atlas.ways[str(unit.kind)][str(unit.location)])
            return f"{unit} - {province_of(way)}"
        case 6:
            return f"{unit} S A {pick(dice, places)} - {pick(dice, places)}"
        case 7:
            return f"{unit} C {pick(dice, others)} - {pick(dice, places)}"
        case _:
            is_walk = unit.kind is UnitKind.ARMY and text.startswith(f"{unit} - ")
            return f"{text} VIA" if is_walk and not text.endswith(" VIA") else text
