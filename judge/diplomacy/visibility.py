"""What a seat sees in a blind game: its own units and centers, and what stands beside them.

A power sees a province that one of its units stands in, that it owns, or that an army or a fleet
could reach from one of these in one step. All else is out of sight. Pure functions of a state or a
report and of the powers of a reader; a reader without powers sees nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy import outcomes
from judge.diplomacy.board import Board
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.notation import to_written_order
from judge.diplomacy.outcomes import Outcome, OutOfSight, Result, VoidReason
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import CenterChange, GameState, OwnReport, PhaseReport

Powers = Collection[o.PowerId]
NOWHERE = o.Location(o.HIDDEN)
# Why a move by sea failed, where the reason would tell of fleets out of sight.
_BY_SEA = (VoidReason.NO_CONVOY_POSSIBLE, VoidReason.VIA_IMPOSSIBLE)
# Why a support or convoy had no effect, likewise.
_OF_FLEETS = (
    VoidReason.SUPPORTED_CANNOT,
    VoidReason.SUPPORTED_NEEDS_THIS_FLEET,
    VoidReason.NOT_ON_ROUTE,
)


def seen_from(board: Board, provinces: Iterable[o.ProvinceId]) -> frozenset[o.ProvinceId]:
    """These provinces, and those that an army or a fleet could reach from them in one step."""
    return frozenset(seen for one in provinces for seen in (one, *board.touching.get(one, ())))


# --- positions ------------------------------------------------------------------------------------


def sight_of(board: Board, state: GameState, powers: Powers) -> frozenset[o.ProvinceId]:
    """The provinces that these powers see in a state."""
    units = (*state.units, *(each.unit for each in state.dislodged))
    return seen_from(board, _own_places(powers, units, state.owners))


def seen_state(board: Board, state: GameState, powers: Powers) -> GameState:
    """A state as these powers know it: the rest of the board is empty and nobody's.

    Where others can retreat to depends on provinces that may be out of sight: it is not told.
    """
    seen = sight_of(board, state, powers)
    return replace(
        state,
        units=tuple(unit for unit in state.units if unit.location.province in seen),
        owners={center: owner for center, owner in state.owners.items() if center in seen},
        dislodged=_seen_dislodged(state.dislodged, powers, seen),
        contested=tuple(one for one in state.contested if one in seen),
        quiet_years=0,
    )


def unseen_of(board: Board, seen: Collection[o.ProvinceId]) -> tuple[o.ProvinceId, ...]:
    """All other provinces, in order."""
    return tuple(one for one in board.provinces if one not in seen)


def _own_places(
    powers: Powers, units: Iterable[o.Unit], owners: Mapping[o.ProvinceId, o.PowerId]
) -> set[o.ProvinceId]:
    own = {unit.location.province for unit in units if unit.power in powers}
    return own | {center for center, owner in owners.items() if owner in powers}


def _seen_dislodged(
    dislodged: Sequence[Dislodged],
    powers: Powers,
    seen: Collection[o.ProvinceId],
    others_go: tuple[o.Location, ...] = (),
) -> tuple[Dislodged, ...]:
    """Own units with where they may go, others in sight with `others_go` in its place."""
    found = [each for each in dislodged if each.unit.location.province in seen]
    return tuple(
        replace(
            each,
            attacker_from=each.attacker_from if each.attacker_from in seen else o.HIDDEN,
            by_convoy=each.by_convoy and each.attacker_from in seen,
            retreats=each.retreats if each.unit.power in powers else others_go,
        )
        for each in found
    )


# --- reports --------------------------------------------------------------------------------------


def seen_report(board: Board, report: PhaseReport, powers: Powers) -> PhaseReport:
    """What these powers saw of a phase: their own orders, those of units that were in sight when it
    began, and what they see of the position after it."""
    owners_before = dict(report.owners)
    for change in report.changes:
        owners_before.pop(change.center, None)
        if change.before is not None:
            owners_before[change.center] = change.before
    after_units = [*report.units, *(each.unit for each in report.dislodged)]
    sight = _Sight(
        powers,
        seen_from(board, _own_places(powers, _units_before(report), owners_before)),
        seen_from(board, _own_places(powers, after_units, report.owners)),
    )
    seen, after = sight.before | sight.after, sight.after
    results = tuple(filter(None, (sight.result(one) for one in report.results)))
    own = _own_places(powers, (one.unit for one in results if one.unit is not None), {})
    return replace(
        report,
        results=results,
        units=tuple(unit for unit in report.units if unit.location.province in after),
        owners={center: owner for center, owner in report.owners.items() if center in after},
        disorder=tuple(one for one in report.disorder if one in powers),
        unordered=tuple(one for one in report.unordered if one in powers),
        dislodged=_seen_dislodged(report.dislodged, powers, seen, (NOWHERE,)),
        contested=tuple(one for one in report.contested if one in seen),
        changes=tuple(
            CenterChange(
                center=one.center,
                before=one.before if one.center in sight.before else None,
                after=one.after,
            )
            for one in report.changes
            # A power that loses a center is told who took it, though it may be out of sight now.
            if one.center in after or one.before in powers
        ),
        out=tuple(one for one in report.out if one in powers),
        quiet_years=0,
        waived={power: n for power, n in report.waived.items() if power in powers},
        idle=tuple(one for one in report.idle if one in own),
        unseen=unseen_of(board, after),
    )


def seen_own_report(seen: PhaseReport, own: OwnReport) -> OwnReport:
    """A seat's own part of a report that shows what its powers saw."""
    return replace(
        own,
        results=tuple(one for one in seen.results if one.power in own.powers),
        dislodged=tuple(one for one in seen.dislodged if one.unit.power in own.powers),
    )


