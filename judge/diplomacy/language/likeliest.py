"""What a line most likely orders that is asked about or is no order so far; only ever proposed.

Every way to give each unit that a line names one of its options (`options.py`) or none is weighed
by its features, and the heaviest is proposed. The weights are learned: `grammar/weights.tsv` is
made by `python -m tests.grammar.sets.learn` from lines of players and what a fair referee makes of
them (`tests/grammar/sets`). What other stages have proposed counts as a feature, too.
Nothing is stored by this reading.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from judge.data import read_text
from judge.diplomacy import orders as o
from judge.diplomacy.language.gist import UNREAD, asked, is_unread
from judge.diplomacy.language.lexicon import UNKNOWN
from judge.diplomacy.language.nicknames import is_group
from judge.diplomacy.language.options import NOTHING, Option, Slots, options_of
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.weighed_line import Line
from judge.diplomacy.orders import AnyOrder
from judge.diplomacy.outcomes import VoidReason
from judge.diplomacy.records import ReadingKind

_LINES_MOST = 20  # of a letter
_WEIGHED_MOST = 2_000  # options of a letter
_WORDS_LEAST = 2  # of a sentence
_LINE_LONGEST = 600  # letters; more is a paragraph of prose
_OPTIONS_MOST = 14  # of a unit
_WIDTH = 24  # ways that are followed
_CLEAR = 10.0  # by which a way must outweigh what is proposed already
_TOLD = 40.0  # the same, of a line that seems to tell or to ask something
_GUESSED = 30.0  # by which what is asked about anyhow may rather be no order

_WEIGHED = (UNREAD | {VoidReason.KIND_NEEDED}) - {VoidReason.WRONG_PHASE}
_TELLING = frozenset({"tale", "stated", "question"})
_GOES = o.Move | o.Hold | o.Retreat
_HELPS = o.SupportHold | o.SupportMove | o.Convoy

Weights = Mapping[str, float]
Chosen = tuple[tuple[str, Option], ...]  # an option of each unit, by the key of its orders


class Before(NamedTuple):
    """What is known of a line before it is weighed.

    Attributes:
        given: the orders of the letter that are taken, by their keys.
        proposed: the first proposals of its questions; None of those that propose nothing.
        is_shown: whether the proposals count (they do not while the first weights are learned).
    """

    given: Mapping[str, AnyOrder]
    proposed: tuple[AnyOrder | None, ...] = ()
    is_shown: bool = True


@cache
def weights() -> Weights:
    """What each feature weighs; the file has thousandths."""
    rows = (row.split("\t") for row in read_text("grammar", "weights.tsv").splitlines())
    return {name: int(weight) / 1000 for name, weight in rows}


def ask_likeliest(context: OrderContext, found: list[Read], lines: Mapping[int, str]) -> None:
    """Propose what the lines most likely order, for their questions and for what is prose;
    `lines` by number."""
    given = {order_key(read.order): read.order for read in found if isinstance(read, Taken)}
    weighed = 0
    if not context.position.units:
        return  # a later phase
    for number, text in [*lines.items()][:_LINES_MOST]:
        reads = [read for read in found if read.number == number]
        questions = [read for read in reads if isinstance(read, Untaken)]
        taken = [read for read in reads if isinstance(read, Taken)]
        if len(text) > _LINE_LONGEST or (taken and not questions and not is_unread(text, taken)):
            continue
        if any(r.kind not in _WEIGHED for r in questions):
            continue
        line = Line(context, text)
        if _is_for_its_writer(line, questions):
            continue
        before = before_of(given, questions)
        slots = slots_of(line, before)
        if not questions and given.keys() >= slots.keys():
            continue
        weighed += sum(map(len, slots.values()))
        if weighed > _WEIGHED_MOST:
            return
        told = not questions and not _TELLING.isdisjoint(line.gestures)
        ways = best_ways(weights(), line, slots, before)
        chosen = _clearly_best(ways, before, told=told)
        _propose(context, found, number, line, questions, chosen)


def _is_for_its_writer(line: Line, questions: Sequence[Untaken]) -> bool:
    """Whether what a line means is for its writer to say: it is in notation, takes back or quotes
    what it orders, or its questions offer a choice."""
    gestures = set(line.gestures)
    unknown = sum(token.word == UNKNOWN for token in line.tokens)
    is_short = unknown == 0 and not any(map(is_group, line.tokens))
    is_heading = line.text.rstrip()[-1:] in (":", "：") or any(at == 0 for at, _ in line.doubts)
    is_bare = "notation" in gestures and (unknown < _WORDS_LEAST or "doubt" in gestures)
    firsts = [order_key(read.proposals[0]) for read in questions if read.proposals]
    choices = [read.proposals for read in questions if len(read.proposals) > 1]
    is_choice = any(isinstance(order, _GOES) for each in choices for order in each[1:])
    is_proposed = bool(firsts) and len(firsts) == len(questions)
    is_doubted = any(read.kind is ReadingKind.DOUBTED for read in questions)
    return (
        is_bare
        or is_choice
        or (is_proposed and is_doubted and "doubt" in gestures)
        or (is_heading and not line.places)
        or len({*firsts}) < len(firsts)
        or (is_short and not any(firsts))
        or not {"back", "heading", "quoted"}.isdisjoint(gestures)
    )


def _clearly_best(ways: Sequence[tuple[float, Chosen]], before: Before, *, told: bool) -> Chosen:
    """The heaviest way; what is proposed already (nothing of prose) where it is hardly lighter."""
    proposed = {*before.proposed} - {None}
    best = _orders_of(ways[0][1], before)
    is_helping = any(isinstance(order, _HELPS) for order in proposed)
    if is_helping and best and not any(isinstance(order, _HELPS) for order in best):
        return ()  # Lyo supports the move of Mar, but not: Lyo to Mar
    clear = _TOLD if told else _CLEAR if proposed else 0.0
    for weight, chosen in ways if proposed or not before.proposed else ():
        if weight > ways[0][0] - clear and _orders_of(chosen, before) == proposed:
            return chosen
    if before.proposed and not proposed:
        for weight, chosen in ways:
            if weight > ways[0][0] - _GUESSED and _orders_of(chosen, before):
                return chosen
    return ways[0][1]


def _orders_of(chosen: Chosen, before: Before) -> set[AnyOrder | None]:
    """The orders that are not given yet."""
    return {option.order for key, option in chosen if key not in before.given} - {None}


def before_of(given: Mapping[str, AnyOrder], questions: Sequence[Untaken]) -> Before:
    """What the other stages have made of a line."""
    return Before(given, tuple(read.proposals[0] if read.proposals else None for read in questions))


def slots_of(line: Line, before: Before) -> Slots:
    """The options of each unit of a line; of one that has its order, only this."""
    slots = options_of(line)
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


def best_ways(
    weights: Weights,
    line: Line,
    slots: Slots,
    before: Before,
    allowed: Mapping[str, frozenset[AnyOrder]] | None = None,
    must: str | None = None,
) -> list[tuple[float, Chosen]]:
    """The heaviest ways to order the units, heaviest first; with `allowed`, only those that give
    each unit one of these orders, or none if there are none for it; with `must`, those that give
    this unit one."""
    pruned: dict[str, list[tuple[float, Option]]] = {}
    for key, options in slots.items():
        may = allowed.get(key, frozenset()) if allowed is not None else None
        kept = [option for option in options if may is None or option.order in may]
        weighed = [
            (_weight(weights, _features_of(line, key, option, before)), option) for option in kept
        ]
        weighed.sort(key=lambda each: -each[0])
        pruned[key] = weighed[:_OPTIONS_MOST]
        if key not in before.given and not may and key != must:
            nothing = _features_of(line, key, NOTHING, before)
            pruned[key].append((_weight(weights, nothing), NOTHING))
    ways: list[tuple[float, Chosen]] = [(0.0, ())]
    for key in sorted(pruned, key=lambda key: len(pruned[key])):
        ways = [
            (
                heavy + weight + _weight(weights, _beside(line, chosen, key, option)),
                (*chosen, (key, option)),
            )
            for heavy, chosen in ways
            for weight, option in pruned[key]
        ]
        ways.sort(key=lambda each: -each[0])
        del ways[_WIDTH:]
    whole = [
        (heavy + _weight(weights, _of_whole(line, chosen, before)), chosen)
        for heavy, chosen in ways
    ]
    return sorted(whole, key=lambda each: -each[0])


def features_of_way(line: Line, chosen: Chosen, before: Before) -> Iterator[str]:
    """All features of a way, for those who learn what they weigh."""
    for n, (key, option) in enumerate(chosen):
        yield from _features_of(line, key, option, before)
        yield from _beside(line, chosen[:n], key, option)
    yield from _of_whole(line, chosen, before)


def _weight(weights: Weights, features: Iterable[str]) -> float:
    return sum(weights[each] for each in features if each in weights)


def _of_script(line: Line, features: Sequence[str]) -> tuple[str, ...]:
    """Features for all lines, and for those in the same script."""
    return (*features, *(line.script + each for each in features))


def _features_of(line: Line, key: str, option: Option, before: Before) -> tuple[str, ...]:
    """What speaks for an option of a unit: its words, and what other stages have proposed."""
    features = [*option.features]
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
    return _of_script(line, features)


def _beside(line: Line, chosen: Chosen, key: str, option: Option) -> tuple[str, ...]:
    """How an option stands to those of other units."""
    features: list[str] = []
    for other_key, other in chosen:
        for one, two, two_key in ((option, other, other_key), (other, option, key)):
            if one.led is None:
                continue
            helped, to = one.led
            help_kind, kind = type(one.order).__name__, type(two.order).__name__
            if helped == two_key and to is None:
                features.append(f"j.sh.{kind}")
            elif helped == two_key and isinstance(two.order, o.Move):
                features.append(f"j.{help_kind}.{two.order.target.province == to}")
                if two.order.via_convoy:
                    features.append(f"j.{help_kind}.via")
            elif helped == two_key:
                features.append(f"j.{help_kind}.{kind}")
            if to is not None and to == two_key:
                features.append(f"j.{help_kind}.to.{kind}")
        for one, two, two_key in ((option, other, other_key), (other, option, key)):
            if one.goal is not None and one.goal[1] == two_key:
                features.append(f"j.into.{type(two.order).__name__}")
        if option.order is None or other.order is None:
            continue
        if option.led and other.led:
            features.append(f"j.help.{option.led[0] == other.led[0]}.{option.led == other.led}")
        if option.goal and other.goal:
            if option.goal[1] == other.goal[1]:
                features.append(f"j.same.{option.goal[0] == other.goal[0]}")
            if option.goal[1] == other_key and other.goal[1] == key:
                features.append("j.swap")
        kinds = [type(option.order).__name__, type(other.order).__name__]
        for one, two in ((option, other), (other, option)):
            if one.goal and one.goal[0] in two.used and not two.goal:
                features.append(f"j.share.{type(two.order).__name__}")
        if option.group is not None and option.group == other.group:
            is_same = not option.goal or option.goal == other.goal
            features.append(f"j.group.{is_same}.{'.'.join(sorted(kinds))}")
        else:
            shared = min(len(option.used & other.used), 3)
            features.append(f"j.used{shared}.{'.'.join(sorted(kinds))}")
    return _of_script(line, features)


def _of_whole(line: Line, chosen: Chosen, before: Before) -> tuple[str, ...]:
    """What speaks for a way as a whole: what it leaves over of the line."""
    used = frozenset().union(*(option.used for _, option in chosen))
    ordered = sum(option.order is not None for key, option in chosen if key not in before.given)
    is_any = any(option.order is not None for _, option in chosen)
    seen = {line.places[at].province for at in used if at in line.places}
    features: list[str] = []
    asks = "first" if any(before.proposed) else "open" if before.proposed else "chat"
    gestures = line.gestures
    features += [f"ge.{gesture}.{is_any}" for gesture in (*gestures, "+".join(gestures))]
    if before.is_shown:
        features += [f"ge.{gesture}.{asks}.{is_any}" for gesture in gestures]
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
            features += [f"un.pw={line.word(at - 1)}", f"un.nw={line.word(at + 1)}"]
            features += line.doubted("un", at)
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
    return _of_script(line, features)


def _propose(
    context: OrderContext,
    found: list[Read],
    number: int,
    line: Line,
    questions: Sequence[Untaken],
    chosen: Chosen,
) -> None:
    """Put the orders chosen for a line in its questions, and ask about the others; a question that
    proposes nothing stays if none of them is made of its words."""
    given = {order_key(read.order) for read in found if isinstance(read, Taken)}
    said = sorted(chosen, key=lambda each: min(each[1].used, default=0))  # as they are named
    new = {key: each for key, each in said if each.order is not None and key not in given}
    left = {key: each.order for key, each in new.items() if each.order is not None}
    if not left or {read.proposals[0] for read in questions if read.proposals} == {*left.values()}:
        return
    columns = [line.tokens[at].start for each in new.values() for at in each.used]
    done: list[Read] = []
    for read in questions:
        key = order_key(read.proposals[0]) if read.proposals else read.key
        start = line.text.find(read.written)
        if key is not None and (order := left.pop(key, None)) is not None:
            others = tuple(each for each in read.proposals if each != order)
            done.append(replace(read, proposals=(order, *others), key=key))
        elif not read.proposals and not any(
            start <= column < start + len(read.written) for column in columns
        ):
            done.append(read)
    whole = Said(number, line.text.strip())
    done += [asked(context, whole, order) for order in left.values()]
    kept = [read for read in found if read.number != number or isinstance(read, Taken)]
    found[:] = [*kept, *done]
