-- What players write for after the end of a game: entries of a diary, and a statement.

CREATE TABLE notes (
    game   TEXT NOT NULL COLLATE NOCASE,
    player TEXT NOT NULL REFERENCES players (id),
    kind   TEXT NOT NULL,            -- diary, statement
    number INTEGER NOT NULL,         -- of a diary's entry, from 1; 0 for the statement
    seat   TEXT,                     -- null: the master's
    label  TEXT NOT NULL,            -- of the phase that was open
    at     INTEGER NOT NULL,
    text   TEXT NOT NULL,
    PRIMARY KEY (game, player, kind, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_of_player ON notes (player);
