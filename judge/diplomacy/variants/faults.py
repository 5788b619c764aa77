"""What may be wrong with the data of a variant: each fault has its file and line, and says what to
write instead.

What a single value must be like is data (FORMS, NAMED, ONCE); the functions below look at values
together. tables.py has checked keys and kinds of values; name_collisions.py checks names.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec.structs import asdict

from judge.data import read_text
from judge.diplomacy.board import Terrain, province_of
from judge.diplomacy.calendar import Calendar, Cycle, Phase, PhaseKind, parse_phase
from judge.diplomacy.orders import PowerId, UnitKind
from judge.diplomacy.rules import QUIET_MOST, YEAR_MOST
from judge.diplomacy.variants.files import NAME_TABLES, Document, VariantFault, VariantText
from judge.diplomacy.variants.tables import BoardTables, NameTables, VariantTables
from judge.toml_lines import Path

LETTERS = "ABCDEFGHIJKLNPQRSTUVWXYZ0123456789"  # M signs on as the master, O as an observer
SOLID = (Terrain.LAND, Terrain.COAST)
WET = (Terrain.SEA, Terrain.COAST)
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z][a-z]{3})?")

Checks = Iterator[tuple[object, str, Path]]  # whether it is wrong, what to say, of which value


def _phase_or_none(label: str) -> Phase | None:
    try:
        return parse_phase(label)
    except ValueError:
        return None


_SEASON = (("", "S", "F", "W").__contains__, 'one of "", "S", "F", "W"')
_PHASE = (_phase_or_none, "a phase such as S1901M")
_CALENDAR: Mapping[str, tuple[Callable[[Any], object], str]] = {
    "first_year": (range(1, YEAR_MOST + 1).__contains__, f"a year from 1 to {YEAR_MOST}"),
    "cycle_years": (lambda years: years > 0, "how many years a cycle lasts, at least 1"),
    "adjustment_letter": _SEASON,
    "turns": (bool, "at least one turn"),
    "turns.*.letter": _SEASON,
}
# What a value must be like, and what to write instead. A `*` is any key or any row.
FORMS: Mapping[str, tuple[Callable[[Any], object], str]] = {
    "provinces": (bool, "at least one province"),
    "provinces.*.id": (re.compile("[A-Z]{3}").fullmatch, "three capital letters"),
    "provinces.*.name": (str.strip, "a name"),
    "titles.*": (str.strip, 'a title, as en = "Fleet in Rome"'),
    "ends.last_year": (range(YEAR_MOST + 1).__contains__, f"up to {YEAR_MOST}, 0 for none"),
    "ends.quiet_years": (range(QUIET_MOST + 1).__contains__, f"up to {QUIET_MOST}, 0 for none"),
    **{f"calendar.{key}": form for key, form in _CALENDAR.items()},
    **{f"calendars.*.{key}": form for key, form in _CALENDAR.items()},
    "start": _PHASE,
    "powers.*.id": (re.compile("[A-Z][A-Z_]*").fullmatch, "capital letters"),
    "powers.*.letter": (re.compile(f"[{LETTERS}]").fullmatch, "a capital or a digit, not M or O"),
    "powers.*.home_centers": (bool, "at least one center"),
    "canal.ends": (lambda ends: len(ends) == 2, "the two provinces that it joins"),
    "bridges.*.*": (lambda pair: len(pair.split()) == 2, "two provinces, as AKI OTA"),
    "players.*.start": _PHASE,
    "players.*.toss": _PHASE,
    "players.*.seats.*": (bool, "at least one power"),
}
LISTS = ("army", "fleet", "bridges")  # tables of texts that list names
# What values, and what the keys of tables must name.
NAMED = tomllib.loads(read_text("config", "variant_names.toml"))
# Values that must not be the same in several rows.
ONCE = (
    ("provinces.*.id", "provinces.*.aliases.*"),
    ("powers.*.id",),
    ("powers.*.letter",),
    ("powers.*.home_centers.*",),
)


def variant_faults(text: VariantText) -> tuple[VariantFault, ...]:
    """Everything that is wrong with a variant but its names, by file and line."""
    faults = list(text.faults)

    def look(document: Document[Any], checks: Checks) -> None:
        faults.extend(document.fault(what, *path) for is_wrong, what, path in checks if is_wrong)

    if text.board.is_sound:
        look(text.board, _form_checks(text.board))
        look(text.board, _board_checks(text.board.tables))
    if text.variant.is_sound:
        look(text.variant, _form_checks(text.variant))
        look(text.variant, _variant_checks(text.variant.tables))
    if text.is_sound:
        variant, board = text.variant.tables, text.board.tables
        known = _known_ids(variant, board)
        documents: list[Document[Any]] = [text.board, text.variant, *text.names.values()]
        for document in documents:
            look(document, _reference_checks(document, known))
        for checks in (_power_checks, _unit_checks, _fewer_players_checks):
            look(text.variant, checks(variant, board))
        look(text.board, _reach_checks(variant, board))
        for names in text.names.values():
            look(names, _names_checks(names.tables))
    return sort_faults(faults)


def sort_faults(faults: Iterable[VariantFault]) -> tuple[VariantFault, ...]:
    """Without doubles, the variant's own files first, each from its first line to its last."""

    def place(fault: VariantFault) -> tuple[bool, str, str, int]:
        place = fault.place
        return (False, place.folder, place.file, place.line) if place else (True, "", "", 0)

    return tuple(sorted(dict.fromkeys(faults), key=place))


