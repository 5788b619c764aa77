"""How many of our functions a letter, a deadline and its letters pass through.

    .venv/bin/python -m bench.trace --before ../before/.venv/bin/python

Three pieces of work are traced in the first phase of a standard game. Everything is loaded and
warm: the same was done before in a game with other orders, so that what is kept for one position,
report or line helps only where it would in a judge at work.

- letter    a reply with three orders above a quote of the judge's own letter, from its raw bytes
            given to the service until the transaction is committed: the orders are stored, the
            answer is in the outbox
- deadline  a movement phase of seven players who all sent orders, from the clock's look until the
            transaction is committed: the new position is stored, eight letters with results (seven
            players and the master) are in the outbox
- results   those eight letters, from the outbox to the stored bytes

Counted for each, by `sys.setprofile`:

- functions  distinct named functions and methods whose source lies in our package: code objects by
             file and qualified name, without lambdas, comprehensions, generator expressions, class
             and module bodies; what `dataclass` or `msgspec` writes into a class has no source
- files      distinct files of these functions
- decodes    conversions of a game's stored state from JSON to the game's values. A game that the
             letter before has opened may still be open: then there is none
- calls      call events of Python code whose source lies in our package, of all Python code, and
             those together with calls of C functions. A generator counts each time it is resumed.

Prints a line for each number; with `--before`, that of the other release stands before ours. In
release 0.1 a letter took 318 functions in 67 files and 6 decodes, a deadline 42 decodes, and the
results 217,924 calls of ours.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import judge
from bench.service import OPENINGS, Service, address_of

PACKAGE = str(Path(judge.__file__).resolve().parent)
UNNAMED = ("<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<module>")
# The class of a stored state, and the functions that make its values.
STATE = "GameState"
DECODERS = (
    ("diplomacy/records.py", "Values.from_bytes"),
    ("diplomacy/records.py", "Recorded.from_json"),  # in release 0.1
)
OTHERS = {  # the orders of the game before: none of them is in OPENINGS
    "AUSTRIA": "A BUD - RUM\nA VIE - TRI\nF TRI - VEN",
    "ENGLAND": "A LVP - EDI\nF EDI - NWG\nF LON - NTH",
    "FRANCE": "A MAR - BUR\nA PAR - PIC\nF BRE - ENG",
    "GERMANY": "A BER - MUN\nA MUN - BUR\nF KIE - HOL",
    "ITALY": "A ROM - VEN\nA VEN - TYR\nF NAP - TYS",
    "RUSSIA": "A MOS - STP\nA WAR - UKR\nF SEV - RUM\nF STP/SC - FIN",
    "TURKEY": "A CON H\nA SMY - ARM\nF ANK - CON",
}
GOALS = {
    "letter": {"functions": 100, "files": 30, "decodes": 2},
    "deadline": {"decodes": 2},
    "results": {"ours": 60_000},
}


@dataclass
class Trace:
    """What was counted in one piece of work."""

    functions: int = 0
    files: int = 0
    decodes: int = 0
    ours: int = 0
    python: int = 0
    all: int = 0
    names: list[str] = field(default_factory=list)


def trace(work: Callable[[], object]) -> Trace:
    """Do the work once and count."""
    calls: dict[CodeType, int] = {}
    decodes = built_in = 0

    def look(frame: FrameType, event: str, _: Any) -> None:
        nonlocal decodes, built_in
        if event == "call":
            code = frame.f_code
            calls[code] = calls.get(code, 0) + 1
            if _place(code) in DECODERS:
                decodes += frame.f_locals["cls"].__name__ == STATE
        elif event == "c_call":
            built_in += 1

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    calls.pop(trace.__code__, None)
    built_in -= 1  # sys.setprofile itself
    ours = {code: number for code, number in calls.items() if code.co_filename.startswith(PACKAGE)}
    named = {_place(code) for code in ours if code.co_name not in UNNAMED and not _is_class(code)}
    python = sum(calls.values())
    return Trace(
        functions=len(named),
        files=len({file for file, _ in named}),
        decodes=decodes,
        ours=sum(ours.values()),
        python=python,
        all=python + built_in,
        names=sorted(f"{file} {name}" for file, name in named),
    )


def _place(code: CodeType) -> tuple[str, str]:
    return code.co_filename.removeprefix(PACKAGE).lstrip("/"), code.co_qualname


def _is_class(code: CodeType) -> bool:
    """Whether this is a class's body: it has no arguments and sets up a namespace of its own."""
    return "__qualname__" in code.co_names and not code.co_flags & 0x2


def measure(orders: Mapping[str, str]) -> dict[str, Trace]:
    """The three pieces of work in a game's first spring, with these orders of all powers."""
    service = Service(None)
    service.start_game()
    service.say(address_of("FRANCE"), "A PAR H\nA MAR H")
    raw = service.reply(address_of("FRANCE"), orders["FRANCE"])
    found = {"letter": trace(lambda: service.take(raw))}
    service.render()
    assert service.send() == 1
    service.order(orders)
    service.pass_deadline()
    found["deadline"] = trace(service.run_due)
    found["results"] = trace(service.render)
    assert service.send() == len(orders) + 1
    service.close()
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    asked.add_argument("--before", help="the Python in which another release stands")
    asked.add_argument("--json", action="store_true", help="print one JSON object")
    asked.add_argument("--names", choices=GOALS, help="list the functions of one piece of work")
    told = asked.parse_args()
    measure(OTHERS)
    now = {name: asdict(one) for name, one in measure(OPENINGS).items()}
    if told.json:
        print(json.dumps(now))
        return
    if told.names:
        print("\n".join(now[told.names]["names"]))
        return
    before = {}
    if told.before:
        here = Path(__file__).resolve().parent.parent
        # -P and the path: that release's package, but this folder's benchmark.
        script = f"import sys; sys.path.append({str(here)!r}); from bench.trace import main; main()"
        done = subprocess.run(
            [told.before, "-P", "-c", script, "--json"], capture_output=True, text=True, check=True
        )
        before = json.loads(done.stdout)
    for name, one in now.items():
        for column in ("functions", "files", "decodes", "ours", "python", "all"):
            was = f"{before[name][column]:>9,} → " if before else ""
            goal = f"   goal {GOALS[name][column]:,}" if column in GOALS[name] else ""
            print(f"{name:<9} {column:<9} {was}{one[column]:>9,}{goal}")


if __name__ == "__main__":
    main()
