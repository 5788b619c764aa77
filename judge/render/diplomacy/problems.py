"""Lines that could not be stored: what is wrong with each, and what to send instead; and notes on
lines that were stored."""

from collections.abc import Mapping

from judge.diplomacy.notation import format_order, parse_canonical
from judge.diplomacy.orders import UnitKind
from judge.diplomacy.outcomes import VoidReason
from judge.diplomacy.records import (
    Expected,
    NoteKind,
    NoteValues,
    ProblemKind,
    ProblemValues,
    ReadingKind,
    View,
)
from judge.render.catalogue import N_, join_sentences
from judge.render.diplomacy.lines import order_row
from judge.render.diplomacy.names import Names
from judge.rulebook import Line, Note, Problem, ProblemWords, Row

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

# Said in place of the above where what they list is empty.
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


# What the full sentences of the above need; all others of them need `places`.
NEEDED: Mapping[ProblemKind, str] = {
    **dict.fromkeys((ReadingKind.NOT_EXPECTED, ReadingKind.UNFINISHED), "expected"),
    **dict.fromkeys(
        (
            VoidReason.FOREIGN_UNIT,
            VoidReason.WRONG_KIND,
            VoidReason.WRONG_POWER,
            VoidReason.WRONG_COAST,
            VoidReason.KIND_NEEDED,
        ),
        "other",
    ),
    **dict.fromkeys((VoidReason.NO_BUILD_DUE, VoidReason.NO_DISBAND_DUE), "count"),
}

YOUR_UNITS = {
    UnitKind.ARMY: N_("You have an army in {place} ({id})."),
    UnitKind.FLEET: N_("You have a fleet in {place} ({id})."),
}


def problem_words(view: View, problem: Problem, names: Names) -> ProblemWords:
    """A problem as the player reads it."""
    is_reading = problem.kind in set(ReadingKind)
    kind = ReadingKind(problem.kind) if is_reading else VoidReason(problem.kind)
    values = ProblemValues.from_bytes(problem.values)
    if kind is ReadingKind.NO_PROVINCE:
        sentence = _no_province(values, view, names)
    else:
        sentence = _sentence(kind, values, view, names)
    several = len(problem.proposals) > 1
    send = tuple(_send_row(line, names, tells_apart=several) for line in problem.proposals)
    return ProblemWords(problem.written, problem.start, problem.end, sentence, send)


def _sentence(kind: ProblemKind, values: ProblemValues, view: View, names: Names) -> str:
    message = SENTENCES[kind]
    if kind in BARE and not getattr(values, NEEDED.get(kind, "places")):
        message = BARE[kind]
    places = [names.location(place) for place in values.places]
    if kind is VoidReason.COAST_NEEDED and len(places) == 2:
        message = N_("{place} has two coasts, and your fleet reaches both.")
    is_all = kind is VoidReason.NOT_A_STATION
    other, whose = values.other, ""
    if other is not None:
        whose = names.own_unit(other) if other.power in view.own else names.foreign_unit(other)
    return names.say(
        message,
        word=values.word,
        other=whose,
        place=names.province(values.places[0].province) if places else "",
        places=names.listed(places) if is_all else names.either(places),
        expected=names.either([names.say(EXPECTED[each]) for each in values.expected]),
        phase=names.phase(values.label or view.label),
        count=values.count,
    )


def _no_province(values: ProblemValues, view: View, names: Names) -> str:
    """A name that means nothing: what is near it, best of all a unit of one's own."""
    sentence = names.say(SENTENCES[ReadingKind.NO_PROVINCE], word=values.word)
    if not values.nearest:
        return sentence
    near = [
        names.say("{name} ({id})", name=names.province(province), id=province)
        for province in values.nearest
    ]
    told = names.say("Near to it: {places}.", places=names.either(near))
    for unit in view.units:
        if unit.power in view.own and values.nearest == (unit.location.province,):
            place, province = names.place(unit.location), unit.location.province
            told = names.say(YOUR_UNITS[unit.kind], place=place, id=province)
    return join_sentences((sentence, told), names)


def _send_row(line: Line, names: Names, *, tells_apart: bool) -> Row:
    """A proposal; where there are several, what tells it apart stands beside it."""
    order = parse_canonical(line.text)
    if order is None:
        return Row(line.text, "")
    difference, unit = "", getattr(order, "unit", None)
    if tells_apart and (target := getattr(order, "target", None)):
        province = names.province(target.province)
        difference = names.coast(target.coast) if target.coast else province
    elif tells_apart and unit:
        difference = names.location(unit.location)
    return order_row(order, difference, names)


# --- notes ----------------------------------------------------------------------------------------

# Each sentence may name: word, place, unit, order.
NOTES: Mapping[NoteKind, str] = {
    NoteKind.REPLACED: N_("Your letter held another line for this unit above it: {order}."),
    NoteKind.COAST_FILLED: N_("The coast was left out; {place} is the only one that fits."),
    NoteKind.COAST_BY_RULE: N_("The coast was left out; by the rules of this game it is {place}."),
    NoteKind.COAST_DROPPED: N_("A coast was named that makes no difference there: {place}."),
    NoteKind.COAST_CORRECTED: N_("Another coast was named; {place} is the one that fits."),
    NoteKind.KIND_CORRECTED: N_("It was named as the other kind of unit: {unit} stands there."),
    NoteKind.ARMY_BUILT: N_(
        "A fleet cannot be built there; by the rules of this game an army is: {unit}."
    ),
    NoteKind.STANDS_IMPOSSIBLE: N_(
        "Please look: it can never get there. By the rules of this game it stands as a move that "
        "fails."
    ),
    NoteKind.SHOWS_INTENT: N_(
        "Please look: the fleet can never carry it. By the rules of this game this only says that "
        "{unit} means to go by convoy."
    ),
    NoteKind.POWER_CORRECTED: N_("It was named as another power's: {unit} stands there."),
    NoteKind.NAME_TAKEN: N_('"{word}" was read as {place}; nothing else fits this order.'),
    NoteKind.SUPPORTED_ELSEWHERE: N_("Please look: you support {unit}, whose order is {order}."),
    NoteKind.ARMY_ELSEWHERE: N_("Please look: you convoy {unit}, whose order is {order}."),
    NoteKind.NO_FLEETS: N_("Please look: no fleet of yours convoys {unit}."),
    NoteKind.DISLODGES_OWN: N_("Please look: {unit} is your own and stays there."),
    NoteKind.SECOND_RIDE: N_(
        "Please look: {order}: of several trains in one turn none leaves (rule 9.22)."
    ),
    NoteKind.GOAL_OCCUPIED: N_(
        "Please look: {unit} stands where the train is to end. Unless it leaves, the train stops "
        "before it (rule 9.23)."
    ),
}

NO_ORDER: Mapping[NoteKind, str] = {
    NoteKind.SUPPORTED_ELSEWHERE: N_("Please look: you support {unit}, which has no such order."),
    NoteKind.ARMY_ELSEWHERE: N_("Please look: you convoy {unit}, which has no such order."),
}


def note_words(note: Note, names: Names) -> str:
    """The sentence of a note on a line that was stored."""
    kind, values = NoteKind(note.kind), NoteValues.from_bytes(note.values)
    order = values.text or (format_order(values.order) if values.order else "")
    return names.say(
        NO_ORDER[kind] if kind in NO_ORDER and not order else NOTES[kind],
        word=values.word,
        place=names.location(values.place) if values.place else "",
        unit=str(values.unit) if values.unit else "",
        order=order,
    )
