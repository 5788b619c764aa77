"""Orders for later phases: checked without their position when they come, and again with it.

Retreats wait as the unit's ways out (`fallbacks.py`); builds and removals as a list of wishes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from msgspec import structs

from judge.diplomacy.calendar import Phase, PhaseKind
from judge.diplomacy.language.advance_context import AdvanceContext, advance_context, candidates
from judge.diplomacy.language.fallbacks import (
    Choice,
    Fallback,
    format_fallback,
    has_condition,
    read_fallbacks,
)
from judge.diplomacy.language.found import Read, Said, Taken, Untaken
from judge.diplomacy.language.lines import nearest_places
from judge.diplomacy.language.notation import Fault, format_order, parse_order
from judge.diplomacy.language.order_context import OrderContext, order_key
from judge.diplomacy.language.reading import read_letter
from judge.diplomacy.language.remarks import Noted
from judge.diplomacy.legality import Legality, illegal
from judge.diplomacy.orders import (
    Location,
    PowerId,
    Retreat,
    Unit,
    Waive,
    WrittenBuild,
    WrittenDisband,
    WrittenHold,
    WrittenOrder,
    WrittenRetreat,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import Adjustment, ProblemKind, ProblemValues, ReadingKind

_OF_ADJUSTMENT = (WrittenBuild, WrittenWaive)


@dataclass(frozen=True, slots=True)
class Later:
    """A line that is stored for a later phase, as canonical text."""

    number: int
    written: str
    phase: Phase
    key: str
    text: str
    notes: tuple[Noted, ...] = ()


Heard = Read | Later


# --- reading --------------------------------------------------------------------------------------


def read_later(
    context: AdvanceContext, lines: Sequence[str], retreats: Phase | None, builds: Phase | None
) -> tuple[Heard, ...]:
    """What the lines say for the desk's phase; some are for the retreats or adjustments after it,
    if lines can be stored for those."""
    if context.position.phase.kind is PhaseKind.RETREAT:
        return tuple(
            heard
            for number, line in enumerate(lines)
            for heard in _ways_out(context, number, line, None)
        )
    conditional = _conditional_lines(lines) if retreats else frozenset()
    reads = read_letter(context, _blanked(lines, conditional))
    heard: list[Heard] = [_later(context, read) for read in reads]
    if retreats:
        after = replace(context, position=structs.replace(context.position, phase=retreats))
        for number in conditional:
            heard += _ways_out(after, number, lines[number], None)
    if builds and not context.is_adjustment:
        wishes = replace(context, position=structs.replace(context.position, phase=builds))
        heard = [again for each in heard for again in _as_wishes(wishes, each)]
    return tuple(sorted(heard, key=lambda each: each.number))


def _conditional_lines(lines: Sequence[str]) -> frozenset[int]:
    """The lines that say what becomes of a unit that is dislodged."""
    return frozenset(number for number, line in enumerate(lines) if has_condition(line))


def _blanked(lines: Sequence[str], numbers: frozenset[int]) -> list[str]:
    return ["" if number in numbers else line for number, line in enumerate(lines)]


def _later(context: AdvanceContext, read: Read) -> Heard:
    if not isinstance(read, Taken):
        return read
    text = format_order(context.loose.get(read.order, read.order))
    key = order_key(read.order)
    return Later(read.number, read.written, context.position.phase, key, text, read.notes)


def read_now(
    context: OrderContext, lines: Sequence[str], retreats: Phase, builds: Phase
) -> tuple[Heard, ...]:
    """What the lines say in the running phase; some are for the retreats or adjustments after it.

    Ways out of a unit are such, and builds: nothing else can be meant by them.
    """
    conditional = _conditional_lines(lines)
    heard: list[Heard] = list(read_letter(context, _blanked(lines, conditional)))
    for number in conditional:
        heard += _conditional(context, number, lines[number], retreats)
    wishes = advance_context(
        context.variant, context.rules, builds, context.power, context.partners
    )
    if not context.is_adjustment:
        heard = [again for each in heard for again in _as_wishes(wishes, each)]
    return tuple(sorted(heard, key=lambda each: each.number))


def _as_wishes(context: AdvanceContext, heard: Heard) -> Iterator[Heard]:
    """A build in a movement or retreat phase as a wish for the adjustments to come; all else as it
    is."""
    order: WrittenOrder | Fault | None = None
    if isinstance(heard, Untaken) and heard.kind is VoidReason.WRONG_PHASE:
        order = parse_order(heard.values.order, context.variant)
    if not isinstance(heard, Untaken) or not isinstance(order, _OF_ADJUSTMENT):
        yield heard
        return
    for read in read_letter(context, [heard.values.order]):
        again = _later(context, read)
        if isinstance(again, Later):
            yield replace(again, number=heard.number, written=heard.written)
        elif isinstance(again, Untaken):
            yield replace(again, number=heard.number)


def _conditional(context: OrderContext, number: int, line: str, retreats: Phase) -> Iterator[Heard]:
    """The ways out of units, in the phase that runs: stored, or (in retreats) chosen from."""
    match context.position.phase.kind:
        case PhaseKind.MOVEMENT:
            later = advance_context(
                context.variant, context.rules, retreats, context.power, context.partners
            )
            yield from _ways_out(later, number, line, context)
        case PhaseKind.RETREAT:
            for found in read_fallbacks(line, context.words):
                if isinstance(found, Fault):
                    yield _faulty(context, number, line, found)
                else:
                    yield _first_way_out(context, number, line, found)
        case PhaseKind.ADJUSTMENT:
            yield _untaken(context, number, line, VoidReason.WRONG_PHASE)
        case _:
            assert_never(context.position.phase.kind)


# --- ways out -------------------------------------------------------------------------------------


def _ways_out(
    context: AdvanceContext, number: int, line: str, standing: OrderContext | None
) -> Iterator[Heard]:
    """The ways out that a line holds; `standing` is the desk of the phase in which the units may
    be dislodged, if it is the running one."""
    found = read_fallbacks(line, context.words)
    if not found and line.strip():
        yield Said(number, line.strip())
    for each in found:
        if isinstance(each, Fault):
            yield _faulty(context, number, line, each)
        else:
            yield _checked(context, number, line, each, standing)


def _checked(
    context: AdvanceContext,
    number: int,
    line: str,
    way_out: Fallback,
    standing: OrderContext | None,
) -> Later | Untaken:
    units = _units_of(context, way_out.unit, standing)
    if isinstance(units, Void):
        return _untaken(context, number, line, units.reason)
    able = [unit for unit in units if _first_fault(context, unit, way_out.choices) is None]
    if not able:
        fault = _first_fault(context, units[0], way_out.choices)
        assert fault is not None
        choice, void = fault
        values = ProblemValues(
            word=line[choice.start : choice.end],
            unit=units[0] if standing else None,
            places=void.places or choice.places,
            label=context.label,
        )
        kind: ProblemKind = void.reason
        if len(choice.places) > 1:
            kind = ReadingKind.AMBIGUOUS
        return Untaken(number, line, choice.start, choice.end, kind, values)
    choices = [_place_of(context, able[0], choice) for choice in way_out.choices]
    named = str(able[0]) if len(able) == 1 else _named(way_out.unit)
    text = format_fallback(named, choices)
    key = way_out.unit.location.province
    return Later(number, line.strip(), context.position.phase, key, text)


def _units_of(
    context: AdvanceContext, written: WrittenUnit, standing: OrderContext | None
) -> tuple[Unit, ...] | Void:
    """The units that may be meant: the one that stands there, or those that could."""
    if standing is not None:
        legality = Legality(standing.variant, standing.rules, standing.position)
        unit = legality.own_unit(written, standing.power_for(WrittenHold(written)))
        return unit if isinstance(unit, Void) else (unit,)
    power = written.power or context.power
    if power not in context.powers:
        return illegal(VoidReason.WRONG_POWER)
    units = tuple(candidates(context.variant, written, power))
    return units or illegal(VoidReason.CANNOT_STAND)


def _named(unit: WrittenUnit) -> str:
    return f"{unit.kind} {unit.location}" if unit.kind else str(unit.location)


def _first_fault(
    context: AdvanceContext, unit: Unit, choices: Sequence[Choice]
) -> tuple[Choice, Void] | None:
    for choice in choices:
        fitting = _fitting(context, unit, choice)
        if isinstance(fitting, Void):
            return choice, fitting
    return None


def _fitting(context: AdvanceContext, unit: Unit, choice: Choice) -> Location | Void | None:
    """Where the choice leads if nothing stands in the way; None: it is disbanded."""
    if not choice.places:
        return None
    ways = context.variant.board.ways(unit.kind, unit.location)
    dislodged = Dislodged(unit, unit.location.province, retreats=ways)
    position = structs.replace(context.position, dislodged=(dislodged,))
    legality = Legality(context.variant, context.rules, position)
    written = WrittenUnit(unit.location, unit.kind)
    orders = [
        legality.retreat_order(WrittenRetreat(written, place), unit.power)
        for place in choice.places
    ]
    fitting = [order for order in orders if isinstance(order, Retreat)]
    if len(fitting) == 1:
        return fitting[0].target
    first = orders[0]
    return first if isinstance(first, Void) else illegal(VoidReason.NOT_A_RETREAT)


def _place_of(context: AdvanceContext, unit: Unit, choice: Choice) -> Location | None:
    place = _fitting(context, unit, choice)
    assert not isinstance(place, Void)
    return place


def _faulty(context: OrderContext, number: int, line: str, fault: Fault) -> Untaken:
    word = line[fault.start : fault.end]
    is_name = fault.kind is ReadingKind.NO_PROVINCE
    near = nearest_places("".join(word.lower().split()), context.words) if is_name else ()
    values = ProblemValues(
        word=word, expected=fault.expected, nearest=near[:3], label=context.label
    )
    return Untaken(number, line, fault.start, fault.end, fault.kind, values)


def _untaken(context: OrderContext, number: int, line: str, kind: ProblemKind) -> Untaken:
    values = ProblemValues(word=line, label=context.label)
    return Untaken(number, line, 0, len(line), kind, values)


# --- a phase opens --------------------------------------------------------------------------------


def open_lines(context: OrderContext, texts: Sequence[str]) -> tuple[Taken | Untaken, ...]:
    """What becomes of stored lines now that their phase has come; those that are not needed, as
    the ways out of a unit that was not dislodged, are left out."""
    match context.position.phase.kind:
        case PhaseKind.MOVEMENT:
            reads: Sequence[Heard] = read_letter(context, texts)
        case PhaseKind.RETREAT:
            reads = [
                _first_way_out(context, number, text, way_out)
                for number, text in enumerate(texts)
                for way_out in read_fallbacks(text, context.words)
                if isinstance(way_out, Fallback) and _is_asked(context, way_out.unit)
            ]
        case PhaseKind.ADJUSTMENT:
            reads = list(_wishes_due(context, texts))
        case _:
            assert_never(context.position.phase.kind)
    return tuple(read for read in reads if isinstance(read, Taken | Untaken))


def _is_asked(context: OrderContext, written: WrittenUnit) -> bool:
    """Whether a unit of one's own was dislodged there and has somewhere to go."""
    province = written.location.province
    return any(
        each.unit.location.province == province and each.retreats for each in context.dislodged
    )


