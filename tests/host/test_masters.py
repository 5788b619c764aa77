"""Several masters of one game: who is asked, who runs it, who is told, and who leaves."""

from datetime import timedelta

import pytest

from judge.host.keeper import keeper_master
from judge.host.messages.command_answers import ConfirmAsked, Mastered
from judge.host.messages.game_events import DeadlineMoved
from judge.host.messages.games import GameStatus, Summary
from judge.host.messages.master_acts import (
    Digest,
    MasterActed,
    Mastership,
    MastershipEvent,
    MasterWrote,
    Preview,
)
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import KeeperNotice, PasswordTried, Refusal, RefusalKind
from judge.host.messages.shared import Person
from judge.hosting import Hosting
from judge.rulebook import SeatId
from judge.store import Act, PressRecord, Purpose, Status

from .conftest import POWERS, START, Hall, address_of

GM, BEN, CLEO = "gm@example.test", "ben@example.test", "cleo@example.test"
FRANCE = address_of("FRANCE")


def ask(hall: Hall, body: str, sender: str = GM) -> None:
    """A letter in reply to the newest of the game's that went to a master."""
    own = [row for row in hall.out if row.recipient == sender and row.game and row.seat is None]
    hall.post(sender, body, reply_to=own[-1])


def question(hall: Hall, address: str) -> None:
    """The newest letter to an address asks whether they run the game."""
    assert hall.last(address).purpose is Purpose.MASTERSHIP


def answer(hall: Hall, address: str, body: str = "YES") -> None:
    asked = [row for row in hall.out if row.recipient == address and row.kind == "mastership"]
    hall.post(address, body, reply_to=asked[-1])


def promote(hall: Hall, address: str = BEN) -> None:
    ask(hall, f"PROMOTE {address}")
    answer(hall, address)


def masters(hall: Hall, name: str = "balkan") -> list[str]:
    ids = hall.game(name).master_ids
    with hall.database.transaction() as tx:
        people = [tx.players.get(one) for one in ids]
    return [one.address for one in people if one is not None]


def refused(hall: Hall, address: str = GM) -> RefusalKind:
    return hall.said(address, Refusal).kind


def acts(hall: Hall, address: str) -> list[Act]:
    return [one.act for one in hall.was_told(address, MasterActed)]


@pytest.fixture
def running(hall: Hall) -> Hall:
    """A game with one master, in its first phase."""
    hall.start()
    return hall


@pytest.fixture
def shared(running: Hall) -> Hall:
    """As `running`, with Ben as its second master."""
    promote(running)
    return running


# --- who is asked ---------------------------------------------------------------------------------


def test_who_is_asked_runs_the_game_after_a_yes(running: Hall) -> None:
    ask(running, f"PROMOTE {BEN}")
    told = running.said(GM, Mastership)
    assert (told.event, told.who) == (MastershipEvent.SENT, BEN)
    assert masters(running) == [GM]
    question(running, BEN)
    answer(running, BEN)
    assert masters(running) == [GM, BEN]
    assert running.said(BEN, Mastered).act is Act.PROMOTED
    for address in (GM, *map(address_of, POWERS)):
        assert acts(running, address) == [Act.PROMOTED]
    ask(running, "SET DEADLINE +2d", BEN)
    assert refused_nothing(running, BEN)


def refused_nothing(hall: Hall, address: str) -> bool:
    return not hall.was_told(address, Refusal)


def test_a_stranger_who_says_yes_is_known_from_then_on(running: Hall) -> None:
    promote(running, "ben.okafor@else.test")
    with running.database.transaction() as tx:
        ben = tx.players.by_address("ben.okafor@else.test")
    assert ben is not None
    assert ben.confirmed
    assert ben.name == "ben okafor"


