"""What a seat of a blind game sees of a position and of a phase."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from judge.diplomacy.board import parse_location
from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.orders import Move, PowerId, ProvinceId, Retreat, Ride, Unit, UnitKind
from judge.diplomacy.outcomes import (
    Bounced,
    BounceKind,
    Cut,
    DislodgedBy,
    Halted,
    Outcome,
    OutOfSight,
    Result,
    RetreatClash,
)
from judge.diplomacy.records import OwnReport, PhaseReport, View
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.variants.variant import load_variant
from judge.diplomacy.visibility import seen_from
from judge.render.catalogue import catalogue
from judge.render.diplomacy.names import names_of
from judge.render.diplomacy.reasons import brief_reason, outcome_words
from judge.rulebook import NO_JSON, RandomStream, ReportFrame, Resolution, SeatId, load_renderer

FRANCE, GERMANY, ENGLAND = SeatId("FRANCE"), SeatId("GERMANY"), SeatId("ENGLAND")
WORDS = load_renderer("diplomacy").words("standard", catalogue("en"))


def blind_game(
    units: Mapping[str, str], owners: Mapping[str, str] | None = None, label: str = "S1901M"
) -> DiplomacyGame:
    """A blind game with these units, `A PAR, F BRE` for a power, and owners of centers."""
    game = RULEBOOK.start("standard", {"blind": "yes"})
    standing = [
        Unit(PowerId(power), UnitKind(text[0]), parse_location(text[2:]))
        for power, texts in units.items()
        for text in texts.split(", ")
    ]
    owned = {ProvinceId(center): PowerId(power) for center, power in (owners or {}).items()}
    return DiplomacyGame(replace(game.stored, label=label, units=tuple(standing), owners=owned))


def run(game: DiplomacyGame, orders: Mapping[str, Sequence[str]]) -> Resolution:
    """The phase with these orders, read as the players' letters are."""
    sets = {}
    for power, lines in orders.items():
        reading = game.read(SeatId(power), lines)
        assert not reading.problems, reading.problems
        sets[SeatId(power)] = tuple(one.line for one in reading.understood)
    return game.resolve(sets, frozenset(), RandomStream(b"", 1))


def told(game: DiplomacyGame, ran: Resolution, seat: SeatId | None) -> PhaseReport:
    return PhaseReport.from_bytes(game.report_seen_by(seat, ran.reports[0]).public)


def own_rows(game: DiplomacyGame, ran: Resolution, seat: SeatId) -> dict[str, str]:
    seen = game.report_seen_by(seat, ran.reports[0])
    rows = WORDS.results(seen.public, seen.seats.get(seat, NO_JSON), seat).own
    return {row.text: row.meaning for row in rows}


def table(game: DiplomacyGame, ran: Resolution, seat: SeatId | None) -> str:
    seen = game.report_seen_by(seat, ran.reports[0])
    return str(WORDS.results(seen.public, NO_JSON, None).table)


# --- positions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "beside"),
    [
        ("PAR", "BRE PIC BUR GAS"),
        ("MAO", "NAO IRI ENG BRE GAS SPA POR WES NAF"),
        ("SPA", "POR GAS MAR MAO WES LYO"),  # by both of its coasts
        ("RUH", "BEL HOL KIE MUN BUR"),
    ],
)
def test_a_power_sees_what_an_army_or_a_fleet_could_reach(place: str, beside: str) -> None:
    seen = seen_from(load_variant("standard").board, [ProvinceId(place)])
    assert seen == {place, *beside.split()}


def test_a_view_holds_what_stands_beside_own_units_and_centers() -> None:
    game = blind_game(
        {"FRANCE": "A RUH", "GERMANY": "A KIE, A BER", "RUSSIA": "A PRU", "ENGLAND": "F ENG"},
        {"PAR": "FRANCE", "BRE": "FRANCE", "KIE": "GERMANY", "BER": "GERMANY"},
    )
    view = View.from_bytes(game.view(FRANCE))
    assert [str(one) for one in view.units] == ["A RUH", "A KIE", "F ENG"]
    assert view.owners == {"PAR": "FRANCE", "BRE": "FRANCE", "KIE": "GERMANY"}
    assert "BER" in view.unseen
    assert "KIE" not in view.unseen
    assert View.from_bytes(game.view(None)).units == ()
    assert len(View.from_bytes(game.revealed.view(None)).units) == 5


