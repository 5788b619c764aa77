"""What is wrong with the data of a variant: each fault is a sentence with its file and line.

Looks at the parsed files before any of them is used; their keys are sound already
(variant_shape.py). Names that collide with others are the business of name_faults.py.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judge.diplomacy.board import Terrain
from judge.diplomacy.building_rule import Builds
from judge.diplomacy.calendar import Calendar, PhaseKind, Turn, parse_phase
from judge.diplomacy.ends import QUIET_MOST, YEAR_MOST, Tie, Undecided
from judge.diplomacy.variants.board_faults import (
    SOLID,
    WET,
    board_faults,
    reach_faults,
    standing_places,
)
from judge.diplomacy.variants.files import Document, VariantFault, VariantText
from judge.diplomacy.variants.players_table import table_faults
from judge.diplomacy.variants.toml_places import Path

LETTERS = "ABCDEFGHIJKLNPQRSTUVWXYZ0123456789"  # M signs on as the master, O as an observer
SEASONS = ("", "S", "F", "W")  # what letters and phases have words for
KINDS = {"A": "army", "F": "fleet"}

_POWER = re.compile(r"[A-Z][A-Z_]*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z][a-z]{3})?")


def variant_faults(text: VariantText) -> tuple[VariantFault, ...]:
    """Everything that is wrong with a variant but its names, by file and line."""
    faults = list(text.faults)
    if text.board.is_sound:
        faults += board_faults(text.board)
    if text.variant.is_sound:
        faults += _alone_faults(text.variant)
    if text.is_sound:
        faults += _power_faults(text.variant, text.board)
        faults += _own_faults(text.variant, text.board)
        faults += _players_faults(text.variant, text.board)
        faults += _names_faults(text)
    return sort_faults(faults)


def sort_faults(faults: list[VariantFault]) -> tuple[VariantFault, ...]:
    """Without doubles, the variant's own files first, each from its first line to its last."""

    def place(fault: VariantFault) -> tuple[bool, bool, str, int]:
        if fault.place is None:
            return (True, True, "", 0)
        file = fault.place.file
        return (False, file.count("/") > 0, file, fault.place.line)

    return tuple(sorted(dict.fromkeys(faults), key=place))


# --- what the variant says by itself --------------------------------------------------------------


def _alone_faults(variant: Document) -> Iterator[VariantFault]:
    data = variant.data
    if "en" not in data["titles"]:
        yield variant.fault("titles: en is missing, the title in English", "titles")
    for language, title in data["titles"].items():
        if not _LANGUAGE.fullmatch(language) or not title.strip():
            text = f'titles: {language} = "{title}"; write it as en = "Fleet in Rome"'
            yield variant.fault(text, "titles", language)
    if "builds" in data and data["builds"] not in set(Builds):
        text = f'builds: there is no "{data["builds"]}"; there are {", ".join(Builds)}'
        yield variant.fault(text, "builds")
    yield from _ends_faults(variant)
    yield from _calendar_faults(variant, data["calendar"], "calendar")
    for name, calendar in data.get("calendars", {}).items():
        yield from _calendar_faults(variant, calendar, "calendars", name)
    yield from _start_faults(variant)


def _ends_faults(variant: Document) -> Iterator[VariantFault]:
    ends = variant.data.get("ends", {})
    for key, known in (("tie", Tie), ("undecided", Undecided)):
        if key in ends and ends[key] not in set(known):
            text = f'ends: {key} is "{ends[key]}"; there are {", ".join(known)}'
            yield variant.fault(text, "ends", key)
    for key, most in (("last_year", YEAR_MOST), ("quiet_years", QUIET_MOST)):
        if not 0 <= ends.get(key, 0) <= most:
            text = f"ends: {key} is {ends[key]}; write a number up to {most}, 0 for none"
            yield variant.fault(text, "ends", key)


def _calendar_faults(
    variant: Document, calendar: Mapping[str, Any], *path: str
) -> Iterator[VariantFault]:
    where = ".".join(path)
    turns, cycle = calendar["turns"], calendar["cycle_years"]
    if not 0 < calendar["first_year"] <= YEAR_MOST:
        text = f"{where}: first_year is {calendar['first_year']}; years go from 1 to {YEAR_MOST}"
        yield variant.fault(text, *path, "first_year")
    if cycle < 1:
        text = f"{where}: cycle_years is {cycle}; a cycle lasts at least a year"
        yield variant.fault(text, *path, "cycle_years")
    if not turns:
        yield variant.fault(f"{where}: turns is empty", *path, "turns")
    seen: set[tuple[str, int]] = set()
    before = 0
    for at, turn in enumerate(turns):
        years = turn["years_after"]
        place: Path = (*path, "turns", at)
        if (turn["letter"], years) in seen:
            text = f'{where}: two turns have the letter "{turn["letter"]}" and years_after {years}'
            yield variant.fault(text, *place)
        seen.add((turn["letter"], years))
        if not 0 <= years < max(cycle, 1):
            text = f"{where}: years_after is {years}, outside a cycle of cycle_years {cycle}"
            yield variant.fault(text, *place)
        if years < before:
            yield variant.fault(f"{where}: this turn comes before the one above it", *place)
        before = years
    letters: list[tuple[str, Path]] = [
        (turn["letter"], (*path, "turns", at)) for at, turn in enumerate(turns)
    ]
    letters.append((calendar["adjustment_letter"], (*path, "adjustment_letter")))
    for letter, spot in letters:
        if letter not in SEASONS:
            known = ", ".join(f'"{season}"' for season in SEASONS)
            text = f'{where}: there is no season "{letter}"; there are {known}'
            yield variant.fault(text, *spot)


