"""The tables, in the order in which they came to be. A migration is never edited after a release.

Columns in `_at` hold whole seconds UTC, columns in `_seconds` whole seconds; flags are 0 or 1;
a column whose comment says JSON holds a JSON text. Game names are the same in any case.
"""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlite_utils import Database as Tables
from sqlite_utils import Migrations

Json = dict[str, Any]

MIGRATIONS = Migrations("judge")

PLAYERS = """
CREATE TABLE players (
    id            TEXT NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL,
    language      TEXT NOT NULL,
    zone          TEXT NOT NULL,     -- IANA name
    registered_at INTEGER NOT NULL,
    confirmed     INTEGER NOT NULL   -- flag
) STRICT;

CREATE TABLE addresses (
    address  TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    player   TEXT NOT NULL REFERENCES players (id),
    position INTEGER NOT NULL        -- 0: where letters go
) STRICT;
CREATE INDEX addresses_of_player ON addresses (player, position);
"""

GAMES = """
CREATE TABLE games (
    name                 TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    game                 TEXT NOT NULL,     -- of the shelf: 'diplomacy'
    status               TEXT NOT NULL,
    master               TEXT NOT NULL REFERENCES players (id),
    master_hash          TEXT NOT NULL,
    seed                 BLOB NOT NULL,
    created_at           INTEGER NOT NULL,
    due_at               INTEGER,           -- when the clock must look at it
    halted               TEXT,              -- why the keeper must look first
    variant              TEXT NOT NULL,
    rules                TEXT NOT NULL,
    movement_seconds     INTEGER NOT NULL,
    retreat_seconds      INTEGER NOT NULL,
    adjustment_seconds   INTEGER NOT NULL,
    grace_seconds        INTEGER NOT NULL,
    reminder_seconds     INTEGER NOT NULL,
    all_in_delay_seconds INTEGER NOT NULL,
    press                TEXT NOT NULL,
    faults               TEXT NOT NULL,     -- JSON: [[setting, as written], ...]
    phase_serial         INTEGER,           -- the running phase; null before the start
    phase_label          TEXT,
    phase_kind           TEXT,
    phase_is_main        INTEGER,           -- flag
    opened_at            INTEGER,           -- the running phase's timing; null without one
    deadline_at          INTEGER,
    changed_at           INTEGER,
    grace_ends_at        INTEGER,
    late                 TEXT,              -- JSON: [seat, ...]
    reminded             INTEGER,           -- flag
    waits                INTEGER,           -- flag
    unreachable          INTEGER,           -- flag
    ending               TEXT,
    winners              TEXT NOT NULL,     -- JSON: [seat, ...]
    cause                TEXT NOT NULL      -- of the newest change: 'letter 12', 'clock'
) STRICT;
CREATE INDEX games_due ON games (due_at, name)
    WHERE status = 'active' AND halted IS NULL AND due_at IS NOT NULL;
CREATE INDEX games_of_status ON games (status, name);
CREATE INDEX games_of_master ON games (master);

-- Apart from its game, because it is large and changes once a phase, not with every letter.
CREATE TABLE states (
    game  TEXT NOT NULL COLLATE NOCASE PRIMARY KEY REFERENCES games (name),
    state TEXT NOT NULL              -- JSON of the rulebook, with its format number
) STRICT;

CREATE TABLE applicants (
    game          TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    player        TEXT NOT NULL REFERENCES players (id),
    position      INTEGER NOT NULL,
    wish          TEXT,              -- seat
    password_hash TEXT NOT NULL,
    PRIMARY KEY (game, player)
) STRICT;
CREATE INDEX applicants_of_player ON applicants (player);

CREATE TABLE seats (
    game          TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    seat          TEXT NOT NULL,
    position      INTEGER NOT NULL,
    player        TEXT REFERENCES players (id),  -- null: vacant
    former        TEXT REFERENCES players (id),
    password_hash TEXT NOT NULL,
    misses        INTEGER NOT NULL,
    ready         INTEGER NOT NULL,  -- flag
    wait          INTEGER NOT NULL,  -- flag
    draw          INTEGER NOT NULL,  -- flag
    faulty        INTEGER NOT NULL,  -- flag
    sets          INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT;
CREATE INDEX seats_of_player ON seats (player) WHERE player IS NOT NULL;
CREATE INDEX seats_of_former ON seats (former) WHERE former IS NOT NULL AND player IS NULL;

-- The stored lines of the running phase; those of finished ones stand in phases.
CREATE TABLE lines (
    game     TEXT NOT NULL COLLATE NOCASE,
    seat     TEXT NOT NULL,
    position INTEGER NOT NULL,
    serial   INTEGER NOT NULL,       -- of the running phase
    key      TEXT NOT NULL,
    text     TEXT NOT NULL,
    written  TEXT NOT NULL,
    kept     INTEGER NOT NULL,       -- flag
    PRIMARY KEY (game, seat, position),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat) ON DELETE CASCADE
) STRICT;
"""

