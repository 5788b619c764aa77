"""The package `diplomacy` on our positions; runs in an environment of its own (see Makefile).

Takes one JSON object a line on standard input and answers with one. It knows the package and the
files of positions, and nothing of the judge.
"""

import gc
import gzip
import json
import logging
import sys
from pathlib import Path
from time import process_time
from typing import Any

from diplomacy import Game

RUN_UP = 25  # positions; as in ours.py
FOLDER = Path(__file__).resolve().parent / "positions"

Row = dict[str, Any]


def read_rows(name: str) -> list[Row]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz") as file:
        return [json.loads(line) for line in file]


def set_up(game: Game, row: Row) -> None:
    """Put a position and its orders into a game."""
    game.clear_units()
    game.clear_centers()
    game.set_current_phase(row["phase"])
    for power, units in row["units"].items():
        game.set_units(power, units)
    for power, centers in row["centers"].items():
        game.set_centers(power, centers)
    for power, orders in row["orders"].items():
        game.set_orders(power, orders)


def board(row: Row) -> Row:
    """What the package makes of a position: the board, and the orders that it took."""
    game = Game(map_name="standard")
    set_up(game, row)
    taken = {
        power: [f"{unit} {order}" for unit, order in game.powers[power].orders.items()]
        for power in game.powers
    }
    game.process()
    results = game.result_history.last_value()
    return {
        "units": {name: sorted(power.units) for name, power in game.powers.items()},
        "dislodged": sorted(
            unit for unit, result in results.items() if "dislodged" in map(str, result)
        ),
        "retreats": {
            unit: sorted(places)
            for power in game.powers.values()
            for unit, places in power.retreats.items()
        },
        "centers": {name: sorted(power.centers) for name, power in game.powers.items()},
        "phase": game.get_current_phase(),
        "taken": taken,
        "results": {unit: [str(each) for each in result] for unit, result in results.items()},
    }


def one_round(rows: list[Row]) -> Row:
    """Seconds of one pass, after a run-up that does not count: the process comes from waiting."""
    _pass(rows[:RUN_UP])
    return _pass(rows)


def _pass(rows: list[Row]) -> Row:
    """A fresh game for each position; making the game is not counted."""
    setting = processing = 0.0
    for row in rows:
        game = Game(map_name="standard")
        began = process_time()
        set_up(game, row)
        ready = process_time()
        game.process()
        processing += process_time() - ready
        setting += ready - began
    return {"set_up": setting, "process": processing}


def main() -> None:
    logging.disable(logging.CRITICAL)
    answers, sys.stdout = sys.stdout, sys.stderr  # the package prints
    rows: dict[str, list[Row]] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        name = asked["class"]
        if name not in rows:
            rows[name] = read_rows(name)
            gc.collect()
            gc.freeze()  # as ours.py does
        if asked["do"] == "boards":
            answer: object = [board(row) for row in rows[name]]
        else:
            answer = one_round(rows[name][asked["from"] : asked["to"]])
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
