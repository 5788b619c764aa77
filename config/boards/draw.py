"""Draws the boards: real coast lines, provinces by seed points, every adjacency as a shared border.

    python config/boards/draw.py standard [--check]

writes `config/variants/standard/map.svg` from `standard.toml` beside this file, the variant's
`board.toml`, and the land of Natural Earth (`land-50m.json` of the npm package world-atlas 2.0.2;
NOTICE.md says where from). It needs shapely and numpy, which the judge itself does not.

How a board is drawn: land is projected (Lambert's conformal conic), canals are cut and straits
closed as `standard.toml` says, and the plane is cut into Voronoi cells around the seed points of
each province, land by the seeds of land and sea by those of sea. Borders are bent a little by a
noise that depends on the place alone, so that neighbors still fit. What belongs together is merged
and simplified as one coverage, so that no gap opens between neighbors.
"""

import argparse
import json
import math
import tomllib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy
import shapely
from shapely import GeometryCollection, MultiPoint, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

HERE = Path(__file__).parent
VARIANTS = HERE.parent / "variants"
LABEL = (36, 13)  # the room of a name, in units of the picture
LABEL_STEPS = [(0, 19), (0, -19), (30, 0), (-30, 0), (22, 16), (-22, 16), (22, -16), (-22, -16)]
NOBODY = "-"  # land outside the board
CONTACT = 4.0  # units of a shared border that are seen as a border (the map is 1,000 wide)


class Projection:
    """Lambert's conformal conic on a sphere: longitude and latitude to x and y of the picture."""

    def __init__(self, table: dict[str, Any]) -> None:
        south, north = (math.radians(one) for one in table["parallels"])
        self._lon0, self._lat0 = (math.radians(one) for one in table["center"])
        self._n = math.log(math.cos(south) / math.cos(north)) / math.log(
            math.tan(math.pi / 4 + north / 2) / math.tan(math.pi / 4 + south / 2)
        )
        self._f = math.cos(south) * math.tan(math.pi / 4 + south / 2) ** self._n / self._n
        self._rho0 = self._rho(self._lat0)
        self._scale = float(table["scale"])
        self._x0, self._y0 = table["at"]
        self._lenses: list[tuple[Any, float, float]] = []
        for *place, radius, strength in table.get("lenses", []):
            self._lenses.append((self([place])[0], float(radius), float(strength)))

    def _rho(self, lat: Any) -> Any:
        return self._f / numpy.tan(math.pi / 4 + lat / 2) ** self._n

    def __call__(self, points: Any) -> Any:
        degrees = numpy.radians(numpy.asarray(points, dtype=float))
        rho, theta = self._rho(degrees[:, 1]), self._n * (degrees[:, 0] - self._lon0)
        x = self._x0 + self._scale * rho * numpy.sin(theta)
        y = self._y0 - self._scale * (self._rho0 - rho * numpy.cos(theta))
        flat = numpy.column_stack((x, y))
        for middle, radius, strength in self._lenses:  # what is small there is drawn larger
            away = flat - middle
            nearness = numpy.exp(-(away**2).sum(axis=1) / radius**2)
            flat = middle + away * (1 + strength * nearness)[:, None]
        return flat


def read_land(path: Path) -> list[Polygon]:
    """The polygons of a TopoJSON of world-atlas, in degrees; those over the date line are whole."""
    topology = json.loads(path.read_text(encoding="utf-8"))
    scale, move = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        steps = numpy.cumsum(numpy.asarray(arc, dtype=float), axis=0)
        arcs.append(steps * scale + move)

    def ring(numbers: Sequence[int]) -> Any:
        pieces = [arcs[n] if n >= 0 else arcs[~n][::-1] for n in numbers]
        return numpy.concatenate([piece[1:] if i else piece for i, piece in enumerate(pieces)])

    polygons = []
    for geometry in topology["objects"]["land"]["geometries"]:
        for shell, *holes in geometry["arcs"]:
            outer = ring(shell)
            outer[:, 0] = numpy.unwrap(outer[:, 0], period=360)  # Russia goes over the date line
            inner = [ring(hole) for hole in holes]
            for hole in inner:
                hole[:, 0] = numpy.unwrap(hole[:, 0], period=360)
                hole[:, 0] += 360 * round((outer[:, 0].mean() - hole[:, 0].mean()) / 360)
            polygons.append(shapely.make_valid(Polygon(outer, inner)))
    return [part for one in polygons for part in parts_of(one)]


