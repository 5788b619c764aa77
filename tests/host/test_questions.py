"""Questions of the judge's: how people say yes and no, what that does, and when it is too late."""

import tomllib
from datetime import timedelta
from pathlib import Path

import pytest

from judge.host.commands import COMMAND_PARSER
from judge.host.letters.command_parser import answer_of
from judge.host.messages.command_answers import Joined
from judge.host.messages.order_answers import NotRead, OrdersAnswer, StaleOrders
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.refusals import AddressAsked, Refusal, RefusalKind
from judge.rulebook import SeatId

from .conftest import OPENINGS, POWERS, RECEIVER, Hall, address_of

FRANCE, ITALY, MASTER = address_of("FRANCE"), address_of("ITALY"), "gm@example.test"
ANSWERS: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "answers.toml").read_text(encoding="utf-8")
)
SAID = [(kind, body) for kind, bodies in ANSWERS.items() for body in bodies]
PASSED = {"Authentication-Results": f"{RECEIVER}; dmarc=pass header.from=example.test"}


def stored(hall: Hall, game: str = "balkan", seat: str = "FRANCE") -> list[str]:
    return [line.text for line in hall.game(game).order_set(seat)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "body"), SAID)
def test_a_reply_says_yes_or_no_or_neither(kind: str, body: str) -> None:
    answer = answer_of(COMMAND_PARSER.read(body, ("Ann Lee", "")))
    assert (answer or "neither") == kind


# --- what a yes and a no do -----------------------------------------------------------------------


@pytest.mark.parametrize("yes", ["네 맞습니다", "はい、それで", "好的", "yep go ahead", "👍"])
def test_any_natural_yes_carries_out_what_was_asked(hall: Hall, yes: str) -> None:
    hall.start()
    hall.order("FRANCE", "A Mra - Spa")
    hall.order("FRANCE", yes)
    assert stored(hall) == ["A MAR - SPA"]
    hall.order("FRANCE", "RESIGN")
    hall.order("FRANCE", f"Hi judge,\n\n{yes}\n\nBest regards\nFrance")
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]


@pytest.mark.parametrize("no", ["nope", "아니요, 취소요", "不用了", "いいえ、違います", "👎"])
@pytest.mark.parametrize("command", ["RESIGN", "FORGET ME", "A Mra - Spa"])
def test_a_no_closes_the_question_and_changes_nothing(hall: Hall, command: str, no: str) -> None:
    hall.start()
    hall.order("FRANCE", command)
    asked, before = hall.last(FRANCE), hall.game()
    hall.post(FRANCE, no, reply_to=asked)
    assert hall.said(FRANCE, Personal).kind is PersonalKind.DECLINED
    hall.post(FRANCE, "yes", reply_to=asked)
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.EXPIRED
    assert hall.game() == before


def test_a_stranger_says_no_in_their_language(hall: Hall) -> None:
    hall.create()
    hall.post(FRANCE, "JOIN balkan", language="ja")
    asked = hall.last(FRANCE)
    hall.post(FRANCE, "いいえ、結構です。", reply_to=asked, language="ja")
    assert hall.said(FRANCE, Personal).kind is PersonalKind.DECLINED
    hall.post(FRANCE, "はい", reply_to=asked, language="ja")
    assert hall.game().applicants == ()


def test_orders_beside_an_answer_are_read(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A Mra - Spa")
    hall.order("FRANCE", "No, A MAR - PIE\nF BRE - MAO")
    assert stored(hall) == ["A MAR - PIE", "F BRE - MAO"]
    hall.order("FRANCE", "A Pra - Bur")
    hall.order("FRANCE", "Yes. F BRE - ENG")
    assert stored(hall) == ["A MAR - PIE", "A PAR - BUR", "F BRE - ENG"]


@pytest.mark.parametrize(
    "reply", ["Hm, what happens to my units then?", "Yes, if Italy resigns too", ""]
)
def test_a_reply_that_is_neither_is_asked_again(hall: Hall, reply: str) -> None:
    hall.start()
    hall.order("FRANCE", "RESIGN")
    asked = hall.last(FRANCE)
    hall.post(FRANCE, reply, reply_to=asked)
    assert hall.messages(hall.last(FRANCE))[0] == hall.messages(asked)[0]
    assert hall.game().seat("FRANCE").player is not None  # type: ignore[arg-type]
    hall.order("FRANCE", "yes")
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]


