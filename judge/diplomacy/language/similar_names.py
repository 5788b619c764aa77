"""What a word that nobody knows may mean: names spelled nearly like it, or that sound like it.

부르고뉴 sounds like Bourgogne and like ブルゴーニュ, 马赛 like 馬賽: a word becomes its sounds in
classes that survive the way from one language to another. B and P are one, R and L, all that
hisses; vowels count little. Both searches use an index of shortened names, so that their cost does
not grow with the number of names.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations, groupby

from anyascii import anyascii

from judge.data import language_data

WORD_LONGEST = 24  # letters, or sounds; a longer word is none of ours
_TWO_SLIPS_FROM = 6  # letters; shorter words are taken with one slip only
_SOUNDS_FEWEST = 3  # of a word that is compared by its sound

Meanings = Mapping[str, tuple[str, ...]]  # the canonical words that each name stands for
_Rules = tuple[tuple[re.Pattern[str], str], ...]


# --- by spelling ----------------------------------------------------------------------------------


class SpellingIndex:
    """Names by their letters."""

    def __init__(self, names: Meanings) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._shortened: dict[str, list[str]] = {}
        for name, words in names.items():
            self._names.setdefault(_letters(name), words)
        for name in self._names:
            if len(name) <= WORD_LONGEST:
                for short in _shortened(name, _slips(name)):
                    self._shortened.setdefault(short, []).append(name)

    def nearest(self, word: str) -> tuple[str, ...]:
        """The words of names at a small distance from it, or that it begins; nearest first."""
        word = _letters(word)
        if not 2 <= len(word) <= WORD_LONGEST:
            return ()
        slips = _slips(word)
        met = {name for short in _shortened(word, slips) for name in self._shortened.get(short, ())}
        ranked = [(distance(word, name), name) for name in met]
        ranked = [(far, name) for far, name in ranked if far <= min(slips, _slips(name))]
        if len(word) >= 3:
            begun = (name for name in self._names if name.startswith(word) and name not in met)
            ranked += [(1, name) for name in begun]
        return tuple(
            dict.fromkeys(each for _, name in sorted(ranked) for each in self._names[name])
        )


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


# --- by sound -------------------------------------------------------------------------------------

_CLASSES = {
    **dict.fromkeys("bpfv", "P"),
    **dict.fromkeys("td", "T"),
    **dict.fromkeys("szj", "S"),
    **dict.fromkeys("kgcq", "K"),
    **dict.fromkeys("lr", "L"),
    "m": "M",
    "n": "N",
    "h": "H",
    "a": "a",
    **dict.fromkeys("eiy", "e"),
    **dict.fromkeys("ouw", "o"),
}
_VOWELS = frozenset("aeo")
_KIN = frozenset({frozenset("MN"), frozenset("HK"), frozenset("HP"), frozenset("HS")})
# What a sound too many, too few or taken for another costs. A language may leave out H, L and N:
# Burgundy, 버건디, 勃艮第.
_VOWEL, _FAINT, _CONSONANT = 1, 2, 4
_WEIGHTS = {**dict.fromkeys("aeo", _VOWEL), **dict.fromkeys("HLN", _FAINT)}


class SoundIndex:
    """Names by their sounds."""

    def __init__(self, names: Meanings) -> None:
        self._words: dict[str, list[str]] = {}
        for name, words in names.items():
            self._words.setdefault(sounds(name), []).extend(words)
        self._by_consonants: dict[str, list[str]] = {}
        for sound in self._words:
            if _SOUNDS_FEWEST <= len(sound) <= WORD_LONGEST:
                for consonants in _shortened_consonants(sound):
                    self._by_consonants.setdefault(consonants, []).append(sound)

    def alike(self, word: str) -> tuple[str, ...]:
        """The words of the names that sound most like it; empty if none does."""
        sound = sounds(word)
        if not _SOUNDS_FEWEST <= len(sound) <= WORD_LONGEST:
            return ()
        shortened = _shortened_consonants(sound)
        met = {name for short in shortened for name in self._by_consonants.get(short, ())}
        costs = {name: _unlikeness(sound, name) for name in met}
        # The longer two sounds are, the more they may differ.
        fewest = {name: min(len(_consonants(sound)), len(_consonants(name))) for name in met}
        near = [(cost, name) for name, cost in costs.items() if cost < fewest[name]]
        least = min((cost for cost, _ in near), default=0)
        found = sorted(name for cost, name in near if cost == least)
        return tuple(dict.fromkeys(meant for name in found for meant in self._words[name]))


def sounds(word: str) -> str:
    """The classes of a word's sounds, one for neighbors of the same class."""
    spoken = word.lower()
    scripts, rules = _sound_rules()
    if not spoken.isascii():
        for letters, own_rules in scripts:
            spoken = letters.sub(lambda signs: _respelled(_latin(signs[0]), own_rules), spoken)  # noqa: B023
        spoken = _latin(spoken)
    classes = (_CLASSES[letter] for letter in _respelled(spoken, rules) if letter in _CLASSES)
    return "".join(sound for sound, _ in groupby(classes))


@cache
def _sound_rules() -> tuple[tuple[tuple[re.Pattern[str], _Rules], ...], _Rules]:
    """The rules of each script, and those of Latin letters."""
    tables = [
        table["sounds"] for table in language_data("orders.toml").values() if "sounds" in table
    ]
    compiled = [
        (each.get("letters"), tuple((re.compile(letters), to) for letters, to in each["rules"]))
        for each in tables
    ]
    scripts = [(re.compile(f"[{letters}]+"), rules) for letters, rules in compiled if letters]
    return tuple(scripts), tuple(
        rule for letters, rules in compiled if not letters for rule in rules
    )


def _latin(signs: str) -> str:
    """The signs in lower-case Latin letters, those of a syllable sign set apart."""
    return "".join(sign if sign.isascii() else f" {anyascii(sign)} " for sign in signs).lower()


def _respelled(said: str, rules: _Rules) -> str:
    for letters, sound in rules:
        said = letters.sub(sound, said)
    return said


def _consonants(sound: str) -> str:
    return "".join(each for each in sound if each not in _VOWELS)


def _shortened_consonants(sound: str) -> set[str]:
    """The consonants, and the consonants without any one of them."""
    found = _consonants(sound)
    return {found, *(found[:at] + found[at + 1 :] for at in range(len(found)))}


def _unlikeness(first: str, second: str) -> int:
    """How much one must be changed to sound as the other."""
    row = [0]
    for sound in second:
        row.append(row[-1] + _WEIGHTS.get(sound, _CONSONANT))
    for sound in first:
        weight = _WEIGHTS.get(sound, _CONSONANT)
        above, row = row, [row[0] + weight]
        for at, other in enumerate(second):
            swap = above[at] + _swap_cost(sound, other)
            gap = row[at] + _WEIGHTS.get(other, _CONSONANT)
            row.append(min(above[at + 1] + weight, gap, swap))
    return row[-1]


def _swap_cost(sound: str, other: str) -> int:
    if sound == other:
        return 0
    if sound in _VOWELS and other in _VOWELS:
        return _VOWEL
    return _FAINT if frozenset((sound, other)) in _KIN else _CONSONANT
