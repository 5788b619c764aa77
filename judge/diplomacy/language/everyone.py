"""Lines that speak of all units or builds of a seat at once: `The rest hold`, `Waive all`.

What they mean depends on the letter: those that it has no order for.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.desk import Desk, order_key, power_of
from judge.diplomacy.language.found import Read, Said, Taken, Untaken
from judge.diplomacy.language.names import word_tables
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
    return _deeds().get(_letters(written))


@cache
def _deeds() -> dict[str, Deed]:
    """Every such text, by its letters. The verb stands behind whom it is about, or before."""
    deeds: dict[str, Deed] = {}
    for table in word_tables():
        everyone = table["everyone"]
        for verb, spellings in (
            (Verb.HOLD, _said(table, "hold")),
            (Verb.WAIVE, _said(table, "waive")),
        ):
            for whom in ("all", "rest"):
                deed = Deed(verb, whom == "rest")
                for name, said in product(everyone[whom], spellings):
                    deeds[_letters(said + name)] = deed
                    for after in ("", *everyone["after"]):
                        deeds[_letters(name + after + said)] = deed
    return deeds


def _said(table: Mapping[str, Any], use: str) -> list[str]:
    """An order word of a language with all its endings."""
    words = table["orders"][use]
    return [*words, *(word + end for word in words if len(word) > 1 for end in table["endings"])]


def _letters(text: str) -> str:
    return "".join(sign for sign in plain(text).text if sign.isalnum())


def spelled_out(desk: Desk, everyone: Sequence[Everyone], found: Sequence[Read]) -> Iterator[Read]:
    """An order for each unit or build that the texts stand for beside what was read; where that is
    none, the text is talk."""
    told = [each.order for each in found if isinstance(each, Taken)]
    asked = {each.key for each in found if isinstance(each, Untaken)}
    beside = [] if told else desk.stored
    for each in everyone:
        others = [*told, *(beside if each.deed.is_rest else ())]
        orders = list(_orders(desk, each.deed.verb, others, asked))
        if not orders:
            yield Said(each.number, each.written.strip())
        for at, order in enumerate(orders):
            yield Taken(each.number, each.start + at, each.written, order)
        told += orders


def _orders(
    desk: Desk, verb: Verb, others: Sequence[AnyOrder], asked: Set[str | None]
) -> Iterator[AnyOrder]:
    """What all do that have no order among the others; `asked` are keys of faulty ones."""
    if verb is Verb.HOLD and desk.position.phase.kind is PhaseKind.MOVEMENT:
        keys = asked | {order_key(order) for order in others}
        yield from (Hold(unit) for unit in desk.units if unit.location.province not in keys)
    if verb is Verb.WAIVE and desk.is_adjustment:
        for power in desk.powers:
            used = sum(power_of(order) == power for order in others)
            yield from (Waive(power) for _ in range(desk.dues(power).builds - used))
