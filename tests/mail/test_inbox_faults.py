"""What goes wrong between the judge and its mailbox: each trap of the library, and bad servers."""

import asyncio
import socket
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest

from judge.errors import Unavailable
from judge.mail import ImapInbox
from tests.mail.faulty_imap import DATE, FETCHED, LETTER, LISTED, OK, Answer, Fault, faulty_imap

AT_ONCE = 5.0  # seconds; the timeouts that a fault must not wait for are 20 or more
NEVER = 100.0
SOON = 0.2


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 30))


async def fails(work: Coroutine[Any, Any, Any], match: str | None = None) -> None:
    """The work raises Unavailable at once."""
    with pytest.raises(Unavailable, match=match):
        await asyncio.wait_for(work, AT_ONCE)


def test_a_refused_connection_is_unavailable_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]

    async def go() -> None:
        async with faulty_imap() as imap:
            await fails(ImapInbox(imap.account(port=port)).open())

    run(go())


@pytest.mark.parametrize(
    "greeting",
    [Fault.CLOSE, b"* BYE too many connections\r\n", (b"* BYE no\r\n", Fault.CLOSE), b"hello?\r\n"],
    ids=["close", "bye", "bye and close", "no IMAP"],
)
def test_a_server_that_does_not_greet_is_unavailable_at_once(greeting: Answer) -> None:
    async def go() -> None:
        async with faulty_imap({"GREETING": greeting}) as imap:
            await fails(ImapInbox(imap.account()).open())

    run(go())


@pytest.mark.parametrize("fault", [Fault.CLOSE, (b"* BYE\r\n",), b"{tag} NO not now\r\n"])
@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "SELECT"])
def test_trouble_while_opening_is_unavailable_and_opening_again_connects_anew(
    command: str, fault: Answer
) -> None:
    async def go() -> None:
        async with faulty_imap() as imap:
            healthy = imap.answers[command]
            imap.answers[command] = fault
            inbox = ImapInbox(imap.account())
            await fails(inbox.open())
            imap.answers[command] = healthy
            status = await inbox.open()
            assert (status.uid_validity, status.uid_next) == (5, 8)
            assert imap.connections == 2
            await inbox.close()

    run(go())


