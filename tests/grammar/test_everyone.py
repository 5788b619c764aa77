"""Lines that order all units or builds of a seat at once, whichever the letter leaves over."""

from dataclasses import replace

import pytest

from judge.diplomacy.language.order_context import Said, Taken, Untaken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order

from .contexts import desk_of
from .sets.score import Case, score

HELD = ("A BUR", "A GAS", "A MAR", "A PAR", "A PIC", "F BRE", "F LYO", "F MAO", "F POR")


def taken(place: str, letter: str) -> list[str]:
    found = read_orders(desk_of(place), letter.split("\n"))
    return [format_order(each.order) for each in found if isinstance(each, Taken)]


def held(*but: str) -> list[str]:
    return [f"{unit} H" for unit in HELD if unit not in but]


@pytest.mark.parametrize(
    "line",
    [
        *("All units hold", "- everyone holds.", "Hold all", "EVERYTHING STANDS"),
        *("모두 대기", "나머지는 모두 대기합니다", "모든 부대 현 위치 유지"),
        *("全軍待機", "其餘部隊皆原地待機", "所有部隊防守。"),
        *("全部隊維持", "残りはすべて待機", "他の部隊は動かない"),
    ],
)
def test_all_units_hold(line: str) -> None:
    assert taken("france", line) == held()


@pytest.mark.parametrize(
    "letter",
    [
        "A Par - Bur, F Bre - Eng. The rest hold.",
        "The rest hold\nA Par - Bur\nF Bre - Eng",
        "육군 파리 - 버건디\n해군 브레스트 - 영국 해협\n나머지는 대기",
        "陸軍巴黎－勃艮第，艦隊布雷斯特－英吉利海峽，其餘待機。",
        "陸軍パリ→ブルゴーニュ、海軍ブレスト→イギリス海峡、残りは維持",
    ],
)
def test_the_rest_holds_whatever_the_order_of_the_lines(letter: str) -> None:
    orders = ["A PAR - BUR", "F BRE - ENG", *held("A PAR", "F BRE")]
    assert sorted(taken("france", letter)) == sorted(orders)


def test_a_unit_whose_own_line_is_asked_about_is_not_held_by_the_rest() -> None:
    found = read_orders(desk_of("france"), ["A Mra - Spa", "The rest hold"])
    assert [each.key for each in found if isinstance(each, Untaken)] == ["MAR"]
    assert taken("france", "A Mra - Spa\nThe rest hold") == held("A MAR")


@pytest.mark.parametrize(
    ("letter", "left"),
    [
        ("Par and Pic both take Bel. The rest hold.", ("A PAR", "A PIC")),
        (
            "Par attacks Bur backed by Mar or Gas. Everything else holds.",
            ("A PAR", "A MAR", "A GAS"),
        ),
    ],
)
def test_no_unit_of_a_line_that_asks_is_held_by_the_rest(
    letter: str, left: tuple[str, ...]
) -> None:
    found = read_orders(desk_of("france"), [letter])
    assert any(isinstance(each, Untaken) for each in found)
    assert not {f"{unit} H" for unit in left} & set(taken("france", letter))


@pytest.mark.parametrize("line", ["waive the rest", "나머지는 포기", "其餘放棄", "残りは放棄"])
def test_the_builds_that_are_left_are_waived(line: str) -> None:
    assert taken("france_builds", f"Build A Par\n{line}") == ["A PAR B", "WAIVE", "WAIVE"]
    assert taken("france_builds", line) == ["WAIVE"] * 3


@pytest.mark.parametrize("line", ["w", "France: w", "build w", "W."])
def test_a_letter_alone_waives_where_builds_are_due(line: str) -> None:
    assert taken("france_builds", line) == ["WAIVE"]
    assert taken("france_builds", f"no {line} there") == []
    for place in ("france", "turkey_removals"):
        assert read_orders(desk_of(place), [line]) == (Said(0, line),)


def test_alone_in_its_letter_the_rest_is_what_has_no_order_yet() -> None:
    context = desk_of("france")
    stored = [
        each.order for each in read_orders(context, ["A Par - Bur"]) if isinstance(each, Taken)
    ]
    context = replace(context, stored=tuple(stored))

    def read(line: str) -> list[str]:
        return [format_order(each.order) for each in read_orders(context, [line, "thanks"])
                if isinstance(each, Taken)]  # fmt: skip

    assert read("The rest hold") == held("A PAR")
    assert read("All units hold") == held()


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("france", "waive all"),
        ("france_builds", "all units hold"),
        ("one_retreat", "all units hold"),
        ("france", "Hello all"),
        ("france", "Everyone holds their breath"),
        ("france", "If all units hold, I am happy"),
    ],
)
def test_elsewhere_it_is_talk(place: str, line: str) -> None:
    found = read_orders(desk_of(place), [line])
    assert found
    assert all(isinstance(each, Said) for each in found)


def test_the_rest_is_asked_about_beside_units_that_were_not_read() -> None:
    letter = "Paris - Burgundy, and the fleet on that long coast sails off. All others hold."
    assert not [order for order in taken("france", letter) if order.endswith(" H")]
    assert "A GAS H" in taken("france", "Paris - Burgundy. All others hold.")


@pytest.mark.parametrize(
    "letter",
    [
        "The army stays alive somehow. All others disband.",
        "Save the army for me. The rest disband.",
        "艦隊退去赫爾戈蘭灣，其他都解散",
    ],
)
def test_nothing_is_disbanded_beside_units_that_were_not_read(letter: str) -> None:
    found = score(Case("", "rout", "talk", letter))
    assert found.stored == ()
    assert "A MUN D" in found.proposed
