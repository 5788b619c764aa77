"""How fast phases are resolved, beside the package `diplomacy`: `make bench`.

Prints the tables of docs/performance.md. Both engines take turns in the same run, so that whatever
else the machine does slows both; times are processor time of one core.
"""

import argparse
import gc
import json
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench.differences import Difference, differences
from bench.make_positions import KINDS, Row
from bench.ours import Task, phase_seconds, read_class, text_seconds, turn_seconds

CLASSES = tuple(kind.name for kind in KINDS)
ROUNDS = 5
MEMORY_MARKS = (10_000, 200_000)
MILLION = 1_000_000
IDS_SHOWN = 8


@dataclass(slots=True)
class Times:
    """Seconds a position, one entry a round."""

    phase: list[float] = field(default_factory=list)
    turn: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    peer_process: list[float] = field(default_factory=list)
    peer_all: list[float] = field(default_factory=list)


class Peer:
    """The other package in its own process; see peer.py for what it is asked."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, what: str, name: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"do": what, "class": name}), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())


@contextmanager
def open_peer(python: str | None) -> Iterator[Peer | None]:
    """The peer under the Python that has it; nothing if none is given."""
    if python is None:
        yield None
        return
    command = [python, str(Path(__file__).with_name("peer.py"))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Peer(process)
        assert process.stdin is not None
        process.stdin.close()


def measure(tasks: Sequence[Task], name: str, peer: Peer | None, rounds: int) -> Times:
    """Turn by turn: ours in each way, then theirs."""
    times = Times()
    text_seconds(tasks, is_cold=False)  # fills the memo, and meets everything once
    for _ in range(rounds):
        gc.collect()
        times.phase.append(phase_seconds(tasks) / len(tasks))
        times.turn.append(turn_seconds(tasks) / len(tasks))
        times.warm.append(text_seconds(tasks, is_cold=False) / len(tasks))
        if peer is not None:
            told = peer.ask("round", name)
            times.peer_process.append(told["process"] / len(tasks))
            times.peer_all.append((told["process"] + told["set_up"]) / len(tasks))
    times.cold.append(text_seconds(tasks, is_cold=True) / len(tasks))
    return times


# --- what is printed ------------------------------------------------------------------------------


def _micros(seconds: Sequence[float]) -> str:
    return f"{median(seconds) * 1e6:,.0f}" if seconds else "-"


def _ratio(theirs: Sequence[float], ours: Sequence[float]) -> str:
    return f"**{median(theirs) / median(ours):.1f}**" if theirs else "-"


def speed_rows(measured: Sequence[Times], answered: Sequence[Row]) -> list[list[str]]:
    def row(head: str, cells: Iterator[str]) -> list[str]:
        return [head, *cells]

    return [
        row("one phase, from parsed orders, µs", (_micros(one.phase) for one in measured)),
        row("to the next choice, from parsed orders, µs", (_micros(one.turn) for one in measured)),
        row("peer: process(), µs", (_micros(one.peer_process) for one in measured)),
        row("times as fast", (_ratio(one.peer_process, one.turn) for one in measured)),
        row("to the next choice, from texts, µs", (_micros(one.warm) for one in measured)),
        row("the same, no text met before, µs", (_micros(one.cold) for one in measured)),
        row("peer: set-up and process(), µs", (_micros(one.peer_all) for one in measured)),
        row("times as fast", (_ratio(one.peer_all, one.warm) for one in measured)),
        row(
            "times as fast, no text met before",
            (_ratio(one.peer_all, one.cold) for one in measured),
        ),
        row("judge adjudicate, lines a second", (f"{one['warm']:,.0f}" for one in answered)),
        row("the same, first pass", (f"{one['cold']:,.0f}" for one in answered)),
    ]


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table as Markdown has it, numbers to the right."""
    widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    print(_line(head, widths))
    print("| " + " | ".join(["-" * widths[0], *("-" * (w - 1) + ":" for w in widths[1:])]) + " |")
    for row in rows:
        print(_line(row, widths))
    print(flush=True)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return "| " + " | ".join([first, *rest]) + " |"


def print_machine() -> None:
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = f"{models[0].partition(':')[2].strip()}, {len(models)} cores" if models else cpu
    print(f"{cpu}; Python {platform.python_version()}; {platform.system()}\n")


def print_differences(found: dict[str, list[Difference]]) -> None:
    kinds = Counter(one.why for each in found.values() for one in each)
    rows = [
        [str(why), *(str(sum(one.why is why for one in found[name])) for name in found)]
        for why, _ in kinds.most_common()
    ]
    boards = [str(sum(one.is_board for one in each)) for each in found.values()]
    print_table(
        ["positions of 1,000 that differ", *found],
        [*rows, ["in all, the units on the board", *boards]],
    )
    for why in kinds:
        ids = [one.id for each in found.values() for one in each if one.why is why]
        more = f" and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else ""
        print(f"- {why}: {', '.join(ids[:IDS_SHOWN])}{more}")
    print(flush=True)


def _in_fresh_process(*command: str) -> Any:
    """What a module of ours prints when it runs alone."""
    ran = subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True)
    return json.loads(ran.stdout)


def print_rest(marks: Sequence[int]) -> None:
    reading = _in_fresh_process("bench.notation", "--json")
    asked = [part for mark in marks for part in ("--memory", str(mark))]
    held = _in_fresh_process("bench.throughput", *CLASSES, *asked)
    rows = [
        ["order lines a second, never met before", f"{reading['cold']:,.0f}"],
        ["order lines a second, met before", f"{reading['warm']:,.0f}"],
        ["start-up with imports, ms", f"{reading['start_ms']:,.0f}"],
        ["a letter of 400 lines, ms", f"{reading['letter_ms']:,.0f}"],
        *([f"peak memory after {mark:,} lines, MB", f"{held[str(mark)]:.1f}"] for mark in marks),
    ]
    print_table(["reading and memory", ""], rows)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--peer", help="the Python that has the package; without it ours runs alone")
    asked.add_argument("--rounds", type=int, default=ROUNDS)
    asked.add_argument("--million", action="store_true", help="memory after a million lines too")
    told = asked.parse_args()
    print_machine()
    with open_peer(told.peer) as peer:
        classes = {name: read_class(name) for name in CLASSES}
        if peer is not None:
            print_differences(
                {name: differences(classes[name], peer.ask("boards", name)) for name in CLASSES}
            )
        measured = [measure(classes[name], name, peer, told.rounds) for name in CLASSES]
    answered = [_in_fresh_process("bench.throughput", name)[name] for name in CLASSES]
    print_table(["median of 1,000 positions", *CLASSES], speed_rows(measured, answered))
    print_rest((*MEMORY_MARKS, MILLION) if told.million else MEMORY_MARKS)


if __name__ == "__main__":
    main()
