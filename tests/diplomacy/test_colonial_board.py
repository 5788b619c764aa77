"""The Colonial board as data: its provinces and powers, its calendar, and what only it has."""

import json
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from judge.diplomacy.board import Terrain, parse_location
from judge.diplomacy.calendar import Phase
from judge.diplomacy.canal import Canal
from judge.diplomacy.orders import PowerId, ProvinceId, UnitKind
from judge.diplomacy.position import start_position
from judge.diplomacy.railway import Railway
from judge.diplomacy.variants.variant import load_variant
from tests.diplomacy.variant_folders import copy_of, faults_of, line_of

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
COLONIAL = load_variant("colonial")
BOARD = COLONIAL.board
FIGURES = Path(__file__).parent.parent / "figures" / "figures.json"
TERRAIN = [
    row
    for row in json.loads(FIGURES.read_text(encoding="utf-8"))["terrain"]
    if row["ruleset"] == "colonial"
]


# --- the board ------------------------------------------------------------------------------------


def test_the_board_has_the_provinces_and_colonies_of_its_sources() -> None:
    assert len(BOARD.provinces) == 119
    assert len(BOARD.centers) == 58
    assert Counter(province.terrain for province in BOARD.provinces.values()) == {
        Terrain.LAND: 32,
        Terrain.COAST: 60,
        Terrain.SEA: 27,
    }
    assert COLONIAL.victory_centers == 30


