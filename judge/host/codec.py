"""Blocks to JSON and back, as the outbox keeps them. The only module that imports cattrs."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import cast, get_args

from cattrs import Converter
from cattrs.strategies import configure_tagged_union

from judge.clock import from_seconds, to_seconds
from judge.host.messages import Message
from judge.rulebook import JsonObject, JsonValue


def _make_converter() -> Converter:
    converter = Converter()
    converter.register_unstructure_hook(datetime, to_seconds)
    converter.register_structure_hook(datetime, lambda value, _: from_seconds(value))
    converter.register_unstructure_hook(timedelta, lambda value: int(value.total_seconds()))
    converter.register_structure_hook(timedelta, lambda value, _: timedelta(seconds=value))
    # JSON inside a block is passed on as it is.
    converter.register_unstructure_hook_func(lambda kind: kind == JsonObject, lambda value: value)
    converter.register_structure_hook_func(lambda kind: kind == JsonObject, lambda value, _: value)
    configure_tagged_union(Message, converter, tag_name="block")
    return converter


_CONVERTER = _make_converter()
FORMAT = 2
# What the fields and kinds of format 1 (release 0.1) are called now.
RENAMED_FIELDS = {
    "sheet": "order_set",
    "sheets": "order_sets",
    "owed": "orders_due",
    "ahead": "advance",
}
RENAMED_KINDS = {"OrdersAhead": "AdvanceAnswer"}


def messages_to_json(messages: Sequence[Message]) -> JsonObject:
    """The blocks as a JSON object with a format number."""
    return {
        "format": FORMAT,
        "blocks": [_CONVERTER.unstructure(message, unstructure_as=Message) for message in messages],
    }


def messages_from_json(data: JsonObject) -> tuple[Message, ...]:
    """The blocks of `messages_to_json`, of this judge or of an older one.

    Raises:
        KeyError, ValueError: the JSON is none of ours (a bug, or a newer judge's database).
    """
    if data["format"] not in (1, FORMAT):
        raise ValueError(f"blocks of format {data['format']}")
    blocks = data["blocks"] if data["format"] == FORMAT else _renamed(data["blocks"])
    rows = cast(Sequence[JsonObject], blocks)
    return tuple(_CONVERTER.structure(row, Message) for row in rows)  # type: ignore[arg-type]


def _renamed(written: JsonValue) -> JsonValue:
    """Blocks of format 1 under the names of today."""
    if isinstance(written, Mapping):
        named = {RENAMED_FIELDS.get(key, key): _renamed(value) for key, value in written.items()}
        kind = named.get("block")
        return named | {"block": RENAMED_KINDS[kind]} if kind in RENAMED_KINDS else named
    if isinstance(written, str) or not isinstance(written, Sequence):
        return written
    return [_renamed(each) for each in written]


KINDS = tuple(kind.__name__ for kind in get_args(Message))
