"""Broken maps: every fault at once, each with its file and line, and nothing else is raised."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.importing import FaultyMap, Imported, import_map
from tests.diplomacy.variant_folders import faults_of as sound

MAPS = Path(__file__).parent / "maps"
EXAMPLES = int(os.environ.get("JUDGE_EXAMPLES", "12"))
POWERS = {"E": "Elms/Elmish", "K": "Karst/Karstian", "V": "Vale/Valish"}
Changes = list[tuple[str, str, str]]  # file, what stands there, what instead


def spoilt(folder: Path, changes: Changes) -> Path:
    """The maps of the tests, with changes."""
    for file in sorted(MAPS.iterdir()):
        text = file.read_text(encoding="utf-8")
        for name, old, new in changes:
            if name == file.name:
                assert text.count(old) >= 1, old
                text = text.replace(old, new, 1)
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder


def faults_of(file: Path, **more: object) -> list[str]:
    powers = None if file.suffix == ".map" else POWERS
    with pytest.raises(FaultyMap) as caught:
        import_map(file, file.parent / "own", powers=more.get("powers", powers))  # type: ignore[arg-type]
    assert not (file.parent / "own").exists()
    return list(map(str, caught.value.faults))


def test_a_broken_map_of_the_old_judges_gives_all_its_faults(tmp_path: Path) -> None:
    spoilt(
        tmp_path,
        [
            ("map.fens", "Glacier,        l gla ice", "Glacier         l gla ice"),
            ("map.fens", "Redhill,        l red", "Redhill,        q red"),
            ("map.fens", "Greycliff,      l gre", "Greycliff,      l gre\nGreen,          l gre"),
            ("map.fens", "hig-mv: kar sto red", "hig-mv: kar stu red"),
            ("map.fens", "val-xc: mid gre", "val-xc: gre"),
            ("map.fens", "far-xc: sde", "far-uc: sde"),
            ("map.fens", "mid-xc: nrea kar/sc", "mid-xc: nrea kar"),
            ("map.fens", "elm-mv: eap", "elm moves: eap"),
            ("map.fens", "gol-xc: mid", "isle-xc: mid"),
            ("map.fens", "#end of gateway setting\n-1\n", "#end of gateway setting\n"),
            ("seed.fens", "S1801M", "Spring 1801"),
            ("seed.fens", "K: A Highmoor", "K: A Lowmoor"),
            ("seed.fens", "V: A Ashvale", "Q: A Stonegate\nV: A gate"),
            ("seed.fens", "F Karsthold/sc", "F Karsthold"),
            ("seed.fens", ".KK..VV.EE......", ".KK..VV.EE...."),
        ],
    )
    assert faults_of(tmp_path / "map.fens") == [
        'map.fens:2: "Glacier         l gla ice" is no area; write "Northland, l nor"',
        'map.fens:6: Redhill: there is no type "q"',
        "map.fens:10: Green has the abbreviation gre of Greycliff (line 9)",
        "map.fens:20: there is no abbreviation gla",
        "map.fens:23: fleets go from kar/sc to mid, but not back",
        "map.fens:24: there is no abbreviation stu",
        "map.fens:25: armies go from sto to hig, but not back",
        'map.fens:36: "elm moves: eap mar val" says no moves; write "nor-xc: str"',
        "map.fens:39: isle means both gol and far; write one of them",
        "map.fens:40: far-uc: there are mv, xc and the coasts nc, ec, sc, wc",
        "map.fens:42: fleets go from mid to kar without a coast; there are kar/nc, kar/sc",
        "map.fens:42: fleets go from mid to val, but not back",
        "map.fens:42: fleets go from mid to gol, but not back",
        "map.fens:51: the options have no end: after this line, write -1",
        'seed.fens:1: "Spring 1801" is no phase; one looks like S1901M',
        "seed.fens:4: there is no area Lowmoor",
        "seed.fens:5: a fleet in Karsthold stands on a coast: nc, sc",
        "seed.fens:6: there is no power Q; name it with --powers Q=NAME",
        "seed.fens:6: Q has no home center",
        "seed.fens:7: A sto stands where A sto does (seed.fens:6)",
        "seed.fens:10: the owners' record has 14 signs for 16 areas",
    ]


def test_a_broken_map_of_the_dpjudge_gives_all_its_faults(tmp_path: Path) -> None:
    spoilt(
        tmp_path,
        [
            ("fens.places", "Redhill              = red", "Redhill              ="),
            ("fens.places", "Far Isle             = far isle2", "Far Isle             = gol isle2"),
            ("fens.map", "USE fens.places", "USE fens.places fens.map gone ../fens.map"),
            ("fens.map", "LAND   HIG     ABUTS  KAR STO RED", "LAMD   HIG     ABUTS  KAR STO RED"),
            ("fens.map", "COAST  VAL     ABUTS  MID Gre", "COAST  VAL     ABUTS  Gre"),
            ("fens.map", "WATER  NRE     ABUTS  KAR/NC", "WATER  NRE     ABUTS  KAR/WC"),
            (
                "fens.map",
                "LAND   STO     ABUTS  KAR HIG RED",
                "LAND   STO     ABUTS  KAR HIG RED RED",
            ),
            ("fens.map", "BEGIN SPRING 1801", "BEGIN SUNDAY 1801"),
            ("fens.map", "VICTORY 5", "VICTORY five"),
            ("fens.map", "KAR HIG\nA HIG", "KAR HOG\nA HIG"),
            ("fens.map", "F VAL\nA ASH", "F VAL\nA VAL"),
            ("fens.map", "ELMS    (ELMISH)       EAP ELM", "ELMS    (ELMISH:V)     EAP ELM"),
            ("fens.map", "A ELM\n", "A ELM ASH\nF KAR\n"),
            ("fens.map", "UNOWNED                STO", "DROP XYZ\nUNOWNED                STO"),
        ],
    )
    assert faults_of(tmp_path / "fens.map") == [
        "fens.map:2: these files use each other: fens.map - fens.map",
        "fens.map:2: there is no file gone.map beside this one",
        "fens.map:2: ../fens.map: only files beside this one are read",
        "fens.map:5: fleets go from kar/nc to nre, but not back",
        "fens.map:7: kar: there is no place hig",
        "fens.map:8: there is no terrain LAMD; there are AMEND, WATER, LAND, COAST, PORT, SHUT",
        "fens.map:9: STO: RED stands there twice",
        "fens.map:9: STO: there is no place HIG",
        "fens.map:10: RED has no line with its full name",
        "fens.map:18: FAR has no line with its full name",
        "fens.map:19: NRE: there is no place KAR/WC",
        "fens.map:20: fleets go from mid to val, but not back",
        'fens.map:23: BEGIN: "SUNDAY 1801 MOVEMENT" is no phase; write SPRING 1901 MOVEMENT',
        'fens.map:24: "VICTORY five": write VICTORY and a number',
        "fens.map:29: there is no place HOG",
        "fens.map:30: no army can stand in Highmoor",
        "fens.map:35: A VAL stands where F VAL does (fens.map:34)",
        "fens.map:37: Elms has the letter V of Vale",
        "fens.map:39: A ELM ASH is no unit",
        "fens.map:40: F KAR stands where F KAR/SC does (fens.map:31)",
        "fens.map:40: a fleet in Karsthold stands on a coast: nc, sc",
        "fens.map:42: DROP: there is no place XYZ",
        "fens.places:6: Highmoor (hig) has no terrain",
        'fens.places:8: "Redhill              =" names no place; write "North Sea = nth"',
        "fens.places:16: Far Isle has the id gol of Gold Isle (line 15)",
    ]


@pytest.mark.parametrize(
    ("file", "last", "fault"),
    [
        (
            "map.fens",
            "South Deep,     w sde sc\n",
            "map.fens:18: the areas have no end: before this line, write -1",
        ),
        (
            "map.fens",
            "sde-xc: mid ash gre far\n",
            "map.fens:43: the moves have no end: before this line, write -1",
        ),
        (
            "seed.fens",
            "V: F mouth\n",
            "seed.fens:8: the units have no end: before this line, write -1",
        ),
    ],
)
def test_a_missing_end_of_a_block_is_one_fault(
    tmp_path: Path, file: str, last: str, fault: str
) -> None:
    spoilt(tmp_path, [(file, f"{last}-1\n", last)])
    assert faults_of(tmp_path / "map.fens") == [fault]


def test_a_power_without_a_name_is_asked_for(tmp_path: Path) -> None:
    spoilt(tmp_path, [])
    with pytest.raises(FaultyMap) as caught:
        import_map(tmp_path / "map.fens", tmp_path / "own", powers={"K": "Karst", "X": "Xanten"})
    assert list(map(str, caught.value.faults)) == [
        "map.fens:7: there is no power V; name it with --powers V=NAME",
        "--powers names X, which has no home and no unit in the files",
    ]


def test_a_map_without_units_asks_for_its_seed(tmp_path: Path) -> None:
    spoilt(tmp_path, [])
    (tmp_path / "seed.fens").unlink()
    assert "there is no seed file with the units at the start; give it with --seed" in faults_of(
        tmp_path / "map.fens"
    )


def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    assert faults_of(tmp_path / "gone.map")[0] == (
        "gone.map:1: cannot be read (No such file or directory)"
    )


def test_old_encodings_are_read_and_broken_ones_are_faults(tmp_path: Path) -> None:
    spoilt(tmp_path, [])
    names = tmp_path / "fens.places"
    text = names.read_text(encoding="utf-8")
    names.write_bytes(text.replace("Highmoor ", "Höhmoor  ").encode("cp1252"))
    result = import_map(tmp_path / "fens.map", tmp_path / "own")
    assert 'name = "Höhmoor"' in (result.folder / "board.toml").read_text(encoding="utf-8")
    assert "fens.places:1: is no UTF-8; read as Windows-1252" in map(str, result.assumed)
    names.write_bytes(text.encode().replace(b"gla ice", b"gla i\x81ce"))
    (fault,) = _faults(tmp_path / "fens.map", tmp_path / "other")
    assert fault == "fens.places:2: byte 0x81 is neither UTF-8 nor Windows-1252"


def _faults(file: Path, into: Path) -> list[str]:
    with pytest.raises(FaultyMap) as caught:
        import_map(file, into)
    return list(map(str, caught.value.faults))


# --- whatever is written --------------------------------------------------------------------------

WORDS = """
    kar sto MID NRE KAR/NC kar/nc Eap - -1 # = -> ABUTS COAST WATER AMEND DROP UNPLAYED ALL EXCEPT
    OWNS CENTERS HOMES UNITS A F VICTORY BEGIN SPRING 1801 FLOW NEWYEAR:2 SPRING:MOVEMENT RULE IN
    FROM S1802M: USE MAP fens.places DIRECTIVES END UNOWNED NEUTRAL KARST VALE (X:Y) () : , x w K l
    hig-mv: kar-nc: sde-xc: / ( ) *STO +MID ~RED @HIG -KAR &SC AEG(CON) R:MID é ß ﬁ
"""
LINES = st.one_of(st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join), st.text())
JUNK = st.lists(st.tuples(st.integers(0, 60), LINES), min_size=1, max_size=4)


@settings(max_examples=EXAMPLES, deadline=None)
@given(junk=JUNK, file=st.sampled_from(sorted(path.name for path in MAPS.iterdir())))
def test_junk_raises_nothing_but_faults(
    junk: list[tuple[int, str]], file: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = spoilt(tmp_path_factory.mktemp("junk"), [])
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    for at, text in junk:
        lines.insert(at, text)
    (folder / file).write_text("\n".join(lines), encoding="utf-8", errors="replace")
    for name, powers in (("map.fens", POWERS), ("fens.map", None)):
        result = _imported(folder / name, folder / f"own_{name}", powers)
        if result is not None:
            check_folder(result)


def _imported(file: Path, into: Path, powers: dict[str, str] | None) -> Imported | None:
    try:
        return import_map(file, into, powers=powers)
    except FaultyMap:
        return None


def check_folder(result: Imported) -> None:
    """What was written, the loader finds sound."""
    assert sound(result.folder.parent, result.name) == []
