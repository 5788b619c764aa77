"""Who still owes what: how the seats of a running game stand before its deadline."""

from datetime import datetime, timedelta

from judge.host.messages import Due
from judge.host.unit_of_work import opened
from judge.rulebook import SeatId, Silence
from judge.store import GameRecord, SeatRecord, Timing

ROUND_ABOVE = timedelta(hours=1)  # longer phases end on a full minute


def orders_due(game: GameRecord, seat: SeatId) -> int:
    """How many lines would make the seat's orders complete; 0 if it has nothing to send."""
    return next((one.due for one in opened(game).awaited if one.seat == seat), 0)


def awaited_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Seats that have something to send in this phase, held or vacant."""
    asked = [awaited.seat for awaited in opened(game).awaited]
    return tuple(seat for seat in game.seats if seat.id in asked)


def is_complete(game: GameRecord, seat: SeatRecord) -> bool:
    """Every line due is stored, or the player said READY."""
    return seat.ready or len(game.order_set(seat.id)) >= orders_due(game, seat.id)


def owing_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Held seats whose orders are not complete."""
    return tuple(
        seat for seat in awaited_seats(game) if seat.player and not is_complete(game, seat)
    )


def missing_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Held seats from which nothing at all has come: an absence. Partial orders are none."""
    return tuple(
        seat
        for seat in awaited_seats(game)
        if seat.player and not seat.ready and not game.order_set(seat.id)
    )


def vacant_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Seats that have something to send and nobody to send it."""
    return tuple(seat for seat in awaited_seats(game) if seat.player is None)


def waits_for_everybody(game: GameRecord) -> bool:
    """Whether the running phase does not run before everybody has sent something."""
    return game.phase is not None and game.phase.silence is Silence.WAIT


def timing_of(game: GameRecord) -> Timing:
    """The running phase's instants; only an active game has them."""
    assert game.timing is not None, game.name
    return game.timing


def early_run_at(game: GameRecord) -> datetime | None:
    """When the phase runs without its deadline: some time after all were complete.

    None while a seat asked to wait, has orders due, or was told of a problem that is still open.
    A phase that waits for everybody runs before its deadline only if all said READY; after it, as
    soon as every seat has sent something, so that partial orders cannot hold it up for ever.
    """
    timing = timing_of(game)
    seats = [seat for seat in awaited_seats(game) if seat.player]
    if timing.waits:
        is_held_up = bool(missing_seats(game) or vacant_seats(game))
    else:
        is_held_up = any(seat.wait for seat in game.seats) or bool(
            owing_seats(game) or any(seat.faulty for seat in seats)
        )
        if waits_for_everybody(game):
            is_held_up = is_held_up or not all(seat.ready for seat in seats)
    if is_held_up or not seats:
        return None
    return timing.changed_at + game.settings.all_in_delay


def due_of(game: GameRecord, seat: SeatRecord | None, now: datetime) -> Due:
    """Until when, for one seat (or None: for a reader without one)."""
    timing = timing_of(game)
    in_grace = timing.grace_until is not None and (seat is None or seat.id in timing.late)
    at = timing.grace_until if in_grace and timing.grace_until else timing.deadline_at
    early: timedelta | None = game.settings.all_in_delay
    if waits_for_everybody(game) or any(one.wait for one in game.seats):
        early = None
    return Due(
        at=at,
        now=now,
        grace=timedelta(0) if in_grace else game.settings.grace,
        early=early,
        in_grace=in_grace,
        waits=timing.waits,
    )


def phase_length(game: GameRecord) -> timedelta:
    """How long players have for a phase like the running one."""
    assert game.phase is not None
    return game.settings.lengths[game.phase.kind]


def open_timing(now: datetime, length: timedelta) -> Timing:
    """A phase that opens now and lasts `length`; of a long one the deadline is on a full minute."""
    deadline = now + length
    if length > ROUND_ABOVE and (deadline.second or deadline.microsecond):
        deadline = deadline.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return Timing(opened_at=now, deadline_at=deadline, changed_at=now)
