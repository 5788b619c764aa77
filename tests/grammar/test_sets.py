"""The open halves of the sets: orders in natural words, and lines that are no orders.

Of every set and half: what a case expects is possible in its position.
"""

import re
from collections import Counter
from itertools import chain

import pytest

from .sets.score import (
    HALVES,
    LANGUAGES,
    LINE_END,
    Verdict,
    cases_of,
    generations_of,
    score,
)

# Of the orders, right or asked about with the right line first; in hundredths, rounded down.
LEAST = {"en": 97, "ko": 98, "zh_Hant": 99, "ja": 98}


@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_in_natural_words_are_read_or_asked_about_and_none_is_stored_wrong(
    language: str,
) -> None:
    scored = [score(case) for case in cases_of(language, "orders", "open")]
    counts = Counter(each.verdict for each in scored)
    assert [each.case.name for each in scored if each.verdict is Verdict.WRONG] == []
    good = counts[Verdict.RIGHT] + counts[Verdict.ASKED]
    assert good * 100 >= LEAST[language] * len(scored)


@pytest.mark.parametrize("language", ["ko", "zh_Hant", "ja"])
def test_the_second_set_is_read_or_asked_about_and_none_is_stored_wrong(language: str) -> None:
    scored = [score(case) for case in cases_of(language, "orders", "open", "2")]
    counts = Counter(each.verdict for each in scored)
    assert counts[Verdict.WRONG] == 0
    assert (counts[Verdict.RIGHT] + counts[Verdict.ASKED]) * 100 >= 98 * len(scored)


@pytest.mark.parametrize(
    ("language", "generation"),
    [
        ("en", "3"),
        ("en", "4"),
        *((language, "5") for language in LANGUAGES),
        ("en", "6"),
        ("ja", "6"),
        *((language, each) for each in ("7", "8", "9") for language in LANGUAGES),
    ],
)
def test_of_the_later_sets_nothing_is_stored_wrong(language: str, generation: str) -> None:
    scored = [
        score(case)
        for kind in ("orders", "prose")
        for case in cases_of(language, kind, "open", generation)
    ]
    assert [each.case.name for each in scored if each.verdict is Verdict.WRONG] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_stored_of_lines_that_are_no_orders(language: str) -> None:
    scored = [score(case) for case in cases_of(language, "prose", "open")]
    assert [each.case.name for each in scored if each.stored] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_few_lines_that_are_no_orders_are_asked_about(language: str) -> None:
    scored = [
        score(case)
        for generation in generations_of(language)
        for case in cases_of(language, "prose", "open", generation)
    ]
    asked = [each.case.name for each in scored if each.verdict is not Verdict.RIGHT]
    assert len(asked) * 10 <= len(scored), asked


@pytest.mark.parametrize(
    ("language", "generation", "half"),
    [
        (language, each, half)
        for language in LANGUAGES
        for half in HALVES
        for each in generations_of(language, half)
    ],
)
def test_the_orders_that_the_sets_expect_can_be_given_in_their_positions(
    language: str, generation: str, half: str
) -> None:
    refused = []
    for case in chain.from_iterable(
        cases_of(language, kind, half, generation) for kind in ("orders", "prose")
    ):
        for orders in re.split(r" ~ | \| ", case.expected.replace("ask: ", "")):
            if orders not in ("none", "talk", "ask"):
                canonical = case._replace(expected=orders, text=orders.replace("; ", LINE_END))
                if score(canonical).verdict is not Verdict.RIGHT:
                    refused.append((case.name, orders))
    assert refused == []
