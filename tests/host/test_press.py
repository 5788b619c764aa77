"""Press of every kind, letter by letter: who gets what, and what comes back."""

import pytest

from judge.host.messages.command_answers import Created
from judge.host.messages.press import PressReceived, PressSent
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import SeatId
from judge.store import LatePress, PostalPress, Press, PressArchive, PressRules, Status

from .conftest import POWERS, Hall, address_of
from .press_marks import PressMarks

MASTER, OBSERVER = "gm@example.test", "olga@example.test"
ENGLAND, FRANCE, TURKEY = (address_of(one) for one in ("ENGLAND", "FRANCE", "TURKEY"))


def heard(hall: Hall, who: str) -> list[str]:
    """The texts of all press that somebody got."""
    return [one.text for one in hall.was_told(who, PressReceived)]


def refused(hall: Hall, who: str = FRANCE) -> Refusal:
    return hall.said(who, Refusal)


def observe(hall: Hall) -> None:
    hall.register(OBSERVER, "Olga")
    hall.post(OBSERVER, "OBSERVE balkan", reply_to=hall.last(OBSERVER))


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "press", "rules"),
    [
        ("press: white", Press.WHITE, {}),
        ("press: grey", Press.GREY, {}),
        ("press: white/grey", Press.GREY, {}),
        ("press: grey/white", Press.GREY_WHITE, {}),
        ("press: grey only", Press.GREY_ONLY, {}),
        ("press: none", Press.NONE, {}),
        ("press: broadcast", Press.WHITE, {"partial": False}),
        ("press: grey, no partial, fake", Press.GREY, {"partial": False, "fake": True}),
        ("press: must order; no late press", Press.WHITE, {"must_order": True, "late": "no"}),
        ("press: no minor press", Press.WHITE, {"minor": False}),
        ("press: postal only", Press.WHITE, {"postal": "only"}),
        ("public press: yes", Press.WHITE, {"partial": False}),
        ("FTF_PRESS: yes", Press.WHITE, {"minor": False}),
        ("mute observers: yes", Press.WHITE, {"observers": False}),
        ("observer press: any", Press.WHITE, {"observers": True}),
        ("late press: send", Press.WHITE, {"late": "send"}),
        ("press archive: never", Press.WHITE, {"archive": "never"}),
        ("서신: 익명", Press.GREY, {}),
        ("위조 서신: 예", Press.WHITE, {"fake": True}),
        ("서신 공개: 비공개", Press.WHITE, {"archive": "never"}),
        ("書簡の公開: 全員", Press.WHITE, {"archive": "everybody"}),
        ("先交命令: 是", Press.WHITE, {"must_order": True}),
    ],
)
def test_press_is_chosen_in_old_and_new_words(
    hall: Hall, line: str, press: Press, rules: dict[str, object]
) -> None:
    hall.create(line)
    assert hall.said(MASTER, Created).faults == ()
    settings = hall.game().settings
    assert settings.press is press
    usual = {"archive": "players"}
    plain = PressRules(archive=PressArchive.PLAYERS, late=LatePress.YES, postal=PostalPress.YES)
    for field in PressRules.__struct_fields__:
        wanted = {**usual, **rules}.get(field, getattr(plain, field))
        assert getattr(settings.press_rules, field) == wanted, field


def test_what_press_a_game_has_is_told_before_one_joins(hall: Hall) -> None:
    hall.create("press: grey only, broadcast, fake, postal only\npress archive: everybody")
    told = hall.text(hall.last(MASTER))
    for line in ("grey alone", "broadcasts alone", "fake press is allowed", "postal press alone"):
        assert line in told
    assert "All press is read by: everybody, when the game is over" in told


def test_a_bad_word_for_press_is_named_with_those_that_can_be_written(hall: Hall) -> None:
    hall.create("press: grey, purple")
    (fault,) = hall.said(MASTER, Created).faults
    assert (fault.written, fault.kind) == ("grey, purple", "bad_option")
    assert "broadcast" in fault.known


