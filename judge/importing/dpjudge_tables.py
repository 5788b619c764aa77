"""What the directives of a DPjudge map have said so far: the tables that later lines change.

Knows what a directive does to them, not how lines are written, and nothing of our variants.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from judge.importing.findings import Place


@dataclass(frozen=True, slots=True)
class Abut:
    """A neighbor as written; its letter case says who cannot go there."""

    written: str
    place: Place

    @property
    def id(self) -> str:
        return self.written.upper()

    @property
    def lets_fleets(self) -> bool:
        """Not if it begins with a small letter."""
        return not self.written[0].islower()

    @property
    def lets_armies(self) -> bool:
        """Not if only its first letter is a capital."""
        return not self.written[0].isupper() or self.written[1:] == self.written[1:].upper()


@dataclass(slots=True)
class Spot:
    """A place with its terrain and neighbors. `written` in small letters: no fleet stands there."""

    written: str
    terrain: str
    place: Place
    abuts: list[Abut] = field(default_factory=list)

    @property
    def takes_fleets(self) -> bool:
        return self.written == self.written.upper() and self.terrain not in ("LAND", "SHUT")


@dataclass(slots=True)
class NamedPlace:
    """The full name of a place and its other names; one with a question mark is unclear."""

    name: str
    words: list[str]
    place: Place


@dataclass(slots=True)
class PowerRow:
    """A power as its lines say it; `is_sure`: it has an own word, or units, so it is a power."""

    id: str
    name: str
    place: Place
    own: str | None = None
    letter: str | None = None
    homes: dict[str, Place] = field(default_factory=dict)
    owns: dict[str, Place] | None = None
    units: dict[str, tuple[str, str, Place]] = field(default_factory=dict)  # by province
    is_sure: bool = False


@dataclass(slots=True)
class Tables:
    """Everything that the lines have said. Ids are in capitals, with a coast as in `SPA/NC`."""

    names: dict[str, NamedPlace] = field(default_factory=dict)
    spots: dict[str, Spot] = field(default_factory=dict)
    powers: dict[str, PowerRow] = field(default_factory=dict)
    unowned: dict[str, Place] = field(default_factory=dict)
    victory: int | None = None
    begin: tuple[str, Place] | None = None
    flow: list[tuple[str, Place]] = field(default_factory=list)
    builds_anywhere: bool = False

    def centers(self) -> dict[str, Place]:
        """All supply centers: home centers, those owned at the start, and the rest."""
        found = dict(self.unowned)
        for power in self.powers.values():
            found = {**found, **power.homes, **(power.owns or {})}
        return found

    def drop(self, id_: str) -> bool:
        """Forget a place with its coasts; whether there was any."""
        gone = [each for each in {*self.names, *self.spots} if _is_of(each, id_)]
        for each in gone:
            self.names.pop(each, None)
            self.spots.pop(each, None)
        for spot in self.spots.values():
            spot.abuts = [abut for abut in spot.abuts if not _is_of(abut.id, id_)]
        for table in self._center_tables():
            table.pop(id_, None)
        for power in self.powers.values():
            power.units.pop(province_of(id_), None)
        return bool(gone)

    def set_spot(self, spot: Spot) -> None:
        """A later line for a place stands in place of the earlier one.

        A province that fleets may enter as such has no coasts any more.
        """
        before = self.spots.pop(spot.written.upper(), None)
        self.spots[spot.written.upper()] = spot
        if before is None or before.written == spot.written or not spot.takes_fleets:
            return
        for coast in [each for each in self.spots if each.startswith(f"{spot.written}/")]:
            del self.spots[coast]
            self.names.pop(coast, None)
            for other in self.spots.values():
                other.abuts = _swapped(other.abuts, coast, spot.written)

    def rename(self, old: str, new: str) -> bool:
        """Call a place by another id everywhere; whether there was such a place."""
        known = old in self.spots or old in self.names
        self.names.pop(old, None)
        for each in [each for each in self.spots if _is_of(each, old)]:
            spot = self.spots.pop(each)
            spot.written = _recased(spot.written, new + each[len(old) :])
            self.spots[new + each[len(old) :]] = spot
        for spot in self.spots.values():
            spot.abuts = [
                Abut(_recased(abut.written, new + abut.id[len(old) :]), abut.place)
                if _is_of(abut.id, old)
                else abut
                for abut in spot.abuts
            ]
        for table in self._center_tables():
            if old in table:
                table[new] = table.pop(old)
        for power in self.powers.values():
            if old in power.units:
                kind, site, place = power.units.pop(old)
                power.units[new] = (kind, new + site[len(old) :], place)
        return known

    def _center_tables(self) -> Iterator[dict[str, Place]]:
        yield self.unowned
        for power in self.powers.values():
            yield power.homes
            if power.owns is not None:
                yield power.owns


def province_of(id_: str) -> str:
    """The province of an id, without its coast."""
    return id_.partition("/")[0]


def _is_of(id_: str, place: str) -> bool:
    return id_ == place or id_.startswith(f"{place}/")


def _swapped(abuts: list[Abut], coast: str, province: str) -> list[Abut]:
    """The neighbors with the province in place of its coast, once."""
    swapped = [
        Abut(_recased(abut.written, province), abut.place) if abut.id == coast else abut
        for abut in abuts
    ]
    return list({abut.id: abut for abut in reversed(swapped)}.values())[::-1]


def _recased(before: str, after: str) -> str:
    """`after` in the letter case of `before`."""
    if before == before.upper():
        return after
    return after.capitalize() if before[0].isupper() else after.lower()
