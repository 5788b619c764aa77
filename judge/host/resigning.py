"""RESIGN: a player gives his seat up; it is open to JOIN at once."""

from judge.host.absences import notify_seat_changed, vacate
from judge.host.letter_context import LetterContext
from judge.host.messages import RefusalKind, SeatChanged, SeatEvent
from judge.store import Status


def resign(context: LetterContext) -> None:
    """Carry out a RESIGN that its player has confirmed."""
    game, player = context.game(), context.player
    if game is None or player is None or context.role is None or context.role.seat is None:
        context.refuse(RefusalKind.NOTHING_PROPOSED)
        return
    seat = game.seat(context.role.seat)
    if game.status is not Status.ACTIVE or seat.player != player.id:
        context.refuse(RefusalKind.EXPIRED, game)
        return
    ref = context.ref(game)
    game = context.work.put_game(game.with_seat(vacate(seat)))
    notify_seat_changed(context.work, game, seat.id, SeatEvent.RESIGNED, player.name)
    context.say(SeatChanged(ref, seat.id, SeatEvent.RESIGNED, player.name))
