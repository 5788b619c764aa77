"""What a seat is asked for in a phase, as lines to send, and what happens without them."""

from collections.abc import Iterable, Iterator, Sequence

from judge.diplomacy.notation import parse_canonical
from judge.diplomacy.orders import (
    Build,
    Disband,
    Hold,
    Location,
    Move,
    PowerId,
    ProvinceId,
    Retreat,
    Unit,
    UnitKind,
    WrittenBuild,
    WrittenDisband,
    WrittenWaive,
)
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import Adjustment, View
from judge.render.catalogue import count, say
from judge.render.diplomacy.orders import order_row, order_shown
from judge.render.diplomacy.sharing import heading
from judge.render.diplomacy.words import Names
from judge.render.layout import unbroken
from judge.render.part import join_sentences
from judge.rulebook import Line, OrderSet, Row, Task, Translator

ORDERS_NAMED = 4  # more stored orders than these are not named one by one


Powers = tuple[PowerId, ...]  # all of a seat
Grouped = Iterable[tuple[PowerId, Row]]


def task_words(view: View, powers: Powers, words: Translator) -> Task | None:
    """What the powers of a seat have to send in this phase; None if nothing."""
    names = Names(view.variant, words)
    match view.kind:
        case "M":
            return _movement_task(view, powers, names)
        case "R":
            return _retreat_task(view, powers, names)
        case _:
            return _adjustment_task(view, powers, names)


def _by_power(rows: Grouped, powers: Powers, names: Names) -> tuple[Row, ...]:
    """The rows, below the name of their power where a seat has several of them."""
    found = list(rows)
    if len(powers) == 1:
        return tuple(row for _, row in found)
    headed: list[Row] = []
    for power in powers:
        own = [row for owner, row in found if owner == power]
        headed += [heading(names.power(power), names.words), *own] if own else []
    return tuple(headed)


def _movement_task(view: View, powers: Powers, names: Names) -> Task | None:
    """The units, and two examples: a list of orders would choose for the player."""
    units = [unit for power in powers for unit in view.units if unit.power == power]
    if not units:
        return None
    first, last = _example_move(units, names), order_shown(Hold(units[-1]), names)
    sentence = count(
        names.words,
        "Send an order for your unit, such as {move} or {hold}:",
        "Send an order for each of your {n} units, such as {move} or {hold}:",
        len(units),
        move=unbroken(first),
        hold=unbroken(last),
    )
    default = say(names.words, "A unit without an order holds.")
    rows = ((unit.power, Row(str(unit), names.unit_in(unit))) for unit in units)
    return Task(sentence, _by_power(rows, powers, names), default)


def _example_move(units: Sequence[Unit], names: Names) -> str:
    for unit in units:
        ways = names.variant.board.ways(unit.kind, unit.location)
        if ways:
            return order_shown(Move(unit, ways[0]), names)
    return order_shown(Hold(units[0]), names)


def _retreat_task(view: View, powers: Powers, names: Names) -> Task | None:
    asked = [each for each in view.dislodged if each.unit.power in powers and each.retreats]
    if not asked:
        return None
    words = names.words
    all_rows = ((each.unit.power, row) for each in asked for row in _retreat_rows(each, names))
    rows = _by_power(all_rows, powers, names)
    if len(asked) > 1:
        sentence = say(words, "Reply with one line for each of these units:")
        return Task(sentence, rows, say(words, "Units without an answer are disbanded."))
    if asked[0].unit.kind is UnitKind.ARMY:
        default = say(words, "Without an answer the army is disbanded.")
    else:
        default = say(words, "Without an answer the fleet is disbanded.")
    return Task(say(words, "Reply with one of these lines:"), rows, default)


def _retreat_rows(dislodged: Dislodged, names: Names) -> list[Row]:
    words, unit = names.words, dislodged.unit
    rows = [
        order_row(
            Retreat(unit, target),
            say(words, "retreat to {place}", place=names.place(target)),
            names,
        )
        for target in dislodged.retreats
    ]
    return [*rows, order_row(Disband(unit), say(words, "disband"), names)]


