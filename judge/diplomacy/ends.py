"""How games end: what one may choose, beside the count of centers that wins, and what ended it."""

from dataclasses import dataclass
from enum import StrEnum

import msgspec

from judge.diplomacy.orders import PowerId

YEAR_MOST, QUIET_MOST = 9999, 99  # a last year; quiet years


class Tie(StrEnum):
    """What happens when several powers have enough centers, and the most of them alike."""

    NOBODY = "nobody"  # nobody wins; the game goes on until one has more
    SHARED = "shared"  # they win together


class Undecided(StrEnum):
    """What becomes of a game that a last year or quiet years end."""

    DRAW = "draw"  # shared by all that still have a unit or a center
    MOST = "most"  # the power with the most centers wins; those that are level share it


class Ends(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game may end by itself.

    Attributes:
        last_year: the year whose count of centers is the last; 0 for none.
        quiet_years: after how many years in which no center changed hands; 0 for never.
    """

    tie: Tie = Tie.NOBODY
    last_year: int = 0
    quiet_years: int = 0
    undecided: Undecided = Undecided.DRAW


class EndKind(StrEnum):
    """What ended a game."""

    CENTERS = "centers"  # enough of them
    LAST_YEAR = "last_year"
    QUIET = "quiet"  # too many years in which no center changed hands


@dataclass(frozen=True, slots=True)
class End:
    """A game that is over. `winners` share it where there are several; a draw is no victory."""

    kind: EndKind
    winners: tuple[PowerId, ...]
    is_draw: bool = False
