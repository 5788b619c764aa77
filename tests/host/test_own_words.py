"""What people ask in their own words: sentences in four languages, and what they do."""

import tomllib
from pathlib import Path

import pytest

from judge.host.command import CommandLine
from judge.host.commands import COMMAND_PARSER
from judge.host.letters import own_words
from judge.host.letters.command_parser import Request, TextLine
from judge.host.messages.command_answers import (
    BallotCast,
    ConfirmAsked,
    Deed,
    Done,
    HelpText,
    JoinAsked,
    Joined,
    OpenVotes,
)
from judge.host.messages.games import GameList, GameStatus, Welcome
from judge.host.messages.order_answers import OrdersAnswer, PartsNotRead
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.render import render_letter

from .asking.score import answered
from .conftest import OPENINGS, Hall, address_of

FRANCE, ENGLAND = address_of("FRANCE"), address_of("ENGLAND")
MASTER = "gm@example.test"
FOLDER = Path(__file__).parent / "own_words"
LANGUAGES = ("en", "ko", "zh_Hant", "ja")
MEANT = {
    "status": ("status", "game_map"),  # it has a map
    "resign": ("resign", "concede"),  # `降参します`
    "more_time": ("extend",),
    "set_deadline": ("extend", "set_deadline"),
    "owing": ("missing",),
}
READ_OR_ASKED = 0.95  # of the sentences


def _sentences(language: str) -> list[tuple[str, str]]:
    table = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    del table["letters"]
    return [(rule, sentence) for rule, listed in table.items() for sentence in listed]


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_and_wishes_are_read_or_asked_back(language: str) -> None:
    asked = [(rule, text) for rule, text in _sentences(language) if rule != "none"]
    wrong = [text for rule, text in asked if not _is_meant(rule, text)]
    assert len(wrong) <= (1 - READ_OR_ASKED) * len(asked), wrong


def _is_meant(rule: str, sentence: str) -> bool:
    items = COMMAND_PARSER.read(sentence)
    (item, *more) = [one for one in items if not isinstance(one, TextLine)] or [None]
    meant = MEANT.get(rule, (rule,))
    if isinstance(item, Request):
        named = (one.rule for one in item.readings if not one.required or one.rule in meant)
        return not more and next(named) in meant
    return isinstance(item, CommandLine) and not more and item.command.rule in meant


@pytest.mark.parametrize("language", LANGUAGES)
def test_greetings_and_closings_are_no_wishes(language: str) -> None:
    table = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    orders = answered("chat", "", OPENINGS["FRANCE"])
    ends = {one: answered("chat", "", f"{OPENINGS['FRANCE']}\n\n{one}") for one in table["letters"]}
    assert [one for one, answer in ends.items() if answer != orders] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_chat_and_orders_carry_out_no_command(language: str) -> None:
    chat = [text for rule, text in _sentences(language) if rule == "none"]
    done = {text: answered("chat", "", text).effects for text in chat}
    is_order = '"type":"OrdersAnswer"'
    assert [text for text, effects in done.items() if any(is_order not in e for e in effects)] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "What are my orders?",
        "Status?",
        "현황 알려주세요",
        "我的命令是什麼？",
        "命令は届いていますか？",
    ],
)
def test_a_question_for_the_orders_shows_them(hall: Hall, sentence: str) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.order("FRANCE", f"Hello judge,\n{sentence}\nThanks")
    status = hall.said(FRANCE, GameStatus)
    assert status.order_set is not None
    assert len(status.order_set) == 3
    assert status.due is not None


@pytest.mark.parametrize(
    "sentence", ["Who is France?", "프랑스는 누구인가요?", "法國是誰？", "フランスは誰ですか？"]
)
def test_who_plays_a_power_is_the_first_line_of_the_answer(hall: Hall, sentence: str) -> None:
    hall.start()
    hall.order("ENGLAND", sentence)
    status = hall.said(ENGLAND, GameStatus)
    assert (status.about, len(status.roster)) == ("FRANCE", 7)
    assert "France: France." in _text(hall, ENGLAND)


def _text(hall: Hall, address: str) -> str:
    row = hall.last(address)
    return render_letter(
        hall.messages(row), language="en", zone="UTC", judge_name="Judge", kind=row.kind
    ).text


