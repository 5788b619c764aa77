"""What maps and charts share: the colors, how each power is drawn, elements of SVG."""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from xml.etree.ElementTree import Element, SubElement

import msgspec

from judge.data import read_text
from judge.diplomacy.orders import PowerId
from judge.render.diplomacy.names import Names

Point = tuple[float, float]
Curve = tuple[Point, Point, Point]  # a quadratic Bezier curve: start, control point, end


class _Colors(msgspec.Struct, frozen=True):
    sea: str
    land: str
    water: str
    outside: str
    mountains: str
    border: str
    coast: str
    ink: str
    sea_ink: str
    alarm: str
    palette: dict[str, str]
    powers: dict[str, str]


COLORS = msgspec.toml.decode(read_text("config", "map_colors.toml"), type=_Colors)


class Style(msgspec.Struct, frozen=True):
    """How a power is drawn. `hatch`: how many powers before it have the same color."""

    color: str
    hatch: int
    letter: str

    @property
    def tint(self) -> str:
        return mixed(self.color, "#ffffff", 0.52)

    @property
    def letter_color(self) -> str:
        red, green, blue = _channels(self.color)
        return "#ffffff" if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else "#1c1b1a"


def styles_of(names: Names) -> Mapping[PowerId, Style]:
    """How each power of a variant is drawn, in the variant's order."""
    every, free = list(COLORS.palette), list(COLORS.palette)
    given: dict[PowerId, tuple[str, int]] = {}  # the color's name, and how often it was taken
    for power in names.variant.power_ids:
        wanted = COLORS.powers.get(power, "")
        if wanted in free:
            given[power] = (wanted, 0)
            free.remove(wanted)
    rest = [power for power in names.variant.power_ids if power not in given]
    for at, power in enumerate(rest):
        rounds, again = divmod(at - len(free), len(every))
        given[power] = (free[at], 0) if at < len(free) else (every[again], 1 + rounds)
    return {
        power.id: Style(COLORS.palette[given[power.id][0]], given[power.id][1], power.letter)
        for power in names.variant.powers
    }


def add(parent: Element, tag: str, **attributes: object) -> Element:
    """An element; `dashes` and names with underscores stand for those of SVG. Empty attributes are
    left out."""
    added = SubElement(parent, tag)
    for name, value in attributes.items():
        key = "stroke-dasharray" if name == "dashes" else name.replace("_", "-")
        text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
        if text:
            added.set(key, text)
    return added


def add_text(
    parent: Element, place: Point, text: str, size: float, anchor: str = "", **look: object
) -> Element:
    """A text whose base line goes through a place, which is its start, or its `anchor`."""
    look = {"fill": COLORS.ink, **look}
    added = add(parent, "text", x=place[0], y=place[1], text_anchor=anchor, **look)
    added.set("font-size", f"{size:g}")
    added.text = text
    return added


@lru_cache(maxsize=256)
def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(maxsize=256)
def mixed(color: str, other: str, share: float) -> str:
    """A color with a share of another."""
    pairs = zip(_channels(color), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


# --- curves ---------------------------------------------------------------------------------------

BENDS = (0.0, 0.14, -0.14, 0.26, -0.26, 0.4, -0.4)  # of the length, sideways
CLEAR = 19.0  # how far a line keeps from units it has nothing to do with
APART = 7.0  # how far from other lines
SAMPLES = 11


def along(curve: Curve, share: float) -> Point:
    """A point of a curve, from 0 at its start to 1 at its end."""
    (ax, ay), (bx, by), (cx, cy) = curve
    rest = 1 - share
    return (
        rest * rest * ax + 2 * rest * share * bx + share * share * cx,
        rest * rest * ay + 2 * rest * share * by + share * share * cy,
    )


class Lines:
    """The lines of one picture. Each is drawn with the bend that disturbs the least."""

    def __init__(self) -> None:
        self._units: list[Point] = []
        self._drawn: list[list[Point]] = []

    def avoid(self, places: Iterable[Point]) -> None:
        """Places that no line may hide."""
        self._units += places

    def between(self, start: Point, end: Point, gap_at_start: float, gap_at_end: float) -> Curve:
        """A line from one place to another; the gaps say how far from these it begins and ends."""
        length = math.dist(start, end)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        others = [
            unit
            for unit in self._units
            if unit not in (start, end) and math.dist(unit, middle) < 1.4 * (length / 2 + CLEAR)
        ]
        least = math.inf
        for bend in BENDS:
            if 14 * abs(bend) >= least:
                break  # a line bent more than the best one costs
            control = (
                middle[0] - (end[1] - start[1]) * bend,
                middle[1] + (end[0] - start[0]) * bend,
            )
            curve = (start, control, end)
            points = [along(curve, n / (SAMPLES - 1)) for n in range(SAMPLES)]
            near = (CLEAR - math.dist(unit, at) for unit in others for at in points)
            hidden = sum(one for one in near if one > 0)  # how much of the units along its way
            cost = 14 * abs(bend) + hidden + self._crowding_cost(points)
            if cost < least:
                least, best, drawn = cost, curve, points
        self._drawn.append(drawn)
        # Of the curve its middle part, so far from its ends, but never less than a quarter of it.
        length = max(length, 0.1)
        first, last = min(gap_at_start / length, 0.37), 1 - min(gap_at_end / length, 0.37)
        start, end, middle = (along(best, share) for share in (first, last, (first + last) / 2))
        control = (2 * middle[0] - (start[0] + end[0]) / 2, 2 * middle[1] - (start[1] + end[1]) / 2)
        return start, control, end

    def _crowding_cost(self, points: list[Point]) -> float:
        """The cost of running beside or on other lines; crossing one costs nothing."""
        middle, far = points[2:-2], math.dist(points[0], points[-1])
        beside = 0
        for other in self._drawn:
            # Only an approximation: a longer line is looked at from its own side.
            if math.dist(other[SAMPLES // 2], points[SAMPLES // 2]) <= far + APART:
                near = sum(min(math.dist(at, one) for one in other) < APART for at in middle)
                beside += max(0, near - 1)
        return 6.0 * beside
