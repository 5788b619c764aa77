"""Stage 4: a line cut into what it says: its orders, what was meant as one, and prose.

`A Par-Bur, thanks` is an order and prose. Prose is shown to the player as not read and stops
nothing; an order that went wrong is asked about. Free of any position.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy.language.doubts import Doubt, doubts_in
from judge.diplomacy.language.grammar import Fault, Parsed, parse_segment
from judge.diplomacy.language.lexicon import JOIN, KINDS, UNKNOWN, VERBS, Lexicon, key_of
from judge.diplomacy.language.prose import is_prose
from judge.diplomacy.language.roles import Arranged, arrange
from judge.diplomacy.language.tokens import Segment, Token, begins_unit, span, tokenize, word_at
from judge.diplomacy.orders import Location, WrittenOrder
from judge.diplomacy.records import ReadingKind

LINE_LONGEST = 2000  # letters: forty orders on one line; a longer one is a paragraph of prose
_MEMO_LINES = 1 << 14  # lines kept; texts repeat from letter to letter
_MEMO_LONGEST = 200  # letters of a line that is kept
_GOES_ON_LONGEST = 24  # words of an order that may go on over a comma
_QUESTION = re.compile(r"[ )\]\u00a0\u3000]*[?？]")
_SENTENCE_ENDS = re.compile(r"[.;!?/。．；！？／\n]")
_HARD_STOPS = frozenset({";", "!", "?"})
_DROPPED = frozenset({":", "(", ")", "[", "]"})
_GOES_ON = frozenset({"-", "H", "S", "C", "VIA", "TSR"})
_SAID_LAST = frozenset({"S", "C", "R"})  # verbs that some languages end their sentence with


class Faulty(Struct, frozen=True):
    """A text that was meant as an order and is none.

    Attributes:
        segment: what suggestions start from.
        doubted: the readings of an order that is in doubt: a question, or depends on something.
        proposed: those of them that a reply of YES may take.
        is_turned: a word of the sentence says that it is none.
    """

    start: int
    end: int
    fault: Fault
    segment: Segment
    doubted: tuple[WrittenOrder, ...] = ()
    proposed: tuple[WrittenOrder, ...] = ()
    is_turned: bool = False


class Prose(Struct, frozen=True):
    """A text that is no order. A province alone or `disband` (then `answer` is empty) is an answer
    where only one unit is asked; `answer` is None where it is neither."""

    start: int
    end: int
    answer: tuple[Location, ...] | None = None


Item = Parsed | Faulty | Prose


def read_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """What a line says, in its order: orders, what was meant as such, and prose.

    Linear in the line's length; a line longer than `LINE_LONGEST` is read as prose, or as one fault
    if it begins with orders. Lines of usual length are remembered.
    """
    read = _read_short_line if len(written) <= _MEMO_LONGEST else read_new_line
    return read(written, words)


def read_new_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """`read_line` for a line never met before."""
    segments = split_orders(tokenize(written[:LINE_LONGEST], words))
    if len(written) > LINE_LONGEST:
        begins = [item for segment in segments[:3] for item in _read_segment(segment, words)]
        if not any(isinstance(item, Parsed) for item in begins):
            return (Prose(0, len(written)),)
        fault = Fault(ReadingKind.TOO_LONG, LINE_LONGEST, len(written))
        return (Faulty(0, len(written), fault, ()),)
    items: list[Item] = []
    before: Segment = ()
    for segment in segments:
        before = _with_verb(segment, before)
        items += _read_segment(before, words)
    if any(isinstance(item, Parsed | Faulty) for item in items):
        known = [t for segment in segments for t in segment if t.word != UNKNOWN]
        items = _asked(items, written, known)
    items = _with_other_targets(items, written)
    if not items and any(sign.isalnum() for sign in written):
        return (Prose(0, len(written)),)
    return tuple(_joined_prose(items, written))


_read_short_line = lru_cache(maxsize=_MEMO_LINES)(read_new_line)


# --- orders on a line -----------------------------------------------------------------------------


def split_orders(tokens: Sequence[Token]) -> list[Segment]:
    """The tokens cut where one order ends and the next begins, each verb behind its unit."""
    cut: list[list[Token]] = [[]]
    for at, token in enumerate(tokens):
        word = token.word
        if word[0] in "#@":
            cut[-1].append(token)
        elif word == "PASS" and begins_unit(tokens, at + 1) and any(t.is_place for t in cut[-1]):
            cut.append([token])
        elif word in (*_HARD_STOPS, "/") or (word == ":" and _is_heading(cut[-1])):
            cut.append([])
        elif word in _DROPPED:
            continue
        elif word[0].isdigit() and _is_item_number(cut[-1], tokens[at : at + 3]):
            cut.append([])
        elif word in (JOIN, "."):
            if not _goes_on(cut[-1], tokens[at + 1 : at + 3]):
                cut.append([])
        elif word != "-" or _may_move(cut[-1]):
            cut[-1].append(token)
    done: list[Segment] = []
    for segment in map(tuple, filter(None, cut)):
        if segment[-1].word in _SAID_LAST and segment[-1].is_letters and len(segment) > 1:
            *unit, place = done[-1] if done else segment
            is_unit = place.is_place and all(t.word in KINDS or t.word[0] == "@" for t in unit)
            if done and is_unit:  # 마르세유 육군, 파리 육군의 버건디 이동을 지원
                segment = (*done.pop(), *segment)
            segment = _with_verb_behind_unit(segment)
        done.append(segment)
    return done


def _is_heading(before: Sequence[Token]) -> bool:
    """`Here are my orders:`, `Spring 1902:`; but not `France:` or `Build:`."""
    return any(token.word == UNKNOWN for token in before) and not any(
        token.word in VERBS or token.is_place for token in before
    )


def _is_item_number(before: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """The 2 of `1. A Par-Pic 2. A Mar-Spa` and of `1、陸軍巴黎；2、陸軍馬賽`."""
    if len(tokens) < 3 or not tokens[0].word.isdigit():
        return False
    if not before and begins_unit(tokens, 1):
        return True
    is_marked = tokens[1].word in (".", ")", ":", JOIN) and tokens[1].start == tokens[0].end
    is_waive = any(token.word in ("WAIVE", "B") for token in before)
    return is_marked and not is_waive and begins_unit(tokens, 2)


def _may_move(before: Sequence[Token]) -> bool:
    """Whether a dash says anything here: not twice, not first, not after `France` alone."""
    if not before or before[-1].word == "-":
        return False
    return len(before) > 1 or before[0].word[0] != "@"


def _goes_on(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether an order goes on over a comma or a full stop.

    Some write every word of an order between commas (Korean rulebook, figures 4 to 32), others
    put the commas between orders; an order that lacks something goes on.
    """
    if not before or not after or len(before) > _GOES_ON_LONGEST:
        return False
    words = [token.word for token in before]
    # An unknown word is a name where one would stand, and else prose.
    is_place = [
        word[0] == "#"
        or (word == UNKNOWN and at > 0 and words[at - 1] in ("A", "F", "-", "S", "C"))
        for at, word in enumerate(words)
    ]
    if any(word == UNKNOWN and not is_place[at] for at, word in enumerate(words)):
        return False
    following, places = after[0].word, sum(is_place)
    verbs = [word for word in words if word in VERBS]
    if following in _GOES_ON:
        return True
    if following in VERBS:
        return not verbs
    if "WAIVE" in words:
        return False
    if not places or words[-1] in ("-", "A", "F", "TSR") or words[-1][0] == "@":
        return True
    if words[-1] in ("S", "C", "R") and places == 1:
        return True
    is_last = len(after) < 2 or after[1].word in (JOIN, ".", "/", *_HARD_STOPS)
    if following[0] != "#" or not is_last:
        return False
    # A lone place: via Nth and Eng; `A Par` and `F Rom S F Nap` before it (figure 10).
    if "VIA" in words:
        return True
    return (words[0] in KINDS and places == 1) if not verbs else (verbs == ["S"] and places == 2)


