"""Votes for an end that players agree on: DRAW, which all share, and CONCEDE TO one of them.

Which votes there are is the rulebook's. A vote holds until it is withdrawn or the phase has run.
"""

from functools import partial

from msgspec.structs import replace

from judge.host.command import N_, Command, CommandLine, Stage, Topic, Who
from judge.host.commands.seats import own_seat
from judge.host.games.extensions import players_in_play, voters_of
from judge.host.games.forming import seats_of
from judge.host.games.phases import end_game, notify_game_over
from judge.host.letters.access import find_seat
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import Deed, Done, Voted
from judge.host.messages.refusals import RefusalKind
from judge.rulebook import SeatId

DRAW, CONCESSION = "draw", "concession"
NOT_ALLOWED = {DRAW: RefusalKind.NO_DRAWS, CONCESSION: RefusalKind.NO_CONCESSIONS}


def vote(context: LetterContext, line: CommandLine, *, name: str, is_for: bool) -> None:
    """Cast or withdraw a vote; the last one that is needed ends the game.

    Rule: rulebook 2000, powers with a unit on the board share an agreed end.
    """
    found = own_seat(context, line)
    if found is None:
        return
    game, seat = found
    if name not in game.settings.votes and (is_for or name == DRAW):
        context.refuse(NOT_ALLOWED[name], game)
        return
    winner: SeatId | None = None
    if is_for and name == CONCESSION:
        written = line.arguments["names"]
        named = find_seat(seats_of(game), written)
        others = [one.id for one in voters_of(game) if one.id != seat.id]
        if named is None or named.id not in others:
            context.refuse(RefusalKind.NO_CONCESSION_TO, game, written=written, known=others)
            return
        winner = named.id
    votes = {other: chosen for other, chosen in seat.votes.items() if other != name}
    if is_for:
        votes[name] = winner or ""
    game = context.work.put_game(game.with_seat(replace(seat, votes=votes)))

    voters = [one for one in voters_of(game) if one.id != winner]
    counted = sum(one.votes.get(name) == (winner or "") for one in voters)
    needed = len(voters)
    if name == CONCESSION and not is_for:
        needed, counted = max(0, needed - 1), 0
    context.say(Voted(context.ref(game), name, is_for, winner, needed, counted))
    if is_for and voters and counted == needed:
        winners = (winner,) if winner else tuple(one.id for one in players_in_play(game))
        ended = end_game(context.work, game, name, winners)
        notify_game_over(context.work, context.work.put_game(ended))


def votes(context: LetterContext, _line: CommandLine) -> None:
    """Who voted is told to nobody."""
    game = context.game()
    assert game is not None
    context.say(Done(context.ref(game), Deed.NO_VOTES_TOLD))


COMMANDS = (
    Command(
        "votes",
        ("VOTES",),
        "",
        Who.IN_GAME,
        Topic.VOTES,
        N_("VOTES"),
        N_("your votes count in secret: nobody is told who voted"),
        votes,
        when=Stage.BEGUN,
        changes=False,
    ),
    Command(
        "draw",
        ("DRAW", "SET DRAW", "VOTE DRAW"),
        "",
        Who.PLAYER,
        Topic.VOTES,
        N_("DRAW"),
        N_("vote for a draw; it ends the game when all players still in it vote so"),
        partial(vote, name=DRAW, is_for=True),
        when=Stage.RUNNING,
    ),
    Command(
        "no_draw",
        ("NO DRAW", "SET NO DRAW"),
        "",
        Who.PLAYER,
        Topic.VOTES,
        N_("NO DRAW"),
        N_("take back your vote for a draw"),
        partial(vote, name=DRAW, is_for=False),
        when=Stage.ACTIVE,
    ),
    Command(
        "concede",
        ("CONCEDE TO", "CONCEDE", "SET CONCEDE TO", "SET CONCEDE", "CONCESSION TO"),
        "names",
        Who.PLAYER,
        Topic.VOTES,
        N_("CONCEDE TO FRANCE"),
        N_("say that another power has won; it has when all others still in play say so"),
        partial(vote, name=CONCESSION, is_for=True),
        when=Stage.RUNNING,
    ),
    Command(
        "no_concession",
        ("NO CONCEDE", "NO CONCESSION", "SET NO CONCEDE", "SET NO CONCESSION"),
        "",
        Who.PLAYER,
        Topic.VOTES,
        N_("NO CONCEDE"),
        N_("take back your CONCEDE"),
        partial(vote, name=CONCESSION, is_for=False),
        when=Stage.ACTIVE,
    ),
)
