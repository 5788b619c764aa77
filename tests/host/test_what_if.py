"""WHAT IF: orders that are tried out and stored nowhere."""

import pytest

from judge.host.messages.command_answers import TriedOut
from judge.host.messages.order_answers import NotRead
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import OPENINGS, Hall, address_of

ANN = "ann@example.test"
CLASH = "FRANCE\nA PAR - BUR\nGERMANY:\nA MUN - BUR\nRussia: A WAR - GAL"


def tried(hall: Hall, address: str = ANN) -> str:
    return " ".join(hall.text(hall.last(address)).split())


def test_a_stranger_tries_orders_for_several_powers(hall: Hall) -> None:
    hall.post(ANN, f"WHAT IF\n{CLASH}")
    assert hall.said(ANN, TriedOut).orders == 3
    text = tried(hall)
    assert "What if: nothing of this is stored." in text
    assert "A PAR - BUR (standoff with A MUN - BUR, 1 against 1)" in text
    assert "A WAR - GAL" in text


def test_orders_that_are_tried_change_nothing_in_the_game(hall: Hall) -> None:
    before = hall.start()
    letters = len(hall.out)
    hall.order("FRANCE", f"WHAT IF balkan\n{CLASH}\nITALY\nA VEN - TRI")
    told = hall.said(address_of("FRANCE"), TriedOut)
    assert (told.game.name, told.game.label, told.orders) == ("balkan", "S1901M", 4)
    assert hall.game() == before
    assert len(hall.out) == letters + 1


def test_lines_above_the_first_power_are_the_senders_own(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "WHAT IF\nA PAR - BUR\nGERMANY\nA MUN - BUR")
    assert hall.said(address_of("FRANCE"), TriedOut).orders == 2
    assert hall.game().order_sets == {}


def test_a_finished_phase_is_tried_anew(hall: Hall) -> None:
    hall.start("grace: 0")
    hall.open_game()
    hall.run_phase()
    hall.post(ANN, "WHAT IF balkan S1901M\nFRANCE\nA PAR - PIC\nA BUR H")
    told = hall.said(ANN, TriedOut)
    assert (told.game.label, told.orders, told.untold) == ("S1901M", 1, 1)
    assert "Lines not read as orders, and left out: 1." in tried(hall)
    hall.post(ANN, "WHAT IF balkan\nFRANCE\nA BUR - BEL")
    assert hall.said(ANN, TriedOut).game.label == "F1901M"
    hall.post(ANN, "WHAT IF balkan S1899M\nFRANCE\nA BUR - BEL")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_PHASE


def test_the_words_of_a_letter_that_may_be_forged_are_not_sent_on(hall: Hall) -> None:
    hall.post(ANN, "WHAT IF\nFRANCE\nA PAR - Cheappills")
    assert "cheappills" not in tried(hall).lower()
    hall.start()
    hall.order("FRANCE", "WHAT IF\nFRANCE\nA PAR - Cheappills")
    assert "Not read as orders, and left out: A PAR - Cheappills" in tried(
        hall, address_of("FRANCE")
    )


def test_two_trials_in_a_letter_are_answered_each(hall: Hall) -> None:
    hall.post(ANN, "WHAT IF\nFRANCE\nA PAR - BUR\n\nWHAT IF\nFRANCE\nA PAR - PIC\nA MAR - SPA")
    assert [one.orders for one in hall.was_told(ANN, TriedOut)] == [1, 2]


def test_a_sentence_that_begins_so_stores_the_orders_below_it(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", f"What if Germany comes to Burgundy?\n{OPENINGS['FRANCE']}")
    assert len(hall.game().order_sets["FRANCE"]) == 3
    assert hall.was_told(address_of("FRANCE"), TriedOut) == []


def test_lines_for_a_game_that_does_not_exist_are_told(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "WHAT IF balkn\nA PAR - BUR")
    assert hall.said(address_of("FRANCE"), Refusal).kind is RefusalKind.NO_GAME
    assert hall.said(address_of("FRANCE"), NotRead).lines == ("A PAR - BUR",)
    assert hall.game().order_sets == {}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ko", "모의 판정\n프랑스\n파리 육군 버건디로 이동"),
        ("ja", "模擬判定\nフランス：A PAR - BUR"),
        ("zh_Hant", "模擬判定\n法國：A PAR - BUR"),
    ],
)
def test_what_if_in_other_languages(hall: Hall, language: str, words: str) -> None:
    hall.post(ANN, words, language=language)
    assert hall.said(ANN, TriedOut).orders == 1
