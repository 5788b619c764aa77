"""The words of Diplomacy: every kind of problem, note, reason and task says something whole."""

import pytest

from judge.diplomacy import outcomes as o
from judge.diplomacy.board import parse_location
from judge.diplomacy.notation import format_order, parse_canonical
from judge.diplomacy.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    PowerId,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import Adjustment, NoteKind, NoteValues, OwnReport, ReadingKind
from judge.render.catalogue import catalogue, languages
from judge.render.diplomacy import RENDERER
from judge.render.diplomacy.names import names_of
from judge.render.diplomacy.reasons import brief_reason, failure
from judge.render.diplomacy.results import headline
from judge.render.layout import as_letter, as_text, display_width
from judge.rulebook import Line, Note, SeatId
from tests.render import samples as s

EN = catalogue("en")
NAMES = names_of("standard", "en")
FRANCE = SeatId("FRANCE")


def place(text: str) -> Location:
    return parse_location(text)


def france(text: str) -> Unit:
    return s.unit("FRANCE", text)


def germany(text: str) -> Unit:
    return s.unit("GERMANY", text)


BUR_BEL = Move(france("A BUR"), place("BEL"))
MUN_BUR = Move(germany("A MUN"), place("BUR"))


# --- orders ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("A PAR H", "Army Paris holds."),
        ("F BRE - MAO", "Fleet Brest moves to the Mid-Atlantic Ocean."),
        ("F MAO - SPA/NC", "Fleet Mid-Atlantic Ocean moves to Spain (north coast)."),
        ("A LON - NWY VIA", "Army London moves to Norway by convoy."),
        ("A MAR S A PAR - BUR", "Army Marseilles supports Paris to Burgundy."),
        ("A MAR S A PAR", "Army Marseilles supports Paris to hold."),
        ("F NTH C A LON - NWY", "Fleet North Sea convoys London to Norway."),
        ("A BUR R PAR", "Army Burgundy retreats to Paris."),
        ("A BUR D", "Army Burgundy is disbanded."),
        ("F STP/NC B", "Fleet St Petersburg (north coast) is built."),
        ("WAIVE", "1 build is waived."),
    ],
)
def test_stored_line_is_shown_as_it_is_and_in_words(text: str, meaning: str) -> None:
    (row,) = RENDERER.words("standard", EN).rows([Line("X", text)])
    assert (row.text, row.meaning) == (text, meaning)


def test_line_of_another_notation_is_shown_without_words() -> None:
    (row,) = RENDERER.words("standard", EN).rows([Line("X", "XIANG 2-5", kept=True)])
    assert (row.text, row.meaning, row.kept) == ("XIANG 2-5", "", True)


@pytest.mark.parametrize(
    "order",
    [
        Hold(france("A PAR")),
        Move(france("F MAO"), place("SPA/SC")),
        Move(france("A BRE"), place("LON"), via_convoy=True),
        SupportHold(france("A PAR"), germany("A BUR")),
        SupportMove(france("A PAR"), germany("A MUN"), place("BUR")),
        Convoy(france("F ENG"), france("A BRE"), place("LON")),
        Retreat(france("A BUR"), place("PAR")),
        Disband(france("F SPA/SC")),
        Build(france("F BRE")),
        Waive(PowerId("FRANCE")),
    ],
)
def test_canonical_lines_read_back_to_the_same_text(order: Order) -> None:
    text = format_order(order)
    written = parse_canonical(text)
    assert written is not None
    assert format_order(written) == text
    assert format_order(written) == text


# --- problems and notes ---------------------------------------------------------------------------


FULL = {
    "word": "Xyz",
    "expected": ("place", "hold"),
    "nearest": (place("PAR").province, place("PIC").province),
    "unit": france("A PAR"),
    "power": PowerId("FRANCE"),
    "other": germany("A MUN"),
    "places": (place("SPA/NC"), place("SPA/SC")),
    "label": "S1901M",
    "count": 2,
}


@pytest.mark.parametrize("kind", [*ReadingKind, *o.VoidReason])
@pytest.mark.parametrize("values", [FULL, {}], ids=["full", "bare"])
def test_every_problem_has_a_whole_sentence(kind: str, values: dict[str, object]) -> None:
    told = RENDERER.words("standard", EN).problem(
        s.view().to_raw(), s.problem("A Xyz H", "Xyz", kind, **values)
    )
    assert told.sentence[0].isupper() or told.sentence[0] == '"'
    assert told.sentence.endswith(".")
    assert "{" not in told.sentence
    if values:
        assert " ." not in told.sentence
        assert ": ." not in told.sentence


