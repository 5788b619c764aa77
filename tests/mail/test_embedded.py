"""The server of our own, as mail programs see it, and what it keeps when its process dies."""

import asyncio
import hashlib
import imaplib
import os
import smtplib
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from judge.mail import ImapAccount, ImapInbox, SmtpAccount, SmtpDelivery
from judge.mail.embedded import EmbeddedServer

JUDGE = "judge@example.test"
ANNA = "anna@example.test"


def serving(work: Callable[[EmbeddedServer], Any], journal: Path | None = None) -> None:
    """Run a plain function, as a mail program would be, beside a running server."""

    async def go() -> None:
        server = EmbeddedServer(journal)
        await server.start()
        try:
            await asyncio.wait_for(asyncio.to_thread(work, server), 30)
        finally:
            await server.stop()

    asyncio.run(go())


def post(server: EmbeddedServer, subject: str, *recipients: str) -> None:
    message = EmailMessage()
    message["From"] = JUDGE
    message["To"] = ", ".join(recipients)
    message["Subject"] = subject
    message.set_content("A PAR - BUR\n")
    with smtplib.SMTP("127.0.0.1", server.smtp_port) as client:
        client.send_message(message)


def subjects(client: imaplib.IMAP4, folder: str = "INBOX") -> list[str]:
    client.select(folder)
    _, found = client.search(None, "ALL")
    letters = [client.fetch(number, "(RFC822)")[1][0][1] for number in found[0].split()]
    lines = [line for raw in letters for line in raw.decode().splitlines()]
    return [line[9:] for line in lines if line.startswith("Subject: ")]


def test_a_mail_program_can_do_what_it_does() -> None:
    def work(server: EmbeddedServer) -> None:
        for number in range(3):
            post(server, f"letter {number}", ANNA)
        with imaplib.IMAP4("127.0.0.1", server.imap_port) as client:
            client.login(ANNA, "any password")
            capabilities = client.capability()[1][0].decode().split()
            assert {"IDLE", "MOVE", "UIDPLUS"} <= set(capabilities)
            assert client.select("INBOX") == ("OK", [b"3"])
            assert client.uid("SEARCH", "SUBJECT", '"letter 1"')[0] == "OK"
            assert client.store("1", "+FLAGS", "\\Seen")[0] == "OK"
            assert client.search(None, "UNSEEN")[1] == [b"2 3"]
            assert client.create("Games")[0] == "OK"
            assert client.copy("1", "Games")[0] == "OK"
            client.select("INBOX")
            uid = client.uid("SEARCH", "ALL")[1][0].split()[1].decode()
            assert client.uid("MOVE", uid, "Games")[0] == "OK"
            assert subjects(client) == ["letter 0", "letter 2"]
            assert subjects(client, "Games") == ["letter 0", "letter 1"]
            client.select("INBOX")
            client.store("1", "+FLAGS", "\\Deleted")
            client.expunge()
            assert subjects(client) == ["letter 2"]
            assert client.append("Games", "", "", b"Subject: draft\r\n\r\nx\r\n")[0] == "OK"
            assert subjects(client, "Games")[-1] == "draft"
            assert client.list()[0] == "OK"

    serving(work)


def test_everybody_has_a_mailbox_of_his_own() -> None:
    def work(server: EmbeddedServer) -> None:
        post(server, "both", ANNA.upper(), "judge+abcdefghijklmnop@example.test")
        post(server, "judge", JUDGE)
        for address, expected in (
            (ANNA, ["both"]),
            (JUDGE, ["both", "judge"]),
            ("new@example.test", []),
        ):
            with imaplib.IMAP4("127.0.0.1", server.imap_port) as client:
                client.login(address, "")
                assert subjects(client) == expected

    serving(work)


def test_a_new_letter_is_pushed_to_who_idles() -> None:
    async def go() -> None:
        server = EmbeddedServer()
        await server.start()
        inbox = ImapInbox(ImapAccount("127.0.0.1", server.imap_port, ANNA, "x", tls=False))
        await inbox.open()
        await inbox.new_letters(0)
        delivery = SmtpDelivery(SmtpAccount("127.0.0.1", server.smtp_port, tls="none"))
        for number in range(1, 4):
            waiting = asyncio.create_task(inbox.wait(100, asyncio.Event()))
            await delivery.send(b"Subject: x\r\n\r\nx\r\n", JUDGE, ANNA)
            await asyncio.wait_for(waiting, 5)
            assert len(await inbox.new_letters(0)) == number
        await inbox.close()
        await server.stop()

    asyncio.run(go())


