-- The new tables take the place of the old ones, which are empty of what is needed.

DROP TABLE lines;
DROP TABLE ahead_lines;
DROP TABLE applicants;
DROP TABLE seats;
DROP TABLE games;
ALTER TABLE game_records RENAME TO games;
CREATE INDEX games_due ON games (due_at, name)
    WHERE status = 'active' AND halted IS NULL AND due_at IS NOT NULL;
CREATE INDEX games_of_status ON games (status, name);
CREATE INDEX games_open ON games (status, name) WHERE open_seats > 0;
DROP TRIGGER phases_stay_as_they_are;
DROP TRIGGER phases_stay;
DROP TABLE phases;
ALTER TABLE phase_records RENAME TO phases;
CREATE TRIGGER phases_stay_as_they_are BEFORE UPDATE ON phases
    BEGIN SELECT RAISE(ABORT, 'a finished phase is never changed'); END;
CREATE TRIGGER phases_stay BEFORE DELETE ON phases
    BEGIN SELECT RAISE(ABORT, 'a finished phase is never removed'); END;
ALTER TABLE letters_out RENAME COLUMN blocks TO messages;
