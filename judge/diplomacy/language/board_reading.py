"""What a piece of a line says on the board: an order that is taken, or why it is not.

A refusal names what was wrong, and proposes the legal orders that may have been meant.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.cross_checks import corrections
from judge.diplomacy.language.grammar import Faulty, Item, Parsed, Prose, parse_words
from judge.diplomacy.language.lexicon import KINDS, listed
from judge.diplomacy.language.lines.prose import is_negated_or_conditional, is_worded_as_move
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.proposals.suggestions import (
    SUGGESTIONS_MOST,
    accepted_impossible_order,
    alternatives,
    guesses,
    legal_orders_among,
    repairs,
    wrong_part,
)
from judge.diplomacy.language.tokens import tokenize
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder, Location, UnitKind, WrittenOrder, WrittenUnit
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.records import Expected, NoteKind, NoteValues, ProblemValues, ReadingKind

_BUILDS_ELSEWHERE = (  # reasons that name the open centers
    VoidReason.NOT_A_HOME_CENTER,
    VoidReason.NOBODYS_HOME_CENTER,
    VoidReason.NOT_A_CENTER,
    VoidReason.NOT_OWNED,
    VoidReason.OCCUPIED,
)
_OF_MOVEMENT = {Expected.HOLD, Expected.SUPPORT, Expected.CONVOY, Expected.VIA}
_OF_ADJUSTMENT = {Expected.BUILD, Expected.WAIVE, Expected.NUMBER}
_NOT_IN_PHASE = {
    PhaseKind.MOVEMENT: {*_OF_ADJUSTMENT, Expected.RETREAT, Expected.DISBAND},
    PhaseKind.RETREAT: {*_OF_MOVEMENT, *_OF_ADJUSTMENT, Expected.MOVE},
    PhaseKind.ADJUSTMENT: {*_OF_MOVEMENT, Expected.MOVE, Expected.RETREAT},
}


def read_item(
    context: OrderContext, number: int, written: str, item: Item, *, is_tired: bool
) -> Iterator[Read]:
    """What a piece of a line says; `is_tired` after the first faults of a letter that has many."""
    match item:
        case Parsed(readings=(o.WrittenWaive(power=power, count=count), *_)):
            # One line for each build; a count over what is due is taken as one order too many.
            fitted = context.order_on_board(o.WrittenWaive(1, power))
            if isinstance(fitted, Void):
                yield _refused(context, number, written, item, fitted)
                return
            due = sum(context.dues(each).builds for each in context.powers)
            for each in range(min(count, due + 1)):
                yield Taken(number, item.start + each, written, fitted)
        case Parsed():
            yield _read_parsed(context, number, written, item, is_tired=is_tired)
        case Faulty(doubted=(_, *_), proposed=()) if not any(map(context.key_for, item.doubted)):
            yield Said(number, written.strip())  # of others' units: Germany said that Hol S Bel
        case Faulty() if is_tired:
            yield _not_read(context, number, written)
        case Faulty():
            places = _bare_targets(item)  # `Retreat to Par`, `파리로 퇴각`
            order = order_for_only_dislodged(context, places) if places else None
            if order is not None:
                yield Taken(number, item.start, written, order)
            else:
                yield _read_faulty(context, number, written, item)
        case Prose():
            if written.strip():
                yield Said(number, written.strip())


def _bare_targets(item: Faulty) -> tuple[Location, ...]:
    """Where a retreat goes whose unit was left out: `Retreat to Par`."""
    writers = listed("around", "writers")
    words = [t for t in item.segment if t.word not in ("R", "-") and t.text not in writers]
    is_retreat = any(token.word == "R" for token in item.segment)
    if not is_retreat or item.is_turned or len(words) != 1 or not words[0].is_place:
        return ()
    return words[0].locations


def order_for_only_dislodged(context: OrderContext, places: Sequence[Location]) -> AnyOrder | None:
    """The order of the one unit that is asked: to one of the places, or (no place) to disband."""
    if len(context.dislodged) != 1:
        return None
    asked = context.dislodged[0].unit
    unit = WrittenUnit(asked.location, asked.kind)
    orders: list[WrittenOrder] = [o.WrittenRetreat(unit, place) for place in places]
    fitted = [context.order_on_board(order) for order in orders or [o.WrittenDisband(unit)]]
    fitting = [order for order in fitted if not isinstance(order, Void)]
    return fitting[0] if len(fitting) == 1 else None


def _read_parsed(
    context: OrderContext, number: int, written: str, item: Parsed, *, is_tired: bool
) -> Taken | Untaken:
    fitted = [(reading, context.order_on_board(reading)) for reading in item.readings]
    fitting = [(reading, order) for reading, order in fitted if not isinstance(order, Void)]
    named = [
        (reading, order)
        for reading, order in fitting
        if isinstance(reading, o.WrittenWaive)
        or not (unit := context.own_unit(reading))
        or reading.unit.kind in (None, unit.kind)
    ]
    if len(named) == 1:  # A Nor H, with one army of one's own
        fitting = named
    if len(fitting) == 1:
        reading, order = fitting[0]
        others = _convoys_meant(context, reading, written)
        if others or (not named and (others := _namesake_orders(context, reading))):
            return context.make_untaken(number, written, proposals=(*others, order))
        names_taken = [
            (NoteKind.NAME_TAKEN, NoteValues(word=short.text, place=place, order=order))
            for short in item.shorts
            for place in short.locations
            if str(place) in format_order(reading).split()
        ]
        notes = (*names_taken, *corrections(context, reading, order))
        return Taken(number, item.start, written, order, notes)
    if is_tired:
        return _not_read(context, number, written)
    reading, void = fitted[0]
    if len(fitted) == 1 and isinstance(void, Void):
        standing = accepted_impossible_order(context, reading, void)
        if standing is not None:
            return Taken(number, item.start, written, *standing)
        return _refused(context, number, written, item, void)
    short = item.shorts[0]
    start, end = short.start - item.start, short.end - item.start
    keys = {context.key_for(reading) for reading in item.readings}
    return Untaken(
        number,
        written,
        start,
        end,
        ReadingKind.AMBIGUOUS if fitting else ReadingKind.NONE_FITS,
        ProblemValues(word=written[start:end], places=short.locations, label=context.label),
        tuple(order for _, order in fitting[:SUGGESTIONS_MOST]),
        keys.pop() if len(keys) == 1 else None,
    )


def _convoys_meant(
    context: OrderContext, reading: WrittenOrder, written: str
) -> tuple[AnyOrder, ...]:
    """What a move may mean beside itself: that its fleet, which is to go by convoy, carries an army
    (`Ionian convoy to Greece`), or that its army goes by sea (`Ship Wales to London`)."""
    unit = context.own_unit(reading)
    if unit is None or not isinstance(reading, o.WrittenMove):
        return ()
    meant: list[WrittenOrder] = []
    if unit.kind is UnitKind.FLEET and reading.via_convoy:
        armies = [WrittenUnit(one.location) for one in context.units if one.kind is UnitKind.ARMY]
        meant += [o.WrittenConvoy(reading.unit, army, reading.target) for army in armies]
    is_shipped = reading.unit.kind is UnitKind.FLEET and unit.kind is UnitKind.ARMY
    if is_shipped and written.lower().startswith(listed("ways", "shipping")):
        meant.append(replace(reading, via_convoy=True))
    return legal_orders_among(context, meant)


def _namesake_orders(context: OrderContext, order: WrittenOrder) -> tuple[AnyOrder, ...]:
    """The order for a unit in another province that the same short name may mean, as TYR may."""
    if isinstance(order, o.WrittenWaive):
        return ()
    short = str(order.unit.location.province)
    others = context.variant.board.ambiguous.get(short, ())
    orders = [replace(order, unit=replace(order.unit, location=place)) for place in others]
    return legal_orders_among(
        context, [each for each in orders if each != order and context.own_unit(each)]
    )


def _refused(context: OrderContext, number: int, written: str, item: Parsed, void: Void) -> Untaken:
    """An order that was read and may not be given."""
    reading, count, places = item.readings[0], 0, void.places
    if context.is_adjustment:
        due = context.dues(context.power_for(reading))
        count = due.disbands if isinstance(reading, o.WrittenDisband) else due.builds
    if not places and void.reason in _BUILDS_ELSEWHERE:
        dues = [
            due for due in map(context.dues, context.powers) if due.builds or not context.partners
        ]
        places = tuple(Location(center) for due in dues for center in due.open)
    start, end = wrong_part(context, written, void)
    values = ProblemValues(
        word=written[start:end],
        unit=context.own_unit(reading),
        order=format_order(reading),
        power=void.unit.power if void.unit else None,
        other=void.unit,
        places=places,
        label=context.label,
        count=count,
    )
    meant = [*alternatives(context, reading, void, written[start:end])]
    is_early = void.reason is VoidReason.WRONG_PHASE and is_worded_as_move(
        tokenize(written, context.lexicon)
    )
    if is_early and isinstance(reading, o.WrittenRetreat):
        meant = [o.WrittenMove(reading.unit, reading.target)]
    proposals = legal_orders_among(context, meant)
    proposals = tuple(dict.fromkeys((*_namesake_orders(context, reading), *proposals)))
    key = context.key_for(reading)
    return Untaken(number, written, start, end, void.reason, values, proposals, key)


def _read_faulty(context: OrderContext, number: int, written: str, item: Faulty) -> Untaken:
    fault = item.fault
    start, end = fault.start - item.start, fault.end - item.start
    word = fault.word if fault.kind is ReadingKind.DOUBTED and fault.word else written[start:end]
    # The own unit that it begins with: `A Bur - Xyz` leaves A BUR without an order.
    places = [token for token in item.segment[:2] if token.is_place]
    begins = o.WrittenHold(WrittenUnit(places[0].locations[0])) if places else None
    key = context.key_for(begins) if begins else None
    meant: Sequence[WrittenOrder] = item.proposed
    if not (meant or item.doubted or item.is_turned or fault.kind is ReadingKind.OPEN):
        meant = (*repairs(item.segment, context.lexicon), *_completions(context, item, key))
    proposals = legal_orders_among(context, meant)
    choices = listed("around", "alternatives")
    told = [token for token in item.segment if token.text not in choices]
    words = (*KINDS, "B", "D", "R")
    is_choice = bool(told) and all(token.is_place or token.word in words for token in told)
    turned = item.doubted or item.is_turned or is_negated_or_conditional(told, context.lexicon)
    if not proposals and (is_choice or not turned):
        proposals = legal_orders_among(context, guesses(context, item.segment))
    keys: set[str | None] = {order_key(order) for order in proposals}
    keys = keys or {context.key_for(order) for order in item.doubted} or {key}
    near = context.lexicon.nearest_places(word)
    own = [province for province in near if {province, f"B {province}"} & keys]
    # What the phase can take of what the grammar can, said once: a unit begins with its place.
    expected = set(fault.expected) - _NOT_IN_PHASE[context.position.phase.kind]
    if Expected.UNIT in expected:
        expected.discard(Expected.PLACE)
    if Expected.MOVE in expected:
        expected.discard(Expected.VIA)
    values = ProblemValues(
        word=word,
        expected=tuple(each for each in fault.expected if each in expected),
        nearest=tuple(own if len(proposals) == 1 and own else near)[:SUGGESTIONS_MOST],
        label=context.label,
    )
    key = keys.pop() if len(keys) == 1 else None
    return Untaken(number, written, start, end, fault.kind, values, proposals, key)


def _completions(context: OrderContext, item: Faulty, key: str | None) -> Iterator[WrittenOrder]:
    """What a unit alone may be meant to do, where there is little to choose from."""
    if item.fault.kind is not ReadingKind.UNFINISHED:
        return
    targets = _bare_targets(item)
    for each in context.dislodged:
        unit = WrittenUnit(each.unit.location, each.unit.kind)
        yield from (o.WrittenRetreat(unit, place) for place in targets)
        if each.unit.location.province == key:
            yield from (o.WrittenRetreat(unit, place) for place in each.retreats)
            yield o.WrittenDisband(unit)
    if context.is_adjustment:
        words = [token.word for token in item.segment if token.word != "R"]  # r a war
        meant = (parse_words([verb, *words]) for verb in ("B", "D"))
        yield from (order for order in meant if order is not None)


def _not_read(context: OrderContext, number: int, written: str) -> Untaken:
    values = ProblemValues(label=context.label)
    return Untaken(number, written, 0, len(written), ReadingKind.NOT_READ, values)
