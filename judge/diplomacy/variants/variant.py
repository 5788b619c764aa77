"""Variants: a board, its powers, calendar and victory, read from a folder of its own.

The loader checks all the data and reports every fault at once, each with its file and line. It
knows nothing of positions or orders.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from judge.data import variant_folders
from judge.diplomacy.board import Board, Province, Terrain, make_board, parse_location, province_id
from judge.diplomacy.building_rule import Builds
from judge.diplomacy.calendar import Calendar, Phase, parse_phase
from judge.diplomacy.canal import Canal
from judge.diplomacy.ends import Ends, Tie, Undecided
from judge.diplomacy.hooks import Hook
from judge.diplomacy.orders import Coast, PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.railway import Railway
from judge.diplomacy.variants.faults import calendar_of, variant_faults
from judge.diplomacy.variants.files import Document, VariantFault, VariantText, read_variant
from judge.diplomacy.variants.players_table import (
    PlayersTable,
    SeatPowers,
    VictoryBy,
    read_tables,
    seat_of_powers,
)

_BOARDS: dict[str, tuple[Mapping[str, Any], Board]] = {}  # with the data that each was made from
OWN_ORDERS = ("railway", "canal")  # orders that only a variant with such a thing has


@dataclass(frozen=True, slots=True)
class Power:
    """One of the sides on the board.

    Attributes:
        names: all its English names that players write.
        uncounted: centers that count neither for its units nor for its victory.
        start_centers: those that it owns at the start.
        builds, sites: the rule by which it builds, and the centers where that lets it, if it owns
            them.
        named_after: the province whose names it has, in every language; they mean the province
            where orders are read, and the power everywhere else.
        is_played: whether it is anybody's; if not, it only holds, and is no more than in the way.
    """

    id: PowerId
    name: str
    adjective: str
    letter: str
    home_centers: tuple[ProvinceId, ...]
    start_units: tuple[Unit, ...]
    names: tuple[str, ...]
    uncounted: frozenset[ProvinceId] = frozenset()
    start_centers: tuple[ProvinceId, ...] = ()
    builds: Builds = Builds.HOME
    sites: frozenset[ProvinceId] = frozenset()
    named_after: ProvinceId | None = None
    is_played: bool = True

    def count(self, owners: Mapping[ProvinceId, PowerId]) -> int:
        """How many of its centers count."""
        return sum(
            owner == self.id and center not in self.uncounted for center, owner in owners.items()
        )

    def may_build(self, owners: Mapping[ProvinceId, PowerId]) -> bool:
        """Whether it has what its rule asks for before it may build anywhere."""
        if self.builds is not Builds.ONE_HOME:
            return True
        return any(owners.get(center) == self.id for center in self.home_centers)


LocalNames = Mapping[str, Mapping[str, Mapping[str, list[str]]]]


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A center that one power does not count, for units or for victory; a game may choose it."""

    option: str
    center: ProvinceId
    power: PowerId


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """Everything about a variant that stays the same through a game. Compared by identity.

    Attributes:
        titles: what it is called, by language; English is always there.
        builds: where its powers build.
        local: names in other languages, by language, then table (`powers`, `provinces`, `orders`),
            then id.
        hooks: its own rules in movement phases.
        order_names: how its own orders are said in English, by what they use: a `railway`'s
            within an order, a `canal`'s as the first word of one.
        calendars: others that a game may choose, by the option's value.
        bridges: pairs of provinces between which a game may let armies and fleets go, likewise.
        uncounted: the center that a game may choose not to count for one power.
        tables: how fewer players share its powers, by their number; a game may choose one.
        seats: the powers of each player; empty where each has one of all.
        victory_by: whose centers are counted together.
        closed: provinces that nobody may enter.
        toss: the phase after which a coin says whose the powers become that nobody plays.
        ends: how a game ends beside the count that wins.
        base: the variant as it is usual, of which this one is a game's choice.
        power_ids: all powers, in the fixed order of everything that is listed.
        unplayed: powers that nobody plays.
        seating: the seats with their powers, in their fixed order.
    """

    name: str
    board: Board
    powers: tuple[Power, ...]
    calendar: Calendar
    victory_centers: int
    titles: Mapping[str, str] = field(default_factory=dict)
    builds: Builds = Builds.HOME
    local: "LocalNames" = field(default_factory=dict)
    hooks: tuple[Hook, ...] = ()
    order_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    bridges: Mapping[str, tuple[tuple[ProvinceId, ProvinceId], ...]] = field(default_factory=dict)
    uncounted: Uncounted | None = None
    tables: Mapping[str, PlayersTable] = field(default_factory=dict)
    seats: tuple[SeatPowers, ...] = ()
    victory_by: VictoryBy = VictoryBy.POWER
    closed: frozenset[ProvinceId] = frozenset()
    toss: Phase | None = None
    ends: Ends = field(default_factory=Ends)
    base: "Variant | None" = None
    power_ids: tuple[PowerId, ...] = field(init=False, repr=False)
    unplayed: frozenset[PowerId] = field(init=False, repr=False)
    seating: tuple[SeatPowers, ...] = field(init=False, repr=False)
    _by_id: dict[PowerId, Power] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        ids = tuple(power.id for power in self.powers)
        unplayed = frozenset(power.id for power in self.powers if not power.is_played)
        seating = self.seats or tuple(seat_of_powers((power,)) for power in ids)
        object.__setattr__(self, "power_ids", ids)
        object.__setattr__(self, "unplayed", unplayed)
        object.__setattr__(self, "seating", seating)
        object.__setattr__(self, "_by_id", {power.id: power for power in self.powers})

    @property
    def named(self) -> "Variant":
        """The variant that has the same names, whatever a game has chosen: what is worked out from
        them is kept by it."""
        return self.base or self

    def power(self, power: PowerId) -> Power:
        """Raises KeyError: no such power (a bug, or input that was not checked)."""
        return self._by_id[power]


