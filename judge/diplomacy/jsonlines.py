"""`judge adjudicate`: one JSON object a line in, one out. The contract stands in docs/rules.md.

A faulty line is answered with what is wrong, and changes nothing for the next.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, BinaryIO, TextIO

from judge.diplomacy.calendar import Phase, PhaseKind, parse_phase
from judge.diplomacy.desk import Desk
from judge.diplomacy.names import lexicon
from judge.diplomacy.notation import Fault, format_order, parse_order
from judge.diplomacy.options import BadOption, choose
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, WrittenOrder
from judge.diplomacy.outcome import (
    Bounced,
    Cut,
    Disbanded,
    DislodgedBy,
    Disrupted,
    DisruptionKind,
    Halted,
    NoConvoy,
    Outcome,
    Result,
    RetreatClash,
    Void,
)
from judge.diplomacy.position import Dislodged, Position, sort_units, start_position
from judge.diplomacy.reasons import reason_of, void_words
from judge.diplomacy.records import ReadingKind
from judge.diplomacy.retreats import legal_retreats
from judge.diplomacy.rules import DEFAULT_PRESET, Rules, UnknownRule
from judge.diplomacy.sequence import Played, play
from judge.diplomacy.variant import NoVariant, Variant, parse_unit

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
MEMO_UNITS = 1 << 13  # units read are kept: a board has a few thousand
RETREAT_KEYS = ("dislodged", "contested")
WORDS: Mapping[type, str] = {
    Bounced: "bounce",
    Cut: "cut",
    DislodgedBy: "dislodged",
    Void: "void",
    NoConvoy: "no convoy",
    Disrupted: "disrupted",
    Halted: "bounce",
    RetreatClash: "bounce",
    Disbanded: "disband",
}


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


def adjudicate_stream(source: BinaryIO, out: TextIO) -> bool:
    """Answer every line of a stream; whether all of them could be read."""
    is_sound = True
    for raw in source:
        if not raw.strip():
            continue
        answer = adjudicate_line(raw)
        is_sound &= "error" not in answer
        out.write(_dump(answer) + "\n")
    out.flush()
    return is_sound


def adjudicate_line(raw: bytes | str) -> dict[str, Any]:
    """The answer to one line: the outcome, or `{"id": …, "error": …}`."""
    name: Any = None
    try:
        data = _load(raw)
        name = data.get("id")
        return _answer(read_request(data))
    except BadLine as error:
        return {"id": name, "error": str(error)}


def _dump(answer: Mapping[str, Any]) -> str:
    """The answer as JSON. Half a character, which JSON can escape and UTF-8 cannot hold, comes back
    escaped as it came."""
    text = json.dumps(answer, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# --- reading --------------------------------------------------------------------------------------


def _load(raw: bytes | str) -> dict[str, Any]:
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
    unknown = [key for key in data if key not in KEYS]
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
    except NoVariant as error:
        known = ", ".join(error.known)
        raise BadLine(f"no variant {error.written!r} yet; there are {known}") from error
    except BadOption as error:
        if error.key is None:
            there = f"; there are {', '.join(error.known)}" if error.known else ""
            raise BadLine(f"the variant {name} has no option {error.written!r}{there}") from error
        known = ", ".join(error.known)
        raise BadLine(f"options: {error.key} is not {error.written!r}, but {known}") from error


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
    if not isinstance(written, list) or not all(isinstance(each, str) for each in written):
        raise BadLine(f"{key} must be a list of texts")
    return written


def _power(written: str, variant: Variant) -> PowerId:
    if written not in variant.power_ids:
        known = ", ".join(variant.power_ids)
        raise BadLine(f"no power {written!r}; there are {known}")
    return PowerId(written)


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
    return replace(position, dislodged=_dislodged(rows, position, variant, rules))


def _units(written: Any, variant: Variant) -> tuple[Unit, ...]:
    if written is None:
        raise BadLine("units is missing")
    found: dict[ProvinceId, Unit] = {}
    for power, rows in _by_power(written, "units", variant).items():
        for text in _list(rows, f"units of {power}"):
            unit = _unit(power, text, variant)
            there = found.setdefault(unit.location.province, unit)
            if there is not unit:
                province = unit.location.province
                raise BadLine(f"two units in {province}: {there} and {unit}")
    return sort_units(found.values(), variant.power_ids)


@lru_cache(maxsize=MEMO_UNITS)
def _unit(power: PowerId, text: str, variant: Variant) -> Unit:
    try:
        unit = parse_unit(power, text)
    except ValueError as error:
        raise BadLine(f"{text!r} is no unit; one looks like A PAR or F STP/SC") from error
    province = _province(unit.location.province, f"unit {text!r}", variant)
    if not variant.board.may_stand(unit.kind, unit.location):
        stands = variant.board.stands(unit.kind, province)
        if not stands:
            raise BadLine(f"{text}: such a unit cannot stand there")
        places = " or ".join(str(place) for place in stands)
        raise BadLine(f"{text}: write {unit.kind} {places}")
    return unit


def _province(written: str, where: str, variant: Variant) -> ProvinceId:
    if written in variant.board.provinces:
        return ProvinceId(written)
    raise BadLine(f"{where}: no province {written}{_nearest(written, variant)}")


def _nearest(word: str, variant: Variant) -> str:
    found = lexicon(variant).spelling.nearest("".join(word.lower().split()))
    near = [each[1:] for each in found if each[0] == "#"]
    return f"; did you mean {' or '.join(near[:3])}?" if near else ""


def _owners(written: Any, variant: Variant) -> Mapping[ProvinceId, PowerId]:
    if written is None:
        return start_position(variant).owners
    owners: dict[ProvinceId, PowerId] = {}
    centers = frozenset(variant.board.centers)
    for power, rows in _by_power(written, "centers", variant).items():
        for text in _list(rows, f"centers of {power}"):
            center = _province(text, "centers", variant)
            if center not in centers:
                raise BadLine(f"{center} is no supply center")
            if owners.setdefault(center, power) != power:
                raise BadLine(f"{center} has two owners, {owners[center]} and {power}")
    return {center: owners[center] for center in sorted(owners)}


def _dislodged(
    rows: Mapping[PowerId, Sequence[Any]], position: Position, variant: Variant, rules: Rules
) -> tuple[Dislodged, ...]:
    occupied = frozenset(unit.location.province for unit in position.units)
    found: dict[Unit, Dislodged] = {}
    for power, entries in rows.items():
        for entry in entries:
            one = _one_dislodged(power, entry, variant)
            province = one.unit.location.province
            if any(other.location.province == province for other in found):
                raise BadLine(f"two units were dislodged from {province}")
            places = legal_retreats(
                variant.board, rules, one, occupied, frozenset(position.contested)
            )
            found[one.unit] = replace(one, retreats=places)
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


# --- answering ------------------------------------------------------------------------------------


def _read_order(text: str, desk: Desk) -> WrittenOrder | Fault:
    """The order of a text; a short name with several meanings as the only one that may be
    ordered there."""
    order = parse_order(text, desk.variant)
    if not isinstance(order, Fault):
        return order
    fitting = [each for each in order.readings if not isinstance(desk.fit(each), Void)]
    return fitting[0] if len(fitting) == 1 else order


def _answer(request: Request) -> dict[str, Any]:
    variant = request.variant
    problems: list[dict[str, str]] = []
    written: dict[PowerId, list[WrittenOrder]] = {}
    texts: dict[tuple[PowerId, WrittenOrder], str] = {}
    for power in variant.power_ids:
        for text in request.orders.get(power, ()):
            order = _read_order(text, Desk(variant, request.rules, request.position, power))
            if isinstance(order, Fault):
                error = _fault_words(order, text, variant)
                problems.append({"power": power, "text": text, "error": error})
            else:
                written.setdefault(power, []).append(order)
                texts.setdefault((power, order), text)
    played = play(variant, request.rules, request.position, written, request.missing)
    first, last = played[0], played[-1]
    problems += _problems(first, texts)
    return {
        "id": request.id,
        "phase": str(first.phase),
        "results": _results(first, variant),
        "problems": problems,
        "units": _listed(last.units, variant),
        "dislodged": _dislodged_rows(first, variant),
        "contested": list(first.contested),
        "centers": _centers(last, variant),
        "next_phase": str(last.after.phase),
        "winners": list(last.winners),
    }


def _problems(
    played: Played, texts: Mapping[tuple[PowerId, WrittenOrder], str]
) -> list[dict[str, str]]:
    """Lines that broke the rules, and those that stand for no order."""
    found = [(one.power, one.written, one.void) for one in played.set_aside]
    for result in played.results:
        for outcome in result.outcomes:
            if isinstance(outcome, Void) and outcome.illegal:
                found.append((result.power, result.order, outcome))  # type: ignore[arg-type]
    return [
        {
            "power": power,
            "text": texts.get((power, order), format_order(order)),
            "error": void_words(void),
        }
        for power, order, void in found
    ]


def _results(played: Played, variant: Variant) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for power in variant.power_ids:
        own = [result for result in played.results if result.power == power]
        if own:
            rows[power] = [_result_row(result) for result in own]
    return rows


def _result_row(result: Result) -> dict[str, Any]:
    return {
        "order": format_order(result.order),
        "outcome": [_word(each) for each in result.outcomes if type(each) in WORDS],
        "reason": reason_of(result),
    }


def _word(outcome: Outcome) -> str:
    """The contract's word. A move stopped with its whole paradox (4.A.2, `all_hold`) is a move that
    fails, whether it needed a convoy or not."""
    if isinstance(outcome, Disrupted) and outcome.kind is DisruptionKind.ALL_HOLD:
        return WORDS[Bounced]
    return WORDS[type(outcome)]


def _listed(units: Sequence[Unit], variant: Variant) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for unit in sort_units(units, variant.power_ids):
        rows.setdefault(unit.power, []).append(str(unit))
    return rows


def _dislodged_rows(played: Played, variant: Variant) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for one in played.dislodged:
        rows.setdefault(one.unit.power, []).append(
            {
                "unit": str(one.unit),
                "attacker_from": one.attacker_from,
                "by_convoy": one.by_convoy,
                "retreats": [str(place) for place in one.retreats],
            }
        )
    return {power: rows[power] for power in variant.power_ids if power in rows}


def _centers(played: Played, variant: Variant) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for power in variant.power_ids:
        centers = played.after.centers_of(power)
        if centers:
            rows[power] = list(centers)
    return rows


def _fault_words(fault: Fault, text: str, variant: Variant) -> str:
    word = text[fault.start : fault.end] or fault.word
    match fault.kind:
        case ReadingKind.NO_PROVINCE:
            return f"no province {word}{_nearest(word, variant)}"
        case ReadingKind.AMBIGUOUS:
            readings = " or ".join(format_order(order) for order in fault.readings)
            return f"{word} has several meanings: {readings}"
        case ReadingKind.UNFINISHED:
            return f"the line ends too soon; expected {', '.join(fault.expected)}"
        case _:
            expected = f"; expected {', '.join(fault.expected)}" if fault.expected else ""
            return f"cannot be read at {word!r}{expected}"
