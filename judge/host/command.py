"""What a command is, one small declared thing, and what one reads as in a letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.host.letter_context import LetterContext


class Needs(StrEnum):
    """Who may give a command."""

    ANYBODY = "anybody"
    ROLE = "chair"  # signed on in a game, as player or master
    SEAT = "seat"  # signed on at a seat of a running game
    MASTER = "master"  # signed on as the game's master


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the mail language.

    Attributes:
        rule: its name in the grammar and in the log, as `set_deadline`.
        words: its spellings, the first is the one that help shows; any case and spacing is read.
        arguments: what follows, in the words of `grammar/commands.lark`.
        needs: who may give it.
        usage: an example that works when names are put in.
        summary: one sentence for HELP, a message of the catalogue.
        run: the handler.
        until: closing words, for a command that is followed by a text.
        adds_lines: it adds order lines to those above it, instead of closing them.
        fields: it is followed by `name: value` lines; those of these names need no colon.
    """

    rule: str
    words: tuple[str, ...]
    arguments: str
    needs: Needs
    usage: str
    summary: str
    run: Callable[[LetterContext, CommandLine], None]
    until: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    adds_lines: bool = False


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command as it was read. `text` is the block that belongs to it (press), `fields` its
    settings lines (CREATE, REGISTER); `in_own_words`: it stood in a sentence that names none."""

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
