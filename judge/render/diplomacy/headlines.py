"""The first line of a result letter, under 60 characters, and the count of one's own orders."""

from judge.diplomacy.orders import Build, Disband, Retreat, Unit
from judge.diplomacy.outcomes import Result
from judge.diplomacy.records import OwnReport, PhaseReport
from judge.diplomacy.rules import EndKind
from judge.render.catalogue import count, say
from judge.render.diplomacy.words import Names, phase_words
from judge.render.layout import display_width

HEADLINE_COLUMNS = 59


def headline(report: PhaseReport, own: OwnReport | None, names: Names) -> str:
    """What happened to the reader; to a reader without a seat, what phase is over."""
    words = names.words
    if report.winners:
        return _end(report, names)
    if own is not None and own.dislodged:
        return _dislodged(own, names)
    if own is not None and own.results:
        match report.kind:
            case "M":
                return _movement(own, names)
            case "R":
                return _retreats(own, names)
            case "A":
                return _adjustments(own, names)
    return say(words, "{phase}: the results.", phase=phase_words(report.label, words))


def _end(report: PhaseReport, names: Names) -> str:
    words = names.words
    if report.is_draw:
        match report.end:
            case EndKind.LAST_YEAR:
                return say(words, "A draw: the game's last year is over.")
            case _:
                n = report.quiet_years
                return count(
                    words,
                    "A draw: no center changed hands for {n} year.",
                    "A draw: no center changed hands for {n} years.",
                    n,
                )
    named = [names.power(power) for power in report.winners]
    for powers in (names.listed(named), "/".join(named)):
        told = count(
            words,
            "{powers} has won the game.",
            "{powers} have won the game together.",
            len(named),
            powers=powers,
        )
        if display_width(told) <= HEADLINE_COLUMNS:
            break
    return told


def _dislodged(own: OwnReport, names: Names) -> str:
    words = names.words
    if len(own.dislodged) > 1:
        return count(
            words,
            "{n} of your units is dislodged.",
            "{n} of your units are dislodged.",
            len(own.dislodged),
        )
    (lost,) = own.dislodged
    for unit in (names.own_unit(lost.unit), str(lost.unit)):
        told = _lost_one(unit, names, may_retreat=bool(lost.retreats))
        if display_width(told) <= HEADLINE_COLUMNS:
            break
    return told


def _lost_one(unit: str, names: Names, *, may_retreat: bool) -> str:
    if may_retreat:
        told = say(names.words, "{unit} is dislodged. It can retreat.", unit=unit)
    else:
        told = say(names.words, "{unit} is dislodged and disbanded.", unit=unit)
    return told[0].upper() + told[1:]


def _movement(own: OwnReport, names: Names) -> str:
    words, total = names.words, own.ordered
    if not total:
        return say(words, "No orders came from you: your units held.")
    worked = _succeeded(own)
    if worked == total:
        return count(words, "Your order succeeded.", "All your {n} orders succeeded.", total)
    if not worked:
        return count(words, "Your order failed.", "All your {n} orders failed.", total)
    return count(
        words,
        "{n} of your {total} orders succeeded.",
        "{n} of your {total} orders succeeded.",
        worked,
        total=total,
    )


def _retreats(own: OwnReport, names: Names) -> str:
    words = names.words
    left = [each for each in own.results if _is_retreat(each) and not each.outcomes]
    if len(own.results) > 1:
        return count(
            words,
            "Your retreats: {n} unit has left, {lost} disbanded.",
            "Your retreats: {n} units have left, {lost} disbanded.",
            len(left),
            lost=len(own.results) - len(left),
        )
    (only,) = own.results
    unit = _unit_name(only.unit, names)
    if left:
        return say(words, "{unit} has retreated.", unit=unit)
    return say(words, "{unit} is disbanded.", unit=unit)


def _is_retreat(result: Result) -> bool:
    return isinstance(result.order, Retreat)


def _unit_name(unit: Unit | None, names: Names) -> str:
    told = names.own_unit(unit) if unit else ""
    return told[:1].upper() + told[1:]


def _adjustments(own: OwnReport, names: Names) -> str:
    words = names.words
    built = [each for each in own.results if isinstance(each.order, Build) and not each.outcomes]
    gone = [each for each in own.results if isinstance(each.order, Disband) and each.unit]
    if gone:
        return count(
            words, "One of your units is disbanded.", "{n} of your units are disbanded.", len(gone)
        )
    if built:
        return count(words, "You have built one unit.", "You have built {n} units.", len(built))
    return say(words, "You have built nothing.")


def _succeeded(own: OwnReport) -> int:
    """How many ordered units did as they were told; those without an order just held."""
    idle = len(own.results) - own.ordered
    return max(sum(1 for result in own.results if result.succeeded) - idle, 0)


def own_count(report: PhaseReport, own: OwnReport | None, names: Names) -> str:
    """What stands above the reader's own orders; empty if he had none."""
    words = names.words
    if own is None or not own.results:
        return ""
    if report.kind == "M" and not own.ordered:
        return say(words, "Your units:")
    if report.kind != "M" or not own.dislodged:
        return say(words, "Your orders:")
    worked = _succeeded(own)
    return count(
        words,
        "Your order: {worked} succeeded, {failed} failed.",
        "Your {n} orders: {worked} succeeded, {failed} failed.",
        own.ordered,
        worked=worked,
        failed=own.ordered - worked,
    )
