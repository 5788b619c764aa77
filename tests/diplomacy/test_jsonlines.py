"""`judge adjudicate`: the contract of a line, and every way in which a line can be faulty."""

import io
import json
from typing import Any

import pytest

from judge.adjudicate_stream import adjudicate_stream
from judge.diplomacy import adjudicate_line

DISLODGED_BUR = {"unit": "A BUR", "attacker_from": "MUN", "by_convoy": False}


def ask(**keys: Any) -> dict[str, Any]:
    return adjudicate_line(json.dumps({"id": "x1", "phase": "S1901M", "units": {}, **keys}))


def outcomes(answer: dict[str, Any]) -> dict[str, list[str]]:
    rows = [row for own in answer["results"].values() for row in own]
    return {row["order"]: row["outcome"] for row in rows}


def test_a_standoff_is_answered_with_orders_reasons_and_the_next_phase() -> None:
    answer = ask(
        units={"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "F KIE"]},
        orders={"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
        centers={"FRANCE": ["PAR"]},
    )
    assert answer == {
        "id": "x1",
        "phase": "S1901M",
        "results": {
            "FRANCE": [
                {
                    "order": "A PAR - BUR",
                    "outcome": ["bounce"],
                    "reason": "same strength (1) as A MUN - BUR",
                }
            ],
            "GERMANY": [
                {
                    "order": "A MUN - BUR",
                    "outcome": ["bounce"],
                    "reason": "same strength (1) as A PAR - BUR",
                },
                {"order": "F KIE H", "outcome": [], "reason": ""},
            ],
        },
        "problems": [],
        "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "F KIE"]},
        "dislodged": {},
        "contested": ["BUR"],
        "centers": {"FRANCE": ["PAR"]},
        "next_phase": "F1901M",
        "winners": [],
    }


def test_what_comes_out_of_a_movement_phase_goes_into_the_retreat_phase() -> None:
    first = ask(
        units={"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]},
        orders={"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
    )
    assert first["next_phase"] == "S1901R"
    places = ["BEL", "GAS", "MAR", "PAR", "PIC"]
    assert first["dislodged"] == {"FRANCE": [{**DISLODGED_BUR, "retreats": places}]}
    second = ask(
        phase="S1901R",
        units=first["units"],
        dislodged=first["dislodged"],
        contested=first["contested"],
        orders={"FRANCE": ["A BUR R PAR"]},
    )
    assert second["units"] == {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A RUH"]}
    assert second["next_phase"] == "F1901M"


def test_centers_change_after_fall_and_phases_without_a_choice_are_skipped() -> None:
    answer = ask(
        phase="F1901M",
        units={"FRANCE": ["A PIC"]},
        orders={"FRANCE": ["A PIC - BEL"]},
        centers={"FRANCE": ["MAR"]},
    )
    assert answer["centers"] == {"FRANCE": ["BEL", "MAR"]}
    assert answer["next_phase"] == "W1901A"
    spring = ask(
        units={"FRANCE": ["A PIC"]},
        orders={"FRANCE": ["A PIC - BEL"]},
        centers={"FRANCE": ["MAR"]},
    )
    assert (spring["centers"], spring["next_phase"]) == ({"FRANCE": ["MAR"]}, "F1901M")


def test_a_unit_without_a_retreat_is_listed_and_its_phase_skipped() -> None:
    answer = ask(
        units={"ENGLAND": ["F POR"], "FRANCE": ["F MAO", "F SPA/SC"]},
        orders={"FRANCE": ["F SPA/SC - POR", "F MAO S F SPA/SC - POR"]},
    )
    row = {"unit": "F POR", "attacker_from": "SPA", "by_convoy": False, "retreats": []}
    assert answer["dislodged"] == {"ENGLAND": [row]}
    assert answer["next_phase"] == "F1901M"
    assert "ENGLAND" not in answer["units"]


def test_on_an_empty_board_the_next_choice_is_a_build() -> None:
    assert ask()["next_phase"] == "W1901A"
    assert ask(centers={})["next_phase"] == "S1901R"  # nothing would ever happen again


def test_a_missing_powers_orders_are_ignored_and_its_dislodged_units_disbanded() -> None:
    answer = ask(
        units={"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]},
        orders={
            "FRANCE": ["A BUR - PAR"],
            "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"],
        },
        missing=["FRANCE"],
    )
    assert outcomes(answer)["A BUR H"] == ["dislodged", "disband"]
    assert answer["next_phase"] == "F1901M"


@pytest.mark.parametrize("text", ["A BER B", "A BUR B", "A BUR D", "A BUR R PAR"])
def test_an_order_of_another_phase_touches_no_other_powers_unit(text: str) -> None:
    answer = ask(
        units={"FRANCE": ["A PAR"], "GERMANY": ["A BER"]},
        orders={"FRANCE": [text]},
    )
    assert outcomes(answer) == {"A PAR H": [], "A BER H": []}
    assert [problem["text"] for problem in answer["problems"]] == [text]


def test_a_build_of_ones_own_unit_in_a_movement_phase_is_void() -> None:
    answer = ask(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A PAR B", "WAIVE"]})
    assert outcomes(answer) == {"A PAR B": ["void"]}
    errors = {problem["text"]: problem["error"] for problem in answer["problems"]}
    assert set(errors) == {"A PAR B", "WAIVE"}


def test_two_different_orders_to_one_unit_are_both_set_aside() -> None:
    lines = ["A PAR - BUR", "A PAR - PIC"]
    answer = ask(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": lines})
    assert outcomes(answer) == {"A PAR H": []}
    assert [problem["text"] for problem in answer["problems"]] == lines
    last = ask(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": lines}, rules={"4.D.3": "b"})
    assert outcomes(last) == {"A PAR - PIC": []}


def test_two_different_retreats_of_one_unit_are_set_aside_too() -> None:
    lines = ["A BUR R PAR", "A BUR R GAS"]
    keys = {"phase": "S1901R", "dislodged": {"FRANCE": [DISLODGED_BUR]}}
    answer = ask(**keys, orders={"FRANCE": lines})
    assert outcomes(answer) == {"A BUR D": ["disband"]}
    assert [problem["text"] for problem in answer["problems"]] == lines
    first = ask(**keys, orders={"FRANCE": lines}, rules={"4.D.3": "a"})
    assert outcomes(first) == {"A BUR R PAR": []}


def test_an_unreadable_order_is_a_problem_and_its_unit_holds() -> None:
    answer = ask(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A PRA - BUR"]})
    (problem,) = answer["problems"]
    assert problem["text"] == "A PRA - BUR"
    assert "no province PRA; did you mean PAR" in problem["error"]
    assert outcomes(answer) == {"A PAR H": []}


FAULTY = {
    "unknown key": ({"unitz": {}}, "unknown key 'unitz'"),
    "no phase": ({"phase": None}, "phase is missing"),
    "form of phase": ({"phase": "Spring 1901"}, "is no phase"),
    "phase of another calendar": ({"phase": "F1901A"}, "has no phase F1901A"),
    "kind of phase": ({"contested": ["BUR"]}, "contested belongs to retreat phases"),
    "units of no power": ({"units": {"FRENCH": []}}, "no power 'FRENCH'"),
    "unknown province": ({"units": {"FRANCE": ["A PRA"]}}, "did you mean PAR"),
    "a unit twice": (
        {"units": {"FRANCE": ["A PAR", "A PAR"]}},
        "two units in PAR: A PAR and A PAR",
    ),
    "two units in a province": (
        {"units": {"FRANCE": ["A PAR"], "ITALY": ["A PAR"]}},
        "two units in PAR",
    ),
    "two coasts of a province": (
        {"units": {"RUSSIA": ["F STP/NC", "F STP/SC"]}},
        "two units in STP",
    ),
    "fleet inland": ({"units": {"FRANCE": ["F PAR"]}}, "F PAR: such a unit cannot stand there"),
    "fleet without a coast": ({"units": {"RUSSIA": ["F STP"]}}, "write F STP/NC or STP/SC"),
    "army at sea": ({"units": {"FRANCE": ["A NTH"]}}, "cannot stand"),
    "closed province": ({"units": {"FRANCE": ["A SWI"]}}, "cannot stand"),
    "no center": ({"centers": {"FRANCE": ["BUR"]}}, "BUR is no supply center"),
    "two owners": ({"centers": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}}, "PAR has two owners"),
    "two dislodged of a province": (
        {"phase": "S1901R", "dislodged": {"FRANCE": [DISLODGED_BUR, DISLODGED_BUR]}},
        "two units were dislodged from BUR",
    ),
    "dislodged without attacker": (
        {"phase": "S1901R", "dislodged": {"FRANCE": [{"unit": "A BUR"}]}},
        "attacker_from",
    ),
    "variant": ({"variant": "atlantis"}, "no variant 'atlantis'"),
    "preset": ({"rules": "1900"}, "no preset '1900'"),
    "issue": ({"rules": {"4.Z.1": "a"}}, "no issue '4.Z.1'"),
    "choice": ({"rules": {"4.A.2": "coin"}}, "no choice of 4.A.2 'coin'"),
    "option": ({"options": {"railway": True}}, "no option 'railway'"),
    "orders of another type": ({"orders": {"FRANCE": [5]}}, "must be a list of texts"),
    "missing of another type": ({"missing": "ITALY"}, "must be a list of texts"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_line_says_what_is_wrong(name: str) -> None:
    keys, words = FAULTY[name]
    answer = ask(**keys)
    assert answer["id"] == "x1"
    assert words in answer["error"]
    assert set(answer) == {"id", "error"}


RAW = {
    b"{": "no JSON",
    b"[]": "must be a JSON object",
    b"[" * 100_000: "no JSON",
    b"\xff": "no UTF-8 at byte 0",
    b'{"id": NaN}': "no JSON",
    b'{"id": 1, "phase": ' + b"9" * 5000 + b"}": "no JSON",
    b'{"units": {"FRANCE": ["A PAR"], "FRANCE": ["A BUR"]}}': "the key 'FRANCE' stands there twice",
}


def test_a_run_goes_on_after_faulty_lines_and_says_that_there_were_some() -> None:
    good = b'{"id": 7, "phase": "S1901M", "units": {"FRANCE": ["A PAR"]}}'
    lines = [line for faulty in RAW for line in (faulty, good)]
    out = io.StringIO()
    assert not adjudicate_stream(io.BytesIO(b"\n".join(lines)), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == len(lines)
    for words, faulty, after in zip(RAW.values(), answers[::2], answers[1::2], strict=True):
        assert words in faulty["error"]
        assert (after["id"], after["next_phase"]) == (7, "F1901M")


def test_half_a_character_comes_back_escaped() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8")
    line = b'{"id": "\\ud800", "phase": "S1901M", "units": {}, "orders": {"FRANCE": ["\\udfff"]}}'
    assert adjudicate_stream(io.BytesIO(line), out)
    answer = json.loads(raw.getvalue())
    assert (answer["id"], answer["problems"][0]["text"]) == ("\ud800", "\udfff")


def test_one_line_changes_nothing_about_another() -> None:
    lines = [
        {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}},
        {"phase": "S1901M", "units": {"GERMANY": ["A BUR"]}, "missing": ["GERMANY"]},
        {"phase": "W1901A", "units": {}, "orders": {"FRANCE": ["A PAR B"]}},
    ]
    alone = [adjudicate_line(json.dumps(line)) for line in lines]
    back = [adjudicate_line(json.dumps(line)) for line in reversed(lines)]
    assert alone == back[::-1]


def test_a_short_name_means_the_one_place_that_may_be_ordered() -> None:
    """The Colonial rulebook's own AS, which is the Arabian Sea too (6.234)."""
    answer = ask(
        variant="colonial",
        phase="1870M",
        units={"FRANCE": ["F SUN"], "HOLLAND": ["F AND"]},
        orders={"FRANCE": ["F SUN.S S Dutch F AS-JS"], "HOLLAND": ["F AS-JS"]},
    )
    assert answer["problems"] == []
    assert outcomes(answer) == {"F SUN S F AND - JVS": [], "F AND - JVS": []}


def test_a_short_name_that_fits_twice_shows_both_readings() -> None:
    units = {"ENGLAND": ["F NTH", "F NWG"]}
    answer = ask(units=units, orders={"ENGLAND": ["F NS - NWY"]})
    (problem,) = answer["problems"]
    assert problem["error"] == "NS has several meanings: F NTH - NWY or F NWG - NWY"
