"""Other words for places and units than their names: `the Gascons`, `my atlantic fleet`, `both`.

They are too loose to be taken as orders; only what is asked about (`likeliest.py`) knows them. The
words come from `grammar/<language>/nicknames.toml`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath

from msgspec.structs import replace

from judge.data import language_data
from judge.diplomacy.language.lexicon import UNKNOWN, any_name, listed
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
_KOREAN = "가", "힣"


def is_group(token: Token) -> bool:
    """Whether a word stands for units of a seat without a name of their places."""
    return token.word[0] == "*"


def with_nicknames(text: str, tokens: Sequence[Token], variant: Variant) -> list[Token]:
    """The words of a text in its sequence, with nicknames where nobody knows the words."""
    pattern, meanings = _board_nicknames(PurePosixPath(variant.board_file).parent.name)
    low = text.lower()
    found = [
        Token(meanings[each[0]][0], each.start(), each.end(), each[0], meanings[each[0]])
        for each in (pattern.finditer(low) if len(low) == len(text) else ())
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


@cache
def _board_nicknames(board: str) -> tuple[re.Pattern[str], Mapping[str, tuple[str, ...]]]:
    """What finds the nicknames of a board, and their canonical words."""
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
    latin = any_name(name for name in meanings if name[0] < _KOREAN[0])
    korean = any_name(name for name in meanings if _KOREAN[0] <= name[0] <= _KOREAN[1])
    others = any_name(
        name for name in meanings if _KOREAN[1] < name[0] or "\u2e80" <= name[0] < _KOREAN[0]
    )
    return re.compile(
        rf"(?<![^\W\d_])(?:{latin})(?![^\W\d_])|(?<![가-힣])(?:{korean})|{others}"
    ), meanings
