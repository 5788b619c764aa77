"""A line cut into what it says: its orders, what was meant as one, and prose.

`A Par-Bur, thanks` is an order and prose. Prose is shown to the player as not read and stops
nothing; an order that went wrong is asked about. Free of any position.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed, Prose, parse_segment
from judge.diplomacy.language.lexicon import (
    JOIN,
    KINDS,
    UNKNOWN,
    VERBS,
    Lexicon,
    key_of,
    listed,
)
from judge.diplomacy.language.lines.clauses import (
    LONGEST,
    parse_if_clear,
    support_or_convoy,
)
from judge.diplomacy.language.lines.doubts import (
    corrections_in,
    doubts_beside,
    is_apology,
    with_doubts,
)
from judge.diplomacy.language.lines.named_moves import (
    is_support_by_mover,
    with_named_moves_asked,
    without_commas_of_objects,
)
from judge.diplomacy.language.lines.open_orders import with_open_orders_asked
from judge.diplomacy.language.lines.prose import is_prose
from judge.diplomacy.language.lines.rereading import read_again, without_overlaps
from judge.diplomacy.language.lines.roles import Arranged, arrange
from judge.diplomacy.language.lines.segments import split_orders
from judge.diplomacy.language.tokens import (
    STOPS,
    Segment,
    Token,
    end_of,
    in_line_order,
    is_in_notation,
    span,
    tokenize,
    word_at,
)
from judge.diplomacy.records import ReadingKind

LINE_LONGEST = 2000  # letters: forty orders on one line; a longer one is a paragraph of prose
_MEMO_LINES = 1 << 14  # lines kept; texts repeat from letter to letter
_MEMO_LONGEST = 200  # letters of a line that is kept
_SLASHED_LONGEST = 5  # words
_BRACKETS = re.compile(r"[(\[（［]([^()\[\]（）［］]+)[)\]）］]")


def read_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """What a line says, in its order: orders, what was meant as such, and prose.

    Linear in the line's length; a line longer than `LINE_LONGEST` is read as prose, or as one fault
    if it begins with orders. Lines of usual length are remembered.
    """
    read = _read_short_line if len(written) <= _MEMO_LONGEST else read_new_line
    return read(written, words)


def read_new_line(written: str, words: Lexicon) -> tuple[Item, ...]:
    """`read_line` for a line never met before."""
    written = _without_column_names(written)
    tokens = without_commas_of_objects(tokenize(written[:LINE_LONGEST], words))
    if is_in_notation(tokens) and len(written) <= LINE_LONGEST:
        plain = parse_segment(tuple(token for token in tokens if token.word not in STOPS))
        if isinstance(plain, Parsed) and not is_support_by_mover(plain, sorted(tokens, key=end_of)):
            is_alone = _is_whole_line(tokens, written)
            return (plain,) if is_alone else tuple(with_doubts([plain], written, tokens))
    if len(tokens) < _SLASHED_LONGEST and (slashed := _slash_move(tokens)):
        return (slashed,)
    if read := _corrected(written, words) or _helpers_in_brackets(written, words):
        return read
    if read := _bracketed_holds(written, words):
        return read
    segments = split_orders(tokens)
    if len(written) > LINE_LONGEST:
        begins = [item for segment in segments[:3] for item in _read_segment(segment, words)]
        if not any(isinstance(item, Parsed) for item in begins):
            return (Prose(0, len(written)),)
        fault = Fault(ReadingKind.TOO_LONG, LINE_LONGEST, len(written))
        return (Faulty(0, len(written), fault, ()),)
    items = [item for segment in segments for item in _read_segment(segment, words)]
    if len(tokens) <= LONGEST:
        items = read_again(tokens, items, written, words)
    items = with_named_moves_asked(items, tokens, written)
    if any(isinstance(item, Parsed | Faulty) for item in items):
        kept = [token for segment in segments for token in segment]
        known = [token for token in kept if token.word != UNKNOWN or token.text in words.told]
        items = with_doubts(items, written, known)
    items = with_open_orders_asked(items, tokens, written, words)
    if not items and any(sign.isalnum() for sign in written):
        return (Prose(0, len(written)),)
    return tuple(_joined_prose(items, written))


_read_short_line = lru_cache(maxsize=_MEMO_LINES)(read_new_line)


def _is_whole_line(tokens: Sequence[Token], written: str) -> bool:
    """Whether nothing but blanks stands on a line beside these words, none of them in doubt."""
    at = 0
    for token in in_line_order(tokens):
        if token.is_doubted or written[at : token.start].strip():
            return False
        at = token.end
    return not written[at:].strip()


def _corrected(written: str, words: Lexicon) -> tuple[Item, ...]:
    """A line in which a place or an order is taken back for another: `Par - Bur, no, Pic`. Both are
    open, the later one first; where nothing takes its place, the order is in doubt. Nothing if it
    is no such line.

    The line is read once more with blanks for what was taken back, so that the columns stay: the
    last place before the correction (`Par -          Pic`), all behind the unit, or all of it.
    """
    for start, end in corrections_in(written[:_MEMO_LONGEST]):
        places = [token for token in tokenize(written[:start], words) if token.is_place]
        behind = tokenize(written[end:], words)
        after, is_named = behind[:2], any(token.is_place for token in behind)
        is_next = any(
            token.is_place or token.word == "H" or (is_named and token.word in KINDS)
            for token in after
        )
        is_sorry = not after and is_apology(written[start:end])  # that it is late
        if not places or (after and not is_next) or is_sorry:
            continue
        left = [*read_line(written[:start], words)]
        while left and not isinstance(left[-1], Parsed):
            left.pop()
        last = left.pop() if left and left[-1].end >= places[-1].end else None
        taken_back = last.readings if isinstance(last, Parsed) else ()
        begin = last.start if last else places[0].start
        for since in (0, places[-1].start, places[0].end) if after else ():
            items = read_line(written[:since] + " " * (end - since) + written[end:], words)
            at = next((n for n, item in enumerate(items) if item.end > end), 0)
            match items[at]:
                case Parsed(readings=meant) | Faulty(proposed=(_, *_) as meant) if (
                    since or written.isascii() or isinstance(items[at], Parsed)
                ):
                    both = tuple(dict.fromkeys((*meant, *taken_back)))
                    fault = Fault(ReadingKind.OPEN, start, end)
                    item = Faulty(begin, items[at].end, fault, (), both, both)
                    return (*(items[:at] if since else left), item, *items[at + 1 :])
        if last:
            fault = Fault(ReadingKind.DOUBTED, start, end)
            return (*left, Faulty(begin, len(written), fault, (), taken_back))
    return ()


def _slash_move(tokens: Sequence[Token]) -> Item | None:
    """A unit and a place with a slash between them, which may be a move: `F Mao/Por`."""
    if [token.word[0] for token in tokens if token.word not in KINDS] != ["#", "/", "#"]:
        return None
    if any(token.word in KINDS for token in tokens[1:]):
        return None
    move = parse_segment(tuple(replace(t, word="-") if t.word == "/" else t for t in tokens))
    if not isinstance(move, Parsed):
        return None
    fault = Fault(ReadingKind.OPEN, *span(tokens))
    return Faulty(*span(tokens), fault, tuple(tokens), move.readings, move.readings)


def _without_column_names(written: str) -> str:
    """A line with blanks for the names of columns before its values: `Unit: A Par, Order: hold`."""
    has_colon = ":" in written or "：" in written
    if not has_colon or len(_column_names().findall(written)) < 2:
        return written
    return _column_names().sub(lambda found: " " * len(found[0]), written)


@cache
def _column_names() -> re.Pattern[str]:
    names = "|".join(sorted(listed("writing", "columns"), key=len, reverse=True))
    stop = "(?:[,;|，、；] ?)?"
    return re.compile(rf"{stop}(?<![^\W\d_])(?:{names}) ?[:：]", re.IGNORECASE)


def _helpers_in_brackets(written: str, words: Lexicon) -> tuple[Item, ...]:
    """A line with a move and who helps it in brackets behind it: `Par - Bur (S Mar, Gas)`."""
    for found in _BRACKETS.finditer(written[:_MEMO_LONGEST]):
        inside = [token for token in tokenize(found[1], words) if token.word not in (":", ",", ".")]
        units = [token for token in inside if token.is_place]
        verbs = {token.word for token in inside if not token.is_place and token.word not in KINDS}
        verb = next((each for each in ("S", "C") if verbs == {each}), "")
        if not units or not verb or any(token.readings or token.role == "goal" for token in units):
            continue
        blank = " " * (found.end() - found.start())
        items = [*read_line(written[: found.start()] + blank + written[found.end() :], words)]
        leader = next((each for each in items[::-1] if each.start < found.start()), None)
        if isinstance(leader, Parsed) and isinstance(leader.readings[0], o.WrittenMove):
            for unit in units:
                at = found.start(1) + unit.start
                order = support_or_convoy(
                    o.WrittenUnit(unit.locations[0]), verb, leader.readings[0]
                )
                items += [Parsed(at, found.end(), (order,))] if order else []
            return tuple(without_overlaps(items))
    return ()


def _bracketed_holds(written: str, words: Lexicon) -> tuple[Item, ...]:
    """A line with a list of the units that hold in brackets: `All fleets (Nth, Nwg) hold`. It is
    open where more is said of them."""
    for found in _BRACKETS.finditer(written[:_MEMO_LONGEST]):
        inside = tokenize(found[1], words)
        is_list = all(token.is_place or token.word in (*KINDS, *STOPS, JOIN) for token in inside)
        if not is_list or sum(token.is_place for token in inside) < 2:
            continue
        before, after = written[: found.start()], written[found.end() :]
        around = [*tokenize(before, words), *tokenize(after, words)]
        if {token.word for token in around if token.is_place or token.word in VERBS} != {"H"}:
            continue
        rest = listed("everyone", "rest")
        known = [token for token in around if token.word != UNKNOWN]
        is_open = any(doubts_beside(before + after, known)) or any(
            word in before or after.lstrip().startswith(word) for word in rest
        )
        if not is_open and any(token.word == "H" for token in tokenize(after, words)):
            blank = " " * (found.start() + 1)
            return read_line(f"{blank}{found[1]} {after}", words)
        fault = Fault(ReadingKind.OPEN, found.start(), found.end())
        return (Faulty(0, len(written), fault, tuple(inside)),)
    return ()


# --- what a segment says -------------------------------------------------------------------------


def _read_segment(segment: Segment, words: Lexicon) -> Iterator[Item]:
    """What a segment says; several orders where nothing stands between them."""
    while segment:
        arranged = Arranged((segment,)) if is_in_notation(segment) else arrange(segment)
        if not arranged.ways or (
            arranged.is_open and not any(t.word == UNKNOWN and t.role for t in segment)
        ):  # who does what; but a misspelled name is told as such
            start, end = span(segment)
            ways = [parse_segment(way) for way in arranged.ways]
            meant = [each for way in ways if isinstance(way, Parsed) for each in way.readings]
            fault = Fault(ReadingKind.OPEN, start, end)
            yield Faulty(start, end, fault, segment, (*meant,), (*meant,))
            return
        ordered = arranged.ways[0]
        parsed = parse_segment(ordered)
        at = _next_order_at(ordered, parsed) if isinstance(parsed, Fault) else len(segment)
        first = parsed if isinstance(parsed, Parsed) else parse_if_clear(segment[:at])
        if first is None:
            assert isinstance(parsed, Fault)
            yield _unparsed(ordered, parsed, words)
            return
        yield first
        segment = segment[at:]


def _next_order_at(segment: Segment, fault: Fault) -> int:
    """Where in `A Par-Bur A Mar-Spa` the second order begins, at which reading stopped; 0 if
    nowhere."""
    at = next((at for at, token in enumerate(segment) if token.start == fault.start and at), 0)
    if not at or fault.kind is not ReadingKind.NOT_EXPECTED:
        return 0
    if segment[at - 1].text in listed("sentences", "guards"):
        return 0  # Mao guards Gascony's move to Spain
    has_verb = any(token.word in VERBS for token in segment[:at])  # `F Nth con A Lon` has none
    is_whole = has_verb and (segment[at - 1].is_place or segment[at - 1].word in ("H", "D", "B"))
    after = word_at(segment, at + 1)
    begins = segment[at].word in KINDS or (segment[at].is_place and after in VERBS)
    return at if is_whole and begins else 0


def _unparsed(segment: Segment, fault: Fault, words: Lexicon) -> Item:
    start, end = span(segment)
    is_move = [token.word for token in segment] == [UNKNOWN, "-", UNKNOWN]
    if (
        is_move
        and segment[1].is_notation_verb
        and all(words.nearest(token.text) for token in segment[::2])
    ):
        return Faulty(start, end, fault, segment)  # marsielles - spian
    if len(segment) == 1 and segment[0].is_place:
        return Prose(start, end, segment[0].locations, segment)
    if len(segment) == 1 and segment[0].word == "D" and len(segment[0].text) > 1:
        return Prose(start, end, (), segment)
    if is_prose(segment):
        return Prose(start, end, None, segment)
    if fault.kind is ReadingKind.NO_PROVINCE and key_of(fault.word) in words.against:
        fault = replace(fault, kind=ReadingKind.NOT_EXPECTED)  # no word like `if` is a name
    return Faulty(start, end, fault, segment)


def _joined_prose(items: Sequence[Item], written: str) -> list[Item]:
    """Neighboring pieces of prose as one, up to where the next order begins."""
    done: list[Item] = []
    for at, item in enumerate(items):
        if not isinstance(item, Prose) or (item.answer is not None and len(items) == 1):
            done.append(item)
            continue
        start = item.start if at else 0
        end = items[at + 1].start if at + 1 < len(items) else len(written)
        words = item.segment
        if done and isinstance(before := done[-1], Prose):
            start, words = before.start, (*before.segment, *words)
            done.pop()
        done.append(Prose(start, end, None, words))
    return done
