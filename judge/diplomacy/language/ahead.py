"""Orders for later phases: checked without their position when they come, and again with it.

Retreats wait as the unit's ways out (`fallbacks.py`); builds and removals as a list of wishes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from judge.diplomacy.calendar import Phase, PhaseKind
from judge.diplomacy.language.ahead_desk import AheadDesk, ahead_desk, candidates
from judge.diplomacy.language.desk import Desk, order_key
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
from judge.diplomacy.outcome import Void, VoidReason
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
    desk: AheadDesk, lines: Sequence[str], retreats: Phase | None, builds: Phase | None
) -> tuple[Heard, ...]:
    """What the lines say for the desk's phase; some are for the retreats or adjustments after it,
    if lines can be stored for those."""
    if desk.position.phase.kind is PhaseKind.RETREAT:
        return tuple(
            heard
            for number, line in enumerate(lines)
            for heard in _ways_out(desk, number, line, None)
        )
    conditional = _conditional_lines(lines) if retreats else frozenset()
    reads = read_letter(desk, _blanked(lines, conditional))
    heard: list[Heard] = [_later(desk, read) for read in reads]
    if retreats:
        after = replace(desk, position=replace(desk.position, phase=retreats))
        for number in conditional:
            heard += _ways_out(after, number, lines[number], None)
    if builds and not desk.is_adjustment:
        wishes = replace(desk, position=replace(desk.position, phase=builds))
        heard = [again for each in heard for again in _as_wishes(wishes, each)]
    return tuple(sorted(heard, key=lambda each: each.number))


def _conditional_lines(lines: Sequence[str]) -> frozenset[int]:
    """The lines that say what becomes of a unit that is dislodged."""
    return frozenset(number for number, line in enumerate(lines) if has_condition(line))


def _blanked(lines: Sequence[str], numbers: frozenset[int]) -> list[str]:
    return ["" if number in numbers else line for number, line in enumerate(lines)]


def _later(desk: AheadDesk, read: Read) -> Heard:
    if not isinstance(read, Taken):
        return read
    text = format_order(desk.loose.get(read.order, read.order))
    key = order_key(read.order)
    return Later(read.number, read.written, desk.position.phase, key, text, read.notes)


def read_now(desk: Desk, lines: Sequence[str], retreats: Phase, builds: Phase) -> tuple[Heard, ...]:
    """What the lines say in the running phase; some are for the retreats or adjustments after it.

    Ways out of a unit are such, and builds: nothing else can be meant by them.
    """
    conditional = _conditional_lines(lines)
    heard: list[Heard] = list(read_letter(desk, _blanked(lines, conditional)))
    for number in conditional:
        heard += _conditional(desk, number, lines[number], retreats)
    wishes = ahead_desk(desk.variant, desk.rules, builds, desk.power, desk.partners)
    if not desk.is_adjustment:
        heard = [again for each in heard for again in _as_wishes(wishes, each)]
    return tuple(sorted(heard, key=lambda each: each.number))


def _as_wishes(desk: AheadDesk, heard: Heard) -> Iterator[Heard]:
    """A build in a movement or retreat phase as a wish for the adjustments to come; all else as it
    is."""
    order: WrittenOrder | Fault | None = None
    if isinstance(heard, Untaken) and heard.kind is VoidReason.WRONG_PHASE:
        order = parse_order(heard.values.order, desk.variant)
    if not isinstance(heard, Untaken) or not isinstance(order, _OF_ADJUSTMENT):
        yield heard
        return
    for read in read_letter(desk, [heard.values.order]):
        again = _later(desk, read)
        if isinstance(again, Later):
            yield replace(again, number=heard.number, written=heard.written)
        elif isinstance(again, Untaken):
            yield replace(again, number=heard.number)


def _conditional(desk: Desk, number: int, line: str, retreats: Phase) -> Iterator[Heard]:
    """The ways out of units, in the phase that runs: stored, or (in retreats) chosen from."""
    match desk.position.phase.kind:
        case PhaseKind.MOVEMENT:
            later = ahead_desk(desk.variant, desk.rules, retreats, desk.power, desk.partners)
            yield from _ways_out(later, number, line, desk)
        case PhaseKind.RETREAT:
            for found in read_fallbacks(line, desk.words):
                if isinstance(found, Fault):
                    yield _faulty(desk, number, line, found)
                else:
                    yield _first_way_out(desk, number, line, found)
        case PhaseKind.ADJUSTMENT:
            yield _untaken(desk, number, line, VoidReason.WRONG_PHASE)
        case _:
            assert_never(desk.position.phase.kind)


# --- ways out -------------------------------------------------------------------------------------


def _ways_out(desk: AheadDesk, number: int, line: str, standing: Desk | None) -> Iterator[Heard]:
    """The ways out that a line holds; `standing` is the desk of the phase in which the units may
    be dislodged, if it is the running one."""
    found = read_fallbacks(line, desk.words)
    if not found and line.strip():
        yield Said(number, line.strip())
    for each in found:
        if isinstance(each, Fault):
            yield _faulty(desk, number, line, each)
        else:
            yield _checked(desk, number, line, each, standing)


def _checked(
    desk: AheadDesk, number: int, line: str, way_out: Fallback, standing: Desk | None
) -> Later | Untaken:
    units = _units_of(desk, way_out.unit, standing)
    if isinstance(units, Void):
        return _untaken(desk, number, line, units.reason)
    able = [unit for unit in units if _first_fault(desk, unit, way_out.choices) is None]
    if not able:
        fault = _first_fault(desk, units[0], way_out.choices)
        assert fault is not None
        choice, void = fault
        values = ProblemValues(
            word=line[choice.start : choice.end],
            unit=units[0] if standing else None,
            places=void.places or choice.places,
            label=desk.label,
        )
        kind: ProblemKind = void.reason
        if len(choice.places) > 1:
            kind = ReadingKind.AMBIGUOUS
        return Untaken(number, line, choice.start, choice.end, kind, values)
    choices = [_place_of(desk, able[0], choice) for choice in way_out.choices]
    named = str(able[0]) if len(able) == 1 else _named(way_out.unit)
    text = format_fallback(named, choices)
    key = way_out.unit.location.province
    return Later(number, line.strip(), desk.position.phase, key, text)


def _units_of(
    desk: AheadDesk, written: WrittenUnit, standing: Desk | None
) -> tuple[Unit, ...] | Void:
    """The units that may be meant: the one that stands there, or those that could."""
    if standing is not None:
        legality = Legality(standing.variant, standing.rules, standing.position)
        unit = legality.own_unit(written, standing.power_for(WrittenHold(written)))
        return unit if isinstance(unit, Void) else (unit,)
    power = written.power or desk.power
    if power not in desk.powers:
        return illegal(VoidReason.WRONG_POWER)
    units = tuple(candidates(desk.variant, written, power))
    return units or illegal(VoidReason.CANNOT_STAND)


def _named(unit: WrittenUnit) -> str:
    return f"{unit.kind} {unit.location}" if unit.kind else str(unit.location)


def _first_fault(
    desk: AheadDesk, unit: Unit, choices: Sequence[Choice]
) -> tuple[Choice, Void] | None:
    for choice in choices:
        fitting = _fitting(desk, unit, choice)
        if isinstance(fitting, Void):
            return choice, fitting
    return None


def _fitting(desk: AheadDesk, unit: Unit, choice: Choice) -> Location | Void | None:
    """Where the choice leads if nothing stands in the way; None: it is disbanded."""
    if not choice.places:
        return None
    ways = desk.variant.board.ways(unit.kind, unit.location)
    dislodged = Dislodged(unit, unit.location.province, retreats=ways)
    position = replace(desk.position, dislodged=(dislodged,))
    legality = Legality(desk.variant, desk.rules, position)
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


def _place_of(desk: AheadDesk, unit: Unit, choice: Choice) -> Location | None:
    place = _fitting(desk, unit, choice)
    assert not isinstance(place, Void)
    return place


def _faulty(desk: Desk, number: int, line: str, fault: Fault) -> Untaken:
    word = line[fault.start : fault.end]
    is_name = fault.kind is ReadingKind.NO_PROVINCE
    near = nearest_places("".join(word.lower().split()), desk.words) if is_name else ()
    values = ProblemValues(word=word, expected=fault.expected, nearest=near[:3], label=desk.label)
    return Untaken(number, line, fault.start, fault.end, fault.kind, values)


def _untaken(desk: Desk, number: int, line: str, kind: ProblemKind) -> Untaken:
    values = ProblemValues(word=line, label=desk.label)
    return Untaken(number, line, 0, len(line), kind, values)


# --- a phase opens --------------------------------------------------------------------------------


def open_lines(desk: Desk, texts: Sequence[str]) -> tuple[Taken | Untaken, ...]:
    """What becomes of stored lines now that their phase has come; those that are not needed, as
    the ways out of a unit that was not dislodged, are left out."""
    match desk.position.phase.kind:
        case PhaseKind.MOVEMENT:
            reads: Sequence[Heard] = read_letter(desk, texts)
        case PhaseKind.RETREAT:
            reads = [
                _first_way_out(desk, number, text, way_out)
                for number, text in enumerate(texts)
                for way_out in read_fallbacks(text, desk.words)
                if isinstance(way_out, Fallback) and _is_asked(desk, way_out.unit)
            ]
        case PhaseKind.ADJUSTMENT:
            reads = list(_wishes_due(desk, texts))
        case _:
            assert_never(desk.position.phase.kind)
    return tuple(read for read in reads if isinstance(read, Taken | Untaken))


def _is_asked(desk: Desk, written: WrittenUnit) -> bool:
    """Whether a unit of one's own was dislodged there and has somewhere to go."""
    province = written.location.province
    return any(each.unit.location.province == province and each.retreats for each in desk.dislodged)


