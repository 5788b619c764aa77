"""A game as rows and back: its record as JSON, and the columns by which games are found."""

from typing import Any

import msgspec
from msgspec.structs import replace

from judge.errors import StoreError
from judge.rulebook import State
from judge.store.records import GameRecord, Status
from judge.store.rows import Row, seconds, to_json

_DECODER = msgspec.json.Decoder(GameRecord)


def game_row(game: GameRecord) -> Row:
    """The columns of the games table, but for its key, and `halted`, which is not the host's.

    `open_seats` counts what a newcomer could take: seats without a player, or players that a
    forming game still needs (unknown here, so 1).
    """
    vacant = sum(seat.player is None for seat in game.seats)
    return {
        "game": game.game,
        "status": game.status.value,
        "master": game.master,
        "variant": game.settings.variant,
        "due_at": seconds(game.due_at),
        "open_seats": 1 if game.status is Status.FORMING else vacant,
        "record": to_json(replace(game, state=None, halted=None)),
    }


def participants(game: GameRecord) -> set[str]:
    """The players that have a part in it: master, applicants, holders and former holders."""
    seats = {seat.player or seat.former for seat in game.seats}
    return {game.master, *(one.player for one in game.applicants), *filter(None, seats)}


def game_from_row(row: dict[str, Any]) -> GameRecord:
    """The game of its row, with `state` and `halted`.

    Raises:
        StoreError: the record holds what no judge of this version wrote.
    """
    try:
        game = _DECODER.decode(row["record"])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise StoreError(f"game {row['name']} cannot be read: {error}") from error
    state = None if row["state"] is None else State(row["state"].encode())
    return replace(game, state=state, halted=row["halted"])
