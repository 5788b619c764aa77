"""A master's hand on who plays what: a player put out, two seats exchanged, a game that begins
short or goes back to before its start."""

from msgspec.structs import replace

from judge.host.games.absences import seat_given, vacate
from judge.host.games.acts import keep_act, notify_act
from judge.host.games.agreements import settle_votes
from judge.host.games.filling import without_player
from judge.host.games.forming import missing_players, places_of, start_game
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.rulebook import RandomStream, SeatId
from judge.store import (
    Act,
    Applicant,
    GameRecord,
    PlayerId,
    SeatRecord,
    Status,
)

FEWEST = 2  # players with whom a game begins short


def eject(
    work: UnitOfWork, game: GameRecord, player: PlayerId, reason: str, by: PlayerId
) -> MasterActed:
    """A player or observer has no part in the game any more, and no letter of theirs changes that;
    a seat of theirs is open to others."""
    person = work.player(player)
    shown = "" if game.settings.hides_names else person.name
    own = MasterActed(ref_to(game), Act.EJECTED, reason, who=person.name, is_own=True)
    work.write(person, "act", [own], ref_to(game))
    seats = tuple(seat.id for seat in game.seats if seat.player == player)
    observers = tuple(one for one in game.observers if one.player != player)
    game = replace(game, observers=observers, ejected=(*game.ejected, player))
    if game.status is Status.FORMING:
        game = without_player(work, game, player)
        told = MasterActed(ref_to(game), Act.EJECTED, reason, who=person.name)
        keep_act(work, game, told, by)
        return told
    for one in seats:
        game = game.with_seat(replace(vacate(game.seat(one), resigned=True), standby=None))
    game = game_without_standby(game, player)
    game = work.put_game(game)
    told = MasterActed(ref_to(game), Act.EJECTED, reason, seats, shown)
    if not seats:
        keep_act(work, game, told, by)
        return told
    answer = notify_act(work, game, by, lambda ref, _: replace(told, game=ref))
    settle_votes(work, game)
    return answer


def game_without_standby(game: GameRecord, player: PlayerId) -> GameRecord:
    """The game in which somebody stands by for no seat."""
    seats = tuple(
        replace(seat, standby=None) if seat.standby == player else seat for seat in game.seats
    )
    return replace(game, seats=seats)


def swap(
    work: UnitOfWork,
    game: GameRecord,
    pair: tuple[SeatId, SeatId],
    reason: str,
    by: PlayerId,
) -> MasterActed:
    """Two players exchange their seats, and nothing that either had stored goes with them; each
    gets the position and what to send."""
    first, second = (game.seat(one) for one in pair)
    for seat, other in ((first, second), (second, first)):
        game = game.with_seat(SeatRecord(seat.id, other.player, "", absences=other.absences))
    order_sets, advance, standby_sets = (
        {one: stored for one, stored in sets.items() if one not in pair}
        for sets in (game.order_sets, game.advance, game.standby_sets)
    )
    game = replace(game, order_sets=order_sets, advance=advance, standby_sets=standby_sets)
    game = replace(game, proposals=())
    passwords = {}
    for one in pair:
        passwords[one] = work.tokens.password(game.name, one)
        hashed = work.tokens.hash_password(passwords[one], game.name)
        game = game.with_seat(replace(game.seat(one), password_hash=hashed))
    game = work.put_game(game)
    told = MasterActed(ref_to(game), Act.SWAPPED, reason, pair)

    def message(ref: GameRef, _: SeatRecord | None) -> MasterActed:
        return replace(told, game=ref)

    answer = notify_act(work, game, by, message)
    for one in pair:
        joined, player = seat_given(work, game, one, passwords[one]), game.seat(one).player
        assert player is not None
        serial = game.phase.serial if game.phase else None
        work.write(work.player(player), "seat", [joined], joined.game, serial=serial)
    return answer


def begin_short(work: UnitOfWork, game: GameRecord, by: PlayerId) -> GameRecord:
    """The game begins with the players that it has. Powers that nobody wishes for, drawn by lot,
    are left to nobody."""
    places = places_of(game)
    wished = {one.wish for one in game.applicants}
    liked = {seat for one in game.applicants for tie in one.preferences for seat in tie}
    drawn = RandomStream(game.seed, 0).shuffled(places)
    last = sorted(drawn, key=lambda seat: (seat in wished, seat in liked))
    left = last[: missing_players(game)]
    left_out = tuple(seat for seat in places if seat in left)
    dummies = (*game.settings.dummies, *left_out)
    settings = replace(game.settings, dummies=dummies)
    game = start_game(work, replace(game, settings=settings, shortened=left_out, waiting=()))
    if left_out:
        told = MasterActed(ref_to(game), Act.BEGUN_SHORT, seats=left_out)
        keep_act(work, game, told, by)
    return game


def unstart(work: UnitOfWork, game: GameRecord, reason: str, by: PlayerId) -> MasterActed:
    """The game waits for its start again, with the same players, in no certain seats."""
    applicants = tuple(
        Applicant(seat.player, None, seat.password_hash, yes_at=work.now)
        for seat in game.seats
        if seat.player is not None
    )
    readers, settings = game, game.settings
    dummies = tuple(one for one in settings.dummies if one not in game.shortened)
    game = replace(
        game,
        status=Status.FORMING,
        settings=replace(settings, dummies=dummies),
        applicants=applicants,
        state=None,
        phase=None,
        seats=(),
        order_sets={},
        advance={},
        standby_sets={},
        standby_advance={},
        tenures=(),
        timing=None,
        shortened=(),
        proposals=(),
    )
    game = work.put_game(game)
    told = MasterActed(ref_to(game), Act.UNSTARTED, reason)
    work.notify_players(readers, "act", lambda *_: [told], without=by)
    work.notify_observers(game, "act", [told])
    keep_act(work, game, told, by)
    return told
