"""The reports of a phase that ran: one for everybody, one for each seat; and remarks for a learner.

Values only; the sentences are made elsewhere.
"""

from collections.abc import Collection, Iterator, Sequence

from judge.diplomacy import orders as o
from judge.diplomacy.adjustments import adjustment_due
from judge.diplomacy.board import Board
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.orders import OrdersByPower, PowerId, ProvinceId, WrittenOrder, WrittenWaive
from judge.diplomacy.outcomes import Bounced, BounceKind, Disbanded, Result, Void
from judge.diplomacy.position import Position
from judge.diplomacy.records import (
    CenterChange,
    Joining,
    NoteKind,
    NoteValues,
    OwnReport,
    PhaseReport,
)
from judge.diplomacy.sequence import Played
from judge.diplomacy.variants.variant import Variant


def phase_report(
    variant: Variant,
    before: Position,
    played: Played,
    *,
    disorder: Collection[PowerId],
    unordered: Collection[PowerId],
    joining: Joining | None,
    written: OrdersByPower,
) -> PhaseReport:
    """What happened in a phase, for everybody; `before` is the position that it began with."""
    powers, end = variant.power_ids, played.end
    ordered = {
        (power, one.unit.location.province)
        for power, lines in written.items()
        for one in lines
        if not isinstance(one, WrittenWaive)
    }
    alive = powers_in_play(variant, played.after)
    waived: dict[PowerId, int] = {}  # the powers that built less than was due, and how much less
    for power in variant.powers if played.phase.kind is PhaseKind.ADJUSTMENT else ():
        due = adjustment_due(before, power).builds  # none for a power that disbands
        built = len(played.after.units_of(power.id)) - len(before.units_of(power.id))
        if due > max(built, 0):
            waived[power.id] = due - max(built, 0)
    return PhaseReport(
        variant=variant.name,
        label=str(played.phase),
        kind=played.phase.kind,
        powers=powers,
        results=played.results,
        units=played.units,
        owners=played.owners,
        disorder=tuple(power for power in powers if power in disorder),
        unordered=tuple(power for power in powers if power in unordered),
        dislodged=played.dislodged,
        contested=played.contested,
        changes=tuple(
            CenterChange(center=center, before=played.before.get(center), after=owner)
            for center, owner in sorted(played.owners.items())
            if played.before.get(center) != owner
        ),
        is_count=played.is_count,
        out=tuple(power for power in powers_in_play(variant, before) if power not in alive),
        winners=end.winners if end else (),
        end=end.kind if end else None,
        is_draw=end is not None and end.is_draw,
        quiet_years=played.quiet_years if played.is_count else 0,
        quiet_limit=variant.ends.quiet_years,
        next_label=str(played.after.phase),
        unplayed=tuple(power for power in powers if power in variant.unplayed),
        joining=joining,
        waived=waived,
        idle=tuple(
            unit.location.province
            for unit in before.units
            if played.phase.kind is PhaseKind.MOVEMENT
            and (unit.power, unit.location.province) not in ordered
        ),
    )


def own_report(
    powers: tuple[PowerId, ...], played: Played, written: Sequence[WrittenOrder]
) -> OwnReport:
    """What happened in a phase to the powers of a seat, which had stored these orders."""
    results = tuple(result for result in played.results if result.power in powers)
    ordered = {one.unit.location.province for one in written if not isinstance(one, WrittenWaive)}
    return OwnReport(
        powers=powers,
        results=results,
        idle=tuple(
            each.unit.location.province
            for each in results
            if each.unit is not None and each.unit.location.province not in ordered
        ),
        ordered=sum(
            # Units without an order have a result too, and so have removals by rule.
            result.unit.location.province in ordered
            if result.unit is not None
            else not any(isinstance(each, Disbanded) for each in result.outcomes)
            for result in results
        ),
        set_aside=tuple(each for each in played.set_aside if each.power in powers),
        dislodged=tuple(each for each in played.dislodged if each.unit.power in powers),
    )


