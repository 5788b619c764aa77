"""Sentences of unknown words: which command they most likely ask for, and what is done about it."""

import pytest

from judge.host.messages.command_answers import ConfirmAsked, Done, HelpText, JoinAsked
from judge.host.messages.games import GameStatus, Welcome
from judge.host.messages.people import Registered
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import SeatId

from .asking.score import answered
from .conftest import Hall, address_of

FRANCE = address_of("FRANCE")


@pytest.mark.parametrize(
    ("sentence", "nearest"),
    [
        ("Would a later deadline be possible at all?", "EXTEND"),
        ("도쿄 시간으로 바꿔 주실 수 있나요?", "SET ZONE Tokyo"),
        ("以後請用日文寫信給我。", "SET LANGUAGE ja"),
        ("連絡先を me@home.example に変えていただけますか。", "SET ADDRESS me@home.example"),
        ("There is nothing more to change, the turn can run.", "READY"),
        ("They say Maggie Thorne is here too; may I see her profile?", "WHOIS Maggie Thorne"),
    ],
)
def test_a_likely_command_is_asked_about_with_what_was_named(
    hall: Hall, sentence: str, nearest: str
) -> None:
    hall.start()
    hall.order("FRANCE", sentence)
    refusal = hall.said(FRANCE, Refusal)
    assert (refusal.kind, refusal.values["nearest"]) == (RefusalKind.NO_COMMAND, nearest)


@pytest.mark.parametrize(
    ("sentence", "nearest"),
    [
        ("Take the game back to spring 1901, please.", "ROLLBACK S1901M"),
        ("1901년 봄으로 되돌려 주세요", "ROLLBACK S1901M"),
        ("請把這局倒回 S1901M", "ROLLBACK S1901M"),
    ],
)
def test_a_phase_is_found_by_the_name_that_a_sentence_gives_it(
    hall: Hall, sentence: str, nearest: str
) -> None:
    hall.start()
    hall.open_game()
    hall.run_phase()
    hall.post("gm@example.test", sentence, reply_to=hall.last("gm@example.test"))
    refusal = hall.said("gm@example.test", Refusal)
    assert (refusal.kind, refusal.values["nearest"]) == (RefusalKind.NO_COMMAND, nearest)


@pytest.mark.parametrize(
    ("sentence", "nearest"),
    [
        ("block that annoying italian, will you", "BLOCK ITALY"),
        ("지도 그거 어떻게 보는 거였더라", "MAP"),
        ("地図 ちょっと見たいんやけど", "MAP"),
    ],
)
def test_a_command_that_names_what_is_not_there_is_read_as_a_sentence(
    hall: Hall, sentence: str, nearest: str
) -> None:
    hall.start()
    hall.order("FRANCE", sentence)
    refusal = hall.said(FRANCE, Refusal)
    assert (refusal.kind, refusal.values["nearest"]) == (RefusalKind.NO_COMMAND, nearest)
    assert [one.kind for one in hall.was_told(FRANCE, Refusal)] == [RefusalKind.NO_COMMAND]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("MAP blakan", RefusalKind.NO_GAME),
        ("ABSENCE 31 Feb - 33 Feb", RefusalKind.BAD_DAYS),
        ("JOIN blakan FRANCE", RefusalKind.NO_GAME),
        ("UNBLOCK Anna Maria Lee", RefusalKind.NO_PERSON),
    ],
)
def test_a_wrong_name_or_date_behind_a_command_is_named(
    hall: Hall, line: str, kind: RefusalKind
) -> None:
    hall.start()
    hall.order("FRANCE", line)
    assert hall.said(FRANCE, Refusal).kind is kind


def test_yes_gives_the_command_what_the_sentence_named(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "my timezone is wrong, I live in Tokyo")
    hall.order("FRANCE", "yes please")
    assert hall.said(FRANCE, Registered).zone == "Asia/Tokyo"


def test_what_only_shows_something_is_shown(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "I'd love to know the name of the Italian player.")
    assert hall.said(FRANCE, GameStatus).about == "ITALY"
    hall.order("FRANCE", "How does voting for a draw work here?")
    assert {one.name for one in hall.said(FRANCE, HelpText).commands} >= {"DRAW"}


@pytest.mark.parametrize(
    "sentence",
    [
        "I would like to start a new game with some friends.",
        "새 게임을 만들고 싶어요.",
        "我想開一局新遊戲。",
        "新しいゲームを作りたいです。",
    ],
)
def test_a_stranger_who_wants_a_game_without_a_name_is_welcomed(hall: Hall, sentence: str) -> None:
    hall.post("new@example.test", sentence)
    first, *guesses = hall.messages(hall.last("new@example.test"))
    assert isinstance(first, Welcome)
    assert all("CREATE" in str(one) for one in guesses)
    hall.post("new@example.test", "yes", reply_to=hall.last("new@example.test"))
    told = hall.messages(hall.last("new@example.test"))  # YES is to the welcome
    assert not any(isinstance(one, Refusal | Welcome) for one in told)


