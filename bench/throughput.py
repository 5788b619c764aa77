"""How fast `judge adjudicate` answers, and how much memory it takes: `python -m bench.throughput`.

Runs the program's own stream over the committed positions, in this fresh process. Prints one JSON
object; `make bench` puts it into its table.
"""

import argparse
import io
import json
import os
import resource
import statistics
import sys
from pathlib import Path
from time import process_time

from bench.make_positions import read_lines
from judge.adjudicate_stream import adjudicate_stream
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.variants.variant import load_variant

WARM_PASSES = 2


def rates(name: str) -> dict[str, float]:
    """Lines a second of a class: the first pass, with board and grammar loaded and no text met
    before, and the median of later ones."""
    lexicon(load_variant("standard"))
    passes = [_lines_a_second(read_lines(name)) for _ in range(1 + WARM_PASSES)]
    return {"cold": passes[0], "warm": statistics.median(passes[1:])}


def memory(names: list[str], marks: list[int]) -> dict[str, float]:
    """Most memory in MB that the process has held after so many lines, taken from all classes."""
    lines = [line for name in names for line in read_lines(name)]
    found: dict[str, float] = {}
    done = 0
    for mark in sorted(marks):
        while done < mark:
            some = lines[: mark - done]
            _lines_a_second(some)
            done += len(some)
        found[str(mark)] = _peak_mb()
    return found


def _lines_a_second(lines: list[bytes]) -> float:
    source = io.BytesIO(b"\n".join(lines) + b"\n")
    with Path(os.devnull).open("w", encoding="utf-8") as out:
        began = process_time()
        assert adjudicate_stream(source, out)
        return len(lines) / (process_time() - began)


def _peak_mb() -> float:
    """Peak resident memory; Linux counts it in kB, macOS in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("classes", nargs="+")
    asked.add_argument(
        "--memory", type=int, action="append", help="say what it holds after N lines"
    )
    told = asked.parse_args()
    if told.memory:
        print(json.dumps(memory(told.classes, told.memory)))
    else:
        print(json.dumps({name: rates(name) for name in told.classes}))


if __name__ == "__main__":
    main()
