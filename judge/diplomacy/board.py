"""The board as a graph: provinces, their coasts, and where armies and fleets may go.

Knows nothing of positions, orders or rules. All queries answer from tables made once per board.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import msgspec

from judge.diplomacy.orders import Coast, Location, ProvinceId, UnitKind

_MEMO_TEXTS = 1 << 12  # written locations that are kept; a board has about a hundred


class Terrain(StrEnum):
    """What a province is; `CLOSED` ones nobody may enter."""

    LAND = "land"
    COAST = "coast"
    SEA = "sea"
    CLOSED = "closed"


class Province(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"terrain": "kind", "is_center": "center"},
):
    """One area of the board, as the files of variants have it."""

    id: ProvinceId
    name: str  # the English name, by which ties are broken (DATC 4.D.8)
    terrain: Terrain
    coasts: tuple[Coast, ...] = ()  # its named coasts, empty for nearly all
    is_center: bool = False  # whether it is a supply center
    aliases: tuple[str, ...] = ()  # other names and short forms, upper case


def province_id(text: str) -> ProvinceId:
    """The id as an interned text, which tables find faster."""
    return ProvinceId(sys.intern(text))


@lru_cache(maxsize=_MEMO_TEXTS)
def parse_location(text: str) -> Location:
    """The location written canonically, `SPA/NC`; it need not be on a board. Raises ValueError: the
    coast is none of the four."""
    province, slash, coast = text.partition("/")
    return Location(province_id(province), Coast(coast) if slash else None)


def province_of(place: str) -> str:
    """`SPA` of `SPA/NC`."""
    return place.partition("/")[0]


_Spot = str  # where a unit stands, as it is written: texts are found faster than a `Location`
_Ways = dict[_Spot, tuple[Location, ...]]


def _spot(place: Location) -> _Spot:
    return place.province if place.coast is None else str(place)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Board:
    """Provinces and the ways between them. Made by `make_board`; compared by identity."""

    provinces: dict[ProvinceId, Province]  # by id, in the order of their ids
    # Every other name of a location (upper case), including names of named coasts.
    aliases: Mapping[str, Location]
    # Short forms with more than one reading, and what they may mean.
    ambiguous: Mapping[str, tuple[Location, ...]]
    # For each province an army can stand in, the provinces it may go to.
    army_ways: Mapping[ProvinceId, tuple[ProvinceId, ...]]
    # For each location a fleet can stand in, the locations it may go to.
    fleet_ways: Mapping[Location, tuple[Location, ...]]
    # The provinces that an army or a fleet reaches from each in one step.
    touching: Mapping[ProvinceId, frozenset[ProvinceId]]
    centers: tuple[ProvinceId, ...]  # the supply centers, in the order of their ids
    _stands: dict[UnitKind, dict[ProvinceId, tuple[Location, ...]]]
    _ways: dict[UnitKind, _Ways]
    # By kind of unit and where it stands: the provinces that it reaches in one step, and where.
    reached_from: dict[UnitKind, dict[_Spot, dict[ProvinceId, tuple[Location, ...]]]]

    def possible_locations(self, kind: UnitKind, province: ProvinceId) -> tuple[Location, ...]:
        """The locations in a province where such a unit can stand: none, one, or one a coast."""
        return self._stands[kind].get(province, ())

    def adjacent_locations(self, kind: UnitKind, origin: Location) -> tuple[Location, ...]:
        """Where such a unit may go in one step without convoy, in order; empty if it cannot stand
        at `origin`."""
        return self._ways[kind].get(_spot(origin), ())

    def reachable_locations(
        self, kind: UnitKind, origin: Location, province: ProvinceId
    ) -> tuple[Location, ...]:
        """The locations in `province` that such a unit reaches in one step: two where a fleet may
        choose between coasts, none if it cannot go there."""
        return self.reached_from[kind].get(_spot(origin), {}).get(province, ())

    def is_adjacent(self, kind: UnitKind, origin: Location, province: ProvinceId) -> bool:
        """Whether such a unit may go to that province, to any coast of it, in one step."""
        return province in self.reached_from[kind].get(_spot(origin), {})

    def is_sea(self, province: ProvinceId) -> bool:
        """Whether it is open sea, where fleets convoy."""
        return self.provinces[province].terrain is Terrain.SEA

    def is_coastal(self, province: ProvinceId) -> bool:
        """Whether armies can be embarked and landed there."""
        return self.provinces[province].terrain is Terrain.COAST


def make_board(
    provinces: Iterable[Province],
    army: Mapping[ProvinceId, tuple[ProvinceId, ...]],
    fleet: Mapping[Location, tuple[Location, ...]],
    *,
    coast_aliases: Mapping[str, Location],
    ambiguous: Mapping[str, tuple[Location, ...]],
) -> Board:
    """A board with all its tables. The data must be sound: `variants/` checks it before."""
    by_id = {province.id: province for province in sorted(provinces, key=lambda each: each.id)}
    aliases = dict(coast_aliases)
    for province in by_id.values():
        aliases |= {alias: Location(province.id) for alias in province.aliases}
        aliases.setdefault(province.name.upper(), Location(province.id))
    ways: dict[UnitKind, _Ways] = {
        UnitKind.ARMY: {
            origin: tuple(Location(target) for target in sorted(targets))
            for origin, targets in army.items()
        },
        UnitKind.FLEET: {
            _spot(place): tuple(sorted(places, key=str)) for place, places in fleet.items()
        },
    }
    standing = {
        UnitKind.ARMY: [
            Location(each.id)
            for each in by_id.values()
            if each.terrain in (Terrain.LAND, Terrain.COAST)
        ],
        UnitKind.FLEET: [
            Location(each.id, coast)
            for each in by_id.values()
            if each.terrain in (Terrain.SEA, Terrain.COAST)
            for coast in each.coasts or (None,)
        ],
    }
    touching: dict[ProvinceId, set[ProvinceId]] = {each: set() for each in by_id}
    for origin, targets in army.items():
        touching[origin].update(targets)
    for place, places in fleet.items():
        touching[place.province].update(each.province for each in places)
    return Board(
        provinces=by_id,
        aliases=aliases,
        ambiguous=dict(ambiguous),
        army_ways={origin: tuple(sorted(targets)) for origin, targets in army.items()},
        fleet_ways={place: ways[UnitKind.FLEET][_spot(place)] for place in fleet},
        touching={each: frozenset(others) for each, others in touching.items()},
        centers=tuple(province.id for province in by_id.values() if province.is_center),
        _stands={kind: _by_province(places) for kind, places in standing.items()},
        _ways=ways,
        reached_from={
            kind: {at: _by_province(places) for at, places in found.items()}
            for kind, found in ways.items()
        },
    )


def _by_province(places: Iterable[Location]) -> dict[ProvinceId, tuple[Location, ...]]:
    found: dict[ProvinceId, tuple[Location, ...]] = {}
    for place in places:
        found[place.province] = (*found.get(place.province, ()), place)
    return found
