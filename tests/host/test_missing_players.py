"""What a game does about a player who sends nothing, by the policy that its master has chosen, and
who sees what of the seats meanwhile."""

import json
from datetime import datetime, timedelta

import pytest

from judge.host.messages.command_answers import Created
from judge.host.messages.game_events import (
    DeadlineMoved,
    GameWaits,
    LateNotice,
    MoveReason,
    Reminder,
    Results,
)
from judge.host.messages.games import GameStatus
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import SeatId
from judge.store import Status

from .conftest import POWERS, Hall, address_of
from .sight import units_in

MASTER, STRANGER = "gm@example.test", "stranger@else.test"
FRANCE, TURKEY = address_of("FRANCE"), address_of("TURKEY")
SEAT = SeatId("TURKEY")
DAY = timedelta(days=1)


def begin(hall: Hall, lines: str = "") -> None:
    """The game after its first phase, which waits for everybody."""
    hall.start(lines)
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()


def to_retreat_of_turkey(hall: Hall, lines: str) -> None:
    """Spring 1902 has run, in which Russia took Ankara, whose fleet can go to Constantinople."""
    hall.start(lines)
    for russia, turkey in (
        ("F SEV - BLA\nA MOS - SEV", ""),
        ("A SEV - ARM", ""),
        ("F BLA - ANK\nA ARM S F BLA - ANK", "A CON - BUL"),
    ):
        for power in POWERS:
            lines = {"RUSSIA": russia, "TURKEY": turkey}.get(power, "")
            hall.order(power, f"{lines}\nREADY")
        hall.run_phase()


def all_but_turkey(hall: Hall) -> None:
    for power in POWERS[:-1]:
        hall.order(power, "READY")


def deadline(hall: Hall) -> datetime:
    timing = hall.game().timing
    assert timing is not None
    return timing.deadline_at


def label(hall: Hall) -> str:
    phase = hall.game().phase
    assert phase is not None
    return phase.label


def flat(hall: Hall, address: str) -> str:
    return " ".join(hall.text(hall.last(address)).split())


# --- policies -------------------------------------------------------------------------------------


def test_a_game_that_waits_runs_as_soon_as_the_orders_come(hall: Hall) -> None:
    begin(hall, "missing: wait")
    all_but_turkey(hall)
    hall.pass_time(deadline(hall) + 10 * DAY)
    assert label(hall) == "F1901M"
    assert hall.said(FRANCE, GameWaits).missing == ("TURKEY",)
    assert "a phase does not run without anybody's orders" in flat(hall, TURKEY)
    hall.order("TURKEY", "A CON H")
    hall.run_phase()
    assert hall.game().seat(SEAT).misses == 0


@pytest.mark.parametrize("lines", ["see_late: nobody", "blind: yes"])
def test_that_only_the_first_phase_waits_is_told_where_nobody_sees_who_is_late(
    hall: Hall, lines: str
) -> None:
    hall.start(lines)
    all_but_turkey(hall)
    hall.pass_time(deadline(hall) + DAY)
    assert not hall.said(FRANCE, GameWaits).missing
    for reader in (FRANCE, TURKEY):
        assert "the phase runs when the last orders are in." in flat(hall, reader)
        assert "In this game a phase does not run" not in flat(hall, reader)


@pytest.mark.parametrize(
    ("begun", "lines", "told"),
    [
        (False, "", "If nothing comes from you, the game waits for your orders."),
        (True, "missing: wait", "If nothing comes from you, the game waits for your orders."),
        (True, "missing: caretaker", "If nothing comes from you, the computer gives your orders"),
        (True, "", "If you send nothing more: all your units hold."),
    ],
)
def test_what_follows_without_orders_is_what_the_game_does(
    hall: Hall, begun: bool, lines: str, told: str
) -> None:
    hall.start(lines)
    if begun:
        for power in POWERS:
            hall.order(power, "READY")
        hall.run_phase()
    hall.order("FRANCE", "A PAR - BUR")
    assert "If you send nothing more: A PAR - BUR runs" in flat(hall, FRANCE)
    hall.order("FRANCE", "CLEAR")
    assert told in flat(hall, FRANCE)
    hall.pass_time(deadline(hall) - timedelta(hours=20))
    assert hall.said(TURKEY, Reminder).order_set == ()
    for reader in (FRANCE, TURKEY):
        assert told in flat(hall, reader)


