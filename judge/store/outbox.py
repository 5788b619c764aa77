"""Letters of ours: what they say never changes, and where they are on their way does.

`queued` -> `sending` -> `sent`; `queued` again after a failure; `stuck` when a keeper must look.
Whoever sends a letter has a lease of it; when that has run out, another may send it.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlite_utils import Database as Tables

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError
from judge.store.documents import Documents
from judge.store.mail_records import OutboxRow, OutboxState
from judge.store.records import LEASE, OutLetter, Purpose, SentLetter, Token
from judge.store.rows import Row, Table, from_json, from_row, row_of, text_of, to_json

ROWS = """
SELECT letters_out.*, outbox.*, rendered.subject, rendered.raw FROM outbox
JOIN letters_out ON letters_out.id = outbox.letter
LEFT JOIN rendered ON rendered.letter = outbox.letter
"""
# These conditions must be those of the indexes, word by word, or SQLite does not use them.
UNRENDERED = "state = 'queued' AND is_rendered = 0"
TO_SEND = "state = 'queued' AND is_rendered = 1"
OF_LETTER = "letter = (SELECT id FROM letters_out WHERE token = :token)"

LETTER = """
SELECT player, recipient, game, seat, serial, label, purpose, payload, created_at
FROM letters_out WHERE token = ?
"""
THREAD = "SELECT player, recipient, game, seat, created_at FROM threads WHERE token = ?"
PAYLOAD = msgspec.json.Decoder()


class Outbox(Table):
    def __init__(self, db: Tables, documents: Documents) -> None:
        super().__init__(db)
        self.documents = documents

    # --- writing them -----------------------------------------------------------------------------

    def save(self, letter: OutLetter, cause: str) -> None:
        """Put a letter into the outbox, once: an identical one of the same token is the same one.

        Raises:
            StoreError: another letter has that token, or another thread that thread's token.
        """
        row = {
            **row_of(letter, "messages", "payload", "documents"),
            "messages": letter.messages.decode(),
            "payload": to_json(letter.payload),
            "documents": to_json(sorted(letter.documents)),
        }
        stored = self.row("SELECT * FROM letters_out WHERE token = ?", [letter.token])
        if stored is not None:
            if any(stored[column] != value for column, value in row.items()):
                raise StoreError(f"two letters have the token {letter.token}")
            return
        letter_id = self.insert("letters_out", {**row, "cause": cause})
        sql = """
            INSERT INTO outbox (letter, state, is_rendered, tries, next_try_at, last_error)
            VALUES (?, 'queued', 0, 0, ?, '')
        """
        self.run(sql, [letter_id, row["created_at"]])
        self.documents.save(letter.documents, letter.created_at)
        if letter.thread != letter.token:
            self._save_thread(letter)

    def _save_thread(self, letter: OutLetter) -> None:
        stored = self.row("SELECT * FROM threads WHERE token = ?", [letter.thread])
        if stored is None:
            fields = row_of(letter)
            columns = ("game", "seat", "player", "recipient", "created_at")
            row = {"token": letter.thread, **{name: fields[name] for name in columns}}
            self.insert("threads", row)
            return
        same_game = (stored["game"] or "").lower() == (letter.game or "").lower()
        if not same_game or stored["player"] != letter.player:
            raise StoreError(f"two threads have the token {letter.thread}")
        # A thread begins before the game does, so its first letters may name no seat.
        newest = [letter.seat or stored["seat"], text_of(letter.recipient)]
        if newest != [stored["seat"], stored["recipient"]]:
            sql = "UPDATE threads SET seat = ?, recipient = ? WHERE token = ?"
            self.run(sql, [*newest, letter.thread])

    # --- finding the one that somebody replies to -------------------------------------------------

    def by_token(self, token: str) -> SentLetter | None:
        """The letter of ours with that token, or else the thread (`is_thread`), or None."""
        token = text_of(token)
        what = f"letter {token}"
        row = self.row(LETTER, [token])
        if row is not None:
            row["payload"] = from_json(row["payload"], PAYLOAD, what)
            return from_row({**row, "token": token, "is_thread": False}, SentLetter, what)
        row = self.row(THREAD, [token])
        if row is None:
            return None
        unsaid: Row = {"serial": None, "label": None, "purpose": Purpose.LETTER, "payload": {}}
        return from_row({**row, **unsaid, "token": token, "is_thread": True}, SentLetter, what)

    def answers_since(self, address: str, since: datetime) -> int:
        """How many letters were written to an address of no player since then."""
        sql = """
            SELECT count(*) AS letters FROM letters_out
            WHERE recipient = ? AND created_at >= ? AND player IS NULL
        """
        row = self.row(sql, [text_of(address), to_seconds(since)])
        return row["letters"] if row else 0

    # --- rendering and sending them ---------------------------------------------------------------

    def get(self, token: Token) -> OutboxRow | None:
        """A letter of ours and how far it got, or None."""
        rows = self.rows(f"{ROWS} WHERE letters_out.token = ?", [token])
        return next(iter(self._with_documents(rows)), None)

    def unrendered(self, limit: int) -> tuple[OutboxRow, ...]:
        """Queued letters without bytes, oldest first."""
        sql = f"{ROWS} WHERE {UNRENDERED} ORDER BY outbox.letter LIMIT ?"
        return self._with_documents(self.rows(sql, [limit]))

    def save_rendered(self, token: Token, subject: str, raw: bytes) -> None:
        """Keep what is sent; the first bytes stay, so that every try sends the same ones.

        Raises:
            StoreError: there is no such letter.
        """
        sql = f"UPDATE outbox SET is_rendered = 1 WHERE {OF_LETTER} RETURNING letter"  # noqa: S608
        row = self.row(sql, {"token": token})
        if row is None:
            raise StoreError(f"no letter {token}")
        sql = "INSERT INTO rendered (letter, subject, raw) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self.run(sql, [row["letter"], text_of(subject), raw])

    def claim_to_send(self, now: datetime, limit: int, owner: str) -> tuple[OutboxRow, ...]:
        """Rendered letters whose next try has come, in the order of writing, without documents.

        They are `sending` now, and nobody else gets them before `release`, or the lease's end.
        """
        sql = "UPDATE outbox SET state = 'queued' WHERE state = 'sending' AND lease_until <= ?"
        self.run(sql, [to_seconds(now)])
        sql = f"{ROWS} WHERE {TO_SEND} AND next_try_at <= ? ORDER BY outbox.letter LIMIT ?"
        rows = self.rows(sql, [to_seconds(now), limit])
        for row in rows:
            row["state"] = OutboxState.SENDING.value
            sql = """
                UPDATE outbox SET state = 'sending', owner = ?, lease_until = ? WHERE letter = ?
            """
            self.run(sql, [owner, to_seconds(now + LEASE), row["letter"]])
        return tuple(_outbox_row(row, {}) for row in rows)

    def release(self, owner: str) -> int:
        """Queue again what an owner has claimed and not finished; returns how many letters."""
        sql = "UPDATE outbox SET state = 'queued' WHERE state = 'sending' AND owner = ?"
        return self.run(sql, [owner])

    def mark_sent(self, token: Token, now: datetime) -> None:
        """A mail server has taken it. Safe to call twice.

        Raises:
            StoreError: there is no such letter.
        """
        sql = f"""
            UPDATE outbox SET state = 'sent', sent_at = coalesce(sent_at, :now),
                tries = tries + (sent_at IS NULL)
            WHERE {OF_LETTER}
        """  # noqa: S608
        if not self.run(sql, {"token": token, "now": to_seconds(now)}):
            raise StoreError(f"no letter {token}")

    def mark_failed(self, token: Token, error: str, next_try_at: datetime) -> None:
        """A try failed: the letter is queued again.

        Raises:
            StoreError: there is no such letter, or it was sent already.
        """
        sql = "state = 'queued', tries = tries + 1, last_error = :error, next_try_at = :at"
        self._change_unsent(token, sql, error=text_of(error), at=to_seconds(next_try_at))

    def postpone(self, token: Token, error: str, next_try_at: datetime) -> None:
        """The letter was not tried, for no fault of its own: it is queued again.

        Raises:
            StoreError: there is no such letter, or it was sent already.
        """
        sql = "state = 'queued', last_error = :error, next_try_at = :at"
        self._change_unsent(token, sql, error=text_of(error), at=to_seconds(next_try_at))

    def hasten(self, now: datetime) -> None:
        """Letters that were postponed, and never failed by themselves, may be sent now."""
        sql = """
            UPDATE outbox SET next_try_at = :now
            WHERE state = 'queued' AND tries = 0 AND next_try_at > :now
        """
        self.run(sql, {"now": to_seconds(now)})

    def mark_stuck(self, token: Token, error: str) -> None:
        """It cannot be rendered, or was tried often enough: a keeper must look.

        Raises:
            StoreError: there is no such letter, or it was sent already.
        """
        self._change_unsent(token, "state = 'stuck', last_error = :error", error=text_of(error))

    def _change_unsent(self, token: Token, columns: str, **values: Any) -> None:
        sql = f"UPDATE outbox SET {columns} WHERE {OF_LETTER} AND state <> 'sent'"  # noqa: S608
        if not self.run(sql, {"token": token, **values}):
            raise StoreError(f"no letter {token}, or it was sent already")

    def retry_stuck(self, token: Token, now: datetime) -> None:
        """Queue a stuck letter again, with all its tries before it. StoreError if there is none."""
        sql = f"""
            UPDATE outbox SET state = 'queued', tries = 0, next_try_at = :now, last_error = ''
            WHERE {OF_LETTER} AND state = 'stuck'
        """  # noqa: S608
        if not self.run(sql, {"token": token, "now": to_seconds(now)}):
            raise StoreError(f"no stuck letter {token}")

    def drop_stuck(self, token: Token) -> None:
        """A stuck letter is not sent any more; a reply to its token is understood still.

        Raises:
            StoreError: there is none.
        """
        sql = f"DELETE FROM outbox WHERE {OF_LETTER} AND state = 'stuck'"  # noqa: S608
        if not self.run(sql, {"token": token}):
            raise StoreError(f"no stuck letter {token}")

    def release_stuck(self, now: datetime) -> int:
        """Queue all stuck letters again, with all their tries before them; returns how many."""
        sql = "UPDATE outbox SET state = 'queued', tries = 0, next_try_at = ? WHERE state = 'stuck'"
        return self.run(sql, [to_seconds(now)])

    def next_try_at(self) -> datetime | None:
        """When the next rendered letter may be sent; None if none waits."""
        row = self.row(f"SELECT min(next_try_at) AS at FROM outbox WHERE {TO_SEND}")  # noqa: S608
        return from_seconds(row["at"]) if row and row["at"] is not None else None

    def stuck(self) -> tuple[OutboxRow, ...]:
        """The stuck letters, oldest first."""
        return self._with_documents(
            self.rows(f"{ROWS} WHERE state = 'stuck' ORDER BY outbox.letter")
        )

    def _with_documents(self, rows: Sequence[Row]) -> tuple[OutboxRow, ...]:
        digests = {digest for row in rows for digest in json.loads(row["documents"])}
        documents = self.documents.get(digests) if digests else {}
        return tuple(_outbox_row(row, documents) for row in rows)


def _outbox_row(row: Row, documents: Mapping[str, bytes]) -> OutboxRow:
    what = f"letter {row['token']} to {row['recipient']}"
    values = {
        **row,
        "messages": row["messages"].encode(),
        "payload": from_json(row["payload"], PAYLOAD, what),
        "documents": {
            digest: documents[digest]
            for digest in json.loads(row["documents"])
            if digest in documents
        },
    }
    return from_row(values, OutboxRow, what)
