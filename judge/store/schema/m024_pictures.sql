-- Pictures of letters, each kept once however many letters show it.

CREATE TABLE pictures (
    sha256  TEXT NOT NULL PRIMARY KEY,  -- of what it shows
    body    BLOB NOT NULL,              -- a PNG file
    used_at INTEGER NOT NULL            -- when the newest letter with it was rendered
) STRICT;
CREATE INDEX pictures_by_use ON pictures (used_at);
-- JSON: the pictures that stand in `raw` only as their digests.
ALTER TABLE rendered ADD COLUMN pictures TEXT NOT NULL DEFAULT '[]';
