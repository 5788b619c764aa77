"""Names for people: powers, seats, provinces, units, phases. The core knows only ids.

Names stand in the variant's data, English beside the board and others in its `names` folder; what
stands between them stands in the catalogue.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import msgspec

from judge.diplomacy.board import Terrain, make_board
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.orders import HIDDEN, Coast, Location, PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.rules import UnknownChoice
from judge.diplomacy.variants.variant import Variant, load_variant, local_names, variant_names
from judge.render.catalogue import catalogue, either_names, join_names, sentence_tables, slashed
from judge.rulebook import Translator


class _Tables(msgspec.Struct, frozen=True):
    """Sentences of coasts, of phases by season and kind, and of units: as in the rulebook, within a
    sentence, one's own, somebody else's."""

    coasts: dict[Coast, str]
    phases: dict[str, str]
    units: dict[UnitKind, str]
    units_in: dict[UnitKind, str]
    own_units: dict[UnitKind, str]
    foreign_units: dict[UnitKind, str]


SENTENCES = sentence_tables("names.toml", _Tables)


@lru_cache(maxsize=1 << 12)
def short_unit(unit: Unit) -> str:
    """`A PAR`."""
    return str(unit)


def phase_words(label: str, words: Translator) -> str:
    """`Spring 1901 movement`; a label of another form is shown as it is."""
    try:
        phase = parse_phase(label)
    except ValueError:
        return label
    message = SENTENCES.phases.get(f"{phase.letter}{phase.kind}")
    return words.say(message, year=phase.year) if message else label


class Names:
    """The names of one variant in one language; with its `say` also a `Notation` of orders."""

    def __init__(self, variant: Variant, local: Mapping[str, str], words: Translator) -> None:
        self.variant = variant
        self.language, self.say, self.count = words.language, words.say, words.count
        self.tell = words.tell
        self._local = local
        self._powers = {power.id: power.name for power in variant.powers}

    def power(self, power: PowerId) -> str:
        """`France`."""
        return self._local.get(power) or self._powers.get(power, power)

    def powers(self, powers: Iterable[PowerId]) -> str:
        """`France, Germany and Italy`."""
        return self.listed([self.power(power) for power in powers])

    def powers_of(self, seat: str) -> tuple[PowerId, ...]:
        """The powers that a seat's id is made of; the id itself if the variant has no such seat."""
        return _split_seat_id(seat, self._powers) or (PowerId(seat),)

    def seat(self, seat: str) -> str:
        """`France`, or `Austria and France`."""
        return self.powers(self.powers_of(seat))

    def seat_brief(self, seat: str) -> str:
        """`Austria/France`."""
        return slashed([self.power(power) for power in self.powers_of(seat)], self)

    def seats(self, seats: Sequence[str]) -> str:
        """`France`, `Austria/France and Italy`."""
        return self.seat(seats[0]) if len(seats) == 1 else self.listed(map(self.seat_brief, seats))

    def phase(self, label: str) -> str:
        """`Spring 1901 movement`."""
        return phase_words(label, self)

    def province(self, province: ProvinceId) -> str:
        """`Mid-Atlantic Ocean`; an id that is not on the board is shown as it is."""
        if province == HIDDEN:
            return self.say("out of sight")
        found = self.variant.board.provinces.get(province)
        return self._local.get(province, found.name) if found else province

    def province_in_sentence(self, province: ProvinceId) -> str:
        """A province within a sentence: `Paris`, `the North Sea`."""
        name = self.province(province)
        found = self.variant.board.provinces.get(province)
        is_sea = found is not None and found.terrain is Terrain.SEA
        return self.say("the {sea}", sea=name) if is_sea else name

    def location(self, location: Location) -> str:
        """`Spain (south coast)`."""
        return self._with_coast(location, self.province(location.province))

    def location_in_sentence(self, location: Location) -> str:
        """A location within a sentence: `Paris`, `the North Sea`."""
        return self._with_coast(location, self.province_in_sentence(location.province))

    def _with_coast(self, location: Location, name: str) -> str:
        if location.coast is None:
            return name
        return self.say("{place} ({coast})", place=name, coast=self.coast(location.coast))

    def coast(self, coast: Coast) -> str:
        """`north coast`."""
        return self.say(SENTENCES.coasts[coast])

    def unit(self, kind: UnitKind | None, location: Location) -> str:
        """`Army Paris`; only the place if the kind was not said."""
        place = self.location(location)
        return place if kind is None else self.say(SENTENCES.units[kind], place=place)

    def unit_in(self, unit: Unit) -> str:
        """`army in Paris`, `fleet in the North Sea`."""
        return self.say(
            SENTENCES.units_in[unit.kind], place=self.location_in_sentence(unit.location)
        )

    def own_unit(self, unit: Unit) -> str:
        """`your army in Paris`."""
        return self.say(
            SENTENCES.own_units[unit.kind], place=self.location_in_sentence(unit.location)
        )

    def foreign_unit(self, unit: Unit) -> str:
        """`England's army in Belgium`."""
        place, power = self.location_in_sentence(unit.location), self.power(unit.power)
        return self.say(SENTENCES.foreign_units[unit.kind], power=power, place=place)

    def short_units(self, units: Iterable[Unit]) -> str:
        """`F NTH and A BEL`."""
        return self.listed(map(short_unit, units))

    def listed(self, names: Iterable[str]) -> str:
        """`A, B and C`."""
        return join_names(list(names), self)

    def either(self, names: Iterable[str]) -> str:
        """`A, B or C`."""
        return either_names(list(names), self)

    def clauses(self, told: Sequence[str]) -> str:
        """Ends of sentences, one after the other: `{first}; {second}`."""
        text = "".join(told[:1])
        for more in told[1:]:
            text = self.say("{first}; {second}", first=text, second=more)
        return text


@lru_cache(maxsize=256)
def _names(variant: Variant, language: str) -> Names:
    return Names(variant, local_names(variant.name, language), catalogue(language))


def names_of(variant: str, language: str) -> Names:
    """The names of a variant in a language, made once for each; if there is no such variant any
    more, ids are its names."""
    try:
        return _names(load_variant(variant), language)
    except UnknownChoice:
        board = make_board([], {}, {}, coast_aliases={}, ambiguous={})
        nameless = replace(load_variant(variant_names()[0]), powers=(), board=board)
        return Names(nameless, {}, catalogue(language))


def _split_seat_id(seat: str, known: Collection[str]) -> tuple[PowerId, ...]:
    """The powers whose ids, joined by `_`, make a seat's id. The longest is tried first, since ids
    may hold `_` too."""
    parts = seat.split("_")
    for end in range(len(parts), 0, -1):
        power, rest = PowerId("_".join(parts[:end])), "_".join(parts[end:])
        others = _split_seat_id(rest, known) if rest else ()
        if power in known and (others or not rest):
            return (power, *others)
    return ()
