"""What every inbox and every way out promises: the fakes and the real ones run the same tests."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from judge.errors import Unavailable
from judge.mail import (
    Delivery,
    Fetched,
    ImapAccount,
    ImapInbox,
    Inbox,
    Rejected,
    SmtpAccount,
    SmtpDelivery,
)
from judge.mail.embedded import EmbeddedServer
from tests.mail.memory import MemoryDelivery, MemoryInbox

JUDGE = "judge@example.test"
ANNA = "anna@example.test"
WHEN = datetime(2026, 12, 5, 20, 0, 1, tzinfo=UTC)
NEVER = 100.0
SOON = 0.05
MOST_BYTES = 2000


@dataclass(slots=True)
class Bench:
    """An inbox to test, and a hand on the server behind it."""

    inbox: Inbox
    deliver: Callable[[bytes, datetime], Awaitable[object]]
    break_off: Callable[[], Awaitable[None]]


@asynccontextmanager
async def memory_bench() -> AsyncIterator[Bench]:
    inbox = MemoryInbox(max_bytes=MOST_BYTES)

    async def deliver(raw: bytes, when: datetime) -> None:
        inbox.deliver(raw, when)

    async def break_off() -> None:
        inbox.is_reachable = False

    yield Bench(inbox, deliver, break_off)


@asynccontextmanager
async def imap_bench() -> AsyncIterator[Bench]:
    server = EmbeddedServer()
    await server.start()
    account = ImapAccount(
        "127.0.0.1", server.imap_port, JUDGE, "any", tls=False, max_bytes=MOST_BYTES
    )
    inbox = ImapInbox(account)

    async def deliver(raw: bytes, when: datetime) -> None:
        await server.deliver(JUDGE, raw, when)

    yield Bench(inbox, deliver, server.stop)
    await inbox.close()
    await server.stop()


BENCHES = {"memory": memory_bench, "imap": imap_bench}


@pytest.fixture(params=BENCHES)
def check(request: pytest.FixtureRequest) -> Callable[[Callable[[Bench], Awaitable[None]]], None]:
    """Runs a test's coroutine on a bench of either kind."""

    async def on_bench(test: Callable[[Bench], Awaitable[None]]) -> None:
        async with BENCHES[request.param]() as bench:
            await asyncio.wait_for(test(bench), 30)

    return lambda test: asyncio.run(on_bench(test))


Check = Callable[[Callable[[Bench], Awaitable[None]]], None]


def raw(number: int, body: str = "A PAR - BUR") -> bytes:
    return f"From: {ANNA}\r\nSubject: {number}\r\n\r\n{body}\r\n".encode()


async def read_all(inbox: Inbox, after_uid: int = 0) -> tuple[Fetched, ...]:
    listed = await inbox.new_letters(after_uid)
    return await inbox.fetch([one.uid for one in listed])


def test_letters_come_by_number_with_their_dates_and_bytes(check: Check) -> None:
    async def go(bench: Bench) -> None:
        await bench.deliver(raw(1), WHEN)
        await bench.deliver(raw(2), WHEN - timedelta(hours=1))
        status = await bench.inbox.open()
        listed = await bench.inbox.new_letters(0)
        assert [one.received_at for one in listed] == [WHEN, WHEN - timedelta(hours=1)]
        assert listed[0].uid < listed[1].uid < status.uid_next
        fetched = await bench.inbox.fetch([one.uid for one in reversed(listed)])
        assert [one.raw for one in fetched] == [raw(1), raw(2)]
        assert [(one.uid, one.received_at, one.size_bytes) for one in fetched] == [
            (one.uid, one.received_at, one.size_bytes) for one in listed
        ]

    check(go)


def test_an_empty_mailbox_has_no_letters(check: Check) -> None:
    async def go(bench: Bench) -> None:
        await bench.inbox.open()
        assert await bench.inbox.new_letters(0) == ()
        assert await bench.inbox.fetch([]) == ()
        await bench.inbox.archive([])

    check(go)


