"""Orders that English sentences give in another order of words, and several at once."""

import pytest

from judge.diplomacy.language.order_context import Taken, Untaken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order

from .contexts import desk_of

HELPED = ["A GAS S A MAR - BUR", "A MAR - BUR", "A PAR S A MAR - BUR"]


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("Marseilles attacks Burgundy with support from Paris and Gascony.", HELPED),
        ("Mar - Bur supported by Par, Gas", HELPED),
        ("With Paris's support Mar attacks Bur", ["A MAR - BUR", "A PAR S A MAR - BUR"]),
        ("Burgundy: Mar attacks, Par and Gas support", HELPED),
        ("Burgundy is attacked by Mar with Par support", ["A MAR - BUR", "A PAR S A MAR - BUR"]),
        ("Par and Gas: both hold", ["A GAS H", "A PAR H"]),
        ("Paris and Gascony each to Picardy and Spain", ["A GAS - SPA", "A PAR - PIC"]),
        ("Gas supports Mar, which holds", ["A GAS S A MAR", "A MAR H"]),
        ("all my armies hold", ["A BUR H", "A GAS H", "A MAR H", "A PAR H", "A PIC H"]),
        ("A Par - Pic, if that is how you spell it", ["A PAR - PIC"]),
        ("A Par - Pic (hold the north)", ["A PAR - PIC"]),
    ],
)
def test_a_sentence_gives_every_order_that_is_in_it(line: str, orders: list[str]) -> None:
    found = read_orders(desk_of("france"), [line])
    assert not any(isinstance(read, Untaken) for read in found)
    assert sorted(format_order(read.order) for read in found if isinstance(read, Taken)) == orders


@pytest.mark.parametrize(
    "line", ["A Mar and Par - Pic", "Would Mar attack Bur with support from Par?"]
)
def test_a_sentence_that_may_mean_something_else_is_asked_about(line: str) -> None:
    found = read_orders(desk_of("france"), [line])
    assert any(isinstance(read, Untaken) for read in found)


@pytest.mark.parametrize(
    "line",
    [
        "Picardy is a quiet town.",
        'He wrote: "A Mun - Tyr, trust me."',
    ],
)
def test_talk_of_places_and_of_units_of_others_needs_no_question(line: str) -> None:
    found = read_orders(desk_of("france"), [line])
    assert not any(isinstance(read, Taken | Untaken) for read in found)
