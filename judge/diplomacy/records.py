"""What the game hands over its seam: states, reports, views, notes and problems, with their JSON.

The shapes that `render/diplomacy/` puts into words. They hold values and no sentences; orders stand
in canonical notation only where nobody looks inside them.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

import msgspec

from judge.diplomacy.orders import AnyOrder, Location, PowerId, ProvinceId, Unit, Value
from judge.diplomacy.outcomes import Result, SetAside, VoidReason
from judge.diplomacy.position import Dislodged
from judge.diplomacy.rules import EndKind

FORMAT = 1


class Values(Value, frozen=True):
    """A value that crosses the seam as JSON."""

    def to_raw(self) -> msgspec.Raw:
        """The value as JSON; pair of `from_bytes`."""
        return msgspec.Raw(msgspec.json.encode(self))

    @classmethod
    def from_bytes(cls, data: bytes | msgspec.Raw) -> Self:
        """The value of `to_raw`. Raises ValueError: the JSON is none of ours, or a newer
        judge's."""
        return msgspec.json.decode(data, type=cls)


class Recorded(Values, frozen=True, tag_field="format", tag=FORMAT):
    """A value that is stored; its JSON object carries the format number."""


# --- states and views -----------------------------------------------------------------------------


class GameState(Recorded, frozen=True, kw_only=True):
    """A game between two phases: all that `resolve` needs beside the orders."""

    variant: str
    rules: str  # the name of the preset
    label: str  # the phase that is waited for, `S1901M`
    serial: int  # that phase's number in the game, from 1
    units: tuple[Unit, ...] = ()
    owners: Mapping[ProvinceId, PowerId]  # the owner of each owned supply center
    dislodged: tuple[Dislodged, ...] = ()
    contested: tuple[ProvinceId, ...] = ()
    # Powers that have won, or share the draw; then nothing is awaited any more.
    winners: tuple[PowerId, ...] = ()
    # Single rules chosen on top of the preset, by issue: `4.A.2`, `szykman`.
    choices: Mapping[str, str] = {}
    options: Mapping[str, str] = {}  # what was chosen about the variant: `railway`, `false`
    quiet_years: int = 0  # for how many years no center has changed hands
    end: EndKind | None = None  # what ended the game, by `winners` or with a draw that they share
    is_draw: bool = False
    joined: str = ""  # the seat to which a coin gave the powers that nobody played; empty before
    is_blind: bool = False  # each seat sees only what stands beside its own units and centers


class Joining(Value, frozen=True, kw_only=True):
    """Powers that nobody played, and those of the player who has them by the toss of a coin."""

    powers: tuple[PowerId, ...] = ()
    to: tuple[PowerId, ...] = ()  # empty until it is tossed
    label: str  # the first phase in which they order their units


class Adjustment(Value, frozen=True):
    """What a power owes in adjustments."""

    power: PowerId
    # builds, disbands: how many are due; one of them is 0. `builds` counts only what can be built:
    # never more than there are open centers to build in.
    builds: int = 0
    disbands: int = 0
    open: tuple[ProvinceId, ...] = ()  # owned and empty centers where it may build


class View(GameState, frozen=True, kw_only=True):
    """What a seat (with `seat` None: everybody) may see of a state, with what follows from it."""

    kind: str  # `M`, `R` or `A`
    seat: str | None = None  # the id of the reader's seat
    own: tuple[PowerId, ...] = ()  # that seat's powers
    powers: tuple[PowerId, ...] = ()  # all powers, in the order of everything listed
    # One for each power that owes builds or removals; only in adjustments.
    adjustments: tuple[Adjustment, ...] = ()
    may_waive: bool = True  # whether the rules know an order that leaves a build out (DATC 4.D.7)
    # Whether units removed by rule are those farthest from home, not from any center of their power
    # (DATC 4.D.8).
    from_home: bool = True
    unseen: tuple[ProvinceId, ...] = ()  # of a blind game: what the reader does not see


# --- reports --------------------------------------------------------------------------------------


class CenterChange(Value, frozen=True, kw_only=True):
    """A supply center that changed hands; `before` is None if it was nobody's."""

    center: ProvinceId
    before: PowerId | None = None
    after: PowerId


