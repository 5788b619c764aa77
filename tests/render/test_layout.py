"""Plain text of 78 columns, whatever is put into it."""

from hypothesis import given
from hypothesis import strategies as st

from judge.render.layout import (
    display_width,
    indent_text,
    list_pairs,
    list_rows,
    one_line,
    unbroken,
    wrap,
)
from judge.rulebook import Row


def test_wide_letters_take_two_columns_and_accents_none() -> None:
    assert display_width("파리") == 4
    assert display_width("e\u0301") == 1
    assert display_width("PAR") == 3


def test_lines_hang_below_their_words() -> None:
    text = wrap("one two three four", "  A PAR   ", width=18)
    assert text == "  A PAR   one two\n          three\n          four"


def test_a_row_of_words_alone_heads_those_below_it() -> None:
    rows = [Row("", "Austria:"), Row("A VIE", "army"), Row("", "France:"), Row("A PAR", "army")]
    shown = list_rows(rows, column=10)
    assert shown.split("\n") == [
        "Austria:",
        "  A VIE   army",
        "",
        "France:",
        "  A PAR   army",
    ]


def test_chinese_breaks_between_letters_but_not_before_a_stop() -> None:
    assert wrap("命令已全部收到。", width=14) == "命令已全部收\n到。"


def test_japanese_breaks_behind_a_comma_but_not_before_a_small_kana() -> None:
    assert wrap("下に、REGISTERと", width=10) == "下に、\nREGISTERと"
    assert wrap("これはキャンプ", width=8) == "これは\nキャンプ"


def test_korean_breaks_at_spaces() -> None:
    assert wrap("명령이 모두 접수", width=12) == "명령이 모두\n접수"


def test_an_order_stays_on_one_line() -> None:
    text = wrap(f"it failed against {unbroken('A VEN - PIE')}", width=24)
    assert text == "it failed against\nA VEN - PIE"
    text = wrap(f"例：{unbroken('海軍 ブレスト 維持')}。", width=20)
    assert text == "例：\n海軍 ブレスト 維持。"


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["C", "Z"])), st.text())
def test_no_line_is_wider_than_asked(word: str, text: str) -> None:
    flat = " ".join(text.split())
    for line in wrap(f"{word} {flat}", "  ").split("\n"):
        assert display_width(line) <= 78


def test_rows_stand_in_two_columns() -> None:
    rows = [Row("A PAR - BUR", "Army Paris moves.", kept=True), Row("WAIVE", "")]
    shown = list_rows(rows, "(kept)")
    assert shown == "  A PAR - BUR           Army Paris moves. (kept)\n  WAIVE"


def test_a_very_long_row_has_its_words_below() -> None:
    words = "Words for which no room is left beside it."
    row = Row("F STP/NC S F NWG - NWY by some long addition", words)
    assert list_rows([row]).split("\n")[1].strip().startswith("Words for")


def test_short_words_stand_beside_even_a_long_row() -> None:
    rows = [Row("육군, 마르세유, 지원, 육군, 파리 - 버건디", "A MAR S A PAR - BUR")]
    rows.append(Row("해군, 브레스트 - 중대서양", "F BRE - MAO"))
    lines = list_rows(rows).split("\n")
    assert len(lines) == 2
    assert [display_width(line[: line.index(s)]) for line, s in zip(lines, "AF", strict=True)] == [
        46,
        46,
    ]


def test_pairs_align_by_display_width() -> None:
    assert list_pairs([("파리", "A"), ("London", "B")]) == "  파리     A\n  London   B"


def test_one_line_has_no_line_ends_and_is_cut() -> None:
    assert one_line("a\r\nBcc: x\x00", 20) == "a Bcc: x"
    assert one_line("x" * 30, 10) == "x" * 9 + "…"


def test_a_players_own_lines_stay_lines() -> None:
    assert indent_text("Dear Ann,\n\nyes.") == "  Dear Ann,\n\n  yes."
