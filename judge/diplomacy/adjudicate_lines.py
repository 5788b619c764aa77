"""`judge adjudicate`: one JSON object a line in, one out. The contract stands in docs/rules.md.

A faulty line is answered with what is wrong, and changes nothing for the next.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn

import msgspec

from judge.diplomacy import orders as o
from judge.diplomacy import outcomes
from judge.diplomacy.board import province_of
from judge.diplomacy.calendar import Phase, PhaseKind, parse_phase
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import AnyOrder, PowerId, ProvinceId, Unit, WrittenOrder
from judge.diplomacy.outcomes import Void
from judge.diplomacy.position import Dislodged, Position, sort_units, start_position
from judge.diplomacy.reasons import reason_of, short_reason, short_text
from judge.diplomacy.records import ReadingKind
from judge.diplomacy.retreats import dislodged_with_retreats
from judge.diplomacy.rules import DEFAULT_PRESET, Rules
from judge.diplomacy.sequence import play
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import Variant, parse_unit

_MEMO_UNITS = 1 << 14  # units that are kept; a board has about a thousand

ByPower = dict[str, list[str]]


class DislodgedRow(msgspec.Struct, forbid_unknown_fields=True):
    """A dislodged unit, in a line and in an answer; `retreats` of a line are not looked at."""

    unit: str
    attacker_from: str
    by_convoy: bool = False
    retreats: Any = None


class Line(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A line as it must be written."""

    id: Any = None
    variant: str = "standard"
    rules: str | dict[str, str] = DEFAULT_PRESET
    phase: str
    units: ByPower
    dislodged: dict[str, list[DislodgedRow]] = {}
    contested: list[str] = []
    centers: ByPower | None = None
    missing: list[str] = []
    options: dict[str, Any] = {}
    orders: ByPower = {}


SHAPES = {
    "phase": "phase is missing; it looks like S1901M",
    "rules": 'rules must be a preset such as "2000", or an object of texts',
    "dislodged": "dislodged must be an object; dislodged of each power must be a list, where one "
    'looks like {"unit": "A BUR", "attacker_from": "MUN"}',
    "contested": "contested must be a list of texts",
    "missing": "missing must be a list of texts",
    "options": "options must be an object",
    "variant": "variant must be a text",
}
BY_POWER = "{key} must be an object; {key} of each power must be a list of texts"


class Request(msgspec.Struct, frozen=True):
    """One line, read."""

    variant: Variant
    rules: Rules
    position: Position
    missing: frozenset[PowerId]
    orders: Mapping[PowerId, Sequence[str]]


class ResultRow(msgspec.Struct, gc=False):
    """What became of an order; `outcome` holds the contract's words."""

    order: str
    outcome: tuple[str, ...]
    reason: str


class ProblemRow(msgspec.Struct, gc=False):
    """A line that was not carried out as it was written."""

    power: str
    text: str
    error: str


class Answer(msgspec.Struct):
    """The answer to a line, beside its id."""

    phase: str
    results: dict[str, list[ResultRow]]
    problems: list[ProblemRow]
    units: ByPower
    dislodged: dict[str, list[DislodgedRow]]
    contested: list[str]
    centers: ByPower
    next_phase: str
    winners: list[str]


class BadLine(ValueError):
    """A line that breaks the schema; the text says what is wrong and what to write."""


def answer_line(raw: bytes | str) -> tuple[str, bool]:
    """The answer to one line, an `Answer` as JSON or `{"id": …, "error": …}`; and whether the line
    could be read."""
    name: Any = None
    answer: Answer | None = None
    try:
        data = _load(raw)
        name = data.get("id")
        answer = _adjudicate(read_request(data))
        # One line, with spaces as `json.dumps` sets them; the id may be any JSON.
        body = msgspec.json.format(msgspec.json.encode(answer), indent=0).decode()
    except BadLine as error:
        body = json.dumps({"error": str(error)}, ensure_ascii=False)
    except UnicodeEncodeError:
        body = json.dumps(msgspec.to_builtins(answer), ensure_ascii=False)
    text = f'{{"id": {json.dumps(name, ensure_ascii=False)}, {body[1:]}'
    # Half a character, which JSON can escape and UTF-8 cannot hold, comes back as it came.
    return text.encode("utf-8", "backslashreplace").decode("utf-8"), answer is not None


def adjudicate_line(raw: bytes | str) -> dict[str, Any]:
    """The same, as the values that the answer holds."""
    answer: dict[str, Any] = json.loads(answer_line(raw)[0])
    return answer


# --- the request ----------------------------------------------------------------------------------


def _load(raw: bytes | str) -> dict[str, Any]:
    """The JSON object of a line, read by the standard library: it can find a key written twice, and
    reads texts with half a character."""
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
    except UnicodeDecodeError as error:
        raise BadLine(f"no UTF-8 at byte {error.start}") from error
    try:
        data = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except BadLine:
        raise
    except (ValueError, RecursionError) as error:
        # Beside faulty JSON: a number with more digits than Python reads.
        raise BadLine(f"no JSON: {error}") from error
    if not isinstance(data, dict):
        raise BadLine("a line must be a JSON object")
    return data


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of two entries for a power one would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadLine(f"the key {twice!r} stands there twice")
    return found


