"""Plain text without broken lines and columns."""

from judge.blocks import Indented, Pairs, Row, Rows, Titled, Written
from judge.render.layout import as_text, display_width, one_line


def test_wide_letters_take_two_columns_and_accents_none() -> None:
    assert display_width("파리") == 4
    assert display_width("e\u0301") == 1
    assert display_width("PAR") == 3


def test_a_row_of_words_alone_heads_those_below_it() -> None:
    rows = [Row("", "Austria:"), Row("A VIE", "army"), Row("", "France:"), Row("A PAR", "army")]
    shown = as_text(Rows(rows))
    assert shown.split("\n") == [
        "Austria:",
        "  A VIE   army",
        "",
        "France:",
        "  A PAR   army",
    ]


def test_a_row_has_its_words_behind_it_and_stands_in_no_column() -> None:
    rows = [Row("A PAR - BUR", "Army Paris moves.", kept=True), Row("WAIVE", ""), Row("A X", "y")]
    shown = as_text(Rows(rows, "(kept)"))
    assert shown == "  A PAR - BUR   Army Paris moves. (kept)\n  WAIVE\n  A X   y"


def test_pairs_have_the_colon_of_the_letters_language() -> None:
    pairs = Pairs([("London", "法國"), ("", "more"), ("小明", "B")])
    assert as_text(pairs).split("\n") == ["  London: 法國", "    more", "  小明: B"]
    shown = as_text(Titled("x", Indented(pairs)), "：")
    assert shown.split("\n") == ["x", "    London：法國", "      more", "    小明：B"]


def test_one_line_has_no_line_ends_and_is_cut() -> None:
    assert one_line("a\r\nBcc: x\x00", 20) == "a Bcc: x"
    assert one_line("x" * 30, 10) == "x" * 9 + "…"


def test_a_players_own_lines_stay_lines() -> None:
    assert as_text(Written("Dear Ann,\n\nyes.")) == "  Dear Ann,\n\n  yes."
