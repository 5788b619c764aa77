"""Letters of ours: what they say never changes, and where they are on their way does.

`queued` -> `sending` -> `sent`; `queued` again after a failure; `stuck` when a keeper must look.
Whoever sends a letter has a lease of it; when that has run out, another may send it.
Pictures of letters are stored once, by the digest of what they show.
"""

import json
import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError
from judge.store.mail_records import OutboxRow, OutboxState
from judge.store.records import LEASE, OutLetter, SentLetter, Token
from judge.store.rows import Row, Table, from_row, row_of, to_json, without_surrogates

TRIES_OUT_OF_TURN = 5  # of a deferred letter, before a later one to the same recipient
REFUSED_ONCE = "refused: "  # before the error of a letter whose address was refused once
ROWS = """
SELECT letters_out.*, outbox.*, rendered.subject, rendered.raw, rendered.pictures FROM outbox
JOIN letters_out ON letters_out.id = outbox.letter
LEFT JOIN rendered ON rendered.letter = outbox.letter
"""
# These conditions must be those of the indexes, word by word, or SQLite does not use them.
UNRENDERED = "state = 'queued' AND is_rendered = 0"
TO_SEND = "state = 'queued' AND is_rendered = 1"
# Older letters to these recipients that were deferred; not those whose address was refused.
DEFERRED = f"""
{ROWS} WHERE {TO_SEND} AND next_try_at > :now AND outbox.letter < :last
AND last_error NOT LIKE '{REFUSED_ONCE}%' AND tries < {TRIES_OUT_OF_TURN}
AND recipient IN (SELECT value FROM json_each(:recipients))
ORDER BY outbox.letter LIMIT :limit
"""  # noqa: S608
OF_LETTER = "letter = (SELECT id FROM letters_out WHERE token = :token)"

LETTER = """
SELECT token, player, recipient, game, seat, serial, label, purpose, payload, created_at
FROM letters_out WHERE token = ?
"""
THREAD = """
SELECT token, player, recipient, game, seat, NULL AS serial, NULL AS label, 'letter' AS purpose,
    '{}' AS payload, created_at, 1 AS is_thread
FROM threads WHERE token = ?
"""
DOCUMENTS = "SELECT sha256, body FROM documents WHERE sha256 IN (SELECT value FROM json_each(?))"
# Only letters that have no bytes yet need them.
FORGET_DOCUMENTS = f"""
DELETE FROM documents WHERE created_at < ? AND sha256 NOT IN (
    SELECT value FROM letters_out JOIN json_each(letters_out.documents)
    WHERE letters_out.id IN (
        SELECT letter FROM outbox WHERE {UNRENDERED}
        UNION ALL SELECT letter FROM outbox WHERE state = 'stuck'
    )
)
"""  # noqa: S608
BYTES = """
SELECT raw FROM json_each(?) AS named JOIN letters_out ON letters_out.token = named.value
JOIN rendered ON rendered.letter = letters_out.id ORDER BY named.key
"""
# Without letters to keepers, who are no players either. An index alone answers it.
ANSWERS = """
SELECT count(*) FROM letters_out
WHERE created_at >= :since AND player IS NULL AND kind NOT IN ('keeper', 'invitation')
    AND (purpose <> 'letter') = :asks
"""
INVITATIONS = """
SELECT created_at FROM letters_out WHERE player IS NULL AND recipient = ? AND kind = 'invitation'
ORDER BY created_at DESC LIMIT 5
"""
LISTS = ("payload", "attachments", "calendar", "pictures")  # as JSON in a row


