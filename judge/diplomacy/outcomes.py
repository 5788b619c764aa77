"""Outcomes: what befell an order, and what decided it, as data.

Yes and no are derived from these values and stored nowhere else, so a reason cannot disagree with
its result. Sentences are made elsewhere.
"""

from enum import StrEnum
from typing import Self

from judge.diplomacy import orders as o
from judge.diplomacy.position import Dislodged


class BounceKind(StrEnum):
    """What a move failed against."""

    STANDOFF = "standoff"  # another move into the same province
    HEAD_TO_HEAD = "head_to_head"  # a unit that came the other way
    HELD = "held"  # the unit there stayed, whatever its order
    OWN_UNIT = "own_unit"  # the unit there stayed and is its own power's


class Explained(StrEnum):
    """A kind with its short English, for programs and their logs (letters have sentences), and the
    rule of the Colonial rulebook that it follows from."""

    short: str
    rule: str

    def __new__(cls, value: str, short: str = "", rule: str = "") -> Self:
        kind = str.__new__(cls, value)
        kind._value_, kind.short, kind.rule = value, short, rule
        return kind


class VoidReason(Explained):
    """Why an order had no effect. `Void` holds the values that belong to it."""

    # Breaks the rules whatever the other orders are (DATC chapter 3, 4.E.1).
    NO_UNIT = "no_unit", "no unit of this power stands there"
    FOREIGN_UNIT = "foreign_unit", "the unit is another power's"
    WRONG_KIND = "wrong_kind", "the unit is of the other kind"
    WRONG_POWER = "wrong_power", "the unit's power is named wrongly or not at all"
    WRONG_PHASE = "wrong_phase", "an order for another kind of phase"
    SAME_PROVINCE = "same_province", "the unit stands there already"
    CANNOT_STAND = "cannot_stand", "such a unit cannot stand there"
    CLOSED = "closed", "nobody may enter that province"
    NOT_ADJACENT = "not_adjacent", "no way there in one step, nor by convoy"
    NO_CONVOY_POSSIBLE = "no_convoy_possible", "no fleets stand where a convoy would need them"
    VIA_IMPOSSIBLE = "via_impossible", "no fleets stand where a convoy there would need them"
    COAST_NEEDED = "coast_needed", "the coast must be named"
    COAST_NOT_REACHED = "coast_not_reached", "the unit does not reach that coast"
    NO_SUCH_COAST = "no_such_coast", "no such coast there"
    WRONG_COAST = "wrong_coast", "the unit stands on another coast"
    SUPPORTS_ITSELF = (
        "supports_itself",
        "a unit supports neither itself nor a move to where it stands",
    )
    CANNOT_SUPPORT_THERE = "cannot_support_there", "the supporter could not go there itself"
    NOTHING_TO_SUPPORT = "nothing_to_support", "no unit stands where the supported one is named"
    SUPPORTED_CANNOT = "supported_cannot", "the supported unit can never make that move"
    SUPPORTED_NEEDS_THIS_FLEET = (
        "supported_needs_this_fleet",
        "the supported unit could make that move only if this fleet convoyed it",
    )
    SUPPORT_COAST_NEEDED = "support_coast_needed", "the support must name the coast"
    NOT_A_FLEET = "not_a_fleet", "only fleets convoy"
    NOT_AT_SEA = "not_at_sea", "only fleets at sea convoy"
    NOTHING_TO_CONVOY = "nothing_to_convoy", "no army stands where the convoyed one is named"
    NOT_AN_ARMY = "not_an_army", "only armies are convoyed"
    NOT_ON_ROUTE = "not_on_route", "no route of that army needs this fleet"
    TWO_ORDERS = "two_orders", "several different orders to one unit"  # DATC 4.D.3
    NOT_A_RETREAT = "not_a_retreat", "not among the unit's retreats"
    RETREAT_TOO_FAR = "retreat_too_far", "not among the unit's retreats: not adjacent"
    RETREAT_OCCUPIED = "retreat_occupied", "not among the unit's retreats: a unit stands there"
    RETREAT_CONTESTED = (
        "retreat_contested",
        "not among the unit's retreats: a standoff left it empty",
    )
    RETREAT_TO_ATTACKER = (
        "retreat_to_attacker",
        "not among the unit's retreats: its attacker came from there",
    )
    NO_BUILD_DUE = "no_build_due", "more builds than are due"
    NO_DISBAND_DUE = "no_disband_due", "more removals than are due"
    NOT_A_HOME_CENTER = "not_a_home_center", "not a home center of this power"
    NOBODYS_HOME_CENTER = "nobodys_home_center", "not a home center of any power"
    NOT_A_CENTER = "not_a_center", "not a supply center"
    NO_HOME_CENTER_OWNED = "no_home_center_owned", "this power owns none of its home centers"
    NOT_OWNED = "not_owned", "this power does not own the center"
    OCCUPIED = "occupied", "a unit stands there"
    BUILT_TWICE = "built_twice", "another build stands in the same province"  # DATC 4.D.5
    KIND_NEEDED = "kind_needed", "army or fleet must be said"  # DATC 4.C.3
    ALREADY_REMOVED = "already_removed", "the unit is removed already"
    MAY_NOT_WAIVE = "may_not_waive", "these rules know no waiving"  # DATC 4.D.7

    # Legal, but matches no order.
    SUPPORTED_MOVES = "supported_moves", "the supported unit was ordered to move"
    SUPPORTED_STAYS = "supported_stays", "the supported unit was not ordered to move"
    SUPPORTED_GOES_ELSEWHERE = (
        "supported_goes_elsewhere",
        "the supported unit was ordered elsewhere",
    )
    ARMY_STAYS = "army_stays", "the army was not ordered to move"
    ARMY_GOES_ELSEWHERE = "army_goes_elsewhere", "the army was ordered elsewhere"
    ARMY_GOES_BY_LAND = "army_goes_by_land", "the army goes by land"
    CIVIL_DISORDER = "civil_disorder", "a unit in civil disorder cannot be supported"

    # Of variants' own rules (railway.py, canal.py).
    NO_RAILWAY = "no_railway", "no railway here"
    NOT_ITS_RAILWAY = "not_its_railway", "the railway is another power's", "9.21"
    NOT_A_TRAIN = "not_a_train", "only armies ride", "9.2"
    NOT_A_STATION = "not_a_station", "the railway has no such station", "9.21"
    SECOND_TRAIN = "second_train", "one army a turn rides", "9.22"
    NO_CANAL = "no_canal", "no canal here"
    NO_CANAL_UNIT = "no_canal_unit", "the power has no unit at the canal", "9.31"
    NOBODY_AT_CANAL = "nobody_at_canal", "nobody stands at the canal", "9.31"
    NOT_AT_CANAL = "not_at_canal", "no fleet there that can pass the canal", "9.34"
    OTHERS_FLEET = "others_fleet", "the fleet there is another power's", "9.34"
    NO_PERMISSION = "no_permission", "no permission to pass the canal", "9.34"
    NOT_PASSING = "not_passing", "the fleet was not ordered through the canal", "9.34"

    @classmethod
    def _missing_(cls, value: object) -> "VoidReason | None":
        # As the first release has stored them.
        renamed: dict[object, VoidReason]
        renamed = {"no_keeper": cls.NO_CANAL_UNIT, "no_leave": cls.NO_PERMISSION}
        return renamed.get(value)


