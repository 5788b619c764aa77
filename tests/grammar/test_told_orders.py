"""Orders that are taken back by what follows them, and moves that are only named, are no orders."""

import pytest

from .sets.score import LINE_END, Case, Scored, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "ask", text))


@pytest.mark.parametrize(
    "line",
    [
        "Brest to the Channel... I wrote that, but please pretend I didn't.",
        "Paris to Burgundy - scratch it",
        "Paris to Burgundy. I withdraw this.",
        "Paris to Burgundy. Please delete this line.",
        "Paris to Burgundy (not final)",
        "Paris to Burgundy - void",
        "Paris to Burgundy, to be confirmed.",
        "Paris to Burgundy, but I haven't decided.",
        "Paris to Burgundy, failing that Picardy.",
        "파리는 버건디로 이동... 은 취소입니다.",
        "파리는 버건디로 이동... 이라고 적었는데 없던 걸로 해 주세요.",
        "파리는 버건디로 이동... 인데 아직 확실하지 않아요.",
        "파리는 버건디로 이동. 이 줄은 지워 주세요.",
        "파리는 버건디로 이동. 역시 안 되겠어요.",
        "파리는 버건디로 이동, 이건 빼고요.",
        "파리는 버건디로 이동, 뮌헨이 비면.",
        "파리는 버건디로 이동; 피카르디로 바꿔 주세요.",
        "巴黎去勃艮第...寫是這樣寫，請忽略。",
        "巴黎去勃艮第。這個拿掉。",
        "巴黎去勃艮第，撤回。",
        "巴黎去勃艮第，此令無效。",
        "巴黎去勃艮第，尚未決定。",
        "巴黎去勃艮第，須經德國同意。",
        "パリはブルゴーニュへ移動……じゃなかった。",
        "パリはブルゴーニュへ移動...と書いてはみたものの、無しで。",
        "パリはブルゴーニュへ移動、は古い命令です。",
        "パリはブルゴーニュへ移動、とドイツが提案。",
        "パリはブルゴーニュへ移動。これは外します。",
        "パリはブルゴーニュへ移動。この命令は消してください。",
        "パリのブルゴーニュ行きは見送ります。",
        "パリはブルゴーニュへ移動；ピカルディに変えて。",
    ],
)
def test_an_order_is_asked_about_whose_writer_takes_it_back_behind_it(line: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert found.proposed


@pytest.mark.parametrize(
    "line",
    [
        "Paris to Burgundy... and may it go well!",
        "파리는 버건디로 이동... 행운을 빕니다.",
        "巴黎去勃艮第……祝好運。",
        "ガスコーニュはパリへ、パリはブルゴーニュへ、と玉突きで進みます。",
    ],
)
def test_an_order_with_a_remark_behind_it_is_stored(line: str) -> None:
    assert "A PAR - BUR" in read("west", line).stored


@pytest.mark.parametrize(
    ("place", "line", "stored"),
    [
        (
            "east",
            "アンカラの陸軍のセヴァストポリ上陸を、黒海の艦隊が輸送で助ける。",
            "F BLA C A ANK - SEV",
        ),
        ("east", "ブルガリアのルーマニア攻撃を、黒海の艦隊が支援する。", "F BLA S A BUL - RUM"),
        ("west", "파리의 버건디 진격을, 가스코니가 돕는다.", "A GAS S A PAR - BUR"),
        ("west", "파리의 버건디 이동은 가스코니의 지원을 받습니다.", "A GAS S A PAR - BUR"),
        ("west", "The move of Paris to Burgundy is supported by Gascony.", "A GAS S A PAR - BUR"),
        ("west", "加斯科尼支援巴黎對勃艮第的進攻。", "A GAS S A PAR - BUR"),
    ],
)
def test_a_move_that_is_only_named_is_no_order(place: str, line: str, stored: str) -> None:
    assert read(place, line).stored == (stored,)


@pytest.mark.parametrize(
    "line",
    [
        "布雷斯特艦隊在中大西洋艦隊的支援下",
        f"布雷斯特艦隊在中大西洋艦隊的支援下{LINE_END}橫掃英吉利海峽",
        "ブレストの艦隊は中部大西洋の艦隊の支援を受けて",
        "브레스트 함대는 중대서양 함대의 지원 아래",
        "皮埃蒙特被里昂灣支援的馬賽攻打。",
        "巴黎攻打勃艮第，背後有馬賽。",
    ],
)
def test_who_supports_whom_is_asked_where_a_line_does_not_say_it(line: str) -> None:
    assert read("west", line).stored == ()


@pytest.mark.parametrize(
    "line",
    [
        f"布雷斯特艦隊在中大西洋艦隊的支援下{LINE_END}強攻英吉利海峽",
        f"ブレスト艦隊は中部大西洋艦隊の援護のもとで{LINE_END}イギリス海峡へ突入",
        "브레스트 함대는 중대서양 함대의 지원을 받으며 영국해협을 공격",
        "Brest, supported by the Mid-Atlantic, attacks the Channel.",
    ],
)
def test_who_is_named_as_support_supports(line: str) -> None:
    assert {*read("west", line).stored} <= {"F BRE - ENG", "F MAO S F BRE - ENG"}