def test_an_observer_is_named_by_name_and_observes_no_more(running: Hall) -> None:
    running.register(BEN, "Ben Okafor")
    running.post(BEN, "OBSERVE balkan", reply_to=running.last(BEN))
    ask(running, "PROMOTE Ben Okafor")
    answer(running, BEN)
    assert masters(running) == [GM, BEN]
    assert running.game().observers == ()


def test_whoever_says_no_runs_nothing_and_the_master_is_told(running: Hall) -> None:
    ask(running, f"PROMOTE {BEN}")
    answer(running, BEN, "NO")
    assert masters(running) == [GM]
    assert running.said(GM, Mastership).event is MastershipEvent.DECLINED
    answer(running, BEN)
    assert running.said(BEN, Refusal).kind is RefusalKind.EXPIRED
    assert masters(running) == [GM]


def test_a_question_that_is_taken_back_lapses(running: Hall) -> None:
    ask(running, f"PROMOTE {BEN}")
    ask(running, f"DEMOTE {BEN}")
    assert running.said(GM, Mastership).event is MastershipEvent.WITHDRAWN
    answer(running, BEN)
    assert refused(running, BEN) is RefusalKind.EXPIRED
    assert masters(running) == [GM]


def test_a_question_lapses_with_the_master_who_asked(shared: Hall) -> None:
    ask(shared, f"PROMOTE {CLEO}", BEN)
    ask(shared, "DEMOTE ME", BEN)
    answer(shared, CLEO)
    assert refused(shared, CLEO) is RefusalKind.EXPIRED
    assert masters(shared) == [GM]


def test_who_is_asked_may_take_some_days_and_phases(running: Hall) -> None:
    ask(running, f"PROMOTE {BEN}")
    for power in POWERS:
        running.order(power, "READY")
    running.run_phase()
    answer(running, BEN)
    assert masters(running) == [GM, BEN]


def test_a_master_is_not_asked_again(shared: Hall) -> None:
    ask(shared, f"PROMOTE {BEN}")
    assert refused(shared) is RefusalKind.MASTER_ALREADY


def test_one_person_has_one_place_whatever_the_address(shared: Hall) -> None:
    shared.post(BEN, "ADD ADDRESS ben@work.test", reply_to=shared.last(BEN))
    shared.post("ben@work.test", "YES", reply_to=shared.last("ben@work.test"))
    ask(shared, "PROMOTE ben@work.test")
    assert refused(shared) is RefusalKind.MASTER_ALREADY


@pytest.mark.parametrize("written", ["FRANCE@balkan", "Nobody Atall", JUDGE := "judge@judge.test"])
def test_a_name_that_is_nobody_is_refused(running: Hall, written: str) -> None:
    ask(running, f"PROMOTE {written}")
    assert refused(running) is RefusalKind.NOBODY_ASKED


def test_who_plays_in_the_game_does_not_run_it(running: Hall) -> None:
    ask(running, f"PROMOTE {FRANCE}")
    assert refused(running) is RefusalKind.PLAYS_IT
    assert not running.was_told(FRANCE, Mastership)


def test_who_may_retake_a_lost_seat_does_not_run_the_game(hall: Hall) -> None:
    hall.start("missing: vacant\ngrace: 0")
    hall.open_game()
    hall.run_phase()
    hall.order("FRANCE", "A SPA - POR")
    hall.run_phase()
    lost = [seat for seat in hall.game().seats if seat.player is None]
    assert lost
    ask(hall, f"PROMOTE {address_of(lost[0].id)}")
    assert refused(hall) is RefusalKind.PLAYS_IT


def test_who_has_joined_since_the_question_plays(hall: Hall) -> None:
    hall.create()
    hall.register(FRANCE, "France")
    ask(hall, f"PROMOTE {FRANCE}")
    hall.join("FRANCE")
    answer(hall, FRANCE)
    assert refused(hall, FRANCE) is RefusalKind.ALREADY_IN
    assert masters(hall) == [GM]


