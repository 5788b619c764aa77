"""Reliability: who sent orders in time, who left; counted over a year, and asked for at JOIN."""

from collections.abc import Mapping
from datetime import timedelta

from judge.host.games.orders_due import awaited_seats, timing_of
from judge.host.unit_of_work import UnitOfWork
from judge.rulebook import SeatId, Silence
from judge.store import Conduct, GameRecord, GameSettings, PlayerId

WINDOW = timedelta(days=365)
FEW_PHASES = 6  # fewer than these say nothing yet: whoever has played them is new
# What counts as a phase; a seat given up is one that was missed.
PHASES = (Conduct.ON_TIME, Conduct.LATE, Conduct.MISSED, Conduct.RESIGNED)


def note_phase(work: UnitOfWork, game: GameRecord, missing: frozenset[SeatId]) -> None:
    """Count who was in time for the phase that runs now, where silence is an absence.

    A seat that sent nothing and is not `missing` is excused: the master chose the moment.
    """
    if game.phase is None or game.phase.silence is Silence.NORMAL:
        return
    for seat in awaited_seats(game):
        if seat.player is None:
            continue
        if seat.id in missing:
            work.note_conduct(game, seat.player, Conduct.MISSED)
        elif seat.id in timing_of(game).late:
            work.note_conduct(game, seat.player, Conduct.LATE)
        elif seat.ready or game.order_set(seat.id):
            work.note_conduct(game, seat.player, Conduct.ON_TIME)


def reliability_of(work: UnitOfWork, player: PlayerId) -> Mapping[Conduct, int]:
    """How often each event happened to a player within the window."""
    return work.repository.players.conduct_since(player, work.now - WINDOW)


def percentage(counts: Mapping[Conduct, int]) -> int | None:
    """How many of a hundred phases the player's orders came in time for, rounded down; None for
    whoever is new."""
    phases = sum(counts.get(one, 0) for one in PHASES)
    return None if phases < FEW_PHASES else 100 * counts.get(Conduct.ON_TIME, 0) // phases


def is_reliable_enough(settings: GameSettings, counts: Mapping[Conduct, int]) -> bool:
    """Whether a game's `RELIABILITY >= 80 or NEW` lets a player in."""
    reached = percentage(counts)
    if reached is None:
        return settings.takes_new or not settings.reliability
    return reached >= settings.reliability
