"""Missing players: who sent nothing, what becomes of the seat, and who may take it.

A standby is called after a movement phase in which nothing came for a seat, the one who waits
longest first: on the list of the game, then of its variant, then of all. From then on both may send
orders for the seat. If the player sends any, the standby is thanked; if not, the standby's orders
run, and where the seat is lost by that it is the standby's.

Rule: rulebook 2000 on civil disorder (docs/rules.md); when a seat becomes vacant is ours.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta

from msgspec.structs import replace

from judge.host.games.ends import summary_of
from judge.host.games.invitations import is_allowed_by_lists
from judge.host.games.orders_due import (
    RULES,
    after_absences,
    counts_silence,
    deadline_of,
    is_away,
    is_lost_by_next_miss,
    is_undated,
    may_see,
    missing_seats,
    next_fitting_of,
    orders_due,
    owing_seats,
    seats_waited_for,
    timing_of,
    waits_for_everybody,
)
from judge.host.games.proposals import without_votes_on_deadline
from judge.host.games.ratings import is_reliable_enough, recent_conduct
from judge.host.games.reminders import move_deadline
from judge.host.games.tenures import are_apart
from judge.host.letters.letter_context import Role
from judge.host.messages import Message
from judge.host.messages.command_answers import Joined
from judge.host.messages.game_events import (
    GameWaits,
    MoveReason,
    SeatChanged,
    SeatEvent,
    StandbyEvent,
    StandbyNotice,
)
from judge.host.messages.order_answers import AdvanceOpened
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, opened, ref_to, shown
from judge.rulebook import SeatId
from judge.store import Absence, Conduct, Control, Fact, GameRecord, PlayerId, SeatRecord

TAKEOVER_TIME = timedelta(hours=48)  # that whoever takes a seat has at least for orders


def notify_game_waits(work: UnitOfWork, game: GameRecord) -> None:
    """The game waits for orders though its deadline has passed; all are told."""
    waited_for = seats_waited_for(game)
    late = tuple(seat.id for seat in waited_for if seat.player)
    timing = replace(timing_of(game), waits=True, late=late)
    game = work.put_game(replace(without_votes_on_deadline(game), timing=timing))
    missing = tuple(seat.id for seat in waited_for)

    def messages(ref: GameRef, seat: SeatRecord | None) -> list[Message]:
        told = GameWaits(
            game=ref,
            view=shown(game, ref).view(ref.seat),
            missing=missing if may_see(game, Fact.LATE, Role(game.name, ref.seat)) else (),
            is_first=waits_for_everybody(game),
            by_master=game.settings.process is Control.MANUAL,
            is_awaited=ref.seat in missing,
            orders_due=orders_due(game, seat.id) if seat else 0,
            order_set=game.order_set(seat.id) if seat else (),
        )
        return [told]

    work.notify_players(game, "waits", messages)


def count_misses(
    game: GameRecord, missing: frozenset[SeatId], away: frozenset[SeatId] = frozenset()
) -> tuple[GameRecord, tuple[SeatId, ...]]:
    """The game with the misses of a main phase counted, and the seats that become vacant by it.
    Nothing changes for players who were away as announced, nor for those who are silent in a phase
    that its master runs before the deadline."""
    vacated: list[SeatId] = []
    still_owing = {seat.id for seat in missing_seats(game)} - missing
    for seat in game.seats if counts_silence(game) else ():
        if seat.player is None or seat.id in away or seat.id in still_owing:
            continue
        misses = seat.misses + 1 if seat.id in missing else 0
        changed = replace(seat, misses=misses)
        if misses and is_lost_by_next_miss(game, seat):
            changed = vacate(changed)
            vacated.append(seat.id)
        game = game.with_seat(changed)
    return game, tuple(vacated)


def vacate(seat: SeatRecord, *, resigned: bool = False) -> SeatRecord:
    """A seat without its player, who may retake it while it is vacant."""
    return SeatRecord(
        id=seat.id,
        player=None,
        password_hash=seat.password_hash,
        former=seat.player,
        resigned=resigned,
        standby=seat.standby,
        prefers_wait=seat.prefers_wait,
    )


def vacations_of(work: UnitOfWork, game: GameRecord, player: PlayerId) -> tuple[Absence, ...]:
    """When a player is away from all games, if not over and within the game's limit."""
    kept, left = [], game.settings.absence
    for one in work.player(player).vacations:
        if one.end > work.now and one.end - one.start <= left:
            kept.append(one)
            left -= one.end - one.start
    return tuple(kept)


