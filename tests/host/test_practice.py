"""Practice games: begun by a newcomer, played against computer powers, seen by nobody else."""

from datetime import timedelta

import pytest

from judge.host.messages.game_events import GameOver, Results, Started
from judge.host.messages.games import GameList
from judge.host.messages.order_answers import OrdersAnswer
from judge.host.messages.people import Registered
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.render.catalogue import catalogue
from judge.rulebook import load_renderer
from judge.store import GameRecord, Status

from .conftest import Hall

ANN = "ann@example.test"


def practice_game(hall: Hall) -> GameRecord:
    with hall.database.transaction() as tx:
        (game,) = [game for game in tx.games.page(limit=99) if game.is_practice]
    return hall.game(game.name)


def begin(hall: Hall, words: str = "PRACTICE FRANCE", language: str = "en") -> GameRecord:
    hall.post(ANN, words, name="Ann", language=language)
    hall.post(ANN, "yes", reply_to=hall.last(ANN), language=language)
    return practice_game(hall)


def newest(hall: Hall) -> str:
    return hall.text(hall.last(ANN))


def lines_to_copy(hall: Hall) -> list[str]:
    """The orders that the newest letter proposes, as somebody copies them who knows no others."""
    row = hall.last(ANN)
    (told,) = [one for one in hall.messages(row) if isinstance(one, Started | Results)]
    words = load_renderer(told.game.game).words(told.game.variant, catalogue(row.language))
    lines = [each.text for each in words.rows(told.suggested)]
    assert all(f"  {line}   " in newest(hall) for line in lines)
    return lines


def test_a_stranger_starts_a_practice_game_with_two_letters(hall: Hall) -> None:
    hall.post(ANN, "PRACTICE", name="Ann")
    assert not hall.said(ANN, Registered).confirmed
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    game = practice_game(hall)
    assert game.status is Status.ACTIVE
    assert sum(seat.is_computer for seat in game.seats) == 6
    assert hall.said(ANN, Started).until == game.until == "W1903A"
    assert "the computer plays the other powers" in newest(hall)


def test_a_phase_runs_as_soon_as_the_players_orders_are_complete(hall: Hall) -> None:
    game = begin(hall)
    hall.post(ANN, "A PAR - BUR\nA MAR - SPA\nF BRE - MAO", reply_to=hall.last(ANN))
    assert hall.said(ANN, OrdersAnswer).problems == ()
    hall.run_phase(game.name)
    assert hall.instant < game.created_at + timedelta(minutes=10)
    results = hall.said(ANN, Results)
    assert results.missing == ()
    assert results.next is not None
    assert results.next.label == "F1901M"
    assert "On your orders:" in newest(hall)


def test_the_same_seed_gives_the_same_computer_orders(hall: Hall) -> None:
    game = begin(hall)
    hall.post(ANN, "A PAR - BUR\nA MAR - SPA\nF BRE - MAO", reply_to=hall.last(ANN))
    hall.run_phase(game.name)
    with hall.database.transaction() as tx:
        (phase,) = tx.phases.of(game.name)
    assert len(phase.order_sets) == 7
    other = Hall()
    again = begin(other)
    assert again.seed == game.seed
    other.post(ANN, "A PAR - BUR\nA MAR - SPA\nF BRE - MAO", reply_to=other.last(ANN))
    other.run_phase(again.name)
    assert other.game(again.name).state == hall.game(game.name).state
    other.database.close()


def test_a_newcomer_who_knows_no_command_plays_to_the_end(hall: Hall) -> None:
    """Answers letters, and copies lines that they show."""
    hall.post(ANN, "Hello, a friend told me about this. How does it work?", name="Ann")
    assert "PRACTICE" in newest(hall)
    hall.post(ANN, "Yes please", reply_to=hall.last(ANN))
    name = practice_game(hall).name
    letters = 0
    while hall.game(name).status is Status.ACTIVE:
        if lines := lines_to_copy(hall):
            hall.post(ANN, "\n".join(lines), reply_to=hall.last(ANN))
            letters += 1
        hall.run_phase(name)
        assert letters < 30
    assert hall.said(ANN, GameOver).ending in ("practice", "solo")
    assert "PRACTICE begins another" in newest(hall).replace("\n", " ")


def test_a_practice_game_is_listed_and_shown_to_nobody_else(hall: Hall) -> None:
    name = begin(hall).name
    hall.register("bob@example.test", "Bob")
    hall.post("bob@example.test", "LIST", reply_to=hall.last("bob@example.test"))
    assert hall.said("bob@example.test", GameList).games == ()
    for line in (f"JOIN {name}", f"LIST {name}", f"JOIN {name} ITALY"):
        hall.post("bob@example.test", line, reply_to=hall.last("bob@example.test"))
        refusal = hall.said("bob@example.test", Refusal)
        assert refusal.kind is RefusalKind.NO_GAME
        assert refusal.values["nearest"] == []


