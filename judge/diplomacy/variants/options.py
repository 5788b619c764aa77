"""What a game may choose about its variant: how many play, its own rules, its calendar, where
powers build, how many centers win.

Which choices there are follows from the variant's data; every variant has its victory count.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.diplomacy.board import Board, make_board
from judge.diplomacy.building_rule import Builds
from judge.diplomacy.canal import Canal
from judge.diplomacy.ends import QUIET_MOST, YEAR_MOST, Ends, Tie, Undecided
from judge.diplomacy.hooks import Hook
from judge.diplomacy.orders import Location, ProvinceId
from judge.diplomacy.railway import Railway
from judge.diplomacy.variants.players_table import PlayersTable, VictoryBy
from judge.diplomacy.variants.seating import seated
from judge.diplomacy.variants.variant import Power, Variant, load_variant, with_builds

YES, NO, NONE = "true", "false", "none"
PLAYERS, JOINED = "players", "joined"
OWN_CALENDAR = "two_year"  # the one that a variant with a choice of calendars begins with
HOOKS: Mapping[str, type[Hook]] = {"railway": Railway, "canal": Canal}
PASSES_OWN = "railway_passes_own"  # whether a train passes units of its own power (9.23)
SPELLINGS = {"yes": YES, "on": YES, "1": YES, "no": NO, "off": NO, "0": NO, "without": NO}


class BadOption(ValueError):
    """A choice that the variant does not have; `known` lists those it has, of values or of keys.

    `key` is None if the option itself is unknown.
    """

    def __init__(self, key: str | None, written: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{key or 'option'}: {written!r}; there are {', '.join(known) or 'none'}")
        self.key = key
        self.written = written
        self.known = known


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
    return tuple(_options(variant, None))


@lru_cache(maxsize=128)
def _options_with(variant: Variant, players: str) -> Mapping[str, Option]:
    """The choices by key where that many play: what is usual may be another then."""
    return {option.key: option for option in _options(variant, variant.tables.get(players))}


def _options(variant: Variant, table: PlayersTable | None) -> Iterator[Option]:
    if variant.tables:
        all_play = str(len(variant.powers))
        yield Option(PLAYERS, (all_play, *variant.tables), all_play)
    if table is not None and table.toss is not None:
        yield Option(JOINED, (NONE, *(seat.id.lower() for seat in table.seats)), NONE)
    for key, kind in HOOKS.items():
        if any(isinstance(hook, kind) for hook in variant.hooks):
            yield Option(key, (YES, NO), YES)
    for hook in variant.hooks:
        if isinstance(hook, Railway):
            yield Option(PASSES_OWN, (YES, NO), YES if hook.passes_own else NO)
    if variant.uncounted is not None:
        yield Option(variant.uncounted.option, (YES, NO), YES)
    if variant.bridges:
        yield Option("land_bridges", (NONE, *variant.bridges), NONE)
    if variant.calendars:
        yield Option("calendar", (OWN_CALENDAR, *variant.calendars), OWN_CALENDAR)
    rules = (variant.builds, *(rule for rule in Builds if rule is not variant.builds))
    yield Option("builds", tuple(rule.value for rule in rules), variant.builds.value)
    most = len(variant.board.centers)
    usual = table.victory_centers if table is not None else None
    yield Option("victory", ("1", str(most)), str(usual or variant.victory_centers), is_count=True)
    if variant.tables:
        by = table.victory_by if table is not None else VictoryBy.POWER
        yield Option("victory_by", tuple(each.value for each in VictoryBy), by.value)
    ends = variant.ends
    yield Option("tie", tuple(Tie), ends.tie)
    yield Option("last_year", ("0", str(YEAR_MOST)), str(ends.last_year), is_count=True)
    yield Option("quiet_years", ("0", str(QUIET_MOST)), str(ends.quiet_years), is_count=True)
    yield Option("undecided", tuple(Undecided), ends.undecided)


def choose(name: str, chosen: Mapping[str, object]) -> Variant:
    """The variant as a game with these choices plays it; what is not chosen is as it is usual.

    Beside the options there is `joined` where a coin says whose the powers become that nobody
    plays: the seat that they have come to.

    Raises:
        NoVariant: no such variant.
        BadOption: no such choice.
    """
    variant, players = load_variant(name), ""
    if not chosen:
        return _usual(variant)
    if PLAYERS in chosen:
        players = option_value(name, PLAYERS, chosen[PLAYERS])
    options = _options_with(variant, players)
    for key in chosen:
        if key not in options:
            raise BadOption(None, key, tuple(options))
    values = {key: _value(options[key], written) for key, written in chosen.items()}
    return _variant_with(
        variant, tuple((key, values.get(key, option.default)) for key, option in options.items())
    )


@lru_cache(maxsize=64)
def _usual(variant: Variant) -> Variant:
    """The variant as a game plays it that has chosen nothing."""
    options = _options_with(variant, "").values()
    return _variant_with(variant, tuple((option.key, option.default) for option in options))


def option_value(name: str, key: str, written: object) -> str:
    """A choice about a variant as it is kept. Raises NoVariant or BadOption."""
    options = {option.key: option for option in options_of(load_variant(name))}
    if key not in options:
        raise BadOption(None, key, tuple(options))
    return _value(options[key], written)


def _value(option: Option, written: object) -> str:
    text = str(written).strip().lower().replace("-", "_").replace(" ", "_")
    text = SPELLINGS.get(text, text) if YES in option.values else text
    if option.is_count:
        least, most = (int(value) for value in option.values)
        text = "0" if text in (NONE, NO) else text
        if text.isascii() and text.isdecimal() and least <= int(text[:6]) <= most:
            return str(int(text))
        raise BadOption(option.key, str(written), (f"{least} - {most}",))
    if text not in option.values:
        raise BadOption(option.key, str(written), option.values)
    return text


@lru_cache(maxsize=128)
def _variant_with(variant: Variant, picked: tuple[tuple[str, str], ...]) -> Variant:
    values, base = dict(picked), variant
    table = variant.tables.get(values.get(PLAYERS, ""))
    if table is not None:
        joined = values.get(JOINED, NONE)
        variant = seated(variant, table, "" if joined == NONE else joined)
    off = tuple(kind for key, kind in HOOKS.items() if values.get(key) == NO)
    powers = variant.powers
    by = values.get("victory_by", variant.victory_by.value)
    if variant.uncounted is not None and values[variant.uncounted.option] == YES:
        powers = tuple(_without(power, variant) for power in powers)
    chosen = replace(
        variant,
        base=base,
        board=_bridged(variant.board, variant.bridges.get(values.get("land_bridges", NONE), ())),
        powers=powers,
        calendar=variant.calendars.get(values.get("calendar", ""), variant.calendar),
        victory_centers=int(values.get("victory", variant.victory_centers)),
        victory_by=VictoryBy(by),
        ends=Ends(
            Tie(values["tie"]),
            int(values["last_year"]),
            int(values["quiet_years"]),
            Undecided(values["undecided"]),
        ),
        hooks=tuple(_with_choices(hook, values) for hook in variant.hooks if type(hook) not in off),
    )
    return with_builds(chosen, Builds(values.get("builds", variant.builds)))


def _with_choices(hook: Hook, values: Mapping[str, str]) -> Hook:
    """A rule of the variant's own as a game with these choices has it."""
    if isinstance(hook, Railway):
        return replace(hook, passes_own=values[PASSES_OWN] == YES)
    return hook


def _without(power: Power, variant: Variant) -> Power:
    uncounted = variant.uncounted
    if uncounted is None or uncounted.power != power.id:
        return power
    return replace(power, uncounted=frozenset((uncounted.center,)))


@lru_cache(maxsize=64)
def _bridged(board: Board, pairs: tuple[tuple[ProvinceId, ProvinceId], ...]) -> Board:
    """The board with the ways that a game lets its units go over the sea."""
    if not pairs:
        return board
    army = {origin: list(targets) for origin, targets in board.army_ways.items()}
    fleet = {place: list(places) for place, places in board.fleet_ways.items()}
    for one, other in (*pairs, *((other, one) for one, other in pairs)):
        army[one].append(other)
        fleet[Location(one)].append(Location(other))
    return make_board(
        board.provinces.values(),
        {ProvinceId(origin): tuple(sorted(set(targets))) for origin, targets in army.items()},
        {place: tuple(sorted(set(places), key=str)) for place, places in fleet.items()},
        coast_aliases=board.aliases,
        ambiguous=board.ambiguous,
    )
