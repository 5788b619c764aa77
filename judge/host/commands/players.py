"""REGISTER and JOIN: becoming a player, and getting a seat."""

import difflib
from dataclasses import replace

from judge.host.blocks import RefusalKind, Registered
from judge.host.commands.command import N_, Command, CommandLine, Needs
from judge.host.joining import join
from judge.host.orders import take_lines
from judge.host.registering import (
    find_language,
    find_zone,
    guess_player,
    register_from,
    say_registered,
)
from judge.host.turn import Turn
from judge.rulebook import JsonObject, JsonValue
from judge.store import GameRecord, Purpose, Status

FIELDS = {
    "name": "name",
    "zone": "zone",
    "time zone": "zone",
    "timezone": "zone",
    "language": "language",
    "lang": "language",
}


def find_game(turn: Turn, written: str) -> GameRecord | None:
    """The public game of a name; refuses, with the nearest names, if there is none."""
    game = turn.session.game(written)
    if game is not None and game.status is not Status.DRAFT:
        return game
    statuses = (Status.FORMING, Status.ACTIVE, Status.FINISHED)
    names = [one.name for one in turn.session.desk.games(*statuses)]
    nearest = difflib.get_close_matches(written.lower(), names, n=3)
    turn.refuse(RefusalKind.NO_GAME, written=written, nearest=list(nearest or names[:3]))
    return None


def register(turn: Turn, line: CommandLine) -> None:
    """Name, zone and language; what is not given is guessed. The unproven confirm by a reply."""
    take_lines(turn)
    payload = _with_fields(turn, guess_player(turn), line)
    if turn.player is not None:
        say_registered(turn, register_from(turn, payload))
        return
    say_asked(turn, payload)
    turn.ask(Purpose.REGISTER, payload)


def say_asked(turn: Turn, payload: JsonObject) -> None:
    """Show what would be registered; a reply confirms it."""
    turn.say(
        Registered(
            name=str(payload["name"]),
            address=str(payload["address"]),
            language=str(payload["language"]),
            zone=str(payload["zone"]),
            confirmed=False,
            guessed=True,
        )
    )


def _with_fields(turn: Turn, payload: JsonObject, line: CommandLine) -> JsonObject:
    changed: dict[str, JsonValue] = dict(payload)
    for written, value in line.fields.items():
        key = FIELDS.get(written.lower())
        if key == "zone":
            zone = find_zone(value)
            if zone is None:
                turn.refuse(RefusalKind.BAD_ZONE, written=value)
            else:
                changed["zone"] = zone
        elif key == "language":
            language = _language(turn, value)
            if language is not None:
                changed["language"] = language
        elif key == "name":
            changed["name"] = " ".join(value.split())
    return changed


def _language(turn: Turn, written: str) -> str | None:
    """The language of that name; refuses, with those there are, if the judge does not write it."""
    known = turn.session.house.languages
    language = find_language(written, known)
    if language is None:
        turn.refuse(RefusalKind.BAD_LANGUAGE, written=written, known=list(known))
    return language


def set_language(turn: Turn, line: CommandLine) -> None:
    """SET LANGUAGE for a player who is signed on; the answer is in it already."""
    take_lines(turn)
    player = turn.player
    if player is None:
        turn.refuse(RefusalKind.NOT_REGISTERED, written=line.written)
        return
    language = _language(turn, line.arguments["language"])
    if language is None:
        return
    player = replace(player, language=language)
    turn.session.put_player(player)
    turn.visitor = replace(turn.visitor, player=player)
    say_registered(turn, player)


def set_zone(turn: Turn, line: CommandLine) -> None:
    """SET ZONE for a player who is signed on."""
    take_lines(turn)
    player = turn.player
    if player is None:
        turn.refuse(RefusalKind.NOT_REGISTERED, written=line.written)
        return
    zone = find_zone(line.arguments["time"])
    if zone is None:
        turn.refuse(RefusalKind.BAD_ZONE, written=line.arguments["time"])
        return
    player = replace(player, zone=zone)
    turn.session.put_player(player)
    turn.visitor = replace(turn.visitor, player=player)
    say_registered(turn, player)


def join_game(turn: Turn, line: CommandLine) -> None:
    """`JOIN balkan`, `JOIN balkan FRANCE`, `JOIN balkan FRANCE secret`; `SIGNON ?balkan secret`."""
    take_lines(turn)
    power, at, name = line.arguments["game"].rpartition("@")
    game = find_game(turn, name)
    if game is None:
        return
    wish = line.arguments.get("seat", power if at else "")
    join(turn, game, wish, line.arguments.get("password", ""))


def join_old_style(turn: Turn, name: str, password: str) -> None:
    """`SIGN ON ?balkan secret`, as on the old judges: no wish, and a password."""
    game = find_game(turn, name)
    if game is not None:
        join(turn, game, "", password)


COMMANDS = (
    Command(
        "join",
        ("JOIN",),
        "game (seat password?)?",
        Needs.ANYBODY,
        "JOIN balkan",
        N_("take part in a game; add a power, as JOIN balkan FRANCE, to wish for it"),
        join_game,
    ),
    Command(
        "register",
        ("REGISTER",),
        "",
        Needs.ANYBODY,
        "REGISTER",
        N_("tell the judge who you are; lines as name: Ann, zone: Paris may follow"),
        register,
        fields=("name", "zone", "language"),
    ),
    Command(
        "set_zone",
        ("SET ZONE", "SET TIME ZONE", "ZONE"),
        "time",
        Needs.ANYBODY,
        "SET ZONE Paris",
        N_("see all times in your zone"),
        set_zone,
    ),
    Command(
        "set_language",
        ("SET LANGUAGE", "LANGUAGE"),
        "language",
        Needs.ANYBODY,
        "SET LANGUAGE ko",
        N_("read the judge's letters in that language: en, ko, zh_Hant or ja"),
        set_language,
    ),
)
