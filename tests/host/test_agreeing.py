"""When a kept letter counts, what READY does, and from where a deadline is counted."""

from datetime import timedelta

import pytest

from judge.host.messages.order_answers import OrdersAnswer, PartsNotRead
from judge.host.messages.refusals import AddressAsked
from judge.render import render_letter
from judge.store import OutboxRow
from tests.host.conftest import OPENINGS, POWERS, Hall, address_of

MASTER = "gm@example.test"


def test_a_kept_letter_is_not_carried_out_by_a_doubtful_reply(hall: Hall) -> None:
    hall.start()
    stranger = "somebody@else.test"
    hall.post(stranger, "A PAR - BUR", reply_to=hall.last(address_of("FRANCE")))
    asked = hall.last(address_of("FRANCE"))
    hall.post(address_of("FRANCE"), "OK, but who is that? I did not write this.", reply_to=asked)
    assert hall.game().order_set("FRANCE") == ()  # type: ignore[arg-type]
    hall.post(address_of("FRANCE"), "Yes, it was me, thanks", reply_to=asked)
    assert [line.text for line in hall.game().order_set("FRANCE")] == ["A PAR - BUR"]  # type: ignore[arg-type]


def test_the_first_phase_runs_once_everybody_has_sent_something(hall: Hall) -> None:
    hall.start("movement: 2d\ngrace: 0\nall in delay: 10m")
    hall.order("FRANCE", "A PAR - BUR")  # one of three
    hall.order("ITALY", "A ROM - ???\nF NAP - ION")  # with a faulty line
    hall.order("RUSSIA", "WAIT\n" + OPENINGS["RUSSIA"])
    for power in POWERS:
        if power not in ("FRANCE", "ITALY", "RUSSIA", "TURKEY"):
            hall.order(power, OPENINGS[power])
    hall.pass_time(timedelta(days=3))
    timing = hall.game().timing
    assert timing is not None
    assert timing.waits
    hall.order("TURKEY", "A CON - BUL")
    hall.pass_time(timedelta(minutes=11))
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "F1901M"


def test_a_deadline_is_moved_from_the_deadline(hall: Hall) -> None:
    game = hall.start("movement: 5d")
    assert game.timing is not None
    before = game.timing.deadline_at
    hall.post(MASTER, "SET DEADLINE +1d", reply_to=hall.last(MASTER))
    timing = hall.game().timing
    assert timing is not None
    assert timing.deadline_at == before + timedelta(days=1)


def test_ready_does_not_close_a_problem_of_its_own_letter(hall: Hall) -> None:
    hall.start("movement: 2d\nall in delay: 10m")
    for power in POWERS:
        body = OPENINGS[power] + "\nREADY"
        hall.order(
            power, "READY\nA PAR - XYZ\nF BRE - MAO\nA MAR - SPA" if power == "FRANCE" else body
        )
    hall.pass_time(timedelta(hours=1))
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "S1901M"


def test_ready_falls_when_the_orders_change_later_and_the_answer_says_so(hall: Hall) -> None:
    hall.start("movement: 2d\nall in delay: 10m")
    france = address_of("FRANCE")
    hall.order("FRANCE", "READY\n" + OPENINGS["FRANCE"])
    assert hall.game().seat("FRANCE").ready  # type: ignore[arg-type]
    assert hall.said(france, OrdersAnswer).ready
    hall.order("FRANCE", "CLEAR")
    assert not hall.game().seat("FRANCE").ready  # type: ignore[arg-type]
    answer = hall.said(france, OrdersAnswer)
    assert (answer.ready, answer.lost_ready) == (False, True)
    for power in POWERS[:2] + POWERS[3:]:
        hall.order(power, OPENINGS[power] + "\nREADY")
    hall.pass_time(timedelta(hours=1))
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "S1901M"


def test_an_answer_says_first_that_none_of_its_lines_was_stored(hall: Hall) -> None:
    hall.start()
    france = address_of("FRANCE")
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.order("FRANCE", "A PAR - XYZ")
    rendered = render_letter(
        [hall.said(france, OrdersAnswer)],
        language="en",
        zone="UTC",
        judge_name="Judge",
        kind="answer",
    )
    assert rendered.text.startswith("None of your lines was stored. 3 earlier orders stand.")
    assert "none of your lines was stored" in rendered.subject


