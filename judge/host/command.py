"""What a command is: one row that the parser, the permission check, HELP and the table in
`docs/features.md` are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.host.letters.letter_context import LetterContext


class Who(StrEnum):
    """Who may give a command. Keepers have no more rights by mail than anybody."""

    ANYBODY = "anybody"
    REGISTERED = "registered"  # whoever the judge knows, and whose letter proves it
    READER = "reader"  # as IN_GAME, and whoever observes it, in a reply to its letters
    IN_GAME = "in_game"  # a player or the master of the game that the letter speaks of
    PLAYER = "player"  # who has a seat in it, or waits for its start
    MASTER = "master"


class Stage(StrEnum):
    """In which stages of the game that the letter speaks of a command may be given."""

    ALWAYS = "always"
    FORMING = "forming"  # before the start, a draft too
    NOT_OVER = "not_over"
    BEGUN = "begun"  # from the start on, after the end too
    ACTIVE = "active"  # begun and not over, also while the keeper holds it
    RUNNING = "running"  # as ACTIVE, and not held


class Topic(StrEnum):
    """What a command is about: the parts of HELP, and what HELP <topic> shows."""

    GAMES = "games"
    ORDERS = "orders"
    PRESS = "press"
    VOTES = "votes"
    ACCOUNT = "account"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the mail language.

    Attributes:
        rule: its name in the grammar and in the log, as `set_deadline`.
        words: its spellings, the first is the one that help shows; any case and spacing is read.
        arguments: what follows, in the words of `grammar/commands.lark`.
        who, when: who may give it, and in which states of their game; `permissions.py` checks both.
        topic: the part of HELP that shows it.
        usage: an example that works when names are put in.
        summary: one sentence for HELP, a message of the catalogue.
        run: the handler; it may rely on `who` and `when`.
        changes: it does something. One that only shows is answered once a letter, needs no newer
            proof than an old letter of ours, and is not sent beyond the limit of letters.
        until: closing words, for a command that is followed by a text.
        adds_lines: it adds order lines to those above it, instead of closing them.
        fields: it is followed by `name: value` lines; those of these names need no colon.
        for_standby: a player's standby may give it too.
        flags: names of such lines that may stand without a value.
        is_inline: the first such line stands right behind its words, and no other names are read.
    """

    rule: str
    words: tuple[str, ...]
    arguments: str
    who: Who
    topic: Topic
    usage: str
    summary: str
    run: Callable[[LetterContext, CommandLine], None]
    when: Stage = Stage.ALWAYS
    changes: bool = True
    until: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    adds_lines: bool = False
    for_standby: bool = False
    flags: tuple[str, ...] = ()
    is_inline: bool = False


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command as it was read. `text` is the block that belongs to it (press), `fields` its
    settings (CREATE, REGISTER, SET); `in_own_words`: it stood in a sentence that names none."""

    command: Command
    arguments: Mapping[str, str]
    written: str
    text: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    closed: bool = True
    in_own_words: bool = False


def N_(message: str) -> str:
    """Marks a message for the catalogue; it is put into words in `render/`."""
    return message
