"""What may be wrong with the data of a variant: lists of checks, each with its sentence; what is
wrong is a fault with file and line.

Looks at the tables before any of them is used; their keys are sound already (tables.py). Names that
collide with others are the business of name_faults.py.
"""

import re
from collections.abc import Iterable

from judge.diplomacy.board import Terrain
from judge.diplomacy.calendar import Calendar, PhaseKind, Turn, parse_phase
from judge.diplomacy.orders import PowerId, UnitKind
from judge.diplomacy.rules import QUIET_MOST, YEAR_MOST
from judge.diplomacy.variants.board_faults import (
    SOLID,
    WET,
    Checks,
    board_checks,
    province_of,
    reach_checks,
    standing_places,
)
from judge.diplomacy.variants.files import NAME_TABLES, Document, VariantFault, VariantText
from judge.diplomacy.variants.tables import (
    BoardTables,
    CalendarTable,
    NameTables,
    PlayersTable,
    Tables,
    VariantTables,
)
from judge.toml_lines import Path

LETTERS = "ABCDEFGHIJKLNPQRSTUVWXYZ0123456789"  # M signs on as the master, O as an observer
SEASONS = ("", "S", "F", "W")  # what letters and phases have words for

_POWER = re.compile(r"[A-Z][A-Z_]*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z][a-z]{3})?")


def variant_faults(text: VariantText) -> tuple[VariantFault, ...]:
    """Everything that is wrong with a variant but its names, by file and line."""
    faults = list(text.faults)
    if text.board.is_sound:
        faults += _faults(text.board, board_checks(text.board.tables))
    if text.variant.is_sound:
        faults += _faults(text.variant, _own_checks(text.variant.tables))
    if text.is_sound:
        variant, board = text.variant.tables, text.board.tables
        for checks in CHECKS_ON_THE_BOARD:
            faults += _faults(text.variant, checks(variant, board))
        starts: set[str] = {center for row in variant.powers for center in row.home_centers}
        starts |= {province_of(unit[2:]) for row in variant.powers for unit in row.start_units}
        faults += _faults(text.board, reach_checks(board, starts))
        for names in text.names.values():
            faults += _faults(names, _names_checks(names.tables, variant, board))
    return sort_faults(faults)


def _faults(document: Document[Tables], checks: Checks) -> list[VariantFault]:
    return [document.fault(text, *path) for is_wrong, text, path in checks if is_wrong]


def sort_faults(faults: Iterable[VariantFault]) -> tuple[VariantFault, ...]:
    """Without doubles, the variant's own files first, each from its first line to its last."""

    def place(fault: VariantFault) -> tuple[bool, str, str, int]:
        place = fault.place
        return (False, place.folder, place.file, place.line) if place else (True, "", "", 0)

    return tuple(sorted(dict.fromkeys(faults), key=place))


# --- what the variant says by itself --------------------------------------------------------------


def _own_checks(variant: VariantTables) -> Checks:
    titles, ends = variant.titles, variant.ends
    yield "en" not in titles, "titles: en is missing, the title in English", ("titles",)
    for language, title in titles.items():
        text = f'titles: {language} = "{title}"; write it as en = "Fleet in Rome"'
        is_title = _LANGUAGE.fullmatch(language) and title.strip()
        yield not is_title, text, ("titles", language)
    for key, count, most in (
        ("last_year", ends.last_year, YEAR_MOST),
        ("quiet_years", ends.quiet_years, QUIET_MOST),
    ):
        text = f"ends: {key} is {count}; write a number up to {most}, 0 for none"
        yield not 0 <= count <= most, text, ("ends", key)
    yield from _calendar_checks(variant.calendar, "calendar")
    for name, calendar in variant.calendars.items():
        yield from _calendar_checks(calendar, "calendars", name)
    if variant.start is not None and _is_sound(variant.calendar):
        yield from _start_checks(variant, variant.start)


