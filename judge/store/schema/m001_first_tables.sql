-- Everything that the first release keeps.

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
