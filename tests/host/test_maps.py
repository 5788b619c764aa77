"""MAP: pictures of a game by mail."""

import email
from email.message import EmailMessage
from email.policy import default

from judge.host.messages.game_events import GameOver
from judge.host.messages.games import MapDrawn
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.render.picture_requests import drawn

from .conftest import Hall
from .test_ends import yes
from .test_summaries import ANN, FRANCE, three_phases


def pictures(hall: Hall, address: str) -> dict[str, bytes]:
    """The files of the newest letter to somebody, by name."""
    letter = email.message_from_bytes(hall.sent[hall.last(address).token], policy=default)
    assert isinstance(letter, EmailMessage)
    found = {}
    for part in letter.walk():
        if part.get_content_type() == "image/png":
            found[str(part.get_filename())] = part.get_content()
    return found


def test_a_map_shows_the_position_or_a_phase_that_has_run(hall: Hall) -> None:
    three_phases(hall)
    hall.post(ANN, "MAP balkan")
    assert not hall.said(ANN, MapDrawn).reports
    now = pictures(hall, ANN)
    assert list(now) == ["balkan-S1902M.png"]
    assert now["balkan-S1902M.png"].startswith(b"\x89PNG")
    hall.post(ANN, "MAP balkan F1901M")
    ran = pictures(hall, ANN)
    assert "balkan-F1901M.png" in ran
    assert ran["balkan-F1901M.png"] != now["balkan-S1902M.png"]
    assert "Fall 1901 movement" in hall.text(hall.last(ANN))


def test_a_phase_that_has_not_run_is_refused_with_the_last_that_has(hall: Hall) -> None:
    three_phases(hall)
    hall.post(ANN, "MAP balkan F1905M")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_HISTORY
    assert pictures(hall, ANN) == {}


def test_a_map_is_asked_for_in_the_readers_own_word(hall: Hall) -> None:
    hall.start()
    hall.post(ANN, "지도 balkan", language="ko")
    assert list(pictures(hall, ANN)) == ["balkan-S1901M.png"]
    assert "1901년 봄" in hall.text(hall.last(ANN))


def test_a_summary_has_the_charts_once_a_year_is_finished(hall: Hall) -> None:
    three_phases(hall)
    hall.post(ANN, "SUMMARY balkan")
    assert list(pictures(hall, ANN)) == ["balkan-centers.png"]


def test_a_summary_in_the_first_year_has_no_charts(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.run_phase()
    hall.post(ANN, "SUMMARY balkan")
    assert pictures(hall, ANN) == {}


def test_the_last_letter_of_a_game_has_the_charts(hall: Hall) -> None:
    three_phases(hall)
    master = "gm@example.test"
    hall.post(master, "TERMINATE tired", reply_to=hall.last(master))
    yes(hall, master)
    assert hall.said(FRANCE, GameOver).history
    assert list(pictures(hall, FRANCE)) == ["balkan-centers.png"]


def test_all_readers_of_a_language_get_one_drawing_of_the_charts(hall: Hall) -> None:
    three_phases(hall)
    master = "gm@example.test"
    hall.post(master, "TERMINATE tired", reply_to=hall.last(master))
    drawn.cache_clear()
    yes(hall, master)
    told = [one for row in hall.out for one in hall.messages(row) if isinstance(one, GameOver)]
    assert len(told) > 7
    assert drawn.cache_info().misses == 1
