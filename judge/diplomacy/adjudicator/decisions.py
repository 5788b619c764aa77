"""Which orders of a movement phase succeed: the decisions, each made from the others.

1. An order asks those that it depends on whether they succeed, and they theirs, depth first.
2. One that is asked while it is open, being worked out further up, answers with a guess: no.
3. What follows from a guess is provisional; the order that was guessed first then knows its whole
   dependency cycle, and every set of guesses about it is tried on a copy.
4. The one set that leads to itself is taken; of two, in a ring of moves, that in which all arrive.
5. None, or two and a convoy among the orders: a paradox, which the rules settle (DATC 4.A.2).

docs/adjudication.md explains it with an example; the strengths are those of DATC 5.B.
"""

import itertools

from judge.diplomacy.adjudicator.contest import Contest
from judge.diplomacy.adjudicator.convoys import is_reached
from judge.diplomacy.adjudicator.matching import NO_FLEETS, Matching
from judge.diplomacy.board import Board
from judge.diplomacy.orders import ProvinceId, SupportMove
from judge.diplomacy.rules import (
    ConvoyParadox,
    ConvoyRoutes,
    CutByConvoyFromTarget,
    DislodgedBounces,
    Rules,
)

NO_GUESS = 1_000_000  # deeper than any order is worked out
# Rules by which a convoyed army may not cut every support against its own convoy.
SPARING = (ConvoyParadox.R1971, ConvoyParadox.R1982, ConvoyParadox.R2000)


def decide(board: Board, rules: Rules, contest: Contest) -> "Decisions":
    """All orders of a contest decided, in a fixed order of provinces."""
    decisions = Decisions(Matching(board, rules, contest))
    decisions.decide_independent()
    for at in sorted(contest.orders):
        decisions.decide(at)
    for at in contest.orders:
        origin = decisions.dislodger(at) if at in decisions.into else None
        if origin is not None:
            decisions.dislodgers[at] = origin
    return decisions


