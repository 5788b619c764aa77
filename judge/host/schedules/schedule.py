"""When the next deadline is: computed from the last one by a game's schedule. No clock is read.

A length alone counts elapsed time: 48 hours are 48 hours, also when the clocks change. With a time
of day, days or holidays the length is counted on the calendar of the schedule's zone, and the
deadline then moves on to the next time of day and the next day that fit. The least time that
players have is counted in the same way.

A local time that a change of the clocks leaves out, or that comes twice, means the later of its two
readings, so that nobody is late who read it the other way.
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from judge.store import EVERY_DAY, GameSettings, Holiday, Schedule

HALF_A_DAY = timedelta(hours=12)  # the old judges' MIN
ROUND_ABOVE = timedelta(hours=1)  # longer phases end on a full minute
NOON = time(12)
ON_TIME = timedelta(minutes=10)  # a phase that ran so soon after its deadline ran at it
HOLIDAYS_MOST = 20  # ranges of a game
HOLIDAY_DAYS_MOST = 60  # of one range
# More than the holidays and the week can leave out.
SEARCHED_DAYS = HOLIDAYS_MOST * HOLIDAY_DAYS_MOST + 400


def schedule_of(settings: GameSettings, kind: str) -> Schedule:
    """The schedule of a kind of phase, together with what holds for all kinds."""
    every = settings.schedules.get("", Schedule())
    own = settings.schedules.get(kind) or Schedule(length=settings.lengths[kind])
    return Schedule(
        length=own.length,
        shortest=every.shortest if own.shortest is None else own.shortest,
        clock=every.clock if own.clock is None else own.clock,
        zone=own.zone or every.zone or "UTC",
        # The days that both allow: `SMTWTFS` and `-MTWTFs` give `-MTWTFs`.
        days="".join(
            "-" if "-" in (a, b) else a.lower() if a.islower() or b.islower() else a
            for a, b in zip(own.days, every.days, strict=True)
        ),
        holidays=(*every.holidays, *own.holidays),
        grace=settings.grace if own.grace is None else own.grace,
        delay=settings.all_in_delay if own.delay is None else own.delay,
    )


def is_by_calendar(schedule: Schedule) -> bool:
    """Whether the time of day or the day matters to it."""
    return (
        schedule.clock is not None
        or schedule.days != EVERY_DAY
        or bool(schedule.holidays)
        or not schedule.length
    )


def shortest_phase(schedule: Schedule) -> timedelta:
    """What players have at least between the opening of a phase and its deadline."""
    if schedule.shortest is not None:
        return schedule.shortest
    return min(schedule.length / 2, HALF_A_DAY) if schedule.length else HALF_A_DAY


def usual_length(schedule: Schedule) -> timedelta:
    """How long a phase by this schedule lasts on average; its length, if it has one."""
    days = sum(day != "-" for day in schedule.days)
    return schedule.length or (timedelta(7) / days if days else timedelta(7))


def next_deadline(
    schedule: Schedule, opened_at: datetime, last: datetime | None = None
) -> datetime | None:
    """The deadline of a phase that opens at an instant, UTC; None if the schedule leaves no day.

    Args:
        opened_at: aware.
        last: when the phase before was scheduled to run (the end of grace, where grace was given).
            The length counts from it, however late the phase ran; from `opened_at` where the phase
            ran early. The deadline is never earlier than it: who counted on it still has it.
    """
    shortest = shortest_phase(schedule)
    if last is not None and timedelta(0) <= opened_at - last < min(ON_TIME, shortest / 2):
        opened_at = last
    base = opened_at if last is None else min(last, opened_at)
    announced = base if last is None else last
    if not is_by_calendar(schedule):
        deadline = max(base + schedule.length, opened_at + shortest, announced)
        return _on_full_minute(deadline) if schedule.length > ROUND_ABOVE else deadline
    counted = _wall_time(schedule, base) + schedule.length
    fair = _wall_time(schedule, opened_at) + shortest
    first = max(counted, fair, _wall_time(schedule, announced))
    return _first_fitting(schedule, first, counted.time(), opened_at)


def next_fitting(
    schedule: Schedule, at: datetime, later: timedelta = timedelta(0)
) -> datetime | None:
    """The first instant from `at` on, or from so much later, that fits the time of day and the days
    of a schedule, for a deadline that moves; None if it leaves no day."""
    if not is_by_calendar(schedule):
        return _on_full_minute(at + later)
    local = _wall_time(schedule, at) + later
    return _first_fitting(schedule, local, local.time(), at - timedelta(seconds=1))


def _first_fitting(
    schedule: Schedule, first: datetime, time_of_day: time, after: datetime
) -> datetime | None:
    """The first deadline that is not before a local time, and after an instant."""
    zone = ZoneInfo(schedule.zone or "UTC")
    for n in range(SEARCHED_DAYS):
        day = first.date() + timedelta(n)
        usual = time_of_day if schedule.clock is None else _clock(schedule)
        if schedule.clock is None and schedule.days[day.isoweekday() % 7].islower():
            usual = max(usual, NOON)
        at = datetime.combine(day, usual)
        deadline = _on_full_minute(later_reading(at, zone))
        if at >= first and deadline > after and is_allowed(schedule, at):
            return deadline
    return None


def next_deadlines(
    schedule: Schedule, opened_at: datetime, count: int, last: datetime | None = None
) -> tuple[datetime, ...]:
    """The deadlines of phases that follow one another, if each runs at its deadline."""
    found: list[datetime] = []
    while len(found) < count:
        last = next_deadline(schedule, last or opened_at, last)
        if last is None:
            break
        found.append(last)
    return tuple(found)


def _wall_time(schedule: Schedule, base: datetime) -> datetime:
    """The local time that the base was scheduled for; it differs from the local time it came out as
    where daylight saving had left that out: 01:30 for a deadline that fell on 02:30."""
    zone = ZoneInfo(schedule.zone or "UTC")
    local = base.astimezone(zone).replace(tzinfo=None)
    if schedule.clock is not None:
        meant = datetime.combine(local.date(), _clock(schedule))
        if later_reading(meant, zone) == base:
            return meant
    return local


def later_reading(local: datetime, zone: tzinfo) -> datetime:
    """The instant of a local time, UTC; of two readings the later."""
    return max(readings(local, zone))


def readings(local: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """The instants, UTC and in order, that a naive local time may mean: two where daylight saving
    leaves it out (by the offset after and before the change) or has it twice."""
    meant = {local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return tuple(sorted(meant))


def is_allowed(schedule: Schedule, local: datetime) -> bool:
    """Whether a deadline may fall on a local time, by the days of the week and the holidays."""
    allowed = schedule.days[local.isoweekday() % 7]
    if allowed == "-" or (allowed.islower() and local.time() < NOON):
        return False
    return not any(_is_in_holiday(holiday, local.date()) for holiday in schedule.holidays)


def _is_in_holiday(holiday: Holiday, day: date) -> bool:
    if not holiday.yearly:
        return holiday.first <= day <= holiday.last
    first, last = ((one.month, one.day) for one in (holiday.first, holiday.last))
    today = (day.month, day.day)
    return first <= today <= last if first <= last else today >= first or today <= last


def _clock(schedule: Schedule) -> time:
    assert schedule.clock is not None
    return time(*divmod(schedule.clock, 60))


def _on_full_minute(at: datetime) -> datetime:
    if at.second or at.microsecond:
        return at.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return at


# --- the old judges' fields ----------------------------------------------------------------------


def format_old_fields(schedule: Schedule) -> str:
    """As the old judges show it: `clock 1200 min 12 next 72 grace 24 delay 0.5 days -MTWTF-`, hours
    but for the clock. They have no field for the zone and the holidays."""
    fields = [f"clock {-1 if schedule.clock is None else schedule.clock}"]
    spans = (
        ("min", shortest_phase(schedule)),
        ("next", schedule.length),
        ("grace", schedule.grace),
        ("delay", schedule.delay),
    )
    hour = timedelta(hours=1)
    fields += [f"{name} {span / hour:.4g}" for name, span in spans if span is not None]
    return " ".join([*fields, f"days {schedule.days}"])
