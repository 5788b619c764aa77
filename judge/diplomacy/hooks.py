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
from judge.diplomacy.outcomes import Result, Void


@dataclass(frozen=True, slots=True)
class Contest:
    """What is fought out.

    Attributes:
        orders: the order of each unit, by where it stands.
        impossible: moves that can never arrive and count as moves all the same.
        intent: powers and armies of convoy orders that broke the rules and still show what was
            meant (DATC 4.E.1).
        helpless: powers whose units nobody may support to hold (DATC 4.D.9).
        rides: those of them that stand in `orders` for a ride along a railway.
        leaves: what powers ordered beside their units' orders.
        specials: what hooks further out add to the moves.
    """

    orders: dict[ProvinceId, Order]
    impossible: frozenset[ProvinceId]
    intent: frozenset[tuple[PowerId, ProvinceId]]
    helpless: frozenset[PowerId]
    rides: dict[ProvinceId, Ride]
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
