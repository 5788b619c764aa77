"""Deadlines and durations in words, in the reader's zone with UTC beside it. 24-hour clock."""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime, format_timedelta, get_timezone_location

from judge.render.catalogue import say
from judge.rulebook import Translator

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
MORE_THAN_ANY = 10**9  # so that days stay days and become no weeks
UNSPACED = frozenset({"ja", "zh_Hant"})  # Babel writes `2 日`, a letter writes `2日`
Unit = Literal["day", "hour", "minute", "second"]
UTC_NAMES = frozenset({"UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT", "Zulu"})


def moment(at: datetime, zone: str, words: Translator, *, seconds: bool = False) -> str:
    """An instant: `Sat 5 Dec 2026, 21:00 in Paris (20:00 UTC)`.

    Args:
        at: an aware instant.
        zone: the reader's IANA zone; UTC if there is no such zone.
        seconds: show them in the UTC part, as receipts do.
    """
    local = at.astimezone(_place(zone))
    locale = _locale(words.language)
    # Date patterns are Unicode's (TR35): EEE the short weekday, d the day, MMM the short month.
    when = format_datetime(local, words.gettext("EEE d MMM y, HH:mm"), locale=locale)
    exact = format_datetime(local, words.gettext("EEE d MMM y, HH:mm:ss"), locale=locale)
    weekday = format_datetime(local, "EEEE", locale=locale)
    midnight = local.hour == 0 and local.minute == 0  # nobody knows which day 00:00 belongs to
    if local.tzinfo is UTC:
        if midnight:
            return say(words, "{when} UTC, as {weekday} begins", when=when, weekday=weekday)
        return say(words, "{when} UTC", when=exact if seconds else when)
    city = _city(zone, words.language)
    utc = _universal(at, local, words, seconds=seconds)
    if midnight:
        return say(
            words,
            "{when} in {city}, as {weekday} begins ({utc} UTC)",
            when=when,
            city=city,
            weekday=weekday,
            utc=utc,
        )
    return say(words, "{when} in {city} ({utc} UTC)", when=when, city=city, utc=utc)


def _universal(at: datetime, local: datetime, words: Translator, *, seconds: bool) -> str:
    universal = at.astimezone(UTC)
    same_day = universal.date() == local.date()
    clock = "HH:mm:ss" if seconds else "HH:mm"
    dated = words.gettext("EEE d MMM, HH:mm:ss") if seconds else words.gettext("EEE d MMM, HH:mm")
    pattern = clock if same_day else dated
    return format_datetime(universal, pattern, locale=_locale(words.language))


def due_time(at: datetime, now: datetime, zone: str, words: Translator) -> str:
    """A deadline with the time that is left: `Sat 5 Dec 2026, 21:00 in Paris (…), in 2 days`."""
    when = moment(at, zone, words)
    if at <= now:
        return say(words, "{when}, which has passed", when=when)
    return say(words, "{when}, in {left}", when=when, left=duration(at - now, words))


def short_time(at: datetime, zone: str, words: Translator) -> str:
    """A weekday and a time for a subject line: `Mon 21:00`, in the reader's zone."""
    local = at.astimezone(_place(zone))
    locale = _locale(words.language)
    if local.hour == 0 and local.minute == 0:
        weekday = format_datetime(local, "EEE", locale=locale)
        return say(words, "midnight before {weekday}", weekday=weekday)
    shown = format_datetime(local, words.gettext("EEE HH:mm"), locale=locale)
    return say(words, "{when} UTC", when=shown) if local.tzinfo is UTC else shown


def duration(span: timedelta, words: Translator) -> str:
    """A length of time in its two largest units: `2 days 4 hours`, `30 minutes`."""
    if timedelta(0) < span < MINUTE:
        seconds = max(int(span.total_seconds()), 1)
        return _length(seconds, "second", words)
    days, rest = divmod(span, DAY)
    hours, rest = divmod(rest, HOUR)
    minutes = rest // MINUTE
    named: list[tuple[int, Unit]] = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    while len(named) > 1 and not named[0][0]:
        named.pop(0)
    shown = [_length(n, unit, words) for n, unit in named[:2] if n]
    if len(shown) == 2:
        return say(words, "{larger} {smaller}", larger=shown[0], smaller=shown[1])
    return shown[0] if shown else _length(0, "minute", words)


def _length(n: int, unit: Unit, words: Translator) -> str:
    """A length of time in one unit: `2 days`, `2일`."""
    # Babel's format_unit says "2 day" in languages that lack a long form of their own.
    span, locale = timedelta(**{f"{unit}s": n}), _locale(words.language)
    told = format_timedelta(span, granularity=unit, threshold=MORE_THAN_ANY, locale=locale)
    return told.replace(" ", "") if words.language in UNSPACED else told


def language_name(language: str, words: Translator) -> str:
    """A language in the reader's own: `English`; its code if it is unknown."""
    try:
        named = Locale.parse(language).get_display_name(_locale(words.language))
    except (UnknownLocaleError, ValueError):
        return language
    return named or language


def zone_name(zone: str, words: Translator) -> str:
    """A zone as its own lines show it: `Paris (Europe/Paris)`."""
    if _place(zone) is UTC:
        return "UTC"
    return f"{_city(zone, words.language)} ({zone})"


@lru_cache(maxsize=512)
def _place(zone: str) -> tzinfo:
    if zone in UTC_NAMES:
        return UTC
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


@lru_cache(maxsize=512)
def _city(zone: str, language: str) -> str:
    # Names without a city of their own (CET, Etc/GMT+5) are shown as they are written.
    if "/" not in zone or zone.startswith("Etc/"):
        return zone
    named = get_timezone_location(zone, locale=_locale(language), return_city=True)
    return named.rpartition("/")[2].replace("_", " ")


@lru_cache(maxsize=32)
def _locale(language: str) -> Locale:
    return Locale.parse(language)
