"""Every letter is kept as it came and taken once; the mailbox's checkpoint; timestamps."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from judge.errors import StoreError
from judge.store import Database, LetterState, PlayerId, UidCheckpoint
from tests.store.values import HOUR, NOON, letter_at, make_in


def test_a_letter_is_kept_as_it_came(database: Database) -> None:
    letter = make_in(812, "<1@example.org>", raw=bytes(range(256)) * 40)
    with database.transaction() as tx:
        letter_id = tx.letters.take(letter)
        assert letter_id is not None
        stored = tx.letters.get(letter_id)
        assert stored is not None
        assert stored.letter == letter
        assert (stored.state, stored.note, stored.tries) == (LetterState.TAKEN, "", 0)
        assert tx.letters.get(letter_id + 1) is None


def test_a_letter_of_the_same_uid_is_taken_once(database: Database) -> None:
    with database.transaction() as tx:
        first = tx.letters.take(make_in(1))
    with database.transaction() as tx:
        assert tx.letters.take(make_in(1)) is None
        assert letter_at(tx, 7, 1) == first


def test_uids_of_another_validity_are_other_letters(database: Database) -> None:
    with database.transaction() as tx:
        first = tx.letters.take(make_in(1))
        other = replace(make_in(1, raw=b"other"), uid_validity=8)
        second = tx.letters.take(other)
        assert None not in (first, second)
        assert first != second


def test_the_same_message_id_of_a_sender_is_taken_once(database: Database) -> None:
    with database.transaction() as tx:
        first = tx.letters.take(make_in(1, "<1@example.org>"))
        copy = replace(make_in(2, "<1@example.org>"), sender="CARA@example.org")
        assert tx.letters.take(copy) is None
        assert letter_at(tx, 7, 2) == first  # so it can be filed away
        assert tx.letters.take(copy) is None


def test_the_same_message_id_of_another_sender_is_another_letter(database: Database) -> None:
    with database.transaction() as tx:
        assert tx.letters.take(make_in(1, "<1@example.org>")) is not None
        other = replace(make_in(2, "<1@example.org>"), sender="bert@example.org")
        assert tx.letters.take(other) is not None


def test_the_same_bytes_are_taken_once(database: Database) -> None:
    with database.transaction() as tx:
        first = tx.letters.take(make_in(1, raw=b"A PAR - BUR"))
        assert tx.letters.take(make_in(2, raw=b"A PAR - BUR")) is None
        assert letter_at(tx, 7, 2) == first


@pytest.mark.parametrize("nothing", [None, ""])
def test_letters_without_a_message_id_are_told_apart_by_their_bytes(
    database: Database, nothing: str | None
) -> None:
    with database.transaction() as tx:
        assert tx.letters.take(make_in(1, nothing)) is not None
        assert tx.letters.take(make_in(2, nothing)) is not None


def test_headers_that_no_utf_8_can_hold_are_kept(database: Database) -> None:
    letter = replace(make_in(1, "<\udce9@x>"), sender="\udce9@example.org")
    with database.transaction() as tx:
        letter_id = tx.letters.take(letter)
        assert letter_id is not None
        assert tx.letters.take(replace(make_in(2, "<\udce9@x>"), sender=letter.sender)) is None


def test_a_letter_is_settled(database: Database) -> None:
    with database.transaction() as tx:
        letter_id = tx.letters.take(make_in(1))
        assert letter_id is not None
        tx.letters.set_state(letter_id, LetterState.ASIDE, "auto-reply")
        stored = tx.letters.get(letter_id)
        assert stored is not None
        assert (stored.state, stored.note) == (LetterState.ASIDE, "auto-reply")
        with pytest.raises(StoreError):
            tx.letters.set_state(letter_id + 1, LetterState.ANSWERED, "")


def test_a_letter_that_fails_is_shunted_until_it_is_settled(database: Database) -> None:
    with database.transaction() as tx:
        ids = [tx.letters.take(make_in(uid)) for uid in (1, 2, 3)]
        assert ids[0] is not None
        assert ids[2] is not None
        assert tx.letters.shunt(ids[2], "KeyError: 'BUR'") == 1
        assert tx.letters.shunt(ids[0], "KeyError: 'BUR'") == 1
        assert tx.letters.shunt(ids[0], "TypeError") == 2
        found = [(one.id, one.state, one.tries, one.last_error) for one in tx.letters.shunted()]
        assert found == [
            (ids[0], LetterState.SHUNTED, 2, "TypeError"),
            (ids[2], LetterState.SHUNTED, 1, "KeyError: 'BUR'"),
        ]
        assert tx.letters.shunted()[0].letter == make_in(1)
        tx.letters.set_state(ids[0], LetterState.ANSWERED, "")
        assert [one.id for one in tx.letters.shunted()] == [ids[2]]
        with pytest.raises(StoreError):
            tx.letters.shunt(99, "no such letter")


def test_letters_are_counted_by_when_they_were_received(database: Database) -> None:
    ann = PlayerId("ann")
    with database.transaction() as tx:
        for uid, hours in enumerate((-3, -1, 0)):
            at = NOON + hours * HOUR
            number = tx.letters.take(replace(make_in(uid), received_at=at, taken_at=NOON))
            if hours == 0:
                assert number is not None
                tx.letters.set_state(number, LetterState.ANSWERED, "", ann)
        tx.letters.take(replace(make_in(9), sender="bert@example.org"))
        unproven, proven = tx.letters.count_unproven_between, tx.letters.count_proven_between
        assert unproven("Cara@example.org", NOON - HOUR, NOON) == 1
        assert unproven("cara@example.org", NOON - HOUR / 2, NOON) == 0
        assert unproven("nobody@example.org", NOON - HOUR, NOON) == 0
        assert proven(ann, NOON - HOUR, NOON) == 1
        assert proven(ann, NOON - 3 * HOUR, NOON - HOUR) == 0


def test_other_words_under_the_same_message_id_are_another_letter(database: Database) -> None:
    with database.transaction() as tx:
        for number, (words, is_new) in enumerate(
            [("first", True), ("second", True), ("first", False), ("second", False)], 20
        ):
            letter = replace(make_in(number), message_id="one@x", text_sha256=words)
            assert (tx.letters.take(letter) is not None) == is_new


def test_the_mailbox_checkpoint_is_replaced(database: Database) -> None:
    with database.transaction() as tx:
        assert tx.mailbox.checkpoint() is None
        tx.mailbox.set_checkpoint(UidCheckpoint(7, 0))
        assert tx.mailbox.checkpoint() == UidCheckpoint(7, 0, None)
        tx.mailbox.set_checkpoint(UidCheckpoint(2**32 - 1, 812, NOON))
    with database.transaction() as tx:
        assert tx.mailbox.checkpoint() == UidCheckpoint(2**32 - 1, 812, NOON)


def test_timestamps_are_replaced_and_forgotten(database: Database) -> None:
    with database.transaction() as tx:
        assert tx.timestamps.get("heartbeat") is None
        tx.timestamps.set("heartbeat", NOON)
        tx.timestamps.set("heartbeat", NOON + timedelta(seconds=60))
        tx.timestamps.set("installed", NOON)
        assert tx.timestamps.get("heartbeat") == NOON + timedelta(seconds=60)
        tx.timestamps.set("heartbeat", None)
        assert tx.timestamps.get("heartbeat") is None
        assert tx.timestamps.get("installed") == NOON
