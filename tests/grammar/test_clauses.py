"""Sentences in which orders do not stand one behind the other: lists, choices, supports first."""

import pytest

from judge.diplomacy.language.order_context import Taken, Untaken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order

from .contexts import desk_of

READ = {
    "파리와 마르세유는 각각 피카르디와 스페인으로 이동": ["A PAR - PIC", "A MAR - SPA"],
    "마르세유의 지원을 받아 파리가 버건디를 공격": ["A MAR S A PAR - BUR", "A PAR - BUR"],
    "파리가 버건디로 가고 마르세유가 지원": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "파리는 마르세유의 지원을 받아 버건디로": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "브레스트 함대로 영국 해협을 공격": ["F BRE - ENG"],
    "마르세유 육군: 스페인으로 이동 부탁드려요~": ["A MAR - SPA"],
    "브레스트 함대 대기(홀드)": ["F BRE H"],
    "파리도 마르세유도 대기": ["A PAR H", "A MAR H"],
    "在馬賽的支援下，巴黎進攻勃艮第": ["A MAR S A PAR - BUR", "A PAR - BUR"],
    "巴黎→勃艮第（馬賽支援）": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "巴黎和馬賽分別前往皮喀第和西班牙": ["A PAR - PIC", "A MAR - SPA"],
    "パリ→ブルゴーニュ（マルセイユが支援）": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "パリとマルセイユはそれぞれピカルディとスペインへ移動": ["A PAR - PIC", "A MAR - SPA"],
    "パリとマルセイユをそれぞれピカルディとスペインに": ["A PAR - PIC", "A MAR - SPA"],
    "巴黎陸軍攻擊勃艮第並由馬賽陸軍支援": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "巴黎陸軍在馬賽支援下攻入勃艮第": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "パリもマルセイユも待機です。": ["A PAR H", "A MAR H"],
}
CHOICES = {
    "파리는 피카르디나 버건디로": {"A PAR - PIC", "A PAR - BUR"},
    "파리나 마르세유 중 하나를 버건디로": {"A PAR - BUR", "A MAR - BUR"},
    "巴黎去皮喀第或者勃艮第都可以": {"A PAR - PIC", "A PAR - BUR"},
    "パリはピカルディかブルゴーニュへ": {"A PAR - PIC", "A PAR - BUR"},
    "パリかマルセイユのどちらかをブルゴーニュへ": {"A PAR - BUR", "A MAR - BUR"},
    "파리는 버건디가 아니라 피카르디로 갑니다": {"A PAR - PIC"},
    "1안: 파리 - 버건디": {"A PAR - BUR"},
    "方案二：巴黎→勃艮第": {"A PAR - BUR"},
    "案１：パリ→ブルゴーニュ": {"A PAR - BUR"},
    "巴黎不去勃艮第，改去皮喀第。": {"A PAR - PIC"},
    "パリはブルゴーニュではなくピカルディへ": {"A PAR - PIC"},
}
NOTHING = (
    "파리는 버건디로 가지 않고 마르세유도 안 갑니다",
    "巴黎不去勃艮第，馬賽也不去",
    "パリもマルセイユもブルゴーニュへ行きません",
    '독일이 "파리 - 버건디"를 권합니다',
    "德國要我下「巴黎→勃艮第」",
    "ドイツの手紙に「パリ→ブルゴーニュ」とあります",
)


@pytest.mark.parametrize("line", READ)
def test_clauses_that_share_units_verbs_or_moves_are_read(line: str) -> None:
    found = read_orders(desk_of("france"), [line])
    orders = [format_order(each.order) for each in found if isinstance(each, Taken)]
    assert sorted(orders) == sorted(READ[line])
    assert not [each for each in found if isinstance(each, Untaken)]


@pytest.mark.parametrize("line", CHOICES)
def test_a_choice_and_a_correction_are_asked_about_with_what_may_be_meant(line: str) -> None:
    found = read_orders(desk_of("france"), [line])
    (problem,) = (each for each in found if isinstance(each, Untaken))
    assert {format_order(order) for order in problem.proposals} == CHOICES[line]
    assert not [each for each in found if isinstance(each, Taken)]


@pytest.mark.parametrize("line", NOTHING)
def test_a_clause_that_says_not_is_never_proposed(line: str) -> None:
    found = read_orders(desk_of("france"), [line])
    assert not [each for each in found if isinstance(each, Taken)]
    problems = [each for each in found if isinstance(each, Untaken)]
    assert problems
    assert not [each.proposals for each in problems if each.proposals]
