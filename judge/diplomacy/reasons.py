"""Why an order failed: one classification of outcomes, and its short English.

`reason_of` says what kind of reason an outcome is, and with which values; every text about an
outcome is made from that: the sentences of letters in `judge/render/diplomacy/`, and here the
`reason` beside each outcome of `judge adjudicate`, for programs and their logs.
"""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from judge.diplomacy import outcomes
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder, Location, Ride, SupportMove, Unit, WrittenOrder

WEAK = "does not help to dislodge {units}, a unit of "
COMPARED = "{attack} against {defense} of {orders}"


class ReasonKind(outcomes.Explained):
    """Reasons beside those why an order was void or a unit was disbanded; their short English names
    the fields of `Reason` that they fill."""

    STANDOFF = "standoff", COMPARED  # with another move
    STRONGER = "stronger", COMPARED  # the same, and the other move was the stronger
    TRAIN = "train", "a lone attack bounces with the train {orders}", "9.25"
    HEAD_TO_HEAD = "head_to_head", COMPARED  # with the move that came the other way
    SWAP = "swap", "two units cannot change places without a convoy (rule 6): {orders}"
    HELD = "held", COMPARED  # with the unit that stayed
    OWN_UNIT = "own_unit", "no power dislodges its own unit ({orders})"
    CUT = "cut", "cut by {orders}"
    DISLODGED = "dislodged", "dislodged by {orders}, {attack} against {defense}"
    NO_CONVOY = "no_convoy", "the convoys that were ordered make no route"
    NO_FLEET = "no_fleet", "no fleet was ordered to convoy it"
    CONVOY_BROKEN = "convoy_broken", "{units} dislodged by {orders}"
    PARADOX = "paradox", "stopped by the rule for convoy paradoxes ({units})"
    ALL_HOLD = "all_hold", "stopped with all moves of a convoy paradox ({units})"
    CANAL_UNIT_LEFT = "canal_unit_left", "the canal was left ({orders})"
    HALTED = "halted", "halted at {places[0]}, before {places[1]}: {orders}"
    CLASH = "clash", "same target as {orders}"
    WITHOUT_EFFECT = "without_effect", f"{WEAK}its own power"
    WITHOUT_EFFECT_ON_MOVERS = "without_effect_on_movers", f"{WEAK}the mover's power"
    ONLY_IN_STANDOFF = "only_in_standoff", f"{WEAK}its own power, but counts in the standoff"
    ONLY_IN_STANDOFF_ON_MOVERS = (
        "only_in_standoff_on_movers",
        f"{WEAK}the mover's power, but counts in the standoff",
    )
    OUT_OF_SIGHT = "out_of_sight", "out of sight"


class Reason(msgspec.Struct, frozen=True):
    """Why something failed; which fields are filled follows from the kind."""

    kind: ReasonKind | outcomes.VoidReason | outcomes.DisbandReason
    # Those that decided it; of a void order what the other unit was ordered to do.
    orders: tuple[AnyOrder, ...] = ()
    units: tuple[Unit, ...] = ()  # those concerned; of a void order the other unit
    # strength, resistance: of the attack (0 against an own unit) and of what it met.
    strength: int = 0
    resistance: int = 0
    # supporters, opposing: the units whose supports made them.
    supporters: tuple[Unit, ...] = ()
    opposing: tuple[Unit, ...] = ()
    places: tuple[Location, ...] = ()  # those concerned; of a void order those to choose from
    rule: str = ""  # the number of the Colonial rulebook's rule that it follows from


# By whether the unit is of the supporter's own power, and whether the support kept others out.
WEAKENED = {
    (True, False): ReasonKind.WITHOUT_EFFECT,
    (False, False): ReasonKind.WITHOUT_EFFECT_ON_MOVERS,
    (True, True): ReasonKind.ONLY_IN_STANDOFF,
    (False, True): ReasonKind.ONLY_IN_STANDOFF_ON_MOVERS,
}


