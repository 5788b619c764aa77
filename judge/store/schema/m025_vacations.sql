-- When a player is away from all games, and how well they say that they play.

ALTER TABLE players ADD COLUMN vacations TEXT NOT NULL DEFAULT '[]';  -- JSON: absences
ALTER TABLE players ADD COLUMN level TEXT NOT NULL DEFAULT 'any';
