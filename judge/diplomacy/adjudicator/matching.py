"""The orders of a movement phase and what belongs to what: which support is for whom, which fleets
convoy whom, who goes by convoy.

Decides nothing: whether a support is given or a convoy holds is `Decisions`' to say.
"""

from typing import cast

from judge.diplomacy.adjudicator.contest import Contest
from judge.diplomacy.adjudicator.convoys import fleets_on_routes, ways_on
from judge.diplomacy.board import Board
from judge.diplomacy.orders import (
    FLEET,
    Convoy,
    Hold,
    Move,
    PowerId,
    ProvinceId,
    SupportHold,
    SupportMove,
)
from judge.diplomacy.rules import ConvoyRoutes, LandOrConvoy, Rules

NO_FLEETS: frozenset[ProvinceId] = frozenset()
Origins = dict[ProvinceId, list[ProvinceId]]  # by what they lead to, or are for


class Matching:
    """The orders of a contest, matched.

    Attributes:
        powers: whose unit stands there.
        moves, targets: the orders that are moves, and the provinces they lead to.
        into: for each province, where those come from that move into it.
        supports, convoys: the orders that are supports, and those that are convoys.
        hold_supports, move_supports: the supports of a unit that holds, of one that moves.
        claim_supports: those of a move that was stopped before the goal they are for.
        convoying_fleets: for each army, the fleets ordered to convoy it that lie on a route of such
            fleets.
        convoyed: armies that mean to go by convoy.
        may_walk: those of them that go by land if their convoy does not hold.
        impossible: moves that cannot arrive, whatever the others do.
    """

    def __init__(self, board: Board, rules: Rules, contest: Contest) -> None:
        self.board, self.rules, self.contest = board, rules, contest
        self.orders, self._ways = contest.orders, ways_on(board)
        self.impossible = contest.impossible | contest.stuck
        self.powers: dict[ProvinceId, PowerId] = {}
        self.moves: dict[ProvinceId, Move] = {}
        self.targets: dict[ProvinceId, ProvinceId] = {}
        self.into: Origins = {}
        self.supports: dict[ProvinceId, SupportHold | SupportMove] = {}
        self.convoys: dict[ProvinceId, Convoy] = {}
        for at, order in contest.orders.items():
            self.powers[at] = order.unit.power
            kind = type(order)
            if kind is Move:
                assert isinstance(order, Move)
                target = order.target.province
                self.moves[at], self.targets[at] = order, target
                self.into.setdefault(target, []).append(at)
            elif kind is Convoy:
                self.convoys[at] = cast(Convoy, order)
            elif kind is not Hold:
                self.supports[at] = cast(SupportHold | SupportMove, order)
        self.hold_supports: Origins = {}
        self.move_supports: Origins = {}
        self.claim_supports: Origins = {}
        for at, support in self.supports.items():
            helped = support.supported.location.province
            if type(support) is SupportHold:
                is_helpless = support.supported.power in contest.helpless
                if helped not in self.moves and not is_helpless:
                    self.hold_supports.setdefault(helped, []).append(at)
            elif self.is_matched_support(attack := cast(SupportMove, support)):
                arrives = self.targets[helped] == attack.target.province
                supports = self.move_supports if arrives else self.claim_supports
                supports.setdefault(helped, []).append(at)
        ordered: Origins = {}
        for at, convoy in self.convoys.items():
            army = convoy.convoyed.location.province
            if self.targets.get(army) == convoy.target.province:
                ordered.setdefault(army, []).append(at)
        self.convoying_fleets = {
            army: self._fleets_on_routes(army, fleets) for army, fleets in ordered.items()
        }
        self.convoyed = {
            at for at, move in self.moves.items() if self._is_convoyed(at, move, ordered)
        }
        falls_back = rules.land_or_convoy in (
            LandOrConvoy.OPPOSITE_UNDISRUPTED,
            LandOrConvoy.INTENT_2000_FALLBACK,
        )
        self.may_walk = {at for at in self.convoyed if falls_back and self._is_adjacent(at)}

    def is_matched_support(self, support: SupportMove) -> bool:
        """Whether the supported unit moves just there; a coast must match where it is named."""
        origin = support.supported.location.province
        move = self.moves.get(origin)
        if move is None:
            return False
        goal = self.contest.goals.get(origin, move.target.province)
        if goal != support.target.province:
            return False
        return support.target.coast is None or support.target.coast == move.target.coast

    def needed_units(self, origin: ProvinceId) -> frozenset[ProvinceId]:
        """Where the units stand that a convoyed move, or one through a passage, needs."""
        canal_unit = self.contest.passages.get(origin)
        if canal_unit is not None:
            return frozenset((canal_unit,))
        return self.convoying_fleets.get(origin, NO_FLEETS)

    def _fleets_on_routes(
        self, army: ProvinceId, fleets: list[ProvinceId]
    ) -> frozenset[ProvinceId]:
        """Those of the fleets that a route needs; under the DPTG's rule only own ones, if they make
        a route (4.A.1)."""
        target, power = self.targets[army], self.powers[army]
        if self.rules.convoy_routes is ConvoyRoutes.DPTG:
            own = frozenset([at for at in fleets if self.powers[at] == power])
            on_own_routes = fleets_on_routes(self.board, army, target, own)
            if on_own_routes:
                return on_own_routes
        return fleets_on_routes(self.board, army, target, frozenset(fleets))

    def _is_adjacent(self, origin: ProvinceId) -> bool:
        """Whether the moving unit could simply step there."""
        move = self.moves[origin]
        return bool(self._ways.reachable_locations(move.unit, move.target.province))

    def _is_convoyed(self, origin: ProvinceId, move: Move, ordered: Origins) -> bool:
        """Whether the army means to go by convoy (DATC 4.A.3); `ordered` are the convoys for each
        army, on a route or not."""
        if move.unit.kind is FLEET or origin in self.contest.peaceful:
            return False
        if not self._is_adjacent(origin):
            return True
        if not move.via_convoy and origin not in ordered and not self.contest.intent:
            return False
        has_fleets = bool(self.convoying_fleets.get(origin))
        choice, power = self.rules.land_or_convoy, move.unit.power
        has_own_fleet = any(self.powers[at] == power for at in ordered.get(origin, ()))
        is_own = has_fleets and (has_own_fleet or (power, origin) in self.contest.intent)
        match choice:
            case LandOrConvoy.CONVOY_ALWAYS:
                return has_fleets
            case LandOrConvoy.OPPOSITE | LandOrConvoy.OPPOSITE_UNDISRUPTED:
                return has_fleets and self.targets.get(move.target.province) == origin
            case LandOrConvoy.INTENT_1982:
                return is_own
            case LandOrConvoy.DPTG:
                return move.via_convoy
            case LandOrConvoy.INTENT_2000:
                # An own fleet binds it to the sea also where others are missing from the route.
                return is_own or has_own_fleet or move.via_convoy
            case LandOrConvoy.INTENT_2_4 | LandOrConvoy.INTENT_2000_FALLBACK:
                return has_fleets and (is_own or move.via_convoy)