def test_a_game_that_is_not_blind_hides_nothing() -> None:
    game = RULEBOOK.start("standard", {})
    assert game.revealed is game
    assert game.known_to(None) is game
    assert View.from_bytes(game.view(None)).unseen == ()


# --- orders ---------------------------------------------------------------------------------------

SUPPORTS = {
    "there": {"FRANCE": "A BUR", "GERMANY": "A KIE", "ENGLAND": "F NTH"},
    "not there": {"FRANCE": "A BUR", "GERMANY": "A BER", "ENGLAND": "F NTH"},
    "a fleet": {"FRANCE": "A BUR", "GERMANY": "F KIE", "ENGLAND": "F NTH"},
    "another power's": {"FRANCE": "A BUR", "GERMANY": "A BER", "ENGLAND": "A KIE"},
}
LINES = ("A BUR S A KIE - MUN", "A BUR S KIE - RUH", "A BUR S GERMANY A KIE - MUN", "A BUR S KIE")


@pytest.mark.parametrize("line", LINES)
def test_the_answer_to_an_order_does_not_tell_what_is_out_of_sight(line: str) -> None:
    answers = {key: blind_game(units).read(FRANCE, [line]) for key, units in SUPPORTS.items()}
    assert len({msgspec.json.encode(one) for one in answers.values()}) == 1


@pytest.mark.parametrize("line", LINES[:3])
def test_the_result_of_a_support_does_not_tell_what_was_out_of_sight(line: str) -> None:
    results = set()
    for units in SUPPORTS.values():
        game = blind_game(units)
        results.add(str(own_rows(game, run(game, {"FRANCE": [line]}), FRANCE)))
    assert len(results) == 1
    assert "out of sight" in results.pop()


@pytest.mark.parametrize("fleets", ["F NTH", "F BAL"])
def test_a_convoy_by_fleets_out_of_sight_is_taken(fleets: str) -> None:
    game = blind_game({"FRANCE": "A BRE", "ENGLAND": fleets})
    reading = game.read(FRANCE, ["A BRE - NWY VIA"])
    assert reading.problems == ()
    assert own_rows(game, run(game, {"FRANCE": ["A BRE - NWY VIA"]}), FRANCE) == {
        "A BRE - NWY VIA": "failed: no convoy: the fleets that were ordered make no route"
    }


def test_a_support_that_nobody_saw_still_counts() -> None:
    game = blind_game({"FRANCE": "A BUR", "GERMANY": "A KIE", "ITALY": "A MUN"})
    orders = {"FRANCE": ["A BUR S KIE - MUN"], "GERMANY": ["A KIE - MUN"], "ITALY": ["A MUN H"]}
    ran = run(game, orders)
    assert [str(one.unit) for one in told(game, ran, SeatId("ITALY")).dislodged] == ["A MUN"]


def test_press_that_reads_as_orders_is_told_without_what_stands_there() -> None:
    blind, usual = RULEBOOK.start("standard", {"blind": "yes"}), RULEBOOK.start("standard", {})
    assert [one.text for one in usual.orders_written_in(["TRI - ALB"])] == ["F TRI - ALB"]
    assert [one.text for one in blind.orders_written_in(["TRI - ALB"])] == ["TRI - ALB"]


# --- results --------------------------------------------------------------------------------------


def test_the_order_of_a_unit_in_sight_is_told_without_where_it_goes_out_of_sight() -> None:
    game = blind_game({"FRANCE": "A BUR", "GERMANY": "A MUN, A BOH"})
    orders = {"FRANCE": ["A BUR H"], "GERMANY": ["A MUN - SIL", "A BOH S A MUN - SIL"]}
    assert "A MUN - ?" in table(game, run(game, orders), FRANCE)
    assert "BOH" not in table(game, run(game, orders), FRANCE)
    assert "SIL" not in table(game, run(game, orders), FRANCE)


