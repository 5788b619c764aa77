"""The judge's own inbox and delivery against Dovecot and Postfix, over TLS."""

import asyncio
import gc
import socketserver
import ssl
import threading
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from judge.errors import Unavailable
from judge.mail import Fetched, ImapAccount, ImapInbox, Rejected, SmtpAccount, SmtpDelivery
from tests.servers.gate import gate_before
from tests.servers.harness import PASSWORD, ServerPair, address

ALICE = address("alice")


def letter(recipient: str, text: str) -> bytes:
    message = EmailMessage()
    message["From"] = ALICE
    message["To"] = recipient
    message["Subject"] = text
    message.set_content(text)
    return message.as_bytes()


def imap_account(servers: ServerPair, name: str) -> ImapAccount:
    return ImapAccount(
        host=servers.host,
        port=servers.ports.imaps,
        user=address(name),
        password=PASSWORD,
        processed_folder="Judge Archive",
        ca_file=servers.ca_file,
    )


def smtp_account(servers: ServerPair) -> SmtpAccount:
    return SmtpAccount(host=servers.host, port=servers.ports.smtps, ca_file=servers.ca_file)


@asynccontextmanager
async def opened(account: ImapAccount) -> AsyncIterator[ImapInbox]:
    inbox = ImapInbox(account)
    try:
        await inbox.open()
        yield inbox
    finally:
        await inbox.close()


async def read_all(inbox: ImapInbox, after_uid: int = 0) -> tuple[Fetched, ...]:
    listed = await inbox.new_letters(after_uid)
    return await inbox.fetch([one.uid for one in listed])


def subjects(letters: tuple[Fetched, ...]) -> list[str]:
    lines = [line for one in letters for line in one.raw.splitlines()]
    return [line[9:].decode() for line in lines if line.startswith(b"Subject: ")]


def test_letters_are_listed_fetched_and_filed_away(servers: ServerPair) -> None:
    account = imap_account(servers, "filing")
    for number in range(3):
        servers.send(letter(account.user, f"letter {number}"), ALICE, account.user)
    servers.await_letters(account.user, 3)
    before = datetime.now(UTC)

    async def go() -> None:
        async with opened(account) as inbox:
            letters = await read_all(inbox)
            assert sorted(subjects(letters)) == ["letter 0", "letter 1", "letter 2"]
            assert all(one.size_bytes == len(one.raw) for one in letters)
            assert all(abs(one.received_at - before) < timedelta(minutes=1) for one in letters)
            await inbox.archive([letters[0].uid, letters[2].uid])
            assert [one.uid for one in await inbox.new_letters(0)] == [letters[1].uid]
            assert await inbox.new_letters(letters[2].uid) == ()

    asyncio.run(go())
    assert len(servers.letters(account.user)) == 1
    assert len(servers.letters(account.user, '"Judge Archive"')) == 2


def test_the_numbering_stays_over_a_new_connection(servers: ServerPair) -> None:
    account = imap_account(servers, "again")
    servers.send(letter(account.user, "first"), ALICE, account.user)
    servers.await_letters(account.user, 1)

    async def go() -> None:
        inbox = ImapInbox(account)
        first = await inbox.open()
        (one,) = await inbox.new_letters(0)
        await inbox.close()
        assert await inbox.open() == first
        assert [two.uid for two in await inbox.new_letters(0)] == [one.uid]
        await inbox.close()

    asyncio.run(go())


def test_a_letter_wakes_the_waiting_inbox(servers: ServerPair) -> None:
    account = imap_account(servers, "idle")

    async def go() -> None:
        async with opened(account) as inbox:
            assert await inbox.new_letters(0) == ()
            waiting = asyncio.create_task(inbox.wait(60, asyncio.Event()))
            await asyncio.to_thread(servers.send, letter(account.user, "up"), ALICE, account.user)
            await asyncio.wait_for(waiting, 20)
            assert subjects(await read_all(inbox)) == ["up"]

    asyncio.run(go())


def test_a_large_letter_is_fetched_in_part(servers: ServerPair) -> None:
    account = replace(imap_account(servers, "large"), max_bytes=10_000)
    servers.send(letter(account.user, "big") + b"x" * 70 + b"\n" * 90_000, ALICE, account.user)
    servers.await_letters(account.user, 1)

    async def go() -> None:
        async with opened(account) as inbox:
            (one,) = await read_all(inbox)
            assert len(one.raw) == 10_000
            assert one.size_bytes > 90_000

    asyncio.run(go())


def test_a_lost_connection_is_unavailable_and_mends_by_opening(servers: ServerPair) -> None:
    account = imap_account(servers, "gate")
    with gate_before(servers.ports.imaps) as gate:

        async def go() -> None:
            inbox = ImapInbox(replace(account, port=gate.port))
            await inbox.open()
            waiting = asyncio.create_task(inbox.wait(60, asyncio.Event()))
            await asyncio.to_thread(gate.close)
            with pytest.raises(Unavailable):
                await asyncio.wait_for(waiting, 20)
            with pytest.raises(Unavailable):
                await inbox.open()
            servers.send(letter(account.user, "meanwhile"), ALICE, account.user)
            await asyncio.to_thread(servers.await_letters, account.user, 1)
            gate.open()
            await inbox.open()
            assert subjects(await read_all(inbox)) == ["meanwhile"]
            await inbox.close()

        asyncio.run(go())


