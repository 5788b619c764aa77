"""ROLLBACK and ROLLFORWARD: what all read of them, what counts again, what is kept."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import ConfirmAsked
from judge.host.messages.game_events import GameOver, Results
from judge.host.messages.games import PhaseHistory, Summary
from judge.host.messages.master_acts import RolledBack
from judge.host.messages.order_answers import OrdersAnswer, StaleOrders
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Act, Conduct, Status

from .conftest import OPENINGS, POWERS, Hall, address_of
from .test_masters_hand import ask, label

FRANCE, MASTER = address_of("FRANCE"), "gm@example.test"
DAY = timedelta(days=1)
FALL = dict.fromkeys(POWERS, "READY") | {"FRANCE": "A SPA - POR\nA BUR - BEL\nF MAO H"}


@pytest.fixture
def fall(hall: Hall) -> Hall:
    """Fall 1901 is open, and everybody has said READY."""
    hall.start()
    hall.open_game()
    hall.run_phase()
    assert label(hall) == "F1901M"
    for power in POWERS:
        hall.order(power, FALL[power])
    return hall


def roll(hall: Hall, line: str) -> None:
    ask(hall, line)
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))


def orders(hall: Hall, power: str) -> set[str]:
    sets = hall.game().order_sets
    return {line.text for seat, lines in sets.items() if seat == power for line in lines}


def test_a_rollback_is_asked_back_and_opens_the_phase_again(fall: Hall) -> None:
    ask(fall, "ROLLBACK S1901M Italy's letter was lost")
    asked = fall.said(MASTER, ConfirmAsked)
    assert (asked.what, asked.label, asked.labels) == (
        "rollback_keep",
        "S1901M",
        ("S1901M", "F1901M"),
    )
    assert label(fall) == "F1901M"
    assert not fall.was_told(FRANCE, RolledBack)
    fall.post(MASTER, "YES", reply_to=fall.last_answer(MASTER))
    told = fall.said(FRANCE, RolledBack)
    assert (told.reason, told.due and told.due.at) == ("Italy's letter was lost", asked.at)
    assert label(fall) == "S1901M"
    assert orders(fall, "FRANCE") == {"A MAR - SPA", "A PAR - BUR", "F BRE - MAO"}
    letter = fall.text(fall.last(FRANCE))
    assert "balkan S1901M (second time) rolled back" in letter
    for said in ("Italy's letter was lost", "A PAR - BUR", "Paris", "Votes, READY and WAIT"):
        assert said in letter
    assert "A WAR - GAL" not in letter


def test_a_phase_that_was_reopened_runs_early_only_if_all_say_ready(fall: Hall) -> None:
    roll(fall, "ROLLBACK S1901M KEEP ORDERS a letter was lost")
    fall.pass_time(DAY)
    assert label(fall) == "S1901M"
    for power in POWERS:
        fall.order(power, "READY")
    fall.run_phase()
    assert label(fall) == "F1901M"
    told = fall.said(FRANCE, Results)
    assert (told.game.label, told.game.times) == ("S1901M", 2)
    assert "S1901M (second time) results" in fall.text(fall.last(FRANCE))


def test_without_deadlines_a_reopened_phase_is_told_to_need_ready(hall: Hall) -> None:
    hall.start("deadlines: no\nall in delay: 0")
    hall.open_game()
    hall.run_phase()
    roll(hall, "ROLLBACK S1901M KEEP ORDERS a letter was lost")
    needed = "There is no deadline now: the phase runs when all say READY."
    told = hall.text(hall.last(FRANCE))
    assert needed in told
    assert "before its deadline" not in told
    hall.order("FRANCE", OPENINGS["FRANCE"])
    assert needed in hall.text(hall.last(FRANCE))
    hall.pass_time(DAY)
    assert label(hall) == "S1901M"
    ask(hall, "STATUS balkan")
    assert "Not yet said by" in hall.text(hall.last(MASTER))
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    assert label(hall) == "F1901M"


@pytest.mark.parametrize("line", ["early: no", "process: manual"])
def test_a_reopened_phase_is_not_told_to_run_early_where_no_phase_does(
    hall: Hall, line: str
) -> None:
    hall.start(line)
    hall.open_game()
    ask(hall, "PROCESS S1901M")
    roll(hall, "ROLLBACK S1901M a letter was lost")
    told = hall.text(hall.last(FRANCE))
    assert "Votes, READY and WAIT are cleared." in told
    assert "before its deadline" not in told


def test_without_their_orders_all_send_them_again(fall: Hall) -> None:
    roll(fall, "ROLLBACK S1901M clear orders: wrong map")
    assert fall.said(FRANCE, RolledBack).reason == "wrong map"
    assert orders(fall, "FRANCE") == set()
    assert "Send your orders again" in fall.text(fall.last(FRANCE))
    fall.order("FRANCE", OPENINGS["FRANCE"])
    assert fall.said(FRANCE, OrdersAnswer).order_set


def test_a_rollforward_brings_again_what_was_taken_back(fall: Hall) -> None:
    roll(fall, "ROLLBACK S1901M a letter was lost")
    roll(fall, "ROLLFORWARD it was found")
    told = fall.said(FRANCE, RolledBack)
    assert (told.act, told.reason) == (Act.ROLLED_FORWARD, "it was found")
    assert label(fall) == "F1901M"
    assert orders(fall, "FRANCE") == {"A SPA - POR", "A BUR - BEL", "F MAO H"}
    ask(fall, "HISTORY balkan")
    assert fall.said(MASTER, PhaseHistory).game.times == 1
    ask(fall, "ROLLFORWARD")
    assert fall.said(MASTER, Refusal).kind is RefusalKind.NO_ROLLBACK


def test_what_was_played_since_a_rollback_is_not_lost_by_a_rollforward(fall: Hall) -> None:
    roll(fall, "ROLLBACK S1901M a letter was lost")
    fall.order("FRANCE", "A PAR - PIC")
    for power in POWERS:
        fall.order(power, "READY")
    fall.run_phase()
    france = fall.game().state
    roll(fall, "ROLLFORWARD")
    assert fall.said(MASTER, ConfirmAsked).labels == ("S1901M",)
    assert fall.game().state != france
    roll(fall, "ROLLFORWARD")
    assert fall.game().state is not None
    assert b"PIC" in (fall.game().state or b"")


def test_the_record_keeps_both_and_shows_what_counts(fall: Hall) -> None:
    roll(fall, "ROLLBACK S1901M a letter was lost")
    ask(fall, "HISTORY balkan")
    assert fall.said(MASTER, Refusal).kind is RefusalKind.NO_HISTORY
    for power in POWERS:
        fall.order(power, "READY")
    fall.run_phase()
    ask(fall, "HISTORY balkan")
    assert [one.game.times for one in fall.was_told(MASTER, PhaseHistory)] == [2]
    with fall.database.transaction() as tx:
        assert [one.phase.label for one in tx.phases.including_rolled_back("balkan")] == [
            *("S1901M", "F1901M", "S1901M")
        ]
    ask(fall, "SUMMARY balkan", FRANCE)
    act = fall.said(FRANCE, Summary).acts[-1]
    assert (act.act, act.label, act.reason) == (Act.ROLLED_BACK, "S1901M", "a letter was lost")
    assert "Spring 1901 movement: rolled back to it (a letter was lost)" in fall.text(
        fall.last(FRANCE)
    )


def test_what_players_missed_in_a_phase_that_is_taken_back_is_forgotten(hall: Hall) -> None:
    hall.start("grace: 0")
    hall.open_game()
    hall.run_phase()
    for power in POWERS[1:]:
        hall.order(power, "READY")
    hall.run_phase()
    austria = hall.game().seat("AUSTRIA")  # type: ignore[arg-type]
    assert austria.misses == 1
    assert austria.player is not None
    with hall.database.transaction() as tx:
        assert Conduct.MISSED in tx.players.conduct_since(austria.player, hall.instant - 30 * DAY)
    roll(hall, "ROLLBACK F1901M Austria's letter was lost")
    assert hall.game().seat("AUSTRIA").misses == 0  # type: ignore[arg-type]
    with hall.database.transaction() as tx:
        counts = tx.players.conduct_since(austria.player, hall.instant - 30 * DAY)
        assert Conduct.MISSED not in counts


def test_a_rollback_out_of_a_finished_game_opens_it_again(fall: Hall) -> None:
    for power in POWERS:
        fall.order(power, "DRAW")
    assert fall.game().status is Status.FINISHED
    roll(fall, "ROLLBACK S1901M the draw was a mistake")
    game = fall.game()
    assert (game.status, game.ending, game.winners) == (Status.ACTIVE, "", ())
    assert fall.said(FRANCE, RolledBack).was_over
    assert game.proposals == ()
    conn = fall.database._tables.conn
    assert conn.execute("SELECT count(*) FROM results").fetchone() == (0,)
    roll(fall, "ROLLFORWARD")
    assert fall.game().status is Status.FINISHED
    assert fall.said(FRANCE, GameOver).ending == "draw"
    assert conn.execute("SELECT count(*) FROM results").fetchone() == (7,)


def test_a_game_that_ends_in_another_way_does_not_repeat_why_it_was_ended(fall: Hall) -> None:
    roll(fall, "TERMINATE two players have left")
    assert fall.said(FRANCE, GameOver).reason == "two players have left"
    roll(fall, "ROLLBACK S1901M they are back")
    for power in POWERS:
        fall.order(power, "DRAW")
    assert (fall.said(FRANCE, GameOver).ending, fall.said(FRANCE, GameOver).reason) == ("draw", "")


def test_a_reply_to_a_letter_of_before_the_rollback_is_asked_about(fall: Hall) -> None:
    letter = fall.last(FRANCE)
    roll(fall, "ROLLBACK S1901M a letter was lost")
    fall.post(FRANCE, "A PAR - PIC", reply_to=letter)
    assert fall.said(FRANCE, StaleOrders)
    assert "A PAR - PIC" not in orders(fall, "FRANCE")


def test_a_new_player_does_not_see_the_orders_of_the_old_one(fall: Hall) -> None:
    fall.order("TURKEY", "RESIGN")
    fall.post(address_of("TURKEY"), "YES", reply_to=fall.last(address_of("TURKEY")))
    fall.post("ben@example.test", "JOIN balkan TURKEY", name="Ben")
    fall.post("ben@example.test", "YES", reply_to=fall.last("ben@example.test"), name="Ben")
    roll(fall, "ROLLBACK S1901M a letter was lost")
    assert fall.said("ben@example.test", RolledBack).order_set == ()
    assert fall.said(FRANCE, RolledBack).order_set


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("ROLLBACK S1905M a mistake", RefusalKind.NO_ROLLBACK),
        ("ROLLBACK F1901M a mistake", RefusalKind.NO_ROLLBACK),
        ("ROLLBACK", RefusalKind.NO_ROLLBACK),
        ("ROLLBACK S1901M", RefusalKind.NO_REASON),
        ("ROLLBACK S1901M CLEAR ORDERS", RefusalKind.NO_REASON),
        ("ROLLFORWARD", RefusalKind.NO_ROLLBACK),
    ],
)
def test_what_cannot_be_rolled_back_is_told(fall: Hall, line: str, kind: RefusalKind) -> None:
    ask(fall, line)
    assert fall.said(MASTER, Refusal).kind is kind


@pytest.mark.parametrize("line", ["ROLLBACK Spring 1901 it was wrong", "roll back s1901m: oops"])
def test_a_phase_is_named_in_any_way(fall: Hall, line: str) -> None:
    ask(fall, line)
    assert fall.said(MASTER, ConfirmAsked).label == "S1901M"


def test_the_question_lapses_when_the_phase_has_run(fall: Hall) -> None:
    ask(fall, "ROLLBACK S1901M a mistake")
    question = fall.last_answer(MASTER)
    fall.run_phase()
    before = label(fall)
    fall.post(MASTER, "YES", reply_to=question)
    assert fall.said(MASTER, Refusal).kind is RefusalKind.EXPIRED
    assert label(fall) == before


@pytest.mark.parametrize("orders", ["", "CLEAR ORDERS "])
def test_the_question_names_no_deadline_where_the_game_has_none(hall: Hall, orders: str) -> None:
    hall.start("deadlines: none")
    hall.open_game()
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(timedelta(hours=2))
    ask(hall, f"ROLLBACK S1901M {orders}a letter was lost")
    told = " ".join(hall.text(hall.last(MASTER)).split())
    assert "would be open again, without a deadline." in told
