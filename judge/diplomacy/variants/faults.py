"""What is wrong with the data of a variant: each fault is a sentence with its file and line.

Looks at the tables before any of them is used; their keys are sound already (tables.py). Names that
collide with others are the business of name_faults.py.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from judge.diplomacy.board import Terrain
from judge.diplomacy.calendar import Calendar, PhaseKind, Turn, parse_phase
from judge.diplomacy.ends import QUIET_MOST, YEAR_MOST
from judge.diplomacy.orders import PowerId, UnitKind
from judge.diplomacy.variants.board_faults import (
    SOLID,
    WET,
    Found,
    board_faults,
    province_of,
    reach_faults,
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
        faults += _placed(text.board, board_faults(text.board.tables))
    if text.variant.is_sound:
        for check in CHECKS_OF_THE_VARIANT:
            faults += _placed(text.variant, check(text.variant.tables))
    if text.is_sound:
        variant, board = text.variant.tables, text.board.tables
        for check_both in CHECKS_ON_THE_BOARD:
            faults += _placed(text.variant, check_both(variant, board))
        faults += _placed(text.board, _reach_faults(variant, board))
        for names in text.names.values():
            faults += _placed(names, _names_faults(names.tables, variant, board))
    return sort_faults(faults)


def _placed(document: Document[Tables], found: Found) -> Iterator[VariantFault]:
    return (document.fault(text, *path) for text, path in found)


def sort_faults(faults: Iterable[VariantFault]) -> tuple[VariantFault, ...]:
    """Without doubles, the variant's own files first, each from its first line to its last."""

    def place(fault: VariantFault) -> tuple[bool, str, str, int]:
        place = fault.place
        return (False, place.folder, place.file, place.line) if place else (True, "", "", 0)

    return tuple(sorted(dict.fromkeys(faults), key=place))


# --- what the variant says by itself --------------------------------------------------------------


def _title_faults(variant: VariantTables) -> Found:
    if "en" not in variant.titles:
        yield "titles: en is missing, the title in English", ("titles",)
    for language, title in variant.titles.items():
        if not _LANGUAGE.fullmatch(language) or not title.strip():
            text = f'titles: {language} = "{title}"; write it as en = "Fleet in Rome"'
            yield text, ("titles", language)


def _ends_faults(variant: VariantTables) -> Found:
    ends = variant.ends
    for key, count, most in (
        ("last_year", ends.last_year, YEAR_MOST),
        ("quiet_years", ends.quiet_years, QUIET_MOST),
    ):
        if not 0 <= count <= most:
            text = f"ends: {key} is {count}; write a number up to {most}, 0 for none"
            yield text, ("ends", key)


def _all_calendar_faults(variant: VariantTables) -> Found:
    yield from _calendar_faults(variant.calendar, "calendar")
    for name, calendar in variant.calendars.items():
        yield from _calendar_faults(calendar, "calendars", name)


def _calendar_faults(calendar: CalendarTable, *path: str) -> Found:
    where, cycle = ".".join(path), calendar.cycle_years
    if not 0 < calendar.first_year <= YEAR_MOST:
        text = f"{where}: first_year is {calendar.first_year}; years go from 1 to {YEAR_MOST}"
        yield text, (*path, "first_year")
    if cycle < 1:
        text = f"{where}: cycle_years is {cycle}; a cycle lasts at least a year"
        yield text, (*path, "cycle_years")
    if not calendar.turns:
        yield f"{where}: turns is empty", (*path, "turns")
    letters: dict[Path, str] = {(*path, "adjustment_letter"): calendar.adjustment_letter}
    for at, turn in enumerate(calendar.turns):
        letters[(*path, "turns", at)] = turn.letter
    for place, letter in letters.items():
        if letter not in SEASONS:
            known = ", ".join(f'"{season}"' for season in SEASONS)
            yield f'{where}: there is no season "{letter}"; there are {known}', place
    for at, turn in enumerate(calendar.turns):
        place, before = (*path, "turns", at), calendar.turns[:at]
        if turn in before:
            text = f'two turns have the letter "{turn.letter}" and years_after {turn.years_after}'
            yield f"{where}: {text}", place
        if not 0 <= turn.years_after < max(cycle, 1):
            text = f"years_after is {turn.years_after}, outside a cycle of cycle_years {cycle}"
            yield f"{where}: {text}", place
        if before and turn.years_after < before[-1].years_after:
            yield f"{where}: this turn comes before the one above it", place


def calendar_of(table: CalendarTable) -> Calendar:
    """A calendar as its table says it."""
    turns = tuple(Turn(turn.letter, turn.years_after) for turn in table.turns)
    return Calendar(table.first_year, table.cycle_years, table.adjustment_letter, turns)


def _start_faults(variant: VariantTables) -> Found:
    if variant.start is None or any(_calendar_faults(variant.calendar)):
        return
    calendar = calendar_of(variant.calendar)
    try:
        phase = parse_phase(variant.start)
    except ValueError as error:
        yield f"start: {error}", ("start",)
        return
    before = calendar.before_first()
    if phase != before and not (calendar.has(phase) and phase.kind is PhaseKind.MOVEMENT):
        text = f"it may begin with {before}, {calendar.first()} or a later movement phase"
        yield f"start: no game begins with {phase}; {text}", ("start",)
    if variant.calendars:
        yield "start: it does not fit every calendar; leave out start, or calendars", ("start",)


