"""REPORT, ANNOUNCE and the archive of press, by mail."""

import pytest

from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.press import Announcement, PressHistory, PressReceived, PressReported
from judge.host.messages.refusals import KeeperNotice, Refusal, RefusalKind
from judge.store import Status

from .conftest import POWERS, Hall, address_of
from .press_marks import PressMarks

FRANCE, ENGLAND, ITALY = (address_of(one) for one in ("FRANCE", "ENGLAND", "ITALY"))
MASTER, ANNA, OLGA = "gm@example.test", "anna@example.test", "olga@example.test"


def end(hall: Hall) -> None:
    for power in POWERS:
        hall.order(power, "DRAW")
    assert hall.game().status is Status.FINISHED


# --- reports --------------------------------------------------------------------------------------


def test_the_master_gets_reported_press_as_it_is_stored(hall: Hall) -> None:
    hall.start("press: grey, fake")
    hall.order("FRANCE", "FAKE PRESS FROM GERMANY TO ENGLAND\nYou worm!\nENDPRESS")
    press = hall.last(ENGLAND)
    hall.post(ENGLAND, "REPORT", reply_to=press)
    assert hall.said(ENGLAND, Done).deed is Deed.REPORTED
    told = hall.said(MASTER, PressReported)
    assert (told.by, told.sender, told.shown_as) == ("ENGLAND", "FRANCE", "GERMANY")
    assert told.text == "You worm!"
    text = hall.text(hall.last(MASTER))
    assert "Written by: France" in text
    assert "Shown as sent by: Germany" in text
    assert "France" not in hall.text(hall.last(ENGLAND))
    hall.post(ENGLAND, "REPORT", reply_to=press)
    assert hall.said(ENGLAND, Refusal).kind is RefusalKind.REPORTED_ALREADY
    assert len(hall.was_told(MASTER, PressReported)) == 1
    assert len(hall.was_told(FRANCE, PressReported)) == 0


@pytest.mark.parametrize("word", ["신고", "檢舉", "通報", "report."])
def test_a_report_is_a_word_in_each_language(hall: Hall, word: str) -> None:
    hall.start()
    hall.order("FRANCE", "BROADCAST\nYou worms!\nENDBROADCAST")
    hall.post(ENGLAND, word, reply_to=hall.last(ENGLAND))
    assert hall.said(MASTER, PressReported).text == "You worms!"
    assert hall.was_told(FRANCE, PressReceived) == []


