"""How well quotes are cut from letters, beside two other packages: `make bench-quoting`.

All three are given the same plain text of each letter of `tests/letters/corpus`; its charset,
format=flowed and HTML are read by us before. Columns: letters from which the board reads just the
orders that were given, and those cut right; lines of the writer lost, lines of others taken, and
press broken. `--half known` leaves the held-out half unread.
"""

import argparse
import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.letters.score import HALVES, Sample, Score, letter_of, load_samples, score_body

OTHERS = Path(__file__).with_name("quoting_others.py")
SECONDS = 120  # for both other packages together


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--others", help="the Python that has the other packages")
    asked.add_argument("--half", choices=HALVES, action="append", help="default: both")
    asked.add_argument("--names", action="store_true", help="name the letters that are not right")
    told = asked.parse_args()
    heads = f"{'read right':>12}{'cut right':>12}{'lost':>7}{'taken':>7}{'press':>7}"
    print(f"{'half':<10}{'cut by':<22}{heads}")
    for half in told.half or HALVES:
        samples = load_samples(half)
        for name, bodies in _bodies(samples, told.others).items():
            scores = [score_body(one, body) for one, body in zip(samples, bodies, strict=True)]
            print(f"{half:<10}{name:<22}{_row(scores)}")
            if told.names:
                _name_wrong(samples, scores)


def _bodies(samples: Sequence[Sample], others: str | None) -> Mapping[str, Sequence[str]]:
    """Each letter's body as each package cuts it."""
    letters = [letter_of(sample) for sample in samples]
    found: dict[str, Sequence[str]] = {"judge": [letter.body for letter in letters]}
    if others:
        texts = json.dumps([letter.whole_body for letter in letters])
        run = subprocess.run(
            [others, str(OTHERS)],
            input=texts,
            capture_output=True,
            text=True,
            check=True,
            timeout=SECONDS,
        )
        found |= json.loads(run.stdout)
    return found


def _row(scores: Sequence[Score]) -> str:
    read = f"{sum(score.is_right for score in scores)}/{len(scores)}"
    cut = f"{sum(score.is_cut_right for score in scores)}/{len(scores)}"
    lost, taken, broken = (
        sum(len(part) for part in parts)
        for parts in zip(*((one.lost, one.taken, one.broken) for one in scores), strict=True)
    )
    return f"{read:>12}{cut:>12}{lost:>7}{taken:>7}{broken:>7}"


def _name_wrong(samples: Sequence[Sample], scores: Sequence[Score]) -> None:
    for sample, score in zip(samples, scores, strict=True):
        if not score.is_right:
            print(f"    {sample.name}")


if __name__ == "__main__":
    main()
