"""The rulebooks' own figures, under the preset that our players hold (2000)."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from judge.diplomacy.adjustments import adjustment_due, open_sites, resolve_adjustments
from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import Phase, PhaseKind
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import (
    Passage,
    PowerId,
    ProvinceId,
    Ride,
    Unit,
    UnitKind,
    WrittenOrder,
)
from judge.diplomacy.outcomes import Cut, Disrupted, Resolved, Result, Void, WithoutEffect
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import resolve_movement
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import Variant, load_variant

FIGURES = json.loads((Path(__file__).parent / "figures.json").read_text(encoding="utf-8"))
STANDARD = load_variant("standard")
VARIANTS = {name: choose(name, {}) for name in ("standard", "colonial")}
RULES = Rules.preset("2000")
FIRST = {name: variant.calendar.first() for name, variant in VARIANTS.items()}
WINTER = Phase("W", 1901, PhaseKind.ADJUSTMENT)
Row = Mapping[str, Any]


def of(kind: str, name: str = "id") -> list[Row]:
    return [row for row in FIGURES[kind] if row["ruleset"] in VARIANTS and name in row]


def unit_of(power: str, kind: str, place: str) -> Unit:
    return Unit(PowerId(power), UnitKind(kind), parse_location(place))


def position(
    units: Sequence[Unit], owners: Mapping[str, str], phase: Phase, variant: Variant = STANDARD
) -> Position:
    owned = {ProvinceId(center): PowerId(power) for center, power in owners.items()}
    return Position(phase, sort_units(units, variant.power_ids), owned)


def written(text: str, variant: Variant = STANDARD) -> WrittenOrder:
    order = parse_order(text, variant)
    assert not isinstance(order, Fault), (text, order)
    return order


def play(figure: Row) -> Resolved:
    variant, first = VARIANTS[figure["ruleset"]], FIRST[figure["ruleset"]]
    order_sets: dict[PowerId, list[WrittenOrder]] = {}
    for power, text in figure["orders"]:
        order_sets.setdefault(PowerId(power), []).append(written(text, variant))
    units = [unit_of(*row) for row in figure["units"]]
    return resolve_movement(variant, RULES, position(units, {}, first, variant), order_sets)


def text_of(result: Result) -> str:
    return format_order(result.order)


def those_with(results: Sequence[Result], *kinds: type) -> set[str]:
    return {
        text_of(one) for one in results if any(isinstance(each, kinds) for each in one.outcomes)
    }


@pytest.mark.parametrize("figure", of("cases"), ids=lambda row: row["id"])
def test_figure(figure: Row) -> None:
    expected, variant = figure["expected"], VARIANTS[figure["ruleset"]]
    movement = play(figure)
    given = {format_order(written(text, variant)) for _, text in figure["orders"]}
    moves = [one for one in movement.results if " - " in text_of(one) and " S " not in text_of(one)]
    moves = [one for one in moves if " C " not in text_of(one) and text_of(one) in given]
    moves = [one for one in moves if not isinstance(one.order, Ride | Passage)]  # see `final`
    void = those_with(movement.results, Void)

    def canonical(name: str) -> set[str]:
        return {format_order(written(text, variant)) for text in expected[name]}

    succeed = {text_of(one) for one in moves if one.succeeded}
    fail = {text_of(one) for one in moves if not one.succeeded} - canonical("orders_void")
    assert succeed == canonical("moves_succeed")
    assert fail == canonical("moves_fail") - canonical("orders_void")
    assert {str(one.unit) for one in movement.dislodged} == set(expected["dislodged"])
    assert those_with(movement.results, Cut) == canonical("supports_cut")
    assert canonical("orders_void") <= void
    assert set(movement.contested) == set(expected["standoff_vacant"])
    useless = those_with(movement.results, WithoutEffect)
    assert canonical("supports_without_effect") <= useless | void
    broken = those_with([one for one in movement.results if one.by_convoy], Disrupted)
    convoys = canonical("convoys_disrupted")
    assert bool(broken) == bool(convoys)
    assert {text.rpartition(" C ")[2] for text in convoys} == broken
    for name, retreats in expected["retreat_options"].items():
        (one,) = [each for each in movement.dislodged if str(each.unit) == name]
        assert [str(place) for place in one.retreats] == retreats
    supports = [
        one for one in movement.results if text_of(one) in expected.get("supports_valid", ())
    ]
    assert all(one.succeeded for one in supports)
    assert len(supports) == len(expected.get("supports_valid", ()))
    stand = {(unit.power, str(unit)) for unit in movement.units}
    for name, place in expected.get("final", {}).items():
        power = next(row[0] for row in figure["units"] if f"{row[1]} {row[2]}" == name)
        assert (power, f"{name[0]} {place}") in stand


@pytest.mark.parametrize(
    "row", of("terrain", "from"), ids=lambda row: f"{row['unit']} {row['from']}"
)
def test_terrain(row: Row) -> None:
    origin, kind = parse_location(row["from"]), UnitKind(row["unit"])
    ways = {str(way) for way in VARIANTS[row["ruleset"]].board.adjacent_locations(kind, origin)}
    provinces = {way.partition("/")[0] for way in ways}
    assert set(row["may"]) <= ways | provinces
    assert not set(row["may_not"]) & (ways | provinces)
    if row["exhaustive"]:
        assert provinces == {place.partition("/")[0] for place in row["may"]}


# --- the adjustment section's sentences -----------------------------------------------------------

FRANCE = PowerId("FRANCE")
RUSSIA = PowerId("RUSSIA")


def test_std_build_france() -> None:
    units = [unit_of("FRANCE", "F", "BRE"), unit_of("ITALY", "A", "MAR")]
    owners = {"PAR": "FRANCE", "BRE": "FRANCE", "SPA": "FRANCE", "BEL": "FRANCE", "MAR": "ITALY"}
    at = position(units, owners, WINTER)
    france = STANDARD.power(FRANCE)
    assert open_sites(at, france) == ("PAR",)
    assert adjustment_due(at, france).builds == 1
    units = [unit_of("FRANCE", "F", "MAO"), unit_of("ITALY", "A", "PIE")]
    at = position(units, {**owners, "MAR": "FRANCE"}, WINTER)
    assert adjustment_due(at, france).builds == 3


def test_std_build_stp() -> None:
    at = position([], {"STP": "RUSSIA"}, WINTER)
    for text, built in (("F STP B", []), ("F STP/NC B", ["F STP/NC"]), ("A STP B", ["A STP"])):
        order_sets = {RUSSIA: [written(text)]}
        adjusted = resolve_adjustments(STANDARD, RULES, at, order_sets)
        assert [str(unit) for unit in adjusted.units] == built


def test_std_build_none() -> None:
    at = position([], {"PAR": "FRANCE", "MAR": "ITALY"}, WINTER)
    for order_set in (["WAIVE"], [], ["A MAR B"], ["F PAR B"]):
        adjusted = resolve_adjustments(
            STANDARD, RULES, at, {FRANCE: [written(text) for text in order_set]}
        )
        assert adjusted.units == ()
