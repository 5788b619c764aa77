"""Games that are not for everybody: the word that lets in, invitations, lists of who may join, and
the master's leave."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.host.games.ratings import percentage, reliability_of
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import ApprovalAsked, Deed, Done, Invited
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import UnitOfWork, has_part, ref_to
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
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
INVITATIONS_A_DAY = 20  # of one master, in all games
INVITATIONS_A_WEEK = 3  # to one player, from whomever
GUESSED = "JOIN"  # in the game's list of guesses


def is_invited(context: LetterContext, game: GameRecord, words: Sequence[str] = ()) -> bool:
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
    guesses = (*guesses, context.work.now)
    context.work.put_game(replace(game, guesses={**game.guesses, GUESSED: guesses}))
    return False


def check_invited(context: LetterContext, game: GameRecord, words: Sequence[str]) -> None:
    """Refuses unless `is_invited`, of a game that the sender may know of."""
    if is_invited(context, game, words):
        return
    guesses = _guesses(context, context.work.game(game.name) or game)
    if any(words) and len(guesses) >= GUESSES_AN_HOUR:
        instants = [(guesses[0] + HOUR).isoformat()]
        raise context.refused(
            RefusalKind.MANY_WORDS, game, limit=GUESSES_AN_HOUR, instants=instants
        )
    raise context.refused(RefusalKind.NEEDS_WORD, game)


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
        reached = percentage(reliability_of(work, player.id))
        asked = ApprovalAsked(ref_to(game), player.name, reached, wish)
        payload = {"game": game.name, "player": player.id}
        work.notify_masters(game, "approval", [asked], purpose=Purpose.APPROVE, payload=payload)
    context.say(Done(ref_to(game), Deed.APPROVAL_ASKED))
    context.ask(Purpose.WITHDRAW, {"game": game.name})


def without_word(game: GameRecord, words: Sequence[str]) -> list[str]:
    """What stands behind JOIN beside the word that lets in."""
    known = {game.settings.join_word.casefold(), *(one.word for one in game.invited)}
    return [one for one in words if one.casefold() not in known]


def invitation_of(
    context: LetterContext, game: GameRecord, words: Sequence[str] = ()
) -> Invitation | None:
    """The invitation that was sent to the sender, or whose word is one of these and which nobody
    else has used."""
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


def may_join(settings: GameSettings, player: Player) -> bool:
    """Whether the lists of a game let a player join, or ask to."""

    def is_on(entries: Sequence[str]) -> bool:
        domains = (f"@{one.rpartition('@')[2]}" for one in player.addresses)
        return not {player.id, *player.addresses, *domains}.isdisjoint(entries)

    return not is_on(settings.deny) and (not settings.allow or is_on(settings.allow))


def invite(
    work: UnitOfWork, game: GameRecord, by: Player, to: Player | str, seat: SeatId | None
) -> RefusalKind | None:
    """Write an invitation to a player, or to the address of somebody who is none; why not, if not.

    An address that is no player's gets one in its life, so that whoever says no or never answers is
    left alone; a player gets one for a game, and a few a week.
    """
    person = work.player_by_address(to) if isinstance(to, str) else to
    address = to if isinstance(to, str) else to.address
    who = to if isinstance(to, str) else ""
    known = {one.player for one in game.invited if one.player}
    if person and (has_part(game, person.id) or person.id in known):
        return RefusalKind.INVITED_BEFORE
    if who and who in (one.who for one in game.invited):
        return RefusalKind.INVITED_BEFORE
    mastered = (one for one in work.games_of(by.id) if one.is_master(by.id))
    today = [one for each in mastered for one in each.invited if one.at > work.now - DAY]
    if len(today) >= INVITATIONS_A_DAY:
        return RefusalKind.INVITE_LIMIT
    before = work.repository.outbox.invitations_to(address)
    recent = [at for at in before if at > work.now - WEEK]
    is_left_alone = bool(before) if person is None else len(recent) >= INVITATIONS_A_WEEK
    is_apart = person is not None and _is_apart(work, game, person)
    if is_left_alone or is_apart or address == work.config.address:
        return RefusalKind.NO_INVITATION

    word = work.tokens.password("invite", game.name, address)
    made = Invitation(who, word, work.now, seat, person.id if person else None)
    game = work.put_game(replace(game, invited=(*game.invited, made)))
    settings = replace(game.settings, comment="", house_rules="", join_word="", allow=(), deny=())
    told = Invited(ref_to(game), settings, by.name, word, work.config.address, seat, person is None)
    work.write_stranger(
        address,
        "invitation",
        [told],
        language=person.language if person else by.language,
        zone=person.zone if person else work.config.zone,
        purpose=Purpose.INVITED,
        payload={"game": game.name, "word": word},
    )
    return None


def _is_apart(work: UnitOfWork, game: GameRecord, person: Player) -> bool:
    """Whether somebody does not want letters of this game, or its master has put them out."""
    masters = (work.player(one) for one in game.master_ids)
    is_blocked = any(one.id in person.blocked or person.id in one.blocked for one in masters)
    return is_blocked or person.id in game.ejected


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
