-- As what letters come to a player, and what comes with them.

ALTER TABLE players ADD COLUMN format TEXT NOT NULL DEFAULT 'both';  -- both, plain or html
ALTER TABLE players ADD COLUMN attachments TEXT NOT NULL             -- JSON: names of what is wanted
    DEFAULT '["map","chart","calendar"]';
ALTER TABLE letters_out ADD COLUMN format TEXT NOT NULL DEFAULT 'both';
ALTER TABLE letters_out ADD COLUMN attachments TEXT NOT NULL DEFAULT '["map","chart","calendar"]';
ALTER TABLE letters_out ADD COLUMN calendar TEXT NOT NULL DEFAULT '[]';  -- JSON: events for its reader
