"""Units, locations and orders: the small values that everything about the game is made of.

Knows nothing of boards, letters or rules. `written` values are what somebody wrote, free of any
position (`notation.py` and `language/` read them); orders are what a unit on the board is to do
(`adjudicator/legality.py` makes them from written ones).

Written to JSON, a value of a union names its class under `is`; values as they are by default are
left out, and unknown keys are passed over: what the first release has stored is read as it is.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NewType

import msgspec

ProvinceId = NewType("ProvinceId", str)
PowerId = NewType("PowerId", str)


class Value(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A small value that is made by the hundred in a phase; it can hold no cycle."""


class TaggedValue(Value, frozen=True, tag=True, tag_field="is"):
    """A value that stands in unions."""


class Coast(StrEnum):
    """A named coast of a province."""

    NORTH = "NC"
    SOUTH = "SC"
    EAST = "EC"
    WEST = "WC"


class UnitKind(StrEnum):
    """The two kinds of unit."""

    ARMY = "A"
    FLEET = "F"


ARMY, FLEET = UnitKind  # a member found through its enum takes ten times as long
HIDDEN = ProvinceId("?")  # in blind games: some province that the reader does not see
NOBODY = PowerId("")  # the power of a unit that is out of sight


class Location(Value, frozen=True):
    """Where a unit can stand: a province, and for a fleet the coast if the board names any."""

    province: ProvinceId
    coast: Coast | None = None

    def __str__(self) -> str:
        return f"{self.province}/{self.coast}" if self.coast else self.province


class Unit(Value, frozen=True):
    """An army or fleet of a power, standing somewhere."""

    power: PowerId
    kind: UnitKind
    location: Location

    def __str__(self) -> str:
        return HIDDEN if is_hidden(self) else f"{self.kind} {self.location}"


# --- orders of units on the board ---------------------------------------------------------------


class Hold(TaggedValue, frozen=True):
    unit: Unit


class Move(TaggedValue, frozen=True):
    unit: Unit
    target: Location
    via_convoy: bool = False


class SupportHold(TaggedValue, frozen=True):
    unit: Unit
    supported: Unit


class SupportMove(TaggedValue, frozen=True):
    unit: Unit
    supported: Unit
    target: Location


class Convoy(TaggedValue, frozen=True):
    unit: Unit
    convoyed: Unit
    target: Location


Order = Hold | Move | SupportHold | SupportMove | Convoy


class Ride(TaggedValue, frozen=True):
    """A move along a railway to any of its stations, of a variant that has one."""

    unit: Unit
    target: Location


class Passage(TaggedValue, frozen=True):
    """A power's permission for a fleet to pass its canal, of a variant that has one. It stands
    beside the order of the power's unit there."""

    power: PowerId
    unit: Unit
    target: Location


class Retreat(TaggedValue, frozen=True):
    unit: Unit
    target: Location


class Disband(TaggedValue, frozen=True):
    """In a retreat phase or in adjustments."""

    unit: Unit


class Build(TaggedValue, frozen=True):
    unit: Unit


class Waive(TaggedValue, frozen=True):
    """One build that its power does without."""

    power: PowerId


RetreatOrder = Retreat | Disband
AdjustmentOrder = Build | Disband | Waive
AnyOrder = Order | Ride | Passage | RetreatOrder | AdjustmentOrder


# --- orders as written ----------------------------------------------------------------------------


class WrittenUnit(Value, frozen=True):
    """A unit as somebody named it: its kind and its power may be left out or wrong."""

    location: Location
    kind: UnitKind | None = None
    power: PowerId | None = None


class WrittenHold(TaggedValue, frozen=True):
    unit: WrittenUnit


class WrittenMove(TaggedValue, frozen=True):
    """A move, or a retreat written as a move; `path` holds the provinces between, if written."""

    unit: WrittenUnit
    target: Location
    via_convoy: bool = False
    path: tuple[ProvinceId, ...] = ()


class WrittenSupportHold(TaggedValue, frozen=True):
    unit: WrittenUnit
    supported: WrittenUnit


class WrittenSupportMove(TaggedValue, frozen=True):
    unit: WrittenUnit
    supported: WrittenUnit
    target: Location


class WrittenConvoy(TaggedValue, frozen=True):
    unit: WrittenUnit
    convoyed: WrittenUnit
    target: Location


class WrittenRide(TaggedValue, frozen=True):
    """`A MOS - TSR - IRK`"""

    unit: WrittenUnit
    target: Location


class WrittenPassage(TaggedValue, frozen=True):
    """`SC BRITAIN F RED - MED`; the fleet's power may be left out for one's own."""

    unit: WrittenUnit
    target: Location


class WrittenRetreat(TaggedValue, frozen=True):
    unit: WrittenUnit
    target: Location


class WrittenBuild(TaggedValue, frozen=True):
    unit: WrittenUnit


class WrittenDisband(TaggedValue, frozen=True):
    unit: WrittenUnit


class WrittenWaive(TaggedValue, frozen=True):
    count: int = 1
    power: PowerId | None = None


WrittenOrder = (
    WrittenHold
    | WrittenMove
    | WrittenSupportHold
    | WrittenSupportMove
    | WrittenConvoy
    | WrittenRide
    | WrittenPassage
    | WrittenRetreat
    | WrittenBuild
    | WrittenDisband
    | WrittenWaive
)

OrdersByPower = Mapping[PowerId, Sequence[WrittenOrder]]


def other_unit(order: AnyOrder | WrittenOrder) -> Unit | WrittenUnit | None:
    """The unit that an order supports or convoys, None if it does neither."""
    found: Unit | WrittenUnit | None = getattr(order, "supported", None)
    return found or getattr(order, "convoyed", None)


def is_hidden(unit: Unit | WrittenUnit) -> bool:
    """Whether a unit stands where the reader of a blind game does not see it."""
    return unit.location.province == HIDDEN


def is_obscured(order: AnyOrder | WrittenOrder) -> bool:
    """Whether an order names something that is out of sight."""
    if isinstance(order, Waive | WrittenWaive):
        return False
    other = other_unit(order)
    target: Location | None = getattr(order, "target", None)
    return (
        is_hidden(order.unit)
        or (other is not None and is_hidden(other))
        or (target is not None and target.province == HIDDEN)
    )
