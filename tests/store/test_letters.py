"""Every letter is kept as it came and taken once; the mailbox's mark and the judge's moments."""

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.errors import StoreError
from judge.store import Database, LetterState, MailboxMark
from tests.store.values import HOUR, NOON, make_in


def test_a_letter_is_kept_as_it_came(database: Database) -> None:
    letter = make_in(812, "<1@example.org>", raw=bytes(range(256)) * 40)
    with database.transaction() as store:
        letter_id = store.take_letter(letter)
        assert letter_id is not None
        stored = store.letter(letter_id)
        assert stored is not None
        assert stored.letter == letter
        assert (stored.state, stored.note, stored.tries) == (LetterState.TAKEN, "", 0)
        assert store.letter(letter_id + 1) is None


def test_a_letter_of_the_same_uid_is_taken_once(database: Database) -> None:
    with database.transaction() as store:
        first = store.take_letter(make_in(1))
    with database.transaction() as store:
        assert store.take_letter(make_in(1)) is None
        assert store.letter_by_uid(7, 1) == first


def test_uids_of_another_validity_are_other_letters(database: Database) -> None:
    with database.transaction() as store:
        first = store.take_letter(make_in(1))
        other = replace(make_in(1, raw=b"other"), uid_validity=8)
        second = store.take_letter(other)
        assert None not in (first, second)
        assert first != second


def test_the_same_message_id_of_a_sender_is_taken_once(database: Database) -> None:
    with database.transaction() as store:
        first = store.take_letter(make_in(1, "<1@example.org>"))
        copy = replace(make_in(2, "<1@example.org>"), sender="CARA@example.org")
        assert store.take_letter(copy) is None
        assert store.letter_by_uid(7, 2) == first  # so it can be filed away
        assert store.take_letter(copy) is None


def test_the_same_message_id_of_another_sender_is_another_letter(database: Database) -> None:
    with database.transaction() as store:
        assert store.take_letter(make_in(1, "<1@example.org>")) is not None
        other = replace(make_in(2, "<1@example.org>"), sender="bert@example.org")
        assert store.take_letter(other) is not None


def test_the_same_bytes_are_taken_once(database: Database) -> None:
    with database.transaction() as store:
        first = store.take_letter(make_in(1, raw=b"A PAR - BUR"))
        assert store.take_letter(make_in(2, raw=b"A PAR - BUR")) is None
        assert store.letter_by_uid(7, 2) == first


@pytest.mark.parametrize("nothing", [None, ""])
def test_letters_without_a_message_id_are_told_apart_by_their_bytes(
    database: Database, nothing: str | None
) -> None:
    with database.transaction() as store:
        assert store.take_letter(make_in(1, nothing)) is not None
        assert store.take_letter(make_in(2, nothing)) is not None


def test_headers_that_no_utf_8_can_hold_are_kept(database: Database) -> None:
    letter = replace(make_in(1, "<\udce9@x>"), sender="\udce9@example.org")
    with database.transaction() as store:
        letter_id = store.take_letter(letter)
        assert letter_id is not None
        assert store.take_letter(replace(make_in(2, "<\udce9@x>"), sender=letter.sender)) is None


def test_a_letter_is_settled(database: Database) -> None:
    with database.transaction() as store:
        letter_id = store.take_letter(make_in(1))
        assert letter_id is not None
        store.settle_letter(letter_id, LetterState.ASIDE, "auto-reply")
        stored = store.letter(letter_id)
        assert stored is not None
        assert (stored.state, stored.note) == (LetterState.ASIDE, "auto-reply")
        with pytest.raises(StoreError):
            store.settle_letter(letter_id + 1, LetterState.ANSWERED, "")


def test_a_letter_that_fails_is_shunted_until_it_is_settled(database: Database) -> None:
    with database.transaction() as store:
        ids = [store.take_letter(make_in(uid)) for uid in (1, 2, 3)]
        assert ids[0] is not None
        assert ids[2] is not None
        assert store.fail_letter(ids[2], "KeyError: 'BUR'") == 1
        assert store.fail_letter(ids[0], "KeyError: 'BUR'") == 1
        assert store.fail_letter(ids[0], "TypeError") == 2
        found = [(one.id, one.state, one.tries, one.last_error) for one in store.shunted()]
        assert found == [
            (ids[0], LetterState.SHUNTED, 2, "TypeError"),
            (ids[2], LetterState.SHUNTED, 1, "KeyError: 'BUR'"),
        ]
        assert store.shunted()[0].letter == make_in(1)
        store.settle_letter(ids[0], LetterState.ANSWERED, "")
        assert [one.id for one in store.shunted()] == [ids[2]]
        with pytest.raises(StoreError):
            store.fail_letter(99, "no such letter")


def test_letters_of_a_sender_are_counted_since_a_moment(database: Database) -> None:
    with database.transaction() as store:
        for uid, hours in enumerate((-3, -1, 0)):
            store.take_letter(replace(make_in(uid), taken_at=NOON + hours * HOUR))
        store.take_letter(replace(make_in(9), sender="bert@example.org"))
        assert store.letters_since("Cara@example.org", NOON - HOUR) == 2
        assert store.letters_since("cara@example.org", NOON + HOUR) == 0
        assert store.letters_since("nobody@example.org", NOON - 9 * HOUR) == 0


def test_the_mailbox_mark_is_replaced(database: Database) -> None:
    with database.transaction() as store:
        assert store.mailbox_mark() is None
        store.set_mailbox_mark(MailboxMark(7, 0))
        assert store.mailbox_mark() == MailboxMark(7, 0, None)
        store.set_mailbox_mark(MailboxMark(2**32 - 1, 812, NOON))
    with database.transaction() as store:
        assert store.mailbox_mark() == MailboxMark(2**32 - 1, 812, NOON)


def test_the_newest_heartbeat_and_the_first_start_are_remembered(database: Database) -> None:
    with database.transaction() as store:
        assert store.last_heartbeat() is None
        store.heartbeat(NOON)
        store.heartbeat(NOON + timedelta(seconds=60))
        assert store.last_heartbeat() == NOON + timedelta(seconds=60)
        assert store.install(NOON) == NOON
        assert store.install(NOON + HOUR) == NOON
