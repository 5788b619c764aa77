"""The movement phase: orders in, what became of each and why, and where everybody stands then.

What each unit is told to do is read here; who gets where is the adjudicator's to say.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from judge.diplomacy.adjudicator import Decide, Legality, decide, explain, make_contest
from judge.diplomacy.orders import PowerId, Unit, WrittenOrder
from judge.diplomacy.outcomes import Resolved
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.retreats import with_retreats
from judge.diplomacy.rules import DislodgedUnits, Rules
from judge.diplomacy.variants.variant import Variant

Written = Mapping[PowerId, Sequence[WrittenOrder]]


def resolve_movement(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: Written,
    missing: frozenset[PowerId] = frozenset(),
) -> Resolved:
    """Resolve a movement phase. Units without an order, and those of `missing` powers, hold.

    Rule: rulebook 2000, rules 1 - 22 (docs/rules.md); civil disorder: units hold, do not support
    each other, and are disbanded when dislodged.
    """
    contest, lines = make_contest(Legality(variant, rules, position), written, missing)

    go_on: Decide = partial(decide, variant.board, rules)
    for hook in variant.hooks:
        go_on = partial(hook.decide, go_on=go_on)
    decisions = go_on(contest)

    stay: list[Unit] = []
    for unit in position.units:
        at = unit.location.province
        if at in decisions.moves and decisions.decide(at):
            stay.append(Unit(unit.power, unit.kind, decisions.moves[at].target))
        elif at not in decisions.dislodgers:
            stay.append(unit)
    units = sort_units(stay, variant.power_ids)
    occupied = frozenset([unit.location.province for unit in units])
    contested = decisions.contested(occupied)

    dislodged: list[Dislodged] = []
    for at, origin in decisions.dislodgers.items():
        one = Dislodged(contest.orders[at].unit, origin, decisions.goes_by_convoy(origin))
        if one.unit.power not in missing and variant.customs.dislodged is DislodgedUnits.RETREAT:
            one = with_retreats(variant.board, rules, one, occupied.union(contested))
        dislodged.append(one)

    results = explain(decisions, lines.illegal, missing, variant.unplayed)
    for hook in variant.hooks:
        results = hook.results(contest, decisions, results)
    return Resolved(results, tuple(lines.aside), units, tuple(dislodged), contested)
