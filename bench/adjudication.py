"""How fast phases are resolved, beside the package `diplomacy`: `make bench`.

Prints the tables of docs/performance.md. Each engine has a process of its own, and they take turns
after every 250 positions, so that whatever else the machine does slows all. Times are processor
time of one core.
"""

import argparse
import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench.differences import differences
from bench.make_positions import COUNT, KINDS
from bench.ours import read_class
from bench.tables import Row, machine, micros, print_differences, print_table, rate, ratio

ROOT = Path(__file__).resolve().parent.parent
CLASSES = tuple(kind.name for kind in KINDS)
ROUNDS = 3
PART = 250  # positions that an engine runs before it is the next one's turn
MEMORY_MARKS = (10_000, 200_000)
MILLION = 1_000_000
PEER = "peer"

# Runs a module of this folder, with the judge that the Python has: the checkout comes last.
RUN = (
    f"import runpy, sys; sys.path.append({str(ROOT)!r}); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


@dataclass(frozen=True, slots=True)
class Engine:
    """The judge or the peer in its own process.

    Attributes:
        python: the Python that has it.
        seconds: by class, what was measured and part of the class, one entry a round.
    """

    name: str
    python: str
    process: "subprocess.Popen[str]"
    seconds: dict[tuple[str, str, int], list[float]] = field(default_factory=dict)

    def ask(self, what: str, name: str, part: int = 0) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = {"do": what, "class": name, "from": part * PART, "to": (part + 1) * PART}
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def measure(self, what: str, name: str, part: int) -> None:
        for key, value in self.ask(what, name, part).items():
            self.seconds.setdefault((name, key, part), []).append(value)

    def middle(self, key: str) -> list[float]:
        """Seconds a position, by class: of each part the median of the rounds."""
        parts = range(COUNT // PART)
        return [
            sum(median(self.seconds[name, key, at]) for at in parts) / COUNT for name in CLASSES
        ]


@contextmanager
def open_engine(name: str, python: str, module: str) -> Iterator[Engine]:
    with subprocess.Popen(
        command(python, module), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Engine(name, python, process)
        assert process.stdin is not None
        process.stdin.close()


def command(python: str, module: str, *rest: str) -> list[str]:
    return [python, "-P", "-c", RUN, module, *rest]


def answer_of(python: str, module: str, *rest: str) -> Any:
    """What a module prints in a fresh process."""
    ran = subprocess.run(command(python, module, *rest), check=True, stdout=subprocess.PIPE)
    return json.loads(ran.stdout)


def measure(what: str, name: str, engines: Sequence[Engine], rounds: int) -> None:
    for _ in range(rounds):
        for part in range(COUNT // PART):
            for engine in engines:
                if what == "round" or engine.name != PEER:
                    engine.measure(what, name, part)


# --- tables ---------------------------------------------------------------------------------------


def order_rows(judges: Sequence[Engine], peer: Engine | None) -> Iterator[Row]:
    theirs = peer and peer.middle("process")
    if theirs:
        yield micros("peer: process()", theirs)
    for judge in judges:
        yield micros(f"{judge.name}: one phase", judge.middle("phase"))
        yield micros(f"{judge.name}: to the next choice", judge.middle("turn"))
        if theirs:
            yield ratio("times as fast as the peer", theirs, judge.middle("turn"))


def text_rows(judges: Sequence[Engine], peer: Engine | None) -> Iterator[Row]:
    theirs = None
    if peer:
        pairs = zip(peer.middle("process"), peer.middle("set_up"), strict=True)
        theirs = [process + set_up for process, set_up in pairs]
        yield micros("peer: set-up and process()", theirs)
    for judge in judges:
        for key, head in (("texts", judge.name), ("cold", f"{judge.name}, no text met before")):
            yield micros(head, judge.middle(key))
            if theirs:
                yield ratio("times as fast as the peer", theirs, judge.middle(key))


def answer_rows(judges: Sequence[Engine]) -> Iterator[Row]:
    for judge in judges:
        found = [answer_of(judge.python, "bench.throughput", name)[name] for name in CLASSES]
        yield rate(judge.name, [one["warm"] for one in found])
        yield rate(f"{judge.name}, first pass of a process", [one["cold"] for one in found])


def colonial_rows(judges: Sequence[Engine]) -> Iterator[Row]:
    """The middle of some runs of each, taken in turn, so that other work on the machine slows all
    of them alike."""
    runs = [[answer_of(judge.python, "bench.colonial") for judge in judges] for _ in range(ROUNDS)]
    middle = [sorted(run["micros"] for run in one)[ROUNDS // 2] for one in zip(*runs, strict=True)]
    for judge, own, run in zip(judges, middle, runs[0], strict=True):
        yield rate(f"{judge.name}: one phase of {run['phases']}", [own])
    if len(middle) > 1:
        yield ratio("times as fast, compiled", [middle[0]], [middle[-1]])


def reading_rows(python: str, marks: Sequence[int]) -> Iterator[Row]:
    reading = answer_of(python, "bench.notation", "--json")
    yield rate("order lines a second, never met before", [reading["cold"]])
    yield rate("order lines a second, met before", [reading["warm"]])
    yield rate("start-up of the parser, ms", [reading["parser_ms"]])
    yield rate("the same with all imports, ms", [reading["start_ms"]])
    yield rate("a letter of 400 lines, ms", [reading["letter_ms"]])
    asked = [part for mark in marks for part in ("--memory", str(mark))]
    held = answer_of(python, "bench.throughput", *CLASSES, *asked)
    for mark in marks:
        yield rate(f"most memory held up to line {mark:,}, MB", [held[str(mark)]])


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--plain", required=True, help="the Python that has the judge as it is")
    asked.add_argument("--compiled", help="one that has it compiled")
    asked.add_argument("--peer", help="one that has the package diplomacy")
    asked.add_argument("--rounds", type=int, default=ROUNDS)
    asked.add_argument("--million", action="store_true", help="memory after a million lines too")
    told = asked.parse_args()
    marks = (*MEMORY_MARKS, MILLION) if told.million else MEMORY_MARKS
    print(f"{machine()}\n")
    with ExitStack() as stack:
        pythons = [("judge", told.plain), ("judge, compiled", told.compiled)]
        judges = [
            stack.enter_context(open_engine(name, python, "bench.ours"))
            for name, python in pythons
            if python
        ]
        for judge in judges:
            is_compiled = judge.ask("which", CLASSES[0])["is_compiled"]
            assert is_compiled == (judge.python == told.compiled), f"{judge.python} runs the other"
        peer = None
        if told.peer:
            peer = stack.enter_context(open_engine(PEER, told.peer, "bench.peer"))
            print_differences(
                {name: differences(read_class(name), peer.ask("boards", name)) for name in CLASSES}
            )
        for name in CLASSES:
            for what, rounds in (("round", told.rounds), ("cold", 1)):
                measure(what, name, [*judges, *([peer] if peer else [])], rounds)
    print_table(["from parsed orders, µs", *CLASSES], list(order_rows(judges, peer)))
    print_table(["from texts to the next choice, µs", *CLASSES], list(text_rows(judges, peer)))
    print_table(["judge adjudicate, lines a second", *CLASSES], list(answer_rows(judges)))
    print_table(["Colonial, from parsed orders, µs", "a phase"], list(colonial_rows(judges)))
    print_table(["reading and memory", "judge"], list(reading_rows(told.plain, marks)))


if __name__ == "__main__":
    main()
