"""Computer powers of modest strength: they move toward centers, support each other, and convoy.

For practice games, and for the positions of the benchmarks. They plan in whole numbers and draw all
chance from the caller's dice, so that a seed gives the same orders on every machine and Python.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from judge.diplomacy.board import Board, Terrain, province_of
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.orders import PowerId, Unit, UnitKind
from judge.diplomacy.position import Position
from judge.diplomacy.variants.variant import Variant

Item = TypeVar("Item")

# What a center is worth from so many steps away.
PULL = (1000, 600, 360, 210, 120, 70, 40, 24, 14, 8, 5, 3, 2, 1)


Dice = Callable[[], float]  # the next random number from 0.0 up to but not including 1.0


@dataclass(frozen=True, slots=True)
class Atlas:
    """The board as texts, as orders write it: `SPA/NC` is a location, `SPA` its province."""

    # For `A` and `F`, where a unit at a location may go.
    ways: Mapping[str, Mapping[str, tuple[str, ...]]]
    # For `A` and `F`, how strongly each center that can be reached draws from a location.
    pulls: Mapping[str, Mapping[str, Mapping[str, int]]]
    seas: frozenset[str]  # provinces where fleets convoy
    coasts: frozenset[str]  # provinces where armies embark
    centers: tuple[str, ...]  # the supply centers


def roll(dice: Dice, limit: int) -> int:
    """A number from 0 up to but not including the limit."""
    return int(dice() * limit)


def pick(dice: Dice, items: Sequence[Item]) -> Item:
    return items[roll(dice, len(items))]


def shuffled(dice: Dice, items: Sequence[Item]) -> list[Item]:
    drawn = [(dice(), number) for number in range(len(items))]
    return [items[number] for _, number in sorted(drawn)]


@lru_cache(maxsize=8)
def make_atlas(board: Board) -> Atlas:
    """The board's ways and distances."""
    army = {str(at): tuple(map(str, ways)) for at, ways in board.army_ways.items()}
    fleet = {str(at): tuple(map(str, ways)) for at, ways in board.fleet_ways.items()}
    ways = {"A": army, "F": fleet}
    terrain = {str(one.id): one.terrain for one in board.provinces.values()}
    centers = tuple(map(str, board.centers))
    return Atlas(
        ways=ways,
        pulls={kind: {at: _pulls(ways[kind], at, centers) for at in ways[kind]} for kind in ways},
        seas=frozenset(at for at in terrain if terrain[at] is Terrain.SEA),
        coasts=frozenset(at for at in terrain if terrain[at] is Terrain.COAST),
        centers=centers,
    )


def _pulls(
    ways: Mapping[str, tuple[str, ...]], start: str, centers: Sequence[str]
) -> dict[str, int]:
    found = {start: 0}
    queue = [start]
    for at in queue:
        for way in ways[at]:
            if way not in found:
                found[way] = found[at] + 1
                queue.append(way)
    nearest: dict[str, int] = {}
    for at, count in found.items():
        nearest.setdefault(province_of(at), count)
    return {at: PULL[min(nearest[at], len(PULL) - 1)] for at in centers if at in nearest}


OrderSets = dict[PowerId, list[str]]

CHAIN_MOST = 4  # fleets in one convoy
HELP_MOST = 2  # units called to support one attack


@dataclass(frozen=True, slots=True)
class Style:
    """How a game is played."""

    support: int  # percent of units that support a move beside them which others could stop
    convoy: int  # percent of a walk's worth that a convoy to the same place is worth
    sea: int  # what a fleet sees in open sea, beside the centers it leads to
    build: int = 100  # percent of builds that are made; the others are waived
    absent: frozenset[PowerId] = frozenset()  # powers that never write