def calendar_of(data: Mapping[str, Any]) -> Calendar:
    """A calendar as its table says it."""
    return Calendar(
        first_year=data["first_year"],
        cycle_years=data["cycle_years"],
        adjustment_letter=data["adjustment_letter"],
        turns=tuple(Turn(turn["letter"], turn["years_after"]) for turn in data["turns"]),
    )


def _start_faults(variant: Document) -> Iterator[VariantFault]:
    data = variant.data
    if "start" not in data or any(_calendar_faults(variant, data["calendar"], "calendar")):
        return
    calendar = calendar_of(data["calendar"])
    try:
        phase = parse_phase(data["start"])
    except ValueError as error:
        yield variant.fault(f"start: {error}", "start")
        return
    before = calendar.before_first()
    known = phase == before or (calendar.has(phase) and phase.kind is PhaseKind.MOVEMENT)
    if not known:
        text = (
            f"start: no game begins with {phase}; it may begin with {before}, {calendar.first()} "
            "or a later movement phase"
        )
        yield variant.fault(text, "start")
    if "calendars" in data:
        text = "start: it does not fit every calendar; leave out start, or calendars"
        yield variant.fault(text, "start")


def _players_faults(variant: Document, board: Document) -> Iterator[VariantFault]:
    """What is wrong with the tables for fewer players, where the calendar can be used at all."""
    if not any(_calendar_faults(variant, variant.data["calendar"], "calendar")):
        yield from table_faults(variant, board, calendar_of(variant.data["calendar"]))


def starts_empty(data: Mapping[str, Any]) -> bool:
    """Whether the game begins with builds, so that no unit has to stand anywhere."""
    return str(data.get("start", "")).endswith(PhaseKind.ADJUSTMENT)


# --- powers ---------------------------------------------------------------------------------------


def _power_faults(variant: Document, board: Document) -> Iterator[VariantFault]:
    centers = {row["id"] for row in board.data["provinces"] if row.get("center")}
    ids: set[str] = set()
    letters: dict[str, str] = {}
    homes: dict[str, str] = {}
    taken: set[str] = set()
    if len(variant.data["powers"]) < 2:
        yield variant.fault("powers: a game needs two powers at least", "powers")
    for at, row in enumerate(variant.data["powers"]):
        where = f"powers: {row['id']}"
        if row["id"] in ids or not _POWER.fullmatch(row["id"]):
            says = "stands there twice" if row["id"] in ids else "is no id of capital letters"
            yield variant.fault(f"{where} {says}", "powers", at, "id")
        ids.add(row["id"])
        if row["letter"] not in LETTERS or len(row["letter"]) != 1:
            text = (
                f'{where} has the letter "{row["letter"]}"; it is a capital or a digit, not M or O'
            )
            yield variant.fault(text, "powers", at, "letter")
        elif letters.setdefault(row["letter"], row["id"]) != row["id"]:
            text = f"{where} has the letter {row['letter']} of {letters[row['letter']]}"
            yield variant.fault(text, "powers", at, "letter")
        yield from _called_faults(variant, board, at, row)
        yield from _center_faults(variant, at, centers, homes)
        yield from _unit_faults(variant, board, at, taken)
    if not 0 < variant.data["victory_centers"] <= len(centers):
        text = f"victory_centers: {variant.data['victory_centers']} of {len(centers)} centers"
        yield variant.fault(text, "victory_centers")
    yield from reach_faults(board, set(homes) | taken)


def _called_faults(
    variant: Document, board: Document, at: int, row: Mapping[str, Any]
) -> Iterator[VariantFault]:
    where = f"powers: {row['id']}"
    after = row.get("named_after")
    if after is not None:
        if after not in {each["id"] for each in board.data["provinces"]}:
            text = f"{where} is named after {after}, which is no province"
            yield variant.fault(text, "powers", at, "named_after")
        return
    for key in ("name", "adjective"):
        if not row.get(key, "").strip():
            yield variant.fault(f"{where}: {key} is missing", "powers", at)


