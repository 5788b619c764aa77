"""A railway: one army a turn rides as far as nobody is in its way.

Rule: Colonial rulebook (seed 004) 9.2 and the errata of 1996; what they leave open is decided in
docs/rules.md. A ride is an ordinary move to the last station it reaches, one that enters empty
provinces only; out of the station that bars it, it keeps lone attackers.
"""

import dataclasses
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator import Contest, Decide, Decisions, illegal
from judge.diplomacy.outcomes import Bounced, DislodgedBy, Halted, Outcome, Result, Void, VoidReason


@dataclasses.dataclass(frozen=True, slots=True)
class Railway:
    """Stations in the order of the line, and the powers that may use it.

    `passes_own`: whether units of the train's own power let it pass.
    """

    stations: tuple[o.ProvinceId, ...]
    powers: frozenset[o.PowerId]
    passes_own: bool = True

    def order(
        self, units: Mapping[o.ProvinceId, o.Unit], written: o.WrittenOrder, power: o.PowerId
    ) -> o.Ride | o.Passage | Void | None:
        """A ride, or the rule it breaks (9.2, 9.21)."""
        if not isinstance(written, o.WrittenRide):
            return None
        origin, target = written.unit.location.province, written.target.province
        unit = units.get(origin)
        if unit is None:
            return illegal(VoidReason.NO_UNIT)
        if unit.power != power:
            return illegal(VoidReason.FOREIGN_UNIT, unit=unit)
        if power not in self.powers:
            return illegal(VoidReason.NOT_ITS_RAILWAY)
        if unit.kind is not o.UnitKind.ARMY:
            return illegal(VoidReason.NOT_A_TRAIN)
        if origin not in self.stations or target not in self.stations:
            places = tuple(o.Location(station) for station in self.stations)
            return illegal(VoidReason.NOT_A_STATION, places=places)
        if origin == target:
            return illegal(VoidReason.SAME_PROVINCE)
        return o.Ride(unit, o.Location(target))

    def way(
        self,
        units: Mapping[o.ProvinceId, o.Unit],  # noqa: ARG002
        unit: o.Unit,
        target: o.ProvinceId,
        *,
        is_supported: bool = False,
    ) -> o.Location | Void | None:
        """A support names the two ends of a ride and no railway (9.26); a move must name it."""
        if not is_supported or unit.power not in self.powers or unit.kind is not o.UnitKind.ARMY:
            return None
        is_line = unit.location.province in self.stations and target in self.stations
        return o.Location(target) if is_line else None

    # --- how far the train gets ----------------------------------------------------------------

    def decide(self, contest: Contest, go_on: Decide) -> Decisions:
        """The decisions in which the train gets furthest.

        The whole ride is tried first. A station that proves barred ends the next try, and one where
        a unit of its own stays makes it stop before: so each try is shorter than the last. The
        train keeps its claim to each barred station: who bounced with it goes nowhere, also if that
        bars it further back (9.25).
        """
        if not contest.rides:
            return go_on(contest)
        if len(contest.rides) > 1:
            # Of two trains none leaves: nothing says which of them was meant (9.22).
            stay = {at: o.Hold(ride.unit) for at, ride in contest.rides.items()}
            return go_on(dataclasses.replace(contest, orders=contest.orders | stay))
        ((origin, ride),) = contest.rides.items()
        line = self._stations_on_way(ride)
        stop = len(line)
        bars: list[o.ProvinceId] = []  # the nearest first
        while True:
            stop -= 1
            move = o.Move(ride.unit, o.Location(line[max(stop, 0)]))
            trial = dataclasses.replace(
                contest,
                orders=contest.orders | {origin: move},
                peaceful=contest.peaceful | {origin},
                claims=dict.fromkeys(bars, origin),
                goals={origin: ride.target.province},
                stuck=contest.stuck | ({origin} if stop < 0 else frozenset()),
            )
            decisions = go_on(trial)
            barred = self._first_bar(decisions, ride.unit, line[: stop + 1])
            if barred is not None:
                stop = barred
            elif stop < 0 or decisions.decide(origin):
                return decisions
            elif any(
                unit.power == ride.unit.power
                for unit in _units_staying_or_arriving(decisions, line[stop])
            ):
                continue
            bars.insert(0, line[stop])

    def _stations_on_way(self, ride: o.Ride) -> tuple[o.ProvinceId, ...]:
        """The stations of a ride after the train's own, its goal the last."""
        start = self.stations.index(ride.unit.location.province)
        end = self.stations.index(ride.target.province)
        if start < end:
            return self.stations[start + 1 : end + 1]
        return self.stations[end:start][::-1]

    def _first_bar(
        self, decisions: Decisions, train: o.Unit, stations: Sequence[o.ProvinceId]
    ) -> int | None:
        """The first station in which another power's unit stays or arrives (9.241, 9.25), or from
        which one comes towards the train: the two do not change places (7.41)."""
        home = train.location.province
        for index, station in enumerate(stations):
            others = _units_staying_or_arriving(decisions, station)
            if index == 0 and station in decisions.into.get(home, ()):
                others.append(decisions.orders[station].unit)
            for unit in others:
                if unit != train and (unit.power != train.power or not self.passes_own):
                    return index
        return None

    def results(
        self, contest: Contest, decisions: Decisions, results: Sequence[Result]
    ) -> tuple[Result, ...]:
        """The results with the ride as it was ordered, and where it ended."""
        told: list[Result] = []
        outcomes: list[Outcome]
        for result in results:
            ride = contest.rides.get(result.unit.location.province) if result.unit else None
            if ride is None:
                if result.outcomes and contest.rides:
                    outcomes = [_with_rides_named(one, contest) for one in result.outcomes]
                    result = replace(result, outcomes=tuple(outcomes))
                told.append(result)
                continue
            outcomes = [one for one in result.outcomes if isinstance(one, DislodgedBy)]
            if len(contest.rides) > 1:
                outcomes.insert(0, illegal(VoidReason.SECOND_TRAIN))
            else:
                origin, line = ride.unit.location.province, self._stations_on_way(ride)
                arrived = decisions.decide(origin)
                end = decisions.moves[origin].target.province if arrived else origin
                if end != ride.target.province:
                    barred = next(iter(decisions.contest.claims), None)
                    if barred is None:  # a unit of its own stays where it should end
                        barred = line[line.index(end) + 1] if arrived else line[0]
                    against = _in_the_way(decisions, barred, origin)
                    outcomes.insert(0, Halted(o.Location(end), o.Location(barred), against))
            told.append(replace(result, order=ride, outcomes=tuple(outcomes)))
        return tuple(told)