# --- whom it is for -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "to"),
    [
        ("Turkey", ("TURKEY",)),
        ("TEG", ("ENGLAND", "GERMANY", "TURKEY")),
        ("the", None),
        ("M", ("MASTER",)),
        ("master and Italy", ("ITALY", "MASTER")),
        ("ALL BUT AUSTRIA", ("ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY", "MASTER")),
        ("everybody except Austria, Turkey, master", ("ENGLAND", "GERMANY", "ITALY", "RUSSIA")),
        ("-AUSTRIA", ("ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY", "MASTER")),
        ("all but Narnia", None),
    ],
)
def test_press_goes_to_whom_its_line_names(
    hall: Hall, names: str, to: tuple[str, ...] | None
) -> None:
    hall.start()
    hall.order("FRANCE", f"PRESS TO {names}\nhello there\nENDPRESS")
    if to is None:
        assert refused(hall).kind is RefusalKind.NO_RECIPIENT
        assert not any(heard(hall, address_of(one)) for one in POWERS)
        return
    assert hall.said(FRANCE, PressSent).to == to
    for power in POWERS:
        assert bool(heard(hall, address_of(power))) is (power in to)
    assert bool(heard(hall, MASTER)) is ("MASTER" in to)


@pytest.mark.parametrize(
    "line",
    [
        "서신 보내기 터키 제외 모두\n하하\n서신 끝",
        "外交信 給除了土耳其以外的所有人\n哈哈\n外交信結束",
        "書簡 トルコ以外の全員へ\nはは\n書簡終わり",
    ],
)
def test_all_but_some_is_said_in_each_language(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    assert "TURKEY" not in hall.said(FRANCE, PressSent).to
    assert len(hall.said(FRANCE, PressSent).to) >= 5
    assert heard(hall, TURKEY) == []


def test_press_to_all_but_some_stays_private(hall: Hall) -> None:
    hall.start()
    marks = PressMarks(hall)
    word = marks.mark("FRANCE", *(set(POWERS) - {"AUSTRIA"}), MASTER)
    hall.open_game()
    hall.order("FRANCE", f"PRESS TO ALL BUT AUSTRIA\n{word}\nENDPRESS")
    hall.run_phase()
    hall.order("AUSTRIA", "HISTORY balkan")
    marks.check()


def test_observers_are_written_to_and_write_where_the_game_lets_them(hall: Hall) -> None:
    hall.start("observer press: any")
    observe(hall)
    hall.order("FRANCE", "PRESS TO OBSERVERS\nLook at this.\nENDPRESS")
    assert heard(hall, OBSERVER) == ["Look at this."]
    hall.post(OBSERVER, "What a move!", reply_to=hall.last(OBSERVER))
    told = hall.said(FRANCE, PressReceived)
    assert (told.sender, told.text) == ("OBSERVERS", "What a move!")
    assert heard(hall, ENGLAND) == []
    reply = hall.last(FRANCE)
    hall.register("otto@example.test", "Otto")
    hall.post("otto@example.test", "OBSERVE balkan", reply_to=hall.last("otto@example.test"))
    hall.post(FRANCE, "Thank you, Olga.", reply_to=reply)
    assert heard(hall, OBSERVER)[-1] == "Thank you, Olga."
    assert heard(hall, "otto@example.test") == []


def test_press_to_observers_reaches_those_who_read_press_or_comes_back(hall: Hall) -> None:
    hall.start("observer press: any")
    hall.register(OBSERVER, "Olga")
    hall.post(OBSERVER, "SUBSCRIBE balkan", reply_to=hall.last(OBSERVER))
    hall.order("FRANCE", "PRESS TO OBSERVERS\nLook at this.\nENDPRESS")
    assert refused(hall).kind is RefusalKind.READERS_VACANT, "it reads results alone"
    hall.post(OBSERVER, "PRESS TO MASTER\nMay I?\nENDPRESS", reply_to=hall.last(OBSERVER))
    letter = hall.last(MASTER)
    hall.post(MASTER, "You may.", reply_to=letter)
    assert heard(hall, OBSERVER) == ["You may."]
    hall.register("otto@example.test", "Otto")
    hall.post("otto@example.test", "OBSERVE balkan", reply_to=hall.last("otto@example.test"))
    hall.post(OBSERVER, "UNSUBSCRIBE balkan", reply_to=hall.last(OBSERVER))
    hall.post(MASTER, "Are you there?", reply_to=letter)
    assert refused(hall, MASTER).kind is RefusalKind.WRITER_NOT_REACHED
    assert heard(hall, "otto@example.test") == []


def test_observers_write_to_the_master_alone_where_they_have_no_press(hall: Hall) -> None:
    hall.start()
    observe(hall)
    hall.order("FRANCE", "BROADCAST\nGood morning.\nENDBROADCAST")
    for line in ("BROADCAST\nBoo\nENDBROADCAST", "PRESS TO ENGLAND\nBoo\nENDPRESS"):
        hall.post(OBSERVER, line, reply_to=hall.last(OBSERVER))
        assert refused(hall, OBSERVER).kind is RefusalKind.NO_OBSERVER_PRESS
    hall.post(OBSERVER, "PRESS TO MASTER\nMay I?\nENDPRESS", reply_to=hall.last(OBSERVER))
    assert heard(hall, MASTER) == ["Good morning.", "May I?"]
    assert heard(hall, ENGLAND) == ["Good morning."]


# --- what a game allows ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "lines", "kind"),
    [
        ("press: none", "PRESS TO ENGLAND", RefusalKind.NO_PRESS),
        ("press: none", "POSTAL PRESS", RefusalKind.NO_PRESS),
        ("press: white", "GREY PRESS TO ENGLAND", RefusalKind.NO_GREY),
        ("press: white", "PRESS GREY TO ENGLAND", RefusalKind.NO_GREY),
        ("press: grey only", "WHITE PRESS TO ENGLAND", RefusalKind.NO_WHITE),
        ("press: grey", "FAKE PRESS FROM GERMANY TO ENGLAND", RefusalKind.NO_FAKE),
        ("press: grey", "PRESS TO ENGLAND FAKE TO ENGLAND, ITALY", RefusalKind.NO_FAKE),
        ("press: broadcast", "PRESS TO ENGLAND", RefusalKind.NO_PARTIAL),
        ("press: broadcast", "PRESS TO ALL BUT TURKEY", RefusalKind.NO_PARTIAL),
        ("postal press: no", "POSTAL PRESS", RefusalKind.NO_POSTAL),
        ("postal press: only", "BROADCAST", RefusalKind.POSTAL_ONLY),
        ("must order: yes", "PRESS TO ENGLAND", RefusalKind.MUST_ORDER),
    ],
)
def test_what_a_game_does_not_allow_comes_back_whole(
    hall: Hall, settings: str, lines: str, kind: RefusalKind
) -> None:
    hall.start(settings)
    text = "My dear England,\n\nlet us talk: 비밀.\nYours, France"
    hall.order("FRANCE", f"{lines}\n{text}\nENDPRESS")
    assert refused(hall).kind is kind
    told = hall.text(hall.last(FRANCE))
    for line in filter(None, text.splitlines()):
        assert line in told
    assert not any(heard(hall, address_of(power)) for power in POWERS)
    hall.order("FRANCE", f"PRESS TO MASTER\n{text}\nENDPRESS")
    assert heard(hall, MASTER) == [text]


