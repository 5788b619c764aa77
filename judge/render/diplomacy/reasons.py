"""Why an order failed, in words: who resisted, with what strength and whose help.

Made from the core's one classification of outcomes (`judge/diplomacy/reasons.py`), so that a letter
cannot disagree with the result, nor with what `judge adjudicate` says.
"""

from collections.abc import Mapping, Sequence

from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder, Move, SupportMove, Unit, Waive, WrittenOrder
from judge.diplomacy.outcomes import DisbandReason, Outcome, Result, VoidReason
from judge.diplomacy.reasons import Reason, ReasonKind, reason_of
from judge.render.catalogue import N_, count, say
from judge.render.diplomacy.words import Names
from judge.render.layout import unbroken

# Ends of sentences, filled by `_values`.
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
DISBANDED = {
    DisbandReason.NO_RETREAT: N_("disbanded: it had nowhere to go"),
    DisbandReason.NOT_ORDERED: N_("disbanded: no retreat was ordered"),
    DisbandReason.CLASH: N_("disbanded: another unit retreated there too"),
    DisbandReason.CIVIL_DISORDER: N_("disbanded: its power is in civil disorder"),
    DisbandReason.NOT_PLAYED: N_("disbanded: nobody plays its power"),
    DisbandReason.CHOSEN_BY_RULE: N_("disbanded by the rule, since its power named no unit"),
}

# Orders that were allowed and matched no other order. All else is told as a problem is.
_UNMATCHED = {
    VoidReason.SUPPORTED_MOVES: N_("no effect: {unit} did not hold, it was ordered {order}"),
    VoidReason.SUPPORTED_STAYS: N_("no effect: {unit} was not ordered to move"),
    VoidReason.SUPPORTED_GOES_ELSEWHERE: N_("no effect: the order there was {order}"),
    VoidReason.ARMY_STAYS: N_("no effect: {unit} was not ordered to move"),
    VoidReason.ARMY_GOES_ELSEWHERE: N_("no effect: the order there was {order}"),
    VoidReason.ARMY_GOES_BY_LAND: N_("no effect: {unit} went by land"),
    VoidReason.NO_PERMISSION: N_("the canal was closed to it: {unit} gave no leave (rule 9.34)"),
    VoidReason.NOT_PASSING: N_("no effect: the order there was {order} (rule 9.34)"),
    VoidReason.CIVIL_DISORDER: N_("no effect: the power is in civil disorder and supports nobody"),
}

FOUGHT = (
    ReasonKind.STANDOFF,
    ReasonKind.STRONGER,
    ReasonKind.HEAD_TO_HEAD,
    ReasonKind.HELD,
    ReasonKind.OWN_UNIT,
)


def unit_texts(units: tuple[Unit, ...], names: Names) -> str:
    """`F NTH and A BEL`."""
    return names.listed([unbroken(str(unit)) for unit in units])


def failure(result: Result, names: Names) -> str:
    """All that befell an order against its will, joined; empty if nothing did."""
    told = [outcome_words(outcome, result.order, names) for outcome in result.outcomes]
    return join_clauses(told, names)


def join_clauses(told: Sequence[str], names: Names) -> str:
    """Ends of sentences, one after the other: `{first}; {second}`."""
    text = "".join(told[:1])
    for more in told[1:]:
        text = say(names.words, "{first}; {second}", first=text, second=more)
    return text


