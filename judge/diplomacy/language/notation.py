"""Reads orders from text and writes them in canonical notation.

Free of any position: whether there is such a unit, and whether it may do so, is not asked here.
The only module that knows the grammar (`grammar/orders.lark`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple, assert_never

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken, v_args

from judge.data import read_text
from judge.diplomacy.language import scanner
from judge.diplomacy.language.names import lexicon
from judge.diplomacy.language.shapes import Filling, filling_of, location_of, shape_of
from judge.diplomacy.language.tokens import KINDS, UNKNOWN, Segment, span
from judge.diplomacy.language.tokens import Token as Word
from judge.diplomacy.orders import (
    AnyOrder,
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Passage,
    PowerId,
    Retreat,
    Ride,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
    WrittenBuild,
    WrittenConvoy,
    WrittenDisband,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenPassage,
    WrittenRetreat,
    WrittenRide,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.records import Expected, ReadingKind
from judge.diplomacy.variants.variant import Variant

MEMO_SHAPES = 1 << 12  # shapes of orders kept; there are a few hundred in use
MEMO_TEXTS = 1 << 16  # parsed texts kept; texts repeat from phase to phase
ORDER_LONGEST = 32  # words; a convoy over ten seas has fewer
_READINGS_MOST = 64  # a line of short names with several meanings each

_EXPECTED = {
    "ARMY": Expected.UNIT,
    "FLEET": Expected.UNIT,
    "PLACE": Expected.PLACE,
    "POWER": Expected.UNIT,
    "_MOVE": Expected.MOVE,
    "_HOLD": Expected.HOLD,
    "_SUPPORT": Expected.SUPPORT,
    "_CONVOY": Expected.CONVOY,
    "_VIA": Expected.VIA,
    "_RETREAT": Expected.RETREAT,
    "_DISBAND": Expected.DISBAND,
    "_BUILD": Expected.BUILD,
    "_WAIVE": Expected.WAIVE,
    "NUMBER": Expected.NUMBER,
    "$END": Expected.END,
}


@dataclass(frozen=True, slots=True)
class ShortName:
    """A short form with several meanings, where it stood and what it may mean."""

    text: str
    start: int
    end: int
    places: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Parsed:
    """An order that could be read. Columns count from 0 in the line as written, end exclusive.

    Attributes:
        readings: one order, or one for each meaning of the short names in it.
        shorts: those short names.
    """

    start: int
    end: int
    readings: tuple[WrittenOrder, ...]
    shorts: tuple[ShortName, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
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


class Stop(NamedTuple):
    """Where the grammar stopped: at which word, and which terminals it would have taken."""

    at: int
    expected: frozenset[str]


# --- reading --------------------------------------------------------------------------------------


@lru_cache(maxsize=MEMO_TEXTS)
def parse_order(text: str, variant: Variant) -> WrittenOrder | Fault:
    """The one order that a text holds; pair of `format_order`. Remembered for texts met before."""
    segments = scanner.scan(text, lexicon(variant))
    if not segments:
        return Fault(ReadingKind.UNFINISHED, len(text), len(text), "", (Expected.UNIT,))
    parsed = parse_segment(segments[0])
    if isinstance(parsed, Fault):
        return parsed
    if len(segments) > 1:
        start, end = span(segments[1])[0], span(segments[-1])[1]
        return Fault(ReadingKind.NOT_EXPECTED, start, end, text[start:end], (Expected.END,))
    if len(parsed.readings) == 1:
        return parsed.readings[0]
    short = parsed.shorts[0]
    return Fault(ReadingKind.AMBIGUOUS, short.start, short.end, short.text, (), parsed.readings)


def parse_segment(segment: Segment) -> Parsed | Fault:
    """The order that one segment of a line holds, with every meaning of its short names."""
    if len(segment) > ORDER_LONGEST:
        return _overlong(segment)
    first = _parse_words([token.word for token in segment])
    if isinstance(first, Stop):
        return _fault(first, segment)
    start, end = span(segment)
    if not any(token.readings for token in segment):
        return Parsed(start, end, (first,))
    shorts = tuple(
        ShortName(token.text, token.start, token.end, locations(token))
        for token in segment
        if token.readings
    )
    return Parsed(start, end, _all_readings(segment), shorts)


def _overlong(segment: Segment) -> Fault:
    """Where an order ends that more words follow than one can have."""
    read = parse_segment(segment[:ORDER_LONGEST])
    if isinstance(read, Fault) and read.kind is not ReadingKind.UNFINISHED:
        return read
    token = segment[ORDER_LONGEST]
    return Fault(ReadingKind.NOT_EXPECTED, token.start, token.end, token.text, (Expected.END,))


def parse_words(words: Sequence[str]) -> WrittenOrder | None:
    """The order that canonical words make, None if they make none."""
    read = _parse_words(words) if len(words) <= ORDER_LONGEST else None
    return None if isinstance(read, Stop) else read


def locations(token: Word) -> tuple[Location, ...]:
    """What a token that is a place may mean."""
    return tuple(location_of(word) for word in token.readings or (token.word,))


def _all_readings(segment: Segment) -> tuple[WrittenOrder, ...]:
    """One order for each meaning of the short names; the same short name means one thing."""
    shorts = {token.text: token.readings for token in segment if token.readings}
    choices: list[dict[str, str]] = [{}]
    for text, readings in shorts.items():
        choices = [{**each, text: word} for each in choices for word in readings]
    orders = [
        _parse_words([choice.get(token.text, token.word) for token in segment])
        for choice in choices[:_READINGS_MOST]
    ]
    return tuple(dict.fromkeys(order for order in orders if not isinstance(order, Stop)))


def _fault(stop: Stop, segment: Segment) -> Fault:
    """Where the grammar stopped, as columns of the line, and what it would have taken."""
    at = stop.at
    follows_place = at > 0 and segment[at - 1].word[0] == "#"
    is_whole = 0 < at < len(segment) and parse_words([t.word for t in segment[:at]]) is not None
    expected = (Expected.END,) if is_whole else _expected(stop, follows_place)
    if at == len(segment):
        end = span(segment)[1]
        return Fault(ReadingKind.UNFINISHED, end, end, "", expected)
    last = at
    while last + 1 < len(segment) and segment[last].word == segment[last + 1].word == UNKNOWN:
        last += 1
    is_name = segment[at].word == UNKNOWN and Expected.PLACE in expected and last - at < 2
    is_name = (
        is_name and "'" not in segment[at].text and not _is_unit_or_verb(segment, last + 1)
    )  # no unit follows a name: `I want A Par`
    kind = ReadingKind.NO_PROVINCE if is_name else ReadingKind.NOT_EXPECTED
    word = " ".join(token.text for token in segment[at : last + 1])
    return Fault(kind, segment[at].start, segment[last].end, word, expected)


def _is_unit_or_verb(segment: Segment, at: int) -> bool:
    return at < len(segment) and segment[at].word in (*KINDS, "B", "D")


def _expected(stop: Stop, follows_place: bool) -> tuple[Expected, ...]:
    """What a person would have written there, without the bad habits that are read too."""
    met = {_EXPECTED[name] for name in stop.expected if name in _EXPECTED}
    if follows_place:
        met.discard(Expected.PLACE)
    elif Expected.PLACE in met:
        met &= {Expected.PLACE, Expected.UNIT}
    return tuple(each for each in Expected if each in met)


# --- the grammar ----------------------------------------------------------------------------------


def _parse_words(words: Sequence[str]) -> WrittenOrder | Stop:
    """The order that canonical words make, or where the grammar stops."""
    shape, names = shape_of(words)
    read = _parse_shape(shape)
    if isinstance(read, Stop):
        return read
    order: WrittenOrder = read(names)
    return order


@lru_cache(maxsize=MEMO_SHAPES)
def _parse_shape(shape: str) -> Filling | Stop:
    """What fills an order of that shape; the grammar is asked once for each."""
    try:
        return filling_of(_parser().parse(shape))
    except UnexpectedToken as error:
        is_at_end = error.token.type == "$END"
        before = shape if is_at_end else shape[: error.pos_in_stream]
        return Stop(len(before.split()), frozenset(error.accepts or error.expected))
    except UnexpectedInput as error:
        names = getattr(error, "allowed", None) or ()
        return Stop(len(shape[: error.pos_in_stream].split()), frozenset(names))


@v_args(inline=True)
class _Orders(Transformer[Token, WrittenOrder]):
    """Makes values of what the grammar has found, rule by rule."""

    def unit(self, *words: Token) -> WrittenUnit:
        kind = power = None
        place = words[-1]
        for word in words[:-1]:
            if word.type == "POWER":
                power = PowerId(word[1:])
            else:
                kind = UnitKind(word)
        return WrittenUnit(location_of(place), kind, power)

    def hold(self, *words: Token | WrittenUnit) -> WrittenHold:
        return WrittenHold(_owned(words))

    def move(self, unit: WrittenUnit, target: Token) -> WrittenMove:
        return WrittenMove(unit, location_of(target))

    def move_said_first(self, *words: Token | WrittenUnit) -> WrittenMove:
        target = words[-1]
        assert isinstance(target, Token)
        return WrittenMove(_owned(words[:-1]), location_of(target))

    def move_via(self, unit: WrittenUnit, target: Token) -> WrittenMove:
        return WrittenMove(unit, location_of(target), via_convoy=True)

    def move_by_path(self, unit: WrittenUnit, *places: Token) -> WrittenMove:
        return _move_over(unit, places[-1], places[:-1])

    def move_over(self, unit: WrittenUnit, target: Token, fleets: tuple[Token, ...]) -> WrittenMove:
        return _move_over(unit, target, fleets)

    def move_over_first(
        self, unit: WrittenUnit, fleets: tuple[Token, ...], target: Token
    ) -> WrittenMove:
        return _move_over(unit, target, fleets)

    def fleets(self, *words: Token | tuple[Token, ...]) -> tuple[Token, ...]:
        before = words[0] if isinstance(words[0], tuple) else ()
        return (*before, words[-1])  # type: ignore[arg-type]  # the last is always a place

    def support_hold(self, unit: WrittenUnit, supported: WrittenUnit) -> WrittenSupportHold:
        return WrittenSupportHold(unit, supported)

    def support_move(
        self, unit: WrittenUnit, supported: WrittenUnit, *places: Token
    ) -> WrittenSupportMove:
        return WrittenSupportMove(unit, supported, location_of(places[-1]))

    def convoy(self, unit: WrittenUnit, convoyed: WrittenUnit, *places: Token) -> WrittenConvoy:
        return WrittenConvoy(unit, convoyed, location_of(places[-1]))

    def ride(self, unit: WrittenUnit, target: Token) -> WrittenRide:
        return WrittenRide(unit, location_of(target))

    def passage(self, *words: Token | WrittenUnit) -> WrittenPassage:
        unit, target = words[-2:]  # a power before them is the canal's
        assert isinstance(unit, WrittenUnit)
        assert isinstance(target, Token)
        return WrittenPassage(unit, location_of(target))

    def retreat(self, *words: Token | WrittenUnit) -> WrittenRetreat:
        target = words[-1]
        assert isinstance(target, Token)
        return WrittenRetreat(_owned(words[:-1]), location_of(target))

    def disband(self, *words: Token | WrittenUnit) -> WrittenDisband:
        return WrittenDisband(_owned(words))

    def build(self, *words: Token | WrittenUnit) -> WrittenBuild:
        return WrittenBuild(_owned(words))

    def waive(self, *words: Token | WrittenUnit) -> WrittenWaive:
        found = {word.type: word for word in words if isinstance(word, Token)}
        count = int(found["NUMBER"][:4]) if "NUMBER" in found else 1
        return WrittenWaive(count, PowerId(found["POWER"][1:]) if "POWER" in found else None)

    waive_one = waive


def _owned(words: Sequence[Token | WrittenUnit]) -> WrittenUnit:
    """The unit, with the power that was named before the order, if any."""
    unit = words[-1]
    assert isinstance(unit, WrittenUnit)
    first = words[0]
    if isinstance(first, Token) and unit.power is None:
        return WrittenUnit(unit.location, unit.kind, PowerId(first[1:]))
    return unit


def _move_over(unit: WrittenUnit, target: Token, fleets: Sequence[Token]) -> WrittenMove:
    path = tuple(location_of(each).province for each in fleets)
    return WrittenMove(unit, location_of(target), via_convoy=True, path=path)


@cache
def _parser() -> Lark:
    return Lark(
        read_text("grammar", "orders.lark"),
        parser="lalr",
        lexer="contextual",
        transformer=_Orders(),
        maybe_placeholders=False,
    )


# --- writing --------------------------------------------------------------------------------------


def format_order(order: AnyOrder | WrittenOrder) -> str:
    """The order in canonical notation; pair of `parse_order`."""
    match order:
        case Hold() | WrittenHold():
            return f"{_unit(order.unit)} H"
        case Move() | WrittenMove():
            return _format_move(order)
        case SupportHold() | WrittenSupportHold():
            return f"{_unit(order.unit)} S {_unit(order.supported)}"
        case SupportMove() | WrittenSupportMove():
            return f"{_unit(order.unit)} S {_unit(order.supported)} - {order.target}"
        case Convoy() | WrittenConvoy():
            return f"{_unit(order.unit)} C {_unit(order.convoyed)} - {order.target}"
        case Ride() | WrittenRide():
            return f"{_unit(order.unit)} - TSR - {order.target}"
        case Passage():
            return f"SC {order.unit.power} {order.unit} - {order.target}"
        case WrittenPassage():
            return f"SC {_unit(order.unit)} - {order.target}"
        case Retreat() | WrittenRetreat():
            return f"{_unit(order.unit)} R {order.target}"
        case Disband() | WrittenDisband():
            return f"{_unit(order.unit)} D"
        case Build() | WrittenBuild():
            return f"{_unit(order.unit)} B"
        case Waive():
            return "WAIVE"
        case WrittenWaive():
            waive = "WAIVE" if order.count == 1 else f"WAIVE {order.count}"
            return waive if order.power is None else f"{order.power} {waive}"
        case _:
            assert_never(order)


def _unit(unit: Unit | WrittenUnit) -> str:
    """`A PAR`; a written one with what was written: `PAR`, `FRANCE A PAR`."""
    if isinstance(unit, Unit):
        return str(unit)
    return " ".join(str(part) for part in (unit.power, unit.kind, unit.location) if part)


def _format_move(order: Move | WrittenMove) -> str:
    if isinstance(order, WrittenMove) and order.path:
        places = " - ".join([*order.path, str(order.target)])
        return f"{_unit(order.unit)} - {places}"
    via = " VIA" if order.via_convoy else ""
    return f"{_unit(order.unit)} - {order.target}{via}"
