"""Every kind of letter in every language with the longest names, and with nothing in its lists."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
import pytest
from msgspec.structs import fields, replace

from judge.host.messages import Message
from judge.host.messages.command_answers import DiaryTold, PositionUnclear
from judge.host.messages.game_events import Results
from judge.host.messages.games import PhaseHistory, Summary
from judge.host.messages.order_answers import AdvanceAnswer, LateOrders, NotRead, PartsNotRead
from judge.host.messages.people import Personal
from judge.host.messages.press import PressReported
from judge.host.messages.refusals import KeeperNotice, Refusal
from judge.render import languages, render_letter
from judge.render.layout import display_width

from .kinds import LETTERS

LONG = "Maximiliane von und zu Hohenlohe-Waldenburg-Schillingsfürst 김수한무거북이와두루미"
NAMES = {"player", "who", "by_name", "holder"}  # fields that hold a name of somebody's choice
# What the host never leaves empty: it is what the message is about, or as long as another list.
NEVER_EMPTY: Mapping[type[Message], tuple[str, ...]] = {
    **dict.fromkeys((NotRead, LateOrders, PartsNotRead), ("lines", "parts")),
    **dict.fromkeys((Personal, Refusal, KeeperNotice), ("values",)),
    Results: ("skipped", "skipped_own"),
    PhaseHistory: ("reports",),
    Summary: ("roster",),
    AdvanceAnswer: ("order_sets",),
    PressReported: ("to", "shown_to"),
    DiaryTold: ("notes",),  # with none it is told otherwise, as another sample has it
    PositionUnclear: ("problems", "lines"),
}
RENDERED = [(language, name) for language in languages() for name in LETTERS]


def with_long_names(value: object, field: str = "") -> object:
    """The same with a long name wherever somebody's name stands."""
    if isinstance(value, str) and field in NAMES and value:
        return LONG
    if isinstance(value, tuple):
        return tuple(with_long_names(one, field) for one in value)
    if isinstance(value, msgspec.Struct) and not isinstance(value, msgspec.Raw):
        changed = {
            one.name: with_long_names(getattr(value, one.name), one.name) for one in fields(value)
        }
        return replace(value, **changed)
    return value


def with_empty_lists(message: Message) -> Iterator[Message]:
    """The same with one of its lists empty, each in turn; and with all of them."""
    lists = {}
    for one in fields(message):
        value = getattr(message, one.name)
        if one.name in NEVER_EMPTY.get(type(message), ()):
            continue
        if value and isinstance(value, tuple | Mapping):
            lists[one.name] = () if isinstance(value, tuple) else {}
            yield replace(message, **{one.name: lists[one.name]})
    if len(lists) > 1:
        yield replace(message, **lists)


def check(language: str, messages: Sequence[Message]) -> None:
    letter = render_letter(
        messages, language=language, zone="Asia/Seoul", judge_name="Judge", kind="extreme"
    )
    first = letter.text.partition("\n")[0]
    assert 0 < display_width(first) < 60, first
    assert "{" not in letter.text + letter.subject
    assert letter.subject.startswith(("[Judge] ", "JUDGE:", "Judge:"))
    assert len(letter.subject) <= 130
    lines = letter.text.split("\n")
    assert [line for line in lines if line != line.rstrip()] == []
    # A list's heading with nothing below it.
    paragraphs = letter.text.strip().split("\n\n")
    assert not paragraphs[-1].endswith((":", "：")) or "\n" in paragraphs[-1], paragraphs[-1]


@pytest.mark.parametrize(("language", "name"), RENDERED)
def test_letters_bear_long_names(language: str, name: str) -> None:
    check(language, [with_long_names(message) for message in LETTERS[name][0]])  # type: ignore[misc]


@pytest.mark.parametrize(("language", "name"), RENDERED)
def test_letters_bear_empty_lists(language: str, name: str) -> None:
    messages = LETTERS[name][0]
    for at, message in enumerate(messages):
        for changed in with_empty_lists(message):
            check(language, [*messages[:at], changed, *messages[at + 1 :]])