@pytest.mark.parametrize(
    "fault",
    [Fault.CLOSE, b"* BYE\r\n", (FETCHED[:-20], Fault.CLOSE), b"{tag} NO gone\r\n", b"X9 OK ?\r\n"],
    ids=["close", "bye", "inside a letter", "refused", "foreign tag"],
)
def test_a_connection_lost_in_a_fetch_is_unavailable_at_once(fault: Answer) -> None:
    async def go() -> None:
        async with faulty_imap({"UID FETCH": fault}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            await fails(inbox.fetch([7]))
            await fails(inbox.new_letters(0), "not connected")
            imap.answers["UID FETCH"] = FETCHED + OK
            await inbox.open()
            (one,) = await inbox.fetch([7])
            assert one.raw == LETTER
            await inbox.close()

    run(go())


@pytest.mark.parametrize("fault", [Fault.CLOSE, b"* BYE\r\n"])
def test_a_connection_lost_at_idle_is_unavailable_at_once(fault: Answer) -> None:
    async def go() -> None:
        async with faulty_imap({"IDLE": fault}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            await inbox.new_letters(0)
            await fails(inbox.wait(NEVER, asyncio.Event()))

    run(go())


@pytest.mark.parametrize(
    "fault", [b"{tag} NO no\r\n", b"{tag} BAD no\r\n", b"+ idling\r\n{tag} OK done\r\n"]
)
def test_a_server_that_refuses_idle_is_asked_now_and_then_on_the_same_connection(
    fault: Answer,
) -> None:
    async def go() -> None:
        async with faulty_imap({"IDLE": fault}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            for _ in range(3):
                await inbox.new_letters(0)
                waiting = asyncio.create_task(inbox.wait(SOON, asyncio.Event()))
                assert not (await asyncio.wait({waiting}, timeout=SOON / 2))[0], "it waits"
                await waiting
            assert imap.connections == len(imap.told("IDLE")) == 1
            await inbox.close()

    run(go())


@pytest.mark.parametrize("last", [b"", b"* BYE shutting down\r\n"])
def test_a_connection_lost_in_idle_is_unavailable_at_once(last: bytes) -> None:
    async def go() -> None:
        async with faulty_imap() as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            await inbox.new_letters(0)
            waiting = asyncio.create_task(inbox.wait(NEVER, asyncio.Event()))
            await imap.idling.wait()
            if last:
                imap.push(last)  # and the connection stays open
            else:
                assert imap.writer is not None
                imap.writer.close()
            await fails(_outcome(waiting))

    run(go())


async def _outcome(task: "asyncio.Task[None]") -> None:
    await task


@pytest.mark.parametrize("command", ["GREETING", "LOGIN", "SELECT", "UID SEARCH", "UID FETCH"])
def test_a_silent_server_is_given_up(command: str) -> None:
    async def go() -> None:
        async with faulty_imap({command: Fault.SILENCE}) as imap:
            inbox = ImapInbox(imap.account(command_seconds=SOON))
            with pytest.raises(Unavailable, match="Timeout"):
                await _open_and_list(inbox)
            with pytest.raises(Unavailable, match="not connected"):
                await inbox.new_letters(0)

    run(go())


async def _open_and_list(inbox: ImapInbox) -> None:
    await inbox.open()
    await inbox.new_letters(0)


def fetched_as(words: bytes) -> bytes:
    return b"* 1 FETCH (UID 7 %s BODY[]<0> {%d}\r\n%s)\r\n" % (words, len(LETTER), LETTER) + OK


@pytest.mark.parametrize(
    "date", [b'INTERNALDATE "01-Jan-1970 00:00:00 +0000"', b'INTERNALDATE "soon"', b""]
)
def test_a_letter_without_a_date_that_can_be_is_received_now(date: bytes) -> None:
    async def go() -> None:
        async with faulty_imap({"UID FETCH": fetched_as(date + b" RFC822.SIZE 40")}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            (one,) = await inbox.fetch([7])
            assert abs((datetime.now(UTC) - one.received_at).total_seconds()) < 10
            await inbox.close()

    run(go())


@pytest.mark.parametrize("fault", [b"{tag} NO [SERVERBUG] internal error\r\n", Fault.CLOSE])
def test_a_letter_whose_listing_fails_costs_no_other(fault: Answer) -> None:
    listed = b"* 1 FETCH (UID %d " + DATE + b" RFC822.SIZE 9)\r\n"

    async def go() -> None:
        async with faulty_imap({"UID SEARCH": b"* SEARCH 6 7 8\r\n" + OK}) as imap:
            for uid in (6, 8):
                imap.answers[f"UID FETCH {uid}"] = listed % uid + OK
            imap.answers["UID FETCH"] = fault  # of any set with 7 in it
            inbox = ImapInbox(imap.account())
            for _ in range(2):
                await inbox.open()
                await fails(inbox.new_letters(0))
            await inbox.open()
            found = await inbox.new_letters(0)
            assert [one.uid for one in found] == [6, 7, 8]
            assert [one.received_at.year for one in found if one.uid != 7] == [2026, 2026]
            assert len(imap.told("UID FETCH")) == 5, "and 7 is not asked for again"
            await inbox.close()

    run(go())


@pytest.mark.parametrize("fault", [Fault.CLOSE, Fault.SILENCE])
def test_a_server_that_breaks_at_create_is_read(fault: Fault) -> None:
    async def go() -> None:
        faults = {"CREATE": fault, "UID MOVE": b"{tag} NO [TRYCREATE] no such folder\r\n"}
        async with faulty_imap({**faults, "UID FETCH": FETCHED + OK}) as imap:
            inbox = ImapInbox(imap.account(command_seconds=SOON))
            await inbox.open()
            with pytest.raises(Unavailable):
                await inbox.archive([7])
            for _ in range(2):
                await inbox.open()
                assert len(await inbox.fetch([7])) == 1
                await inbox.archive([7])
            assert len(imap.told("CREATE")) == 1
            await inbox.close()

    run(go())


@pytest.mark.parametrize(
    "search",
    [
        b"* search 7\r\n",
        b"* SEARCH 7 (MODSEQ 917162500)\r\n",
        b"* SEARCH\r\n* SEARCH 7\r\n* 3 FETCH (FLAGS (\\Seen))\r\n",
    ],
    ids=["lower case", "with its MODSEQ", "in pieces"],
)
def test_letters_are_found_as_any_server_names_them(search: bytes) -> None:
    async def go() -> None:
        fetched = FETCHED.replace(b"FETCH", b"fetch").replace(b"BODY", b"body")
        async with faulty_imap({"UID SEARCH": search + OK, "UID FETCH": fetched + OK}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            assert [one.uid for one in await inbox.new_letters(0)] == [7]
            assert [one.raw for one in await inbox.fetch([7])] == [LETTER]
            await inbox.close()

    run(go())


@pytest.mark.parametrize("size", [b"", b"RFC822.SIZE 9999999"])
def test_only_the_bytes_that_came_count(size: bytes) -> None:
    async def go() -> None:
        async with faulty_imap({"UID FETCH": fetched_as(DATE + b" " + size)}) as imap:
            inbox = ImapInbox(imap.account(max_bytes=len(LETTER)))
            await inbox.open()
            (one,) = await inbox.fetch([7])
            assert (one.raw, one.size_bytes) == (LETTER, len(LETTER))
            await inbox.close()
            larger = ImapInbox(imap.account(max_bytes=len(LETTER) - 1))
            await larger.open()
            (one,) = await larger.fetch([7])
            assert (one.raw, one.size_bytes > len(one.raw)) == (LETTER[:-1], True)
            await larger.close()

    run(go())


@pytest.mark.parametrize("is_listed", [True, False])
def test_letters_are_filed_inside_inbox_or_stay_there(is_listed: bool) -> None:
    async def go() -> None:
        listing = b'* LIST (\\HasNoChildren) "." ""\r\n' if is_listed else b""
        faults = {"UID MOVE": b"{tag} NO [TRYCREATE] no such folder\r\n", "LIST": listing + OK}
        async with faulty_imap(faults) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            await inbox.archive([7])
            await inbox.archive([7])
            assert (await inbox.open()).uid_validity == 5
            assert imap.connections == 1
            created = any("INBOX.Processed" in line for line in imap.told("CREATE"))
            assert created is is_listed
            await inbox.close()

    run(go())


def test_a_server_that_fell_silent_in_idle_is_given_up() -> None:
    async def go() -> None:
        async with faulty_imap({"DONE": Fault.SILENCE}) as imap:
            inbox = ImapInbox(imap.account(command_seconds=SOON))
            await inbox.open()
            await inbox.new_letters(0)
            await fails(inbox.wait(SOON, asyncio.Event()), "Timeout")

    run(go())


def test_a_push_ends_the_wait() -> None:
    async def go() -> None:
        async with faulty_imap() as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            await inbox.new_letters(0)
            waiting = asyncio.create_task(inbox.wait(NEVER, asyncio.Event()))
            await imap.idling.wait()
            imap.push(b"* 2 EXISTS\r\n")
            await asyncio.wait_for(waiting, AT_ONCE)
            assert imap.said[-1] == "DONE"
            await inbox.new_letters(0)
            await inbox.close()

    run(go())


def test_a_letter_announced_before_idle_is_not_waited_for() -> None:
    async def go() -> None:
        async with faulty_imap({"UID MOVE": b"* 2 EXISTS\r\n" + OK}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            await inbox.new_letters(0)
            await inbox.archive([7])
            await asyncio.wait_for(inbox.wait(NEVER, asyncio.Event()), AT_ONCE)
            assert imap.told("IDLE") == []
            await inbox.new_letters(0)
            await asyncio.wait_for(inbox.wait(SOON, asyncio.Event()), AT_ONCE)
            assert len(imap.told("IDLE")) == 1
            await inbox.close()

    run(go())


def test_letters_that_were_there_when_it_opened_do_not_end_the_wait() -> None:
    async def go() -> None:
        async with faulty_imap() as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            waiting = asyncio.create_task(inbox.wait(NEVER, asyncio.Event()))
            await imap.idling.wait()
            assert not waiting.done()
            imap.push(b"* 2 EXISTS\r\n")
            await asyncio.wait_for(waiting, AT_ONCE)
            await inbox.close()

    run(go())


def test_waking_ends_the_wait_with_and_without_idle() -> None:
    async def go(capabilities: str) -> None:
        async with faulty_imap(capabilities=capabilities) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            await inbox.new_letters(0)
            wake = asyncio.Event()
            wake.set()
            await asyncio.wait_for(inbox.wait(NEVER, wake), AT_ONCE)
            assert len(imap.told("IDLE")) == ("IDLE" in capabilities)
            await inbox.close()

    run(go("IDLE MOVE"))
    run(go("MOVE"))


def test_five_thousand_lines_in_one_piece_are_read() -> None:
    flood = b"".join(b"* %d EXISTS\r\n* %d FETCH (FLAGS ())\r\n" % (n, n) for n in range(2500))

    async def go() -> None:
        async with faulty_imap({"NOOP": flood + OK}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            assert [one.uid for one in await inbox.new_letters(0)] == [7]
            await inbox.close()

    run(go())


async def stale_token() -> str:
    return "stale"


def test_a_refused_token_is_said_in_the_servers_words() -> None:
    async def go() -> None:
        async with faulty_imap({"AUTHENTICATE": b"{tag} NO token expired\r\n"}) as imap:
            await fails(ImapInbox(imap.account(token=stale_token)).open(), "NO token expired")

    run(go())


def test_a_challenge_is_answered_so_that_the_refusal_comes() -> None:
    """Large servers refuse a token so: challenge, an empty line from us, then NO."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK ready\r\n")
        tag = (await reader.readline()).split()[0]
        writer.write(b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\n" + tag + b" OK\r\n")
        tag = (await reader.readline()).split()[0]
        writer.write(b"+ eyJzdGF0dXMiOiI0MDEifQ==\r\n")
        assert await reader.readline() == b"\r\n"
        writer.write(tag + b" NO token expired\r\n")
        await reader.read()
        writer.close()

    async def go() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, faulty_imap() as imap:
            account = imap.account(port=port, token=stale_token)
            await fails(ImapInbox(account).open(), "NO token expired")

    run(go())


def test_a_token_is_asked_at_each_login() -> None:
    asked: list[int] = []

    async def token() -> str:
        asked.append(len(asked))
        return f"token{len(asked)}"

    async def go() -> None:
        async with faulty_imap() as imap:
            inbox = ImapInbox(imap.account(token=token))
            for _ in range(2):
                await inbox.open()
                await inbox.close()
            assert len(set(imap.told("AUTHENTICATE XOAUTH2"))) == 2
            assert imap.told("LOGIN") == []

    run(go())
    assert len(asked) == 2


def test_capabilities_in_the_answer_to_login_are_not_garbled() -> None:
    login = b"{tag} OK [CAPABILITY IMAP4rev1 MOVE IDLE] welcome\r\n"

    async def go() -> None:
        async with faulty_imap({"LOGIN": login}, "move idle") as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            await inbox.new_letters(0)
            await inbox.archive([7])
            await inbox.wait(SOON, asyncio.Event())
            assert imap.told("IDLE")
            assert imap.told("UID MOVE")
            await inbox.close()

    run(go())


def test_names_are_quoted_and_coded() -> None:
    async def go() -> None:
        async with faulty_imap() as imap:
            account = imap.account(
                user='j"u dge', password='se"c\\ret', folder="R&D", processed_folder="판정 보관함"
            )
            inbox = ImapInbox(account)
            await inbox.open()
            assert imap.told("CREATE") == []
            healthy, imap.answers["UID MOVE"] = (
                imap.answers["UID MOVE"],
                b"{tag} NO [TRYCREATE] no\r\n",
            )
            await inbox.archive([7])
            imap.answers["UID MOVE"] = healthy
            await inbox.archive([7])
            await inbox.close()
            assert imap.told("LOGIN") == ['LOGIN "j\\"u dge" "se\\"c\\\\ret"']
            assert imap.told("SELECT") == ['SELECT "R&-D"']
            assert imap.told("CREATE") == ['CREATE "&0xDIFQ- &vPStANVo-"']

    run(go())


def test_news_are_fetched_before_the_search_and_no_charset_is_named() -> None:
    async def go() -> None:
        async with faulty_imap({"UID FETCH": FETCHED + OK}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            imap.said.clear()
            imap.answers["SELECT"] = b"* OK [UIDVALIDITY 5] x\r\n* OK [UIDNEXT 7] x\r\n" + OK
            await inbox.close()
            assert (await inbox.open()).uid_next == 7
            imap.said.clear()
            (one,) = await inbox.new_letters(3)
            assert (await inbox.open()).uid_next == 8, "as far as the letters tell"
            assert imap.said[:2] == ["NOOP", "UID SEARCH UID 4:*"]
            # One letter needs no list: its date comes with it.
            assert not imap.told("UID FETCH")
            (letter,) = await inbox.fetch([one.uid])
            assert letter.received_at == datetime(2026, 12, 5, 20, 0, 1, tzinfo=UTC)
            assert letter.size_bytes == len(LETTER)
            # "8:*" finds the last letter too, however low its number.
            assert await inbox.new_letters(7) == ()
            await inbox.close()

    run(go())


@pytest.mark.parametrize(
    ("capabilities", "commands"),
    [
        ("MOVE UIDPLUS", ['UID MOVE 7,9 "Processed"']),
        ("UIDPLUS", ['UID COPY 7,9 "Processed"', "UID STORE 7,9", "UID EXPUNGE 7,9"]),
        ("", ['UID COPY 7,9 "Processed"', "UID STORE 7,9", "EXPUNGE"]),
    ],
)
def test_letters_are_filed_away_as_the_server_can(capabilities: str, commands: list[str]) -> None:
    async def go() -> None:
        async with faulty_imap(capabilities=capabilities) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            imap.said.clear()
            await inbox.archive([9, 7])
            assert len(imap.said) == len(commands)
            assert all(map(str.startswith, imap.said, commands))
            await inbox.close()

    run(go())


def test_letters_are_told_from_what_is_said_between() -> None:
    second = FETCHED.replace(b"* 1", b"* 2").replace(b"UID 7", b"UID 8")
    empty = b"* 3 FETCH (UID 9 " + DATE + b" RFC822.SIZE 0 BODY[]<0> {0}\r\n)\r\n"
    noise = b"* 1 FETCH (FLAGS (\\Seen))\r\n* 4 EXISTS\r\n"
    answer = noise + FETCHED + noise + second + empty + noise + OK

    async def go() -> None:
        async with faulty_imap({"UID FETCH": answer}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            letters = await inbox.fetch([7, 8, 9])
            assert [(one.uid, one.raw) for one in letters] == [(7, LETTER), (8, LETTER)]
            await inbox.close()

    run(go())


def test_many_letters_are_fetched_in_batches() -> None:
    async def go() -> None:
        async with faulty_imap({"UID FETCH": FETCHED + OK}) as imap:
            inbox = ImapInbox(imap.account(max_bytes=1000))
            await inbox.open()
            await inbox.fetch(range(1, 46))
            fetches = imap.told("UID FETCH")
            assert [line.count(",") + 1 for line in fetches] == [20, 20, 5]
            assert all("BODY.PEEK[]<0.1001>" in line for line in fetches)
            await inbox.close()

    run(go())


def test_commands_go_one_at_a_time() -> None:
    async def go() -> None:
        async with faulty_imap({"UID FETCH": LISTED + OK}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            imap.said.clear()
            await asyncio.gather(inbox.new_letters(0), inbox.new_letters(0))
            one = ["NOOP", "UID SEARCH UID 1:*", "UID FETCH 7 (UID INTERNALDATE RFC822.SIZE)"]
            assert imap.said == one * 2
            await inbox.close()

    run(go())


def test_a_cancelled_command_drops_the_connection() -> None:
    async def go() -> None:
        async with faulty_imap({"UID SEARCH": Fault.SILENCE}) as imap:
            inbox = ImapInbox(imap.account())
            await inbox.open()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(inbox.new_letters(0), SOON)
            await inbox.open()
            assert imap.connections == 2
            await inbox.close()

    run(go())
