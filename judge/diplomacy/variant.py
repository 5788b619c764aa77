"""Variants: a board, its powers, calendar and victory, read from `config/variants/<name>/`.

The loader checks all the data and reports every fault at once, each with its file and place. It
knows nothing of positions or orders.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from judge.data import read_text, shipped
from judge.diplomacy.board import Board, Province, Terrain, make_board, parse_location
from judge.diplomacy.calendar import Calendar, Turn
from judge.diplomacy.hooks import Hook
from judge.diplomacy.orders import Coast, PowerId, ProvinceId, Unit, UnitKind


@dataclass(frozen=True, slots=True)
class Power:
    """One of the sides on the board. `names` are all its names that players write."""

    id: PowerId
    name: str
    adjective: str
    letter: str
    home_centers: tuple[ProvinceId, ...]
    start_units: tuple[Unit, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Variant:
    """Everything about a variant that stays the same through a game. Compared by identity.

    `hooks` are its own rules in movement phases.
    """

    name: str
    board: Board
    powers: tuple[Power, ...]
    calendar: Calendar
    victory_centers: int
    hooks: tuple[Hook, ...] = ()

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
    faults = tuple(_board_faults(board_data))
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
            id=ProvinceId(row["id"]),
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
            ProvinceId(origin): tuple(ProvinceId(target) for target in targets.split())
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
    calendar = data["calendar"]
    return Variant(
        name=data["name"],
        board=board,
        powers=tuple(_read_power(row) for row in data["powers"]),
        calendar=Calendar(
            first_year=calendar["first_year"],
            cycle_years=calendar["cycle_years"],
            adjustment_letter=calendar["adjustment_letter"],
            turns=tuple(Turn(turn["letter"], turn["years_after"]) for turn in calendar["turns"]),
        ),
        victory_centers=data["victory_centers"],
    )


def _read_power(row: Mapping[str, Any]) -> Power:
    power = PowerId(row["id"])
    return Power(
        id=power,
        name=row["name"],
        adjective=row["adjective"],
        letter=row["letter"],
        home_centers=tuple(ProvinceId(center) for center in row["home_centers"]),
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


def _board_faults(data: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a board's data, one sentence each with its place in the file."""
    stands: dict[str, set[str]] = {"army": set(), "fleet": set()}
    seen: set[str] = set()
    for row in data["provinces"]:
        if row["id"] in seen:
            yield f"provinces: {row['id']} stands there twice"
        seen.add(row["id"])
        if row["kind"] not in set(Terrain):
            yield f"provinces: {row['id']} is a {row['kind']}, which is no kind of province"
        if row["kind"] in (Terrain.LAND, Terrain.COAST):
            stands["army"].add(row["id"])
        if row["kind"] in (Terrain.SEA, Terrain.COAST):
            stands["fleet"] |= {f"{row['id']}/{c}" for c in row.get("coasts", ())} or {row["id"]}
        if row.get("coasts") and row["kind"] != Terrain.COAST:
            yield f"provinces: {row['id']} has coasts but is {row['kind']}"
        if row.get("center") and row["kind"] not in (Terrain.LAND, Terrain.COAST):
            yield f"provinces: {row['id']} is a supply center on {row['kind']}"
    for kind in ("army", "fleet"):
        yield from _way_faults(kind, data[kind], stands[kind])
    yield from _alias_faults(data, seen)


def _way_faults(kind: str, ways: Mapping[str, str], stands: set[str]) -> Iterator[str]:
    for origin, listed in ways.items():
        if origin not in stands:
            yield f"{kind}: no {kind} can stand in {origin}"
        for target in listed.split():
            if target not in stands:
                yield f"{kind}: {origin} leads to {target}, where no {kind} can stand"
            elif target == origin:
                yield f"{kind}: {origin} leads to itself"
            elif origin not in ways.get(target, "").split():
                yield f"{kind}: {origin} leads to {target}, but {target} not to {origin}"
    for place in sorted(stands - set(ways)):
        yield f"{kind}: {place} leads nowhere"


def _alias_faults(data: Mapping[str, Any], provinces: set[str]) -> Iterator[str]:
    meanings: dict[str, str] = {}
    for row in data["provinces"]:
        for alias in row["aliases"]:
            if alias in provinces and alias != row["id"]:
                yield f"provinces: alias {alias} of {row['id']} is another province's id"
            if meanings.setdefault(alias, row["id"]) != row["id"]:
                yield f"provinces: alias {alias} means both {meanings[alias]} and {row['id']}"
    known = {
        f"{row['id']}{tail}"
        for row in data["provinces"]
        for tail in ("", *(f"/{coast}" for coast in row.get("coasts", ())))
    }
    for place in data["coast_aliases"]:
        if place not in known:
            yield f"coast_aliases: there is no {place}"
    for alias, places in data["ambiguous_aliases"].items():
        for place in places:
            if place not in known:
                yield f"ambiguous_aliases: {alias} may mean {place}, which does not exist"


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
