"""A power has one name in a language, in every letter of every variant."""

import pytest

from judge.data import shipped_variants
from judge.render.catalogue import catalogue, languages
from judge.render.layout import as_letter
from judge.rulebook import load_game, load_renderer

GAME = "diplomacy"
RULEBOOK, RENDERER = load_game(GAME), load_renderer(GAME)


@pytest.mark.parametrize("language", languages())
def test_a_power_of_several_variants_has_one_name(language: str) -> None:
    names: dict[str, set[str]] = {}
    for variant in shipped_variants():
        words = RENDERER.words(variant, catalogue(language))
        for seat in RULEBOOK.seats(variant, {}):
            names.setdefault(seat.id, set()).add(words.seat_name(seat.id))
    assert {power: found for power, found in names.items() if len(found) > 1} == {}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("variant", shipped_variants())
def test_the_roster_and_the_position_name_powers_alike(variant: str, language: str) -> None:
    words = RENDERER.words(variant, catalogue(language))
    game = RULEBOOK.start(variant, {})
    told = as_letter(words.position(game.view(None)))
    for seat in RULEBOOK.seats(variant, {}):
        for power in words.seat_brief(seat.id).replace("／", "/").split("/"):
            assert f"  {power}" in told
