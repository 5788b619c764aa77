"""Every legal order of every unit in random positions reads back as itself: in canonical notation,
and as letters write it in each language, in notation and in words.

40 positions; nightly 1,000: `JUDGE_EXAMPLES=1000 pytest tests/grammar`.
"""

import os
import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

import pytest

from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.desk import Desk
from judge.diplomacy.notation import Fault, format_order, parse_order
from judge.diplomacy.orders import (
    AnyOrder,
    Location,
    ProvinceId,
    Unit,
    UnitKind,
    WrittenBuild,
    WrittenConvoy,
    WrittenDisband,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenRetreat,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.outcome import Void
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.reading import Taken, read_letter
from judge.render.catalogue import catalogue, languages
from judge.render.diplomacy.orders import notation, order_meaning
from judge.render.diplomacy.words import Names

from .desks import RULES, STANDARD

POSITIONS = min(int(os.environ.get("JUDGE_EXAMPLES", "40")), 1000)
IN_WORDS = 40  # orders of a position that are put into words, in each language
BOARD = STANDARD.board


def random_units(chance: random.Random) -> tuple[Unit, ...]:
    """Up to 34 units of all powers."""
    open_to_units = [each for each in BOARD.provinces if BOARD.stands(UnitKind.ARMY, each)]
    open_to_units += [each for each in BOARD.provinces if BOARD.is_sea(each)]
    units = []
    for province in chance.sample(open_to_units, chance.randint(2, 34)):
        kind = chance.choice([kind for kind in UnitKind if BOARD.stands(kind, province)])
        place = chance.choice(BOARD.stands(kind, province))
        units.append(Unit(chance.choice(STANDARD.power_ids), kind, place))
    return sort_units(units, STANDARD.power_ids)


def movement_orders(position: Position) -> Iterator[tuple[Desk, WrittenOrder]]:
    """All that could be written for a unit, legal or not."""
    coasts = [each for each in BOARD.provinces if BOARD.is_coastal(each)]
    desks = {each: Desk(STANDARD, RULES, position, each) for each in STANDARD.power_ids}
    for unit in position.units:
        desk, own = desks[unit.power], named(unit)
        near = BOARD.ways(unit.kind, unit.location)
        yield desk, WrittenHold(own)
        yield from ((desk, WrittenMove(own, place)) for place in near)
        for coast in coasts if unit.kind is UnitKind.ARMY else ():
            yield desk, WrittenMove(own, Location(coast), via_convoy=True)
        for other in position.units:
            yield desk, WrittenSupportHold(own, named(other))
            for place in near:
                yield desk, WrittenSupportMove(own, named(other), place)
            for coast in coasts if may_convoy(unit, other) else ():
                yield desk, WrittenConvoy(own, named(other), Location(coast))


def may_convoy(fleet: Unit, army: Unit) -> bool:
    is_carried = army.kind is UnitKind.ARMY and BOARD.is_coastal(army.location.province)
    is_at_sea = fleet.kind is UnitKind.FLEET and BOARD.is_sea(fleet.location.province)
    return is_carried and is_at_sea


def named(unit: Unit) -> WrittenUnit:
    return WrittenUnit(unit.location, unit.kind)


def legal(orders: Iterator[tuple[Desk, WrittenOrder]]) -> Iterator[tuple[Desk, AnyOrder]]:
    for desk, written in orders:
        order = desk.fit(written)
        if not isinstance(order, Void):
            yield desk, order


@lru_cache(maxsize=64)
def movements(seed: int) -> list[tuple[Desk, AnyOrder]]:
    chance = random.Random(seed)
    position = Position(parse_phase("S1902M"), random_units(chance), {})
    once = {order: desk for desk, order in legal(movement_orders(position))}
    return [(desk, order) for order, desk in once.items()]


def retreats(seed: int) -> list[tuple[Desk, AnyOrder]]:
    """Dislodged units that may go wherever they reach."""
    units = random_units(random.Random(seed))
    gone = tuple(
        Dislodged(unit, ProvinceId("SWI"), retreats=tuple(BOARD.ways(unit.kind, unit.location)))
        for unit in units
    )
    position = Position(parse_phase("F1902R"), (), {}, gone)
    return list(
        legal(
            (Desk(STANDARD, RULES, position, each.unit.power), written)
            for each in gone
            for written in (
                WrittenDisband(named(each.unit)),
                *(WrittenRetreat(named(each.unit), place) for place in each.retreats),
            )
        )
    )


def adjustments() -> list[tuple[Desk, AnyOrder]]:
    """Every build and waive of every power with empty home centers, and every removal."""
    found: list[tuple[Desk, AnyOrder]] = []
    phase = parse_phase("W1902A")
    for power in STANDARD.powers:
        owners = dict.fromkeys(power.home_centers, power.id)
        desk = Desk(STANDARD, RULES, Position(phase, (), owners), power.id)
        builds = [
            WrittenBuild(WrittenUnit(place, kind))
            for center in power.home_centers
            for kind in UnitKind
            for place in BOARD.stands(kind, center)
        ]
        found += legal((desk, written) for written in (*builds, WrittenWaive()))
        units = tuple(Unit(power.id, each.unit.kind, each.unit.location) for each in builds)
        alone = [Position(phase, (unit,), {}) for unit in units]
        found += legal(
            (Desk(STANDARD, RULES, position, power.id), WrittenDisband(named(position.units[0])))
            for position in alone
        )
    return found


def check_canonical(orders: Sequence[tuple[Desk, AnyOrder]]) -> None:
    for desk, order in orders:
        written = parse_order(format_order(order), STANDARD)
        assert not isinstance(written, Fault), order
        assert desk.fit(written) == order


def check_words(orders: Sequence[tuple[Desk, AnyOrder]], language: str) -> None:
    names = Names("standard", catalogue(language))
    for desk, order in orders:
        for text in (notation(order, names), order_meaning(order, names)):
            found = read_letter(desk, [text])
            taken = [each.order for each in found if isinstance(each, Taken)]
            assert taken == [order], text
            assert len(found) == 1, text


def test_there_are_orders_of_every_kind() -> None:
    kinds = {type(order).__name__ for seed in range(5) for _, order in movements(seed)}
    kinds |= {type(order).__name__ for _, order in (*retreats(0), *adjustments())}
    assert kinds == {
        *("Hold", "Move", "SupportHold", "SupportMove", "Convoy"),
        *("Retreat", "Disband", "Build", "Waive"),
    }


@pytest.mark.parametrize("seed", range(POSITIONS))
def test_canonical_orders_read_back_as_themselves(seed: int) -> None:
    check_canonical(movements(seed))
    check_canonical(retreats(seed))


def test_canonical_adjustments_read_back_as_themselves() -> None:
    check_canonical(adjustments())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seed", range(POSITIONS))
def test_orders_in_words_read_back_as_themselves(seed: int, language: str) -> None:
    chance, orders = random.Random(seed), movements(seed)
    check_words(chance.sample(orders, min(IN_WORDS, len(orders))), language)
    check_words(chance.sample(gone := retreats(seed), min(IN_WORDS // 4, len(gone))), language)


@pytest.mark.parametrize("language", languages())
def test_adjustments_in_words_read_back_as_themselves(language: str) -> None:
    check_words(adjustments(), language)
