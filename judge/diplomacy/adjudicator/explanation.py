"""What became of each order of a movement phase, and what decided it.

Reads decisions that are made; decides nothing itself.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator.decisions import Decisions
from judge.diplomacy.adjudicator.matching import NO_FLEETS
from judge.diplomacy.orders import PowerId, ProvinceId, Unit
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

STANDOFF, HEAD_TO_HEAD, HELD, OWN_UNIT = BounceKind


def explain(
    decisions: Decisions,
    illegal: Mapping[ProvinceId, tuple[o.WrittenOrder, Void]],
    missing: frozenset[PowerId],
    unplayed: frozenset[PowerId],
) -> tuple[Result, ...]:
    """What became of each unit and of its order, in the order of the contest.

    Args:
        illegal: what was written for a unit and broke the rules, with the rule.
        missing: powers in civil disorder, whose dislodged units are disbanded.
        unplayed: powers that nobody plays.
    """
    results: list[Result] = []
    for at, order in decisions.orders.items():
        written: o.Order | o.WrittenOrder = order
        outcomes: tuple[Outcome, ...] = ()
        power, by_convoy = order.unit.power, False
        kind = type(order)
        if kind is o.Move:
            by_convoy = decisions.goes_by_convoy(at)
            if at in illegal:  # DATC 4.E.1: it counts as a move, and never arrives
                outcomes = (NoConvoy(is_ordered=False, why=illegal[at][1].reason),)
            elif not decisions.decide(at):
                has_way = decisions.has_way(at)
                outcomes = (_bounce(decisions, at) if has_way else _no_way(decisions, at),)
        elif at in illegal:
            written, void = illegal[at]
            outcomes = (void,)
        elif kind is o.Convoy:
            outcomes = _unused_convoy(decisions, cast(o.Convoy, order))
        elif kind is not o.Hold:
            outcomes = _lost_support(decisions, at, cast(o.SupportHold | o.SupportMove, order))
        if at in decisions.dislodgers:
            origin = decisions.dislodgers[at]
            attack_force, is_met = decisions.attack_force(origin), decisions.is_head_to_head(origin)
            held = (at, *decisions.move_supporters(at)) if is_met else decisions.hold_force(at)
            dislodged = DislodgedBy(
                decisions.moves[origin],
                len(attack_force),
                len(held),
                _units(decisions, attack_force[1:]),
                _units(decisions, held[1:]),
                decisions.goes_by_convoy(origin),
            )
            outcomes = (*outcomes, dislodged)
            if power in missing:
                is_out = power in unplayed
                reason = DisbandReason.NOT_PLAYED if is_out else DisbandReason.CIVIL_DISORDER
                outcomes = (*outcomes, Disbanded(reason))
        results.append(Result(power, written, outcomes, order.unit, by_convoy))
    return tuple(results)


def _bounce(decisions: Decisions, at: ProvinceId) -> Bounced:
    """What kept a move out: the strongest of the unit there and the rivals. Of two equally strong
    ones it is the unit there, or the rival if that unit was ordered away."""
    move, target = decisions.moves[at], decisions.moves[at].target.province
    attack_force, against = decisions.attack_force(at), target
    if decisions.is_head_to_head(at):
        kind, opposing = HEAD_TO_HEAD, (target, *decisions.move_supporters(target))
    else:
        kind, opposing = HELD, decisions.hold_force(target)
    yields = kind is HELD and target in decisions.moves
    for rival in sorted(decisions.into[target]):
        if rival != at:
            prevent_force = decisions.prevent_force(rival)
            if len(prevent_force) > len(opposing) or (
                yields and len(prevent_force) == len(opposing)
            ):
                yields = False
                kind, opposing, against = STANDOFF, prevent_force, rival
    claim_force = decisions.claim_force(target)
    if len(claim_force) > len(opposing) and claim_force[0] != at:
        kind, opposing, against = STANDOFF, claim_force, claim_force[0]

    occupant = decisions.orders.get(target)
    if occupant is not None and occupant.unit.power == move.unit.power and not attack_force:
        # Its own unit keeps it out only if nobody else does: not one that would have left, or was
        # driven out, and whose province another move contests (6.C.3, 6.D.18).
        would_leave = isinstance(occupant, o.Move) or target in decisions.dislodgers
        rivals = [decisions.prevent_force(each) for each in sorted(decisions.into[target])]
        ours = decisions.prevent_force(at)
        others = max((each for each in rivals if each != ours), key=len, default=())
        if decisions.is_head_to_head(at):
            opposing, against, kind = (target,), target, HEAD_TO_HEAD
        elif would_leave and ours and len(others) >= len(ours):
            attack_force, opposing, against, kind = ours, others, others[0], STANDOFF
        else:
            opposing, against, kind = decisions.hold_force(target), target, OWN_UNIT
    return Bounced(
        kind,
        decisions.orders[against],
        len(attack_force),
        len(opposing),
        _units(decisions, attack_force[1:]),
        _units(decisions, opposing[1:]),
    )


def _no_way(decisions: Decisions, at: ProvinceId) -> Outcome:
    if at in decisions.stopped:
        is_all = at in decisions.all_hold
        kind = DisruptionKind.ALL_HOLD if is_all else DisruptionKind.PARADOX
        return Disrupted(kind, _units(decisions, sorted(decisions.stopped[at])))
    fleets = sorted(decisions.matching.convoying_fleets.get(at, NO_FLEETS))
    if not fleets:
        move = decisions.moves[at]
        is_ordered = any(
            convoy.convoyed == move.unit and convoy.target.province == move.target.province
            for convoy in decisions.matching.convoys.values()
        )
        return NoConvoy(is_ordered)
    lost = [fleet for fleet in fleets if fleet in decisions.dislodgers]
    by = tuple([decisions.moves[decisions.dislodgers[fleet]] for fleet in lost])
    return Disrupted(DisruptionKind.DISLODGED, _units(decisions, lost), by)


def _lost_support(
    decisions: Decisions, at: ProvinceId, order: o.SupportHold | o.SupportMove
) -> tuple[Outcome, ...]:
    """What a support lacked: the order that it was for, its standing, or an effect."""
    helped = order.supported.location.province
    done = decisions.orders[helped]
    reason: VoidReason | None = None
    if type(order) is o.SupportHold:
        if order.supported.power in decisions.contest.helpless:
            reason = VoidReason.CIVIL_DISORDER
        elif type(done) is o.Move:
            reason = VoidReason.SUPPORTED_MOVES
    elif type(done) is not o.Move:
        reason = VoidReason.SUPPORTED_STAYS
    elif not decisions.matching.is_matched_support(cast(o.SupportMove, order)):
        reason = VoidReason.SUPPORTED_GOES_ELSEWHERE
    if reason is not None:
        return (Void(reason, False, done.unit, done),)
    if not decisions.decide(at):
        cutter = decisions.cutter(at)
        assert cutter is not None, at
        return (Cut(decisions.moves[cutter]),)
    occupant = None
    if type(order) is o.SupportMove:
        occupant = decisions.orders.get(order.target.province)
    if (
        occupant is not None
        and decisions.has_way(helped)
        and at not in decisions.attack_force(helped)
    ):
        # It would help to dislodge a unit of its own power, or of the mover's; against others that
        # want to enter the province it counts.
        assert isinstance(order, o.SupportMove)
        rivals = [each for each in decisions.into.get(order.target.province, ()) if each != helped]
        in_standoff = at in decisions.prevent_force(helped) and any(
            map(decisions.prevent_force, rivals)
        )
        return (WithoutEffect(occupant.unit, in_standoff),)
    return ()


def _unused_convoy(decisions: Decisions, order: o.Convoy) -> tuple[Outcome, ...]:
    army = order.convoyed.location.province
    done = decisions.orders[army]
    if not isinstance(done, o.Move):
        reason = VoidReason.ARMY_STAYS
    elif done.target.province != order.target.province:
        reason = VoidReason.ARMY_GOES_ELSEWHERE
    elif decisions.has_way(army) and not decisions.goes_by_convoy(army):
        reason = VoidReason.ARMY_GOES_BY_LAND
    else:
        return ()
    return (Void(reason, False, done.unit, done),)


def _units(decisions: Decisions, provinces: Sequence[ProvinceId]) -> tuple[Unit, ...]:
    if not provinces:
        return ()
    return tuple([decisions.orders[at].unit for at in provinces])
