"""PREVIEW: what the master sees of orders before they run, and what players learn of that."""

from datetime import timedelta

import pytest

from judge.host.messages.games import GameStatus, Summary
from judge.host.messages.master_acts import MasterActed, Preview
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Act

from .conftest import POWERS, Hall, address_of
from .test_masters_hand import ask, label

FRANCE, MASTER = address_of("FRANCE"), "gm@example.test"


@pytest.fixture(autouse=True)
def _started(hall: Hall) -> None:
    hall.start()


def test_a_preview_shows_the_master_alone_what_orders_would_do(hall: Hall) -> None:
    hall.open_game("ITALY")
    before, count = hall.game(), len(hall.out)
    ask(hall, "PREVIEW")
    seen = hall.said(MASTER, Preview)
    assert (seen.missing, seen.owing) == (("ITALY",), ("ITALY",))
    told = hall.text(hall.last(MASTER))
    assert "A PAR - BUR" in told
    assert "Nothing has come yet from: Italy." in told
    assert [row.recipient for row in hall.out[count:]] == [MASTER]
    assert hall.game().phase == before.phase
    ask(hall, "SUMMARY balkan", FRANCE)
    assert [one.act for one in hall.said(FRANCE, Summary).acts] == [Act.PREVIEWED]


def test_a_preview_and_the_phase_draw_alike(hall: Hall) -> None:
    hall.open_game()
    ask(hall, "PREVIEW")
    seen = hall.said(MASTER, Preview).report
    hall.run_phase()
    with hall.database.transaction() as tx:
        assert bytes(tx.phases.of("balkan")[0].reports[0].public) == bytes(seen)


def test_how_to_have_previews_is_told_in_the_readers_words(hall: Hall) -> None:
    ask(hall, "SET LANGUAGE ja")
    ask(hall, "PREVIEW ANY")
    assert "プレビュー オン" in hall.text(hall.last(MASTER))
    ask(hall, "プレビュー オン")
    assert hall.said(FRANCE, MasterActed).act is Act.PREVIEWS_ON


def test_standing_previews_come_when_all_orders_are_in_and_players_know(hall: Hall) -> None:
    hall.open_game()
    hall.run_phase()
    ask(hall, "PREVIEW ON")
    assert hall.said(FRANCE, MasterActed).act is Act.PREVIEWS_ON
    ask(hall, "STATUS", FRANCE)
    assert hall.said(FRANCE, GameStatus).settings.previews
    assert "the master sees what orders would do" in hall.text(hall.last(FRANCE))
    for power in POWERS:
        hall.order(power, "READY")
    assert not hall.was_told(MASTER, Preview)
    hall.pass_time(timedelta(minutes=1))
    assert len(hall.was_told(MASTER, Preview)) == 1
    assert label(hall) == "F1901M"
    hall.order("FRANCE", "A SPA - POR\nREADY")
    hall.pass_time(timedelta(minutes=1))
    assert len(hall.was_told(MASTER, Preview)) == 2
    hall.run_phase()
    ask(hall, "PREVIEW OFF")
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(timedelta(minutes=1))
    assert len(hall.was_told(MASTER, Preview)) == 2


@pytest.mark.parametrize("line", ["미리 보기 끔", "預覽 關閉", "プレビュー オフ"])
def test_previews_are_ended_as_letters_tell_it(hall: Hall, line: str) -> None:
    hall.open_game()
    ask(hall, "PREVIEW ON")
    ask(hall, line)
    assert hall.said(MASTER, MasterActed).act is Act.PREVIEWS_OFF


def test_a_standing_preview_comes_with_the_reminder(hall: Hall) -> None:
    hall.open_game()
    hall.run_phase()
    ask(hall, "PREVIEW ON")
    hall.order("FRANCE", "A SPA - POR")
    hall.run_phase()
    assert len(hall.was_told(MASTER, Preview)) == 1


def test_a_master_who_plays_sees_no_preview(hall: Hall) -> None:
    hall.order("TURKEY", "RESIGN")
    hall.post(address_of("TURKEY"), "YES", reply_to=hall.last(address_of("TURKEY")))
    hall.post(MASTER, "JOIN balkan TURKEY", reply_to=hall.last(MASTER))
    seat = hall.game().seat("TURKEY")  # type: ignore[arg-type]
    assert (seat.player,) == hall.game().master_ids
    masters = [row for row in hall.out if row.recipient == MASTER and row.seat is None][-1]
    hall.post(MASTER, "PREVIEW", reply_to=masters)
    assert hall.said(MASTER, Refusal).kind in (RefusalKind.PLAYS_TOO, RefusalKind.NOT_MASTER)
    assert not hall.was_told(MASTER, Preview)


def test_orders_stand_in_no_other_letter_to_the_master(hall: Hall) -> None:
    hall.open_game("ITALY")
    for line in ("STATUS", "MISSING", "LIST balkan", "PROCESS S1901M"):
        ask(hall, line)
        assert "A PAR - BUR" not in hall.text(hall.last(MASTER))
