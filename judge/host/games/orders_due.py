"""Who still owes what: how the seats of a running game stand before its deadline; what each policy
for missing players means, and who sees what of the seats."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.host.letters.letter_context import Role
from judge.host.messages.shared import Due, IfSilent
from judge.host.schedules.schedule import (
    is_by_calendar,
    next_deadline,
    next_deadlines,
    next_fitting,
    schedule_of,
)
from judge.host.unit_of_work import opened, rulebook_of
from judge.rulebook import OrderSet, RandomStream, SeatId, Silence
from judge.store import (
    Control,
    Fact,
    GameRecord,
    Missing,
    OnAbsence,
    SeatRecord,
    Sight,
    Timing,
    Unordered,
    Waits,
)

DAY = timedelta(days=1)
BACK_FOR = timedelta(hours=12)  # that who was away has before a deadline
COMING = 3  # deadlines that STATUS, CREATE and JOIN show


@dataclass(frozen=True, slots=True)
class MissingRule:
    """What becomes of a phase and a seat where nothing came.

    Attributes:
        waits: the phase does not run without the orders.
        has_grace: those who are late have the game's grace.
        in_disorder: the seat is in civil disorder for the phase; else its units just hold.
        misses: main phases in a row without orders, after which the seat is vacant; None: never.
        is_defended: the computer gives orders that only defend.
    """

    waits: bool = False
    has_grace: bool = True
    in_disorder: bool = True
    misses: int | None = None
    is_defended: bool = False


RULES: Mapping[Missing, MissingRule] = {
    Missing.WAIT: MissingRule(waits=True, has_grace=False),
    Missing.DISORDER: MissingRule(misses=2),
    Missing.VACANT: MissingRule(misses=1),
    Missing.HOLD: MissingRule(has_grace=False, in_disorder=False),
    Missing.CARETAKER: MissingRule(in_disorder=False, misses=2, is_defended=True),
}


def is_lost_by_next_miss(game: GameRecord, seat: SeatRecord) -> bool:
    """Whether another miss of a main phase makes the seat vacant."""
    limit = RULES[game.settings.missing].misses
    return limit is not None and seat.misses + 1 >= limit


def may_see(game: GameRecord, fact: Fact, role: Role | None) -> bool:
    """Whether a reader sees a fact: a player of the game, its master, or (None) anybody else. Of a
    blind game only its master does: who owes orders still has units."""
    if game.settings.blind and not (role is not None and role.is_master):
        return False
    allowed = [Sight.EVERYBODY]
    if role is not None and (role.seat is not None or role.is_master):
        allowed.append(Sight.PLAYERS)
    if role is not None and role.is_master:
        allowed.append(Sight.MASTER)
    return game.settings.who_sees(fact) in allowed


def orders_due(game: GameRecord, seat: SeatId) -> int:
    """How many lines would make the seat's orders complete; 0 if it has nothing to send."""
    return next((one.due for one in opened(game).awaited if one.seat == seat), 0)


def suggested_orders(game: GameRecord, seat: SeatId) -> OrderSet:
    """Orders to copy, for the player of a practice game: what the computer would order."""
    if not game.is_practice or game.ending or game.phase is None:
        return ()
    rng = RandomStream(game.seed, game.phase.serial)
    return opened(game).computer_orders([seat], rng)[seat]


def awaited_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Seats that have something to send in this phase, held or vacant."""
    asked = [awaited.seat for awaited in opened(game).awaited]
    return tuple(seat for seat in game.seats if seat.id in asked)


def owing_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Held seats whose orders are not complete: not every line due is stored, or not one where one
    is enough for the game, and the player did not say READY."""
    is_one_enough = game.settings.unordered is Unordered.COMPLETE
    due = {one.seat: 1 if is_one_enough else one.due for one in opened(game).awaited}
    return tuple(
        seat
        for seat in game.seats
        if seat.player
        and not seat.ready
        and len(game.order_sets.get(seat.id, ())) < due.get(seat.id, 0)
    )


def missing_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Held seats from which nothing at all has come: an absence. Partial orders are none."""
    return tuple(
        seat
        for seat in awaited_seats(game)
        if seat.player and not seat.ready and not game.order_set(seat.id)
    )


def awaited_vacant_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Seats that have something to send and nobody to send it."""
    return tuple(seat for seat in awaited_seats(game) if seat.is_vacant)


