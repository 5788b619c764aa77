"""Players for the demo and for tests: they choose plausible orders and write them in their own way.

Knows no mail; a player turns what he may see of the board into the text of a letter.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from judge.diplomacy.board import Board
from judge.diplomacy.orders import Location, PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.records import View
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import Variant, load_variant

FAR = 99  # steps to a center that cannot be reached
FULL_KIND = {UnitKind.ARMY: "Army", UnitKind.FLEET: "Fleet"}


@dataclass(frozen=True, slots=True)
class Step:
    """One order of a scripted player, before it is put into words.

    Attributes:
        verb: `-`, `H`, `S`, `R`, `D`, `B` or `WAIVE`.
        target: where to, for `-` and `R`, and with `helped` the end of the supported move.
    """

    verb: str
    unit: Unit | None = None
    target: Location | None = None
    helped: Unit | None = None


def choose_steps(view: View, seat: PowerId, chance: random.Random) -> tuple[Step, ...]:
    """Orders for everything that the seat owes in this phase."""
    variant = choose(view.variant, view.options)
    if view.kind == "R":
        return tuple(_retreats(view, seat, chance))
    if view.kind == "A":
        return tuple(_adjustments(view, seat, variant, chance))
    return tuple(_moves(view, seat, variant.board, chance))


def _retreats(view: View, seat: PowerId, chance: random.Random) -> Iterable[Step]:
    for one in view.dislodged:
        if one.unit.power == seat:
            if one.retreats:
                yield Step("R", one.unit, chance.choice(one.retreats))
            else:
                yield Step("D", one.unit)


def _adjustments(
    view: View, seat: PowerId, variant: Variant, chance: random.Random
) -> Iterable[Step]:
    for due in view.adjustments:
        if due.power != seat:
            continue
        own = [unit for unit in view.units if unit.power == seat]
        for unit in chance.sample(own, min(due.disbands, len(own))):
            yield Step("D", unit)
        for province in due.open[: due.builds]:
            yield Step("B", _new_unit(seat, province, variant.board, chance))


def _new_unit(seat: PowerId, province: ProvinceId, board: Board, chance: random.Random) -> Unit:
    fleets = board.stands(UnitKind.FLEET, province)
    if fleets and chance.random() < 0.4:
        return Unit(seat, UnitKind.FLEET, chance.choice(fleets))
    return Unit(seat, UnitKind.ARMY, Location(province))


def _moves(view: View, seat: PowerId, board: Board, chance: random.Random) -> Iterable[Step]:
    """Each unit goes towards the nearest center that is not its own; others help where they can."""
    taken: dict[ProvinceId, Unit] = {}
    own = [unit for unit in view.units if unit.power == seat]
    chance.shuffle(own)
    goals = {center for center in board.centers if view.owners.get(center) != seat}
    idle: list[Unit] = []
    steps: list[Step] = []
    for unit in own:
        target = _best_way(unit, board, goals, taken, chance)
        if target is None:
            idle.append(unit)
        else:
            taken[target.province] = unit
            steps.append(Step("-", unit, target))
    enemies = {unit.location.province for unit in view.units if unit.power != seat}
    for step in list(steps):
        assert step.unit is not None
        assert step.target is not None
        if step.target.province in enemies:
            idle += _recruit(step, steps, board, chance)
    for unit in idle:
        steps = [step for step in steps if step.unit != unit]
        steps.append(_support(unit, steps, board) or Step("H", unit))
    return steps


def _recruit(step: Step, steps: Sequence[Step], board: Board, chance: random.Random) -> list[Unit]:
    """Somebody whose own move can wait, to support an attack."""
    assert step.target is not None
    able = [
        other.unit
        for other in steps
        if other is not step
        and other.verb == "-"
        and other.unit is not None
        and board.is_adjacent(other.unit.kind, other.unit.location, step.target.province)
    ]
    return [chance.choice(able)] if able and chance.random() < 0.7 else []


def _support(unit: Unit, steps: Sequence[Step], board: Board) -> Step | None:
    for step in steps:
        if step.verb != "-" or step.target is None or step.unit is None:
            continue
        if board.is_adjacent(unit.kind, unit.location, step.target.province):
            return Step("S", unit, step.target, helped=step.unit)
    return None


def _best_way(
    unit: Unit,
    board: Board,
    goals: set[ProvinceId],
    taken: dict[ProvinceId, Unit],
    chance: random.Random,
) -> Location | None:
    if unit.location.province in goals and chance.random() < 0.5:
        return None  # stay until the center is ours
    ways = [way for way in board.ways(unit.kind, unit.location) if way.province not in taken]
    if not ways:
        return None
    chance.shuffle(ways)
    return min(ways, key=lambda way: _steps_to(unit.kind, way, board, goals - set(taken)))


def _steps_to(kind: UnitKind, origin: Location, board: Board, goals: set[ProvinceId]) -> int:
    """How many steps from a location to the nearest goal, for such a unit."""
    seen, edge = {origin}, [origin]
    for distance in range(FAR):
        if any(place.province in goals for place in edge):
            return distance
        edge = [way for place in edge for way in board.ways(kind, place) if way not in seen]
        edge = list(dict.fromkeys(edge))
        if not edge:
            return FAR
        seen.update(edge)
    return FAR


# --- how each of them writes ----------------------------------------------------------------------


def write_canonical(step: Step) -> str:
    """`A PAR - BUR`."""
    match step:
        case Step("WAIVE"):
            return "WAIVE"
        case Step("S", unit, target, helped):
            return f"{unit} S {helped} - {target}"
        case Step("-" | "R" as verb, unit, target):
            return f"{unit} {verb} {target}"
        case Step(verb, unit):
            return f"{unit} {verb}"


def write_terse(step: Step) -> str:
    """`a par-bur`."""
    return write_canonical(step).lower().replace(" - ", "-")


def write_arrows(step: Step) -> str:
    """`A Par → Bur`, as a phone's keyboard makes it."""
    return write_canonical(step).title().replace(" - ", " → ")


