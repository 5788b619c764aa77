"""How likely each way to order the units of a line is, by what was learned from players' lines.

A way gives each unit that a line names one of its options (`options.py`) or none. Its features are
texts such as `m.w<barges`: those of each option, of each two of them, and of the way as a whole.
`grammar/weights.tsv` says what each of them weighs in each kind of script; it is made by
`python -m tests.grammar.sets.learn` from lines of players and what a fair referee makes of them.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from judge.data import read_text
from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.order_context import Untaken, order_key
from judge.diplomacy.language.proposals.options import NOTHING, Option, Slots, options_by_unit
from judge.diplomacy.language.proposals.weighed_line import Line
from judge.diplomacy.orders import AnyOrder

_OPTIONS_MOST = 14  # of a unit
_PAIRED_MOST = 5  # of each of two units of a group
_WIDTH = 24  # ways that are followed

Chosen = tuple[tuple[str, Option], ...]  # an option of each unit, by the key of its orders
Weighed = tuple[float, Chosen]
Allowed = Mapping[str, frozenset[AnyOrder]]


class Before(NamedTuple):
    """What is known of a line before it is weighed.

    Attributes:
        given: the orders of the letter that are taken, by their keys.
        proposed: the first proposals of its questions; None of those that propose nothing.
        is_shown: whether the proposals count (they do not while the first weights are learned).
        kinds: why its questions are asked.
    """

    given: Mapping[str, AnyOrder]
    proposed: tuple[AnyOrder | None, ...] = ()
    is_shown: bool = True
    kinds: tuple[str, ...] = ()


def known_before(given: Mapping[str, AnyOrder], questions: Sequence[Untaken]) -> Before:
    """What the other stages have made of a line."""
    proposed = tuple(read.proposals[0] if read.proposals else None for read in questions)
    return Before(given, proposed, kinds=tuple(sorted({str(read.kind) for read in questions})))


def options_with_proposals(line: Line, before: Before) -> Slots:
    """The options of each unit of a line; of one that has its order, only this."""
    slots = options_by_unit(line)
    for order in before.proposed if before.is_shown else ():
        if order is None:
            continue
        options = slots.setdefault(order_key(order), [])
        if all(option.order != order for option in options):
            options.append(Option(order))
    for key, order in before.given.items():
        if key in slots:
            own = [option for option in slots[key] if option.order == order]
            slots[key] = own or [Option(order)]
    return slots


class Weights(NamedTuple):
    """What was learned, in thousandths: of a feature from `places[feature]` on one number for each
    of the scripts."""

    scripts: Sequence[str]
    places: Mapping[str, int]
    numbers: Sequence[int]


@cache
def learned_weights() -> Weights:
    """The weights of `grammar/weights.tsv`."""
    head, *rows = read_text("grammar", "weights.tsv").splitlines()
    places: dict[str, int] = {}
    numbers = array("i")
    for row in rows:
        name, *own = row.split("\t")
        places[name] = len(numbers)
        numbers.extend(map(int, own))
    return Weights(head.split("\t")[1:], places, numbers)


class Scale:
    """What the options of a line's units weigh, alone and together."""

    def __init__(self, line: Line, before: Before) -> None:
        self.line = line
        self.before = before
        self._weights = learned_weights()
        self._column = self._weights.scripts.index(line.script)

    def _sum(self, features: Iterable[str]) -> float:
        _, places, numbers = self._weights
        column = self._column
        return sum(numbers[places[each] + column] for each in features if each in places) / 1000

    def of_option(self, key: str, option: Option) -> float:
        return self._sum(features_of_option(self.line, key, option, self.before))

    def of_pair(self, one: tuple[str, Option], two: tuple[str, Option]) -> float:
        return self._sum(features_of_pair(one, two))

    def of_whole(self, chosen: Chosen) -> float:
        return self._sum(features_of_whole(self.line, chosen, self.before))

    def shared_options(self, keys: Sequence[str], slots: Slots) -> Chosen:
        """What all units of a group may do, as options of the first of them."""
        alike: dict[object, dict[str, Option]] = {}
        members: dict[int, set[str]] = {}
        for key in keys:
            for option in slots[key]:
                if option.group is not None:
                    members.setdefault(option.group, set()).add(key)
                    said = (option.group, type(option.order), option.goal, option.led, option.used)
                    alike.setdefault(said, {}).setdefault(key, option)
        shared: list[tuple[str, Option]] = []
        for units in alike.values():
            (first, option), *others = units.items()
            if others and option.group is not None and units.keys() == members[option.group]:
                also = tuple(each.order for _, each in others if each.order)
                shared.append((first, option._replace(also=also)))
        return tuple(shared)


