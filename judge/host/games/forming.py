"""The life of a game before its first phase: created, joined, started."""

import hashlib
import re
from datetime import datetime

from msgspec.structs import replace

from judge.host.games.absences import fill_seat
from judge.host.games.choosing import ChosenSettings, options_of
from judge.host.games.orders_due import coming_deadlines, due_of, open_timing
from judge.host.games.phases import roster, suggested_orders
from judge.host.games.reliability import is_reliable_enough, percentage, reliability_of
from judge.host.letters.access import Role, find_seat, role_in, seat_of
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import guess_player
from judge.host.messages.command_answers import (
    Created,
    Deed,
    Done,
    JoinAsked,
    Joined,
    SettingFault,
)
from judge.host.messages.game_events import Started
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import UnitOfWork, opened, ref_to, rulebook_of
from judge.rulebook import DEFAULT_GAME, RandomStream, Refused, Seat, SeatId, Values
from judge.store import (
    Applicant,
    GameRecord,
    PlayerId,
    Purpose,
    SeatRecord,
    Status,
)

NAME = re.compile(r"[a-z][a-z0-9_]{1,23}\Z")  # lower case; shown in subjects, typed on phones
PRACTICE_NAME = "practice_"  # followed by what tells apart each player's
NO_PLAYER = PlayerId("")  # the master of a game that is only shown
MOST_NAMED = 60  # other games that an answer names


def is_game_name(name: str) -> bool:
    """Whether a new game may be called so."""
    return bool(NAME.match(name)) and not name.startswith(PRACTICE_NAME)


def seats_of(game: GameRecord) -> tuple[Seat, ...]:
    """The seats of a game; its settings were checked when they were chosen."""
    return rulebook_of(game).seats(game.settings.variant, options_of(game.settings))


def make_game(
    work: UnitOfWork,
    name: str,
    master: PlayerId,
    chosen: ChosenSettings,
    master_hash: str,
    *,
    is_open: bool,
) -> GameRecord:
    """A new game: open to JOIN, or a draft that nobody else sees; with faults always a draft. It
    takes the place of a draft of that name."""
    draft = work.game(name)
    return GameRecord(
        name=name,
        game=DEFAULT_GAME,
        status=Status.FORMING if is_open and not chosen.faults else Status.DRAFT,
        master=master,
        settings=chosen.settings,
        seed=work.tokens.seed(name),
        created_at=work.now,
        master_hash=master_hash,
        faults=tuple((fault.name, fault.written) for fault in chosen.faults),
        version=draft.version if draft else 0,
    )


def created(
    work: UnitOfWork, game: GameRecord, faults: tuple[SettingFault, ...] = (), password: str = ""
) -> Created:
    """What its master is told of a game that is a draft, or open from now on."""
    return Created(
        game=ref_to(game),
        settings=game.settings,
        seats=tuple(seat.id for seat in seats_of(game)),
        faults=faults,
        password=password,
        coming=coming_moves(work, game),
        is_draft=game.status is Status.DRAFT,
        is_made=game.master != NO_PLAYER,
        judge=work.config.address,
    )


def coming_moves(work: UnitOfWork, game: GameRecord) -> tuple[datetime, ...]:
    """The next deadlines of its moves, where they go by the calendar."""
    return coming_deadlines(game, rulebook_of(game).phase_kinds[0].name, work.now)


def free_wishes(game: GameRecord) -> tuple[SeatId, ...]:
    """Seats that an applicant of a forming game may still wish for."""
    taken = {applicant.wish for applicant in game.applicants}
    return tuple(seat.id for seat in seats_of(game) if seat.id not in taken)


def missing_players(game: GameRecord) -> int:
    """How many players a forming game still needs; 0 once it runs."""
    if game.status is not Status.FORMING:
        return 0
    return len(seats_of(game)) - len(game.applicants)


def change_wish(context: LetterContext, game: GameRecord, wish: SeatId | None) -> None:
    """Another wish of a player who waits for the start."""
    player = context.player
    assert player is not None
    applicants = tuple(
        replace(one, wish=wish) if one.player == player.id else one for one in game.applicants
    )
    game = context.work.put_game(replace(game, applicants=applicants))
    context.say(Done(ref_to(game, wish), Deed.WISHED))


def leave(context: LetterContext, game: GameRecord) -> None:
    """A player who waits for the start goes; the place is open again."""
    player = context.player
    assert player is not None
    applicants = tuple(one for one in game.applicants if one.player != player.id)
    game = context.work.put_game(replace(game, applicants=applicants))
    context.sit(None)
    context.say(Done(ref_to(game), Deed.LEFT))