def write_words(step: Step) -> str:
    """`Army Paris to Burgundy`."""
    match step:
        case Step("-", unit, target):
            return f"{_named(unit)} to {_place(target)}"
        case Step("S", unit, target, helped):
            return f"{_named(unit)} supports {_named(helped)} to {_place(target)}"
        case Step("H", unit):
            return f"{_named(unit)} holds"
        case Step("R", unit, target):
            return f"{_named(unit)} retreats to {_place(target)}"
        case Step("B", unit):
            return f"Build {_named(unit)}"
        case Step("D", unit):
            return f"Disband {_named(unit)}"
        case _:
            return "Waive"


def _named(unit: Unit | None) -> str:
    assert unit is not None
    return f"{FULL_KIND[unit.kind]} {_place(unit.location)}"


def _place(location: Location | None) -> str:
    assert location is not None
    board = load_variant("standard").board
    name = board.provinces[location.province].name
    coasts = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
    return f"{name} ({coasts[location.coast]})" if location.coast else name


Writer = Callable[[Step], str]


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody writes letters."""

    name: str
    write: Writer
    greeting: str = ""
    farewell: str = ""
    between: str = "\n"

    def body(self, steps: Sequence[Step]) -> str:
        """A letter's text above whatever it quotes."""
        orders = self.between.join(self.write(step) for step in steps)
        return "\n\n".join(part for part in (self.greeting, orders, self.farewell) if part)


STYLES = (
    Style("plain", write_canonical),
    Style("phone", write_terse, farewell="Sent from my phone"),
    Style("chatty", write_words, "Hi judge, here are my orders for this turn.", "Cheers!\nBen"),
    Style("arrows", write_arrows),
    Style("one line", write_canonical, between="; "),
    Style("formal", write_words, "Dear judge,", "Yours faithfully\n-- \nThe Tsar of All Mail"),
    Style("old hand", write_canonical, between=" / "),
)
