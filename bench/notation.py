"""How fast order lines are read: `python -m bench.notation`, part of `make bench`.

Cold is a line never met before, names and grammar included; warm is one that the memo holds. The
letter has 400 lines, orders and talk in several languages, and is read for the first time.
"""

import json
import sys
from time import perf_counter

LINES = (
    "A MAR S A PAR - BUR",
    "F Nth C A Lon-Nwy",
    "Army Paris to Burgundy",
    "a par - bur",
    "A Lon - Nwy via convoy",
    "F Con - Bulgaria (east coast)",
    "육군, 마르세유, 지원, 육군, 파리 - 버건디",
    "Hi judge, I hope this is how it works. par – bur, Mar s Par-Bur",
)
ROUNDS = 500
LETTER_LINES = 400


def measure() -> dict[str, float]:
    """Milliseconds of the start and of the letter, lines a second cold and warm.

    Only the first call in a process is right: it measures the start, imports included.
    """
    began = perf_counter()
    from judge.diplomacy.lines import read_line
    from judge.diplomacy.names import lexicon
    from judge.diplomacy.notation import _parse_canonical as by_grammar
    from judge.diplomacy.variant import load_variant

    words = lexicon(load_variant("standard"))
    read_line("A PAR - BUR", words)
    found = {"start_ms": (perf_counter() - began) * 1e3, "letter_ms": _letter_ms()}
    for name, read in (("cold", read_line.__wrapped__), ("warm", read_line)):
        began = perf_counter()
        for _ in range(ROUNDS):
            if name == "cold":
                by_grammar.cache_clear()
            for line in LINES:
                read(line, words)
        found[name] = ROUNDS * len(LINES) / (perf_counter() - began)
    return found


def _letter_ms() -> float:
    from judge.diplomacy.desk import Desk
    from judge.diplomacy.orders import PowerId
    from judge.diplomacy.position import start_position
    from judge.diplomacy.reading import read_letter
    from judge.diplomacy.rules import Rules
    from judge.diplomacy.variant import load_variant

    variant = load_variant("standard")
    desk = Desk(variant, Rules.preset("2000"), start_position(variant), PowerId("FRANCE"))
    lines = [f"{LINES[n % len(LINES)]}{' ' * (n // len(LINES))}" for n in range(LETTER_LINES)]
    began = perf_counter()
    read_letter(desk, lines)
    return (perf_counter() - began) * 1e3


def main() -> None:
    found = measure()
    if "--json" in sys.argv:
        print(json.dumps(found))
        return
    print(f"start-up, imports included: {found['start_ms']:8.1f} ms")
    print(f"a letter of {LETTER_LINES} lines:      {found['letter_ms']:8.1f} ms")
    for name in ("cold", "warm"):
        print(f"{name}: {found[name]:12,.0f} lines a second")


if __name__ == "__main__":
    main()