def test_a_unit_of_ones_own_is_called_ones_own() -> None:
    problem = s.problem("A Bre H", "A", "wrong_kind", other=france("F BRE"))
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert told.sentence == "The unit there is of the other kind: your fleet in Brest."


def test_unknown_name_points_to_the_own_unit_that_was_meant() -> None:
    problem = s.problem("A Mra - Pie", "Mra", "no_province", word="Mra", nearest=("MAR",))
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert told.sentence == ('There is no province "Mra". You have an army in Marseilles (MAR).')


def test_unknown_name_lists_what_is_near() -> None:
    problem = s.problem("A Par - Nrw", "Nrw", "no_province", word="Nrw", nearest=("NWG", "NWY"))
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert told.sentence.endswith("Near to it: Norwegian Sea (NWG) or Norway (NWY).")


@pytest.mark.parametrize("nearest", [(), ("LAP", "VEN")])
def test_a_word_that_the_proposal_does_not_need_is_no_province(nearest: tuple[str, ...]) -> None:
    problem = s.problem(
        "lads in Par to Bur", "lads", "no_province", "A PAR - BUR", word="lads", nearest=nearest
    )
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert told.sentence == '"lads" was not understood as part of an order.'
    alone = s.problem("lads to Bur", "lads", "no_province", word="lads")
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), alone)
    assert told.sentence == 'There is no province "lads".'


@pytest.mark.parametrize(
    ("kind", "label", "rows"),
    [
        ("not_adjacent", "It can go:", [("A PAR - BUR", "Burgundy"), ("A PAR - PIC", "Picardy")]),
        ("unfinished", "Write it like this:", [("A PAR - BUR", ""), ("A PAR - PIC", "")]),
    ],
)
def test_lines_that_a_unit_could_be_given_stand_below_the_sentence(
    kind: str, label: str, rows: list[tuple[str, str]]
) -> None:
    problem = s.problem("A Par - Lon", "Lon", kind, lines=("A PAR - BUR", "A PAR - PIC"))
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert (told.label, [(row.text, row.meaning) for row in told.send]) == (label, rows)
    assert "A PAR - BUR" not in told.sentence


def test_a_name_in_whose_place_a_proposal_stands_is_told_with_it() -> None:
    problem = s.problem(
        "A Mra - Pie", "Mra", "no_province", "A MAR - PIE", word="Mra", nearest=("MAR",)
    )
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert told.sentence.startswith('There is no province "Mra".')


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("retreat_too_far", "in one step"),
        ("retreat_occupied", "a unit stands there"),
        ("retreat_contested", "a standoff left it empty"),
        ("retreat_to_attacker", "its attacker came from there"),
    ],
)
def test_a_letter_says_why_a_retreat_is_closed(kind: str, why: str) -> None:
    problem = s.problem("A Bur R Pic", "Pic", kind, places=(parse_location("GAS"),))
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert why in told.sentence
    assert told.sentence.endswith("It can go to: Gascony.")
    alone = s.problem("A Bur R Pic", "Pic", kind)
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), alone)
    assert why in told.sentence
    assert told.sentence.endswith("It can only be disbanded.")


def test_a_line_of_which_nothing_fits_is_not_said_twice() -> None:
    line = "Paris lads to Burgundy"
    problem = s.problem(line, line, "not_expected", "A PAR - BUR", word=line)
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert told.sentence == "The words do not say which unit does what."


def test_several_proposals_show_what_tells_them_apart() -> None:
    lines = ("A WAL - LVP", "A WAL - LVN")
    problem = s.problem("A Wal - Liv", "Liv", "ambiguous", *lines, word="Liv")
    told = RENDERER.words("standard", EN).problem(s.view().to_raw(), problem)
    assert [(row.text, row.meaning) for row in told.send] == [
        ("A WAL - LVP", "Liverpool"),
        ("A WAL - LVN", "Livonia"),
    ]


