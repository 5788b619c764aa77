"""One phase after another: what a phase leaves behind, who owns what, which phases are skipped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judge.diplomacy.adjustments import adjustment_due, resolve_adjustments
from judge.diplomacy.calendar import Phase, PhaseKind
from judge.diplomacy.movement import resolve_movement
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, WrittenOrder
from judge.diplomacy.outcome import Result, SetAside
from judge.diplomacy.position import Dislodged, Position
from judge.diplomacy.retreats import resolve_retreats
from judge.diplomacy.rules import Rules
from judge.diplomacy.variant import Variant

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
        winners: powers that have won by it.
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
    winners: tuple[PowerId, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units after the phase, without dislodged ones."""
        return self.after.units


def play(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId] = frozenset(),
) -> tuple[Played, ...]:
    """The phase of the position, and those after it in which nobody has a choice."""
    played = [play_phase(variant, rules, position, written, missing)]
    while not played[-1].winners and not has_choice(variant, played[-1].after):
        if _is_deserted(variant, played[-1].after):
            break  # nothing would ever happen again
        played.append(play_phase(variant, rules, played[-1].after, {}, missing))
    return tuple(played)


def play_phase(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId] = frozenset(),
) -> Played:
    """One phase, and nothing after it."""
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _play_movement(variant, rules, position, written, missing)
        case PhaseKind.RETREAT:
            return _play_retreats(variant, rules, position, written, missing)
        case PhaseKind.ADJUSTMENT:
            return _play_adjustments(variant, rules, position, written, missing)


def _play_movement(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
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
        winners=(),
    )


def _play_retreats(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
) -> Played:
    retreats = resolve_retreats(variant, rules, position, written, missing)
    is_count = variant.calendar.is_before_adjustment(position.phase)
    owners = (
        count_centers(variant, position.owners, retreats.units) if is_count else position.owners
    )
    after = Position(
        phase=variant.calendar.after(position.phase), units=retreats.units, owners=owners
    )
    return Played(
        phase=position.phase,
        results=retreats.results,
        set_aside=retreats.set_aside,
        dislodged=(),
        contested=(),
        before=position.owners,
        owners=owners,
        is_count=is_count,
        after=after,
        winners=winners(variant, owners) if is_count else (),
    )


def _play_adjustments(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
) -> Played:
    adjustments = resolve_adjustments(variant, rules, position, written, missing)
    after = replace(position, phase=variant.calendar.after(position.phase), units=adjustments.units)
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
        winners=(),
    )


def count_centers(
    variant: Variant, owners: Mapping[ProvinceId, PowerId], units: Sequence[Unit]
) -> Mapping[ProvinceId, PowerId]:
    """Owners after the fall retreats: whoever stands in a center owns it, the others stay whose
    they were. Rule: rulebook 2000, docs/rules.md 1.6."""
    centers = frozenset(variant.board.centers)
    taken = {
        unit.location.province: unit.power for unit in units if unit.location.province in centers
    }
    now = {**owners, **taken}
    return {center: now[center] for center in sorted(now)}


def winners(variant: Variant, owners: Mapping[ProvinceId, PowerId]) -> tuple[PowerId, ...]:
    """The power that owns enough centers; nobody if several have as many."""
    counts = dict.fromkeys(variant.power_ids, 0)
    for owner in owners.values():
        counts[owner] += 1
    counts |= {power.id: power.count(owners) for power in variant.powers if power.uncounted}
    most = max(counts.values())
    leaders = tuple(power for power, count in counts.items() if count == most)
    return leaders if most >= variant.victory_centers and len(leaders) == 1 else ()


def has_choice(variant: Variant, position: Position) -> bool:
    """Whether anybody has something to choose in the position's phase."""
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return bool(position.units)
        case PhaseKind.RETREAT:
            return any(one.retreats for one in position.dislodged)
        case PhaseKind.ADJUSTMENT:
            return any(_may_choose(variant, position, power) for power in variant.power_ids)


def _is_deserted(variant: Variant, position: Position) -> bool:
    """Whether no unit is left and nobody could ever build one."""
    if position.units or position.dislodged:
        return False
    return not any(adjustment_due(position, power).builds for power in variant.powers)


def _may_choose(variant: Variant, position: Position, power: PowerId) -> bool:
    due = adjustment_due(position, variant.power(power))
    return due.builds > 0 or 0 < due.disbands < len(position.units_of(power))
