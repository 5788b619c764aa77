"""The words of mail programs in every language: data, a file a language (`grammar/*/mail.toml`)."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from judge.data import language_data

ADJOINING = re.compile(r"(?<=[\u2e80-\uffff])\\ |\\ (?=[\u2e80-\uffff])")  # an escaped space


class MailWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one language says; `grammar/en/mail.toml` explains the phrases and how to write them."""

    introductions: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    dividers: tuple[str, ...] = ()
    forwarded: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    automatic: tuple[str, ...] = ()
    invitation: tuple[str, ...] = ()
    press: tuple[str, ...] = ()
    end_press: tuple[str, ...] = ()
    sign_off: tuple[str, ...] = ()
    codecs: tuple[str, ...] = ()  # of Python, for the charsets that are used in this language alone
    # Most letters beyond ASCII of a letter in this language are among these: by them the charset is
    # known if its name is wrong or missing.
    letters: str = ""
    charsets: Mapping[str, str] = {}  # what senders name, and the codec of what they send


@cache
def mail_words() -> Mapping[str, MailWords]:
    """By language."""
    found = language_data("mail.toml")
    return {language: msgspec.convert(table, MailWords) for language, table in found.items()}


def any_of(phrases: Iterable[str]) -> str:
    """A regular expression for one of the phrases, as they are written in the data."""
    made: dict[str, None] = {}
    for phrase in phrases:
        # Letters of a script without spaces between words may touch what stands before them.
        begin = r"\b" if phrase[0].isalpha() and phrase[0] < "\u2e80" else ""
        words = re.escape(phrase).replace(r"\{", "(?:").replace(r"\|", "|").replace(r"\}", ")")
        words = re.sub(r"^\\\.\\\.\\\.", ".{0,20}", ADJOINING.sub(r"\\s?", words))
        made[begin + words.replace(r"\.\.\.", ".{0,120}")] = None
    return f"(?:{'|'.join(made)})"


class Phrases(msgspec.Struct, frozen=True):
    """What any language says, as regular expressions of one line whose runs of spaces are one."""

    verb: re.Pattern[str]  # with or without its colon, at the end of an introduction
    opening: re.Pattern[str]  # of an introduction behind other words, before a day
    divider: re.Pattern[str]
    forwarded: re.Pattern[str]
    added: re.Pattern[str]
    automatic: re.Pattern[str]
    invitation: re.Pattern[str]
    press: re.Pattern[str]
    end_press: re.Pattern[str]
    sign_off: re.Pattern[str]
    labels: frozenset[str]  # in lower case and without spaces


@cache
def phrases() -> Phrases:
    def pattern(form: str, field: str) -> re.Pattern[str]:
        found = (phrase for words in mail_words().values() for phrase in getattr(words, field))
        return re.compile(form.format(any_of(found)), re.IGNORECASE)

    labels = (label for words in mail_words().values() for label in words.labels)
    openings = any_of(phrase for words in mail_words().values() for phrase in words.openings)
    return Phrases(
        verb=pattern(r"{}\s?[:：]?$", "introductions"),
        # Words such as `On` only as they are written.
        opening=re.compile(rf"(?<=\s)(?:{openings}\s(?=.{{0,20}}\d)|\d{{4}}\s?[년年])"),
        divider=pattern("{}", "dividers"),
        forwarded=pattern("{}", "forwarded"),
        added=pattern(r"{}\s?[.。]?$", "added"),
        automatic=pattern(r"\s*{}(?![A-Za-z])\s*(?P<colon>[:：])?", "automatic"),
        invitation=pattern(r"\s*{}\s?[:：]", "invitation"),
        press=pattern(r"{}(?![A-Za-z])", "press"),
        end_press=pattern(r"{}\s?[.!]?$", "end_press"),
        sign_off=pattern(r"{}\s?[.!]?$", "sign_off"),
        labels=frozenset("".join(label.split()).casefold() for label in labels),
    )
