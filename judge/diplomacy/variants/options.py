"""What a game may choose about its variant: how many play, its own rules, its calendar, where
powers build, how many centers win.

Which choices there are follows from the variant's data; every variant has its victory count.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from msgspec import convert, structs

from judge.diplomacy.adjudicator import Hook
from judge.diplomacy.board import Board, make_board
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.canal import Canal
from judge.diplomacy.orders import Location, PowerId, ProvinceId
from judge.diplomacy.railway import Railway
from judge.diplomacy.rules import (
    QUIET_MOST,
    YEAR_MOST,
    Builds,
    Customs,
    Ends,
    Tie,
    Undecided,
    UnknownChoice,
)
from judge.diplomacy.variants.tables import PlayersTable, VictoryBy
from judge.diplomacy.variants.variant import Variant, load_variant, with_builds

LEAST = 2  # powers of a team
BETWEEN_TEAMS, WITHIN_A_TEAM = re.compile(r"[/,;\uff0c\u3001\uff1b]"), re.compile(r"[+&]")


def canonical_teams(variant: Variant, written: str) -> str:
    """`Turkey + Austria, 프랑스+영국` as it is kept, in the order of the board:
    `AUSTRIA+TURKEY/ENGLAND+FRANCE`. Empty where a name is no power's, a power stands twice, or a
    team has all powers or a single one."""
    ids = {
        name.casefold(): power
        for power in variant.power_ids
        for names in (
            variant.power(power).names,
            *(table["powers"].get(power, ()) for table in variant.local.values()),
        )
        for name in names
    }
    rank = {power: at for at, power in enumerate(variant.power_ids)}
    teams: list[list[PowerId]] = []
    for part in BETWEEN_TEAMS.split(written):
        found = [ids.get(name.strip().casefold()) for name in WITHIN_A_TEAM.split(part)]
        members = [power for power in found if power is not None]
        if len(members) < len(found) or not LEAST <= len(members) < len(rank):
            return ""
        teams.append(sorted(members, key=rank.__getitem__))
    every = [power for team in teams for power in team]
    if len({*every}) < len(every):
        return ""
    return "/".join("+".join(team) for team in sorted(teams, key=lambda team: rank[team[0]]))


YES, NO, NONE = "true", "false", "none"
PLAYERS, JOINED, TEAMS = "players", "joined", "teams"
ALL_PLAY = PlayersTable()  # each player has one power, and each power a player
OWN_CALENDAR = "two_year"  # the one that a variant with a choice of calendars begins with
HOOKS: Mapping[str, type[Hook]] = {"railway": Railway, "canal": Canal}
PASSES_OWN = "railway_passes_own"  # whether a train passes units of its own power (9.23)
SPELLINGS = {"yes": YES, "on": YES, "1": YES, "no": NO, "off": NO, "0": NO, "without": NO}


@dataclass(frozen=True, slots=True)
class Option:
    """One choice. `values` lists all of them, the default first; a count has two, least and most,
    and its default in `default`."""

    key: str
    values: tuple[str, ...]
    default: str
    is_count: bool = False


def options_of(variant: Variant) -> tuple[Option, ...]:
    """All choices of a variant, in a fixed order."""
    return tuple(_options_for_players(variant, "").values())


@lru_cache(maxsize=128)
def _options_for_players(variant: Variant, players: str) -> Mapping[str, Option]:
    """The choices by key, with the defaults for that many players."""
    table, ends = variant.tables.get(players, ALL_PLAY), variant.ends
    found: dict[str, Option] = {}

    def offer(key: str, values: Iterable[str], default: str, *, is_count: bool = False) -> None:
        found[key] = Option(key, tuple(values), default, is_count)

    if variant.tables:
        all_play = str(len(variant.powers))
        offer(PLAYERS, (all_play, *variant.tables), all_play)
    if table.toss is not None:
        seats = map("_".join, table.seats_among(variant.power_ids))
        offer(JOINED, (NONE, *(seat.lower() for seat in seats)), NONE)
    for key, kind in HOOKS.items():
        if any(isinstance(hook, kind) for hook in variant.hooks):
            offer(key, (YES, NO), YES)
    for hook in variant.hooks:
        if isinstance(hook, Railway):
            offer(PASSES_OWN, (YES, NO), YES if hook.passes_own else NO)
    if variant.uncounted is not None:
        offer(variant.uncounted.option, (YES, NO), YES)
    if variant.bridges:
        offer("land_bridges", (NONE, *variant.bridges), NONE)
    if variant.calendars:
        offer("calendar", (OWN_CALENDAR, *variant.calendars), OWN_CALENDAR)
    rules = (variant.builds, *(rule for rule in Builds if rule is not variant.builds))
    offer("builds", rules, variant.builds)
    for key in Customs.__struct_fields__:
        custom: StrEnum = getattr(variant.customs, key)
        offer(key, type(custom), custom)
    usual = str(table.victory_centers or variant.victory_centers)
    offer("victory", ("1", str(len(variant.board.centers))), usual, is_count=True)
    if variant.tables:
        offer("victory_by", VictoryBy, table.victory_by)
    if len(variant.powers) > LEAST:
        offer(TEAMS, (NONE, "+".join(variant.power_ids[:LEAST])), NONE)
    offer("tie", Tie, ends.tie)
    offer("last_year", ("0", str(YEAR_MOST)), str(ends.last_year), is_count=True)
    offer("quiet_years", ("0", str(QUIET_MOST)), str(ends.quiet_years), is_count=True)
    offer("undecided", Undecided, ends.undecided)
    return found


def choose(name: str, chosen: Mapping[str, object]) -> Variant:
    """The variant as a game with these choices plays it; all else is as it is usual.

    Where a coin is tossed for the powers that nobody plays, `joined` is the seat that got them.
    Raises UnknownChoice: no such variant, option or value."""
    variant, players = load_variant(name), ""
    if PLAYERS in chosen:
        players = option_value(name, PLAYERS, chosen[PLAYERS])
    options = _options_for_players(variant, players)
    values = {key: option.default for key, option in options.items()}
    values |= {key: _value(name, options, key, written) for key, written in chosen.items()}
    return _variant_with(variant, tuple(values.items()))


def option_value(name: str, key: str, written: object) -> str:
    """A choice about a variant as it is kept. Raises UnknownChoice."""
    return _value(name, _options_for_players(load_variant(name), ""), key, written)


def _value(name: str, options: Mapping[str, Option], key: str, written: object) -> str:
    if key not in options:
        about = f"the variant {name} has no option {key!r}"
        raise UnknownChoice("no_option", about, key, tuple(options))
    option = options[key]
    known = option.values
    text = str(written).strip().lower().replace("-", "_").replace(" ", "_")
    text = SPELLINGS.get(text, text) if YES in option.values else text
    if option.is_count:
        least, most = (int(value) for value in option.values)
        text = "0" if text in (NONE, NO) else text
        if text.isascii() and text.isdecimal() and least <= int(text[:6]) <= most:
            return str(int(text))
        text, known = "", (f"{least} - {most}",)
    if key == TEAMS and (teams := canonical_teams(load_variant(name), str(written))):
        return teams
    if text not in known:
        about = f"options: no {key} {str(written)!r}"
        raise UnknownChoice("no_choice", about, str(written), known)
    return text


@lru_cache(maxsize=128)
def _variant_with(base: Variant, picked: tuple[tuple[str, str], ...]) -> Variant:
    values = dict(picked)
    table = base.tables.get(values.get(PLAYERS, ""), ALL_PLAY)
    joined = values.get(JOINED, NONE)
    out = table.out if joined == NONE else ()
    uncounted: dict[PowerId, frozenset[ProvinceId]] = {}
    if (one := base.uncounted) is not None and values[one.option] == YES:
        uncounted[one.power] = frozenset((one.center,))
    kept = values.get(TEAMS, NONE)  # as `canonical_teams` gave it
    teams = [] if kept == NONE else kept.split("/")
    powers = tuple(
        structs.replace(
            power,
            is_played=power.id not in out,
            uncounted=uncounted.get(power.id, frozenset()),
        )
        for power in base.powers
    )
    seating = {"_".join(powers): powers for powers in table.seats_among(base.power_ids)}
    others = tuple(power for power in base.power_ids if power in table.out)
    calendar = base.calendars.get(values.get("calendar", ""), base.calendar)
    if table.start is not None:
        calendar = structs.replace(calendar, opening=parse_phase(table.start))
    closed = frozenset(table.closed if joined == NONE else ())
    bridges = base.bridges.get(values.get("land_bridges", NONE), ())
    off = tuple(kind for key, kind in HOOKS.items() if values.get(key) == NO)
    hooks = [hook for hook in base.hooks if not isinstance(hook, off)]
    for at, hook in enumerate(hooks):
        if isinstance(hook, Railway):
            hooks[at] = replace(hook, passes_own=values[PASSES_OWN] == YES)
    chosen = replace(
        base,
        base=base,
        board=_board_with(base.board, bridges, closed),
        powers=powers,
        seating={
            seat: (*powers, *others) if seat.lower() == joined else powers
            for seat, powers in seating.items()
        },
        closed=closed,
        toss=parse_phase(table.toss) if table.toss is not None and joined == NONE else None,
        calendar=calendar,
        victory_centers=int(values["victory"]),
        teams=tuple(tuple(map(PowerId, team.split("+"))) for team in teams),
        victory_by=VictoryBy(values.get("victory_by", base.victory_by)),
        ends=convert({key: values[key] for key in Ends.__struct_fields__}, Ends, strict=False),
        customs=convert({key: values[key] for key in Customs.__struct_fields__}, Customs),
        hooks=tuple(hooks),
    )
    return with_builds(chosen, Builds(values["builds"]))


@lru_cache(maxsize=64)
def _board_with(
    board: Board, bridges: tuple[tuple[ProvinceId, ProvinceId], ...], closed: frozenset[ProvinceId]
) -> Board:
    """The board with bridges over the sea, and without ways into or out of closed provinces."""
    if not bridges and not closed:
        return board
    army = {origin: set(targets) for origin, targets in board.army_ways.items()}
    fleet = {place: set(places) for place, places in board.fleet_ways.items()}
    for one, other in (*bridges, *((other, one) for one, other in bridges)):
        army[one].add(other)
        fleet[Location(one)].add(Location(other))
    return make_board(
        board.provinces.values(),
        {
            origin: tuple(each for each in targets if not {origin, each} & closed)
            for origin, targets in army.items()
        },
        {
            place: tuple(each for each in places if not {place.province, each.province} & closed)
            for place, places in fleet.items()
        },
        coast_aliases=board.aliases,
        ambiguous=board.ambiguous,
    )
