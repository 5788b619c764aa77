"""Getting a seat, waiting for the start, losing the seat and taking it again, letter by letter."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import ConfirmAsked, Deed, Done, JoinAsked, Joined
from judge.host.messages.game_events import SeatChanged, SeatEvent, Started
from judge.host.messages.games import GameStatus
from judge.host.messages.order_answers import NotRead, OrdersAnswer
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import SeatId
from judge.store import OutboxRow, PlayerId, Status

from .conftest import POWERS, Hall, address_of

ANN, BEN = "ann@example.test", "ben@example.test"
FRANCE, TURKEY = address_of("FRANCE"), address_of("TURKEY")
DAY = timedelta(days=1)


def flat(hall: Hall, row: OutboxRow) -> str:
    return " ".join(hall.text(row).split())


def reply(hall: Hall, address: str, body: str) -> None:
    hall.post(address, body, reply_to=hall.last(address))


def apply(hall: Hall, confirmation: str = "yes") -> None:
    """Ann joins a game that waits for others."""
    hall.create()
    hall.post(ANN, "JOIN balkan", name="Ann")
    reply(hall, ANN, confirmation)


def wish(hall: Hall) -> str | None:
    (applicant,) = hall.game().applicants
    return applicant.wish


# --- before the start -----------------------------------------------------------------------------


def test_before_the_start_a_reply_of_status_shows_who_is_missing(hall: Hall) -> None:
    apply(hall)
    reply(hall, ANN, "STATUS")
    status = hall.said(ANN, GameStatus)
    assert (status.status, status.missing_players) == (Status.FORMING, 6)


def test_before_the_start_one_leaves_at_once(hall: Hall) -> None:
    apply(hall)
    reply(hall, ANN, "RESIGN")
    assert hall.said(ANN, Done).deed is Deed.LEFT
    assert hall.game().applicants == ()
    reply(hall, ANN, "JOIN balkan")
    assert len(hall.game().applicants) == 1


def test_before_the_start_a_wish_can_be_changed(hall: Hall) -> None:
    apply(hall)
    reply(hall, ANN, "JOIN balkan RUSSIA")
    assert wish(hall) == "RUSSIA"
    reply(hall, ANN, "JOIN balkan italy")
    assert wish(hall) == "ITALY"
    assert "Your power is noted: Italy." in hall.text(hall.last(ANN))


def test_a_wish_that_somebody_else_has_is_refused(hall: Hall) -> None:
    apply(hall)
    hall.post(BEN, "JOIN balkan RUSSIA")
    reply(hall, BEN, "yes")
    reply(hall, ANN, "JOIN balkan RUSSIA")
    assert hall.said(ANN, Refusal).kind is RefusalKind.SEAT_TAKEN


@pytest.mark.parametrize(
    "words",
    ["네\n러시아로 하고 싶어요!", "Yes\nI would love to play Russia.", "はい\nロシアを希望します"],
)
def test_a_power_named_in_the_confirming_reply_is_asked_about(hall: Hall, words: str) -> None:
    apply(hall, words)
    assert wish(hall) is None
    assert hall.said(ANN, ConfirmAsked).what == "wish"
    reply(hall, ANN, "YES")
    assert wish(hall) == "RUSSIA"


def test_a_power_named_without_a_yes_is_asked_about_with_the_joining(hall: Hall) -> None:
    apply(hall, "러시아로 하고 싶어요!")
    assert hall.said(ANN, JoinAsked).wish == "RUSSIA"
    reply(hall, ANN, "네")
    assert wish(hall) == "RUSSIA"


def test_what_else_the_confirming_reply_says_is_shown_or_done(hall: Hall) -> None:
    apply(hall, "Yes, please\nI am away on Sundays, is that a problem?\nSET LANGUAGE ko")
    assert hall.said(ANN, NotRead).lines == ("I am away on Sundays, is that a problem?",)
    with hall.database.transaction() as tx:
        player = tx.players.by_address(ANN)
    assert player is not None
    assert player.language == "ko"
    assert len(hall.was_told(ANN, Joined)) == 1


def test_orders_before_the_start_are_told_to_be_too_early(hall: Hall) -> None:
    apply(hall)
    reply(hall, ANN, "READY")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NOT_BEGUN


@pytest.mark.parametrize("chair", ["?balkan", "Rbalkan", "RUSSIA@balkan"])
def test_before_the_start_the_password_signs_on(hall: Hall, chair: str) -> None:
    apply(hall)
    password = hall.said(ANN, Joined).password
    hall.post(ANN, f"SIGNON {chair} {password}\nSTATUS\nJOIN balkan TURKEY")
    assert hall.said(ANN, GameStatus).missing_players == 6
    assert wish(hall) == "TURKEY"


def test_before_the_start_a_wrong_password_signs_nobody_on(hall: Hall) -> None:
    apply(hall)
    hall.post(ANN, "SIGNON Rbalkan wrong\nRESIGN")
    assert len(hall.game().applicants) == 1


def test_who_fills_the_game_is_in_before_it_begins(hall: Hall) -> None:
    hall.start()
    rows = [row for row in hall.out if row.recipient == TURKEY]
    first = next(n for n, row in enumerate(rows) if isinstance(hall.messages(row)[0], Joined))
    second = next(n for n, row in enumerate(rows) if isinstance(hall.messages(row)[0], Started))
    assert first < second


# --- resigning ------------------------------------------------------------------------------------


def test_who_resigns_is_spoken_to_and_listed_no_longer(hall: Hall) -> None:
    hall.start()
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    told = hall.text(hall.last(TURKEY))
    assert "You no longer play Turkey." in told
    assert "Turkey has left" not in told
    hall.order("TURKEY", "A CON - BUL")
    assert hall.said(TURKEY, Refusal).kind is RefusalKind.NOT_A_PLAYER
    assert hall.game().seat(POWERS[-1]).player is None  # type: ignore[arg-type]
    hall.order("TURKEY", "JOIN balkan")
    assert hall.said(TURKEY, Joined).seat == "TURKEY"


@pytest.mark.parametrize(
    ("line", "opens", "is_told"),
    [("", True, True), ("", False, False), ("missing: caretaker", True, False)],
)
def test_a_resignation_tells_of_civil_disorder_where_there_is_some(
    hall: Hall, line: str, *, opens: bool, is_told: bool
) -> None:
    hall.start(line)
    if opens:
        hall.open_game()
        hall.run_phase()
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    told = " ".join(hall.text(hall.last(address_of("FRANCE"))).split())
    assert "has left the game. The seat is vacant and open to JOIN balkan" in told
    assert ("civil disorder" in told) is is_told


# --- losing a seat --------------------------------------------------------------------------------


def miss_twice(hall: Hall) -> None:
    """Turkey misses its second movement phase; the clock stands in its grace."""
    hall.start()
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    for _ in range(2):
        for power in POWERS[:-1]:
            hall.order(power, "READY")
        if hall.game().seat(POWERS[-1]).misses:  # type: ignore[arg-type]
            timing = hall.game().timing
            assert timing is not None
            hall.pass_time(timing.deadline_at)
        else:
            hall.run_phase()


def test_every_letter_before_a_seat_is_lost_says_so(hall: Hall) -> None:
    miss_twice(hall)
    letters = [row for row in hall.out if row.recipient == TURKEY and row.kind == "reminder"]
    *_, reminder, grace = [flat(hall, row) for row in letters]
    for letter in (reminder, grace):
        assert "your seat becomes vacant and open to others" in letter
    assert "your seat becomes vacant" not in flat(hall, letters[0])


def test_who_has_lost_a_seat_is_told_so_first_and_how_to_take_it_again(hall: Hall) -> None:
    miss_twice(hall)
    hall.run_phase()
    letter = hall.text(hall.last(TURKEY))
    assert "results: your seat is vacant" in letter.splitlines()[0]
    assert letter.splitlines()[2] == "Your seat is vacant now."
    assert "a reply with orders takes it again" in " ".join(letter.split())
    hall.order("TURKEY", "A CON H")
    assert hall.said(TURKEY, SeatChanged).event is SeatEvent.RETAKEN
    assert len(hall.said(TURKEY, OrdersAnswer).order_set) == 1
    told = flat(hall, hall.last(TURKEY))
    assert "by this letter it is yours again" in told


@pytest.mark.parametrize("command", ["READY", "WAIT", "DRAW"])
def test_any_command_of_the_seat_takes_it_again(hall: Hall, command: str) -> None:
    miss_twice(hall)
    hall.run_phase()
    hall.order("TURKEY", command)
    assert hall.game().seat(POWERS[-1]).player is not None  # type: ignore[arg-type]
    assert hall.said(FRANCE, SeatChanged).event is SeatEvent.RETAKEN


def test_the_newcomer_reads_all_and_the_replaced_player_is_told(hall: Hall) -> None:
    miss_twice(hall)
    hall.run_phase()
    hall.post(ANN, "JOIN balkan TURKEY", name="Ann")
    reply(hall, ANN, "yes")
    letter = flat(hall, hall.last(ANN))
    assert "You play Turkey." in letter
    assert "A CON army in Constantinople" in letter
    assert "Due: " in letter
    assert "Supply centers: Austria" in letter
    told = hall.said(TURKEY, SeatChanged)
    assert (told.event, told.who) == (SeatEvent.REPLACED, "Ann")
    reply(hall, TURKEY, "A CON H")
    assert hall.said(TURKEY, Refusal).kind is RefusalKind.NOT_A_PLAYER
    holder = hall.game().seat(POWERS[-1]).player  # type: ignore[arg-type]
    with hall.database.transaction() as tx:
        player = tx.players.get(PlayerId(str(holder)))
    assert player is not None
    assert player.addresses == (ANN,)


def test_the_line_that_the_letter_of_joining_shows_signs_on_from_anywhere(hall: Hall) -> None:
    hall.start()
    hall.order("TURKEY", "RESIGN")
    hall.post(address_of("TURKEY"), "yes", reply_to=hall.last(address_of("TURKEY")))
    hall.register(ANN, "Ann")
    hall.post(ANN, "JOIN balkan TURKEY")
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    row = next(row for row in hall.out if "SIGNON" in hall.text(row) and row.recipient == ANN)
    line = next(one for one in hall.text(row).splitlines() if "SIGNON" in one).strip()
    chair, _, hidden = line.rpartition(" ")  # in what is kept of a letter no password stands
    assert set(hidden) == {"*"}
    hall.post("ann@work.test", f"{chair} {hall.said(ANN, Joined).password}\nA CON - BUL")
    assert [one.text for one in hall.game().order_set(SeatId("TURKEY"))] == ["A CON - BUL"]
