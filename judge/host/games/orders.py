"""A letter's order lines: read by the rulebook, stored for their phase, answered as a whole.

What a phase is called, and for which phases lines can be stored, is the rulebook's business.
WHAT IF: orders for all powers of a position, tried out, stored nowhere, seen by nobody else.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from judge.host.games.absences import fill_seat
from judge.host.games.orders_due import deadline_of, orders_due, timing_of, waiting_seats
from judge.host.games.seat_names import find_seat
from judge.host.letters.letter_context import LetterContext, Trial
from judge.host.messages.command_answers import PositionUnclear, TriedOut
from judge.host.messages.game_events import SeatChanged, SeatEvent, StandbyEvent, StandbyNotice
from judge.host.messages.order_answers import (
    AdvanceAnswer,
    LateOrders,
    OrdersAnswer,
    OrdersShown,
    StaleOrders,
)
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import IfSilent
from judge.host.unit_of_work import opened, ref_to
from judge.rulebook import (
    AdvanceOrders,
    Line,
    NamedPhase,
    OrderSet,
    Problem,
    RandomStream,
    Reading,
    SeatId,
    Understood,
    When,
)
from judge.store import GameRecord, PlayerId, Purpose, SeatRecord, Status, Unordered

NO_SEED = b"what if"  # of WHAT IF: what a game's own chance will bring stays its secret


def store_lines(context: LetterContext) -> None:
    """Read and store the lines gathered for the present role, phase by phase, and empty them."""
    lines, context.lines = context.lines, []
    cleared, context.cleared = context.cleared, False
    if context.trial is not None:
        trial, context.trial = context.trial, None
        try_lines(context, trial, lines)
        return
    if not lines and not cleared:
        return
    role = context.role
    game = context.work.game(role.game) if role else None
    seat_id = role.seat or role.standby_for if role else None
    if game is None or game.status is not Status.ACTIVE or seat_id is None:
        context.unread += filter(None, lines)
        return
    most, blank = context.work.config.order_lines, lines.count("")
    limit = most + blank
    if len(lines) > limit:
        unread = len(lines) - limit
        context.refuse(RefusalKind.TOO_MANY_LINES, game, limit=most, unread=unread)
    section: list[str] = []
    for line in lines[:limit]:
        found = find_phase(game, line)
        if found is None:
            section.append(line)
            continue
        _store_section(context, game, seat_id, section, cleared=cleared)
        game, (named, rest) = context.role_game, found
        section, cleared = [rest] if rest else [], False
        aim_at_named_phase(context, game, line, named)
    _store_section(context, game, seat_id, section, cleared=cleared)


def _store_section(
    context: LetterContext,
    game: GameRecord,
    seat_id: SeatId,
    lines: Sequence[str],
    *,
    cleared: bool,
) -> None:
    """Read and store lines of one phase. `cleared`: what was stored for it before is forgotten."""
    if not lines and not cleared:
        return
    if context.is_aimless:
        context.unread += filter(None, lines)
        return
    role, running = context.own_role, game.running_phase
    if role.standby_for:  # their lines stand in place of the player's
        game = game.swap_standby_lines()
    label = "" if context.aim == running.label else context.aim or ""
    if label and cleared:
        game = forget_advance(context, game, seat_id, [label])
    if label:
        stored = game.advance_set(seat_id, label)
    else:
        stored = () if cleared else game.order_set(seat_id)
    reading = opened(game).read(seat_id, lines, stored, label)
    context.unread += [prose.text for prose in reading.prose]
    is_empty = not reading.understood and not reading.problems
    if is_empty and (label or not cleared):
        return
    if context.aim is None and role.serial not in (None, running.serial):
        _refuse_stale(context, game, seat_id, reading)
        return
    if (seat := game.seat(seat_id)).player is None and role.seat:
        game = sit_again(context, game, seat_id)
        seat = game.seat(seat_id)
    if label:
        problems = [(label, problem) for problem in reading.problems]
        context.advance_changes(game, seat_id).problems += problems
    later = [one for one in reading.understood if label or one.label]
    if later or label:
        game = store_advance(context, game, seat_id, later)
    if label:
        return
    now = tuple(one for one in reading.understood if not one.label)
    reading = replace(reading, understood=now)
    if not now and not reading.problems and not cleared:
        return

    # The order lines as they were written, in the order of the letter.
    found = [(one.line_number, one.line.written or one.line.text) for one in now]
    found += [(one.line_number, one.written) for one in reading.problems]
    written = [text for _, text in sorted(found, key=lambda pair: pair[0])]
    if not orders_due(game, seat.id):
        context.refuse(RefusalKind.NOTHING_DUE, game, label=running.label, lines=written)
    elif _is_too_late(context, game, seat):
        context.say(LateOrders(ref_to(game, seat.id), tuple(written)))
    else:
        before = () if cleared else game.order_set(seat.id)
        order_set = opened(game).merge(seat.id, before, [one.line for one in now])
        kept = {line.key for line in order_set}
        removed = tuple(line for line in before if line.key not in kept)
        _store_and_answer(context, game, seat, order_set, reading, cleared=cleared, removed=removed)


def _is_too_late(context: LetterContext, game: GameRecord, seat: SeatRecord) -> bool:
    """Whether the deadline has passed, and grace is for others alone."""
    is_over = timing_of(game).grace_until is not None
    in_grace = deadline_of(game, seat, context.work.now).in_grace
    return context.own_role.seat is not None and is_over and not in_grace


def store_instead(
    context: LetterContext,
    game: GameRecord,
    seat_id: SeatId,
    lines: Sequence[Line],
    *,
    written: str,
) -> None:
    """Store exactly these lines for the running phase, and answer with what was taken back;
    `written`: the command that asks for it."""
    if _is_too_late(context, game, game.seat(seat_id)):
        context.say(LateOrders(ref_to(game, seat_id), (written,)))
        return
    before = game.order_set(seat_id)
    order_set = tuple(
        replace(line, kept=any(line.text == one.text for one in before)) for line in lines
    )
    removed = tuple(one for one in before if one.text not in {line.text for line in lines})
    _store_and_answer(context, game, game.seat(seat_id), order_set, Reading(), removed=removed)


def _store_and_answer(
    context: LetterContext,
    game: GameRecord,
    seat: SeatRecord,
    order_set: OrderSet,
    reading: Reading,
    *,
    cleared: bool = False,
    removed: OrderSet = (),
) -> None:
    work, role = context.work, context.own_role
    is_by_master, is_standby = role.by_master, role.standby_for is not None
    lost_ready = False
    order_sets = {**game.order_sets, seat.id: order_set}
    if is_standby:  # whose lines change nothing about the player's, and show none of it
        due = replace(deadline_of(game, seat, work.now), early=None, if_silent=IfSilent.RULES)
        seat = SeatRecord(seat.id, None, "", sets=1)
        game = _put_game(context, replace(game, order_sets=order_sets))
    else:
        before = f"before {game.name} {seat.id} {game.phase_label}"
        context.before.setdefault(before, [line.text for line in game.order_set(seat.id)])
        # READY was said of the orders as they stood; in the letter that changes them it stands.
        lost_ready = seat.ready and (game.name, seat.id) not in context.ready_now
        seat = replace(
            seat,
            ready=seat.ready and not lost_ready,
            # What its master wrote wrongly holds nobody up.
            faulty=seat.faulty if is_by_master else bool(reading.problems),
            sets=seat.sets + 1,
        )
        timing = replace(timing_of(game), changed_at=work.now)
        game = work.put_game(replace(game.with_seat(seat), order_sets=order_sets, timing=timing))
        due = deadline_of(game, seat, work.now)
    if game.advance.get(seat.id):
        context.advance_changes(game, seat.id)
    context.messages.append(
        OrdersAnswer(
            game=ref_to(game, seat.id),
            view=opened(game).view(seat.id),
            order_set=order_set,
            orders_due=orders_due(game, seat.id),
            understood=reading.understood,
            problems=reading.problems,
            due=due,
            set_number=seat.sets,
            received_at=context.letter.received_at,
            receipt=work.tokens.receipt(game.name, seat.id),
            cleared=cleared,
            ready=seat.ready,
            wait=seat.wait and seat.id in waiting_seats(game),
            lost_ready=lost_ready,
            removed=removed,
            is_enough=bool(order_set) and game.settings.unordered is Unordered.COMPLETE,
            by_standby=is_standby,
        )
    )
    if is_standby:
        _explain_to_standby(context, game, seat.id)
    elif game.settings.open_orders:
        by, own = context.player.id if context.player else None, seat.id
        work.notify_everybody(
            game, "shown", lambda ref, _: [OrdersShown(ref, own, order_set)], without=by
        )
    proposed = [one.proposals[0].text for one in reading.problems if len(one.proposals) == 1]
    if proposed and not is_by_master:
        context.ask(Purpose.PROPOSALS, {"lines": proposed})


def _explain_to_standby(context: LetterContext, game: GameRecord, seat: SeatId) -> None:
    """To a standby: what the lines are good for; once, behind the last of them."""
    is_vacant = game.seat(seat).player is None
    event = StandbyEvent.STORED_VACANT if is_vacant else StandbyEvent.STORED
    told = StandbyNotice(ref_to(game, seat), seat, event)
    context.messages[:] = [*(one for one in context.messages if one != told), told]


def _refuse_stale(context: LetterContext, game: GameRecord, seat: SeatId, reading: Reading) -> None:
    """A reply to a letter of a phase that is over: nothing is stored, YES uses the lines now."""
    lines, is_by_master = tuple(one.line for one in reading.understood), context.own_role.by_master
    told = StaleOrders(
        game=ref_to(game, seat),
        view=opened(game).view(seat),
        label_then=context.own_role.label or "",
        lines=lines,
        problems=reading.problems,
        due=deadline_of(game, game.seat(seat), context.work.now),
        order_set=None if is_by_master else game.order_set(seat),
    )
    context.say(told)
    texts = [line.text for line in lines]
    if lines and is_by_master:  # a YES is the master's own
        context.ask(Purpose.PROPOSALS, {"acts": [f"ACT AS {seat}", *texts, "ACT AS MASTER"]})
    elif lines:
        context.ask(Purpose.PROPOSALS, {"lines": texts})


def sit_again(context: LetterContext, game: GameRecord, seat_id: SeatId) -> GameRecord:
    """The game with the sender in the vacant seat that was theirs, if orders have come for it."""
    seat, player = game.seat(seat_id), context.sender.player
    if seat.player is not None or (context.role and context.role.by_master):
        return game
    assert player is not None
    game = fill_seat(context.work, game, seat, PlayerId(player.id), seat.password_hash)
    context.retaken = SeatChanged(ref_to(game, seat_id), seat_id, SeatEvent.RETAKEN, player.name)
    return game


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


def aim_at_named_phase(
    context: LetterContext, game: GameRecord, written: str, named: NamedPhase | None
) -> None:
    """Lines that follow are for the phase named; where it cannot be, they are stored for none."""
    if named is None or named.when is When.UNKNOWN:
        nearest = list(named.nearest) if named else []
        context.refuse(RefusalKind.NO_PHASE, game, written=written, nearest=nearest)
    elif named.is_relative and context.is_of_another_phase(game):
        context.refuse(RefusalKind.NO_PHASE, game, written=written, nearest=[named.label])
    elif named.when is When.PAST:
        context.refuse(RefusalKind.PAST_PHASE, game, written=written, label=named.label)
    elif named.when is When.FAR:
        last = opened(game).coming[-1]
        context.refuse(RefusalKind.FAR_PHASE, game, written=written, label=named.label, last=last)
    else:
        context.aim, context.is_aimless = named.label, False
        return
    context.aim_at_no_phase()


# --- advance orders -------------------------------------------------------------------------------


def _put_game(context: LetterContext, game: GameRecord) -> GameRecord:
    """Keep a game, in which a standby's lines stand in place of players' if they write."""
    if context.role is not None and context.role.standby_for:
        return context.work.put_game(game.swap_standby_lines()).swap_standby_lines()
    return context.work.put_game(game)


def store_advance(
    context: LetterContext, game: GameRecord, seat: SeatId, understood: Sequence[Understood]
) -> GameRecord:
    """Store lines for the later phases that their labels name. A line takes the place of the one of
    its key, or comes last: lines may be preferences, whose order says which come first."""
    for one in understood:
        order_set, line = game.advance_set(seat, one.label), one.line
        if any(each.key == line.key for each in order_set):
            order_set = tuple(line if each.key == line.key else each for each in order_set)
        else:
            order_set = (*order_set, line)
        game = game.with_advance(seat, one.label, order_set)
    context.advance_changes(game, seat).understood += understood
    return _put_game(context, game)


def forget_advance(
    context: LetterContext,
    game: GameRecord,
    seat: SeatId,
    labels: Sequence[str],
    kept: OrderSet = (),
) -> GameRecord:
    """Forget what is stored for later phases, but for the lines that are kept."""
    for label in labels:
        game = game.with_advance(seat, label, kept)
    context.advance_changes(game, seat).cleared += labels
    return _put_game(context, game)


def stored_advance(game: GameRecord, seat: SeatId) -> tuple[AdvanceOrders, ...]:
    """What a seat has stored for later phases, in the order of the phases."""
    coming = opened(game).coming
    return tuple(sorted(game.advance_of(seat), key=lambda one: coming.index(one.label)))


def say_stored_advance(context: LetterContext) -> None:
    """Say what is stored for later phases, once all lines of the letter are read."""
    for (name, seat), changed in context.advance.items():
        game = context.work.game(name)
        if game is not None and changed.is_standby:
            game = game.swap_standby_lines()
        if game is None or game.state is None or (changed.is_idle and not game.advance_of(seat)):
            continue
        number = 1 if changed.is_standby else None
        if not changed.is_standby and not any(
            isinstance(one, OrdersAnswer) and (one.game.name, one.game.seat) == (name, seat)
            for one in context.messages
        ):
            record = replace(game.seat(seat), sets=game.seat(seat).sets + 1)
            game = context.work.put_game(game.with_seat(record))
            number = record.sets
        new = {(one.label, one.line.key) for one in changed.understood}
        order_sets = []
        for label, order_set in ((one.label, one.order_set) for one in stored_advance(game, seat)):
            lines = [replace(line, kept=(label, line.key) not in new) for line in order_set]
            order_sets.append(AdvanceOrders(label, tuple(lines)))
        message = AdvanceAnswer(
            game=ref_to(game, seat),
            view=opened(game).view(seat),
            order_sets=tuple(order_sets),
            understood=tuple(changed.understood),
            problems=tuple(replace(one, label=label) for label, one in changed.problems),
            cleared=tuple(dict.fromkeys(changed.cleared)),
            changed=not changed.is_idle,
            set_number=number,
            received_at=context.letter.received_at,
            receipt=context.work.tokens.receipt(name, seat),
        )
        context.say(message)
        if changed.is_standby:
            _explain_to_standby(context, game, seat)
        proposed = [
            text
            for label, problem in changed.problems
            if len(problem.proposals) == 1
            for text in (label, problem.proposals[0].text)
        ]
        if proposed:
            context.ask(Purpose.PROPOSALS, {"ahead": proposed})


def try_lines(context: LetterContext, trial: Trial, lines: Sequence[str]) -> None:
    """Resolve the phase with these lines, each below the name of its power or behind it; those
    above the first name are the reader's own seat's."""
    game, seats, limit = trial.game, trial.seats, context.work.config.order_lines
    if len(lines) > limit:
        unread = len(lines) - limit
        context.refuse(RefusalKind.TOO_MANY_LINES, limit=limit, unread=unread)
        lines = lines[:limit]
    if trial.position_in is not None:
        arranged = game.set_up_position(trial.position_in, lines)
        game, lines = arranged.game, arranged.others
        if arranged.problems:
            context.say(PositionUnclear(trial.ref, game.view(None), arranged.problems))
            return
    written: dict[SeatId, list[str]] = {}
    seat = trial.ref.seat
    for line in lines:
        head, colon, rest = line.replace("：", ":").partition(":")
        named = find_seat(seats, head) if len(head.strip()) > 1 else None
        if named is not None:
            seat = named.id
            line = rest.strip() if colon else ""
            written.setdefault(seat, [])
        if line and seat is None:
            context.unread.append(line)
        elif line and seat is not None:
            written.setdefault(seat, []).append(line)
    understood: dict[SeatId, tuple[Understood, ...]] = {}
    problems: list[Problem] = []
    for one, own in written.items():
        reading = game.read(one, own)
        understood[one] = tuple(line for line in reading.understood if not line.label)
        problems += reading.problems
        context.unread += [prose.text for prose in reading.prose]
    order_sets = {
        seat: game.merge(seat, (), [one.line for one in found])
        for seat, found in understood.items()
    }
    rng = RandomStream(NO_SEED, game.phase.serial)
    report = game.resolve(order_sets, frozenset(), rng).reports[0]
    count = sum(map(len, order_sets.values()))
    view = game.view(trial.ref.seat)
    context.say(TriedOut(trial.ref, view, report.public, count, tuple(problems)))
