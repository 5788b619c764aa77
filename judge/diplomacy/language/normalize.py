"""Stage 1: one plain form of what phones and keyboards write, and where each sign of it stood.

Full-width letters, accents, smart dashes and arrows, split Hangul: all become one lower-case form
that can be searched. Knows no words.
"""

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－ㅡ─━", "-"),
        **dict.fromkeys("→⇒➔➜➝➞⟶⟹➡►▶›»＞", ">"),
        **dict.fromkeys("←⇐⬅⟵⟸◀◄", "<-"),
        **dict.fromkeys("↔⇔⇄⇆⇋⇌⟷⟺", "?"),  # both ways: who moves is not said
        "_": " ",
        **dict.fromkeys("‘’‚‛′´`ʼ", "'"),
        **dict.fromkeys("“”„‟″«", '"'),
        **dict.fromkeys("、，﹐", ","),
        **dict.fromkeys("。．", "."),
        **dict.fromkeys("；﹔", ";"),
        **dict.fromkeys("／⁄∕\\₩¥", "/"),  # ₩ and ¥: where some keyboards have their backslash
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f", ""),
        **dict.fromkeys("【〔「『〈《", "("),
        **dict.fromkeys("】〕」』〉》", ")"),
        **{chr(0x2460 + at): f"{at + 1}) " for at in range(20)},  # ① of a list
        "・": " ",
        "〜": "~",
    }
)


_MEMO_LINES = 1 << 10  # lines kept
_MEMO_LONGEST = 200  # letters of a line that is kept
_ANGLED = re.compile(r"<([^<>=~-](?:[^<>]*[^-=~<>])?)>")  # <a note>, but neither <- nor ->
_BOTH_WAYS = re.compile(r"<[-=~]+>")


class Normalized(Struct, frozen=True):
    """A line in plain form. `origin[i]` is the column in the line as written; None if the same."""

    text: str
    origin: tuple[int, ...] | None

    def column(self, position: int) -> int:
        """The written column of a position of `text` (its end included)."""
        return position if self.origin is None else self.origin[position]


def normalize(written: str) -> Normalized:
    """The plain form of a line: NFKC, lower case, one sign for each kind of dash and arrow."""
    return _normalize_short(written) if len(written) <= _MEMO_LONGEST else _normalized(written)


def _normalized(written: str) -> Normalized:
    if "<" in written:
        written = _ANGLED.sub(r"(\1)", written)
        written = _BOTH_WAYS.sub(lambda found: "?" * len(found[0]), written)
    if written.isascii():
        plain = written.lower().expandtabs(1).replace("\\", "/").replace("_", " ")
        return Normalized(plain, None)
    if "«" in written:  # then » closes a quotation and is no arrow
        written = written.replace("»", "«")
    if "‹" in written:
        written = written.replace("‹", "(").replace("›", ")")
    # A sign with what is written onto it: accents, the parts of a split Hangul syllable.
    starts = [at for at, sign in enumerate(written) if at == 0 or not _joins_previous(sign)]
    ends = [*starts[1:], len(written)]
    pieces = [_plain_sign(written[start:end]) for start, end in zip(starts, ends, strict=True)]
    if len(starts) == len(written) and all(len(piece) == 1 for piece in pieces):
        return Normalized("".join(pieces), None)
    origin = [start for start, piece in zip(starts, pieces, strict=True) for _ in piece]
    return Normalized("".join(pieces), (*origin, len(written)))


_normalize_short = lru_cache(maxsize=_MEMO_LINES)(_normalized)  # each stage asks for it


@lru_cache(maxsize=1 << 13)
def _joins_previous(sign: str) -> bool:
    """Whether the sign belongs to the one before: an accent, or a Hangul vowel or final part."""
    is_joined = unicodedata.combining(sign) != 0 or "\u1160" <= sign <= "\u11ff"
    return is_joined or sign in "\uff9e\uff9f"  # the voice marks of half-width kana


@lru_cache(maxsize=1 << 13)
def _plain_sign(cluster: str) -> str:
    """The plain form of one sign, with what is written onto it."""
    swapped = cluster.translate(_SIGNS)
    if swapped.isascii():
        return swapped.lower()
    composed = unicodedata.normalize("NFKC", swapped)
    bare = unicodedata.normalize("NFD", composed)
    if bare[0].isascii():  # an accent on a Latin letter: Münich is Munich
        composed = "".join(sign for sign in bare if not unicodedata.combining(sign))
    return composed.translate(_SIGNS).lower()
