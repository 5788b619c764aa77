"""What may mean something else is asked about: no line here stores more than what it orders."""

import pytest

from .sets.score import LINE_END, Case, Scored, comparable, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "ask", text))


def allowed(orders: str) -> set[str]:
    return {comparable(order) for order in orders.split(";") if order}


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        ("west", "マルセイユの守りを、リヨン湾の艦隊が支える", "F LYO S A MAR"),
        ("east", "黒海の艦隊の現状維持を、コンスタンティノープルから支える。", "F CON S F BLA"),
        ("west", "マルセイユが守るのを、ガスコーニュが助ける。", "A GAS S A MAR"),
        ("west", "마르세유의 수비를, 가스코니가 지원한다.", "A GAS S A MAR"),
        ("west", "마르세유가 버티는 것을, 가스코니가 지원", "A GAS S A MAR"),
        ("west", "마르세유 수비에, 가스코니가 힘을 보탠다", "A GAS S A MAR"),
        ("west", "Marseilles's hold is supported by Gascony", "A GAS S A MAR"),
        ("west", "The hold of Marseilles is supported by Gascony.", "A GAS S A MAR"),
        ("west", "馬賽的防守，由加斯科尼支援。", "A GAS S A MAR"),
        ("east", "黑海艦隊的防守，由君士坦丁堡支援。", "F CON S F BLA"),
    ],
)
def test_a_hold_that_only_names_what_is_supported_is_no_order(
    place: str, line: str, orders: str
) -> None:
    found = read(place, line)
    assert {*found.stored} <= allowed(orders)
    assert found.stored or found.proposed


@pytest.mark.parametrize(
    "line",
    [
        "Marseilles holds, Gascony supports it.",
        "馬賽防守，加斯科尼支援馬賽",
        "마르세유는 대기, 가스코니는 마르세유를 지원",
        "マルセイユは待機。ガスコーニュはマルセイユを支援。",
    ],
)
def test_a_hold_beside_its_support_is_stored(line: str) -> None:
    assert {*read("west", line).stored} == {"A MAR H", "A GAS S A MAR"}


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        ("east", "이스탄불 함대는 에게해 함대가 자리를 지키게 돕는다.", "F CON S F AEG"),
        ("west", "가스코니는 마르세유가 자리를 지키도록 지원", "A GAS S A MAR"),
        ("south", "티롤은 베네치아가 수비하는 것을 지원", "A TYR S A VEN"),
        ("west", "讓馬賽支援加斯科涅留守。", "A MAR S A GAS"),
        ("west", "叫馬賽支援加斯科尼防守", "A MAR S A GAS"),
        ("west", "馬賽讓加斯科尼支援", "A GAS S A MAR"),
        ("west", "讓加斯科尼支援巴黎去勃艮第", "A GAS S A PAR - BUR"),
        ("west", "ガスコーニュはマルセイユが守るのを支援", "A GAS S A MAR"),
        ("west", "ガスコーニュはマルセイユが持ちこたえるよう助ける", "A GAS S A MAR"),
        ("west", "マルセイユにはガスコーニュを支援につける", "A GAS S A MAR"),
        ("west", "Have Marseilles support Gascony's hold", "A MAR S A GAS"),
    ],
)
def test_who_supports_whom_is_not_read_the_other_way_round(
    place: str, line: str, orders: str
) -> None:
    found = read(place, line)
    assert {*found.stored} <= allowed(orders)
    assert found.stored or found.proposed


