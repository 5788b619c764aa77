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
        ("Mar, supported by Par, takes Bur", ["A MAR - BUR", "A PAR S A MAR - BUR"]),
        ("With help from Par and Gas Mar attacks Bur", HELPED),
        ("Mar goes to Bur with Par in support", ["A MAR - BUR", "A PAR S A MAR - BUR"]),
        ("Gas holds, supported by Mar", ["A GAS H", "A MAR S A GAS"]),
        ("Gas is carried to Por by Mao", ["A GAS - POR VIA", "F MAO C A GAS - POR"]),
        ("Support Gas with Mar", ["A MAR S A GAS"]),
        ("Mar-Bur with Par & Gas supporting", HELPED),
        ("Par and Gas both S Mar-Bur, Mar-Bur", HELPED),
        ("Paris should go to Pic and Brest should help it", ["A PAR - PIC", "F BRE S A PAR - PIC"]),
        ("Par A - Pic", ["A PAR - PIC"]),
        ("Move to Spa from Gas and to Gas from Par", ["A GAS - SPA", "A PAR - GAS"]),
        ("Since I don't trust Germany, Par moves to Pic", ["A PAR - PIC"]),
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
    ("line", "proposed"),
    [
        ("Could you pls send Par to Pic and Gas to Spa?", ["A GAS - SPA", "A PAR - PIC"]),
        ("Gas moves to Spain and supports Mar", ["A GAS - SPA", "A GAS S A MAR"]),
        ("I take Picardy with my Paris army", ["A PAR - PIC"]),
        ("Par goes to Pic instead of Bur", ["A PAR - PIC"]),
        ("Mao protects Gas as it enters Spa", ["A GAS - SPA", "F MAO S A GAS - SPA"]),
        ("Par to Pic, otherwise hold", ["A PAR - PIC"]),
        ("A secret wish: Par to Pic", ["A PAR - PIC"]),
        ("Mar joins (Gsc and Bur hold)", ["A BUR H", "A MAR H"]),
        ("Italy moves Piedmont to Mar", []),
        ("Par keeps out of Pic", []),
        ("Par to Pic then Bel", []),
        ("Send Gas with Mao to Por", ["A GAS - POR", "F MAO C A GAS - POR"]),
        ("Par goes to Pic in 1909", []),
        ("Mar supported Par to Bur", []),
        ("My plan for spring: Par to Pic", ["A PAR - PIC"]),
        ("Headline: the army of Par marches to Pic", ["A PAR - PIC"]),
        ("In another game Par goes to Pic", []),
        ("To Germany: I move Par to Pic", []),
        ("Par holds a place in my heart", ["A PAR H"]),
        ("Gas withdraws from Spa", []),
    ],
)
def test_a_sentence_is_asked_about_with_the_orders_that_it_means(
    line: str, proposed: list[str]
) -> None:
    found = read_orders(desk_of("france"), [line])
    assert not any(isinstance(read, Taken) for read in found)
    asked = [read.proposals[0] for read in found if isinstance(read, Untaken) and read.proposals]
    assert any(isinstance(read, Untaken) for read in found)
    assert sorted(map(format_order, asked)) == proposed


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
