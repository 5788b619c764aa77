"""A canal: fleets pass between two seas as long as a unit stays beside it, others by its leave.

Rule: Colonial rulebook (seed 004) 9.3; what it leaves open is decided in docs/rules.md. A passage
is an ordinary move that hangs on the unit at the canal as a convoyed one hangs on its fleets.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from judge.diplomacy.battle import Battle
from judge.diplomacy.hooks import Contest, Fight
from judge.diplomacy.orders import (
    Location,
    Move,
    Passage,
    PowerId,
    ProvinceId,
    Ride,
    Unit,
    UnitKind,
    WrittenOrder,
    WrittenPassage,
)
from judge.diplomacy.outcomes import (
    Disrupted,
    DisruptionKind,
    NoConvoy,
    Outcome,
    Result,
    Void,
    VoidReason,
)


@dataclass(frozen=True, slots=True)
class Canal:
    """The province from which the canal is kept, and the two seas it joins."""

    keeper: ProvinceId
    ends: tuple[ProvinceId, ProvinceId]

    # --- writing -------------------------------------------------------------------------------

    def order(
        self, units: Mapping[ProvinceId, Unit], written: WrittenOrder, power: PowerId
    ) -> Ride | Passage | Void | None:
        """Leave for a fleet to pass, or the rule it breaks (9.31, 9.34)."""
        if not isinstance(written, WrittenPassage):
            return None
        keeper = units.get(self.keeper)
        if keeper is None or keeper.power != power:
            return Void(VoidReason.NO_CANAL_UNIT, illegal=True, unit=keeper)
        fleet = units.get(written.unit.location.province)
        if fleet is None or not self._joins(fleet, written.target.province):
            return Void(VoidReason.NOT_AT_CANAL, illegal=True, unit=fleet)
        if written.unit.power not in (None, fleet.power):
            return Void(VoidReason.OTHERS_FLEET, illegal=True, unit=fleet)
        return Passage(power, fleet, Location(written.target.province))

    def way(
        self,
        units: Mapping[ProvinceId, Unit],
        unit: Unit,
        target: ProvinceId,
        *,
        is_supported: bool = False,  # noqa: ARG002
    ) -> Location | None:
        """Through the canal, if somebody is there to keep it open."""
        is_open = self.keeper in units and self._joins(unit, target)
        return Location(target) if is_open else None

    def _joins(self, fleet: Unit, target: ProvinceId) -> bool:
        origin = fleet.location.province
        return fleet.kind is UnitKind.FLEET and {origin, target} == set(self.ends)

    # --- fighting ------------------------------------------------------------------------------

    def fight(self, contest: Contest, go_on: Fight) -> Battle:
        """The battle with the passages that may be made: one's own, and those with leave."""
        passages, stuck = dict(contest.specials.passages), set(contest.specials.stuck)
        for at in self._passing(contest):
            if self._may_pass(contest, at):
                passages[at] = self.keeper
            else:
                stuck.add(at)
        specials = dataclasses.replace(contest.specials, passages=passages, stuck=frozenset(stuck))
        return go_on(dataclasses.replace(contest, specials=specials))

    def _passing(self, contest: Contest) -> list[ProvinceId]:
        if self.keeper not in contest.orders:
            return []  # an order that breaks the rules and counts as a move (DATC 4.E.1)
        return [
            at
            for at in self.ends
            if isinstance(order := contest.orders.get(at), Move)
            and self._joins(order.unit, order.target.province)
        ]

    def _may_pass(self, contest: Contest, at: ProvinceId) -> bool:
        fleet, keeper = contest.orders[at].unit, contest.orders[self.keeper].unit
        has_leave = any(leave.unit == fleet for leave in contest.leaves)
        return fleet.power == keeper.power or has_leave

    # --- what became of it ---------------------------------------------------------------------

    def results(
        self, contest: Contest, battle: Battle, results: Sequence[Result]
    ) -> tuple[Result, ...]:
        """The results with why passages failed, and what became of each leave."""
        passing = self._passing(contest)
        told: list[Result] = []
        for index, result in enumerate(results):
            at = result.unit.location.province if result.unit is not None else None
            if at is not None and at in passing:
                outcomes = tuple(self._outcome(one, contest, battle, at) for one in result.outcomes)
                result = replace(result, outcomes=outcomes)
            told.append(result)
            if index + 1 == len(results) or results[index + 1].power != result.power:
                told += self._leaves(contest, result.power)
        return tuple(told)

    def _outcome(
        self, outcome: Outcome, contest: Contest, battle: Battle, at: ProvinceId
    ) -> Outcome:
        """The canal's own reasons, where a move by sea would have lacked its convoy."""
        if not isinstance(outcome, NoConvoy):
            return outcome
        keeper = battle.orders[self.keeper].unit
        if not self._may_pass(contest, at):
            return Void(VoidReason.NO_PERMISSION, illegal=False, unit=keeper)
        origin = battle.dislodger(self.keeper)
        if origin is not None:
            return Disrupted(DisruptionKind.DISLODGED, (keeper,), (battle.moves[origin],))
        left = battle.moves[self.keeper]
        return Disrupted(DisruptionKind.CANAL_UNIT_LEFT, (keeper,), (left,))

    def _leaves(self, contest: Contest, power: PowerId) -> list[Result]:
        return [
            Result(power, leave, self._leave_fate(contest, leave))
            for leave in contest.leaves
            if leave.power == power
        ]

    def _leave_fate(self, contest: Contest, leave: Passage) -> tuple[Outcome, ...]:
        order = contest.orders[leave.unit.location.province]
        if isinstance(order, Move) and order.target.province == leave.target.province:
            return ()
        return (Void(VoidReason.NOT_PASSING, illegal=False, unit=leave.unit, order=order),)
