"""Deadlines and durations in words, in the reader's zone with UTC beside it. 24-hour clock."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime, format_timedelta, get_timezone_location

from judge.data import language_data
from judge.rulebook import Translator

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
MORE_THAN_ANY = 10**9  # so that days stay days and become no weeks
UNSPACED = frozenset({"ja", "zh_Hant"})  # Babel writes `2 日`, a letter writes `2日`
Unit = Literal["day", "hour", "minute", "second"]
ETC = re.compile(r"Etc/GMT([+-]\d+)")
UTC_NAMES = frozenset({"UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT", "Zulu"})


def moment(at: datetime, zone: str, words: Translator, *, seconds: bool = False) -> str:
    """An instant: `Sat 5 Dec 2026, 21:00 in Paris (20:00 UTC)`.

    Args:
        at: an aware instant.
        zone: the reader's IANA zone; UTC if there is no such zone.
        seconds: show them in the UTC part, as receipts do.
    """
    local, utc = at.astimezone(_timezone(zone)), at.astimezone(UTC)
    # Date patterns are Unicode's (TR35): EEE the short weekday, d the day, MMM the short month.
    when = _shown(local, words.say("EEE d MMM y, HH:mm"), words)
    weekday = _shown(local, "EEEE", words)
    midnight = local.hour == 0 and local.minute == 0  # nobody knows which day 00:00 belongs to
    if local.tzinfo is UTC:
        if midnight:
            return words.say("{when} UTC, as {weekday} begins", when=when, weekday=weekday)
        if seconds:
            when = _shown(local, words.say("EEE d MMM y, HH:mm:ss"), words)
        return words.say("{when} UTC", when=when)
    pattern = "HH:mm:ss" if seconds else "HH:mm"
    if utc.date() != local.date():
        pattern = words.say("EEE d MMM, HH:mm:ss") if seconds else words.say("EEE d MMM, HH:mm")
    values = {"when": when, "city": _city(zone, words.language), "utc": _shown(utc, pattern, words)}
    if midnight:
        return words.say(
            "{when} in {city}, as {weekday} begins ({utc} UTC)", weekday=weekday, **values
        )
    return words.say("{when} in {city} ({utc} UTC)", **values)


def due_time(at: datetime, now: datetime, zone: str, words: Translator) -> str:
    """A deadline with the time that is left: `Sat 5 Dec 2026, 21:00 in Paris (…), in 2 days`."""
    when = moment(at, zone, words)
    if at <= now:
        return words.say("{when}, which has passed", when=when)
    return words.say("{when}, in {left}", when=when, left=duration(at - now, words))


def short_time(at: datetime, zone: str, words: Translator) -> str:
    """A weekday and a time for a subject line: `Mon 21:00`, in the reader's zone."""
    local = at.astimezone(_timezone(zone))
    if local.hour == 0 and local.minute == 0:
        return words.say("midnight before {weekday}", weekday=_shown(local, "EEE", words))
    shown = _shown(local, words.say("EEE HH:mm"), words)
    return words.say("{when} UTC", when=shown) if local.tzinfo is UTC else shown


def duration(span: timedelta, words: Translator) -> str:
    """A length of time in its two largest units: `2 days 4 hours`, `30 minutes`."""
    if timedelta(0) < span < MINUTE:
        return _length(max(int(span.total_seconds()), 1), "second", words.language)
    days, rest = divmod(span, DAY)
    hours, rest = divmod(rest, HOUR)
    named: list[tuple[int, Unit]] = [(days, "day"), (hours, "hour"), (rest // MINUTE, "minute")]
    while len(named) > 1 and not named[0][0]:
        named.pop(0)
    shown = [_length(n, unit, words.language) for n, unit in named[:2] if n]
    if len(shown) == 2:
        return words.say("{larger} {smaller}", larger=shown[0], smaller=shown[1])
    return shown[0] if shown else _length(0, "minute", words.language)


def _shown(local: datetime, pattern: str, words: Translator) -> str:
    # Without its zone: instants of two zones that are equal must not be one key of the cache.
    return _formatted(local.replace(tzinfo=None), pattern, words.language)


def shown_date(day: date, pattern: str, words: Translator) -> str:
    """A day by a pattern of Unicode's (TR35), as `EEE` for its short weekday."""
    return _formatted(datetime.combine(day, time()), pattern, words.language)


def absence_days(start: datetime, end: datetime, zone: str, words: Translator) -> tuple[str, str]:
    """The first and the last day of an absence in the reader's zone, in words."""
    days = (at.astimezone(_timezone(zone)).date() for at in (start, end - timedelta(seconds=1)))
    first, last = (shown_date(day, words.say("d MMM y"), words) for day in days)
    return first, last


@lru_cache(maxsize=512)
def _formatted(local: datetime, pattern: str, language: str) -> str:
    return format_datetime(local, pattern, locale=_locale(language))


@lru_cache(maxsize=512)
def _length(n: int, unit: Unit, language: str) -> str:
    """A length of time in one unit: `2 days`, `2일`."""
    # Babel's format_unit says "2 day" in languages that lack a long form of their own.
    span, locale = timedelta(**{f"{unit}s": n}), _locale(language)
    told = format_timedelta(span, granularity=unit, threshold=MORE_THAN_ANY, locale=locale)
    return told.replace(" ", "") if language in UNSPACED else told


def language_name(language: str, words: Translator) -> str:
    """A language in the reader's own: `English`; its code if it is unknown."""
    shown = language_data("language.toml").get(words.language, {}).get("languages", {})
    if language in shown:
        return str(shown[language])
    try:
        named = Locale.parse(language).get_display_name(_locale(words.language))
    except (UnknownLocaleError, ValueError):
        return language
    return named or language


def zone_name(zone: str, words: Translator) -> str:
    """A zone as its own lines show it: `Paris (Europe/Paris)`."""
    if _timezone(zone) is UTC:
        return "UTC"
    city = _city(zone, words.language)
    return city if ETC.fullmatch(zone) else words.say("{name} ({id})", name=city, id=zone)


@lru_cache(maxsize=512)
def _timezone(zone: str) -> tzinfo:
    if zone in UTC_NAMES:
        return UTC
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


@lru_cache(maxsize=512)
def _city(zone: str, language: str) -> str:
    if hours := ETC.fullmatch(zone):  # whose sign is turned round
        return f"UTC{-int(hours[1]):+d}"
    # Names without a city of their own (CET) are shown as they are written.
    if "/" not in zone or zone.startswith("Etc/"):
        return zone
    named = get_timezone_location(zone, locale=_locale(language), return_city=True)
    return named.rpartition("/")[2].replace("_", " ")


@lru_cache(maxsize=32)
def _locale(language: str) -> Locale:
    return Locale.parse(language)
