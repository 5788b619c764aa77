"""Where the provinces of a board without a drawing stand in its diagram.

Fruchterman and Reingold's forces (1991): neighbors pull each other, all push each other away. It
begins on a spiral in the order of the board, so that the same board gives the same diagram.
"""

import math
from collections.abc import Collection, Sequence
from typing import TypeVar

Point = tuple[float, float]
Name = TypeVar("Name", bound=str)

LARGEST_NODE = 26.0
STEPS = 300
GRAVITY = 0.6
PASSES = 120  # at most, until no two provinces overlap
MARGIN = 60.0


def node_size(count: int, width: float, height: float) -> float:
    """Half the size of a province in a diagram of so many."""
    return round(min(LARGEST_NODE, 0.26 * math.sqrt(width * height / max(count, 1))), 1)


def spread(
    names: Sequence[Name], links: Collection[tuple[Name, Name]], *, width: float, height: float
) -> dict[Name, Point]:
    """A place for each name in a picture of this size, neighbors near each other."""
    count = len(names)
    ideal = math.sqrt(width * height / max(count, 1))
    turn = math.pi * (3 - math.sqrt(5))
    xs = [width / 2 + ideal / 2 * math.sqrt(n) * math.cos(n * turn) for n in range(count)]
    ys = [height / 2 + ideal / 2 * math.sqrt(n) * math.sin(n * turn) for n in range(count)]
    at = {name: n for n, name in enumerate(_by_nearness(names, links))}
    pairs = [(at[one], at[other]) for one, other in sorted(links)]
    for step in range(STEPS):
        push_x, push_y = [0.0] * count, [0.0] * count
        for a in range(count):
            for b in range(a):
                dx, dy = xs[a] - xs[b], ys[a] - ys[b]
                force = ideal * ideal / max(dx * dx + dy * dy, 1.0)
                push_x[a] += dx * force
                push_x[b] -= dx * force
                push_y[a] += dy * force
                push_y[b] -= dy * force
        for a, b in pairs:
            dx, dy = xs[a] - xs[b], ys[a] - ys[b]
            force = math.hypot(dx, dy) / ideal
            push_x[a] -= dx * force
            push_x[b] += dx * force
            push_y[a] -= dy * force
            push_y[b] += dy * force
        for a in range(count):  # what has no neighbors stays in the picture
            push_x[a] -= (xs[a] - width / 2) * GRAVITY
            push_y[a] -= (ys[a] - height / 2) * GRAVITY
        most = width / 10 * (1 - step / STEPS) + 1
        for a in range(count):
            length = max(math.hypot(push_x[a], push_y[a]), 0.01)
            xs[a] += push_x[a] / length * min(length, most)
            ys[a] += push_y[a] / length * min(length, most)
    places = _parted(_fitted(xs, ys, width, height), width, height)
    return {name: places[n] for name, n in at.items()}


def _by_nearness(names: Sequence[Name], links: Collection[tuple[Name, Name]]) -> list[Name]:
    """The names from the one with the most neighbors outwards."""
    beside: dict[Name, set[Name]] = {name: set() for name in names}
    for one, other in links:
        beside[one].add(other)
        beside[other].add(one)
    ordered: dict[Name, None] = {}
    for first in sorted(names, key=lambda name: (-len(beside[name]), name)):
        waiting = [first]
        while waiting:
            name = waiting.pop(0)
            if name not in ordered:
                ordered[name] = None
                waiting += sorted(beside[name])
    return list(ordered)


def _parted(places: list[Point], width: float, height: float) -> list[Point]:
    """The places, those pushed apart that stand too near each other."""
    node = node_size(len(places), width, height)
    wanted = 2 * node + 4

    def inside(x: float, y: float) -> Point:
        return min(max(x, node + 2), width - node - 2), min(max(y, node + 2), height - node - 2)

    for _ in range(PASSES):
        is_free = True
        for a in range(len(places)):
            for b in range(a):
                (ax, ay), (bx, by) = places[a], places[b]
                far = max(math.dist(places[a], places[b]), 0.1)
                if far < wanted:
                    is_free = False
                    push = (wanted - far) / 2 / far
                    dx, dy = (ax - bx) * push or 0.1, (ay - by) * push
                    places[a], places[b] = inside(ax + dx, ay + dy), inside(bx - dx, by - dy)
        if is_free:
            break
    return [(round(x, 1), round(y, 1)) for x, y in places]


def _fitted(xs: list[float], ys: list[float], width: float, height: float) -> list[Point]:
    """The places stretched to fill the picture."""

    def stretched(values: list[float], size: float) -> list[float]:
        low, wide = min(values, default=0.0), max(values, default=0.0) - min(values, default=0.0)
        room = size - 2 * MARGIN
        return [MARGIN + (one - low) / (wide or 1.0) * room for one in values]

    return list(zip(stretched(xs, width), stretched(ys, height), strict=True))
