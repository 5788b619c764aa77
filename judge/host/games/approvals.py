"""What a master answers about somebody who wants to join a game with `approval: yes`."""

from msgspec.structs import replace

from judge.host.games.joining import seat_player
from judge.host.letters.access import Sender
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import ApprovalAnswer, Deed, Done
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.store import Applicant, GameRecord, SentLetter


def approve(context: LetterContext, sent: SentLetter) -> None:
    """YES: the player joins as if the game asked nobody; what they are told of it goes to them."""
    found = _asking(context, sent)
    if found is None:
        return
    game, own = found
    work, player = context.work, context.work.player(own.player)
    joining = LetterContext(work, context.letter, Sender(player, True, None))
    payload = {"game": game.name, "wish": own.wish or "", "password": "", "waits": 1, "approved": 1}
    seat_player(joining, payload)
    answer = ApprovalAnswer(ref_to(game), granted=True)
    work.write(
        player,
        "approval",
        [answer, *joining.messages],
        ref_to(game),
        purpose=joining.purpose,
        payload=joining.payload,
    )
    context.say(Done(ref_to(game), Deed.APPROVED))


def refuse_applicant(context: LetterContext, sent: SentLetter) -> None:
    """NO: the player is told, and is not in the game."""
    found = _asking(context, sent)
    if found is None:
        return
    game, own = found
    answer = ApprovalAnswer(ref_to(game), granted=False)
    context.work.write(context.work.player(own.player), "approval", [answer], ref_to(game))
    context.say(Done(ref_to(game), Deed.NOT_APPROVED))


def _asking(context: LetterContext, sent: SentLetter) -> tuple[GameRecord, Applicant] | None:
    """The game, and the player who waits for this answer, now no more; refuses if nobody does, or
    somebody else is the master by now."""
    game, player = context.work.game(str(sent.payload["game"])), context.player
    waiting = game.asking if game and player and game.master == player.id else ()
    own = next((one for one in waiting if one.player == sent.payload["player"]), None)
    if game is None or own is None:
        context.refuse(RefusalKind.EXPIRED)
        return None
    rest = tuple(one for one in game.asking if one != own)
    return context.work.put_game(replace(game, asking=rest)), own
