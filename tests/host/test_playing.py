"""Orders, deadlines, absences, press and votes, letter by letter."""

from datetime import timedelta

import pytest

from judge.diplomacy.records import GameState
from judge.host import unit_of_work
from judge.host.messages.command_answers import BallotCast, ConfirmAsked, Done, Joined
from judge.host.messages.game_events import (
    DeadlineMoved,
    GameOver,
    GameWaits,
    LateNotice,
    MoveReason,
    Reminder,
    Results,
    SeatChanged,
    SeatEvent,
)
from judge.host.messages.games import GameStatus
from judge.host.messages.order_answers import (
    LateOrders,
    NotRead,
    OrdersAnswer,
    StaleOrders,
)
from judge.host.messages.press import PressReceived, PressSent, PressUnclear
from judge.host.messages.refusals import AddressAsked, Refusal, RefusalKind
from judge.rulebook import SeatId
from judge.store import Status

from .conftest import OPENINGS, POWERS, RECEIVER, Hall, address_of

FRANCE = address_of("FRANCE")
ENGLAND = address_of("ENGLAND")
TURKEY = address_of("TURKEY")
MASTER = "gm@example.test"
DAY = timedelta(days=1)


def label(hall: Hall) -> str:
    phase = hall.game().phase
    assert phase is not None
    return phase.label


def order_set(hall: Hall, power: str) -> list[str]:
    return [line.text for line in hall.game().order_sets.get(power, ())]  # type: ignore[call-overload]


def test_a_reply_with_orders_is_enough(hall: Hall) -> None:
    hall.start()
    orders = "par – bur, Mar s Par-Bur\nFleet Brest to mid atlantic"
    hall.order("FRANCE", f"Hi judge, here we go.\n{orders}")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert {line.text for line in answer.order_set} == {
        "A PAR - BUR",
        "A MAR S A PAR - BUR",
        "F BRE - MAO",
    }
    assert (answer.orders_due, answer.problems, answer.due.early) == (3, (), None)
    assert hall.said(FRANCE, NotRead).lines == ("Hi judge, here we go.",)


