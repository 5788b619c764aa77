"""What becomes of a sentence that asks for a command in its writer's own words: the names in it are
found among those that the writer's game knows, and it is done, asked about, or left as text.

A command that only shows is carried out if the sentence asks or wishes. One that changes something
is carried out if nothing in the sentence is unexplained, or if it asks its writer itself; else the
writer is asked here. Where the examples point to another command, the writer is asked in any case.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from zoneinfo import ZoneInfo

from judge.data import language_data
from judge.host.command import Command, CommandLine, Stage, Who
from judge.host.games.forming import seats_of
from judge.host.games.orders import find_phase
from judge.host.games.seat_names import seats_named
from judge.host.letters import own_words
from judge.host.letters.command_parser import BadCommand, Request, TextLine
from judge.host.letters.letter_context import LetterContext, roles_of, seat_of
from judge.host.letters.own_words import Asked, captured
from judge.host.letters.registering import match_name, zone_in
from judge.host.schedules.dates import format_days, parse_days
from judge.host.schedules.times import days_named_in
from judge.host.unit_of_work import opened
from judge.rulebook import DEFAULT_GAME, load_game
from judge.store import GameRecord, Status

ASKS_ITSELF = ("resign", "process", "forget_me", "register")
BEFORE_THE_START = (Stage.ALWAYS, Stage.NOT_OVER)
AS_A_QUESTION = ("extend",)  # `Can I have more time?` wishes for it
# What a player can mean by what only a master may do.
OF_A_PLAYER = {
    "process": "ready",
    "set_deadline": "extend",
    "hold_game": "propose PAUSE",
    "eject": "propose REPLACE",
}
OF_A_MASTER = {"resign": "hand_over", "block": "eject", "propose": "hold_game"}
OF_A_STRANGER = {"who": "who_game"}  # WHO is for a game of one's own
WITHOUT_STRANGERS = ("status", "missing", "yes", "no", "sign_on")
# What follows the constant of a command whose arguments are free.
BEHIND = {
    ("propose", "PAUSE"): "amount",
    ("propose", "EXTEND"): "amount",
    ("propose", "REPLACE"): "seat",
    ("set_setting", "grace"): "amount",
}
GAME_WORD = re.compile(r"(?<![A-Za-z0-9_@.])[A-Za-z][A-Za-z0-9_-]{1,23}(?![A-Za-z0-9_@]|\.[a-z])")
SETTING = re.compile(r"SET\s", re.IGNORECASE)
NUMBER = re.compile(r"(?<![A-Za-z\d])\d{1,2}(?!\d)")  # of a note
MOST_OTHERS = 3  # commands that a question names beside the likeliest
LEAST_OF_UNNAMED = 0.5  # likeness where the name is missing that a pattern needs
LEAST_OF_STRANGERS = 0.45  # rank of a command without a pattern, where the welcome helps as well
MOST_READ = 80  # parts of a sentence that are tried as the name of a unit
MOST_WORDS = 5  # of each
LONGEST_PLACE = 8  # characters of a place's name in a script without spaces
ARGUMENT = re.compile("[a-z]+")
DATED = re.compile(r"\d{4}-")

Found = tuple[str, tuple[str, ...]]  # an argument as the command takes it, and how it was written


def resolve(
    context: LetterContext, request: Request, *, is_alone: bool = False
) -> CommandLine | BadCommand | TextLine:
    """The command that a sentence asks for, the question whether it does, or the sentence itself.

    is_alone: the letter holds nothing else, so that a sentence that only states something is asked
    about too.
    """
    if _is_for_the_game(context, request):
        return TextLine(request.written)
    if context.sender.player is None:
        return _resolve_for_stranger(context, request)
    proposed: list[CommandLine] = []
    greatest = 0.0  # rank of those
    for likely in _candidates(context, request):
        asked, line = likely.asked, likely.line
        if likely.is_sure and likely.is_clear and not likely.is_missing and not proposed:
            return line
        is_whole = asked.is_of_all or likely.is_explained or line.arguments
        if line.command.rule == "clear" and not is_whole and _may_name_place(context, request):
            if _is_clearing_one_unit(context, asked, request) and not proposed:
                unit = " ".join(asked.rest).strip()  # of which nothing is stored
                return replace(line, arguments={"coming": unit or request.written})
            continue  # YES would clear every order, where one was named
        is_asked = asked.has_form or is_alone or asked in request.beside
        if asked.rank < own_words.LEAST_OF_OTHERS * greatest or not is_asked:
            break
        is_guess = not asked.has_pattern and not proposed
        if is_guess and _is_for_the_game(context, request, is_guess=True):
            break
        greatest = max(greatest, asked.rank)
        proposed.append(line)
    return _question(proposed) if proposed else TextLine(request.written)


def _resolve_for_stranger(
    context: LetterContext, request: Request
) -> CommandLine | BadCommand | TextLine:
    """`resolve` for somebody who has no account: what anybody may ask for."""
    proposed: list[CommandLine] = []
    for likely in _candidates(context, request):
        asked, line = likely.asked, likely.line
        if line.command.rule == "help" and not asked.constant and not proposed:
            break  # the welcome helps
        if line.command.rule in WITHOUT_STRANGERS or line.command.who is not Who.ANYBODY:
            continue
        if not asked.has_pattern and asked.rank < LEAST_OF_STRANGERS:
            continue
        is_sure = asked.is_request or (asked.is_plain and likely.is_explained)
        if likely.is_clear and not likely.is_missing and not proposed:
            # What waits for a YES to REGISTER is kept as it was written.
            return (
                replace(line, written=_format_command(line)) if is_sure else TextLine(line.written)
            )
        proposed.append(line)
    return _question(proposed) if proposed else TextLine(request.written)


@dataclass(frozen=True, slots=True)
class _Likely:
    """A command that a sentence may ask for."""

    asked: Asked
    line: CommandLine
    is_missing: bool  # it cannot do without something that the sentence does not name
    is_explained: bool  # the sentence says nothing else
    is_clear: bool  # it asks for no other command
    is_sure: bool  # it asks, in words that leave no doubt of it


def _candidates(context: LetterContext, request: Request) -> Iterator[_Likely]:
    """The commands that the sentence's writer may give, the likeliest first."""
    role = context.role
    roles = OF_A_STRANGER if context.sender.player is None else {}
    if role is not None:
        roles = OF_A_PLAYER if role.seat is not None else OF_A_MASTER if role.is_master else roles
    readings = sorted((*request.readings, *request.beside), key=lambda one: -one.rank)
    meant: list[tuple[str, str]] = []  # the rules and constants that such a writer can mean
    for one in readings:
        rule, _, constant = roles.get(one.rule, one.rule).partition(" ")
        meant.append((rule, constant or (one.constant if rule == one.rule else "")))
    for asked, key in zip(readings, meant, strict=True):
        command = request.commands[key[0]]
        found = dict(_arguments(context, asked, key, command.arguments, request))
        if asked.rule == "absence" and context.is_master and "time" not in found:
            continue  # masters name a power; themselves they may be on VACATION
        if not asked.has_pattern and SETTING.match(request.written):
            continue  # `SET foobar 3` is like any command with two names
        is_unnamed = not asked.required <= found.keys()
        is_seldom = asked.likeness < LEAST_OF_UNNAMED and not _is_clearing_one_unit(
            context, asked, request
        )
        if is_unnamed and (is_seldom or context.sender.player is None):
            continue
        alike = [one for one in readings if one.rule == asked.rule]
        is_named = not command.changes and request.written.upper().startswith(command.words)
        if is_named and asked.likeness < max(one.likeness for one in alike):
            continue  # `LIST open games` is rather LIST OPEN than LIST
        if is_named and not asked.has_pattern:
            known = next((one for one in alike if one.is_likely), asked)
            asked = replace(known, constant=asked.constant, likeness=asked.likeness)
        if role is not None and command.who is (Who.PLAYER if role.is_master else Who.MASTER):
            continue
        if role is not None and role.is_applicant and command.when not in BEFORE_THE_START:
            continue
        if asked.rule == "join" and "seat" in found and "game" not in found and context.sender.sent:
            break  # a wish for a power, of somebody who is about to join
        arguments = {name: value for name, (value, _) in found.items()}
        line = CommandLine(command, arguments, request.written, in_own_words=True)
        written = [piece for _, pieces in found.values() for piece in pieces]
        is_explained = any(own_words.is_explained(one, written) for one in alike)
        others = [
            one
            for one, its in zip(readings, meant, strict=True)
            if (its[0] != key[0] if is_named else its != key)
        ]
        is_missing = is_unnamed or not set(_needed(command.arguments)) <= arguments.keys()
        is_clear = own_words.is_clear(asked, others, is_explained=is_explained)
        is_sure = _is_sure(asked, command, is_explained=is_explained)
        if context.sender.player is not None:
            is_clear = is_clear and all(one.rule == asked.rule for one in request.beside)
            days = arguments.get("time", "") if TIMES.get(command.rule) == "days" else ""
            if days and asked.is_certain and not DATED.search(days):
                is_sure = is_clear = True  # two readings: the command does nothing and tells both
        yield _Likely(asked, line, is_missing, is_explained, is_clear, is_sure)


