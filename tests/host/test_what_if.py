"""WHAT IF: orders that are tried out and stored nowhere."""

import json

import pytest

from judge.host.messages.command_answers import PositionUnclear, TriedOut
from judge.host.messages.order_answers import NotRead
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.render.catalogue import catalogue
from judge.render.layout import as_letter
from judge.rulebook import load_game, load_renderer

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
    assert "Lines left out, as they could not be read as orders: 1 in all." in tried(hall)
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


# --- a position of one's own ----------------------------------------------------------------------

OWN = "France: A Par, F Bre; centers Par Bre Mar Spa\nGermany: A Bur, A Ber\n"
ORDERS = "France: A Par - Bur\nF Bre - Mao\nGermany: A Bur - Mun"


def test_orders_are_tried_in_a_position_that_is_written_above_them(hall: Hall) -> None:
    before = list(hall.out)
    hall.post(ANN, f"WHAT IF standard S1905M\n{OWN}{ORDERS}")
    told = hall.said(ANN, TriedOut)
    assert (told.game.label, told.orders) == ("S1905M", 3)
    text = tried(hall)
    assert "France: A PAR - BUR, F BRE - MAO" in text
    assert "Germany: A BUR - MUN no orders" not in text
    assert "France: A BUR, F MAO Germany: A BER, A MUN" in text
    assert "Russia" not in text
    assert len(hall.out) == len(before) + 1


def test_orders_follow_the_units_of_their_power(hall: Hall) -> None:
    hall.post(ANN, "WHAT IF standard S1905M\nFrance: A Par, F Bre\nA Par - Bur\nF Bre - Mao")
    assert hall.said(ANN, TriedOut).orders == 2


def test_a_position_is_read_as_letters_print_it(hall: Hall) -> None:
    """The units and centers of a letter, copied with their headings."""
    hall.start()
    hall.post(ANN, "STATUS balkan")
    letter = hall.text(hall.last(ANN)).replace("\r\n", "\n")
    units = letter[letter.index("Units:") :].partition("\n\n")[0]
    centers = letter[letter.index("Supply centers:") :].partition("\n\n")[0]
    hall.post(ANN, f"WHAT IF standard F1902M\n{units}\n\n{centers}\n\nFRANCE\nA PAR - BUR")
    told = hall.said(ANN, TriedOut)
    assert (told.game.label, told.orders, told.untold) == ("F1902M", 1, 0)
    assert "A STP" not in tried(hall)
    assert "Russia: no orders: A MOS, A WAR, F SEV and F STP/SC held" in tried(hall)


def test_retreats_and_builds_are_tried_in_a_position(hall: Hall) -> None:
    hall.post(
        ANN,
        "WHAT IF standard F1905R\nFrance: F Mar; dislodged A Bur from Mun\nGermany: A Bur\n"
        "contested: Gas\nFrance: A Bur R Gas",
    )
    assert "disbanded" in tried(hall) or "void" in tried(hall)
    hall.post(
        ANN,
        "WHAT IF standard W1905A\nFrance: F Bre; centers Par Bre Mar\nFrance: A Par B\nA Mar B",
    )
    assert "France: A MAR B, A PAR B" in tried(hall)


@pytest.mark.parametrize(
    ("line", "said", "instead"),
    [
        ("France: A Pra", 'There is no province "Pra".', "Paris (PAR)"),
        ("France: A North Sea", 'No such unit can stand in "North Sea".', "F NTH"),
        ("France: F Stp", '"Stp" may be several units.', "F STP/NC F STP/SC"),
        ("France: A Par\nItaly: A Par", "Two units cannot stand in one province", "A PAR"),
        ("France: A Par; centers Gas", "Gascony is no supply center.", ""),
        ("France: A Par; centers Mun\nItaly: centers Mun", "Munich belongs to another power", ""),
        ("A Par", 'Whose is "Par"?', "FRANCE: A PAR"),
        ("France: dislodged A Par from Bur", "only a phase of retreats has dislodged", "F1905R"),
    ],
)
def test_what_does_not_fit_in_a_position_is_told_by_its_line(
    hall: Hall, line: str, said: str, instead: str
) -> None:
    hall.register(ANN, "Ann")
    hall.post(ANN, f"WHAT IF standard S1905M\n{line}", reply_to=hall.last(ANN))
    text = tried(hall)
    assert "The position is not clear. Nothing was tried." in text
    assert line.splitlines()[-1] in text
    assert said in text
    assert instead in text
    assert hall.was_told(ANN, TriedOut) == []


def test_a_stranger_hears_the_numbers_of_lines_that_do_not_fit(hall: Hall) -> None:
    hall.post(ANN, "WHAT IF standard S1905M\nFrance: A Par\nGermany: A Cheappills")
    assert hall.said(ANN, PositionUnclear).lines == (2,)
    assert "cheappills" not in tried(hall).lower()


@pytest.mark.parametrize("language", ["en", "ko", "ja", "zh_Hant"])
def test_the_example_of_a_position_works_when_it_is_sent_back(hall: Hall, language: str) -> None:
    hall.post(ANN, "WHAT IF standard S1905M\nA Par", language=language)
    letter = hall.text(hall.last(ANN)).replace("\r\n", "\n")
    lines = [one for one in letter.splitlines() if one.startswith("  ")]
    hall.post(ANN, "\n".join(lines), language=language)
    told = hall.said(ANN, TriedOut)
    assert (told.orders, told.untold) == (1, 0)
    assert "F STP/NC" in tried(hall)


def test_a_phase_that_a_board_never_comes_to_is_refused(hall: Hall) -> None:
    hall.post(ANN, f"WHAT IF standard S1899M\n{OWN}{ORDERS}")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_PHASE
    assert hall.was_told(ANN, TriedOut) == []


@pytest.mark.parametrize("language", ["en", "ko", "ja", "zh_Hant"])
@pytest.mark.parametrize("variant", load_game("diplomacy").variants())
def test_every_boards_own_position_is_read_in_four_languages(variant: str, language: str) -> None:
    rulebook, words = load_game("diplomacy"), load_renderer("diplomacy")
    game = rulebook.start(variant, {})
    later = game.coming[3]
    position = words.words(variant, catalogue(language)).position(game.view(None))
    shown = as_letter(position)
    arranged = game.set_up_position(later, shown.splitlines())
    assert arranged.problems == ()
    assert arranged.game.phase.label == later
    now, before = (json.loads(bytes(one.state)) for one in (arranged.game, game))
    assert (now.get("units"), now["owners"]) == (before.get("units"), before["owners"])
