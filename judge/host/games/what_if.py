"""WHAT IF: orders for all powers of a position, tried out, stored nowhere, seen by nobody else."""

from collections.abc import Sequence

from judge.host.letters.access import find_seat
from judge.host.letters.letter_context import LetterContext, Trial
from judge.host.messages.command_answers import PositionUnclear, TriedOut
from judge.host.messages.refusals import RefusalKind
from judge.rulebook import Problem, RandomStream, Seat, SeatId, Understood

NO_SEED = b"what if"  # what a game's own chance will bring stays its secret


def try_lines(context: LetterContext, trial: Trial, lines: Sequence[str]) -> None:
    """Resolve the phase with these lines, each below the name of its power or behind it; those
    above the first name are the reader's own seat's."""
    game, seats, limit = trial.game, trial.seats, context.work.config.order_lines
    if len(lines) > limit:
        unread = len(lines) - limit
        context.refuse(RefusalKind.TOO_MANY_LINES, limit=limit, unread=unread)
        lines = lines[:limit]
    if trial.position_in is not None:
        arranged = game.arranged(trial.position_in, lines)
        game, lines = arranged.game, arranged.others
        if arranged.problems:
            context.say(PositionUnclear(trial.ref, game.view(None), arranged.problems))
            return
    written, before = _by_seat(seats, lines, trial.ref.seat)
    context.unread += before
    understood: dict[SeatId, tuple[Understood, ...]] = {}
    problems: list[Problem] = []
    for seat, own in written.items():
        reading = game.read(seat, own)
        understood[seat] = tuple(one for one in reading.understood if not one.label)
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


def _by_seat(
    seats: tuple[Seat, ...], lines: Sequence[str], own: SeatId | None
) -> tuple[dict[SeatId, list[str]], list[str]]:
    """The lines of each seat, and those that belong to none."""
    found: dict[SeatId, list[str]] = {}
    homeless: list[str] = []
    seat = own
    for line in lines:
        head, colon, rest = line.replace("：", ":").partition(":")
        named = find_seat(seats, head) if len(head.strip()) > 1 else None
        if named is not None:
            seat = named.id
            line = rest.strip() if colon else ""
            found.setdefault(seat, [])
        if not line:
            continue
        if seat is None:
            homeless.append(line)
        else:
            found.setdefault(seat, []).append(line)
    return found, homeless
