"""A master changes the position: announced with the reason, and kept in the record."""

from collections.abc import Sequence

from msgspec.structs import replace

from judge.host.games.acts import notify_act
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, is_hidden_from, opened, shown
from judge.rulebook import Game, SeatId
from judge.store import Act, GameRecord, PlayerId, SeatRecord


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