def test_it_listens_on_loopback_only_and_two_run_side_by_side() -> None:
    async def go() -> None:
        first, second = EmbeddedServer(), EmbeddedServer()
        await first.start()
        await second.start()
        ports = {first.imap_port, first.smtp_port, second.imap_port, second.smtp_port}
        assert len(ports) == 4
        for server in (*first._servers, *second._servers):
            assert [one.getsockname()[0] for one in server.sockets] == ["127.0.0.1"]
        await first.stop()
        await second.stop()

    asyncio.run(go())


async def letters_of(server: EmbeddedServer, address: str) -> list[tuple[bytes, datetime]]:
    inbox = ImapInbox(ImapAccount("127.0.0.1", server.imap_port, address, "x", tls=False))
    await inbox.open()
    listed = await inbox.new_letters(0)
    fetched = await inbox.fetch([one.uid for one in listed])
    await inbox.close()
    return [(one.raw, one.received_at) for one in fetched]


def test_letters_that_were_taken_are_there_again_after_a_crash(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    raws = [f"Subject: {number}\r\n\r\n가\r\n\r\nx\r\n".encode() for number in range(12)]

    async def go() -> None:
        first = EmbeddedServer(journal)
        await first.start()
        delivery = SmtpDelivery(SmtpAccount("127.0.0.1", first.smtp_port, tls="none"))
        for raw in raws:
            await delivery.send(raw, JUDGE, ANNA)
            # What SMTP said 250 to is on the disk already, before anybody reads or stops.
            assert any(raw in file.read_bytes() for file in journal.glob("*.letter"))
        before = await letters_of(first, ANNA)
        assert [raw for raw, _ in before] == raws
        (journal / "00000000000000000001-000001.new").write_bytes(b"half a letter")
        second = EmbeddedServer(journal)  # the first was not stopped: as after a kill
        await second.start()
        assert await letters_of(second, ANNA) == before
        await first.stop()
        await second.stop()

    asyncio.run(go())


@pytest.mark.parametrize("damaged", [b"", b"2026-12-03T17:0", b"\xff\xfe\n", b"yesterday ann@x\n"])
def test_a_damaged_letter_in_the_journal_stops_no_start(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "00000000000000000001-000001.letter").write_bytes(damaged)
    whole = b"2026-12-03T17:01:00+00:00 %s\nSubject: x\r\n\r\nx\r\n" % ANNA.encode()
    (tmp_path / "00000000000000000002-000002.letter").write_bytes(whole)

    async def go() -> None:
        server = EmbeddedServer(tmp_path)
        await server.start()
        assert [raw for raw, _ in await letters_of(server, ANNA)] == [whole.partition(b"\n")[2]]
        await server.stop()

    asyncio.run(go())


def test_the_journal_is_its_owners_and_taken_letters_are_not_put_back(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    raws = [f"Subject: {number}\r\n\r\nx\r\n".encode() for number in range(3)]
    taken = {JUDGE: {hashlib.sha256(raws[1]).hexdigest()}}

    async def go() -> None:
        first = EmbeddedServer(journal)
        await first.start()
        delivery = SmtpDelivery(SmtpAccount("127.0.0.1", first.smtp_port, tls="none"))
        for raw in raws:
            await delivery.send(raw, ANNA, JUDGE)
        await first.stop()
        assert {oct(path.stat().st_mode)[-3:] for path in journal.iterdir()} == {"600"}
        assert oct(journal.stat().st_mode)[-3:] == "700"
        second = EmbeddedServer(journal, taken)
        await second.start()
        assert [raw for raw, _ in await letters_of(second, JUDGE)] == [raws[0], raws[2]]
        await second.stop()

    old = os.umask(0)
    try:
        asyncio.run(go())
    finally:
        os.umask(old)


def test_without_room_for_the_journal_the_letter_is_refused_for_now(tmp_path: Path) -> None:
    journal = tmp_path / "journal"

    async def go() -> None:
        server = EmbeddedServer(journal)
        await server.start()
        journal.rmdir()
        with pytest.raises(smtplib.SMTPDataError) as refused:
            await asyncio.to_thread(post, server, "x", ANNA)
        assert refused.value.smtp_code == 451
        assert await letters_of(server, ANNA) == []
        await server.stop()

    asyncio.run(go())


def test_a_letter_keeps_the_date_it_is_given() -> None:
    when = datetime(2026, 12, 5, 20, 0, 1, tzinfo=UTC)

    async def go() -> None:
        server = EmbeddedServer()
        await server.start()
        await server.deliver(ANNA, b"Subject: x\r\n\r\nx\r\n", when)
        assert await letters_of(server, ANNA) == [(b"Subject: x\r\n\r\nx\r\n", when)]
        await server.stop()

    asyncio.run(go())
