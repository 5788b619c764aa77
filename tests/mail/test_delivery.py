"""What SMTP servers say when they do not take a letter, and what the judge makes of it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import aiosmtplib
import pytest

from judge.errors import Unavailable
from judge.mail import CONNECTIONS, Deferred, Rejected, ServerRefuses, SmtpAccount, SmtpDelivery

JUDGE = "judge@example.test"
ANNA = "anna@example.test"
RAW = b"From: judge@example.test\r\n\r\nA PAR - BUR\r\n"
CLOSE = b""  # instead of an answer the server closes the connection
NOTHING = b"-"  # no answer, and the connection stays open


class Postman:
    """A small SMTP server that answers as usual but for the faults; letters go to `taken`.

    `later` are the faults from a connection's second letter on.
    """

    def __init__(self, faults: dict[bytes, bytes], later: dict[bytes, bytes]) -> None:
        self.answers = {
            b"GREETING": b"220 ready",
            b"EHLO": b"250-x\r\n250 AUTH PLAIN",
            b"AUTH": b"235 welcome",
            b"MAIL": b"250 ok",
            b"RCPT": b"250 ok",
            b"DATA": b"354 go on",
            b".": b"250 taken",
            b"QUIT": b"221 bye",
            b"NOOP": b"250 ok",
            **faults,
        }
        self.later = {**self.answers, **later}
        self.taken: list[bytes] = []
        self.said: list[bytes] = []
        self.connections: list[asyncio.StreamWriter] = []
        self.quit = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(writer)
        try:
            await self._converse(reader, writer)
        except ConnectionError:
            pass  # the client went away
        finally:
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers = self.answers

        def say(command: bytes) -> bool:
            answer = answers.get(command, b"502 unknown")
            writer.write(answer + b"\r\n" if answer not in (CLOSE, NOTHING) else b"")
            return answer != CLOSE

        if not say(b"GREETING"):
            return
        while line := await reader.readline():
            self.said.append(line.rstrip())
            command = line.split()[0].upper()
            if command == b"QUIT":
                self.quit.set()
            if not say(command) or (command == b"QUIT" and answers[command] != NOTHING):
                return
            if command == b"DATA" and answers[command].startswith(b"354"):
                self.taken.append((await reader.readuntil(b"\r\n.\r\n"))[:-3])
                if not say(b"."):
                    return
                answers = self.later


@asynccontextmanager
async def postman(
    faults: dict[bytes, bytes], later: dict[bytes, bytes] | None = None
) -> AsyncIterator[tuple[Postman, int]]:
    made = Postman(faults, later or {})
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    async with server:
        yield made, server.sockets[0].getsockname()[1]


def send(faults: dict[bytes, bytes], *, raw: bytes = RAW, **account: str) -> Postman:
    """Send one letter through a server with these faults."""

    async def go() -> Postman:
        async with postman(faults) as (made, port):
            delivery = SmtpDelivery(SmtpAccount("127.0.0.1", port, tls="none", **account))
            await delivery.send(raw, JUDGE, ANNA)
            await delivery.close()
            return made

    return asyncio.run(asyncio.wait_for(go(), 30))


def test_a_letter_is_handed_over_with_its_envelope() -> None:
    made = send({}, user="judge", password="secret")
    assert made.taken == [RAW]
    assert made.said[0] == b"EHLO example.test"
    assert made.said[1].startswith(b"AUTH PLAIN ")
    assert made.said[2:4] == [
        b"MAIL FROM:<judge@example.test>",
        b"RCPT TO:<anna@example.test>",
    ]


@pytest.mark.parametrize(
    "faults",
    [
        {b"GREETING": b"421 too busy"},
        {b"GREETING": CLOSE},
        {b"MAIL": b"451 later"},
        {b"RCPT": b"450 mailbox busy"},
        {b"RCPT": b"452 too many letters on this connection"},
        {b"DATA": b"451 later"},
        {b".": b"452 disk full"},
        {b".": CLOSE},
        {b"RCPT": CLOSE},
        {b"RCPT": b"what?"},
    ],
    ids=lambda faults: "-".join(
        f"{key.decode()} {value.decode()}" for key, value in faults.items()
    ),
)
def test_what_may_pass_is_unavailable(faults: dict[bytes, bytes]) -> None:
    with pytest.raises(Unavailable):
        send(faults)


def test_a_refused_login_is_tried_again() -> None:
    with pytest.raises(Unavailable, match="535"):
        send({b"AUTH": b"535 wrong password"}, user="judge", password="wrong")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"550 5.1.1 no such user", Rejected),
        (b"552 5.2.2 mailbox full", Rejected),
        (b"550 5.7.0 authentication required", ServerRefuses),
        (b"550 5.1.8 bad sender", ServerRefuses),
        (b"550 5.4.5 daily quota is spent", ServerRefuses),
        (b"554 go away", ServerRefuses),
        (b"530 log in first", ServerRefuses),
        (b"450 4.7.1 greylisted", Deferred),
    ],
)
def test_a_refusal_says_whose_fault_it_is(answer: bytes, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        send({b"RCPT": answer})


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"550 #5.1.0 Address rejected.", Rejected),
        (b"550 #5.7.1 Your access to submit messages has been rejected.", ServerRefuses),
        (b"553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", ServerRefuses),
        (b"550 sorry, no mailbox here by that name. (#5.1.1)", Rejected),
        (b"550-we are sorry\r\n550-5.7.1 blocked\r\n550 5.7.1 see our page", ServerRefuses),
        (b"550 relay not permitted", ServerRefuses),
        (b"550 Relaying denied", ServerRefuses),
        (b"550 SMTP AUTH is required for message submission on port 587", ServerRefuses),
        (b"550 Administrative prohibition", ServerRefuses),
        (b"550 Blocked: 5.6.7.8 is listed", ServerRefuses),
        (b"550 SPF check failed for your domain", ServerRefuses),
        (b"550 Daily quota exceeded", ServerRefuses),
        (b"550 Requested action not taken: mailbox unavailable", Rejected),
        (b"550 <ann@x.test>: Recipient address rejected: User unknown", Rejected),
        (b"550 No such user at 5.6.7.8", Rejected),
    ],
)
def test_a_refusal_without_a_code_in_its_place_says_whose_fault_it_is(
    answer: bytes, kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        send({b"RCPT": answer})


def test_a_refused_sender_is_the_servers_trouble() -> None:
    with pytest.raises(Unavailable, match="550") as found:
        send({b"MAIL": b"550 5.7.1 not your address"})
    assert not isinstance(found.value, Deferred | ServerRefuses)


@pytest.mark.parametrize("command", [b"RCPT", b"DATA", b"."])
def test_what_the_server_will_never_take_is_rejected_in_its_words(command: bytes) -> None:
    with pytest.raises(Rejected, match="550 no such mailbox"):
        send({command: b"550 no such mailbox"})


@pytest.mark.parametrize("goodbye", [CLOSE, b"421 gone", b"nonsense"])
def test_a_bad_goodbye_does_not_undo_the_delivery(goodbye: bytes) -> None:
    assert send({b"QUIT": goodbye}).taken == [RAW]


@pytest.mark.parametrize(
    ("recipient", "said"),
    [
        (
            "안나@example.test",
            "MAIL FROM:<judge@example.test> SMTPUTF8|RCPT TO:<안나@example.test>",
        ),
        ("ann@bücher.test", "MAIL FROM:<judge@example.test>|RCPT TO:<ann@xn--bcher-kva.test>"),
    ],
)
def test_letters_go_to_addresses_outside_ascii(recipient: str, said: str) -> None:
    async def go() -> None:
        async with postman({b"EHLO": b"250-x\r\n250 SMTPUTF8"}) as (made, port):
            delivery = SmtpDelivery(SmtpAccount("127.0.0.1", port, tls="none"))
            await delivery.send(RAW, JUDGE, recipient)
            await delivery.close()
            assert made.taken == [RAW]
            assert b"|".join(made.said[1:3]).decode() == said

    asyncio.run(go())


def test_without_smtputf8_only_that_address_is_at_fault() -> None:
    async def go() -> None:
        async with postman({}) as (made, port):
            delivery = SmtpDelivery(SmtpAccount("127.0.0.1", port, tls="none"))
            with pytest.raises(Rejected, match="SMTPUTF8"):
                await delivery.send(RAW, JUDGE, "안나@example.test")
            await delivery.send(RAW, JUDGE, ANNA)
            await delivery.close()
            assert made.taken == [RAW]

    asyncio.run(go())


def test_nobody_there_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    delivery = SmtpDelivery(SmtpAccount("127.0.0.1", port, tls="none"))
    with pytest.raises(Unavailable):
        asyncio.run(delivery.send(RAW, JUDGE, ANNA))
    with pytest.raises(Unavailable):
        asyncio.run(delivery.check_sending(JUDGE))


def test_a_server_may_take_its_time_after_the_final_dot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten minutes by RFC 5321 4.5.3.2.6; whoever waits a minute sends the same letter again."""
    waits: list[float] = []
    whole = aiosmtplib.SMTP.execute_command

    async def execute(self: aiosmtplib.SMTP, *args: bytes, **options: float) -> object:
        waits.extend(options["timeout"] for arg in args if arg == b".")
        return await whole(self, *args, **options)

    monkeypatch.setattr(aiosmtplib.SMTP, "execute_command", execute)
    assert send({}).taken == [RAW]
    assert waits == [600.0]