def test_a_later_letter_changes_one_order_and_keeps_the_others(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.order("FRANCE", "A PAR - PIC")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert {(line.text, line.kept) for line in answer.order_set} == {
        ("A MAR - SPA", True),
        ("F BRE - MAO", True),
        ("A PAR - PIC", False),
    }
    assert answer.set_number == 2


def test_clear_forgets_what_was_stored_and_takes_what_follows(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.order("FRANCE", "CLEAR\nA PAR H")
    assert order_set(hall, "FRANCE") == ["A PAR H"]


def test_yes_takes_every_line_that_had_one_proposal(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A Mra - Spa\nA PAR - BUR")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert [len(problem.proposals) for problem in answer.problems] == [1]
    assert order_set(hall, "FRANCE") == ["A PAR - BUR"]
    hall.order("FRANCE", "YES")
    assert sorted(order_set(hall, "FRANCE")) == ["A MAR - SPA", "A PAR - BUR"]


def test_orders_for_a_foreign_unit_are_not_stored_and_said_why(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A MUN - RUH")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert answer.order_set == ()
    assert len(answer.problems) == 1


def test_an_unsigned_letter_from_a_known_address_stores_nothing(hall: Hall) -> None:
    hall.start()
    hall.post(FRANCE, OPENINGS["FRANCE"])
    assert hall.said(FRANCE, AddressAsked).is_own
    assert order_set(hall, "FRANCE") == []


def test_an_authenticated_letter_of_a_player_of_one_game_is_signed_on(hall: Hall) -> None:
    hall.start()
    found = f"{RECEIVER}; dkim=pass header.d=example.test"
    hall.post(FRANCE, OPENINGS["FRANCE"], headers={"Authentication-Results": found})
    assert len(order_set(hall, "FRANCE")) == 3


@pytest.mark.parametrize(
    "signon",
    [
        *("SIGNON Fbalkan {}", "sign on FRANCE@balkan {}", "로그인 프랑스@balkan {}"),
        *("登入 法國@balkan {}", "ログイン フランス@balkan {}"),
    ],
)
def test_signon_with_the_password_works_from_any_address(hall: Hall, signon: str) -> None:
    hall.start()
    password = hall.said(FRANCE, Joined).password
    hall.post("cafe@example.test", signon.format(password) + "\n" + OPENINGS["FRANCE"])
    assert len(order_set(hall, "FRANCE")) == 3
    assert hall.said("cafe@example.test", OrdersAnswer).game.seat == "FRANCE"
    assert hall.said(FRANCE, OrdersAnswer).game.seat == "FRANCE"  # the owner sees it too


def test_a_wrong_password_stores_nothing(hall: Hall) -> None:
    hall.start()
    hall.post(ENGLAND, "SIGNON Fbalkan guess\n" + OPENINGS["FRANCE"])
    assert hall.said(ENGLAND, Refusal).kind is RefusalKind.WRONG_PASSWORD
    assert order_set(hall, "FRANCE") == []
    assert hall.said(ENGLAND, NotRead).lines[0] == "A MAR - SPA"


def test_a_token_from_an_unknown_address_is_kept_and_its_owner_asked(hall: Hall) -> None:
    hall.start()
    hall.post("cafe@example.test", OPENINGS["FRANCE"], reply_to=hall.last(FRANCE))
    assert order_set(hall, "FRANCE") == []
    assert hall.said("cafe@example.test", Refusal).kind is RefusalKind.UNKNOWN_ADDRESS
    assert hall.said(FRANCE, AddressAsked).written_from == "cafe@example.test"
    hall.order("FRANCE", "YES")
    assert len(order_set(hall, "FRANCE")) == 3


def test_a_reply_to_a_letter_of_a_phase_that_is_over_stores_nothing(hall: Hall) -> None:
    hall.start()
    old = hall.last(FRANCE)
    hall.open_game()
    hall.pass_time(3 * DAY)
    assert label(hall) == "F1901M"
    hall.post(FRANCE, "A BUR - BEL\nF MAO H", reply_to=old)
    stale = hall.said(FRANCE, StaleOrders)
    assert stale.label_then == "S1901M"
    assert [line.text for line in stale.lines] == ["A BUR - BEL", "F MAO H"]
    assert order_set(hall, "FRANCE") == []
    hall.order("FRANCE", "YES")
    assert order_set(hall, "FRANCE") == ["A BUR - BEL", "F MAO H"]


def test_the_first_phase_waits_for_its_deadline_though_all_are_complete(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.pass_time(2 * DAY)
    assert label(hall) == "S1901M"
    hall.pass_time(DAY)
    assert label(hall) == "F1901M"


def test_the_first_phase_runs_early_when_all_say_ready(hall: Hall) -> None:
    hall.start()
    for power in POWERS:
        hall.order(power, OPENINGS[power] + "\nREADY")
    hall.pass_time(timedelta(minutes=29))
    assert label(hall) == "S1901M"
    hall.pass_time(timedelta(minutes=2))
    assert label(hall) == "F1901M"


def to_fall(hall: Hall, lines: str = "", *silent: str) -> None:
    """The game in Fall 1901, after everybody's openings."""
    hall.start(lines)
    hall.open_game(*silent)
    hall.pass_time(3 * DAY)


FALL = {
    "AUSTRIA": "A SER - GRE\nA VIE H\nF ALB - ION",
    "ENGLAND": "A YOR H\nF NTH - NWY\nF ENG H",
    "FRANCE": "A SPA - POR\nA BUR - BEL\nF MAO - WES",
    "GERMANY": "A KIE - HOL\nA RUH H\nF DEN H",
    "ITALY": "A APU H\nA VEN H\nF ION - TUN",
    "RUSSIA": "A UKR - RUM\nA WAR H\nF SEV H\nF BOT - SWE",
    "TURKEY": "A BUL - GRE\nA CON - BUL\nF ANK - BLA",
}


def test_a_phase_runs_a_while_after_the_last_change_once_all_are_complete(hall: Hall) -> None:
    to_fall(hall)
    for power in POWERS:
        hall.order(power, FALL[power])
    assert hall.said(TURKEY, OrdersAnswer).due.early == timedelta(minutes=30)
    hall.pass_time(timedelta(minutes=29))
    hall.order("FRANCE", "A BUR H")
    hall.pass_time(timedelta(minutes=29))
    assert label(hall) == "F1901M"
    hall.pass_time(timedelta(minutes=2))
    assert label(hall) != "F1901M"


def test_wait_holds_a_complete_phase_until_its_deadline(hall: Hall) -> None:
    to_fall(hall)
    for power in POWERS:
        hall.order(power, FALL[power])
    hall.order("ITALY", "WAIT")
    hall.pass_time(2 * DAY)
    assert label(hall) == "F1901M"
    hall.order("ITALY", "NO WAIT")
    hall.pass_time(timedelta(hours=1))
    assert label(hall) != "F1901M"


def test_an_open_problem_holds_a_complete_phase(hall: Hall) -> None:
    to_fall(hall)
    for power in POWERS:
        hall.order(power, FALL[power])
    hall.order("FRANCE", "A Bru - Pic")
    hall.pass_time(timedelta(hours=2))
    assert label(hall) == "F1901M"
    hall.order("FRANCE", "A BUR - PIC")
    hall.pass_time(timedelta(hours=2))
    assert label(hall) != "F1901M"


def test_reminders_go_only_to_those_who_owe_orders(hall: Hall) -> None:
    hall.start()
    hall.open_game("TURKEY")
    hall.order("FRANCE", "CLEAR\nA PAR H")
    hall.pass_time(2 * DAY + timedelta(hours=1))
    assert [len(hall.was_told(address_of(power), Reminder)) for power in POWERS] == [
        0, 0, 1, 0, 0, 0, 1,
    ]  # fmt: skip


def test_in_the_first_movement_phase_the_game_waits_and_all_are_told(hall: Hall) -> None:
    hall.start()
    hall.open_game("TURKEY")
    hall.pass_time(10 * DAY)
    assert label(hall) == "S1901M"
    for power in POWERS:
        assert hall.said(address_of(power), GameWaits).missing == ("TURKEY",)
    hall.order("TURKEY", OPENINGS["TURKEY"])
    hall.pass_time(timedelta(hours=1))
    assert label(hall) == "F1901M"


def test_the_master_who_waits_for_first_orders_has_none(hall: Hall) -> None:
    hall.start()
    hall.open_game("TURKEY")
    hall.pass_time(10 * DAY)
    assert "You have nothing to do; your orders stand." in hall.text(hall.last(FRANCE))
    assert hall.said(MASTER, GameWaits).missing == ("TURKEY",)
    assert "your orders stand" not in hall.text(hall.last(MASTER))


def test_grace_is_for_those_who_sent_nothing(hall: Hall) -> None:
    to_fall(hall)
    hall.order("FRANCE", "A BUR - BEL")  # partial orders are no absence
    for power in ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA"):
        hall.order(power, FALL[power])
    hall.pass_time(3 * DAY + timedelta(hours=1))
    assert label(hall) == "F1901M"
    assert hall.said(TURKEY, Reminder).due.in_grace
    hall.order("FRANCE", "F MAO - WES")
    assert hall.was_told(FRANCE, LateOrders)
    assert order_set(hall, "FRANCE") == ["A BUR - BEL"]
    hall.order("TURKEY", FALL["TURKEY"])
    assert len(order_set(hall, "TURKEY")) == 3
    hall.pass_time(timedelta(hours=24))
    assert label(hall) != "F1901M"
    assert hall.said(FRANCE, Results).missing == ()


@pytest.mark.parametrize("line", ["UNDO", "CLEAR A BUR", "CLEAR", "CLEAR F1901M"])
def test_no_order_is_taken_back_in_grace(hall: Hall, line: str) -> None:
    to_fall(hall)
    hall.order("FRANCE", "A BUR H")
    hall.order("FRANCE", "A BUR - BEL")
    for power in ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA"):
        hall.order(power, FALL[power])
    letter = hall.last_answer(FRANCE)
    hall.pass_time(3 * DAY + timedelta(hours=1))
    hall.post(FRANCE, line, reply_to=letter)
    assert hall.was_told(FRANCE, LateOrders)
    assert order_set(hall, "FRANCE") == ["A BUR - BEL"]
    told = hall.text(hall.last(FRANCE))
    assert "Nothing is changed." in told
    assert ("Not stored:" in told) == (line in ("UNDO", "CLEAR A BUR"))


def test_late_changes_let_all_change_their_orders_in_grace(hall: Hall) -> None:
    to_fall(hall, "late changes: yes")
    for power in POWERS[:-1]:
        hall.order(power, FALL[power])
    hall.pass_time(3 * DAY + timedelta(hours=1))
    assert hall.said(FRANCE, LateNotice).may_change
    hall.order("FRANCE", "A BUR - MUN")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert "A BUR - MUN" in order_set(hall, "FRANCE")
    assert answer.due.in_grace
    assert answer.due.at == hall.said(TURKEY, Reminder).due.at
    hall.order("TURKEY", FALL["TURKEY"])
    hall.pass_time(timedelta(hours=1))
    assert label(hall) != "F1901M"


def test_after_grace_the_power_is_in_civil_disorder_and_keeps_its_seat(hall: Hall) -> None:
    to_fall(hall)
    for power in POWERS[:-1]:
        hall.order(power, FALL[power])
    hall.pass_time(3 * DAY + timedelta(hours=23))
    assert label(hall) == "F1901M"
    hall.pass_time(timedelta(hours=2))
    results = hall.said(FRANCE, Results)
    assert (results.missing, results.vacated) == (("TURKEY",), ())
    seat = hall.game().seat("TURKEY")  # type: ignore[arg-type]
    assert (seat.player is not None, seat.misses) == (True, 1)


def vacate_turkey(hall: Hall) -> None:
    """Turkey misses two movement phases in a row."""
    to_fall(hall, "grace: 0\nretreat: 1h\nadjustment: 1h")
    for power in POWERS[:-1]:
        hall.order(power, FALL[power])
    hall.pass_time(3 * DAY)
    while label(hall)[-1] != "M":
        hall.pass_time(timedelta(hours=1))
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    hall.pass_time(3 * DAY)


def test_after_two_missed_movement_phases_the_seat_is_vacant_and_open(hall: Hall) -> None:
    vacate_turkey(hall)
    assert hall.said(FRANCE, Results).vacated == ("TURKEY",)
    assert hall.said(TURKEY, Results).vacated == ("TURKEY",)
    assert hall.game().seat("TURKEY").player is None  # type: ignore[arg-type]
    hall.post("new@example.test", "JOIN balkan")
    hall.post("new@example.test", "yes", reply_to=hall.last("new@example.test"))
    assert hall.said("new@example.test", Joined).seat == "TURKEY"
    assert hall.said(FRANCE, SeatChanged).event is SeatEvent.TAKEN


def test_a_player_may_retake_his_seat_while_it_is_vacant(hall: Hall) -> None:
    vacate_turkey(hall)
    hall.order("TURKEY", "F ANK H")
    assert hall.said(FRANCE, SeatChanged).event is SeatEvent.RETAKEN
    assert hall.game().seat("TURKEY").player is not None  # type: ignore[arg-type]
    assert order_set(hall, "TURKEY") == ["F ANK H"]


def test_no_deadline_runs_before_the_inbox_was_read_past_it(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    deadline = hall.game().timing.deadline_at  # type: ignore[union-attr]
    hall.instant = deadline + timedelta(hours=5)
    hall.tick(read_until=deadline - timedelta(seconds=1))
    assert label(hall) == "S1901M"
    assert hall.tick(read_until=deadline)
    assert label(hall) == "F1901M"


def test_a_deadline_that_the_judge_slept_over_moves_and_all_are_told(hall: Hall) -> None:
    hall.start()
    deadline = hall.game().timing.deadline_at  # type: ignore[union-attr]
    away_since = deadline - timedelta(hours=2)
    hall.instant = deadline + timedelta(hours=4)
    hall.excuse(away_since)
    moved = hall.said(FRANCE, DeadlineMoved)
    assert (moved.reason, moved.before) == (MoveReason.JUDGE_AWAY, deadline)
    assert moved.due.at >= hall.instant + timedelta(hours=1)
    assert label(hall) == "S1901M"


def test_a_deadline_that_passes_twice_within_one_absence_moves_twice(hall: Hall) -> None:
    hall.start()
    away_since = hall.game().timing.deadline_at - timedelta(hours=2)  # type: ignore[union-attr]
    told = []
    for _ in range(2):  # the second time before anything noted that the judge lives
        hall.instant = hall.game().timing.deadline_at + timedelta(hours=4)  # type: ignore[union-attr]
        hall.excuse(away_since)
        told.append(hall.said(FRANCE, DeadlineMoved).due.at)
    assert told[1] > hall.instant > told[0]


def test_press_reaches_whom_it_names_and_nobody_else(hall: Hall) -> None:
    hall.start()
    text = "Let us both leave the Channel.\n> quoted"
    hall.order("FRANCE", f"PRESS TO ENGLAND\n{text}\nENDPRESS\nA PAR H")
    heard = hall.said(ENGLAND, PressReceived)
    assert (heard.sender, heard.text) == ("FRANCE", "Let us both leave the Channel.\n> quoted")
    for power in set(POWERS) - {"ENGLAND"}:
        assert hall.was_told(address_of(power), PressReceived) == []
    assert hall.was_told(MASTER, PressReceived) == []
    assert order_set(hall, "FRANCE") == ["A PAR H"]


def test_press_without_its_end_is_sent_to_nobody(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PRESS TO ENGLAND\nmy secret\nSIGNON Fbalkan password")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.UNCLOSED_PRESS
    assert hall.was_told(ENGLAND, PressReceived) == []


def test_press_to_a_full_name_is_not_read_as_letters(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PRESS TO Turkey\nhello\nENDPRESS")
    assert hall.said(FRANCE, PressSent).to == ("TURKEY",)
    hall.order("FRANCE", "PRESS TO EG\nhello\nENDPRESS")
    assert hall.said(FRANCE, PressSent).to == ("ENGLAND", "GERMANY")
    hall.order("FRANCE", "PRESS TO Narnia\nhello\nENDPRESS")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_RECIPIENT


@pytest.mark.parametrize("names", ["德國、義大利", "독일, 이탈리아", "ドイツ、イタリア"])
def test_press_reads_names_as_each_language_lists_them(hall: Hall, names: str) -> None:
    hall.start()
    hall.order("FRANCE", f"PRESS TO {names}\nhello\nENDPRESS")
    assert hall.said(FRANCE, PressSent).to == ("GERMANY", "ITALY")


def reply_to_press(hall: Hall, power: str, text: str) -> None:
    hall.post(address_of(power), text, reply_to=hall.last(address_of(power)))


def test_a_reply_to_press_goes_as_press_to_its_writer_alone(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "BROADCAST\nWho wants peace?\nENDPRESS")
    reply_to_press(hall, "ENGLAND", "Yes\n\nI would leave the Channel, will you?\nTom")
    heard = hall.said(FRANCE, PressReceived)
    assert (heard.sender, heard.to, heard.broadcast) == ("ENGLAND", ("FRANCE",), False)
    assert heard.text == "Yes\n\nI would leave the Channel, will you?\nTom"
    assert hall.said(ENGLAND, PressSent).to == ("FRANCE",)
    assert len(hall.was_told(address_of("GERMANY"), PressReceived)) == 1
    reply_to_press(hall, "FRANCE", "When is the deadline for you?")
    assert hall.said(ENGLAND, PressReceived).text == "When is the deadline for you?"


def test_a_reply_to_grey_press_reaches_a_writer_it_does_not_name(hall: Hall) -> None:
    hall.start("press: grey")
    hall.order("FRANCE", "GREY PRESS TO ENGLAND\nBoo!\nENDPRESS")
    reply_to_press(hall, "ENGLAND", "Who are you?")
    assert hall.said(FRANCE, PressReceived).text == "Who are you?"
    assert hall.said(ENGLAND, PressSent).to == ()
    assert "FRANCE" not in hall.last(ENGLAND).messages.decode()


@pytest.mark.parametrize(("word", "sent", "stored"), [("PRESS", 2, 0), ("Orders.", 1, 1)])
def test_orders_in_a_reply_to_press_are_asked_about(
    hall: Hall, word: str, sent: int, stored: int
) -> None:
    hall.start()
    hall.order("FRANCE", "PRESS TO ENGLAND\nWhat will you do?\nENDPRESS")
    reply_to_press(hall, "ENGLAND", "Here they are:\nF LON - NTH")
    asked = hall.said(ENGLAND, PressUnclear)
    assert (asked.to, asked.orders) == ("FRANCE", ("F LON - NTH",))
    assert not order_set(hall, "ENGLAND")
    assert hall.was_told(FRANCE, PressReceived) == []
    hall.post(ENGLAND, word, reply_to=hall.last(ENGLAND))
    assert len(hall.was_told(FRANCE, PressReceived)) == sent - 1
    assert len(order_set(hall, "ENGLAND")) == stored


def test_a_reply_to_press_with_commands_is_for_the_judge(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PRESS TO ENGLAND\nhello\nENDPRESS")
    reply_to_press(hall, "ENGLAND", "SIGNON Ebalkan my-secret\nF LON - NTH")
    assert hall.was_told(FRANCE, PressReceived) == []


def test_an_old_token_sends_no_press_before_its_player_says_yes(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.order("FRANCE", "PRESS TO ENGLAND\nhello\nENDPRESS")
    press = hall.last(ENGLAND)
    hall.run_phase()
    hall.post(ENGLAND, "And hello to you", reply_to=press)
    assert hall.was_told(FRANCE, PressReceived) == []
    hall.post(ENGLAND, "YES", reply_to=hall.last(ENGLAND))
    assert hall.said(FRANCE, PressReceived).text == "And hello to you"


def test_the_writer_hears_that_nobody_plays_a_power(hall: Hall) -> None:
    hall.start()
    hall.order("ENGLAND", "RESIGN")
    hall.post(ENGLAND, "YES", reply_to=hall.last(ENGLAND))
    hall.order("FRANCE", "PRESS TO ENGLAND, GERMANY\nhello\nENDPRESS")
    sent = hall.said(FRANCE, PressSent)
    assert (sent.to, sent.vacant) == (("ENGLAND", "GERMANY"), ("ENGLAND",))


def test_broadcast_reaches_everybody_and_grey_press_names_nobody(hall: Hall) -> None:
    hall.start("press: grey")
    hall.order("FRANCE", "GREY BROADCAST\nBoo!\nEND BROADCAST")
    for power in set(POWERS) - {"FRANCE"}:
        heard = hall.said(address_of(power), PressReceived)
        assert (heard.sender, heard.text, heard.broadcast) == ("", "Boo!", True)


def test_gunboat_games_have_no_press(hall: Hall) -> None:
    hall.start("press: none")
    hall.order("FRANCE", "BROADCAST\nBoo!\nENDBROADCAST")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_PRESS
    assert hall.was_told(ENGLAND, PressReceived) == []


def test_a_draw_ends_the_game_when_all_agree(hall: Hall) -> None:
    hall.start()
    for power in POWERS[:-1]:
        hall.order(power, "DRAW")
    assert hall.said(FRANCE, BallotCast).motion.needed == 7
    hall.order("FRANCE", "NO DRAW")
    hall.order("TURKEY", "draw")
    assert hall.game().status is Status.ACTIVE
    hall.order("FRANCE", "DRAW")
    game = hall.game()
    assert (game.status, game.ending, game.winners) == (Status.FINISHED, "draw", POWERS)
    over = hall.said(TURKEY, GameOver)
    assert over.seed == game.seed.hex()


def test_draw_votes_lapse_with_the_phase(hall: Hall) -> None:
    hall.start()
    for power in POWERS:
        hall.order(power, OPENINGS[power] + ("\nDRAW" if power != "ITALY" else ""))
    hall.pass_time(3 * DAY)
    hall.order("ITALY", "DRAW")
    assert hall.game().status is Status.ACTIVE
    (proposal,) = hall.game().proposals
    assert proposal.votes == {"ITALY": True}


def test_resign_is_asked_back(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "RESIGN")
    assert hall.said(FRANCE, ConfirmAsked).what == "resign"
    assert hall.game().seat("FRANCE").player is not None  # type: ignore[arg-type]
    hall.order("FRANCE", "YES")
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]
    assert hall.said(ENGLAND, SeatChanged).event is SeatEvent.RESIGNED


def test_orders_below_the_yes_to_a_resignation_take_no_seat(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "RESIGN")
    hall.order("FRANCE", "YES\nA PAR - BUR")
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]
    assert hall.said(FRANCE, NotRead).lines == ("A PAR - BUR",)
    assert [one.event for one in hall.was_told(ENGLAND, SeatChanged)] == [SeatEvent.RESIGNED]


def test_process_names_its_phase_and_is_asked_back_while_orders_are_owed(hall: Hall) -> None:
    hall.start()
    master = hall.last(MASTER)
    hall.post(MASTER, "PROCESS F1901M", reply_to=master)
    assert hall.said(MASTER, Refusal).kind is RefusalKind.WRONG_PHASE
    hall.post(MASTER, "PROCESS S1901M", reply_to=master)
    assert hall.said(MASTER, ConfirmAsked).owing == POWERS
    assert label(hall) == "S1901M"
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))
    assert label(hall) == "F1901M"
    assert hall.said(FRANCE, Results).missing == ()


def test_only_the_master_processes(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROCESS S1901M")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOT_MASTER
    assert label(hall) == "S1901M"


def test_a_master_moves_the_deadline_and_all_are_told(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "SET DEADLINE 2026-12-10 20:00 UTC", reply_to=hall.last(MASTER))
    moved = hall.said(FRANCE, DeadlineMoved)
    assert moved.due.at.isoformat() == "2026-12-10T20:00:00+00:00"
    assert hall.said(MASTER, Done).due is not None
    hall.post(MASTER, "SET DEADLINE yesterday-ish", reply_to=hall.last_answer(MASTER))
    assert hall.said(MASTER, Refusal).kind is RefusalKind.BAD_TIME


def test_a_masters_orders_are_no_orders(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "A PAR - BUR", reply_to=hall.last(MASTER))
    assert all(order_set(hall, power) == [] for power in POWERS)
    assert hall.said(MASTER, NotRead).lines == ("A PAR - BUR",)


def test_status_shows_own_orders_and_list_does_not(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.order("FRANCE", "STATUS")
    status = hall.said(FRANCE, GameStatus)
    assert status.order_set is not None
    assert len(status.order_set) == 3
    hall.post(ENGLAND, "LIST balkan")
    assert hall.said(ENGLAND, GameStatus).order_set is None


def test_a_province_that_begins_as_a_command_does_is_an_order(hall: Hall) -> None:
    hall.start()
    hall.order("ENGLAND", "영국 해협 - 북해\n네덜란드 - 벨기에\n예")
    answer = hall.said(ENGLAND, OrdersAnswer)
    assert [problem.written for problem in answer.problems][:2] == [
        "영국 해협 - 북해",
        "네덜란드 - 벨기에",
    ]
    assert hall.was_told(ENGLAND, Refusal)  # 예: there was nothing to agree to


def test_documents_that_no_letter_needs_are_deleted_after_a_month(hall: Hall) -> None:
    def documents() -> int:
        (count,) = hall.database._tables.execute("SELECT count(*) FROM documents").fetchone()
        return int(count)

    hall.start()
    for power in POWERS:
        hall.order(power, OPENINGS[power])
    hall.run_phase()
    kept = documents()
    assert kept > 0  # the report, whose letters were rendered
    hall.instant += 29 * DAY
    hall.excuse(hall.instant - DAY)
    assert documents() == kept
    hall.instant += 2 * DAY
    hall.excuse(hall.instant - DAY)
    assert documents() == 0


def test_the_letters_of_a_phase_share_what_all_may_read(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    before = len(hall.out)
    hall.run_phase()
    results = [row for row in hall.out[before:] if row.kind == "results"]
    assert len(results) == len(POWERS) + 1  # the master's
    shared = frozenset.intersection(*(frozenset(row.documents) for row in results))
    report = max(len(body) for body in results[0].documents.values())
    assert report in [len(results[0].documents[digest]) for digest in shared]
    assert max(len(row.messages) for row in results) < report


def test_a_letter_and_a_deadline_decode_a_games_state_seldom(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fourteen times a letter, and 42 times a deadline, in release 0.1."""
    decoded: list[str] = []
    whole = GameState.from_bytes.__func__  # type: ignore[attr-defined]

    def decode(kind: type[GameState], data: bytes) -> GameState:
        state: GameState = whole(kind, data)
        decoded.extend([state.label] * (kind is GameState))  # a view is another kind
        return state

    hall.start()
    hall.open_game()
    monkeypatch.setattr(GameState, "from_bytes", classmethod(decode))
    unit_of_work._opened.cache_clear()
    hall.order("FRANCE", "A PAR - PIC\nA MAR H\nFleet Brest to English Channel\nSTATUS")
    assert 1 <= len(decoded) <= 2
    unit_of_work._opened.cache_clear()
    decoded.clear()
    hall.run_phase()
    assert {*decoded} == {"S1901M", "F1901M"}
    assert len(decoded) == 2


def test_letters_leave_before_the_next_games_are_resolved(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.due_games.GAMES_AT_ONCE", 1)
    hall.start()
    hall.create(name="adria")
    for power in POWERS:
        hall.join(power, "adria")
    before, hall.instant = len(hall.out), hall.instant + timedelta(days=10)
    steps = hall._due_games.run(hall.instant, due_until=hall.instant)
    next(steps)
    hall._collect()
    first = {row.game for row in hall.out[before:]}
    assert len(first) == 1
    assert set(steps) == {None}  # the other game, and a digest to the master of both
    hall._collect()
    assert {row.game for row in hall.out[before:]} == {"adria", "balkan"}


@pytest.mark.parametrize("end", ["END", "comment end", "END COMMENT"])
def test_a_block_of_remarks_is_not_read(hall: Hall, end: str) -> None:
    hall.start()
    hall.order("FRANCE", f"A PAR - PIC\nComment begin\nItaly may come, READY\n{end}\nF BRE - MAO")
    assert order_set(hall, "FRANCE") == ["A PAR - PIC", "F BRE - MAO"]
    assert not hall.game().seat(SeatId("FRANCE")).ready
    assert "Italy" not in hall.text(hall.last(FRANCE)).partition("Who sits where")[0]


def test_orders_among_remarks_are_told_and_not_stored(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "COMMENT BEGIN\nA PAR - BUR\nEND\nF BRE - MAO")
    assert order_set(hall, "FRANCE") == ["F BRE - MAO"]
    text = " ".join(hall.text(hall.last(FRANCE)).split())
    assert (
        "What stands between COMMENT BEGIN and END is a remark. Yours holds orders; send those "
        'again that are meant: "A PAR - BUR"'
    ) in text


def test_remarks_without_an_end_are_lines_like_others(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "COMMENT BEGIN\nA PAR - BUR")
    assert order_set(hall, "FRANCE") == ["A PAR - BUR"]
    assert '"COMMENT BEGIN"' in hall.text(hall.last(FRANCE))


def test_remarks_within_press_are_press(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PRESS TO ENGLAND\nCOMMENT BEGIN\nHello\nEND COMMENT\nENDPRESS")
    assert "COMMENT BEGIN" in hall.text(hall.last(ENGLAND))