def test_each_way_leads_back_and_there_are_as_many_as_on_the_map() -> None:
    armies = {(origin, to) for origin, ways in BOARD.army_ways.items() for to in ways}
    fleets = {(origin, to) for origin, ways in BOARD.fleet_ways.items() for to in ways}
    assert armies == {(to, origin) for origin, to in armies}
    assert fleets == {(to, origin) for origin, to in fleets}
    assert (len(armies) // 2, len(fleets) // 2) == (169, 209)


def test_off_eight_islands_armies_get_by_convoy_alone() -> None:
    alone = [origin for origin, ways in BOARD.army_ways.items() if not ways]
    assert sorted(alone) == ["CEL", "CEY", "FOR", "JAV", "NEW", "OTA", "SAK", "SUM"]


def test_three_provinces_have_two_coasts() -> None:
    coasts = {each.id: each.coasts for each in BOARD.provinces.values() if each.coasts}
    assert coasts == {"ARB": ("NC", "SC"), "BAN": ("EC", "WC"), "SEO": ("EC", "WC")}


@pytest.mark.parametrize("row", TERRAIN, ids=lambda row: f"{row['unit']} {row['from']}")
def test_terrain(row: Mapping[str, Any]) -> None:
    ways = {
        str(way)
        for way in BOARD.adjacent_locations(UnitKind(row["unit"]), parse_location(row["from"]))
    }
    provinces = {way.partition("/")[0] for way in ways}
    assert set(row["may"]) <= ways | provinces
    assert not set(row["may_not"]) & (ways | provinces)
    if row["exhaustive"]:
        assert provinces == {place.partition("/")[0] for place in row["may"]}


def test_there_are_terrain_lines() -> None:
    assert len(TERRAIN) == 13


# --- the powers -----------------------------------------------------------------------------------


def test_seven_powers_start_with_a_unit_in_each_starting_colony() -> None:
    start = start_position(COLONIAL)
    units = Counter(unit.power for unit in start.units)
    assert units == {
        "BRITAIN": 6,
        "CHINA": 5,
        "FRANCE": 3,
        "HOLLAND": 3,
        "JAPAN": 4,
        "RUSSIA": 5,
        "TURKEY": 3,
    }
    for power in COLONIAL.powers:
        places = {unit.location.province for unit in power.start_units}
        assert places == set(power.home_centers)


def test_a_colony_in_a_powers_color_is_nobodys_at_the_start() -> None:
    owners = start_position(COLONIAL).owners
    assert len(owners) == 29
    assert not {"TAS", "KAG", "RUM", "SUD"} & set(owners)
    assert owners[ProvinceId("KYO")] == "JAPAN"
    assert owners[ProvinceId("CON")] == "TURKEY"


# --- the calendar ---------------------------------------------------------------------------------


def phases(first: Phase, count: int, calendar: Any) -> list[str]:
    found = [first]
    while len(found) < count:
        found.append(calendar.after(found[-1]))
    assert all(map(calendar.has, found))
    return [str(phase) for phase in found]


def test_turns_are_two_years_and_every_second_one_has_adjustments() -> None:
    calendar = COLONIAL.calendar
    assert phases(calendar.first(), 8, calendar) == [
        "1870M",
        "1870R",
        "1872M",
        "1872R",
        "1872A",
        "1874M",
        "1874R",
        "1876M",
    ]


def test_a_game_may_choose_the_seasons_of_other_judges() -> None:
    calendar = COLONIAL.calendars["seasons"]
    assert phases(calendar.first(), 6, calendar) == [
        "S1870M",
        "S1870R",
        "F1870M",
        "F1870R",
        "W1870A",
        "S1871M",
    ]


# --- what only this board has ---------------------------------------------------------------------


def test_the_railway_and_the_canal_are_those_of_the_rulebook() -> None:
    (canal,) = [hook for hook in COLONIAL.hooks if isinstance(hook, Canal)]
    (railway,) = [hook for hook in COLONIAL.hooks if isinstance(hook, Railway)]
    assert (canal.province, canal.ends) == ("EGY", ("MED", "RED"))
    assert railway.stations == ("MOS", "PRM", "OMS", "KRA", "IRK", "VLA")
    assert railway.powers == {"RUSSIA"}


def test_each_station_is_next_to_the_one_before() -> None:
    (railway,) = [hook for hook in COLONIAL.hooks if isinstance(hook, Railway)]
    for one, following in pairwise(railway.stations):
        assert following in BOARD.army_ways[one]


def test_bridges_are_choices_and_none_is_on_the_map() -> None:
    assert set(COLONIAL.bridges) == {"moulmein", "1996"}
    for pairs in COLONIAL.bridges.values():
        for one, other in pairs:
            assert other not in BOARD.army_ways[one]
            assert not BOARD.is_adjacent(FLEET, parse_location(one), other)
            assert parse_location(one) in BOARD.possible_locations(ARMY, ProvinceId(one))


def test_hong_kong_does_not_count_for_china() -> None:
    uncounted = COLONIAL.uncounted
    assert uncounted is not None
    assert (uncounted.option, uncounted.center, uncounted.power) == ("hong_kong", "HON", "CHINA")
    assert uncounted.center in COLONIAL.power(PowerId("BRITAIN")).home_centers


# --- faults ---------------------------------------------------------------------------------------


def test_keys_that_nothing_reads_and_keys_that_are_missing_are_faults(tmp_path: Path) -> None:
    changes = (
        ("[railway]\n", "[monorail]\n\n[railway]\ngauge = 1520\n"),
        ('ends = ["MED", "RED"]\n', ""),
    )
    name = copy_of(tmp_path, "colonial", {"variant.toml": changes})

    def at(text: str) -> str:
        return f"variant.toml:{line_of(tmp_path, name, 'variant.toml', text)}:"

    faults = faults_of(tmp_path, name)
    assert [fault.partition("; ")[0] for fault in faults] == [
        f"{at('[monorail]')} there is no key monorail",
        f"{at('gauge')} railway: there is no key gauge",
        f"{at('[canal]')} canal: ends is missing",
    ]


def test_each_fault_of_what_only_this_board_has_is_named_with_its_line(tmp_path: Path) -> None:
    changes = (
        ('"KRA", "IRK", "VLA"]', '"KRA", "IRK", "VLA", "MED", "XXX"]'),
        ('powers = ["RUSSIA"]', 'powers = ["FINLAND"]'),
        ('keeper = "EGY"', 'keeper = "MED"'),
        ('ends = ["MED", "RED"]', 'ends = ["MED", "DEL", "RED"]'),
        ('["AKI OTA", "OTA SAK"]', '["AKI MED", "OTA"]'),
        ('center = "HON"', 'center = "DEC"'),
        ('power = "CHINA"', 'power = "MACAO"'),
    )
    name = copy_of(tmp_path, "colonial", {"variant.toml": changes})

    def at(text: str) -> str:
        return f"variant.toml:{line_of(tmp_path, name, 'variant.toml', text)}:"

    assert faults_of(tmp_path, name) == [
        f'{at("moulmein =")} bridges.moulmein is "OTA"; write two provinces, as AKI OTA',
        f"{at('moulmein =')} bridges.moulmein: MED is no province with a coast",
        f"{at('center =')} uncounted.center: DEC is no supply center; did you mean ODE?",
        f"{at('power =')} uncounted.power: MACAO is no power",
        f"{at('stations =')} railway.stations: MED is no province of land",
        f"{at('stations =')} railway.stations: XXX is no province of land",
        f"{at('powers =')} railway.powers: FINLAND is no power",
        f"{at('keeper =')} canal.keeper: MED is no province of land",
        f'{at("ends =")} canal.ends is ["MED","DEL","RED"]; write the two provinces that it joins',
        f"{at('ends =')} canal.ends: DEL is no sea or coast",
    ]
