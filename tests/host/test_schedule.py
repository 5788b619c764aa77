"""The next deadline: a table that was checked by hand, and what the table cannot say."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from judge.host.schedules.dates import parse_holidays
from judge.host.schedules.schedule import (
    format_old_fields,
    next_deadline,
    next_deadlines,
    next_fitting,
)
from judge.host.schedules.scheduling import BadSchedule, parse_schedule
from judge.store import Holiday, Schedule

TABLE = (Path(__file__).parent / "deadlines.txt").read_text(encoding="utf-8")
LINE = re.compile(r"[!\s]*(\w{3} +\d+ \w{3} \d{4} \d\d:\d\d) (\w+) = (\w{3} \d\d:\d\d) UTC")
OFFSETS = {"GMT": 0, "BST": 1, "EST": -5, "EDT": -4, "KST": 9}
ZONES = {"GMT": "Europe/London", "BST": "Europe/London", "KST": "Asia/Seoul"}
HOUR = timedelta(hours=1)
DAY = 24 * HOUR
MONDAY = datetime(2026, 11, 9, 20, tzinfo=UTC)


def blocks() -> list[tuple[str, str]]:
    """Each schedule of the table: its first line, and all its lines."""
    return [
        (block.splitlines()[0], block)
        for block in re.sub(r"^#.*\n", "", TABLE, flags=re.M).split("\n\n")
        if block.startswith("schedule")
    ]


def schedule(written: str, holidays: tuple[Holiday, ...] = ()) -> Schedule:
    read = parse_schedule(written, 72 * HOUR)
    assert isinstance(read, Schedule), read
    return Schedule(
        length=read.length,
        shortest=read.shortest,
        clock=read.clock,
        zone=read.zone,
        days=read.days,
        holidays=holidays,
    )


def instant(written: str, zone: str) -> datetime:
    """A local time of the table by the zone's offset, without the machine's list of zones."""
    local = datetime.strptime(" ".join(written.split()), "%a %d %b %Y %H:%M")
    return (local - OFFSETS[zone] * HOUR).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "block", [each[1] for each in blocks()], ids=[each[0] for each in blocks()]
)
def test_the_deadlines_of_the_table(block: str) -> None:
    fields = dict(re.findall(r"^(\w+): (.*)$", block, re.M))
    holidays = parse_holidays(fields["holidays"]) if "holidays" in fields else ()
    assert holidays is not None
    first, zone = fields["from"].rsplit(maxsplit=1)
    expected = LINE.findall(block)
    assert len(expected) > 1
    last, deadlines = instant(first, zone), []
    for _ in expected:
        # It runs some seconds late, as phases do.
        found = next_deadline(schedule(fields["schedule"], holidays), last + 5 * HOUR / 3600, last)
        assert found is not None
        deadlines.append(found)
        last = found
    assert deadlines == [instant(local, zone) for local, zone, _ in expected]
    assert [f"{at:%a %H:%M}" for at in deadlines] == [utc for _, _, utc in expected]
    for at, (local, short, _) in zip(deadlines, expected, strict=True):
        assert f"{at + OFFSETS[short] * HOUR:%a}" == local[:3]


def test_a_phase_that_ran_late_leaves_the_next_deadline_where_it_was() -> None:
    daily = schedule("24h at 20:00")
    for late in (0, 1, 600, 7 * 3600):
        ran_at = MONDAY + timedelta(seconds=late)
        assert next_deadline(daily, ran_at, MONDAY) == MONDAY + DAY
    assert next_deadline(schedule("24h"), MONDAY + 5 * HOUR, MONDAY) == MONDAY + DAY


def test_nobody_has_less_than_the_shortest_time() -> None:
    late = MONDAY + 13 * HOUR
    assert next_deadline(schedule("24h at 20:00"), late, MONDAY) == MONDAY + 2 * DAY
    assert next_deadline(schedule("24h"), late, MONDAY) == late + 12 * HOUR
    assert next_deadline(schedule("24h min 20"), late, MONDAY) == late + 20 * HOUR
    assert next_deadline(schedule("every day 20:00 min 24"), MONDAY, MONDAY) == MONDAY + DAY
    assert next_deadline(schedule("every day 20:00"), MONDAY - 11 * HOUR) == MONDAY + DAY
    assert next_deadline(schedule("every day 20:00"), MONDAY - 12 * HOUR) == MONDAY


def test_a_day_with_the_least_time_is_kept_when_the_clocks_go_forward() -> None:
    london = schedule("every day 20:00 Europe/London min 24")
    saturday = datetime(2026, 3, 28, 20, tzinfo=UTC)
    assert next_deadline(london, saturday, saturday) == saturday + 23 * HOUR


def test_a_phase_that_ran_early_is_followed_by_no_earlier_deadline() -> None:
    early = MONDAY - 50 * HOUR
    assert next_deadline(schedule("24h"), early, MONDAY) == MONDAY
    assert next_deadline(schedule("72h"), early, MONDAY) == early + 72 * HOUR
    assert next_deadline(schedule("every Mon Wed Fri 20:00"), early, MONDAY) == MONDAY
    assert next_deadline(schedule("every Mon Wed Fri 20:00"), MONDAY - HOUR, MONDAY) == (
        MONDAY + 2 * DAY
    )


def test_a_day_in_lower_case_takes_deadlines_in_the_afternoon_alone() -> None:
    saturday = MONDAY - 2 * DAY
    morning = schedule("clock 600 next 24 days -MTWTFs")
    assert next_deadline(morning, saturday - 34 * HOUR) == MONDAY - 10 * HOUR
    evening = schedule("clock 1200 next 24 days -MTWTFs")
    assert next_deadline(evening, saturday - DAY) == saturday
    any_time = schedule("clock -1 next 24 days smtwtfs")
    assert next_deadline(any_time, MONDAY - 34 * HOUR) == MONDAY - 8 * HOUR


def test_a_schedule_that_leaves_no_day_has_no_deadline() -> None:
    whole_year = parse_holidays("1 Jan - 31 Dec")
    assert whole_year is not None
    assert next_deadline(schedule("24h", whole_year), MONDAY) is None
    assert next_deadlines(schedule("24h", whole_year), MONDAY, 3) == ()


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("every Mon Wed Fri 20:00 UTC", "clock 1200 min 12 next 0 days -M-W-F-"),
        ("72h at 20:00 not on Sat Sun", "clock 1200 min 12 next 72 days -MTWTF-"),
        ("48h", "clock -1 min 12 next 48 days SMTWTFS"),
        ("1d 12h at least 6h", "clock -1 min 6 next 36 days SMTWTFS"),
        ("매주 월수금 오후 8시 UTC", "clock 1200 min 12 next 0 days -M-W-F-"),
        ("72시간 20:00, 토 일 제외", "clock 1200 min 12 next 72 days -MTWTF-"),
        ("每週一三五 晚上八點 UTC", "clock 1200 min 12 next 0 days -M-W-F-"),
        ("72小時 20:00，星期六、日除外", "clock 1200 min 12 next 72 days -MTWTF-"),
        ("毎週月水金 20時 UTC", "clock 1200 min 12 next 0 days -M-W-F-"),
        ("72時間 20:00、土日を除く", "clock 1200 min 12 next 72 days -MTWTF-"),
    ],
)
def test_words_and_the_old_fields_say_the_same(words: str, fields: str) -> None:
    read = schedule(words)
    assert format_old_fields(read) == fields
    assert next_deadlines(schedule(fields), MONDAY, 5) == next_deadlines(read, MONDAY, 5)


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("every Mon Sat 20:00 not on Sat Sun", ("every Mon Sat", "not on Sat Sun")),
        ("48h\n72h", ("48h", "72h")),
        ("24h min 48", ("24h", "min 48")),
        ("every Mon 48h", ("every Mon", "48h")),
        ("clock 1200\nclock 600", ("clock 1200", "clock 600")),
        ("every Mon Wed days -M-W-F-", ("every Mon Wed", "days -M-W-F-")),
        ("every blue moon", ()),
        ("clock 1500", ()),
        ("every Mon at 9", ()),
        ("days MTWTFSS", ()),
        ("not on Mon-Sun", ()),
        ("48h Mars/Crater", ()),
    ],
)
def test_a_schedule_that_contradicts_itself_names_both_parts(
    written: str, parts: tuple[str, ...]
) -> None:
    assert parse_schedule(written, 72 * HOUR) == BadSchedule(parts)


def test_the_zones_of_the_table_are_the_machines() -> None:
    for name, zone in ZONES.items():
        at = datetime(2026, 7 if name == "BST" else 1, 1, tzinfo=ZoneInfo(zone))
        assert (at.tzname(), at.utcoffset()) == (name, OFFSETS[name] * HOUR)


@pytest.mark.parametrize(
    ("written", "day"),
    [("every day 18:00 Europe/Paris", 27), ("2 days, weekdays, Europe/Paris", 26)],
)
def test_a_deadline_that_moves_by_days_keeps_its_time_when_the_clocks_change(
    written: str, day: int
) -> None:
    paris = ZoneInfo("Europe/Paris")
    before = datetime(2027, 3, day, 18, tzinfo=paris).astimezone(UTC)
    later = (29 - day) * DAY
    assert next_fitting(schedule(written), before, later) == datetime(2027, 3, 29, 18, tzinfo=paris)