def test_an_answer_is_bound_to_its_letter(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "RESIGN")
    asked = hall.last(FRANCE)
    hall.order("FRANCE", "A Mra - Spa")
    hall.order("FRANCE", "yes")  # to the proposal, not to the question about the seat
    assert stored(hall) == ["A MAR - SPA"]
    assert hall.game().seat("FRANCE").player is not None  # type: ignore[arg-type]
    hall.post(FRANCE, "yes", reply_to=asked)
    assert hall.game().seat("FRANCE").player is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "command", ["RESIGN", "reday please", "PROCESS S1901M", "SET DEADLINE 2026-12-03 20:00"]
)
def test_a_question_about_a_phase_lapses_with_it(hall: Hall, command: str) -> None:
    hall.start()
    who = MASTER if command.startswith(("PROCESS", "SET")) else FRANCE
    hall.post(who, command, reply_to=hall.last(who))
    asked = hall.last(who)
    hall.open_game()
    hall.run_phase()
    before = hall.game()
    hall.post(who, "yes", reply_to=asked, headers=PASSED)
    assert hall.said(who, Refusal).kind in (RefusalKind.EXPIRED, RefusalKind.WRONG_PHASE)
    assert hall.game() == before


def test_proposed_orders_of_a_phase_that_ran_are_shown_and_asked_about(hall: Hall) -> None:
    hall.start()
    hall.order("ITALY", "A Vne - Tri")
    asked = hall.last(ITALY)
    hall.open_game()
    hall.run_phase()
    hall.post(ITALY, "yes", reply_to=asked)
    assert [line.text for line in hall.said(ITALY, StaleOrders).lines] == ["A VEN - TRI"]
    assert stored(hall, seat="ITALY") == []


# --- which game -----------------------------------------------------------------------------------


def two_games(hall: Hall) -> None:
    hall.start()
    hall.create(name="spring", master="other@example.test")
    for power in ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"):
        address = address_of(power)
        hall.post(address, f"JOIN spring {power}", headers=PASSED)
    assert hall.game("spring").phase is not None


@pytest.mark.parametrize(
    "reply", ["spring", "I meant spring, sorry!", "spring입니다", "GAME spring"]
)
def test_a_letter_of_an_unclear_game_is_kept_until_it_is_named(hall: Hall, reply: str) -> None:
    two_games(hall)
    hall.post(FRANCE, f"Hello!\n{OPENINGS['FRANCE']}\nWAIT", headers=PASSED)
    sent_at = hall.instant
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.WHICH_GAME
    assert "Your letter is kept" in " ".join(hall.text(hall.last(FRANCE)).split())
    hall.instant += timedelta(hours=5)
    hall.order("FRANCE", reply)
    assert len(stored(hall, "spring")) == 3
    assert stored(hall) == []
    assert hall.game("spring").seat("FRANCE").wait  # type: ignore[arg-type]
    assert hall.said(FRANCE, OrdersAnswer).received_at == sent_at
    assert hall.messages(hall.last(FRANCE))[0] != hall.messages(hall.last(FRANCE))[-1]


def test_a_kept_letter_of_a_phase_that_ran_is_shown_and_asked_about(hall: Hall) -> None:
    two_games(hall)
    hall.post(FRANCE, "A PAR - BUR", headers=PASSED)
    asked = hall.last(FRANCE)
    hall.post("other@example.test", "PROCESS S1901M", reply_to=hall.last("other@example.test"))
    hall.post("other@example.test", "yes", reply_to=hall.last("other@example.test"))
    hall.post(FRANCE, "spring", reply_to=asked)
    assert hall.said(FRANCE, StaleOrders).game.name == "spring"
    assert stored(hall, "spring") == []


def test_a_reply_that_names_no_game_is_asked_again_and_loses_nothing(hall: Hall) -> None:
    two_games(hall)
    hall.post(FRANCE, "A PAR - BUR", headers=PASSED)
    hall.order("FRANCE", "the first one\nA MAR - SPA")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.WHICH_GAME
    hall.order("FRANCE", "balkan")
    assert sorted(stored(hall)) == ["A MAR - SPA", "A PAR - BUR"]


