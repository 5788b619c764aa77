"""Players: their addresses, whom they block, how they have played, how their games ended, and the
ratings made from that."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from itertools import chain
from typing import Any

import msgspec

from judge.clock import to_seconds
from judge.store.people import Conduct, ConductRecord, Placing, Player, PlayerId, Rating, Standby
from judge.store.rows import Table, from_row, row_of, to_json, without_surrogates

RATINGS_OF = "SELECT * FROM ratings WHERE player = ? ORDER BY variant"
BEST = """
SELECT ratings.* FROM ratings JOIN players ON id = player
WHERE variant = ? AND is_public ORDER BY mu DESC LIMIT ?
"""
UNRATED = """
SELECT game, player, variant, place, ended_at FROM placings
WHERE variant = ? AND NOT is_rated ORDER BY ended_at, game, player
"""


class Ratings(Table):
    def of(self, player: PlayerId) -> tuple[Rating, ...]:
        """A player's ratings, by variant."""
        return tuple(from_row(row, Rating, "ratings") for row in self.run(RATINGS_OF, [player]))

    def best(self, variant: str, *, limit: int) -> tuple[Rating, ...]:
        """The best of a variant whose profile is public, best first."""
        rows = self.run(BEST, [variant, limit])
        return tuple(from_row(row, Rating, "ratings") for row in rows)

    def unrated(self, variant: str) -> tuple[Placing, ...]:
        """Results that no rating has in it yet, by the end of their games."""
        rows = self.run(UNRATED, [variant])
        return tuple(from_row(row, Placing, f"placings of {variant}") for row in rows)

    def save(self, results: Sequence[Placing], ratings: Sequence[Rating]) -> None:
        """Keep results, and the ratings that have them in them."""
        for result in results:
            self.insert("placings", {**row_of(result), "is_rated": 1}, replace=True)
        for rating in ratings:
            self.insert("ratings", row_of(rating), replace=True)

    def forget_game(self, game: str) -> None:
        """The game is not over any more, or is gone: the ratings of its variant begin anew."""
        sql = "DELETE FROM placings WHERE game = ? RETURNING variant"
        for variant in {*self.column(sql, [game])}:
            self.run("DELETE FROM ratings WHERE variant = ?", [variant])
            self.run("UPDATE placings SET is_rated = 0 WHERE variant = ?", [variant])


# --- players --------------------------------------------------------------------------------------

MOST_NAMED = 5
MOST_STANDBYS = 50  # of a list that are looked at

# What is told of a player, and erased: the file explains its queries.
OWN_DATA = tomllib.loads(
    files("judge.store").joinpath("schema", "own_data.toml").read_text(encoding="utf-8")
)
PLAYER = """
SELECT *, (SELECT json_group_array(address) FROM
    (SELECT address FROM addresses WHERE player = players.id ORDER BY position)) AS addresses,
    (SELECT json_group_array(blocked) FROM blocks WHERE player = players.id) AS blocked
FROM players
"""
COLUMNS = [name for name in Player.__struct_fields__ if name not in ("addresses", "blocked")]
CHANGED = [name for name in COLUMNS if name not in ("id", "registered_at")]  # others refer to `id`
SAVE = f"""
INSERT INTO players ({", ".join(COLUMNS)}) VALUES ({", ".join(f":{each}" for each in COLUMNS)})
ON CONFLICT (id) DO UPDATE SET {", ".join(f"{each} = excluded.{each}" for each in CHANGED)}
"""  # noqa: S608
# What happened in a phase that a rollback has taken back does not count.
COUNTS = """
SELECT conduct, count(*) AS n FROM conduct WHERE player = ? AND at >= ? AND NOT (
    conduct IN ('on_time', 'late', 'missed', 'finished') AND EXISTS (
        SELECT 1 FROM games, json_each(games.record, '$.gaps') AS gap
        WHERE games.name = conduct.game AND conduct.serial
            BETWEEN json_extract(gap.value, '$[0]') AND json_extract(gap.value, '$[1]')))
GROUP BY conduct
"""
# INDEXED BY, as of the games that are due.
DIGESTS = """
SELECT id, digest_at FROM players INDEXED BY players_by_digest
WHERE digest_at IS NOT NULL AND digest_at <= ? ORDER BY digest_at, id LIMIT ?
"""
NEXT_DIGEST = """
SELECT digest_at FROM players INDEXED BY players_by_digest
WHERE digest_at IS NOT NULL ORDER BY digest_at LIMIT 1
"""
LISTS = ("addresses", "blocked", "attachments", "vacations")  # as JSON in a row
# Fields of messages that name people; `names` has one a line.
NAMING = {"player", "who", "name", "names", "asking", "allow", "deny", "written"}
NO_ADDRESS = "@"  # in place of theirs in a list of who may join
NOBODY = "N. N."  # who a forgotten player is in games that go on


