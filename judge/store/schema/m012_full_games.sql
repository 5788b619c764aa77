-- A game that is full and has not begun is due too: its players say YES until an instant.
DROP INDEX games_due;
CREATE INDEX games_due ON games (due_at, name) WHERE halted IS NULL AND due_at IS NOT NULL;
