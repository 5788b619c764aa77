"""Names and words of orders that players write in hiragana, or in other widths."""

import pytest

from .sets.score import Case, Scored, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "talk", text))


@pytest.mark.parametrize(
    ("place", "line", "order"),
    [
        ("north", "ほっかいの ふねで でんまーくを こうげき", "F NTH - DEN"),
        ("flight", "るーまにあのへいたいさん、うくらいなへにげて！", "A RUM R UKR"),
        ("west", "ぱりは ぶるごーにゅへ いどう", "A PAR - BUR"),
        ("west", "ぱりのりくぐん、ぶるごーにゅへ。", "A PAR - BUR"),
        ("west", "ぱりは げんじょういじ", "A PAR H"),
        ("west", "ぱりをまもる", "A PAR H"),
        ("west", "まるせいゆは ぱりの ぶるごーにゅへの こうげきを しえん", "A MAR S A PAR - BUR"),
        ("west", "ブレストの艦隊はいぎりす海峡へ移動", "F BRE - ENG"),
        ("west", "りよんわんの かんたいは にしちちゅうかいへ いどう", "F LYO - WES"),
        ("builds", "もすくわに りくぐんを ぞうせつ", "A MOS B"),
        ("west", "ﾊﾟﾘはﾌﾞﾙｺﾞｰﾆｭへ移動", "A PAR - BUR"),
        ("west", "Ａ　Ｐａｒ　－　Ｂｕｒ", "A PAR - BUR"),
        ("west", "Ａ　パリ　→　ブルゴーニュ", "A PAR - BUR"),
    ],
)
def test_an_order_in_other_letters_is_stored(place: str, line: str, order: str) -> None:
    assert read(place, line).stored == (order,)


@pytest.mark.parametrize(
    "line",
    [
        "やっぱりわかりません",
        "ぱりっとしたシャツをきました",
        "とることができません",
        "しりあいのいえにいきました。たのしかったです。",
        "せめてあと一日ください",
        "おくれてすみません、あしたおくります",
        "むかいのひとがぱりにりょこうしたそうです",
    ],
)
def test_words_that_have_a_name_in_them_by_chance_are_talk(line: str) -> None:
    found = read("west", line)
    assert (found.stored, found.proposed) == ((), ())
