"""Reads a letter's lines as the orders of one seat in one position.

Joins the notation, which knows no position, with what the units may do; makes notes of what was
filled in and problems of what could not be taken. Never guesses: what has two meanings is asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.comments import Letter
from judge.diplomacy.language.everyone import Everyone, deed_of_all, spelled_out
from judge.diplomacy.language.found import Read, Said, Taken, Untaken
from judge.diplomacy.language.impossible import stand_impossible
from judge.diplomacy.language.lines import (
    Bare,
    Faulty,
    Item,
    Talk,
    nearest_places,
    read_line,
    repairs,
)
from judge.diplomacy.language.mending import mends, wrong_part
from judge.diplomacy.language.naming import name_in_full
from judge.diplomacy.language.notation import Parsed, format_order, locations, parse_words
from judge.diplomacy.language.order_context import OrderContext, order_key
from judge.diplomacy.language.remarks import Noted, corrections
from judge.diplomacy.language.whole import warned, without_excess, without_replaced
from judge.diplomacy.orders import (
    AnyOrder,
    Build,
    Location,
    Waive,
    WrittenDisband,
    WrittenHold,
    WrittenOrder,
    WrittenRetreat,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.outcomes import Void
from judge.diplomacy.records import (
    Expected,
    NoteKind,
    NoteValues,
    ProblemValues,
    ReadingKind,
)

SUGGESTED_FAULTS = 20  # of a letter; those after them are named as not read
PROPOSALS_MOST = 6
_OF_MOVEMENT = {Expected.HOLD, Expected.SUPPORT, Expected.CONVOY, Expected.VIA}
_OF_ADJUSTMENT = {Expected.BUILD, Expected.WAIVE, Expected.NUMBER}
NOT_IN_PHASE = {
    PhaseKind.MOVEMENT: {*_OF_ADJUSTMENT, Expected.RETREAT, Expected.DISBAND},
    PhaseKind.RETREAT: {*_OF_MOVEMENT, *_OF_ADJUSTMENT, Expected.MOVE},
    PhaseKind.ADJUSTMENT: {*_OF_MOVEMENT, Expected.MOVE, Expected.RETREAT},
}


def read_letter(context: OrderContext, lines: Sequence[str]) -> tuple[Read, ...]:
    """What the lines say, in their order; one order a unit, the last that could be read."""
    found: list[Read] = []
    everyone: list[Everyone] = []
    faulty: dict[int, Faulty] = {}
    nameless: set[int] = set()  # waives that do not say whose build
    faults = 0
    for number, line in enumerate(lines):
        for item in _items(context, number, line):
            if isinstance(item, Everyone):
                everyone.append(item)
                continue
            for read in _read_item(
                context, number, line, item, is_tired=faults >= SUGGESTED_FAULTS
            ):
                if isinstance(read, Untaken):
                    faults += 1
                    if isinstance(item, Faulty):
                        faulty[len(found)] = item
                elif _is_nameless(item):
                    nameless.add(len(found))
                found.append(read)
    if context.partners:
        found = _with_powers(context, found, nameless)
    letter = Letter([read.order for read in found if isinstance(read, Taken)], context)
    for at, item in faulty.items():
        if letter.has_told(item):
            number = found[at].number
            found[at] = Said(number, lines[number][item.start : item.end].strip())
    found = sorted([*found, *spelled_out(context, everyone, found)], key=lambda read: read.number)
    found = without_excess(context, without_replaced(found))
    return tuple(warned(context, found))


def _items(context: OrderContext, number: int, line: str) -> Iterator[Item | Everyone]:
    """A line's pieces; those that order all units at once are told apart."""
    deed = deed_of_all(line)
    if deed is not None:
        yield Everyone(number, 0, line, deed)
        return
    for item in read_line(line, context.words):
        written = line[item.start : item.end]
        deed = deed_of_all(written)
        yield item if deed is None else Everyone(number, item.start, written, deed)


def _read_item(
    context: OrderContext, number: int, line: str, item: Item, *, is_tired: bool
) -> Iterator[Read]:
    written = line[item.start : item.end]
    match item:
        case Talk():
            if written.strip():
                yield Said(number, written.strip())
        case Bare(places=places):
            yield _read_bare(context, number, written, places)
        case Faulty() if is_tired:
            yield _not_read(context, number, written)
        case Faulty():
            order = _bare_retreat(context, item)
            if order is not None:
                yield Taken(number, item.start, written, order)
            else:
                yield _read_faulty(context, number, written, item)
        case Parsed(readings=(WrittenWaive() as waive, *_)):
            yield from _read_waives(context, number, written, item, waive)
        case Parsed():
            yield _read_parsed(context, number, written, item, is_tired=is_tired)


