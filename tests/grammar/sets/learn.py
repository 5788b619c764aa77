"""Learns what the features of `judge/diplomacy/language/proposals/options.py` weigh, from the sets
beside this file, and writes `grammar/weights.tsv`.

    python -m tests.grammar.sets.learn

First from all lines that may be read, by their words alone; then, from lines that nobody had read
while the other stages were written, how far these may be trusted.
"""

import random
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from judge.diplomacy.board import parse_location
from judge.diplomacy.language import pipeline
from judge.diplomacy.language.order_context import (
    WAIVE_KEY,
    OrderContext,
    Read,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.proposals.options import Option, Slots
from judge.diplomacy.language.proposals.weighed_line import LATIN, SCRIPTS, Line, said_elsewhere
from judge.diplomacy.language.proposals.weighing import (
    Before,
    Chosen,
    Scale,
    best_ways,
    features_of_option,
    features_of_pair,
    features_of_whole,
    known_before,
    options_with_proposals,
    orders_of_way,
)
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
    helped_by,
    orders_of,
)

WEIGHTS = SETS.parents[2] / "grammar" / "weights.tsv"
READ = [("8", "held"), ("9", "held")]  # set aside once, and read since
FRESH = 10  # the first set that was written after most of the other stages
ROUNDS = (4, 4)
SEED = 1911
DENIALS = SETS / "denials.toml"
DENIALS_EACH = 6
NATURAL = SETS.parent / "natural"
Ways = tuple[Mapping[str, frozenset[AnyOrder]], ...]
ALL_SCRIPTS = (LATIN, *(name for name, _ in SCRIPTS))
LEAST = 50  # thousandths that are kept


class Example(NamedTuple):
    """A line, and each way to order its units that a fair referee may see in it."""

    case: Case
    line: Line
    before: Before
    slots: Slots
    right: Ways


def hear_nothing(*_: object) -> None:
    """A stage that is not asked."""


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

        with (
            patch.object(pipeline, "ask_likeliest", hear),
            patch.object(pipeline, "ask_about_unlikely", hear_nothing),
        ):
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
        before = known_before(given, questions) if is_shown else Before({}, (), is_shown=False)
        line = Line(context, text, said_elsewhere(found, number))
        slots = options_with_proposals(line, before)
        if slots:
            read.append((line, before, slots))
    answers = [[comparable(o) for o in answer] for answer in _answers(case.expected)]
    right: list[list[Mapping[str, frozenset[AnyOrder]]]] = [[] for _ in read]
    for answer in answers:
        wanted = set(answer)
        ways = []
        for _, _, slots in read:
            way: dict[str, frozenset[AnyOrder]] = {}
            for key, options in slots.items():
                orders = [each.order for each in options if each.order is not None]
                is_more = key.startswith(WAIVE_KEY) and answer.count(WAIVE_KEY) <= int(
                    key.removeprefix(WAIVE_KEY) or 0
                )
                may = wanted if not is_more else set()
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
            orders = orders_of(answer)
            yield orders
            if helped := [each for each in helped_by(orders) if each not in orders]:
                yield [*orders, *helped]


def _key(order: str) -> str:
    words = order.split()
    if words == ["WAIVE"]:
        return "WAIVE"
    province = words[1].split("/")[0]
    return f"B {province}" if words[-1] == "B" else province


def _text(order: AnyOrder) -> str:
    return comparable(format_order(order))


def is_right(example: Example, chosen: Chosen) -> bool:
    orders, given = orders_of_way(chosen), example.before.given
    return any(
        all(
            orders.get(key) in may if may else key not in orders or key in given
            for key, may in way.items()
        )
        for way in example.right
    )


