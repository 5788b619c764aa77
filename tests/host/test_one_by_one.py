"""A letter's commands succeed or fail one by one; what came too late is told plainly."""

import pytest
from msgspec.structs import replace

from judge.host.command import CommandLine
from judge.host.commands import COMMAND_OF
from judge.host.letters import body
from judge.host.letters.body import read_body
from judge.host.letters.command_parser import TextLine
from judge.host.letters.letter_context import LetterContext, first_role, identify
from judge.host.messages.command_answers import Done
from judge.host.messages.order_answers import OrdersAnswer, StaleOrders
from judge.host.messages.press import PressSent
from judge.host.messages.refusals import KeeperNotice, Refusal, RefusalKind
from judge.hosting import Hosting
from judge.mail import read_letter, reply_address
from judge.store import Purpose

from .conftest import JUDGE, OPENINGS, POWERS, Hall, address_of

FRANCE, ENGLAND, MASTER = address_of("FRANCE"), address_of("ENGLAND"), "gm@example.test"


def stored(hall: Hall, power: str = "FRANCE") -> list[str]:
    return [line.text for line in hall.game().order_sets.get(power, ())]  # type: ignore[call-overload]


def test_commands_of_a_letter_succeed_or_fail_one_by_one(hall: Hall) -> None:
    hall.start("press: none")
    hall.order(
        "FRANCE",
        f"{OPENINGS['FRANCE']}\nPRESS TO ENGLAND\nHi\nENDPRESS\nSET ZONE Nowhere\nWAIT\nPROCESS",
    )
    assert len(stored(hall)) == 3
    assert hall.game().seat("FRANCE").wait  # type: ignore[arg-type]
    told = hall.messages(hall.last(FRANCE))
    failed = [one.kind for one in told if isinstance(one, Refusal)]
    assert set(failed) == {RefusalKind.NO_PRESS, RefusalKind.BAD_ZONE, RefusalKind.NOT_MASTER}
    assert all(isinstance(one, Refusal) for one in told[: len(failed)])  # failures first
    assert any(isinstance(one, OrdersAnswer) for one in told)
    assert any(isinstance(one, Done) for one in told)


def test_a_command_that_trips_a_bug_changes_nothing_and_spares_the_rest(hall: Hall) -> None:
    hall.environ = {"JUDGE_JUDGE__KEEPERS": "keeper@judge.test"}
    hall.__post_init__()
    hall.start()

    def fail(context: LetterContext, line: CommandLine) -> None:
        game = context.game()
        assert game is not None
        context.work.put_game(replace(game, name="spoilt"))
        context.ask(Purpose.RESIGN, {})
        context.sit(None)
        raise KeyError("a bug")

    wait = COMMAND_OF["wait"]
    broken = CommandLine(replace(wait, run=fail), {}, "WAIT")
    items = [TextLine("A PAR - BUR"), broken, CommandLine(COMMAND_OF["ready"], {}, "READY")]
    head = f"From: <{FRANCE}>\r\nTo: {reply_address(hall.last(FRANCE).token, JUDGE)}\r\n\r\nx"
    letter = read_letter(head.encode(), received_at=hall.instant, own_addresses=frozenset({JUDGE}))
    hosting = Hosting(hall.settings, hall.database, hall, b"secret of the tests")  # type: ignore[arg-type]
    with hall.database.transaction() as tx, hosting.unit_of_work(tx, "letter") as work:
        context = LetterContext(work, letter, identify(work, letter))
        context.role = first_role(work, context.sender)
        read_body(context, items)
        refusal, *_ = context.messages
    assert (context.purpose, context.asked_as) == (Purpose.LETTER, None)
    assert isinstance(refusal, Refusal)
    assert refusal.kind is RefusalKind.COMMAND_FAILED
    assert stored(hall) == ["A PAR - BUR"]
    seat = hall.game().seat("FRANCE")  # type: ignore[arg-type]
    assert (seat.ready, seat.wait) == (True, False)
    hall._collect()
    assert hall.said("keeper@judge.test", KeeperNotice).what == "command_failed"
    assert "could not be carried out" in hall.text(hall.last("keeper@judge.test"))