def _with_verb_behind_unit(segment: Segment) -> Segment:
    """`A MAR A PAR - BUR S` as `A MAR S A PAR - BUR`."""
    *words, verb = segment
    first = next((at for at, token in enumerate(words) if token.is_place), None)
    if first is None or any(token.word in _SAID_LAST for token in words):
        return segment
    return (*words[: first + 1], verb, *words[first + 1 :])


# --- what an order's words say --------------------------------------------------------------------


def _with_verb(segment: Segment, before: Segment) -> Segment:
    """A unit without a verb takes that of the order before: `Build A Par, F Bre`."""
    verbs = [token for token in before if token.word in ("B", "D")]
    if not verbs or any(token.word in VERBS for token in segment):
        return segment
    if verbs[0].word != next(t.word for t in before if t.word[0] != "@"):
        return segment  # `A Par build, F Bre` says the verb after the unit
    is_place = len(segment) == 1 and segment[0].is_place
    if not is_place and not any(token.word in KINDS for token in segment):
        return segment
    start = span(segment)[0]
    return (replace(verbs[0], start=start, end=start, text=""), *segment)


def _read_segment(segment: Segment, words: Lexicon) -> Iterator[Item]:
    """What a segment says; several orders where nothing stands between them."""
    while True:
        arranged = arrange(segment)
        if arranged.is_open or not arranged.ways:
            yield _open(segment, arranged)
            return
        ordered = arranged.ways[0]
        parsed = parse_segment(ordered)
        at = _next_unit(ordered, parsed) if isinstance(parsed, Fault) else len(segment)
        first = parsed if isinstance(parsed, Parsed) else _read_first(segment[:at])
        if first is None:
            assert isinstance(parsed, Fault)
            yield _unparsed(ordered, parsed, words)
            return
        yield first
        segment = segment[at:]
        if not segment:
            return


