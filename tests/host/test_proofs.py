"""What proves whose letter it is: tokens in others' hands, dated ones, proofs that failed."""

from datetime import timedelta

import pytest

from judge.host.messages.game_events import DeadlineMoved
from judge.host.messages.games import GameStatus
from judge.host.messages.order_answers import NotRead, OrdersAnswer, StaleOrders
from judge.host.messages.press import PressReceived
from judge.host.messages.refusals import AddressAsked, Refusal, RefusalKind
from judge.mail import Fetched, message_id_for, reply_address
from judge.store import LetterState, OutboxRow

from .conftest import JUDGE, OPENINGS, RECEIVER, UID_VALIDITY, Hall, address_of

FRANCE, ITALY, MASTER = address_of("FRANCE"), address_of("ITALY"), "gm@example.test"
FAILED = {"Authentication-Results": f"{RECEIVER}; dmarc=fail header.from=example.test"}
PASSED = {"Authentication-Results": f"{RECEIVER}; dmarc=pass header.from=example.test"}


def order_set(hall: Hall, seat: str) -> list[str]:
    return [line.text for line in hall.game().order_set(seat)]  # type: ignore[arg-type]


def letters_to(hall: Hall, address: str) -> list[OutboxRow]:
    return [row for row in hall.out if row.recipient == address]


def id_of(row: OutboxRow) -> str:
    return f"<{message_id_for(row.token, JUDGE)}>"


def run_a_phase(hall: Hall) -> None:
    hall.open_game()
    hall.run_phase()


# --- others' tokens -------------------------------------------------------------------------------


def test_of_several_tokens_the_one_of_the_sender_counts(hall: Hall) -> None:
    hall.start()
    both = f"{reply_address(hall.last(ITALY).token, JUDGE)}, {JUDGE}"
    headers = {
        "To": both,
        "In-Reply-To": id_of(hall.last(ITALY)),
        "References": id_of(hall.last(FRANCE)),
    }
    hall.post(FRANCE, OPENINGS["FRANCE"], headers=headers)
    assert len(order_set(hall, "FRANCE")) == 3
    assert order_set(hall, "ITALY") == []


@pytest.mark.parametrize(
    "body", [OPENINGS["FRANCE"], "SIGNON Fbalkan guess\nA PAR - BUR", "Secret plan!"]
)
def test_a_players_words_are_never_shown_to_the_owner_of_a_token(hall: Hall, body: str) -> None:
    hall.start()
    told = letters_to(hall, ITALY)
    hall.post(FRANCE, body, reply_to=hall.last(ITALY))
    assert letters_to(hall, ITALY) == told
    assert order_set(hall, "FRANCE") == []
    if body.startswith("A "):
        assert hall.said(FRANCE, AddressAsked).is_own
        hall.post(FRANCE, "yes", reply_to=hall.last(FRANCE))
        assert len(order_set(hall, "FRANCE")) == 3


def test_passwords_are_shown_to_nobody(hall: Hall) -> None:
    hall.start()
    hall.post("x@else.test", "SIGNON Fbalkan xyzzy7\nA PAR H", reply_to=hall.last(ITALY))
    assert hall.was_told(ITALY, AddressAsked) == []
    hall.post("x@else.test", "JOIN balkan FRANCE xyzzy7\nA ROM H", reply_to=hall.last(ITALY))
    assert hall.said(ITALY, AddressAsked).excerpt == "JOIN balkan FRANCE\nA ROM H"
    assert "xyzzy7" not in str([(row.messages, row.payload) for row in hall.out])


def test_what_is_not_shown_is_not_carried_out_and_is_named(hall: Hall) -> None:
    hall.start()
    filler = "\n".join(f"A ROM - NO{number:03}" for number in range(300))
    hall.post(ITALY, f"{filler}\nF NAP - ION")
    asked = hall.said(ITALY, AddressAsked)
    assert asked.excerpt.splitlines() == filler.splitlines()[: len(asked.excerpt.splitlines())]
    assert hall.said(ITALY, NotRead).lines[-1] == "F NAP - ION"
    hall.post(ITALY, "yes", reply_to=hall.last(ITALY))
    assert order_set(hall, "ITALY") == []


# --- YES to "did you write this?" -----------------------------------------------------------------