@pytest.mark.parametrize("kind", NoteKind)
def test_every_note_has_a_whole_sentence(kind: NoteKind) -> None:
    for order in (None, Hold(france("A PAR"))):
        values = NoteValues("Liv", place("LVP"), france("A PAR"), order)
        told = RENDERER.words("standard", EN).note(Note(kind, values.to_raw()))
        assert told.endswith(".")
        assert "{" not in told


# --- reasons --------------------------------------------------------------------------------------


def result(order: Order, *outcomes: o.Outcome) -> o.Result:
    return o.Result(order.unit.power, order, outcomes, order.unit)


BOUNCES = [
    (
        o.Bounced(o.BounceKind.STANDOFF, MUN_BUR, 1, 1),
        "standoff with A MUN - BUR, 1 against 1",
    ),
    (
        o.Bounced(o.BounceKind.STANDOFF, MUN_BUR, 1, 2, (), (germany("A RUH"),)),
        "A MUN - BUR was stronger, 1 against 2 (A RUH supported it)",
    ),
    (
        o.Bounced(o.BounceKind.HEAD_TO_HEAD, MUN_BUR, 1, 1),
        "A MUN - BUR came the other way, and two units cannot change places without a convoy "
        "(rule 6)",
    ),
    (
        o.Bounced(o.BounceKind.HEAD_TO_HEAD, MUN_BUR, 1, 2, (), (germany("A RUH"),)),
        "A MUN - BUR came the other way, 1 against 2 (A RUH supported it)",
    ),
    (
        o.Bounced(o.BounceKind.HELD, Hold(germany("A BEL")), 2, 2, (france("A PIC"),), ()),
        "Belgium held, 2 against 2 (A PIC supported the attack)",
    ),
    (
        o.Bounced(
            o.BounceKind.HELD,
            Hold(germany("A BEL")),
            2,
            2,
            (france("A PIC"),),
            (germany("A RUH"),),
        ),
        "Belgium held, 2 against 2 (A PIC supported the attack, A RUH the other side)",
    ),
    (
        o.Bounced(o.BounceKind.OWN_UNIT, Hold(france("A BEL")), 0, 1),
        "A BEL of the same power stayed there",
    ),
    (
        o.Bounced(
            o.BounceKind.HELD, SupportMove(germany("A BEL"), germany("A MUN"), place("BUR")), 1, 1
        ),
        "Belgium held, 1 against 1; the support by A BEL was not cut, because it was for the "
        "attack on Burgundy itself",
    ),
]


@pytest.mark.parametrize(("bounced", "reason"), BOUNCES)
def test_a_bounce_names_units_and_strengths(bounced: o.Bounced, reason: str) -> None:
    assert plain(failure(result(BUR_BEL, bounced), NAMES)) == reason


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (o.Cut(MUN_BUR), "cut by A MUN - BUR"),
        (o.DislodgedBy(MUN_BUR, 2, 1), "dislodged by A MUN - BUR, 2 against 1"),
        (o.NoConvoy(), "no convoy: the fleets that were ordered make no route"),
        (o.NoConvoy(is_ordered=False), "no convoy: no fleet was ordered to convoy it"),
        (
            o.Disrupted(o.DisruptionKind.DISLODGED, (france("F ENG"),), (MUN_BUR,)),
            "the convoy broke: F ENG was dislodged by A MUN - BUR",
        ),
        (
            o.Disrupted(o.DisruptionKind.PARADOX, (france("F ENG"),)),
            "the convoy by F ENG failed, because its own attack would have decided whether it "
            "succeeds",
        ),
        (
            o.RetreatClash((Retreat(germany("A MUN"), place("TYR")),)),
            "A MUN R TYR went there too, so all of them are disbanded",
        ),
        (
            o.Void(o.VoidReason.SUPPORTED_STAYS, False, germany("A MUN")),
            "no effect: A MUN was not ordered to move",
        ),
        (
            o.Void(o.VoidReason.SUPPORTED_MOVES, False, germany("A MUN"), MUN_BUR),
            "no effect: A MUN did not hold, it was ordered A MUN - BUR",
        ),
    ],
)
def test_every_outcome_has_its_reason(outcome: o.Outcome, reason: str) -> None:
    assert plain(failure(result(BUR_BEL, outcome), NAMES)) == reason


