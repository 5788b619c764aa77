"""The orders of a movement phase and what belongs to what: which support is for whom, which fleets
carry whom, who goes by sea.

Decides nothing: whether a support is given or a convoy holds is a battle's to say.
"""

from dataclasses import dataclass, field

from judge.diplomacy.board import Board
from judge.diplomacy.convoys import fleets_on_routes
from judge.diplomacy.orders import (
    Convoy,
    Move,
    Order,
    PowerId,
    ProvinceId,
    SupportHold,
    SupportMove,
    UnitKind,
)
from judge.diplomacy.rules import LandOrConvoy, Rules


@dataclass(frozen=True, slots=True)
class Specials:
    """What a variant's own rules add to the moves of a phase, by the provinces they come from.

    Attributes:
        passages: moves that can be made only while the unit in another province stays there.
        peaceful: moves that only enter empty provinces: they neither dislodge nor cut.
        claims: for a province, the move that was stopped before it, and keeps out of it whoever is
            no stronger; it does not enter itself.
        goals: where a move was meant to lead that may end before; supports name this.
        stuck: moves that cannot arrive at all.
    """

    passages: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
    peaceful: frozenset[ProvinceId] = frozenset()
    claims: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
    goals: dict[ProvinceId, ProvinceId] = field(default_factory=dict)
    stuck: frozenset[ProvinceId] = frozenset()


NO_SPECIALS = Specials()
NOBODY: frozenset[ProvinceId] = frozenset()


class Matching:
    """One movement phase's orders, each named by the province its unit stands in.

    `impossible` names moves that can never arrive and count as moves all the same; `intent` powers
    and armies of convoy orders that broke the rules and still show what was meant (DATC 4.E.1);
    `helpless` powers whose units nobody may support to hold (DATC 4.D.9).

    Attributes:
        moves, targets: the orders that are moves, and the provinces they lead to.
        into: for each province, where those come from that move into it.
        hold_supports, move_supports: the supports of a unit that holds, of one that moves.
        claim_supports: those of a move that was stopped before the goal they are for.
        carriers: for each army, the fleets ordered to convoy it that lie on a route of such fleets.
        seaborne: armies that mean to go by convoy.
        may_walk: those of them that go by land if their convoy does not hold.
        specials: what the variant's own rules add.
    """

    def __init__(
        self,
        board: Board,
        rules: Rules,
        orders: dict[ProvinceId, Order],
        *,
        impossible: frozenset[ProvinceId],
        intent: frozenset[tuple[PowerId, ProvinceId]],
        helpless: frozenset[PowerId],
        specials: Specials,
    ) -> None:
        self.board, self.rules, self.orders, self.specials = board, rules, orders, specials
        self.impossible = impossible | specials.stuck
        self._intent, self._helpless = intent, helpless
        self.moves = {at: order for at, order in orders.items() if isinstance(order, Move)}
        self.targets = {at: move.target.province for at, move in self.moves.items()}
        self.into: dict[ProvinceId, list[ProvinceId]] = {}
        for origin, target in self.targets.items():
            self.into.setdefault(target, []).append(origin)
        self.hold_supports: dict[ProvinceId, list[ProvinceId]] = {}
        self.move_supports: dict[ProvinceId, list[ProvinceId]] = {}
        self.claim_supports: dict[ProvinceId, list[ProvinceId]] = {}
        self._convoys: dict[ProvinceId, list[ProvinceId]] = {}
        for at, order in orders.items():
            if at not in self.moves:
                self._match(at, order)
        self.carriers = {
            army: fleets_on_routes(board, army, self.targets[army], frozenset(fleets))
            for army, fleets in self._convoys.items()
        }
        self.seaborne = {at for at, move in self.moves.items() if self._goes_by_sea(at, move)}
        falls_back = rules.land_or_convoy in (
            LandOrConvoy.OPPOSITE_UNDISRUPTED,
            LandOrConvoy.INTENT_2000_FALLBACK,
        )
        self.may_walk = {at for at in self.seaborne if falls_back and self.is_by_land(at)}

    def _match(self, at: ProvinceId, order: Order) -> None:
        """Enter a support or convoy at the order it is for; one without a match is left out."""
        if isinstance(order, SupportMove):
            if self.is_matched_support(order):
                helped = order.supported.location.province
                arrives = self.targets[helped] == order.target.province
                supports = self.move_supports if arrives else self.claim_supports
                supports.setdefault(helped, []).append(at)
        elif isinstance(order, SupportHold):
            helped = order.supported.location.province
            if helped not in self.moves and order.supported.power not in self._helpless:
                self.hold_supports.setdefault(helped, []).append(at)
        elif isinstance(order, Convoy):
            army = order.convoyed.location.province
            if self.targets.get(army) == order.target.province:
                self._convoys.setdefault(army, []).append(at)

    def is_matched_support(self, order: SupportMove) -> bool:
        """Whether the supported unit moves just there; a coast must match where it is named."""
        origin = order.supported.location.province
        move = self.moves.get(origin)
        if move is None:
            return False
        goal = self.specials.goals.get(origin, move.target.province)
        if goal != order.target.province:
            return False
        return order.target.coast is None or order.target.coast == move.target.coast

    def hangs_on(self, origin: ProvinceId) -> frozenset[ProvinceId]:
        """Where the units stand that a move by sea, or through a passage, cannot do without."""
        keeper = self.specials.passages.get(origin)
        return self.carriers.get(origin, NOBODY) if keeper is None else frozenset((keeper,))

    def is_by_land(self, origin: ProvinceId) -> bool:
        """Whether the moving unit could simply step there."""
        move = self.moves[origin]
        return self.board.is_adjacent(move.unit.kind, move.unit.location, move.target.province)

    def _goes_by_sea(self, origin: ProvinceId, move: Move) -> bool:
        """Whether the army means to go by convoy (DATC 4.A.3)."""
        if move.unit.kind is UnitKind.FLEET or origin in self.specials.peaceful:
            return False
        if not self.is_by_land(origin):
            return True
        if not move.via_convoy and origin not in self._convoys and not self._intent:
            return False
        has_carriers = bool(self.carriers.get(origin))
        choice, power = self.rules.land_or_convoy, move.unit.power
        is_own = has_carriers and (
            any(self.orders[at].unit.power == power for at in self._convoys[origin])
            or (power, origin) in self._intent
        )
        match choice:
            case LandOrConvoy.CONVOY_ALWAYS:
                return has_carriers
            case LandOrConvoy.OPPOSITE | LandOrConvoy.OPPOSITE_UNDISRUPTED:
                return has_carriers and self.targets.get(move.target.province) == origin
            case LandOrConvoy.INTENT_1982:
                return is_own
            case LandOrConvoy.DPTG:
                return move.via_convoy
            case LandOrConvoy.INTENT_2000:
                return is_own or move.via_convoy
            case LandOrConvoy.INTENT_2_4 | LandOrConvoy.INTENT_2000_FALLBACK:
                return has_carriers and (is_own or move.via_convoy)