class PhaseReport(Recorded, frozen=True, kw_only=True):
    """What happened in a phase, for everybody."""

    variant: str
    # label, kind: the phase that ran.
    label: str
    kind: str
    powers: tuple[PowerId, ...] = ()
    # Movement: every unit, those without an order as `H`; retreats: each dislodged unit;
    # Adjustments: orders and the removals made by rule. By power, A before F, location.
    results: tuple[Result, ...] = ()
    units: tuple[Unit, ...] = ()  # all units after the phase, dislodged ones left out
    owners: Mapping[ProvinceId, PowerId]  # owners after the phase
    # Powers in civil disorder for this phase, which were asked and sent nothing.
    disorder: tuple[PowerId, ...] = ()
    # Powers with something to do in this phase that were not missing, and for which no line was
    # stored.
    unordered: tuple[PowerId, ...] = ()
    # Units driven out in this phase, with where they may go (none: disbanded).
    dislodged: tuple[Dislodged, ...] = ()
    # Provinces left empty by a standoff, closed to retreats; in movement only.
    contested: tuple[ProvinceId, ...] = ()
    # Supply centers that changed hands at the end of this phase.
    changes: tuple[CenterChange, ...] = ()
    is_count: bool = False  # whether supply centers were counted at the end of this phase
    out: tuple[PowerId, ...] = ()  # powers that lost their last unit and center in this phase
    # winners, end, is_draw: as in the state.
    winners: tuple[PowerId, ...] = ()
    next_label: str = ""  # the phase that follows in the calendar, skipped or not
    end: EndKind | None = None
    is_draw: bool = False
    # For how many years no center has changed hands, if `quiet_limit` of them end the game; 0 where
    # they do not.
    quiet_years: int = 0
    quiet_limit: int = 0
    unplayed: tuple[PowerId, ...] = ()  # powers that nobody plays
    joining: Joining | None = None  # what a coin said at the end of this phase
    # How many builds each power left out, by an order or without one.
    waived: Mapping[PowerId, int] = {}
    idle: tuple[ProvinceId, ...] = ()  # where units stood that had no order, in movement only
    # Of a blind game: what the reader does not see after it; the report has nothing of it.
    unseen: tuple[ProvinceId, ...] = ()


class OwnReport(Recorded, frozen=True, kw_only=True):
    """A phase for one seat."""

    powers: tuple[PowerId, ...] = ()  # those of the seat
    results: tuple[Result, ...] = ()  # its own results, as in the public part
    ordered: int  # how many of them it had ordered itself (units without an order just hold)
    set_aside: tuple[SetAside, ...] = ()  # stored lines that stood for no order when the phase ran
    dislodged: tuple[Dislodged, ...] = ()  # its own units that were driven out
    idle: tuple[ProvinceId, ...] = ()  # where the units stood that had no order


# --- problems and notes ---------------------------------------------------------------------------


class Expected(StrEnum):
    """What could have stood where reading stopped."""

    UNIT = "unit"  # a unit: A PAR
    PLACE = "place"  # a province
    MOVE = "move"  # - or "to"
    HOLD = "hold"  # H
    SUPPORT = "support"  # S
    CONVOY = "convoy"  # C
    VIA = "via"  # VIA
    RETREAT = "retreat"  # R
    DISBAND = "disband"  # D
    BUILD = "build"  # B
    WAIVE = "waive"  # WAIVE
    NUMBER = "number"
    POWER = "power"
    END = "end"  # the order was complete here


class ReadingKind(StrEnum):
    """Problem kinds that are about the words; the others are the `VoidReason`s.

    Their values are `ProblemValues`; the fields that each kind fills stand behind it.
    """

    NO_PROVINCE = "no_province"  # word, nearest: a word where a province should be
    NOT_EXPECTED = "not_expected"  # word, expected: known or not, it does not fit there
    OPEN = "open"  # no word says who does what
    DOUBTED = "doubted"  # word: it takes the order back, dates it, or makes it depend on something
    UNFINISHED = "unfinished"  # expected, order is None: the line ends too soon
    AMBIGUOUS = "ambiguous"  # word, places: a short name with several readings that fit
    NONE_FITS = "none_fits"  # word, places: a short name, and no reading of it fits
    TOO_LONG = "too_long"  # the line is longer than a line of orders can be
    NOT_READ = "not_read"  # the letter has more faulty lines than are looked at
    GAME_OVER = "game_over"  # nothing is awaited any more
    NOTHING_DUE = "nothing_due"  # this seat has nothing to send in this phase
    # Lines of a position.
    NO_OWNER = "no_owner"  # a unit of no power
    NO_SUCH_UNIT = "no_such_unit"  # lines: units that could stand there
    WHICH_UNIT = "which_unit"  # lines: units that may be meant
    TWO_UNITS = "two_units"  # other: the unit that stands there
    NO_CENTER = "no_center"  # places
    TWO_OWNERS = "two_owners"  # places, power: whose it was said to be before
    NO_RETREATS = "no_retreats"  # a dislodged unit in a phase without retreats
    NO_ORIGIN = "no_origin"  # lines: it does not say where the attacker came from
    NO_WAY_OUT = "no_way_out"  # places: none of the retreats that were named ahead is possible


