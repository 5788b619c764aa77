"""Who runs a game: PROMOTE, DEMOTE and HAND OVER, and the answers of those who are asked."""

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.people import may_send_question
from judge.host.games.acts import ask_master_to_confirm
from judge.host.games.digests import arm_digest
from judge.host.games.masters import (
    MOST_MASTERS,
    ask_person,
    find_person,
    involved_players,
    key_of,
    name_or_address,
    new_master,
    notify_master_changed,
    open_mastership_offers,
    remove_master,
)
from judge.host.games.tenures import are_apart, without_observer
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import register_from_payload
from judge.host.local_words import words_in_all_languages
from judge.host.messages.command_answers import ConfirmAsked, Mastered
from judge.host.messages.master_acts import MasterActed, Mastership, MastershipEvent
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.mail import canonical_address
from judge.rulebook import Values
from judge.store import Act, GameRecord, MasterAsked, Player, PlayerId, SentLetter, Status

SELF = ("ME", "MYSELF", *map(str.upper, words_in_all_languages("readers", "self")))


def promote(context: LetterContext, line: CommandLine) -> None:
    """`PROMOTE ben@example.org`, `PROMOTE Ben Okafor`: is asked to run the game too."""
    _offer_mastership(context, line, takes_over=False)


def hand_over(context: LetterContext, line: CommandLine) -> None:
    """`HAND OVER ben@example.org`: is asked to run the game in the writer's place; another master
    of it simply goes on alone."""
    game, player, written = context.role_game, context.writer, line.arguments["names"]
    person = find_person(context.work, game, written)
    if isinstance(person, Player) and person.id != player.id and game.is_master(person.id):
        _end_mastership(context, game, player)
    else:
        _offer_mastership(context, line, takes_over=True)


def _offer_mastership(context: LetterContext, line: CommandLine, *, takes_over: bool) -> None:
    game, player, written = context.role_game, context.writer, line.arguments["names"]
    person = find_person(context.work, game, written)
    if person is None:
        usage = line.command.usage
        raise context.refused(RefusalKind.NOBODY_ASKED, game, written=written, usage=usage)
    name = name_or_address(context.work, key_of(person))
    if len(game.masters) + len(open_mastership_offers(context.work, game)) >= MOST_MASTERS:
        raise context.refused(RefusalKind.TOO_MANY_MASTERS, game, written=name, limit=MOST_MASTERS)
    if isinstance(person, Player):  # who plays in it would know too much
        playing = involved_players(game)
        others = [context.work.player(one) for one in {*playing, *game.master_ids}]
        if game.is_master(person.id):
            raise context.refused(RefusalKind.MASTER_ALREADY, game, written=name)
        if person.id in playing:
            raise context.refused(RefusalKind.PLAYS_IT, game, written=name)
        if any(are_apart(person, one) for one in others):
            raise context.refused(RefusalKind.NOT_TOGETHER, game, written=name)
    if isinstance(person, Player) or may_send_question(context, person):
        game = ask_person(context.work, game, person, player, takes_over=takes_over)
        context.say(Mastership(ref_to(game), MastershipEvent.SENT, name, takes_over))


def demote(context: LetterContext, line: CommandLine) -> None:
    """`DEMOTE Ben Okafor`: runs the game no more, which is asked back; who was only asked is asked
    no more. `DEMOTE ME`: the writer leaves the game to the others."""
    game, player, work = context.role_game, context.writer, context.work
    written = line.arguments["names"]
    word, address = written.strip(" <>.,;").casefold(), canonical_address(written.strip("<>,; "))
    masters = [work.player(one) for one in game.master_ids]
    found = [one for one in masters if word == one.name.casefold() or address in one.addresses]
    if written.upper() in SELF:
        found = [player]
    asked = [
        one
        for one in open_mastership_offers(work, game)
        if word in (name_or_address(work, one.who).casefold(), one.who.casefold())
        or ("@" not in one.who and address in work.player(PlayerId(one.who)).addresses)
    ]
    if not found and len(asked) == 1:
        rest = tuple(one for one in game.asked_masters if one != asked[0])
        game = work.put_game(replace(game, asked_masters=rest))
        name = name_or_address(work, asked[0].who)
        context.say(Mastership(ref_to(game), MastershipEvent.WITHDRAWN, name))
    elif len(found) != 1:
        known = [one.name for one in masters]
        raise context.refused(RefusalKind.NO_MASTER, game, written=written, known=known)
    elif len(masters) == 1:
        raise context.refused(RefusalKind.LAST_MASTER, game)
    elif found[0].id == player.id:
        _end_mastership(context, game, player)
    else:
        asked_back = ConfirmAsked(context.ref(game), "demote", who=found[0].name)
        ask_master_to_confirm(context, asked_back, player=found[0].id)


