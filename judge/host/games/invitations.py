"""Games that are not for everybody: the word that lets in, and the master's leave."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.host.games.reliability import percentage, reliability_of
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import ApprovalAsked, Deed, Done
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import has_part, ref_to
from judge.rulebook import SeatId
from judge.store import Applicant, GameRecord, Purpose

GUESSES_AN_HOUR = 10  # wrong join words for a game, from whomever
HOUR = timedelta(hours=1)
GUESSED = "JOIN"  # in the game's list of guesses


def is_invited(context: LetterContext, game: GameRecord, words: Sequence[str] = ()) -> bool:
    """Whether the sender may see and join a game: they have a part in it, or it needs no word, or
    one of these is that word. Wrong ones are counted."""
    player, wanted = context.player, game.settings.join_word
    if not wanted or (player is not None and has_part(game, player.id)):
        return True
    guesses = _guesses(context, game)
    if not words or len(guesses) >= GUESSES_AN_HOUR:
        return False
    if wanted.casefold() in (word.casefold() for word in words):
        return True
    guesses = (*guesses, context.work.now)
    context.work.put_game(replace(game, guesses={**game.guesses, GUESSED: guesses}))
    return False


def may_enter(context: LetterContext, game: GameRecord, words: Sequence[str]) -> bool:
    """As `is_invited`, of a game that the sender may know of; refuses if not."""
    if is_invited(context, game, words):
        return True
    guesses = _guesses(context, context.work.game(game.name) or game)
    if any(words) and len(guesses) >= GUESSES_AN_HOUR:
        instants = [(guesses[0] + HOUR).isoformat()]
        context.refuse(RefusalKind.MANY_WORDS, game, limit=GUESSES_AN_HOUR, instants=instants)
    else:
        context.refuse(RefusalKind.NEEDS_WORD, game)
    return False


def _guesses(context: LetterContext, game: GameRecord) -> tuple[datetime, ...]:
    """When wrong words came within the last hour."""
    since = context.work.now - HOUR
    return tuple(at for at in game.guesses.get(GUESSED, ()) if at > since)


def ask_master(context: LetterContext, game: GameRecord, wish: SeatId | None) -> None:
    """A master answers by YES or NO whether the sender may join; asked once for each."""
    work, player = context.work, context.player
    assert player is not None
    if all(one.player != player.id for one in game.asking):
        asking = Applicant(player.id, wish, "", yes_at=work.now)
        game = work.put_game(replace(game, asking=(*game.asking, asking)))
        reached = percentage(reliability_of(work, player.id))
        asked = ApprovalAsked(ref_to(game), player.name, reached, wish)
        payload = {"game": game.name, "player": player.id}
        work.notify_masters(game, "approval", [asked], purpose=Purpose.APPROVE, payload=payload)
    context.say(Done(ref_to(game), Deed.APPROVAL_ASKED))
    context.ask(Purpose.WITHDRAW, {"game": game.name})


def without_word(game: GameRecord, words: Sequence[str]) -> list[str]:
    """What stands behind JOIN beside the word that lets in."""
    return [one for one in words if one.casefold() != game.settings.join_word.casefold()]
