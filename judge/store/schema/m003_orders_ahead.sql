-- Orders that players have sent for later phases.

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
