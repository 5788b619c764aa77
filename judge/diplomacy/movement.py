"""The movement phase: orders in, what became of each and why, and where everybody stands then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from judge.diplomacy.battle import Battle
from judge.diplomacy.board import Board
from judge.diplomacy.explanation import Explanation
from judge.diplomacy.hooks import Contest, Fight
from judge.diplomacy.legality import Legality, choose_order
from judge.diplomacy.matching import Matching
from judge.diplomacy.orders import (
    Hold,
    Location,
    Move,
    Order,
    Passage,
    PowerId,
    ProvinceId,
    Ride,
    Unit,
    WrittenConvoy,
    WrittenMove,
    WrittenOrder,
    WrittenPassage,
)
from judge.diplomacy.outcomes import (
    Result,
    SetAside,
    Void,
    VoidReason,
)
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.retreats import with_retreats
from judge.diplomacy.rules import (
    CivilDisorderSupport,
    IllegalOrders,
    Rules,
)
from judge.diplomacy.variants.variant import Variant

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
    helpless = frozenset() if may else missing - variant.unplayed  # those may be supported
    contest = Contest(
        orders=given.orders,
        impossible=frozenset(at for at in given.illegal if isinstance(given.orders[at], Move)),
        intent=_intended(position, rules, given),
        helpless=helpless,
        rides=given.rides,
        leaves=given.leaves,
    )
    fight: Fight = partial(_fight_out, variant.board, rules)
    for hook in variant.hooks:
        fight = partial(hook.fight, go_on=fight)
    battle = fight(contest)
    dislodgers = _dislodgers(battle)
    units = _units_after(variant, position, battle, dislodgers)
    occupied = frozenset([unit.location.province for unit in units])
    contested = _contested(battle, occupied)
    closed = occupied.union(contested)
    dislodged: list[Dislodged] = []
    for unit in position.units if dislodgers else ():
        origin = dislodgers.get(unit.location.province)
        if origin is None:
            continue
        one = Dislodged(unit, origin, battle.goes_by_sea(origin))
        is_lost = unit.power in missing
        dislodged.append(one if is_lost else with_retreats(variant.board, rules, one, closed))
    explain = Explanation(battle, dislodgers, given.illegal, missing, helpless, variant.unplayed)
    results = tuple([explain.result(unit) for unit in position.units])
    for hook in variant.hooks:
        results = hook.results(contest, battle, results)
    return Movement(results, given.set_aside, units, tuple(dislodged), contested)


def _fight_out(board: Board, rules: Rules, contest: Contest) -> Battle:
    matching = Matching(
        board,
        rules,
        contest.orders,
        impossible=contest.impossible,
        intent=contest.intent,
        helpless=contest.helpless,
        specials=contest.specials,
    )
    battle = Battle(matching)
    battle.decide_all()
    return battle


@dataclass(frozen=True, slots=True)
class _Given:
    """What each unit is told to do, and what was written instead where that broke the rules.

    `rides` are those of the orders that stand for a ride, `leaves` what stands beside them.
    """

    orders: dict[ProvinceId, Order]
    illegal: dict[ProvinceId, tuple[WrittenOrder, Void]]
    set_aside: tuple[SetAside, ...]
    rides: dict[ProvinceId, Ride]
    leaves: tuple[Passage, ...]


def _give_orders(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId],
) -> _Given:
    legality = Legality(variant, rules, position)
    legal: dict[ProvinceId, list[tuple[WrittenOrder, Order | Ride]]] = {}
    illegal: dict[ProvinceId, tuple[WrittenOrder, Void]] = {}
    aside: list[SetAside] = []
    leaves: list[Passage] = []
    for power in variant.power_ids:
        for line in () if power in missing else written.get(power, ()):
            order = legality.movement_order(line, power)
            if isinstance(order, Passage):
                if order not in leaves:
                    leaves.append(order)
                continue
            if not isinstance(order, Void):
                legal.setdefault(order.unit.location.province, []).append((line, order))
                continue
            at = _province_of(line)
            unit = None if at is None else legality.units.get(at)
            if at is None or unit is None or unit.power != power or at in illegal:
                aside.append(SetAside(power, line, order))
            else:
                illegal[at] = (line, order)
    orders: dict[ProvinceId, Order] = {}
    rides: dict[ProvinceId, Ride] = {}
    for at, unit in legality.units.items():
        lines = legal.get(at, [])
        if len(lines) == 1 and at not in illegal:
            chosen: Order | Ride | None = lines[0][1]
        else:
            chosen = choose_order(rules, unit, _proper_ones(legality, unit, lines, aside), aside)
            if chosen is not None and at in illegal:
                aside.append(SetAside(unit.power, *illegal.pop(at)))
            elif chosen is None and at in illegal:
                chosen = _order_of_illegal(rules, unit, illegal[at][0])
        if isinstance(chosen, Ride):
            rides[at] = chosen
            chosen = Move(unit, chosen.target)
        orders[at] = chosen or Hold(unit)
    leaves.sort(key=lambda leave: (variant.power_ids.index(leave.power), str(leave.unit)))
    return _Given(orders, illegal, tuple(aside), rides, tuple(leaves))


def _proper_ones(
    legality: Legality,
    unit: Unit,
    lines: list[tuple[WrittenOrder, Order | Ride]],
    aside: list[SetAside],
) -> list[tuple[WrittenOrder, Order | Ride]]:
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
    if isinstance(written, WrittenPassage):
        return None  # no unit's order: it names another's
    unit = getattr(written, "unit", None)
    return unit.location.province if unit is not None else None


def _order_of_illegal(rules: Rules, unit: Unit, written: WrittenOrder) -> Order | None:
    """DATC 4.E.1: under one reading an impossible move stays a move, which cannot arrive."""
    if rules.illegal_orders is not IllegalOrders.STILL_A_MOVE:
        return None
    if not isinstance(written, WrittenMove):
        return None
    return Move(unit, Location(written.target.province), via_convoy=True)


def _dislodgers(battle: Battle) -> dict[ProvinceId, ProvinceId]:
    """For each unit driven out, by where it stood, where its dislodger comes from."""
    found: dict[ProvinceId, ProvinceId] = {}
    for at in battle.orders:
        origin = battle.dislodger(at) if at in battle.into else None
        if origin is not None:
            found[at] = origin
    return found


def _units_after(
    variant: Variant,
    position: Position,
    battle: Battle,
    dislodgers: dict[ProvinceId, ProvinceId],
) -> tuple[Unit, ...]:
    stay: list[Unit] = []
    for unit in position.units:
        at = unit.location.province
        if at in battle.moves and battle.decide(at):
            stay.append(Unit(unit.power, unit.kind, battle.moves[at].target))
        elif at not in dislodgers:
            stay.append(unit)
    return sort_units(stay, variant.power_ids)


def _contested(battle: Battle, occupied: frozenset[ProvinceId]) -> tuple[ProvinceId, ...]:
    """Provinces that somebody kept others out of, and where nobody stands now."""
    found = [
        target
        for target, origins in battle.into.items()
        if target not in occupied and any(battle.preventers(origin) for origin in origins)
    ]
    found.sort()
    return tuple(found)
