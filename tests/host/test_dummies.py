"""Powers that nobody is to play: chosen in CREATE, by the rulebook's tables or one by one."""

import pytest

from judge.host.games.absences import make_dummy, make_dummy_vacant
from judge.host.messages.command_answers import Created, SettingsRefused
from judge.host.messages.game_events import GameWaits, Results, SeatChanged, SeatEvent
from judge.host.messages.games import GameList, GameStatus
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.hosting import Hosting
from judge.rulebook import SeatId
from judge.store import Status, Unplayed

from .conftest import POWERS, Hall, address_of

MASTER, FRANCE = "gm@example.test", address_of("FRANCE")
PLAYED = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA")


@pytest.mark.parametrize(
    "lines",
    [
        "dummies: ITALY TURKEY",
        "Dummies: Italy, Turkey",
        "더미: 이탈리아, 터키",
        "空席国: イタリア、トルコ",
        "無人強國：義大利、土耳其",
    ],
)
def test_a_game_begins_without_players_for_its_dummies(hall: Hall, lines: str) -> None:
    hall.create(lines)
    assert hall.said(MASTER, Created).faults == ()
    assert hall.game().settings.dummies == ("ITALY", "TURKEY")
    for power in PLAYED:
        hall.join(power)
    game = hall.game()
    assert game.status is Status.ACTIVE
    assert [seat.id for seat in game.seats if seat.is_dummy] == ["ITALY", "TURKEY"]
    assert [seat.id for seat in game.seats if seat.is_open] == []


def test_nobody_gets_a_dummy_by_wish(hall: Hall) -> None:
    hall.create("dummies: ITALY")
    hall.post(FRANCE, "JOIN balkan ITALY", name="Ann")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.SEAT_TAKEN


def test_a_power_that_somebody_asked_for_may_become_a_dummy(hall: Hall) -> None:
    hall.create()
    for power in POWERS[:-1]:
        hall.join(power)
    hall.post(MASTER, "SET dummies: FRANCE", reply_to=hall.last(MASTER))
    game = hall.game()
    assert game.status is Status.ACTIVE
    assert [seat.id for seat in game.seats if seat.player is None] == ["FRANCE"]


def test_a_full_game_has_no_room_for_another_dummy(hall: Hall) -> None:
    hall.create("start: manual")
    for power in POWERS:
        hall.join(power)
    hall.post(MASTER, "SET dummies: FRANCE", reply_to=hall.last(MASTER))
    assert [one.kind for one in hall.said(MASTER, SettingsRefused).faults] == ["fixed_seats"]
    hall.post(MASTER, "START balkan", reply_to=hall.last(MASTER))
    assert hall.game().status is Status.ACTIVE


def test_dummies_hold_and_hold_up_nothing(hall: Hall) -> None:
    hall.start("dummies: ITALY TURKEY", PLAYED)
    for power in PLAYED:
        hall.order(power, "READY")
    hall.run_phase()
    assert not hall.was_told(FRANCE, GameWaits)
    told = hall.said(FRANCE, Results)
    assert told.missing == ()  # the letter does not complain of them
    text = hall.text(hall.last(FRANCE))
    assert "F NAP" in text
    game = hall.game()
    assert [seat.misses for seat in game.seats] == [0] * 7


def test_a_seat_is_made_a_dummy_and_opened_again(hall: Hall) -> None:
    hall.start()
    for power in POWERS:
        hall.order(power, "A LVP - YOR" if power == "ENGLAND" else "READY")
    hosting = Hosting(hall.settings, hall.database, hall, b"secret of the tests")  # type: ignore[arg-type]
    game = hall.game()
    with hall.database.transaction() as tx, hosting.unit_of_work(tx, "test") as work:
        make_dummy(work, game, game.seat(SeatId("ENGLAND")))
    hall.tick()
    england = address_of("ENGLAND")
    assert hall.said(england, SeatChanged).event is SeatEvent.DUMMY
    assert "You no longer play England." in hall.text(hall.last(england))
    assert hall.said(FRANCE, SeatChanged).event is SeatEvent.DUMMY
    assert hall.game().order_sets.keys() == set()
    hall.order("ENGLAND", "A LVP - YOR")
    assert hall.game().seat(SeatId("ENGLAND")).is_dummy
    game = hall.game()
    with hall.database.transaction() as tx, hosting.unit_of_work(tx, "again") as work:
        make_dummy_vacant(work, game, game.seat(SeatId("ENGLAND")))
    hall.tick()
    assert hall.said(FRANCE, SeatChanged).event is SeatEvent.REVIVED
    hall.register("new@else.test", "Nora")
    hall.post("new@else.test", "JOIN balkan ENGLAND", reply_to=hall.last("new@else.test"))
    assert hall.game().seat(SeatId("ENGLAND")).player is not None


def test_the_computer_defends_dummies_where_the_game_says_so(hall: Hall) -> None:
    hall.start("dummies: ITALY\nunplayed: caretaker", [*PLAYED, "TURKEY"])
    for power in (*PLAYED, "TURKEY"):
        hall.order(power, "READY")
    hall.run_phase()
    with hall.database.transaction() as tx:
        phase = tx.phases.named("balkan", "S1901M")
    assert phase is not None
    assert len(phase.order_sets[SeatId("ITALY")]) == 3


@pytest.mark.parametrize(
    "lines", ["players: 5\nunplayed: caretaker", "unplayed: caretaker\nplayers: 5"]
)
def test_powers_that_the_rulebook_leaves_out_may_be_defended(hall: Hall, lines: str) -> None:
    hall.create(lines)
    settings = hall.game().settings
    assert (settings.dummies, settings.unplayed) == (("GERMANY", "ITALY"), Unplayed.CARETAKER)
    assert len(hall.said(MASTER, Created).seats) == 5


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ("dummies: ITALY NARNIA", "bad_option"),
        ("dummies: A E F G I R T", "bad_option"),
        ("players: 3\nunplayed: caretaker", "contradiction"),
    ],
)
def test_dummies_that_cannot_be_are_named(hall: Hall, lines: str, kind: str) -> None:
    hall.create(lines)
    assert [one.kind for one in hall.said(MASTER, Created).faults] == [kind]


def test_listings_say_that_a_dummy_is_not_played(hall: Hall) -> None:
    hall.start("dummies: ITALY TURKEY", PLAYED)
    hall.order("FRANCE", "LIST\nSTATUS")
    assert hall.said(FRANCE, GameStatus).missing_players == 0
    (row,) = hall.said(FRANCE, GameList).games
    assert (row.players, row.seats, row.vacant) == (5, 5, ())
    text = hall.text(hall.last(FRANCE))
    assert "Not played" in text
    assert "Italy, Turkey; units hold" in text
