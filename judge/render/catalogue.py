"""The catalogue: every sentence that people read, in their language. English is the source.

A sentence is a whole message with named places; nothing is glued from pieces. The other languages
are `judge/locale/<language>/LC_MESSAGES/judge.po`, compiled when they are first asked for; a
message that one of them lacks is said in English. Only `host` and `render` speak to players.
In Korean sentences particles are written with both forms, as `{unit}이(가)`; the fitting one is
printed (`particles.py`). Where each kind of something has its sentence, the sentences stand in
tables, `judge/locale/en/*.toml`.
Renew the template after a change of words with

    pybabel extract -F babel.cfg --no-wrap --sort-output --omit-header --no-location \\
        -k say -k count:1,2 -k N_ -o judge/locale/judge.pot \\
        judge/host judge/render judge/diplomacy judge/locale/en
"""

import gettext
import io
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, BinaryIO, TypeVar

import msgspec
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from judge.data import language_data, read_text, shipped
from judge.render import particles
from judge.rulebook import Message, Translator

SOURCE_LANGUAGE = "en"
KOREAN = "ko"

T = TypeVar("T")


class Catalogue:
    """One language's sentences; English stands in for those it lacks."""

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self._translations = translations
        self._fill = particles.fill if language == KOREAN else str.format_map

    def say(self, message: str, /, **values: object) -> str:
        """A message in the reader's language, its named places filled."""
        text = self._translations.gettext(message)
        return self._fill(text, values) if values else text

    def count(self, singular: str, plural: str, n: int, /, **values: object) -> str:
        """A message that depends on a number, which fills its place `n`."""
        text = self._translations.ngettext(singular, plural, n)
        return self._fill(text, {"n": n, **values})

    def tell(self, message: Message, n: int = 1, /, **values: object) -> str:
        """A message that may depend on a number."""
        if isinstance(message, str):
            return self.say(message, n=n, **values)
        return self.count(*message, n, **values)


@lru_cache(maxsize=32)
def catalogue(language: str) -> Translator:
    """The catalogue of a language; the English one if there is none of it."""
    try:
        text = read_text("locale", language, "LC_MESSAGES", "judge.po")
    except FileNotFoundError:
        return Catalogue(SOURCE_LANGUAGE, gettext.NullTranslations())
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.StringIO(text), locale=language))
    compiled.seek(0)
    return Catalogue(language, gettext.GNUTranslations(compiled))


def languages() -> tuple[str, ...]:
    """The languages that letters can be written in, the source language first."""
    others = (folder.name for folder in shipped("locale").iterdir() if folder.is_dir())
    return (SOURCE_LANGUAGE, *sorted(name for name in others if name != SOURCE_LANGUAGE))


def N_(message: str) -> str:
    """Marks a message that is translated later, so that it gets into the template."""
    return message


def sentence_tables(file: str, kind: type[T]) -> T:
    """What `judge/locale/en/<file>` holds: messages that are said later. Raises
    msgspec.ValidationError if it holds anything else."""
    return msgspec.toml.decode(read_text("locale", SOURCE_LANGUAGE, file), type=kind)


def extract(
    file: BinaryIO, keywords: object, comment_tags: object, options: object
) -> Iterator[tuple[int, str, str | Sequence[str], list[str]]]:
    """Puts the sentences of such a file into the template; babel.cfg names it."""
    del keywords, comment_tags, options
    tables: list[Any] = [tomllib.load(file)]
    while tables:
        for value in tables.pop().values():
            match value:
                case str():
                    yield 1, "say", value, []
                case [_, _]:
                    yield 1, "count", value, []
                case {"usage": usage, "summary": summary}:  # a command's row: the rest is data
                    yield 1, "say", usage, []
                    yield 1, "say", summary, []
                case dict():
                    tables.append(value)


def slashed(names: Iterable[str], words: Translator) -> str:
    """Names that are one together: `Austria/France`."""
    signs = language_data("language.toml").get(words.language, {}).get("signs", {})
    return str(signs.get("slash", "/")).join(names)


def join_names(names: Sequence[str], words: Translator) -> str:
    """Names in a sentence: `A`, `A and B`, `A, B and C`."""
    if len(names) < 2:
        return "".join(names)
    return words.say("{names} and {last}", names=comma_names(names[:-1], words), last=names[-1])


def either_names(names: Sequence[str], words: Translator) -> str:
    """Names to choose from: `A`, `A or B`, `A, B or C`."""
    if len(names) < 2:
        return "".join(names)
    return words.say("{names} or {last}", names=comma_names(names[:-1], words), last=names[-1])


def comma_names(names: Sequence[str], words: Translator) -> str:
    """Names with commas alone: `A, B, C`."""
    listed = "".join(names[:1])
    for name in names[1:]:
        listed = words.say("{names}, {name}", names=listed, name=name)
    return listed


def setting_name(key: str, words: Translator) -> str:
    """What readers call a setting below CREATE; its key if their language has no word for it."""
    table = language_data("commands.toml").get(words.language, {})
    named = {name.replace("_", " "): said for name, said in table.get("fields", {}).items()}
    return str(named.get(key.replace("_", " "), [key])[0])


def command_word(rule: str, english: str, words: Translator) -> str:
    """What readers call a command; its English word if their language has none."""
    table = language_data("commands.toml").get(words.language, {})
    return str(table.get("words", {}).get(rule, [english])[0])


def option_value(value: str, words: Translator) -> str:
    """What readers call a choice of a board: `none`, `as_written`; as it is if it has no word."""
    table = language_data("commands.toml").get(words.language, {})
    named = {**table.get("press_kinds", {}), **table.get("values", {})}
    return str(named.get({"true": "yes", "false": "no"}.get(value, value), [value])[0])


def join_sentences(sentences: Iterable[str], words: Translator) -> str:
    """Whole sentences one after the other: with a space between them, or as the language has it."""
    joined = ""
    for sentence in sentences:
        if joined:
            sentence = words.say("{sentence} {next}", sentence=joined, next=sentence)
        joined = sentence
    return joined
