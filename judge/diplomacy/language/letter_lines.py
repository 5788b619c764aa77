"""Stage 0: the lines of a letter put together: orders that a mail program broke, lists below a
verb, what headings say of the lines below them. Free of any position.
"""

import re
from collections.abc import Collection, Sequence
from html import unescape

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy.language.blanket_orders import blanket_order
from judge.diplomacy.language.grammar import Faulty, Item, Parsed, Prose
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, VERBS, Lexicon, listed, scripts
from judge.diplomacy.language.lines.doubts import (
    doubt_of_heading,
    is_quoting,
    is_sign_off,
    takes_back,
)
from judge.diplomacy.language.lines.line_reading import LINE_LONGEST, read_line
from judge.diplomacy.language.tokens import STOPS, provinces_in, start_of, tokenize
from judge.diplomacy.notation import parse_canonical
from judge.diplomacy.orders import ProvinceId, WrittenMove, WrittenOrder

_HEADING_LONGEST = 24  # letters of a verb above a list: `Disbands:`
_PIECES_MOST = 10  # of a line
_ENDS = (";", ",", ". ", "；", "，", "、", "。", " / ", "／")
_DASHES = "-–—−→>⇒➔"
_BULLET = re.compile(f"[{_DASHES}*•・·○●#(（0-9①-⑳]|[一二三四五六七八九十]+[、.．]")
_SENTENCE_ENDS = ".!?;:。！？；：…)）」』"
_SENTENCE_LONGEST = 300  # letters
_TALK_FEWEST = 5  # words that nobody knows, in which no order goes on
_CLAUSE = re.compile(r"[,.;:!?，、。；：！？]")


class Row(Struct, frozen=True):
    """A line of a letter to be read, or two that are one.

    Attributes:
        number: of its first line.
        doubt: what a heading above it, or a line below it, says that puts its orders in doubt.
        meant: what it may mean if that is open: as one with the line below, or alone.
        is_signed: it stands below the words that end a letter.
        items: what it says, where that is one order.
    """

    number: int
    text: str
    doubt: str = ""
    meant: tuple[WrittenOrder, ...] = ()
    is_signed: bool = False
    items: tuple[Parsed, ...] = ()


def rows_to_read(lines: Sequence[str], words: Lexicon, own: Collection[ProvinceId]) -> list[Row]:
    """The lines that are to be read; blank ones end what most headings cover. `own` are the
    provinces of the writer's units."""
    rows: list[Row] = []
    heading = verb = ""
    is_signed = is_covering = False
    for number, line in enumerate(lines):
        text = unescape(line) if "&" in line else line
        if not text.strip():
            if is_covering:  # but not right below the heading
                verb = ""
                heading = heading if is_quoting(heading) else ""
            rows.append(Row(number, ""))
            continue
        is_covering = True
        if items := _order_in(text, words):
            rows.append(Row(number, text, heading, is_signed=is_signed, items=items))
            continue
        is_signed = is_signed or is_sign_off(text)
        if doubt := doubt_of_heading(text):
            heading, is_covering = doubt, False
        elif said := _verb_of_list(text, words):
            verb, is_covering = said, False
            continue
        elif takes_back(text):  # the lines right above it
            at = len(rows)
            while at and rows[at - 1].text:
                at -= 1
                rows[at] = replace(rows[at], doubt=rows[at].doubt or text.strip())
        elif verb and _is_unit(text, words):
            text = f"{verb} {text}"
        # A line that is longer than one is read is cut where an order of it ends.
        pieces: list[str] = []
        while len(text) > LINE_LONGEST and len(pieces) < _PIECES_MOST:
            end = max(text.rfind(sign, 0, LINE_LONGEST) for sign in _ENDS) + 1
            if not end:
                break
            pieces.append(text[:end])
            text = text[end:]
        rows += [Row(number, piece, heading, is_signed=is_signed) for piece in (*pieces, text)]
    return [row for row in _with_sentences_joined(_joined(rows, words), words, own) if row.text]


