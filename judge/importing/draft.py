"""What the readers of all formats make of a map: one plain value, in the map's own abbreviations.

With it goes what an import finds out on the way, each finding with its file and line. Knows no
format, and not how our variants write any of this.
"""

import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from judge.data import read_text
from judge.diplomacy.board import Terrain
from judge.diplomacy.variants.files import Place, VariantFault

Finding = VariantFault  # one thing found; `str()` is what an operator reads
COASTS = ("nc", "ec", "sc", "wc")  # those that our boards have


def known_of(format_name: str) -> Mapping[str, Any]:
    """What `config/maps.toml` says of a format."""
    found: Mapping[str, Any] = tomllib.loads(read_text("config", "maps.toml"))[format_name]
    return found


class Line(NamedTuple):
    """One line of a file, without its end."""

    place: Place
    text: str


class Site(NamedTuple):
    """An area by its abbreviation in lower case, or a coast of it."""

    area: str
    coast: str | None = None

    def __str__(self) -> str:
        return f"{self.area}/{self.coast}" if self.coast else self.area


class Alias(msgspec.Struct, frozen=True):
    """Another way to write an area or a coast of it. `is_unclear`: it may mean something else."""

    text: str
    coast: str | None = None
    is_unclear: bool = False


class Area(msgspec.Struct):
    """One area as a file describes it. `key` is its first abbreviation, in lower case.

    `kind` is land, sea or closed; whether land has a coast follows from its fleets.
    """

    key: str
    name: str
    place: Place
    kind: Terrain = Terrain.LAND
    is_center: bool = False
    aliases: list[Alias] = []


Ways = dict[Site, dict[Site, Place]]  # where a unit may go, each with the line that says so


class StartUnit(msgspec.Struct, frozen=True):
    """A unit at the start; `kind` is A or F."""

    kind: str
    site: Site
    place: Place


class PowerDraft(msgspec.Struct):
    """One power. What is None the file does not say."""

    name: str
    place: Place
    adjective: str | None = None
    letter: str | None = None
    # homes, centers: its home centers and those that it owns at the start, with their lines.
    homes: dict[str, Place] = {}
    centers: dict[str, Place] | None = None
    units: list[StartUnit] = []
    is_sure: bool = True  # whether its line can be nothing but that of a power


class Opening(msgspec.Struct, frozen=True):
    """The phase that a game begins with: a season's letter, a year, and its kind, M or A."""

    letter: str
    year: int
    kind: str
    place: Place

    def __str__(self) -> str:
        return f"{self.letter}{self.year}{self.kind}"


class CalendarDraft(msgspec.Struct, frozen=True):
    """Turns by letter and years after the cycle's first, and the letter of the adjustments."""

    turns: tuple[tuple[str, int], ...] = (("S", 0), ("F", 0))
    adjustment_letter: str = "W"
    cycle_years: int = 1


class Draft(msgspec.Struct):
    """A whole map, and what an import finds out on the way."""

    faults: list[Finding] = []  # what is wrong with the files; with any of them nothing is written
    left_out: list[Finding] = []  # what the files say and our variants cannot
    assumed: list[Finding] = []  # what the files do not say, or say otherwise than we write it
    areas: dict[str, Area] = {}  # by key, in the order of the file
    army: Ways = {}
    fleet: Ways = {}
    powers: list[PowerDraft] = []
    opening: Opening | None = None
    calendar: CalendarDraft = CalendarDraft()
    victory: int | None = None
    builds_anywhere: bool = False
    # Areas with a line of ways that could not be read; ways that are missing there are no faults of
    # their own.
    unread: set[str] = set()

    def fault(self, text: str, place: Place | None = None) -> None:
        self.faults.append(Finding(text, place))

    def leave_out(self, text: str, place: Place | None = None) -> None:
        self.left_out.append(Finding(text, place))

    def assume(self, text: str, place: Place | None = None) -> None:
        self.assumed.append(Finding(text, place))

    def coasts(self, area: str) -> tuple[str, ...]:
        """The named coasts of an area, in the order of `COASTS`."""
        return tuple(coast for coast in COASTS if Site(area, coast) in self.fleet)

    def has_fleets(self, area: str) -> bool:
        """Whether fleets go to or from the area."""
        return any(site.area == area and ways for site, ways in self.fleet.items())

    def linked(self) -> set[str]:
        """The areas from or to which any unit goes."""
        ways = [*self.army.items(), *self.fleet.items()]
        return {site.area for origin, targets in ways if targets for site in (origin, *targets)}

    def center_count(self) -> int:
        return sum(area.is_center for area in self.areas.values())


class Reader:
    """Reads the lines of one format into a draft. What it finds is noted at the line it reads."""

    line: Line

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def fault(self, text: str) -> None:
        self.draft.fault(text, self.line.place)

    def leave_out(self, text: str) -> None:
        self.draft.leave_out(text, self.line.place)
