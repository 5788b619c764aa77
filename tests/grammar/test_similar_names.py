"""Names spelled by their sound, across languages and scripts; and words that are no names."""

import pytest

from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.similar_names import sounds
from judge.diplomacy.variants.variant import load_variant

WORDS = lexicon(load_variant("standard"))


@pytest.mark.parametrize(
    "names",
    [
        ("Burgund", "부르군트", "burkunt"),
        ("馬賽", "马赛", "masai"),
        ("北京", "beijing"),
        ("Coburg", "Koburk", "코부르크"),
        ("Philip", "필립", "Filib"),
    ],
)
def test_one_sound_in_any_script(names: tuple[str, ...]) -> None:
    assert len({sounds(name) for name in names}) == 1


@pytest.mark.parametrize(
    ("written", "province"),
    [
        ("burgonnia", "BUR"),
        ("부르고냐", "BUR"),
        ("柏根弟", "BUR"),
        ("ブルゴンディ", "BUR"),
        ("warschau", "WAR"),
        ("华沙", "WAR"),
        ("와르소", "WAR"),
        ("moskau", "MOS"),
        ("트리에스떼", "TRI"),
        ("的里亞斯特", "TRI"),
        ("konstantinopel", "CON"),
        ("쎄르비아", "SER"),
        ("塞瓦斯托波爾", "SEV"),
        ("セバストーポリ", "SEV"),
        ("보헤미야", "BOH"),
        ("schlesien", "SIL"),
        ("伦敦", "LON"),
        ("リヴァプール", "LVP"),
    ],
)
def test_the_province_is_the_only_one_near(written: str, province: str) -> None:
    assert WORDS.nearest(written) == (f"#{province}",)


@pytest.mark.parametrize(
    ("begun", "province"),
    [
        *(("espag", "SPA"), ("vened", "VEN"), ("나폴", "NAP"), ("벨기", "BEL"), ("튀니", "TUN")),
        *(("앙카", "ANK"), ("ブルガ", "BUL"), ("ヴェネツ", "VEN"), ("リヴォ", "LVN")),
    ],
)
def test_the_beginning_of_a_name_is_near_to_it_however_much_is_missing(
    begun: str, province: str
) -> None:
    assert WORDS.nearest(begun) == (f"#{province}",)


@pytest.mark.parametrize(
    "word",
    [
        *("hello", "thanks", "tomorrow", "alliance", "victory", "attack", "question", "ok", "xyz"),
        *("안녕하세요", "명령", "동맹", "감사합니다", "내일", "아마", "ㅋㅋㅋ"),
        *("謝謝", "同盟", "命令", "明天", "也許", "攻擊"),
        *("ありがとう", "よろしく", "たぶん", "攻撃"),
        *("", "!", "🙂", "0", "a" * 5000, "칸" * 5000, "勃" * 5000),
    ],
)
def test_other_words_sound_like_no_province(word: str) -> None:
    assert WORDS.similar_names.sounding_like(word) == ()
