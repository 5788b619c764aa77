"""PRESS and BROADCAST: words between the seats, delivered at once and to nobody else."""

import re
from collections.abc import Sequence
from dataclasses import replace as with_fields
from functools import partial

from msgspec.structs import replace

from judge.data import language_data
from judge.host.command import N_, Command, CommandLine, Stage, Topic, Who
from judge.host.games.forming import seats_of
from judge.host.letters.access import find_seat
from judge.host.letters.command_parser import BadCommand, Item, TextLine
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import readers, topic_words
from judge.host.messages.command_answers import PressReceived, PressSent, PressUnclear
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import opened, ref_to
from judge.rulebook import Seat, SeatId, Values
from judge.store import GameRecord, PlayerId, Press, PressRecord, Purpose, Status

MASTER = "MASTER"
PRESS_ENDS = ("ENDPRESS", "END PRESS", "END")
BROADCAST_ENDS = ("ENDBROADCAST", "END BROADCAST", "ENDPRESS", "END PRESS", "END")
SEPARATORS = re.compile(r"[\s,;/&+、，；／＆＋]+|\band\b", re.IGNORECASE)
EVERYBODY = ("ALL", "EVERYBODY", "EVERYONE", *readers("all"))
MASTERS = ("M", MASTER, "GM", *readers("master"))
AROUND = " \t\n.,:;!…。：；！_-<>[](){}\"'“”「」『』《》〈〉【】（）＜＞"  # of a form
PRESS_WORDS, ORDERS_WORDS = topic_words(Topic.PRESS), topic_words(Topic.ORDERS)
FIRST_LINE = 60  # characters of unsent press that its answer shows


def send_press(context: LetterContext, line: CommandLine) -> None:
    """`PRESS TO ENGLAND, GERMANY`, the text, `ENDPRESS`. Without that end nothing goes out."""
    game = _game_for_press(context, line)
    if game is None:
        return
    to = find_readers(context, game, line.arguments["names"])
    if to is not None:
        _deliver(context, game, line, to)


def send_broadcast(context: LetterContext, line: CommandLine) -> None:
    game = _game_for_press(context, line)
    if game is not None:
        _deliver(context, game, line, everybody(game), broadcast=True)


def as_press(context: LetterContext, items: Sequence[Item], text: str) -> Sequence[Item]:
    """A reply to press, as the command that sends its text to the writer of that press alone.

    Commands in it are carried out instead. A reply that holds orders for the writer's own units is
    neither sent nor stored: the judge asks which of the two it is.
    """
    sent, game = context.sender.sent, context.game()
    writer = str(sent.payload.get("press_from", "")) if sent else ""
    if sent is None or game is None or not writer:
        return items
    is_unnamed = bool(sent.payload.get("is_unnamed"))
    if sent.purpose is Purpose.PRESS_OR_ORDERS:
        first = next(iter(context.letter.body.split()), "").strip(AROUND).upper()
        body = str(sent.payload["body"])
        if first in ORDERS_WORDS:
            return tuple(TextLine(line) for line in body.splitlines() if line.strip())
        if first not in PRESS_WORDS:
            return items
        text = body
    else:
        if not items or any(_is_command(one) for one in items):
            return items
        seat = context.seat_in(game)
        orders = orders_in(game, seat, text) if seat and _is_open(game) else ()
        if orders:
            to = "" if is_unnamed else writer
            context.say(PressUnclear(context.ref(game), to, text, orders))
            context.ask(Purpose.PRESS_OR_ORDERS, {**sent.payload, "body": text})
            return ()
    run = partial(_send_reply, is_unnamed=is_unnamed)
    return (CommandLine(with_fields(COMMANDS[0], run=run), {"names": writer}, text, text),)


def _is_command(item: Item) -> bool:
    """Whether a line of a reply to press is for the judge: `Yes` and a question are press."""
    if isinstance(item, CommandLine):
        return not item.in_own_words and item.command.rule != "yes"
    return isinstance(item, BadCommand) and item.command is not None