def test_only_letters_after_a_number_are_new(check: Check) -> None:
    async def go(bench: Bench) -> None:
        status = await bench.inbox.open()
        await bench.deliver(raw(1), WHEN)
        (first,) = await bench.inbox.new_letters(status.uid_next - 1)
        assert first.uid >= status.uid_next
        assert await bench.inbox.new_letters(first.uid) == ()
        await bench.deliver(raw(2), WHEN)
        (second,) = await bench.inbox.new_letters(first.uid)
        assert second.uid > first.uid

    check(go)


def test_more_letters_than_fit_a_batch_are_all_read(check: Check) -> None:
    async def go(bench: Bench) -> None:
        for number in range(120):
            await bench.deliver(raw(number), WHEN)
        await bench.inbox.open()
        assert [one.raw for one in await read_all(bench.inbox)] == [raw(n) for n in range(120)]

    check(go)


def test_of_a_large_letter_the_beginning_comes(check: Check) -> None:
    async def go(bench: Bench) -> None:
        large = raw(1, "x" * 3000)
        await bench.deliver(large, WHEN)
        await bench.inbox.open()
        (one,) = await read_all(bench.inbox)
        assert one.raw == large[:MOST_BYTES]
        assert one.size_bytes == len(large)

    check(go)


def test_bytes_come_as_they_were_sent(check: Check) -> None:
    odd = b"Subject: \xff(\r\n\r\n* 1 FETCH ({5}\r\n)\r\nA1 OK\r\n\xea\xb0\x80\r\n.\r\n"

    async def go(bench: Bench) -> None:
        for letter in (odd, raw(2)):
            await bench.deliver(letter, WHEN)
        await bench.inbox.open()
        assert [one.raw for one in await read_all(bench.inbox)] == [odd, raw(2)]

    check(go)


def test_filed_letters_are_gone_and_filing_again_is_no_trouble(check: Check) -> None:
    async def go(bench: Bench) -> None:
        for number in range(3):
            await bench.deliver(raw(number), WHEN)
        await bench.inbox.open()
        first, second, third = (one.uid for one in await bench.inbox.new_letters(0))
        await bench.inbox.archive([third, first])
        await bench.inbox.archive([first])
        assert [one.uid for one in await bench.inbox.new_letters(0)] == [second]
        assert [one.uid for one in await bench.inbox.fetch([first, second])] == [second]
        status = await bench.inbox.open()
        assert status.uid_next > third

    check(go)


def test_the_numbering_outlives_a_connection(check: Check) -> None:
    async def go(bench: Bench) -> None:
        await bench.deliver(raw(1), WHEN)
        status = await bench.inbox.open()
        (one,) = await bench.inbox.new_letters(0)
        await bench.inbox.close()
        await bench.inbox.close()
        assert await bench.inbox.open() == status
        assert await bench.inbox.open() == status
        assert await bench.inbox.new_letters(0) == (one,)

    check(go)


def test_a_letter_ends_the_wait(check: Check) -> None:
    async def go(bench: Bench) -> None:
        await bench.inbox.open()
        assert await bench.inbox.new_letters(0) == ()
        waiting = asyncio.create_task(bench.inbox.wait(NEVER, asyncio.Event()))
        await bench.deliver(raw(1), WHEN)
        await asyncio.wait_for(waiting, 5)
        assert [one.raw for one in await read_all(bench.inbox)] == [raw(1)]

    check(go)


def test_waking_ends_the_wait(check: Check) -> None:
    async def go(bench: Bench) -> None:
        await bench.inbox.open()
        await bench.inbox.new_letters(0)
        wake = asyncio.Event()
        waiting = asyncio.create_task(bench.inbox.wait(NEVER, wake))
        wake.set()
        await asyncio.wait_for(waiting, 5)
        assert await bench.inbox.new_letters(0) == ()

    check(go)


