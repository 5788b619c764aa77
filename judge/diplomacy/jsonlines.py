"""`judge adjudicate`: one JSON object a line in, one out. The contract stands in docs/rules.md.

A faulty line is answered with what is wrong, and changes nothing for the next.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, TextIO

from judge.diplomacy.jsonrequest import BadLine, Request, load_line, nearest_places, read_request
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import AnyOrder, PowerId, Ride, Unit, WrittenOrder, WrittenRide
from judge.diplomacy.outcomes import (
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
from judge.diplomacy.position import sort_units
from judge.diplomacy.reasons import reason_of, void_words
from judge.diplomacy.records import ReadingKind
from judge.diplomacy.sequence import Played, play
from judge.diplomacy.variants.variant import Variant

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

# The lines as they were written, by their orders themselves, not by what these say; those of rides
# by the train's province too.
Texts = dict[tuple[PowerId, int | str], str]


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
        data = load_line(raw)
        name = data.get("id")
        return _answer(read_request(data))
    except BadLine as error:
        return {"id": name, "error": str(error)}


def _dump(answer: Mapping[str, Any]) -> str:
    """The answer as JSON. Half a character, which JSON can escape and UTF-8 cannot hold, comes back
    escaped as it came."""
    text = json.dumps(answer, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _only_fitting(order: Fault, context: OrderContext) -> WrittenOrder | Fault:
    """Of the meanings of a short name the only one that may be ordered there."""
    fitting = [each for each in order.readings if not isinstance(context.fit(each), Void)]
    return fitting[0] if len(fitting) == 1 else order


def _answer(request: Request) -> dict[str, Any]:
    variant = request.variant
    problems: list[dict[str, str]] = []
    written: dict[PowerId, list[WrittenOrder]] = {}
    texts: Texts = {}
    for power in variant.power_ids:
        for text in request.orders.get(power, ()):
            if power in variant.unplayed:
                error = f"nobody plays {power} in this game"
                problems.append({"power": power, "text": text, "error": error})
                continue
            order = parse_order(text, variant)
            if isinstance(order, Fault) and order.readings:
                context = OrderContext(variant, request.rules, request.position, power)
                order = _only_fitting(order, context)
            if isinstance(order, Fault):
                error = _fault_words(order, text, variant)
                problems.append({"power": power, "text": text, "error": error})
            else:
                written.setdefault(power, []).append(order)
                texts.setdefault((power, id(order)), text)
                if isinstance(order, WrittenRide):
                    texts.setdefault((power, order.unit.location.province), text)
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


def _problems(played: Played, texts: Texts) -> list[dict[str, str]]:
    """Lines that broke the rules, and those that stand for no order."""
    found: list[tuple[PowerId, AnyOrder | WrittenOrder, Void]] = [
        (one.power, one.written, one.void) for one in played.set_aside
    ]
    for result in played.results:
        for outcome in result.outcomes:
            if isinstance(outcome, Void) and outcome.illegal:
                found.append((result.power, result.order, outcome))
    return [
        {
            "power": power,
            "text": _text_of(power, order, texts),
            "error": void_words(void),
        }
        for power, order, void in found
    ]


def _text_of(power: PowerId, order: AnyOrder | WrittenOrder, texts: Texts) -> str:
    """The line as it was written; of two trains, whose orders only the other spoils, too."""
    key = order.unit.location.province if isinstance(order, Ride) else id(order)
    return texts.get((power, key)) or format_order(order)


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
            return f"no province {word}{nearest_places(word, variant)}"
        case ReadingKind.AMBIGUOUS:
            readings = " or ".join(format_order(order) for order in fault.readings)
            return f"{word} has several meanings: {readings}"
        case ReadingKind.UNFINISHED:
            return f"the line ends too soon; expected {', '.join(fault.expected)}"
        case _:
            expected = f"; expected {', '.join(fault.expected)}" if fault.expected else ""
            return f"cannot be read at {word!r}{expected}"