@pytest.mark.parametrize(
    ("unit", "in_standoff", "reason"),
    [
        (france("A BEL"), False, "a unit of its own power"),
        (france("A BEL"), True, "a unit of its own power, but counts in the standoff"),
        (germany("A BEL"), False, "a unit of the mover's power"),
        (germany("A BEL"), True, "a unit of the mover's power, but counts in the standoff"),
    ],
    ids=["4 own", "4 own, standoff", "5 mover's", "5 mover's, standoff"],
)
def test_a_support_that_dislodges_nobody_says_whose_unit_it_is(
    unit: Unit, in_standoff: bool, reason: str
) -> None:
    support = SupportMove(france("A PIC"), germany("A RUH"), place("BEL"))
    told = failure(result(support, o.WithoutEffect(unit, in_standoff)), NAMES)
    assert plain(told) == f"does not help to dislodge A BEL, {reason}"


def test_the_table_says_11_that_two_units_cannot_change_places() -> None:
    bounced = o.Bounced(o.BounceKind.HEAD_TO_HEAD, MUN_BUR, 1, 1)
    told = brief_reason(result(BUR_BEL, bounced), NAMES)
    assert plain(told) == "two units cannot change places without a convoy (rule 6)"


@pytest.mark.parametrize("reason", o.VoidReason)
def test_every_void_order_is_explained(reason: o.VoidReason) -> None:
    void = o.Void(reason, True, germany("A MUN"), MUN_BUR)
    assert "{" not in failure(result(BUR_BEL, void), NAMES) != ""


@pytest.mark.parametrize("reason", o.DisbandReason)
def test_every_disbanded_unit_is_explained(reason: o.DisbandReason) -> None:
    assert failure(result(BUR_BEL, o.Disbanded(reason)), NAMES).startswith("disbanded")


def test_the_table_names_the_stronger_side_briefly() -> None:
    bounced = o.Bounced(o.BounceKind.STANDOFF, MUN_BUR, 1, 2, (), (germany("A RUH"),))
    assert plain(brief_reason(result(BUR_BEL, bounced), NAMES)) == "1 against 2, A MUN with A RUH"


# --- tasks and what happens without ---------------------------------------------------------------


def test_movement_task_shows_units_and_two_examples_but_no_form() -> None:
    task = RENDERER.words("standard", EN).task(s.view().to_raw(), FRANCE)
    assert task is not None
    assert "A MAR - BUR or F BRE H" in task.sentence
    assert [row.text for row in task.rows] == ["A MAR", "A PAR", "F BRE"]


def test_builds_list_every_place_with_its_coasts() -> None:
    due = Adjustment(
        PowerId("RUSSIA"), builds=1, open=(place("MOS").province, place("STP").province)
    )
    view = s.view("W1901A", "RUSSIA", adjustments=(due,))
    task = RENDERER.words("standard", EN).task(view.to_raw(), SeatId("RUSSIA"))
    assert task is not None
    assert [row.text for row in task.rows] == [
        "A MOS B",
        "A STP B",
        "F STP/NC B",
        "F STP/SC B",
        "WAIVE",
    ]


def test_two_dislodged_units_are_both_asked_for() -> None:
    lost = (
        s.BURGUNDY,
        Dislodged(france("F ENG"), place("NTH").province, retreats=(place("MAO"),)),
    )
    view = s.view("S1902R", dislodged=lost).to_raw()
    task = RENDERER.words("standard", EN).task(view, FRANCE)
    assert task is not None
    assert [row.text for row in task.rows] == [
        "A BUR R GAS",
        "A BUR R PAR",
        "A BUR D",
        "F ENG R MAO",
        "F ENG D",
    ]
    without = RENDERER.words("standard", EN).if_no_more_orders_come(
        view, FRANCE, (s.line("A BUR R PAR"),)
    )
    assert without == "F ENG is disbanded."


@pytest.mark.parametrize("language", languages())
def test_a_lost_fleet_with_a_long_name_fits_the_first_line(language: str) -> None:
    fleet = Unit(PowerId("RUSSIA"), UnitKind.FLEET, place("STP/SC"))
    lost = Dislodged(fleet, place("FIN").province)
    own = OwnReport(powers=(PowerId("RUSSIA"),), ordered=0, dislodged=(lost,))
    told = headline(s.SPRING_1902, own, names_of("standard", language))
    assert display_width(told) < 60


