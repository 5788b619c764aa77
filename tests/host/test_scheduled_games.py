"""Games by a schedule, as their masters write it and their players read it."""

from datetime import UTC, date, datetime, timedelta

import pytest

from judge.host.games.choosing import choose_settings
from judge.host.messages.command_answers import Created, JoinAsked
from judge.host.messages.game_events import Results
from judge.host.messages.games import GameStatus
from judge.store import EVERY_DAY, Holiday, Status

from .conftest import OPENINGS, POWERS, START, Hall, address_of

FRANCE = address_of("FRANCE")
MASTER = "gm@example.test"
BY_WEEKDAY = "movement: every Mon Wed Fri 20:00 Europe/London"
DAILY = "movement: 24h at 20:00 London\nretreat: 24h\nnot on: Sat Sun\nholidays: 24 Dec - 2 Jan"


def deadline(hall: Hall) -> datetime:
    timing = hall.game().timing
    assert timing is not None
    return timing.deadline_at


def at(month: int, day: int, hour: int = 20) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


def faults(hall: Hall, lines: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    hall.create(lines)
    return [(one.kind, one.name, one.written, one.known) for one in _created(hall).faults]


def _created(hall: Hall) -> Created:
    return hall.said(MASTER, Created)


def test_a_game_goes_by_the_days_of_its_schedule(hall: Hall) -> None:
    hall.start(BY_WEEKDAY)  # on Tuesday, 1 December, 12:00
    assert deadline(hall) == at(12, 2)
    hall.open_game()
    hall.order("FRANCE", "WAIT")
    hall.pass_time(at(12, 2) + timedelta(minutes=5))
    assert hall.game().phase is not None
    assert deadline(hall) == at(12, 4)
    status = _status(hall, FRANCE)
    assert status.coming == (at(12, 7), at(12, 9), at(12, 11))


def _status(hall: Hall, address: str) -> GameStatus:
    hall.post(address, "STATUS", reply_to=hall.last(address))
    return hall.said(address, GameStatus)


def test_weekends_and_holidays_have_no_deadline(hall: Hall) -> None:
    hall.instant = at(12, 18, 12)  # a Friday
    hall.start(DAILY)
    assert deadline(hall) == at(12, 21)
    after = datetime(2027, 1, 4, 20, tzinfo=UTC)
    assert _status(hall, FRANCE).coming == (at(12, 22), at(12, 23), after)


def test_grace_is_followed_by_the_next_deadline_of_the_schedule(hall: Hall) -> None:
    hall.start(f"{BY_WEEKDAY}\ngrace: 24h")
    hall.open_game()
    hall.pass_time(at(12, 4) + timedelta(minutes=5))
    hall.open_game("ITALY")
    due = deadline(hall)
    hall.pass_time(due + timedelta(hours=1))
    timing = hall.game().timing
    assert timing is not None
    assert timing.grace_until == due + timedelta(hours=24)


def test_grace_ends_on_a_day_of_the_schedule_where_it_is_not_strict(hall: Hall) -> None:
    hall.start(f"{BY_WEEKDAY}\ngrace: 24h\nno strict grace")
    assert "it ends on a day on which deadlines fall" in hall.text(hall.last(FRANCE))
    hall.open_game()
    hall.pass_time(at(12, 4) + timedelta(minutes=5))
    hall.open_game("ITALY")
    due = deadline(hall)
    hall.pass_time(due + timedelta(hours=1))
    timing = hall.game().timing
    assert timing is not None
    assert timing.grace_until is not None
    assert timing.grace_until > due + timedelta(hours=24)
    assert timing.grace_until.weekday() in (0, 2, 4)


def test_players_read_the_schedule_and_the_next_deadlines_in_their_zone(hall: Hall) -> None:
    hall.create(BY_WEEKDAY)
    hall.post(FRANCE, "JOIN balkan FRANCE", name="France", offset=540)
    assert hall.said(FRANCE, JoinAsked).coming == (at(12, 2), at(12, 4), at(12, 7))
    told = hall.text(hall.last(FRANCE))
    assert "every Mon, Wed and Fri; at 20:00, London (Europe/London)" in " ".join(told.split())
    assert "Deadlines of the next moves, if the game began now:" in told
    assert "Thu 3 Dec 2026, 05:00 in Tokyo (Wed 2 Dec, 20:00 UTC)" in told


def test_a_master_sees_the_schedule_in_words_and_in_the_old_fields(hall: Hall) -> None:
    movement = "movement: 72h at 20:00 Europe/London min 24"
    hall.create(f"{movement}\nnot on: Sat Sun\nholidays: 24 Dec - 2 Jan")
    told = " ".join(hall.text(hall.last(MASTER)).split())
    assert "3 days; not on Sat and Sun; at 20:00, London (Europe/London); at least 1 day" in told
    assert "Holidays: 24 Dec - 2 Jan" in told
    assert "clock 1200 min 24 next 72 grace 24 delay 0.5 days -MTWTF-" in told


def test_the_old_judges_lines_make_the_same_schedule(hall: Hall) -> None:
    hall.create(
        "SET MOVE CLOCK 1200 MIN 24 NEXT 72 GRACE 48 DELAY 1 DAYS -MTWTF-\nzone: Europe/London"
    )
    settings = hall.game().settings
    assert hall.game().status is Status.FORMING
    old = settings.schedules["movement"]
    assert (old.clock, old.length, old.days) == (1200, timedelta(hours=72), "-MTWTF-")
    assert (old.grace, old.delay) == (timedelta(hours=48), timedelta(hours=1))


def test_a_schedule_without_a_zone_is_in_the_masters(hall: Hall) -> None:
    hall.register(MASTER, "Grace Master")
    hall.post(MASTER, "SET ZONE Seoul", reply_to=hall.last(MASTER))
    hall.post(MASTER, "CREATE balkan\nmovement: every Fri 21:00", reply_to=hall.last(MASTER))
    assert _created(hall).coming[0] == at(12, 4, 12)
    assert hall.game().settings.schedules[""].zone == "Asia/Seoul"


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (
            "movement: every Mon Sat 20:00\nnot on: Sat Sun",
            ("contradiction", "movement", "every Mon Sat 20:00", ("not on: Sat Sun",)),
        ),
        (
            "movement: every Mon Sat not on Sat",
            ("contradiction", "movement", "every Mon Sat", ("not on Sat",)),
        ),
        ("movement: 48h\nmovement: 72h", ("contradiction", "movement", "48h", ("72h",))),
        (
            "movement: 48h\nmoves: 72h",
            ("contradiction", "moves", "72h", ("movement: 48h",)),
        ),
        ("press: white\npress: grey", ("contradiction", "press", "white", ("press: grey",))),
        ("movement: 24h\nmin: 48h", ("contradiction", "movement", "24h", ("min: 48h",))),
        (
            "movement: 24h\nretreat: 12h\nadjustment: 12h\nreminder: 24h",
            ("contradiction", "reminder", "24h", ("movement: 24h",)),
        ),
        (
            "holidays: 1 Jan - 1 Mar, 1 Mar - 29 Apr, 29 Apr - 27 Jun, 27 Jun - 25 Aug, "
            "25 Aug - 23 Oct, 23 Oct - 21 Dec, 21 Dec - 1 Jan",
            ("contradiction", "holidays", "", ("movement",)),
        ),
        ("at: 09:00\ndays: -mtwtf-", ("contradiction", "at", "09:00", ("days: -mtwtf-",))),
        ("holidays: 03/04", ("two_readings", "holidays", "03/04", ("3 Apr", "4 Mar"))),
        ("not on: Foo", ("bad_schedule", "not on", "Foo", ("Sat Sun", "weekends"))),
    ],
)
def test_settings_that_contradict_each_other_are_refused_with_both(
    hall: Hall, lines: str, fault: tuple[str, str, str, tuple[str, ...]]
) -> None:
    (kind, name, written, known), *_ = faults(hall, lines)
    assert (kind, name) == fault[:2]
    assert written.startswith(fault[2])
    assert known[: len(fault[3])] == fault[3]
    assert hall.game().status is Status.DRAFT
    told = " ".join(hall.text(hall.last(MASTER)).split())
    assert fault[3][0] in told