def _order_in(text: str, words: Lexicon) -> tuple[Parsed, ...]:
    """What a line says that is one order."""
    order = parse_canonical(text, words)
    read = (Parsed(0, len(text), (order,)),) if order else read_line(text, words)
    orders = tuple(item for item in read if isinstance(item, Parsed))
    return orders if len(read) == len(orders) == 1 and text.lstrip()[0] not in _DASHES else ()


def _verb_of_list(text: str, words: Lexicon) -> str:
    """The verb that stands alone above a list: `Holds:`; "" if it does not."""
    if len(text) > _HEADING_LONGEST or text.rstrip()[-1] not in ":：":
        return ""
    said = [token.word for token in tokenize(text, words)]
    return text.strip() if len(said) == 2 and said[0] in ("H", "D", "B") else ""


def _is_unit(text: str, words: Lexicon) -> bool:
    tokens = tokenize(text, words)
    return any(token.is_place for token in tokens) and all(
        token.word[0] in "#@,." or token.word in KINDS for token in tokens
    )


# --- broken lines ---------------------------------------------------------------------------------


def _joined(rows: Sequence[Row], words: Lexicon) -> list[Row]:
    """The rows, those that were one line as one.

    A line is joined to the one before if it cannot stand alone, that one can go on, and both give
    orders without a fault. Where both could stand alone, that is asked.
    """
    done: list[Row] = []
    at = 0
    while at < len(rows):
        row, taken = rows[at], 1
        for size in (2, 3):
            pieces = rows[at : at + size]
            is_whole = len(pieces) == size and all(piece.text for piece in pieces)
            is_plain = all(piece.items for piece in pieces[:2])
            if is_whole and not is_plain and (joined := _as_one(pieces, words)):
                row, taken = joined, size
                break
        done.append(row)
        at += taken
    return done


def _with_sentences_joined(
    rows: Sequence[Row], words: Lexicon, own: Collection[ProvinceId]
) -> list[Row]:
    """The rows, those as one over which a sentence in words goes on."""
    done: list[Row] = []
    last = ""  # the last line of the row before
    for row in rows:
        above = done[-1] if done else None
        if above and row.text and _goes_on(above, last, row, words, own):
            gap = "" if _is_unspaced(above.text.rstrip()[-1] + row.text.lstrip()[0]) else " "
            text = above.text.rstrip() + gap + row.text.strip()
            items = _order_in(text, words)
            done[-1] = Row(above.number, text, above.doubt, is_signed=above.is_signed, items=items)
        else:
            done.append(row)
        last = row.text
    return done


def _is_unspaced(signs: str) -> bool:
    _, unspaced = scripts()
    return re.fullmatch(f"[{unspaced}、，。]+", signs) is not None


def _goes_on(above: Row, last: str, row: Row, words: Lexicon, own: Collection[ProvinceId]) -> bool:
    """Whether a sentence of the row above goes on in a row: it does not end there, and what stands
    below is no order by itself. In Latin letters the second begins without a capital one."""
    text, below = last.strip(), row.text.strip()
    if not text or row.doubt != above.doubt:
        return False
    first = _CLAUSE.split(below)[0]
    word, goes_on = text.split()[-1].lower(), listed("writing", "goes_on")
    is_open = word in goes_on if first[:1].isascii() else word.endswith(goes_on)
    if (above.items or row.items) and not is_open:
        return False
    is_long = len(above.text) + len(below) > _SENTENCE_LONGEST
    is_list = any(sign in text and sign in below for sign in ":：")  # Fleet: Sev, Army: Stp
    if is_long or is_list or text[-1] in _SENTENCE_ENDS or _BULLET.match(below):
        return False
    blanket = blanket_order(below)
    is_helping = {"S", "C"} & {token.word for token in tokenize(text, words)}
    if blanket and not (blanket.kind and is_helping and _is_unspaced(text[-1] + below[0])):
        return False  # but 提洛爾支援愛奧尼亞海⏎艦隊留守
    places, places_below, places_next = (
        provinces_in(tokenize(part, words)) for part in (text, below, first)
    )
    said = {token.word for token in tokenize(below, words)}
    if places.isdisjoint(own) or not (places_below or said & {*VERBS, *KINDS}):
        return False
    if first[:1].isascii():
        is_small = below[0].islower() and next(filter(str.isalpha, text), "a").isupper()
        return is_small or (is_open and not is_sign_off(below))
    if is_open or text[-1] in ",，、":
        return True
    is_part = places_next.isdisjoint(own) and (places_below or said & {*KINDS})
    is_of_rest = any(each in below for each in listed("everyone", "rest"))
    return bool(is_part) and not is_of_rest and not text.endswith(listed("writing", "ends"))


