"""Every name in a letter comes from the variant of its game."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from judge.data import shipped_variants, use_variants
from judge.host.messages import Message, messages_from_json
from judge.render import render_letter
from judge.render.catalogue import catalogue
from judge.render.diplomacy import RENDERER
from judge.rulebook import SeatId
from tests.render.kinds import LETTERS

EN = catalogue("en")


@pytest.fixture
def gaul(tmp_path: Path) -> Iterator[str]:
    """A keeper's own variant: the standard game, in which France is called Gaul."""
    folder = tmp_path / "gaul"
    shutil.copytree(Path(str(shipped_variants()["standard"])), folder)
    file = folder / "variant.toml"
    text = file.read_text(encoding="utf-8").replace('name = "standard"', 'name = "gaul"')
    file.write_text(text.replace('name = "France"', 'name = "Gaul"'), encoding="utf-8")
    use_variants({"gaul": folder})
    yield "gaul"
    use_variants({})


def letter(messages: Sequence[Message]) -> str:
    return render_letter(
        messages, language="en", zone="UTC", judge_name="Judge", kind="answer"
    ).text


@pytest.mark.parametrize("name", LETTERS)
def test_a_keepers_own_name_of_a_power_stands_in_every_letter(name: str, gaul: str) -> None:
    messages, _ = LETTERS[name]
    data = msgspec.json.encode({"format": 2, "messages": messages})
    text = letter(messages_from_json(data.replace(b'"standard"', f'"{gaul}"'.encode()), {}))
    assert "France" not in text
    assert ("Gaul" in text) == ("France" in letter(list(messages)))


def test_two_variants_name_the_same_power_each_in_its_way(gaul: str) -> None:
    words = [RENDERER.words(variant, EN) for variant in ("standard", gaul, "standard")]
    assert [each.seat_name(SeatId("FRANCE")) for each in words] == ["France", "Gaul", "France"]
    colonial = RENDERER.words("colonial", EN)
    assert colonial.seat_name(SeatId("FRANCE")) == "France"
    assert colonial.seat_name(SeatId("GERMANY")) == "GERMANY"
    assert words[0].seat_name(SeatId("GERMANY")) == "Germany"


def test_a_variant_that_is_gone_leaves_ids_for_names() -> None:
    words = RENDERER.words("gone", EN)
    assert words.seat_name(SeatId("FRANCE")) == "FRANCE"
    assert words.phase_name("S1901M") == "Spring 1901 movement"
    assert RENDERER.variant_name("gone", EN) == "gone"
