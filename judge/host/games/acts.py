"""What a master's hand does is kept, and everybody is told."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from judge.host.letters.letter_context import LetterContext
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, is_hidden_from, master_ref, opened, ref_to, shown
from judge.rulebook import Game, SeatId
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
    told = MasterActed(ref_to(game), act, **values)  # type: ignore[arg-type]  # fields by name
    answer = notify_act(
        context.work, game, context.writer.id, lambda ref, _: replace(told, game=ref)
    )
    context.say(answer)


# --- a change of the position ---------------------------------------------------------------------


def edit_position(
    work: UnitOfWork, game: GameRecord, lines: Sequence[str], reason: str, by: PlayerId
) -> MasterActed:
    """Change it, and tell everybody with the position as it is now. Stored lines that do not fit
    any more are forgotten. Raises Refused, as `Game.edit` does."""
    changed = opened(game).edit(lines)
    order_sets = {
        seat: kept
        for seat, stored in game.order_sets.items()
        if (kept := tuple(one for one in stored if _fits(changed, seat, one.text)))
    }
    seats = tuple(replace(seat, ready=False, faulty=False) for seat in game.seats)
    timing = replace(game.timing, changed_at=work.now) if game.timing else None
    game = replace(game, state=changed.state, order_sets=order_sets, seats=seats, timing=timing)
    game = work.put_game(game)
    told = MasterActed(GameRef("", "", ""), Act.EDITED, reason, lines=tuple(lines))

    def message(ref: GameRef, _: SeatRecord | None) -> MasterActed:
        lines_told = () if is_hidden_from(game, ref) else told.lines
        view = shown(game, ref).view(ref.seat)
        return replace(told, game=ref, view=view, lines=lines_told)

    return notify_act(work, game, by, message, text="\n".join(lines))


def _fits(changed: Game, seat: SeatId, text: str) -> bool:
    reading = changed.read(seat, [text])
    return bool(reading.understood) and not reading.problems
