"""Makes the reports of a phase that ran: one for everybody, one for each seat.

Values only; the sentences are made elsewhere.
"""

from collections.abc import Iterable, Mapping, Sequence

from judge.diplomacy.orders import PowerId, ProvinceId, Unit, WrittenOrder, WrittenWaive
from judge.diplomacy.outcomes import Disbanded, Result
from judge.diplomacy.position import Position
from judge.diplomacy.records import CenterChange, Joining, OwnReport, PhaseReport
from judge.diplomacy.sequence import Played
from judge.diplomacy.variants.variant import Variant

Written = Mapping[PowerId, Sequence[WrittenOrder]]


def phase_report(
    variant: Variant,
    before: Position,
    played: Played,
    *,
    disorder: Iterable[PowerId] = (),
    unordered: Iterable[PowerId] = (),
    joining: Joining | None = None,
) -> PhaseReport:
    """What happened in a phase, for everybody; `before` is the position that it began with."""
    return PhaseReport(
        variant=variant.name,
        label=str(played.phase),
        kind=played.phase.kind,
        powers=variant.power_ids,
        results=played.results,
        units=played.units,
        owners=played.owners,
        disorder=_in_order(variant, disorder),
        unordered=_in_order(variant, unordered),
        dislodged=played.dislodged,
        contested=played.contested,
        changes=_changes(played),
        is_count=played.is_count,
        out=_fallen(variant, before, played.after),
        winners=played.end.winners if played.end else (),
        end=played.end.kind if played.end else None,
        is_draw=played.end is not None and played.end.is_draw,
        quiet_years=played.quiet_years if played.is_count else 0,
        quiet_limit=variant.ends.quiet_years,
        next_label=str(played.after.phase),
        unplayed=_in_order(variant, variant.unplayed),
        joining=joining,
    )


def own_report(
    powers: tuple[PowerId, ...], played: Played, written: Sequence[WrittenOrder]
) -> OwnReport:
    """What happened in a phase to the powers of a seat, which had stored these orders."""
    results = tuple(result for result in played.results if result.power in powers)
    provinces = {
        order.unit.location.province for order in written if not isinstance(order, WrittenWaive)
    }
    return OwnReport(
        powers=powers,
        results=results,
        ordered=sum(_was_ordered(result, provinces) for result in results),
        set_aside=tuple(each for each in played.set_aside if each.power in powers),
        dislodged=tuple(each for each in played.dislodged if each.unit.power in powers),
    )


def _was_ordered(result: Result, provinces: set[ProvinceId]) -> bool:
    """Whether the power said so itself: units without an order have a result too."""
    if result.unit is not None:
        return result.unit.location.province in provinces
    return not any(isinstance(each, Disbanded) for each in result.outcomes)


def powers_in_play(variant: Variant, position: Position) -> tuple[PowerId, ...]:
    """Powers that have a unit, a dislodged unit or a center, in order."""
    units: list[Unit] = [*position.units, *(each.unit for each in position.dislodged)]
    alive = {unit.power for unit in units} | set(position.owners.values())
    return tuple(power for power in variant.power_ids if power in alive)


def _in_order(variant: Variant, powers: Iterable[PowerId]) -> tuple[PowerId, ...]:
    chosen = frozenset(powers)
    return tuple(power for power in variant.power_ids if power in chosen)


def _changes(played: Played) -> tuple[CenterChange, ...]:
    return tuple(
        CenterChange(center=center, before=played.before.get(center), after=owner)
        for center, owner in sorted(played.owners.items())
        if played.before.get(center) != owner
    )


def _fallen(variant: Variant, before: Position, after: Position) -> tuple[PowerId, ...]:
    alive = powers_in_play(variant, after)
    return tuple(power for power in powers_in_play(variant, before) if power not in alive)
