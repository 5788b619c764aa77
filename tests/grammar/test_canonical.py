"""Canonical notation is read by its fixed shapes as the whole language reads it, on every board."""

from collections.abc import Iterator
from itertools import islice

import pytest

from judge.diplomacy.language.grammar import Parsed
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.line_reading import read_new_line
from judge.diplomacy.notation import format_order, parse_canonical, parse_canonical_on
from judge.diplomacy.variants.variant import Variant, load_variant, variant_names


def lines(variant: Variant) -> Iterator[str]:
    """Every place in every part of every shape of order, beside several others; every power."""
    words = lexicon(variant)
    places = sorted(words.places)
    count = len(places)
    for at, place in enumerate(places):
        near, far = places[(at + 7) % count], places[(at * 5 + 3) % count]
        power = variant.power_ids[at % len(variant.power_ids)]
        for kind in ("A ", "F ", ""):
            unit, other = f"{kind}{place}", f"{kind}{near}"
            yield from (f"{unit} {deed}" for deed in ("H", "D", "B", f"- {near}", f"R {near}"))
            yield f"{unit} - {near} VIA"
            yield f"{unit} S {other}"
            yield f"{unit} S {other} - {far}"
            yield f"{unit} C {other} - {far}"
            yield f"{unit} S {power} {other}"
            yield f"{unit} S {power} {other} - {far}"
            yield f"{unit} C {power} {other} - {far}"
    for power in variant.power_ids:
        yield from (f"{power} WAIVE", f"{power} WAIVE 2")
    yield from ("WAIVE", "WAIVE 2", "SC BRITAIN F RED - MED", "A MOS - TSR - IRK")


@pytest.mark.parametrize("name", variant_names())
def test_the_shortcut_reads_what_the_whole_language_reads(name: str) -> None:
    variant = load_variant(name)
    words = lexicon(variant)
    # Variants of the standard board have its places and their own powers.
    step = 1 if name in ("standard", "colonial", "chaos") else 7
    taken = 0
    for line in islice(lines(variant), 0, None, step):
        order = parse_canonical_on(words, line)
        if order is not None:
            assert read_new_line(line, words) == (Parsed(0, len(line), (order,)),), line
            taken += 1
    assert taken > 20 * len(words.places) // step


@pytest.mark.parametrize("name", variant_names())
def test_what_is_written_is_read_back(name: str) -> None:
    variant = load_variant(name)
    for line in islice(lines(variant), 0, None, 7):
        order = parse_canonical(line)
        assert order is not None, line
        assert format_order(order) == line


@pytest.mark.parametrize(
    "line",
    [
        *("", "A", "WAIVE X", "A PAR", "PAR BUR", "A PAR - ", "A PAR -  BUR", "a par - bur"),
        *("A PAR - BURG", "A PAR S", "A PAR S A MAR -", "SC F RED", "A PAR - BUR VIA NTH"),
        *("FRANCE A PAR H", "A PAR X BUR"),
    ],
)
def test_other_lines_are_not_canonical(line: str) -> None:
    assert parse_canonical(line) is None
