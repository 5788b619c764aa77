"""Each value of a TOML text is found at its line, however it is written."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from judge.data import read_text, variant_folders
from judge.diplomacy.variants.toml_places import Path, lines_of, syntax_fault

TEXT = '''# A comment = [with, "brackets"
name = "x = 1 # no comment"
"quoted key" = 'a"b'
dotted.inner = """
two = "lines"
"""
list = [
  1,  # one
  "two, ]",
  { letter = "S", years = [1, 2] },
]

[table.below]
key = true

[[rows]]
id = "A"
  [rows.inner]
  deep = 1

[[rows]]
id = "B"
list = []
'''


def paths_of(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    match value:
        case dict():
            for key, inner in value.items():
                yield from paths_of(inner, (*path, key))
        case list():
            for at, inner in enumerate(value):
                yield from paths_of(inner, (*path, at))


def test_every_value_has_its_line() -> None:
    lines = lines_of(TEXT)
    assert {path: lines[path] for path in paths_of(tomllib.loads(TEXT)) if path} == {
        ("name",): 2,
        ("quoted key",): 3,
        ("dotted",): 4,
        ("dotted", "inner"): 4,
        ("list",): 7,
        ("list", 0): 8,
        ("list", 1): 9,
        ("list", 2): 10,
        ("list", 2, "letter"): 10,
        ("list", 2, "years"): 10,
        ("list", 2, "years", 0): 10,
        ("list", 2, "years", 1): 10,
        ("table",): 13,
        ("table", "below"): 13,
        ("table", "below", "key"): 14,
        ("rows",): 16,
        ("rows", 0): 16,
        ("rows", 0, "id"): 17,
        ("rows", 0, "inner"): 18,
        ("rows", 0, "inner", "deep"): 19,
        ("rows", 1): 21,
        ("rows", 1, "id"): 22,
        ("rows", 1, "list"): 23,
    }


def test_lines_that_end_as_on_other_systems_are_counted_alike() -> None:
    assert lines_of(TEXT.replace("\n", "\r\n")) == lines_of(TEXT)


@pytest.mark.parametrize("name", variant_folders())
def test_no_value_of_a_shipped_file_is_overlooked(name: str) -> None:
    text = read_text("config", "variants", name, "variant.toml")
    assert {path for path in paths_of(tomllib.loads(text)) if path} == set(lines_of(text))


@pytest.mark.parametrize(
    ("text", "line"),
    [("a = 1\nb = \nc = 3\n", 2), ("a = 1\nb = [1,\n\n", 2), ("a = 1\na = 2\n", 2)],
)
def test_what_cannot_be_read_has_a_line(text: str, line: int) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    found, gist = syntax_fault(caught.value, text)
    assert found == line
    assert "line" not in gist