def test_a_unit_that_is_made_to_go_goes() -> None:
    assert read("west", "讓馬賽去西班牙").stored == ("A MAR - SPA",)
    assert read("west", "馬賽受加斯科尼支援").stored == ("A GAS S A MAR",)


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "south",
            "ローマの陸軍は海路ナポリへ。ティレニア海の艦隊が護送せよ。",
            "A ROM - NAP VIA;F TYS C A ROM - NAP",
        ),
        ("west", "海路、マルセイユはスペインへ。", "A MAR - SPA VIA"),
        ("north", "ウェールズは船便でロンドンへ", "A WAL - LON VIA"),
        ("south", "로마는 뱃길로 나폴리로 이동.", "A ROM - NAP VIA"),
        ("west", "마르세유 육군은 바닷길로 스페인에 간다.", "A MAR - SPA VIA"),
        ("south", "羅馬走海路去那不勒斯。", "A ROM - NAP VIA"),
        ("west", "馬賽經海路去西班牙", "A MAR - SPA VIA"),
        ("south", "Rome goes by ship to Naples.", "A ROM - NAP VIA"),
        ("east", "Bulgaria to Greece by water", "A BUL - GRE VIA"),
        ("north", "Ship Wales to London", "A WAL - LON VIA"),
        (
            "west",
            "Marseilles goes to Spain, but on the fleet in Lyon",
            "A MAR - SPA VIA;F LYO C A MAR - SPA",
        ),
    ],
)
def test_an_army_that_is_sent_by_sea_never_walks(place: str, line: str, orders: str) -> None:
    found = read(place, line)
    assert {*found.stored} <= allowed(orders)
    assert found.stored or found.proposed


@pytest.mark.parametrize(
    "line",
    [
        "ドイツが来ない時は、パリはブルゴーニュへ",
        "ドイツの返事次第、パリはブルゴーニュへ",
        "ドイツが裏切った以上は、パリはブルゴーニュへ移動",
        "ドイツが同意してから、パリはブルゴーニュへ移動",
        "ドイツが動いた際は、パリはブルゴーニュへ",
        "ドイツの出方を見てから、パリはブルゴーニュへ",
        "ドイツの承諾を得て、パリはブルゴーニュへ",
        "假使德國同意，巴黎去勃艮第",
        "Given Germany's agreement, Paris to Burgundy",
        "독일이 물러나거든, 파리는 버건디로 가 주세요",
        "독일이 물러날 때는 파리는 버건디로 이동",
        "독일이 동의한 뒤에 파리는 버건디로",
        "독일이 동의하는 경우에 파리는 버건디로",
        "德國退兵的時候，巴黎去勃艮第",
        "德國同意之後，巴黎去勃艮第",
        "巴黎去勃艮第，德國同意才行",
        "等德國走了，巴黎再去勃艮第",
        "視德國動向，巴黎去勃艮第",
        "As soon as Germany agrees, Paris to Burgundy.",
        "After the Germans leave, Paris goes to Burgundy.",
        "Once Germany leaves Munich, Paris to Burgundy",
        "Paris to Burgundy, conditional on Germany's word",
        "Germany permitting, Paris to Burgundy",
    ],
)
def test_an_order_that_depends_on_something_is_asked_about(line: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert found.proposed == ("A PAR - BUR",)


@pytest.mark.parametrize(
    "line",
    [
        "Paris to Burgundy. After that, we shall see.",
        "Once again, Paris to Burgundy",
        "After some thought, Paris to Burgundy",
        "時候到了！巴黎去勃艮第",
        "巴黎再去勃艮第",
        "이번에는 파리가 버건디로 갑니다",
        "以上の通り、パリはブルゴーニュへ",
        "よく考えてから送ります。パリはブルゴーニュへ",
    ],
)
def test_words_of_time_that_nothing_depends_on_are_no_doubt(line: str) -> None:
    assert read("west", line).stored == ("A PAR - BUR",)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("west", "德國那邊寫給我的是:「巴黎去皮卡第,馬賽別動。」"),
        ("west", "英國的要求：巴黎去勃艮第，馬賽不動"),
        ("west", "盟友的原話是：巴黎去勃艮第。"),
        ("west", "盟友拜託我：巴黎去勃艮第"),
        ("west", "イギリスからの連絡では、ブレストは海峡へ"),
        ("west", "Someone sent me this: Paris to Burgundy"),
        ("west", "ドイツの要望：パリはブルゴーニュへ、マルセイユは待機"),
        ("west", "ドイツ曰く：パリはブルゴーニュへ"),
        ("west", '독일이 나에게 쓴 것은: "파리는 피카르디로, 마르세유는 가만히"'),
        ("west", "독일의 요청: 파리는 버건디로, 마르세유는 대기"),
        ("west", 'What Germany wrote to me: "Paris to Picardy, Marseilles stays."'),
        ("west", "Germany's request: Paris to Burgundy"),
        ("west", "德國命令巴黎去勃艮第"),
        ("west", "德國要巴黎去勃艮第"),
        ("west", "Germany orders Paris to Burgundy"),
        ("west", "ドイツがパリにブルゴーニュへ行くよう命令"),
        ("west", "독일이 파리에 버건디로 가라고 명령"),
        ("north", "俄國：北海去丹麥"),
        ("north", "Russia: North Sea to Denmark"),
        ("north", "ロシア：北海はデンマークへ"),
        ("north", "러시아: 북해는 덴마크로"),
        ("north", f"Russia:{LINE_END}North Sea to Denmark{LINE_END}Norway holds"),
    ],
)
def test_what_another_power_writes_or_orders_is_asked_about(place: str, line: str) -> None:
    found = read(place, line)
    assert found.stored == ()
    assert found.proposed


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("法國：巴黎去勃艮第，馬賽不動", "A PAR - BUR;A MAR H"),
        ("My orders: Paris to Burgundy", "A PAR - BUR"),
        ("法國命令巴黎去勃艮第", "A PAR - BUR"),
        ("對付德國：巴黎去勃艮第", "A PAR - BUR"),
        ("命令：パリはブルゴーニュへ", "A PAR - BUR"),
        ("프랑스: 파리는 버건디로", "A PAR - BUR"),
        (f"Italy:{LINE_END}{LINE_END}France:{LINE_END}Paris to Burgundy", "A PAR - BUR"),
    ],
)
def test_what_the_own_power_orders_is_stored(line: str, orders: str) -> None:
    assert {*read("west", line).stored} == allowed(orders)


