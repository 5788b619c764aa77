"""Lines that could not be stored: what is wrong with each, and what to send instead; and notes on
lines that were stored."""

import re
from collections.abc import Mapping

import msgspec

from judge.blocks import Row
from judge.diplomacy.notation import format_order, format_unit, parse_canonical
from judge.diplomacy.orders import UnitKind
from judge.diplomacy.outcomes import VoidReason
from judge.diplomacy.records import NoteValues, ProblemKind, ProblemValues, ReadingKind, View
from judge.render.catalogue import N_, join_sentences, sentence_tables
from judge.render.diplomacy.lines import order_row
from judge.render.diplomacy.names import Names
from judge.rulebook import Note, Problem, ProblemWords


class _Tables(msgspec.Struct, frozen=True):
    problems: dict[str, str]
    bare: dict[str, str]
    your_units: dict[UnitKind, str]
    notes: dict[str, str]
    without_order: dict[str, str]


SENTENCES = sentence_tables("problems.toml", _Tables)

# What a full sentence needs where it has a bare one beside it; all others need `places`.
NEEDED: Mapping[ProblemKind, str] = {
    VoidReason.FOREIGN_UNIT: "other",
    VoidReason.WRONG_KIND: "other",
    VoidReason.WRONG_POWER: "other",
    VoidReason.WRONG_COAST: "other",
    VoidReason.KIND_NEEDED: "other",
    VoidReason.NO_BUILD_DUE: "count",
    VoidReason.NO_DISBAND_DUE: "count",
}


def problem_words(view: View, problem: Problem, names: Names) -> ProblemWords:
    """A problem as the player reads it."""
    is_reading = problem.kind in set(ReadingKind)
    kind = ReadingKind(problem.kind) if is_reading else VoidReason(problem.kind)
    values = ProblemValues.from_bytes(problem.values)
    if kind is ReadingKind.NO_PROVINCE and problem.proposals:
        words = {word for line in problem.proposals for word in re.split(r"[\s/]", line.text)}
        if words.isdisjoint(values.nearest):  # no proposal has a province in its place
            kind = ReadingKind.NOT_EXPECTED  # `lads in Paris to Burgundy`: no order needs the word
    if kind is ReadingKind.NOT_EXPECTED and values.word == problem.written:
        kind = ReadingKind.OPEN  # the whole line is no part of an order
    sentence = _sentence(kind, values, view, names)
    lines, label = [line.text for line in problem.proposals], ""
    tells_apart = len(lines) > 1
    if values.lines:  # nothing is proposed
        lines, tells_apart = [*values.lines], not is_reading
        label = names.say("Write it like this:") if is_reading else names.say("It can go:")
    send = []
    for line in lines:
        order, difference = parse_canonical(line), ""
        if order is None:
            send.append(Row(line, ""))
            continue
        if tells_apart:
            target, unit = getattr(order, "target", None), getattr(order, "unit", None)
            if target:
                province = names.province(target.province)
                difference = names.coast(target.coast) if target.coast else province
            elif unit:
                difference = names.location(unit.location)
        send.append(order_row(order, difference, names))
    return ProblemWords(problem.written, problem.start, problem.end, sentence, tuple(send), label)


def _sentence(kind: ProblemKind, values: ProblemValues, view: View, names: Names) -> str:
    message = SENTENCES.problems[kind]
    if kind in SENTENCES.bare and not getattr(values, NEEDED.get(kind, "places")):
        message = SENTENCES.bare[kind]
    places = [names.location(place) for place in values.places]
    if kind is VoidReason.COAST_NEEDED and len(places) == 2:
        message = N_("{place} has two coasts, and your fleet reaches both.")
    if kind is VoidReason.NOT_ADJACENT and values.unit and values.unit.kind is UnitKind.FLEET:
        message = N_("It cannot get there from where it is.")
    is_all = kind is VoidReason.NOT_A_STATION
    other, whose = values.other, ""
    if other is not None:
        whose = names.own_unit(other) if other.power in view.own else names.foreign_unit(other)
    sentence = names.say(
        message,
        word=values.word,
        other=whose,
        place=names.province(values.places[0].province) if places else "",
        places=names.listed(places) if is_all else names.either(places),
        phase=names.phase(values.label or view.label),
        count=values.count,
    )
    if kind is not ReadingKind.NO_PROVINCE or not values.nearest:
        return sentence
    # A name that means nothing: what is near it, best of all a unit of one's own.
    near = [
        names.say("{name} ({id})", name=names.province(province), id=province)
        for province in values.nearest
    ]
    told = names.say("Near to it: {places}.", places=names.either(near))
    for unit in view.units:
        if unit.power in view.own and values.nearest == (unit.location.province,):
            place, province = names.location_in_sentence(unit.location), unit.location.province
            told = names.say(SENTENCES.your_units[unit.kind], place=place, id=province)
    return join_sentences((sentence, told), names)


def note_words(note: Note, names: Names) -> str:
    """The sentence of a note on a line that was stored."""
    values, message = NoteValues.from_bytes(note.values), SENTENCES.notes[note.kind]
    order = values.text or (format_order(values.order) if values.order else "")
    if not order:
        message = SENTENCES.without_order.get(note.kind, message)
    unit = values.unit or getattr(values.order, "unit", None)
    return names.say(
        message,
        word=values.word,
        place=names.location(values.place) if values.place else "",
        unit=format_unit(unit) if unit else "",
        order=order,
    )
