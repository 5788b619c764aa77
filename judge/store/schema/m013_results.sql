-- Who held which seat of each finished game, and what share of its result is theirs.

CREATE TABLE results (
    game         TEXT NOT NULL COLLATE NOCASE,
    position     INTEGER NOT NULL,   -- of their times at seats, in the order in which they began
    seat         TEXT NOT NULL,
    player       TEXT NOT NULL REFERENCES players (id),
    variant      TEXT NOT NULL,
    ending       TEXT NOT NULL,      -- 'solo', 'draw', 'concession', 'terminated', ...
    ended_at     INTEGER NOT NULL,
    since        TEXT NOT NULL,      -- label of the phase in which they got the seat; '': not known
    since_serial INTEGER NOT NULL,
    until        TEXT NOT NULL,      -- of the one in which they left it; '': there to the end
    until_serial INTEGER,
    seats        INTEGER NOT NULL,   -- of the game
    score        INTEGER NOT NULL,   -- the seat's figure at the end (supply centers)
    share        REAL NOT NULL,      -- 1 for a winner, 1/n for each of n who share, 0 for others
    PRIMARY KEY (game, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX results_of_player ON results (player, ended_at);
