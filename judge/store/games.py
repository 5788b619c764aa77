"""The games, their states, and who has a part in them: one row each."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlite_utils import Database as Tables

from judge.clock import to_seconds
from judge.errors import StoreError
from judge.store.game_rows import game_from_row, game_row, participants
from judge.store.records import GameRecord, PlayerId, Status
from judge.store.rows import fetch, fetch_one, instant, sync_row, text_of, update

LOG = logging.getLogger(__name__)

GAMES = "SELECT games.*, states.state FROM games LEFT JOIN states ON states.game = name"
# INDEXED BY, because SQLite would rather take all active games and sort them; it needs the very
# condition of the index.
DUE = """
FROM games INDEXED BY games_due
WHERE status = 'active' AND halted IS NULL AND due_at IS NOT NULL
"""
DUE_GAMES = f"SELECT name {DUE} AND due_at <= ? ORDER BY due_at, name"
NEXT_DUE = f"SELECT due_at {DUE} ORDER BY due_at LIMIT 1"
GAMES_OF = """
SELECT name FROM participants JOIN games ON name = participants.game
WHERE player = ? AND status <> 'finished' ORDER BY name
"""


def game(db: Tables, name: str) -> GameRecord | None:
    """The game of that name in any case, or None.

    Raises:
        StoreError: it cannot be read.
    """
    found = fetch_one(db, f"{GAMES} WHERE name = ?", [text_of(name)])
    return game_from_row(found) if found else None


def games(db: Tables, statuses: Sequence[Status]) -> tuple[GameRecord, ...]:
    """Games in these states, by name; all if none is given.

    A game that cannot be read is left out, so that it does not stop a list of the others.
    """
    marks = ", ".join("?" for _ in statuses)
    readable = []
    condition = f"status IN ({marks})" if statuses else "TRUE"
    for row in fetch(db, f"{GAMES} WHERE {condition} ORDER BY name", list(statuses)):
        try:
            readable.append(game_from_row(row))
        except StoreError as error:
            LOG.error("game left out of a list game=%s error=%s", row["name"], error)  # noqa: TRY400
    return tuple(readable)


def save_game(db: Tables, game: GameRecord, cause: str) -> None:
    """Write what differs of a game; its name stays as it was first written, whatever the case.

    Raises:
        sqlite3.IntegrityError: it names a player whom nobody knows.
    """
    sync_row(db, "games", {"name": game.name}, game_row(game), {"cause": cause})
    if game.state is not None:
        sync_row(db, "states", {"game": game.name}, {"state": game.state.decode()})
    known = {
        row["player"]
        for row in fetch(db, "SELECT player FROM participants WHERE game = ?", [game.name])
    }
    wanted = participants(game)
    for player in sorted(wanted - known):
        db.execute("INSERT INTO participants (game, player) VALUES (?, ?)", [game.name, player])
    for player in sorted(known - wanted):
        db.execute("DELETE FROM participants WHERE game = ? AND player = ?", [game.name, player])


def game_names(db: Tables) -> tuple[str, ...]:
    """The names of all games, in order."""
    return tuple(row["name"] for row in fetch(db, "SELECT name FROM games ORDER BY name"))


def games_of(db: Tables, player: PlayerId) -> tuple[str, ...]:
    """Names of the unfinished games that a player has a part in, in order."""
    return tuple(row["name"] for row in fetch(db, GAMES_OF, [player]))


def due_games(db: Tables, now: datetime) -> tuple[str, ...]:
    """Names of the games whose moment has come, the longest due first; no halted ones."""
    return tuple(row["name"] for row in fetch(db, DUE_GAMES, [to_seconds(now)]))


def next_due_at(db: Tables) -> datetime | None:
    """The moment at which the next game is due; None if none will be."""
    row = fetch_one(db, NEXT_DUE)
    return instant(row["due_at"]) if row else None


def set_halted(db: Tables, name: str, why: str | None) -> None:
    """Halt a game, or (None) release it.

    Raises:
        StoreError: there is no such game.
    """
    if not update(db, "games", {"name": name}, {"halted": why if why is None else text_of(why)}):
        raise StoreError(f"no game {name} to halt or release")


def variants_in_use(db: Tables) -> Mapping[str, tuple[str, ...]]:
    """Each variant that there are games of, finished ones too, with these; by name."""
    found: dict[str, list[str]] = {}
    for row in fetch(db, "SELECT variant, name FROM games ORDER BY variant, name"):
        found.setdefault(row["variant"], []).append(row["name"])
    return {variant: tuple(names) for variant, names in found.items()}


def halted_games(db: Tables) -> tuple[tuple[str, str], ...]:
    """Name and reason of each halted game, by name; readable even where the game is not."""
    sql = "SELECT name, halted FROM games WHERE halted IS NOT NULL ORDER BY name"
    return tuple((row["name"], row["halted"]) for row in fetch(db, sql))