@pytest.mark.parametrize(
    "line",
    [
        "Withdraw Marseilles's support for Gascony to Spain.",
        "In Paris to Burgundy, replace Burgundy with Picardy.",
        "Read Picardy for Burgundy in Paris to Burgundy",
        "파리는 버건디로 이동, 물러 주세요",
        "파리는 버건디로 이동. 물러 주세요.",
        "파리는 버건디로... 아 피카르디요",
        "收回巴黎去勃艮第",
        "ブルゴーニュをピカルディに読み替えて：パリはブルゴーニュへ",
        "パリのブルゴーニュ行きを引っ込めます",
    ],
)
def test_an_order_that_is_taken_back_or_read_in_another_way_is_asked_about(line: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert found.proposed


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "south",
            "Ionian, Tyrrhenian, Rome, Apulia: no moves, all hold.",
            "F ION H;F TYS H;A ROM H;A APU H",
        ),
        ("west", "Paris, Marseilles, Brest - everything holds.", "A PAR H;A MAR H;F BRE H"),
        (
            "west",
            "パリ、マルセイユ、ブレストは移動なし、全軍維持。",
            "A PAR H;A MAR H;F BRE H",
        ),
        (
            "west",
            "파리, 마르세유, 브레스트는 이동 없음, 전부 대기.",
            "A PAR H;A MAR H;F BRE H",
        ),
        ("west", "巴黎、馬賽、布雷斯特不移動，全部防守。", "A PAR H;A MAR H;F BRE H"),
        (
            "north",
            "All except the fleets (North Sea, Norwegian Sea) hold",
            "A YOR H;A WAL H;A NWY H;F ENG H",
        ),
        ("north", "艦隊(北海、ノルウェー海)以外は待機", "A YOR H;A WAL H;A NWY H;F ENG H"),
    ],
)
def test_all_hold_behind_a_list_is_for_its_units_only(place: str, line: str, orders: str) -> None:
    found = read(place, line)
    assert {*found.stored} <= allowed(orders)
    assert found.stored or found.proposed


