"""Votes for an end that players agree on: DRAW, which all share, and CONCEDE TO one of them.

Which votes there are is the rulebook's; the commands are named after them.
"""

from msgspec.structs import replace

from judge.host.access import find_seat
from judge.host.command import N_, Command, CommandLine, Needs
from judge.host.commands.seats import own_seat
from judge.host.games import seats_of
from judge.host.letter_context import LetterContext
from judge.host.messages import RefusalKind, Voted
from judge.host.phases import end_game, notify_game_over
from judge.host.unit_of_work import opened
from judge.rulebook import SeatId
from judge.store import GameRecord, SeatRecord

DRAW, CONCESSION = "draw", "concession"


def draw(context: LetterContext, line: CommandLine) -> None:
    """A vote that holds until it is withdrawn or the phase has run; the last one ends the game."""
    found = own_seat(context, line)
    if found is None:
        return
    game, seat = found
    if DRAW not in game.settings.votes:
        context.refuse(RefusalKind.NO_DRAWS, game)
        return
    game = _put_vote(context, game, seat, DRAW, "")
    voters = voters_of(game)
    counted = sum(DRAW in one.votes for one in voters)
    context.say(Voted(context.ref(game), DRAW, True, None, len(voters), counted))
    if voters and counted == len(voters):
        # Rulebook 2000: powers with a unit on the board share an agreed end.
        _end(context, game, DRAW, tuple(one.id for one in voters))


def no_draw(context: LetterContext, line: CommandLine) -> None:
    found = own_seat(context, line)
    if found is None:
        return
    game, seat = found
    if DRAW not in game.settings.votes:
        context.refuse(RefusalKind.NO_DRAWS, game)
        return
    game = _put_vote(context, game, seat, DRAW, None)
    voters = voters_of(game)
    counted = sum(DRAW in one.votes for one in voters)
    context.say(Voted(context.ref(game), DRAW, False, None, len(voters), counted))


def concede(context: LetterContext, line: CommandLine) -> None:
    """A vote that another seat has won, which holds as one for a draw; when all others that are
    still in play agree, it has."""
    found = own_seat(context, line)
    if found is None:
        return
    game, seat = found
    if CONCESSION not in game.settings.votes:
        context.refuse(RefusalKind.NO_CONCESSIONS, game)
        return
    written = line.arguments["names"]
    named = find_seat(seats_of(game), written)
    others = [one.id for one in voters_of(game) if one.id != seat.id]
    if named is None or named.id not in others:
        context.refuse(RefusalKind.NO_CONCESSION_TO, game, written=written, known=list(others))
        return
    game = _put_vote(context, game, seat, CONCESSION, named.id)
    voters = [one for one in voters_of(game) if one.id != named.id]
    counted = sum(one.votes.get(CONCESSION) == named.id for one in voters)
    message = Voted(context.ref(game), CONCESSION, True, named.id, len(voters), counted)
    context.say(message)
    if counted == len(voters):
        _end(context, game, CONCESSION, (named.id,))


def no_concession(context: LetterContext, line: CommandLine) -> None:
    found = own_seat(context, line)
    if found is None:
        return
    game, seat = found
    game = _put_vote(context, game, seat, CONCESSION, None)
    needed = max(0, len(voters_of(game)) - 1)
    context.say(Voted(context.ref(game), CONCESSION, False, None, needed, 0))


def _put_vote(
    context: LetterContext, game: GameRecord, seat: SeatRecord, vote: str, winner: str | None
) -> GameRecord:
    """The game with a seat's vote, or (None) without it."""
    votes = {name: chosen for name, chosen in seat.votes.items() if name != vote}
    if winner is not None:
        votes[vote] = winner
    return context.work.put_game(game.with_seat(replace(seat, votes=votes)))


def _end(
    context: LetterContext, game: GameRecord, ending: str, winners: tuple[SeatId, ...]
) -> None:
    game = context.work.put_game(end_game(game, ending, winners))
    notify_game_over(context.work, game)


def voters_of(game: GameRecord) -> list[SeatRecord]:
    """Held seats still in play: they agree on an end, and share a draw."""
    survivors = opened(game).result.survivors
    return [seat for seat in game.seats if seat.player is not None and seat.id in survivors]


COMMANDS = (
    Command(
        "draw",
        ("DRAW", "SET DRAW", "VOTE DRAW"),
        "",
        Needs.SEAT,
        "DRAW",
        N_("vote for a draw; it ends the game when all players still in it vote so"),
        draw,
    ),
    Command(
        "no_draw",
        ("NO DRAW", "SET NO DRAW"),
        "",
        Needs.SEAT,
        "NO DRAW",
        N_("take back your vote for a draw"),
        no_draw,
    ),
    Command(
        "concede",
        ("CONCEDE TO", "CONCEDE", "SET CONCEDE TO", "SET CONCEDE", "CONCESSION TO"),
        "names",
        Needs.SEAT,
        "CONCEDE TO FRANCE",
        N_("say that another power has won; it has when all others still in play say so"),
        concede,
    ),
    Command(
        "no_concession",
        ("NO CONCEDE", "NO CONCESSION", "SET NO CONCEDE", "SET NO CONCESSION"),
        "",
        Needs.SEAT,
        "NO CONCEDE",
        N_("take back your CONCEDE"),
        no_concession,
    ),
)
