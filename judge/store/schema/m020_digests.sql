-- When each master gets the daily digest of their games.

ALTER TABLE players ADD COLUMN digest TEXT NOT NULL DEFAULT '';  -- as 08:00, or off; '': as usual
ALTER TABLE players ADD COLUMN digest_at INTEGER;                -- the next one; null: none
CREATE INDEX players_by_digest ON players (digest_at) WHERE digest_at IS NOT NULL;
-- Masters of games of before: the clock finds their first hour.
UPDATE players SET digest_at = 0
WHERE id IN (SELECT master FROM games WHERE status <> 'finished');
