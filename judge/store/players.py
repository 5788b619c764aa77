"""Players and their addresses."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from judge.store.records import Player, PlayerId
from judge.store.rows import Row, Table, from_row, row_of

PLAYER = """
SELECT *, (SELECT json_group_array(address) FROM
    (SELECT address FROM addresses WHERE player = players.id ORDER BY position)) AS addresses
FROM players WHERE id =
"""
BY_ADDRESS = f"{PLAYER} (SELECT player FROM addresses WHERE address = ?)"  # noqa: S608
SAVE = """
INSERT INTO players (id, name, language, zone, registered_at, confirmed)
VALUES (:id, :name, :language, :zone, :registered_at, :confirmed)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, language = excluded.language,
    zone = excluded.zone, confirmed = excluded.confirmed
"""


@dataclass
class Players(Table):
    """Each player is read once in a transaction. `_read` has those that were, by id."""

    _read: dict[PlayerId, Player | None] = field(default_factory=dict)

    def get(self, player_id: PlayerId) -> Player | None:
        """None if there is no such player."""
        if player_id not in self._read:
            self._read[player_id] = _player(self.run(f"{PLAYER} ?", [player_id]).fetchone())
        return self._read[player_id]

    def by_address(self, address: str) -> Player | None:
        """The player whom an address belongs to, in any case, or None."""
        player = _player(self.run(BY_ADDRESS, [address]).fetchone())
        if player is not None:
            self._read[player.id] = player
        return player

    def save(self, players: Sequence[Player]) -> None:
        """Write these players.

        Raises:
            sqlite3.IntegrityError: an address belongs to another player.
        """
        self._read.clear()
        for player in players:
            self.run(SAVE, row_of(player, "addresses"))
            self.run("DELETE FROM addresses WHERE player = ?", [player.id])
        # After all of them have given theirs up, so that one may take another's.
        for player in players:
            for position, address in enumerate(player.addresses):
                sql = "INSERT INTO addresses (address, player, position) VALUES (?, ?, ?)"
                self.run(sql, [address, player.id, position])


def _player(row: Row | None) -> Player | None:
    if row is None:
        return None
    addresses = json.loads(row["addresses"])
    return from_row({**row, "addresses": addresses}, Player, f"player {row['id']}")
