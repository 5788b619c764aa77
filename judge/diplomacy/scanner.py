"""Turns a written line into canonical words, and cuts it into single orders.

The alphabet is that of `names.py`; a word nobody knows is `??`. Knows nothing of the grammar.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from judge.diplomacy.names import JOIN, Lexicon, key_of
from judge.diplomacy.text import Plain, plain

UNKNOWN = "??"
VERBS = frozenset({"-", "H", "S", "C", "R", "D", "B", "WAIVE"})
KINDS = frozenset({"A", "F"})

_BULLET = re.compile(r"\s*(?:[-*•◦▪·+>#]+\s+|\(?[0-9]{1,2}[.):]\s*|[①-⑳]\s*)")
_ORDER_LONGEST = 24  # words
_HARD = frozenset({";", "!", "?"})
_GOES_ON = frozenset({"-", "H", "S", "C", "VIA"})
_DROPPED = frozenset({":", "(", ")", "[", "]"})


class Token(NamedTuple):
    """One canonical word and the columns it was read from.

    `readings` holds all meanings of a short name that has several; `word` is its first.
    `text` is the plain text it was read from.
    """

    word: str
    start: int
    end: int
    text: str
    readings: tuple[str, ...] = ()


Segment = tuple[Token, ...]


def scan(written: str, lexicon: Lexicon) -> tuple[Segment, ...]:
    """The line's orders, each as its words, in the order of the line; talk is not told apart."""
    line = plain(written)
    bullet = _BULLET.match(line.text)
    tokens = _tokens(line, lexicon, bullet.end() if bullet else 0)
    return tuple(_segments(_with_coasts(tokens, lexicon)))


def _tokens(line: Plain, lexicon: Lexicon, start: int) -> list[Token]:
    tokens: list[Token] = []
    for found in lexicon.pattern.finditer(line.text, start):
        group = found.lastgroup
        if group is None:  # 's
            continue
        text = found.group()
        words = _meanings(group, text, lexicon)
        if not words[0]:
            continue
        at, end = found.span()
        if line.origin is not None:
            at, end = line.origin[at], line.origin[end]
        tokens.append(Token(words[0], at, end, text, words if len(words) > 1 else ()))
    return _settle_powers(tokens)


def _meanings(group: str, text: str, lexicon: Lexicon) -> tuple[str, ...]:
    if group == "known":
        return lexicon.words.get(text) or lexicon.words[key_of(text)]
    if group in ("word", "contraction"):
        return (UNKNOWN,)
    if group == "mark":
        return ("-",)
    return (text,)


def _settle_powers(tokens: list[Token]) -> list[Token]:
    """A name of a power and a province is the power before a unit, else the province.

    `A Yor S English F Lon`, but `F Lon - English`.
    """
    for at, token in enumerate(tokens):
        if token.readings and token.word.startswith("@"):
            after = tokens[at + 1].word if at + 1 < len(tokens) else ""
            is_power = after in KINDS or after in ("B", "WAIVE", ":") or after.startswith("#")
            word = token.word if is_power else token.readings[1]
            tokens[at] = token._replace(word=word, readings=())
    return tokens


# --- coasts ---------------------------------------------------------------------------------------


def _with_coasts(tokens: list[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens with each coast joined to its province: `BUL / EC`, `Bul (ec)`, `ec Bul`."""
    done: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if done and _takes_coast(done[-1]):
            coast, after = _coast_at(tokens, at, lexicon)
            if coast:
                done[-1] = _joined(done[-1], coast, tokens[after - 1].end, lexicon)
                at = after
                continue
        if token.word[0] == "/" and len(token.word) == 3:  # a coast that follows no province
            after = at + 1
            if after < len(tokens) and _takes_coast(tokens[after]):
                place = _joined(tokens[after], token.word, tokens[after].end, lexicon)
                done.append(place._replace(start=token.start))
                at += 2
                continue
            token = token._replace(word=UNKNOWN)
        done.append(token)
        at += 1
    return done


def _takes_coast(token: Token) -> bool:
    return token.word[0] == "#" and "/" not in token.word


def _coast_at(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> tuple[str, int]:
    """The coast that stands at `at`, bare or marked, and the position after it; or ``""``."""
    if tokens[at].word[0] == "/" and len(tokens[at].word) == 3:
        return tokens[at].word, at + 1
    is_marked = tokens[at].word in ("/", "(", "[")
    if not is_marked or at + 1 >= len(tokens):
        return "", at
    inside = tokens[at + 1]
    coast = inside.word if len(inside.word) == 3 and inside.word[0] == "/" else ""
    coast = coast or lexicon.marked.get(key_of(inside.text), "")
    if not coast:
        return "", at
    is_closed = at + 2 < len(tokens) and tokens[at + 2].word in (")", "]")
    return coast, at + 3 if is_closed else at + 2


def _joined(place: Token, coast: str, end: int, lexicon: Lexicon) -> Token:
    province = place.word[1:]
    coast = lexicon.coast_swaps.get((province, coast[1:]), coast[1:])
    readings = tuple(f"{word}/{coast}" for word in place.readings)
    return place._replace(word=f"{place.word}/{coast}", end=end, readings=readings)


# --- segments -------------------------------------------------------------------------------------


def _segments(tokens: Sequence[Token]) -> list[Segment]:
    """The tokens cut where one order ends and the next begins."""
    done: list[list[Token]] = [[]]
    for at, token in enumerate(tokens):
        word = token.word
        if word in _DROPPED:
            continue
        if word in _HARD or word == "/":
            done.append([])
        elif word in (JOIN, "."):
            if not _goes_on(done[-1], tokens[at + 1 : at + 3]):
                done.append([])
        elif word != "-" or (done[-1] and done[-1][-1].word != "-"):
            done[-1].append(token)
    return [tuple(each) for each in done if each]


def _goes_on(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether an order goes on over a comma or a full stop.

    Some write every word of an order between commas (Korean rulebook, figures 4 to 32), others
    put the commas between orders; an order that lacks something goes on.
    """
    if not before or not after or len(before) > _ORDER_LONGEST:
        return False
    words = [token.word for token in before]
    if _has_talk(words):
        return False
    following = after[0].word
    places = sum(_is_placeish(words, at) for at in range(len(words)))
    verbs = [word for word in words if word in VERBS]
    if following in _GOES_ON:
        return True
    if following in VERBS:
        return not verbs
    if "WAIVE" in words:
        return False
    if not places or words[-1] in ("-", "A", "F") or words[-1][0] == "@":
        return True
    if words[-1] in ("S", "C", "R") and places == 1:
        return True
    return following[0] == "#" and _ends(after[1:]) and _lacks_target(words, verbs, places)


def _has_talk(words: Sequence[str]) -> bool:
    """Whether words nobody knows stand where no name could stand."""
    return any(
        word == UNKNOWN and not _is_placeish(words, at) for at, word in enumerate(words)
    ) or (words[0] == UNKNOWN)


def _is_placeish(words: Sequence[str], at: int) -> bool:
    """A place, or an unknown word where one would stand."""
    if words[at] != UNKNOWN:
        return words[at][0] == "#"
    return at > 0 and words[at - 1] in ("A", "F", "-", "S", "C")


def _ends(after: Sequence[Token]) -> bool:
    return not after or after[0].word in (JOIN, ".", "/", *_HARD)


def _lacks_target(words: Sequence[str], verbs: Sequence[str], places: int) -> bool:
    """`A Par` and `F Rom S F Nap`, before a lone place (the Korean rulebook's figure 10)."""
    if not verbs:
        return words[0] in KINDS and places == 1
    return verbs == ["S"] and places == 2
