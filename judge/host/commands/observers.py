"""OBSERVE, SUBSCRIBE and UNSUBSCRIBE: those who read a game and do not play in it."""

from functools import partial

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game
from judge.host.games.invitations import may_enter
from judge.host.letters.access import role_in
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import guess_player, say_asked
from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.refusals import RefusalKind
from judge.host.permissions import observed_game
from judge.host.unit_of_work import ref_to
from judge.store import GameRecord, Observer, PlayerId, Purpose


def observe(context: LetterContext, line: CommandLine, *, results_only: bool) -> None:
    """`OBSERVE balkan`, `SUBSCRIBE balkan`; who is not proven by their letter confirms first."""
    player, watched = context.player, observed_game(context) or context.game()
    written = line.arguments.get("game") or (watched.name if watched else "")
    is_said = line.written[:5].isupper() or not line.written.isascii()
    if not is_said and context.work.game(written) is None:
        context.lines.append(line.written)  # `Watch out!`
        return
    words = [line.arguments["word"]] if "word" in line.arguments else []
    game = find_game(context, written, words)
    if game is None or not may_enter(context, game, words):
        return
    if player is None:
        payload = {**guess_player(context), "then": line.written}
        say_asked(context, payload)
        context.ask(Purpose.REGISTER, payload)
        return
    if role_in(game, player) is not None or game.is_master(player.id) or game.is_practice:
        context.refuse(RefusalKind.ALREADY_IN, game)
        return
    if player.id in game.ejected:
        context.refuse(RefusalKind.EJECTED, game)
        return
    others = _without(game, player.id).observers
    game = replace(game, observers=(*others, Observer(player.id, results_only)))
    context.work.put_game(game)
    context.say(Done(ref_to(game), Deed.SUBSCRIBED if results_only else Deed.OBSERVES))


def unsubscribe(context: LetterContext, line: CommandLine) -> None:
    """`UNSUBSCRIBE balkan`; in a reply to a letter of the game its name may be left out."""
    sent, player = context.sender.sent, context.player
    written = line.arguments.get("game") or (sent.game if sent and sent.game else "")
    game = find_game(context, written)
    if game is None or player is None:
        return
    if not any(one.player == player.id for one in game.observers):
        context.refuse(RefusalKind.NO_OBSERVER, game, written=line.written)
        return
    context.work.put_game(_without(game, player.id))
    context.say(Done(ref_to(game), Deed.UNSUBSCRIBED))


def _without(game: GameRecord, player: PlayerId) -> GameRecord:
    return replace(game, observers=tuple(one for one in game.observers if one.player != player))


HANDLERS: Handlers = {
    "observe": partial(observe, results_only=False),
    "subscribe": partial(observe, results_only=True),
    "unsubscribe": unsubscribe,
}