def _calendar_checks(calendar: CalendarTable, *path: str) -> Checks:
    where, first, cycle = ".".join(path), calendar.first_year, calendar.cycle_years
    text = f"{where}: first_year is {first}; years go from 1 to {YEAR_MOST}"
    yield not 0 < first <= YEAR_MOST, text, (*path, "first_year")
    text = f"{where}: cycle_years is {cycle}; a cycle lasts at least a year"
    yield cycle < 1, text, (*path, "cycle_years")
    yield not calendar.turns, f"{where}: turns is empty", (*path, "turns")
    letters: dict[Path, str] = {(*path, "adjustment_letter"): calendar.adjustment_letter}
    for at, turn in enumerate(calendar.turns):
        years, before = turn.years_after, calendar.turns[:at]
        place: Path = (*path, "turns", at)
        letters[place] = turn.letter
        text = f'two turns have the letter "{turn.letter}" and years_after {years}'
        yield turn in before, f"{where}: {text}", place
        text = f"years_after is {years}, outside a cycle of cycle_years {cycle}"
        yield not 0 <= years < max(cycle, 1), f"{where}: {text}", place
        is_early = before and years < before[-1].years_after
        yield is_early, f"{where}: this turn comes before the one above it", place
    known = ", ".join(f'"{season}"' for season in SEASONS)
    for place, letter in letters.items():
        text = f'{where}: there is no season "{letter}"; there are {known}'
        yield letter not in SEASONS, text, place


def _is_sound(calendar: CalendarTable) -> bool:
    return not any(is_wrong for is_wrong, _, _ in _calendar_checks(calendar))


def calendar_of(table: CalendarTable) -> Calendar:
    """A calendar as its table says it."""
    turns = tuple(Turn(turn.letter, turn.years_after) for turn in table.turns)
    return Calendar(table.first_year, table.cycle_years, table.adjustment_letter, turns)


def _start_checks(variant: VariantTables, start: str) -> Checks:
    calendar = calendar_of(variant.calendar)
    try:
        phase = parse_phase(start)
    except ValueError as error:
        yield True, f"start: {error}", ("start",)
        return
    before = calendar.before_first()
    is_known = phase == before or (calendar.has(phase) and phase.kind is PhaseKind.MOVEMENT)
    text = f"it may begin with {before}, {calendar.first()} or a later movement phase"
    yield not is_known, f"start: no game begins with {phase}; {text}", ("start",)
    text = "start: it does not fit every calendar; leave out start, or calendars"
    yield variant.calendars, text, ("start",)


# --- powers ---------------------------------------------------------------------------------------


def _power_checks(variant: VariantTables, board: BoardTables) -> Checks:
    """What a power is called, and its letter."""
    provinces = {row.id for row in board.provinces}
    letters: dict[str, str] = {}
    yield len(variant.powers) < 2, "powers: a game needs two powers at least", ("powers",)
    for at, row in enumerate(variant.powers):
        where, path = f"powers: {row.id}", ("powers", at)
        is_double = row.id in variant.power_ids[:at]
        yield is_double, f"{where} stands there twice", (*path, "id")
        yield not _POWER.fullmatch(row.id), f"{where} is no id of capital letters", (*path, "id")
        is_letter = row.letter in LETTERS and len(row.letter) == 1
        text = f'{where} has the letter "{row.letter}"; it is a capital or a digit, not M or O'
        yield not is_letter, text, (*path, "letter")
        other = letters.setdefault(row.letter, row.id)
        text = f"{where} has the letter {row.letter} of {other}"
        yield is_letter and other != row.id, text, (*path, "letter")
        after = row.named_after
        text = f"{where} is named after {after}, which is no province"
        yield after is not None and after not in provinces, text, (*path, "named_after")
        for key, name in (("name", row.name), ("adjective", row.adjective)):
            yield after is None and not name.strip(), f"{where}: {key} is missing", path


