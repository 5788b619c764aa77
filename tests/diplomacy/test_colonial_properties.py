"""What holds for every movement phase holds on the Colonial board, with trains and passages too.

100 examples a property; nightly more: `JUDGE_EXAMPLES=20000 pytest tests/diplomacy`.
"""

import os
import random
from collections.abc import Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.diplomacy.orders import (
    Location,
    Passage,
    PowerId,
    ProvinceId,
    Unit,
    UnitKind,
    WrittenConvoy,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenPassage,
    WrittenRide,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
)
from judge.diplomacy.outcomes import DislodgedBy, Resolved, Result, Void
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import resolve_movement

from .colonial import COLONIAL

EXAMPLES = int(os.environ.get("JUDGE_EXAMPLES", "100"))
PROFILE = settings(max_examples=EXAMPLES, deadline=None)
BOARD = COLONIAL.board
LINE = ("MOS", "PRM", "OMS", "KRA", "IRK", "VLA")
ENDS = ("MED", "RED")
POWERS = tuple(map(PowerId, ("BRITAIN", "RUSSIA", "TURKEY")))
PRESETS: tuple[Mapping[str, str], ...] = (
    *({"preset": name} for name in ("2000", "2023", "1971", "1982", "dptg")),
    *({"4.A.2": "all_hold", "4.E.1": name} for name in ("impossible_move_still_a_move",)),
    {"4.E.1": "impossible_order_shows_intent", "4.A.2": "szykman"},
)
Sheets = Mapping[PowerId, Sequence[WrittenOrder]]
Phase = tuple[Position, Sheets, Rules]


def beside(places: Sequence[str]) -> list[ProvinceId]:
    """The provinces, and all that border them."""
    found = {ProvinceId(place) for place in places}
    for place in places:
        for kind in UnitKind:
            for stand in BOARD.possible_locations(kind, ProvinceId(place)):
                found |= {way.province for way in BOARD.adjacent_locations(kind, stand)}
    return sorted(found)


REGIONS = (beside(LINE), beside(("EGY", *ENDS)))


def named(unit: Unit) -> WrittenUnit:
    return WrittenUnit(unit.location, unit.kind)


def random_order(unit: Unit, units: Sequence[Unit], chance: random.Random) -> WrittenOrder:
    """Mostly orders that could work; some that break the rules."""
    at, other, dice = unit.location.province, chance.choice(units), chance.random()
    if (at in LINE and dice < 0.25) or dice < 0.01:
        return WrittenRide(named(unit), Location(ProvinceId(chance.choice(LINE))))
    if at in ENDS and dice < 0.5:
        return WrittenMove(named(unit), Location(ProvinceId(ENDS[at == ENDS[0]])))
    ways = BOARD.adjacent_locations(unit.kind, unit.location)
    target = chance.choice(ways) if ways else unit.location
    if chance.random() < 0.05:
        target = Location(chance.choice(tuple(BOARD.provinces)))
    if dice < 0.65:
        return WrittenMove(named(unit), target, via_convoy=chance.random() < 0.1)
    if dice < 0.85:
        return WrittenSupportMove(named(unit), named(other), target)
    if dice < 0.93:
        return WrittenSupportHold(named(unit), named(other))
    if unit.kind is UnitKind.FLEET:
        return WrittenConvoy(named(unit), named(other), target)
    return WrittenHold(named(unit))


def crowded(seed: int) -> Phase:
    """Units around the railway or the canal, their orders, and rules."""
    chance = random.Random(seed)
    region = chance.choice(REGIONS)
    units: list[Unit] = []
    for province in chance.sample(region, chance.randint(3, 11)):
        kind = chance.choice(
            [kind for kind in UnitKind if BOARD.possible_locations(kind, province)]
        )
        place = chance.choice(BOARD.possible_locations(kind, province))
        units.append(Unit(chance.choice(POWERS), kind, place))
    order_sets: dict[PowerId, list[WrittenOrder]] = {power: [] for power in POWERS}
    for unit in units:
        if chance.random() < 0.95:
            order_sets[unit.power].append(random_order(unit, units, chance))
        if unit.location.province in ENDS and chance.random() < 0.7:
            end = Location(ProvinceId(ENDS[unit.location.province == ENDS[0]]))
            leave = WrittenPassage(replace(named(unit), power=unit.power), end)
            order_sets[chance.choice(POWERS)].append(leave)
    phase = COLONIAL.calendar.first()
    position = Position(phase, sort_units(units, COLONIAL.power_ids), {})
    return position, order_sets, Rules.from_choices(chance.choice(PRESETS))


