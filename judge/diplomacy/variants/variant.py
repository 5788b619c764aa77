"""Variants: a board, its powers, calendar and victory, made from a folder's files.

Made once a process for each name; knows nothing of positions or orders.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import msgspec
from msgspec.structs import asdict
from msgspec.structs import replace as replace_fields

from judge.data import variant_folders
from judge.diplomacy.adjudicator import Hook
from judge.diplomacy.board import Board, make_board, parse_location, province_id
from judge.diplomacy.calendar import Calendar, Phase, parse_phase
from judge.diplomacy.canal import Canal
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.railway import Railway
from judge.diplomacy.rules import Builds, Customs, Ends, UnknownChoice
from judge.diplomacy.variants.faults import variant_faults
from judge.diplomacy.variants.files import VariantFault, VariantText, read_variant
from judge.diplomacy.variants.tables import (
    BoardTables,
    PlayersTable,
    PowerTable,
    Uncounted,
    VictoryBy,
)

# Names in other languages: by language, then table (`powers`, `provinces`, `orders`), then id.
LocalNames = Mapping[str, Mapping[str, Mapping[str, list[str]]]]

# By what each was read from, with the tables that it was made of.
_BOARDS: dict[str, tuple[BoardTables, Board]] = {}


class Power(msgspec.Struct, frozen=True):
    """One of the sides on the board."""

    id: PowerId
    name: str
    adjective: str
    letter: str
    home_centers: tuple[ProvinceId, ...]
    start_units: tuple[Unit, ...]
    names: tuple[str, ...]  # all its English names that players write
    # Centers that count neither for its units nor for its victory.
    uncounted: frozenset[ProvinceId] = frozenset()
    start_centers: tuple[ProvinceId, ...] = ()  # those that it owns at the start
    builds: Builds = Builds.HOME  # the rule by which it builds
    sites: frozenset[ProvinceId] = frozenset()  # where that lets it build, if it owns the center
    # The province whose names it has, in every language; they mean the province where orders are
    # read, and the power everywhere else.
    named_after: ProvinceId | None = None
    is_played: bool = True  # whether somebody plays it; if not, its units only hold

    def center_count(self, owners: Mapping[ProvinceId, PowerId]) -> int:
        """How many of its centers count."""
        own = list(owners.values()).count(self.id)
        return own - sum(owners.get(center) == self.id for center in self.uncounted)

    def may_build_at_all(self, owners: Mapping[ProvinceId, PowerId]) -> bool:
        """Whether it has what its rule asks for before it may build anywhere."""
        if self.builds is not Builds.ONE_HOME:
            return True
        return any(owners.get(center) == self.id for center in self.home_centers)


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """Everything about a variant that stays the same through a game. Compared by identity."""

    name: str
    board: Board
    powers: tuple[Power, ...]
    calendar: Calendar
    victory_centers: int
    # What it is called, by language; English is always there.
    titles: Mapping[str, str] = field(default_factory=dict)
    builds: Builds = Builds.HOME  # where its powers build
    local: LocalNames = field(default_factory=dict)  # names in other languages
    hooks: tuple[Hook, ...] = ()  # its own rules in movement phases
    # How its own orders are said in English, by what they use: a `railway`'s within an order, a
    # `canal`'s as the first word of one.
    order_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Others that a game may choose, by the option's value.
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    # Pairs of provinces between which a game may let armies and fleets go, likewise.
    bridges: Mapping[str, tuple[tuple[ProvinceId, ProvinceId], ...]] = field(default_factory=dict)
    # The center that a game may choose not to count for one power.
    uncounted: Uncounted | None = None
    # How fewer players share its powers, by their number; a game may choose one.
    tables: Mapping[str, PlayersTable] = field(default_factory=dict)
    # The powers of each seat, in their fixed order; one for each power if left out. A seat's id is
    # made of those that its player has from the start: `AUSTRIA_FRANCE`.
    seating: Mapping[str, tuple[PowerId, ...]] = field(default_factory=dict)
    victory_by: VictoryBy = VictoryBy.POWER  # whose centers are counted together
    # Powers of several players that win together, as a game chooses them.
    teams: tuple[tuple[PowerId, ...], ...] = ()
    closed: frozenset[ProvinceId] = frozenset()  # provinces that nobody may enter
    # The phase after which a coin says whose the powers become that nobody plays.
    toss: Phase | None = None
    ends: Ends = field(default_factory=Ends)  # how a game ends beside the count that wins
    customs: Customs = field(default_factory=Customs)  # what is chosen about orders and units
    board_file: str = ""  # what the board was read from; its drawing lies in the same folder
    # The variant as it is usual, of which this one is a game's choice.
    base: "Variant | None" = None
    # All powers, in the fixed order of everything that is listed.
    power_ids: tuple[PowerId, ...] = field(init=False, repr=False)
    unplayed: frozenset[PowerId] = field(init=False, repr=False)  # powers that nobody plays
    _by_id: dict[PowerId, Power] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        ids = tuple(power.id for power in self.powers)
        unplayed = frozenset(power.id for power in self.powers if not power.is_played)
        seating = self.seating or {power: (power,) for power in ids}
        object.__setattr__(self, "power_ids", ids)
        object.__setattr__(self, "unplayed", unplayed)
        object.__setattr__(self, "seating", seating)
        object.__setattr__(self, "_by_id", {power.id: power for power in self.powers})

    @property
    def without_choices(self) -> "Variant":
        """The variant without a game's choices, which has the same names: the key of what is made
        from these."""
        return self.base or self

    @property
    def has_named_powers(self) -> bool:
        """Whether orders can name powers: not where these are called like provinces."""
        return all(power.named_after is None for power in self.powers)

    def power(self, power: PowerId) -> Power:
        """Raises KeyError: no such power (a bug, or input that was not checked)."""
        return self._by_id[power]


class FaultyVariant(ValueError):
    """A variant's data contradicts itself; `faults` say what and where."""

    def __init__(self, name: str, faults: tuple[VariantFault, ...]) -> None:
        super().__init__("\n".join((f"variant {name}:", *map(str, faults))))
        self.name = name
        self.faults = faults


