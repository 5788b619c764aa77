"""A canal: fleets pass between two seas as long as a unit stays beside it, others by permission.

Rule: Colonial rulebook (seed 004) 9.3; what it leaves open is decided in docs/rules.md. A passage
is an ordinary move that depends on the canal unit as a convoyed one depends on its fleets.
"""

import dataclasses
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator import Contest, Decide, Decisions, illegal
from judge.diplomacy.orders import Location, PowerId, ProvinceId, Unit, UnitKind, WrittenOrder
from judge.diplomacy.outcomes import (
    Disrupted,
    DisruptionKind,
    NoConvoy,
    Outcome,
    Result,
    Void,
    VoidReason,
)


@dataclasses.dataclass(frozen=True, slots=True)
class Canal:
    """The province of the canal unit, and the two seas that the canal joins."""

    province: ProvinceId
    ends: tuple[ProvinceId, ProvinceId]

    def order(
        self, units: Mapping[ProvinceId, Unit], written: WrittenOrder, power: PowerId
    ) -> o.Ride | o.Passage | Void | None:
        """Permission for a fleet to pass, or the rule it breaks (9.31, 9.34)."""
        if not isinstance(written, o.WrittenPassage):
            return None
        canal_unit = units.get(self.province)
        if canal_unit is None or canal_unit.power != power:
            return illegal(VoidReason.NO_CANAL_UNIT, unit=canal_unit)
        fleet = units.get(written.unit.location.province)
        if fleet is None or not self._is_passage(fleet, written.target.province):
            return illegal(VoidReason.NOT_AT_CANAL, unit=fleet)
        if written.unit.power not in (None, fleet.power):
            return illegal(VoidReason.OTHERS_FLEET, unit=fleet)
        return o.Passage(power, fleet, Location(written.target.province))

    def way(
        self,
        units: Mapping[ProvinceId, Unit],
        unit: Unit,
        target: ProvinceId,
        *,
        is_supported: bool = False,  # noqa: ARG002
    ) -> Location | Void | None:
        """Through the canal, if there is a canal unit to keep it open (9.31)."""
        if not self._is_passage(unit, target):
            return None
        if self.province in units:
            return Location(target)
        places = (Location(self.province),)
        return illegal(VoidReason.NOBODY_AT_CANAL, places=places)

    def needs_permission(self, units: Mapping[ProvinceId, Unit], move: o.Move) -> bool:
        """Whether the move is a passage that another power's canal unit must permit (9.34)."""
        canal_unit = units.get(self.province)
        is_foreign = canal_unit is not None and canal_unit.power != move.unit.power
        return is_foreign and self._is_passage(move.unit, move.target.province)

    def _is_passage(self, fleet: Unit, target: ProvinceId) -> bool:
        origin = fleet.location.province
        return fleet.kind is UnitKind.FLEET and {origin, target} == set(self.ends)

    def decide(self, contest: Contest, go_on: Decide) -> Decisions:
        """The decisions with the passages that may be made: one's own, and permitted ones."""
        may = {at: self._may_pass(contest, at) for at in self._passing(contest)}
        if not may:
            return go_on(contest)
        passages = contest.passages | {at: self.province for at, is_open in may.items() if is_open}
        stuck = contest.stuck.union(at for at, is_open in may.items() if not is_open)
        return go_on(dataclasses.replace(contest, passages=passages, stuck=stuck))

    def _passing(self, contest: Contest) -> list[ProvinceId]:
        if self.province not in contest.orders:
            return []  # an order that breaks the rules and counts as a move (DATC 4.E.1)
        return [
            at
            for at in self.ends
            if isinstance(order := contest.orders.get(at), o.Move)
            and self._is_passage(order.unit, order.target.province)
        ]

    def _may_pass(self, contest: Contest, at: ProvinceId) -> bool:
        fleet, canal_unit = contest.orders[at].unit, contest.orders[self.province].unit
        is_permitted = any(permission.unit == fleet for permission in contest.permissions)
        return fleet.power == canal_unit.power or is_permitted

    def results(
        self, contest: Contest, decisions: Decisions, results: Sequence[Result]
    ) -> tuple[Result, ...]:
        """The results with why passages failed, and after each power's what became of the
        permissions that it gave."""
        passing = self._passing(contest)
        told: list[Result] = []
        for index, result in enumerate(results):
            at = result.unit.location.province if result.unit is not None else None
            if at is not None and at in passing:
                told_of = [
                    self._passage_outcome(one, contest, decisions, at) for one in result.outcomes
                ]
                result = replace(result, outcomes=tuple(told_of))
            told.append(result)
            if index + 1 == len(results) or results[index + 1].power != result.power:
                for one in contest.permissions:
                    if one.power == result.power:
                        order = contest.orders[one.unit.location.province]
                        goal = order.target.province if isinstance(order, o.Move) else None
                        unused = Void(VoidReason.NOT_PASSING, False, one.unit, order)
                        outcomes = () if goal == one.target.province else (unused,)
                        told.append(Result(one.power, one, outcomes))
        return tuple(told)

    def _passage_outcome(
        self, outcome: Outcome, contest: Contest, decisions: Decisions, at: ProvinceId
    ) -> Outcome:
        """The canal's own reasons, where a convoyed move would have lacked its convoy."""
        if not isinstance(outcome, NoConvoy):
            return outcome
        canal_unit = decisions.orders[self.province].unit
        if not self._may_pass(contest, at):
            return Void(VoidReason.NO_PERMISSION, illegal=False, unit=canal_unit)
        origin = decisions.dislodger(self.province)
        if origin is not None:
            return Disrupted(DisruptionKind.DISLODGED, (canal_unit,), (decisions.moves[origin],))
        left = decisions.moves[self.province]
        return Disrupted(DisruptionKind.CANAL_UNIT_LEFT, (canal_unit,), (left,))
