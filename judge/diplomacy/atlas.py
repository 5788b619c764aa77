"""The board as the computer powers of `practice.py` see it, and how they draw chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeVar

from judge.diplomacy.board import Board, Terrain

Item = TypeVar("Item")

# What a center is worth from so many steps away.
PULL = (1000, 600, 360, 210, 120, 70, 40, 24, 14, 8, 5, 3, 2, 1)


class Dice(Protocol):
    """Where chance comes from."""

    def random(self) -> float:
        """The next number from 0.0 up to but not including 1.0."""


@dataclass(frozen=True, slots=True)
class Atlas:
    """The board in words, as orders name it: `SPA/NC` is a location, `SPA` its province."""

    # For `A` and `F`, where a unit at a location may go.
    ways: Mapping[str, Mapping[str, tuple[str, ...]]]
    # For `A` and `F`, how strongly each center that can be reached draws from a location.
    pulls: Mapping[str, Mapping[str, Mapping[str, int]]]
    # seas, coasts: provinces where fleets convoy, and where armies embark.
    seas: frozenset[str]
    coasts: frozenset[str]
    centers: tuple[str, ...]  # the supply centers


def province_of(place: str) -> str:
    """`SPA` of `SPA/NC`."""
    return place.partition("/")[0]


def below(dice: Dice, limit: int) -> int:
    """A number from 0 up to but not including the limit."""
    return int(dice.random() * limit)


def pick(dice: Dice, items: Sequence[Item]) -> Item:
    return items[below(dice, len(items))]


def shuffled(dice: Dice, items: Sequence[Item]) -> list[Item]:
    drawn = [(dice.random(), number) for number in range(len(items))]
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
