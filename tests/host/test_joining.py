"""Becoming a player, joining, creating games."""

from datetime import timedelta

import pytest

from judge.data import game_presets
from judge.host.commands.questions import asks
from judge.host.games.choosing import choose_settings
from judge.host.messages.command_answers import Created, JoinAsked, Joined
from judge.host.messages.game_events import GameOver, SeatChanged, Started
from judge.host.messages.games import GameList, Welcome
from judge.host.messages.order_answers import NotRead
from judge.host.messages.people import Registered
from judge.host.messages.refusals import KeeperNotice, Refusal, RefusalKind
from judge.mail import reply_address
from judge.store import LetterState, Press, Status

from .conftest import JUDGE, POWERS, Hall, address_of

ANN = "ann@example.test"


def test_a_stranger_is_seated_after_two_letters(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "JOIN balkan", name="Ann Ackerman", offset=540, language="ko")
    asked = hall.said(ANN, JoinAsked)
    assert (asked.name, asked.zone, asked.missing_players) == ("Ann Ackerman", "Asia/Seoul", 7)
    assert hall.game().applicants == ()

    hall.post(ANN, "Yes, please", reply_to=hall.last(ANN))
    assert hall.said(ANN, Joined).missing_players == 6
    (applicant,) = hall.game().applicants
    with hall.database.transaction() as tx:
        player = tx.players.get(applicant.player)
    assert player is not None
    assert (player.name, player.addresses, player.confirmed) == ("Ann Ackerman", (ANN,), True)


def test_a_forged_from_header_seats_nobody(hall: Hall) -> None:
    hall.create()
    hall.register(ANN, "Ann")
    hall.post(ANN, "JOIN balkan")
    hall.post(ANN, "JOIN balkan")
    assert hall.game().applicants == ()


def test_a_reply_of_no_seats_nobody(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "JOIN balkan")
    hall.post(ANN, "No, thanks", reply_to=hall.last(ANN))
    assert hall.game().applicants == ()


def test_the_game_starts_when_the_last_seat_is_taken(hall: Hall) -> None:
    game = hall.start()
    assert game.status is Status.ACTIVE
    assert [seat.id for seat in game.seats] == list(POWERS)
    assert game.timing is not None
    assert game.timing.deadline_at == hall.instant + timedelta(days=3)
    for power in POWERS:
        started = hall.said(address_of(power), Started)
        assert started.game.seat == power  # everybody got the power he wished for
    assert hall.said("gm@example.test", Started).game.seat is None


def test_without_wishes_the_powers_go_by_lot_from_the_games_own_seed(hall: Hall) -> None:
    dealt = []
    for name in ("first", "second"):
        hall.create(name=name)
        for number in range(7):
            address = f"p{number}@example.test"
            hall.post(address, f"JOIN {name}")
            hall.post(address, "yes", reply_to=hall.last(address))
        dealt.append([seat.player for seat in hall.game(name).seats])
    assert sorted(filter(None, dealt[0])) == sorted(filter(None, dealt[1]))
    assert dealt[0] != dealt[1]


def test_a_power_that_is_wished_for_already_is_refused_with_the_free_ones(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    hall.post(ANN, "JOIN balkan france")
    refusal = hall.said(ANN, Refusal)
    assert refusal.kind is RefusalKind.SEAT_TAKEN
    assert "FRANCE" not in refusal.values["free"]
    assert "TURKEY" in refusal.values["free"]


def test_an_unknown_sender_is_answered_with_the_open_games(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "Hello, who are you?")
    welcome = hall.said(ANN, Welcome)
    assert [row.name for row in welcome.games] == ["balkan"]


def test_an_unknown_sender_is_answered_only_so_often_a_day(hall: Hall) -> None:
    fates = [hall.post(ANN, "Hello?") for _ in range(51)]
    assert fates == [LetterState.ANSWERED] * 50 + [LetterState.ASIDE]
    assert len(hall.out) == 50


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Judge-Game": "balkan"},  # a letter of a judge
        {"Return-Path": "<>"},  # a bounce
        {"Auto-Submitted": "auto-replied"},
        {"List-Id": "<players.example.test>"},
    ],
)
def test_automatic_letters_are_not_answered(hall: Hall, headers: dict[str, str]) -> None:
    assert hall.post(ANN, "JOIN balkan", headers=headers) is LetterState.ASIDE
    assert hall.out == []


