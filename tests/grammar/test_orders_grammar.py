"""Every rule of the grammar, with lines that can be read and lines that cannot."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark

from judge.data import read_text
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed, Prose
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.language.order_context import Said
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.language.proposals.suggestions import repairs
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.variants.variant import load_variant

from .contexts import desk_of

EXAMPLES = int(os.environ.get("JUDGE_EXAMPLES", "100"))
STANDARD = load_variant("standard")
WORDS = lexicon(STANDARD)


def items(line: str) -> tuple[Item, ...]:
    return read_line(line, WORDS)


def orders(line: str) -> list[str]:
    """The line's orders as read; whatever else it holds is a failure."""
    found = []
    for item in items(line):
        assert isinstance(item, Parsed), item
        assert len(item.readings) == 1
        found.append(format_order(item.readings[0]))
    return found


def test_no_two_words_of_the_grammar_collide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lark.lexer.has_interegular", True)
    Lark(read_text("grammar", "orders.lark"), parser="lalr", lexer="contextual", strict=True)


READABLE = {
    # units
    "A PAR H": "A PAR H",
    "Par H": "PAR H",
    "F StP/sc H": "F STP/SC H",
    "French A Par H": "FRANCE A PAR H",
    "A French Par H": "FRANCE A PAR H",
    "France: A Par H": "FRANCE A PAR H",
    "Germany's army in Munich holds": "GERMANY A MUN H",
    # hold
    "A Par - stand": "A PAR H",
    "Hold A Par": "A PAR H",
    "a par stands": "A PAR H",
    "A Par no order": "A PAR H",
    "A Par, hold": "A PAR H",
    # move
    "A PAR-BUR": "A PAR - BUR",
    "a par - bur": "A PAR - BUR",
    "Army Paris to Burgundy": "A PAR - BUR",
    "Army Paris moves to Burgundy.": "A PAR - BUR",
    "Par > Bur": "PAR - BUR",
    "A Par -> Bur": "A PAR - BUR",
    "A Par --> Bur": "A PAR - BUR",
    "A Par => Bur": "A PAR - BUR",
    "A Par → Bur": "A PAR - BUR",
    "A Par – Bur": "A PAR - BUR",
    "A Par — Bur": "A PAR - BUR",
    "A\u00a0Par\u00a0-\u00a0Bur": "A PAR - BUR",
    "“A Par - Bur”": "A PAR - BUR",
    "Ａ　ＰＡＲ－ＢＵＲ": "A PAR - BUR",
    "Pa\u200br - Bur": "PAR - BUR",
    "A Par Bur": "A PAR - BUR",
    "A Par, Bur": "A PAR - BUR",
    "A. Par. - Bur.": "A PAR - BUR",
    "A Münich - Tyrolia": "A MUN - TYR",
    "Fleet Brest to mid atlantic": "F BRE - MAO",
    "F Bre - Mid-Atlantic Ocean": "F BRE - MAO",
    "f bre-midatlanticocean": "F BRE - MAO",
    "F Lon - English Channel": "F LON - ENG",
    "F Lon - English": "F LON - ENG",
    "F St. Petersburg (south coast) - Gulf of Bothnia": "F STP/SC - BOT",
    "F North Sea-Norwegian Sea": "F NTH - NWG",
    "F TYR - TUS": "F TYR - TUS",
    # coasts
    "F Con - Bul/ec": "F CON - BUL/EC",
    "F Con - bul (ec)": "F CON - BUL/EC",
    "F Con - Bul EC": "F CON - BUL/EC",
    "F Con - Bulgaria (east coast)": "F CON - BUL/EC",
    "F Con - Bulgaria east coast": "F CON - BUL/EC",
    "F Con - east coast of Bulgaria": "F CON - BUL/EC",
    "F Con - Bul/e": "F CON - BUL/EC",
    "F Con - Bul/nc": "F CON - BUL/EC",
    "F Mao - Spa/wc": "F MAO - SPA/WC",
    "F Mao - Spain(n)": "F MAO - SPA/NC",
    # by sea
    "A Lon-Nth-Nwy": "A LON - NTH - NWY",
    "A Lon - Nth - Nwg - Nwy": "A LON - NTH - NWG - NWY",
    "A Lon - Nwy via": "A LON - NWY VIA",
    "A Lon - Nwy via convoy": "A LON - NWY VIA",
    "A Lon - Nwy (by convoy)": "A LON - NWY VIA",
    "A Lon convoyed to Nwy": "A LON - NWY VIA",
    "A Lon via convoy - Nwy": "A LON - NWY VIA",
    "A Lon moves via convoy to Nwy": "A LON - NWY VIA",
    "A Lon - Nwy via Nth": "A LON - NTH - NWY",
    "A Lon via F Nth - Nwy": "A LON - NTH - NWY",
    # support
    "A Mar S A Par-Bur": "A MAR S A PAR - BUR",
    "A Mar supports Paris - Burgundy": "A MAR S PAR - BUR",
    "A Mar supports the move Paris to Burgundy": "A MAR S PAR - BUR",
    "A Mar S A Par - Bur via": "A MAR S A PAR - BUR",
    "A Yor S A Lon - Nth - Nwy": "A YOR S A LON - NWY",
    "F Rom S F Nap, Tys": "F ROM S F NAP - TYS",
    "A Mar S Par": "A MAR S PAR",
    "A Mar s French A Par H": "A MAR S FRANCE A PAR",
    "A Mar supports Paris to hold": "A MAR S PAR",
    "A Ruh S German A Mun - Bur": "A RUH S GERMANY A MUN - BUR",
    "Yor S English F Lon": "YOR S ENGLAND F LON",
    # convoy
    "F Nth C A Lon-Nwy": "F NTH C A LON - NWY",
    "F nth convoys army london to norway": "F NTH C A LON - NWY",
    "F Nth C A Lon - Nwg - Nwy": "F NTH C A LON - NWY",
    # retreats
    "A Bur R Par": "A BUR R PAR",
    "A Bur retreats to Par": "A BUR R PAR",
    "A Bur R - Par": "A BUR R PAR",
    "Retreat A Bur - Par": "A BUR R PAR",
    # removals
    "A Bur D": "A BUR D",
    "Disband A Bur": "A BUR D",
    "Remove F Bre": "F BRE D",
    "D A Ruh": "A RUH D",
    "A Bur R D": "A BUR D",
    # builds
    "Build A Par": "A PAR B",
    "Build army in Paris": "A PAR B",
    "A Par build": "A PAR B",
    "A PAR B": "A PAR B",
    "Build F StP(nc)": "F STP/NC B",
    "France: Build A Par": "FRANCE A PAR B",
    # waives
    "Waive": "WAIVE",
    "waive 2": "WAIVE 2",
    "Waive 2 builds": "WAIVE 2",
    "2 waives": "WAIVE 2",
    "build waived": "WAIVE",
    "Waive the build in Paris": "WAIVE",
    # before an order
    "1. A Par - Bur": "A PAR - BUR",
    "2) Waive": "WAIVE",
    "- A Par - Bur": "A PAR - BUR",
    "• A Par - Bur": "A PAR - BUR",
    "* A Par - Bur": "A PAR - BUR",
    # other languages, which share the grammar
    "육군, 마르세유 - 버건디": "A MAR - BUR",
    "육, 런던, 대기": "A LON H",
    "육군, 프러시아 - 대기": "A PRU H",
    "해군, 흑해, 호송, 육군, 앙카라 - 세바스토폴": "F BLA C A ANK - SEV",
    "육군, 루르, 지원, 프랑스군, 파리 - 버건디": "A RUH S FRANCE PAR - BUR",
    "해, 콘스탄티노플 - 불가리아 동부 해안": "F CON - BUL/EC",
    "육군, 런던 - 노르웨이, 호송을 거쳐": "A LON - NWY VIA",
    "陸軍 巴黎 - 勃艮第": "A PAR - BUR",
    "陸軍 パリ - ブルゴーニュ": "A PAR - BUR",
}


