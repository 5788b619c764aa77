"""Lines that could not be stored: what is wrong with each, and what to send instead."""

from collections.abc import Mapping

from judge.diplomacy.notation import parse_canonical
from judge.diplomacy.orders import Unit, UnitKind
from judge.diplomacy.outcomes import VoidReason
from judge.diplomacy.records import Expected, ProblemKind, ProblemValues, ReadingKind, View
from judge.render.catalogue import N_, say
from judge.render.diplomacy.orders import order_row
from judge.render.diplomacy.words import Names, phase_words
from judge.render.part import join_sentences
from judge.rulebook import Line, Problem, ProblemWords, Row, Translator

EXPECTED = {
    Expected.UNIT: N_("a unit, such as A PAR"),
    Expected.PLACE: N_("a province"),
    Expected.MOVE: N_("- for a move"),
    Expected.HOLD: N_("H to hold"),
    Expected.SUPPORT: N_("S to support"),
    Expected.CONVOY: N_("C to convoy"),
    Expected.VIA: N_("VIA for a convoy"),
    Expected.RETREAT: N_("R to retreat"),
    Expected.DISBAND: N_("D to disband"),
    Expected.BUILD: N_("B to build"),
    Expected.WAIVE: N_("WAIVE"),
    Expected.NUMBER: N_("a number"),
    Expected.POWER: N_("a power"),
    Expected.END: N_("the end of the line"),
}

# Each sentence may name: word, unit (the own one), other (another unit), power, places, nearest,
# expected, order, phase, count.
SENTENCES: Mapping[ProblemKind, str] = {
    ReadingKind.NO_PROVINCE: N_('There is no province "{word}".'),
    ReadingKind.NOT_EXPECTED: N_('"{word}" does not fit here. What can stand here: {expected}.'),
    ReadingKind.UNFINISHED: N_("The line ends too soon. What can follow: {expected}."),
    ReadingKind.AMBIGUOUS: N_('"{word}" may mean {places}. Please choose.'),
    ReadingKind.NONE_FITS: N_('"{word}" may mean {places}, and none of them fits this order.'),
    ReadingKind.TOO_LONG: N_("This line is too long to be an order. Write one order a line."),
    ReadingKind.NOT_READ: N_(
        "Your letter has more faulty lines than the judge looks at. Send this one again alone."
    ),
    ReadingKind.GAME_OVER: N_("The game is over; no more orders are needed."),
    ReadingKind.NOTHING_DUE: N_("You have nothing to send in this phase."),
    ReadingKind.NO_WAY_OUT: N_("No place you named ahead is open. It can go to: {places}."),
    VoidReason.NO_UNIT: N_("You have no unit there."),
    VoidReason.FOREIGN_UNIT: N_("The unit there is not yours: {other}."),
    VoidReason.WRONG_KIND: N_("The unit there is of the other kind: {other}."),
    VoidReason.WRONG_POWER: N_("The unit there belongs to another power: {other}."),
    VoidReason.WRONG_PHASE: N_("This is no order for {phase}."),
    VoidReason.SAME_PROVINCE: N_("The unit stands there already."),
    VoidReason.CANNOT_STAND: N_("Armies cannot stand at sea, nor fleets inland."),
    VoidReason.CLOSED: N_("Nobody may enter that province: it is neutral."),
    VoidReason.NOT_ADJACENT: N_("It cannot get there from where it is, not by any convoy either."),
    VoidReason.NO_CONVOY_POSSIBLE: N_(
        "It cannot walk there, and no fleets stand where they could convoy it."
    ),
    VoidReason.COAST_NEEDED: N_("{place} has several coasts, and your fleet reaches {places}."),
    VoidReason.COAST_NOT_REACHED: N_("Your fleet cannot reach that coast from where it is."),
    VoidReason.NO_SUCH_COAST: N_("There is no such coast there."),
    VoidReason.WRONG_COAST: N_("The fleet stands on another coast: {other}."),
    VoidReason.SUPPORTS_ITSELF: N_("A unit cannot support itself, nor a move to where it stands."),
    VoidReason.CANNOT_SUPPORT_THERE: N_(
        "The supporting unit could not go there itself, so it cannot support there."
    ),
    VoidReason.NOTHING_TO_SUPPORT: N_("No unit stands there that could be supported."),
    VoidReason.SUPPORTED_CANNOT: N_("The supported unit can never make that move."),
    VoidReason.SUPPORT_COAST_NEEDED: N_("The support must name the coast of the move: {places}."),
    VoidReason.NOT_A_FLEET: N_("Only fleets convoy."),
    VoidReason.NOT_AT_SEA: N_("A fleet convoys only from a sea province."),
    VoidReason.NOTHING_TO_CONVOY: N_("No army stands there that could be convoyed."),
    VoidReason.NOT_AN_ARMY: N_("Only armies are convoyed."),
    VoidReason.NOT_ON_ROUTE: N_("No way of that army can lead over this fleet."),
    VoidReason.TWO_ORDERS: N_("There are several orders for this unit."),
    VoidReason.NOT_A_RETREAT: N_("It cannot retreat there. It can go to: {places}."),
    VoidReason.NO_BUILD_DUE: N_("You have no more builds than {count}."),
    VoidReason.NO_DISBAND_DUE: N_("You need not disband more units than {count}."),
    VoidReason.NOT_A_HOME_CENTER: N_("You can build only in your own home centers: {places}."),
    VoidReason.NOBODYS_HOME_CENTER: N_("You can build only in home centers: {places}."),
    VoidReason.NOT_A_CENTER: N_("You can build only in supply centers of yours: {places}."),
    VoidReason.NO_HOME_CENTER_OWNED: N_(
        "You can build nowhere until you own one of your home centers again."
    ),
    VoidReason.NOT_OWNED: N_("This center is not yours. You can build in: {places}."),
    VoidReason.OCCUPIED: N_("A unit stands there. You can build in: {places}."),
    VoidReason.BUILT_TWICE: N_("You build there already; only one unit can be built in a center."),
    VoidReason.KIND_NEEDED: N_("Army or fleet must be said in this game: {other}."),
    VoidReason.ALREADY_REMOVED: N_("That unit is disbanded already by another line."),
    VoidReason.MAY_NOT_WAIVE: N_("Builds cannot be waived in this game."),
    VoidReason.SUPPORTED_MOVES: N_("The supported unit was ordered to move."),
    VoidReason.SUPPORTED_STAYS: N_("The supported unit was not ordered to move."),
    VoidReason.SUPPORTED_GOES_ELSEWHERE: N_("The supported unit was ordered elsewhere."),
    VoidReason.ARMY_STAYS: N_("The army was not ordered to move."),
    VoidReason.ARMY_GOES_ELSEWHERE: N_("The army was ordered elsewhere."),
    VoidReason.ARMY_GOES_BY_LAND: N_("The army goes by land."),
    VoidReason.CIVIL_DISORDER: N_("Its power is in civil disorder."),
    VoidReason.NO_RAILWAY: N_("There is no railway in this game."),
    VoidReason.NOT_ITS_RAILWAY: N_("You have no right to use the railway (rule 9.21)."),
    VoidReason.NOT_A_TRAIN: N_("Only armies ride on the railway (rule 9.2)."),
    VoidReason.NOT_A_STATION: N_("The railway runs between {places} only (rule 9.21)."),
    VoidReason.SECOND_TRAIN: N_("Only one army a turn can use the railway (rule 9.22)."),
    VoidReason.NO_CANAL: N_("There is no canal in this game."),
    VoidReason.NO_CANAL_UNIT: N_("You have no unit at the canal to let others pass (rule 9.31)."),
    VoidReason.NOT_AT_CANAL: N_(
        "Leave is for a fleet at one end of the canal, bound for the other (rule 9.34)."
    ),
    VoidReason.OTHERS_FLEET: N_(
        "The fleet there belongs to another power: {other}. Name the power whose fleet may pass "
        "(rule 9.34)."
    ),
    VoidReason.NO_PERMISSION: N_("No leave was given for the canal (rule 9.34)."),
    VoidReason.NOT_PASSING: N_("The fleet was not ordered through the canal (rule 9.34)."),
}

