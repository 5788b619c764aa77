"""Who holds which powers in a game: by its table of players, and by a coin toss.

Between the state of a game and the variant as it is played in one phase of it.
"""

from collections.abc import Callable, Sequence

from judge.diplomacy.calendar import Phase, parse_phase
from judge.diplomacy.orders import PowerId
from judge.diplomacy.records import GameState, Joining
from judge.diplomacy.sequence import Played
from judge.diplomacy.variants.options import JOINED, choose
from judge.diplomacy.variants.variant import Variant


def variant_for_phase(game: GameState, phase: Phase, seat: str = "") -> Variant:
    """The variant as a phase of the game plays it.

    The powers that nobody plays come to a seat in the first movement phase after the coin toss.
    Where the coin is not tossed yet, they are taken to come to another than `seat`: so advance
    orders can be read.
    """
    variant = choose(game.variant, game.options)
    if variant.toss is None or phase.year <= variant.toss.year:
        return variant
    others = [one for one in variant.seating if one != seat]
    joined = game.joined or (others[0] if seat else "")
    return choose(game.variant, {**game.options, JOINED: joined}) if joined else variant


def running_variant(game: GameState) -> Variant:
    """The variant as the running phase plays it."""
    return variant_for_phase(game, parse_phase(game.label))


def coin_toss(
    variant: Variant, ran: Sequence[Played], below: Callable[[int], int]
) -> tuple[int, str, Joining] | None:
    """What the coin says, if it is tossed in one of the phases that ran: the place of that phase
    among them, the seat, and what to tell. `below` draws a whole number below another."""
    for at, played in enumerate(ran):
        if variant.toss == played.phase and played.end is None:
            winner = [*variant.seating][below(len(variant.seating))]
            return at, winner, _joining_powers(variant, variant.seating[winner], played.phase)
    return None


def joining_by_toss(game: GameState) -> Joining | None:
    """What a coin has said in this game, or will say; None if none is tossed."""
    variant = choose(game.variant, game.options)
    if variant.toss is None:
        return None
    return _joining_powers(variant, variant.seating.get(game.joined, ()), variant.toss)


def _joining_powers(variant: Variant, to: tuple[PowerId, ...], toss: Phase) -> Joining:
    powers = tuple(power for power in variant.power_ids if power in variant.unplayed)
    first = variant.calendar.after(variant.calendar.after(toss))
    return Joining(powers=powers, to=to, label=str(first))
