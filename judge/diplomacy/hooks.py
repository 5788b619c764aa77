"""Where a variant's own rules enter a movement phase. The standard game has none.

A hook reads the orders that only it knows, may let a unit go where the board has no way, and stands
around the battle: it is given the orders and the rest of the fight, and says how that ended.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from judge.diplomacy.battle import Battle
from judge.diplomacy.matching import NO_SPECIALS, Specials
from judge.diplomacy.orders import (
    Location,
    Order,
    Passage,
    PowerId,
    ProvinceId,
    Ride,
    Unit,
    WrittenOrder,
)
from judge.diplomacy.outcome import Result, Void


@dataclass(frozen=True, slots=True)
class Contest:
    """What is fought out.

    Attributes:
        orders: the order of each unit, by where it stands.
        rides: those of them that stand in `orders` for a ride along a railway.
        leaves: what powers ordered beside their units' orders.
        specials: what hooks further out add to the moves.
    """

    orders: Mapping[ProvinceId, Order]
    rides: Mapping[ProvinceId, Ride]
    leaves: tuple[Passage, ...]
    specials: Specials = NO_SPECIALS


Fight = Callable[[Contest], Battle]


class Hook(Protocol):
    """One rule of a variant. Holds no state of a phase."""

    def order(
        self, units: Mapping[ProvinceId, Unit], written: WrittenOrder, power: PowerId
    ) -> Ride | Passage | Void | None:
        """The order that a line of this rule's own is, or what it breaks; None if it is none."""

    def way(
        self,
        units: Mapping[ProvinceId, Unit],
        unit: Unit,
        target: ProvinceId,
        *,
        is_supported: bool = False,
    ) -> Location | None:
        """Where a move gets by this rule that has no other way, or one that is to be supported;
        None if it cannot."""

    def fight(self, contest: Contest, go_on: Fight) -> Battle:
        """The battle, with this rule in force."""

    def results(
        self, contest: Contest, battle: Battle, results: Sequence[Result]
    ) -> tuple[Result, ...]:
        """The results, with those of this rule's own orders put in."""