@dataclass
class Outbox(Table):
    """`_kept` are digests of documents that are known to be stored, in this transaction."""

    _kept: set[str] = field(default_factory=set)

    # --- writing them -----------------------------------------------------------------------------

    def save(self, letter: OutLetter, cause: str) -> None:
        """Put a letter into the outbox, once: an identical one of the same token is the same one.

        Raises:
            StoreError: another letter has that token, or another thread that thread's token.
        """
        row = {
            **row_of(letter, "payload", "attachments", "calendar"),
            "messages": letter.messages.decode(),
            "documents": to_json(sorted(letter.documents)),
        }
        stored = self.run("SELECT * FROM letters_out WHERE token = ?", [letter.token]).fetchone()
        if stored is not None:
            if any(stored[column] != value for column, value in without_surrogates(row).items()):
                raise StoreError(f"two letters have the token {letter.token}")
            return
        letter_id = self.insert("letters_out", {**row, "cause": cause})
        new = {"letter": letter_id, "state": "queued", "is_rendered": 0, "tries": 0}
        self.insert("outbox", {**new, "next_try_at": row["created_at"], "last_error": ""})
        for digest in letter.documents.keys() - self._kept:
            if not self.value("SELECT 1 FROM documents WHERE sha256 = ?", [digest]):
                values = [digest, zlib.compress(letter.documents[digest]), row["created_at"]]
                self.run("INSERT INTO documents VALUES (?, ?, ?)", values)
        self._kept |= letter.documents.keys()

        if letter.thread == letter.token:
            return
        stored = self.run("SELECT * FROM threads WHERE token = ?", [letter.thread]).fetchone()
        if stored is None:
            columns = ("game", "seat", "player", "recipient", "created_at")
            thread = {"token": letter.thread, **{column: row[column] for column in columns}}
            self.insert("threads", thread)
            return
        # A game that was deleted or cancelled has left its name to another.
        is_free = stored["game"] is None and letter.game is not None
        same_game = (stored["game"] or "").lower() == (letter.game or "").lower()
        if not (same_game or is_free) or stored["player"] != letter.player:
            raise StoreError(f"two threads have the token {letter.thread}")
        # A thread begins before the game does, so its first letters may name no seat.
        newest = [letter.game, letter.seat or stored["seat"], row["recipient"]]
        if newest != [stored["game"], stored["seat"], stored["recipient"]]:
            sql = "UPDATE threads SET game = ?, seat = ?, recipient = ? WHERE token = ?"
            self.run(sql, [*newest, letter.thread])

    # --- finding the one that somebody replies to -------------------------------------------------

    def by_token(self, token: str) -> SentLetter | None:
        """The letter of ours with that token, or else the thread (`is_thread`), or None. For a copy
        to another address of its player, the letter itself."""
        row = self.run(LETTER, [token]).fetchone() or self.run(THREAD, [token]).fetchone()
        if row is None:
            return None
        sent = from_row(row, SentLetter, f"letter {row['token']}", "payload")
        copied = sent.payload.get("copy_of")
        original = self.by_token(str(copied)) if copied is not None else None
        return sent if original is None else replace(original, recipient=sent.recipient)

    def close_question(self, token: Token) -> None:
        """A question is answered, once and for all; what it would have done is forgotten."""
        sql = "UPDATE letters_out SET purpose = 'closed', payload = '{}' WHERE token = ?"
        self.run(sql, [token])

    def count_to_strangers_since(
        self, since: datetime, address: str | None = None, *, asks: bool
    ) -> int:
        """How many letters were written since then to an address of no player (None: to all of
        them): those that ask something, or the others."""
        of_address = "" if address is None else "AND recipient = :address"
        values = {"since": to_seconds(since), "address": address, "asks": asks}
        return int(self.value(f"{ANSWERS} {of_address}", values))

    def invitation_times(self, address: str) -> tuple[datetime, ...]:
        """When an address was last invited to games, the newest first; at most a few."""
        return tuple(map(from_seconds, self.column(INVITATIONS, [address])))

    # --- rendering and sending them ---------------------------------------------------------------

    def get(self, token: Token) -> OutboxRow | None:
        """A letter of ours and how far it got, or None."""
        found = self._read(self.run(f"{ROWS} WHERE letters_out.token = ?", [token]))
        return next(iter(found), None)

    def bytes_of(self, tokens: Sequence[str]) -> list[bytes]:
        """Letters of ours as they are sent, in this order; without those that have no bytes."""
        return [*self.column(BYTES, [json.dumps(tokens)])]

    def unrendered(self, limit: int, held: Collection[Token] = ()) -> tuple[OutboxRow, ...]:
        """Queued letters without bytes, oldest first, but none that are `held`."""
        but = "AND token NOT IN (SELECT value FROM json_each(?))" if held else ""
        sql = f"{ROWS} WHERE {UNRENDERED} {but} ORDER BY outbox.letter LIMIT ?"
        return self._read(self.run(sql, [*([json.dumps([*held])] if held else ()), limit]))

    def save_rendered(
        self, token: Token, subject: str, raw: bytes, pictures: Sequence[str] = ()
    ) -> None:
        """Keep what is sent; the first bytes stay, so that every try sends the same ones.

        `pictures` stand in it only as their digests.

        Raises:
            StoreError: there is no such letter.
        """
        sql = f"UPDATE outbox SET is_rendered = 1 WHERE {OF_LETTER} RETURNING letter"  # noqa: S608
        letter = self.value(sql, {"token": token})
        if letter is None:
            raise StoreError(f"no letter {token}")
        sql = """
            INSERT INTO rendered (letter, subject, raw, pictures) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
        """
        self.run(sql, [letter, subject, raw, json.dumps(pictures)])

    def claim_to_send(self, now: datetime, limit: int, owner: str) -> tuple[OutboxRow, ...]:
        """Rendered letters whose next try has come, in the order of writing, without documents; an
        older one to the same recipient goes before each, so that none overtakes it.

        They are `sending` now, and nobody else gets them before `release`, or the lease's end.
        """
        sql = "UPDATE outbox SET state = 'queued' WHERE state = 'sending' AND lease_until <= ?"
        self.run(sql, [to_seconds(now)])
        sql = f"{ROWS} WHERE {TO_SEND} AND next_try_at <= ? ORDER BY outbox.letter LIMIT ?"
        rows = self.run(sql, [to_seconds(now), limit]).fetchall()
        if rows:
            values = {
                "now": to_seconds(now),
                "last": rows[-1]["letter"],
                "recipients": to_json([row["recipient"] for row in rows]),
                "limit": limit,
            }
            older = self.run(DEFERRED, values).fetchall()
            rows = sorted((*older, *rows), key=lambda row: row["letter"])
        sql = "UPDATE outbox SET state = 'sending', owner = ?, lease_until = ? WHERE letter = ?"
        for row in rows:
            self.run(sql, [owner, to_seconds(now + LEASE), row["letter"]])
        state = OutboxState.SENDING.value
        return self._read({**row, "state": state, "documents": "[]"} for row in rows)

    def release(self, owner: str) -> int:
        """Queue again what an owner has claimed and not finished; returns how many letters."""
        sql = "UPDATE outbox SET state = 'queued' WHERE state = 'sending' AND owner = ?"
        return self.run(sql, [owner]).rowcount

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
        if not self.run(sql, {"token": token, "now": to_seconds(now)}).rowcount:
            raise StoreError(f"no letter {token}")
        # A password that was sent stands nowhere but in its letter, and here as a hash.
        sql = """
            SELECT id, messages, raw FROM letters_out JOIN rendered ON rendered.letter = id
            WHERE token = ? AND kind = 'answer' AND messages LIKE '%"password":%'
        """
        row = self.run(sql, [token]).fetchone()
        if row is not None:
            messages, raw = without_passwords(row["messages"], row["raw"])
            self.run("UPDATE letters_out SET messages = ? WHERE id = ?", [messages, row["id"]])
            self.run("UPDATE rendered SET raw = ? WHERE letter = ?", [raw, row["id"]])
        # The last letter to a player who was forgotten held the last copy of the address.
        sql = """
            UPDATE letters_out SET recipient = '', answers = NULL
            WHERE token = ? AND kind = 'farewell' RETURNING id
        """
        for letter in self.column(sql, [token]):
            self.run("DELETE FROM rendered WHERE letter = ?", [letter])

    def mark_deferred(
        self, token: Token, error: str, next_try_at: datetime, *, was_tried: bool = True
    ) -> None:
        """A try failed, or was not made, for no fault of the letter's own: it is queued again.
        Raises StoreError: there is no such letter, or it was sent already."""
        sql = "state = 'queued', tries = tries + :one, last_error = :error, next_try_at = :at"
        at = to_seconds(next_try_at)
        self._change_unsent(token, sql, one=int(was_tried), error=error, at=at)

    def hasten(self, now: datetime, without: Collection[str] = ()) -> None:
        """Letters that were postponed, and never failed by themselves, may be sent now; not those
        to some recipients."""
        sql = """
            UPDATE outbox SET next_try_at = :now
            WHERE state = 'queued' AND tries = 0 AND next_try_at > :now AND letter NOT IN (
                SELECT id FROM letters_out
                WHERE recipient IN (SELECT value FROM json_each(:without))
            )
        """
        self.run(sql, {"now": to_seconds(now), "without": json.dumps([*without])})

    def mark_stuck(self, token: Token, error: str) -> None:
        """It cannot be rendered, or was tried often enough: a keeper must look. Raises StoreError:
        there is no such letter, or it was sent already."""
        self._change_unsent(token, "state = 'stuck', last_error = :error", error=error)

    def _change_unsent(self, token: Token, columns: str, **values: Any) -> None:
        sql = f"UPDATE outbox SET {columns} WHERE {OF_LETTER} AND state <> 'sent'"  # noqa: S608
        if self.run(sql, {"token": token, **values}).rowcount:
            return
        sql = "SELECT 1 FROM letters_out WHERE token = ? AND recipient = ''"  # a forgotten player's
        if not self.value(sql, [token]):
            raise StoreError(f"no letter {token}, or it was sent already")

    def retry_stuck(self, token: Token, now: datetime) -> None:
        """Queue a stuck letter again, with all its tries before it. StoreError if there is none."""
        sql = f"""
            UPDATE outbox SET state = 'queued', tries = 0, next_try_at = :now, last_error = ''
            WHERE {OF_LETTER} AND state = 'stuck'
        """  # noqa: S608
        if not self.run(sql, {"token": token, "now": to_seconds(now)}).rowcount:
            raise StoreError(f"no stuck letter {token}")

    def drop_stuck(self, token: Token) -> None:
        """A stuck letter is not sent any more; a reply to its token is understood still. StoreError
        if there is none."""
        sql = f"DELETE FROM outbox WHERE {OF_LETTER} AND state = 'stuck'"  # noqa: S608
        if not self.run(sql, {"token": token}).rowcount:
            raise StoreError(f"no stuck letter {token}")

    def next_try_at(self) -> datetime | None:
        """When the next rendered letter may be sent; None if none waits."""
        return self.instant(f"SELECT min(next_try_at) FROM outbox WHERE {TO_SEND}")  # noqa: S608

    def deferred(self) -> tuple[OutboxRow, ...]:
        """Letters that were refused or postponed and are tried again, oldest first."""
        sql = f"{ROWS} WHERE {TO_SEND} AND last_error <> '' ORDER BY outbox.letter"
        return self._read(self.run(sql))

    def stuck(self) -> tuple[OutboxRow, ...]:
        """The stuck letters, oldest first."""
        return self._read(self.run(f"{ROWS} WHERE state = 'stuck' ORDER BY outbox.letter"))

    def forget_documents(self, before: datetime) -> int:
        """Delete documents made before an instant that no letter needs; returns how many.

        A letter needs its documents until its bytes are there, or while it is stuck.
        """
        self._kept.clear()
        return self.run(FORGET_DOCUMENTS, [to_seconds(before)]).rowcount

    def _read(self, rows: Iterable[Row]) -> tuple[OutboxRow, ...]:
        """Letters with their documents, without those that are not kept."""
        named = [(row, json.loads(row["documents"])) for row in rows]
        digests = sorted({digest for _, own in named for digest in own})
        kept = self.run(DOCUMENTS, [json.dumps(digests)]) if digests else ()
        documents = {row["sha256"]: zlib.decompress(row["body"]) for row in kept}
        letters = []
        for row, own in named:
            what = f"letter {row['token']} to {row['recipient']}"
            values = {
                **row,
                "messages": row["messages"].encode(),
                "pictures": row["pictures"] or "[]",
                "documents": {digest: documents[digest] for digest in own if digest in documents},
            }
            letters.append(from_row(values, OutboxRow, what, *LISTS))
        return tuple(letters)


