"""Reads the lines of `judge adjudicate` and checks them. The contract stands in docs/rules.md."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from msgspec import structs

from judge.diplomacy.board import Board
from judge.diplomacy.calendar import Phase, PhaseKind, parse_phase
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.position import Dislodged, Position, sort_units, start_position
from judge.diplomacy.retreats import with_retreats
from judge.diplomacy.rules import DEFAULT_PRESET, Rules, UnknownRule
from judge.diplomacy.variants.options import BadOption, choose
from judge.diplomacy.variants.variant import NoVariant, Variant, parse_unit

KEYS = (
    "id",
    "variant",
    "rules",
    "phase",
    "units",
    "dislodged",
    "contested",
    "centers",
    "missing",
    "options",
    "orders",
)
KNOWN_KEYS = frozenset(KEYS)
RETREAT_KEYS = ("dislodged", "contested")
TEXT = frozenset((str,))


class BadLine(ValueError):
    """A line that breaks the schema; the text says what is wrong and what to write."""


@dataclass(frozen=True, slots=True)
class Request:
    """One line, read."""

    id: Any
    variant: Variant
    rules: Rules
    position: Position
    missing: frozenset[PowerId]
    orders: Mapping[PowerId, Sequence[str]]


def load_line(raw: bytes | str) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
    except UnicodeDecodeError as error:
        raise BadLine(f"no UTF-8 at byte {error.start}") from error
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except BadLine:
        raise
    except (ValueError, RecursionError) as error:
        # Beside faulty JSON: a number with more digits than Python reads.
        raise BadLine(f"no JSON: {error}") from error
    if not isinstance(data, dict):
        raise BadLine("a line must be a JSON object")
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of two entries for a power one would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadLine(f"the key {twice!r} stands there twice")
    return found


def _no_constant(written: str) -> Any:
    raise BadLine(f"no JSON: {written} is no JSON value")


def read_request(data: Mapping[str, Any]) -> Request:
    """Check a line against the schema.

    Raises:
        BadLine: what is wrong, and what to write.
    """
    unknown = [key for key in data if key not in KNOWN_KEYS]
    if unknown:
        raise BadLine(f"unknown key {unknown[0]!r}; there are {', '.join(KEYS)}")
    variant = _variant(data.get("variant", "standard"), data.get("options", {}))
    phase = _phase(data.get("phase"), variant)
    rules = _rules(data.get("rules", DEFAULT_PRESET))
    return Request(
        id=data.get("id"),
        variant=variant,
        rules=rules,
        position=_position(data, variant, rules, phase),
        missing=frozenset(
            _power(each, variant) for each in _list(data.get("missing", []), "missing")
        ),
        orders=_orders(data.get("orders", {}), variant),
    )


def _variant(written: Any, options: Any) -> Variant:
    if not isinstance(options, dict):
        raise BadLine("options must be an object")
    name = written if isinstance(written, str) else json.dumps(written)
    try:
        return choose(name, options)
    except NoVariant as none:
        known = ", ".join(none.known)
        raise BadLine(f"no variant {none.written!r} yet; there are {known}") from none
    except BadOption as bad:
        if bad.key is None:
            there = f"; there are {', '.join(bad.known)}" if bad.known else ""
            raise BadLine(f"the variant {name} has no option {bad.written!r}{there}") from bad
        known = ", ".join(bad.known)
        raise BadLine(f"options: {bad.key} is not {bad.written!r}, but {known}") from bad


def _phase(written: Any, variant: Variant) -> Phase:
    if not isinstance(written, str):
        raise BadLine("phase is missing; it looks like S1901M")
    try:
        phase = parse_phase(written)
    except ValueError as error:
        raise BadLine(str(error)) from error
    if not variant.calendar.has(phase):
        raise BadLine(f"the calendar of {variant.name} has no phase {written}")
    return phase


def _rules(written: Any) -> Rules:
    try:
        if isinstance(written, str):
            return Rules.preset(written)
        if isinstance(written, dict) and all(isinstance(each, str) for each in written.values()):
            return Rules.from_choices(written)
    except UnknownRule as error:
        raise BadLine(str(error)) from error
    raise BadLine('rules must be a preset such as "2000", or an object of texts')


def _list(written: Any, key: str) -> list[str]:
    if not isinstance(written, list) or not TEXT.issuperset(map(type, written)):
        raise BadLine(f"{key} must be a list of texts")
    return written


def _power(written: str, variant: Variant) -> PowerId:
    try:
        return variant.power(PowerId(written)).id
    except KeyError:
        known = ", ".join(variant.power_ids)
        raise BadLine(f"no power {written!r}; there are {known}") from None


def _by_power(written: Any, key: str, variant: Variant) -> dict[PowerId, list[Any]]:
    if not isinstance(written, dict):
        raise BadLine(f"{key} must be an object of lists, by power")
    for power, rows in written.items():
        if not isinstance(rows, list):
            raise BadLine(f"{key} of {power} must be a list")
    return {_power(power, variant): rows for power, rows in written.items()}


def _orders(written: Any, variant: Variant) -> dict[PowerId, list[str]]:
    rows = _by_power(written, "orders", variant)
    return {power: _list(lines, f"orders of {power}") for power, lines in rows.items()}


def _position(data: Mapping[str, Any], variant: Variant, rules: Rules, phase: Phase) -> Position:
    if phase.kind is not PhaseKind.RETREAT:
        for key in RETREAT_KEYS:
            if data.get(key):
                raise BadLine(f"{key} belongs to retreat phases, not to {phase}")
    units = _units(data.get("units"), variant)
    owners = _owners(data.get("centers"), variant)
    contested = tuple(
        sorted(
            _province(each, "contested", variant)
            for each in _list(data.get("contested", []), "contested")
        )
    )
    position = Position(phase, units, owners, (), contested)
    rows = _by_power(data.get("dislodged", {}), "dislodged", variant)
    if not rows:
        return position
    return structs.replace(position, dislodged=_dislodged(rows, position, variant, rules))


def _units(written: Any, variant: Variant) -> tuple[Unit, ...]:
    if written is None:
        raise BadLine("units is missing")
    found: dict[ProvinceId, Unit] = {}
    all_units = _all_units(variant.board, variant.power_ids)
    for power, rows in _by_power(written, "units", variant).items():
        known = all_units[power]
        for text in _list(rows, f"units of {power}"):
            unit = known.get(text) or _refuse_unit(power, text, variant)
            there = found.setdefault(unit.location.province, unit)
            if there is not unit:
                province = unit.location.province
                raise BadLine(f"two units in {province}: {there} and {unit}")
    return sort_units(found.values(), variant.power_ids)


@lru_cache(maxsize=16)
def _all_units(board: Board, powers: tuple[PowerId, ...]) -> dict[PowerId, dict[str, Unit]]:
    """Every unit there could ever be, by power and as it is written."""
    places = [
        (kind, place)
        for kind in UnitKind
        for province in board.provinces
        for place in board.stands(kind, province)
    ]
    return {
        power: {f"{kind} {place}": Unit(power, kind, place) for kind, place in places}
        for power in powers
    }


def _unit(power: PowerId, text: str, variant: Variant) -> Unit:
    unit = _all_units(variant.board, variant.power_ids)[power].get(text)
    return unit or _refuse_unit(power, text, variant)


def _refuse_unit(power: PowerId, text: str, variant: Variant) -> NoReturn:
    """Say why a text is no unit that can stand on the board."""
    try:
        unit = parse_unit(power, text)
    except ValueError as error:
        raise BadLine(f"{text!r} is no unit; one looks like A PAR or F STP/SC") from error
    province = _province(unit.location.province, f"unit {text!r}", variant)
    stands = variant.board.stands(unit.kind, province)
    if not stands:
        raise BadLine(f"{text}: such a unit cannot stand there")
    places = " or ".join(str(place) for place in stands)
    raise BadLine(f"{text}: write {unit.kind} {places}")


def _province(written: str, where: str, variant: Variant) -> ProvinceId:
    if written in variant.board.provinces:
        return ProvinceId(written)
    raise BadLine(f"{where}: no province {written}{nearest_places(written, variant)}")


def nearest_places(word: str, variant: Variant) -> str:
    found = lexicon(variant).nearest("".join(word.lower().split()))
    near = [each[1:] for each in found if each[0] == "#"]
    return f"; did you mean {' or '.join(near[:3])}?" if near else ""


def _owners(written: Any, variant: Variant) -> Mapping[ProvinceId, PowerId]:
    if written is None:
        return start_position(variant).owners
    owners: dict[ProvinceId, PowerId] = {}
    board = variant.board
    for power, rows in _by_power(written, "centers", variant).items():
        for text in _list(rows, f"centers of {power}"):
            province = board.provinces[_province(text, "centers", variant)]
            if not province.is_center:
                raise BadLine(f"{text} is no supply center")
            center = province.id
            if owners.setdefault(center, power) != power:
                raise BadLine(f"{center} has two owners, {owners[center]} and {power}")
    return {center: owners[center] for center in board.centers if center in owners}


def _dislodged(
    rows: Mapping[PowerId, Sequence[Any]], position: Position, variant: Variant, rules: Rules
) -> tuple[Dislodged, ...]:
    closed = frozenset(unit.location.province for unit in position.units)
    closed = closed.union(position.contested)
    found: dict[Unit, Dislodged] = {}
    for power, entries in rows.items():
        for entry in entries:
            one = _one_dislodged(power, entry, variant)
            province = one.unit.location.province
            if any(other.location.province == province for other in found):
                raise BadLine(f"two units were dislodged from {province}")
            found[one.unit] = with_retreats(variant.board, rules, one, closed)
    return tuple(found[unit] for unit in sort_units(found, variant.power_ids))


def _one_dislodged(power: PowerId, entry: Any, variant: Variant) -> Dislodged:
    known = ("unit", "attacker_from", "by_convoy", "retreats")
    if not isinstance(entry, dict) or not isinstance(entry.get("unit"), str):
        raise BadLine('dislodged: one looks like {"unit": "A BUR", "attacker_from": "MUN"}')
    for key in entry:
        if key not in known:
            raise BadLine(f"dislodged: unknown key {key!r}; there are {', '.join(known)}")
    origin, by_convoy = entry.get("attacker_from"), entry.get("by_convoy", False)
    if not isinstance(origin, str) or not isinstance(by_convoy, bool):
        raise BadLine(f"dislodged {entry['unit']}: attacker_from must name a province")
    province = _province(origin.partition("/")[0], "attacker_from", variant)
    return Dislodged(_unit(power, entry["unit"], variant), province, by_convoy)
