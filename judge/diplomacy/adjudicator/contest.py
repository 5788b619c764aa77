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
    """The orders of a phase, and what hooks add to them.

    Attributes:
        orders: the order of each unit.
        impossible: moves that can never arrive and count as moves all the same.
        intent: powers and armies of convoy orders that broke the rules and still show what was
            meant (DATC 4.E.1).
        helpless: powers whose units nobody may support to hold (DATC 4.D.9).
        rides: those of the orders that stand for a ride along a railway.
        permissions: what powers ordered beside their units' orders.
        passages: moves that can be made only while the unit in another province stays there.
        peaceful: moves that only enter empty provinces: they neither dislodge nor cut.
        claims: for a province, the move that was stopped before it, and keeps out of it whoever is
            no stronger; it does not enter itself.
        goals: where a move was meant to lead that may end before; supports name this.
        stuck: moves that cannot arrive at all, and meet nobody on the way.
    """

    orders: dict[ProvinceId, Order]
    impossible: frozenset[ProvinceId] = frozenset()
    intent: frozenset[tuple[PowerId, ProvinceId]] = frozenset()
    helpless: frozenset[PowerId] = frozenset()
    rides: dict[ProvinceId, o.Ride] = field(default_factory=dict)
    permissions: tuple[o.Passage, ...] = ()
    passages: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
    peaceful: frozenset[ProvinceId] = frozenset()
    claims: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
    goals: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
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
        """The order that a line of this rule's own is, or what it breaks; None if it is none."""

    def way(
        self,
        units: Mapping[ProvinceId, Unit],
        unit: Unit,
        target: ProvinceId,
        *,
        is_supported: bool = False,
    ) -> Location | Void | None:
        """Where a move gets by this rule that has no other way, or one that is to be supported;
        what it lacks for that; None if it cannot."""

    def decide(self, contest: Contest, go_on: Decide) -> "Decisions":
        """The decisions with this rule in force."""

    def results(
        self, contest: Contest, decisions: "Decisions", results: Sequence[Result]
    ) -> tuple[Result, ...]:
        """The results, with those of this rule's own orders put in."""