def parts_of(shape: BaseGeometry) -> list[Polygon]:
    """The polygons of a shape."""
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    if isinstance(shape, GeometryCollection | MultiPolygon):
        return [part for one in shape.geoms for part in parts_of(one)]
    return []


def whole(shape: BaseGeometry) -> BaseGeometry:
    """The areas of a shape alone."""
    return shapely.union_all(parts_of(shape)) if parts_of(shape) else Polygon()


def pairs(text: str) -> list[tuple[float, float]]:
    """`"-0.1 51.5, 1.2 52"` as points."""
    return [(float(x), float(y)) for x, y in (one.split() for one in text.split(","))]


def noise(points: Any, amount: float) -> Any:
    """Where a border's points lie after bending: a sum of waves, the same for both its sides."""
    x, y = points[:, 0], points[:, 1]
    dx = numpy.zeros_like(x)
    dy = numpy.zeros_like(x)
    for wave, turn, share in ((61, 0.3, 1.0), (29, 1.9, 0.6), (13, 4.1, 0.35), (7, 2.2, 0.2)):
        cos, sin, often = math.cos(turn), math.sin(turn), 2 * math.pi / wave
        dx += share * numpy.sin((x * cos + y * sin) * often + turn)
        dy += share * numpy.sin((y * cos - x * sin) * often - turn)
    return numpy.column_stack((x + amount * dx, y + amount * dy))


def cells(
    seeds: dict[str, Sequence[tuple[float, float]]],
    projection: Projection,
    frame: Polygon,
    bend: float,
) -> dict[str, BaseGeometry]:
    """The plane in cells around the seeds, merged by province, with bent borders."""
    owners = [(name, tuple(at)) for name, points in seeds.items() for at in projection(points)]
    field = frame.buffer(200)
    diagram = shapely.voronoi_polygons(MultiPoint([at for _, at in owners]), extend_to=field)
    tree = shapely.STRtree([Point(at) for _, at in owners])
    found: dict[str, list[Polygon]] = {}
    for cell in diagram.geoms:
        inside = tree.query(cell, predicate="contains")
        name = owners[int(inside[0])][0]
        found.setdefault(name, []).append(cell.intersection(field))
    names = list(found)
    merged = [shapely.union_all(found[name]) for name in names]
    dense = shapely.segmentize(merged, 3.0)
    bent = [shapely.transform(one, lambda at: noise(at, bend)) for one in dense]
    return dict(zip(names, (one.buffer(0) for one in bent), strict=True))


