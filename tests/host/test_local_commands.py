"""Commands in other languages: every word is read, and the players' page shows all of them."""

from pathlib import Path

import pytest

from judge.host.command import CommandLine
from judge.host.commands import COMMAND_PARSER, COMMANDS
from judge.host.commands.local import languages

from .conftest import Hall

PAGE = (Path(__file__).parent.parent.parent / "docs" / "players.md").read_text(encoding="utf-8")
BEHIND = {  # what follows a command that cannot stand alone
    "join": "balkan",
    "for_phase": "F1901M",
    "concede": "ENGLAND",
    "set_language": "ko",
    "set_zone": "Seoul",
}
WORDS = [
    (rule, word)
    for table in languages().values()
    for rule, words in table["words"].items()
    for word in words
]


def test_each_language_has_words_for_the_same_commands() -> None:
    tables = [set(table["words"]) for table in languages().values()]
    assert len(tables) == 3
    assert all(table == tables[0] for table in tables)
    assert tables[0] <= {command.rule for command in COMMANDS}


@pytest.mark.parametrize(("rule", "word"), WORDS)
def test_a_word_of_another_language_is_that_command(rule: str, word: str) -> None:
    (read,) = COMMAND_PARSER.read(f"{word} {BEHIND.get(rule, '')}".strip())
    assert isinstance(read, CommandLine)
    assert read.command.rule == rule
    assert f"`{word}`" in PAGE


def test_a_player_says_everything_in_korean(hall: Hall) -> None:
    hall.start()
    hall.order(
        "FRANCE",
        "육군 파리 - 버건디\n기다려 주세요\n무승부 찬성\n단계 1901년 가을\n육군 버건디 대기",
    )
    seat = hall.game().seat("FRANCE")  # type: ignore[arg-type]
    assert (seat.wait, "draw" in seat.votes) == (True, True)
    assert [line.text for line in hall.game().order_set(seat.id)] == ["A PAR - BUR"]
    assert [line.text for line in hall.game().advance_set(seat.id, "F1901M")] == ["A BUR H"]
    hall.order("FRANCE", "무승부 취소\n기다리지 않음\n모두 취소 전부")
    seat = hall.game().seat("FRANCE")  # type: ignore[arg-type]
    assert (seat.wait, "draw" in seat.votes) == (False, False)
    assert hall.game().order_set(seat.id) == ()
    assert hall.game().advance_set(seat.id, "F1901M") == ()
