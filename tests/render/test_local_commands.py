"""Sentences name a command by the word that the reader would write."""

import re

import pytest
from babel.messages.pofile import read_po

from judge.data import language_data, shipped
from judge.host.commands import COMMANDS
from judge.render.catalogue import SOURCE_LANGUAGE, languages

OTHERS = [language for language in languages() if language != SOURCE_LANGUAGE]


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_leads_with_an_english_command_that_has_a_local_word(language: str) -> None:
    """In brackets it may stand behind the local word: 준비 완료(READY)."""
    local = language_data("commands.toml")[language]["words"]
    english = {command.words[0] for command in COMMANDS if command.rule in local} - {"YES"}
    assert {"READY", "NOT READY", "NO DRAW", "HELP", "JOIN", "STATUS"} <= english
    longest_first = sorted((re.escape(word) for word in english), key=len, reverse=True)
    found = re.compile(rf"(?<![A-Za-z(（])(?:{'|'.join(longest_first)})(?![A-Za-z])")
    with (shipped("locale") / language / "LC_MESSAGES" / "judge.po").open("rb") as file:
        book = read_po(file, locale=language)
    texts = [
        form
        for message in book
        if message.id
        for form in (message.string if message.pluralizable else (message.string,))
    ]
    assert [text for text in texts if found.search(text)] == []
