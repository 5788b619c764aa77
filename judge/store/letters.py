"""Letters that came in: each is kept as it came and taken once. How far the mailbox was read."""

from datetime import datetime

from sqlite_utils import Database as Tables

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError
from judge.store.mail_records import LetterIn, LetterState, MailboxMark, StoredLetter
from judge.store.rows import (
    Row,
    fetch,
    fetch_one,
    insert,
    instant,
    reading,
    seconds,
    sync_row,
    text_of,
    update,
)

LETTERS = "SELECT * FROM letters_in JOIN settlements ON settlements.letter = letters_in.id"
HEARTBEAT = "heartbeat"
INSTALLED = "installed"


def take_letter(db: Tables, letter: LetterIn) -> int | None:
    """Keep a letter; returns its number, or None if it was seen already.

    Seen is the same UID, the same sender and Message-ID, or the same bytes. A new UID of a letter
    that was seen is remembered too.
    """
    if letter_by_uid(db, letter.uid_validity, letter.uid) is not None:
        return None
    known = _known_letter(db, letter)
    letter_id = _insert_letter(db, letter) if known is None else known
    uid = {"uid_validity": letter.uid_validity, "uid": letter.uid, "letter": letter_id}
    insert(db, "mailbox_uids", uid)
    return letter_id if known is None else None


def letter_by_uid(db: Tables, uid_validity: int, uid: int) -> int | None:
    """The number of the letter that was seen under a UID, or None."""
    sql = "SELECT letter FROM mailbox_uids WHERE uid_validity = ? AND uid = ?"
    row = fetch_one(db, sql, [uid_validity, uid])
    return int(row["letter"]) if row else None


def _known_letter(db: Tables, letter: LetterIn) -> int | None:
    sql = """
        SELECT id FROM letters_in WHERE sha256 = :sha256
        UNION ALL
        SELECT id FROM letters_in WHERE sender = :sender AND message_id = :message_id
    """
    row = fetch_one(db, sql, _to_row(letter))
    return int(row["id"]) if row else None


def _insert_letter(db: Tables, letter: LetterIn) -> int:
    letter_id = insert(db, "letters_in", _to_row(letter))
    settlement = {"state": LetterState.TAKEN.value, "note": "", "tries": 0, "last_error": ""}
    insert(db, "settlements", {"letter": letter_id, **settlement})
    return letter_id


def _to_row(letter: LetterIn) -> Row:
    return {
        "uid_validity": letter.uid_validity,
        "uid": letter.uid,
        "sha256": letter.sha256,
        "message_id": text_of(letter.message_id) if letter.message_id else None,
        "sender": text_of(letter.sender),
        "received_at": to_seconds(letter.received_at),
        "taken_at": to_seconds(letter.taken_at),
        "raw": letter.raw,
    }


def _from_row(row: Row) -> StoredLetter:
    with reading(f"letter {row['id']}"):
        letter = LetterIn(
            uid_validity=row["uid_validity"],
            uid=row["uid"],
            sha256=row["sha256"],
            message_id=row["message_id"],
            sender=row["sender"],
            received_at=from_seconds(row["received_at"]),
            raw=row["raw"],
            taken_at=from_seconds(row["taken_at"]),
        )
        state = LetterState(row["state"])
        return StoredLetter(row["id"], letter, state, row["note"], row["tries"], row["last_error"])


def letter(db: Tables, letter_id: int) -> StoredLetter | None:
    """A letter that came in, by its number, or None."""
    row = fetch_one(db, f"{LETTERS} WHERE letters_in.id = ?", [letter_id])
    return _from_row(row) if row else None


def settle_letter(db: Tables, letter_id: int, state: LetterState, note: str) -> None:
    """Say what became of a letter.

    Raises:
        StoreError: there is no such letter.
    """
    changed = {"state": state.value, "note": text_of(note)}
    if not update(db, "settlements", {"letter": letter_id}, changed):
        raise StoreError(f"no letter {letter_id} to settle")


def fail_letter(db: Tables, letter_id: int, error: str) -> int:
    """Reading a letter failed: it is shunted. Returns how often it failed by now.

    Raises:
        StoreError: there is no such letter.
    """
    sql = """
        UPDATE settlements SET state = ?, tries = tries + 1, last_error = ? WHERE letter = ?
        RETURNING tries
    """
    row = fetch_one(db, sql, [LetterState.SHUNTED.value, text_of(error), letter_id])
    if row is None:
        raise StoreError(f"no letter {letter_id} that could fail")
    return int(row["tries"])


def shunted(db: Tables) -> tuple[StoredLetter, ...]:
    """The letters that are shunted, oldest first."""
    # The state is written out, because only so SQLite sees that the partial index serves.
    rows = fetch(db, f"{LETTERS} WHERE settlements.state = 'shunted' ORDER BY settlements.letter")
    return tuple(_from_row(row) for row in rows)


def letters_since(db: Tables, sender: str, since: datetime) -> int:
    """How many letters were taken from an address since then."""
    sql = "SELECT count(*) AS letters FROM letters_in WHERE sender = ? AND taken_at >= ?"
    row = fetch_one(db, sql, [text_of(sender), to_seconds(since)])
    return int(row["letters"]) if row else 0


def mailbox_mark(db: Tables) -> MailboxMark | None:
    """How far the mailbox was read; None before the first mark."""
    row = fetch_one(db, "SELECT * FROM mailbox WHERE id = 1")
    if row is None:
        return None
    return MailboxMark(row["uid_validity"], row["last_uid"], instant(row["read_through_at"]))


def set_mailbox_mark(db: Tables, mark: MailboxMark) -> None:
    """Replace the mark."""
    values = {
        "uid_validity": mark.uid_validity,
        "last_uid": mark.last_uid,
        "read_through_at": seconds(mark.read_through_at),
    }
    sync_row(db, "mailbox", {"id": 1}, values)


def moment(db: Tables, name: str) -> datetime | None:
    """A named moment of the judge's life, or None if it was not noted yet."""
    row = fetch_one(db, "SELECT at FROM moments WHERE name = ?", [name])
    return instant(row["at"]) if row else None


def note_moment(db: Tables, name: str, at: datetime) -> None:
    """Note a moment; a later one replaces it."""
    sync_row(db, "moments", {"name": name}, {"at": to_seconds(at)})
