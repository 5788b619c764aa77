"""Ends that players agree on, and ends that a master has set: letter by letter."""

import pytest

from judge.host.messages.command_answers import BallotCast, Created, GameStatus
from judge.host.messages.game_events import GameOver
from judge.host.messages.refusals import Refusal
from judge.host.messages.refusals import RefusalKind as Kind
from judge.store import Status

from .conftest import POWERS, Hall, address_of

FRANCE = address_of("FRANCE")
OTHERS = [power for power in POWERS if power != "FRANCE"]


def test_all_others_concede_and_he_has_won(hall: Hall) -> None:
    hall.start()
    for power in OTHERS[:-1]:
        hall.order(power, "CONCEDE TO FRANCE")
        motion = hall.said(address_of(power), BallotCast).motion
        assert (motion.needed, motion.voters, motion.own) == (len(OTHERS), len(OTHERS), True)
        assert hall.game().status is Status.ACTIVE
    hall.order(OTHERS[-1], "concede France")
    game = hall.game()
    assert (game.status, game.ending, game.winners) == (
        Status.FINISHED,
        "concession",
        ("FRANCE",),
    )
    assert hall.said(FRANCE, GameOver).ending == "concession"


def test_a_concession_is_for_one_power_and_can_be_taken_back(hall: Hall) -> None:
    hall.start()
    for power in OTHERS[:-1]:
        hall.order(power, "CONCEDE TO FRANCE")
    hall.order("TURKEY", "CONCEDE TO RUSSIA")  # not to France: nothing is agreed
    assert hall.game().status is Status.ACTIVE
    hall.order("TURKEY", "STATUS")
    (motion,) = hall.said(address_of("TURKEY"), GameStatus).motions
    assert (motion.kind, motion.seats, motion.own) == ("concession", ("RUSSIA",), True)
    hall.order("AUSTRIA", "NO CONCEDE")
    assert hall.said(address_of("AUSTRIA"), BallotCast).motion.own is None
    hall.order("TURKEY", "CONCEDE TO FRANCE")
    assert hall.game().status is Status.ACTIVE
    hall.order("AUSTRIA", "CONCEDE TO FRANCE")
    assert hall.game().status is Status.FINISHED


def test_a_concession_lapses_with_the_phase(hall: Hall) -> None:
    hall.start()
    hall.order("TURKEY", "CONCEDE TO FRANCE")
    hall.open_game()
    hall.run_phase()
    assert hall.game().proposals == ()


@pytest.mark.parametrize("written", ["ATLANTIS", "FRANCE", "the strongest of us"])
def test_only_others_in_play_can_be_conceded_to(hall: Hall, written: str) -> None:
    hall.start()
    hall.order("FRANCE", f"CONCEDE TO {written}")
    refusal = hall.said(FRANCE, Refusal)
    assert refusal.kind is Kind.NO_CONCESSION_TO
    assert refusal.values == {"written": written, "known": OTHERS}


def test_a_master_rules_agreed_ends_out(hall: Hall) -> None:
    hall.start("draws: no\nconcessions: no")
    settings = hall.said("gm@example.test", Created).settings
    assert settings.votes == ()
    hall.order("FRANCE", "DRAW")
    assert hall.said(FRANCE, Refusal).kind is Kind.NO_DRAWS
    hall.order("FRANCE", "CONCEDE TO TURKEY")
    assert hall.said(FRANCE, Refusal).kind is Kind.NO_CONCESSIONS
    assert hall.was_told(FRANCE, BallotCast) == []


def hold_on(hall: Hall) -> None:
    """Nobody moves any more, until the game ends by itself."""
    for power in POWERS:
        hall.order(power, "READY")
    while hall.game().status is Status.ACTIVE:
        hall.run_phase()


def test_a_game_ends_with_its_last_year(hall: Hall) -> None:
    hall.start("last year: 1901\nundecided: most\ngrace: 0")
    hold_on(hall)
    game = hall.game()
    assert (game.ending, game.winners) == ("solo", ("RUSSIA",))


def test_a_game_of_nothing_new_is_a_draw(hall: Hall) -> None:
    hall.start("quiet years: 1\ngrace: 0")
    hold_on(hall)
    game = hall.game()
    assert (game.ending, len(game.winners)) == ("draw", 7)


def results(hall: Hall) -> list[tuple[object, ...]]:
    """What is recorded of finished games: seat, whose, since and until when, share, score."""
    sql = """SELECT seat, name, since, until, round(share, 3), score FROM results
        JOIN players ON players.id = player ORDER BY position"""
    return [tuple(row) for row in hall.database._tables.conn.execute(sql)]


def test_results_are_recorded_with_who_held_which_seat_and_when(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.run_phase()
    assert results(hall) == []
    turkey = address_of("TURKEY")
    hall.order("TURKEY", "RESIGN")
    hall.post(turkey, "YES", reply_to=hall.last(turkey))
    hall.post("ben@example.test", "JOIN balkan TURKEY", name="Ben")
    hall.post("ben@example.test", "YES", reply_to=hall.last("ben@example.test"), name="Ben")
    for power in (*POWERS[:-2], "RUSSIA"):
        hall.order(power, "DRAW")
    hall.post("ben@example.test", "DRAW", reply_to=hall.last("ben@example.test"))
    assert hall.game().status is Status.FINISHED
    recorded = results(hall)
    assert recorded[6:] == [
        ("TURKEY", "Turkey", "S1901M", "F1901M", 0.0, 3),
        ("TURKEY", "Ben", "F1901M", "", 0.143, 3),
    ]
    assert recorded[2] == ("FRANCE", "France", "S1901M", "", 0.143, 3)
    assert len(recorded) == 8


def test_whoever_takes_their_own_seat_again_in_the_same_phase_never_left_it(hall: Hall) -> None:
    hall.start()
    turkey = address_of("TURKEY")
    hall.order("TURKEY", "RESIGN")
    hall.post(turkey, "YES", reply_to=hall.last(turkey))
    hall.post(turkey, "JOIN balkan TURKEY", name="Turkey")
    hall.post(turkey, "YES", reply_to=hall.last(turkey))
    tenures = hall.game().tenures
    assert [(one.seat, one.since, one.until) for one in tenures[6:]] == [("TURKEY", "S1901M", "")]
