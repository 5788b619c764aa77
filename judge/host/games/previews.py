"""What the running phase would come to, for its master's eyes alone. Nothing else shows a master
orders before they run."""

from datetime import datetime

from msgspec.structs import replace

from judge.host.games.orders_due import (
    due_of,
    early_run_at,
    missing_seats,
    owing_seats,
    timing_of,
    vacant_seats,
)
from judge.host.games.phases import resolve_now
from judge.host.messages.master_acts import Preview
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.store import GameRecord


def preview_of(work: UnitOfWork, game: GameRecord) -> Preview:
    """What the phase would come to, if it ran now and nothing more came."""
    missing = frozenset(seat.id for seat in missing_seats(game))
    absent = missing | {seat.id for seat in vacant_seats(game)}
    resolution, _ = resolve_now(game, absent, missing)
    return Preview(
        game=ref_to(game),
        report=resolution.reports[0].public,
        owing=tuple(seat.id for seat in owing_seats(game)),
        missing=tuple(seat.id for seat in game.seats if seat.id in missing),
        due=due_of(game, None, work.now),
    )


def preview_at(game: GameRecord) -> datetime | None:
    """When the master is to see it, in a game of standing previews: as soon as all orders are in,
    and again where they have changed since."""
    timing = timing_of(game)
    if not game.settings.previews or early_run_at(game) is None:
        return None
    is_new = timing.previewed_at is None or timing.previewed_at < timing.changed_at
    return timing.changed_at if is_new else None


def write_preview(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """To each master who does not play in the game."""
    game = work.put_game(replace(game, timing=replace(timing_of(game), previewed_at=work.now)))
    playing = {one for seat in game.seats for one in (seat.player, seat.standby)}
    serial = game.phase.serial if game.phase else None
    for master in (one for one in game.master_ids if one not in playing):
        told = preview_of(work, game)
        work.write(work.player(master), "preview", [told], ref_to(game), serial=serial)
    return game
