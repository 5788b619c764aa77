-- What the hand of a game's master did, kept for ever.
CREATE TABLE acts (
    id     INTEGER NOT NULL PRIMARY KEY,
    game   TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    record TEXT NOT NULL,            -- JSON: an ActRecord
    cause  TEXT NOT NULL
) STRICT;
CREATE INDEX acts_of_game ON acts (game, id);