@dataclass(slots=True)
class Plan:
    """The orders of one phase while they are being thought out."""

    atlas: Atlas
    style: Style
    dice: Dice
    units: Mapping[str, Unit]  # by province
    owners: Mapping[str, PowerId]  # of each owned center
    friends: Mapping[PowerId, PowerId]
    orders: dict[str, str] = field(default_factory=dict)  # by province of the unit
    goals: dict[str, str] = field(default_factory=dict)  # where it goes, likewise


@dataclass(frozen=True, slots=True)
class Idea:
    """A move that a unit could make, and what it is worth. `fleets` would have to convoy it."""

    worth: int
    goal: str
    fleets: tuple[str, ...] = ()


# --- movement -------------------------------------------------------------------------------------


def movement_plan(
    variant: Variant,
    position: Position,
    style: Style,
    friends: Mapping[PowerId, PowerId],
    dice: Dice,
) -> dict[str, str]:
    """Canonical orders of all powers that write, by province of the unit, in the units' order."""
    atlas = make_atlas(variant.board)
    units = {str(unit.location.province): unit for unit in position.units}
    owners = {str(center): power for center, power in position.owners.items()}
    plan = Plan(atlas, style, dice, units, owners, friends)
    present = [power for power in variant.power_ids if power not in style.absent]
    for power in shuffled(dice, present):
        friend = friends.get(power)
        worth: dict[str, int] = {}  # of each center to the power, in percent, with a mood
        for center in atlas.centers:
            owner = owners.get(center)
            base = 100 if owner is None else 80
            if owner == power:
                base = 10
            elif owner is not None and owner == friend:
                base = 20
            worth[center] = base * (70 + roll(dice, 60)) // 100

        mine = [at for at, unit in units.items() if unit.power == power]
        ideas = {at: _ideas(plan, units[at], worth) for at in mine}
        if position.phase.letter == "F":  # standing there when centers are counted takes them
            for at in mine:
                is_won = at in atlas.centers and owners.get(at) != power
                if is_won and at not in plan.orders:
                    plan.orders[at] = f"{units[at]} H"
        for at in sorted(mine, key=lambda at: -ideas[at][0].worth if ideas[at] else 0):
            if at not in plan.orders:
                _decide(plan, units[at], ideas[at])
    return {
        at: plan.orders[at]
        for at, unit in units.items()
        if at in plan.orders and unit.power not in style.absent
    }


def _strongest_pull(plan: Plan, kind: str, place: str, worth: Mapping[str, int]) -> int:
    pulls = plan.atlas.pulls[kind][place]
    return max([worth[center] * pull for center, pull in pulls.items()], default=0)


def _ideas(plan: Plan, unit: Unit, worth: Mapping[str, int]) -> list[Idea]:
    """The moves of a unit, the best first."""
    at, kind = str(unit.location), str(unit.kind)
    found = []
    for way in plan.atlas.ways[kind][at]:
        score = _strongest_pull(plan, kind, way, worth) + 1000 * roll(plan.dice, 15)
        if way in plan.atlas.seas:
            score += 1000 * plan.style.sea
        found.append(Idea(score, way))
    if unit.kind is UnitKind.ARMY and at in plan.atlas.coasts:
        for goal, fleets in _landings(plan, unit):
            score = _strongest_pull(plan, kind, goal, worth) * plan.style.convoy // 100
            found.append(Idea(score + 1000 * roll(plan.dice, 15), goal, fleets))
    return sorted(found, key=lambda idea: (-idea.worth, idea.goal, len(idea.fleets)))


