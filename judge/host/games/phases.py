"""A phase runs: the rulebook resolves it, absences are counted, everyone gets the results."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from judge.host.games.absences import (
    ask_standbys_for_orders,
    call_for_the_away,
    call_or_dismiss_standbys,
    count_misses,
    end_calls,
    give_seat_to_standby,
)
from judge.host.games.agreements import settle_votes
from judge.host.games.ends import (
    PRACTICE_ENDING,
    end_by_vote,
    end_game,
    game_over_messages,
    public_game_over,
)
from judge.host.games.orders_due import (
    RULES,
    awaited_seats,
    awaited_vacant_seats,
    counts_silence,
    deadline_of,
    grace_of,
    is_away,
    is_lost_by_next_miss,
    may_wait,
    open_timing,
    orders_due,
    suggested_orders,
    timing_of,
)
from judge.host.games.press_delivery import publish_held
from judge.host.games.proposals import agreed_end, motions_for, without_lapsed_proposals
from judge.host.games.ratings import note_phase
from judge.host.messages import Message
from judge.host.messages.game_events import Results
from judge.host.messages.order_answers import AdvanceOpened
from judge.host.messages.press import PressReceived
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, is_hidden_from, opened, ref_to, shown
from judge.rulebook import NO_JSON, Game, OrderSet, RandomStream, Resolution, SeatId
from judge.store import GameRecord, PhaseRecord, PlayerId, Seasons, SeatRecord, Unplayed

_Opened = Mapping[SeatId, AdvanceOpened]


def run_phase(work: UnitOfWork, game: GameRecord, missing: frozenset[SeatId]) -> GameRecord:
    """Resolve the running phase and open the next, or end the game. From `missing` seats, which are
    held, nothing came; like vacant ones they are in civil disorder for the phase."""
    absent = missing | {seat.id for seat in awaited_vacant_seats(game)}
    resolution = _resolve(work, game, absent, disordered=missing)
    before = game
    at = timing_of(game).deadline_at
    away = frozenset(one for one in missing if is_away(game.seat(one), at))
    note_phase(work, game, missing - away)
    game, vacated = count_misses(game, missing, away)
    taken: dict[SeatId, PlayerId] = {}
    if counts_silence(game):
        game, taken = call_or_dismiss_standbys(work, game, absent)
    game, advance, stood_by = _open_advance(_open_next(work, game, resolution.game))
    # A phase that is no absence runs with the one before: in a game of two seasons by the lists
    # that were sent ahead, and wherever seats without a player alone have a choice.
    is_two = game.settings.seasons is Seasons.TWO
    while not (game.ending or game.is_practice or counts_silence(game)) and (
        is_two or not any(seat.player or seat.id in taken for seat in awaited_seats(game))
    ):
        absent_now = {seat.id for seat in awaited_vacant_seats(game)}
        absent_now |= {one for one in game.standby_sets if not game.order_set(one)}
        also = _resolve(work, game, frozenset(absent_now), disordered=frozenset())
        resolution = Resolution(also.game, (*resolution.reports, *also.reports))
        game, opened_now, stood_by_now = _open_advance(_open_next(work, game, also.game))
        advance = _merge_advance_opened(advance, opened_now)
        stood_by = _merge_advance_opened(stood_by, stood_by_now)
    if game.ending:
        taken = {}
    else:
        game = call_for_the_away(work, replace(game, timing=open_timing(game, work.now)))
    for one, player in taken.items():
        game = give_seat_to_standby(work, game, game.seat(one), player, stood_by.get(one))
    if not game.ending and (agreed := agreed_end(game)) is not None:
        game = end_by_vote(work, game, agreed)
    game, postal = publish_held(work, game)
    game = work.put_game(game)
    _notify_results(work, before, game, resolution, absent, vacated, (*taken,), advance, postal)
    if not game.ending:
        ask_standbys_for_orders(work, game, stood_by=stood_by)
    else:
        left = [one for one in before.seats if one.standby == game.seat(one.id).standby]
        end_calls(work, before, left)
    return settle_votes(work, game)


def _resolve(
    work: UnitOfWork, game: GameRecord, absent: frozenset[SeatId], disordered: frozenset[SeatId]
) -> Resolution:
    """Resolve the running phase and keep it, as `compute_resolution` does."""
    assert game.state is not None
    resolution, order_sets = compute_resolution(game, absent, disordered)
    work.phases.append(
        PhaseRecord(
            game=game.name,
            phase=game.running_phase,
            state=game.state,
            order_sets=order_sets,
            reports=resolution.reports,
            missing=tuple(seat.id for seat in game.seats if seat.id in absent),
            processed_at=work.now,
        )
    )
    return resolution


def compute_resolution(
    game: GameRecord, absent: frozenset[SeatId], disordered: frozenset[SeatId]
) -> tuple[Resolution, Mapping[SeatId, OrderSet]]:
    """What the running phase comes to, and by which orders. `absent` seats sent nothing, or have
    nobody; of those that have a player, `disordered` ones are in civil disorder where the policy
    says so."""
    rule, order_sets = RULES[game.settings.missing], {**game.order_sets}

    def computed(seats: Collection[SeatId], *, only_defend: bool) -> Mapping[SeatId, OrderSet]:
        rng = RandomStream(game.seed, game.running_phase.serial)
        return opened(game).computer_orders(seats, rng, only_defend=only_defend) if seats else {}

    order_sets |= computed([one.id for one in game.seats if one.is_computer], only_defend=False)
    dummies = frozenset(seat.id for seat in game.seats if seat.is_dummy)
    if game.settings.unplayed is Unplayed.CARETAKER:
        order_sets |= computed(dummies, only_defend=True)
        dummies = frozenset()
    without = frozenset(seat.id for seat in awaited_vacant_seats(game))
    if rule.is_defended:
        order_sets |= computed(absent, only_defend=True)
        without = frozenset()
    if rule.in_disorder:
        without |= disordered
    # Nothing came from the player: what a standby has sent counts.
    stood_in = {one: lines for one, lines in game.standby_sets.items() if one in absent and lines}
    order_sets |= stood_in
    without = (without | dummies) - stood_in.keys()
    rng = RandomStream(game.seed, game.running_phase.serial)
    return opened(game).resolve(order_sets, without, rng), order_sets


def _merge_advance_opened(before: _Opened, after: _Opened) -> _Opened:
    """What is told of lines sent ahead: the last phase's orders, the problems of all of them."""
    found = {**before, **after}
    for seat, earlier in before.items():
        later = after.get(seat, AdvanceOpened((), 0))
        problems, lapsed = (*earlier.problems, *later.problems), (*earlier.lapsed, *later.lapsed)
        found[seat] = replace(later, problems=problems, lapsed=lapsed)
    return found


