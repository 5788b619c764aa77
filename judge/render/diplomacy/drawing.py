"""What maps and charts share: the colors, how each power is drawn, elements of SVG."""

from collections.abc import Mapping
from functools import lru_cache
from xml.etree.ElementTree import Element, SubElement

import msgspec

from judge.data import read_text
from judge.diplomacy.orders import PowerId
from judge.render.diplomacy.names import Names


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
    """How a power is drawn. `hatch`: its color was taken already, so many times."""

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
    free = list(COLORS.palette)
    chosen: dict[PowerId, str] = {}
    for power in names.variant.power_ids:
        wanted = COLORS.powers.get(power)
        if wanted in free and wanted is not None:
            chosen[power] = wanted
            free.remove(wanted)
    rest = [power for power in names.variant.power_ids if power not in chosen]
    every = list(COLORS.palette)
    given = {power: (color, 0) for power, color in chosen.items()}
    for at, power in enumerate(rest):
        color = free[at] if at < len(free) else every[(at - len(free)) % len(every)]
        given[power] = (color, 0 if at < len(free) else 1 + (at - len(free)) // len(every))
    return {
        power.id: Style(COLORS.palette[given[power.id][0]], given[power.id][1], power.letter)
        for power in names.variant.powers
    }


def add(parent: Element, tag: str, **attributes: object) -> Element:
    """An element; `dashes` and names with underscores stand for those of SVG."""
    added = SubElement(parent, tag)
    for name, value in attributes.items():
        if value is None or value == "":
            continue
        key = "stroke-dasharray" if name == "dashes" else name.replace("_", "-")
        added.set(
            key, f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
        )
    return added


@lru_cache(maxsize=256)
def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(maxsize=256)
def mixed(color: str, other: str, share: float) -> str:
    """A color with a share of another."""
    pairs = zip(_channels(color), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
