"""The life of a game before its first phase: created, joined, started."""

import hashlib
import re

from msgspec.structs import replace

from judge.host.choosing import ChosenSettings, options_of
from judge.host.messages import Started
from judge.host.notify import notify_players
from judge.host.orders_due import due_of, phase_length
from judge.host.phases import roster
from judge.host.timing import open_timing
from judge.host.unit_of_work import UnitOfWork, opened, rulebook_of
from judge.rulebook import DEFAULT_GAME, RandomStream, Refused, Seat, SeatId
from judge.store import (
    Applicant,
    GameRecord,
    PlayerId,
    SeatRecord,
    Status,
)

NAME = re.compile(r"[a-z][a-z0-9_]{1,23}\Z")  # lower case; shown in subjects, typed on phones


def is_game_name(name: str) -> bool:
    """Whether a new game may be called so."""
    return bool(NAME.match(name))


def seats_of(game: GameRecord) -> tuple[Seat, ...]:
    """The seats of a game; its settings were checked when they were chosen."""
    return rulebook_of(game).seats(game.settings.variant, options_of(game.settings))


def create_game(
    work: UnitOfWork, name: str, master: PlayerId, chosen: ChosenSettings, master_hash: str
) -> GameRecord:
    """A new game: open to JOIN, or a draft that nobody else sees while its settings have faults."""
    return work.put_game(
        GameRecord(
            name=name,
            game=DEFAULT_GAME,
            status=Status.DRAFT if chosen.faults else Status.FORMING,
            master=master,
            settings=chosen.settings,
            seed=work.tokens.seed(name),
            created_at=work.now,
            master_hash=master_hash,
            faults=tuple((fault.name, fault.written) for fault in chosen.faults),
        )
    )


def free_wishes(game: GameRecord) -> tuple[SeatId, ...]:
    """Seats that an applicant of a forming game may still wish for."""
    taken = {applicant.wish for applicant in game.applicants}
    return tuple(seat.id for seat in seats_of(game) if seat.id not in taken)


def missing_players(game: GameRecord) -> int:
    """How many players a forming game still needs; 0 once it runs."""
    if game.status is not Status.FORMING:
        return 0
    return len(seats_of(game)) - len(game.applicants)


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
    game = replace(game, timing=open_timing(work.now, phase_length(game)))
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
    notify_players(
        work,
        game,
        "start",
        lambda ref, seat: [
            Started(
                game=ref,
                view=opened(game).view(ref.seat),
                settings=game.settings,
                roster=roster(work, game),
                seed_hash=seed_hash(game.seed),
                due=due_of(game, seat, work.now),
            )
        ],
    )


def seed_hash(seed: bytes) -> str:
    """What a game's first letter prints of its seed; the last letter prints the seed itself.

    The SHA-256 of the seed's bytes, in hex.
    """
    return hashlib.sha256(seed).hexdigest()
