"""A letter's orders beside one another: replaced ones, too many, and those that make no sense.

DATC 4.D.4, 4.D.6. Looks at no words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.diplomacy.language.found import Read, Taken, Untaken
from judge.diplomacy.language.notation import format_order
from judge.diplomacy.language.order_context import OrderContext, order_key, power_of
from judge.diplomacy.language.remarks import Noted, warnings
from judge.diplomacy.orders import (
    Disband,
    PowerId,
    Waive,
)
from judge.diplomacy.outcomes import VoidReason
from judge.diplomacy.records import (
    NoteKind,
    NoteValues,
    ProblemValues,
)
from judge.diplomacy.rules import ExcessBuilds, ExcessDisbands


def warned(context: OrderContext, found: Sequence[Read]) -> Iterator[Read]:
    """What was read, each order with the warnings that the whole sheet makes.

    A stored order that the letter has robbed of its sense is spoken of at the letter's order for
    the unit that it counts on, else at the last one.
    """
    taken = {order_key(read.order): read for read in found if isinstance(read, Taken)}
    kept = [order for order in context.stored if order_key(order) not in taken]
    orders = [*kept, *(read.order for read in taken.values())]
    shaken: dict[str, list[Noted]] = {key: [] for key in taken}
    said = {noted for read in taken.values() for noted in warnings(context, read.order, orders)}
    for order in kept if taken else ():
        known = said.union(warnings(context, order, context.stored))
        for noted in warnings(context, order, orders):
            unit = noted[1].unit
            key = unit.location.province if unit else ""
            if noted not in known:
                shaken[key if key in taken else next(reversed(taken))].append(noted)
    for read in found:
        if isinstance(read, Taken):
            more = (*warnings(context, read.order, orders), *shaken.pop(order_key(read.order), ()))
            read = replace(read, notes=tuple(dict.fromkeys((*read.notes, *more))))
        yield read


def without_replaced(found: Sequence[Read]) -> list[Read]:
    """Later orders in place of earlier ones for the same unit, with a note where they differ."""
    kept: list[Read] = []
    later: dict[str, int] = {}  # where the order of a key stands in `kept`
    for read in reversed(found):
        if not isinstance(read, Taken) or isinstance(read.order, Waive):
            kept.append(read)
            continue
        at = later.setdefault(order_key(read.order), len(kept))
        if at == len(kept):
            kept.append(read)
            continue
        winner = kept[at]
        assert isinstance(winner, Taken)
        is_noted = any(kind is NoteKind.REPLACED for kind, _ in winner.notes)
        if winner.order != read.order and not is_noted:
            note = (NoteKind.REPLACED, NoteValues(order=read.order, text=read.written))
            kept[at] = replace(winner, notes=(*winner.notes, note))
    return kept[::-1]


def without_excess(context: OrderContext, found: Sequence[Read]) -> list[Read]:
    """Builds, waives and removals beyond what is due as problems (DATC 4.D.4, 4.D.6)."""
    if not context.is_adjustment:
        return list(found)
    kept: list[Read] = []
    totals: dict[PowerId, int] = {}
    for read in found:
        if isinstance(read, Taken):
            power = power_of(read.order)
            totals[power] = totals.get(power, 0) + 1
    chosen = {power: _chosen_of(context, total, power) for power, total in totals.items()}
    counted = dict.fromkeys(totals, 0)
    for read in found:
        if isinstance(read, Taken):
            power = power_of(read.order)
            counted[power] += 1
            if counted[power] - 1 not in chosen[power]:
                read = _excess(context, read, _most(context, power))
        if not kept or read != kept[-1]:  # `waive 3` is one problem, not two
            kept.append(read)
    return kept


def _most(context: OrderContext, power: PowerId) -> int:
    """How many orders of a power are taken; nothing fits where neither kind is due."""
    due = context.dues(power)
    return due.disbands or due.builds


def _chosen_of(context: OrderContext, count: int, power: PowerId) -> range:
    """Which of a power's builds or removals in a letter are taken, by their places among them."""
    most, removes = _most(context, power), context.dues(power).disbands > 0
    is_last = (
        context.rules.excess_disbands is ExcessDisbands.LAST_LEGAL
        if removes
        else context.rules.excess_builds is ExcessBuilds.LAST_LEGAL
    )
    is_none = (
        context.rules.excess_disbands is ExcessDisbands.CIVIL_DISORDER
        if removes
        else context.rules.excess_builds is ExcessBuilds.ALL_INVALID
    )
    if count <= most:
        return range(count)
    if is_none:
        return range(0)
    return range(count - most, count) if is_last else range(most)


def _excess(context: OrderContext, read: Taken, most: int) -> Untaken:
    is_removal = isinstance(read.order, Disband)
    reason = VoidReason.NO_DISBAND_DUE if is_removal else VoidReason.NO_BUILD_DUE
    values = ProblemValues(
        word=read.written, order=format_order(read.order), label=context.label, count=most
    )
    return Untaken(read.number, read.written, 0, len(read.written), reason, values)
