"""Why an order failed, in words: who resisted, with what strength and whose help.

Made from the core's one classification of outcomes (`judge/diplomacy/reasons.py`), so that a letter
cannot disagree with the result, nor with what `judge adjudicate` says.
"""

import msgspec

from judge.diplomacy.orders import AnyOrder, Move, SupportMove, Unit, Waive, WrittenOrder
from judge.diplomacy.outcomes import DisbandReason, Outcome, Result, VoidReason
from judge.diplomacy.reasons import Reason, ReasonKind, reason_of
from judge.render.catalogue import sentence_tables
from judge.render.diplomacy.lines import short_order
from judge.render.diplomacy.names import Names, short_unit


class _Tables(msgspec.Struct, frozen=True):
    failed: dict[ReasonKind, str]
    disbanded: dict[DisbandReason, str]
    unmatched: dict[VoidReason, str]


SENTENCES = sentence_tables("reasons.toml", _Tables)

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
            return names.say(SENTENCES.disbanded[reason.kind])
        case VoidReason() if reason.kind in SENTENCES.unmatched:
            return names.say(SENTENCES.unmatched[reason.kind], **values)
        case VoidReason() if reason.rule:
            return names.say("not possible in this position (rule {rule})", rule=reason.rule)
        case VoidReason():
            return names.say("not possible in this position")
        case kind if kind in FOUGHT:
            there = _decisive(reason)
            target = order.target if isinstance(order, Move) else there.location
            values |= {"unit": short_unit(there), "place": names.area(target.province)}
            return _with_supports(names.say(SENTENCES.failed[kind], **values), reason, order, names)
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
    return names.say(SENTENCES.failed[reason.kind], **values)


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
        if reason.kind is ReasonKind.SWAP:
            return names.say("two units cannot change places without a convoy (rule 6)")
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
