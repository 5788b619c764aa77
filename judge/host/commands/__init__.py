"""The command language: rows in `commands.toml`, handlers in one module a family."""

import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from unicodedata import normalize

from msgspec.structs import replace

from judge.host.command import Command, Handlers, declarations, make_command
from judge.host.commands.settings import all_setting_names
from judge.host.games.old_settings import OLD_FLAGS
from judge.host.games.setting_values import ELSEWHERE
from judge.host.letters.command_parser import LIKENESS, CommandParser
from judge.host.local_words import meanings, with_local_spellings

SHORTEST = 2  # characters of a word that may be misspelt
MOST_MISSPELT = 2  # words of a line
# Of all modules of this package.
HANDLERS: Handlers = {
    rule: run
    for family in pkgutil.iter_modules(__path__, f"{__name__}.")
    for rule, run in importlib.import_module(family.name).HANDLERS.items()
}
# What rows cannot hold: names that the rulebook or other commands have.
_SETTINGS = {
    "flags": (*OLD_FLAGS, *ELSEWHERE),
    "fields": (*all_setting_names(), "masters", "timing", *ELSEWHERE),
}
_NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "create": {**_SETTINGS, "fields": (*_SETTINGS["fields"], "open")},
    "set_setting": _SETTINGS,
}
COMMANDS: tuple[Command, ...] = tuple(
    with_local_spellings(replace(make_command(rule, HANDLERS[rule]), **_NAMES.get(rule, {})))
    for rule in declarations()
)
COMMAND_OF = {command.rule: command for command in COMMANDS}
COMMAND_PARSER = CommandParser(COMMANDS)


def nearest_command(written: str) -> Command | None:
    """The command that a line of one or two misspelt words may be, in any language."""
    if len(written.split()) > MOST_MISSPELT:
        return None
    words = _commands_by_spelling()
    nearest = difflib.get_close_matches(_letters_only(written), words, n=1, cutoff=LIKENESS)
    return words[nearest[0]] if nearest else None


def command_for_bare_words(written: str) -> Command | None:
    """What these words alone ask to see, in any language: `my addresses`."""
    rule = meanings("alone").get(" ".join(written.casefold().split()).strip(" .!?？！。"))
    return COMMAND_OF[rule] if rule else None


@cache
def _commands_by_spelling() -> Mapping[str, Command]:
    return {
        _letters_only(word): one for one in COMMANDS for word in one.words if len(word) > SHORTEST
    }


def _letters_only(words: str) -> str:
    """Words by their letters alone, those of Korean syllables too."""
    return normalize("NFD", "".join(one for one in words.upper() if one.isalpha()))