def _center_checks(variant: VariantTables, board: BoardTables) -> Checks:
    centers = {row.id for row in board.provinces if row.center}
    homes: dict[str, PowerId] = {}
    for at, row in enumerate(variant.powers):
        where, path = f"powers: {row.id}", ("powers", at, "home_centers")
        yield not row.home_centers, f"{where} has no home center", path
        for number, center in enumerate(row.home_centers):
            text, other = f"{where} has the home center {center}", homes.setdefault(center, row.id)
            is_center = center in centers
            yield not is_center, f"{text}, which is no supply center", (*path, number)
            yield is_center and other != row.id, f"{text} of {other}", (*path, number)
        others = {
            center: other.id
            for other in variant.powers
            if other is not row
            for center in other.owned
        }
        for number, center in enumerate(row.start_centers or ()):
            text, path = f"{where} starts with the center {center}", ("powers", at, "start_centers")
            is_center, owner = center in centers, others.get(center)
            yield not is_center, f"{text}, which is no supply center", (*path, number)
            yield is_center and owner, f"{text}, as does {owner}", (*path, number)
    count = variant.victory_centers
    text = f"victory_centers: {count} of {len(centers)} centers"
    yield not 0 < count <= len(centers), text, ("victory_centers",)


def _unit_checks(variant: VariantTables, board: BoardTables) -> Checks:
    stands = standing_places(board)
    opens_with_builds = (variant.start or "").endswith(PhaseKind.ADJUSTMENT)
    taken: set[str] = set()
    for at, row in enumerate(variant.powers):
        where = f"powers: {row.id}"
        text = "has no start_units; only a game that starts with builds can do without"
        yield not row.start_units and not opens_with_builds, f"{where} {text}", ("powers", at)
        for number, unit in enumerate(row.start_units):
            kind, _, spot = unit.partition(" ")
            wrong = ""
            if kind not in set(UnitKind) or not spot:
                wrong = f'starts with "{unit}"; a unit looks like A PAR or F STP/SC'
            elif spot not in stands[UnitKind(kind)]:
                wrong = f"starts with {unit}, which cannot stand there"
            elif province_of(spot) in taken:
                wrong = f"starts with {unit}, where another unit stands"
            else:
                taken.add(province_of(spot))
            yield wrong, f"{where} {wrong}", ("powers", at, "start_units", number)


# --- what only some variants have -----------------------------------------------------------------


def _feature_checks(variant: VariantTables, board: BoardTables) -> Checks:
    """Railway, canal, bridges and the center that does not count."""
    kinds: dict[str, Terrain] = {row.id: row.kind for row in board.provinces}
    if railway := variant.railway:
        for at, station in enumerate(railway.stations):
            text = f"railway: {station} is no province of land"
            yield kinds.get(station) not in SOLID, text, ("railway", "stations", at)
        for at, power in enumerate(railway.powers):
            text = f"railway: there is no power {power}"
            yield power not in variant.power_ids, text, ("railway", "powers", at)
    if canal := variant.canal:
        text = f"canal: {canal.keeper} is no province of land"
        yield kinds.get(canal.keeper) not in SOLID, text, ("canal", "keeper")
        for at, end in enumerate(canal.ends):
            text = f"canal: no fleet can stand in {end}"
            yield kinds.get(end) not in WET, text, ("canal", "ends", at)
        text = f"canal: it joins {len(canal.ends)} provinces, not two"
        yield len(canal.ends) != 2, text, ("canal", "ends")
        text = "canal: permission to pass names a power; in orders these are named like provinces"
        yield any(row.named_after for row in variant.powers), text, ("canal",)
    for name, pairs in variant.bridges.items():
        for at, pair in enumerate(pairs):
            ends = [kinds.get(end) for end in pair.split()]
            text = f"bridges: {name} has {pair}, which are no two provinces with a coast"
            yield ends != [Terrain.COAST, Terrain.COAST], text, ("bridges", name, at)
    if uncounted := variant.uncounted:
        centers = {row.id for row in board.provinces if row.center}
        text = f"uncounted: {uncounted.center} is no supply center"
        yield uncounted.center not in centers, text, ("uncounted", "center")
        text = f"uncounted: there is no power {uncounted.power}"
        yield uncounted.power not in variant.power_ids, text, ("uncounted", "power")


# --- fewer players --------------------------------------------------------------------------------


