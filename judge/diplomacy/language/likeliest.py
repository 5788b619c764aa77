"""What a line most likely orders that is asked about or is no order so far; only ever proposed.

Of all ways to give the units that a line names an order the heaviest is proposed (`weighing.py`).
What other stages have proposed counts as a feature, too. Nothing is stored by this reading.
"""

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.doubts import takes_back
from judge.diplomacy.language.gist import asked, is_unread
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN
from judge.diplomacy.language.nicknames import is_group
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.weighed_line import Line, elsewhere
from judge.diplomacy.language.weighing import (
    Before,
    Chosen,
    Scale,
    Weighed,
    before_of,
    best_ways,
    orders_of_way,
    slots_of,
)
from judge.diplomacy.orders import AnyOrder
from judge.diplomacy.records import ProblemValues, ReadingKind

_LINES_MOST = 20  # of a letter
_WEIGHED_MOST = 2_000  # options of a letter
_WORDS_LEAST = 2  # of a sentence
_NOTATION_LONGEST = 6  # words and signs of one order
_LINE_LONGEST = 600  # letters; more is a paragraph of prose
_CLEAR = 10.0  # by which a way must outweigh what is proposed already
_GUESSED = 30.0  # by which what is asked about anyhow may rather be no order

_TELLING = frozenset({"tale", "stated", "question", "quoted", "back", "heading"})
_SENTENCE_ENDS = re.compile(r"(?<=[.!?。！？])\s*(?=\S)")
_HELPS = o.SupportHold | o.SupportMove | o.Convoy


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
        is_tired = any(read.kind is ReadingKind.NOT_READ for read in questions)
        if (
            is_tired
            or len(text) > _LINE_LONGEST
            or (taken and not questions and not is_unread(text, taken))
        ):
            continue
        line = Line(context, text, elsewhere(found, number))
        if _is_for_its_writer(line, questions, is_taken=bool(taken)):
            continue
        before = before_of(given, questions)
        slots = slots_of(line, before)
        if questions or not given.keys() >= slots.keys():
            weighed += sum(map(len, slots.values()))
            if weighed > _WEIGHED_MOST:
                return
            chosen = _clearly_best(best_ways(Scale(line, before), slots), before)
            _propose(context, found, number, line, questions, chosen)
        is_asked = any(r.number == number and isinstance(r, Untaken) for r in found)
        if not taken and not is_asked and _is_nameless(line):
            values = ProblemValues(word=text, label=context.label)
            read = Untaken(number, text, 0, len(text), ReadingKind.OPEN, values)
            found[:] = [*(each for each in found if each.number != number), read]


def _is_for_its_writer(line: Line, questions: Sequence[Untaken], *, is_taken: bool) -> bool:
    """Whether what a line means is for its writer to say: other stages know all of its words, it is
    in notation with hardly a word beside it, it is a heading, or it takes back what it says."""
    unknown = sum(token.word == UNKNOWN for token in line.tokens)
    is_group_named = any(map(is_group, line.tokens))
    is_doubted = "doubt" in line.gestures
    is_short = unknown < _WORDS_LEAST or len(line.tokens) <= _NOTATION_LONGEST
    is_bare = "notation" in line.gestures and (is_short or is_doubted)
    most = max((len(read.proposals) for read in questions), default=0)
    is_choice = most > 1 or (most == 1 and is_doubted)
    is_known = (is_taken or bool(questions)) and unknown < 1 + is_choice
    is_heading = line.text.rstrip()[-1:] in (":", "：") and not line.places
    return (
        (is_bare and (is_doubted or not is_group_named))
        or (is_known and not is_group_named)
        or is_heading
        or takes_back(_SENTENCE_ENDS.split(line.text.strip())[-1])
    )


def _is_nameless(line: Line) -> bool:
    """Whether a line orders builds or removals without saying where: `Build two armies, please.`"""
    is_adjustment = line.context.position.phase.kind is PhaseKind.ADJUSTMENT
    verbs = [line.tokens[at] for at in line.verbs if line.tokens[at].word in ("B", "D")]
    is_said = any(not token.is_doubted for token in verbs) and not line.places
    is_counted = any(t.word in KINDS or is_group(t) or t.word.isdigit() for t in line.tokens)
    return is_adjustment and is_said and is_counted and _TELLING.isdisjoint(line.gestures)


def _clearly_best(ways: Sequence[Weighed], before: Before) -> Chosen:
    """The heaviest way; what is proposed already (nothing of prose) where it is hardly lighter."""
    proposed = {*before.proposed} - {None}
    best = _orders_of(ways[0][1], before)
    is_helping = any(isinstance(order, _HELPS) for order in proposed)
    if is_helping and best and not any(isinstance(order, _HELPS) for order in best):
        return ()  # Lyo supports the move of Mar, but not: Lyo to Mar
    clear = _CLEAR if proposed else 0.0
    for weight, chosen in ways if proposed or not before.proposed else ():
        if weight > ways[0][0] - clear and _orders_of(chosen, before) == proposed:
            return chosen
    if before.proposed and not proposed:
        for weight, chosen in ways:
            if weight > ways[0][0] - _GUESSED and _orders_of(chosen, before):
                return chosen
    return ways[0][1]


def _orders_of(chosen: Chosen, before: Before) -> set[AnyOrder]:
    """The orders that are not given yet."""
    orders = orders_of_way(chosen)
    return {order for key, order in orders.items() if key not in before.given}


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
    new = {key: each for key, each in chosen if each.order is not None and key not in given}
    left = {key: each for key, each in orders_of_way(chosen).items() if key not in given}
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
