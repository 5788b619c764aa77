-- Counting a day's answers to strangers reads this index alone.

DROP INDEX letters_out_to_all_strangers;
CREATE INDEX letters_out_to_all_strangers ON letters_out (created_at, purpose, player, kind)
    WHERE player IS NULL AND kind NOT IN ('keeper', 'invitation');
