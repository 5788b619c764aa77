"""What holds for every movement phase, on positions that random play reaches.

150 examples a property; nightly 20,000: `JUDGE_EXAMPLES=20000 pytest tests/diplomacy`.
"""

import os
import random
from collections.abc import Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.diplomacy.board import Board
from judge.diplomacy.orders import (
    Location,
    PowerId,
    Unit,
    UnitKind,
    WrittenConvoy,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
)
from judge.diplomacy.outcomes import DislodgedBy, Resolved, Void
from judge.diplomacy.position import Position, sort_units, start_position
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import play, resolve_movement
from judge.diplomacy.variants.variant import load_variant

EXAMPLES = int(os.environ.get("JUDGE_EXAMPLES", "150"))
PROFILE = settings(max_examples=EXAMPLES, deadline=None)

STANDARD = load_variant("standard")
BOARD: Board = STANDARD.board
PROVINCES = tuple(BOARD.provinces)
PRESETS = ("2000", "2023", "1971", "1982", "dptg")
Sheets = Mapping[PowerId, Sequence[WrittenOrder]]


def named(unit: Unit) -> WrittenUnit:
    return WrittenUnit(unit.location, unit.kind)


def random_order(unit: Unit, units: Sequence[Unit], chance: random.Random) -> WrittenOrder:
    """Mostly orders that could work; some that break the rules."""
    other, dice = chance.choice(units), chance.random()
    ways = BOARD.adjacent_locations(unit.kind, unit.location)
    target = chance.choice(ways) if ways else unit.location
    if chance.random() < 0.08:
        target = Location(chance.choice(PROVINCES))
    if dice < 0.5:
        return WrittenMove(named(unit), target, via_convoy=chance.random() < 0.1)
    if dice < 0.6:
        return WrittenHold(named(unit))
    near = [
        one
        for one in units
        if one != unit and BOARD.is_adjacent(one.kind, one.location, target.province)
    ]
    if dice < 0.8 and near:
        return WrittenSupportMove(named(unit), named(chance.choice(near)), target)
    if dice < 0.88:
        return WrittenSupportHold(named(unit), named(other))
    coast = Location(chance.choice(PROVINCES))
    if unit.kind is UnitKind.FLEET and dice < 0.97:
        return WrittenConvoy(named(unit), named(other), coast)
    return WrittenMove(named(unit), coast)


def random_sheets(position: Position, chance: random.Random) -> Sheets:
    order_sets: dict[PowerId, list[WrittenOrder]] = {}
    for unit in position.units:
        if chance.random() < 0.93:
            order_sets.setdefault(unit.power, []).append(random_order(unit, position.units, chance))
    return order_sets


def reached(seed: int, turns: int) -> tuple[Position, Sheets, Rules]:
    """A position that random play reaches, orders for it, and a preset."""
    chance = random.Random(seed)
    rules = Rules.preset(chance.choice(PRESETS))
    position = start_position(STANDARD)
    for _ in range(turns):
        after = play(STANDARD, rules, position, random_sheets(position, chance))[-1].after
        while after.phase.kind != "M":
            after = play(STANDARD, rules, after, {})[-1].after
        position = after
    return position, random_sheets(position, chance), rules


phases = st.builds(reached, st.integers(0, 2**32), st.integers(0, 5))


def resolve(position: Position, order_sets: Sheets, rules: Rules) -> Resolved:
    return resolve_movement(STANDARD, rules, position, order_sets)


def board_of(movement: Resolved) -> tuple[object, ...]:
    return movement.units, movement.dislodged, movement.contested


@PROFILE
@given(phases)
def test_every_unit_is_accounted_for(phase: tuple[Position, Sheets, Rules]) -> None:
    position, order_sets, rules = phase
    movement = resolve(position, order_sets, rules)
    provinces = [unit.location.province for unit in movement.units]
    assert len(provinces) == len(set(provinces))
    assert len(movement.units) + len(movement.dislodged) == len(position.units)
    assert [one.unit for one in movement.results] == list(position.units)
    for result in movement.results:
        for outcome in result.outcomes:
            if isinstance(outcome, DislodgedBy):
                attacker = outcome.by.unit
                assert attacker.power != result.power
                arrived = replace(attacker, location=outcome.by.target)
                assert arrived in movement.units
                assert outcome.strength > outcome.resistance
    driven_out = {one.unit for one in movement.results if one.is_dislodged}
    assert driven_out == {one.unit for one in movement.dislodged}
    for one in movement.dislodged:
        for place in one.retreats:
            assert place.province not in {*provinces, *movement.contested}


@PROFILE
@given(phases, st.randoms(use_true_random=False))
def test_the_order_in_which_things_are_written_changes_nothing(
    phase: tuple[Position, Sheets, Rules], chance: random.Random
) -> None:
    position, order_sets, rules = phase
    powers = list(order_sets)
    chance.shuffle(powers)
    shuffled = {
        power: chance.sample(list(order_sets[power]), len(order_sets[power])) for power in powers
    }
    assert resolve(position, shuffled, rules) == resolve(position, order_sets, rules)


@PROFILE
@given(phases)
def test_an_illegal_order_equals_a_hold(phase: tuple[Position, Sheets, Rules]) -> None:
    position, order_sets, rules = phase
    movement = resolve(position, order_sets, rules)
    illegal = {
        one.unit
        for one in movement.results
        if any(isinstance(each, Void) and each.illegal for each in one.outcomes)
    }
    kept: dict[PowerId, list[WrittenOrder]] = {
        power: [
            line
            for line in lines
            if not any(_is_for(line, unit) for unit in illegal if unit.power == power)
        ]
        for power, lines in order_sets.items()
    }
    for unit in illegal:
        kept[unit.power].append(WrittenHold(named(unit)))
    assert board_of(resolve(position, kept, rules)) == board_of(movement)


def _is_for(line: WrittenOrder, unit: Unit) -> bool:
    written = getattr(line, "unit", None)
    return written is not None and written.location.province == unit.location.province


SWAP = {PowerId("FRANCE"): PowerId("TURKEY"), PowerId("TURKEY"): PowerId("FRANCE")}


def swapped(unit: Unit) -> Unit:
    return replace(unit, power=SWAP.get(unit.power, unit.power))


@PROFILE
@given(phases)
def test_swapped_powers_give_swapped_results(phase: tuple[Position, Sheets, Rules]) -> None:
    position, order_sets, rules = phase
    units = sort_units(map(swapped, position.units), STANDARD.power_ids)
    other = resolve(
        replace(position, units=units),
        {SWAP.get(power, power): lines for power, lines in order_sets.items()},
        rules,
    )
    movement = resolve(position, order_sets, rules)
    assert set(other.units) == set(map(swapped, movement.units))
    assert {(one.unit, one.attacker_from, one.retreats) for one in other.dislodged} == {
        (swapped(one.unit), one.attacker_from, one.retreats) for one in movement.dislodged
    }
    assert other.contested == movement.contested


@PROFILE
@given(phases)
def test_the_same_phase_is_resolved_the_same_again(phase: tuple[Position, Sheets, Rules]) -> None:
    assert resolve(*phase) == resolve(*phase)
