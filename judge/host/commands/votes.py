"""Votes for an end that players agree on: DRAW, which all share, and CONCEDE TO one of them."""

from dataclasses import replace

from judge.host.access import find_seat
from judge.host.command import N_, Command, CommandLine, Needs
from judge.host.commands.seats import own_seat
from judge.host.games import seats_of
from judge.host.letter_context import LetterContext
from judge.host.messages import Conceded, DrawVoted, RefusalKind
from judge.host.phases import end_game, notify_game_over
from judge.host.unit_of_work import rulebook_of
from judge.rulebook import SeatId
from judge.store import Ending, GameRecord, SeatRecord


def draw(context: LetterContext, line: CommandLine) -> None:
    """A vote that holds until it is withdrawn or the phase has run; the last one ends the game."""
    _vote(context, line, votes=True)


def no_draw(context: LetterContext, line: CommandLine) -> None:
    _vote(context, line, votes=False)


def _vote(context: LetterContext, line: CommandLine, *, votes: bool) -> None:
    found = own_seat(context, line)
    if found is None:
        return
    game, seat = found
    if not game.settings.draws:
        context.refuse(RefusalKind.NO_DRAWS, game)
        return
    game = context.work.put_game(game.with_seat(replace(seat, draw=votes)))
    voters = _voters(game)
    counted = sum(1 for one in voters if one.draw)
    context.say(DrawVoted(context.ref(game), votes, needed=len(voters), counted=counted))
    if voters and counted == len(voters):
        # Rulebook 2000: powers with a unit on the board share an agreed end.
        _end(context, game, Ending.DRAW, tuple(one.id for one in voters))


def concede(context: LetterContext, line: CommandLine) -> None:
    """A vote that one of the others has won, which holds as one for a draw; when all others that
    are still in play say so, he has."""
    found = own_seat(context, line)
    if found is None:
        return
    game, seat = found
    if not game.settings.concessions:
        context.refuse(RefusalKind.NO_CONCESSIONS, game)
        return
    written = line.arguments["names"]
    named = find_seat(seats_of(game.settings), written)
    others = [one.id for one in _voters(game) if one.id != seat.id]
    if named is None or named.id not in others:
        context.refuse(RefusalKind.NO_CONCESSION_TO, game, written=written, known=list(others))
        return
    game = context.work.put_game(game.with_seat(replace(seat, concedes=named.id)))
    voters = [one for one in _voters(game) if one.id != named.id]
    context.say(Conceded(context.ref(game), named.id, needed=len(voters)))
    if all(one.concedes == named.id for one in voters):
        _end(context, game, Ending.CONCESSION, (named.id,))


def no_concession(context: LetterContext, line: CommandLine) -> None:
    found = own_seat(context, line)
    if found is None:
        return
    game, seat = found
    game = context.work.put_game(game.with_seat(replace(seat, concedes=None)))
    context.say(Conceded(context.ref(game), None, needed=max(0, len(_voters(game)) - 1)))


def _end(
    context: LetterContext, game: GameRecord, ending: Ending, winners: tuple[SeatId, ...]
) -> None:
    game = context.work.put_game(end_game(game, ending, winners))
    notify_game_over(context.work, game)


def _voters(game: GameRecord) -> list[SeatRecord]:
    """Held seats still in play: they agree on an end, and share a draw."""
    assert game.state is not None
    survivors = rulebook_of(game).result(game.state).survivors
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
