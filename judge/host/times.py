"""A time as people write it, in their zone and language; alone imports dateutil."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import msgspec
from dateutil import parser

from judge.clock import parse_duration
from judge.data import language_data

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class _Moments(msgspec.Struct, frozen=True):
    """The words of times in a language: days from today, days of the week, halves of the day, and
    the marks behind the numbers of hours and minutes."""

    days: dict[str, int]
    weekdays: tuple[tuple[str, ...], ...]
    morning: tuple[str, ...]
    evening: tuple[str, ...]
    hour: tuple[str, ...]
    minute: tuple[str, ...]
    noon: tuple[str, ...]
    midnight: tuple[str, ...]


def parse_time(written: str, now: datetime, zone: str, base: datetime | None = None) -> datetime:
    """The instant of `+2d`, `2026-12-05 20:00`, `Sat 5 Dec 20:00`, `20:00 UTC`, `tomorrow 9pm` or
    `내일 오후 9시`, aware, UTC.

    Without a zone it is the writer's; without a date the next such time after `now`. `base` is the
    instant that is to change: `+2d` counts from it (at the earliest from now), and a day without a
    time keeps its time of day.

    Raises:
        ValueError: it is no time.
    """
    text = written.strip().rstrip(".")
    if text.startswith("+"):
        return (max(base or now, now) + parse_duration(text[1:])).replace(microsecond=0)
    local_now = now.astimezone(ZoneInfo(zone))
    text = _in_figures(text, local_now.date())
    midnight = local_now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    try:
        read = parser.parse(text, default=midnight, dayfirst=not _is_iso(text))
        other = parser.parse(text, default=midnight.replace(hour=1), dayfirst=not _is_iso(text))
        if base is not None and read.hour != other.hour:
            kept = base.astimezone(ZoneInfo(zone))
            read = read.replace(hour=kept.hour, minute=kept.minute)
    except (parser.ParserError, OverflowError) as error:
        raise ValueError(written) from error
    if read.tzinfo is None:
        read = read.replace(tzinfo=ZoneInfo(zone))
    instant = read.astimezone(UTC)
    if instant <= now and re.fullmatch(r"\d{1,2}[:.]\d\d(\s*\w+)?", text):
        instant += timedelta(days=1)
    elif instant <= now and text.isalpha():
        instant += timedelta(days=7)  # `Friday`, on a Friday
    return instant


def amount_in(sentence: str) -> str:
    """The length of time that a sentence names, as `parse_duration` reads it; empty if none."""
    text = sentence.casefold()
    amounts = {
        word: str(amount)
        for table in language_data("own_words.toml").values()
        for word, amount in table["amounts"].items()
    }
    named = [word for word in amounts if word in text]
    if named:
        return amounts[max(named, key=len)]
    found = amount_words().search(text)
    return f"{found['number']}{_units()[found['unit']]}" if found else ""


@cache
def amount_words() -> re.Pattern[str]:
    """Finds a number of hours, days or weeks in any language."""
    return re.compile(rf"(?P<number>\d+)\s*(?P<unit>{_any_of(_units())})(?![a-z])", re.IGNORECASE)


@cache
def _units() -> Mapping[str, str]:
    tables = [*language_data("commands.toml").values(), language_data("own_words.toml")["en"]]
    return {name: key for table in tables for key, all_ in table["units"].items() for name in all_}


# --- words of times -------------------------------------------------------------------------------


def _in_figures(written: str, today: date) -> str:
    """A time in the words of any language as `parse_time` reads it: `2026-12-06 9:00 pm`."""
    days = {word: count for one in _moments() for word, count in one.days.items()}
    weekdays = {
        word: name
        for one in _moments()
        for words, name in zip(one.weekdays, WEEKDAYS, strict=True)
        for word in words
    }
    found = [match[0].casefold() for match in time_words().finditer(written)]
    if not any(word in days or not word.isascii() or "noon" in word for word in found):
        return written
    said: list[str] = []
    for word in found:
        if word in days:
            said.insert(0, str(today + timedelta(days[word])))
        elif word in weekdays:
            said.insert(0, weekdays[word])
    clock = ""
    for one in _moments():
        hour, minute = _any_of(one.hour), _any_of(one.minute)
        at = re.search(
            rf"(\d{{1,2}})\s*(?:{hour or '(?!)'})(?:\s*(\d{{1,2}})\s*(?:{minute}))?", written
        )
        clock = f"{at[1]}:{int(at[2] or 0):02}" if at else clock
        clock = "12:00" if {*one.noon} & {*found} else clock
    if not clock and (
        at := re.search(r"(?<!\d)(\d{1,2}:\d\d|\d{1,2}(?=\s*[ap]\.?m))", written, re.I)
    ):
        clock = at[1]
    half = ""
    if int(clock.partition(":")[0] or 13) <= 12:
        evening = _any_of(word for one in _moments() for word in one.evening)
        morning = _any_of(word for one in _moments() for word in one.morning)
        said_half = re.search(rf"(?<![a-z])(?:(?P<pm>{evening})|{morning})(?![a-z])", written, re.I)
        half = "" if said_half is None else " pm" if said_half["pm"] else " am"
    return " ".join([*said, clock + half]).strip()


@cache
def time_words() -> re.Pattern[str]:
    """Finds the words and figures of a date or an hour in any language."""
    words: set[str] = set()
    hours: set[str] = set()
    for one in _moments():
        words |= {*one.days, *one.noon, *one.midnight, *one.morning, *one.evening}
        words |= {word for names in one.weekdays for word in names}
        hours |= {*one.hour}
    latin = _any_of(word for word in words if word.isascii() and len(word) > len("a.m."))
    other = _any_of(word for word in words if not word.isascii())
    minutes = _any_of(word for one in _moments() for word in one.minute)
    hour = rf"\d{{1,2}}\s*(?:{_any_of(hours)})(?!間)(?:\s*\d{{1,2}}\s*(?:{minutes}))?"
    clock = rf"{hour}|\d{{1,2}}:\d\d|\d{{1,2}}\s*[ap]\.?m\b"
    date_ = r"\d{4}-\d\d-\d\d"
    return re.compile(rf"{date_}|{clock}|(?<![a-z])(?:{latin})(?![a-z])|{other}", re.IGNORECASE)


@cache
def _moments() -> tuple[_Moments, ...]:
    tables: Iterable[Mapping[str, object]] = language_data("own_words.toml").values()
    return tuple(msgspec.convert(table["moments"], _Moments) for table in tables)


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _is_iso(text: str) -> bool:
    return bool(re.match(r"\d{4}-", text))