@pytest.mark.parametrize(
    "sentence",
    ["add me to balkan pls", "balkan 하고싶어요", "balkan +1，麻煩了", "balkanに混ぜて"],
)
def test_a_stranger_joins_in_their_own_words(hall: Hall, sentence: str) -> None:
    hall.create()
    hall.create(name="spring", master="other@example.test")
    hall.post("new@example.test", sentence)
    assert hall.said("new@example.test", JoinAsked).game.name == "balkan"


@pytest.mark.parametrize(
    "chat",
    [
        "We drew our last game, it took 14 years.",
        "Austria is such a liar.",
        "오스트리아는 거짓말쟁이네요.",
    ],
)
def test_chat_asks_for_nothing(hall: Hall, chat: str) -> None:
    hall.start()
    before = len(hall.was_told(FRANCE, Refusal)), len(hall.was_told(FRANCE, Done))
    hall.order("FRANCE", chat)
    assert (len(hall.was_told(FRANCE, Refusal)), len(hall.was_told(FRANCE, Done))) == before


@pytest.mark.parametrize(
    ("written", "nearest"),
    [
        ("STATSU", "STATUS"),
        ("resing", "RESIGN"),
        ("준비완뇨", "READY"),
        ("무승브", "DRAW"),
    ],
)
def test_a_misspelt_word_is_asked_about(hall: Hall, written: str, nearest: str) -> None:
    hall.start()
    hall.order("FRANCE", written)
    if nearest == "STATUS":
        assert hall.said(FRANCE, GameStatus)
    else:
        assert hall.said(FRANCE, Refusal).values["nearest"] == nearest


def test_help_on_a_misspelt_command_shows_that_command(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "HELP STATSU")
    assert [one.name for one in hall.said(FRANCE, HelpText).commands] == ["STATUS"]


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("個名登記錯咗，應該係 Wong Siu Ming，唔該改返。", "SET NAME Wong Siu Ming"),
        ("登録名をTanaka Yukiに改めていただけますでしょうか。", "SET NAME Tanaka Yuki"),
        ("HTMLだと読めません。プレーンテキストで送ってください。", "SET FORMAT PLAIN"),
    ],
)
def test_a_wish_is_not_dropped_for_a_likelier_looking_whole_command(
    sentence: str, command: str
) -> None:
    assert command in answered("requests", "", sentence).asked


@pytest.mark.parametrize(
    ("written", "subject"),
    [
        ("WAITING", "how the game stands"),
        ("DEADLINE", "how the game stands"),
        ("WHO IS MISSING", "how the game stands"),
        ("SHOW ORDERS", "how the game stands"),
        ("SHOW MAP", "map"),
        ("GAMES", "list of games"),
        ("LIST RUNNING", "list of games"),
        ("Standings", "summary"),
        ("my addresses", "your registration"),
        ("which addresses do you have of me?", "your registration"),
        ("마감", "how the game stands"),
        ("제 주소", "your registration"),
        ("제 메일 주소가 뭐로 되어 있나요?", "your registration"),
        ("목록 진행 중", "list of games"),
        ("棋盤", "map"),
        ("我的信箱是什麼？", "your registration"),
        ("マスター", "how the game stands"),
        ("登録されているアドレスを教えてください", "your registration"),
    ],
)
def test_words_that_name_what_there_is_to_see_show_it(
    hall: Hall, written: str, subject: str
) -> None:
    hall.start()
    hall.order("FRANCE", written)
    assert hall.text(hall.last(FRANCE)).splitlines()[0].endswith(subject)


def test_a_question_that_is_open_is_asked_again_below_what_was_shown(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "DROP")
    hall.order("FRANCE", "my addresses")
    text = hall.text(hall.last(FRANCE))
    assert "You are registered." in text
    assert "Did you mean one of these?" in text


