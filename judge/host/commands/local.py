"""How commands are said in other languages: data, a file a language (`grammar/commands/`)."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from judge.data import read_text, shipped
from judge.host.command import Command


@cache
def languages() -> Mapping[str, Mapping[str, Any]]:
    """The tables of every language: `words` by a command's rule, `every` and `units`."""
    files = sorted(each.name for each in shipped("grammar", "commands").iterdir())
    return {
        name.removesuffix(".toml"): tomllib.loads(read_text("grammar", "commands", name))
        for name in files
        if name.endswith(".toml")
    }


def said(rule: str) -> tuple[str, ...]:
    """The spellings of a command in the other languages, in upper case where there is one."""
    return tuple(
        word.upper() for table in languages().values() for word in table["words"].get(rule, ())
    )


def first_said(rule: str) -> dict[str, str]:
    """What a command is called first, by the other languages that have a word for it."""
    return {
        language: table["words"][rule][0]
        for language, table in languages().items()
        if rule in table["words"]
    }


def every_phase() -> tuple[str, ...]:
    """What `ALL` in `CLEAR ALL` is called in the other languages."""
    return tuple(word for table in languages().values() for word in table["every"]["phase"])


def units() -> Mapping[str, str]:
    """The letter of each unit of time (`w`, `d`, `h`, `m`) by its names in the other languages."""
    return {
        name: letter
        for table in languages().values()
        for letter, names in table["units"].items()
        for name in names
    }


def in_all_languages(command: Command) -> Command:
    """The command with its spellings in the other languages behind the English ones."""
    return replace(command, words=(*command.words, *said(command.rule)))
