"""Blocks to JSON and back, as the outbox keeps them. The only module that imports cattrs."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import cast, get_args

from cattrs import Converter
from cattrs.strategies import configure_tagged_union

from judge.clock import from_seconds, to_seconds
from judge.host.messages import Message
from judge.rulebook import JsonObject


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


def messages_to_json(messages: Sequence[Message]) -> JsonObject:
    """The blocks as a JSON object with a format number."""
    return {
        "format": 1,
        "blocks": [_CONVERTER.unstructure(message, unstructure_as=Message) for message in messages],
    }


def messages_from_json(data: JsonObject) -> tuple[Message, ...]:
    """The blocks of `messages_to_json`.

    Raises:
        KeyError, ValueError: the JSON is none of ours (a bug, or a newer judge's database).
    """
    if data["format"] != 1:
        raise ValueError(f"blocks of format {data['format']}")
    rows = cast(Sequence[JsonObject], data["blocks"])
    return tuple(_CONVERTER.structure(row, Message) for row in rows)  # type: ignore[arg-type]


KINDS = tuple(kind.__name__ for kind in get_args(Message))
