"""What a seat is asked for in a phase, as lines to send, and what happens without them."""

from collections.abc import Sequence
from itertools import product

from judge.blocks import Action, Row
from judge.diplomacy import orders as o
from judge.diplomacy.notation import parse_canonical
from judge.diplomacy.orders import PowerId, Unit, UnitKind
from judge.diplomacy.records import Adjustment, View
from judge.render.catalogue import join_sentences, sentence_tables
from judge.render.diplomacy.lines import order_row, order_shown
from judge.render.diplomacy.names import Names
from judge.render.diplomacy.position import heading_row
from judge.rulebook import Line, Message, OrderSet, Task

MOST_WAYS = 3  # of a retreat that are shown as links
ORDERS_NAMED = 4  # more stored orders than these are not named one by one

SENTENCES = sentence_tables("tasks.toml", dict[str, Message])

Powers = tuple[PowerId, ...]  # all of a seat


def task_words(view: View, powers: Powers, names: Names) -> Task | None:
    """What the powers of a seat have to send in this phase; None if nothing."""
    by_kind = {"M": _movement_task, "R": _retreat_task, "A": _adjustment_task}
    return by_kind[view.kind](view, powers, names)


def _by_power(rows: Sequence[tuple[PowerId, Row]], powers: Powers, names: Names) -> tuple[Row, ...]:
    """The rows, below the name of their power where a seat has several of them."""
    if len(powers) == 1:
        return tuple(row for _, row in rows)
    headed: list[Row] = []
    for power in powers:
        own = [row for owner, row in rows if owner == power]
        headed += [heading_row(names.power(power), names), *own] if own else []
    return tuple(headed)


def _movement_task(view: View, powers: Powers, names: Names) -> Task | None:
    """The units, and two examples: a list of orders would choose for the player."""
    units = [unit for power in powers for unit in view.units if unit.power == power]
    if not units:
        return None
    ways = (
        (unit, names.variant.board.adjacent_locations(unit.kind, unit.location)) for unit in units
    )
    moves = (o.Move(unit, targets[0]) for unit, targets in ways if targets)
    move = order_shown(next(moves, o.Hold(units[0])), names)
    hold = order_shown(o.Hold(units[-1]), names)
    sentence = names.tell(SENTENCES["movement"], len(units), move=move, hold=hold)
    rows = [(unit.power, Row(str(unit), names.unit_in(unit))) for unit in units]
    default = names.tell(SENTENCES["movement_default"])
    return Task(sentence, _by_power(rows, powers, names), default)


def _retreat_task(view: View, powers: Powers, names: Names) -> Task | None:
    asked = [each for each in view.dislodged if each.unit.power in powers and each.retreats]
    if not asked:
        return None
    listed: list[tuple[PowerId, Row]] = []
    ways: list[Action] = []
    for each in asked:
        unit = each.unit
        for target in each.retreats:
            place = names.location_in_sentence(target)
            meaning = names.say("retreat to {place}", place=place)
            row = order_row(o.Retreat(unit, target), meaning, names)
            listed.append((unit.power, row))
            ways.append(Action(names.tell(SENTENCES["retreat_to"], place=place), row.text))
        listed.append((unit.power, order_row(o.Disband(unit), names.say("disband"), names)))
    key, default = "retreat", "army_default"
    if len(asked) > 1:
        key, default = "retreats", "retreats_default"
    elif asked[0].unit.kind is UnitKind.FLEET:
        default = "fleet_default"
    rows = _by_power(listed, powers, names)
    actions = tuple(ways) if len(asked) == 1 and len(ways) <= MOST_WAYS else ()
    told, until = names.tell(SENTENCES[default]), SENTENCES["retreat_until"]
    return Task(names.tell(SENTENCES[key]), rows, told, until=until, actions=actions)


def _adjustment_task(view: View, powers: Powers, names: Names) -> Task | None:
    """What is due; of several powers of a seat each below what it owes."""
    dues = [due for power in powers for due in view.adjustments if due.power == power]
    if not dues:
        return None
    rows: list[Row] = []
    for due in dues:
        key, power = "builds" if due.builds else "disbands", names.power(due.power)
        sentence = names.tell(SENTENCES[key], due.builds or due.disbands)
        if len(powers) > 1:
            message = SENTENCES[f"{key}_of"]
            owed = names.tell(message, due.builds or due.disbands, power=power)
            rows.append(heading_row(owed, names))
            sentence = names.tell(SENTENCES["powers"])
        for unit in view.units if due.disbands else ():
            if unit.power == due.power:
                rows.append(order_row(o.Disband(unit), names.unit_in(unit), names))
        if not due.builds:
            continue
        for center, kind in product(due.open, UnitKind):
            for place in names.variant.board.possible_locations(kind, center):
                meaning = names.tell(
                    SENTENCES[f"build_{kind}"], place=names.location_in_sentence(place)
                )
                rows.append(order_row(o.Build(Unit(due.power, kind, place)), meaning, names))
        if view.may_waive:
            waive = o.WrittenWaive(1, due.power if len(powers) > 1 else None)
            rows.append(order_row(waive, names.say("leave a build out"), names))
    defaults = ["builds_default"] if any(due.builds for due in dues) else []
    if any(due.disbands for due in dues):
        defaults.append("from_home_default" if view.from_home else "from_centers_default")
    disbands = sum(due.disbands for due in dues)
    told = join_sentences([names.tell(SENTENCES[key], disbands) for key in defaults], names)
    count = sum(due.builds - due.disbands for due in dues)
    brief = names.tell(SENTENCES["build" if count > 0 else "disband"], abs(count))
    return Task(sentence, tuple(rows), told, brief if len(powers) == 1 else "")


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
    units, n = names.listed(idle), len(idle)
    if view.kind == "R":
        return names.tell(SENTENCES["disbanded"], n, units=units) if idle else ""
    if not order_set:
        return names.tell(SENTENCES["all_hold"]) if idle else ""
    if not idle:
        return names.tell(SENTENCES["all_run"])
    if len(order_set) > ORDERS_NAMED:
        return names.tell(SENTENCES["many_run"], n, units=units)
    orders = names.listed([line.text for line in order_set])
    run = names.tell(SENTENCES["orders_run"], len(order_set), orders=orders)
    return names.tell(SENTENCES["rest_holds"], n, run=run, units=units)


def _without_adjustments(view: View, powers: Powers, order_set: OrderSet, names: Names) -> str:
    told: list[str] = []
    for due in view.adjustments:
        if due.power not in powers:
            continue
        is_alone, power = len(powers) == 1, names.power(due.power)
        stored = [line for line in order_set if is_alone or _is_line_for_due(line, due, view)]
        left = due.builds + due.disbands - len(stored)
        if left <= 0:
            continue
        if due.builds:
            key = "waived" if is_alone else "waived_by"
            told.append(names.tell(SENTENCES[key], left, power=power))
            continue
        removed = names.tell(SENTENCES["from_home" if view.from_home else "from_centers"], left)
        if not is_alone:
            removed = names.say("{place}: {sentence}", place=power, sentence=removed)
        told.append(removed)
    return join_sentences(told, names)


def _is_line_for_due(line: Line, due: Adjustment, view: View) -> bool:
    """Whether a stored line is one of those that a power owes."""
    match parse_canonical(line.text):
        case o.WrittenBuild(unit):
            return bool(due.builds) and unit.location.province in due.open
        case o.WrittenDisband(unit):
            owners = {each.location.province: each.power for each in view.units}
            return owners.get(unit.location.province) == due.power
        case o.WrittenWaive(power=power):
            return power == due.power
        case _:
            return False
