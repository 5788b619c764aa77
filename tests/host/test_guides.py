"""GET and VERSION: pages made from what the program knows, in the reader's language."""

import pytest

from judge import __version__
from judge.host.messages.command_answers import Guide, GuideTopic, HelpText, Version
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import load_game

from .conftest import Hall, address_of
from .test_maps import pictures

ANN = "ann@example.test"
FRANCE = address_of("FRANCE")


def page(hall: Hall, body: str, language: str = "en") -> str:
    hall.post(ANN, body, language=language)
    return " ".join(hall.text(hall.last(ANN)).split())


@pytest.mark.parametrize(
    ("language", "body", "topic", "says"),
    [
        (
            "en",
            "GET rules",
            GuideTopic.RULES,
            "GET houserules and a game's name shows its rules and",
        ),
        ("en", "get syntax", GuideTopic.SYNTAX, "A MAR S A PAR - BUR"),
        ("en", "GET variant colonial", GuideTopic.VARIANT, "Colonial Diplomacy"),
        ("en", "GET chaos", GuideTopic.VARIANT, "Chaos"),
        ("ko", "자료 규칙", GuideTopic.RULES, "자료 게임규정 balkan"),
        ("ko", "자료 문법", GuideTopic.SYNTAX, "육군"),
        ("ko", "자료 게임판 standard", GuideTopic.VARIANT, "북해"),
        ("ja", "資料 書式", GuideTopic.SYNTAX, "陸軍"),
        ("ja", "資料 盤 standard", GuideTopic.VARIANT, "パリ"),
        ("zh_Hant", "資料 語法", GuideTopic.SYNTAX, "陸軍"),
        ("zh_Hant", "資料 圖板 standard", GuideTopic.VARIANT, "巴黎"),
    ],
)
def test_get_sends_a_page_in_the_readers_language(
    hall: Hall, language: str, body: str, topic: GuideTopic, says: str
) -> None:
    text = page(hall, body, language)
    assert hall.said(ANN, Guide).topic is topic
    assert says in text


@pytest.mark.parametrize("body", ["GET variant colonial", "GET map colonial"])
def test_get_shows_a_board_as_the_game_begins_on_it(hall: Hall, body: str) -> None:
    hall.post(ANN, body)
    assert list(pictures(hall, ANN)) == ["colonial.png"]
    assert hall.text(hall.last(ANN)).count("Colonial Diplomacy") > 1


@pytest.mark.parametrize("variant", load_game("diplomacy").variants())
def test_get_shows_every_board_with_its_powers_and_provinces(hall: Hall, variant: str) -> None:
    text = page(hall, f"GET variant {variant}")
    assert "Powers:" in text
    assert "Provinces:" in text
    assert len(text) < 30_000


def test_a_board_says_what_borders_on_what(hall: Hall) -> None:
    text = page(hall, "GET variant standard")
    assert "The game begins with Spring 1901 movement." in text
    assert "There are 34 supply centers, and 18 of them win." in text
    assert "France: A MAR, A PAR, F BRE; home centers BRE, MAR, PAR" in text
    assert "PAR: Paris (center, inland): A BRE, BUR, GAS, PIC" in text
    assert "SPA: Spain (center, coast): A GAS, MAR, POR; F (NC) GAS, MAO, POR" in text
    assert "railway: " in page(hall, "GET variant colonial")


def test_all_boards_are_listed(hall: Hall) -> None:
    text = page(hall, "GET variant")
    assert "colonial: Colonial Diplomacy" in text
    hall.post(ANN, "GET variant atlantis")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_VARIANT


@pytest.mark.parametrize("body", ["GET houserules balkan", "GET house rules balkan"])
def test_house_rules_of_a_game_are_sent(hall: Hall, body: str) -> None:
    hall.create("house rules: No stabbing in 1901.")
    assert "No stabbing in 1901." in page(hall, body)


def test_house_rules_of_ones_own_game_need_no_name(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "GET houserules")
    assert "This game has no house rules of its own." in hall.text(hall.last(FRANCE))
    hall.post(ANN, "GET houserules")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_GUIDE


def test_get_commands_is_help(hall: Hall) -> None:
    page(hall, "GET commands")
    assert len(hall.said(ANN, HelpText).commands) > 50


@pytest.mark.parametrize("body", ["GET", "GET the moon"])
def test_an_unknown_page_is_answered_with_those_there_are(hall: Hall, body: str) -> None:
    assert "houserules and the name of a game" in page(hall, body)
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_GUIDE


def test_get_in_a_sentence_is_prose(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "Get well soon\nA PAR - BUR")
    assert [line.text for line in hall.game().order_set("FRANCE")] == ["A PAR - BUR"]  # type: ignore[arg-type]
    assert hall.was_told(FRANCE, Refusal) == []


@pytest.mark.parametrize(
    ("language", "body"),
    [("en", "VERSION"), ("ko", "버전"), ("ja", "バージョン"), ("zh_Hant", "版本")],
)
def test_version_tells_what_is_new(hall: Hall, language: str, body: str) -> None:
    text = page(hall, body, language)
    assert __version__ in text
    assert hall.said(ANN, Version).changes.startswith("- ")
    assert "VERSION" not in hall.said(ANN, Version).changes.partition("\n")[0]


@pytest.mark.parametrize(
    ("language", "body"),
    [
        *(("en", "MANUAL"), ("ko", "설명서"), ("ja", "マニュアル"), ("zh_Hant", "手冊")),
        *(("en", "HELP PRESS"), ("ko", "도움말 서신"), ("ja", "ヘルプ 投票")),
        *(("zh_Hant", "說明 遊戲"), ("ko", "설명서 계정"), ("ja", "マニュアル 命令")),
    ],
)
def test_manual_and_help_answer_in_four_languages(hall: Hall, language: str, body: str) -> None:
    page(hall, body, language)
    is_whole = " " not in body
    assert (len(hall.said(ANN, HelpText).commands) > 50) == is_whole