def _as_one(rows: Sequence[Row], words: Lexicon) -> Row | None:
    """Rows as one; None if they are not."""
    first, second, *more = rows
    if all(row.text.lstrip()[0] in _DASHES for row in rows):
        return None  # a list
    above, below = read_line(first.text, words), read_line(second.text, words)
    if not above or not below or not _may_go_on(above[-1], first.text):
        return None
    sign = second.text.lstrip()[0]
    order_above = above[-1] if isinstance(above[-1], Parsed) else None
    order_below = below[0] if isinstance(below[0], Parsed) and sign not in _DASHES else None
    if order_above and order_below:
        return None
    *rest, ends = tokenize(first.text, words)
    begins = min(tokenize(second.text, words), key=start_of, default=None)
    word = begins.word if begins else ""
    is_unit = begins and word in KINDS and begins.text.isascii()  # a kind may follow: 파리 / 육군은
    if ends.is_place and is_unit and all(one.word in KINDS for one in rest):
        return None  # two orders that are not finished: A Mar / A Par -
    # No order begins so: `- Bur`, `移動至勃艮第`.
    is_inside = sign in "/" + _DASHES or word in ("-", "VIA", "S", "C")
    talk = below[0].segment[:_TALK_FEWEST] if isinstance(below[0], Prose) else ()
    is_talk = len(talk) == _TALK_FEWEST and all(one.word in (UNKNOWN, *STOPS) for one in talk)
    if is_talk and not is_inside:
        return None
    if order_above and isinstance(order_above.readings[0], WrittenMove) and not is_inside:
        return None  # it lacks nothing
    if any(row.text.rstrip()[-1] in ":：" or blanket_order(row.text) for row in rows[1:]):
        return None  # a heading, or an order for all
    start = len(first.text.rstrip())
    text = " ".join(row.text.strip() if at else row.text.rstrip() for at, row in enumerate(rows))
    whole = read_line(text, words)
    last = next((item for item in whole if item.start < start < item.end), None)
    if not isinstance(last, Parsed) or any(isinstance(item, Faulty) for item in whole):
        return None
    if more and last.end <= len(text) - len(more[-1].text.strip()):
        return None  # the last line is not needed
    joined = Row(first.number, text, first.doubt, is_signed=first.is_signed)
    if order_below and ends.word not in KINDS:  # A Mar S / A Par - Bur
        return replace(joined, meant=(*last.readings, *order_below.readings))
    is_place = isinstance(below[0], Prose) and below[0].answer
    if order_above and is_place and not is_inside:  # A Gas S A Mar / Bur
        return replace(joined, meant=(*last.readings, *order_above.readings))
    return joined


def _may_go_on(item: Item, text: str) -> bool:
    """Whether an order at the end of a line may lack something."""
    if isinstance(item, Faulty):
        return not item.doubted
    return isinstance(item, Parsed) and not text.rstrip().endswith((".", ";", "!", "。", "；"))