def fill_seat(
    work: UnitOfWork, game: GameRecord, seat: SeatRecord, player: PlayerId, password_hash: str
) -> GameRecord:
    """A vacant seat gets a player, who has some days for the first orders; everyone is told."""
    event = SeatEvent.RETAKEN if seat.former == player else SeatEvent.TAKEN
    game = work.put_game(_seated(work, game, seat, player, password_hash))
    who = work.player(player).name
    notify_seat_changed(work, game, seat.id, event, who)
    if seat.standby not in (None, player):  # whose orders do not run now
        assert seat.standby is not None
        told = SeatChanged(ref_to(game), seat.id, event, _shown(game, who))
        work.write(work.player(seat.standby), "seat", [told], told.game, serial=game.phase_serial)
    if event is SeatEvent.TAKEN and seat.former not in (None, *game.ejected):
        assert seat.former is not None
        told = SeatChanged(ref_to(game), seat.id, SeatEvent.REPLACED, _shown(game, who))
        work.write(work.player(seat.former), "seat", [told], told.game, serial=game.phase_serial)
    fair = (work.now + TAKEOVER_TIME).replace(microsecond=0)
    is_pressed = timing_of(game).ends_at < fair and not timing_of(game).waits
    if event is SeatEvent.TAKEN and is_pressed and orders_due(game, seat.id):
        at = after_absences(game, next_fitting_of(game, fair))
        game = move_deadline(work, game, at, MoveReason.TAKEOVER)
    return game


def _seated(
    work: UnitOfWork, game: GameRecord, seat: SeatRecord, player: PlayerId, password_hash: str
) -> GameRecord:
    """The game with a player in a vacant seat. Nobody gets what another player has stored."""
    timing = timing_of(game)
    if timing.grace_until is not None and seat.id not in timing.late:
        # In grace only those missing may order; whoever takes a vacant seat is one of them.
        timing = replace(timing, late=(*timing.late, seat.id))
    if seat.former != player:
        work.note_conduct(game, player, Conduct.TAKEN_OVER)
        game = game.without_lines(seat.id)
    away = vacations_of(work, game, player)
    waits = seat.former == player and seat.prefers_wait  # as they had asked before
    filled = SeatRecord(
        id=seat.id,
        player=player,
        password_hash=password_hash,
        absences=away,
        wait=waits,
        prefers_wait=waits,
    )
    return replace(game.without_standby_lines(seat.id).with_seat(filled), timing=timing)


def make_dummy(work: UnitOfWork, game: GameRecord, seat: SeatRecord) -> GameRecord:
    """Nobody is to play the seat from now on, nor can take it; everyone is told, also who had it.
    Its orders are forgotten; what its units do, `GameSettings.unplayed` says."""
    game = game.without_lines(seat.id).without_standby_lines(seat.id)
    game = work.put_game(game.with_seat(SeatRecord(seat.id, None, "", is_dummy=True)))
    notify_seat_changed(work, game, seat.id, SeatEvent.DUMMY, "")
    if seat.player is not None:
        player, serial = work.player(seat.player), game.phase_serial
        told = SeatChanged(ref_to(game, seat.id), seat.id, SeatEvent.DUMMY, "")
        work.write(player, "seat", [told], ref_to(game), serial=serial)
    end_calls(work, game, [seat])
    return game


def make_dummy_vacant(work: UnitOfWork, game: GameRecord, seat: SeatRecord) -> GameRecord:
    """A dummy is a vacant seat from now on, open to JOIN; everyone is told."""
    game = work.put_game(game.with_seat(replace(seat, is_dummy=False)))
    notify_seat_changed(work, game, seat.id, SeatEvent.REVIVED, "")
    return game


def give_seat_to_standby(
    work: UnitOfWork,
    game: GameRecord,
    seat: SeatRecord,
    player: PlayerId,
    advance: AdvanceOpened | None = None,
) -> GameRecord:
    """The seat that was lost is the standby's whose orders ran; the results tell the others. What
    the standby has sent ahead stays, `advance` what became of it in the phase that opens."""
    theirs = game.swap_standby_lines()
    password = work.tokens.password(game.name, player)
    hashed = work.tokens.hash_password(password, game.name)
    game = _seated(work, game, seat, player, hashed)
    game = game.with_order_set(seat.id, theirs.order_set(seat.id))
    for one in theirs.advance_of(seat.id):
        game = game.with_advance(seat.id, one.label, one.order_set)
    told = replace(joined_message(work, game, seat.id, password), advance=advance)
    work.write(work.player(player), "seat", [told], told.game, serial=game.phase_serial)
    return game


def joined_message(work: UnitOfWork, game: GameRecord, seat: SeatId, password: str) -> Joined:
    """What whoever gets a seat of a running game needs: the position, what is due, the past."""
    view, due = opened(game).view(seat), deadline_of(game, game.seat(seat), work.now)
    ref, record = ref_to(game, seat), summary_of(work, game)
    return Joined(ref, seat, password, 0, view, due, record=record)


def notify_seat_changed(
    work: UnitOfWork, game: GameRecord, seat: SeatId, event: SeatEvent, who: str
) -> None:
    """Everybody but the one it is about, who gets an answer of his own."""
    is_defended = RULES[game.settings.missing].is_defended
    in_disorder = not (is_defended or waits_for_everybody(game))
    told = SeatChanged(ref_to(game), seat, event, _shown(game, who), in_disorder)
    for other in game.seats:
        if other.id != seat:
            work.notify_seat(game, other.id, "seat", [replace(told, game=ref_to(game, other.id))])
    work.notify_masters(game, "seat", [replace(told, who=who)], serial=game.phase_serial)
    work.notify_observers(game, "seat", [told])