def _players_checks(variant: VariantTables, board: BoardTables) -> Checks:
    """The tables for fewer players."""
    for count, table in variant.players.items():
        checks = [*_seat_checks(variant, count, table), *_closing_checks(board, table)]
        if _is_sound(variant.calendar):
            checks += _phase_checks(variant, table)
        for is_wrong, text, path in checks:
            yield is_wrong, f"players.{count}: {text}", ("players", count, *path)


def _seat_checks(variant: VariantTables, count: str, table: PlayersTable) -> Checks:
    powers = variant.power_ids
    seats = table.seats_among(powers)
    is_count = count.isdecimal() and int(count) == len(seats)
    yield not is_count, f"there are {len(seats)} seats", ()
    named: list[tuple[PowerId, Path]] = [(each, ("out", at)) for at, each in enumerate(table.out)]
    for at, seat in enumerate(seats):
        yield not seat, "a seat without a power", ("seats", at)
        named += [(power, ("seats", at)) for power in seat]
    seen: set[str] = set()
    for power, place in named:
        text = f"there is no power {power}; there are {', '.join(powers)}"
        yield power not in powers, text, place
        yield power in seen and power in powers, f"{power} stands there twice", place
        seen.add(power)
    for power in powers:
        yield power not in seen, f"{power} has no seat, and does not stand in out", ()


def _closing_checks(board: BoardTables, table: PlayersTable) -> Checks:
    """Closed provinces, the coin, and the count that wins."""
    provinces = {row.id for row in board.provinces}
    for at, province in enumerate(table.closed):
        text = f"closed: there is no province {province}"
        yield province not in provinces, text, ("closed", at)
    text = "closed: provinces are closed only for powers that are out"
    yield table.closed and not table.out, text, ("closed",)
    is_for_two = table.out and len(table.seats or ()) == 2
    text = "toss: a coin is tossed by two seats, for powers that are out"
    yield table.toss is not None and not is_for_two, text, ("toss",)
    centers, most = sum(row.center for row in board.provinces), table.victory_centers
    text = f"victory_centers: {most} of {centers} centers"
    yield most is not None and not 0 < most <= centers, text, ("victory_centers",)


def _phase_checks(variant: VariantTables, table: PlayersTable) -> Checks:
    calendar = calendar_of(variant.calendar)
    for key, label, kind in (
        ("start", table.start, PhaseKind.MOVEMENT),
        ("toss", table.toss, PhaseKind.RETREAT),
    ):
        if label is None:
            continue
        try:
            phase = parse_phase(label)
        except ValueError as error:
            yield True, f"{key}: {error}", (key,)
            continue
        is_known = calendar.has(phase) and phase.kind is kind
        text = f"{key}: {phase} is no {kind.name.lower()} phase of this calendar"
        yield not is_known, text, (key,)
        is_last = key != "toss" or calendar.is_before_adjustment(phase)
        text = f"{key}: {phase} does not stand before adjustments"
        yield is_known and not is_last, text, (key,)
        yield variant.calendars, f"{key}: it does not fit every calendar", (key,)


# --- names in other languages ---------------------------------------------------------------------


def _names_checks(names: NameTables, variant: VariantTables, board: BoardTables) -> Checks:
    """Names of what there is not, and lists without a name."""
    known: dict[str, set[str]] = {
        "powers": set(variant.power_ids),
        "provinces": {row.id for row in board.provinces},
        "orders": {key for key in ("railway", "canal") if getattr(variant, key) is not None},
    }
    for table in NAME_TABLES:
        for id_, listed in getattr(names, table).items():
            path, is_known = (table, id_), id_ in known[table]
            is_empty = not all(name.strip() for name in listed or [""])
            is_double = not is_empty and len(set(listed)) != len(listed)
            yield not is_known, f"{table}: there is no {id_}", path
            yield is_known and is_empty, f"{table}: {id_} has an empty name", path
            yield is_known and is_double, f"{table}: {id_} has a name twice", path


CHECKS_ON_THE_BOARD = (
    _power_checks,
    _center_checks,
    _unit_checks,
    _feature_checks,
    _players_checks,
)
