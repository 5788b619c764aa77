-- The tables in which a game is one JSON record; beside the tables that they replace.

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
