"""The adjudicator against the brute-force referee, on crowded random positions.

`JUDGE_EXAMPLES` sets how many positions are tried for each preset.
"""

import os
import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from judge.diplomacy.orders import Move, SupportHold, SupportMove
from judge.diplomacy.outcomes import Cut, Disrupted, DisruptionKind, Resolved, Void
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import resolve_movement
from judge.diplomacy.variants.variant import load_variant

from .brute_force import Piece, Referee
from .crowds import betrayal, crowd, position_of, written_of

STANDARD = load_variant("standard")
EXAMPLES = int(os.environ.get("JUDGE_EXAMPLES", "120"))
PRESETS = {"2023": (False, False), "2000": (True, True)}


def won_in(movement: Resolved) -> frozenset[str]:
    return frozenset(
        one.unit.location.province
        for one in movement.results
        if isinstance(one.order, Move) and one.succeeded and one.unit
    )


def stopped_in(movement: Resolved) -> frozenset[str]:
    """Armies that the rule for paradoxes stopped."""
    return frozenset(
        one.unit.location.province
        for one in movement.results
        for outcome in one.outcomes
        if isinstance(outcome, Disrupted) and outcome.kind is DisruptionKind.PARADOX and one.unit
    )


def check_against(referee: Referee, movement: Resolved) -> None:
    won, stopped = won_in(movement), stopped_in(movement)
    free = list(referee.solutions())
    if stopped:
        assert len(free) != 1, "a paradox where there is none"
        referee = replace(referee, stopped=stopped)
        free = list(referee.solutions())
    assert won in free
    # Of a ring's two answers the one in which all move: no other answer has a move that fails here,
    # but one that can do without the ring alone.
    for other in free:
        assert other <= won or (won - other and all(map(referee.gives_way, other - won)))
    check_supports(referee, movement, won)


def check_supports(referee: Referee, movement: Resolved, won: frozenset[str]) -> None:
    for one in movement.results:
        if isinstance(one.order, SupportHold | SupportMove) and one.unit:
            kinds = [type(outcome) for outcome in one.outcomes]
            if Void not in kinds:
                piece = referee.pieces[one.unit.location.province]
                assert referee.given(piece, won) == (Cut not in kinds), piece


def check_dislodged(pieces: Mapping[str, Piece], movement: Resolved) -> None:
    won = won_in(movement)
    driven = {at for at in pieces if at not in won and any(pieces[w].goal == at for w in won)}
    assert {one.unit.location.province for one in movement.dislodged} == driven


@pytest.mark.parametrize("preset", PRESETS)
def test_the_referee_agrees(preset: str) -> None:
    never, spares = PRESETS[preset]
    for seed in range(EXAMPLES):
        rng = random.Random(f"{preset} {seed}")
        scene = rng.choice((crowd, crowd, betrayal))
        pieces = scene(STANDARD, rng, rng.randint(3, 8))
        movement = resolve_movement(
            STANDARD, Rules.preset(preset), position_of(STANDARD, pieces), written_of(pieces)
        )
        try:
            check_against(Referee(STANDARD.board, pieces, never, spares), movement)
            check_dislodged(pieces, movement)
        except AssertionError as error:
            orders = "\n".join(map(str, pieces.values()))
            raise AssertionError(f"seed {seed}\n{orders}\n{error}") from error