def _first_way_out(desk: Desk, number: int, line: str, way_out: Fallback) -> Taken | Untaken:
    """The first of a unit's ways out that is possible."""
    void = illegal(VoidReason.NO_UNIT)
    for choice in way_out.choices:
        orders: list[WrittenOrder] = [
            WrittenRetreat(way_out.unit, place) for place in choice.places
        ]
        for written in orders or [WrittenDisband(way_out.unit)]:
            order = desk.fit(written)
            if not isinstance(order, Void):
                return Taken(number, way_out.start, line, order)
            void = order
    key = way_out.unit.location.province
    places = tuple(
        place
        for each in desk.dislodged
        if each.unit.location.province == key
        for place in each.retreats
    )
    kind: ProblemKind = ReadingKind.NO_WAY_OUT if places else void.reason
    values = ProblemValues(word=line, places=places, label=desk.label)
    return Untaken(number, line, 0, len(line), kind, values, key=key)


def _wishes_due(desk: Desk, texts: Sequence[str]) -> Iterator[Heard]:
    """As many wishes as are due, in their order; those passed over because they cannot be done."""
    left = {power: desk.dues(power) for power in desk.powers}
    for number, text in enumerate(texts):
        order = parse_order(text, desk.variant)
        if isinstance(order, Fault):
            continue
        power = _wisher(desk, order, left)
        due = left[power]
        is_removal = isinstance(order, WrittenDisband)
        if not (due.disbands if is_removal else due.builds):
            continue
        for read in read_letter(desk, [text]):
            if isinstance(read, Taken):
                if isinstance(read.order, Waive):
                    read = replace(read, order=Waive(power))
                left[power] = replace(
                    due, builds=max(due.builds - 1, 0), disbands=max(due.disbands - 1, 0)
                )
            yield replace(read, number=number)


def _wisher(desk: Desk, order: WrittenOrder, left: Mapping[PowerId, Adjustment]) -> PowerId:
    """The power that a wish is for; where neither a name nor a unit tells, one that owes such."""
    if isinstance(order, WrittenWaive) and order.power not in desk.powers:
        return next((power for power, due in left.items() if due.builds), desk.power)
    if isinstance(order, WrittenDisband) and desk.own_unit(order) is None:
        return next((power for power, due in left.items() if due.disbands), desk.power)
    return desk.power_for(order)