@dataclass
class Players(Table):
    """Each player is read once in a transaction. `_read` has those that were, by id."""

    _read: dict[PlayerId, Player | None] = field(default_factory=dict)

    def get(self, player_id: PlayerId) -> Player | None:
        """None if there is no such player."""
        if player_id not in self._read:
            row = self.run(f"{PLAYER} WHERE id = ?", [player_id]).fetchone()
            player = from_row(row, Player, f"player {player_id}", *LISTS) if row else None
            self._read[player_id] = player
        return self._read[player_id]

    def by_address(self, address: str) -> Player | None:
        """The player whom an address belongs to, in any case, or None."""
        where = "WHERE id = (SELECT player FROM addresses WHERE address = ?)"
        row = self.run(f"{PLAYER} {where}", [address]).fetchone()
        if row is None:
            return None
        player = from_row(row, Player, f"player {row['id']}", *LISTS)
        return self._read.setdefault(player.id, player)

    def save(self, players: Sequence[Player]) -> None:
        """Write these players.

        Raises:
            sqlite3.IntegrityError: an address belongs to another player.
        """
        self._read.clear()
        for player in players:
            self.run(SAVE, row_of(player, *LISTS))
            self.run("DELETE FROM addresses WHERE player = ?", [player.id])
            self.run("DELETE FROM blocks WHERE player = ?", [player.id])
        # After all of them have given theirs up, so that one may take another's.
        for player in players:
            for position, address in enumerate(player.addresses):
                row = {"address": address, "player": player.id, "position": position}
                self.insert("addresses", row)
            for blocked in player.blocked:
                self.run("INSERT INTO blocks (player, blocked) VALUES (?, ?)", [player.id, blocked])

    def named(self, name: str) -> tuple[Player, ...]:
        """The players of a name, in any case of its Latin letters; at most a few, by id."""
        sql = "SELECT id FROM players WHERE name = ? COLLATE NOCASE ORDER BY id LIMIT ?"
        ids = self.column(sql, [without_surrogates(name), MOST_NAMED])
        return tuple(filter(None, map(self.get, ids)))

    def due_digests(self, until: datetime, *, limit: int) -> tuple[PlayerId, ...]:
        """The masters whose digest was due at an instant, the longest due first."""
        return self.column(DIGESTS, [to_seconds(until), limit])

    def next_digest_at(self) -> datetime | None:
        """When the next digest is due; None if none will be."""
        return self.instant(NEXT_DIGEST)

    def stop_digest(self, player: PlayerId) -> None:
        """A player gets none, until something arms it again."""
        self.run("UPDATE players SET digest_at = NULL WHERE id = ?", [player])

    def note_conduct(self, events: Sequence[ConductRecord]) -> None:
        """Keep events, the same one once. Whoever took a seat over in a phase is not late in it."""
        sql = """
            INSERT OR IGNORE INTO conduct (player, game, serial, conduct, at)
            SELECT :player, :game, :serial, :conduct, :at WHERE :conduct <> 'late' OR NOT EXISTS (
                SELECT 1 FROM conduct WHERE player = :player AND game = :game
                    AND serial = :serial AND conduct = 'taken_over')
        """
        for event in events:
            self.run(sql, row_of(event))

    def conduct_since(self, player: PlayerId, since: datetime) -> Mapping[Conduct, int]:
        """How often each of a player's events happened since then."""
        rows = self.run(COUNTS, [player, to_seconds(since)])
        return {Conduct(row["conduct"]): row["n"] for row in rows}

    def save_standbys(self, standbys: Sequence[Standby]) -> None:
        """Put players on standby lists, and take them off. Who is on one keeps their place."""
        for one in standbys:
            if one.at is None:
                sql = "DELETE FROM standbys WHERE scope = ? AND player = ?"
                self.run(sql, [one.scope, one.player])
            else:
                sql = "INSERT OR IGNORE INTO standbys (scope, player, at) VALUES (?, ?, ?)"
                self.run(sql, [one.scope, one.player, to_seconds(one.at)])

    def standbys(self, *scopes: str) -> tuple[PlayerId, ...]:
        """Who is on these lists, each list in its order."""
        sql = "SELECT player FROM standbys WHERE scope = ? ORDER BY at, player LIMIT ?"
        found = [self.column(sql, [scope, MOST_STANDBYS]) for scope in scopes]
        return tuple(dict.fromkeys(chain(*found)))

    def standby_scopes(self, player: PlayerId) -> tuple[str, ...]:
        return self.column("SELECT scope FROM standbys WHERE player = ? ORDER BY at", [player])

    def own_data(self, player: PlayerId) -> bytes:
        """Everything that is kept about a player, as JSON for people: one list a table."""
        found = {
            name: [dict(row) for row in self.run(sql, {"id": player})]
            for name, sql in OWN_DATA["told"].items()
        }
        return msgspec.json.format(msgspec.json.encode(found), indent=1)

    def forget(self, player: Player) -> None:
        """Erase what is personal; the player as they were stands for who they are. Their row stays,
        without a name, where games refer to it."""
        values = {
            "id": player.id,
            "nobody": json.dumps(NOBODY),
            "addresses": json.dumps(player.addresses),
            "name": to_json(player.name),
        }
        values["letters"] = to_json(self.column(OWN_DATA["letters"], values))
        values["games"] = to_json(self.column(OWN_DATA["games"], values))
        # In what was written to others nobody's name stands in place of the player's. What still
        # waits to be sent is rendered anew.
        sql = "SELECT id, messages FROM letters_out WHERE instr(messages, ?)"
        for row in self.run(sql, [to_json(player.name)[1:-1]]).fetchall():
            told = json.loads(row["messages"])
            if (changed := _without_name(told, player.name)) != told:
                sql = "UPDATE letters_out SET messages = ? WHERE id = ?"
                self.run(sql, [to_json(changed), row["id"]])
                self.run("DELETE FROM rendered WHERE letter = ?", [row["id"]])
                self.run("UPDATE outbox SET is_rendered = 0 WHERE letter = ?", [row["id"]])
        for sql in OWN_DATA["forget"]:
            self.run(sql, values)
        for address in map(to_json, player.addresses):  # which masters have listed
            sql = "UPDATE games SET record = replace(record, ?, ?) WHERE instr(record, ?)"
            self.run(sql, [address, to_json(NO_ADDRESS), address])


def _without_name(value: Any, name: str, *, is_named: bool = False) -> Any:
    """A message, or a part of one, with nobody's name wherever people are named."""
    if isinstance(value, dict):
        fields = NAMING - {"name"} if "variant" in value else NAMING  # `name` is a game's there
        return {
            key: _without_name(each, name, is_named=key in fields) for key, each in value.items()
        }
    if isinstance(value, list):
        return [_without_name(each, name, is_named=is_named) for each in value]
    if is_named and isinstance(value, str):
        return "\n".join(NOBODY if line == name else line for line in value.split("\n"))
    return value
