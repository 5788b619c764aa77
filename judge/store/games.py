"""The games, their states, who has a part in them, and who looks at the due ones."""

import difflib
import logging
import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import chain

import msgspec
from msgspec.structs import replace

from judge.clock import to_seconds
from judge.errors import StoreError
from judge.rulebook import State
from judge.store.people import PlayerId
from judge.store.players import Ratings
from judge.store.records import LEASE, GameRecord, Status
from judge.store.rows import Row, Table, from_json, row_of, to_json, without_surrogates

LOG = logging.getLogger(__name__)
DECODER = msgspec.json.Decoder(GameRecord)

GET = """
SELECT games.*, states.state FROM games LEFT JOIN states ON states.game = name WHERE name = ?
"""
LISTED = "SELECT name, record, halted, version FROM games"
# Not a practice game, which is its player's alone, nor one that its master does not list.
PUBLIC = """(json_extract(record, '$.until') IS NULL
    AND json_extract(record, '$.settings.listed') IS NOT 0)"""
PAGE = f"{LISTED} WHERE status = ? AND name > ? ORDER BY name LIMIT ?"
PUBLIC_PAGE = PAGE.replace("ORDER", f"AND {PUBLIC} ORDER")
JOINABLE = f"{LISTED} WHERE open_seats > 0 AND {PUBLIC} AND name > ? ORDER BY name LIMIT ?"
NAMES = f"SELECT name FROM games WHERE status = ? AND {PUBLIC} ORDER BY name LIMIT ?"  # noqa: S608
INSERT = """
INSERT INTO games (name, game, status, variant, due_at, open_seats, record, cause, version)
VALUES (:name, :game, :status, :variant, :due_at, :open_seats, :record, :cause, 1)
ON CONFLICT DO NOTHING
"""
UPDATE = """
UPDATE games SET game = :game, status = :status, variant = :variant,
    due_at = :due_at, open_seats = :open_seats, record = :record, cause = :cause,
    version = version + 1
WHERE name = :name AND version = :version
"""
# Writes nothing where the state is the same, as it is after every letter.
SAVE_STATE = """
INSERT INTO states (game, state) VALUES (?, ?)
ON CONFLICT (game) DO UPDATE SET state = excluded.state WHERE state <> excluded.state
"""
GAMES_OF = """
SELECT name FROM participants JOIN games ON name = participants.game
WHERE player = ? AND status <> 'finished' ORDER BY name
"""
ENDED_OF = """
SELECT name FROM participants JOIN games ON name = participants.game
WHERE player = ? AND status = 'finished' AND json_extract(record, '$.ended_at') >= ? ORDER BY name
"""
# The names next to the written one in the alphabet share its beginning; others may share its end.
_NAMED = f"SELECT name FROM games WHERE status <> 'draft' AND {PUBLIC}"  # noqa: S608
NAMES_FROM = f"{_NAMED} AND name >= ? ORDER BY name LIMIT ?"
NAMES_BEFORE = f"{_NAMED} AND name < ? ORDER BY name DESC LIMIT ?"
NAMES_ENDING = f"""
SELECT name FROM games WHERE status IN ('forming', 'active', 'finished') AND {PUBLIC}
    AND name LIKE ? LIMIT ?
"""  # noqa: S608
# Tables whose rows go with their game.
OF_A_GAME = ("press", "acts", "notes", "participants", "phases", "game_leases", "states", "results")
ALL = -1  # as a LIMIT (https://sqlite.org/lang_select.html#limitoffset)
NEIGHBORS = 100  # names that each of these queries gives
LONGEST_NAME = 60  # characters of what was written that are compared

# INDEXED BY, because SQLite would rather take all games and sort them; it needs the very
# condition of the index.
DUE = """
FROM games INDEXED BY games_due
WHERE halted IS NULL AND due_at IS NOT NULL
"""
DUE_GAMES = f"SELECT name {DUE} AND due_at <= ? ORDER BY due_at, name LIMIT ? OFFSET ?"
NEXT_DUE = f"SELECT due_at {DUE} ORDER BY due_at LIMIT 1"
UNLEASED = f"""
SELECT name {DUE} AND due_at <= :until AND (due_at <= :settled OR due_at > :looked)
    AND NOT EXISTS (SELECT 1 FROM game_leases WHERE game = name AND lease_until > :now)
ORDER BY due_at, name LIMIT :limit
"""  # noqa: S608
CLAIM = """
INSERT INTO game_leases (game, owner, lease_until, attempts) VALUES (?, ?, ?, 1)
ON CONFLICT (game) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until,
    attempts = attempts + 1
"""