def best_ways(
    scale: Scale, slots: Slots, allowed: Allowed | None = None, must: str | None = None
) -> list[Weighed]:
    """The heaviest ways to order the units, heaviest first; with `allowed`, only those that give
    each unit one of these orders, or none if there are none for it; with `must`, those that give
    this unit one."""
    choices = [*_weighed_choices(scale, slots, allowed, must)]
    ways: list[Weighed] = [(0.0, ())]
    for several in sorted(choices, key=len):
        ways = [
            (heavy + weight + _weight_between(scale, chosen, more), (*chosen, *more))
            for heavy, chosen in ways
            for weight, more in several
        ]
        ways.sort(key=_heaviest_first)
        del ways[_WIDTH:]
    whole = [(heavy + scale.of_whole(chosen), chosen) for heavy, chosen in ways]
    return sorted(whole, key=_heaviest_first)


def _heaviest_first(way: Weighed) -> float:
    return -way[0]


def _weight_between(scale: Scale, chosen: Chosen, more: Chosen) -> float:
    return sum(scale.of_pair(one, two) for two in more for one in chosen)


def _weighed_choices(
    scale: Scale, slots: Slots, allowed: Allowed | None, must: str | None
) -> Iterator[list[Weighed]]:
    """What each unit may do, and the units of each group together, heaviest first."""
    given = scale.before.given
    for keys in _unit_groups(slots, given):
        weighed: dict[str, list[Weighed]] = {
            key: sorted(
                ((scale.of_option(key, each), ((key, each),)) for each in slots[key]),
                key=_heaviest_first,
            )
            for key in keys
        }
        ways = [way for each in weighed.values() for way in each]
        if len(keys) > 1:
            ways += [
                (scale.of_option(*each), (each,)) for each in scale.shared_options(keys, slots)
            ]
        if must not in keys and not given.keys() >= {*keys}:
            ways.append((scale.of_option(keys[0], NOTHING), ((keys[0], NOTHING),)))
        ways = [way for way in ways if _is_allowed(way[1], keys, allowed, must)]
        if len(keys) == 2:
            kept = [
                [way for way in weighed[key] if _is_allowed(way[1], (key,), allowed, None)]
                for key in keys
            ]
            ways += [
                (first + second + _weight_between(scale, one, two), (*one, *two))
                for (first, one), (second, two) in product(*(each[:_PAIRED_MOST] for each in kept))
            ]
        ways.sort(key=_heaviest_first)
        nothing = [way for way in ways[_OPTIONS_MOST:] if way[1][0][1] == NOTHING]
        yield [*ways[:_OPTIONS_MOST], *nothing]


def _is_allowed(
    chosen: Chosen, keys: Sequence[str], allowed: Allowed | None, must: str | None
) -> bool:
    orders = orders_of_way(chosen)
    if must in keys and must not in orders:
        return False
    for key in keys if allowed is not None else ():
        may = (allowed or {}).get(key)
        if (orders.get(key) not in may) if may else key in orders:
            return False
    return True


