"""STANDBY: players who would take a seat over when its player is missing."""

from functools import partial

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game
from judge.host.games.standbys import with_standby
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import guess_player, say_asked
from judge.host.messages.people import Personal, PersonalKind
from judge.rulebook import DEFAULT_GAME, load_game
from judge.store import Purpose, Standby


def stand_by(context: LetterContext, line: CommandLine, *, is_on: bool) -> None:
    """`STANDBY`, `STANDBY balkan`, `STANDBY chaos`: on the list of all games, of one, or of a
    variant; a stranger is registered by a YES. NO STANDBY takes off one list, or alone off all and
    out of every seat on call."""
    player, work, written = context.player, context.work, line.arguments.get("game", "")
    kind, scope, values = PersonalKind.STANDBY, "", {}
    if written.lower() in load_game(DEFAULT_GAME).variants() and work.game(written) is None:
        scope, values = f"variant {written.lower()}", {"variant": written.lower()}
        kind = PersonalKind.STANDBY_VARIANT
    elif written:
        game = find_game(context, written)
        if game is None:
            return
        scope, values = f"game {game.name.lower()}", {"game": game.name}
        kind = PersonalKind.STANDBY_GAME
    if player is None:
        payload = {**guess_player(context), "then": f"STANDBY {written}".rstrip()}
        say_asked(context, payload)
        context.ask(Purpose.REGISTER, payload)
        return
    if is_on:
        work.put_standby(Standby(player.id, scope, work.now))
        context.say(Personal(kind, values))
        return
    left = (scope,) if written else work.repository.players.standby_scopes(player.id)
    for one in left:
        work.put_standby(Standby(player.id, one, None))
    for game in work.games_of(player.id):
        if not written or scope == f"game {game.name.lower()}":
            for seat in game.seats:
                if seat.standby == player.id:
                    work.put_game(game := with_standby(game, seat, None))
    context.say(Personal(PersonalKind.NO_STANDBY))


HANDLERS: Handlers = {
    "standby": partial(stand_by, is_on=True),
    "no_standby": partial(stand_by, is_on=False),
}