# Said in place of the above where the list that they name is empty.
BARE: Mapping[ProblemKind, str] = {
    ReadingKind.NOT_EXPECTED: N_('"{word}" does not fit here.'),
    ReadingKind.UNFINISHED: N_("The line ends too soon."),
    VoidReason.FOREIGN_UNIT: N_("The unit there is not yours."),
    VoidReason.WRONG_KIND: N_("The unit there is of the other kind."),
    VoidReason.WRONG_POWER: N_("The unit there belongs to another power."),
    VoidReason.WRONG_COAST: N_("The fleet stands on another coast."),
    VoidReason.KIND_NEEDED: N_("Say whether to build an army or a fleet."),
    VoidReason.COAST_NEEDED: N_("That province has several coasts. Please name one."),
    VoidReason.SUPPORT_COAST_NEEDED: N_("The support must name the coast of the move."),
    VoidReason.NOT_A_RETREAT: N_("It cannot retreat there. It can only be disbanded."),
    VoidReason.NO_BUILD_DUE: N_("You have no build to make."),
    VoidReason.NO_DISBAND_DUE: N_("You need not disband any unit."),
    VoidReason.NOT_A_HOME_CENTER: N_("You can build only in your own home centers."),
    VoidReason.NOBODYS_HOME_CENTER: N_("You can build only in home centers."),
    VoidReason.NOT_A_CENTER: N_("You can build only in supply centers of yours."),
    VoidReason.NOT_OWNED: N_("This center is not yours."),
    VoidReason.OCCUPIED: N_("A unit stands there."),
}