ProblemKind = ReadingKind | VoidReason


class NoteKind(StrEnum):
    """Things to tell of a line that was taken, with the fields of `NoteValues` they fill."""

    REPLACED = "replaced"  # order: the earlier line of this letter that this one replaces
    COAST_FILLED = "coast_filled"  # place: the only coast the unit can reach (or stands on)
    COAST_BY_RULE = "coast_by_rule"  # place: of several coasts, the one that the rules choose
    COAST_DROPPED = "coast_dropped"  # place: a coast was named that means nothing there
    COAST_CORRECTED = "coast_corrected"  # place: the coast that was meant
    KIND_CORRECTED = "kind_corrected"  # unit: written as the other kind of unit
    ARMY_BUILT = "army_built"  # unit: a fleet was to be built where none can be
    STANDS_IMPOSSIBLE = "stands_impossible"  # order: a move that stands, and never arrives
    STANDS_WITHOUT_EFFECT = "stands_without_effect"  # order: it breaks the rules, and is printed
    SHOWS_INTENT = "shows_intent"  # order, unit: a convoy that only says how the army means to go
    POWER_CORRECTED = "power_corrected"  # unit: written as another power's
    NAME_TAKEN = "name_taken"  # word, place: a short name of which one reading fits
    SUPPORTED_ELSEWHERE = "supported_elsewhere"  # unit, order: own supported unit does otherwise
    ARMY_ELSEWHERE = "army_elsewhere"  # unit, order: own army to be convoyed does otherwise
    NO_FLEETS = "no_fleets"  # unit: an army by sea, and no own fleet of the seat convoys it
    DISLODGES_OWN = "dislodges_own"  # order; unit: the own one at its target, which stays
    SECOND_RIDE = "second_ride"  # text: the own rides of this turn, of which none is carried out
    NEEDS_PERMISSION = "needs_permission"  # unit: another power's, beside the canal
    # Remarks on orders of a practice game, after the phase.
    OWN_STANDOFF = "own_standoff"  # order, unit, place: both wanted the same province
    OWN_UNIT_STAYED = "own_unit_stayed"  # order, unit, place: an own unit was in the way
    SUPPORT_UNMATCHED = "support_unmatched"  # order, unit: the unit did something else
    SUPPORT_NOT_NEEDED = "support_not_needed"  # order, place: nobody was against it
    IDLE_BESIDE_CENTER = "idle_beside_center"  # unit, place: a center that nobody owns
    SUPPORT_MISSING = "support_missing"  # order: it failed alone against one alone
    ALL_SUCCEEDED = "all_succeeded"
    GOAL_OCCUPIED = "goal_occupied"  # unit: it stands where a train is to end, as far as is known


class ProblemValues(Values, frozen=True):
    """The values of a problem; which are filled depends on its kind."""

    word: str = ""  # the smallest wrong part, as written
    expected: tuple[Expected, ...] = ()  # what could stand there
    nearest: tuple[ProvinceId, ...] = ()  # provinces whose names are near
    unit: Unit | None = None  # the own unit concerned, if it can be told
    order: str = ""  # the order as it was read, canonical
    power: PowerId | None = None  # the power named or concerned
    # The other unit concerned: the foreign one, the supported or convoyed one.
    other: Unit | None = None
    places: tuple[Location, ...] = ()  # locations to choose from, or that there are
    label: str = ""  # the phase that is due
    count: int = 0  # how many are due
    # Full lines that this unit could be given, where nothing is proposed.
    lines: tuple[str, ...] = ()


class NoteValues(Values, frozen=True):
    """The values of a note; which are filled depends on its kind."""

    word: str = ""
    place: Location | None = None
    unit: Unit | None = None
    order: AnyOrder | None = None
    text: str = ""
