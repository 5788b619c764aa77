"""Maps: milliseconds for the picture of a full movement phase, and its size.

    python -m bench.maps

Each figure is a median of CPU time; the raw limit in the same run is resvg alone with the whole SVG
and no PNG of few colors.
"""

import statistics
import time
from collections.abc import Callable
from functools import partial

import resvg_py

from judge.data import shipped
from judge.diplomacy.records import PhaseReport
from judge.diplomacy.rulebook import RULEBOOK
from judge.render.diplomacy.maps import phase_map
from judge.render.diplomacy.names import Names, names_of
from judge.rulebook import RandomStream

ROUNDS, PIXELS, PHASES = 15, 900, 9
LANGUAGES = ("en", "ko", "zh_Hant", "ja")


def milliseconds(work: Callable[[], object]) -> float:
    """The median of so many rounds, after one that fills the caches."""
    work()
    took = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        took.append(1000 * (time.process_time() - began))
    return statistics.median(took)


def crowded_phase(variant: str) -> PhaseReport:
    """The movement phase with the most orders of a game that the computer plays."""
    game, found = RULEBOOK.start(variant, {}), list[PhaseReport]()
    for serial in range(PHASES):
        stream = RandomStream(b"maps", serial)
        orders = game.computer_orders([one.seat for one in game.awaited], stream)
        resolved = game.resolve(orders, frozenset(), stream)
        found += [PhaseReport.from_bytes(one.public) for one in resolved.reports]
        game = resolved.game
    return max((one for one in found if one.kind == "M"), key=lambda one: len(one.results))


def drawn(report: PhaseReport, names: Names) -> bytes:
    return phase_map(report, names).to_png(PIXELS)


def main() -> None:
    font = str(shipped("config", "fonts", "names.ttf"))
    for variant in ("standard", "colonial"):
        report = crowded_phase(variant)
        print(f"{variant}: {report.label}, {len(report.results)} orders, {PIXELS} pixels wide")
        for language in LANGUAGES:
            names = names_of(variant, language)
            took = milliseconds(partial(drawn, report, names))
            whole = phase_map(report, names).to_svg().decode()
            raw = milliseconds(
                partial(
                    resvg_py.svg_to_bytes,
                    svg_string=whole,
                    width=PIXELS,
                    skip_system_fonts=True,
                    font_files=[font],
                )
            )
            size = len(drawn(report, names)) / 1000
            line = f"  {language:<8}{took:>6.0f} ms{size:>7.0f} kB   "
            line += f"resvg alone {raw:.0f} ms"
            print(f"{line}, {took / raw:.2f} times")


if __name__ == "__main__":
    main()