def orders_in(game: GameRecord, seat: SeatId, text: str) -> tuple[str, ...]:
    """The lines of a text that are orders for a seat's own units, or may be meant so."""
    reading = opened(game).read(seat, text.splitlines())
    told = [one.line.text for one in reading.understood]
    return (*told, *(one.written for one in reading.problems if one.proposals))


def _send_reply(context: LetterContext, line: CommandLine, *, is_unnamed: bool) -> None:
    game = _game_for_press(context, line)
    if game is not None:
        _deliver(context, game, line, (line.arguments["names"],), is_unnamed=is_unnamed)


def _game_for_press(context: LetterContext, line: CommandLine) -> GameRecord | None:
    game = context.game()
    assert game is not None
    if not line.closed:
        first = next(iter(line.text.splitlines()), "")[:FIRST_LINE]
        context.refuse(RefusalKind.UNCLOSED_PRESS, game, written=line.written, first_line=first)
    elif _is_placeholder(line.text):
        context.refuse(RefusalKind.EMPTY_PRESS, game, written=line.written)
    elif _is_forbidden(context, game, line):
        context.refuse(RefusalKind.NO_PRESS, game, written=line.written)
    elif _is_grey(line) and game.settings.press is not Press.GREY:
        context.refuse(RefusalKind.NO_GREY, game, written=line.written)
    else:
        return game
    return None


def _is_placeholder(text: str) -> bool:
    """Whether a text holds no words, or only those where the writer's own should stand."""
    words = " ".join(text.strip(AROUND).casefold().split())
    tables = language_data("language.toml").values()
    return not words or any(words in table.get("placeholders", ()) for table in tables)


def _is_forbidden(context: LetterContext, game: GameRecord, line: CommandLine) -> bool:
    """In a game without press its players may write to the master alone, until it is over."""
    if game.settings.press is not Press.NONE or not context.seat_in(game) or not _is_open(game):
        return False
    words = [*filter(None, SEPARATORS.split(_without_to(line.arguments.get("names", ""))))]
    return {name for word in words for name in _readers_of(seats_of(game), word)} != {MASTER}


def _is_open(game: GameRecord) -> bool:
    return game.status is Status.ACTIVE  # after the end everybody may talk


def _is_grey(line: CommandLine) -> bool:
    return line.command.rule.startswith("grey")


def find_readers(context: LetterContext, game: GameRecord, written: str) -> tuple[str, ...] | None:
    """The seats (and `MASTER`) that a list names, in the order of the board.

    `FRANCE, GERMANY`, `F G`, or the old judges' `FG`. Refuses, and returns None, if a word names
    nobody: press never goes to fewer or more people than its writer named.
    """
    seats = seats_of(game)
    found: set[str] = set()
    for word in filter(None, SEPARATORS.split(_without_to(written))):
        names = _readers_of(seats, word)
        if not names:
            known = [one.id for one in seats]
            context.refuse(RefusalKind.NO_RECIPIENT, game, written=word, known=list(known))
            return None
        found.update(names)
    found.discard(context.seat_in(game) or "")
    order = [*(seat.id for seat in seats), MASTER]
    to = tuple(name for name in order if name in found)
    if not to:
        context.refuse(RefusalKind.NO_RECIPIENT, game, written=written)
        return None
    return to


def _without_to(written: str) -> str:
    return re.sub(r"(?i)^to\b\s*:?", "", written.strip())


def _readers_of(seats: tuple[Seat, ...], word: str) -> tuple[str, ...]:
    if word.upper() in EVERYBODY:
        return tuple(seat.id for seat in seats)
    if word.upper() in MASTERS:
        return (MASTER,)
    seat = find_seat(seats, word)
    if seat is not None:
        return (seat.id,)
    for particle in readers("particles"):
        bare = word.removeprefix(particle).removesuffix(particle)
        if bare not in ("", word):
            return _readers_of(seats, bare)
    letters = {
        name: one.id for one in seats for name in (one.letter, *one.names) if len(name) == 1
    } | {"M": MASTER}
    if word == word.upper() and all(letter in letters for letter in word):
        return tuple(letters[letter] for letter in word)
    return ()


