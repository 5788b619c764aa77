"""A game so far, and the hand-over of a game whose master has left."""

import pytest

from judge.host.messages.games import GameStatus, PhaseHistory, Summary
from judge.host.messages.refusals import KeeperNotice, Refusal, RefusalKind

from .conftest import Hall, address_of

ANN = "ann@example.test"
FRANCE = address_of("FRANCE")


def three_phases(hall: Hall) -> None:
    """The first year: France gets Spain and Portugal, and who else moves gets nothing."""
    hall.start()
    hall.open_game()
    hall.run_phase()
    hall.order("FRANCE", "A SPA - POR\nF MAO - SPA/SC\nA BUR - BEL")
    hall.run_phase()
    hall.run_phase()


def test_a_summary_shows_the_scores_wherever_they_changed(hall: Hall) -> None:
    three_phases(hall)
    hall.post(FRANCE, "SET PROFILE PUBLIC", reply_to=hall.last(FRANCE))
    hall.post(ANN, "SUMMARY balkan")
    told = hall.said(ANN, Summary)
    assert [label for label, _ in told.scores] == ["S1901M", "W1901A", "S1902M"]
    assert told.scores[0][1]["FRANCE"] == 3
    assert told.scores[1][1]["FRANCE"] == 6
    text = hall.text(hall.last(ANN)).replace("\r", "")
    assert "   00 01\n    3  4  Austria\n" in text
    assert told.percentages == {}  # too new for a percentage


def test_who_plays_is_told_without_names_where_the_game_hides_them(hall: Hall) -> None:
    hall.start("names: hidden")
    hall.post(ANN, "WHOGAME balkan")
    assert {one.player for one in hall.said(ANN, Summary).roster} == {""}
    master = "gm@example.test"
    hall.post(master, "WHOGAME", reply_to=hall.last(master))
    assert "France" in {one.player for one in hall.said(master, Summary).roster}


@pytest.mark.parametrize(
    ("written", "labels"),
    [
        ("HISTORY balkan", ["S1901M", "F1901M"]),
        ("HISTORY balkan S1901M", ["S1901M"]),
        ("HISTORY balkan S1901M-F1901M", ["S1901M", "F1901M"]),
        ("history balkan f1901m - s1901m", ["S1901M", "F1901M"]),
    ],
)
def test_history_is_told_by_phases(hall: Hall, written: str, labels: list[str]) -> None:
    three_phases(hall)
    hall.post(ANN, written)
    told = hall.was_told(ANN, PhaseHistory)
    assert [one.game.label for one in told][: len(labels)] == labels
    assert "A MAR - SPA" in hall.text(hall.last(ANN)) or "S1901M" not in labels


def test_a_phase_that_has_not_run_has_no_history(hall: Hall) -> None:
    three_phases(hall)
    hall.post(ANN, "HISTORY balkan F1999M")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_PHASE
    hall.create(name="east")
    hall.post(ANN, "SUMMARY east")
    assert hall.said(ANN, GameStatus).missing_players == 7


def test_the_keeper_is_told_how_a_game_gets_another_master() -> None:
    hall = Hall(environ={"JUDGE_JUDGE__KEEPERS": "keeper@example.test"})
    hall.start()
    master = "gm@example.test"
    hall.post(master, "FORGET ME", reply_to=hall.last(master))
    hall.post(master, "yes", reply_to=hall.last(master))
    notice = hall.said("keeper@example.test", KeeperNotice)
    assert notice.values["command"] == "judge master balkan ADDRESS"
    hall.database.close()
