-- Who would take a seat over whose player is missing.

CREATE TABLE standbys (
    scope  TEXT NOT NULL,            -- 'game balkan', 'variant chaos', or '' for all
    player TEXT NOT NULL REFERENCES players (id),
    at     INTEGER NOT NULL,
    PRIMARY KEY (scope, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX standbys_of_player ON standbys (player);
