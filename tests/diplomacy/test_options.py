"""What a game may choose about the Colonial variant, and what it refuses."""

import pytest

from judge.diplomacy.adjustments import adjustment_due
from judge.diplomacy.board import parse_location
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.position import Position, start_position
from judge.diplomacy.railway import Railway
from judge.diplomacy.rules import Rules, UnknownChoice
from judge.diplomacy.sequence import play
from judge.diplomacy.variants.options import choose, options_of
from judge.diplomacy.variants.variant import Variant, load_variant

CHINA, BRITAIN = PowerId("CHINA"), PowerId("BRITAIN")


def due(variant: Variant, power: PowerId) -> int:
    """Builds of a power that owns Hong Kong and its own first center, with one unit afield."""
    first = variant.power(power).home_centers[0]
    unit = Unit(power, UnitKind.ARMY, parse_location("KAG"))
    owners = {ProvinceId("HON"): power, ProvinceId("SHA"): power, first: power}
    at = Position(variant.calendar.first(), (unit,), owners)
    return adjustment_due(at, variant.power(power)).builds


def test_hong_kong_feeds_everybody_but_china() -> None:
    usual, other = choose("colonial", {}), choose("colonial", {"hong_kong": "no"})
    assert due(other, CHINA) - due(usual, CHINA) == 1
    assert due(usual, BRITAIN) == due(other, BRITAIN)


@pytest.mark.parametrize(
    ("bridges", "ways"),
    [
        ("none", {("OTA", "AKI"): False, ("OTA", "SAK"): False, ("SAK", "VLA"): False}),
        ("moulmein", {("OTA", "AKI"): True, ("OTA", "SAK"): True, ("SAK", "VLA"): False}),
        ("1996", {("SAK", "OTA"): True, ("SAK", "VLA"): True, ("OTA", "AKI"): False}),
    ],
)
def test_land_bridges_are_gone_both_ways(bridges: str, ways: dict[tuple[str, str], bool]) -> None:
    board = choose("colonial", {"land_bridges": bridges}).board
    for (one, other), is_open in ways.items():
        assert (other in board.army_ways[ProvinceId(one)]) == is_open
        assert (one in board.army_ways[ProvinceId(other)]) == is_open


@pytest.mark.parametrize(
    ("calendar", "labels"),
    [("two_year", ["1870M", "1872M", "1874M"]), ("seasons", ["S1870M", "F1870M", "S1871M"])],
)
def test_the_calendar_runs_in_turns_of_two_years_or_in_seasons(
    calendar: str, labels: list[str]
) -> None:
    variant = choose("colonial", {"calendar": calendar})
    position, found = start_position(variant), list[str]()
    for _ in labels:
        found.append(str(position.phase))
        position = play(variant, Rules.preset("2000"), position, {})[-1].after
    assert found == labels


def test_the_count_that_wins_is_an_option() -> None:
    assert choose("colonial", {}).victory_centers == 30
    assert choose("colonial", {"victory": 24}).victory_centers == 24


@pytest.mark.parametrize(
    "chosen", [{"victory": "59"}, {"victory": "0"}, {"railway": "maybe"}, {"bridges": "1996"}]
)
def test_what_the_variant_does_not_have_is_refused(chosen: dict[str, object]) -> None:
    with pytest.raises(UnknownChoice) as caught:
        choose("colonial", chosen)
    assert caught.value.known


@pytest.mark.parametrize(
    ("chosen", "passes"),
    [({}, True), ({"railway_passes_own": "yes"}, True), ({"railway_passes_own": False}, False)],
)
def test_whether_a_train_passes_its_own_units_is_an_option(
    chosen: dict[str, object], *, passes: bool
) -> None:
    railways = [one for one in choose("colonial", chosen).hooks if isinstance(one, Railway)]
    assert [one.passes_own for one in railways] == [passes]


def test_only_a_variant_with_a_railway_asks_whom_trains_pass() -> None:
    assert "railway_passes_own" in {one.key for one in options_of(load_variant("colonial"))}
    with pytest.raises(UnknownChoice):
        choose("standard", {"railway_passes_own": "no"})


def test_each_rule_of_its_own_can_be_left_out() -> None:
    assert [len(choose("colonial", {key: "no"}).hooks) for key in ("railway", "canal")] == [1, 1]
    assert choose("colonial", {"railway": "no", "canal": "no"}).hooks == ()
    assert [one.key for one in options_of(load_variant("standard"))] == [
        "players",
        "builds",
        "orders",
        "dislodged",
        "disorder",
        "victory",
        "victory_by",
        "teams",
        "tie",
        "last_year",
        "quiet_years",
        "undecided",
    ]


def test_games_of_one_variant_share_its_names_and_boards_whatever_they_choose() -> None:
    plain, other = choose("colonial", {}), choose("colonial", {"victory": 24, "railway": "no"})
    assert plain is not other
    assert lexicon(plain) is lexicon(other)
    assert plain.board is other.board
    bridged = [choose("colonial", {"land_bridges": "1996", "victory": n}).board for n in (20, 21)]
    assert bridged[0] is bridged[1]
    assert bridged[0] is not plain.board


@pytest.mark.parametrize(
    ("bridges", "way"), [("1996", ("SAK", "VLA")), ("moulmein", ("AKI", "OTA"))]
)
def test_the_ways_that_a_game_adds_are_for_fleets_too(bridges: str, way: tuple[str, str]) -> None:
    one, other = (parse_location(place) for place in way)
    assert other not in choose("colonial", {}).board.fleet_ways[one]
    assert other in choose("colonial", {"land_bridges": bridges}).board.fleet_ways[one]