def test_whoever_keeps_apart_from_somebody_there_is_not_asked(running: Hall) -> None:
    running.register(BEN, "Ben Okafor")
    running.post(BEN, "BLOCK Grace Master", reply_to=running.last(BEN))
    ask(running, f"PROMOTE {BEN}")
    assert refused(running) is RefusalKind.NOT_TOGETHER
    assert not running.was_told(BEN, Mastership)


def test_a_game_has_so_many_masters_at_most(running: Hall) -> None:
    for number in range(5):
        promote(running, f"gm{number}@example.test")
    ask(running, f"PROMOTE {BEN}")
    assert refused(running) is RefusalKind.TOO_MANY_MASTERS
    assert len(masters(running)) == 6


def test_the_letter_to_a_stranger_holds_no_words_of_who_asks(running: Hall) -> None:
    ask(running, "SET COMMENT Buy cheap things")
    ask(running, f"PROMOTE {BEN}")
    text = running.text(running.last(BEN))
    assert "Grace Master" in text
    assert "Buy" not in text


def test_a_draft_made_in_a_letter_of_another_game_is_opened_by_its_yes(hall: Hall) -> None:
    hall.start()
    hall.post(FRANCE, "CREATE alps", reply_to=hall.last(FRANCE))
    assert hall.last(FRANCE).game == "alps"
    hall.post(FRANCE, "YES\nSET COMMENT Beginners", reply_to=hall.last(FRANCE))
    assert hall.game("alps").status is Status.FORMING
    assert hall.game("alps").settings.comment == "Beginners"


# --- CREATE ---------------------------------------------------------------------------------------


def test_masters_are_named_in_create_and_asked_once_each(hall: Hall) -> None:
    hall.register(CLEO, "Cleo Hart")
    hall.create(f"masters: {BEN}, Cleo Hart, {CLEO}; {BEN}, gm@example.test")
    assert masters(hall) == [GM]
    for address in (BEN, CLEO):
        assert len(hall.was_told(address, Mastership)) == 1
        answer(hall, address)
    assert masters(hall) == [GM, BEN, CLEO]


def test_a_draft_that_is_written_again_keeps_its_masters(hall: Hall) -> None:
    hall.register(GM, "Grace Master")
    hall.post(GM, f"CREATE balkan\nmasters: {BEN}", reply_to=hall.last(GM))
    answer(hall, BEN)
    hall.post(GM, f"CREATE balkan\ngrace: 12h\nmasters: {BEN}", reply_to=hall.last(GM))
    assert masters(hall) == [GM, BEN]
    assert len(hall.was_told(BEN, Mastership)) == 1
    assert hall.game().status is Status.DRAFT


def test_a_master_who_is_nobody_is_a_fault_of_the_draft(hall: Hall) -> None:
    hall.register(GM, "Grace Master")
    hall.post(GM, f"CREATE balkan\nmasters: {BEN}, Nobody Atall", reply_to=hall.last(GM))
    assert hall.game().faults == (("masters", "Nobody Atall"),)
    assert not hall.was_told(BEN, Mastership)


def test_set_masters_says_what_to_write(running: Hall) -> None:
    ask(running, f"SET masters: {BEN}")
    assert "PROMOTE" in running.text(running.last(GM))
    assert masters(running) == [GM]


# --- leaving --------------------------------------------------------------------------------------


def test_a_master_takes_the_game_from_another(shared: Hall) -> None:
    ask(shared, f"DEMOTE {BEN}")
    assert shared.said(GM, ConfirmAsked).what == "demote"
    assert masters(shared) == [GM, BEN]
    shared.post(GM, "YES", reply_to=shared.last_answer(GM))
    assert masters(shared) == [GM]
    told = shared.said(BEN, MasterActed)
    assert (told.act, told.is_own) == (Act.DEMOTED, True)
    assert acts(shared, FRANCE) == [Act.PROMOTED, Act.DEMOTED]
    ask(shared, "PROCESS S1901M", BEN)
    assert refused(shared, BEN) in (RefusalKind.NOT_A_PLAYER, RefusalKind.NOT_SIGNED_ON)