def test_must_order_lets_press_out_once_the_orders_are_in(hall: Hall) -> None:
    hall.start("must order: yes")
    hall.order("FRANCE", "A MAR - SPA\nA PAR - BUR\nF BRE - MAO")
    hall.order("FRANCE", "PRESS TO ENGLAND\nNow then.\nENDPRESS")
    assert heard(hall, ENGLAND) == ["Now then."]


@pytest.mark.parametrize(
    ("line", "reached", "kept"),
    [("TOUCH PRESS", "GERMANY", "TURKEY"), ("press reach: distant", "TURKEY", "GERMANY")],
)
def test_the_board_decides_who_writes_to_whom(
    hall: Hall, line: str, reached: str, kept: str
) -> None:
    hall.start(line)
    assert "neighbor" in hall.text(hall.last(FRANCE))  # told before anybody writes
    hall.order("FRANCE", f"PRESS TO {kept}\nHello?\nENDPRESS")
    assert refused(hall).kind is RefusalKind.OUT_OF_REACH
    assert reached.title() in hall.text(hall.last(FRANCE))
    assert "Hello?" in hall.text(hall.last(FRANCE))
    hall.order("FRANCE", f"PRESS TO {reached}\nHello!\nENDPRESS")
    assert heard(hall, address_of(reached)) == ["Hello!"]
    hall.order("FRANCE", "BROADCAST\nAll of you.\nENDBROADCAST")
    assert heard(hall, address_of(kept)) == ["All of you."]