def _adjustment_task(view: View, powers: Powers, names: Names) -> Task | None:
    """What is due, one task for each power of the seat that owes anything."""
    dues = [due for power in powers for due in view.adjustments if due.power == power]
    if not dues:
        return None
    if len(powers) > 1:
        return _shared_task(view, dues, names)
    return (
        _build_task(view, dues[0], names) if dues[0].builds else _disband_task(view, dues[0], names)
    )


def _shared_task(view: View, dues: Sequence[Adjustment], names: Names) -> Task:
    """Builds and removals of several powers, each below what it owes."""
    words = names.words
    rows: list[Row] = []
    for due in dues:
        rows.append(heading(_owed(due, names), words))
        rows += _build_choices(view, due, names, names_power=True) if due.builds else []
        rows += _disband_choices(view, due, names) if due.disbands else []
    defaults = []
    if any(due.builds for due in dues):
        defaults.append(say(words, "A build without an answer is waived."))
    if any(due.disbands for due in dues):
        defaults.append(_disband_default(view, words))
    sentence = say(words, "Each of your powers builds or disbands by its own centers:")
    return Task(sentence, tuple(rows), join_sentences(defaults, words))


def _owed(due: Adjustment, names: Names) -> str:
    """`Austria can build 2 units, by 2 of these lines`."""
    words, power = names.words, names.power(due.power)
    if due.builds:
        return count(
            words,
            "{power} can build one unit, by one of these lines",
            "{power} can build {n} units, by {n} of these lines, each for another place",
            due.builds,
            power=power,
        )
    return count(
        words,
        "{power} must disband one unit, by one of these lines",
        "{power} must disband {n} units, by {n} of these lines",
        due.disbands,
        power=power,
    )


def _build_task(view: View, due: Adjustment, names: Names) -> Task:
    words = names.words
    sentence = count(
        words,
        "You can build one unit. Reply with one of these lines:",
        "You can build {n} units. Reply with {n} of these lines, each for another place:",
        due.builds,
    )
    rows = tuple(_build_choices(view, due, names))
    return Task(sentence, rows, say(words, "A build without an answer is waived."))


def _build_choices(
    view: View, due: Adjustment, names: Names, *, names_power: bool = False
) -> Iterator[Row]:
    for center in due.open:
        yield from _build_rows(due.power, center, names)
    if view.may_waive:
        waive = WrittenWaive(1, due.power if names_power else None)
        yield order_row(waive, say(names.words, "leave a build out"), names)


def _build_rows(power: PowerId, center: ProvinceId, names: Names) -> list[Row]:
    board = names.variant.board
    rows = []
    for kind in UnitKind:
        for place in board.stands(kind, center):
            unit = Unit(power, kind, place)
            rows.append(order_row(Build(unit), _building(kind, place, names), names))
    return rows


def _building(kind: UnitKind, place: Location, names: Names) -> str:
    where = names.place(place)
    if kind is UnitKind.ARMY:
        return say(names.words, "build an army in {place}", place=where)
    return say(names.words, "build a fleet in {place}", place=where)


def _disband_task(view: View, due: Adjustment, names: Names) -> Task:
    words = names.words
    sentence = count(
        words,
        "You must disband one unit. Reply with one of these lines:",
        "You must disband {n} units. Reply with {n} of these lines:",
        due.disbands,
    )
    return Task(sentence, tuple(_disband_choices(view, due, names)), _disband_default(view, words))


def _disband_choices(view: View, due: Adjustment, names: Names) -> Iterator[Row]:
    for unit in view.units:
        if unit.power == due.power:
            yield order_row(Disband(unit), names.unit_in(unit), names)


def _disband_default(view: View, words: Translator) -> str:
    if view.from_home:
        return say(
            words,
            "Without an answer the units farthest from home are disbanded, fleets before armies.",
        )
    return say(
        words,
        "Without an answer the units farthest from your centers are disbanded, fleets before "
        "armies.",
    )