@pytest.mark.parametrize(
    "sentence",
    [
        "I need more time please",
        "시간을 더 주세요",
        "可以給我多一點時間嗎？",
        "もう少し時間をください",
    ],
)
def test_a_wish_for_more_time_goes_to_the_master(hall: Hall, sentence: str) -> None:
    hall.start("press: none")
    hall.order("FRANCE", sentence)
    press = hall.said(MASTER, PressReceived)
    assert (press.sender, press.to, press.text) == ("FRANCE", ("MASTER",), sentence)
    assert hall.was_told(ENGLAND, PressReceived) == []


def test_a_master_extends_in_words_and_asks_who_is_missing(hall: Hall) -> None:
    hall.start()
    before = hall.game().timing
    assert before is not None
    for sentence in (
        "Extend the deadline by two days",
        "마감을 이틀 연장해 주세요",
        "延期2天",
        "二日延長",
    ):
        hall.post(MASTER, sentence, reply_to=hall.last(MASTER))
    timing = hall.game().timing
    assert timing is not None
    assert (timing.deadline_at - before.deadline_at).days == 8
    hall.open_game("ITALY")
    hall.order("FRANCE", "WAIT")
    hall.post(MASTER, "Who hasn't sent orders yet?", reply_to=hall.last(MASTER))
    status = hall.said(MASTER, GameStatus)
    assert (status.owing, status.waiting) == (("ITALY",), 1)
    assert "Orders not complete: Italy." in _text(hall, MASTER)


@pytest.mark.parametrize(
    "written",
    [
        "SET DEADLINE tomorrow 9pm",
        "deadline tomorrow 9pm please",
        "마감을 내일 오후 9시로 바꿔 주세요",
        "截止時間改到明天21:00",
        "締め切りを明日の21時にしてください",
    ],
)
def test_a_deadline_is_named_as_people_name_it(hall: Hall, written: str) -> None:
    hall.start("movement: 4d")
    hall.post(MASTER, written, reply_to=hall.last(MASTER))
    hall.post(MASTER, "YES", reply_to=hall.last(MASTER))  # it is earlier than the deadline
    timing = hall.game().timing
    assert timing is not None
    assert timing.deadline_at.strftime("%d %H:%M") == "02 20:00"  # 21:00 in Paris


def test_process_alone_asks_for_the_running_phase_and_says_who_waits(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    for power in ("FRANCE", "ITALY"):
        hall.order(power, "WAIT")
    for written in ("PROCESS", "PROCESS S1901M", "Process now"):
        hall.post(MASTER, written, reply_to=hall.last(MASTER))
        asked = hall.said(MASTER, ConfirmAsked)
        assert (asked.what, asked.owing, asked.waiting) == ("process", (), 2)
        assert "2 players asked the phase to wait" in _text(hall, MASTER)
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Done).deed is Deed.PROCESSED
    assert hall.game().phase != "S1901M"


def test_join_alone_means_the_one_open_game(hall: Hall) -> None:
    hall.create()
    hall.post(FRANCE, "JOIN")
    assert hall.said(FRANCE, JoinAsked).game.name == "balkan"
    hall.create(name="spring", master="other@example.test")
    hall.post(ENGLAND, "JOIN")
    assert [row.name for row in hall.said(ENGLAND, GameList).games] == ["balkan", "spring"]
    hall.post("x@example.test", "게임에 참가하고 싶어요")
    assert [row.name for row in hall.said("x@example.test", GameList).games] == ["balkan", "spring"]


def test_a_player_who_resigned_comes_back_in_words(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "I'd like to leave the game")
    assert hall.said(FRANCE, ConfirmAsked).what == "resign"
    hall.order("FRANCE", "yes")
    assert hall.game().seat("FRANCE").player is None
    hall.order("FRANCE", "Sorry, I'm back. I want my seat back!")
    assert hall.said(FRANCE, Joined).seat == "FRANCE"
    assert hall.game().seat("FRANCE").player is not None


