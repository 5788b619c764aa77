"""The tables of a variant's files: their keys, what each may hold, and what is wrong with a text.

Looks at one file at a time; what its values mean on a board is checked in faults.py.
"""

import difflib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from judge.diplomacy.board import Province
from judge.diplomacy.calendar import Cycle
from judge.diplomacy.orders import PowerId, ProvinceId
from judge.diplomacy.rules import Builds, Ends
from judge.toml_lines import Path


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a file. Keys with a default may be left out."""


# --- variant.toml ---------------------------------------------------------------------------------


class PowerTable(Table, frozen=True):
    """One of `[[powers]]`. Where `named_after` is a province, the power has all its names."""

    id: PowerId
    letter: str
    home_centers: tuple[ProvinceId, ...]
    name: str = ""
    adjective: str = ""
    aliases: tuple[str, ...] = ()
    named_after: ProvinceId | None = None
    start_units: tuple[str, ...] = ()
    start_centers: tuple[ProvinceId, ...] | None = None

    @property
    def owned(self) -> tuple[ProvinceId, ...]:
        """The centers that it owns at the start."""
        return self.home_centers if self.start_centers is None else self.start_centers


class VictoryBy(StrEnum):
    """Whose centers are counted together for a win."""

    POWER = "power"  # one power's; its player wins
    PLAYER = "player"  # those of all powers of a player


class PlayersTable(Table, frozen=True):
    """How a number of players shares the powers, `[players.4]`; a game may choose it."""

    # The powers of each player; left out, each has one of those that are not out.
    seats: tuple[tuple[PowerId, ...], ...] | None = None
    # Powers that nobody plays: they hold, and are disbanded instead of retreating.
    out: tuple[PowerId, ...] = ()
    # Provinces that nobody may enter while those powers are out.
    closed: tuple[ProvinceId, ...] = ()
    # The phase after which a coin says which of the seats gets the powers that are out.
    toss: str | None = None
    start: str | None = None  # the phase a game begins with, if another than usual
    victory_centers: int | None = None  # how many win, if another number than usual
    victory_by: VictoryBy = VictoryBy.POWER

    def seats_among(self, powers: tuple[PowerId, ...]) -> tuple[tuple[PowerId, ...], ...]:
        """The powers of each player, of a variant with these powers."""
        if self.seats is not None:
            return self.seats
        return tuple((power,) for power in powers if power not in self.out)


class Uncounted(Table, frozen=True):
    """A center that one power does not count, for units or for victory; a game may choose it."""

    option: str
    center: ProvinceId
    power: PowerId


class RailwayTable(Table, frozen=True):
    stations: tuple[ProvinceId, ...]
    powers: tuple[PowerId, ...]
    names: tuple[str, ...]


class CanalTable(Table, frozen=True):
    """`keeper` is the province beside it, `ends` the seas that it joins."""

    keeper: ProvinceId
    ends: tuple[ProvinceId, ...]
    names: tuple[str, ...]


class VariantTables(Table, frozen=True):
    """`variant.toml`, complete with what it takes from the variant that it is based on."""

    name: str
    titles: dict[str, str]
    board: str
    victory_centers: int
    calendar: Cycle
    powers: tuple[PowerTable, ...]
    based_on: str | None = None
    leave_out: tuple[str, ...] = ()
    start: str | None = None
    builds: Builds = Builds.HOME
    ends: Ends = Ends()
    calendars: dict[str, Cycle] = {}
    bridges: dict[str, tuple[str, ...]] = {}
    players: dict[str, PlayersTable] = {}
    uncounted: Uncounted | None = None
    railway: RailwayTable | None = None
    canal: CanalTable | None = None

    @property
    def power_ids(self) -> tuple[PowerId, ...]:
        return tuple(power.id for power in self.powers)


class BoardTables(Table, frozen=True):
    """The file with the board. Locations are written as `STP/SC`, lists of them with spaces."""

    provinces: tuple[Province, ...]
    army: dict[str, str]
    fleet: dict[str, str]
    coast_aliases: dict[str, tuple[str, ...]] = {}
    ambiguous_aliases: dict[str, tuple[str, ...]] = {}


class NameTables(Table, frozen=True):
    """Names in one language by id, the one that letters print first. `orders` has those of
    `railway` and `canal`."""

    powers: dict[str, list[str]] = {}
    provinces: dict[str, list[str]] = {}
    orders: dict[str, list[str]] = {}


# --- what is wrong with them ----------------------------------------------------------------------

Tables = TypeVar("Tables", bound=Table)

NEEDED_IF_BASED = ("name", "titles", "id")  # of a variant that takes the rest from another
KINDS: Mapping[type, str] = {
    bool: "true or false",
    dict: "a table",
    int: "a whole number",
    list: "a list",
    str: "a text",
}
WRITTEN_AS: Mapping[type[inspect.Type], type] = {
    inspect.BoolType: bool,
    inspect.DictType: dict,
    inspect.EnumType: str,
    inspect.IntType: int,
    inspect.ListType: list,
    inspect.StrType: str,
    inspect.StructType: dict,
    inspect.VarTupleType: list,
}


_type_info = cache(inspect.type_info)


class TableFault(msgspec.Struct, frozen=True):
    """What is wrong at a path. `is_passable`: the rest of the file can be looked at without it."""

    path: Path
    text: str
    is_passable: bool = False


def decode(
    values: dict[str, Any],
    tables: type[Tables],
    *,
    is_partial: bool = False,
    lost_keys: frozenset[str] = frozenset(),
) -> tuple[dict[str, Any], Tables | None, list[TableFault]]:
    """The values that can be used, the tables that they make, and everything that is wrong.

    There are no tables if something is wrong that cannot be passed over, nor of a part.
    `is_partial`: what is missing comes from the variant that it is based on. `lost_keys` are on
    lines that cannot be read; they are not missing as well.
    """
    faults: list[TableFault] = []

    def usable(value: Any, info: inspect.Type, path: Path) -> Any:
        """The value without keys that nothing reads, and with a known word for an unknown one."""
        if isinstance(info, inspect.UnionType):  # a key that may be left out: None is not written
            (info,) = (each for each in info.types if not isinstance(each, inspect.NoneType))
        subject, kind = ".".join(part for part in path if isinstance(part, str)), type(value)
        where = f"{subject}: " if path else ""
        if kind is not WRITTEN_AS[type(info)]:
            written = "" if kind in (dict, list) else f" ({value!r})"
            text = f"{KINDS[WRITTEN_AS[type(info)]]}, not {KINDS.get(kind, 'a date or number')}"
            faults.append(TableFault(path, f"{subject} is {text}{written}"))
            return value
        match info:
            case inspect.StructType(fields=fields):
                known = {field.encode_name: field for field in fields}
                for key in (key for key in value if key not in known):
                    near = difflib.get_close_matches(key, known, 1)
                    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
                    text = f"{where}there is no key {key}; {hint}"
                    faults.append(TableFault((*path, key), text, is_passable=True))
                for key, field in known.items():
                    may_lack = not field.required or key in lost_keys
                    may_lack |= is_partial and key not in NEEDED_IF_BASED
                    if key not in value and not may_lack:
                        faults.append(TableFault(path, f"{where}{key} is missing"))
                pairs = ((key, one) for key, one in value.items() if key in known)
                return {key: usable(one, known[key].type, (*path, key)) for key, one in pairs}
            case inspect.DictType(value_type=each):
                return {key: usable(one, each, (*path, key)) for key, one in value.items()}
            case inspect.VarTupleType(item_type=each) | inspect.ListType(item_type=each):
                return [usable(one, each, (*path, at)) for at, one in enumerate(value)]
            case inspect.EnumType(cls=words) if value not in set(words):
                text = f'{where}there is no "{value}"; there are {", ".join(words)}'
                faults.append(TableFault(path, text, is_passable=True))
                return str(next(iter(words)))
        return value

    found = usable(values, _type_info(tables), ())
    if is_partial or lost_keys or not all(fault.is_passable for fault in faults):
        return found, None, faults
    return found, msgspec.convert(found, tables), faults
