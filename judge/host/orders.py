"""A letter's order lines: read by the rulebook, stored on the seat's sheet, answered as a whole."""

from collections.abc import Sequence
from dataclasses import replace

from judge.host.access import Chair
from judge.host.ahead import aim_at, find_phase, sit_again, store_ahead, take_ahead
from judge.host.blocks import LateOrders, NotRead, OrdersAnswer, RefusalKind, StaleOrders
from judge.host.session import ref_to, rulebook_of
from judge.host.sheets import due_of, owed, timing_of
from judge.host.turn import Turn, as_json
from judge.rulebook import JsonObject, Problem, Reading
from judge.store import GameRecord, Purpose, SeatRecord, Status


def take_lines(turn: Turn) -> None:
    """Read the lines gathered for the present chair, and empty them."""
    lines, turn.lines = turn.lines, []
    chair, cleared = turn.chair, turn.cleared
    turn.cleared = False
    if not lines and not cleared:
        return
    if chair is None:
        turn.unread += lines
        return
    game = turn.session.game(chair.game)
    assert game is not None
    if chair.seat is None or game.status is not Status.ACTIVE:
        turn.unread += lines
        return
    lines, too_many = lines[: _limit(turn)], len(lines) - _limit(turn)
    if too_many > 0:
        turn.refuse(RefusalKind.TOO_MANY_LINES, game, limit=_limit(turn), unread=too_many)
    section: list[str] = []
    for line in lines:
        found = find_phase(game, line)
        if found is None:
            section.append(line)
            continue
        _take_section(turn, chair, section, cleared=cleared)
        named, behind = found
        section, cleared = [behind] if behind else [], False
        aim_at(turn, game, line, named)
    _take_section(turn, chair, section, cleared=cleared)


def _take_section(turn: Turn, chair: Chair, lines: Sequence[str], *, cleared: bool) -> None:
    """Lines of one phase."""
    if not lines and not cleared:
        return
    if turn.is_aimless:
        turn.unread += lines
        return
    game = turn.session.game(chair.game)
    assert game is not None
    assert game.phase is not None
    if turn.aim not in (None, game.phase.label):
        take_ahead(turn, game, chair, lines, cleared=cleared)
    else:
        _take(turn, game, chair, lines, cleared=cleared)


def _take(
    turn: Turn, game: GameRecord, chair: Chair, lines: Sequence[str], *, cleared: bool
) -> None:
    assert chair.seat is not None
    assert game.state is not None
    assert game.phase is not None
    stored = () if cleared else game.sheet(chair.seat)
    reading = rulebook_of(game).read(game.state, chair.seat, lines, stored)
    turn.unread += [chat.text for chat in reading.chat]
    if not reading.understood and not reading.problems and not cleared:
        return
    is_of_another = chair.serial is not None and chair.serial != game.phase.serial
    if is_of_another and turn.aim is None:
        _refuse_stale(turn, game, chair, reading)
        return
    game = sit_again(turn, game, chair.seat)
    seat = game.seat(chair.seat)
    reading = _without_later(turn, game, seat, reading)
    game = turn.session.game(chair.game) or game
    if not reading.understood and not reading.problems and not cleared:
        return
    if timing_of(game).grace_until is not None and seat.id not in timing_of(game).late:
        turn.say(LateOrders(ref_to(game, seat.id), _written(reading), in_grace=True))
    elif not owed(game, seat.id):
        turn.refuse(
            RefusalKind.NOTHING_DUE, game, label=_label(game), lines=list(_written(reading))
        )
    else:
        _store(turn, game, seat, reading, cleared=cleared)


def _without_later(turn: Turn, game: GameRecord, seat: SeatRecord, reading: Reading) -> Reading:
    """What the lines say for the phase that is due; what they say for later ones is stored."""
    later = [one for one in reading.understood if one.label]
    if later:
        store_ahead(turn, game, seat.id, later)
    return replace(reading, understood=tuple(one for one in reading.understood if not one.label))


def _label(game: GameRecord) -> str:
    return game.phase.label if game.phase else ""


def _limit(turn: Turn) -> int:
    return turn.session.house.order_lines


def _written(reading: Reading) -> tuple[str, ...]:
    """The order lines as they were written, in the order of the letter."""
    found = [(one.line_number, one.line.written or one.line.text) for one in reading.understood]
    found += [(one.line_number, one.written) for one in reading.problems]
    return tuple(text for _, text in sorted(found, key=lambda pair: pair[0]))


def _refuse_stale(turn: Turn, game: GameRecord, chair: Chair, reading: Reading) -> None:
    """A reply to a letter of a phase that is over: nothing is stored, YES uses the lines now."""
    assert chair.seat is not None
    assert game.state is not None
    lines = tuple(one.line for one in reading.understood)
    turn.say(
        StaleOrders(
            game=ref_to(game, chair.seat),
            view=rulebook_of(game).view(game.state, chair.seat),
            label_then=chair.label or "",
            lines=lines,
            problems=reading.problems,
            due=due_of(game, game.seat(chair.seat), turn.session.now),
        )
    )
    if lines:
        turn.ask(Purpose.PROPOSALS, {"lines": as_json([line.text for line in lines])})


def _store(
    turn: Turn, game: GameRecord, seat: SeatRecord, reading: Reading, *, cleared: bool
) -> None:
    assert game.state is not None
    session = turn.session
    before = () if cleared else game.sheet(seat.id)
    lines = [one.line for one in reading.understood]
    sheet = rulebook_of(game).merge(game.state, seat.id, before, lines)
    seat = replace(seat, faulty=bool(reading.problems), sets=seat.sets + 1)
    timing = replace(timing_of(game), changed_at=session.now)
    game = replace(game.with_seat(seat).with_sheet(seat.id, sheet), timing=timing)
    game = session.put_game(game)
    turn.ahead_of(game, seat.id)
    turn.say(
        OrdersAnswer(
            game=ref_to(game, seat.id),
            view=rulebook_of(game).view(game.state or {}, seat.id),
            sheet=sheet,
            owed=owed(game, seat.id),
            understood=reading.understood,
            problems=reading.problems,
            due=due_of(game, seat, session.now),
            set_number=seat.sets,
            received_at=turn.letter.received_at,
            receipt=session.tokens.receipt(game.name, seat.id),
            cleared=cleared,
        )
    )
    proposed = proposals_of(reading.problems)
    if proposed:
        turn.ask(Purpose.PROPOSALS, proposed)


def proposals_of(problems: Sequence[Problem]) -> JsonObject:
    """The payload that YES stores: every line with exactly one proposal; empty if there is none."""
    lines = [one.proposals[0].text for one in problems if len(one.proposals) == 1]
    return {"lines": as_json(lines)} if lines else {}


def say_unread(turn: Turn) -> None:
    """Show what was taken neither as an order nor as a command."""
    if turn.unread:
        turn.say(NotRead(tuple(turn.unread)))
