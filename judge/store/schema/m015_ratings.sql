-- How finished games ended for each of their players, and the ratings that follow from that.

CREATE TABLE placings (
    game     TEXT NOT NULL COLLATE NOCASE,
    player   TEXT NOT NULL REFERENCES players (id),
    variant  TEXT NOT NULL,
    place    INTEGER NOT NULL,       -- 1: won or shares the end
    ended_at INTEGER NOT NULL,
    is_rated INTEGER NOT NULL,       -- flag: the ratings below have it in them
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX placings_unrated ON placings (variant, ended_at, game) WHERE NOT is_rated;
CREATE TABLE ratings (
    variant TEXT NOT NULL,
    player  TEXT NOT NULL REFERENCES players (id),
    mu      REAL NOT NULL,           -- how well they play, as the formula has it
    sigma   REAL NOT NULL,           -- how uncertain that is
    games   INTEGER NOT NULL,
    PRIMARY KEY (variant, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_best ON ratings (variant, mu DESC);
CREATE INDEX ratings_of_player ON ratings (player);
