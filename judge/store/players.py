"""Players and their addresses."""

from collections.abc import Sequence

from judge.store.records import Player, PlayerId
from judge.store.rows import Table, from_row, row_of, text_of

SAVE = """
INSERT INTO players (id, name, language, zone, registered_at, confirmed)
VALUES (:id, :name, :language, :zone, :registered_at, :confirmed)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, language = excluded.language,
    zone = excluded.zone, confirmed = excluded.confirmed
"""


class Players(Table):
    def get(self, player_id: PlayerId) -> Player | None:
        """None if there is no such player."""
        row = self.row("SELECT * FROM players WHERE id = ?", [player_id])
        if row is None:
            return None
        sql = "SELECT address FROM addresses WHERE player = ? ORDER BY position"
        addresses = [each["address"] for each in self.rows(sql, [player_id])]
        return from_row({**row, "addresses": addresses}, Player, f"player {player_id}")

    def by_address(self, address: str) -> Player | None:
        """The player whom an address belongs to, in any case, or None."""
        row = self.row("SELECT player FROM addresses WHERE address = ?", [text_of(address)])
        return self.get(PlayerId(row["player"])) if row else None

    def save(self, players: Sequence[Player]) -> None:
        """Write these players.

        Raises:
            sqlite3.IntegrityError: an address belongs to another player.
        """
        for player in players:
            self.run(SAVE, row_of(player, "addresses"))
            self.run("DELETE FROM addresses WHERE player = ?", [player.id])
        # After all of them have given theirs up, so that one may take another's.
        for player in players:
            for position, address in enumerate(player.addresses):
                sql = "INSERT INTO addresses (address, player, position) VALUES (?, ?, ?)"
                self.run(sql, [text_of(address), player.id, position])
