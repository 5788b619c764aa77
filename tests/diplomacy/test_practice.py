"""The computer's orders."""

import random

import pytest

from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.orders import Location, Unit, UnitKind
from judge.diplomacy.position import Position
from judge.diplomacy.practice import computer_order_sets
from judge.diplomacy.variants.variant import load_variant, variant_names


@pytest.mark.parametrize("name", variant_names())
def test_the_computer_orders_units_wherever_they_stand(name: str) -> None:
    variant = load_variant(name)
    power, board = variant.powers[0].id, variant.board
    first = variant.calendar.first()
    phase = first if first.kind is PhaseKind.MOVEMENT else variant.calendar.after(first)
    seas = [each for each in board.provinces if board.is_sea(each)]
    fleets = tuple(Unit(power, UnitKind.FLEET, Location(sea)) for sea in seas)
    for province in board.provinces:
        armies = [
            Unit(power, UnitKind.ARMY, at)
            for at in board.possible_locations(UnitKind.ARMY, province)
        ]
        position = Position(phase, (*armies, *fleets), {})  # the army may be convoyed to an island
        order_sets = computer_order_sets(variant, position, [power], random.Random(1).randrange)
        assert len(order_sets[power]) == len(position.units)