def _not_read(context: OrderContext, number: int, written: str) -> Untaken:
    """A line after the first faults of a letter that has many."""
    values = ProblemValues(label=context.label)
    return Untaken(number, written, 0, len(written), ReadingKind.NOT_READ, values)


# --- kinds of item --------------------------------------------------------------------------------


def _read_bare(
    context: OrderContext, number: int, written: str, places: Sequence[Location]
) -> Read:
    """A province alone answers where a single unit is asked to retreat; else it is talk."""
    order = _only_retreat(context, places)
    return Taken(number, 0, written, order) if order else Said(number, written.strip())


def _only_retreat(context: OrderContext, places: Sequence[Location]) -> AnyOrder | None:
    """The order of the one unit that is asked: to one of the places, or (no place) to disband."""
    if len(context.dislodged) != 1:
        return None
    asked = context.dislodged[0].unit
    unit = WrittenUnit(asked.location, asked.kind)
    orders = [context.fit(WrittenRetreat(unit, place)) for place in places]
    if not places:
        orders = [context.fit(WrittenDisband(unit))]
    fitting = [order for order in orders if not isinstance(order, Void)]
    return fitting[0] if len(fitting) == 1 else None


def _bare_retreat(context: OrderContext, item: Faulty) -> AnyOrder | None:
    """`Retreat to Par`, `파리로 퇴각`, where a single unit is asked."""
    places = _bare_targets(item)
    return _only_retreat(context, places) if places else None


def _bare_targets(item: Faulty) -> tuple[Location, ...]:
    """Where a retreat goes whose unit was left out: `Retreat to Par`."""
    words = [token for token in item.segment if token.word not in ("R", "-")]
    is_retreat = any(token.word == "R" for token in item.segment)
    if not is_retreat or len(words) != 1 or not words[0].is_place:
        return ()
    return locations(words[0])


def _read_faulty(context: OrderContext, number: int, written: str, item: Faulty) -> Untaken:
    fault = item.fault
    word = written[fault.start - item.start : fault.end - item.start]
    meant = (*repairs(item.segment, context.words), *_completions(context, item))
    proposals = _fitting(context, item.doubted if word in ("?", "？") else meant)
    keys: set[str | None] = {order_key(order) for order in proposals}
    keys = (
        keys or {context.key_for(order) for order in item.doubted} or {_key_of_start(context, item)}
    )
    near = nearest_places("".join(word.lower().split()), context.words)
    own = [province for province in near if {province, f"B {province}"} & keys]
    return Untaken(
        number,
        written,
        fault.start - item.start,
        fault.end - item.start,
        fault.kind,
        ProblemValues(
            word=word,
            expected=_expected_in(context, fault.expected),
            nearest=tuple(own if len(proposals) == 1 and own else near)[:PROPOSALS_MOST],
            label=context.label,
        ),
        proposals,
        keys.pop() if len(keys) == 1 else None,
    )


def _expected_in(context: OrderContext, expected: Sequence[Expected]) -> tuple[Expected, ...]:
    """What the phase can take of what the grammar can, said once: a unit begins with its place."""
    met = set(expected) - NOT_IN_PHASE[context.position.phase.kind]
    if Expected.UNIT in met:
        met.discard(Expected.PLACE)
    if Expected.MOVE in met:
        met.discard(Expected.VIA)
    return tuple(each for each in expected if each in met)


def _completions(context: OrderContext, item: Faulty) -> Iterator[WrittenOrder]:
    """What a unit alone may be meant to do, where there is little to choose from."""
    if item.fault.kind is not ReadingKind.UNFINISHED:
        return
    key = _key_of_start(context, item)
    targets = _bare_targets(item)
    for each in context.dislodged:
        unit = WrittenUnit(each.unit.location, each.unit.kind)
        yield from (WrittenRetreat(unit, place) for place in targets)
        if each.unit.location.province == key:
            yield from (WrittenRetreat(unit, place) for place in each.retreats)
            yield WrittenDisband(unit)
    if context.is_adjustment:
        words = [token.word for token in item.segment]
        meant = (parse_words([verb, *words]) for verb in ("B", "D"))
        yield from (order for order in meant if order is not None)


def _key_of_start(context: OrderContext, item: Faulty) -> str | None:
    """The own unit that a faulty order begins with: `A Bur - Xyz` leaves A BUR without one."""
    for token in item.segment[:2]:
        if token.word[0] == "#":
            place = locations(token)[0]
            return context.key_for(WrittenHold(WrittenUnit(place)))
    return None


