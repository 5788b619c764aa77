"""What is wrong with the data of a variant, said before any of it is used.

Looks at the parsed files alone: each fault is a sentence with its place in them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from judge.diplomacy.board import Terrain

# The keys of each table; those with a question mark may be left out.
_CALENDAR = ("first_year", "cycle_years", "adjustment_letter", "turns")
_TURN = ("letter", "years_after")
_VARIANT_KEYS = {
    "": (
        "name",
        "board",
        "victory_centers",
        "calendar",
        "powers",
        "calendars?",
        "bridges?",
        "uncounted?",
        "railway?",
        "canal?",
    ),
    "calendar": _CALENDAR,
    "powers": ("id", "name", "adjective", "letter", "aliases", "home_centers", "start_units"),
    "uncounted": ("option", "center", "power"),
    "railway": ("stations", "powers", "names"),
    "canal": ("keeper", "ends", "names"),
}
_BOARD_KEYS = {
    "": ("provinces", "coast_aliases", "ambiguous_aliases", "army", "fleet"),
    "provinces": ("id", "name", "kind", "aliases", "center?", "coasts?"),
}


def data_faults(data: Mapping[str, Any], board: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a variant's two files; further faults are looked for only in files whose
    keys are sound."""
    faults = [*_key_faults(data, _VARIANT_KEYS), *_key_faults(board, _BOARD_KEYS)]
    calendars = {f"calendars.{name}": each for name, each in data.get("calendars", {}).items()}
    for name, calendar in calendars.items():
        faults += _table_faults(name, calendar, _CALENDAR)
    for name, calendar in {"calendar": data.get("calendar", {}), **calendars}.items():
        for turn in calendar.get("turns", ()):
            faults += _table_faults(f"{name}.turns", turn, _TURN)
    if faults:
        yield from faults
        return
    yield from _board_faults(board)
    yield from _own_faults(data, board)


def _key_faults(data: Mapping[str, Any], keys: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Keys that are missing, and keys that nothing reads."""
    yield from _table_faults("the file", data, keys[""])
    for name, known in keys.items():
        tables = data.get(name, []) if name else []
        for table in tables if isinstance(tables, list) else [tables]:
            yield from _table_faults(name, table, known)


def _table_faults(place: str, table: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[str]:
    for key in table:
        if key not in known and f"{key}?" not in known:
            yield f"{place}: there is no key {key}"
    for key in known:
        if not key.endswith("?") and key not in table:
            yield f"{place}: {key} is missing"


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


def _own_faults(data: Mapping[str, Any], board: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with what only some variants have: railway, canal, bridges and the like."""
    kinds = {row["id"]: row["kind"] for row in board["provinces"]}
    centers = {row["id"] for row in board["provinces"] if row.get("center")}
    powers = {row["id"] for row in data["powers"]}
    solid, wet = (Terrain.LAND, Terrain.COAST), (Terrain.SEA, Terrain.COAST)
    railway = data.get("railway", {"stations": (), "powers": ()})
    for station in railway["stations"]:
        if kinds.get(station) not in solid:
            yield f"railway: {station} is no province of land"
    for power in railway["powers"]:
        if power not in powers:
            yield f"railway: there is no power {power}"
    if canal := data.get("canal"):
        if kinds.get(canal["keeper"]) not in solid:
            yield f"canal: {canal['keeper']} is no province of land"
        for end in canal["ends"]:
            if kinds.get(end) not in wet:
                yield f"canal: no fleet can stand in {end}"
        if len(canal["ends"]) != 2:
            yield f"canal: it joins {len(canal['ends'])} provinces, not two"
    for name, pairs in data.get("bridges", {}).items():
        for pair in pairs:
            if len(pair.split()) != 2 or any(kinds.get(at) != Terrain.COAST for at in pair.split()):
                yield f"bridges: {name} has {pair}, which are no two provinces with a coast"
    if uncounted := data.get("uncounted"):
        if uncounted["center"] not in centers:
            yield f"uncounted: {uncounted['center']} is no supply center"
        if uncounted["power"] not in powers:
            yield f"uncounted: there is no power {uncounted['power']}"
