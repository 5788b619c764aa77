-- To how many of a player's addresses, counted from the first, letters go.

ALTER TABLE players ADD COLUMN letters_to INTEGER NOT NULL DEFAULT 1;