def _is_sure(asked: Asked, command: Command, *, is_explained: bool) -> bool:
    """Whether a sentence asks for a command clearly enough to carry it out."""
    if not command.changes:
        return asked.has_form or (asked.is_request and is_explained)
    if command.rule in ASKS_ITSELF:
        return asked.is_certain and (asked.is_request or is_explained)
    is_plain = asked.is_plain or (asked.is_certain and command.rule in AS_A_QUESTION)
    return is_plain and is_explained


def _is_for_the_game(context: LetterContext, request: Request, *, is_guess: bool = False) -> bool:
    """Whether a sentence is an order for a unit of the writer's, or names the phase of the orders
    below it: `Fall 1901 movement:` asks for no HISTORY.

    is_guess: only its likeness speaks for a command; then an order with a mistake counts too.
    """
    here, player = context.game(), context.player
    for game in _games_of_writer(context):
        seat = context.seat_in(game) if game is here else player and seat_of(game, player)
        if game.status is not Status.ACTIVE or not seat:
            continue
        if find_phase(game, request.line) is not None:
            return True
        reading = opened(game).read(seat, [request.written])
        if reading.understood or (is_guess and reading.problems):
            return True
    return is_guess and is_order(request.written)


def is_order(text: str) -> bool:
    """Whether a text is an order on the usual board, whoever may give it."""
    rulebook = load_game(DEFAULT_GAME)
    return bool(rulebook.start(rulebook.variants()[0], {}).orders_written_in([text]))