def test_a_bounce_off_a_unit_out_of_sight_does_not_name_it() -> None:
    game = blind_game({"FRANCE": "A PAR", "GERMANY": "A MUN"})
    ran = run(game, {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})
    assert own_rows(game, ran, FRANCE) == {"A PAR - BUR": "failed: an unseen unit kept it out"}
    assert "MUN" not in str(told(game, ran, FRANCE).results)


def test_a_cut_by_a_unit_out_of_sight_does_not_name_it() -> None:
    game = blind_game({"FRANCE": "A BRE, A PAR", "ENGLAND": "A NAF, F MAO"})
    ran = run(
        game,
        {
            "FRANCE": ["A BRE S A PAR - GAS", "A PAR - GAS"],
            "ENGLAND": ["A NAF - BRE VIA", "F MAO C A NAF - BRE"],
        },
    )
    assert own_rows(game, ran, FRANCE)["A BRE S A PAR - GAS"] == "failed: cut by an unseen unit"


def test_who_dislodges_from_out_of_sight_is_told_by_its_power_alone() -> None:
    game = blind_game({"FRANCE": "A BRE", "ENGLAND": "A NAF, F MAO, F ENG"})
    ran = run(
        game,
        {"ENGLAND": ["A NAF - BRE VIA", "F MAO C A NAF - BRE", "F ENG S A NAF - BRE"]},
    )
    seen = game.report_seen_by(FRANCE, ran.reports[0])
    words = WORDS.results(seen.public, seen.seats[FRANCE], FRANCE)
    assert words.lead == ("England attacked from out of sight.",)
    assert "NAF" not in str(json.loads(bytes(seen.public))["results"])
    own = OwnReport.from_bytes(seen.seats[FRANCE])
    assert own.dislodged[0].retreats  # where one may go oneself is told
    task = WORDS.task(ran.game.view(FRANCE), FRANCE)
    assert task is not None
    assert any("A BRE R " in row.text for row in task.rows)


def test_where_others_may_retreat_is_not_told() -> None:
    game = blind_game({"FRANCE": "A BUR, A RUH", "GERMANY": "A MUN"})
    ran = run(game, {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]})
    report = told(game, ran, FRANCE)
    assert [str(one.retreats[0]) for one in report.dislodged] == ["?"]
    seen = game.report_seen_by(FRANCE, ran.reports[0])
    assert "of Germany" in str(WORDS.results(seen.public, NO_JSON, None).after)
    assert "retreat to" not in str(WORDS.results(seen.public, NO_JSON, None).after)


def test_centers_that_change_hands_out_of_sight_are_not_told() -> None:
    game = blind_game(
        {"FRANCE": "A SPA", "RUSSIA": "A SWE", "GERMANY": "A BEL"},
        {"PAR": "FRANCE", "STP": "RUSSIA", "BER": "GERMANY"},
        "F1901M",
    )
    ran = run(game, {})
    last = game.report_seen_by(FRANCE, ran.reports[-1])
    changed = {one.center for one in PhaseReport.from_bytes(last.public).changes}
    assert changed == {"SPA"}
    assert PhaseReport.from_bytes(last.public).is_count


def test_who_is_out_of_the_game_learns_it_alone() -> None:
    game = blind_game({"GERMANY": "A BUR"}, {"PAR": "FRANCE", "BRE": "GERMANY"}, "F1901M")
    ran = run(game, {"GERMANY": ["A BUR - PAR"]})
    out: dict[Any, list[str]] = {}
    for seat in (FRANCE, GERMANY, None):
        seen = [game.report_seen_by(seat, one) for one in ran.reports]
        out[seat] = [who for one in seen for who in PhaseReport.from_bytes(one.public).out]
    assert out == {FRANCE: ["FRANCE"], GERMANY: [], None: []}