# --- single values --------------------------------------------------------------------------------


def _values_at(values: Any, pattern: str) -> list[tuple[Path, Any]]:
    found: list[tuple[Path, Any]] = [((), values)]
    for key in pattern.split("."):
        if key == "*":
            found = [
                ((*path, at), one)
                for path, each in found
                for at, one in (each.items() if isinstance(each, dict) else enumerate(each))
            ]
        else:
            found = [((*path, key), each[key]) for path, each in found if key in each]
    return found


def _form_checks(document: Document[Any]) -> Checks:
    for pattern, (is_good, remedy) in FORMS.items():
        for path, value in _values_at(document.values, pattern):
            written = msgspec.json.encode(value).decode()
            yield not is_good(value), f"{document.subject(path)} is {written}; write {remedy}", path
    for patterns in ONCE:
        seen: dict[str, Path] = {}
        for path, value in (each for one in patterns for each in _values_at(document.values, one)):
            first = seen.setdefault(value, path)
            here, there = document.subject(path), document.subject(first)
            what = "stands there twice" if here == there else f"stands in {there} too"
            yield first[:2] != path[:2], f"{here}: {value} {what}", path


def _known_ids(variant: VariantTables, board: BoardTables) -> Mapping[str, Collection[str]]:
    """All that a value may name, by what it is called."""
    rows, stands = board.provinces, _standing_places(board)
    return {
        "location": {*(row.id for row in rows), *stands[UnitKind.FLEET]},
        "place for an army": stands[UnitKind.ARMY],
        "place for a fleet": stands[UnitKind.FLEET],
        "power": variant.power_ids,
        "province": {row.id for row in rows},
        "province of land": {row.id for row in rows if row.terrain in SOLID},
        "province with a coast": {row.id for row in rows if row.terrain is Terrain.COAST},
        "sea or coast": {row.id for row in rows if row.terrain in WET},
        "supply center": {row.id for row in rows if row.is_center},
        "table of orders": [key for key in ("railway", "canal") if getattr(variant, key)],
    }


def _reference_checks(document: Document[Any], known: Mapping[str, Collection[str]]) -> Checks:
    named = [
        (path, name, kind)
        for pattern, kind in NAMED["values"].items()
        for path, value in _values_at(document.values, pattern)
        for name in (value.split() if path[0] in LISTS else [value])
    ]
    for table, kind in NAMED["keys"].items():
        keys = document.values.get(table, ())
        named += [((table, key), key, kind) for key in keys if isinstance(keys, dict)]
    for path, name, kind in named:
        if name not in known[kind]:
            is_typo = name not in known["location"]
            near = get_close_matches(name, known[kind], 1) if is_typo else []
            hint = "".join(f"; did you mean {each}?" for each in near)
            yield True, f"{document.subject(path)}: {name} is no {kind}{hint}", path


# --- the board ------------------------------------------------------------------------------------


def _board_checks(board: BoardTables) -> Checks:
    for at, row in enumerate(board.provinces):
        has_double = len(set(row.coasts)) != len(row.coasts)
        for is_wrong, text in (
            (row.coasts and row.terrain is not Terrain.COAST, f"has coasts but is {row.terrain}"),
            (len(row.coasts) == 1, "has one coast alone, which needs no name"),
            (has_double, "has a coast twice"),
            (row.is_center and row.terrain not in SOLID, f"is a supply center on {row.terrain}"),
        ):
            yield is_wrong, f"provinces.{row.id} {text}", ("provinces", at)
    stands = _standing_places(board)
    for kind, ways, places in (
        ("army", board.army, stands[UnitKind.ARMY]),
        ("fleet", board.fleet, stands[UnitKind.FLEET]),
    ):
        listed = {origin: targets.split() for origin, targets in ways.items()}
        for origin, targets in listed.items():
            for number, target in enumerate(targets):
                way, path = f"{kind}: {origin} leads to {target}", (kind, origin)
                yield target == origin, f"{kind}: {origin} leads to itself", path
                is_one_way = target in places and origin not in (target, *listed.get(target, ()))
                yield is_one_way, f"{way}, but {target} not to {origin}", path
                yield target in targets[:number], f"{way} twice", path
        for place in sorted(places - listed.keys()):
            yield True, f"{kind}: {place} leads nowhere", (kind,)


