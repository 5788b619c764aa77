"""Which orders of a movement phase succeed: the decisions, each made from the others.

An order is decided by the ones it depends on. Where orders depend on each other in a circle, both
guesses are tried; if the circle has one consistent answer it is taken, and if it has two or none it
is a ring of moves, which all succeed, or a convoy paradox, which the rules settle (DATC 4.A.2,
5.B). docs/adjudication.md explains it with an example. Knows nothing of writing or of outcomes.
"""

import itertools

from judge.diplomacy.convoys import is_reached
from judge.diplomacy.matching import Matching
from judge.diplomacy.orders import (
    Convoy,
    Move,
    PowerId,
    ProvinceId,
    SupportHold,
    SupportMove,
)
from judge.diplomacy.rules import (
    ConvoyParadox,
    ConvoyRoutes,
    CutByConvoyFromTarget,
    DislodgedBounces,
)

NOTHING = 1_000_000  # deeper than any order is worked out


class _InWork:
    """An order that is being worked out: its answer is a guess, or (`is_hanging`) was worked out
    from a guess further out, at `depth`."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.answer = self.is_hanging = False


class Battle:
    """Who gets where, once it is known what belongs to what. Units and orders are named by the
    province they stand in.

    `decide(province)` says whether an order succeeds: a move arrives, a support is given, a
    convoying fleet is not dislodged.
    """

    def __init__(self, matching: Matching) -> None:
        self.matching = matching
        self.board, self.rules = matching.board, matching.rules
        self.orders, self.moves = matching.orders, matching.moves
        self.into, self.carriers = matching.into, matching.carriers
        self._target, self._seaborne = matching.targets, matching.seaborne
        self._hold_supports = matching.hold_supports
        self._move_supports = matching.move_supports
        self._passages, self._claims = matching.specials.passages, matching.specials.claims
        self._peaceful, self._stuck = matching.specials.peaceful, matching.specials.stuck
        self.stopped: dict[ProvinceId, frozenset[ProvinceId]] = {}
        self.all_hold: set[ProvinceId] = set()  # those stopped with their whole paradox
        self.broken: set[ProvinceId] = set()
        self._paradoxes = 0  # settled so far
        self._decided: dict[ProvinceId, bool] = {}
        self._in_work: dict[ProvinceId, _InWork] = {}
        self._depth, self._lowest = 0, NOTHING
        self._hanging: list[ProvinceId] = []
        self._used: set[ProvinceId] = set()

    # --- ways (DATC 4.A.1, 4.A.3) --------------------------------------------------------------

    def carriers_of(self, army: ProvinceId) -> frozenset[ProvinceId]:
        return self.carriers.get(army, frozenset())

    def goes_by_sea(self, origin: ProvinceId) -> bool:
        """Whether the unit goes by convoy; under some rules only as long as the convoy holds."""
        if origin not in self._seaborne:
            return False
        return origin not in self.matching.may_walk or self.has_route(origin)

    def has_way(self, origin: ProvinceId) -> bool:
        """Whether the unit gets as far as its target's border: always by land, by sea if a convoy
        holds."""
        if origin in self.stopped or origin in self.matching.impossible:
            return False
        if origin in self._passages:
            return self._is_kept(self._passages[origin])
        if origin not in self._seaborne or origin in self.matching.may_walk:
            return True
        return self.has_route(origin)

    def _is_kept(self, province: ProvinceId) -> bool:
        """Whether the unit stays that keeps a passage open, whatever it does there."""
        if province in self.broken or (province in self.moves and self.decide(province)):
            return False
        return self.dislodger(province) is None

    def has_route(self, army: ProvinceId, *, without: ProvinceId | None = None) -> bool:
        """Whether a route of convoying fleets holds (4.A.1); `without` is counted as broken."""
        carriers = self.carriers_of(army)
        if not carriers:
            return False  # also a passage without its keeper
        if self.rules.convoy_routes is ConvoyRoutes.ANY_ROUTE:
            return without not in carriers and all(self._holds(at) for at in sorted(carriers))
        return is_reached(
            self.board,
            army,
            self._target[army],
            lambda at: at in carriers and at != without and self._holds(at),
        )

    def _holds(self, fleet: ProvinceId) -> bool:
        return fleet not in self.broken and self.decide(fleet)

    # --- the decisions -------------------------------------------------------------------------

    def decide_all(self) -> None:
        """Decide every order, in a fixed order of provinces."""
        self._decide_plain()
        for at in sorted(self.orders.keys() - self._decided.keys()):
            self.decide(at)

    def decide(self, at: ProvinceId) -> bool:
        """Whether the order of the unit there succeeds."""
        answer = self._decided.get(at)
        if answer is not None:
            return answer
        work = self._in_work.get(at)
        if work is None:
            return self._work_out(at)
        # In work further out, or hanging on one that is: what we find hangs on it too.
        self._lowest = min(self._lowest, work.depth)
        if not work.is_hanging:
            self._used.add(at)
        return work.answer

    def _decide_plain(self) -> None:
        """What hangs on nothing else: a unit that nobody attacks, a move that nobody opposes, and
        one that nobody supports against a unit that stays or against others like it."""
        for at in self.orders:
            if at not in self.moves and at not in self.into:
                self._decided[at] = True
        for target, origins in self.into.items():
            stays = target in self.orders and target not in self.moves
            if target in self.moves or target in self._claims:
                continue
            if not all(self._is_plain(origin) for origin in origins):
                continue
            if stays or len(origins) > 1:
                self._decided.update(dict.fromkeys(origins, False))
            else:
                self._decided[origins[0]] = True

    def _is_plain(self, origin: ProvinceId) -> bool:
        return not (
            origin in self._move_supports
            or origin in self._seaborne
            or origin in self._passages
            or origin in self.matching.impossible
        )

    def _work_out(self, at: ProvinceId) -> bool:
        """Judge an order; if it hangs on itself, settle the whole circle (as Tarjan finds them)."""
        depth, outer_lowest, first_hanging = self._depth, self._lowest, len(self._hanging)
        self._depth, self._lowest = depth + 1, NOTHING
        work = self._in_work[at] = _InWork(depth)
        answer = self._judge(at)
        lowest = self._lowest
        self._depth, self._lowest = depth, outer_lowest
        if lowest > depth:
            del self._in_work[at]
            self._decided[at] = answer
            return answer
        if lowest < depth:
            work.is_hanging, work.answer, work.depth = True, answer, lowest
            self._hanging.append(at)
            self._lowest = min(outer_lowest, lowest)
            return answer
        circle = [*self._hanging[first_hanging:], at]
        del self._hanging[first_hanging:]
        guessed = sorted(self._used.intersection(circle))
        self._used.difference_update(circle)
        for each in circle:
            del self._in_work[each]
        self._settle(circle, guessed)
        return self.decide(at)

    def _judge(self, at: ProvinceId) -> bool:
        """Whether an order succeeds by what the others do. A paradox that is settled on the way
        stops moves that were weighed before: then it is judged again."""
        while True:
            settled = self._paradoxes
            answer = self._judge_once(at)
            if settled == self._paradoxes:
                return answer

    def _judge_once(self, at: ProvinceId) -> bool:
        order = self.orders[at]
        if isinstance(order, Move):
            return self._arrives(at)
        if isinstance(order, (SupportHold, SupportMove)):
            return self.cutter(at) is None
        return self.dislodger(at) is None

    # --- circles: rings and paradoxes (DATC 4.A.2) ---------------------------------------------

    def _settle(self, circle: list[ProvinceId], guessed: list[ProvinceId]) -> None:
        """Decide the orders whose guesses the circle hangs on; the others follow from them."""
        answers = [
            guesses
            for guesses in itertools.product((False, True), repeat=len(guessed))
            if self._is_consistent(guessed, guesses)
        ]
        fleets = {at for at in circle if isinstance(self.orders[at], Convoy)}
        convoys = sorted(fleets | self._keepers_in(frozenset(circle)))
        if len(answers) == 1 or (answers and not convoys):
            # Of a ring's two answers the one in which everybody moves on (rule 7).
            for at, answer in zip(guessed, max(answers, key=sum), strict=True):
                self._decided[at] = answer
            return
        self._paradoxes += 1
        if self.rules.convoy_paradox is ConvoyParadox.ALL_HOLD:
            self._stop_moves(circle, convoys)
        elif self.rules.convoy_paradox is ConvoyParadox.DPTG:
            self._settle_dptg(circle, convoys)
        else:
            self._break_convoys(convoys)

    def _keepers_in(self, circle: frozenset[ProvinceId]) -> set[ProvinceId]:
        """Units whose passages make the circle: it hangs on whether a passage is open, and that on
        the circle."""
        return {
            keeper
            for origin, keeper in self._passages.items()
            if origin not in self.stopped
            and not circle.isdisjoint((keeper, *self.into.get(keeper, ())))
            and not circle.isdisjoint((*self.into[self._target[origin]], self._target[origin]))
        }

    def _is_consistent(self, guessed: list[ProvinceId], guesses: tuple[bool, ...]) -> bool:
        """Whether the guesses, taken for true, lead to themselves."""
        trial = self._copy()
        for at, guess in zip(guessed, guesses, strict=True):
            trial._decided[at] = guess
        return all(trial._judge(at) == guess for at, guess in zip(guessed, guesses, strict=True))

    def _copy(self) -> "Battle":
        """The same battle with what is decided so far, to try something on."""
        trial = Battle(self.matching)
        trial.stopped, trial.broken = dict(self.stopped), set(self.broken)
        trial.all_hold, trial._decided = set(self.all_hold), dict(self._decided)
        return trial

    def _break_convoys(self, convoys: list[ProvinceId]) -> None:
        """Szykman: these fleets carry nobody, as if they held. An army with a route of other
        fleets is not stopped by it (4.A.1)."""
        self.broken.update(convoys)
        for army, carriers in self.carriers.items():
            if not carriers & self.broken or not self._needs_convoy(army):
                continue
            others = carriers - self.broken
            way = is_reached(self.board, army, self._target[army], others.__contains__)
            if not way or self.rules.convoy_routes is ConvoyRoutes.ANY_ROUTE:
                self.stopped[army] = carriers & self.broken
        for origin, keeper in self._passages.items():
            if keeper in self.broken:
                self.stopped[origin] = frozenset((keeper,))

    def _needs_convoy(self, army: ProvinceId) -> bool:
        """Whether the army goes by convoy and, that broken, could not walk instead."""
        return army in self._seaborne and army not in self.matching.may_walk

    def _stop_moves(self, circle: list[ProvinceId], convoys: list[ProvinceId]) -> None:
        """All hold: every move of the paradox fails and has no effect."""
        hanging = (*self._seaborne, *self._passages)
        stopped = [at for at in hanging if self.matching.hangs_on(at).intersection(convoys)]
        for at in (*circle, *stopped):
            if at in self.moves:
                self.stopped[at] = frozenset(convoys)
                self.all_hold.add(at)

    def _settle_dptg(self, circle: list[ProvinceId], convoys: list[ProvinceId]) -> None:
        """All convoys fail if that is consistent: if each of the fleets is dislodged then."""
        trial = self._copy()
        trial._break_convoys(convoys)
        if all(trial.dislodger(at) is not None for at in convoys):
            self._break_convoys(convoys)
        else:
            self._stop_moves(circle, convoys)

    # --- strengths (DATC 5.B) ------------------------------------------------------------------

    def _arrives(self, origin: ProvinceId) -> bool:
        if not self.has_way(origin):
            return False
        target = self._target[origin]
        attack = len(self.attackers(origin))
        if attack == 0:
            return False
        if self.is_head_to_head(origin):
            if attack <= 1 + len(self.move_supporters(target)):
                return False
        elif attack <= len(self.holders(target)):
            return False
        for rival in self.into[target]:
            if rival != origin and attack <= len(self.preventers(rival)):
                return False
        return target not in self._claims or attack > len(self.claimants(target))

    def claimants(self, target: ProvinceId) -> tuple[ProvinceId, ...]:
        """Who keeps others out of a province without entering it: a move that was stopped before
        it, and the supports it has into it; nobody where there is no claim."""
        origin = self._claims.get(target)
        if origin is None or (self._target.get(target) == origin and self.decide(target)):
            return ()  # dislodged from there, it has no effect there
        is_goal = self.matching.specials.goals.get(origin) == target
        supports = self.matching.claim_supports.get(origin, ()) if is_goal else ()
        return (origin, *(at for at in supports if self.decide(at)))

    def is_head_to_head(self, origin: ProvinceId) -> bool:
        """Whether a unit comes the other way, and neither goes by convoy or has no way at all."""
        target = self._target[origin]
        if self._target.get(target) != origin or not self._stuck.isdisjoint((origin, target)):
            return False
        return not self.goes_by_sea(origin) and not self.goes_by_sea(target)

    def _leaves(self, at: ProvinceId, attacker: ProvinceId) -> bool:
        """Whether the unit there makes room for the attacker."""
        if at not in self.moves:
            return False
        if self._target[at] == attacker and self.is_head_to_head(attacker):
            return False
        return self.decide(at)

    def move_supporters(self, origin: ProvinceId) -> tuple[ProvinceId, ...]:
        """Supports of a move that are given."""
        if origin not in self._move_supports:
            return ()
        return tuple([at for at in self._move_supports[origin] if self.decide(at)])

    def attackers(self, origin: ProvinceId) -> tuple[ProvinceId, ...]:
        """Attack strength: the mover and those whose support counts; nobody against its own unit.

        Rule: no power dislodges its own unit, nor supports that (rulebook 2000, rule 12).
        """
        target = self._target[origin]
        occupant = self.orders.get(target)
        if occupant is None or self._leaves(target, origin):
            return (origin, *self.move_supporters(origin))
        power = occupant.unit.power
        if self.moves[origin].unit.power == power or origin in self._peaceful:
            return ()
        supporters = self.move_supporters(origin)
        return (origin, *[at for at in supporters if self.orders[at].unit.power != power])

    def holders(self, province: ProvinceId) -> tuple[ProvinceId, ...]:
        """Hold strength: nobody if the province is empty or its unit leaves, the unit alone if its
        move fails, else the unit and its given supports."""
        if province not in self.orders:
            return ()
        if province in self.moves:
            return () if self.decide(province) else (province,)
        if province not in self._hold_supports:
            return (province,)
        return (province, *[at for at in self._hold_supports[province] if self.decide(at)])

    def preventers(self, rival: ProvinceId) -> tuple[ProvinceId, ...]:
        """Prevent strength: what a rival for the same province keeps others out with."""
        if not self.has_way(rival):
            return ()
        target = self._target[rival]
        if self._target.get(target) == rival:
            # Dislodged by the unit that comes from there, it has no effect there (rule 11).
            if self.is_head_to_head(rival):
                if self.decide(target):
                    return ()
            elif self.rules.dislodged_bounces is DislodgedBounces.NEVER and (
                self.decide(target) and not self.decide(rival)
            ):
                return ()
        return (rival, *self.move_supporters(rival))

    def dislodger(self, province: ProvinceId) -> ProvinceId | None:
        """Where the unit comes from that drives out the one there; None if it stays or leaves."""
        if province in self.moves and self.decide(province):
            return None
        for origin in self.into.get(province, ()):
            if self.decide(origin):
                return origin
        return None

    # --- cutting supports ----------------------------------------------------------------------

    def cutter(self, supporter: ProvinceId) -> ProvinceId | None:
        """Where the attack comes from that cuts a support or dislodges it; None if it is given.

        Rule: rulebook 2000, rules 13 - 16, 21, 22; DATC 4.A.2, 4.A.4.
        """
        order = self.orders[supporter]
        assert isinstance(order, (SupportHold, SupportMove))
        aimed_at = (
            order.target.province
            if isinstance(order, SupportMove)
            else order.supported.location.province
        )
        power = order.unit.power
        for origin in self.into.get(supporter, ()):
            if self._is_harmless(origin, order, aimed_at):
                continue
            if self._cuts(origin, aimed_at, power) or self.decide(origin):
                return origin
        return None

    def _cuts(self, origin: ProvinceId, aimed_at: ProvinceId, power: PowerId) -> bool:
        if self.moves[origin].unit.power == power or origin in self._peaceful:
            return False
        if not self.has_way(origin):
            return False
        if origin != aimed_at:
            return True
        choice = self.rules.cut_by_convoy_from_target
        return choice is CutByConvoyFromTarget.CUT and self.goes_by_sea(origin)

    def _is_harmless(
        self, origin: ProvinceId, order: SupportHold | SupportMove, aimed_at: ProvinceId
    ) -> bool:
        """Whether a convoyed army may not cut this support, because its own convoy hangs on it."""
        choice = self.rules.convoy_paradox
        if choice not in (ConvoyParadox.R1971, ConvoyParadox.R1982, ConvoyParadox.R2000):
            return False
        if origin not in self._passages and not self.goes_by_sea(origin):
            return False
        if choice is ConvoyParadox.R1982:
            kept = aimed_at in self._passages.values()
            return kept or any(aimed_at in carriers for carriers in self.carriers.values())
        if not isinstance(order, SupportMove) or aimed_at not in self.matching.hangs_on(origin):
            return False
        if choice is ConvoyParadox.R1971:
            return True
        return not self.has_route(origin, without=aimed_at)
