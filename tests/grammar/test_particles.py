"""Sentences with particles, read clause by clause on the board; nothing of them is guessed."""

import pytest

from .sets.score import GOOD, Case, Scored, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "talk", text))


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "west",
            "ブルゴーニュを狙います。パリが突入、マルセイユが援護射撃。",
            "A PAR - BUR; A MAR S A PAR - BUR",
        ),
        (
            "north",
            "ヨークの兵を北海の船に乗せてオランダへ運び、海峡の船はベルギーを攻めてください",
            "A YOR - HOL; F NTH C A YOR - HOL; F ENG - BEL",
        ),
        (
            "west",
            "パリの支援のもと、ブレストの艦隊がピカルディに滑り込む",
            "A PAR S F BRE - PIC; F BRE - PIC",
        ),
        (
            "west",
            "ティレニア海のイタリア艦隊が西地中海へ向かうので、リヨン湾はその後押しを。",
            "F LYO S F TYS - WES",
        ),
        (
            "south",
            "티롤이 빈에 들어가고 텅 빈 티롤에는 베네치아가 들어간다",
            "A TYR - VIE; A VEN - TYR",
        ),
        (
            "east",
            "에게해는 그리스로, 지원은 불가리아에서. 콘스탄티노플은 빈 에게해로.",
            "F AEG - GRE; A BUL S F AEG - GRE; F CON - AEG",
        ),
        ("north", "노르웨이로 스웨덴을 집어삼키자", "A NWY - SWE"),
        (
            "south",
            "트리에스테를 먹자! 베네치아가 들어가고 티롤은 옆에서 거든다",
            "A VEN - TRI; A TYR S A VEN - TRI",
        ),
        (
            "rout",
            "육군은 실레지아로 빼고(뮌헨), 네덜란드 함대는 없애 주세요",
            "A MUN R SIL; F HOL D",
        ),
        (
            "rout",
            "陸軍はシレジアに潜ませ、オランダの艦隊はベルギーに寄せる",
            "A MUN R SIL; F HOL R BEL",
        ),
        ("builds", "세바, 바르샤바 둘 다 육군으로 부탁드려요", "A SEV B; A WAR B"),
    ],
)
def test_the_clauses_of_a_line_are_read_or_asked_about(place: str, line: str, orders: str) -> None:
    assert score(Case("", place, orders, line)).verdict in GOOD


@pytest.mark.parametrize(
    ("place", "line", "order"),
    [
        (
            "west",
            "もしドイツがブルゴーニュに来ないならパリはブルゴーニュへ行かせてください",
            "A PAR - BUR",
        ),
        (
            "east",
            "루마니아에 있는 러시아 육군이 갈리시아로 떠날 경우에만 불가리아를 루마니아로 이동",
            "A BUL - RUM",
        ),
    ],
)
def test_what_depends_on_something_is_only_asked_about(place: str, line: str, order: str) -> None:
    found = read(place, line)
    assert (found.stored, found.proposed) == ((), (order,))


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("west", "マルセイユの陸軍はピエモンテに隣接していますか?"),
        ("south", "이오니아해에서 알바니아는 인접한가요?"),
        ("builds", "서버가 몇 시간이나 멈출까요"),
        ("east", "セルビアの軍がブルガリアを狙っている気がします"),
        ("removals", "노르웨이를 잃으니 가슴이 아픕니다."),
        ("south", "터키는 다음에 이오니아해로 나올 게 뻔합니다"),
    ],
)
def test_what_tells_of_units_is_not_asked_about(place: str, line: str) -> None:
    found = read(place, line)
    assert (found.stored, found.proposed) == ((), ())


def test_an_order_that_the_clauses_of_its_line_contradict_is_asked_about() -> None:
    found = read("west", "ブルゴーニュ攻撃：パリ、支援：マルセイユ")
    assert found.stored == ()
    assert set(found.proposed) == {"A PAR - BUR", "A MAR S A PAR - BUR"}


def test_the_rest_of_the_builds_leaves_out_a_build_that_is_asked_about() -> None:
    found = read("builds", "サンクトペテルブルクの南岸に艦隊を新たに。残り一つは放棄します。")
    assert found.stored == ("WAIVE",)


@pytest.mark.parametrize(
    ("place", "line", "stored"),
    [
        ("rout", "どちらも解散してください。もう疲れました。", ("A MUN D", "F HOL D")),
        ("builds", "이번 겨울엔 건설 전부 포기합니다.", ("WAIVE", "WAIVE")),
    ],
)
def test_a_remark_stands_beside_an_order_for_all(
    place: str, line: str, stored: tuple[str, ...]
) -> None:
    assert read(place, line).stored == stored


def test_a_dash_behind_a_verb_alone_is_no_fault_of_ours() -> None:
    assert read("west", "H-'U").stored == ()
