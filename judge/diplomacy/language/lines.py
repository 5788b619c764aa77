"""Reads a line of a letter: its orders, what was meant as one, and talk.

Free of any position, as `notation.py`, which reads the single order.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.diplomacy.language import scanner
from judge.diplomacy.language.names import Lexicon, key_of
from judge.diplomacy.language.notation import (
    ORDER_LONGEST,
    Fault,
    Parsed,
    locations,
    parse_segment,
    parse_words,
)
from judge.diplomacy.language.talk import is_talk
from judge.diplomacy.language.tokens import KINDS, UNKNOWN, VERBS, Segment, Token, span
from judge.diplomacy.orders import Location, ProvinceId, WrittenOrder
from judge.diplomacy.records import Expected, ReadingKind

LINE_LONGEST = 2000  # letters: forty orders on one line; a longer one is a paragraph of talk
MEMO_LINES = 1 << 14  # lines kept; texts repeat from letter to letter
MEMO_LONGEST = 200  # letters of a line that is kept
_REPAIRS_MOST = 12
_QUESTION = re.compile(r"[ )\]\u00a0\u3000]*[?？]")
_SENTENCE_ENDS = re.compile(r"[.;!?/。．；！？／\n]")


@dataclass(frozen=True, slots=True)
class Faulty:
    """A text that was meant as an order and is none.

    Attributes:
        segment: what `repairs` starts from.
        doubted: the readings of an order that is in doubt: a question, or depends on something.
    """

    start: int
    end: int
    fault: Fault
    segment: Segment
    doubted: tuple[WrittenOrder, ...] = ()


@dataclass(frozen=True, slots=True)
class Bare:
    """A province alone, or `disband` (then there are no places): an answer where only one unit is
    asked, else talk."""

    start: int
    end: int
    places: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """A text that is no order."""

    start: int
    end: int


Item = Parsed | Faulty | Bare | Talk


def read_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """What a line says, in its order: orders, what was meant as such, and talk.

    Linear in the line's length; a line longer than `LINE_LONGEST` is read as talk, or as one fault
    if it begins with orders. Lines of usual length are remembered.
    """
    read = read_short_line if len(written) <= MEMO_LONGEST else read_new_line
    return read(written, words)


@lru_cache(maxsize=MEMO_LINES)
def read_short_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """`read_new_line`, remembered."""
    return read_new_line(written, words)


def read_new_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """`read_line` for a line never met before."""
    if len(written) > LINE_LONGEST:
        return (_too_long(written, words),)
    items: list[Item] = []
    before: Segment = ()
    doubts: list[Token] = []
    for segment in scanner.scan(written, words):
        before = _with_verb(segment, before)
        items += _read_segment(before)
        doubts += [token for token in segment if _is_condition(token, words)]
    if doubts or "?" in written or "？" in written:
        items = _asked(items, written, doubts)
    items = [_without_name(item, words) for item in items]
    if not items and any(sign.isalnum() for sign in written):
        return (Talk(0, len(written)),)
    return tuple(_joined_talk(items, written))


def _is_condition(token: Token, words: Lexicon) -> bool:
    if token.word != UNKNOWN:
        return False
    if token.is_letters:
        return any(word in token.text for word in words.conditions if not word.isascii())
    return key_of(token.text) in words.conditions


def _asked(items: Sequence[Item], written: str, doubts: Sequence[Token]) -> list[Item]:
    """The items, orders as faults where their sentence makes them a question, or has them depend
    on something: `If Mun moves, A Par H`, `A Par - Bur?`. Other faults of such a sentence go."""
    ends = [found.start() for found in _SENTENCE_ENDS.finditer(written)]
    first = {bisect_left(ends, token.end): token for token in reversed(doubts)}
    last = {bisect_left(ends, token.start): token for token in doubts}
    done: list[Item] = []
    for item in items:
        before = first.get(bisect_left(ends, item.start))
        after = last.get(bisect_left(ends, item.end))
        question = _QUESTION.match(written, item.end)
        if not isinstance(item, Parsed):
            done.append(item)
        elif question:
            done.append(_doubted(item, question.end() - 1, question.end()))
        elif before and before.end <= item.start:
            done.append(_doubted(item, before.start, before.end))
        elif after and after.start >= item.end:
            done.append(_doubted(item, after.start, after.end))
        else:
            done.append(item)
    return _without_doubles(done)


def _without_doubles(items: Sequence[Item]) -> list[Item]:
    """The items without plain faults beside a doubted order that tells of them."""
    done: list[Item] = []
    for at, item in enumerate(items):
        near = [each for each in items[max(0, at - 1) : at + 2] if isinstance(each, Faulty)]
        is_told = any(
            each.doubted and each.start <= item.end and item.start <= each.end for each in near
        )
        if not (is_told and isinstance(item, Faulty) and not item.doubted):
            done.append(item)
    return done


def _without_name(item: Item, words: Lexicon) -> Item:
    """No word like `if` is taken for a name."""
    if not isinstance(item, Faulty) or item.fault.kind is not ReadingKind.NO_PROVINCE:
        return item
    if key_of(item.fault.word) not in words.against:
        return item
    return replace(item, fault=replace(item.fault, kind=ReadingKind.NOT_EXPECTED))


def _doubted(item: Parsed, start: int, end: int) -> Faulty:
    first, last = min(start, item.start), max(end, item.end)
    fault = Fault(ReadingKind.NOT_EXPECTED, start, end, "", (Expected.END,))
    return Faulty(first, last, fault, (), item.readings)


def _too_long(written: str, words: Lexicon) -> Item:
    beginning = scanner.scan(written[:LINE_LONGEST], words)
    items = [item for segment in beginning[:3] for item in _read_segment(segment)]
    if not any(isinstance(item, Parsed) for item in items):
        return Talk(0, len(written))
    fault = Fault(ReadingKind.TOO_LONG, LINE_LONGEST, len(written))
    return Faulty(0, len(written), fault, ())


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
    borrowed = verbs[0]._replace(start=start, end=start, text="")
    return (borrowed, *segment)


def _read_segment(segment: Segment) -> Iterator[Item]:
    """What a segment says; several orders where nothing stands between them."""
    parsed = parse_segment(segment)
    while isinstance(parsed, Fault):
        first, rest = _parted(segment, parsed)
        if not isinstance(first, Parsed):
            yield _unparsed(segment, parsed)
            return
        yield first
        segment, parsed = rest, parse_segment(rest)
    yield parsed


def _parted(segment: Segment, fault: Fault) -> tuple[Parsed | Fault, Segment]:
    """`A Par-Bur A Mar-Spa`: the order before the unit at which reading stopped, and the rest."""
    starts = [at for at, token in enumerate(segment) if token.start == fault.start and at]
    at = starts[0] if starts and fault.kind is ReadingKind.NOT_EXPECTED else 0
    has_verb = any(token.word in VERBS for token in segment[:at])  # `F Nth con A Lon` has none
    is_whole = has_verb and (segment[at - 1].is_place or segment[at - 1].word in ("H", "D", "B"))
    begins = is_whole and (segment[at].word in KINDS or _is_place_and_verb(segment[at : at + 2]))
    if not begins:
        return fault, ()
    return parse_segment(segment[:at]), segment[at:]


def _is_place_and_verb(tokens: Segment) -> bool:
    return len(tokens) == 2 and tokens[0].is_place and tokens[1].word in VERBS


def _unparsed(segment: Segment, fault: Fault) -> Item:
    start, end = span(segment)
    if len(segment) == 1 and segment[0].is_place:
        return Bare(start, end, locations(segment[0]))
    if len(segment) == 1 and segment[0].word == "D" and len(segment[0].text) > 1:
        return Bare(start, end, ())
    if is_talk(segment):
        return Talk(start, end)
    return Faulty(start, end, fault, segment)


def _joined_talk(items: Sequence[Item], written: str) -> list[Item]:
    """Neighboring pieces of talk as one, up to where the next order begins."""
    done: list[Item] = []
    for at, item in enumerate(items):
        if not isinstance(item, Talk | Bare) or (isinstance(item, Bare) and len(items) == 1):
            done.append(item)
            continue
        start = item.start if at else 0
        end = items[at + 1].start if at + 1 < len(items) else len(written)
        if done and isinstance(done[-1], Talk):
            start = done.pop().start
        done.append(Talk(start, end))
    return done


# --- repairs --------------------------------------------------------------------------------------


def nearest_places(word: str, words: Lexicon) -> tuple[ProvinceId, ...]:
    """Provinces whose names are near to a word, the nearest first."""
    found = words.nearest(word)
    return tuple(ProvinceId(each[1:]) for each in found if each[0] == "#")


def repairs(segment: Segment, words: Lexicon) -> tuple[WrittenOrder, ...]:
    """Orders that a faulty text may have meant: words swapped for near ones, or left out.

    Never taken without asking; and a word that turns the sentence (not, if) is never left out.
    """
    if len(segment) > ORDER_LONGEST:
        return ()
    choices: list[list[str]] = [[]]
    for piece in _pieces(segment, words):
        choices = [[*each, word] for each in choices for word in piece][:_REPAIRS_MOST]
    found = [parse_words(choice) for choice in choices]
    if not any(found):
        found = [parse_words(_known(segment, words))]
    return tuple(dict.fromkeys(order for order in found if order is not None))


def _known(segment: Segment, words: Lexicon) -> list[str]:
    """The words without unknown ones; all of them if one of those turns the sentence."""
    turned = is_turned(segment, words)
    return [token.word for token in segment if turned or token.word != UNKNOWN]


def is_turned(segment: Segment, words: Lexicon) -> bool:
    """Whether an unknown word among them says not, if, or."""
    return any(token.word == UNKNOWN and _turns(token, words) for token in segment)


def _turns(token: Token, words: Lexicon) -> bool:
    """Whether a word says not, if, or; in scripts without spaces: whether it holds such a word."""
    text = key_of(token.text)
    if token.is_letters:
        return any(word in text for word in words.against if not word.isascii())
    return text in words.against


def _owns(segment: Segment, at: int) -> bool:
    """Whether what follows a power can be its unit; else its name may be a misspelled province."""
    return at + 1 < len(segment) and (
        segment[at + 1].is_place or segment[at + 1].word in (*KINDS, *VERBS)
    )


def _pieces(segment: Segment, words: Lexicon) -> list[tuple[str, ...]]:
    """For each word of the text, what it may stand for; a run of unknown words is one name."""
    pieces: list[tuple[str, ...]] = []
    at = 0
    while at < len(segment):
        run = at
        while run < len(segment) and segment[run].word == UNKNOWN:
            run += 1
        joined = "".join(token.text for token in segment[at:run])
        meant = words.nearest(joined) if run - at > 1 else ()
        if meant:
            pieces.append(meant)
            at = run
            continue
        token = segment[at]
        is_name = token.word == UNKNOWN or (token.word[0] == "@" and not _owns(segment, at))
        near = words.nearest(token.text) if is_name else ()
        pieces.append(near or token.readings or (token.word,))
        at += 1
    return pieces