class Board:
    """A board as it is drawn: `shapes` by province, in units of the picture."""

    def __init__(self, name: str, land_file: Path) -> None:
        table = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
        self.table = table
        self.name = name
        self.width, self.height = table["size"]
        self.frame = shapely.box(0, 0, self.width, self.height)
        self.projection = Projection(table["projection"])
        land_seeds = {key: pairs(text) for key, text in table["land"].items()}
        sea_seeds = {key: pairs(text) for key, text in table["sea"].items()}
        land = self._land(read_land(land_file))
        self.shapes: dict[str, BaseGeometry] = {}
        bend = float(table.get("bend", 1.5))
        for name_, cell in cells(land_seeds, self.projection, self.frame, bend).items():
            self.shapes[name_] = whole(cell.intersection(land))
        sea = self.frame.difference(land)
        for name_, cell in cells(sea_seeds, self.projection, self.frame, bend / 2).items():
            self.shapes[name_] = whole(cell.intersection(sea))
        self._tidy()

    def at(self, text: str) -> Any:
        """Places written as longitude and latitude, in the picture."""
        return self.projection(pairs(text))

    def unit_place(self, name: str) -> tuple[tuple[float, float], float]:
        """Where a unit stands in a province, and how far the nearest border is."""
        part = max(parts_of(self.shapes[name].intersection(self.frame)), key=lambda one: one.area)
        if name in self.table.get("units", {}):
            x, y = self.at(self.table["units"][name])[0]
            return (x, y), Point(x, y).distance(part.boundary)
        circle = shapely.maximum_inscribed_circle(part, 0.5)
        (x, y), (edge_x, edge_y) = circle.coords
        return (x, y), math.hypot(x - edge_x, y - edge_y)

    def label_place(self, name: str, unit: tuple[float, float]) -> tuple[float, float]:
        """Where the name stands: beside the unit, where most of it is inside."""
        if name in self.table.get("labels", {}):
            x, y = self.at(self.table["labels"][name])[0]
            return x, y
        wide, high = LABEL
        best, place = -1.0, unit
        for dx, dy in LABEL_STEPS:
            x, y = unit[0] + dx, unit[1] + dy
            box = shapely.box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            inside = self.shapes[name].intersection(box).area / box.area
            inside -= 0.002 * math.hypot(dx, dy)
            if inside > best:
                best, place = inside, (x, y)
        return place

    def _land(self, polygons: Iterable[Polygon]) -> BaseGeometry:
        west, south, east, north = self.table["window"]
        window = shapely.box(west, south, east, north)
        kept = []
        for one in polygons:
            for shift in (-360, 0, 360):
                moved = shapely.transform(one, lambda at, by=shift: at + numpy.array((by, 0)))
                kept += parts_of(moved.intersection(window))
        drawn = [shapely.transform(shapely.segmentize(one, 0.5), self.projection) for one in kept]
        land = shapely.union_all([one.buffer(0) for one in drawn])
        for text in self.table.get("fill", []):  # straits that are closed
            land = land.union(Polygon(self.at(text)).buffer(0))
        for text in self.table.get("cut", []):  # straits and bays that are opened
            *points, width = text.split(";")
            land = land.difference(shapely.LineString(self.at(points[0])).buffer(float(width)))
        least = float(self.table["least_island"])
        keep = [Point(at) for text in self.table["land"].values() for at in self.at(text)]
        tree = shapely.STRtree(keep)
        big = [
            one
            for one in parts_of(land)
            if one.area >= least or len(tree.query(one, predicate="contains"))
        ]
        lakes = float(self.table.get("least_lake", least))
        big = [
            Polygon(one.exterior, [r for r in one.interiors if Polygon(r).area >= lakes])
            for one in big
        ]
        return shapely.union_all(big).intersection(self.frame)

    def _tidy(self) -> None:
        """Neighbors get the same points along their border; then all borders are simplified.

        Crumbs go to the neighbor with the longest border.
        """
        names = list(self.shapes)
        snapped = [shapely.set_precision(self.shapes[name], 0.02) for name in names]
        tree = shapely.STRtree(snapped)
        lines = shapely.union_all([self.frame.boundary, *(one.boundary for one in snapped)])
        faces: list[list[Polygon]] = [[] for _ in names]
        loose: list[Polygon] = []
        for face in shapely.polygonize([lines]).geoms:
            owners = tree.query(face.representative_point(), predicate="within")
            (faces[owners[0]] if len(owners) else loose).append(face)
        least = float(self.table.get("least_piece", 12))
        for pieces in faces:
            parts = sorted(parts_of(shapely.union_all(pieces)), key=lambda one: -one.area)
            pieces[:] = parts[:1] + [one for one in parts[1:] if one.area >= least]
            loose += parts[len(pieces) :] if parts[1:] else []
        merged = [whole(shapely.union_all(pieces)) for pieces in faces]
        for crumb in sorted(loose, key=lambda one: -one.area):
            shared = [one.boundary.intersection(crumb.boundary).length for one in merged]
            best = shared.index(max(shared))
            merged[best] = whole(merged[best].union(crumb))
        simple = shapely.coverage_simplify(merged, float(self.table.get("simplify", 0.8)))
        rounded = shapely.transform(simple, lambda at: numpy.round(at, 1))
        self.shapes = dict(zip(names, map(whole, rounded), strict=True))

    def contacts(self) -> dict[frozenset[str], float]:
        """Which provinces share a border, and how long it is."""
        found: dict[frozenset[str], float] = {}
        names = list(self.shapes)
        tree = shapely.STRtree([self.shapes[name] for name in names])
        for at, name in enumerate(names):
            for other in tree.query(self.shapes[name].buffer(0.5)):
                if other > at:
                    border = self.shapes[name].buffer(0.25).intersection(self.shapes[names[other]])
                    length = border.area / 0.25
                    if length > 0.5:
                        found[frozenset((name, names[other]))] = length
        return found


def adjacent(name: str) -> set[frozenset[str]]:
    """All pairs of provinces between which some unit may move."""
    board = tomllib.loads((VARIANTS / name / "board.toml").read_text(encoding="utf-8"))
    found = set()
    for table in ("army", "fleet"):
        for place, others in board[table].items():
            for other in others.split():
                found.add(frozenset((place.partition("/")[0], other.partition("/")[0])))
    return found


