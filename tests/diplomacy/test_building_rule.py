"""Where powers build: at home, in anybody's home, with one home center left, or anywhere."""

import pytest

from judge.diplomacy.adjustments import adjustment_due, choose_removals
from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.order_context import OrderContext, Untaken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import parse_order, stored_text
from judge.diplomacy.orders import (
    Build,
    Location,
    PowerId,
    ProvinceId,
    SupportMove,
    Unit,
    UnitKind,
    WrittenBuild,
    WrittenUnit,
)
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.position import Position, start_position
from judge.diplomacy.rules import Builds, Rules
from judge.diplomacy.sequence import play
from judge.diplomacy.variants.options import choose, option_value
from judge.diplomacy.variants.variant import Variant, load_variant

FRANCE, GERMANY, RULES = PowerId("FRANCE"), PowerId("GERMANY"), Rules.preset("2000")
HOME, ABROAD, NEUTRAL = "PAR", "MUN", "SPA"  # a center of its own, of Germany, of nobody


def france_at(variant: Variant, *centers: str) -> Position:
    """France owns these centers and one army, in Gascony."""
    army = Unit(FRANCE, UnitKind.ARMY, parse_location("GAS"))
    owners = {ProvinceId(center): FRANCE for center in centers} | {ProvinceId("BER"): GERMANY}
    return Position(parse_phase("W1901A"), (army,), owners)


def build(variant: Variant, position: Position, province: str) -> str:
    """What becomes of a build there: `built`, or the reason why not."""
    context = OrderContext(variant, RULES, position, FRANCE)
    written = WrittenBuild(WrittenUnit(Location(ProvinceId(province)), UnitKind.ARMY))
    order = context.order_on_board(written)
    return order.reason.value if isinstance(order, Void) else "built"


@pytest.mark.parametrize(
    ("rule", "open_", "refused"),
    [
        ("home", ["PAR"], {"MUN": "not_a_home_center", "SPA": "not_a_home_center"}),
        ("any_home", ["MUN", "PAR"], {"SPA": "nobodys_home_center", "BER": "not_owned"}),
        ("one_home", ["MUN", "PAR", "SPA"], {"RUH": "not_a_center", "BER": "not_owned"}),
        ("any", ["MUN", "PAR", "SPA"], {"RUH": "not_a_center", "BRE": "not_owned"}),
    ],
)
def test_a_rule_says_where_a_power_builds(
    rule: str, open_: list[str], refused: dict[str, str]
) -> None:
    variant = choose("standard", {"builds": rule})
    position = france_at(variant, HOME, ABROAD, NEUTRAL)
    due = adjustment_due(position, variant.power(FRANCE))
    assert list(due.open) == open_
    assert due.builds == min(2, len(open_))
    assert {province: build(variant, position, province) for province in open_} == dict.fromkeys(
        open_, "built"
    )
    assert {province: build(variant, position, province) for province in refused} == refused


@pytest.mark.parametrize(
    ("rule", "builds", "said"),
    [
        ("home", 0, "not_a_home_center"),
        ("any_home", 1, "built"),
        ("one_home", 0, "no_home_center_owned"),
        ("any", 1, "built"),
    ],
)
def test_a_power_that_lost_its_home(rule: str, builds: int, said: str) -> None:
    variant = choose("standard", {"builds": rule})
    position = france_at(variant, ABROAD, NEUTRAL)
    assert adjustment_due(position, variant.power(FRANCE)).builds == builds
    assert build(variant, position, ABROAD) == said


def test_a_refused_build_names_the_open_centers() -> None:
    variant = choose("standard", {"builds": "any"})
    context = OrderContext(variant, RULES, france_at(variant, HOME, NEUTRAL), FRANCE)
    (refused,) = read_orders(context, ["Build A Bur"])
    assert isinstance(refused, Untaken)
    assert refused.kind == VoidReason.NOT_A_CENTER
    assert [str(place) for place in refused.values.places] == ["PAR", "SPA"]