@pytest.mark.parametrize(
    "sentence",
    [
        "CLEAR A MAR",
        "cancel A Mar - Spa",
        "Please cancel the army in Marseilles",
        "마르세유 육군 취소",
        "마르세유 육군 명령을 취소해 주세요",
        "取消馬賽陸軍",
        "マルセイユの陸軍を取り消してください",
    ],
)
def test_one_order_is_cleared_in_four_languages(hall: Hall, sentence: str) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.order("FRANCE", sentence)
    answer = hall.said(FRANCE, OrdersAnswer)
    assert [line.text for line in answer.order_set] == ["A PAR - BUR", "F BRE - MAO"]
    assert [line.text for line in answer.removed] == ["A MAR - SPA"]
    assert "Taken back:" in _text(hall, FRANCE)


def test_a_foreign_unit_is_not_cleared_and_an_order_to_disband_is_one(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR")
    hall.order("FRANCE", "CLEAR A MAR")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOT_STORED
    hall.order("FRANCE", "cancel A Par - Bur, A Par - Pic instead")
    assert [line.text for line in hall.game().order_set("FRANCE")] == ["A PAR - BUR"]


@pytest.mark.parametrize(
    ("sentence", "is_stored"),
    [
        ("清除巴黎陸軍", True),
        ("取消巴黎陸軍", True),
        ("清除布雷斯特艦隊", False),
        ("取消布雷斯特艦隊", False),
        ("清除柏林陸軍", False),
        ("取消柏林陸軍", False),
    ],
)
def test_a_unit_to_be_cleared_in_chinese_is_the_one_that_is_named(
    hall: Hall, sentence: str, is_stored: bool
) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nA MAR H")
    hall.order("FRANCE", sentence)
    kept = ["A MAR H"] if is_stored else ["A MAR H", "A PAR - BUR"]
    assert sorted(line.text for line in hall.game().order_set("FRANCE")) == kept
    refused = [one.kind for one in hall.was_told(FRANCE, Refusal)]
    assert refused == ([] if is_stored else [RefusalKind.NOT_STORED])


def test_an_order_for_a_later_phase_is_cleared_below_its_name(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nPHASE F1901M\nA BUR - BEL\nA SPA - POR")
    hall.order("FRANCE", "PHASE F1901M\nCLEAR A BUR")
    game = hall.game()
    assert [line.text for line in game.advance_set("FRANCE", "F1901M")] == ["A SPA - POR"]
    assert len(game.order_set("FRANCE")) == 1


def test_undo_restores_the_orders_before_the_letter_that_is_answered(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.order("FRANCE", "A PAR - PIC\nF BRE H")
    hall.order("FRANCE", "Please undo my last change")
    assert {line.text for line in hall.game().order_set("FRANCE")} == {
        "A MAR - SPA", "A PAR - BUR", "F BRE - MAO",
    }  # fmt: skip
    hall.order("FRANCE", "STATUS")
    hall.order("FRANCE", "undo")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOTHING_TO_UNDO


@pytest.mark.parametrize(
    ("sentence", "is_done"),
    [
        ("I vote for a draw", True),
        ("무승부에 찬성합니다", True),
        ("我同意和局", True),
        ("引き分けに賛成します", True),
        ("Should I vote for a draw?", False),
        ("무승부로 할까요?", False),
    ],
)
def test_a_vote_in_words_counts_and_a_question_is_asked_back(
    hall: Hall, sentence: str, *, is_done: bool
) -> None:
    hall.start()
    hall.order("FRANCE", sentence)
    assert bool(hall.was_told(FRANCE, BallotCast)) == is_done
    if not is_done:
        assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_COMMAND
        hall.order("FRANCE", "yes")
    assert hall.said(FRANCE, BallotCast).motion.own


def test_a_question_is_asked_back_in_the_readers_word(hall: Hall) -> None:
    hall.create()
    hall.post(FRANCE, "JOIN balkan FRANCE", language="ko")
    hall.post(FRANCE, "네", reply_to=hall.last(FRANCE), language="ko")
    hall.post(FRANCE, "JION balkan", reply_to=hall.last(FRANCE), language="ko")
    assert hall.said(FRANCE, Refusal).values["nearest"] == "참가 (JOIN)"


def test_questions_stand_beside_orders_and_chat(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nBusy week here. When is the deadline?\nI'm not ready yet.")
    assert [line.text for line in hall.game().order_set("FRANCE")] == ["A PAR - BUR"]
    assert hall.said(FRANCE, GameStatus).due is not None
    assert hall.said(FRANCE, Done).deed is Deed.NOT_READY


def test_help_in_words_is_help_for_players_and_the_welcome_for_strangers(hall: Hall) -> None:
    hall.start()
    for power, sentence in zip(
        ("FRANCE", "ITALY", "RUSSIA"), ("도와주세요", "幫助", "使い方"), strict=True
    ):
        hall.order(power, sentence)
        assert hall.said(address_of(power), HelpText)
    hall.post("new@example.test", "How do I play?")
    assert hall.said("new@example.test", Welcome)


def test_nobody_is_told_who_voted(hall: Hall) -> None:
    hall.start()
    hall.order("ENGLAND", "DRAW")
    hall.order("FRANCE", "Who voted for the draw?")
    assert hall.said(FRANCE, OpenVotes).motions == ()


@pytest.mark.parametrize("subject", ["A PAR - BUR", "육군 파리 - 버건디", "Orders: A Par - Bur"])
def test_an_order_in_the_subject_alone_is_shown_and_taken_on_yes(hall: Hall, subject: str) -> None:
    hall.start()
    password = hall.said(FRANCE, Joined).password
    headers = {"Subject": subject, "Content-Language": "en"}
    hall.post(FRANCE, f"SIGNON FRANCE@balkan {password}\nHello!", headers=headers)
    assert hall.game().order_set("FRANCE") == ()
    assert hall.said(FRANCE, PartsNotRead).parts == (("subject", subject),)
    hall.order("FRANCE", "yes")
    assert [line.text for line in hall.game().order_set("FRANCE")] == ["A PAR - BUR"]


def test_a_subject_without_an_order_is_passed_over(hall: Hall) -> None:
    hall.start()
    hall.post(FRANCE, "STATUS", headers={"Subject": "my orders for spring"})
    assert hall.was_told(FRANCE, PartsNotRead) == []


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("仲有邊個未交命令？", "還有誰未交命令？"),
        ("唔好咁快run住，等到deadline先", "不要這麼快跑住，等到截止時間先"),
        ("我想取消嗰張和局嘅票", "我想取消那張和局的票"),
        ("締切を二日延ばしていただけますでしょうか", "締切を二日延ばしてください"),
        ("〆切前に回さんといて", "締切前に回さないで"),
        ("ドローに入れてもらえると助かります", "引き分けに入れてください"),
    ],
)
def test_words_as_they_are_spoken_ask_for_what_written_ones_do(spoken: str, written: str) -> None:
    asked, meant = own_words.readings(spoken), own_words.readings(written)
    assert asked
    assert asked == meant


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("我承認土耳其贏了", "我承認俄國贏了"),
        ("幫我報名 carpathia", "幫我報名 balkan"),
        ("ロシアに降参します", "トルコに降参します"),
        ("tigrisを観戦したいです", "balkanを観戦したいです"),
    ],
)
def test_one_name_asks_for_what_another_does(sentence: str, other: str) -> None:
    asked, meant = own_words.readings(sentence), own_words.readings(other)
    told = [[(one.rule, one.likeness, one.rank) for one in each] for each in (asked, meant)]
    assert told[0]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("writer", "sentence", "command"),
    [
        ("requests", "十二月十二號至十五號我去旅行，上唔到網", "ABSENCE 12 Dec - 15 Dec"),
        ("masters", "截止改訂十二月五日晚上八點", "SET DEADLINE 5 Dec 20:00"),
        ("requests", "二日延ばしてください", "EXTEND 2d"),
    ],
)
def test_dates_and_lengths_of_time_in_words_are_read(
    writer: str, sentence: str, command: str
) -> None:
    assert answered(writer, "", sentence).effects == answered(writer, "", command).effects