def test_a_faulty_setting_keeps_a_draft_that_nobody_sees(hall: Hall) -> None:
    hall.create("movement: 2d\nvariant: atlantis\ncolour: blue")
    created = hall.said("gm@example.test", Created)
    assert {fault.name for fault in created.faults} == {"variant", "colour"}
    assert created.settings.lengths["movement"] == timedelta(days=2)
    assert hall.game().status is Status.DRAFT

    hall.post(ANN, "LIST")
    assert hall.said(ANN, GameList).games == ()
    hall.post(ANN, "JOIN balkan")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_GAME

    master = "gm@example.test"
    hall.post(master, "CREATE balkan\nmovement: 2d", reply_to=hall.last(master))
    assert hall.game().status is Status.DRAFT
    hall.post(master, "네", reply_to=hall.last(master))
    assert hall.game().status is Status.FORMING


def test_a_draft_is_shown_before_it_opens(hall: Hall) -> None:
    master = "gm@example.test"
    hall.register(master, "Grace")
    hall.post(master, "CREATE balkan\nmovement: 2d", reply_to=hall.last(master))
    shown = hall.said(master, Created)
    assert (shown.is_draft, shown.is_made, shown.faults) == (True, True, ())
    assert hall.text(hall.last(master)).startswith("[Judge] balkan a draft: YES opens it")
    hall.post(ANN, "JOIN balkan")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_GAME
    hall.post(master, "CREATE balkan\npress: grey", reply_to=hall.last(master))
    assert hall.said(master, Created).settings.lengths["movement"] == timedelta(days=2)

    hall.post(master, "OPEN balkan", reply_to=hall.last(master))
    opened = hall.said(master, Created)
    assert not opened.is_draft
    told = "To join, write to judge@judge.test:\r\n  JOIN balkan\r\n"
    assert told in hall.text(hall.last(master))
    assert hall.game().status is Status.FORMING
    assert hall.game().settings.press is Press.GREY

    hall.post(master, "OPEN second", reply_to=hall.last(master))
    assert hall.said(master, Refusal).kind is RefusalKind.NO_GAME
    hall.post(master, "CREATE third\nmovement: 2d\nopen: yes", reply_to=hall.last(master))
    assert hall.game("third").status is Status.FORMING


def test_a_draft_with_faults_does_not_open(hall: Hall) -> None:
    master = "gm@example.test"
    hall.create("movement: 2d\ncolour: blue")
    hall.post(master, "OPEN", reply_to=hall.last(master))
    (fault,) = hall.said(master, Created).faults
    assert (fault.name, fault.written) == ("colour", "blue")
    assert hall.game().status is Status.DRAFT


def test_presets_are_settings_that_other_lines_override(hall: Hall) -> None:
    hall.create("preset: gunboat, fast\nmovement: 36h")
    settings = hall.game().settings
    assert (settings.press, settings.hides_names) == (Press.NONE, True)
    assert settings.lengths["movement"] == timedelta(hours=36)
    assert settings.lengths["retreat"] == timedelta(hours=12)
    for name in game_presets():
        hall.create(f"preset: {name}", name=f"a_{name}")
        assert hall.game(f"a_{name}").status is Status.FORMING
    hall.create("설정 모음: 속전", name="korean")
    assert hall.game("korean").settings.lengths["movement"] == timedelta(days=1)


def test_presets_that_contradict_each_other_are_both_named(hall: Hall) -> None:
    hall.create("preset: zine, fast")
    fault = hall.said("gm@example.test", Created).faults[0]
    assert "fast (movement: 24h)" in fault.written
    assert "zine (movement: 14d)" in fault.known[0]
    hall.create("preset: slow", name="other")
    assert hall.said("gm@example.test", Created).faults[0].known == tuple(game_presets())


