"""Orders for later phases: which phase lines are for, what is stored, what becomes of it.

What a phase is called, and what can be stored for it, is the rulebook's business.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from judge.host.absences import fill_seat
from judge.host.access import Role
from judge.host.letter_context import LetterContext, as_json
from judge.host.messages import AdvanceAnswer, AdvanceOpened, OrdersAnswer, RefusalKind
from judge.host.orders_due import orders_due
from judge.host.unit_of_work import opened, ref_to
from judge.rulebook import (
    AdvanceOrders,
    Line,
    NamedPhase,
    OrderSet,
    Problem,
    SeatId,
    Understood,
    Values,
    When,
)
from judge.store import GameRecord, PlayerId, Purpose

# --- which phase ----------------------------------------------------------------------------------


def find_phase(game: GameRecord, line: str) -> tuple[NamedPhase, str] | None:
    """The phase that a line names, as a heading above orders or before orders of its own, and what
    stands behind its name; None if it names none."""
    ask = opened(game).phase_named
    if (named := ask(line)) is not None:
        return named, ""
    head, colon, rest = line.replace("：", ":").partition(":")
    if colon and (named := ask(head)) is not None:
        return named, rest.strip()
    head, _, rest = line.strip().partition(" ")
    if any(sign.isdigit() for sign in head) and (named := ask(head)) is not None:
        return named, rest.strip()
    return None


def seek_phase(game: GameRecord, written: str) -> tuple[NamedPhase | None, str]:
    """As `find_phase`, for a text that stands where only a phase can stand."""
    sought = opened(game).phase_named(written, is_sought=True)
    if sought is None or sought.when is When.UNKNOWN:
        return find_phase(game, written) or (sought, "")
    return sought, ""


def aim_at(
    context: LetterContext, game: GameRecord, written: str, named: NamedPhase | None
) -> None:
    """Lines that follow are for the phase named; where it cannot be, they are stored for none."""
    if named is None or named.when is When.UNKNOWN:
        nearest = list(named.nearest) if named else []
        context.refuse(RefusalKind.NO_PHASE, game, written=written, nearest=nearest)
    elif named.is_relative and _is_of_another_phase(context, game):
        context.refuse(RefusalKind.NO_PHASE, game, written=written, nearest=[named.label])
    elif named.when is When.PAST:
        context.refuse(RefusalKind.PAST_PHASE, game, written=written, label=named.label)
    elif named.when is When.FAR:
        last = opened(game).coming[-1]
        context.refuse(RefusalKind.FAR_PHASE, game, written=written, label=named.label, last=last)
    else:
        context.aim, context.is_aimless = named.label, False
        return
    context.lose_aim()


def _is_of_another_phase(context: LetterContext, game: GameRecord) -> bool:
    """Whether the letter answers one of a phase that is over."""
    serial = context.role.serial if context.role else None
    return serial is not None and game.phase is not None and serial != game.phase.serial


# --- storing --------------------------------------------------------------------------------------


def sit_again(context: LetterContext, game: GameRecord, seat_id: SeatId) -> GameRecord:
    """The game with the writer in his vacant seat, if orders of his have come for it."""
    seat, player = game.seat(seat_id), context.sender.player
    if seat.player is not None:
        return game
    assert player is not None
    return fill_seat(context.work, game, seat, PlayerId(player.id), seat.password_hash)


def take_advance(
    context: LetterContext, game: GameRecord, role: Role, lines: Sequence[str], *, cleared: bool
) -> None:
    """Read lines for the later phase that was named, and store them."""
    assert role.seat is not None
    assert context.aim is not None
    if cleared:
        forget_advance(context, game, role.seat, [context.aim])
        game = context.work.game(game.name) or game
    stored = game.advance_set(role.seat, context.aim)
    reading = opened(game).read(role.seat, lines, stored, context.aim)
    context.unread += [prose.text for prose in reading.prose]
    if not reading.understood and not reading.problems:
        return
    game = sit_again(context, game, role.seat)
    changed = context.advance_of(game, role.seat)
    changed.problems += [(context.aim, problem) for problem in reading.problems]
    store_advance(context, game, role.seat, reading.understood)


def store_advance(
    context: LetterContext, game: GameRecord, seat: SeatId, understood: Sequence[Understood]
) -> None:
    """Store lines for the later phases that their labels name."""
    for one in understood:
        order_set = amend(game.advance_set(seat, one.label), one.line)
        game = game.with_advance(seat, one.label, order_set)
    context.advance_of(game, seat).understood += understood
    context.work.put_game(game)


def forget_advance(
    context: LetterContext, game: GameRecord, seat: SeatId, labels: Sequence[str]
) -> None:
    """Forget what is stored for later phases."""
    for label in labels:
        game = game.with_advance(seat, label, ())
    context.advance_of(game, seat).cleared += labels
    context.work.put_game(game)


def amend(order_set: OrderSet, line: Line) -> OrderSet:
    """The sheet with a line in the place of the one of its key, or else at the end: lines may be
    wishes, whose order says which come first."""
    if any(one.key == line.key for one in order_set):
        return tuple(line if one.key == line.key else one for one in order_set)
    return (*order_set, line)


def stored_advance(game: GameRecord, seat: SeatId) -> tuple[AdvanceOrders, ...]:
    """What a seat has stored for later phases, in the order of the phases."""
    coming = opened(game).coming
    return tuple(sorted(game.advance_of(seat), key=lambda one: coming.index(one.label)))


# --- answering ------------------------------------------------------------------------------------


def answer_advance(context: LetterContext) -> None:
    """What is stored for later phases, once all lines of the letter are read."""
    for (name, seat), changed in context.advance.items():
        game = context.work.game(name)
        if game is None or game.state is None or (changed.is_idle and not game.advance_of(seat)):
            continue
        message = _answer(context, game, seat)
        # What needs the player stands first, and in the subject; what is only listed comes last.
        context.messages.insert(0 if message.problems else len(context.messages), message)
        proposed = _proposals(changed.problems)
        if proposed:
            context.ask(Purpose.PROPOSALS, proposed)


def _answer(context: LetterContext, game: GameRecord, seat: SeatId) -> AdvanceAnswer:
    changed, work = context.advance[game.name, seat], context.work
    number = None
    if not any(
        isinstance(one, OrdersAnswer) and _is_of(one, game, seat) for one in context.messages
    ):
        record = replace(game.seat(seat), sets=game.seat(seat).sets + 1)
        game = work.put_game(game.with_seat(record))
        number = record.sets
    new = {(one.label, one.line.key) for one in changed.understood}
    order_sets = tuple(
        AdvanceOrders(
            one.label,
            tuple(replace(line, kept=(one.label, line.key) not in new) for line in one.order_set),
        )
        for one in stored_advance(game, seat)
    )
    return AdvanceAnswer(
        game=ref_to(game, seat),
        view=opened(game).view(seat),
        order_sets=order_sets,
        understood=tuple(changed.understood),
        problems=tuple(problem for _, problem in changed.problems),
        cleared=tuple(dict.fromkeys(changed.cleared)),
        changed=not changed.is_idle,
        set_number=number,
        received_at=context.letter.received_at,
        receipt=work.tokens.receipt(game.name, seat),
    )


def _is_of(message: OrdersAnswer, game: GameRecord, seat: SeatId) -> bool:
    return (message.game.name, message.game.seat) == (game.name, seat)


def _proposals(problems: Sequence[tuple[str, Problem]]) -> Values:
    """The payload that YES stores: each line below the label of its phase."""
    lines = [
        text
        for label, problem in problems
        if len(problem.proposals) == 1
        for text in (label, problem.proposals[0].text)
    ]
    return {"ahead": as_json(lines)} if lines else {}


# --- a phase opens --------------------------------------------------------------------------------


def open_advance(game: GameRecord) -> tuple[GameRecord, Mapping[SeatId, AdvanceOpened]]:
    """The game, whose next phase has just opened, with the lines that were stored for it as its
    sheets, without those of phases that have been skipped; and what became of them, by seat."""
    opened: dict[SeatId, AdvanceOpened] = {}
    for seat in game.seats:
        if not game.advance_of(seat.id):
            continue
        if seat.player is None:
            game = replace(game, advance=_without(game, seat.id))
            continue
        game, told = _open_seat(game, seat.id)
        if told.order_set or told.problems or told.lapsed:
            opened[seat.id] = told
    return game, opened


def _open_seat(game: GameRecord, seat: SeatId) -> tuple[GameRecord, AdvanceOpened]:
    assert game.phase is not None
    now, due = opened(game), orders_due(game, seat)
    told = AdvanceOpened((), due)
    running = game.phase.label
    for advance in game.advance_of(seat):
        if advance.label in now.coming[1:]:
            continue
        game = game.with_advance(seat, advance.label, ())
        if advance.label != running or not due:
            told = replace(told, lapsed=(*told.lapsed, advance))
            continue
        reading = now.open_advance(seat, advance.order_set)
        order_set = tuple(one.line for one in reading.understood)[:due]
        game = game.with_order_set(seat, order_set)
        told = replace(told, order_set=order_set, problems=reading.problems)
    return game, told


def _without(game: GameRecord, seat: SeatId) -> Mapping[SeatId, tuple[AdvanceOrders, ...]]:
    return {one: stored for one, stored in game.advance.items() if one != seat}
