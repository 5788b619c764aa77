"""How commands and settings are said: data (`grammar/<language>/commands.toml`)."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from judge.data import language_data
from judge.host.command import Command, Topic, declarations

# What stands first behind the word of a command, by the table of its names.
VALUES = {
    "get": "guides",
    "list": "lists",
    "propose": "proposals",
    "set_attachments": "attachments",
    "set_format": "formats",
    "set_level": "levels",
    "set_profile": "profiles",
    "set_report": "reports",
    "vote": "proposals",
}


def local_word_tables() -> Mapping[str, Mapping[str, Any]]:
    """The tables of every language but English: `words` by a command's rule, and others."""
    tables = language_data("commands.toml")
    return {language: table for language, table in tables.items() if language != "en"}


def words_in_all_languages(table: str, key: str) -> tuple[str, ...]:
    """What a thing is called in all languages, in English first; not every table is in English."""
    tables = language_data("commands.toml").values()
    return tuple(name for each in tables for name in each.get(table, {}).get(key, ()))


def meanings(table: str) -> dict[str, str]:
    """The keys of a table, as pages of GET or units of time, by their names in all languages."""
    tables = language_data("commands.toml").values()
    return {
        name: key for each in tables for key, names in each.get(table, {}).items() for name in names
    }


def said(rule: str) -> tuple[str, ...]:
    """The spellings of a command in the other languages, in upper case where there is one."""
    return tuple(
        word.upper()
        for table in local_word_tables().values()
        for word in table["words"].get(rule, ())
    )


def first_said(rule: str) -> dict[str, str]:
    """What a command is called first, by the other languages that have a word for it."""
    return {
        language: table["words"][rule][0]
        for language, table in local_word_tables().items()
        if rule in table["words"]
    }


def closing_word(command: Command, language: str) -> str:
    """The line that ends the command's text, as a reader of that language writes it."""
    ends = local_word_tables().get(language, {}).get("ends", {})
    return str(ends.get(command.rule, command.until)[0])


def bilingual_line(line: str, language: str) -> str:
    """A command line as a reader of that language knows it: `준비 완료 (READY)`."""
    local = _line_in_language(line, language)
    signs = language_data("language.toml").get(language, {}).get("signs", {})
    return local + signs.get("behind", " ({})").format(line) if local else line


def _line_in_language(line: str, language: str) -> str:
    """A command line in the words of a language; empty if it has no word for the command."""
    named = (
        (word, rule)
        for rule, row in declarations().items()
        for word in row.words
        if f"{line} ".startswith(f"{word} ")
    )
    word, rule = max(named, key=lambda found: len(found[0]), default=("", ""))
    local = first_said(rule).get(language)
    if not local:
        return ""
    behind = line.removeprefix(word).strip()
    if rule == "help" and behind:
        behind = _line_in_language(behind, language) or behind
    first, _, others = behind.partition(" ")
    names = (
        local_word_tables()[language].get(VALUES.get(rule, ""), {}).get(first.casefold(), [first])
    )
    return " ".join(filter(None, (local, names[0], others)))


def topic_words(topic: Topic) -> tuple[str, ...]:
    """What a part of HELP is called, in upper case where there is one."""
    return (
        topic.upper(),
        topic.upper().removesuffix("S"),
        *words_in_all_languages("topics", topic),
    )


def setting_values() -> Mapping[str, tuple[str, ...]]:
    """Values of settings, as `vacant`, by what they are called in the other languages; a word may
    stand for several, of which no one setting has two."""
    found: dict[str, tuple[str, ...]] = {}
    for table in local_word_tables().values():
        for value, names in (*table["values"].items(), *table["press_kinds"].items()):
            found |= {name: (*found.get(name, ()), value) for name in names}
    return found


def with_local_spellings(command: Command) -> Command:
    """The command with its spellings in the other languages behind the English ones."""
    tables = local_word_tables().values()
    each = [table["ends"].get(command.rule, table["ends"]["press"]) for table in tables]
    ends = [end for words in each for end in words] if command.until else []
    return replace(
        command, words=(*command.words, *said(command.rule)), until=(*command.until, *ends)
    )