def test_press_is_copied_where_the_game_says_so(hall: Hall) -> None:
    hall.start("WATCH ALL PRESS")
    assert "the master and the observers read all press" in " ".join(
        hall.text(hall.last(FRANCE)).split()
    )
    observe(hall)
    hall.order("FRANCE", "PRESS TO ENGLAND\nA secret.\nENDPRESS")
    hall.order("FRANCE", "PRESS TO MASTER\nFor you alone.\nENDPRESS")
    assert heard(hall, OBSERVER) == ["A secret."]
    assert heard(hall, MASTER) == ["A secret.", "For you alone."]
    told = hall.text(hall.last(OBSERVER))
    assert "A copy of press from France." in told
    assert "It went to England." in told
    assert "Your reply" not in told
    hall.post(OBSERVER, "Interesting.", reply_to=hall.last(OBSERVER))
    assert heard(hall, ENGLAND) == ["A secret."]
    hall.post(MASTER, "SET press copies no", reply_to=hall.last(MASTER))
    assert hall.game().settings.press_rules.copies == "observers"


def test_there_is_no_press_in_minor_phases_where_a_game_has_none(hall: Hall) -> None:
    hall.start("minor press: no\ngrace: 0")
    hall.open_game()
    hall.run_phase()
    for power in POWERS:
        hall.order(power, "F MAO - POR\nREADY" if power == "FRANCE" else "READY")
    hall.order("FRANCE", "PRESS TO ENGLAND\nIn fall.\nENDPRESS")
    assert heard(hall, ENGLAND) == ["In fall."]
    hall.run_phase()
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "W1901A"
    hall.order("FRANCE", "PRESS TO ENGLAND\nIn winter.\nENDPRESS")
    assert refused(hall).kind is RefusalKind.NO_MINOR_PRESS
    hall.order("FRANCE", "BROADCAST\nTo all in winter.\nENDBROADCAST")
    assert heard(hall, ENGLAND) == ["In fall."]
    hall.order("FRANCE", "PRESS TO MASTER\nMay I?\nENDPRESS")
    assert heard(hall, MASTER) == ["May I?"]


def test_there_is_press_in_minor_phases_where_a_game_does_not_forbid_it(hall: Hall) -> None:
    """The books forbid it; a judge by mail leaves it open (docs/rules.md)."""
    hall.to_winter({"FRANCE": "F MAO - POR\nREADY"})
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "W1901A"
    hall.order("FRANCE", "PRESS TO ENGLAND\nIn winter.\nENDPRESS")
    assert heard(hall, ENGLAND) == ["In winter."]


@pytest.mark.parametrize(
    ("late", "from_late", "to_late"),
    [("no", False, False), ("send", True, False), ("receive", False, True), ("yes", True, True)],
)
def test_press_of_players_who_are_late(
    hall: Hall, late: str, from_late: bool, to_late: bool
) -> None:
    hall.start(f"late press: {late}")
    hall.open_game()
    hall.run_phase()
    for power in POWERS:
        if power != "ITALY":
            hall.order(power, "READY")
    timing = hall.game().timing
    assert timing is not None
    hall.pass_time(timing.deadline_at)
    timing = hall.game().timing
    assert timing is not None
    assert timing.late == ("ITALY",)
    hall.order("ITALY", "PRESS TO ENGLAND\nSorry.\nENDPRESS")
    assert bool(heard(hall, ENGLAND)) is from_late
    hall.order("FRANCE", "PRESS TO ITALY, ENGLAND\nHurry!\nENDPRESS")
    assert heard(hall, ENGLAND)[-1] == "Hurry!"
    assert bool(heard(hall, address_of("ITALY"))) is to_late
    if not to_late:
        assert hall.said(FRANCE, PressSent).late == ("ITALY",)
        assert "did not reach Italy" in hall.text(hall.last(FRANCE))
        hall.order("FRANCE", "PRESS TO ITALY\nHurry!\nENDPRESS")
        assert refused(hall).kind is RefusalKind.READERS_LATE
    hall.order("ITALY", "READY")
    hall.order("ITALY", "PRESS TO ENGLAND\nHere I am.\nENDPRESS")
    assert heard(hall, ENGLAND)[-1] == "Here I am."