HISTORY = """
CREATE TABLE phases (
    game         TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    serial       INTEGER NOT NULL,
    label        TEXT NOT NULL,
    kind         TEXT NOT NULL,
    is_main      INTEGER NOT NULL,   -- flag
    processed_at INTEGER NOT NULL,
    record       TEXT NOT NULL,      -- JSON: format, state, sheets, reports, missing
    cause        TEXT NOT NULL,
    PRIMARY KEY (game, serial)
) STRICT;
CREATE TRIGGER phases_stay_as_they_are BEFORE UPDATE ON phases
    BEGIN SELECT RAISE(ABORT, 'a finished phase is never changed'); END;
CREATE TRIGGER phases_stay BEFORE DELETE ON phases
    BEGIN SELECT RAISE(ABORT, 'a finished phase is never removed'); END;

CREATE TABLE press (
    id         INTEGER NOT NULL PRIMARY KEY,
    game       TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    label      TEXT NOT NULL,
    sender     TEXT NOT NULL,        -- seat, MASTER, or empty
    recipients TEXT NOT NULL,        -- JSON: [seat, ...]
    text       TEXT NOT NULL,
    sent_at    INTEGER NOT NULL,
    cause      TEXT NOT NULL
) STRICT;
CREATE INDEX press_of_game ON press (game, id);
"""

LETTERS_IN = """
CREATE TABLE letters_in (
    id           INTEGER NOT NULL PRIMARY KEY,
    uid_validity INTEGER NOT NULL,   -- where it was seen first
    uid          INTEGER NOT NULL,
    sha256       TEXT NOT NULL UNIQUE,
    message_id   TEXT,
    sender       TEXT NOT NULL COLLATE NOCASE,
    received_at  INTEGER NOT NULL,   -- by the mail server
    taken_at     INTEGER NOT NULL,   -- by the judge
    raw          BLOB NOT NULL       -- as it came
) STRICT;
CREATE UNIQUE INDEX letters_in_by_message_id ON letters_in (sender, message_id)
    WHERE message_id IS NOT NULL;
CREATE INDEX letters_in_of_sender ON letters_in (sender, taken_at);

-- Apart from the letter, so that settling it does not write its bytes again.
CREATE TABLE settlements (
    letter     INTEGER NOT NULL PRIMARY KEY REFERENCES letters_in (id),
    state      TEXT NOT NULL,
    note       TEXT NOT NULL,
    tries      INTEGER NOT NULL,
    last_error TEXT NOT NULL
) STRICT;
CREATE INDEX settlements_shunted ON settlements (letter) WHERE state = 'shunted';

-- Every UID a letter was seen under: it may lie in the mailbox more than once.
CREATE TABLE mailbox_uids (
    uid_validity INTEGER NOT NULL,
    uid          INTEGER NOT NULL,
    letter       INTEGER NOT NULL REFERENCES letters_in (id),
    PRIMARY KEY (uid_validity, uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailbox_uids_of_letter ON mailbox_uids (letter);

CREATE TABLE mailbox (
    id              INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    uid_validity    INTEGER NOT NULL,
    last_uid        INTEGER NOT NULL,
    read_through_at INTEGER
) STRICT;

CREATE TABLE moments (
    name TEXT NOT NULL PRIMARY KEY,  -- 'heartbeat', 'installed'
    at   INTEGER NOT NULL
) STRICT;
"""

