"""Random positions crowded into one region, with orders that are legal there."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from judge.diplomacy.board import Board, parse_location
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.orders import (
    Location,
    PowerId,
    ProvinceId,
    Unit,
    UnitKind,
    WrittenConvoy,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenSupportHold,
    WrittenSupportMove,
    WrittenUnit,
)
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.variants.variant import Variant

from .brute_force import Piece, Referee

SEEDS = ("NTH", "ENG", "LYO", "ION", "AEG", "BAL", "TYS", "SKA", "BLA", "MUN", "BUR", "SER")


def crowd(variant: Variant, rng: random.Random, count: int) -> dict[str, Piece]:
    """Up to `count` units around one province, each with a legal order."""
    board = variant.board
    region = _region(board, rng, size=count + 3)
    units: dict[str, Unit] = {}
    for province in rng.sample(region, min(count, len(region))):
        kinds = [kind for kind in UnitKind if board.possible_locations(kind, province)]
        kind = rng.choice(kinds)
        power = rng.choice(variant.power_ids[:4])
        units[province] = Unit(power, kind, rng.choice(board.possible_locations(kind, province)))
    return _orders(board, rng, units)


def betrayal(variant: Variant, rng: random.Random, count: int) -> dict[str, Piece]:
    """A crowd in which an army is convoyed against the support of an attack on its own convoy:
    where nearly all paradoxes come from."""
    board = variant.board
    sea = ProvinceId(rng.choice([seed for seed in SEEDS if board.is_sea(ProvinceId(seed))]))
    beside = [
        way
        for way in board.adjacent_locations(UnitKind.FLEET, Location(sea))
        if way.province != sea
    ]
    coasts = [way for way in beside if board.is_coastal(way.province)]
    start, goal = rng.sample(sorted({way.province for way in coasts}), 2)
    aiming = rng.choice([way for way in coasts if way.province == goal])
    attacker = rng.choice([way for way in beside if way.province not in (start, goal)])
    pieces = crowd(variant, rng, count)
    for at in (sea, start, goal, attacker.province):
        pieces.pop(at, None)
    one, other, third = rng.sample(variant.power_ids, 3)
    pieces[start] = Piece(one, "A", start, "move", goal=goal, via=True)
    pieces[sea] = Piece(rng.choice((one, other)), "F", sea, "convoy", other=start, goal=goal)
    pieces[goal] = _piece(
        Unit(third, UnitKind.FLEET, aiming), "support_move", other=attacker.province, goal=sea
    )
    pieces[attacker.province] = _piece(Unit(third, UnitKind.FLEET, attacker), "move", goal=sea)
    return _mended(board, rng, pieces)


def _mended(board: Board, rng: random.Random, pieces: dict[str, Piece]) -> dict[str, Piece]:
    """The pieces, where an order that is no longer legal is a new support, or holds."""
    seas = {at for at in pieces if board.is_sea(ProvinceId(at)) and pieces[at].kind == "F"}
    movers = {at: piece for at, piece in pieces.items() if piece.verb == "move"}
    for at in sorted(pieces):
        if pieces[at].verb == "move":
            continue
        legal = list(_helps(board, _unit(pieces[at]), pieces, movers, seas))
        if pieces[at] not in legal:
            pieces[at] = rng.choice(legal) if legal else replace(pieces[at], verb="hold")
    return pieces


def _region(board: Board, rng: random.Random, size: int) -> list[ProvinceId]:
    found = [ProvinceId(rng.choice(SEEDS))]
    for province in found:
        near = {
            way.province
            for kind in UnitKind
            for place in board.possible_locations(kind, province)
            for way in board.adjacent_locations(kind, place)
        }
        found += rng.sample(sorted(near - set(found)), len(near - set(found)))
        if len(found) >= size:
            break
    return found[:size]


def _orders(board: Board, rng: random.Random, units: dict[str, Unit]) -> dict[str, Piece]:
    pieces = {at: _piece(unit) for at, unit in units.items()}
    seas = {at for at, unit in units.items() if board.is_sea(unit.location.province)}
    movers = {}
    for at in sorted(units):
        if rng.random() < 0.55:
            goals = list(_goals(board, units[at], set(units), seas, pieces))
            if goals:
                movers[at] = pieces[at] = rng.choice(goals)
    for at in sorted(set(units) - set(movers)):
        helps = list(_helps(board, units[at], pieces, movers, seas))
        if helps and rng.random() < 0.95:
            convoys = [piece for piece in helps if piece.verb == "convoy"]
            pieces[at] = rng.choice(convoys if convoys and rng.random() < 0.7 else helps)
    return pieces


def _piece(unit: Unit, verb: str = "hold", **keys: object) -> Piece:
    coast = unit.location.coast or ""
    return Piece(unit.power, unit.kind, unit.location.province, verb, coast=coast, **keys)


def _goals(
    board: Board, unit: Unit, occupied: set[str], seas: set[str], pieces: dict[str, Piece]
) -> Iterator[Piece]:
    """Moves to next door, twice those into the crowd, and those by any chain of fleets."""
    for way in board.adjacent_locations(unit.kind, unit.location):
        move = _piece(unit, "move", goal=way.province, goal_coast=way.coast or "")
        yield move
        if way.province in occupied:
            yield move
    if unit.kind is UnitKind.ARMY and board.is_coastal(unit.location.province):
        for goal in board.provinces:
            if goal != unit.location.province and board.is_coastal(goal):
                move = _piece(unit, "move", goal=goal, via=True)
                if Referee(board, pieces, False, False).connects(move, seas):
                    yield from (move, move, move)


def _helps(
    board: Board, unit: Unit, pieces: dict[str, Piece], movers: dict[str, Piece], seas: set[str]
) -> Iterator[Piece]:
    at = unit.location.province
    referee = Referee(board, pieces, False, False)
    for move in movers.values():
        near = board.is_adjacent(unit.kind, unit.location, ProvinceId(move.goal))
        possible = referee.walks(move) or move.kind == "F" or referee.connects(move, seas - {at})
        if near and possible:
            yield _piece(unit, "support_move", other=move.at, goal=move.goal)
        if at in seas and move.kind == "A" and at in _needed(referee, move, seas):
            yield _piece(unit, "convoy", other=move.at, goal=move.goal)
    for other in pieces:
        near = board.is_adjacent(unit.kind, unit.location, ProvinceId(other))
        if other != at and near and other not in movers:
            yield _piece(unit, "support_hold", other=other)


def _needed(referee: Referee, move: Piece, seas: set[str]) -> set[str]:
    """Fleets of the chains that have none to spare, found by trying every set."""
    needed: set[str] = set()
    if not referee.board.is_coastal(ProvinceId(move.goal)):
        return needed
    for size in range(1, len(seas) + 1):
        for chain in map(set, combinations(sorted(seas), size)):
            if referee.connects(move, chain) and not any(
                referee.connects(move, chain - {one}) for one in chain
            ):
                needed |= chain
    return needed


# --- as the adjudicator takes them ----------------------------------------------------------------


def position_of(variant: Variant, pieces: Mapping[str, Piece]) -> Position:
    units = sort_units(map(_unit, pieces.values()), variant.power_ids)
    return Position(parse_phase("S1901M"), units, {})


def _unit(piece: Piece) -> Unit:
    place = parse_location(f"{piece.at}/{piece.coast}" if piece.coast else piece.at)
    return Unit(PowerId(piece.power), UnitKind(piece.kind), place)


def written_of(pieces: Mapping[str, Piece]) -> Mapping[PowerId, Sequence[WrittenOrder]]:
    order_sets: dict[PowerId, list[WrittenOrder]] = {}
    for piece in pieces.values():
        order_sets.setdefault(PowerId(piece.power), []).append(_written(piece, pieces))
    return order_sets


def _written(piece: Piece, pieces: Mapping[str, Piece]) -> WrittenOrder:
    unit = WrittenUnit(_unit(piece).location, UnitKind(piece.kind))
    if piece.verb == "hold":
        return WrittenHold(unit)
    goal = parse_location(f"{piece.goal}/{piece.goal_coast}" if piece.goal_coast else piece.goal)
    if piece.verb == "move":
        return WrittenMove(unit, goal, via_convoy=piece.via)
    helped = pieces[piece.other]
    other = WrittenUnit(_unit(helped).location, UnitKind(helped.kind))
    if piece.verb == "support_hold":
        return WrittenSupportHold(unit, other)
    kind = WrittenConvoy if piece.verb == "convoy" else WrittenSupportMove
    return kind(unit, other, goal)