def _fitting(context: OrderContext, orders: Sequence[WrittenOrder]) -> tuple[AnyOrder, ...]:
    """The orders that may be given, without doubles."""
    fitted = [context.fit(name_in_full(context, order)) for order in orders]
    fitting = [order for order in fitted if not isinstance(order, Void)]
    return tuple(dict.fromkeys(fitting))[:PROPOSALS_MOST]


def _read_waives(
    context: OrderContext, number: int, written: str, item: Parsed, waive: WrittenWaive
) -> Iterator[Taken | Untaken]:
    """One line for each build waived; a count over what is due is taken as one order too many."""
    fitted = context.fit(WrittenWaive(1, waive.power))
    if isinstance(fitted, Void):
        yield _refused(context, number, written, item, fitted)
        return
    for each in range(min(waive.count, context.builds_due + 1)):
        yield Taken(number, item.start + each, written, fitted)


def _is_nameless(item: Item) -> bool:
    return (
        isinstance(item, Parsed)
        and isinstance(item.readings[0], WrittenWaive)
        and item.readings[0].power is None
    )


def _with_powers(context: OrderContext, found: Sequence[Read], nameless: set[int]) -> list[Read]:
    """The letter with each waive that names no power for one that has builds left."""
    left = {power: context.dues(power).builds for power in context.powers}
    built = {
        order_key(read.order): read.order.unit.power
        for read in found
        if isinstance(read, Taken) and isinstance(read.order, Build)
    }
    built |= {
        order_key(order): order.unit.power for order in context.stored if isinstance(order, Build)
    }
    for power in built.values():
        left[power] -= 1
    done: list[Read] = []
    for at, read in enumerate(found):
        if isinstance(read, Taken) and isinstance(read.order, Waive):
            power = read.order.power
            if at in nameless:
                power = next((one for one in context.powers if left[one] > 0), power)
                read = replace(read, order=Waive(power))
            left[power] -= 1
        done.append(read)
    return done


def _read_parsed(
    context: OrderContext, number: int, written: str, item: Parsed, *, is_tired: bool
) -> Taken | Untaken:
    fitted = [context.fit(reading) for reading in item.readings]
    fitting = [
        (reading, order)
        for reading, order in zip(item.readings, fitted, strict=True)
        if not isinstance(order, Void)
    ]
    if len(fitting) == 1:
        reading, order = fitting[0]
        notes = (*_names_taken(item, reading, order), *corrections(context, reading, order))
        return Taken(number, item.start, written, order, notes)
    if is_tired:
        return _not_read(context, number, written)
    if len(item.readings) == 1 and isinstance(fitted[0], Void):
        standing = stand_impossible(context, item.readings[0], fitted[0])
        if standing is not None:
            return Taken(number, item.start, written, *standing)
        return _refused(context, number, written, item, fitted[0])
    return _ambiguous(context, number, written, item, [order for _, order in fitting])


def _names_taken(item: Parsed, reading: WrittenOrder, order: AnyOrder) -> Iterator[Noted]:
    """A note for each short name of which one meaning was taken."""
    text = format_order(reading)
    for short in item.shorts:
        for place in short.places:
            if str(place) in text.split():
                yield NoteKind.NAME_TAKEN, NoteValues(word=short.text, place=place, order=order)


def _ambiguous(
    context: OrderContext, number: int, written: str, item: Parsed, fitting: Sequence[AnyOrder]
) -> Untaken:
    short = item.shorts[0]
    start, end = short.start - item.start, short.end - item.start
    keys = {context.key_for(reading) for reading in item.readings}
    return Untaken(
        number,
        written,
        start,
        end,
        ReadingKind.AMBIGUOUS if fitting else ReadingKind.NONE_FITS,
        ProblemValues(word=written[start:end], places=short.places, label=context.label),
        tuple(fitting[:PROPOSALS_MOST]),
        keys.pop() if len(keys) == 1 else None,
    )


def _refused(context: OrderContext, number: int, written: str, item: Parsed, void: Void) -> Untaken:
    """An order that was read and may not be given."""
    reading = item.readings[0]
    part = wrong_part(context, written, void)
    unit = context.own_unit(reading)
    return Untaken(
        number,
        written,
        part.start,
        part.end,
        void.reason,
        ProblemValues(
            word=written[part.start : part.end],
            unit=unit,
            order=format_order(reading),
            power=void.unit.power if void.unit else None,
            other=void.unit,
            places=void.places or context.places_for(void.reason),
            label=context.label,
            count=context.count_due(reading),
        ),
        tuple(dict.fromkeys(mends(context, reading, void, written[part.start : part.end])))[
            :PROPOSALS_MOST
        ],
        context.key_for(reading),
    )
