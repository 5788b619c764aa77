"""Who does what is said by particles, prepositions and arrows, in any order of words."""

import pytest

from judge.diplomacy.language.order_context import Taken, Untaken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order

from .contexts import desk_of

# In every line the units in BUR and GAS change places: neither is ever the first by habit.
MEANS = {
    "A {0} S A {1}": [
        "{1}를 {0}가 지원",
        "{1}는 {0}가 지원합니다",
        "{1} 육군을 {0} 육군이 지원한다",
        "{0}가 {1}를 지원",
        "{0}에서 {1}를 지원",
        "{1}の陸軍を{0}の陸軍が支援する",
        "{1}を{0}から支援",
        "{0}は{1}を支援",
        "{1}由{0}支援",
        "{1}陸軍由{0}陸軍支援",
        "{1} supported by {0}",
        "{1} is supported by A {0}",
        "{1} gets support from A {0}",
        "{1} (support from {0})",
    ],
    "A {0} - {1}": [
        "{1}로 {0}가 이동",
        "{1}에 {0} 육군이 이동",
        "{1}를 {0}가 공격",
        "{0}에서 {1}로",
        "{1}へ{0}から移動",
        "{1}を{0}が攻撃",
        "{1}に{0}の陸軍が移動します",
        "從{0}移動到{1}",
        "由{0}陸軍移動至{1}",
        "向{1}{0}陸軍移動",
        "將{0}陸軍移動至{1}",
        "{1} <- {0}",
        "{1} <-- A {0}",
        "{1} <= {0}",
        "{1} ⇐ {0}",
        "{1} ← A {0}",
        "{1} &larr; {0}",
        "{0} &rarr; {1}",
        "{1}: attack from {0}",
    ],
    "A MAR S A {0} - {1}": [
        "{0}가 {1}로 이동하는 것을 마르세유가 지원",
        "마르세유가 {0}가 {1}로 이동하는 것을 지원",
        "{1}로 가는 {0}를 마르세유가 지원",
        "{0}의 {1} 이동은 마르세유가 지원",
        "{0}の{1}への移動をマルセイユが支援",
        "マルセイユは{0}の{1}への移動を支援",
        "A Mar support move to {1} from {0}",
        "A Mar S A {1} <- {0}",
    ],
    "F MAO C A GAS - POR": [
        "가스코니 육군을 포르투갈로 중대서양 해군이 수송",
        "포르투갈로 가스코니 육군을 중대서양 해군이 수송",
        "ガスコーニュの陸軍をポルトガルへ中大西洋の海軍が輸送",
        "ポルトガルへガスコーニュの陸軍を中大西洋の艦隊が輸送する",
    ],
}
NAMES = {
    "ko": ("버건디", "가스코니"),
    "ja": ("ブルゴーニュ", "ガスコーニュ"),
    "zh_Hant": ("勃艮第", "加斯康尼"),
    "en": ("Bur", "Gas"),
}


def language_of(line: str) -> str:
    if any("가" <= sign <= "힣" for sign in line):
        return "ko"
    if any("぀" <= sign <= "ヿ" for sign in line):
        return "ja"
    return "en" if line.replace("⇐", "").replace("←", "").isascii() else "zh_Hant"


CASES = [
    (line.format(*names), order.format(*short))
    for order, lines in MEANS.items()
    for line in lines
    for names, short in (
        (NAMES[language_of(line)], ("BUR", "GAS")),
        (NAMES[language_of(line)][::-1], ("GAS", "BUR")),
    )
]


@pytest.mark.parametrize(("line", "order"), CASES)
def test_the_words_say_who_does_what_wherever_they_stand(line: str, order: str) -> None:
    (read,) = read_orders(desk_of("france"), [line])
    assert isinstance(read, Taken), read
    assert format_order(read.order) == order


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("加斯康尼陸軍,勃艮第陸軍支援", "A BUR S A GAS"),
        ("A Pic from Par", "A PAR - PIC"),
        ("Attack Picardy from Paris", "A PAR - PIC"),
    ],
)
def test_where_no_word_says_who_does_what_it_is_asked(line: str, first: str) -> None:
    (read,) = read_orders(desk_of("france"), [line])
    assert isinstance(read, Untaken)
    assert format_order(read.proposals[0]) == first
