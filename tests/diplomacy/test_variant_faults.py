"""A faulty variant says everything that is wrong with it, each with its file and line."""

from pathlib import Path

import pytest

from judge.data import variant_folders
from judge.diplomacy.name_collisions import name_faults
from judge.diplomacy.rules import Ends, Tie, Undecided
from judge.diplomacy.variants.faults import variant_faults
from judge.diplomacy.variants.files import read_variant
from judge.diplomacy.variants.options import options_of
from judge.diplomacy.variants.variant import FaultyVariant, make_variant, variant_names
from tests.diplomacy.variant_folders import (
    Changes,
    copy_of,
    faults_of,
    line_of,
    text_of,
    write_variant,
)

SMALL = """\
name = "small"
based_on = "standard"

[titles]
en = "Small"
"""


def spoilt(root: Path, changes: Changes) -> list[str]:
    """The faults of a copy of the standard variant."""
    return faults_of(root, copy_of(root, "standard", changes))


def at(root: Path, file: str, text: str, name: str = "standard") -> str:
    return f"{file}:{line_of(root, name, file, text)}:"


def said(root: Path, text: str, what: str, below: int = 0) -> str:
    """A fault of variant.toml, so many lines below the one that holds a text."""
    return f"variant.toml:{line_of(root, 'standard', 'variant.toml', text) + below}: {what}"


@pytest.mark.parametrize("name", variant_names())
def test_a_shipped_variant_has_no_fault(name: str) -> None:
    text = read_variant(name, variant_folders())
    assert [*variant_faults(text), *name_faults(text, ())] == []


def test_a_way_that_leads_one_way_only_is_a_fault(tmp_path: Path) -> None:
    faults = spoilt(tmp_path, {"board.toml": (('PAR = "BRE BUR GAS PIC"', 'PAR = "BRE GAS PIC"'),)})
    place = at(tmp_path, "board.toml", 'BUR = "')
    assert faults == [f"{place} army: BUR leads to PAR, but PAR not to BUR"]


def test_each_fault_of_a_board_is_named_with_its_line(tmp_path: Path) -> None:
    changes = (
        ('"Munich", kind = "land", ', '"Munich", kind = "land", coasts = ["NC", "SC"], '),
        ('"North Sea", kind = "sea", ', '"North Sea", kind = "sea", center = true, '),
        ('"Ruhr", kind = "land"', '"Ruhr", kind = "swamp"'),
        ('PAR = "BRE BUR GAS PIC"', 'PAR = "BRE BUR GAS PIC NTH PAR XXX"'),
        ('aliases = ["BURG", ', 'aliases = ["PAR", "BURG", '),
        ("[coast_aliases]\n", '[coast_aliases]\n"PAR/NC" = []\n'),
        ("[ambiguous_aliases]\n", '[ambiguous_aliases]\nQQ = ["NOWHERE"]\n'),
    )
    faults = spoilt(tmp_path, {"board.toml": changes})
    board = "board.toml"
    for text, what in (
        ('id = "MUN"', "provinces.MUN has coasts but is land"),
        ('id = "NTH"', "provinces.NTH is a supply center on sea"),
        ('id = "RUH"', 'provinces.kind: there is no "swamp"; there are land, coast, sea, closed'),
        ('PAR = "BRE', "army.PAR: NTH is no place for an army"),
        ('PAR = "BRE', "army: PAR leads to itself"),
        ('PAR = "BRE', "army.PAR: XXX is no place for an army"),
        ('id = "BUR"', "provinces.BUR.aliases: PAR stands in provinces.PAR.id too"),
        ('"PAR/NC" =', "coast_aliases.PAR/NC: PAR/NC is no location; did you mean SPA/NC?"),
        ("QQ =", "ambiguous_aliases.QQ: NOWHERE is no location"),
    ):
        assert f"{at(tmp_path, board, text)} {what}" in faults