def apply_for(work: UnitOfWork, game: GameRecord, applicant: Applicant) -> GameRecord:
    """A player joins a forming game, which starts as soon as it is full."""
    game = replace(game, applicants=(*game.applicants, applicant))
    if missing_players(game):
        return work.put_game(game)
    return start_game(work, game)


def start_game(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """Deal the seats, open the first phase, write everybody the first letter."""
    rulebook = rulebook_of(game)
    try:
        begun = rulebook.start(game.settings.variant, options_of(game.settings))
    except Refused as refused:  # settings were checked: our own data broke a promise
        raise AssertionError(game.name) from refused
    game = replace(
        game,
        status=Status.ACTIVE,
        state=begun.state,
        phase=begun.phase,
        seats=_deal_seats(game),
        applicants=(),
    )
    game = replace(game, timing=open_timing(game, work.now))
    game = work.put_game(game)
    _tell_started(work, game)
    return game


def _deal_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Wishes are met; the other seats go by lot, drawn from the game's own stream."""
    seats = [seat.id for seat in seats_of(game)]
    wished = {one.wish: one for one in game.applicants if one.wish is not None}
    others = iter(
        RandomStream(game.seed, 0).shuffled([a for a in game.applicants if a.wish is None])
    )
    dealt = []
    for seat in seats:
        applicant = wished.get(seat) or next(others)
        dealt.append(
            SeatRecord(id=seat, player=applicant.player, password_hash=applicant.password_hash)
        )
    return tuple(dealt)


def _tell_started(work: UnitOfWork, game: GameRecord) -> None:
    work.notify_players(game, "start", lambda ref, _: [first_letter(work, game, ref.seat)])


def first_letter(work: UnitOfWork, game: GameRecord, seat: SeatId | None) -> Started:
    """What a game says first to a seat, or (None) to its master."""
    return Started(
        game=ref_to(game, seat),
        view=opened(game).view(seat),
        settings=game.settings,
        roster=roster(work, game, for_master=seat is None),
        seed_hash=seed_hash(game.seed),
        due=due_of(game, game.seat(seat) if seat else None, work.now),
        until=game.until,
        suggested=suggested_orders(game, seat) if seat else (),
    )


def seed_hash(seed: bytes) -> str:
    """What a game's first letter prints of its seed; the last letter prints the seed itself.

    The SHA-256 of the seed's bytes, in hex.
    """
    return hashlib.sha256(seed).hexdigest()


# --- JOIN ----------------------------------------------------------------------------------------


def join(context: LetterContext, game: GameRecord, wish: str, password: str) -> None:
    """Seat a proven player at once; ask anybody else to confirm by a reply."""
    seat = _wished_seat(context, game, wish)
    if wish and seat is None:
        return
    if context.player is not None and seat is not None and _is_applicant(context, game):
        change_wish(context, game, seat)
        return
    if not _is_open(context, game):
        return
    named = find_seat(seats_of(game), password) if seat and password else None
    if named is not None and named.id == seat:
        password = ""  # `JOIN balkan AUSTRIA FRANCE`: the other power of the same seat
    if context.player is None:
        password = ""  # chosen by whoever forged the letter, if it is forged
    payload = {**guess_player(context), "game": game.name, "wish": seat or "", "password": password}
    if context.player is not None and not game.settings.house_rules:
        seat_player(context, payload)
        return
    context.say(
        JoinAsked(
            game=ref_to(game),
            settings=game.settings,
            name=str(payload["name"]),
            address=str(payload["address"]),
            language=str(payload["language"]),
            zone=str(payload["zone"]),
            wish=seat,
            free=_open_seats(game),
            missing_players=missing_players(game),
            vacant=game.status is Status.ACTIVE,
            coming=coming_moves(context.work, game),
        )
    )
    context.ask(Purpose.JOIN, payload)


def _open_seats(game: GameRecord) -> tuple[SeatId, ...]:
    if game.status is Status.FORMING:
        return free_wishes(game)
    return tuple(seat.id for seat in game.seats if seat.is_vacant)


def _wished_seat(context: LetterContext, game: GameRecord, wish: str) -> SeatId | None:
    """The seat that a JOIN names, if it is free; refuses and returns None if not."""
    if not wish:
        return None
    seats = seats_of(game)
    seat = find_seat(seats, wish)
    if seat is None:
        context.refuse(RefusalKind.NO_POWER, game, written=wish, nearest=[one.id for one in seats])
        return None
    free, player = _open_seats(game), context.player
    own = next((one for one in game.applicants if player and one.player == player.id), None)
    if seat.id in free or (own is not None and own.wish == seat.id):
        return seat.id
    context.refuse(RefusalKind.SEAT_TAKEN, game, written=seat.id, free=list(free))
    return None


def _is_applicant(context: LetterContext, game: GameRecord) -> bool:
    player = context.sender.player
    return player is not None and any(one.player == player.id for one in game.applicants)


def _is_open(context: LetterContext, game: GameRecord) -> bool:
    """Whether somebody may still join; refuses, with other games that are open, if not."""
    player = context.sender.player
    if player is not None and context.sender.proven and _is_in(context, game):
        context.refuse(RefusalKind.ALREADY_IN, game)
        return False
    if game.status in (Status.FORMING, Status.ACTIVE) and _open_seats(game):
        return True
    if game.status is Status.FORMING and missing_players(game):
        return True
    others = context.work.repository.games.names(Status.FORMING, limit=MOST_NAMED)
    context.refuse(RefusalKind.GAME_FULL, game, open=list(others))
    return False


def _is_in(context: LetterContext, game: GameRecord) -> bool:
    player = context.sender.player
    assert player is not None
    if _is_applicant(context, game):
        return True
    return any(seat.player == player.id for seat in game.seats)


def seat_player(context: LetterContext, payload: Values) -> None:
    """Carry out a JOIN whose writer is proven; the game may have changed since he asked."""
    work, player = context.work, context.player
    assert player is not None
    game = work.game(str(payload["game"]))
    if game is None:
        context.refuse(RefusalKind.NO_GAME, written=str(payload["game"]), nearest=[])
        return
    wish = SeatId(str(payload["wish"])) if payload["wish"] else None
    if wish in free_wishes(game) and _is_applicant(context, game):
        change_wish(context, game, wish)
        return
    if not _is_open(context, game) or _plays_enough(context) or not _is_admitted(context, game):
        return
    if wish is not None and wish not in _open_seats(game):
        free = list(_open_seats(game))
        context.refuse(RefusalKind.SEAT_TAKEN, game, written=wish, free=free)
        return
    password = str(payload["password"]) or work.tokens.password(game.name, player.id)
    if game.status is Status.ACTIVE:
        _take_vacant_seat(context, game, wish, password)
        return
    hashed = work.tokens.hash_password(password, game.name)
    game = apply_for(work, game, Applicant(player.id, wish, hashed))
    seat = seat_of(game, player)
    context.say(Joined(ref_to(game, seat), seat or wish, password, missing_players(game)))
    context.sit(role_in(game, player))


def _plays_enough(context: LetterContext) -> bool:
    player, most = context.player, context.work.config.games_a_player
    assert player is not None
    if sum(not game.is_practice for game in context.work.games_of(player.id)) < most:
        return False
    context.refuse(RefusalKind.TOO_MANY_GAMES, limit=most)
    return True


def _is_admitted(context: LetterContext, game: GameRecord) -> bool:
    """Whether the others of a game and its rule on reliability let a player in; refuses if not. Who
    blocks whom is told to nobody. Whoever comes back to their own seat is not asked again."""
    work, player = context.work, context.player
    assert player is not None
    if seat_of(game, player) is not None:
        return True
    seated = {seat.player for seat in game.seats if seat.player is not None}
    others = {game.master, *(one.player for one in game.applicants), *seated} - {player.id}
    if any(one in player.blocked or player.id in work.player(one).blocked for one in others):
        context.refuse(RefusalKind.APART, game)
        return False
    counts = reliability_of(work, player.id)
    if is_reliable_enough(game.settings, counts):
        return True
    limit, reached = game.settings.reliability, percentage(counts)
    if reached is None:
        context.refuse(RefusalKind.TOO_NEW, game, limit=limit)
    else:
        context.refuse(RefusalKind.TOO_UNRELIABLE, game, limit=limit, written=str(reached))
    return False


def _take_vacant_seat(
    context: LetterContext, game: GameRecord, wish: SeatId | None, password: str
) -> None:
    """His own old seat first, then the one he wished for, then the first that is vacant."""
    work, player = context.work, context.player
    assert player is not None
    own = seat_of(game, player)
    seat = game.seat(own or wish or _open_seats(game)[0])
    hashed = work.tokens.hash_password(password, game.name)
    game = fill_seat(work, game, seat, player.id, hashed)
    view, due = opened(game).view(seat.id), due_of(game, game.seat(seat.id), work.now)
    context.say(Joined(ref_to(game, seat.id), seat.id, password, 0, view, due))
    context.sit(Role(game.name, seat.id))