def powers_in_play(variant: Variant, position: Position) -> tuple[PowerId, ...]:
    """Powers that have a unit, a dislodged unit or a center, in order."""
    units = [*position.units, *(each.unit for each in position.dislodged)]
    alive = {unit.power for unit in units} | set(position.owners.values())
    return tuple(power for power in variant.power_ids if power in alive)


# --- remarks for a learner ------------------------------------------------------------------------


MOST_REMARKS = 3

Remark = tuple[NoteKind, NoteValues]
_ORDERS = o.Hold | o.Move | o.SupportHold | o.SupportMove | o.Convoy


def remarks_on(
    board: Board, before: Position, results: Sequence[Result], powers: Sequence[PowerId]
) -> tuple[Remark, ...]:
    """One to three remarks on these powers' movement orders, the most useful first.

    `results` are those of all units that stood in the position `before`.
    """
    own = [result for result in results if result.power in powers]
    orders = [result.order for result in results if isinstance(result.order, _ORDERS)]
    met_own: list[Remark] = []  # an own unit wanted the same province, or stayed in the way
    unsupported: list[Remark] = []  # a move that failed alone against one alone
    told: set[ProvinceId] = set()
    for result in own:
        for one in result.outcomes:
            if not isinstance(one, Bounced) or not isinstance(result.order, o.Move):
                continue
            place, other = result.order.target, one.against.unit
            is_own = other.power == result.power
            if not is_own and one.strength == one.resistance == 1:
                unsupported.append((NoteKind.SUPPORT_MISSING, NoteValues(order=result.order)))
            elif is_own and place.province not in told:
                told.add(place.province)
                stayed = one.kind is BounceKind.OWN_UNIT
                kind = NoteKind.OWN_UNIT_STAYED if stayed else NoteKind.OWN_STANDOFF
                met_own.append((kind, NoteValues(unit=other, order=result.order, place=place)))
    found = [
        *met_own,
        *_idle_supports(before, own, orders),
        *_idle_beside_centers(board, before, own, orders),
        *unsupported,
    ]
    if not found and own and all(one.succeeded and not one.is_dislodged for one in own):
        found = [(NoteKind.ALL_SUCCEEDED, NoteValues())]
    return tuple(found[:MOST_REMARKS])


def _idle_supports(
    before: Position, own: Sequence[Result], orders: Sequence[o.Order]
) -> Iterator[Remark]:
    """Supports that matched no order, and supports against nobody."""
    for result in own:
        order = result.order
        if not isinstance(order, o.SupportHold | o.SupportMove):
            continue
        if any(isinstance(one, Void) for one in result.outcomes):
            yield NoteKind.SUPPORT_UNMATCHED, NoteValues(unit=order.supported, order=order)
            continue
        goal = order.target if isinstance(order, o.SupportMove) else order.supported.location
        others = [
            one
            for one in orders
            if isinstance(one, o.Move)
            and one.target.province == goal.province
            and one.unit != order.supported
        ]
        stands = before.unit_at(goal.province) if isinstance(order, o.SupportMove) else None
        if not others and stands is None:
            yield NoteKind.SUPPORT_NOT_NEEDED, NoteValues(order=order, place=goal)


def _idle_beside_centers(
    board: Board, before: Position, own: Sequence[Result], orders: Sequence[o.Order]
) -> Iterator[Remark]:
    """Units that held beside a center that nobody owned and no own unit went to."""
    wanted = {one.target.province for one in orders if isinstance(one, o.Move)}
    for result in own:
        order = result.order
        if not isinstance(order, o.Hold) or result.is_dislodged or result.unit is None:
            continue
        here = result.unit.location
        if here.province in board.centers and before.owners.get(here.province) != result.power:
            continue  # holding a center when centers are counted takes it
        for way in board.adjacent_locations(result.unit.kind, here):
            at = way.province
            is_free = at in board.centers and before.owners.get(at) is None
            if is_free and at not in wanted and before.unit_at(at) is None:
                yield NoteKind.IDLE_BESIDE_CENTER, NoteValues(unit=result.unit, place=way)
                break