def test_hidden_names_are_told_at_the_end_alone(hall: Hall) -> None:
    hall.start("names: hidden")
    france, master = address_of("FRANCE"), "gm@example.test"
    assert {entry.is_hidden for entry in hall.said(france, Started).roster} == {True}
    assert "Turkey: somebody" in hall.text(hall.last(france))
    assert "Turkey" in {entry.player for entry in hall.said(master, Started).roster}
    hall.post(france, "WHOIS TURKEY@balkan\nBLOCK TURKEY@balkan", reply_to=hall.last(france))
    assert {one.kind for one in hall.was_told(france, Refusal)} == {
        RefusalKind.NO_PROFILE,
        RefusalKind.NO_PERSON,
    }
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "yes")
    assert hall.said(france, SeatChanged).who == ""
    assert hall.said(master, SeatChanged).who == "Turkey"
    for power in POWERS[:-1]:
        hall.order(power, "DRAW")
    assert "France" in {entry.player for entry in hall.said(france, GameOver).roster}


def test_house_rules_are_shown_and_accepted_at_join(hall: Hall) -> None:
    rules = "No stabbing in 1901.\nBe polite: no insults."
    hall.create(f"house rules:\n{rules}\nmovement: 2d")
    assert hall.game().settings.house_rules == rules
    assert hall.game().settings.lengths["movement"] == timedelta(days=2)
    hall.register(ANN, "Ann")
    hall.post(ANN, "JOIN balkan", reply_to=hall.last(ANN))
    assert hall.game().applicants == ()
    asked = hall.text(hall.last(ANN))
    assert "Your YES accepts its house rules" in asked
    assert "  Be polite: no insults." in asked
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert len(hall.game().applicants) == 1


def test_a_name_is_used_once(hall: Hall) -> None:
    hall.create()
    hall.post("other@example.test", "CREATE balkan")
    assert hall.said("other@example.test", Refusal).kind is RefusalKind.NAME_TAKEN


def test_settings_that_cannot_be_read_are_all_reported(hall: Hall) -> None:
    chosen = choose_settings(
        hall.config.defaults, {"movement": "soon", "press": "loud", "rules": "1492", "grace": "0"}
    )
    assert [fault.kind for fault in chosen.faults] == ["bad_duration", "bad_option", "no_rules"]
    assert chosen.settings.grace == timedelta(0)


@pytest.mark.parametrize(
    ("written", "hours"),
    [
        *(("2 days", 48), ("12 hours", 12), ("1 week", 168), ("1 day, 12 hours", 36), ("36H", 36)),
        *(("1d12h", 36), ("1 day and 6 hrs", 30), ("3일", 72), ("36시간", 36), ("1주", 168)),
        *(("3天", 72), ("12小時", 12), ("3日間", 72), ("24時間", 24), ("1週間", 168)),
    ],
)
def test_times_are_read_as_people_say_them(hall: Hall, written: str, hours: int) -> None:
    chosen = choose_settings(hall.config.defaults, {"movement": written})
    assert (chosen.faults, chosen.settings.lengths["movement"]) == ((), timedelta(hours=hours))


@pytest.mark.parametrize("written", ["2 fortnights", "days", "2", "3 dayz", "-1 day", "0 days"])
def test_other_times_are_asked_about(hall: Hall, written: str) -> None:
    chosen = choose_settings(hall.config.defaults, {"movement": written})
    assert [fault.kind for fault in chosen.faults] == ["bad_duration"]


def test_settings_need_no_colon(hall: Hall) -> None:
    hall.create("Movement 2 days\npress gray\nrules = 2023")
    settings = hall.game().settings
    assert (settings.lengths["movement"], settings.press, settings.rules) == (
        timedelta(days=2),
        Press.GREY,
        "2023",
    )


def test_register_reads_the_fields_and_shows_them(hall: Hall) -> None:
    hall.post(ANN, "REGISTER\nname: Ann the First\nzone: seoul", name="Ann")
    hall.post(ANN, "ok", reply_to=hall.last(ANN))
    with hall.database.transaction() as tx:
        player = tx.players.by_address(ANN)
    assert player is not None
    assert (player.name, player.zone) == ("Ann the First", "Asia/Seoul")
    hall.post(ANN, "SET ZONE Paris", reply_to=hall.last(ANN))
    assert hall.said(ANN, Registered).zone == "Europe/Paris"