def test_a_stranger_may_ask_who_plays_in_a_game() -> None:
    meant = answered("strangers", "", "WHOGAME balkan").effects
    assert answered("strangers", "", "balkanは誰が参加しているんですか").effects == meant


@pytest.mark.parametrize(
    ("table", "sentence", "command"),
    [
        ("requests", "I concede to the tsar", "CONCEDE"),  # whom is left to write
        ("requests", "Oops, I said I was finished but I'm not. Take that back.", "NOT READY"),
        ("requests", "Please pause the game for three days", "PROPOSE PAUSE 3d"),
        ("strangers", "What is being played at your place?", "LIST"),
    ],
)
def test_a_question_names_what_may_be_meant(table: str, sentence: str, command: str) -> None:
    answer = answered(table, "", sentence)
    assert not answer.effects
    assert any(one.startswith(command) for one in answer.asked)
    assert len(answer.asked) <= 4


def test_who_chooses_a_command_without_its_value_is_told_how_to_write_it(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "I concede to the tsar")
    asked = hall.said(FRANCE, Refusal).values["choices"]
    assert isinstance(asked, list)
    hall.post(FRANCE, str(asked.index("CONCEDE TO …") + 1), reply_to=hall.last(FRANCE))
    told = hall.said(FRANCE, Refusal)
    assert (told.kind, told.values["usage"]) == (RefusalKind.BAD_COMMAND, "CONCEDE TO FRANCE")


