"""Letters to everybody in a game, each with what that reader may see."""

from collections.abc import Callable, Sequence

from judge.host.blocks import Block, GameRef
from judge.host.session import Session, ref_to
from judge.store import GameRecord, SeatRecord

BlocksFor = Callable[[GameRef, SeatRecord | None], Sequence[Block]]


def tell_players(session: Session, game: GameRecord, kind: str, blocks_for: BlocksFor) -> None:
    """A letter to each held seat, in order, and one to the master."""
    for seat in game.seats:
        if seat.player is not None:
            _tell(session, game, kind, blocks_for, seat)
    _tell(session, game, kind, blocks_for, None)


def _tell(
    session: Session, game: GameRecord, kind: str, blocks_for: BlocksFor, seat: SeatRecord | None
) -> None:
    player = session.player(seat.player if seat and seat.player else game.master)
    ref = ref_to(game, seat.id if seat else None)
    serial = game.phase.serial if game.phase else None
    session.write(player, kind, blocks_for(ref, seat), ref, serial=serial)
