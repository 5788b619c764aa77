"""A phase runs: the rulebook resolves it, absences are counted, everyone gets the results."""

from collections.abc import Mapping
from dataclasses import replace

from judge.host.absences import count_absences
from judge.host.advance_orders import open_advance
from judge.host.messages import AdvanceOpened, GameOver, GameRef, Message, Results, RosterEntry
from judge.host.notify import notify_players
from judge.host.orders_due import due_of, orders_due, phase_length, vacant_seats
from judge.host.timing import open_timing
from judge.host.unit_of_work import UnitOfWork, rulebook_of
from judge.rulebook import JsonObject, JsonValue, Report, Resolution, SeatId, Stream
from judge.store import Ending, GameRecord, PhaseRecord, SeatRecord, Status


def run_phase(work: UnitOfWork, game: GameRecord, missing: frozenset[SeatId]) -> GameRecord:
    """Resolve the running phase and open the next, or end the game.

    `missing` seats are held seats from which nothing came; vacant ones are added here. Both are in
    civil disorder for the phase.
    """
    assert game.state is not None
    assert game.phase is not None
    rulebook = rulebook_of(game)
    absent = missing | {seat.id for seat in vacant_seats(game)}
    rng = Stream(game.seed, game.phase.serial)
    resolution = rulebook.resolve(game.state, game.order_sets, absent, rng)
    work.keep_phase(_finished_phase(work, game, resolution, absent))
    before = game
    game, vacated = count_absences(game, missing)
    game, advance = open_advance(_open_next(work, game, resolution))
    _notify_results(work, before, game, resolution, absent, vacated, advance)
    return work.put_game(game)


def _finished_phase(
    work: UnitOfWork, game: GameRecord, resolution: Resolution, missing: frozenset[SeatId]
) -> PhaseRecord:
    assert game.state is not None
    assert game.phase is not None
    return PhaseRecord(
        game=game.name,
        phase=game.phase,
        state=game.state,
        order_sets=game.order_sets,
        reports=tuple(_report_json(report) for report in resolution.reports),
        missing=tuple(seat.id for seat in game.seats if seat.id in missing),
        processed_at=work.now,
    )


def _report_json(report: Report) -> JsonObject:
    seats: dict[str, JsonValue] = dict(report.seats.items())
    return {"public": report.public, "seats": seats}


def _open_next(work: UnitOfWork, game: GameRecord, resolution: Resolution) -> GameRecord:
    rulebook = rulebook_of(game)
    seats = tuple(
        replace(seat, ready=False, wait=False, draw=False, concedes=None, faulty=False, sets=0)
        for seat in game.seats
    )
    game = replace(game, state=resolution.state, seats=seats, order_sets={})
    result = rulebook.result(resolution.state)
    game = replace(game, phase=rulebook.phase(resolution.state))
    if result.over:
        return end_game(game, Ending.DRAW if result.is_draw else Ending.SOLO, result.winners)
    return replace(game, timing=open_timing(work.now, phase_length(game)))


def end_game(game: GameRecord, ending: Ending, winners: tuple[SeatId, ...]) -> GameRecord:
    """The game is over; its seats keep their players, and nothing is due any more."""
    return replace(
        game,
        status=Status.FINISHED,
        ending=ending,
        winners=winners,
        timing=None,
        due_at=None,
        advance={},
    )


def _notify_results(
    work: UnitOfWork,
    before: GameRecord,
    game: GameRecord,
    resolution: Resolution,
    absent: frozenset[SeatId],
    vacated: tuple[SeatId, ...],
    advance: Mapping[SeatId, AdvanceOpened],
) -> None:
    awaited = (
        () if game.ending else tuple(a.seat for a in rulebook_of(game).awaited(resolution.state))
    )

    def messages(ref: GameRef, seat: SeatRecord | None) -> list[Message]:
        first, *skipped = resolution.reports
        results = Results(
            game=replace(ref, label=before.phase.label if before.phase else None),
            report=first.public,
            own=_own_part(first, ref.seat),
            next_view=rulebook_of(game).view(resolution.state, ref.seat),
            next=None if game.ending else ref,
            owes=seat is not None and not game.ending and orders_due(game, seat.id) > 0,
            due=None if game.ending else due_of(game, _current(game, seat), work.now),
            missing=tuple(one.id for one in before.seats if one.id in absent),
            vacated=vacated,
            awaited=awaited,
            grace=before.settings.grace,
            skipped=tuple(report.public for report in skipped),
            skipped_own=tuple(_own_part(report, ref.seat) for report in skipped),
            held=tuple(one.id for one in game.seats if one.id in absent and one.player),
            main=before.phase is not None and before.phase.main,
            advance=advance.get(ref.seat) if ref.seat else None,
        )
        return [results, *_game_over(work, game, ref)]

    # Those whose seat became vacant by this very phase are told too.
    readers = replace(game, seats=tuple(_with_player_of(before, seat) for seat in game.seats))
    notify_players(work, readers, "results", messages)


def _own_part(report: Report, seat: SeatId | None) -> JsonObject:
    return dict(report.seats.get(seat, {})) if seat else {}


def _current(game: GameRecord, seat: SeatRecord | None) -> SeatRecord | None:
    return game.seat(seat.id) if seat else None


def _with_player_of(before: GameRecord, seat: SeatRecord) -> SeatRecord:
    return replace(seat, player=before.seat(seat.id).player)


def _game_over(work: UnitOfWork, game: GameRecord, ref: GameRef) -> list[Message]:
    if game.ending is None or game.state is None:
        return []
    return [
        GameOver(
            game=ref,
            view=rulebook_of(game).view(game.state, ref.seat),
            ending=game.ending,
            winners=game.winners,
            roster=roster(work, game),
            seed=game.seed.hex(),
        )
    ]


def notify_game_over(work: UnitOfWork, game: GameRecord) -> None:
    """The last letter of a game that ended without a phase running: players agreed on it."""
    notify_players(work, game, "over", lambda ref, _: _game_over(work, game, ref))


def roster(work: UnitOfWork, game: GameRecord) -> tuple[RosterEntry, ...]:
    """Who sits where, as listings show it."""
    assert game.state is not None
    result = rulebook_of(game).result(game.state)
    return tuple(
        RosterEntry(
            seat=seat.id,
            player=work.player(seat.player).name if seat.player else "",
            score=result.scores.get(seat.id, 0),
            in_play=seat.id in result.survivors,
        )
        for seat in game.seats
    )