def test_the_computer_plays_by_what_its_power_sees() -> None:
    near = {"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR"}
    owners = {"PAR": "FRANCE", "MAR": "FRANCE", "MUN": "GERMANY"}
    orders = [
        blind_game({**near, "RUSSIA": far}, owners).computer_orders([FRANCE], RandomStream(b"", 1))
        for far in ("A MOS", "A WAR, F BLA")
    ]
    assert orders[0] == orders[1]


# --- pictures -------------------------------------------------------------------------------------


def test_the_map_shows_no_unit_that_is_out_of_sight() -> None:
    game = blind_game({"FRANCE": "A PAR", "GERMANY": "A BUR, A BER", "RUSSIA": "A MOS"})
    shown = WORDS.position_picture(game.view(FRANCE)).to_svg().decode()
    assert shown.count('id="units"') == 1
    units = shown.partition('id="units"')[2].partition('id="legend"')[0]
    assert units.count("<g transform") == 2
    assert "Russia" not in shown
    assert "out of sight" in shown  # in the legend
    whole = WORDS.position_picture(game.revealed.view(None)).to_svg().decode()
    assert "Russia" in whole
    assert "out of sight" not in whole


def test_the_classic_report_holds_what_its_reader_saw() -> None:
    game = blind_game({"FRANCE": "A BUR", "GERMANY": "A MUN, A BER", "RUSSIA": "A MOS"})
    orders = {"FRANCE": ["A BUR S KIE"], "GERMANY": ["A MUN - SIL", "A BER H"]}
    ran = run(game, {**orders, "FRANCE": ["A BUR S A BER - MUN"]})
    frame = ReportFrame("J", "balkan", 1, "F1901M")
    seen = {seat: game.report_seen_by(seat, ran.reports[0]).public for seat in (FRANCE, None)}
    text = WORDS.classic_report([seen[FRANCE]], frame).text
    assert "France:  Army Burgundy SUPPORT Unit Berlin -> Munich." in text
    assert "Germany: Army Munich -> out of sight." in text
    assert "Russia" not in text
    assert "Army" not in WORDS.classic_report([seen[None]], frame).text


# --- sentences ------------------------------------------------------------------------------------

UNSEEN = Unit(PowerId(""), UnitKind.ARMY, parse_location("?"))
OWN = Move(Unit(PowerId("FRANCE"), UnitKind.ARMY, parse_location("PAR")), parse_location("BUR"))
BOUNCES = [Bounced(kind, Move(UNSEEN, OWN.target), 1, 1) for kind in BounceKind]
OTHERS = [
    Bounced(BounceKind.STANDOFF, Move(UNSEEN, OWN.target), 1, 2),
    Bounced(BounceKind.STANDOFF, Ride(UNSEEN, OWN.target), 1, 1),
    Bounced(BounceKind.HEAD_TO_HEAD, Move(UNSEEN, OWN.target), 2, 2),
    Cut(Move(UNSEEN, OWN.target)),
    DislodgedBy(Move(UNSEEN, OWN.target), 2, 1),
    RetreatClash((Retreat(UNSEEN, OWN.target),)),
    Halted(OWN.unit.location, OWN.target, Move(UNSEEN, OWN.target)),
    OutOfSight(),
]


@pytest.mark.parametrize("language", ["en", "ko", "zh_Hant", "ja"])
@pytest.mark.parametrize("outcome", [*BOUNCES, *OTHERS], ids=lambda one: type(one).__name__)
def test_a_reason_never_names_an_unseen_unit(outcome: Outcome, language: str) -> None:
    names = names_of("standard", language)
    order = Ride(OWN.unit, OWN.target) if isinstance(outcome, Halted) else OWN
    told = outcome_words(outcome, order, names)
    assert told
    assert "?" not in told
    assert not any(one.isdigit() for one in told)
    assert "?" not in brief_reason(Result(PowerId("FRANCE"), order, (outcome,)), names)
