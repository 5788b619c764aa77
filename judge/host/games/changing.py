"""Settings that change after a game is open to players: what becomes of the present deadline, and
who is told.

A changed schedule holds from the next phase on; `from now` it gives the running phase another
deadline too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.host.games.choosing import choose_settings, fixed_faults
from judge.host.games.filling import next_look, settle_places
from judge.host.games.forming import missing_players, seats_for_players, seats_of
from judge.host.games.orders_due import (
    coming_move_deadlines,
    deadline_of,
    grace_of,
    is_undated,
    next_fitting_of,
    open_timing,
    owing_seats,
    seats_waited_for,
    timing_of,
    waiting_seats,
)
from judge.host.games.proposals import without_votes_on_deadline
from judge.host.games.reminders import reminder_message, with_deadline
from judge.host.messages import Message
from judge.host.messages.command_answers import SettingFault
from judge.host.messages.game_events import SettingsChanged
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.store import Control, GameRecord, GameSettings, PlayerId, SeatRecord, Status

FAIR_NOTICE = timedelta(hours=24)  # before a deadline that is earlier than announced


@dataclass(frozen=True, slots=True)
class Change:
    """New settings of a game.

    Attributes:
        game: as it would be, not yet stored.
        before: its settings until now.
        faults: what cannot be taken; with any nothing is to be changed.
        is_moved: the running phase has another deadline, or none any more.
        was: the announced one (or end of grace) until then; None: there was none.
        is_harsh: players have less time than was announced, or less than a day for a phase.
    """

    game: GameRecord
    before: GameSettings
    faults: tuple[SettingFault, ...] = ()
    is_moved: bool = False
    was: datetime | None = None
    is_harsh: bool = False


def read_change(
    game: GameRecord, wanted: Mapping[str, str], now: datetime, zone: str, *, from_now: bool
) -> Change:
    """What becomes of a game with the wanted settings, `name: value` as in CREATE. `from_now`: the
    running phase gets the deadline of one that opens now; not an earlier one within 24 hours."""
    chosen = choose_settings(game.settings, wanted, game.game, zone, now=now, is_change=True)
    faults, changed = [*chosen.faults], replace(game, settings=chosen.settings)
    if game.status is Status.ACTIVE:
        fixed = fixed_faults(game.settings, wanted)
        faults = fixed + [one for one in faults if one.name not in {each.name for each in fixed}]
    elif not faults and (game.applicants or game.waiting):
        is_too_small = len(seats_for_players(changed)) < len(game.applicants)
        if is_too_small or seats_of(changed) != seats_of(game):
            faults = [SettingFault(*one, "fixed_seats") for one in wanted.items()]
    if faults or game.status is not Status.ACTIVE:
        return Change(changed, game.settings, tuple(faults))
    timing = timing_of(game)
    # What its master was to run runs by itself again.
    was_for_master = timing.ready_told and changed.settings.process is Control.AUTOMATIC
    if was_for_master:
        timing = replace(timing, ready_told=False)
        changed = replace(changed, timing=timing)
    was, moved = timing.ends_at, None
    is_released = timing.waits and (
        was_for_master
        or (is_undated(game) and not is_undated(changed))
        or (bool(seats_waited_for(game)) and not seats_waited_for(changed))
    )
    if changed.settings.deadlines and (from_now or is_released):
        fresh = replace(changed, timing=None)
        moved = open_timing(fresh, now).deadline_at
        fair = next_fitting_of(fresh, max(moved, now + FAIR_NOTICE))
        if timing.waits:
            moved = fair
        elif moved < was:
            moved = min(fair, was)
    if moved is not None and (timing.waits or moved != was):
        changed = with_deadline(changed, moved, now)
    elif from_now and not changed.settings.deadlines and not timing.waits:
        changed = without_votes_on_deadline(with_deadline(changed, now, now))
        changed = replace(changed, timing=replace(timing_of(changed), waits=True, reminded=True))
    last = [
        timing_of(one).grace_until or timing_of(one).deadline_at + grace_of(one)
        for one in (game, changed)
        if not timing_of(one).waits
    ]
    lengths, before = chosen.settings.lengths, game.settings.lengths
    is_short = any(length < min(before[kind], FAIR_NOTICE) for kind, length in lengths.items())
    is_dated = len(last) == 2  # before and after
    is_sooner = is_dated and (last[1] < last[0] or timing_of(changed).deadline_at < was)
    is_moved = timing_of(changed) != timing
    announced = was if is_moved and not is_undated(game) else None
    return Change(changed, game.settings, (), is_moved, announced, is_short or is_sooner)


def change_settings(work: UnitOfWork, change: Change, by: PlayerId | None) -> GameRecord:
    """Store a change without faults and tell everybody in the game but who makes it (None: the
    players have agreed on it), each in one letter. A game that has not begun may be full by it."""
    game = work.put_game(change.game)
    is_last = change.is_moved and timing_of(game).reminded and not timing_of(game).waits
    owing = owing_seats(game) if is_last else ()

    def messages(_: GameRef, seat: SeatRecord | None) -> list[Message]:
        told = replace(change_message(work, change, game, seat), is_agreed=by is None)
        return [told, reminder_message(work, game, seat)] if seat and seat in owing else [told]

    work.notify_players(game, "settings", messages, without=by)
    for one in (*game.applicants, *game.waiting):
        left = replace(change_message(work, change, game), may_leave=True)
        work.write(work.player(one.player), "settings", [left], ref_to(game))
    work.notify_observers(game, "settings", messages(ref_to(game), None))
    if game.status is Status.FORMING and game.settings != change.before and game.timing is None:
        was_full = not missing_players(replace(game, settings=change.before))
        is_waiting = was_full and next_look(game) is not None  # until its date
        game = settle_places(work, game) if game.applicants and not is_waiting else game
    return game


def change_message(
    work: UnitOfWork, change: Change, game: GameRecord, seat: SeatRecord | None = None
) -> SettingsChanged:
    """A change as a seat is told it (None: who has none); `game` has the deadline to be told."""
    is_running = game.status is Status.ACTIVE
    return SettingsChanged(
        game=ref_to(game, seat.id if seat else None),
        before=change.before,
        settings=change.game.settings,
        due=deadline_of(game, seat, work.now) if is_running else None,
        was=change.was,
        at=timing_of(change.game).deadline_at if change.is_moved else None,
        coming=() if is_running else coming_move_deadlines(game, work.now),
        lost_wait=seat is not None
        and seat.id in waiting_seats(replace(game, settings=change.before))
        and seat.id not in waiting_seats(change.game),
    )
