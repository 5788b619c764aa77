"""Convoy routes: which fleets may carry an army where, by reachability.

Knows nothing of strengths; fleets are named by the sea province they stand in.
"""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from judge.diplomacy.board import Board
from judge.diplomacy.orders import ProvinceId, UnitKind


@lru_cache(maxsize=8)
def _water(board: Board) -> dict[ProvinceId, frozenset[ProvinceId]]:
    """For each province, the sea provinces that a fleet enters from any of its coasts."""
    found: dict[ProvinceId, set[ProvinceId]] = {province: set() for province in board.provinces}
    for place, ways in board.fleet_ways.items():
        found[place.province] |= {way.province for way in ways if board.is_sea(way.province)}
    return {province: frozenset(seas) for province, seas in found.items()}


def seas_beside(board: Board, province: ProvinceId) -> frozenset[ProvinceId]:
    """Sea provinces next to a province, along any coast."""
    return _water(board)[province]


def is_reached(
    board: Board,
    origin: ProvinceId,
    target: ProvinceId,
    carries: Callable[[ProvinceId], bool],
) -> bool:
    """Whether a chain of carrying fleets leads from origin to target (at least one fleet)."""
    water = _water(board)
    ends = water[target]
    seen: set[ProvinceId] = set()
    edge = sorted(water[origin])
    while edge:
        sea = edge.pop()
        if sea in seen:
            continue
        seen.add(sea)
        if not carries(sea):
            continue
        if sea in ends:
            return True
        edge += sorted(water[sea] - seen)
    return False


def fleets_on_routes(
    board: Board, origin: ProvinceId, target: ProvinceId, fleets: Iterable[ProvinceId]
) -> frozenset[ProvinceId]:
    """Those fleets that lie on some route from origin to target without a detour through itself."""
    able = frozenset(fleets)
    return frozenset(sea for sea in able if _is_on_route(board, origin, target, sea, able))


def _is_on_route(
    board: Board,
    origin: ProvinceId,
    target: ProvinceId,
    fleet: ProvinceId,
    able: Collection[ProvinceId],
) -> bool:
    """Whether two ways that share no fleet lead from `fleet` to origin and to target.

    Two augmenting paths in a graph whose fleets carry one army each (Menger's theorem).
    """
    water = _water(board)
    starts, ends = water[origin], water[target]
    if fleet in starts and fleet in ends:
        return True
    # Node-splitting: each fleet has an inner edge in -> out of capacity one.
    flow: dict[tuple[str, ProvinceId], set[tuple[str, ProvinceId]]] = {}

    def neighbours(node: tuple[str, ProvinceId]) -> list[tuple[str, ProvinceId]]:
        side, sea = node
        if side == "end":
            return []
        if side == "in":
            return [("out", sea)]
        nodes = [("in", each) for each in sorted(water[sea]) if each in able and each != fleet]
        if sea in starts:
            nodes.append(("origin", sea))
        if sea in ends:
            nodes.append(("target", sea))
        return nodes

    used_ends: set[str] = set()
    for _ in range(2):
        parents: dict[tuple[str, ProvinceId], tuple[str, ProvinceId]] = {}
        queue = [("out", fleet)]
        goal: tuple[str, ProvinceId] | None = None
        while queue and goal is None:
            node = queue.pop(0)
            onward = [each for each in neighbours(node) if each not in flow.get(node, ())]
            onward += [each for each, used in flow.items() if node in used]
            for each in onward:
                if each in parents or each == ("out", fleet):
                    continue
                if each[0] in ("origin", "target") and each[0] in used_ends:
                    continue
                parents[each] = node
                if each[0] in ("origin", "target"):
                    goal = each
                    break
                queue.append(each)
        if goal is None:
            return False
        used_ends.add(goal[0])
        node = goal
        while node != ("out", fleet):
            parent = parents[node]
            if parent in flow.get(node, set()):
                flow[node].discard(parent)
            else:
                flow.setdefault(parent, set()).add(node)
            node = parent
    return used_ends == {"origin", "target"}


def can_be_convoyed(
    board: Board,
    origin: ProvinceId,
    target: ProvinceId,
    fleets: Collection[ProvinceId],
) -> bool:
    """Whether an army could ever be carried from origin to target by fleets standing there."""
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
