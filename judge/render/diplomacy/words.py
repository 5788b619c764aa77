"""Names for people: powers, provinces, units, phases. The core knows only ids.

Names stand in the variant's data, English beside the board and others in its `names` folder; what
stands between them stands in the catalogue.
"""

from collections.abc import Collection, Iterable

from judge.diplomacy.board import Terrain
from judge.diplomacy.calendar import Phase, PhaseKind, parse_phase
from judge.diplomacy.orders import Coast, Location, PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.variants.variant import (
    NoVariant,
    Variant,
    load_variant,
    local_names,
    local_title,
)
from judge.render.catalogue import N_, say
from judge.render.part import either_names, join_names
from judge.rulebook import Translator

COASTS = {
    Coast.NORTH: N_("north coast"),
    Coast.SOUTH: N_("south coast"),
    Coast.EAST: N_("east coast"),
    Coast.WEST: N_("west coast"),
}

PHASES = {
    ("S", PhaseKind.MOVEMENT): N_("Spring {year} movement"),
    ("S", PhaseKind.RETREAT): N_("Spring {year} retreats"),
    ("F", PhaseKind.MOVEMENT): N_("Fall {year} movement"),
    ("F", PhaseKind.RETREAT): N_("Fall {year} retreats"),
    ("W", PhaseKind.ADJUSTMENT): N_("Winter {year} adjustments"),
    ("", PhaseKind.MOVEMENT): N_("{year} movement"),
    ("", PhaseKind.RETREAT): N_("{year} retreats"),
    ("", PhaseKind.ADJUSTMENT): N_("{year} adjustments"),
}


def phase_words(label: str, words: Translator) -> str:
    """`Spring 1901 movement`; a label of another form is shown as it is."""
    try:
        phase: Phase = parse_phase(label)
    except ValueError:
        return label
    message = PHASES.get((phase.letter, phase.kind))
    return say(words, message, year=phase.year) if message else label


class Names:
    """The names of one variant in one language."""

    def __init__(self, variant: str, words: Translator) -> None:
        self.variant: Variant = load_variant(variant)
        self.words = words
        self.local = local_names(variant, words.language)

    def say(self, message: str, /, **parts: str) -> str:
        """A message in the reader's language; with it, these names are a `Notation` of orders."""
        return say(self.words, message, **parts)

    def power(self, power: PowerId) -> str:
        """`France`."""
        found = next((each for each in self.variant.powers if each.id == power), None)
        return self.local.get(power) or (found.name if found else power)

    def powers_of(self, seat: str) -> tuple[PowerId, ...]:
        """The powers that a seat's id is made of; the id itself if the variant has no such seat."""
        known = {power.id for power in self.variant.powers}
        return _parted(seat, known) or (PowerId(seat),)

    def province(self, province: ProvinceId) -> str:
        """`Mid-Atlantic Ocean`; an id that is not on the board is shown as it is."""
        found = self.variant.board.provinces.get(province)
        return self.local.get(province, found.name) if found else province

    def location(self, location: Location) -> str:
        """`Spain (south coast)`."""
        return self._with_coast(location, self.province(location.province))

    def place(self, location: Location) -> str:
        """A location within a sentence: `Paris`, `the North Sea`."""
        return self._with_coast(location, self.area(location.province))

    def area(self, province: ProvinceId) -> str:
        """A province within a sentence: `Paris`, `the North Sea`."""
        name = self.province(province)
        found = self.variant.board.provinces.get(province)
        if found is not None and found.terrain is Terrain.SEA:
            return say(self.words, "the {sea}", sea=name)
        return name

    def _with_coast(self, location: Location, name: str) -> str:
        if location.coast is None:
            return name
        coast = self.coast(location.coast)
        return say(self.words, "{place} ({coast})", place=name, coast=coast)

    def coast(self, coast: Coast) -> str:
        """`north coast`."""
        return say(self.words, COASTS[coast])

    def unit(self, kind: UnitKind | None, location: Location) -> str:
        """`Army Paris`; only the place if the kind was not said."""
        place = self.location(location)
        match kind:
            case UnitKind.ARMY:
                return say(self.words, "Army {place}", place=place)
            case UnitKind.FLEET:
                return say(self.words, "Fleet {place}", place=place)
            case None:
                return place

    def unit_in(self, unit: Unit) -> str:
        """`army in Paris`, `fleet in the North Sea`."""
        place = self.place(unit.location)
        if unit.kind is UnitKind.ARMY:
            return say(self.words, "army in {place}", place=place)
        return say(self.words, "fleet in {place}", place=place)

    def own_unit(self, unit: Unit) -> str:
        """`your army in Paris`."""
        place = self.place(unit.location)
        if unit.kind is UnitKind.ARMY:
            return say(self.words, "your army in {place}", place=place)
        return say(self.words, "your fleet in {place}", place=place)

    def foreign_unit(self, unit: Unit) -> str:
        """`England's army in Belgium`."""
        place, power = self.place(unit.location), self.power(unit.power)
        if unit.kind is UnitKind.ARMY:
            return say(self.words, "{power}'s army in {place}", power=power, place=place)
        return say(self.words, "{power}'s fleet in {place}", power=power, place=place)

    def listed(self, names: Iterable[str]) -> str:
        """`A, B and C`."""
        return join_names(list(names), self.words)

    def either(self, names: Iterable[str]) -> str:
        """`A, B or C`."""
        return either_names(list(names), self.words)


def variant_words(variant: str, words: Translator) -> str:
    """`Chaos`; the name itself where there is no such variant any more."""
    try:
        return local_title(variant, words.language)
    except NoVariant:
        return variant


def _parted(seat: str, known: Collection[str]) -> tuple[PowerId, ...]:
    """The ids that, joined by `_`, make a seat's; the longest first, since ids may hold one too."""
    parts = seat.split("_")
    for end in range(len(parts), 0, -1):
        power, rest = PowerId("_".join(parts[:end])), "_".join(parts[end:])
        others = _parted(rest, known) if rest else ()
        if power in known and (others or not rest):
            return (power, *others)
    return ()
