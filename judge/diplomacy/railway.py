"""A railway: one army a turn rides as far as nobody is in its way.

Rule: Colonial rulebook (seed 004) 9.2 and the errata of 1996; what they leave open is decided in
docs/rules.md. A ride is fought out as an ordinary move to the last station it reaches, one that
enters empty provinces only; out of the station that bars it, it keeps lone attackers.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from judge.diplomacy.battle import Battle
from judge.diplomacy.hooks import Contest, Fight
from judge.diplomacy.orders import (
    AnyOrder,
    Hold,
    Location,
    Move,
    Order,
    Passage,
    PowerId,
    ProvinceId,
    Ride,
    Unit,
    UnitKind,
    WrittenOrder,
    WrittenRide,
)
from judge.diplomacy.outcomes import (
    Bounced,
    DislodgedBy,
    Halted,
    Outcome,
    Result,
    Void,
    VoidReason,
)


@dataclass(frozen=True, slots=True)
class Railway:
    """Stations in the order of the line, and the powers that may use it.

    `passes_own`: whether units of the train's own power let it pass.
    """

    stations: tuple[ProvinceId, ...]
    powers: frozenset[PowerId]
    passes_own: bool = True

    # --- writing -------------------------------------------------------------------------------

    def order(
        self, units: Mapping[ProvinceId, Unit], written: WrittenOrder, power: PowerId
    ) -> Ride | Passage | Void | None:
        """A ride, or the rule it breaks (9.2, 9.21)."""
        if not isinstance(written, WrittenRide):
            return None
        origin, target = written.unit.location.province, written.target.province
        unit = units.get(origin)
        if unit is None:
            return Void(VoidReason.NO_UNIT, illegal=True)
        if unit.power != power:
            return Void(VoidReason.FOREIGN_UNIT, illegal=True, unit=unit)
        if power not in self.powers:
            return Void(VoidReason.NOT_ITS_RAILWAY, illegal=True)
        if unit.kind is not UnitKind.ARMY:
            return Void(VoidReason.NOT_A_TRAIN, illegal=True)
        if origin not in self.stations or target not in self.stations:
            places = tuple(Location(station) for station in self.stations)
            return Void(VoidReason.NOT_A_STATION, illegal=True, places=places)
        if origin == target:
            return Void(VoidReason.SAME_PROVINCE, illegal=True)
        return Ride(unit, Location(target))

    def way(
        self,
        units: Mapping[ProvinceId, Unit],  # noqa: ARG002
        unit: Unit,
        target: ProvinceId,
        *,
        is_supported: bool = False,
    ) -> Location | None:
        """A support names the two ends of a ride and no railway (9.26); a move must name it."""
        if not is_supported or unit.power not in self.powers or unit.kind is not UnitKind.ARMY:
            return None
        is_line = unit.location.province in self.stations and target in self.stations
        return Location(target) if is_line else None

    # --- fighting ------------------------------------------------------------------------------

    def fight(self, contest: Contest, go_on: Fight) -> Battle:
        """The battle in which the train gets furthest.

        The whole ride is tried first. A station that proves barred ends the next try, and one where
        a unit of its own stays makes it stop before: so each try is shorter than the last.
        """
        if len(contest.rides) != 1:
            # Of two trains none leaves: nothing says which of them was meant (9.22).
            stay: dict[ProvinceId, Order] = {
                at: Hold(ride.unit) for at, ride in contest.rides.items()
            }
            return go_on(dataclasses.replace(contest, orders={**contest.orders, **stay}))
        (ride,) = contest.rides.values()
        line = self.line(ride)
        stop = len(line)
        bars: list[ProvinceId] = []
        while True:
            stop -= 1
            battle = go_on(_try(contest, ride, line[max(stop, 0)], bars, is_stuck=stop < 0))
            barred = self._first_bar(battle, ride.unit, line[: stop + 1])
            if barred is not None:
                stop = barred
            elif stop < 0 or battle.decide(ride.unit.location.province):
                return battle
            elif _has_own(battle, ride.unit, line[stop]):
                continue
            bars.insert(0, line[stop])

    def line(self, ride: Ride) -> tuple[ProvinceId, ...]:
        """The stations of a ride after the train's own, its goal the last."""
        start = self.stations.index(ride.unit.location.province)
        end = self.stations.index(ride.target.province)
        if start < end:
            return self.stations[start + 1 : end + 1]
        return self.stations[end:start][::-1]

    def _first_bar(self, battle: Battle, train: Unit, stations: Sequence[ProvinceId]) -> int | None:
        """The first station in which another power's unit stays or arrives (9.241, 9.25), or from
        which one comes towards the train: the two do not change places (7.41)."""
        home = train.location.province
        for index, station in enumerate(stations):
            others = [_unit_at_end(battle, station), _remaining(battle, station)]
            if index == 0 and station in battle.into.get(home, ()):
                others.append(battle.orders[station].unit)
            for unit in others:
                if unit is not None and unit != train and self._bars(unit, train):
                    return index
        return None

    def _bars(self, unit: Unit, train: Unit) -> bool:
        return unit.power != train.power or not self.passes_own

    # --- what became of it ---------------------------------------------------------------------

    def results(
        self, contest: Contest, battle: Battle, results: Sequence[Result]
    ) -> tuple[Result, ...]:
        """The results with the ride as it was ordered, and where it ended."""
        return tuple(self._result(contest, battle, result) for result in results)

    def _result(self, contest: Contest, battle: Battle, result: Result) -> Result:
        at = result.unit.location.province if result.unit is not None else None
        ride = contest.rides.get(at) if at is not None else None
        if ride is None:
            return replace(result, outcomes=tuple(_named(one, contest) for one in result.outcomes))
        dislodged = tuple(one for one in result.outcomes if isinstance(one, DislodgedBy))
        if len(contest.rides) > 1:
            void = Void(VoidReason.SECOND_TRAIN, illegal=True)
            return replace(result, order=ride, outcomes=(void, *dislodged))
        halted = self._halted(ride, battle)
        outcomes: tuple[Outcome, ...] = dislodged if halted is None else (halted, *dislodged)
        return replace(result, order=ride, outcomes=outcomes)

    def _halted(self, ride: Ride, battle: Battle) -> Halted | None:
        origin, line = ride.unit.location.province, self.line(ride)
        arrived = battle.decide(origin)
        end = battle.moves[origin].target.province if arrived else origin
        if end == ride.target.province:
            return None
        barred = next(iter(battle.matching.specials.claims), None)
        if barred is None:  # no other power's doing: a unit of its own stays where it should end
            barred = line[line.index(end) + 1] if arrived else line[0]
        return Halted(Location(end), Location(barred), _in_the_way(battle, barred))


