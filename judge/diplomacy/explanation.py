"""What became of each order of a movement phase, and what decided it.

Reads a battle that is decided; decides nothing itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
from judge.diplomacy.outcome import (
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


@dataclass(frozen=True, slots=True)
class Explanation:
    """Puts a decided battle into results with their reasons.

    Attributes:
        dislodgers: for each unit driven out, by where it stood, where its dislodger comes from.
        illegal: what was written for a unit and broke the rules, with the rule.
        missing: powers in civil disorder, whose dislodged units are disbanded.
        helpless: powers whose units nobody may support to hold.
    """

    battle: Battle
    dislodgers: Mapping[ProvinceId, ProvinceId]
    illegal: Mapping[ProvinceId, tuple[WrittenOrder, Void]]
    missing: frozenset[PowerId]
    helpless: frozenset[PowerId]

    def result(self, unit: Unit) -> Result:
        """What became of a unit and of its order."""
        at = unit.location.province
        order = self.battle.orders[at]
        is_move = isinstance(order, Move)
        written: Order | WrittenOrder = order
        outcomes: tuple[Outcome, ...]
        if at in self.illegal and not is_move:
            written, void = self.illegal[at]
            outcomes = (void,)
        else:
            outcomes = self._fate(at, order)
        if at in self.dislodgers:
            outcomes = (*outcomes, self._dislodgement(at))
            if unit.power in self.missing:
                outcomes = (*outcomes, Disbanded(DisbandReason.CIVIL_DISORDER))
        by_sea = is_move and self.battle.goes_by_sea(at)
        return Result(unit.power, written, outcomes, unit, by_sea)

    def _fate(self, at: ProvinceId, order: Order) -> tuple[Outcome, ...]:
        match order:
            case Move():
                return () if self.battle.decide(at) else (self._failure(at),)
            case SupportHold() | SupportMove():
                return tuple(self._support_fate(at, order))
            case Convoy():
                void = self._unmatched_convoy(order)
                return () if void is None else (void,)
            case Hold():
                return ()

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

    def _support_fate(self, at: ProvinceId, order: SupportHold | SupportMove) -> Iterator[Outcome]:
        void = self._unmatched_support(order)
        if void is not None:
            yield void
        elif not self.battle.decide(at):
            cutter = self.battle.cutter(at)
            assert cutter is not None, at
            yield Cut(self.battle.moves[cutter])
        elif isinstance(order, SupportMove):
            yield from self._useless(at, order)

    def _useless(self, at: ProvinceId, order: SupportMove) -> Iterator[Outcome]:
        """The support stands, but would help to dislodge a unit of its own power or the mover's."""
        occupant = self.battle.orders.get(order.target.province)
        if occupant is None:
            return
        origin = order.supported.location.province
        if self.battle.has_way(origin) and at not in self.battle.attackers(origin):
            yield WithoutEffect(occupant.unit)

    def _unmatched_support(self, order: SupportHold | SupportMove) -> Void | None:
        helped = order.supported.location.province
        done = self.battle.orders[helped]
        if isinstance(order, SupportHold):
            if order.supported.power in self.helpless:
                return _void(VoidReason.CIVIL_DISORDER, done)
            return _void(VoidReason.SUPPORTED_MOVES, done) if isinstance(done, Move) else None
        if not isinstance(done, Move):
            return _void(VoidReason.SUPPORTED_STAYS, done)
        if not self.battle.is_matched_support(order):
            return _void(VoidReason.SUPPORTED_GOES_ELSEWHERE, done)
        return None

    def _unmatched_convoy(self, order: Convoy) -> Void | None:
        army = order.convoyed.location.province
        done = self.battle.orders[army]
        if not isinstance(done, Move):
            return _void(VoidReason.ARMY_STAYS, done)
        if done.target.province != order.target.province:
            return _void(VoidReason.ARMY_GOES_ELSEWHERE, done)
        if self.battle.has_way(army) and not self.battle.goes_by_sea(army):
            return _void(VoidReason.ARMY_GOES_BY_LAND, done)
        return None

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