def test_the_last_master_cannot_leave(running: Hall) -> None:
    ask(running, "DEMOTE ME")
    assert refused(running) is RefusalKind.LAST_MASTER
    assert masters(running) == [GM]


def test_two_who_take_the_game_from_each_other_leave_one(shared: Hall) -> None:
    ask(shared, f"DEMOTE {BEN}")
    mine = shared.last_answer(GM)
    ask(shared, f"DEMOTE {GM}", BEN)
    shared.post(BEN, "YES", reply_to=shared.last_answer(BEN))
    shared.post(GM, "YES", reply_to=mine)
    assert masters(shared) == [BEN]


def test_a_name_that_masters_nothing_here_is_refused(shared: Hall) -> None:
    ask(shared, "DEMOTE Cleo")
    told = shared.said(GM, Refusal)
    assert told.kind is RefusalKind.NO_MASTER
    assert told.values["known"] == ["Grace Master", "ben"]


def test_a_game_is_given_away_after_a_yes(running: Hall) -> None:
    ask(running, f"HAND OVER {BEN}")
    assert running.said(BEN, Mastership).takes_over
    assert masters(running) == [GM]
    answer(running, BEN)
    assert masters(running) == [BEN]
    for address in (GM, *map(address_of, POWERS)):
        assert acts(running, address) == [Act.HANDED_OVER]
    password = running.said(BEN, Mastered).password
    running.post("ben@elsewhere.test", f"SIGNON Mbalkan {password}\nSTATUS")
    assert running.said(BEN, GameStatus).masters == (Person("ben"),)


def test_a_game_is_given_to_another_master_at_once(shared: Hall) -> None:
    ask(shared, f"HAND OVER {BEN}")
    assert masters(shared) == [BEN]
    assert shared.said(GM, MasterActed).is_own


def test_after_leaving_nothing_in_the_same_letter_counts(shared: Hall) -> None:
    ask(shared, f"HAND OVER {BEN}\nSET DEADLINE +5d")
    assert masters(shared) == [BEN]
    assert shared.was_told(GM, Refusal)
    assert not shared.was_told(FRANCE, DeadlineMoved)


def test_of_two_offers_the_first_yes_counts(running: Hall) -> None:
    ask(running, f"HAND OVER {BEN}")
    ask(running, f"HAND OVER {CLEO}")
    answer(running, CLEO)
    answer(running, BEN)
    assert refused(running, BEN) is RefusalKind.EXPIRED
    assert masters(running) == [CLEO]