def _no_constant(written: str) -> NoReturn:
    raise BadLine(f"no JSON: {written} is no JSON value")


def read_request(data: Mapping[str, Any]) -> Request:
    """Check a line against the schema and its variant.

    Raises:
        BadLine: what is wrong, and what to write.
    """
    try:
        line = msgspec.convert(data, Line)
    except msgspec.ValidationError as error:
        known = Line.__struct_fields__
        unknown = [key for key in data if key not in known]
        if unknown:
            text = f"unknown key {unknown[0]!r}; there are {', '.join(known)}"
            raise BadLine(text) from error
        # The key that the fault is in, or that is missing, is the last that the error quotes.
        key = re.findall(r"`(?:\$\.)?(\w+)", str(error))[-1]
        raise BadLine(SHAPES.get(key) or BY_POWER.format(key=key)) from error
    try:
        variant, phase = choose(line.variant, line.options), parse_phase(line.phase)
        if not variant.calendar.has(phase):
            raise BadLine(f"the calendar of {variant.name} has no phase {line.phase}")
        written = {"preset": line.rules} if isinstance(line.rules, str) else line.rules
        rules = Rules.from_choices(written)
    except ValueError as error:
        raise BadLine(str(error)) from error
    return Request(
        variant=variant,
        rules=rules,
        position=_position(line, variant, rules, phase),
        missing=frozenset(_power(each, variant) for each in line.missing),
        orders={_power(power, variant): texts for power, texts in line.orders.items()},
    )


def _power(written: str, variant: Variant) -> PowerId:
    try:
        return variant.power(PowerId(written)).id
    except KeyError:
        known = ", ".join(variant.power_ids)
        raise BadLine(f"no power {written!r}; there are {known}") from None


def _province(written: str, where: str, variant: Variant) -> ProvinceId:
    if written in variant.board.provinces:
        return ProvinceId(written)
    raise BadLine(f"{where}: no province {written}{_did_you_mean(written, variant)}")


def _did_you_mean(word: str, variant: Variant) -> str:
    near = lexicon(variant).nearest_places(word)
    return f"; did you mean {' or '.join(near[:3])}?" if near else ""


def _position(line: Line, variant: Variant, rules: Rules, phase: Phase) -> Position:
    if phase.kind is not PhaseKind.RETREAT:
        for key in ("dislodged", "contested"):
            if getattr(line, key):
                raise BadLine(f"{key} belongs to retreat phases, not to {phase}")

    found: dict[ProvinceId, Unit] = {}
    for power, texts in line.units.items():
        owner = _power(power, variant)
        for text in texts:
            unit = _unit(owner, text, variant)
            if (there := found.get(unit.location.province)) is not None:
                raise BadLine(f"two units in {unit.location.province}: {there} and {unit}")
            found[unit.location.province] = unit
    units = sort_units(found.values(), variant.power_ids)

    owners: dict[ProvinceId, PowerId] = {}
    for power, texts in (line.centers or {}).items():
        own = _power(power, variant)
        for text in texts:
            center = variant.board.provinces[_province(text, "centers", variant)]
            if not center.is_center:
                raise BadLine(f"{text} is no supply center")
            owner = owners.setdefault(center.id, own)
            if owner != own:
                raise BadLine(f"{center.id} has two owners, {owner} and {own}")
    if line.centers is None:
        owners = dict(start_position(variant).owners)
    else:
        owners = {center: owners[center] for center in variant.board.centers if center in owners}
    contested = tuple(sorted(_province(each, "contested", variant) for each in line.contested))

    lost: dict[Unit, Dislodged] = {}
    closed = frozenset(found).union(contested)
    for power, rows in line.dislodged.items():
        owner = _power(power, variant)
        for row in rows:
            origin = _province(province_of(row.attacker_from), "attacker_from", variant)
            unit = _unit(owner, row.unit, variant)
            province = unit.location.province
            if any(other.location.province == province for other in lost):
                raise BadLine(f"two units were dislodged from {province}")
            one = Dislodged(unit, origin, row.by_convoy)
            lost[unit] = dislodged_with_retreats(variant.board, rules, one, closed)
    dislodged = tuple(lost[unit] for unit in sort_units(lost, variant.power_ids))
    return Position(phase, units, owners, dislodged, contested)


@lru_cache(maxsize=_MEMO_UNITS)
def _unit(power: PowerId, text: str, variant: Variant) -> Unit:
    try:
        unit = parse_unit(power, text)
    except ValueError as error:
        raise BadLine(f"{text!r} is no unit; one looks like A PAR or F STP/SC") from error
    province = _province(unit.location.province, f"unit {text!r}", variant)
    stands = variant.board.possible_locations(unit.kind, province)
    if unit.location in stands:
        return unit
    if not stands:
        raise BadLine(f"{text}: such a unit cannot stand there")
    places = " or ".join(str(place) for place in stands)
    raise BadLine(f"{text}: write {unit.kind} {places}")


# --- the answer -----------------------------------------------------------------------------------