def _open_next(work: UnitOfWork, game: GameRecord, opened_next: Game) -> GameRecord:
    game = replace(
        game,
        state=opened_next.state,
        phase=opened_next.phase,
        order_sets={},
        standby_sets={},
    )
    for seat in game.seats:
        asks_always = bool(seat.player) and seat.prefers_wait and may_wait(game, seat.id)
        changed = replace(seat, ready=False, wait=asks_always, faulty=False, sets=0)
        game = game.with_seat(changed)
    game, result = without_lapsed_proposals(game), opened_next.result
    if result.ending:
        played = tuple(one for one in result.winners if not game.seat(one).is_dummy)
        return end_game(work, game, result.ending, played or result.winners)
    players = {seat.id for seat in game.seats if seat.player}
    is_last = game.until not in opened_next.coming
    if game.is_practice and (is_last or not players & {*result.survivors}):
        return end_game(work, game, PRACTICE_ENDING, ())
    return game


def _open_advance(game: GameRecord) -> tuple[GameRecord, _Opened, _Opened]:
    """The game with the lines that were stored for the phase that has just opened as its orders,
    and what became of lines by seat: of players, of standbys. Those of skipped phases go."""
    game, players = _open_advance_for(game, [seat.id for seat in game.seats if seat.player])
    standbys = [seat.id for seat in game.seats if seat.standby]
    game, stood_by = _open_advance_for(game.swap_standby_lines(), standbys)
    return game.swap_standby_lines(), players, stood_by