@pytest.mark.parametrize(
    ("language", "lines", "told"),
    [
        (
            "ko",
            "게임 만들기 spring\n이동: 매주 월수금 오후 8시\n제외: 토 일\n휴일: 12월 24일~1월 2일",
            "이동: 매주 월, 수, 금; 20:00",
        ),
        (
            "zh-Hant",
            "建立遊戲 spring\n移動: 每週一三五 晚上八點\n不含: 星期六、日\n假期: 12月24日至1月2日",
            "移動：每週一、週三、週五；20:00",
        ),
        (
            "ja",
            "ゲーム作成 spring\n移動: 毎週月水金 20時\n除く: 土日\n休日: 12月24日～1月2日",
            "移動：毎週月、水、金；20:00",
        ),
    ],
)
def test_a_schedule_is_written_and_read_in_the_masters_language(
    hall: Hall, language: str, lines: str, told: str
) -> None:
    hall.register(MASTER, "Grace Master")
    hall.post(MASTER, f"SET LANGUAGE {language}", reply_to=hall.last(MASTER))
    hall.post(MASTER, lines, reply_to=hall.last(MASTER))
    settings = hall.game("spring").settings
    assert settings.schedules["movement"].days == "-M-W-F-"
    assert settings.schedules["movement"].clock == 1200
    assert settings.schedules[""].days == "-MTWTF-"
    assert settings.schedules[""].holidays == (
        Holiday(date(2000, 12, 24), date(2000, 1, 2), yearly=True),
    )
    assert told in hall.text(hall.last(MASTER))


def test_a_length_alone_stays_what_it_was(hall: Hall) -> None:
    chosen = choose_settings(hall.config.defaults, {"movement": "3 days"})
    assert chosen.settings.schedules == {}
    assert chosen.settings.lengths["movement"] == timedelta(days=3)
    hall.start("movement: 3d")
    assert deadline(hall) == START + timedelta(days=3)
    assert _status(hall, FRANCE).coming == ()
    assert EVERY_DAY == "SMTWTFS"


def test_a_deadline_that_was_announced_stays_when_a_phase_runs_early(hall: Hall) -> None:
    hall.start(BY_WEEKDAY)
    for power in POWERS:
        hall.order(power, f"{OPENINGS[power]}\nREADY")
    hall.run_phase()
    assert hall.instant < at(12, 2)
    assert deadline(hall) == at(12, 2)
    due = hall.said(FRANCE, Results).due
    assert due is not None
    assert due.kept
    assert "the deadline that was announced for it stays" in " ".join(
        hall.text(hall.last(FRANCE)).split()
    )
