"""Lines for later phases, without a position and with the one that has come."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.diplomacy.advance_orders import Later, advance_context, read_lines
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.orders import PowerId
from judge.diplomacy.retreat_preferences import LINE_LONGEST
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import load_variant
from judge.render.catalogue import catalogue, languages
from judge.render.diplomacy import RENDERER
from judge.rulebook import Line, Reading, SeatId

START = RULEBOOK.start("standard", {})
FRANCE = SeatId("FRANCE")
PLAYERS_PAGE = Path(__file__).parent.parent.parent / "docs" / "players.md"
WAY_OUT = "IF DISLODGED A PAR R GAS, PIC, DISBAND"


def later(label: str, *lines: str, state: DiplomacyGame = START) -> Reading:
    return state.read(FRANCE, lines, label=label)


def texts(reading: Reading) -> list[str]:
    assert reading.problems == ()
    return [one.line.text for one in reading.understood]


def kinds(reading: Reading) -> list[str]:
    return [problem.kind for problem in reading.problems]


def test_a_unit_without_its_kind_gets_it_where_only_one_can_do_it() -> None:
    assert texts(later("F1901M", "Bur - Bel", "Mao - Por", "Gas - Par")) == [
        "A BUR - BEL", "F MAO - POR", "A GAS - PAR",
    ]  # fmt: skip


def test_a_unit_of_either_kind_is_stored_as_it_was_written() -> None:
    assert texts(later("F1901M", "Mar - Pie", "Pic S Bel")) == ["MAR - PIE", "PIC S BEL"]
    assert texts(later("W1901A", "Remove Bre")) == ["BRE D"]


def test_convoys_are_stored_whoever_may_stand_at_sea_by_then() -> None:
    lines = ("A Lon - Nwy", "F NTH C A LON - NWY", "A Bre - Gas VIA")
    assert texts(later("F1901M", *lines)) == [
        "A LON - NWY", "F NTH C A LON - NWY", "A BRE - GAS VIA",
    ]  # fmt: skip


def test_a_supported_unit_may_be_of_any_power() -> None:
    assert texts(later("F1901M", "A Mar S A Bur", "A Gas S German A Bur - Par")) == [
        "A MAR S A BUR", "A GAS S A BUR - PAR",
    ]  # fmt: skip


def test_trains_and_passages_are_orders_for_later_phases_too() -> None:
    variant = load_variant("colonial")
    contexts = [
        advance_context(variant, Rules(), parse_phase("1872M"), PowerId(power))
        for power in ("RUSSIA", "FRANCE", "BRITAIN")
    ]
    lines = ("A MOS-TSR-IRK", "SC British F MED - RED", "F RED - MED")
    found = [
        read.text if isinstance(read, Later) else read.kind  # type: ignore[union-attr]
        for context in contexts
        for read in read_lines(context, lines, None, None)
    ]
    assert found == [
        "A MOS - TSR - IRK", "SC BRITAIN F MED - RED", "F RED - MED",
        "not_its_railway", "SC BRITAIN F MED - RED", "F RED - MED",
        "not_its_railway", "SC BRITAIN F MED - RED", "F RED - MED",
    ]  # fmt: skip


def test_every_stored_line_reads_to_itself_again() -> None:
    for label, lines in {
        "F1901M": ("Bur - Bel", "Mar - Spa", "A Gas S A Bur - Par", "F NTH C A LON - NWY"),
        "F1901R": ("A Bur R Par, Gas, D", "Mao - Por", "F SPA/NC R POR", "Bre D"),
        "W1901A": ("Build F Bre", "Remove A Ruh", "waive"),
    }.items():
        first = texts(later(label, *lines))
        assert texts(later(label, *first)) == first


def test_ways_out_in_a_line_are_those_of_each_unit() -> None:
    assert texts(later("F1901R", "A Bur R Par, Gas; A Mar R Spa", "A PIC R BRE, A GAS D")) == [
        "IF DISLODGED A BUR R PAR, GAS",
        "IF DISLODGED A MAR R SPA",
        "IF DISLODGED A PIC R BRE",
        "IF DISLODGED A GAS DISBAND",
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("IF DISLODGED A BUR R PRA", "no_province"),
        ("IF DISLODGED A BUR", "unfinished"),
        ("IF DISLODGED A BUR S A PAR", "not_expected"),
        ("IF DISLODGED A BUR R LON", "retreat_too_far"),
        ("IF DISLODGED F MAO R SPA", "coast_needed"),
        ("IF DISLODGED A NTH R LON", "cannot_stand"),
        ("IF DISLODGED GERMAN A MUN R TYR", "wrong_power"),
        ("IF DISLODGED A BUR not R PAR", "not_expected"),
    ],
)
def test_ways_out_that_can_never_be_are_asked_about(line: str, kind: str) -> None:
    assert kinds(later("F1901R", line)) == [kind]


@pytest.mark.parametrize(
    "line",
    ["I was dislodged, sorry", "If I get dislodged from Bur I will be so angry at you", "thank you",
     "if dislodged", "x" * (LINE_LONGEST + 1) + " if dislodged A BUR R PAR"],
)  # fmt: skip
def test_talk_of_dislodged_units_is_talk(line: str) -> None:
    reading = later("F1901R", line)
    assert (reading.understood, reading.problems) == ((), ())
    assert len(reading.prose) == 1


def test_talk_in_a_running_retreat_phase_is_shown_too() -> None:
    state = DiplomacyGame(replace(START.stored, label="F1901R"))
    reading = state.read(FRANCE, ["If I get dislodged I will be angry"])
    assert [each.text for each in reading.prose] == ["If I get dislodged I will be angry"]


def test_hostile_lines_are_read_in_no_time() -> None:
    for line in ("if " * 5000, "if dislodged " * 400, "A BUR R " + "PAR, " * 3000, "만약 " * 90):
        assert isinstance(later("F1901R", line), Reading)
        assert isinstance(START.read(FRANCE, [line]), Reading)


def test_the_ways_out_on_the_players_page_are_read() -> None:
    page = PLAYERS_PAGE.read_text(encoding="utf-8").partition("**If dislodged.**")[2]
    table = page.partition("**Preferences")[0]
    written = re.findall(r"`([^`]+)`", table)
    assert len(written) == 8
    for line in written:
        assert texts(START.read(FRANCE, [line])) == [WAY_OUT], line


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "text", [WAY_OUT, "IF DISLODGED A PAR R GAS", "IF DISLODGED F BRE R MAO, DISBAND",
             "IF DISLODGED A PAR DISBAND"],
)  # fmt: skip
def test_ways_out_in_the_judges_letters_are_read_back(text: str, language: str) -> None:
    (row,) = RENDERER.words("standard", catalogue(language)).rows([Line("PAR", text)])
    reading = START.read(FRANCE, [row.text])
    assert texts(reading) == [text]
    assert [one.label for one in reading.understood] == ["S1901R"]


def test_a_game_that_is_over_has_no_later_phase() -> None:
    over = DiplomacyGame(replace(START.stored, winners=(PowerId("FRANCE"),)))
    assert over.coming == ()


def opened(label: str, lines: Sequence[str]) -> Reading:
    order_set = tuple(Line(str(at), line, f"written {at}") for at, line in enumerate(lines))
    return DiplomacyGame(replace(START.stored, label=label)).open_advance(FRANCE, order_set)


def test_opened_lines_keep_what_the_player_wrote() -> None:
    reading = opened("S1901M", ["BRE - MAO", "A SPA H", "A MAR - SPA"])
    told = [(one.line.text, one.line.written) for one in reading.understood]
    assert told == [("F BRE - MAO", "written 0"), ("A MAR - SPA", "written 2")]
    assert kinds(reading) == ["no_unit"]


def test_nothing_opens_for_a_seat_that_is_not_asked() -> None:
    assert opened("W1901A", ["A PAR B", "A PAR D"]) == Reading()
