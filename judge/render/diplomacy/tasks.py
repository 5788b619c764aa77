"""What a seat is asked for in a phase, as lines to send, and what happens without them."""

from collections.abc import Sequence

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
    Waive,
)
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import Adjustment, View
from judge.render.catalogue import count, say
from judge.render.diplomacy.orders import order_row, order_shown
from judge.render.diplomacy.words import Names
from judge.render.layout import unbroken
from judge.rulebook import Row, Sheet, Task, Translator

ORDERS_NAMED = 4  # more stored orders than these are not named one by one


def task_words(view: View, power: PowerId, words: Translator) -> Task | None:
    """What the power has to send in this phase; None if nothing."""
    names = Names(view.variant, words)
    match view.kind:
        case "M":
            return _movement_task(view, power, names)
        case "R":
            return _retreat_task(view, power, names)
        case _:
            return _adjustment_task(view, power, names)


def _movement_task(view: View, power: PowerId, names: Names) -> Task | None:
    """The units, and two examples: a list of orders would choose for the player."""
    units = [unit for unit in view.units if unit.power == power]
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
    rows = tuple(Row(str(unit), names.unit_in(unit)) for unit in units)
    return Task(sentence, rows, default)


def _example_move(units: Sequence[Unit], names: Names) -> str:
    for unit in units:
        ways = names.variant.board.ways(unit.kind, unit.location)
        if ways:
            return order_shown(Move(unit, ways[0]), names)
    return order_shown(Hold(units[0]), names)


def _retreat_task(view: View, power: PowerId, names: Names) -> Task | None:
    asked = [each for each in view.dislodged if each.unit.power == power and each.retreats]
    if not asked:
        return None
    words = names.words
    rows = tuple(row for each in asked for row in _retreat_rows(each, names))
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


def _adjustment_task(view: View, power: PowerId, names: Names) -> Task | None:
    for due in view.adjustments:
        if due.power == power and due.builds:
            return _build_task(view, due, names)
        if due.power == power and due.disbands:
            return _disband_task(view, due, names)
    return None


def _build_task(view: View, due: Adjustment, names: Names) -> Task:
    words = names.words
    sentence = count(
        words,
        "You can build one unit. Reply with one of these lines:",
        "You can build {n} units. Reply with {n} of these lines, each for another place:",
        due.builds,
    )
    rows = [row for center in due.open for row in _build_rows(due.power, center, names)]
    if view.may_waive:
        rows.append(order_row(Waive(due.power), say(words, "leave a build out"), names))
    default = say(words, "A build without an answer is waived.")
    return Task(sentence, tuple(rows), default)


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
    units = [unit for unit in view.units if unit.power == due.power]
    sentence = count(
        words,
        "You must disband one unit. Reply with one of these lines:",
        "You must disband {n} units. Reply with {n} of these lines:",
        due.disbands,
    )
    rows = tuple(order_row(Disband(unit), names.unit_in(unit), names) for unit in units)
    if view.from_home:
        default = say(
            words,
            "Without an answer the units farthest from home are disbanded, fleets before armies.",
        )
    else:
        default = say(
            words,
            "Without an answer the units farthest from your centers are disbanded, fleets before "
            "armies.",
        )
    return Task(sentence, rows, default)


# --- what happens if nothing more comes -----------------------------------------------------------


def without_words(view: View, power: PowerId, sheet: Sheet, words: Translator) -> str:
    """`A BUR - BEL runs, F MAO and A MAR hold.` Empty if nothing is asked of the power."""
    names = Names(view.variant, words)
    match view.kind:
        case "M":
            return _without_orders(view, power, sheet, names)
        case "R":
            return _without_retreats(view, power, sheet, names)
        case _:
            return _without_adjustments(view, power, sheet, names)


def _without_orders(view: View, power: PowerId, sheet: Sheet, names: Names) -> str:
    words = names.words
    ordered = {line.key for line in sheet}
    idle = [
        str(unit)
        for unit in view.units
        if unit.power == power and unit.location.province not in ordered
    ]
    if not sheet:
        return say(words, "all your units hold.") if idle else ""
    if not idle:
        return say(words, "your orders run as they are stored.")
    units = names.listed(idle)
    if len(sheet) > ORDERS_NAMED:
        return count(
            words,
            "the stored orders run, {units} holds.",
            "the stored orders run, {units} hold.",
            len(idle),
            units=units,
        )
    texts = names.listed([line.text for line in sheet])
    run = count(words, "{orders} runs", "{orders} run", len(sheet), orders=texts)
    return count(
        words, "{run}, {units} holds.", "{run}, {units} hold.", len(idle), run=run, units=units
    )


def _without_retreats(view: View, power: PowerId, sheet: Sheet, names: Names) -> str:
    ordered = {line.key for line in sheet}
    lost = [
        str(each.unit)
        for each in view.dislodged
        if each.unit.power == power and each.unit.location.province not in ordered
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


def _without_adjustments(view: View, power: PowerId, sheet: Sheet, names: Names) -> str:
    for due in view.adjustments:
        if due.power != power:
            continue
        left = due.builds + due.disbands - len(sheet)
        if left <= 0:
            return ""
        if due.builds:
            return count(names.words, "{n} build is waived.", "{n} builds are waived.", left)
        return _removed_by_rule(view, left, names.words)
    return ""


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
