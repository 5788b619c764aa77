"""What a letter of the judge says: messages, the values that `render/letters.py` puts into words.

A letter is a sequence of messages; the first gives its first line and its subject. Messages hold
values and no sentences, so that the same letter can be written in any language. The outbox keeps
them as JSON.
"""

import functools
import hashlib
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

# Loaded so that all messages are known here.
from judge.host.messages import command_answers, games, master_acts, people, press, refusals  # noqa: F401
from judge.host.messages.game_events import Results
from judge.host.messages.shared import Message as Message
from judge.rulebook import NO_JSON

FORMAT = 2
_KINDS: Any = functools.reduce(operator.or_, Message.__subclasses__())
_Stored = msgspec.defstruct("_Stored", [("format", int), ("messages", tuple[_KINDS, ...])])
_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_Stored)
# Release 0.1 wrote instants and durations as whole seconds, which only this one reads.
_DECODER_0_1: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_Stored, strict=False)


def messages_to_json(messages: Sequence[Message]) -> tuple[bytes, Mapping[str, bytes]]:
    """The messages as JSON with a format number, and the documents that they refer to.

    The public report of a phase goes to everybody in the game: it is kept beside the letters, once.
    """
    documents: dict[str, bytes] = {}
    stored = []
    for message in messages:
        if isinstance(message, Results):
            reports = [bytes(report) for report in (message.report, *message.skipped)]
            digests = tuple(hashlib.sha256(report).hexdigest() for report in reports)
            documents.update(zip(digests, reports, strict=True))
            message = replace(message, report=NO_JSON, skipped=(), report_digests=digests)
        stored.append(message)
    return _ENCODER.encode(_Stored(FORMAT, tuple(stored))), documents


def messages_from_json(data: bytes, documents: Mapping[str, bytes]) -> tuple[Message, ...]:
    """The messages of `messages_to_json`.

    Raises:
        ValueError: the JSON is none of ours (a bug, or a newer judge's database).
        KeyError: a document is not there.
    """
    decoder = _DECODER_0_1 if data.startswith(b'{"format": 1') else _DECODER
    messages: list[Message] = []
    for message in decoder.decode(data).messages:
        if isinstance(message, Results) and message.report_digests:
            report, *skipped = (msgspec.Raw(documents[one]) for one in message.report_digests)
            message = replace(message, report=report, skipped=tuple(skipped), report_digests=())
        messages.append(message)
    return tuple(messages)