@pytest.mark.parametrize(
    ("city", "zone"),
    [
        ("서울", "Asia/Seoul"),
        ("도쿄", "Asia/Tokyo"),
        ("台北", "Asia/Taipei"),
        ("東京", "Asia/Tokyo"),
        ("パリ", "Europe/Paris"),
        ("高雄", "Asia/Taipei"),
        ("오사카", "Asia/Tokyo"),
        ("札幌", "Asia/Tokyo"),
        ("boston", "America/New_York"),
    ],
)
def test_a_zone_is_a_city_as_its_people_write_it(hall: Hall, city: str, zone: str) -> None:
    hall.post(ANN, f"REGISTER\nzone: {city}", name="Ann")
    assert hall.said(ANN, Registered).zone == zone


def test_a_registration_that_is_confirmed_is_answered(hall: Hall) -> None:
    hall.post(ANN, "REGISTER", name="Ann")
    assert not hall.said(ANN, Registered).confirmed
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert hall.said(ANN, Registered).confirmed
    assert len(hall.out) == 2


@pytest.mark.parametrize("line", ["참가 balkan 터키", "加入 balkan 土耳其", "参加 balkan トルコ"])
def test_a_power_is_wished_for_as_letters_name_it(hall: Hall, line: str) -> None:
    hall.create()
    hall.post(ANN, line)
    assert hall.said(ANN, JoinAsked).wish == "TURKEY"


def test_commands_may_be_written_in_any_case_and_spacing(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "  join   Balkan   france ")
    assert hall.said(ANN, JoinAsked).wish == "FRANCE"
    hall.post(ANN, "SIGN ON ?balkan secret")
    assert hall.said(ANN, JoinAsked).game.name == "balkan"
    hall.post(ANN, "JION balkan")
    refusal = hall.said(ANN, Refusal)
    assert (refusal.kind, refusal.values["nearest"]) == (RefusalKind.NO_COMMAND, "JOIN")


@pytest.mark.parametrize(
    ("written", "language"),
    [
        ("한국어", "ko"),
        ("zh-TW", "zh_Hant"),
        ("Japanese", "ja"),
        ("KO", "ko"),
        ("zh_Hant", "zh_Hant"),
    ],
)
def test_a_language_goes_by_its_code_or_its_name(hall: Hall, written: str, language: str) -> None:
    hall.register(ANN, "Ann")
    hall.post(ANN, f"SET LANGUAGE {written}", reply_to=hall.last(ANN))
    assert hall.said(ANN, Registered).language == language
    assert hall.last(ANN).language == language
    hall.post(ANN, "LANGUAGE en", reply_to=hall.last(ANN))
    assert hall.last(ANN).language == "en"


