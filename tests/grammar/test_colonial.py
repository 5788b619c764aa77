"""What players write on the Colonial board: its rulebook's notation, and every name it has."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.diplomacy.board import parse_location
from judge.diplomacy.language.grammar import Fault, Faulty, Parsed
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.language.order_context import OrderContext, Said, Taken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import PowerId, Unit, UnitKind, WrittenOrder, WrittenSupportMove
from judge.diplomacy.outcomes import Void
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import load_variant
from judge.render.catalogue import languages
from judge.render.diplomacy.names import names_of

FIGURES = Path(__file__).parent.parent / "figures" / "figures.json"
COLONIAL = load_variant("colonial")
STANDARD = load_variant("standard")
RULES = Rules.preset("2000")
WORDS = lexicon(COLONIAL)


def readings(line: str) -> list[str]:
    """The orders of a line; whatever else it holds is a failure."""
    found: list[str] = []
    for item in read_line(line, WORDS):
        assert isinstance(item, Parsed), item
        found += [format_order(order) for order in item.readings]
    return found


# --- the rulebook's examples ----------------------------------------------------------------------


def figures() -> Iterator[tuple[str, list[list[str]], str, str, str]]:
    """(id, units, power, canonical text, text in the Japanese rulebook's notation)."""
    for case in json.loads(FIGURES.read_text(encoding="utf-8"))["cases"]:
        if case["ruleset"] != "colonial":
            continue
        pairs = zip(case["orders"], case["orders_seed004_style"], strict=True)
        for (power, canonical), (_, text) in pairs:
            yield case["id"], case["units"], power, canonical, text


CASES = list(figures())


def desk_of(units: list[list[str]], power: str) -> OrderContext:
    placed = [
        Unit(PowerId(owner), UnitKind(kind), parse_location(place)) for owner, kind, place in units
    ]
    first = COLONIAL.calendar.first()
    position = Position(first, sort_units(placed, COLONIAL.power_ids), {})
    return OrderContext(COLONIAL, RULES, position, PowerId(power))


def meanings(text: str, context: OrderContext) -> list[str]:
    """What a text says: the readings that may be ordered there, or all if none may."""
    (item,) = read_line(text, WORDS)
    assert isinstance(item, Parsed), (text, item)
    fitted = [context.order_on_board(order) for order in item.readings]
    fitting = [format_order(order) for order in fitted if not isinstance(order, Void)]
    return fitting or [format_order(order) for order in item.readings]


def test_there_are_figures_of_every_section() -> None:
    assert len(CASES) > 120
    assert any("TSR" in canonical for *_, canonical, _ in CASES)
    assert any(canonical.startswith("SC ") for *_, canonical, _ in CASES)


@pytest.mark.parametrize(
    ("units", "power", "canonical", "text"),
    [case[1:] for case in CASES],
    ids=[f"{case[0]} {case[4]}" for case in CASES],
)
def test_a_figures_order_means_what_its_canonical_form_means(
    units: list[list[str]], power: str, canonical: str, text: str
) -> None:
    context = desk_of(units, power)
    assert meanings(text, context) == meanings(canonical, context)
    assert len(meanings(text, context)) == 1


# --- railway and canal ----------------------------------------------------------------------------

OWN_ORDERS = {
    "A MOS-TSR-IRK": "A MOS - TSR - IRK",
    "a mos - tsr - irk": "A MOS - TSR - IRK",
    "A Mos TSR Irk": "A MOS - TSR - IRK",
    "Army Vladivostok - Trans Siberian Railway - Moscow": "A VLA - TSR - MOS",
    "Army Moscow to Irkutsk by rail": "A MOS - TSR - IRK",
    "A Mos - Irk via TSR": "A MOS - TSR - IRK",
    "A Mos rides the TSR to Irk": "A MOS - TSR - IRK",
    "A Mos rail to Irk": "A MOS - TSR - IRK",
    "A Mos - Irk via the railroad": "A MOS - TSR - IRK",
    "A Mos takes the Trans-Siberian to Irk": "A MOS - TSR - IRK",
    "Army Moscow to Irkutsk by Trans-Siberian Railway": "A MOS - TSR - IRK",
    "육군 모스크바, TSR, 이르쿠츠크": "A MOS - TSR - IRK",
    "모스크바 육군을 시베리아 철도를 이용해 이르쿠츠크로 이동": "A MOS - TSR - IRK",
    "陸軍モスクワ、シベリア鉄道でイルクーツクへ移動": "A MOS - TSR - IRK",
    "육군, 모스크바 - TSR - 이르쿠츠크": "A MOS - TSR - IRK",
    "육군, 모스크바 - 시베리아 횡단 철도 - 이르쿠츠크": "A MOS - TSR - IRK",
    "모스크바 육군 시베리아 횡단철도로 이르쿠츠크로": "A MOS - TSR - IRK",
    "모스크바의 육군이 철도로 이르쿠츠크로 이동": "A MOS - TSR - IRK",
    "陸軍 莫斯科 - 西伯利亞鐵路 - 伊爾庫次克": "A MOS - TSR - IRK",
    "莫斯科陸軍乘火車到伊爾庫次克": "A MOS - TSR - IRK",
    "陸軍 モスクワ - シベリア鉄道 - イルクーツク": "A MOS - TSR - IRK",
    "モスクワの陸軍をシベリア鉄道でイルクーツクへ": "A MOS - TSR - IRK",
    "A VLA S A MOS-IRK": "A VLA S A MOS - IRK",
    "A VLA S A MOS-TSR-IRK": "A VLA S A MOS - IRK",
    "SC British F RS-MED": "SC BRITAIN F RED - MED",
    "SC BRITAIN F RED - MED": "SC BRITAIN F RED - MED",
    "sc british fleet red sea to med sea": "SC BRITAIN F RED - MED",
    "Turkey: SC British F RS-MED": "SC BRITAIN F RED - MED",
    "Suez Canal: British F Red - Med": "SC BRITAIN F RED - MED",
    "SC F MED-RS": "SC F MED - RED",
    "SC MED-RS": "SC MED - RED",
    "운하, 영국, 해군, 홍해 - 지중해": "SC BRITAIN F RED - MED",
    "수에즈 운하 통과: 영국 해군 홍해에서 지중해로": "SC BRITAIN F RED - MED",
    "蘇伊士運河 英國艦隊 紅海 - 地中海": "SC BRITAIN F RED - MED",
    "スエズ運河 英海軍 紅海 - 地中海": "SC BRITAIN F RED - MED",
    "F MED-RS by the Suez canal": "F MED - RED",
    "F EGY S British F RS-MED": "F EGY S BRITAIN F RED - MED",
}


@pytest.mark.parametrize(("line", "canonical"), OWN_ORDERS.items(), ids=list(OWN_ORDERS))
def test_orders_that_only_this_board_has_are_read(line: str, canonical: str) -> None:
    assert readings(line) == [canonical]


@pytest.mark.parametrize("canonical", sorted(set(OWN_ORDERS.values())))
def test_their_canonical_form_is_read_as_the_same_order(canonical: str) -> None:
    order = parse_order(canonical, COLONIAL)
    assert not isinstance(order, Fault)
    assert format_order(order) == canonical


@pytest.mark.parametrize("language", languages())
def test_the_judge_reads_back_how_it_writes_them(language: str) -> None:
    names = names_of("colonial", language)
    for canonical in ("A MOS - TSR - IRK", "SC BRITAIN F RED - MED", "SC F MED - RED"):
        order = parse_order(canonical, COLONIAL)
        assert not isinstance(order, Fault)
        assert parse_order(format_order(order, names), COLONIAL) == order


@pytest.mark.parametrize(
    "line",
    ["A MOS-TSR-STP", "SC French F MAO-SPA", "SC F MAO-SPA", "육군, 모스크바 - 철도 - 바르샤바"],
)
def test_the_standard_board_knows_neither(line: str) -> None:
    items = read_line(line, lexicon(STANDARD))
    assert not any(isinstance(item, Parsed) for item in items)
    assert isinstance(parse_order(line, STANDARD), Fault)


def test_sc_is_a_coast_after_a_province_and_the_canal_as_the_first_word() -> None:
    assert readings("F GOA - ARB/SC") == ["F GOA - ARB/SC"]
    assert readings("F Goa - Arabia SC") == ["F GOA - ARB/SC"]
    assert readings("F Goa - Arb, SC") == ["F GOA - ARB/SC"]
    assert readings("F Goa - Arabia (sc)") == ["F GOA - ARB/SC"]
    assert readings("F Goa - SC Arabia") == ["F GOA - ARB/SC"]
    assert readings("A Egy H, SC British F RS-MED") == ["A EGY H", "SC BRITAIN F RED - MED"]
    assert readings("A Egy H SC British F RS-MED") == ["A EGY H", "SC BRITAIN F RED - MED"]
    assert readings("A EGY-SUD (SC British F RS-MED)") == ["A EGY - SUD", "SC BRITAIN F RED - MED"]


# --- names ----------------------------------------------------------------------------------------

FRAMES = {
    "ko": (
        "육군, {a}, 지원, 해군, {b} - {c}",
        "{a} 육군이 {b} 해군의 {c} 이동을 지원",
        "육 {a} 지원 해 {b}-{c}",
    ),
    "zh_Hant": ("陸軍 {a} 支援 艦隊 {b} - {c}", "{a}陸軍支援{b}艦隊移動到{c}", "A {a} S F {b}-{c}"),
    "ja": ("陸軍 {a} 支援 海軍 {b} - {c}", "{a}陸軍 支援 {b}海軍{c}へ移動", "A {a} S F {b}-{c}"),
}


@pytest.mark.parametrize("variant", ["standard", "colonial"])
@pytest.mark.parametrize("language", list(FRAMES))
def test_every_name_of_a_place_is_read_within_a_sentence(language: str, variant: str) -> None:
    board = load_variant(variant)
    names = board.local[language]["provinces"]
    named = [(name, place) for place, each in names.items() for name in each]
    misread = []
    for at, first in enumerate(named):
        second, third = named[at - 7], named[at - 23]
        for frame in FRAMES[language]:
            text = frame.format(a=first[0], b=second[0], c=third[0])
            order = parse_order(text, board)
            if places(order) != [first[1], second[1], third[1]]:
                misread.append((text, order))
    assert misread == []


def places(order: WrittenOrder | Fault) -> list[str]:
    if not isinstance(order, WrittenSupportMove):
        return []
    return [str(order.unit.location), str(order.supported.location), str(order.target)]


@pytest.mark.parametrize("variant", ["standard", "colonial"])
def test_every_power_is_named_before_its_unit_in_every_language(variant: str) -> None:
    board = load_variant(variant)
    own, place = ("POR", "SPA") if variant == "standard" else ("BOR", "JAV")
    for language, table in board.local.items():
        local = table["provinces"][place][0]
        kind = {"ko": " 해군 ", "zh_Hant": "艦隊", "ja": "海軍"}[language]
        for power, names in table["powers"].items():
            for name in names:
                text = f"A {own} S {name}{kind}{local}"
                order = parse_order(text, board)
                assert not isinstance(order, Fault), text
                assert format_order(order).endswith(f" S {power} F {place}"), text


ABBREVIATIONS = {
    "SUN.S": "SUN",
    "Sunda.Sea": "SUN",
    "SUL.S": "SUL",
    "N.SAM": "SIA",
    "n sam": "SIA",
    "GOM": "GOM",
    "Gulf of Mangar": "GOM",
    "RS": "RED",
    "JS": "JVS",
    "YS": "YEL",
    "PG": "PGF",
    "LP": "LOW",
    "U.Pacific": "UPP",
    "Med.Sea": "MED",
    "U.Burma": "BUR",
    "ADEN": "ADE",
    "BAKU": "BAK",
    "JAVA": "JAV",
    "CEBU": "CEB",
    "TAG": "TAB",
    "Formossa": "FOR",
    "Vladiostok": "VLA",
    "P.Art": "POR",
}


@pytest.mark.parametrize(("short", "place"), ABBREVIATIONS.items(), ids=list(ABBREVIATIONS))
def test_the_rulebooks_abbreviations_are_read(short: str, place: str) -> None:
    assert readings(f"F {short} H") == [f"F {place} H"]
    assert readings(f"F BOR-{short}") == [f"F BOR - {place}"]


def test_as_is_the_sea_that_fits_the_order() -> None:
    assert readings("F AS-GOM") == ["F AND - GOM", "F ARS - GOM"]
    context = desk_of([["HOLLAND", "F", "AND"], ["BRITAIN", "F", "ARS"]], "HOLLAND")
    (taken,) = read_orders(context, ["F AS-GOM"])
    assert isinstance(taken, Taken)
    assert format_order(taken.order) == "F AND - GOM"


# --- names that are words -------------------------------------------------------------------------

WORDS_AND_PLACES = {
    "F AND - JVS": ["F AND - JVS"],
    "AND - JVS": ["AND - JVS"],
    "F Sum S F Bob - And": ["F SUM S F BOB - AND"],
    "F Bob And": ["F BOB - AND"],
    "A Mos H and A Oms H": ["A MOS H", "A OMS H"],
    "A Mos - Oms and F And H": ["A MOS - OMS", "F AND H"],
    "F Bob - And and F Gom S F Bob - And": ["F BOB - AND", "F GOM S F BOB - AND"],
    "F CLS - NEW": ["F CLS - NEW"],
    "new A Bom": ["A BOM B"],
    "Build F New": ["F NEW B"],
    "Can - Ton": ["CAN - TON"],
    "May S Ran": ["MAY S RAN"],
    "A Ran S A May": ["A RAN S A MAY"],
    "Remove And": ["AND D"],
    "F Scs - For": ["F SCS - FOR"],
}


@pytest.mark.parametrize(
    ("line", "canonical"), WORDS_AND_PLACES.items(), ids=list(WORDS_AND_PLACES)
)
def test_a_place_that_is_a_word_too_is_the_place_where_one_can_stand(
    line: str, canonical: list[str]
) -> None:
    assert readings(line) == canonical


TALK = [
    "can you hold Canton for me?",
    "May I come in, and what about the new map?",
    "I am mad as hell, but for now I can wait",
    "As for me, I can support you",
    "See you in May",
    "Hi Bob, I can do that for you",
    "I think Japan can hold out for now",
    "The sun is up in New York",
]


@pytest.mark.parametrize("line", TALK)
def test_everyday_words_that_are_places_make_no_order_of_talk(line: str) -> None:
    context = desk_of([["RUSSIA", "A", "MOS"]], "RUSSIA")
    assert {type(read) for read in read_orders(context, [line])} == {Said}


def test_a_word_of_the_canal_names_no_province_that_the_rest_would_leave_out() -> None:
    context = desk_of([["BRITAIN", "A", "ASS"], ["BRITAIN", "A", "DEL"]], "BRITAIN")
    found = read_orders(context, ["A Del - canal, xyz", "The rest hold"])
    assert [format_order(each.order) for each in found if isinstance(each, Taken)] == ["A ASS H"]


def test_a_misspelled_name_is_asked_about_with_this_boards_names() -> None:
    (item,) = read_line("A Moscwo - TSR - Irkutsk", WORDS)
    assert isinstance(item, Faulty)
    assert item.fault.word == "moscwo"
