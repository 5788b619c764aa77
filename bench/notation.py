"""How fast order lines are read: `python -m bench.notation`, part of `make bench`.

Cold is a line never met before, names and grammar included; warm is one that the memo holds. The
letter has 400 lines, orders and talk in several languages, and is read for the first time. No line
stands there twice. The start includes a first letter, which makes the tables that later ones use.
All but the start is measured in seconds of one core.
"""

import json
import sys
from collections.abc import Sequence
from time import perf_counter, process_time

LINES = (
    "A {0} S A {1} - {2}",
    "F {0} C A {1}-{2}",
    "Army {0} to {1}",
    "{0} - {1}",
    "A {0} - {1} via convoy",
    "F {0} - {1} (east coast)",
    "육군, {0}, 지원, 육군, {1} - {2}",
    "Hi judge, I hope this is how it works. {0} – {1}, {2} s {0}-{1}",
)
ROUNDS = 500
LETTER_LINES = 400


def measure() -> dict[str, float]:
    """Milliseconds of the start and of the letter, lines a second cold and warm.

    Only the first call in a process is right: it measures the start, imports included.
    """
    # Lark checks the grammar with this package where tests have it installed; a judge has it not.
    sys.modules["interegular"] = None  # type: ignore[assignment]
    began = perf_counter()
    from judge.diplomacy.language.lexicon import lexicon
    from judge.diplomacy.language.lines.line_reading import read_line
    from judge.diplomacy.variants.variant import load_variant

    loaded = perf_counter()
    variant = load_variant("standard")
    words = lexicon(variant)
    read_line("A PAR - BUR", words)
    assert words.nearest("Brugundy")
    assert words.nearest("Burgonnia")
    lines = distinct_lines(tuple(variant.board.provinces), ROUNDS * len(LINES) + 2 * LETTER_LINES)
    first, second, rest = (
        lines[:LETTER_LINES],
        lines[LETTER_LINES : 2 * LETTER_LINES],
        lines[2 * LETTER_LINES :],
    )
    _letter_ms(first)
    ready = perf_counter()
    found = {"start_ms": (ready - began) * 1e3, "parser_ms": (ready - loaded) * 1e3}
    found["letter_ms"] = _letter_ms(second)
    for name in ("cold", "warm"):
        began = process_time()
        for line in rest:
            read_line(line, words)
        found[name] = ROUNDS * len(LINES) / (process_time() - began)
    return found


def distinct_lines(provinces: Sequence[str], count: int) -> list[str]:
    """Lines of all shapes in turn, each with another pair of provinces; `count` at most 5,000."""
    most = len(provinces)
    return [
        LINES[n % len(LINES)].format(
            provinces[n % most], provinces[(n + n // most + 1) % most], provinces[n * 5 % most]
        )
        for n in range(count)
    ]


def _letter_ms(lines: list[str]) -> float:
    from judge.diplomacy.language.order_context import OrderContext
    from judge.diplomacy.language.pipeline import read_orders
    from judge.diplomacy.orders import PowerId
    from judge.diplomacy.position import start_position
    from judge.diplomacy.rules import Rules
    from judge.diplomacy.variants.variant import load_variant

    variant = load_variant("standard")
    context = OrderContext(
        variant, Rules.preset("2000"), start_position(variant), PowerId("FRANCE")
    )
    began = process_time()
    read_orders(context, lines)
    return (process_time() - began) * 1e3


def main() -> None:
    found = measure()
    if "--json" in sys.argv:
        print(json.dumps(found))
        return
    print(f"start-up, imports included: {found['start_ms']:8.1f} ms")
    print(f"start-up of the parser:     {found['parser_ms']:8.1f} ms")
    print(f"a letter of {LETTER_LINES} lines:      {found['letter_ms']:8.1f} ms")
    for name in ("cold", "warm"):
        print(f"{name}: {found[name]:12,.0f} lines a second")


if __name__ == "__main__":
    main()
