"""No name or word of one language means something else in another, on any board."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from judge.data import read_text, shipped
from judge.diplomacy.names import ORDER_WORDS, key_of, lexicon
from judge.diplomacy.text import plain
from judge.diplomacy.variant import load_variant, variant_names
from judge.host.commands import COMMANDS, FRONT
from judge.host.front import TextLine

# Names that are words too, and how each is settled (judge/diplomacy/scanner.py, names.py).
SETTLED = {
    "standard": {
        "english": {"power ENGLAND", "province ENG"},  # the power before a unit, else the province
        "arm": {"province ARM", "army"},  # an id always wins
    },
    "colonial": {
        "arm": {"province ARM", "army"},
        "and": {"province AND", "join"},  # a place only where a place can stand
        "new": {"province NEW", "build"},
        "sc": {"coast SC", "canal"},  # the canal only as the first word of an order
    },
}
KINDS = ("army", "fleet")


def words() -> Mapping[str, Mapping[str, Any]]:
    """The words of each language, as its file has them."""
    names = [each.name for each in shipped("grammar", "words").iterdir()]
    return {
        name: tomllib.loads(read_text("grammar", "words", name))
        for name in sorted(names)
        if name.endswith(".toml")
    }


def order_words() -> Iterator[tuple[str, str]]:
    """(name, meaning) of every word of grammar/words, with the endings that may follow it."""
    for language in words().values():
        for kind, names in language["orders"].items():
            endings = ["", *language["endings"]] if kind not in KINDS else [""]
            for name in names:
                yield from (
                    (name + ending, kind) for ending in endings if len(name) > 1 or not ending
                )
        for name in language["move_after"]:
            yield name, "move"
        for coast, names in language["coasts"].items():  # marked ones follow a slash
            yield from ((name, f"coast {coast}") for name in names)
        for use in ("between", "not_between_places", "join"):
            yield from ((name, use) for name in language["around"][use])


def names_of(variant: str) -> Iterator[tuple[str, str]]:
    """(name, meaning) of every name of a variant, in every language."""
    board = load_variant(variant).board
    for power in load_variant(variant).powers:
        yield from ((name, f"power {power.id}") for name in power.names)
    for province in board.provinces.values():
        for name in (province.id, province.name, *province.aliases):
            if name not in board.ambiguous or name == province.id:
                yield name, f"province {province.id}"
    for use, names in load_variant(variant).order_names.items():
        yield from ((name, use) for name in names)
    for table in local_tables(variant).values():
        yield from ((n, f"power {key}") for key, names in table["powers"].items() for n in names)
        yield from (
            (n, f"province {key}") for key, names in table["provinces"].items() for n in names
        )
        yield from ((n, use) for use, names in table.get("orders", {}).items() for n in names)


def local_tables(variant: str) -> Mapping[str, Mapping[str, Any]]:
    place = ("config", "variants", variant, "names")
    return {
        name: tomllib.loads(read_text(*place, name))
        for name in sorted(each.name for each in shipped(*place).iterdir())
        if name.endswith(".toml")
    }


@pytest.mark.parametrize("variant", variant_names())
def test_no_name_or_word_has_two_meanings_but_those_that_are_settled(variant: str) -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for name, meaning in (*order_words(), *names_of(variant)):
        meanings[key_of(plain(name).text)].add(meaning)
    doubled = {name: found for name, found in meanings.items() if len(found) > 1}
    assert doubled == SETTLED[variant]


@pytest.mark.parametrize("variant", variant_names())
def test_ambiguous_short_forms_hide_no_word_and_no_other_name(variant: str) -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for name, meaning in (*order_words(), *names_of(variant)):
        meanings[key_of(plain(name).text)].add(meaning)
    for short, places in load_variant(variant).board.ambiguous.items():
        found = meanings.get(key_of(plain(short).text), set())
        assert found <= {f"province {place.province}" for place in places}, short


@pytest.mark.parametrize("variant", variant_names())
def test_every_language_names_every_power_and_province_of_the_board(variant: str) -> None:
    board = load_variant(variant)
    for language, table in local_tables(variant).items():
        assert list(table["powers"]) == list(board.power_ids), language
        assert set(table["provinces"]) == set(board.board.provinces), language
        for names in (*table["powers"].values(), *table["provinces"].values()):
            assert len(set(names)) == len(names) > 0
        assert set(table.get("orders", {})) == set(board.order_names), language


@pytest.mark.parametrize("variant", variant_names())
def test_two_places_are_never_printed_by_one_name(variant: str) -> None:
    for language, table in local_tables(variant).items():
        printed = [names[0] for names in table["provinces"].values()]
        assert len(set(printed)) == len(printed), language


@pytest.mark.parametrize("variant", variant_names())
def test_no_command_is_an_order_word_or_a_name(variant: str) -> None:
    """`WAIT` must not be called 대기 or 待機, which hold a unit."""
    known = lexicon(load_variant(variant)).words
    orders = set(ORDER_WORDS.values())
    doubled = {
        spelling
        for command in COMMANDS
        for spelling in command.words
        for word in known.get(key_of(plain(spelling).text), ())
        if word in orders or word[:1] in ("#", "@")
    }
    assert doubled == {"WITHDRAW"}  # a command only as the whole line


def test_a_unit_that_withdraws_is_no_player_who_does() -> None:
    (line,) = FRONT.read("Withdraw A Bur to Par")
    assert line == TextLine("Withdraw A Bur to Par")
