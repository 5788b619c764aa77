"""A master's hand on seats: orders in a player's place, players put out, swapped, a short start."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import ConfirmAsked, Joined
from judge.host.messages.game_events import Cancelled, Filling, FillingEvent, SeatChanged, Started
from judge.host.messages.games import Summary
from judge.host.messages.master_acts import MasterActed, OrdersGiven
from judge.host.messages.order_answers import OrdersAnswer, StaleOrders
from judge.host.messages.people import Registered
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Act, Status

from .conftest import OPENINGS, POWERS, RECEIVER, Hall, address_of
from .test_masters_hand import ask, label

FRANCE, ENGLAND, MASTER = address_of("FRANCE"), address_of("ENGLAND"), "gm@example.test"


def yes(hall: Hall) -> None:
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))


def orders(hall: Hall, power: str) -> set[str]:
    sets = hall.game().order_sets
    return {line.text for seat, lines in sets.items() if seat == power for line in lines}


# --- AS -------------------------------------------------------------------------------------------


def test_a_master_orders_for_a_player_who_is_told(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nA MAR S A PAR - BUR")
    ask(hall, "ACT AS FRANCE\nF BRE - MAO\nREADY\nAS ENGLAND\nF LON - NTH\nAS MASTER\nSTATUS")
    assert orders(hall, "FRANCE") == {"A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"}
    assert orders(hall, "ENGLAND") == {"F LON - NTH"}
    assert hall.game().seat("FRANCE").ready  # type: ignore[arg-type]
    told = hall.said(FRANCE, OrdersGiven)
    assert {line.text for line in told.order_set} == orders(hall, "FRANCE")
    letter = hall.text(hall.last(FRANCE))
    assert "The master has written orders for you." in letter
    assert "A PAR - BUR" in letter
    answer = hall.text(hall.last_answer(MASTER))
    assert "F BRE - MAO" in answer
    assert "F LON - NTH" in answer
    assert "A PAR - BUR" not in answer
    assert not hall.was_told(MASTER, OrdersAnswer)
    assert not hall.was_told(address_of("ITALY"), OrdersGiven)
    with hall.database.transaction() as tx:
        acts = tx.acts.of("balkan")
    assert [(one.act, one.seats, one.text) for one in acts] == [
        (Act.ORDERED, ("FRANCE",), "F BRE - MAO"),
        (Act.ORDERED, ("ENGLAND",), "F LON - NTH"),
    ]
    ask(hall, "SUMMARY balkan", FRANCE)
    assert hall.said(FRANCE, Summary).acts == ()


def test_a_player_is_told_that_the_master_has_set_wait(hall: Hall) -> None:
    hall.start()
    ask(hall, "ACT AS FRANCE\nF BRE - MAO\nWAIT")
    assert hall.game().seat("FRANCE").wait  # type: ignore[arg-type]
    letter = hall.text(hall.last(FRANCE))
    assert "WAIT is set: the phase waits for its deadline." in letter
    assert "You said" not in letter


@pytest.mark.parametrize("line", ["DRAW", "RESIGN", "PRESS TO ENGLAND\nHello.\nENDPRESS", "UNDO"])
def test_a_master_does_nothing_else_in_a_players_place(hall: Hall, line: str) -> None:
    before = hall.start()
    ask(hall, f"AS FRANCE\n{line}")
    seat = hall.game().seat("FRANCE")  # type: ignore[arg-type]
    assert seat.player == before.seat("FRANCE").player  # type: ignore[arg-type]
    assert not hall.game().proposals
    if line.startswith("PRESS"):
        assert hall.said(ENGLAND, PressReceived).sender == "MASTER"
    else:
        assert hall.said(MASTER, Refusal).kind is RefusalKind.NOT_AS


def test_a_list_in_a_players_place_shows_none_of_their_orders(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR")
    ask(hall, "AS FRANCE\nSTATUS\nMISSING\nSTATUS balkan")
    assert "A PAR - BUR" not in hall.text(hall.last_answer(MASTER))


@pytest.mark.parametrize(
    ("line", "other"),
    [("A PAR - BUR", "A LVP - YOR"), ("CLEAR A PAR", "CLEAR A LVP"), ("CLEAR", "CLEAR")],
)
def test_an_answer_to_a_master_does_not_tell_what_a_player_had_stored(
    hall: Hall, line: str, other: str
) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nWAIT")
    for power, written in (("FRANCE", line), ("ENGLAND", other)):
        ask(hall, f"AS {power}\n{written}")
        answer = hall.messages(hall.last_answer(MASTER))
        assert [type(one) for one in answer] == [OrdersGiven]
        assert hall.was_told(address_of(power), OrdersGiven)


def test_a_line_that_cannot_be_stored_comes_back_to_the_master(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR")
    ask(hall, "AS FRANCE\nA MRA - PIE")
    told = hall.text(hall.last_answer(MASTER))
    assert "A MAR - PIE" in told
    assert "A PAR - BUR" not in told
    assert "France: nothing of what you have written is stored." in told
    assert "The player is told" not in told
    assert not hall.was_told(FRANCE, OrdersGiven)
    ask(hall, "AS FRANCE\nA MRA - PIE\nREADY")
    assert "The player is told" in hall.text(hall.last_answer(MASTER))
    assert hall.said(FRANCE, OrdersGiven).ready


@pytest.mark.parametrize("lines", ["ACT AS FRANCE\nreddy", "ACT AS FRANCE\nSET REDDY"])
def test_a_guess_at_a_command_in_a_players_place_is_for_that_power(hall: Hall, lines: str) -> None:
    hall.start()
    ask(hall, lines)
    assert hall.said(MASTER, Refusal).kind is RefusalKind.NO_COMMAND
    hall.post(MASTER, "YES\nSET COMMENT Experts", reply_to=hall.last_answer(MASTER))
    assert hall.game().seat("FRANCE").ready  # type: ignore[arg-type]
    assert hall.game().settings.comment == "Experts"
    assert hall.said(FRANCE, OrdersGiven).ready


def test_a_reply_to_an_old_letter_shows_a_master_none_of_a_players_orders(hall: Hall) -> None:
    hall.start()
    letter = hall.last(MASTER)
    hall.open_game()
    hall.run_phase()
    hall.order("FRANCE", "A BUR - BEL")
    hall.post(MASTER, "AS FRANCE\nF MAO - POR", reply_to=letter)
    assert hall.said(MASTER, StaleOrders).lines
    assert "A BUR - BEL" not in hall.text(hall.last_answer(MASTER))
    assert orders(hall, "FRANCE") == {"A BUR - BEL"}
    hall.post(MASTER, "YES\nSET COMMENT Experts", reply_to=hall.last_answer(MASTER))
    assert orders(hall, "FRANCE") == {"A BUR - BEL", "F MAO - POR"}
    assert hall.game().settings.comment == "Experts"
    assert hall.said(FRANCE, OrdersGiven).seat == "FRANCE"


def test_a_yes_uses_the_lines_of_each_power_in_a_reply_to_an_old_letter(hall: Hall) -> None:
    hall.start()
    letter = hall.last(MASTER)
    hall.open_game()
    hall.run_phase()
    hall.post(MASTER, "AS FRANCE\nF MAO - POR\nAS ENGLAND\nF NTH - NWY", reply_to=letter)
    yes(hall)
    assert orders(hall, "FRANCE") == {"F MAO - POR"}
    assert orders(hall, "ENGLAND") == {"F NTH - NWY"}


def test_nobody_orders_for_a_power_without_a_player(hall: Hall) -> None:
    hall.start()
    hall.order("TURKEY", "RESIGN")
    hall.post(address_of("TURKEY"), "YES", reply_to=hall.last(address_of("TURKEY")))
    ask(hall, "AS TURKEY\nF ANK - BLA")
    assert hall.said(MASTER, Refusal).kind is RefusalKind.NOBODY_PLAYS
    seat = hall.game().seat("TURKEY")  # type: ignore[arg-type]
    assert seat.player is None


@pytest.mark.parametrize("line", ["As agreed, A PAR - BUR", "As you like it", "as Italy said"])
def test_a_players_as_is_no_command(hall: Hall, line: str) -> None:
    hall.start()
    ask(hall, line, FRANCE)
    told = {one.kind for one in hall.was_told(FRANCE, Refusal)}
    assert RefusalKind.NOT_MASTER not in told


# --- players --------------------------------------------------------------------------------------


def test_eject_is_asked_back_and_opens_the_seat(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    letter = hall.last(FRANCE)
    ask(hall, "EJECT FRANCE no letters for weeks")
    asked = hall.said(MASTER, ConfirmAsked)
    assert (asked.what, asked.seats, asked.who) == ("eject", ("FRANCE",), "France")
    assert hall.game().seat("FRANCE").player is not None  # type: ignore[arg-type]
    yes(hall)
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]
    own = hall.text(hall.last(FRANCE))
    assert "You do not take part in this game any more." in own
    assert "no letters for weeks" in own
    assert hall.said(ENGLAND, MasterActed).seats == ("FRANCE",)
    assert "no letters for weeks" in hall.text(hall.last(ENGLAND))
    hall.post(FRANCE, "A PAR - PIC", reply_to=letter)
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]
    hall.post("ben@example.test", "JOIN balkan FRANCE", name="Ben")
    hall.post("ben@example.test", "YES", reply_to=hall.last("ben@example.test"), name="Ben")
    joined = hall.text(hall.last_answer("ben@example.test"))
    assert "You play France." in joined
    assert "A PAR - BUR" not in joined


def test_whoever_was_put_out_does_not_come_back_by_a_letter(hall: Hall) -> None:
    hall.start()
    ask(hall, "EJECT FRANCE no letters for weeks")
    yes(hall)
    for line in ("JOIN balkan", "JOIN balkan FRANCE", "TAKEOVER balkan", "OBSERVE balkan"):
        hall.post(FRANCE, line, reply_to=hall.last(FRANCE))
        assert hall.said(FRANCE, Refusal).kind is RefusalKind.EJECTED, line
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]
    count = len(hall.out)
    hall.post("ben@example.test", "JOIN balkan FRANCE", name="Ben")
    hall.post("ben@example.test", "YES", reply_to=hall.last("ben@example.test"), name="Ben")
    assert hall.game().seat("FRANCE").player is not None  # type: ignore[arg-type]
    assert FRANCE not in {row.recipient for row in hall.out[count:]}


def test_whoever_was_put_out_does_not_come_back_by_a_password(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "SET PASSWORD secret12")
    ask(hall, "EJECT FRANCE no letters for weeks")
    yes(hall)
    hall.post(FRANCE, "SIGNON FRANCE@balkan secret12\nA PAR - BUR")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOT_A_PLAYER
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]
    assert orders(hall, "FRANCE") == set()


def test_a_player_is_put_out_before_the_start(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    ask(hall, f"EJECT {FRANCE} not in this round")
    yes(hall)
    assert hall.game().applicants == ()
    assert "not in this round" in hall.text(hall.last(FRANCE))


def test_whom_nobody_knows_cannot_be_put_out(hall: Hall) -> None:
    hall.start()
    ask(hall, "EJECT Zorro")
    assert hall.said(MASTER, Refusal).kind is RefusalKind.NO_ONE_THERE


@pytest.mark.parametrize(
    "line", ["DUMMY TURKEY away for good", "무인 강국 터키", "空置國家 土耳其"]
)
def test_a_power_is_left_to_nobody_and_revived(hall: Hall, line: str) -> None:
    hall.start()
    ask(hall, line)
    yes(hall)
    assert hall.game().seat("TURKEY").is_dummy  # type: ignore[arg-type]
    assert hall.said(FRANCE, SeatChanged).seat == "TURKEY"
    ask(hall, "REVIVE TURKEY")
    seat = hall.game().seat("TURKEY")  # type: ignore[arg-type]
    assert seat.is_vacant
    ask(hall, "DUMMY TURKEY")
    assert hall.game().seat("TURKEY").is_dummy  # type: ignore[arg-type]


def test_two_players_exchange_their_seats(hall: Hall) -> None:
    before = hall.start()
    hall.open_game()
    letter = hall.last(FRANCE)
    ask(hall, "SWAP FRANCE ENGLAND both agreed")
    yes(hall)
    game = hall.game()
    assert game.seat("FRANCE").player == before.seat("ENGLAND").player  # type: ignore[arg-type]
    assert game.seat("ENGLAND").player == before.seat("FRANCE").player  # type: ignore[arg-type]
    assert orders(hall, "FRANCE") == orders(hall, "ENGLAND") == set()
    told = hall.text(hall.last(FRANCE))
    assert hall.said(FRANCE, Joined).seat == "ENGLAND"
    for said in ("You play England.", "F LON", "Due:", "Who sits where:"):
        assert said in told
    hall.post(FRANCE, "A PAR - PIC", reply_to=letter)
    assert orders(hall, "FRANCE") == set()
    hall.post(FRANCE, "F LON - ENG", reply_to=hall.last(FRANCE))
    assert orders(hall, "ENGLAND") == {"F LON - ENG"}
    assert hall.said(address_of("ITALY"), MasterActed).act is Act.SWAPPED


def test_players_who_exchange_seats_in_grace_may_order(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.run_phase()
    hall.order("FRANCE", "A BUR H")
    hall.order("ENGLAND", "F ENG H")
    hall.pass_time(timedelta(days=3, hours=1))
    ask(hall, "SWAP FRANCE ENGLAND both agreed")
    yes(hall)
    assert hall.said(FRANCE, Joined).due.in_grace  # type: ignore[union-attr]
    hall.order("FRANCE", "F ENG - BEL")
    assert orders(hall, "ENGLAND") == {"F ENG - BEL"}


# --- the start ------------------------------------------------------------------------------------


def test_a_game_begins_short(hall: Hall) -> None:
    hall.create()
    for power in POWERS[:5]:
        hall.join(power)
    ask(hall, "FORCE BEGIN")
    assert hall.said(MASTER, ConfirmAsked).what == "force_begin"
    assert hall.game().status is Status.FORMING
    yes(hall)
    game = hall.game()
    assert game.status is Status.ACTIVE
    assert [seat.id for seat in game.seats if seat.is_dummy] == ["RUSSIA", "TURKEY"]
    assert hall.said(FRANCE, Started)
    assert game.seat("FRANCE").player is not None  # type: ignore[arg-type]


def create_with_somebody_waiting(hall: Hall) -> None:
    """A full game that its master is to start, and Ben on its waiting list."""
    hall.create("start: manual")
    for power in POWERS:
        hall.join(power)
    hall.register("ben@example.test", "Ben")
    hall.post("ben@example.test", "JOIN balkan", reply_to=hall.last("ben@example.test"))
    hall.post("ben@example.test", "YES", reply_to=hall.last("ben@example.test"))


def test_who_waits_for_a_place_is_told_that_the_game_has_begun(hall: Hall) -> None:
    create_with_somebody_waiting(hall)
    assert hall.game().waiting
    ask(hall, "FORCE BEGIN")
    yes(hall)
    assert hall.game().status is Status.ACTIVE
    assert hall.said("ben@example.test", Filling).event is FillingEvent.BEGUN


def test_who_has_asked_to_join_is_told_that_a_game_is_cancelled(hall: Hall) -> None:
    hall.create("approval: yes")
    hall.register("ben@example.test", "Ben")
    hall.post("ben@example.test", "JOIN balkan", reply_to=hall.last("ben@example.test"))
    ask(hall, "PURGE too few players")
    yes(hall)
    assert hall.said("ben@example.test", Cancelled).reason == "too few players"


def test_a_password_is_kept_for_who_waits_for_a_place(hall: Hall) -> None:
    create_with_somebody_waiting(hall)
    before = hall.game().waiting[0].password_hash
    hall.post("ben@example.test", "SET PASSWORD secret12", reply_to=hall.last("ben@example.test"))
    assert hall.game().waiting[0].password_hash != before
    hall.post("cafe@else.test", "SIGNON Fbalkan secret12\nSET NAME Benjamin")
    assert hall.said("cafe@else.test", Registered).name == "Benjamin"


def test_ready_is_no_less_ready_by_a_fault_in_another_game(hall: Hall) -> None:
    hall.start()
    hall.create(name="alps")
    for power in POWERS:
        hall.join(power, "alps")
    body = "GAME alps\nA PAR - LON\nGAME balkan\nREADY"
    passed = {"Authentication-Results": f"{RECEIVER}; dmarc=pass header.from=example.test"}
    hall.post(FRANCE, body, headers=passed)
    assert hall.game("alps").seat("FRANCE").faulty  # type: ignore[arg-type]
    assert hall.game().seat("FRANCE").ready  # type: ignore[arg-type]
    assert not hall.game().seat("FRANCE").faulty  # type: ignore[arg-type]


def test_nobody_begins_alone(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    ask(hall, "FORCE BEGIN")
    assert hall.said(MASTER, Refusal).kind is RefusalKind.TOO_FEW


def test_a_game_goes_back_to_before_its_start(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    ask(hall, "UNSTART the wrong board")
    yes(hall)
    game = hall.game()
    assert (game.status, game.state, game.phase, len(game.applicants)) == (
        Status.FORMING,
        None,
        None,
        7,
    )
    assert "the wrong board" in hall.text(hall.last(FRANCE))
    hall.order("TURKEY", "RESIGN")
    hall.join("TURKEY")
    assert hall.game().status is Status.ACTIVE
    assert label(hall) == "S1901M"
    assert orders(hall, "FRANCE") == set()


def test_a_short_game_that_goes_back_wants_all_its_players_again(hall: Hall) -> None:
    hall.create()
    for power in POWERS[:5]:
        hall.join(power)
    ask(hall, "FORCE BEGIN")
    yes(hall)
    ask(hall, "UNSTART two more have come")
    yes(hall)
    for power in POWERS[5:]:
        hall.join(power)
    assert hall.game().status is Status.ACTIVE
    assert not any(seat.is_dummy for seat in hall.game().seats)


def test_a_game_goes_back_with_the_player_of_a_power_that_was_revived(hall: Hall) -> None:
    hall.start("dummies: ITALY", [power for power in POWERS if power != "ITALY"])
    hall.order("FRANCE", "POSTAL PRESS\nA pact?\nENDPRESS")
    ask(hall, "REVIVE ITALY")
    hall.join("ITALY")
    ask(hall, "UNSTART wrong board")
    yes(hall)
    game = hall.game()
    assert (len(game.applicants), game.settings.dummies, game.held_press) == (7, (), ())
    ask(hall, "START balkan")
    assert hall.game().status is Status.ACTIVE


def test_after_the_first_phase_nothing_goes_back_to_before_the_start(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.run_phase()
    ask(hall, "UNSTART")
    assert hall.said(MASTER, Refusal).kind is RefusalKind.HAS_RUN