class DisbandReason(Explained):
    """Why a unit left the board without an order that says so."""

    NO_RETREAT = "no_retreat", "nowhere to retreat"
    AT_ONCE = "at_once", "no unit retreats in this game"
    NOT_ORDERED = "not_ordered", "no legal retreat was ordered"
    CLASH = "clash", "another unit retreated to the same province"
    CIVIL_DISORDER = "civil_disorder", "its power is in civil disorder"
    NOT_PLAYED = "not_played", "nobody plays its power"
    CHOSEN_BY_RULE = "chosen_by_rule", "removed by the rule of civil disorder"


class DisruptionKind(StrEnum):
    """What broke a convoy."""

    DISLODGED = "dislodged"  # a fleet was dislodged on every route (or on one: DATC 4.A.1)
    PARADOX = "paradox"  # the rule for convoy paradoxes stopped it (DATC 4.A.2)
    CANAL_UNIT_LEFT = "canal_unit_left"  # the unit that keeps a canal open left it
    ALL_HOLD = "all_hold"  # the same rule stopped every move of the paradox, also without convoy

    @classmethod
    def _missing_(cls, value: object) -> "DisruptionKind | None":
        return cls.CANAL_UNIT_LEFT if value == "keeper_left" else None  # of the first release


class Bounced(o.TaggedValue, frozen=True):
    """The move failed against equal or greater strength."""

    kind: BounceKind  # how they met
    against: o.Order | o.Ride  # the order of the unit it failed against
    strength: int  # ours, the unit included; 0 where our power would dislodge its own unit
    resistance: int  # theirs; a success needs more
    supporters: tuple[o.Unit, ...] = ()  # whose supports made ours
    opposing: tuple[o.Unit, ...] = ()  # whose supports made theirs


class Cut(o.TaggedValue, frozen=True):
    """The support was cut by a move into the supporter's province."""

    by: o.Move


class DislodgedBy(o.TaggedValue, frozen=True):
    """The unit was driven out."""

    by: o.Move  # the move that did it
    strength: int  # of that move, its unit included
    resistance: int  # strength with which the province was held
    supporters: tuple[o.Unit, ...] = ()  # whose supports made the attack
    opposing: tuple[o.Unit, ...] = ()  # whose supports held the province
    by_convoy: bool = False  # whether the attacker came by convoy


class Void(o.TaggedValue, frozen=True):
    """The order had no effect; a unit so ordered holds."""

    reason: VoidReason  # why
    illegal: bool  # True if the order broke the rules, False if it matched no other order
    # The other unit concerned: the foreign one, the supported or convoyed one, the one in the way.
    unit: o.Unit | None = None
    order: o.AnyOrder | None = None  # what that other unit was ordered to do
    # Locations concerned: the coasts to choose from, the retreats there are.
    places: tuple[o.Location, ...] = ()