@pytest.mark.parametrize(("line", "canonical"), READABLE.items(), ids=list(READABLE))
def test_the_line_is_read(line: str, canonical: str) -> None:
    assert orders(line) == [canonical]


@pytest.mark.parametrize("canonical", sorted(set(READABLE.values())))
def test_what_is_written_canonically_is_read_as_the_same_order(canonical: str) -> None:
    order = parse_order(canonical, STANDARD)
    assert not isinstance(order, Fault)
    assert format_order(order) == canonical


SEVERAL = {
    "A Par - Bur; A Mar - Spa / F Bre - Mao": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"],
    "A Bud-Rum, F Sev-Bla, A Vie s A Bud-Rum": [
        "A BUD - RUM",
        "F SEV - BLA",
        "A VIE S A BUD - RUM",
    ],
    "A Par hold and A Mar hold": ["A PAR H", "A MAR H"],
    "A Par holds. A Mar supports A Par.": ["A PAR H", "A MAR S A PAR"],
    "Build A Par, F Bre": ["A PAR B", "F BRE B"],
    "Remove A Par, F Bre": ["A PAR D", "F BRE D"],
    "Waive, waive": ["WAIVE", "WAIVE"],
    "파리-버건디 / 마르세유, 지원, 파리-버건디 / 해 브레스트-중대서양": [
        "PAR - BUR",
        "MAR S PAR - BUR",
        "F BRE - MAO",
    ],
    "육군, 마르세유 - 버건디 / 육군, 가스코니, 지원, 육군, 마르세유 - 버건디": [
        "A MAR - BUR",
        "A GAS S A MAR - BUR",
    ],
}


