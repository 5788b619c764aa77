"""Why an order failed, in words: who resisted, with what strength and whose help.

Made from the core's one classification of outcomes (`judge/diplomacy/reasons.py`), so that a letter
cannot disagree with the result, nor with what `judge adjudicate` says.
"""

from collections.abc import Mapping

from judge.diplomacy.orders import AnyOrder, Move, SupportMove, Unit, Waive, WrittenOrder
from judge.diplomacy.outcomes import DisbandReason, Outcome, Result, VoidReason
from judge.diplomacy.reasons import Reason, ReasonKind, reason_of
from judge.render.catalogue import N_
from judge.render.diplomacy.lines import short_order
from judge.render.diplomacy.names import Names, short_unit

# Ends of sentences, filled by `outcome_words`.
SENTENCES: Mapping[ReasonKind, str] = {
    ReasonKind.STANDOFF: N_("standoff with {order}, {ours} against {theirs}"),
    ReasonKind.STRONGER: N_("{order} was stronger, {ours} against {theirs}"),
    ReasonKind.HEAD_TO_HEAD: N_("{order} came the other way, {ours} against {theirs}"),
    ReasonKind.HELD: N_("{place} held, {ours} against {theirs}"),
    ReasonKind.OWN_UNIT: N_("{unit} of the same power stayed there"),
    ReasonKind.CUT: N_("cut by {order}"),
    ReasonKind.DISLODGED: N_("dislodged by {order}, {strength} against {resistance}"),
    ReasonKind.NO_CONVOY: N_("no convoy: the fleets that were ordered make no route"),
    ReasonKind.PARADOX: N_(
        "the convoy by {fleets} failed, because its attack would have decided over itself"
    ),
    ReasonKind.ALL_HOLD: N_(
        "all moves failed that hung on each other through the convoy by {fleets}"
    ),
    ReasonKind.CANAL_UNIT_LEFT: N_("the canal was closed: {moves} left it"),
    ReasonKind.HALTED: N_(
        "the train ended at {station}: {order} kept it out of {place} (rule {rule})"
    ),
    ReasonKind.CLASH: N_("{orders} went there too, so all of them are disbanded"),
    ReasonKind.WITHOUT_EFFECT: N_(
        "counted for nothing, because it would dislodge {unit} of the same power"
    ),
}
DISBANDED: Mapping[DisbandReason, str] = {
    DisbandReason.NO_RETREAT: N_("disbanded: it had nowhere to go"),
    DisbandReason.NOT_ORDERED: N_("disbanded: no retreat was ordered"),
    DisbandReason.CLASH: N_("disbanded: another unit retreated there too"),
    DisbandReason.CIVIL_DISORDER: N_("disbanded: its power is in civil disorder"),
    DisbandReason.NOT_PLAYED: N_("disbanded: nobody plays its power"),
    DisbandReason.CHOSEN_BY_RULE: N_("disbanded by the rule, since its power named no unit"),
}
# Orders that were allowed and matched no other order. What breaks the rules is told as a problem
# when the order is sent; here it is only said that it was not possible.
UNMATCHED: Mapping[VoidReason, str] = {
    VoidReason.SUPPORTED_MOVES: N_("no effect: {unit} did not hold, it was ordered {order}"),
    VoidReason.SUPPORTED_STAYS: N_("no effect: {unit} was not ordered to move"),
    VoidReason.SUPPORTED_GOES_ELSEWHERE: N_("no effect: the order there was {order}"),
    VoidReason.ARMY_STAYS: N_("no effect: {unit} was not ordered to move"),
    VoidReason.ARMY_GOES_ELSEWHERE: N_("no effect: the order there was {order}"),
    VoidReason.ARMY_GOES_BY_LAND: N_("no effect: {unit} went by land"),
    VoidReason.NO_PERMISSION: N_("the canal was closed to it: {unit} gave no leave (rule 9.34)"),
    VoidReason.NOT_PASSING: N_("no effect: the order there was {order} (rule 9.34)"),
    VoidReason.CIVIL_DISORDER: N_("no effect: the power is in civil disorder and supports nobody"),
    VoidReason.SECOND_TRAIN: N_("no effect: of two trains in one turn none leaves (rule 9.22)"),
}

FOUGHT = (
    ReasonKind.STANDOFF,
    ReasonKind.STRONGER,
    ReasonKind.HEAD_TO_HEAD,
    ReasonKind.HELD,
    ReasonKind.OWN_UNIT,
)


