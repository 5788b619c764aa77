"""Finds what a misspelled word may mean: names at a small distance, or that it begins.

Works with an index of shortened names, so that the cost does not grow with their number.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

LONGEST = 24  # letters; a longer word is none of ours
_TWO_SLIPS_FROM = 6  # letters; shorter words are taken with one slip only

Names = Mapping[str, tuple[str, ...]]


class Spelling:
    """An index of known names. `names` maps each to the words it stands for."""

    def __init__(self, names: Names) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._shortened: dict[str, list[str]] = {}
        for name, words in names.items():
            self._names.setdefault(_letters(name), words)
        for name in self._names:
            if len(name) <= LONGEST:
                for short in _shortened(name, _slips(name)):
                    self._shortened.setdefault(short, []).append(name)

    def nearest(self, word: str) -> tuple[str, ...]:
        """The words it may stand for, nearest first; empty if nothing is near."""
        word = _letters(word)
        if not 2 <= len(word) <= LONGEST:
            return ()
        ranked = sorted(self._candidates(word), key=lambda found: (found[0], found[1]))
        words = [meant for _, name in ranked for meant in self._names[name]]
        return tuple(dict.fromkeys(words))

    def _candidates(self, word: str) -> Iterator[tuple[int, str]]:
        slips = _slips(word)
        met = {name for short in _shortened(word, slips) for name in self._shortened.get(short, ())}
        for name in met:
            far = distance(word, name)
            if far <= min(slips, _slips(name)):
                yield far, name
        if len(word) >= 3:
            for name in self._names:
                if name.startswith(word) and name not in met:
                    yield 1, name


@lru_cache(maxsize=1 << 12)
def _letters(word: str) -> str:
    """The word by its letters: a Hangul syllable is two or three of them, a kana may be two."""
    return word if word.isascii() else unicodedata.normalize("NFD", word)


def _slips(word: str) -> int:
    return 2 if len(word) >= _TWO_SLIPS_FROM else 1


def _shortened(word: str, slips: int) -> set[str]:
    """The word, and the word with up to `slips` letters left out."""
    shorter = {word}
    for count in range(1, min(slips, len(word) - 1) + 1):
        for gone in combinations(range(len(word)), count):
            shorter.add("".join(sign for at, sign in enumerate(word) if at not in gone))
    return shorter


def distance(first: str, second: str) -> int:
    """Letters to add, drop, replace or swap with their neighbor to make one word the other."""
    rows = [list(range(len(second) + 1))]
    for at, sign in enumerate(first, 1):
        row = [at]
        for to, other in enumerate(second, 1):
            best = min(rows[-1][to] + 1, row[to - 1] + 1, rows[-1][to - 1] + (sign != other))
            if at > 1 and to > 1 and sign == second[to - 2] and first[at - 2] == other:
                best = min(best, rows[-2][to - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