def test_press_to_a_seat_that_nobody_plays_comes_back(hall: Hall) -> None:
    hall.start()
    hall.order("ENGLAND", "RESIGN")
    hall.post(ENGLAND, "YES", reply_to=hall.last(ENGLAND))
    hall.order("FRANCE", "PRESS TO ENGLAND\nAre you there?\nENDPRESS")
    assert refused(hall).kind is RefusalKind.READERS_VACANT
    told = hall.text(hall.last(FRANCE))
    assert "Nobody plays England now" in told
    assert "Are you there?" in told


def test_press_that_is_too_long_comes_back_whole() -> None:
    hall = Hall(environ={"JUDGE_LIMITS__PRESS_CHARACTERS": "100"})
    hall.start()
    text = "\n".join(f"Line {number} of my speech." for number in range(10))
    hall.order("FRANCE", f"PRESS TO ENGLAND\n{text}\nENDPRESS")
    assert refused(hall).kind is RefusalKind.LONG_PRESS
    told = hall.text(hall.last(FRANCE))
    assert "100 characters" in told
    assert all(line in told for line in text.splitlines())
    assert heard(hall, ENGLAND) == []


def test_after_the_end_everybody_writes_to_everybody(hall: Hall) -> None:
    hall.start("press: none")
    for power in POWERS:
        hall.order(power, "DRAW")
    assert hall.game().status is Status.FINISHED
    hall.order("FRANCE", "PRESS TO ENGLAND\nWell played.\nENDPRESS")
    assert heard(hall, ENGLAND) == ["Well played."]


# --- color, fake and postal press -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("press", "line", "sender"),
    [
        ("white", "PRESS TO ENGLAND", "FRANCE"),
        ("grey", "PRESS TO ENGLAND", "FRANCE"),
        ("grey", "PRESS ANONYMOUS TO ENGLAND", ""),
        ("grey/white", "PRESS TO ENGLAND", ""),
        ("grey/white", "WHITE PRESS TO ENGLAND", "FRANCE"),
        ("grey/white", "PRESS WHITE TO ENGLAND", "FRANCE"),
        ("grey only", "PRESS TO ENGLAND", ""),
        ("grey only", "BROADCAST", ""),
        ("grey only", "전체 서신", ""),
        ("grey", "익명 서신 보내기 영국", ""),
        ("grey", "匿名外交信 英國", ""),
        ("grey", "匿名書簡 イギリスへ", ""),
    ],
)
def test_press_shows_its_writer_as_game_and_message_have_it(
    hall: Hall, press: str, line: str, sender: str
) -> None:
    hall.start(f"press: {press}")
    hall.order("FRANCE", f"{line}\nhello there\nENDPRESS")
    assert hall.said(ENGLAND, PressReceived).sender == sender


def test_a_reply_in_a_grey_game_is_grey_too(hall: Hall) -> None:
    hall.start("press: grey only")
    hall.order("FRANCE", "PRESS TO ENGLAND\nWho am I?\nENDPRESS")
    hall.post(ENGLAND, "You are France.", reply_to=hall.last(ENGLAND))
    assert hall.said(FRANCE, PressReceived).sender == ""
    assert "England" not in hall.text(hall.last(FRANCE)).split("You are")[0]


def test_a_reply_that_does_not_reach_the_writer_of_grey_press_does_not_name_them(
    hall: Hall,
) -> None:
    hall.start("press: grey only\nlate press: send")
    hall.open_game()
    hall.run_phase()
    grey = {}
    for power in ("ITALY", "FRANCE"):
        hall.order(power, "PRESS TO ENGLAND\nWho am I?\nENDPRESS")
        grey[power] = hall.last(ENGLAND)
    hall.order("FRANCE", "RESIGN")
    hall.post(FRANCE, "YES", reply_to=hall.last(FRANCE))
    for power in POWERS:
        if power not in grey:
            hall.order(power, "READY")
    timing = hall.game().timing
    assert timing is not None
    hall.pass_time(timing.deadline_at)
    told = set()
    for letter in grey.values():
        hall.post(ENGLAND, "Are you Turkey?", reply_to=letter)
        assert refused(hall, ENGLAND).kind is RefusalKind.WRITER_NOT_REACHED
        answer = hall.text(hall.last(ENGLAND)).partition("Nothing is stored")[0]
        assert "Italy" not in answer
        assert "France" not in answer
        assert "Are you Turkey?" in answer
        told.add(answer)
    assert len(told) == 1, "the reason shows who wrote it"