def test_nobody_else_is_asked() -> None:
    view = s.view("S1902R", dislodged=(s.BURGUNDY,)).to_raw()
    assert RENDERER.words("standard", EN).task(view, SeatId("ITALY")) is None
    assert RENDERER.words("standard", EN).if_no_more_orders_come(view, SeatId("ITALY"), ()) == ""


def test_units_without_an_order_hold() -> None:
    view = s.view().to_raw()
    order_set = (s.line("A PAR - BUR"), s.line("F BRE - MAO"))
    told = RENDERER.words("standard", EN).if_no_more_orders_come(view, FRANCE, order_set)
    assert told == "A PAR - BUR and F BRE - MAO run, A MAR holds."
    assert (
        RENDERER.words("standard", EN).if_no_more_orders_come(view, FRANCE, ())
        == "all your units hold."
    )


def test_missing_builds_are_waived_and_missing_removals_chosen() -> None:
    owes = (Adjustment(PowerId("FRANCE"), builds=2), Adjustment(PowerId("ITALY"), disbands=1))
    view = s.view("W1901A", adjustments=owes).to_raw()
    assert (
        RENDERER.words("standard", EN).if_no_more_orders_come(view, FRANCE, ())
        == "2 builds are waived."
    )
    assert (
        RENDERER.words("standard", EN)
        .if_no_more_orders_come(view, SeatId("ITALY"), ())
        .startswith("1 unit is disbanded")
    )


# --- names and refusals ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("S1901M", "Spring 1901 movement"),
        ("F1901R", "Fall 1901 retreats"),
        ("W1901A", "Winter 1901 adjustments"),
        ("1870M", "1870 movement"),
        ("beyond", "beyond"),
    ],
)
def test_phases_have_names(label: str, name: str) -> None:
    assert RENDERER.words("standard", EN).phase_name(label) == name


def test_seats_have_names() -> None:
    assert RENDERER.words("standard", EN).seat_name(FRANCE) == "France"
    assert RENDERER.words("standard", EN).seat_name(SeatId("NOBODY")) == "NOBODY"


def test_a_seat_of_several_powers_is_named_by_all_of_them() -> None:
    seat = SeatId("ENGLAND_GERMANY_AUSTRIA")
    assert RENDERER.words("standard", EN).seat_name(seat) == "England, Germany and Austria"
    assert RENDERER.words("standard", EN).seat_brief(seat) == "England/Germany/Austria"
    chinese = RENDERER.words("standard", catalogue("zh_Hant"))
    assert chinese.seat_brief(SeatId("ENGLAND_FRANCE")) == "英國／法國"
    words = RENDERER.words("standard", EN)
    assert (words.power_count(seat), words.power_count(FRANCE)) == (3, 1)
    assert RENDERER.words("standard", EN).seat_name(SeatId("FRANCE_NOBODY")) == "FRANCE_NOBODY"


def test_position_lists_units_and_centers_of_all() -> None:
    told = as_letter(RENDERER.words("standard", EN).position(s.view().to_raw()))
    assert "  Russia: A MOS, A WAR, F SEV, F STP/SC" in told
    assert "  Nobody: BEL, BUL" in told


def test_a_chart_of_many_years_is_cut_for_a_phone() -> None:
    years = ((f"S{year}M", {FRANCE: year % 19}) for year in range(1901, 1940))
    chart = as_text(RENDERER.words("standard", EN).score_table(tuple(years)))
    assert max(map(len, chart.splitlines())) <= 60
    figures = [line.split()[:-1] for line in chart.splitlines() if line.endswith("France")]
    assert len(figures) == 3
    assert [one for row in figures for one in row] == [str(year % 19) for year in range(1901, 1940)]


def test_a_chart_of_turns_of_two_years_names_each_turn() -> None:
    history = (("1870M", {FRANCE: 3}), ("1870A", {FRANCE: 4}), ("1874M", {FRANCE: 6}))
    chart = as_text(RENDERER.words("standard", EN).score_table(history))
    assert chart.splitlines() == ["   68 70 72", "    3  4  6  France"]


def test_plain_japanese_words_stand_first_among_those_that_orders_take() -> None:
    shown = dict(RENDERER.order_vocabulary(catalogue("ja")))
    assert [shown[sign] for sign in "HSC"] == [
        "維持、待機、防御",
        "支援、援護、支持",
        "護送、輸送、移送",
    ]