@pytest.mark.parametrize(
    "reply", ["OK, but who is that? I did not write this.", "Yes\nI never wrote that", "OK\nnot me"]
)
def test_a_doubtful_yes_is_asked_again(hall: Hall, reply: str) -> None:
    hall.start()
    hall.post(FRANCE, "A PAR - BUR")
    asked = hall.last(FRANCE)
    hall.post(FRANCE, reply, reply_to=asked)
    assert order_set(hall, "FRANCE") == []
    hall.post(FRANCE, "Yes, thanks\nFrance", reply_to=asked)
    assert order_set(hall, "FRANCE") == ["A PAR - BUR"]
    hall.order("FRANCE", "A PAR H")
    hall.post(FRANCE, "yes", reply_to=asked)
    assert order_set(hall, "FRANCE") == ["A PAR H"]
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.EXPIRED


def test_a_yes_to_proposals_counts_once(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A Mra - Spa")
    asked = hall.last(FRANCE)
    hall.post(FRANCE, "yes", reply_to=asked)
    hall.order("FRANCE", "A MAR H")
    hall.post(FRANCE, "yes", reply_to=asked)
    assert order_set(hall, "FRANCE") == ["A MAR H"]


# --- dated tokens ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body", ["PRESS TO ITALY\nattack at dawn\nENDPRESS", "DRAW", "WAIT", "CLEAR"]
)
def test_a_token_of_a_past_phase_only_reads(hall: Hall, body: str) -> None:
    hall.start()
    old = hall.last(FRANCE)
    run_a_phase(hall)
    hall.order("FRANCE", "A BUR - BEL")
    before = hall.game()
    hall.post(FRANCE, "STATUS", reply_to=old)
    assert hall.said(FRANCE, GameStatus).order_set
    hall.post(FRANCE, body, reply_to=old)
    assert hall.said(FRANCE, AddressAsked).excerpt == body
    assert hall.was_told(ITALY, PressReceived) == []
    assert hall.game() == before
    hall.post(FRANCE, "yes", reply_to=hall.last(FRANCE))
    assert hall.game() != before or hall.was_told(ITALY, PressReceived)


def test_the_masters_dated_token_moves_no_deadline(hall: Hall) -> None:
    hall.start()
    old = hall.last(MASTER)
    run_a_phase(hall)
    hall.post(MASTER, "SET DEADLINE +1d", reply_to=old)
    assert hall.was_told(FRANCE, DeadlineMoved) == []
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    assert len(hall.was_told(FRANCE, DeadlineMoved)) == 1


@pytest.mark.parametrize("body", ["A PAR - BUR", "WAIT"])
def test_a_reply_to_the_root_of_a_thread_is_asked_back(hall: Hall, body: str) -> None:
    hall.start()
    before = hall.game()
    root = hall.last(FRANCE).thread
    hall.post(FRANCE, body, headers={"References": f"<{message_id_for(root, JUDGE)}>"})
    assert hall.game() == before
    hall.post(FRANCE, "yes", reply_to=hall.last(FRANCE))
    assert hall.game() != before


def test_old_lines_are_shown_and_a_proof_of_the_address_makes_any_token_good(hall: Hall) -> None:
    hall.start()
    old = hall.last(FRANCE)
    run_a_phase(hall)
    hall.post(FRANCE, "A BUR - BEL", reply_to=old)
    assert hall.said(FRANCE, StaleOrders).lines
    hall.post(FRANCE, "WAIT", reply_to=hall.last(FRANCE))
    assert hall.game().seat("FRANCE").wait  # type: ignore[arg-type]
    hall.post(FRANCE, "PRESS TO ITALY\nhello\nENDPRESS", reply_to=old, headers=PASSED)
    assert hall.said(ITALY, PressReceived).text == "hello"


def test_a_token_of_no_game_is_dated_after_some_days(hall: Hall) -> None:
    hall.register(FRANCE, "France")
    old = hall.last(FRANCE)
    hall.create()
    hall.post(FRANCE, "JOIN balkan", reply_to=old)
    assert len(hall.game().applicants) == 1
    hall.register(ITALY, "Italy")
    old = hall.last(ITALY)
    hall.instant += timedelta(days=4)
    hall.post(ITALY, "JOIN balkan", reply_to=old)
    assert len(hall.game().applicants) == 1
    assert hall.said(ITALY, AddressAsked).excerpt == "JOIN balkan"
    hall.post(ITALY, "yes", reply_to=hall.last(ITALY))
    assert len(hall.game().applicants) == 2


