"""What a master answers about somebody who wants to join a game with `approval: yes`."""

from msgspec.structs import replace

from judge.host.games.joining import seat_player
from judge.host.letters.access import Sender
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import ApprovalAnswer, Deed, Done
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.store import Applicant, GameRecord, Player, PlayerId, SentLetter


def approve(context: LetterContext, sent: SentLetter) -> None:
    """YES to the letter that asked about a player."""
    if (game := _game_of(context, sent)) is not None:
        approve_player(context, game, PlayerId(str(sent.payload["player"])))


def refuse_applicant(context: LetterContext, sent: SentLetter) -> None:
    """NO to it."""
    if (game := _game_of(context, sent)) is not None:
        refuse_player(context, game, PlayerId(str(sent.payload["player"])))


def _game_of(context: LetterContext, sent: SentLetter) -> GameRecord | None:
    """The game that a letter asked a master about; refuses if they are none any more."""
    game, player = context.work.game(str(sent.payload["game"])), context.player
    if game is not None and player is not None and game.is_master(player.id):
        return game
    context.refuse(RefusalKind.EXPIRED)
    return None


def approve_player(context: LetterContext, game: GameRecord, who: PlayerId) -> None:
    """The player joins as if the game asked nobody; what they are told of it goes to them."""
    found = _taken_out(context, game, who)
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
    _tell(context, game, player, Deed.APPROVED)


def refuse_player(context: LetterContext, game: GameRecord, who: PlayerId) -> None:
    """The player is told, and is not in the game."""
    found = _taken_out(context, game, who)
    if found is None:
        return
    game, own = found
    answer = ApprovalAnswer(ref_to(game), granted=False)
    context.work.write(context.work.player(own.player), "approval", [answer], ref_to(game))
    _tell(context, game, context.work.player(own.player), Deed.NOT_APPROVED)


def _tell(context: LetterContext, game: GameRecord, player: Player, deed: Deed) -> None:
    """The answer to the master; the others are told as if it had been written as a command."""
    context.say(Done(ref_to(game), deed))
    if len(game.masters) > 1 and context.sender.sent is not None:
        word = "ALLOW" if deed is Deed.APPROVED else "DENY"
        context.note_deed(game, f"{word} {player.name}")


def _taken_out(
    context: LetterContext, game: GameRecord, who: PlayerId
) -> tuple[GameRecord, Applicant] | None:
    """The game in which a player waits for this answer no more, and that player; refuses if they
    did not wait for it."""
    own = next((one for one in game.asking if one.player == who), None)
    if own is None:
        context.refuse(RefusalKind.EXPIRED)
        return None
    rest = tuple(one for one in game.asking if one != own)
    return context.work.put_game(replace(game, asking=rest)), own
