"""What a seated player says beside orders: WAIT, READY, CLEAR, RESIGN, DRAW."""

from dataclasses import replace

from judge.host.blocks import ConfirmAsked, Deed, Done, DrawVoted, RefusalKind
from judge.host.commands.command import N_, Command, Needs
from judge.host.front import CommandLine
from judge.host.orders import take_lines
from judge.host.phases import end_game, tell_game_over
from judge.host.session import rulebook_of
from judge.host.sheets import due_of, timing_of
from judge.host.turn import Turn
from judge.store import Ending, GameRecord, Purpose, SeatRecord, Status


def _seat(turn: Turn, line: CommandLine) -> tuple[GameRecord, SeatRecord] | None:
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
    found = _seat(turn, line)
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
    """Forget the sheet; lines below it in the same letter are stored on the empty sheet."""
    if _seat(turn, line) is not None:
        turn.cleared = True


def resign(turn: Turn, _line: CommandLine) -> None:
    take_lines(turn)
    game = turn.game()
    assert game is not None
    turn.say(ConfirmAsked(turn.ref(game), "resign"))
    turn.ask(Purpose.RESIGN, {})


def draw(turn: Turn, line: CommandLine) -> None:
    """A vote that holds until it is withdrawn or the phase has run; the last one ends the game."""
    _vote(turn, line, votes=True)


def no_draw(turn: Turn, line: CommandLine) -> None:
    _vote(turn, line, votes=False)


def _vote(turn: Turn, line: CommandLine, *, votes: bool) -> None:
    found = _seat(turn, line)
    if found is None:
        return
    game, seat = found
    game = turn.session.put_game(game.with_seat(replace(seat, draw=votes)))
    voters = _voters(game)
    counted = sum(1 for one in voters if one.draw)
    turn.say(DrawVoted(turn.ref(game), votes, needed=len(voters), counted=counted))
    if voters and counted == len(voters):
        # Rulebook 2000: powers with a unit on the board share an agreed end.
        game = end_game(game, Ending.DRAW, tuple(one.id for one in voters))
        game = turn.session.put_game(game)
        tell_game_over(turn.session, game)


def _voters(game: GameRecord) -> list[SeatRecord]:
    """Held seats still in play: they agree on a draw, and share it."""
    assert game.state is not None
    survivors = rulebook_of(game).result(game.state).survivors
    return [seat for seat in game.seats if seat.player is not None and seat.id in survivors]


COMMANDS = (
    Command(
        "wait",
        (
            "WAIT",
            "SET WAIT",
            "기다림",
            "기다려 주세요",
            "等候",
            "請等候",
            "待って",
            "待ってください",
        ),
        "",
        Needs.SEAT,
        "WAIT",
        N_("the phase does not run before its deadline, even when all are complete"),
        wait,
    ),
    Command(
        "no_wait",
        ("NO WAIT", "SET NO WAIT", "기다리지 않음", "不等候", "待たない"),
        "",
        Needs.SEAT,
        "NO WAIT",
        N_("take back WAIT"),
        no_wait,
    ),
    Command(
        "ready",
        ("READY", "SET READY", "준비 완료", "準備完成", "準備完了"),
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
        ("CLEAR", "CLEAR ORDERS", "모두 지움", "全部清除", "すべて取消"),
        "",
        Needs.SEAT,
        "CLEAR",
        N_("forget all your orders of this phase"),
        clear,
    ),
    Command(
        "draw",
        ("DRAW", "SET DRAW", "VOTE DRAW"),
        "",
        Needs.SEAT,
        "DRAW",
        N_("vote for a draw; it ends the game when all players still in it vote so"),
        draw,
    ),
    Command(
        "no_draw",
        ("NO DRAW", "SET NO DRAW"),
        "",
        Needs.SEAT,
        "NO DRAW",
        N_("take back your vote for a draw"),
        no_draw,
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
