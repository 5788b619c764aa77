"""Dates and days as people write them, in four languages, read by a strict grammar; never a guess.

What does not fit the grammar is unreadable; what can mean two things is refused with both,
as values (`BadTime`).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from enum import StrEnum
from functools import partial
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from lark import Token, Tree

from judge.clock import DURATION_DAYS_MOST, parse_duration
from judge.host.letters.registering import find_zone
from judge.host.schedules.date_grammar import amounts, any_of, by_word, parsed, plain
from judge.host.schedules.schedule import readings
from judge.store import Holiday

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
NOON, MIDNIGHT = 12 * HOUR, 24 * HOUR
EVENING = 5 * HOUR  # `9 at night` is 21:00; `2 at night` may be of the day after
FAR = timedelta(days=183)  # a date without a year that is further away may have been the last one
YEARS = range(1970, 3000)
DAY_FIRST, MONTH_FIRST = slice(None, None, -1), slice(None)  # of `03/04`
A_LEAP_YEAR = 2000  # of days that come every year
BETWEEN = re.compile(r"\bbetween\s+(.+?)\s+and\s+(.+)", re.IGNORECASE)
STROKE = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/(\d{4}))?(?![\d/])")


class TimeFault(StrEnum):
    """Why a written time is no instant, and what its readings are."""

    UNREADABLE = "unreadable"  # none
    NO_SUCH_DAY = "no_such_day"  # 31 Feb, 25:00: none
    TWO_READINGS = "two_readings"  # 03/04, `tomorrow at 9`, `next Friday`: all
    GAP = "gap"  # daylight saving leaves it out: by the offset after and before the change
    TWICE = "twice"  # daylight saving has it twice: both
    WRONG_WEEKDAY = "wrong_weekday"  # `Fri 5 Dec`, a Saturday: that day, and the Friday beside it
    PAST = "past"  # it; of a date without a year also next year's


class BadTime(msgspec.Struct, frozen=True):
    """A written time that is not taken, and the instants that it may mean, UTC."""

    kind: TimeFault
    readings: tuple[datetime, ...] = ()


def parse_time(
    written: str, now: datetime, zone: str, base: datetime | None = None
) -> datetime | BadTime:
    """The instant after `now`, aware, UTC, of `2026-12-05 20:00`, `Sat 5 Dec 20:00`, `20:00 UTC`,
    `tomorrow 9pm`, `in two days`, `+2d` or `내일 오후 9시`.

    Without a zone it is the writer's; without a date the next such time. `base` is the instant that
    is to change: `+2d` counts from it (at the earliest from now), and a day without a time keeps
    its time of day.
    """
    tree = parsed("time", written)
    if tree is None:
        return BadTime(TimeFault.UNREADABLE)
    try:
        said = items_of_time(tree)
        if said.is_duration:
            start = now if base is None or said.from_base is None else max(base, now)
            return (start + (said.from_base or said.from_now or DAY * 0)).replace(microsecond=0)
        place = said.place or ZoneInfo(zone)
        today = now.astimezone(place).date()
        days, step = _possible_days(said, today)
        times = times_of_day(said, base.astimezone(place) if base else None)
    except NoSuchDay:
        return BadTime(TimeFault.NO_SUCH_DAY)
    except (ValueError, OverflowError):
        return BadTime(TimeFault.UNREADABLE)
    meant = [
        datetime.combine(day, time()) + past_midnight for day, past_midnight in product(days, times)
    ]
    if step and len(meant) == 1 and max(readings(meant[0], place)) <= now:
        meant = [meant[0] + step]
    instants = tuple(sorted({at for local in meant for at in readings(local, place)}))
    coming = tuple(at for at in instants if at > now)
    if said.dates and said.weekday is not None and days[0].weekday() != said.weekday:
        return BadTime(TimeFault.WRONG_WEEKDAY, instants)
    if not coming or (said.dates and days[0] < today):
        return BadTime(TimeFault.PAST, instants)
    if len(meant) == 1 and len(instants) > 1:
        is_left_out = instants[0].astimezone(place).replace(tzinfo=None) != meant[0]
        return BadTime(TimeFault.GAP if is_left_out else TimeFault.TWICE, instants)
    return coming[0] if len(coming) == 1 else BadTime(TimeFault.TWO_READINGS, coming)


def parse_holidays(written: str) -> tuple[Holiday, ...] | None:
    """The days and ranges of `24 Dec - 2 Jan, 1 May` or `2026-12-24 - 2027-01-02`; those without a
    year come every year. None if they cannot be read, or may be read in two ways."""
    tree = parsed("days", written)
    if tree is None:
        return None
    try:
        return tuple(_holiday(node) for node in tree.children if isinstance(node, Tree))
    except (NoSuchDay, ValueError):
        return None


def holiday_readings(written: str) -> tuple[tuple[Holiday, ...], ...]:
    """The two ways in which `03/04` of holidays can be read; else one or none."""
    texts = (
        STROKE.sub(partial(_spell_out_date, order), written) for order in (DAY_FIRST, MONTH_FIRST)
    )
    return tuple(dict.fromkeys(filter(None, map(parse_holidays, texts))))


def _spell_out_date(order: slice, figures: re.Match[str]) -> str:
    """`3 Apr` of `03/04`, or it itself where there is no such month."""
    month, day = figures.group(1, 2)[order]
    if not 1 <= int(month) <= 12:
        return figures[0]
    return f"{int(day)} {date(A_LEAP_YEAR, int(month), 1):%b} {figures[3] or ''}".rstrip()


def holiday_text(holiday: Holiday) -> str:
    """As it is written so that it has one reading: `3 Apr`, `2026-12-24 - 2027-01-02`."""
    if not holiday.yearly:
        return format_days(holiday.first, holiday.last)
    ends = dict.fromkeys(f"{one.day} {one:%b}" for one in (holiday.first, holiday.last))
    return " - ".join(ends)


def parse_days(written: str, today: date) -> tuple[tuple[date, date], ...]:
    """The first and the last of the days in `24 Dec - 2 Jan`, `24號到26號` or `tomorrow`; of days
    without a year or a month the next that are not over.

    Two such pairs where a text can be read in two ways (`03/04 - 05/04`), none where in no way.
    """
    tree = parsed("away", written)
    if tree is None:
        return ()
    found: dict[tuple[date, date], None] = {}
    for order in (DAY_FIRST, MONTH_FIRST):
        with suppress(NoSuchDay, ValueError):
            found |= dict.fromkeys(_day_ranges(tree, today, order))
    return tuple(found)


def parse_past_days(written: str, earliest: date, today: date) -> tuple[tuple[date, date], ...]:
    """The first and the last day of `from 1 Mar to 1 Apr`, `since 3 March` (up to `today`), `before
    Friday` (from `earliest` on) or `어제`; of days without a year or a month the last that began.

    Two such pairs where a text can be read in two ways (`since 03/04`), none where in no way.
    """
    text = BETWEEN.sub(r"\1 to \2", unicodedata.normalize("NFKC", written))
    since, up_to = (re.compile(any_of(by_word(item)), re.IGNORECASE) for item in ("since", "up_to"))
    tree = parsed("away", text) or parsed("away", up_to.sub(" ", since.sub(" ", text)))
    if tree is None:
        return ()
    is_one = tree.data == "away" and len(tree.children) == 1
    found: dict[tuple[date, date], None] = {}
    for order in (DAY_FIRST, MONTH_FIRST):
        with suppress(NoSuchDay, ValueError):
            for first, last in _first_and_last_dates(tree, today, today - 6 * DAY, order):
                bound = date.min if first[0] else date(today.year - 1, 1, 1)
                start = max(day for day in _fitting(first, bound) if day <= today)
                end = today if is_one and since.search(text) else next(_fitting(last, start), None)
                if is_one and up_to.search(text) and not since.search(text):
                    start, end = earliest, start
                if end is not None:
                    found[start, end] = None
    return tuple(found)


def format_days(first: date, last: date) -> str:
    """Days as they are written: `2026-12-24 - 2027-01-02`."""
    return f"{first}" if first == last else f"{first} - {last}"


# --- what is said ---------------------------------------------------------------------------------


class NoSuchDay(Exception):
    """31 Feb, 25:00."""


_Date = tuple[int | None, int | None, int]  # year, month, day


@dataclass(slots=True)
class Said:
    """The items of a written time; each at most once.

    `dates` are the readings of one date; `times` those of a time of day, from midnight on.
    """

    dates: tuple[_Date, ...] = ()
    weekday: int | None = None
    week: str = ""
    days_ahead: int | None = None
    times: tuple[timedelta, ...] = ()
    half: str = ""
    place: tzinfo | None = None
    from_base: timedelta | None = None
    from_now: timedelta | None = None

    def put(self, item: str, value: Any) -> None:
        """Raises ValueError: it was said before."""
        if getattr(self, item) not in (None, "", ()):
            raise ValueError(item)
        setattr(self, item, value)

    @property
    def is_duration(self) -> bool:
        """Whether a length of time is all that is said; raises ValueError: `+2d` has more to it."""
        others = self.dates or self.times or self.half or self.place or self.week
        is_more = bool(others) or self.weekday is not None or self.days_ahead is not None
        if self.from_base is not None and (is_more or self.from_now is not None):
            raise ValueError("from_base")
        return self.from_base is not None or (self.from_now is not None and not is_more)


def items_of_time(tree: Tree[Token]) -> Said:
    """The items of a time. Raises ValueError (one is said twice) and NoSuchDay."""
    said = Said()
    for item in tree.children:
        if isinstance(item, Token):
            said.put("from_base" if item.type == "PLUS_AMOUNT" else "from_now", span_of(item))
            continue
        tokens = [one for one in item.children if isinstance(one, Token)]
        first, last = tokens[0], tokens[-1]
        match item.data, first.type:
            case "date", _:
                said.put("dates", _dates(tokens))
            case "day", "DAY_WORD":
                said.put("days_ahead", by_word("days")[plain(first)])
                if plain(first) in by_word("night"):
                    said.put("half", "NIGHT")
            case "day", _:
                (weekday,) = weekdays_of(last)
                said.put("weekday", weekday)
                said.week = first.type
            case "clock", _:
                said.put("times", _clock(tokens))
            case "half", _:
                said.put("half", first.type)
            case "zone", _:
                said.put("place", zone_of(first))
    return said


def _possible_days(said: Said, today: date) -> tuple[tuple[date, ...], timedelta]:
    """The days that may be meant; and when the next such day is, where that one will do too."""
    if sum((bool(said.dates), said.days_ahead is not None, said.from_now is not None)) > 1:
        raise ValueError("two days")
    if said.from_now is not None and said.from_now % DAY:
        raise ValueError("hours beside a time")
    if said.dates:
        days = tuple(day for written in said.dates for day in _near(written, today))
        if said.weekday is None:
            return days, DAY * 0
        if fitting := tuple(day for day in days if day.weekday() == said.weekday):
            return fitting, DAY * 0
        off = (said.weekday - days[0].weekday() + 3) % 7 - 3
        return (days[0], days[0] + timedelta(off)), DAY * 0
    if said.weekday is not None:
        ahead = (said.weekday - today.weekday()) % 7
        monday = today - timedelta(today.weekday())
        match said.week:
            case "THIS":
                return (monday + timedelta(said.weekday),), DAY * 0
            case "NEXT_WEEK":
                return (monday + timedelta(7 + said.weekday),), DAY * 0
            case "NEXT":
                return (today + timedelta(ahead or 7), today + timedelta((ahead or 7) + 7)), DAY * 0
        return (today + timedelta(ahead),), 7 * DAY
    if said.days_ahead is not None:
        return (today + timedelta(said.days_ahead),), DAY * 0
    return (today + (said.from_now or DAY * 0),), DAY if said.from_now is None else DAY * 0


def _near(written: _Date, today: date) -> tuple[date, ...]:
    """The day of a date; without a year the next one, and the last one if that is nearer."""
    year, month, day = written
    if year is not None and month is not None:
        return (_day(year, month, day),)
    if month is None:
        nth = today.year * 12 + today.month - 1 + (day < today.day)
        return (_day(nth // 12, nth % 12 + 1, day),)
    here = _day(today.year, month, day)
    if here >= today:
        return (here,)
    coming = _day(today.year + 1, month, day)
    return (coming,) if coming - today < FAR else (here, coming)


def _day(year: int, month: int, day: int) -> date:
    if year not in YEARS:
        raise NoSuchDay
    try:
        return date(year, month, day)
    except ValueError as error:
        raise NoSuchDay from error


def times_of_day(said: Said, kept: datetime | None) -> tuple[timedelta, ...]:
    """The times of day that may be meant, from midnight on; 24 hours and more: of the next day."""
    if not said.times:
        if kept is None or said.half:
            raise ValueError("no time")
        return (timedelta(hours=kept.hour, minutes=kept.minute),)
    first = said.times[0]
    match said.half:
        case "MORNING":
            if first >= NOON + HOUR:
                raise ValueError("morning")
            return (first % NOON,)
        case "EVENING":
            return (first if first >= NOON else first + NOON,)
        case "NIGHT":
            if first >= NOON + HOUR or EVENING <= first < NOON:
                return (first if first >= NOON else first + NOON,)
            return (
                (first % NOON + MIDNIGHT,)
                if first % NOON < HOUR
                else (first + NOON, first + MIDNIGHT)
            )
    return said.times


# --- words and figures ----------------------------------------------------------------------------


def _dates(tokens: list[Token]) -> tuple[_Date, ...]:
    """The readings of a date: `03/04` has two."""
    figures = [int(one) for one in re.findall(r"\d+", tokens[0])]
    match tokens[0].type:
        case "ISO_DATE":
            return ((figures[0], figures[1], figures[2]),)
        case "DOTTED_DATE":
            return ((figures[2] if len(figures) > 2 else None, figures[1], figures[0]),)
        case "SLASHED_DATE":
            year = figures[2] if len(figures) > 2 else None
            both = {(year, figures[1], figures[0]), (year, figures[0], figures[1])}
            fitting = tuple(one for one in both if one[1] <= 12)
            return fitting or tuple(both)
    by_type = {one.type: one for one in tokens}
    year = next((number_of(by_type[one]) for one in ("YEAR", "YEAR_MARK") if one in by_type), None)
    if "MONTH" in by_type:
        named = by_word("months")[plain(by_type["MONTH"])] + 1
        return ((year, named, number_of(by_type["NUMBER"])),)
    month = number_of(by_type["MONTH_MARK"]) if "MONTH_MARK" in by_type else None
    return ((year, month, number_of(by_type["DAY_MARK"])),)


def _clock(tokens: list[Token]) -> tuple[timedelta, ...]:
    """The times of day that a clock may say, from midnight on: `9시` is 9:00 or 21:00."""
    first, *rest = tokens
    if first.type == "MIDNIGHT":
        return (DAY * 0, MIDNIGHT)
    if first.type == "NOON":
        return (NOON,)
    if first.type == "COLON_TIME":
        hours, minutes = (int(one) for one in first.split(":")[:2])
    else:
        hours, minutes = number_of(first), 0
    if rest:
        minutes = 30 if rest[0].type == "HALF_PAST" else number_of(rest[0])
    if hours > 24 or minutes > 59 or (hours == 24 and minutes):
        raise NoSuchDay
    at = timedelta(hours=hours, minutes=minutes)
    if first.type in ("HOUR_MARK", "BARE_HOUR") and HOUR <= at < NOON + HOUR:
        return (at, at + NOON)
    return (at,)


def _first_and_last_dates(
    tree: Tree[Token], today: date, base: date, order: slice
) -> list[tuple[_Date, _Date]]:
    """The first and the last date that days may have, as `_readings_of_end` has them. Raises as
    `_possible_days`."""
    # Each without the day of the week that stands beside its date.
    nodes = [
        next(one.find_data("date"), one) if isinstance(one, Tree) else one
        for one in tree.children
        if isinstance(one, Tree) or one.type != "TO"
    ]
    if tree.data == "last_month":
        earlier, later, *rest = (one for one in nodes if isinstance(one, Token))
        return [(_dates([earlier, *rest])[0], _dates([later, *rest])[0])]
    found = _readings_of_end(nodes[0], today, base, order)
    if len(nodes) == 1:
        return found
    return [
        (first, last)
        for first, _ in found
        for after in [date(first[0], first[1], first[2]) if first[0] and first[1] else today]
        for _, last in _readings_of_end(nodes[1], today, after, order)
    ]


def _day_ranges(tree: Tree[Token], today: date, order: slice) -> Iterator[tuple[date, date]]:
    """The days that may be meant, from today on. Raises as `_possible_days`."""
    for first, last in _first_and_last_dates(tree, today, today, order):
        known = date(today.year - 1, 1, 1) if first[0] is None else date.min
        pairs = [
            (start, end)
            for start in _fitting(first, known)
            if (end := next(_fitting(last, start), None)) is not None
        ]
        if first[0] is None:
            pairs = [pair for pair in pairs if pair[1] >= today]
        if not pairs:
            raise ValueError("backwards")
        chosen = min(pairs, key=lambda pair: (pair[1], -pair[0].toordinal()))
        nodes = [one for one in tree.children if isinstance(one, Tree) or one.type != "TO"]
        for day, node in zip(chosen, (nodes[0], nodes[-1]), strict=True):
            beside = node.children if isinstance(node, Tree) and node.data == "dated" else []
            named = [one for one in beside if isinstance(one, Token)]
            if any(weekdays_of(one)[0] != day.weekday() for one in named):
                raise ValueError("weekday")  # `Mon Dec 19`, a Tuesday
        yield chosen


def _readings_of_end(
    node: Tree[Token] | Token, today: date, base: date, order: slice
) -> list[tuple[_Date, _Date]]:
    """The first and the last date that one end of a span of days may be. A day of the week is the
    next one from `base` on; `order` is that of figures with a stroke."""
    if isinstance(node, Token):
        day_alone = (None, None, number_of(node))
        return [(day_alone, day_alone)]
    tokens = [one for one in node.children if isinstance(one, Token)]
    kind = tokens[0].type
    if kind == "SLASHED_DATE":
        figures = [int(one) for one in tokens[0].split("/")]
        month, day = figures[:2][order]
        found: tuple[_Date, ...] = ((figures[2] if len(figures) > 2 else None, month, day),)
    elif node.data == "date":
        found = _dates(tokens)
    elif node.data == "weekend":
        saturday = today + timedelta(5 - today.weekday() + 7 * (kind == "NEXT_WEEK"))
        return [(_date_parts(saturday), _date_parts(saturday + DAY))]
    else:
        days, _ = _possible_days(
            items_of_time(Tree("time", [node])), base if kind == "WEEKDAY" else today
        )
        found = tuple(map(_date_parts, days))
    return [(one, one) for one in found]


def _date_parts(day: date) -> _Date:
    return day.year, day.month, day.day


def _fitting(written: _Date, earliest: date) -> Iterator[date]:
    """The days from `earliest` on that a date may be, in order."""
    year, month, day = written
    for of_year in (year,) if year else range(earliest.year, earliest.year + 9):
        for of_month in (month,) if month else range(1, 13):
            try:
                found = date(of_year, of_month, day)
            except ValueError:
                continue
            if found >= earliest:
                yield found


def _holiday(node: Tree[Token]) -> Holiday:
    if node.data == "last_month":
        earlier, _, later, *month_and_year = node.children
        dates = [_one_date([one, *month_and_year]) for one in (earlier, later)]
    else:
        dates = [_one_date(one.children) for one in node.children if isinstance(one, Tree)]
        end = node.children[-1]
        if isinstance(end, Token):  # `Dec 24-26`
            dates.append((dates[0][0], dates[0][1], number_of(end)))
    (year, month, day), (last_year, last_month, last_day) = dates[0], dates[-1]
    if month is None:
        raise ValueError("no month")
    known = year or last_year or A_LEAP_YEAR
    first = _day(year or known, month, day)
    last = _day(last_year or known, last_month or month, last_day)
    is_yearly = year is None and last_year is None
    if last < first and not is_yearly:
        raise ValueError("backwards")
    return Holiday(first, last, is_yearly)


def _one_date(tokens: Sequence[Token | Tree[Token]]) -> _Date:
    """Raises ValueError: it has two readings."""
    (found,) = _dates([one for one in tokens if isinstance(one, Token)])
    return found


def weekdays_in_tree(tree: Tree[Token]) -> frozenset[int]:
    """The days of a `week` of the grammar, Monday 0."""
    found: set[int] = set()
    for item in tree.children:
        if isinstance(item, Tree):
            first, last = (weekdays_of(item.children[at])[0] for at in (0, -1))  # type: ignore[arg-type]
            found |= {(first + n) % 7 for n in range((last - first) % 7 + 1)}
        else:
            found |= {*weekdays_of(item)}
    return frozenset(found)


def weekdays_of(token: Token) -> tuple[int, ...]:
    """The days that one token names, Monday 0: `Fri`, `週一三五`, `weekends`."""
    match token.type:
        case "WEEKEND":
            return (5, 6)
        case "WORKDAYS":
            return (0, 1, 2, 3, 4)
        case "EVERY_DAY":
            return (0, 1, 2, 3, 4, 5, 6)
    known = by_word("weekdays")
    if (word := plain(token)) in known:
        return (known[word],)
    letters = by_word("week_letters")
    return tuple(letters[one] for one in word if one in letters)


def zone_of(token: Token) -> tzinfo:
    """The zone that is written; ValueError if there is none of that name."""
    if token.type == "OFFSET":
        hours, minutes = int(token[:3]), int(token[-2:]) if len(token) > 3 else 0
        return timezone(timedelta(hours=hours, minutes=minutes if hours >= 0 else -minutes))
    name = "UTC" if token.upper() in ("Z", "GMT", "UTC") else find_zone(str(token))
    if name is None:
        raise ValueError(str(token))
    return ZoneInfo(name)


def number_of(token: str) -> int:
    """The number in a token: `12月`, `九點`, `열한 시`."""
    if figures := re.search(r"\d+", token):
        return int(figures[0])
    numerals = by_word("numerals")
    return numerals[max((word for word in numerals if token.startswith(word)), key=len)]


def span_of(written: str) -> timedelta:
    """The length of time in `+1d 12h`, `in two days`, `이틀 뒤`, `72 hours`.

    Raises:
        ValueError: there is none, or it is more than ten years.
    """
    phrases, letters = amounts()
    text = " ".join(written.casefold().split())
    for phrase in sorted(phrases, key=len, reverse=True):
        text = text.replace(phrase, f" {phrases[phrase]} ")
    parts = re.findall(rf"(\d+(?:\.\d+)?)\s*({any_of(letters)}|[wdhms])(?![a-z])", text)
    seconds = sum(
        float(n) * parse_duration(f"1{letters.get(unit, unit)}").total_seconds()
        for n, unit in parts
    )
    if not parts or seconds > DURATION_DAYS_MOST * DAY.total_seconds():
        raise ValueError(written)
    return timedelta(seconds=round(seconds))
