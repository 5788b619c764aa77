"""Reasons that a referee would give: the short English of `judge adjudicate`, and what letters say.

Ids begin with the number of the audit's finding that a case comes from.
"""

from collections.abc import Mapping

import pytest

from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, UnitKind, WrittenOrder
from judge.diplomacy.outcomes import Void
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.reasons import reason_of, short_reason, short_text
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import resolve_movement
from judge.diplomacy.variants.variant import Variant, load_variant

from .colonial import COLONIAL

STANDARD = load_variant("standard")
RULES = Rules.preset("2000")


def reasons(
    orders: Mapping[str, str], variant: Variant = STANDARD, rules: Rules = RULES
) -> dict[str, str]:
    """The short reason of each order; units stand where their orders say."""
    units: list[Unit] = []
    written: dict[PowerId, list[WrittenOrder]] = {}
    for power, texts in orders.items():
        for text in texts.split(", "):
            kind, place = text.split()[:2]
            units.append(Unit(PowerId(power), UnitKind(kind), parse_location(place)))
            order = parse_order(text, variant)
            assert isinstance(order, WrittenOrder), text
            written.setdefault(PowerId(power), []).append(order)
    position = Position(variant.calendar.first(), sort_units(units, variant.power_ids), {})
    results = resolve_movement(variant, rules, position, written).results
    return {format_order(result.order): short_reason(result) for result in results}


NO_FLEETS = "no fleets stand where a convoy there would need them"
RING = {
    "ENGLAND": "F NTH - HOL",
    "FRANCE": "A HOL - BEL",
    "ITALY": "F BEL - NTH",
    "GERMANY": "A RUH - BEL",
}
CASES = {
    "1 VIA from an inland place": (
        {
            "FRANCE": "A PAR - BUR VIA, A GAS S A PAR",
            "GERMANY": "A BUR - PAR, A PIC S A BUR - PAR",
        },
        {
            "A PAR - BUR VIA": NO_FLEETS,
            "A GAS S A PAR": "",
            "A BUR - PAR": "same strength (2 with A PIC) as A PAR H with A GAS",
        },
    ),
    "1 VIA without any fleet": (
        {"FRANCE": "A BEL - HOL VIA", "ENGLAND": "F LON H"},
        {"A BEL - HOL VIA": NO_FLEETS},
    ),
    "1 VIA with a fleet that could convoy": (
        {"FRANCE": "A BEL - HOL VIA", "ENGLAND": "F NTH H"},
        {"A BEL - HOL VIA": "no fleet was ordered to convoy it"},
    ),
    "3 an own fleet binds the army to the sea": (
        {"ITALY": "A APU - ROM, F ION C A APU - ROM", "TURKEY": "F TYS H"},
        {"A APU - ROM": "the convoys that were ordered make no route"},
    ),
    "3 a foreign fleet does not": (
        {"ITALY": "A APU - ROM", "TURKEY": "F TYS H, F ION C A APU - ROM"},
        {"A APU - ROM": ""},
    ),
    "4 own unit, in a standoff (6.E.7)": (
        {
            "ENGLAND": "F NTH H, F YOR S F NWY - NTH",
            "GERMANY": "F HEL - NTH, F HOL S F HEL - NTH",
            "RUSSIA": "F NWY - NTH, F SKA S F NWY - NTH",
        },
        {
            "F YOR S F NWY - NTH": "does not help to dislodge F NTH, a unit of its own power, but "
            "counts in the standoff"
        },
    ),
    "4 own unit, no standoff (6.D.10)": (
        {"GERMANY": "A BER H, F KIE - BER, A MUN S F KIE - BER"},
        {"A MUN S F KIE - BER": "does not help to dislodge A BER, a unit of its own power"},
    ),
    "5 the mover's own unit": (
        {"GERMANY": "A BER H, F KIE - BER", "RUSSIA": "A SIL S F KIE - BER"},
        {"A SIL S F KIE - BER": "does not help to dislodge A BER, a unit of the mover's power"},
    ),
    "5 the mover's own unit, in a standoff": (
        {"GERMANY": "A BER H, F KIE - BER", "RUSSIA": "A SIL S F KIE - BER, A PRU - BER"},
        {
            "A SIL S F KIE - BER": "does not help to dislodge A BER, a unit of the mover's power, "
            "but counts in the standoff"
        },
    ),
    "6 a ring with an outsider": (
        RING,
        {
            "A HOL - BEL": "same strength (1) as A RUH - BEL",
            "A RUH - BEL": "same strength (1) as A HOL - BEL",
            "F BEL - NTH": "same strength (1) as F NTH - HOL",
        },
    ),
    "6 a ring of one power (6.C.3)": (
        {"TURKEY": "F ANK - CON, A CON - SMY, A SMY - ANK, A BUL - CON"},
        {
            "F ANK - CON": "same strength (1) as A BUL - CON",
            "A BUL - CON": "same strength (1) as F ANK - CON",
            "A CON - SMY": "no power dislodges its own unit (A SMY - ANK)",
        },
    ),
    "8 no fleet was ordered (6.D.8)": (
        {"AUSTRIA": "F ION H", "TURKEY": "A GRE - NAP"},
        {"A GRE - NAP": "no fleet was ordered to convoy it"},
    ),
    "8 fleets were ordered, but not for this": (
        {"ENGLAND": "A LON - NWY, F ENG C A LON - BRE, F NTH C A LON - BEL"},
        {"A LON - NWY": "no fleet was ordered to convoy it"},
    ),
    "8 a fleet was ordered, but none for the whole way": (
        {"ITALY": "A ROM - GRE, F TYS H, F ION C A ROM - GRE"},
        {"A ROM - GRE": "the convoys that were ordered make no route"},
    ),
    "9 only by the supporting fleet (6.D.31)": (
        {"AUSTRIA": "A RUM - ARM", "TURKEY": "F BLA S A RUM - ARM"},
        {
            "F BLA S A RUM - ARM": "the supported unit could make that move only if this fleet "
            "convoyed it"
        },
    ),
    "10 the unit that came from outside (6.D.18)": (
        {
            "RUSSIA": "F CON S F BLA - ANK, F BLA - ANK, A BUL S F CON",
            "TURKEY": "F ANK - CON, A SMY S F ANK - CON, A ARM - ANK",
        },
        {"A ARM - ANK": "1 against 2 with F CON of F BLA - ANK"},
    ),
    "11 two units face to face": (
        {"GERMANY": "F BER - PRU", "RUSSIA": "A PRU - BER"},
        {"F BER - PRU": "two units cannot change places without a convoy (rule 6): A PRU - BER"},
    ),
    "11 two units of one power": (
        {"GERMANY": "A BER - MUN, A MUN - BER"},
        {"A BER - MUN": "two units cannot change places without a convoy (rule 6): A MUN - BER"},
    ),
    "11 strengths decide where there is support": (
        {"GERMANY": "A BER - PRU, A SIL S A BER - PRU", "RUSSIA": "A PRU - BER"},
        {
            "A PRU - BER": "1 against 2 with A SIL of A BER - PRU; dislodged by A BER - PRU, "
            "2 with A SIL against 1"
        },
    ),
}