def outcome_words(outcome: Outcome, order: AnyOrder | WrittenOrder, names: Names) -> str:
    """One outcome as the end of a sentence: `standoff with A VEN - PIE, 1 against 1`."""
    reason, words = reason_of(outcome, order), names.words
    values = _values(reason, order, names)
    match reason.kind:
        case DisbandReason():
            return say(words, DISBANDED[reason.kind])
        case VoidReason.SECOND_TRAIN:
            return say(words, "no effect: of two trains in one turn none leaves (rule 9.22)")
        case VoidReason() if reason.kind in _UNMATCHED:
            return say(words, _UNMATCHED[reason.kind], **values)
        case VoidReason() if reason.rule:
            return say(words, "not possible in this position (rule {rule})", rule=reason.rule)
        case VoidReason():
            return say(words, "not possible in this position")
        case ReasonKind.CONVOY_BROKEN:
            return count(
                words,
                "the convoy broke: {fleets} was dislodged by {moves}",
                "the convoy broke: {fleets} were dislodged by {moves}",
                len(reason.units),
                **values,
            )
        case ReasonKind.DISLODGED if reason.supporters:
            return say(
                words,
                "dislodged by {order} with {units}, {strength} against {resistance}",
                units=unit_texts(reason.supporters, names),
                **values,
            )
    text = say(words, SENTENCES[reason.kind], **values)
    if reason.kind in FOUGHT:
        text = _with_uncut_support(_with_help(text, reason, names), reason, order, names)
    return text


def _values(reason: Reason, order: AnyOrder | WrittenOrder, names: Names) -> dict[str, object]:
    """What the sentences are filled with."""
    orders = [unbroken(format_order(each)) for each in reason.orders]
    units = [unbroken(str(unit)) for unit in reason.units]
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
    if reason.kind is ReasonKind.HALTED:
        values["station"], values["place"] = map(names.place, reason.places)
    elif reason.kind in FOUGHT:
        there = _decisive(reason)
        values["unit"] = unbroken(str(there))
        aimed_at = order.target if isinstance(order, Move) else there.location
        values["place"] = names.area(aimed_at.province)
    return values


def _decisive(reason: Reason) -> Unit:
    """The unit that a move failed against."""
    (against,) = reason.orders
    assert not isinstance(against, Waive)
    return against.unit


def _with_help(text: str, reason: Reason, names: Names) -> str:
    """The strengths explained by the supports that made them."""
    words, ours, theirs = names.words, reason.supporters, reason.opposing
    if ours and theirs:
        return say(
            words,
            "{what} ({ours} supported the attack, {theirs} the other side)",
            what=text,
            ours=unit_texts(ours, names),
            theirs=unit_texts(theirs, names),
        )
    if ours:
        helpers = unit_texts(ours, names)
        return say(words, "{what} ({units} supported the attack)", what=text, units=helpers)
    if theirs:
        helpers = unit_texts(theirs, names)
        return say(words, "{what} ({units} supported it)", what=text, units=helpers)
    return text


def _with_uncut_support(
    text: str, reason: Reason, order: AnyOrder | WrittenOrder, names: Names
) -> str:
    """An attack does not cut the support of an attack on its own province; players ask why."""
    (against,) = reason.orders
    if not isinstance(order, Move) or not isinstance(against, SupportMove):
        return text
    if against.target.province != order.unit.location.province:
        return text
    return say(
        names.words,
        "{what}; the support by {unit} was not cut, because it was for the attack on {place} "
        "itself",
        what=text,
        unit=unbroken(str(against.unit)),
        place=names.area(against.target.province),
    )


def brief_reason(result: Result, names: Names) -> str:
    """A failure in the table of everyone's orders: `1 against 2, A UKR with A WAR`."""
    words = names.words
    found = [reason_of(outcome, result.order) for outcome in result.outcomes]
    for reason in found:
        if reason.kind not in FOUGHT or reason.kind is ReasonKind.OWN_UNIT:
            continue
        if reason.kind is ReasonKind.STANDOFF and reason.strength == reason.resistance:
            continue
        values = {
            "ours": reason.strength,
            "theirs": reason.resistance,
            "unit": unbroken(str(_decisive(reason))),
        }
        if not reason.opposing:
            return say(words, "{ours} against {theirs}, {unit}", **values)
        helpers = unit_texts(reason.opposing, names)
        return say(words, "{ours} against {theirs}, {unit} with {units}", units=helpers, **values)
    return failure(result, names)