def test_fake_press_names_whom_its_writer_wants(hall: Hall) -> None:
    hall.start("press: fake")
    line = "FAKE PRESS FROM GERMANY TO ENGLAND FAKE TO ENGLAND, RUSSIA"
    hall.order("FRANCE", f"{line}\nWe two and Russia!\nENDPRESS")
    told = hall.said(ENGLAND, PressReceived)
    assert (told.sender, told.to) == ("GERMANY", ("ENGLAND", "RUSSIA"))
    assert "FRANCE" not in hall.last(ENGLAND).messages.decode()
    text = hall.text(hall.last(ENGLAND))
    assert "Press from Germany" in text
    assert "France" not in text
    assert heard(hall, address_of("RUSSIA")) == []
    answer = hall.text(hall.last(FRANCE))
    assert "It says that Germany wrote it." in answer
    assert "It says that it went to England and Russia." in answer
    hall.post(ENGLAND, "Agreed, Germany.", reply_to=hall.last(ENGLAND))
    assert heard(hall, address_of("GERMANY")) == ["Agreed, Germany."]
    assert heard(hall, FRANCE) == []


def test_a_fake_broadcast_comes_from_another(hall: Hall) -> None:
    hall.start("press: fake")
    hall.order("FRANCE", "FAKE BROADCAST FROM GERMANY\nI give up.\nENDBROADCAST")
    for power in set(POWERS) - {"FRANCE"}:
        assert hall.said(address_of(power), PressReceived).sender == "GERMANY"


def test_whoever_is_named_by_fake_press_reads_so_and_their_reply_goes_to_nobody(hall: Hall) -> None:
    hall.start("press: fake")
    hall.order("FRANCE", "FAKE BROADCAST FROM ENGLAND\nI give up.\nENDBROADCAST")
    assert "You did not write it" in hall.text(hall.last(ENGLAND))
    assert "goes to England alone" in hall.text(hall.last(TURKEY))
    before = len(hall.was_told(ENGLAND, PressReceived))
    hall.order("ENGLAND", "Who was that?")
    assert hall.was_told(ENGLAND, PressSent) == []
    assert len(hall.was_told(ENGLAND, PressReceived)) == before


@pytest.mark.parametrize(
    ("press", "reader"), [("press: broadcast", ENGLAND), ("observer press: no", OBSERVER)]
)
def test_press_promises_no_reply_that_the_game_does_not_let_out(
    hall: Hall, press: str, reader: str
) -> None:
    hall.start(press)
    observe(hall)
    hall.order("FRANCE", "BROADCAST\nGood morning.\nENDBROADCAST")
    assert "Your reply to this letter goes to" not in hall.text(hall.last(reader))
    assert "Your reply to this letter goes to" in hall.text(hall.last(MASTER))


def test_fake_press_is_written_in_each_language(hall: Hall) -> None:
    hall.start("press: fake")
    for line in (
        "위조 서신 보내기 영국에게 보낸이 독일",
        "偽造外交信 給英國 署名德國",
        "偽書簡 イギリスへ 差出人 ドイツ",
    ):
        hall.order("FRANCE", f"{line}\nhello there\nENDPRESS")
        assert hall.said(ENGLAND, PressReceived).sender == "GERMANY", line


def test_postal_press_is_published_with_the_results(hall: Hall) -> None:
    hall.start()
    observe(hall)
    marks = PressMarks(hall)
    word = marks.mark("FRANCE", *POWERS, MASTER, OBSERVER)
    hall.order("FRANCE", f"POSTAL PRESS\n{word} to all of you.\nENDPRESS")
    assert hall.said(FRANCE, PressSent).is_held
    assert heard(hall, ENGLAND) == []
    hall.open_game()
    hall.run_phase()
    for who in (ENGLAND, FRANCE, MASTER, OBSERVER):
        letter = hall.last(who)
        assert letter.kind == "results"
        text = hall.text(letter)
        whose = "The others'" if who in (ENGLAND, FRANCE) else "Everyone's"
        assert text.index("Postal press from France") > text.index(f"{whose} orders")
    marks.check()
    hall.run_phase()
    assert len(heard(hall, ENGLAND)) == 1


