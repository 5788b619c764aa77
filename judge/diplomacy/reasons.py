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
from judge.diplomacy.orders import AnyOrder, Location, Ride, Unit, WrittenOrder
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
    HELD = "held"  # orders: of the unit that stayed; strengths
    OWN_UNIT = "own_unit"  # orders: of the unit of the same power that stayed
    CUT = "cut"  # orders: the move that cut it
    DISLODGED = "dislodged"  # orders: the move that drove it out; strengths
    NO_CONVOY = "no_convoy"
    CONVOY_BROKEN = "convoy_broken"  # units: the fleets; orders: the moves that dislodged them
    PARADOX = "paradox"  # units: the fleets
    ALL_HOLD = "all_hold"  # units: the fleets
    CANAL_UNIT_LEFT = "canal_unit_left"  # units: the canal unit; orders: its move
    HALTED = "halted"  # orders: what kept the train out; places: where it is, and of what; rule
    CLASH = "clash"  # orders: the other retreats
    WITHOUT_EFFECT = "without_effect"  # units: the one of the same power


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
COLONIAL_RULES = {
    VoidReason.NOT_ITS_RAILWAY: "9.21",
    VoidReason.NOT_A_TRAIN: "9.2",
    VoidReason.NOT_A_STATION: "9.21",
    VoidReason.SECOND_TRAIN: "9.22",
    VoidReason.NO_CANAL_UNIT: "9.31",
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
        case NoConvoy():
            return Reason(ReasonKind.NO_CONVOY)
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
        case WithoutEffect(unit):
            return Reason(ReasonKind.WITHOUT_EFFECT, units=(unit,))
        case _:
            assert_never(outcome)


# --- in short English -----------------------------------------------------------------------------

SHORT: Mapping[ReasonKind, str] = {
    ReasonKind.STANDOFF: "{attack} against {defense} of {orders}",
    ReasonKind.STRONGER: "{attack} against {defense} of {orders}",
    ReasonKind.HEAD_TO_HEAD: "{attack} against {defense} of {orders}",
    ReasonKind.HELD: "{attack} against {defense} of {orders}",
    ReasonKind.OWN_UNIT: "no power dislodges its own unit ({orders})",
    ReasonKind.CUT: "cut by {orders}",
    ReasonKind.DISLODGED: "dislodged by {orders}, {attack} against {defense}",
    ReasonKind.NO_CONVOY: "the convoys that were ordered make no route",
    ReasonKind.CONVOY_BROKEN: "{units} dislodged by {orders}",
    ReasonKind.PARADOX: "stopped by the rule for convoy paradoxes ({units})",
    ReasonKind.ALL_HOLD: "stopped with all moves of a convoy paradox ({units})",
    ReasonKind.CANAL_UNIT_LEFT: "the canal was left ({orders})",
    ReasonKind.HALTED: "halted at {places[0]}, before {places[1]}: {orders}",
    ReasonKind.CLASH: "same target as {orders}",
    ReasonKind.WITHOUT_EFFECT: "without effect: no power helps to dislodge its own unit ({units})",
}
SHORT_DISBANDED: Mapping[DisbandReason, str] = {
    DisbandReason.NO_RETREAT: "nowhere to retreat",
    DisbandReason.NOT_ORDERED: "no legal retreat was ordered",
    DisbandReason.CLASH: "another unit retreated to the same province",
    DisbandReason.CIVIL_DISORDER: "its power is in civil disorder",
    DisbandReason.NOT_PLAYED: "nobody plays its power",
    DisbandReason.CHOSEN_BY_RULE: "removed by the rule of civil disorder",
}
SHORT_VOID: Mapping[VoidReason, str] = {
    VoidReason.NO_UNIT: "no unit of this power stands there",
    VoidReason.FOREIGN_UNIT: "the unit is another power's",
    VoidReason.WRONG_KIND: "the unit is of the other kind",
    VoidReason.WRONG_POWER: "the unit's power is named wrongly or not at all",
    VoidReason.WRONG_PHASE: "an order for another kind of phase",
    VoidReason.SAME_PROVINCE: "the unit stands there already",
    VoidReason.CANNOT_STAND: "such a unit cannot stand there",
    VoidReason.CLOSED: "nobody may enter that province",
    VoidReason.NOT_ADJACENT: "no way there in one step, nor by convoy",
    VoidReason.NO_CONVOY_POSSIBLE: "no fleets stand where a convoy would need them",
    VoidReason.COAST_NEEDED: "the coast must be named",
    VoidReason.COAST_NOT_REACHED: "the unit does not reach that coast",
    VoidReason.NO_SUCH_COAST: "no such coast there",
    VoidReason.WRONG_COAST: "the unit stands on another coast",
    VoidReason.SUPPORTS_ITSELF: "a unit supports neither itself nor a move to where it stands",
    VoidReason.CANNOT_SUPPORT_THERE: "the supporter could not go there itself",
    VoidReason.NOTHING_TO_SUPPORT: "no unit stands where the supported one is named",
    VoidReason.SUPPORTED_CANNOT: "the supported unit can never make that move",
    VoidReason.SUPPORT_COAST_NEEDED: "the support must name the coast",
    VoidReason.NOT_A_FLEET: "only fleets convoy",
    VoidReason.NOT_AT_SEA: "only fleets at sea convoy",
    VoidReason.NOTHING_TO_CONVOY: "no army stands where the convoyed one is named",
    VoidReason.NOT_AN_ARMY: "only armies are convoyed",
    VoidReason.NOT_ON_ROUTE: "no route of that army needs this fleet",
    VoidReason.TWO_ORDERS: "several different orders to one unit",
    VoidReason.NOT_A_RETREAT: "not among the unit's retreats",
    VoidReason.NO_BUILD_DUE: "more builds than are due",
    VoidReason.NO_DISBAND_DUE: "more removals than are due",
    VoidReason.NOT_A_HOME_CENTER: "not a home center of this power",
    VoidReason.NOBODYS_HOME_CENTER: "not a home center of any power",
    VoidReason.NOT_A_CENTER: "not a supply center",
    VoidReason.NO_HOME_CENTER_OWNED: "this power owns none of its home centers",
    VoidReason.NOT_OWNED: "this power does not own the center",
    VoidReason.OCCUPIED: "a unit stands there",
    VoidReason.BUILT_TWICE: "another build stands in the same province",
    VoidReason.KIND_NEEDED: "army or fleet must be said",
    VoidReason.ALREADY_REMOVED: "the unit is removed already",
    VoidReason.MAY_NOT_WAIVE: "these rules know no waiving",
    VoidReason.SUPPORTED_MOVES: "the supported unit was ordered to move",
    VoidReason.SUPPORTED_STAYS: "the supported unit was not ordered to move",
    VoidReason.SUPPORTED_GOES_ELSEWHERE: "the supported unit was ordered elsewhere",
    VoidReason.ARMY_STAYS: "the army was not ordered to move",
    VoidReason.ARMY_GOES_ELSEWHERE: "the army was ordered elsewhere",
    VoidReason.ARMY_GOES_BY_LAND: "the army goes by land",
    VoidReason.CIVIL_DISORDER: "a unit in civil disorder cannot be supported",
    VoidReason.NO_RAILWAY: "no railway here",
    VoidReason.NOT_ITS_RAILWAY: "the railway is another power's",
    VoidReason.NOT_A_TRAIN: "only armies ride",
    VoidReason.NOT_A_STATION: "the railway has no such station",
    VoidReason.SECOND_TRAIN: "one army a turn rides",
    VoidReason.NO_CANAL: "no canal here",
    VoidReason.NO_CANAL_UNIT: "the power has no unit at the canal",
    VoidReason.NOT_AT_CANAL: "no fleet there that can pass the canal",
    VoidReason.OTHERS_FLEET: "the fleet there is another power's",
    VoidReason.NO_PERMISSION: "no leave to pass the canal",
    VoidReason.NOT_PASSING: "the fleet was not ordered through the canal",
}
BOUNCED = (ReasonKind.STANDOFF, ReasonKind.HEAD_TO_HEAD, ReasonKind.HELD)


def short_reason(result: Result) -> str:
    """All outcomes of an order in words, joined by semicolons; empty if it did all it said."""
    return "; ".join(short_text(reason_of(outcome, result.order)) for outcome in result.outcomes)


def short_text(reason: Reason) -> str:
    """A reason in words, with the places there were to choose from."""
    match reason.kind:
        case VoidReason():
            template = SHORT_VOID[reason.kind]
        case DisbandReason():
            template = SHORT_DISBANDED[reason.kind]
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
