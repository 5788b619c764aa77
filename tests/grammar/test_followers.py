"""Texts that take back, count on or stand for orders beside them; and talk that names orders."""

import pytest

from .sets.score import GOOD, LINE_END, Case, Verdict, game_of, score


def read(place: str, text: str) -> tuple[list[str], list[list[str]]]:
    """The orders that are stored, and the orders that each question proposes."""
    game, seat = game_of(place)
    found = game.read(seat, text.split(LINE_END))
    stored = [each.line.text for each in found.understood]
    return stored, [[line.text for line in each.proposals] for each in found.problems]


@pytest.mark.parametrize(
    "line",
    [
        "Paris to Burgundy, no, Picardy",
        "Paris to Burgundy - no, wait, make that Picardy",
        "Paris to Burgundy, sorry, I mean Picardy",
        "A Par - Bur, typo, Pic",
        "Paris to Burgundy (correction: Picardy)",
        "A Par - Bur, scratch that, A Par - Pic",
        "파리 부르고뉴로... 아니 피카르디로 이동",
        "파리는 부르고뉴로 이동, 앗 피카르디로요",
        "巴黎去勃艮第……不對，去皮卡第",
        "巴黎去勃艮第，我是說皮卡第",
        "パリはブルゴーニュへ、いやピカルディへ",
        "パリはブルゴーニュへ移動（訂正：ピカルディ）",
    ],
)
def test_a_place_that_is_taken_back_is_asked_about_with_the_later_one_first(line: str) -> None:
    stored, asked = read("west", line)
    assert stored == []
    assert asked == [["A PAR - PIC", "A PAR - BUR"]]


@pytest.mark.parametrize(
    ("place", "text", "orders"),
    [
        ("west", "Par - Bur (S: Mar)", "A PAR - BUR; A MAR S A PAR - BUR"),
        (
            "west",
            "A Par - Bur (S Mar, Gas)",
            "A PAR - BUR; A MAR S A PAR - BUR; A GAS S A PAR - BUR",
        ),
        ("west", "Gas - Bur [Mar S]", "A GAS - BUR; A MAR S A GAS - BUR"),
        ("north", "Yor - Den (Nth C)", "A YOR - DEN; F NTH C A YOR - DEN"),
        ("west", "Unit: A Par; Order: move; To: Bur", "A PAR - BUR"),
        ("west", "部隊：パリ陸軍、命令：移動、目的地：ブルゴーニュ", "A PAR - BUR"),
    ],
)
def test_helpers_in_brackets_and_names_of_columns_are_read(
    place: str, text: str, orders: str
) -> None:
    assert score(Case("", place, orders, text)).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A Par - Bur⏎A Mar: support", "A PAR - BUR; A MAR S A PAR - BUR"),
        ("A Par - Bur⏎A Mar supports this attack", "A PAR - BUR; A MAR S A PAR - BUR"),
        ("Marseilles: support Paris⏎Paris: Burgundy", "A PAR - BUR; A MAR S A PAR - BUR"),
        ("A Gas - Spa, and A Par fills the gap", "A GAS - SPA; A PAR - GAS"),
        ("가스코뉴는 스페인으로, 그 자리로 파리가 들어갑니다", "A GAS - SPA; A PAR - GAS"),
        ("加斯康尼移往西班牙，巴黎填補加斯康尼", "A GAS - SPA; A PAR - GAS"),
    ],
)
def test_an_order_that_counts_on_the_one_beside_it_is_proposed(text: str, orders: str) -> None:
    assert score(Case("", "west", orders, text)).verdict is Verdict.ASKED


@pytest.mark.parametrize(
    ("place", "text", "orders"),
    [
        ("rout", "The army retreats to Ruhr, the fleet to Helgoland", "A MUN R RUH; F HOL R HEL"),
        ("rout", "육군은 루르로, 함대는 헬골란트로 후퇴", "A MUN R RUH; F HOL R HEL"),
        ("rout", "陸軍はルールへ、艦隊はヘルゴラントへ撤退", "A MUN R RUH; F HOL R HEL"),
        ("flight", "Sevastopol or Ukraine", "ask: A RUM R SEV | A RUM R UKR"),
    ],
)
def test_a_retreat_may_name_its_unit_by_its_kind_alone(place: str, text: str, orders: str) -> None:
    assert score(Case("", place, orders, text)).verdict in GOOD


@pytest.mark.parametrize(
    ("place", "text", "orders"),
    [
        ("north", "約克郡陸軍由北海艦隊運到丹麥", "A YOR - DEN; F NTH C A YOR - DEN"),
        (
            "north",
            "Yorkshire to Denmark by convoy of the North Sea",
            "A YOR - DEN; F NTH C A YOR - DEN",
        ),
        (
            "south",
            "アプリアの陸軍を、イオニア海の艦隊でギリシャへ輸送いたします。",
            "A APU - GRE; F ION C A APU - GRE",
        ),
        (
            "east",
            "アンカラ軍を黒海の船で運んで、セバストポリに上げます！",
            "A ANK - SEV; F BLA C A ANK - SEV",
        ),
        (
            "north",
            "북해 함대가 요크셔 육군을 홀란드로 실어 나릅니다",
            "A YOR - HOL; F NTH C A YOR - HOL",
        ),
        ("west", "パリは移動しません", "A PAR H"),
        ("removals", "- Yor⏎- Wal", "A YOR D; A WAL D"),
    ],
)
def test_the_other_half_of_an_order_is_proposed(place: str, text: str, orders: str) -> None:
    assert score(Case("", place, orders, text)).verdict is Verdict.ASKED