def test_a_letter_serves_several_games(hall: Hall) -> None:
    two_games(hall)
    letter = "GAME balkan\nA PAR - BUR\nGAME spring:\nA PAR - PIC\nWAIT\nGAME winter\nA PAR - GAS"
    hall.post(FRANCE, letter, headers=PASSED)
    assert (stored(hall), stored(hall, "spring")) == (["A PAR - BUR"], ["A PAR - PIC"])
    first, *_ = hall.messages(hall.last(FRANCE))
    assert isinstance(first, Refusal)
    assert (first.kind, first.values["written"]) == (RefusalKind.NO_GAME, "winter")
    assert hall.said(FRANCE, NotRead).lines == ("A PAR - GAS",)


def test_several_sign_ons_serve_several_games(hall: Hall) -> None:
    two_games(hall)
    words = {one.game.name: one.password for one in hall.was_told(FRANCE, Joined)}
    blocks = [f"SIGNON F{name} {word}\nA PAR - BUR" for name, word in words.items()]
    hall.post("elsewhere@example.test", "\n".join(blocks))
    assert (stored(hall), stored(hall, "spring")) == (["A PAR - BUR"], ["A PAR - BUR"])


def test_a_token_of_one_game_gives_no_orders_in_another(hall: Hall) -> None:
    two_games(hall)
    own = next(row for row in reversed(hall.out) if (row.recipient, row.game) == (FRANCE, "balkan"))
    hall.post(FRANCE, "A MAR - SPA\nGAME spring\nA PAR - BUR", reply_to=own)
    assert hall.said(FRANCE, AddressAsked).is_own
    assert stored(hall, "spring") == []
    hall.order("FRANCE", "yes")
    assert (stored(hall), stored(hall, "spring")) == (["A MAR - SPA"], ["A PAR - BUR"])


@pytest.mark.parametrize("question", ["RESIGN", "Should I vote for a draw?"])
def test_a_yes_is_for_the_game_that_was_asked_about(hall: Hall, question: str) -> None:
    two_games(hall)
    hall.post(FRANCE, f"GAME balkan\n{question}\nGAME spring\nA PAR - BUR", headers=PASSED)
    hall.order("FRANCE", "YES")
    seats = [hall.game(name).seat("FRANCE") for name in ("balkan", "spring")]  # type: ignore[arg-type]
    assert [seat.player is None for seat in seats] == [question == "RESIGN", False]
    voted = [len(hall.game(name).proposals) for name in ("balkan", "spring")]
    assert voted == [int(question != "RESIGN"), 0]


def test_a_yes_takes_all_lines_that_an_answer_proposes_each_in_its_game(hall: Hall) -> None:
    two_games(hall)
    letter = "GAME balkan\nA PAR - BURR\nWAIT\nF BRE - MAOO\nGAME spring\nA PAR - PICC"
    hall.post(FRANCE, letter, headers=PASSED)
    hall.order("FRANCE", "YES\nA MAR - SPA")
    assert stored(hall) == ["A PAR - BUR", "F BRE - MAO", "A MAR - SPA"]
    assert stored(hall, "spring") == ["A PAR - PIC"]


def test_a_late_yes_stores_nothing_that_was_proposed_in_another_game(hall: Hall) -> None:
    two_games(hall)
    hall.post(FRANCE, "GAME balkan\nA PAR - BURR\nGAME spring\nA PAR - PICC", headers=PASSED)
    answer = hall.last(FRANCE)
    for power in POWERS:
        hall.post(address_of(power), "GAME spring\nREADY", headers=PASSED)
    hall.run_phase("spring")
    hall.post(FRANCE, "YES", reply_to=answer)
    assert (stored(hall), stored(hall, "spring")) == (["A PAR - BUR"], [])
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.PAST_PHASE