@pytest.mark.parametrize("line", ["ABSENCES", "VACATIONS"])
def test_an_absence_without_days_is_shown_and_not_proposed(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.BAD_COMMAND
    usage = f"{line[:-1]} 24 Dec - 2 Jan"
    assert f"Write it like this: {usage}" in hall.text(hall.last(FRANCE))


@pytest.mark.parametrize("line", ["SET PRESENCE", "NO ABSENCE"])
def test_presence_takes_an_absence_back(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", "ABSENCE 1 Feb - 3 Feb")
    hall.order("FRANCE", line)
    assert not any(seat.absences for seat in hall.game().seats)


def test_all_stand_is_asked_about_and_taken_by_a_yes(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "All stand.")
    assert not hall.game().order_set(SeatId("FRANCE"))
    assert "Reply YES to take all 3 lines proposed" in hall.text(hall.last(FRANCE))
    hall.order("FRANCE", "yes")
    assert [one.text for one in hall.game().order_set(SeatId("FRANCE"))] == [
        "A MAR H",
        "A PAR H",
        "F BRE H",
    ]


@pytest.mark.parametrize(
    ("body", "first"),
    [("A PAR - BUR\nAll stand.", "A PAR - BUR"), ("All units stand", "A PAR H")],
)
def test_all_stand_beside_orders_or_of_units_is_an_order(hall: Hall, body: str, first: str) -> None:
    hall.start()
    hall.order("FRANCE", body)
    texts = {one.text for one in hall.game().order_set(SeatId("FRANCE"))}
    assert texts == {"A MAR H", first, "F BRE H"}


@pytest.mark.parametrize("line", ["頑張って", "다들 힘내세요", "大家加油", "みんな頑張って"])
def test_an_encouragement_is_no_order(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    assert not hall.game().order_set(SeatId("FRANCE"))


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("参りました。ロシアの勝ちでいいです。", "CONCEDE TO RUSSIA"),  # the power in the next
        ("今後は「高橋美咲」と表示してください。", "SET NAME 高橋美咲"),
        ("上次登記打錯字，正確的是張大山，請改一下名字", "SET NAME 張大山"),
        ("山田太郎とは何者？", "WHOIS 山田太郎"),
        ("今期の命令は白紙に戻したいのですが。", "CLEAR"),  # names no unit
        ("今回はパリへの命令を消したいのですが", "CLEAR A PAR"),
        ("12月3日から旅行で5日までいません", "ABSENCE 2026-12-03 - 2026-12-05"),
        ("12/5～12/7はスキー旅行で不在です", "ABSENCE 2026-12-05 - 2026-12-07"),
        ("12/5～12/17 要去日本滑雪，這局請等我", "ABSENCE 2026-12-05 - 2026-12-17"),
        ("その提案には反対票を入れます。", "VOTE NO"),
        ("メールの添付ファイルは一切いりません", "SET ATTACHMENTS NONE"),
        ("Read me note 2 of my diary.", "DIARY READ 2"),
        ("I want diary entry 5 gone.", "DIARY DELETE 5"),
        ("Stop attaching stuff to your mails.", "SET ATTACHMENTS NONE"),
    ],
)
def test_a_question_names_what_the_letter_gives_the_command(sentence: str, command: str) -> None:
    assert command in answered("requests", "", sentence).asked


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("英語よめないので日本語にして", "SET LANGUAGE ja"),
        ("改中文吧，英文看不懂", "SET LANGUAGE zh_Hant"),
    ],
)
def test_a_language_that_cannot_be_read_is_not_the_one_wished_for(
    sentence: str, command: str
) -> None:
    assert answered("requests", "", sentence).effects == answered("requests", "", command).effects


def test_a_line_of_kanji_alone_is_read_in_the_language_that_it_is_like() -> None:
    told = answered("requests", "", "練習鋼琴練到手痠。")  # chat in Chinese; 練習 asks in Japanese
    assert (told.asked, told.effects) == ((), frozenset())


def test_words_behind_an_address_are_no_second_one() -> None:
    meant = answered("masters", "", "INVITE ann@example.org")
    told = answered("masters", "", "邀請 ann@example.org 來玩這局")
    assert told.effects == meant.effects or "INVITE ann@example.org" in told.asked


def test_an_order_of_somebody_without_a_seat_is_no_wish(hall: Hall) -> None:
    hall.start()
    hall.register("new@example.test", "Olga")
    hall.post(
        "new@example.test", "OBSERVE balkan", reply_to=hall.last("new@example.test"), name="Olga"
    )
    for line, told in (("A PAR - BUR", "You have no seat in this game."), ("STATUS", "is running")):
        hall.post("new@example.test", line, reply_to=hall.last("new@example.test"), name="Olga")
        text = hall.text(hall.last("new@example.test"))
        assert told in text
        assert "Did you mean" not in text


