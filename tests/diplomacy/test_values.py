"""Orders and outcomes are values: nobody changes one that is made.

They are no frozen dataclasses, which are slow to make; so the whole source is looked through.
"""

import ast
from dataclasses import MISSING, fields, is_dataclass
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType

import pytest

import judge
from judge.diplomacy import orders, outcome

ROOT = Path(judge.__file__).parent
# The importer's drafts change while they are read, and it knows no orders (tests/test_imports.py).
SOURCES = [
    path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts[0] != "importing"
]


def values(module: ModuleType) -> set[type]:
    return {each for each in vars(module).values() if isinstance(each, type) and is_dataclass(each)}


VALUES = values(orders) | values(outcome)
FIELDS = {field.name for kind in VALUES for field in fields(kind)}


def changes(source: str) -> list[tuple[int, str]]:
    """Lines in which a field of a value is set, on anything but the writer's own `self`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        is_change = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del)
        if is_change and node.attr in FIELDS:
            is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if not is_own:
                found.append((node.lineno, node.attr))
        if isinstance(node, ast.Name) and node.id == "setattr":
            found.append((node.lineno, "setattr"))
    return found


def test_nobody_changes_a_value() -> None:
    found = {str(path): changes(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize("line", ["unit.power = other", "del order.target", "setattr(a, b, c)"])
def test_a_change_would_be_found(line: str) -> None:
    assert changes(line)


def test_values_set_their_fields_only_when_they_are_made() -> None:
    for path in SOURCES:
        if path.name not in ("orders.py", "outcome.py"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for kind in (node for node in tree.body if isinstance(node, ast.ClassDef)):
            kept = [one for one in kind.body if getattr(one, "name", "") != "__init__"]
            later = ast.unparse(ast.Module(kept, [])).replace("self.", "value.")
            assert changes(later) == []


@pytest.mark.parametrize("kind", sorted(VALUES, key=lambda kind: kind.__name__))
def test_a_value_is_made_of_all_its_fields_in_their_order(kind: type) -> None:
    for given, field in zip(list(signature(kind).parameters.values()), fields(kind), strict=True):
        assert given.name == field.name
        default = Parameter.empty if field.default is MISSING else field.default
        assert given.default == default


@pytest.mark.skipif(
    not str(orders.__file__).endswith(".py"), reason="compiled values hold no values of other types"
)
@pytest.mark.parametrize("kind", sorted(VALUES, key=lambda kind: kind.__name__))
def test_values_are_hashable_and_equal_by_their_fields(kind: type) -> None:
    held = [f"{number}" for number, _ in enumerate(fields(kind))]
    assert kind(*held) == kind(*held)
    assert hash(kind(*held)) == hash(kind(*held))
    for at in range(len(held)):
        assert kind(*held[:at], "other", *held[at + 1 :]) != kind(*held)
