"""The game's values to JSON and back, for states, reports and views.

A value is an object of its fields with its class under `is`; enums and ids are their texts. Knows
nothing of what the values mean.
"""

import ast
import sys
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
JsonObject = Mapping[str, Json]

T = TypeVar("T")
_TAG = "is"


def encode(value: object) -> Json:
    """The JSON of one of the game's values; fields that are empty or as they are by default
    are left out.

    Raises:
        TypeError: it holds something that is no value of ours (a bug).
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple):
        return [encode(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): encode(each) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        row: dict[str, Json] = {_TAG: type(value).__name__}
        for each in fields(value):
            held = getattr(value, each.name)
            is_default = each.default_factory is not MISSING and held == each.default_factory()
            if held is not None and held != () and held != each.default and not is_default:
                row[each.name] = encode(held)
        return row
    raise TypeError(f"no JSON for {type(value).__name__}")


def encode_object(value: object) -> JsonObject:
    """As `encode`, for a dataclass."""
    return cast(JsonObject, encode(value))


def decode(kind: type[T], data: Json) -> T:
    """The value of that kind; pair of `encode`.

    Raises:
        KeyError, TypeError, ValueError: the JSON is none of ours (a bug, or a newer judge's).
    """
    return cast(T, _decode(kind, data))


def _decode(kind: Any, data: Any) -> Any:
    kind = getattr(kind, "__supertype__", kind)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _decode_union(get_args(kind), data)
    if origin is tuple:
        (item, *_) = get_args(kind)
        return tuple(_decode(item, each) for each in data)
    if origin is not None and issubclass(origin, Mapping):
        key, item = get_args(kind)
        return {_decode(key, name): _decode(item, each) for name, each in data.items()}
    if is_dataclass(kind):
        return _decode_dataclass(kind, data)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(data)
    if kind is NoneType or not isinstance(data, kind):
        raise TypeError(f"{data!r} is no {kind}")
    return data


def _decode_union(kinds: tuple[Any, ...], data: Any) -> Any:
    if data is None:
        return None
    if isinstance(data, Mapping) and _TAG in data:
        named: dict[str, Any] = {each.__name__: each for each in kinds}
        return _decode(named[data[_TAG]], data)
    plain = [each for each in kinds if each is not NoneType and not is_dataclass(each)]
    return _decode(plain[0], data)


def _decode_dataclass(kind: Any, data: Any) -> Any:
    hints = _hints(kind)
    values = {name: _decode(hints[name], each) for name, each in data.items() if name != _TAG}
    for name, hint in hints.items():
        if name not in values and get_origin(hint) is tuple:
            values[name] = ()
        elif name not in values and NoneType in get_args(hint):
            values[name] = None
    return kind(**values)


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The types of a value's fields. They are read from the source, because the classes of a
    compiled adjudicator have forgotten what their tuples and unions are made of."""
    written = _written_hints(kind.__module__)[kind.__name__]
    unread = type(kind.__name__, (), {"__annotations__": written})
    return get_type_hints(unread, globalns=vars(sys.modules[kind.__module__]))


@cache
def _written_hints(module: str) -> dict[str, dict[str, str]]:
    """Field types by class, as a module's source writes them."""
    package, _, name = module.rpartition(".")
    source = files(package).joinpath(f"{name}.py").read_text(encoding="utf-8")
    classes = [each for each in ast.parse(source).body if isinstance(each, ast.ClassDef)]
    return {
        each.name: {
            row.target.id: ast.unparse(row.annotation)
            for row in each.body
            if isinstance(row, ast.AnnAssign) and isinstance(row.target, ast.Name)
        }
        for each in classes
    }
