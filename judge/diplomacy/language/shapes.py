"""Orders without their names, so that the grammar reads each shape of order only once.

`A #PAR - #BUR` and `A #MUN - #SIL` have one shape; the order that is read from it is filled with
the names of each line. Knows nothing of the grammar.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache
from string import ascii_uppercase
from typing import Any

import msgspec

from judge.diplomacy.board import parse_location
from judge.diplomacy.orders import Location, PowerId

_PAIRS = [first + second for first in "AB" for second in ascii_uppercase]
_PLACES = {f"P{pair}": at for at, pair in enumerate(_PAIRS)}
_POWERS = {f"Q{pair}": at for at, pair in enumerate(_PAIRS)}
_PLACE_WORDS = tuple(f"#{name}" for name in _PLACES)
_POWER_WORDS = tuple(f"@{name}" for name in _POWERS)
NAMES_MOST = len(_PAIRS)  # of each sort, in one order

Names = tuple[list[Location], list[PowerId]]
Filling = Callable[[Names], Any]


def shape_of(words: Sequence[str]) -> tuple[str, Names]:
    """The words with a placeholder for each name, as one text, and the names in their order."""
    places: list[Location] = []
    powers: list[PowerId] = []
    shape: list[str] = []
    for word in words:
        if word[0] == "#" and len(word) > 1:
            shape.append(_PLACE_WORDS[len(places)])
            places.append(location_of(word))
        elif word[0] == "@" and len(word) > 1:
            shape.append(_POWER_WORDS[len(powers)])
            powers.append(PowerId(word[1:]))
        else:
            shape.append(word)
    return " ".join(shape), (places, powers)


@lru_cache(maxsize=1024)
def location_of(word: str) -> Location:
    """The location of a place's canonical word, `#STP/NC`."""
    return parse_location(word[1:])


def filling_of(value: Any) -> Filling:
    """What makes the value of a shape into that of a line, from the line's names."""
    if isinstance(value, Location):
        place = _PLACES[value.province]
        return lambda names: names[0][place]
    if isinstance(value, tuple):
        parts = [filling_of(each) for each in value]
        return lambda names: tuple([part(names) for part in parts])
    if isinstance(value, msgspec.Struct):
        return _filling_of_fields(value)
    if isinstance(value, str) and not isinstance(value, Enum):
        if value in _PLACES:
            at = _PLACES[value]
            return lambda names: names[0][at].province
        if value in _POWERS:
            at = _POWERS[value]
            return lambda names: names[1][at]
    return lambda _: value


def _filling_of_fields(value: Any) -> Filling:
    kind: Callable[..., Any] = type(value)
    parts = [filling_of(getattr(value, name)) for name in value.__struct_fields__]
    return lambda names: kind(*[part(names) for part in parts])
