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
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_HISTORY
    told = hall.text(hall.last(ANN))
    assert "Which phase do you mean?" in told
    assert "No such phase of balkan has run. Did you mean Winter 1901 adjustments" in told.replace(
        "\n", " "
    )
    hall.create(name="east")
    hall.post(ANN, "SUMMARY east")
    assert hall.said(ANN, GameStatus).missing_players == 7


@pytest.mark.parametrize(
    ("written", "labels"),
    [  # S1901M ran on 4 December, F1901M on the 8th, W1901A on the 10th, which is today
        ("HISTORY balkan FROM 1 Dec TO 7 Dec", ["S1901M"]),
        ("HISTORY balkan from 1 dec to 31 dec", ["S1901M", "F1901M", "W1901A"]),
        ("history since 6 December", ["F1901M", "W1901A"]),
        ("history balkan between 4 Dec and 6 Dec", ["S1901M"]),
        ("HISTORY balkan 2026-12-04", ["S1901M"]),
        ("HISTORY until 7 Dec", ["S1901M"]),
        ("history today", ["W1901A"]),
        ("HISTORY balkan PRESS since 6 Dec", ["F1901M", "W1901A"]),
        ("기록 balkan 12월 1일부터 12월 7일까지", ["S1901M"]),
        ("기록 12월 6일 이후", ["F1901M", "W1901A"]),
        ("紀錄 balkan 從12月1日到12月7日", ["S1901M"]),
        ("紀錄 12月6日以來", ["F1901M", "W1901A"]),
        ("記録 balkan 12月1日から12月7日まで", ["S1901M"]),
        ("記録 12月6日以降", ["F1901M", "W1901A"]),
    ],
)
def test_history_is_told_by_days(hall: Hall, written: str, labels: list[str]) -> None:
    three_phases(hall)
    hall.post(FRANCE, written, reply_to=hall.last(FRANCE))
    assert [one.game.label for one in hall.was_told(FRANCE, PhaseHistory)] == labels


def test_days_of_history_that_may_be_two_are_shown(hall: Hall) -> None:
    three_phases(hall)
    hall.post(ANN, "HISTORY balkan since 04/12")
    assert hall.said(ANN, Refusal).kind is RefusalKind.TWO_DAYS
    told = " ".join(hall.text(hall.last(ANN)).split())
    assert "4 Dec 2026 – 10 Dec 2026 or 12 Apr 2026 – 10 Dec 2026" in told
    assert "HISTORY balkan 2026-" in told


def test_a_game_without_results_says_so(hall: Hall) -> None:
    hall.start()
    hall.post(ANN, "HISTORY balkan S1901M")
    assert "No phase of balkan has run yet." in hall.text(hall.last(ANN))


def test_days_without_a_phase_are_told_as_such(hall: Hall) -> None:
    three_phases(hall)
    hall.post(ANN, "HISTORY balkan 20 November")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NOTHING_RAN
    told = " ".join(hall.text(hall.last(ANN)).split())
    assert "No phase ran on these days." in told
    assert "Days asked for: 20 Nov 2026." in told
    assert "The results of balkan go from Spring 1901 movement to Winter 1901 adjustments." in told
    hall.post(ANN, "MAP balkan F1999M")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_HISTORY


def test_the_keeper_is_told_how_a_game_gets_another_master() -> None:
    hall = Hall(environ={"JUDGE_JUDGE__KEEPERS": "keeper@example.test"})
    hall.start()
    master = "gm@example.test"
    hall.post(master, "FORGET ME", reply_to=hall.last(master))
    hall.post(master, "yes", reply_to=hall.last(master))
    notice = hall.said("keeper@example.test", KeeperNotice)
    assert notice.values["command"] == "judge master balkan ADDRESS"
    hall.database.close()
