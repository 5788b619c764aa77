"""Units, locations and orders: the small values that everything about the game is made of.

Knows nothing of boards, letters or rules. `written` values are what somebody wrote, free of any
position (`language/notation.py` reads them); orders are what a unit on the board is told to do
(`legality.py` makes them from written ones).

Nobody changes a value, which tests/diplomacy/test_values.py checks: `frozen=True` would make each
of them four times as slow to make, and a phase makes them by the hundred. Those that it makes write
their `__init__` out: in the compiled judge it is machine code then, which a dataclass's own is not.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

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


@dataclass(slots=True, unsafe_hash=True)
class Location:
    """Where a unit can stand: a province, and for a fleet the coast if the board names any."""

    province: ProvinceId
    coast: Coast | None = None

    def __init__(self, province: ProvinceId, coast: Coast | None = None) -> None:
        self.province = province
        self.coast = coast

    def __str__(self) -> str:
        return f"{self.province}/{self.coast}" if self.coast else self.province


@dataclass(slots=True, unsafe_hash=True)
class Unit:
    """An army or fleet of a power, standing somewhere."""

    power: PowerId
    kind: UnitKind
    location: Location

    def __init__(self, power: PowerId, kind: UnitKind, location: Location) -> None:
        self.power = power
        self.kind = kind
        self.location = location

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


# --- orders of units on the board ---------------------------------------------------------------


@dataclass(slots=True, unsafe_hash=True)
class Hold:
    unit: Unit

    def __init__(self, unit: Unit) -> None:
        self.unit = unit


@dataclass(slots=True, unsafe_hash=True)
class Move:
    unit: Unit
    target: Location
    via_convoy: bool = False

    def __init__(self, unit: Unit, target: Location, via_convoy: bool = False) -> None:
        self.unit = unit
        self.target = target
        self.via_convoy = via_convoy


@dataclass(slots=True, unsafe_hash=True)
class SupportHold:
    unit: Unit
    supported: Unit

    def __init__(self, unit: Unit, supported: Unit) -> None:
        self.unit = unit
        self.supported = supported


@dataclass(slots=True, unsafe_hash=True)
class SupportMove:
    unit: Unit
    supported: Unit
    target: Location

    def __init__(self, unit: Unit, supported: Unit, target: Location) -> None:
        self.unit = unit
        self.supported = supported
        self.target = target


@dataclass(slots=True, unsafe_hash=True)
class Convoy:
    unit: Unit
    convoyed: Unit
    target: Location

    def __init__(self, unit: Unit, convoyed: Unit, target: Location) -> None:
        self.unit = unit
        self.convoyed = convoyed
        self.target = target


Order = Hold | Move | SupportHold | SupportMove | Convoy


@dataclass(slots=True, unsafe_hash=True)
class Ride:
    """A move along a railway to any of its stations, of a variant that has one."""

    unit: Unit
    target: Location


@dataclass(slots=True, unsafe_hash=True)
class Passage:
    """A power's leave for a fleet to pass its canal, of a variant that has one. It stands beside
    the order of the power's unit there."""

    power: PowerId
    unit: Unit
    target: Location


@dataclass(slots=True, unsafe_hash=True)
class Retreat:
    unit: Unit
    target: Location


@dataclass(slots=True, unsafe_hash=True)
class Disband:
    """In a retreat phase or in adjustments."""

    unit: Unit


@dataclass(slots=True, unsafe_hash=True)
class Build:
    unit: Unit


@dataclass(slots=True, unsafe_hash=True)
class Waive:
    """One build that its power does without."""

    power: PowerId


RetreatOrder = Retreat | Disband
AdjustmentOrder = Build | Disband | Waive
AnyOrder = Order | Ride | Passage | RetreatOrder | AdjustmentOrder


# --- orders as written ----------------------------------------------------------------------------


@dataclass(slots=True, unsafe_hash=True)
class WrittenUnit:
    """A unit as somebody named it: its kind and its power may be left out or wrong."""

    location: Location
    kind: UnitKind | None = None
    power: PowerId | None = None


@dataclass(slots=True, unsafe_hash=True)
class WrittenHold:
    unit: WrittenUnit


@dataclass(slots=True, unsafe_hash=True)
class WrittenMove:
    """A move, or a retreat written as a move; `path` holds the provinces between, if written."""

    unit: WrittenUnit
    target: Location
    via_convoy: bool = False
    path: tuple[ProvinceId, ...] = ()


@dataclass(slots=True, unsafe_hash=True)
class WrittenSupportHold:
    unit: WrittenUnit
    supported: WrittenUnit


@dataclass(slots=True, unsafe_hash=True)
class WrittenSupportMove:
    unit: WrittenUnit
    supported: WrittenUnit
    target: Location


@dataclass(slots=True, unsafe_hash=True)
class WrittenConvoy:
    unit: WrittenUnit
    convoyed: WrittenUnit
    target: Location


@dataclass(slots=True, unsafe_hash=True)
class WrittenRide:
    """`A MOS - TSR - IRK`"""

    unit: WrittenUnit
    target: Location


@dataclass(slots=True, unsafe_hash=True)
class WrittenPassage:
    """`SC BRITAIN F RED - MED`; the fleet's power may be left out for one's own."""

    unit: WrittenUnit
    target: Location


@dataclass(slots=True, unsafe_hash=True)
class WrittenRetreat:
    unit: WrittenUnit
    target: Location


@dataclass(slots=True, unsafe_hash=True)
class WrittenBuild:
    unit: WrittenUnit


@dataclass(slots=True, unsafe_hash=True)
class WrittenDisband:
    unit: WrittenUnit


@dataclass(slots=True, unsafe_hash=True)
class WrittenWaive:
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