def reason_of(outcome: outcomes.Outcome, order: AnyOrder | WrittenOrder) -> Reason:
    """Why an order came out so; `order` is the order itself."""
    match outcome:
        case outcomes.Bounced(kind, against, strength, resistance, supporters, opposing):
            found = ReasonKind(kind.value)
            if kind is outcomes.BounceKind.STANDOFF and strength < resistance:
                found = ReasonKind.STRONGER
            elif (
                kind is outcomes.BounceKind.STANDOFF and isinstance(against, Ride) and not opposing
            ):
                return Reason(ReasonKind.TRAIN, (against,), rule=ReasonKind.TRAIN.rule)
            elif kind is outcomes.BounceKind.HEAD_TO_HEAD and resistance == 1 and not supporters:
                found = ReasonKind.SWAP
            return Reason(found, (against,), (), strength, resistance, supporters, opposing)
        case outcomes.DislodgedBy(by, strength, resistance, supporters, opposing):
            kind_of_loss = ReasonKind.DISLODGED
            return Reason(kind_of_loss, (by,), (), strength, resistance, supporters, opposing)
        case outcomes.Cut(by):
            return Reason(ReasonKind.CUT, (by,))
        case outcomes.Void(reason, _, unit, done, places):
            return Reason(
                reason,
                () if done is None else (done,),
                () if unit is None else (unit,),
                places=places,
                rule=reason.rule,
            )
        case outcomes.NoConvoy(is_ordered, why):
            return Reason(why or (ReasonKind.NO_CONVOY if is_ordered else ReasonKind.NO_FLEET))
        case outcomes.Disrupted(disruption, fleets, moves):
            is_lost = disruption is outcomes.DisruptionKind.DISLODGED
            broken = ReasonKind.CONVOY_BROKEN if is_lost else ReasonKind(disruption.value)
            return Reason(broken, moves, fleets)
        case outcomes.Halted(station, before, against):
            assert isinstance(order, Ride)
            rule = outcomes.ride_halting_rule(order, outcome)
            return Reason(ReasonKind.HALTED, (against,), places=(station, before), rule=rule)
        case outcomes.RetreatClash(others):
            return Reason(ReasonKind.CLASH, others)
        case outcomes.Disbanded(why):
            return Reason(why)
        case outcomes.WithoutEffect(unit, in_standoff):
            assert isinstance(order, SupportMove)
            return Reason(WEAKENED[unit.power == order.unit.power, in_standoff], units=(unit,))
        case outcomes.OutOfSight():
            return Reason(ReasonKind.OUT_OF_SIGHT)
        case _:
            assert_never(outcome)


def short_reason(result: outcomes.Result) -> str:
    """All outcomes of an order in words, joined by semicolons; empty if it did all it said."""
    return "; ".join(short_text(reason_of(outcome, result.order)) for outcome in result.outcomes)


def short_text(reason: Reason) -> str:
    """A reason in words, with the places there were to choose from."""
    template = reason.kind.short
    if template == COMPARED and reason.strength == reason.resistance:
        template = "same strength ({attack}) as {orders}{opposing}"
    orders = ", ".join(format_order(order) for order in reason.orders)
    text = template.format(
        orders=orders,
        units=", ".join(map(str, reason.units)),
        attack=f"{reason.strength}{_helpers(reason.supporters)}",
        defense=f"{reason.resistance}{_helpers(reason.opposing)}",
        opposing=_helpers(reason.opposing),
        places=reason.places,
    )
    if reason.rule:
        text += f" (Colonial rule {reason.rule})"
    if isinstance(reason.kind, outcomes.VoidReason):
        if reason.places:
            # They are the unit's retreats, not what the rule behind the colon speaks of.
            head, colon, rule = text.partition(":")
            text = f"{head} ({', '.join(map(str, reason.places))}){colon}{rule}"
        text += f" ({orders})" if orders else ""
    return text


def _helpers(units: Sequence[Unit]) -> str:
    return f" with {', '.join(map(str, units))}" if units else ""
