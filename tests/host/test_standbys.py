"""Standbys, called when a player was missing and used if the player is missing again; takeovers."""

from datetime import timedelta

import pytest

from judge.host.local_words import bilingual_line
from judge.host.messages.command_answers import Joined
from judge.host.messages.game_events import (
    DeadlineMoved,
    MoveReason,
    Results,
    SeatChanged,
    SeatEvent,
    StandbyEvent,
    StandbyNotice,
)
from judge.host.messages.order_answers import AdvanceAnswer, OrdersAnswer
from judge.host.messages.people import Personal, PersonalKind, Registered
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import SeatId

from .conftest import POWERS, Hall, address_of
from .test_missing_players import all_but_turkey, begin, deadline, flat, label

HANA, BEN = "hana@example.test", "ben@example.test"
MASTER = "gm@example.test"
FRANCE, TURKEY = address_of("FRANCE"), address_of("TURKEY")
SEAT = SeatId("TURKEY")


def stand_by(hall: Hall, address: str, body: str = "STANDBY") -> None:
    hall.pass_time(timedelta(minutes=1))
    hall.register(address, address.partition("@")[0].title())
    hall.post(address, body, reply_to=hall.last(address))


def reply(hall: Hall, address: str, body: str) -> None:
    hall.post(address, body, reply_to=hall.last(address))


def miss(hall: Hall) -> None:
    """A movement phase without Turkey, and what follows it up to the next movement phase."""
    all_but_turkey(hall)
    hall.run_phase()
    while not label(hall).endswith("M"):
        hall.run_phase()


def notices(hall: Hall, address: str) -> list[StandbyEvent]:
    return [one.event for one in hall.was_told(address, StandbyNotice)]


def test_a_standby_is_called_after_the_first_miss_and_used_at_the_second(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA, "STANDBY balkan")
    assert hall.said(HANA, Personal).kind is PersonalKind.STANDBY_GAME
    miss(hall)
    assert notices(hall, HANA) == [StandbyEvent.ASKED]
    asked = flat(hall, HANA)
    assert "You are asked to stand by for Turkey." in asked
    assert "A CON" in asked  # the units
    assert "Due: " in asked
    assert any("A standby is asked for orders for Turkey" in hall.text(row) for row in hall.out)

    reply(hall, HANA, "A CON - BUL\nF ANK - BLA\nA SMY - ARM\nPRESS TO FRANCE\nHi\nENDPRESS")
    assert hall.said(HANA, Refusal).kind is RefusalKind.NOT_A_PLAYER
    assert len(hall.said(HANA, OrdersAnswer).order_set) == 3
    assert "run only if nothing comes from the player" in flat(hall, HANA)
    assert not hall.game().order_set(SEAT)

    all_but_turkey(hall)
    hall.run_phase()
    with hall.database.transaction() as tx:
        ran = tx.phases.named("balkan", "S1902M")
        hana = tx.players.by_address(HANA)
    assert ran is not None
    assert hana is not None
    assert ran.order_sets[SEAT][0].text == "A CON - BUL"
    assert hall.game().seat(SEAT).player == hana.id
    joined = hall.said(HANA, Joined)
    assert joined.seat == SEAT
    assert joined.record is not None
    assert [label for label, _ in joined.record.scores][-1] == hall.game().phase.label  # type: ignore[union-attr]
    assert "Supply centers at the end of each year:" in hall.text(hall.last(HANA))
    assert "Your seat is another player's now." in flat(hall, TURKEY)
    assert "a standby's orders ran. The standby plays on from here." in flat(hall, FRANCE)
    assert "civil disorder" not in flat(hall, FRANCE)
    reply(hall, HANA, "READY")
    assert hall.game().seat(SEAT).ready


def test_a_standby_reads_nothing_that_holds_for_players_alone(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "A BUD - BUL")
    assert hall.said(HANA, OrdersAnswer).problems
    assert "If you send nothing more" not in flat(hall, HANA)  # the player's orders may run
    reply(hall, HANA, "A CON - BUL")
    assert "If you send nothing more: A CON - BUL runs" in flat(hall, HANA)
    assert "CLEAR" not in flat(hall, HANA)  # which is refused


def test_the_player_who_is_back_keeps_the_seat_and_the_standby_is_thanked(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "A CON - BUL")
    hall.order("TURKEY", "A CON - SMY")
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    assert notices(hall, HANA)[-1] is StandbyEvent.THANKED
    assert hall.game().seat(SEAT).standby is None
    assert hall.game().seat(SEAT).misses == 0
    with hall.database.transaction() as tx:
        ran = tx.phases.named("balkan", "S1902M")
    assert ran is not None
    assert [line.text for line in ran.order_sets[SEAT]] == ["A CON - SMY"]


