"""Remarks on lines that were stored, and refusals of choices the game cannot take."""

from collections.abc import Mapping

from judge.diplomacy.notation import format_order
from judge.diplomacy.records import NoteKind, NoteValues, View
from judge.render.catalogue import N_, say
from judge.render.diplomacy.words import Names
from judge.rulebook import Note, Translator

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


def note_words(view: View, note: Note, words: Translator) -> str:
    """The sentence of a note."""
    kind, values = NoteKind(note.kind), NoteValues.from_bytes(note.values)
    names = Names(view.variant, words)
    order = values.text or (format_order(values.order) if values.order else "")
    message = NO_ORDER[kind] if kind in NO_ORDER and not order else NOTES[kind]
    return say(
        words,
        message,
        word=values.word,
        place=names.location(values.place) if values.place else "",
        unit=str(values.unit) if values.unit else "",
        order=order,
    )