@pytest.mark.parametrize("line", ["SET grace 12h", "PRESS TO MASTER", "PRESS TO ENGLAND"])
def test_a_practice_game_has_no_master_and_no_press(hall: Hall, line: str) -> None:
    begin(hall)
    text = "\nHow do I build?\nENDPRESS" if line.startswith("PRESS") else ""
    hall.post(ANN, line + text, reply_to=hall.last(ANN))
    assert hall.said(ANN, Refusal).kind is RefusalKind.NOT_IN_PRACTICE
    assert "reaches the master" not in newest(hall)
    assert "write to the master" not in newest(hall).lower()
    assert not hall.was_told(ANN, PressReceived)


def test_a_second_practice_game_is_refused_until_the_first_is_over(hall: Hall) -> None:
    game = begin(hall)
    hall.post(ANN, "PRACTICE", reply_to=hall.last(ANN))
    assert hall.said(ANN, Refusal).kind is RefusalKind.PRACTICE_RUNNING
    hall.post(ANN, "RESIGN", reply_to=hall.last(ANN))
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert hall.game(game.name).status is Status.FINISHED
    assert hall.said(ANN, GameOver).ending == "practice"
    hall.post(ANN, "PRACTICE", reply_to=hall.last(ANN))
    assert len(hall.was_told(ANN, Started)) == 2


def test_a_practice_game_does_not_count_as_a_game_of_its_player() -> None:
    hall = Hall(environ={"JUDGE_LIMITS__GAMES_A_PLAYER": "1"})
    begin(hall)
    hall.create()
    hall.post(ANN, "JOIN balkan", reply_to=hall.last(ANN))
    assert len(hall.game().applicants) == 1
    hall.database.close()


def test_a_practice_game_that_is_left_alone_ends(hall: Hall) -> None:
    game = begin(hall)
    hall.pass_time(timedelta(days=15))
    assert hall.game(game.name).status is Status.FINISHED
    assert hall.said(ANN, GameOver).ending == "practice"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        *(("ko", "연습"), ("ja", "練習"), ("zh_Hant", "練習")),
        *(
            ("ko", "컴퓨터랑 연습하고 싶어요"),
            ("ja", "練習お願いします"),
            ("zh_Hant", "我想先跟電腦練習"),
        ),
        *(("en", "I'd like to try a game against bots"), ("ja", "まず一人で練習したいです")),
    ],
)
def test_practice_in_other_languages(hall: Hall, language: str, words: str) -> None:
    game = begin(hall, words, language)
    if language != "en":
        assert hall.text(hall.last(ANN)).count("Reply with an order") == 0
    hall.post(ANN, "\n".join(lines_to_copy(hall)), reply_to=hall.last(ANN), language=language)
    hall.run_phase(game.name)
    assert hall.said(ANN, Results).remarks


def test_what_a_player_does_in_practice_says_nothing_of_their_reliability(hall: Hall) -> None:
    game = begin(hall)
    hall.post(ANN, "\n".join(lines_to_copy(hall)), reply_to=hall.last(ANN))
    hall.run_phase(game.name)
    with hall.database.transaction() as tx:
        counted = tx.players.conduct_since(game.master_ids[0], game.created_at - timedelta(days=1))
    assert not any(counted.values())


@pytest.mark.parametrize("line", ["RESIGN", "RESIGN UNTIL REPLACED"])
def test_who_resigns_is_told_that_the_practice_game_ends(hall: Hall, line: str) -> None:
    game = begin(hall)
    hall.post(ANN, line, reply_to=hall.last(ANN))
    assert "Reply YES to end the practice game." in newest(hall)
    assert "open to others" not in newest(hall)
    hall.post(ANN, "YES", reply_to=hall.last(ANN))
    assert hall.game(game.name).status is Status.FINISHED


def test_a_reminder_says_that_silence_ends_the_practice_game(hall: Hall) -> None:
    game = begin(hall)
    hall.pass_time(timedelta(days=12))
    over = "If nothing comes from you by the deadline, the practice game is over."
    assert over in newest(hall)
    assert "all your units hold" not in newest(hall)
    hall.post(ANN, "A PAR - BUR", reply_to=hall.last(ANN))
    assert over not in newest(hall)
    hall.post(ANN, "CLEAR", reply_to=hall.last(ANN))
    assert over in newest(hall)
    assert "all your units hold" not in newest(hall)
    hall.pass_time(timedelta(days=3))
    assert hall.game(game.name).status is Status.FINISHED


def test_an_absence_is_told_to_the_player_once(hall: Hall) -> None:
    begin(hall)
    before = len(hall.out)
    hall.post(ANN, "ABSENCE 2026-12-24 - 2026-12-26", reply_to=hall.last(ANN))
    assert len(hall.out) == before + 1
    assert "You are away: that is noted." in newest(hall)