@pytest.mark.parametrize(("line", "canonical"), SEVERAL.items(), ids=list(SEVERAL))
def test_several_orders_on_a_line_are_told_apart(line: str, canonical: list[str]) -> None:
    assert orders(line) == canonical


UNREADABLE = {
    # line: (kind, the marked part, a repair)
    "A Mra - Pie": ("no_province", "Mra", "A MAR - PIE"),
    "Mra - Pie": ("no_province", "Mra", "MAR - PIE"),
    "F Kid - Den": ("no_province", "Kid", "F KIE - DEN"),
    "A Mun - Try": ("no_province", "Try", "A MUN - TYR"),
    "F Nroth Sea - Nwy": ("no_province", "Nroth Sea", "F NTH - NWY"),
    "A Par - Burgandi": ("no_province", "Burgandi", "A PAR - BUR"),
    "A Par suports A Mar": ("not_expected", "suports", "A PAR S A MAR"),
    "A Par - Bur thanks": ("not_expected", "thanks", "A PAR - BUR"),
    "Army Paris goes over to Burgundy": ("not_expected", "goes over", "A PAR - BUR"),
    "I'd like A Par - Bur": ("not_expected", "I'd like", "A PAR - BUR"),
    "I don't want A Par - Bur": ("not_expected", "I don't want", None),
    "A Par - Bur unless Mun moves": ("not_expected", "unless", None),
    "A Par": ("unfinished", "", None),
    "A Par -": ("unfinished", "", None),
    "A Mar S": ("unfinished", "", None),
    "F Nth C A Lon": ("unfinished", "", None),
    "A Bur R": ("unfinished", "", None),
    "Build army": ("unfinished", "", None),
    "A Par - Bur - ": ("unfinished", "", None),
    "A Par H Bur": ("not_expected", "Bur", None),
    "F BLA xyzzy": ("not_expected", "xyzzy", None),
    "A Par A Bur": ("not_expected", "A", None),
}


@pytest.mark.parametrize(
    ("line", "answer"),
    UNREADABLE.items(),
    ids=list(UNREADABLE),
)
def test_the_smallest_wrong_part_is_marked_and_mended(
    line: str, answer: tuple[str, str, str | None]
) -> None:
    kind, marked, repair = answer
    (item,) = items(line)
    assert isinstance(item, Faulty)
    assert item.fault.kind == kind
    assert line[item.fault.start : item.fault.end] == marked
    assert kind == "no_province" or item.fault.expected
    proposed = [format_order(order) for order in repairs(item.segment, WORDS)]
    assert proposed == [] if repair is None else repair in proposed


