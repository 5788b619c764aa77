"""A variant as a number of players plays it, by one of its tables (`players_table.py`)."""

from dataclasses import replace
from functools import lru_cache

from judge.diplomacy.board import Board, make_board
from judge.diplomacy.orders import ProvinceId
from judge.diplomacy.variants.players_table import PlayersTable, SeatPowers
from judge.diplomacy.variants.variant import Variant

NOWHERE: frozenset[ProvinceId] = frozenset()


def seated(variant: Variant, table: PlayersTable, joined: str = "") -> Variant:
    """The variant as that table plays it; `joined` is the seat that the unplayed powers have come
    to, in any case of letters, or empty."""
    if joined:
        seats = tuple(_joined(seat, table, variant, joined) for seat in table.seats)
        powers, closed, toss = variant.powers, NOWHERE, None
    else:
        seats, closed, toss = table.seats, table.closed, table.toss
        powers = tuple(
            replace(power, is_played=power.id not in table.unplayed) for power in variant.powers
        )
    return replace(
        variant,
        board=_closed(variant.board, closed),
        powers=powers,
        calendar=replace(variant.calendar, opening=table.opening or variant.calendar.opening),
        victory_centers=table.victory_centers or variant.victory_centers,
        victory_by=table.victory_by,
        seats=seats,
        closed=closed,
        toss=toss,
    )


def _joined(seat: SeatPowers, table: PlayersTable, variant: Variant, joined: str) -> SeatPowers:
    if seat.id.casefold() != joined.casefold():
        return seat
    others = tuple(power for power in variant.power_ids if power in table.unplayed)
    return replace(seat, powers=(*seat.powers, *others))


@lru_cache(maxsize=64)
def _closed(board: Board, closed: frozenset[ProvinceId]) -> Board:
    """The board without ways into the closed provinces or out of them."""
    if not closed:
        return board
    return make_board(
        board.provinces.values(),
        {
            origin: tuple(each for each in targets if not {origin, each} & closed)
            for origin, targets in board.army_ways.items()
        },
        {
            place: tuple(each for each in places if not {place.province, each.province} & closed)
            for place, places in board.fleet_ways.items()
        },
        coast_aliases=board.aliases,
        ambiguous=board.ambiguous,
    )