def has_named_powers(variant: Variant) -> bool:
    """Whether orders can name powers: not where these are called like provinces."""
    return all(power.named_after is None for power in variant.powers)


class NoVariant(LookupError):
    """There is no variant of that name; `known` lists those there are."""

    def __init__(self, written: str, known: tuple[str, ...]) -> None:
        super().__init__(written)
        self.written = written
        self.known = known


class FaultyVariant(ValueError):
    """A variant's data contradicts itself; `faults` say what and where."""

    def __init__(self, name: str, faults: tuple[VariantFault, ...]) -> None:
        super().__init__("\n".join((f"variant {name}:", *map(str, faults))))
        self.name = name
        self.faults = faults


def variant_names() -> tuple[str, ...]:
    """All variants: those that are shipped, the standard game first, then the keeper's own."""
    return tuple(variant_folders())


def load_variant(name: str) -> Variant:
    """The variant of that name, read once per process.

    Raises:
        NoVariant: there is nothing of that name.
        FaultyVariant: its data is not sound.
    """
    folders = variant_folders()
    if name not in folders:
        raise NoVariant(name, tuple(folders))
    return _load(name, str(folders[name]))


@lru_cache(maxsize=64)
def _load(name: str, folder: str) -> Variant:
    del folder  # a part of the key: a keeper's variants may change
    return make_variant(read_variant(name, variant_folders()))


def local_title(variant: str, language: str) -> str:
    """What a variant is called in a language; in English where it has no such name."""
    titles = load_variant(variant).titles
    return titles.get(language, titles["en"])


@lru_cache(maxsize=128)
def _local_names(variant: Variant, language: str) -> Mapping[str, str]:
    tables = variant.local.get(language, {})
    return {id_: names[0] for table in tables.values() for id_, names in table.items() if names}


def local_names(variant: str, language: str) -> Mapping[str, str]:
    """What powers and provinces are called in a language, by their ids: the first of the names in
    `names/<language>.toml`. Empty where a variant has no such names; English stands on the board.
    """
    return _local_names(load_variant(variant), language)


def make_variant(text: VariantText) -> Variant:
    """The variant that its files describe.

    Raises:
        FaultyVariant: they are not sound.
    """
    faults = variant_faults(text)
    if faults or not text.is_sound:
        raise FaultyVariant(text.name, faults)
    board = _board_of(text)
    return with_builds(_read_variant(text, board), None)


def with_builds(variant: Variant, builds: Builds | None) -> Variant:
    """The variant whose powers build by that rule; None for its own."""
    rule = builds or variant.builds
    homes = frozenset(home for power in variant.powers for home in power.home_centers)
    every = {
        Builds.HOME: None,
        Builds.ANY_HOME: homes,
        Builds.ONE_HOME: frozenset(variant.board.centers),
        Builds.ANY: frozenset(variant.board.centers),
    }[rule]
    powers = tuple(
        replace(power, builds=rule, sites=frozenset(power.home_centers) if every is None else every)
        for power in variant.powers
    )
    return replace(variant, builds=rule, powers=powers)


# --- reading --------------------------------------------------------------------------------------


def _board_of(text: VariantText) -> Board:
    """The board, one object for all variants that share it: what is known of it is looked up by
    that."""
    if not text.board_key:
        return _read_board(text.board.data)
    known = _BOARDS.get(text.board_key)
    if known is None or known[0] != text.board.data:
        known = _BOARDS[text.board_key] = (text.board.data, _read_board(text.board.data))
    return known[1]