def test_a_standby_without_an_answer_gives_way_to_the_next(hall: Hall) -> None:
    begin(hall, "missing: hold")
    stand_by(hall, HANA)
    stand_by(hall, BEN)
    miss(hall)
    assert (notices(hall, HANA), notices(hall, BEN)) == ([StandbyEvent.ASKED], [])
    miss(hall)
    assert notices(hall, HANA)[-1] is StandbyEvent.DISMISSED
    assert notices(hall, BEN) == [StandbyEvent.ASKED]


def test_a_standby_who_takes_over_is_asked_for_retreats(hall: Hall) -> None:
    hall.start("missing: vacant")
    stand_by(hall, HANA)
    for russia, turkey in (
        ("F SEV - BLA\nA MOS - SEV", "READY"),
        ("A SEV - ARM", ""),  # the seat is vacant by that
        ("F BLA - ANK\nA ARM S F BLA - ANK", ""),
    ):
        for power in POWERS:
            orders = {"RUSSIA": f"{russia}\nREADY", "TURKEY": turkey}.get(power, "READY")
            if orders:
                hall.order(power, orders)
        if label(hall) == "S1902M":
            reply(hall, HANA, "A CON - BUL")
        hall.run_phase()
    assert label(hall) == "S1902R"
    due = hall.said(HANA, Joined).due
    assert due is not None
    assert due.at > hall.instant
    reply(hall, HANA, "F ANK R CON")
    assert hall.game().order_set(SEAT)


def test_a_standby_sends_orders_for_a_later_phase(hall: Hall) -> None:
    begin(hall, "missing: hold")
    stand_by(hall, HANA)
    miss(hall)
    assert label(hall) == "S1902M"
    reply(hall, HANA, "A CON - BUL\nPHASE F1902M\nA BUL - GRE\nA SMY - CON")
    assert [line.text for line in hall.said(HANA, OrdersAnswer).order_set] == ["A CON - BUL"]
    (later,) = hall.said(HANA, AdvanceAnswer).order_sets
    assert (later.label, len(later.order_set)) == ("F1902M", 2)
    assert hall.said(HANA, StandbyNotice).event is StandbyEvent.STORED
    assert flat(hall, HANA).count("run only if nothing comes from the player") == 1
    game = hall.game()
    assert (game.order_set(SEAT), game.advance_of(SEAT)) == ((), ())
    assert game.seat(SEAT).sets == 0
    assert hall.said(TURKEY, Results).advance is None
    miss(hall)
    assert label(hall) == "F1902M"
    asked = hall.said(HANA, StandbyNotice)
    assert asked.event is StandbyEvent.ASKED
    assert asked.advance is not None
    assert [line.text for line in asked.advance.order_set] == ["A BUL - GRE", "A SMY - CON"]
    assert "A BUL - GRE" in flat(hall, HANA)
    miss(hall)
    with hall.database.transaction() as tx:
        ran = tx.phases.named("balkan", "F1902M")
    assert ran is not None
    assert [line.text for line in ran.order_sets[SEAT]] == ["A BUL - GRE", "A SMY - CON"]
    assert notices(hall, HANA)[-1] is not StandbyEvent.DISMISSED


def test_a_standby_who_takes_over_keeps_what_was_sent_ahead(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "A CON - BUL\nF1902M: A BUL - GRE\nS1903M: A GRE H")
    miss(hall)
    game = hall.game()
    assert [line.text for line in game.order_set(SEAT)] == ["A BUL - GRE"]
    assert [one.label for one in game.advance_of(SEAT)] == ["S1903M"]
    assert game.standby_advance == {}
    joined = hall.said(HANA, Joined)
    assert joined.advance is not None
    assert "A BUL - GRE" in flat(hall, HANA)


def test_lines_ahead_of_a_standby_who_goes_are_gone(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "A CON - BUL\nF1902M: A BUL - GRE")
    reply(hall, HANA, "NO STANDBY")
    game = hall.game()
    assert (game.standby_sets, game.standby_advance) == ({}, {})


def test_a_player_who_is_back_never_sees_what_a_standby_sent(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "A CON - BUL\nF1902M: A BUL - GRE")
    hall.order("TURKEY", "F1902M: A CON H")
    hall.order("TURKEY", "STATUS")
    assert "A BUL - GRE" not in flat(hall, TURKEY)
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    game = hall.game()
    assert [line.text for line in game.order_set(SEAT)] == ["A CON H"]
    assert (game.standby_sets, game.standby_advance) == ({}, {})


