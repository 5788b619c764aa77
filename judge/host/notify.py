"""Letters to everybody in a game, each with what that reader may see."""

from collections.abc import Callable, Sequence

from judge.host.messages import GameRef, Message
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.store import GameRecord, SeatRecord

BlocksFor = Callable[[GameRef, SeatRecord | None], Sequence[Message]]


def notify_players(work: UnitOfWork, game: GameRecord, kind: str, blocks_for: BlocksFor) -> None:
    """A letter to each held seat, in order, and one to the master."""
    for seat in game.seats:
        if seat.player is not None:
            _tell(work, game, kind, blocks_for, seat)
    _tell(work, game, kind, blocks_for, None)


def _tell(
    work: UnitOfWork, game: GameRecord, kind: str, blocks_for: BlocksFor, seat: SeatRecord | None
) -> None:
    player = work.player(seat.player if seat and seat.player else game.master)
    ref = ref_to(game, seat.id if seat else None)
    serial = game.phase.serial if game.phase else None
    work.write(player, kind, blocks_for(ref, seat), ref, serial=serial)
