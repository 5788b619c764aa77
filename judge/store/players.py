"""Players and their addresses, to and from their tables."""

from collections.abc import Sequence

from sqlite_utils import Database as Tables

from judge.clock import from_seconds, to_seconds
from judge.store.records import Player, PlayerId
from judge.store.rows import Row, fetch, fetch_one, reading, sync_row, sync_rows, text_of


def player(db: Tables, player_id: PlayerId) -> Player | None:
    """None if there is no such player."""
    row = fetch_one(db, "SELECT * FROM players WHERE id = ?", [player_id])
    return _from_row(row, _addresses(db, player_id)) if row else None


def player_by_address(db: Tables, address: str) -> Player | None:
    """The player whom an address belongs to, in any case, or None."""
    row = fetch_one(db, "SELECT player FROM addresses WHERE address = ?", [text_of(address)])
    return player(db, PlayerId(row["player"])) if row else None


def save_players(db: Tables, players: Sequence[Player]) -> None:
    """Write what differs. All addresses that were given up go first, so that another may take one.

    Raises:
        sqlite3.IntegrityError: an address belongs to another player.
    """
    for one in players:
        sync_row(db, "players", {"id": one.id}, _to_row(one))
        left = tuple(address for address in _addresses(db, one.id) if address in one.addresses)
        _save_addresses(db, one.id, left)
    for one in players:
        _save_addresses(db, one.id, one.addresses)


def _save_addresses(db: Tables, player_id: PlayerId, addresses: Sequence[str]) -> None:
    rows: list[Row] = [
        {"address": text_of(address), "position": position}
        for position, address in enumerate(addresses)
    ]
    sync_rows(db, "addresses", {"player": player_id}, ("address",), rows)


def _addresses(db: Tables, player_id: PlayerId) -> tuple[str, ...]:
    sql = "SELECT address FROM addresses WHERE player = ? ORDER BY position"
    return tuple(row["address"] for row in fetch(db, sql, [player_id]))


def _to_row(one: Player) -> Row:
    return {
        "name": text_of(one.name),
        "language": one.language,
        "zone": one.zone,
        "registered_at": to_seconds(one.registered_at),
        "confirmed": int(one.confirmed),
    }


def _from_row(row: Row, addresses: tuple[str, ...]) -> Player:
    with reading(f"player {row['id']}"):
        return Player(
            id=PlayerId(row["id"]),
            name=row["name"],
            language=row["language"],
            zone=row["zone"],
            addresses=addresses,
            registered_at=from_seconds(row["registered_at"]),
            confirmed=bool(row["confirmed"]),
        )
