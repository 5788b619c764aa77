"""Orders about the railway and the canal that break their rules, or match nothing: each is told
with the rule's number, by `judge adjudicate` and in the letters of every language."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from judge.diplomacy import adjudicate_line
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.language.order_context import OrderContext, Read, Taken, Untaken, order_key
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import PowerId
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.records import NoteKind, View
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import parse_unit
from judge.render.catalogue import catalogue, languages
from judge.render.diplomacy import RENDERER
from judge.render.diplomacy.names import names_of
from judge.render.diplomacy.reasons import failure, outcome_words
from judge.rulebook import Note, Problem

from .colonial import COLONIAL, Scene, play

Units = Mapping[str, Sequence[str]]
LABEL = "1870M"
LEAVE = "SC BRITAIN F RED - MED"


@dataclass(frozen=True)
class Bad:
    """A sheet whose line `text` (the last of its power) is faulty, and the rule that it breaks.

    `outcome` is that of the unit so ordered; None where the line stands for no unit's order.
    `is_read`: whether it is stored at first, since only the other orders make it fail.
    """

    id: str
    rule: str
    order_sets: Units
    power: str
    text: str
    outcome: tuple[str, ...] | None
    is_read: bool = False


CASES = (
    Bad("no right", "9.21", {"CHINA": []}, "CHINA", "A VLA - TSR - IRK", ("void",)),
    Bad("second train", "9.22", {"RUSSIA": ["A MOS - TSR - OMS"]}, "RUSSIA", "A VLA - TSR - IRK",
        ("void",), is_read=True),
    Bad("off the line", "9.21", {"RUSSIA": []}, "RUSSIA", "A MOS - TSR - ODE", ("void",)),
    Bad("not from the line", "9.21", {"RUSSIA": []}, "RUSSIA", "A ODE - TSR - MOS", ("void",)),
    Bad("occupied goal", "9.23", {"CHINA": ["A IRK H"]}, "RUSSIA", "A MOS - TSR - IRK", ("bounce",),
        is_read=True),
    Bad("no fleets ride", "9.2", {"RUSSIA": []}, "RUSSIA", "F VLA - TSR - IRK", ("void",)),
    Bad("no keeper", "9.31", {"BRITAIN": ["F RED - MED"], "TURKEY": ["A SYR H"]}, "TURKEY", LEAVE,
        None),
    Bad("no such fleet", "9.34", {"BRITAIN": ["F ADE H"], "TURKEY": ["A EGY H"]}, "TURKEY", LEAVE,
        None),
    Bad("not a way through", "9.34", {"BRITAIN": ["F RED - MED"], "TURKEY": ["A EGY H"]}, "TURKEY",
        "SC BRITAIN F RED - SUD", None),
    Bad("another's fleet", "9.34", {"BRITAIN": ["F RED - MED"], "TURKEY": ["A EGY H"]}, "TURKEY",
        "SC FRANCE F RED - MED", None),
    Bad("direction not ordered", "9.34", {"BRITAIN": ["F RED - SUD"], "TURKEY": ["A EGY H"]},
        "TURKEY", LEAVE, ("void",), is_read=True),
)  # fmt: skip
BAD = pytest.mark.parametrize("bad", CASES, ids=[case.id for case in CASES])
IN_WORDS = pytest.mark.parametrize("language", languages())
PRINTED = {"en": "(rule {})", "ko": "(규칙 {})", "ja": "（ルール{}）", "zh_Hant": "規則 {}"}


def sheets_of(bad: Bad) -> dict[str, list[str]]:
    own = [*bad.order_sets.get(bad.power, ()), bad.text]
    return {**{power: list(lines) for power, lines in bad.order_sets.items()}, bad.power: own}


def units_of(bad: Bad) -> dict[str, list[str]]:
    placed = {
        power: [line[:5] for line in lines if not line.startswith("SC ")]
        for power, lines in sheets_of(bad).items()
    }
    return {power: units for power, units in placed.items() if units}


def read(bad: Bad) -> tuple[OrderContext, tuple[Read, ...]]:
    """What its power is told at once, when all its lines come in one letter."""
    units = [
        parse_unit(PowerId(power), text) for power, texts in units_of(bad).items() for text in texts
    ]
    position = Position(parse_phase(LABEL), sort_units(units, COLONIAL.power_ids), {})
    context = OrderContext(COLONIAL, Rules.preset("2000"), position, PowerId(bad.power))
    return context, read_orders(context, sheets_of(bad)[bad.power])


def view(context: OrderContext) -> View:
    return View(
        variant="colonial",
        rules="2000",
        label=LABEL,
        kind="M",
        serial=1,
        seat=context.power,
        powers=COLONIAL.power_ids,
        units=context.position.units,
        owners={},
    )


# --- judge adjudicate -----------------------------------------------------------------------------


@BAD
def test_the_adjudicator_quotes_the_rule(bad: Bad) -> None:
    asked = {"variant": "colonial", "phase": LABEL, "units": units_of(bad)}
    answer = adjudicate_line(json.dumps({"id": bad.id, **asked, "orders": sheets_of(bad)}))
    rows: list[dict[str, Any]] = answer["results"].get(bad.power, [])
    told = {row["order"]: (tuple(row["outcome"]), row["reason"]) for row in rows}
    problems = {
        one["text"]: one["error"] for one in answer["problems"] if one["power"] == bad.power
    }
    if bad.outcome is not None:
        assert told[bad.text][0] == bad.outcome
        assert f"(Colonial rule {bad.rule})" in told[bad.text][1]
    else:
        assert bad.text not in told
    if not bad.is_read or bad.id == "second train":
        assert f"(Colonial rule {bad.rule})" in problems[bad.text]
    else:
        assert problems == {}  # it broke no rule, and did not come about


def test_a_faulty_train_comes_back_as_it_was_written() -> None:
    texts = ["mos-tsr-oms", "Army Vladivostok by rail to Irkutsk"]
    asked = {"variant": "colonial", "phase": LABEL, "units": {"RUSSIA": ["A MOS", "A VLA"]}}
    answer = adjudicate_line(json.dumps({"id": 1, **asked, "orders": {"RUSSIA": texts}}))
    assert [one["text"] for one in answer["problems"]] == texts


# --- letters --------------------------------------------------------------------------------------


@IN_WORDS
@BAD
def test_the_report_quotes_the_rule_in_words(bad: Bad, language: str) -> None:
    names = names_of("colonial", language)
    scene: Scene = play(sheets_of(bad))
    found = [
        failure(one, names)
        for one in scene.movement.results
        if format_order(one.order) == bad.text and one.outcomes
    ]
    found += [
        outcome_words(one.void, one.written, names)
        for one in scene.movement.set_aside
        if format_order(one.written) == bad.text
    ]
    (told,) = found
    assert PRINTED[language].format(bad.rule) in told


@IN_WORDS
@BAD
def test_the_answer_quotes_the_rule_in_words(bad: Bad, language: str) -> None:
    """What breaks a rule is refused; of what may fail for the own orders or for what stands there,
    the answer warns. What other powers order nobody knows."""
    context, found = read(bad)
    last, words, seen = found[-1], catalogue(language), view(context).to_raw()
    printed = PRINTED[language].format(bad.rule)
    if not bad.is_read:
        assert isinstance(last, Untaken)
        values = last.values.to_raw()
        problem = Problem(0, last.written, last.start, last.end, str(last.kind), values)
        assert printed in RENDERER.words("colonial", words).problem(seen, problem).sentence
        return
    assert isinstance(last, Taken)
    notes = [Note(str(kind), values.to_raw()) for kind, values in last.notes]
    told = [RENDERER.words("colonial", words).note(note) for note in notes]
    assert any(printed in each for each in told) == (bad.id != "direction not ordered")


def test_the_train_without_a_right_is_told_where_one_goes() -> None:
    bad = next(case for case in CASES if case.id == "off the line")
    context, (last,) = read(bad)
    assert isinstance(last, Untaken)
    problem = Problem(0, last.written, 0, 0, str(last.kind), last.values.to_raw())
    told = (
        RENDERER.words("colonial", catalogue("en"))
        .problem(view(context).to_raw(), problem)
        .sentence
    )
    assert told == (
        "The railway runs between Moscow, Perm, Omsk, Krasnoyarsk, Irkutsk and Vladivostok only "
        "(rule 9.21)."
    )


# --- warnings -------------------------------------------------------------------------------------


def desk_of(units: Units, power: str, *stored: str) -> OrderContext:
    """A desk whose sheet holds orders already."""
    placed = [parse_unit(PowerId(owner), text) for owner, texts in units.items() for text in texts]
    position = Position(parse_phase(LABEL), sort_units(placed, COLONIAL.power_ids), {})
    empty = OrderContext(COLONIAL, Rules.preset("2000"), position, PowerId(power))
    orders = tuple(one.order for one in read_orders(empty, stored) if isinstance(one, Taken))
    assert len(orders) == len(stored)
    return OrderContext(COLONIAL, empty.rules, position, PowerId(power), orders)


def noted(context: OrderContext, *lines: str) -> list[list[NoteKind]]:
    found = read_orders(context, lines)
    assert all(isinstance(one, Taken) for one in found)
    return [[kind for kind, _ in one.notes] for one in found if isinstance(one, Taken)]


def test_two_trains_are_warned_of_at_both() -> None:
    context = desk_of({"RUSSIA": ["A MOS", "A VLA"]}, "RUSSIA")
    told = noted(context, "A MOS - TSR - OMS", "A VLA - TSR - IRK")
    assert told == [[NoteKind.SECOND_RIDE], [NoteKind.SECOND_RIDE]]


def test_a_train_beside_a_stored_one_is_warned_of_once() -> None:
    context = desk_of({"RUSSIA": ["A MOS", "A VLA", "A ODE"]}, "RUSSIA", "A VLA - TSR - IRK")
    assert noted(context, "A MOS - TSR - OMS", "A ODE H") == [[NoteKind.SECOND_RIDE], []]


def test_one_train_is_warned_of_nothing() -> None:
    context = desk_of({"RUSSIA": ["A MOS", "A VLA"]}, "RUSSIA", "A VLA - TSR - IRK")
    assert noted(context, "A MOS - TSR - OMS", "A VLA H") == [[], []]


def test_an_own_unit_that_leaves_the_goal_is_no_warning() -> None:
    context = desk_of({"RUSSIA": ["A MOS", "A VLA"]}, "RUSSIA")
    assert noted(context, "A MOS - TSR - VLA", "A VLA - MAC") == [[], []]
    assert noted(context, "A MOS - TSR - VLA", "A VLA H") == [[NoteKind.GOAL_OCCUPIED], []]


# --- leaves beside orders -------------------------------------------------------------------------


def test_a_leave_for_the_own_fleet_stands_beside_its_order() -> None:
    context = desk_of({"TURKEY": ["A EGY", "F MED"]}, "TURKEY")
    found = read_orders(context, ["F MED - RED", "SC TURKEY F MED - RED"])
    orders = [one.order for one in found if isinstance(one, Taken)]
    assert [format_order(order) for order in orders] == ["F MED - RED", "SC TURKEY F MED - RED"]
    assert [order_key(order) for order in orders] == ["MED", "SC MED"]


def test_a_support_of_the_own_passage_is_warned_of_nothing_for_its_leave() -> None:
    context = desk_of({"TURKEY": ["A EGY", "F MED", "F SUD"]}, "TURKEY")
    lines = ("SC TURKEY F MED - RED", "F MED - RED", "F SUD S F MED - RED")
    assert noted(context, *lines) == [[], [], []]


def test_a_leave_written_twice_is_one_leave() -> None:
    context = desk_of({"TURKEY": ["A EGY"], "BRITAIN": ["F RED"], "FRANCE": ["F MED"]}, "TURKEY")
    assert noted(context, LEAVE, LEAVE, "SC FRANCE F MED - RED") == [[], []]


@pytest.mark.parametrize("line", ["SC BRITAIN F RED - SUD", "SC FRANCE F RED - MED"])
def test_a_faulty_leave_is_told_by_its_fleet(line: str) -> None:
    context = desk_of({"TURKEY": ["A EGY"], "BRITAIN": ["F RED"]}, "TURKEY")
    (found,) = read_orders(context, [line])
    assert isinstance(found, Untaken)
    assert found.key == "SC RED"


@pytest.mark.parametrize(
    "line", ["SC BRITAIN F RED - SUD", "SC FRANCE F RED - MED", "SC BRITAIN F MED - RED"]
)
def test_the_leave_that_can_be_given_is_proposed(line: str) -> None:
    units = {"TURKEY": ["A EGY", "F SYR"], "BRITAIN": ["F RED", "F ADE"], "FRANCE": ["F ANG"]}
    (found,) = read_orders(desk_of(units, "TURKEY"), [line])
    assert isinstance(found, Untaken)
    assert [format_order(each) for each in found.proposals] == [LEAVE]


def test_no_leave_is_proposed_where_none_can_be_given() -> None:
    units = {"TURKEY": ["A SYR", "F MED"], "BRITAIN": ["F RED"]}
    (found,) = read_orders(desk_of(units, "TURKEY"), [LEAVE])
    assert isinstance(found, Untaken)
    assert found.proposals == ()
