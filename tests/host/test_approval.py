"""`approval: yes`: the master is asked about everybody who wants to join, and answers YES or NO."""

import pytest

from judge.host.messages.command_answers import ApprovalAnswer, ApprovalAsked, Deed, Done, Joined
from judge.host.messages.game_events import Filling, FillingEvent
from judge.host.messages.games import Welcome
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import PlayerId

from .conftest import POWERS, Hall, address_of

ANN, GM = "ann@example.test", "gm@example.test"


def ask(hall: Hall, words: str = "JOIN balkan FRANCE") -> None:
    """Ann wants to join."""
    hall.register(ANN, "Ann")
    hall.post(ANN, words, reply_to=hall.last(ANN))


def answer(hall: Hall, word: str) -> None:
    asked = next(
        row for row in reversed(hall.out) if row.kind == "approval" and row.recipient == GM
    )
    hall.post(GM, word, reply_to=asked)


def test_the_master_is_asked_and_a_yes_lets_in(hall: Hall) -> None:
    hall.create("approval: yes")
    ask(hall)
    assert hall.said(ANN, Done).deed is Deed.APPROVAL_ASKED
    asked = hall.said(GM, ApprovalAsked)
    assert (asked.name, asked.percentage, asked.wish) == ("Ann", None, "FRANCE")
    assert "Reply YES or NO." in hall.text(hall.last(GM))
    assert hall.game().applicants == ()
    answer(hall, "YES")
    assert hall.said(GM, Done).deed is Deed.APPROVED
    assert hall.said(ANN, ApprovalAnswer).granted
    joined = hall.said(ANN, Joined)
    assert (joined.seat, bool(joined.password)) == ("FRANCE", True)
    assert [one.wish for one in hall.game().applicants] == ["FRANCE"]
    assert hall.game().asking == ()


@pytest.mark.parametrize("word", ["NO", "아니요", "いいえ", "不", "no thanks"])
def test_a_no_is_told_to_the_player(hall: Hall, word: str) -> None:
    hall.create("approval: yes")
    ask(hall)
    answer(hall, word)
    assert hall.said(GM, Done).deed is Deed.NOT_APPROVED
    assert not hall.said(ANN, ApprovalAnswer).granted
    assert (hall.game().applicants, hall.game().asking) == ((), ())


@pytest.mark.parametrize(
    "name", ["Ann Lee", "Ann Lee Jr.", "A. B. C. D. E. F. G. H. I. J. K. L. M. N. O. P. Q. Lee"]
)
def test_the_line_that_lets_somebody_in_may_be_copied(hall: Hall, name: str) -> None:
    hall.create("approval: yes")
    hall.post(ANN, "JOIN balkan", name=name)
    hall.post(ANN, "yes", reply_to=hall.last(ANN), name=name)
    hall.post(GM, "STATUS", reply_to=hall.last(GM))
    shown = hall.text(hall.last(GM)).splitlines()
    (line,) = [one for one in shown if one.startswith("  ALLOW ")]
    hall.post(GM, line, reply_to=hall.last(GM))
    assert hall.said(GM, Done).deed is Deed.APPROVED
    assert hall.game().asking == ()


def test_a_long_line_that_is_offered_counts_above_the_quote(hall: Hall) -> None:
    name = "Maximilian Alexander Ferdinand von Hohenlohe-Langenburg"
    hall.create("approval: yes")
    hall.post(ANN, "JOIN balkan", name=name)
    hall.post(ANN, "yes", reply_to=hall.last(ANN), name=name)
    hall.post(GM, "STATUS", reply_to=hall.last(GM))
    shown = hall.text(hall.last(GM)).splitlines()
    (line,) = [one for one in shown if one.startswith("  ALLOW ")]
    quote = "\n".join(f"> {one}" for one in shown[2:])
    body = f"{line.strip()}\n\nOn 5 Dec 2026 the judge wrote:\n{quote}"
    hall.post(GM, body, reply_to=hall.last(GM))
    assert hall.said(GM, Done).deed is Deed.APPROVED


def test_the_master_is_asked_once_for_each(hall: Hall) -> None:
    hall.create("approval: yes")
    ask(hall)
    hall.post(ANN, "JOIN balkan", reply_to=hall.last(ANN))
    assert len(hall.was_told(GM, ApprovalAsked)) == 1
    answer(hall, "YES")
    answer(hall, "NO")
    assert hall.said(GM, Refusal).kind is RefusalKind.EXPIRED
    assert len(hall.game().applicants) == 1


def test_a_stranger_confirms_first_and_then_waits(hall: Hall) -> None:
    hall.create("approval: yes")
    hall.post(ANN, "Hello")
    assert hall.said(ANN, Welcome).joins == ""
    hall.post(ANN, "JOIN balkan", name="Ann")
    assert hall.was_told(GM, ApprovalAsked) == []
    hall.post(ANN, "yes", reply_to=hall.last(ANN), name="Ann")
    assert hall.said(ANN, Done).deed is Deed.APPROVAL_ASKED
    answer(hall, "yes")
    assert hall.said(ANN, Joined).game.name == "balkan"