def test_each_fault_of_the_powers_is_named_with_its_line(tmp_path: Path) -> None:
    changes = (
        ("victory_centers = 18", "victory_centers = 35"),
        ('["BRE", "MAR", "PAR"]', '["BRE", "MAR", "PAR", "BUR", "LON"]'),
        ('["A MAR", "A PAR", "F BRE"]', '["A MAR", "F PAR", "F BRE", "A BRE", "PAR"]'),
        ('letter = "I"', 'letter = "A"'),
        ('letter = "R"', 'letter = "M"'),
    )
    faults = spoilt(tmp_path, {"variant.toml": changes})
    homes, units = '"BUR", "LON"', '"F PAR"'
    assert faults == [
        said(tmp_path, "victory_centers = 35", "victory_centers: 35 of 34 centers"),
        said(
            tmp_path,
            homes,
            "powers.FRANCE.home_centers: LON stands in powers.ENGLAND.home_centers too",
        ),
        said(tmp_path, homes, "powers.FRANCE.home_centers: BUR is no supply center"),
        said(tmp_path, units, "powers.FRANCE starts with F PAR, which cannot stand there"),
        said(tmp_path, units, "powers.FRANCE starts with A BRE, where another unit stands"),
        said(
            tmp_path, units, 'powers.FRANCE starts with "PAR"; a unit looks like A PAR or F STP/SC'
        ),
        said(
            tmp_path,
            'id = "ITALY"',
            "powers.ITALY.letter: A stands in powers.AUSTRIA.letter too",
            below=3,
        ),
        said(
            tmp_path,
            'letter = "M"',
            'powers.RUSSIA.letter is "M"; write a capital or a digit, not M or O',
        ),
    ]


def test_each_fault_of_a_calendar_is_named_with_its_line(tmp_path: Path) -> None:
    changes = (
        ("first_year = 1901", "first_year = 0"),
        ('adjustment_letter = "W"', 'adjustment_letter = "X"'),
        ('{ letter = "F", years_after = 0 }', '{ letter = "S", years_after = 0 }'),
    )
    faults = spoilt(tmp_path, {"variant.toml": changes})
    file = "variant.toml"
    first = line_of(tmp_path, "standard", file, "turns =") + 1
    assert faults == [
        f"{at(tmp_path, file, 'first_year')} calendar.first_year is 0; write a year from 1 to 9999",
        f'{at(tmp_path, file, "adjustment_letter")} calendar.adjustment_letter is "X"; '
        'write one of "", "S", "F", "W"',
        f'{file}:{first + 1}: calendar: two turns have the letter "S" and years_after 0',
    ]


def test_a_province_that_nobody_reaches_is_a_fault(tmp_path: Path) -> None:
    island = '  { id = "ATL", name = "Atlantis", kind = "coast", aliases = [] },\n'
    changes = (
        ('  { id = "APU",', f'{island}  {{ id = "APU",'),
        ("[army]\n", '[army]\nATL = ""\n'),
        ("[fleet]\n", '[fleet]\nATL = ""\n'),
    )
    faults = spoilt(tmp_path, {"board.toml": changes})
    place = at(tmp_path, "board.toml", 'id = "ATL"')
    assert faults == [f"{place} provinces.ATL cannot be reached from where the powers begin"]


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "what"),
    [
        (
            "board.toml",
            '["ADRIATIC", "ADRIATIC SEA", "ADRIA"]',
            '["ADRIATIC", "ADRIATIC SEA", "AEGEAN"]',
            'id = "AEG"',
            "provinces.AEG.aliases: AEGEAN stands in provinces.ADR.aliases too",
        ),
        (
            "board.toml",
            'aliases = ["ALBANIA", "ALBANIAN"]',
            'aliases = ["ALBANIA", "SUPPORT"]',
            'id = "ALB"',
            'province ALB: the name "SUPPORT" means support too',
        ),
        (
            "board.toml",
            'aliases = ["ALBANIA", "ALBANIAN"]',
            'aliases = ["ALBANIA", "WAIT"]',
            'id = "ALB"',
            'province ALB: the name "WAIT" means command too',
        ),
        (
            "names/ko.toml",
            'ALB = ["알바니아"]',
            'ALB = ["알바니아", "앙카라"]',
            'ANK = ["',
            'province ANK: the name "앙카라" means province ALB too',
        ),
        (
            "names/ja.toml",
            'ALB = ["アルバニア"]',
            'ALB = ["アルバニア", "支援"]',
            'ALB = ["',
            'province ALB: the name "支援" means support too',
        ),
        (
            "variant.toml",
            '["GER", "GERM"]',
            '["GER", "GERM", "Paris"]',
            "id = ",
            "",
        ),
    ],
)
def test_a_name_that_means_something_else_is_a_fault(
    tmp_path: Path, file: str, old: str, new: str, line: str, what: str
) -> None:
    faults = spoilt(tmp_path, {file: ((old, new),)})
    if not what:
        place = at(tmp_path, "board.toml", 'id = "PAR"')
        what, file = 'province PAR: the name "Paris" means power GERMANY too', "board.toml"
        assert [fault.lower() for fault in faults] == [f"{place} {what}".lower()]
        return
    assert faults == [f"{at(tmp_path, file, line)} {what}"]