def _unit_groups(slots: Slots, given: Mapping[str, AnyOrder]) -> Iterator[tuple[str, ...]]:
    """The units that a word may stand for together, and the others one by one."""
    left = dict.fromkeys(slots)
    while left:
        key = next(iter(left))
        found, names = [key], {each.group for each in slots[key]} - {None}
        if key not in given and names:
            for other in left:
                of_other = {each.group for each in slots[other]}
                if other not in (key, *given) and not names.isdisjoint(of_other):
                    names |= of_other - {None}
                    found.append(other)
        for each in found:
            del left[each]
        yield tuple(found)


def orders_of_way(chosen: Chosen) -> dict[str, AnyOrder]:
    """The orders of a way by their keys, as they are named."""
    found: dict[str, AnyOrder] = {}
    for key, option in sorted(chosen, key=lambda each: min(each[1].used, default=0)):
        if option.order is not None:
            found[key] = option.order
            found |= {order_key(order): order for order in option.also}
    return found


def features_of_option(line: Line, key: str, option: Option, before: Before) -> tuple[str, ...]:
    """What speaks for an option of a unit: its words, and what other stages have proposed."""
    features = [*option.features, *_of_group(line, option)]
    if before.is_shown and key not in before.given:
        named = [order for order in before.proposed if order and order_key(order) == key]
        kind = type(option.order).__name__
        if named:
            is_first = "same" if option.order in named else "other"
            features += [f"p.{is_first}", f"p.{is_first}.{kind}"]
            features += [f"p.{is_first}.{kind}.{type(named[0]).__name__}"]
        elif before.proposed:
            has_first = any(before.proposed)
            features += [f"p.none{has_first}.{kind}"]
        else:
            features += [f"p.chat{bool(before.given)}.{kind}"]
    return tuple(features)


def _of_group(line: Line, option: Option) -> Iterator[str]:
    """Whether all units of a group do what one of them does."""
    at = option.group
    if at is None or at not in line.groups:
        return
    how = "all" if option.also else "one"
    yield f"gr.{how}"
    yield f"gr.{how}={line.tokens[at].text}"
    yield f"gr.{how}.{line.sign(at)},{min(len(line.groups[at]), 4)}"
    for near in (at - 2, at - 1, at + 1, at + 2):
        yield f"gr.{how}.near={line.word_or_sign(near)}"


def features_of_pair(one: tuple[str, Option], two: tuple[str, Option]) -> tuple[str, ...]:
    """How an option stands to another unit's."""
    features: list[str] = []
    for (_, this), (other_key, other) in ((one, two), (two, one)):
        others = (other_key, *map(order_key, other.also))
        kind = type(other.order).__name__
        if this.led is not None:
            helped, to = this.led
            help_kind = type(this.order).__name__
            if helped in others:
                is_there = isinstance(other.order, o.Move) and other.order.target.province == to
                bare = min(len(other.used), 3)
                features += [f"j.{help_kind}.{kind}.{is_there}.{each}" for each in this.told]
                features.append(f"j.{help_kind}.{kind}.{is_there}.{bare}")
            if helped in others and to is None:
                features.append(f"j.sh.{kind}")
            elif helped in others and isinstance(other.order, o.Move):
                features.append(f"j.{help_kind}.{other.order.target.province == to}")
                if other.order.via_convoy:
                    features.append(f"j.{help_kind}.via")
            elif helped in others:
                features.append(f"j.{help_kind}.{kind}")
            if to is not None and to in others:
                features.append(f"j.{help_kind}.to.{kind}")
        if this.goal is not None and this.goal[1] in others:
            features.append(f"j.into.{kind}")
    option, other = one[1], two[1]
    if option.order is None or other.order is None:
        return tuple(features)
    if option.led and other.led:
        features.append(f"j.help.{option.led[0] == other.led[0]}.{option.led == other.led}")
    if option.goal and other.goal:
        if option.goal[1] == other.goal[1]:
            features.append(f"j.same.{option.goal[0] == other.goal[0]}")
        if option.goal[1] == two[0] and other.goal[1] == one[0]:
            features.append("j.swap")
    kinds = ".".join(sorted([type(option.order).__name__, type(other.order).__name__]))
    for this, that in ((option, other), (other, option)):
        if this.goal and this.goal[0] in that.used and not that.goal:
            features.append(f"j.share.{type(that.order).__name__}")
    if option.group is not None and option.group == other.group:
        is_same = not option.goal or option.goal == other.goal
        features.append(f"j.group.{is_same}.{kinds}")
    else:
        features.append(f"j.used{min(len(option.used & other.used), 3)}.{kinds}")
    return tuple(features)


