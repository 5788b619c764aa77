"""Letters of ours: what they say never changes, and where they are on their way does.

`queued` -> `sending` -> `sent`; `queued` again after a failure; `stuck` when a keeper must look.
"""

from datetime import datetime

from sqlite_utils import Database as Tables

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError
from judge.rulebook import SeatId
from judge.store.mail_records import OutboxRow, OutboxState
from judge.store.records import OutLetter, PlayerId, Purpose, SentLetter, Token
from judge.store.rows import (
    Row,
    fetch,
    fetch_one,
    from_json,
    insert,
    instant,
    reading,
    text_of,
    to_json,
    update,
)

ROWS = """
SELECT letters_out.*, outbox.*, rendered.subject, rendered.raw FROM outbox
JOIN letters_out ON letters_out.id = outbox.letter
LEFT JOIN rendered ON rendered.letter = outbox.letter
"""
# These conditions must be those of the indexes, word by word, or SQLite does not use them.
UNRENDERED = "state = 'queued' AND is_rendered = 0"
TO_SEND = "state = 'queued' AND is_rendered = 1"


# --- writing them -----------------------------------------------------------------------------


def save_letter(db: Tables, letter: OutLetter, cause: str) -> None:
    """Put a letter into the outbox, once: an identical one of the same token is the same letter.

    Raises:
        StoreError: another letter has that token, or another thread that thread's token.
    """
    row = _to_row(letter)
    stored = fetch_one(db, "SELECT * FROM letters_out WHERE token = ?", [letter.token])
    if stored is not None:
        if any(stored[column] != value for column, value in row.items()):
            raise StoreError(f"two letters have the token {letter.token}")
        return
    letter_id = insert(db, "letters_out", {**row, "cause": cause})
    delivery = {
        "letter": letter_id,
        "state": OutboxState.QUEUED.value,
        "is_rendered": 0,
        "tries": 0,
        "next_try_at": row["created_at"],
        "last_error": "",
    }
    insert(db, "outbox", delivery)
    if letter.thread != letter.token:
        _save_thread(db, letter)


def _save_thread(db: Tables, letter: OutLetter) -> None:
    stored = fetch_one(db, "SELECT * FROM threads WHERE token = ?", [letter.thread])
    if stored is None:
        row = {
            "token": letter.thread,
            "game": letter.game,
            "seat": letter.seat,
            "player": letter.player,
            "recipient": letter.recipient,
            "created_at": to_seconds(letter.created_at),
        }
        insert(db, "threads", row)
        return
    same_game = (stored["game"] or "").lower() == (letter.game or "").lower()
    if not same_game or stored["player"] != letter.player:
        raise StoreError(f"two threads have the token {letter.thread}")
    # A thread begins before the game does, so its first letters may name no seat.
    newest = {"seat": letter.seat or stored["seat"], "recipient": letter.recipient}
    if any(stored[column] != value for column, value in newest.items()):
        update(db, "threads", {"token": letter.thread}, newest)


def _to_row(letter: OutLetter) -> Row:
    return {
        "token": letter.token,
        "thread": letter.thread,
        "player": letter.player,
        "recipient": text_of(letter.recipient),
        "language": letter.language,
        "zone": letter.zone,
        "kind": letter.kind,
        "messages": letter.messages.decode(),
        "created_at": to_seconds(letter.created_at),
        "answers": None if letter.answers is None else text_of(letter.answers),
        "game": letter.game,
        "seat": letter.seat,
        "serial": letter.serial,
        "label": letter.label,
        "purpose": letter.purpose.value,
        "payload": to_json(letter.payload),
    }


# --- finding the one that somebody replies to -------------------------------------------------


def letter_by_token(db: Tables, token: str) -> SentLetter | None:
    """The letter of ours with that token, or else the thread, or None."""
    token = text_of(token)
    row = fetch_one(db, "SELECT * FROM letters_out WHERE token = ?", [token])
    if row is None:
        return _thread_by_token(db, token)
    with reading(f"letter {token}"):
        return SentLetter(
            token=Token(token),
            player=row["player"],
            recipient=row["recipient"],
            game=row["game"],
            seat=row["seat"],
            serial=row["serial"],
            label=row["label"],
            purpose=Purpose(row["purpose"]),
            payload=from_json(row["payload"]),
            created_at=from_seconds(row["created_at"]),
        )


def _thread_by_token(db: Tables, token: str) -> SentLetter | None:
    row = fetch_one(db, "SELECT * FROM threads WHERE token = ?", [token])
    if row is None:
        return None
    return SentLetter(
        token=Token(token),
        player=row["player"],
        recipient=row["recipient"],
        game=row["game"],
        seat=row["seat"],
        serial=None,
        label=None,
        purpose=Purpose.LETTER,
        payload={},
        created_at=from_seconds(row["created_at"]),
        is_thread=True,
    )


def answers_since(db: Tables, address: str, since: datetime) -> int:
    """How many letters were written to an address of no player since then."""
    sql = """
        SELECT count(*) AS letters FROM letters_out
        WHERE recipient = ? AND created_at >= ? AND player IS NULL
    """
    row = fetch_one(db, sql, [text_of(address), to_seconds(since)])
    return int(row["letters"]) if row else 0


# --- sending them -----------------------------------------------------------------------------


def rescue_sending(db: Tables) -> int:
    """Queue again what was being sent when the judge stopped; returns how many letters."""
    return db.execute("UPDATE outbox SET state = 'queued' WHERE state = 'sending'").rowcount