def _landings(plan: Plan, unit: Unit) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Where fleets that have no order yet could bring an army, each with one shortest chain."""
    start, seas, fleet_ways = str(unit.location), plan.atlas.seas, plan.atlas.ways["F"]
    chains: dict[str, tuple[str, ...]] = {}
    queue: list[tuple[str, tuple[str, ...]]] = [(start, ())]
    helpers = {unit.power, plan.friends.get(unit.power)} - plan.style.absent
    fleets = {
        at for at, other in plan.units.items() if other.power in helpers and at not in plan.orders
    }
    for at, chain in queue:
        # Provinces beside it, as fleets see it; from a coast only the seas.
        places = [place for place in fleet_ways if province_of(place) == at]
        ways = [way for place in places for way in fleet_ways[place]]
        if at not in seas:
            ways = [way for way in ways if way in seas]
        for place in dict.fromkeys(map(province_of, ways)):
            if place in chains or place == start:
                continue
            if place not in seas:
                chains[place] = chain
            elif len(chain) < CHAIN_MOST and place in fleets:
                chains[place] = (*chain, place)
                queue.append((place, chains[place]))
    for place, chain in chains.items():
        if place in plan.atlas.coasts:
            yield place, chain


def _decide(plan: Plan, unit: Unit, ideas: Sequence[Idea]) -> None:
    """The best of a unit's moves, or of the supports it can give to what is already decided."""
    at = str(unit.location.province)
    best = next((idea for idea in ideas if _is_sensible(plan, unit, idea)), None)
    support = _best_support(plan, unit)
    if support is not None and (best is None or support[0] > best.worth):
        plan.orders[at] = support[1]
        return
    if best is None:
        plan.orders[at] = f"{unit} H"
        return

    says_via = bool(best.fleets) and roll(plan.dice, 100) < 80
    plan.orders[at] = f"{unit} - {best.goal}{' VIA' if says_via else ''}"
    plan.goals[at] = best.goal
    for sea in best.fleets:
        plan.orders[sea] = f"{plan.units[sea]} C {unit} - {best.goal}"
    goal, friends = province_of(best.goal), (unit.power, plan.friends.get(unit.power))
    near = [
        other
        for place, other in plan.units.items()
        if place == goal or goal in _reached(plan.atlas, other)
    ]
    if all(other.power in friends for other in near):
        return
    # Units of the same power or its friend that could go there too support the move instead.
    helpers = 0
    for other in near:
        place = str(other.location.province)
        if other.power not in friends or place in plan.orders or helpers == HELP_MOST:
            continue
        if roll(plan.dice, 100) < plan.style.support:
            plan.orders[place] = f"{other} S {unit} - {best.goal}"
            helpers += 1


def _is_sensible(plan: Plan, unit: Unit, idea: Idea) -> bool:
    """Whether no own unit stays or goes there, and all its fleets are still without orders."""
    goal = province_of(idea.goal)
    if any(sea in plan.orders for sea in idea.fleets):
        return False
    for at, other in plan.goals.items():
        if province_of(other) == goal and plan.units[at].power == unit.power:
            return False
    there = plan.units.get(goal)
    if there is None or there.power != unit.power:
        return True
    return goal in plan.goals or (goal not in plan.orders and roll(plan.dice, 100) < 25)


def _reached(atlas: Atlas, unit: Unit) -> set[str]:
    """The provinces that a unit could go to in one step."""
    return {province_of(way) for way in atlas.ways[str(unit.kind)][str(unit.location)]}


