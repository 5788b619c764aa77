"""The life of a game before its first phase: created, joined, started."""

import hashlib
import re

from msgspec.structs import replace

from judge.host.games.absences import vacations_of
from judge.host.games.choosing import ChosenSettings
from judge.host.games.ends import roster
from judge.host.games.orders_due import (
    coming_move_deadlines,
    deadline_of,
    open_timing,
    suggested_orders,
)
from judge.host.games.seat_names import find_seat
from judge.host.games.setting_values import rulebook_options
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import Created, SettingFault
from judge.host.messages.game_events import Started
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, ref_to, rulebook_of, shown
from judge.rulebook import DEFAULT_GAME, RandomStream, Seat, SeatId
from judge.store import Dealing, GameRecord, Master, SeatRecord, Status

NAME = re.compile(r"[a-z][a-z0-9_]{1,23}\Z")  # lower case; shown in subjects, typed on phones
PRACTICE_NAME = "practice_"  # followed by what tells apart each player's


def is_game_name(name: str) -> bool:
    """Whether a new game may be called so."""
    return bool(NAME.match(name)) and not name.startswith(PRACTICE_NAME)


def seats_of(game: GameRecord) -> tuple[Seat, ...]:
    """The seats of a game; its settings were checked when they were chosen."""
    return rulebook_of(game).seats(game.settings.variant, rulebook_options(game.settings))


def named_seat(context: LetterContext, game: GameRecord, written: str) -> Seat:
    """The seat of a game that a word names; refuses if there is none."""
    seats = seats_of(game)
    found = find_seat(seats, written)
    if found is None:
        nearest = [one.id for one in seats]
        raise context.refused(RefusalKind.NO_POWER, game, written=written, nearest=nearest)
    return found


def seats_for_players(game: GameRecord) -> tuple[SeatId, ...]:
    """The seats that players are wanted for."""
    return tuple(seat.id for seat in seats_of(game) if seat.id not in game.settings.dummies)


def make_game(
    work: UnitOfWork,
    name: str,
    masters: tuple[Master, ...],
    chosen: ChosenSettings,
    *,
    is_open: bool,
) -> GameRecord:
    """A new game: open to JOIN, or a draft that nobody else sees; with faults always a draft. One
    that is only shown has no masters. It takes the place of a draft of that name."""
    draft = work.game(name)
    return GameRecord(
        name=name,
        game=DEFAULT_GAME,
        status=Status.FORMING if is_open and not chosen.faults else Status.DRAFT,
        masters=masters,
        settings=chosen.settings,
        seed=work.tokens.seed(name),
        created_at=work.now,
        faults=tuple((fault.name, fault.written) for fault in chosen.faults),
        version=draft.version if draft else 0,
        asked_masters=draft.asked_masters if draft else (),
    )


def created(
    work: UnitOfWork, game: GameRecord, faults: tuple[SettingFault, ...] = (), password: str = ""
) -> Created:
    """What its master is told of a game that is a draft, or open from now on."""
    return Created(
        game=ref_to(game),
        settings=game.settings,
        seats=seats_for_players(game),
        faults=faults,
        password=password,
        coming=coming_move_deadlines(game, work.now),
        is_draft=game.status is Status.DRAFT,
        is_made=bool(game.masters),
        judge=work.config.address,
    )


def free_wishes(game: GameRecord) -> tuple[SeatId, ...]:
    """Seats that an applicant of a forming game may still wish for."""
    taken = {applicant.wish for applicant in game.applicants}
    return tuple(seat for seat in seats_for_players(game) if seat not in taken)


def missing_players(game: GameRecord) -> int:
    """How many players a forming game still needs; 0 once it runs."""
    if game.status is not Status.FORMING:
        return 0
    return len(seats_for_players(game)) - len(game.applicants)


def start_game(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """Deal the seats, open the first phase, write everybody the first letter."""
    # Who asked for one seat alone has it, unless nobody is to play it since then.
    places, rng = seats_for_players(game), RandomStream(game.seed, 0)
    is_random = game.settings.powers is Dealing.RANDOM
    holders = {one.wish: one for one in game.applicants if one.wish in places and not is_random}
    # Then those with a list choose, in an order drawn by lot: each one of the first wish left.
    drawn = rng.shuffled([one for one in game.applicants if one not in holders.values()])
    for one in drawn if not is_random else ():
        free = [seat for seat in places if seat not in holders]
        left = [[seat for seat in tie if seat in free] for tie in one.preferences]
        if one.preferences:
            holders[rng.shuffled(next(filter(None, left), free))[0]] = one
    # The others' seats go by lot.
    others = (one for one in drawn if one not in holders.values())
    dealt = {seat: holders.get(seat) or next(others) for seat in places}
    seats = [SeatRecord(one.id, None, "", is_dummy=True) for one in seats_of(game)]
    for at, seat in enumerate(seats):
        if (holder := dealt.get(seat.id)) is not None:
            away = vacations_of(work, game, holder.player)
            seats[at] = SeatRecord(seat.id, holder.player, holder.password_hash, absences=away)

    begun = rulebook_of(game).start(game.settings.variant, rulebook_options(game.settings))
    game = replace(
        game,
        status=Status.ACTIVE,
        state=begun.state,
        phase=begun.phase,
        seats=tuple(seats),
        applicants=(),
        timing=None,
        settings=replace(game.settings, not_before=None),
    )
    game = work.put_game(replace(game, timing=open_timing(game, work.now)))
    work.notify_players(game, "start", lambda ref, _: [first_letter(work, game, ref)])
    told = replace(first_letter(work, game, ref_to(game)), roster=roster(work, game))
    work.notify_observers(game, "start", [told], is_result=True)
    return game


def first_letter(work: UnitOfWork, game: GameRecord, ref: GameRef) -> Started:
    """What a game says first to a seat, or to its master."""
    seat = ref.seat
    return Started(
        game=ref,
        view=shown(game, ref).view(seat),
        settings=game.settings,
        roster=roster(work, game, for_master=seat is None, ref=ref),
        seed_hash=seed_hash(game.seed),
        due=deadline_of(game, game.seat(seat) if seat else None, work.now),
        until=game.until,
        suggested=suggested_orders(game, seat) if seat else (),
    )


def seed_hash(seed: bytes) -> str:
    """The SHA-256 of a seed, in hex: what the first letter prints; the last prints the seed."""
    return hashlib.sha256(seed).hexdigest()