def test_a_game_may_choose_the_rule_and_a_variant_has_its_own() -> None:
    assert option_value("standard", "builds", "One-Home") == "one_home"
    assert choose("standard", {}).builds is Builds.HOME
    assert choose("wilson", {}).builds is Builds.ONE_HOME
    assert choose("wilson", {"builds": "home"}).builds is Builds.HOME


def build_line(place: str, kind: UnitKind) -> WrittenBuild:
    return WrittenBuild(WrittenUnit(parse_location(place), kind))


def test_a_blank_board_is_filled_by_the_first_builds() -> None:
    blank = load_variant("blank")
    written = {
        FRANCE: [build_line("BRE", UnitKind.ARMY), build_line("MAR", UnitKind.FLEET)],
        PowerId("RUSSIA"): [build_line("STP/NC", UnitKind.FLEET), build_line("SPA", UnitKind.ARMY)],
    }
    (played,) = play(blank, RULES, start_position(blank), written)
    assert [str(unit) for unit in played.after.units_of(FRANCE)] == ["A BRE", "F MAR"]
    assert [str(unit) for unit in played.after.units_of(PowerId("RUSSIA"))] == ["F STP/NC"]
    assert str(played.after.phase) == "S1901M"
    assert sum(isinstance(each.order, Build) and each.succeeded for each in played.results) == 3


def test_a_power_of_chaos_builds_in_whatever_it_owns() -> None:
    chaos = load_variant("chaos")
    paris = PowerId("PARIS")
    army = Unit(paris, UnitKind.ARMY, parse_location("BUR"))
    owners = {ProvinceId("PAR"): paris, ProvinceId("MUN"): paris}
    due = adjustment_due(Position(parse_phase("W1901A"), (army,), owners), chaos.power(paris))
    assert (due.builds, due.open) == (1, ("MUN", "PAR"))


def test_a_1898_power_builds_at_home_only_what_it_has_taken() -> None:
    variant = load_variant("1898")
    start = start_position(variant)
    unit = Unit(FRANCE, UnitKind.ARMY, parse_location("SPA"))
    owners = {**start.owners, ProvinceId("SPA"): FRANCE}
    at = Position(parse_phase("W1899A"), (unit,), owners)
    assert adjustment_due(at, variant.power(FRANCE)).open == ("BRE",)
    assert build(variant, at, "PAR") == "not_owned"


def test_where_powers_cannot_be_named_no_rule_asks_for_their_names() -> None:
    """DATC 4.C.5, choice a, cannot be met where powers are called like provinces."""
    chaos = load_variant("chaos")
    strict = Rules.preset("2000").with_choices({"4.C.5": "a"})
    paris, munich = PowerId("PARIS"), PowerId("MUNICH")
    units = (Unit(paris, UnitKind.ARMY, parse_location("BUR")),)
    units += (Unit(munich, UnitKind.ARMY, parse_location("MUN")),)
    at = Position(parse_phase("S1901M"), units, {})
    context = OrderContext(chaos, strict, at, paris)
    written = parse_order("A BUR S A MUN - RUH", chaos)
    assert not isinstance(written, Fault)
    order = context.order_on_board(written)
    assert isinstance(order, SupportMove)
    assert stored_text(context, order) == "A BUR S A MUN - RUH"


def test_units_of_a_power_without_a_home_go_by_their_way_to_any_center() -> None:
    """With builds in any center the nearest center counts, else the nearest home center."""
    rules = Rules.preset("2000").with_choices({"4.D.8": "2.4_home_centers"})
    army = [Unit(FRANCE, UnitKind.ARMY, parse_location(place)) for place in ("SIL", "SPA")]
    owners = {ProvinceId("BER"): FRANCE}
    at = Position(parse_phase("W1901A"), tuple(army), owners)
    for rule, gone in (("home", "SIL"), ("any", "SPA")):
        variant = choose("standard", {"builds": rule})
        (unit,) = choose_removals(variant, rules, at, variant.power(FRANCE), 1)
        assert unit.location.province == gone
