"""Standbys: asked for orders when a player was missing, used if the player is missing again.

A standby is called after a movement phase in which nothing came for a seat, the one who waits
longest first: on the list of the game, then of its variant, then of all. From then on both may send
orders for the seat. If the player sends any, the standby is thanked; if not, the standby's orders
run, and where the seat is lost by that it is the standby's.
"""

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from judge.host.games.invitations import may_join
from judge.host.games.orders_due import due_of, is_away, orders_due, owing_seats, timing_of
from judge.host.games.ratings import is_reliable_enough, reliability_of
from judge.host.messages.game_events import StandbyEvent, StandbyNotice
from judge.host.messages.order_answers import AdvanceOpened
from judge.host.unit_of_work import UnitOfWork, opened, ref_to
from judge.rulebook import SeatId
from judge.store import GameRecord, PlayerId, SeatRecord


def settle_standbys(
    work: UnitOfWork, game: GameRecord, absent: Collection[SeatId]
) -> tuple[GameRecord, dict[SeatId, PlayerId]]:
    """After a main phase in which these seats sent nothing: the game with standbys called for them
    and others thanked, and who takes a vacant seat over because their orders ran for it."""
    taken: dict[SeatId, PlayerId] = {}
    for seat in game.seats:
        standby = seat.standby
        if seat.id not in absent:
            if standby is not None and (seat.ready or game.order_set(seat.id)):
                _write(work, game, seat, StandbyEvent.THANKED)
                game = with_standby(game, seat, None)
        elif standby is None or not game.standby_sets.get(seat.id):
            if standby is not None:
                _write(work, game, seat, StandbyEvent.DISMISSED)
            called = next_standby(work, game, passed=standby) if game.settings.standby else None
            game = with_standby(game, seat, called)
        elif seat.player is None:
            taken[seat.id] = standby
    return game, taken


def call_for_the_away(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """Standbys for seats that owe orders at a deadline at which their players will be away, where
    the deadline does not wait for them."""
    for seat in owing_seats(game):
        is_called = seat.standby is not None or not game.settings.standby
        if not is_called and is_away(seat, timing_of(game).deadline_at):
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
    for one in work.repository.players.standbys(*scopes):
        player = work.player(one)
        others = [work.player(other) for other in part - {None} if other is not None]
        is_apart = any(each.id in player.blocked or player.id in each.blocked for each in others)
        running = sum(not each.is_practice for each in work.games_of(one))
        if (
            one not in (*part, *game.ejected)
            and player.addresses
            and not is_apart
            and running < work.config.games_a_player
            and is_reliable_enough(game.settings, reliability_of(work, one))
            and may_join(game.settings, player)
        ):
            return one
    return None


def ask_standbys(
    work: UnitOfWork,
    game: GameRecord,
    *,
    only: SeatId | None = None,
    stood_by: Mapping[SeatId, AdvanceOpened] | None = None,
) -> None:
    """The running phase, to the standbys of seats that have something to send in it; `stood_by`:
    what became of lines that they had sent for it."""
    for seat in game.seats:
        if only not in (None, seat.id):
            continue
        told = (stood_by or {}).get(seat.id)
        if seat.standby is not None and (told or orders_due(game, seat.id)):
            event = StandbyEvent.ASKED if seat.player else StandbyEvent.VACANT
            _write(work, game, seat, event, told)


def _write(
    work: UnitOfWork,
    game: GameRecord,
    seat: SeatRecord,
    event: StandbyEvent,
    advance: AdvanceOpened | None = None,
) -> None:
    assert seat.standby is not None
    ref = ref_to(game, seat.id)
    notice = StandbyNotice(ref, seat.id, event, advance=advance)
    if event in (StandbyEvent.ASKED, StandbyEvent.VACANT):
        due = replace(due_of(game, seat, work.now), early=None)
        notice = replace(notice, view=opened(game).view(seat.id), due=due)
    work.write(work.player(seat.standby), "standby", [notice], ref, serial=game.running.serial)


def with_standby(game: GameRecord, seat: SeatRecord, standby: PlayerId | None) -> GameRecord:
    """The game with another standby for a seat, or none; the lines of the one before are gone."""
    if seat.standby not in (None, standby):
        game = game.of_standbys().without_lines(seat.id).of_standbys()
    return game.with_seat(replace(seat, standby=standby))
