"""The judge on the positions: what the benchmarks time, and the boards that it reaches.

As a program it answers in a process of its own, as peer.py does: one JSON object a line.
"""

import gc
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from time import process_time
from typing import Any

from bench.make_positions import Row, read_lines
from judge.diplomacy.adjudicate_lines import Request, read_request
from judge.diplomacy.adjudicator import decisions
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.notation import parse_order
from judge.diplomacy.orders import PowerId, WrittenOrder
from judge.diplomacy.sequence import play, play_phase

Written = Mapping[PowerId, Sequence[WrittenOrder]]
RUN_UP = 25  # positions; as in peer.py
MEMO_LEAST = 512  # bounded caches from this size on are memos of texts; smaller ones hold tables


@dataclass(frozen=True, slots=True)
class Task:
    """A position with its orders, as texts and read."""

    row: Row
    request: Request
    written: Written


def read_class(name: str) -> list[Task]:
    return [read_task(json.loads(line)) for line in read_lines(name)]


def read_task(row: Row) -> Task:
    """All up to the adjudication: the position from its texts, and the orders from theirs."""
    request = read_request(row)
    written: dict[PowerId, list[WrittenOrder]] = {}
    for power, texts in request.orders.items():
        orders = [parse_order(text, request.variant) for text in texts]
        written[power] = [order for order in orders if not isinstance(order, Fault)]
    return Task(row, request, written)


def is_compiled() -> bool:
    """Whether this process runs the adjudicator as machine code."""
    return not str(decisions.__file__).endswith(".py")


def one_round(tasks: Sequence[Task]) -> Row:
    """Seconds of one pass over the positions, in each way, after a run-up that does not count: the
    process comes from waiting."""
    text_seconds(tasks[:RUN_UP], is_cold=False)
    return {
        "phase": phase_seconds(tasks),
        "turn": turn_seconds(tasks),
        "texts": text_seconds(tasks, is_cold=False),
    }


def phase_seconds(tasks: Sequence[Task]) -> float:
    """One movement phase each, from parsed orders."""
    began = process_time()
    for task in tasks:
        play_phase(task.request.variant, task.request.rules, task.request.position, task.written)
    return process_time() - began


def turn_seconds(tasks: Sequence[Task]) -> float:
    """The same, on to the next phase in which somebody has a choice: what the peer does too."""
    began = process_time()
    for task in tasks:
        play(task.request.variant, task.request.rules, task.request.position, task.written)
    return process_time() - began


def text_seconds(tasks: Sequence[Task], *, is_cold: bool) -> float:
    """The same, from the texts. Cold: nothing read before is remembered, for no position."""
    seconds = 0.0
    for task in tasks:
        if is_cold:
            forget_texts()
        began = process_time()
        read = read_task(task.row)
        play(read.request.variant, read.request.rules, read.request.position, read.written)
        seconds += process_time() - began
    return seconds


def forget_texts() -> None:
    """Empty every memo of texts and orders; tables of the board stay."""
    for memo in _memos():
        memo.cache_clear()


@cache
def _memos() -> list[Any]:
    """The bounded caches of the game's modules."""
    found = []
    for name, module in sorted(sys.modules.items()):
        if name.startswith("judge.diplomacy"):
            for value in vars(module).values():
                size = getattr(value, "cache_parameters", dict)().get("maxsize")
                if size and size >= MEMO_LEAST and value not in found:
                    found.append(value)
    return found


def board(task: Task) -> Row:
    """What the judge makes of a position, in the peer's words (see `peer.board`)."""
    variant = task.request.variant
    played = play(variant, task.request.rules, task.request.position, task.written)
    first, after = played[0], played[-1].after
    return {
        "units": {
            power: sorted(str(unit) for unit in first.units if unit.power == power)
            for power in variant.power_ids
        },
        "dislodged": sorted(str(one.unit) for one in first.dislodged),
        "retreats": {
            str(one.unit): sorted(map(str, one.retreats)) for one in after.dislodged if one.retreats
        },
        "centers": {power: list(after.centers_of(power)) for power in variant.power_ids},
        "phase": "COMPLETED" if played[-1].winners else str(after.phase),
    }


def is_by_convoy(task: Task, unit: str) -> bool:
    """Whether a unit is dislodged by an army that came by convoy."""
    variant, rules = task.request.variant, task.request.rules
    played = play_phase(variant, rules, task.request.position, task.written)
    return any(str(one.unit) == unit and one.by_convoy for one in played.dislodged)


def main() -> None:
    classes: dict[str, list[Task]] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        name = asked["class"]
        if name not in classes:
            classes[name] = read_class(name)
            text_seconds(classes[name], is_cold=False)  # meets every text and table once
            gc.collect()
            gc.freeze()  # the positions that wait here are no part of what a judge holds
        part = classes[name][asked["from"] : asked["to"]]
        match asked["do"]:
            case "round":
                answer = one_round(part)
            case "cold":
                answer = {"cold": text_seconds(part, is_cold=True)}
            case _:
                answer = {"is_compiled": is_compiled()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
