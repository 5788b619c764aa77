"""What a seated player says beside orders: PHASE, WAIT, READY, CLEAR, RESIGN."""

from dataclasses import replace

from judge.host.ahead import aim_at, forget_ahead, seek_phase, stored_ahead
from judge.host.blocks import ConfirmAsked, Deed, Done, RefusalKind
from judge.host.commands.command import N_, Command, CommandLine, Needs
from judge.host.commands.local import every_phase
from judge.host.front import MOST_WORDS
from judge.host.orders import take_lines
from judge.host.session import rulebook_of
from judge.host.sheets import due_of, owed, timing_of
from judge.host.turn import Turn
from judge.rulebook import When
from judge.store import GameRecord, Purpose, SeatRecord, Status


def own_seat(turn: Turn, line: CommandLine) -> tuple[GameRecord, SeatRecord] | None:
    """The running game and the held seat of the chair; refuses where there is none."""
    take_lines(turn)  # orders above this line are stored before it counts
    game = turn.game()
    assert game is not None
    assert turn.chair is not None
    assert turn.chair.seat is not None
    if game.status is not Status.ACTIVE:
        turn.refuse(RefusalKind.NOT_RUNNING, game, status=game.status)
        return None
    chair = turn.chair
    if chair.serial is not None and game.phase is not None and chair.serial != game.phase.serial:
        turn.refuse(RefusalKind.PHASE_RAN, game, written=line.written, label=chair.label)
        return None
    return game, game.seat(chair.seat)  # type: ignore[arg-type]  # asserted above


def _set_flags(turn: Turn, line: CommandLine, deed: Deed, **flags: bool) -> None:
    found = own_seat(turn, line)
    if found is None:
        return
    game, seat = found
    seat = replace(seat, **flags)  # type: ignore[arg-type]  # flags are seat's own
    timing = replace(timing_of(game), changed_at=turn.session.now)
    game = turn.session.put_game(replace(game.with_seat(seat), timing=timing))
    turn.say(Done(turn.ref(game), deed, due_of(game, seat, turn.session.now)))


def wait(turn: Turn, line: CommandLine) -> None:
    _set_flags(turn, line, Deed.WAIT, wait=True)


def no_wait(turn: Turn, line: CommandLine) -> None:
    _set_flags(turn, line, Deed.NO_WAIT, wait=False)


def ready(turn: Turn, line: CommandLine) -> None:
    _set_flags(turn, line, Deed.READY, ready=True, faulty=False, wait=False)


def not_ready(turn: Turn, line: CommandLine) -> None:
    _set_flags(turn, line, Deed.NOT_READY, ready=False)


def clear(turn: Turn, line: CommandLine) -> None:
    """Forget the sheet of the phase that is named here, or above by PHASE, or else is due; lines
    below it in the same letter are stored on the empty sheet."""
    take_lines(turn)
    written = line.arguments.get("coming", "")
    if written:
        _clear_named(turn, line, written)
    elif turn.is_aimless:
        turn.unread.append(line.written)
    elif _is_later(turn) or own_seat(turn, line) is not None:
        turn.cleared = True


def _is_later(turn: Turn) -> bool:
    """Whether the lines of this letter are for a later phase by now."""
    game = turn.game()
    return turn.aim is not None and game is not None and not _is_due(game, turn.aim)


def _is_due(game: GameRecord, label: str) -> bool:
    return game.phase is not None and game.phase.label == label


def _clear_named(turn: Turn, line: CommandLine, written: str) -> None:
    """`CLEAR F1901M`, `CLEAR ALL`: lines below it are for the phase that they were for."""
    game, chair = turn.game(), turn.chair
    assert game is not None
    assert chair is not None
    assert chair.seat is not None
    if game.status is not Status.ACTIVE:
        turn.refuse(RefusalKind.NOT_RUNNING, game, status=game.status)
        return
    aim, is_aimless = turn.aim, turn.is_aimless
    if written.upper() in ("ALL", *every_phase()):
        labels = [ahead.label for ahead in stored_ahead(game, chair.seat)]
        forget_ahead(turn, game, chair.seat, labels)
        turn.aim, turn.is_aimless = None, False
        if owed(game, chair.seat):
            turn.cleared = own_seat(turn, line) is not None
            take_lines(turn)
    else:
        named = rulebook_of(game).phase_named(game.state or {}, written, is_sought=True)
        aim_at(turn, game, written, named)
        if turn.aim is not None and _is_due(game, turn.aim):
            turn.cleared = True
            take_lines(turn)
        elif turn.aim is not None:
            forget_ahead(turn, game, chair.seat, [turn.aim])
    turn.aim, turn.is_aimless = aim, is_aimless


def phase(turn: Turn, line: CommandLine) -> None:
    """`PHASE F1901M`: the lines below it are for that phase, up to the next PHASE."""
    take_lines(turn)
    game = turn.game()
    assert game is not None
    if game.status is not Status.ACTIVE:
        turn.refuse(RefusalKind.NOT_RUNNING, game, status=game.status)
        turn.lose_aim()
        return
    written = line.arguments["coming"]
    named, behind = seek_phase(game, written)
    is_said = line.written.split()[0].isupper() or len(line.written.split()) <= MOST_WORDS
    if (named is None or named.when is When.UNKNOWN) and not is_said:
        turn.lines.append(line.written)  # a sentence that begins with the word
        return
    aim_at(turn, game, written, named)
    turn.lines += [behind] if behind else []


def resign(turn: Turn, _line: CommandLine) -> None:
    take_lines(turn)
    game = turn.game()
    assert game is not None
    turn.say(ConfirmAsked(turn.ref(game), "resign"))
    turn.ask(Purpose.RESIGN, {})


COMMANDS = (
    Command(
        "wait",
        ("WAIT", "SET WAIT"),
        "",
        Needs.SEAT,
        "WAIT",
        N_("the phase does not run before its deadline, even when all are complete"),
        wait,
    ),
    Command(
        "no_wait",
        ("NO WAIT", "SET NO WAIT"),
        "",
        Needs.SEAT,
        "NO WAIT",
        N_("take back WAIT"),
        no_wait,
    ),
    Command(
        "ready",
        ("READY", "SET READY"),
        "",
        Needs.SEAT,
        "READY",
        N_("your orders are complete as they are; units without one hold"),
        ready,
    ),
    Command(
        "not_ready",
        ("NOT READY", "NO READY", "SET NOT READY", "SET NO READY"),
        "",
        Needs.SEAT,
        "NOT READY",
        N_("take back READY"),
        not_ready,
    ),
    Command(
        "clear",
        ("CLEAR", "CLEAR ORDERS"),
        "coming?",
        Needs.SEAT,
        "CLEAR",
        N_("forget all your orders of this phase, or of one that is named; CLEAR ALL: of all"),
        clear,
    ),
    Command(
        "for_phase",
        ("PHASE",),
        "coming",
        Needs.SEAT,
        "PHASE F1901M",
        N_("the orders below it are for that later phase, and wait until it opens"),
        phase,
    ),
    Command(
        "resign",
        ("RESIGN", "WITHDRAW"),
        "",
        Needs.SEAT,
        "RESIGN",
        N_("give your seat up; you are asked once more before it is done"),
        resign,
    ),
)
