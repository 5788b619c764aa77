"""Maps of the old judges and of the DPjudge become variants that load and play."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.data import use_variants
from judge.diplomacy import adjudicate_line
from judge.diplomacy.board import Board
from judge.diplomacy.variants.variant import Variant, load_variant
from judge.importing import CannotImport, FaultyMap, Imported, import_map
from tests.diplomacy.variant_folders import faults_of
from tests.importing.writers import dpjudge_map, njudge_map, njudge_seed

MAPS = Path(__file__).parent / "maps"
CENTERS = "KAR HIG VAL ASH EAP ELM STO MAR GOL"
POWERS = {"E": "Elms/Elmish", "K": "Karst/Karstian", "V": "Vale/Valish"}


@pytest.fixture(autouse=True)
def _no_own_variants() -> Iterator[None]:
    yield
    use_variants({})


def loaded(result: Imported) -> Variant:
    assert faults_of(result.folder.parent, result.name) == []
    use_variants({result.name: result.folder})
    return load_variant(result.name)


def fens(form: str, into: Path) -> Imported:
    if form == "njudge":
        return import_map(MAPS / "map.fens", into, powers=POWERS)
    return import_map(MAPS / "fens.map", into)


def ways_of(board: Board) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    army = {str(at): set(map(str, ways)) for at, ways in board.army_ways.items()}
    return army, {str(at): set(map(str, ways)) for at, ways in board.fleet_ways.items()}


def powers_of(variant: Variant) -> dict[str, Any]:
    return {
        power.id: (
            power.name,
            power.adjective,
            power.letter,
            set(power.home_centers),
            set(power.start_centers),
            {str(unit) for unit in power.start_units},
        )
        for power in variant.powers
    }


# --- what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["njudge", "dpjudge"])
def test_the_fens_are_read(form: str, tmp_path: Path) -> None:
    variant = loaded(fens(form, tmp_path))
    army, fleet = ways_of(variant.board)
    assert army["KAR"] == {"HIG", "STO", "MAR"}
    assert army["RED"] == {"ASH", "GRE", "HIG", "STO"}
    assert army["GOL"] == set()
    assert fleet["KAR/NC"] == {"EAP", "NRE"}
    assert fleet["MAR"] == {"EAP", "KAR/SC", "MID", "NRE"}
    assert fleet["VAL"] == {"GRE", "MID"}
    terrains = {province.id: province.terrain for province in variant.board.provinces.values()}
    assert terrains["GLA"] == "closed"
    assert (terrains["HIG"], terrains["GOL"], terrains["SDE"]) == ("land", "coast", "sea")
    assert set(variant.board.centers) == set(CENTERS.split())
    assert powers_of(variant) == {
        "KARST": _power("Karst", "Karstian", "K", "KAR HIG", "A HIG,F KAR/SC"),
        "VALE": _power("Vale", "Valish", "V", "VAL ASH", "A ASH,F VAL"),
        "ELMS": _power("Elms", "Elmish", "E", "EAP ELM", "A ELM,F EAP"),
    }
    assert str(variant.calendar.first()) == "S1801M"
    assert variant.victory_centers == 5


def _power(name: str, adjective: str, letter: str, homes: str, units: str) -> tuple[Any, ...]:
    centers = set(homes.split())
    return name, adjective, letter, centers, centers, set(units.split(","))


def test_both_forms_of_the_fens_are_the_same_board(tmp_path: Path) -> None:
    one, other = (loaded(fens(form, tmp_path / form)) for form in ("njudge", "dpjudge"))
    assert ways_of(one.board) == ways_of(other.board)
    assert powers_of(one) == powers_of(other)


def test_other_names_are_read_and_doubtful_ones_asked_about(tmp_path: Path) -> None:
    board = loaded(fens("njudge", tmp_path)).board
    assert str(board.aliases["PORT.E"]) == "EAP"
    assert str(board.aliases["NREA"]) == "NRE"
    assert list(map(str, board.ambiguous["ISLE"])) == ["GOL", "FAR"]
    other = loaded(fens("dpjudge", tmp_path / "other")).board
    assert str(other.aliases["KAR(NC)"]) == "KAR/NC"
    assert "MIDDLE SOUND" in other.aliases


@pytest.mark.parametrize("form", ["njudge", "dpjudge"])
def test_what_cannot_be_expressed_is_named_with_its_line(form: str, tmp_path: Path) -> None:
    result = fens(form, tmp_path)
    expected = {
        "njudge": [
            "map.fens:12: Marsh: fleets there may convoy (duality)",
            "map.fens:17: South Deep: the alias sc, a word of orders",
            "map.fens:44: the order of centers in summaries",
            "map.fens:48: a gateway between two seas",
        ],
        "dpjudge": [
            "fens.places:9: the alias vale of VAL and ASH, which is Vale too",
            "fens.map:16: MAR: fleets there may convoy (PORT)",
            "fens.map:26: RULE NO_DRAW",
            "fens.map:27: SHIPYARDS: an unknown directive",
            "fens.map:43: BLIND DIRECTIVES: a block of directives",
            "fens.map:44: RULE BLIND_CENTERS (in a block of DIRECTIVES)",
        ],
    }
    assert sorted(map(str, result.left_out)) == sorted(expected[form])


@pytest.mark.parametrize("form", ["njudge", "dpjudge"])
def test_an_imported_game_is_played(form: str, tmp_path: Path) -> None:
    variant = loaded(fens(form, tmp_path))
    units = {power.id: [str(unit) for unit in power.start_units] for power in variant.powers}
    spring = _adjudicate(
        variant.name,
        "S1801M",
        units,
        {
            "KARST": ["A moor - gate", "F KAR/SC - sound"],
            "VALE": ["A ASH - RED", "F VAL - MID"],
            "ELMS": ["F Eastport - Marsh", "A ELM H"],
        },
    )
    assert spring["problems"] == []
    assert spring["next_phase"] == "F1801M"
    assert spring["units"]["KARST"] == ["A STO", "F KAR/SC"]  # bounced with the Valish fleet
    assert spring["units"]["ELMS"] == ["A ELM", "F MAR"]
    fall = _adjudicate(
        variant.name,
        "F1801M",
        spring["units"],
        {
            "KARST": ["A STO H", "F KAR/SC - MID"],
            "VALE": ["A RED - HIG", "F VAL - GRE"],
            "ELMS": ["F MAR H", "A ELM - EAP"],
        },
    )
    assert fall["problems"] == []
    assert fall["centers"] == {
        "KARST": ["KAR", "STO"],
        "VALE": ["ASH", "HIG", "VAL"],
        "ELMS": ["EAP", "ELM", "MAR"],
    }
    assert fall["next_phase"] == "W1801A"


def _adjudicate(variant: str, phase: str, units: Any, orders: Any) -> Any:
    line = {"id": "1", "variant": variant, "phase": phase, "units": units, "orders": orders}
    answer = adjudicate_line(json.dumps(line))
    assert "error" not in answer, answer
    return answer


# --- the standard board there and back ------------------------------------------------------------


@pytest.mark.parametrize("form", ["njudge", "dpjudge"])
def test_the_standard_board_comes_back_as_it_was(form: str, tmp_path: Path) -> None:
    standard = load_variant("standard")
    if form == "njudge":
        (tmp_path / "map.std").write_text(njudge_map(standard), encoding="utf-8")
        (tmp_path / "seed.std").write_text(njudge_seed(standard), encoding="utf-8")
        result = import_map(tmp_path / "map.std", tmp_path / "own")
    else:
        (tmp_path / "std.map").write_text(dpjudge_map(standard), encoding="utf-8")
        result = import_map(tmp_path / "std.map", tmp_path / "own")
    again = loaded(result)
    assert ways_of(again.board) == ways_of(standard.board)
    assert again.board.centers == standard.board.centers
    for id_, province in standard.board.provinces.items():
        known = again.board.provinces[id_]
        assert (known.name, known.terrain, set(known.coasts)) == (
            province.name,
            province.terrain,
            set(province.coasts),
        )
    assert powers_of(again) == powers_of(standard)
    assert again.calendar == standard.calendar
    assert again.victory_centers == 18


# --- the request ----------------------------------------------------------------------------------


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "fens").mkdir()
    with pytest.raises(CannotImport, match="is there already"):
        fens("dpjudge", tmp_path)
    assert list((tmp_path / "fens").iterdir()) == []


def test_a_name_is_made_from_the_files_or_refused(tmp_path: Path) -> None:
    assert fens("njudge", tmp_path).name == "fens"
    with pytest.raises(CannotImport, match="is no name"):
        import_map(MAPS / "fens.map", tmp_path, name="../fens")
    with pytest.raises(CannotImport, match="is a shipped variant"):
        import_map(MAPS / "fens.map", tmp_path, name="chaos")


def test_nothing_is_written_where_there_are_faults(tmp_path: Path) -> None:
    with pytest.raises(FaultyMap):
        import_map(MAPS / "map.fens", tmp_path)  # without the names of K and V
    assert list(tmp_path.iterdir()) == []
