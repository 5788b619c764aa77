"""Who may ask a phase to wait, WAIT that stands for every phase, orders that are complete with some
left out, and how often somebody has been late."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.game_events import GameOver, LateNotice
from judge.host.messages.games import GameStatus
from judge.host.messages.order_answers import OrdersAnswer
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import OPENINGS, POWERS, Hall, address_of
from .test_customs import flat
from .test_ends import all_agree, replaced
from .test_playing import FALL, to_fall
from .test_rules import process

FRANCE, ITALY = address_of("FRANCE"), address_of("ITALY")
MASTER = "gm@example.test"
SOON = timedelta(hours=2)
# Only Germany and France have units to build after these orders.
TO_BUILDS = {"GERMANY": "A KIE - HOL\nA RUH H\nF DEN H", "FRANCE": "A SPA - POR\nA BUR H\nF MAO H"}


def label(hall: Hall) -> str:
    phase = hall.game().phase
    assert phase is not None
    return phase.label


def all_ordered(hall: Hall, *but: str) -> None:
    for power in POWERS:
        if power not in but:
            hall.order(power, FALL[power])


# --- WAIT in every phase --------------------------------------------------------------------------


def test_wait_always_holds_every_phase_until_it_is_taken_back(hall: Hall) -> None:
    hall.start()
    hall.order("ITALY", "WAIT ALWAYS")
    assert hall.said(ITALY, Done).deed is Deed.WAIT_ALWAYS
    hall.open_game()
    hall.run_phase()
    assert hall.game().seat("ITALY").wait  # type: ignore[arg-type]
    all_ordered(hall)
    hall.pass_time(timedelta(days=1))
    assert label(hall) == "F1901M"
    hall.order("ITALY", "NO WAIT")
    assert hall.said(ITALY, Done).deed is Deed.NO_WAIT_NOW
    hall.pass_time(SOON)
    assert label(hall) == "W1901A"
    assert hall.game().seat("ITALY").wait  # type: ignore[arg-type]
    hall.order("ITALY", "NO WAIT ALWAYS")
    seat = hall.game().seat("ITALY")  # type: ignore[arg-type]
    assert (seat.wait, seat.prefers_wait) == (False, False)


@pytest.mark.parametrize("written", ["PREFER WAIT", "항상 기다림", "いつも待って", "總是等候"])
def test_wait_always_is_said_in_every_language(hall: Hall, written: str) -> None:
    hall.start()
    hall.order("ITALY", written)
    assert hall.game().seat("ITALY").prefers_wait  # type: ignore[arg-type]


def test_who_takes_a_seat_does_not_inherit_its_wait(hall: Hall) -> None:
    hall.start()
    hall.order("ITALY", "WAIT ALWAYS")
    hall.post("gm@example.test", "EJECT ITALY gone", reply_to=hall.last("gm@example.test"))
    hall.post("gm@example.test", "YES", reply_to=hall.last("gm@example.test"))
    hall.post("ben@example.test", "JOIN balkan ITALY", name="Ben")
    hall.post("ben@example.test", "YES", reply_to=hall.last("ben@example.test"))
    seat = hall.game().seat("ITALY")  # type: ignore[arg-type]
    assert seat.player is not None
    assert (seat.wait, seat.prefers_wait) == (False, False)


def test_wait_always_is_refused_where_no_phase_waits(hall: Hall) -> None:
    hall.start("waits: nobody")
    hall.order("ITALY", "WAIT ALWAYS")
    assert hall.said(ITALY, Refusal).kind is RefusalKind.NO_WAIT_NOBODY
    assert not hall.game().seat("ITALY").prefers_wait  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "kind"),
    [("", RefusalKind.NO_WAIT_PASSED), ("process: manual", RefusalKind.NO_WAIT_MASTER)],
)
def test_wait_is_refused_when_the_deadline_has_passed(
    hall: Hall, line: str, kind: RefusalKind
) -> None:
    hall.start(line)
    hall.open_game("ITALY")
    hall.order("FRANCE", "WAIT")
    hall.pass_time(timedelta(days=4))
    assert label(hall) == "S1901M"
    hall.order("FRANCE", "STATUS")
    assert "You said WAIT" not in flat(hall, FRANCE)
    hall.order("FRANCE", "WAIT")
    assert "The deadline has passed: WAIT comes too late." in flat(hall, FRANCE)
    assert hall.said(FRANCE, Refusal).kind is kind


@pytest.mark.parametrize("line", ["WAIT", "WAIT ALWAYS"])
def test_without_deadlines_a_phase_is_not_told_to_wait_for_one(hall: Hall, line: str) -> None:
    hall.start("deadlines: no")
    hall.order("FRANCE", line)
    assert hall.said(FRANCE, Done).deed is Deed.WAIT_UNDATED
    assert "for its deadline" not in flat(hall, FRANCE)
    for body in ("STATUS", OPENINGS["FRANCE"], "READY"):
        hall.order("FRANCE", body)
        assert "for its deadline" not in flat(hall, FRANCE)


# --- who may --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "power", "kind"),
    [
        ("waits: due", "ITALY", RefusalKind.NO_WAIT_DUE),
        ("STRICT_WAIT", "GERMANY", None),
        ("waits: main", "GERMANY", RefusalKind.NO_WAIT_MAIN),
        ("NO_MINOR_WAIT", "ITALY", RefusalKind.NO_WAIT_MAIN),
        ("waits: nobody", "GERMANY", RefusalKind.NO_WAIT_NOBODY),
        ("waits: anyone", "ITALY", None),
    ],
)
def test_the_settings_say_who_may_ask_the_builds_to_wait(
    hall: Hall, line: str, power: str, kind: RefusalKind | None
) -> None:
    to_fall(hall, line)
    for each in POWERS:
        hall.order(each, TO_BUILDS.get(each, "READY"))
    hall.run_phase()
    assert label(hall) == "W1901A"
    hall.order(power, "WAIT")
    assert hall.game().seat(power).wait is (kind is None)  # type: ignore[arg-type]
    if kind is not None:
        assert hall.said(address_of(power), Refusal).kind is kind
    before = flat(hall, address_of("GERMANY"))
    hall.order("GERMANY", "STATUS")
    assert ("Reply WAIT" in flat(hall, address_of("GERMANY"))) <= (kind is None), before


def test_a_wait_of_before_counts_no_more_when_the_master_forbids_it(hall: Hall) -> None:
    to_fall(hall)
    hall.order("ITALY", "WAIT")
    all_ordered(hall)
    hall.pass_time(SOON)
    assert label(hall) == "F1901M"
    master = "gm@example.test"
    hall.post(master, "SET waits nobody", reply_to=hall.last(master))
    hall.pass_time(SOON)
    assert label(hall) == "W1901A"


def test_in_main_phases_wait_counts_where_others_do_not_wait(hall: Hall) -> None:
    to_fall(hall, "waits: main")
    hall.order("ITALY", "WAIT")
    all_ordered(hall)
    hall.pass_time(SOON)
    assert label(hall) == "F1901M"


def test_the_settings_show_what_is_not_usual(hall: Hall) -> None:
    hall.start("waits: due\nunordered: complete\nlate count: yes\nscoring: carnage")
    begun = flat(hall, FRANCE)
    assert "Ask to wait: those who have orders to send in the phase" in begun
    assert "Partial orders: count as complete; units without an order hold" in begun
    assert "Late notices: tell how often each has been late" in begun
    assert "Points: by places, from 1000 for the last up" in begun


# --- complete with some left out ------------------------------------------------------------------


@pytest.mark.parametrize(("line", "runs"), [("", False), ("DEFAULT_UNORDERED", True)])
def test_one_order_is_enough_where_the_game_has_it(hall: Hall, line: str, runs: bool) -> None:
    to_fall(hall, line)
    all_ordered(hall, "FRANCE")
    hall.order("FRANCE", "A SPA - POR")
    assert hall.said(FRANCE, OrdersAnswer).is_enough is runs
    assert ("In this game your orders count as complete" in flat(hall, FRANCE)) is runs
    hall.pass_time(SOON)
    assert (label(hall) == "W1901A") is runs


def test_nothing_at_all_is_still_missing(hall: Hall) -> None:
    to_fall(hall, "unordered: complete")
    all_ordered(hall, "FRANCE")
    hall.pass_time(SOON)
    assert label(hall) == "F1901M"


# --- how often late -------------------------------------------------------------------------------


def test_late_notices_count_where_the_game_has_it(hall: Hall) -> None:
    to_fall(hall, "LATE_COUNT")
    all_ordered(hall, "FRANCE", "ITALY")
    hall.pass_time(timedelta(days=3))
    notice = hall.said(address_of("TURKEY"), LateNotice)
    assert (notice.late, notice.times) == (("FRANCE", "ITALY"), (1, 1))
    hall.order("ITALY", "READY")
    hall.run_phase()
    hall.run_phase()
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "READY")
    hall.pass_time(timedelta(days=3, hours=1))
    assert hall.said(address_of("TURKEY"), LateNotice).times == (3,)  # the builds too
    told = "How often each has been late in this game: France 3."
    assert told in flat(hall, address_of("TURKEY"))


# --- points ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scoring", "france", "italy"),
    [("solo", 0, 0), ("carnage", 5004, 1503), ("draw_size", 100 / 7, 100 / 7)],
)
def test_a_draw_gives_points_by_the_scoring(
    hall: Hall, scoring: str, france: float, italy: float
) -> None:
    replaced(hall, f"scoring: {scoring}")
    all_agree(hall)
    over = hall.said(FRANCE, GameOver)
    scores = hall.game().scores
    assert (scores["FRANCE"], scores["RUSSIA"]) == (4, 4), scores  # type: ignore[index]
    assert over.points["FRANCE"] == pytest.approx(france), over.points  # type: ignore[index]
    assert over.points["ITALY"] == pytest.approx(italy)  # type: ignore[index]


@pytest.mark.parametrize("scoring", ["solo", "carnage", "squares", "draw_size"])
def test_a_concession_gives_all_to_the_winner(hall: Hall, scoring: str) -> None:
    hall.start(f"scoring: {scoring}")
    hall.open_game()
    process(hall)
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "CONCEDE TO FRANCE")
    points = hall.said(FRANCE, GameOver).points
    total = 28022 if scoring == "carnage" else 100
    assert points["FRANCE"] == pytest.approx(total)  # type: ignore[index]
    assert sum(points.values()) == pytest.approx(total)


def test_a_wait_counts_no_more_when_the_settings_forbid_it(hall: Hall) -> None:
    hall.start()
    hall.open_game("FRANCE")
    hall.order("FRANCE", f"{OPENINGS['FRANCE']}\nWAIT")
    hall.post(MASTER, "SET waits: nobody", reply_to=hall.last(MASTER))
    told = " ".join(hall.text(hall.last(FRANCE)).split())
    lost = "You had asked this phase to wait for its deadline. Under the new settings that no"
    assert lost in told
    assert lost not in " ".join(hall.text(hall.last(ITALY)).split())
    hall.order("FRANCE", "STATUS")
    assert not hall.said(FRANCE, GameStatus).wait
    assert "You said WAIT" not in hall.text(hall.last(FRANCE))
    hall.order("FRANCE", "A PAR H")
    assert not hall.said(FRANCE, OrdersAnswer).wait
    hall.post(MASTER, "STATUS", reply_to=hall.last(MASTER))
    assert "asked the phase to wait" not in hall.text(hall.last(MASTER))
    hall.post(MASTER, "PROCESS S1901M", reply_to=hall.last(MASTER))
    assert label(hall) == "F1901M"  # nobody waits, so nothing is asked back


def test_during_a_pause_no_letter_promises_an_early_run(hall: Hall) -> None:
    to_fall(hall)
    hall.order("FRANCE", "PROPOSE PAUSE 3d")
    for power in ("ITALY", "GERMANY", "ENGLAND"):
        hall.order(power, "VOTE YES 1")
    hall.order("FRANCE", FALL["FRANCE"])
    assert "complete sooner" not in flat(hall, FRANCE)
    hall.pass_time(timedelta(days=3))
    hall.order("FRANCE", FALL["FRANCE"])
    assert "complete sooner" in flat(hall, FRANCE)


# --- READY with no deadline ahead -----------------------------------------------------------------


@pytest.mark.parametrize("lines", ["deadlines: none", "missing: wait", "grace: 2d"])
def test_ready_with_no_deadline_ahead_speaks_of_none(hall: Hall, lines: str) -> None:
    to_fall(hall, lines)
    if lines != "deadlines: none":
        hall.pass_time(timedelta(days=3, hours=1))
    hall.order("ITALY", "READY")
    assert label(hall) == "F1901M"
    assert hall.said(ITALY, Done).deed is Deed.READY_PASSED
    assert "before its deadline" not in flat(hall, ITALY)
