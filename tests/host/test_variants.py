"""Every shipped variant, played by mail from CREATE to an end by scripted players."""

import random

import pytest

from judge.diplomacy.records import PhaseReport, View
from judge.host.messages.game_events import GameOver, Results, Started
from judge.host.messages.order_answers import OrdersAnswer
from judge.render import render_letter
from judge.rulebook import RandomStream, SeatId, State, load_game
from judge.store import Status

from .conftest import Hall, address_of

RULEBOOK = load_game("diplomacy")
MASTER = "gm@example.test"
LANGUAGES = ("en", "ko", "zh_Hant", "ja")


def play(hall: Hall, lines: str) -> None:
    """A game by these lines of CREATE, until the count of its last year ends it."""
    hall.create(f"{lines}\ngrace: 0")
    settings = hall.game().settings
    chosen = dict(settings.options)
    seats = [seat.id for seat in RULEBOOK.seats(settings.variant, chosen)]
    chance = random.Random(lines)
    for number, seat in enumerate(seats):
        hall.join(seat)
        hall.order(seat, f"SET LANGUAGE {LANGUAGES[number % len(LANGUAGES)]}")
    while hall.game().status is Status.ACTIVE:
        game = hall.game()
        assert game.state is not None
        for awaited in RULEBOOK.open(game.state).awaited:
            hall.order(awaited.seat, orders(game.state, awaited.seat, chance))
        hall.run_phase()


def orders(state: State, seat: SeatId, chance: random.Random) -> str:
    game = RULEBOOK.open(state)
    lines = game.computer_orders([seat], RandomStream(chance.randbytes(8), game.phase.serial))
    return "\n".join(line.text for line in lines[seat])


@pytest.mark.parametrize("variant", RULEBOOK.variants())
def test_every_shipped_variant_is_played_to_an_end(hall: Hall, variant: str) -> None:
    first = View.from_bytes(RULEBOOK.start(variant, {}).view(None))
    last_year = int(first.label[-5:-1]) + 2
    play(hall, f"variant: {variant}\nlast year: {last_year}")
    game = hall.game()
    assert game.status is Status.FINISHED
    assert (game.ending, len(game.winners) > 1) in {("draw", True), ("solo", False)}
    assert hall.said(MASTER, Started).settings.variant == variant
    for seat in game.seats:
        assert hall.was_told(address_of(seat.id), GameOver)
        answers = hall.was_told(address_of(seat.id), OrdersAnswer)
        assert answers
        assert [answer.problems for answer in answers if answer.problems] == []
    labels = [PhaseReport.from_bytes(told.report).label for told in hall.was_told(MASTER, Results)]
    assert labels[0] == first.label
    for row in hall.out:
        letter = render_letter(
            hall.messages(row), language=row.language, zone="UTC", judge_name="Judge", kind=row.kind
        )
        assert letter.text
