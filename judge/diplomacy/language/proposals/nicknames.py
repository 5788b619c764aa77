"""Other words for places and units than their names: `the Gascons`, `my atlantic fleet`, `both`.

They are too loose to be taken as orders; only what is asked about (`likeliest.py`) knows them. The
words come from `grammar/<language>/nicknames.toml`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from judge.data import language_data
from judge.diplomacy.language.lexicon import UNKNOWN, listed
from judge.diplomacy.language.tokens import Token, in_line_order
from judge.diplomacy.variants.variant import Variant

BOTH, THERE = "*both", "@there"
_USES = {
    "army": "A",
    "fleet": "F",
    "all": "*all",
    "rest": "*rest",
    "both": BOTH,
    "any": "*any",
    "there": THERE,
}
_FIRST_UNSPACED = "\u2e80"  # the first sign of the scripts of China and Japan
_KOREAN = "가", "힣"


class Names(NamedTuple):
    """The nicknames of a board, in lower case.

    Attributes:
        meanings: the canonical words of each.
        sizes: of those that begin with a sign, the longest first.
    """

    meanings: Mapping[str, tuple[str, ...]]
    sizes: Mapping[str, Sequence[int]]


def is_group(token: Token) -> bool:
    """Whether a word stands for units of a seat without a name of their places."""
    return token.word[0] == "*"


def with_nicknames(text: str, tokens: Sequence[Token], variant: Variant) -> list[Token]:
    """The words of a text in its sequence, with nicknames where nobody knows the words."""
    names = _board_names(PurePosixPath(variant.board_file).parent.name)
    low = text.lower()
    found = [
        Token(names.meanings[name][0], at, at + len(name), name, names.meanings[name])
        for at, name in (_names_in(low, names) if len(low) == len(text) else ())
    ]
    words = in_line_order(tokens)
    for each in found:
        over = [t for t in words if t.start < each.end and each.start < t.end]
        if not all(_may_be_replaced(token, each) for token in over):
            continue
        places = [word for t in over if t.is_place for word in t.readings or (t.word,)]
        readings = tuple(dict.fromkeys((*each.readings, *places)))
        role = next((t.role for t in over if t.end == each.end), "")
        words = [part for token in words for part in _parts_outside(token, each)]
        words.append(replace(each, readings=readings, role=role))
    return in_line_order(words)


def _may_be_replaced(token: Token, nickname: Token) -> bool:
    """Whether a word gives way to a nickname: one that is only a part of it, or that nobody knows;
    a name of the same length only to several places, to which it is added."""
    is_same = (token.start, token.end) == (nickname.start, nickname.end)
    is_part = nickname.start <= token.start and token.end <= nickname.end
    if token.is_place:
        return is_same and len(nickname.readings) > 1
    return is_part or token.word == UNKNOWN or not token.text


def _parts_outside(token: Token, nickname: Token) -> Iterator[Token]:
    """What a nickname leaves of a word."""
    if token.end <= nickname.start or nickname.end <= token.start:
        yield token
        return
    if len(token.text) != token.end - token.start:
        return
    if token.start < nickname.start:
        text = token.text[: nickname.start - token.start]
        yield replace(token, end=nickname.start, text=text, role="")
    if nickname.end < token.end:
        yield replace(token, start=nickname.end, text=token.text[nickname.end - token.start :])


def _names_in(text: str, names: Names) -> Iterator[tuple[int, str]]:
    """The longest names in a text in lower case, and where each begins."""
    at = 0
    while at < len(text):
        ends = (at + size for size in names.sizes.get(text[at], ()))
        found = (
            text[at:end]
            for end in ends
            if text[at:end] in names.meanings and _stands_alone(text, at, end)
        )
        name = next(found, "")
        if name:
            yield at, name
        at += len(name) or 1


def _stands_alone(text: str, at: int, end: int) -> bool:
    """Whether a name is no part of a longer word: of a script with spaces no other letter stands
    around it, and before Hangul, whose words take endings, no more of that."""
    before, after = text[at - 1] if at else "", text[end : end + 1]
    if text[at] < _FIRST_UNSPACED:
        return not (before.isalpha() or after.isalpha())
    return not all(_KOREAN[0] <= sign <= _KOREAN[1] for sign in (before, text[at]))


@cache
def _board_names(board: str) -> Names:
    meanings: dict[str, tuple[str, ...]] = {
        name: (_USES[use],)
        for use in ("all", "rest")
        for name in listed("everyone", use)
        if len(name) > 1
    }
    for table in language_data("nicknames.toml").values():
        for use, names in table["units"].items():
            meanings |= dict.fromkeys(names, (_USES[use],))
        for ids, names in table["places"].get(board, {}).items():
            meanings |= {name: tuple(f"#{each}" for each in ids.split()) for name in names}
    sizes: dict[str, set[int]] = {}
    for name in meanings:
        sizes.setdefault(name[0], set()).add(len(name))
    return Names(meanings, {sign: sorted(each, reverse=True) for sign, each in sizes.items()})
