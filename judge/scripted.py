"""Players for the demo and for tests: they choose plausible orders and write them in their own way.

Knows no mail: a player turns what they may see of the board into the text of a letter.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from judge.diplomacy import orders as o
from judge.diplomacy.board import Board
from judge.diplomacy.notation import Notation, format_order
from judge.diplomacy.orders import Location, PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.records import View
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import load_variant

FAR = 99  # steps to a center that cannot be reached

# --- choosing -------------------------------------------------------------------------------------


def choose_orders(view: View, seat: PowerId, chance: random.Random) -> tuple[o.AnyOrder, ...]:
    """Orders for everything that the power owes in this phase."""
    board = choose(view.variant, view.options).board
    choosers = {"M": _moves, "R": _retreats, "A": _adjustments}
    return tuple(choosers[view.kind](view, seat, board, chance))


def _retreats(
    view: View, seat: PowerId, _: Board, chance: random.Random
) -> Iterator[o.Retreat | o.Disband]:
    for one in view.dislodged:
        if one.unit.power == seat:
            way = chance.choice(one.retreats) if one.retreats else None
            yield o.Retreat(one.unit, way) if way else o.Disband(one.unit)


def _adjustments(
    view: View, seat: PowerId, board: Board, chance: random.Random
) -> Iterator[o.Build | o.Disband]:
    own = [unit for unit in view.units if unit.power == seat]
    for due in (due for due in view.adjustments if due.power == seat):
        for unit in chance.sample(own, min(due.disbands, len(own))):
            yield o.Disband(unit)
        for province in due.open[: due.builds]:
            fleets = board.stands(UnitKind.FLEET, province)
            if fleets and chance.random() < 0.4:
                yield o.Build(Unit(seat, UnitKind.FLEET, chance.choice(fleets)))
            else:
                yield o.Build(Unit(seat, UnitKind.ARMY, Location(province)))


def _moves(
    view: View, seat: PowerId, board: Board, chance: random.Random
) -> Iterator[o.Move | o.SupportMove | o.Hold]:
    """Each unit goes towards the nearest center that is not its own; others help where they can."""
    own = [unit for unit in view.units if unit.power == seat]
    chance.shuffle(own)
    goals = {center for center in board.centers if view.owners.get(center) != seat}
    taken: set[ProvinceId] = set()
    moves: dict[Unit, o.Move] = {}
    for unit in own:
        stays = unit.location.province in goals and chance.random() < 0.5  # until it is ours
        ways = () if stays else board.ways(unit.kind, unit.location)
        free = [way for way in ways if way.province not in taken]
        chance.shuffle(free)
        if free:
            open_goals = goals - taken
            target = min(free, key=lambda way: _steps_to(unit.kind, way, board, open_goals))
            taken.add(target.province)
            moves[unit] = o.Move(unit, target)

    def helps(unit: Unit, move: o.Move) -> bool:
        """Whether the unit could support the move."""
        return board.is_adjacent(unit.kind, unit.location, move.target.province)

    enemies = {unit.location.province for unit in view.units if unit.power != seat}
    idle = [unit for unit in own if unit not in moves]
    for move in moves.values():
        able = [unit for unit in moves if unit != move.unit and helps(unit, move)]
        if move.target.province in enemies and able and chance.random() < 0.7:
            idle.append(chance.choice(able))  # its own move can wait
    orders: dict[Unit, o.Move | o.SupportMove | o.Hold] = dict(moves)
    for unit in idle:
        orders.pop(unit, None)
        left = (order for order in orders.values() if isinstance(order, o.Move))
        helped = next((move for move in left if helps(unit, move)), None)
        support = o.SupportMove(unit, helped.unit, helped.target) if helped else None
        orders[unit] = support or o.Hold(unit)
    yield from orders.values()


def _steps_to(kind: UnitKind, origin: Location, board: Board, goals: set[ProvinceId]) -> int:
    """How many steps from a location to the nearest goal, for such a unit."""
    seen, edge = {origin}, [origin]
    for distance in range(FAR):
        if not edge or any(location.province in goals for location in edge):
            return distance if edge else FAR
        ways = (way for location in edge for way in board.ways(kind, location))
        edge = [way for way in dict.fromkeys(ways) if way not in seen]
        seen.update(edge)
    return FAR


# --- writing --------------------------------------------------------------------------------------

COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
PROSE = {
    "A {place}": "Army {place}",
    "F {place}": "Fleet {place}",
    "{unit} - {target}": "{unit} to {target}",
    "{unit} S {other} - {target}": "{unit} supports {other} to {target}",
    "{unit} H": "{unit} holds",
    "{unit} R {target}": "{unit} retreats to {target}",
    "{unit} B": "Build {unit}",
    "{unit} D": "Disband {unit}",
}


class _Prose(Notation):
    """`Army Paris to Burgundy`."""

    def say(self, message: str, /, **parts: str) -> str:
        return PROSE[message].format(**parts)

    def location(self, location: Location) -> str:
        name = load_variant("standard").board.provinces[location.province].name
        return f"{name} ({COASTS[location.coast]})" if location.coast else name


def _write_prose(order: o.AnyOrder) -> str:
    return format_order(order, _Prose())


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody writes letters."""

    write: Callable[[o.AnyOrder], str]
    greeting: str = ""
    farewell: str = ""
    between: str = "\n"

    def body(self, orders: Sequence[o.AnyOrder]) -> str:
        """A letter's text above whatever it quotes."""
        lines = self.between.join(map(self.write, orders))
        return "\n\n".join(part for part in (self.greeting, lines, self.farewell) if part)


STYLES = (
    Style(format_order),
    Style(
        lambda order: format_order(order).lower().replace(" - ", "-"), farewell="Sent from my phone"
    ),
    Style(_write_prose, "Hi judge, here are my orders for this turn.", "Cheers!\nBen"),
    Style(lambda order: format_order(order).title().replace(" - ", " → ")),
    Style(format_order, between="; "),
    Style(_write_prose, "Dear judge,", "Yours faithfully\n-- \nThe Tsar of All Mail"),
    Style(format_order, between=" / "),
)