@pytest.mark.parametrize("fault", ["password", "authority", "port"])
def test_an_inbox_that_cannot_be_opened_is_unavailable(servers: ServerPair, fault: str) -> None:
    account = imap_account(servers, "closed")
    broken = {
        "password": replace(account, password="wrong"),
        "authority": replace(account, ca_file=None),
        "port": replace(account, port=servers.ports.smtp),
    }[fault]

    async def go() -> None:
        with pytest.raises(Unavailable):
            await asyncio.wait_for(ImapInbox(broken).open(), 60)

    asyncio.run(go())


@pytest.mark.parametrize("way", ["implicit", "starttls", "none"])
def test_a_letter_is_delivered(servers: ServerPair, way: str) -> None:
    account = {
        "implicit": smtp_account(servers),
        "starttls": replace(
            smtp_account(servers),
            port=servers.ports.submission,
            tls="starttls",
            user=ALICE,
            password=PASSWORD,
        ),
        "none": SmtpAccount(host=servers.host, port=servers.ports.smtp, tls="none"),
    }[way]
    recipient = address(f"delivered-{way}")
    asyncio.run(SmtpDelivery(account).send(letter(recipient, way), ALICE, recipient))
    (raw,) = servers.await_letters(recipient, 1)
    assert f"Subject: {way}".encode() in raw


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
def test_letters_over_tls_share_a_connection_and_one_context(
    servers: ServerPair, tls: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[ssl.SSLContext] = []

    def make_context() -> ssl.SSLContext:
        made.append(real())
        return made[-1]

    real = ssl.create_default_context
    port = servers.ports.smtps if tls == "implicit" else servers.ports.submission
    account = replace(smtp_account(servers), port=port, tls=tls, user=ALICE, password=PASSWORD)
    recipient = address(f"often-{tls}")

    async def go() -> None:
        delivery = SmtpDelivery(account)
        for _ in range(3):
            await delivery.send(letter(recipient, tls), ALICE, recipient)
            assert len(delivery._kept) == 1
        await delivery.close()
        await delivery.send(letter(recipient, tls), ALICE, recipient)
        await delivery.close()

    with monkeypatch.context() as patched:
        patched.setattr(ssl, "create_default_context", make_context)
        asyncio.run(go())
    assert len(servers.await_letters(recipient, 4)) == 4
    assert len(made) == 1


def test_a_refusal_for_good_and_one_for_now_are_told_apart(servers: ServerPair) -> None:
    delivery = SmtpDelivery(smtp_account(servers))
    with pytest.raises(Rejected, match="no such mailbox"):
        asyncio.run(delivery.send(letter(address("gone"), "x"), ALICE, address("gone")))
    with pytest.raises(Unavailable, match="mailbox busy"):
        asyncio.run(delivery.send(letter(address("busy"), "x"), ALICE, address("busy")))


class _Lingerer(socketserver.StreamRequestHandler):
    """An SMTP server over TLS that keeps the connection open after QUIT until the test is over."""

    context: ssl.SSLContext
    is_over: threading.Event

    def handle(self) -> None:
        with self.context.wrap_socket(self.request, server_side=True) as wrapped:
            lines = wrapped.makefile("rwb", buffering=0)
            lines.write(b"220 ready\r\n")
            answers = {b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}
            for line in lines:
                command = line.strip().upper()
                if command in (b"", b"X"):
                    continue  # the letter
                lines.write(answers.get(command, b"250 ok\r\n"))
                if command == b"QUIT":
                    self.is_over.wait(10)
                    return


def test_a_server_that_lingers_after_quit_leaves_no_socket_open(servers: ServerPair) -> None:
    _Lingerer.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate = servers.directory / "server.pem"
    _Lingerer.context.load_cert_chain(certificate, servers.directory / "server.key")
    _Lingerer.is_over = threading.Event()
    with (
        socketserver.ThreadingTCPServer((servers.host, 0), _Lingerer) as server,
        warnings.catch_warnings(record=True) as warned,
    ):
        warnings.simplefilter("always")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        account = SmtpAccount(
            host=servers.host, port=server.server_address[1], ca_file=servers.ca_file
        )
        asyncio.run(SmtpDelivery(account).send(b"\r\nx\r\n", ALICE, ALICE))
        gc.collect()
        _Lingerer.is_over.set()
        server.shutdown()
    assert [str(each.message) for each in warned if each.category is ResourceWarning] == []


@pytest.mark.parametrize("fault", ["password", "authority", "port"])
def test_a_delivery_that_cannot_connect_is_unavailable(servers: ServerPair, fault: str) -> None:
    account = replace(smtp_account(servers), user=ALICE, password=PASSWORD)
    with gate_before(servers.ports.smtps) as gate:
        gate.close()
        broken = {
            "password": replace(account, password="wrong"),
            "authority": replace(account, ca_file=None),
            "port": replace(account, port=gate.port),
        }[fault]
        with pytest.raises(Unavailable):
            asyncio.run(SmtpDelivery(broken).send(letter(ALICE, "x"), ALICE, ALICE))
