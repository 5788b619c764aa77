"""One phase after another: what a phase leaves behind, who owns what, which phases are skipped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import structs

from judge.diplomacy.adjustments import adjustment_due, resolve_adjustments
from judge.diplomacy.calendar import Phase, PhaseKind
from judge.diplomacy.ending import end_after
from judge.diplomacy.ends import End
from judge.diplomacy.movement import resolve_movement
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, WrittenOrder
from judge.diplomacy.outcomes import Result, SetAside
from judge.diplomacy.position import Dislodged, Position
from judge.diplomacy.retreats import resolve_retreats
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import Variant

Written = Mapping[PowerId, Sequence[WrittenOrder]]


@dataclass(frozen=True, slots=True)
class Played:
    """A phase that ran.

    Attributes:
        phase: which.
        results: by power, armies before fleets, location.
        set_aside: lines that stood for no order.
        dislodged, contested: what a movement phase leaves for its retreats.
        before, owners: the owner of each owned center before and after the phase.
        is_count: whether centers were counted at its end.
        after: the position in which the next phase begins, skipped or not.
        quiet_years: for how many years no center has changed hands, up to its last count.
        end: what it ends the game with.
    """

    phase: Phase
    results: tuple[Result, ...]
    set_aside: tuple[SetAside, ...]
    dislodged: tuple[Dislodged, ...]
    contested: tuple[ProvinceId, ...]
    before: Mapping[ProvinceId, PowerId]
    owners: Mapping[ProvinceId, PowerId]
    is_count: bool
    after: Position
    quiet_years: int = 0
    end: End | None = None

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units after the phase, without dislodged ones."""
        return self.after.units

    @property
    def winners(self) -> tuple[PowerId, ...]:
        """Powers that have won by it; those of a draw have not."""
        return () if self.end is None or self.end.is_draw else self.end.winners


def play(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId] = frozenset(),
    quiet_years: int = 0,
) -> tuple[Played, ...]:
    """The phase of the position, and those after it in which nobody has a choice.

    Powers that nobody plays are in civil disorder for good, but for removals. `quiet_years` tells
    for how long no center has changed hands before it.
    """
    played = [play_phase(variant, rules, position, written, missing, quiet_years)]
    while not played[-1].end and not has_choice(variant, played[-1].after):
        if _is_deserted(variant, played[-1].after):
            break  # nothing would ever happen again
        last = played[-1]
        played.append(play_phase(variant, rules, last.after, {}, missing, last.quiet_years))
    return tuple(played)


def play_phase(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId] = frozenset(),
    quiet_years: int = 0,
) -> Played:
    """One phase, and nothing after it."""
    missing = missing | variant.unplayed
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _play_movement(variant, rules, position, written, missing, quiet_years)
        case PhaseKind.RETREAT:
            return _play_retreats(variant, rules, position, written, missing, quiet_years)
        case PhaseKind.ADJUSTMENT:
            return _play_adjustments(variant, rules, position, written, missing, quiet_years)


def _play_movement(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
    quiet_years: int,
) -> Played:
    movement = resolve_movement(variant, rules, position, written, missing)
    after = Position(
        phase=variant.calendar.after(position.phase),
        units=movement.units,
        owners=position.owners,
        dislodged=movement.dislodged,
        contested=movement.contested,
    )
    return Played(
        phase=position.phase,
        results=movement.results,
        set_aside=movement.set_aside,
        dislodged=movement.dislodged,
        contested=movement.contested,
        before=position.owners,
        owners=position.owners,
        is_count=False,
        after=after,
        quiet_years=quiet_years,
    )


def _play_retreats(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
    quiet_years: int,
) -> Played:
    retreats = resolve_retreats(variant, rules, position, written, missing)
    phase, owners, end = position.phase, position.owners, None
    is_count = variant.calendar.is_before_adjustment(phase)
    if is_count:
        owners = count_centers(variant, owners, retreats.units)
        is_quiet = owners == position.owners
        quiet_years = quiet_years + variant.calendar.cycle_years if is_quiet else 0
        end = end_after(variant, owners, retreats.units, year=phase.year, quiet_years=quiet_years)
    return Played(
        phase=phase,
        results=retreats.results,
        set_aside=retreats.set_aside,
        dislodged=(),
        contested=(),
        before=position.owners,
        owners=owners,
        is_count=is_count,
        after=Position(variant.calendar.after(phase), retreats.units, owners),
        quiet_years=quiet_years,
        end=end,
    )


def _play_adjustments(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
    quiet_years: int,
) -> Played:
    adjustments = resolve_adjustments(variant, rules, position, written, missing)
    after = structs.replace(
        position, phase=variant.calendar.after(position.phase), units=adjustments.units
    )
    return Played(
        phase=position.phase,
        results=adjustments.results,
        set_aside=adjustments.set_aside,
        dislodged=(),
        contested=(),
        before=position.owners,
        owners=position.owners,
        is_count=False,
        after=after,
        quiet_years=quiet_years,
    )


def count_centers(
    variant: Variant, owners: Mapping[ProvinceId, PowerId], units: Sequence[Unit]
) -> Mapping[ProvinceId, PowerId]:
    """Owners after the fall retreats: whoever stands in a center owns it, the others stay whose
    they were. Rule: rulebook 2000, docs/rules.md 1.6."""
    now, provinces = dict(owners), variant.board.provinces
    for unit in units:
        at = unit.location.province
        if provinces[at].is_center:
            now[at] = unit.power
    return {center: now[center] for center in sorted(now)}


def has_choice(variant: Variant, position: Position) -> bool:
    """Whether anybody has something to choose in the position's phase."""
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return any(unit.power not in variant.unplayed for unit in position.units)
        case PhaseKind.RETREAT:
            return any(
                one.retreats and one.unit.power not in variant.unplayed
                for one in position.dislodged
            )
        case PhaseKind.ADJUSTMENT:
            return any(_may_choose(variant, position, power) for power in variant.power_ids)


def _is_deserted(variant: Variant, position: Position) -> bool:
    """Whether no unit is left and nobody could ever build one."""
    standing = [*position.units, *(one.unit for one in position.dislodged)]
    if any(unit.power not in variant.unplayed for unit in standing):
        return False
    return not any(adjustment_due(position, power).builds for power in variant.powers)


def _may_choose(variant: Variant, position: Position, power: PowerId) -> bool:
    due = adjustment_due(position, variant.power(power))
    return due.builds > 0 or 0 < due.disbands < len(position.units_of(power))