def demote_now(context: LetterContext, payload: Values) -> None:
    """Carry out a DEMOTE of another master."""
    game, person = context.game(), PlayerId(str(payload["player"]))
    if game is None or not game.is_master(person) or len(game.masters) == 1:
        raise context.refused(RefusalKind.EXPIRED, game)
    _end_mastership(context, game, context.work.player(person))


def _end_mastership(context: LetterContext, game: GameRecord, master: Player) -> None:
    remove_master(context.work, game, master.id, context.writer.id)
    is_own = master.id == context.writer.id
    context.say(MasterActed(ref_to(game), Act.DEMOTED, who=master.name, is_own=is_own))
    if is_own:
        context.sit(None)


# --- the answers of those who are asked -----------------------------------------------------------


def _offer_answered(context: LetterContext, sent: SentLetter) -> tuple[GameRecord, MasterAsked]:
    """The game and the question that a reply answers; refuses if it is open no more."""
    game = context.work.game(str(sent.payload["game"]))
    if game is not None and game.status is not Status.FINISHED:
        for one in open_mastership_offers(context.work, game):
            if one.who == sent.payload["who"]:
                return game, one
    raise context.refused(RefusalKind.EXPIRED)


def become_master(context: LetterContext, sent: SentLetter) -> None:
    """YES: the writer runs the game from now on; all are told. A stranger becomes a player."""
    (game, asked), work = _offer_answered(context, sent), context.work
    player = context.player or register_from_payload(context, sent.payload)
    context.sender = replace(context.sender, player=player, proven=True)
    own = (one for one in work.games_of(player.id) if one.is_master(player.id))
    if game.is_master(player.id) or player.id in involved_players(game):
        raise context.refused(RefusalKind.ALREADY_IN, game)
    if sum(not one.is_practice for one in own) >= work.config.games_a_player:
        raise context.refused(RefusalKind.TOO_MANY_GAMES, limit=work.config.games_a_player)
    new, password = new_master(work, game.name, player.id, player.id)
    left = (one for one in game.masters if not (asked.takes_over and one.player == asked.by))
    rest = tuple(one for one in game.asked_masters if one != asked)
    game = replace(without_observer(game, player.id), masters=(*left, new), asked_masters=rest)
    game = work.put_game(game)
    arm_digest(work, player.id)
    act = Act.HANDED_OVER if asked.takes_over else Act.PROMOTED
    notify_master_changed(
        work, game, MasterActed(ref_to(game), act, who=player.name), asked.by, player.id
    )
    context.say(Mastered(ref_to(game), password, act))


def decline_mastership(context: LetterContext, sent: SentLetter) -> None:
    """NO: the master who asked is told."""
    (game, asked), work = _offer_answered(context, sent), context.work
    rest = tuple(one for one in game.asked_masters if one != asked)
    game = work.put_game(replace(game, asked_masters=rest))
    told = Mastership(ref_to(game), MastershipEvent.DECLINED, name_or_address(work, asked.who))
    work.write(work.player(asked.by), "mastership", [told], ref_to(game))
    context.say(Personal(PersonalKind.DECLINED))


HANDLERS: Handlers = {"promote": promote, "demote": demote, "hand_over": hand_over}
