"""Canonical notation: what is written is read back as the same order."""

from collections.abc import Iterator

import pytest

from judge.diplomacy.board import Board
from judge.diplomacy.language.grammar import Fault, Parsed
from judge.diplomacy.language.lexicon import lexicon, power_names
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.notation import (
    format_order,
    parse_order,
)
from judge.diplomacy.orders import (
    AnyOrder,
    Build,
    Coast,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    PowerId,
    ProvinceId,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
    WrittenMove,
    WrittenOrder,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.variants.variant import load_variant

STANDARD = load_variant("standard")
BOARD = STANDARD.board
FRANCE = PowerId("FRANCE")


def every_unit(board: Board) -> Iterator[Unit]:
    for kind in UnitKind:
        for province in board.provinces:
            for place in board.possible_locations(kind, province):
                yield Unit(FRANCE, kind, place)


UNITS = tuple(every_unit(BOARD))


def orders_of(unit: Unit) -> Iterator[AnyOrder]:
    """Every order that this unit could be given somewhere in a game, supports of its neighbors."""
    yield Hold(unit)
    yield Disband(unit)
    yield Build(unit)
    for target in BOARD.adjacent_locations(unit.kind, unit.location):
        yield Move(unit, target)
        yield Retreat(unit, target)
        for other in UNITS:
            if other.location.province == target.province:
                yield SupportHold(unit, other)
            elif BOARD.is_adjacent(other.kind, other.location, target.province):
                yield SupportMove(unit, other, target)
    if unit.kind is UnitKind.ARMY and BOARD.is_coastal(unit.location.province):
        for province in BOARD.provinces:
            if BOARD.is_coastal(province) and province != unit.location.province:
                yield Move(unit, Location(province), via_convoy=True)


@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_every_order_of_a_unit_is_read_back_as_itself(unit: Unit) -> None:
    for order in orders_of(unit):
        text = format_order(order)
        read = parse_order(text, STANDARD)
        assert not isinstance(read, Fault), (text, read)
        assert format_order(read) == text


def test_convoys_between_all_coasts_are_read_back_as_themselves() -> None:
    fleet = Unit(FRANCE, UnitKind.FLEET, Location(ProvinceId("NTH")))
    coasts = [each for each in BOARD.provinces if BOARD.is_coastal(each)]
    for origin in coasts:
        army = Unit(FRANCE, UnitKind.ARMY, Location(origin))
        for target in coasts:
            text = format_order(Convoy(fleet, army, Location(target)))
            read = parse_order(text, STANDARD)
            assert not isinstance(read, Fault)
            assert format_order(read) == text


def test_a_written_order_keeps_kind_power_coast_and_path() -> None:
    unit = WrittenUnit(Location(ProvinceId("STP"), Coast.NORTH), UnitKind.FLEET, PowerId("RUSSIA"))
    army = WrittenUnit(Location(ProvinceId("LON")))
    path = (ProvinceId("NTH"), ProvinceId("NWG"))
    orders: list[WrittenOrder] = [
        WrittenSupportMove(unit, army, Location(ProvinceId("NWY"))),
        WrittenMove(army, Location(ProvinceId("NWY")), via_convoy=True, path=path),
        WrittenWaive(3),
    ]
    for order in orders:
        assert parse_order(format_order(order), STANDARD) == order


def test_a_waived_build_is_written_without_its_power() -> None:
    assert format_order(Waive(FRANCE)) == "WAIVE"


@pytest.mark.parametrize("province", sorted(BOARD.provinces))
def test_an_id_always_wins(province: ProvinceId) -> None:
    """`TYR` is listed as ambiguous too."""
    order = parse_order(f"PAR - {province}", STANDARD)
    assert order == WrittenMove(WrittenUnit(Location(ProvinceId("PAR"))), Location(province))


@pytest.mark.parametrize(
    ("alias", "place"),
    [(alias, place) for alias, place in BOARD.aliases.items() if alias not in BOARD.ambiguous],
    ids=[alias for alias in BOARD.aliases if alias not in BOARD.ambiguous],
)
@pytest.mark.parametrize("spelled", [str.upper, str.lower, str.title])
def test_every_alias_of_the_board_is_read(alias: str, place: Location, spelled: object) -> None:
    assert callable(spelled)
    order = parse_order(f"F ION - {spelled(alias)}", STANDARD)
    assert isinstance(order, WrittenMove), order
    assert order.target == place


def test_ambiguous_aliases_keep_all_their_readings() -> None:
    for alias, places in BOARD.ambiguous.items():
        if "/" in alias or ProvinceId(alias) in BOARD.provinces:
            continue
        (item,) = read_line(f"F ION - {alias}", lexicon(STANDARD))
        assert isinstance(item, Parsed)
        targets = [order.target for order in item.readings if isinstance(order, WrittenMove)]
        assert tuple(targets) == places
        fault = parse_order(f"F ION - {alias}", STANDARD)
        assert isinstance(fault, Fault)
        assert fault.kind == "ambiguous"
        assert fault.readings == item.readings


@pytest.mark.parametrize("language", sorted(STANDARD.local))
def test_every_name_of_every_language_is_read(language: str) -> None:
    for province, names in STANDARD.local[language]["provinces"].items():
        for name in names:
            order = parse_order(f"A PAR - {name}", STANDARD)
            assert isinstance(order, WrittenMove), (name, order)
            assert order.target == Location(ProvinceId(province)), name


def test_power_names_of_all_languages_are_known() -> None:
    names = power_names(STANDARD, FRANCE)
    assert {"FRANCE", "French", "프랑스", "法國", "フランス"} <= set(names)


@pytest.mark.parametrize("text", ["", "   ", "hello", "A PAR - BUR; A MAR - SPA", "A PAR -"])
def test_what_is_not_one_order_is_a_fault_with_a_place(text: str) -> None:
    fault = parse_order(text, STANDARD)
    assert isinstance(fault, Fault)
    assert 0 <= fault.start <= fault.end <= len(text)
