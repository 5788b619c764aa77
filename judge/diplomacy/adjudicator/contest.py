"""What is fought out in a movement phase, and where a variant's own rules enter it.

Units and orders are named by the province that the unit stands in, here and in the whole package.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from judge.diplomacy import orders as o
from judge.diplomacy.orders import Location, Order, PowerId, ProvinceId, Unit, WrittenOrder
from judge.diplomacy.outcomes import Result, Void

if TYPE_CHECKING:
    from judge.diplomacy.adjudicator.decisions import Decisions


@dataclass(frozen=True, slots=True)
class Contest:
    """The orders of a phase, and what hooks add to them."""

    orders: dict[ProvinceId, Order]  # the order of each unit
    # Moves that can never arrive and count as moves all the same.
    impossible: frozenset[ProvinceId] = frozenset()
    # Powers and armies of convoy orders that broke the rules and still show what was meant (DATC
    # 4.E.1).
    intent: frozenset[tuple[PowerId, ProvinceId]] = frozenset()
    # Powers whose units nobody may support to hold (DATC 4.D.9).
    helpless: frozenset[PowerId] = frozenset()
    # Those of the orders that stand for a ride along a railway.
    rides: dict[ProvinceId, o.Ride] = field(default_factory=dict)
    permissions: tuple[o.Passage, ...] = ()  # what powers ordered beside their units' orders
    # Moves that can be made only while the unit in another province stays there.
    passages: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
    # Moves that only enter empty provinces: they neither dislodge nor cut.
    peaceful: frozenset[ProvinceId] = frozenset()
    # For a province, the move that was stopped before it: it does not enter, and keeps out all that
    # are no stronger.
    claims: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
    # The intended targets of moves that may end sooner; supports name these.
    goals: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
    # Moves that cannot arrive at all, and meet nobody on the way.
    stuck: frozenset[ProvinceId] = frozenset()


Decide = Callable[[Contest], "Decisions"]


class Hook(Protocol):
    """One rule of a variant's own. Holds no state of a phase.

    It reads the orders that only it knows, may let a unit go where the board has no way, and stands
    around the decisions: it is given the contest and how to decide one, and says what came of it.
    """

    def order(
        self, units: Mapping[ProvinceId, Unit], written: WrittenOrder, power: PowerId
    ) -> o.Ride | o.Passage | Void | None:
        """The order of a line that this rule knows, or the rule it breaks; None for other lines."""

    def way(
        self,
        units: Mapping[ProvinceId, Unit],
        unit: Unit,
        target: ProvinceId,
        *,
        is_supported: bool = False,
    ) -> Location | Void | None:
        """Where this rule lets a unit go that has no other way, or a supported one; what it lacks
        for that; None if the rule gives no way."""

    def decide(self, contest: Contest, go_on: Decide) -> "Decisions":
        """The decisions with this rule in force."""

    def results(
        self, contest: Contest, decisions: "Decisions", results: Sequence[Result]
    ) -> tuple[Result, ...]:
        """The results, with those of this rule's own orders put in."""