# --- passwords ------------------------------------------------------------------------------------

WRITTEN = re.compile(r'"password": ?("(?:[^"\\]|\\.)+")')


def without_passwords(messages: str, raw: bytes) -> tuple[str, bytes]:
    """A letter's messages (JSON) without the passwords in them, and its bytes with stars there."""
    for written in WRITTEN.findall(messages):
        password = json.loads(written).encode()
        raw = raw.replace(password, b"*" * len(password))
    return WRITTEN.sub('"password":""', messages), raw


FORGET = """
DELETE FROM pictures WHERE used_at < ? AND sha256 NOT IN (
    SELECT value FROM outbox JOIN rendered ON rendered.letter = outbox.letter
    JOIN json_each(rendered.pictures) WHERE outbox.state IN ('queued', 'sending', 'stuck')
)
"""


class Pictures(Table):
    def has(self, sha256: str) -> bool:
        return bool(self.value("SELECT 1 FROM pictures WHERE sha256 = ?", [sha256]))

    def get(self, digests: Collection[str]) -> Mapping[str, bytes]:
        """Those of these pictures that are stored, PNG files by their digests."""
        sql = "SELECT sha256, body FROM pictures WHERE sha256 IN (SELECT value FROM json_each(?))"
        return {row["sha256"]: row["body"] for row in self.run(sql, [json.dumps([*digests])])}

    def save(self, sha256: str, body: bytes, now: datetime) -> None:
        """Keep a picture; the first bytes stay."""
        sql = "INSERT INTO pictures VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self.run(sql, [sha256, body, to_seconds(now)])

    def note_use(self, digests: Collection[str], now: datetime) -> None:
        """A letter shows these pictures."""
        sql = "UPDATE pictures SET used_at = ? WHERE sha256 IN (SELECT value FROM json_each(?))"
        self.run(sql, [to_seconds(now), json.dumps([*digests])])

    def forget(self, before: datetime) -> int:
        """Delete pictures that no letter has shown since an instant, and that none shows which is
        not sent yet; returns how many. Whoever asks for one later has it drawn again."""
        return self.run(FORGET, [to_seconds(before)]).rowcount
