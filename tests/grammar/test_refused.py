"""Lines that must be asked about: `lines/refused.toml`."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from judge.diplomacy.language.order_context import Taken, Untaken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order

from .contexts import desk_of

FILE = Path(__file__).parent / "lines" / "refused.toml"
TABLES: dict[str, dict[str, list[dict[str, Any]]]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
ALL = [(place, case) for places in TABLES.values() for place in places for case in places[place]]
LEAST = {"en": 75, "ko": 25, "zh_Hant": 25, "ja": 25}


def test_there_are_enough_lines_in_each_language() -> None:
    for language, least in LEAST.items():
        assert sum(len(cases) for cases in TABLES[language].values()) >= least


@pytest.mark.parametrize(("place", "case"), ALL, ids=[case["line"] for _, case in ALL])
def test_the_line_is_asked_about_and_never_guessed(place: str, case: dict[str, Any]) -> None:
    found = read_orders(desk_of(place), [case["line"]])
    assert [each for each in found if isinstance(each, Taken)] == []
    (problem,) = (each for each in found if isinstance(each, Untaken))
    assert problem.kind == case["kind"]
    assert problem.written[problem.start : problem.end] == case["marked"]
    assert [format_order(order) for order in problem.proposals] == case["send"]
    if "expected" in case:
        assert list(problem.values.expected) == case["expected"]


PARTLY = {
    # line: (position, what is taken, the kind of each problem)
    "A Par - Pic; A Mra - Spa": ("france", ["A PAR - PIC"], ["no_province"]),
    "A Mar and Par - Pic": ("france", ["A PAR - PIC"], ["unfinished"]),
    "Build A Par, F Bre, F Mar, A Vie": (
        "france_builds",
        ["A PAR B", "F BRE B", "F MAR B"],
        ["not_a_home_center"],
    ),
    "waive 4": ("france_builds", ["WAIVE", "WAIVE", "WAIVE"], ["no_build_due"]),
    "Remove A Bul, F Aeg, A Ank": (
        "turkey_removals",
        ["A BUL D", "F AEG D"],
        ["no_disband_due"],
    ),
    "육군 파리 - 피카르디 / 육군 마르세위 - 스페인": ("france", ["A PAR - PIC"], ["no_province"]),
    "陸軍巴黎－皮喀第；陸軍馬塞－西班牙": ("france", ["A PAR - PIC"], ["no_province"]),
    "陸軍パリ→ピカルディ／陸軍マルセーユ→スペイン": ("france", ["A PAR - PIC"], ["no_province"]),
}


@pytest.mark.parametrize("line", PARTLY)
def test_a_fault_leaves_the_other_orders_of_its_line_alone(line: str) -> None:
    place, taken, kinds = PARTLY[line]
    found = read_orders(desk_of(place), [line])
    assert [format_order(each.order) for each in found if isinstance(each, Taken)] == taken
    assert [each.kind for each in found if isinstance(each, Untaken)] == kinds
