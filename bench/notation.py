"""How fast order lines are read: `python -m bench.notation`.

Cold is a line never met before, names and grammar included; warm is one that the memo holds.
"""

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


def main() -> None:
    began = perf_counter()
    from judge.diplomacy.lines import read_line
    from judge.diplomacy.names import lexicon
    from judge.diplomacy.notation import _parse_canonical as by_grammar
    from judge.diplomacy.variant import load_variant

    words = lexicon(load_variant("standard"))
    read_line("A PAR - BUR", words)
    print(f"start-up, imports included: {(perf_counter() - began) * 1e3:8.1f} ms")
    for name, read in (("cold", read_line.__wrapped__), ("warm", read_line)):
        began = perf_counter()
        for _ in range(ROUNDS):
            if name == "cold":
                by_grammar.cache_clear()
            for line in LINES:
                read(line, words)
        rate = ROUNDS * len(LINES) / (perf_counter() - began)
        print(f"{name}: {rate:12,.0f} lines a second")


if __name__ == "__main__":
    main()
