"""The tables that `make bench` prints, as docs/performance.md shows them."""

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.differences import Difference

IDS_SHOWN = 6

Row = list[str]


def micros(head: str, seconds: Sequence[float]) -> Row:
    return [head, *(f"{each * 1e6:,.0f}" for each in seconds)]


def ratio(head: str, theirs: Sequence[float], ours: Sequence[float]) -> Row:
    return [head, *(f"**{other / own:.1f}**" for other, own in zip(theirs, ours, strict=True))]


def rate(head: str, numbers: Sequence[float]) -> Row:
    return [head, *(f"{each:,.0f}" for each in numbers)]


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table as Markdown has it, numbers to the right."""
    widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    print(_line(head, widths))
    print("| " + " | ".join(["-" * widths[0], *("-" * (w - 1) + ":" for w in widths[1:])]) + " |")
    for row in rows:
        print(_line(row, widths))
    print(flush=True)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return "| " + " | ".join([cells[0].ljust(widths[0]), *rest]) + " |"


def machine() -> str:
    """What the numbers were measured on."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = f"{models[0].partition(':')[2].strip()}, {len(models)} cores" if models else cpu
    return f"{cpu}; Python {platform.python_version()}; {platform.system()}"


def print_differences(found: Mapping[str, Sequence[Difference]]) -> None:
    """How many positions of each class differ and why, and the ids of some."""
    every = [one for each in found.values() for one in each]
    kinds = [why for why, _ in Counter(one.why for one in every).most_common()]
    rows = [
        [str(why), *(str(sum(one.why is why for one in each)) for each in found.values())]
        for why in kinds
    ]
    boards = [str(sum(one.is_board for one in each)) for each in found.values()]
    print_table(
        ["positions that differ", *found], [*rows, ["of these, units on the board differ", *boards]]
    )
    for why in kinds:
        ids = [one.id for one in every if one.why is why]
        more = f" and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else ""
        print(f"- {why}: {', '.join(ids[:IDS_SHOWN])}{more}")
    print(flush=True)
