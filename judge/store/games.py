"""Games with their seats, applicants and stored lines: read whole, written where they differ."""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlite_utils import Database as Tables

from judge.clock import to_seconds
from judge.errors import StoreError
from judge.store.game_rows import (
    GameRows,
    advance_rows,
    applicant_row,
    game_from_rows,
    game_row,
    line_rows,
    seat_row,
)
from judge.store.records import GameRecord, PlayerId, Status
from judge.store.rows import (
    Row,
    fetch,
    fetch_one,
    instant,
    sync_row,
    sync_rows,
    text_of,
    to_json,
    update,
)

LOG = logging.getLogger(__name__)

# INDEXED BY, because SQLite would rather take all active games and sort them; it needs the very
# condition of the index.
DUE = """
FROM games INDEXED BY games_due
WHERE status = 'active' AND halted IS NULL AND due_at IS NOT NULL
"""
DUE_GAMES = f"SELECT name {DUE} AND due_at <= ? ORDER BY due_at, name"
NEXT_DUE = f"SELECT due_at {DUE} ORDER BY due_at LIMIT 1"

GAMES_OF = """
SELECT name FROM games WHERE master = :player AND status <> 'finished'
UNION
SELECT name FROM applicants JOIN games ON name = applicants.game
    WHERE player = :player AND status <> 'finished'
UNION
SELECT name FROM seats JOIN games ON name = seats.game
    WHERE player = :player AND status <> 'finished'
UNION
SELECT name FROM seats JOIN games ON name = seats.game
    WHERE former = :player AND player IS NULL AND status <> 'finished'
ORDER BY name
"""


def game(db: Tables, name: str) -> GameRecord | None:
    """The game of that name in any case, or None.

    Raises:
        StoreError: it cannot be read.
    """
    found = _load(db, "name = ?", [text_of(name)])
    return game_from_rows(found[0]) if found else None


def games(db: Tables, statuses: Sequence[Status]) -> tuple[GameRecord, ...]:
    """Games in these states, by name; all if none is given.

    A game that cannot be read is left out, so that it does not stop a list of the others.
    """
    marks = ", ".join("?" for _ in statuses)
    readable = []
    for rows in _load(db, f"status IN ({marks})" if statuses else "TRUE", list(statuses)):
        try:
            readable.append(game_from_rows(rows))
        except StoreError as error:
            LOG.error("game left out of a list game=%s error=%s", rows.own["name"], error)  # noqa: TRY400
    return tuple(readable)


def _load(db: Tables, condition: str, parameters: Sequence[Any]) -> list[GameRows]:
    own = fetch(
        db,
        "SELECT games.*, states.state FROM games LEFT JOIN states ON states.game = name"  # noqa: S608
        f" WHERE {condition} ORDER BY name",
        parameters,
    )
    seats, lines, advance, applicants = (
        _parts(db, table, condition, parameters)
        for table in ("seats", "lines", "ahead_lines", "applicants")
    )
    return [
        GameRows(row, *(part[row["name"]] for part in (seats, lines, advance, applicants)))
        for row in own
    ]


def _parts(
    db: Tables, table: str, condition: str, parameters: Sequence[Any]
) -> defaultdict[str, list[Row]]:
    """The rows of a table that belong to games, by the game's name, in their order."""
    sql = f"""
        SELECT games.name AS owner, {table}.* FROM games JOIN {table} ON {table}.game = games.name
        WHERE {condition} ORDER BY {table}.position
    """  # noqa: S608
    grouped: defaultdict[str, list[Row]] = defaultdict(list)
    for row in fetch(db, sql, parameters):
        grouped[row["owner"]].append(row)
    return grouped


def save_game(db: Tables, game: GameRecord, cause: str) -> None:
    """Write what differs of a game; its name stays as it was first written, whatever the case.

    Raises:
        StoreError: a seat or a line stands in it twice.
        sqlite3.IntegrityError: it names a player whom nobody knows, or a line has no seat.
    """
    key = {"game": game.name}
    sync_row(db, "games", {"name": game.name}, game_row(game), {"cause": cause})
    if game.state is not None:
        sync_row(db, "states", key, {"state": to_json(game.state)})
    else:
        db.execute("DELETE FROM states WHERE game = ?", [game.name])
    applicants = [applicant_row(one, position) for position, one in enumerate(game.applicants)]
    sync_rows(db, "applicants", key, ("player",), applicants)
    seats = [seat_row(one, position) for position, one in enumerate(game.seats)]
    sync_rows(db, "seats", key, ("seat",), seats)
    sync_rows(db, "lines", key, ("seat", "position"), line_rows(game))
    sync_rows(db, "ahead_lines", key, ("seat", "position"), advance_rows(game))


def game_names(db: Tables) -> tuple[str, ...]:
    """The names of all games, in order."""
    return tuple(row["name"] for row in fetch(db, "SELECT name FROM games ORDER BY name"))


def games_of(db: Tables, player: PlayerId) -> tuple[str, ...]:
    """Names of the unfinished games that a player has a part in, in order."""
    return tuple(row["name"] for row in fetch(db, GAMES_OF, {"player": player}))


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
