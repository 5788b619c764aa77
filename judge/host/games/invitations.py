"""Games that are not for everybody: the word that lets in, and the master's leave."""

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace

from judge.host.letters.letter_context import LetterContext
from judge.host.unit_of_work import has_part
from judge.store import GameRecord

GUESSES_AN_HOUR = 10  # wrong join words for a game, from whomever
HOUR = timedelta(hours=1)
GUESSED = "JOIN"  # in the game's list of guesses


def is_invited(context: LetterContext, game: GameRecord, words: Sequence[str] = ()) -> bool:
    """Whether the sender may see and join a game: they have a part in it, or it needs no word, or
    one of these is that word. Wrong ones are counted."""
    player, wanted = context.player, game.settings.join_word
    if not wanted or (player is not None and has_part(game, player.id)):
        return True
    guesses = [at for at in game.guesses.get(GUESSED, ()) if at > context.work.now - HOUR]
    if not words or len(guesses) >= GUESSES_AN_HOUR:
        return False
    if wanted.casefold() in (word.casefold() for word in words):
        return True
    guesses.append(context.work.now)
    context.work.put_game(replace(game, guesses={**game.guesses, GUESSED: tuple(guesses)}))
    return False


def without_word(game: GameRecord, words: Sequence[str]) -> list[str]:
    """What stands behind JOIN beside the word that lets in."""
    return [one for one in words if one.casefold() != game.settings.join_word.casefold()]
