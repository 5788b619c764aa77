"""Which phase a line names, in any language; and which lines name none."""

import re
from pathlib import Path

import pytest

from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.phase_names import coming_phases, parse_phase_name
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.variants.variant import load_variant
from judge.render.catalogue import catalogue, languages
from judge.render.diplomacy.names import phase_words
from judge.rulebook import NamedPhase, When

CALENDAR = load_variant("standard").calendar
START = RULEBOOK.start("standard", {})
PLAYERS_PAGE = Path(__file__).parent.parent.parent / "docs" / "players.md"


def named(written: str, running: str = "S1901M", *, is_sought: bool = False) -> str | None:
    found = parse_phase_name(written, CALENDAR, parse_phase(running), is_sought=is_sought)
    return str(found) if found is not None else None


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("F1901M", "F1901M"),
        ("f1901m:", "F1901M"),
        ("Ｆ１９０１Ｍ", "F1901M"),
        ("PHASE F1901M", "F1901M"),
        ("Fall 1901", "F1901M"),
        ("Autumn 1901 moves", "F1901M"),
        ("Orders for Fall of 1901:", "F1901M"),
        ("1901-F", "F1901M"),
        ("F01M", "F1901M"),
        ("[Spring 1902 retreats]", "S1902R"),
        ("W1901A", "W1901A"),
        ("W01", "W1901A"),
        ("Fall 1901 builds", "W1901A"),
        ("1902 adjustments", "W1902A"),
        ("1901년 가을", "F1901M"),
        ("가을 1901", "F1901M"),
        ("1901년도 추계 퇴각 단계", "F1901R"),
        ("1901년 겨울 배치", "W1901A"),
        ("1901年秋", "F1901M"),
        ("1901年秋季撤退階段", "F1901R"),
        ("1901年冬天建造", "W1901A"),
        ("１９０１年秋", "F1901M"),
        ("1902年春の移動", "S1902M"),
    ],
)
def test_a_phase_is_named(written: str, label: str) -> None:
    assert named(written) == label


@pytest.mark.parametrize("language", languages())
def test_the_names_in_the_judges_own_letters_are_read_back(language: str) -> None:
    words = catalogue(language)
    for phase in coming_phases(CALENDAR, parse_phase("S1901M"), 10):
        assert named(phase_words(str(phase), words)) == str(phase)


def test_the_names_on_the_players_page_are_read() -> None:
    page = PLAYERS_PAGE.read_text(encoding="utf-8").partition("## Orders ahead")[2]
    rows = re.findall(r"^\| `([SFW]\d{4}[MRA])` \| (.*) \|$", page, re.MULTILINE)
    assert [label for label, _ in rows] == ["F1901M", "S1902R", "W1901A"]
    for label, cell in rows:
        names = re.findall(r"`([^`]+)`", cell)
        assert len(names) > 4
        assert {named(name) for name in names} == {label}


def test_a_name_without_its_kind_is_the_running_phase_of_its_season() -> None:
    assert named("Fall 1901", "F1901R") == "F1901R"
    assert named("Fall 1901", "W1901A") == "F1901M"
    assert named("Fall 1902", "F1901R") == "F1902M"


@pytest.mark.parametrize(
    ("written", "running", "label"),
    [
        ("Fall:", "S1901M", "F1901M"),
        ("Fall moves", "F1901M", "F1901M"),
        ("Fall", "F1901R", "F1901R"),
        ("Fall", "W1901A", "F1902M"),
        ("Spring retreats", "S1901M", "S1901R"),
        ("Spring orders:", "F1901M", "S1902M"),
        ("Autumn builds", "S1901M", "W1901A"),
        ("Winter:", "S1901M", "W1901A"),
        ("가을 이동:", "S1901M", "F1901M"),
        ("겨울", "F1901M", "W1901A"),
        ("秋季：", "S1901M", "F1901M"),
        ("秋の移動", "S1901R", "F1901M"),
        ("Next turn:", "S1901M", "F1901M"),
        ("next season", "S1901R", "F1901M"),
        ("다음 턴", "F1901M", "S1902M"),
        ("下回合：", "W1901A", "S1902M"),
        ("次のターン：", "S1901M", "F1901M"),
    ],
)
def test_a_season_without_its_year_is_the_running_or_the_next(
    written: str, running: str, label: str
) -> None:
    assert named(written, running) == label


def test_a_calendar_without_seasons_has_none_of_them() -> None:
    calendar = load_variant("colonial").calendar
    assert parse_phase_name("Fall", calendar, parse_phase("1870M"), is_sought=False) is None
    found = parse_phase_name("Next turn", calendar, parse_phase("1870M"), is_sought=False)
    assert str(found) == "1872M"


@pytest.mark.parametrize(
    "written",
    ["", "F", "W", "Win!", "Next: A PAR - BUR", "Next", "Winter is coming", "A PAR - BUR",
     "1901", "In 1901 I was born", "hello 1901", "waive 2", "2 builds", "F 2",
     "Spring is nice", "my phone is 555 1901", "육군, 파리, 대기",
     "see you in 1901, friends of France"],
)  # fmt: skip
def test_other_lines_name_none(written: str) -> None:
    assert named(written) is None


def when(written: str, *, is_sought: bool = False) -> NamedPhase | None:
    return START.phase_named(written, is_sought=is_sought)


def test_where_a_phase_stands_to_the_running_one() -> None:
    assert when("Spring 1901") == NamedPhase(When.NOW, "S1901M")
    assert when("France, Fall 1901:") == NamedPhase(When.LATER, "F1901M")
    assert when("W1903A") == NamedPhase(When.LATER, "W1903A")
    assert when("S1904M") == NamedPhase(When.FAR, "S1904M")
    assert when("Fall") == NamedPhase(When.LATER, "F1901M", is_relative=True)
    assert when("A PAR - BUR") is None


def test_what_was_meant_as_a_name_brings_the_nearest() -> None:
    found = when("F19O1M", is_sought=True)
    assert found is not None
    assert (found.when, found.nearest[0]) == (When.UNKNOWN, "F1901M")
    found = when("Fal 1901 movment")
    assert found is not None
    assert (found.when, found.nearest[0]) == (When.UNKNOWN, "F1901M")
    assert when("gibberish", is_sought=True) == NamedPhase(
        When.UNKNOWN, "", ("S1901M", "S1901R", "F1901M")
    )
