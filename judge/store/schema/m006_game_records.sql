-- A game is one JSON record beside its state, with the columns by which games are found.

DROP INDEX games_due;
DROP INDEX games_of_status;
DROP INDEX games_of_master;
CREATE TABLE game_records (
    name       TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    game       TEXT NOT NULL,        -- which rulebook: 'diplomacy'
    status     TEXT NOT NULL,
    master     TEXT NOT NULL REFERENCES players (id),
    variant    TEXT NOT NULL,
    due_at     INTEGER,              -- when the clock must look at it
    halted     TEXT,                 -- why the keeper must look first
    open_seats INTEGER NOT NULL,     -- that a newcomer could take
    record     TEXT NOT NULL,        -- JSON: everything else but the state
    cause      TEXT NOT NULL         -- of the newest change: 'letter 12', 'clock'
) STRICT;
-- Who has a part in a game: master, applicants, holders of seats, former holders of vacant ones.
CREATE TABLE participants (
    game   TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    player TEXT NOT NULL REFERENCES players (id),
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX participants_by_player ON participants (player);
CREATE TABLE phase_records (
    game         TEXT NOT NULL COLLATE NOCASE REFERENCES games (name),
    serial       INTEGER NOT NULL,
    label        TEXT NOT NULL,
    processed_at INTEGER NOT NULL,
    record       TEXT NOT NULL,      -- JSON: phase, state, order_sets, reports, missing
    cause        TEXT NOT NULL,
    PRIMARY KEY (game, serial)
) STRICT;

-- What release 0.1 kept, as it is kept now. `base64` and `messages` are functions of ours.

CREATE TEMP VIEW old_lines AS
    SELECT game, seat, '' AS label, position, json_object('key', key, 'text', text,
        'written', written, 'kept', json(iif(kept, 'true', 'false'))) AS line FROM lines
    UNION ALL
    SELECT game, seat, label, position, json_object('key', key, 'text', text,
        'written', written, 'kept', json(iif(kept, 'true', 'false'))) AS line FROM ahead_lines;
CREATE TEMP VIEW old_order_sets AS
    SELECT game, seat, label, min(position) AS position, json_group_array(json(line)) AS order_set
    FROM (SELECT * FROM old_lines ORDER BY game, seat, label, position) GROUP BY game, seat, label;
CREATE TEMP VIEW old_seats AS
    SELECT game, position, json_object('id', seat, 'player', player, 'former', former,
        'password_hash', password_hash, 'misses', misses, 'sets', sets,
        'ready', json(iif(ready, 'true', 'false')), 'wait', json(iif(wait, 'true', 'false')),
        'faulty', json(iif(faulty, 'true', 'false')),
        'votes', json_patch(iif(draw, '{"draw":""}', '{}'),
            json_object('concession', nullif(concedes, '')))) AS seat
    FROM seats;

INSERT INTO game_records
    (name, game, status, master, variant, due_at, halted, cause, open_seats, record)
SELECT name, game, status, master, variant, due_at, halted, cause,
    iif(status = 'forming', 1,
        (SELECT count(*) FROM seats WHERE game = name AND player IS NULL)),
    json_object('name', name, 'game', game, 'status', status, 'master', master,
        'master_hash', master_hash, 'seed', base64(seed),
        'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', created_at, 'unixepoch'),
        'due_at', strftime('%Y-%m-%dT%H:%M:%SZ', due_at, 'unixepoch'),
        'faults', json(faults), 'ending', coalesce(ending, ''), 'winners', json(winners),
        'settings', json_object('variant', variant, 'rules', rules, 'press', press,
            'choices', json(rule_choices), 'options', json(variant_options),
            'lengths', json_object('movement', 'PT' || movement_seconds || 'S',
                'retreat', 'PT' || retreat_seconds || 'S',
                'adjustment', 'PT' || adjustment_seconds || 'S'),
            'grace', 'PT' || grace_seconds || 'S', 'reminder', 'PT' || reminder_seconds || 'S',
            'all_in_delay', 'PT' || all_in_delay_seconds || 'S',
            'votes', (SELECT json_group_array(vote) FROM (
                SELECT 'draw' AS vote WHERE draws UNION ALL SELECT 'concession' WHERE concessions))),
        'applicants', (SELECT json_group_array(json_object('player', player, 'wish', wish,
                'password_hash', password_hash)) FROM
            (SELECT * FROM applicants WHERE game = name ORDER BY position)),
        'seats', (SELECT json_group_array(json(seat)) FROM
            (SELECT seat FROM old_seats WHERE game = name ORDER BY position)),
        'order_sets', (SELECT json_group_object(seat, json(order_set)) FROM old_order_sets
            WHERE game = name AND label = ''),
        'advance', (SELECT json_group_object(seat, json(sets)) FROM (
            SELECT seat, json_group_array(
                json_object('label', label, 'order_set', json(order_set))) AS sets
            FROM (SELECT * FROM old_order_sets WHERE game = name AND label <> ''
                ORDER BY seat, position) GROUP BY seat)),
        'phase', json(iif(phase_serial IS NULL, 'null', json_object('label', phase_label,
            'kind', phase_kind, 'serial', phase_serial, 'silence', iif(NOT phase_is_main, 'normal',
                iif(phase_serial = 1, 'wait', 'absence'))))),
        'timing', json(iif(deadline_at IS NULL, 'null', json_object(
            'opened_at', strftime('%Y-%m-%dT%H:%M:%SZ', opened_at, 'unixepoch'),
            'deadline_at', strftime('%Y-%m-%dT%H:%M:%SZ', deadline_at, 'unixepoch'),
            'changed_at', strftime('%Y-%m-%dT%H:%M:%SZ', changed_at, 'unixepoch'),
            'grace_until', strftime('%Y-%m-%dT%H:%M:%SZ', grace_ends_at, 'unixepoch'),
            'late', json(late), 'reminded', json(iif(reminded, 'true', 'false')),
            'waits', json(iif(waits, 'true', 'false')),
            'unreachable', json(iif(unreachable, 'true', 'false'))))))
FROM games;
INSERT INTO participants (game, player)
    SELECT name, master FROM games
    UNION SELECT game, player FROM applicants
    UNION SELECT game, coalesce(player, former) FROM seats
        WHERE coalesce(player, former) IS NOT NULL;
INSERT INTO phase_records (game, serial, label, processed_at, cause, record)
SELECT game, serial, label, processed_at, cause, json_object(
    'phase', json_object('label', label, 'kind', kind, 'serial', serial,
        'silence', iif(NOT is_main, 'normal', iif(serial = 1, 'wait', 'absence'))),
    'state', json_extract(record, '$.state'), 'order_sets', json_extract(record, '$.sheets'),
    'reports', json_extract(record, '$.reports'), 'missing', json_extract(record, '$.missing'))
FROM phases;
UPDATE letters_out SET blocks = messages(blocks)
    WHERE id IN (SELECT letter FROM outbox WHERE NOT is_rendered);
DROP VIEW old_seats;
DROP VIEW old_order_sets;
DROP VIEW old_lines;

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
