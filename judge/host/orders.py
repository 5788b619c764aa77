"""A letter's order lines: read by the rulebook, stored on the seat's sheet, answered as a whole."""

from collections.abc import Sequence

from msgspec.structs import replace

from judge.host.access import Role
from judge.host.advance_orders import aim_at, find_phase, sit_again, store_advance, take_advance
from judge.host.letter_context import LetterContext, as_json
from judge.host.messages import LateOrders, NotRead, OrdersAnswer, RefusalKind, StaleOrders
from judge.host.orders_due import due_of, orders_due, timing_of
from judge.host.unit_of_work import opened, ref_to
from judge.rulebook import Problem, Reading, Values
from judge.store import GameRecord, Purpose, SeatRecord, Status


def store_lines(context: LetterContext) -> None:
    """Read the lines gathered for the present chair, and empty them."""
    lines, context.lines = context.lines, []
    role, cleared = context.role, context.cleared
    context.cleared = False
    if not lines and not cleared:
        return
    if role is None:
        context.unread += lines
        return
    game = context.work.game(role.game)
    assert game is not None
    if role.seat is None or game.status is not Status.ACTIVE:
        context.unread += lines
        return
    lines, too_many = lines[: _limit(context)], len(lines) - _limit(context)
    if too_many > 0:
        context.refuse(RefusalKind.TOO_MANY_LINES, game, limit=_limit(context), unread=too_many)
    section: list[str] = []
    for line in lines:
        found = find_phase(game, line)
        if found is None:
            section.append(line)
            continue
        _take_section(context, role, section, cleared=cleared)
        named, behind = found
        section, cleared = [behind] if behind else [], False
        aim_at(context, game, line, named)
    _take_section(context, role, section, cleared=cleared)


def _take_section(
    context: LetterContext, role: Role, lines: Sequence[str], *, cleared: bool
) -> None:
    """Lines of one phase."""
    if not lines and not cleared:
        return
    if context.is_aimless:
        context.unread += lines
        return
    game = context.work.game(role.game)
    assert game is not None
    assert game.phase is not None
    if context.aim not in (None, game.phase.label):
        take_advance(context, game, role, lines, cleared=cleared)
    else:
        _take(context, game, role, lines, cleared=cleared)


def _take(
    context: LetterContext, game: GameRecord, role: Role, lines: Sequence[str], *, cleared: bool
) -> None:
    assert role.seat is not None
    assert game.phase is not None
    stored = () if cleared else game.order_set(role.seat)
    reading = opened(game).read(role.seat, lines, stored)
    context.unread += [prose.text for prose in reading.prose]
    if not reading.understood and not reading.problems and not cleared:
        return
    is_of_another = role.serial is not None and role.serial != game.phase.serial
    if is_of_another and context.aim is None:
        _refuse_stale(context, game, role, reading)
        return
    game = sit_again(context, game, role.seat)
    seat = game.seat(role.seat)
    reading = _without_later(context, game, seat, reading)
    game = context.work.game(role.game) or game
    if not reading.understood and not reading.problems and not cleared:
        return
    if timing_of(game).grace_until is not None and seat.id not in timing_of(game).late:
        context.say(LateOrders(ref_to(game, seat.id), _written(reading), in_grace=True))
    elif not orders_due(game, seat.id):
        context.refuse(
            RefusalKind.NOTHING_DUE, game, label=_label(game), lines=list(_written(reading))
        )
    else:
        _store(context, game, seat, reading, cleared=cleared)


def _without_later(
    context: LetterContext, game: GameRecord, seat: SeatRecord, reading: Reading
) -> Reading:
    """What the lines say for the phase that is due; what they say for later ones is stored."""
    later = [one for one in reading.understood if one.label]
    if later:
        store_advance(context, game, seat.id, later)
    return replace(reading, understood=tuple(one for one in reading.understood if not one.label))


def _label(game: GameRecord) -> str:
    return game.phase.label if game.phase else ""


def _limit(context: LetterContext) -> int:
    return context.work.config.order_lines


def _written(reading: Reading) -> tuple[str, ...]:
    """The order lines as they were written, in the order of the letter."""
    found = [(one.line_number, one.line.written or one.line.text) for one in reading.understood]
    found += [(one.line_number, one.written) for one in reading.problems]
    return tuple(text for _, text in sorted(found, key=lambda pair: pair[0]))


def _refuse_stale(context: LetterContext, game: GameRecord, role: Role, reading: Reading) -> None:
    """A reply to a letter of a phase that is over: nothing is stored, YES uses the lines now."""
    assert role.seat is not None
    lines = tuple(one.line for one in reading.understood)
    context.say(
        StaleOrders(
            game=ref_to(game, role.seat),
            view=opened(game).view(role.seat),
            label_then=role.label or "",
            lines=lines,
            problems=reading.problems,
            due=due_of(game, game.seat(role.seat), context.work.now),
        )
    )
    if lines:
        context.ask(Purpose.PROPOSALS, {"lines": as_json([line.text for line in lines])})


def _store(
    context: LetterContext, game: GameRecord, seat: SeatRecord, reading: Reading, *, cleared: bool
) -> None:
    work = context.work
    before = () if cleared else game.order_set(seat.id)
    lines = [one.line for one in reading.understood]
    order_set = opened(game).merge(seat.id, before, lines)
    seat = replace(seat, faulty=bool(reading.problems), sets=seat.sets + 1)
    timing = replace(timing_of(game), changed_at=work.now)
    game = replace(game.with_seat(seat).with_order_set(seat.id, order_set), timing=timing)
    game = work.put_game(game)
    context.advance_of(game, seat.id)
    context.say(
        OrdersAnswer(
            game=ref_to(game, seat.id),
            view=opened(game).view(seat.id),
            order_set=order_set,
            orders_due=orders_due(game, seat.id),
            understood=reading.understood,
            problems=reading.problems,
            due=due_of(game, seat, work.now),
            set_number=seat.sets,
            received_at=context.letter.received_at,
            receipt=work.tokens.receipt(game.name, seat.id),
            cleared=cleared,
        )
    )
    proposed = proposals_of(reading.problems)
    if proposed:
        context.ask(Purpose.PROPOSALS, proposed)


def proposals_of(problems: Sequence[Problem]) -> Values:
    """The payload that YES stores: every line with exactly one proposal; empty if there is none."""
    lines = [one.proposals[0].text for one in problems if len(one.proposals) == 1]
    return {"lines": as_json(lines)} if lines else {}


def say_unread(context: LetterContext) -> None:
    """Show what was taken neither as an order nor as a command."""
    if context.unread:
        context.say(NotRead(tuple(context.unread)))
