"""Who may see what in a blind game, worked out anew from the stored JSON and the board's own file:
knows nothing of the program's visibility."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

BOARD = Path("config/variants/standard/board.toml")
Json = Any
Triple = tuple[str, str, str]  # power, kind, province


@cache
def neighbors() -> Mapping[str, frozenset[str]]:
    """The provinces beside each one, for armies or fleets, on any coast."""
    with BOARD.open("rb") as file:
        board = tomllib.load(file)
    beside: dict[str, set[str]] = {}
    for ways in (board["army"], board["fleet"]):
        for place, goals in ways.items():
            for goal in goals.split() if isinstance(goals, str) else goals:
                one, other = place.partition("/")[0], goal.partition("/")[0]
                beside.setdefault(one, set()).add(other)
                beside.setdefault(other, set()).add(one)
    return {one: frozenset(others) for one, others in beside.items()}


def units_in(position: Json) -> list[Triple]:
    """All units of a stored position or report, dislodged ones too."""
    found = [*position.get("units", []), *(one["unit"] for one in position.get("dislodged", []))]
    return [(one["power"], one["kind"], one["location"]["province"]) for one in found]


def seen_by(power: str, units: Iterable[Triple], owners: Mapping[str, str]) -> set[str]:
    """The provinces that a power sees."""
    own = {place for whose, _, place in units if whose == power}
    own |= {center for center, owner in owners.items() if owner == power}
    return own.union(*(neighbors()[one] for one in own))


class Allowed:
    """What a power may know of some positions: units, and owners of centers."""

    def __init__(self, power: str) -> None:
        self.power = power
        self.units: set[Triple] = set()
        self.owners: set[tuple[str, str]] = set()
        self.places: set[str] = set()

    def look(self, position: Json) -> None:
        """Add what the power sees in a position."""
        units, owners = units_in(position), position["owners"]
        seen = seen_by(self.power, units, owners)
        self.units |= {one for one in units if one[2] in seen}
        self.owners |= {(center, owner) for center, owner in owners.items() if center in seen}
        self.places |= seen

    def faults(self, told: Json, *, is_own: bool = False) -> Iterator[str]:
        """Whatever a value of a letter names that the power may not know."""
        if isinstance(told, list):
            for one in told:
                yield from self.faults(one, is_own=is_own)
        if not isinstance(told, dict):
            return
        for center, owner in (told.get("owners") or {}).items():
            if (center, owner) not in self.owners:
                yield f"{owner} owns {center}"
        if "center" in told and "after" in told:
            is_lost = told.get("before") == self.power  # who loses a center learns to whom
            for owner in () if is_lost else (told["after"], told.get("before")):
                if owner and (told["center"], owner) not in self.owners:
                    yield f"{owner} owned {told['center']}"
        place = told["location"]["province"] if isinstance(told.get("location"), dict) else "?"
        if place != "?" and told.get("power") == "":
            place = "?"  # of a unit that the reader has named, and nobody has looked for
        if place != "?" and "power" in told:
            triple = (told["power"], told["kind"], place)
            if triple not in self.units and told["power"] != self.power:
                yield " ".join(triple)
        elif place != "?" and not is_own and place not in self.places:
            yield f"a unit in {place}"
        # Own orders stand as they were written, whatever they name.
        is_own = is_own or (told.get("power") == self.power and "order" in told)
        for value in told.values():
            yield from self.faults(value, is_own=is_own)
        for key in ("out", "disorder", "unordered", "waived"):
            named = told.get(key)  # a setting is called so too
            for power in named if isinstance(named, list) else ():
                if power != self.power:
                    yield f"{power} is {key}"
