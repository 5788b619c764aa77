"""Finds names that sound like a word, in whatever language and script either is written.

부르고뉴 sounds like Bourgogne and like ブルゴーニュ, 马赛 like 馬賽. A word becomes its sounds in
classes that survive the way from one language to another: B and P are one, R and L, all that
hisses; vowels count little. Chinese signs sound as in Mandarin.
"""

import re
from collections.abc import Mapping
from itertools import groupby

from anyascii import anyascii

_SHORTEST, _LONGEST = 3, 24  # sounds of a word that is compared

_HANGUL = re.compile("[가-힣]+")
_HAN = re.compile("[\u3400-\u9fff]+")
_Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(*rules: tuple[str, str]) -> _Rules:
    return tuple((re.compile(letters), sound) for letters, sound in rules)


_IN_HANGUL = _rules(("eu", ""), ("ng", "n"), ("eo", "o"), ("ae", "e"))  # ㅡ where no vowel is
_IN_HAN = _rules(("ng", "n"), (r"\ber\b", "el"), ("zh|[jqxczs]h?", "s"))
_IN_LETTERS = _rules(
    ("t?s?ch|sh|c(?=[eiy])|t[sz]", "s"),
    ("ph", "f"),
    ("ck|qu", "k"),
    ("x", "ks"),
    ("gn|ng(?![aeioul])", "n"),
    ("th", "t"),
)
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
_FAINT = frozenset("HLN")  # what a language may leave out: Burgundy, 버건디, 勃艮第
_KIN = frozenset({frozenset("MN"), frozenset("HK"), frozenset("HP"), frozenset("HS")})

# The cost of a sound too many, too few or taken for another.
_VOWEL, _FAINTLY, _CONSONANT = 1, 2, 4


def sounds(word: str) -> str:
    """The classes of a word's sounds, one for neighbors of the same class."""
    spoken = word.lower()
    if not spoken.isascii():
        spoken = _HANGUL.sub(lambda signs: _respelled(_in_letters(signs[0]), _IN_HANGUL), spoken)
        spoken = _HAN.sub(lambda signs: _respelled(_in_letters(signs[0]), _IN_HAN), spoken)
        spoken = _in_letters(spoken)
    classes = (_CLASSES[letter] for letter in _respelled(spoken, _IN_LETTERS) if letter in _CLASSES)
    return "".join(sound for sound, _ in groupby(classes))


def _in_letters(signs: str) -> str:
    """The signs in lower-case Latin letters, those of a syllable sign set apart."""
    return "".join(sign if sign.isascii() else f" {anyascii(sign)} " for sign in signs).lower()


def _respelled(said: str, rules: _Rules) -> str:
    for letters, sound in rules:
        said = letters.sub(sound, said)
    return said


class Sounding:
    """An index of names by their sounds. `names` maps each to the words it stands for."""

    def __init__(self, names: Mapping[str, tuple[str, ...]]) -> None:
        self._words: dict[str, list[str]] = {}
        for name, words in names.items():
            self._words.setdefault(sounds(name), []).extend(words)
        self._by_bones: dict[str, list[str]] = {}
        for sound in self._words:
            if _SHORTEST <= len(sound) <= _LONGEST:
                for bones in _with_one_less(_bones(sound)):
                    self._by_bones.setdefault(bones, []).append(sound)

    def alike(self, word: str) -> tuple[str, ...]:
        """The words of the names that sound most like it; empty if none does."""
        sound = sounds(word)
        if not _SHORTEST <= len(sound) <= _LONGEST:
            return ()
        costs = {name: _unlikeness(sound, name) for name in self._candidates(sound)}
        near = [(cost, name) for name, cost in costs.items() if cost <= _most(sound, name)]
        least = min((cost for cost, _ in near), default=0)
        found = sorted(name for cost, name in near if cost == least)
        return tuple(dict.fromkeys(meant for name in found for meant in self._words[name]))

    def _candidates(self, sound: str) -> set[str]:
        shortened = _with_one_less(_bones(sound))
        return {name for bones in shortened for name in self._by_bones.get(bones, ())}


def _bones(sound: str) -> str:
    """The sound without its vowels."""
    return "".join(each for each in sound if each not in _VOWELS)


def _with_one_less(bones: str) -> set[str]:
    return {bones, *(bones[:at] + bones[at + 1 :] for at in range(len(bones)))}


def _most(first: str, second: str) -> int:
    """The most that two sounds may differ: the longer they are, the more."""
    return min(len(_bones(first)), len(_bones(second))) - 1


def _unlikeness(first: str, second: str) -> int:
    """How much one must be changed to sound as the other."""
    row = [0]
    for sound in second:
        row.append(row[-1] + _weight(sound))
    for sound in first:
        above, row = row, [row[0] + _weight(sound)]
        for at, other in enumerate(second):
            row.append(
                min(
                    above[at + 1] + _weight(sound),
                    row[at] + _weight(other),
                    above[at] + _swap(sound, other),
                )
            )
    return row[-1]


def _weight(sound: str) -> int:
    if sound in _VOWELS:
        return _VOWEL
    return _FAINTLY if sound in _FAINT else _CONSONANT


def _swap(sound: str, other: str) -> int:
    if sound == other:
        return 0
    if sound in _VOWELS and other in _VOWELS:
        return _VOWEL
    if frozenset((sound, other)) in _KIN:
        return _FAINTLY
    return _CONSONANT
