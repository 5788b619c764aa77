"""Lines that speak of all units or builds of a seat at once: `The rest hold`, `Waive all`.

What they mean depends on the letter: those that it has no order for.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Any, NamedTuple

from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.found import Read, Said, Taken, Untaken
from judge.diplomacy.language.names import word_tables
from judge.diplomacy.language.order_context import OrderContext, order_key, power_of
from judge.diplomacy.language.text import plain
from judge.diplomacy.orders import AnyOrder, Hold, Waive

LONGEST = 60  # letters; a longer text is a sentence


class Verb(Enum):
    """What all of them do."""

    HOLD = auto()
    WAIVE = auto()


class Deed(NamedTuple):
    """What all of them do, or (`is_rest`) all others."""

    verb: Verb
    is_rest: bool


@dataclass(frozen=True, slots=True)
class Everyone:
    """A text that orders all that the letter has no other order for. Fields as those of `Taken`."""

    number: int
    start: int
    written: str
    deed: Deed


def deed_of_all(written: str) -> Deed | None:
    """What a text says that all do; None if it says no such thing."""
    if len(written) > LONGEST or "-" in written.lstrip("- "):
        return None
    letters = _letters(written)
    found = next((found for each in _patterns() if (found := each.fullmatch(letters))), None)
    if found is None:
        return None
    return Deed(Verb.HOLD if found["hold"] else Verb.WAIVE, is_rest=bool(found["rest"]))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """What such texts look like in each language, by their letters: the verb stands behind whom it
    is about, or before."""
    patterns: list[str] = []
    for table in word_tables():
        everyone = table["everyone"]
        verb = f"(?:{_verb('hold', table)}|{_verb('waive', table)})"
        whom = f"(?:(?P<all>{_any(everyone['all'])})|(?P<rest>{_any(everyone['rest'])}))"
        patterns += (f"{whom}(?:{_any(everyone['after'])})?{verb}", verb + whom)
    return tuple(map(re.compile, patterns))


def _verb(use: str, table: Mapping[str, Any]) -> str:
    """An order word of a language; one of more than a letter with its endings."""
    words = table["orders"][use]
    long = _any([word for word in words if len(word) > 1])
    short = _any([word for word in words if len(word) == 1])
    return f"(?P<{use}>(?:{long})(?:{_any(table['endings'])})?|{short})"


def _any(names: Iterable[str]) -> str:
    """Any of the names; something that never is where there are none."""
    return "|".join(re.escape(_letters(name)) for name in names) or "(?!)"


def _letters(text: str) -> str:
    return "".join(sign for sign in plain(text).text if sign.isalnum())


def spelled_out(
    context: OrderContext, everyone: Sequence[Everyone], found: Sequence[Read]
) -> Iterator[Read]:
    """An order for each unit or build that the texts stand for beside what was read; where that is
    none, the text is talk."""
    told = [each.order for each in found if isinstance(each, Taken)]
    asked = {each.key for each in found if isinstance(each, Untaken)}
    beside = [] if told else context.stored
    for each in everyone:
        others = [*told, *(beside if each.deed.is_rest else ())]
        orders = list(_orders(context, each.deed.verb, others, asked))
        if not orders:
            yield Said(each.number, each.written.strip())
        for at, order in enumerate(orders):
            yield Taken(each.number, each.start + at, each.written, order)
        told += orders


def _orders(
    context: OrderContext, verb: Verb, others: Sequence[AnyOrder], asked: Set[str | None]
) -> Iterator[AnyOrder]:
    """What all do that have no order among the others; `asked` are keys of faulty ones."""
    if verb is Verb.HOLD and context.position.phase.kind is PhaseKind.MOVEMENT:
        keys = asked | {order_key(order) for order in others}
        yield from (Hold(unit) for unit in context.units if unit.location.province not in keys)
    if verb is Verb.WAIVE and context.is_adjustment:
        for power in context.powers:
            used = sum(power_of(order) == power for order in others)
            yield from (Waive(power) for _ in range(context.dues(power).builds - used))