def test_what_a_standby_sent_ahead_runs_with_the_moves_of_two_seasons(hall: Hall) -> None:
    begin(hall, "seasons: two\nmissing: hold")
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "A CON - BUL\nF1902M: A BUL H\nW1902A: A CON B")
    assert [one.label for one in hall.game().standby_advance[SEAT]] == ["F1902M", "W1902A"]
    miss(hall)
    miss(hall)
    assert label(hall) == "S1903M"
    with hall.database.transaction() as tx:
        ran = tx.phases.named("balkan", "W1902A")
    assert ran is not None
    assert [line.text for line in ran.order_sets[SEAT]] == ["A CON B"]


def test_no_standby_leaves_the_lists_and_the_seat_on_call(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    assert hall.game().seat(SEAT).standby is not None
    reply(hall, HANA, "NO STANDBY")
    assert hall.said(HANA, Personal).kind is PersonalKind.NO_STANDBY
    assert hall.game().seat(SEAT).standby is None
    with hall.database.transaction() as tx:
        assert tx.players.standbys("", "game balkan") == ()


def test_whoever_is_off_a_game_is_not_called_from_the_list_of_all(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    reply(hall, HANA, "NO STANDBY balkan")
    miss(hall)
    assert not notices(hall, HANA)
    reply(hall, HANA, "STANDBY balkan")
    reply(hall, HANA, "YES")  # the letter is theirs
    miss(hall)
    assert notices(hall, HANA) == [StandbyEvent.VACANT]


def test_the_list_of_a_game_comes_before_those_of_boards_and_of_all(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA, "STANDBY")
    stand_by(hall, BEN, "STANDBY standard")
    assert hall.said(BEN, Personal).kind is PersonalKind.STANDBY_VARIANT
    stand_by(hall, "cleo@example.test", "STANDBY balkan")
    miss(hall)
    assert notices(hall, "cleo@example.test") == [StandbyEvent.ASKED]
    assert not notices(hall, HANA) + notices(hall, BEN)


def test_nobody_is_called_where_the_settings_forbid_it(hall: Hall) -> None:
    begin(hall, "standby: no")
    stand_by(hall, HANA)
    miss(hall)
    assert not notices(hall, HANA)


def test_a_forgotten_standby_is_asked_no_more(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "FORGET ME")
    reply(hall, HANA, "YES")
    assert hall.game().seat(SEAT).standby is None
    with hall.database.transaction() as tx:
        assert tx.players.standbys("") == ()


def test_orders_of_a_standby_do_not_outlast_the_call(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "A CON - BUL")
    hall.post(MASTER, "EJECT TURKEY no letters", reply_to=hall.last(MASTER))
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))
    game = hall.game()
    assert game.seat(SEAT).standby is None
    assert SEAT not in game.standby_sets


@pytest.mark.parametrize(
    "line",
    [
        "EJECT TURKEY silent",
        "DUMMY TURKEY silent",
        "SWAP TURKEY ITALY",
        "ROLLBACK S1901M lost",
        "TERMINATE x",
    ],
)
def test_a_standby_is_told_that_the_master_has_ended_the_call(hall: Hall, line: str) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    reply(hall, HANA, "A CON - BUL")
    reply(hall, MASTER, line)
    reply(hall, MASTER, "YES")
    assert notices(hall, HANA) == [StandbyEvent.ASKED, StandbyEvent.STORED, StandbyEvent.ENDED]
    assert hall.said(HANA, StandbyNotice).seat == SEAT
    assert "You no longer stand by for Turkey." in flat(hall, HANA)


def test_a_standby_is_told_that_the_players_have_ended_the_game(hall: Hall) -> None:
    begin(hall)
    stand_by(hall, HANA)
    miss(hall)
    for power in POWERS[:-1]:
        hall.order(power, "DRAW")
    assert hall.game().ending
    assert notices(hall, HANA) == [StandbyEvent.ASKED, StandbyEvent.ENDED]


# --- takeovers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", ["forgotten", "ejected", "swapped"])
def test_orders_of_a_standby_who_is_off_the_seat_do_not_run(hall: Hall, leaves: str) -> None:
    begin(hall)
    stand_by(hall, HANA, "STANDBY balkan")
    miss(hall)
    reply(hall, HANA, "A CON - BUL")
    reply(hall, HANA, "F1902M: A BUL - GRE")
    assert hall.game().standby_sets
    assert hall.game().standby_advance
    if leaves == "forgotten":
        reply(hall, HANA, "FORGET ME")
        reply(hall, HANA, "YES")
    else:
        reply(hall, MASTER, "EJECT TURKEY silent" if leaves == "ejected" else "SWAP TURKEY ITALY")
        reply(hall, MASTER, "YES")
    assert hall.game().seat(SEAT).standby is None
    assert hall.game().standby_sets == {}
    assert hall.game().standby_advance == {}


