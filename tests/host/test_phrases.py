"""SAY: sentences of the phrase book by mail."""

import re

import pytest

from judge.host.commands.press import BLANKS, BOOK
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.render.catalogue import catalogue, languages

from .conftest import POWERS, Hall, address_of

FRANCE, ENGLAND, ITALY = (address_of(one) for one in ("FRANCE", "ENGLAND", "ITALY"))
LANGUAGES = {"ENGLAND": "ko", "GERMANY": "zh-TW", "ITALY": "ja"}


def speak(hall: Hall) -> None:
    """Three players read other languages."""
    hall.start()
    for power, language in LANGUAGES.items():
        hall.order(power, f"SET LANGUAGE {language}")


def test_a_sentence_of_the_phrase_book_arrives_in_the_readers_language(hall: Hall) -> None:
    speak(hall)
    hall.order("FRANCE", "SAY 12 ENGLAND, GERMANY, ITALY, RUSSIA: Mun")
    for power, place in {
        **{"ENGLAND": "뮌헨", "GERMANY": "慕尼黑", "ITALY": "ミュンヘン"},
        "RUSSIA": "Let us both keep our units out of Munich.",
    }.items():
        assert place in hall.text(hall.last(address_of(power)))
    assert "out of Munich" in hall.text(hall.last(FRANCE))
    assert hall.was_told(address_of("TURKEY"), PressReceived) == []


@pytest.mark.parametrize(
    ("sender", "line", "told"),
    [
        ("ENGLAND", "상용구 9 프랑스", "Shall we be allies?"),
        ("ENGLAND", "상용구 24 프랑스: 독일", "Please help me against Germany."),
        ("GERMANY", "常用語 14 法國：勃艮第", "Please do not move to Burgundy."),
        (
            "ITALY",
            "定型文 28 フランス：ロシア、トルコ",
            "I think that Russia and Turkey are allies.",
        ),
        ("RUSSIA", "say 12 france", "Let us both keep our units away from our border."),
        ("RUSSIA", "SAY 13 F: the North Sea", "I will not move to the North Sea."),
        ("RUSSIA", "SAY 33 F: North Sea", "The North Sea is yours; I make no claim to it."),
        ("RUSSIA", "SAY 41 ALL", "Shall we vote for a draw?"),
    ],
)
def test_a_sentence_is_chosen_in_every_language(
    hall: Hall, sender: str, line: str, told: str
) -> None:
    speak(hall)
    hall.order(sender, line)
    if "the North" in line:
        assert hall.said(address_of(sender), Refusal).kind is RefusalKind.PHRASE_WORD
        return
    assert told in hall.text(hall.last(FRANCE))
    reply = hall.last(FRANCE)
    hall.post(FRANCE, "Yes!", reply_to=reply)
    assert hall.said(address_of(sender), PressReceived).text == "Yes!"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("SAY 99 ENGLAND", RefusalKind.NO_PHRASE),
        ("SAY hello to ENGLAND", RefusalKind.NO_PHRASE),
        ("SAY 13 ENGLAND", RefusalKind.PHRASE_BLANKS),
        ("SAY 9 ENGLAND: Mun", RefusalKind.PHRASE_BLANKS),
        ("SAY 28 ENGLAND: Italy", RefusalKind.PHRASE_BLANKS),
        ("SAY 13 ENGLAND: Narnia", RefusalKind.PHRASE_WORD),
        ("SAY 27 ENGLAND: Munich", RefusalKind.PHRASE_WORD),
        ("SAY 9 Narnia", RefusalKind.NO_RECIPIENT),
    ],
)
def test_a_sentence_with_a_fault_is_sent_to_nobody(
    hall: Hall, line: str, kind: RefusalKind
) -> None:
    hall.start()
    hall.order("FRANCE", line)
    assert hall.said(FRANCE, Refusal).kind is kind
    assert not any(hall.was_told(address_of(power), PressReceived) for power in POWERS)


def test_the_phrase_book_obeys_the_rules_of_press(hall: Hall) -> None:
    hall.start("press: none")
    hall.order("FRANCE", "SAY 9 ENGLAND")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_PRESS


@pytest.mark.parametrize("language", languages())
def test_help_shows_the_book_in_the_readers_language(hall: Hall, language: str) -> None:
    hall.start()
    hall.order("FRANCE", f"SET LANGUAGE {language.replace('_', '-')}")
    hall.order("FRANCE", "HELP SAY")
    told = hall.text(hall.last(FRANCE))
    words = catalogue(language)
    for number, sentence in BOOK["phrases"].items():
        assert f"{number}. {words.say(sentence)}" in told


@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_there_in_every_language(language: str) -> None:
    words = catalogue(language)
    for number, sentence in BOOK["phrases"].items():
        said = words.say(sentence)
        assert language == "en" or said != sentence
        assert sorted(re.findall(r"\{(\w+)\}", said)) == sorted(BLANKS[number])