def fill(hall: Hall, powers: tuple[str, ...]) -> None:
    for power in powers:
        address = address_of(power)
        hall.post(address, f"JOIN balkan {power}", name=power.title())
        hall.post(address, "yes", reply_to=hall.last(address))
        answer(hall, "yes")


def test_a_wish_that_was_taken_meanwhile_leaves_any_seat(hall: Hall) -> None:
    hall.create("approval: yes")
    ask(hall)
    first = next(row for row in reversed(hall.out) if row.kind == "approval")
    fill(hall, ("FRANCE",))
    hall.post(GM, "YES", reply_to=first)
    assert hall.said(ANN, Joined).seat is None
    assert len(hall.game().applicants) == 2


def test_who_still_waits_for_leave_is_told_that_the_game_has_begun(hall: Hall) -> None:
    hall.create("approval: yes")
    ask(hall, "JOIN balkan")
    first = next(row for row in reversed(hall.out) if row.kind == "approval")
    fill(hall, POWERS)
    assert hall.said(ANN, Filling).event is FillingEvent.BEGUN
    assert hall.game().asking == ()
    hall.post(GM, "YES", reply_to=first)
    assert hall.said(GM, Refusal).kind is RefusalKind.EXPIRED
    assert hall.was_told(ANN, Joined) == []


def test_a_full_game_that_waits_puts_on_its_list(hall: Hall) -> None:
    hall.create("approval: yes\nconfirm: 1h\nvariant: france_austria")
    ask(hall, "JOIN balkan")
    first = next(row for row in reversed(hall.out) if row.kind == "approval")
    hall.post(address_of("FRANCE"), "JOIN balkan FRANCE", name="France")
    hall.post(address_of("FRANCE"), "yes", reply_to=hall.last(address_of("FRANCE")))
    answer(hall, "yes")
    hall.instant += (hall.game().settings.confirm) * 3
    fill(hall, ("AUSTRIA",))
    hall.post(GM, "YES", reply_to=first)
    assert hall.said(ANN, Filling).event is FillingEvent.QUEUED


def test_a_vacant_seat_is_asked_for_too_and_its_own_player_comes_back_freely(hall: Hall) -> None:
    hall.create("approval: yes\nmissing: vacant\ngrace: 0")
    fill(hall, POWERS)
    hall.open_game()
    hall.run_phase()
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    hall.run_phase()
    assert hall.game().seat("TURKEY").player is None  # type: ignore[arg-type]
    ask(hall, "JOIN balkan TURKEY")
    assert hall.said(ANN, Done).deed is Deed.APPROVAL_ASKED
    hall.order("TURKEY", "JOIN balkan")
    assert hall.game().seat("TURKEY").player is not None  # type: ignore[arg-type]


def test_who_asks_is_forgotten_with_all_else(hall: Hall) -> None:
    hall.create("approval: yes")
    ask(hall)
    hall.post(ANN, "FORGET ME", reply_to=hall.last(ANN))
    hall.post(ANN, "YES", reply_to=hall.last(ANN))
    assert hall.game().asking == ()
    answer(hall, "YES")
    assert hall.said(GM, Refusal).kind is RefusalKind.EXPIRED
    assert PlayerId("") not in [one.player for one in hall.game().applicants]


@pytest.mark.parametrize(
    "words",
    ["RESIGN", "NO", "No, thanks", "I withdraw.", "사퇴", "辞退", "退出"],
)
def test_who_waits_may_take_the_wish_back(hall: Hall, words: str) -> None:
    hall.create("approval: yes")
    ask(hall)
    hall.post(ANN, words, reply_to=hall.last(ANN))
    assert hall.said(ANN, Done).deed is Deed.WITHDRAWN
    assert hall.game().asking == ()
    answer(hall, "YES")
    assert hall.said(GM, Refusal).kind is RefusalKind.EXPIRED
    assert hall.game().applicants == ()


def test_the_master_sees_who_waits(hall: Hall) -> None:
    hall.create("approval: yes")
    ask(hall)
    hall.post(GM, "STATUS", reply_to=hall.last(GM))
    assert "Ann asks to join;" in hall.text(hall.last(GM))
    hall.post(ANN, "STATUS balkan", reply_to=hall.last(ANN))
    assert "asks to join" not in hall.text(hall.last(ANN))
    answer(hall, "NO")
    fill(hall, POWERS)
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    hall.post(ANN, "JOIN balkan TURKEY", reply_to=hall.last(ANN))
    hall.post(GM, "WHOGAME balkan", reply_to=hall.last(GM))
    assert "Waiting for your YES or NO to join: Ann." in hall.text(hall.last(GM))
    hall.post(ANN, "WHOGAME balkan", reply_to=hall.last(ANN))
    assert "Waiting for your" not in hall.text(hall.last(ANN))
