"""What a line most likely orders that is asked about or is no order so far; only ever proposed.

Of all ways to give the units that a line names an order the heaviest is proposed (`weighing.py`).
What other stages have proposed counts as a feature, too. Nothing is stored by this reading.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.blanket_orders import blanket_order
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, listed, particles_of
from judge.diplomacy.language.lines.doubts import cancels_order, takes_back, without_denied
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
    order_question,
)
from judge.diplomacy.language.proposals.nicknames import is_group
from judge.diplomacy.language.proposals.options import Slots
from judge.diplomacy.language.proposals.suggestions import SUGGESTIONS_MOST
from judge.diplomacy.language.proposals.weighed_line import Line, said_elsewhere
from judge.diplomacy.language.proposals.weighing import (
    Before,
    Chosen,
    Scale,
    Weighed,
    best_ways,
    known_before,
    options_with_proposals,
    orders_of_way,
)
from judge.diplomacy.language.tokens import tokenize
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder
from judge.diplomacy.outcomes import VoidReason
from judge.diplomacy.records import ProblemValues, ReadingKind

_LINES_MOST = 20  # of a letter
_WEIGHED_MOST = 2_000  # options of a letter
_WORDS_LEAST = 2  # of a sentence
_NOTATION_LONGEST = 6  # words and signs of one order
_LINE_LONGEST = 600  # letters; more is a paragraph of prose
_NAME_LEAST = 5  # letters of what may name a unit and say what it does
_CLEAR = 10.0  # by which a way must outweigh what is proposed already
_GUESSED = 50.0  # by which what is asked about anyhow may rather be no order

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
        # Nothing is left to read; `With Mar as support, Par to Bur` goes on.
        letters = sum(len(read.written) for read in taken)
        is_whole = bool(taken) and not questions and letters + _NAME_LEAST >= len(text.strip())
        if is_tired or is_whole or len(text) > _LINE_LONGEST:
            continue
        own = {unit.location.province for unit in context.units}
        said = without_denied(text, tokenize(text, context.lexicon), own)
        line = Line(context, said, said_elsewhere(found, number))
        is_clear = said != text  # what it denies is known, and left out
        before = known_before(given, questions)
        if not is_clear and _is_left_to_writer(line, questions, is_taken=bool(taken)):
            if any(isinstance(order, _HELPS) for read in questions for order in read.proposals[1:]):
                ways = best_ways(Scale(line, before), options_with_proposals(line, before))
                _put_first(found, number, orders_of_way(ways[0][1]))
            continue
        slots = options_with_proposals(line, before)
        if questions or not given.keys() >= slots.keys():
            weighed += sum(map(len, slots.values()))
            if weighed > _WEIGHED_MOST:
                return
            chosen = _clearly_best(line, best_ways(Scale(line, before), slots), before)
            is_refused = not is_clear and _is_refused(line, questions)
            if is_refused and not _is_every_place_used(line, chosen, questions):
                continue
            _propose(found, number, text, line, questions, chosen, slots)
        is_asked = any(r.number == number and isinstance(r, Untaken) for r in found)
        if not taken and not is_asked and (_is_adjustment_without_place(line) or _is_recall(line)):
            values = ProblemValues(word=text, label=context.label)
            read = Untaken(number, text, 0, len(text), ReadingKind.OPEN, values)
            found[:] = [*(each for each in found if each.number != number), read]
        elif not taken and not is_asked:
            found += _hold_questions(context, number, text, given)


def _hold_questions(
    context: OrderContext, number: int, text: str, given: Collection[str]
) -> Iterator[Read]:
    """A question for each unit that has no order where a line begins by having all hold, and goes
    on with what nobody reads: `All my units hold, I'm at a truck stop in Tulsa.`"""
    ahead, stop, _ = text.partition(",")
    blanket = blanket_order(ahead, number) if stop else None
    if blanket and blanket.verb == "hold" and not blanket.may_be_prose:
        for unit in context.units:
            if blanket.kind in (None, unit.kind) and order_key(o.Hold(unit)) not in given:
                yield order_question(context, Said(number, text.strip()), o.Hold(unit))


def _put_first(found: list[Read], number: int, likely: Mapping[str, AnyOrder]) -> None:
    """Of several units that one may help, show the likely one first."""
    for at, read in enumerate(found):
        if read.number == number and isinstance(read, Untaken) and len(read.proposals) > 1:
            order = likely.get(order_key(read.proposals[0]))
            if isinstance(order, _HELPS) and order in read.proposals:
                rest = (each for each in read.proposals if each != order)
                found[at] = replace(read, proposals=(order, *rest))


def _is_left_to_writer(line: Line, questions: Sequence[Untaken], *, is_taken: bool) -> bool:
    """Whether what a line means is for its writer to say: other stages know all of its words and
    what it may mean, it is in notation with hardly a word beside it, it is a heading, or it takes
    back what it says."""
    unknown = sum(token.word == UNKNOWN for token in line.tokens)
    is_brief = sum(token.word != "," for token in line.tokens) <= _NOTATION_LONGEST
    is_group_named = any(map(is_group, line.tokens))
    is_doubted = "doubt" in line.traits
    is_bare = "notation" in line.traits and (unknown < _WORDS_LEAST or is_brief or is_doubted)
    most = max((len(read.proposals) for read in questions), default=0)
    is_choice = most > 1 or (most == 1 and is_doubted)
    is_known = (is_taken or bool(questions)) and unknown < 1 + is_choice
    unanswered = [read for read in questions if not read.proposals]
    is_open = any(read.kind is ReadingKind.OPEN for read in unanswered)
    is_denied = any(read.kind is ReadingKind.DOUBTED for read in unanswered) and not any(
        token.word[0] == "@" for token in line.tokens
    )
    is_retreat = line.context.position.phase.kind is PhaseKind.RETREAT
    keys = [read.key for read in questions if read.proposals and is_retreat]
    is_whole = not unanswered and len({*keys}) == len(keys)  # drops back to Boh
    named = {str(place.province) for place in line.places.values()}
    asked_for = {order_key(o.Disband(each.unit)) for each in line.context.dislodged}
    is_whole = is_whole and not (named & asked_for) - {*map(str, keys)}
    is_whole = is_whole and not line.verb_positions("WAIVE")  # Sev, and I waive the second build
    is_heading = line.text.rstrip()[-1:] in (":", "：") and not line.places
    return (
        (is_bare and not is_open and (is_doubted or not is_group_named))
        or {"notation", "quoted"} <= {*line.traits}
        or (is_known and not is_group_named and (is_whole or (is_denied and not unknown)))
        or is_heading
        or takes_back(_SENTENCE_ENDS.split(line.text.strip())[-1])
    )


def _is_refused(line: Line, questions: Sequence[Untaken]) -> bool:
    """Whether a line is no more than one order that cannot be taken as it stands."""
    words = [token.word for token in line.tokens if token.word != ","]
    is_brief = len(words) <= _NOTATION_LONGEST and UNKNOWN not in words
    is_one = is_brief and not any(map(is_group, line.tokens))
    return is_one and any(
        not read.proposals and read.kind is not ReadingKind.OPEN for read in questions
    )


def _is_every_place_used(line: Line, chosen: Chosen, questions: Sequence[Untaken]) -> bool:
    """Whether the orders chosen for a line are told with all of its places, and more than one, and
    the first own unit is one of those; a retreat may only be a move where particles say so."""
    used = frozenset().union(*(option.used for _, option in chosen))
    named = [line.places[at].province for at in sorted(line.places)]
    first = next((province for province in named if province in line.own), None)
    is_marked = any(line.role(at) != "-" for at in used) or any(
        line.tokens[at].text.startswith((*particles_of("goal"), *particles_of("at")))
        for at in line.verbs
    )
    is_build = line.context.position.phase.kind is PhaseKind.ADJUSTMENT and bool(line.places)
    is_build = is_build and any(token.word in KINDS for token in line.tokens)
    is_other = (first not in dict(chosen) and not is_build) or any(
        read.kind is VoidReason.WRONG_PHASE and not is_marked and not is_build for read in questions
    )
    is_idle = any(isinstance(option.order, o.Hold) for _, option in chosen)
    is_whole = used >= {*line.places} and (is_build or len(line.places) > 1)
    return is_whole and not is_other and not is_idle


def _is_adjustment_without_place(line: Line) -> bool:
    """Whether a line orders builds or removals without saying where: `Build two armies, please.`"""
    is_adjustment = line.context.position.phase.kind is PhaseKind.ADJUSTMENT
    verbs = [line.tokens[at] for at in line.verbs if line.tokens[at].word in ("B", "D")]
    is_said = any(not token.is_doubted for token in verbs) and not line.places
    is_counted = any(t.word in KINDS or is_group(t) or t.word.isdigit() for t in line.tokens)
    return is_adjustment and is_said and is_counted and _TELLING.isdisjoint(line.traits)


def _is_recall(line: Line) -> bool:
    """Whether a line takes back what a unit was ordered: `Cancel my order for Smyrna.`"""
    is_own = any(place.province in line.own for place in line.places.values())
    return is_own and cancels_order(line.text) and {"quoted", "question"}.isdisjoint(line.traits)


def _clearly_best(line: Line, ways: Sequence[Weighed], before: Before) -> Chosen:
    """The heaviest way; what is proposed already (nothing of prose) where it is hardly lighter."""
    proposed = {*before.proposed} - {None}
    best = _new_orders(ways[0][1], before)
    is_helping = any(isinstance(order, _HELPS) for order in proposed)
    if is_helping and best and not any(isinstance(order, _HELPS) for order in best):
        return ()  # Lyo supports the move of Mar, but not: Lyo to Mar
    clear = _CLEAR if proposed else 0.0
    for weight, chosen in ways if proposed or not before.proposed else ():
        if weight > ways[0][0] - clear and _new_orders(chosen, before) == proposed:
            return chosen
    denying = (*listed("doubts", "unmeant"), *listed("doubts", "refusing"))
    is_denied = "quoted" in line.traits or any(token.text in denying for token in line.tokens)
    if before.proposed and not proposed:
        for weight, chosen in ways:
            orders = _new_orders(chosen, before)
            is_still = all(isinstance(each, o.Hold) for each in orders)  # Don't move Par
            if weight > ways[0][0] - _GUESSED and orders and (is_still or not is_denied):
                return chosen
    return ways[0][1]


def _new_orders(chosen: Chosen, before: Before) -> set[AnyOrder]:
    """The orders that are not given yet."""
    orders = orders_of_way(chosen)
    return {order for key, order in orders.items() if key not in before.given}


def _propose(
    found: list[Read],
    number: int,
    text: str,
    line: Line,
    questions: Sequence[Untaken],
    chosen: Chosen,
    slots: Slots,
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
        start = text.find(read.written)
        if key is not None and (order := left.pop(key, None)) is not None:
            others = (*_alternative_orders(line, chosen, slots, key), *read.proposals)
            proposals = tuple(dict.fromkeys((order, *others)))[:SUGGESTIONS_MOST]
            done.append(replace(read, proposals=proposals, key=key))
        elif not read.proposals and not any(
            start <= column < start + len(read.written) for column in columns
        ):
            done.append(read)
        elif not read.proposals and isinstance(read.kind, VoidReason) and left:
            key = next(iter(left))  # the reason stays
            done.append(replace(read, proposals=(left.pop(key),), key=key))
    whole = Said(number, text.strip())
    for key, order in left.items():
        proposals = tuple(dict.fromkeys((order, *_alternative_orders(line, chosen, slots, key))))
        proposals = proposals[:SUGGESTIONS_MOST]
        done.append(replace(order_question(line.context, whole, order), proposals=proposals))
    kept = [read for read in found if read.number != number or isinstance(read, Taken)]
    found[:] = [*kept, *done]


def _alternative_orders(line: Line, chosen: Chosen, slots: Slots, key: str) -> list[AnyOrder]:
    """What a unit may do as well as what is chosen for it: the same with the place named beside its
    target, where a line leaves a choice; the same on another coast, where it names none."""
    option = dict(chosen).get(key)
    if option is None or option.order is None:
        return []
    is_open = any(token.text in _choice_words() for token in line.tokens) or "doubt" in line.traits
    beside: set[int] = set()
    if is_open and option.goal is not None:
        places = sorted(line.places)
        at = places.index(option.goal[0])
        used = frozenset().union(*(each.used for _, each in chosen))
        beside = {*places[max(at - 1, 0) : at + 2]} - used
    land = format_order(option.order).partition("/")[0]
    return [
        each.order
        for each in slots[key]
        if each.order is not None
        and type(each.order) is type(option.order)
        and (
            (each.goal is not None and each.goal[0] in beside)
            or (not line.coasts and format_order(each.order).partition("/")[0] == land)
        )
    ]


@cache
def _choice_words() -> frozenset[str]:
    return frozenset((*listed("around", "alternatives"), *listed("around", "either")))
