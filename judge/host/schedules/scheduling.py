"""A schedule as a master writes it: `every Mon Wed Fri 20:00 Europe/London`, `48h not on Sat Sun`,
and the old judges' `clock 1200 min 12 next 72 days -MTWTF-`; read by the grammar of dates.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from lark import Token, Tree
from msgspec.structs import replace

from judge.host.command import N_
from judge.host.local_words import words_in_all_languages
from judge.host.messages.command_answers import SettingFault
from judge.host.schedules.date_grammar import SPANS, by_word, parsed
from judge.host.schedules.dates import (
    BadTime,
    NoSuchDay,
    TimeFault,
    holiday_readings,
    holiday_text,
    items_of_time,
    parse_holidays,
    parse_time,
    span_of,
    times_of_day,
    weekdays_in_tree,
)
from judge.host.schedules.schedule import (
    HOLIDAY_DAYS_MOST,
    HOLIDAYS_MOST,
    next_deadline,
    schedule_of,
    shortest_phase,
    usual_length,
)
from judge.store import EVERY_DAY, Control, GameSettings, Schedule

# Settings of every kind of phase: how a schedule says them, and which of its fields they fill.
AS_SCHEDULE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "not_on": ("not on {}", ("days",)),
    "days": ("days {}", ("days",)),
    "at": ("{}", ("clock", "zone")),
    "clock": ("clock {}", ("clock",)),
    "zone": ("{}", ("zone",)),
    "min": ("at least {}", ("shortest",)),
}
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "not_on": (N_("Sat Sun"), N_("weekends")),
    "days": ("-MTWTF-", N_("Mon Wed Fri")),
    "holidays": (N_("24 Dec - 2 Jan"), "2026-12-24 - 2027-01-02"),
    "at": ("20:00", "20:00 Europe/London"),
    "clock": ("1200", "-1"),
    "zone": ("Europe/London", "Seoul"),
    "min": ("12h", "1d"),
}
FOR_ALL = tuple(EXAMPLES)
START_EXAMPLES = (N_("3 Mar 20:00"), N_("no"))
# What may stand around the date before which a game does not begin.
NOT_BEFORE = re.compile(
    r"not\s+before\b|no\s+earlier\s+than\b|"
    rf"(?:{'|'.join(words_in_all_languages('every', 'not_before'))})",
    re.IGNORECASE,
)
KIND_EXAMPLES = (
    N_("24h"),
    N_("3d"),
    N_("every Mon Wed Fri 20:00 Europe/London"),
    N_("72h not on Sat Sun"),
)
LONGEST = timedelta(days=60)
A_LEAP_YEAR = timedelta(days=366)
SOME_DAY = datetime(2001, 1, 1, tzinfo=UTC)
EVERY_WEEKDAY = frozenset(range(7))  # Monday 0
OLD_FIELDS = re.compile(r"(?:(?:clock|min|next|grace|delay|days)\s+\S+\s*)+", re.IGNORECASE)
OLD_SPANS = {"min": "shortest", "next": "length", "grace": "grace", "delay": "delay"}
OLD_NAMES = {**OLD_SPANS, "clock": "clock", "days": "days"}


class BadSchedule(msgspec.Struct, frozen=True):
    """A schedule that is not taken: two parts that contradict each other, or none: unreadable."""

    parts: tuple[str, ...] = ()


_Part = tuple[str, Any, str]  # which part of a schedule, its value, how it is written


def parse_schedule(written: str, length: timedelta) -> Schedule | BadSchedule:
    """The schedule of a line, or of several that add to each other; `length` is its length where
    neither one nor days are named."""
    said: dict[str, tuple[Any, str]] = {}
    try:
        for part, value, text in [one for line in written.splitlines() for one in _parts(line)]:
            if said.setdefault(part, (value, text))[0] != value:
                return BadSchedule((said[part][1], text))
    except (ValueError, NoSuchDay, OverflowError):
        return BadSchedule()
    values = {part: value for part, (value, _) in said.items()}
    named, off = values.get("days"), values.get("off", frozenset())
    most, least = values.get("length", length), values.get("shortest", timedelta(0))
    clashes = (
        ("days", "off", bool(named and named & off and named != EVERY_WEEKDAY)),
        ("days", "pattern", "days" in said and "pattern" in said),
        ("length", "shortest", timedelta(0) < most < least),
    )
    for one, other, is_clash in clashes:
        if is_clash and one in said and other in said:
            return BadSchedule((said[one][1], said[other][1]))
    if off == EVERY_WEEKDAY or least > most > timedelta(0):
        return BadSchedule()
    days = (EVERY_WEEKDAY if named is None else named) - off
    # As the old judges write them: `-M-W-F-`.
    pattern = "".join(day if (n - 1) % 7 in days else "-" for n, day in enumerate(EVERY_DAY))
    return Schedule(
        length=values.get("length", length if named is None else timedelta(0)),
        shortest=values.get("shortest"),
        clock=values.get("clock"),
        zone=values.get("zone", ""),
        days=values.get("pattern") or pattern,
        grace=values.get("grace"),
        delay=values.get("delay"),
    )


def _parts(line: str) -> Iterator[_Part]:
    """The parts of a line. Raises ValueError, NoSuchDay: it cannot be read."""
    tree = parsed("schedule", line)
    if tree is None:
        raise ValueError(line)
    time_of_day: list[Tree[Token] | Token] = []
    for item in tree.children:
        tokens = (
            [item]
            if isinstance(item, Token)
            else item.scan_values(lambda one: isinstance(one, Token))
        )
        text = " ".join(" ".join(tokens).split())
        match item.type if isinstance(item, Token) else item.data:
            case "every":
                yield "length", timedelta(0), text
                yield "days", _days(item), text
            case "on":
                yield "days", _days(item), text
            case "off" | "OFF_AFTER":
                yield "off", _days(item), text
            case "length":
                yield "length", span_of(text), text
            case "SPAN_WORDS":
                names = {word: name for name in SPANS for word in by_word(name)}
                longest = max((one for one in names if text.lower().startswith(one)), key=len)
                yield names[longest], span_of(text), text
            case "SPAN_FIELD":
                name, hours = text.lower().split()
                yield OLD_SPANS[name], timedelta(hours=float(hours)), text
            case "CLOCK_FIELD":
                minutes = int(text.split()[1])
                if minutes >= 24 * 60:
                    raise NoSuchDay
                yield "clock", None if minutes < 0 else minutes, text
            case "DAYS_FIELD":  # `-MTWTFs`, each letter at its place
                pattern = text.split()[1]
                places = zip(pattern, EVERY_DAY, strict=True)
                if not pattern.strip("-") or any(
                    one not in ("-", day, day.lower()) for one, day in places
                ):
                    raise ValueError(line)
                yield "pattern", pattern, text
            case _:
                time_of_day.append(item)
    said = items_of_time(Tree("time", time_of_day))
    if said.times or said.half:
        (at,) = times_of_day(said, None)
        yield "clock", at % timedelta(1) // timedelta(minutes=1), f"{(at % timedelta(1))}"[:-3]
    if said.place is not None:
        yield "zone", str(said.place), str(said.place)


def _days(item: Tree[Token] | Token) -> frozenset[int]:
    """The days of the week that a part names, Monday 0."""
    if isinstance(item, Token):
        if item.type == "EVERY_DAY":
            return EVERY_WEEKDAY
        bare = re.sub(rf"(?:{'|'.join(by_word('not_after'))})\Z", "", item).strip()
        week = parsed("week", bare)
        if week is None:
            raise ValueError(str(item))
        return weekdays_in_tree(week)
    last = item.children[-1]
    return weekdays_in_tree(last) if isinstance(last, Tree) else _days(last)


# --- the settings of a game -----------------------------------------------------------------------


def choose_schedule(settings: GameSettings, kind: str, written: str) -> GameSettings | SettingFault:
    """The settings with the schedule of a kind of phase; fields of the old judges alone change
    nothing but themselves."""
    read = parse_schedule(written, settings.lengths[kind])
    if isinstance(read, Schedule) and OLD_FIELDS.fullmatch(written):
        named = [OLD_NAMES[one.lower()] for one in written.split()[::2]]
        own = settings.schedules.get(kind) or Schedule(settings.lengths[kind])
        read = replace(own, **{one: getattr(read, one) for one in named})
    if isinstance(read, Schedule) and read.length <= LONGEST:
        return replace(settings, schedules={**settings.schedules, kind: read})
    if isinstance(read, BadSchedule) and read.parts:
        return SettingFault(kind, read.parts[0], "contradiction", read.parts[1:])
    return SettingFault(kind, written, "bad_duration", KIND_EXAMPLES)


def choose_for_all(settings: GameSettings, key: str, written: str) -> GameSettings | SettingFault:
    """The settings with what holds for every kind of phase: `not on`, `holidays`, `at`, …"""
    if key == "not_on" and parse_holidays(written) is not None:
        key = "holidays"  # `not 24 Dec`
    fault = SettingFault(key, written, "bad_schedule", EXAMPLES[key])
    every = settings.schedules.get("", Schedule())
    if key == "holidays":
        holidays = parse_holidays(written)
        if holidays is None and len(both := holiday_readings(written)) > 1:
            known = tuple(", ".join(map(holiday_text, one)) for one in both)
            return SettingFault(key, written, "two_readings", known)
        if holidays is None or len(holidays) > HOLIDAYS_MOST:
            return fault
        spans = [one.last - one.first for one in holidays]
        spans = [span % A_LEAP_YEAR if span < timedelta(0) else span for span in spans]
        if any(span.days > HOLIDAY_DAYS_MOST for span in spans):
            return fault
        every = replace(every, holidays=holidays)
    else:
        form, fields = AS_SCHEDULE[key]
        read = parse_schedule(form.format(written), timedelta(0))
        if key in ("days", "min") and isinstance(read, BadSchedule):
            read = parse_schedule(written if key == "days" else f"min {written}", timedelta(0))
        usual = Schedule()
        if isinstance(read, BadSchedule) or any(
            getattr(read, one) != getattr(usual, one)
            for one in ("length", "shortest", "clock", "zone", "days", "grace", "delay")
            if one not in fields
        ):
            return fault
        changed = {one: getattr(read, one) for one in fields}
        if not changed.get("zone", "?"):
            del changed["zone"]
        every = replace(every, **changed)
    return replace(settings, schedules={**settings.schedules, "": every})


def choose_start(
    settings: GameSettings, key: str, written: str, now: datetime | None, zone: str
) -> GameSettings | SettingFault:
    """The settings with the instant before which the game does not begin; a day alone is meant from
    midnight on. `key`: `start`, of which there are other values, or `not_before`."""
    examples = (*(Control if key == "start" else ()), *START_EXAMPLES)
    if now is None:
        return SettingFault(key, written, "bad_schedule", examples)
    today = now.astimezone(ZoneInfo(zone)).replace(hour=0, minute=0)
    at = parse_time(NOT_BEFORE.sub(" ", written), now, zone, today)
    if not isinstance(at, BadTime):
        return replace(settings, not_before=at)
    if at.kind is TimeFault.PAST:
        return SettingFault(key, written, "past_start")
    # By daylight saving the same clock may mean two instants.
    shown = (UTC, " UTC") if at.kind in (TimeFault.GAP, TimeFault.TWICE) else (ZoneInfo(zone), "")
    known = [f"{one.astimezone(shown[0]):%Y-%m-%d %H:%M}{shown[1]}" for one in at.readings]
    if known:
        return SettingFault(key, written, "two_readings", tuple(known))
    return SettingFault(key, written, "bad_schedule", examples)


def complete_schedules(
    settings: GameSettings, written: Mapping[str, tuple[str, str]], zone: str
) -> tuple[GameSettings, tuple[SettingFault, ...]]:
    """The settings with the zone and the usual lengths of their schedules, and those settings that
    contradict each other.

    Args:
        written: the settings of the letter by key: the name and the value.
        zone: for schedules where none is written.
    """
    if not settings.schedules:
        return settings, ()
    every = settings.schedules.get("", Schedule())
    if not every.zone:
        named = [one.zone for one in settings.schedules.values() if one.zone]
        every = replace(every, zone=named[0] if named else zone)
        settings = replace(settings, schedules={**settings.schedules, "": every})
    faults: list[SettingFault] = []

    def clash(one: str, other: str) -> None:
        name, value = written.get(one, (one, ""))
        known = ": ".join(filter(None, written.get(other, (other.replace("_", " "), ""))))
        faults.append(SettingFault(name, value, "contradiction", (known,)))

    off = "not_on" if "not_on" in written else "days"
    lengths = dict(settings.lengths)
    for kind in lengths:
        own = settings.schedules.get(kind, Schedule(lengths[kind]))
        schedule = schedule_of(settings, kind)
        names_days = not own.length and own.days != EVERY_DAY
        if not schedule.days.strip("-") or (names_days and schedule.days != own.days):
            clash(kind, off)
        elif schedule.length and shortest_phase(schedule) > schedule.length:
            clash(kind, "min")
        elif schedule.days.strip("-").islower() and (schedule.clock or 720) < 720:
            clash("clock" if "clock" in written else "at", off)
        elif next_deadline(schedule, SOME_DAY) is None:
            clash("holidays", kind)
        if kind in settings.schedules:
            lengths[kind] = usual_length(schedule)
    return replace(settings, lengths=lengths), tuple(faults)
