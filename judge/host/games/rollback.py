"""A game goes back to an earlier phase, or forward again to what a rollback has taken back.

Nothing that has run is ever changed or lost. A phase that is opened again gets a serial of its own;
`GameRecord.gaps` are the serials that its history leaves out. The phase that was open is kept with
its orders, so that a rollforward opens it again as it stood.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace

from judge.host.games.absences import end_calls
from judge.host.games.acts import record_act
from judge.host.games.ends import end_game, game_over_messages
from judge.host.games.orders_due import deadline_of, open_timing, orders_due
from judge.host.letters.letter_context import LetterContext
from judge.host.messages import Message
from judge.host.messages.master_acts import MasterActed, RolledBack
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import (
    UnitOfWork,
    game_ref_for_master,
    opened,
    ref_to,
    rulebook_of,
    shown,
)
from judge.rulebook import SeatId, Values
from judge.store import Act, Control, GameRecord, PhaseRecord, SeatRecord, Status, Undone

Gaps = tuple[tuple[int, int], ...]


class Return(msgspec.Struct, frozen=True):
    """A way back, or forward again.

    Attributes:
        point: the phase that is opened again.
        gaps, undone: those of the game then.
        taken_back: labels of the phases that are out of the history by it, the open one last.
        ending, winners: with which the game is over again by it.
    """

    act: Act
    point: PhaseRecord
    gaps: Gaps
    undone: tuple[Undone, ...]
    taken_back: tuple[str, ...]
    ending: str = ""
    winners: tuple[SeatId, ...] = ()


def plan_rollback(work: UnitOfWork, game: GameRecord, label: str) -> Return | None:
    """To the finished phase of a label; None if the game's history has none."""
    ran = work.repository.phases.of(game.name)
    point = next((one for one in ran if one.phase.label == label), None)
    if point is None:
        return None
    first, now = point.phase.serial, game.running_phase.serial
    taken_back = [one.phase.label for one in ran if one.phase.serial >= first]
    here = Undone(now, game.gaps, now + 1, game.ending, game.winners)
    return Return(
        Act.ROLLED_BACK,
        point,
        _with_gap(game.gaps, first, now),
        (*game.undone, here),
        (*taken_back, game.running_phase.label) if not game.ending else tuple(taken_back),
    )


def plan_rollforward(work: UnitOfWork, game: GameRecord, label: str = "") -> Return | None:
    """To where the game stood before its last rollback, or to a phase of that history; None if
    nothing was rolled back, or that history has no such phase."""
    if not game.undone:
        return None
    *earlier, last = game.undone
    every, now = work.repository.phases.including_rolled_back(game.name), game.running_phase.serial
    line = [
        one for one in every if one.phase.serial <= last.serial and not _is_in_gaps(one, last.gaps)
    ]
    labels = [one.phase.label for one in line]
    if label and label not in labels:
        return None
    point = line[labels.index(label)] if label else line[-1]
    is_whole = point.phase.serial == last.serial
    ran = [
        one for one in every if one.phase.serial >= last.since and not _is_in_gaps(one, game.gaps)
    ]
    undone = [*earlier] if is_whole else [*game.undone]
    if ran:  # what was played since can be brought again too
        undone.append(Undone(now, game.gaps, now + 1, game.ending, game.winners))
    return Return(
        Act.ROLLED_FORWARD,
        point,
        _with_gap(last.gaps, point.phase.serial, now),
        tuple(undone),
        tuple(one.phase.label for one in ran),
        last.ending if is_whole else "",
        last.winners if is_whole else (),
    )


def new_deadline(work: UnitOfWork, game: GameRecord, way: Return) -> datetime:
    """When orders would be due."""
    return open_timing(_reopened(game, way), work.now).deadline_at


