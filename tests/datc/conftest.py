"""The DATC's cases, read from cases.json and checked to be whole before any of them is run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import Phase, PhaseKind
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.notation import parse_order
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, UnitKind, WrittenOrder
from judge.diplomacy.outcomes import (
    Bounced,
    Cut,
    Disrupted,
    DisruptionKind,
    NoConvoy,
    Result,
    RetreatClash,
    SetAside,
    Void,
)
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import load_variant

CASES = Path(__file__).parent / "cases.json"
STANDARD = load_variant("standard")
DISPUTED = ("6.F.20", "1971")  # the two versions of the DATC contradict each other: README.md
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """One case under one set of choices. `case` is an entry of cases.json, or its set-up."""

    id: str
    case: Row
    expected: Row
    options: Mapping[str, str]

    @property
    def rules(self) -> Rules:
        return Rules.from_choices({"preset": "2023", **self.options})


class IncompleteCase(ValueError):
    """A case that states too little: a silent order would be an untested order."""


@cache
def entries() -> tuple[Row, ...]:
    found = tuple(json.loads(CASES.read_text(encoding="utf-8")))
    for entry in found:
        check_whole(entry)
    return found


def check_whole(entry: Row) -> None:
    """Refuse a case without units, dislodgements, or a verdict for each move."""
    expected, orders = entry["expected"], entry["orders"]
    if "units" not in expected or "dislodged" not in expected:
        raise IncompleteCase(f"{entry['id']}: no units or no dislodgements")
    verdicts = expected.get("verdicts", ())
    if len(verdicts) != len(orders):
        raise IncompleteCase(f"{entry['id']}: {len(verdicts)} verdicts for {len(orders)} orders")
    for (_, text), verdict in zip(orders, verdicts, strict=True):
        if verdict is None and " - " in text and " S " not in text and " C " not in text:
            raise IncompleteCase(f"{entry['id']}: no verdict for {text}")


def runs(phase: str) -> Iterator[Run]:
    """Every entry of a phase, with its assumed options and every alternative with an answer."""
    for entry in entries():
        if entry["phase"] == phase:
            yield Run(entry["id"], entry, entry["expected"], entry["options"])
            yield from _alternatives(entry)
        if phase == "movement" and "setup" in entry:
            setup = entry["setup"]
            yield Run(f"{entry['id']}-setup", setup, setup["expected"], entry["options"])


def _alternatives(entry: Row) -> Iterator[Run]:
    for alternative in entry["alternatives"]:
        expected, choices = alternative["expected"], alternative["options"]
        if expected is None:
            continue
        name = "+".join(f"{issue}={value}" for issue, value in choices.items())
        same_board = expected == "same_board"
        board = {**entry["expected"], "verdicts": None} if same_board else expected
        yield Run(f"{entry['id']}[{name}]", entry, board, {**entry["options"], **choices})


# --- positions and orders -------------------------------------------------------------------------


def unit_of(power: str, kind: str, place: str) -> Unit:
    return Unit(PowerId(power), UnitKind(kind), parse_location(place))


def position_of(case: Row, phase: str) -> Position:
    kinds = {"movement": "S1901M", "retreat": "S1901R", "adjustment": "W1901A"}
    label = kinds[phase]
    owners = {
        ProvinceId(center): PowerId(power)
        for power, centers in case.get("centers", {}).items()
        for center in centers
    }
    return Position(
        phase=Phase(label[0], int(label[1:5]), PhaseKind(label[5])),
        units=sort_units((unit_of(*row) for row in case["units"]), STANDARD.power_ids),
        owners=owners,
        contested=tuple(ProvinceId(each) for each in case.get("contested", ())),
    )


def written_of(case: Row) -> tuple[tuple[PowerId, WrittenOrder], ...]:
    lines = []
    for power, text in case["orders"]:
        order = parse_order(text, STANDARD)
        assert not isinstance(order, Fault), f"{text}: {order}"
        lines.append((PowerId(power), order))
    return tuple(lines)


def by_power(
    lines: Sequence[tuple[PowerId, WrittenOrder]],
) -> Mapping[PowerId, Sequence[WrittenOrder]]:
    order_sets: dict[PowerId, list[WrittenOrder]] = {}
    for power, order in lines:
        order_sets.setdefault(power, []).append(order)
    return order_sets


# --- what came out --------------------------------------------------------------------------------


def plain(units: Sequence[Unit]) -> list[list[str]]:
    return sorted([unit.power, str(unit.kind), str(unit.location)] for unit in units)


def plain_dislodged(dislodged: Sequence[Dislodged]) -> list[list[str]]:
    return sorted(
        [one.unit.power, str(one.unit.kind), str(one.unit.location), one.attacker_from]
        for one in dislodged
    )


def expected_dislodged(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return sorted([*row[:3], row[3].partition("/")[0]] for row in rows)


def verdict_of(
    power: PowerId, line: WrittenOrder, results: Sequence[Result], aside: Sequence[SetAside]
) -> str:
    """The DATC's word for what became of a line; illegal and void are one."""
    if any(one.written == line and one.power == power for one in aside):
        return "void"
    province = line.unit.location.province if hasattr(line, "unit") else None
    for result in results:
        unit = result.unit or getattr(result.order, "unit", None)
        if result.power == power and unit is not None and unit.location.province == province:
            return _word(result)
    raise AssertionError(f"no result for {line}")


def _word(result: Result) -> str:
    for outcome in result.outcomes:
        match outcome:
            case Void():
                return "void"
            case Disrupted(kind):
                return "fails" if kind is DisruptionKind.ALL_HOLD else "disrupted"
            case Cut():
                return "cut"
            case Bounced() | NoConvoy() | RetreatClash():
                return "fails"
            case _:
                continue
    return "succeeds" if result.succeeded else "fails"


def same_verdict(got: str, wanted: str) -> bool:
    """`given` is a support that succeeds; `illegal` is void."""
    return got == {"given": "succeeds", "illegal": "void"}.get(wanted, wanted)