# --- powers ---------------------------------------------------------------------------------------


def _power_faults(variant: VariantTables, board: BoardTables) -> Found:
    """What a power is called, and its letter."""
    provinces = {row.id for row in board.provinces}
    ids: set[str] = set()
    letters: dict[str, str] = {}
    if len(variant.powers) < 2:
        yield "powers: a game needs two powers at least", ("powers",)
    for at, row in enumerate(variant.powers):
        where = f"powers: {row.id}"
        if row.id in ids:
            yield f"{where} stands there twice", ("powers", at, "id")
        elif not _POWER.fullmatch(row.id):
            yield f"{where} is no id of capital letters", ("powers", at, "id")
        ids.add(row.id)
        if row.letter not in LETTERS or len(row.letter) != 1:
            text = f'has the letter "{row.letter}"; it is a capital or a digit, not M or O'
            yield f"{where} {text}", ("powers", at, "letter")
        elif letters.setdefault(row.letter, row.id) != row.id:
            text = f"{where} has the letter {row.letter} of {letters[row.letter]}"
            yield text, ("powers", at, "letter")
        if row.named_after is None:
            for key, name in (("name", row.name), ("adjective", row.adjective)):
                if not name.strip():
                    yield f"{where}: {key} is missing", ("powers", at)
        elif row.named_after not in provinces:
            text = f"{where} is named after {row.named_after}, which is no province"
            yield text, ("powers", at, "named_after")


def _center_faults(variant: VariantTables, board: BoardTables) -> Found:
    centers = {row.id for row in board.provinces if row.center}
    homes: dict[str, PowerId] = {}
    for at, row in enumerate(variant.powers):
        where = f"powers: {row.id}"
        if not row.home_centers:
            yield f"{where} has no home center", ("powers", at, "home_centers")
        for number, center in enumerate(row.home_centers):
            place: Path = ("powers", at, "home_centers", number)
            if center not in centers:
                text = f"{where} has the home center {center}, which is no supply center"
                yield text, place
            elif homes.setdefault(center, row.id) != row.id:
                yield f"{where} has the home center {center} of {homes[center]}", place
        others = {
            center: other.id
            for other in variant.powers
            if other is not row
            for center in other.owned
        }
        for number, center in enumerate(row.start_centers or ()):
            place = ("powers", at, "start_centers", number)
            if center not in centers:
                text = f"{where} starts with the center {center}, which is no supply center"
                yield text, place
            elif center in others:
                yield f"{where} starts with the center {center}, as does {others[center]}", place
    if not 0 < variant.victory_centers <= len(centers):
        text = f"victory_centers: {variant.victory_centers} of {len(centers)} centers"
        yield text, ("victory_centers",)


def _unit_faults(variant: VariantTables, board: BoardTables) -> Found:
    stands = standing_places(board)
    opens_with_builds = (variant.start or "").endswith(PhaseKind.ADJUSTMENT)
    taken: set[str] = set()
    for at, row in enumerate(variant.powers):
        where = f"powers: {row.id}"
        if not row.start_units and not opens_with_builds:
            text = "has no start_units; only a game that starts with builds can do without"
            yield f"{where} {text}", ("powers", at)
        for number, unit in enumerate(row.start_units):
            kind, _, spot = unit.partition(" ")
            if kind not in set(UnitKind) or not spot:
                text = f'starts with "{unit}"; a unit looks like A PAR or F STP/SC'
            elif spot not in stands[UnitKind(kind)]:
                text = f"starts with {unit}, which cannot stand there"
            elif province_of(spot) in taken:
                text = f"starts with {unit}, where another unit stands"
            else:
                taken.add(province_of(spot))
                continue
            yield f"{where} {text}", ("powers", at, "start_units", number)


def _reach_faults(variant: VariantTables, board: BoardTables) -> Found:
    homes = {center for row in variant.powers for center in row.home_centers}
    units = {province_of(unit[2:]) for row in variant.powers for unit in row.start_units}
    return reach_faults(board, homes | units)


# --- what only some variants have -----------------------------------------------------------------


