"""Words by which players call places and units (`grammar/<language>/nicknames.toml`): places are on
the board, no word says two things, and every word is written as lines are read."""

from collections import Counter
from typing import Any

import pytest

from judge.data import language_data
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.variants.variant import load_variant

NICKNAMES = language_data("nicknames.toml")
UNITS = {"army", "fleet", "all", "rest", "both", "any", "there"}


def _words(table: dict[str, list[str]]) -> list[str]:
    return [word for words in table.values() for word in words]


BOARDS = [(language, board) for language in NICKNAMES for board in NICKNAMES[language]["places"]]


def test_all_languages_of_orders_have_nicknames() -> None:
    assert NICKNAMES.keys() == language_data("orders.toml").keys()


@pytest.mark.parametrize("language", NICKNAMES)
def test_units_and_boards_are_known(language: str) -> None:
    assert NICKNAMES[language].keys() == {"units", "places"}
    assert NICKNAMES[language]["units"].keys() == UNITS
    assert NICKNAMES[language]["places"].keys() == {"standard", "colonial"}


@pytest.mark.parametrize(("language", "board"), BOARDS)
def test_places_are_provinces_of_the_board(language: str, board: str) -> None:
    provinces = load_variant(board).board.provinces.keys()
    for places in NICKNAMES[language]["places"][board]:
        ids = places.split(" ")
        assert set(ids) <= provinces, places
        assert len(set(ids)) == len(ids), places


@pytest.mark.parametrize(("language", "board"), BOARDS)
def test_no_word_stands_twice(language: str, board: str) -> None:
    tables: Any = NICKNAMES[language]
    counted = Counter(_words(tables["units"]) + _words(tables["places"][board]))
    assert [word for word, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("language", NICKNAMES)
def test_words_are_written_as_lines_are_read(language: str) -> None:
    tables: Any = NICKNAMES[language]
    words = _words(tables["units"])
    for places in tables["places"].values():
        words += _words(places)
    assert [word for word in words if normalize(word).text != word or word != word.strip()] == []
    assert [word for word in words if len(word) < 2] == []
