"""What a master's hand does is kept, and everybody is told."""

from collections.abc import Callable

from msgspec.structs import replace

from judge.host.letters.letter_context import LetterContext
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, master_ref, ref_to
from judge.store import Act, ActRecord, GameRecord, PlayerId, SeatRecord

ToldOf = Callable[[GameRef, SeatRecord | None], MasterActed]


def keep_act(
    work: UnitOfWork, game: GameRecord, told: MasterActed, by: PlayerId | None, **more: object
) -> None:
    """Keep an act as it was told."""
    label = game.phase.label if game.phase else ""
    act = ActRecord(game.name, label, work.now, told.act, by)
    act = replace(act, seats=told.seats, who=told.who, reason=told.reason)
    work.keep_act(replace(act, **more))


def notify_act(
    work: UnitOfWork, game: GameRecord, by: PlayerId | None, told_of: ToldOf, **more: object
) -> MasterActed:
    """Keep an act and tell everybody but who did it; returns what that one is answered."""
    told = told_of(master_ref(game, by), None)
    keep_act(work, game, told, by, **more)
    work.notify_players(game, "act", lambda ref, seat: [told_of(ref, seat)], without=by)
    work.notify_observers(game, "act", [told_of(ref_to(game), None)])
    return told


def answer_act(context: LetterContext, game: GameRecord, act: Act, **values: object) -> None:
    """As `notify_act`, in the name of a letter's writer, who is answered; all are told the same."""
    assert context.player is not None
    told = MasterActed(ref_to(game), act, **values)  # type: ignore[arg-type]  # fields by name
    answer = notify_act(
        context.work, game, context.player.id, lambda ref, _: replace(told, game=ref)
    )
    context.say(answer)
