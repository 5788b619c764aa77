"""A game on hold: no clock runs, orders and press are taken, and all know why."""

from datetime import timedelta

from msgspec.structs import replace

from judge.host.games.acts import notify_act
from judge.host.games.orders_due import next_fitting_of, phase_length, timing_of
from judge.host.games.proposals import without_extensions
from judge.host.games.reminders import move_deadline, notify_moved
from judge.host.messages.game_events import MoveReason
from judge.host.messages.master_acts import MasterActed
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.store import Act, ActRecord, GameRecord, Held, PlayerId

REMINDED_EVERY = timedelta(days=3)  # of a hold, the master


def hold_game(
    work: UnitOfWork, game: GameRecord, reason: str, by: PlayerId | None
) -> tuple[GameRecord, MasterActed]:
    """No clock runs from now on; everybody but `by` is told why."""
    held = Held(work.now, work.now + REMINDED_EVERY, reason)
    timing = replace(timing_of(game), held=held)
    game = work.put_game(replace(without_extensions(game), timing=timing))
    told = notify_act(work, game, by, lambda ref, _: MasterActed(ref, Act.HELD, reason))
    return game, told


def resume_game(work: UnitOfWork, game: GameRecord, by: PlayerId | None) -> GameRecord:
    """The game goes on: its deadline moves by as long as it was on hold, and leaves everybody at
    least the time of a reminder; all are told."""
    timing = timing_of(game)
    assert timing.held is not None
    pause, label = work.now - timing.held.since, game.phase.label if game.phase else ""
    game = replace(game, timing=replace(timing, held=None, changed_at=work.now))
    work.keep_act(ActRecord(game.name, label, work.now, Act.RESUMED, by))
    before = timing.grace_until or timing.deadline_at
    if timing.waits:
        game = work.put_game(game)
        notify_moved(work, game, before, MoveReason.RESUMED)
        return game
    shortest = min(game.settings.reminder, phase_length(game))
    at = max(before + pause, work.now + shortest).replace(microsecond=0)
    return move_deadline(work, game, next_fitting_of(game, at), MoveReason.RESUMED)


def remind_of_hold(work: UnitOfWork, game: GameRecord) -> None:
    """The masters are told once more that the game waits for them."""
    timing = timing_of(game)
    held = timing.held
    assert held is not None
    if held.remind_at > work.now:
        return
    held = replace(held, remind_at=work.now + REMINDED_EVERY)
    game = work.put_game(replace(game, timing=replace(timing, held=held)))
    told = MasterActed(ref_to(game), Act.HELD, held.reason, since=held.since)
    work.notify_masters(game, "hold", [told])