def _shown(game: GameRecord, who: str) -> str:
    """A player's name as others of the game may read it."""
    return "" if game.settings.hides_names else who


def call_or_dismiss_standbys(
    work: UnitOfWork, game: GameRecord, absent: Collection[SeatId]
) -> tuple[GameRecord, dict[SeatId, PlayerId]]:
    """After a main phase in which these seats sent nothing: the game with standbys called for them
    and others thanked, and who takes a vacant seat over because their orders ran for it."""
    taken: dict[SeatId, PlayerId] = {}
    for seat in game.seats:
        standby = seat.standby
        if seat.id not in absent:
            if standby is not None and (seat.ready or game.order_set(seat.id)):
                _write_to_standby(work, game, seat, StandbyEvent.THANKED)
                game = with_standby(game, seat, None)
        elif standby is None or not game.standby_sets.get(seat.id):
            if standby is not None:
                _write_to_standby(work, game, seat, StandbyEvent.DISMISSED)
            called = next_standby(work, game, passed=standby) if game.settings.standby else None
            game = with_standby(game, seat, called)
        elif seat.player is None:
            taken[seat.id] = standby
    return game, taken


def call_for_the_away(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """Standbys for seats that owe orders and whose players will be away at the deadline."""
    is_called = game.settings.standby and not is_undated(game)
    for seat in owing_seats(game) if is_called else ():
        if seat.standby is None and is_away(seat, timing_of(game).deadline_at):
            called = next_standby(work, game, passed=None)
            game = game.with_seat(replace(seat, standby=called))
    return game


def next_standby(work: UnitOfWork, game: GameRecord, passed: PlayerId | None) -> PlayerId | None:
    """The first of the standby lists who has no part in the game and may join it."""
    scopes: tuple[str, ...] = (f"game {game.name.lower()}",)
    if game.settings.listed and not game.settings.join_word:
        scopes = (*scopes, f"variant {game.settings.variant}", "")
    part = {passed, *game.master_ids}
    part |= {one for seat in game.seats for one in (seat.player, seat.former, seat.standby)}
    others = [work.player(one) for one in part if one is not None]
    part |= {*work.repository.players.standbys(f"not {scopes[0]}")}  # who has left its list
    for one in work.repository.players.standbys(*scopes):
        player = work.player(one)
        running = sum(not each.is_practice for each in work.games_of(one))
        if (
            one not in (*part, *game.ejected)
            and player.addresses
            and not any(are_apart(player, each) for each in others)
            and running < work.config.games_a_player
            and is_reliable_enough(game.settings, recent_conduct(work, one))
            and is_allowed_by_lists(game.settings, player)
        ):
            return one
    return None


def ask_standbys_for_orders(
    work: UnitOfWork,
    game: GameRecord,
    *,
    only: SeatId | None = None,
    stood_by: Mapping[SeatId, AdvanceOpened] | None = None,
) -> None:
    """The running phase, to the standbys of seats with orders due; `stood_by`: what became of lines
    that they had sent for it."""
    for seat in game.seats:
        told = (stood_by or {}).get(seat.id)
        is_meant = seat.standby is not None and only in (None, seat.id)
        if is_meant and (told or orders_due(game, seat.id)):
            event = StandbyEvent.ASKED if seat.player else StandbyEvent.VACANT
            if seat.player and not seat.misses and is_away(seat, timing_of(game).deadline_at):
                event = StandbyEvent.AWAY
            _write_to_standby(work, game, seat, event, told)


def _write_to_standby(
    work: UnitOfWork,
    game: GameRecord,
    seat: SeatRecord,
    event: StandbyEvent,
    advance: AdvanceOpened | None = None,
) -> None:
    assert seat.standby is not None
    ref = ref_to(game, seat.id)
    notice = StandbyNotice(ref, seat.id, event, advance=advance)
    if event in (StandbyEvent.ASKED, StandbyEvent.AWAY, StandbyEvent.VACANT):
        due = replace(deadline_of(game, seat, work.now), early=None)
        notice = replace(notice, view=opened(game).view(seat.id), due=due)
    work.write(
        work.player(seat.standby), "standby", [notice], ref, serial=game.running_phase.serial
    )


def end_calls(work: UnitOfWork, game: GameRecord, seats: Iterable[SeatRecord]) -> None:
    """Tell the standbys of these seats, as they were, that nobody stands by for them now."""
    for seat in seats:
        if seat.standby not in (None, *game.ejected):
            _write_to_standby(work, game, seat, StandbyEvent.ENDED)


def with_standby(game: GameRecord, seat: SeatRecord, standby: PlayerId | None) -> GameRecord:
    """The game with another standby for a seat, or none; the lines of the one before are gone."""
    if seat.standby not in (None, standby):
        game = game.without_standby_lines(seat.id)
    return game.with_seat(replace(seat, standby=standby))