def test_the_time_ends_the_wait_and_the_connection_goes_on(check: Check) -> None:
    async def go(bench: Bench) -> None:
        await bench.inbox.open()
        await bench.inbox.new_letters(0)
        for _ in range(3):
            await asyncio.wait_for(bench.inbox.wait(SOON, asyncio.Event()), 5)
        await bench.deliver(raw(1), WHEN)
        assert len(await bench.inbox.new_letters(0)) == 1

    check(go)


def test_without_a_connection_everything_is_unavailable(check: Check) -> None:
    async def go(bench: Bench) -> None:
        works: list[Callable[[], Awaitable[object]]] = [
            lambda: bench.inbox.new_letters(0),
            lambda: bench.inbox.fetch([1]),
            lambda: bench.inbox.archive([1]),
            lambda: bench.inbox.wait(SOON, asyncio.Event()),
        ]
        for work in works:
            with pytest.raises(Unavailable):
                await work()
        await bench.inbox.open()
        await bench.break_off()
        with pytest.raises(Unavailable):
            await bench.inbox.new_letters(0)
        with pytest.raises(Unavailable):
            await bench.inbox.open()

    check(go)


@dataclass(slots=True)
class Way:
    """A way out to test, and what came of it."""

    delivery: Delivery
    arrived: Callable[[], Awaitable[list[tuple[str, bytes]]]]


@asynccontextmanager
async def memory_way() -> AsyncIterator[Way]:
    delivery = MemoryDelivery(rejected=frozenset({"gone@example.test"}))

    async def arrived() -> list[tuple[str, bytes]]:
        return [(one.recipient, one.raw) for one in delivery.sent]

    yield Way(delivery, arrived)


@asynccontextmanager
async def smtp_way() -> AsyncIterator[Way]:
    server = EmbeddedServer()
    await server.start()

    async def arrived() -> list[tuple[str, bytes]]:
        account = ImapAccount("127.0.0.1", server.imap_port, ANNA, "any", tls=False)
        inbox = ImapInbox(account)
        await inbox.open()
        letters = await read_all(inbox)
        await inbox.close()
        return [(ANNA, one.raw) for one in letters]

    yield Way(SmtpDelivery(SmtpAccount("127.0.0.1", server.smtp_port, tls="none")), arrived)
    await server.stop()


WAYS = {"memory": memory_way, "smtp": smtp_way}


@pytest.mark.parametrize("kind", WAYS)
def test_a_letter_that_is_sent_arrives_as_it_is(kind: str) -> None:
    dotted = raw(1, ".\r\n..\r\nFrom here\r\n\ud55c\uae00")

    async def go() -> None:
        async with WAYS[kind]() as way:
            await way.delivery.send(dotted, JUDGE, ANNA)
            await way.delivery.send(raw(2), JUDGE, ANNA)
            assert await way.arrived() == [(ANNA, dotted), (ANNA, raw(2))]

    asyncio.run(go())


@pytest.mark.parametrize("kind", WAYS)
def test_letters_may_be_sent_at_once_and_after_it_was_closed(kind: str) -> None:
    async def go() -> None:
        async with WAYS[kind]() as way:
            recipients = [ANNA, *(f"{number}@example.test" for number in range(9))]
            await asyncio.gather(*(way.delivery.send(raw(1), JUDGE, one) for one in recipients))
            await way.delivery.close()
            await way.delivery.close()
            await way.delivery.send(raw(2), JUDGE, ANNA)
            letters = [one for recipient, one in await way.arrived() if recipient == ANNA]
            assert letters == [raw(1), raw(2)]
            await way.delivery.close()

    asyncio.run(go())


def test_the_fake_way_out_fails_and_refuses_as_it_is_told() -> None:
    async def go() -> None:
        delivery = MemoryDelivery(failures=1, rejected=frozenset({"gone@example.test"}))
        with pytest.raises(Unavailable):
            await delivery.send(raw(1), JUDGE, ANNA)
        with pytest.raises(Rejected):
            await delivery.send(raw(1), JUDGE, "gone@example.test")
        await delivery.send(raw(1), JUDGE, ANNA)
        assert [one.recipient for one in delivery.sent] == [ANNA]

    asyncio.run(go())