def _question(lines: Sequence[CommandLine]) -> BadCommand:
    """The question whether the first command was meant, which a YES carries out; the others are
    offered as lines to copy."""
    nearest, *others = dict.fromkeys(map(_format_command, lines))
    return BadCommand(lines[0].written, None, nearest, nearest, tuple(others[:MOST_OTHERS]))


def _format_command(line: CommandLine) -> str:
    """The line that gives a command with its arguments."""
    order = ARGUMENT.findall(line.command.arguments) or [*line.arguments]
    values = [line.arguments[name].removeprefix("+") for name in order if name in line.arguments]
    return " ".join((line.command.words[0], *values))


def _needed(declared: str) -> list[str]:
    """The arguments that a command cannot do without: `names`, not `seat?` or `(game coming?)?`."""
    while declared != (without := re.sub(r"\([^()]*\)\?|\w+\?", "", declared)):
        declared = without
    return ARGUMENT.findall(declared)


# --- names in a sentence --------------------------------------------------------------------------


def _arguments(
    context: LetterContext, asked: Asked, key: tuple[str, str], declared: str, request: Request
) -> Iterator[tuple[str, Found]]:
    """The arguments of a command that a sentence names, by their name in the grammar."""
    names = ARGUMENT.findall(declared)
    if key[1]:
        kind = BEHIND.get(key, "")
        length = asked.arguments.get(kind, "").removeprefix("+")
        value, pieces = _find(context, kind, request.written) or (length, tuple[str, ...]())
        yield (names or ["names"])[0], (f"{key[1]} {value}".rstrip(), pieces)
        return
    kinds = {
        "names": NAMES.get(asked.rule, "seat"),
        "time": TIMES.get(asked.rule, "amount"),
        "game": "new_game" if asked.rule == "create" else "game",
        "coming": "unit" if asked.rule == "clear" else "phase",
        "addresses": "address",
        "reason": "phase" if asked.rule == "rollback" else "reason",
    }
    own = [*asked.rest, request.written] if asked.rule == "clear" else [request.written]
    needed = {*_needed(declared), *asked.required, *(names if asked.rule == "join" else ())}
    for name in dict.fromkeys((*names, *sorted(asked.required))):
        kind = kinds.get(name, name)
        texts = [*own, request.line] if name in needed else own  # `I give up. Russia wins.`
        if given := asked.arguments.get(kind):
            yield name, (given, ())
        elif asked.rule == "absence" and context.is_master:
            seat, days = _seat(context, request.written), _days_named(context, request.written)
            if seat and days:
                yield name, (f"{seat[0]} {days[0]}", (*seat[1], *days[1]))
        elif found := next(filter(None, (_find(context, kind, text) for text in texts)), None):
            yield name, found