def variant_names() -> tuple[str, ...]:
    """All variants: those that are shipped, the standard game first, then the keeper's own."""
    return tuple(variant_folders())


def load_variant(name: str) -> Variant:
    """The variant of that name, read once per process.

    Raises:
        UnknownChoice: there is nothing of that name.
        FaultyVariant: its data is not sound.
    """
    folders = variant_folders()
    if name not in folders:
        raise UnknownChoice("no_variant", f"no variant {name!r}", name, tuple(folders))
    return _load(name, str(folders[name]))


@lru_cache(maxsize=64)
def _load(name: str, folder: str) -> Variant:
    del folder  # a part of the key: a keeper's variants may change
    return make_variant(read_variant(name, variant_folders()))


def local_title(variant: str, language: str) -> str:
    """What a variant is called in a language; in English where it has no such name."""
    titles = load_variant(variant).titles
    return titles.get(language, titles["en"])


@lru_cache(maxsize=128)
def _local_names(variant: Variant, language: str) -> Mapping[str, str]:
    tables = variant.local.get(language, {})
    return {id_: names[0] for table in tables.values() for id_, names in table.items() if names}


def local_names(variant: str, language: str) -> Mapping[str, str]:
    """What powers and provinces are called in a language, by their ids: the first of the names in
    `names/<language>.toml`. Empty where a variant has no such names; English stands on the board.
    """
    return _local_names(load_variant(variant), language)


# --- making ---------------------------------------------------------------------------------------