def test_only_press_that_one_got_can_be_reported(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PRESS TO ENGLAND\nHello.\nENDPRESS")
    hall.order("FRANCE", "REPORT")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_REPORT
    hall.order("ITALY", "REPORT")
    assert hall.said(ITALY, Refusal).kind is RefusalKind.NO_REPORT
    assert hall.was_told(MASTER, PressReported) == []


def test_reports_have_a_limit() -> None:
    hall = Hall(environ={"JUDGE_LIMITS__REPORTS_A_DAY": "2"})
    hall.start()
    for number in range(3):
        hall.order("FRANCE", f"PRESS TO ENGLAND\nWorm {number}!\nENDPRESS")
        hall.post(ENGLAND, "REPORT", reply_to=hall.last(ENGLAND))
    assert hall.said(ENGLAND, Refusal).kind is RefusalKind.TOO_MANY_REPORTS
    assert len(hall.was_told(MASTER, PressReported)) == 2
    hall.instant = hall.instant.replace(day=hall.instant.day + 1, hour=13)
    hall.order("FRANCE", "PRESS TO ENGLAND\nWorm 4!\nENDPRESS")
    hall.post(ENGLAND, "REPORT", reply_to=hall.last(ENGLAND))
    assert len(hall.was_told(MASTER, PressReported)) == 3


def test_the_masters_own_press_is_reported_to_the_keeper() -> None:
    hall = Hall(environ={"JUDGE_JUDGE__KEEPERS": "keeper@example.test"})
    hall.start()
    hall.post(MASTER, "PRESS TO ENGLAND\nYou worm!\nENDPRESS", reply_to=hall.last(MASTER))
    hall.post(ENGLAND, "REPORT", reply_to=hall.last(ENGLAND))
    assert hall.said("keeper@example.test", KeeperNotice).what == "press_reported"
    assert "You worm!" in hall.text(hall.last("keeper@example.test"))


# --- announcements --------------------------------------------------------------------------------


def test_an_announcement_has_a_subject_of_its_own(hall: Hall) -> None:
    hall.start()
    hall.register(OLGA, "Olga")
    hall.post(OLGA, "OBSERVE balkan", reply_to=hall.last(OLGA))
    body = "ANNOUNCE A break over Christmas\nDear all,\nno deadline before 3 January.\nENDANNOUNCE"
    hall.post(MASTER, body, reply_to=hall.last(MASTER))
    for who in (*map(address_of, POWERS), OLGA):
        assert hall.said(who, Announcement).subject == "A break over Christmas"
        subject, first = hall.text(hall.last(who)).split("\n\n")[:2]
        assert subject.endswith("A break over Christmas")
        assert first.startswith("A break over Christmas\r\n")
        assert "no deadline before 3 January" in hall.text(hall.last(who))
    assert hall.said(MASTER, Announcement).is_own
    hall.post(ENGLAND, "Thank you!", reply_to=hall.last(ENGLAND))
    assert hall.said(MASTER, PressReceived).text == "Thank you!"


def test_an_announcement_without_its_end_goes_to_nobody(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "ANNOUNCE Hello\nDear all,", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Refusal).kind is RefusalKind.UNCLOSED_PRESS
    assert hall.was_told(ENGLAND, Announcement) == []


def test_those_who_wait_for_the_start_get_announcements(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    hall.post(MASTER, "공지 인사\n안녕하세요.\n서신 끝", reply_to=hall.last(MASTER))
    assert hall.said(FRANCE, Announcement).text == "안녕하세요."


# --- the archive ----------------------------------------------------------------------------------


def history(hall: Hall, who: str) -> str:
    """What HISTORY with PRESS shows somebody."""
    hall.post(who, "HISTORY balkan PRESS")
    if not hall.was_told(who, PressHistory):
        return ""
    return "\n".join(one.text for told in hall.was_told(who, PressHistory) for one in told.press)


def prepared(hall: Hall, settings: str) -> PressMarks:
    """A game with private press, grey press and a broadcast, of which two phases have run."""
    hall.start(f"press: grey\n{settings}")
    hall.open_game()
    hall.register(ANNA, "Anna")
    marks = PressMarks(hall)
    words = [
        marks.mark("FRANCE", "ENGLAND"),
        marks.mark("ITALY", "FRANCE", "MASTER"),
        marks.mark("ITALY", *POWERS, MASTER),
    ]
    marks.readers[words[1]].discard("master@example.test")
    marks.readers[words[1]].add(MASTER)
    hall.order("FRANCE", f"PRESS TO ENGLAND\n{words[0]}\nENDPRESS")
    hall.order("ITALY", f"GREY PRESS TO FRANCE, MASTER\n{words[1]}\nENDPRESS")
    hall.order("ITALY", f"BROADCAST\n{words[2]}\nENDBROADCAST")
    hall.run_phase()
    return marks


def test_history_shows_the_press_that_one_may_see(hall: Hall) -> None:
    marks = prepared(hall, "")
    private, grey, public = marks.readers
    headers = {"Authentication-Results": "mx.judge.test; dkim=pass header.d=example.test"}
    marks.open_to(public, ANNA)
    for who in (*map(address_of, POWERS), MASTER, ANNA):
        hall.post(who, "HISTORY balkan S1901M PRESS", headers=headers)
        text = hall.text(hall.last(who))
        assert public in text
        assert (private in text) is (who in (FRANCE, ENGLAND))
        assert (grey in text) is (who in (ITALY, FRANCE, MASTER))
    assert "Without a name, to France and the game master" in hall.text(
        next(row for row in reversed(hall.out) if row.recipient == FRANCE)
    )
    marks.check()


@pytest.mark.parametrize(
    ("rule", "player", "stranger"),
    [("never", False, False), ("players", True, False), ("everybody", True, True)],
)
def test_the_archive_opens_as_the_game_has_it(
    hall: Hall, rule: str, player: bool, stranger: bool
) -> None:
    marks = prepared(hall, f"press archive: {rule}")
    private, grey, public = marks.readers
    marks.open_to(public, ANNA)
    end(hall)
    everybody = (*map(address_of, POWERS), MASTER)
    if player:
        for word in (private, grey):
            marks.open_to(word, *everybody)
    if stranger:
        for word in (private, grey):
            marks.open_to(word, ANNA)
    headers = {"Authentication-Results": "mx.judge.test; dkim=pass header.d=example.test"}
    for who in (*everybody, ANNA):
        hall.post(who, "HISTORY balkan PRESS", headers=headers)
    marks.check()


def test_a_new_player_reads_no_press_of_the_one_before(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.order("FRANCE", "PRESS TO ENGLAND\nOur secret.\nENDPRESS")
    hall.run_phase()
    hall.order("ENGLAND", "RESIGN")
    hall.post(ENGLAND, "YES", reply_to=hall.last(ENGLAND))
    hall.post(ANNA, "JOIN balkan ENGLAND", name="Anna")
    hall.post(ANNA, "yes", reply_to=hall.last(ANNA))
    hall.post(ANNA, "HISTORY balkan PRESS", reply_to=hall.last(ANNA))
    assert "Our secret." not in "".join(hall.text(row) for row in hall.out if row.recipient == ANNA)
