"""Moves of which another clause says by what way; carrying that is told with a word for help."""

import pytest

from .sets.score import Case, Scored, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "talk", text))


@pytest.mark.parametrize(
    "line",
    [
        "馬賽出發去西班牙，記得不是走陸路，搭里昂灣的船去。",
        "馬賽往西班牙，不要走陸路，里昂灣負責載",
        "馬賽陸軍別走陸路，改由里昂灣艦隊送去西班牙",
        "馬賽移到西班牙，走海路，里昂灣艦隊負責運送",
    ],
)
def test_an_army_that_is_told_to_sail_is_never_sent_on_foot(line: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert found.proposed == ("A MAR - SPA VIA", "F LYO C A MAR - SPA")


def test_a_way_that_is_not_understood_leaves_its_line_in_doubt() -> None:
    assert read("west", "巴黎去皮卡第，馬賽去西班牙，不走陸路").stored == ()


def test_orders_of_other_sentences_are_stored_beside_a_way() -> None:
    found = read("west", "馬賽去西班牙，不走陸路。巴黎去皮卡第。")
    assert found.stored == ("A PAR - PIC",)
    assert found.proposed == ("A MAR - SPA VIA",)


def test_an_army_told_to_walk_is_asked_about_on_foot() -> None:
    found = read("west", "馬賽移到西班牙，走陸路，不用坐船")
    assert (found.stored, found.proposed) == ((), ("A MAR - SPA",))


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("north", "北海幫忙把約克夏送去挪威"),
        ("north", "北海協助把約克夏的陸軍載去挪威"),
        ("north", "約克夏由北海艦隊送去挪威"),
    ],
)
def test_help_with_carrying_is_a_convoy_and_no_support(place: str, line: str) -> None:
    found = read(place, line)
    both = sorted((*found.stored, *found.proposed))
    assert both == ["A YOR - NWY", "F NTH C A YOR - NWY"]


@pytest.mark.parametrize("fleets", ["海峽、北海兩支艦隊", "海峽和北海的艦隊", "英倫海峽跟北海"])
def test_all_fleets_of_a_list_carry_the_army(fleets: str) -> None:
    found = read("north", f"威爾斯陸軍靠{fleets}接力送往挪威")
    both = {*found.stored, *found.proposed}
    assert both >= {"F ENG C A WAL - NWY", "F NTH C A WAL - NWY"}
    assert both <= {"F ENG C A WAL - NWY", "F NTH C A WAL - NWY", "A WAL - NWY"}


@pytest.mark.parametrize("way", ["多瑙河", "邊界", "巴爾幹山脈"])
def test_a_river_is_crossed_on_foot(way: str) -> None:
    found = read("east", f"保加利亞的軍隊越過{way}攻打羅馬尼亞")
    assert (*found.stored, *found.proposed) == ("A BUL - RUM",)


@pytest.mark.parametrize(
    "line",
    [
        "莫斯科建陸軍一支，另外一個名額保留不建",
        "莫斯科造陸軍一支，剩下一個名額放棄不建。",
        "莫斯科建一支陸軍，第二個放棄",
    ],
)
def test_the_build_that_a_second_clause_waives_is_no_chat(line: str) -> None:
    found = read("builds", line)
    assert sorted((*found.stored, *found.proposed)) == ["A MOS B", "WAIVE"]


@pytest.mark.parametrize("why", ["不保了", "救不回來", "不值得救"])
def test_a_unit_that_is_given_up_is_asked_about(why: str) -> None:
    found = read("rout", f"荷蘭那支{why}，就地解散")
    assert (*found.stored, *found.proposed) == ("F HOL D",)


@pytest.mark.parametrize(
    "line",
    [
        "이오니아 함대 호송으로 그리스 상륙",
        "普利亞陸軍，愛奧尼亞海艦隊護送登陸希臘",
        "Apulia army, Ionian convoy to Greece",
    ],
)
def test_a_fleet_that_goes_by_convoy_carries_and_moves_nowhere(line: str) -> None:
    found = read("south", line)
    assert "F ION - GRE" not in found.stored
    assert "F ION C A APU - GRE" in found.proposed[:2]


@pytest.mark.parametrize(
    "line",
    ["리옹만 함대는 마르세유의 이동을 지원", "Lyon helps out Marseilles", "里昂灣協助馬賽那邊"],
)
def test_a_unit_that_moves_is_supported_where_it_goes(line: str) -> None:
    found = read("west", f"A MAR - PIE⏎{line}")
    assert found.proposed[0] == "F LYO S A MAR - PIE"