LETTERS_OUT = """
CREATE TABLE letters_out (
    id         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,  -- the order in which they were written
    token      TEXT NOT NULL UNIQUE,
    thread     TEXT NOT NULL,
    player     TEXT REFERENCES players (id),
    recipient  TEXT NOT NULL COLLATE NOCASE,
    language   TEXT NOT NULL,
    zone       TEXT NOT NULL,
    kind       TEXT NOT NULL,
    blocks     TEXT NOT NULL,        -- JSON, with its format number
    created_at INTEGER NOT NULL,
    answers    TEXT,                 -- Message-ID
    game       TEXT COLLATE NOCASE REFERENCES games (name),
    seat       TEXT,
    serial     INTEGER,
    label      TEXT,
    purpose    TEXT NOT NULL,
    payload    TEXT NOT NULL,        -- JSON
    cause      TEXT NOT NULL
) STRICT;
CREATE INDEX letters_out_to_strangers ON letters_out (recipient, created_at) WHERE player IS NULL;

CREATE TABLE threads (
    token      TEXT NOT NULL PRIMARY KEY,
    game       TEXT COLLATE NOCASE REFERENCES games (name),
    seat       TEXT,                 -- the newest that a letter of the thread named
    player     TEXT REFERENCES players (id),
    recipient  TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE outbox (
    letter      INTEGER NOT NULL PRIMARY KEY REFERENCES letters_out (id),
    state       TEXT NOT NULL,       -- queued, sending, sent, stuck
    is_rendered INTEGER NOT NULL,    -- flag: its bytes stand in rendered
    tries       INTEGER NOT NULL,
    next_try_at INTEGER NOT NULL,
    last_error  TEXT NOT NULL,
    sent_at     INTEGER
) STRICT;
CREATE INDEX outbox_to_render ON outbox (letter) WHERE state = 'queued' AND is_rendered = 0;
CREATE INDEX outbox_to_send ON outbox (letter, next_try_at)
    WHERE state = 'queued' AND is_rendered = 1;
CREATE INDEX outbox_sending ON outbox (letter) WHERE state = 'sending';
CREATE INDEX outbox_stuck ON outbox (letter) WHERE state = 'stuck';

CREATE TABLE rendered (
    letter  INTEGER NOT NULL PRIMARY KEY REFERENCES letters_out (id),
    subject TEXT NOT NULL,
    raw     BLOB NOT NULL            -- what is sent, the same at every try
) STRICT;
"""


@MIGRATIONS()
def m001_first_tables(db: Tables) -> None:
    """Everything the first release keeps."""
    for script in (PLAYERS, GAMES, HISTORY, LETTERS_IN, LETTERS_OUT):
        db.executescript(script)


@MIGRATIONS()
def m002_single_rules(db: Tables) -> None:
    """Single rules that a master has chosen on top of the preset."""
    # JSON: [[option, value], ...]
    db.executescript("ALTER TABLE games ADD COLUMN rule_choices TEXT NOT NULL DEFAULT '[]'")


AHEAD_LINES = """
-- Lines stored for phases that have not opened yet.
CREATE TABLE ahead_lines (
    game     TEXT NOT NULL COLLATE NOCASE,
    seat     TEXT NOT NULL,
    position INTEGER NOT NULL,       -- in the order of the phases' first lines, then of the lines
    label    TEXT NOT NULL,          -- of the later phase
    key      TEXT NOT NULL,
    text     TEXT NOT NULL,
    written  TEXT NOT NULL,
    kept     INTEGER NOT NULL,       -- flag
    PRIMARY KEY (game, seat, position),
    FOREIGN KEY (game, seat) REFERENCES seats (game, seat) ON DELETE CASCADE
) STRICT;
"""


@MIGRATIONS()
def m003_orders_ahead(db: Tables) -> None:
    """Orders that players have sent for later phases."""
    db.executescript(AHEAD_LINES)


