"""Reasons in short English, for the JSON of `judge adjudicate`; letters have their own words.

The contract promises a `reason` text beside each outcome, for programs and their logs.
"""

from collections.abc import Sequence
from typing import assert_never

from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import Ride, Unit
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

VOID = {
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
    VoidReason.NOT_ITS_RAILWAY: "the railway is another power's (Colonial rule 9.21)",
    VoidReason.NOT_A_TRAIN: "only armies ride (Colonial rule 9.2)",
    VoidReason.NOT_A_STATION: "the railway has no such station (Colonial rule 9.21)",
    VoidReason.SECOND_TRAIN: "one army a turn rides (Colonial rule 9.22)",
    VoidReason.NO_CANAL: "no canal here",
    VoidReason.NO_CANAL_UNIT: "the power has no unit at the canal (Colonial rule 9.31)",
    VoidReason.NOT_AT_CANAL: "no fleet there that can pass the canal (Colonial rule 9.34)",
    VoidReason.OTHERS_FLEET: "the fleet there is another power's (Colonial rule 9.34)",
    VoidReason.NO_PERMISSION: "no leave to pass the canal (Colonial rule 9.34)",
    VoidReason.NOT_PASSING: "the fleet was not ordered through the canal (Colonial rule 9.34)",
}
DISBANDED = {
    DisbandReason.NO_RETREAT: "nowhere to retreat",
    DisbandReason.NOT_ORDERED: "no legal retreat was ordered",
    DisbandReason.CLASH: "another unit retreated to the same province",
    DisbandReason.CIVIL_DISORDER: "its power is in civil disorder",
    DisbandReason.NOT_PLAYED: "nobody plays its power",
    DisbandReason.CHOSEN_BY_RULE: "removed by the rule of civil disorder",
}


def reason_of(result: Result) -> str:
    """All outcomes of an order in words, joined by semicolons; empty if it did all it said."""
    return "; ".join(_words(outcome, result) for outcome in result.outcomes)


def void_words(void: Void) -> str:
    """Why an order had no effect, with the places there were to choose from."""
    text = VOID[void.reason]
    if void.places:
        text += f" ({', '.join(str(place) for place in void.places)})"
    if void.order is not None:
        text += f" ({format_order(void.order)})"
    return text


def _words(outcome: Outcome, result: Result) -> str:
    match outcome:
        case Bounced():
            return _bounced(outcome)
        case Cut(by):
            return f"cut by {format_order(by)}"
        case DislodgedBy():
            attack = _strength(outcome.strength, outcome.supporters)
            held = _strength(outcome.resistance, outcome.opposing)
            return f"dislodged by {format_order(outcome.by)}, {attack} against {held}"
        case Void():
            return void_words(outcome)
        case NoConvoy():
            return "the convoys that were ordered make no route"
        case Disrupted():
            return _disrupted(outcome)
        case Halted():
            return _halted(outcome, result)
        case RetreatClash(others):
            return "same target as " + ", ".join(format_order(other) for other in others)
        case Disbanded(reason):
            return DISBANDED[reason]
        case WithoutEffect(unit):
            return f"without effect: no power helps to dislodge its own unit ({unit})"
        case _:
            assert_never(outcome)


def _bounced(outcome: Bounced) -> str:
    against = format_order(outcome.against)
    if outcome.kind is BounceKind.OWN_UNIT:
        return f"no power dislodges its own unit ({against})"
    if outcome.strength == outcome.resistance:
        helpers = _helpers(outcome.supporters)
        others = _helpers(outcome.opposing)
        return f"same strength ({outcome.strength}{helpers}) as {against}{others}"
    attack = _strength(outcome.strength, outcome.supporters)
    return f"{attack} against {_strength(outcome.resistance, outcome.opposing)} of {against}"


def _strength(strength: int, helpers: Sequence[Unit]) -> str:
    return f"{strength}{_helpers(helpers)}"


def _helpers(units: Sequence[Unit]) -> str:
    return f" with {', '.join(str(unit) for unit in units)}" if units else ""


def _halted(outcome: Halted, result: Result) -> str:
    assert isinstance(result.order, Ride)
    against, rule = format_order(outcome.against), halting_rule(result.order, outcome)
    where = f"halted at {outcome.station}, before {outcome.before}"
    return f"{where}: {against} (Colonial rule {rule})"


def _disrupted(outcome: Disrupted) -> str:
    fleets = ", ".join(str(fleet) for fleet in outcome.fleets)
    if outcome.kind is DisruptionKind.PARADOX:
        return f"stopped by the rule for convoy paradoxes ({fleets})"
    if outcome.kind is DisruptionKind.ALL_HOLD:
        return f"stopped with all moves of a convoy paradox ({fleets})"
    by = ", ".join(format_order(move) for move in outcome.by)
    if outcome.kind is DisruptionKind.CANAL_UNIT_LEFT:
        return f"the canal was left ({by})"
    return f"{fleets} dislodged by {by}"
