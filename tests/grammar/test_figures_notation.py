"""The rulebooks' figures, written in their own languages, mean what their canonical forms mean."""

import json
from pathlib import Path

import pytest

from judge.diplomacy.language.grammar import Parsed
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.orders import (
    Location,
    WrittenConvoy,
    WrittenMove,
    WrittenOrder,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
    WrittenWaive,
)
from judge.diplomacy.variants.variant import load_variant

FIGURES = Path(__file__).parent.parent / "figures" / "figures.json"
WORDS = lexicon(load_variant("standard"))


def pairs() -> list[tuple[str, str, str]]:
    """(id, canonical text, text in the rulebook's language) of every order of every figure."""
    found = []
    for case in json.loads(FIGURES.read_text(encoding="utf-8"))["cases"]:
        if case["ruleset"] != "standard":
            continue
        for language in ("orders_ko", "orders_zh"):
            for (_, canonical), (_, text) in zip(
                case["orders"], case.get(language, ()), strict=False
            ):
                found.append((f"{case['id']}-{language[-2:]}", canonical, text))
    return found


def meaning(order: WrittenOrder) -> tuple[object, ...]:
    """The order's kind and places: some figures leave a unit's kind or power out, two name it
    wrongly."""
    assert not isinstance(order, WrittenWaive)
    parts: list[object] = [type(order), order.unit.location]
    match order:
        case WrittenMove(target=target):
            parts.append(target)
        case WrittenSupportHold(supported=WrittenUnit(location=place)):
            parts.append(place)
        case WrittenSupportMove(supported=WrittenUnit(location=place), target=target):
            parts += [place, target]
        case WrittenConvoy(convoyed=WrittenUnit(location=place), target=target):
            parts += [place, target]
        case _:
            pass
    assert all(isinstance(part, Location | type) for part in parts)
    return tuple(parts)


def only_order(text: str) -> WrittenOrder:
    (item,) = read_line(text, WORDS)
    assert isinstance(item, Parsed), item
    (order,) = item.readings
    return order


PAIRS = pairs()


def test_there_are_figures_in_both_languages() -> None:
    assert len([each for each in PAIRS if each[0].endswith("-ko")]) > 100
    assert len([each for each in PAIRS if each[0].endswith("-zh")]) > 100


@pytest.mark.parametrize(("canonical", "text"), [each[1:] for each in PAIRS])
def test_a_figures_order_means_the_same_in_every_language(canonical: str, text: str) -> None:
    assert meaning(only_order(text)) == meaning(only_order(canonical))