def test_whoever_takes_a_seat_in_grace_has_two_days_and_sees_nothing_of_before(hall: Hall) -> None:
    begin(hall)
    hall.order("FRANCE", "PRESS TO TURKEY\nShall we?\nENDPRESS")
    hall.order("TURKEY", "A CON - BUL\nPHASE S1902M\nA CON - BUL")
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    for power in POWERS[1:-1]:
        hall.order(power, "READY")
    hall.pass_time(deadline(hall) + timedelta(hours=1))  # in grace, for Austria
    hall.register(HANA, "Hana")
    reply(hall, HANA, "JOIN balkan")
    joined = hall.said(HANA, Joined)
    assert joined.seat == SEAT
    assert deadline(hall) >= hall.instant + timedelta(hours=48)
    assert hall.said(FRANCE, DeadlineMoved).reason is MoveReason.TAKEOVER
    assert not hall.was_told(HANA, PressReceived)
    assert not hall.game().order_set(SEAT)
    assert not hall.game().advance_of(SEAT)
    told = [" ".join(hall.text(row).split()) for row in hall.out if row.recipient == HANA]
    assert any("A CON" in one and "Due: " in one for one in told)


def test_a_lost_player_who_returns_takes_the_seat_again_and_stretches_nothing(hall: Hall) -> None:
    begin(hall)
    miss(hall)
    miss(hall)
    assert hall.game().seat(SEAT).player is None
    due = deadline(hall)
    hall.pass_time(due - timedelta(hours=2))
    hall.order("TURKEY", "A CON H")
    assert hall.said(TURKEY, SeatChanged).event is SeatEvent.RETAKEN
    assert deadline(hall) == due
    assert any("The player of Turkey is back." in hall.text(row) for row in hall.out)


def test_a_player_who_takes_the_seat_again_asks_phases_to_wait_as_before(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "WAIT ALWAYS")
    miss(hall)
    miss(hall)
    assert not hall.game().seat(SEAT).wait
    hall.order("TURKEY", "A CON H")
    seat = hall.game().seat(SEAT)
    assert seat.player
    assert (seat.wait, seat.prefers_wait) == (True, True)


@pytest.mark.parametrize("comes", [TURKEY, BEN])
def test_a_standby_is_told_that_somebody_plays_the_vacant_seat(hall: Hall, comes: str) -> None:
    begin(hall)
    miss(hall)
    miss(hall)
    stand_by(hall, HANA)
    miss(hall)
    assert notices(hall, HANA) == [StandbyEvent.VACANT]
    reply(hall, HANA, "A CON - BUL")
    if comes == BEN:
        hall.register(BEN, "Ben")
    hall.post(comes, "JOIN balkan TURKEY")
    hall.post(comes, "YES", reply_to=hall.last(comes))
    assert hall.game().seat(SEAT).standby is None
    event = SeatEvent.TAKEN if comes == BEN else SeatEvent.RETAKEN
    assert hall.said(HANA, SeatChanged).event is event


def test_results_name_no_vacant_seat_that_a_standby_has_taken(hall: Hall) -> None:
    begin(hall, "missing: vacant")
    stand_by(hall, HANA)
    miss(hall)
    assert hall.game().seat(SEAT).player is None
    reply(hall, HANA, "A CON - BUL")
    all_but_turkey(hall)
    hall.run_phase()
    assert hall.said(FRANCE, Results).taken == (SEAT,)
    assert "Nobody plays Turkey" not in flat(hall, FRANCE)
    assert hall.game().seat(SEAT).player is not None


@pytest.mark.parametrize(
    ("language", "body"),
    [
        ("en", "STANDBY balkan"),
        ("en", "I would like to be a standby in balkan"),
        ("ko", "balkan에 대기 선수로 넣어 주세요"),
        ("zh_Hant", "候補 balkan"),
        ("ja", "控え登録 balkan"),
    ],
)
def test_a_stranger_stands_by_with_two_letters(hall: Hall, language: str, body: str) -> None:
    hall.start()
    hall.post("new@example.test", body, name="Neo", language=language)
    asked = hall.said("new@example.test", Registered)
    assert (asked.confirmed, asked.then) == (False, bilingual_line("STANDBY balkan", language))
    hall.post("new@example.test", "yes", reply_to=hall.last("new@example.test"), name="Neo")
    assert hall.said("new@example.test", Personal).kind is PersonalKind.STANDBY_GAME


def test_a_standby_of_a_vacant_seat_is_told_that_it_is_theirs(hall: Hall) -> None:
    begin(hall)
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    stand_by(hall, HANA)
    miss(hall)
    assert StandbyEvent.VACANT in notices(hall, HANA)
    reply(hall, HANA, "A CON - BUL")
    told = flat(hall, HANA)
    assert "They run, and the seat is yours then. Nobody is told of them before." in told
    assert "only if nothing comes from the player" not in told