def test_a_word_or_a_key_that_is_not_known_hides_no_other_fault(tmp_path: Path) -> None:
    changes = (
        ("victory_centers = 18", 'victory_centers = 35\nbuilds = "nowhere"'),
        ('letter = "I"', 'letter = "A"\ncapital = "ROM"'),
    )
    faults = spoilt(tmp_path, {"variant.toml": changes})
    centers, italy = "victory_centers = 35", 'id = "ITALY"'
    known = "home, any_home, one_home, any"
    keys = "id, letter, home_centers, name, adjective, aliases, named_after, start_units"
    assert faults == [
        said(tmp_path, centers, "victory_centers: 35 of 34 centers"),
        said(tmp_path, "builds", f'builds: there is no "nowhere"; there are {known}'),
        said(
            tmp_path, italy, "powers.ITALY.letter: A stands in powers.AUSTRIA.letter too", below=3
        ),
        said(
            tmp_path,
            "capital",
            f"powers: there is no key capital; there are {keys}, start_centers",
        ),
    ]


def test_names_of_what_there_is_not_are_faults(tmp_path: Path) -> None:
    names = '[powers]\nATLANTIS = ["x"]\nITALY = [""]\n[provinces]\nNEP = ["y"]\n'
    write_variant(tmp_path, "small", {"variant.toml": SMALL, "names/ko.toml": names})
    assert faults_of(tmp_path, "small") == [
        "names/ko.toml:2: powers.ATLANTIS: ATLANTIS is no power",
        "names/ko.toml:3: powers: ITALY has an empty name",
        "names/ko.toml:5: provinces.NEP: NEP is no province; did you mean NAP?",
    ]


def test_two_names_in_one_text_are_no_center(tmp_path: Path) -> None:
    faults = spoilt(tmp_path, {"variant.toml": (('["BRE", "MAR", "PAR"]', '["BRE", "MAR PAR"]'),)})
    assert [fault.partition(": ")[2] for fault in faults] == [
        "powers.FRANCE.home_centers: MAR PAR is no supply center; did you mean PAR?"
    ]


def test_a_file_that_cannot_be_read_says_where_and_hides_nothing_else(tmp_path: Path) -> None:
    changes = {
        "board.toml": (("[army]\n", "[army\n"),),
        "names/ko.toml": (("[powers]\n", '[powers]\nFRANCE = "프랑스\n'),),
        "variant.toml": (('letter = "I"', 'letter = "A"\ncapital = "ROM"'),),
    }
    faults = spoilt(tmp_path, changes)
    board = at(tmp_path, "board.toml", "[army")
    names = at(tmp_path, "names/ko.toml", 'FRANCE = "프랑스')
    unread = [fault for fault in faults if "this line cannot be read: " in fault]
    assert [fault.split(" ")[0] for fault in unread] == [board, names]
    assert any("powers: there is no key capital" in fault for fault in faults)