class NoConvoy(o.TaggedValue, frozen=True):
    """The move needed a convoy, and the convoys that were ordered make no route, if there were any
    (`is_ordered`); or it breaks a rule (`why`) and stands as a move that fails (DATC 4.E.1)."""

    is_ordered: bool = True
    why: VoidReason | None = None


class Disrupted(o.TaggedValue, frozen=True):
    """A convoy route was ordered and broken, or a paradox stopped the move."""

    kind: DisruptionKind  # what broke it
    fleets: tuple[o.Unit, ...] = ()  # the fleets that the break is about
    # The moves that dislodged them, in the same order; empty for a paradox.
    by: tuple[o.Move, ...] = ()


class Halted(o.TaggedValue, frozen=True):
    """A train ended before the station it was ordered to."""

    station: o.Location  # where it is now; where it came from if it did not get anywhere
    before: o.Location  # the station that it could not pass or enter
    # The order of the unit that stands there, got there, or met the train there.
    against: o.AnyOrder


class RetreatClash(o.TaggedValue, frozen=True):
    """Other units retreated to the same province."""

    others: tuple[o.Retreat, ...]


class Disbanded(o.TaggedValue, frozen=True):
    """The unit left the board without an order that says so."""

    reason: DisbandReason


class WithoutEffect(o.TaggedValue, frozen=True):
    """A note on a support that stood and yet added nothing to the attack: `unit` is of the
    supporter's or of the mover's own power, and no power dislodges its own unit, nor helps others
    to (rulebook 2000, rule 12). `in_standoff`: whether it counted against others that wanted to
    enter the province."""

    unit: o.Unit
    in_standoff: bool = False


class OutOfSight(o.TaggedValue, frozen=True):
    """In a blind game: what befell a support or convoy of a unit that its power did not see is not
    told, as it would tell of that unit."""


Outcome = (
    Bounced
    | Cut
    | DislodgedBy
    | Void
    | NoConvoy
    | Disrupted
    | Halted
    | RetreatClash
    | Disbanded
    | WithoutEffect
    | OutOfSight
)


class Result(o.Value, frozen=True):
    """What became of one order."""

    power: o.PowerId  # whose it is
    # The order; as it was written if it was illegal (then `outcomes` holds that `Void`).
    order: o.AnyOrder | o.WrittenOrder
    # Empty if the order did all it said; otherwise in the order of `Outcome`'s kinds as they befell
    # it: the order's own fate first, then the unit's.
    outcomes: tuple[Outcome, ...] = ()
    unit: o.Unit | None = None  # the unit, None for a waive or for a build that failed
    by_convoy: bool = False  # whether a move went, or tried to go, by convoy

    @property
    def succeeded(self) -> bool:
        """Whether the order did what it said; a unit may be dislodged all the same."""
        return all(isinstance(each, DislodgedBy | WithoutEffect) for each in self.outcomes)

    @property
    def is_dislodged(self) -> bool:
        """Whether the unit was driven out."""
        return any(isinstance(each, DislodgedBy) for each in self.outcomes)

    @property
    def is_untold(self) -> bool:
        """Whether a blind game does not tell what became of the order."""
        return any(isinstance(each, OutOfSight) for each in self.outcomes)


class SetAside(o.Value, frozen=True):
    """A line that stands for no unit's order: a foreign or absent unit's, or one of too many."""

    power: o.PowerId
    written: o.WrittenOrder  # the line's order
    void: Void  # why


class Resolved(o.Value, frozen=True):
    """A phase, resolved."""

    # Movement: one for each unit, in the order of the position; retreats: one for each dislodged
    # unit; adjustments: orders and removals by rule, by power.
    results: tuple[Result, ...]
    set_aside: tuple[SetAside, ...]  # lines that stand for no unit's order
    units: tuple[o.Unit, ...]  # all units after it, dislodged ones left out
    # Units driven out, with where they may go; in the order of the position.
    dislodged: tuple[Dislodged, ...] = ()
    contested: tuple[o.ProvinceId, ...] = ()  # provinces left empty by a standoff, in order


def ride_halting_rule(ride: o.Ride, halted: Halted) -> str:
    """The number of the rule that ended a ride before its goal.

    Rule: Colonial rulebook (seed 004) 9.2 and 7.41, as docs/rules.md has them row by row.
    """
    against, before = halted.against, halted.before.province
    assert not isinstance(against, o.Waive)
    unit = against.unit
    if unit.power == ride.unit.power:
        return "9.23"  # a unit of its own stays, or arrives, where it should end
    goal = against.target.province if isinstance(against, o.Move) else None
    if goal == ride.unit.location.province:
        return "7.41"  # they do not change places
    if goal == before:
        return "9.25"  # an attack on a station that it needs
    return "9.23" if before == ride.target.province else "9.241"
