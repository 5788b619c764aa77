"""Classes of Japanese sentences: how verbs end, who is left, what is only called a hold."""

import pytest

from .sets.score import GOOD, Case, Scored, Verdict, score


def read(place: str, orders: str, line: str) -> Scored:
    return score(Case("", place, orders, line))


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        ("west", "ガスコーニュはスペインに進んどいて。", "A GAS - SPA"),
        ("west", "パリはピカルディに入っとこう。", "A PAR - PIC"),
        ("north", "ヨークはロンドンに戻しといてください。", "A YOR - LON"),
        (
            "east",
            "スミルナは念のためアンカラへ。アンカラはアルメニアへ。",
            "A SMY - ANK; A ANK - ARM",
        ),
        ("west", "ブレストは待機とさせていただきます。", "F BRE H"),
        ("north", "ウェールズ軍は防御といたします。", "A WAL H"),
        ("rout", "ミュンヘン軍は解散で結構です。オランダ艦隊は自沈。", "A MUN D; F HOL D"),
    ],
)
def test_polite_and_spoken_endings_of_verbs_are_part_of_the_order(
    place: str, line: str, orders: str
) -> None:
    assert read(place, orders, line).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        (
            "マルセイユはスペインへ。残りの五つは維持。",
            "A MAR - SPA; A PAR H; A GAS H; F BRE H; F MAO H; F LYO H",
        ),
        (
            "ブレストは英仏海峡に出す。あとは全員待機とさせていただきます。",
            "F BRE - ENG; A PAR H; A MAR H; A GAS H; F MAO H; F LYO H",
        ),
    ],
)
def test_the_rest_may_be_counted_and_named(line: str, orders: str) -> None:
    assert read("west", orders, line).verdict in GOOD


def test_a_count_that_is_not_how_many_are_left_is_asked_about() -> None:
    found = read("west", "A MAR - SPA", "マルセイユはスペインへ。⏎残りの三つは維持。")
    assert found.stored == ("A MAR - SPA",)
    assert len(found.proposed) == 5


@pytest.mark.parametrize(
    "line", ["マルセイユの守りをガスコーニュが固める。", "マルセイユの守備をガスコーニュが固める。"]
)
def test_who_guards_another_is_never_a_hold_of_both(line: str) -> None:
    assert read("west", "A GAS S A MAR", line).stored == ()


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "south",
            "イオニア海の艦隊にアプーリアの陸軍を乗せ、アルバニアで降ろす。",
            "A APU - ALB; F ION C A APU - ALB",
        ),
        ("north", "北海はデンマークに入って次に備える。", "F NTH - DEN"),
        ("removals", "減らすのはヨークの陸軍とノルウェー海の艦隊で。", "A YOR D; F NWG D"),
    ],
)
def test_clauses_beside_one_another_order_one_thing(place: str, line: str, orders: str) -> None:
    assert read(place, orders, line).verdict in GOOD


@pytest.mark.parametrize(
    "line",
    [
        "スミルナの艦隊、もう二年も動いていないなあ。",
        "アンカラの陸軍は船なしではセヴァストポリに行けないんですよね。",
    ],
)
def test_a_sigh_is_no_order(line: str) -> None:
    assert read("east", "talk", line).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        ("north", "海峡Fはベルギー突入、北海Fがそれを支援。", "F ENG - BEL; F NTH S F ENG - BEL"),
        ("west", "マルセイユA、パリAのブルゴーニュ行きを支援", "A MAR S A PAR - BUR"),
        ("west", "파리A 부르고뉴로, 브레스트F 유지", "A PAR - BUR; F BRE H"),
        ("west", "巴黎A-勃艮第、布雷斯特F守", "A PAR - BUR; F BRE H"),
        ("west", "A파리-피카르디 F브레스트H", "A PAR - PIC; F BRE H"),
    ],
)
def test_a_letter_for_the_kind_may_stand_right_behind_a_name(
    place: str, line: str, orders: str
) -> None:
    assert read(place, orders, line).verdict is Verdict.RIGHT


def test_a_verb_that_sends_is_no_doubt_though_another_means_that_one_may() -> None:
    expected = "ask: F MAO - SPA/NC | F MAO - SPA/SC"
    assert read("west", expected, "中大西洋の艦隊はスペインへ入れます。").verdict is Verdict.RIGHT
    assert read("west", "A PAR - BUR", "パリをブルゴーニュへ進めます。").verdict is Verdict.RIGHT