def _standing_places(board: BoardTables) -> dict[UnitKind, set[str]]:
    """Where armies and fleets can stand, as the file writes it."""
    coasts = {row.id: [f"{row.id}/{coast}" for coast in row.coasts] for row in board.provinces}
    wet = [coasts[row.id] or [row.id] for row in board.provinces if row.terrain in WET]
    return {
        UnitKind.ARMY: {row.id for row in board.provinces if row.terrain in SOLID},
        UnitKind.FLEET: {place for places in wet for place in places},
    }


def _reach_checks(variant: VariantTables, board: BoardTables) -> Checks:
    """Provinces that no unit can ever reach from where the powers begin."""
    neighbors: dict[str, set[str]] = {}
    for ways in (board.army, board.fleet):
        for origin, targets in ways.items():
            near = neighbors.setdefault(province_of(origin), set())
            near.update(province_of(target) for target in targets.split())
    seen: set[str] = {center for row in variant.powers for center in row.home_centers}
    seen |= {province_of(unit[2:]) for row in variant.powers for unit in row.start_units}
    edge = set(seen)
    while edge:
        edge = {way for at in edge for way in neighbors.get(at, ())} - seen
        seen |= edge
    for at, row in enumerate(board.provinces):
        is_lonely = row.terrain is not Terrain.CLOSED and row.id not in seen
        text = f"provinces.{row.id} cannot be reached from where the powers begin"
        yield is_lonely, text, ("provinces", at)


# --- the variant by itself ------------------------------------------------------------------------


def _variant_checks(variant: VariantTables) -> Checks:
    yield "en" not in variant.titles, "titles: en is missing, the title in English", ("titles",)
    for language in variant.titles:
        text = f"titles: {language} is no language; write a code such as en or zh_Hant"
        yield not _LANGUAGE.fullmatch(language), text, ("titles", language)
    yield len(variant.powers) < 2, "powers: a game needs two powers at least", ("powers",)
    yield from _calendar_checks(variant.calendar, "calendar")
    for name, calendar in variant.calendars.items():
        yield from _calendar_checks(calendar, "calendars", name)
    phase, calendar = _phase_or_none(variant.start or ""), Calendar(**asdict(variant.calendar))
    if phase is not None and _is_calendar_sound(calendar):
        before = calendar.before_first()
        is_known = phase == before or (calendar.has(phase) and phase.kind is PhaseKind.MOVEMENT)
        text = f"it may begin with {before}, {calendar.first()} or a later movement phase"
        yield not is_known, f"start: no game begins with {phase}; {text}", ("start",)
        text = "start: it does not fit every calendar; leave out start, or calendars"
        yield variant.calendars, text, ("start",)


def _calendar_checks(calendar: Cycle, *path: str) -> Checks:
    where, cycle = ".".join(path), calendar.cycle_years
    for at, turn in enumerate(calendar.turns):
        place: Path = (*path, "turns", at)
        years, before = turn.years_after, calendar.turns[:at]
        text = f'two turns have the letter "{turn.letter}" and years_after {years}'
        yield turn in before, f"{where}: {text}", place
        text = f"years_after is {years}, outside a cycle of cycle_years {cycle}"
        yield not 0 <= years < max(cycle, 1), f"{where}: {text}", place
        is_early = before and years < before[-1].years_after
        yield is_early, f"{where}: this turn comes before the one above it", place


def _is_calendar_sound(calendar: Cycle) -> bool:
    is_wrong = any(is_wrong for is_wrong, _, _ in _calendar_checks(calendar))
    return bool(calendar.turns) and calendar.cycle_years > 0 and not is_wrong


# --- the variant on its board ---------------------------------------------------------------------


