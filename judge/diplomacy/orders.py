"""Units, locations and orders: the small values that everything about the game is made of.

Knows nothing of boards, letters or rules. `written` values are what somebody wrote, free of any
position (`notation.py` reads them); orders are what a unit on the board is told to do
(`legality.py` makes them from written ones).
"""

from enum import StrEnum
from typing import NewType

from judge.diplomacy.values import value

ProvinceId = NewType("ProvinceId", str)
PowerId = NewType("PowerId", str)


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


@value
class Location:
    """Where a unit can stand: a province, and for a fleet the coast if the board names any."""

    province: ProvinceId
    coast: Coast | None = None

    def __str__(self) -> str:
        return f"{self.province}/{self.coast}" if self.coast else self.province


@value
class Unit:
    """An army or fleet of a power, standing somewhere."""

    power: PowerId
    kind: UnitKind
    location: Location

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


# --- orders of units on the board ---------------------------------------------------------------


@value
class Hold:
    unit: Unit


@value
class Move:
    unit: Unit
    target: Location
    via_convoy: bool = False


@value
class SupportHold:
    unit: Unit
    supported: Unit


@value
class SupportMove:
    unit: Unit
    supported: Unit
    target: Location


@value
class Convoy:
    unit: Unit
    convoyed: Unit
    target: Location


Order = Hold | Move | SupportHold | SupportMove | Convoy


@value
class Retreat:
    unit: Unit
    target: Location


@value
class Disband:
    """In a retreat phase or in adjustments."""

    unit: Unit


@value
class Build:
    unit: Unit


@value
class Waive:
    """One build that its power does without."""

    power: PowerId


RetreatOrder = Retreat | Disband
AdjustmentOrder = Build | Disband | Waive
AnyOrder = Order | RetreatOrder | AdjustmentOrder


# --- orders as written ----------------------------------------------------------------------------


@value
class WrittenUnit:
    """A unit as somebody named it: its kind and its power may be left out or wrong."""

    location: Location
    kind: UnitKind | None = None
    power: PowerId | None = None


@value
class WrittenHold:
    unit: WrittenUnit


@value
class WrittenMove:
    """A move, or a retreat written as a move; `path` holds the provinces between, if written."""

    unit: WrittenUnit
    target: Location
    via_convoy: bool = False
    path: tuple[ProvinceId, ...] = ()


@value
class WrittenSupportHold:
    unit: WrittenUnit
    supported: WrittenUnit


@value
class WrittenSupportMove:
    unit: WrittenUnit
    supported: WrittenUnit
    target: Location


@value
class WrittenConvoy:
    unit: WrittenUnit
    convoyed: WrittenUnit
    target: Location


@value
class WrittenRetreat:
    unit: WrittenUnit
    target: Location


@value
class WrittenBuild:
    unit: WrittenUnit


@value
class WrittenDisband:
    unit: WrittenUnit


@value
class WrittenWaive:
    count: int = 1


WrittenOrder = (
    WrittenHold
    | WrittenMove
    | WrittenSupportHold
    | WrittenSupportMove
    | WrittenConvoy
    | WrittenRetreat
    | WrittenBuild
    | WrittenDisband
    | WrittenWaive
)
