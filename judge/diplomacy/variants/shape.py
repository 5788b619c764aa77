"""What the files of a variant may hold: which keys each table has, and what kind of value each.

Looks at one parsed file at a time and at no meaning: what the values say of a board is the business
of variant_faults.py and board_faults.py.
"""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from judge.diplomacy.variants.toml_places import Path


@dataclass(frozen=True, slots=True)
class Table:
    """A table with fixed keys; those with a question mark may be left out."""

    keys: "Mapping[str, Shape]"


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of values of one kind."""

    each: "Shape"


@dataclass(frozen=True, slots=True)
class Named:
    """A table whose keys are names that the variant chooses."""

    each: "Shape"


Shape = type[str] | type[int] | type[bool] | Table | Listed | Named

TEXTS = Listed(str)
TURN = Table({"letter": str, "years_after": int})
CALENDAR = Table(
    {"first_year": int, "cycle_years": int, "adjustment_letter": str, "turns": Listed(TURN)}
)
POWER = Table(
    {
        "id": str,
        "letter": str,
        "home_centers": TEXTS,
        "name?": str,
        "adjective?": str,
        "aliases?": TEXTS,
        "named_after?": str,
        "start_units?": TEXTS,
        "start_centers?": TEXTS,
    }
)
PLAYERS = Table(
    {
        "seats?": Listed(TEXTS),
        "out?": TEXTS,
        "closed?": TEXTS,
        "toss?": str,
        "start?": str,
        "victory_centers?": int,
        "victory_by?": str,
    }
)
VARIANT = Table(
    {
        "name": str,
        "titles": Named(str),
        "board": str,
        "victory_centers": int,
        "calendar": CALENDAR,
        "powers": Listed(POWER),
        "based_on?": str,
        "leave_out?": TEXTS,
        "start?": str,
        "builds?": str,
        "ends?": Table({"tie?": str, "last_year?": int, "quiet_years?": int, "undecided?": str}),
        "calendars?": Named(CALENDAR),
        "bridges?": Named(TEXTS),
        "players?": Named(PLAYERS),
        "uncounted?": Table({"option": str, "center": str, "power": str}),
        "railway?": Table({"stations": TEXTS, "powers": TEXTS, "names": TEXTS}),
        "canal?": Table({"keeper": str, "ends": TEXTS, "names": TEXTS}),
    }
)
BOARD = Table(
    {
        "provinces": Listed(
            Table(
                {
                    "id": str,
                    "name": str,
                    "kind": str,
                    "aliases?": TEXTS,
                    "center?": bool,
                    "coasts?": TEXTS,
                }
            )
        ),
        "coast_aliases?": Named(TEXTS),
        "ambiguous_aliases?": Named(TEXTS),
        "army": Named(str),
        "fleet": Named(str),
    }
)
NAMES = Table({"powers?": Named(TEXTS), "provinces?": Named(TEXTS), "orders?": Named(TEXTS)})

NEEDED_IF_BASED = ("name", "titles", "id")  # of a variant that takes the rest from another
KINDS: Mapping[type, str] = {str: "a text", int: "a whole number", bool: "true or false"}


class ShapeFault(NamedTuple):
    """What is wrong at a path. `is_unread`: a key that nothing reads, so the rest can be used."""

    path: Path
    text: str
    is_unread: bool = False


def shape_faults(value: Any, shape: Shape, path: Path, *, is_based: bool) -> Iterator[ShapeFault]:
    """Keys that are missing, keys that nothing reads, and values of another kind.

    `is_based`: the file is a variant's that takes what it leaves out from another.
    """
    match shape:
        case Table(keys):
            if not isinstance(value, dict):
                yield ShapeFault(path, f"{_subject(path)} is a table, not {_kind_of(value)}")
                return
            yield from _key_faults(value, keys, path, is_based=is_based)
        case Named(each):
            if not isinstance(value, dict):
                yield ShapeFault(path, f"{_subject(path)} is a table, not {_kind_of(value)}")
                return
            for key, inner in value.items():
                yield from shape_faults(inner, each, (*path, key), is_based=is_based)
        case Listed(each):
            if not isinstance(value, list):
                yield ShapeFault(path, f"{_subject(path)} is a list, not {_kind_of(value)}")
                return
            for at, inner in enumerate(value):
                yield from shape_faults(inner, each, (*path, at), is_based=is_based)
        case _:
            if type(value) is not shape:
                text = f"{_subject(path)} is {KINDS[shape]}, not {_kind_of(value)}"
                yield ShapeFault(path, text)


def _key_faults(
    table: Mapping[str, Any], keys: Mapping[str, Shape], path: Path, *, is_based: bool
) -> Iterator[ShapeFault]:
    known = {key.rstrip("?"): shape for key, shape in keys.items()}
    where = f"{_subject(path)}: " if path else ""
    for key, value in table.items():
        if key in known:
            yield from shape_faults(value, known[key], (*path, key), is_based=is_based)
            continue
        near = difflib.get_close_matches(key, known, 1)
        hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
        yield ShapeFault((*path, key), f"{where}there is no key {key}{hint}", is_unread=True)
    for key in keys:
        may_lack = key.endswith("?") or (is_based and key not in NEEDED_IF_BASED)
        if not may_lack and key not in table:
            yield ShapeFault(path, f"{where}{key} is missing")


def _subject(path: Path) -> str:
    """`calendar.turns` for `("calendar", "turns", 0)`."""
    return ".".join(part for part in path if isinstance(part, str))


def _kind_of(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return KINDS.get(type(value), "a number or a date") + f" ({value!r})"
