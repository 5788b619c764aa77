"""Practice games: one player against computer seats, unseen by others, begun at once.

A practice game runs on without waiting: each phase as soon as its player's orders are complete. It
ends with the last phase that orders could be stored for at its start (`Game.coming`), by RESIGN, or
at a deadline that its player has let pass.
"""

from datetime import timedelta

from msgspec.structs import replace

from judge.host.games.forming import PRACTICE_NAME, first_letter
from judge.host.games.orders_due import open_timing
from judge.host.letters.access import find_seat, role_in
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import DEFAULT_GAME, RandomStream, load_game
from judge.store import GameRecord, Master, Press, SeatRecord, Status

LENGTH = timedelta(days=14)  # of every phase; then the game is taken for abandoned
REMINDER = timedelta(days=3)


def begin_practice(context: LetterContext, wish: str) -> None:
    """A practice game for a proven player, who plays the seat that is named, or one by lot."""
    work, player = context.work, context.writer
    running = next((one for one in work.games_of(player.id) if one.is_practice), None)
    if running is not None:
        context.refuse(RefusalKind.PRACTICE_RUNNING, running)
        return
    rulebook = load_game(DEFAULT_GAME)
    variant, rules = rulebook.variants()[0], rulebook.rule_names()[0]
    seats = rulebook.seats(variant, {"rules": rules})
    begun = rulebook.start(variant, {"rules": rules})
    name = PRACTICE_NAME + work.tokens.receipt("practice", player.id).replace("-", "").lower()
    game = GameRecord(
        name=name,
        game=DEFAULT_GAME,
        status=Status.ACTIVE,
        masters=(Master(player.id),),
        settings=replace(
            work.config.defaults,
            variant=variant,
            rules=rules,
            lengths={kind.name: LENGTH for kind in rulebook.phase_kinds},
            grace=timedelta(0),
            reminder=REMINDER,
            all_in_delay=timedelta(0),
            press=Press.NONE,
            choices=(),
            options=(),
            votes=(),
            schedules={},
        ),
        seed=work.tokens.seed(name),
        created_at=work.now,
        state=begun.state,
        phase=begun.phase,
        until=begun.coming[-1],
    )
    wished = find_seat(seats, wish) if wish else None
    if wish and wished is None:
        nearest = [one.id for one in seats]
        context.refuse(RefusalKind.NO_POWER, game, written=wish, nearest=nearest)
        return
    own = wished or RandomStream(game.seed, 0).shuffled(seats)[0]
    places = (
        SeatRecord(seat.id, player.id, "")
        if seat == own
        else SeatRecord(seat.id, None, "", is_computer=True)
        for seat in seats
    )
    game = replace(game, seats=tuple(places))
    game = work.put_game(replace(game, timing=open_timing(game, work.now)))
    context.say(first_letter(work, game, ref_to(game, own.id)))
    context.sit(role_in(game, player))