def everybody(game: GameRecord) -> tuple[str, ...]:
    """All seats and the master."""
    return (*(seat.id for seat in game.seats), MASTER)


def _deliver(
    context: LetterContext,
    game: GameRecord,
    line: CommandLine,
    to: tuple[str, ...],
    *,
    broadcast: bool = False,
    is_unnamed: bool = False,
) -> None:
    own = context.seat_in(game)
    sender = "" if _is_grey(line) else (own or MASTER)
    readers = tuple(name for name in to if name != (own or MASTER))
    vacant = tuple(name for name in readers if _holder(game, name) is None)
    for name in readers:
        press = PressReceived(ref_to(game, None), sender, readers, broadcast, line.text)
        _write(context, game, name, press, {"press_from": own or MASTER, "is_unnamed": not sender})
    if broadcast:
        press = PressReceived(ref_to(game), sender, readers, broadcast, line.text)
        context.work.notify_observers(game, "press", [press])
    context.work.keep_press(
        PressRecord(game.name, _label(game), own or MASTER, readers, line.text, context.work.now)
    )
    grey = _is_grey(line)
    told = () if is_unnamed else readers
    context.say(PressSent(context.ref(game), told, broadcast, grey, line.text, vacant))


def _label(game: GameRecord) -> str:
    return game.phase.label if game.phase else ""


def _holder(game: GameRecord, name: str) -> PlayerId | None:
    """Who reads what is written to a seat, or to `MASTER`; None where nobody plays."""
    return game.master if name == MASTER else game.seat(SeatId(name)).player


def _write(
    context: LetterContext, game: GameRecord, name: str, press: PressReceived, reply: Values
) -> None:
    """A letter with press to whoever holds a seat, or to the master; a reply goes to its writer."""
    holder = _holder(game, name)
    if holder is None:
        return
    ref = ref_to(game, None if name == MASTER else SeatId(name))
    serial = game.phase.serial if game.phase else None
    player = context.work.player(holder)
    press = replace(press, game=ref)
    context.work.write(player, "press", [press], ref, serial=serial, payload=reply)


COMMANDS = (
    Command(
        "press",
        ("PRESS TO", "PRESS", "WHITE PRESS"),
        "names",
        Who.IN_GAME,
        Topic.PRESS,
        N_("PRESS TO ENGLAND, GERMANY"),
        N_("write to some powers; your text follows, and a line ENDPRESS ends it"),
        send_press,
        until=PRESS_ENDS,
        when=Stage.BEGUN,
    ),
    Command(
        "broadcast",
        ("BROADCAST", "PRESS TO ALL", "WHITE BROADCAST"),
        "",
        Who.IN_GAME,
        Topic.PRESS,
        N_("BROADCAST"),
        N_("write to everybody in the game; a line ENDBROADCAST ends your text"),
        send_broadcast,
        until=BROADCAST_ENDS,
        when=Stage.BEGUN,
    ),
    Command(
        "grey_press",
        ("GREY PRESS TO", "GREY PRESS", "GRAY PRESS", "ANONYMOUS PRESS"),
        "names",
        Who.IN_GAME,
        Topic.PRESS,
        N_("GREY PRESS TO ENGLAND"),
        N_("as PRESS, without your name, where the game allows it"),
        send_press,
        until=PRESS_ENDS,
        when=Stage.BEGUN,
    ),
    Command(
        "grey_broadcast",
        ("GREY BROADCAST", "GRAY BROADCAST", "ANONYMOUS BROADCAST"),
        "",
        Who.IN_GAME,
        Topic.PRESS,
        N_("GREY BROADCAST"),
        N_("as BROADCAST, without your name, where the game allows it"),
        send_broadcast,
        until=BROADCAST_ENDS,
        when=Stage.BEGUN,
    ),
)
