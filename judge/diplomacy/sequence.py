"""One phase after another: how movement runs, what a phase leaves behind, who owns what, how a game
ends by itself, and which phases are skipped because nobody has a choice.

Rule: rulebook 2000 (docs/rules.md 1.6, 1.7) for centers and victory; other ends are what masters
choose.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import asdict

from judge.diplomacy.adjudicator import Decide, Legality, decide, explain, make_contest
from judge.diplomacy.adjustments import adjustment_due, resolve_adjustments
from judge.diplomacy.calendar import Phase, PhaseKind
from judge.diplomacy.orders import OrdersByPower, PowerId, ProvinceId, Unit
from judge.diplomacy.outcomes import Resolved
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.retreats import dislodged_with_retreats, resolve_retreats
from judge.diplomacy.rules import DislodgedUnits, End, EndKind, Rules, Tie, Undecided
from judge.diplomacy.variants.tables import VictoryBy
from judge.diplomacy.variants.variant import Variant


def resolve_movement(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: OrdersByPower,
    missing: frozenset[PowerId] = frozenset(),
) -> Resolved:
    """Resolve a movement phase. Units without an order, and those of `missing` powers, hold.

    Rule: rulebook 2000, rules 1 - 22 (docs/rules.md); civil disorder: units hold, do not support
    each other, and are disbanded when dislodged.
    """
    contest, lines = make_contest(Legality(variant, rules, position), written, missing)

    go_on: Decide = partial(decide, variant.board, rules)
    for hook in variant.hooks:
        go_on = partial(hook.decide, go_on=go_on)
    decisions = go_on(contest)

    stay: list[Unit] = []
    for unit in position.units:
        at = unit.location.province
        if at in decisions.moves and decisions.decide(at):
            stay.append(Unit(unit.power, unit.kind, decisions.moves[at].target))
        elif at not in decisions.dislodgers:
            stay.append(unit)
    units = sort_units(stay, variant.power_ids)
    occupied = frozenset([unit.location.province for unit in units])
    contested = decisions.contested(occupied)

    dislodged: list[Dislodged] = []
    for at, origin in decisions.dislodgers.items():
        one = Dislodged(contest.orders[at].unit, origin, decisions.goes_by_convoy(origin))
        if one.unit.power not in missing and variant.customs.dislodged is DislodgedUnits.RETREAT:
            one = dislodged_with_retreats(variant.board, rules, one, occupied.union(contested))
        dislodged.append(one)

    results = explain(decisions, lines.illegal, missing, variant.unplayed)
    for hook in variant.hooks:
        results = hook.results(contest, decisions, results)
    return Resolved(results, tuple(lines.aside), units, tuple(dislodged), contested)


RESOLVE: Mapping[PhaseKind, Callable[..., Resolved]] = {
    PhaseKind.MOVEMENT: resolve_movement,
    PhaseKind.RETREAT: resolve_retreats,
    PhaseKind.ADJUSTMENT: resolve_adjustments,
}


class Played(Resolved, frozen=True, kw_only=True):
    """A phase that ran."""

    phase: Phase  # which
    # before, owners: the owner of each owned center before and after the phase.
    before: Mapping[ProvinceId, PowerId]
    owners: Mapping[ProvinceId, PowerId]
    is_count: bool  # whether centers were counted at its end
    after: Position  # the position in which the next phase begins, skipped or not
    quiet_years: int = 0  # for how many years no center has changed hands, up to its last count
    end: End | None = None  # what it ends the game with

    @property
    def winners(self) -> tuple[PowerId, ...]:
        """Powers that have won by it; those of a draw have not."""
        return () if self.end is None or self.end.is_draw else self.end.winners


def play(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: OrdersByPower,
    missing: frozenset[PowerId] = frozenset(),
    quiet_years: int = 0,
) -> tuple[Played, ...]:
    """The phase of the position, and those after it in which nobody has a choice.

    Powers that nobody plays are in civil disorder for good, but for removals. `quiet_years` tells
    for how long no center has changed hands before it.
    """
    played = [play_phase(variant, rules, position, written, missing, quiet_years)]
    while not played[-1].end and not any(orders_due(variant, played[-1].after)):
        last, now = played[-1], played[-1].after
        standing = [*now.units, *(one.unit for one in now.dislodged)]
        is_deserted = all(unit.power in variant.unplayed for unit in standing)
        if is_deserted and not any(adjustment_due(now, power).builds for power in variant.powers):
            break  # nothing would ever happen again
        played.append(play_phase(variant, rules, now, {}, missing, last.quiet_years))
    return tuple(played)


def play_phase(
    variant: Variant,
    rules: Rules,
    position: Position,
    written: OrdersByPower,
    missing: frozenset[PowerId] = frozenset(),
    quiet_years: int = 0,
) -> Played:
    """One phase, and nothing after it."""
    phase, owners, end = position.phase, position.owners, None
    missing = missing | variant.unplayed
    done = RESOLVE[phase.kind](variant, rules, position, written, missing)
    is_count = phase.kind is PhaseKind.RETREAT and variant.calendar.is_before_adjustment(phase)
    if is_count:
        owners = count_centers(variant, owners, done.units)
        is_quiet = owners == position.owners
        quiet_years = quiet_years + variant.calendar.cycle_years if is_quiet else 0
        end = end_after(variant, owners, done.units, year=phase.year, quiet_years=quiet_years)
    next_phase = variant.calendar.after(phase)
    return Played(
        **asdict(done),
        phase=phase,
        before=position.owners,
        owners=owners,
        is_count=is_count,
        after=Position(next_phase, done.units, owners, done.dislodged, done.contested),
        quiet_years=quiet_years,
        end=end,
    )


def count_centers(
    variant: Variant, owners: Mapping[ProvinceId, PowerId], units: Sequence[Unit]
) -> Mapping[ProvinceId, PowerId]:
    """Owners after the fall retreats: whoever stands in a center owns it, all others keep their
    owners. Rule: rulebook 2000, docs/rules.md 1.6."""
    now, provinces = dict(owners), variant.board.provinces
    for unit in units:
        at = unit.location.province
        if provinces[at].is_center:
            now[at] = unit.power
    return {center: now[center] for center in sorted(now)}


def orders_due(variant: Variant, position: Position) -> Iterator[tuple[PowerId, int]]:
    """The powers that have something to choose in the position's phase, in order, each with how
    many orders it is asked for."""
    for power in variant.powers:
        if not power.is_played:
            continue
        match position.phase.kind:
            case PhaseKind.MOVEMENT:
                due = len(position.units_of(power.id))
            case PhaseKind.RETREAT:
                lost = [one for one in position.dislodged if one.unit.power == power.id]
                due = sum(bool(one.retreats) for one in lost)
            case PhaseKind.ADJUSTMENT:
                owed = adjustment_due(position, power)
                is_all = owed.disbands >= len(position.units_of(power.id))
                due = owed.builds or (0 if is_all else owed.disbands)
        if due:
            yield power.id, due


def end_after(
    variant: Variant,
    owners: Mapping[ProvinceId, PowerId],
    units: tuple[Unit, ...],
    *,
    year: int,
    quiet_years: int,
) -> End | None:
    """The end that a count of centers brings, if it brings one.

    Args:
        owners: of each owned center, after the count.
        units: those on the board.
        year: of the count.
        quiet_years: how long no center has changed hands by now, in years of the game.
    """
    counts = dict.fromkeys(variant.power_ids, 0)
    for owner in owners.values():
        counts[owner] += 1
    counts |= {power.id: power.center_count(owners) for power in variant.powers if power.uncounted}

    # Those with the most centers: teams, all powers of a player, or powers one by one.
    sides = [("+".join(team), team) for team in variant.teams]
    of_teams = {power for team in variant.teams for power in team}
    for seat, powers in variant.seating.items():
        own = tuple(power for power in powers if power not in of_teams)
        by_player = variant.victory_by is VictoryBy.PLAYER
        parts = [own] if by_player and own else [(power,) for power in own]
        sides += [(seat, part) for part in parts]
    totals = [sum(counts[power] for power in side) for _, side in sides]
    most = max(totals)
    ahead = [side for side, total in zip(sides, totals, strict=True) if total == most]
    leading = frozenset(power for _, side in ahead for power in side)
    leaders = tuple(power for power in variant.power_ids if power in leading)

    ends = variant.ends
    is_tie = len({seat for seat, _ in ahead}) > 1 and ends.tie is Tie.NOBODY
    if most >= variant.victory_centers and not is_tie:
        return End(EndKind.CENTERS, leaders)
    if ends.last_year and year >= ends.last_year:
        kind = EndKind.LAST_YEAR
    elif ends.quiet_years and quiet_years >= ends.quiet_years:
        kind = EndKind.QUIET
    else:
        return None
    if ends.undecided is Undecided.MOST:
        return End(kind, leaders)
    alive = {unit.power for unit in units}.union(power for power, count in counts.items() if count)
    sharing = [power for power in variant.power_ids if power in alive - variant.unplayed]
    return End(kind, tuple(sharing), is_draw=True)