def test_a_game_without_deadlines_waits_for_orders_that_are_left_out(hall: Hall) -> None:
    hall.start("deadlines: no")
    hall.order("FRANCE", "A PAR - BUR")
    assert "If nothing comes from you, the game waits for your orders." in flat(hall, FRANCE)


def test_who_has_nothing_to_send_is_told_so_in_grace(hall: Hall) -> None:
    to_retreat_of_turkey(hall, "")
    hall.pass_time(deadline(hall) + timedelta(hours=1))
    assert hall.said(TURKEY, Reminder).due.in_grace
    hall.order("FRANCE", "A PAR - BUR")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOTHING_DUE


def test_results_name_no_time_where_there_is_no_deadline(hall: Hall) -> None:
    to_retreat_of_turkey(hall, "deadlines: no")
    subject = hall.text(hall.last(TURKEY)).splitlines()[0]
    assert subject == "[Judge] balkan S1902M results: F ANK dislodged"


def test_a_vacant_seat_does_not_hold_up_a_game_that_waits(hall: Hall) -> None:
    begin(hall, "missing: wait")
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    all_but_turkey(hall)
    hall.run_phase()
    assert label(hall) == "S1902M"


def test_who_is_away_as_announced_needs_no_excuse(hall: Hall) -> None:
    begin(hall, "excused: 1\non absence: standby")
    hall.order("TURKEY", f"ABSENCE {deadline(hall):%Y-%m-%d}")
    all_but_turkey(hall)
    hall.pass_time(deadline(hall) + timedelta(hours=1))
    assert label(hall) == "S1902M"
    seat = hall.game().seat(SEAT)
    assert (seat.excused, seat.misses) == (0, 0)


@pytest.mark.parametrize(
    ("lines", "master", "turkey"),
    [
        ("missing: wait", "", "RESIGN"),
        ("missing: wait", "DUMMY TURKEY", ""),
        ("deadlines: none", "", "RESIGN"),
    ],
)
def test_a_retreat_of_a_player_who_leaves_holds_up_no_game_that_waits(
    hall: Hall, lines: str, master: str, turkey: str
) -> None:
    to_retreat_of_turkey(hall, lines)
    assert label(hall) == "S1902R"
    hall.pass_time(5 * DAY)
    assert label(hall) == "S1902R"
    if master:
        hall.post(MASTER, master, reply_to=hall.last(MASTER))
        hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))
    else:
        hall.order("TURKEY", turkey)
        hall.order("TURKEY", "YES")
    hall.pass_time(DAY)
    assert label(hall) == "F1902M"


def test_without_orders_the_seat_is_vacant_at_once_and_every_letter_before_says_so(
    hall: Hall,
) -> None:
    begin(hall, "missing: vacant")
    all_but_turkey(hall)
    hall.run_phase()
    reminders = [row for row in hall.out if row.recipient == TURKEY and row.kind == "reminder"]
    assert hall.was_told(TURKEY, Reminder)[-1].is_last_chance
    for row in reminders[-2:]:
        told = " ".join(hall.text(row).split())
        assert "your seat becomes vacant and open to others." in told
        assert "second movement phase" not in told
    assert hall.game().seat(SEAT).player is None
    assert "Your seat is vacant now." in hall.text(hall.last(TURKEY))
    hall.order("TURKEY", "A CON H")
    assert hall.game().seat(SEAT).player is not None


def test_holds_only_has_no_grace_and_takes_no_seat(hall: Hall) -> None:
    begin(hall, "missing: hold")
    for _ in range(3):
        all_but_turkey(hall)
        due = deadline(hall)
        hall.run_phase()
        assert hall.instant <= due
        results = hall.said(TURKEY, Results)
        assert not results.vacated
        assert "civil disorder" not in flat(hall, TURKEY)
    assert hall.game().seat(SEAT).player is not None
    assert not hall.was_told(FRANCE, LateNotice)


def test_the_caretaker_defends_and_is_told(hall: Hall) -> None:
    begin(hall, "missing: caretaker")
    all_but_turkey(hall)
    hall.run_phase()
    with hall.database.transaction() as tx:
        ran = tx.phases.named("balkan", "F1901M")
    assert ran is not None
    orders = [line.text for line in ran.order_sets[SEAT]]
    assert len(orders) == 3
    assert all(" - " not in order for order in orders)
    assert "the computer gave your units orders that only defend" in flat(hall, TURKEY)
    assert "No orders came for Turkey, so the computer gave some" in flat(hall, FRANCE)
    assert hall.game().seat(SEAT).misses == 1