@pytest.mark.parametrize("command", ["RESIGN", "PROCESS S1901M"])
def test_a_question_lapses(hall: Hall, command: str) -> None:
    hall.start("movement: 20d")
    who = MASTER if command.startswith("PROCESS") else FRANCE
    hall.post(who, command, reply_to=hall.last(who))
    asked = hall.last(who)
    hall.pass_time(timedelta(days=4))
    before = hall.game()
    hall.post(who, "yes", reply_to=asked)
    assert hall.said(who, Refusal).kind is RefusalKind.EXPIRED
    assert hall.game() == before


# --- a proof that failed --------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [FAILED, {"From": f"{FRANCE}\r\nFrom: evil@else.test"}])
def test_a_failed_check_cancels_what_a_token_proves(hall: Hall, headers: dict[str, str]) -> None:
    hall.start()
    hall.post(FRANCE, OPENINGS["FRANCE"], reply_to=hall.last(FRANCE), headers=headers)
    assert order_set(hall, "FRANCE") == []
    assert hall.said(FRANCE, AddressAsked).is_own
    # The question went to that address alone: whoever has its token reads the letters there.
    hall.post(FRANCE, "yes", reply_to=hall.last(FRANCE), headers=headers)
    assert len(order_set(hall, "FRANCE")) == 3
    assert hall.said(FRANCE, OrdersAnswer).order_set


@pytest.mark.parametrize(
    "written",
    ["<=?utf-8?q?a=1B[31m=00?=@x.test>", "<안나@x.test>", "<a\x1b\x00b@x.test>", "<a@x>y"],
)
def test_the_id_of_a_letter_puts_nothing_into_our_headers(hall: Hall, written: str) -> None:
    hall.post(FRANCE, "HELP", headers={"Message-ID": written})
    with hall.database.read() as tx:
        (raw,) = tx.outbox.bytes_of([hall.last(FRANCE).token])
    head = raw.partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert b"\x1b" not in head
    assert b"\x00" not in head


@pytest.mark.parametrize("games", [0, 1, 2])
@pytest.mark.parametrize(
    ("written", "told"), [("LIST MINE", "list of games"), ("BLOCK", "your block list")]
)
def test_a_players_new_letter_that_nothing_proves_is_asked_about(
    hall: Hall, games: int, written: str, told: str
) -> None:
    hall.register(FRANCE, "Ann")
    for name in ("balkan", "alps")[:games]:
        hall.create(name=name)
        hall.join("FRANCE", name)
    hall.post(FRANCE, written)
    assert hall.said(FRANCE, AddressAsked).excerpt == written
    hall.post(FRANCE, "yes", reply_to=hall.last(FRANCE))
    assert told in hall.text(hall.last(FRANCE))


def test_beside_what_anybody_may_ask_a_letter_that_nothing_proves_is_told_so(hall: Hall) -> None:
    hall.register(FRANCE, "Ann")
    hall.post(FRANCE, "LIST\nBLOCK")
    text = hall.text(hall.last(FRANCE))
    assert "Send it as a reply to this letter: then it counts." in text
    hall.post(FRANCE, "BLOCK", reply_to=hall.last(FRANCE))
    assert "your block list" in hall.text(hall.last(FRANCE))


SECRET = "hemlock7"


