"""Why an order failed, in words: who resisted, with what strength and whose help.

Made from the outcome alone, so that a reason cannot disagree with its result.
"""

from collections.abc import Sequence
from typing import assert_never

from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder, Move, Ride, SupportMove, Unit, WrittenOrder
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
from judge.render.catalogue import N_, count, say
from judge.render.diplomacy.words import Names
from judge.render.layout import unbroken
from judge.rulebook import Translator


def unit_texts(units: tuple[Unit, ...], names: Names) -> str:
    """`F NTH and A BEL`."""
    return names.listed([unbroken(str(unit)) for unit in units])


def _order(order: AnyOrder | WrittenOrder) -> str:
    return unbroken(format_order(order))


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
    words = names.words
    match outcome:
        case Bounced():
            told = _with_help(_bounce(outcome, order, names), outcome, words, names)
            return _with_uncut_support(told, order, outcome, names)
        case Cut(by):
            return say(words, "cut by {order}", order=_order(by))
        case DislodgedBy():
            return _dislodgement(outcome, names)
        case Void():
            return void_words(outcome, names)
        case NoConvoy():
            return say(words, "no convoy: the fleets that were ordered make no route")
        case Disrupted():
            return _disruption(outcome, names)
        case Halted():
            return _halt(outcome, order, names)
        case RetreatClash(others):
            orders = names.listed([_order(other) for other in others])
            return say(
                words, "{orders} went there too, so all of them are disbanded", orders=orders
            )
        case Disbanded(reason):
            return say(words, DISBANDED[reason])
        case WithoutEffect(unit):
            return say(
                words,
                "counted for nothing, because it would dislodge {unit} of the same power",
                unit=unbroken(str(unit)),
            )
        case _:
            assert_never(outcome)


def _with_uncut_support(
    text: str, order: AnyOrder | WrittenOrder, bounced: Bounced, names: Names
) -> str:
    """An attack does not cut the support of an attack on its own province; players ask why."""
    against = bounced.against
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


def _dislodgement(outcome: DislodgedBy, names: Names) -> str:
    values = {
        "order": _order(outcome.by),
        "strength": outcome.strength,
        "resistance": outcome.resistance,
    }
    if not outcome.supporters:
        return say(names.words, "dislodged by {order}, {strength} against {resistance}", **values)
    helpers = unit_texts(outcome.supporters, names)
    return say(
        names.words,
        "dislodged by {order} with {units}, {strength} against {resistance}",
        units=helpers,
        **values,
    )


def _halt(halted: Halted, order: AnyOrder | WrittenOrder, names: Names) -> str:
    assert isinstance(order, Ride)
    return say(
        names.words,
        "the train ended at {station}: {order} kept it out of {place} (rule {rule})",
        station=names.place(halted.station),
        order=_order(halted.against),
        place=names.place(halted.before),
        rule=halting_rule(order, halted),
    )


def _bounce(bounced: Bounced, order: AnyOrder | WrittenOrder, names: Names) -> str:
    words, against = names.words, _order(bounced.against)
    ours, theirs = bounced.strength, bounced.resistance
    match bounced.kind:
        case BounceKind.STANDOFF if ours < theirs:
            return say(
                words,
                "{order} was stronger, {ours} against {theirs}",
                order=against,
                ours=ours,
                theirs=theirs,
            )
        case BounceKind.STANDOFF:
            return say(
                words,
                "standoff with {order}, {ours} against {theirs}",
                order=against,
                ours=ours,
                theirs=theirs,
            )
        case BounceKind.HEAD_TO_HEAD:
            return say(
                words,
                "{order} came the other way, {ours} against {theirs}",
                order=against,
                ours=ours,
                theirs=theirs,
            )
        case BounceKind.HELD:
            return say(
                words,
                "{place} held, {ours} against {theirs}",
                place=_target(order, bounced, names),
                ours=ours,
                theirs=theirs,
            )
        case BounceKind.OWN_UNIT:
            return say(
                words,
                "{unit} of the same power stayed there",
                unit=unbroken(str(bounced.against.unit)),
            )
        case _:
            assert_never(bounced.kind)


def _target(order: AnyOrder | WrittenOrder, bounced: Bounced, names: Names) -> str:
    province = bounced.against.unit.location.province
    return names.area(order.target.province if isinstance(order, Move) else province)


def _with_help(text: str, bounced: Bounced, words: Translator, names: Names) -> str:
    """The strengths explained by the supports that made them."""
    ours, theirs = bounced.supporters, bounced.opposing
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


def _disruption(outcome: Disrupted, names: Names) -> str:
    words, fleets = names.words, unit_texts(outcome.fleets, names)
    match outcome.kind:
        case DisruptionKind.PARADOX:
            return say(
                words,
                "the convoy by {fleets} failed, because its attack would have decided over itself",
                fleets=fleets,
            )
        case DisruptionKind.ALL_HOLD:
            return say(
                words,
                "all moves failed that hung on each other through the convoy by {fleets}",
                fleets=fleets,
            )
        case DisruptionKind.CANAL_UNIT_LEFT:
            moves = names.listed([_order(move) for move in outcome.by])
            return say(words, "the canal was closed: {moves} left it", moves=moves)
        case DisruptionKind.DISLODGED:
            moves = names.listed([_order(move) for move in outcome.by])
            return count(
                words,
                "the convoy broke: {fleets} was dislodged by {moves}",
                "the convoy broke: {fleets} were dislodged by {moves}",
                len(outcome.fleets),
                fleets=fleets,
                moves=moves,
            )
        case _:
            assert_never(outcome.kind)


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

# Rules of the Colonial rulebook that an order broke, in the report of a phase.
_BROKEN = {
    VoidReason.NOT_ITS_RAILWAY: "9.21",
    VoidReason.NOT_A_TRAIN: "9.2",
    VoidReason.NOT_A_STATION: "9.21",
    VoidReason.NO_CANAL_UNIT: "9.31",
    VoidReason.NOT_AT_CANAL: "9.34",
    VoidReason.OTHERS_FLEET: "9.34",
}


def void_words(void: Void, names: Names) -> str:
    """Why an order had no effect, as the end of a sentence."""
    order = _order(void.order) if void.order else ""
    message = _UNMATCHED.get(void.reason)
    if void.reason is VoidReason.SECOND_TRAIN:
        return say(names.words, "no effect: of two trains in one turn none leaves (rule 9.22)")
    if void.reason in _BROKEN:
        rule = _BROKEN[void.reason]
        return say(names.words, "not possible in this position (rule {rule})", rule=rule)
    if message is None:
        return say(names.words, "not possible in this position")
    return say(names.words, message, unit=unbroken(str(void.unit or "")), order=order)


def brief_reason(result: Result, names: Names) -> str:
    """A failure in the table of everyone's orders: `1 against 2, A UKR with A WAR`."""
    words = names.words
    for outcome in result.outcomes:
        if not isinstance(outcome, Bounced):
            continue
        if outcome.kind is BounceKind.OWN_UNIT:
            break
        if outcome.kind is BounceKind.STANDOFF and outcome.strength == outcome.resistance:
            break
        defender = outcome.against.unit
        values = {
            "ours": outcome.strength,
            "theirs": outcome.resistance,
            "unit": unbroken(str(defender)),
        }
        if not outcome.opposing:
            return say(words, "{ours} against {theirs}, {unit}", **values)
        helpers = unit_texts(outcome.opposing, names)
        return say(words, "{ours} against {theirs}, {unit} with {units}", units=helpers, **values)
    return failure(result, names)