@pytest.mark.parametrize(
    "line",
    [
        "艦隊は全部(北海、ノルウェー海、英仏海峡)その場で待機してください。",
        "함대는 전부(북해, 노르웨이해, 영국해협) 제자리 대기",
        "艦隊全部（北海、挪威海、英吉利海峽）原地待命",
        "All fleets (North Sea, Norwegian Sea, Channel) hold",
    ],
)
def test_a_list_of_names_in_brackets_is_no_move(line: str) -> None:
    assert {*read("north", line).stored} == {"F NTH H", "F NWG H", "F ENG H"}


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("Rome to Naples. All others hold.", "A ROM - NAP"),
        ("Rome to Naples, the rest hold", "A ROM - NAP"),
        ("ローマはナポリへ、残りは待機", "A ROM - NAP"),
        ("羅馬去那不勒斯，其餘不動", "A ROM - NAP"),
        ("All units hold", "A ROM H"),
    ],
)
def test_all_hold_beside_no_list_is_for_all_units(line: str, orders: str) -> None:
    others = {"A VEN H", "A TYR H", "A APU H", "F TYS H", "F ION H"}
    assert {*read("south", line).stored} == others | allowed(orders)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("east", "Greece: army Bulgaria. Bulgaria: army Smyrna, convoyed by the Aegean."),
        ("west", "Spain: army Gascony, supported by Marseilles"),
        ("west", "버건디: 육군 파리, 가스코니 지원"),
        ("west", "勃艮第：陸軍巴黎，加斯科尼支援"),
        ("west", "ブルゴーニュ：陸軍パリ、ガスコーニュ支援"),
    ],
)
def test_units_below_their_targets_are_asked_about(place: str, line: str) -> None:
    found = read(place, line)
    assert found.stored == ()
    assert found.proposed


def test_an_order_behind_a_name_is_stored() -> None:
    assert read("north", "ENG: F NTH - HOL").stored == ("F NTH - HOL",)
    assert read("west", "Paris: Burgundy. Marseilles: Spain.").stored == (
        "A MAR - SPA",
        "A PAR - BUR",
    )
    assert read("west", "Spain: A Gas - Spa").stored == ("A GAS - SPA",)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("builds", "艦隊増設：セバストポリ　陸軍増設：サンクト・ペテルブルグ"),
        ("builds", "艦隊建造：セヴァストポリ　陸軍建造：ワルシャワ"),
        ("builds", "Fleet build: Sevastopol  Army build: Warsaw"),
        ("builds", "해군 건설: 세바스토폴  육군 건설: 바르샤바"),
        ("south", "第勒尼安海的艦隊支援愛奧尼亞海⏎艦隊留守"),
        ("east", "エーゲ海艦隊によるギリシャ攻撃は、ブルガリア軍の支援を受ける。"),
        ("west", "パリ軍のブルゴーニュ攻撃は、マルセイユ軍の支援を受ける。"),
        ("west", "布雷斯特進英吉利海峽中大西洋支援它"),
        ("east", "黑海打羅馬尼亞保加利亞助攻"),
        ("west", "マルセイユの陸軍でブルゴーニュへ……いや、やっぱ今のナシで"),
        ("east", "黑海艦隊進羅馬尼亞。等等,先不要算數"),
    ],
)
def test_of_these_nothing_is_stored(place: str, line: str) -> None:
    found = read(place, line)
    assert found.stored == ()
    assert found.proposed


@pytest.mark.parametrize(
    ("place", "line", "stored"),
    [
        (
            "builds",
            "艦隊増設：セバストポリ⏎陸軍増設：サンクト・ペテルブルグ",
            ("A STP B", "F SEV B"),
        ),
        ("east", "エーゲ海艦隊によるギリシャ攻撃。", ("F AEG - GRE",)),
        (
            "west",
            "スペインへ入るガスコーニュ軍を、マルセイユの陸軍が支援。",
            ("A MAR S A GAS - SPA",),
        ),
        (
            "west",
            "パリ軍はブルゴーニュへ、これをマルセイユが支援",
            ("A MAR S A PAR - BUR", "A PAR - BUR"),
        ),
        ("south", "提洛爾去特列斯特⏎艦隊留守", ("A TYR - TRI", "F ION H", "F TYS H")),
    ],
)
def test_of_these_exactly_what_they_order_is_stored(
    place: str, line: str, stored: tuple[str, ...]
) -> None:
    assert read(place, line).stored == stored
