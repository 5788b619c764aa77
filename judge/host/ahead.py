"""Orders for later phases: which phase lines are for, what is stored, what becomes of it.

What a phase is called, and what can be stored for it, is the rulebook's business.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.host.absences import fill_seat
from judge.host.access import Chair
from judge.host.blocks import AheadOpened, OrdersAhead, OrdersAnswer, RefusalKind
from judge.host.session import ref_to, rulebook_of
from judge.host.sheets import owed
from judge.host.turn import Turn, as_json
from judge.rulebook import (
    Ahead,
    JsonObject,
    Line,
    NamedPhase,
    Problem,
    SeatId,
    Sheet,
    Understood,
    When,
)
from judge.store import GameRecord, PlayerId, Purpose

# --- which phase ----------------------------------------------------------------------------------


def find_phase(game: GameRecord, line: str) -> tuple[NamedPhase, str] | None:
    """The phase that a line names, as a heading above orders or before orders of its own, and what
    stands behind its name; None if it names none."""
    state, ask = game.state or {}, rulebook_of(game).phase_named
    if (named := ask(state, line)) is not None:
        return named, ""
    head, colon, rest = line.replace("：", ":").partition(":")
    if colon and (named := ask(state, head)) is not None:
        return named, rest.strip()
    head, _, rest = line.strip().partition(" ")
    if any(sign.isdigit() for sign in head) and (named := ask(state, head)) is not None:
        return named, rest.strip()
    return None


def seek_phase(game: GameRecord, written: str) -> tuple[NamedPhase | None, str]:
    """As `find_phase`, for a text that stands where only a phase can stand."""
    sought = rulebook_of(game).phase_named(game.state or {}, written, is_sought=True)
    if sought is None or sought.when is When.UNKNOWN:
        return find_phase(game, written) or (sought, "")
    return sought, ""


def aim_at(turn: Turn, game: GameRecord, written: str, named: NamedPhase | None) -> None:
    """Lines that follow are for the phase named; where it cannot be, they are stored for none."""
    if named is None or named.when is When.UNKNOWN:
        nearest = list(named.nearest) if named else []
        turn.refuse(RefusalKind.NO_PHASE, game, written=written, nearest=nearest)
    elif named.is_relative and _is_of_another_phase(turn, game):
        turn.refuse(RefusalKind.NO_PHASE, game, written=written, nearest=[named.label])
    elif named.when is When.PAST:
        turn.refuse(RefusalKind.PAST_PHASE, game, written=written, label=named.label)
    elif named.when is When.FAR:
        last = rulebook_of(game).coming(game.state or {})[-1]
        turn.refuse(RefusalKind.FAR_PHASE, game, written=written, label=named.label, last=last)
    else:
        turn.aim, turn.is_aimless = named.label, False
        return
    turn.lose_aim()


def _is_of_another_phase(turn: Turn, game: GameRecord) -> bool:
    """Whether the letter answers one of a phase that is over."""
    serial = turn.chair.serial if turn.chair else None
    return serial is not None and game.phase is not None and serial != game.phase.serial


# --- storing --------------------------------------------------------------------------------------


def sit_again(turn: Turn, game: GameRecord, seat_id: SeatId) -> GameRecord:
    """The game with the writer in his vacant seat, if orders of his have come for it."""
    seat, player = game.seat(seat_id), turn.visitor.player
    if seat.player is not None:
        return game
    assert player is not None
    return fill_seat(turn.session, game, seat, PlayerId(player.id), seat.password_hash)


def take_ahead(
    turn: Turn, game: GameRecord, chair: Chair, lines: Sequence[str], *, cleared: bool
) -> None:
    """Read lines for the later phase that was named, and store them."""
    assert chair.seat is not None
    assert turn.aim is not None
    if cleared:
        forget_ahead(turn, game, chair.seat, [turn.aim])
        game = turn.session.game(game.name) or game
    stored = game.sheet_ahead(chair.seat, turn.aim)
    rulebook = rulebook_of(game)
    reading = rulebook.read_ahead(game.state or {}, chair.seat, turn.aim, lines, stored)
    turn.unread += [chat.text for chat in reading.chat]
    if not reading.understood and not reading.problems:
        return
    game = sit_again(turn, game, chair.seat)
    work = turn.ahead_of(game, chair.seat)
    work.problems += [(turn.aim, problem) for problem in reading.problems]
    store_ahead(turn, game, chair.seat, reading.understood)


def store_ahead(
    turn: Turn, game: GameRecord, seat: SeatId, understood: Sequence[Understood]
) -> None:
    """Store lines for the later phases that their labels name."""
    for one in understood:
        sheet = amend(game.sheet_ahead(seat, one.label), one.line)
        game = game.with_ahead(seat, one.label, sheet)
    turn.ahead_of(game, seat).understood += understood
    turn.session.put_game(game)


def forget_ahead(turn: Turn, game: GameRecord, seat: SeatId, labels: Sequence[str]) -> None:
    """Forget what is stored for later phases."""
    for label in labels:
        game = game.with_ahead(seat, label, ())
    turn.ahead_of(game, seat).cleared += labels
    turn.session.put_game(game)


def amend(sheet: Sheet, line: Line) -> Sheet:
    """The sheet with a line in the place of the one of its key, or else at the end: lines may be
    wishes, whose order says which come first."""
    if any(one.key == line.key for one in sheet):
        return tuple(line if one.key == line.key else one for one in sheet)
    return (*sheet, line)


def stored_ahead(game: GameRecord, seat: SeatId) -> tuple[Ahead, ...]:
    """What a seat has stored for later phases, in the order of the phases."""
    coming = rulebook_of(game).coming(game.state or {})
    return tuple(sorted(game.ahead_of(seat), key=lambda one: coming.index(one.label)))


# --- answering ------------------------------------------------------------------------------------


def say_ahead(turn: Turn) -> None:
    """What is stored for later phases, once all lines of the letter are read."""
    for (name, seat), work in turn.ahead.items():
        game = turn.session.game(name)
        if game is None or game.state is None or (work.is_idle and not game.ahead_of(seat)):
            continue
        block = _answer(turn, game, seat)
        # What needs the player stands first, and in the subject; what is only listed comes last.
        turn.blocks.insert(0 if block.problems else len(turn.blocks), block)
        proposed = _proposals(work.problems)
        if proposed:
            turn.ask(Purpose.PROPOSALS, proposed)


def _answer(turn: Turn, game: GameRecord, seat: SeatId) -> OrdersAhead:
    work, session = turn.ahead[game.name, seat], turn.session
    number = None
    if not any(isinstance(one, OrdersAnswer) and _is_of(one, game, seat) for one in turn.blocks):
        record = replace(game.seat(seat), sets=game.seat(seat).sets + 1)
        game = session.put_game(game.with_seat(record))
        number = record.sets
    new = {(one.label, one.line.key) for one in work.understood}
    sheets = tuple(
        Ahead(
            one.label,
            tuple(replace(line, kept=(one.label, line.key) not in new) for line in one.sheet),
        )
        for one in stored_ahead(game, seat)
    )
    return OrdersAhead(
        game=ref_to(game, seat),
        view=rulebook_of(game).view(game.state or {}, seat),
        sheets=sheets,
        understood=tuple(work.understood),
        problems=tuple(problem for _, problem in work.problems),
        cleared=tuple(dict.fromkeys(work.cleared)),
        changed=not work.is_idle,
        set_number=number,
        received_at=turn.letter.received_at,
        receipt=session.tokens.receipt(game.name, seat),
    )


def _is_of(block: OrdersAnswer, game: GameRecord, seat: SeatId) -> bool:
    return (block.game.name, block.game.seat) == (game.name, seat)


def _proposals(problems: Sequence[tuple[str, Problem]]) -> JsonObject:
    """The payload that YES stores: each line below the label of its phase."""
    lines = [
        text
        for label, problem in problems
        if len(problem.proposals) == 1
        for text in (label, problem.proposals[0].text)
    ]
    return {"ahead": as_json(lines)} if lines else {}


# --- a phase opens --------------------------------------------------------------------------------


def open_ahead(game: GameRecord) -> tuple[GameRecord, Mapping[SeatId, AheadOpened]]:
    """The game, whose next phase has just opened, with the lines that were stored for it as its
    sheets, without those of phases that have been skipped; and what became of them, by seat."""
    opened: dict[SeatId, AheadOpened] = {}
    for seat in game.seats:
        if not game.ahead_of(seat.id):
            continue
        if seat.player is None:
            game = replace(game, ahead=_without(game, seat.id))
            continue
        game, told = _open_seat(game, seat.id)
        if told.sheet or told.problems or told.lapsed:
            opened[seat.id] = told
    return game, opened


def _open_seat(game: GameRecord, seat: SeatId) -> tuple[GameRecord, AheadOpened]:
    assert game.state is not None
    assert game.phase is not None
    rulebook, due = rulebook_of(game), owed(game, seat)
    coming = rulebook.coming(game.state)
    told = AheadOpened((), due)
    state, running = game.state, game.phase.label
    for ahead in game.ahead_of(seat):
        if ahead.label in coming[1:]:
            continue
        game = game.with_ahead(seat, ahead.label, ())
        if ahead.label != running or not due:
            told = replace(told, lapsed=(*told.lapsed, ahead))
            continue
        reading = rulebook.open_ahead(state, seat, ahead.sheet)
        sheet = tuple(one.line for one in reading.understood)[:due]
        game = game.with_sheet(seat, sheet)
        told = replace(told, sheet=sheet, problems=reading.problems)
    return game, told


def _without(game: GameRecord, seat: SeatId) -> Mapping[SeatId, tuple[Ahead, ...]]:
    return {one: stored for one, stored in game.ahead.items() if one != seat}
