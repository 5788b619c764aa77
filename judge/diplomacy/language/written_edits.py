"""A master's hand on the position: units set and taken, centers given to others.

A line is `France: remove A Par`, `France: add F Bre`, `center Bel: Germany`, `Bel: nobody`, with
any name of a place or power, in any language. Knows nothing of who may do that.
"""

from collections.abc import Sequence
from functools import cache

from judge.data import language_data
from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.lexicon import KINDS, Lexicon, lexicon, plain_key
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.orders import Location, PowerId, Unit, UnitKind
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.variants.variant import Variant

ENGLISH = {
    "add": ("add", "set", "place", "build"),
    "remove": ("remove", "take", "delete", "disband"),
    "nobody": ("nobody", "none", "neutral", "-"),
}


class BadEdit(Exception):
    """A line that cannot be carried out; `kind`: `unreadable`, `clash` (with the position), or
    `retreats` (no phase for it)."""

    def __init__(self, kind: str, written: str) -> None:
        super().__init__(f"{kind}: {written}")
        self.kind, self.written = kind, written


def edited(variant: Variant, position: Position, lines: Sequence[str]) -> Position:
    """The position after all the lines, in their order.

    Raises:
        BadEdit: one of them cannot be read, or contradicts the position that the others leave.
    """
    if position.phase.kind is PhaseKind.RETREAT:
        raise BadEdit("retreats", lines[0])
    units, owners = list(position.units), dict(position.owners)
    words, board = lexicon(variant), variant.board
    for line in lines:
        head, colon, rest = normalize(line).text.partition(":")
        said = rest.split()
        if not colon or not said:
            raise BadEdit("unreadable", line)
        power = _named(words, head, "@")

        if power is None:  # a center and its owner
            place = _place(words, (head.split() or [""])[-1])
            center = parse_location(place).province if place else None
            owner = _named(words, rest, "@")
            if center is None or (owner is None and rest.strip() not in _words_for("nobody")):
                raise BadEdit("unreadable", line)
            if center not in board.centers:
                raise BadEdit("clash", line)
            owners.pop(center, None)
            if owner is not None:
                owners[center] = PowerId(owner)
            continue

        # A unit to set or to take away: verb, kind, place.
        verb = next((one for one in ("add", "remove") if said[0] in _words_for(one)), None)
        kind = words.words.get(plain_key(said[1]), ("",))[0] if said[1:] else ""
        place = _place(words, " ".join(said[2:]))
        if verb is None or kind not in KINDS or place is None:
            raise BadEdit("unreadable", line)
        location = parse_location(place)
        there = next((one for one in units if one.location.province == location.province), None)
        if verb == "remove":
            if there is None or (there.power, there.kind) != (power, kind):
                raise BadEdit("clash", line)
            units.remove(there)
            continue
        sites = board.possible_locations(UnitKind(kind), location.province)
        wanted = [one for one in sites if location in (one, Location(location.province))]
        if there is not None or len(wanted) != 1:
            raise BadEdit("clash", line)
        units.append(Unit(PowerId(power), UnitKind(kind), wanted[0]))
    return Position(
        phase=position.phase,
        units=sort_units(units, variant.power_ids),
        owners={center: owners[center] for center in sorted(owners)},
        contested=position.contested,
    )


def _named(words: Lexicon, text: str, sign: str) -> str | None:
    """The canonical name of a text that names a power (`@`) or a place (`#`); None for others."""
    found = words.words.get(plain_key(" ".join(text.split())), ())
    return next((one[1:] for one in found if one.startswith(sign)), None)


def _place(words: Lexicon, text: str) -> str | None:
    """`STP/NC` for a place with or without a coast."""
    if (known := _named(words, text, "#")) is not None:
        return known
    head, _, tail = text.replace("(", "/").rstrip(") ").partition("/")
    named, tail = _named(words, head, "#"), tail.strip()
    coasts = words.words.get(plain_key(tail), ())
    coast = next((one for one in coasts if one.startswith("/")), f"/{tail.upper()}")
    return f"{named}{coast}" if f"{named}{coast}" in words.places else None


@cache
def _words_for(use: str) -> frozenset[str]:
    tables = language_data("edits.toml").values()
    return frozenset((*ENGLISH[use], *(word for table in tables for word in table[use])))
