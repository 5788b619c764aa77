"""A letter of ours from its writing to its sending, and how a reply to it is known."""

from dataclasses import fields, replace

import pytest

from judge.errors import StoreError
from judge.rulebook import JsonObject
from judge.store import (
    Changes,
    Database,
    OutboxRow,
    OutboxState,
    OutLetter,
    Purpose,
    SentLetter,
    Store,
    Token,
)
from tests.store.values import (
    ANNA,
    CARA,
    FRANCE,
    HOUR,
    ITALY,
    NOON,
    make_active,
    make_out,
    save,
)

T1, T2, T3 = Token("t1"), Token("t2"), Token("t3")


@pytest.fixture
def written(database: Database) -> Database:
    """Three letters wait in the outbox, in the order t2, t1, t3."""
    letters = tuple(make_out(token) for token in (T2, T1, T3))
    save(database, Changes(games=(make_active(),), letters=letters))
    return database


def state_of(store: Store, token: Token) -> OutboxState:
    row = store.outbox_row(token)
    assert row is not None
    return row.state


def tokens(rows: tuple[OutboxRow, ...]) -> list[Token]:
    return [row.token for row in rows]


def render_all(store: Store) -> None:
    for row in store.claim_unrendered(99):
        store.store_rendered(row.token, f"subject {row.token}", b"bytes of " + row.token.encode())


# --- writing --------------------------------------------------------------------------------------


def test_a_letter_comes_back_as_it_was_saved(written: Database) -> None:
    letter = make_out(T1)
    with written.transaction() as store:
        row = store.outbox_row(T1)
        assert row is not None
        assert store.outbox_row(Token("none")) is None
    for field in fields(OutLetter):
        assert getattr(row, field.name) == getattr(letter, field.name), field.name
        assert getattr(letter, field.name) is not None, field.name
    assert (row.state, row.tries, row.next_try_at) == (OutboxState.QUEUED, 0, NOON)
    assert (row.subject, row.raw, row.last_error, row.sent_at) == (None, None, "", None)


def test_a_letter_to_a_stranger_comes_back_too(database: Database) -> None:
    token = Token("s1")
    letter = OutLetter(token, token, None, "x@y.org", "en", "UTC", "welcome", {}, NOON)
    save(database, Changes(letters=(letter,)))
    with database.transaction() as store:
        (row,) = store.claim_unrendered(9)
        assert row == OutboxRow(
            token, token, None, "x@y.org", "en", "UTC", "welcome", {}, NOON, next_try_at=NOON
        )


def test_the_same_letter_twice_is_one_letter(written: Database) -> None:
    save(written, Changes(letters=(make_out(T1), make_out(T1))))
    with written.transaction() as store:
        assert tokens(store.claim_unrendered(99)) == [T2, T1, T3]


def test_another_letter_of_the_same_token_is_refused(written: Database) -> None:
    messages: JsonObject = {"format": 1, "blocks": []}
    with pytest.raises(StoreError, match="t1"):
        save(written, Changes(letters=(replace(make_out(T1), messages=messages),)))


# --- replies --------------------------------------------------------------------------------------


