"""Words that join names: only where they stand behind one."""

import pytest

from judge.rulebook import Game

from .sets.score import game_of


def prose_of(game: Game, line: str) -> list[str]:
    return [each.text for each in game.read(game_of("west")[1], [line]).prose]


@pytest.mark.parametrize("remark", ["やっと春ですね", "やはり戦争です。", "やれやれ。"])
def test_a_remark_that_begins_like_a_particle_is_quoted_whole(remark: str) -> None:
    assert prose_of(game_of("west")[0], f"パリ→ブルゴーニュ。{remark}") == [remark]


def test_the_particle_joins_names() -> None:
    game, seat = game_of("west")
    found = game.read(seat, ["パリやマルセイユは待機"])
    assert [each.line.text for each in found.understood] == ["A PAR H", "A MAR H"]
