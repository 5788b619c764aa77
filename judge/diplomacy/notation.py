"""Orders as text: read from what players write, and written canonically or in a reader's language.

Canonical notation, `A MAR S A PAR - BUR`, is what the judge stores. It is read by its fixed shapes
alone; all else that players write goes through `language/`. Free of any position, but for
`stored_text`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol, cast

from msgspec.structs import asdict

from judge.diplomacy import orders as o
from judge.diplomacy.board import parse_location
from judge.diplomacy.language.grammar import Fault, Faulty, Parsed, Prose, parse_segment
from judge.diplomacy.language.lexicon import Lexicon, lexicon
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.records import Expected, ReadingKind
from judge.diplomacy.rules import Leniency
from judge.diplomacy.variants.variant import Variant

_MEMO_TEXTS = 1 << 16  # texts kept with their orders; they repeat from phase to phase


# --- reading --------------------------------------------------------------------------------------


@lru_cache(maxsize=_MEMO_TEXTS)
def parse_order(text: str, variant: Variant) -> o.WrittenOrder | Fault:
    """The one order that a text holds, in any language; pair of `format_order`."""
    words = lexicon(variant)
    order = parse_canonical(text, words)
    if order is not None:
        return order
    items = read_line(text, words)
    if not items:
        return Fault(ReadingKind.UNFINISHED, len(text), len(text), "", (Expected.UNIT,))
    parsed = items[0]
    if isinstance(parsed, Prose):
        found = parse_segment(parsed.segment)
        if isinstance(found, Fault):
            return found
    if isinstance(parsed, Faulty):
        return parsed.fault
    if not isinstance(parsed, Parsed) or len(items) > 1:
        start, end = items[-1 if len(items) == 1 else 1].start, items[-1].end
        return Fault(ReadingKind.NOT_EXPECTED, start, end, text[start:end], (Expected.END,))
    if len(parsed.readings) == 1:
        return parsed.readings[0]
    short = parsed.shorts[0]
    return Fault(ReadingKind.AMBIGUOUS, short.start, short.end, short.text, (), parsed.readings)


_PLACE = r"[A-Z]{3}(?:/[NSEW]C)?"
_UNIT = rf"(?:([AF]) )?({_PLACE})"
_OTHER = rf"(?:([A-Z][A-Z_]{{2,}}) )?{_UNIT}(?: - ({_PLACE}))?"  # GERMANY A MUN - BUR
_WAIVED = re.compile(r"(?:([A-Z][A-Z_]*) )?WAIVE(?: ([0-9]+))?")
_PASSED = re.compile(f"SC(?=.* - ) {_OTHER}")
_GOES = rf"(-|(?:R|- TSR -)(?!.* VIA)) ({_PLACE})( VIA)?"
_ORDER = re.compile(rf"{_UNIT} (?:([HDB])|{_GOES}|(S|C(?=.* - )) {_OTHER})")
CANONICAL_FORMS = re.compile("|".join(each.pattern for each in (_WAIVED, _PASSED, _ORDER)))
_KINDS = {"A": o.ARMY, "F": o.FLEET, None: None}
_ALONE: dict[str, type[o.WrittenHold | o.WrittenDisband | o.WrittenBuild]]
_ALONE = {"H": o.WrittenHold, "D": o.WrittenDisband, "B": o.WrittenBuild}
_GOING: dict[str, type[o.WrittenRetreat | o.WrittenMove | o.WrittenRide]]
_GOING = {"R": o.WrittenRetreat, "-": o.WrittenMove, "- TSR -": o.WrittenRide}


def parse_canonical(text: str, words: Lexicon | None = None) -> o.WrittenOrder | None:
    """The order of a line in canonical notation, as it is stored; None if it has another form.

    The kind of a unit may be left out, as in orders for later phases, where nobody knows yet what
    will stand there. Given the words of a board, the order is one that `language/` reads there,
    found sooner: None where a name is not the board's, or where only the whole language can tell.
    """
    if found := _WAIVED.fullmatch(text):
        power, count = found.groups()
        if words and text != "WAIVE":
            return None
        return o.WrittenWaive(int(count or 1), o.PowerId(power) if power else None)
    if found := _PASSED.fullmatch(text):
        power, kind, place, goal = found.groups()
        whose = o.PowerId(power) if power else None
        fleet = o.WrittenUnit(parse_location(place), _KINDS[kind], whose)
        return None if words else o.WrittenPassage(fleet, parse_location(goal))
    found = _ORDER.fullmatch(text)
    if found is None:
        return None
    kind, place, alone, verb, goal, via, helping, power, its_kind, its_place, to = found.groups()
    named = [each for each in (place, goal, its_place, to) if each]
    at = words.places if words else {each: parse_location(each) for each in named}
    if words and (verb == "- TSR -" or power not in (None, *words.powers)):
        return None
    if not all(each in at for each in named):
        return None
    unit = o.WrittenUnit(at[place], _KINDS[kind])
    if alone:
        return _ALONE[alone](unit)
    if via:
        return o.WrittenMove(unit, at[goal], via_convoy=True)
    if verb:
        return _GOING[verb](unit, at[goal])
    other = o.WrittenUnit(at[its_place], _KINDS[its_kind], o.PowerId(power) if power else None)
    if not to:
        return o.WrittenSupportHold(unit, other)
    return (o.WrittenSupportMove if helping == "S" else o.WrittenConvoy)(unit, other, at[to])


# --- writing --------------------------------------------------------------------------------------


class Notation(Protocol):
    """How one language writes the pieces of an order; these methods do it the canonical way."""

    def say(self, message: str, /, **parts: str) -> str:
        """One of the messages below, in that language."""
        return message.format(**parts)

    def location(self, location: o.Location) -> str:
        return str(location)

    def power(self, power: o.PowerId) -> str:
        return power


class _Canonical(Notation):
    pass


CANONICAL = _Canonical()


def N_(message: str) -> str:
    """A message of the catalogue; each language puts its own notation in place of ours."""
    return message


# Orders on the board, the same as written, and how they are said.
_SORTS: tuple[tuple[type, type, str], ...] = (
    (o.Hold, o.WrittenHold, N_("{unit} H")),
    (o.Move, o.WrittenMove, N_("{unit} - {target}")),
    (o.SupportHold, o.WrittenSupportHold, N_("{unit} S {other}")),
    (o.SupportMove, o.WrittenSupportMove, N_("{unit} S {other} - {target}")),
    (o.Convoy, o.WrittenConvoy, N_("{unit} C {other} - {target}")),
    (o.Ride, o.WrittenRide, N_("{unit} - TSR - {target}")),
    (o.Passage, o.WrittenPassage, N_("SC {unit} - {target}")),
    (o.Retreat, o.WrittenRetreat, N_("{unit} R {target}")),
    (o.Disband, o.WrittenDisband, N_("{unit} D")),
    (o.Build, o.WrittenBuild, N_("{unit} B")),
)
_WRITTEN = {order: written for order, written, _ in _SORTS}
_MESSAGES = {each: message for order, written, message in _SORTS for each in (order, written)}
_VIA = N_("{unit} - {target} VIA")
_FOREIGN_PASSAGE = N_("SC {power} {unit} - {target}")
_WAIVE, _WAIVES = N_("WAIVE"), N_("WAIVE {n}")
_WITH_POWER = N_("{power} {unit}")
_UNITS = {o.UnitKind.ARMY: N_("A {place}"), o.UnitKind.FLEET: N_("F {place}")}


@lru_cache(maxsize=_MEMO_TEXTS)
def format_order(order: o.AnyOrder | o.WrittenOrder, notation: Notation = CANONICAL) -> str:
    """The order in canonical notation; pair of `parse_order`. Or as a language writes it, in the
    notation of its rulebook, which the judge reads back as well."""
    if isinstance(order, o.Waive | o.WrittenWaive):
        count, power = (1, None) if isinstance(order, o.Waive) else (order.count, order.power)
        waive = notation.say(_WAIVE) if count == 1 else notation.say(_WAIVES, n=str(count))
        if power is None:
            return waive
        return notation.say(_WITH_POWER, power=notation.power(power), unit=waive)
    message, parts = _MESSAGES[type(order)], {"unit": format_unit(order.unit, notation)}
    other = o.other_unit(order)
    if other is not None:
        parts["other"] = format_unit(other, notation)
    if (target := getattr(order, "target", None)) is not None:
        path = [o.Location(each) for each in getattr(order, "path", ())]
        parts["target"] = " - ".join(map(notation.location, [*path, target]))
        if getattr(order, "via_convoy", False) and not path:
            message = _VIA
    if isinstance(order, o.Passage | o.WrittenPassage) and order.unit.power is not None:
        fleet = o.WrittenUnit(order.unit.location, order.unit.kind)
        message, parts["unit"] = _FOREIGN_PASSAGE, format_unit(fleet, notation)
        parts["power"] = notation.power(order.unit.power)
    return notation.say(message, **parts)


def format_unit(unit: o.Unit | o.WrittenUnit, notation: Notation = CANONICAL) -> str:
    """`A PAR`; a written one with what was written: `PAR`, `FRANCE A PAR`."""
    named = notation.location(unit.location)
    if unit.kind is not None and not o.is_hidden(unit):
        named = notation.say(_UNITS[unit.kind], place=named)
    if isinstance(unit, o.WrittenUnit) and unit.power is not None:
        return notation.say(_WITH_POWER, power=notation.power(unit.power), unit=named)
    return named


def format_preferences(unit: o.Unit | o.WrittenUnit, choices: Sequence[o.Location | None]) -> str:
    """`IF DISLODGED A BUR R PAR, GAS, DISBAND`, as `read_preferences` reads it."""
    named = ", ".join(str(choice) if choice else "DISBAND" for choice in choices)
    return f"IF DISLODGED {format_unit(unit)} {'R ' if choices[0] else ''}{named}"


def to_written_order(
    order: o.AnyOrder | o.WrittenOrder, *, names_powers: bool = False
) -> o.WrittenOrder:
    """An order without what only a position knows; with the powers of foreign units that it
    supports or convoys, if rules want those named."""
    if isinstance(order, o.Waive):
        return o.WrittenWaive()
    kind = _WRITTEN.get(type(order))
    if kind is None:
        return cast(o.WrittenOrder, order)
    parts = asdict(order)
    own, is_passage = parts["unit"].power, isinstance(order, o.Passage)
    parts.pop("power", None)  # of a passage: the canal's
    for name, part in parts.items():
        if isinstance(part, o.Unit):
            is_named = is_passage or (names_powers and part.power != own)
            parts[name] = o.WrittenUnit(part.location, part.kind, part.power if is_named else None)
    return cast(o.WrittenOrder, kind(**parts))


def stored_text(context: OrderContext, order: o.AnyOrder) -> str:
    """The order in canonical notation, as it is stored and shown; where the rules want foreign
    units named by their power (DATC 4.C.5), `A MAR S GERMANY A MUN - BUR`. A build of one of
    several powers of a seat is waived as `FRANCE WAIVE`."""
    if isinstance(order, o.Waive):
        return format_order(o.WrittenWaive(1, order.power if context.partners else None))
    if order in context.loose:
        return format_order(context.loose[order])
    if context.rules.missing_power is Leniency.INVALID and context.variant.has_named_powers:
        return format_order(to_written_order(order, names_powers=True))
    return format_order(order)