@pytest.mark.parametrize(
    "body",
    [
        f"SET PASSWORD {SECRET}",
        f"SET PASSWORD\n\n{SECRET}",
        f'Set password: "{SECRET} of mine"',
        f"비밀번호 변경 {SECRET}",
        f"SIGNON Fbalkan {SECRET} please",
        f"JOIN balkan FRANCE {SECRET}",
        f"JOIN balkan {SECRET}",
        f"JOIN balkan FRANCE\nPASSWORD {SECRET}",
        f"JOIN balkan\n{SECRET}",
        f"TAKE OVER FRANCE {SECRET}",
        f"Take over balkan {SECRET}",
        f"OBSERVE alps {SECRET}",
        f"CREATE spring {SECRET}",
        f"CREATE ?spring {SECRET} standard",
        f"CREATE spring\nmovement: 5d\npassword: {SECRET}",
        f"CREATE spring\nmovement: 5d\npasswd = {SECRET}",
        f"PRESS TO ENGLAND\nmy password: {SECRET}",
        f"A BUR H\n-- \nA MAR - SPA (password: {SECRET})",
    ],
)
@pytest.mark.parametrize("is_player", [True, False])
def test_no_password_is_kept_anywhere(hall: Hall, body: str, is_player: bool) -> None:
    hall.start()
    reply_to = hall.last(FRANCE) if is_player else None
    hall.post(FRANCE if is_player else "ann@example.test", f"{body}\nHELP", reply_to=reply_to)
    with hall.database.transaction() as tx:
        stored = tx.letters.get(hall._count)
    assert stored is not None
    assert b"***" in stored.letter.raw
    assert b"HELP" in stored.letter.raw
    kept = [line for line in hall.database._tables.conn.iterdump() if SECRET in line]
    assert kept == []


@pytest.mark.parametrize("command", ["OBSERVE", "WATCH", "SUBSCRIBE"])
def test_no_join_word_is_kept_once_a_stranger_has_said_yes(hall: Hall, command: str) -> None:
    hall.start()
    hall.post("ann@example.test", f"{command} balkan {SECRET}")
    assert f"{command} balkan ***" in hall.text(hall.last("ann@example.test"))
    hall.post("ann@example.test", "yes", reply_to=hall.last("ann@example.test"))
    assert len(hall.game().observers) == 1
    assert [line for line in hall.database._tables.conn.iterdump() if SECRET in line] == []


@pytest.mark.parametrize("line", ["Take over France please", "Take over balkan FRANCE"])
def test_what_is_no_password_stays_in_the_letter(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    with hall.database.transaction() as tx:
        stored = tx.letters.get(hall._count)
    assert stored is not None
    assert line.encode() in stored.letter.raw


def test_a_short_password_is_taken_out_where_it_stands_alone(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "SET PASSWORD ar\nA MAR - SPA")
    with hall.database.transaction() as tx:
        stored = tx.letters.get(hall._count)
    assert stored is not None
    assert stored.letter.raw.endswith(b"SET PASSWORD ***\nA MAR - SPA\n")


def test_the_power_behind_join_is_no_password(hall: Hall) -> None:
    hall.create()
    hall.post("ann@example.test", "JOIN balkan FRANCE")
    with hall.database.transaction() as tx:
        stored = tx.letters.get(hall._count)
    assert stored is not None
    assert b"JOIN balkan FRANCE" in stored.letter.raw


@pytest.mark.parametrize("line", ["A BUR H", "READY", "GAME balkan\nA BUR H"])
def test_a_letter_that_is_read_again_after_its_phase_changes_nothing_of_the_next(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    hall.start()
    head = f"From: {FRANCE}\r\nTo: {JUDGE}\r\nMessage-ID: <late@example.test>\r\n"
    proof = "".join(f"{name}: {value}\r\n" for name, value in PASSED.items())
    raw = f"{head}{proof}\r\n{line}\r\n".encode()
    with monkeypatch.context() as patched:
        patched.setattr("judge.intake.take_letter", lambda *_: 1 / 0)
        hall._intake.take(Fetched(900, hall.instant, raw, len(raw)), UID_VALIDITY)
    with hall.database.transaction() as tx:
        (shunted,) = tx.letters.shunted()
        tx.letters.set_state(shunted.id, LetterState.ASIDE, "")  # so that the hall finds no fault
    hall.pass_time(timedelta(days=2))
    run_a_phase(hall)
    with hall.database.transaction() as tx:
        tx.letters.shunt(shunted.id, "ZeroDivisionError")
    assert hall._intake.retry(shunted)
    hall._collect()
    assert order_set(hall, "FRANCE") == []
    assert not hall.game().seats[2].ready
    told = {getattr(one, "kind", type(one)) for one in hall.messages(hall.last(FRANCE))}
    assert told & {StaleOrders, RefusalKind.PHASE_RAN}
