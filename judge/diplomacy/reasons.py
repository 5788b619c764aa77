"""Why an order failed: one classification of outcomes, and its short English.

`reason_of` says what kind of reason an outcome is, and with which values; every text about an
outcome is made from that: the sentences of letters in `judge/render/diplomacy/`, and here the
`reason` beside each outcome of `judge adjudicate`, for programs and their logs.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import assert_never

import msgspec

from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder, Location, Ride, SupportMove, Unit, WrittenOrder
from judge.diplomacy.outcomes import (
    Bounced,
    BounceKind,
    Cut,
    Disbanded,
    DisbandReason,
    DislodgedBy,
    Disrupted,
    DisruptionKind,
    Halted,
    NoConvoy,
    Outcome,
    Result,
    RetreatClash,
    Void,
    VoidReason,
    WithoutEffect,
    halting_rule,
)


class ReasonKind(StrEnum):
    """Reasons beside those why an order was void or a unit was disbanded, with the fields of
    `Reason` that they fill."""

    STANDOFF = "standoff"  # orders: the other move; strengths
    STRONGER = "stronger"  # the same, and the other move was the stronger
    HEAD_TO_HEAD = "head_to_head"  # orders: the move that came the other way; strengths
    SWAP = "swap"  # the same, and neither had support that counts
    HELD = "held"  # orders: of the unit that stayed; strengths
    OWN_UNIT = "own_unit"  # orders: of the unit of the same power that stayed
    CUT = "cut"  # orders: the move that cut it
    DISLODGED = "dislodged"  # orders: the move that drove it out; strengths
    NO_CONVOY = "no_convoy"
    NO_FLEET = "no_fleet"
    CONVOY_BROKEN = "convoy_broken"  # units: the fleets; orders: the moves that dislodged them
    PARADOX = "paradox"  # units: the fleets
    ALL_HOLD = "all_hold"  # units: the fleets
    CANAL_UNIT_LEFT = "canal_unit_left"  # units: the canal unit; orders: its move
    TRAIN = "train"  # orders: the train that wanted the same station; rule
    HALTED = "halted"  # orders: what kept the train out; places: where it is, and of what; rule
    CLASH = "clash"  # orders: the other retreats
    WITHOUT_EFFECT = "without_effect"  # units: the one of the supporter's power
    WITHOUT_EFFECT_ON_MOVERS = "without_effect_on_movers"  # units: the one of the mover's power
    ONLY_IN_STANDOFF = "only_in_standoff"  # as WITHOUT_EFFECT, but it kept others out
    ONLY_IN_STANDOFF_ON_MOVERS = "only_in_standoff_on_movers"


class Reason(msgspec.Struct, frozen=True):
    """Why something failed; which fields are filled follows from the kind.

    Attributes:
        orders: those that decided it; of a void order what the other unit was ordered to do.
        units: those concerned; of a void order the other unit.
        strength, resistance: of the attack (0 against an own unit) and of what it met.
        supporters, opposing: the units whose supports made them.
        places: those concerned; of a void order those to choose from.
        rule: the number of the Colonial rulebook's rule that it follows from.
    """

    kind: ReasonKind | VoidReason | DisbandReason
    orders: tuple[AnyOrder, ...] = ()
    units: tuple[Unit, ...] = ()
    strength: int = 0
    resistance: int = 0
    supporters: tuple[Unit, ...] = ()
    opposing: tuple[Unit, ...] = ()
    places: tuple[Location, ...] = ()
    rule: str = ""


BOUNCES = {
    BounceKind.STANDOFF: ReasonKind.STANDOFF,
    BounceKind.HEAD_TO_HEAD: ReasonKind.HEAD_TO_HEAD,
    BounceKind.HELD: ReasonKind.HELD,
    BounceKind.OWN_UNIT: ReasonKind.OWN_UNIT,
}
DISRUPTIONS = {
    DisruptionKind.DISLODGED: ReasonKind.CONVOY_BROKEN,
    DisruptionKind.PARADOX: ReasonKind.PARADOX,
    DisruptionKind.ALL_HOLD: ReasonKind.ALL_HOLD,
    DisruptionKind.CANAL_UNIT_LEFT: ReasonKind.CANAL_UNIT_LEFT,
}
# By whether the unit is of the supporter's own power, and whether the support kept others out.
WEAKENED = {
    (True, False): ReasonKind.WITHOUT_EFFECT,
    (False, False): ReasonKind.WITHOUT_EFFECT_ON_MOVERS,
    (True, True): ReasonKind.ONLY_IN_STANDOFF,
    (False, True): ReasonKind.ONLY_IN_STANDOFF_ON_MOVERS,
}
COLONIAL_RULES = {
    VoidReason.NOT_ITS_RAILWAY: "9.21",
    VoidReason.NOT_A_TRAIN: "9.2",
    VoidReason.NOT_A_STATION: "9.21",
    VoidReason.SECOND_TRAIN: "9.22",
    VoidReason.NO_CANAL_UNIT: "9.31",
    VoidReason.NOBODY_AT_CANAL: "9.31",
    VoidReason.NOT_AT_CANAL: "9.34",
    VoidReason.OTHERS_FLEET: "9.34",
    VoidReason.NO_PERMISSION: "9.34",
    VoidReason.NOT_PASSING: "9.34",
}


def reason_of(outcome: Outcome, order: AnyOrder | WrittenOrder) -> Reason:
    """Why an order came out so; `order` is the order itself."""
    match outcome:
        case Bounced(kind, against, strength, resistance, supporters, opposing):
            found = BOUNCES[kind]
            if found is ReasonKind.STANDOFF and strength < resistance:
                found = ReasonKind.STRONGER
            if found is ReasonKind.STANDOFF and isinstance(against, Ride) and not opposing:
                return Reason(ReasonKind.TRAIN, (against,), rule="9.25")
            if kind is BounceKind.HEAD_TO_HEAD and resistance == 1 and not supporters:
                found = ReasonKind.SWAP
            return Reason(found, (against,), (), strength, resistance, supporters, opposing)
        case DislodgedBy(by, strength, resistance, supporters, opposing):
            kind_of_loss = ReasonKind.DISLODGED
            return Reason(kind_of_loss, (by,), (), strength, resistance, supporters, opposing)
        case Cut(by):
            return Reason(ReasonKind.CUT, (by,))
        case Void(reason, _, unit, done, places):
            return Reason(
                reason,
                () if done is None else (done,),
                () if unit is None else (unit,),
                places=places,
                rule=COLONIAL_RULES.get(reason, ""),
            )
        case NoConvoy(is_ordered):
            return Reason(ReasonKind.NO_CONVOY if is_ordered else ReasonKind.NO_FLEET)
        case Disrupted(disruption, fleets, moves):
            return Reason(DISRUPTIONS[disruption], moves, fleets)
        case Halted(station, before, against):
            assert isinstance(order, Ride)
            rule = halting_rule(order, outcome)
            return Reason(ReasonKind.HALTED, (against,), places=(station, before), rule=rule)
        case RetreatClash(others):
            return Reason(ReasonKind.CLASH, others)
        case Disbanded(why):
            return Reason(why)
        case WithoutEffect(unit, in_standoff):
            assert isinstance(order, SupportMove)
            return Reason(WEAKENED[unit.power == order.unit.power, in_standoff], units=(unit,))
        case _:
            assert_never(outcome)


# --- in short English -----------------------------------------------------------------------------

SHORT: Mapping[ReasonKind, str] = {
    ReasonKind.STANDOFF: "{attack} against {defense} of {orders}",
    ReasonKind.STRONGER: "{attack} against {defense} of {orders}",
    ReasonKind.HEAD_TO_HEAD: "{attack} against {defense} of {orders}",
    ReasonKind.HELD: "{attack} against {defense} of {orders}",
    ReasonKind.SWAP: "two units cannot change places without a convoy (rule 6): {orders}",
    ReasonKind.OWN_UNIT: "no power dislodges its own unit ({orders})",
    ReasonKind.CUT: "cut by {orders}",
    ReasonKind.DISLODGED: "dislodged by {orders}, {attack} against {defense}",
    ReasonKind.NO_CONVOY: "the convoys that were ordered make no route",
    ReasonKind.NO_FLEET: "no fleet was ordered to convoy it",
    ReasonKind.CONVOY_BROKEN: "{units} dislodged by {orders}",
    ReasonKind.PARADOX: "stopped by the rule for convoy paradoxes ({units})",
    ReasonKind.ALL_HOLD: "stopped with all moves of a convoy paradox ({units})",
    ReasonKind.CANAL_UNIT_LEFT: "the canal was left ({orders})",
    ReasonKind.TRAIN: "a lone attack bounces with the train {orders}",
    ReasonKind.HALTED: "halted at {places[0]}, before {places[1]}: {orders}",
    ReasonKind.CLASH: "same target as {orders}",
    ReasonKind.WITHOUT_EFFECT: "does not help to dislodge {units}, a unit of its own power",
    ReasonKind.WITHOUT_EFFECT_ON_MOVERS: "does not help to dislodge {units}, a unit of the mover's "
    "power",
    ReasonKind.ONLY_IN_STANDOFF: "does not help to dislodge {units}, a unit of its own power, but "
    "counts in the standoff",
    ReasonKind.ONLY_IN_STANDOFF_ON_MOVERS: "does not help to dislodge {units}, a unit of the "
    "mover's power, but counts in the standoff",
}
BOUNCED = (ReasonKind.STANDOFF, ReasonKind.HEAD_TO_HEAD, ReasonKind.HELD)


def short_reason(result: Result) -> str:
    """All outcomes of an order in words, joined by semicolons; empty if it did all it said."""
    return "; ".join(short_text(reason_of(outcome, result.order)) for outcome in result.outcomes)


def short_text(reason: Reason) -> str:
    """A reason in words, with the places there were to choose from."""
    match reason.kind:
        case VoidReason() | DisbandReason():
            template = reason.kind.short
        case kind:
            template = SHORT[kind]
            if kind in BOUNCED and reason.strength == reason.resistance:
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
    if isinstance(reason.kind, VoidReason):
        if reason.places:
            text += f" ({', '.join(map(str, reason.places))})"
        text += f" ({orders})" if orders else ""
    return text


def _helpers(units: Sequence[Unit]) -> str:
    return f" with {', '.join(map(str, units))}" if units else ""
