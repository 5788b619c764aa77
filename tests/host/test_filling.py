"""From a game that is full to its first letter: YES once more, the waiting list, wishes."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import Joined, Preferences
from judge.host.messages.game_events import Filling, FillingEvent, Started
from judge.host.messages.games import GameStatus
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Status

from .conftest import POWERS, Hall, address_of

MASTER = "gm@example.test"
ANN = "ann@example.test"
A_DAY = timedelta(days=1)


def join(hall: Hall, name: str, game: str = "balkan") -> str:
    """A stranger joins, without a wish; their address."""
    address = f"{name}@example.test"
    hall.post(address, f"JOIN {game}", name=name.title())
    hall.post(address, "yes", reply_to=hall.last(address))
    return address


def say_yes(hall: Hall, address: str) -> None:
    asked = [row for row in hall.out if row.recipient == address and row.kind == "filling"][-1]
    hall.post(address, "Yes, thank you.", reply_to=asked)


def filled(hall: Hall) -> list[str]:
    """A game that two joined three days before the other five."""
    hall.create()
    early = [join(hall, name) for name in ("anna", "bert")]
    hall.pass_time(3 * A_DAY)
    return early + [join(hall, name) for name in ("carl", "dora", "emil", "fay", "gus")]


def events(hall: Hall, address: str) -> list[FillingEvent]:
    return [one.event for one in hall.was_told(address, Filling)]


def test_a_yes_that_is_fresh_counts_and_the_game_begins_at_once(hall: Hall) -> None:
    hall.create()
    for name in ("anna", "bert", "carl", "dora", "emil", "fay", "gus"):
        join(hall, name)
    assert hall.game().status is Status.ACTIVE


def test_whoever_said_yes_long_ago_says_it_again(hall: Hall) -> None:
    anna, bert, carl, *_ = filled(hall)
    assert hall.game().status is Status.FORMING
    assert events(hall, anna) == events(hall, bert) == [FillingEvent.ASKED]
    assert events(hall, carl) == events(hall, MASTER) == [FillingEvent.FULL]
    told = hall.text(hall.last(carl))
    assert "2 players have not said YES yet." in told
    assert "  Anna\n  Bert\n  Carl" in told.replace("\r", "")  # one letter tells who has joined

    say_yes(hall, anna)
    assert events(hall, anna)[1:] == [FillingEvent.KEPT]
    hall.pass_time(A_DAY)
    assert events(hall, bert)[-1] is FillingEvent.REMINDED
    assert FillingEvent.REMINDED not in events(hall, anna)
    say_yes(hall, bert)
    assert hall.game().status is Status.ACTIVE
    assert hall.said(bert, Started).game.seat is not None


def test_a_place_without_a_yes_goes_to_the_waiting_list(hall: Hall) -> None:
    anna, bert, *_ = filled(hall)
    hall.post(ANN, "JOIN balkan", name="Ann")
    assert hall.said(ANN, Refusal).kind is RefusalKind.GAME_FULL
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert hall.said(ANN, Filling).event is FillingEvent.QUEUED
    assert hall.said(ANN, Filling).place == 1
    hall.post(ANN, "JOIN balkan", reply_to=hall.last(ANN))
    assert hall.said(ANN, Refusal).kind is RefusalKind.ALREADY_IN

    say_yes(hall, anna)
    hall.pass_time(2 * A_DAY)
    assert hall.game().status is Status.ACTIVE
    assert hall.said(ANN, Started).game.seat is not None
    assert events(hall, bert)[-1] is FillingEvent.LOST
    assert not hall.was_told(bert, Started)
    asked = [row for row in hall.out if row.recipient == bert and row.kind == "filling"]
    hall.post(bert, "yes", reply_to=asked[0])
    assert hall.said(bert, Refusal).kind is RefusalKind.EXPIRED
    say_yes(hall, bert)
    assert hall.said(bert, Refusal).kind is RefusalKind.GAME_FULL


def test_a_place_without_a_yes_is_open_again(hall: Hall) -> None:
    anna, _, carl, *_ = filled(hall)
    hall.pass_time(2 * A_DAY)
    game = hall.game()
    assert (game.status, len(game.applicants), game.due_at) == (Status.FORMING, 5, None)
    assert events(hall, anna)[-1] is FillingEvent.LOST
    assert events(hall, carl)[-1] is events(hall, MASTER)[-1] is FillingEvent.REOPENED
    assert hall.said(carl, Filling).missing_players == 2
    say_yes(hall, anna)
    join(hall, "hal")
    assert hall.game().status is Status.ACTIVE  # the others said YES two days ago


def test_whoever_leaves_a_full_game_makes_room_for_the_first_who_waits(hall: Hall) -> None:
    anna, bert, *_ = filled(hall)
    first, second = join(hall, "ina"), join(hall, "jo")
    assert hall.said(second, Filling).place == 2
    hall.post(second, "RESIGN", reply_to=hall.last(second))
    assert [one.player for one in hall.game().waiting] != []
    hall.post(bert, "No, sorry.", reply_to=hall.last(bert))
    assert hall.game().waiting == ()
    assert hall.said(first, Filling).is_new
    join(hall, "kim")
    say_yes(hall, anna)
    assert hall.game().status is Status.ACTIVE
    assert events(hall, "kim@example.test")[-1] is FillingEvent.BEGUN
    assert hall.game().waiting == ()


def test_nobody_is_asked_where_the_game_says_so(hall: Hall) -> None:
    hall.create("confirm: no")
    early = join(hall, "anna")
    hall.pass_time(30 * A_DAY)
    for name in ("bert", "carl", "dora", "emil", "fay", "gus"):
        join(hall, name)
    assert hall.game().status is Status.ACTIVE
    assert events(hall, early) == []


# --- wishes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "ties"),
    [
        ("FRANCE, ENGLAND=GERMANY, *", ("FRANCE", "ENGLAND GERMANY", "*")),
        ("France England = Germany", ("FRANCE", "ENGLAND GERMANY")),
        ("F[EG]*", ("FRANCE", "ENGLAND GERMANY", "*")),
        ("FEG", ("FRANCE", "ENGLAND", "GERMANY")),
        ("프랑스, 영국=독일", ("FRANCE", "ENGLAND GERMANY")),
        ("トルコ、ロシア", ("TURKEY", "RUSSIA")),
        ("土耳其 > 俄羅斯", ("TURKEY", "RUSSIA")),
    ],
)
def test_wishes_are_read_with_ties(hall: Hall, written: str, ties: tuple[str, ...]) -> None:
    hall.create()
    address = join(hall, "anna")
    hall.post(address, f"PREFER {written}", reply_to=hall.last(address))
    named = {one for tie in ties for one in tie.split()}
    rest = " ".join(power for power in POWERS if power not in named)
    wanted = tuple(tuple((rest if tie == "*" else tie).split()) for tie in ties)
    assert hall.said(address, Preferences).ties == wanted
    hall.post(address, "STATUS", reply_to=hall.last(address))
    assert hall.said(address, GameStatus).preferences == wanted


def test_a_power_that_is_not_there_is_refused_and_the_wishes_stay(hall: Hall) -> None:
    hall.create()
    address = join(hall, "anna")
    hall.post(address, "PREFER FRANCE", reply_to=hall.last(address))
    hall.post(address, "PREFER Atlantis, FRANCE", reply_to=hall.last(address))
    assert hall.said(address, Refusal).kind is RefusalKind.NO_POWER
    assert hall.game().applicants[0].preferences == (("FRANCE",),)


def test_powers_are_dealt_by_the_lists_of_wishes(hall: Hall) -> None:
    hall.create()
    lists = {
        "anna": "TURKEY",
        "bert": "FRANCE, ENGLAND",
        "carl": "FRANCE, ENGLAND",
        "dora": "AUSTRIA=ITALY",
        "emil": "AUSTRIA=ITALY",
        "fay": "",
    }
    for name, written in lists.items():
        address = join(hall, name)
        if written:
            hall.post(address, f"PREFER {written}", reply_to=hall.last(address))
    hall.post(address_of("RUSSIA"), "JOIN balkan RUSSIA")
    hall.post(address_of("RUSSIA"), "yes", reply_to=hall.last(address_of("RUSSIA")))
    dealt = {name: hall.said(f"{name}@example.test", Started).game.seat for name in lists}
    assert hall.said(address_of("RUSSIA"), Started).game.seat == "RUSSIA"
    assert dealt["anna"] == "TURKEY"
    assert {dealt["bert"], dealt["carl"]} == {"FRANCE", "ENGLAND"}
    assert {dealt["dora"], dealt["emil"]} == {"AUSTRIA", "ITALY"}
    assert dealt["fay"] == "GERMANY"


def test_where_powers_go_by_lot_nobody_wishes(hall: Hall) -> None:
    hall.create("powers: random")
    hall.post(ANN, "JOIN balkan FRANCE")
    assert RefusalKind.DEALT_BY_LOT in {one.kind for one in hall.was_told(ANN, Refusal)}
    hall.post(ANN, "yes\nPREFER FRANCE", reply_to=hall.last(ANN))
    assert hall.said(ANN, Joined).seat is None
    assert hall.said(ANN, Refusal).kind is RefusalKind.DEALT_BY_LOT
    assert hall.game().applicants[0].preferences == ()
