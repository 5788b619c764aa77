"""What a seat is asked for in a phase, as lines to send, and what happens without them."""

from collections.abc import Iterable, Iterator

from judge.diplomacy.notation import parse_canonical
from judge.diplomacy.orders import (
    Build,
    Disband,
    Hold,
    Move,
    PowerId,
    Retreat,
    Unit,
    UnitKind,
    WrittenBuild,
    WrittenDisband,
    WrittenWaive,
)
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import Adjustment, View
from judge.render.catalogue import N_, join_sentences
from judge.render.diplomacy.lines import order_row, order_shown
from judge.render.diplomacy.names import Names
from judge.render.diplomacy.position import heading
from judge.render.layout import unbroken
from judge.rulebook import Line, OrderSet, Row, Task

ORDERS_NAMED = 4  # more stored orders than these are not named one by one

BUILDS = {
    UnitKind.ARMY: N_("build an army in {place}"),
    UnitKind.FLEET: N_("build a fleet in {place}"),
}

Powers = tuple[PowerId, ...]  # all of a seat


def task_words(view: View, powers: Powers, names: Names) -> Task | None:
    """What the powers of a seat have to send in this phase; None if nothing."""
    by_kind = {"M": _movement_task, "R": _retreat_task, "A": _adjustment_task}
    return by_kind[view.kind](view, powers, names)


def _by_power(rows: Iterable[tuple[PowerId, Row]], powers: Powers, names: Names) -> tuple[Row, ...]:
    """The rows, below the name of their power where a seat has several of them."""
    found = list(rows)
    if len(powers) == 1:
        return tuple(row for _, row in found)
    headed: list[Row] = []
    for power in powers:
        own = [row for owner, row in found if owner == power]
        headed += [heading(names.power(power), names), *own] if own else []
    return tuple(headed)


def _movement_task(view: View, powers: Powers, names: Names) -> Task | None:
    """The units, and two examples: a list of orders would choose for the player."""
    units = [unit for power in powers for unit in view.units if unit.power == power]
    if not units:
        return None
    ways = ((unit, names.variant.board.ways(unit.kind, unit.location)) for unit in units)
    moves = (Move(unit, targets[0]) for unit, targets in ways if targets)
    sentence = names.count(
        "Send an order for your unit, such as {move} or {hold}:",
        "Send an order for each of your {n} units, such as {move} or {hold}:",
        len(units),
        move=unbroken(order_shown(next(moves, Hold(units[0])), names)),
        hold=unbroken(order_shown(Hold(units[-1]), names)),
    )
    rows = ((unit.power, Row(str(unit), names.unit_in(unit))) for unit in units)
    default = names.say("A unit without an order holds.")
    return Task(sentence, _by_power(rows, powers, names), default)


def _retreat_task(view: View, powers: Powers, names: Names) -> Task | None:
    asked = [each for each in view.dislodged if each.unit.power in powers and each.retreats]
    if not asked:
        return None
    listed = ((each.unit.power, row) for each in asked for row in _retreat_rows(each, names))
    rows = _by_power(listed, powers, names)
    if len(asked) > 1:
        sentence = names.say("Reply with one line for each of these units:")
        return Task(sentence, rows, names.say("Units without an answer are disbanded."))
    default = names.say("Without an answer the army is disbanded.")
    if asked[0].unit.kind is UnitKind.FLEET:
        default = names.say("Without an answer the fleet is disbanded.")
    return Task(names.say("Reply with one of these lines:"), rows, default)


def _retreat_rows(dislodged: Dislodged, names: Names) -> Iterator[Row]:
    for target in dislodged.retreats:
        meaning = names.say("retreat to {place}", place=names.place(target))
        yield order_row(Retreat(dislodged.unit, target), meaning, names)
    yield order_row(Disband(dislodged.unit), names.say("disband"), names)


def _adjustment_task(view: View, powers: Powers, names: Names) -> Task | None:
    """What is due; of several powers of a seat each below what it owes."""
    dues = [due for power in powers for due in view.adjustments if due.power == power]
    if not dues:
        return None
    if len(powers) > 1:
        rows: list[Row] = []
        for due in dues:
            rows += [heading(_owed(due, names), names), *_choices(view, due, powers, names)]
        sentence = names.say("Each of your powers builds or disbands by its own centers:")
    else:
        rows = list(_choices(view, dues[0], powers, names))
        sentence = _asked(dues[0], names)
    defaults = []
    if any(due.builds for due in dues):
        defaults.append(names.say("A build without an answer is waived."))
    if any(due.disbands for due in dues) and view.from_home:
        defaults.append(
            names.say(
                "Without an answer the units farthest from home are disbanded, fleets before "
                "armies."
            )
        )
    elif any(due.disbands for due in dues):
        defaults.append(
            names.say(
                "Without an answer the units farthest from your centers are disbanded, fleets "
                "before armies."
            )
        )
    return Task(sentence, tuple(rows), join_sentences(defaults, names))


