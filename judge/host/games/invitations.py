"""Games that are not for everybody: the word that lets in, invitations, lists of who may join, and
the master's leave."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.host.games.ratings import recent_conduct, reliability_percent
from judge.host.games.tenures import has_part
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import ApprovalAsked, Deed, Done
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import SeatId
from judge.store import (
    Applicant,
    GameRecord,
    GameSettings,
    Invitation,
    Player,
    PlayerId,
    Purpose,
    SentLetter,
)

GUESSES_AN_HOUR = 10  # wrong join words for a game, from whomever
HOUR = timedelta(hours=1)
GUESSED = "JOIN"  # in the game's list of guesses


def has_access(context: LetterContext, game: GameRecord, words: Sequence[str] = ()) -> bool:
    """Whether the sender may see and join a game: they have a part in it, or are invited, or it
    needs no word, or one of these is its word. Wrong ones are counted."""
    player, settings = context.player, game.settings
    if player is not None and has_part(game, player.id):
        return True
    if (settings.listed and not settings.join_word) or invitation_of(context, game):
        return True
    guesses = _guesses(context, game)
    if not words or len(guesses) >= GUESSES_AN_HOUR:
        return False
    said = [word.casefold() for word in words]
    is_word = bool(settings.join_word) and settings.join_word.casefold() in said
    if is_word or invitation_of(context, game, words):
        return True
    known = {**game.guesses, GUESSED: (*guesses, context.work.now)}
    context.work.put_game(replace(game, guesses=known))
    return False


def check_access(context: LetterContext, game: GameRecord, words: Sequence[str]) -> None:
    """Refuses unless `has_access`, of a game that the sender may know of."""
    if has_access(context, game, words):
        return
    guesses = _guesses(context, context.work.game(game.name) or game)
    if not any(words) or len(guesses) < GUESSES_AN_HOUR:
        raise context.refused(RefusalKind.NEEDS_WORD, game)
    instants = [(guesses[0] + HOUR).isoformat()]
    raise context.refused(RefusalKind.MANY_WORDS, game, limit=GUESSES_AN_HOUR, instants=instants)


def _guesses(context: LetterContext, game: GameRecord) -> tuple[datetime, ...]:
    """When wrong words came within the last hour."""
    since = context.work.now - HOUR
    return tuple(at for at in game.guesses.get(GUESSED, ()) if at > since)


def ask_master(context: LetterContext, game: GameRecord, wish: SeatId | None) -> None:
    """A master answers by YES or NO whether the sender may join; asked once for each."""
    work, player = context.work, context.writer
    if all(one.player != player.id for one in game.asking):
        asking = Applicant(player.id, wish, "", yes_at=work.now)
        game = work.put_game(replace(game, asking=(*game.asking, asking)))
        reached = reliability_percent(recent_conduct(work, player.id))
        asked = ApprovalAsked(ref_to(game), player.name, reached, wish)
        payload = {"game": game.name, "player": player.id}
        work.notify_masters(game, "approval", [asked], purpose=Purpose.APPROVE, payload=payload)
    context.say(Done(ref_to(game), Deed.APPROVAL_ASKED))
    context.ask(Purpose.WITHDRAW, {"game": game.name})


def invitation_of(
    context: LetterContext, game: GameRecord, words: Sequence[str] = ()
) -> Invitation | None:
    """The sender's invitation, or one with a word of these that nobody else has used."""
    player, said = context.player, [word.casefold() for word in words]
    for one in game.invited:
        is_own = player is not None and one.player == player.id
        if is_own or (one.word in said and one.player is None):
            return one
    return None


def accepted(game: GameRecord, word: str, player: PlayerId) -> GameRecord:
    """The game in which an invitation is a player's, and nobody else's."""
    invited = tuple(
        replace(one, player=player, is_declined=False) if one.word == word else one
        for one in game.invited
    )
    return replace(game, invited=invited)


def is_allowed_by_lists(settings: GameSettings, player: Player) -> bool:
    """Whether the lists of a game let a player join, or ask to."""

    def is_player_on(entries: Sequence[str]) -> bool:
        domains = (f"@{one.rpartition('@')[2]}" for one in player.addresses)
        return not {player.id, *player.addresses, *domains}.isdisjoint(entries)

    return not is_player_on(settings.deny) and (not settings.allow or is_player_on(settings.allow))


def decline(context: LetterContext, sent: SentLetter) -> None:
    """NO to an invitation: its master sees it, and it lets nobody in any more."""
    game, word = context.work.game(str(sent.payload["game"])), sent.payload["word"]
    if game is not None:
        invited = tuple(
            replace(one, is_declined=True, word="") if one.word == word else one
            for one in game.invited
        )
        context.work.put_game(replace(game, invited=invited))
    context.say(Personal(PersonalKind.INVITATION_DECLINED))
