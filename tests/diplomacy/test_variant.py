"""The standard board as data, and a loader that says what is wrong and where."""

import copy
import tomllib
from typing import Any

import pytest

from judge.data import read_text
from judge.diplomacy.board import Terrain, parse_location
from judge.diplomacy.orders import Coast, Location, ProvinceId, UnitKind
from judge.diplomacy.position import start_position
from judge.diplomacy.variant import (
    FaultyVariant,
    NoVariant,
    load_variant,
    make_variant,
    variant_names,
)

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
STANDARD = load_variant("standard")
BOARD = STANDARD.board


def files() -> tuple[dict[str, Any], dict[str, Any]]:
    """The standard variant's two files, parsed, to be spoilt."""
    folder = ("config", "variants", "standard")
    return (
        tomllib.loads(read_text(*folder, "variant.toml")),
        tomllib.loads(read_text(*folder, "board.toml")),
    )


def faults_of(data: dict[str, Any], board: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(FaultyVariant) as caught:
        make_variant(data, board)
    return caught.value.faults


def test_the_standard_board_has_the_provinces_and_centers_of_the_rulebook() -> None:
    kinds = [province.terrain for province in BOARD.provinces.values()]
    assert [kinds.count(kind) for kind in Terrain] == [14, 42, 19, 1]
    assert len(BOARD.centers) == 34
    assert len(start_position(STANDARD).units) == 22
    assert STANDARD.victory_centers == 18
    assert variant_names()[0] == "standard"


def test_a_fleet_goes_along_its_coast_and_chooses_between_two() -> None:
    rome = {str(way) for way in BOARD.ways(FLEET, parse_location("ROM"))}
    assert rome == {"NAP", "TUS", "TYS"}
    mid = BOARD.reached(FLEET, parse_location("MAO"), ProvinceId("SPA"))
    assert mid == (parse_location("SPA/NC"), parse_location("SPA/SC"))
    assert not BOARD.is_adjacent(FLEET, parse_location("SPA/NC"), ProvinceId("LYO"))
    assert BOARD.is_adjacent(ARMY, parse_location("ROM"), ProvinceId("VEN"))


def test_where_units_can_stand() -> None:
    assert BOARD.stands(ARMY, ProvinceId("STP")) == (Location(ProvinceId("STP")),)
    assert BOARD.may_stand(FLEET, Location(ProvinceId("STP"), Coast.NORTH))
    assert not BOARD.may_stand(FLEET, Location(ProvinceId("STP")))
    assert BOARD.stands(FLEET, ProvinceId("PAR")) == ()
    assert BOARD.stands(ARMY, ProvinceId("SWI")) == ()
    assert BOARD.has(parse_location("BUL/EC"))
    assert not BOARD.has(parse_location("BUL/NC"))


def test_names_and_short_forms_mean_locations() -> None:
    assert BOARD.aliases["ENGLISH CHANNEL"] == parse_location("ENG")
    assert BOARD.aliases["STP(NC)"] == parse_location("STP/NC")
    assert {str(place) for place in BOARD.ambiguous["LIV"]} == {"LVN", "LVP"}


def test_an_unknown_variant_is_refused_with_those_there_are() -> None:
    with pytest.raises(NoVariant) as caught:
        load_variant("chaos")
    assert caught.value.known == variant_names()


def test_the_data_as_it_is_shipped_has_no_fault() -> None:
    assert make_variant(*files()).name == "standard"


def test_a_way_that_leads_one_way_only_is_a_fault() -> None:
    data, board = files()
    board["army"]["PAR"] = board["army"]["PAR"].replace("BUR", "").strip()
    assert "army: BUR leads to PAR, but PAR not to BUR" in faults_of(data, board)


def test_each_fault_of_the_board_is_named_with_its_place() -> None:
    data, board = files()
    rows = {row["id"]: row for row in board["provinces"]}
    rows["MUN"]["coasts"] = ["NC"]
    rows["NTH"]["center"] = True
    board["army"]["PAR"] += " NTH PAR XXX"
    board["fleet"].pop("STP/NC")
    board["ambiguous_aliases"]["QQ"] = ["NOWHERE"]
    board["coast_aliases"]["PAR/NC"] = []
    rows["BUR"]["aliases"] = ["PAR"]
    faults = faults_of(data, board)
    for words in (
        "provinces: MUN has coasts but is land",
        "provinces: NTH is a supply center on sea",
        "army: PAR leads to NTH, where no army can stand",
        "army: PAR leads to itself",
        "army: PAR leads to XXX, where no army can stand",
        "fleet: STP/NC leads nowhere",
        "fleet: BAR leads to STP/NC, but STP/NC not to BAR",
        "ambiguous_aliases: QQ may mean NOWHERE, which does not exist",
        "coast_aliases: there is no PAR/NC",
        "provinces: alias PAR of BUR is another province's id",
    ):
        assert words in faults


def test_each_fault_of_the_powers_is_named_with_its_power() -> None:
    data, board = files()
    powers = {row["id"]: row for row in data["powers"]}
    powers["FRANCE"]["home_centers"] += ["BUR", "LON"]
    powers["FRANCE"]["start_units"] += ["F PAR", "A LVP"]
    powers["ITALY"]["letter"] = "A"
    faults = faults_of({**data, "victory_centers": 35}, copy.deepcopy(board))
    for words in (
        "powers: FRANCE has the home center BUR, which is no supply center",
        "powers: FRANCE has the home center LON of ENGLAND",
        "powers: FRANCE starts with F PAR, which cannot stand there",
        "powers: FRANCE starts with A LVP, where another unit stands",
        "powers: ITALY has the letter A of AUSTRIA",
        "victory_centers: 35 of 34 centers",
    ):
        assert words in faults
