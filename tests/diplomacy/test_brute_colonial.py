"""The adjudicator against the brute-force referee around the canal and along the railway.

`JUDGE_EXAMPLES` sets how many positions are tried for each preset and each of the two.
"""

import os
import random
from collections.abc import Mapping, Sequence

import pytest

from judge.diplomacy.board import Location
from judge.diplomacy.orders import (
    PowerId,
    ProvinceId,
    UnitKind,
    WrittenOrder,
    WrittenPassage,
    WrittenRide,
    WrittenUnit,
)
from judge.diplomacy.outcomes import Resolved
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import resolve_movement
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import Variant

from .brute_colonial import ENDS, LINE, ColonialReferee, ride
from .brute_force import Piece
from .colonial import COLONIAL
from .crowds import position_of, written_of
from .test_brute_force import PRESETS, check_against, check_dislodged

EXAMPLES = int(os.environ.get("JUDGE_EXAMPLES", "120"))
BOARD = COLONIAL.board
POWERS = ("BRITAIN", "RUSSIA", "TURKEY")
AROUND_LINE = ("ORE", "AKM", "MON", "URU", "SEM", "MAC", "SEO", "ODE", "BAK")
AROUND_CANAL = ("SUD", "MEC", "SYR", "GOA", "ADE", "ERI", "CON", "BLA", "ANG")


def scene(rng: random.Random, core: Sequence[str], around: Sequence[str]) -> dict[str, Piece]:
    """A crowd of units, each with a legal order; none by convoy."""
    places = rng.sample(core, rng.randint(1, len(core) - 1))
    places += rng.sample(around, rng.randint(1, 5))
    if rng.random() < 0.8 and core[0] not in places:
        places.append(core[0])
    pieces = {}
    for at in places:
        kinds = [kind for kind in UnitKind if BOARD.possible_locations(kind, ProvinceId(at))]
        kind = rng.choice(kinds)
        stand = rng.choice(BOARD.possible_locations(kind, ProvinceId(at)))
        pieces[at] = Piece(rng.choice(POWERS), kind.value, at, "hold", coast=stand.coast or "")
    for at in sorted(pieces):
        goals = ways(pieces[at], pieces)
        if rng.random() < 0.6 and goals:
            goal = rng.choice([*goals, *(one for one in goals if one.province in core)])
            pieces[at] = with_order(pieces[at], "move", goal=goal.province, coast=goal.coast)
    for at, piece in sorted(pieces.items()):
        helps = supports(piece, pieces)
        if piece.verb == "hold" and helps and rng.random() < 0.9:
            pieces[at] = rng.choice(helps)
    return pieces


def with_order(piece: Piece, verb: str, *, goal: str, coast: str | None) -> Piece:
    return Piece(
        piece.power,
        piece.kind,
        piece.at,
        verb,
        goal=goal,
        coast=piece.coast,
        goal_coast=coast or "",
    )


def ways(piece: Piece, pieces: Mapping[str, Piece]) -> list[Location]:
    stand = Location(ProvinceId(piece.at), piece.coast or None)
    found = list(BOARD.adjacent_locations(UnitKind(piece.kind), stand))
    if piece.kind == "F" and piece.at in ENDS and "EGY" in pieces:
        (other,) = ENDS - {piece.at}
        found += [Location(ProvinceId(other))] * 4
    return found


def supports(piece: Piece, pieces: Mapping[str, Piece]) -> list[Piece]:
    stand = Location(ProvinceId(piece.at), piece.coast or None)
    found = []
    for other in pieces.values():
        goal = other.goal if other.verb == "move" else other.at
        near = BOARD.is_adjacent(UnitKind(piece.kind), stand, ProvinceId(goal))
        if other.at != piece.at and near:
            verb = "support_move" if other.verb == "move" else "support_hold"
            goal = other.goal if other.verb == "move" else ""
            found.append(
                Piece(piece.power, piece.kind, piece.at, verb, other.at, goal, coast=piece.coast)
            )
    return found


