"""A master's PROCESS: the running phase now, without civil disorder for those who owe orders."""

from judge.host.blocks import Deed, Done, RefusalKind
from judge.host.phases import run_phase
from judge.host.turn import Turn
from judge.store import GameRecord, Status


def is_processable(turn: Turn, game: GameRecord, label: str) -> bool:
    """Whether the named phase is the one that is due; refuses if not."""
    if game.status is not Status.ACTIVE or game.phase is None:
        turn.refuse(RefusalKind.NOT_RUNNING, game, status=game.status)
        return False
    if game.phase.label.upper() != label.upper():
        turn.refuse(RefusalKind.WRONG_PHASE, game, written=label, label=game.phase.label)
        return False
    return True


def process_now(turn: Turn, label: str) -> None:
    """Run the phase; its results go to everybody, this answer only says that it ran.

    Held seats that sent nothing hold, and are not counted absent: the master chose the moment.
    """
    game = turn.game()
    if game is None or not is_processable(turn, game, label):
        return
    before = turn.ref(game)
    run_phase(turn.session, game, missing=frozenset())
    turn.say(Done(before, Deed.PROCESSED))
