-- FORGET ME took what was rendered of waiting letters that named the player, and left them marked
-- as rendered: none of them, nor any letter behind them, could be sent.

UPDATE outbox SET is_rendered = 0
WHERE is_rendered = 1 AND NOT EXISTS (SELECT 1 FROM rendered WHERE rendered.letter = outbox.letter)
    AND state IN ('queued', 'stuck');
