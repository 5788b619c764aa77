"""Where the names of provinces stand on a map, so that they hide neither units nor each other."""

import math
from collections.abc import Sequence

import msgspec

Point = tuple[float, float]
SWEEPS = 4
GAP = 3.0  # between a unit and a name


class Label(msgspec.Struct, frozen=True):
    """A name to place: its province's unit, where the board's drawing would put it, its size."""

    unit: Point
    wish: Point
    width: float
    height: float


def place_labels(
    labels: Sequence[Label],
    unit_size: float,
    width: float,
    height: float,
    coasts: Sequence[Point] = (),
) -> list[Point]:
    """The middle of each name, in a picture of this width and height. On `coasts` units stand too.

    Every name in turn takes the place that disturbs the least, until they have settled; the same
    labels get the same places.
    """
    places = [label.wish for label in labels]
    candidates = [_candidates(label, unit_size, width, height) for label in labels]
    near = [  # those whose unit or name may come into a label's way
        [
            at
            for at, other in enumerate(labels)
            if other is not label
            and math.dist(other.unit, label.unit) < label.width + 90 + other.width / 2
        ]
        for label in labels
    ]
    beside = [
        [place for place in coasts if math.dist(place, label.unit) < label.width + 60]
        for label in labels
    ]
    for _ in range(SWEEPS):
        for at, label in enumerate(labels):
            others = [(labels[one], places[one]) for one in near[at]]
            places[at] = min(
                candidates[at], key=lambda place: _cost(label, place, others, beside[at], unit_size)
            )
    return places


def _candidates(label: Label, unit_size: float, width: float, height: float) -> list[Point]:
    """The wished place and, in rings around the unit, more and more distant ones; the whole name
    stands in the picture."""
    x, y = label.unit
    down, side = unit_size + GAP + label.height / 2, unit_size + GAP + label.width / 2 + 2
    steps = [(a * label.width, b * down) for a in (0, 0.25, -0.25, 0.5, -0.5) for b in (1, -1)]
    steps += [(a * side, b * down) for a in (1, -1) for b in (0, 0.4, -0.4, 0.8, -0.8)]
    steps += [(a * label.width, b * (down + 9)) for a in (0, 0.4, -0.4) for b in (1, -1)]
    steps += [(a * (side + 10), 0) for a in (1, -1)]
    left, top = label.width / 2 + 2, label.height / 2 + 2
    return [
        (min(max(a, left), width - left), min(max(b, top), height - top))
        for a, b in (label.wish, *((x + a, y + b) for a, b in steps))
    ]


def _cost(
    label: Label,
    place: Point,
    others: Sequence[tuple[Label, Point]],
    coasts: Sequence[Point],
    unit_size: float,
) -> float:
    """How much a name at this place disturbs."""
    half_width, half_height = label.width / 2, label.height / 2
    x, y = place
    cost = 0.4 * math.dist(place, label.wish) + 0.15 * math.dist(place, label.unit)
    own = math.dist(place, label.unit)
    size = (unit_size + 1, unit_size - 1)
    cost += 8 * _overlap(x, y, half_width, half_height, *label.unit, *size)
    for coast in coasts:
        cost += 6 * _overlap(x, y, half_width, half_height, *coast, *size)
    for other, at in others:
        cost += 8 * _overlap(x, y, half_width, half_height, *at, other.width / 2, other.height / 2)
        cost += 6 * _overlap(x, y, half_width, half_height, *other.unit, *size)
        cost += 3 * max(0.0, own - math.dist(place, other.unit))  # it would look like the other's
    return cost


def _overlap(
    x: float, y: float, width: float, height: float, a: float, b: float, wide: float, high: float
) -> float:
    """How far two boxes reach into each other: the shorter way out. Sizes are half widths."""
    across, down = width + wide - abs(x - a), height + high - abs(y - b)
    return min(across, down) if across > 0 and down > 0 else 0.0
