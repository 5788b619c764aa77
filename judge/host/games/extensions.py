"""Votes of the players: who counts in them, and later deadlines that they agree on."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.clock import from_seconds, to_seconds
from judge.host.games.orders_due import due_of, next_fitting_of, timing_of
from judge.host.games.reminders import move_deadline
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.game_events import ExtensionAsked, MoveReason
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import opened, ref_to
from judge.rulebook import SeatId
from judge.store import Extension, GameRecord, Purpose, SeatRecord, SentLetter

HOUR = timedelta(hours=1)


def players_in_play(game: GameRecord) -> list[SeatRecord]:
    """Held seats still in play, which share a draw."""
    survivors = opened(game).result.survivors
    return [seat for seat in game.seats if seat.player is not None and seat.id in survivors]


def voters_of(game: GameRecord) -> list[SeatRecord]:
    """Those of them who have to agree: not who missed the last main phase and is silent since, so
    that a seat in civil disorder holds up no vote."""
    return [
        seat
        for seat in players_in_play(game)
        if not seat.misses or seat.ready or seat.votes or game.order_set(seat.id)
    ]


def may_agree(game: GameRecord) -> bool:
    """Whether the players may move the deadline of the running phase by agreement."""
    return bool(game.settings.extension) and not timing_of(game).waits and not game.is_practice


def ask_extension(context: LetterContext, game: GameRecord, seat: SeatId, at: datetime) -> None:
    """A player asks for a later deadline, and votes for it. While others are asked already, it
    agrees to what they are asked for."""
    timing, work = timing_of(game), context.work
    left = game.settings.extension - timing.extended
    if timing.extension is not None:
        _agree(context, game, seat)
        return
    if at - (timing.grace_until or timing.deadline_at) > left:
        context.refuse(RefusalKind.EXTENSION_TOO_LONG, game, limit=left // HOUR)
        return
    at = next_fitting_of(game, at)
    game = replace(game, timing=replace(timing, extension=Extension(at, seat, ())))
    if _agree(context, game, seat):
        return
    voters = voters_of(game)
    for other in (*(one for one in voters if one.id != seat), None):
        ref = ref_to(game, other.id if other else None)
        work.write(
            work.player(other.player if other and other.player else game.master),
            "extension",
            [ExtensionAsked(ref, seat, at, len(voters) // 2 + 1, due_of(game, other, work.now))],
            ref,
            serial=game.phase.serial if game.phase else None,
            purpose=Purpose.EXTEND,
            payload={"at": to_seconds(at)},
        )


def agree_to_extension(context: LetterContext, sent: SentLetter) -> None:
    """YES to what another player has asked for; the master's moves the deadline at once."""
    game, role = context.game(), context.role
    at = from_seconds(int(str(sent.payload["at"])))
    asked = game.timing.extension if game and game.timing else None
    if game is None or role is None or asked is None or asked.at != at:
        context.refuse(RefusalKind.EXPIRED, game)
    elif role.seat is not None:
        _agree(context, game, role.seat)
    else:
        _extend(context, game, at, MoveReason.MASTER)


def _agree(context: LetterContext, game: GameRecord, seat: SeatId) -> bool:
    """Count a vote for the extension that is asked for; whether it was the last that it needed."""
    timing = timing_of(game)
    asked = timing.extension
    assert asked is not None
    agreed = tuple(dict.fromkeys((*asked.agreed, seat)))
    voters = {one.id for one in voters_of(game)} | {seat}
    if len(voters.intersection(agreed)) * 2 > len(voters):
        _extend(context, game, asked.at, MoveReason.AGREED)
        return True
    timing = replace(timing, extension=replace(asked, agreed=agreed))
    game = context.work.put_game(replace(game, timing=timing))
    deed = Deed.EXTENSION_ASKED if asked.asked_by == seat else Deed.EXTENSION_AGREED
    context.say(Done(context.ref(game), deed, due_of(game, game.seat(seat), context.work.now)))
    return False


def _extend(context: LetterContext, game: GameRecord, at: datetime, reason: MoveReason) -> None:
    timing = timing_of(game)
    by = at - (timing.grace_until or timing.deadline_at)
    extended = timing.extended + (by if reason is MoveReason.AGREED else timedelta(0))
    timing = replace(timing, extension=None, extended=extended)
    game = move_deadline(context.work, replace(game, timing=timing), at, reason)
    seat = context.seat_in(game)
    due = due_of(game, game.seat(seat) if seat else None, context.work.now)
    context.say(Done(context.ref(game), Deed.DEADLINE_SET, due))
