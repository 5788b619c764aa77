"""Games that are due and wait until the inbox was read past their moment: what the clock does with
them meanwhile, however many they are."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from judge import due_games
from judge.host import look_at_game
from judge.host.unit_of_work import UnitOfWork

from .conftest import Hall


def test_a_game_that_waits_for_the_inbox_is_looked_at_seldom(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[datetime] = []

    def look(work: UnitOfWork, name: str, read_until: datetime) -> None:
        looked.append(work.now)
        look_at_game(work, name, read_until)

    hall.start("grace: 0")
    hall.open_game()
    before = hall.game()
    assert before.timing is not None
    deadline_at = before.timing.deadline_at
    hall.pass_time(deadline_at - timedelta(seconds=1))
    monkeypatch.setattr(due_games, "look_at_game", look)
    for seconds in range(20):  # no reading of the inbox has begun since then
        hall.instant = deadline_at + timedelta(seconds=seconds)
        hall.tick(deadline_at - timedelta(minutes=1))
    assert looked == [deadline_at]
    hall.instant += timedelta(minutes=1)
    hall.tick(deadline_at - timedelta(minutes=1))
    assert looked == [deadline_at, hall.instant]
    assert hall.game().phase == before.phase
    hall.tick(deadline_at)
    assert hall.game().phase != before.phase


def test_every_game_that_waits_while_the_mailbox_is_away_is_told_in_its_turn(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due_games, "GAMES_TOLD_AT_ONCE", 2)
    game = hall.start("grace: 0")
    assert game.timing is not None
    names = ("balkan", "second", "third")
    with hall.database.transaction() as tx:
        for name in names[1:]:
            tx.games.save(replace(game, name=name, version=0), "test")
    hall.instant = game.timing.deadline_at
    told = []
    for _ in range(3):
        hall.away(hall.instant - timedelta(hours=1))
        timings = [hall.game(name).timing for name in names]
        told.append([one.unreachable for one in timings if one])
    assert told == [[True, True, False], [True, True, True], [True, True, True]]