@pytest.mark.parametrize(
    ("raw", "wire"),
    [
        (b".a\r\n.\r\n..b\r\nc.\r\n", b"..a\r\n..\r\n...b\r\nc.\r\n"),
        (b".a\n.\n\rb\r\n.c", b"..a\r\n..\r\n\r\nb\r\n..c\r\n"),
    ],
    ids=["made by compose", "any line ends"],
)
def test_a_line_that_is_a_dot_does_not_end_a_letter(raw: bytes, wire: bytes) -> None:
    """RFC 5321 4.5.2."""
    assert send({}, raw=raw).taken == [wire]


def test_a_letter_that_compose_made_is_sent_without_a_look_at_its_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half a millisecond of a letter with results."""
    monkeypatch.delattr(aiosmtplib.SMTP, "data")
    assert send({}).taken == [RAW]


def test_trying_to_send_ends_before_the_letter() -> None:
    async def go() -> None:
        async with postman({b"RSET": b"250 ok"}) as (made, port):
            account = SmtpAccount("127.0.0.1", port, tls="none", user="judge", password="secret")
            await SmtpDelivery(account).check_sending(JUDGE)
            commands = [line.split()[0] for line in made.said]
            assert commands == [b"EHLO", b"AUTH", b"MAIL", b"RCPT", b"RSET", b"QUIT"]
            assert made.said[3] == f"RCPT TO:<{JUDGE}>".encode()
            assert made.taken == []

    asyncio.run(go())


def with_postman(
    work: Callable[[Postman, SmtpDelivery], Awaitable[None]],
    later: dict[bytes, bytes] | None = None,
    faults: dict[bytes, bytes] | None = None,
) -> Postman:
    """Work with a delivery on a server, and close the delivery."""

    async def go() -> Postman:
        async with postman(faults or {}, later) as (made, port):
            delivery = SmtpDelivery(SmtpAccount("127.0.0.1", port, tls="none"))
            await work(made, delivery)
            await delivery.close()
            return made

    return asyncio.run(asyncio.wait_for(go(), 30))


def test_letters_one_after_another_share_a_connection_that_ends_with_quit() -> None:
    async def work(made: Postman, delivery: SmtpDelivery) -> None:
        for _ in range(5):
            await delivery.send(RAW, JUDGE, ANNA)
        assert len(made.connections) == 1
        await delivery.close()
        assert made.said[-1] == b"QUIT"
        await delivery.send(RAW, JUDGE, ANNA)

    made = with_postman(work)
    assert made.taken == [RAW] * 6
    assert len(made.connections) == 2


def test_letters_at_once_share_few_connections() -> None:
    async def work(made: Postman, delivery: SmtpDelivery) -> None:
        await asyncio.gather(*(delivery.send(RAW, JUDGE, ANNA) for _ in range(20)))

    made = with_postman(work)
    assert len(made.taken) == 20
    assert len(made.connections) == CONNECTIONS
    assert made.said.count(b"QUIT") == CONNECTIONS


@pytest.mark.parametrize(
    "later",
    [
        {b"MAIL": b"421 enough letters"},
        {b"MAIL": CLOSE},
        {b"RCPT": b"452 too many letters on this connection"},
        {b"RCPT": CLOSE},
    ],
    ids=["MAIL-421", "MAIL-closed", "RCPT-452", "RCPT-closed"],
)
def test_a_letter_that_a_kept_connection_does_not_take_goes_over_a_fresh_one(
    later: dict[bytes, bytes],
) -> None:
    async def work(made: Postman, delivery: SmtpDelivery) -> None:
        for _ in range(3):
            await delivery.send(RAW, JUDGE, ANNA)

    made = with_postman(work, later)
    assert made.taken == [RAW] * 3
    assert len(made.connections) == 3


def test_a_connection_that_the_server_closed_meanwhile_is_not_missed() -> None:
    async def work(made: Postman, delivery: SmtpDelivery) -> None:
        await delivery.send(RAW, JUDGE, ANNA)
        made.connections[0].close()
        await asyncio.sleep(0.05)
        await delivery.send(RAW, JUDGE, ANNA)

    made = with_postman(work)
    assert made.taken == [RAW] * 2
    assert len(made.connections) == 2


@pytest.mark.parametrize("later", [{b".": CLOSE}, {b".": b"452 disk full"}])
def test_a_letter_the_server_may_have_is_not_sent_again_at_once(later: dict[bytes, bytes]) -> None:
    async def work(made: Postman, delivery: SmtpDelivery) -> None:
        await delivery.send(RAW, JUDGE, ANNA)
        with pytest.raises(Unavailable):
            await delivery.send(RAW, JUDGE, ANNA)
        assert len(made.connections) == 1
        assert len(made.taken) == 2
        await delivery.send(RAW, JUDGE, ANNA)  # and its connection is not used again
        assert len(made.connections) == 2

    with_postman(work, later)


def test_a_server_that_is_gone_for_good_is_tried_once_more_and_no_further() -> None:
    async def work(made: Postman, delivery: SmtpDelivery) -> None:
        await delivery.send(RAW, JUDGE, ANNA)
        made.answers[b"GREETING"] = b"421 too busy"
        made.later[b"MAIL"] = b"421 too busy"
        with pytest.raises(Unavailable, match="421"):
            await delivery.send(RAW, JUDGE, ANNA)
        assert len(made.connections) == 2

    with_postman(work)


def test_an_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.mail.delivery.IDLE_SECONDS", 0.02)

    async def work(made: Postman, delivery: SmtpDelivery) -> None:
        await delivery.send(RAW, JUDGE, ANNA)
        await made.quit.wait()

    with_postman(work)


def test_a_server_that_does_not_answer_quit_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.mail.delivery.QUIT_SECONDS", 0.02)

    async def work(made: Postman, delivery: SmtpDelivery) -> None:
        await delivery.send(RAW, JUDGE, ANNA)
        await asyncio.wait_for(delivery.close(), 2)
        assert made.said[-1] == b"QUIT"

    with_postman(work, faults={b"QUIT": NOTHING})
