"""Orders that were read from sentences that hardly mean them are asked about."""

import pytest

from .sets.score import Case, Scored, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "talk", text))


@pytest.mark.parametrize(
    ("place", "line", "order"),
    [
        ("north", "Ship the Wales army to Picardy with the Channel fleet.", "F ENG C A WAL - PIC"),
        (
            "east",
            "The Smyrna army should be carried to Greece by the Aegean fleet, Bulgaria assisting.",
            "F AEG C A SMY - GRE",
        ),
        (
            "north",
            "Norway moves to Sweden... no wait, Olaf is already there. I'd sooner it held.",
            "A NWY - SWE",
        ),
        ("north", "The Channel is to support the attack on Belgium.", "F ENG S A BEL"),
        ("north", "北海去丹麥……啊寫錯，是斯卡格拉克才對", "F NTH - SKA"),
        (
            "south",
            "墺帝国ブダペスト軍のトリエステ進撃に対し、チロル、ベネチア両軍はこれを支援せよ。",
            "",
        ),
    ],
)
def test_a_sentence_that_means_something_else_is_asked_about(
    place: str, line: str, order: str
) -> None:
    found = read(place, line)
    assert found.stored == ()
    assert not order or order in found.proposed


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        ("west", "A Par - Bur, sorry for being late again", ("A PAR - BUR",)),
        (
            "west",
            "Army Paris moves to Burgundy. Wait till you see Munich's face!",
            ("A PAR - BUR",),
        ),
        (
            "west",
            "Marseilles supports Paris to Burgundy, Paris to Burgundy",
            ("A MAR S A PAR - BUR", "A PAR - BUR"),
        ),
        ("west", "パリの陸軍はブルゴーニュへ移動します。遅れてすみません", ("A PAR - BUR",)),
        ("west", "巴黎陸軍移動至勃艮第，抱歉遲了", ("A PAR - BUR",)),
        ("west", "파리 육군은 부르고뉴로 이동합니다. 늦어서 죄송합니다", ("A PAR - BUR",)),
        ("west", "파리 육군은 부르고뉴로 이동합니다. 늦었네요, 미안합니다", ("A PAR - BUR",)),
        ("west", "Army Paris moves to Burgundy. Sorry, a long day at work.", ("A PAR - BUR",)),
    ],
)
def test_an_apology_or_a_remark_takes_nothing_back(
    place: str, line: str, orders: tuple[str, ...]
) -> None:
    assert read(place, line).stored == orders


@pytest.mark.parametrize(
    "line", ["今回パスで！全部動かさなくていいです。", "I pass this turn.", "이번 턴은 패스합니다"]
)
def test_who_passes_a_turn_waives_no_builds(line: str) -> None:
    assert read("east", line).stored == ()


def test_one_of_several_armies_is_not_all_of_them() -> None:
    assert read("south", "靴跟上的那支陸軍留在原地。").stored == ()


def test_a_support_into_the_place_of_the_unit_that_is_named_is_asked_about() -> None:
    assert read("west", "피카르디를 치러 가는 독일 벨기에 육군을 해협에서 돕는다.").stored == ()
    assert read("west", "파리는 뮌헨 육군의 부르고뉴 이동을 지원합니다").stored == (
        "A PAR S A MUN - BUR",
    )
