"""Variants: a board, its powers, calendar and victory, read from `config/variants/<name>/`.

The loader checks all the data and reports every fault at once, each with its file and place. It
knows nothing of positions or orders.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from judge.data import read_text, shipped
from judge.diplomacy.board import Board, Province, Terrain, make_board, parse_location, province_id
from judge.diplomacy.calendar import Calendar, Turn
from judge.diplomacy.canal import Canal
from judge.diplomacy.ends import Ends
from judge.diplomacy.hooks import Hook
from judge.diplomacy.orders import Coast, PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.railway import Railway
from judge.diplomacy.variant_faults import data_faults

OWN_ORDERS = ("railway", "canal")  # orders that only a variant with such a thing has


@dataclass(frozen=True, slots=True)
class Power:
    """One of the sides on the board. `names` are all its names that players write; `uncounted` are
    centers that count neither for its units nor for its victory."""

    id: PowerId
    name: str
    adjective: str
    letter: str
    home_centers: tuple[ProvinceId, ...]
    start_units: tuple[Unit, ...]
    names: tuple[str, ...]
    uncounted: frozenset[ProvinceId] = frozenset()

    def count(self, owners: Mapping[ProvinceId, PowerId]) -> int:
        """How many of its centers count."""
        return sum(
            owner == self.id and center not in self.uncounted for center, owner in owners.items()
        )


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A center that one power does not count, for units or for victory; a game may choose it."""

    option: str
    center: ProvinceId
    power: PowerId


@dataclass(frozen=True, eq=False)
class Variant:
    """Everything about a variant that stays the same through a game. Compared by identity.

    Attributes:
        hooks: its own rules in movement phases.
        order_names: how its own orders are said in English, by what they use: a `railway`'s
            within an order, a `canal`'s as the first word of one.
        calendars: others that a game may choose, by the option's value.
        bridges: pairs of provinces between which a game may let armies and fleets go, likewise.
        uncounted: the center that a game may choose not to count for one power.
        ends: how a game ends beside the count that wins.
    """

    name: str
    board: Board
    powers: tuple[Power, ...]
    calendar: Calendar
    victory_centers: int
    hooks: tuple[Hook, ...] = ()
    order_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    bridges: Mapping[str, tuple[tuple[ProvinceId, ProvinceId], ...]] = field(default_factory=dict)
    uncounted: Uncounted | None = None
    ends: Ends = field(default_factory=Ends)

    def power(self, power: PowerId) -> Power:
        """Raises KeyError: no such power (a bug, or input that was not checked)."""
        for each in self.powers:
            if each.id == power:
                return each
        raise KeyError(power)

    @cached_property
    def power_ids(self) -> tuple[PowerId, ...]:
        """All powers, in the fixed order of everything that is listed."""
        return tuple(power.id for power in self.powers)


class NoVariant(KeyError):
    """There is no variant of that name; `known` lists those there are."""

    def __init__(self, written: str, known: tuple[str, ...]) -> None:
        super().__init__(written)
        self.written = written
        self.known = known


class FaultyVariant(ValueError):
    """A variant's data contradicts itself; `faults` say what and where, one sentence each."""

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join((f"variant {name}:", *faults)))
        self.faults = faults


def variant_names() -> tuple[str, ...]:
    """All variants that are shipped, the standard game first."""
    names = [each.name for each in shipped("config", "variants").iterdir() if each.is_dir()]
    return tuple(sorted(names, key=lambda name: (name != "standard", name)))


@lru_cache(maxsize=16)
def load_variant(name: str) -> Variant:
    """The variant of that name, read once per process.

    Raises:
        NoVariant: nothing of that name is shipped.
        FaultyVariant: its data is not sound.
    """
    if name not in variant_names():
        raise NoVariant(name, variant_names())
    folder = ("config", "variants", name)
    data = tomllib.loads(read_text(*folder, "variant.toml"))
    return make_variant(data, tomllib.loads(read_text(*folder, data["board"])))


@lru_cache(maxsize=64)
def local_names(variant: str, language: str) -> Mapping[str, str]:
    """What powers and provinces are called in a language, by their ids: the first of the names in
    `names/<language>.toml`. Empty where a variant has no such names; English stands on the board.
    """
    try:
        text = read_text("config", "variants", variant, "names", f"{language}.toml")
    except FileNotFoundError:
        return {}
    tables = tomllib.loads(text)
    return {id_: names[0] for table in tables.values() for id_, names in table.items() if names}