def claim_unrendered(db: Tables, limit: int) -> tuple[OutboxRow, ...]:
    """Letters without bytes, oldest first. Claiming them again is safe."""
    rows = fetch(db, f"{ROWS} WHERE {UNRENDERED} ORDER BY outbox.letter LIMIT ?", [limit])
    return tuple(_from_row(row) for row in rows)


def store_rendered(db: Tables, token: Token, subject: str, raw: bytes) -> None:
    """Keep what is sent; the first bytes stay, so that every try sends the same ones.

    Raises:
        StoreError: there is no such letter.
    """
    letter_id = _letter_id(db, token)
    sql = "INSERT INTO rendered (letter, subject, raw) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, [letter_id, text_of(subject), raw])
    update(db, "outbox", {"letter": letter_id}, {"is_rendered": 1})


def claim_to_send(db: Tables, now: datetime, limit: int) -> tuple[OutboxRow, ...]:
    """Rendered letters whose next try has come, in the order of writing; they are `sending` now."""
    sql = f"{ROWS} WHERE {TO_SEND} AND next_try_at <= ? ORDER BY outbox.letter LIMIT ?"
    rows = fetch(db, sql, [to_seconds(now), limit])
    for row in rows:
        row["state"] = OutboxState.SENDING.value
        update(db, "outbox", {"letter": row["letter"]}, {"state": row["state"]})
    return tuple(_from_row(row) for row in rows)


def mark_sent(db: Tables, token: Token, now: datetime) -> None:
    """A mail server has taken it. Safe to call twice.

    Raises:
        StoreError: there is no such letter.
    """
    sql = """
        UPDATE outbox SET state = 'sent', tries = tries + 1, sent_at = ?
        WHERE letter = ? AND state <> 'sent'
    """
    db.execute(sql, [to_seconds(now), _letter_id(db, token)])


def mark_failed(db: Tables, token: Token, error: str, next_try_at: datetime) -> None:
    """A try failed: the letter is queued again.

    Raises:
        StoreError: there is no such letter, or it was sent already.
    """
    sql = """
        UPDATE outbox SET state = 'queued', tries = tries + 1, last_error = ?, next_try_at = ?
        WHERE letter = ? AND state <> 'sent'
    """
    values = [text_of(error), to_seconds(next_try_at), _letter_id(db, token)]
    _expect_unsent(db.execute(sql, values).rowcount, token)


def mark_stuck(db: Tables, token: Token, error: str) -> None:
    """It cannot be rendered, or was tried often enough: a keeper must look.

    Raises:
        StoreError: there is no such letter, or it was sent already.
    """
    sql = """
        UPDATE outbox SET state = 'stuck', last_error = ? WHERE letter = ? AND state <> 'sent'
    """
    _expect_unsent(db.execute(sql, [text_of(error), _letter_id(db, token)]).rowcount, token)


def release_stuck(db: Tables, now: datetime) -> int:
    """Queue all stuck letters again, with all their tries before them; returns how many."""
    sql = """
        UPDATE outbox SET state = 'queued', tries = 0, next_try_at = ? WHERE state = 'stuck'
    """
    return db.execute(sql, [to_seconds(now)]).rowcount


def next_try_at(db: Tables) -> datetime | None:
    """When the next rendered letter may be sent; None if none waits."""
    sql = f"SELECT min(next_try_at) AS at FROM outbox WHERE {TO_SEND}"  # noqa: S608
    row = fetch_one(db, sql)
    return instant(row["at"]) if row else None


def stuck(db: Tables) -> tuple[OutboxRow, ...]:
    """The stuck letters, oldest first."""
    rows = fetch(db, f"{ROWS} WHERE state = 'stuck' ORDER BY outbox.letter")
    return tuple(_from_row(row) for row in rows)


def outbox_row(db: Tables, token: Token) -> OutboxRow | None:
    """A letter of ours and how far it got, or None."""
    row = fetch_one(db, f"{ROWS} WHERE letters_out.token = ?", [token])
    return _from_row(row) if row else None


def _letter_id(db: Tables, token: Token) -> int:
    row = fetch_one(db, "SELECT id FROM letters_out WHERE token = ?", [token])
    if row is None:
        raise StoreError(f"no letter {token}")
    return int(row["id"])


def _expect_unsent(changed: int, token: Token) -> None:
    if not changed:
        raise StoreError(f"letter {token} was sent already")


def _from_row(row: Row) -> OutboxRow:
    with reading(f"letter {row['token']} to {row['recipient']}"):
        return OutboxRow(
            token=Token(row["token"]),
            thread=Token(row["thread"]),
            player=None if row["player"] is None else PlayerId(row["player"]),
            recipient=row["recipient"],
            language=row["language"],
            zone=row["zone"],
            kind=row["kind"],
            messages=row["messages"].encode(),
            created_at=from_seconds(row["created_at"]),
            answers=row["answers"],
            game=row["game"],
            seat=None if row["seat"] is None else SeatId(row["seat"]),
            serial=row["serial"],
            label=row["label"],
            purpose=Purpose(row["purpose"]),
            payload=from_json(row["payload"]),
            state=OutboxState(row["state"]),
            tries=row["tries"],
            next_try_at=instant(row["next_try_at"]),
            last_error=row["last_error"],
            subject=row["subject"],
            raw=row["raw"],
            sent_at=instant(row["sent_at"]),
        )
