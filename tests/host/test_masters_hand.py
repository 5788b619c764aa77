"""A master's hand on the clock: HOLD and RESUME."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.game_events import DeadlineMoved, MoveReason, Reminder
from judge.host.messages.games import GameStatus
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Act

from .conftest import OPENINGS, POWERS, START, Hall, address_of

FRANCE, MASTER = address_of("FRANCE"), "gm@example.test"
DAY = timedelta(days=1)
DUE = START + 3 * DAY  # Friday 4 December, 12:00 UTC


def ask(hall: Hall, body: str, sender: str = MASTER) -> None:
    hall.post(sender, body, reply_to=hall.last(sender), offset=0)


def label(hall: Hall, name: str = "balkan") -> str:
    phase = hall.game(name).phase
    assert phase is not None
    return phase.label


@pytest.fixture
def running(hall: Hall) -> Hall:
    hall.start()
    ask(hall, "SET ZONE UTC")
    return hall


def test_a_game_on_hold_runs_nothing_and_takes_orders(running: Hall) -> None:
    ask(running, "HOLD GAME Ann is ill")
    assert running.said(MASTER, MasterActed).act is Act.HELD
    assert len(running.was_told(MASTER, MasterActed)) == 1
    told = running.text(running.last(FRANCE))
    assert "balkan S1901M the game is on hold" in told
    assert "Ann is ill" in told
    running.open_game()
    for power in POWERS:
        running.order(power, "READY")
    running.pass_time(9 * DAY)
    assert label(running) == "S1901M"
    assert not running.was_told(FRANCE, Reminder)
    assert len(running.game().order_set("FRANCE")) == 3  # type: ignore[arg-type]
    ask(running, "RESUME")
    running.pass_time(DAY)
    assert label(running) == "F1901M"


def test_a_hold_moves_the_deadline_by_its_length(running: Hall) -> None:
    running.pass_time(DAY)
    ask(running, "HOLD GAME")
    running.pass_time(5 * DAY)
    ask(running, "RESUME")
    moved = running.said(FRANCE, DeadlineMoved)
    assert (moved.due.at, moved.reason) == (DUE + 5 * DAY, MoveReason.RESUMED)
    assert running.game().timing.deadline_at == DUE + 5 * DAY  # type: ignore[union-attr]
    ask(running, "RESUME")
    assert running.said(MASTER, Done).deed is Deed.NOT_HELD


def test_another_reason_for_a_hold_does_not_make_it_shorter(running: Hall) -> None:
    running.pass_time(DAY)
    ask(running, "HOLD GAME Ann is ill")
    running.pass_time(4 * DAY)
    ask(running, "HOLD GAME Ann is still ill")
    running.pass_time(DAY)
    ask(running, "RESUME")
    assert running.game().timing.deadline_at == DUE + 5 * DAY  # type: ignore[union-attr]


def test_a_resumed_game_waits_for_who_is_away(running: Hall) -> None:
    ask(running, "ABSENCE 2026-12-06 - 2026-12-12", FRANCE)
    ask(running, "HOLD GAME")
    running.pass_time(4 * DAY)
    ask(running, "RESUME")
    assert running.game().timing.deadline_at == START + 12 * DAY  # type: ignore[union-attr]


def test_a_deadline_that_passed_during_a_hold_leaves_time_to_order(running: Hall) -> None:
    running.pass_time(DUE - timedelta(hours=1))
    ask(running, "HOLD GAME")
    running.pass_time(timedelta(hours=3))
    ask(running, "RESUME")
    timing = running.game().timing
    assert timing is not None
    assert timing.deadline_at - running.instant >= running.game().settings.reminder


def test_a_game_without_a_clock_goes_on_without_one(running: Hall) -> None:
    running.pass_time(5 * DAY)  # the first phase waits for all orders
    ask(running, "HOLD GAME")
    ask(running, "RESUME")
    assert "The game goes on, and everybody is told." in running.text(running.last_answer(MASTER))
    told = running.text(running.last(FRANCE))
    assert "There is no deadline now" in told
    assert "The game waits for your orders." in told
    assert "It has moved" not in told


def test_its_master_is_reminded_of_a_hold(running: Hall) -> None:
    ask(running, "HOLD GAME Ann is ill")
    running.out.clear()
    running.pass_time(7 * DAY)
    assert len(running.was_told(MASTER, MasterActed)) == 2
    assert not running.was_told(FRANCE, MasterActed)
    assert "RESUME lets it go on" in running.text(running.last(MASTER))


@pytest.mark.parametrize("line", ["PROCESS S1901M", "SET DEADLINE +1d", "EXTEND 1d"])
def test_the_clock_is_not_touched_while_a_game_is_on_hold(running: Hall, line: str) -> None:
    ask(running, "HOLD GAME")
    ask(running, line)
    assert running.said(MASTER, Refusal).kind is RefusalKind.GAME_HELD
    running.order("FRANCE", "PROPOSE PAUSE 1d")
    assert running.said(FRANCE, Refusal).kind is RefusalKind.GAME_HELD


def test_a_status_shows_the_hold_and_its_reason(running: Hall) -> None:
    ask(running, "HOLD GAME Ann is ill")
    ask(running, "STATUS", FRANCE)
    assert running.said(FRANCE, GameStatus).held == "Ann is ill"
    told = running.text(running.last(FRANCE))
    assert "The game is on hold: no deadline counts" in told
    assert "Ann is ill" in told


def test_a_status_on_hold_lists_no_line_that_is_refused_then(running: Hall) -> None:
    ask(running, "HOLD GAME Ann is ill")
    ask(running, "STATUS")
    told = running.text(running.last(MASTER))
    assert "RESUME" in told
    assert "PROCESS" not in told
    assert len(running.said(MASTER, GameStatus).owing or ()) == 7


@pytest.mark.parametrize("line", ["HOLD", "Hold: Ann is ill", "pause Ann is ill"])
def test_a_masters_hold_is_the_games(running: Hall, line: str) -> None:
    ask(running, line)
    assert running.said(FRANCE, MasterActed).act is Act.HELD


@pytest.mark.parametrize("line", ["HOLD", "Hold all", "hold A PAR", "A PAR hold"])
def test_a_players_hold_is_an_order(running: Hall, line: str) -> None:
    ask(running, line, FRANCE)
    assert not running.was_told(FRANCE, Refusal) or line == "HOLD"
    assert not running.was_told(MASTER, MasterActed)


def test_a_hold_in_the_first_phase_after_its_deadline_keeps_it_waiting(running: Hall) -> None:
    running.open_game("ITALY")
    running.pass_time(DUE + DAY)
    ask(running, "HOLD GAME")
    running.order("ITALY", OPENINGS["ITALY"])
    running.pass_time(3 * DAY)
    assert label(running) == "S1901M"
    ask(running, "RESUME")
    running.pass_time(DAY)
    assert label(running) == "F1901M"