@MIGRATIONS()
def m004_variant_options(db: Tables) -> None:
    """What a master has chosen about the variant."""
    # JSON: [[option, value], ...]
    db.executescript("ALTER TABLE games ADD COLUMN variant_options TEXT NOT NULL DEFAULT '[]'")


AGREED_ENDS = """
ALTER TABLE games ADD COLUMN draws INTEGER NOT NULL DEFAULT 1;        -- flag
ALTER TABLE games ADD COLUMN concessions INTEGER NOT NULL DEFAULT 1;  -- flag
ALTER TABLE seats ADD COLUMN concedes TEXT;  -- the seat that has won if all others say so
"""


@MIGRATIONS()
def m005_agreed_ends(db: Tables) -> None:
    """Concessions, and games in which players may not agree on an end."""
    db.executescript(AGREED_ENDS)


GAME_RECORDS = """
DROP INDEX games_due;
DROP INDEX games_of_status;
DROP INDEX games_of_master;
CREATE TABLE game_records (
    name       TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    game       TEXT NOT NULL,        -- which rulebook: 'diplomacy'
    status     TEXT NOT NULL,
    master     TEXT NOT NULL REFERENCES players (id),
    variant    TEXT NOT NULL,
    due_at     INTEGER,              -- when the clock must look at it
    halted     TEXT,                 -- why the keeper must look first
    open_seats INTEGER NOT NULL,     -- that a newcomer could take
    record     TEXT NOT NULL,        -- JSON: everything else but the state
    cause      TEXT NOT NULL         -- of the newest change: 'letter 12', 'clock'
) STRICT;
-- Who has a part in a game: master, applicants, holders of seats, former holders of vacant ones.
CREATE TABLE participants (
    game   TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    player TEXT NOT NULL REFERENCES players (id),
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX participants_by_player ON participants (player);
CREATE TABLE phase_records (
    game         TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    serial       INTEGER NOT NULL,
    label        TEXT NOT NULL,
    processed_at INTEGER NOT NULL,
    record       TEXT NOT NULL,      -- JSON: phase, state, order_sets, reports, missing
    cause        TEXT NOT NULL,
    PRIMARY KEY (game, serial)
) STRICT;
"""
GAME_RECORDS_IN_PLACE = """
DROP TABLE lines;
DROP TABLE ahead_lines;
DROP TABLE applicants;
DROP TABLE seats;
DROP TABLE games;
ALTER TABLE game_records RENAME TO games;
CREATE INDEX games_due ON games (due_at, name)
    WHERE status = 'active' AND halted IS NULL AND due_at IS NOT NULL;
CREATE INDEX games_of_status ON games (status, name);
CREATE INDEX games_open ON games (status, name) WHERE open_seats > 0;
DROP TRIGGER phases_stay_as_they_are;
DROP TRIGGER phases_stay;
DROP TABLE phases;
ALTER TABLE phase_records RENAME TO phases;
CREATE TRIGGER phases_stay_as_they_are BEFORE UPDATE ON phases
    BEGIN SELECT RAISE(ABORT, 'a finished phase is never changed'); END;
CREATE TRIGGER phases_stay BEFORE DELETE ON phases
    BEGIN SELECT RAISE(ABORT, 'a finished phase is never removed'); END;
ALTER TABLE letters_out RENAME COLUMN blocks TO messages;
"""