class _Open:
    """An order that is being worked out: its answer is a guess, or (`is_provisional`) follows from
    a guess further up, at `depth`."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.answer = self.is_provisional = False


class Decisions:
    """Who gets where, made from the matched orders.

    `decide(province)` says whether an order succeeds: a move arrives, a support is given, a
    convoying fleet is not dislodged.

    Attributes:
        stopped: moves that a paradox stopped, with the units of its convoys.
        all_hold: those stopped with their whole paradox.
        dislodgers: for each unit driven out, where its dislodger comes from.
    """

    def __init__(self, matching: Matching) -> None:
        self.matching, self.contest = matching, matching.contest
        self.board, self.rules = matching.board, matching.rules
        self.orders, self.moves, self.into = matching.orders, matching.moves, matching.into
        self._powers, self._targets = matching.powers, matching.targets
        self._convoyed, self._supports = matching.convoyed, matching.supports
        self._move_supports, self._hold_supports = matching.move_supports, matching.hold_supports
        self._passages, self._claims = matching.contest.passages, matching.contest.claims
        self._is_sparing = self.rules.convoy_paradox in SPARING
        self.stopped: dict[ProvinceId, frozenset[ProvinceId]] = {}
        self.all_hold: set[ProvinceId] = set()
        self.dislodgers: dict[ProvinceId, ProvinceId] = {}
        self._broken: set[ProvinceId] = set()  # fleets and canal units that count as gone
        self._paradoxes = 0  # settled so far
        self._decided: dict[ProvinceId, bool] = {}
        self._open: dict[ProvinceId, _Open] = {}
        self._depth, self._lowest = 0, NO_GUESS
        self._provisional: list[ProvinceId] = []
        self._guessed: set[ProvinceId] = set()

    def contested(self, occupied: frozenset[ProvinceId]) -> tuple[ProvinceId, ...]:
        """Provinces that somebody kept others out of, and where nobody stands now; in order."""
        return tuple(
            sorted(
                [
                    target
                    for target, origins in self.into.items()
                    if target not in occupied and any(map(self.prevent_force, origins))
                ]
            )
        )

    # --- ways (DATC 4.A.1, 4.A.3) --------------------------------------------------------------

    def goes_by_convoy(self, origin: ProvinceId) -> bool:
        """Whether the unit goes by convoy; under some rules only as long as the convoy holds."""
        if origin not in self._convoyed:
            return False
        return origin not in self.matching.may_walk or self.has_route(origin)

    def has_way(self, origin: ProvinceId) -> bool:
        """Whether the unit gets as far as its target's border: always by land, by sea if a convoy
        holds, through a passage while the canal unit stays."""
        if origin in self.stopped or origin in self.matching.impossible:
            return False
        if origin in self._passages:
            canal_unit = self._passages[origin]
            if canal_unit in self._broken or self._has_left(canal_unit):
                return False
            return self.dislodger(canal_unit) is None
        if origin not in self._convoyed or origin in self.matching.may_walk:
            return True
        return self.has_route(origin)

    def has_route(self, army: ProvinceId, without: ProvinceId | None = None) -> bool:
        """Whether a route of convoying fleets holds (4.A.1); `without` is counted as broken."""
        fleets = self.matching.convoying_fleets.get(army, NO_FLEETS)
        if not fleets:
            return False
        if self.rules.convoy_routes is not ConvoyRoutes.ALL_ROUTES:
            return without not in fleets and all(self._is_convoying(at) for at in sorted(fleets))
        return is_reached(
            self.board,
            army,
            self._targets[army],
            lambda at: at in fleets and at != without and self._is_convoying(at),
        )

    def _is_convoying(self, fleet: ProvinceId) -> bool:
        return fleet not in self._broken and self.decide(fleet)

    def _has_left(self, at: ProvinceId) -> bool:
        return at in self.moves and self.decide(at)

    # --- the decisions -------------------------------------------------------------------------

    def decide_independent(self) -> None:
        """Fast path: orders that depend on no other order. A unit that nobody attacks, a move that
        nobody opposes, an unsupported move against a unit that stays or against others like it."""
        for at in self.orders:
            if at not in self.moves and at not in self.into:
                self._decided[at] = True
        special = {*self._convoyed, *self._passages, *self.matching.impossible}
        special.update(self._move_supports)
        for target, origins in self.into.items():
            if target in self.moves or target in self._claims or not special.isdisjoint(origins):
                continue
            if target in self.orders or len(origins) > 1:
                self._decided.update(dict.fromkeys(origins, False))
            else:
                self._decided[origins[0]] = True

    def decide(self, at: ProvinceId) -> bool:
        """Whether the order of the unit there succeeds."""
        answer = self._decided.get(at)
        if answer is not None:
            return answer
        work = self._open.get(at)
        if work is not None:
            # Open further up, or following from one that is: what we find follows from it too.
            self._lowest = min(self._lowest, work.depth)
            if not work.is_provisional:
                self._guessed.add(at)
            return work.answer

        depth, outer_lowest, first = self._depth, self._lowest, len(self._provisional)
        self._depth, self._lowest = depth + 1, NO_GUESS
        work = self._open[at] = _Open(depth)
        answer = self._judge(at)
        lowest = self._lowest
        self._depth, self._lowest = depth, outer_lowest
        if lowest > depth:
            del self._open[at]
            self._decided[at] = answer
            return answer
        if lowest < depth:
            work.is_provisional, work.answer, work.depth = True, answer, lowest
            self._provisional.append(at)
            self._lowest = min(outer_lowest, lowest)
            return answer
        # It depends on itself: settle its whole cycle (found as Tarjan does).
        cycle = [*self._provisional[first:], at]
        del self._provisional[first:]
        guessed = sorted(self._guessed.intersection(cycle))
        self._guessed.difference_update(cycle)
        for each in cycle:
            del self._open[each]
        self._settle_cycle(cycle, guessed)
        return self.decide(at)

    def _judge(self, at: ProvinceId) -> bool:
        """Whether an order succeeds by what the others do; judged again if a paradox was settled on
        the way, which stops moves that were weighed before."""
        while True:
            settled = self._paradoxes
            if at in self.moves:
                answer = self._arrives(at)
            elif at in self._supports:
                answer = self.cutter(at) is None
            else:
                answer = self.dislodger(at) is None
            if settled == self._paradoxes:
                return answer

    # --- dependency cycles: rings and paradoxes (DATC 4.A.2) -----------------------------------

    def _settle_cycle(self, cycle: list[ProvinceId], guessed: list[ProvinceId]) -> None:
        """Decide the orders whose guesses the cycle depends on; the others follow from them."""
        answers: list[tuple[bool, ...]] = []
        for guesses in itertools.product((False, True), repeat=len(guessed)):
            trial = self._copy()
            trial._decided.update(zip(guessed, guesses, strict=True))
            if all(trial._judge(at) == guess for at, guess in zip(guessed, guesses, strict=True)):
                answers.append(guesses)
        within = frozenset(cycle)
        needed = {at for at in cycle if at in self.matching.convoys}
        for origin, canal_unit in self._passages.items():
            # The cycle depends on whether a passage is open, and that on the cycle.
            target = self._targets[origin]
            if (
                origin not in self.stopped
                and not within.isdisjoint((canal_unit, *self.into.get(canal_unit, ())))
                and not within.isdisjoint((target, *self.into[target]))
            ):
                needed.add(canal_unit)
        convoys = sorted(needed)
        if len(answers) == 1 or (answers and not convoys):
            # Of a ring's two answers the one in which everybody moves on (rule 7).
            for at, answer in zip(guessed, max(answers, key=sum), strict=True):
                self._decided[at] = answer
            return

        self._paradoxes += 1
        paradox = self.rules.convoy_paradox
        if paradox is ConvoyParadox.DPTG:
            # All convoys fail if that is consistent: if each of the fleets is dislodged then.
            trial = self._copy()
            trial._break_convoys(convoys)
            if any(trial.dislodger(at) is None for at in convoys):
                paradox = ConvoyParadox.ALL_HOLD
        if paradox is not ConvoyParadox.ALL_HOLD:
            self._break_convoys(convoys)
            return
        # All hold: every move of the paradox fails and has no effect.
        by_sea = (*self._convoyed, *self._passages)
        needing = [at for at in by_sea if not self.matching.needed_units(at).isdisjoint(convoys)]
        for at in (*cycle, *needing):
            if at in self.moves:
                self.stopped[at] = frozenset(convoys)
                self.all_hold.add(at)

    def _copy(self) -> "Decisions":
        """The same contest with what is decided so far, for a trial."""
        trial = Decisions(self.matching)
        trial.stopped, trial._broken = dict(self.stopped), set(self._broken)
        trial.all_hold, trial._decided = set(self.all_hold), dict(self._decided)
        return trial

    def _break_convoys(self, convoys: list[ProvinceId]) -> None:
        """Szykman: these fleets convoy nobody, as if they held. An army with a route of other
        fleets is not stopped by it (4.A.1), nor one that could walk."""
        self._broken.update(convoys)
        for army, fleets in self.matching.convoying_fleets.items():
            broken, others = fleets & self._broken, fleets - self._broken
            if not broken or army not in self._convoyed or army in self.matching.may_walk:
                continue
            way = is_reached(self.board, army, self._targets[army], others.__contains__)
            if not way or self.rules.convoy_routes is not ConvoyRoutes.ALL_ROUTES:
                self.stopped[army] = broken
        for origin, canal_unit in self._passages.items():
            if canal_unit in self._broken:
                self.stopped[origin] = frozenset((canal_unit,))

    # --- strengths: those whose support counts, the unit itself first (DATC 5.B) ----------------

    def _arrives(self, origin: ProvinceId) -> bool:
        if not self.has_way(origin):
            return False
        target = self._targets[origin]
        attack = len(self.attack_force(origin))
        if attack == 0:
            return False
        if self.is_head_to_head(origin):
            if attack <= 1 + len(self.move_supporters(target)):
                return False
        elif attack <= len(self.hold_force(target)):
            return False
        for rival in self.into[target]:
            if rival != origin and attack <= len(self.prevent_force(rival)):
                return False
        return target not in self._claims or attack > len(self.claim_force(target))

    def is_head_to_head(self, origin: ProvinceId) -> bool:
        """Whether a unit comes the other way, and neither goes by convoy or has no way at all."""
        target = self._targets[origin]
        if self._targets.get(target) != origin:
            return False
        if not self.contest.stuck.isdisjoint((origin, target)):
            return False
        return not self.goes_by_convoy(origin) and not self.goes_by_convoy(target)

    def move_supporters(self, origin: ProvinceId) -> tuple[ProvinceId, ...]:
        """Supports of a move that are given."""
        if origin not in self._move_supports:
            return ()
        return tuple([at for at in self._move_supports[origin] if self.decide(at)])

    def attack_force(self, origin: ProvinceId) -> tuple[ProvinceId, ...]:
        """Attack strength: the mover and those whose support counts; nobody against its own unit.

        Rule: no power dislodges its own unit, nor supports that (rulebook 2000, rule 12).
        """
        target = self._targets[origin]
        if target not in self.orders:
            return (origin, *self.move_supporters(origin))
        if target in self.moves:
            comes_towards = self._targets[target] == origin and self.is_head_to_head(origin)
            if not comes_towards and self.decide(target):
                return (origin, *self.move_supporters(origin))
        power = self._powers[target]
        if self._powers[origin] == power or origin in self.contest.peaceful:
            return ()
        supporters = self.move_supporters(origin)
        return (origin, *[at for at in supporters if self._powers[at] != power])

    def hold_force(self, province: ProvinceId) -> tuple[ProvinceId, ...]:
        """Hold strength: nobody if the province is empty or its unit leaves, the unit alone if its
        move fails, else the unit and its given supports."""
        if province not in self.orders:
            return ()
        if province in self.moves:
            return () if self.decide(province) else (province,)
        if province not in self._hold_supports:
            return (province,)
        return (province, *[at for at in self._hold_supports[province] if self.decide(at)])

    def prevent_force(self, rival: ProvinceId) -> tuple[ProvinceId, ...]:
        """Prevent strength: what a rival for the same province keeps others out with."""
        if not self.has_way(rival):
            return ()
        target = self._targets[rival]
        if self._targets.get(target) == rival:
            # Dislodged by the unit that comes from there, it has no effect there (rule 11).
            if self.is_head_to_head(rival):
                if self.decide(target):
                    return ()
            elif self.rules.dislodged_bounces is DislodgedBounces.NEVER and (
                self.decide(target) and not self.decide(rival)
            ):
                return ()
        return (rival, *self.move_supporters(rival))

    def claim_force(self, target: ProvinceId) -> tuple[ProvinceId, ...]:
        """Who keeps others out of a province without entering it: a move that was stopped before
        it, and the supports it has into it; nobody where there is no claim."""
        origin = self._claims.get(target)
        if origin is None or (self._targets.get(target) == origin and self.decide(target)):
            return ()  # dislodged from there, it has no effect there
        is_goal = self.contest.goals.get(origin) == target
        supports = self.matching.claim_supports.get(origin, ()) if is_goal else ()
        return (origin, *[at for at in supports if self.decide(at)])

    def dislodger(self, province: ProvinceId) -> ProvinceId | None:
        """Where the unit comes from that drives out the one there; None if it stays or leaves."""
        if self._has_left(province):
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
        support, power = self._supports[supporter], self._powers[supporter]
        is_attack = type(support) is SupportMove
        aimed_at = (
            support.target if type(support) is SupportMove else support.supported.location
        ).province
        choice = self.rules.cut_by_convoy_from_target
        for origin in self.into.get(supporter, ()):
            if self._is_sparing and self._may_not_cut(origin, aimed_at, is_attack):
                continue
            if (
                self._powers[origin] != power
                and origin not in self.contest.peaceful
                and self.has_way(origin)
                and (
                    origin != aimed_at
                    or (choice is CutByConvoyFromTarget.CUT and self.goes_by_convoy(origin))
                )
            ):
                return origin
            if self.decide(origin):
                return origin
        return None

    def _may_not_cut(self, origin: ProvinceId, aimed_at: ProvinceId, is_attack: bool) -> bool:
        """Whether a convoyed army may not cut this support: its own convoy depends on it."""
        if origin not in self._passages and not self.goes_by_convoy(origin):
            return False
        choice = self.rules.convoy_paradox
        if choice is ConvoyParadox.R1982:
            fleets = self.matching.convoying_fleets.values()
            return aimed_at in self._passages.values() or any(aimed_at in each for each in fleets)
        if not is_attack or aimed_at not in self.matching.needed_units(origin):
            return False
        return choice is ConvoyParadox.R1971 or not self.has_route(origin, aimed_at)
