"""The tables of docs/players.md that show how to write every order in each language."""

from pathlib import Path
from typing import get_args

import pytest

from judge.diplomacy.language.order_context import OrderContext, Taken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import WrittenMove, WrittenOrder

from .contexts import desk_of

PAGE = Path(__file__).parents[2] / "docs" / "players.md"
# Where an order of the table can be given; the others in the middle of the game, in France's place.
PLACES = {
    "A BUR R PAR": "one_retreat",
    "A BUR D": "one_retreat",
    "A PAR B": "france_builds",
    "WAIVE": "france_builds",
    "F STP/NC B": "russia_builds",
    "F AEG D": "turkey_removals",
    "A MOS - TSR - IRK": "colonial_russia",
    "SC BRITAIN F RED - MED": "colonial_egypt",
}
LANGUAGES = ["order", "English", "한국어", "繁體中文", "日本語"]


def rows(section: str) -> list[list[str]]:
    """The cells of a section's first table, row by row, its heading first."""
    text = PAGE.read_text(encoding="utf-8").partition(f"# {section}\n")[2]
    table = text[text.index("\n|") :].lstrip("\n").partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.split("\n")]


HEADING, _, *ROWS = rows("Every order, in each language")
COLONIAL_HEADING, _, *COLONIAL_ROWS = rows("By rail and through the canal")
CELLS = [
    (row[0].strip("`"), written.strip(" `"))
    for row in (*ROWS, *COLONIAL_ROWS)
    for cell in row[1:]
    for written in cell.split("·")
]


def place_of(order: str) -> OrderContext:
    return desk_of(PLACES.get(order, "france"))


def test_the_table_has_every_language_and_every_kind_of_order() -> None:
    assert HEADING == COLONIAL_HEADING == LANGUAGES
    assert all(len(row) == len(LANGUAGES) and all(row) for row in (*ROWS, *COLONIAL_ROWS))
    orders = [parse_order(order, place_of(order).variant) for order, _ in CELLS]
    assert {type(order) for order in orders} == set(get_args(WrittenOrder))
    assert any(isinstance(order, WrittenMove) and order.via_convoy for order in orders)
    assert any(isinstance(order, WrittenMove) and order.target.coast for order in orders)


@pytest.mark.parametrize(("order", "written"), CELLS)
def test_every_cell_of_the_table_is_read_as_its_order(order: str, written: str) -> None:
    (read,) = read_orders(place_of(order), [written])
    assert isinstance(read, Taken), read
    assert format_order(read.order) == order
