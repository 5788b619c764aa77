-- Concessions, and games in which players may not agree on an end.

ALTER TABLE games ADD COLUMN draws INTEGER NOT NULL DEFAULT 1;        -- flag
ALTER TABLE games ADD COLUMN concessions INTEGER NOT NULL DEFAULT 1;  -- flag
ALTER TABLE seats ADD COLUMN concedes TEXT;  -- the seat that has won if all others say so
