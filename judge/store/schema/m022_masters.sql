-- A game has masters, each with a password of their own; `participants` finds their games.

UPDATE games SET record = json_remove(
    json_set(record, '$.masters', json_array(json_object(
        'player', master, 'password_hash', coalesce(json_extract(record, '$.master_hash'), '')))),
    '$.master', '$.master_hash');
ALTER TABLE games DROP COLUMN master;
