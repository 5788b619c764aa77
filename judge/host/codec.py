"""Messages to JSON and back, as the outbox keeps them."""

from collections.abc import Sequence

import msgspec

from judge.host.messages import Message

FORMAT = 2


class _Stored(msgspec.Struct):
    format: int
    messages: tuple[Message, ...]


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Stored)
# The first release wrote instants and durations as whole seconds, which only this one reads.
_DECODER_1 = msgspec.json.Decoder(_Stored, strict=False)


def messages_to_json(messages: Sequence[Message]) -> bytes:
    """The messages as JSON with a format number."""
    return _ENCODER.encode(_Stored(FORMAT, tuple(messages)))


def messages_from_json(data: bytes) -> tuple[Message, ...]:
    """The messages of `messages_to_json`.

    Raises:
        ValueError: the JSON is none of ours (a bug, or a newer judge's database).
    """
    is_old = data.startswith(b'{"format": 1')
    return (_DECODER_1 if is_old else _DECODER).decode(data).messages
