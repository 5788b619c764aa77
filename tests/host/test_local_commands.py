"""Commands in other languages: every word is read, and the players' page shows all of them."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from judge.host.command import CommandLine
from judge.host.commands import COMMAND_PARSER, COMMANDS
from judge.host.local_words import bilingual_line, local_word_tables
from judge.host.messages.press import PressSent
from judge.render.catalogue import Catalogue, catalogue, option_value, setting_name
from judge.rulebook import SeatId
from judge.store import Press

from .asking.score import Verdict, answered, judged
from .conftest import OPENINGS, POWERS, Hall, address_of

PAGE = (Path(__file__).parent.parent.parent / "docs" / "players.md").read_text(encoding="utf-8")
BEHIND = {
    "choose_game": "balkan",  # what follows a command that cannot stand alone
    "join": "balkan",
    **dict.fromkeys(("observe", "subscribe"), "balkan"),
    "prefer": "FRANCE",
    "for_phase": "F1901M",
    "concede": "ENGLAND",
    "propose": "DRAW",
    **dict.fromkeys(("diary_read", "diary_delete"), "1"),
    "vote": "YES",
    **dict.fromkeys(("absence", "vacation"), "24 Dec - 2 Jan"),
    "set_language": "ko",
    "set_zone": "Seoul",
    "set_deadline": "+1d",
    "set_setting": "grace: 12h",
    "create": "spring",
    "sign_on": "Fbalkan secret",
    "press": "FRANCE",
    "grey_press": "FRANCE",
    "fake_press": "FRANCE",
    "say": "9 FRANCE",
    "fake_broadcast": "FRANCE",
    "process": "S1901M",
    "set_name": "Ann",
    "set_password": "secret",
    "set_profile": "PUBLIC",
    "set_report": "CLASSIC",
    "set_format": "PLAIN",
    "set_level": "NOVICE",
    "set_attachments": "MAP",
    **dict.fromkeys(("add_address", "set_address", "remove_address"), "ann@example.org"),
    "unblock": "Ann",
    **dict.fromkeys(("act_as", "eject", "dummy", "revive"), "FRANCE"),
    "swap": "FRANCE ENGLAND",
    **dict.fromkeys(("promote", "demote", "hand_over"), "ben@example.org"),
    "all_games": ": HOLD GAME",
    **dict.fromkeys(("note", "allow", "deny"), "Ann"),
    "set_digest": "OFF",
}
WORDS = [
    (rule, word)
    for table in local_word_tables().values()
    for rule, words in table["words"].items()
    for word in words
]


def test_each_language_has_words_for_the_same_commands() -> None:
    tables = [set(table["words"]) for table in local_word_tables().values()]
    assert len(tables) == 3
    assert all(table == tables[0] for table in tables)
    assert tables[0] <= {command.rule for command in COMMANDS}


def test_no_word_is_swallowed_by_a_shorter_one_of_another_command() -> None:
    """Every spelling in every language, also where it goes on from that of another command."""
    owners: dict[str, str] = {}
    for command in COMMANDS:
        for word in command.words:
            spelled = "".join(word.upper().split())
            assert owners.setdefault(spelled, command.rule) == command.rule, word
            line = f"{word} {BEHIND.get(command.rule, 'xyz' if command.arguments else '')}".strip()
            read, *_ = COMMAND_PARSER.read(line)
            assert isinstance(read, CommandLine), line
            assert read.command.rule == command.rule, line


@pytest.mark.parametrize(("rule", "word"), WORDS)
def test_a_word_of_another_language_is_that_command(rule: str, word: str) -> None:
    (read,) = COMMAND_PARSER.read(f"{word} {BEHIND.get(rule, '')}".strip())
    assert isinstance(read, CommandLine)
    assert read.command.rule == rule
    assert f"`{word}`" in PAGE


@pytest.mark.parametrize(
    ("writer", "command", "line"),
    [
        ("strangers", "JOIN balkan", "balkan 참가"),
        ("strangers", "JOIN balkan", "balkan에 참가하겠습니다."),
        ("requests", "CONCEDE TO RUSSIA", "러시아 승리 인정"),
        ("requests", "CONCEDE TO RUSSIA", "러시아의 승리를 인정합니다"),
        ("strangers", "JOIN balkan", "加入balkan"),
        ("strangers", "JOIN balkan", "我要加入balkan"),
        ("requests", "CONCEDE TO RUSSIA", "承認俄羅斯獲勝"),
        ("strangers", "JOIN balkan", "balkanに参加します"),
        ("requests", "CONCEDE TO RUSSIA", "ロシアの勝利を認めます"),
    ],
)
def test_a_command_is_said_as_a_sentence(writer: str, command: str, line: str) -> None:
    assert judged(writer, command, answered(writer, "", line)) is Verdict.RIGHT


@pytest.mark.parametrize(
    "line",
    [
        "오늘 회의 참가",
        "서신 잘 받았습니다.",
        "balkan 참가는 어떻게 하나요?",
        "我聽說有人承認俄羅斯獲勝了嗎",
        "大会に参加",
        "書簡ありがとうございました。",
        "你好",
        "您好！",
        "以上です",
        "끝.",
    ],
)
def test_talk_of_a_command_is_none(line: str) -> None:
    (read,) = COMMAND_PARSER.read(line)
    assert not isinstance(read, CommandLine)


@pytest.mark.parametrize(
    ("opening", "ending", "readers"),
    [
        ("서신 보내기 프랑스, 독일", "서신 끝", ("FRANCE", "GERMANY")),
        ("서신 보내기 모두", "서신 끝", (*POWERS[:1], *POWERS[2:])),
        ("外交信 法國、德國", "外交信結束", ("FRANCE", "GERMANY")),
        ("外交信 法國", "信件結束", ("FRANCE",)),
        ("書簡 フランスへ", "書簡終わり", ("FRANCE",)),
        ("書簡 ゲームマスター", "書簡ここまで", ("MASTER",)),
    ],
)
def test_press_is_written_in_ones_own_words(
    hall: Hall, opening: str, ending: str, readers: tuple[str, ...]
) -> None:
    hall.start()
    hall.order("ENGLAND", f"{opening}\n안녕 · 你好 · こんにちは\n{ending}\nF LON - NTH")
    sent = hall.said(address_of("ENGLAND"), PressSent)
    assert (sent.to, sent.text) == (readers, "안녕 · 你好 · こんにちは")
    assert [line.text for line in hall.game().order_set(SeatId("ENGLAND"))] == ["F LON - NTH"]


def test_settings_are_named_in_ones_own_words(hall: Hall) -> None:
    hall.register("ann@example.test", "Ann")
    registered = hall.last("ann@example.test")
    lines = "게임 만들기 spring\n이동: 3일\n서신: 익명"
    hall.post("ann@example.test", lines, reply_to=registered)
    settings = hall.game("spring").settings
    assert (settings.lengths["movement"], settings.press) == (timedelta(days=3), Press.GREY)


def test_a_player_says_everything_in_korean(hall: Hall) -> None:
    hall.start()
    hall.order(
        "FRANCE",
        "육군 파리 - 버건디\n기다려 주세요\n무승부 찬성\n단계 1901년 가을\n육군 버건디 대기",
    )
    seat = hall.game().seat("FRANCE")  # type: ignore[arg-type]
    assert (seat.wait, [one.kind for one in hall.game().proposals]) == (True, ["draw"])
    assert [line.text for line in hall.game().order_set(seat.id)] == ["A PAR - BUR"]
    assert [line.text for line in hall.game().advance_set(seat.id, "F1901M")] == ["A BUR H"]
    hall.order("FRANCE", "무승부 취소\n기다리지 않음\n모두 취소 전부")
    seat = hall.game().seat("FRANCE")  # type: ignore[arg-type]
    assert (seat.wait, hall.game().proposals) == (False, ())
    assert hall.game().order_set(seat.id) == ()
    assert hall.game().advance_set(seat.id, "F1901M") == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [("ko", "언어: 한국어"), ("zh_Hant", "語言：繁體中文"), ("ja", "言語：日本語")],
)
def test_the_lines_that_register_shows_work_when_copied_back(
    hall: Hall, language: str, said: str
) -> None:
    example = catalogue(language).say("name: Ann Lee\nzone: Europe/Paris\nlanguage: ko")
    hall.post(address_of("FRANCE"), f"REGISTER\n{example}", language="en")
    letter = hall.text(hall.last(address_of("FRANCE")))
    assert said in letter  # read, and answered in the language that it names
    assert not any(word in letter for word in ("name:", "zone:", "language:"))


SHOWN = [
    *("SET ATTACHMENTS NONE", "SET LEVEL INTERMEDIATE", "SET FORMAT BOTH", "SET PROFILE PUBLIC"),
    *("SET REPORT LOCAL", "VOTE YES 2", "PROPOSE PAUSE 3d", "HELP EXTEND", "LIST OPEN"),
    *("GET RULES", "GET variant colonial"),
]


@pytest.mark.parametrize("language", sorted(local_word_tables()))
@pytest.mark.parametrize("line", SHOWN)
def test_a_command_is_shown_whole_in_the_readers_words(line: str, language: str) -> None:
    before, behind = (" (", ")") if language == "ko" else ("（", "）")
    local, _, english = bilingual_line(line, language).partition(before)
    assert english == f"{line}{behind}"
    assert not set(re.findall("[A-Z]+", line)) & set(local.split())


def test_how_a_command_is_written_is_told_in_the_readers_words(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "SET LANGUAGE ko")
    hall.order("FRANCE", "첨부 설정 아무것도")
    told = hall.text(hall.last(address_of("FRANCE")))
    assert "\n첨부 설정 지도, 달력: " in told
    assert "SET ATTACHMENTS" not in told


@pytest.mark.parametrize("language", sorted(local_word_tables()))
def test_the_line_that_signs_on_begins_with_the_local_word(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """However the example in the sentences may be written, as in `登入 法國@balkan 密碼`."""
    example = "SIGNON Fbalkan password"
    say = Catalogue.say
    monkeypatch.setattr(
        Catalogue,
        "say",
        lambda self, text, /, **values: "?" if text == example else say(self, text, **values),
    )
    word = local_word_tables()[language]["words"]["sign_on"][0]
    hall.post("ann@example.test", "CREATE spring", name="Ann", language=language)
    hall.post("ann@example.test", "yes", reply_to=hall.last("ann@example.test"))
    assert f"{word} Mspring " in hall.text(hall.last("ann@example.test"))


@pytest.mark.parametrize("word", ["無人国", "空席国", "担当なしの国"])
def test_a_dummy_power_has_one_japanese_name_and_is_read_by_all(word: str) -> None:
    (command,) = COMMAND_PARSER.read(f"{word} トルコ")
    (setting,) = COMMAND_PARSER.read(f"ゲーム作成 spring\n{word}：トルコ")
    assert isinstance(command, CommandLine)
    assert isinstance(setting, CommandLine)
    assert command.command.rule == "dummy"
    assert setting.fields == {"dummies": "トルコ"}
    assert setting_name("dummies", catalogue("ja")) == "無人国"
    assert bilingual_line("DUMMY", "ja") == "無人国（DUMMY）"


@pytest.mark.parametrize("word", ["記名", "実名"])
def test_white_press_is_read_by_both_japanese_words(hall: Hall, word: str) -> None:
    hall.create("press: grey")
    hall.post("gm@example.test", f"設定変更 書簡：{word}", reply_to=hall.last("gm@example.test"))
    assert hall.game().settings.press is Press.WHITE
    assert option_value("white", catalogue("ja")) == "記名"


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Orders complete: 3 of 3."), ("zh_Hant", "指令已全部收錄（3/3）。")],
)
def test_ready_tells_of_stored_orders_as_their_answer_does(
    hall: Hall, language: str, told: str
) -> None:
    hall.start()
    hall.order("FRANCE", f"SET LANGUAGE {language}")
    for line in (OPENINGS["FRANCE"], "READY"):
        hall.order("FRANCE", line)
        assert told in hall.text(hall.last(address_of("FRANCE")))
