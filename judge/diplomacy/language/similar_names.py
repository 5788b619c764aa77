"""What a word that nobody knows may mean: names spelled nearly like it, or that sound like it.

부르고뉴 sounds like Bourgogne and like ブルゴーニュ, 马赛 like 馬賽: a word becomes its sounds in
classes that survive the way from one language to another. B and P are one, R and L, all that
hisses; vowels count little. Names of like sound are found by an index of shortened ones.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import accumulate, groupby, permutations

from anyascii import anyascii
from rapidfuzz import process
from rapidfuzz.distance import OSA

from judge.data import language_data

WORD_LONGEST = 24  # letters, or sounds; a longer word is none of ours
_TWO_SLIPS_FROM = 6  # letters; shorter words are taken with one slip only
_BEGINNING_FEWEST = 3  # letters that are taken for the beginning of a name
_SOUNDS_FEWEST = 3  # of a word that is compared by its sound

Meanings = Mapping[str, tuple[str, ...]]  # the canonical words that each name stands for
_Rules = tuple[tuple[re.Pattern[str], str], ...]


class SimilarNames:
    """Names by their letters, and by their sounds: what each means, and the names that are left
    with the same when some of their parts are left out."""

    def __init__(self, spelled: Meanings, spoken: Meanings) -> None:
        self._spelled = _grouped((_letters(name), words) for name, words in spelled.items())
        self._spoken = _grouped((sounds(name), words) for name, words in spoken.items())
        self._names = [name for name in self._spelled if len(name) <= WORD_LONGEST]
        self._by_consonants = _grouped(
            (short, [name]) for name in self._spoken for short in _consonant_deletions(name)
        )

    def nearest(self, word: str) -> tuple[str, ...]:
        """The words of names that are spelled like it, or else sound like it; nearest first."""
        return self.spelled_like(word) or self.sounding_like(word)

    def spelled_like(self, word: str) -> tuple[str, ...]:
        """Those at a small distance from it, or that it begins."""
        letters = _letters(word)
        if not 2 <= len(letters) <= WORD_LONGEST:
            return ()
        slips = _slips(letters)
        near = process.extract(
            letters, self._names, scorer=OSA.distance, score_cutoff=slips, limit=None
        )
        distances = {name: int(far) for name, far, _ in near if far <= _slips(name)}
        if len(letters) >= _BEGINNING_FEWEST:
            begun = (name for name in self._spelled if name.startswith(letters))
            distances = {**dict.fromkeys(begun, 1), **distances}
        ranked = sorted((far, name) for name, far in distances.items())
        return _unique(word for _, name in ranked for word in self._spelled[name])

    def sounding_like(self, word: str) -> tuple[str, ...]:
        """Those that sound most like it; the longer two sounds are, the more they may differ."""
        sound = sounds(word)
        shortened = _consonant_deletions(sound)
        met = {name for short in shortened for name in self._by_consonants.get(short, ())}
        costs = {name: _difference(sound, name) for name in met}
        fewest = {name: min(len(_consonants(sound)), len(_consonants(name))) for name in met}
        near = [(cost, name) for name, cost in costs.items() if cost < fewest[name]]
        least = min((cost for cost, _ in near), default=0)
        found = sorted(name for cost, name in near if cost == least)
        return _unique(word for name in found for word in self._spoken[name])


def _grouped(pairs: Iterable[tuple[str, Iterable[str]]]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, words in pairs:
        found.setdefault(key, []).extend(words)
    return found


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


# --- letters --------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def _letters(word: str) -> str:
    """The word by its letters: a Hangul syllable is two or three of them, a kana may be two."""
    return word if word.isascii() else unicodedata.normalize("NFD", word)


def _slips(word: str) -> int:
    return 2 if len(word) >= _TWO_SLIPS_FROM else 1


# --- sounds ---------------------------------------------------------------------------------------

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
# What a sound too many, too few or taken for another costs. A language may leave out H, L and N:
# Burgundy, 버건디, 勃艮第.
_VOWEL, _FAINT, _CONSONANT = 1, 2, 4
_LEFT_OUT = {**dict.fromkeys("aeo", _VOWEL), **dict.fromkeys("HLN", _FAINT)}
_SWAPPED: dict[tuple[str, ...], int] = {
    **dict.fromkeys(permutations("aeo", 2), _VOWEL),
    **{pair: _FAINT for kin in ("MN", "HK", "HP", "HS") for pair in permutations(kin)},
}


def sounds(word: str) -> str:
    """The classes of a word's sounds, one for neighbors of the same class."""
    spoken = word.lower()
    scripts = _sound_rules()
    for letters, rules in scripts.items() if not spoken.isascii() else ():
        if letters:
            own = re.compile(f"[{letters}]+")
            spoken = own.sub(lambda signs: _spelled_by_sound(_latin(signs[0]), rules), spoken)  # noqa: B023
    spoken = _spelled_by_sound(_latin(spoken), scripts[""])
    classes = (_CLASSES[letter] for letter in spoken if letter in _CLASSES)
    return "".join(sound for sound, _ in groupby(classes))


@cache
def _sound_rules() -> Mapping[str, _Rules]:
    """The rules of each script by its letters, and those of Latin letters under ``""``."""
    rules: dict[str, _Rules] = {"": ()}
    for language in language_data("orders.toml").values():
        if table := language.get("sounds"):
            own = tuple((re.compile(letters), to) for letters, to in table["rules"])
            letters = table.get("letters", "")
            rules[letters] = (*rules.get(letters, ()), *own)
    return rules


def _difference(first: str, second: str) -> int:
    """What it costs to add, drop and replace sounds until one word is the other."""
    row = list(accumulate((_LEFT_OUT.get(other, _CONSONANT) for other in second), initial=0))
    for sound in first:
        dropped = _LEFT_OUT.get(sound, _CONSONANT)
        above, row = row, [row[0] + dropped]
        for to, other in enumerate(second):
            swap = 0 if sound == other else _SWAPPED.get((sound, other), _CONSONANT)
            added = row[to] + _LEFT_OUT.get(other, _CONSONANT)
            row.append(min(above[to + 1] + dropped, added, above[to] + swap))
    return row[-1]


def _latin(signs: str) -> str:
    """The signs in lower-case Latin letters, those of a syllable sign set apart."""
    return "".join(sign if sign.isascii() else f" {anyascii(sign)} " for sign in signs).lower()


def _spelled_by_sound(said: str, rules: _Rules) -> str:
    for letters, sound in rules:
        said = letters.sub(sound, said)
    return said


def _consonants(sound: str) -> str:
    return "".join(each for each in sound if each not in "aeo")


def _consonant_deletions(sound: str) -> set[str]:
    """The consonants, and the consonants without any one of them."""
    if not _SOUNDS_FEWEST <= len(sound) <= WORD_LONGEST:
        return set()
    found = _consonants(sound)
    return {found, *(found[:at] + found[at + 1 :] for at in range(len(found)))}
