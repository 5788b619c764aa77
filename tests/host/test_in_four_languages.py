"""Commands in local words, by mail: they do what the English ones do, and are answered in the
reader's language."""

import re

import pytest

from judge.host.commands import COMMAND_OF
from judge.host.local_words import first_said
from judge.host.messages.refusals import Refusal

from .conftest import OPENINGS, Hall, address_of

FRANCE, MASTER = address_of("FRANCE"), "gm@example.test"
# Rows of docs/features.md: a command's rule, what stands behind its words, and who sends it.
ROWS = [
    ("status", "", FRANCE), ("list", "", FRANCE), ("list", " balkan", FRANCE), ("who", "", FRANCE),
    ("help", "", FRANCE), ("wait", "", FRANCE), ("no_wait", "", FRANCE), ("ready", "", FRANCE),
    ("not_ready", "", FRANCE), ("clear", "", FRANCE), ("undo", "", FRANCE), ("draw", "", FRANCE),
    ("no_draw", "", FRANCE), ("concede", " ENGLAND", FRANCE), ("no_concession", "", FRANCE),
    ("votes", "", FRANCE), ("resign", "", FRANCE), ("missing", "", MASTER), ("whois", "", FRANCE),
    ("set_zone", " Seoul", FRANCE), ("set_name", " Ann", FRANCE), ("set_password", " pw1", FRANCE),
    ("add_address", " ann@work.test", FRANCE), ("block", " England", FRANCE),
    ("own_data", "", FRANCE),
    ("unblock", " England", FRANCE), ("forget_me", "", FRANCE), ("for_phase", " F1901M", FRANCE),
    ("extend", " 1d", MASTER), ("process", " S1901M", MASTER), ("set_deadline", " +1d", MASTER),
    ("join", " balkan", "new@example.test"), ("register", "", "new@example.test"),
    ("choose_game", " balkan", FRANCE), ("what_if", "", FRANCE),
    ("practice", "", "new@example.test"),
]  # fmt: skip
SCRIPTS = {"ko": "[가-힣]", "zh_Hant": "[\u4e00-\u9fff]", "ja": "[\u3041-\u30ff]"}
ENGLISH = re.compile(r"(?:\b[a-z]{2,}\b[ ,]+){4}")  # of a sentence


def sent(language: str, sender: str, line: str) -> tuple[list[str], str]:
    """What a letter is told by kind, and the text of the answer."""
    hall = Hall()
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    if sender != "new@example.test":
        known = [row for row in hall.out if row.recipient == sender][-1]
        hall.post(sender, f"SET LANGUAGE {language}", reply_to=known)
    reply = [row for row in hall.out if row.recipient == sender][-1:]
    hall.post(sender, line, reply_to=next(iter(reply), None), language=language)
    row = hall.last_answer(sender)
    kinds = [
        str(one.kind) if isinstance(one, Refusal) else type(one).__name__
        for one in hall.messages(row)
    ]
    text = hall.text(row)
    hall.database.close()
    return kinds, text


@pytest.mark.parametrize("language", ["ko", "zh_Hant", "ja"])
@pytest.mark.parametrize(("rule", "behind", "sender"), ROWS)
def test_a_command_in_local_words_is_done_and_answered_in_its_language(
    rule: str, behind: str, sender: str, language: str
) -> None:
    local, text = sent(language, sender, first_said(rule)[language] + behind)
    english, _ = sent(language, sender, COMMAND_OF[rule].words[0] + behind)
    assert local == english
    assert re.search(SCRIPTS[language], text)
    shown = re.sub(r'"[^"]*"', "", text)
    assert not ENGLISH.search(shown), ENGLISH.search(shown)
