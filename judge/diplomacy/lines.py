"""Reads a line of a letter: its orders, what was meant as one, and talk.

Free of any position, as `notation.py`, which reads the single order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.diplomacy import scanner
from judge.diplomacy.names import Lexicon, key_of
from judge.diplomacy.notation import Fault, Parsed, locations, parse_segment, parse_words
from judge.diplomacy.orders import Location, ProvinceId, WrittenOrder
from judge.diplomacy.records import ReadingKind
from judge.diplomacy.talk import is_talk

LINE_LONGEST = 2000  # letters: forty orders on one line; a longer one is a paragraph of talk
MEMO_LINES = 1 << 14  # lines kept; texts repeat from letter to letter
_REPAIRS_MOST = 12


@dataclass(frozen=True, slots=True)
class Faulty:
    """A text that was meant as an order and is none; `segment` is what `repairs` starts from."""

    start: int
    end: int
    fault: Fault
    segment: scanner.Segment


@dataclass(frozen=True, slots=True)
class Bare:
    """A province alone: an answer where only one unit is asked, else talk."""

    start: int
    end: int
    places: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """A text that is no order."""

    start: int
    end: int


Item = Parsed | Faulty | Bare | Talk


@lru_cache(maxsize=MEMO_LINES)
def read_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """What a line says, in its order: orders, what was meant as such, and talk.

    Linear in the line's length; a line longer than `LINE_LONGEST` is read as talk, or as one fault
    if it begins with orders.
    """
    if len(written) > LINE_LONGEST:
        return (_too_long(written, words),)
    segments = scanner.scan(written, words)
    items: list[Item] = []
    for at, segment in enumerate(segments):
        items.append(_read_segment(_with_verb(segment, segments[at - 1] if at else ())))
    if not items and any(sign.isalnum() for sign in written):
        return (Talk(0, len(written)),)
    return tuple(_joined_talk(items, written))


def _too_long(written: str, words: Lexicon) -> Item:
    beginning = scanner.scan(written[:LINE_LONGEST], words)
    items = [_read_segment(segment) for segment in beginning[:3]]
    if not any(isinstance(item, Parsed) for item in items):
        return Talk(0, len(written))
    fault = Fault(ReadingKind.TOO_LONG, LINE_LONGEST, len(written))
    return Faulty(0, len(written), fault, ())


def _with_verb(segment: scanner.Segment, before: scanner.Segment) -> scanner.Segment:
    """A unit without a verb takes that of the order before: `Build A Par, F Bre`."""
    verbs = [token for token in before if token.word in ("B", "D")]
    if not verbs or any(token.word in scanner.VERBS for token in segment):
        return segment
    if verbs[0].word != next(t.word for t in before if t.word[0] != "@"):
        return segment  # `A Par build, F Bre` says the verb after the unit
    if not any(token.word in scanner.KINDS for token in segment):
        return segment
    borrowed = verbs[0]._replace(start=segment[0].start, end=segment[0].start, text="")
    return (borrowed, *segment)


def _read_segment(segment: scanner.Segment) -> Item:
    start, end = segment[0].start, segment[-1].end
    parsed = parse_segment(segment)
    if isinstance(parsed, Parsed):
        return parsed
    if len(segment) == 1 and segment[0].word[0] == "#":
        return Bare(start, end, locations(segment[0]))
    if is_talk(segment):
        return Talk(start, end)
    return Faulty(start, end, parsed, segment)


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
    found = words.spelling.nearest(word)
    return tuple(ProvinceId(each[1:]) for each in found if each[0] == "#")


def repairs(segment: scanner.Segment, words: Lexicon) -> tuple[WrittenOrder, ...]:
    """Orders that a faulty text may have meant: words swapped for near ones, or left out.

    Never taken without asking; and a word that turns the sentence (not, if) is never left out.
    """
    choices: list[list[str]] = [[]]
    for piece in _pieces(segment, words):
        choices = [[*each, word] for each in choices for word in piece][:_REPAIRS_MOST]
    found = [parse_words(choice) for choice in choices]
    if not any(found):
        found = [parse_words(_known(segment, words))]
    return tuple(dict.fromkeys(order for order in found if order is not None))


def _known(segment: scanner.Segment, words: Lexicon) -> list[str]:
    """The words without unknown ones; all of them if one of those turns the sentence."""
    unknown = [key_of(token.text) for token in segment if token.word == scanner.UNKNOWN]
    is_turned = not words.against.isdisjoint(unknown)
    return [token.word for token in segment if is_turned or token.word != scanner.UNKNOWN]


def _pieces(segment: scanner.Segment, words: Lexicon) -> list[tuple[str, ...]]:
    """For each word of the text, what it may stand for; a run of unknown words is one name."""
    pieces: list[tuple[str, ...]] = []
    at = 0
    while at < len(segment):
        run = at
        while run < len(segment) and segment[run].word == scanner.UNKNOWN:
            run += 1
        joined = "".join(token.text for token in segment[at:run])
        meant = words.spelling.nearest(joined) if run - at > 1 else ()
        if meant:
            pieces.append(meant)
            at = run
            continue
        token = segment[at]
        near = words.spelling.nearest(token.text) if token.word == scanner.UNKNOWN else ()
        pieces.append(near or token.readings or (token.word,))
        at += 1
    return pieces
