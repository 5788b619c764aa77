"""Boards as they are drawn: the shapes of `map.svg`, and where things stand in them.

The `map.svg` beside a variant's `board.toml` (docs/maps.md says what is in it) is read once a
process; variants of one board share it. A board without a sound one is drawn as a diagram.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree

import msgspec

from judge.diplomacy.board import Terrain
from judge.diplomacy.orders import Location
from judge.diplomacy.variants.variant import Variant

Point = tuple[float, float]
Name = TypeVar("Name", bound=str)

LARGEST_NODE = 26.0
STEPS = 300
GRAVITY = 0.6
PASSES = 120  # at most, until no two provinces overlap
MARGIN = 60.0


def node_size(count: int, width: float, height: float) -> float:
    """Half the width of a province in a diagram of `count` provinces."""
    return round(min(LARGEST_NODE, 0.26 * math.sqrt(width * height / max(count, 1))), 1)


def graph_layout(
    names: Sequence[Name], links: Collection[tuple[Name, Name]], *, width: float, height: float
) -> dict[Name, Point]:
    """A place for each name in a picture of this size, neighbors near each other."""
    count = len(names)
    ideal = math.sqrt(width * height / max(count, 1))
    turn = math.pi * (3 - math.sqrt(5))
    xs = [width / 2 + ideal / 2 * math.sqrt(n) * math.cos(n * turn) for n in range(count)]
    ys = [height / 2 + ideal / 2 * math.sqrt(n) * math.sin(n * turn) for n in range(count)]
    at = {name: n for n, name in enumerate(_breadth_first_order(names, links))}
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

    def stretched(values: list[float], size: float) -> list[float]:
        """The values graph_layout over the whole picture."""
        low, wide = min(values, default=0.0), max(values, default=0.0) - min(values, default=0.0)
        room = size - 2 * MARGIN
        return [MARGIN + (one - low) / (wide or 1.0) * room for one in values]

    fitted = list(zip(stretched(xs, width), stretched(ys, height), strict=True))
    places = _parted(fitted, width, height)
    return {name: places[n] for name, n in at.items()}


def _breadth_first_order(names: Sequence[Name], links: Collection[tuple[Name, Name]]) -> list[Name]:
    """The names in the order of a breadth-first search from the one with the most neighbors."""
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
    """The places, pushed apart where they are too near each other."""
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


SVG = "{http://www.w3.org/2000/svg}"


class Area(msgspec.Struct, frozen=True):
    """A province as it is drawn. Lengths are units of the picture."""

    path: str  # the `d` of its outline
    unit: Point  # where a unit stands
    label: Point  # the middle of its name
    is_sea: bool


class Line(msgspec.Struct, frozen=True):
    """A line that is no border: a `railway`, `canal`, `strait`, or the `link` of a diagram."""

    kind: str
    points: tuple[Point, ...]


class DrawnBoard(msgspec.Struct, frozen=True):
    """A board's picture, `width` by `height`. `outside`: kinds and paths of what is no province."""

    width: float
    height: float
    unit: float  # the radius of a unit
    areas: Mapping[str, Area]
    coasts: Mapping[str, Point] = {}  # where a fleet on a named coast stands, by location
    outside: tuple[tuple[str, str], ...] = ()
    lines: tuple[Line, ...] = ()

    def place(self, location: Location) -> Point:
        """Where a unit at this location stands."""
        return self.coasts.get(str(location)) or self.areas[location.province].unit


def drawn_board(variant: Variant) -> DrawnBoard:
    """The board of a variant as it is drawn."""
    return _drawn(variant.without_choices)


@lru_cache(maxsize=32)
def _drawn(variant: Variant) -> DrawnBoard:
    path = Path(variant.board_file).parent / "map.svg"
    if path.is_file():
        # The keeper's own file; expat itself stops what grows without end.
        board = _read(ElementTree.fromstring(path.read_text(encoding="utf-8")))  # noqa: S314
        if board.areas.keys() >= variant.board.provinces.keys():
            return board
    return _diagram(variant)


def _read(root: ElementTree.Element) -> DrawnBoard:
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    groups = {group.get("id"): list(group) for group in root.iter(f"{SVG}g")}
    areas = {
        each.attrib["id"]: Area(
            each.attrib["d"],
            _point(each.attrib["data-unit"]),
            _point(each.attrib["data-label"]),
            is_sea=kind == "sea",
        )
        for kind in ("sea", "land")
        for each in groups[kind]
    }
    coasts = {
        each.attrib["id"]: _point(f"{each.attrib['cx']} {each.attrib['cy']}")
        for each in groups["coasts"]
    }
    outside = [(each.attrib["class"], each.attrib["d"]) for each in groups["outside"]]
    lines = [
        Line(each.attrib["class"], tuple(map(_point, each.attrib["points"].split())))
        for each in groups["marks"]
    ]
    unit = float(root.attrib["data-unit"])
    return DrawnBoard(width, height, unit, areas, coasts, tuple(outside), tuple(lines))


def _point(text: str) -> Point:
    x, y = map(float, re.split("[ ,]", text))
    return x, y


def _diagram(variant: Variant) -> DrawnBoard:
    """A circle or, at sea, a rounded square a province, with a line to each of its neighbors."""
    board, provinces = variant.board, variant.board.provinces
    links = {(min(one, way), max(one, way)) for one in provinces for way in board.touching[one]}
    width, height = 1000.0, 900.0
    places = graph_layout(list(provinces), links, width=width, height=height)
    node = node_size(len(provinces), width, height)
    areas = {}
    for name, (x, y) in places.items():
        is_sea = provinces[name].terrain is Terrain.SEA
        corner = node * (0.5 if is_sea else 1.0)
        side = 2 * (node - corner)
        turn = f"a{corner} {corner} 0 0 1"
        path = (
            f"M{x - node + corner:.1f} {y - node:.1f}h{side}{turn} {corner} {corner}v{side}"
            f"{turn} {-corner} {corner}h{-side}{turn} {-corner} {-corner}v{-side}"
            f"{turn} {corner} {-corner}z"
        )
        areas[str(name)] = Area(path, (x, y - 0.3 * node), (x, y + 0.6 * node), is_sea)
    lines = (Line("link", (places[one], places[other])) for one, other in sorted(links))
    return DrawnBoard(width, height, min(12.0, 0.46 * node), areas, lines=tuple(lines))
