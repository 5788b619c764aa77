"""Links of HTML letters: each writes a letter that does what the link says, in every language."""

import email
import email.policy
import html
import re
from email.message import EmailMessage
from urllib.parse import unquote

import pytest

from judge.host.messages.command_answers import BallotCast, Deed, Done
from judge.mail import reply_address
from judge.render.catalogue import languages
from judge.render.reply_links import MOST_LINKS
from judge.store import OutboxRow

from .conftest import JUDGE, Hall, address_of
from .test_advance_orders import FALL, run, to_fall

FRANCE, ENGLAND, ANN = address_of("FRANCE"), address_of("ENGLAND"), "ann@example.test"
# Burgundy is dislodged, and Gascony and Belgium are taken: three ways are left.
FEW_WAYS = {
    "FRANCE": "A SPA - GAS\nA BUR H\nF MAO - POR",
    "ENGLAND": "A YOR H\nF ENG - BEL\nF NTH H",
}
LINK = re.compile(r'<a class="action" href="(mailto:[^"]*)"[^>]*>([^<]*)</a>')


def links(hall: Hall, row: OutboxRow) -> dict[str, str]:
    """The links of a letter by their labels."""
    letter = email.message_from_bytes(hall.sent[row.token], policy=email.policy.default)
    assert isinstance(letter, EmailMessage)
    body = letter.get_body(("html",))
    assert body is not None
    found = LINK.findall(body.get_content())
    assert len(found) <= MOST_LINKS
    return {html.unescape(label): html.unescape(link) for link, label in found}


def touch(hall: Hall, row: OutboxRow, label: str, more: str = "") -> None:
    """Send the letter that a link writes, as a mail program makes it."""
    link = links(hall, row)[label]
    assert link.isascii()
    assert not set("+ \r\n") & set(link)
    to, _, query = link.removeprefix("mailto:").partition("?")
    fields = dict(part.split("=", 1) for part in query.split("&"))
    assert unquote(to) == reply_address(row.token, JUDGE)
    letter = EmailMessage()
    letter["From"], letter["To"] = row.recipient, unquote(to)
    letter["Subject"] = unquote(fields["subject"])
    letter["Message-ID"] = f"<{row.token}-touched-{label.isascii()}-{len(hall.out)}@example.test>"
    letter.set_content(unquote(fields["body"]).replace("\r\n", "\n") + more)
    hall.take(letter.as_bytes())


def set_language(hall: Hall, power: str, language: str) -> None:
    hall.order(power, f"SET LANGUAGE {language}")


def orders_of_france(hall: Hall) -> list[str]:
    stored = hall.game().order_sets.get("FRANCE", ())  # type: ignore[call-overload]
    return [line.text for line in stored]


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en", "Retreat to Paris"),
        ("ko", "파리로 퇴각"),
        ("ja", "パリへ退却"),
        ("zh_Hant", "撤退至巴黎"),
    ],
)
def test_a_retreat_is_one_touch(hall: Hall, language: str, label: str) -> None:
    to_fall(hall)
    set_language(hall, "FRANCE", language)
    run(hall, {**FALL, **FEW_WAYS})
    touch(hall, hall.last(FRANCE), label)
    assert orders_of_france(hall) == ["A BUR R PAR"]


@pytest.mark.parametrize("language", languages())
def test_a_vote_is_one_touch(hall: Hall, language: str) -> None:
    hall.start()
    set_language(hall, "ENGLAND", language)
    hall.order("FRANCE", "PROPOSE DRAW")
    letter = hall.last(ENGLAND)
    yes, no = links(hall, letter)
    touch(hall, letter, yes)
    assert hall.said(ENGLAND, BallotCast).motion.own is True
    touch(hall, letter, no)
    assert hall.said(ENGLAND, BallotCast).motion.own is False


@pytest.mark.parametrize("language", languages())
def test_waiting_for_the_deadline_is_one_touch(hall: Hall, language: str) -> None:
    to_fall(hall)
    set_language(hall, "FRANCE", language)
    hall.order("FRANCE", FALL["FRANCE"])
    letter = hall.last(FRANCE)
    (wait,) = links(hall, letter)
    touch(hall, letter, wait)
    assert hall.said(FRANCE, Done).deed is Deed.WAIT


@pytest.mark.parametrize("language", languages())
def test_an_answer_to_press_begins_with_one_touch(hall: Hall, language: str) -> None:
    hall.start()
    set_language(hall, "ENGLAND", language)
    hall.order("FRANCE", "PRESS ENGLAND\nShall we talk?\nENDPRESS")
    letter = hall.last(ENGLAND)
    (write,) = links(hall, letter)
    touch(hall, letter, write, more="Gladly, tomorrow.")
    assert "Gladly, tomorrow." in hall.text(hall.last(FRANCE))


@pytest.mark.parametrize("language", languages())
def test_what_a_letter_asks_is_answered_by_one_touch(hall: Hall, language: str) -> None:
    hall.create()
    hall.post(ANN, "JOIN balkan", name="Ann", language=language)
    letter = hall.last(ANN)
    (yes,) = links(hall, letter)
    touch(hall, letter, yes)
    with hall.database.transaction() as tx:
        assert tx.players.by_address(ANN) is not None


def test_lines_for_beginners_are_sent_by_one_touch(hall: Hall) -> None:
    hall.post(ANN, "PRACTICE FRANCE", name="Ann")
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    letter = hall.last(ANN)
    label = next(one for one in links(hall, letter) if one == "Send these lines")
    touch(hall, letter, label)
    assert hall.text(hall.last(ANN)).split("\n")[2].startswith("Orders complete: 3 of 3")


def test_a_letter_that_asks_nothing_has_no_links(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "STATUS")
    assert links(hall, hall.last(FRANCE)) == {}
