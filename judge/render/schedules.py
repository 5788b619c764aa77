"""A game's schedule in words, its next deadlines, and the same in the fields of the old judges."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import reduce

from judge.blocks import Block, Listed, Pairs, Titled
from judge.host.schedules.schedule import format_old_fields, is_by_calendar, schedule_of
from judge.render.catalogue import comma_names, join_names
from judge.render.part import Reader
from judge.render.times import duration, moment, shown_date, zone_name
from judge.rulebook import load_renderer
from judge.store import GameSettings

A_SUNDAY = date(2026, 11, 1)
MONDAY_FIRST = (1, 2, 3, 4, 5, 6, 0)  # days of the week, by their place in `Schedule.days`


def schedule_rows(settings: GameSettings, game: str, reader: Reader) -> list[tuple[str, str]]:
    """Each kind of phase with its schedule, and the holidays."""
    renderer = load_renderer(game)
    rows = [
        (renderer.phase_kind_name(kind, reader), _in_words(settings, kind, reader))
        for kind in settings.lengths
    ]
    holidays = []
    for one in schedule_of(settings, next(iter(settings.lengths))).holidays:
        # Date patterns are Unicode's (TR35): d the day, MMM the short month, y the year.
        pattern = reader.say("d MMM") if one.yearly else reader.say("d MMM y")
        first, last = (shown_date(day, pattern, reader) for day in (one.first, one.last))
        span = reader.say("{first} - {last}", first=first, last=last)
        holidays.append(first if first == last else span)
    if holidays:
        rows.append((reader.say("Holidays"), comma_names(holidays, reader)))
    return rows


def _in_words(settings: GameSettings, kind: str, reader: Reader) -> str:
    """`every Mon, Wed and Fri; at 20:00, London`, `48 hours; not on Sat and Sun`."""
    schedule, say = schedule_of(settings, kind), reader.say

    def days(is_meant: Callable[[str], bool]) -> str:
        meant = [n for n in MONDAY_FIRST if is_meant(schedule.days[n])]
        shown = [shown_date(A_SUNDAY + timedelta(n), "EEE", reader) for n in meant]
        return join_names(shown, reader)

    off, named = days(lambda one: one == "-"), days(str.isalpha)
    afternoons = days(str.islower)
    if schedule.length:
        parts = [duration(schedule.length, reader)]
        parts += [say("not on {days}", days=off)] if off else []
    else:
        parts = [say("every {days}", days=named) if off else say("every day")]
    if afternoons:
        parts.append(say("on {days} in the afternoon alone", days=afternoons))
    if schedule.clock is not None:
        time = "{:02}:{:02}".format(*divmod(schedule.clock, 60))
        parts.append(say("at {time}, {zone}", time=time, zone=zone_name(schedule.zone, reader)))
    elif is_by_calendar(schedule):
        parts.append(say("days of {zone}", zone=zone_name(schedule.zone, reader)))
    if schedule.shortest is not None:
        parts.append(say("at least {time}", time=duration(schedule.shortest, reader)))
    if schedule.grace is not None and schedule.grace != settings.grace:
        parts.append(say("grace {time}", time=duration(schedule.grace, reader)))
    return reduce(lambda one, other: say("{one}; {other}", one=one, other=other), parts)


def old_judge_fields(settings: GameSettings, game: str, reader: Reader) -> Block:
    """The schedules in the fields of the old judges; empty where each is a length alone."""
    if not settings.schedules or not settings.deadlines:
        return ""
    renderer = load_renderer(game)
    rows = [
        (renderer.phase_kind_name(kind, reader), format_old_fields(schedule_of(settings, kind)))
        for kind in settings.lengths
    ]
    return Titled(reader.say("The same in the fields of the old judges:"), Pairs(rows))


def coming_section(
    coming: Sequence[datetime], reader: Reader, *, is_running: bool, zone: str = ""
) -> Block:
    """The next deadlines of moves, in a zone or the reader's; empty for none."""
    if not coming:
        return ""
    title = reader.say("Deadlines of the next moves, if the game began now:")
    if is_running:
        title = reader.say("Deadlines of moves after that:")
    shown = [moment(at, zone or reader.zone, reader) for at in coming]
    return Titled(title, Listed(shown))