def _first_way_out(
    context: OrderContext, number: int, line: str, way_out: Fallback
) -> Taken | Untaken:
    """The first of a unit's ways out that is possible."""
    void = illegal(VoidReason.NO_UNIT)
    for choice in way_out.choices:
        orders: list[WrittenOrder] = [
            WrittenRetreat(way_out.unit, place) for place in choice.places
        ]
        for written in orders or [WrittenDisband(way_out.unit)]:
            order = context.fit(written)
            if not isinstance(order, Void):
                return Taken(number, way_out.start, line, order)
            void = order
    key = way_out.unit.location.province
    places = tuple(
        place
        for each in context.dislodged
        if each.unit.location.province == key
        for place in each.retreats
    )
    kind: ProblemKind = ReadingKind.NO_WAY_OUT if places else void.reason
    values = ProblemValues(word=line, places=places, label=context.label)
    return Untaken(number, line, 0, len(line), kind, values, key=key)


def _wishes_due(context: OrderContext, texts: Sequence[str]) -> Iterator[Heard]:
    """As many wishes as are due, in their order; those passed over because they cannot be done."""
    left = {power: context.dues(power) for power in context.powers}
    for number, text in enumerate(texts):
        order = parse_order(text, context.variant)
        if isinstance(order, Fault):
            continue
        power = _wisher(context, order, left)
        due = left[power]
        is_removal = isinstance(order, WrittenDisband)
        if not (due.disbands if is_removal else due.builds):
            continue
        for read in read_letter(context, [text]):
            if isinstance(read, Taken):
                if isinstance(read.order, Waive):
                    read = replace(read, order=Waive(power))
                left[power] = structs.replace(
                    due, builds=max(due.builds - 1, 0), disbands=max(due.disbands - 1, 0)
                )
            yield replace(read, number=number)


def _wisher(
    context: OrderContext, order: WrittenOrder, left: Mapping[PowerId, Adjustment]
) -> PowerId:
    """The power that a wish is for; where neither a name nor a unit tells, one that owes such."""
    if isinstance(order, WrittenWaive) and order.power not in context.powers:
        return next((power for power, due in left.items() if due.builds), context.power)
    if isinstance(order, WrittenDisband) and context.own_unit(order) is None:
        return next((power for power, due in left.items() if due.disbands), context.power)
    return context.power_for(order)
