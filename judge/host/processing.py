"""A master's PROCESS: the running phase now, without civil disorder for those who owe orders."""

from judge.host.letter_context import LetterContext
from judge.host.messages import Deed, Done, RefusalKind
from judge.host.phases import run_phase
from judge.store import GameRecord, Status


def is_processable(context: LetterContext, game: GameRecord, label: str) -> bool:
    """Whether the named phase is the one that is due; refuses if not."""
    if game.status is not Status.ACTIVE or game.phase is None:
        context.refuse(RefusalKind.NOT_RUNNING, game, status=game.status)
        return False
    if game.phase.label.upper() != label.upper():
        context.refuse(RefusalKind.WRONG_PHASE, game, written=label, label=game.phase.label)
        return False
    return True


def process_now(context: LetterContext, label: str) -> None:
    """Run the phase; its results go to everybody, this answer only says that it ran.

    Held seats that sent nothing hold, and are not counted absent: the master chose the moment.
    """
    game = context.game()
    if game is None or not is_processable(context, game, label):
        return
    before = context.ref(game)
    run_phase(context.work, game, missing=frozenset())
    context.say(Done(before, Deed.PROCESSED))
