"""The choices of chapter 4: presets, single choices, and what the choices outside the DATC do."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from judge.diplomacy import adjudicate_line
from judge.diplomacy.rules import (
    ISSUES,
    PRESETS,
    WITHOUT_EFFECT,
    ConvoyParadox,
    ConvoyRoutes,
    CutByConvoyFromTarget,
    DislodgedBounces,
    IllegalOrders,
    RetreatToConvoyedAttacker,
    Rules,
    SupportCoast,
    UnknownChoice,
)
from judge.rulebook import load_game

DOCS = Path(__file__).parents[2] / "docs" / "rules.md"


def test_dptg_has_the_choices_2_that_an_open_program_lists() -> None:
    """Parlance (judge.py) lists the DPTG's choices; a foreign fleet is no part of the convoy where
    own fleets make a route (DATC 2.4, 6.F.10)."""
    rules = Rules.preset("dptg")
    assert rules.convoy_routes is ConvoyRoutes.DPTG
    assert rules.cut_by_convoy_from_target is CutByConvoyFromTarget.CUT
    assert rules.support_coast is SupportCoast.IGNORED
    assert rules.illegal_orders is IllegalOrders.STILL_A_MOVE


@pytest.mark.parametrize("preset", ["2000", "1982", "1971"])
def test_books_before_2023_make_no_exception_14_for_convoys(preset: str) -> None:
    rules = Rules.preset(preset)
    assert rules.retreat_to_convoyed_attacker is RetreatToConvoyedAttacker.MAY_NOT
    assert rules.dislodged_bounces is DislodgedBounces.NEVER


@pytest.mark.parametrize(
    "sentence",
    [
        "Civil disorder lasts as long as the silence",
        "A draw is shared by the powers with a unit or a center.",
        "the errata of 1996 may be read so that it counts as gone",
        "a fleet in Cebu convoys nobody",
        "a land bridge is a way for armies only",
        "press is open in all phases",
    ],
    ids=["15", "16", "17", "18", "19", "20"],
)
def test_what_the_books_leave_open_is_decided_in_the_docs(sentence: str) -> None:
    assert sentence in " ".join(DOCS.read_text(encoding="utf-8").split())


def ask(rules: dict[str, str], units: dict[str, list[str]], **keys: Any) -> dict[str, list[str]]:
    line = {"phase": "S1901M", "rules": {"preset": "2023", **rules}, "units": units, **keys}
    answer = adjudicate_line(json.dumps(line))
    assert "error" not in answer, answer
    rows = [row for own in answer["results"].values() for row in own]
    return {row["order"]: row["outcome"] for row in rows}


def test_a_preset_is_changed_by_single_choices_and_left_as_it_was() -> None:
    rules = Rules.from_choices({"preset": "2023", "4.A.2": "1982"})
    assert rules.convoy_paradox is ConvoyParadox.R1982
    assert Rules.preset("2023").convoy_paradox is ConvoyParadox.SZYKMAN


def test_without_a_preset_the_choices_change_the_rules_of_2000() -> None:
    rules = Rules.from_choices({"4.A.1": "any_route"})
    assert rules.convoy_paradox is ConvoyParadox.R2000


@pytest.mark.parametrize(
    ("choices", "known"),
    [
        ({"preset": "1900"}, "2000, 2023, 1971, 1982, dptg"),
        ({"4.A.9": "a"}, "4.A.1"),
        ({"4.D.5": "both"}, "a, first, c"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(choices: dict[str, str], known: str) -> None:
    with pytest.raises(UnknownChoice, match=re.escape(known)):
        Rules.from_choices(choices)


@pytest.mark.parametrize(("issue", "text"), [("4.C.1", "MUN - BUR"), ("4.C.2", "F MUN - BUR")])
def test_a_kind_left_out_or_wrong_spoils_an_order_only_where_the_rules_say_so(
    issue: str, text: str
) -> None:
    units, orders = {"GERMANY": ["A MUN"]}, {"GERMANY": [text]}
    assert ask({issue: "b"}, units, orders=orders) == {"A MUN - BUR": []}
    assert ask({issue: "c"}, units, orders=orders) == {"A MUN - BUR": []}
    assert "void" in next(iter(ask({issue: "a"}, units, orders=orders).values()))


def test_a_loosely_named_order_yields_to_a_proper_one() -> None:
    units = {"GERMANY": ["A MUN"]}
    orders = {"GERMANY": ["F MUN - BUR", "A MUN - TYR"]}
    assert ask({"4.C.2": "c"}, units, orders=orders) == {"A MUN - TYR": []}
    assert ask({"4.C.2": "b"}, units, orders=orders) == {"A MUN H": []}  # 4.D.3: two orders


@pytest.mark.parametrize(
    ("issue", "text"),
    [("4.C.5", "A MUN S A BER"), ("4.C.6", "A MUN S French A BER")],
)
def test_a_foreign_units_power_left_out_or_wrong(issue: str, text: str) -> None:
    units = {"GERMANY": ["A MUN"], "RUSSIA": ["A BER"]}
    valid = ask({issue: "b"}, units, orders={"GERMANY": [text]})
    assert valid["A MUN S A BER"] == []
    spoilt = ask({issue: "a"}, units, orders={"GERMANY": [text]})
    assert ["void"] in spoilt.values()
    named = ask({issue: "a"}, units, orders={"GERMANY": ["A MUN S Russian A BER"]})
    assert ["void"] not in named.values()


def test_two_builds_in_one_province() -> None:
    keys = {
        "phase": "W1901A",
        "centers": {"RUSSIA": ["MOS", "SEV", "WAR"]},
        "orders": {"RUSSIA": ["A SEV B", "F SEV B"]},
    }
    units = {"RUSSIA": ["A WAR"]}
    assert ask({"4.D.5": "first"}, units, **keys) == {"A SEV B": [], "F SEV B": ["void"]}
    assert ask({"4.D.5": "c"}, units, **keys) == {"F SEV B": [], "A SEV B": ["void"]}
    assert ask({"4.D.5": "a"}, units, **keys) == {"A SEV B": ["void"], "F SEV B": ["void"]}


def test_a_build_without_kind_or_coast() -> None:
    keys = {"phase": "W1901A", "centers": {"RUSSIA": ["MOS", "STP"]}}
    inland = {**keys, "orders": {"RUSSIA": ["MOS B"]}}
    assert ask({"4.C.3": "b"}, {}, **inland) == {"A MOS B": []}
    assert ["void"] in ask({"4.C.3": "a"}, {}, **inland).values()
    coast = {**keys, "orders": {"RUSSIA": ["STP/NC B"]}}
    assert ask({"4.C.3": "c"}, {}, **coast) == {"F STP/NC B": []}
    assert ["void"] in ask({"4.C.3": "b"}, {}, **coast).values()
    nameless = {**keys, "orders": {"RUSSIA": ["F STP B"]}}
    assert ask({"4.B.7": "default_coast"}, {}, **nameless) == {"F STP/NC B": []}
    assert ["void"] in ask({"4.B.7": "coast_required"}, {}, **nameless).values()


def test_where_the_rules_know_no_waiving_a_waive_is_void() -> None:
    keys = {
        "phase": "W1901A",
        "centers": {"FRANCE": ["PAR"]},
        "orders": {"FRANCE": ["WAIVE"]},
    }
    assert ask({"4.D.7": "a"}, {}, **keys) == {"WAIVE": []}
    assert ask({"4.D.7": "b"}, {}, **keys) == {"WAIVE": ["void"]}


def test_a_unit_in_civil_disorder_is_supported_where_the_rules_let_it() -> None:
    units = {"ITALY": ["A VEN"], "GERMANY": ["A TYR"], "AUSTRIA": ["A TRI", "A APU"]}
    orders = {
        "GERMANY": ["A TYR S A VEN"],
        "AUSTRIA": ["A TRI - VEN", "A APU S A TRI - VEN"],
    }
    keys: dict[str, Any] = {"orders": orders, "missing": ["ITALY"]}
    assert ask({"4.D.9": "b"}, units, **keys)["A TRI - VEN"] == ["bounce"]
    without = ask({"4.D.9": "a"}, units, **keys)
    assert without["A TRI - VEN"] == []
    assert without["A TYR S A VEN"] == ["void"]


# --- the table in docs/rules.md -------------------------------------------------------------------


def documented() -> dict[str, dict[str, str]]:
    """Preset by preset, the choice that docs/rules.md prints for each issue."""
    rows = [
        [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
        for line in DOCS.read_text(encoding="utf-8").splitlines()
        if re.match(r"\| (Issue|4\.[A-E]\.\d) ", line)
    ]
    head, *body = (row for row in rows if len(row) == 2 + len(PRESETS))
    return {
        preset: {row[0]: row[head.index(preset)].split(" ")[0] for row in body}
        for preset in PRESETS
    }


def test_the_documented_table_is_what_the_presets_do() -> None:
    table = documented()
    for preset, rules in PRESETS.items():
        choices = {issue: every for issue, (every, _) in WITHOUT_EFFECT.items()}
        choices |= {issue: str(getattr(rules, name)) for issue, name in ISSUES.items() if name}
        assert table[preset] == choices


def test_a_fleet_in_cebu_convoys_nobody() -> None:
    line = {
        "variant": "colonial",
        "phase": "1870M",
        "units": {"JAPAN": ["A MNA", "F CEB"]},
        "orders": {"JAPAN": ["A MNA - DAV", "F CEB C A MNA - DAV"]},
    }
    answer = adjudicate_line(json.dumps(line))
    rows = [row for own in answer["results"].values() for row in own]
    assert [row["outcome"] for row in rows] == [["void"], ["void"]]
    assert rows[1]["reason"] == "only fleets at sea convoy"


def test_a_power_with_a_center_alone_shares_a_draw() -> None:
    rulebook = load_game("diplomacy")
    state = json.loads(rulebook.start("standard", {}).state)
    state["units"] = [one for one in state["units"] if one["power"] not in ("ITALY", "TURKEY")]
    state["owners"] = {key: one for key, one in state["owners"].items() if one != "TURKEY"}
    survivors = rulebook.open(json.dumps(state)).result.survivors
    assert "ITALY" in survivors
    assert "TURKEY" not in survivors