def _open_advance_for(game: GameRecord, kept: Sequence[SeatId]) -> tuple[GameRecord, _Opened]:
    """As `_open_advance`; lines of seats that are not kept are forgotten."""
    found: dict[SeatId, AdvanceOpened] = {}
    for seat in game.advance:
        if seat not in kept:
            game = game.without_lines(seat)
            continue
        now, due = opened(game), orders_due(game, seat)
        told = AdvanceOpened((), due)
        for advance in game.advance_of(seat):
            if advance.label in now.coming[1:]:
                continue
            game = game.with_advance(seat, advance.label, ())
            if advance.label != game.running_phase.label or not due:
                told = replace(told, lapsed=(*told.lapsed, advance))
                continue
            reading = now.open_advance(seat, advance.order_set)
            order_set = tuple(one.line for one in reading.understood)[:due]
            game = game.with_order_set(seat, order_set)
            told = replace(told, order_set=order_set, problems=reading.problems)
        if told.order_set or told.problems or told.lapsed:
            found[seat] = told
    return game, found


def _notify_results(
    work: UnitOfWork,
    before: GameRecord,
    game: GameRecord,
    resolution: Resolution,
    absent: frozenset[SeatId],
    vacated: tuple[SeatId, ...],
    taken: tuple[SeatId, ...],
    advance: Mapping[SeatId, AdvanceOpened],
    postal: Sequence[PressReceived],
) -> None:
    rule, ran = RULES[before.settings.missing], opened(before)
    defended = absent if rule.is_defended else frozenset()
    end = public_game_over(work, game)
    kept = before.proposals if game.ending else game.proposals
    lapsed = {one.number for one in before.proposals} - {one.number for one in kept}
    awaited = () if game.ending else tuple(each.seat for each in resolution.game.awaited)
    is_kept = False
    if not game.ending:
        last, due_at = timing_of(before), timing_of(game).deadline_at
        is_kept = work.now < due_at == last.ends_at and not last.waits

    def messages(ref: GameRef, seat: SeatRecord | None) -> list[Message]:
        is_hidden, seen = is_hidden_from(game, ref), resolution.reports
        if is_hidden:
            seen = tuple(ran.report_seen_by(ref.seat, each) for each in seen)
        first, *skipped = seen
        seat_id = ref.seat or SeatId("")
        own, *skipped_own = (each.seats.get(seat_id, NO_JSON) for each in seen)
        now = game.seat(seat.id) if seat else None
        learns = ref.seat if before.is_practice else None
        results = Results(
            game=ref_to(before, ref.seat),
            report=first.public,
            own=own,
            next_view=shown(game, ref, resolution.game.state).view(ref.seat),
            next=None if game.ending else ref,
            is_awaited=seat is not None and not game.ending and orders_due(game, seat.id) > 0,
            due=None if game.ending else replace(deadline_of(game, now, work.now), kept=is_kept),
            # In a blind game those alone whose seats change hands: all learn of that.
            missing=tuple(
                one.id
                for one in before.seats
                if one.id in absent and (not is_hidden or one.id in (*vacated, *taken, ref.seat))
            ),
            vacated=vacated,
            awaited=() if is_hidden else awaited,
            grace=grace_of(before),
            skipped=tuple(report.public for report in skipped),
            skipped_own=tuple(skipped_own),
            held=tuple(one.id for one in game.seats if one.id in absent and one.player),
            is_absence=counts_silence(before) and (rule.in_disorder or rule.is_defended),
            defended=tuple(one.id for one in before.seats if one.id in absent & defended),
            standbys=tuple(one.id for one in game.seats if one.id in absent and one.standby),
            taken=taken,
            at_risk=now is not None and is_lost_by_next_miss(game, now),
            advance=advance.get(ref.seat) if ref.seat else None,
            remarks=ran.remarks_for_learner(learns, first) if learns else (),
            suggested=suggested_orders(game, ref.seat) if ref.seat else (),
            serial=before.running_phase.serial,
            lapsed=tuple(one for one in motions_for(before, ref.seat) if one.number in lapsed),
        )
        return [results, *postal, *game_over_messages(work, game, ref, end)]

    # Those whose seat became vacant by this very phase are told too.
    seats = tuple(replace(seat, player=before.seat(seat.id).player) for seat in game.seats)
    readers = replace(game, seats=seats)
    work.notify_everybody(readers, "results", messages, is_result=True)