def test_a_stranger_is_told_how_to_join() -> None:
    answer = answered("strangers", "", "how does joining work, which command is it")
    assert answer == answered("strangers", "", "HELP JOIN")


def test_a_polite_wish_for_the_map_names_no_game() -> None:
    assert answered("requests", "", "지도 좀 보내주세요") == answered("requests", "", "MAP")


def test_what_confuses_its_writer_is_the_reason_of_a_request() -> None:
    answer = answered("requests", "", "시간대를 Asia/Seoul로 맞춰주실 수 있나요? UTC는 헷갈려서요")
    assert not answer.effects
    assert "SET ZONE Seoul" in answer.asked


@pytest.mark.parametrize(
    ("table", "sentence", "command"),
    [
        ("masters", "What does it look like if I'd run it? Just curious.", "PREVIEW"),
        ("requests", "제 이름은 이제부터 김철수로 적어 주세요", "SET NAME 김철수"),
        ("requests", "As far as France is concerned, we can share this one equally.", "DRAW"),
        ("requests", "How about a rest of 5 days, I'd like it put to the vote", "PROPOSE PAUSE 5d"),
        ("masters", "Ann Lee는 받지 말아 주세요", "DENY"),
        ("masters", "유예 시간을 12시간으로 바꿔주세요", "SET grace 12h"),
        ("requests", "第2篇日記請刪除", "DIARY DELETE 2"),
        ("requests", "不用每天寄彙整給我", "SET DIGEST OFF"),
        ("requests", "每天早上七點整理一封給我", "SET DIGEST 早上 7點"),
        ("masters", "目前邀請了誰，列給我", "INVITE"),
        ("requests", "締切まであと三日くらい余裕いただけたら嬉しい", "EXTEND 3d"),
        ("requests", "일기 3번은 불태워 주세요", "DIARY DELETE 3"),
        ("requests", "日記の3番は燃やしてください", "DIARY DELETE 3"),
        ("masters", "盤を間違えて始めちゃった、始める前に巻き戻して", "UNSTART"),
    ],
)
def test_a_question_names_a_command_with_what_the_line_tells(
    table: str, sentence: str, command: str
) -> None:
    answer = answered(table, "", sentence)
    assert not answer.effects
    assert command in answer.asked


@pytest.mark.parametrize(
    "sentence", ["다음 턴엔 또 얼마나 웃을지", "姉がこの地図を見て、かわいいねと申しておりました。"]
)
def test_who_only_tells_of_turns_and_maps_is_shown_nothing(sentence: str) -> None:
    assert not answered("chat", "", sentence).effects


def test_of_two_lengths_of_time_the_first_counts() -> None:
    sentence = "Half a day more is all I need, so could the deadline move by 12 hours?"
    assert answered("requests", "", sentence) == answered("requests", "", "EXTEND 12h")


def test_a_note_of_the_diary_is_shown_by_its_number(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "DIARY RECORD\nEngland seems honest.\nENDDIARY")
    hall.order("FRANCE", "給我看日記第一篇")
    assert "England seems honest." in _text(hall, FRANCE)


def test_best_wishes_at_a_letters_end_are_no_wish() -> None:
    assert not own_words.says("preferred", "Best wishes")
    assert own_words.says("preferred", "My wishes for a power: Italy, then France")


def test_a_sentence_is_searched_for_few_meanings_one_by_one() -> None:
    """Each took two microseconds, and an order is read as a request first."""
    (heard,) = own_words._heard("Army Liverpool to the province of Wales")
    assert heard.fitting == []
    assert len(heard._found) < 40
