"""Games with fewer players than powers: who holds which powers, and what nobody plays.

A variant names such tables in its data, `[players.4]`; a game chooses one. Knows nothing of
positions; what follows for a phase stands where it is played.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from judge.diplomacy.calendar import Calendar, Phase, PhaseKind, parse_phase
from judge.diplomacy.orders import PowerId, ProvinceId
from judge.diplomacy.variants.files import Document, VariantFault
from judge.diplomacy.variants.toml_places import Path


class VictoryBy(StrEnum):
    """Whose centers are counted together for a win."""

    POWER = "power"  # one power's; its player wins
    PLAYER = "player"  # those of all powers of a player


@dataclass(frozen=True, slots=True)
class SeatPowers:
    """A place at the table and the powers that its player has; the id is made of those that he has
    from the start."""

    id: str
    powers: tuple[PowerId, ...]


@dataclass(frozen=True, slots=True)
class PlayersTable:
    """How a number of players shares the powers.

    Attributes:
        unplayed: powers that nobody plays: they hold, and are disbanded instead of retreating.
        closed: provinces that nobody may enter while those powers are unplayed.
        toss: the phase after which a coin says which of the seats gets the unplayed powers.
        opening: the phase a game begins with, if another than usual.
        victory_centers: how many win, if another number than usual.
    """

    seats: tuple[SeatPowers, ...]
    unplayed: frozenset[PowerId] = frozenset()
    closed: frozenset[ProvinceId] = frozenset()
    toss: Phase | None = None
    opening: Phase | None = None
    victory_centers: int | None = None
    victory_by: VictoryBy = VictoryBy.POWER


def seat_of_powers(powers: Sequence[PowerId]) -> SeatPowers:
    """The seat of a player who has these powers: `AUSTRIA_FRANCE`."""
    return SeatPowers("_".join(powers), tuple(powers))


def read_tables(data: Mapping[str, Any]) -> Mapping[str, PlayersTable]:
    """The tables of a variant's data by the number of players, most players first."""
    rows = data.get("players", {})
    return {count: _read_table(rows[count], data) for count in sorted(rows, key=int, reverse=True)}


def _read_table(row: Mapping[str, Any], data: Mapping[str, Any]) -> PlayersTable:
    powers = [PowerId(power["id"]) for power in data["powers"]]
    unplayed = frozenset(PowerId(power) for power in row.get("out", ()))
    alone = [[power] for power in powers if power not in unplayed]
    return PlayersTable(
        seats=tuple(seat_of_powers(tuple(map(PowerId, each))) for each in row.get("seats", alone)),
        unplayed=unplayed,
        closed=frozenset(ProvinceId(province) for province in row.get("closed", ())),
        toss=parse_phase(row["toss"]) if "toss" in row else None,
        opening=parse_phase(row["start"]) if "start" in row else None,
        victory_centers=row.get("victory_centers"),
        victory_by=VictoryBy(row.get("victory_by", VictoryBy.POWER)),
    )


# --- what can be wrong ----------------------------------------------------------------------------


def table_faults(variant: Document, board: Document, calendar: Calendar) -> Iterator[VariantFault]:
    """Everything that is wrong with the tables of a variant whose shape is sound."""
    for count, row in variant.data.get("players", {}).items():
        path: Path = ("players", count)
        yield from _seat_faults(variant, row, path)
        yield from _closed_faults(variant, board, row, path)
        yield from _phase_faults(variant, calendar, row, path)
        centers = sum(bool(each.get("center")) for each in board.data["provinces"])
        most = row.get("victory_centers", 1)
        if not 0 < most <= centers:
            text = f"players.{count}: victory_centers: {most} of {centers} centers"
            yield variant.fault(text, *path, "victory_centers")
        if row.get("victory_by", VictoryBy.POWER) not in set(VictoryBy):
            known = ", ".join(VictoryBy)
            text = f'players.{count}: victory_by is "{row["victory_by"]}"; there are {known}'
            yield variant.fault(text, *path, "victory_by")


def _seat_faults(variant: Document, row: Mapping[str, Any], path: Path) -> Iterator[VariantFault]:
    count = path[-1]
    known = [power["id"] for power in variant.data["powers"]]
    out = row.get("out", [])
    seats = row.get("seats", [[power] for power in known if power not in out])
    if not str(count).isdecimal() or int(count) != len(seats):
        yield variant.fault(f"players.{count}: there are {len(seats)} seats", *path)
    named: list[tuple[str, Path]] = [(power, (*path, "out", at)) for at, power in enumerate(out)]
    for at, seat in enumerate(seats):
        named += [(power, (*path, "seats", at)) for power in seat]
        if not seat:
            yield variant.fault(f"players.{count}: a seat without a power", *path, "seats", at)
    seen: set[str] = set()
    for power, place in named:
        if power not in known:
            text = f"players.{count}: there is no power {power}; there are {', '.join(known)}"
            yield variant.fault(text, *place)
        elif power in seen:
            yield variant.fault(f"players.{count}: {power} stands there twice", *place)
        seen.add(power)
    for power in known:
        if power not in seen:
            text = f"players.{count}: {power} has no seat, and does not stand in out"
            yield variant.fault(text, *path)


def _closed_faults(
    variant: Document, board: Document, row: Mapping[str, Any], path: Path
) -> Iterator[VariantFault]:
    provinces = {each["id"] for each in board.data["provinces"]}
    for at, province in enumerate(row.get("closed", ())):
        if province not in provinces:
            text = f"players.{path[-1]}: closed: there is no province {province}"
            yield variant.fault(text, *path, "closed", at)
    if row.get("closed") and not row.get("out"):
        text = f"players.{path[-1]}: closed: provinces are closed only for powers that are out"
        yield variant.fault(text, *path, "closed")


def _phase_faults(
    variant: Document, calendar: Calendar, row: Mapping[str, Any], path: Path
) -> Iterator[VariantFault]:
    for key, kind in (("start", PhaseKind.MOVEMENT), ("toss", PhaseKind.RETREAT)):
        if key not in row:
            continue
        where = f"players.{path[-1]}: {key}"
        try:
            phase = parse_phase(row[key])
        except ValueError as error:
            yield variant.fault(f"{where}: {error}", *path, key)
            continue
        if not calendar.has(phase) or phase.kind is not kind:
            said = "movement" if key == "start" else "retreat"
            yield variant.fault(f"{where}: {phase} is no {said} phase of this calendar", *path, key)
        elif key == "toss" and not calendar.is_before_adjustment(phase):
            text = f"{where}: {phase} does not stand before adjustments"
            yield variant.fault(text, *path, key)
        if variant.data.get("calendars"):
            yield variant.fault(f"{where}: it does not fit every calendar", *path, key)
    if "toss" in row and (not row.get("out") or len(row.get("seats", ())) != 2):
        text = f"players.{path[-1]}: toss: a coin is tossed by two seats, for powers that are out"
        yield variant.fault(text, *path, "toss")
