"""Convoy routes: which fleets may convoy an army where, by reachability.

Knows nothing of strengths; fleets are named by the sea province they stand in.
"""

from collections.abc import Callable, Collection
from functools import lru_cache

from judge.diplomacy.board import Board
from judge.diplomacy.orders import ProvinceId, UnitKind


@lru_cache(maxsize=64)
def _water(board: Board) -> dict[ProvinceId, tuple[ProvinceId, ...]]:
    """For each province, the sea provinces that a fleet enters from any of its coasts, in the order
    of their ids: what a question decides on its way must not depend on how texts are hashed."""
    found: dict[ProvinceId, set[ProvinceId]] = {province: set() for province in board.provinces}
    for place, ways in board.fleet_ways.items():
        found[place.province] |= {way.province for way in ways if board.is_sea(way.province)}
    return {province: tuple(sorted(seas)) for province, seas in found.items()}


def is_reached(
    board: Board,
    origin: ProvinceId,
    target: ProvinceId,
    convoys: Callable[[ProvinceId], bool],
) -> bool:
    """Whether a chain of fleets that convoy leads from origin to target (at least one fleet)."""
    water = _water(board)
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
    water = _water(board)
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
    if origin == target or not board.is_coastal(origin) or not board.is_coastal(target):
        return False
    return is_reached(board, origin, target, fleets.__contains__)


def all_seas(board: Board) -> frozenset[ProvinceId]:
    """Every province in which a fleet could convoy."""
    return frozenset(
        province
        for province in board.provinces
        if board.is_sea(province) and board.stands(UnitKind.FLEET, province)
    )