def _find(context: LetterContext, kind: str, text: str) -> Found | None:
    if kind in KNOWN:
        return KNOWN[kind](context, text)
    return SAID[kind](text) if kind in SAID else None


def _game(context: LetterContext, sentence: str) -> Found | None:
    """A game that everybody may know of, or one of the writer's."""
    for word in GAME_WORD.findall(sentence):
        game = context.work.game(word.lower())
        if game is not None and game.status is not Status.DRAFT and not game.is_practice:
            return game.name, (word,)
    return None


def _seats(context: LetterContext, sentence: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """The powers that a sentence names: where, which, and their names; in its order."""
    games, text = _games_of_writer(context), sentence.casefold()
    variant = load_game(DEFAULT_GAME)
    seats = seats_of(games[0]) if games else variant.seats(variant.variants()[0], {})
    said = seats_named(seats, text)
    named = {one.id: (one.id, *one.names) for one in seats if one.id in said}
    return sorted(
        (min(at for name in names if (at := text.find(name.casefold())) >= 0), seat, names)
        for seat, names in named.items()
    )


def _seat(context: LetterContext, sentence: str, *, is_other: bool = False) -> Found | None:
    """The one power that a sentence names; is_other: beside the writer's own."""
    own = context.role.seat if is_other and context.role is not None else None
    named = [one for one in _seats(context, sentence) if one[1] != own]
    return named[0][1:] if len(named) == 1 else None


def _powers(context: LetterContext, sentence: str) -> Found | None:
    """All powers that a sentence names, as PREFER takes them."""
    named = _seats(context, sentence)
    names = tuple(name for _, _, its in named for name in its)
    return (", ".join(seat for _, seat, _ in named), names) if named else None


def _person(context: LetterContext, sentence: str) -> Found | None:
    """Who plays in one of the writer's games, or asks to, by name or by power; else who is called a
    player."""
    for game in _games_of_writer(context):
        seated = (seat.player for seat in game.seats if seat.player)
        for player in (*seated, *(one.player for one in game.asking)):
            name = context.work.player(player).name
            if name and re.search(
                rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", sentence, re.I
            ):
                return name, (name,)
    called = captured("player_name", sentence)
    return _seat(context, sentence) or ((called, (called,)) if called else None)


def _games_of_writer(context: LetterContext) -> list[GameRecord]:
    """The game of the letter, or all of the writer's."""
    player, here = context.sender.player, context.game()
    roles = roles_of(context.work, player) if player is not None and here is None else []
    games = [here, *(context.work.game(role.game) for role in roles)]
    return [game for game in games if game is not None]


def _ordered_unit(context: LetterContext, text: str) -> Found | None:
    """The stored order that a text names by its unit, as the game writes that unit."""
    game, role = context.game(), context.role
    if game is None or role is None or role.seat is None or game.status is not Status.ACTIVE:
        return None
    stored = {one.key: one for one in game.order_set(role.seat)}
    for piece in _pieces(text):
        reading = opened(game).read(role.seat, [piece], tuple(stored.values()), "")
        keys = {one.line.key for one in reading.understood} | {one.key for one in reading.problems}
        if len(keys) == 1 and (line := stored.get(keys.pop() or "")):
            return " ".join(line.text.split()[:2]), (piece,)
    named = _places(context, text)
    line = stored.get(named.pop()) if len(named) == 1 else None
    return (" ".join(line.text.split()[:2]), ()) if line else None


def _may_name_place(context: LetterContext, request: Request) -> bool:
    """Whether a sentence may name a unit or a place; any may, where no game of it is known."""
    if context.game() is None or own_words.says("unit", request.written):
        return True
    return bool(_places(context, request.written))


def _is_clearing_one_unit(context: LetterContext, asked: Asked, request: Request) -> bool:
    """Whether a sentence asks to clear the order of one unit, of which none is stored if none was
    found."""
    is_told = asked.rule == "clear" and asked.is_certain and asked.is_request
    return (
        is_told
        and own_words.says("unit", request.written)
        and len(_places(context, request.written)) == 1
    )


def _places(context: LetterContext, sentence: str) -> set[str]:
    """The ids of the places of the board that a sentence names."""
    game = context.game()
    if game is None or game.status is not Status.ACTIVE:
        return set()
    starts = range(len(sentence) - 1)
    parts = {sentence[at : at + size] for at in starts for size in range(2, LONGEST_PLACE + 1)}
    pieces = {*_pieces(sentence), *(one for one in parts if not one.isascii())}
    return {*map(opened(game).place_named, pieces)} - {""}


def _pieces(sentence: str) -> list[str]:
    """Words of a sentence that may name a unit, the longest first: whole ones, and where the script
    has no spaces between words their beginnings."""
    words = [word.strip(",.!?，。、！？") for word in sentence.split()]
    found = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + MOST_WORDS, len(words)) + 1):
            piece = " ".join(words[start:end])
            found[piece] = len(piece)
            if not words[end - 1].isascii():
                last = words[end - 1]
                for cut in range(1, len(last)):
                    shorter = piece[: len(piece) - cut]
                    if len(shorter) >= 2:
                        found[shorter] = len(shorter)
    short = [piece for piece in found if 3 <= len(piece) <= 24 or not piece.isascii()]
    return sorted(short, key=lambda piece: -len(piece))[:MOST_READ]


