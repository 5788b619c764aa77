-- Documents that letters share, leases of due games and letters, versions of games.

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
