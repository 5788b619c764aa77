"""Which units go when a power owes removals and does not choose them.

Rule: rulebook 2000, civil disorder: farthest from the country first, then fleets before armies,
then alphabetically; how distance is counted is DATC 4.D.8.
"""

from collections.abc import Callable, Collection, Hashable, Iterable
from functools import lru_cache
from typing import TypeVar

from judge.diplomacy.board import Board
from judge.diplomacy.orders import ProvinceId, Unit, UnitKind
from judge.diplomacy.position import Position
from judge.diplomacy.rules import Builds, CivilDisorderRemoval, Rules
from judge.diplomacy.variants.variant import Power, Variant

FARTHEST = 1000  # steps: no way there at all

Node = TypeVar("Node", bound=Hashable)


def choose_removals(
    variant: Variant,
    rules: Rules,
    position: Position,
    power: Power,
    count: int,
    *,
    kept_out: Collection[Unit] = (),
) -> tuple[Unit, ...]:
    """The units that go, in the order in which they go; `kept_out` are ordered to go already."""
    board = variant.board
    has_home = power.builds is not Builds.ANY  # else any center is as good as its home
    is_by_kind = rules.civil_disorder_removal is CivilDisorderRemoval.HOME_CENTERS and has_home
    goals = frozenset(power.home_centers if is_by_kind else position.centers_of(power.id))

    def distance(unit: Unit) -> int:
        """Over land and water alike, a province a step; where it is counted from home, fleets over
        water and along coasts."""
        if is_by_kind and unit.kind is UnitKind.FLEET:
            return _steps(
                unit.location,
                lambda place: board.ways(UnitKind.FLEET, place),
                lambda place: place.province in goals,
            )
        touching = _neighbours(board)
        return _steps(unit.location.province, touching.__getitem__, goals.__contains__)

    def rank(unit: Unit) -> tuple[int, bool, str]:
        name = board.provinces[unit.location.province].name
        return (-distance(unit), unit.kind is UnitKind.ARMY, name)

    units = [unit for unit in position.units_of(power.id) if unit not in kept_out]
    return tuple(sorted(units, key=rank)[:count])


@lru_cache(maxsize=64)
def _neighbours(board: Board) -> dict[ProvinceId, frozenset[ProvinceId]]:
    """The provinces that touch a province, for any unit."""
    found: dict[ProvinceId, set[ProvinceId]] = {province: set() for province in board.provinces}
    for origin, targets in board.army_ways.items():
        found[origin].update(targets)
    for place, places in board.fleet_ways.items():
        found[place.province].update(each.province for each in places)
    return {province: frozenset(touching) for province, touching in found.items()}


def _steps(
    origin: Node, ways: Callable[[Node], Iterable[Node]], is_goal: Callable[[Node], bool]
) -> int:
    """Steps from origin to the nearest goal, breadth first; `FARTHEST` if there is no way."""
    seen, edge = {origin}, [origin]
    for steps in range(FARTHEST):
        if any(is_goal(node) for node in edge):
            return steps
        edge = list(dict.fromkeys(way for node in edge for way in ways(node) if way not in seen))
        if not edge:
            break
        seen.update(edge)
    return FARTHEST
