"""How fast movement phases of Colonial Diplomacy are resolved, trains and passages among them.

Random play from the start, always the same; times are processor time of one core, after a run-up.
As a program it prints JSON: microseconds a phase, and how many were played.
"""

import json
import random
from collections.abc import Mapping, Sequence
from time import process_time

from judge.diplomacy.orders import (
    Location,
    PowerId,
    ProvinceId,
    Unit,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenRide,
    WrittenSupportMove,
    WrittenUnit,
)
from judge.diplomacy.position import Position, start_position
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import play, resolve_movement
from judge.diplomacy.variants.options import choose

COLONIAL = choose("colonial", {})
RULES = Rules.preset("2000")
LINE = ("MOS", "PRM", "OMS", "KRA", "IRK", "VLA")
ENDS = {"MED": "RED", "RED": "MED"}
GAMES, TURNS, ROUNDS = 20, 10, 15

Sheets = Mapping[PowerId, Sequence[WrittenOrder]]


def orders_for(position: Position, chance: random.Random) -> Sheets:
    """Random orders that could work; each turn the first Russian army on the line rides."""
    order_sets: dict[PowerId, list[WrittenOrder]] = {}
    has_train = False
    for unit in position.units:
        rides = not has_train and unit.power == "RUSSIA" and unit.location.province in LINE
        has_train = has_train or rides
        order = _ride(unit, chance) if rides else _order(unit, position.units, chance)
        order_sets.setdefault(unit.power, []).append(order)
    return order_sets


def _ride(unit: Unit, chance: random.Random) -> WrittenOrder:
    goal = chance.choice([each for each in LINE if each != unit.location.province])
    return WrittenRide(_named(unit), Location(ProvinceId(goal)))


def _order(unit: Unit, units: Sequence[Unit], chance: random.Random) -> WrittenOrder:
    board, end = COLONIAL.board, ENDS.get(unit.location.province)
    if end and chance.random() < 0.5:
        return WrittenMove(_named(unit), Location(ProvinceId(end)))
    ways = board.adjacent_locations(unit.kind, unit.location)
    if not ways:
        return WrittenHold(_named(unit))
    goal = chance.choice(ways)
    near = [one for one in units if board.is_adjacent(one.kind, one.location, goal.province)]
    if chance.random() < 0.4 and near:
        return WrittenSupportMove(_named(unit), _named(chance.choice(near)), goal)
    return WrittenMove(_named(unit), goal)


def _named(unit: Unit) -> WrittenUnit:
    return WrittenUnit(unit.location, unit.kind)


def phases() -> list[tuple[Position, Sheets]]:
    """The movement phases of some random games."""
    found = []
    for game in range(GAMES):
        chance, position = random.Random(game), start_position(COLONIAL)
        for _ in range(TURNS):
            order_sets = orders_for(position, chance)
            found.append((position, order_sets))
            position = play(COLONIAL, RULES, position, order_sets)[-1].after
            while position.phase.kind != "M":
                position = play(COLONIAL, RULES, position, {})[-1].after
    return found


def seconds(played: Sequence[tuple[Position, Sheets]]) -> float:
    """One pass over the phases."""
    began = process_time()
    for position, order_sets in played:
        resolve_movement(COLONIAL, RULES, position, order_sets)
    return process_time() - began


def main() -> None:
    played = phases()
    seconds(played)
    times = sorted(seconds(played) for _ in range(ROUNDS))
    micros = times[ROUNDS // 2] / len(played) * 1_000_000
    print(json.dumps({"micros": micros, "phases": len(played)}))


if __name__ == "__main__":
    main()
