"""Diaries and statements: their writer's alone until some days after the end, then everybody's."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import DiaryTold, Kept
from judge.host.messages.game_events import Papers
from judge.host.messages.people import OwnData
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Status

from .conftest import POWERS, Hall, address_of

FRANCE, ITALY, MASTER = address_of("FRANCE"), address_of("ITALY"), "gm@example.test"
SECRET = "I shall take Venice in the fall."
DAY = timedelta(days=1)


def draw(hall: Hall) -> None:
    for power in POWERS:
        hall.order(power, "DRAW")
    assert hall.game().status is Status.FINISHED


def letters_with(hall: Hall, text: str) -> set[str]:
    """To whom a text has gone."""
    return {row.recipient for row in hall.out if text in hall.text(row)}


def test_a_diary_is_its_writers_alone_until_after_the_end(hall: Hall) -> None:
    hall.start("grace: 0")
    hall.order("FRANCE", f"A PAR - BUR\nDIARY RECORD\n{SECRET}\nENDDIARY\nF BRE - MAO")
    assert hall.said(FRANCE, Kept).number == "1"
    assert len(hall.game().order_set("FRANCE")) == 2  # type: ignore[arg-type]
    hall.open_game()
    hall.run_phase()
    hall.order("FRANCE", "DIARY RECORD\nWrong again.\nENDDIARY")
    hall.order("FRANCE", "DIARY RECORD\nOh dear.\nENDDIARY")
    hall.order("FRANCE", "DIARY LIST")
    told = hall.said(FRANCE, DiaryTold)
    assert [(one.number, one.label) for one in told.notes] == [
        (1, "S1901M"),
        (2, "F1901M"),
        (3, "F1901M"),
    ]
    hall.order("FRANCE", "DIARY READ 1")
    assert hall.said(FRANCE, DiaryTold).notes[0].text == SECRET
    hall.order("FRANCE", "DIARY DELETE 2")
    hall.order("ITALY", "DIARY LIST")
    assert hall.said(ITALY, DiaryTold).notes == ()
    hall.order("ITALY", "DIARY READ 1")
    assert hall.said(ITALY, Refusal).kind is RefusalKind.NO_NOTE
    draw(hall)
    assert letters_with(hall, SECRET) == {FRANCE}
    hall.pass_time(8 * DAY)
    assert letters_with(hall, SECRET) == {*map(address_of, POWERS), MASTER}
    assert [one.text for one in hall.said(ITALY, Papers).diaries] == [SECRET, "Oh dear."]
    assert len(hall.was_told(ITALY, Papers)) == 1


def test_statements_go_out_in_one_letter_some_days_after_the_end(hall: Hall) -> None:
    hall.start("statements: 3d")
    hall.order("FRANCE", "STATEMENT\nA first try.\nENDSTATEMENT")
    draw(hall)
    hall.order("FRANCE", "STATEMENT\nIt was Italy's game.\nENDSTATEMENT")
    hall.post(MASTER, "STATEMENT\nWell played.\nENDSTATEMENT", reply_to=hall.last(MASTER))
    hall.pass_time(2 * DAY)
    assert hall.was_told(ITALY, Papers) == []
    hall.pass_time(2 * DAY)
    papers = hall.said(ITALY, Papers)
    assert [(one.seat, one.text) for one in papers.statements] == [
        (None, "Well played."),
        ("FRANCE", "It was Italy's game."),
    ]
    hall.order("ITALY", "STATEMENT\nNo, it was not!\nENDSTATEMENT")
    assert hall.said(ITALY, Refusal).kind is RefusalKind.STATEMENTS_CLOSED
    assert len(hall.was_told(FRANCE, Papers)) == 1


def test_a_game_of_which_nobody_says_anything_sends_no_letter(hall: Hall) -> None:
    hall.start()
    draw(hall)
    before = len(hall.out)
    hall.pass_time(9 * DAY)
    assert len(hall.out) == before
    assert hall.game().due_at is None


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        (f"DIARY RECORD\n{SECRET}\nA PAR - BUR", RefusalKind.UNCLOSED_TEXT),
        ("DIARY RECORD\nENDDIARY", RefusalKind.EMPTY_TEXT),
        (f"STATEMENT\n{'long ' * 2000}\nENDSTATEMENT", RefusalKind.LONG_TEXT),
        ("DIARY DELETE 3", RefusalKind.NO_NOTE),
    ],
)
def test_what_cannot_be_kept_is_told(hall: Hall, written: str, kind: RefusalKind) -> None:
    hall.start()
    hall.order("FRANCE", written)
    assert hall.said(FRANCE, Refusal).kind is kind
    with hall.database.transaction() as tx:
        assert tx.notes.of("balkan") == ()


@pytest.mark.parametrize(
    ("record", "end"),
    [("일기 쓰기", "일기 끝"), ("寫日記", "日記完"), ("日記を書く", "日記終わり")],
)
def test_a_diary_is_written_in_local_words(hall: Hall, record: str, end: str) -> None:
    hall.start()
    hall.order("FRANCE", f"{record}\n아무도 믿지 말 것\n{end}")
    assert hall.said(FRANCE, Kept).text == "아무도 믿지 말 것"


def test_a_players_words_are_shown_to_them_and_forgotten_with_them(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", f"DIARY RECORD\n{SECRET}\nENDDIARY")
    hall.order("FRANCE", "MY DATA")
    assert SECRET in hall.said(FRANCE, OwnData).text
    hall.order("FRANCE", "FORGET ME")
    hall.order("FRANCE", "YES")
    with hall.database.transaction() as tx:
        assert tx.notes.of("balkan") == ()


def test_whoever_held_a_seat_may_write_a_statement(hall: Hall) -> None:
    hall.start()
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    resigned = hall.last(address_of("TURKEY"))
    for power in POWERS[:-1]:
        hall.order(power, "DRAW")
    text = "I went to sea, and Turkey with me."
    hall.post(address_of("TURKEY"), f"STATEMENT\n{text}\nENDSTATEMENT", reply_to=resigned)
    assert hall.said(address_of("TURKEY"), Kept).what == "statement_saved"
    hall.register("hana@example.test", "Hana")
    hall.post("hana@example.test", "STATEMENT\nMe too.\nENDSTATEMENT", reply_to=resigned)
    assert hall.was_told("hana@example.test", Kept) == []
    hall.pass_time(8 * DAY)
    assert [(one.seat, one.text) for one in hall.said(ITALY, Papers).statements] == [
        ("TURKEY", text)
    ]
    hall.post(address_of("TURKEY"), "STATEMENT\nMore.\nENDSTATEMENT", reply_to=resigned)
    assert hall.said(address_of("TURKEY"), Refusal).kind is RefusalKind.STATEMENTS_CLOSED


@pytest.mark.parametrize(
    ("language", "record", "ends"),
    [
        ("ko", "DIARY RECORD", "일기 끝"),
        ("zh_Hant", "STATEMENT", "感言完"),
        ("ja", "DIARY RECORD", "日記終わり"),
    ],
)
def test_the_closing_line_is_told_in_the_readers_words(
    hall: Hall, language: str, record: str, ends: str
) -> None:
    hall.start()
    hall.order("FRANCE", f"SET LANGUAGE {language}")
    hall.order("FRANCE", f"{record}\n{SECRET}")
    told = hall.text(hall.last(FRANCE))
    assert ends in told
    assert not any(word in told for word in ("ENDDIARY", "ENDSTATEMENT"))