def _center_faults(
    variant: Document, at: int, centers: set[str], homes: dict[str, str]
) -> Iterator[VariantFault]:
    row = variant.data["powers"][at]
    where = f"powers: {row['id']}"
    if not row["home_centers"]:
        yield variant.fault(f"{where} has no home center", "powers", at, "home_centers")
    for number, center in enumerate(row["home_centers"]):
        spot = ("powers", at, "home_centers", number)
        if center not in centers:
            text = f"{where} has the home center {center}, which is no supply center"
            yield variant.fault(text, *spot)
        elif homes.setdefault(center, row["id"]) != row["id"]:
            yield variant.fault(f"{where} has the home center {center} of {homes[center]}", *spot)
    others = {
        center: other["id"]
        for other in variant.data["powers"]
        for center in other.get("start_centers", other["home_centers"])
        if other["id"] != row["id"]
    }
    for number, center in enumerate(row.get("start_centers", ())):
        spot = ("powers", at, "start_centers", number)
        if center not in centers:
            text = f"{where} starts with the center {center}, which is no supply center"
            yield variant.fault(text, *spot)
        elif center in others:
            text = f"{where} starts with the center {center}, as does {others[center]}"
            yield variant.fault(text, *spot)


def _unit_faults(
    variant: Document, board: Document, at: int, taken: set[str]
) -> Iterator[VariantFault]:
    row = variant.data["powers"][at]
    where, stands = f"powers: {row['id']}", standing_places(board.data)
    if not row.get("start_units") and not starts_empty(variant.data):
        text = f"{where} has no start_units; only a game that starts with builds can do without"
        yield variant.fault(text, "powers", at)
    for number, unit in enumerate(row.get("start_units", ())):
        kind, _, place = unit.partition(" ")
        if kind not in KINDS or not place:
            text = f'{where} starts with "{unit}"; a unit looks like A PAR or F STP/SC'
        elif place not in stands[KINDS[kind]]:
            text = f"{where} starts with {unit}, which cannot stand there"
        elif place.partition("/")[0] in taken:
            text = f"{where} starts with {unit}, where another unit stands"
        else:
            taken.add(place.partition("/")[0])
            continue
        yield variant.fault(text, "powers", at, "start_units", number)


# --- what only some variants have -----------------------------------------------------------------


def _own_faults(variant: Document, board: Document) -> Iterator[VariantFault]:
    """What is wrong with railway, canal, bridges and the like."""
    data = variant.data
    kinds = {row["id"]: row["kind"] for row in board.data["provinces"]}
    centers = {row["id"] for row in board.data["provinces"] if row.get("center")}
    powers = {row["id"] for row in data["powers"]}
    railway = data.get("railway", {"stations": (), "powers": ()})
    for at, station in enumerate(railway["stations"]):
        if kinds.get(station) not in SOLID:
            text = f"railway: {station} is no province of land"
            yield variant.fault(text, "railway", "stations", at)
    for at, power in enumerate(railway["powers"]):
        if power not in powers:
            yield variant.fault(f"railway: there is no power {power}", "railway", "powers", at)
    if canal := data.get("canal"):
        if kinds.get(canal["keeper"]) not in SOLID:
            text = f"canal: {canal['keeper']} is no province of land"
            yield variant.fault(text, "canal", "keeper")
        for at, end in enumerate(canal["ends"]):
            if kinds.get(end) not in WET:
                yield variant.fault(f"canal: no fleet can stand in {end}", "canal", "ends", at)
        if len(canal["ends"]) != 2:
            text = f"canal: it joins {len(canal['ends'])} provinces, not two"
            yield variant.fault(text, "canal", "ends")
        if any("named_after" in row for row in data["powers"]):
            text = "canal: leave to pass names a power, which powers named after provinces have not"
            yield variant.fault(text, "canal")
    for name, pairs in data.get("bridges", {}).items():
        for at, pair in enumerate(pairs):
            if len(pair.split()) != 2 or any(kinds.get(p) != Terrain.COAST for p in pair.split()):
                text = f"bridges: {name} has {pair}, which are no two provinces with a coast"
                yield variant.fault(text, "bridges", name, at)
    if uncounted := data.get("uncounted"):
        if uncounted["center"] not in centers:
            text = f"uncounted: {uncounted['center']} is no supply center"
            yield variant.fault(text, "uncounted", "center")
        if uncounted["power"] not in powers:
            text = f"uncounted: there is no power {uncounted['power']}"
            yield variant.fault(text, "uncounted", "power")


# --- names in other languages ---------------------------------------------------------------------


def _names_faults(text: VariantText) -> Iterator[VariantFault]:
    """Names of what there is not, and lists without a name."""
    known = {
        "powers": {row["id"] for row in text.variant.data["powers"]},
        "provinces": {row["id"] for row in text.board.data["provinces"]},
        "orders": {key for key in ("railway", "canal") if key in text.variant.data},
    }
    for document in text.names.values():
        for table, rows in document.data.items():
            for id_, names in rows.items():
                if id_ not in known[table]:
                    yield document.fault(f"{table}: there is no {id_}", table, id_)
                elif not names or not all(name.strip() for name in names):
                    yield document.fault(f"{table}: {id_} has an empty name", table, id_)
                elif len(set(names)) != len(names):
                    yield document.fault(f"{table}: {id_} has a name twice", table, id_)