def test_a_language_the_judge_does_not_write_is_refused_with_those_it_does(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    hall.post(ANN, "LANGUAGE Klingon", reply_to=hall.last(ANN))
    refusal = hall.said(ANN, Refusal)
    assert refusal.kind is RefusalKind.BAD_LANGUAGE
    assert refusal.values["known"] == ["en", "ko", "zh_Hant", "ja"]
    assert hall.last(ANN).language == "en"


def test_a_stranger_is_answered_in_the_language_he_wrote(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "JOIN balkan", language="ko")
    assert hall.said(ANN, JoinAsked).language == "ko"
    assert hall.last(ANN).language == "ko"
    hall.post(ANN, "네", reply_to=hall.last(ANN), language=None)
    with hall.database.transaction() as tx:
        player = tx.players.by_address(ANN)
    assert player is not None
    assert player.language == "ko"


@pytest.mark.parametrize("command", ["JOIN balkan FRANCE secret", "REGISTER", "CREATE second"])
@pytest.mark.parametrize("reply", ["What is this? Remove me!", "OK, but I did not write this", ""])
def test_a_question_is_answered_by_a_plain_yes_alone(hall: Hall, command: str, reply: str) -> None:
    hall.create()
    hall.post(ANN, command)
    asked = hall.last(ANN)
    hall.post(ANN, reply, reply_to=asked)
    with hall.database.transaction() as tx:
        assert tx.players.by_address(ANN) is None
    assert hall.game().applicants == ()
    again = hall.messages(hall.last(ANN))
    questions = tuple(one for one in hall.messages(asked) if asks(one))
    assert again[: len(questions)] == questions  # asked once more
    shown = [one for one in again if isinstance(one, NotRead | Refusal)]
    assert len(shown) == bool(reply)
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    with hall.database.transaction() as tx:
        assert tx.players.by_address(ANN) is not None


@pytest.mark.parametrize("command", ["JOIN balkan", "REGISTER", "CREATE second"])
def test_every_reply_to_a_question_is_answered(hall: Hall, command: str) -> None:
    hall.create()
    hall.post(ANN, command)
    asked = hall.last(ANN)
    for reply in ("hello", "LIST", "name: Anna", "yes", "yes", "STATUS", "no", "", "> quoted"):
        count = len(hall.was_told(ANN, object))
        assert hall.post(ANN, reply, reply_to=asked) is LetterState.ANSWERED
        assert len(hall.was_told(ANN, object)) > count, reply
    assert RefusalKind.EXPIRED in [one.kind for one in hall.was_told(ANN, Refusal)]
    assert hall.was_told("gm@example.test", KeeperNotice) == []


def test_a_password_in_a_letter_that_nothing_proves_does_not_count(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "JOIN balkan FRANCE frogs7")
    asked = hall.last(ANN)
    assert "frogs7" not in str((asked.payload, asked.messages))
    hall.post(ANN, "yes", reply_to=asked)
    assert hall.said(ANN, Joined).password not in ("", "frogs7")
    hall.register("bob@example.test", "Bob")
    hall.post(
        "bob@example.test", "JOIN balkan ITALY frogs7", reply_to=hall.last("bob@example.test")
    )
    assert hall.said("bob@example.test", Joined).password == "frogs7"


def test_a_yes_counts_once(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "JOIN balkan")
    asked = hall.last(ANN)
    for _ in range(2):
        hall.post(ANN, "yes", reply_to=asked)
    assert hall.said(ANN, Refusal).kind is RefusalKind.EXPIRED
    assert len(hall.game().applicants) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"List-Id": "<players.example.test>"},
        {"List-Unsubscribe": "<mailto:x@example.test>"},
        {"Precedence": "bulk"},
        {"Return-Path": "<>"},
        {"X-Judge-Game": "balkan"},
    ],
)
def test_a_reply_through_a_list_is_read(hall: Hall, headers: dict[str, str]) -> None:
    hall.create()
    hall.post(ANN, "JOIN balkan")
    asked = hall.last(ANN)
    assert (
        hall.post("bob@example.test", "yes", reply_to=asked, headers=headers) is LetterState.ASIDE
    )
    assert hall.post(ANN, "yes", reply_to=asked, headers=headers) is LetterState.ANSWERED
    assert len(hall.game().applicants) == 1
    # What says nothing may be a machine's, whose answer to the answer would be answered.
    away = "I am away until Monday."
    assert hall.post(ANN, away, reply_to=hall.last(ANN), headers=headers) is LetterState.ASIDE
    with hall.database.transaction() as tx:
        stored = tx.letters.get(hall._count)
    assert stored is not None
    assert stored.note


INVITATION = (
    'Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\n'
    "Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n--b\r\n"
    "Content-Type: text/calendar; method=REPLY\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REPLY\r\n"
    "END:VCALENDAR\r\n--b--\r\n"
)


