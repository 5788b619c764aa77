"""Every legal order of every unit in random positions reads back as itself: in canonical notation,
and as letters write it in each language, in notation and in words. On the standard board and on the
Colonial one, with its trains and its canal.

Nothing is left out: each order is read in its own position, as a letter of its own. 6 positions a
board; nightly 1,000, twelve minutes of one core:
`JUDGE_EXAMPLES=1000 pytest -n 2 tests/grammar/test_round_trip.py`.
"""

import os
import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

import pytest

from judge.diplomacy.board import Board
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.canal import Canal
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.order_context import OrderContext, Taken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order, parse_order
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
    WrittenPassage,
    WrittenRetreat,
    WrittenRide,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.outcomes import Void
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.railway import Railway
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import Variant
from judge.render.catalogue import languages
from judge.render.diplomacy.lines import order_meaning
from judge.render.diplomacy.names import names_of

POSITIONS = min(int(os.environ.get("JUDGE_EXAMPLES", "6")), 1000)
RULES = Rules.preset("2000")
VARIANTS = {name: choose(name, {}) for name in ("standard", "colonial")}
PHASES = {  # of movements, retreats, adjustments
    "standard": ("S1902M", "F1902R", "W1902A"),
    "colonial": ("1872M", "1872R", "1872A"),
}
over_all = pytest.mark.parametrize("name", VARIANTS)
over_seeds = pytest.mark.parametrize("seed", range(POSITIONS))
over_languages = pytest.mark.parametrize("language", languages())


def random_units(variant: Variant, chance: random.Random) -> tuple[Unit, ...]:
    """Up to 34 units of all powers; more where the variant has rules of its own."""
    board = variant.board
    open_to_units = [
        each for each in board.provinces if board.possible_locations(UnitKind.ARMY, each)
    ]
    open_to_units += [each for each in board.provinces if board.is_sea(each)]
    provinces = chance.sample(open_to_units, chance.randint(2, 34))
    provinces += [each for each in places_of_hooks(variant) if chance.random() < 0.5]
    units = []
    for province in dict.fromkeys(provinces):
        kind = chance.choice(
            [kind for kind in UnitKind if board.possible_locations(kind, province)]
        )
        place = chance.choice(board.possible_locations(kind, province))
        units.append(Unit(chance.choice(variant.power_ids), kind, place))
    return sort_units(units, variant.power_ids)


def places_of_hooks(variant: Variant) -> Iterator[ProvinceId]:
    for hook in variant.hooks:
        if isinstance(hook, Railway):
            yield from hook.stations
        elif isinstance(hook, Canal):
            yield from (hook.province, *hook.ends)


def movement_orders(
    variant: Variant, position: Position
) -> Iterator[tuple[OrderContext, WrittenOrder]]:
    """All that could be written for a unit, legal or not."""
    board = variant.board
    coasts = [each for each in board.provinces if board.is_coastal(each)]
    contexts = {each: OrderContext(variant, RULES, position, each) for each in variant.power_ids}
    for unit in position.units:
        context, own = contexts[unit.power], named(unit)
        near = board.adjacent_locations(unit.kind, unit.location)
        yield context, WrittenHold(own)
        yield from ((context, WrittenMove(own, place)) for place in near)
        for coast in coasts if unit.kind is UnitKind.ARMY else ():
            yield context, WrittenMove(own, Location(coast))
            yield context, WrittenMove(own, Location(coast), via_convoy=True)
        for other in position.units:
            yield context, WrittenSupportHold(own, named(other))
            for place in near:
                yield context, WrittenSupportMove(own, named(other), place)
            for coast in coasts if may_convoy(board, unit, other) else ():
                yield context, WrittenConvoy(own, named(other), Location(coast))
    for place in places_of_hooks(variant):
        target = Location(place)
        for unit in position.units:
            yield contexts[unit.power], WrittenRide(named(unit), target)
            yield contexts[unit.power], WrittenMove(named(unit), target)
            fleet = WrittenUnit(unit.location, unit.kind, unit.power)
            yield from ((context, WrittenPassage(fleet, target)) for context in contexts.values())


def may_convoy(board: Board, fleet: Unit, army: Unit) -> bool:
    is_carried = army.kind is UnitKind.ARMY and board.is_coastal(army.location.province)
    is_at_sea = fleet.kind is UnitKind.FLEET and board.is_sea(fleet.location.province)
    return is_carried and is_at_sea


def named(unit: Unit) -> WrittenUnit:
    return WrittenUnit(unit.location, unit.kind)


def legal(
    orders: Iterator[tuple[OrderContext, WrittenOrder]],
) -> Iterator[tuple[OrderContext, AnyOrder]]:
    for context, written in orders:
        order = context.order_on_board(written)
        if not isinstance(order, Void):
            yield context, order