def test_a_reply_is_known_by_the_letters_token(written: Database) -> None:
    with written.transaction() as store:
        assert store.letter_by_token("t1") == SentLetter(
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
        assert store.letter_by_token("t9") is None
        assert store.letter_by_token("\udce9") is None


def test_a_reply_is_known_by_the_threads_token(written: Database) -> None:
    with written.transaction() as store:
        sent = store.letter_by_token("root")
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
        with database.transaction() as store:
            sent = store.letter_by_token("root")
            assert sent is not None
            seats.append(sent.seat)
    assert seats == [FRANCE, FRANCE, ITALY]


def test_a_thread_of_another_player_is_refused(written: Database) -> None:
    with pytest.raises(StoreError, match="root"):
        save(written, Changes(letters=(replace(make_out("t4"), player=ANNA),)))


def test_a_first_letter_is_a_letter_and_not_a_thread(database: Database) -> None:
    first = replace(make_out("root"), thread=Token("root"))
    save(database, Changes(games=(make_active(),), letters=(first, make_out(T1))))
    with database.transaction() as store:
        sent = store.letter_by_token("root")
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
    with database.transaction() as store:
        assert store.answers_since("CARA@example.org", NOON - HOUR) == 2
        assert store.answers_since("anna@example.org", NOON - 9 * HOUR) == 0


# --- sending --------------------------------------------------------------------------------------


def test_letters_are_rendered_in_the_order_of_their_writing(written: Database) -> None:
    with written.transaction() as store:
        assert tokens(store.claim_unrendered(2)) == [T2, T1]
        assert tokens(store.claim_unrendered(2)) == [T2, T1]  # claiming changes nothing
        store.store_rendered(T2, "subject", b"bytes")
        assert tokens(store.claim_unrendered(2)) == [T1, T3]
        assert store.next_try_at() == NOON


def test_the_first_bytes_stay(written: Database) -> None:
    with written.transaction() as store:
        store.store_rendered(T1, "first", b"\x00first\xff")
        store.store_rendered(T1, "second", b"second")
        (row,) = store.claim_to_send(NOON, 9)
        assert (row.subject, row.raw) == ("first", b"\x00first\xff")
        with pytest.raises(StoreError):
            store.store_rendered(Token("none"), "", b"")


def test_nothing_is_sent_before_it_is_rendered(written: Database) -> None:
    with written.transaction() as store:
        assert store.claim_to_send(NOON + HOUR, 9) == ()
        assert store.next_try_at() is None


def test_letters_are_sent_once_and_in_the_order_of_their_writing(written: Database) -> None:
    with written.transaction() as store:
        render_all(store)
        first = store.claim_to_send(NOON, 2)
        assert tokens(first) == [T2, T1]
        assert {row.state for row in first} == {OutboxState.SENDING}
        assert first[0].raw == b"bytes of t2"
        assert tokens(store.claim_to_send(NOON, 2)) == [T3]
        assert store.claim_to_send(NOON, 2) == ()
        store.mark_sent(T2, NOON + HOUR)
        store.mark_sent(T2, NOON + 2 * HOUR)  # safe twice
        row = store.outbox_row(T2)
        assert row is not None
        assert (row.state, row.tries, row.sent_at) == (OutboxState.SENT, 1, NOON + HOUR)


def test_a_failed_letter_waits_for_its_next_try(written: Database) -> None:
    later = NOON + HOUR
    with written.transaction() as store:
        render_all(store)
        store.claim_to_send(NOON, 9)
        store.mark_failed(T1, "451 greylisted", later)
        assert store.next_try_at() == later
        assert store.claim_to_send(NOON, 9) == ()
        (row,) = store.claim_to_send(later, 9)
        assert (row.token, row.tries, row.last_error) == (T1, 1, "451 greylisted")
        assert (row.next_try_at, row.raw) == (later, b"bytes of t1")


def test_a_letter_that_failed_keeps_its_place(written: Database) -> None:
    with written.transaction() as store:
        render_all(store)
        store.claim_to_send(NOON, 9)
        for token in (T3, T2):
            store.mark_failed(token, "timeout", NOON + HOUR)
        assert tokens(store.claim_to_send(NOON + HOUR, 9)) == [T2, T3]


def test_a_stuck_letter_is_shown_and_can_be_released(written: Database) -> None:
    with written.transaction() as store:
        store.mark_stuck(T2, "KeyError: 'BUR'")  # could not be rendered
        render_all(store)
        store.claim_to_send(NOON, 9)
        store.mark_failed(T3, "451", NOON + HOUR)
        store.mark_stuck(T3, "550 no such user")
        assert [(row.token, row.last_error) for row in store.stuck()] == [
            (T2, "KeyError: 'BUR'"),
            (T3, "550 no such user"),
        ]
        assert store.claim_unrendered(9) == ()
        assert store.next_try_at() is None
        assert store.release_stuck(NOON + HOUR) == 2
        assert store.stuck() == ()
        assert tokens(store.claim_unrendered(9)) == [T2]
        (row,) = store.claim_to_send(NOON + HOUR, 9)
        assert (row.token, row.tries) == (T3, 0)


def test_what_was_being_sent_at_a_crash_is_queued_again(written: Database) -> None:
    with written.transaction() as store:
        render_all(store)
        store.claim_to_send(NOON, 2)
        store.mark_sent(T2, NOON)
    with written.transaction() as store:
        assert state_of(store, T1) is OutboxState.SENDING
        assert store.rescue_sending() == 1
        assert store.rescue_sending() == 0
        assert state_of(store, T2) is OutboxState.SENT
        assert tokens(store.claim_to_send(NOON, 9)) == [T1, T3]


def test_a_letter_that_was_sent_is_never_queued_again(written: Database) -> None:
    with written.transaction() as store:
        render_all(store)
        store.claim_to_send(NOON, 9)
        store.mark_sent(T1, NOON)
        with pytest.raises(StoreError, match="sent already"):
            store.mark_failed(T1, "late", NOON)
        with pytest.raises(StoreError, match="sent already"):
            store.mark_stuck(T1, "late")
        assert state_of(store, T1) is OutboxState.SENT
        with pytest.raises(StoreError, match="none"):
            store.mark_sent(Token("none"), NOON)