def _read_first(segment: Segment) -> Parsed | None:
    """The order that a segment begins with, if that is clear."""
    arranged = arrange(segment)
    if not segment or arranged.is_open or not arranged.ways:
        return None
    parsed = parse_segment(arranged.ways[0])
    return parsed if isinstance(parsed, Parsed) else None


def _open(segment: Segment, arranged: Arranged) -> Faulty:
    """An order whose words do not say who does what."""
    start, end = span(segment)
    parsed = [parse_segment(way) for way in arranged.ways]
    meant = tuple(each for one in parsed if isinstance(one, Parsed) for each in one.readings)
    return Faulty(start, end, Fault(ReadingKind.OPEN, start, end), segment, meant, meant)


def _next_unit(segment: Segment, fault: Fault) -> int:
    """Where in `A Par-Bur A Mar-Spa` the second order begins, at which reading stopped; 0 if
    nowhere."""
    at = next((at for at, token in enumerate(segment) if token.start == fault.start and at), 0)
    if not at or fault.kind is not ReadingKind.NOT_EXPECTED:
        return 0
    has_verb = any(token.word in VERBS for token in segment[:at])  # `F Nth con A Lon` has none
    is_whole = has_verb and (segment[at - 1].is_place or segment[at - 1].word in ("H", "D", "B"))
    after = word_at(segment, at + 1)
    begins = segment[at].word in KINDS or (segment[at].is_place and after in VERBS)
    return at if is_whole and begins else 0


def _unparsed(segment: Segment, fault: Fault, words: Lexicon) -> Item:
    start, end = span(segment)
    if len(segment) == 1 and segment[0].is_place:
        return Prose(start, end, segment[0].locations)
    if len(segment) == 1 and segment[0].word == "D" and len(segment[0].text) > 1:
        return Prose(start, end, ())
    if is_prose(segment):
        return Prose(start, end)
    if fault.kind is ReadingKind.NO_PROVINCE and key_of(fault.word) in words.against:
        fault = replace(fault, kind=ReadingKind.NOT_EXPECTED)  # no word like `if` is a name
    return Faulty(start, end, fault, segment)


# --- doubts ---------------------------------------------------------------------------------------