def test_excused_extensions_are_counted_for_each_player(hall: Hall) -> None:
    begin(hall, "missing: vacant\nexcused: 1")
    due = deadline(hall)
    all_but_turkey(hall)
    hall.pass_time(due)
    assert deadline(hall) == due + DAY
    assert hall.said(FRANCE, DeadlineMoved).reason is MoveReason.EXCUSED
    told = flat(hall, TURKEY)  # no reminder would follow, so it stands in this letter
    assert "your seat becomes vacant" in told
    hall.order("TURKEY", "READY")
    hall.run_phase()
    while not label(hall).endswith("M"):
        hall.run_phase()
    due = deadline(hall)
    all_but_turkey(hall)
    hall.pass_time(due)
    assert deadline(hall) == due
    assert hall.game().seat(SEAT).excused == 1


@pytest.mark.parametrize(
    "lines",
    ["missing: wait\ngrace: 1d", "missing: hold\ngrace: 1d", "missing: wait\nexcused: 2"],
)
def test_policies_that_contradict_other_settings_are_refused_with_both_named(
    hall: Hall, lines: str
) -> None:
    hall.create(lines)
    (fault,) = hall.said(MASTER, Created).faults
    first, second = lines.split("\n")
    assert (f"{fault.name}: {fault.written}", fault.known) == (first, (second,))
    assert hall.game().status is Status.DRAFT


# --- who sees what --------------------------------------------------------------------------------

READERS = {"nobody": (), "master": (MASTER,), "players": (MASTER, FRANCE)}
READERS["everybody"] = (MASTER, FRANCE, STRANGER)


@pytest.mark.parametrize("sight", READERS)
@pytest.mark.parametrize("fact", ["late", "ordered", "waiting"])
def test_a_fact_is_seen_by_those_whom_the_table_names(hall: Hall, fact: str, sight: str) -> None:
    begin(hall, f"see_{fact}: {sight}")
    all_but_turkey(hall)
    hall.order("ENGLAND", "WAIT")
    hall.pass_time(deadline(hall) + timedelta(hours=1))  # in grace
    field = {"late": "late", "ordered": "owing", "waiting": "waiters"}[fact]
    names = ("ENGLAND",) if fact == "waiting" else ("TURKEY",)
    for reader in (MASTER, FRANCE, STRANGER):
        if reader == STRANGER:
            hall.post(reader, "LIST balkan")
        else:
            hall.post(reader, "STATUS", reply_to=hall.last(reader))
        seen = getattr(hall.said(reader, GameStatus), field)
        assert seen == (names if reader in READERS[sight] else None)
    told = {one for one in (MASTER, FRANCE, TURKEY) if hall.was_told(one, LateNotice)}
    assert told == ({MASTER, FRANCE} & {*READERS[sight]} if fact == "late" else {MASTER, FRANCE})
    assert hall.was_told(TURKEY, Reminder)[-1].due.in_grace


def test_who_was_silent_in_autumn_builds_in_winter(hall: Hall) -> None:
    """Rules that the books leave open: civil disorder lasts as long as the silence."""
    hall.start("grace: 0")
    hall.open_game()
    hall.run_phase()
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "READY")
    hall.run_phase()
    hall.order("FRANCE", "Build A Paris")
    hall.run_phase()
    state = hall.game().state
    assert state is not None
    assert ("FRANCE", "A", "PAR") in units_in(json.loads(state))


@pytest.mark.parametrize(("line", "runs"), [("grace: 1d", True), ("process: manual", False)])
def test_late_orders_are_told_to_each_as_they_concern_them(
    hall: Hall, line: str, *, runs: bool
) -> None:
    hall.start(line)
    hall.open_game()
    hall.post(MASTER, "PROCESS S1901M", reply_to=hall.last(MASTER))
    hall.order("FRANCE", "READY")
    hall.pass_time(timedelta(days=3, hours=2))
    assert hall.was_told(FRANCE, LateNotice)
    player, master = (" ".join(hall.text(hall.last(one)).split()) for one in (FRANCE, MASTER))
    assert ("then the phase runs without them" in player) is runs
    assert "You have nothing to do; your orders stand." in player
    assert "Grace ends: " in master
    assert "your orders stand" not in master