def _try(
    contest: Contest, ride: Ride, stop: ProvinceId, bars: Sequence[ProvinceId], *, is_stuck: bool
) -> Contest:
    """The contest with the ride as a move to the station `stop`, which a stuck one does not reach.

    `bars` are the stations that proved barred, the nearest first. The train keeps its claim to
    each: who bounced with it goes nowhere, also if that bars it further back (9.25).
    """
    origin = ride.unit.location.province
    move = Move(ride.unit, Location(stop))
    specials = dataclasses.replace(
        contest.specials,
        peaceful=contest.specials.peaceful | {origin},
        claims=dict.fromkeys(bars, origin),
        goals={origin: ride.target.province},
        stuck=contest.specials.stuck | ({origin} if is_stuck else frozenset()),
    )
    return dataclasses.replace(contest, orders={**contest.orders, origin: move}, specials=specials)


def _remaining(battle: Battle, province: ProvinceId) -> Unit | None:
    """The unit that stands there and does not leave of its own will."""
    order = battle.orders.get(province)
    if order is None or (province in battle.moves and battle.decide(province)):
        return None
    return order.unit


def _unit_at_end(battle: Battle, province: ProvinceId) -> Unit | None:
    """The unit that arrives there."""
    for origin in battle.into.get(province, ()):
        if battle.decide(origin):
            return battle.orders[origin].unit
    return None


def _has_own(battle: Battle, train: Unit, province: ProvinceId) -> bool:
    """Whether a unit of the train's own power is in its way there."""
    for unit in (_unit_at_end(battle, province), _remaining(battle, province)):
        if unit is not None and unit.power == train.power:
            return True
    return False


def _in_the_way(battle: Battle, province: ProvinceId) -> AnyOrder:
    """The order of the unit that stays, arrives or tries to arrive there, or came from there."""
    if _remaining(battle, province) is not None:
        return battle.orders[province]
    origins = [
        at for at in battle.into.get(province, ()) if at not in battle.matching.specials.goals
    ]
    arrived = [at for at in origins if battle.decide(at)]
    if not arrived and province in battle.orders:
        return battle.orders[province]  # it drove the train out
    strongest = max(sorted(arrived or origins), key=lambda at: len(battle.attackers(at)))
    return battle.orders[strongest]


def _named(outcome: Outcome, contest: Contest) -> Outcome:
    """An outcome that names the train's order, as it was written."""
    if isinstance(outcome, Bounced):
        ride = contest.rides.get(outcome.against.unit.location.province)
        return outcome if ride is None else replace(outcome, against=ride)
    if isinstance(outcome, Void) and isinstance(outcome.order, Move):
        ride = contest.rides.get(outcome.order.unit.location.province)
        return outcome if ride is None else replace(outcome, order=ride)
    return outcome
