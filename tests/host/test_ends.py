"""Ends that players agree on, and ends that a master has set: letter by letter."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import BallotCast, ConfirmAsked, Created, Kept
from judge.host.messages.game_events import Cancelled, GameOver, Papers, Proposed, Revealed
from judge.host.messages.games import GameStatus, Summary
from judge.host.messages.refusals import Refusal
from judge.host.messages.refusals import RefusalKind as Kind
from judge.store import Status

from .conftest import OPENINGS, POWERS, Hall, address_of
from .press_marks import PressMarks

FRANCE, MASTER = address_of("FRANCE"), "gm@example.test"
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


# --- the letter of the end ------------------------------------------------------------------------


def yes(hall: Hall, address: str) -> None:
    hall.post(address, "YES", reply_to=hall.last(address))


def replaced(hall: Hall, settings: str = "") -> None:
    """A game in its third phase, in which Turkey has changed hands."""
    hall.start(f"grace: 0\n{settings}")
    hall.open_game()
    hall.run_phase()
    hall.order("TURKEY", "RESIGN")
    yes(hall, address_of("TURKEY"))
    hall.post("ben@example.test", "JOIN balkan TURKEY", name="Ben")
    hall.post("ben@example.test", "YES", reply_to=hall.last("ben@example.test"), name="Ben")
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    hall.post("ben@example.test", "READY", reply_to=hall.last("ben@example.test"))
    hall.run_phase()


def all_agree(hall: Hall, written: str = "DRAW") -> None:
    for power in POWERS[:-1]:
        hall.order(power, written)
    hall.post("ben@example.test", written, reply_to=hall.last("ben@example.test"))
    assert hall.game().status is Status.FINISHED


def test_the_letter_of_the_end_says_it_all(hall: Hall) -> None:
    replaced(hall, "scoring: squares")
    hall.post(MASTER, "ARCHIVE NUMBER 2026-A 17", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Kept).number == "2026-A 17"
    all_agree(hall)
    over = hall.said(FRANCE, GameOver)
    assert [(one.player, one.since, one.until) for one in over.tenures] == [
        ("Turkey", "S1901M", "F1901M"),
        ("Ben", "F1901M", ""),
    ]
    assert round(sum(over.points.values())) == 100
    assert over.points["FRANCE"] > over.points["ITALY"]
    text = hall.text(hall.last(FRANCE))
    assert "The game is over: a draw of 7 powers." in text
    assert "Turkey: Turkey, from Spring 1901 movement until Fall 1901 movement" in text
    chart = [line for line in text.splitlines() if line.endswith(("  France", " 00 01"))]
    assert chart == ["   00 01", "    3  4  France"]
    assert "2026-A 17" in text
    assert "STATEMENT" in text
    assert hall.said("ben@example.test", GameOver).ending == "draw"


def test_the_history_of_a_drawn_game_ends_with_the_last_phase_that_ran(hall: Hall) -> None:
    replaced(hall)
    hall.order("FRANCE", "F POR H" if hall.game().phase.kind == "movement" else "B BRE F")  # type: ignore[union-attr]
    label = hall.game().phase.label  # type: ignore[union-attr]
    all_agree(hall)
    hall.order("FRANCE", "HISTORY balkan")
    text = hall.text(hall.last(FRANCE))
    assert "A PAR - BUR" in text
    assert "F POR" not in text.split("Fall 1901")[-1] or label.startswith("F")
    hall.order("FRANCE", "SUMMARY balkan")
    assert hall.said(FRANCE, Summary).ending == "draw"
    hall.order("FRANCE", "A PAR H")
    assert hall.game().status is Status.FINISHED


def test_a_master_ends_a_game_without_a_result(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "TERMINATE", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Refusal).kind is Kind.NO_REASON
    hall.post(MASTER, "TERMINATE two players have left", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, ConfirmAsked).what == "terminate"
    assert hall.game().status is Status.ACTIVE
    yes(hall, MASTER)
    game = hall.game()
    assert (game.status, game.ending, game.winners) == (Status.FINISHED, "terminated", ())
    over = hall.said(FRANCE, GameOver)
    assert (over.reason, over.points, over.rating) == ("two players have left", {}, None)
    text = hall.text(hall.last(FRANCE))
    assert "two players have left" in text
    assert "It has no result" in text
    assert {row[4] for row in results(hall)} == {0.0}


def test_a_master_cancels_a_game_before_it_begins(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    hall.post(MASTER, "PURGE too few players", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, ConfirmAsked).what == "purge"
    yes(hall, MASTER)
    assert hall.said(FRANCE, Cancelled) == Cancelled("balkan", "too few players")
    assert hall.said(MASTER, Cancelled).is_own
    with hall.database.transaction() as tx:
        assert tx.games.get("balkan") is None
    hall.create()  # the name is free again
    hall.join("FRANCE")
    assert hall.game().status is Status.FORMING


@pytest.mark.parametrize(
    ("reveal", "at_end", "later"),
    [("end", "Turkey", None), ("master", "", "Turkey"), ("never", "", None)],
)
def test_names_are_told_when_the_game_has_it(
    hall: Hall, reveal: str, at_end: str, later: str | None
) -> None:
    replaced(hall, f"names: hidden\nreveal: {reveal}")
    all_agree(hall)
    over = hall.said(FRANCE, GameOver)
    assert over.tenures[0].player == at_end
    assert {one.player != "" for one in over.roster} == {bool(at_end)}
    assert ("Ben" in hall.text(hall.last(FRANCE))) == bool(at_end)
    hall.post(MASTER, "REVEAL", reply_to=hall.last(MASTER))
    if later:
        assert hall.said(FRANCE, Revealed).tenures[0].player == later
        assert "Ben" in hall.text(hall.last(FRANCE))
    else:
        assert hall.was_told(FRANCE, Revealed) == []
        expected = Kind.NOTHING_HIDDEN if reveal == "end" else Kind.NO_REVEAL
        assert hall.said(MASTER, Refusal).kind is expected
        if reveal == "end":  # the line that it names is understood
            assert "STATUS balkan" in hall.text(hall.last(MASTER))


def test_a_game_ended_by_concession_with_statements(hall: Hall) -> None:
    """The scenario of issue 09: conceded to France, two statements, one of them written before."""
    hall.start("grace: 0\nstatements: 2d")
    marks = PressMarks(hall)
    early = marks.mark("TURKEY")
    hall.order("TURKEY", f"STATEMENT\nItaly had it coming. {early}\nENDSTATEMENT")
    for power in POWERS:
        hall.order(power, marks.seal(power, OPENINGS[power]))
    plot = marks.mark("GERMANY", "ENGLAND")
    hall.order("GERMANY", f"PRESS TO ENGLAND\n{plot} Let France have it.\nENDPRESS")
    hall.run_phase()
    hall.order("GERMANY", "PROPOSE CONCEDE TO FRANCE")
    assert hall.said(FRANCE, Proposed).motion.kind == "concession"
    for power in OTHERS:
        if power != "GERMANY":
            hall.order(power, "yes")
    game = hall.game()
    assert (game.ending, game.winners) == ("concession", ("FRANCE",))
    for power in POWERS:
        assert "conceded to France" in hall.text(hall.last(address_of(power)))
    thanks = marks.mark("FRANCE")
    hall.order("FRANCE", f"STATEMENT\nThank you all. {thanks}\nENDSTATEMENT")
    marks.check()
    hall.pass_time(timedelta(days=2, minutes=5))
    for word in (early, thanks):
        marks.open_to(word, *POWERS, MASTER)
    marks.check()
    papers = hall.said(address_of("ITALY"), Papers)
    assert [(one.seat, one.text) for one in papers.statements] == [
        ("FRANCE", f"Thank you all. {thanks}"),
        ("TURKEY", f"Italy had it coming. {early}"),
    ]
    assert [row[4] for row in results(hall)] == [0, 0, 1, 0, 0, 0, 0]


def test_a_draw_of_all_who_are_left_leaves_out_who_is_gone(hall: Hall) -> None:
    """The scenario of issue 09: a DIAS draw, with a vacant seat and a no that is taken back."""
    hall.start("grace: 0\nvotes last: standing\nballots: counts")
    hall.order("TURKEY", "RESIGN")
    yes(hall, address_of("TURKEY"))
    hall.order("FRANCE", "PROPOSE DRAW")
    for power in POWERS[:-2]:
        if power != "FRANCE":
            hall.order(power, "yes")
    hall.order("RUSSIA", "no")
    assert hall.game().status is Status.ACTIVE
    hall.order("RUSSIA", "VOTE YES")
    game = hall.game()
    assert (game.ending, game.winners) == ("draw", POWERS[:-1])
    assert (
        "Turkey" not in hall.text(hall.last(FRANCE)).split("The draw is shared by")[1].split(".")[0]
    )
