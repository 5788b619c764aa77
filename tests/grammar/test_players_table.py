"""The table of docs/players.md that shows how to write every order in each language."""

from pathlib import Path
from typing import get_args

import pytest

from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import WrittenMove, WrittenOrder, WrittenPassage, WrittenRide
from judge.diplomacy.reading import Taken, read_letter

from .desks import STANDARD, desk_of

PAGE = Path(__file__).parents[2] / "docs" / "players.md"
# Where an order of the table can be given; the others in the middle of the game, in France's place.
PLACES = {
    "A BUR R PAR": "one_retreat",
    "A BUR D": "one_retreat",
    "A PAR B": "france_builds",
    "WAIVE": "france_builds",
    "F STP/NC B": "russia_builds",
    "F AEG D": "turkey_removals",
}
OF_COLONIAL = {WrittenRide, WrittenPassage}


def rows() -> list[list[str]]:
    """The cells of the table, row by row, its heading first."""
    table = PAGE.read_text(encoding="utf-8").partition("### Every order, in each language")[2]
    lines = [line for line in table.partition("\n\nA retreat")[0].split("\n") if "|" in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


HEADING, _, *ROWS = rows()
CELLS = [
    (row[0].strip("`"), written.strip(" `"))
    for row in ROWS
    for cell in row[1:]
    for written in cell.split("·")
]


def test_the_table_has_every_language_and_every_kind_of_order() -> None:
    assert HEADING == ["order", "English", "한국어", "繁體中文", "日本語"]
    assert all(len(row) == len(HEADING) and all(row) for row in ROWS)
    orders = [parse_order(order, STANDARD) for order, _ in CELLS]
    assert {type(order) for order in orders} == set(get_args(WrittenOrder)) - OF_COLONIAL
    assert any(isinstance(order, WrittenMove) and order.via_convoy for order in orders)
    assert any(isinstance(order, WrittenMove) and order.target.coast for order in orders)


@pytest.mark.parametrize(("order", "written"), CELLS)
def test_every_cell_of_the_table_is_read_as_its_order(order: str, written: str) -> None:
    (read,) = read_letter(desk_of(PLACES.get(order, "france")), [written])
    assert isinstance(read, Taken), read
    assert format_order(read.order) == order
