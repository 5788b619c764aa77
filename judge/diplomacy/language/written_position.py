"""A position as people write it, and as letters print it: lines of powers, units and centers.

    France: A Par, F Bre; centers Par Bre Mar Spa
    Germany: A Ber; dislodged A Bur from Mun

A line of a position names units without saying what they do; every other line is left alone. The
name of a power stands above both. Knows nothing of orders.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from judge.data import language_data
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, VERBS, lexicon, power_names
from judge.diplomacy.language.order_context import Untaken
from judge.diplomacy.language.tokens import Token, tokenize
from judge.diplomacy.orders import Location, PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.records import ProblemKind, ProblemValues, ReadingKind
from judge.diplomacy.retreats import dislodged_with_retreats
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import Variant

LONGEST = 2000  # signs of a line


class Part(StrEnum):
    """What the places of a line are."""

    UNITS = "units"
    CENTERS = "centers"
    DISLODGED = "dislodged"
    CONTESTED = "contested"


NOBODY = "nobody"


class WrittenPosition(Struct, frozen=True):
    """What lines say of a position, and what does not fit; the lines that say nothing of it."""

    position: Position
    others: tuple[str, ...]
    problems: tuple[Untaken, ...] = ()


class _Place(Struct, frozen=True):
    """A place of a line: what it is there, and (a unit) of which kind."""

    part: Part
    token: Token
    power: PowerId | None
    kind: UnitKind | None = None
    origin: Token | None = None  # where the attacker of a dislodged unit came from


class _Line(Struct, frozen=True):
    places: tuple[_Place, ...] = ()
    unknown: tuple[Token, ...] = ()
    number: int = 0
    text: str = ""
    plain: str = ""  # as its tokens were read


def read_position(
    variant: Variant, rules: Rules, start: Position, lines: Sequence[str], *, is_sought: bool
) -> WrittenPosition:
    """The position that lines describe, in the phase of `start`; without any such line, `start`
    itself. A power that is named without its centers has those that it starts with.

    Where none is sought, `A PAR` alone is an order that lacks its end: a position has a line with
    several places.
    """
    others: list[str] = []
    found: list[_Line] = []
    power: PowerId | None = None
    part = Part.UNITS
    uses = _word_uses()
    local = sorted((word for word in uses if not word.isascii()), key=len, reverse=True)
    headings = re.compile("|".join(map(re.escape, local)))
    for number, text in enumerate(lines):
        named, plain = _split_owner(variant, text[:LONGEST])
        power = named or power
        # Headings of other scripts, which may hold names and words, in English.
        plain = headings.sub(lambda word: f" {uses[word[0]]} ", plain)
        said = _parse_line(tokenize(plain, lexicon(variant)), part, power)
        if said is None:
            others.append(text)
            part = Part.UNITS
            continue
        line, part, power = said
        line = replace(line, number=number, text=text, plain=plain)
        found.append(line)
        if named is not None:
            others.append(power_names(variant, named)[0])  # above orders that follow
    given = max((len(line.places) + len(line.unknown) for line in found), default=0)
    if given < (1 if is_sought else 2):
        return WrittenPosition(start, tuple(lines))
    reader = _Reader(variant, rules, start)
    for line in found:
        reader.take_line(line)
    return WrittenPosition(reader.position(), tuple(others), tuple(reader.problems))


def _split_owner(variant: Variant, text: str) -> tuple[PowerId | None, str]:
    """The power whose name a line begins with, and the rest of the line in its columns."""
    head, colon, rest = text.replace("：", ":").partition(":")
    owner = _powers_by_name(variant).get(head.strip().casefold())
    if owner is None and (first := re.match(r"\s*(\S+)\s+(?=[AF] )", text)):
        head, rest = first[0], text[first.end() :]  # `France A PAR`
        owner = _powers_by_name(variant).get(first[1].casefold())
    return owner, (" " * len(head + colon) + rest if owner else text)


@lru_cache(maxsize=64)
def _powers_by_name(variant: Variant) -> Mapping[str, PowerId]:
    """The powers by their ids and names in every language, in lower case."""
    return {
        name.casefold(): power
        for power in variant.power_ids
        for name in (*power_names(variant, power), power)
    }


def _parse_line(
    tokens: Sequence[Token], part: Part, power: PowerId | None
) -> tuple[_Line, Part, PowerId | None] | None:
    """What a line says of a position, and what the lines below it go on with; None if it says
    nothing of one: it has a verb, or no place and no heading."""
    places: list[_Place] = []
    unknown: list[Token] = []
    default, is_heading, kind = part, False, None
    for at, token in enumerate(tokens):
        around = (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])
        use = _use_of(token)
        if use:
            is_counted = any(one.word.isdigit() for one in around)  # `3 centers, 3 units:`
            if use == NOBODY:
                power = None
            elif not is_counted:
                part, is_heading = Part(use), True
        elif token.word in VERBS:
            return None
        elif token.word in KINDS:
            kind = UnitKind(token.word)
        elif token.word[0] == "@":
            return None  # as an order may name one
        elif token.is_place and part is Part.DISLODGED and kind is None and places:
            places[-1] = replace(places[-1], origin=token)
        elif token.is_place:
            is_unit = kind is not None and part is not Part.DISLODGED
            places.append(_Place(Part.UNITS if is_unit else part, token, power, kind))
            kind = None
        elif any(_use_of(one) or one.word.isdigit() for one in around):
            pass  # `병참 중심지 3곳`
        elif token.word == UNKNOWN and (kind is not None or part is not Part.UNITS):
            unknown.append(token)
            kind = None
    if len(unknown) > len(places) + 1:
        return None
    if not places and not unknown:
        if not is_heading:
            return None
        return _Line(), part, power
    is_prose = power is None if unknown else not any(one.kind for one in places)
    if is_prose and part is Part.UNITS:
        return None  # a province alone is no unit
    return _Line(tuple(places), tuple(unknown)), default, power


class _Reader:
    """Puts the places of lines on the board, and notes those that do not fit."""

    def __init__(self, variant: Variant, rules: Rules, start: Position) -> None:
        self.variant, self.rules, self.start = variant, rules, start
        self.units: dict[ProvinceId, Unit] = {}
        self.owners: dict[ProvinceId, PowerId] = {}
        self.dislodged: dict[ProvinceId, Dislodged] = {}
        self.contested: set[ProvinceId] = set()
        self.powers: set[PowerId] = set()
        self.named: set[PowerId] = set()  # those whose centers are
        self.problems: list[Untaken] = []

    def take_line(self, line: _Line) -> None:
        for token in line.unknown:
            near = lexicon(self.variant).nearest_places(token.text)[:3]
            self._refuse(line, token, ReadingKind.NO_PROVINCE, ProblemValues(nearest=near))
        for place in line.places:
            self.powers |= {place.power} if place.power else set()
            if place.power is None and place.part is not Part.CONTESTED:
                if place.part is not Part.CENTERS:  # centers of nobody are not listed
                    self._refuse(line, place.token, ReadingKind.NO_OWNER, ProblemValues())
            elif place.part is Part.CENTERS:
                self._take_center(line, place)
            elif place.part is Part.CONTESTED:
                self.contested.add(place.token.locations[0].province)
            else:
                self._take_unit(line, place)

    def _take_unit(self, line: _Line, place: _Place) -> None:
        assert place.power is not None
        board, token = self.variant.board, place.token
        kinds = (place.kind,) if place.kind else tuple(UnitKind)
        stands = [
            (kind, stand)
            for kind in kinds
            for one in token.locations
            for stand in board.possible_locations(kind, one.province)
            if one.coast in (None, stand.coast) or kind is UnitKind.ARMY
        ]
        if len(stands) != 1:
            what = ReadingKind.WHICH_UNIT if stands else ReadingKind.NO_SUCH_UNIT
            meant = stands or [
                (kind, stand)
                for kind in UnitKind
                for one in token.locations
                for stand in board.possible_locations(kind, one.province)
            ]
            shown = tuple(f"{kind} {stand}" for kind, stand in meant)
            self._refuse(line, token, what, ProblemValues(lines=shown))
            return
        unit = Unit(place.power, *stands[0])
        province = unit.location.province
        if place.part is Part.UNITS:
            if (there := self.units.setdefault(province, unit)) != unit:
                self._refuse(line, token, ReadingKind.TWO_UNITS, ProblemValues(other=there))
        elif self.start.phase.kind is not PhaseKind.RETREAT:
            self._refuse(line, token, ReadingKind.NO_RETREATS, ProblemValues())
        elif place.origin is None:
            beside = [way.province for way in board.adjacent_locations(unit.kind, unit.location)]
            shown = (f"dislodged {unit} from {beside[0] if beside else ''}",)
            self._refuse(line, token, ReadingKind.NO_ORIGIN, ProblemValues(lines=shown))
        else:
            origin = place.origin.locations[0].province
            self.dislodged[province] = Dislodged(unit, origin)

    def _take_center(self, line: _Line, place: _Place) -> None:
        assert place.power is not None
        self.named.add(place.power)
        provinces = self.variant.board.provinces
        centers = [one for one in place.token.locations if provinces[one.province].is_center]
        if not centers:
            values = ProblemValues(places=(Location(place.token.locations[0].province),))
            self._refuse(line, place.token, ReadingKind.NO_CENTER, values)
            return
        owner = self.owners.setdefault(centers[0].province, place.power)
        if owner != place.power:
            values = ProblemValues(places=(Location(centers[0].province),), power=owner)
            self._refuse(line, place.token, ReadingKind.TWO_OWNERS, values)

    def _refuse(self, line: _Line, token: Token, kind: ProblemKind, values: ProblemValues) -> None:
        values = replace(values, word=line.plain[token.start : token.end])
        self.problems.append(Untaken(line.number, line.text, token.start, token.end, kind, values))

    def position(self) -> Position:
        """What was taken, each list in its order."""
        board, powers = self.variant.board, self.variant.power_ids
        unsaid = self.powers - self.named
        kept = {center: owner for center, owner in self.start.owners.items() if owner in unsaid}
        owners = {**kept, **self.owners}
        closed = frozenset(self.units) | self.contested
        lost = {
            one.unit: dislodged_with_retreats(board, self.rules, one, closed)
            for one in self.dislodged.values()
        }
        return Position(
            self.start.phase,
            sort_units(self.units.values(), powers) or self.start.units,
            {center: owners[center] for center in board.centers if center in owners},
            tuple(lost[unit] for unit in sort_units(lost, powers)),
            tuple(sorted(self.contested)),
        )


def _use_of(token: Token) -> str:
    """What a word that heads a part of a position says it is; empty for all others."""
    return _word_uses().get(token.text, "") if token.word == UNKNOWN else ""


@cache
def _word_uses() -> Mapping[str, str]:
    """What each word that heads a part of a position is."""
    tables = language_data("positions.toml").values()
    return {word: use for table in tables for use, words in table.items() for word in words}