def test_a_line_that_cannot_be_read_hides_no_other_and_is_not_missing_too(tmp_path: Path) -> None:
    changes = (
        ("victory_centers = 18", "victory_centers = many"),
        ("first_year = 1901", 'first_year = "1901"'),
    )
    year = "calendar.first_year is a whole number, not a text ('1901')"
    assert spoilt(tmp_path, {"variant.toml": changes}) == [
        said(tmp_path, "= many", "this line cannot be read: invalid value"),
        said(tmp_path, "first_year", year),
    ]


def test_values_of_another_kind_are_faults_and_no_tracebacks(tmp_path: Path) -> None:
    changes = (
        ("victory_centers = 18", 'victory_centers = "many"'),
        ("first_year = 1901", "first_year = true"),
        ('["BRE", "MAR", "PAR"]', '"BRE MAR PAR"'),
    )
    faults = spoilt(tmp_path, {"variant.toml": changes})
    centers, year = "victory_centers is a whole number", "calendar.first_year is a whole number"
    homes = "powers.home_centers is a list"
    assert faults == [
        said(tmp_path, '"many"', f"{centers}, not a text ('many')"),
        said(tmp_path, "first_year", f"{year}, not true or false (True)"),
        said(tmp_path, '"BRE MAR PAR"', f"{homes}, not a text ('BRE MAR PAR')"),
    ]


# --- based on another -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ('name = "other"', ['variant.toml:1: name is "other", but the folder is called small']),
        (
            'based_on = "standart"',
            ['variant.toml:2: based_on: there is no variant "standart"; there are'],
        ),
        (
            'based_on = "small"',
            ["variant.toml:2: these variants are based on each other: small - small"],
        ),
        ('leave_out = ["ATLANTIS"]', ["variant.toml:3: leave_out: there is no power or table"]),
        ('start = "S1900M"', ["variant.toml:3: start: no game begins with S1900M; it may begin"]),
        ('start = "spring"', ['variant.toml:3: start is "spring"; write a phase such as S1901M']),
        ('builds = "nowhere"', ['variant.toml:3: builds: there is no "nowhere"; there are home,']),
        ('board = "../board.toml"', ['variant.toml:3: board: "../board.toml" is no name of a']),
        ('board = "map.toml"', ["map.toml:1: cannot be read: No such file or directory"]),
        (
            "victory = 20",
            ["variant.toml:3: there is no key victory; did you mean victory_centers?"],
        ),
    ],
)
def test_a_fault_of_a_small_variant_has_its_line(
    tmp_path: Path, text: str, faults: list[str]
) -> None:
    lines = SMALL.splitlines()
    key = text.partition(" ")[0]
    at_line = {"name": 0, "based_on": 1}.get(key, 2)
    lines[at_line] = text
    write_variant(tmp_path, "small", {"variant.toml": "\n".join(lines) + "\n"})
    found = faults_of(tmp_path, "small")
    assert len(found) == len(faults)
    for one, start in zip(found, faults, strict=True):
        assert one.startswith(start), one


def test_the_faults_of_the_base_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    copy_of(tmp_path, "standard", {"board.toml": (('PAR = "BRE BUR ', 'PAR = "BRE '),)})
    write_variant(tmp_path, "small", {"variant.toml": SMALL})
    (fault,) = faults_of(tmp_path, "small")
    assert fault.startswith("standard/board.toml:")


def test_a_circle_of_three_is_named_once_and_ends(tmp_path: Path) -> None:
    for name, base in (("one", "two"), ("two", "three"), ("three", "one")):
        text = SMALL.replace("small", name).replace("standard", base)
        write_variant(tmp_path, name, {"variant.toml": text})
    faults = faults_of(tmp_path, "one")
    assert (
        "three/variant.toml:2: these variants are based on each other: one - two - three - one"
        in faults
    )


