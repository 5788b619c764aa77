"""Why an order failed, in words: who resisted, with what strength and whose help.

Made from the core's one classification of outcomes (`judge/diplomacy/reasons.py`), so that a letter
cannot disagree with the result, nor with what `judge adjudicate` says.
"""

import msgspec

from judge.diplomacy import orders as o
from judge.diplomacy.outcomes import DisbandReason, Outcome, Result, VoidReason
from judge.diplomacy.reasons import Reason, ReasonKind, reason_of
from judge.render.catalogue import sentence_tables
from judge.render.diplomacy.lines import short_order
from judge.render.diplomacy.names import Names, short_unit
from judge.rulebook import Message


class _Tables(msgspec.Struct, frozen=True):
    failed: dict[ReasonKind, str]
    disbanded: dict[DisbandReason, str]
    unmatched: dict[VoidReason, str]
    special: dict[str, Message]
    brief: dict[str, str]
    unseen: dict[ReasonKind, str]


SENTENCES = sentence_tables("reasons.toml", _Tables)
SPECIAL = SENTENCES.special

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


def outcome_words(outcome: Outcome, order: o.AnyOrder | o.WrittenOrder, names: Names) -> str:
    """One outcome as the end of a sentence: `standoff with A VEN - PIE, 1 against 1`."""
    reason = reason_of(outcome, order)
    acting = [one.unit for one in reason.orders if not isinstance(one, o.Waive)]
    if any(o.is_hidden(one) for one in (*acting, *reason.units)):
        places = map(names.location_in_sentence, reason.places)
        values: dict[str, object] = dict(zip(("station", "place"), places, strict=False))
        return names.say(SENTENCES.unseen[ReasonKind(reason.kind)], **values)
    orders, units = [*map(short_order, reason.orders)], [*map(short_unit, reason.units)]
    values = {
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
            return names.say(SENTENCES.disbanded[reason.kind])
        case VoidReason() if reason.kind in SENTENCES.unmatched:
            return names.say(SENTENCES.unmatched[reason.kind], **values)
        case VoidReason():
            key = "impossible_by_rule" if reason.rule else "impossible"
            return names.tell(SPECIAL[key], rule=reason.rule)
        case kind if kind in FOUGHT:
            (there,) = acting
            target = order.target if isinstance(order, o.Move) else there.location
            values |= {
                "unit": short_unit(there),
                "place": names.province_in_sentence(target.province),
            }
            return _with_supports(names.say(SENTENCES.failed[kind], **values), reason, order, names)
        case ReasonKind.HALTED:
            values["station"], values["place"] = map(names.location_in_sentence, reason.places)
        case ReasonKind.CONVOY_BROKEN:
            return names.tell(SPECIAL["convoy_broken"], len(units), **values)
        case ReasonKind.DISLODGED if reason.supporters:
            values["units"] = names.short_units(reason.supporters)
            return names.tell(SPECIAL["dislodged_with_support"], **values)
    return names.say(SENTENCES.failed[reason.kind], **values)


def _with_supports(
    told: str, reason: Reason, order: o.AnyOrder | o.WrittenOrder, names: Names
) -> str:
    """The strengths explained by the supports that made them."""
    ours, theirs = names.short_units(reason.supporters), names.short_units(reason.opposing)
    if ours or theirs:
        key = "other_supported" if not ours else "both_supported" if theirs else "attack_supported"
        values = {"ours": ours, "theirs": theirs, "units": ours or theirs}
        told = names.tell(SPECIAL[key], what=told, **values)

    (against,) = reason.orders
    if not isinstance(order, o.Move) or not isinstance(against, o.SupportMove):
        return told
    attacked = against.target.province
    if attacked != order.unit.location.province:
        return told
    # An attack does not cut the support of an attack on its own province; players ask why.
    unit, place = short_unit(against.unit), names.province_in_sentence(attacked)
    return names.tell(SPECIAL["support_not_cut"], what=told, unit=unit, place=place)


def brief_reason(result: Result, names: Names) -> str:
    """A failure in the table of everyone's orders: `1 against 2, A UKR with A WAR`."""
    for reason in [reason_of(outcome, result.order) for outcome in result.outcomes]:
        if reason.kind is ReasonKind.SWAP:
            return names.tell(SENTENCES.brief["swap"])
        if reason.kind not in FOUGHT or reason.kind is ReasonKind.OWN_UNIT:
            continue
        (against,) = [one.unit for one in reason.orders if not isinstance(one, o.Waive)]
        is_even = reason.kind is ReasonKind.STANDOFF and reason.strength == reason.resistance
        if o.is_hidden(against) or is_even:
            continue
        return names.tell(
            SENTENCES.brief["supported" if reason.opposing else "alone"],
            ours=reason.strength,
            theirs=reason.resistance,
            unit=short_unit(against),
            units=names.short_units(reason.opposing),
        )
    return failure(result, names)
