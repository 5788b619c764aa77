"""Korean particles: 이(가), 을(를), (으)로 and their kin, as the sound before them asks for.

A Korean sentence of the catalogue is written with both forms, as Korean forms are; what is printed
is the one that fits the last sound before it. Knows nothing of what the sentences say.
"""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from string import Formatter

FIRST_SYLLABLE, LAST_SYLLABLE = 0xAC00, 0xD7A3  # 가, 힣
FINALS = 28  # forms of a syllable's final consonant, the first of them none
RIEUL = 8  # the form whose final consonant is ㄹ

CHOICES = {  # after a consonant, after a vowel
    "이(가)": ("이", "가"),
    "을(를)": ("을", "를"),
    "은(는)": ("은", "는"),
    "과(와)": ("과", "와"),
    "아(야)": ("아", "야"),
}
_PARTICLE = re.compile(r"이\(가\)|을\(를\)|은\(는\)|과\(와\)|아\(야\)|\(으\)(?P<ro>로)?|\(이\)")


class Final(StrEnum):
    """How a word ends for the ear."""

    VOWEL = "vowel"
    RIEUL = "rieul"  # ㄹ, after which 로 needs no 으
    CONSONANT = "consonant"


# Figures and single letters by their Korean names: 일, 엘. Powers of ten end in 십, 백, 천, 만.
_FIGURES = {**dict.fromkeys("178", Final.RIEUL), **dict.fromkeys("036", Final.CONSONANT)}
_LETTERS = {**dict.fromkeys("LR", Final.RIEUL), **dict.fromkeys("MN", Final.CONSONANT)}
# Names and words in small letters by their usual sound: Karl, Jack, Ann, Jane; but Bert is 버트.
_WORD_RIEUL = re.compile(r"(?:l|[a-z]le)\Z")
_WORD_CONSONANT = re.compile(r"(?:[mn]|[aeiou][bckpt]|ck|ng|[mn]e)\Z")


def fill(template: str, values: Mapping[str, object]) -> str:
    """The template as `str.format` fills it, with the particles of its own words settled.

    Particles within the values are left alone: they are somebody's own words. Raises KeyError: the
    template names a place that has no value."""
    text = ""
    for literal, name, form, _ in Formatter().parse(template):
        text += _settle(text, literal)
        if name is not None:
            text += format(values[name], form or "")
    return text


def _settle(before: str, literal: str) -> str:
    def chosen(found: re.Match[str]) -> str:
        final = final_sound(before + literal[: found.start()])
        if final is None:
            return found[0]
        if found[0] in CHOICES:
            return CHOICES[found[0]][final is Final.VOWEL]
        if found["ro"]:
            return "으로" if final is Final.CONSONANT else "로"
        return "" if final is Final.VOWEL else found[0].strip("()")

    return _PARTICLE.sub(chosen, literal)


def final_sound(text: str) -> Final | None:
    """How the text ends when a Korean reads it aloud; None if nobody could say.

    A remark in brackets is not read aloud, nor are quotation marks and full stops: `스페인 (남부
    해안)` ends as `스페인`.
    """
    word = _last_word(text)
    if not word:
        return None
    last = word[-1]
    if FIRST_SYLLABLE <= ord(last) <= LAST_SYLLABLE:
        form = (ord(last) - FIRST_SYLLABLE) % FINALS
        return Final.RIEUL if form == RIEUL else Final.CONSONANT if form else Final.VOWEL
    if last.isdecimal():
        return _FIGURES.get(str(unicodedata.decimal(last)), Final.VOWEL)
    if "\u3041" <= last <= "\u30ff" or "\uff66" <= last <= "\uff9f":  # kana
        return Final.CONSONANT if last in "んンﾝ" else Final.VOWEL
    parts = unicodedata.normalize("NFKD", word)
    last = parts[-1]
    if unicodedata.combining(last):
        return Final.VOWEL  # an accent on the last letter sounds it: Chloé
    if not last.isascii() or not last.isalpha():
        return None
    if last.isupper() or len(parts) == 1:  # an abbreviation is spelled: PAR, S1901M
        return _LETTERS.get(last.upper(), Final.VOWEL)
    plain = "".join(letter for letter in parts if not unicodedata.combining(letter))
    if _WORD_RIEUL.search(plain):
        return Final.RIEUL
    return Final.CONSONANT if _WORD_CONSONANT.search(plain) else Final.VOWEL


def _last_word(text: str) -> str:
    """The letters and figures at the end, behind brackets and marks."""
    end = len(text)
    while end and not text[end - 1].isalnum():
        opening = text.rfind("(", 0, end - 1) if text[end - 1] == ")" else -1
        # What stands in brackets is skipped whole, unless there is nothing else to read.
        end = opening if any(c.isalnum() for c in text[: max(opening, 0)]) else end - 1
    start = end
    while start and text[start - 1].isalnum():
        start -= 1
    return text[start:end]
