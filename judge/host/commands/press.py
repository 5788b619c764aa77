"""PRESS and BROADCAST: words between the seats, delivered at once and to nobody else."""

import re

from judge.host.access import find_seat
from judge.host.blocks import GameRef, PressReceived, PressSent, RefusalKind
from judge.host.commands.command import N_, Command, CommandLine, Needs
from judge.host.games import seats_of
from judge.host.orders import take_lines
from judge.host.session import ref_to
from judge.host.turn import Turn
from judge.rulebook import Seat, SeatId
from judge.store import GameRecord, Press, PressRecord, Status

MASTER = "MASTER"
PRESS_ENDS = ("ENDPRESS", "END PRESS", "END")
BROADCAST_ENDS = ("ENDBROADCAST", "END BROADCAST", "ENDPRESS", "END PRESS", "END")
SEPARATORS = re.compile(r"[\s,;/&+、，；／＆＋]+|\band\b", re.IGNORECASE)
EVERYBODY = ("ALL", "EVERYBODY", "EVERYONE")
FIRST_LINE = 60  # characters of unsent press that its answer shows


def send_press(turn: Turn, line: CommandLine) -> None:
    """`PRESS TO ENGLAND, GERMANY`, the text, `ENDPRESS`. Without that end nothing goes out."""
    game = _game_for_press(turn, line)
    if game is None:
        return
    to = find_readers(turn, game, line.arguments["names"])
    if to is not None:
        _deliver(turn, game, line, to, broadcast=False)


def send_broadcast(turn: Turn, line: CommandLine) -> None:
    game = _game_for_press(turn, line)
    if game is not None:
        _deliver(turn, game, line, everybody(game), broadcast=True)


def _game_for_press(turn: Turn, line: CommandLine) -> GameRecord | None:
    take_lines(turn)
    game = turn.game()
    assert game is not None
    if game.status is Status.FORMING or not game.seats:
        turn.refuse(RefusalKind.NOT_RUNNING, game, status=game.status)
    elif not line.closed:
        first = next(iter(line.text.splitlines()), "")[:FIRST_LINE]
        turn.refuse(RefusalKind.UNCLOSED_PRESS, game, written=line.written, first_line=first)
    elif not line.text.strip():
        turn.refuse(RefusalKind.EMPTY_PRESS, game, written=line.written)
    elif game.settings.press is Press.NONE and turn.seat_in(game) and _is_open(game):
        turn.refuse(RefusalKind.NO_PRESS, game, written=line.written)
    elif _is_grey(line) and game.settings.press is not Press.GREY:
        turn.refuse(RefusalKind.NO_GREY, game, written=line.written)
    else:
        return game
    return None


def _is_open(game: GameRecord) -> bool:
    return game.status is Status.ACTIVE  # after the end everybody may talk


def _is_grey(line: CommandLine) -> bool:
    return line.command.rule.startswith("grey")


def find_readers(turn: Turn, game: GameRecord, written: str) -> tuple[str, ...] | None:
    """The seats (and `MASTER`) that a list names, in the order of the board.

    `FRANCE, GERMANY`, `F G`, or the old judges' `FG`. Refuses, and returns None, if a word names
    nobody: press never goes to fewer or more people than its writer named.
    """
    seats = seats_of(game.settings)
    found: set[str] = set()
    for word in filter(None, SEPARATORS.split(_without_to(written))):
        names = _readers_of(seats, word)
        if not names:
            known = [one.id for one in seats]
            turn.refuse(RefusalKind.NO_RECIPIENT, game, written=word, known=list(known))
            return None
        found.update(names)
    found.discard(turn.seat_in(game) or "")
    order = [*(seat.id for seat in seats), MASTER]
    to = tuple(name for name in order if name in found)
    if not to:
        turn.refuse(RefusalKind.NO_RECIPIENT, game, written=written)
        return None
    return to


def _without_to(written: str) -> str:
    return re.sub(r"(?i)^to\b\s*:?", "", written.strip())


def _readers_of(seats: tuple[Seat, ...], word: str) -> tuple[str, ...]:
    if word.upper() in EVERYBODY:
        return tuple(seat.id for seat in seats)
    if word.upper() in ("M", MASTER, "GM"):
        return (MASTER,)
    seat = find_seat(seats, word)
    if seat is not None:
        return (seat.id,)
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
    turn: Turn, game: GameRecord, line: CommandLine, to: tuple[str, ...], *, broadcast: bool
) -> None:
    own = turn.seat_in(game)
    sender = "" if _is_grey(line) else (own or MASTER)
    readers = tuple(name for name in to if name != (own or MASTER))
    for name in readers:
        _write(turn, game, name, sender, readers, line.text, broadcast=broadcast)
    turn.session.keep_press(
        PressRecord(game.name, _label(game), own or MASTER, readers, line.text, turn.session.now)
    )
    grey = _is_grey(line)
    turn.say(PressSent(turn.ref(game), readers, broadcast, grey, line.text))


def _label(game: GameRecord) -> str:
    return game.phase.label if game.phase else ""


def _write(
    turn: Turn,
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
    block = PressReceived(ref, sender, to, broadcast, text)
    serial = game.phase.serial if game.phase else None
    turn.session.write(turn.session.player(holder), "press", [block], ref, serial=serial)


COMMANDS = (
    Command(
        "press",
        ("PRESS", "WHITE PRESS"),
        "names",
        Needs.CHAIR,
        "PRESS TO ENGLAND, GERMANY",
        N_("write to some powers; your text follows, and a line ENDPRESS ends it"),
        send_press,
        until=PRESS_ENDS,
    ),
    Command(
        "broadcast",
        ("BROADCAST", "PRESS TO ALL", "WHITE BROADCAST"),
        "",
        Needs.CHAIR,
        "BROADCAST",
        N_("write to everybody in the game; a line ENDBROADCAST ends your text"),
        send_broadcast,
        until=BROADCAST_ENDS,
    ),
    Command(
        "grey_press",
        ("GREY PRESS", "GRAY PRESS", "ANONYMOUS PRESS"),
        "names",
        Needs.CHAIR,
        "GREY PRESS TO ENGLAND",
        N_("as PRESS, without your name, where the game allows it"),
        send_press,
        until=PRESS_ENDS,
    ),
    Command(
        "grey_broadcast",
        ("GREY BROADCAST", "GRAY BROADCAST", "ANONYMOUS BROADCAST"),
        "",
        Needs.CHAIR,
        "GREY BROADCAST",
        N_("as BROADCAST, without your name, where the game allows it"),
        send_broadcast,
        until=BROADCAST_ENDS,
    ),
)