def _power_checks(variant: VariantTables, board: BoardTables) -> Checks:
    """Names, start centers, and the count that wins."""
    for at, row in enumerate(variant.powers):
        for key, name in (("name", row.name), ("adjective", row.adjective)):
            is_missing = row.named_after is None and not name.strip()
            yield is_missing, f"powers.{row.id}: {key} is missing", ("powers", at)
        others = {
            center: other.id
            for other in variant.powers
            if other is not row
            for center in other.owned
        }
        for number, center in enumerate(row.start_centers or ()):
            text = f"powers.{row.id} starts with the center {center}, as does {others.get(center)}"
            yield center in others, text, ("powers", at, "start_centers", number)
    count, centers = variant.victory_centers, sum(row.is_center for row in board.provinces)
    text = f"victory_centers: {count} of {centers} centers"
    yield not 0 < count <= centers, text, ("victory_centers",)
    text = "canal: permission to pass names a power; in orders these are named like provinces"
    yield variant.canal and any(row.named_after for row in variant.powers), text, ("canal",)


def _unit_checks(variant: VariantTables, board: BoardTables) -> Checks:
    stands = _standing_places(board)
    opens_with_builds = (variant.start or "").endswith(PhaseKind.ADJUSTMENT)
    taken: set[str] = set()
    for at, row in enumerate(variant.powers):
        where, path = f"powers.{row.id}", ("powers", at)
        text = "has no start_units; only a game that starts with builds can do without"
        yield not row.start_units and not opens_with_builds, f"{where} {text}", path
        for number, unit in enumerate(row.start_units):
            kind, _, spot = unit.partition(" ")
            is_unit = kind in set(UnitKind) and spot
            may_stand = is_unit and spot in stands[UnitKind(kind)]
            is_taken = province_of(spot) in taken
            for is_wrong, text in (
                (not is_unit, f'"{unit}"; a unit looks like A PAR or F STP/SC'),
                (is_unit and not may_stand, f"{unit}, which cannot stand there"),
                (may_stand and is_taken, f"{unit}, where another unit stands"),
            ):
                yield is_wrong, f"{where} starts with {text}", (*path, "start_units", number)
            taken |= {province_of(spot)} if may_stand else set()


def _fewer_players_checks(variant: VariantTables, board: BoardTables) -> Checks:
    """The tables for fewer players: who has which powers, and what else is different then."""
    centers = sum(row.is_center for row in board.provinces)
    calendar = Calendar(**asdict(variant.calendar))
    for count, table in variant.players.items():
        where, path = f"players.{count}:", ("players", count)
        seats = table.seats_among(variant.power_ids)
        is_count = count.isdecimal() and int(count) == len(seats)
        yield not is_count, f"{where} there are {len(seats)} seats", path
        named: list[tuple[PowerId, str, int]] = [
            (id_, "out", at) for at, id_ in enumerate(table.out)
        ]
        named += [(power, "seats", at) for at, seat in enumerate(seats) for power in seat]
        seen: set[str] = set()
        for power, key, at in named:
            yield power in seen, f"{where} {power} stands there twice", (*path, key, at)
            seen.add(power)
        for power in variant.power_ids:
            text = f"{where} {power} has no seat, and does not stand in out"
            yield power not in seen, text, path

        text = f"{where} closed: provinces are closed only for powers that are out"
        yield table.closed and not table.out, text, (*path, "closed")
        is_for_two = table.out and len(table.seats or ()) == 2
        text = f"{where} toss: a coin is tossed by two seats, for powers that are out"
        yield table.toss is not None and not is_for_two, text, (*path, "toss")
        most = table.victory_centers
        text = f"{where} victory_centers: {most} of {centers} centers"
        is_wrong = most is not None and not 0 < most <= centers
        yield is_wrong, text, (*path, "victory_centers")
        for key, label, kind in (
            ("start", table.start, PhaseKind.MOVEMENT),
            ("toss", table.toss, PhaseKind.RETREAT),
        ):
            phase, value = _phase_or_none(label or ""), (*path, key)
            if phase is None or not _is_calendar_sound(calendar):
                continue
            what, is_known = f"{where} {key}:", calendar.has(phase) and phase.kind is kind
            text = f"{what} {phase} is no {kind.name.lower()} phase of this calendar"
            yield not is_known, text, value
            is_last = key != "toss" or calendar.is_before_adjustment(phase)
            text = f"{what} {phase} does not stand before adjustments"
            yield is_known and not is_last, text, value
            yield variant.calendars, f"{what} it does not fit every calendar", value


def _names_checks(names: NameTables) -> Checks:
    for table in NAME_TABLES:
        for id_, listed in getattr(names, table).items():
            is_empty = not all(name.strip() for name in listed or [""])
            is_double = not is_empty and len(set(listed)) != len(listed)
            yield is_empty, f"{table}: {id_} has an empty name", (table, id_)
            yield is_double, f"{table}: {id_} has a name twice", (table, id_)
