"""The order of phases, with seasons and without."""

import pytest

from judge.diplomacy.calendar import Calendar, Turn, parse_phase
from judge.diplomacy.variants.variant import load_variant

STANDARD = load_variant("standard").calendar
TWO_YEAR = Calendar(1870, 4, "", (Turn("", 0), Turn("", 2)))  # turns of two years, no seasons


def following(calendar: Calendar, label: str, count: int) -> list[str]:
    found, phase = [], parse_phase(label)
    for _ in range(count):
        phase = calendar.after(phase)
        found.append(str(phase))
    return found


def test_a_year_has_two_turns_and_adjustments() -> None:
    assert str(STANDARD.first()) == "S1901M"
    assert following(STANDARD, "S1901M", 6) == [
        "S1901R",
        "F1901M",
        "F1901R",
        "W1901A",
        "S1902M",
        "S1902R",
    ]


def test_a_calendar_without_seasons_counts_in_years() -> None:
    assert str(TWO_YEAR.first()) == "1870M"
    assert following(TWO_YEAR, "1870M", 5) == ["1870R", "1872M", "1872R", "1872A", "1874M"]


def test_a_calendar_knows_its_own_phases_only() -> None:
    for label in ("S1901M", "F1950R", "W1901A"):
        assert STANDARD.has(parse_phase(label))
    for label in ("S1900M", "F1901A", "W1901M", "1901M"):
        assert not STANDARD.has(parse_phase(label))
    assert TWO_YEAR.has(parse_phase("1872A"))
    assert not TWO_YEAR.has(parse_phase("1870A"))


def test_centers_change_only_in_the_last_turn_of_a_cycle() -> None:
    assert STANDARD.is_before_adjustment(parse_phase("F1901R"))
    assert not STANDARD.is_before_adjustment(parse_phase("S1901R"))
    assert not STANDARD.is_before_adjustment(parse_phase("W1901A"))


@pytest.mark.parametrize("text", ["", "S1901", "1901", "s1901M", "S1901X", "S 1901 M", "SS1901M"])
def test_another_form_is_no_phase(text: str) -> None:
    with pytest.raises(ValueError, match="is no phase"):
        parse_phase(text)
