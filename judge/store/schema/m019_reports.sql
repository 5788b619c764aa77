-- In which form results come to a player.

ALTER TABLE players ADD COLUMN is_classic INTEGER NOT NULL DEFAULT 0;  -- flag: as mappers read them