@MIGRATIONS()
def m006_game_records(db: Tables) -> None:
    """A game is one JSON record beside its state, with the columns by which games are found."""
    db.executescript(GAME_RECORDS)
    for row in db.query("SELECT * FROM games ORDER BY name"):
        parts = {
            table: list(
                db.query(f"SELECT * FROM {table} WHERE game = ? ORDER BY position", [row["name"]])  # noqa: S608
            )
            for table in ("seats", "lines", "ahead_lines", "applicants")
        }
        seats = parts["seats"]
        open_seats = sum(seat["player"] is None for seat in seats)
        db.table("game_records").insert(
            {
                **{name: row[name] for name in ("name", "game", "status", "master", "variant")},
                **{name: row[name] for name in ("due_at", "halted", "cause")},
                "open_seats": 1 if row["status"] == "forming" else open_seats,
                "record": json.dumps(_record_0_1(row, **parts), ensure_ascii=False),
            }
        )
        players = {row["master"], *(one["player"] for one in parts["applicants"])}
        players |= {seat["player"] or seat["former"] for seat in seats} - {None}
        for player in sorted(players):
            db.table("participants").insert({"game": row["name"], "player": player})
    for row in db.query("SELECT * FROM phases"):
        old = json.loads(row["record"])
        record = {
            "phase": _phase_0_1(row["label"], row["kind"], row["serial"], row["is_main"]),
            "state": old["state"],
            "order_sets": old["sheets"],
            "reports": old["reports"],
            "missing": old["missing"],
        }
        db.table("phase_records").insert(
            {
                **{name: row[name] for name in ("game", "serial", "label", "processed_at")},
                "record": json.dumps(record, ensure_ascii=False),
                "cause": row["cause"],
            }
        )
    for row in list(
        db.query(
            "SELECT id, blocks FROM letters_out JOIN outbox ON outbox.letter = letters_out.id"
            " WHERE NOT is_rendered"
        )
    ):
        old = json.loads(row["blocks"])
        messages = {"format": 1, "messages": [_message_0_1(each) for each in old["blocks"]]}
        db.execute(
            "UPDATE letters_out SET blocks = ? WHERE id = ?",
            [json.dumps(messages, ensure_ascii=False), row["id"]],
        )
    db.executescript(GAME_RECORDS_IN_PLACE)


SHARED_AND_LEASED = """
ALTER TABLE games ADD COLUMN version INTEGER NOT NULL DEFAULT 1;  -- counts how often it was saved
UPDATE games SET open_seats = 0 WHERE status NOT IN ('forming', 'active');
DROP INDEX games_open;
CREATE INDEX games_open ON games (name) WHERE open_seats > 0;
CREATE INDEX games_of_variant ON games (variant, name);
CREATE INDEX games_halted ON games (name) WHERE halted IS NOT NULL;

-- Who looks at a due game. Apart from the game, which it would write anew each time.
CREATE TABLE game_leases (
    game        TEXT NOT NULL COLLATE NOCASE PRIMARY KEY REFERENCES games (name),
    owner       TEXT NOT NULL,       -- a worker
    lease_until INTEGER NOT NULL,    -- 0: given back
    attempts    INTEGER NOT NULL     -- since the last that came to its end
) STRICT, WITHOUT ROWID;
ALTER TABLE outbox ADD COLUMN owner TEXT;  -- who sends it
ALTER TABLE outbox ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0;

-- Values that many letters share, as the report of a phase.
CREATE TABLE documents (
    sha256     TEXT NOT NULL PRIMARY KEY,
    body       BLOB NOT NULL,        -- zlib
    created_at INTEGER NOT NULL
) STRICT;
ALTER TABLE letters_out ADD COLUMN documents TEXT NOT NULL DEFAULT '[]';  -- JSON: [sha256, ...]

ALTER TABLE settlements RENAME TO dispositions;
DROP INDEX settlements_shunted;
CREATE INDEX dispositions_shunted ON dispositions (letter) WHERE state = 'shunted';
ALTER TABLE mailbox RENAME TO uid_checkpoint;
ALTER TABLE moments RENAME TO timestamps;
"""


@MIGRATIONS()
def m007_shared_and_leased(db: Tables) -> None:
    """Documents that letters share, leases of due games and letters, versions of games."""
    db.executescript(SHARED_AND_LEASED)