# --- what happens if nothing more comes -----------------------------------------------------------


def without_words(view: View, powers: Powers, order_set: OrderSet, words: Translator) -> str:
    """`A BUR - BEL runs, F MAO and A MAR hold.` Empty if nothing is asked of the powers."""
    names = Names(view.variant, words)
    match view.kind:
        case "M":
            return _without_orders(view, powers, order_set, names)
        case "R":
            return _without_retreats(view, powers, order_set, names)
        case _:
            return _without_adjustments(view, powers, order_set, names)


def _without_orders(view: View, powers: Powers, order_set: OrderSet, names: Names) -> str:
    words = names.words
    ordered = {line.key for line in order_set}
    idle = [
        str(unit)
        for unit in view.units
        if unit.power in powers and unit.location.province not in ordered
    ]
    if not order_set:
        return say(words, "all your units hold.") if idle else ""
    if not idle:
        return say(words, "your orders run as they are stored.")
    units = names.listed(idle)
    if len(order_set) > ORDERS_NAMED:
        return count(
            words,
            "the stored orders run, {units} holds.",
            "the stored orders run, {units} hold.",
            len(idle),
            units=units,
        )
    texts = names.listed([line.text for line in order_set])
    run = count(words, "{orders} runs", "{orders} run", len(order_set), orders=texts)
    return count(
        words, "{run}, {units} holds.", "{run}, {units} hold.", len(idle), run=run, units=units
    )


def _without_retreats(view: View, powers: Powers, order_set: OrderSet, names: Names) -> str:
    ordered = {line.key for line in order_set}
    lost = [
        str(each.unit)
        for each in view.dislodged
        if each.unit.power in powers and each.unit.location.province not in ordered
    ]
    if not lost:
        return ""
    return count(
        names.words,
        "{units} is disbanded.",
        "{units} are disbanded.",
        len(lost),
        units=names.listed(lost),
    )


def _without_adjustments(view: View, powers: Powers, order_set: OrderSet, names: Names) -> str:
    told: list[str] = []
    for due in view.adjustments:
        if due.power not in powers:
            continue
        stored = [line for line in order_set if len(powers) == 1 or _is_for(line, due, view)]
        left = due.builds + due.disbands - len(stored)
        if left > 0 and len(powers) > 1:
            told.append(_left_of(due, left, view, names))
        elif left > 0 and due.builds:
            told.append(count(names.words, "{n} build is waived.", "{n} builds are waived.", left))
        elif left > 0:
            told.append(_removed_by_rule(view, left, names.words))
    return join_sentences(told, names.words) if told else ""


def _is_for(line: Line, due: Adjustment, view: View) -> bool:
    """Whether a stored line is one of those that a power owes."""
    order = parse_canonical(line.text)
    match order:
        case WrittenBuild(unit):
            return bool(due.builds) and unit.location.province in due.open
        case WrittenDisband(unit):
            owners = {each.location.province: each.power for each in view.units}
            return owners.get(unit.location.province) == due.power
        case WrittenWaive(power=power):
            return power == due.power
        case _:
            return False


def _left_of(due: Adjustment, left: int, view: View, names: Names) -> str:
    """What becomes of what one of several powers has not answered."""
    words, power = names.words, names.power(due.power)
    if due.builds:
        return count(
            words, "{power} waives {n} build.", "{power} waives {n} builds.", left, power=power
        )
    told = _removed_by_rule(view, left, words)
    return say(words, "{place}: {sentence}", place=power, sentence=told)


def _removed_by_rule(view: View, left: int, words: Translator) -> str:
    if view.from_home:
        return count(
            words,
            "{n} unit is disbanded by the rule, the one farthest from home.",
            "{n} units are disbanded by the rule, those farthest from home.",
            left,
        )
    return count(
        words,
        "{n} unit is disbanded by the rule, the one farthest from your centers.",
        "{n} units are disbanded by the rule, those farthest from your centers.",
        left,
    )
