"""How a game ends by itself: enough centers, a last year, or years without a change.

Rule: rulebook 2000 (docs/rules.md 1.7) for the count; the rest is what masters choose.
"""

from collections.abc import Mapping

from judge.diplomacy.ends import End, EndKind, Tie, Undecided
from judge.diplomacy.orders import PowerId, ProvinceId, Unit
from judge.diplomacy.variants.tables import VictoryBy
from judge.diplomacy.variants.variant import Variant


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
    counts = count_owned(variant, owners)
    sides = _sides_ahead(variant, counts)
    leaders = _in_order(variant, sides)
    most = sum(counts[power] for power in sides[0])
    players = {seat.id for seat in variant.seating for side in sides if side[0] in seat.powers}
    is_tie = len(players) > 1 and variant.ends.tie is Tie.NOBODY
    if most >= variant.victory_centers and not is_tie:
        return End(EndKind.CENTERS, leaders)
    kind = _limit(variant, year, quiet_years)
    if kind is None:
        return None
    if variant.ends.undecided is Undecided.MOST:
        return End(kind, leaders)
    standing = {unit.power for unit in units}
    alive = tuple(
        power
        for power, count in counts.items()
        if (count or power in standing) and power not in variant.unplayed
    )
    return End(kind, alive, is_draw=True)


def _sides_ahead(
    variant: Variant, counts: Mapping[PowerId, int]
) -> tuple[tuple[PowerId, ...], ...]:
    """Those with the most centers: powers one by one, or all powers of a player."""
    sides = [seat.powers for seat in variant.seating]
    if variant.victory_by is VictoryBy.POWER:
        sides = [(power,) for powers in sides for power in powers]
    totals = [sum(counts[power] for power in side) for side in sides]
    most = max(totals)
    return tuple(side for side, total in zip(sides, totals, strict=True) if total == most)


def _in_order(variant: Variant, sides: tuple[tuple[PowerId, ...], ...]) -> tuple[PowerId, ...]:
    chosen = frozenset(power for side in sides for power in side)
    return tuple(power for power in variant.power_ids if power in chosen)


def _limit(variant: Variant, year: int, quiet_years: int) -> EndKind | None:
    ends = variant.ends
    if ends.last_year and year >= ends.last_year:
        return EndKind.LAST_YEAR
    if ends.quiet_years and quiet_years >= ends.quiet_years:
        return EndKind.QUIET
    return None


def count_owned(variant: Variant, owners: Mapping[ProvinceId, PowerId]) -> Mapping[PowerId, int]:
    """How many centers count for each power towards victory."""
    counts = dict.fromkeys(variant.power_ids, 0)
    for owner in owners.values():
        counts[owner] += 1
    return counts | {power.id: power.count(owners) for power in variant.powers if power.uncounted}
