"""The shipped variants as data: the standard board, and what each of the others makes of it."""

import pytest

from judge.diplomacy.board import Terrain, parse_location
from judge.diplomacy.language.lexicon import lexicon, power_names
from judge.diplomacy.orders import Coast, Location, PowerId, ProvinceId, UnitKind
from judge.diplomacy.position import start_position
from judge.diplomacy.rules import Builds, UnknownChoice
from judge.diplomacy.variants.variant import load_variant, local_title, variant_names

LANGUAGES = ("ko", "zh_Hant", "ja")
ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
STANDARD = load_variant("standard")
BOARD = STANDARD.board


def test_the_standard_board_has_the_provinces_and_centers_of_the_rulebook() -> None:
    kinds = [province.terrain for province in BOARD.provinces.values()]
    assert [kinds.count(kind) for kind in Terrain] == [14, 42, 19, 1]
    assert len(BOARD.centers) == 34
    assert len(start_position(STANDARD).units) == 22
    assert STANDARD.victory_centers == 18
    assert variant_names()[0] == "standard"


def test_a_fleet_goes_along_its_coast_and_chooses_between_two() -> None:
    rome = {str(way) for way in BOARD.adjacent_locations(FLEET, parse_location("ROM"))}
    assert rome == {"NAP", "TUS", "TYS"}
    mid = BOARD.reachable_locations(FLEET, parse_location("MAO"), ProvinceId("SPA"))
    assert mid == (parse_location("SPA/NC"), parse_location("SPA/SC"))
    assert not BOARD.is_adjacent(FLEET, parse_location("SPA/NC"), ProvinceId("LYO"))
    assert BOARD.is_adjacent(ARMY, parse_location("ROM"), ProvinceId("VEN"))


def test_where_units_can_stand() -> None:
    assert BOARD.possible_locations(ARMY, ProvinceId("STP")) == (Location(ProvinceId("STP")),)
    coasts = [Location(ProvinceId("STP"), coast) for coast in (Coast.NORTH, Coast.SOUTH)]
    assert [*BOARD.possible_locations(FLEET, ProvinceId("STP"))] == coasts
    assert BOARD.possible_locations(FLEET, ProvinceId("PAR")) == ()
    assert BOARD.possible_locations(ARMY, ProvinceId("SWI")) == ()
    assert set(BOARD.provinces[ProvinceId("BUL")].coasts) == {Coast.EAST, Coast.SOUTH}


def test_names_and_short_forms_mean_locations() -> None:
    assert BOARD.aliases["ENGLISH CHANNEL"] == parse_location("ENG")
    assert BOARD.aliases["STP(NC)"] == parse_location("STP/NC")
    assert {str(place) for place in BOARD.ambiguous["LIV"]} == {"LVN", "LVP"}


def test_an_unknown_variant_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownChoice) as caught:
        load_variant("atlantis")
    assert caught.value.known == variant_names()


# --- the other shipped variants -------------------------------------------------------------------


def units_of(name: str) -> dict[str, list[str]]:
    """Where each power's units stand at the start."""
    variant = load_variant(name)
    start = start_position(variant)
    return {power: [str(unit) for unit in start.units_of(power)] for power in variant.power_ids}


@pytest.mark.parametrize("name", variant_names())
def test_every_shipped_variant_has_a_title_in_every_language(name: str) -> None:
    titles = load_variant(name).titles
    assert set(titles) == {"en", *LANGUAGES}
    assert local_title(name, "ko") == titles["ko"]
    assert local_title(name, "fr") == titles["en"]


def test_no_two_shipped_variants_have_one_title() -> None:
    for language in ("en", *LANGUAGES):
        titles = [local_title(name, language) for name in variant_names()]
        assert len(set(titles)) == len(titles)


def test_fleet_rome_differs_from_the_standard_game_by_one_unit() -> None:
    other, standard = units_of("fleet_rome"), units_of("standard")
    assert other.pop("ITALY") == ["A VEN", "F NAP", "F ROM"]
    assert standard.pop("ITALY") == ["A ROM", "A VEN", "F NAP"]
    assert other == standard


def test_1898_starts_with_one_unit_and_one_center_each() -> None:
    start = start_position(load_variant("1898"))
    assert str(start.phase) == "S1899M"
    assert units_of("1898") == {
        "AUSTRIA": ["A TRI"],
        "ENGLAND": ["F EDI"],
        "FRANCE": ["A BRE"],
        "GERMANY": ["A KIE"],
        "ITALY": ["A NAP"],
        "RUSSIA": ["A STP"],
        "TURKEY": ["A SMY"],
    }
    assert {center: str(power) for center, power in start.owners.items()} == {
        "TRI": "AUSTRIA",
        "EDI": "ENGLAND",
        "BRE": "FRANCE",
        "KIE": "GERMANY",
        "NAP": "ITALY",
        "STP": "RUSSIA",
        "SMY": "TURKEY",
    }
    assert load_variant("1898").powers[0].home_centers == ("BUD", "TRI", "VIE")


def test_chaos_has_a_power_for_every_center_with_a_letter_of_its_own() -> None:
    chaos = load_variant("chaos")
    start = start_position(chaos)
    assert str(start.phase) == "W1900A"
    assert (len(start.units), len(start.owners)) == (0, 34)
    assert {power.home_centers for power in chaos.powers} == {(c,) for c in chaos.board.centers}
    letters = {power.letter: power.id for power in chaos.powers}
    assert len(letters) == 34
    assert (letters["Z"], letters["3"], letters["U"]) == ("SERBIA", "ST_PETERSBURG", "NORWAY")
    assert chaos.builds is Builds.ANY


def test_a_power_of_chaos_is_called_like_its_city_everywhere_but_in_orders() -> None:
    chaos = load_variant("chaos")
    names = power_names(chaos, PowerId("VIENNA"))
    assert {"Vienna", "VIE", "빈", "ウィーン", "維也納"} <= set(names)
    words = lexicon(chaos).words
    assert words["vienna"] == ("#VIE",)
    assert not any(word.startswith("@") for found in words.values() for word in found)


@pytest.mark.parametrize(
    ("name", "powers"),
    [("france_austria", ["AUSTRIA", "FRANCE"]), ("germany_italy", ["GERMANY", "ITALY"])],
)
def test_a_duel_leaves_the_home_centers_of_the_others_free(name: str, powers: list[str]) -> None:
    duel = load_variant(name)
    start = start_position(duel)
    assert list(duel.power_ids) == powers
    assert units_of(name) == {power: units_of("standard")[power] for power in powers}
    assert len(start.owners) == 6
    assert duel.victory_centers == 18
    assert set(duel.local["ja"]["powers"]) == set(powers)


def test_the_blank_board_opens_with_builds() -> None:
    start = start_position(load_variant("blank"))
    assert (str(start.phase), start.units, len(start.owners)) == ("W1900A", (), 22)


def test_wilson_builds_in_all_centers_while_one_home_center_is_left() -> None:
    assert load_variant("wilson").builds is Builds.ONE_HOME
    assert units_of("wilson") == units_of("standard")


def test_variants_on_one_board_share_it() -> None:
    assert load_variant("wilson").board is load_variant("chaos").board is BOARD