def _instant_0_1(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _phase_0_1(label: str, kind: str, serial: int, is_main: int) -> Json:
    silence = ("wait" if serial == 1 else "absence") if is_main else "normal"
    return {"label": label, "kind": kind, "serial": serial, "silence": silence}


def _line_0_1(line: Json) -> Json:
    return {
        **{name: line[name] for name in ("key", "text", "written")},
        "kept": bool(line["kept"]),
    }


def _settings_0_1(old: Json, length_of: Callable[[str], Any]) -> Json:
    """Settings, whose lengths were fields of their own; `length_of` gives a length by its name."""
    kinds = ("movement", "retreat", "adjustment")
    votes = {"draw": old["draws"], "concession": old["concessions"]}
    return {
        **{name: old[name] for name in ("variant", "rules", "press")},
        "lengths": {kind: length_of(kind) for kind in kinds},
        **{name: length_of(name) for name in ("grace", "reminder", "all_in_delay")},
        "votes": [name for name, is_allowed in votes.items() if is_allowed],
    }


def _record_0_1(
    row: Json,
    *,
    seats: list[Json],
    lines: list[Json],
    ahead_lines: list[Json],
    applicants: list[Json],
) -> Json:
    """A game's record from its rows in the first release's tables."""
    timing, phase = None, None
    if row["deadline_at"] is not None:
        timing = {
            **{name: _instant_0_1(row[name]) for name in ("opened_at", "deadline_at")},
            "changed_at": _instant_0_1(row["changed_at"]),
            "grace_until": _instant_0_1(row["grace_ends_at"]),
            "late": json.loads(row["late"]),
            **{name: bool(row[name]) for name in ("reminded", "waits", "unreachable")},
        }
    if row["phase_serial"] is not None:
        phase = _phase_0_1(
            row["phase_label"], row["phase_kind"], row["phase_serial"], row["phase_is_main"]
        )
    order_sets: dict[str, list[Json]] = {}
    for line in lines:
        order_sets.setdefault(line["seat"], []).append(_line_0_1(line))
    advance: dict[str, dict[str, list[Json]]] = {}
    for line in ahead_lines:
        own = advance.setdefault(line["seat"], {})
        own.setdefault(line["label"], []).append(_line_0_1(line))
    return {
        **{name: row[name] for name in ("name", "game", "status", "master", "master_hash")},
        "settings": {
            **_settings_0_1(row, lambda name: f"PT{row[f'{name}_seconds']}S"),
            "choices": json.loads(row["rule_choices"]),
            "options": json.loads(row["variant_options"]),
        },
        "seed": base64.b64encode(row["seed"]).decode(),
        "created_at": _instant_0_1(row["created_at"]),
        "faults": json.loads(row["faults"]),
        "applicants": [
            {name: one[name] for name in ("player", "wish", "password_hash")} for one in applicants
        ],
        "phase": phase,
        "seats": [
            {
                "id": seat["seat"],
                **{name: seat[name] for name in ("player", "former", "password_hash")},
                **{name: seat[name] for name in ("misses", "sets")},
                **{name: bool(seat[name]) for name in ("ready", "wait", "faulty")},
                "votes": {
                    **({"draw": ""} if seat["draw"] else {}),
                    **({"concession": seat["concedes"]} if seat["concedes"] else {}),
                },
            }
            for seat in seats
        ],
        "order_sets": order_sets,
        "advance": {
            seat: [{"label": label, "order_set": each} for label, each in own.items()]
            for seat, own in advance.items()
        },
        "timing": timing,
        "ending": row["ending"] or "",
        "winners": json.loads(row["winners"]),
        "due_at": _instant_0_1(row["due_at"]),
    }


MESSAGE_FIELDS_0_1 = {
    "sheet": "order_set",
    "sheets": "order_sets",
    "owed": "orders_due",
    "owes": "is_awaited",
    "ahead": "advance",
}


def _message_0_1(old: Any) -> Any:
    """A message of a letter that waits to be rendered, with the names of its fields today."""
    if isinstance(old, list):
        return [_message_0_1(each) for each in old]
    if not isinstance(old, dict):
        return old
    new: Json = {}
    for name, each in old.items():
        new[MESSAGE_FIELDS_0_1.get(str(name), str(name))] = _message_0_1(each)
    if "block" in new:
        kind = new.pop("block")
        new["type"] = {"OrdersAhead": "AdvanceAnswer"}.get(kind, kind)
    if "all_in_delay" in new and "draws" in new:
        rest: Json = {name: new[name] for name in ("choices", "options") if name in new}
        new = {**_settings_0_1(new, lambda name: new[name]), **rest}
    return new
