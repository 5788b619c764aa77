-- How press was shown to its readers, and who they were. What is older counts as grey.
ALTER TABLE press ADD COLUMN kind     TEXT NOT NULL DEFAULT 'partial';
ALTER TABLE press ADD COLUMN shown_as TEXT NOT NULL DEFAULT '';
ALTER TABLE press ADD COLUMN shown_to TEXT NOT NULL DEFAULT '[]';  -- JSON: [seat, ...]
ALTER TABLE press ADD COLUMN people   TEXT NOT NULL DEFAULT '[]';  -- JSON: [player, ...]
ALTER TABLE press ADD COLUMN phrase   TEXT NOT NULL DEFAULT '[]';  -- JSON: [number, word, ...]
