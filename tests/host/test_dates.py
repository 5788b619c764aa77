"""Dates as people write them: read, or refused with what they may mean."""

import tomllib
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from judge.host.messages.command_answers import ConfirmAsked, Created
from judge.host.messages.game_events import DeadlineMoved
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.host.schedules.date_grammar import parsed
from judge.host.schedules.dates import (
    BadTime,
    holiday_readings,
    holiday_text,
    parse_days,
    parse_holidays,
    parse_time,
    weekdays_in_tree,
)
from judge.store import Holiday

from .conftest import Hall, address_of

CASES = tomllib.loads((Path(__file__).parent / "dates.toml").read_text(encoding="utf-8"))
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)  # a Tuesday
BASE = datetime(2026, 12, 4, 12, tzinfo=UTC)
MASTER = "gm@example.test"


def read(written: str, zone: str, now: datetime = NOW) -> str:
    """The instant in UTC, or the fault with the readings."""
    found = parse_time(written, now, zone, BASE)
    if isinstance(found, BadTime):
        return " | ".join([found.kind, *(at.strftime("%Y-%m-%d %H:%M") for at in found.readings)])
    return found.strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("zone", "written", "meant"),
    [(zone, *case) for zone, table in CASES.items() for case in table.items()],
)
def test_a_time_is_read_or_refused_with_its_readings(zone: str, written: str, meant: str) -> None:
    assert read(written, zone) == meant


def test_a_date_without_a_year_is_the_next_one_unless_that_is_far() -> None:
    assert read("3 Jan 20:00", "UTC") == "2027-01-03 20:00"
    assert read("30 Nov 20:00", "UTC") == "past | 2026-11-30 20:00 | 2027-11-30 20:00"


def test_a_weekday_is_the_next_such_day_today_included() -> None:
    assert read("Tue 20:00", "UTC") == "2026-12-01 20:00"
    assert read("Tue 11:00", "UTC") == "2026-12-08 11:00"
    assert read("this Monday 20:00", "UTC") == "past | 2026-11-30 20:00"


def test_days_without_a_year_come_every_year() -> None:
    christmas = Holiday(date(2000, 12, 24), date(2000, 1, 2), yearly=True)
    for written in ("24 Dec - 2 Jan", "Dec 24 to Jan 2", "12월 24일~1월 2일", "12月24日から1月2日"):
        assert parse_holidays(written) == (christmas,)
    once = Holiday(date(2026, 12, 24), date(2027, 1, 2))
    assert parse_holidays("2026-12-24 - 2027-01-02, 1 May") == (
        once,
        Holiday(date(2000, 5, 1), date(2000, 5, 1), yearly=True),
    )
    assert parse_holidays("24-26 Dec") == parse_holidays("12月24日至26日")
    for unreadable in ("03/04", "31 Feb", "2027-01-02 - 2026-12-24", "soon", ""):
        assert parse_holidays(unreadable) is None


@pytest.mark.parametrize(
    "written", ["Sat Sun", "Saturday and Sunday", "weekends", "토 일", "토일", "주말", "星期六、日"]
)
def test_days_of_the_week_are_read_in_every_language(written: str) -> None:
    tree = parsed("week", written)
    assert tree is not None
    assert weekdays_in_tree(tree) == frozenset({5, 6})


@pytest.mark.parametrize(
    ("written", "readings"),
    [
        ("03/04", ["3 Apr", "4 Mar"]),
        ("03/04 - 05/04", ["3 Apr - 5 Apr", "4 Mar - 4 May"]),
        ("1 May, 03/04", ["1 May, 3 Apr", "1 May, 4 Mar"]),
        ("03/04/2027", ["2027-04-03", "2027-03-04"]),
        ("24/12", ["24 Dec"]),
        ("04/04", ["4 Apr"]),
        ("13/14", []),
    ],
)
def test_holidays_in_figures_have_all_their_readings(written: str, readings: list[str]) -> None:
    found = holiday_readings(written)
    assert [", ".join(map(holiday_text, one)) for one in found] == readings
    for text in readings:
        assert parse_holidays(text) in found


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("holidays: 03/04", "3 Apr or 4 Mar"),
        ("휴일: 03/04", "3 Apr"),
        ("假日: 03/04", "3 Apr"),
        ("休日: 03/04", "3 Apr"),
    ],
)
def test_holidays_that_can_be_read_in_two_ways_are_refused_with_both(
    hall: Hall, line: str, said: str
) -> None:
    hall.create(line)
    (fault,) = hall.said("gm@example.test", Created).faults
    assert (fault.name, fault.kind, fault.known) == ("holidays", "two_readings", ("3 Apr", "4 Mar"))
    assert said in hall.text(hall.last("gm@example.test"))


