"""PRESS and BROADCAST: words between the seats, delivered at once and to nobody else."""

import re

from judge.data import language_data
from judge.host.command import N_, Command, CommandLine, Stage, Topic, Who
from judge.host.games.forming import seats_of
from judge.host.letters.access import find_seat
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import readers
from judge.host.messages.command_answers import PressReceived, PressSent
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import ref_to
from judge.rulebook import Seat, SeatId
from judge.store import GameRecord, Press, PressRecord, Status

MASTER = "MASTER"
PRESS_ENDS = ("ENDPRESS", "END PRESS", "END")
BROADCAST_ENDS = ("ENDBROADCAST", "END BROADCAST", "ENDPRESS", "END PRESS", "END")
SEPARATORS = re.compile(r"[\s,;/&+、，；／＆＋]+|\band\b", re.IGNORECASE)
EVERYBODY = ("ALL", "EVERYBODY", "EVERYONE", *readers("all"))
MASTERS = ("M", MASTER, "GM", *readers("master"))
AROUND = " \t\n.,:;!…。：；！_-<>[](){}\"'“”「」『』《》〈〉【】（）＜＞"  # of a form
FIRST_LINE = 60  # characters of unsent press that its answer shows


def send_press(context: LetterContext, line: CommandLine) -> None:
    """`PRESS TO ENGLAND, GERMANY`, the text, `ENDPRESS`. Without that end nothing goes out."""
    game = _game_for_press(context, line)
    if game is None:
        return
    to = find_readers(context, game, line.arguments["names"])
    if to is not None:
        _deliver(context, game, line, to, broadcast=False)


def send_broadcast(context: LetterContext, line: CommandLine) -> None:
    game = _game_for_press(context, line)
    if game is not None:
        _deliver(context, game, line, everybody(game), broadcast=True)


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
    broadcast: bool,
) -> None:
    own = context.seat_in(game)
    sender = "" if _is_grey(line) else (own or MASTER)
    readers = tuple(name for name in to if name != (own or MASTER))
    for name in readers:
        _write(context, game, name, sender, readers, line.text, broadcast=broadcast)
    context.work.keep_press(
        PressRecord(game.name, _label(game), own or MASTER, readers, line.text, context.work.now)
    )
    grey = _is_grey(line)
    context.say(PressSent(context.ref(game), readers, broadcast, grey, line.text))


def _label(game: GameRecord) -> str:
    return game.phase.label if game.phase else ""


def _write(
    context: LetterContext,
    game: GameRecord,
    name: str,
    sender: str,
    to: tuple[str, ...],
    text: str,
    *,
    broadcast: bool,
) -> None:
    seat = None if name == MASTER else game.seat(SeatId(name))
    holder = game.master if seat is None else seat.player
    if holder is None:
        return
    ref: GameRef = ref_to(game, seat.id if seat else None)
    message = PressReceived(ref, sender, to, broadcast, text)
    serial = game.phase.serial if game.phase else None
    context.work.write(context.work.player(holder), "press", [message], ref, serial=serial)


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