EITHER = "A VEN S A TYR - TRI ~ A VEN S A TYR - TRI; A TYR - TRI"  # who attacks may be asked, too


@pytest.mark.parametrize(
    ("place", "text", "orders"),
    [
        ("south", "トリエステを攻撃するチロルをヴェネツィアが支援する", EITHER),
        ("south", "트리에스테를 공격하는 티롤을 베네치아가 지원", EITHER),
        ("west", "ガスコーニュに残ってパリを支援", "A GAS S A PAR"),
        ("west", "가스코뉴는 가만히 있으면서 파리를 지원", "A GAS S A PAR"),
        ("west", "Gascony stays and supports Paris", "A GAS S A PAR ~ ask"),
        ("west", "加斯康尼不動，支援巴黎", "A GAS S A PAR ~ ask"),
        ("south", "チロルにトリエステを攻めさせる", "A TYR - TRI"),
    ],
)
def test_who_attacks_whom_and_who_supports_whom_is_never_turned_around(
    place: str, text: str, orders: str
) -> None:
    assert score(Case("", place, orders, text)).verdict in GOOD


@pytest.mark.parametrize(
    "text",
    [
        "Paris: move to Burgundy⏎Gascony: support Paris",
        "파리는 부르고뉴로⏎가스코뉴는 파리를 지원",
        "巴黎進攻勃艮第⏎加斯康尼支援巴黎",
        "パリはブルゴーニュへ⏎ガスコーニュはパリを支援",
    ],
)
def test_a_support_in_words_of_a_unit_that_another_line_moves_is_asked_about(text: str) -> None:
    assert read("west", text) == (["A PAR - BUR"], [["A GAS S A PAR - BUR", "A GAS S A PAR"]])


def test_a_support_in_notation_is_what_it_says() -> None:
    assert read("west", "A Par - Bur⏎A Gas S A Par") == (["A PAR - BUR", "A GAS S A PAR"], [])


@pytest.mark.parametrize("text", ["A Yor - Den via Nth", "F Nth C A Yor - Den"])
def test_half_a_convoy_in_notation_is_not_asked_about(text: str) -> None:
    assert read("north", text)[1] == []


@pytest.mark.parametrize(
    "text",
    [
        "All hold, thanks",
        "England: all units hold please",
        "Everything holds this turn",
        "전부 대기입니다",
        "全部單位固守",
        "今回は全軍待機でお願いします",
    ],
)
def test_a_blanket_order_may_have_polite_words_around_it(text: str) -> None:
    assert len(read("north", text)[0]) == 6


@pytest.mark.parametrize(
    "text",
    ["All armies hold this turn", "육군은 전부 제자리", "陸軍全部原地不動", "陸軍は全部そのまま"],
)
def test_a_blanket_order_may_be_for_one_kind(text: str) -> None:
    assert read("north", text)[0] == ["A NWY H", "A WAL H", "A YOR H"]


@pytest.mark.parametrize(
    "line",
    [
        "Paris - Burgundy 2:1",
        "Paris to Burgundy: 400 km",
        "Your army in Paris should move to Burgundy",
        "Paris moves to Burgundy, I hear",
        "Breaking: Paris attacks Burgundy",
        "Spring 1901: A Paris - Burgundy",
        "Dear Italy, A Paris - Burgundy",
        "Paris stays with me",
        "Paris hits Burgundy with sanctions",
        "Paris builds a wall",
        "Keep out of Paris",
        "by Marseilles and supported by Gascony",
        "파리 - 부르고뉴 3-0",
        "속보: 파리 육군, 부르고뉴로 진격",
        "파리 - 부르고뉴 (실패)",
        "巴黎要去勃艮第，德國說的",
        "巴黎－勃艮第（失敗）",
        "パリからブルゴーニュへ出張します",
        "速報：パリ陸軍、ブルゴーニュへ進軍",
        "パリのブルゴーニュ攻撃とは驚き",
    ],
)
def test_nothing_is_stored_of_what_only_looks_like_an_order(line: str) -> None:
    assert read("west", line)[0] == []


@pytest.mark.parametrize(
    "line",
    [
        "Can an army move from Paris to Burgundy without a fleet?",
        "I need to know if you'll support me in Burgundy from Paris.",
        "My train from Paris to Burgundy was late",
        "We agreed on a DMZ in Burgundy and Paris.",
        "파리에서 부르고뉴까지 기차로 두 시간 걸립니다.",
        "從巴黎到勃艮第坐火車兩小時。",
        "パリからブルゴーニュまでは列車で二時間です。",
    ],
)
def test_talk_that_names_own_units_is_not_asked_about(line: str) -> None:
    assert read("west", line) == ([], [])


def test_a_misspelled_order_behind_polite_words_is_asked_about() -> None:
    _, asked = read("west", "Sorry, I was on a train to Berlin, Army Pairs to Burgundi")
    assert asked == [["A PAR - BUR"]]


@pytest.mark.parametrize(
    "text",
    [
        "巴黎去勃艮第，加斯科涅支援它。馬賽守著。",
        "Paris goes to Burgundy, Gascony supports it. Marseilles stays put.",
        "パリはブルゴーニュへ。ガスコーニュはそれを支援。マルセイユは待機。",
        "파리는 부르고뉴로. 가스코뉴가 그걸 지원. 마르세유는 대기.",
    ],
)
def test_a_support_does_not_reach_into_the_next_sentence(text: str) -> None:
    found = score(Case("", "west", "talk", text))
    orders = {*found.stored, *found.proposed}
    assert "A GAS S A MAR" not in orders
    assert {"A PAR - BUR", "A MAR H"} <= orders
