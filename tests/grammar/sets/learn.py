"""Learns what the features of `judge/diplomacy/language/options.py` weigh, from the sets beside
this file, and writes `grammar/weights.tsv`.

    python -m tests.grammar.sets.learn [--try]

First from all lines that may be read, by their words alone; then, from lines that nobody had read
while the other stages were written, how far these may be trusted. `--try` learns without the lines
of one set in turn and prints how many of its lines come out right; it writes nothing.
"""

import random
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from judge.diplomacy.board import parse_location
from judge.diplomacy.language import pipeline
from judge.diplomacy.language.likeliest import (
    Before,
    Chosen,
    Weights,
    before_of,
    best_ways,
    features_of_way,
    slots_of,
)
from judge.diplomacy.language.options import Slots
from judge.diplomacy.language.order_context import (
    WAIVE_KEY,
    OrderContext,
    Read,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.weighed_line import Line
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder, PowerId, Unit, UnitKind
from judge.diplomacy.variants.variant import load_variant, local_names

from .score import (
    LANGUAGES,
    LINE_END,
    PLACES,
    SETS,
    Case,
    cases_of,
    comparable,
    game_of,
    generations_of,
    orders_of,
)

WEIGHTS = SETS.parents[2] / "grammar" / "weights.tsv"
READ = [("8", "held"), ("9", "held")]  # set aside once, and read since
FRESH = frozenset(
    {*READ, *((each, "open") for each in ("10", "11", "12", "13", "14", "15", "16", "17"))}
)  # written after most of the other stages
ROUNDS = (4, 4)
SEED = 1911
DENIALS = SETS / "denials.toml"
DENIALS_EACH = 6
NATURAL = SETS.parent / "natural"
Ways = tuple[Mapping[str, frozenset[AnyOrder]], ...]


class Example(NamedTuple):
    """A line, and each way to order its units that a fair referee may see in it."""

    case: Case
    line: Line
    before: Before
    slots: Slots
    right: Ways


def examples(cases: Iterable[Case], *, is_shown: bool) -> Iterator[Example]:
    """The lines of the cases; not of those whose orders none of the options is."""
    for case in cases:
        game, seat = game_of(case.place)
        heard: list[tuple[OrderContext, list[Read], Mapping[int, str]]] = []

        def hear(
            context: OrderContext,
            found: list[Read],
            lines: Mapping[int, str],
            heard: list[tuple[OrderContext, list[Read], Mapping[int, str]]] = heard,
        ) -> None:
            heard.append((context, [*found], lines))

        with patch.object(pipeline, "ask_likeliest", hear):
            game.read(seat, case.text.split(LINE_END))
        for context, found, texts in heard:
            yield from _examples_of(case, context, found, texts, is_shown=is_shown)


def _examples_of(
    case: Case,
    context: OrderContext,
    found: Sequence[Read],
    texts: Mapping[int, str],
    *,
    is_shown: bool,
) -> Iterator[Example]:
    given = {order_key(read.order): read.order for read in found if isinstance(read, Taken)}
    read = []
    for number, text in texts.items():
        questions = [r for r in found if r.number == number and isinstance(r, Untaken)]
        before = before_of(given, questions) if is_shown else Before({}, (), is_shown=False)
        line = Line(context, text)
        slots = slots_of(line, before)
        if slots:
            read.append((line, before, slots))
    answers = [[comparable(o) for o in answer] for answer in _answers(case.expected)]
    right: list[list[Mapping[str, frozenset[AnyOrder]]]] = [[] for _ in read]
    for answer in answers:
        wanted = set(answer)
        ways = []
        for _, _, slots in read:
            way = {}
            for key, options in slots.items():
                orders = [each.order for each in options if each.order is not None]
                is_more = key.startswith(WAIVE_KEY) and answer.count(WAIVE_KEY) <= int(
                    key.removeprefix(WAIVE_KEY) or 0
                )
                may = wanted if not is_more else ()
                way[key] = frozenset(each for each in orders if _text(each) in may)
            wanted -= {_text(order) for orders in way.values() for order in orders}
            ways.append(way)
        if not {_key(order) for order in wanted} & {key for _, _, s in read for key in s}:
            for each, way in zip(right, ways, strict=True):
                each.append(way)
    if case.expected == "ask":  # one of its units
        for (_, _, slots), ways_of_line in zip(read, right, strict=True):
            for key, options in slots.items():
                may = frozenset(each.order for each in options if each.order is not None)
                only = {each: frozenset[AnyOrder]() for each in slots}
                ways_of_line.append(only | {key: may})
    for (line, before, slots), ways_of_line in zip(read, right, strict=True):
        if ways_of_line:
            yield Example(case, line, before, slots, tuple(ways_of_line))


def _answers(expected: str) -> Iterator[list[str]]:
    """Each set of orders that a case may mean."""
    for answer in expected.split(" ~ "):
        if answer.startswith("ask:"):
            yield from (each.split(";") for each in answer[4:].split("|"))
        elif answer != "ask":
            yield orders_of(answer)


def _key(order: str) -> str:
    words = order.split()
    if words == ["WAIVE"]:
        return "WAIVE"
    province = words[1].split("/")[0]
    return f"B {province}" if words[-1] == "B" else province


def _text(order: AnyOrder) -> str:
    return comparable(format_order(order))


def is_right(example: Example, chosen: Chosen) -> bool:
    orders = {key: option.order for key, option in chosen}
    return any(
        all(
            orders[key] in may if may else orders[key] is None or key in example.before.given
            for key, may in way.items()
        )
        for way in example.right
    )


def learn(
    shown: Sequence[Example], rounds: int, weights: dict[str, float] | None = None
) -> dict[str, float]:
    """Weights by the averaged perceptron, going on from those that there are."""
    now: dict[str, float] = defaultdict(float, weights or {})
    sums: dict[str, float] = defaultdict(float)
    order, step = random.Random(SEED), 0
    shown = list(shown)
    for _ in range(rounds):
        order.shuffle(shown)
        for each in shown:
            step += 1
            best = best_ways(now, each.line, each.slots, each.before)[0][1]
            if is_right(each, best):
                continue
            ways = [best_ways(now, each.line, each.slots, each.before, way) for way in each.right]
            heavy = [way[0] for way in ways if way]
            right = max(heavy, key=lambda way: way[0])[1] if heavy else best
            for sign, chosen in ((1.0, right), (-1.0, best)):
                for feature in features_of_way(each.line, chosen, each.before):
                    now[feature] += sign
                    sums[feature] += sign * step
    return {name: weight - sums[name] / (step + 1) for name, weight in now.items()}


def cases(halves: Iterable[tuple[str, str]]) -> list[Case]:
    return [
        case
        for language in LANGUAGES
        for generation, half in halves
        if generation in generations_of(language, half)
        for kind in ("orders", "prose")
        for case in cases_of(language, kind, half, generation)
    ]


def denials() -> Iterator[Case]:
    """Cases in which nothing is to be proposed, from the sentences of `denials.toml`."""
    order, board = random.Random(SEED), load_variant("standard").board
    for language, sentences in tomllib.loads(DENIALS.read_text(encoding="utf-8")).items():
        local = local_names("standard", language)
        for sentence in sentences * DENIALS_EACH:
            is_removal = "{d}" in sentence
            places = ("removals",) if is_removal else ("west", "north", "south", "east")
            place = order.choice(places)
            units = PLACES[place]["units"][PLACES[place]["power"]].split(", ")
            one, other = (
                Unit(PowerId(""), UnitKind(text[0]), parse_location(text[2:]))
                for text in order.sample(units, 2)
            )
            near = [
                to for to in sorted(board.provinces) if board.reached(one.kind, one.location, to)
            ]
            said = [one.location.province, order.choice(near), other.location.province]
            names = [local.get(each) or board.provinces[each].name for each in said]
            text = sentence.format(u=names[0], t=names[1], o=names[2], d=names[0])
            yield Case(f"{language}-denied", place, "none", text)


def natural_cases() -> list[Case]:
    """The lines of `../natural`, which a test keeps."""
    return [
        Case(f"{table.stem}-natural", *row.split("\t"))
        for table in sorted(NATURAL.glob("*.tsv"))
        for row in table.read_text(encoding="utf-8").splitlines()
        if not row.startswith("#")
    ]


def halves() -> list[tuple[str, str]]:
    """The halves that may be read, by set."""
    numbers = sorted({each for language in LANGUAGES for each in generations_of(language)}, key=int)
    return [*((each, "open") for each in numbers), *READ]


def weights_without(left: Iterable[tuple[str, str]] = ()) -> Weights:
    """The weights that all but these halves teach."""
    read = [half for half in halves() if half not in left]
    denied = [*denials()]
    known = [*cases(read), *natural_cases(), *denied]
    first = learn([*examples(known, is_shown=False)], ROUNDS[0])
    fresh = [*cases([half for half in read if half in FRESH]), *denied]
    words = examples(natural_cases(), is_shown=False)
    return learn([*examples(fresh, is_shown=True), *words], ROUNDS[1], first)


def main(arguments: Sequence[str]) -> None:
    if "--try" in arguments:
        for half in sorted(FRESH):
            weights = weights_without([half])
            told = [*examples(cases([half]), is_shown=True)]
            right = sum(
                is_right(each, best_ways(weights, each.line, each.slots, each.before)[0][1])
                for each in told
            )
            print(half, f"{right} of {len(told)}", f"{right / len(told):.1%}", flush=True)
        return
    rows = [
        f"{name}\t{round(weight * 1000)}"
        for name, weight in sorted(weights_without().items())
        if abs(weight) >= 0.05
    ]
    Path(WEIGHTS).write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows)} weights")


if __name__ == "__main__":
    main(sys.argv[1:])
