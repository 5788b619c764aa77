"""What a command is: one row that the parser, the permission check, HELP and the table in
`docs/features.md` are made from. The rows stand in `judge/host/commands/commands.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import asdict

from judge.data import read_text

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


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command as its row declares it.

    Attributes:
        words: its spellings, the first is the one that help shows; any case and spacing is read.
        arguments: what follows, in the words of `grammar/commands.lark`.
        who, when: who may give it, and in which states of their game; `permissions.py` checks both.
        topic: the part of HELP that shows it.
        usage: an example that works when names are put in.
        summary: one sentence for HELP; this and `usage` are messages of the catalogue.
        changes: it does something. One that only shows is answered once a letter and seat, needs no
            newer proof than an old letter of ours, and is not sent beyond the limit of letters.
        until: closing words, for a command that is followed by a text.
        adds_lines: it adds order lines to those above it, instead of closing them.
        fields: it is followed by `name: value` lines; those of these names need no colon.
        for_standby: a player's standby may give it too.
        flags: names of such lines that may stand without a value.
        is_inline: the first such line stands right behind its words, and no other names are read.
        goes_on: in a reply about a game that is over it is for the next one, once that has begun.
    """

    words: tuple[str, ...]
    who: Who
    topic: Topic
    usage: str
    summary: str
    arguments: str = ""
    when: Stage = Stage.ALWAYS
    changes: bool = True
    until: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    adds_lines: bool = False
    for_standby: bool = False
    flags: tuple[str, ...] = ()
    is_inline: bool = False
    goes_on: bool = False


class Command(Declaration, frozen=True, kw_only=True):
    """A command of the mail language. `rule`: its name in the grammar and in the log, as
    `set_deadline`; `run`: its handler, which may rely on `who` and `when`."""

    rule: str
    run: Handler


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

    def with_arguments(self, **arguments: str) -> CommandLine:
        """This line with these arguments in place of its own."""
        return replace(self, arguments=arguments)

    def is_in_capitals(self, letters: int) -> bool:
        """Whether so many of its first letters are capitals, or it is in a script without them: a
        command, and no sentence that begins with the same word."""
        return self.written[:letters].isupper() or not self.written.isascii()


Handler = Callable[["LetterContext", CommandLine], None]
Handlers = Mapping[str, Handler]  # by the command's rule


@cache
def declarations() -> Mapping[str, Declaration]:
    """The rows of all commands by rule, in the order of HELP."""
    text = read_text("host", "commands", "commands.toml")
    return msgspec.toml.decode(text, type=dict[str, Declaration])


def make_command(rule: str, run: Handler) -> Command:
    """The command of a row, with its handler."""
    return Command(**asdict(declarations()[rule]), rule=rule, run=run)


def N_(message: str) -> str:
    """Marks a message for the catalogue; it is put into words in `render/`."""
    return message