def _asked(due: Adjustment, names: Names) -> str:
    if due.builds:
        return names.count(
            "You can build one unit. Reply with one of these lines:",
            "You can build {n} units. Reply with {n} of these lines, each for another place:",
            due.builds,
        )
    return names.count(
        "You must disband one unit. Reply with one of these lines:",
        "You must disband {n} units. Reply with {n} of these lines:",
        due.disbands,
    )


def _owed(due: Adjustment, names: Names) -> str:
    """`Austria can build 2 units, by 2 of these lines`."""
    power = names.power(due.power)
    if due.builds:
        return names.count(
            "{power} can build one unit, by one of these lines",
            "{power} can build {n} units, by {n} of these lines, each for another place",
            due.builds,
            power=power,
        )
    return names.count(
        "{power} must disband one unit, by one of these lines",
        "{power} must disband {n} units, by {n} of these lines",
        due.disbands,
        power=power,
    )


def _choices(view: View, due: Adjustment, powers: Powers, names: Names) -> Iterator[Row]:
    """The lines by which a power can build, or those by which it can disband."""
    if due.disbands:
        for unit in view.units:
            if unit.power == due.power:
                yield order_row(Disband(unit), names.unit_in(unit), names)
    if not due.builds:
        return
    for center in due.open:
        for kind in UnitKind:
            for place in names.variant.board.stands(kind, center):
                meaning = names.say(BUILDS[kind], place=names.place(place))
                yield order_row(Build(Unit(due.power, kind, place)), meaning, names)
    if view.may_waive:
        waive = WrittenWaive(1, due.power if len(powers) > 1 else None)
        yield order_row(waive, names.say("leave a build out"), names)


# --- what happens if nothing more comes -----------------------------------------------------------


def without_words(view: View, powers: Powers, order_set: OrderSet, names: Names) -> str:
    """`A BUR - BEL runs, F MAO and A MAR hold.` Empty if nothing is asked of the powers."""
    if view.kind == "A":
        return _without_adjustments(view, powers, order_set, names)
    asked = view.units if view.kind == "M" else [each.unit for each in view.dislodged]
    ordered = {line.key for line in order_set}
    idle = [
        str(unit)
        for unit in asked
        if unit.power in powers and unit.location.province not in ordered
    ]
    units = names.listed(idle)
    if view.kind == "R":
        lost = names.count(
            "{units} is disbanded.", "{units} are disbanded.", len(idle), units=units
        )
        return lost if idle else ""
    if not order_set:
        return names.say("all your units hold.") if idle else ""
    if not idle:
        return names.say("your orders run as they are stored.")
    if len(order_set) > ORDERS_NAMED:
        return names.count(
            "the stored orders run, {units} holds.",
            "the stored orders run, {units} hold.",
            len(idle),
            units=units,
        )
    orders = names.listed([line.text for line in order_set])
    run = names.count("{orders} runs", "{orders} run", len(order_set), orders=orders)
    return names.count(
        "{run}, {units} holds.", "{run}, {units} hold.", len(idle), run=run, units=units
    )


def _without_adjustments(view: View, powers: Powers, order_set: OrderSet, names: Names) -> str:
    told: list[str] = []
    for due in view.adjustments:
        if due.power not in powers:
            continue
        stored = [line for line in order_set if len(powers) == 1 or _is_for(line, due, view)]
        left, power = due.builds + due.disbands - len(stored), names.power(due.power)
        if left <= 0:
            continue
        if due.builds and len(powers) > 1:
            told.append(
                names.count(
                    "{power} waives {n} build.", "{power} waives {n} builds.", left, power=power
                )
            )
        elif due.builds:
            told.append(names.count("{n} build is waived.", "{n} builds are waived.", left))
        elif len(powers) > 1:
            removed = _removed_by_rule(view, left, names)
            told.append(names.say("{place}: {sentence}", place=power, sentence=removed))
        else:
            told.append(_removed_by_rule(view, left, names))
    return join_sentences(told, names)


def _is_for(line: Line, due: Adjustment, view: View) -> bool:
    """Whether a stored line is one of those that a power owes."""
    match parse_canonical(line.text):
        case WrittenBuild(unit):
            return bool(due.builds) and unit.location.province in due.open
        case WrittenDisband(unit):
            owners = {each.location.province: each.power for each in view.units}
            return owners.get(unit.location.province) == due.power
        case WrittenWaive(power=power):
            return power == due.power
        case _:
            return False


def _removed_by_rule(view: View, left: int, names: Names) -> str:
    if view.from_home:
        return names.count(
            "{n} unit is disbanded by the rule, the one farthest from home.",
            "{n} units are disbanded by the rule, those farthest from home.",
            left,
        )
    return names.count(
        "{n} unit is disbanded by the rule, the one farthest from your centers.",
        "{n} units are disbanded by the rule, those farthest from your centers.",
        left,
    )
