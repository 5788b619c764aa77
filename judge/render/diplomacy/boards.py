"""Boards as they are drawn: the shapes of `map.svg`, and where things stand in them.

The `map.svg` beside a variant's `board.toml` (docs/maps.md says what is in it) is read once a
process; variants of one board share it. A board without a sound one is drawn as a diagram.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

import msgspec

from judge.diplomacy.board import Terrain
from judge.diplomacy.orders import Location, UnitKind
from judge.diplomacy.variants.variant import Variant
from judge.render.diplomacy.diagrams import Point, node_size, spread

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
    return _drawn(variant.named)


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
    lines = (
        Line(each.attrib["class"], tuple(map(_point, each.attrib["points"].split())))
        for each in groups["marks"]
    )
    return DrawnBoard(
        width,
        height,
        float(root.attrib["data-unit"]),
        areas,
        {
            each.attrib["id"]: _point(f"{each.attrib['cx']} {each.attrib['cy']}")
            for each in groups["coasts"]
        },
        tuple((each.attrib["class"], each.attrib["d"]) for each in groups["outside"]),
        tuple(lines),
    )


def _point(text: str) -> Point:
    x, y = map(float, re.split("[ ,]", text))
    return x, y


def _diagram(variant: Variant) -> DrawnBoard:
    """A circle or, at sea, a rounded square a province, with a line to each of its neighbors."""
    board, provinces = variant.board, variant.board.provinces
    links = {
        (min(one, way.province), max(one, way.province))
        for one in provinces
        for kind in UnitKind
        for place in board.stands(kind, one)
        for way in board.ways(kind, place)
    }
    width, height = 1000.0, 900.0
    places = spread(list(provinces), links, width=width, height=height)
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