def test_columns_are_those_of_the_line_as_written() -> None:
    line = "Ａ　Ｍｒａ　－　Ｐｉｅ"
    (item,) = items(line)
    assert isinstance(item, Faulty)
    assert line[item.fault.start : item.fault.end] == "Ｍｒａ"


def test_one_bad_order_leaves_its_neighbors_alone() -> None:
    first, bad, last = items("A Par - Bur; A Mra - Pie; F Bre - Mao")
    assert isinstance(first, Parsed)
    assert isinstance(bad, Faulty)
    assert isinstance(last, Parsed)


TALK = [
    "Hi judge, here are my moves",
    "I think I will attack Paris next turn.",
    "Thanks, Paris!",
    "Best regards, John",
    "A friend supports this idea.",
    "My orders are as follows:",
    "See you on Monday at 20:00, and thanks for the game!",
    "심판님, 이렇게 보내면 되나요?",
    "hold",
    "Sent from my phone",
    "12345",
    "1901",
]


@pytest.mark.parametrize("line", TALK)
def test_talk_is_no_order(line: str) -> None:
    assert {type(read) for read in read_orders(desk_of("france"), [line])} == {Said}


def test_talk_before_orders_on_one_line_keeps_its_own_words() -> None:
    line = "Hi judge, I hope this is how it works. par – bur, Mar s Par-Bur"
    talk, first, second = items(line)
    assert line[talk.start : talk.end].strip() == "Hi judge, I hope this is how it works."
    assert isinstance(first, Parsed)
    assert format_order(first.readings[0]) == "PAR - BUR"
    assert isinstance(second, Parsed)
    assert format_order(second.readings[0]) == "MAR S PAR - BUR"


def test_notation_inside_a_sentence_is_asked_about_and_not_taken() -> None:
    (item, *_) = items("I would like A Par - Bur")
    assert isinstance(item, Faulty)


def test_a_lone_province_is_told_apart_from_orders_and_talk() -> None:
    (item,) = items("Par")
    assert isinstance(item, Prose)
    assert item.answer is not None
    assert [str(place) for place in item.answer] == ["PAR"]


def test_a_short_name_with_several_meanings_keeps_them_all() -> None:
    (item,) = items("F Mao - Liv")
    assert isinstance(item, Parsed)
    assert [format_order(each) for each in item.readings] == ["F MAO - LVN", "F MAO - LVP"]
    assert item.shorts[0].text == "liv"


def test_the_same_short_name_twice_means_one_thing() -> None:
    (item,) = items("A Yor S Liv - Liv")
    assert isinstance(item, Parsed)
    assert len(item.readings) == 2


HOSTILE = [
    "-" * 100_000,
    "(" * 10_000,
    "parbur" * 400,
    "A," * 990,
    "A PAR - " * 240,
    "mra " * 490,
    "A PAR S " * 250,
    "\u0301" * 1900,
    "nor - " * 300,
    "A PAR/" * 300,
]


@pytest.mark.parametrize("line", HOSTILE, ids=lambda line: line[:8])
def test_hostile_lines_end_in_few_items(line: str) -> None:
    found = items(line)
    assert len(found) <= 400
    for item in found:
        if isinstance(item, Faulty):
            assert len(repairs(item.segment, WORDS)) <= 12


def test_a_line_of_hundreds_of_orders_is_named_as_too_long() -> None:
    (item,) = items("A Par - Bur; " * 400)
    assert isinstance(item, Faulty)
    assert item.fault.kind == "too_long"


SOME_WORDS = "A F Par Bur Liv Mra - S C R D B H via waive 2 , . ; / ( ) nc English French Hi ‘ 파리"
PIECES = st.sampled_from(tuple(SOME_WORDS.split()))


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=20).map(" ".join)))
def test_whatever_is_written_is_read_without_a_fault_of_ours(line: str) -> None:
    last = 0
    for item in items(line):
        assert last <= item.start <= item.end <= len(line)
        last = item.end if isinstance(item, Parsed) else last
        if isinstance(item, Parsed):
            for order in item.readings:
                assert parse_order(format_order(order), STANDARD) == order
        if isinstance(item, Faulty):
            assert item.start <= item.fault.start <= item.fault.end <= item.end
            repairs(item.segment, WORDS)