def test_a_guess_that_trips_a_bug_is_told_as_not_done(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.start()

    def fail(context: LetterContext, line: CommandLine) -> None:
        raise KeyError("a bug")

    broken = replace(COMMAND_OF["status"], run=fail)
    monkeypatch.setattr(body, "nearest_command", lambda _: broken)
    hall.order("FRANCE", "statsu")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.COMMAND_FAILED


# --- letters that cross ---------------------------------------------------------------------------


def test_of_two_letters_that_cross_the_later_one_counts_and_shows_all(hall: Hall) -> None:
    hall.start()
    seen = hall.last(FRANCE)
    hall.post(FRANCE, "A PAR - BUR\nF BRE - MAO", reply_to=seen)
    hall.post(FRANCE, "A PAR - PIC\nA MAR H", reply_to=seen)  # written before the first answer
    assert sorted(stored(hall)) == ["A MAR H", "A PAR - PIC", "F BRE - MAO"]
    answer = hall.said(FRANCE, OrdersAnswer)
    assert {line.text for line in answer.order_set} == set(stored(hall))
    assert [line.text for line in answer.order_set if line.kept] == ["F BRE - MAO"]


def test_two_votes_that_cross_are_both_told_how_it_stands(hall: Hall) -> None:
    hall.start()
    replies = {power: hall.last(address_of(power)) for power in POWERS}
    for power in POWERS:
        hall.post(address_of(power), "DRAW", reply_to=replies[power])
    hall.post(FRANCE, "NO DRAW", reply_to=replies["FRANCE"])  # the game is over by then
    refusal = hall.said(FRANCE, Refusal)
    assert refusal.kind is RefusalKind.NOT_RUNNING
    assert "STATUS balkan" in hall.text(hall.last(FRANCE))


def test_a_command_for_a_phase_that_ran_a_second_ago_is_told_so(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    seen = hall.last(FRANCE)
    hall.run_phase()
    for written in ("WAIT", "CLEAR", "READY"):
        headers = {"Authentication-Results": "mx.judge.test; dmarc=pass header.from=example.test"}
        hall.post(FRANCE, written, reply_to=seen, headers=headers)
        refusal = hall.said(FRANCE, Refusal)
        assert (refusal.kind, refusal.values["label"]) == (RefusalKind.PHASE_RAN, "S1901M")
        assert not hall.game().seat("FRANCE").wait  # type: ignore[arg-type]
    hall.post(FRANCE, "A BUR - BEL", reply_to=seen)
    assert [line.text for line in hall.said(FRANCE, StaleOrders).lines] == ["A BUR - BEL"]
    assert stored(hall) == []


def test_orders_in_the_last_second_count_and_those_a_second_later_are_asked_about(
    hall: Hall,
) -> None:
    hall.start("grace: 0")
    hall.open_game()
    seen = hall.last(FRANCE)
    hall.post(FRANCE, "A PAR - GAS", reply_to=seen)
    hall.run_phase()
    hall.post(FRANCE, "A GAS - BUR", reply_to=seen)
    assert [line.text for line in hall.said(FRANCE, StaleOrders).lines] == ["A GAS - BUR"]
    assert stored(hall) == []


def test_a_player_removed_while_writing_is_told_who_sits_there(hall: Hall) -> None:
    hall.start()
    seen = hall.last(FRANCE)
    hall.order("FRANCE", "RESIGN")
    hall.order("FRANCE", "yes")
    hall.post("ann@example.test", "JOIN balkan FRANCE", name="Ann")
    hall.post("ann@example.test", "yes", reply_to=hall.last("ann@example.test"))
    before = hall.game()
    hall.post(FRANCE, f"{OPENINGS['FRANCE']}\nREADY", reply_to=seen)
    hall.post(FRANCE, "PRESS TO ENGLAND\nStill me!\nENDPRESS", reply_to=seen)
    assert hall.game() == before
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOT_A_PLAYER
    assert not hall.was_told(ENGLAND, PressSent)
    assert "no seat" in hall.text(hall.last(FRANCE))
