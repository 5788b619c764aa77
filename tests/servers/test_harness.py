"""The servers themselves: a letter goes in by SMTP and comes out by IMAP."""

import email
import smtplib
from email.message import EmailMessage

import pytest

from tests.servers.harness import DOMAIN, PASSWORD, ServerPair, address


def letter(sender: str, recipient: str, text: str) -> bytes:
    message = EmailMessage()
    message["From"] = sender
    message["To"] = recipient
    message["Subject"] = "orders"
    message["Message-ID"] = f"<{text}@{DOMAIN}>"
    message.set_content(text)
    return message.as_bytes()


def texts(raws: tuple[bytes, ...]) -> list[str]:
    return [email.message_from_bytes(raw).get_payload().strip() for raw in raws]


def test_a_letter_goes_in_and_comes_out(servers: ServerPair) -> None:
    france = address("france")
    servers.send(letter("turkey@example.test", france, "hello"), "turkey@example.test", france)
    assert texts(servers.await_letters(france, 1)) == ["hello"]


def test_each_address_sees_its_own_letters_only(servers: ServerPair) -> None:
    seats = [f"seat{number}" for number in range(7)]
    for seat in seats:
        servers.send(letter("a@example.test", address(seat), seat), "a@example.test", address(seat))
    for seat in seats:
        assert texts(servers.await_letters(address(seat), 1)) == [seat]


def test_a_plus_address_reaches_the_mailbox(servers: ServerPair) -> None:
    judge = address("plus")
    plus = f"plus+token@{DOMAIN}"
    servers.send(letter("a@example.test", plus, "reply"), "a@example.test", plus)
    (raw,) = servers.await_letters(judge, 1)
    assert email.message_from_bytes(raw)["Delivered-To"] == plus


def test_a_letter_can_be_sent_over_tls_with_a_login(servers: ServerPair) -> None:
    england = address("england")
    with smtplib.SMTP(servers.host, servers.ports.submission, timeout=10) as client:
        client.starttls(context=servers.tls())
        client.login(england, PASSWORD)
        client.sendmail(england, [england], letter(england, england, "submitted"))
    with smtplib.SMTP_SSL(servers.host, servers.ports.smtps, context=servers.tls()) as client:
        client.sendmail(england, [england], letter(england, england, "wrapped"))
    assert sorted(texts(servers.await_letters(england, 2))) == ["submitted", "wrapped"]


@pytest.mark.parametrize(("name", "code"), [("gone", 550), ("busy", 451)])
def test_an_address_that_is_refused(servers: ServerPair, name: str, code: int) -> None:
    recipient = f"{name}@{DOMAIN}"
    with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        servers.send(letter("a@example.test", recipient, "x"), "a@example.test", recipient)
    assert caught.value.recipients[recipient][0] == code