def _asked(items: Sequence[Item], written: str, known: Sequence[Token]) -> list[Item]:
    """The items, orders as faults where a word of their sentence puts them in doubt: `If Mun moves,
    A Par H`, `A Par - Bur. Forget it.`, `A Par - Bur?`. Other faults of such a sentence go."""
    known = sorted(known, key=lambda token: token.start)
    starts = [token.start for token in known]
    doubts = []
    for doubt in doubts_in(written):
        at = bisect_right(starts, doubt.start) - 1
        if at < 0 or known[at].end < doubt.end:  # it is no part of a name
            doubts.append(doubt)
    if not doubts and "?" not in written and "？" not in written:
        return [*items]
    ends = [found.start() for found in _SENTENCE_ENDS.finditer(written)]
    by_sentence: dict[int, list[Doubt]] = {}
    for doubt in doubts:
        by_sentence.setdefault(bisect_left(ends, doubt.end), []).append(doubt)
    heading = next((doubt for doubt in doubts if doubt.is_heading), None)
    told = {bisect_left(ends, start) for start in starts}  # sentences with words of orders
    done: list[Item] = []
    for item in items:
        sentence = bisect_left(ends, item.start), bisect_left(ends, item.end)
        proposed: tuple[WrittenOrder, ...] = ()
        of_sentence = (by_sentence.get(at, ()) for at in range(sentence[0], sentence[1] + 1))
        doubt: Doubt | None = heading if heading and heading.end <= item.start else None
        for each in () if doubt else chain.from_iterable(of_sentence):
            is_ahead = each.end <= item.start or isinstance(item, Faulty)
            if is_ahead or not each.is_before:
                doubt = each
                break
        for each in () if doubt else by_sentence.get(sentence[1] + 1, ()):
            if each.is_back or (not each.is_before and sentence[1] + 1 in told):
                doubt = each
                break
        if doubt is not None:
            start, end = doubt.start, doubt.end
        elif question := _question(written, item.end, ends, sentence[1]):
            start, end = question
            proposed = item.readings if isinstance(item, Parsed) else ()
        else:
            done.append(item)
            continue
        if isinstance(item, Parsed):
            fault = Fault(ReadingKind.DOUBTED, start, end)
            start, end = min(start, item.start), max(end, item.end)
            item = Faulty(start, end, fault, (), item.readings, proposed)
        elif isinstance(item, Faulty):
            item = replace(item, is_turned=doubt is not None)
        done.append(item)
    return [item for at, item in enumerate(done) if not _is_told_beside(done, at)]


def _question(written: str, end: int, ends: Sequence[int], sentence: int) -> tuple[int, int] | None:
    """The columns of the question mark that ends the sentence of an order."""
    if found := _QUESTION.match(written, end):
        return found.end() - 1, found.end()
    at = ends[sentence] if sentence < len(ends) else -1
    return (at, at + 1) if at >= 0 and written[at] in "?？" else None


def _with_other_targets(items: Sequence[Item], written: str) -> list[Item]:
    """The items; an order that names two targets is open: `A Par - Pic/Gas`, `A Par - Pic and Gas`."""
    done: list[Item] = []
    for item in items:
        before = done[-1] if done else None
        if (
            isinstance(before, Parsed)
            and isinstance(item, Prose)
            and item.answer
            and hasattr(before.readings[0], "target")
            and not _SENTENCE_ENDS.search(written[before.end : item.start].replace("/", ""))
        ):
            orders = [*before.readings]
            orders += [replace(each, target=to) for each in before.readings for to in item.answer]
            fault = Fault(ReadingKind.OPEN, item.start, item.end)
            done[-1] = Faulty(before.start, item.end, fault, (), before.readings, tuple(orders))
        else:
            done.append(item)
    return done


def _is_told_beside(items: Sequence[Item], at: int) -> bool:
    """Whether it is a plain fault beside a doubted order that tells of it."""
    item = items[at]
    if not isinstance(item, Faulty) or item.doubted:
        return False
    return any(
        isinstance(near, Faulty)
        and near.doubted
        and near.start <= item.end
        and item.start <= near.end
        for near in items[max(0, at - 1) : at + 2]
    )


def _joined_prose(items: Sequence[Item], written: str) -> list[Item]:
    """Neighboring pieces of prose as one, up to where the next order begins."""
    done: list[Item] = []
    for at, item in enumerate(items):
        if not isinstance(item, Prose) or (item.answer is not None and len(items) == 1):
            done.append(item)
            continue
        start = item.start if at else 0
        end = items[at + 1].start if at + 1 < len(items) else len(written)
        if done and isinstance(done[-1], Prose):
            start = done.pop().start
        done.append(Prose(start, end))
    return done
