"""A guess at the language that a letter's writer reads: for strangers, until they choose."""

import re

from judge.mail.charsets import known_codec
from judge.mail.headers import text_of_header
from judge.mail.parts import Part

SAMPLE = 4_000  # characters of the text that are looked at
HANGUL = re.compile(r"[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
LATIN = re.compile(r"[A-Za-z]{2}")
LANGUAGES = {"ko": "ko", "ja": "ja", "zh": "zh_Hant", "en": "en"}
CODECS = {
    "cp949": "ko",
    "johab": "ko",
    "iso2022_kr": "ko",
    "cp932": "ja",
    "euc_jp": "ja",
    "iso2022_jp": "ja",
    "iso2022_jp_ext": "ja",
    "big5": "zh_Hant",
    "big5hkscs": "zh_Hant",
    "cp950": "zh_Hant",
    "gb18030": "zh_Hant",
    "hz": "zh_Hant",
}


def guess_language(letter: Part, charset: str, text: str, sender_name: str) -> str | None:
    """`en`, `ko`, `zh_Hant` or `ja`; None if nothing tells.

    The script of the words goes first, then that of the writer's name: `JOIN balkan` is the same
    in every language. What the mail program says comes after, as many are set up in English.
    """
    words = f"{text_of_header(letter, 'subject')} {text[:SAMPLE]}"
    told = _told(letter) or CODECS.get(known_codec(charset) or "")
    for sample in (words, sender_name):
        found = _by_script(sample)
        if found == "zh_Hant" and told == "ja":
            return "ja"  # a short Japanese line can do without kana
        if found:
            return found
    return told or ("en" if LATIN.search(words) else None)


def _by_script(sample: str) -> str | None:
    """Han alone is taken for Chinese, with kana it is Japanese."""
    if HANGUL.search(sample):
        return "ko"
    if KANA.search(sample):
        return "ja"
    return "zh_Hant" if HAN.search(sample) else None


def _told(letter: Part) -> str | None:
    for name in ("content-language", "accept-language"):
        found = LANGUAGES.get(letter.value(name).lower()[:2])
        if found:
            return found
    return None
