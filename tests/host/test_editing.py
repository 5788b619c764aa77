"""EDIT: a master changes the position, which everybody is told."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import ConfirmAsked, Done
from judge.host.messages.games import Summary
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Act

from .conftest import OPENINGS, Hall, address_of
from .test_masters_hand import ask

FRANCE, MASTER = address_of("FRANCE"), "gm@example.test"
PASSED = {"Authentication-Results": "mx.judge.test; dkim=pass header.d=example.test"}
LINES = "France: remove A Par\nFrance: add A Gas\ncenter Bel: Germany"


def test_an_edit_is_asked_back_and_announced(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    before = hall.game().state
    ask(hall, f"EDIT the map was wrong\n{LINES}\nEND EDIT\nSTATUS")
    asked = hall.said(MASTER, ConfirmAsked)
    assert (asked.what, asked.lines) == ("edit", tuple(LINES.splitlines()))
    assert hall.game().state == before
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))
    told = hall.text(hall.last(FRANCE))
    for said in ("the map was wrong", "France: add A Gas", "France: A GAS, A MAR, F BRE", "BEL"):
        assert said in told
    assert "Stored for you now:\r\n  A MAR - SPA " in told
    assert "If you send nothing more: A MAR - SPA and F BRE - MAO run, A GAS holds." in told
    assert "Due: " in told
    stored = {line.text for line in hall.game().order_set("FRANCE")}  # type: ignore[arg-type]
    assert stored == {"A MAR - SPA", "F BRE - MAO"}
    ask(hall, "SUMMARY balkan", FRANCE)
    act = hall.said(FRANCE, Summary).acts[-1]
    assert (act.act, act.reason, act.text) == (Act.EDITED, "the map was wrong", LINES)
    hall.order("FRANCE", "A GAS - SPA")
    assert "A GAS - SPA" in hall.text(hall.last(FRANCE))


@pytest.mark.parametrize(
    ("opening", "line", "ending"),
    [
        ("형세 수정 잘못 읽음", "프랑스: 제거 육군 파리", "수정 끝"),
        ("修改局面 指令讀錯了", "法國：移除 陸軍 巴黎", "修改完"),
        ("局面修正 読み違い", "フランス：削除 陸軍 パリ", "修正終わり"),
    ],
)
def test_an_edit_is_written_in_ones_own_words(
    hall: Hall, opening: str, line: str, ending: str
) -> None:
    hall.start()
    ask(hall, f"{opening}\n{line}\n{ending}\nSTATUS")
    assert hall.said(MASTER, ConfirmAsked).lines == (line,)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("EDIT a mistake\nFrance: remove A Mun\nEND EDIT", RefusalKind.EDIT_CLASH),
        ("EDIT a mistake\nFrance: remove A Par\nHello\nEND EDIT", RefusalKind.BAD_EDIT),
        ("EDIT a mistake\nEND EDIT", RefusalKind.BAD_EDIT),
        ("EDIT\nFrance: remove A Par\nEND EDIT", RefusalKind.NO_REASON),
    ],
)
def test_what_does_not_fit_changes_nothing(hall: Hall, body: str, kind: RefusalKind) -> None:
    before = hall.start().state
    ask(hall, body)
    assert hall.said(MASTER, Refusal).kind is kind
    assert hall.game().state == before
    assert not hall.was_told(FRANCE, MasterActed)


def test_a_master_moves_the_deadlines_of_all_games_at_once(hall: Hall) -> None:
    before = hall.start().timing
    hall.create(name="other")
    hall.create(name="third", lines="dummies: TURKEY, ITALY, RUSSIA, GERMANY, AUSTRIA")
    hall.join("FRANCE", "third")
    hall.join("ENGLAND", "third")
    third = hall.game("third").timing
    hall.post(MASTER, "ALL GAMES: SET DEADLINE +3d", headers=PASSED)
    for name, was in (("balkan", before), ("third", third)):
        timing = hall.game(name).timing
        assert timing is not None
        assert was is not None
        assert timing.deadline_at == was.deadline_at + timedelta(days=3)
    assert len(hall.was_told(MASTER, Done)) == 2


@pytest.mark.parametrize(
    "line",
    [
        "全ゲーム：締切変更 +3日",  # as HELP shows it
        "모든 게임: 마감 변경 +3일",
        "所有遊戲：更改截止時間 +3天",
        "모든 게임: 연장 3일",
    ],
)
def test_the_deadlines_of_all_games_move_in_the_words_of_every_language(
    hall: Hall, line: str
) -> None:
    before = hall.start().timing
    hall.post(MASTER, line, headers=PASSED)
    timing = hall.game().timing
    assert timing is not None
    assert before is not None
    assert timing.deadline_at == before.deadline_at + timedelta(days=3)


@pytest.mark.parametrize(
    "line", ["全ゲーム：ゲーム中断", "모든 게임: 게임 보류", "所有遊戲：暫停遊戲"]
)
def test_all_games_are_put_on_hold_in_the_words_of_every_language(hall: Hall, line: str) -> None:
    hall.start()
    hall.post(MASTER, line, headers=PASSED)
    timing = hall.game().timing
    assert timing is not None
    assert timing.held is not None


def test_lines_below_all_games_are_for_the_game_of_the_letter(hall: Hall) -> None:
    hall.start()
    hall.create(name="alps", lines="dummies: TURKEY, ITALY, RUSSIA, GERMANY, AUSTRIA")
    hall.join("FRANCE", "alps")
    hall.join("ENGLAND", "alps")
    before = hall.game().settings.comment
    letter = hall.last(MASTER)
    assert letter.game == "alps"
    body = "ALL GAMES: SET DEADLINE +3d\nSET COMMENT Beginners welcome"
    hall.post(MASTER, body, reply_to=letter)
    assert hall.game("alps").settings.comment == "Beginners welcome"
    assert hall.game().settings.comment == before
    hall.post(MASTER, "ALL GAMES: HOLD GAME\nSET COMMENT Experts", headers=PASSED)
    assert hall.said(MASTER, Refusal).kind is RefusalKind.WHICH_GAME
    assert hall.game("alps").settings.comment == "Beginners welcome"
    assert hall.game().settings.comment == before


def test_all_games_are_all_of_many(hall: Hall) -> None:
    names = [f"game{number}" for number in range(16)]
    for name in names:
        hall.create(name=name, lines="dummies: TURKEY, ITALY, RUSSIA, GERMANY, AUSTRIA")
        hall.join("FRANCE", name)
        hall.join("ENGLAND", name)
    hall.post(MASTER, "ALL GAMES: HOLD GAME\n" * 5, headers=PASSED)
    timings = [hall.game(name).timing for name in names]
    assert all(one is not None and one.held is not None for one in timings)
    assert len(hall.was_told(MASTER, MasterActed)) == 3 * len(names)
    assert hall.said(MASTER, Refusal).kind is RefusalKind.TOO_MANY_COMMANDS


def test_what_asks_back_is_done_in_one_game_at_a_time(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "ALL GAMES: ROLLBACK S1901M a mistake", headers=PASSED)
    assert hall.said(MASTER, Refusal).kind is RefusalKind.BAD_COMMAND


def test_a_note_is_shown_to_the_master_alone(hall: Hall) -> None:
    hall.start()
    ask(hall, "NOTE Ann prefers Saturdays")  # or PRIVATE NOTE
    ask(hall, "SUMMARY balkan")
    assert "Ann prefers Saturdays" in hall.text(hall.last(MASTER))
    ask(hall, "SUMMARY balkan", FRANCE)
    assert "Ann prefers Saturdays" not in hall.text(hall.last(FRANCE))


def test_a_players_note_is_no_command(hall: Hall) -> None:
    hall.start()
    ask(hall, "Note that I am away on Friday.", FRANCE)
    told = {one.kind for one in hall.was_told(FRANCE, Refusal)}
    assert RefusalKind.NOT_MASTER not in told