def _read_board(data: Mapping[str, Any]) -> Board:
    provinces = [
        Province(
            id=province_id(row["id"]),
            name=row["name"],
            terrain=Terrain(row["kind"]),
            coasts=tuple(Coast(coast) for coast in row.get("coasts", ())),
            is_center=row.get("center", False),
            aliases=tuple(row.get("aliases", ())),
        )
        for row in data["provinces"]
    ]
    coast_aliases = {
        alias: parse_location(place)
        for place, aliases in data.get("coast_aliases", {}).items()
        for alias in aliases
    }
    return make_board(
        provinces,
        {
            province_id(origin): tuple(province_id(target) for target in targets.split())
            for origin, targets in data["army"].items()
        },
        {
            parse_location(origin): tuple(parse_location(target) for target in targets.split())
            for origin, targets in data["fleet"].items()
        },
        coast_aliases=coast_aliases,
        ambiguous={
            alias: tuple(parse_location(place) for place in places)
            for alias, places in data.get("ambiguous_aliases", {}).items()
        },
    )


def _read_variant(text: VariantText, board: Board) -> Variant:
    data = text.variant.data
    uncounted = data.get("uncounted")
    calendar = calendar_of(data["calendar"])
    if "start" in data:
        calendar = replace(calendar, opening=parse_phase(data["start"]))
    return Variant(
        name=data["name"],
        board=board,
        powers=tuple(_read_power(row, board) for row in data["powers"]),
        calendar=calendar,
        victory_centers=data["victory_centers"],
        titles=data["titles"],
        builds=Builds(data.get("builds", Builds.HOME)),
        local=_read_names(text),
        hooks=tuple(_read_hooks(data)),
        order_names={key: tuple(data[key]["names"]) for key in OWN_ORDERS if key in data},
        calendars={key: calendar_of(each) for key, each in data.get("calendars", {}).items()},
        bridges={
            key: tuple(map(_read_pair, each)) for key, each in data.get("bridges", {}).items()
        },
        uncounted=Uncounted(**uncounted) if uncounted else None,
        ends=_read_ends(data.get("ends", {})),
        tables=read_tables(data),
    )


def _read_ends(row: Mapping[str, Any]) -> Ends:
    usual = Ends()
    return Ends(
        Tie(row.get("tie", usual.tie)),
        row.get("last_year", usual.last_year),
        row.get("quiet_years", usual.quiet_years),
        Undecided(row.get("undecided", usual.undecided)),
    )


def _read_pair(text: str) -> tuple[ProvinceId, ProvinceId]:
    one, other = text.split()
    return ProvinceId(one), ProvinceId(other)


def _read_hooks(data: Mapping[str, Any]) -> Iterator[Hook]:
    if canal := data.get("canal"):
        one, other = canal["ends"]
        yield Canal(ProvinceId(canal["keeper"]), (ProvinceId(one), ProvinceId(other)))
    if railway := data.get("railway"):
        stations = tuple(ProvinceId(station) for station in railway["stations"])
        yield Railway(stations, frozenset(PowerId(power) for power in railway["powers"]))


def _read_power(row: Mapping[str, Any], board: Board) -> Power:
    power = PowerId(sys.intern(row["id"]))
    after = province_id(row["named_after"]) if "named_after" in row else None
    if after is not None:
        province = board.provinces[after]
        name = adjective = province.name
        aliases = [after, *province.aliases]
    else:
        name, adjective, aliases = row["name"], row["adjective"], row.get("aliases", [])
    homes = tuple(province_id(center) for center in row["home_centers"])
    owned = row.get("start_centers", homes)
    return Power(
        id=power,
        name=name,
        adjective=adjective,
        letter=row["letter"],
        home_centers=homes,
        start_units=tuple(parse_unit(power, text) for text in row.get("start_units", ())),
        names=tuple(dict.fromkeys((row["id"], name, adjective, *aliases))),
        start_centers=tuple(province_id(center) for center in owned),
        named_after=after,
    )


def _read_names(text: VariantText) -> LocalNames:
    """Names by language; a power that is named after a province has its."""
    after = {
        row["id"]: row["named_after"] for row in text.variant.data["powers"] if "named_after" in row
    }
    return {language: _names_of(document, after) for language, document in text.names.items()}


def _names_of(document: Document, after: Mapping[str, str]) -> Mapping[str, Any]:
    provinces = document.data["provinces"]
    called = {power: provinces[place] for power, place in after.items() if place in provinces}
    return {**document.data, "powers": {**document.data["powers"], **called}}


def parse_unit(power: PowerId, text: str) -> Unit:
    """The unit written canonically, `F STP/SC`; pair of `str(unit)`.

    Raises:
        ValueError: it has another form.
    """
    kind, space, place = text.partition(" ")
    if not space:
        raise ValueError(f"{text!r} is no unit; one looks like A PAR or F STP/SC")
    return Unit(power, UnitKind(kind), parse_location(place))