def test_those_who_wait_for_the_start_are_told_who_runs_the_game(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    promote(hall)
    assert acts(hall, FRANCE) == [Act.PROMOTED]
    ask(hall, "DEMOTE ME")
    assert acts(hall, FRANCE) == [Act.PROMOTED, Act.DEMOTED]


def test_who_is_erased_leaves_the_game_to_the_others(shared: Hall) -> None:
    ask(shared, "FORGET ME")
    shared.post(GM, "YES", reply_to=shared.last_answer(GM))
    assert masters(shared) == [BEN]
    assert Act.DEMOTED in acts(shared, BEN)
    assert not [row for row in shared.out if row.kind == "keeper"]
    assert "Grace" not in shared.text(shared.last(BEN))


def test_a_co_master_hears_of_a_masters_letter_that_came_back(shared: Hall) -> None:
    lost = shared.last_answer(GM)
    bounce = (
        f"From: MAILER-DAEMON@example.test\r\nTo: judge@judge.test\r\nSubject: Undelivered\r\n"
        f"Message-ID: <lost@example.test>\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: text/plain\r\n\r\nno such user\r\n"
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"Reporting-MTA: dns; example.test\r\n\r\nFinal-Recipient: rfc822; {GM}\r\n"
        f"Action: failed\r\nStatus: 5.1.1\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: <{lost.token}@judge.test>\r\nFrom: judge@judge.test\r\n\r\n--b--\r\n"
    )
    shared.take(bounce.encode())
    assert shared.said(BEN, KeeperNotice).what == "letter_bounced"
    assert not shared.was_told(GM, KeeperNotice)


# --- what each of several masters gets ------------------------------------------------------------


def test_press_to_the_master_reaches_all_masters(shared: Hall) -> None:
    shared.order("FRANCE", "PRESS TO MASTER\nMay I ask?\nENDPRESS")
    for address in (GM, BEN):
        assert [one.text for one in shared.was_told(address, PressReceived)] == ["May I ask?"]
    with shared.database.transaction() as tx:
        stored: list[PressRecord] = list(tx.press.of("balkan"))
    assert len(stored[-1].people) == 3


def test_a_master_writes_to_the_others(shared: Hall) -> None:
    ask(shared, "PRESS TO MASTER\nWho runs it on Sunday?\nENDPRESS")
    assert [one.text for one in shared.was_told(BEN, PressReceived)] == ["Who runs it on Sunday?"]
    assert not shared.was_told(GM, PressReceived)


def test_each_master_has_a_password_of_their_own(shared: Hall) -> None:
    password = shared.said(BEN, Mastered).password
    shared.post("ben@elsewhere.test", f"SIGNON Mbalkan {password}\nSET PASSWORD mine")
    assert shared.said(BEN, Personal).kind is PersonalKind.PASSWORD_SET
    first, second = shared.game().masters
    assert first.password_hash != second.password_hash
    shared.post("who@elsewhere.test", "SIGNON Mbalkan wrong")
    assert [len(shared.was_told(one, PasswordTried)) for one in (GM, BEN)] == [1, 1]


def test_one_master_answers_who_may_join_and_the_other_finds_it_answered(hall: Hall) -> None:
    hall.create("approval: yes")
    promote(hall)
    hall.post(FRANCE, "JOIN balkan FRANCE", name="France")
    hall.post(FRANCE, "yes", reply_to=hall.last(FRANCE))
    asked = {one: [row for row in hall.out if row.recipient == one][-1] for one in (GM, BEN)}
    assert {row.purpose for row in asked.values()} == {Purpose.APPROVE}
    hall.post(BEN, "YES", reply_to=asked[BEN])
    assert len(hall.game().applicants) == 1
    hall.post(GM, "NO", reply_to=asked[GM])
    assert refused(hall) is RefusalKind.EXPIRED
    assert len(hall.game().applicants) == 1


def test_status_and_summary_say_who_runs_the_game(shared: Hall) -> None:
    ask(shared, f"PROMOTE {CLEO}\nSTATUS\nSUMMARY balkan")
    told = shared.said(GM, GameStatus)
    assert told.masters == (Person("Grace Master"), Person("ben"))
    assert told.asked_masters == (Person(CLEO),)
    assert shared.said(GM, Summary).masters == told.masters
    shared.order("FRANCE", "STATUS")
    assert shared.said(FRANCE, GameStatus).asked_masters == ()
    assert "Run by: Grace Master and ben." in shared.text(shared.last(FRANCE))


def test_the_keepers_new_master_takes_the_place_of_all(shared: Hall) -> None:
    hosting = Hosting(shared.settings, shared.database, shared, b"secret")  # type: ignore[arg-type]
    with shared.database.transaction() as tx, hosting.unit_of_work(tx, "shell") as work:
        keeper_master(work, "balkan", CLEO)
    assert masters(shared) == [CLEO]
    shared.post(FRANCE, "STATUS", reply_to=shared.last(FRANCE))  # what waits goes out
    for address in (GM, BEN, FRANCE):
        assert acts(shared, address)[-1] is Act.APPOINTED
    assert acts(shared, CLEO) == []


# --- what one of several masters does -------------------------------------------------------------


def letters_to(hall: Hall, address: str, body: str, sender: str = GM) -> list[object]:
    """What an address is told by a letter of a master's, in one letter at most."""
    before = len(hall.out)
    ask(hall, body, sender)
    new = [row for row in hall.out[before:] if row.recipient == address]
    assert len(new) <= 1
    return [one for row in new for one in hall.messages(row)]


@pytest.mark.parametrize(
    "line",
    [
        "PREVIEW",
        "PRIVATE NOTE Ann prefers Saturdays",
        "SET COMMENT Beginners welcome",
        "ARCHIVE NUMBER 2026A",
        f"PROMOTE {CLEO}",
    ],
)
def test_what_no_letter_tells_the_other_masters_hear_once(shared: Hall, line: str) -> None:
    if line.startswith("ARCHIVE"):
        ask(shared, "TERMINATE enough")
        shared.post(GM, "YES", reply_to=shared.last_answer(GM))
    (told,) = letters_to(shared, BEN, line)
    assert isinstance(told, MasterWrote)
    assert (told.who, told.lines) == ("Grace Master", (line,))


@pytest.mark.parametrize(
    "line",
    ["SET DEADLINE +2d", "SET reminder 12h", "HOLD GAME Ann is ill", "PREVIEW ON", "DUMMY TURKEY"],
)
def test_what_everybody_is_told_the_other_masters_hear_once(shared: Hall, line: str) -> None:
    told = letters_to(shared, BEN, line)
    assert not any(isinstance(one, MasterWrote) for one in told)
    if not line.startswith("DUMMY"):  # asked back
        assert told


@pytest.mark.parametrize("line", ["SET DEADLINE whenever", "STATUS", "PROCESS", "ACT AS FRANCE"])
def test_what_did_nothing_is_told_to_nobody(shared: Hall, line: str) -> None:
    assert letters_to(shared, BEN, line) == []


def test_the_lines_of_one_letter_come_in_one_letter(shared: Hall) -> None:
    (told,) = letters_to(shared, BEN, "PREVIEW\nSET DEADLINE whenever\nSET COMMENT Welcome")
    assert isinstance(told, MasterWrote)
    assert told.lines == ("PREVIEW", "SET COMMENT Welcome")


def test_an_announcement_reaches_the_other_masters(shared: Hall) -> None:
    told = letters_to(shared, BEN, "ANNOUNCE A break\nUntil Sunday.\nENDANNOUNCE")
    assert [type(one).__name__ for one in told] == ["Announcement"]


def test_a_cancelled_game_is_told_to_its_other_masters(hall: Hall) -> None:
    hall.create()
    promote(hall)
    ask(hall, "PURGE too few")
    hall.post(GM, "YES", reply_to=hall.last_answer(GM))
    assert hall.last(BEN).kind == "cancelled"


def test_who_lets_a_player_in_is_told_to_the_other_master(hall: Hall) -> None:
    hall.create("approval: yes")
    promote(hall)
    hall.post(FRANCE, "JOIN balkan FRANCE", name="France")
    hall.post(FRANCE, "yes", reply_to=hall.last(FRANCE))
    hall.post(GM, "YES", reply_to=hall.last(GM))
    assert hall.said(BEN, MasterWrote).lines == ("ALLOW France",)


def test_orders_in_a_players_place_are_shown_to_who_wrote_them_alone(shared: Hall) -> None:
    (told,) = letters_to(shared, BEN, "ACT AS FRANCE\nA PAR - BUR")
    assert isinstance(told, MasterWrote)
    assert told.lines == ("ACT AS FRANCE",)
    ask(shared, "SUMMARY balkan")
    ask(shared, "SUMMARY balkan", BEN)
    by_gm, by_ben = (
        [one for one in shared.said(address, Summary).acts if one.act is Act.ORDERED][-1]
        for address in (GM, BEN)
    )
    assert (by_gm.text, by_gm.by) == ("A PAR - BUR", "Grace Master")
    assert (by_ben.text, by_ben.by) == ("", "Grace Master")
    assert not shared.was_told(BEN, Preview)


def test_the_record_says_to_masters_alone_which_of_them_acted(shared: Hall) -> None:
    ask(shared, "PREVIEW", BEN)
    ask(shared, "SUMMARY balkan")
    assert ", by ben" in shared.text(shared.last(GM))
    shared.order("FRANCE", "SUMMARY balkan")
    assert {one.by for one in shared.said(FRANCE, Summary).acts} == {""}


def test_the_name_of_an_erased_master_stands_in_no_record(shared: Hall) -> None:
    ask(shared, "FORGET ME", BEN)
    shared.post(BEN, "YES", reply_to=shared.last_answer(BEN))
    shared.order("FRANCE", "SUMMARY balkan")
    told = shared.said(FRANCE, Summary)
    assert [one.act for one in told.acts] == [Act.PROMOTED, Act.DEMOTED]
    assert "ben" not in {one.who for one in told.acts}


def test_the_name_of_an_erased_master_stands_in_no_letter(shared: Hall) -> None:
    shared.order("FRANCE", "STATUS")
    ask(shared, "PREVIEW", BEN)
    ask(shared, "FORGET ME", BEN)
    shared.post(BEN, "YES", reply_to=shared.last_answer(BEN))
    with shared.database.transaction() as tx:
        rows = tx.letters.run("SELECT messages FROM letters_out").fetchall()
    told = [row["messages"] for row in rows if '"ben"' in row["messages"]]
    assert told == []


def test_a_master_of_two_games_gets_a_digest_of_both(shared: Hall) -> None:
    shared.register(BEN, "Ben Okafor")
    shared.post(BEN, "SET ZONE UTC\nCREATE alps\nopen: yes", reply_to=shared.last(BEN))
    shared.pass_time(timedelta(days=1))
    assert {row.game.name for row in shared.said(BEN, Digest).rows} == {"balkan", "alps"}
    assert not shared.was_told(GM, Digest)
    ask(shared, f"DEMOTE {BEN}")
    shared.post(GM, "YES", reply_to=shared.last_answer(GM))
    told = len(shared.was_told(BEN, Digest))
    shared.pass_time(timedelta(days=2))
    assert len(shared.was_told(BEN, Digest)) == told


# --- in other languages ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("masters_of", "more", "fewer", "me"),
    [
        ("마스터", "마스터 추가", "마스터 해제", "자신"),
        ("主持人", "增加主持人", "解除主持", "我"),
        ("マスター", "マスター追加", "マスター解任", "自分"),
    ],
)
def test_masters_are_named_in_other_languages(
    hall: Hall, masters_of: str, more: str, fewer: str, me: str
) -> None:
    hall.create(f"{masters_of}: {BEN}")
    answer(hall, BEN)
    ask(hall, f"{more} {CLEO}", BEN)
    answer(hall, CLEO)
    ask(hall, f"{fewer} {me}")
    assert masters(hall) == [BEN, CLEO]


def test_a_master_who_plays_too_runs_the_game_below_its_name(hall: Hall) -> None:
    master = address_of("FRANCE")
    hall.create(master=master)
    for power in POWERS:
        hall.join(power)
    seat = next(row for row in reversed(hall.out) if row.seat == "FRANCE")
    lines = "A PAR - BUR\nSET DEADLINE +1d\nF BRE - MAO\nPREVIEW"
    hall.post(master, lines, reply_to=seat)
    game = hall.game()
    assert game.timing is not None
    assert game.timing.deadline_at == START + timedelta(days=4)
    assert len(game.order_set(SeatId("FRANCE"))) == 2
    assert hall.said(master, Refusal).kind is RefusalKind.PLAYS_TOO