def test_postal_press_comes_out_when_the_game_ends(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "POSTAL PRESS\nFarewell.\nENDPRESS")
    for power in POWERS:
        hall.order(power, "DRAW")
    assert heard(hall, ENGLAND) == ["Farewell."]


# --- the answer -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "QUIET PRESS TO ENGLAND",
        "PRESS QUIET TO ENGLAND",
        "PRESS TO ENGLAND QUIET",
        "QUIET BROADCAST",
        "BROADCAST QUIET",
        "서신 보내기 조용히 영국",
        "外交信 給英國 不用副本",
        "書簡 イギリスへ 控えなし",
    ],
)
def test_quiet_press_is_not_repeated_to_its_writer(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", f"{line}\nhello there\nENDPRESS")
    assert heard(hall, ENGLAND) == ["hello there"]
    assert hall.said(FRANCE, PressSent).text == ""
    assert "hello there" not in hall.text(hall.last(FRANCE))


def test_orders_in_press_are_repeated_in_the_readers_language(hall: Hall) -> None:
    hall.start()
    hall.order("ENGLAND", "SET LANGUAGE ko")
    text = "My plan:\npar - bur\nA MUN S A PAR-BUR\nsee you in Munich"
    hall.order("FRANCE", f"PRESS TO ENGLAND, GERMANY\n{text}\nENDPRESS")
    told = hall.said(ENGLAND, PressReceived)
    assert [one.text for one in told.orders] == ["A PAR - BUR", "A MUN S A PAR - BUR"]
    korean = hall.text(hall.last(ENGLAND))
    assert text.splitlines()[3] in korean
    assert "육군, 파리 - 버건디" in korean
    english = hall.text(hall.last(address_of("GERMANY")))
    assert "Army Paris moves to Burgundy." in english


def test_the_words_of_press_are_known_where_letters_are_cut() -> None:
    from judge.host.commands import COMMANDS
    from judge.mail.words import phrases

    known = phrases()
    for command in COMMANDS:
        if command.until and command.rule != "edit":  # whose lines are for the judge
            assert all(known.press.match(word) for word in command.words), command.rule
            assert all(known.end_press.match(word) for word in command.until), command.rule


# --- on one line ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("press to england: hello", ["hello"]),
        ("Press to England: see you at 19:30", ["see you at 19:30"]),
        ("PRESS E\uff1ahello\n\nA PAR - BUR", ["hello"]),
        ("BROADCAST: hello\nSTATUS", ["hello"]),
        ("press to england: one\npress to england, germany: two", ["one", "two"]),
        ("press to england: one\nPRESS TO ENGLAND\ntwo\nENDPRESS", ["one", "two"]),
        ("press to england: one\ntwo\n\nthree\nENDPRESS", ["one\ntwo\n\nthree"]),
        ("press to england:\nhello\nENDPRESS", ["hello"]),
    ],
)
def test_press_may_stand_behind_its_readers(hall: Hall, body: str, texts: list[str]) -> None:
    hall.start()
    hall.order("FRANCE", body)
    assert heard(hall, ENGLAND) == texts
    assert "PAR" not in body or len(hall.game().order_set(SeatId("FRANCE"))) == 1


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("press to england: Dear John,\nhow are you?", RefusalKind.UNCLOSED_PRESS),
        ("press to nobody: hello", RefusalKind.NO_RECIPIENT),
        ("press to england, and say: hello", RefusalKind.NO_RECIPIENT),
    ],
)
def test_press_on_one_line_that_may_be_more_or_for_others_goes_to_nobody(
    hall: Hall, body: str, kind: RefusalKind
) -> None:
    hall.start()
    hall.order("FRANCE", body)
    assert refused(hall).kind is kind
    assert body.rpartition(" ")[2] in str(refused(hall).values["text"])
    assert all(heard(hall, address_of(power)) == [] for power in POWERS)