def test_what_stood_below_a_signature_is_named_only_if_it_holds_orders(hall: Hall) -> None:
    hall.start()
    france, orders = address_of("FRANCE"), "A PAR - BUR"
    card = "> A MAR H\n\n-- \nAnn Example\nParis is lovely in spring"
    hall.post(france, f"{orders}\n{card}", reply_to=hall.last(france))
    assert hall.was_told(france, PartsNotRead) == []
    hall.post(
        france,
        "--b\nContent-Type: text/plain\n\n"
        f"{orders}\n\n-- \nF BRE - MAO\nA MAR - SPA\n"
        "--b\nContent-Type: application/msword\n"
        "Content-Disposition: attachment; filename=orders.docx\n\nx\n--b--",
        reply_to=hall.last(france),
        headers={"Content-Type": "multipart/mixed; boundary=b"},
    )
    told = hall.said(france, PartsNotRead)
    assert {kind for kind, _ in told.parts} == {"signature", "attachment"}
    assert [line.text for line in hall.game().order_set("FRANCE")] == ["A PAR - BUR"]  # type: ignore[arg-type]


def ours(hall: Hall, address: str) -> tuple[OutboxRow, str]:
    """The newest letter to a player, and what stands in it below its subject."""
    row = hall.last(address)
    return row, hall.text(row).partition("\n\n")[2]


@pytest.mark.parametrize(
    "letter",
    [
        # Between the lines that an unknown program marks with its reader's initials.
        "On Fri, 4 Dec 2026, Judge wrote:\n\nJ> {first}\n\n{orders}\n\nJ> {first}",
        # Below one sentence of ours.
        "Judge wrote:\n{first}\n\n{orders}",
        # Below the frame that Outlook puts around all the rest.
        "{outlook}{quoted}\n\n{orders}",
        # Copied headers that are none.
        "From: Pierre\nTo: Judge\nDate: 4 December 2026\nSubject: my orders\n\n{orders}",
        "Write to pierre@france.test before 21:00 on 5 Dec 2026:\n{orders}",
        "{marked}",
    ],
)
def test_orders_that_got_into_a_quote_are_named(hall: Hall, letter: str) -> None:
    hall.start()
    france, orders = address_of("FRANCE"), OPENINGS["FRANCE"]
    row, text = ours(hall, france)
    first = next(line for line in text.split("\n") if len(line) > 60)
    outlook = "From: Judge <judge@judge.test>\nSent: Friday, December 4, 2026\nTo: f\n\n"
    written = letter.format(
        first=first,
        orders=orders,
        outlook=outlook,
        quoted="\n".join(text.split("\n")[:12]),
        marked=orders.replace("A ", "> A ").replace("F ", "> F "),
    )
    hall.post(france, written, reply_to=row, headers={"In-Reply-To": f"<{row.token}@judge.test>"})
    parts = hall.said(france, PartsNotRead).parts
    assert [(kind, sorted(text.split("\n"))) for kind, text in parts] == [
        ("quote", sorted(orders.split("\n")))
    ]
    assert hall.game().order_set("FRANCE") == ()  # type: ignore[arg-type]


def test_a_quote_that_only_repeats_is_not_named(hall: Hall) -> None:
    hall.start()
    france, orders = address_of("FRANCE"), OPENINGS["FRANCE"]
    head = "On Fri, 4 Dec 2026, Edward <ed@example.test> wrote:\n\n"
    for quoted in (
        "> A PAR - PIC\n> how about this?",  # an ally's letter, marked
        "A PAR - PIC\n",  # for a unit that has its order
        ours(hall, france)[1],
    ):
        hall.post(france, f"{orders}\n\n{head}{quoted}", reply_to=hall.last(france))
        assert hall.was_told(france, PartsNotRead) == []
    hall.post(france, f"A PAR H\n\n{head}{orders}", reply_to=hall.last(france))
    assert hall.was_told(france, PartsNotRead) == []  # the others stand as they are quoted


def test_a_new_letter_from_a_known_address_is_kept_and_asked_about(hall: Hall) -> None:
    hall.start()
    france = address_of("FRANCE")
    hall.post(france, "A PAR - BUR\nF BRE - MAO")
    asked = hall.said(france, AddressAsked)
    assert (asked.is_own, asked.excerpt) == (True, "A PAR - BUR\nF BRE - MAO")
    assert hall.game().order_set("FRANCE") == ()  # type: ignore[arg-type]
    hall.post(france, "Yes, thanks", reply_to=hall.last(france))
    stored = [line.text for line in hall.game().order_set("FRANCE")]  # type: ignore[arg-type]
    assert stored == ["A PAR - BUR", "F BRE - MAO"]


def test_a_kept_letter_lapses(hall: Hall) -> None:
    hall.start("movement: 20d")
    france = address_of("FRANCE")
    hall.post(france, "A PAR - BUR")
    asked = hall.last(france)
    hall.pass_time(timedelta(days=15))
    hall.post(france, "yes", reply_to=asked)
    assert hall.game().order_set("FRANCE") == ()  # type: ignore[arg-type]
