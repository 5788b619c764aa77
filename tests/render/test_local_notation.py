"""Orders in the notation of every language's rulebook are read back as the same orders."""

from collections.abc import Iterator
from itertools import islice

import pytest

from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import (
    Location,
    UnitKind,
    WrittenBuild,
    WrittenConvoy,
    WrittenDisband,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenRetreat,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.variants.variant import load_variant, variant_names
from judge.render.catalogue import SOURCE_LANGUAGE, catalogue, languages
from judge.render.diplomacy import RENDERER
from judge.render.diplomacy.names import names_of
from judge.rulebook import Line

OTHERS = [language for language in languages() if language != SOURCE_LANGUAGE]
BOARDS = [(language, variant) for language in OTHERS for variant in variant_names()]


def orders(variant: str) -> Iterator[WrittenOrder]:
    """Every order for which a place is named alone, and every way that a unit can go."""
    board = load_variant(variant).board
    units = [
        WrittenUnit(place, kind)
        for province in board.provinces
        for kind in UnitKind
        for place in board.possible_locations(kind, province)
    ]
    near = WrittenUnit(units[0].location, UnitKind.ARMY)
    for unit in units:
        yield WrittenHold(unit)
        yield WrittenDisband(unit)
        yield WrittenBuild(unit)
        yield WrittenSupportHold(near, unit)
        assert unit.kind is not None
        for target in board.adjacent_locations(unit.kind, unit.location):
            yield from _ways(unit, target, near)
    yield WrittenWaive()
    yield WrittenWaive(2)


def _ways(unit: WrittenUnit, target: Location, near: WrittenUnit) -> Iterator[WrittenOrder]:
    yield WrittenMove(unit, target)
    yield WrittenRetreat(unit, target)
    yield WrittenSupportMove(near, unit, target)
    if unit.kind is UnitKind.ARMY:
        yield WrittenMove(unit, target, via_convoy=True)
        yield WrittenConvoy(WrittenUnit(near.location, UnitKind.FLEET), unit, target)


@pytest.mark.parametrize(("language", "variant"), BOARDS)
def test_the_judge_reads_back_what_it_writes(language: str, variant: str) -> None:
    names = names_of(variant, language)
    board = load_variant(variant)
    # Variants of the standard board have its places and their own powers.
    step = 1 if variant in ("standard", "colonial") else 8
    misread = []
    for order in islice(orders(variant), 0, None, step):
        text = format_order(order, names)
        if parse_order(text, board) != order:
            misread.append((format_order(order), text))
    assert misread == []


@pytest.mark.parametrize("language", OTHERS)
def test_stored_line_stands_in_the_readers_notation_with_the_short_form_beside(
    language: str,
) -> None:
    words = catalogue(language)
    (row,) = RENDERER.words("standard", words).rows([Line("PAR", "A PAR - BUR", kept=True)])
    assert (row.meaning, row.kept) == ("A PAR - BUR", True)
    assert row.text != row.meaning
    assert row.text.isascii() is False


def test_korean_orders_are_those_of_the_korean_rulebook() -> None:
    texts = ["A PAR - BUR", "A MAR S A PAR - BUR", "F BLA C A ANK - SEV", "A LON H"]
    texts += ["F CON - BUL/EC", "A LON - NWY VIA", "F STP/NC B", "A BUR R GAS", "A BUR D"]
    lines = [Line("X", text) for text in texts]
    rows = RENDERER.words("standard", catalogue("ko")).rows(lines)
    assert [row.text for row in rows] == [
        "육군, 파리 - 버건디",
        "육군, 마르세유, 지원, 육군, 파리 - 버건디",
        "해군, 흑해, 호송, 육군, 앙카라 - 세바스토폴",
        "육군, 런던, 대기",
        "해군, 콘스탄티노플 - 불가리아 동부 해안",
        "육군, 런던 - 노르웨이, 호송을 거쳐",
        "해군, 세인트 페터스부르크 북부 해안, 배치",
        "육군, 버건디, 퇴각, 가스코니",
        "육군, 버건디, 해산",
    ]
