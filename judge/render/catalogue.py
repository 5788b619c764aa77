"""The catalogue: every sentence that people read, in their language. English is the source.

A sentence is a whole message with named places; nothing is glued from pieces. The other languages
are `judge/locale/<language>/LC_MESSAGES/judge.po`, compiled when they are first asked for; a
message that one of them lacks is said in English. Only `host` and `render` speak to players.
In Korean sentences particles are written with both forms, as `{unit}이(가)`; the fitting one is
printed (`particles.py`).
Renew the template after a change of words with

    pybabel extract -F babel.cfg --no-wrap --sort-output --omit-header --no-location \\
        -k say:2 -k count:2,3 -k N_ -o judge/locale/judge.pot \\
        judge/host judge/render judge/diplomacy
"""

import gettext
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from judge.data import read_text, shipped
from judge.render import particles
from judge.rulebook import Translator

SOURCE_LANGUAGE = "en"
KOREAN = "ko"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One language's sentences; English stands in for those it lacks."""

    language: str
    translations: gettext.NullTranslations

    def gettext(self, message: str) -> str:
        return self.translations.gettext(message)

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return self.translations.ngettext(singular, plural, n)


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


def say(words: Translator, message: str, /, **values: object) -> str:
    """A message in the reader's language, its named places filled."""
    translated = words.gettext(message)
    return _filled(words, translated, values) if values else translated


def count(words: Translator, singular: str, plural: str, n: int, /, **values: object) -> str:
    """A message that depends on a number, which fills its place `n`."""
    return _filled(words, words.ngettext(singular, plural, n), {"n": n, **values})


def _filled(words: Translator, text: str, values: Mapping[str, object]) -> str:
    return particles.fill(text, values) if words.language == KOREAN else text.format(**values)


def N_(message: str) -> str:
    """A message that is said later: puts it into the template, and returns it as it is."""
    return message