def counts_silence(game: GameRecord) -> bool:
    """Whether who sends nothing in the running phase is absent."""
    return game.phase is not None and game.phase.silence is not Silence.NORMAL


def waits_for_everybody(game: GameRecord) -> bool:
    """Whether the running phase does not run before everybody has sent something."""
    is_waiting = game.phase is not None and game.phase.silence is Silence.WAIT
    return is_waiting and not game.is_practice


def seats_waited_for(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Seats without whose orders the phase does not run though its deadline has passed. A vacant
    one is in civil disorder and holds nothing up, but in the phase that waits for everybody."""
    if waits_for_everybody(game):
        return (*missing_seats(game), *awaited_vacant_seats(game))
    is_waiting = RULES[game.settings.missing].waits and not game.is_practice
    return missing_seats(game) if is_waiting else ()


def is_main(game: GameRecord) -> bool:
    """Whether the running phase is of the rulebook's first kind."""
    return game.running_phase.kind == rulebook_of(game).phase_kinds[0].name


def may_wait(game: GameRecord, seat: SeatId) -> bool:
    """Whether a seat may ask the running phase to wait for its deadline."""
    waits = game.settings.waits
    if waits is Waits.DUE:
        return orders_due(game, seat) > 0
    return is_main(game) if waits is Waits.MAIN else waits is Waits.ANYONE


def waiting_seats(game: GameRecord) -> tuple[SeatId, ...]:
    """Seats whose WAIT stands, and the game's settings let it count; nobody once the deadline has
    passed that it asks to wait for."""
    if has_passed(game):
        return ()
    return tuple(seat.id for seat in game.seats if seat.wait and may_wait(game, seat.id))


def has_passed(game: GameRecord) -> bool:
    """Whether the running phase had a deadline, and waits for orders, or its master, since then."""
    return game.settings.deadlines and timing_of(game).waits


def is_undated(game: GameRecord) -> bool:
    """Whether the running phase has no deadline at all, as its game has none."""
    return not game.settings.deadlines and timing_of(game).waits


def timing_of(game: GameRecord) -> Timing:
    """The running phase's instants; only an active game has them."""
    assert game.timing is not None, game.name
    return game.timing


def early_run_at(game: GameRecord) -> datetime | None:
    """When the phase runs without its deadline: some time after all were complete.

    None while a seat asked to wait, has orders due, or was told of a problem that is still open.
    A phase that waits for everybody runs before its deadline only if all said READY; after it, as
    soon as every seat has sent something, so that partial orders cannot hold it up for ever.
    Where the master runs phases, it is the moment to tell them, once.
    """
    timing = timing_of(game)
    if timing.held is not None or timing.ready_told:
        return None
    is_late = has_passed(game)
    if is_late and seats_waited_for(game):
        return None
    if not is_late and (not game.settings.early or owing_seats(game) or waiting_seats(game)):
        return None
    seats = [seat for seat in awaited_seats(game) if seat.player]
    # No deadline is ahead, and whoever owed orders has left.
    is_left = is_late or (timing.waits and not counts_silence(game))
    if not (seats or game.is_practice or is_left):
        return None
    must_say = timing.reopened or (waits_for_everybody(game) and not timing.waits)
    if not is_late and any(seat.faulty or (must_say and not seat.ready) for seat in seats):
        return None
    at = timing.changed_at + (
        schedule_of(game.settings, game.running_phase.kind).delay or timedelta(0)
    )
    return max(at, timing.paused_until or at)


def deadline_of(game: GameRecord, seat: SeatRecord | None, now: datetime) -> Due:
    """Until when, for one seat (or None: for a reader without one)."""
    timing = timing_of(game)
    # In grace the phase takes orders from the late alone, unless the game lets all change theirs.
    is_late = seat is None or seat.id in timing.late or game.settings.late_changes
    in_grace = timing.grace_until is not None and is_late
    early = schedule_of(game.settings, game.running_phase.kind).delay
    by_master = game.settings.process is Control.MANUAL
    is_bound = by_master or not game.settings.early or timing.reopened
    is_bound = is_bound or (timing.paused_until is not None and timing.paused_until > now)
    if is_bound or waits_for_everybody(game) or waiting_seats(game):
        early = None
    return Due(
        at=timing.ends_at if in_grace else timing.deadline_at,
        now=now,
        grace=timedelta(0) if in_grace else grace_of(game),
        early=early,
        in_grace=in_grace,
        waits=timing.waits,
        held=timing.held is not None,
        by_master=by_master,
        by_ready=timing.reopened and is_undated(game),
        may_wait=seat is None or may_wait(game, seat.id),
        if_silent=if_silent(game, seat) if seat else IfSilent.RULES,
    )


def if_silent(game: GameRecord, seat: SeatRecord) -> IfSilent:
    """What follows where nothing more comes from a seat's player."""
    rule = RULES[game.settings.missing]
    if is_undated(game) and seat.id in [one.id for one in owing_seats(game)]:
        return IfSilent.WAITS
    if seat.id not in [one.id for one in missing_seats(game)]:
        return IfSilent.RULES
    if game.is_practice:
        return IfSilent.ENDS
    if waits_for_everybody(game) or rule.waits:
        return IfSilent.WAITS
    return IfSilent.DEFENDED if rule.is_defended else IfSilent.RULES


def coming_move_deadlines(game: GameRecord, now: datetime) -> tuple[datetime, ...]:
    """The next deadlines of its moves; none if their schedule is a length alone."""
    schedule = schedule_of(game.settings, rulebook_of(game).phase_kinds[0].name)
    if game.faults or not is_by_calendar(schedule) or not game.settings.deadlines:
        return ()
    is_running = game.phase is not None and game.timing is not None and not game.timing.waits
    last = timing_of(game).deadline_at if is_running else None
    return next_deadlines(schedule, last or now, COMING, last)


def grace_of(game: GameRecord) -> timedelta:
    """How long those who sent nothing may still order after the running phase's deadline."""
    schedule, at = schedule_of(game.settings, game.running_phase.kind), timing_of(game).deadline_at
    grace = schedule.grace if RULES[game.settings.missing].has_grace else None
    if not grace or game.settings.strict_grace:
        return grace or timedelta(0)
    return (next_fitting(replace(schedule, clock=None), at + grace) or at + grace) - at


def open_timing(game: GameRecord, now: datetime) -> Timing:
    """The running phase, which opens now; the deadline counts from when the one before, whose
    timing `game` still has, was scheduled to run."""
    if not game.settings.deadlines:
        return Timing(opened_at=now, deadline_at=now, changed_at=now, waits=True, reminded=True)
    before, last = game.timing, None
    if before is not None and not before.waits:
        last = before.ends_at
    deadline = next_deadline(schedule_of(game.settings, game.running_phase.kind), now, last)
    assert deadline is not None, game.name  # settings that leave no day are refused
    return Timing(opened_at=now, deadline_at=after_absences(game, deadline), changed_at=now)


def next_fitting_of(game: GameRecord, at: datetime, later: timedelta = timedelta(0)) -> datetime:
    """The first instant from `at` on, or from so much later, that fits the schedule of the running
    phase."""
    schedule = schedule_of(game.settings, game.running_phase.kind)
    return next_fitting(schedule, at, later) or at + later


def is_away(seat: SeatRecord, at: datetime) -> bool:
    """Whether a deadline falls in an absence of the seat's player, or within hours of its end."""
    return any(one.start <= at < one.end + BACK_FOR for one in seat.absences)


def after_absences(game: GameRecord, deadline: datetime) -> datetime:
    """The deadline, or where it falls in announced absences of those who owe orders a later one, at
    the same time of day or as the schedule has it."""
    while game.settings.on_absence is OnAbsence.SHIFT:
        away = [seat for seat in owing_seats(game) if is_away(seat, deadline)]
        if not away:
            break
        ends = [one.end for seat in away for one in seat.absences if one.start <= deadline]
        days = -((deadline - max(ends) - BACK_FOR) // DAY)
        deadline = next_fitting_of(game, deadline, max(days, 1) * DAY)
    return deadline
