"""Korean particles follow the sound before them, whatever fills a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.render.particles import CHOICES, Final, fill, final_sound

FINAL_CONSONANTS = 28  # of a Hangul syllable, none among them
SYLLABLES = st.integers(0xAC00, 0xD7A3).map(chr)
EVERY = "{x}이(가) {x}을(를) {x}은(는) {x}과(와) {x}(으)로 {x}(이)라고"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("파리", "파리가 파리를 파리는 파리와 파리로 파리라고"),
        ("런던", "런던이 런던을 런던은 런던과 런던으로 런던이라고"),
        ("킬", "킬이 킬을 킬은 킬과 킬로 킬이라고"),
        ("PAR", "PAR이 PAR을 PAR은 PAR과 PAR로 PAR이라고"),  # 알
        ("NTH", "NTH가 NTH를 NTH는 NTH와 NTH로 NTH라고"),  # 에이치
        ("LON", "LON이 LON을 LON은 LON과 LON으로 LON이라고"),  # 엔
        ("3", "3이 3을 3은 3과 3으로 3이라고"),  # 삼
        ("1", "1이 1을 1은 1과 1로 1이라고"),  # 일
        ("balkan", "balkan이 balkan을 balkan은 balkan과 balkan으로 balkan이라고"),
    ],
)
def test_particle_fits_the_last_sound(word: str, told: str) -> None:
    assert fill(EVERY, {"x": word}) == told


@pytest.mark.parametrize(
    ("text", "final"),
    [
        ("2 4 5 9", Final.VOWEL),
        ("1907", Final.RIEUL),
        ("10", Final.CONSONANT),
        ("SPA/NC", Final.VOWEL),
        ("S1901M", Final.CONSONANT),
        ("F NWG - NWY", Final.VOWEL),
        ("스페인 (남부 해안)", Final.CONSONANT),
        ("마르세유 (MAR)", Final.VOWEL),
        ("(파리)", Final.VOWEL),
        ('"벨기에".', Final.VOWEL),
        ("Karl", Final.RIEUL),
        ("Jack", Final.CONSONANT),
        ("Jane", Final.CONSONANT),
        ("Bert", Final.VOWEL),
        ("Chloé", Final.VOWEL),
        ("ＰＡＲ", Final.RIEUL),
        ("さくら", Final.VOWEL),
        ("しん", Final.CONSONANT),
        ("漢字", None),
        ("", None),
        ("…!", None),
    ],
)
def test_last_sound_of_what_players_and_provinces_are_called(
    text: str, final: Final | None
) -> None:
    assert final_sound(text) is final


@given(SYLLABLES)
def test_every_syllable_takes_the_particle_of_its_own_final(syllable: str) -> None:
    form = (ord(syllable) - 0xAC00) % FINAL_CONSONANTS
    told = fill("{x}이(가) {x}(으)로", {"x": syllable})
    assert told == {
        0: f"{syllable}가 {syllable}로",
        8: f"{syllable}이 {syllable}로",
    }.get(form, f"{syllable}이 {syllable}으로")


@given(st.text(), st.sampled_from(sorted(CHOICES)))
def test_any_text_takes_one_of_the_two_or_shows_both(text: str, particle: str) -> None:
    told = fill("{x}" + particle, {"x": text})
    assert told.startswith(text)
    assert told[len(text) :] in (*CHOICES[particle], particle)


@given(st.text())
def test_a_text_with_marks_around_it_sounds_as_it_does_alone(text: str) -> None:
    word = f"{text}리"
    assert final_sound(f'"{word}"') is final_sound(f"『{word}』...") is Final.VOWEL


@given(st.text())
def test_what_somebody_wrote_is_never_changed(text: str) -> None:
    assert fill("{x}", {"x": text}) == text
    assert fill("{{{x}}}", {"x": text}) == "{" + text + "}"


def test_particles_of_a_players_words_are_left_alone() -> None:
    assert fill("{x}을(를)", {"x": "{y}이(가) 이(가)"}) == "{y}이(가) 이(가)를"
