"""Players who are away as announced, and more time that players agree on."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.host.messages.command_answers import Away, BallotCast, Deed, Done
from judge.host.messages.game_events import (
    DeadlineMoved,
    MoveReason,
    Proposed,
    StandbyEvent,
    StandbyNotice,
)
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import SeatId
from judge.store import Status

from .conftest import POWERS, Hall, address_of
from .test_missing_players import all_but_turkey, begin, deadline, flat, label

HANA, MASTER = "hana@example.test", "gm@example.test"
FRANCE, TURKEY = address_of("FRANCE"), address_of("TURKEY")
SEAT = SeatId("TURKEY")
DAY = timedelta(days=1)


def reply(hall: Hall, address: str, body: str) -> None:
    hall.post(address, body, reply_to=hall.last(address))


def refused(hall: Hall, address: str) -> RefusalKind:
    return hall.said(address, Refusal).kind


# --- ABSENCE --------------------------------------------------------------------------------------

# Fall 1901 is due on 4 December 2026.
DAYS = {
    "en": "ABSENCE from 2 Dec to 6 Dec",
    "iso": "ABSENCE 2026-12-02 - 2026-12-06",
    "ko": "부재 12월 2일부터 12월 6일까지",
    "zh_Hant": "請假 12月2日到12月6日",
    "ja": "不在 12月2日から12月6日まで",
}


@pytest.mark.parametrize("written", DAYS.values(), ids=DAYS)
def test_a_deadline_waits_for_a_player_who_is_away(hall: Hall, written: str) -> None:
    begin(hall)
    due = deadline(hall)
    assert due.date().day == 4
    hall.order("TURKEY", "SET ZONE UTC")
    hall.order("TURKEY", written)
    away = hall.said(TURKEY, Away)
    assert away.start == datetime(2026, 12, 2, tzinfo=UTC)
    assert (away.end, away.days_left) == (datetime(2026, 12, 7, tzinfo=UTC), 9)
    assert deadline(hall) > away.end + timedelta(hours=12)
    assert deadline(hall).time() == due.time()
    assert hall.said(FRANCE, DeadlineMoved).reason is MoveReason.ABSENCE
    assert "NO ABSENCE TURKEY" in flat(hall, MASTER)


def test_a_deadline_that_moves_for_another_reason_waits_too(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "SET ZONE UTC")
    hall.order("TURKEY", "ABSENCE 6 Dec - 8 Dec")
    assert deadline(hall).date().day == 4
    hall.order("FRANCE", "PROPOSE PAUSE 3d")
    for power in ("ENGLAND", "ITALY", "RUSSIA"):
        hall.order(power, "VOTE YES")
    assert hall.said(FRANCE, DeadlineMoved).reason is MoveReason.PAUSE
    assert deadline(hall) > datetime(2026, 12, 9, 12, tzinfo=UTC)


def test_a_pause_that_is_agreed_while_the_game_is_on_hold_begins_after_it(hall: Hall) -> None:
    begin(hall)
    due = deadline(hall)
    hall.order("FRANCE", "PROPOSE PAUSE 3d")
    for power in ("ENGLAND", "ITALY"):
        hall.order(power, "VOTE YES")
    reply(hall, MASTER, "HOLD GAME Ann is ill")
    for power in ("TURKEY", "AUSTRIA"):  # the votes of three are enough without them
        reply(hall, MASTER, f"EJECT {power} silent")
        reply(hall, MASTER, "YES")
    assert deadline(hall) == due
    reply(hall, MASTER, "RESUME")
    assert hall.said(FRANCE, DeadlineMoved).reason is MoveReason.PAUSE
    assert deadline(hall) == due + 3 * DAY


def test_a_deadline_that_the_judge_slept_over_fits_the_game(hall: Hall) -> None:
    hall.start("movement: 48h\nnot on: Sat Sun")
    hall.order("TURKEY", "SET ZONE UTC")
    hall.order("TURKEY", "ABSENCE 6 Dec - 7 Dec")
    due = deadline(hall)
    assert due.date().day == 3  # a Thursday
    hall.instant = due + timedelta(hours=18)
    hall.excuse(due - timedelta(hours=6))
    assert hall.said(FRANCE, DeadlineMoved).reason is MoveReason.JUDGE_AWAY
    assert deadline(hall).date().day == 9  # neither on Saturday nor while Turkey is away


def test_the_deadline_of_a_phase_that_opens_later_waits_too(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "SET ZONE UTC")
    hall.order("TURKEY", "READY")
    hall.order("TURKEY", "ABSENCE 4 Dec - 8 Dec")
    assert not hall.was_told(FRANCE, DeadlineMoved)
    all_but_turkey(hall)
    hall.run_phase()
    assert label(hall) == "S1902M"
    assert deadline(hall) > datetime(2026, 12, 9, 12, tzinfo=UTC)


def test_whoever_has_ordered_already_moves_no_deadline(hall: Hall) -> None:
    begin(hall)
    due = deadline(hall)
    hall.order("TURKEY", "READY")
    hall.order("TURKEY", "ABSENCE 2 Dec - 6 Dec")
    assert deadline(hall) == due


def test_absences_beyond_the_games_limit_are_refused(hall: Hall) -> None:
    begin(hall, "absence: 5d")
    hall.order("TURKEY", "ABSENCE 1 Feb - 3 Feb")
    assert hall.said(TURKEY, Away).days_left == 2
    hall.order("TURKEY", "ABSENCE 10 Feb - 12 Feb")
    assert refused(hall, TURKEY) is RefusalKind.AWAY_TOO_LONG
    assert "2 days of absence left" in flat(hall, TURKEY)
    hall.order("TURKEY", "ABSENCE 2 Feb - 5 Feb")  # overlaps: five days together
    assert len(hall.game().seat(SEAT).absences) == 1


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("ABSENCE 03/04 - 05/04", RefusalKind.TWO_DAYS),
        ("ABSENCE sometime", RefusalKind.BAD_DAYS),
        ("ABSENCE 2026-11-01 - 2026-11-05", RefusalKind.PAST_TIME),
    ],
)
def test_days_that_cannot_be_meant_are_refused(hall: Hall, written: str, kind: RefusalKind) -> None:
    begin(hall)
    hall.order("TURKEY", written)
    assert refused(hall, TURKEY) is kind
    assert not hall.game().seat(SEAT).absences


@pytest.mark.parametrize(
    ("language", "written", "told"),
    [
        ("en", "VACATION sometime", "VACATION 24 Dec - 2 Jan"),
        ("ko", "휴가 03/04 - 05/04", "휴가 2027-"),
        ("ko", "부재 언젠가", '"부재 12월 24일~1월 2일"처럼'),
        ("ja", "不在 2d", "「不在 12月24日～1月2日」"),
        ("zh-Hant", "休假 03/04 - 05/04", "寫成「休假 2027-"),
    ],
)
def test_how_to_write_days_is_told_in_the_readers_words(
    hall: Hall, language: str, written: str, told: str
) -> None:
    begin(hall)
    hall.post(TURKEY, f"SET LANGUAGE {language}", reply_to=hall.last(TURKEY))
    hall.post(TURKEY, written, reply_to=hall.last(TURKEY))
    assert told in flat(hall, TURKEY)


def test_a_master_reads_how_to_take_an_absence_back_in_their_own_words(hall: Hall) -> None:
    begin(hall)
    hall.post(MASTER, "SET LANGUAGE ja", reply_to=hall.last(MASTER))
    hall.order("TURKEY", "ABSENCE 24 Dec - 2 Jan")
    assert "「不在取消 トルコ」" in flat(hall, MASTER)
    hall.post(MASTER, "不在取消 トルコ", reply_to=hall.last(MASTER))
    assert not hall.game().seat(SEAT).absences


@pytest.mark.parametrize(
    ("language", "written", "told"),
    [
        ("en", "ABSENCE 03/04 - 05/04", "3 Apr 2027 – 5 Apr 2027 or 4 Mar 2027 – 4 May 2027"),
        ("ko", "부재 03/04 - 05/04", "2027년 4월 3일 – 2027년 4월 5일"),
        ("zh-Hant", "請假 03/04 - 05/04", "2027年4月3日 – 2027年4月5日"),
        ("ja", "不在 03/04 - 05/04", "2027年4月3日 – 2027年4月5日"),
        ("zh-Hant", "我03/04到05/04不在", "2027年3月4日 – 2027年5月4日"),
    ],
)
def test_days_with_two_readings_are_refused_with_both(
    hall: Hall, language: str, written: str, told: str
) -> None:
    begin(hall)
    hall.order("TURKEY", f"SET LANGUAGE {language}")
    hall.order("TURKEY", written)
    assert told in flat(hall, TURKEY)
    assert " 2027-03-04 - 2027-05-04" in flat(hall, TURKEY)
    assert not hall.game().seat(SEAT).absences


@pytest.mark.parametrize(
    "sentence",
    [
        "我這週末出國，24號到26號不在",
        "１２月２４日到２６日我不在",
        "我12月24号到26号不在",
        "12/24から12/26まで旅行で不在です",
        "12月24日から26日まで留守にします",
    ],
)
def test_days_in_a_sentence_are_those_of_the_absence(hall: Hall, sentence: str) -> None:
    begin(hall)
    hall.order("TURKEY", "SET ZONE UTC")
    hall.order("TURKEY", sentence)
    if not hall.was_told(TURKEY, Away):
        assert hall.said(TURKEY, Refusal).values["nearest"] == "ABSENCE 2026-12-24 - 2026-12-26"
        reply(hall, TURKEY, "はい")
    away = hall.said(TURKEY, Away)
    assert (away.start.date().day, away.end.date().day) == (24, 27)


@pytest.mark.parametrize("command", ["ABSENCE", "VACATION"])
def test_the_status_lists_ones_own_days_of_absence(hall: Hall, command: str) -> None:
    begin(hall)
    hall.order("TURKEY", f"{command} 24 Dec - 2 Jan")
    hall.order("TURKEY", "STATUS")
    assert "You are away from 24 Dec 2026 to 2 Jan 2027." in flat(hall, TURKEY)
    hall.order("FRANCE", "STATUS")
    assert "You are away" not in flat(hall, FRANCE)
    hall.order("TURKEY", "NO ABSENCE")
    hall.order("TURKEY", "STATUS")
    assert "You are away" not in flat(hall, TURKEY)


def test_an_absence_is_taken_back(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "ABSENCE 1 Feb - 3 Feb")
    hall.order("TURKEY", "NO ABSENCE")
    assert hall.said(TURKEY, Done).deed is Deed.BACK
    hall.order("TURKEY", "ABSENCE 1 Feb - 3 Feb")
    reply(hall, MASTER, "NO ABSENCE TURKEY")
    assert hall.game().seat(SEAT).absences == ()


def test_a_vacation_is_noted_in_every_game(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "VACATION 1 Feb - 3 Feb")
    assert len(hall.was_told(TURKEY, Away)) == 1
    assert hall.game().seat(SEAT).absences
    hall.order("TURKEY", "NO VACATION")
    assert hall.game().seat(SEAT).absences == ()


def test_a_deadline_that_a_vacation_has_moved_stays_without_it(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "VACATION 2 Dec - 12 Dec")
    moved = deadline(hall)
    assert moved > datetime(2026, 12, 12, tzinfo=UTC)
    hall.order("TURKEY", "NO VACATION")
    assert deadline(hall) == moved
    assert "one that has moved stays where it is" in flat(hall, TURKEY)


def test_a_vacation_is_kept_without_a_game(hall: Hall) -> None:
    reader = address_of("TURKEY")
    hall.register(reader, "Turkey")
    hall.post(reader, "VACATION 2 Dec - 12 Dec", reply_to=hall.last(reader))
    assert "From 2 Dec 2026 to 12 Dec 2026 deadlines wait for you" in flat(hall, reader)
    hall.post(reader, "SET HOLIDAY 1 Feb - 3 Feb", reply_to=hall.last(reader))
    hall.create("absence: 12d", name="spring", master="other@example.test")
    for power in POWERS:
        hall.join(power, name="spring")
    spring = hall.game("spring")
    assert len(spring.seat(SEAT).absences) == 1  # the other one is beyond the limit
    assert spring.timing is not None
    assert spring.timing.deadline_at > datetime(2026, 12, 13, tzinfo=UTC)
    hall.post(reader, "휴가 취소", reply_to=hall.last(reader))
    assert hall.said(reader, Personal).kind is PersonalKind.NO_VACATION
    assert hall.game("spring").seat(SEAT).absences == ()
    with hall.database.read() as tx:
        player = tx.players.by_address(reader)
    assert player is not None
    assert player.vacations == ()


def test_a_vacation_covers_a_game_that_begins_inside_it(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "SET ZONE UTC")
    hall.order("TURKEY", "VACATION 2 Dec - 20 Dec")
    assert refused(hall, TURKEY) is RefusalKind.AWAY_TOO_LONG
    hall.order("TURKEY", "VACATION 2 Dec - 12 Dec")
    hall.order("FRANCE", "ABSENCE 2 Dec - 12 Dec")
    hall.create("absence: 12d", name="spring", master="other@example.test")
    for power in POWERS:
        hall.join(power, name="spring")
    spring = hall.game("spring")
    assert spring.status is Status.ACTIVE
    away = {seat.player: len(seat.absences) for seat in spring.seats}
    turkey, france = (hall.game().seat(SeatId(one)).player for one in ("TURKEY", "FRANCE"))
    assert (away[turkey], away[france]) == (1, 0)  # ABSENCE is for one game alone
    assert spring.timing is not None
    assert spring.timing.deadline_at > datetime(2026, 12, 13, tzinfo=UTC)


def test_a_masters_own_vacation_is_a_players(hall: Hall) -> None:
    begin(hall)
    hall.post(TURKEY, "CREATE alps\nopen: yes", reply_to=hall.last(TURKEY))
    letter = hall.last_answer(TURKEY)
    assert letter.game == "alps"
    hall.post(TURKEY, "VACATION 2 Dec - 20 Dec", reply_to=letter)
    assert refused(hall, TURKEY) is RefusalKind.AWAY_TOO_LONG
    assert hall.game().seat(SEAT).absences == ()
    hall.post(TURKEY, "VACATION 2 Dec - 12 Dec", reply_to=letter)
    assert not hall.said(TURKEY, Away).is_masters
    assert hall.said(MASTER, Away).seat == SEAT


def test_a_vacation_beyond_the_limit_of_a_new_game_is_none_there(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "VACATION 2 Dec - 12 Dec")
    hall.create("absence: 5d", name="spring", master="other@example.test")
    for power in POWERS:
        hall.join(power, name="spring")
    assert not any(seat.absences for seat in hall.game("spring").seats)


def test_a_standby_is_asked_where_deadlines_do_not_wait(hall: Hall) -> None:
    begin(hall, "on absence: standby")
    hall.register(HANA, "Hana")
    reply(hall, HANA, "STANDBY")
    due = deadline(hall)
    hall.order("TURKEY", "ABSENCE 2 Dec - 6 Dec")
    assert deadline(hall) == due
    assert hall.said(HANA, StandbyNotice).event is StandbyEvent.AWAY
    asked = " ".join(hall.text(hall.last(HANA)).split())
    assert "has announced an absence" in asked
    assert "missed the last deadline" not in asked
    reply(hall, HANA, "A CON - BUL")
    all_but_turkey(hall)
    hall.run_phase()
    with hall.database.transaction() as tx:
        ran = tx.phases.named("balkan", "F1901M")
    assert ran is not None
    assert [one.text for one in ran.order_sets[SEAT]] == ["A CON - BUL"]
    assert hall.instant <= due  # no grace for whoever is away
    assert (hall.game().seat(SEAT).misses, hall.game().seat(SEAT).player is None) == (0, False)


@pytest.mark.parametrize("on_absence", ["shift", "standby"])
def test_an_absence_from_a_game_without_deadlines_moves_none_and_calls_nobody(
    hall: Hall, on_absence: str
) -> None:
    hall.start(f"deadlines: none\non absence: {on_absence}")
    hall.register(HANA, "Hana")
    reply(hall, HANA, "STANDBY")
    hall.order("TURKEY", "ABSENCE 1 Dec - 9 Dec")
    text = flat(hall, TURKEY)
    assert "this game has no deadlines, so none moves." in text
    assert "deadlines wait" not in text
    assert "standby" not in text
    assert not hall.was_told(HANA, StandbyNotice)
    reply(hall, MASTER, "SET DEADLINE +2d")
    hall.order("TURKEY", "VACATION 1 Dec - 10 Dec")
    assert "no deadlines" not in flat(hall, TURKEY)


# --- more time ------------------------------------------------------------------------------------


def test_more_than_half_of_the_players_move_the_deadline(hall: Hall) -> None:
    begin(hall)
    due = deadline(hall)
    hall.order("TURKEY", "EXTEND 1 day")
    assert hall.said(TURKEY, BallotCast).is_new
    assert hall.said(FRANCE, Proposed).motion.needed == 4
    hall.order("FRANCE", "네 맞습니다")
    assert hall.said(FRANCE, BallotCast).motion.own is True
    hall.order("GERMANY", "No")
    hall.order("ITALY", "YES")
    assert deadline(hall) == due
    hall.order("RUSSIA", "YES")
    assert deadline(hall) == due + DAY
    assert hall.said(address_of("RUSSIA"), BallotCast).is_agreed
    assert hall.said(FRANCE, DeadlineMoved).reason is MoveReason.AGREED
    hall.order("ENGLAND", "EXTEND 3d")
    assert refused(hall, address_of("ENGLAND")) is RefusalKind.EXTENSION_TOO_LONG


def test_the_masters_yes_moves_the_deadline_at_once(hall: Hall) -> None:
    begin(hall)
    due = deadline(hall)
    hall.order("TURKEY", "EXTEND 1d")
    reply(hall, MASTER, "YES")
    assert deadline(hall) == due + DAY


def test_a_vote_for_more_time_lapses_with_its_phase(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "EXTEND 1d")
    question = hall.last(FRANCE)
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    due = deadline(hall)
    hall.post(FRANCE, "YES", reply_to=question)
    assert deadline(hall) == due
    assert refused(hall, FRANCE) is RefusalKind.EXPIRED


@pytest.mark.parametrize("settings", ["grace: 4d", "missing: wait", "process: manual\ngrace: 0"])
@pytest.mark.parametrize("wish", ["EXTEND 1d", "PROPOSE PAUSE 1d"])
def test_a_vote_for_time_that_is_over_moves_no_deadline(
    hall: Hall, settings: str, wish: str
) -> None:
    hall.start(settings)
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(timedelta(hours=1))
    if "manual" in settings:
        reply(hall, MASTER, "YES")
    due = deadline(hall)
    hall.order("TURKEY", wish)
    questions = {power: hall.last(address_of(power)) for power in POWERS[:-1]}
    hall.pass_time(due + 2 * DAY)
    for power, question in questions.items():
        hall.post(address_of(power), "YES", reply_to=question)
    moved = hall.was_told(FRANCE, DeadlineMoved)
    assert all(one.due.at > hall.instant for one in moved)
    if settings != "grace: 4d" or wish == "EXTEND 1d":
        assert (moved, deadline(hall)) == ([], due)
        assert refused(hall, FRANCE) is RefusalKind.EXPIRED


def test_without_votes_on_time_the_master_is_asked(hall: Hall) -> None:
    begin(hall, "extension: 0h")
    hall.order("TURKEY", "EXTEND 1d")
    assert not hall.was_told(FRANCE, Proposed)
    assert "EXTEND 1d" in hall.text(hall.last(MASTER))


def test_a_missing_player_holds_up_no_vote_and_shares_the_draw(hall: Hall) -> None:
    begin(hall)
    all_but_turkey(hall)
    hall.run_phase()
    while not label(hall).endswith("M"):
        hall.run_phase()
    for power in POWERS[:-1]:
        hall.order(power, "DRAW")
    assert hall.said(FRANCE, BallotCast).motion.needed == 6
    assert hall.game().status is Status.FINISHED
    assert SEAT in hall.game().winners


def test_an_earlier_deadline_leaves_a_day(hall: Hall) -> None:
    begin(hall)
    due = deadline(hall)
    hall.pass_time(timedelta(hours=1))
    reply(hall, MASTER, "SET DEADLINE in 20 hours")
    assert refused(hall, MASTER) is RefusalKind.TOO_SOON
    reply(hall, MASTER, "SET DEADLINE in 25 hours")
    question = hall.last_answer(MASTER)
    hall.pass_time(timedelta(hours=2))
    hall.post(MASTER, "YES", reply_to=question)
    assert refused(hall, MASTER) is RefusalKind.TOO_SOON
    assert deadline(hall) == due


@pytest.mark.parametrize(
    "line",
    [
        "ABSENCE FRANCE 3 Dec - 6 Dec",
        "absence for France from 3 Dec to 6 Dec",
        "부재 프랑스 12월 3일 - 12월 6일",
        "請假 法國 12月3日到12月6日",
        "不在 フランス 12月3日から12月6日まで",
        "프랑스는 12월 3일부터 12월 6일까지 부재입니다",
    ],
)
def test_the_master_notes_an_absence_for_a_player(hall: Hall, line: str) -> None:
    hall.start("absence: 1d")
    reply(hall, MASTER, line)
    assert len(hall.game().seat(SeatId("FRANCE")).absences) == 1  # beyond the limit
    text = " ".join(hall.text(hall.last_answer(MASTER)).split())
    assert "The absence is noted, and the player is told." in text
    assert "France is away from 3 Dec 2026 to 6 Dec 2026. NO ABSENCE FRANCE" in text
    (row,) = [one for one in hall.out if one.recipient == FRANCE and one.kind == "absence"]
    assert "The game's master has noted it for you." in hall.text(row)
    reply(hall, MASTER, "NO ABSENCE FRANCE")
    assert hall.said(FRANCE, Done).deed is Deed.BACK
    assert hall.game().seat(SeatId("FRANCE")).absences == ()


@pytest.mark.parametrize(
    ("writer", "line", "kind"),
    [
        (MASTER, "ABSENCE 3 Dec - 6 Dec", RefusalKind.NO_POWER),
        (MASTER, "ABSENCE ITALY 3 Dec - 6 Dec", RefusalKind.NOBODY_PLAYS),
        (MASTER, "ABSENCE FRANCE", RefusalKind.BAD_DAYS),
        (TURKEY, "ABSENCE FRANCE 3 Dec - 6 Dec", RefusalKind.NOT_MASTER),
    ],
)
def test_an_absence_is_of_ones_own_or_by_the_master(
    hall: Hall, writer: str, line: str, kind: RefusalKind
) -> None:
    hall.start()
    reply(hall, MASTER, "EJECT ITALY")
    reply(hall, MASTER, "yes")
    reply(hall, writer, line)
    assert refused(hall, writer) is kind
    assert not any(seat.absences for seat in hall.game().seats)


def test_a_master_who_is_away_is_not_asked_about_an_absence(hall: Hall) -> None:
    hall.start()
    reply(hall, MASTER, "I am away until Sunday")
    assert "VACATION 2026-12-06" in flat(hall, MASTER)
    assert "ABSENCE" not in flat(hall, MASTER)
