"""Hundreds of lines as people write them, in four languages: `lines/*.toml`.

Each is read in one of the positions of `lines/positions.toml` and must mean just its orders; or,
under `notation`, is read free of any position.
"""

import tomllib
from pathlib import Path

import pytest

from judge.diplomacy.language.grammar import Fault, Parsed
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.language.order_context import Taken, Untaken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.outcomes import Void
from judge.diplomacy.variants.variant import load_variant

from .contexts import desk_of

LINES = Path(__file__).parent / "lines"
LANGUAGES = ("en", "ko", "zh_Hant", "ja")
LEAST = 80  # lines in each language
WORDS = lexicon(load_variant("standard"))


def lines_of(language: str) -> list[tuple[str, str, str]]:
    """(place, line, orders) of a language; the place is a position, or `notation`."""
    tables = tomllib.loads((LINES / f"{language}.toml").read_text(encoding="utf-8"))
    return [(place, line, said) for place, lines in tables.items() for line, said in lines.items()]


ALL = [(language, *each) for language in LANGUAGES for each in lines_of(language)]


def test_there_are_enough_lines_in_each_language() -> None:
    for language in LANGUAGES:
        assert len(lines_of(language)) >= LEAST
    assert len(ALL) >= 400


@pytest.mark.parametrize(
    ("place", "line", "orders"), [each[1:] for each in ALL], ids=lambda value: value
)
def test_the_line_means_its_orders(place: str, line: str, orders: str) -> None:
    if place == "notation":
        items = read_line(line, WORDS)
        assert all(isinstance(item, Parsed) and len(item.readings) == 1 for item in items), items
        read = [format_order(item.readings[0]) for item in items if isinstance(item, Parsed)]
    else:
        found = read_orders(desk_of(place), [line])
        assert [each for each in found if isinstance(each, Untaken)] == []
        read = [format_order(each.order) for each in found if isinstance(each, Taken)]
    assert "; ".join(read) == orders


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [each[1:] for each in ALL if each[1] != "notation" and ";" not in each[3]],
    ids=lambda value: value,
)
def test_judge_adjudicate_reads_no_other_order_than_the_mail(
    place: str, line: str, orders: str
) -> None:
    context = desk_of(place)
    order = parse_order(line, context.variant)
    if isinstance(order, Fault):
        return  # several meanings or orders, or words beside the one
    fitted = context.order_on_board(order)
    assert not isinstance(fitted, Void)
    assert format_order(fitted) == orders


def test_a_letter_behind_a_sentence_takes_no_verb_from_it() -> None:
    lines = ["A Par - Bur", "Each power builds and disbands by their number. A"]
    order, *others = read_orders(desk_of("france"), lines)
    assert isinstance(order, Taken)
    assert not any(isinstance(each, Taken) for each in others)