def make_variant(data: Mapping[str, Any], board_data: Mapping[str, Any]) -> Variant:
    """The variant that two parsed files describe: the variant's own, and its board's.

    Raises:
        FaultyVariant: they are not sound.
    """
    faults = tuple(data_faults(data, board_data))
    if faults:
        raise FaultyVariant(str(data["name"]), faults)
    board = _read_board(board_data)
    variant = _read_variant(data, board)
    faults = tuple(_variant_faults(variant))
    if faults:
        raise FaultyVariant(variant.name, faults)
    return variant


# --- reading --------------------------------------------------------------------------------------


def _read_board(data: Mapping[str, Any]) -> Board:
    provinces = [
        Province(
            id=province_id(row["id"]),
            name=row["name"],
            terrain=Terrain(row["kind"]),
            coasts=tuple(Coast(coast) for coast in row.get("coasts", ())),
            is_center=row.get("center", False),
            aliases=tuple(row["aliases"]),
        )
        for row in data["provinces"]
    ]
    coast_aliases = {
        alias: parse_location(place)
        for place, aliases in data["coast_aliases"].items()
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
            for alias, places in data["ambiguous_aliases"].items()
        },
    )


def _read_variant(data: Mapping[str, Any], board: Board) -> Variant:
    uncounted = data.get("uncounted")
    return Variant(
        name=data["name"],
        board=board,
        powers=tuple(_read_power(row) for row in data["powers"]),
        calendar=_read_calendar(data["calendar"]),
        victory_centers=data["victory_centers"],
        hooks=tuple(_read_hooks(data)),
        order_names={key: tuple(data[key]["names"]) for key in OWN_ORDERS if key in data},
        calendars={key: _read_calendar(each) for key, each in data.get("calendars", {}).items()},
        bridges={
            key: tuple(map(_read_pair, each)) for key, each in data.get("bridges", {}).items()
        },
        uncounted=Uncounted(**uncounted) if uncounted else None,
    )


def _read_calendar(data: Mapping[str, Any]) -> Calendar:
    return Calendar(
        first_year=data["first_year"],
        cycle_years=data["cycle_years"],
        adjustment_letter=data["adjustment_letter"],
        turns=tuple(Turn(turn["letter"], turn["years_after"]) for turn in data["turns"]),
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


def _read_power(row: Mapping[str, Any]) -> Power:
    power = PowerId(sys.intern(row["id"]))
    return Power(
        id=power,
        name=row["name"],
        adjective=row["adjective"],
        letter=row["letter"],
        home_centers=tuple(province_id(center) for center in row["home_centers"]),
        start_units=tuple(parse_unit(power, text) for text in row["start_units"]),
        names=(row["id"], row["name"], row["adjective"], *row["aliases"]),
    )


def parse_unit(power: PowerId, text: str) -> Unit:
    """The unit written canonically, `F STP/SC`; pair of `str(unit)`.

    Raises:
        ValueError: it has another form.
    """
    kind, space, place = text.partition(" ")
    if not space:
        raise ValueError(f"{text!r} is no unit; one looks like A PAR or F STP/SC")
    return Unit(power, UnitKind(kind), parse_location(place))


# --- checking -------------------------------------------------------------------------------------


def _variant_faults(variant: Variant) -> Iterator[str]:
    board = variant.board
    letters: dict[str, PowerId] = {}
    homes: dict[ProvinceId, PowerId] = {}
    taken: dict[ProvinceId, PowerId] = {}
    for power in variant.powers:
        where = f"powers: {power.id}"
        if letters.setdefault(power.letter, power.id) != power.id:
            yield f"{where} has the letter {power.letter} of {letters[power.letter]}"
        for center in power.home_centers:
            if center not in board.centers:
                yield f"{where} has the home center {center}, which is no supply center"
            if homes.setdefault(center, power.id) != power.id:
                yield f"{where} has the home center {center} of {homes[center]}"
        for unit in power.start_units:
            if not board.may_stand(unit.kind, unit.location):
                yield f"{where} starts with {unit}, which cannot stand there"
            elif unit.location.province in taken:
                yield f"{where} starts with {unit}, where another unit stands"
            taken[unit.location.province] = power.id
    if not 0 < variant.victory_centers <= len(board.centers):
        yield f"victory_centers: {variant.victory_centers} of {len(board.centers)} centers"
