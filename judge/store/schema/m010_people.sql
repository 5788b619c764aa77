-- What players allow and wish among themselves, and how reliably each of them has played.

ALTER TABLE players ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0;  -- flag: WHOIS may show them
CREATE INDEX players_by_name ON players (name COLLATE NOCASE);

-- Who does not want to be in a game with whom.
CREATE TABLE blocks (
    player  TEXT NOT NULL REFERENCES players (id),
    blocked TEXT NOT NULL REFERENCES players (id),
    PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_of_blocked ON blocks (blocked);

-- One row for each phase that a player was in time for, late or missed, and for other events.
CREATE TABLE conduct (
    player  TEXT NOT NULL REFERENCES players (id),
    game    TEXT NOT NULL COLLATE NOCASE,  -- may be gone by now
    serial  INTEGER NOT NULL,        -- of the phase
    conduct TEXT NOT NULL,           -- on_time, late, missed, resigned, taken_over, finished
    at      INTEGER NOT NULL,
    PRIMARY KEY (player, game, serial, conduct)
) STRICT, WITHOUT ROWID;
CREATE INDEX conduct_by_time ON conduct (player, at);