class Games(Table):
    def get(self, name: str) -> GameRecord | None:
        """The game of that name in any case, or None. Raises StoreError: it cannot be read."""
        row = self.run(GET, [name]).fetchone()
        if row is None:
            return None
        game = from_json(row["record"], DECODER, f"game {row['name']}")
        state = None if row["state"] is None else State(row["state"].encode())
        return replace(game, state=state, halted=row["halted"], version=row["version"])

    def save(self, game: GameRecord, cause: str) -> None:
        """Write a game as it was changed since it was read; its name stays as first written, and a
        state stays where the game is without one.

        Raises:
            StoreError: somebody else has changed it meanwhile.
            sqlite3.IntegrityError: it names a player whom nobody knows.
        """
        # Nobody can take a seat whose player stays.
        vacant = sum(seat.is_open for seat in game.seats if not seat.player or seat.is_leaving)
        row = {
            "name": game.name,
            "game": game.game,
            "status": game.status.value,
            "variant": game.settings.variant,
            # Rounded up, so that no game is due before its instant.
            "due_at": None if game.due_at is None else math.ceil(game.due_at.timestamp()),
            # For newcomers; how many a forming game has is unknown here, so 1.
            "open_seats": {Status.FORMING: 1, Status.ACTIVE: vacant}.get(game.status, 0),
            "record": to_json(replace(game, state=None, halted=None, version=0)),
            "cause": cause,
            "version": game.version,
        }
        if not self.run(UPDATE if game.version else INSERT, row).rowcount:
            raise StoreError(f"game {game.name} was changed meanwhile")
        if game.state is not None:
            self.run(SAVE_STATE, [game.name, game.state.decode()])
        elif game.status is Status.FORMING:  # it had begun, and waits for players again
            self.run("DELETE FROM states WHERE game = ?", [game.name])
        had_results = self.run("DELETE FROM results WHERE game = ?", [game.name]).rowcount > 0
        if game.status is Status.FINISHED:
            self._save_results(game)
        elif had_results:  # it goes on again, and no rating has it in it
            Ratings(self.db).forget_game(game.name)
        known = {*self.column("SELECT player FROM participants WHERE game = ?", [game.name])}
        wanted = {one.player for one in (*game.applicants, *game.waiting, *game.asking)}
        wanted |= {one.player for one in game.masters} | {one.player for one in game.observers}
        seats = {seat.player or seat.former for seat in game.seats}
        wanted |= {*filter(None, seats | {seat.standby for seat in game.seats})}
        for player in sorted(wanted - known):
            self.run("INSERT INTO participants (game, player) VALUES (?, ?)", [game.name, player])
        for player in sorted(known - wanted):
            self.run("DELETE FROM participants WHERE game = ? AND player = ?", [game.name, player])

    def _save_results(self, game: GameRecord) -> None:
        """Who has which share of a finished game's result, and for how long they held their seat;
        of a practice game nobody."""
        for position, one in enumerate(() if game.is_practice else game.tenures):
            has_won = one.seat in game.winners and one.until_serial is None
            row = {
                **row_of(one),
                "game": game.name,
                "position": position,
                "variant": game.settings.variant,
                "ending": game.ending,
                "ended_at": game.ended_at and to_seconds(game.ended_at),
                "seats": len(game.seats),
                "score": game.scores.get(one.seat, 0),
                "share": 1 / len(game.winners) if has_won else 0.0,
            }
            self.insert("results", row)

    # --- lists ------------------------------------------------------------------------------------

    def page(
        self, *statuses: Status, limit: int, after: str = "", is_public: bool = False
    ) -> tuple[GameRecord, ...]:
        """Games in these states (all if none is given) that follow a name, by name; with
        `is_public` without practice games.

        Without their `state`. A game that cannot be read is left out, so that it does not stop a
        list of the others.
        """
        rows = [
            row
            for status in statuses or Status
            for row in self.run(PUBLIC_PAGE if is_public else PAGE, [status.value, after, limit])
        ]
        return _readable_games(sorted(rows, key=lambda row: row["name"].lower())[:limit])

    def joinable(self, *, limit: int, after: str = "") -> tuple[GameRecord, ...]:
        """Public games that a newcomer could join, those that form and those with a vacant seat,
        as in `page`."""
        return _readable_games(self.run(JOINABLE, [after, limit]))

    def count(self, *statuses: Status) -> int:
        """How many games are in these states (in all, if none is given)."""
        marks = ", ".join("?" for _ in statuses or Status)
        sql = f"SELECT count(*) FROM games WHERE status IN ({marks})"  # noqa: S608
        return int(self.value(sql, [status.value for status in statuses or Status]))

    def names(self, *statuses: Status, limit: int) -> tuple[str, ...]:
        """The first names of games in these states (of all, if none is given), by name."""
        found = [self.column(NAMES, [status.value, limit]) for status in statuses or Status]
        return tuple(sorted(chain(*found), key=str.lower)[:limit])

    def nearest_names(self, written: str, *, limit: int) -> tuple[str, ...]:
        """Names of games (not of drafts) that may have been meant; the first of all if none is
        near. Compares the names around the written one, and those that end like it."""
        written = without_surrogates(written.lower())[:LONGEST_NAME]
        ending = f"%{written[len(written) // 2 :]}"
        queries = ((NAMES_FROM, written), (NAMES_BEFORE, written), (NAMES_ENDING, ending))
        found = {name for sql, near in queries for name in self.column(sql, [near, NEIGHBORS])}
        nearest = difflib.get_close_matches(written, sorted(found, key=str.lower), n=limit)
        statuses = (Status.FORMING, Status.ACTIVE, Status.FINISHED)
        return tuple(nearest) or self.names(*statuses, limit=limit)

    def of_player(self, player: PlayerId) -> tuple[str, ...]:
        """Names of the unfinished games in which a player holds or applied for a seat, is master,
        or may retake their vacant seat; by name."""
        return self.column(GAMES_OF, [player])

    def ended_of_player(self, player: PlayerId, since: datetime) -> tuple[str, ...]:
        """As `of_player`, of the games that have ended since then."""
        return self.column(ENDED_OF, [player, msgspec.to_builtins(since)])

    def variants(self) -> Mapping[str, tuple[str, ...]]:
        """Each variant that there are games of, finished ones too, with these; by name."""
        found: dict[str, list[str]] = {}
        for row in self.run("SELECT variant, name FROM games ORDER BY variant, name"):
            found.setdefault(row["variant"], []).append(row["name"])
        return {variant: tuple(names) for variant, names in found.items()}

    # --- the clock --------------------------------------------------------------------------------

    def due(self, now: datetime, *, limit: int = ALL, skip: int = 0) -> tuple[str, ...]:
        """Names of the games whose moment has come, the longest due first; none halted. At most
        `limit` of them, behind the first that are to be skipped."""
        return self.column(DUE_GAMES, [to_seconds(now), limit, skip])

    def next_due_at(self) -> datetime | None:
        """When the next game is due; None if none will be."""
        return self.instant(NEXT_DUE)

    def claim_due(
        self,
        now: datetime,
        limit: int,
        owner: str,
        until: datetime | None = None,
        *,
        waiting: tuple[datetime, datetime] | None = None,
    ) -> tuple[str, ...]:
        """Games that were due at `until` (default: now), the longest due first; nobody else gets
        them before `release_claims`, or the end of the lease. Left out are those that came due
        behind the first instant of `waiting`, up to the second."""
        until = until or now
        settled, looked = waiting or (until, until)
        instants = {"now": now, "until": until, "settled": settled, "looked": looked}
        values = {name: to_seconds(at) for name, at in instants.items()} | {"limit": limit}
        names = self.column(UNLEASED, values)
        for name in names:
            self.run(CLAIM, [name, owner, to_seconds(now + LEASE)])
        return names

    def release_claims(self, owner: str, *done: str) -> None:
        """Give back all that an owner has claimed. Those that were `done` begin again at no
        attempts. Safe to call twice."""
        for name in done:
            self.run("DELETE FROM game_leases WHERE game = ? AND owner = ?", [name, owner])
        self.run("UPDATE game_leases SET lease_until = 0 WHERE owner = ?", [owner])

    def halt(self, name: str, why: str | None) -> None:
        """The game is not due any more, or with None may be due again. StoreError if there is
        none."""
        if not self.run("UPDATE games SET halted = ? WHERE name = ?", [why, name]).rowcount:
            raise StoreError(f"no game {name} to halt or release")

    def stored_names(self) -> tuple[str, ...]:
        """The names of all games, by name; readable even where the game is not."""
        return self.column("SELECT name FROM games ORDER BY name")

    def status(self, name: str) -> Status:
        """The state of a game, even of one that cannot be read. StoreError if there is none."""
        status = self.value("SELECT status FROM games WHERE name = ?", [name])
        if status is None:
            raise StoreError(f"no game {name}")
        return Status(status)

    def delete(self, name: str) -> None:
        """Forget a game and its phases; its letters stay, and name no game any more."""
        for table in ("letters_out", "threads"):
            self.run(f"UPDATE {table} SET game = NULL, seat = NULL WHERE game = ?", [name])  # noqa: S608
        for table in OF_A_GAME:
            self.run(f"DELETE FROM {table} WHERE game = ?", [name])  # noqa: S608
        self.run("DELETE FROM games WHERE name = ?", [name])
        Ratings(self.db).forget_game(name)

    def halted(self) -> tuple[tuple[str, str], ...]:
        """Name and reason of each halted game, by name; readable even where the game is not."""
        rows = self.run("SELECT name, halted FROM games WHERE halted IS NOT NULL ORDER BY name")
        return tuple((row["name"], row["halted"]) for row in rows)


def _readable_games(rows: Iterable[Row]) -> tuple[GameRecord, ...]:
    games = []
    for row in rows:
        try:
            game = from_json(row["record"], DECODER, f"game {row['name']}")
            games.append(replace(game, halted=row["halted"], version=row["version"]))
        except StoreError as error:
            LOG.error("game left out of a list game=%s error=%s", row["name"], error)  # noqa: TRY400
    return tuple(games)
