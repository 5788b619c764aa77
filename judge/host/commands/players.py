"""REGISTER and JOIN: becoming a player, and getting a seat."""

import re
from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game, find_variant, open_game_rows, public_games
from judge.host.commands.people import change_writer
from judge.host.games.forming import missing_players, seats_of
from judge.host.games.invitations import check_access, invitation_of, is_allowed_by_lists
from judge.host.games.joining import bars, join, prefer
from judge.host.games.seat_names import seats_named
from judge.host.games.setting_values import LANGUAGES, variant_named
from judge.host.games.tenures import has_part
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import (
    clean_name,
    find_language,
    find_zone,
    register_from_payload,
    registration_payload,
    say_registered,
    show_proposed_registration,
    zone_in,
)
from judge.host.local_words import words_in_all_languages
from judge.host.messages.command_answers import Chosen
from judge.host.messages.games import GameList
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import DEFAULT_GAME, load_game
from judge.store import GameRecord, Purpose, Status

NO_ZONE = re.compile(r"\s*(?:SET\s*)?NO", re.IGNORECASE)
FIELDS = {
    "name": "name",
    "zone": "zone",
    "time zone": "zone",
    "timezone": "zone",
    "language": "language",
    "lang": "language",
}


def register(context: LetterContext, line: CommandLine) -> None:
    """Name, zone and language; what is not given is guessed. The unproven confirm by a reply."""
    purpose, payload = Purpose.REGISTER, dict(registration_payload(context))
    sent, sender = context.sender.sent, context.letter.sender
    if (
        context.player is None
        and sent is not None
        and sent.purpose in (Purpose.JOIN, Purpose.REGISTER)
        and sent.payload.get("address") == sender
    ):  # the same YES does what the question that a stranger replies to would do
        purpose = sent.purpose
        payload |= sent.payload
    for written, values in line.fields.items():
        value = values.splitlines()[-1]
        key = FIELDS.get(written.lower())
        if key is None:
            context.unread.append(f"{written}: {value}")
        elif key == "zone" and (zone := find_zone(value)):
            payload["zone"] = zone
        elif key == "zone":
            context.refuse(RefusalKind.BAD_ZONE, written=value)
        elif key == "language" and (language := _language(context, value)):
            payload["language"] = language
        elif key == "name":
            payload["name"] = clean_name(value) or payload["name"]
    if context.player is not None:
        context.sender = replace(context.sender, player=register_from_payload(context, payload))
        say_registered(context)
        return
    asked = payload
    if purpose is Purpose.JOIN:
        join = f"JOIN {payload['game']} {payload['wish']}".rstrip()
        asked = {**payload, "then": join}
    show_proposed_registration(context, asked)
    context.ask(purpose, payload)


def _language(context: LetterContext, written: str) -> str | None:
    """The language of that name; refuses, with those there are, if the judge does not write it."""
    known = context.work.config.languages
    language = find_language(written, known)
    if language is None:
        context.refuse(RefusalKind.BAD_LANGUAGE, written=written, known=list(known))
    return language


def set_language(context: LetterContext, line: CommandLine) -> None:
    """The answer is in it already."""
    if language := _language(context, line.arguments["language"]):
        change_writer(context, language=language)
        say_registered(context, is_changed=True)


def set_zone(context: LetterContext, line: CommandLine) -> None:
    """`SET ZONE Paris`; `NO ZONE`, as on the old judges: the judge's own time."""
    written = line.arguments.get("time", "")
    zone = find_zone(written) if written else NO_ZONE.match(line.written) and "UTC"
    if not zone and (named := zone_in(written)):  # `SET ZONE to Paris please`
        zone = find_zone(named[0])
    if not zone and not written:
        raise context.bad_command(line)
    if not zone:
        raise context.refused(RefusalKind.BAD_ZONE, written=written)
    change_writer(context, zone=zone)
    say_registered(context, is_changed=True)


def join_game(context: LetterContext, line: CommandLine) -> None:
    """`JOIN balkan`, `JOIN balkan FRANCE`, `JOIN balkan FRANCE secret`; `SIGNON ?balkan secret`;
    `JOIN` alone: the game whose letter is answered, or the one that is open. `JOIN balkan xyz`: xyz
    is the join word of the game. `JOIN ANY`: the open game that fits best."""
    written, answered = line.arguments.get("game"), context.game()
    if not written and answered is not None:
        written = answered.next_game or answered.name
    elif not written:
        games = context.work.repository.games.joinable(limit=2)
        written = games[0].name if len(games) == 1 else ""
    if not written:
        context.say(GameList(open_game_rows(context.work), context.work.now))
        return
    power, at, name = written.rpartition("@")
    words = [line.arguments[key] for key in ("seat", "password", "word") if key in line.arguments]
    if written.upper() in ("ANY", "?", *map(str.upper, words_in_all_languages("every", "game"))):
        _join_any(context, words)
        return
    game = find_game(context, name, words)
    check_access(context, game, words)
    invitation = invitation_of(context, game, words)
    lets_in = {game.settings.join_word.casefold(), *(one.word for one in game.invited)}
    others = [one for one in words if one.casefold() not in lets_in]
    wish, *rest = [*([power] if at else []), *others, ""]
    if line.in_own_words and not wish:
        named = seats_named(seats_of(game), context.letter.body)  # in another of its sentences
        wish = named[0] if len(named) == 1 else ""
    join(context, game, wish, rest[0] if rest else "", invitation)


def _join_any(context: LetterContext, words: Sequence[str]) -> None:
    """`JOIN ANY`, `JOIN ANY colonial`, `JOIN ANY Korean`: a game that forms and that the sender may
    join; in their language rather than in any, the fullest, the oldest."""
    work, player, rulebook = context.work, context.sender.player, load_game(DEFAULT_GAME)
    variant, language = "", ""
    for word in words:
        named = variant_named(rulebook, word)
        said = find_language(word, LANGUAGES)
        if named is None and said is None:
            find_variant(context, word)
        variant, language = named or variant, said or language
    fitting: list[GameRecord] = []
    for game in public_games(work, Status.FORMING):
        settings = game.settings
        if (
            (variant and settings.variant != variant)
            or (language and settings.language != language)
            or settings.language not in ("", language, context.language)
            or settings.join_word
            or settings.approval
            or (settings.allow and (player is None or not is_allowed_by_lists(settings, player)))
            or missing_players(game) <= 0
            or (player is not None and (has_part(game, player.id) or bars(work, game, player)))
        ):
            continue
        fitting.append(game)
    if not fitting:
        raise context.refused(RefusalKind.NO_OPEN_GAME)

    def rank(game: GameRecord) -> tuple[bool, int, datetime, str]:
        is_foreign = game.settings.language != context.language
        return is_foreign, missing_players(game), game.created_at, game.name

    best = min(fitting, key=rank)
    context.say(Chosen(ref_to(best), best.settings))
    join(context, best, "", "")


def join_old_style(context: LetterContext, name: str, password: str) -> None:
    """`SIGN ON ?balkan secret`, `SIGN ON ? secret`, as on the old judges: no wish, a password."""
    if not name:
        _join_any(context, [])
        return
    game = find_game(context, name, [password])
    check_access(context, game, [password])
    join(context, game, "", password)


HANDLERS: Handlers = {
    "join": join_game,
    "prefer": prefer,
    "register": register,
    "set_zone": set_zone,
    "set_language": set_language,
}
