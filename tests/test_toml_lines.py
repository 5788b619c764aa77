"""Each value of a TOML text is found at its line, and a fault hides no other."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from judge.data import read_text, variant_folders
from judge.toml_lines import Path, read_toml

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


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("\n", "\r\n")])
def test_every_value_has_its_line(text: str) -> None:
    file = read_toml(text)
    assert file.values == tomllib.loads(TEXT)
    assert not file.faults
    assert {path: file.line_of(*path) for path in paths_of(file.values) if path} == {
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


def test_what_is_not_written_has_the_line_of_what_would_hold_it() -> None:
    file = read_toml(TEXT)
    assert file.line_of("rows", 1, "name") == 21
    assert file.line_of("nowhere", "key") is None
    assert file.line_of() is None


@pytest.mark.parametrize("name", variant_folders())
def test_no_value_of_a_shipped_file_is_overlooked(name: str) -> None:
    text = read_text("config", "variants", name, "variant.toml")
    assert {path for path in paths_of(tomllib.loads(text)) if path} == set(
        read_toml(text).line_numbers
    )


@pytest.mark.parametrize(
    ("text", "lines", "values"),
    [
        ("a = 1\nb = \nc = 3\n", [2], {"a": 1, "c": 3}),
        ("a = 1\na = 2\n", [2], {"a": 1}),
        ('[x]\na = "1\nb = "2"\nc = 3\nd = \n', [2, 5], {"x": {"b": "2", "c": 3}}),
        ("a = 1\nb = [1,\n\n", [2], {"a": 1}),
        ("a = [1,\n  2\nb = 3\n", [1], {"b": 3}),
        ("a = [1,\n  2,\nb = 3\n", [1], {"b": 3}),
        ("a = [\n  { x = 1 },\n\n[t]\nb = 3\n", [1], {"t": {"b": 3}}),
        ("a = [\n  { x = 1 },\n  { x = },\n  { x = 3 },\n]\n", [3], {"a": [{"x": 1}, {"x": 3}]}),
        ("[x\na = 1\n[y]\nb = 2\n", [1], {"y": {"b": 2}}),
        ("[x]\n[[y]]\na = 1\n[x]\nb = 2\n[[y]]\n", [4], {"x": {}, "y": [{"a": 1}, {}]}),
        ('a = """x\nb = 1\n', [1], {"b": 1}),
        ("", [], {}),
    ],
)
def test_a_line_that_cannot_be_read_hides_no_other(
    text: str, lines: list[int], values: dict[str, Any]
) -> None:
    file = read_toml(text)
    assert [fault.line for fault in file.faults] == lines
    assert file.values == values
    assert all(fault.text.startswith("this line cannot be read: ") for fault in file.faults)
    assert not any("line 2" in fault.text for fault in file.faults)


def test_the_keys_of_lines_that_cannot_be_read_are_known() -> None:
    assert read_toml('a = 1\nb = "2\n[c\nd = 4\n').lost_keys == {"b", "d"}


def test_a_text_that_is_no_toml_at_all_ends_with_a_number_of_faults() -> None:
    file = read_toml("nonsense here\n" * 100)
    assert (len(file.faults), file.values) == (50, {})
