"""What the tables hold of one player: shown to them, and erased when they wish."""

# What a player is told of everything that is kept about them, by the name it has there.
OWN_DATA = {
    "player": "SELECT * FROM players WHERE id = :id",
    "addresses": "SELECT address FROM addresses WHERE player = :id ORDER BY position",
    "blocked_players": """
        SELECT name FROM blocks JOIN players ON players.id = blocked WHERE player = :id
    """,
    "standby": "SELECT scope, at FROM standbys WHERE player = :id ORDER BY at",
    "conduct": "SELECT game, serial, conduct, at FROM conduct WHERE player = :id ORDER BY at",
    "ratings": "SELECT variant, mu, sigma, games FROM ratings WHERE player = :id",
    "games": """
        SELECT name, status, json_extract(seat.value, '$.id') AS seat,
            EXISTS (SELECT 1 FROM json_each(record, '$.masters')
                WHERE json_extract(value, '$.player') = :id) AS is_master,
            json_extract(record, '$.order_sets."' || json_extract(seat.value, '$.id') || '"')
                AS orders,
            json_extract(record, '$.advance."' || json_extract(seat.value, '$.id') || '"')
                AS advance_orders
        FROM participants JOIN games ON games.name = participants.game
        LEFT JOIN json_each(record, '$.seats') AS seat
            ON :id IN (json_extract(seat.value, '$.player'), json_extract(seat.value, '$.former'))
        WHERE participants.player = :id ORDER BY name
    """,
    "notes": "SELECT * FROM notes WHERE player = :id ORDER BY game, kind, number",
    "results": "SELECT * FROM results WHERE player = :id ORDER BY ended_at",
    "press_sent": """
        SELECT press.* FROM press JOIN letters_in ON press.cause = 'letter ' || letters_in.sha256
        JOIN dispositions ON dispositions.letter = letters_in.id WHERE dispositions.player = :id
    """,
    "letters_received_from_you": """
        SELECT received_at, message_id, sender, length(raw) AS size_bytes FROM letters_in
        JOIN dispositions ON dispositions.letter = letters_in.id WHERE dispositions.player = :id
        ORDER BY received_at
    """,
    "letters_sent_to_you": """
        SELECT created_at, kind, game, label, recipient FROM letters_out WHERE player = :id
        ORDER BY id
    """,
}
# What was written to a player, also before they were one; not the letter that says they are erased.
OWN_LETTERS = """
SELECT id FROM letters_out
WHERE player = :id OR (player IS NULL AND kind <> 'farewell'
    AND recipient IN (SELECT value FROM json_each(:addresses)))
"""
OWN_GAMES = "SELECT DISTINCT game FROM letters_out WHERE player = :id AND game IS NOT NULL"
# Letters are emptied, not deleted: that they were seen is what keeps them from counting twice.
# `:letters` and `:games` are what the queries above have found.
FORGET = (
    "DELETE FROM conduct WHERE player = :id",
    "DELETE FROM standbys WHERE player = :id",
    "DELETE FROM notes WHERE player = :id",
    "DELETE FROM blocks WHERE :id IN (player, blocked)",
    # Their name in letters to the others of their games.
    """
    DELETE FROM rendered WHERE letter IN (
        SELECT id FROM letters_out JOIN outbox ON letter = id
        WHERE state = 'sent' AND game IN (SELECT value FROM json_each(:games))
            AND (instr(messages, '"player":' || :name) OR instr(messages, '"who":' || :name)))
    """,
    """
    UPDATE letters_out SET messages = replace(
        replace(messages, '"player":' || :name, '"player":' || :nobody),
        '"who":' || :name, '"who":' || :nobody)
    WHERE game IN (SELECT value FROM json_each(:games))
        AND (instr(messages, '"player":' || :name) OR instr(messages, '"who":' || :name))
    """,
    """
    UPDATE acts SET record = replace(record, '"who":' || :name, '"who":' || :nobody)
    WHERE game IN (SELECT value FROM json_each(:games)) AND instr(record, '"who":' || :name)
    """,
    # What still waits for them is not sent any more.
    "UPDATE outbox SET state = 'sent' WHERE letter IN (SELECT value FROM json_each(:letters))",
    "DELETE FROM rendered WHERE letter IN (SELECT value FROM json_each(:letters))",
    """
    UPDATE letters_out SET player = NULL, recipient = '', purpose = 'closed', payload = '{}',
        messages = '{"format":2,"messages":[]}', answers = NULL, documents = '[]'
    WHERE id IN (SELECT value FROM json_each(:letters))
    """,
    "UPDATE threads SET player = NULL, recipient = '' WHERE player = :id",
    """
    UPDATE letters_in SET sender = '', message_id = NULL, raw = x''
    WHERE sender IN (SELECT value FROM json_each(:addresses))
        OR id IN (SELECT letter FROM dispositions WHERE player = :id)
    """,
    "UPDATE dispositions SET player = NULL WHERE player = :id",
)
