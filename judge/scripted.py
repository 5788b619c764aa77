"""Players for the demo and for tests: they choose plausible orders and write them in their own way.

Knows no mail: a player turns what they may see of the board into the text of a letter.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from judge.diplomacy.board import Board
from judge.diplomacy.orders import Location, PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.records import View
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import load_variant

FAR = 99  # steps to a center that cannot be reached
COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}


@dataclass(frozen=True, slots=True)
class Step:
    """One order of a scripted player, before it is put into words.

    Attributes:
        verb: `-`, `H`, `S`, `R`, `D` or `B`.
        target: where to, for `-` and `R`; for `S` the end of the move of `helped`.
    """

    verb: str
    unit: Unit
    target: Location | None = None
    helped: Unit | None = None


# --- choosing -------------------------------------------------------------------------------------


def choose_steps(view: View, seat: PowerId, chance: random.Random) -> tuple[Step, ...]:
    """Orders for everything that the power owes in this phase."""
    board = choose(view.variant, view.options).board
    choosers = {"M": _moves, "R": _retreats, "A": _adjustments}
    return tuple(choosers[view.kind](view, seat, board, chance))


def _retreats(view: View, seat: PowerId, _: Board, chance: random.Random) -> Iterator[Step]:
    for one in view.dislodged:
        if one.unit.power == seat and one.retreats:
            yield Step("R", one.unit, chance.choice(one.retreats))
        elif one.unit.power == seat:
            yield Step("D", one.unit)


def _adjustments(view: View, seat: PowerId, board: Board, chance: random.Random) -> Iterator[Step]:
    own = [unit for unit in view.units if unit.power == seat]
    for due in view.adjustments:
        if due.power != seat:
            continue
        for unit in chance.sample(own, min(due.disbands, len(own))):
            yield Step("D", unit)
        for province in due.open[: due.builds]:
            fleets = board.stands(UnitKind.FLEET, province)
            if fleets and chance.random() < 0.4:
                yield Step("B", Unit(seat, UnitKind.FLEET, chance.choice(fleets)))
            else:
                yield Step("B", Unit(seat, UnitKind.ARMY, Location(province)))


def _moves(view: View, seat: PowerId, board: Board, chance: random.Random) -> Iterator[Step]:
    """Each unit goes towards the nearest center that is not its own; others help where they can."""
    own = [unit for unit in view.units if unit.power == seat]
    chance.shuffle(own)
    goals = {center for center in board.centers if view.owners.get(center) != seat}
    taken: set[ProvinceId] = set()
    steps: dict[Unit, Step] = {}
    idle: list[Unit] = []
    for unit in own:
        stays = unit.location.province in goals and chance.random() < 0.5  # until it is ours
        ways = () if stays else board.ways(unit.kind, unit.location)
        free = [way for way in ways if way.province not in taken]
        chance.shuffle(free)
        if free:
            open_goals = goals - taken
            target = min(free, key=lambda way: _steps_to(unit.kind, way, board, open_goals))
            taken.add(target.province)
            steps[unit] = Step("-", unit, target)
        else:
            idle.append(unit)

    enemies = {unit.location.province for unit in view.units if unit.power != seat}
    for step in steps.values():
        if step.target is not None and step.target.province in enemies:
            able = [
                one.unit for one in steps.values() if one is not step and _helps(one, step, board)
            ]
            if able and chance.random() < 0.7:
                idle.append(chance.choice(able))  # its own move can wait
    for unit in idle:
        steps.pop(unit, None)
        hold = Step("H", unit)
        helped = next((one for one in steps.values() if _helps(hold, one, board)), None)
        steps[unit] = Step("S", unit, helped.target, helped.unit) if helped else hold
    yield from steps.values()


def _helps(step: Step, move: Step, board: Board) -> bool:
    """Whether the unit of a step could support a move."""
    if move.verb != "-" or move.target is None:
        return False
    return board.is_adjacent(step.unit.kind, step.unit.location, move.target.province)


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


def write_canonical(step: Step) -> str:
    """`A PAR - BUR`."""
    match step.verb:
        case "S":
            return f"{step.unit} S {step.helped} - {step.target}"
        case "-" | "R":
            return f"{step.unit} {step.verb} {step.target}"
        case _:
            return f"{step.unit} {step.verb}"


WORDS = {
    "-": "{unit} to {target}",
    "S": "{unit} supports {helped} to {target}",
    "H": "{unit} holds",
    "R": "{unit} retreats to {target}",
    "B": "Build {unit}",
    "D": "Disband {unit}",
}


def write_words(step: Step) -> str:
    """`Army Paris to Burgundy`."""
    provinces = load_variant("standard").board.provinces

    def place(location: Location | None) -> str:
        if location is None:
            return ""
        coast = f" ({COASTS[location.coast]})" if location.coast else ""
        return f"{provinces[location.province].name}{coast}"

    def name(unit: Unit | None) -> str:
        kind = "Army" if unit and unit.kind is UnitKind.ARMY else "Fleet"
        return f"{kind} {place(unit.location)}" if unit else ""

    words = WORDS[step.verb]
    return words.format(unit=name(step.unit), target=place(step.target), helped=name(step.helped))


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody writes letters."""

    write: Callable[[Step], str]
    greeting: str = ""
    farewell: str = ""
    between: str = "\n"

    def body(self, steps: Sequence[Step]) -> str:
        """A letter's text above whatever it quotes."""
        orders = self.between.join(self.write(step) for step in steps)
        return "\n\n".join(part for part in (self.greeting, orders, self.farewell) if part)


def _write_terse(step: Step) -> str:
    """`a par-bur`."""
    return write_canonical(step).lower().replace(" - ", "-")


STYLES = (
    Style(write_canonical),
    Style(_write_terse, farewell="Sent from my phone"),
    Style(write_words, "Hi judge, here are my orders for this turn.", "Cheers!\nBen"),
    Style(lambda step: write_canonical(step).title().replace(" - ", " → ")),
    Style(write_canonical, between="; "),
    Style(write_words, "Dear judge,", "Yours faithfully\n-- \nThe Tsar of All Mail"),
    Style(write_canonical, between=" / "),
)
