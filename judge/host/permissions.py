"""Whether a sender may give a command here and now, as its row declares; if not, what is wrong and
what to write instead."""

from judge.host.command import Command, Stage, Who
from judge.host.letters.letter_context import LetterContext, NotDone, roles_of
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import ref_to
from judge.store import GameRecord, Status

FOR_OTHERS = ("wait", "no_wait", "ready", "not_ready", "clear")  # that a master sets in AS
STATES = {
    Stage.ALWAYS: tuple(Status),
    Stage.FORMING: (Status.DRAFT, Status.FORMING),
    Stage.NOT_OVER: (Status.DRAFT, Status.FORMING, Status.ACTIVE),
    Stage.BEGUN: (Status.ACTIVE, Status.FINISHED),
    Stage.ACTIVE: (Status.ACTIVE,),
    Stage.RUNNING: (Status.ACTIVE,),
}


def check_right(context: LetterContext, command: Command, written: str) -> None:
    """Refuses a command that the sender may not give; who may is told before when."""
    if command.who is Who.REGISTERED and context.player is None:
        raise refused_unknown(context, written)
    if command.who in (Who.ANYBODY, Who.REGISTERED):
        return
    role, game = context.role, context.game()
    watched = observed_game(context) if command.who is Who.READER else None
    if command.rule in OUTSIDERS:
        watched = OUTSIDERS[command.rule](context)
    if watched is not None:
        if (wrong := wrong_state(watched, command.when)) is not None:
            raise context.refused(wrong, watched, written=written)
        return
    if role is None or game is None:
        raise refused_unsigned(context, written)
    is_standby = role.standby_for is not None
    is_player = role.seat is not None or role.is_applicant or (is_standby and command.for_standby)
    if role.by_master and command.who is Who.PLAYER and command.rule not in FOR_OTHERS:
        refused = RefusalKind.NOT_AS
    elif is_standby and not command.for_standby:
        refused = RefusalKind.NOT_A_PLAYER
    elif command.who is Who.MASTER and is_player:
        refused = RefusalKind.NOT_IN_PRACTICE if game.is_practice else RefusalKind.NOT_MASTER
    elif command.who is Who.PLAYER and not is_player:
        refused = RefusalKind.NOT_A_PLAYER
    elif (wrong := wrong_state(game, command.when)) is not None:
        refused = RefusalKind.NOT_BEGUN if role.is_applicant else wrong
    else:
        return
    raise context.refused(refused, game, written=written)


def wrong_state(game: GameRecord, when: Stage) -> RefusalKind | None:
    """Why something cannot be done in the state that a game is in."""
    if game.status not in STATES[when]:
        return RefusalKind.HAS_BEGUN if when is Stage.FORMING else RefusalKind.NOT_RUNNING
    if when is not Stage.RUNNING:
        return None
    if game.timing is not None and game.timing.held is not None:
        return RefusalKind.GAME_HELD
    return RefusalKind.GAME_HALTED if game.halted else None


def refused_unsigned(context: LetterContext, written: str = "") -> NotDone:
    """Something for a game, in a letter that speaks of none of its writer's."""
    games, lost = own_games(context), game_without_role(context)
    if lost is not None:
        return context.refused(RefusalKind.NOT_A_PLAYER, lost, written=written)
    if context.player is not None and len(games) > 1:
        names = [ref.name for ref in games]
        return context.refused(RefusalKind.WHICH_GAME, games=names, written=written)
    return context.refused(RefusalKind.NOT_SIGNED_ON, written=written)


def refused_unknown(context: LetterContext, written: str) -> NotDone:
    """Something for players of the judge, in a letter that is nobody's or does not prove whose."""
    is_known = context.sender.player is not None
    kind = RefusalKind.NOT_PROVEN if is_known else RefusalKind.NOT_REGISTERED
    return context.refused(kind, written=written)


def own_games(context: LetterContext) -> tuple[GameRef, ...]:
    """The games of the sender, each with their seat in it."""
    player, work = context.sender.player, context.work
    roles = roles_of(work, player) if player else []
    return tuple(ref_to(work.existing_game(role.game), role.seat) for role in roles)


def observed_game(context: LetterContext) -> GameRecord | None:
    """The game that a letter replies to, if its writer observes it and has no other part in it."""
    game, player = _answered_game(context), context.player
    watching = {one.player for one in game.observers} if game else set()
    return game if player is not None and player.id in watching else None


def former_game(context: LetterContext) -> GameRecord | None:
    """The game that a letter replies to, a seat of which its writer once held, and none now."""
    game, player = game_without_role(context), context.player
    held = {one.player for one in game.tenures} if game else set()
    return game if player is not None and player.id in held else None


def game_without_role(context: LetterContext) -> GameRecord | None:
    """The game that a letter replies to, whose writer has no part in it any more."""
    game, player = _answered_game(context), context.player
    roles = roles_of(context.work, player) if game and player else []
    return None if game and game.name in (role.game for role in roles) else game


def _answered_game(context: LetterContext) -> GameRecord | None:
    """The game that a known writer's letter replies to, if it speaks for nobody in it."""
    sent = context.sender.sent
    if context.role is not None or context.player is None or sent is None or sent.game is None:
        return None
    return context.work.game(sent.game)


def asking_game(context: LetterContext) -> GameRecord | None:
    """The game whose master the writer waits for: that which the letter replies to, or the one."""
    sent, player = context.sender.sent, context.player
    if context.role is not None or player is None:
        return None
    all_ = context.work.games_of(player.id)
    games = [one for one in all_ if player.id in (each.player for each in one.asking)]
    named = [one for one in games if sent and one.name == sent.game] or games
    return named[0] if len(named) == 1 else None


# What may be given by who has no part in a game, and the game that it is about.
OUTSIDERS = {"statement": former_game, "resign": asking_game}