def _units_before(report: PhaseReport) -> Iterable[o.Unit]:
    """The units that stood on the board when the phase of a report began."""
    told = [(one.unit, one) for one in report.results if one.unit is not None]
    if report.kind == PhaseKind.MOVEMENT:
        return [unit for unit, _ in told]
    arrived = {
        (one.order.target if isinstance(one.order, o.Retreat) else one.order.unit.location).province
        for _, one in told
        if isinstance(one.order, o.Retreat | o.Build) and one.succeeded
    }
    stood = [unit for unit in report.units if unit.location.province not in arrived]
    return (*stood, *(unit for unit, one in told if not isinstance(one.order, o.Build)))


class _Sight:
    """What the powers of a reader saw before a phase and after it, applied to its results."""

    def __init__(
        self, powers: Powers, before: frozenset[o.ProvinceId], after: frozenset[o.ProvinceId]
    ) -> None:
        self.powers, self.before, self.after = powers, before, after

    def result(self, result: Result) -> Result | None:
        """A result as it was seen; None if its unit was out of sight."""
        befell = list(map(self.outcome, result.outcomes))
        lost = [each for each in befell if isinstance(each, outcomes.DislodgedBy)]
        if result.power in self.powers:
            order, other = result.order, o.other_unit(result.order)
            if other is not None and not self._was_seen(other):
                # Only what the player knows of the line, not whether it matched anything.
                written = to_written_order(order)
                place = o.Location(other.location.province)
                named, part = o.WrittenUnit(place), "supported"
                if isinstance(written, o.WrittenConvoy):
                    named, part = o.WrittenUnit(place, o.ARMY), "convoyed"
                order = replace(written, **{part: named})
                return Result(result.power, order, (OutOfSight(), *lost), result.unit)
            voids = [each for each in befell if isinstance(each, outcomes.Void)]
            if any(each.reason in _OF_FLEETS for each in voids):
                befell = [OutOfSight(), *lost]
            return replace(result, outcomes=tuple(filter(None, befell)))
        if isinstance(result.order, o.Waive | o.WrittenWaive | o.Passage | o.WrittenPassage):
            return None
        seen = self.after if isinstance(result.order, o.Build) else self.before
        if result.order.unit.location.province not in seen:
            return None
        order = self.order(result.order)
        if o.is_obscured(order):
            # What became of it would tell of what is out of sight.
            kept = (outcomes.DislodgedBy, outcomes.Disbanded)
            befell = [each for each in befell if isinstance(each, kept)]
        return Result(result.power, order, tuple(filter(None, befell)), result.unit)

    def _was_seen(self, unit: o.Unit | o.WrittenUnit) -> bool:
        return unit.power in self.powers or unit.location.province in self.before

    def unit(self, unit: o.Unit) -> o.Unit:
        """The unit if it was seen, else one of nobody that stands nowhere."""
        return unit if self._was_seen(unit) else o.Unit(o.NOBODY, o.ARMY, NOWHERE)

    def place(self, place: o.Location) -> o.Location:
        return place if place.province in self.before | self.after else NOWHERE

    def order(self, order: o.AnyOrder | o.WrittenOrder) -> o.AnyOrder | o.WrittenOrder:
        """An order without what is out of sight; the targets of own orders are known."""
        if isinstance(order, o.Waive | o.WrittenWaive):
            return order
        changed: dict[str, object] = {"path": ()} if isinstance(order, o.WrittenMove) else {}
        for part in ("unit", "supported", "convoyed"):
            match getattr(order, part, None):
                case o.Unit() as unit:
                    changed[part] = self.unit(unit)
                case o.WrittenUnit() as named if not self._was_seen(named):
                    changed[part] = o.WrittenUnit(NOWHERE)
        target: o.Location | None = getattr(order, "target", None)
        if target is not None and order.unit.power not in self.powers:
            changed["target"] = self.place(target)
        return replace(order, **changed)

    def outcome(self, outcome: Outcome) -> Outcome | None:
        """What befell an order, without naming what was out of sight."""
        changed: dict[str, object] = {
            name: tuple(unit for unit in getattr(outcome, name) if self._was_seen(unit))
            for name in ("supporters", "opposing")
            if hasattr(outcome, name)
        }
        match outcome:
            case outcomes.Bounced(against=order) | outcomes.Halted(against=order):
                changed["against"] = self.order(order)
            case outcomes.Cut(by=by):
                changed["by"] = self.order(by)
            case outcomes.DislodgedBy(by=by, by_convoy=by_convoy):
                # Where it came from may be out of sight, though it stands in sight now.
                unit, target = self.unit(by.unit), by.target
                if o.is_hidden(unit) and target.province in self.after:
                    unit = o.Unit(by.unit.power, by.unit.kind, NOWHERE)
                if by.unit.power not in self.powers:
                    target = self.place(target)
                changed["by"] = o.Move(unit, target)
                changed["by_convoy"] = by_convoy and self._was_seen(by.unit)
            case outcomes.Void(reason=reason) if reason in _BY_SEA:
                return outcomes.NoConvoy()
            case outcomes.NoConvoy() | outcomes.Disrupted():
                return outcomes.NoConvoy()
            case outcomes.Void(unit=unit, order=done):
                changed = {"unit": unit and self.unit(unit), "order": done and self.order(done)}
            case outcomes.RetreatClash(others=others):
                changed["others"] = tuple(map(self.order, others))
            case outcomes.WithoutEffect(unit=unit) if not self._was_seen(unit):
                return None
        return replace(outcome, **changed)