def test_an_order_before_the_start_is_told_to_be_early(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    hall.order("FRANCE", "A PAR - BUR")
    refusal = hall.said(FRANCE, Refusal)
    assert (refusal.kind, refusal.values["written"]) == (RefusalKind.NOT_BEGUN, "A PAR - BUR")
    assert "Not read as orders" not in hall.text(hall.last(FRANCE))


@pytest.mark.parametrize("line", ["SIGNON Fbalkan secret", "JOIN balkan; PREFER ITALY"])
def test_an_old_sign_on_to_a_game_that_forms_joins_it(hall: Hall, line: str) -> None:
    hall.create()
    hall.post("new@example.test", line, name="Neo")
    assert hall.said("new@example.test", JoinAsked).game.name == "balkan"


def test_commands_on_one_line_are_all_carried_out(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "WAIT; SET NO WAIT；READY")
    seat = hall.game().seat(SeatId("FRANCE"))
    assert (seat.ready, seat.wait) == (True, False)
    hall.order("FRANCE", "BROADCAST\nWAIT; READY\nENDBROADCAST")
    assert "WAIT; READY" in hall.text(hall.last(address_of("ITALY")))


@pytest.mark.parametrize("line", ["movement: 2d", "Movement 48 hours please", "grace 12 hours"])
def test_a_masters_setting_without_set_is_asked_about(hall: Hall, line: str) -> None:
    hall.start()
    before, due = hall.game().settings, hall.game().due_at
    hall.post("gm@example.test", line, reply_to=hall.last("gm@example.test"))
    assert "Did you mean SET " in hall.text(hall.last("gm@example.test"))
    hall.post("gm@example.test", "yes", reply_to=hall.last("gm@example.test"))
    hall.post("gm@example.test", "yes", reply_to=hall.last("gm@example.test"))
    assert hall.game().settings != before
    assert hall.game().due_at == due


def test_a_phase_behind_history_is_no_games_name(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.run_phase()
    hall.order("FRANCE", "HISTORY S1901M")
    assert "Spring 1901 movement: the results." in hall.text(hall.last(FRANCE))
    hall.order("FRANCE", "map s1901m")
    assert hall.text(hall.last(FRANCE)).startswith("[Judge] balkan S1901M map")


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("what's holding us up", "MISSING"),
        ("why is the game on hold?", "STATUS"),
        ("게임 언제 다시 해요?", "STATUS"),
        ("遊戲什麼時候繼續？", "STATUS"),
        ("ゲームはいつ再開しますか", "STATUS"),
    ],
)
def test_questions_about_a_pause_lead_to_the_status(hall: Hall, line: str, nearest: str) -> None:
    hall.start()
    hall.post("gm@example.test", "HOLD GAME ill", reply_to=hall.last("gm@example.test"))
    hall.order("FRANCE", line)
    text = hall.text(hall.last(FRANCE))
    assert nearest in text or "how the game stands" in text
    assert "1) PROPOSE" not in text


@pytest.mark.parametrize(
    ("sentence", "readers"),
    [
        ("I'd love to write an anonymous letter to Russia and Turkey", "RUSSIA, TURKEY"),
        ("ロシアとトルコに匿名で手紙を書きたいのですが", "RUSSIA, TURKEY"),
    ],
)
def test_press_is_proposed_to_those_whom_the_sentence_names(
    hall: Hall, sentence: str, readers: str
) -> None:
    hall.start("press: grey")
    hall.order("FRANCE", sentence)
    asked = hall.text(hall.last(address_of("FRANCE")))
    assert f"PRESS TO {readers}" in asked
    assert "ENGLAND" not in asked


def test_a_number_alone_asks_for_nothing(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "HELP PRESS")
    hall.order("FRANCE", "2")
    assert hall.was_told(address_of("FRANCE"), Refusal) == []


def test_what_a_stranger_asks_comes_before_the_welcome(hall: Hall) -> None:
    hall.post("new@example.test", "What happens if someone quits?")
    first, second = hall.messages(hall.last("new@example.test"))
    assert isinstance(first, Refusal)
    assert isinstance(second, Welcome)


@pytest.mark.parametrize(
    "sentence",
    [
        "I'd like to join a game, how do I do that?",
        "게임에 참가하려면 어떻게 하나요?",
        "我想參加遊戲，要怎麼做？",
        "どうやって参加しますか",
    ],
)
def test_a_stranger_who_asks_how_to_join_is_welcomed_before_the_page(
    hall: Hall, sentence: str
) -> None:
    hall.create()
    hall.post("new@example.test", sentence)
    first, *others = hall.messages(hall.last("new@example.test"))
    assert isinstance(first, Welcome)
    assert any(isinstance(one, HelpText | Refusal) for one in others)
    hall.post("new@example.test", "yes", reply_to=hall.last("new@example.test"))
    assert hall.game().applicants


def test_a_stranger_who_sends_help_gets_help_alone(hall: Hall) -> None:
    hall.create()
    hall.post("new@example.test", "HELP JOIN")
    assert [type(one) for one in hall.messages(hall.last("new@example.test"))] == [HelpText]


@pytest.mark.parametrize(
    "written",
    ["A PAR - BUR\nLeave the rest.", "quit the support", "나머지는 포기할게요", "其餘的都放棄"],
)
def test_who_leaves_the_rest_does_not_leave_the_game(hall: Hall, written: str) -> None:
    hall.start()
    hall.order("FRANCE", written)
    assert hall.was_told(FRANCE, ConfirmAsked) == []


def test_who_quits_is_asked_once_more(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "I want to leave the game.")
    assert hall.said(FRANCE, ConfirmAsked)