def _has_stayed(decisions: Decisions, province: o.ProvinceId) -> bool:
    """Whether a unit stands there that does not move away."""
    if province not in decisions.orders:
        return False
    return province not in decisions.moves or not decisions.decide(province)


def _units_staying_or_arriving(decisions: Decisions, province: o.ProvinceId) -> list[o.Unit]:
    """The unit that arrives there, and the one that does not move away."""
    ends = [at for at in decisions.into.get(province, ()) if decisions.decide(at)][:1]
    if _has_stayed(decisions, province):
        ends.append(province)
    return [decisions.orders[at].unit for at in ends]


def _in_the_way(decisions: Decisions, province: o.ProvinceId, train: o.ProvinceId) -> o.AnyOrder:
    """The order of the unit that stays, arrives or tries to arrive there, or came from there to
    where the train stood."""
    if _has_stayed(decisions, province):
        return decisions.orders[province]
    origins = [at for at in decisions.into.get(province, ()) if at not in decisions.contest.goals]
    arrived = [at for at in origins if decisions.decide(at)]
    occupant = decisions.moves.get(province)
    drives_it_out = occupant is not None and occupant.target.province == train
    if not arrived and occupant is not None and (drives_it_out or not origins):
        return occupant
    strongest = max(sorted(arrived or origins), key=lambda at: len(decisions.attack_force(at)))
    return decisions.orders[strongest]


def _with_rides_named(outcome: Outcome, contest: Contest) -> Outcome:
    """An outcome that names the train's order, as it was written."""
    if isinstance(outcome, Bounced):
        ride = contest.rides.get(outcome.against.unit.location.province)
        return outcome if ride is None else replace(outcome, against=ride)
    if isinstance(outcome, Void) and isinstance(outcome.order, o.Move):
        ride = contest.rides.get(outcome.order.unit.location.province)
        return outcome if ride is None else replace(outcome, order=ride)
    return outcome