# The lines as written, by power and by the identity of their orders; those of rides also by the
# train's province.
Texts = dict[tuple[PowerId, int | str], str]


def _read_orders(
    request: Request, problems: list[ProblemRow]
) -> tuple[dict[PowerId, list[WrittenOrder]], Texts]:
    """The orders of all lines that can be read, and their texts; the others are `problems`."""
    variant = request.variant
    written: dict[PowerId, list[WrittenOrder]] = {}
    texts: Texts = {}
    for power in variant.power_ids:
        for text in request.orders.get(power, ()):
            if power in variant.unplayed:
                error = f"nobody plays {power} in this game"
                problems.append(ProblemRow(power, text, error))
                continue
            order = parse_order(text, variant)
            if isinstance(order, Fault) and order.readings:
                # A short name with several meanings: take the only one that may be ordered.
                context = OrderContext(variant, request.rules, request.position, power)
                fits = [
                    one
                    for one in order.readings
                    if not isinstance(context.order_on_board(one), Void)
                ]
                order = fits[0] if len(fits) == 1 else order
            if isinstance(order, Fault):
                problems.append(ProblemRow(power, text, _fault_words(order, text, variant)))
                continue
            written.setdefault(power, []).append(order)
            texts.setdefault((power, id(order)), text)
            if isinstance(order, o.WrittenRide):
                texts.setdefault((power, order.unit.location.province), text)
    return written, texts


def _adjudicate(request: Request) -> Answer:
    variant = request.variant
    problems: list[ProblemRow] = []
    written, texts = _read_orders(request, problems)
    played = play(variant, request.rules, request.position, written, request.missing)
    first, last = played[0], played[-1]
    # Lines that stand for no order, and those that broke the rules.
    spoilt: list[tuple[PowerId, AnyOrder | WrittenOrder, Void]]
    spoilt = [(one.power, one.written, one.void) for one in first.set_aside]
    for result in first.results:
        for outcome in result.outcomes:
            if isinstance(outcome, Void) and outcome.illegal:
                spoilt.append((result.power, result.order, outcome))
    for power, known_as, void in spoilt:
        # Two trains spoil each other; their results hold the orders as the rules read them.
        key = known_as.unit.location.province if isinstance(known_as, o.Ride) else id(known_as)
        text = texts.get((power, key)) or format_order(known_as)
        problems.append(ProblemRow(power, text, short_text(reason_of(void, known_as))))

    results: dict[str, list[ResultRow]] = {}
    for result in first.results:
        text, outcomes = format_order(result.order), result.outcomes
        row = ResultRow(text, (), "")
        if outcomes:
            words = [_outcome_word(each) for each in outcomes if type(each) in WORDS]
            row = ResultRow(text, tuple(words), short_reason(result))
        results.setdefault(result.power, []).append(row)
    units: ByPower = {}
    for unit in last.units:
        units.setdefault(unit.power, []).append(str(unit))
    dislodged: dict[str, list[DislodgedRow]] = {}
    for one in first.dislodged:
        places = [str(place) for place in one.retreats]
        row_of_unit = DislodgedRow(str(one.unit), one.attacker_from, one.by_convoy, places)
        dislodged.setdefault(one.unit.power, []).append(row_of_unit)
    owned = ((power, last.after.centers_of(power)) for power in variant.power_ids)
    return Answer(
        phase=str(first.phase),
        results=results,
        problems=problems,
        units=units,
        dislodged=dislodged,
        contested=list(first.contested),
        centers={power: list(centers) for power, centers in owned if centers},
        next_phase=str(last.after.phase),
        winners=list(last.winners),
    )


# The contract's words; a support without effect has none.
WORDS: Mapping[type, str] = {
    outcomes.Bounced: "bounce",
    outcomes.Cut: "cut",
    outcomes.DislodgedBy: "dislodged",
    Void: "void",
    outcomes.NoConvoy: "no convoy",
    outcomes.Disrupted: "disrupted",
    outcomes.Halted: "bounce",
    outcomes.RetreatClash: "bounce",
    outcomes.Disbanded: "disband",
}


def _outcome_word(outcome: outcomes.Outcome) -> str:
    """A move that is stopped with its whole paradox (4.A.2, `all_hold`) just fails, by convoy or
    not."""
    if isinstance(outcome, outcomes.Disrupted) and outcome.kind is outcomes.DisruptionKind.ALL_HOLD:
        return "bounce"
    return WORDS[type(outcome)]


def _fault_words(fault: Fault, text: str, variant: Variant) -> str:
    word = text[fault.start : fault.end] or fault.word
    expected = f"expected {', '.join(fault.expected)}"
    match fault.kind:
        case ReadingKind.NO_PROVINCE:
            return f"no province {word}{_did_you_mean(word, variant)}"
        case ReadingKind.AMBIGUOUS:
            readings = " or ".join(format_order(order) for order in fault.readings)
            return f"{word} has several meanings: {readings}"
        case ReadingKind.UNFINISHED:
            return f"the line ends too soon; {expected}"
        case _:
            return f"cannot be read at {word!r}" + (f"; {expected}" if fault.expected else "")