def failure(result: Result, names: Names) -> str:
    """All that befell an order against its will, joined; empty if nothing did."""
    return names.clauses(
        [outcome_words(outcome, result.order, names) for outcome in result.outcomes]
    )


def outcome_words(outcome: Outcome, order: AnyOrder | WrittenOrder, names: Names) -> str:
    """One outcome as the end of a sentence: `standoff with A VEN - PIE, 1 against 1`."""
    reason = reason_of(outcome, order)
    orders, units = [*map(short_order, reason.orders)], [*map(short_unit, reason.units)]
    values: dict[str, object] = {
        "order": "".join(orders[:1]),
        "orders": names.listed(orders),
        "moves": names.listed(orders),
        "unit": "".join(units[:1]),
        "fleets": names.listed(units),
        "ours": reason.strength,
        "theirs": reason.resistance,
        "strength": reason.strength,
        "resistance": reason.resistance,
        "rule": reason.rule,
    }
    match reason.kind:
        case DisbandReason():
            return names.say(DISBANDED[reason.kind])
        case VoidReason() if reason.kind in UNMATCHED:
            return names.say(UNMATCHED[reason.kind], **values)
        case VoidReason() if reason.rule:
            return names.say("not possible in this position (rule {rule})", rule=reason.rule)
        case VoidReason():
            return names.say("not possible in this position")
        case kind if kind in FOUGHT:
            there = _decisive(reason)
            target = order.target if isinstance(order, Move) else there.location
            values |= {"unit": short_unit(there), "place": names.area(target.province)}
            return _with_supports(names.say(SENTENCES[kind], **values), reason, order, names)
        case ReasonKind.HALTED:
            values["station"], values["place"] = map(names.place, reason.places)
        case ReasonKind.CONVOY_BROKEN:
            return names.count(
                "the convoy broke: {fleets} was dislodged by {moves}",
                "the convoy broke: {fleets} were dislodged by {moves}",
                len(units),
                **values,
            )
        case ReasonKind.DISLODGED if reason.supporters:
            return names.say(
                "dislodged by {order} with {units}, {strength} against {resistance}",
                units=names.short_units(reason.supporters),
                **values,
            )
    return names.say(SENTENCES[reason.kind], **values)


def _decisive(reason: Reason) -> Unit:
    """The unit that a move failed against."""
    (against,) = reason.orders
    assert not isinstance(against, Waive)
    return against.unit


def _with_supports(told: str, reason: Reason, order: AnyOrder | WrittenOrder, names: Names) -> str:
    """The strengths explained by the supports that made them."""
    ours, theirs = names.short_units(reason.supporters), names.short_units(reason.opposing)
    if ours and theirs:
        told = names.say(
            "{what} ({ours} supported the attack, {theirs} the other side)",
            what=told,
            ours=ours,
            theirs=theirs,
        )
    elif ours:
        told = names.say("{what} ({units} supported the attack)", what=told, units=ours)
    elif theirs:
        told = names.say("{what} ({units} supported it)", what=told, units=theirs)

    (against,) = reason.orders
    if not isinstance(order, Move) or not isinstance(against, SupportMove):
        return told
    attacked = against.target.province
    if attacked != order.unit.location.province:
        return told
    # An attack does not cut the support of an attack on its own province; players ask why.
    return names.say(
        "{what}; the support by {unit} was not cut, because it was for the attack on {place} "
        "itself",
        what=told,
        unit=short_unit(against.unit),
        place=names.area(attacked),
    )


def brief_reason(result: Result, names: Names) -> str:
    """A failure in the table of everyone's orders: `1 against 2, A UKR with A WAR`."""
    for reason in [reason_of(outcome, result.order) for outcome in result.outcomes]:
        if reason.kind not in FOUGHT or reason.kind is ReasonKind.OWN_UNIT:
            continue
        if reason.kind is ReasonKind.STANDOFF and reason.strength == reason.resistance:
            continue
        values = {
            "ours": reason.strength,
            "theirs": reason.resistance,
            "unit": short_unit(_decisive(reason)),
        }
        if not reason.opposing:
            return names.say("{ours} against {theirs}, {unit}", **values)
        helpers = names.short_units(reason.opposing)
        return names.say("{ours} against {theirs}, {unit} with {units}", units=helpers, **values)
    return failure(result, names)
