"""Convoy routes: which fleets may convoy an army where, by reachability.

Knows nothing of strengths; fleets are named by the sea province they stand in.
"""

from collections.abc import Callable, Collection
from functools import lru_cache

from judge.diplomacy.board import Board
from judge.diplomacy.orders import ARMY, FLEET, Location, ProvinceId, Unit


class Ways:
    """A board as orders are checked and convoys found on it: tables made once a board.

    Attributes:
        army, fleet: by where such a unit stands, as it is written: the provinces that it reaches
            in one step, and where in them.
        seas: provinces of open sea, in which fleets convoy.
        coasts: provinces in which armies are embarked and landed.
        water: for each province, the seas that a fleet enters from any of its coasts, in the order
            of their ids: what a question decides on its way must not depend on how texts are
            hashed.
    """

    def __init__(self, board: Board) -> None:
        self.army = board.reached_from[ARMY]
        self.fleet = board.reached_from[FLEET]
        self.seas = frozenset([province for province in board.provinces if board.is_sea(province)])
        self.coasts = frozenset([each for each in board.provinces if board.is_coastal(each)])
        found: dict[ProvinceId, set[ProvinceId]] = {province: set() for province in board.provinces}
        for place, ways in board.fleet_ways.items():
            found[place.province] |= {way.province for way in ways if way.province in self.seas}
        self.water = {province: tuple(sorted(seas)) for province, seas in found.items()}

    def reachable_locations(self, unit: Unit, province: ProvinceId) -> tuple[Location, ...]:
        """As `Board.reachable_locations`, for a unit where it stands."""
        place = unit.location
        if unit.kind is ARMY:
            ways = self.army.get(place.province)
        else:
            ways = self.fleet.get(place.province if place.coast is None else str(place))
        return () if ways is None else ways.get(province, ())


@lru_cache(maxsize=64)
def ways_on(board: Board) -> Ways:
    """The tables of a board."""
    return Ways(board)


def is_reached(
    board: Board, origin: ProvinceId, target: ProvinceId, convoys: Callable[[ProvinceId], bool]
) -> bool:
    """Whether a chain of fleets that convoy leads from origin to target (at least one fleet)."""
    water = ways_on(board).water
    ends, seen = water[target], set[ProvinceId]()
    edge = list(water[origin])
    while edge:
        sea = edge.pop()
        if sea not in seen:
            seen.add(sea)
            if convoys(sea):
                if sea in ends:
                    return True
                edge += water[sea]
    return False


@lru_cache(maxsize=4096)
def fleets_on_routes(
    board: Board, origin: ProvinceId, target: ProvinceId, fleets: frozenset[ProvinceId]
) -> frozenset[ProvinceId]:
    """Those fleets that some route from origin to target needs.

    A route needs all its fleets if it has no shortcut: only its first touches the origin, only its
    last the target, and no two others touch (DATC 6.G.19).
    """
    needed: set[ProvinceId] = set()
    water = ways_on(board).water
    starts, ends = water[origin], water[target]
    paths: list[tuple[ProvinceId, ...]] = [(sea,) for sea in starts if sea in fleets]
    while paths:
        path = paths.pop()
        last = path[-1]
        if last in ends:
            needed.update(path)
            continue
        for sea in water[last]:
            is_shortcut = sea in starts or any(sea in water[each] for each in path[:-1])
            if sea in fleets and sea not in path and not is_shortcut:
                paths.append((*path, sea))
    return frozenset(needed)


def can_be_convoyed(
    board: Board, origin: ProvinceId, target: ProvinceId, fleets: Collection[ProvinceId]
) -> bool:
    """Whether an army could ever be convoyed from origin to target by fleets standing there."""
    coasts = ways_on(board).coasts
    if origin == target or origin not in coasts or target not in coasts:
        return False
    return is_reached(board, origin, target, fleets.__contains__)
