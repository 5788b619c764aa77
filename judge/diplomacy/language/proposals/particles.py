"""What sentences with particles may order, asked about beside what the words alone say.

`ヨークを北海の船に乗せてオランダへ運び、海峡は支援` is read clause by clause
(`clause_meanings.py`); what its verbs are called matters little, so that a verb that nobody knows
is asked about with the right line. Nothing is stored by this reading: it proposes, and it puts in
doubt what contradicts it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.lexicon import UNKNOWN, VERBS, listed, scripts
from judge.diplomacy.language.lines.doubts import Doubt, corrections_in, doubts_beside
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
    order_question,
)
from judge.diplomacy.language.proposals.clause_meanings import (
    Meant,
    condition_end,
    is_carried,
    is_support_received,
    meanings_of_clauses,
    split_at_clause_ends,
    with_helpers,
)
from judge.diplomacy.language.proposals.suggestions import legal_orders_among
from judge.diplomacy.language.tokens import Token, end_of, in_line_order, tokenize
from judge.diplomacy.orders import AnyOrder
from judge.diplomacy.outcomes import VoidReason
from judge.diplomacy.records import ReadingKind

_UNREAD = frozenset(  # why a text that may be an order was not read
    {
        ReadingKind.NOT_EXPECTED,
        ReadingKind.UNFINISHED,
        ReadingKind.OPEN,
        ReadingKind.DOUBTED,
        ReadingKind.NO_PROVINCE,
        VoidReason.WRONG_PHASE,
    }
)
_NAME = re.compile("[가-힣]{2,}|[ァ-ヺー]{3,}")  # that may be cut short
_BRACKETS = r"[（(][^()（）]{4,}[)）]"  # of a remark, not of a coast
_LINES_MOST = 20  # of a letter
_TEXT_MOST = 600  # letters of a line: more is a paragraph of prose


def ask_by_clauses(
    context: OrderContext, found: list[Read], lines: Mapping[int, str], *, is_last: bool = False
) -> None:
    """Propose for the questions of a line, and for what it says beside its orders, what its clauses
    may order; `lines` by number. Not where that contradicts an order of the letter. `is_last`: only
    for lines of any script that have a question for which nothing is proposed."""
    given = {order_key(read.order): read.order for read in found if isinstance(read, Taken)}
    keys = {order_key(order) for order in context.stored}
    short = [(number, line) for number, line in lines.items() if len(line) <= _TEXT_MOST]
    for number, line in short[:_LINES_MOST]:
        at = [n for n, read in enumerate(found) if read.number == number]
        questions = [read for n in at if isinstance(read := found[n], Untaken)]
        if is_last and (line.isascii() or not any(map(_is_open, questions))):
            continue
        if len(at) == 1 and isinstance(taken := found[at[0]], Taken) and not _may_say_more(taken):
            continue
        meant = orders_by_clauses(context, line, is_any=is_last)
        against = [one for one in meant if not _agrees(given.get(order_key(one), one), one)]
        orders = sum(isinstance(found[n], Taken) for n in at)
        if against:
            _doubt_orders(context, found, at, against)
            given = {key: one for key, one in given.items() if key not in map(order_key, against)}
        if against and len(meant) <= orders:
            continue
        left = [order for order in meant if order_key(order) not in given]
        if not questions:
            left = [order for order in left if order_key(order) not in keys]
        if all(isinstance(found[n], Taken) for n in at):
            left = [order for order in left if _completes(context, order, line, given.values())]
        done = {order_key(order) for order in meant}
        if not is_last and any(
            read.kind not in _UNREAD and read.key not in {None, *done} for read in questions
        ):
            continue
        if meant and not left:
            for n, read in enumerate(found):
                asked_for = read.proposals if n in at and isinstance(read, Untaken) else ()
                if asked_for and all(order_key(order) in given for order in asked_for):
                    found[n] = Said(read.number, line)
            continue
        firsts = [read.proposals[0] for read in questions if read.proposals]
        others = [one for read in questions for one in read.proposals[1:]]
        is_choice = any(
            one in others and order_key(one) in map(order_key, firsts) and one not in firsts
            for one in left
        )
        if len(left) < len(firsts) or is_choice or {*firsts} >= {*left}:
            continue
        whole = Said(number, line.strip())
        for n in at[::-1]:
            read = found[n]
            is_covered = isinstance(read, Untaken) and read.key in {None, *done, *given}
            if is_covered or (not questions and isinstance(read, Said)):
                del found[n]
        found += [order_question(context, whole, order) for order in left]


def _is_open(question: Untaken) -> bool:
    """Whether nothing is proposed, and nothing else is known to be wrong with the line."""
    is_unread = question.kind in _UNREAD and question.kind is not ReadingKind.DOUBTED
    return is_unread and not question.proposals


def _doubt_orders(
    context: OrderContext, found: list[Read], at: Sequence[int], against: Sequence[AnyOrder]
) -> None:
    """Ask about the orders of a line in words that its clauses contradict."""
    by_key = {order_key(order): order for order in against}
    for n in at:
        read = found[n]
        if isinstance(read, Taken) and _may_say_more(read) and order_key(read.order) in by_key:
            both = (read.order, by_key[order_key(read.order)])
            found[n] = replace(order_question(context, read, read.order), proposals=both)


def orders_by_clauses(
    context: OrderContext, text: str, *, is_any: bool = False
) -> tuple[AnyOrder, ...]:
    """The orders that the sentences of a line may mean; none if two are for one unit. Lines in
    scripts without particles only if `is_any`."""
    if not (is_any or _particle_script_pattern().search(text)) or any(corrections_in(text)):
        return ()
    if any(each.is_back for each in doubts_beside(text, ())):
        return ()
    meant: list[Meant] = []
    start = 0
    for end in [*_sentence_ends().finditer(text), None]:
        stop = end.start() if end else len(text)
        sentence, mark = text[start:stop], end[0] if end else ""
        if is_any:  # 靠海峽、北海運到丹麥
            sentence = sentence.replace("、", listed("around", "listing")[0])
        start = end.end() if end else stop
        if mark[:1] in ("(", "（"):
            meant += _sentence_meanings(context, sentence, "", meant)
            sentence, mark = mark[1:-1], ""
        meant += _sentence_meanings(context, sentence, mark, meant)
    orders = legal_orders_among(context, with_helpers(meant))
    return orders if len({*map(order_key, orders)}) == len(orders) else ()


@cache
def _sentence_ends() -> re.Pattern[str]:
    """What ends a sentence, or a reason that says nothing of the clause behind it."""
    reasons = "|".join(map(re.escape, listed("doubts", "reasons")))
    return re.compile(rf"{_BRACKETS}|[.!?。！？;；…]+|(?<=.)(?:{reasons})")


def _sentence_meanings(
    context: OrderContext, sentence: str, mark: str, before: Sequence[Meant]
) -> list[Meant]:
    """What the clauses of a sentence may order; none of one that asks or tells of something."""
    tokens = [_with_name_completed(context, token) for token in tokenize(sentence, context.lexicon)]
    tokens = _with_noun_roles(_with_kinds_as_units(context, tokens))
    if "?" in normalize(mark).text:
        return []
    last = max(tokens, key=end_of, default=None)
    is_verb = last is not None and last.word in VERBS and not last.is_doubted
    plain = normalize(sentence).text.rstrip(" ~^)\"'")
    if not is_verb and plain.endswith(listed("closings", "tells")):
        return []
    by_start = in_line_order(tokens)
    first = next((t for t in by_start if t.is_place or t.word[0] == "@"), None)
    is_power = first is not None and first.role == "of" and first.word[0] == "@"
    if first and is_power and first.word[1:] not in context.powers:
        return []  # 俄國的聖彼得堡打挪威
    doubts = _doubts(sentence, tokens)
    is_written = any(token.word == "-" and not token.is_non_latin for token in tokens)
    if is_written and condition_end(sentence, tokens):
        return []
    pieces = split_at_clause_ends(tokens)
    clauses = [each for each in pieces[:-1] if any(token.is_place for token in each)]
    for each in doubts:
        inside = any(one[0].start <= each.start < one[-1].end for one in clauses)
        if each.is_heading or each.is_before or not inside or each.end > pieces[-1][0].start:
            return []
    return meanings_of_clauses(context, sentence, tokens, doubts, before)


def _agrees(one: AnyOrder, two: AnyOrder) -> bool:
    """Whether two orders for a unit are the same, but for how its army goes."""
    if isinstance(one, o.Move) and isinstance(two, o.Move):
        return one.target.province == two.target.province
    return one == two


def _completes(
    context: OrderContext, order: AnyOrder, line: str, given: Iterable[AnyOrder]
) -> bool:
    """Whether an order is the other half of one that was read: the move that a received support or
    a carrying fleet tells of, or the fleet that carries an army."""
    words = in_line_order(tokenize(line, context.lexicon))
    is_passive = any(is_support_received(words[: at + 1]) for at in range(len(words)))
    for one in given:
        match order, one:
            case o.Move(unit=unit, target=to), o.SupportMove(supported=other, target=goal):
                is_told = is_passive
            case o.Move(unit=unit, target=to), o.Convoy(convoyed=other, target=goal):
                is_told = is_carried(words)
            case o.Convoy(convoyed=other, target=goal), o.Move(unit=unit, target=to):
                is_told = any(token.word == "F" for token in words)
            case _:
                continue
        if is_told and unit == other and to.province == goal.province:
            return True
    return False


def _may_say_more(taken: Taken) -> bool:
    """Whether a line that was read as one order may say more: it is in words."""
    return len(taken.written) > 12 and _particle_script_pattern().search(taken.written) is not None


def _doubts(sentence: str, tokens: Sequence[Token]) -> list[Doubt]:
    """What puts clauses of a sentence in doubt, but what its main clause depends on."""
    wishes = (*listed("closings", "wishes"), *listed("closings", "conditions"))
    if condition_end(sentence, tokens):
        wishes += listed("closings", "openers")
    able = listed("closings", "able")
    known = [
        replace(token, is_doubted=token.is_doubted and not token.text.endswith(able))
        for token in tokens
        if token.word != UNKNOWN
    ]
    doubts = doubts_beside(sentence, known)
    since = condition_end(sentence, tokens)
    said = ((normalize(sentence[each.start : each.end]).text, each) for each in doubts)
    return [each for word, each in said if word not in wishes and each.end > since]


def _with_noun_roles(tokens: Sequence[Token]) -> list[Token]:
    """The words, a place with the mark of the noun behind it: `ミュンヘンの連中は`."""
    done = in_line_order(tokens)
    for at, (place, noun) in enumerate(pairwise(done)):
        is_plain = place.is_place and place.role in ("", "of") and noun.start - place.end <= 1
        if is_plain and noun.word == UNKNOWN and noun.role:
            done[at : at + 2] = [replace(place, role=noun.role), replace(noun, role="")]
    by_start = {token.start: token for token in done}
    return [by_start[token.start] for token in tokens]


def _with_kinds_as_units(context: OrderContext, tokens: Sequence[Token]) -> list[Token]:
    """The words, a kind alone as the one dislodged unit of this kind: `陸軍はシレジアに逃がし`."""
    units = {each.unit.kind.value: each.unit.location for each in context.dislodged}
    if len(units) < len(context.dislodged):
        return [*tokens]
    ends = {token.end for token in tokens if token.is_place}
    return [
        replace(token, word=f"#{units[token.word].province}")
        if token.word in units and token.role and not {token.start, token.start - 1} & ends
        else token
        for token in tokens
    ]


def _with_name_completed(context: OrderContext, token: Token) -> Token:
    """A word that nobody knows as the one place whose name begins so: 콘스, コンスタン."""
    if token.word != UNKNOWN:
        return token
    near = context.lexicon.nearest(token.text) if _NAME.fullmatch(token.text) else ()
    names = (key for key, words in context.lexicon.words.items() if words[:1] == near)
    is_short = len(near) == 1 and any(name.startswith(token.text) for name in names)
    return replace(token, word=near[0]) if is_short else token


@cache
def _particle_script_pattern() -> re.Pattern[str]:
    """A letter of the scripts in which particles are written."""
    return re.compile(f"[{scripts()[0]}\u3040-\u30ff]")
