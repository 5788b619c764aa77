"""A master's hand on the deadline and on the phase, and what everybody is told of it."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.host.messages.command_answers import ConfirmAsked, Deed, Done
from judge.host.messages.game_events import DeadlineMoved
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import POWERS, START, Hall, address_of

FRANCE = address_of("FRANCE")
MASTER = "gm@example.test"
DAY = timedelta(days=1)
DUE = START + 3 * DAY  # Friday 4 December, 12:00 UTC


def deadline(hall: Hall) -> datetime:
    timing = hall.game().timing
    assert timing is not None
    return timing.deadline_at


def ask(hall: Hall, body: str) -> None:
    hall.post(MASTER, body, reply_to=hall.last(MASTER), offset=0)


@pytest.fixture
def running(hall: Hall) -> Hall:
    hall.start()
    ask(hall, "SET ZONE UTC")
    assert deadline(hall) == DUE
    return hall


@pytest.mark.parametrize("written", ["Thu 3 Dec 12:00", "2026-12-04 11:30 UTC", "Thursday"])
def test_an_earlier_deadline_is_asked_back(running: Hall, written: str) -> None:
    ask(running, f"SET DEADLINE {written}")
    assert running.said(MASTER, ConfirmAsked).what == "deadline"
    assert deadline(running) == DUE
    assert not running.was_told(FRANCE, DeadlineMoved)
    asked = running.said(MASTER, ConfirmAsked).at
    ask(running, "YES")
    assert deadline(running) == asked
    assert len(running.was_told(FRANCE, DeadlineMoved)) == 1


def test_the_master_sees_both_deadlines_before_saying_yes(running: Hall) -> None:
    ask(running, "SET DEADLINE Thu 3 Dec 12:00")
    told = running.text(running.last_answer(MASTER))
    assert "Reply YES to make the deadline earlier." in told
    assert "Thu 3 Dec 2026, 12:00" in told
    assert "Due: Fri 4 Dec 2026, 12:00" in told


def test_yes_to_an_earlier_deadline_counts_for_its_phase_alone(running: Hall) -> None:
    ask(running, "SET DEADLINE Thu 3 Dec 12:00")
    question = running.last_answer(MASTER)
    for power in POWERS:
        running.order(power, "READY")
    running.run_phase()
    before = deadline(running)
    running.post(MASTER, "YES", reply_to=question)
    assert running.said(MASTER, Refusal).kind is RefusalKind.EXPIRED
    assert deadline(running) == before


def test_a_later_deadline_needs_no_question(running: Hall) -> None:
    ask(running, "SET DEADLINE +1d")
    assert deadline(running) == DUE + DAY
    assert len(running.was_told(FRANCE, DeadlineMoved)) == 1


@pytest.mark.parametrize(
    ("written", "day"),
    [("Saturday", 5), ("Sat 5 Dec", 5), ("2026-12-09", 9), ("Tuesday", 8)],
)
def test_a_day_without_a_time_keeps_the_time_of_day(running: Hall, written: str, day: int) -> None:
    running.pass_time(timedelta(hours=3))  # Tuesday, 15:00
    ask(running, f"SET DEADLINE {written}")
    assert deadline(running) == datetime(2026, 12, day, 12, 0, tzinfo=UTC)


def test_a_time_of_midnight_is_taken_as_written(running: Hall) -> None:
    ask(running, "SET DEADLINE Sat 5 Dec 00:00")
    assert deadline(running) == datetime(2026, 12, 5, 0, 0, tzinfo=UTC)


def test_the_same_deadline_again_mails_nobody(running: Hall) -> None:
    ask(running, "SET DEADLINE Friday")
    assert running.said(MASTER, Done).deed is Deed.DEADLINE_SAME
    assert not running.was_told(FRANCE, DeadlineMoved)


def test_in_grace_the_end_of_grace_is_what_moves(running: Hall) -> None:
    for power in POWERS[1:]:
        running.order(power, "READY")
    running.pass_time(4 * DAY)
    running.order("AUSTRIA", "READY")
    running.run_phase()
    timing = running.game().timing
    assert timing is not None
    running.pass_time(timing.deadline_at + timedelta(minutes=1))
    timing = running.game().timing
    assert timing is not None
    assert timing.grace_until is not None
    ask(running, "SET DEADLINE +1h")
    assert deadline(running) == timing.grace_until + timedelta(hours=1)


def test_a_vacant_seat_is_told_apart_from_a_silent_player(running: Hall) -> None:
    for power in POWERS:
        running.order(power, "READY")
    running.run_phase()
    running.order("TURKEY", "RESIGN")
    running.order("TURKEY", "YES")
    ask(running, "PROCESS F1901M")
    ask(running, "YES")
    told = " ".join(running.text(running.last(FRANCE)).split())
    assert "Nobody plays Turkey, which was in civil disorder for this phase" in told
    assert "Turkey sent nothing" not in told
