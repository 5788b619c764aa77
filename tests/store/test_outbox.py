"""A letter of ours from its writing to its sending, and how a reply to it is known."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import fields, replace

from judge.errors import StoreError
from judge.store import (
    Changes,
    Database,
    OutboxRow,
    OutboxState,
    OutLetter,
    Purpose,
    SentLetter,
    Token,
    Transaction,
)
from judge.store.outbox import ANSWERS
from judge.store.records import LEASE
from tests.store.values import (
    ANNA,
    CARA,
    FRANCE,
    HOUR,
    ITALY,
    NOON,
    PLAYERS,
    REPORT,
    digest,
    make_active,
    make_out,
    save,
)

SOON = NOON + timedelta(minutes=10)  # before a lease has run out
T1, T2, T3 = Token("t1"), Token("t2"), Token("t3")


@pytest.fixture
def written(database: Database) -> Database:
    """Three letters wait in the outbox, in the order t2, t1, t3."""
    letters = tuple(make_out(token) for token in (T2, T1, T3))
    save(database, Changes(games=(make_active(),), letters=letters))
    return database


def state_of(tx: Transaction, token: Token) -> OutboxState:
    row = tx.outbox.get(token)
    assert row is not None
    return row.state


def tokens(rows: tuple[OutboxRow, ...]) -> list[Token]:
    return [row.token for row in rows]


def render_all(tx: Transaction) -> None:
    for row in tx.outbox.unrendered(99):
        tx.outbox.save_rendered(
            row.token, f"subject {row.token}", b"bytes of " + row.token.encode()
        )


# --- writing --------------------------------------------------------------------------------------


def test_a_letter_comes_back_as_it_was_saved(written: Database) -> None:
    letter = make_out(T1)
    with written.transaction() as tx:
        row = tx.outbox.get(T1)
        assert row is not None
        assert tx.outbox.get(Token("none")) is None
    for field in fields(OutLetter):
        assert getattr(row, field.name) == getattr(letter, field.name), field.name
        assert getattr(letter, field.name) is not None, field.name
    assert (row.state, row.tries, row.next_try_at) == (OutboxState.QUEUED, 0, NOON)
    assert (row.subject, row.raw, row.last_error, row.sent_at) == (None, None, "", None)


def test_a_letter_to_a_stranger_comes_back_too(database: Database) -> None:
    token = Token("s1")
    letter = OutLetter(token, token, None, "x@y.org", "en", "UTC", "welcome", b"{}", NOON)
    save(database, Changes(letters=(letter,)))
    with database.transaction() as tx:
        (row,) = tx.outbox.unrendered(9)
        assert row == OutboxRow(
            token, token, None, "x@y.org", "en", "UTC", "welcome", b"{}", NOON, next_try_at=NOON
        )


def test_the_same_letter_twice_is_one_letter(written: Database) -> None:
    save(written, Changes(letters=(make_out(T1), make_out(T1))))
    with written.transaction() as tx:
        assert tokens(tx.outbox.unrendered(99)) == [T2, T1, T3]


def test_another_letter_of_the_same_token_is_refused(written: Database) -> None:
    with pytest.raises(StoreError, match="t1"):
        save(written, Changes(letters=(replace(make_out(T1), messages=b"{}"),)))


# --- replies --------------------------------------------------------------------------------------


def test_a_reply_is_known_by_the_letters_token(written: Database) -> None:
    with written.transaction() as tx:
        assert tx.outbox.by_token("t1") == SentLetter(
            token=T1,
            player=CARA,
            recipient="cara@example.org",
            game="balkan",
            seat=FRANCE,
            serial=2,
            label="F1901M",
            purpose=Purpose.PROPOSALS,
            payload={"lines": ["A PAR - BUR"]},
            created_at=NOON,
        )
        assert tx.outbox.by_token("t9") is None
        assert tx.outbox.by_token("\udce9") is None


def test_a_reply_is_known_by_the_threads_token(written: Database) -> None:
    with written.transaction() as tx:
        sent = tx.outbox.by_token("root")
    assert sent is not None
    assert sent.is_thread
    assert (sent.player, sent.game, sent.seat, sent.serial) == (CARA, "balkan", FRANCE, None)
    assert (sent.purpose, sent.payload) == (Purpose.LETTER, {})


def test_a_thread_that_begins_without_a_seat_learns_it_and_keeps_it(database: Database) -> None:
    joined = replace(make_out(T1), seat=None)
    save(database, Changes(games=(make_active(),), letters=(joined,)))
    seats = []
    for token, seat in ((T2, FRANCE), (T3, None), (Token("t4"), ITALY)):
        save(database, Changes(letters=(replace(make_out(token), seat=seat),)))
        with database.transaction() as tx:
            sent = tx.outbox.by_token("root")
            assert sent is not None
            seats.append(sent.seat)
    assert seats == [FRANCE, FRANCE, ITALY]


def test_a_thread_of_another_player_is_refused(written: Database) -> None:
    with pytest.raises(StoreError, match="root"):
        save(written, Changes(letters=(replace(make_out("t4"), player=ANNA),)))


def test_a_first_letter_is_a_letter_and_not_a_thread(database: Database) -> None:
    first = replace(make_out("root"), thread=Token("root"))
    save(database, Changes(games=(make_active(),), letters=(first, make_out(T1))))
    with database.transaction() as tx:
        sent = tx.outbox.by_token("root")
    assert sent is not None
    assert not sent.is_thread
    assert sent.serial == 2


def test_letters_to_an_address_of_no_player_are_counted(database: Database) -> None:
    times = (NOON - 3 * HOUR, NOON - HOUR, NOON)
    letters = [
        replace(make_out(f"t{number}", None), created_at=at, game=None, thread=Token(f"t{number}"))
        for number, at in enumerate(times)
    ]
    save(database, Changes(games=(make_active(),), letters=(*letters, make_out("t9"))))
    with database.transaction() as tx:
        count = tx.outbox.count_to_strangers_since
        assert count(NOON - HOUR, "CARA@example.org", asks=True) == 2
        assert count(NOON - HOUR, asks=True) == 2
        assert count(NOON - HOUR, asks=False) == 0
        assert count(NOON - 9 * HOUR, "anna@example.org", asks=True) == 0


def test_a_day_of_letters_to_strangers_is_counted_from_an_index_alone(database: Database) -> None:
    with database.transaction() as tx:
        plan = tx.outbox.run(f"EXPLAIN QUERY PLAN {ANSWERS}", {"since": 0, "asks": True})
        steps = [row["detail"] for row in plan]
    assert "USING COVERING INDEX letters_out_to_all_strangers (created_at>?)" in steps[0]


# --- sending --------------------------------------------------------------------------------------


def test_letters_are_rendered_in_the_order_of_their_writing(written: Database) -> None:
    with written.transaction() as tx:
        assert tokens(tx.outbox.unrendered(2)) == [T2, T1]
        assert tokens(tx.outbox.unrendered(2)) == [T2, T1]  # claiming changes nothing
        tx.outbox.save_rendered(T2, "subject", b"bytes")
        assert tokens(tx.outbox.unrendered(2)) == [T1, T3]
        assert tx.outbox.next_try_at() == NOON


def test_the_first_bytes_stay(written: Database) -> None:
    with written.transaction() as tx:
        tx.outbox.save_rendered(T1, "first", b"\x00first\xff")
        tx.outbox.save_rendered(T1, "second", b"second")
        (row,) = tx.outbox.claim_to_send(NOON, 9, "me")
        assert (row.subject, row.raw) == ("first", b"\x00first\xff")
        with pytest.raises(StoreError):
            tx.outbox.save_rendered(Token("none"), "", b"")


def test_nothing_is_sent_before_it_is_rendered(written: Database) -> None:
    with written.transaction() as tx:
        assert tx.outbox.claim_to_send(NOON + HOUR, 9, "me") == ()
        assert tx.outbox.next_try_at() is None


def test_letters_are_sent_once_and_in_the_order_of_their_writing(written: Database) -> None:
    with written.transaction() as tx:
        render_all(tx)
        first = tx.outbox.claim_to_send(NOON, 2, "me")
        assert tokens(first) == [T2, T1]
        assert {row.state for row in first} == {OutboxState.SENDING}
        assert first[0].raw == b"bytes of t2"
        assert tokens(tx.outbox.claim_to_send(NOON, 2, "me")) == [T3]
        assert tx.outbox.claim_to_send(NOON, 2, "me") == ()
        tx.outbox.mark_sent(T2, NOON + HOUR)
        tx.outbox.mark_sent(T2, NOON + 2 * HOUR)  # safe twice
        row = tx.outbox.get(T2)
        assert row is not None
        assert (row.state, row.tries, row.sent_at) == (OutboxState.SENT, 1, NOON + HOUR)


def test_a_failed_letter_waits_for_its_next_try(written: Database) -> None:
    later = SOON
    with written.transaction() as tx:
        render_all(tx)
        tx.outbox.claim_to_send(NOON, 9, "me")
        tx.outbox.mark_deferred(T1, "451 greylisted", later)
        assert tx.outbox.next_try_at() == later
        assert tx.outbox.claim_to_send(NOON, 9, "me") == ()
        (row,) = tx.outbox.claim_to_send(later, 9, "me")
        assert (row.token, row.tries, row.last_error) == (T1, 1, "451 greylisted")
        assert (row.next_try_at, row.raw) == (later, b"bytes of t1")


def test_a_letter_that_failed_keeps_its_place(written: Database) -> None:
    with written.transaction() as tx:
        render_all(tx)
        tx.outbox.claim_to_send(NOON, 9, "me")
        for token in (T3, T2):
            tx.outbox.mark_deferred(token, "timeout", SOON)
        assert tokens(tx.outbox.claim_to_send(SOON, 9, "me")) == [T2, T3]


def test_a_stuck_letter_is_shown_and_can_be_released(written: Database) -> None:
    with written.transaction() as tx:
        tx.outbox.mark_stuck(T2, "KeyError: 'BUR'")  # could not be rendered
        render_all(tx)
        tx.outbox.claim_to_send(NOON, 9, "me")
        tx.outbox.mark_deferred(T3, "451", SOON)
        tx.outbox.mark_stuck(T3, "550 no such user")
        assert [(row.token, row.last_error) for row in tx.outbox.stuck()] == [
            (T2, "KeyError: 'BUR'"),
            (T3, "550 no such user"),
        ]
        assert tx.outbox.unrendered(9) == ()
        assert tx.outbox.next_try_at() is None
        for token in (T2, T3):
            tx.outbox.retry_stuck(token, SOON)
        assert tx.outbox.stuck() == ()
        assert tokens(tx.outbox.unrendered(9)) == [T2]
        (row,) = tx.outbox.claim_to_send(SOON, 9, "me")
        assert (row.token, row.tries) == (T3, 0)


def test_what_was_being_sent_at_a_crash_is_queued_again(written: Database) -> None:
    with written.transaction() as tx:
        render_all(tx)
        tx.outbox.claim_to_send(NOON, 2, "me")
        tx.outbox.mark_sent(T2, NOON)
    with written.transaction() as tx:
        assert state_of(tx, T1) is OutboxState.SENDING
        assert tx.outbox.release("me") == 1
        assert tx.outbox.release("me") == 0
        assert state_of(tx, T2) is OutboxState.SENT
        assert tokens(tx.outbox.claim_to_send(NOON, 9, "me")) == [T1, T3]


def test_a_lease_that_has_run_out_is_anothers(written: Database) -> None:
    with written.transaction() as tx:
        render_all(tx)
        assert len(tx.outbox.claim_to_send(NOON, 9, "me")) == 3
        assert tx.outbox.claim_to_send(NOON + LEASE / 2, 9, "other") == ()
        tx.outbox.mark_sent(T2, NOON)
        assert tokens(tx.outbox.claim_to_send(NOON + LEASE, 9, "other")) == [T1, T3]
        assert tx.outbox.release("me") == 0
        assert tx.outbox.release("other") == 2


def test_the_bytes_of_letters_come_in_the_order_of_their_tokens(written: Database) -> None:
    with written.transaction() as tx:
        tx.outbox.save_rendered(T3, "third", b"3")
        tx.outbox.save_rendered(T1, "first", b"1")
        assert tx.outbox.bytes_of([T3, T2, "none", T1]) == [b"3", b"1"]
        assert tx.outbox.bytes_of([]) == []


def test_a_document_is_stored_once_however_many_letters_share_it(database: Database) -> None:
    shared = {digest(REPORT): REPORT, digest(b"own"): b"own"}
    letters = (make_out(T1), replace(make_out(T2), documents=shared))
    save(database, Changes(games=(make_active(),), letters=letters))
    with database.read() as tx:
        assert [row.documents for row in tx.outbox.unrendered(9)] == [
            make_out(T1).documents,
            shared,
        ]
    rows = database._tables.execute("SELECT length(body) FROM documents").fetchall()
    assert len(rows) == 2
    assert sum(size for (size,) in rows) < len(REPORT) / 2


def test_old_documents_are_kept_while_a_letter_must_be_rendered(database: Database) -> None:
    bodies = {token: token.encode() for token in (T1, T2, T3)}
    letters = tuple(
        replace(make_out(token), documents={digest(body): body}, created_at=NOON)
        for token, body in bodies.items()
    )
    save(database, Changes(games=(make_active(),), letters=letters))
    with database.transaction() as tx:
        tx.outbox.save_rendered(T2, "subject", b"raw")
        tx.outbox.mark_stuck(T3, "cannot be rendered")
        assert tx.outbox.forget_documents(NOON) == 0  # none is older
        assert tx.outbox.forget_documents(NOON + HOUR) == 1
        kept = {row.token: dict(row.documents) for row in map(tx.outbox.get, bodies) if row}
        assert kept == {T1: letters[0].documents, T2: {}, T3: letters[2].documents}
        tx.outbox.drop_stuck(T3)
        assert tx.outbox.forget_documents(NOON + HOUR) == 1


def test_a_letter_that_was_sent_is_never_queued_again(written: Database) -> None:
    with written.transaction() as tx:
        render_all(tx)
        tx.outbox.claim_to_send(NOON, 9, "me")
        tx.outbox.mark_sent(T1, NOON)
        with pytest.raises(StoreError, match="sent already"):
            tx.outbox.mark_deferred(T1, "late", NOON)
        with pytest.raises(StoreError, match="sent already"):
            tx.outbox.mark_stuck(T1, "late")
        assert state_of(tx, T1) is OutboxState.SENT
        with pytest.raises(StoreError, match="none"):
            tx.outbox.mark_sent(Token("none"), NOON)


def test_what_an_erased_player_left_unrendered_is_rendered_after_an_update(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    database = Database(path)
    letters = (make_out(T1), make_out(T2))
    save(database, Changes(players=PLAYERS, games=(make_active(),), letters=letters))
    with database.transaction() as tx:
        render_all(tx)
    database.close()
    with sqlite3.connect(path) as made:
        made.execute("DELETE FROM _sqlite_migrations WHERE name = 'm027_unrendered'")
        made.execute(
            "DELETE FROM rendered WHERE letter IN (SELECT id FROM letters_out WHERE token = ?)",
            [T1],
        )
    database = Database(path)
    with database.transaction() as tx:
        assert tokens(tx.outbox.unrendered(2)) == [T1]
        assert tokens(tx.outbox.claim_to_send(NOON, 9, "me")) == [T2]
    database.close()
