"""No name or word of one language means something else in another, on any board."""

import pytest

from judge.data import variant_folders
from judge.diplomacy.language.lexicon import ORDER_WORDS, key_of, lexicon
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.name_collisions import _meanings, doubled_names, name_faults
from judge.diplomacy.variants.files import read_variant
from judge.diplomacy.variants.variant import LocalNames, load_variant, variant_names
from judge.host.commands import COMMAND_PARSER, COMMANDS
from judge.host.letters.command_parser import Request, TextLine

# Names that are words too, and how each is settled (tokens.py and lexicon.py of the language).
STANDARD = {
    "english": {"power ENGLAND", "province ENG"},  # the power before a unit, else the province
    "arm": {"province ARM", "army"},  # an id always wins
}
WITHOUT_ENGLAND = {"arm": {"province ARM", "army"}}
SETTLED = {
    "colonial": {
        "arm": {"province ARM", "army"},
        "and": {"province AND", "join"},  # a place only where a place can stand
        "new": {"province NEW", "build"},
        "sc": {"coast SC", "canal"},  # the canal only as the first word of an order
    },
    "chaos": WITHOUT_ENGLAND,  # its powers are named after provinces, and not read in orders
    "france_austria": WITHOUT_ENGLAND,
    "germany_italy": WITHOUT_ENGLAND,
}
COMMAND_WORDS = tuple(word for command in COMMANDS for word in command.words)


def local_tables(variant: str) -> LocalNames:
    return load_variant(variant).local


@pytest.mark.parametrize("variant", variant_names())
def test_no_name_or_word_has_two_meanings_but_those_that_are_settled(variant: str) -> None:
    text = read_variant(variant, variant_folders())
    doubled = doubled_names(_meanings(text, ())).items()
    assert {name: set(map(str, each)) for name, each in doubled} == SETTLED.get(variant, STANDARD)
    assert name_faults(text, COMMAND_WORDS) == ()


@pytest.mark.parametrize("variant", variant_names())
def test_every_language_names_every_power_and_province_of_the_board(variant: str) -> None:
    board = load_variant(variant)
    for language, table in local_tables(variant).items():
        assert set(table["powers"]) == set(board.power_ids), language
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
        for word in known.get(key_of(normalize(spelling).text), ())
        if word in orders or word[:1] in ("#", "@")
    }
    assert doubled == {"WITHDRAW"}  # a command only as the whole line


def test_a_unit_that_withdraws_is_no_player_who_does() -> None:
    (line,) = COMMAND_PARSER.read("Withdraw A Bur to Par")
    assert isinstance(line, TextLine | Request)
    assert isinstance(line, TextLine) or not line.is_plain_request


def test_a_word_of_several_parts_has_a_meaning_however_its_parts_are_joined() -> None:
    """`둘 중 하나` and `둘중하나`: whatever the search finds can be looked up."""
    words = lexicon(load_variant("standard"))
    for name in [each for each in words.words if " " in each]:
        for joint in ("", "-", ".", "  "):
            found = words.pattern.match(name.replace(" ", joint))
            if found and found.lastgroup == "known":
                assert words.meaning(found[0])
