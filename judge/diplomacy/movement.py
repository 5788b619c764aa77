"""The movement phase: orders in, what became of each and why, and where everybody stands then."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.diplomacy.battle import Battle
from judge.diplomacy.legality import Legality, choose_order
from judge.diplomacy.orders import (
    Convoy,
    Hold,
    Location,
    Move,
    Order,
    PowerId,
    ProvinceId,
    SupportHold,
    SupportMove,
    Unit,
    WrittenConvoy,
    WrittenMove,
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
    SetAside,
    Void,
    VoidReason,
    WithoutEffect,
)
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.retreats import legal_retreats
from judge.diplomacy.rules import (
    CivilDisorderSupport,
    IllegalOrders,
    Rules,
)
from judge.diplomacy.variant import Variant

Written = Mapping[PowerId, Sequence[WrittenOrder]]


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement phase, resolved.

    Attributes:
        results: one for each unit, in the order of the position.
        set_aside: lines that stand for no unit's order.
        units: all units after it, dislodged ones left out.
        dislodged: units driven out, with where they may go; in the order of the position.
        contested: provinces left empty by a standoff, in order.
    """

    results: tuple[Result, ...]
    set_aside: tuple[SetAside, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    contested: tuple[ProvinceId, ...]


def resolve_movement(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId] = frozenset(),
) -> Movement:
    """Resolve a movement phase. Units without an order, and those of `missing` powers, hold.

    Rule: rulebook 2000, rules 1 - 22 (docs/rules.md); civil disorder: units hold, do not support
    each other, and are disbanded when dislodged.
    """
    given = _give_orders(variant, rules, position, written, missing)
    may = rules.civil_disorder_support is CivilDisorderSupport.MAY
    helpless = frozenset() if may else missing
    battle = Battle(
        variant.board,
        rules,
        given.orders,
        impossible=frozenset(at for at in given.illegal if isinstance(given.orders[at], Move)),
        intent=_intended(position, rules, given),
        helpless=helpless,
    )
    battle.decide_all()
    return _Account(variant, rules, position, given, battle, missing, helpless).movement()


@dataclass(frozen=True, slots=True)
class _Given:
    """What each unit is told to do, and what was written instead where that broke the rules."""

    orders: Mapping[ProvinceId, Order]
    illegal: Mapping[ProvinceId, tuple[WrittenOrder, Void]]
    set_aside: tuple[SetAside, ...]


def _give_orders(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
) -> _Given:
    legality = Legality(variant, rules, position)
    powers = {unit.location.province: unit.power for unit in position.units}
    legal: dict[ProvinceId, list[tuple[WrittenOrder, Order]]] = {}
    illegal: dict[ProvinceId, tuple[WrittenOrder, Void]] = {}
    aside: list[SetAside] = []
    for power in variant.power_ids:
        for line in () if power in missing else written.get(power, ()):
            order = legality.movement_order(line, power)
            if not isinstance(order, Void):
                legal.setdefault(order.unit.location.province, []).append((line, order))
                continue
            at = _province_of(line)
            if at is None or powers.get(at) != power or at in illegal:
                aside.append(SetAside(power, line, order))
            else:
                illegal[at] = (line, order)
    orders: dict[ProvinceId, Order] = {}
    for unit in position.units:
        at = unit.location.province
        lines = _proper_ones(legality, unit, legal.get(at, []), aside)
        chosen = choose_order(rules, unit, lines, aside)
        if chosen is not None and at in illegal:
            aside.append(SetAside(unit.power, *illegal.pop(at)))
        elif chosen is None and at in illegal:
            chosen = _order_of_illegal(rules, unit, illegal[at][0])
        orders[at] = chosen or Hold(unit)
    return _Given(orders, illegal, tuple(aside))


def _proper_ones(
    legality: Legality,
    unit: Unit,
    lines: list[tuple[WrittenOrder, Order]],
    aside: list[SetAside],
) -> list[tuple[WrittenOrder, Order]]:
    """Orders that name their units properly, if there are any; else all (DATC 4.C, choice c)."""
    if len(lines) <= 1:
        return lines
    proper = [line for line in lines if not legality.is_named_loosely(*line)]
    if not proper or len(proper) == len(lines):
        return lines
    void = Void(VoidReason.TWO_ORDERS, illegal=True, unit=unit)
    aside += [SetAside(unit.power, line[0], void) for line in lines if line not in proper]
    return proper


def _intended(
    position: Position, rules: Rules, given: _Given
) -> frozenset[tuple[PowerId, ProvinceId]]:
    """DATC 4.E.1: illegal convoy orders that show the intent all the same, by power and army."""
    if rules.illegal_orders is not IllegalOrders.SHOWS_INTENT:
        return frozenset()
    powers = {unit.location.province: unit.power for unit in position.units}
    return frozenset(
        (powers[at], line.convoyed.location.province)
        for at, (line, _) in given.illegal.items()
        if isinstance(line, WrittenConvoy)
    )


def _province_of(written: WrittenOrder) -> ProvinceId | None:
    unit = getattr(written, "unit", None)
    return unit.location.province if unit is not None else None


def _order_of_illegal(rules: Rules, unit: Unit, written: WrittenOrder) -> Order | None:
    """DATC 4.E.1: under one reading an impossible move stays a move, which cannot arrive."""
    if rules.illegal_orders is not IllegalOrders.STILL_A_MOVE:
        return None
    if not isinstance(written, WrittenMove):
        return None
    return Move(unit, Location(written.target.province), via_convoy=True)


