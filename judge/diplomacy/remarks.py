"""Remarks on a power's moves for somebody who learns the game: what could have been done better.

Values only; the sentences are made elsewhere. A remark is no rule: it never says what is best.
"""

from collections.abc import Iterator, Sequence

from judge.diplomacy import orders as o
from judge.diplomacy.board import Board
from judge.diplomacy.orders import PowerId, ProvinceId
from judge.diplomacy.outcomes import Bounced, BounceKind, Result, Void
from judge.diplomacy.position import Position
from judge.diplomacy.records import NoteKind, NoteValues

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
    found = [
        *_own_bounces(own),
        *_idle_supports(before, own, orders),
        *_idle_beside_centers(board, before, own, orders),
        *_unsupported(own),
    ]
    if not found and own and all(one.succeeded and not one.is_dislodged for one in own):
        found = [(NoteKind.ALL_SUCCEEDED, NoteValues())]
    return tuple(found[:MOST_REMARKS])


def _own_bounces(own: Sequence[Result]) -> Iterator[Remark]:
    """Two own units that wanted the same province; an own unit that stayed in the way."""
    told: set[ProvinceId] = set()
    for result in own:
        for one in result.outcomes:
            if not isinstance(one, Bounced) or not isinstance(result.order, o.Move):
                continue
            place = result.order.target
            is_own = one.against.unit.power == result.power
            if is_own and place.province not in told:
                told.add(place.province)
                kind = NoteKind.OWN_STANDOFF
                if one.kind is BounceKind.OWN_UNIT:
                    kind = NoteKind.OWN_UNIT_STAYED
                other = one.against.unit
                yield kind, NoteValues(unit=other, order=result.order, place=place)


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
        for way in board.ways(result.unit.kind, here):
            at = way.province
            is_free = at in board.centers and before.owners.get(at) is None
            if is_free and at not in wanted and before.unit_at(at) is None:
                yield NoteKind.IDLE_BESIDE_CENTER, NoteValues(unit=result.unit, place=way)
                break


def _unsupported(own: Sequence[Result]) -> Iterator[Remark]:
    """Moves that failed without any support against another power of the same strength."""
    for result in own:
        for one in result.outcomes:
            if (
                isinstance(one, Bounced)
                and isinstance(result.order, o.Move)
                and one.against.unit.power != result.power
                and one.strength == one.resistance == 1
            ):
                yield NoteKind.SUPPORT_MISSING, NoteValues(order=result.order)
