"""Maps that change other maps, and starts and calendars that are not the usual ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.data import use_variants
from judge.diplomacy.orders import Location, ProvinceId, UnitKind
from judge.diplomacy.variants.variant import Variant, load_variant
from judge.importing import FaultyMap, Imported, import_map
from tests.diplomacy.variant_folders import faults_of
from tests.importing.test_faults import MAPS, POWERS, spoilt


@pytest.fixture(autouse=True)
def _no_own_variants() -> Iterator[None]:
    yield
    use_variants({})


def loaded(result: Imported) -> Variant:
    assert faults_of(result.folder.parent, result.name) == []
    use_variants({result.name: result.folder})
    return load_variant(result.name)


def changed(folder: Path, *lines: str) -> Imported:
    """A map that uses that of the Fens and changes it."""
    spoilt(folder, [])
    (folder / "own.map").write_text("\n".join(["USE fens.map", *lines]), encoding="utf-8")
    return import_map(folder / "own.map", folder / "out")


def army(variant: Variant, province: str) -> set[str]:
    at = Location(ProvinceId(province))
    return {str(way) for way in variant.board.adjacent_locations(UnitKind.ARMY, at)}


def test_places_are_dropped_renamed_and_amended(tmp_path: Path) -> None:
    variant = loaded(
        changed(
            tmp_path,
            "DROP GLA FAR",
            "RED -> Blackhill = bhl coal+hill",
            "AMEND SDE ABUTS NRE -ASH",
            "AMEND ASH ABUTS -SDE",
            "AMEND NRE ABUTS SDE",
        )
    )
    provinces = variant.board.provinces
    assert {"GLA", "FAR", "RED"} & set(provinces) == set()
    assert provinces[ProvinceId("BHL")].name == "Blackhill"
    assert army(variant, "HIG") == {"KAR", "STO", "BHL"}
    fleets = {
        str(way)
        for way in variant.board.adjacent_locations(UnitKind.FLEET, Location(ProvinceId("SDE")))
    }
    assert fleets == {"MID", "GRE", "NRE"}
    assert str(variant.board.aliases["COAL HILL"]) == "BHL"


def test_a_province_loses_its_coasts(tmp_path: Path) -> None:
    variant = loaded(
        changed(
            tmp_path,
            "COAST KAR ABUTS NRE MID Eap MAR hig sto",
            "KARST",
            "F KAR",
        )
    )
    assert variant.board.provinces[ProvinceId("KAR")].coasts == ()
    fleets = {
        str(way)
        for way in variant.board.adjacent_locations(UnitKind.FLEET, Location(ProvinceId("KAR")))
    }
    assert fleets == {"NRE", "MID", "EAP", "MAR"}


def test_a_place_gets_another_name_and_keeps_its_id(tmp_path: Path) -> None:
    variant = loaded(changed(tmp_path, "RED -> Blackhill = red"))
    assert variant.board.provinces[ProvinceId("RED")].name == "Blackhill"
    assert army(variant, "RED") == {"ASH", "GRE", "HIG", "STO"}


def test_a_fleet_stays_where_one_of_two_coasts_is_left(tmp_path: Path) -> None:
    variant = loaded(changed(tmp_path, "DROP KAR/NC"))
    assert variant.board.provinces[ProvinceId("KAR")].coasts == ()
    assert [str(unit) for unit in variant.powers[0].start_units] == ["A HIG", "F KAR"]


def test_powers_change_leave_and_own_other_centers(tmp_path: Path) -> None:
    variant = loaded(
        changed(
            tmp_path,
            "UNPLAYED ELMS",
            "UNOWNED EAP ELM",
            "KARST",
            "OWNS KAR HIG STO",
            "A STO",
            "VALE -> DALE (DALISH:D) VAL ASH",
            "BEGIN FALL 1802 MOVEMENT",
        )
    )
    assert [power.id for power in variant.powers] == ["KARST", "DALE"]
    karst, dale = variant.powers
    assert karst.start_centers == ("HIG", "KAR", "STO")
    assert karst.home_centers == ("HIG", "KAR")
    assert [str(unit) for unit in dale.start_units] == ["A ASH", "F VAL"]
    assert (dale.letter, dale.adjective) == ("D", "Dalish")
    assert len(variant.board.centers) == 9
    assert str(variant.calendar.first()) == "F1802M"


def test_a_game_may_begin_with_builds_and_build_anywhere(tmp_path: Path) -> None:
    result = changed(
        tmp_path,
        "KARST",
        "UNITS",
        "VALE",
        "UNITS",
        "ELMS",
        "UNITS",
        "BEGIN WINTER 1800 ADJUSTMENTS",
        "RULE BUILD_ANY",
        "FLOW",
        "FLOW NEWYEAR:2 SPRING:MOVEMENT,RETREATS FALL:MOVEMENT,RETREATS WINTER:ADJUSTMENTS",
    )
    variant = loaded(result)
    assert str(variant.calendar.first()) == "W1800A"
    assert str(variant.calendar.after(variant.calendar.first())) == "S1802M"
    assert variant.calendar.cycle_years == 2
    assert variant.builds == "any"
    assert not any("BUILD_ANY" in each.text for each in result.left_out)
    (tmp_path / "again.map").write_text("USE own.map\nRULE !BUILD_ANY\n", encoding="utf-8")
    assert loaded(import_map(tmp_path / "again.map", tmp_path / "out")).builds == "home"


def test_a_calendar_unlike_ours_is_named(tmp_path: Path) -> None:
    result = changed(tmp_path, "FLOW", "FLOW SUMMER:MOVEMENT WINTER:ADJUSTMENTS")
    assert [str(each) for each in result.left_out if "FLOW" in each.text] == [
        "own.map:3: FLOW: SUMMER:MOVEMENT is no season of ours; the year is spring, fall and winter"
    ]
    assert [turn.letter for turn in loaded(result).calendar.turns] == ["S", "F"]


def test_a_power_named_like_a_province_takes_its_names(tmp_path: Path) -> None:
    variant = loaded(changed(tmp_path, "ELMS -> MARSH (MARSHY:S) EAP ELM"))
    marsh = variant.power(variant.powers[-1].id)
    assert (marsh.id, marsh.named_after) == ("MARSH", "MAR")


def test_later_changes_conditions_and_odd_centers_are_named(tmp_path: Path) -> None:
    result = changed(
        tmp_path,
        "AMEND STO ABUTS K:ASH",
        "AMEND ASH ABUTS STO(KAR)",
        "IN S1802M: DROP FAR",
        "VICTORY 7 6 5",
        "VALE +RED @VAL",
        "DUMMY",
        "MILITIA 2",
        "FLAG VALE",
    )
    assert [str(each) for each in result.left_out if each.place.file == "own.map"] == [  # type: ignore[union-attr]
        "own.map:2: STO: the condition of K:ASH; the way is open to all",
        "own.map:3: ASH: the condition of STO(KAR); the way is open to all",
        "own.map:4: IN S1802M: DROP FAR: a change in a later phase",
        "own.map:5: VICTORY: other counts in the first years; it is 5 in all",
        "own.map:6: RED: a factory",
        "own.map:6: VAL: an alternative home center; it is a home center like the others",
        "own.map:7: DUMMY: a power that nobody plays",
        "own.map:8: MILITIA: militia",
        "own.map:9: FLAG, which is for the DPjudge's pages",
    ]
    assert army(loaded(result), "STO") == {"KAR", "HIG", "RED", "MAR", "VAL", "ASH"}


def test_the_owners_record_gives_centers_and_takes_them(tmp_path: Path) -> None:
    spoilt(tmp_path, [("seed.fens", ".KK..VV.EE......", ".K.K.VV.E.......")])
    variant = loaded(import_map(tmp_path / "map.fens", tmp_path / "out", powers=POWERS))
    owned = {power.id: power.start_centers for power in variant.powers}
    assert owned == {"KARST": ("KAR", "STO"), "VALE": ("ASH", "VAL"), "ELMS": ("EAP",)}


def test_an_old_game_begins_with_builds(tmp_path: Path) -> None:
    spoilt(tmp_path, [])
    (tmp_path / "seed.fens").write_text("F1800B\n-1\n.KK..VV.EE......\n-1\n", encoding="utf-8")
    variant = loaded(import_map(tmp_path / "map.fens", tmp_path / "out", powers=POWERS))
    assert str(variant.calendar.first()) == "W1800A"
    assert not any(power.start_units for power in variant.powers)


def test_the_second_map_has_another_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert import_map(MAPS / "fens.map", tmp_path, name=name).folder == tmp_path / name


def test_files_that_use_each_other_are_refused(tmp_path: Path) -> None:
    for name, used in (("one", "two"), ("two", "one.map")):
        (tmp_path / f"{name}.map").write_text(f"USE {used}\n", encoding="utf-8")
    with pytest.raises(FaultyMap, match=r"two\.map:1: these files use each other"):
        import_map(tmp_path / "one.map", tmp_path / "out")


def test_long_abbreviations_and_a_forgotten_colon_are_read(tmp_path: Path) -> None:
    spoilt(tmp_path, [("map.fens", "far-xc: sde", "far-xc sde"), ("map.fens", "sde sc", "deep")])
    text = (tmp_path / "map.fens").read_text(encoding="utf-8").replace("sde", "deep")
    (tmp_path / "map.fens").write_text(text, encoding="utf-8")
    result = import_map(tmp_path / "map.fens", tmp_path / "out", powers=POWERS)
    assert [str(each) for each in result.assumed][1:3] == [
        "map.fens:17: South Deep: deep has the id DEE, of three letters",
        "map.fens:39: far-xc has no colon; read as if it had one",
    ]
    assert str(loaded(result).board.aliases["DEEP"]) == "DEE"


def test_an_odd_mark_of_a_way_is_named_and_the_way_kept(tmp_path: Path) -> None:
    change = ("map.fens", "val-mv: sto elm ash", "val-mv: sto/mx elm ash*")
    spoilt(tmp_path, [change])
    result = import_map(tmp_path / "map.fens", tmp_path / "out", powers=POWERS)
    assert [str(each) for each in result.left_out if "mark" in each.text] == [
        'map.fens:27: the mark "/mx" of sto/mx: the way is open to all',
        'map.fens:27: the mark "*" of ash*: the way is open to all',
    ]
    assert army(loaded(result), "VAL") == {"STO", "ELM", "ASH"}