def _best_support(plan: Plan, unit: Unit) -> tuple[int, str] | None:
    """The best support for a move, or a hold, of the same power or its friend; with its worth."""
    here, near = str(unit.location.province), _reached(plan.atlas, unit)
    friends = (unit.power, plan.friends.get(unit.power))
    found = []
    for at, order in plan.orders.items():
        other = plan.units[at]
        if other.power not in friends or at == here:
            continue
        goal = plan.goals.get(at)
        if goal is not None and province_of(goal) in near and province_of(goal) != here:
            there = plan.units.get(province_of(goal))
            if there is None or there.power != unit.power:
                base = 900 if there is not None else 350
                found.append((base, f"{unit} S {other} - {goal}"))
        elif goal is None and at in near and order[-1] != "D":
            base = 450 if at in plan.atlas.centers or " C " in order else 250
            found.append((base, f"{unit} S {other}"))
    rated = [(base * (60 + roll(plan.dice, 80)) // 100, text) for base, text in found]
    if not rated:
        return None
    base, text = max(rated)
    return base * (100 + 2 * plan.style.support), text


# --- retreats and adjustments ---------------------------------------------------------------------


def retreat_orders(position: Position, style: Style, dice: Dice) -> OrderSets:
    """Each dislodged unit goes somewhere; now and then it disbands."""
    order_sets: OrderSets = {}
    for one in position.dislodged:
        if one.unit.power in style.absent:
            continue
        goes = bool(one.retreats) and roll(dice, 100) < 95
        text = f"{one.unit} R {pick(dice, one.retreats)}" if goes else f"{one.unit} D"
        order_sets.setdefault(one.unit.power, []).append(text)
    return order_sets


def adjustment_orders(variant: Variant, position: Position, style: Style, dice: Dice) -> OrderSets:
    """Builds wherever there is room, fleets in one port of two; removals at random."""
    fleet_places = make_atlas(variant.board).ways["F"]
    occupied = {str(unit.location.province) for unit in position.units}
    order_sets: OrderSets = {}
    for power in variant.powers:
        if power.id in style.absent:
            continue
        units, centers = position.units_of(power.id), position.centers_of(power.id)
        homes = [str(at) for at in power.home_centers if at in centers and at not in occupied]
        due = len(centers) - len(units)
        if due > 0:
            homes = [home for home in shuffled(dice, homes)[:due] if roll(dice, 100) < style.build]
            texts = []
            for home in homes:
                ports = [place for place in fleet_places if province_of(place) == home]
                is_fleet = bool(ports) and roll(dice, 100) < 50
                texts.append(f"F {pick(dice, ports)} B" if is_fleet else f"A {home} B")
        else:
            texts = [f"{unit} D" for unit in shuffled(dice, units)[:-due]] if due else []
        if texts:
            order_sets[power.id] = texts
    return order_sets


# --- a practice game ------------------------------------------------------------------------------

MODEST = Style(support=60, convoy=60, sea=10)


def computer_order_sets(
    variant: Variant,
    position: Position,
    powers: Collection[PowerId],
    below: Callable[[int], int],
    *,
    only_defend: bool = False,
) -> OrderSets:
    """Canonical orders of these powers, which look at the position alone and have no friends.
    `below` draws a whole number under its argument, from the game's own stream."""

    def dice() -> float:
        return below(1 << 53) / (1 << 53)

    style = replace(MODEST, absent=frozenset(variant.power_ids) - frozenset(powers))
    match position.phase.kind:
        case PhaseKind.RETREAT:
            return retreat_orders(position, style, dice)
        case PhaseKind.ADJUSTMENT:
            return adjustment_orders(variant, position, style, dice)
    if only_defend:
        return _defensive_orders(make_atlas(variant.board), position, powers)
    planned = movement_plan(variant, position, style, {}, dice)
    order_sets: OrderSets = {}
    for unit in position.units:
        if text := planned.get(unit.location.province):
            order_sets.setdefault(unit.power, []).append(text)
    return order_sets


def _defensive_orders(atlas: Atlas, position: Position, powers: Collection[PowerId]) -> OrderSets:
    """Nobody moves: each unit supports the neighbor of its power that is in the greatest danger, or
    holds if that is itself. Units on a center come first, then those with more enemies near."""
    order_sets: OrderSets = {}

    def danger(unit: Unit) -> tuple[bool, int]:
        at = str(unit.location.province)
        others = [other for other in position.units if other.power != unit.power]
        enemies = sum(at in _reached(atlas, other) for other in others)
        return enemies > 0 and at in atlas.centers, enemies

    for unit in position.units:
        if unit.power not in powers:
            continue
        reached = _reached(atlas, unit)
        own = [one for one in position.units if one.power == unit.power]
        near = [one for one in own if str(one.location.province) in reached]
        first = max((unit, *near), key=danger)
        order = f"{unit} H" if first is unit else f"{unit} S {first}"
        order_sets.setdefault(unit.power, []).append(order)
    return order_sets
