"""What the readers of all formats make of a map: one plain value, in the map's own abbreviations.

With it goes what an import finds out on the way, each finding with its file and line. What is wrong
with a map as a whole is found at the end. Knows no format, and not how our variants write any of
this.
"""

import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from judge.data import read_text
from judge.diplomacy.board import Terrain
from judge.diplomacy.variants.files import Place, VariantFault

Finding = VariantFault  # one thing found; `str()` is what an operator reads
COASTS = ("nc", "ec", "sc", "wc")  # those that our boards have


def config_of_format(format_name: str) -> Mapping[str, Any]:
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
    """One power; None is what the file does not say."""

    name: str
    place: Place
    adjective: str | None = None
    letter: str | None = None
    homes: dict[str, Place] = {}  # its home centers, with their lines
    centers: dict[str, Place] | None = None  # those that it owns at the start, likewise
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
    # Areas with a line of ways that could not be read: missing ways are no further fault there.
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

    def linked_areas(self) -> set[str]:
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


# --- checks of the whole map ----------------------------------------------------------------------


def check(draft: Draft) -> None:
    """Note what is wrong with the draft. Areas that no unit can enter become closed; a province
    with one named coast has one without a name."""
    for area in draft.areas.values():
        coasts, whole = draft.coasts(area.key), Site(area.key)
        if len(coasts) != 1 or whole in draft.fleet:
            continue
        named = Site(area.key, coasts[0])
        draft.fleet[whole] = draft.fleet.pop(named)
        for targets in draft.fleet.values():
            if named in targets:
                targets[whole] = targets.pop(named)
        for power in draft.powers:
            power.units = [
                replace(unit, site=whole) if unit.site == named else unit for unit in power.units
            ]
        draft.assume(f"{area.name}: {named} is its only coast, which needs no name", area.place)

    linked, names = draft.linked_areas(), dict[str, Area]()
    for area in draft.areas.values():
        if area.key not in linked:
            if area.kind is not Terrain.CLOSED:
                draft.assume(f"{area.name}: no way leads there; it is closed", area.place)
                area.kind = Terrain.CLOSED
            if area.is_center:
                draft.fault(f"{area.name} is a center, but no way leads there", area.place)
        coasts, of_whole = draft.coasts(area.key), draft.fleet.get(Site(area.key))
        if of_whole is not None and coasts:
            text = f"fleets have ways from {area.key} and from {area.key}/{coasts[0]}; keep one"
            draft.fault(text, next(iter(of_whole.values()), area.place))
        other = names.setdefault(area.name.casefold(), area)
        if other is not area:
            draft.fault(f"two areas are called {area.name} (line {other.place.line})", area.place)
    _check_ways(draft, draft.army, "armies")
    _check_ways(draft, draft.fleet, "fleets")
    _check_powers(draft)


def _check_ways(draft: Draft, ways: Ways, who: str) -> None:
    for origin, targets in ways.items():
        for target, place in targets.items():
            area, coasts = draft.areas[target.area], draft.coasts(target.area)
            is_read = target.area not in draft.unread
            wrong = ""
            if who == "armies" and area.kind is Terrain.SEA:
                wrong = ", which is water"
            elif who == "fleets" and coasts and target.coast is None:
                there = ", ".join(f"{target.area}/{coast}" for coast in coasts)
                wrong = f" without a coast; there are {there}"
            elif target.coast and target.coast not in coasts and is_read:
                wrong = ", but no line says where fleets go from there"
            elif origin not in ways.get(target, {}) and is_read:
                wrong = ", but not back"
            if wrong:
                draft.fault(f"{who} go from {origin} to {target}{wrong}", place)


def _check_powers(draft: Draft) -> None:
    starts_with_builds = draft.opening is not None and draft.opening.kind == "A"
    letters: dict[str, PowerDraft] = {}
    taken: dict[str, StartUnit] = {}
    for power in draft.powers:
        if not power.homes:
            draft.fault(f"{power.name} has no home center", power.place)
        if not power.units and not starts_with_builds:
            draft.fault(f"{power.name} has no units at the start", power.place)
        if power.letter and (other := letters.setdefault(power.letter, power)) is not power:
            text = f"{power.name} has the letter {power.letter} of {other.name}"
            draft.fault(text, power.place)
        for unit in power.units:
            before = taken.setdefault(unit.site.area, unit)
            if before is not unit:
                text = f"{unit.kind} {unit.site} stands where {before.kind} {before.site} does"
                draft.fault(f"{text} ({before.place})", unit.place)
            area, coasts = draft.areas[unit.site.area], draft.coasts(unit.site.area)
            wrong = ""
            if unit.kind == "A" and area.kind is not Terrain.LAND:
                wrong = f"no army can stand in {area.name}"
            elif unit.kind == "A":
                wrong = f"{unit.site}: an army stands on no coast" if unit.site.coast else ""
            elif not draft.has_fleets(area.key):
                wrong = f"no fleet can stand in {area.name}"
            elif unit.site.coast is None and len(coasts) > 1:
                wrong = f"a fleet in {area.name} stands on a coast: {', '.join(coasts)}"
            elif unit.site.coast is not None and unit.site.coast not in coasts:
                known = ", ".join(coasts) or "none"
                wrong = f"{area.name} has no coast {unit.site.coast}; there are {known}"
            if wrong:
                draft.fault(wrong, unit.place)