@pytest.mark.parametrize(
    ("written", "kind", "told"),
    [
        ("03/04 20:00", RefusalKind.TWO_TIMES, "Thu 4 Mar 2027, 20:00 in London"),
        ("tomorrow at 9", RefusalKind.TWO_TIMES, "Wed 2 Dec 2026, 09:00 in London"),
        ("28 Mar 2027 01:30", RefusalKind.GAP_TIME, "Sun 28 Mar 2027, 02:30 in London"),
        ("31 Oct 2027 01:30", RefusalKind.TWICE_TIME, "written as 2027-10-31 01:30 UTC"),
        ("Fri 5 Dec 20:00", RefusalKind.WRONG_WEEKDAY, "Sat 5 Dec 2026, 20:00 in London"),
        ("2026-11-03 20:00", RefusalKind.PAST_TIME, "Tue 3 Nov 2026, 20:00 in London"),
        ("31 Feb 20:00", RefusalKind.NO_SUCH_TIME, "No month has that day"),
        ("soonish", RefusalKind.BAD_TIME, "Write it as 2026-12-05 20:00"),
    ],
)
def test_a_deadline_that_is_not_clear_is_refused_with_its_readings(
    hall: Hall, written: str, kind: RefusalKind, told: str
) -> None:
    hall.start()
    hall.post(MASTER, "SET ZONE London", reply_to=hall.last(MASTER))
    hall.post(MASTER, f"SET DEADLINE {written}", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Refusal).kind is kind
    assert told in " ".join(hall.text(hall.last(MASTER)).split())
    assert not hall.was_told(address_of("FRANCE"), DeadlineMoved)


@pytest.mark.parametrize(
    ("language", "written", "told"),
    [
        ("ko", "마감 변경 내일 9시", "언제를 뜻합니까? 바뀐 것은 없습니다."),
        ("zh-Hant", "更改截止時間 明天九點", "您指的是哪個時間？什麼都沒有改變。"),
        ("ja", "締切変更 03/04 20:00", "どの日時ですか。何も変わっていません。"),
    ],
)
def test_an_unclear_deadline_is_asked_about_in_the_masters_language(
    hall: Hall, language: str, written: str, told: str
) -> None:
    hall.start()
    hall.post(MASTER, f"SET LANGUAGE {language}", reply_to=hall.last(MASTER))
    hall.post(MASTER, written, reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Refusal).kind is RefusalKind.TWO_TIMES
    assert told in hall.text(hall.last(MASTER))


@pytest.mark.parametrize("written", ["明天晚上九點", "내일 오후 9시", "明日21時", "tomorrow 9pm"])
def test_a_deadline_is_set_in_words_of_any_language(hall: Hall, written: str) -> None:
    hall.start("movement: 4d")
    hall.post(MASTER, "SET ZONE UTC", reply_to=hall.last(MASTER))
    hall.post(MASTER, f"SET DEADLINE {written}", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, ConfirmAsked).at == datetime(2026, 12, 2, 21, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "first", "last"),
    [
        ("24 Dec - 2 Jan", "2026-12-24", "2027-01-02"),
        ("2026/12/24～2027/1/2", "2026-12-24", "2027-01-02"),
        ("12/24から1/2まで", "2026-12-24", "2027-01-02"),  # no month 24: the month stands first
        ("24/12 - 2/1", "2026-12-24", "2027-01-02"),
        ("24號到26號", "2026-12-24", "2026-12-26"),
        ("12月30日から2日まで", "2026-12-30", "2027-01-02"),
        ("十二月二十四日至一月二日", "2026-12-24", "2027-01-02"),
        ("24일부터 26일까지", "2026-12-24", "2026-12-26"),
        ("tomorrow", "2026-12-02", "2026-12-02"),
        ("明天到後天", "2026-12-02", "2026-12-03"),
        ("Mon - Wed", "2026-12-07", "2026-12-09"),
        ("今週末", "2026-12-05", "2026-12-06"),
        ("24 Dec - 2 Jan 2028", "2027-12-24", "2028-01-02"),
    ],
)
def test_days_of_an_absence_are_the_next_that_are_not_over(
    written: str, first: str, last: str
) -> None:
    assert parse_days(written, NOW.date()) == (
        (date.fromisoformat(first), date.fromisoformat(last)),
    )


def test_days_that_have_begun_are_not_over() -> None:
    span = (date(2026, 11, 24), date(2026, 12, 2))
    assert parse_days("24 Nov - 2 Dec", NOW.date()) == (span,)
    assert parse_days("24日から2日まで", NOW.date()) == (span,)


def test_days_are_read_in_two_ways_or_in_none() -> None:
    assert parse_days("03/04 - 05/04", NOW.date()) == (
        (date(2027, 4, 3), date(2027, 4, 5)),
        (date(2027, 3, 4), date(2027, 5, 4)),
    )
    assert len(parse_days("next Friday", NOW.date())) == 2
    for unreadable in ("31 Feb", "2027-01-02 - 2026-12-24", "soon", ""):
        assert parse_days(unreadable, NOW.date()) == ()