def features_of_whole(line: Line, chosen: Chosen, before: Before) -> tuple[str, ...]:
    """What speaks for a way as a whole: what it leaves over of the line."""
    used = frozenset().union(*(option.used for _, option in chosen))
    ordered = sum(option.order is not None for key, option in chosen if key not in before.given)
    is_any = any(option.order is not None for _, option in chosen)
    seen = {line.places[at].province for at in used if at in line.places}
    features: list[str] = [*_of_dues(line, chosen, before)]
    asks = "first" if any(before.proposed) else "open" if before.proposed else "chat"
    traits = line.traits
    by_sentence = line.traits_by_sentence
    active = {line.sentences[at] for _, each in chosen if each.order for at in each.used}
    for number, said in by_sentence.items():
        is_used = number in active
        features += [f"sg.{gesture}.{is_used}" for gesture in (*said, "+".join(said))]
        if before.is_shown:
            features += [f"sg.{gesture}.{asks}.{is_used}" for gesture in said]
    several = "m" * (len(by_sentence) > 1)
    features += [f"ge{several}.{gesture}.{is_any}" for gesture in (*traits, "+".join(traits))]
    if before.is_shown:
        features += [f"ge{several}.{gesture}.{asks}.{is_any}" for gesture in traits]
        features += [f"q.{kind}.{is_any}" for kind in before.kinds]
        features += [f"q.{kind}.{gesture}.{is_any}" for kind in before.kinds for gesture in traits]
    for at, place in line.places.items():
        if at in used:
            continue
        own = "own" if place.province in line.own else "other"
        features += [
            f"un.{own}.{place.province in seen}.{is_any}",
            f"un.role={line.role(at)}.{is_any}",
            f"un.pn={line.sign(at - 1)},{line.sign(at + 1)}.{is_any}",
        ]
        if is_any:
            features += [f"un.pw={line.word_or_sign(at - 1)}", f"un.nw={line.word_or_sign(at + 1)}"]
            features += line.doubt_features("un", at)
    for at in line.verbs:
        if at not in used and line.sign(at) != "-":
            doubt = "?" * line.tokens[at].is_doubted
            features.append(f"unv.{line.sign(at)}{doubt}.{is_any}")
    if is_any:
        count = sum(option.order is not None for _, option in chosen)
        features += [f"any.{min(count, 4)}", *(f"any.bag={word}" for word in line.all_words())]
    else:
        features.append(f"none.{min(len(chosen), 4)}")
    if before.is_shown:
        features.append(f"p.{asks}.{bool(before.given)}.{min(ordered, 3)}")
    return tuple(features)


def _of_dues(line: Line, chosen: Chosen, before: Before) -> Iterator[str]:
    """How many builds, removals or retreats a way leaves open."""
    context = line.context
    kind = context.position.phase.kind
    if kind is PhaseKind.MOVEMENT:
        return
    dues = [context.dues(power) for power in context.powers]
    due = len(context.dislodged) or sum(each.builds + each.disbands for each in dues)
    left = due - len({*orders_of_way(chosen), *before.given})
    yield f"due.{kind}.{max(min(left, 2), -2)}"
    yield f"due.{kind}.{min(due, 3)}.{max(min(left, 2), -2)}"
