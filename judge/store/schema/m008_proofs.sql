-- Which letters were proven, and letters of one Message-ID with other words.

ALTER TABLE letters_in ADD COLUMN text_sha256 TEXT NOT NULL DEFAULT '';  -- of its words; '': not known
DROP INDEX letters_in_by_message_id;
CREATE UNIQUE INDEX letters_in_by_message_id ON letters_in (sender, message_id, text_sha256)
    WHERE message_id IS NOT NULL;

ALTER TABLE dispositions ADD COLUMN player TEXT;  -- whose letter it is; null if nothing proved it
ALTER TABLE dispositions ADD COLUMN proven_at INTEGER;  -- when that letter was received
CREATE INDEX dispositions_of_player ON dispositions (player, proven_at) WHERE player IS NOT NULL;

-- Answers of a day to whoever is no player; keepers are none either.
CREATE INDEX letters_out_to_all_strangers ON letters_out (created_at)
    WHERE player IS NULL AND kind <> 'keeper';