def _feature_faults(variant: VariantTables, board: BoardTables) -> Found:
    """What is wrong with railway, canal, bridges and the center that does not count."""
    kinds: dict[str, Terrain] = {row.id: row.kind for row in board.provinces}
    powers = set(variant.power_ids)
    if railway := variant.railway:
        for at, station in enumerate(railway.stations):
            if kinds.get(station) not in SOLID:
                yield f"railway: {station} is no province of land", ("railway", "stations", at)
        for at, power in enumerate(railway.powers):
            if power not in powers:
                yield f"railway: there is no power {power}", ("railway", "powers", at)
    if canal := variant.canal:
        if kinds.get(canal.keeper) not in SOLID:
            yield f"canal: {canal.keeper} is no province of land", ("canal", "keeper")
        for at, end in enumerate(canal.ends):
            if kinds.get(end) not in WET:
                yield f"canal: no fleet can stand in {end}", ("canal", "ends", at)
        if len(canal.ends) != 2:
            yield f"canal: it joins {len(canal.ends)} provinces, not two", ("canal", "ends")
        if any(row.named_after for row in variant.powers):
            text = "permission to pass names a power, and in orders these are named like provinces"
            yield f"canal: {text}", ("canal",)
    for name, pairs in variant.bridges.items():
        for at, pair in enumerate(pairs):
            if [kinds.get(end) for end in pair.split()] != [Terrain.COAST, Terrain.COAST]:
                text = f"bridges: {name} has {pair}, which are no two provinces with a coast"
                yield text, ("bridges", name, at)
    if uncounted := variant.uncounted:
        if not any(row.id == uncounted.center and row.center for row in board.provinces):
            yield f"uncounted: {uncounted.center} is no supply center", ("uncounted", "center")
        if uncounted.power not in powers:
            yield f"uncounted: there is no power {uncounted.power}", ("uncounted", "power")


# --- fewer players --------------------------------------------------------------------------------


def _players_faults(variant: VariantTables, board: BoardTables) -> Found:
    """What is wrong with the tables for fewer players."""
    provinces = {row.id for row in board.provinces}
    centers = sum(row.center for row in board.provinces)
    for count, table in variant.players.items():
        found = [*_seat_faults(variant.power_ids, count, table)]
        if not any(_calendar_faults(variant.calendar)):
            found += _phase_faults(variant, table)
        for at, province in enumerate(table.closed):
            if province not in provinces:
                found.append((f"closed: there is no province {province}", ("closed", at)))
        if table.closed and not table.out:
            text = "closed: provinces are closed only for powers that are out"
            found.append((text, ("closed",)))
        most = table.victory_centers
        if most is not None and not 0 < most <= centers:
            text = f"victory_centers: {most} of {centers} centers"
            found.append((text, ("victory_centers",)))
        if table.toss is not None and not (table.out and len(table.seats or ()) == 2):
            text = "toss: a coin is tossed by two seats, for powers that are out"
            found.append((text, ("toss",)))
        yield from ((f"players.{count}: {text}", ("players", count, *path)) for text, path in found)


def _seat_faults(powers: tuple[PowerId, ...], count: str, table: PlayersTable) -> Found:
    seats = table.seats_among(powers)
    if not count.isdecimal() or int(count) != len(seats):
        yield f"there are {len(seats)} seats", ()
    for at, seat in enumerate(seats):
        if not seat:
            yield "a seat without a power", ("seats", at)
    named: list[tuple[PowerId, Path]] = [
        *((power, ("out", at)) for at, power in enumerate(table.out)),
        *((power, ("seats", at)) for at, seat in enumerate(seats) for power in seat),
    ]
    seen: set[str] = set()
    for power, place in named:
        if power not in powers:
            yield f"there is no power {power}; there are {', '.join(powers)}", place
        elif power in seen:
            yield f"{power} stands there twice", place
        seen.add(power)
    for power in powers:
        if power not in seen:
            yield f"{power} has no seat, and does not stand in out", ()


def _phase_faults(variant: VariantTables, table: PlayersTable) -> Found:
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
            yield f"{key}: {error}", (key,)
            continue
        if not calendar.has(phase) or phase.kind is not kind:
            said = kind.name.lower()
            yield f"{key}: {phase} is no {said} phase of this calendar", (key,)
        elif key == "toss" and not calendar.is_before_adjustment(phase):
            yield f"{key}: {phase} does not stand before adjustments", (key,)
        if variant.calendars:
            yield f"{key}: it does not fit every calendar", (key,)


# --- names in other languages ---------------------------------------------------------------------


def _names_faults(names: NameTables, variant: VariantTables, board: BoardTables) -> Found:
    """Names of what there is not, and lists without a name."""
    orders = (("railway", variant.railway), ("canal", variant.canal))
    known: tuple[Collection[str], ...] = (
        variant.power_ids,
        {row.id for row in board.provinces},
        {key for key, feature in orders if feature is not None},
    )
    for table, ids in zip(NAME_TABLES, known, strict=True):
        for id_, listed in getattr(names, table).items():
            if id_ not in ids:
                yield f"{table}: there is no {id_}", (table, id_)
            elif not listed or not all(name.strip() for name in listed):
                yield f"{table}: {id_} has an empty name", (table, id_)
            elif len(set(listed)) != len(listed):
                yield f"{table}: {id_} has a name twice", (table, id_)


CHECKS_OF_THE_VARIANT: tuple[Callable[[VariantTables], Found], ...] = (
    _title_faults,
    _ends_faults,
    _all_calendar_faults,
    _start_faults,
)
CHECKS_ON_THE_BOARD: tuple[Callable[[VariantTables, BoardTables], Found], ...] = (
    _power_faults,
    _center_faults,
    _unit_faults,
    _feature_faults,
    _players_faults,
)