def _days_named(context: LetterContext, sentence: str) -> Found | None:
    """The days that a sentence names, if they are one span; those with figures before `weekend`.
    What can be read in two ways is left as it is written."""
    named = days_named_in(sentence)
    named = [one for one in named if re.search(r"\d", one)] or named
    today = context.work.now.astimezone(ZoneInfo(context.zone)).date()
    readings = parse_days(named[0], today) if len(named) == 1 else ()
    if not readings:
        return None
    return format_days(*readings[0]) if len(readings) == 1 else named[0], (named[0],)


def _language(context: LetterContext, sentence: str) -> Found | None:
    """The language that a sentence names: of several the one farthest from `I cannot read`."""
    text, named = sentence.casefold(), []
    for language in context.work.config.languages:
        for name in language_data("language.toml").get(language, {}).get("names", ()):
            if len(name) > 1 and (said := match_name(name, text)):
                distance = own_words.distance_to("read_not", sentence, said.start())
                named.append((distance, language, name))
    if not named:
        return None
    _, language, name = max(named, key=lambda one: (one[0], one[1] != context.language))
    return language, (name,)


def _phase(context: LetterContext, sentence: str) -> Found | None:
    """The phase of the letter's game that a sentence names with a number: `S1901M`, `fall 1901`."""
    game = context.game()
    if game is None or game.state is None:
        return None
    for piece in _pieces(sentence):
        has_number = any(letter.isdigit() for letter in piece)
        named = opened(game).phase_named(piece) if has_number else None
        if named is not None and named.label:
            return named.label, (piece,)
    return None


def _number(sentence: str) -> Found | None:
    found = NUMBER.search(own_words.plain(sentence))
    return (found[0], (found[0],)) if found else None


def _finder_of(name: str) -> Callable[[str], Found | None]:
    def found(sentence: str) -> Found | None:
        words = captured(name, sentence)
        return (words, (words,)) if words else None

    return found


NAMES = {
    "list": "game",
    "whois": "person",
    "block": "person",
    "unblock": "person",
    "set_name": "own_name",
    "prefer": "powers",
    **dict.fromkeys(("draw", "concede"), "other_seat"),
    **dict.fromkeys(("invite", "promote", "hand_over", "demote"), "address"),
    **dict.fromkeys(("allow", "deny"), "person"),
    **dict.fromkeys(("diary_read", "diary_delete"), "number"),
}
TIMES = {
    "set_zone": "zone",
    "set_deadline": "moment",
    "set_digest": "moment",
    "absence": "days",
    "vacation": "days",
}
# What finds a name of a kind: among what the judge knows, or by what a sentence says of it.
KNOWN: Mapping[str, Callable[[LetterContext, str], Found | None]] = {
    "game": _game,
    "seat": _seat,
    "other_seat": partial(_seat, is_other=True),
    "powers": _powers,
    "person": _person,
    "unit": _ordered_unit,
    "language": _language,
    "days": _days_named,
    "phase": _phase,
}
SAID: Mapping[str, Callable[[str], Found | None]] = {
    "zone": zone_in,
    "number": _number,
    "own_name": _finder_of("own_name"),
    "new_game": _finder_of("new_game"),
    "reason": _finder_of("reason"),
}
