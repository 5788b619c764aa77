"""A seat's lines on both sides of the seam: as orders on the board, and as the host keeps them."""

from collections.abc import Sequence

from judge import rulebook as seam
from judge.diplomacy.advance_orders import Heard, Later
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.order_context import (
    WAIVE_KEY,
    Noted,
    OrderContext,
    Said,
    Taken,
    Untaken,
    order_key,
    power_of,
)
from judge.diplomacy.notation import parse_order, stored_text
from judge.diplomacy.orders import AnyOrder, PowerId, Waive


def with_room(
    context: OrderContext, kept: Sequence[seam.Line], new: Sequence[seam.Line]
) -> list[seam.Line]:
    """The kept lines without those for which a power's new ones leave no room, oldest first."""
    powers: dict[str, PowerId] = {}
    for line in (*kept, *new):
        order = parse_order(line.text, context.variant)
        powers[line.key] = context.power if isinstance(order, Fault) else context.power_for(order)
    left: list[seam.Line] = []
    for power in context.powers:
        own = [line for line in kept if powers[line.key] == power]
        due = context.dues(power)
        room = max(due.builds, due.disbands) - sum(powers[line.key] == power for line in new)
        left += own[max(len(own) - max(room, 0), 0) :]
    return [line for line in kept if line in left]


def reading_of(context: OrderContext, found: Sequence[Heard]) -> seam.Reading:
    """What was read, in the seam's values; waives are numbered, so that each is a line."""
    understood: list[seam.Understood] = []
    problems: list[seam.Problem] = []
    prose: list[seam.Prose] = []
    later_waives = 0
    waived = dict.fromkeys(context.powers, 0)
    for read in found:
        notes = () if isinstance(read, Untaken | Said) else notes_of(read.notes)
        match read:
            case Taken(order=order):
                if isinstance(order, Waive):
                    waived[order.power] += 1
                line = line_of(context, order, read.written, waived.get(power_of(order), 0))
                understood.append(seam.Understood(read.number, line, notes))
            case Later(key=key):
                if key == WAIVE_KEY:
                    later_waives += 1
                    key = f"{key} {later_waives}"
                line = seam.Line(key, read.text, read.written)
                understood.append(seam.Understood(read.number, line, notes, str(read.phase)))
            case Untaken():
                proposals = tuple(line_of(context, order) for order in read.proposals)
                problems.append(problem_for_host(read, proposals))
            case Said():
                prose.append(seam.Prose(read.number, read.text))
    return seam.Reading(tuple(understood), tuple(problems), tuple(prose))


def notes_of(noted: Sequence[Noted]) -> tuple[seam.Note, ...]:
    return tuple(seam.Note(str(kind), values.to_raw()) for kind, values in noted)


def problem_for_host(read: Untaken, proposals: tuple[seam.Line, ...] = ()) -> seam.Problem:
    return seam.Problem(
        line_number=read.number,
        written=read.written,
        start=read.start,
        end=read.end,
        kind=str(read.kind),
        values=read.values.to_raw(),
        proposals=proposals,
        key=read.key,
    )


def line_of(context: OrderContext, order: AnyOrder, written: str = "", waive: int = 1) -> seam.Line:
    key = order_key(order)
    if isinstance(order, Waive):  # with a number, so that each is a line of its own
        key = f"{key} {order.power} {waive}" if context.partners else f"{key} {waive}"
    return seam.Line(key, stored_text(context, order), written)
