"""The choices in which rulebook editions differ, as small enums gathered in named presets; and what
masters choose beside them: where powers build, which orders stand, how games end.

Numbers and values are those of the DATC's chapter 4 (docs/rules.md says where each preset's choice
comes from). The code asks for a choice, never for an edition.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum

import msgspec

from judge.data import read_text
from judge.diplomacy.orders import PowerId


class ConvoyRoutes(StrEnum):
    """4.A.1: when a convoy with several routes is broken."""

    ANY_ROUTE = "any_route"  # as soon as one route loses a fleet
    ALL_ROUTES = "all_routes"  # only when no route is left
    DPTG = "dptg"  # as any_route; foreign fleets are left out where own ones make a route


class ConvoyParadox(StrEnum):
    """4.A.2: how a convoy paradox is settled."""

    R1971 = "1971"  # a convoyed army cuts no support for an attack on a fleet that convoys it
    R1982 = "1982"  # nor any support into or in a sea that holds a convoying fleet
    R2000 = "2000"  # as 1971, only for fleets that the convoy needs; Szykman where it is silent
    ALL_HOLD = "all_hold"  # every move of the paradox fails
    SZYKMAN = "szykman"  # the convoying fleets of the paradox act as if holding
    DPTG = "dptg"  # all convoys fail if that is consistent, else all hold


class LandOrConvoy(StrEnum):
    """4.A.3: which way an army goes to an adjacent province that a convoy reaches too."""

    CONVOY_ALWAYS = "convoy_always"
    OPPOSITE = "opposite"  # by convoy if the unit there comes the other way
    OPPOSITE_UNDISRUPTED = "opposite_undisrupted"  # as that, if the convoy holds
    INTENT_1982 = "1982"  # by convoy if a fleet of its own power convoys it
    INTENT_2_4 = "2.4_d"  # that, or VIA; VIA is ignored where no route is ordered
    INTENT_2000_FALLBACK = "2000_fallback"  # that, or VIA; by land where the convoy fails
    INTENT_2000 = "2000_no_fallback"  # that, or VIA; no other way where the convoy fails
    DPTG = "dptg"  # by convoy only when the order says VIA


class CutByConvoyFromTarget(StrEnum):
    """4.A.4: does a convoyed army cut the support of an attack on where it comes from."""

    NOT_CUT = "a_not_cut"
    CUT = "b_cut"


class RetreatToConvoyedAttacker(StrEnum):
    """4.A.5: may a unit retreat to where an attacker that came by convoy has started."""

    MAY_NOT = "a_may_not"
    MAY_IF_CONVOYED = "b_may_if_convoyed"


class DislodgedBounces(StrEnum):
    """4.A.7: does a dislodged unit bounce others out of where its attacker came from."""

    NEVER = "a_never"
    NOT_HEAD_TO_HEAD = "b_only_head_to_head"  # it does not in a head-to-head battle only


class MissingCoast(StrEnum):
    """4.B.1: a fleet move that names no coast where two are possible."""

    FAILS = "fails"
    DEFAULT_COAST = "default_coast"


class OnlyCoast(StrEnum):
    """4.B.2: a fleet move that names no coast where one is possible."""

    ONLY_COAST = "only_coast"
    FAILS = "fails"


class UnreachableCoast(StrEnum):
    """4.B.3: a fleet move to a coast that it cannot reach, where it reaches another."""

    POSSIBLE_COAST = "possible_coast"
    ILLEGAL = "illegal"


class SupportCoast(StrEnum):
    """4.B.4: the coast in a support of a move."""

    OPTIONAL = "coast_optional"  # need not be named; must match if it is
    MUST_MATCH = "coast_must_match"
    REQUIRED = "coast_required"
    REQUIRED_FOR_FOREIGN = "coast_required_for_foreign"
    IGNORED = "coast_ignored"


class Strictness(StrEnum):
    """4.B.5, 4.B.6: a wrong coast of the ordered fleet; a pointless coast."""

    FAILS = "fails"
    IGNORED = "ignored"


class BuildCoast(StrEnum):
    """4.B.7: a fleet build that names no coast where there are two."""

    REQUIRED = "coast_required"
    DEFAULT_COAST = "default_coast"  # the first by its letters


class Leniency(StrEnum):
    """4.C.1, 4.C.2, 4.C.5, 4.C.6: a unit's kind or nationality left out or wrong.

    A nationality left out is that of a foreign unit to be supported or convoyed.
    """

    INVALID = "a"
    VALID = "b"
    VALID_UNLESS_PROPER = "c"  # valid unless another order to the same unit names all properly


class BuildKind(StrEnum):
    """4.C.3: a build that does not say army or fleet."""

    FAILS = "a"
    ARMY_INLAND = "b"
    ARMY_INLAND_FLEET_WITH_COAST = "c"


class FleetInland(StrEnum):
    """4.C.4: a fleet built inland."""

    FAILS = "fails"
    ARMY_BUILT = "army_built"


class DoubleOrders(StrEnum):
    """4.D.3: several legal orders to one unit in one set."""

    FIRST = "a"
    LAST = "b"
    NONE = "c"


class ExcessBuilds(StrEnum):
    """4.D.4: more builds than are due."""

    ALL_INVALID = "all_invalid"
    FIRST_LEGAL = "first_legal"
    LAST_LEGAL = "last_legal"


class DoubleBuild(StrEnum):
    """4.D.5: two builds in one province."""

    BOTH_FAIL = "a"
    FIRST = "first"
    LAST = "c"


class ExcessDisbands(StrEnum):
    """4.D.6: more removals than are due."""

    CIVIL_DISORDER = "civil_disorder"
    FIRST_LEGAL = "first_legal"
    LAST_LEGAL = "last_legal"


class Waiving(StrEnum):
    """4.D.7: may a power do without a build."""

    MAY = "a"
    MAY_NOT = "b"


class CivilDisorderRemoval(StrEnum):
    """4.D.8: which unit goes when a power orders too few removals."""

    HOME_CENTERS = "2.4_home_centers"  # farthest from home; fleets over water and coast
    OWNED_CENTERS = "2023"  # farthest from any owned center; all over land and water


class CivilDisorderSupport(StrEnum):
    """4.D.9: may others support a unit in civil disorder to hold."""

    MAY_NOT = "a"
    MAY = "b"


class IllegalOrders(StrEnum):
    """4.E.1: what becomes of an illegal order."""

    IGNORED = "illegal_orders_ignored"
    STILL_A_MOVE = "impossible_move_still_a_move"
    NEVER_POSSIBLE = "illegal_only_if_never_possible"
    SHOWS_INTENT = "impossible_order_shows_intent"


class UnknownChoice(ValueError):
    """A variant, a preset, a rule, an option or a value that there is not.

    Attributes:
        kind: what is wrong, as refusals call it: no_variant, no_rules, no_option, no_choice.
        known: those there are.
    """

    def __init__(self, kind: str, text: str, written: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{text}; there are {', '.join(known) or 'none'}")
        self.kind, self.written, self.known = kind, written, known


@dataclass(frozen=True, slots=True)
class Rules:
    """One edition's choices. The defaults are the 3.0 column of the DATC (2023 rules).

    Raises (from the converters):
        UnknownChoice: no such preset, issue or value.
    """

    convoy_routes: ConvoyRoutes = ConvoyRoutes.ALL_ROUTES
    convoy_paradox: ConvoyParadox = ConvoyParadox.SZYKMAN
    land_or_convoy: LandOrConvoy = LandOrConvoy.INTENT_2000
    cut_by_convoy_from_target: CutByConvoyFromTarget = CutByConvoyFromTarget.NOT_CUT
    retreat_to_convoyed_attacker: RetreatToConvoyedAttacker = (
        RetreatToConvoyedAttacker.MAY_IF_CONVOYED
    )
    dislodged_bounces: DislodgedBounces = DislodgedBounces.NOT_HEAD_TO_HEAD
    missing_coast: MissingCoast = MissingCoast.FAILS
    only_coast: OnlyCoast = OnlyCoast.ONLY_COAST
    unreachable_coast: UnreachableCoast = UnreachableCoast.ILLEGAL
    support_coast: SupportCoast = SupportCoast.OPTIONAL
    wrong_coast_of_fleet: Strictness = Strictness.IGNORED
    pointless_coast: Strictness = Strictness.IGNORED
    build_coast: BuildCoast = BuildCoast.REQUIRED
    missing_kind: Leniency = Leniency.VALID
    wrong_kind: Leniency = Leniency.VALID
    build_kind: BuildKind = BuildKind.ARMY_INLAND_FLEET_WITH_COAST
    fleet_inland: FleetInland = FleetInland.FAILS
    missing_power: Leniency = Leniency.VALID
    wrong_power: Leniency = Leniency.VALID
    double_orders: DoubleOrders = DoubleOrders.NONE
    excess_builds: ExcessBuilds = ExcessBuilds.FIRST_LEGAL
    double_build: DoubleBuild = DoubleBuild.FIRST
    excess_disbands: ExcessDisbands = ExcessDisbands.FIRST_LEGAL
    waiving: Waiving = Waiving.MAY
    civil_disorder_removal: CivilDisorderRemoval = CivilDisorderRemoval.OWNED_CENTERS
    civil_disorder_support: CivilDisorderSupport = CivilDisorderSupport.MAY
    illegal_orders: IllegalOrders = IllegalOrders.IGNORED

    @staticmethod
    def preset(name: str) -> "Rules":
        """The choices of `2000`, `2023`, `1971`, `1982` or `dptg`."""
        if name not in PRESETS:
            raise UnknownChoice("no_rules", f"no preset {name!r}", name, tuple(PRESETS))
        return PRESETS[name]

    @staticmethod
    def from_choices(choices: Mapping[str, str]) -> "Rules":
        """`{"preset": "2023", "4.A.2": "szykman"}`; without a preset it is `2000`."""
        rules = Rules.preset(choices.get("preset", DEFAULT_PRESET))
        return rules.with_choices({k: v for k, v in choices.items() if k != "preset"})

    def with_choices(self, choices: Mapping[str, str]) -> "Rules":
        """These rules with single issues chosen otherwise, by number and value."""
        changed: dict[str, StrEnum] = {}
        for issue, value in choices.items():
            if issue not in ISSUES:
                raise UnknownChoice("no_option", f"no issue {issue!r}", issue, tuple(ISSUES))
            if value not in (known := values_of(issue)):
                raise UnknownChoice("no_choice", f"no choice of {issue} {value!r}", value, known)
            if part := ISSUES[issue]:
                changed[part] = type(getattr(self, part))(value)
        return replace(self, **changed)  # type: ignore[arg-type]  # each is its field's own kind


# Issues of which every choice resolves alike here: what every preset chooses, and all that may be
# chosen. By mail each line replaces the earlier one for its unit, and a line of JSON has one set a
# power, so nothing depends on sets of orders (4.D.1, 4.D.2); other readings are not offered.
WITHOUT_EFFECT: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "4.A.6": ("no_path", ("no_path",)),  # the path of a convoyed army is ignored if it is written
    "4.D.1": ("c", ("a", "b", "c", "d")),  # several sets of orders whose order is known
    "4.D.2": ("b", ("a", "b")),  # and is not known
    "4.E.2": ("a", ("a",)),  # a badly written order spoils itself alone
    "4.E.3": ("b", ("b",)),  # no orders are deduced from a support or convoy
    "4.E.4": ("b", ("b",)),  # no orders stand until they are changed
    "4.E.5": ("c", ("c",)),  # no power gives orders for another
}
# Issue 4.E.6 (a unit that should not exist) is a repair by hand and no rule of a resolution.
NUMBERS = {"A": 7, "B": 7, "C": 6, "D": 9, "E": 5}
_ALL = [f"4.{part}.{n}" for part, most in NUMBERS.items() for n in range(1, most + 1)]
_FIELDS = (part.name for part in fields(Rules))
# By issue the choice's name in `Rules`, empty for those without effect.
ISSUES = {issue: "" if issue in WITHOUT_EFFECT else next(_FIELDS) for issue in _ALL}


def values_of(issue: str) -> tuple[str, ...]:
    """All that may be chosen of an issue."""
    if issue in WITHOUT_EFFECT:
        return WITHOUT_EFFECT[issue][1]
    kind: type[StrEnum] = type(getattr(_2023, ISSUES[issue]))
    return tuple(str(value) for value in kind)


_2023 = Rules()
PRESETS: Mapping[str, Rules] = {
    name: _2023.with_choices(choices)
    for name, choices in tomllib.loads(read_text("config", "rules.toml")).items()
}
DEFAULT_PRESET = "2000"


# --- what masters choose beside the rules ---------------------------------------------------------

YEAR_MOST, QUIET_MOST = 9999, 99  # a last year; quiet years


class Builds(StrEnum):
    """In which of the centers that a power owns it may build. Old judges' names in brackets."""

    HOME = "home"  # its own home centers
    ANY_HOME = "any_home"  # home centers of any power
    ONE_HOME = "one_home"  # all, while it owns one of its own home centers (ONE CENTER)
    ANY = "any"  # all (ANY CENTER)


