"""Stage 5: canonical words as an order, by `grammar/orders.lark`; or where reading stops, and why.

`A #PAR - #BUR` is `WrittenMove(A PAR, BUR)`. Free of any position: whether there is such a unit,
and whether it may do so, is not asked here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, product
from typing import NamedTuple

from lark import Lark, Tree, UnexpectedInput, UnexpectedToken
from lark import Token as GrammarToken
from msgspec import Struct
from msgspec.structs import replace

from judge.data import read_text
from judge.diplomacy import orders as o
from judge.diplomacy.board import parse_location
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN
from judge.diplomacy.language.tokens import Segment, Token, span, word_at
from judge.diplomacy.orders import Location, PowerId, UnitKind, WrittenOrder, WrittenUnit
from judge.diplomacy.records import Expected, ReadingKind
from judge.grammars import parser_of

ORDER_LONGEST = 32  # words; a convoy over ten seas has fewer
_MEMO_TEMPLATES = 1 << 12  # orders without their names; there are a few hundred in use
_READINGS_MOST = 64  # a line of short names with several meanings each


class Parsed(Struct, frozen=True):
    """An order that could be read. Columns count from 0 in the line as written, end exclusive.

    Attributes:
        readings: one order, or one for each meaning of the short names in it.
        shorts: those short names, as they stand on the line.
    """

    start: int
    end: int
    readings: tuple[WrittenOrder, ...]
    shorts: tuple[Token, ...] = ()

    def asked(self, proposed: tuple[WrittenOrder, ...] = ()) -> "Faulty":
        """The order as one that may be meant in another way: its readings, or these, to choose."""
        fault = Fault(ReadingKind.OPEN, self.start, self.end)
        return Faulty(self.start, self.end, fault, (), self.readings, proposed or self.readings)


class Fault(Struct, frozen=True):
    """Why a text is no order: the smallest wrong part, and what could stand there.

    Attributes:
        kind: what is wrong.
        start, end: columns of the wrong part in the line as written; empty at a line's end.
        word: the wrong part, in plain form.
        expected: what could have stood there, in a fixed order.
        readings: the readings of an `AMBIGUOUS` order.
    """

    kind: ReadingKind
    start: int
    end: int
    word: str = ""
    expected: tuple[Expected, ...] = ()
    readings: tuple[WrittenOrder, ...] = ()


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
    segment: Segment = ()


Item = Parsed | Faulty | Prose


class Stop(NamedTuple):
    """Where the grammar stopped: at which word, and which terminals it would have taken."""

    at: int
    expected: frozenset[str]


def parse_segment(segment: Segment) -> Parsed | Fault:
    """The order that one segment of a line holds, with every meaning of its short names."""
    if len(segment) > ORDER_LONGEST:
        read = parse_segment(segment[:ORDER_LONGEST])
        if isinstance(read, Fault) and read.kind is not ReadingKind.UNFINISHED:
            return read
        token = segment[ORDER_LONGEST]
        return Fault(ReadingKind.NOT_EXPECTED, token.start, token.end, token.text, (Expected.END,))
    first = _order_or_stop([token.word for token in segment])
    if isinstance(first, Stop):
        return _fault(first, segment)
    shorts = tuple(token for token in segment if token.readings)
    if not shorts:
        return Parsed(*span(segment), (first,))
    meant = {token.text: token.readings for token in shorts}  # the same short name means one thing
    orders: list[WrittenOrder | Stop] = []
    for words in islice(product(*meant.values()), _READINGS_MOST):
        choice = dict(zip(meant, words, strict=True))
        orders.append(_order_or_stop([choice.get(token.text, token.word) for token in segment]))
    readings = dict.fromkeys(order for order in orders if not isinstance(order, Stop))
    return Parsed(*span(segment), tuple(readings), shorts)


def parse_words(words: Sequence[str]) -> WrittenOrder | None:
    """The order that canonical words make, None if they make none."""
    read = _order_or_stop(words) if len(words) <= ORDER_LONGEST else None
    return None if isinstance(read, Stop) else read


# What the grammar's terminals are called to people; `_RAILWAY` and `_CANAL` are not offered.
_EXPECTED = {
    **{f"_{each.name}": each for each in Expected},
    **dict.fromkeys(("ARMY", "FLEET", "POWER"), Expected.UNIT),
    "PLACE": Expected.PLACE,
    "NUMBER": Expected.NUMBER,
    "$END": Expected.END,
}


def _fault(stop: Stop, segment: Segment) -> Fault:
    """Where the grammar stopped, as columns of the line, and what it would have taken."""
    at = stop.at
    # What a person would have written there, without the bad habits that are read too.
    met = {_EXPECTED[name] for name in stop.expected if name in _EXPECTED}
    if 0 < at < len(segment) and parse_words([token.word for token in segment[:at]]):
        met = {Expected.END}
    elif at and segment[at - 1].is_place:
        met.discard(Expected.PLACE)
    elif Expected.PLACE in met:
        met &= {Expected.PLACE, Expected.UNIT}
    expected = tuple(each for each in Expected if each in met)

    if at == len(segment):
        end = span(segment)[1]
        return Fault(ReadingKind.UNFINISHED, end, end, "", expected)
    last = at
    while last + 1 < len(segment) and segment[last].word == segment[last + 1].word == UNKNOWN:
        last += 1
    after = word_at(segment, last + 1)
    is_name = (
        segment[at].word == UNKNOWN
        and Expected.PLACE in expected
        and last - at < 2
        and "'" not in segment[at].text
        and after not in (*KINDS, "B", "D")  # no unit follows a name: `I want A Par`
    )
    kind = ReadingKind.NO_PROVINCE if is_name else ReadingKind.NOT_EXPECTED
    word = " ".join(token.text for token in segment[at : last + 1])
    return Fault(kind, segment[at].start, segment[last].end, word, expected)


# --- the grammar ----------------------------------------------------------------------------------


def _order_or_stop(words: Sequence[str]) -> WrittenOrder | Stop:
    """The order that canonical words make, or where the grammar stops."""
    template = [f"{word[0]}X" if word[0] in "#@" and len(word) > 1 else word for word in words]
    tree = _parse_template(" ".join(template))
    if isinstance(tree, Stop):
        return tree
    names = iter([word for word in words if word[0] in "#@" and len(word) > 1])
    return _order(tree.data, _parts_of(tree, names))


@lru_cache(maxsize=_MEMO_TEMPLATES)
def _parse_template(template: str) -> Tree[GrammarToken] | Stop:
    """What the grammar makes of `A #X - #X`, an order without its names; it reads each template
    once."""
    try:
        return _parser().parse(template)
    except UnexpectedToken as error:
        is_at_end = error.token.type == "$END"
        before = template if is_at_end else template[: error.pos_in_stream]
        return Stop(len(before.split()), frozenset(error.accepts or error.expected))
    except UnexpectedInput as error:
        names = getattr(error, "allowed", None) or ()
        return Stop(len(template[: error.pos_in_stream].split()), frozenset(names))


@cache
def _parser() -> Lark:
    return parser_of(read_text("grammar", "orders.lark"), "start")


class _Parts(Struct):
    """What stands in an order, whichever way it was said."""

    units: list[WrittenUnit] = []
    places: list[Location] = []
    fleets: list[Location] = []  # that a convoy goes over
    kind: UnitKind | None = None
    power: PowerId | None = None
    count: int = 1


def _parts_of(tree: Tree[GrammarToken], names: Iterator[str]) -> _Parts:
    """The parts of a template, filled with the names of a line in their order."""
    parts = _Parts()
    for child in tree.children:
        if isinstance(child, Tree):
            inner = _parts_of(child, names)
            if child.data == "unit":
                parts.units.append(WrittenUnit(inner.places[-1], inner.kind, inner.power))
            else:
                parts.fleets += [*inner.fleets, *inner.places]
        elif child.type == "PLACE":
            parts.places.append(parse_location(next(names)[1:]))
        elif child.type == "POWER":
            parts.power = PowerId(next(names)[1:])
        elif child.type == "NUMBER":
            parts.count = int(child[:4])
        else:
            parts.kind = UnitKind(child)
    return parts


# What the rules of the grammar make of the units and the last place of an order.
_MAKERS: Mapping[str, Callable[..., WrittenOrder]] = {
    "hold": o.WrittenHold,
    "move": o.WrittenMove,
    "support_hold": o.WrittenSupportHold,
    "support_move": o.WrittenSupportMove,
    "convoy": o.WrittenConvoy,
    "ride": o.WrittenRide,
    "passage": o.WrittenPassage,
    "retreat": o.WrittenRetreat,
    "disband": o.WrittenDisband,
    "build": o.WrittenBuild,
}


def _order(rule: str, parts: _Parts) -> WrittenOrder:
    """The order of a rule of the grammar, or of one of its aliases."""
    if rule == "waive":
        return o.WrittenWaive(parts.count, parts.power)
    unit, *others = parts.units
    if unit.power is None and rule != "passage":  # its power may stand before the order
        unit = replace(unit, power=parts.power)
    *before, target = parts.places or [unit.location]
    match rule:
        case "move_via":
            return o.WrittenMove(unit, target, via_convoy=True)
        case "move_over":
            path = tuple(each.province for each in parts.fleets or before)
            return o.WrittenMove(unit, target, via_convoy=True, path=path)
    return _MAKERS[rule](unit, *others, *parts.places[-1:])
