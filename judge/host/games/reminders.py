"""Letters about the deadline: reminders to those who owe orders, and deadlines that move."""

from datetime import datetime

from msgspec.structs import replace

from judge.host.games.orders_due import (
    counts_silence,
    deadline_of,
    is_lost_by_next_miss,
    orders_due,
    owing_seats,
    timing_of,
)
from judge.host.games.proposals import without_extensions
from judge.host.messages import Message
from judge.host.messages.game_events import DeadlineMoved, MoveReason, Reminder
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, opened, ref_to
from judge.store import GameRecord, SeatRecord


def remind(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """Write to those who owe orders, and to nobody else."""
    timing = timing_of(game)
    is_last = timing.deadline_at - game.settings.last_reminder <= work.now
    timing = replace(timing, reminded=True, reminded_last=is_last)
    game = work.put_game(replace(game, timing=timing))
    for seat in owing_seats(game):
        write_reminder(work, game, seat)
    return game


def write_reminder(work: UnitOfWork, game: GameRecord, seat: SeatRecord) -> None:
    """To a seat that owes orders, before the deadline or in grace."""
    work.notify_seat(game, seat.id, "reminder", [reminder_message(work, game, seat)])


def reminder_message(work: UnitOfWork, game: GameRecord, seat: SeatRecord) -> Reminder:
    """What a seat is told that owes orders."""
    return Reminder(
        game=ref_to(game, seat.id),
        view=opened(game).view(seat.id),
        order_set=game.order_set(seat.id),
        orders_due=orders_due(game, seat.id),
        due=deadline_of(game, seat, work.now),
        is_last_chance=counts_silence(game) and is_lost_by_next_miss(game, seat),
        misses=seat.misses,
        has_standby=seat.standby is not None,
    )


def move_deadline(
    work: UnitOfWork,
    game: GameRecord,
    deadline: datetime,
    reason: MoveReason,
    *,
    paused_until: datetime | None = None,
) -> GameRecord:
    """Another deadline, all are told; the phase does not run before `paused_until`."""
    before = timing_of(game).ends_at
    game = with_deadline(game, deadline, work.now)
    timing = replace(timing_of(game), paused_until=paused_until)
    game = work.put_game(replace(game, timing=timing))
    notify_moved(work, game, before, reason)
    return game


def with_deadline(game: GameRecord, deadline: datetime, now: datetime) -> GameRecord:
    """The game with another deadline for its running phase. Grace begins anew after it; no pause
    holds any more, and nobody asks for more time than the deadline before it had."""
    timing = replace(
        timing_of(game),
        deadline_at=deadline,
        grace_until=None,
        late=(),
        waits=False,
        reminded=deadline - game.settings.reminder <= now,
        reminded_last=deadline - game.settings.last_reminder <= now,
        unreachable=False,
        paused_until=None,
        ready_told=False,
    )
    return replace(without_extensions(game), timing=timing)


def notify_moved(work: UnitOfWork, game: GameRecord, before: datetime, reason: MoveReason) -> None:
    """To everybody: the deadline is another, and since when. Where no reminder will follow, those
    who owe orders are reminded in the same letter."""
    is_last = timing_of(game).reminded and reason is not MoveReason.MAILBOX
    owing = {seat.id for seat in owing_seats(game)} if is_last else set()

    def messages(ref: GameRef, seat: SeatRecord | None) -> list[Message]:
        moved = DeadlineMoved(ref, deadline_of(game, seat, work.now), before, reason)
        return [moved, reminder_message(work, game, seat)] if seat and seat.id in owing else [moved]

    work.notify_everybody(game, "deadline", messages)
