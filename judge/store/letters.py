"""Letters that came in: each is kept as it came and taken once; how far the mailbox was read; and
what the service notes of its own life."""

from datetime import datetime

from judge.clock import to_seconds
from judge.errors import StoreError
from judge.store.mail_records import LetterIn, LetterState, StoredLetter, UidCheckpoint
from judge.store.people import PlayerId
from judge.store.rows import Row, Table, from_row, row_of

LETTERS = "SELECT * FROM letters_in JOIN dispositions ON dispositions.letter = letters_in.id"
KNOWN = """
SELECT letter AS id FROM mailbox_uids WHERE uid_validity = :uid_validity AND uid = :uid
UNION ALL
SELECT id FROM letters_in WHERE sha256 = :sha256
UNION ALL
SELECT id FROM letters_in WHERE sender = :sender AND message_id = :message_id
    AND text_sha256 IN ('', :text_sha256)
"""


class Letters(Table):
    def take(self, letter: LetterIn) -> int | None:
        """Keep a letter; returns its number, or None if it was seen already.

        Seen is the same UID, the same bytes, or the same sender, Message-ID and words, which came
        another way. A new UID of a letter that was seen is remembered too.
        """
        row = row_of(letter)
        row["message_id"] = row["message_id"] or None
        known = self.run(KNOWN, row).fetchone()
        letter_id = known["id"] if known else self.insert("letters_in", row)
        if not known:
            new = {"letter": letter_id, "state": "taken", "note": "", "tries": 0, "last_error": ""}
            self.insert("dispositions", new)
        where = {"uid_validity": letter.uid_validity, "uid": letter.uid}
        self.insert("mailbox_uids", {**where, "letter": letter_id}, replace=True)
        return None if known else letter_id

    def uids_after(self, uid_validity: int, uid: int) -> frozenset[int]:
        """The UIDs above one that were seen in that mailbox."""
        sql = "SELECT uid FROM mailbox_uids WHERE uid_validity = ? AND uid > ?"
        return frozenset(self.column(sql, [uid_validity, uid]))

    def by_uid(self, uid_validity: int, uid: int) -> LetterIn | None:
        """The letter that was seen under a UID, or None."""
        sql = """
            SELECT letters_in.* FROM mailbox_uids JOIN letters_in ON letters_in.id = letter
            WHERE mailbox_uids.uid_validity = ? AND mailbox_uids.uid = ?
        """
        row = self.run(sql, [uid_validity, uid]).fetchone()
        return from_row(row, LetterIn, f"letter {row['id']}") if row else None

    def forget_uids(self, uid_validity: int) -> None:
        """The mailbox gives the UIDs of that numbering to other letters."""
        self.run("DELETE FROM mailbox_uids WHERE uid_validity = ?", [uid_validity])

    def settled_digests(self) -> frozenset[str]:
        """The SHA-256 of every letter that was settled."""
        sql = """
            SELECT sha256 FROM letters_in JOIN dispositions ON dispositions.letter = letters_in.id
            WHERE dispositions.state <> 'taken'
        """
        return frozenset(self.column(sql))

    def get(self, letter_id: int) -> StoredLetter | None:
        """A letter that came in, by its number, or None."""
        row = self.run(f"{LETTERS} WHERE letters_in.id = ?", [letter_id]).fetchone()
        return _letter(row) if row else None

    def set_state(
        self, letter_id: int, state: LetterState, note: str, player: PlayerId | None = None
    ) -> None:
        """Say what became of a letter, and whose it proved to be. StoreError if there is none."""
        sql = "UPDATE dispositions SET state = ?, note = ? WHERE letter = ?"
        if not self.run(sql, [state.value, note, letter_id]).rowcount:
            raise StoreError(f"no letter {letter_id}")
        if player is not None:
            sql = """
                UPDATE dispositions SET player = ?,
                    proven_at = (SELECT received_at FROM letters_in WHERE id = letter)
                WHERE letter = ?
            """
            self.run(sql, [player, letter_id])

    def shunt(self, letter_id: int, error: str) -> int:
        """Reading a letter failed: it is shunted. Returns how often it failed by now.

        Raises:
            StoreError: there is no such letter.
        """
        sql = """
            UPDATE dispositions SET state = 'shunted', tries = tries + 1, last_error = ?
            WHERE letter = ? RETURNING tries
        """
        tries = self.value(sql, [error, letter_id])
        if tries is None:
            raise StoreError(f"no letter {letter_id} that could fail")
        return int(tries)

    def shunted(self) -> tuple[StoredLetter, ...]:
        """The letters that are shunted, oldest first."""
        # The state is written out, because only so SQLite sees that the partial index serves.
        sql = f"{LETTERS} WHERE dispositions.state = 'shunted' ORDER BY dispositions.letter"
        return tuple(_letter(row) for row in self.run(sql))

    def replace_raw(self, letter_id: int, raw: bytes) -> None:
        """Keep these bytes in place of those that came, which held a password."""
        self.run("UPDATE letters_in SET raw = ? WHERE id = ?", [raw, letter_id])

    def count_proven_between(self, player: PlayerId, since: datetime, until: datetime) -> int:
        """How many letters that proved to be a player's were received between two instants."""
        sql = "SELECT count(*) FROM dispositions WHERE player = ? AND proven_at BETWEEN ? AND ?"
        return int(self.value(sql, [player, to_seconds(since), to_seconds(until)]))

    def count_unproven_between(self, sender: str, since: datetime, until: datetime) -> int:
        """How many letters with an address in From that nothing proved were received likewise."""
        sql = """
            SELECT count(*) FROM letters_in JOIN dispositions ON dispositions.letter = letters_in.id
            WHERE sender = ? AND taken_at >= ? AND received_at BETWEEN ? AND ? AND player IS NULL
        """
        seconds = [to_seconds(since), to_seconds(since), to_seconds(until)]
        return int(self.value(sql, [sender, *seconds]))


def _letter(row: Row) -> StoredLetter:
    what = f"letter {row['id']}"
    return from_row({**row, "letter": from_row(row, LetterIn, what)}, StoredLetter, what)


# --- the mailbox, and the service's own life ------------------------------------------------------

SET_CHECKPOINT = """
INSERT OR REPLACE INTO uid_checkpoint (id, uid_validity, last_uid, read_through_at)
VALUES (1, :uid_validity, :last_uid, :read_through_at)
"""


class Mailbox(Table):
    def checkpoint(self) -> UidCheckpoint | None:
        """How far the mailbox was read; None before the first checkpoint."""
        row = self.run("SELECT * FROM uid_checkpoint").fetchone()
        return from_row(row, UidCheckpoint, "the checkpoint of the mailbox") if row else None

    def set_checkpoint(self, checkpoint: UidCheckpoint) -> None:
        self.run(SET_CHECKPOINT, row_of(checkpoint))


class Timestamps(Table):
    """Instants by name: the newest heartbeat, the first start."""

    def get(self, name: str) -> datetime | None:
        """None if it was not noted."""
        return self.instant("SELECT at FROM timestamps WHERE name = ?", [name])

    def set(self, name: str, at: datetime | None) -> None:
        """Note an instant in place of the one before; None: forget it."""
        if at is None:
            self.run("DELETE FROM timestamps WHERE name = ?", [name])
        else:
            self.run("INSERT OR REPLACE INTO timestamps VALUES (?, ?)", [name, to_seconds(at)])
