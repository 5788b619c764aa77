"""docs/variants.md is true: its examples are variants, and every key stands in it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import inspect

from judge.diplomacy.position import start_position
from judge.diplomacy.rules import Builds
from judge.diplomacy.variants.tables import BoardTables, NameTables, VariantTables
from judge.diplomacy.variants.variant import make_variant
from tests.diplomacy.variant_folders import faults_of, text_of, write_variant

PAGE = (Path(__file__).parent.parent / "docs" / "variants.md").read_text(encoding="utf-8")
MISTAKE = ('start_units = ["F DAL"]', 'start_units = ["F DAL/NC"]')


def examples() -> dict[str, dict[str, str]]:
    """The files of the page's variants, by variant."""
    found: dict[str, dict[str, str]] = {}
    for text in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL):
        head, _, body = text.partition("\n")
        name, _, file = head.removeprefix("# ").partition("/")
        found.setdefault(name, {})[file] = body
    return found


def keys_of(info: inspect.Type) -> Iterator[str]:
    match info:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield field.encode_name
                yield from keys_of(field.type)
        case inspect.UnionType(types=types):
            for each in types:
                yield from keys_of(each)
        case inspect.DictType(value_type=each):
            yield from keys_of(each)
        case inspect.VarTupleType(item_type=each) | inspect.ListType(item_type=each):
            yield from keys_of(each)


KEYS = [
    key
    for tables in (VariantTables, BoardTables, NameTables)
    for key in keys_of(inspect.type_info(tables))
]


@pytest.mark.parametrize("key", sorted(set(KEYS)))
def test_every_key_is_explained(key: str) -> None:
    assert re.search(rf"`\[*{key}(\.[A-Z]+)?\]*(`| =)", PAGE)


def test_every_rule_of_builds_is_explained() -> None:
    assert all(f"`{rule}`" in PAGE for rule in Builds)


def test_the_short_example_is_a_variant(tmp_path: Path) -> None:
    write_variant(tmp_path, "short", examples()["short"])
    assert faults_of(tmp_path, "short") == []
    variant = make_variant(text_of(tmp_path, "short"))
    assert (len(variant.powers), variant.victory_centers) == (6, 15)
    assert "A BRE" in map(str, variant.powers[2].start_units)


def test_the_mistake_of_the_islands_is_found_where_the_page_says(tmp_path: Path) -> None:
    files = examples()["islands"]
    # The page's first line names the file; in a folder it is not there.
    files["variant.toml"] = f"# islands/variant.toml\n{files['variant.toml']}"
    write_variant(tmp_path, "islands", files)
    (fault,) = faults_of(tmp_path, "islands")
    assert f"\nislands/{fault}\n" in PAGE


def test_the_islands_are_a_variant_once_it_is_mended(tmp_path: Path) -> None:
    files = examples()["islands"]
    files["variant.toml"] = files["variant.toml"].replace(*MISTAKE)
    write_variant(tmp_path, "islands", files)
    assert faults_of(tmp_path, "islands") == []
    variant = make_variant(text_of(tmp_path, "islands"))
    start = start_position(variant)
    assert [str(unit) for unit in start.units] == ["A HIL", "F DAL/NC"]
    assert (str(start.phase), len(start.owners)) == ("S1M", 2)
    assert variant.local["ja"]["provinces"]["STR"] == ["中つ海", "瀬戸"]
