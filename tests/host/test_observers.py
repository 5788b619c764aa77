"""Those who read a game, those who look for one, and seats that change hands in it."""

import pytest

from judge.host.messages.command_answers import Deed, Done, Joined
from judge.host.messages.game_events import GameOver, Results, SeatChanged, SeatEvent, Started
from judge.host.messages.games import GameList, GameStatus
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import POWERS, Hall, address_of

ANN, BOB = "ann@example.test", "bob@example.test"
FRANCE = address_of("FRANCE")


def ask(hall: Hall, address: str, body: str) -> None:
    """Somebody whom the judge does not know asks for something, and confirms it."""
    hall.post(address, body, name=address.partition("@")[0].title())
    hall.post(address, "yes", reply_to=hall.last(address))


def test_an_observer_hears_results_alone_after_no_broadcast(hall: Hall) -> None:
    hall.start()
    ask(hall, ANN, "OBSERVE balkan")
    for line, is_quiet in (("SET NO BROADCAST", True), ("SET BROADCAST", False)):
        hall.post(ANN, line, reply_to=hall.last(ANN))
        assert [one.results_only for one in hall.game().observers] == [is_quiet]
    hall.order("FRANCE", "SET NO BROADCAST")
    assert hall.said(FRANCE, Refusal).kind is not RefusalKind.EJECTED
    assert len(hall.game().observers) == 1


def test_who_observes_one_game_need_not_name_it_to_leave(hall: Hall) -> None:
    hall.start()
    ask(hall, ANN, "OBSERVE balkan")
    hall.post(ANN, "HELP", reply_to=hall.last(ANN))
    hall.post(ANN, "UNSUBSCRIBE", reply_to=hall.last(ANN))
    assert hall.said(ANN, Done).deed is Deed.UNSUBSCRIBED
    hall.post(ANN, "HELP", reply_to=hall.last(ANN))
    for line in ("UNSUBSCRIBE", "OBSERVE"):
        hall.post(ANN, line, reply_to=hall.last(ANN))
        assert hall.said(ANN, Refusal).kind is RefusalKind.BAD_COMMAND
        hall.post(ANN, "HELP", reply_to=hall.last(ANN))


def test_an_observer_reads_what_everybody_reads_and_a_subscriber_results_alone(hall: Hall) -> None:
    hall.create("names: hidden")
    ask(hall, ANN, "OBSERVE balkan")
    ask(hall, BOB, "SUBSCRIBE balkan")
    assert [one.deed for one in hall.was_told(ANN, Done)] == [Deed.OBSERVES]
    assert [one.deed for one in hall.was_told(BOB, Done)] == [Deed.SUBSCRIBED]
    for power in POWERS:
        hall.join(power)
    assert {entry.player for entry in hall.said(ANN, Started).roster} == {""}
    hall.open_game()
    hall.run_phase()
    hall.order("FRANCE", "BROADCAST\nHello all.\nENDBROADCAST")
    hall.order("FRANCE", "PRESS TO ENGLAND\nA secret.\nENDPRESS")
    assert [one.text for one in hall.was_told(ANN, PressReceived)] == ["Hello all."]
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "yes")
    assert hall.said(ANN, SeatChanged).who == ""
    assert not hall.was_told(BOB, SeatChanged | PressReceived)
    for address in (ANN, BOB):
        assert hall.said(address, Results).game.seat is None

    hall.post(ANN, "UNSUBSCRIBE", reply_to=hall.last(ANN))
    assert hall.said(ANN, Done).deed is Deed.UNSUBSCRIBED
    hall.post(ANN, "UNSUBSCRIBE balkan", reply_to=hall.last(ANN))
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_OBSERVER
    for power in POWERS[:-1]:
        hall.order(power, "DRAW")
    assert not hall.was_told(ANN, GameOver)
    assert hall.said(BOB, GameOver).winners


def test_an_observer_speaks_for_nobody(hall: Hall) -> None:
    hall.start()
    ask(hall, ANN, "OBSERVE balkan")
    hall.order("FRANCE", "BROADCAST\nHello all.\nENDBROADCAST")
    before = hall.game()
    for body in ("A PAR - BUR", "PROCESS S1901M", "SET DEADLINE +1d", "RESIGN", "READY"):
        hall.post(ANN, body, reply_to=hall.last(ANN))
        assert hall.game() == before, body
    hall.post(FRANCE, "OBSERVE balkan", reply_to=hall.last(FRANCE))
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.ALREADY_IN
    hall.post(ANN, "STATUS balkan", reply_to=hall.last(ANN))
    assert hall.said(ANN, GameStatus).order_set is None


def test_a_player_goes_on_until_somebody_takes_the_seat(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "RESIGN UNTIL REPLACED")
    assert hall.said(FRANCE, Done).deed is Deed.LEAVING
    assert hall.said(address_of("TURKEY"), SeatChanged).event is SeatEvent.LEAVING
    hall.order("FRANCE", OPENING)
    hall.post(ANN, "LIST needs replacement")
    (row,) = hall.said(ANN, GameList).games
    assert row.vacant == ("FRANCE",)
    hall.order("FRANCE", "NO RESIGN")
    hall.post(ANN, "LIST VACANT")
    assert hall.said(ANN, GameList).games == ()
    hall.order("FRANCE", "RESIGN UNTIL REPLACED")
    ask(hall, ANN, "TAKEOVER FRANCE@balkan")
    assert hall.said(ANN, Joined).seat == "FRANCE"
    assert hall.said(FRANCE, SeatChanged).event is SeatEvent.REPLACED
    assert hall.game().order_set(hall.game().seats[2].id) == ()
    assert not hall.game().seats[2].is_leaving


OPENING = "A PAR - BUR\nA MAR H\nF BRE H"


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("LIST", ["balkan", "east", "spice", "west"]),
        ("LIST OPEN", ["east", "spice"]),
        ("LIST open games", ["east", "spice"]),
        ("목록 모집중", ["east", "spice"]),
        ("列表 招募中", ["east", "spice"]),
        ("一覧 募集中", ["east", "spice"]),
        ("LIST NEEDS REPLACEMENT", ["balkan"]),
        ("LIST VACANT", ["balkan"]),
        ("LIST colonial", ["spice"]),
        ("LIST KOREAN", ["east"]),
        ("목록 한국어", ["east"]),
        ("LIST OPEN standard", ["east"]),
        ("LIST OPEN japanese", []),
    ],
)
def test_games_are_listed_by_state_board_and_language(
    hall: Hall, written: str, names: list[str]
) -> None:
    hall.start()
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "yes")
    hall.create("language: ko", name="east")
    hall.create("variant: colonial", name="spice")
    hall.create("players: 2", name="west")
    for name in ("x", "y"):
        ask(hall, f"{name}@example.test", "JOIN west")
    hall.post(ANN, written)
    told = hall.said(ANN, GameList)
    assert sorted(row.name for row in told.games) == names
    if written == "LIST OPEN":
        text = hall.text(hall.last(ANN))
        assert "To join, write to judge@judge.test:\r\n  JOIN east\r\n" in text
    if not names:
        assert (
            hall.text(hall.last(ANN)).splitlines()[2]
            == "No game is like that. LIST shows them all."
        )


def test_ones_own_games_are_listed(hall: Hall) -> None:
    hall.start()
    hall.create(name="east", master=FRANCE)
    hall.post(FRANCE, "LIST MINE", reply_to=hall.last(FRANCE))
    assert [row.name for row in hall.said(FRANCE, GameList).games] == ["east", "balkan"]
    hall.post(FRANCE, "LIST blakan", reply_to=hall.last(FRANCE))
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_GAME