def test_a_variant_of_few_lines_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    text = SMALL.replace(
        "\n[titles]",
        'victory_centers = 20\nleave_out = ["ITALY"]\nstart = "F1901M"\n\n[calendar]\n'
        "first_year = 1901\n\n[titles]",
    )
    text += '\n[[powers]]\nid = "TURKEY"\nletter = "Y"\nhome_centers = ["ANK", "CON"]\n'
    text += 'start_units = ["A CON"]\n'
    text += '\n[[powers]]\nid = "IBERIA"\nname = "Iberia"\nadjective = "Iberian"\nletter = "S"\n'
    text += 'home_centers = ["POR"]\nstart_units = ["A POR"]\n'
    write_variant(
        tmp_path,
        "small",
        {"variant.toml": text, "names/ko.toml": '[powers]\nIBERIA = ["이베리아"]\n'},
    )
    assert faults_of(tmp_path, "small") == []
    variant = make_variant(text_of(tmp_path, "small"))
    assert list(variant.power_ids) == [
        "AUSTRIA",
        "ENGLAND",
        "FRANCE",
        "GERMANY",
        "RUSSIA",
        "TURKEY",
        "IBERIA",
    ]
    turkey = variant.powers[5]
    assert (turkey.name, turkey.letter, turkey.home_centers) == ("Turkey", "Y", ("ANK", "CON"))
    assert (variant.victory_centers, str(variant.calendar.first())) == (20, "F1901M")
    assert variant.local["ko"]["powers"]["IBERIA"] == ["이베리아"]
    assert "ITALY" not in variant.local["ja"]["powers"]


def test_a_variant_with_faults_is_not_made(tmp_path: Path) -> None:
    name = copy_of(tmp_path, "standard", {"variant.toml": (("victory_centers = 18\n", ""),)})
    with pytest.raises(FaultyVariant) as caught:
        make_variant(text_of(tmp_path, name))
    assert list(map(str, caught.value.faults)) == ["variant.toml:1: victory_centers is missing"]


def test_one_of_several_tables_can_be_left_out(tmp_path: Path) -> None:
    text = SMALL.replace("standard", "colonial")
    head, titles = text.split("\n\n")
    kept = f'{head}\nleave_out = ["bridges.1996", "railway"]\n\n{titles}'
    write_variant(tmp_path, "small", {"variant.toml": kept})
    assert faults_of(tmp_path, "small") == []
    variant = make_variant(text_of(tmp_path, "small"))
    assert (list(variant.bridges), len(variant.hooks)) == (["moulmein"], 1)
    assert list(variant.local["ko"]["orders"]) == ["canal"]


def test_the_ends_of_a_variant_are_its_games_unless_they_choose_others(tmp_path: Path) -> None:
    ends = '[ends]\ntie = "shared"\nlast_year = 1910\nundecided = "most"\n'
    write_variant(tmp_path, "small", {"variant.toml": SMALL + ends})
    variant = make_variant(text_of(tmp_path, "small"))
    assert variant.ends == Ends(Tie.SHARED, 1910, 0, Undecided.MOST)
    usual = {option.key: option.default for option in options_of(variant)}
    assert (usual["tie"], usual["last_year"], usual["quiet_years"]) == ("shared", "1910", "0")


def test_faulty_ends_are_named_with_their_lines(tmp_path: Path) -> None:
    ends = '[ends]\ntie = "both"\nlast_year = -1\nquiet_years = 100\nundecided = "lot"\n'
    folder = write_variant(tmp_path, "small", {"variant.toml": SMALL + ends})
    assert faults_of(tmp_path, folder) == [
        'variant.toml:7: ends.tie: there is no "both"; there are nobody, shared',
        "variant.toml:8: ends.last_year is -1; write up to 9999, 0 for none",
        "variant.toml:9: ends.quiet_years is 100; write up to 99, 0 for none",
        'variant.toml:10: ends.undecided: there is no "lot"; there are draw, most',
    ]