def make_variant(text: VariantText) -> Variant:
    """The variant that its files describe.

    Raises:
        FaultyVariant: they are not sound.
    """
    faults = variant_faults(text)
    if faults:
        raise FaultyVariant(text.name, faults)
    tables, board = text.variant.tables, _board_of(text.board_key, text.board.tables)
    opening = parse_phase(tables.start) if tables.start is not None else None
    hooks: list[Hook] = []
    order_names: dict[str, tuple[str, ...]] = {}
    if canal := tables.canal:
        one, other = canal.ends
        hooks.append(Canal(canal.keeper, (one, other)))
        order_names["canal"] = canal.names
    if railway := tables.railway:
        hooks.append(Railway(railway.stations, frozenset(railway.powers)))
        order_names["railway"] = railway.names
    local = {}  # a power that is named after a province has its names in every language
    for language, document in text.names.items():
        names = asdict(document.tables)
        for row in tables.powers:
            if own := names["provinces"].get(row.named_after):
                names["powers"] = {**names["powers"], row.id: own}
        local[language] = names
    variant = Variant(
        name=tables.name,
        board=board,
        powers=tuple(_power_of(row, board) for row in tables.powers),
        calendar=Calendar(**asdict(tables.calendar), opening=opening),
        victory_centers=tables.victory_centers,
        titles=tables.titles,
        local=local,
        hooks=tuple(hooks),
        order_names=order_names,
        calendars={key: Calendar(**asdict(each)) for key, each in tables.calendars.items()},
        bridges={
            key: tuple((province_id(pair[:3]), province_id(pair[-3:])) for pair in each)
            for key, each in tables.bridges.items()
        },
        uncounted=tables.uncounted,
        ends=tables.ends,
        board_file=text.board_key,
        tables={count: tables.players[count] for count in sorted(tables.players, key=int)[::-1]},
    )
    return with_builds(variant, tables.builds)


def with_builds(variant: Variant, rule: Builds) -> Variant:
    """The variant whose powers build by that rule."""
    every = frozenset(variant.board.centers)
    if rule is Builds.ANY_HOME:
        every = frozenset(home for power in variant.powers for home in power.home_centers)
    powers = tuple(
        replace_fields(
            power,
            builds=rule,
            sites=frozenset(power.home_centers) if rule is Builds.HOME else every,
        )
        for power in variant.powers
    )
    return replace(variant, builds=rule, powers=powers)


def _board_of(key: str, tables: BoardTables) -> Board:
    """The board, one object for all variants that share it: it is the key of caches."""
    if key in _BOARDS and _BOARDS[key][0] == tables:
        return _BOARDS[key][1]
    board = make_board(
        [replace_fields(province, id=province_id(province.id)) for province in tables.provinces],
        {
            province_id(origin): tuple(map(province_id, targets.split()))
            for origin, targets in tables.army.items()
        },
        {
            parse_location(origin): tuple(map(parse_location, targets.split()))
            for origin, targets in tables.fleet.items()
        },
        coast_aliases={
            alias: parse_location(place)
            for place, aliases in tables.coast_aliases.items()
            for alias in aliases
        },
        ambiguous={
            alias: tuple(map(parse_location, places))
            for alias, places in tables.ambiguous_aliases.items()
        },
    )
    _BOARDS[key] = (tables, board)
    return board


def _power_of(row: PowerTable, board: Board) -> Power:
    power = PowerId(sys.intern(row.id))
    name, adjective, aliases = row.name, row.adjective, row.aliases
    if row.named_after is not None:
        province = board.provinces[row.named_after]
        name = adjective = province.name
        aliases = (row.named_after, *province.aliases)
    return Power(
        id=power,
        name=name,
        adjective=adjective,
        letter=row.letter,
        home_centers=tuple(map(province_id, row.home_centers)),
        start_units=tuple(parse_unit(power, text) for text in row.start_units),
        names=tuple(dict.fromkeys((row.id, name, adjective, *aliases))),
        start_centers=tuple(map(province_id, row.owned)),
        named_after=row.named_after,
    )


def parse_unit(power: PowerId, text: str) -> Unit:
    """The unit written canonically, `F STP/SC`; pair of `str(unit)`. Raises ValueError: it has
    another form."""
    kind, space, place = text.partition(" ")
    if not space:
        raise ValueError(f"{text!r} is no unit; one looks like A PAR or F STP/SC")
    return Unit(power, UnitKind(kind), parse_location(place))
