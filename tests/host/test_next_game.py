"""AUTO CREATE: when a game is over, the next one with its settings takes players."""

from datetime import timedelta

from judge.host.messages.game_events import GameOver
from judge.host.messages.press import Announcement
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Status

from .conftest import POWERS, Hall
from .test_customs import flat
from .test_rules import FRANCE, MASTER, process


def all_concede(hall: Hall) -> None:
    process(hall)
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "CONCEDE TO FRANCE")


def test_the_next_game_takes_players_when_one_is_over(hall: Hall) -> None:
    hall.start("AUTO_CREATE\nmovement: 5d\norders: as_written\nteams: England+Italy")
    assert "Afterwards: the next game with these settings" in flat(hall, FRANCE)
    all_concede(hall)
    assert hall.said(FRANCE, GameOver).next_game == "balkan2"
    assert "JOIN balkan2" in flat(hall, FRANCE)
    first, second = hall.game(), hall.game("balkan2")
    assert (second.status, second.settings) == (Status.FORMING, first.settings)
    assert second.master_ids == first.master_ids
    assert second.seed != first.seed
    hall.post(FRANCE, "JOIN balkan2", reply_to=hall.last(FRANCE))
    assert len(hall.game("balkan2").applicants) == 1
    hall.post(MASTER, "GAME balkan2\nSET COMMENT Once more", reply_to=hall.last(MASTER))
    assert hall.game("balkan2").settings.comment == "Once more"


def test_its_name_counts_on_past_names_that_are_taken(hall: Hall) -> None:
    hall.create("", name="balkan2", master="ben@example.test")
    hall.start("again: yes")
    all_concede(hall)
    assert hall.game().next_game == "balkan3"


def test_who_reads_of_the_next_game_is_told_that_it_needs_the_join_word(hall: Hall) -> None:
    hall.start("again: yes")
    hall.post(MASTER, "SET join word: hokus", reply_to=hall.last(MASTER))
    all_concede(hall)
    assert "Ask the master of balkan2 for its join word" in flat(hall, FRANCE)
    hall.post(FRANCE, "JOIN balkan2", reply_to=hall.last(FRANCE))
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NEEDS_WORD


def test_who_reads_of_the_next_game_is_told_that_it_needs_an_invitation(hall: Hall) -> None:
    hall.start("again: yes")
    hall.post(MASTER, "SET listed: no", reply_to=hall.last(MASTER))
    all_concede(hall)
    assert "Only those whom the master invites can join it." in flat(hall, FRANCE)
    assert "JOIN balkan2" not in flat(hall, FRANCE)
    hall.post(FRANCE, "JOIN balkan2", reply_to=hall.last(FRANCE))
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_GAME


def test_there_is_no_next_game_unless_the_master_chose_it(hall: Hall) -> None:
    hall.start()
    all_concede(hall)
    assert hall.said(FRANCE, GameOver).next_game == ""


def test_a_game_that_is_terminated_has_no_next_one(hall: Hall) -> None:
    hall.start("again: yes")
    hall.post(MASTER, "TERMINATE too few letters", reply_to=hall.last(MASTER))
    hall.post(MASTER, "YES", reply_to=hall.last(MASTER))
    hall.pass_time(timedelta(hours=1))
    assert hall.game().status is Status.FINISHED
    assert hall.game().next_game == ""


def test_a_rollback_of_the_end_opens_no_second_one(hall: Hall) -> None:
    hall.start("again: yes")
    all_concede(hall)
    hall.post(MASTER, "ROLLBACK S1901M a mistake", reply_to=hall.last(MASTER))
    hall.post(MASTER, "YES", reply_to=hall.last(MASTER))
    assert hall.game().status is Status.ACTIVE
    all_concede(hall)
    assert hall.said(FRANCE, GameOver).next_game == "balkan2"
    with hall.database.transaction() as tx:
        assert tx.games.get("balkan3") is None


def test_a_reply_to_the_end_goes_on_to_the_next_game(hall: Hall) -> None:
    hall.start("again: yes")
    all_concede(hall)
    end = hall.last(MASTER)
    hall.post(MASTER, "SET grace 12h", reply_to=end)
    assert hall.game("balkan2").settings.grace == timedelta(hours=12)
    assert hall.game().settings.grace != timedelta(hours=12)
    hall.post(FRANCE, "JOIN", reply_to=hall.last(FRANCE))
    assert len(hall.game("balkan2").applicants) == 1
    hall.post(MASTER, "PURGE nobody comes", reply_to=end)
    assert "balkan2" in hall.text(hall.last(MASTER))
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    with hall.database.transaction() as tx:
        assert tx.games.get("balkan2") is None
    assert hall.game().status is Status.FINISHED


def test_what_the_game_that_is_over_takes_stays_its_own(hall: Hall) -> None:
    hall.start("again: yes")
    all_concede(hall)
    hall.post(MASTER, "ARCHIVE NUMBER 2026A", reply_to=hall.last(MASTER))
    assert hall.game().archive_number == "2026A"
    hall.post(FRANCE, "PREFER FRANCE", reply_to=hall.last(FRANCE))  # not in the next one yet
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.HAS_BEGUN


def test_a_token_of_another_game_is_asked_back_still(hall: Hall) -> None:
    hall.create("", name="east", master=MASTER)
    hall.start("again: yes")
    all_concede(hall)
    hall.post(MASTER, "GAME east\nSET COMMENT Mine", reply_to=hall.last(MASTER))
    assert hall.game("east").settings.comment == ""


def test_what_a_running_game_needs_goes_on_to_the_next_one_once_that_has_begun(hall: Hall) -> None:
    hall.start("again: yes")
    all_concede(hall)
    end = hall.last(MASTER)
    hall.post(MASTER, "ANNOUNCE Thanks\nWell played\nENDANNOUNCE", reply_to=end)
    assert hall.said(FRANCE, Announcement).game.name == "balkan"
    for power in POWERS:
        hall.join(power, "balkan2")
    assert hall.game("balkan2").status is Status.ACTIVE
    hall.post(MASTER, "SET COMMENT Once more", reply_to=end)
    assert hall.game("balkan2").settings.comment == "Once more"
    assert hall.game().settings.comment == ""
    hall.post(MASTER, "ANNOUNCE Welcome\nGood luck\nENDANNOUNCE", reply_to=end)
    assert hall.said(FRANCE, Announcement).game.name == "balkan2"
    hall.post(MASTER, "ARCHIVE NUMBER 2026A", reply_to=end)
    assert hall.game().archive_number == "2026A"