class _Account:
    """Puts a decided battle into results with their reasons."""

    def __init__(
        self,
        variant: Variant,
        rules: Rules,
        position: Position,
        given: _Given,
        battle: Battle,
        missing: frozenset[PowerId],
        helpless: frozenset[PowerId],
    ) -> None:
        self.variant, self.rules, self.position = variant, rules, position
        self.given, self.battle = given, battle
        self.missing, self.helpless = missing, helpless
        self.dislodgers = {
            at: origin for at in battle.orders for origin in (battle.dislodger(at),) if origin
        }

    def movement(self) -> Movement:
        units = sort_units(self._units_after(), self.variant.power_ids)
        contested = self._contested({unit.location.province for unit in units})
        dislodged = tuple(self._dislodged(units, contested))
        results = tuple(self._result(unit, dislodged) for unit in self.position.units)
        return Movement(results, self.given.set_aside, units, dislodged, contested)

    def _units_after(self) -> Iterator[Unit]:
        for unit in self.position.units:
            at = unit.location.province
            if at in self.battle.moves and self.battle.decide(at):
                yield Unit(unit.power, unit.kind, self.battle.moves[at].target)
            elif at not in self.dislodgers:
                yield unit

    def _contested(self, occupied: set[ProvinceId]) -> tuple[ProvinceId, ...]:
        """Provinces that somebody kept others out of, and where nobody stands now."""
        return tuple(
            sorted(
                target
                for target, origins in self.battle.into.items()
                if target not in occupied and any(map(self.battle.preventers, origins))
            )
        )

    def _dislodged(
        self, units: tuple[Unit, ...], contested: tuple[ProvinceId, ...]
    ) -> Iterator[Dislodged]:
        occupied = frozenset(unit.location.province for unit in units)
        for unit in self.position.units:
            origin = self.dislodgers.get(unit.location.province)
            if origin is None:
                continue
            one = Dislodged(unit, origin, self.battle.goes_by_sea(origin))
            if unit.power in self.missing:
                yield one
            else:
                places = legal_retreats(
                    self.variant.board, self.rules, one, occupied, frozenset(contested)
                )
                yield Dislodged(unit, origin, one.by_convoy, places)

    # --- reasons -------------------------------------------------------------------------------

    def _result(self, unit: Unit, dislodged: tuple[Dislodged, ...]) -> Result:
        at = unit.location.province
        order = self.given.orders[at]
        written: Order | WrittenOrder = order
        outcomes: list[Outcome] = []
        if at in self.given.illegal and not isinstance(order, Move):
            written, void = self.given.illegal[at]
            outcomes.append(void)
        else:
            outcomes += self._fate(at, order)
        outcomes += self._dislodgement(at)
        if unit.power in self.missing and any(one.unit == unit for one in dislodged):
            outcomes.append(Disbanded(DisbandReason.CIVIL_DISORDER))
        by_sea = at in self.battle.moves and self.battle.goes_by_sea(at)
        return Result(unit.power, written, tuple(outcomes), unit, by_sea)

    def _fate(self, at: ProvinceId, order: Order) -> Iterator[Outcome]:
        match order:
            case Move():
                if not self.battle.decide(at):
                    yield self._failure(at)
            case SupportHold() | SupportMove():
                yield from self._support_fate(at, order)
            case Convoy():
                void = self._unmatched_convoy(order)
                if void is not None:
                    yield void
            case Hold():
                return

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
        found: list[tuple[tuple[ProvinceId, ...], ProvinceId, BounceKind]] = []
        if battle.is_head_to_head(at):
            defence = (target, *battle.move_supporters(target))
            found.append((defence, target, BounceKind.HEAD_TO_HEAD))
        elif battle.holders(target):
            found.append((battle.holders(target), target, BounceKind.HELD))
        for rival in sorted(battle.into[target]):
            if rival != at and battle.preventers(rival):
                found.append((battle.preventers(rival), rival, BounceKind.STANDOFF))
        return max(found, key=lambda one: len(one[0]))

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
            return
        cutter = self.battle.cutter(at)
        if cutter is not None:
            yield Cut(self.battle.moves[cutter])
        elif isinstance(order, SupportMove):
            yield from self._useless(at, order)

    def _useless(self, at: ProvinceId, order: SupportMove) -> Iterator[Outcome]:
        """The support stands, but would help to dislodge a unit of its own power or the mover's."""
        origin = order.supported.location.province
        counted = self.battle.attackers(origin)
        occupant = self.battle.orders.get(order.target.province)
        if occupant is not None and self.battle.has_way(origin) and at not in counted:
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

    def _dislodgement(self, at: ProvinceId) -> Iterator[Outcome]:
        battle = self.battle
        origin = self.dislodgers.get(at)
        if origin is None:
            return
        attackers = battle.attackers(origin)
        if battle.is_head_to_head(origin):
            held: tuple[ProvinceId, ...] = (at, *battle.move_supporters(at))
        else:
            held = battle.holders(at)
        yield DislodgedBy(
            by=battle.moves[origin],
            strength=len(attackers),
            resistance=len(held),
            supporters=self._units(attackers[1:]),
            opposing=self._units(held[1:]),
            by_convoy=battle.goes_by_sea(origin),
        )

    def _units(self, provinces: Sequence[ProvinceId]) -> tuple[Unit, ...]:
        return tuple(self.battle.orders[at].unit for at in provinces)


def _void(reason: VoidReason, done: Order) -> Void:
    return Void(reason, illegal=False, unit=done.unit, order=done)
