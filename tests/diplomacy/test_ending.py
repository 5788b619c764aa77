"""Games that end by themselves: enough centers, level leaders, a last year, quiet years."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.orders import PowerId, ProvinceId, Unit
from judge.diplomacy.position import start_position
from judge.diplomacy.records import PhaseReport
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.rules import End, EndKind, Rules
from judge.diplomacy.sequence import end_after, play
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import parse_unit
from judge.render.catalogue import catalogue, languages
from judge.render.diplomacy import RENDERER
from judge.rulebook import NO_JSON, RandomStream

CENTERS = choose("standard", {}).board.centers
FRANCE, GERMANY, TURKEY = PowerId("FRANCE"), PowerId("GERMANY"), PowerId("TURKEY")


def owners(**counts: int) -> Mapping[ProvinceId, PowerId]:
    """So many centers for each power, whichever."""
    free = iter(CENTERS)
    return {next(free): PowerId(power) for power, count in counts.items() for _ in range(count)}


def end(
    owned: Mapping[ProvinceId, PowerId],
    *units: Unit,
    year: int = 1908,
    **options: object,
) -> End | None:
    variant = choose("standard", options)
    return end_after(variant, owned, units, year=year, quiet_years=0)


def test_enough_centers_win() -> None:
    assert end(owners(FRANCE=17, TURKEY=9)) is None
    assert end(owners(FRANCE=18, TURKEY=9)) == End(EndKind.CENTERS, (FRANCE,))
    assert end(owners(FRANCE=10, TURKEY=9), victory=10) == End(EndKind.CENTERS, (FRANCE,))
    assert end(owners(FRANCE=11, TURKEY=10), victory=10) == End(EndKind.CENTERS, (FRANCE,))


def test_level_leaders_go_on_or_share() -> None:
    level = owners(FRANCE=17, TURKEY=17)
    assert end(level, victory=17) is None
    assert end(level, victory=17, tie="shared") == End(EndKind.CENTERS, (FRANCE, TURKEY))


def test_the_last_year_draws_for_all_that_are_left() -> None:
    left = parse_unit(GERMANY, "A MUN")
    owned = owners(FRANCE=10, TURKEY=9)
    assert end(owned, left, year=1907, last_year=1908) is None
    drawn = End(EndKind.LAST_YEAR, (FRANCE, GERMANY, TURKEY), is_draw=True)
    assert end(owned, left, last_year=1908) == drawn
    assert end(owned, left, last_year=1908, victory=10) == End(EndKind.CENTERS, (FRANCE,))


def test_the_most_centers_may_win_instead() -> None:
    chosen = {"last_year": 1908, "undecided": "most"}
    assert end(owners(FRANCE=10, TURKEY=9), **chosen) == End(EndKind.LAST_YEAR, (FRANCE,))
    shared = End(EndKind.LAST_YEAR, (FRANCE, TURKEY))
    assert end(owners(FRANCE=9, TURKEY=9), **chosen) == shared


def test_quiet_years_end_a_game() -> None:
    owned = owners(FRANCE=10)
    assert end_after(choose("standard", {}), owned, (), year=1908, quiet_years=99) is None
    variant = choose("standard", {"quiet_years": 3})
    assert end_after(variant, owned, (), year=1908, quiet_years=2) is None
    drawn = End(EndKind.QUIET, (FRANCE,), is_draw=True)
    assert end_after(variant, owned, (), year=1908, quiet_years=3) == drawn


# --- in a game ------------------------------------------------------------------------------------


def run(options: dict, phases: int) -> tuple[DiplomacyGame, list[PhaseReport]]:
    """A game in which nobody orders anything, up to so many resolutions or its end."""
    state, reports = RULEBOOK.start("standard", options), list[PhaseReport]()
    for _ in range(phases):
        if state.result.ending:
            break
        resolution = state.resolve({}, frozenset(), RandomStream(b"", 1))
        state = resolution.game
        reports += [PhaseReport.from_bytes(report.public) for report in resolution.reports]
    return state, reports


def test_a_game_of_holding_ends_after_its_quiet_years() -> None:
    state, reports = run({"quiet_years": "2"}, phases=9)
    assert reports[-1].label == "F1902R"
    assert [one.quiet_years for one in reports if one.is_count] == [1, 2]
    result = state.result
    assert (result.ending, len(result.winners)) == ("draw", 7)
    assert state.awaited == ()
    assert state.stored.end is EndKind.QUIET


def test_a_game_ends_with_its_last_year() -> None:
    state, reports = run({"last_year": "1903", "undecided": "most"}, phases=9)
    assert reports[-1].label == "F1903R"
    result = state.result
    assert (result.ending, result.winners) == ("solo", ("RUSSIA",))


def test_a_center_that_changes_hands_begins_the_count_anew() -> None:
    variant, rules = choose("standard", {"quiet_years": 3}), Rules()
    position = start_position(variant)
    units = tuple(
        parse_unit(FRANCE, "A SPA") if unit == parse_unit(FRANCE, "A MAR") else unit
        for unit in position.units
    )
    fall = replace(position, phase=parse_phase("F1905M"), units=units)
    played = play(variant, rules, fall, {}, quiet_years=2)
    assert [one.quiet_years for one in played] == [2, 0]
    assert played[-1].end is None


@pytest.mark.parametrize("language", languages())
def test_the_end_is_told_in_every_language(language: str) -> None:
    words = catalogue(language)
    told = set()
    for options in ({"quiet_years": "2"}, {"last_year": "1901"}, {"victory": "4"}):
        _, reports = run(options, phases=9)
        read = RENDERER.words("standard", words).results(reports[-1].to_raw(), NO_JSON, None)
        assert len(read.headline) < 60
        told.add((read.headline, read.subject))
    assert len(told) == 3
    _, reports = run({"quiet_years": "3"}, phases=2)
    (counted,) = [one for one in reports if one.is_count]
    after = RENDERER.words("standard", words).results(counted.to_raw(), NO_JSON, None).after
    assert "1" in after[-1]
    assert "3" in after[-1]
    if language == "en":
        assert {headline for headline, _ in told} == {
            "A draw: no center changed hands for 2 years.",
            "A draw: the game's last year is over.",
            "Russia has won the game.",
        }
        assert after[-1] == "No center has changed hands for 1 year. After 3 the game ends."
