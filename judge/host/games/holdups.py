"""What holds a game up, as its master is told it: one list for STATUS and for the daily digest."""

from collections.abc import Iterator

from judge.host.games.filling import next_look, unsure_players
from judge.host.games.forming import missing_players
from judge.host.games.orders_due import (
    awaited_seats,
    has_passed,
    is_undated,
    may_see,
    owing_seats,
    seats_waited_for,
    timing_of,
    waiting_seats,
    waits_for_everybody,
)
from judge.host.games.proposals import motions_for
from judge.host.letters.letter_context import Role
from judge.host.messages.shared import Holdup, HoldupKind
from judge.host.unit_of_work import UnitOfWork
from judge.rulebook import SeatId
from judge.store import Control, Fact, GameRecord, Status

FEWEST = 2  # players with whom a game may begin short
OF_CLOCK = {  # whose line is refused while the game is on hold
    HoldupKind.READY,
    HoldupKind.WAITS,
    HoldupKind.GRACE,
    HoldupKind.OWING,
    HoldupKind.UNREADY,
    HoldupKind.FAULTY,
    HoldupKind.WAIT,
    HoldupKind.PAUSED,
    HoldupKind.VOTE,
    HoldupKind.NO_EARLY,
}


def holdups_of(work: UnitOfWork, game: GameRecord) -> tuple[Holdup, ...]:
    """What holds a game up, as its master may know it; first what they alone can change."""
    if game.status is Status.FINISHED or game.is_practice:
        return ()
    found = [Holdup(HoldupKind.HALTED)] if game.halted is not None else []
    found += [Holdup(HoldupKind.ASKING, who=work.player(one.player).name) for one in game.asking]
    if game.status is Status.ACTIVE:
        is_held = timing_of(game).held is not None
        found += [one for one in _of_phase(work, game) if not (is_held and one.kind in OF_CLOCK)]
    elif game.status is Status.DRAFT:
        found.append(Holdup(HoldupKind.FAULTS if game.faults else HoldupKind.DRAFT))
    elif missing := missing_players(game):
        is_enough = len(game.applicants) >= FEWEST
        kind = HoldupKind.SHORT if is_enough else HoldupKind.PLACES
        found.append(Holdup(kind, count=missing))
    elif game.timing is not None:
        unsure, at = len(unsure_players(game)), game.timing.deadline_at
        found.append(Holdup(HoldupKind.CONFIRMING, count=unsure, at=at))
    elif starts := next_look(game):
        found.append(Holdup(HoldupKind.SCHEDULED, at=game.settings.not_before or starts))
    elif game.settings.start is Control.MANUAL:
        found.append(Holdup(HoldupKind.TO_START))
    return tuple(found)


def _of_phase(work: UnitOfWork, game: GameRecord) -> Iterator[Holdup]:
    timing, settings, role = timing_of(game), game.settings, Role(game.name, None)
    sees_late, sees_ordered, sees_wait = (
        may_see(game, fact, role) for fact in (Fact.LATE, Fact.ORDERED, Fact.WAITING)
    )
    if timing.held is not None:
        yield Holdup(HoldupKind.HELD, at=timing.held.since, reason=timing.held.reason)
    if settings.process is Control.MANUAL:
        yield Holdup(HoldupKind.READY if timing.ready_told else HoldupKind.MANUAL)
    if timing.unreachable:
        yield Holdup(HoldupKind.MAILBOX)

    # Whose orders are missing: each seat in one sentence.
    told: tuple[SeatId, ...] = ()
    if timing.waits and not is_undated(game) and (waited := seats_waited_for(game)):
        told = tuple(one.id for one in waited)
        yield Holdup(HoldupKind.WAITS, told if sees_late else ())
    elif timing.grace_until is not None:
        told = timing.late
        yield Holdup(HoldupKind.GRACE, told if sees_late else (), at=timing.grace_until)
    owing = [one.id for one in owing_seats(game)]
    if sees_ordered and (rest := tuple(one for one in owing if one not in told)):
        yield Holdup(HoldupKind.OWING, rest)

    # Why the phase does not run though orders are in.
    held = [seat for seat in awaited_seats(game) if seat.player]
    must_say = timing.reopened or (waits_for_everybody(game) and not is_undated(game))
    complete = [seat for seat in held if seat.id not in owing]
    unready = tuple(seat.id for seat in complete if not seat.ready)
    if sees_ordered and must_say and not has_passed(game) and unready:
        yield Holdup(HoldupKind.UNREADY, unready)
    if sees_ordered and (faulty := tuple(seat.id for seat in complete if seat.faulty)):
        yield Holdup(HoldupKind.FAULTY, faulty)
    if waiters := waiting_seats(game):
        yield Holdup(HoldupKind.WAIT, waiters if sees_wait else (), count=len(waiters))
    if timing.paused_until is not None and timing.paused_until > work.now:
        yield Holdup(HoldupKind.PAUSED, at=timing.paused_until)
    for motion in motions_for(game, None):
        yield Holdup(HoldupKind.VOTE if motion.may_decide else HoldupKind.END_VOTE, motion=motion)
    if not (owing or settings.early or timing.waits or settings.process is Control.MANUAL):
        yield Holdup(HoldupKind.NO_EARLY)

    # Who may not come back, or is not there.
    for seat in game.seats:
        if seat.is_open:
            kind = HoldupKind.VACANT if seat.is_vacant else HoldupKind.LEAVING
            yield Holdup(kind, (seat.id,))
        elif seat.player and seat.misses:
            yield Holdup(HoldupKind.MISSED, (seat.id,), count=seat.misses)
    if called := tuple(seat.id for seat in game.seats if seat.standby):
        yield Holdup(HoldupKind.STANDBY, called)