def problem_kind(name: str) -> ProblemKind:
    """The kind of that name. Raises ValueError if there is none (a bug)."""
    try:
        return ReadingKind(name)
    except ValueError:
        return VoidReason(name)


def problem_words(view: View, problem: Problem, words: Translator) -> ProblemWords:
    """A problem as the player reads it."""
    values = ProblemValues.from_bytes(problem.values)
    names = Names(view.variant, words)
    return ProblemWords(
        written=problem.written,
        start=problem.start,
        end=problem.end,
        sentence=_sentence(problem_kind(problem.kind), values, view, names),
        send=_send_rows(problem.proposals, names),
    )


def _sentence(kind: ProblemKind, values: ProblemValues, view: View, names: Names) -> str:
    words = names.words
    if kind is ReadingKind.NO_PROVINCE:
        return _no_province(values, view, names)
    filled = _filled(values, view, names)
    if kind is VoidReason.NOT_A_STATION:
        filled["places"] = names.listed(map(names.location, values.places))
    message = SENTENCES[kind]
    if kind in BARE and not _has_list(kind, values):
        message = BARE[kind]
    sentence = say(words, message, **filled)
    if kind is VoidReason.COAST_NEEDED and len(values.places) == 2:
        sentence = say(
            words, "{place} has two coasts, and your fleet reaches both.", place=filled["place"]
        )
    return sentence


def _has_list(kind: ProblemKind, values: ProblemValues) -> bool:
    """Whether the values that the kind's full sentence names are there."""
    match kind:
        case ReadingKind.NOT_EXPECTED | ReadingKind.UNFINISHED:
            return bool(values.expected)
        case (
            VoidReason.FOREIGN_UNIT
            | VoidReason.WRONG_KIND
            | VoidReason.WRONG_POWER
            | VoidReason.WRONG_COAST
            | VoidReason.KIND_NEEDED
        ):
            return values.other is not None
        case VoidReason.NO_BUILD_DUE | VoidReason.NO_DISBAND_DUE:
            return values.count > 0
        case _:
            return bool(values.places)


def _filled(values: ProblemValues, view: View, names: Names) -> dict[str, object]:
    words = names.words
    other, unit = values.other, values.unit
    first = values.places[0].province if values.places else None
    return {
        "word": values.word,
        "unit": names.own_unit(unit) if unit else "",
        "other": _whose(other, view, names) if other else "",
        "power": names.power(values.power) if values.power else "",
        "place": names.province(first) if first else "",
        "places": names.either([names.location(place) for place in values.places]),
        "expected": names.either([say(words, EXPECTED[each]) for each in values.expected]),
        "order": values.order,
        "phase": phase_words(values.label or view.label, words),
        "count": values.count,
    }


def _whose(unit: Unit, view: View, names: Names) -> str:
    return names.own_unit(unit) if unit.power in view.own else names.foreign_unit(unit)


def _no_province(values: ProblemValues, view: View, names: Names) -> str:
    """A name that means nothing: what is near it, best of all a unit of one's own."""
    words = names.words
    sentence = say(words, SENTENCES[ReadingKind.NO_PROVINCE], word=values.word)
    if not values.nearest:
        return sentence
    for unit in view.units:
        if unit.power in view.own and values.nearest == (unit.location.province,):
            return join_sentences((sentence, _your_unit(unit, names)), words)
    near = [
        say(words, "{name} ({id})", name=names.province(province), id=province)
        for province in values.nearest
    ]
    told = say(words, "Near to it: {places}.", places=names.either(near))
    return join_sentences((sentence, told), words)


def _your_unit(unit: Unit, names: Names) -> str:
    place, province = names.place(unit.location), unit.location.province
    if unit.kind is UnitKind.ARMY:
        return say(names.words, "You have an army in {place} ({id}).", place=place, id=province)
    return say(names.words, "You have a fleet in {place} ({id}).", place=place, id=province)


def _send_rows(proposals: tuple[Line, ...], names: Names) -> tuple[Row, ...]:
    """The proposals; where there are several, what tells them apart stands beside each."""
    if len(proposals) == 1:
        return (_send_row(proposals[0], "", names),)
    return tuple(_send_row(line, _difference(line, names), names) for line in proposals)


def _send_row(line: Line, difference: str, names: Names) -> Row:
    order = parse_canonical(line.text)
    return order_row(order, difference, names) if order else Row(line.text, difference)


def _difference(line: Line, names: Names) -> str:
    order = parse_canonical(line.text)
    target = getattr(order, "target", None)
    if target is None:
        unit = getattr(order, "unit", None)
        return names.location(unit.location) if unit else ""
    return names.coast(target.coast) if target.coast else names.province(target.province)
