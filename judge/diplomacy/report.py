"""Makes the reports of a phase that ran: one for everybody, one for each seat.

Values only; the sentences are made elsewhere.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from judge.diplomacy.adjustments import adjustment_due
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.orders import PowerId, WrittenOrder, WrittenWaive
from judge.diplomacy.outcomes import Disbanded
from judge.diplomacy.position import Position
from judge.diplomacy.records import CenterChange, Joining, OwnReport, PhaseReport
from judge.diplomacy.sequence import Played
from judge.diplomacy.variants.variant import Variant

NOTHING: Mapping[PowerId, Sequence[WrittenOrder]] = {}


def phase_report(
    variant: Variant,
    before: Position,
    played: Played,
    *,
    disorder: Collection[PowerId] = (),
    unordered: Collection[PowerId] = (),
    joining: Joining | None = None,
    written: Mapping[PowerId, Sequence[WrittenOrder]] = NOTHING,
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
        waived=dict(_waived(variant, before, played)),
        idle=tuple(
            unit.location.province
            for unit in before.units
            if played.phase.kind is PhaseKind.MOVEMENT
            and (unit.power, unit.location.province) not in ordered
        ),
    )


def _waived(variant: Variant, before: Position, played: Played) -> Iterator[tuple[PowerId, int]]:
    """The powers that built less than was due, and by how many units."""
    for power in variant.powers if played.phase.kind is PhaseKind.ADJUSTMENT else ():
        built = len(played.after.units_of(power.id)) - len(before.units_of(power.id))
        left_out = adjustment_due(before, power).builds - built
        if left_out > 0:
            yield power.id, left_out


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