def go_now(context: LetterContext, payload: Values) -> None:
    """Carry out a ROLLBACK or ROLLFORWARD that its master has confirmed; everybody is told."""
    game, work, by = context.role_game, context.work, context.writer.id
    find = plan_rollback if payload["rule"] == "rollback" else plan_rollforward
    way = find(work, game, str(payload["label"]))
    if way is None:
        raise context.refused(RefusalKind.EXPIRED, game)
    keeps_orders, reason = bool(payload["keeps"]), str(payload["reason"])
    assert game.state is not None
    before, held = game, game.timing.held if game.timing else None
    stopped = PhaseRecord(
        game.name, game.running_phase, game.state, game.order_sets, (), (), work.now
    )
    work.phases.append(stopped)
    every = (*work.repository.phases.including_rolled_back(game.name), stopped)
    game = replace(_reopened(game, way), repeats=dict(Counter(one.phase.label for one in every)))
    if way.ending:
        game = work.put_game(end_game(work, game, way.ending, way.winners))
    else:
        held = replace(held, since=work.now) if held else None
        timing = replace(open_timing(game, work.now), reopened=True, held=held)
        game = replace(game, timing=timing)
        if keeps_orders:
            # Of those who had their seat then and have it still: who is new to a seat never sees
            # what another ordered.
            then = {
                (one.seat, one.player)
                for one in game.tenures
                if one.since_serial <= way.point.phase.serial
                and (one.until_serial is None or one.until_serial > way.point.phase.serial)
            }
            for seat in game.seats:
                if seat.player and (seat.id, seat.player) in then:
                    lines = way.point.order_sets.get(seat.id, ())
                    kept = tuple(replace(line, kept=True) for line in lines)
                    game = game.with_order_set(seat.id, kept) if kept else game
            coming = opened(game).coming[1:]
            advance = {
                seat: tuple(one for one in own if one.label in coming)
                for seat, own in before.advance.items()
            }
            game = replace(game, advance={seat: own for seat, own in advance.items() if own})
        game = work.put_game(game)

    def messages(ref: GameRef, seat: SeatRecord | None) -> list[Message]:
        told = RolledBack(
            game=ref,
            act=way.act,
            view=shown(game, ref).view(ref.seat),
            taken_back=way.taken_back,
            reason=reason,
            due=None if game.ending else deadline_of(game, seat, work.now),
            order_set=game.order_set(ref.seat) if ref.seat else (),
            orders_due=orders_due(game, ref.seat) if ref.seat and not game.ending else 0,
            keeps_orders=keeps_orders,
            was_over=bool(before.ending),
            may_run_early=game.settings.early and game.settings.process is Control.AUTOMATIC,
        )
        return [told, *game_over_messages(work, game, ref)]

    work.notify_everybody(game, "rollback", messages, without=by, is_result=True)
    if not before.ending:
        end_calls(work, game, before.seats)
    record_act(work, game, MasterActed(ref_to(game), way.act, reason), by)
    context.messages += messages(game_ref_for_master(game, by), None)


def _reopened(game: GameRecord, way: Return) -> GameRecord:
    """The game in the phase that is opened again: no orders, flags or votes."""
    now = rulebook_of(game).open(way.point.state).with_serial(game.running_phase.serial + 1)
    return replace(
        game,
        status=Status.ACTIVE,
        state=now.state,
        phase=now.phase,
        seats=tuple(
            replace(
                seat,
                ready=False,
                wait=bool(seat.player) and seat.prefers_wait,
                faulty=False,
                sets=0,
                misses=0,
                standby=None,
            )
            for seat in game.seats
        ),
        order_sets={},
        standby_sets={},
        standby_advance={},
        advance={},
        timing=None,
        ending="",
        winners=(),
        ended_at=None,
        scores={},
        gaps=way.gaps,
        undone=way.undone,
        proposals=(),
    )


def _with_gap(gaps: Sequence[tuple[int, int]], first: int, last: int) -> Gaps:
    """Also serials from `first` to `last`, which lie behind all others that are not within."""
    return (*(gap for gap in gaps if gap[0] < first), (first, last))


def _is_in_gaps(record: PhaseRecord, gaps: Gaps) -> bool:
    return any(first <= record.phase.serial <= last for first, last in gaps)
