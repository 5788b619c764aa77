"""What an answer tells beside what it was asked for: what was not taken, and how things stand."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import NothingFound
from judge.host.messages.games import GameStatus
from judge.host.messages.order_answers import NotRead, OrdersAnswer, Standing
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import OutboxRow

from .conftest import OPENINGS, POWERS, Hall, address_of

FRANCE, ENGLAND = address_of("FRANCE"), address_of("ENGLAND")
FALL = {"FRANCE": "A SPA - POR\nA BUR - BEL\nF MAO H", "GERMANY": "A KIE - HOL\nA RUH H\nF DEN H"}


def letter(hall: Hall, power: str = "FRANCE") -> str:
    return hall.text(hall.last(address_of(power)))


def flat(text: str) -> str:
    return " ".join(text.split())


def stored(hall: Hall, power: str = "FRANCE") -> list[str]:
    return [line.text for line in hall.game().order_sets.get(power, ())]  # type: ignore[call-overload]


# --- builds ---------------------------------------------------------------------------------------


def test_the_first_line_says_what_was_gained_and_what_is_due(hall: Hall) -> None:
    hall.to_winter(FALL)
    told = letter(hall)
    assert told.splitlines()[0].endswith("F1901M results: build 2 by Mon 13:00")
    assert told.splitlines()[2] == "You gained Belgium and Portugal: build 2 by Mon 13:00."
    assert "All 3 of your orders succeeded." in told


def test_a_build_that_makes_room_for_another_is_named(hall: Hall) -> None:
    hall.to_winter(FALL)
    hall.order("FRANCE", "A PAR B\nF BRE B")
    hall.order("FRANCE", "F MAR B")
    kept = stored(hall)
    (gone,) = {"A PAR B", "F BRE B"} - {*kept}
    assert [line.text for line in hall.said(FRANCE, OrdersAnswer).removed] == [gone]
    told = letter(hall)
    assert "please look" in told.splitlines()[0]
    assert told.splitlines()[2] == f"Orders complete: 2 of 2. {gone} is taken out."
    hall.order("FRANCE", "UNDO")
    assert sorted(stored(hall)) == ["A PAR B", "F BRE B"]


def test_an_order_for_the_same_unit_takes_nothing_out(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.order("FRANCE", "A PAR - PIC")
    assert hall.said(FRANCE, OrdersAnswer).removed == ()


# --- letters that hold nothing --------------------------------------------------------------------


def test_a_letter_that_may_ask_for_help_is_asked_and_gets_the_status(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR")
    hall.post(FRANCE, "What a week! I lost track of it all.", reply_to=hall.last(FRANCE))
    told = flat(letter(hall))
    assert "YES takes the first. 1) HELP 2) " in told
    assert "Your orders: 1 of 3 are stored." in told


@pytest.mark.parametrize("body", ["What a week! So much to do!", "", "Thanks a lot!"])
def test_a_letter_that_holds_nothing_gets_the_status_of_its_game(hall: Hall, body: str) -> None:
    hall.start()
    hall.create(name="second")
    hall.order("FRANCE", "A PAR - BUR")
    hall.post(FRANCE, "JOIN second")
    rows = [row for row in hall.out if row.recipient == FRANCE and row.game == "balkan"]
    hall.post(FRANCE, body, reply_to=rows[-1])
    assert [ref.name for ref in hall.said(FRANCE, NothingFound).games] == ["balkan"]
    told = flat(letter(hall))
    assert "Your orders: 1 of 3 are stored." in told
    assert "A PAR - BUR Army Paris moves to Burgundy." in told
    assert "A MAR and F BRE hold" in told
    assert "Due: " in told
    assert "Austria" in told


def test_own_units_stand_in_the_examples(hall: Hall) -> None:
    hall.start()
    hall.order("TURKEY", "hello?")
    told = flat(letter(hall, "TURKEY"))
    assert "A CON army in Constantinople" in told
    assert "A PAR" not in told.partition("Units:")[0]


def test_a_game_that_was_left_is_listed_no_longer(hall: Hall) -> None:
    hall.start()
    hall.create(name="second")
    for _ in range(2):
        reply = next(row for row in reversed(hall.out) if row.recipient == FRANCE)
        hall.post(FRANCE, "JOIN second", reply_to=reply)
    hall.order("FRANCE", "hello there")
    assert len({status.game.name for status in hall.was_told(FRANCE, GameStatus)}) == 1


# --- flags ----------------------------------------------------------------------------------------


def test_every_answer_names_the_flags(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"] + "\nREADY\nWAIT")
    hall.order("FRANCE", "PRESS TO ENGLAND\nHello\nENDPRESS")
    standing = hall.said(FRANCE, Standing)
    assert (standing.ready, standing.wait) == (True, True)
    told = letter(hall)
    assert "You said READY" in told
    assert "You said WAIT" in told


def test_ready_with_orders_missing_says_what_the_others_do(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR")
    hall.order("FRANCE", "READY")
    told = flat(letter(hall))
    assert "1 of 3 orders is stored." in told
    assert "A MAR and F BRE hold" in told


def test_ready_above_a_faulty_line_does_not_close_it(hall: Hall) -> None:
    hall.start()
    for power in POWERS:
        hall.order(power, f"{OPENINGS[power]}\nREADY")
    hall.order("FRANCE", "READY\nA PAR - Xyzzy")
    label = hall.game().phase
    hall.pass_time(timedelta(hours=2))
    assert hall.game().phase == label


# --- what was not taken ---------------------------------------------------------------------------


def test_what_was_not_taken_stands_first_and_in_the_subject(hall: Hall) -> None:
    hall.start("press: none")
    hall.order("FRANCE", f"{OPENINGS['FRANCE']}\nPRESS TO ENGLAND\nHello\nENDPRESS")
    first, *_ = hall.messages(hall.last(FRANCE))
    assert isinstance(first, Refusal)
    assert "please look" in letter(hall).splitlines()[0]
    assert len(stored(hall)) == 3


# --- our own letters sent back --------------------------------------------------------------------


def newest(hall: Hall, kind: str) -> OutboxRow:
    return [row for row in hall.out if row.recipient == FRANCE and row.kind == kind][-1]


@pytest.mark.parametrize("language", ["en", "ko", "zh_Hant", "ja"])
def test_a_whole_letter_sent_back_without_marks_orders_nothing(hall: Hall, language: str) -> None:
    hall.start("grace: 0")
    hall.order("FRANCE", f"SET LANGUAGE {language}")
    hall.open_game()
    answer = newest(hall, "answer")
    hall.order("FRANCE", "CLEAR")
    body = hall.text(answer).partition("\n\n")[2]
    hall.post(FRANCE, f"A PAR H\n\n{body}", reply_to=answer)
    assert stored(hall) == ["A PAR H"]
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.run_phase()
    results = newest(hall, "results")
    body = hall.text(results).partition("\n\n")[2]
    for text in (f"{body}\nA BUR H", f"A BUR H\n{body}"):
        hall.post(FRANCE, text, reply_to=results)
        assert stored(hall) == ["A BUR H"]
    assert not hall.was_told(FRANCE, NotRead)


def test_a_press_letter_sent_back_with_its_advice_is_no_press(hall: Hall) -> None:
    hall.start()
    hall.order("ENGLAND", "PRESS TO FRANCE\nShall we?\nENDPRESS")
    press = hall.text(newest(hall, "press")).partition("\n\n")[2]
    hall.post(FRANCE, press, reply_to=newest(hall, "press"))
    assert not hall.was_told(ENGLAND, PressReceived)


def test_the_warning_of_a_move_against_oneself_names_the_move(hall: Hall) -> None:
    hall.start()
    hall.order("ENGLAND", "A LVP - EDI\nF EDI H")
    warning = "Please look at A LVP - EDI: F EDI, which is your own, does not leave."
    assert warning in letter(hall, "ENGLAND")


def test_a_faulty_line_stands_apart_from_the_heading_of_the_answer(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "SET DEADLINE +1d")
    lines = letter(hall).splitlines()
    at = lines.index('  "SET DEADLINE +1d"')
    assert lines[at - 1] == lines[at + 1] == ""


def test_a_letter_that_asks_two_things_says_once_what_yes_confirms(hall: Hall) -> None:
    hall.post("new@example.test", "CREATE balkan", name="Grace")
    asked = hall.text(hall.last("new@example.test"))
    assert asked.count("Reply YES") == 1
    assert "Without it no game is made." in " ".join(asked.split())


@pytest.mark.parametrize(
    "text",
    [
        "...",
        "<your text>",
        "[Write your text here.]",
        "여기에 글을 쓰세요",
        "（在此寫內容）",
        "「ここに本文」",
    ],
)
def test_a_form_that_nobody_filled_in_is_no_press(hall: Hall, text: str) -> None:
    hall.start()
    hall.order("FRANCE", f"PRESS TO ENGLAND\n{text}\nENDPRESS\nA PAR - BUR")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.EMPTY_PRESS
    assert not hall.was_told(ENGLAND, PressReceived)
    assert stored(hall) == ["A PAR - BUR"]
    hall.order("FRANCE", "PRESS TO ENGLAND\nYour text here was fine.\nENDPRESS")
    assert hall.said(ENGLAND, PressReceived).text.strip() == "Your text here was fine."


@pytest.mark.parametrize(
    "body", ["Ok.", "OK", "Okay, thanks!", "👍", "네, 감사합니다", "好的，謝謝", "了解です。"]
)
def test_an_ok_below_a_letter_that_asks_nothing_is_a_courtesy(hall: Hall, body: str) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nF BRE - MAO\nA MAR S A PAR - BUR")
    hall.order("FRANCE", body)
    assert hall.was_told(FRANCE, Refusal) == []
    assert hall.said(FRANCE, GameStatus).game.name == "balkan"
    hall.order("FRANCE", f"{body}\nREADY")
    assert hall.was_told(FRANCE, Refusal) == []
    assert len(stored(hall)) == 3


def test_a_plain_yes_below_a_letter_that_asks_nothing_is_told_so(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nF BRE - MAO\nA MAR S A PAR - BUR")
    hall.order("FRANCE", "YES")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOTHING_PROPOSED


@pytest.mark.parametrize(
    ("body", "is_yes"),
    [
        ("Yes, I want to join", True),
        ("네, 참가하겠습니다!", True),
        ("はい、参加します", True),
        ("好，我要加入\n", True),
        ("Yes, I want to join another game", False),
        ("Yes, I want to join, but not as France", False),
        ("Yes, do I want to join?", False),
        ("네, 참가하지 않겠습니다", False),
        ("I want to join", True),
    ],
)
def test_a_yes_that_names_what_was_asked_is_one(hall: Hall, body: str, is_yes: bool) -> None:
    hall.create()
    france = address_of("FRANCE")
    hall.post(france, "JOIN balkan FRANCE", name="Françoise")
    hall.post(france, body, reply_to=hall.last(france))
    assert bool(hall.game().applicants or hall.game().waiting) is is_yes


def test_a_yes_that_names_another_command_is_none(hall: Hall) -> None:
    hall.start()
    france = address_of("FRANCE")
    hall.post(france, "RESIGN", reply_to=hall.last(france))
    asked = hall.last(france)
    hall.post(france, "Yes, I vote for a draw", reply_to=asked)
    assert hall.game().seat("FRANCE").player  # type: ignore[arg-type]
    hall.post(france, "Yes, I resign", reply_to=asked)
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "body",
    [
        "A PAR - BUR. Forget it.",
        "A PAR - BUR. Cancel that.",
        "A PAR - BUR. 취소할게요.",
        "A PAR - BUR。やっぱりやめた",
        "A PAR - BUR。還是不要好了。",
    ],
)
def test_an_order_that_its_line_takes_back_is_asked_about(hall: Hall, body: str) -> None:
    hall.start()
    hall.order("FRANCE", body)
    assert hall.game().order_set("FRANCE") == ()  # type: ignore[arg-type]
    assert hall.said(address_of("FRANCE"), OrdersAnswer).problems


def test_a_status_says_each_thing_once(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR")
    hall.order("FRANCE", "F BRE - MAO\nSTATUS")
    status = hall.text(hall.last(address_of("FRANCE")))
    hall.order("FRANCE", "STATUS")
    alone = hall.text(hall.last(address_of("FRANCE")))
    assert "(kept)" not in alone
    for once in ("Who sits where:", "Supply centers:", "3 units: BRE, MAR, PAR"):
        assert (status.count(once), alone.count(once)) == (1, 1), once


@pytest.mark.parametrize("command", ["WAIT", "READY"])
@pytest.mark.parametrize(
    ("language", "over"), [("en", "done"), ("ko", "완료"), ("ja", "完了"), ("zh-Hant", "完成")]
)
def test_no_subject_reads_as_if_the_phase_were_over(
    hall: Hall, command: str, language: str, over: str
) -> None:
    hall.start()
    hall.order("FRANCE", f"SET LANGUAGE {language}")
    hall.order("FRANCE", command)
    subject = hall.text(hall.last(address_of("FRANCE"))).split("\n")[0]
    assert "S1901M" in subject
    assert over not in subject