@lru_cache(maxsize=64)
def movements(name: str, seed: int) -> list[tuple[OrderContext, AnyOrder]]:
    variant, chance = VARIANTS[name], random.Random(seed)
    position = Position(parse_phase(PHASES[name][0]), random_units(variant, chance), {})
    once = {order: context for context, order in legal(movement_orders(variant, position))}
    return [(context, order) for order, context in once.items()]


@lru_cache(maxsize=64)
def retreats(name: str, seed: int) -> list[tuple[OrderContext, AnyOrder]]:
    """Dislodged units that may go wherever they reach."""
    variant = VARIANTS[name]
    gone = tuple(
        Dislodged(unit, attacker(unit), retreats=tuple(ways))
        for unit in random_units(variant, random.Random(seed))
        if (ways := variant.board.adjacent_locations(unit.kind, unit.location))
    )
    position = Position(parse_phase(PHASES[name][1]), (), {}, gone)
    return list(
        legal(
            (OrderContext(variant, RULES, position, each.unit.power), written)
            for each in gone
            for written in (
                WrittenDisband(named(each.unit)),
                *(WrittenRetreat(named(each.unit), place) for place in each.retreats),
            )
        )
    )


def attacker(unit: Unit) -> ProvinceId:
    """Where it was attacked from; nobody asks, since `retreats` says where it may go."""
    return unit.location.province


@lru_cache(maxsize=2)
def adjustments(name: str) -> list[tuple[OrderContext, AnyOrder]]:
    """Every build and waive of every power with empty home centers, and every removal."""
    variant = VARIANTS[name]
    found: list[tuple[OrderContext, AnyOrder]] = []
    phase = parse_phase(PHASES[name][2])
    for power in variant.powers:
        owners = dict.fromkeys(power.home_centers, power.id)
        context = OrderContext(variant, RULES, Position(phase, (), owners), power.id)
        builds = [
            WrittenBuild(WrittenUnit(place, kind))
            for center in power.home_centers
            for kind in UnitKind
            for place in variant.board.possible_locations(kind, center)
        ]
        found += legal((context, written) for written in (*builds, WrittenWaive()))
        units = tuple(Unit(power.id, each.unit.kind, each.unit.location) for each in builds)
        alone = [Position(phase, (unit,), {}) for unit in units]
        found += legal(
            (
                OrderContext(variant, RULES, position, power.id),
                WrittenDisband(named(position.units[0])),
            )
            for position in alone
        )
    return found


def check_canonical(orders: Sequence[tuple[OrderContext, AnyOrder]]) -> None:
    for context, order in orders:
        written = parse_order(format_order(order), context.variant)
        assert not isinstance(written, Fault), order
        assert context.order_on_board(written) == order


def check_words(orders: Sequence[tuple[OrderContext, AnyOrder]], name: str, language: str) -> None:
    names = names_of(name, language)
    misread = []
    for context, order in orders:
        for text in dict.fromkeys((format_order(order, names), order_meaning(order, names))):
            found = read_orders(context, [text])
            if [each.order for each in found if isinstance(each, Taken)] != [order]:
                misread.append((text, format_order(order), found))
            elif len(found) != 1:
                misread.append((text, "more than the order", found))
    assert not misread, f"{len(misread)} misread, as {misread[:3]}"


@pytest.mark.parametrize(
    ("name", "more"), [("standard", set()), ("colonial", {"Ride", "Passage"})], ids=VARIANTS
)
def test_there_are_orders_of_every_kind(name: str, more: set[str]) -> None:
    moved = {type(order).__name__ for seed in range(6) for _, order in movements(name, seed)}
    others = {type(order).__name__ for _, order in (*retreats(name, 0), *adjustments(name))}
    assert moved == {"Hold", "Move", "SupportHold", "SupportMove", "Convoy", *more}
    assert others == {"Retreat", "Disband", "Build", "Waive"}


@over_all
@over_seeds
def test_canonical_orders_read_back_as_themselves(seed: int, name: str) -> None:
    check_canonical(movements(name, seed))
    check_canonical(retreats(name, seed))


@over_all
def test_canonical_adjustments_read_back_as_themselves(name: str) -> None:
    check_canonical(adjustments(name))


@over_all
@over_languages
@over_seeds
def test_orders_in_words_read_back_as_themselves(seed: int, language: str, name: str) -> None:
    check_words(movements(name, seed), name, language)
    check_words(retreats(name, seed), name, language)


@over_all
@over_languages
def test_adjustments_in_words_read_back_as_themselves(language: str, name: str) -> None:
    check_words(adjustments(name), name, language)