def test_undo_is_for_the_orders_of_its_game(hall: Hall) -> None:
    two_games(hall)
    hall.post(FRANCE, "GAME balkan\nA PAR - BUR\nGAME spring\nA PAR - PIC", headers=PASSED)
    hall.post(FRANCE, "GAME balkan\nA PAR - GAS", headers=PASSED)
    answer = hall.last(FRANCE)
    hall.post(FRANCE, "GAME spring\nUNDO", reply_to=answer, headers=PASSED)
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOTHING_TO_UNDO
    hall.post(FRANCE, "UNDO", reply_to=answer)
    assert (stored(hall), stored(hall, "spring")) == (["A PAR - BUR"], ["A PAR - PIC"])
    hall.post(FRANCE, "GAME balkan\nA PAR - GAS\nGAME spring\nA PAR - BUR", headers=PASSED)
    hall.post(FRANCE, "GAME spring\nUNDO", reply_to=hall.last(FRANCE), headers=PASSED)
    assert (stored(hall), stored(hall, "spring")) == (["A PAR - GAS"], ["A PAR - PIC"])


def test_a_reply_to_an_answer_is_for_the_game_in_its_subject(hall: Hall) -> None:
    two_games(hall)
    hall.post(FRANCE, "GAME balkan\nA PAR - BUR\nGAME spring\nA PAR - PIC", headers=PASSED)
    assert hall.text(hall.last(FRANCE)).startswith("[Judge] balkan S1901M 1 of 3 orders stored")
    hall.order("FRANCE", "A MAR - SPA")
    assert stored(hall) == ["A PAR - BUR", "A MAR - SPA"]
    assert stored(hall, "spring") == ["A PAR - PIC"]


@pytest.mark.parametrize(
    ("writer", "question", "command"),
    [
        (FRANCE, "RESIGN", "ADD ADDRESS ben@example.org"),
        (FRANCE, "RESIGN", "SET PASSWORD ab.cdef"),
        (FRANCE, "RESIGN", "EXTEND 1.5d"),
        (MASTER, "DUMMY TURKEY", "PROMOTE zoe@gmail.com"),
        (MASTER, "SWAP FRANCE ENGLAND", "HAND OVER zoe@gmail.com"),
        (MASTER, "EJECT FRANCE", "ALLOW zoe@gmail.com"),
        (MASTER, "PROCESS", "INVITE ben@example.org"),
        (MASTER, "DUMMY TURKEY", "SET DEADLINE 5.12.2026 20:00"),
    ],
)
def test_a_dot_in_a_command_ends_nothing_below_a_question(
    writer: str, question: str, command: str
) -> None:
    """A reply to a question and one to a letter that asks nothing are answered alike."""
    answers = []
    for before in ("STATUS", question):
        hall = Hall()
        hall.start()
        hall.register("zoe@gmail.com", "Zoe")
        hall.post(writer, before, reply_to=hall.last(writer))
        hall.post(writer, command, reply_to=hall.last(writer))
        answers.append(hall.text(hall.last(writer)))
    told, asked = answers
    assert "please look" not in told
    assert asked == told


def test_what_stands_behind_an_answer_is_read_as_it_was_written(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "RESIGN")
    hall.order("FRANCE", "No, thanks. ADD ADDRESS ben@example.org")
    assert hall.said(FRANCE, Personal).kind is PersonalKind.DECLINED
    assert "ben@example.org" in hall.text(hall.last(FRANCE))


def test_a_setting_may_stand_behind_an_answer(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "EJECT FRANCE", reply_to=hall.last(MASTER))
    hall.post(MASTER, "No. SET grace 36h", reply_to=hall.last(MASTER))
    assert hall.game().settings.grace == timedelta(hours=36)
    assert hall.said(MASTER, Personal).kind is PersonalKind.DECLINED


@pytest.mark.parametrize(
    ("lines", "resigns"), [("RESIGN\nA PAR - BURR", True), ("A PAR - BURR\nRESIGN", False)]
)
def test_a_letter_of_two_questions_says_which_one_a_yes_answers(
    hall: Hall, lines: str, resigns: bool
) -> None:
    hall.start()
    hall.order("FRANCE", lines)
    letter = hall.text(hall.last(FRANCE))
    first, second = "give your seat up", "take the line proposed"
    assert (letter.index(first) < letter.index(second)) is resigns
    assert "A YES answers the first question of this letter alone." in letter
    hall.order("FRANCE", "YES")
    game = hall.game()
    assert (game.seat(SeatId("FRANCE")).player is None) is resigns
    assert bool(game.order_set(SeatId("FRANCE"))) is not resigns
    hall.order("ENGLAND", "RESIGN\nRESIGN")
    assert "first question" not in hall.text(hall.last(address_of("ENGLAND")))
