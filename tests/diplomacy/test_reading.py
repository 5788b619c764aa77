"""A letter's lines against a position: what is taken, what is asked, what is talk."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.language.order_context import OrderContext, Read, Said, Taken, Untaken
from judge.diplomacy.language.pipeline import SUGGESTED_FAULTS, read_orders
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import PowerId, ProvinceId
from judge.diplomacy.position import Dislodged, Position, sort_units, start_position
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import load_variant, parse_unit

STANDARD = load_variant("standard")
RULES = Rules.preset("2000")
FRANCE, RUSSIA = PowerId("FRANCE"), PowerId("RUSSIA")
OWNERS = start_position(STANDARD).owners


def position(
    phase: str,
    units: Mapping[str, str],
    *,
    dislodged: tuple[Dislodged, ...] = (),
    owners: Mapping[str, str] | None = None,
) -> Position:
    placed = [
        parse_unit(PowerId(power), text)
        for power, texts in units.items()
        for text in texts.split(", ")
    ]
    held = OWNERS if owners is None else owners
    return Position(
        parse_phase(phase),
        sort_units(placed, STANDARD.power_ids),
        {ProvinceId(center): PowerId(power) for center, power in held.items()},
        dislodged,
    )


def read(where: Position, letter: str, power: PowerId = FRANCE) -> tuple[Read, ...]:
    return read_orders(OrderContext(STANDARD, RULES, where, power), letter.splitlines())


def taken(found: tuple[Read, ...]) -> list[str]:
    return [format_order(each.order) for each in found if isinstance(each, Taken)]


def untaken(found: tuple[Read, ...]) -> list[Untaken]:
    return [each for each in found if isinstance(each, Untaken)]


def proposals(problem: Untaken) -> list[str]:
    return [format_order(order) for order in problem.proposals]


def notes(found: tuple[Read, ...]) -> list[str]:
    return [kind.value for each in found if isinstance(each, Taken) for kind, _ in each.notes]


START = start_position(STANDARD)
FALL = position(
    "F1901M",
    {"FRANCE": "A BUR, F MAO, A MAR", "ENGLAND": "F NTH, A BEL", "GERMANY": "A MUN"},
)


def test_a_letter_from_a_phone_is_read_as_three_orders_and_talk() -> None:
    found = read(
        START,
        "Hi judge, I hope this is how it works. par – bur, Mar s Par-Bur\n"
        "Fleet Brest to mid atlantic",
    )
    assert taken(found) == ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"]
    assert [each.text for each in found if isinstance(each, Said)] == [
        "Hi judge, I hope this is how it works."
    ]
    assert notes(found) == []


def test_a_letter_that_cannot_be_stored_whole_keeps_what_could() -> None:
    found = read(FALL, "Bur-Bel\nF Mao - Spa\nA Mra - Pie")
    assert taken(found) == ["A BUR - BEL"]
    coast, typo = untaken(found)
    assert (coast.kind, coast.written[coast.start : coast.end]) == ("coast_needed", "Spa")
    assert proposals(coast) == ["F MAO - SPA/NC", "F MAO - SPA/SC"]
    assert coast.key == "MAO"
    assert (typo.kind, typo.written[typo.start : typo.end]) == ("no_province", "Mra")
    assert proposals(typo) == ["A MAR - PIE"]
    assert typo.values.nearest == ("MAR",)
    assert typo.key == "MAR"


ILLEGAL = {
    # line: (kind, the marked part, key, proposals)
    "A Mun - Bur": ("foreign_unit", "Mun", None, []),
    "A Par - Bur": ("no_unit", "Par", None, ["A MAR - BUR"]),
    "A Mar - Mar": ("same_province", "Mar", "MAR", []),
    "A Bur - Eng": ("cannot_stand", "Eng", "BUR", []),
    "A Bur - Mos": ("not_adjacent", "Mos", "BUR", []),
    "F Mao - Eas": ("not_adjacent", "Eas", "MAO", ["F MAO - GAS"]),
    "A Mar - Bur via": ("via_impossible", "A Mar - Bur via", "MAR", ["A MAR - BUR"]),
    "A Mar - Kie": ("no_convoy_possible", "Kie", "MAR", ["A MAR - PIE"]),
    "A Mar S A Bur - Bel": ("cannot_support_there", "Bel", "MAR", []),
    "A Bur S A Mar - Bel": ("supported_cannot", "Bel", "BUR", []),
    "A Mar S A Gas": ("nothing_to_support", "Gas", "MAR", []),
    "A Bur S A Bur": ("supports_itself", "Bur", "BUR", []),
    "A Bur C A Mar - Bel": ("not_a_fleet", "Bur", "BUR", []),
    "F Mao C A Gas - Por": ("nothing_to_convoy", "Gas", "MAO", []),
    "A Bur D": ("wrong_phase", "A Bur D", "BUR", []),
    "A Bur R Par": ("wrong_phase", "A Bur R Par", "BUR", []),
    "Build A Par": ("wrong_phase", "Build A Par", None, []),
    "Waive": ("wrong_phase", "Waive", None, []),
    "F Mao - Liv": ("none_fits", "Liv", "MAO", []),
    "A Bur - Xyz": ("no_province", "Xyz", "BUR", []),
}


@pytest.mark.parametrize(("line", "answer"), ILLEGAL.items(), ids=list(ILLEGAL))
def test_what_may_not_be_ordered_is_said_and_mended(
    line: str, answer: tuple[str, str, str | None, list[str]]
) -> None:
    (problem,) = untaken(read(FALL, line))
    kind, marked, key, meant = answer
    assert problem.kind == kind
    assert problem.written[problem.start : problem.end] == marked
    assert problem.key == key
    assert all(each in proposals(problem) for each in meant)
    if not meant:
        assert proposals(problem) == []


def test_only_what_the_phase_can_take_is_said_to_be_expected() -> None:
    (problem,) = untaken(read(FALL, "A Bur"))
    assert problem.kind == "unfinished"
    assert problem.values.expected == ("move", "hold", "support", "convoy")
    (problem,) = untaken(read(RETREATS, "A Bur"))
    assert problem.values.expected == ("retreat", "disband")


def test_a_short_name_is_taken_where_one_reading_fits_and_the_player_is_told() -> None:
    where = position("S1902M", {"RUSSIA": "A MOS"})
    found = read(where, "A Mos - Liv", RUSSIA)
    assert taken(found) == ["A MOS - LVN"]
    assert notes(found) == ["name_taken"]


def test_a_short_name_of_which_two_readings_fit_is_asked() -> None:
    where = position("S1902M", {"ENGLAND": "F EDI"})
    (problem,) = untaken(read(where, "F Edi - NS", PowerId("ENGLAND")))
    assert problem.kind == "ambiguous"
    assert proposals(problem) == ["F EDI - NTH", "F EDI - NWG"]
    assert problem.written[problem.start : problem.end] == "NS"


def test_the_only_coast_is_filled_in_and_said() -> None:
    where = position("S1902M", {"FRANCE": "F GAS, F LYO"})
    found = read(where, "F Gas - Spa\nF Lyo - Spa/sc")
    assert taken(found) == ["F GAS - SPA/NC", "F LYO - SPA/SC"]
    assert notes(found) == ["coast_filled"]


def test_a_wrong_kind_and_a_wrong_power_are_read_through_and_said() -> None:
    found = read(FALL, "F Bur S Italian A Mun H")
    assert taken(found) == ["A BUR S A MUN"]
    assert notes(found) == ["kind_corrected", "power_corrected"]


def test_the_last_order_that_could_be_read_counts_for_a_unit() -> None:
    found = read(FALL, "A Bur - Bel\nA Bur - Gas\nA Bur - Xyz")
    assert taken(found) == ["A BUR - GAS"]
    assert notes(found) == ["replaced"]
    assert len(untaken(found)) == 1


def test_the_same_order_twice_needs_no_note() -> None:
    found = read(FALL, "A Bur - Bel\nBur > Belgium")
    assert taken(found) == ["A BUR - BEL"]
    assert notes(found) == []


def test_supports_and_convoys_that_match_no_own_order_are_warned_of() -> None:
    where = position("S1902M", {"ENGLAND": "A YOR, F LON, F NTH, A WAL"})
    letter = "A Yor - Nwy\nF Lon S A Yor\nF Nth C A Yor - Den\nA Wal S F Lon - Eng"
    found = read(where, letter, PowerId("ENGLAND"))
    assert notes(found) == ["no_fleets", "supported_elsewhere", "army_elsewhere"]
    assert len(untaken(found)) == 1  # an army does not support into the sea


def test_a_convoy_that_is_ordered_whole_needs_no_warning() -> None:
    where = position("S1902M", {"ENGLAND": "A YOR, F NTH"})
    found = read(where, "A Yor - Nwy\nF Nth C A Yor - Nwy", PowerId("ENGLAND"))
    assert notes(found) == []


def test_an_attack_on_an_own_unit_that_stays_is_warned_of() -> None:
    found = read(FALL, "A Mar - Bur\nA Bur H")
    assert notes(found) == ["dislodges_own"]


# The sheet that stands before the letter, what the letter says, and the notes of the answer.
STORED = {
    "the supported unit is ordered elsewhere": (
        "A MAR - GAS; F MAO - POR",
        "A Bur S A Mar",
        ["supported_elsewhere"],
    ),
    "the supported unit is ordered as it should": ("A MAR H", "A Bur S A Mar", []),
    "the supported unit has no order and so holds": ("", "A Bur S A Mar", []),
    "the supported move was never ordered": ("", "A Bur S A Mar - Gas", ["supported_elsewhere"]),
    "the supported move is stored": ("A MAR - GAS", "A Bur S A Mar - Gas", []),
    "the letter takes a stored support its sense": (
        "A BUR S A MAR - GAS; A MAR - GAS",
        "A Mar - Spa",
        ["supported_elsewhere"],
    ),
    "the letter replaces the stored support too": (
        "A BUR S A MAR - GAS; A MAR - GAS",
        "A Mar - Spa; A Bur H",
        [],
    ),
    "a stored support that was senseless before is not spoken of again": (
        "A BUR S A MAR - GAS",
        "F Mao - Por",
        [],
    ),
}


@pytest.mark.parametrize("name", STORED)
def test_warnings_look_at_the_stored_orders_with_those_of_the_letter(name: str) -> None:
    order_set, letter, expected = STORED[name]
    assert notes(read_orders(_desk_with(FALL, order_set, FRANCE), letter.split("; "))) == expected


SEA = {
    # the sheet, the letter, the notes; the army is at YOR, fleets at NTH and NWG
    "no fleet is ordered": ("", "A Yor - Nwy", ["no_fleets"]),
    "the fleet is stored": ("F NTH C A YOR - NWY", "A Yor - Nwy", []),
    "the army is stored": ("A YOR - NWY", "F Nth C A Yor - Nwy", []),
    "the army has no order": ("", "F Nth C A Yor - Nwy", ["army_elsewhere"]),
    "the letter takes the fleet away": (
        "A YOR - NWY; F NTH C A YOR - NWY",
        "F Nth - Den",
        ["no_fleets"],
    ),
    "half of the way is convoyed": ("", "A Yor - StP; F Nth C A Yor - StP", ["no_fleets"]),
}


def _desk_with(where: Position, order_set: str, power: PowerId) -> OrderContext:
    context = OrderContext(STANDARD, RULES, where, power)
    found = read_orders(context, order_set.split("; ") if order_set else [])
    return replace(context, stored=tuple(each.order for each in found if isinstance(each, Taken)))


@pytest.mark.parametrize("name", SEA)
def test_a_convoy_is_looked_for_among_stored_orders_and_the_letters(name: str) -> None:
    england = PowerId("ENGLAND")
    where = position("S1902M", {"ENGLAND": "A YOR, F NTH, F BAR, F NWG"})
    order_set, letter, expected = SEA[name]
    found = read_orders(_desk_with(where, order_set, england), letter.split("; "))
    assert notes(found) == expected


BUR = Dislodged(
    parse_unit(FRANCE, "A BUR"),
    ProvinceId("MUN"),
    retreats=(parse_location("GAS"), parse_location("PAR")),
)
RETREATS = position("F1901R", {"FRANCE": "A MAR", "GERMANY": "A BUR"}, dislodged=(BUR,))


@pytest.mark.parametrize("line", ["A Bur R Par", "Bur - Par", "A Bur retreats to Paris", "Par"])
def test_a_retreat_is_read_as_people_write_it(line: str) -> None:
    assert taken(read(RETREATS, line)) == ["A BUR R PAR"]


@pytest.mark.parametrize("line", ["A Bur D", "Disband A Bur", "remove Bur"])
def test_a_dislodged_unit_may_be_disbanded(line: str) -> None:
    assert taken(read(RETREATS, line)) == ["A BUR D"]


def test_a_retreat_elsewhere_is_answered_with_the_retreats_there_are() -> None:
    for line in ("A Bur R Bel", "A Bur retreats"):
        (problem,) = untaken(read(RETREATS, line))
        assert proposals(problem)[:2] == ["A BUR R GAS", "A BUR R PAR"]
        assert problem.key == "BUR"


def test_a_unit_that_need_not_retreat_is_no_unit_of_the_phase() -> None:
    (problem,) = untaken(read(RETREATS, "A Mar - Spa"))
    assert problem.kind == "no_unit"


BUILDS = position(
    "W1901A",
    {"FRANCE": "A SPA, F POR, A MAR"},
    owners={**OWNERS, "SPA": "FRANCE", "POR": "FRANCE"},
)


def test_builds_are_read_and_those_beyond_what_is_due_are_not() -> None:
    found = read(BUILDS, "Build A Par\nF Bre B\nwaive 3")
    assert taken(found) == ["A PAR B", "F BRE B"]
    (problem,) = untaken(found)
    assert (problem.kind, problem.values.count) == ("no_build_due", 2)


def test_waives_count_one_by_one() -> None:
    assert taken(read(BUILDS, "waive 2")) == ["WAIVE", "WAIVE"]


def test_a_build_without_its_kind_is_asked() -> None:
    (problem,) = untaken(read(BUILDS, "Build Bre"))
    assert problem.kind == "kind_needed"
    assert proposals(problem) == ["A BRE B", "F BRE B"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Build A Mar", "occupied"),
        ("Build A Spa", "not_a_home_center"),
        ("Build F Par", "cannot_stand"),
        ("Remove A Spa", "no_disband_due"),
        ("A Spa - Gas", "wrong_phase"),
    ],
)
def test_builds_that_cannot_be_are_said(line: str, kind: str) -> None:
    (problem,) = untaken(read(BUILDS, line))
    assert problem.kind == kind


def test_where_to_build_instead_is_said() -> None:
    (problem,) = untaken(read(BUILDS, "Build A Spa"))
    assert [str(place) for place in problem.values.places] == ["BRE", "PAR"]


def test_a_unit_alone_is_asked_about_in_adjustments() -> None:
    (problem,) = untaken(read(BUILDS, "A Par"))
    assert proposals(problem) == ["A PAR B"]


def test_a_fleet_built_where_there_are_two_coasts_is_asked_for_one() -> None:
    where = position("W1901A", {"RUSSIA": "A MOS"}, owners={"STP": "RUSSIA", "MOS": "RUSSIA"})
    (problem,) = untaken(read(where, "Build F StP", RUSSIA))
    assert problem.kind == "coast_needed"
    assert proposals(problem) == ["F STP/NC B", "F STP/SC B"]


def test_removals_beyond_what_is_due_are_not_taken() -> None:
    where = position("W1901A", {"FRANCE": "A PAR, A BUR"}, owners={"PAR": "FRANCE"})
    found = read(where, "Remove A Par, A Bur")
    assert taken(found) == ["A PAR D"]
    assert untaken(found)[0].kind == "no_disband_due"


def test_after_twenty_faults_the_others_are_only_named() -> None:
    letter = "\n".join(f"A Bur - Xyz{number}" for number in range(SUGGESTED_FAULTS + 5))
    kinds = [problem.kind for problem in untaken(read(FALL, letter))]
    assert kinds == ["no_province"] * SUGGESTED_FAULTS + ["not_read"] * 5


def test_good_lines_after_many_faults_are_still_taken() -> None:
    letter = "A Bur - Xyz\n" * (SUGGESTED_FAULTS + 5) + "A Bur - Bel"
    assert taken(read(FALL, letter)) == ["A BUR - BEL"]


@pytest.mark.parametrize(
    ("sentence", "is_talk"),
    [
        ("Paris really wants Burgundy", True),
        ("파리는 버건디로 가려고 합니다.", True),
        ("버건디로 가고 싶어요", True),
        ("파리는 버건디로 가지 않습니다.", False),  # it says not
        ("Paris really wants Picardy", False),  # no order of the letter names it
        ("A Par - Brgundyy", False),  # written like an order
    ],
)
def test_a_sentence_that_only_tells_of_the_orders_is_talk(sentence: str, is_talk: bool) -> None:
    table = position("S1901M", {"FRANCE": "A PAR, A MAR"})
    context = OrderContext(STANDARD, RULES, table, FRANCE)
    *_, last = read_orders(context, ["A PAR - BUR", sentence])
    assert isinstance(last, Said if is_talk else Untaken), last
