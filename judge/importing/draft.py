"""What the readers of all formats make of a map: one plain value, in the map's own abbreviations.

With it goes what an import finds out on the way, each finding with its file and line. Knows no
format, and not how our variants write any of this.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from judge.diplomacy.variants.files import Place, VariantFault

Finding = VariantFault  # one thing found; `str()` is what an operator reads
COASTS = ("nc", "ec", "sc", "wc")  # those that our boards have


class Site(NamedTuple):
    """An area by its abbreviation in lower case, or a coast of it."""

    area: str
    coast: str | None = None

    def __str__(self) -> str:
        return f"{self.area}/{self.coast}" if self.coast else self.area


class AreaKind(StrEnum):
    """What an area is; whether one of land has a coast follows from its fleets."""

    LAND = "land"
    SEA = "sea"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Alias:
    """Another way to write an area or a coast of it. `is_unclear`: it may mean something else."""

    text: str
    coast: str | None = None
    is_unclear: bool = False


@dataclass(slots=True)
class Area:
    """One area as a file describes it. `key` is its first abbreviation, in lower case."""

    key: str
    name: str
    place: Place
    kind: AreaKind
    is_center: bool = False
    aliases: list[Alias] = field(default_factory=list)


Ways = dict[Site, dict[Site, Place]]  # where a unit may go, each with the line that says so


@dataclass(frozen=True, slots=True)
class StartUnit:
    """A unit at the start; `kind` is A or F."""

    kind: str
    site: Site
    place: Place


@dataclass(slots=True)
class PowerDraft:
    """One power. What is None the file does not say.

    Attributes:
        homes, centers: its home centers and those that it owns at the start, with their lines.
    """

    name: str
    place: Place
    adjective: str | None = None
    letter: str | None = None
    homes: dict[str, Place] = field(default_factory=dict)
    centers: dict[str, Place] | None = None
    units: list[StartUnit] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Opening:
    """The phase that a game begins with: a season's letter, a year, M or A."""

    letter: str
    year: int
    kind: str
    place: Place


@dataclass(frozen=True, slots=True)
class CalendarDraft:
    """Turns by letter and years after the cycle's first, and the letter of the adjustments."""

    turns: tuple[tuple[str, int], ...] = (("S", 0), ("F", 0))
    adjustment_letter: str = "W"
    cycle_years: int = 1


@dataclass(slots=True)
class Draft:
    """A whole map, and what an import finds out on the way.

    Attributes:
        faults: what is wrong with the files; with any of them nothing is written.
        left_out: what the files say and our variants cannot.
        assumed: what the files do not say, or say otherwise than we write it.
        areas: by key, in the order of the file.
        unread: areas with a line of ways that could not be read; ways that are missing there are
            no faults of their own.
    """

    faults: list[Finding] = field(default_factory=list)
    left_out: list[Finding] = field(default_factory=list)
    assumed: list[Finding] = field(default_factory=list)
    areas: dict[str, Area] = field(default_factory=dict)
    army: Ways = field(default_factory=dict)
    fleet: Ways = field(default_factory=dict)
    powers: list[PowerDraft] = field(default_factory=list)
    opening: Opening | None = None
    calendar: CalendarDraft = CalendarDraft()
    victory: int | None = None
    builds_anywhere: bool = False
    unread: set[str] = field(default_factory=set)

    def fault(self, text: str, place: Place | None = None) -> None:
        self.faults.append(Finding(text, place))

    def leave_out(self, text: str, place: Place | None = None) -> None:
        self.left_out.append(Finding(text, place))

    def assume(self, text: str, place: Place | None = None) -> None:
        self.assumed.append(Finding(text, place))

    def coasts(self, area: str) -> tuple[str, ...]:
        """The named coasts of an area, in the order of `COASTS`."""
        named = {site.coast for site in self.fleet if site.area == area}
        return tuple(coast for coast in COASTS if coast in named)

    def has_fleets(self, area: str) -> bool:
        """Whether fleets go to or from the area."""
        return any(site.area == area and ways for site, ways in self.fleet.items())

    def linked(self) -> set[str]:
        """The areas from or to which any unit goes."""
        ways = [*self.army.items(), *self.fleet.items()]
        origins = {site.area for site, targets in ways if targets}
        return origins | {target.area for _, targets in ways for target in targets}

    def center_count(self) -> int:
        return sum(area.is_center for area in self.areas.values())

    def phase(self) -> str:
        """The first phase as our labels are, `S1901M`."""
        assert self.opening is not None
        return f"{self.opening.letter}{self.opening.year}{self.opening.kind}"
