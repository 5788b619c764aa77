"""Questions that name several commands: a number chooses one of them."""

import pytest

from judge.host.letters.yes_no import read_choice
from judge.host.messages.command_answers import ConfirmAsked
from judge.host.messages.games import Welcome
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import Hall, address_of

FRANCE = address_of("FRANCE")
LEAVING = "I'd like to leave, please look for a replacement for me first"


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("2", 2),
        ("2)", 2),
        ("Number 2, please.", 2),
        ("the second one", 2),
        ("yes, 2", 2),
        ("I meant the first one, thanks", 1),
        ("2번이요", 2),
        ("두 번째요", 2),
        ("第二個", 2),
        ("我選2,謝謝", 2),
        ("２番でお願いします", 2),
        ("二番目です", 2),
        ("4", 0),
        ("2 and 3", 0),
        ("not 2", 0),
        ("2 days", 0),
        ("2일", 0),
        ("yes", 0),
        ("A PAR - BUR", 0),
    ],
)
def test_a_line_chooses_by_number(line: str, number: int) -> None:
    assert read_choice(line, 3) == number


@pytest.fixture
def asked(hall: Hall) -> Hall:
    hall.start()
    hall.order("FRANCE", LEAVING)
    return hall


def test_a_question_numbers_the_commands_that_may_be_meant(asked: Hall) -> None:
    told = asked.text(asked.last(FRANCE))
    assert "Did you mean one of these? Reply with its number; YES takes the first." in told
    lines = [one.strip() for one in told.splitlines()]
    assert lines.index("1) RESIGN UNTIL REPLACED") + 1 == lines.index("2) RESIGN")


@pytest.mark.parametrize(("answer", "is_later"), [("1", True), ("yes", True), ("2", False)])
def test_a_number_carries_out_its_command(asked: Hall, answer: str, is_later: bool) -> None:
    asked.order("FRANCE", answer)
    seat = next(one for one in asked.game().seats if one.id == "FRANCE")
    assert seat.is_leaving is is_later
    is_asked = any(isinstance(one, ConfirmAsked) for one in asked.messages(asked.last(FRANCE)))
    assert is_asked is not is_later  # RESIGN asks back itself


@pytest.mark.parametrize("answer", ["no", "7", "1\n2", "none of these"])
def test_what_chooses_nothing_carries_out_nothing(asked: Hall, answer: str) -> None:
    before = asked.game()
    asked.order("FRANCE", answer)
    assert asked.game().seats == before.seats


def test_two_questions_of_a_letter_count_on(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", f"{LEAVING}\nis there any chance that we should vote for a draw?")
    told = [
        one.values
        for one in hall.messages(hall.last(FRANCE))
        if isinstance(one, Refusal) and one.kind is RefusalKind.NO_COMMAND
    ]
    assert told[0]["first"] == 1
    assert told[1]["first"] == len(told[0]["choices"]) + 1  # type: ignore[arg-type]
    hall.order("FRANCE", str(told[1]["first"]))
    assert [one.votes for one in hall.game().proposals] == [{"FRANCE": True}]


@pytest.mark.parametrize("written", ["Hello?", "안녕하세요?", "你好", "こんにちは?"])
def test_a_greeting_is_not_asked_about(hall: Hall, written: str) -> None:
    hall.create()
    hall.post("tom@example.test", written)
    assert hall.said("tom@example.test", Welcome)


@pytest.mark.parametrize(
    ("written", "choices"),
    [
        ("I vote yes", ["VOTE YES", "DRAW", "VOTE NO"]),
        ("no attachments please", ["SET ATTACHMENTS NONE"]),
        ("첨부 죄다 떼 주세요", ["SET ATTACHMENTS NONE", "SET ATTACHMENTS ALL"]),
        ("please set my zone", ["SET LEVEL INTERMEDIATE", "READY", "SET PASSWORD …", "CREATE …"]),
    ],
)
def test_what_a_yes_can_carry_out_is_offered_first(
    hall: Hall, written: str, choices: list[str]
) -> None:
    hall.start()
    hall.order("FRANCE", written)
    assert hall.said(FRANCE, Refusal).values["choices"] == choices


@pytest.mark.parametrize("answer", ["NO", "no", "No, thanks.", "아니요", "不", "いいえ"])
def test_a_no_to_a_letter_that_asks_nothing_is_no_command(hall: Hall, answer: str) -> None:
    hall.start()
    hall.order("FRANCE", answer)
    assert hall.was_told(FRANCE, Refusal) == []


@pytest.mark.parametrize("line", ["SET ZONE", "zone", "시간대", "時間帯", "時區"])
def test_a_zone_is_asked_for_where_none_is_named(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    refusal = hall.said(FRANCE, Refusal)
    assert (refusal.kind, refusal.values["usage"]) == (RefusalKind.BAD_COMMAND, "SET ZONE Paris")


@pytest.mark.parametrize("line", ["시간대 서우울", "時間帯 東今日", "時區 臺杯", "SET ZONE Pariss"])
def test_a_zone_that_is_not_known_is_said_as_it_was_written(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    refusal = hall.said(FRANCE, Refusal)
    assert refusal.kind is RefusalKind.BAD_ZONE
    assert refusal.values["written"] == line.split()[-1]


def test_other_words_in_reply_to_a_guess_are_asked_about_in_its_place(asked: Hall) -> None:
    asked.order("FRANCE", "no attachments please")
    refusals = [one for one in asked.messages(asked.last(FRANCE)) if isinstance(one, Refusal)]
    assert [one.values["written"] for one in refusals] == ["no attachments please"]
    asked.order("FRANCE", "yes")
    assert asked.game().seats[2].is_leaving is False


def test_a_reply_that_says_nothing_is_asked_once_more(asked: Hall) -> None:
    asked.order("FRANCE", "lorem ipsum dolor")
    assert asked.said(FRANCE, Refusal).values["written"] == LEAVING