def resolve(
    preset: str,
    pieces: Mapping[str, Piece],
    train: str = "",
    leaves: Sequence[str] = (),
    variant: Variant = COLONIAL,
) -> Resolved:
    order_sets: dict[PowerId, list[WrittenOrder]] = {
        power: list(lines) for power, lines in written_of(pieces).items()
    }
    if train:
        unit = WrittenUnit(Location(ProvinceId(train)), UnitKind.ARMY)
        lines = order_sets[PowerId("RUSSIA")]
        lines[:] = [line for line in lines if getattr(line, "unit", None) != unit]
        lines.append(WrittenRide(unit, Location(ProvinceId(pieces[train].goal))))
    for sea in leaves:
        (other,) = ENDS - {sea}
        fleet = WrittenUnit(Location(ProvinceId(sea)), UnitKind.FLEET, PowerId(pieces[sea].power))
        leave = WrittenPassage(fleet, Location(ProvinceId(other)))
        order_sets.setdefault(PowerId(pieces["EGY"].power), []).append(leave)
    return resolve_movement(variant, Rules.preset(preset), position_of(variant, pieces), order_sets)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_referee_agrees_at_the_canal(preset: str) -> None:
    passed = 0
    for seed in range(EXAMPLES):
        rng = random.Random(f"canal {preset} {seed}")
        pieces = scene(rng, ("EGY", "MED", "RED"), AROUND_CANAL)
        seas = [at for at in sorted(ENDS) if at in pieces and "EGY" in pieces]
        leaves = [at for at in seas if rng.random() < 0.6]
        movement = resolve(preset, pieces, leaves=leaves)
        referee = ColonialReferee(BOARD, pieces, *PRESETS[preset], leaves=frozenset(leaves))
        try:
            check_against(referee, movement)
            check_dislodged(pieces, movement)
        except AssertionError as error:
            raise AssertionError(told(seed, pieces, error, leaves)) from error
        passed += sum(map(referee.passes, pieces.values()))
    assert passed > EXAMPLES // 10


@pytest.mark.parametrize("passes_own", [True, False], ids=["passes_own", "own_bar"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_referee_agrees_along_the_railway(preset: str, *, passes_own: bool) -> None:
    variant = choose("colonial", {"railway_passes_own": passes_own})
    ended: set[str] = set()
    compared = 0
    for seed in range(EXAMPLES):
        rng = random.Random(f"railway {preset} {seed}")
        pieces = scene(rng, LINE, AROUND_LINE)
        start, goal = rng.sample(LINE, 2)
        pieces[start] = train = Piece("RUSSIA", "A", start, "move", goal=goal)
        for at, piece in sorted(pieces.items()):  # supports of what stood there before, and of it
            if piece.verb.startswith("support"):
                helps = supports(piece, pieces)
                if piece not in helps:
                    pieces[at] = rng.choice(helps) if helps else plain(piece)
        movement = resolve(preset, pieces, train=start, variant=variant)
        strict = ColonialReferee(BOARD, pieces, *PRESETS[preset], passes_own=passes_own)
        done = ride(strict, train)
        if done is None:
            continue
        referee, won = done
        compared += 1
        after = {
            (piece.power, piece.kind, piece.goal if at in won else at)
            for at, piece in referee.pieces.items()
            if not referee.dislodged(at, won)
        }
        found = {(one.power, one.kind.value, one.location.province) for one in movement.units}
        if after != found:
            error = AssertionError(f"ours {found - after}, the referee's {after - found}")
            raise AssertionError(told(seed, pieces, error, [start]))
        ended.add(
            "home" if start not in won else "goal" if referee.pieces[start].goal == goal else ""
        )
    assert ended == {"home", "goal", ""}
    assert compared > EXAMPLES * 9 // 10


def plain(piece: Piece) -> Piece:
    return Piece(piece.power, piece.kind, piece.at, "hold", coast=piece.coast)


def told(seed: int, pieces: Mapping[str, Piece], error: Exception, more: object) -> str:
    return "\n".join([f"seed {seed} {more}", *map(str, pieces.values()), str(error)])
