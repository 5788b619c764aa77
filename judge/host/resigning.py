"""RESIGN: a player gives his seat up; it is open to JOIN at once."""

from judge.host.absences import tell_seat_changed, vacate
from judge.host.blocks import RefusalKind, SeatChanged, SeatEvent
from judge.host.turn import Turn
from judge.store import Status


def resign(turn: Turn) -> None:
    """Carry out a RESIGN that its player has confirmed."""
    game, player = turn.game(), turn.player
    if game is None or player is None or turn.chair is None or turn.chair.seat is None:
        turn.refuse(RefusalKind.NOTHING_PROPOSED)
        return
    seat = game.seat(turn.chair.seat)
    if game.status is not Status.ACTIVE or seat.player != player.id:
        turn.refuse(RefusalKind.EXPIRED, game)
        return
    ref = turn.ref(game)
    game = turn.session.put_game(game.with_seat(vacate(seat)))
    tell_seat_changed(turn.session, game, seat.id, SeatEvent.RESIGNED, player.name)
    turn.say(SeatChanged(ref, seat.id, SeatEvent.RESIGNED, player.name))
