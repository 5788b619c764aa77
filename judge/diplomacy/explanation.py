"""What became of each order of a movement phase, and what decided it.

Reads a battle that is decided; decides nothing itself.
"""

from collections.abc import Sequence

from judge.diplomacy.battle import Battle
from judge.diplomacy.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    PowerId,
    ProvinceId,
    SupportHold,
    SupportMove,
    Unit,
    WrittenOrder,
)
from judge.diplomacy.outcomes import (
    Bounced,
    BounceKind,
    Cut,
    Disbanded,
    DisbandReason,
    DislodgedBy,
    Disrupted,
    DisruptionKind,
    NoConvoy,
    Outcome,
    Result,
    Void,
    VoidReason,
    WithoutEffect,
)


class Explanation:
    """Puts a decided battle into results with their reasons.

    Attributes:
        dislodgers: for each unit driven out, by where it stood, where its dislodger comes from.
        illegal: what was written for a unit and broke the rules, with the rule.
        missing: powers in civil disorder, whose dislodged units are disbanded.
        helpless: powers whose units nobody may support to hold.
        unplayed: powers that nobody plays.
    """

    def __init__(
        self,
        battle: Battle,
        dislodgers: dict[ProvinceId, ProvinceId],
        illegal: dict[ProvinceId, tuple[WrittenOrder, Void]],
        missing: frozenset[PowerId],
        helpless: frozenset[PowerId],
        unplayed: frozenset[PowerId],
    ) -> None:
        self.battle, self.dislodgers, self.illegal = battle, dislodgers, illegal
        self.missing, self.helpless, self.unplayed = missing, helpless, unplayed

    def result(self, unit: Unit) -> Result:
        """What became of a unit and of its order."""
        at, battle = unit.location.province, self.battle
        order = battle.orders[at]
        written: Order | WrittenOrder = order
        outcomes: tuple[Outcome, ...] = ()
        by_sea = False
        if isinstance(order, Move):
            by_sea = battle.goes_by_sea(at)
            if not battle.decide(at):
                outcomes = (self._failure(at),)
        elif at in self.illegal:
            written, void = self.illegal[at]
            outcomes = (void,)
        elif isinstance(order, Convoy):
            outcomes = self._convoy_fate(order)
        elif not isinstance(order, Hold):
            outcomes = self._support_fate(at, order)
        if at in self.dislodgers:
            outcomes = (*outcomes, self._dislodgement(at))
            if unit.power in self.missing:
                is_out = unit.power in self.unplayed
                reason = DisbandReason.NOT_PLAYED if is_out else DisbandReason.CIVIL_DISORDER
                outcomes = (*outcomes, Disbanded(reason))
        return Result(unit.power, written, outcomes, unit, by_sea)

    def _failure(self, at: ProvinceId) -> Outcome:
        """Why a move did not arrive."""
        battle = self.battle
        if not battle.has_way(at):
            return self._no_way(at)
        move, target = battle.moves[at], battle.moves[at].target.province
        attackers = battle.attackers(at)
        opposing, against, kind = self._strongest_opposition(at, target)
        occupant = battle.orders.get(target)
        if occupant is not None and occupant.unit.power == move.unit.power and not attackers:
            opposing, against, kind = battle.holders(target), target, BounceKind.OWN_UNIT
        return Bounced(
            kind=kind,
            against=battle.orders[against],
            strength=len(attackers),
            resistance=len(opposing),
            supporters=self._units(attackers[1:]),
            opposing=self._units(opposing[1:]),
        )

    def _strongest_opposition(
        self, at: ProvinceId, target: ProvinceId
    ) -> tuple[tuple[ProvinceId, ...], ProvinceId, BounceKind]:
        """Who kept the move out: the strongest of the unit there and the rivals."""
        battle = self.battle
        if battle.is_head_to_head(at):
            kind, strongest = BounceKind.HEAD_TO_HEAD, (target, *battle.move_supporters(target))
        else:
            kind, strongest = BounceKind.HELD, battle.holders(target)
        against = target
        for rival in sorted(battle.into[target]):
            if rival != at:
                preventers = battle.preventers(rival)
                if len(preventers) > len(strongest):
                    kind, strongest, against = BounceKind.STANDOFF, preventers, rival
        claimants = battle.claimants(target)
        if len(claimants) > len(strongest) and claimants[0] != at:
            kind, strongest, against = BounceKind.STANDOFF, claimants, claimants[0]
        return strongest, against, kind

    def _no_way(self, at: ProvinceId) -> Outcome:
        battle = self.battle
        if at in battle.stopped:
            is_all = at in battle.all_hold
            kind = DisruptionKind.ALL_HOLD if is_all else DisruptionKind.PARADOX
            return Disrupted(kind, self._units(sorted(battle.stopped[at])))
        carriers = sorted(battle.carriers_of(at))
        if not carriers:
            return NoConvoy()
        lost = [fleet for fleet in carriers if fleet in self.dislodgers]
        by = tuple(battle.moves[self.dislodgers[fleet]] for fleet in lost)
        return Disrupted(DisruptionKind.DISLODGED, self._units(lost), by)

    def _support_fate(
        self, at: ProvinceId, order: SupportHold | SupportMove
    ) -> tuple[Outcome, ...]:
        battle = self.battle
        void = self._unmatched_support(order)
        if void is not None:
            return (void,)
        if not battle.decide(at):
            cutter = battle.cutter(at)
            assert cutter is not None, at
            return (Cut(battle.moves[cutter]),)
        if isinstance(order, SupportMove) and order.target.province in battle.orders:
            origin = order.supported.location.province
            if battle.has_way(origin) and at not in battle.attackers(origin):
                # It would help to dislodge a unit of its own power, or of the mover's.
                return (WithoutEffect(battle.orders[order.target.province].unit),)
        return ()

    def _unmatched_support(self, order: SupportHold | SupportMove) -> Void | None:
        helped = order.supported.location.province
        done = self.battle.orders[helped]
        if isinstance(order, SupportHold):
            if order.supported.power in self.helpless:
                return _void(VoidReason.CIVIL_DISORDER, done)
            return _void(VoidReason.SUPPORTED_MOVES, done) if isinstance(done, Move) else None
        if not isinstance(done, Move):
            return _void(VoidReason.SUPPORTED_STAYS, done)
        if not self.battle.matching.is_matched_support(order):
            return _void(VoidReason.SUPPORTED_GOES_ELSEWHERE, done)
        return None

    def _convoy_fate(self, order: Convoy) -> tuple[Outcome, ...]:
        army = order.convoyed.location.province
        done = self.battle.orders[army]
        if not isinstance(done, Move):
            return (_void(VoidReason.ARMY_STAYS, done),)
        if done.target.province != order.target.province:
            return (_void(VoidReason.ARMY_GOES_ELSEWHERE, done),)
        if self.battle.has_way(army) and not self.battle.goes_by_sea(army):
            return (_void(VoidReason.ARMY_GOES_BY_LAND, done),)
        return ()

    def _dislodgement(self, at: ProvinceId) -> Outcome:
        battle, origin = self.battle, self.dislodgers[at]
        attackers = battle.attackers(origin)
        if battle.is_head_to_head(origin):
            held: tuple[ProvinceId, ...] = (at, *battle.move_supporters(at))
        else:
            held = battle.holders(at)
        return DislodgedBy(
            by=battle.moves[origin],
            strength=len(attackers),
            resistance=len(held),
            supporters=self._units(attackers[1:]),
            opposing=self._units(held[1:]),
            by_convoy=battle.goes_by_sea(origin),
        )

    def _units(self, provinces: Sequence[ProvinceId]) -> tuple[Unit, ...]:
        if not provinces:
            return ()
        return tuple(self.battle.orders[at].unit for at in provinces)


def _void(reason: VoidReason, done: Order) -> Void:
    return Void(reason, illegal=False, unit=done.unit, order=done)