@pytest.mark.parametrize("preset", ["2000", "2023"])
@pytest.mark.parametrize("name", CASES)
def test_a_reason_names_the_cause(name: str, preset: str) -> None:
    orders, wanted = CASES[name]
    told = reasons(orders, rules=Rules.preset(preset))
    assert {order: told[order] for order in wanted} == wanted


IMPOSSIBLE = {
    "F BRE - MOS": "such a unit cannot stand there",
    "F BRE - NTH VIA": "no way there in one step, nor by convoy",
    "A PAR - ROM": "no way there in one step, nor by convoy",
    "A PIC - BEL VIA": NO_FLEETS,
}


@pytest.mark.parametrize("order", IMPOSSIBLE)
def test_an_impossible_move_that_stands_says_what_is_impossible_in_it(order: str) -> None:
    """DATC 4.E.1, as the DPTG has it."""
    told = reasons({"FRANCE": order}, rules=Rules.preset("dptg"))
    assert told == {order: IMPOSSIBLE[order]}


RAIL_AND_CANAL = {
    "7 an attack on the goal, not the own army that left it": (
        {"RUSSIA": "A MOS - TSR - IRK, A IRK - VLA", "CHINA": "A MON - IRK"},
        "A MOS - TSR - IRK",
        "halted at KRA, before IRK: A MON - IRK (Colonial rule 9.25)",
    ),
    "18 a fleet in Cebu does not convoy": (
        {"HOLLAND": "F CEB C A DAV - MNA, A DAV H"},
        "F CEB C A DAV - MNA",
        "only fleets at sea convoy",
    ),
    "13 nobody in Egypt": (
        {"BRITAIN": "F MED - RED"},
        "F MED - RED",
        "nobody stands at the canal (Colonial rule 9.31) (EGY)",
    ),
}


@pytest.mark.parametrize("name", RAIL_AND_CANAL)
def test_a_colonial_reason_names_the_cause(name: str) -> None:
    orders, order, wanted = RAIL_AND_CANAL[name]
    assert reasons(orders, COLONIAL)[order] == wanted


RETREATS = {
    "12 too far": ("MOS", "retreat_too_far", "not adjacent"),
    "12 occupied": ("MAR", "retreat_occupied", "a unit stands there"),
    "12 a standoff": ("PIC", "retreat_contested", "a standoff left it empty"),
    "12 the attacker's start": (
        "MUN",
        "retreat_to_attacker",
        "its attacker came from there",
    ),
}


@pytest.mark.parametrize("name", RETREATS)
def test_a_retreat_is_refused_with_its_rule(name: str) -> None:
    target, kind, wanted = RETREATS[name]
    france, germany = PowerId("FRANCE"), PowerId("GERMANY")
    units = (
        Unit(france, UnitKind.ARMY, parse_location("MAR")),
        Unit(germany, UnitKind.ARMY, parse_location("BUR")),
    )
    lost = Dislodged(
        Unit(france, UnitKind.ARMY, parse_location("BUR")),
        ProvinceId("MUN"),
        retreats=(parse_location("GAS"), parse_location("PAR")),
    )
    contested = (ProvinceId("PIC"),)
    position = Position(parse_phase("S1901R"), units, {}, (lost,), contested)
    order = parse_order(f"A BUR R {target}", STANDARD)
    assert isinstance(order, WrittenOrder)
    void = OrderContext(STANDARD, RULES, position, france).order_on_board(order)
    assert isinstance(void, Void)
    assert void.reason == kind
    assert (
        short_text(reason_of(void, order)) == f"not among the unit's retreats (GAS, PAR): {wanted}"
    )