@pytest.mark.parametrize("is_reply", [True, False])
@pytest.mark.parametrize(
    ("text", "is_answered"),
    [
        ("", False),
        ("Ann has accepted this invitation.", False),
        ("Ann 님이 초대를 수락했습니다.", False),
        ("France has accepted this invitation.", False),
        ("A PAR - BUR", True),
        ("Ann has accepted this invitation.\r\n\r\nA Par to Bur please", True),
        ("STATUS", True),
    ],
)
def test_orders_in_the_answer_of_a_calendar_are_read_and_its_own_words_are_not_answered(
    hall: Hall, text: str, is_answered: bool, is_reply: bool
) -> None:
    hall.start()
    france = address_of("FRANCE")
    before = hall.last(france)
    to = reply_address(before.token, JUDGE) if is_reply else JUDGE
    head = f"From: {france}\r\nTo: {to}\r\nSubject: Accepted: balkan: orders due\r\n"
    state = hall.take((head + INVITATION.format(text=text)).encode())
    assert (state is LetterState.ANSWERED) is is_answered
    assert (hall.last(france).token != before.token) is is_answered
    if is_answered and not is_reply:
        assert "Did you write this letter?" in hall.text(hall.last(france))
    is_order = is_answered and is_reply and text != "STATUS"
    assert [line.text for line in hall.game().order_sets.get("FRANCE", ())] == [
        "A PAR - BUR"
    ] * is_order


@pytest.mark.parametrize(
    ("body", "yes"),
    [
        ("CREATE alps", "YES"),
        ("새 게임 alps", '"네"'),
        ("建立遊戲 alps", "「好」"),
        ("新規ゲーム alps", "「はい」"),
    ],
)
def test_a_strangers_draft_asks_for_one_thing(hall: Hall, body: str, yes: str) -> None:
    hall.post(ANN, body)
    asked = hall.text(hall.last(ANN))
    assert hall.said(ANN, Created).is_draft
    assert hall.said(ANN, Registered).is_beside
    assert asked.split("\n\n", 1)[1].count(yes) == 2  # the subject and the first line
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert hall.game("alps").status is Status.FORMING


def test_who_registers_by_a_command_is_told_that_a_yes_gives_it(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "SUBSCRIBE balkan")
    assert hall.said(ANN, Registered).then == "SUBSCRIBE balkan"
    told = hall.text(hall.last(ANN))
    assert "The same YES also carries out your command: SUBSCRIBE balkan" in told


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("Hello judge,\n\nI frobnicate the teapot.\nJOIN balkan", (2,)),
        ("Dear Sir or Madam,\nJOIN balkan\nfrobnicate it\nYours truly,\nZoe", (3,)),
        ("안녕하세요 심판님,\n주전자를 닦았다\nJOIN balkan\n그럼 이만\nZoe 올림", (2,)),
        ("拝啓\nJOIN balkan\nやかんを磨きました\n敬具", (3,)),
        ("初次見面\nJOIN balkan\n我擦了水壺\n敬上", (3,)),
        ("JOIN balkan\nfrobnicate the teapot\nand the kettle of Bob's", (2, 3)),
        ("JOIN balkan", None),
    ],
)
def test_a_stranger_is_told_which_lines_were_not_understood_and_no_word_of_them(
    hall: Hall, body: str, numbers: tuple[int, ...] | None
) -> None:
    hall.create()
    hall.post("zoe@example.test", body)
    told = [one.numbers for one in hall.was_told("zoe@example.test", NotRead)]
    assert told == ([numbers] if numbers else [])
    text = hall.text(hall.last("zoe@example.test"))
    assert "teapot" not in text
    if body.isascii():
        assert ("counted without blank lines" in " ".join(text.split())) is bool(numbers)


def test_register_below_a_question_keeps_what_it_asked(hall: Hall) -> None:
    """Who follows the hint below JOIN or CREATE has joined, or made the game, with the next YES."""
    hall.create()
    hall.post(ANN, "JOIN balkan FRANCE", name="Ann")
    asked = hall.text(hall.last(ANN))
    assert "reply REGISTER, and below it lines such as:" in " ".join(asked.split())
    hall.post(ANN, "REGISTER\nname: Ann Lee\nzone: Seoul", reply_to=hall.last(ANN), name="Ann")
    told = hall.text(hall.last(ANN))
    assert "The same YES also carries out your command: JOIN balkan FRANCE" in told
    hall.post(ANN, "REGISTER\nlanguage: ko", reply_to=hall.last(ANN), name="Ann")
    hall.post(ANN, "네", reply_to=hall.last(ANN), name="Ann")
    (applicant,) = hall.game().applicants
    assert applicant.wish == "FRANCE"
    with hall.database.transaction() as tx:
        player = tx.players.get(applicant.player)
    assert player is not None
    assert (player.name, player.zone, player.language) == ("Ann Lee", "Asia/Seoul", "ko")

    hall.post("zoe@example.test", "CREATE bosnia\nmovement: 3d", name="Zoe")
    question = hall.last("zoe@example.test")
    hall.post("zoe@example.test", "REGISTER\nname: Zoe Lee", reply_to=question)
    assert "your command: CREATE bosnia\r\n" in hall.text(hall.last("zoe@example.test"))
    hall.post("zoe@example.test", "YES", reply_to=hall.last("zoe@example.test"))
    assert hall.game("bosnia").status is Status.FORMING


