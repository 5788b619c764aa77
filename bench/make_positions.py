"""Writes `bench/positions/`: `python -m bench.make_positions`.

Positions of games that the judge plays against itself, in the input format of `judge adjudicate`,
1,000 a class. The same seed gives the same files, byte for byte.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from bench.self_play import movement_orders
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.notation import parse_order
from judge.diplomacy.orders import PowerId, WrittenOrder
from judge.diplomacy.position import Position, start_position
from judge.diplomacy.practice import (
    Dice,
    OrderSets,
    Style,
    adjustment_orders,
    retreat_orders,
    roll,
    shuffled,
)
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import play
from judge.diplomacy.variants.variant import Variant, load_variant

FOLDER = Path(__file__).resolve().parent / "positions"
SEED = 1901
COUNT = 1000
LAST_YEAR = 1912

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A class of positions.

    Attributes:
        wanted: whether a position belongs to it.
        style: how its games are played.
        absent_most: up to so many powers never write.
        a_game: positions taken of one game, so that no game fills a class.
    """

    name: str
    wanted: Callable[[Position], bool]
    style: Style
    absent_most: int = 0
    a_game: int = 2


KINDS = (
    Kind(
        "opening",
        lambda position: position.phase.year == 1901 and len(position.units) == 22,
        Style(support=45, convoy=95, sea=15),
    ),
    Kind(
        "mid",
        lambda position: position.phase.year >= 1902 and 24 <= len(position.units) <= 26,
        Style(support=100, convoy=100, sea=15, build=25),
        absent_most=1,
    ),
    Kind(
        "thirty-one",
        lambda position: position.phase.year >= 1902 and len(position.units) == 31,
        Style(support=100, convoy=110, sea=15),
    ),
    Kind(
        "dense",
        lambda position: len(position.units) == 34,
        Style(support=100, convoy=130, sea=20),
    ),
)


def positions(kind: Kind) -> Iterator[Row]:
    """The positions of a class, without end."""
    variant = load_variant("standard")
    number = count(1)
    for game in count():
        dice = Random(f"{SEED} {kind.name} {game}").random
        for row in islice(_game(variant, kind, dice), kind.a_game):
            yield {"id": f"{kind.name}-{next(number)}", **row}


def _game(variant: Variant, kind: Kind, dice: Dice) -> Iterator[Row]:
    """The movement phases of one game that belong to the class."""
    rules = Rules.preset("2000")
    style = _style(variant, kind, dice)
    friends = _friends(variant, dice)
    position = start_position(variant)
    while position.phase.year <= LAST_YEAR:
        order_sets = _order_sets(variant, position, style, friends, dice)
        if position.phase.kind is PhaseKind.MOVEMENT and kind.wanted(position):
            yield _row(variant, position, order_sets)
        played = play(variant, rules, position, _parsed(variant, order_sets))
        if played[-1].winners:
            return
        position = played[-1].after


def _style(variant: Variant, kind: Kind, dice: Dice) -> Style:
    absent = roll(dice, kind.absent_most + 1)
    return replace(kind.style, absent=frozenset(shuffled(dice, variant.power_ids)[:absent]))


def _friends(variant: Variant, dice: Dice) -> dict[PowerId, PowerId]:
    """Pairs that support each other through a game; one power has no friend."""
    powers = shuffled(dice, variant.power_ids)
    pairs = list(zip(powers[::2], powers[1::2], strict=False))
    return dict(pairs) | {other: one for one, other in pairs}


def _order_sets(
    variant: Variant,
    position: Position,
    style: Style,
    friends: dict[PowerId, PowerId],
    dice: Dice,
) -> OrderSets:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return movement_orders(variant, position, style, friends, dice)
        case PhaseKind.RETREAT:
            return retreat_orders(position, style, dice)
        case PhaseKind.ADJUSTMENT:
            return adjustment_orders(variant, position, style, dice)


def _parsed(variant: Variant, order_sets: OrderSets) -> dict[PowerId, list[WrittenOrder]]:
    written: dict[PowerId, list[WrittenOrder]] = {}
    for power, texts in order_sets.items():
        for text in texts:
            order = parse_order(text, variant)
            assert not isinstance(order, Fault), text
            written.setdefault(power, []).append(order)
    return written


def _row(variant: Variant, position: Position, order_sets: OrderSets) -> Row:
    """A line for `judge adjudicate`, without its id."""
    powers = variant.power_ids
    units = {power: [str(unit) for unit in position.units_of(power)] for power in powers}
    centers = {power: list(position.centers_of(power)) for power in powers}
    return {
        "phase": str(position.phase),
        "units": {power: units[power] for power in powers if units[power]},
        "centers": {power: centers[power] for power in powers if centers[power]},
        "orders": {power: order_sets[power] for power in powers if power in order_sets},
    }


# --- files ----------------------------------------------------------------------------------------


def dump(row: Row) -> str:
    return json.dumps(row, separators=(",", ":"))


def read_lines(name: str) -> list[bytes]:
    """The lines of a class as `judge adjudicate` takes them."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz") as file:
        return file.read().splitlines()


def write(kind: Kind) -> list[Row]:
    rows = list(islice(positions(kind), COUNT))
    text = "".join(dump(row) + "\n" for row in rows)
    packed = gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0)
    (FOLDER / f"{kind.name}.jsonl.gz").write_bytes(packed)
    return rows


def describe(rows: list[Row]) -> str:
    """What the orders of a class are, in percent."""
    kinds = Counter(
        _verb(text) for row in rows for order_set in row["orders"].values() for text in order_set
    )
    total = sum(kinds.values())
    shares = ", ".join(f"{100 * number / total:.1f} {verb}" for verb, number in kinds.most_common())
    units = sum(len(order_set) for row in rows for order_set in row["units"].values()) / len(rows)
    return f"{units:.1f} units, {total / len(rows):.1f} orders a position; percent: {shares}"


def _verb(text: str) -> str:
    if " S " in text:
        return "support move" if " - " in text else "support hold"
    if " C " in text:
        return "convoy"
    if " - " in text:
        return "via" if text.endswith(" VIA") else "move"
    return "hold"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for kind in KINDS:
        print(f"{kind.name}: {describe(write(kind))}", flush=True)


if __name__ == "__main__":
    main()