class Tie(StrEnum):
    """What happens when several powers have enough centers, and the most of them alike."""

    NOBODY = "nobody"  # nobody wins; the game goes on until one has more
    SHARED = "shared"  # they win together


class Undecided(StrEnum):
    """What becomes of a game that a last year or quiet years end."""

    DRAW = "draw"  # shared by all that still have a unit or a center
    MOST = "most"  # the power with the most centers wins; those that are level share it


class Ends(msgspec.Struct, frozen=True):
    """How a game may end by itself."""

    tie: Tie = Tie.NOBODY
    last_year: int = 0  # the year whose count of centers is the last; 0 for none
    quiet_years: int = 0  # after how many years in which no center changed hands; 0 for never
    undecided: Undecided = Undecided.DRAW


class OrderChecks(StrEnum):
    """Which orders that break the rules stand all the same: printed, and without effect."""

    CHECKED = "checked"  # none: a player is told what is wrong (DATC 4.E.1 may let some stand)
    SIGNALS = "signals"  # supports, as a signal to others (SIGNAL_SUPPORT)
    AS_WRITTEN = "as_written"  # all, as at a table (NO_CHECK)


class DislodgedUnits(StrEnum):
    """What becomes of dislodged units."""

    RETREAT = "retreat"
    DISBAND = "disband"  # they are disbanded at once (NO_RETREAT, AUTO DISBAND)


class Disorder(StrEnum):
    """What units do in civil disorder, and those that nobody plays."""

    HOLD = "hold"  # rulebook 2000: they hold, and do not support each other
    SUPPORT = "support"  # each supports another one of its power to hold (CD_SUPPORTS)


class Customs(msgspec.Struct, frozen=True):
    """What masters choose about orders and units, whatever the edition. Old judges' names of the
    choices stand in brackets."""

    orders: OrderChecks = OrderChecks.CHECKED
    dislodged: DislodgedUnits = DislodgedUnits.RETREAT
    disorder: Disorder = Disorder.HOLD


class EndKind(StrEnum):
    """What ended a game."""

    CENTERS = "centers"  # enough of them
    LAST_YEAR = "last_year"
    QUIET = "quiet"  # too many years in which no center changed hands


class End(msgspec.Struct, frozen=True):
    """A game that is over. `winners` share it where there are several; a draw is no victory."""

    kind: EndKind
    winners: tuple[PowerId, ...]
    is_draw: bool = False
