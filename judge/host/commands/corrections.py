"""The master's hand on the clock and on what has happened: HOLD, RESUME."""

from judge.host.command import N_, Command, CommandLine, Stage, Topic, Who
from judge.host.games.holding import hold_game, resume_game
from judge.host.games.orders_due import due_of, timing_of
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import Deed, Done


def hold(context: LetterContext, line: CommandLine) -> None:
    """`HOLD GAME Ann is ill`: no clock runs until RESUME. Once more: another reason."""
    game, player = context.game(), context.player
    assert game is not None
    assert player is not None
    _, told = hold_game(context.work, game, line.arguments.get("reason", ""), player.id)
    context.say(told)


def resume(context: LetterContext, _line: CommandLine) -> None:
    """The game goes on; its deadline moves by the length of the hold."""
    game, player = context.game(), context.player
    assert game is not None
    assert player is not None
    if timing_of(game).held is None:
        context.say(Done(context.ref(game), Deed.NOT_HELD))
        return
    game = resume_game(context.work, game, player.id)
    context.say(Done(context.ref(game), Deed.DEADLINE_SET, due_of(game, None, context.work.now)))


COMMANDS = (
    Command(
        "hold_game",
        ("HOLD GAME", "SUSPEND", "SET HOLD"),
        "reason?",
        Who.MASTER,
        Topic.MASTER,
        N_("HOLD GAME a player is ill"),
        N_("no clock runs until RESUME; the words behind it are told to all as the reason"),
        hold,
        when=Stage.ACTIVE,
    ),
    Command(
        "resume",
        ("RESUME", "SET RESUME"),
        "",
        Who.MASTER,
        Topic.MASTER,
        N_("RESUME"),
        N_("a game on hold goes on, its deadline later by as long as the hold lasted"),
        resume,
        when=Stage.ACTIVE,
    ),
)