def check(board: Board) -> int:
    """Print where the drawing and the rules differ; how many differences there are."""
    wanted, seen = adjacent(board.name), board.contacts()
    closed = {"SWI", NOBODY, *board.table.get("closed", [])}
    count = 0
    for pair in sorted(wanted, key=sorted):
        if seen.get(pair, 0.0) < CONTACT:
            print("no border  ", *sorted(pair), f"{seen.get(pair, 0.0):.1f}")
            count += 1
    for pair, length in sorted(seen.items(), key=lambda one: sorted(one[0])):
        if pair not in wanted and not pair & closed:
            print("too much   ", *sorted(pair), f"{length:.1f}")
            count += 1
    return count


def svg_of(board: Board) -> ElementTree.Element:
    """The board as a picture without colors: a path a province, and where things stand in it. Its
    own `data-unit` is the radius of a unit.

    `data-unit` is where a unit stands, `data-label` the middle of the name, `data-room` how far it
    is from the unit's place to the nearest border.
    """
    root = ElementTree.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {board.width} {board.height}"
    )
    root.set("data-unit", f"{board.table['unit']}")
    kinds = tomllib.loads((VARIANTS / board.name / "board.toml").read_text(encoding="utf-8"))
    kind_of = {one["id"]: one["kind"] for one in kinds["provinces"]}
    desc = ElementTree.SubElement(root, "desc")
    desc.text = "Made by config/boards/draw.py. Coast lines: Natural Earth, public domain."
    groups = {
        name: ElementTree.SubElement(root, "g", id=name) for name in ("sea", "land", "outside")
    }
    for name, shape in board.shapes.items():
        if shape.is_empty:
            continue
        if name not in kind_of:
            kind = {NOBODY: "land", "#": "mountains"}.get(name, "water")
            ElementTree.SubElement(groups["outside"], "path", {"class": kind, "d": path_of(shape)})
            continue
        unit, room = board.unit_place(name)
        label = board.label_place(name, unit)
        ElementTree.SubElement(
            groups["sea" if kind_of[name] == "sea" else "land"],
            "path",
            {
                "id": name,
                "d": path_of(shape),
                "data-unit": f"{unit[0]:.0f} {unit[1]:.0f}",
                "data-label": f"{label[0]:.0f} {label[1]:.0f}",
                "data-room": f"{room:.0f}",
            },
        )
    coasts = ElementTree.SubElement(root, "g", id="coasts")
    for coast, text in board.table.get("coasts", {}).items():
        x, y = board.at(text)[0]
        ElementTree.SubElement(coasts, "circle", id=coast, cx=f"{x:.0f}", cy=f"{y:.0f}")
    marks = ElementTree.SubElement(root, "g", id="marks")
    for kind, lines in board.table.get("marks", {}).items():
        for text in lines:
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in board.at(text))
            ElementTree.SubElement(marks, "polyline", {"class": kind, "points": points})
    return root


def path_of(shape: BaseGeometry) -> str:
    """The `d` of a path: `M` to the first point of each ring, `l` from point to point."""
    written = []
    for part in sorted(parts_of(shape), key=lambda one: -one.area):
        for ring in (part.exterior, *part.interiors):
            tenths = [(round(10 * x), round(10 * y)) for x, y in ring.coords[:-1]]
            steps = [(x - a, y - b) for (a, b), (x, y) in pairwise(tenths)]
            start = " ".join(number(one) for one in tenths[0])
            written.append(f"M{start}l{' '.join(number(x) + ' ' + number(y) for x, y in steps)}z")
    return "".join(written).replace(" -", "-")


def number(tenths: int) -> str:
    """Tenths as short as they can be written."""
    return f"{tenths / 10:g}".replace("0.", ".", 1) if abs(tenths) < 10 else f"{tenths / 10:g}"


def main() -> None:
    asked = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    asked.add_argument("board", choices=("standard", "colonial"))
    asked.add_argument("--land", type=Path, required=True, help="land-50m.json of world-atlas")
    told = asked.parse_args()
    board = Board(told.board, told.land)
    if check(board) > len(board.table.get("exceptions", [])):
        raise SystemExit("the drawing does not show the board; its file stays as it was")
    tree = ElementTree.ElementTree(svg_of(board))
    ElementTree.indent(tree, " ")
    path = VARIANTS / told.board / "map.svg"
    tree.write(path, encoding="utf-8")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n")
    print(f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