class Learned:
    """What each feature weighs in each script so far, and on average."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.now: dict[str, list[float]] = {script: [] for script in ALL_SCRIPTS}
        self.sums: dict[str, list[float]] = {script: [] for script in ALL_SCRIPTS}
        self.step = 0

    def numbers(self, features: Iterable[str]) -> tuple[int, ...]:
        """The features by number; a new one weighs nothing."""
        ids = self.ids
        found = tuple([ids.setdefault(each, len(ids)) for each in features])
        for table in (*self.now.values(), *self.sums.values()):
            table.extend([0.0] * (len(ids) - len(table)))
        return found

    def move(self, script: str, features: Iterable[int], by: float) -> None:
        """A line teaches its own script twice as much as the others."""
        for each, table in self.now.items():
            much = by * (1 + (each == script))
            sums, weighted = self.sums[each], much * self.step
            for number in features:
                table[number] += much
                sums[number] += weighted

    def averages(self) -> dict[str, dict[str, float]]:
        return {
            script: {
                name: table[number] - self.sums[script][number] / (self.step + 1)
                for name, number in self.ids.items()
            }
            for script, table in self.now.items()
        }

    def start_again(self) -> None:
        """Go on from the averages."""
        for script, averages in self.averages().items():
            self.now[script] = [*averages.values()]
            self.sums[script] = [0.0] * len(averages)
        self.step = 0


class Remembering(Scale):
    """A scale that makes the features of a line once."""

    def __init__(self, example: Example, learned: Learned) -> None:
        self.line, self.before = example.line, example.before
        self.learned = learned
        self.now: list[float] = []
        self._features: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._together: dict[tuple[str, ...], Chosen] = {}

    def start(self) -> None:
        self.now = self.learned.now[self.line.script]

    def option(self, key: str, option: Option) -> tuple[int, ...]:
        name = key, id(option)
        if name not in self._features:
            features = features_of_option(self.line, key, option, self.before)
            self._features[name] = self.learned.numbers(features)
        return self._features[name]

    def pair(self, one: tuple[str, Option], two: tuple[str, Option]) -> tuple[int, ...]:
        name = one[0], id(one[1]), two[0], id(two[1])
        if name not in self._features:
            self._features[name] = self.learned.numbers(features_of_pair(one, two))
        return self._features[name]

    def whole(self, chosen: Chosen) -> tuple[int, ...]:
        name = tuple((key, id(option)) for key, option in chosen)
        if name not in self._features:
            features = features_of_whole(self.line, chosen, self.before)
            self._features[name] = self.learned.numbers(features)
        return self._features[name]

    def shared_options(self, keys: Sequence[str], slots: Slots) -> Chosen:
        name = tuple(keys)
        if name not in self._together:
            self._together[name] = super().shared_options(keys, slots)
        return self._together[name]

    def of_option(self, key: str, option: Option) -> float:
        return sum(map(self.now.__getitem__, self.option(key, option)))

    def of_pair(self, one: tuple[str, Option], two: tuple[str, Option]) -> float:
        return sum(map(self.now.__getitem__, self.pair(one, two)))

    def of_whole(self, chosen: Chosen) -> float:
        return sum(map(self.now.__getitem__, self.whole(chosen)))

    def features(self, chosen: Chosen) -> Iterator[int]:
        """All features of a way."""
        for n, one in enumerate(chosen):
            yield from self.option(*one)
            for two in chosen[:n]:
                yield from self.pair(two, one)
        yield from self.whole(chosen)


def learn(shown: Iterable[Example], rounds: int, learned: Learned) -> None:
    """Go on learning by the averaged perceptron."""
    learned.start_again()
    order = random.Random(SEED)
    told = [(each, Remembering(each, learned)) for each in shown]
    for _ in range(rounds):
        order.shuffle(told)
        for each, scale in told:
            learned.step += 1
            scale.start()
            ways = best_ways(scale, each.slots)
            wrong = next((way for way in ways if not is_right(each, way[1])), None)
            if wrong is None:
                continue
            rights = [best_ways(scale, each.slots, way) for way in each.right]
            heavy = [way[0] for way in rights if way]
            right = max(heavy, key=lambda way: way[0]) if heavy else wrong
            if heavy and right[0] <= wrong[0]:
                for by, (_, chosen) in ((1.0, right), (-1.0, wrong)):
                    learned.move(each.line.script, [*scale.features(chosen)], by)


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
                to
                for to in sorted(board.provinces)
                if board.reachable_locations(one.kind, one.location, to)
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


def learned_weights() -> dict[str, dict[str, float]]:
    """What each feature weighs in each script."""
    read = halves()
    denied, learned = [*denials()], Learned()
    known = [*cases(read), *natural_cases(), *denied]
    learn(examples(known, is_shown=False), ROUNDS[0], learned)
    fresh = [*cases([half for half in read if half in READ or int(half[0]) >= FRESH]), *denied]
    words = examples(natural_cases(), is_shown=False)
    learn([*examples(fresh, is_shown=True), *words], ROUNDS[1], learned)
    return learned.averages()


def main() -> None:
    weights = learned_weights()
    rows = ["\t".join(("feature", *weights))]
    for name in sorted(weights[LATIN]):
        columns = [round(weights[script][name] * 1000) for script in weights]
        if any(abs(each) >= LEAST for each in columns):
            rows.append("\t".join((name, *(str(each * (abs(each) >= LEAST)) for each in columns))))
    Path(WEIGHTS).write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows) - 1} weights")


if __name__ == "__main__":
    main()