phases = st.builds(crowded, st.integers(0, 2**32))


def resolve(position: Position, order_sets: Sheets, rules: Rules) -> Resolved:
    return resolve_movement(COLONIAL, rules, position, order_sets)


@PROFILE
@given(phases)
def test_every_unit_is_accounted_for(phase: Phase) -> None:
    position, movement = phase[0], resolve(*phase)
    provinces = [unit.location.province for unit in movement.units]
    assert len(provinces) == len(set(provinces))
    assert len(movement.units) + len(movement.dislodged) == len(position.units)
    told = [one.unit for one in movement.results if not isinstance(one.order, Passage)]
    assert told == list(position.units)
    for result in movement.results:
        for outcome in result.outcomes:
            if isinstance(outcome, DislodgedBy):
                assert outcome.by.unit.power != result.power
                assert replace(outcome.by.unit, location=outcome.by.target) in movement.units
                assert outcome.strength > outcome.resistance
    assert {one.unit for one in movement.results if one.is_dislodged} == {
        one.unit for one in movement.dislodged
    }
    for one in movement.dislodged:
        assert not {place.province for place in one.retreats} & {*provinces, *movement.contested}


@PROFILE
@given(phases, st.randoms(use_true_random=False))
def test_the_order_in_which_things_are_written_changes_nothing(
    phase: Phase, chance: random.Random
) -> None:
    position, order_sets, rules = phase
    powers = chance.sample(list(order_sets), len(order_sets))
    shuffled = {
        power: chance.sample(list(order_sets[power]), len(order_sets[power])) for power in powers
    }
    units = tuple(chance.sample(position.units, len(position.units)))
    straight = resolve(position, order_sets, rules)
    assert resolve(position, shuffled, rules).results == straight.results
    # Units stand in one order in a position; it decides who is named of several that did the same.
    mixed = resolve(replace(position, units=units), shuffled, rules)
    assert mixed.units == straight.units
    assert mixed.contested == straight.contested
    assert set(map(fate, mixed.results)) == set(map(fate, straight.results))
    assert set(map(repr, mixed.dislodged)) == set(map(repr, straight.dislodged))


def fate(result: Result) -> tuple[str, ...]:
    """What became of an order, without who did it."""
    return (repr(result.order), *(type(outcome).__name__ for outcome in result.outcomes))


@PROFILE
@given(phases)
def test_an_illegal_order_equals_a_hold(phase: Phase) -> None:
    position, order_sets, rules = phase
    if rules.illegal_orders != Rules.preset("2000").illegal_orders:
        rules = Rules.preset("2000")
    movement = resolve(position, order_sets, rules)
    illegal = {
        one.unit
        for one in movement.results
        if one.unit and any(isinstance(each, Void) and each.illegal for each in one.outcomes)
    }
    held = {
        power: [_held(line, illegal) if _stands_for(line) else line for line in lines]
        for power, lines in order_sets.items()
    }
    other = resolve(position, held, rules)
    assert (other.units, other.dislodged, other.contested) == (
        movement.units,
        movement.dislodged,
        movement.contested,
    )


def _stands_for(line: WrittenOrder) -> bool:
    """Whether it is the order of the unit it names."""
    return not isinstance(line, WrittenPassage)


def _held(line: WrittenOrder, illegal: set[Unit]) -> WrittenOrder:
    written = getattr(line, "unit", None)
    is_illegal = any(written == named(unit) for unit in illegal)
    return WrittenHold(written) if written is not None and is_illegal else line


@PROFILE
@given(phases)
def test_the_same_phase_is_resolved_the_same_again(phase: Phase) -> None:
    assert resolve(*phase) == resolve(*phase)