def test_register_below_a_welcome_keeps_what_it_asked(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "Hello, I would like to play", name="Ann")
    assert "A reply of REGISTER changes that." in " ".join(hall.text(hall.last(ANN)).split())
    hall.post(ANN, "REGISTER\nname: Ann Lee", reply_to=hall.last(ANN), name="Ann")
    hall.post(ANN, "YES", reply_to=hall.last(ANN), name="Ann")
    assert len(hall.game().applicants) == 1


def test_register_of_another_address_takes_no_question_over(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "JOIN balkan", name="Ann")
    ben = "ben@example.test"
    hall.post(ben, "REGISTER\nname: Ben", reply_to=hall.last(ANN), name="Ben")
    assert "JOIN balkan" not in hall.text(hall.last(ben))


def test_only_a_game_with_press_tells_how_to_write_it(hall: Hall) -> None:
    for lines, is_told in (("", 1), ("press: none", 0), ("partial press: no", 0)):
        hall = Hall()
        hall.start(lines)
        told = " ".join(hall.text(hall.last(address_of("FRANCE"))).split())
        assert told.count("To write to another player: PRESS TO and the power") == is_told, lines


def test_a_game_that_deals_by_lot_offers_no_power(hall: Hall) -> None:
    for lines, is_told in (("", 1), ("start: manual\npowers: random", 0)):
        hall = Hall()
        hall.create(lines)
        hall.register(ANN, "Ann")
        hall.post(ANN, "JOIN balkan", reply_to=hall.last(ANN))
        told = " ".join(hall.text(hall.last(ANN)).split())
        assert "STATUS shows who is missing, and RESIGN leaves." in told
        assert "The game still needs 6 more players." in told
        assert told.count("JOIN balkan and a power asks for that power.") == is_told, lines


def test_settings_tell_who_may_join_what_was_made(hall: Hall) -> None:
    hall.create("approval: yes")
    told = " ".join(hall.text(hall.last("gm@example.test")).split())
    assert "7 players are wanted. They join with JOIN balkan, as the settings below allow." in told
    assert "Anybody" not in told


def test_an_invitation_to_another_board_tells_no_rule_of_the_usual_one(hall: Hall) -> None:
    hall.create("variant: colonial")
    hall.post("gm@example.test", "INVITE zoe@example.test", reply_to=hall.last("gm@example.test"))
    told = " ".join(hall.text(hall.last("zoe@example.test")).split())
    assert "Diplomacy is, on its usual board, a game of seven powers" in told
    assert "On that board whoever owns 18 of the 34 centers wins." in told


def test_a_question_about_a_line_that_is_not_shown_does_not_point_at_it(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "Hello, I would like to play", name="Ann")
    told = hall.text(hall.last(ANN))
    assert "One line may be a command. Nothing was done for it." in told
    assert "Is this line" not in told
    hall.register(ANN, "Ann")
    hall.post(ANN, "JION balkan", reply_to=hall.last(ANN))
    assert "Is this line a command?" in hall.text(hall.last(ANN))


def test_who_has_asked_for_a_power_does_not_play_it_before_the_start(hall: Hall) -> None:
    hall.create()
    hall.join("AUSTRIA")
    told = " ".join(hall.text(hall.last(address_of("AUSTRIA"))).split())
    assert "You will play Austria. The game has not begun." in told
    assert "STATUS shows who is missing, and RESIGN leaves." in told
