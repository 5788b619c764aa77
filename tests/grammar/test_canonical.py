"""Canonical notation is read by its fixed shapes as the whole language reads it, on every board."""

import gzip
import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.language.grammar import Parsed
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.lines.line_reading import read_new_line
from judge.diplomacy.language.pipeline import read_canonical, read_orders
from judge.diplomacy.notation import format_order, parse_canonical
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.variants.variant import Variant, load_variant, variant_names
from judge.rulebook import Line, SeatId, State

STORED = Path(__file__).parent.parent / "diplomacy" / "stored_games.jsonl.gz"


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
        order = parse_canonical(line, words)
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


def games() -> Iterator[DiplomacyGame]:
    """Games in a movement phase: each variant's start by each set of rules, and those in the midst
    of which the first release was."""
    for name in variant_names():
        for rules in RULEBOOK.rule_presets():
            yield RULEBOOK.start(name, {"rules": rules})
    for line in gzip.decompress(STORED.read_bytes()).splitlines()[::3]:
        game = RULEBOOK.open(State(json.dumps(json.loads(line)["state"]).encode()))
        if game.phase.kind == "movement":
            yield game


def letters_to(game: DiplomacyGame, seat: SeatId, chance: random.Random) -> Iterator[list[str]]:
    """Orders of a seat in canonical notation, possible or not, and what its own orders say of."""
    variant, places = game.variant, sorted(lexicon(game.variant).places)
    own = [unit for unit in game.position.units if unit.power in variant.seating[seat]]
    for _ in range(6):
        lines = [""]
        for unit in own:
            here = f"{unit.kind} {unit.location}"
            ways = [
                str(each) for each in variant.board.adjacent_locations(unit.kind, unit.location)
            ] or places
            goal = chance.choice(ways if chance.random() < 0.8 else places)
            other = chance.choice(own if chance.random() < 0.6 else game.position.units)
            helped = f"{other.kind} {other.location}"
            theirs = variant.board.adjacent_locations(other.kind, other.location)
            to = chance.choice([*map(str, theirs), goal])
            shapes = (f"{here} H", f"{here} - {goal}", f"{here} - {goal} VIA")
            shapes += (f"{here} S {helped}", f"{here} S {helped} - {to}")
            shapes += (f"{here} C {helped} - {to}", f"{here} S {other.power} {helped} - {to}")
            lines.append(chance.choices(shapes, (2, 8, 1, 2, 4, 2, 1))[0])
        yield [*lines, chance.choice([*lines, f"A {chance.choice(places)} H"])]


def test_the_short_way_says_what_all_stages_say_of_whole_letters() -> None:
    """Notes and replaced orders too, beside orders that are stored already."""
    chance = random.Random("short way")
    taken = noted = 0
    for game in games():
        for seat in (awaited.seat for awaited in game.awaited):
            stored: tuple[Line, ...] = ()
            for lines in letters_to(game, seat, chance):
                context = game._context(seat, stored)
                found = read_canonical(context, lines)
                if found:
                    assert found == read_orders(context, lines), (lines, stored)
                    taken, noted = taken + 1, noted + any(each.notes for each in found)
                reading = game.read(seat, lines, stored)
                stored = game.merge(seat, (), [one.line for one in reading.understood][::2])
    assert taken > 200
    assert noted > 20


@pytest.mark.parametrize(
    "line",
    ["A PAR H please", "PAR - BUR", "F PAR - BUR", "A PAR - MOS", "A MAR S GERMANY A MUN - BUR"],
)
def test_what_lacks_anything_takes_the_long_way(line: str) -> None:
    game = RULEBOOK.start("standard", {})
    assert read_canonical(game._context(SeatId("FRANCE")), ["F BRE - MAO", line]) == ()
