"""Games that go at their master's word: without deadlines, never early, phases and the start by
hand."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import Created, Deed, Done, SettingsRefused
from judge.host.messages.game_events import (
    Filling,
    FillingEvent,
    GameWaits,
    ReadyToRun,
    Reminder,
    Results,
    SettingsChanged,
)
from judge.host.messages.games import GameList
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Control, Status

from .conftest import OPENINGS, POWERS, Hall, address_of

FRANCE, TURKEY, MASTER = address_of("FRANCE"), address_of("TURKEY"), "gm@example.test"
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


def ask(hall: Hall, body: str) -> None:
    hall.post(MASTER, body, reply_to=hall.last(MASTER), offset=0)


def label(hall: Hall) -> str:
    phase = hall.game().phase
    assert phase is not None
    return phase.label


def deadline_over(hall: Hall) -> None:
    timing = hall.game().timing
    assert timing is not None
    hall.pass_time((timing.grace_until or timing.deadline_at) + MINUTE)


def flat(hall: Hall, address: str) -> str:
    return " ".join(hall.text(hall.last(address)).split())


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "field", "value"),
    [
        ("early: no", "early", False),
        ("ALWAYS WAIT", "early", False),
        ("SET ALWAYS WAIT", "early", False),
        ("조기 진행: 아니요", "early", False),
        ("繰り上げ：いいえ", "early", False),
        ("提前執行：否", "early", False),
        ("process: manual", "process", Control.MANUAL),
        ("SET MANUAL PROCESS", "process", Control.MANUAL),
        ("진행: 수동", "process", Control.MANUAL),
        ("進行：手動", "process", Control.MANUAL),
        ("執行：手動", "process", Control.MANUAL),
        ("start: manual", "start", Control.MANUAL),
        ("manual start: yes", "start", Control.MANUAL),
        ("시작: 수동", "start", Control.MANUAL),
        ("開始：手動", "start", Control.MANUAL),
        ("deadlines: none", "deadlines", False),
        ("deadline: none", "deadlines", False),
        ("NO DEADLINE", "deadlines", False),
        ("마감: 없음", "deadlines", False),
        ("締切：なし", "deadlines", False),
        ("截止：無", "deadlines", False),
    ],
)
def test_each_is_chosen_in_create(hall: Hall, lines: str, field: str, value: object) -> None:
    hall.create(lines)
    assert hall.said(MASTER, Created).faults == ()
    assert getattr(hall.game().settings, field) == value


@pytest.mark.parametrize(
    "lines",
    ["deadlines: none\nmovement: 3d", "grace: 1d\ndeadlines: no", "deadlines: none\nearly: no"],
)
def test_a_game_without_deadlines_has_none_of_their_settings(hall: Hall, lines: str) -> None:
    hall.create(lines)
    (fault,) = hall.said(MASTER, Created).faults
    assert fault.kind == "contradiction"


# --- without deadlines ----------------------------------------------------------------------------


def test_a_game_without_deadlines_waits_for_all_orders(hall: Hall) -> None:
    hall.start("deadlines: none")
    assert "There is no deadline now: the phase runs when the last orders are in." in flat(
        hall, FRANCE
    )
    hall.open_game("TURKEY")
    hall.pass_time(90 * DAY)
    assert label(hall) == "S1901M"
    assert not hall.was_told(TURKEY, Reminder)
    assert not hall.was_told(TURKEY, GameWaits)
    hall.order("TURKEY", OPENINGS["TURKEY"])
    hall.pass_time(DAY)
    assert label(hall) == "F1901M"
    hall.order("FRANCE", "LIST")
    (row,) = hall.said(FRANCE, GameList).games
    assert (row.due_at, row.has_deadlines) == (None, False)
    assert "no deadlines" in flat(hall, FRANCE)


def test_a_phase_of_such_a_game_may_get_one(hall: Hall) -> None:
    hall.start("deadlines: none")
    ask(hall, "SET DEADLINE +2d")
    hall.open_game()
    deadline_over(hall)
    assert label(hall) == "F1901M"
    assert hall.game().timing.waits  # type: ignore[union-attr]


def test_the_settings_of_such_a_game_list_nothing_of_deadlines(hall: Hall) -> None:
    hall.start("deadlines: none")
    hall.order("FRANCE", "STATUS")
    for text in (hall.text(row) for row in hall.out if row.recipient == FRANCE):
        for title in ("Missing orders:", "Absence:", "More time:", "Grace:", "Ask to wait"):
            assert title not in text
    for line, told in (
        ("SET missing hold", "Missing orders: units hold at the deadline, and the seat is never"),
        ("SET missing disorder", "Missing orders: civil disorder for the phase"),
    ):
        ask(hall, line)
        assert told in flat(hall, FRANCE)
        assert "(before: " in flat(hall, FRANCE)


def test_deadlines_are_switched_on_and_off(hall: Hall) -> None:
    hall.start("deadlines: none")
    ask(hall, "SET deadlines yes")
    timing = hall.game().timing
    assert timing is not None
    assert not timing.waits
    assert timing.deadline_at == hall.instant + 3 * DAY
    assert hall.said(FRANCE, SettingsChanged).was is None
    assert "The deadline was" not in flat(hall, FRANCE)
    ask(hall, "SET NO DEADLINE")
    assert hall.game().timing.deadline_at == timing.deadline_at  # type: ignore[union-attr]
    hall.open_game()
    deadline_over(hall)
    assert hall.game().timing.waits  # type: ignore[union-attr]
    ask(hall, "SET grace 12h")
    assert hall.said(MASTER, SettingsRefused).faults[0].kind == "contradiction"


def test_a_deadline_goes_at_once_where_the_master_says_so(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET deadlines none FROM NOW")
    assert hall.game().timing.waits  # type: ignore[union-attr]
    assert "There is no deadline now" in flat(hall, FRANCE)
    hall.order("FRANCE", "WAIT")
    assert hall.said(FRANCE, Done).deed is Deed.WAIT_UNDATED
    hall.pass_time(30 * DAY)
    assert label(hall) == "S1901M"
    hall.open_game()
    hall.pass_time(DAY)
    assert label(hall) == "S1901M"
    hall.order("FRANCE", "NO WAIT")
    hall.pass_time(DAY)
    assert label(hall) == "F1901M"


# --- never early ----------------------------------------------------------------------------------


def test_a_game_that_never_runs_early_waits_for_its_deadline(hall: Hall) -> None:
    hall.start("early: no")
    for power in POWERS:
        hall.order(power, "READY")
    assert "the phase does not run any sooner for that" in flat(hall, FRANCE)
    hall.pass_time(2 * DAY)
    assert label(hall) == "S1901M"
    hall.pass_time(DAY)
    assert label(hall) == "F1901M"
    assert "as soon as" not in hall.text(hall.last(FRANCE))
    assert "complete sooner" not in hall.text(hall.last(FRANCE))


# --- phases by hand -------------------------------------------------------------------------------


def test_the_master_is_told_that_all_is_ready_and_runs_it(hall: Hall) -> None:
    hall.start("process: manual")
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(DAY)
    assert label(hall) == "S1901M"
    assert hall.said(MASTER, ReadyToRun).missing == ()
    assert "All orders are in." in flat(hall, MASTER)
    ask(hall, "YES")
    assert label(hall) == "F1901M"
    assert len(hall.was_told(MASTER, ReadyToRun)) == 1


def test_a_deadline_passes_and_the_phase_waits_for_the_master(hall: Hall) -> None:
    hall.start("process: manual\ngrace: 1d")
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(4 * DAY)
    assert label(hall) == "S1901M"
    ask(hall, "PROCESS S1901M")
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    deadline_over(hall)  # Turkey has grace
    assert len(hall.was_told(MASTER, ReadyToRun)) == 2
    deadline_over(hall)
    hall.pass_time(9 * DAY)
    assert label(hall) == "F1901M"
    told = hall.was_told(MASTER, ReadyToRun)
    assert told[-1].missing == ("TURKEY",)
    assert "Nothing came from: Turkey." in flat(hall, MASTER)
    hall.order("FRANCE", "STATUS")
    assert "the phase runs when the game master says so" in flat(hall, FRANCE)
    ask(hall, "PROCESS F1901M")
    assert "it goes on waiting for you" in flat(hall, MASTER)
    ask(hall, "YES")
    assert hall.said(FRANCE, Results).missing == ("TURKEY",)
    assert {seat.id: seat.misses for seat in hall.game().seats}["TURKEY"] == 1  # type: ignore[index]
    # Before the deadline silence is neither counted nor forgiven.
    ask(hall, f"PROCESS {hall.game().phase_label}")
    ask(hall, "YES")
    assert {seat.id: seat.misses for seat in hall.game().seats}["TURKEY"] == 1  # type: ignore[index]


def test_orders_that_come_while_the_phase_waits_for_the_master_count(hall: Hall) -> None:
    hall.start("process: manual\ngrace: 0")
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(DAY)
    ask(hall, "YES")
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    deadline_over(hall)
    hall.order("TURKEY", "F ANK - BLA")
    ask(hall, "PROCESS F1901M")
    ask(hall, "YES")
    assert hall.said(FRANCE, Results).missing == ()


def test_the_master_is_told_once_that_late_orders_have_come(hall: Hall) -> None:
    hall.start("process: manual\ngrace: 1d")
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(DAY)
    ask(hall, "YES")
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    deadline_over(hall)  # Turkey has grace
    hall.order("TURKEY", "READY")
    hall.pass_time(DAY)
    assert len(hall.was_told(MASTER, ReadyToRun)) == 2  # once for each phase


def test_a_first_phase_that_waits_runs_at_the_masters_word(hall: Hall) -> None:
    hall.start("process: manual")
    hall.open_game("TURKEY")
    deadline_over(hall)
    assert hall.said(FRANCE, GameWaits).missing == ("TURKEY",)
    for address in (FRANCE, TURKEY, MASTER):
        assert "the phase runs when the game master says so" in flat(hall, address)
        assert "Turkey" in flat(hall, address)
        assert "last orders are in" not in flat(hall, address)


@pytest.mark.parametrize("absent", [True, False])
def test_phases_that_ran_by_hand_run_by_themselves_again(hall: Hall, absent: bool) -> None:
    hall.start("process: manual\ngrace: 0")
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(DAY)
    ask(hall, "YES")
    for power in POWERS[:-1] if absent else POWERS:
        hall.order(power, "READY")
    deadline_over(hall)
    assert label(hall) == "F1901M"
    ask(hall, "SET process automatic")
    if absent:
        timing = hall.game().timing
        assert timing is not None
        assert timing.deadline_at >= hall.instant + DAY
        assert hall.said(TURKEY, SettingsChanged).at == timing.deadline_at
        deadline_over(hall)
        assert hall.said(FRANCE, Results).missing == ("TURKEY",)
    hall.pass_time(MINUTE)
    assert label(hall) != "F1901M"


# --- the start by hand ----------------------------------------------------------------------------


def test_a_full_game_waits_for_its_master(hall: Hall) -> None:
    hall.create("start: manual")
    for power in POWERS[:-1]:
        hall.join(power)
    ask(hall, "START")
    assert hall.said(MASTER, Refusal).kind is RefusalKind.NOT_FULL
    hall.join("TURKEY")
    assert hall.game().status is Status.FORMING
    assert hall.said(FRANCE, Filling).event is FillingEvent.COMPLETE
    assert hall.said(MASTER, Filling).event is FillingEvent.TO_START
    ask(hall, "START")
    assert hall.said(MASTER, Done).deed is Deed.STARTED
    assert hall.game().status is Status.ACTIVE


def test_a_yes_begins_a_full_game(hall: Hall) -> None:
    hall.create("start: manual")
    for power in POWERS:
        hall.join(power)
    hall.pass_time(30 * DAY)
    ask(hall, "yes")
    assert hall.game().status is Status.ACTIVE


def test_who_leaves_a_full_game_makes_room(hall: Hall) -> None:
    hall.create("start: manual")
    for power in POWERS:
        hall.join(power)
    hall.order("TURKEY", "RESIGN")
    ask(hall, "START")
    assert hall.said(MASTER, Refusal).kind is RefusalKind.NOT_FULL
    hall.join("TURKEY")
    ask(hall, "SET AUTO START")  # which it now is, being full
    assert hall.game().status is Status.ACTIVE


@pytest.mark.parametrize("word", ["START balkan", "게임 시작", "ゲーム開始", "開始遊戲"])
def test_the_start_is_said_in_every_language(hall: Hall, word: str) -> None:
    hall.create("start: manual")
    for power in POWERS:
        hall.join(power)
    ask(hall, word)
    assert hall.game().status is Status.ACTIVE
